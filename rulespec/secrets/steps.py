"""A single step and the state before it -> who learns what from it, and which secrets it reveals."""

from collections.abc import Callable, Iterable

from attrs import evolve

from rulespec.core import tree
from rulespec.core.tree import Op
from rulespec.secrets.check_run import UNTOUCHED, Run, Touched
from rulespec.secrets.comparing import may_overlap
from rulespec.secrets.elements import lies_elsewhere
from rulespec.secrets.exposing import Step, complement, expose
from rulespec.secrets.facts import (
    contents,
    contents_key,
    face_key,
    faces,
    identity,
    is_pool,
    knowers,
    look_sources,
    teach,
    teach_contents,
    teach_faces,
)
from rulespec.secrets.knowledge import (
    ANYWHERE,
    EVERYONE,
    NOBODY,
    NOTHING,
    Audience,
    Exposure,
    Key,
    Part,
    Place,
    Source,
    Sources,
    State,
    Value,
    first_place,
    in_reading_order,
    intersect,
    unite,
)
from rulespec.secrets.noticing import but_own, placing, who_is_aware, who_notices
from rulespec.secrets.parts import Env, all_look_alike, holds_pieces, in_sight
from rulespec.secrets.reading import evaluate, sources_of
from rulespec.secrets.visibility import who_counts, who_sees
from rulespec.source import Span, text_of


def follow_move(env: Env, node: tree.Move) -> Touched:
    """Move pieces, one after the other."""
    run, state, span = env.run, env.state, node.origin.span
    moved = evaluate(env, node.pieces)
    zone = evaluate(env, node.zone)
    position = NOTHING if node.position is None else evaluate(env, node.position).which
    goal = zone.place or ANYWHERE
    arriving = _arriving(run, goal, moved, node)
    leaving = in_sight(env, moved)
    told = moved.size
    for part in moved.parts:
        if not all(is_pool(run, place) for place in part.places):
            told |= part.which | part.where
        if len(part.places) > 1 or ANYWHERE in part.places:
            told |= part.where
    # Players who see the pieces do not thereby know why these were moved, or why to that place.
    why = moved.which | zone.which | position | sources_elsewhere(state, moved)
    places = {place for part in moved.parts for place in part.places}
    step = Step("move", goal.zone, span, _seen_keys(moved, leaving, {goal, *places}))
    noticed = who_notices(run, {goal, *places})
    told = but_own(_but_order(told), places)
    _expose_to_all(env, step, noticed, (told, unite(arriving, leaving)), why)
    _expose_place(env, step, noticed, moved, zone.which | placing(env, node.pieces))
    _expose_order(env, moved, span, noticed)
    _relocate(env, moved, goal, arriving, node.pieces)
    zones = frozenset({goal.zone, *(place.zone for place in places)})
    return Touched(zones=zones, several=not all(part.one for part in moved.parts))


def _seen_keys(pieces: Value, seen: Audience, places: Iterable[Place]) -> tuple[Key, ...]:
    """The keys that a step reveals by its place, and by its pieces if everyone sees them."""
    indices = (key for place in places for key in place.indices)
    return (*indices, pieces.key) if seen.everyone else (*indices,)


def _expose_to_all(
    env: Env, step: Step, noticed: Audience, told: tuple[Sources, Audience], why: Sources
) -> None:
    """Record what a step reveals to those who notice it: how many pieces, unless they see that, and why these."""
    if noticed == NOBODY:
        return
    # Moving or showing pieces reveals which ones chance has drawn, as it should.
    what = frozenset(each for each in told[0] if each.kind != "chance")
    for others in complement(noticed):
        expose(env, step, what, unite(told[1], others), unnoticed=others)
        expose(env, step, why, others, unnoticed=others)


def _expose_place(env: Env, step: Step, noticed: Audience, pieces: Value, which: Sources) -> None:
    """Record that each player notices whether a step that only some notice took place at their own zone."""
    if noticed != NOBODY and not noticed.everyone:
        where = which.union(*(part.where for part in pieces.parts))
        expose(env, step, where, unnoticed=EVERYONE)


