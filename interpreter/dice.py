"""A seed -> random numbers for bots and for the worlds that they imagine. The game has its own source of chance."""

from collections.abc import Sequence
from typing import TypeVar

from interpreter import chance

T = TypeVar("T")


class Dice:
    """Random numbers from a seed, the same on every machine.

    >>> dice = Dice(1)
    >>> dice.below(6), dice.pick("abc"), dice.shuffled([1, 2, 3])
    (5, 'b', [3, 2, 1])
    """

    __slots__ = ("rng",)

    def __init__(self, seed: int) -> None:
        self.rng = seed & chance.MASK

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        self.rng, number = chance.below(self.rng, n)
        return number

    def share(self) -> float:
        """A number from 0 up to 1, without 1."""
        self.rng, bits = chance.draw(self.rng)
        return bits / chance.WHOLE

    def pick(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self.below(len(values))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """All values in random order."""
        found = list(values)
        for i in range(len(found) - 1, 0, -1):
            j = self.below(i + 1)
            found[i], found[j] = found[j], found[i]
        return found

    def some(self, values: Sequence[T], count: int) -> list[T]:
        """`count` of the values, none of them twice."""
        found = list(values)
        for i in range(count):
            j = i + self.below(len(found) - i)
            found[i], found[j] = found[j], found[i]
        return found[:count]

    def seed(self) -> int:
        """A seed for another generator."""
        self.rng, bits = chance.draw(self.rng)
        return bits
