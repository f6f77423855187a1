"""A pile -> the same pile in the order of chance, as `interpreter.chance` has it, faster: all draws at once.

SplitMix64 counts and mixes: so the numbers can be mixed side by side, in one very long number.
"""

from collections.abc import Sequence
from struct import Struct

from attrs import frozen

from interpreter import chance

MASK = chance.MASK
GAMMA = 0x9E3779B97F4A7C15


# A lane of 128 bits for each draw: as wide as the product of two numbers of 64.


@frozen
class _Lanes:
    """Numbers with so many lanes: a one, the steps between draws and 64 ones in each, and what is refused."""

    ones: int
    steps: int
    low: int
    refused: int
    above: int
    width: int
    draws: Struct  # the number in each lane
    all_steps: int


_LANES: dict[int, _Lanes] = {}


def _lanes(count: int) -> _Lanes:
    if count not in _LANES:
        ones = sum(1 << 128 * n for n in range(count))
        _LANES[count] = _Lanes(
            ones=ones,
            steps=sum(((n + 1) * GAMMA & MASK) << 128 * n for n in range(count)),
            low=ones * MASK,
            refused=ones * (count + 1),
            above=ones << 64,
            width=16 * count,
            draws=Struct("<" + "Q8x" * count),
            all_steps=count * GAMMA & MASK,
        )
    return _LANES[count]


def shuffle(rng: int, pile: Sequence[int]) -> tuple[int, Sequence[int]]:
    """The generator after a shuffle, and the pieces in their new order.

    >>> shuffle(5, range(9))[1] == [*chance.shuffle(5, range(9))[1]]
    True
    """
    order = list(pile)
    last = len(order) - 1
    if last < 1:
        return rng, order
    lanes = _LANES.get(last) or _lanes(last)
    low = lanes.low
    z = (rng * lanes.ones + lanes.steps) & low
    z = ((z ^ (z >> 30)) & low) * 0xBF58476D1CE4E5B9 & low
    z = ((z ^ (z >> 27)) & low) * 0x94D049BB133111EB & low
    z ^= z >> 31  # above its 64 bits a lane has something of the next one now, which nobody reads
    if (z + lanes.refused) & lanes.above:
        # Once in 10¹⁷ times a number is refused, and another one drawn.
        return chance.shuffle(rng, pile)
    at = last + 1
    for draw in lanes.draws.unpack(z.to_bytes(lanes.width, "little")):
        j = draw % at
        at -= 1
        c = order[j]
        order[j] = order[at]
        order[at] = c
    return (rng + lanes.all_steps) & MASK, order
