"""Worked examples -> steps that the engine can run.

Implements docs/language/9-examples.md. A pick or a `given` may ask for a value or for the look
of pieces; the engine decides which, once it knows the options.
"""

from collections.abc import Iterator
from typing import assert_never

from attrs import evolve

from rulespec.checking.declarations import Declared, seat_names
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import compared_faces
from rulespec.checking.scopes import Scope, bind_names, seat_players, silent
from rulespec.core import examples, types
from rulespec.core.tree import Op, Origin
from rulespec.core.types import Type, element, present
from rulespec.elaboration.conversions import as_look, as_set
from rulespec.elaboration.environment import Environment, FrameLayout
from rulespec.elaboration.expressions import elaborate, elaborate_condition
from rulespec.elaboration.origins import texts_of
from rulespec.elaboration.statements import elaborate_call, indexed, variable_target
from rulespec.source import text_of
from rulespec.syntax import nodes


def elaborate_example(
    scope: Scope, declared: Declared[nodes.Example], members: dict[str, int]
) -> examples.ExampleRow:
    """An example with its seats; without names, the engine numbers them."""
    example = declared.node
    names = [name.text for name in seat_names(example)]
    title = example.title.value
    origin = Origin(f'example "{title}"', example.span, texts_of(example.cites))
    inner = seat_players(silent(scope), names)
    places = {name: Op("literal", value=seat) for seat, name in enumerate(names)}
    env = Environment(inner, places, FrameLayout(), members, origin)
    steps: list[examples.GivenStep | examples.RunStep | examples.ExpectStep] = []
    result: Type = types.Unknown()
    for step in example.steps:
        here = evolve(origin, span=step.span)
        match step:
            case nodes.Given(place, value):
                steps.append(_given(env, place, value, here))
            case nodes.Run(call, picks):
                result = _gives(env, call)
                env = evolve(env, scope=bind_names(env.scope, {"result": result}))
                env = evolve(env, places={**env.places, "result": Op("result")})
                run = elaborate_call(env, call, None, here)
                picked = tuple(_pick(env, each) for each in picks if isinstance(each, nodes.Pick))
                asked = [_asked(env, each) for each in picks if isinstance(each, nodes.Asked)]
                stop = asked[0] if asked else None
                steps.append(examples.RunStep(run, picked, stop, result, here))
            case nodes.Expect(condition):
                steps.append(examples.ExpectStep(tuple(_expect(env, condition)), here))
            case nodes.Seats():
                pass  # their names are in scope from the first step
            case _:
                assert_never(step)
    return examples.ExampleRow(title, tuple(names), tuple(steps), env.frame.scratch, origin)


def _expect(env: Environment, condition: nodes.Expr) -> Iterator[examples.ExpectPart]:
    """The conditions joined by `and`, each with the two sides that it compares."""
    if isinstance(condition, nodes.And):
        for operand in condition.operands:
            yield from _expect(env, operand)
        return
    sides: list[examples.Side] = []
    if isinstance(condition, nodes.Compare):
        named = compared_faces(env.scope, condition)
        for side in (condition.left, condition.right) if named is None else (named.pieces,):
            value = elaborate(env, side)
            if not isinstance(element(value.type), types.Face | types.Never) and not isinstance(
                value.type, types.Family
            ):
                shown = as_set(value) if isinstance(value.type, types.Place) else value
                sides.append(examples.Side(shown, shown.type, text_of(side.span)))
    op = elaborate_condition(env, condition)
    yield examples.ExpectPart(op, tuple(sides), text_of(condition.span), span=condition.span)


def _gives(env: Environment, call: nodes.Call) -> Type:
    routine = env.scope.known.program.routines[call.function.text]
    node = routine.versions[-1].node
    if isinstance(node, nodes.Rule) and node.result is not None:
        return declared_type(env.scope.known, node.result)
    return types.Unknown()


def _given(
    env: Environment, place: nodes.Expr, value: nodes.Expr, origin: Origin
) -> examples.GivenStep:
    wanted = elaborate_wanted(env, value)
    zone = elaborate(env, place)
    if isinstance(zone.type, types.Place):
        return examples.GivenStep(zone, None, wanted, origin)
    name, indices = indexed(place)
    return examples.GivenStep(None, variable_target(env, name.text, indices), wanted, origin)


def _pick(env: Environment, pick: nodes.Pick) -> examples.PickStep:
    options = None if pick.options is None else elaborate_wanted(env, pick.options)
    name = pick.player.text
    player = "" if name == "chance" and name not in env.places else name
    return examples.PickStep(player, elaborate_wanted(env, pick.value), options, span=pick.span)


def _asked(env: Environment, asked: nodes.Asked) -> examples.AskedStep:
    options = None if asked.options is None else elaborate_wanted(env, asked.options)
    return examples.AskedStep(asked.player.text, options, span=asked.span)


def elaborate_wanted(env: Environment, expr: nodes.Expr) -> examples.Wanted:
    """What an expression asks for: as a value, as a look, or both if it can be either."""
    text = text_of(expr.span)
    op = elaborate(env, expr)
    found = op.type
    if isinstance(expr, nodes.List):
        items = tuple(_item(env, item) for item in expr.items)
        return examples.Wanted(None, None, items, text, found, span=expr.span)
    inner = element(found) if not isinstance(found, types.Unknown) else None
    value = None if isinstance(inner, types.Face) else op
    look = None
    if isinstance(found, types.Place):
        value = as_set(op)
    elif isinstance(found, types.Several) and isinstance(inner, types.Choice | types.Piece):
        pass  # each of them
    elif isinstance(inner, types.Face | types.Choice | types.Piece) or isinstance(
        present(found), types.Never
    ):
        look = as_look(env, op)
    members = isinstance(found, types.Several) and isinstance(inner, types.Choice)
    return examples.Wanted(value, look, None, text, found, members, span=expr.span)


def _item(env: Environment, expr: nodes.Expr) -> tuple[int, examples.Wanted]:
    """An item of a list and how many of it: `2 * ira` is two."""
    if isinstance(expr, nodes.Product) and isinstance(expr.left, nodes.Number):
        return expr.left.value, elaborate_wanted(env, expr.right)
    return 1, elaborate_wanted(env, expr)
