"""Families of subsets: kept as the reference keeps them, for arithmetic numbers them there, too."""

from typing import Any

from interpreter.compiled.operations.sets import bound
from interpreter.compiled.scribe import Scope, Scribe, as_plain, writer
from interpreter.compiled.writing import Text
from interpreter.operations.subsets import attribute_rank, values_of
from rulespec.core.tree import Op


@writer("subsets")
def _subsets(w: Scribe, op: Op, scope: Scope) -> Text:
    values = w.plain(op.args[0], scope)
    if len(op.args) == 1:
        if not Text(values).is_cheap:
            return Text(f"all_subsets({values})")
        return Text(f"{values}, 0, len({values})", "subsets")
    sizes = op.args[1]
    if sizes.name == "single":
        only = as_plain(w.text(sizes.args[0], scope))
        if only.low is not None and only.low >= 0:
            return Text(f"{values}, {only.code}", "subsets")
    if sizes.name == "numbers":
        low, high = (as_plain(w.text(each, scope)) for each in sizes.args)
        if low.code == high.code:
            return Text(f"{values}, {low.code}", "subsets")
        return Text(f"{values}, {low.code}, {high.code}", "subsets")
    return Text(f"subsets_of({values}, {w.plain(sizes, scope)}, {w.op(op)})")


def _tables(w: Scribe, name: str, *, ranks: bool) -> tuple[str, str]:
    values = tuple(values_of(w.layout, name))
    rank: Any = attribute_rank(w.layout, name) if ranks else None
    return (
        w.pool.keep("VALUES", values),
        "None" if rank is None else w.pool.keep("RANK", rank),
    )


@writer("alike")
def _alike(w: Scribe, op: Op, scope: Scope) -> Text:
    values, rank = _tables(w, op.args[1], ranks=True)
    return Text(f"alike({w.plain(op.args[0], scope)}, {values}, {rank})")


@writer("runs")
def _runs(w: Scribe, op: Op, scope: Scope) -> Text:
    values, _ = _tables(w, op.args[1], ranks=False)
    return Text(f"runs({w.plain(op.args[0], scope)}, {values})")


@writer("count_family")
def _count_family(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"checked(count_family({w.plain(op.args[0], scope)}), {w.op(op)})")


@writer("in_family")
def _in_family(w: Scribe, op: Op, scope: Scope) -> Text:
    value, family = (w.plain(each, scope) for each in op.args)
    return Text(f"(rank_in({family}, {value}) is not None)")


@writer("listed")
def _listed(w: Scribe, op: Op, scope: Scope) -> Text:
    return Text(f"listed({w.plain(op.args[0], scope)}, {w.op(op)})")


@writer("filter_family")
def _filter_family(w: Scribe, op: Op, scope: Scope) -> Text:
    over, number, condition = op.args
    name = scope.fresh()
    family = w.plain(over, scope)
    test = w.plain(condition, scope.bind(number, Text(name)))
    return Text(f"Listed(tuple([{name} for {name} in listed({family}, {w.op(op)}) if {test}]))")


@writer("family_of")
def _family_of(w: Scribe, op: Op, scope: Scope) -> Text:
    parts = ", ".join(w.plain(each, scope) for each in op.args)
    return Text(f"distinct([{parts}])")


@writer("build_family")
def _build_family(w: Scribe, op: Op, scope: Scope) -> Text:
    over, number, item = op.args
    values, name, inner = bound(w, over, scope, number, ordered=True)
    return Text(f"distinct([{w.plain(item, inner)} for {name} in {values}])")


def _pair(name: str, form: str) -> None:
    @writer(name)
    def write(w: Scribe, op: Op, scope: Scope) -> Text:
        left, right = (f"listed({w.plain(each, scope)}, {w.op(op)})" for each in op.args)
        return Text(form.format(left, right))


_pair("union_of_families", "distinct(({} + {}))")
_pair("difference_of_families", "without({}, {})")
_pair("intersection_of_families", "common({}, {})")
