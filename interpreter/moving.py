"""Instructions that move, shuffle or show pieces -> steps that change the state.

Implements docs/language/13-semantics.md, "Steps".

Short names: `s` state, `f` frame, `c` piece, `z` zone.
"""

from collections.abc import Iterator
from itertools import permutations
from math import factorial, prod
from typing import Any

from interpreter import chance
from interpreter.errors import RuleFault
from interpreter.event_log import seers
from interpreter.layout import Layout, insert_position
from interpreter.options import ChanceNode
from interpreter.state import AT, PLAY, SLOTS, Frame, State
from interpreter.step_context import Fires, Step, StepContext, StepSite, fire, held_before
from interpreter.work import spend
from rulespec import codes
from rulespec.core import tree
from rulespec.core.tree import Origin


def make_move(site: StepSite, instruction: tree.Move) -> Step:
    context, layout = site.context, site.context.expressions.layout
    pieces, zone = site.expression(instruction.pieces), site.expression(instruction.zone)
    slot, under, origin = instruction.slot + SLOTS, instruction.under, instruction.origin
    position = None if instruction.position is None else site.expression(instruction.position)

    # [step.move]
    def move(s: State, f: Frame) -> None:
        waiting = f[slot]
        if waiting is None:
            found, target = pieces(s, f), zone(s, f)
            in_order = under or layout.is_pool[target]
            waiting = (target, found if in_order else found[::-1])
        target, rest = waiting
        at: int | str = "bottom" if under else "top"
        if position is not None:  # at most one piece moves, so no frame keeps this
            at = position(s, f) - 1
        if not rest:
            f[slot] = None
            f[AT] += 1
            return
        if len(rest) == 1:
            f[slot] = None
            f[AT] += 1
        else:
            f[slot] = (target, rest[1:])
        move_piece(context, s, rest[0], target, origin, at)

    return move


def move_piece(  # noqa: PLR0913, PLR0917 - what, whither and why
    context: StepContext, s: State, c: int, zone: int, origin: Origin, at: int | str
) -> None:
    """Take a piece from its zone and put it on top of another one, at the bottom, or below `at` others."""
    layout = context.expressions.layout
    # [fault.zone]
    holds = layout.holds[zone]
    if holds is not None and c not in holds:
        message = f"a `{layout.pieces[c].kind}` cannot lie in `{layout.zones[zone].row.name}`"
        raise RuleFault(codes.LEAVES_RANGE, message, origin.span)
    source = s.where[c]
    watching: Fires = ()
    if s.phase == PLAY:
        watching = context.zone_triggers[source]
        if context.zone_triggers[zone] != watching:
            watching = tuple(sorted({*watching, *context.zone_triggers[zone]}))
    held = held_before(context, s, watching) if watching else ()
    before = s.zones[source]
    spend(s, (len(before) + len(s.zones[zone])) // 64)  # copying is quick, but slow for large zones
    place = before.index(c)
    saw = seers(context.visibility, s, c) if s.watch is not None else 0
    s.zones[source] = before[:place] + before[place + 1 :]
    target = s.zones[zone]
    if layout.is_pool[zone]:
        s.zones[zone] = _into_pool(target, c)
    else:
        above = insert_position(at, target)
        s.zones[zone] = (*target[:above], c, *target[above:])
    s.where[c] = zone
    if s.watch is not None:
        s.watch.moved(s, c, (source, place, saw, before), zone, origin)
    if watching:
        fire(context, s, watching, held)


def _into_pool(pool: tuple[int, ...], c: int) -> tuple[int, ...]:
    """A pool is kept in canonical order, so that equal states are equal."""
    if not pool or pool[-1] < c:
        return (*pool, c)
    return tuple(sorted((*pool, c)))


def make_shuffle(site: StepSite, instruction: tree.Shuffle) -> Step:
    context = site.context
    zone, origin = site.expression(instruction.zone), instruction.origin

    # [step.shuffle]
    def shuffle(s: State, f: Frame) -> Any:
        z = zone(s, f)
        spend(s, 4 * len(s.zones[z]))
        if s.rng is None:
            if len(s.zones[z]) > 1:
                return _shuffle_node(context.expressions.layout, s.zones[z], origin)
            order = s.zones[z]
        else:
            s.rng, order = chance.shuffle(s.rng, s.zones[z])
        f[AT] += 1
        set_order(context, s, z, order, origin)
        return None

    return shuffle


def set_order(
    context: StepContext, s: State, zone: int, order: tuple[int, ...], origin: Origin
) -> None:
    """Put a zone into a new order."""
    watching = context.zone_triggers[zone] if s.phase == PLAY else ()
    held = held_before(context, s, watching) if watching else ()
    s.zones[zone] = order
    if s.watch is not None:
        s.watch.shuffled(s, zone, origin)
    if watching:
        fire(context, s, watching, held)


def _shuffle_node(layout: Layout, pieces: tuple[int, ...], origin: Origin) -> ChanceNode:
    """All orders of a pile that differ in their faces."""
    by_face: dict[int, list[int]] = {}
    for c in sorted(pieces):
        by_face.setdefault(layout.faces[c], []).append(c)
    count = factorial(len(pieces)) // prod(factorial(len(same)) for same in by_face.values())

    def outcomes() -> Iterator[tuple[tuple[int, ...], int]]:
        for faces in _arrangements([(face, len(same)) for face, same in by_face.items()]):
            supply = {face: iter(same) for face, same in by_face.items()}
            yield tuple(next(supply[face]) for face in faces), 1

    return ChanceNode("shuffle", count, count, outcomes, origin, pieces)


def _arrangements(counts: list[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """All distinct orders of faces that occur several times."""
    length = sum(n for _, n in counts)
    if all(n == 1 for _, n in counts):
        yield from permutations([face for face, _ in counts])
        return
    order: list[int] = []
    left = dict(counts)
    # For each place, the face that was tried last: backtracking without recursion.
    tried: list[Iterator[int]] = [iter([*left])]
    while tried:
        face = next((each for each in tried[-1] if left[each] > 0), None)
        if face is None:
            tried.pop()
            if order:
                left[order.pop()] += 1
            continue
        left[face] -= 1
        order.append(face)
        if len(order) == length:
            yield tuple(order)
            left[order.pop()] += 1
        else:
            tried.append(iter([*left]))


def make_show(site: StepSite, instruction: tree.Show) -> Step:
    pieces, players = site.expression(instruction.pieces), site.expression(instruction.players)
    origin = instruction.origin

    # [step.show]
    def show(s: State, f: Frame) -> None:
        found, to = pieces(s, f), players(s, f)
        spend(s, len(found))
        f[AT] += 1
        if s.watch is not None and found:
            s.watch.showed(s, found, to, origin)

    return show
