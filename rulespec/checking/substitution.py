"""Expressions -> the same with names replaced, functions written out, and filters in one form.

Two texts that mean the same set are recognised if they become the same tree: `any(c.red for c in S)` and
`S where it.red`. Where a name could come to mean something else there is no result, which is always safe.
"""

from collections.abc import Container, Mapping
from typing import Any

import attrs
from attrs import define

from rulespec.checking.declarations import Declarations, called_name, child_fields, used_names, walk
from rulespec.syntax import nodes

IT = nodes.Name("it")
MOST_UNFOLDED = 100  # calls that are inlined to answer one question


@define
class Effort:
    """How many calls may still be inlined; functions may call each other many times."""

    left: int = MOST_UNFOLDED


def replace(expr: nodes.Expr, names: Mapping[str, nodes.Expr]) -> nodes.Expr | None:
    """An expression with names replaced; `None` if it would capture a name that is bound in it."""
    bound = bound_names(expr)
    if bound:
        used = {name.text for value in names.values() for name in used_names(value)}
        if not bound.isdisjoint(names.keys() | used):
            return None
    replaced: nodes.Expr = _replace(expr, names)
    return replaced


def replace_all(expr: nodes.Expr, names: Mapping[str, nodes.Expr]) -> nodes.Expr:
    """An expression with names replaced, whatever is bound in it."""
    replaced: nodes.Expr = _replace(expr, names)
    return replaced


def bound_names(expr: nodes.Expr) -> set[str]:
    """All names that are bound inside of an expression."""
    found: set[str] = set()
    for node in walk(expr):
        if isinstance(node, nodes.Fold | nodes.Build):
            found.add(node.name.text)
        elif isinstance(node, nodes.Where):
            found.add(IT.text)
    return found


def _replace(node: Any, names: Mapping[str, nodes.Expr]) -> Any:
    match node:
        case nodes.Name(text):
            return names.get(text, node)
        case tuple():
            return tuple(_replace(each, names) for each in node)
        case nodes.Face() | nodes.Described():
            return node  # its words are members, kinds and attributes
        case nodes.Get(subject):
            return attrs.evolve(node, subject=_replace(subject, names))
        case nodes.Having(subject, _, value):
            kept = _replace(subject, names)
            return attrs.evolve(node, subject=kept, value=_replace(value, names))
        case nodes.Call(nodes.Name("alike" | "runs"), (values, attribute, *sizes)):
            kept = (_replace(values, names), attribute, *_replace(tuple(sizes), names))
            return attrs.evolve(node, arguments=kept)
        case nodes.Call(_, arguments):
            return attrs.evolve(node, arguments=_replace(arguments, names))
        case nodes.Fold() | nodes.Build():
            value, values = _replace(node.value, names), _replace(node.values, names)
            return attrs.evolve(node, value=value, values=values)
    parts = child_fields(type(node))
    if not parts:
        return node
    return attrs.evolve(node, **{part: _replace(getattr(node, part), names) for part in parts})


def inline_call(
    effort: Effort, program: Declarations, hidden: Container[str], expr: nodes.Expr
) -> nodes.Expr | None:
    """The body of the `let` that an expression calls, with its parameters replaced.

    `None` if the body uses a name in `hidden`, which means something else where the function is called.
    """
    text = called_name(expr) or ""
    arguments = expr.arguments if isinstance(expr, nodes.Call) else ()
    routine = program.routines.get(text)
    node = routine.versions[-1].node if routine is not None else None
    if not isinstance(node, nodes.Let) or len(node.params) != len(arguments) or effort.left <= 0:
        return None
    params = {param.name.text for param in node.params}
    free = {name.text for name in used_names(node.value)} - params
    if (
        text in hidden
        or "super" in free
        or any(name in hidden for name in free - bound_names(node.value))
    ):
        return None
    effort.left -= 1
    if not arguments:
        return node.value
    given = zip(node.params, arguments, strict=True)
    return replace(node.value, {param.name.text: value for param, value in given})


# ---- Filters -------------------------------------------------------------------------------------


def filtered(values: nodes.Expr, name: str, test: nodes.Expr) -> nodes.Expr | None:
    """`values where test`, in which the element is called `it` and not by a name of its own."""
    if name != IT.text:
        if any(each.text == IT.text for each in used_names(test)):
            return None
        test_of_it = replace(test, {name: IT})
        if test_of_it is None:
            return None
        test = test_of_it
    return normalized(nodes.Where(values, test))


def of_element(values: nodes.Expr, name: str) -> nodes.Expr:
    """Values whose filter calls the element by its name, with the filter in terms of `it` if possible."""
    if isinstance(values, nodes.Where):
        inner = of_element(values.values, name)
        found = filtered(inner, name, values.condition) or nodes.Where(inner, values.condition)
        return attrs.evolve(found, span=values.span)
    return values


def tests_of(values: nodes.Expr, name: str) -> list[nodes.Expr]:
    """The conditions that an element with this name satisfies: the filters that it has passed."""
    found: list[nodes.Expr] = []
    while isinstance(values, nodes.Where):
        test = replace(values.condition, {IT.text: nodes.Name(name)})
        found += [test] if test is not None else []
        values = values.values
    return found


def normalized(expr: nodes.Expr) -> nodes.Expr:
    """The expression with nested filters joined, and with `S` for `[x for x in S]`."""
    if isinstance(expr, nodes.Where) and isinstance(expr.values, nodes.Where):
        inner, second = expr.values, expr.condition
        both = (*_operands(inner.condition), *_operands(second))
        return normalized(
            nodes.Where(inner.values, nodes.And(both, span=second.span), span=expr.span)
        )
    if isinstance(expr, nodes.Build) and expr.value == expr.name:
        return normalized(of_element(expr.values, expr.name.text))
    return expr


def _operands(test: nodes.Expr) -> tuple[nodes.Expr, ...]:
    return test.operands if isinstance(test, nodes.And) else (test,)
