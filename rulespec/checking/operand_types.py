"""Comparisons, sums and products: the types of their operands -> the type of the result.

Implements docs/language/8-expressions.md as far as an operation does not look into its operands.
"""

from rulespec import codes
from rulespec.checking.scopes import Scope, report
from rulespec.checking.wording import as_written, describe_expression, describe_type, written
from rulespec.core.types import (
    BOOL,
    EMPTY,
    INT,
    NONE,
    UNKNOWN,
    Bool,
    Choice,
    Direction,
    Face,
    Family,
    Indexed,
    Maybe,
    Never,
    Number,
    Outputs,
    Piece,
    Place,
    Seat,
    Several,
    Type,
    Unknown,
    calculate,
    comparable,
    element,
    join,
    present,
)
from rulespec.diagnostics import Diagnostic
from rulespec.syntax import nodes

# ---- Comparisons ---------------------------------------------------------------------------------


def compare_operands(scope: Scope, node: nodes.Compare, left: Type, right: Type) -> Type:
    """`==`, `<`, `in` and their like: tells if these are never compared."""
    sign = node.relation.sign
    if sign in ("==", "!="):
        # `none` is also the empty set.
        if NONE in (left, right) or comparable(left, right):
            return BOOL
        _tell_incomparable(scope, node, left, right)
    elif sign in ("in", "not in"):
        _compare_in(scope, node, left, right)
    else:
        _compare_order(scope, node, left, right)
    return BOOL


def _compare_in(scope: Scope, node: nodes.Compare, left: Type, right: Type) -> None:
    of = element(right)
    if isinstance(node.right, nodes.List) and _is_written_in(node.right):
        _tell_none_in(scope, node, node.right)
    elif of is None or isinstance(right, Number | Bool):
        message = f"{describe_expression(node.right, right)}, not a set"
        report(scope, codes.WRONG_TYPE, message, node.right.span)
    elif not comparable(left, of):
        message = f"{describe_expression(node.left, left)}, which is never in {written(node.right)}, {describe_type(right)}"
        several = isinstance(left, Several | Place) and comparable(left, right)
        empty = "> 0" if node.relation.sign == "in" else "== 0"
        hint = (
            f"write `#({as_written(node.left)} & {as_written(node.right)}) {empty}`"
            if several
            else None
        )
        report(scope, codes.WRONG_TYPE, message, node.span, hint)


def _is_written_in(expr: nodes.List) -> bool:
    """Whether `none` stands in a list, and was not brought there by a slot."""
    return any(
        item == nodes.Constant("none") and expr.span.start <= item.span.start < expr.span.end
        for item in expr.items
    )


def _tell_none_in(scope: Scope, node: nodes.Compare, listed: nodes.List) -> None:
    """`x in [a, none]`, where `none` is never found."""
    one, others = (
        as_written(node.left),
        [as_written(x) for x in listed.items if x != nodes.Constant("none")],
    )
    same, joint = ("==", "or") if node.relation.sign == "in" else ("!=", "and")
    instead = f"{one} {same} none"
    if others:
        instead += f" {joint} {one} {node.relation.sign} [{', '.join(others)}]"
    message = f"no set holds `none`, so {written(node.left)} is never found there"
    report(scope, codes.ALWAYS_NONE, message, listed.span, f"write `{instead}`")


def _compare_order(scope: Scope, node: nodes.Compare, left: Type, right: Type) -> None:
    for expr, type_ in ((node.left, left), (node.right, right)):
        if not isinstance(present(type_), Number | Choice | Unknown | Never):
            message = (
                f"`{node.relation.sign}` compares numbers, or members of one enum,"
                f" but {describe_expression(expr, type_)}"
            )
            many = isinstance(type_, Several | Place)
            hint = f"count them: `#{as_written(expr)}`" if many else None
            report(scope, codes.WRONG_TYPE, message, expr.span, hint)
            return
    if not comparable(left, right):
        _tell_incomparable(scope, node, left, right)


