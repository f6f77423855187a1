"""What there is to know of a game that a module plays, while it goes on and when it is over."""

from typing import NamedTuple

from interpreter.state import State
from interpreter.wasm.observing import Shadow


class Finished(NamedTuple):
    """How a game ended: how many decisions were made, who has won, and the keys of the ranking, row by row.

    Of a game that was cut off there are only the decisions.
    """

    decisions: int
    winners: int
    keys: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        return self.winners >= 0


class Playing:
    """A game under way: the address of its state; or a state of the reference, where that has to play it.

    Without an address it lies nowhere yet.
    """

    __slots__ = ("at", "free", "options", "shadow", "state")

    def __init__(
        self, free: list[int], at: int, options: int = 0, state: State | None = None
    ) -> None:
        self.free = free  # where an address goes back to
        self.at = at
        self.options = options
        self.state = state
        self.shadow: Shadow | None = None  # what was observed, if that is recorded

    def __del__(self) -> None:
        if self.at:
            self.free.append(self.at)
