"""The types that bots share: what a bot is asked, and its advice: the choice, and an estimate of each option."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from attrs import frozen

from interpreter.views import Information

# Receives the share of its time that a bot has used; returns whether the bot may go on.
Progress: TypeAlias = Callable[[float], bool]


@frozen
class Estimate:
    """A bot's estimate of an option, from 0 to 1, and in how many games it tried the option.

    `won` is the share of games that the player won, or led when the game was cut off; `points` is what the player had
    then, on average, in the first row of the ranking.
    """

    number: int
    value: float
    tried: int
    won: float | None = None
    points: float | None = None
    error: float = 0.0  # the standard error of the value


@frozen
class Advice:
    """The option that a bot would choose, and its estimates of the options, the best first."""

    choice: int
    estimates: tuple[Estimate, ...] = ()
    games: int = 0  # played out in thought
    worlds: int = 0  # the number of imagined worlds
    is_blind: bool = False  # the bot found no world to think in, and chose at random
    is_shallow: bool = (
        False  # there is no module to think in: the bot looked only one decision ahead
    )


class Bot(Protocol):
    """A player made of code."""

    def prepare(self) -> None:
        """Prepare what takes time, so that the first answer comes soon."""
        ...

    def advise(self, known: Information, progress: Progress | None = None) -> Advice:
        """Advice on the question in `known`, which must contain one."""
        ...
