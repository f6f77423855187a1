"""The layout of a rule's frame while the rule waits: plain data that says what each part means.

`rule_writer` produces it; `state_conversion` reads it to convert states to and from those of the reference. Statements
go by their numbers in the body of their block, so that it can be stored on disk.
"""

from collections.abc import Iterator
from typing import Any, assert_never

from attrs import field, frozen

from rulespec.core import tree
from rulespec.core.tree import Body, Simple, Statement
from rulespec.core.types import Type


@frozen
class Point:
    """A place where a rule waits: the statement, and the reason for waiting.

    `kind` is `ask`, `call`, or `fire`; `loops` are the enclosing statements that store their progress.
    """

    statement: int
    kind: str
    loops: tuple[int, ...]


@frozen
class Cell:
    """A number in a frame: its offset, and whether it has 64 bits."""

    offset: int
    wide: bool


@frozen
class FrameSlot:
    """A slot of a block: the form and type of its value, and where it is kept."""

    form: str
    type: Type | None
    offset: int


@frozen
class Frame:
    """The parts of a frame. Its first word is the current point; loops, moves and calls store values by name."""

    size: int = 8
    points: tuple[Point, ...] = ()
    slots: dict[int, FrameSlot] = field(factory=dict)
    loops: dict[int, dict[str, Any]] = field(factory=dict)


@frozen
class QuestionPoint:
    """A statement that asks: its block, its number there, the form of an option, and whether all sets of some sizes are options."""

    block: str
    statement: int
    form: str
    is_sized: bool = False


def number_statements(body: Body) -> Iterator[Statement]:
    """All statements of a body in the order of their numbers."""
    for each in body:
        yield each
        match each:
            case tree.If(_, then, otherwise):
                yield from number_statements(then)
                yield from number_statements(otherwise or ())
            case tree.For(body=inner) | tree.Repeat(body=inner):
                yield from number_statements(inner)
            case tree.Stop():
                pass
            case _ if isinstance(each, Simple):
                pass
            case _:
                assert_never(each)
