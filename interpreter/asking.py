"""Instructions that wait -> steps that ask chance, a player, or several players at once.

Implements docs/language/13-semantics.md, "Steps".

Short names: `s` state, `f` frame, `p` player, `v` value.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import evolve

from interpreter import chance, families, flat
from interpreter.actions import Action
from interpreter.errors import RuleFault
from interpreter.event_log import names_of
from interpreter.layout import Layout, is_hidden, place_in
from interpreter.options import ChanceNode, Decision, options_of, twin_of
from interpreter.state import AT, PLAY, SLOTS, Frame, State
from interpreter.step_context import (
    Fires,
    Step,
    StepContext,
    StepSite,
    fire,
    fit_to,
    held_before,
    seen_in,
    store_in,
)
from rulespec import codes
from rulespec.core import tree
from rulespec.core.tree import Origin

# ---- Chance --------------------------------------------------------------------------------------


# [fault.empty]
def _nothing(origin: Origin) -> RuleFault:
    message = f"there is nothing to choose from in `{origin.rule}`"
    return RuleFault(codes.NOTHING_TO_CHOOSE, message, origin.span)


def make_draw(site: StepSite, instruction: tree.Draw) -> Step:
    values = site.expression(instruction.values)
    of, origin = instruction.of, instruction.origin
    layout = site.context.expressions.layout
    seen = seen_in(site, instruction.target)
    finish = finish_draw(site.context, site.block, instruction)

    # [step.random]
    def draw(s: State, f: Frame) -> Any:
        found = values(s, f)
        is_family = not isinstance(found, tuple)
        count = families.count(found) if is_family else len(found)
        if count == 0:
            raise _nothing(origin)
        if s.rng is None:
            if count > 1:
                node = _random_node(layout, s, found, of, origin)
                return node if seen is None else evolve(node, seen=seen(s, f))
            number = 0
        else:
            s.rng, number = chance.below(s.rng, count)
        finish(s, f, families.member(found, number) if is_family else found[number])
        return None

    return draw


def finish_draw(
    context: StepContext, block: flat.Block, instruction: tree.Draw
) -> Callable[[State, Frame, Any], None]:
    """Build the step that takes the outcome when chance has decided."""
    site = StepSite(context, block)
    store = store_in(site, instruction.target, instruction.origin)
    seen = seen_in(site, instruction.target)
    of, origin = instruction.of, instruction.origin

    def finish(s: State, f: Frame, v: Any) -> None:
        f[AT] += 1
        if s.watch is not None:
            s.watch.drew(v, of, origin, None if seen is None else seen(s, f))
        store(s, f, v)

    return finish


def _random_node(layout: Layout, s: State, found: Any, of: Any, origin: Origin) -> ChanceNode:
    """The possible outcomes of chance; look-alikes are one outcome with a larger weight."""
    if not isinstance(found, tuple):
        count = families.count(found)
        return ChanceNode(
            "random", count, count, lambda: ((v, 1) for v in families.members(found)), origin,
            of=of,
        )  # fmt: skip
    options = options_of(layout, s, found, of)
    weights: dict[Any, int] = {}
    if options.twins is None:
        weights = dict.fromkeys(found, 1)
    else:
        first: dict[Any, int] = {}
        for piece in found:
            twin = twin_of(layout, s, piece)
            first.setdefault(twin, piece)
            weights[first[twin]] = weights.get(first[twin], 0) + 1
    outcomes = weights.items()
    return ChanceNode("random", len(found), len(weights), lambda: iter(outcomes), origin, of=of)


# ---- Choices -------------------------------------------------------------------------------------


Parts: TypeAlias = Callable[[State, Frame], tuple[Any, ...]]


def _prompt(site: StepSite, prompt: tuple[Any, ...]) -> Parts:
    """The parts of a prompt: texts, and values with their types."""
    if all(isinstance(part, str) for part in prompt):
        return lambda _s, _f: prompt
    made: list[Any] = [
        part if isinstance(part, str) else (site.expression(part[0]), part[1]) for part in prompt
    ]

    def parts(s: State, f: Frame) -> tuple[Any, ...]:
        return tuple(p if isinstance(p, str) else (p[0](s, f), p[1]) for p in made)

    return parts


def make_choice(site: StepSite, instruction: tree.Choose) -> Step:
    layout = site.context.expressions.layout
    player, values = site.expression(instruction.player), site.expression(instruction.options)
    parts = _prompt(site, instruction.prompt)
    of, may, origin = instruction.of, instruction.may, instruction.origin
    decline = instruction.decline
    others = _others(site, instruction.other)
    declined = (None,) if may else ()
    seen = seen_in(site, instruction.target)
    finish = finish_choice(site.context, site.block, instruction)

    # [step.choose]
    def choose(s: State, f: Frame) -> Any:
        options = options_of(layout, s, values(s, f), of, (*others(s, f), *declined))
        p = player(s, f)
        # [options.single]
        if len(options) == 1:
            finish(s, f, p, options[0], asked=False)
            return None
        if not len(options):
            raise _nothing(origin)
        return Decision(
            p,
            options,
            of,
            may,
            origin,
            parts(s, f),
            decline,
            layout,
            names_of(s),
            seen=None if seen is None else seen(s, f),
        )

    return choose


def finish_choice(
    context: StepContext, block: flat.Block, instruction: tree.Choose
) -> Callable[..., None]:
    """Build the step that takes the answer when a player has chosen."""
    site = StepSite(context, block)
    store = store_in(site, instruction.target, instruction.origin)
    seen = seen_in(site, instruction.target)
    of, origin, other = instruction.of, instruction.origin, instruction.other
    store_other = None if other is None else store_in(site, other.target, origin)

    def finish(s: State, f: Frame, p: int, v: Any, *, asked: bool = True) -> None:
        f[AT] += 1
        if s.watch is not None:
            who = None if seen is None else seen(s, f)
            s.watch.chose(s, p, v, of, origin, asked=asked, seen=who)
        if store_other is None:
            store(s, f, v)
            return
        # [step.alternative]
        is_other = isinstance(v, Action)
        store(s, f, None if is_other else v)
        store_other(s, f, v.value if is_other else None)

    return finish


def _others(site: StepSite, other: tree.Other | None) -> Parts:
    """The options of another type, each with its type."""
    if other is None:
        return lambda _s, _f: ()
    values, of = site.expression(other.options), other.of
    return lambda s, f: tuple(Action(v, of) for v in values(s, f))


def make_each(site: StepSite, instruction: tree.Each) -> Step:
    layout = site.context.expressions.layout
    players, values = site.expression(instruction.players), site.expression(instruction.options)
    parts = _prompt(site, instruction.prompt)
    slot, seat = instruction.slot + SLOTS, instruction.seat + SLOTS
    of, may, origin = instruction.of, instruction.may, instruction.origin
    decline = instruction.decline
    declined = (None,) if may else ()
    take = take_sealed(instruction)
    publish = _publish(site, instruction)
    seen = seen_by_each(site.context, instruction.target)

    # [step.each]
    def each(s: State, f: Frame) -> Any:
        if f[slot] is None:
            f[slot] = (players(s, f), ())
        waiting, _ = f[slot]
        if not waiting:
            publish(s, f)
            return None
        f[seat] = waiting[0]
        options = options_of(layout, s, values(s, f), of, declined)
        if len(options) == 1:
            take(s, f, waiting[0], options[0], asked=False)
            return None
        if not len(options):
            raise _nothing(origin)
        return Decision(
            waiting[0],
            options,
            of,
            may,
            origin,
            parts(s, f),
            decline,
            layout,
            names_of(s),
            simultaneous=True,
            seen=None if seen is None else seen(waiting[0]),
        )

    return each


def take_sealed(instruction: tree.Each) -> Callable[..., None]:
    """Keep a choice that only the chooser knows."""
    slot = instruction.slot + SLOTS
    of, origin = instruction.of, instruction.origin

    def take(s: State, f: Frame, p: int, v: Any, *, asked: bool = True) -> None:
        waiting, chosen = f[slot]
        f[slot] = (waiting[1:], (*chosen, (p, v)))
        if s.watch is not None:
            s.watch.chose(s, p, v, of, origin, asked=asked, seen=0)

    return take


def seen_by_each(context: StepContext, target: tree.Target) -> Callable[[int], int] | None:
    """Who will see what each player chooses; None if everybody sees all choices."""
    layout = context.expressions.layout
    if target.variable is None or not is_hidden(layout, target.variable):
        return None
    family, variables = layout.variable_families[target.variable], context.visibility.variables
    return lambda p: variables[place_in(family, (p,))]


def _publish(site: StepSite, instruction: tree.Each) -> Callable[[State, Frame], None]:
    """All have chosen: publish the choices and assign all values together."""
    context, target = site.context, instruction.target
    slot, seat = instruction.slot + SLOTS, instruction.seat + SLOTS
    of, origin = instruction.of, instruction.origin
    fit = fit_to(context, target)
    seen = seen_by_each(context, target)

    def publish(s: State, f: Frame) -> None:
        _, chosen = f[slot]
        f[slot] = f[seat] = None
        f[AT] += 1
        if s.watch is not None:
            who = None if seen is None else [seen(p) for p, _ in chosen]
            s.watch.published(s, chosen, of, origin, who)
        if fit is not None:
            chosen = tuple((p, fit(s, v)) for p, v in chosen)
        if target.slot is not None:
            f[target.slot + SLOTS] = tuple(sorted(chosen))
            return
        family = context.expressions.layout.variable_families[target.variable or ""]
        numbers = [place_in(family, (p,)) for p, _ in chosen]
        watching: Fires = ()
        if s.phase == PLAY:
            watching = tuple(sorted({t for n in numbers for t in context.variable_triggers[n]}))
        held = held_before(context, s, watching)
        for number, (_, v) in zip(numbers, chosen, strict=True):
            before, s.variables[number] = s.variables[number], v
            if s.watch is not None:
                s.watch.assigned(s, number, before, v, target.type, origin)
        fire(context, s, watching, held)

    return publish
