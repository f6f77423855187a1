"""Families of subsets: a list with the least and the greatest size, of which members are counted and numbered."""

from interpreter.native.scribe import Scribe, as_list, writer
from interpreter.native.writing import Scope, Text, Unsupported
from rulespec.lowering.code import Op


@writer("subsets")
def _subsets(w: Scribe, op: Op, scope: Scope) -> Text:
    values = as_list(w.text(op.args[0], scope.strictly()), scope)
    if len(op.args) == 1:
        return Text(values.code, "subsets", sizes=("0", f"{values.code}.n"))
    sizes = op.args[1]
    is_known, value = w.known(sizes)
    if is_known:
        if not value:
            return Text(values.code, "subsets", sizes=("0", "-1"))
        if tuple(value) != tuple(range(value[0], value[0] + len(value))):
            raise Unsupported("subsets of sizes that are not next to each other")
        return Text(values.code, "subsets", sizes=(str(value[0]), str(value[-1])))
    if sizes.name == "single":
        only = w.simple(sizes.args[0], scope).code
        return Text(values.code, "subsets", sizes=(only, only))
    if sizes.name == "numbers":
        low, high = (w.simple(each, scope).code for each in sizes.args)
        return Text(values.code, "subsets", sizes=(low, high))
    raise Unsupported("subsets of sizes that are not next to each other")


@writer("count_family")
def _count_family(w: Scribe, op: Op, scope: Scope) -> Text:
    family = w.text(op.args[0], scope)
    if family.form != "subsets":
        raise Unsupported(f"how many {family.form}")
    low, high = family.sizes
    return Text(f"checked(s, count_subsets(s, {family.code}.n, {low}, {high}))")
