"""A single step -> who sees and learns what by it, and what everybody notices that should be a secret."""

from collections.abc import Callable, Iterable

from attrs import evolve, frozen

from rulespec.core import tree
from rulespec.core.tree import Op, Target
from rulespec.diagnostics import Related
from rulespec.secrets.exposing import Step, complement, expose, expose_to
from rulespec.secrets.facts import (
    UNTOUCHED,
    Run,
    Touched,
    contents,
    contents_key,
    counted_by,
    counters,
    faces,
    identity,
    is_pool,
    knowers,
    looks,
    may_overlap,
    seers,
    teach,
    teach_contents,
    teach_faces,
    trim,
    viewers,
)
from rulespec.secrets.joining import joined
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
from rulespec.secrets.parts import Env, holds_pieces, in_sight, is_elsewhere, look_alike
from rulespec.secrets.reading import evaluate, read
from rulespec.source import Span, text_of


def give(
    env: Env, target: Target, value: Value, span: Span, *, is_decided: bool = False
) -> Touched:
    """A local or a variable is given a value; to a hidden one, what somebody or chance `is_decided` for it."""
    run, state, frame = env.run, env.state, env.frame
    indices = [evaluate(env, each) for each in target.indices]
    which: Sources = NOTHING
    for index, each in zip(indices, target.indices, strict=True):
        which |= identity(run, state, index, each.span)
    keys = tuple(each.key for each in indices)
    value = traced(value, target.name, span)
    if target.variable is None:
        if target.slot is None:
            raise AssertionError("a target is a slot or a variable")
        if keys:
            _give_member(env, f"slot {frame} {target.slot}", Given(value, keys, which, span))
            older = state.slots.get((frame, target.slot))
            if older is not None:
                state.slots[frame, target.slot] = joined(
                    run, run.keys.fresh(target.name), evolve(older, generic=None), value, which
                )
            else:
                state.slots[frame, target.slot] = evolve(
                    value, which=value.which | which, size=value.size | which
                )
        else:
            state.slots[frame, target.slot] = value
        return UNTOUCHED
    given = Given(value, keys, which, span, is_decided)
    if target.variable in run.hidden:
        return _hide_variable(env, target.variable, given)
    return _publish_variable(env, target, given)


@frozen
class Given:
    """A value that is given to one member of a family, which `which` decides, or to what has no members."""

    value: Value
    keys: tuple[Key, ...]
    which: Sources
    span: Span
    is_decided: bool = False


def _give_member(env: Env, name: str, given: Given) -> None:
    run, state = env.run, env.state
    place = Place(name, given.keys)
    for other in [each for each in state.members if each[0] == name]:
        if may_overlap(run, state, place, Place(name, other[1])):
            del state.members[other]
    if not given.which:
        state.members[name, given.keys] = given.value


def _publish_variable(env: Env, target: Target, given: Given) -> Touched:
    """A variable is given a value for all to see; of pieces only how many."""
    run, state = env.run, env.state
    name, value, which = target.variable or "", given.value, given.which
    state.serial = run.keys.fresh("")
    pieces = holds_pieces(target.type)
    # Of pieces one sees which they are, but must not see why it is these.
    what = value.size | value.which | _elsewhere(state, value)
    told = (what if pieces else identity(run, state, value, given.span)) | which
    expose(env, Step("variable", name, given.span, (value.key, *given.keys)), told)
    if pieces:
        kept = evolve(value, size=NOTHING)
        seen = in_sight(env, value)
        # Of several pieces one sees which faces they have, not which of them is whose.
        alone = value.parts if len(value.parts) == 1 and seen != NOBODY else ()
        for part in alone:
            teach_faces(run, state, part, seen)
            if run.unique:
                for source in part.which:
                    if source.key is not None and source.kind in ("choice", "chance"):
                        teach(run, state, source.key, seen)
    else:
        key = value.key
        taught = {key, counted_by(run, key)}
        if any(each.key in taught for each in trim(run, state, told)):
            # That all see it here is what is wrong: it does not make up for itself.
            key = run.keys.fresh(name)
        kept = Value(key, apart=value.apart, everybody=value.everybody)
        teach(run, state, key, EVERYONE)
    if given.keys:
        _give_member(env, name, evolve(given, value=kept))
        older = state.variables.get(name) or Value(run.keys.make("variable", name, shown=name))
        hidden = which if pieces else NOTHING
        state.variables[name] = evolve(
            joined(run, run.keys.fresh(name), older, kept, hidden), size=NOTHING
        )
    else:
        state.variables[name] = kept
    return Touched(frozenset({name}))


