"""Logic, numbers and comparisons.

Short names: `s` state, `f` slots of the frame, with those of bound names behind them.
"""

from collections.abc import Callable
from typing import Any

from interpreter.errors import RuleFault
from interpreter.expressions import Context, Meaning, Slots, builder, meaning, parts_of
from interpreter.faults import checked
from interpreter.state import State
from interpreter.work import spend
from rulespec import codes
from rulespec.core.tree import Op
from rulespec.core.types import LEAST, MOST

# ---- Logic and numbers ---------------------------------------------------------------------------


# [expr.logic]
@builder("and")
def _and(context: Context, op: Op, size: int) -> Meaning:
    parts = parts_of(context, op.operands, size)
    if len(parts) == 2:
        left, right = parts
        return lambda s, f: left(s, f) and right(s, f)
    return lambda s, f: all(part(s, f) for part in parts)


@builder("or")
def _or(context: Context, op: Op, size: int) -> Meaning:
    parts = parts_of(context, op.operands, size)
    if len(parts) == 2:
        left, right = parts
        return lambda s, f: left(s, f) or right(s, f)
    return lambda s, f: any(part(s, f) for part in parts)


@builder("not")
def _not(context: Context, op: Op, size: int) -> Meaning:
    value = meaning(context, op.operands[0], size)
    return lambda s, f: not value(s, f)


@builder("if")
def _if(context: Context, op: Op, size: int) -> Meaning:
    test, value, otherwise = parts_of(context, op.operands, size)
    return lambda s, f: value(s, f) if test(s, f) else otherwise(s, f)


@builder("add")
def _add(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.operands, size)

    def add(s: State, f: Slots) -> int:
        v: int = left(s, f) + right(s, f)
        return v if LEAST <= v <= MOST else checked(v, op)

    return add


@builder("subtract")
def _subtract(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.operands, size)

    def subtract(s: State, f: Slots) -> int:
        v: int = left(s, f) - right(s, f)
        return v if LEAST <= v <= MOST else checked(v, op)

    return subtract


@builder("times")
def _times(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.operands, size)
    return lambda s, f: checked(left(s, f) * right(s, f), op)


def _positive(v: int, op: Op) -> int:
    if v < 1:
        raise RuleFault(codes.LEAVES_RANGE, f"{v} divides nothing", op.span)
    return v


# [expr.division]
@builder("divide")
def _divide(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.operands, size)
    return lambda s, f: left(s, f) // _positive(right(s, f), op)


@builder("modulo")
def _modulo(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.operands, size)
    return lambda s, f: left(s, f) % _positive(right(s, f), op)


@builder("abs")
def _abs(context: Context, op: Op, size: int) -> Meaning:
    value = meaning(context, op.operands[0], size)
    return lambda s, f: checked(abs(value(s, f)), op)


@builder("min_of_two")
def _min_of_two(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.operands, size)
    return lambda s, f: min(left(s, f), right(s, f))


@builder("max_of_two")
def _max_of_two(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.operands, size)
    return lambda s, f: max(left(s, f), right(s, f))


# ---- Comparisons ---------------------------------------------------------------------------------


@builder("equal")
def _equal(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.operands, size)
    return lambda s, f: left(s, f) == right(s, f)


@builder("is_none")
def _is_none(context: Context, op: Op, size: int) -> Meaning:
    value = meaning(context, op.operands[0], size)
    return lambda s, f: value(s, f) is None


@builder("empty")
def _empty(context: Context, op: Op, size: int) -> Meaning:
    values = meaning(context, op.operands[0], size)
    return lambda s, f: not values(s, f)


@builder("same_set")
def _same_set(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.operands, size)

    def same(s: State, f: Slots) -> bool:
        one, other = left(s, f), right(s, f)
        spend(s, len(one) + len(other))
        return set(one) == set(other)

    return same


# [expr.order]
def _ordered(name: str, compare: Callable[[Any, Any], bool]) -> None:
    """`<` and its like; members are compared by the order of their enum."""

    @builder(name)
    def build(context: Context, op: Op, size: int) -> Meaning:
        left, right = parts_of(context, op.operands, size)
        rank = context.layout.ranks.get(op.order)
        if rank is None:
            return lambda s, f: compare(left(s, f), right(s, f))
        return lambda s, f: compare(rank[left(s, f)], rank[right(s, f)])


_ordered("less", lambda a, b: a < b)
_ordered("at_most", lambda a, b: a <= b)
_ordered("greater", lambda a, b: a > b)
_ordered("at_least", lambda a, b: a >= b)


@builder("in")
def _in(context: Context, op: Op, size: int) -> Meaning:
    if op.operands[1].name == "numbers":
        return _between(context, op, size)
    left, right = parts_of(context, op.operands, size)

    def among(s: State, f: Slots) -> bool:
        v, found = left(s, f), right(s, f)
        spend(s, len(found))
        return v in found

    return among


def _between(context: Context, op: Op, size: int) -> Meaning:
    """`n in a..b`, without listing the numbers."""
    number, low, high = parts_of(context, (op.operands[0], *op.operands[1].operands), size)

    def between(s: State, f: Slots) -> bool:
        v = number(s, f)
        return v is not None and low(s, f) <= v <= high(s, f)

    return between
