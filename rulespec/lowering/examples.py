"""Worked examples -> steps that the engine can run.

Implements docs/language/9-examples.md. What a pick or a `given` asks for may be a value or the look of
pieces; which of them is decided when the options are known.
"""

from collections.abc import Iterator

from attrs import evolve

from rulespec.checking.declarations import Declared
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import type_of
from rulespec.checking.scopes import Scope, bind, silent
from rulespec.core.types import (
    SEAT,
    Choice,
    Face,
    Family,
    Never,
    Piece,
    Place,
    Several,
    Type,
    Unknown,
    element,
    present,
)
from rulespec.lowering.code import (
    ExampleRow,
    ExpectPart,
    ExpectStep,
    GivenStep,
    Op,
    Origin,
    PickStep,
    RunStep,
    Side,
    Target,
    Wanted,
)
from rulespec.lowering.environment import Env, Frame
from rulespec.lowering.expressions import (
    as_set,
    lower,
    lower_condition,
    lower_look,
    lower_to,
)
from rulespec.lowering.origins import texts_of
from rulespec.lowering.statements import lower_call
from rulespec.source import text_of
from rulespec.syntax import nodes


def lower_example(
    scope: Scope, declared: Declared[nodes.Example], members: dict[str, int]
) -> ExampleRow:
    """An example with its seats; without names they are numbered by the engine."""
    example = declared.node
    names = [
        name.text for step in example.steps if isinstance(step, nodes.Seats) for name in step.names
    ]
    title = example.title.value
    origin = Origin(f'example "{title}"', example.span, texts_of(example.cites))
    inner = evolve(bind(silent(scope), dict.fromkeys(names, SEAT)), in_example=True)
    places = {name: Op("literal", (seat,)) for seat, name in enumerate(names)}
    env = Env(inner, places, Frame(), members, origin)
    steps: list[GivenStep | RunStep | ExpectStep] = []
    result: Type = Unknown()
    for step in example.steps:
        here = evolve(origin, span=step.span)
        match step:
            case nodes.Given(place, value):
                steps.append(_given(env, place, value, here))
            case nodes.Run(call, picks):
                result = _gives(env, call)
                env = evolve(env, scope=bind(env.scope, {"result": result}))
                env = evolve(env, places={**env.places, "result": Op("result")})
                lowered = lower_call(env, call, None, here)
                steps.append(
                    RunStep(lowered, tuple(_pick(env, each) for each in picks), result, here)
                )
            case nodes.Expect(condition):
                steps.append(ExpectStep(tuple(_expect(env, condition)), here))
    return ExampleRow(title, tuple(names), tuple(steps), env.frame.scratch, origin)


def _expect(env: Env, condition: nodes.Expr) -> Iterator[ExpectPart]:
    """The conditions that are joined by `and`, each with the sides that it compares."""
    if isinstance(condition, nodes.And):
        for operand in condition.operands:
            yield from _expect(env, operand)
        return
    sides: list[Side] = []
    if isinstance(condition, nodes.Compare):
        for side in (condition.left, condition.right):
            found = type_of(env.scope, side)
            if not isinstance(element(found), Face | Never) and not isinstance(found, Family):
                op, _ = lower(env, side)
                if isinstance(found, Place):
                    op, found = as_set(op, found), Several(Piece(found.kinds))
                sides.append(Side(op, found, text_of(side.span)))
    op = lower_condition(env, condition)
    yield ExpectPart(op, tuple(sides), text_of(condition.span), span=condition.span)


def _gives(env: Env, call: nodes.Call) -> Type:
    routine = env.scope.known.program.routines[call.function.text]
    node = routine.versions[-1].node
    if isinstance(node, nodes.Rule) and node.result is not None:
        return declared_type(env.scope.known, node.result)
    return Unknown()


def _given(env: Env, place: nodes.Expr, value: nodes.Expr, origin: Origin) -> GivenStep:
    wanted = lower_wanted(env, value)
    found = type_of(env.scope, place)
    if isinstance(found, Place):
        return GivenStep(lower(env, place)[0], None, wanted, origin)
    base = place
    keys: list[nodes.Expr] = []
    while isinstance(base, nodes.At):
        keys.insert(0, base.key)
        base = base.subject
    name = base.text if isinstance(base, nodes.Name) else ""
    variable = env.scope.known.program.variables[name].node.node
    domains = [declared_type(env.scope.known, index) for index in variable.indices]
    indices = tuple(lower_to(env, key, domain) for key, domain in zip(keys, domains, strict=True))
    type_ = declared_type(env.scope.known, variable.type)
    return GivenStep(None, Target(None, name, indices, type_, name), wanted, origin)


def _pick(env: Env, pick: nodes.Pick) -> PickStep:
    options = None if pick.options is None else lower_wanted(env, pick.options)
    name = pick.player.text
    player = "" if name == "chance" and name not in env.places else name
    return PickStep(player, lower_wanted(env, pick.value), options, span=pick.span)


def lower_wanted(env: Env, expr: nodes.Expr) -> Wanted:
    """What an expression asks for, as a value and as a look, as far as it can be either."""
    text = text_of(expr.span)
    found = type_of(env.scope, expr)
    if isinstance(expr, nodes.List):
        items = tuple(_item(env, item) for item in expr.items)
        return Wanted(None, None, items, text, found, span=expr.span)
    inner = element(found) if not isinstance(found, Unknown) else None
    is_look = isinstance(inner, Face)
    value = None if is_look else lower(env, expr)[0]
    look = None
    if isinstance(found, Place) and value is not None:
        value = as_set(value, found)
    elif isinstance(found, Several) and isinstance(inner, Choice | Piece):
        pass  # all of them, one by one
    elif isinstance(inner, Face | Choice | Piece) or isinstance(present(found), Never):
        look = lower_look(env, expr)
    members = isinstance(found, Several) and isinstance(inner, Choice)
    return Wanted(value, look, None, text, found, members, span=expr.span)


def _item(env: Env, expr: nodes.Expr) -> tuple[int, Wanted]:
    """An item of a list; `2 * ira` are two of them."""
    if isinstance(expr, nodes.Product) and isinstance(expr.left, nodes.Number):
        return expr.left.value, lower_wanted(env, expr.right)
    return 1, lower_wanted(env, expr)
