"""How long games take that nobody thinks about -> how many games of players who think are a minute's work.

The number follows from the rules and the seed alone, never from the clock: so the same command plays the same games
on every machine, and on a slower one it takes longer.
"""

from interpreter.lab.counts import Counts
from interpreter.lab.measures import total_of

# Choices take about the same time in all games, as everybody thinks about the same number of games for each.
CHOICES = 4_500  # thought about in a minute on two cores, about: see docs/lab.md
FEWEST, MOST = 10, 400  # games that are played in any case, and at most
ROUND = (1, 1.5, 2, 3, 4, 5, 6, 8)


def thinking_games(counts: Counts, sides: int) -> int:
    """A round number of games of each side, from a quick look at them.

    >>> thinking_games({("of", 0, "decisions", "n"): 10, ("of", 0, "decisions", "sum"): 400}, 1)
    100
    """
    choices = 0.0
    for side in range(sides):
        found = total_of(counts, side, "decisions")
        choices += found.total / found.n if found.n else 0.0
    # Where nobody decides anything, nobody thinks.
    return _round(CHOICES / choices) if choices else 0


def _round(number: float) -> int:
    """A number that people like to read, not above the given one."""
    number = min(MOST, max(FEWEST, number))
    power = 1
    while power * 10 <= number:
        power *= 10
    return max(FEWEST, int(max(power * each for each in ROUND if power * each <= number)))
