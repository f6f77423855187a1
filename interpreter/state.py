"""The state of a game: a plain value.

Implements docs/language/13-semantics.md, "State". Zones are tuples of pieces, top first; variables are
plain values; a frame of the stack is a list: the number of its block, the place in it, then its slots.
Whatever is in a list is immutable, so a clone copies a few lists and nothing below them.
"""

from typing import Any, Literal

from rulespec.limits import MOST_WORK

SETUP, PLAY, FINISH, OVER = range(4)
UNDRAWN = -1  # the first seat, until the caller decides it for chance
PHASES = ("setup", "play", "finish", "over")
Phase = Literal[0, 1, 2, 3]
Frame = list[Any]

# The positions of the parts of a frame; its slots follow.
BLOCK, AT, SLOTS = 0, 1, 2


# [state.parts]
class State:
    """A game between two steps.

    `pending` is the decision that the game waits for, and follows from the rest; `watch` holds the
    observations so far, which are history; `left` is a limit. Comparisons of states ignore all three.
    """

    __slots__ = (
        "first",
        "left",
        "pending",
        "phase",
        "rng",
        "stack",
        "variables",
        "watch",
        "where",
        "zones",
    )

    phase: int
    first: int
    zones: list[tuple[int, ...]]
    where: list[int]  # the zone of every piece; follows from `zones`
    variables: list[Any]
    stack: list[Frame]
    rng: int | None  # None if the caller decides chance
    pending: Any
    watch: Any
    left: int  # operations that may run before the next question

    def __init__(self) -> None:
        self.left = MOST_WORK

    def clone(self) -> "State":
        """An independent copy: changes of one do not affect the other."""
        new = State.__new__(State)
        new.phase = self.phase
        new.first = self.first
        new.zones = self.zones[:]
        new.where = self.where[:]
        new.variables = self.variables[:]
        new.stack = [frame[:] for frame in self.stack]
        new.rng = self.rng
        new.pending = self.pending
        new.left = self.left
        new.watch = None if self.watch is None else self.watch.clone()
        return new

    # [state.equality]
    def value(self) -> tuple[Any, ...]:
        """Everything that comparisons include, as one immutable value."""
        return (
            self.phase,
            self.first,
            tuple(self.zones),
            tuple(self.variables),
            tuple(map(tuple, self.stack)),
            self.rng,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.value() == other.value()

    def __hash__(self) -> int:
        return hash(self.value())
