"""A mind, some options and a budget -> advice: the result of each option, and the best one.

A mind walks from world to world, searches one tree that all worlds share, and plays the rest of each game out. Between
two calls, this module decides which options are still tried: all, then the better half, and so on until two are left.
"""

from collections.abc import Sequence
from math import ceil, log2, sqrt

from attrs import frozen

from interpreter.bots.advice import Advice, Estimate
from interpreter.bots.imagination import Budget
from interpreter.bots.slow_mind import SlowMind
from interpreter.dice import Dice
from interpreter.worlds import Mind

CHUNK = 64  # games per call
UNKNOWN_GAMES = 1 << 15  # how many games to allocate memory for, if only the time is known


@frozen
class OptionTally:
    """The results of an option in the games that began with it, for the player who chose it."""

    tried: int
    worth: float
    won: float = 0.0
    points: float | None = 0.0  # None if the ranking compares nothing
    squares: float = 0.0  # the sum of the squared worth


def sample(dice: Dice, count: int, most: int) -> list[int]:
    """The numbers of all options, or a sample if there are too many."""
    return dice.some(range(count), most) if count > most else list(range(count))


def ponder(  # noqa: PLR0913 - who thinks about what, and for how long
    mind: Mind | SlowMind | None,
    dice: Dice,
    count: int,
    numbers: Sequence[int],
    budget: Budget,
    *,
    deep: bool,
) -> Advice:
    """Advice on a question with `count` options, of which `numbers` are considered; a random choice without a mind."""
    if mind is None:
        return Advice(dice.below(count), is_blind=count > 1)
    games = budget.games
    mind.begin_thought(numbers, deep=deep, games=UNKNOWN_GAMES if games is None else games)
    chunk = CHUNK if games is None else max(1, min(CHUNK, games // 12))
    places = list(range(len(numbers)))
    while budget.goes_on():
        now = chunk if games is None else min(chunk, games - budget.played)
        mind.think(_promising(mind, places, budget.used) if deep else places, now)
        budget.played += now
    tallies = {
        number: OptionTally(int(tried), worth, won, points if mind.has_points else None, squares)
        for number, (tried, worth, won, points, squares) in zip(
            numbers, mind.tallies(len(numbers)), strict=True
        )
    }
    is_shallow = deep and isinstance(mind, SlowMind)
    return conclude(dice, count, tallies, budget.played, mind.worlds, is_shallow=is_shallow)


def how_many(options: int, used: float) -> int:
    """How many options are still tried after a share of the budget."""
    rounds = max(1, ceil(log2(options)))
    return max(2, ceil(options / (1 << int(used * rounds))))


def _promising(mind: Mind | SlowMind, places: list[int], used: float) -> list[int]:
    left = how_many(len(places), used)
    if left >= len(places):
        return places
    rows = mind.tallies(len(places))
    return sorted(places, key=lambda n: -rows[n][1] / rows[n][0] if rows[n][0] else 0.0)[:left]


def conclude(  # noqa: PLR0913 - all that the thinking produced
    dice: Dice,
    count: int,
    tallies: dict[int, OptionTally],
    games: int,
    worlds: int,
    *,
    is_shallow: bool = False,
) -> Advice:
    """The best of the options that were tried most; any option, if none was tried."""
    most = max((each.tried for each in tallies.values()), default=0)
    estimates = sorted(
        (estimate_option(number, each) for number, each in tallies.items() if each.tried),
        key=lambda each: (2 * each.tried < most, -each.value, each.number),
    )
    choice = estimates[0].number if estimates else dice.below(count)
    return Advice(choice, tuple(estimates), games, worlds, is_shallow=is_shallow)


def estimate_option(number: int, tally: OptionTally) -> Estimate:
    """The estimate of an option, from its tally."""
    n = tally.tried
    points = None if tally.points is None else tally.points / n
    value = tally.worth / n
    error = sqrt(max(0.0, tally.squares / n - value**2) / n)
    return Estimate(number, value, n, tally.won / n, points, error)
