"""An expression that is the same in a whole game -> its value, for a number of players and some options.

How many copies of a piece there are and what its attributes are, is known before a game begins, so it can
be calculated while checking. Only what such calculations are made of is known here; anything else is
`Unsettled`, and whoever asked says nothing. `foundations` tells what may not be asked so early.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from operator import add, and_, floordiv, ge, gt, le, lt, mod, mul, or_, sub
from typing import TypeAlias, assert_never

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


class Unsettled(Exception):  # noqa: N818 - it is no error: nothing is known, so nothing is said
    """The value depends on what is not known here."""


@frozen
class Cells:
    """The row that was found in a table with several outputs; a cell is calculated when it is asked for."""

    values: Mapping[str, nodes.Expr]
    bound: Bound


@frozen
class Ground:
    """What values stand on: how many play, and the options that somebody has set.

    `doubtful` are options of which it is not known here what they are. `effort` counts the steps of a
    calculation, and how often players or options were asked for.
    """

    known: Known
    players: int | None
    settings: Mapping[str, nodes.Expr]
    doubtful: frozenset[str]
    effort: Counter[str] = field(factory=Counter)


def calculate_value(ground: Ground, bound: Bound, expr: nodes.Expr, depth: int = 0) -> Value:
    """The value of an expression, or `Unsettled`."""
    ground.effort["steps"] += 1
    if depth > DEEPEST or ground.effort["steps"] > MOST_STEPS:
        raise Unsettled

    def of(part: nodes.Expr) -> Value:
        return calculate_value(ground, bound, part, depth + 1)

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
                raise Unsettled
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
            raise Unsettled
        case _:
            assert_never(expr)


# ---- Names and functions -------------------------------------------------------------------------


def _named(ground: Ground, text: str, depth: int) -> Value:
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
        return calculate_value(ground, {}, value, depth + 1)
    if text in known.program.routines:
        return _called(ground, text, [], depth)
    raise Unsettled


def _called(ground: Ground, name: str, given: list[Value], depth: int) -> Value:
    routine = ground.known.program.routines.get(name)
    if routine is None or routine.kind != "function":
        return _builtin(name, given)
    last = len(routine.versions) - 1
    node = routine.versions[last].node
    if len(node.params) != len(given):
        raise Unsettled
    bound = {param.name.text: value for param, value in zip(node.params, given, strict=True)}
    if isinstance(node, nodes.Let):
        return calculate_value(ground, bound, node.value, depth + 1)
    if not isinstance(node, nodes.Table):
        raise Unsettled
    inputs = [calculate_value(ground, bound, each, depth + 1) for each in node.header.inputs]
    for row in table_rows(routine, last):
        ground.effort["steps"] += 1
        if isinstance(row.body, nodes.Cells) and all(
            any(_matches(ground, pattern, value) for pattern in key.patterns)
            for key, value in zip(row.keys, inputs, strict=False)
        ):
            names = [output.text for output in node.header.outputs]
            if len(names) == 1:
                return calculate_value(ground, bound, row.body.values[0], depth + 1)
            return Cells(dict(zip(names, row.body.values, strict=False)), bound)
    raise Unsettled


def _builtin(name: str, given: list[Value]) -> Value:
    if name == "abs" and len(given) == 1:
        return abs(_number(given[0]))
    if name in ("min", "max") and len(given) == 2:
        one, other = _number(given[0]), _number(given[1])
        return min(one, other) if name == "min" else max(one, other)
    raise Unsettled


def _cell(ground: Ground, found: Value, output: Value, depth: int) -> Value:
    if isinstance(found, Cells) and isinstance(output, str) and output in found.values:
        return calculate_value(ground, found.bound, found.values[output], depth + 1)
    raise Unsettled


def _matches(ground: Ground, pattern: nodes.Pattern, value: Value) -> bool:
    bounds = key_bounds(pattern)
    if bounds is not None and _is_number(value):
        return bounds[0] <= _number(value) <= bounds[1]
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
    """From which number to which a key matches; nothing if it is no key for numbers."""
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


def _is_between(ground: Ground, first: str, value: str, last: str) -> bool:
    """Whether a member stands between two others; enums that include each other may not agree."""
    answers = {
        domain.index(first) <= domain.index(value) <= domain.index(last)
        for domain in ground.known.enums.values()
        if {first, value, last} <= {*domain}
    }
    if len(answers) > 1:
        raise Unsettled
    return answers == {True}


# ---- Operations ----------------------------------------------------------------------------------


def _combined(sign: str, one: Value, other: Value) -> Value:
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        if sign not in SETS:
            raise Unsettled
        return SETS[sign](one, other)
    a, b = _number(one), _number(other)
    if sign not in NUMBERS or (sign in ("/", "%") and b < 1):
        raise Unsettled
    return _within(NUMBERS[sign](a, b))


def _compared(sign: str, one: Value, other: Value) -> bool:
    if isinstance(one, Cells) or isinstance(other, Cells):
        raise Unsettled
    match sign:
        case "==" | "!=":
            return (one == other) == (sign == "==")
        case "in" | "not in" if isinstance(other, frozenset):
            return (_scalar(one) in other) == (sign == "in")
    if sign not in ORDERS:
        raise Unsettled
    return ORDERS[sign](_number(one), _number(other))


def _is_number(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Value) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise Unsettled


def _within(value: int) -> int:
    if LEAST <= value <= MOST:
        return value
    raise Unsettled


def _truth(value: Value) -> bool:
    if isinstance(value, bool):
        return value
    raise Unsettled


def _scalar(value: Value) -> Scalar:
    if isinstance(value, frozenset | Cells):
        raise Unsettled
    return value
