"""A condition in its scope -> whether it always holds, never does, or one cannot know.

Decided by the domains of numbers and enums alone: with `n` in 0..9, `n > 9` never holds. Domains are those of
the declarations, so the answer is the same for every number of players and every value of an option.
"""

from typing import assert_never

from attrs import evolve

from rulespec.checking.calls import Part, Shut, Step
from rulespec.checking.deeds import deed_of
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import routine_scope, type_of
from rulespec.checking.scopes import Scope, bind, silent
from rulespec.checking.substitution import Effort
from rulespec.core.types import UNKNOWN, Choice, Number, Several, Type
from rulespec.syntax import nodes


def certain(scope: Scope, test: nodes.Expr) -> bool | None:
    """Whether a condition is `yes` or `no` in every game; nothing if that depends."""
    return _certain(Effort(), silent(scope), test)


def _certain(effort: Effort, scope: Scope, test: nodes.Expr) -> bool | None:
    match test:
        case nodes.Constant("yes" | "no" as word):
            return word == "yes"
        case nodes.Not(operand):
            found = _certain(effort, scope, operand)
            return None if found is None else not found
        case nodes.And(operands) | nodes.Or(operands):
            # One `no` decides an `and`, one `yes` an `or`.
            decides = isinstance(test, nodes.Or)
            answers = [_certain(effort, scope, operand) for operand in operands]
            if decides in answers:
                return decides
            return None if None in answers else not decides
        case nodes.Compare(left, relation, right):
            return _compared(type_of(scope, left), relation.sign, type_of(scope, right))
        case nodes.Name(text) | nodes.Call(nodes.Name(text), _):
            return _called(effort, scope, text)
        case (
            nodes.Conditional()
            | nodes.Calculation()
            | nodes.Collection()
            | nodes.Selection()
            | nodes.Fold()
            | nodes.Written()
        ):
            return None
        case _:
            assert_never(test)


def open_part(root: Scope, part: Part) -> Part:
    """A part without the steps that are never done, which it keeps aside. Of locals nothing is known."""
    if not any(step.tests for step in part.steps):
        return part
    routine = root.known.program.routines.get(part.owner)
    params = routine.versions[-1].node.params if routine is not None else ()
    names: dict[str, Type] = {
        name: UNKNOWN
        for step in part.steps
        for name in deed_of(step.node).targets
        if name not in root.known.program.variables or isinstance(step.node, nodes.For)
    }
    names |= {param.name.text: declared_type(root.known, param.type) for param in params}
    scope = bind(root, names)
    answers: dict[int, bool | None] = {}
    shut: list[Shut] = []
    steps: list[Step] = []
    for step in part.steps:
        for test, wanted in step.tests:
            if id(test) not in answers:
                answers[id(test)] = certain(scope, test)
            if answers[id(test)] is (not wanted):
                shut.append(Shut(step, test, not wanted))
                break
        else:
            steps.append(step)
    return evolve(part, steps=tuple(steps), shut=tuple(shut)) if shut else part


# ---- Conditions ----------------------------------------------------------------------------------


def _called(effort: Effort, scope: Scope, text: str) -> bool | None:
    """What a `let` is, whatever it is given."""
    routine = scope.known.program.routines.get(text) if text not in scope.names else None
    if routine is None or effort.left <= 0:
        return None
    effort.left -= 1
    last = len(routine.versions) - 1
    node = routine.versions[last].node
    if not isinstance(node, nodes.Let):
        return None
    return _certain(effort, routine_scope(scope, routine, last), node.value)


def _compared(left: Type, sign: str, right: Type) -> bool | None:
    match sign:
        case "!=" | "not in" | ">=" | ">":
            opposite = {"!=": "==", "not in": "in", ">=": "<", ">": "<="}
            found = _compared(left, opposite[sign], right)
            return None if found is None else not found
        case "in":
            apart = isinstance(right, Several) and _compared(left, "==", right.of) is False
            return False if apart else None
    match left, right:
        case Number(a, b), Number(c, d):
            return _ordered(sign, (a, b), (c, d))
        case Choice(enum, domain, one), Choice(other, _, two) if one and two:
            if sign == "==" and one.isdisjoint(two):
                return False
            if enum == other:
                return _ordered(sign, _places(domain, one), _places(domain, two))
    return None


def _places(domain: tuple[str, ...], members: frozenset[str]) -> tuple[int, int]:
    places = [domain.index(each) for each in members]
    return min(places), max(places)


def _ordered(sign: str, one: tuple[int, int], other: tuple[int, int]) -> bool | None:
    """Two intervals: decided if all values of one stand alike to all values of the other."""
    (a, b), (c, d) = one, other
    if sign == "==":
        if b < c or d < a:
            return False
        return True if a == b == c == d else None
    if sign == "<":
        return True if b < c else False if a >= d else None
    return True if b <= c else False if a > d else None
