"""The interface between engines and the code that plays with them: one protocol for every engine and every bot.

A state is opaque: only its engine looks inside. All engines play the same games: the same seed and the same choices
lead to the same options and the same result. If the rules cannot go on, an engine raises `RuleFault`; if only the
engine cannot, it may raise `Beyond`. `engines.py` chooses an engine.

Only the reference records what players observe; `worlds/` asks it.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from interpreter.machine import Machine, Result
from interpreter.state import State
from rulespec.core.tree import Origin
from rulespec.core.types import Type

S = TypeVar("S")


class Question(Protocol):
    """What is asked: its place in the rules, and the type of the answer."""

    @property
    def origin(self) -> Origin: ...

    @property
    def of(self) -> Type: ...


class Engine(Protocol[S]):
    """Rules for a number of players, from decision to decision; nobody observes what happens between them."""

    machine: Machine  # the reference for the same table

    def start(self, seed: int, first: int | None = None, /) -> S:
        """A new game at its first decision; the seed decides who begins, unless that is given."""

    def from_reference(self, state: State, /) -> S:
        """Convert a state of the reference at a decision to one of this engine; the given state does not change."""

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
        """Choose an option, and go on to the next decision or the end."""

    def playout(self, state: S, luck: int, most: int, /) -> None:
        """Let everybody choose at random until the game is over, for at most `most` choices."""

    def result(self, state: S, /) -> Result:
        """Places and scores, as the game stands."""
