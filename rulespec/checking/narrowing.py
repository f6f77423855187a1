"""A condition -> what it shows of the types of what is read: neither `none` any more, nor every number.

Implements docs/language/12-checks.md. `expressions` finds the types, and hands over how; `size_facts` knows what a
condition shows of the sizes of sets.
"""

from collections.abc import Callable
from typing import TypeAlias, assert_never

from attrs import evolve

from rulespec.checking.number_ranges import MIRRORED, OPPOSITE, limit
from rulespec.checking.scopes import Scope, silent
from rulespec.core import types
from rulespec.core.types import NONE, Type
from rulespec.syntax import nodes

TypeOf: TypeAlias = Callable[[Scope, nodes.Expr], Type]
WRITTEN_NONE = nodes.Constant("none")


def narrow(type_of: TypeOf, scope: Scope, expr: nodes.Expr, *, holds: bool) -> Scope:
    """The scope in which a condition holds, or does not: tests for `none` narrow, and comparisons of numbers."""
    match expr:
        case nodes.Not(operand):
            return narrow(type_of, scope, operand, holds=not holds)
        case nodes.And(operands) | nodes.Or(operands):
            if holds == isinstance(expr, nodes.And):
                for operand in operands:
                    scope = narrow(type_of, scope, operand, holds=holds)
            return scope
        case nodes.Compare(left, relation, right) if relation.sign in ("==", "!="):
            if right == WRITTEN_NONE:
                return _narrow(type_of, scope, left, to_none=holds == (relation.sign == "=="))
            if left == WRITTEN_NONE:
                return _narrow(type_of, scope, right, to_none=holds == (relation.sign == "=="))
            return _limit(type_of, scope, left, relation.sign, right, holds=holds)
        case nodes.Compare(left, relation, right) if relation.sign in OPPOSITE:
            return _limit(type_of, scope, left, relation.sign, right, holds=holds)
        case (
            nodes.Name()
            | nodes.Conditional()
            | nodes.Compare()
            | nodes.Calculation()
            | nodes.Collection()
            | nodes.Selection()
            | nodes.Invocation()
            | nodes.Written()
        ):
            return scope
        case _:
            assert_never(expr)


def _narrow(type_of: TypeOf, scope: Scope, expr: nodes.Expr, *, to_none: bool) -> Scope:
    found = type_of(silent(scope), expr)
    if not isinstance(found, types.Maybe):
        return scope
    return _learn(scope, expr, found, NONE if to_none else found.of)


def _limit(  # noqa: PLR0913 - a comparison, and whether it holds
    type_of: TypeOf, scope: Scope, left: nodes.Expr, sign: str, right: nodes.Expr, *, holds: bool
) -> Scope:
    """Both sides of a comparison of numbers are narrowed by each other."""
    one, other = type_of(silent(scope), left), type_of(silent(scope), right)
    if not isinstance(one, types.Number) or not isinstance(other, types.Number):
        return scope
    sign = sign if holds else OPPOSITE[sign]
    scope = _learn(scope, left, one, limit(one, sign, other))
    return _learn(scope, right, other, limit(other, MIRRORED[sign], one))


def _learn(scope: Scope, expr: nodes.Expr, found: Type, narrowed: Type) -> Scope:
    """The scope in which an expression that is read has this type."""
    if narrowed == found:
        return scope
    if isinstance(expr, nodes.Name) and expr.text in scope.names:
        return evolve(scope, names={**scope.names, expr.text: narrowed})
    if isinstance(expr, nodes.Name | nodes.At | nodes.Get):
        return evolve(scope, facts={**scope.facts, expr: narrowed})
    return scope