def _tell_incomparable(scope: Scope, node: nodes.Compare, left: Type, right: Type) -> None:
    message = f"{describe_expression(node.left, left)} and {describe_expression(node.right, right)}: these cannot be compared"
    quoted = "this" not in (written(node.left), written(node.right))
    hint = _comparison(scope, node, left, right) if quoted else None
    report(scope, codes.WRONG_TYPE, message, node.span, hint)


def _comparison(scope: Scope, node: nodes.Compare, left: Type, right: Type) -> str | None:
    """What was meant instead, if one side is a set or a piece and the other is not."""
    pairs = ((node.left, left, node.right, right), (node.right, right, node.left, left))
    for several, type_, one, other in pairs:
        if isinstance(present(type_), Piece) and isinstance(present(other), Choice | Number):
            return _of_the_piece(scope, node, several, present(type_), present(other))
        inner = element(type_)
        whole = isinstance(type_, Several | Place) and isinstance(inner, Piece)
        as_list = scope.in_example and whole and node.relation.sign in ("==", "!=")
        if as_list and isinstance(other, Choice | Face):
            return f"write `{as_written(several)} {node.relation.sign} [{as_written(one)}]`"
        if isinstance(type_, Several | Place) and inner is not None:
            if comparable(inner, other) and not isinstance(other, Several | Place | Family):
                no = "not " if node.relation.sign == "!=" else ""
                return f"write `{as_written(one)} {no}in {as_written(several)}`"
            if isinstance(present(other), Number):
                return f"count them: `#{as_written(several)}`"
    return None


def _of_the_piece(
    scope: Scope, node: nodes.Compare, piece: nodes.Expr, type_: Type, wanted: Type
) -> str | None:
    """The attribute of a piece that can be compared with such a value, if there is only one."""
    kinds = type_.kinds if isinstance(type_, Piece) else frozenset[str]()
    names = [
        name
        for name, attribute in scope.known.attributes.items()
        if any(
            kind in kinds and type(present(each)) is type(wanted) and comparable(each, wanted)
            for kind, each in attribute.by_kind.items()
        )
    ]
    if len(names) != 1:
        return None
    parts = [as_written(node.left), as_written(node.right)]
    parts[piece is node.right] += f".{names[0]}"
    return f"write `{f' {node.relation.sign} '.join(parts)}`"


# ---- Sums and products ---------------------------------------------------------------------------


def add_operands(scope: Scope, node: nodes.Sum, left: Type, right: Type) -> Type:
    """`+`, `-` and `&`, of numbers or of sets."""
    a, b = present(left), present(right)
    if isinstance(a, Number) and isinstance(b, Number) and node.operator != "&":
        return calculate(node.operator, a, b)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return UNKNOWN
    if isinstance(a, Number) and isinstance(b, Never):
        return _add_nothing(scope, node.right, right)
    if isinstance(b, Number) and isinstance(a, Never):
        return _add_nothing(scope, node.left, left)
    scalar = Number | Bool | Direction | Indexed | Outputs | Face
    if isinstance(a, scalar) or isinstance(b, scalar):
        _tell_mixed(scope, node, left, right)
        return UNKNOWN
    if isinstance(a, Family) or isinstance(b, Family):
        return join(a, b, scope.known.enums) or UNKNOWN
    return _combine(scope, node, left, right)


def _add_nothing(scope: Scope, expr: nodes.Expr, type_: Type) -> Type:
    """A number beside what is always `none`, or is never there at all."""
    if type_ == NONE:
        message = f"this needs a number, but {written(expr)} can only be `none` here"
        report(scope, codes.ALWAYS_NONE, message, expr.span)
    return INT


