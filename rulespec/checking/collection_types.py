"""Counts, ranges, lists, folds and alternatives: the types of their parts -> the type of the whole.

Implements docs/language/8-expressions.md as far as the types of the parts decide; `expressions` finds those.
"""

from collections.abc import Iterable

from rulespec import codes
from rulespec.checking.builtin_calls import integer_range
from rulespec.checking.operand_types import countable, orderable
from rulespec.checking.scopes import Scope, report, require
from rulespec.checking.substitution import normalized
from rulespec.checking.wording import describe_expression, describe_type, written
from rulespec.core import types
from rulespec.core.types import BOOL, INT, NONE, UNKNOWN, Type, join, optional, present
from rulespec.diagnostics import Related
from rulespec.syntax import nodes


def negative_type(of: Type) -> Type:
    inner = _interval(of)
    return types.number(-inner.high, -inner.low)


def _interval(type_: Type) -> types.Number:
    inner = present(type_)
    return inner if isinstance(inner, types.Number) else INT


def count_type(scope: Scope, operand: nodes.Expr, found: Type) -> Type:
    number = _count_any(scope, operand, found)
    shown = scope.sizes.get(normalized(operand), 0) if scope.sizes else 0
    return types.Number(max(shown, number.low), max(shown, number.high)) if shown else number


def _count_any(scope: Scope, operand: nodes.Expr, found: Type) -> types.Number:
    if not countable(found):
        message = (
            f"`#` counts a set or the pieces of a zone, but {describe_expression(operand, found)}"
        )
        report(scope, codes.WRONG_TYPE, message, operand.span)
    match found:
        case types.Several(types.Never()):
            return types.Number(0, 0)
        case types.Several(types.Choice(_, domain, _)) if is_whole_enum(scope, operand):
            return types.Number(len(domain), len(domain))
        case types.Several(types.Choice(_, _, members)):
            return types.Number(0, len(members))
        case types.Several(types.Number(low, high)):
            return types.number(0, max(0, high - low + 1))
        case types.Piece() | types.Choice():
            return types.Number(1, 1)
        case types.Maybe():
            return types.Number(0, 1)
        case _:
            return types.COUNT


def is_whole_enum(scope: Scope, operand: nodes.Expr) -> bool:
    """Whether an expression is the name of an enum: all of its members."""
    return (
        isinstance(operand, nodes.Name)
        and operand.text in scope.known.enums
        and operand.text not in scope.names
    )


def range_type(scope: Scope, expr: nodes.Range, first: Type, last: Type) -> Type:
    if isinstance(present(first), types.Choice):
        require(scope, expr.high, last, _whole(first), "the end of the range")
        joined = join(present(first), present(last), scope.known.enums)
        if isinstance(joined, types.Choice):
            return types.Several(types.Choice(joined.enum, joined.domain, frozenset(joined.domain)))
        return UNKNOWN
    a, b = _interval(first), _interval(last)
    require(scope, expr.low, first, INT, "the start of a range")
    require(scope, expr.high, last, INT, "the end of a range")
    return types.Several(types.Number(a.low, b.high)) if a.low <= b.high else types.EMPTY


def _whole(type_: Type) -> Type:
    """All members of the enum of which these are some."""
    inner = present(type_)
    if isinstance(inner, types.Choice):
        return types.Choice(inner.enum, inner.domain, frozenset(inner.domain))
    return inner


def conditional_type(scope: Scope, expr: nodes.Conditional, one: Type, other: Type) -> Type:
    joined = join(one, other, scope.known.enums)
    if joined is None:
        message = (
            f"{describe_expression(expr.value, one)} and {describe_expression(expr.otherwise, other)}:"
            " both sides of `else` need the same type"
        )
        report(scope, codes.WRONG_TYPE, message, expr.span)
        return UNKNOWN
    return joined


def fold_type(scope: Scope, expr: nodes.Fold, of: Type, found: Type) -> Type:
    """What a fold gives: of the elements the type, and of the value that each of them has."""
    name = expr.function.text
    if name in ("any", "all"):
        return BOOL
    if name == "sum":
        value = integer_range(scope, expr.value, found, "what `sum` adds up")
        low = 0 if value.low >= 0 else types.LEAST
        return types.Number(low, 0 if value.high <= 0 else types.MOST)
    if not orderable(found):
        message = f"`{name}` compares numbers, or members of one enum, but {describe_expression(expr.value, found)}"
        report(scope, codes.WRONG_TYPE, message, expr.value.span)
        return UNKNOWN
    return optional(present(found) if name in ("min", "max") else of)


def list_type(scope: Scope, items: tuple[nodes.Expr, ...], given: Iterable[Type]) -> Type:
    joined: Type = types.Never()
    for item, found in zip(items, given, strict=True):
        if found == NONE and isinstance(item, nodes.Name) and items[1:] and not scope.in_example:
            message = f"a set never holds `none`, but {written(item)} can only be `none` here"
            report(scope, codes.ALWAYS_NONE, message, item.span)
            return UNKNOWN
        both = join(joined, present(found), scope.known.enums)
        if both is None:
            first = Related(f"this is {describe_type(joined)}", items[0].span)
            message = f"a set holds values of one type, but {describe_expression(item, found)}"
            report(scope, codes.WRONG_TYPE, message, item.span, None, (first,))
            return UNKNOWN
        joined = both
    return set_of(joined)


def set_of(of: Type) -> Type:
    """A set of such values; `none` is never in one."""
    match present(of):
        case types.Unknown():
            return types.Several(UNKNOWN)
        case types.Several(inner):
            return types.Family(inner)
        case types.Place(kinds):
            return types.Family(types.Piece(kinds))
        case types.Family() | types.Indexed() | types.Outputs():
            return UNKNOWN
        case inner:
            return types.Several(inner)
