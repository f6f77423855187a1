"""The function of a rule and its frame while the compiler writes them; at the end, `settled` gives the frame as data."""

from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import define, field, frozen

from interpreter.flat import Block
from interpreter.wasm.encoding import I64
from interpreter.wasm.expressions import Local
from interpreter.wasm.frames import Cell, Frame, FrameSlot, Point
from interpreter.wasm.statements import Fn
from rulespec.core.types import Type

# The results of a rule that does not simply end.
ENDED, WAITING = 1, 2
Part: TypeAlias = Callable[[], None]


@define
class Kept:
    """Where a slot is kept while a rule waits: a local or a part of the frame."""

    form: str
    type: Type | None
    local: Local | None = None
    offset: int = -1


@frozen
class RuleFunction:
    """The function of a block, and how to call it; for an action table, `pick` finds the row first."""

    block: Block
    fn: Fn
    pick: Fn | None
    waits: bool
    leaves: bool
    forms: tuple[str, ...]  # forms of the arguments
    given: tuple[Local, ...]


@define
class FrameDraft:
    """The frame of a rule being written: slots and loops refer to locals, which get their offsets at the end."""

    size: int = 8
    points: list[Point] = field(factory=list)
    slots: dict[int, Kept] = field(factory=dict)
    loops: dict[int, dict[str, Any]] = field(factory=dict)
    spilled: dict[Local, Cell] = field(factory=dict)

    def room(self, size: int) -> int:
        at = self.size
        self.size = at + -(-size // 8) * 8
        return at

    def spill(self) -> None:
        """Give every stored local an offset in the frame."""
        found = [kept.local for kept in self.slots.values() if kept.local is not None]
        for loop in self.loops.values():
            for part in loop.values():
                found += [
                    each
                    for each in (part if isinstance(part, list) else [part])
                    if isinstance(each, Local)
                ]
        for local in dict.fromkeys(found):
            self.spilled[local] = Cell(self.room(8), local.type == I64)

    def settled(self) -> Frame:
        """The frame as data."""
        slots = {
            n: FrameSlot(
                kept.form,
                kept.type,
                kept.offset if kept.local is None else self._cell(kept.local).offset,
            )
            for n, kept in self.slots.items()
        }
        loops = {
            n: {name: self._settled(part) for name, part in loop.items()}
            for n, loop in self.loops.items()
        }
        return Frame(self.size, tuple(self.points), slots, loops)

    def _settled(self, part: Any) -> Any:
        if isinstance(part, list):
            return tuple(map(self._settled, part))
        return self._cell(part) if isinstance(part, Local) else part

    def _cell(self, local: Local) -> Cell:
        return self.spilled.get(
            local, Cell(0, wide=False)
        )  # a rule that never waits stores nothing