def _but_order(sources: Sources) -> Sources:
    """Sources without the order of pools, which `_expose_order` reports separately."""
    return frozenset(each for each in sources if each.kind != "order")


def sources_elsewhere(state: State, moved: Value) -> Sources:
    """Sources that decide which pieces these are and lie elsewhere: seeing the pieces tells something about them."""
    return frozenset(
        each for part in moved.parts for each in part.which if lies_elsewhere(state, part, each)
    )


def _arriving(run: Run, goal: Place, moved: Value, node: tree.Move) -> Audience:
    """Who sees the pieces where they arrive."""
    row = run.zones.get(goal.zone)
    if row is not None and row.seen_by == "top":
        single = len(moved.parts) == 1 and moved.parts[0].one
        is_top = not node.under and node.position is None
        return EVERYONE if single and is_top else NOBODY
    return who_sees(run, goal)


def _expose_order(env: Env, moved: Value, span: Span, noticed: Audience) -> None:
    """Record what it reveals to move or show the first pieces of a pool: their faces decided which those are."""
    run, state = env.run, env.state
    for part in moved.parts:
        found = frozenset(
            each
            for each in part.which
            if each.kind == "order" and not knowers(run, state, frozenset({each})).everyone
        )
        if found:
            name = min(found, key=in_reading_order).place
            calls, zone = tuple(run.calls), name.zone if name else ""
            for others in complement(noticed) if noticed != NOBODY else ():
                state.pending |= {Exposure("order", zone, span, found, others, calls)}


def _relocate(env: Env, moved: Value, goal: Place, arriving: Audience, pieces: Op) -> None:
    """Update the state for moved pieces: where they lie now, who has seen them, and what is no longer known."""
    run, state = env.run, env.state
    aware = who_is_aware(env, moved)
    seen = intersect(unite(arriving, in_sight(env, moved)), aware)
    # Players who know the faces of all the pieces that move.
    known = unite(seen, knowers(run, state, look_sources(run, state, moved)))
    counted = unite(seen, knowers(run, state, moved.size))
    taken = but_own(moved.size, {place for part in moved.parts for place in part.places})
    counted = unite(counted, intersect(who_counts(run, goal), knowers(run, state, taken)))
    counted = intersect(counted, aware)
    lying = knowers(run, state, faces(run, state, contents(run, state, goal, NOTHING)))
    left: dict[Place, Audience] = {}
    for part in moved.parts:
        for place in part.places:
            if place.zone not in run.zones:
                _stamp(run, state, place)
                continue
            if part.key is contents_key(run, state, place) and not moved.which:
                left[place] = aware
                continue
            old = knowers(run, state, faces(run, state, contents(run, state, place, NOTHING)))
            gone = known
            if not is_pool(run, place):
                gone = knowers(run, state, part.which | moved.which)
            left[place] = intersect(old, gone)
    if not is_pool(run, goal) and not known.everyone and not all_look_alike(run, pieces.type):
        _sort(env, moved, goal, pieces.span)
    for place in [*left, goal]:
        _stamp(run, state, place)
    change_values(state, lambda value: _carried(run, state, value, moved, goal))
    for part in moved.parts:
        if seen != NOBODY or run.uncounted:
            teach(run, state, run.keys.make("size", part.key), counted)
        if seen != NOBODY:
            told = seen
            if len(moved.parts) > 1 and is_pool(run, goal):
                # In a pool, players see which faces arrived but not which part a face belongs to.
                told = intersect(seen, knowers(run, state, part.which))
            teach_faces(run, state, part, told)
            teach_which(run, state, moved, seen)
    for place, audience in left.items():
        if not may_overlap(run, state, place, goal):
            teach_contents(run, state, place, audience)
    teach_contents(run, state, goal, intersect(lying, known))


