"""Games that a module plays, as data that its callers hold: `Playing` while they run, `Finished` when they are over."""

from typing import NamedTuple

from interpreter.state import State
from interpreter.wasm.observing import Shadow


class Finished(NamedTuple):
    """How a game ended: how many decisions were made, who has won, and the keys of the ranking, row by row.

    For a game that was cut off, there are only the decisions.
    """

    decisions: int
    winners: int
    keys: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        return self.winners >= 0


class Playing:
    """A running game: the address of its state; or a state of the reference, if the reference must play it.

    Without either, it has not begun.
    """

    __slots__ = ("at", "free", "options", "shadow", "state")

    def __init__(
        self, free: list[int], at: int, options: int = 0, state: State | None = None
    ) -> None:
        self.free = free  # the free list to which the address returns
        self.at = at
        self.options = options
        self.state = state
        self.shadow: Shadow | None = None  # the observations, if they are recorded

    def __del__(self) -> None:
        if self.at:
            self.free.append(self.at)