def _doubt_order(scope: Scope, node: nodes.Sum) -> None:
    """`others(p) + [p]` looks as if p came last, but a union of players is in the order of the seats."""
    sides = (node.left, node.right)
    calls = [each for each in sides if isinstance(each, nodes.Call)]
    lists = [each for each in sides if isinstance(each, nodes.List)]
    if scope.faults is None or node.operator != "+" or len(calls) != 1 or len(lists) != 1:
        return
    call, own = calls[0], lists[0]
    if call.function.text != "others" or own.items != call.arguments:
        return
    player = as_written(own.items[0])
    last = call is node.left
    begins = f"next({player})" if last else player
    message = f"{written(node)} is in the order of the seats, not in the order of play"
    hint = f"write `order({begins})`, which {'ends' if last else 'begins'} with `{player}`"
    found = Diagnostic(codes.LOST_ORDER, message, node.span, (), hint, "warning")
    scope.faults.append(found)


def _combine(scope: Scope, node: nodes.Sum, left: Type, right: Type) -> Type:
    """Two sets together."""
    a, b = element(left), element(right)
    _doubt_order(scope, node)
    if a is None or b is None:
        return UNKNOWN
    if isinstance(a, Face) or (isinstance(b, Face) and node.operator == "+"):
        faces = node.left if isinstance(a, Face) else node.right
        message = f"{written(faces)} says how pieces look, but `{node.operator}` needs the pieces"
        hint = f"select them, as in `box[{as_written(faces).strip('[]')}]`"
        report(
            scope, codes.WRONG_TYPE, message, faces.span, hint if written(faces) != "this" else None
        )
        return UNKNOWN
    if node.operator == "&" and isinstance(a, Piece) and isinstance(b, Face):
        return Several(Piece(a.kinds & b.kinds or a.kinds))
    if node.operator == "-":
        # What cannot be in a set can be taken away from it: nothing happens.
        if not comparable(a, b) and not isinstance(a, Piece):
            _tell_mixed(scope, node, left, right)
        return Several(a)
    joined = join(a, b, scope.known.enums)
    if joined is None:
        _tell_mixed(scope, node, left, right)
        return UNKNOWN
    if node.operator == "&" and isinstance(a, Piece) and isinstance(b, Piece):
        common = a.kinds & b.kinds
        return Several(Piece(common)) if common else EMPTY
    return Several(joined)


def _tell_mixed(scope: Scope, node: nodes.Sum, left: Type, right: Type) -> None:
    needs = "two sets" if node.operator == "&" else "two numbers or two sets of the same"
    message = f"{describe_expression(node.left, left)} and {describe_expression(node.right, right)}: `{node.operator}` needs {needs}"
    sets = [
        e for e, t in ((node.left, left), (node.right, right)) if isinstance(t, Several | Place)
    ]
    beside = isinstance(present(left), Number) or isinstance(present(right), Number)
    hint = f"count it: `#{as_written(sets[0])}`" if len(sets) == 1 and beside else None
    report(scope, codes.WRONG_TYPE, message, node.span, hint)


def multiply_operands(scope: Scope, node: nodes.Product, left: Type, right: Type) -> Type:
    """`*`, `/` and `%`, of numbers."""
    a, b = present(left), present(right)
    for expr, type_ in ((node.left, left), (node.right, right)):
        if not isinstance(present(type_), Number | Unknown | Never):
            message = f"{describe_expression(expr, type_)}, but `{node.operator}` needs a number"
            report(scope, codes.WRONG_TYPE, message, expr.span)
            return INT
    if node.operator != "*" and isinstance(b, Number) and b.low < 1:
        message = f"{describe_expression(node.right, b)}, but a divisor must be positive"
        hint = f"write `max(1, {as_written(node.right)})`"
        report(scope, codes.BAD_DIVISOR, message, node.right.span, hint)
    if isinstance(a, Number) and isinstance(b, Number):
        return calculate(node.operator, a, b)
    return INT


def orderable(type_: Type) -> bool:
    """Whether values can be compared by `<`, `best` and `least`."""
    return isinstance(present(type_), Number | Choice | Unknown | Never)


def countable(type_: Type) -> bool:
    """Whether `#` makes sense."""
    inner = present(type_)
    return isinstance(type_, Maybe) or isinstance(
        inner, Several | Place | Family | Piece | Unknown | Choice | Seat | Never
    )
