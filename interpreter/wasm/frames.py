"""What a rule keeps in its frame while it waits: plain data, which says what each part of a frame means.

Whoever turns states of this engine into states of the reference reads it. Statements are named by their numbers in
the body of their block, so that it can be kept on disk.
"""

from collections.abc import Iterator
from typing import Any

from attrs import field, frozen

from rulespec.core import tree
from rulespec.core.tree import Body, Statement
from rulespec.core.types import Type


@frozen
class Point:
    """A place where a rule waits: the statement, and what is under way there.

    `how` is `ask`, `call`, or `fire`; `loops` are the statements around it that keep how far they are.
    """

    statement: int
    how: str
    loops: tuple[int, ...]


@frozen
class Cell:
    """A number in a frame: where it is, and whether it takes 64 bits."""

    offset: int
    wide: bool


@frozen
class Slot:
    """A slot of a block: the form and type of its value, and where it is kept."""

    form: str
    type: Type | None
    offset: int


@frozen
class Frame:
    """The first word of a frame tells at which point the rule is; of loops, moves and calls, what they keep, by name."""

    size: int = 8
    points: tuple[Point, ...] = ()
    slots: dict[int, Slot] = field(factory=dict)
    loops: dict[int, dict[str, Any]] = field(factory=dict)


@frozen
class Question:
    """A statement that asks somebody: its block, its number there, and the form of one option."""

    block: str
    statement: int
    form: str


def number_statements(body: Body) -> Iterator[Statement]:
    """All statements of a body in the order of their numbers."""
    for each in body:
        yield each
        if isinstance(each, tree.If):
            yield from number_statements(each.body)
            yield from number_statements(each.otherwise or ())
        elif isinstance(each, tree.For | tree.Repeat):
            yield from number_statements(each.body)
