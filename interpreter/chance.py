"""The one source of chance: SplitMix64, so that a seed gives the same game on every machine, forever.

Implements docs/language/13-semantics.md, "Chance". The state of the generator is one number, which the
functions take and give back.
"""

import secrets
from collections.abc import Sequence

MASK = (1 << 64) - 1
WHOLE = 1 << 64


# [chance.next]
def draw(rng: int) -> tuple[int, int]:
    """The generator after a draw, and 64 random bits.

    >>> rng, bits = draw(0)
    >>> f"{bits:016x}"
    'e220a8397b1dcdaf'
    """
    rng = (rng + 0x9E3779B97F4A7C15) & MASK
    z = ((rng ^ (rng >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return rng, z ^ (z >> 31)


# [chance.below]
def below(rng: int, n: int) -> tuple[int, int]:
    """The generator after a draw, and a uniform number from 0 to n - 1; if n is 1, the generator does not change."""
    if n == 1:
        return rng, 0
    limit = WHOLE - WHOLE % n
    while True:
        rng, bits = draw(rng)
        if bits < limit:
            return rng, bits % n


# [chance.shuffle]
def shuffle(rng: int, values: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """The generator after a shuffle, and the values in their new order, the top first.

    >>> shuffle(7, range(10))[1]
    (8, 1, 5, 9, 0, 4, 3, 2, 6, 7)
    """
    order = list(values)
    for i in range(len(order) - 1, 0, -1):
        rng, j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]
    return rng, tuple(order)


def luck_for(seed: int) -> int:
    """The luck of the players in the random game of a seed; neighbouring seeds give unrelated luck."""
    return draw(~seed & MASK)[1]


def try_luck(luck: int, n: int) -> tuple[int, int]:
    """For players who choose at random: their luck after a choice, and a number from 0 to n - 1.

    This is a linear congruential generator: fast, good enough, and the same in every engine. The game
    itself draws from SplitMix64.

    >>> luck, first = try_luck(luck_for(1), 6)
    >>> first, try_luck(luck, 6)[1]
    (5, 2)
    """
    luck = (luck * 6364136223846793005 + 1442695040888963407) & MASK
    return luck, luck * n >> 64


def fresh_seed() -> int:
    """An unpredictable seed for a game that was not given one, short enough to write down."""
    return secrets.randbelow(1_000_000_000)
