"""What a rule keeps in its frame while it waits: plain data, which says what each part of a frame means.

Whoever turns states of this engine into states of the reference reads it. Statements are named by their numbers in
the body of their block, so that it can be kept on disk.
"""

from collections.abc import Iterator
from typing import Any, assert_never

from attrs import field, frozen

from rulespec.core import tree
from rulespec.core.tree import Body, Simple, Statement
from rulespec.core.types import Type


@frozen
class Point:
    """A place where a rule waits: the statement, and what is under way there.

    `kind` is `ask`, `call`, or `fire`; `loops` are the statements around it that keep how far they are.
    """

    statement: int
    kind: str
    loops: tuple[int, ...]


@frozen
class Cell:
    """A number in a frame: where it is, and whether it takes 64 bits."""

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
    """The first word of a frame tells at which point the rule is; of loops, moves and calls, what they keep, by name."""

    size: int = 8
    points: tuple[Point, ...] = ()
    slots: dict[int, FrameSlot] = field(factory=dict)
    loops: dict[int, dict[str, Any]] = field(factory=dict)


@frozen
class QuestionPoint:
    """A statement that asks somebody: its block, its number there, the form of one option, and if all sets of some sizes may be chosen."""

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
