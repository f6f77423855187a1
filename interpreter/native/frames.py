"""What a rule keeps in the state while somebody is asked: a frame for each rule that can wait.

Rules do not call themselves, so there is never more than one of a kind at work: its variables have one place
in the state. To wait is to jump out of all rules; to go on is to call them again, and each goes on where it was.
"""

from typing import Any

from attrs import define, field

from interpreter.native.writing import INDENT
from rulespec.core.tree import Choose, Each

# What a member of a frame keeps of a slot.
VALUE = "value"  # a number or a list
MEMBERS = "members"  # of a local family, one after the other
REST = "rest"  # of a loop, what it has still to run through: a mask, or a list
PLACE = "place"  # of such a list, how many were taken; of a list that never changes, too
LEFT = "left"  # how often a loop is still repeated
ASKED, ANSWERED, ANSWERS = "asked", "answered", "answers"  # all who choose at once


@define
class Member:
    """A member of a frame: its type in C, and what of which slot it keeps."""

    name: str
    type: str
    slot: int
    keeps: str
    size: int | None = None
    value: Any = None  # of a local family all places, of a loop over what never changes all values

    @property
    def form(self) -> str:
        return self.type if self.type in ("mask", "list") else "number"


@define
class Frame:
    """The frame of a rule."""

    name: str  # of its place in the state
    type: str
    members: list[Member] = field(factory=list)

    def declare(self) -> list[str]:
        """Its type in C; `at` is where to go on, and 0 at the beginning."""
        lines = ["typedef struct {", f"{INDENT}num at;"]
        for each in self.members:
            size = "" if each.size is None else f"[{each.size}]"
            lines.append(f"{INDENT}{each.type} {each.name}{size};")
        return [*lines, f"}} {self.type};", ""]


@define
class Question:
    """Where somebody may be asked."""

    block: str
    at: int
    instruction: Choose | Each
    form: str  # of the options


def declare_frames(frames: list[Frame]) -> list[str]:
    """All of them together."""
    lines = [line for each in frames for line in each.declare()]
    lines += ["typedef struct {", f"{INDENT}char none;"]
    lines += [f"{INDENT}{each.type} {each.name};" for each in frames]
    return [*lines, "} frames;", ""]
