"""Operands as operations of the core -> the operation on them, with every conversion explicit.

`expressions` elaborates the operands and calls this module to combine them.
"""

from rulespec.checking.faces import described_type, written_value
from rulespec.checking.operand_types import add_operands, multiply_operands
from rulespec.core import types
from rulespec.core.operations import Value
from rulespec.core.tree import Op
from rulespec.core.types import BOOL, INT, NONE, SEAT, Type, element, order_of, present
from rulespec.elaboration.conversions import as_look, as_set, convert, element_type
from rulespec.elaboration.environment import Environment, Unchecked
from rulespec.source import Span
from rulespec.syntax import nodes


def literal(value: Value, type_: Type) -> Op:
    return Op("literal", value=value, type=type_)


def negation(op: Op) -> Op:
    return Op("not", (op,), type=BOOL)


def top_operation(op: Op) -> Op:
    return Op("top", (op,), type=types.Maybe(element_type(op.type)))


def take_argument(env: Environment, op: Op, argument: nodes.Expr, sort: str) -> Op:
    """An argument, converted for a built-in function."""
    match sort:
        case "set":
            return as_set(op)
        case "number":
            return convert(env, op, INT, argument.span)
        case "seat":
            return convert(env, op, SEAT, argument.span)
        case "value":
            return convert(env, op, present(op.type), argument.span)
        case "any":
            return op
    raise Unchecked(f"an argument as {sort}")


def face_operation(
    env: Environment, words: tuple[nodes.Name | nodes.Number, ...], type_: Type
) -> Op:
    """The operation for a face: all pieces with its kind, members and numbers."""
    parts: list[tuple[str, str | int]] = []
    for word in words:
        if isinstance(word, nodes.Number):
            parts.append(("number", word.value))
        elif word.text in env.scope.known.kinds:
            parts.append(("kind", word.text))
        else:
            parts.append(("member", env.members[word.text]))
    return Op("look", face=tuple(parts), type=type_)


def described_face(env: Environment, face: nodes.Described) -> Op:
    """The operation for a face that names its attributes."""
    values = tuple(
        (f"={each.name.text}", _written_number(env, written_value(each.value)))
        for each in face.attributes
    )
    return Op(
        "look", face=(("kind", face.kind.text), *values), type=described_type(env.scope, face)
    )


def _written_number(env: Environment, value: str | int) -> int:
    """A literal number, or the number of a member or of a player in an example."""
    if not isinstance(value, str):
        return value
    seat = env.places[value].value if value in env.scope.seats else None
    return seat if isinstance(seat, int) else env.members[value]


def equality(env: Environment, left: Op, right: Op) -> Op:
    a, b = left.type, right.type
    if NONE in (a, b):
        value = right if a == NONE else left
        if isinstance(value.type, types.Several | types.Place):
            return Op("empty", (as_set(value),), type=BOOL)
        return Op("is_none", (value,), type=BOOL)
    if isinstance(a, types.Several | types.Place) and isinstance(b, types.Several | types.Place):
        if isinstance(element(a), types.Face):
            return _pair(right, left)
        if isinstance(element(b), types.Face):
            return _pair(left, right)
        return Op("same_set", (as_set(left), as_set(right)), type=BOOL)
    if isinstance(present(a), types.Face):
        return Op("looks", (right, as_look(env, left)), type=BOOL)
    if isinstance(present(b), types.Face):
        return Op("looks", (left, as_look(env, right)), type=BOOL)
    return Op("equal", (left, right), type=BOOL)


def _pair(pieces: Op, looks: Op) -> Op:
    """Whether a set of pieces and a list of faces can be paired one to one."""
    if looks.name != "any_look":
        raise Unchecked("faces that are not a list")
    return Op("pair_up", (as_set(pieces), *looks.operands), type=BOOL)


def membership(env: Environment, left: Op, right: Op) -> Op:
    if isinstance(right.type, types.Family):
        return Op("in_family", (as_set(left), right), type=BOOL)
    if isinstance(present(left.type), types.Face):
        return Op("any_looks", (as_set(right), as_look(env, left)), type=BOOL)
    if isinstance(element(right.type), types.Face):
        return Op("looks", (left, as_look(env, right)), type=BOOL)
    return Op("in", (left, as_set(right)), type=BOOL)


def add_up(env: Environment, expr: nodes.Sum, left: Op, right: Op) -> Op:
    """`+`, `-` and `&`, of numbers, sets or families."""
    a, b = left.type, right.type
    type_ = add_operands(env.scope, expr, a, b)
    if isinstance(present(a), types.Number) or isinstance(present(b), types.Number):
        one = convert(env, left, present(a), expr.left.span)
        other = convert(env, right, present(b), expr.right.span)
        name = "add" if expr.operator == "+" else "subtract"
        return Op(name, (one, other), type=type_, span=expr.span)
    name = {"+": "union", "-": "difference", "&": "intersection"}[expr.operator]
    if isinstance(a, types.Family) or isinstance(b, types.Family):
        return Op(f"{name}_of_families", (left, right), type=type_, span=expr.span)
    if isinstance(element(b), types.Face) and not isinstance(element(a), types.Face):
        name = "unlike" if expr.operator == "-" else "matching"
        return Op(name, (as_set(left), as_look(env, right)), type=type_)
    order = order_of(element_type(type_))
    return Op(name, (as_set(left), as_set(right)), order=order, type=type_)


def placed(op: Op, type_: Type, span: Span) -> Op:
    """An operation with another type and span: `evolve`, but faster, because every operation passes here."""
    return Op(
        op.name,
        op.operands,
        place=op.place,
        word=op.word,
        words=op.words,
        numbers=op.numbers,
        order=op.order,
        value=op.value,
        face=op.face,
        type=type_,
        span=span,
    )


def multiply(env: Environment, expr: nodes.Product, left: Op, right: Op) -> Op:
    """`*`, `/` and `%`."""
    type_ = multiply_operands(env.scope, expr, left.type, right.type)
    one = convert(env, left, INT, expr.left.span)
    other = convert(env, right, INT, expr.right.span)
    name = {"*": "times", "/": "divide", "%": "modulo"}[expr.operator]
    return Op(name, (one, other), type=type_, span=expr.span)
