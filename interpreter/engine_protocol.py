"""What plays a game, as all who play with it see it: one protocol for every engine and every bot.

A state is whatever an engine makes of it; only the engine looks inside. All engines play the same games: the same seed
and the same choices lead to the same options and the same result. Where an engine cannot go on it may be `Beyond` it,
and what the rules cannot do is a `RuleFault`. How one is chosen is in `engines.py`.

What players observe is kept by the reference alone; `worlds/` asks it.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from interpreter.machine import Machine, Result
from interpreter.state import State
from rulespec.core.tree import Origin
from rulespec.core.types import Type

S = TypeVar("S")


class Question(Protocol):
    """What is asked: where that stands in the rules, and what is chosen."""

    @property
    def origin(self) -> Origin: ...

    @property
    def of(self) -> Type: ...


class Engine(Protocol[S]):
    """Rules at a table of so many, from decision to decision; nobody observes what happens between them."""

    machine: Machine  # the reference for the same table

    def start(self, seed: int, first: int | None = None, /) -> S:
        """A new game at its first decision; the seed decides who begins, unless that is given."""

    def from_reference(self, state: State, /) -> S:
        """A state of the reference at a decision, as one of this engine; the given one stays as it is."""

    def clone(self, state: S, /) -> S:
        """An independent copy."""

    def future(self, state: S, seed: int, /) -> S:
        """A copy in which chance follows from another seed."""

    def count(self, state: S, /) -> int:
        """How many options there are; none when the game is over."""

    def player(self, state: S, /) -> int:
        """Who is asked."""

    def asked(self, state: S, /) -> Question:
        """What is asked."""

    def options(self, state: S, /) -> Sequence[Any]:
        """The values of all options."""

    def apply(self, state: S, number: int, /) -> None:
        """Choose an option, and go on to whatever is next."""

    def playout(self, state: S, luck: int, most: int, /) -> None:
        """Let everybody try their luck until the game is over, or so many choices later."""

    def result(self, state: S, /) -> Result:
        """Places and scores, as the game stands."""
