"""Families of subsets, which are listed only where there is no other way.

Short names: `s` state, `f` slots of the frame, with those of bound names behind them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from interpreter import families
from interpreter.expressions import ExpressionContext, Meaning, Slots, builder, meaning, meanings_of
from interpreter.families import Subsets
from interpreter.family_blocks import Listed
from interpreter.faults import checked, too_many
from interpreter.layout import Layout
from interpreter.state import State
from interpreter.work import spend, weight
from rulespec.core.tree import Op
from rulespec.limits import MOST_LISTED


# [expr.subsets]
@builder("subsets")
def _subsets(context: ExpressionContext, op: Op, size: int) -> Meaning:
    parts = meanings_of(context, op.operands, size)
    values = parts[0]
    if len(parts) == 1:

        def subsets(s: State, f: Slots) -> families.Family:
            found = values(s, f)
            _pay_counting(s, found, range(len(found) + 1))
            return Subsets(found, 0, len(found))

        return subsets
    sizes = parts[1]

    def sized(s: State, f: Slots) -> families.Family:
        found, wanted = values(s, f), sizes(s, f)
        _pay_counting(s, found, wanted)
        return subsets_of(found, wanted, op)

    return sized


def _pay_counting(s: State, values: tuple[Any, ...], sizes: Iterable[int]) -> None:
    """To count the subsets of a size, and to find one of them, takes so much for each element."""
    most = len(values)
    spend(s, most * sum(1 + n for n in sizes if 0 <= n <= most))


def subsets_of(values: tuple[Any, ...], sizes: Iterable[int], op: Op) -> families.Family:
    """`subsets(S, sizes)`"""
    wanted = [n for n in sizes if n >= 0]
    if not wanted:
        return Listed(())
    low, high = min(wanted), max(wanted)
    if high - low + 1 == len(wanted):
        return Subsets(values, low, high)
    every = [list_members(Subsets(values, n, n), op) for n in wanted]
    return Listed(tuple(member for each in every for member in each))


# [expr.listing]
def list_members(family: Any, op: Op) -> tuple[tuple[Any, ...], ...]:
    """The members of a family one by one, up to the limit; a tuple, such as `[]`, is one already."""
    if isinstance(family, tuple):
        return family
    found = []
    for member in families.members(family):
        found.append(member)
        if len(found) > MOST_LISTED:
            raise too_many(op)
    return tuple(found)


def _paid(s: State, family: Any, op: Op) -> tuple[tuple[Any, ...], ...]:
    """The same, paid for."""
    found = list_members(family, op)
    spend(s, sum(1 + len(member) for member in found))
    return found


# [expr.alike]
@builder("alike")
def _alike(context: ExpressionContext, op: Op, size: int) -> Meaning:
    pieces = meaning(context, op.operands[0], size)
    values = values_of(context.layout, op.word)
    rank = attribute_rank(context.layout, op.word)

    def alike(s: State, f: Slots) -> families.Family:
        found = pieces(s, f)
        spend(s, sum(1 + len(values[c]) for c in found))
        groups = group_by_value(found, values, rank)
        return families.Alike(found, tuple(group for _, group in groups))

    return alike


def values_of(layout: Layout, name: str) -> list[tuple[Any, ...]]:
    return [
        value if isinstance(value, tuple) else () if value is None else (value,)
        for value in layout.attributes[name]
    ]


def attribute_rank(layout: Layout, name: str) -> dict[int, int] | None:
    for row in layout.code.attributes:
        if row.name == name and hasattr(row.type, "enum"):
            return layout.ranks[row.type.enum]
    return None


def group_by_value(
    pieces: tuple[int, ...], values: Sequence[tuple[Any, ...]], rank: dict[int, int] | None
) -> list[tuple[Any, tuple[int, ...]]]:
    """The pieces by value, in canonical order of the values."""
    groups: dict[Any, list[int]] = {}
    for c in pieces:
        for v in values[c]:
            groups.setdefault(v, []).append(c)
    key = None if rank is None else rank.__getitem__
    return [(v, tuple(groups[v])) for v in sorted(groups, key=key)]


# [expr.runs]
@builder("runs")
def _runs(context: ExpressionContext, op: Op, size: int) -> Meaning:
    pieces = meaning(context, op.operands[0], size)
    values = values_of(context.layout, op.word)

    def runs(s: State, f: Slots) -> families.Family:
        found = pieces(s, f)
        spend(s, sum(1 + len(values[c]) for c in found))
        return families.Runs(found, tuple(group_by_value(found, values, None)))

    return runs


@builder("count_family")
def _count_family(context: ExpressionContext, op: Op, size: int) -> Meaning:
    family = meaning(context, op.operands[0], size)
    return lambda s, f: checked(families.count(family(s, f)), op)


@builder("in_family")
def _in_family(context: ExpressionContext, op: Op, size: int) -> Meaning:
    value, family = meanings_of(context, op.operands, size)
    return lambda s, f: families.member_number(family(s, f), value(s, f)) is not None


@builder("listed")
def _listed_members(context: ExpressionContext, op: Op, size: int) -> Meaning:
    family = meaning(context, op.operands[0], size)
    return lambda s, f: _paid(s, family(s, f), op)


@builder("filter_family")
def _filter_family(context: ExpressionContext, op: Op, size: int) -> Meaning:
    family, test = meanings_of(context, op.operands, size)
    place, cost = op.place + size, weight(op.operands[1])

    def keep(s: State, f: Slots) -> families.Family:
        kept = []
        found = _paid(s, family(s, f), op)
        spend(s, len(found) * cost)
        for member in found:
            f[place] = member
            if test(s, f):
                kept.append(member)
        return Listed(tuple(kept))

    return keep


@builder("family_of")
def _family_of(context: ExpressionContext, op: Op, size: int) -> Meaning:
    parts = meanings_of(context, op.operands, size)
    return lambda s, f: distinct_members(part(s, f) for part in parts)


def distinct_members(members: Iterable[tuple[Any, ...]]) -> Listed:
    found: dict[frozenset[Any], tuple[Any, ...]] = {}
    for member in members:
        found.setdefault(frozenset(member), member)
    return Listed(tuple(found.values()))


@builder("build_family")
def _build_family(context: ExpressionContext, op: Op, size: int) -> Meaning:
    values, value = meanings_of(context, op.operands, size)
    place, cost = op.place + size, weight(op.operands[1])

    def made(s: State, f: Slots) -> Iterator[tuple[Any, ...]]:
        found = values(s, f)
        spend(s, len(found) * cost)
        for v in found:
            f[place] = v
            member = value(s, f)
            spend(s, len(member))
            yield member

    return lambda s, f: distinct_members(made(s, f))


@builder("union_of_families")
def _union_of_families(context: ExpressionContext, op: Op, size: int) -> Meaning:
    left, right = meanings_of(context, op.operands, size)
    return lambda s, f: distinct_members((*_paid(s, left(s, f), op), *_paid(s, right(s, f), op)))


@builder("difference_of_families")
def _difference_of_families(context: ExpressionContext, op: Op, size: int) -> Meaning:
    left, right = meanings_of(context, op.operands, size)

    return lambda s, f: members_without(_paid(s, left(s, f), op), _paid(s, right(s, f), op))


def members_without(left: Iterable[Any], right: Iterable[Any]) -> Listed:
    away = {frozenset(member) for member in right}
    return Listed(tuple(m for m in left if frozenset(m) not in away))


@builder("intersection_of_families")
def _intersection_of_families(context: ExpressionContext, op: Op, size: int) -> Meaning:
    left, right = meanings_of(context, op.operands, size)

    return lambda s, f: members_in_both(_paid(s, left(s, f), op), _paid(s, right(s, f), op))


def members_in_both(left: Iterable[Any], right: Iterable[Any]) -> Listed:
    both = {frozenset(member) for member in right}
    return Listed(tuple(m for m in left if frozenset(m) in both))
