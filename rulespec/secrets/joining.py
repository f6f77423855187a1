"""The states of two ways that meet -> the state after them: its values, its zones, and what each player knows.

After a branch or a loop only what holds on every way may be relied on.
"""

from collections.abc import Iterable

from attrs import evolve, field, frozen

from rulespec.secrets.check_run import Run
from rulespec.secrets.facts import contents, contents_key, face_key, faces, knowers
from rulespec.secrets.knowledge import (
    ANYWHERE,
    EVERYONE,
    NOBODY,
    NOTHING,
    Exposure,
    Key,
    Part,
    Place,
    Source,
    Sources,
    State,
    Value,
    copy_state,
    forget_audience,
    intersect,
    pended,
    unite,
)
from rulespec.secrets.parts import holds_pieces, join_parts
from rulespec.secrets.visibility import who_counts, who_sees


def join_values(run: Run, one: Value, other: Value, reads: Sources) -> Value:
    """What is known of a value that is one of two values."""
    if one == other:
        return one
    if one.key is other.key:
        return joined(run, one.key, one, other, NOTHING)
    return joined(run, run.keys.fresh(one.key.shown or other.key.shown), one, other, reads)


def told_value(run: Run, state: State, value: Value) -> Value:
    """A value at the end of a way; if everyone was told it there, it depends only on which way was taken."""
    if not value.which or value.parts:
        return value
    own = Source(value.key, NOBODY)
    if not knowers(run, state, frozenset({own})).everyone:
        return value
    return evolve(value, which=NOTHING, size=NOTHING, guard=None)


def join_states(run: Run, one: State | None, other: State | None, reads: Sources) -> State | None:
    """The state where two ways meet; `None` is a way that is never taken."""
    if one is None or other is None:
        return one or other
    none = Value(run.keys.make("literal", "None"))
    state = copy_state(one)
    for place in one.slots.keys() | other.slots.keys():
        a, b = one.slots.get(place, none), other.slots.get(place, none)
        if a is not b:
            a, b = told_value(run, one, a), told_value(run, other, b)
            state.slots[place] = _moved_apart(join_values(run, a, b, reads), a, b, reads)
    for name in one.variables.keys() | other.variables.keys():
        if one.variables.get(name) is not other.variables.get(name):
            first = Value(run.keys.make("variable", name, shown=name))
            a, b = one.variables.get(name, first), other.variables.get(name, first)
            hidden = reads if holds_pieces(run.variables[name].type) else NOTHING
            joined = join_values(run, a, b, hidden)
            state.variables[name] = evolve(joined, size=NOTHING)
    state.members = {
        place: value for place, value in one.members.items() if other.members.get(place) == value
    }
    changed = {
        zone
        for zone in one.writes.keys() | other.writes.keys()
        if one.writes.get(zone) != other.writes.get(zone)
    }
    for key, audience in one.known.items():
        told = other.known.get(key, NOBODY)
        if told is not audience:
            both = intersect(audience, told)
            if both == NOBODY:
                del state.known[key]
            else:
                state.known[key] = both
    for zone in changed:
        state.writes[zone] = ((None, run.keys.fresh(zone)),)
    if changed:
        keep_contents(run, state, (one, other), changed)
    state.implied = {
        key: facts for key, facts in one.implied.items() if other.implied.get(key) == facts
    }
    state.apart, state.same = one.apart & other.apart, one.same & other.same
    state.universal = one.universal & other.universal
    state.pending = pended((*untold(run, one), *untold(run, other)))
    if one.serial != other.serial:
        state.serial = run.keys.fresh("")
    for laid, found in other.sorted.items():
        state.sorted[laid] = state.sorted.get(laid, NOTHING) | found
    return state


