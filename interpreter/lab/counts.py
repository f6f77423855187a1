"""Counts that add up: the result of a chunk of games, as whole numbers under keys.

The sum of two chunks is exact, so it does not matter how games were cut into chunks, or in which order they were played.
The number of keys depends on the rules, not on the number of games.
"""

from collections import Counter
from typing import Any

Key = tuple[str | int, ...]
Counts = dict[Key, int]


def add(one: Counts, other: Counts) -> Counts:
    """The sum of two counts; neither is changed.

    >>> add({("games",): 2}, {("games",): 3, ("score", 0, 7): 1})
    {('games',): 5, ('score', 0, 7): 1}
    """
    total = dict(one)
    for key, number in other.items():
        total[key] = total.get(key, 0) + number
    return total


def counts_under(counts: Counts, *begin: str | int) -> dict[Any, int]:
    """The counts whose keys begin with these parts and have one more, by that last part.

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
    """The values in order, with how often each occurred."""
    return sorted(counts_under(counts, *begin).items())


def as_data(counts: Counts) -> list[list[Any]]:
    """Counts in a form that JSON can store."""
    return [[*key, number] for key, number in counts.items()]


def from_data(data: list[list[Any]]) -> Counts:
    """Counts from their stored form."""
    return {tuple(row[:-1]): row[-1] for row in data}


def tally(values: Counter[int], *begin: str | int) -> Counts:
    """A counter of values as counts."""
    return {(*begin, value): number for value, number in values.items()}