def _hide_variable(env: Env, name: str, given: Given) -> Touched:
    """A hidden variable is given a value: only those who see it notice, and learn what it is.

    What it holds is a secret from now on, whatever it was made of; but who knew the value before still does.
    """
    run, state, value = env.run, env.state, given.value
    state.serial = run.keys.fresh("")
    step, seen = Step("variable", name, given.span), viewers(run, name, given.keys)
    told = identity(run, state, value, given.span)
    expose_to(env, step, NOTHING if given.is_decided else told, seen)
    if seen != NOBODY:  # of a family everyone notices whether it was their own member
        expose(env, step, given.which, unnoticed=EVERYONE)
    teach(run, state, value.key, knowers(run, state, told))
    kept = Value(value.key, apart=value.apart, everybody=value.everybody)
    if given.keys:
        _give_member(env, name, evolve(given, value=kept))
        older = state.variables.get(name) or Value(run.keys.make("variable", name, shown=name))
        state.variables[name] = evolve(
            joined(run, run.keys.fresh(name), older, kept, NOTHING), size=NOTHING
        )
    else:
        state.variables[name] = kept
    return Touched(frozenset({name}))


def forget_variable(run: Run, state: State, name: str) -> None:
    state.variables[name] = Value(run.keys.fresh(name))
    state.serial = run.keys.fresh("")
    for other in [each for each in state.members if each[0] == name]:
        del state.members[other]


def traced(value: Value, name: str, span: Span) -> Value:
    """The value of a local, with the place where it got its pieces."""
    if not value.parts:
        return value
    path = (Related(f"`{name}` gets its pieces here", span),)
    return evolve(value, parts=tuple(evolve(part, name=name, path=path) for part in value.parts))


def move(env: Env, node: tree.Move) -> Touched:
    """Pieces are moved, one after the other."""
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
    # Who sees the pieces need not know why it is these, or why they go there.
    why = moved.which | zone.which | position | _elsewhere(state, moved)
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
    """What a step names by where it takes place, and by which pieces it is about, if all have seen these before."""
    indices = (key for place in places for key in place.indices)
    return (*indices, pieces.key) if seen.everyone else (*indices,)


def _expose_to_all(
    env: Env, step: Step, noticed: Audience, told: tuple[Sources, Audience], why: Sources
) -> None:
    """A step tells those who notice it how many pieces, if they do not see that anyway, and why these."""
    if noticed == NOBODY:
        return
    # Pieces that are moved or shown tell which of them chance has drawn.
    what = frozenset(each for each in told[0] if each.kind != "chance")
    for others in complement(noticed):
        expose(env, step, what, unite(told[1], others), unnoticed=others)
        expose(env, step, why, others, unnoticed=others)


def _expose_place(env: Env, step: Step, noticed: Audience, pieces: Value, which: Sources) -> None:
    """Of a step that only some players notice each player notices whether it was at their own zone."""
    if noticed != NOBODY and not noticed.everyone:
        where = which.union(*(part.where for part in pieces.parts))
        expose(env, step, where, unnoticed=EVERYONE)


def _but_order(sources: Sources) -> Sources:
    """Sources without the order of pools, which is told apart: see `_expose_order`."""
    return frozenset(each for each in sources if each.kind != "order")


def _elsewhere(state: State, moved: Value) -> Sources:
    """What lies elsewhere, or is no piece, and decides which pieces they are: to see them all tells something of it."""
    return frozenset(
        each for part in moved.parts for each in part.which if is_elsewhere(state, part, each)
    )


def _arriving(run: Run, goal: Place, moved: Value, node: tree.Move) -> Audience:
    """Who sees the pieces where they come to lie."""
    row = run.zones.get(goal.zone)
    if row is not None and row.seen_by == "top":
        single = len(moved.parts) == 1 and moved.parts[0].one
        is_top = not node.under and node.position is None
        return EVERYONE if single and is_top else NOBODY
    return seers(run, goal)