def teach_which(run: Run, state: State, value: Value, audience: Audience) -> None:
    """Record that an audience that sees a single piece knows which one it is, if no other piece has its face."""
    if run.unique and len(value.parts) == 1 and value.parts[0].one:
        teach(run, state, run.keys.make("which", value.parts[0].key), audience)


def change_values(state: State, change: Callable[[Value], Value]) -> None:
    """Change all values that hold pieces."""
    for slot, value in state.slots.items():
        state.slots[slot] = change(value) if value.parts else value
    for name, value in state.variables.items():
        state.variables[name] = change(value) if value.parts else value
    for member, value in state.members.items():
        state.members[member] = change(value) if value.parts else value


def _stamp(run: Run, state: State, place: Place) -> None:
    """Mark the contents of a place as changed; if the place is unknown, mark those of every zone."""
    if place.zone not in run.zones:
        for zone in run.zones:
            state.writes[zone] = ((None, run.keys.fresh(zone)),)
        return
    stamp = run.keys.fresh(place.zone)
    writes = state.writes.get(place.zone, ())
    # If a secret decides which member was changed, it may be any member of the family.
    state.writes[place.zone] = ((place.indices, stamp), *writes)
    if len(writes) > 7:
        state.writes[place.zone] = ((None, stamp),)


def _sort(env: Env, moved: Value, goal: Place, span: Span) -> None:
    """Note that a pool that is laid on a pile arrives in the order of its faces, which may be hidden."""
    run, state = env.run, env.state
    for part in moved.parts:
        places = frozenset(
            each for each in part.places if each.zone in run.zones and is_pool(run, each)
        )
        if places and not part.one:
            own = Source(
                None, NOBODY, kind="order", place=first_place(places), name=part.name, span=span
            )
            state.sorted[goal] = state.sorted.get(goal, NOTHING) | {own}
        for laid, found in [*state.sorted.items()]:
            if any(may_overlap(run, state, laid, each) for each in part.places):
                state.sorted[goal] = state.sorted.get(goal, NOTHING) | found


def _carried(run: Run, state: State, value: Value, moved: Value, goal: Place) -> Value:
    """A value after a move: its parts that certainly moved lie in the goal now, and others may."""
    keys = {part.key for part in moved.parts}
    parts: list[Part] = []
    for part in value.parts:
        certain = part.key in keys or bool(part.roots & keys)
        touched = certain or any(
            may_overlap(run, state, one, other)
            for one in part.places
            for each in moved.parts
            for other in each.places
        )
        if certain and not moved.which:
            parts.append(evolve(part, places=frozenset({goal}), whole=False))
        elif touched:
            where = part.where | part.which | moved.which
            for each in moved.parts:
                where |= each.which
            parts.append(evolve(part, places=part.places | {goal}, where=where, whole=False))
        else:
            parts.append(part)
    return evolve(value, parts=tuple(parts))


def follow_shuffle(env: Env, zone: Op, span: Span) -> Touched:
    run, state = env.run, env.state
    found = evaluate(env, zone)
    place = found.place or ANYWHERE
    expose(env, Step("shuffle", place.zone, span, place.indices), found.which)
    audience = knowers(run, state, faces(run, state, contents(run, state, place, NOTHING)))
    _stamp(run, state, place)
    state.sorted.pop(place, None)
    # From now on nobody knows where in the pile certain pieces lie.
    lost = frozenset({Source(None, NOBODY, kind="place", place=place, span=span)})
    change_values(state, lambda value: _lost(run, state, value, place, lost))
    if is_pool(run, place):
        teach_contents(run, state, place, audience)
    return Touched(zones=frozenset({place.zone}))


def _lost(run: Run, state: State, value: Value, place: Place, lost: Sources) -> Value:
    if not any(
        may_overlap(run, state, place, each) for part in value.parts for each in part.places
    ):
        return value
    parts = tuple(evolve(part, where=part.where | lost) for part in value.parts)
    return evolve(value, parts=parts)


