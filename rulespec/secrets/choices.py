"""Chance and choices -> what the chooser must know to be asked, and who knows what was decided."""

from collections.abc import Iterable
from typing import Literal

from attrs import evolve

from rulespec.core import tree
from rulespec.core.tree import Op, Target
from rulespec.core.types import Family, Several, present
from rulespec.secrets.assigning import assign_value, forget_variable, traced
from rulespec.secrets.check_run import UNTOUCHED, Touched
from rulespec.secrets.disclosing import is_asked_once, is_heard
from rulespec.secrets.elements import Taken, one_of, own_guard
from rulespec.secrets.exposing import Step, expose, expose_question, expose_to, publish
from rulespec.secrets.facts import (
    count_sources,
    faces,
    identity,
    is_pool,
    knows,
    look_sources,
    teach_faces,
)
from rulespec.secrets.findings import Choice, Told, report_choice
from rulespec.secrets.joining import joined
from rulespec.secrets.knowledge import (
    ANYWHERE,
    EVERYONE,
    NOBODY,
    NOTHING,
    Audience,
    Key,
    Place,
    Source,
    Sources,
    Value,
    first_place,
    unite,
)
from rulespec.secrets.noticing import reasons_here
from rulespec.secrets.parts import Env, asked_by, holds_pieces, in_sight
from rulespec.secrets.reading import evaluate
from rulespec.secrets.visibility import who_sees_variable
from rulespec.source import Span, text_of


def follow_draw(env: Env, node: tree.Draw) -> Touched:
    """Chance decides. Everyone learns the value, but nobody learns which pieces were drawn.

    What is drawn for a hidden variable is told only to those who see it.
    """
    values = evaluate(env, node.values)
    if node.target.variable in env.run.hidden:
        step = Step("random", node.target.name, node.origin.span)
        seen = who_sees_variable(env.run, node.target.variable, _keys(env, node.target))
        expose_to(env, step, identity(env.run, env.state, values, node.values.span), seen)
        taken = Taken(node.target.name, node.values.span)
        value = _secretly(env, one_of(env, values, taken), node.target, NOBODY)
        return assign_value(env, node.target, value, node.origin.span, is_decided=True)
    if not holds_pieces(node.of):
        told = identity(env.run, env.state, values, node.values.span)
        expose(env, Step("random", node.target.name, node.origin.span), told)
    value = one_of(env, values, _taken(node, node.values, values, "chance", NOBODY))
    return assign_value(env, node.target, value, node.origin.span)


def follow_choice(env: Env, node: tree.Choose) -> Touched:
    run, state = env.run, env.state
    publish(run, state)
    chooser = evaluate(env, node.player)
    options = evaluate(env, node.options)
    choice = Choice(node, text_of(node.player.span), chooser.key, tuple(run.calls))
    asked = identity(run, state, chooser, node.player.span)
    others = None if node.other is None else evaluate(env, node.other.options)
    _judge(env, choice, options, asked, NOTHING if others is None else others.which)
    if is_heard(run, node):
        expose_question(env, node.target.name, node.origin.span)
    if node.target.variable in run.hidden:
        value = one_of(env, options, Taken(node.target.name, node.options.span))
        only = Audience(players=frozenset({chooser.key}))
        value = _secretly(env, value, node.target, only)
        return assign_value(env, node.target, value, node.origin.span, is_decided=True)
    who = _deciders(env, chooser.key, options)
    value = one_of(env, options, _taken(node, node.options, options, "choice", who))
    for part in value.parts:
        teach_faces(run, state, part, in_sight(env, options))
    if not node.may and node.other is None:
        state.apart |= {frozenset((value.key, run.keys.make("literal", "None")))}
    for scope in run.scopes:
        scope.asked.append(chooser.key)
        if scope.kind == "branch" or is_asked_once(run, node):
            scope.chosen.append((value.key, (scope.reads, scope.since)))
    touched = assign_value(env, node.target, value, node.origin.span)
    if node.other is None or others is None:
        return touched
    action = one_of(env, others, Taken(node.other.target.name, node.other.options.span))
    also = assign_value(env, node.other.target, action, node.origin.span)
    return Touched(touched.variables | also.variables, touched.zones | also.zones)


