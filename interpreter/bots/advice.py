"""What a bot is asked, and what it answers."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from attrs import frozen

from interpreter.views import Information

# Is told the share of its time that a bot has used; whether the bot may go on.
Progress: TypeAlias = Callable[[float], bool]


@frozen
class Estimate:
    """What a bot thinks of an option: the share of games won after it, and in how many it was tried."""

    number: int
    value: float
    tried: int


@frozen
class Advice:
    """The option that a bot would choose, and what it thinks of this and the others, the best first."""

    choice: int
    estimates: tuple[Estimate, ...] = ()
    games: int = 0  # played out in thought
    worlds: int = 0  # what the others may hold: so many guesses


class Bot(Protocol):
    """A player made of code."""

    def advise(self, known: Information, progress: Progress | None = None) -> Advice:
        """What to answer to the question in `known`, which must have one."""
        ...
