"""Expressions and instructions -> their cost in operations, and a budget that stops an evaluation at its limit.

Implements docs/language/limits.md, "Work". An expression costs one for each operation. A call also costs the
operations of the function. A fold or filter costs the operations in it for each element, and building a set costs one
for each element. An evaluation asks no player, so it could run on forever without a limit.
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
    """The budget is used up."""


def spend(s: State, operations: int) -> None:
    """Take operations from the budget; raise `Exhausted` if it is used up."""
    s.left -= operations
    if s.left < 0:
        raise Exhausted


# [fault.work]
def too_much(span: Span) -> LimitReached:
    message = f"{MOST_WORK:,} operations have been carried out without asking anybody"
    return LimitReached(codes.TOO_MANY_STEPS, message, span)


@contextmanager
def bounded(s: State, span: Span) -> Iterator[None]:
    """Evaluate an expression with a full budget of its own, as between two questions."""
    s.left = MOST_WORK
    try:
        yield
    except Exhausted:
        raise too_much(span) from None


def weight(part: Any) -> int:
    """The number of operations in an expression, an instruction, or several, without those of called functions."""
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
    """The cost of calling a `let` or a table: the inputs, one for each row, and the largest cell."""
    return weight(fn.inputs) + len(fn.rows) + max([weight(row.cell) for row in fn.rows])


def step_weight(instruction: Instruction) -> int:
    """The cost of an instruction itself."""
    return 1 + weight(tuple(cost_parts(instruction)))


def cost_parts(instruction: Instruction) -> Iterator[Any]:
    """The parts of an instruction that cost work; of its target, the indices."""
    for each in fields(type(instruction)):
        part = getattr(instruction, each.name)
        if isinstance(part, Other):
            yield from (part.target.indices, part.options)
        else:
            yield part.indices if isinstance(part, Target) else part
