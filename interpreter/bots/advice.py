"""What a bot is asked, and what it answers."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from attrs import frozen

from interpreter.views import Information

# Is told the share of its time that a bot has used; whether the bot may go on.
Progress: TypeAlias = Callable[[float], bool]


@frozen
class Estimate:
    """What a bot thinks of an option, from 0 to 1, and in how many games it was tried.

    `won` is the share of them that was won, or led in when it was broken off; `points` what the player had
    then, on average, of what is compared first.
    """

    number: int
    value: float
    tried: int
    won: float | None = None
    points: float | None = None
    error: float = 0.0  # of the value: the standard error of so few games


@frozen
class Advice:
    """The option that a bot would choose, and what it thinks of this and the others, the best first."""

    choice: int
    estimates: tuple[Estimate, ...] = ()
    games: int = 0  # played out in thought
    worlds: int = 0  # what the others may hold: so many guesses
    is_blind: bool = False  # the bot wanted to think, and found no world that explains what it knows: this is chance
    is_shallow: bool = (
        False  # there is no module to think in: no more than this one decision was thought through
    )


class Bot(Protocol):
    """A player made of code."""

    def prepare(self) -> None:
        """Make ready what takes a while, so that the first answer comes soon."""
        ...

    def advise(self, known: Information, progress: Progress | None = None) -> Advice:
        """What to answer to the question in `known`, which must have one."""
        ...
