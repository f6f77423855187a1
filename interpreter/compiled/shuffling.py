"""A pile -> the same pile in the order of chance, as `interpreter.chance` has it, faster: all draws at once.

SplitMix64 counts and mixes: so the numbers can be mixed side by side, in one very long number.
"""

from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any, NamedTuple

from interpreter import chance

MASK = chance.MASK
GAMMA = 0x9E3779B97F4A7C15


# A lane of 128 bits for each draw: as wide as the product of two numbers of 64.


class _Lanes(NamedTuple):
    """Numbers with so many lanes: a one, the steps between draws and 64 ones in each, and what is refused."""

    ones: int
    steps: int
    low: int
    refused: int
    above: int
    width: int
    unpack: Callable[[bytes], tuple[Any, ...]]  # the number in each lane
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
            unpack=Struct("<" + "Q8x" * count).unpack,
            all_steps=count * GAMMA & MASK,
        )
    return _LANES[count]


def below(rng: int, n: int) -> tuple[int, int]:
    """The generator after a draw, and a uniform number from 0 to n - 1.

    >>> all(below(seed, 7) == chance.below(seed, 7) for seed in range(99))
    True
    """
    if n == 1:
        return rng, 0
    after = (rng + GAMMA) & MASK
    z = (after ^ (after >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    z ^= z >> 31
    if z > MASK - n:  # as below
        return chance.below(rng, n)
    return after, z % n


def shuffle(rng: int, pile: Sequence[int]) -> tuple[int, Sequence[int]]:
    """The generator after a shuffle, and the pieces in their new order.

    >>> shuffle(5, range(9))[1] == [*chance.shuffle(5, range(9))[1]]
    True
    """
    order = list(pile)
    last = len(order) - 1
    if last < 1:
        return rng, order
    ones, steps, low, refused, above, width, unpack, all_steps = _LANES.get(last) or _lanes(last)
    z = (rng * ones + steps) & low
    z = ((z ^ (z >> 30)) & low) * 0xBF58476D1CE4E5B9 & low
    z = ((z ^ (z >> 27)) & low) * 0x94D049BB133111EB & low
    z ^= z >> 31  # above its 64 bits a lane has something of the next one now, which nobody reads
    if (z + refused) & above:
        # Once in 10¹⁷ times a number is refused, and another one drawn.
        return chance.shuffle(rng, pile)
    at = last + 1
    for draw in unpack(z.to_bytes(width, "little")):
        j = draw % at
        at -= 1
        c = order[j]
        order[j] = order[at]
        order[at] = c
    return (rng + all_steps) & MASK, order