def _expose_order(env: Env, moved: Value, span: Span, noticed: Audience) -> None:
    """The first pieces of a pool are moved or shown: their faces decided which those are."""
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
    """Pieces are moved: where they lie now, who has seen them, and what is no longer known."""
    run, state = env.run, env.state
    aware = who_is_aware(env, moved)
    seen = intersect(unite(arriving, in_sight(env, moved)), aware)
    # Who knows the faces of all that is moved.
    known = unite(seen, knowers(run, state, looks(run, state, moved)))
    counted = unite(seen, knowers(run, state, moved.size))
    taken = but_own(moved.size, {place for part in moved.parts for place in part.places})
    counted = unite(counted, intersect(counters(run, goal), knowers(run, state, taken)))
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
    if not is_pool(run, goal) and not known.everyone and not look_alike(run, pieces.type):
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
                # Of a pool one sees which faces have come, not which of them is whose.
                told = intersect(seen, knowers(run, state, part.which))
            teach_faces(run, state, part, told)
            teach_which(run, state, moved, seen)
    for place, audience in left.items():
        if not may_overlap(run, state, place, goal):
            teach_contents(run, state, place, audience)
    teach_contents(run, state, goal, intersect(lying, known))


def teach_which(run: Run, state: State, value: Value, audience: Audience) -> None:
    """Who sees a single piece knows which it is, if no other piece has its face."""
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
    """What lies in a place is changed; in one that is not known, what lies anywhere."""
    if place.zone not in run.zones:
        for zone in run.zones:
            state.writes[zone] = ((None, run.keys.fresh(zone)),)
        return
    stamp = run.keys.fresh(place.zone)
    writes = state.writes.get(place.zone, ())
    # What a secret decides was changed may be any member of the family.
    state.writes[place.zone] = ((place.indices, stamp), *writes)
    if len(writes) > 7:
        state.writes[place.zone] = ((None, stamp),)


def _sort(env: Env, moved: Value, goal: Place, span: Span) -> None:
    """A pool that is laid on a pile arrives in the order of its faces, which not everyone may know."""
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
    """A value after a move: parts that were moved for certain lie elsewhere, others may."""
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


def shuffle(env: Env, zone: Op, span: Span) -> Touched:
    run, state = env.run, env.state
    found = evaluate(env, zone)
    place = found.place or ANYWHERE
    expose(env, Step("shuffle", place.zone, span, place.indices), found.which)
    audience = knowers(run, state, faces(run, state, contents(run, state, place, NOTHING)))
    _stamp(run, state, place)
    state.sorted.pop(place, None)
    # Nobody knows any more at which place of the pile some pieces lie.
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


def show(env: Env, node: tree.Show) -> Touched:
    """Some are shown the faces of pieces; everyone learns how many, and of a pile at which places."""
    run, state = env.run, env.state
    shown = evaluate(env, node.pieces)
    audience = audience_of(env, node.players)
    told = shown.size | read(env, node.players)
    learning = intersect(audience, who_is_aware(env, shown))
    for part in shown.parts:
        seen = learning
        if len(shown.parts) > 1 and any(is_pool(run, place) for place in part.places):
            # Of a pool one sees which faces are shown, not which of them is whose.
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
    _expose_to_all(env, step, noticed, (told, audience), shown.which | _elsewhere(state, shown))
    _expose_place(env, step, noticed, shown, placing(env, node.pieces))
    _expose_order(env, shown, node.origin.span, noticed)
    return UNTOUCHED


def announce(env: Env, node: tree.Announce) -> Touched:
    """Some learn a value, and that it is announced; the others notice nothing."""
    found = evaluate(env, node.value)
    audience = audience_of(env, node.players)
    teach(env.run, env.state, found.key, audience)
    step, told = Step("announce", node.name, node.origin.span), read(env, node.players)
    for others in complement(audience):
        expose(env, step, told, others, unnoticed=others)
    return UNTOUCHED


def tell(env: Env, node: tree.Tell) -> Touched:
    """Players are told a sentence; of a piece in it they learn the face only if they see it anyway."""
    told = read(env, node.players)
    keys: list[Key] = []
    for part in node.parts:
        if isinstance(part, str):
            continue
        value = evaluate(env, part)
        keys.append(value.key)
        if not holds_pieces(part.type):
            told |= identity(env.run, env.state, value, part.span)
            continue
        told |= value.size | value.which.union(*(each.which for each in value.parts))
    listeners = audience_of(env, node.players)
    aware = knowers(env.run, env.state, told)
    if listeners != NOBODY and intersect(listeners, aware) == listeners:
        told = NOTHING
    expose(env, Step("tell", "", node.origin.span, tuple(keys)), told)
    return UNTOUCHED


def audience_of(env: Env, players: Op) -> Audience:
    """To whom something is shown; a set that is not plain counts as nobody."""
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
