"""Counts that add up: all that a chunk of games gives back.

They are whole numbers under keys. So the sum of two chunks is exact, and it does not matter in which
pieces or in which order games were played. How many keys there are depends on the rules, not on how many
games are played.
"""

from collections import Counter
from typing import Any

Key = tuple[str | int, ...]
Counts = dict[Key, int]


def add(one: Counts, other: Counts) -> Counts:
    """Both together; neither is changed.

    >>> add({("games",): 2}, {("games",): 3, ("score", 0, 7): 1})
    {('games',): 5, ('score', 0, 7): 1}
    """
    total = dict(one)
    for key, number in other.items():
        total[key] = total.get(key, 0) + number
    return total


def counts_under(counts: Counts, *begin: str | int) -> dict[Any, int]:
    """The counts whose keys begin so and have one more part, by that part.

    >>> counts_under({("score", 0, 7): 1, ("score", 1, 7): 4}, "score", 1)
    {7: 4}
    """
    size = len(begin)
    return {
        key[size]: number
        for key, number in counts.items()
        if len(key) == size + 1 and key[:size] == begin
    }


def value_counts(counts: Counts, *begin: str | int) -> list[tuple[int, int]]:
    """Values and how often each was met, in order."""
    return sorted(counts_under(counts, *begin).items())


def as_data(counts: Counts) -> list[list[Any]]:
    """Counts as JSON can keep them."""
    return [[*key, number] for key, number in counts.items()]


def from_data(data: list[list[Any]]) -> Counts:
    """Counts as they were kept."""
    return {tuple(row[:-1]): row[-1] for row in data}


def tally(values: Counter[int], *begin: str | int) -> Counts:
    """A counter of values as counts."""
    return {(*begin, value): number for value, number in values.items()}
