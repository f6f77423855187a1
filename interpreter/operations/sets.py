"""Sets: made, filtered, counted and folded. Pieces keep the order in which they were put together.

Short names: `s` state, `f` slots of the frame, with those of bound names behind them.
"""

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.expressions import (
    ExpressionContext,
    Meaning,
    Slots,
    builder,
    meaning,
    meanings_of,
    of_values,
    plain,
)
from interpreter.faults import checked, too_many
from interpreter.layout import Layout
from interpreter.state import State
from interpreter.work import spend, weight
from rulespec.core.tree import Op
from rulespec.limits import MOST_LISTED

# ---- Sets ----------------------------------------------------------------------------------------


# [expr.set]
def canonical(layout: Layout, order: str) -> Callable[[Iterable[Any]], tuple[Any, ...]]:
    """How values become a set: without duplicates, in canonical order or as they come."""
    if order == "formed":
        return lambda values: tuple(dict.fromkeys(values))
    rank = layout.ranks.get(order)
    if rank is None:
        return lambda values: tuple(sorted(set(values)))
    return lambda values: tuple(sorted(set(values), key=rank.__getitem__))


@builder("list")
def _list(context: ExpressionContext, op: Op, size: int) -> Meaning:
    parts = meanings_of(context, op.operands, size)
    form = canonical(context.layout, op.order)

    def make(s: State, f: Slots) -> tuple[Any, ...]:
        found = [v for part in parts for v in part(s, f)]
        spend(s, len(found))
        return form(found)

    return make


# [expr.union]
@builder("union")
def _union(context: ExpressionContext, op: Op, size: int) -> Meaning:
    left, right = meanings_of(context, op.operands, size)
    form = canonical(context.layout, op.order)

    def join(s: State, f: Slots) -> tuple[Any, ...]:
        found = left(s, f) + right(s, f)
        spend(s, len(found))
        return form(found)

    return join


def _sieve(name: str, *, among: bool) -> None:
    """The elements of the one set that are among those of the other, or that are not."""

    @builder(name)
    def build(context: ExpressionContext, op: Op, size: int) -> Meaning:
        left, right = meanings_of(context, op.operands, size)

        def sift(s: State, f: Slots) -> tuple[Any, ...]:
            others = frozenset(right(s, f))
            found = left(s, f)
            spend(s, len(found) + len(others))
            return tuple([v for v in found if (v in others) is among])

        return sift


_sieve("difference", among=False)
_sieve("intersection", among=True)
plain("count", len)


# [expr.range]
@of_values("numbers")
def _numbers(s: State, op: Op, first: int, last: int) -> tuple[int, ...]:
    if last - first >= MOST_LISTED:
        raise too_many(op)
    spend(s, max(0, last - first))
    return tuple(range(first, last + 1))


@builder("members_between")
def _members_between(context: ExpressionContext, op: Op, size: int) -> Meaning:
    low, high = meanings_of(context, op.operands, size)
    members = context.layout.enums[op.order]
    place = {member: n for n, member in enumerate(members)}
    return lambda s, f: members[place[low(s, f)] : place[high(s, f)] + 1]


# [expr.where]
@builder("filter")
def _filter(context: ExpressionContext, op: Op, size: int) -> Meaning:
    values, test = meanings_of(context, op.operands, size)
    place, cost = op.place + size, weight(op.operands[1])

    def keep(s: State, f: Slots) -> tuple[Any, ...]:
        kept = []
        found = values(s, f)
        spend(s, len(found) * cost)
        for v in found:
            f[place] = v
            if test(s, f):
                kept.append(v)
        return tuple(kept)

    return keep


# [expr.build]
@builder("build")
def _build(context: ExpressionContext, op: Op, size: int) -> Meaning:
    values, value = meanings_of(context, op.operands, size)
    place, cost = op.place + size, weight(op.operands[1])
    form = canonical(context.layout, op.order)

    def build(s: State, f: Slots) -> tuple[Any, ...]:
        made: list[Any] = []
        found = values(s, f)
        spend(s, len(found) * cost)
        for v in found:
            f[place] = v
            made.extend(value(s, f))
        spend(s, len(made))
        return form(made)

    return build


# [expr.top]
@of_values("top")
def _top(_s: State, _op: Op, found: tuple[Any, ...]) -> Any:
    return found[0] if found else None


# [expr.position]
@of_values("position")
def _position(s: State, _op: Op, v: Any, found: tuple[Any, ...]) -> Any:
    spend(s, len(found))
    return found.index(v) + 1 if v in found else None


@of_values("top_several")
def _top_several(s: State, _op: Op, values: tuple[Any, ...], number: int) -> tuple[Any, ...]:
    found = values[: max(0, number)]
    spend(s, len(found))
    return found


# ---- Folds ---------------------------------------------------------------------------------------


# [expr.fold]
def _over(context: ExpressionContext, op: Op, size: int) -> tuple[Meaning, Meaning, int]:
    """The elements, which are paid for when they are known; what is asked of each; and its place."""
    values, value = meanings_of(context, op.operands, size)
    cost = weight(op.operands[1])

    def elements(s: State, f: Slots) -> Any:
        found = values(s, f)
        spend(s, len(found) * cost)
        return found

    return elements, value, op.place + size


@builder("any_of")
def _any_of(context: ExpressionContext, op: Op, size: int) -> Meaning:
    values, value, place = _over(context, op, size)

    def some(s: State, f: Slots) -> bool:
        for v in values(s, f):
            f[place] = v
            if value(s, f):
                return True
        return False

    return some


@builder("all_of")
def _all_of(context: ExpressionContext, op: Op, size: int) -> Meaning:
    values, value, place = _over(context, op, size)

    def every(s: State, f: Slots) -> bool:
        for v in values(s, f):
            f[place] = v
            if not value(s, f):
                return False
        return True

    return every


@builder("sum_of")
def _sum_of(context: ExpressionContext, op: Op, size: int) -> Meaning:
    values, value, place = _over(context, op, size)

    def total(s: State, f: Slots) -> int:
        found = 0
        for v in values(s, f):
            f[place] = v
            found = checked(found + value(s, f), op)
        return found

    return total


# [expr.best]
def _extreme(name: str, *, highest: bool, element: bool) -> None:
    """`min`, `max`, `best`, `least`: of equal ones the first; what is none is skipped."""

    @builder(name)
    def build(context: ExpressionContext, op: Op, size: int) -> Meaning:
        values, value, place = _over(context, op, size)
        rank = context.layout.ranks.get(op.order)

        def find(s: State, f: Slots) -> Any:
            found, height = None, None
            for v in values(s, f):
                f[place] = v
                key = value(s, f)
                if key is None:
                    continue
                at = rank[key] if rank is not None else key
                if height is None or (at > height if highest else at < height):
                    found, height = v if element else key, at
            return found

        return find


_extreme("min_of", highest=False, element=False)
_extreme("max_of", highest=True, element=False)
_extreme("best_of", highest=True, element=True)
_extreme("least_of", highest=False, element=True)


def _of_set(name: str, pick: Callable[..., Any]) -> None:
    @builder(name)
    def build(context: ExpressionContext, op: Op, size: int) -> Meaning:
        values = meaning(context, op.operands[0], size)
        rank = context.layout.ranks.get(op.order)
        key = None if rank is None else rank.__getitem__

        def extreme(s: State, f: Slots) -> Any:
            found = values(s, f)
            spend(s, len(found))
            return pick(found, key=key, default=None)

        return extreme


_of_set("min_of_set", min)
_of_set("max_of_set", max)