def follow_show(env: Env, node: tree.Show) -> Touched:
    """Show the faces of pieces to some players; everyone learns how many, and for a pile at which positions."""
    run, state = env.run, env.state
    shown = evaluate(env, node.pieces)
    audience = audience_of(env, node.players)
    told = shown.size | sources_of(env, node.players)
    learning = intersect(audience, who_is_aware(env, shown))
    for part in shown.parts:
        seen = learning
        if len(shown.parts) > 1 and any(is_pool(run, place) for place in part.places):
            # In a pool, players see which faces are shown but not which part a face belongs to.
            seen = intersect(learning, knowers(run, state, part.which))
        teach_faces(run, state, part, seen)
        teach_which(run, state, shown, seen)
        teach(run, state, run.keys.make("size", part.key), learning)
        if not all(is_pool(run, place) for place in part.places):
            told |= part.which | part.where
        if len(part.places) > 1:
            told |= part.where
    places = {place for part in shown.parts for place in part.places}
    keys = _seen_keys(shown, in_sight(env, shown), places)
    step = Step("show", text_of(node.pieces.span), node.origin.span, keys)
    noticed = unite(audience, who_notices(run, places))
    told = but_own(_but_order(told), places)
    _expose_to_all(
        env, step, noticed, (told, audience), shown.which | sources_elsewhere(state, shown)
    )
    _expose_place(env, step, noticed, shown, placing(env, node.pieces))
    _expose_order(env, shown, node.origin.span, noticed)
    return UNTOUCHED


def follow_announce(env: Env, node: tree.Announce) -> Touched:
    """Announce a value to some players; the others do not notice that."""
    found = evaluate(env, node.value)
    audience = audience_of(env, node.players)
    teach(env.run, env.state, found.key, audience)
    step, told = Step("announce", node.name, node.origin.span), sources_of(env, node.players)
    for others in complement(audience):
        expose(env, step, told, others, unnoticed=others)
    return UNTOUCHED


def follow_tell(env: Env, node: tree.Tell) -> Touched:
    """Tell players a sentence; they learn the face of a piece in it only if they see the piece anyway."""
    told = sources_of(env, node.players)
    keys: list[Key] = []
    for part in node.parts:
        if isinstance(part, str):
            continue
        value = evaluate(env, part)
        keys.append(value.key)
        if not holds_pieces(part.type):
            told |= identity(env.run, env.state, value, part.span)
            continue
        if not _is_shown_to_all(env, value):
            told |= value.size | value.which.union(*(each.which for each in value.parts))
    listeners = audience_of(env, node.players)
    aware = knowers(env.run, env.state, told)
    if listeners != NOBODY and intersect(listeners, aware) == listeners:
        told = NOTHING
    expose(env, Step("tell", "", node.origin.span, tuple(keys)), told)
    return UNTOUCHED


def _is_shown_to_all(env: Env, value: Value) -> bool:
    """Whether all have seen the face of this very piece: a sentence says no more of a piece than its face."""
    if len(value.parts) != 1 or not value.parts[0].one:
        return False
    return env.state.known.get(face_key(env.run, value.parts[0].key), NOBODY).everyone


def audience_of(env: Env, players: Op) -> Audience:
    """The players to whom something is shown; nobody, if their set is not plain."""
    match players.name:
        case "seats" | "order":
            return EVERYONE
        case "others":
            return Audience(but=frozenset({evaluate(env, players.operands[0]).key}))
        case "single" | "perhaps" | "needed":
            inner = players.operands[0]
            if inner.name in ("needed", "single", "perhaps"):
                return (
                    audience_of(env, inner)
                    if inner.name != "needed"
                    else Audience(players=frozenset({evaluate(env, inner).key}))
                )
            return Audience(players=frozenset({evaluate(env, inner).key}))
        case "list" | "union":
            audience = NOBODY
            for each in players.operands:
                audience = unite(audience, audience_of(env, each))
            return audience
        case _:
            return NOBODY
