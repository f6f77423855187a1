"""Calls of built-in functions: the types of the arguments -> the type of the result.

Implements docs/language/8-expressions.md, "Built-in names".
"""

from rulespec import codes
from rulespec.checking.builtins import FUNCTIONS
from rulespec.checking.domains import builtin_value
from rulespec.checking.operand_types import orderable
from rulespec.checking.scopes import Scope, report, require
from rulespec.checking.selections import type_of_attribute
from rulespec.checking.substitution import normalized
from rulespec.checking.wording import as_written, describe_expression, describe_type, written
from rulespec.core import types
from rulespec.core.types import BOOL, COUNT, INT, SEAT, UNKNOWN, Type, element, present
from rulespec.syntax import nodes

# What a row of the table takes and gives, as types.
PLAIN: dict[str, Type] = {
    "number": INT,
    "truth": BOOL,
    "seat": SEAT,
    "seats": types.Several(SEAT),
    "numbers": types.Several(INT),
}
ORDINALS = ("first", "second", "third")


def builtin_call(
    scope: Scope, name: str, arguments: tuple[nodes.Expr, ...], given: tuple[Type, ...]
) -> Type:
    """The type of what a built-in function returns; the second argument of `alike` and `runs` has no type."""
    function = FUNCTIONS[name][len(arguments)]
    if function.gives:
        for n, (argument, type_) in enumerate(zip(arguments, given, strict=True)):
            wanted = PLAIN[function.takes[n]]
            require(scope, argument, type_, wanted, f"what `{name}` takes {ORDINALS[n]}")
        return PLAIN[function.gives]
    first, found = arguments[0], given[0]
    if name in ("min", "max") and len(arguments) == 2:
        a = integer_range(scope, first, found, f"what `{name}` compares")
        b = integer_range(scope, arguments[1], given[1], f"what `{name}` compares")
        pick = min if name == "min" else max
        return types.Number(pick(a.low, b.low), pick(a.high, b.high))
    if name == "abs":
        a = integer_range(scope, first, found, "what `abs` takes")
        low = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
        return types.number(low, max(abs(a.low), abs(a.high)))
    if name == "knows":
        require(scope, first, found, SEAT, "what `knows` takes first")
        pieces = types.Several(types.Piece(scope.known.kinds))
        require(scope, arguments[1], given[1], pieces, "what somebody knows")
        return BOOL
    if name == "index":
        return _index_of(scope, first, found)
    if name == "position":
        return _position_of(scope, arguments, given)
    of = element_of(scope, first, found)
    if name in ("min", "max"):
        if not orderable(of):
            message = f"`{name}` compares numbers, but {describe_expression(first, found)}"
            report(scope, codes.WRONG_TYPE, message, first.span)
        return types.optional(of)
    if name in ("alike", "runs"):
        if len(arguments) == 3:
            wanted = types.Several(INT)
            require(scope, arguments[2], given[1], wanted, f"what `{name}` takes as sizes")
        return _by_attribute(scope, name, arguments, of)
    if len(arguments) == 2:
        sizes = given[1]
        wanted = types.Several(INT) if name == "subsets" else INT
        require(scope, arguments[1], sizes, wanted, f"how many `{name}` takes")
    if name == "top":
        there = scope.sizes and scope.sizes.get(normalized(first), 0) > 0
        top = of if there else types.optional(of)
        return top if len(arguments) == 1 else types.Several(of)
    return types.Family(of)


def _position_of(scope: Scope, arguments: tuple[nodes.Expr, ...], given: tuple[Type, ...]) -> Type:
    """The type of the position of a value in a set; `none` if the set does not contain it."""
    (first, among), (found, values) = arguments, given
    of = element_of(scope, among, values)
    inner = present(found)
    text = as_written(first)
    if isinstance(inner, types.Face):
        message = f"`position` takes one piece, but {describe_expression(first, found)}"
        hint = f"say which of them: `top({as_written(among)}[{text}])`"
        report(scope, codes.WRONG_TYPE, message, first.span, hint)
    elif isinstance(inner, types.Several | types.Place | types.Family):
        message = f"`position` takes one value, but {describe_expression(first, found)}"
        report(
            scope, codes.WRONG_TYPE, message, first.span, f"write `top({text})` for the first one"
        )
    elif not types.comparable(found, of):
        message = f"{describe_expression(first, found)}, which is never in {written(among)}, {describe_type(values)}"
        report(scope, codes.WRONG_TYPE, message, first.span)
    return types.optional(types.POSITION)


def _index_of(scope: Scope, expr: nodes.Expr, found: Type) -> Type:
    inner = present(found)
    if isinstance(inner, types.Choice):
        return types.Number(0, len(inner.domain) - 1)
    require(scope, expr, found, SEAT, "what `index` takes")
    players = builtin_value(scope.known, "players")
    return (
        types.calculate("-", types.Number(1, players.high), types.Number(1, 1))
        if isinstance(players, types.Number)
        else COUNT
    )


def _by_attribute(scope: Scope, name: str, arguments: tuple[nodes.Expr, ...], of: Type) -> Type:
    """`alike` and `runs`: only pieces that have the attribute belong to a group."""
    second = arguments[1]
    if not isinstance(of, types.Piece):
        if not isinstance(of, types.Unknown | types.Never):
            message = (
                f"`{name}` groups pieces, but {written(arguments[0])} holds {describe_type(of)}"
            )
            report(scope, codes.WRONG_TYPE, message, arguments[0].span)
        return types.Family(of)
    if not isinstance(second, nodes.Name):  # which was told where names are checked
        return types.Family(of)
    values = type_of_attribute(scope, nodes.Get(arguments[0], second, span=second.span), of)
    inner = element(values)
    if name == "runs" and not isinstance(inner, types.Number | types.Unknown):
        message = f"`runs` needs numbers, but `{second.text}` is {describe_type(values)}"
        hint = None
        if isinstance(inner, types.Choice):
            hint = (
                f"write `height = index({second.text})` in the row of `pieces`, and `height` here"
            )
        report(scope, codes.WRONG_TYPE, message, second.span, hint)
    attribute = scope.known.attributes.get(second.text)
    kinds = of.kinds & attribute.by_kind.keys() if attribute else of.kinds
    return types.Family(types.Piece(kinds or of.kinds))


def element_of(scope: Scope, values: nodes.Expr, found: Type) -> Type:
    """The type of the elements of an expression that must be a set."""
    of = element(found)
    if of is None or isinstance(found, type(BOOL) | types.Number | types.Direction | types.Face):
        message = f"{describe_expression(values, found)}, not a set"
        hint = None
        if isinstance(values, nodes.Name) and values.text == "players":
            hint = "write `Player` for all players"
        report(scope, codes.WRONG_TYPE, message, values.span, hint)
        return UNKNOWN
    return of


def integer_range(scope: Scope, expr: nodes.Expr, found: Type, where: str) -> types.Number:
    """The range of an expression that must be a number."""
    require(scope, expr, found, INT, where)
    inner = present(found)
    return inner if isinstance(inner, types.Number) else INT
