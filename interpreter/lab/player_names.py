"""The bots at a table -> words for them, which go with every verdict."""

from collections.abc import Sequence

from interpreter.lab.bot_games import RANDOM, is_random


def describe_players(seats: Sequence[str]) -> str:
    """The players, in words.

    >>> describe_players(("random", "random")), describe_players(("normal",) * 3), describe_players(("hard", "random"))
    ('random players', 'normal players', 'hard (seat 1) and random (seat 2)')
    """
    if len(set(seats)) == 1:
        return f"{seats[0]} players"
    named = [f"{word} (seat {n})" for n, word in enumerate(seats, 1)]
    return f"{', '.join(named[:-1])} and {named[-1]}"


def describe_thinking(seats: Sequence[str], fitting: int | None = None) -> str:
    """What these players mean for the results, and how many games fitted into the time if no number was given.

    >>> describe_thinking(("normal", "normal"), 40)
    'everybody thinks; 40 games were played in the time allowed, and `--thinking 40` plays the same ones again'
    """
    if is_random(seats):
        return "a quick look: nobody thinks, so this is about cards and seats, and not about skill"
    found = "some of them think, and others do not" if RANDOM in seats else "everybody thinks"
    if fitting is not None:
        found += f"; {fitting:,} games were played in the time allowed, and `--thinking {fitting}` plays the same ones again"
    return found
