"""An expression that is constant throughout a game -> its value, for a number of players and given options.

The number of copies of a piece and the values of its attributes are fixed before a game begins, so the checker can
calculate them. This module evaluates only what such calculations consist of, and raises `NotConstant` for anything
else; the caller then reports nothing. `foundations` reports expressions that depend on the course of a game.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from operator import add, and_, floordiv, ge, gt, le, lt, mod, mul, or_, sub
from typing import TypeAlias, TypeGuard, assert_never

from attrs import field, frozen

from rulespec.checking.declarations import table_rows
from rulespec.checking.scopes import Known
from rulespec.core.types import LEAST, MOST
from rulespec.limits import LARGEST_SET, MOST_STEPS
from rulespec.syntax import nodes

DEEPEST = 40  # functions that use each other

Scalar: TypeAlias = bool | int | str | None
Value: TypeAlias = "Scalar | frozenset[Scalar] | Cells"
Bound: TypeAlias = Mapping[str, Value]
Members: TypeAlias = "frozenset[Scalar]"

SETS: Mapping[str, Callable[[Members, Members], Members]] = {"+": or_, "-": sub, "&": and_}
NUMBERS: Mapping[str, Callable[[int, int], int]]
NUMBERS = {"+": add, "-": sub, "*": mul, "/": floordiv, "%": mod}
ORDERS: Mapping[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


class NotConstant(Exception):  # noqa: N818 - it is no error: nothing is known, so nothing is said
    """The value depends on something that this module does not know."""


@frozen
class Cells:
    """The row that matches in a table with several outputs; a cell is calculated when it is needed."""

    values: Mapping[str, nodes.Expr]
    bound: Bound


@frozen
class ConstantInputs:
    """What constants may depend on: the number of players, and the options that are set.

    `doubtful` are options whose value is unknown here. `effort` counts the steps of a calculation, and how often it
    used the number of players or an option.
    """

    known: Known
    players: int | None
    settings: Mapping[str, nodes.Expr]
    doubtful: frozenset[str]
    effort: Counter[str] = field(factory=Counter)


def constant_value(ground: ConstantInputs, bound: Bound, expr: nodes.Expr, depth: int = 0) -> Value:
    """The value of an expression; raises `NotConstant` if it has none."""
    ground.effort["steps"] += 1
    if depth > DEEPEST or ground.effort["steps"] > MOST_STEPS:
        raise NotConstant

    def of(part: nodes.Expr) -> Value:
        return constant_value(ground, bound, part, depth + 1)

    match expr:
        case nodes.Number(value):
            return value
        case nodes.Constant(word):
            return None if word == "none" else word == "yes"
        case nodes.Name(text):
            return bound[text] if text in bound else _named(ground, text, depth)
        case nodes.Call(function, arguments):
            return _called(ground, function.text, [*map(of, arguments)], depth)
        case nodes.Get(subject, name):
            return _cell(ground, of(subject), name.text, depth)
        case nodes.At(subject, key):
            return _cell(ground, of(subject), of(key), depth)
        case nodes.Negative(operand):
            return _within(-_number(of(operand)))
        case nodes.Sum(left, operator, right) | nodes.Product(left, operator, right):
            return _combined(operator, of(left), of(right))
        case nodes.Compare(left, relation, right):
            return _compared(relation.sign, of(left), of(right))
        case nodes.Conditional(value, condition, otherwise):
            return of(value if _truth(of(condition)) else otherwise)
        case nodes.And(operands):
            return all(_truth(of(operand)) for operand in operands)
        case nodes.Or(operands):
            return any(_truth(of(operand)) for operand in operands)
        case nodes.Not(operand):
            return not _truth(of(operand))
        case nodes.List(items):
            return frozenset(_scalar(of(each)) for each in items) - {None}
        case nodes.Range(low, high):
            first, last = _number(of(low)), _number(of(high))
            if last - first >= LARGEST_SET:
                raise NotConstant
            return frozenset(range(first, last + 1))
        case (
            nodes.Where()
            | nodes.Build()
            | nodes.Fold()
            | nodes.Count()
            | nodes.Having()
            | nodes.Face()
            | nodes.Described()
        ):
            raise NotConstant
        case _:
            assert_never(expr)


# ---- Names and functions -------------------------------------------------------------------------


def _named(ground: ConstantInputs, text: str, depth: int) -> Value:
    known = ground.known
    if text == "players" or text in known.program.options:
        ground.effort["asked"] += 1
    if text == "players" and ground.players is not None:
        return ground.players
    if text in known.owners or text in ("most", "fewest"):
        return text
    if text in known.enums:
        return frozenset(known.enums[text])
    if text in known.program.options and text not in ground.doubtful:
        value = ground.settings.get(text, known.program.options[text].node.default)
        return constant_value(ground, {}, value, depth + 1)
    if text in known.program.routines:
        return _called(ground, text, [], depth)
    raise NotConstant


def _called(ground: ConstantInputs, name: str, given: list[Value], depth: int) -> Value:
    routine = ground.known.program.routines.get(name)
    if routine is None or routine.kind != "function":
        return _builtin(name, given)
    last = len(routine.versions) - 1
    node = routine.versions[last].node
    if len(node.params) != len(given):
        raise NotConstant
    bound = {param.name.text: value for param, value in zip(node.params, given, strict=True)}
    if isinstance(node, nodes.Let):
        return constant_value(ground, bound, node.value, depth + 1)
    if not isinstance(node, nodes.Table):
        raise NotConstant
    inputs = [constant_value(ground, bound, each, depth + 1) for each in node.header.inputs]
    for row in table_rows(routine, last):
        ground.effort["steps"] += 1
        if isinstance(row.body, nodes.Cells) and all(
            any(_matches(ground, pattern, value) for pattern in key.patterns)
            for key, value in zip(row.keys, inputs, strict=False)
        ):
            names = [output.text for output in node.header.outputs]
            if len(names) == 1:
                return constant_value(ground, bound, row.body.values[0], depth + 1)
            return Cells(dict(zip(names, row.body.values, strict=False)), bound)
    raise NotConstant


def _builtin(name: str, given: list[Value]) -> Value:
    if name == "abs" and len(given) == 1:
        return abs(_number(given[0]))
    if name in ("min", "max") and len(given) == 2:
        one, other = _number(given[0]), _number(given[1])
        return min(one, other) if name == "min" else max(one, other)
    raise NotConstant


def _cell(ground: ConstantInputs, found: Value, output: Value, depth: int) -> Value:
    if isinstance(found, Cells) and isinstance(output, str) and output in found.values:
        return constant_value(ground, found.bound, found.values[output], depth + 1)
    raise NotConstant


def _matches(ground: ConstantInputs, pattern: nodes.Pattern, value: Value) -> bool:
    bounds = key_bounds(pattern)
    if bounds is not None and _is_number(value):
        return bounds[0] <= value <= bounds[1]
    match pattern:
        case nodes.KeyName(nodes.Constant(word)):
            return value is None if word == "none" else value is (word == "yes")
        case nodes.KeyName(nodes.Name(first), None):
            return value == first
        case nodes.KeyName(nodes.Name(first), nodes.Name(last)):
            return isinstance(value, str) and _is_between(ground, first, value, last)
        case nodes.Anything():
            return True
        case nodes.KeyName() | nodes.KeyNumber() | nodes.AtLeast() | nodes.AtMost():
            return False
        case _:
            assert_never(pattern)


def key_bounds(pattern: nodes.Pattern) -> tuple[int, int] | None:
    """The first and the last number that a key matches; `None` if the key is not numeric."""
    match pattern:
        case nodes.KeyNumber(first, last):
            return first.value, first.value if last is None else last.value
        case nodes.AtLeast(number):
            return number.value, MOST
        case nodes.AtMost(number):
            return LEAST, number.value
        case nodes.Anything() | nodes.KeyName():
            return None
        case _:
            assert_never(pattern)


def _is_between(ground: ConstantInputs, first: str, value: str, last: str) -> bool:
    """Whether a member lies between two others; enums that include each other may disagree."""
    answers = {
        domain.index(first) <= domain.index(value) <= domain.index(last)
        for domain in ground.known.enums.values()
        if {first, value, last} <= {*domain}
    }
    if len(answers) > 1:
        raise NotConstant
    return answers == {True}


# ---- Operations ----------------------------------------------------------------------------------


def _combined(sign: str, one: Value, other: Value) -> Value:
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        if sign not in SETS:
            raise NotConstant
        return SETS[sign](one, other)
    a, b = _number(one), _number(other)
    if sign not in NUMBERS or (sign in ("/", "%") and b < 1):
        raise NotConstant
    return _within(NUMBERS[sign](a, b))


def _compared(sign: str, one: Value, other: Value) -> bool:
    if isinstance(one, Cells) or isinstance(other, Cells):
        raise NotConstant
    match sign:
        case "==" | "!=":
            return (one == other) == (sign == "==")
        case "in" | "not in" if isinstance(other, frozenset):
            return (_scalar(one) in other) == (sign == "in")
    if sign not in ORDERS:
        raise NotConstant
    return ORDERS[sign](_number(one), _number(other))


def _is_number(value: Value) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Value) -> int:
    if not _is_number(value):
        raise NotConstant
    return value


def _within(value: int) -> int:
    if LEAST <= value <= MOST:
        return value
    raise NotConstant


def _truth(value: Value) -> bool:
    if isinstance(value, bool):
        return value
    raise NotConstant


def _scalar(value: Value) -> Scalar:
    if isinstance(value, frozenset | Cells):
        raise NotConstant
    return value
