"""An assignment in its scope -> the scope after it; mistakes are reported to the scope.

Implements docs/language/7-statements.md, "Assign". A `BodyWalk` collects the types of all values that are assigned to
the locals of a body.
"""

from collections.abc import Mapping
from typing import Any

from attrs import define, evolve, field

from rulespec import codes
from rulespec.checking.declarations import rule_result
from rulespec.checking.domains import declared_type
from rulespec.checking.estimates import estimate
from rulespec.checking.expressions import check_arguments, element_type_of, type_of
from rulespec.checking.operand_types import add_operands
from rulespec.checking.scopes import (
    Scope,
    forget_facts,
    likely_index,
    report,
    require,
    silent,
    unmentioned,
)
from rulespec.checking.size_facts import learn_element, learn_promise, learn_size
from rulespec.checking.wording import describe_expression, describe_type, written
from rulespec.core import types
from rulespec.core.types import NONE, UNKNOWN, Type, join, optional, present, set_type
from rulespec.diagnostics import Related
from rulespec.source import Span
from rulespec.syntax import nodes


@define
class BodyWalk:
    """A walk through a body: what it has found so far."""

    result: Type | None  # of the rule
    fixed: frozenset[str]  # parameters and names of loops
    local: frozenset[str]
    heads: dict[int, Mapping[str, Type]] = field(factory=dict)  # the types at the head of each loop
    stops: list[list[Scope]] = field(
        factory=list
    )  # for each loop around: the scopes in which `stop` leaves it
    given: dict[str, tuple[Type, Span]] = field(
        factory=dict
    )  # by local: the join of its assigned values
    count: int = 0
    changed: bool = False


def assign(walk: BodyWalk, scope: Scope, node: nodes.Assign) -> Scope:
    """`v = e`, `v += e`, `v[i] = f(a)`: the scope behind it."""
    value = node.value
    routines = scope.known.program.routines
    called = value.function.text if isinstance(value, nodes.Call) else ""
    in_procedure = scope.routine is None or scope.routine.kind == "procedure"
    if isinstance(value, nodes.Call) and (
        (called in routines and routines[called].kind == "procedure")
        or (called == "super" and in_procedure)
    ):
        given = perform(scope, value)
        if given is None:
            message = f"`{called}` has no result"
            hint = "give its rule a result: `-> ` and a type"
            report(scope, codes.WRONG_TYPE, message, value.span, hint)
            given = UNKNOWN
    else:
        given = type_of(scope, value)
    if node.operator != "=":
        before = type_of(silent(scope), node.target)
        if before == NONE:
            message = f"{written(node.target)} has no value yet to add to"
            report(scope, codes.ALWAYS_NONE, message, node.target.span)
            given = NONE
        elif not isinstance(before, types.Indexed):
            sign: Any = node.operator[0]
            whole = nodes.Sum(node.target, sign, value, span=node.span)
            given = add_operands(scope, whole, before, given)
            value = whole
    if not isinstance(node.target, nodes.Name):
        return _give_member(walk, scope, node.target, value, given)
    after = _give(walk, scope, node.target, value, given)
    if node.target.text in walk.local and isinstance(given, types.Several):
        after = learn_size(after, node.target, estimate(scope, value).least)
    return after


def assign_choice(
    walk: BodyWalk, scope: Scope, target: nodes.Target, options: nodes.Expr, *, may: bool
) -> Scope:
    """`chooses` and `random`: the target becomes an element of the options."""
    name = target.name
    own = name if name.text in walk.local else nodes.Name("it", span=name.span)
    given = element_type_of(scope, options, own)
    if may:
        given = optional(given)
    if target.index is not None:
        place = nodes.At(name, target.index, span=target.span)
        return _give_member(walk, scope, place, options, given)
    after = _give(walk, scope, name, options, given)
    if name.text not in walk.local:
        return after
    return (learn_promise if may else learn_element)(after, options, name.text)


