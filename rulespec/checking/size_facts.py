"""Tests and statements -> how many elements sets are known to have at least, from there on.

A scope carries what tests have shown (`Scope.sizes`) along the paths of a body. `learn_from_test` adds what a
condition shows, `forget_changed` and `forget_disturbed` drop what a statement may have changed. A statement that
changes a zone or a variable may also fire a trigger, which may change any other zone; so only facts about locals
survive such a statement.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, assert_never

from attrs import evolve

from rulespec.checking.calls import steps_of
from rulespec.checking.declarations import used_names
from rulespec.checking.deeds import deed_of
from rulespec.checking.expressions import type_of
from rulespec.checking.scopes import NO_SIZES, Scope, mentions, silent, unmentioned
from rulespec.checking.substitution import (
    Effort,
    filtered,
    inline_call,
    normalized,
    of_element,
    tests_of,
)
from rulespec.core.types import Number, Place
from rulespec.syntax import nodes

Shown: TypeAlias = Iterator[tuple[nodes.Expr, int]]  # a set, and how many elements it has at least

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
OPPOSITE |= {"in": "not in", "not in": "in"}
TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
NOTHING = (nodes.Constant("none"), nodes.List(()))
# These return `none` for an empty set; so if the result is not `none`, the set has elements.
PICKS = ("top", "min", "max", "best", "least")
PROMISE = nodes.Name("may choose")  # no name that anybody could write
CHANGING = ("box", "ended", "super")


# ---- What tests show -----------------------------------------------------------------------------


def learn_from_test(scope: Scope, test: nodes.Expr, *, holds: bool) -> Scope:
    """The scope in which a condition holds, or does not.

    Not in the language: while types are inferred nothing is learnt, which is quicker; the inferred types are only wider.
    """
    return scope if scope.faults is None else assume_sizes(Effort(), scope, test, holds=holds)


def assume_sizes(effort: Effort, scope: Scope, test: nodes.Expr, *, holds: bool) -> Scope:
    """As `learn_from_test`, in any scope and with limited effort."""
    return _with(scope, _shown(effort, silent(scope), test, holds=holds))


def learn_size(scope: Scope, expr: nodes.Expr, size: int) -> Scope:
    """The scope in which a set has at least so many elements."""
    if scope.faults is None:
        return scope
    return _with(scope, _grown(Effort(), silent(scope), expr, size))


def learn_element(scope: Scope, values: nodes.Expr, name: str) -> Scope:
    """The scope in which a name is one of these values, and so has passed their filters."""
    if scope.faults is None:
        return scope
    return _with(scope, _passed(Effort(), silent(scope), values, name))


def learn_promise(scope: Scope, values: nodes.Expr, name: str) -> Scope:
    """The scope in which a name is one of these values or `none`; a later test may tell which."""
    if scope.faults is None:
        return scope
    return _with(scope, [(nodes.Call(PROMISE, (nodes.Name(name), values)), 1)])


def _with(scope: Scope, found: Iterable[tuple[nodes.Expr, int]]) -> Scope:
    sizes = dict(scope.sizes)
    more = False
    for expr, size in found:
        if size > sizes.get(expr, 0):
            sizes[expr] = size
            more = True
    return evolve(scope, sizes=sizes) if more else scope


def _shown(effort: Effort, scope: Scope, test: nodes.Expr, *, holds: bool) -> Shown:
    match test:
        case nodes.Not(operand):
            yield from _shown(effort, scope, operand, holds=not holds)
        case nodes.And(operands) | nodes.Or(operands):
            if holds == isinstance(test, nodes.And):
                for operand in operands:
                    yield from _shown(effort, scope, operand, holds=holds)
        case nodes.Compare(left, relation, right):
            sign = relation.sign if holds else OPPOSITE[relation.sign]
            if sign == "in":
                yield from _grown(effort, scope, right, 1)
            elif sign != "not in":
                yield from _compared(effort, scope, left, sign, right)
                yield from _compared(effort, scope, right, TURNED[sign], left)
        case nodes.Fold(nodes.Name("any" | "all" as word), value, name, values):
            if holds == (word == "any"):
                passed = value if holds else nodes.Not(value, span=value.span)
                inner = of_element(values, name.text)
                such = filtered(inner, name.text, passed)
                yield from _grown(effort, scope, such or inner, 1)
        case nodes.Name() | nodes.Call():
            body = inline_call(effort, scope.known.program, scope.names, test)
            if body is not None:
                yield from _shown(effort, scope, body, holds=holds)
        case (
            nodes.Conditional()
            | nodes.Calculation()
            | nodes.Collection()
            | nodes.Selection()
            | nodes.Fold()
            | nodes.Written()
        ):
            return
        case _:
            assert_never(test)


def _passed(effort: Effort, scope: Scope, values: nodes.Expr, name: str) -> Shown:
    """What follows from a name being one of these values."""
    for test in tests_of(values, name):
        yield from _shown(effort, scope, test, holds=True)
    body = inline_call(effort, scope.known.program, scope.names, values)
    if body is not None:
        yield from _passed(effort, scope, body, name)
    inner = of_element(values, name)
    if not mentions(inner, {name}):
        yield from _grown(effort, scope, inner, 1)


def _kept(effort: Effort, scope: Scope, name: str) -> Shown:
    """What follows if a name is not `none` that a player may have declined to choose."""
    for expr in scope.sizes:
        if isinstance(expr, nodes.Call) and expr.function == PROMISE:
            chosen, values = expr.arguments
            if chosen == nodes.Name(name):
                yield from _passed(effort, scope, values, name)


def _compared(
    effort: Effort, scope: Scope, left: nodes.Expr, sign: str, right: nodes.Expr
) -> Shown:
    """What `#S > 3`, or `S != []`, shows of `S`."""
    if sign == "!=" and right in NOTHING:
        yield from _grown(effort, scope, left, 1)
        yield from _kept(effort, scope, left.text) if isinstance(left, nodes.Name) else ()
    if sign in ("<", "<=", "==") and not scope.in_example:  # which chooses from no range
        yield nodes.Range(left, right), 1
    counted = _counted(left)
    if counted is None:
        return
    number = type_of(scope, right)
    if not isinstance(number, Number):
        return
    least = {">": number.low + 1, ">=": number.low, "==": number.low}.get(sign, 0)
    if sign == "!=" and number == Number(0, 0):
        least = 1
    # Two sets may have elements in common, so of their union no more is known.
    size = least if isinstance(left, nodes.Count) else min(least, 1)
    yield from _grown(effort, scope, counted, size)


def _counted(expr: nodes.Expr) -> nodes.Expr | None:
    """`S` of `#S`, and `S + T` of `#S + #T`."""
    if isinstance(expr, nodes.Count):
        return expr.operand
    if isinstance(expr, nodes.Sum) and expr.operator == "+":
        one, other = _counted(expr.left), _counted(expr.right)
        if one is not None and other is not None:
            return nodes.Sum(one, "+", other, span=expr.span)
    return None


def _grown(effort: Effort, scope: Scope, expr: nodes.Expr, size: int) -> Shown:
    """A set of this size, and all sets of which it is a part."""
    if size < 1:
        return
    expr = normalized(expr)
    yield expr, size
    match expr:
        case nodes.Where(values) | nodes.At(values) | nodes.Having(values):
            yield from _grown(effort, scope, values, size)
        case nodes.Sum(left, "-" | "&" as operator, right):
            for part in (left,) if operator == "-" else (left, right):
                yield from _grown(effort, scope, part, size)
        case nodes.Get(values) | nodes.Build(_, _, values):
            yield from _grown(effort, scope, values, 1)
        case nodes.Call(nodes.Name("alike" | "runs"), (values, *_)):
            yield from _grown(effort, scope, values, 2)
        case nodes.Call(nodes.Name("top"), (values, _)):
            yield from _grown(effort, scope, values, size)
        case nodes.Call(nodes.Name(name), (values,)) if name in PICKS:
            yield from _grown(effort, scope, values, 1)
        case nodes.Fold(nodes.Name(name), _, element, values) if name in PICKS:
            yield from _grown(effort, scope, of_element(values, element.text), 1)
        case nodes.Call(nodes.Name("subsets"), (values, wanted)):
            number = type_of(scope, wanted.low if isinstance(wanted, nodes.Range) else wanted)
            if isinstance(number, Number):
                yield from _grown(effort, scope, values, number.low)
        case nodes.Name() | nodes.Call():
            body = inline_call(effort, scope.known.program, scope.names, expr)
            if body is not None:
                yield from _grown(effort, scope, body, size)
        case nodes.Conditional() | nodes.Test() | nodes.Calculation() | nodes.Fold():
            return
        case nodes.Range() | nodes.List() | nodes.Written():
            return
        case _:
            assert_never(expr)


# ---- What statements change ----------------------------------------------------------------------


def forget_changed(scope: Scope, body: nodes.Body) -> Scope:
    """The scope at the head of a loop, without facts about anything that its body may change."""
    if not scope.sizes:
        return scope
    steps = [each.node for each in steps_of(body, (), ())]
    given = {name for step in steps for name in deed_of(step).targets}
    kept = evolve(scope, sizes=unmentioned(scope.sizes, given))
    return forget_disturbed(kept, *steps)


def forget_disturbed(scope: Scope, *statements: nodes.Statement) -> Scope:
    """The scope after statements: if one changes a zone or a variable, a trigger may change others."""
    if not scope.sizes or not any(_changes_game(scope, each) for each in statements):
        return scope
    kept = {expr: size for expr, size in scope.sizes.items() if not _is_open(scope, expr)}
    return evolve(scope, sizes=kept or NO_SIZES)


def _changes_game(scope: Scope, node: nodes.Statement) -> bool:
    deed, program = deed_of(node), scope.known.program
    is_given = any(name in program.variables for name in deed.targets)
    return bool(deed.moves) or is_given or _calls_rule(scope, deed.call)


def _calls_rule(scope: Scope, call: nodes.Call | None) -> bool:
    """Whether a statement calls a rule, which may change anything."""
    if call is None:
        return False
    routine = scope.known.program.routines.get(call.function.text)
    return call.function.text == "super" or (routine is not None and routine.kind == "procedure")


def _is_open(scope: Scope, expr: nodes.Expr) -> bool:
    """Whether a set depends on zones or variables, itself or through functions."""
    program = scope.known.program
    for name in used_names(expr):
        text = name.text
        if text in scope.names:
            if isinstance(scope.names[text], Place):
                return True
        elif any(
            text in each for each in (program.zones, program.variables, program.routines, CHANGING)
        ):
            return True
    return False


def common_sizes(
    one: Mapping[nodes.Expr, int], other: Mapping[nodes.Expr, int]
) -> dict[nodes.Expr, int]:
    """The sizes that hold on both of two paths."""
    return {expr: min(size, other[expr]) for expr, size in one.items() if expr in other}