def joined(run: Run, key: Key, one: Value, other: Value, decides: Sources) -> Value:
    parts: tuple[Part, ...]
    mine, others = ({part.key: part for part in each.parts} for each in (one, other))
    if mine.keys() == others.keys():
        parts = tuple(joined_part(part, others[part.key]) for part in one.parts)
    else:
        parts = (join_parts(run, key, (*one.parts, *other.parts), decides),)
    return Value(
        key,
        one.which | other.which | decides,
        one.size | other.size | decides,
        parts,
        one.place if one.place == other.place else None if one.place is None else ANYWHERE,
        one.apart & other.apart,
        everybody=one.everybody and other.everybody,
        generic=one.generic if one.generic is other.generic else None,
    )


def joined_part(one: Part, other: Part) -> Part:
    if one == other:
        return one
    return evolve(
        one,
        places=one.places | other.places,
        which=one.which | other.which,
        needs=one.needs | other.needs,
        where=one.where | other.where,
        seen=intersect(one.seen, other.seen),
        one=one.one and other.one,
        whole=one.whole and other.whole,
        roots=one.roots & other.roots,
        excludes=one.excludes & other.excludes,
    )


def keep_contents(
    run: Run, state: State, ways: tuple[State, ...], zones: Iterable[str], mark: int | None = None
) -> None:
    """Players who know on all ways what lies in a zone still know it where the ways meet."""
    places = set()
    for way in ways[:1]:
        for key in way.known:
            inner = key.parts[0] if key.head == "face" else None
            if isinstance(inner, Key) and inner.head == "contents" and str(inner.parts[0]) in zones:
                zone, *indices, _ = inner.parts
                place = Place(str(zone), tuple(each for each in indices if isinstance(each, Key)))
                if contents_key(run, way, place) is inner and not who_sees(run, place).everyone:
                    places.add(place)
    for place in places:
        both = EVERYONE
        for way in ways:
            both = intersect(
                both, knowers(run, way, faces(run, way, contents(run, way, place, NOTHING)))
            )
            if both == NOBODY:
                break
        if place.zone in run.uncounted:  # the others do not notice which way was taken
            both = intersect(both, who_counts(run, place))
        if mark is not None:
            both = forget_audience(both, mark)
        if both != NOBODY:
            state.known[face_key(run, contents_key(run, state, place))] = both


def _moved_apart(value: Value, one: Value, other: Value, reads: Sources) -> Value:
    """A value whose pieces were moved on only one way: where they lie now depends on the way."""
    if not reads or not value.parts:
        return value
    before = {part.key: part.places for part in one.parts}
    after = {part.key: part.places for part in other.parts}
    parts = tuple(
        evolve(part, where=part.where | reads)
        if part.key in before and part.key in after and before[part.key] != after[part.key]
        else part
        for part in value.parts
    )
    return evolve(value, parts=parts)


@frozen
class Way:
    """One of several ways: the state at its end, those in which it is left while the game goes on, and its trust.

    `trusted` are the steps that rely on a disclosure.
    """

    end: State | None
    ends: list[State]
    trusted: list[Exposure] = field(factory=list)


def hold_to(run: Run, ways: list[Way], silent: int) -> None:
    """Make trusted steps pending unless all ways but `silent` have told everyone what they reveal, at every end."""

    def is_silent(way: Way, source: Source) -> bool:
        return any(not knowers(run, end, frozenset({source})).everyone for end in way.ends)

    for way in ways:
        for each in way.trusted:
            hidden = frozenset(
                source
                for source in each.sources
                if sum(is_silent(other, source) for other in ways) > silent
            )
            for end in way.ends if hidden else ():
                end.pending = pended((*end.pending, evolve(each, sources=hidden)))


def untold(run: Run, state: State) -> frozenset[Exposure]:
    """The public steps that reveal something that has not been told openly since."""
    left = list[Exposure]()
    for each in state.pending:
        hidden = frozenset(
            source
            for source in each.sources
            if not unite(each.seen, knowers(run, state, frozenset({source}))).everyone
        )
        if hidden:
            left.append(each if hidden == each.sources else evolve(each, sources=hidden))
    return pended(left)
