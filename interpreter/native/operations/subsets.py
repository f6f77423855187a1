"""Families of subsets: a list with the least and the greatest size, or pieces grouped by a value.

They are never listed: members are counted and numbered, by arithmetic or by walking through them.
"""

from typing import Any

from attrs import evolve

from interpreter.compiled.writing import Unsupported
from interpreter.native.operations.pieces import masks_of
from interpreter.native.scribe import Scribe, as_list, into_form, named, writer
from interpreter.native.writing import Scope, Text
from interpreter.operations.subsets import attribute_rank
from rulespec.core.tree import Op

NO_SIZE = ("0", "-1")


@writer("subsets")
def _subsets(w: Scribe, op: Op, scope: Scope) -> Text:
    values = as_list(w.text(op.args[0], scope.strictly()), scope)
    found = evolve(values, form="subsets", value=None, home=None)
    if len(op.args) == 1:
        return evolve(found, sizes=("0", f"{values.code}.n"))
    sizes = op.args[1]
    is_known, value = w.known(sizes)
    if is_known:
        if not value:
            return evolve(found, sizes=NO_SIZE)
        if tuple(value) != tuple(range(value[0], value[0] + len(value))):
            raise Unsupported("subsets of sizes that are not next to each other")
        return evolve(found, sizes=(str(value[0]), str(value[-1])))
    if sizes.name == "numbers":
        low, high = (w.simple(each, scope).code for each in sizes.args)
        return evolve(found, sizes=(low, high))
    size = named(w.text(sizes, scope), scope)
    if size.form == "single":
        return evolve(found, sizes=(size.code, size.code))
    if size.form == "perhaps":
        return evolve(found, sizes=(size.code, f"({size.code} == NONE ? -1 : {size.code})"))
    raise Unsupported("subsets of sizes that are not next to each other")


def _grouped(w: Scribe, op: Op, scope: Scope, kind: str, rank: dict[Any, int] | None) -> Text:
    """Pieces by the values of an attribute, in the order of the values."""
    pieces = w.list(op.args[0], scope.strictly())
    masks = masks_of(w, op.args[1])
    values = sorted(masks, key=None if rank is None else rank.__getitem__)
    name = op.args[1].upper()
    numbers = w.numbers(f"{name}_VALUES", values)
    having = w.masks(f"{name}_MASKS", [masks[each] for each in values])
    code = f"grouped(s, &{pieces.code}, {kind}, {len(values)}, {numbers}, {having})"
    return Text(scope.out.declare("family", "f", code), "family")


@writer("alike")
def _alike(w: Scribe, op: Op, scope: Scope) -> Text:
    return _grouped(w, op, scope, "ALIKE", attribute_rank(w.layout, op.args[1]))


@writer("runs")
def _runs(w: Scribe, op: Op, scope: Scope) -> Text:
    return _grouped(w, op, scope, "RUNS", None)


@writer("count_family")
def _count_family(w: Scribe, op: Op, scope: Scope) -> Text:
    family = w.text(op.args[0], scope)
    if family.form == "subsets":
        low, high = family.sizes
        return Text(f"checked(s, count_subsets(s, {family.code}.n, {low}, {high}))")
    family = into_form(w, family, "family", scope)
    return Text(f"checked(s, count_members(s, &{family.code}))")
