"""Logic, numbers and comparisons.

Short names: `s` state, `f` slots of the frame, with those of bound names behind them.
"""

import operator
from collections.abc import Callable
from typing import Any

from interpreter.errors import RuleFault
from interpreter.expressions import (
    ExpressionContext,
    Meaning,
    Slots,
    builder,
    meanings_of,
    of_values,
    plain,
)
from interpreter.faults import checked
from interpreter.state import State
from interpreter.work import spend
from rulespec import codes
from rulespec.core.tree import Op

# ---- Logic and numbers ---------------------------------------------------------------------------


# [expr.logic]
@builder("and")
def _and(context: ExpressionContext, op: Op, size: int) -> Meaning:
    parts = meanings_of(context, op.operands, size)
    if len(parts) == 2:
        left, right = parts
        return lambda s, f: left(s, f) and right(s, f)
    return lambda s, f: all(part(s, f) for part in parts)


@builder("or")
def _or(context: ExpressionContext, op: Op, size: int) -> Meaning:
    parts = meanings_of(context, op.operands, size)
    if len(parts) == 2:
        left, right = parts
        return lambda s, f: left(s, f) or right(s, f)
    return lambda s, f: any(part(s, f) for part in parts)


@builder("if")
def _if(context: ExpressionContext, op: Op, size: int) -> Meaning:
    test, value, otherwise = meanings_of(context, op.operands, size)
    return lambda s, f: value(s, f) if test(s, f) else otherwise(s, f)


@of_values("add")
def _add(_s: State, op: Op, one: int, other: int) -> int:
    return checked(one + other, op)


@of_values("subtract")
def _subtract(_s: State, op: Op, one: int, other: int) -> int:
    return checked(one - other, op)


@of_values("times")
def _times(_s: State, op: Op, one: int, other: int) -> int:
    return checked(one * other, op)


def _positive(v: int, op: Op) -> int:
    if v < 1:
        raise RuleFault(codes.LEAVES_RANGE, f"{v} divides nothing", op.span)
    return v


# [expr.division]
@of_values("divide")
def _divide(_s: State, op: Op, one: int, other: int) -> int:
    return one // _positive(other, op)


@of_values("modulo")
def _modulo(_s: State, op: Op, one: int, other: int) -> int:
    return one % _positive(other, op)


@of_values("abs")
def _abs(_s: State, op: Op, v: int) -> int:
    return checked(abs(v), op)


plain("not", operator.not_)
plain("min_of_two", min)
plain("max_of_two", max)

# ---- Comparisons ---------------------------------------------------------------------------------

plain("equal", operator.eq)
plain("is_none", lambda v: v is None)
plain("empty", operator.not_)


@of_values("same_set")
def _same_set(s: State, _op: Op, one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    spend(s, len(one) + len(other))
    return set(one) == set(other)


# [expr.order]
def _ordered(name: str, compare: Callable[[Any, Any], bool]) -> None:
    """`<` and its like; members are compared by the order of their enum."""

    @builder(name)
    def build(context: ExpressionContext, op: Op, size: int) -> Meaning:
        left, right = meanings_of(context, op.operands, size)
        rank = context.layout.ranks.get(op.order)
        if rank is None:
            return lambda s, f: compare(left(s, f), right(s, f))
        return lambda s, f: compare(rank[left(s, f)], rank[right(s, f)])


_ordered("less", operator.lt)
_ordered("at_most", operator.le)
_ordered("greater", operator.gt)
_ordered("at_least", operator.ge)


@builder("in")
def _in(context: ExpressionContext, op: Op, size: int) -> Meaning:
    if op.operands[1].name == "numbers":
        return _between(context, op, size)
    left, right = meanings_of(context, op.operands, size)

    def among(s: State, f: Slots) -> bool:
        v, found = left(s, f), right(s, f)
        spend(s, len(found))
        return v in found

    return among


def _between(context: ExpressionContext, op: Op, size: int) -> Meaning:
    """`n in a..b`, without listing the numbers."""
    number, low, high = meanings_of(context, (op.operands[0], *op.operands[1].operands), size)

    def between(s: State, f: Slots) -> bool:
        v = number(s, f)
        return v is not None and low(s, f) <= v <= high(s, f)

    return between
