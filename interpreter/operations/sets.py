"""Sets: made, filtered, counted and folded. Pieces keep the order in which they were put together.

Short names: `s` state, `f` slots of the frame, with those of bound names behind them.
"""

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.expressions import Context, Meaning, Slots, builder, meaning, parts_of
from interpreter.faults import checked, too_many
from interpreter.layout import Layout
from interpreter.state import State
from rulespec.limits import MOST_LISTED
from rulespec.lowering.code import Op

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
def _list(context: Context, op: Op, size: int) -> Meaning:
    items, order = op.args
    parts = parts_of(context, items, size)
    form = canonical(context.layout, order)
    return lambda s, f: form([v for part in parts for v in part(s, f)])


# [expr.union]
@builder("union")
def _union(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.args[:2], size)
    form = canonical(context.layout, op.args[2])
    return lambda s, f: form(left(s, f) + right(s, f))


@builder("difference")
def _difference(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.args[:2], size)

    def minus(s: State, f: Slots) -> tuple[Any, ...]:
        away = right(s, f)
        return tuple([v for v in left(s, f) if v not in away])

    return minus


@builder("intersection")
def _intersection(context: Context, op: Op, size: int) -> Meaning:
    left, right = parts_of(context, op.args[:2], size)

    def both(s: State, f: Slots) -> tuple[Any, ...]:
        common = right(s, f)
        return tuple([v for v in left(s, f) if v in common])

    return both


@builder("count")
def _count(context: Context, op: Op, size: int) -> Meaning:
    values = meaning(context, op.args[0], size)
    return lambda s, f: len(values(s, f))


# [expr.range]
@builder("numbers")
def _numbers(context: Context, op: Op, size: int) -> Meaning:
    low, high = parts_of(context, op.args, size)

    def span(s: State, f: Slots) -> tuple[int, ...]:
        first, last = low(s, f), high(s, f)
        if last - first >= MOST_LISTED:
            raise too_many(op)
        return tuple(range(first, last + 1))

    return span


@builder("members_between")
def _members_between(context: Context, op: Op, size: int) -> Meaning:
    low, high = parts_of(context, op.args[:2], size)
    members = context.layout.enums[op.args[2]]
    place = {member: n for n, member in enumerate(members)}
    return lambda s, f: members[place[low(s, f)] : place[high(s, f)] + 1]


# [expr.where]
@builder("filter")
def _filter(context: Context, op: Op, size: int) -> Meaning:
    over, bound, condition = op.args
    values, test = parts_of(context, (over, condition), size)
    place = bound + size

    def keep(s: State, f: Slots) -> tuple[Any, ...]:
        kept = []
        for v in values(s, f):
            f[place] = v
            if test(s, f):
                kept.append(v)
        return tuple(kept)

    return keep


# [expr.build]
@builder("build")
def _build(context: Context, op: Op, size: int) -> Meaning:
    over, bound, item, order = op.args
    values, value = parts_of(context, (over, item), size)
    place = bound + size
    form = canonical(context.layout, order)

    def build(s: State, f: Slots) -> tuple[Any, ...]:
        made: list[Any] = []
        for v in values(s, f):
            f[place] = v
            made.extend(value(s, f))
        return form(made)

    return build


# [expr.top]
@builder("top")
def _top(context: Context, op: Op, size: int) -> Meaning:
    values = meaning(context, op.args[0], size)

    def top(s: State, f: Slots) -> Any:
        found = values(s, f)
        return found[0] if found else None

    return top


@builder("top_several")
def _top_several(context: Context, op: Op, size: int) -> Meaning:
    values, number = parts_of(context, op.args, size)
    return lambda s, f: values(s, f)[: max(0, number(s, f))]


# ---- Folds ---------------------------------------------------------------------------------------


# [expr.fold]
def _over(context: Context, op: Op, size: int) -> tuple[Meaning, Meaning, int]:
    values, value = parts_of(context, (op.args[0], op.args[2]), size)
    return values, value, op.args[1] + size


@builder("any_of")
def _any_of(context: Context, op: Op, size: int) -> Meaning:
    values, value, place = _over(context, op, size)

    def some(s: State, f: Slots) -> bool:
        for v in values(s, f):
            f[place] = v
            if value(s, f):
                return True
        return False

    return some


@builder("all_of")
def _all_of(context: Context, op: Op, size: int) -> Meaning:
    values, value, place = _over(context, op, size)

    def every(s: State, f: Slots) -> bool:
        for v in values(s, f):
            f[place] = v
            if not value(s, f):
                return False
        return True

    return every


@builder("sum_of")
def _sum_of(context: Context, op: Op, size: int) -> Meaning:
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
    def build(context: Context, op: Op, size: int) -> Meaning:
        values, value, place = _over(context, op, size)
        rank = context.layout.ranks.get(op.args[3])

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
    def build(context: Context, op: Op, size: int) -> Meaning:
        values = meaning(context, op.args[0], size)
        rank = context.layout.ranks.get(op.args[1])
        key = None if rank is None else rank.__getitem__
        return lambda s, f: pick(values(s, f), key=key, default=None)


_of_set("min_of_set", min)
_of_set("max_of_set", max)
