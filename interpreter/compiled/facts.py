"""What is known about slots while lines are written one after the other.

A slot is told by the way it is written. It may surely hold a value, and a local variable of Python may hold the
same: then that is read, and not the frame.
"""

from collections.abc import Iterable
from typing import TypeAlias

from attrs import define, field

Known: TypeAlias = tuple[frozenset[str], dict[str, str]]


@define
class Facts:
    """Slots that hold a value, and those that are at hand under another name."""

    sure: set[str] = field(factory=set)
    names: dict[str, str] = field(factory=dict)

    def learn(self, slot: str, *, sure: bool, name: str | None = None) -> None:
        """A slot was given a value: all that was known about it before is forgotten."""
        self.forget((slot,))
        if sure:
            self.sure.add(slot)
        if name is not None:
            self.names[slot] = name

    def forget(self, slots: Iterable[str]) -> None:
        for slot in slots:
            self.sure.discard(slot)
            self.names.pop(slot, None)

    def clear(self) -> None:
        self.sure.clear()
        self.names.clear()

    def known(self) -> Known:
        """All that is known now, for `meet` and `restore`."""
        return frozenset(self.sure), dict(self.names)

    def meet(self, before: Known) -> None:
        """Two ways have come together: only what was known before, and still is, is known."""
        sure, names = before
        self.sure &= sure
        self.names = {slot: n for slot, n in names.items() if self.names.get(slot) == n}

    def restore(self, before: Known) -> None:
        """Go back to where it was left."""
        self.sure, self.names = set(before[0]), dict(before[1])