def follow_each(env: Env, node: tree.Each) -> Touched:
    """Several players choose at the same time: the check follows one of them, who stands for all."""
    run, state = env.run, env.state
    publish(run, state)
    players = evaluate(env, node.players)
    name = run.core.blocks[run.calls[-1].name].slots[node.seat][0]
    chooser = one_of(env, players, Taken(name, node.origin.span))
    told = asked_by(node.players, players.which)
    if is_heard(run, node):
        expose(env, Step("ask", node.target.name, node.origin.span), told)
    state.slots[env.frame, node.seat] = chooser
    options = evaluate(env, node.options)
    choice = Choice(node, name, chooser.key, tuple(run.calls))
    asked = asked_by(node.players, own_guard(run, players, chooser.key))
    _judge(env, choice, options, asked)
    if is_heard(run, node):
        expose_question(env, node.target.name, node.origin.span)
    if node.target.variable in run.hidden:
        state.slots.pop((env.frame, node.seat), None)
        return _hide_each(env, node.target.variable, chooser.key, node.origin.span)
    who = _deciders(env, chooser.key, options)
    taken = evolve(_taken(node, node.options, options, "choice", who), by=chooser.key)
    value = evolve(one_of(env, options, taken), generic=chooser.key)
    state.slots.pop((env.frame, node.seat), None)
    return _give_each(env, node, traced(value, node.target.name, node.origin.span))


def _secretly(env: Env, value: Value, target: Target, audience: Audience) -> Value:
    """A value that was decided in secret and that only these players know."""
    name = target.variable or ""
    own = Source(value.key, audience, kind="secret", place=Place(name, _keys(env, target)))
    return evolve(value, which=frozenset({own}), size=frozenset({own}))


def _keys(env: Env, target: Target) -> tuple[Key, ...]:
    return tuple(evaluate(env, each).key for each in target.indices)


def _hide_each(env: Env, name: str, chooser: Key, span: Span) -> Touched:
    """Store what each player has chosen in a hidden family: only those who see a member learn its value."""
    expose_to(
        env, Step("variable", name, span), NOTHING, who_sees_variable(env.run, name, (chooser,))
    )
    forget_variable(env.run, env.state, name)
    return Touched(frozenset({name}))


def _give_each(env: Env, node: tree.Each, value: Value) -> Touched:
    """Store what each player has chosen in the members of a family."""
    run, state, target = env.run, env.state, node.target
    if target.variable is None:
        if target.slot is None:
            raise AssertionError("a target is a slot or a variable")
        family = f"slot {env.frame} {target.slot}"
        for member in [each for each in state.members if each[0] == family]:
            del state.members[member]
        state.slots[env.frame, target.slot] = value
        return UNTOUCHED
    expose(env, Step("variable", target.variable, node.origin.span), NOTHING)
    older = state.variables.get(target.variable)
    forget_variable(run, state, target.variable)
    if value.parts and older is not None and older.parts:
        key = run.keys.fresh(target.name)
        value = joined(run, key, evolve(older, generic=None), evolve(value, generic=None), NOTHING)
    if value.parts:
        state.variables[target.variable] = value
    return Touched(frozenset({target.variable}))


def _taken(
    node: tree.Draw | tree.Choose | tree.Each,
    values: Op,
    found: Value,
    kind: Literal["choice", "chance"],
    who: Audience,
) -> Taken:
    name = node.target.name
    places = frozenset(place for part in found.parts for place in part.places)
    source = Source(None, who, kind=kind, place=first_place(places), name=name, span=values.span)
    one = not isinstance(present(node.of), Several | Family)
    return Taken(name, values.span, source, one)


def _deciders(env: Env, chooser: Key, options: Value) -> Audience:
    """Who knows which option was chosen. All may see its face, but a piece elsewhere may have the same face."""
    who = Audience(players=frozenset({chooser}))
    if not options.parts:
        return EVERYONE
    places = {place for part in options.parts for place in part.places}
    alone = len(places) == 1 and all(is_pool(env.run, place) for place in places)
    return unite(who, in_sight(env, options)) if env.run.unique or alone else who


def _judge(
    env: Env, choice: Choice, options: Value, asked: Sources, others: Sources = NOTHING
) -> None:
    """Report what a chooser would learn by being asked; `others` are sources that the offered actions reveal."""
    run, state, node = env.run, env.state, choice.node

    def hidden(sources: Iterable[Source]) -> list[Source]:
        return [each for each in sources if not knows(run, state, each, choice.player)]

    decides = hidden((options.which | count_sources(options.size) | others) - asked)
    offered: list[Source] = []
    for part in options.parts:
        if not run.unique and (len(part.places) > 1 or ANYWHERE in part.places):
            # Pieces that look alike are one option if they lie together, and several options otherwise.
            decides += hidden(part.where)
        unseen = hidden(faces(run, state, part, node.options.span))
        selected = (
            [] if part.whole else hidden(each for each in part.needs if each.span is not None)
        )
        if unseen and any(each.kind in ("face", "order", "fact") for each in selected):
            decides += selected
        else:
            offered += unseen
    prompts: list[tuple[Op, list[Source]]] = []
    for each in node.prompt:
        if not isinstance(each, str):
            found = hidden(look_sources(run, state, evaluate(env, each[0]), each[0].span))
            prompts += [(each[0], found)] if found else []
    told = Told(decides, offered, prompts, hidden(asked | reasons_here(run)))
    report_choice(run, state, choice, told)
