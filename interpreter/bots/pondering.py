"""Thinking in the fast engine: a few options and a budget go in, what came of each option comes out.

The module walks from world to world, goes down one tree that all of them share, and plays the rest out. Between two calls
it is decided which options are still tried: all, then the better half, and so on until two are left.
"""

from collections.abc import Sequence
from math import ceil, log2

from interpreter.bots.imagination import Budget, OptionTally
from interpreter.worlds import Mind

CHUNK = 64  # games in one call
UNKNOWN_GAMES = 1 << 15  # for which there is room, if only the time is known


def ponder(
    mind: Mind, numbers: Sequence[int], budget: Budget, *, deep: bool
) -> tuple[dict[int, OptionTally], int]:
    """What came of each option, and how many worlds were imagined."""
    games = budget.games
    mind.begin_thought(numbers, deep=deep, games=UNKNOWN_GAMES if games is None else games)
    chunk = CHUNK if games is None else max(1, min(CHUNK, games // 12))
    places = list(range(len(numbers)))
    while budget.goes_on():
        now = chunk if games is None else min(chunk, games - budget.played)
        mind.think(_promising(mind, places, budget.used) if deep else places, now)
        budget.played += now
    tallies = {}
    for number, row in zip(numbers, mind.tallies(len(numbers)), strict=True):
        tried, worth, won, points, squares = row
        tally = OptionTally(int(tried), worth, won, points if mind.has_points else None, squares)
        tallies[number] = tally
    return tallies, mind.get("WORLDS")


def how_many(options: int, used: float) -> int:
    """How many options are still tried after a share of the budget."""
    rounds = max(1, ceil(log2(options)))
    return max(2, ceil(options / (1 << int(used * rounds))))


def _promising(mind: Mind, places: list[int], used: float) -> list[int]:
    left = how_many(len(places), used)
    if left >= len(places):
        return places
    rows = mind.tallies(len(places))
    return sorted(places, key=lambda n: -rows[n][1] / rows[n][0] if rows[n][0] else 0.0)[:left]
