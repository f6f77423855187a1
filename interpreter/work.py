"""Counts the operations of an expression while it is evaluated, and stops it at a limit.

Implements docs/language/limits.md, "Work". An expression costs one for each operation. A call also costs the
operations of what it calls. Whatever goes through a set costs the operations in it for each element, and building
a set costs one for each element. No player is asked in the meantime, so there must be a limit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import fields

from interpreter.errors import LimitReached
from interpreter.flat import Instruction
from interpreter.state import State
from rulespec import codes
from rulespec.core.tree import Function, Op, Other, Target
from rulespec.limits import MOST_WORK
from rulespec.source import Span


class Exhausted(Exception):  # noqa: N818 - it never leaves the machine
    """There is nothing left to spend."""


def spend(s: State, operations: int) -> None:
    """Take from what is left, until there is none."""
    s.left -= operations
    if s.left < 0:
        raise Exhausted


# [fault.work]
def too_much(span: Span) -> LimitReached:
    message = f"{MOST_WORK:,} operations have been carried out without asking anybody"
    return LimitReached(codes.TOO_MANY_STEPS, message, span)


@contextmanager
def bounded(s: State, span: Span) -> Iterator[None]:
    """Evaluate an expression by itself: as much is left for it as between two questions."""
    s.left = MOST_WORK
    try:
        yield
    except Exhausted:
        raise too_much(span) from None


def weight(part: Any) -> int:
    """The operations in an expression, an instruction, or several; what is called does not count."""
    found = 0
    waiting: list[Any] = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Op):
            found += 1
            waiting.extend(each.operands)
        elif isinstance(each, tuple):
            waiting.extend(each)
    return found


def call_weight(fn: Function) -> int:
    """What it costs to call a `let`, or to look something up: the inputs, one for each row, and the largest cell."""
    return weight(fn.inputs) + len(fn.rows) + max([weight(row.cell) for row in fn.rows])


def step_weight(instruction: Instruction) -> int:
    """What an instruction costs by itself."""
    return 1 + weight(tuple(cost_parts(instruction)))


def cost_parts(instruction: Instruction) -> Iterator[Any]:
    """What an instruction consists of, of its target what it is indexed by."""
    for each in fields(type(instruction)):
        part = getattr(instruction, each.name)
        if isinstance(part, Other):
            yield from (part.target.indices, part.options)
        else:
            yield part.indices if isinstance(part, Target) else part