def _give(walk: BodyWalk, scope: Scope, name: nodes.Name, value: Any, given: Type) -> Scope:
    """Assign to a variable or a local; `name_checks` reports anything else."""
    scope = forget_facts(scope)  # what a variable is now says nothing about what it may become
    text, program = name.text, scope.known.program
    if text in walk.local:
        return _give_local(walk, scope, name, value, _storable(scope, value, given))
    if text in program.variables and text not in walk.fixed:
        variable = program.variables[text].node.node
        wanted = type_of(silent(scope), name)
        place = Related("the variable", variable.span)
        if isinstance(wanted, types.Indexed):
            message = f"`{text}` has a value for each index, but one value is needed"
            hint = f"write `{text}[{likely_index(scope, wanted.indices)}]`"
            report(scope, codes.WRONG_INDEX, message, name.span, hint, (place,))
        else:
            require(scope, value, given, wanted, f"`{text}`", (place,))
    return scope


def _storable(scope: Scope, value: Any, given: Type) -> Type:
    """The type that a local can keep: no sets of sets, and no rows of tables."""
    if isinstance(given, types.Family | types.Outputs | types.Face):
        message = f"{describe_expression(value, given)}, which a variable cannot keep"
        hint = (
            "choose from it, count it, or use it directly"
            if isinstance(given, types.Family)
            else None
        )
        code = codes.SET_OF_SETS if isinstance(given, types.Family) else codes.WRONG_TYPE
        report(scope, code, message, value.span, hint)
        return UNKNOWN
    return set_type(given)


def _give_local(walk: BodyWalk, scope: Scope, name: nodes.Name, value: Any, given: Type) -> Scope:
    text = name.text
    type_, span = walk.given.get(text, (types.Never(), value.span))
    joined = join(type_, given, scope.known.enums)
    here, there = given, type_
    if isinstance(here, types.Indexed) and isinstance(there, types.Indexed):
        here, there = here.of, there.of
    if joined is None or _is_mixed(here, there):
        message = f"`{text}` is {describe_type(here)} here and {describe_type(there)} elsewhere"
        hint = "choose another name for one of them"
        report(scope, codes.WRONG_TYPE, message, name.span, hint, (Related("the other one", span),))
        joined = UNKNOWN
    walk.given[text] = (joined, span)
    sizes = unmentioned(scope.sizes, {text})
    return evolve(scope, names={**scope.names, text: given}, sizes=sizes)


def _is_mixed(one: Type, other: Type) -> bool:
    """Whether one type is a set and the other a single value; `none` fits both."""
    told = [each for each in (one, other) if present(each) not in (types.Never(), UNKNOWN)]
    return len({isinstance(each, types.Several) for each in told}) > 1


def _give_member(walk: BodyWalk, scope: Scope, target: nodes.At, value: Any, given: Type) -> Scope:
    """Assign to a member of a family of variables."""
    scope = forget_facts(scope)
    base: nodes.Expr = target
    while isinstance(base, nodes.At):
        base = base.subject
    text = base.text if isinstance(base, nodes.Name) else ""
    if text in walk.local and isinstance(base, nodes.Name):
        key = present(type_of(scope, target.key))
        family = types.Indexed((key,), optional(given))
        return _give_local(walk, scope, base, value, family)
    variable = scope.known.program.variables.get(text)
    if variable is None or text in walk.fixed:
        return scope
    place = Related("the variable", variable.node.node.span)
    if not isinstance(type_of(silent(scope), target.subject), types.Indexed):
        further = "further " if isinstance(target.subject, nodes.At) else ""
        message = f"{written(target.subject)} has no {further}index"
        report(scope, codes.WRONG_INDEX, message, target.span, None, (place,))
        return scope
    wanted = type_of(scope, target)
    if isinstance(wanted, types.Indexed):
        message = f"{written(target)} needs another index"
        report(scope, codes.WRONG_INDEX, message, target.span, None, (place,))
    else:
        require(scope, value, given, wanted, written(target), (place,))
    return scope


def perform(scope: Scope, call: nodes.Call) -> Type | None:
    """The type of the result of calling a procedure; `None` without a result."""
    name = call.function.text
    routine, version = scope.known.program.routines.get(name), -1
    if name == "super":
        routine, version = scope.routine, scope.version - 1
    if routine is None:
        for argument in call.arguments:
            type_of(scope, argument)
        return UNKNOWN if name == "super" else None
    version = version % len(routine.versions)
    check_arguments(scope, call, routine, version)
    result = rule_result(routine, version)
    return None if result is None else declared_type(scope.known, result)
