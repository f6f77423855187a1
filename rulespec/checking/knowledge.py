"""Who knows the faces of which pieces, at one point of a program: plain data and what changes it.

Implements docs/language/12-checks.md, "Information", as far as it can be known without playing. A `Value` says of an
expression where its pieces may lie and whose faces it was computed from; a `State` says which pieces have
been shown to whom. `faces` makes values, `visibility` runs the statements.
"""

from collections.abc import Iterable

from attrs import define, evolve, field, frozen

from rulespec.checking.declarations import Declarations
from rulespec.diagnostics import Related
from rulespec.source import Span
from rulespec.syntax import nodes

Pair = frozenset[str]
Slot = tuple[str, str]  # the frame (empty: a state variable) and the name


@frozen
class Term:
    """A player or another index, up to its name: equal terms are equal players."""

    id: str
    shown: str = field(eq=False)


@frozen
class Audience:
    """Who knows: everyone, these players, or everyone but one of those."""

    everyone: bool = False
    players: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()


NOBODY = Audience()
EVERYONE = Audience(everyone=True)


@frozen
class Place:
    """A zone, or the members of a family of zones as far as they are indexed."""

    zone: str
    indices: tuple[Term, ...] = ()
    is_top: bool = False


@frozen
class Lot:
    """Pieces that may lie in one place. `key` stands for exactly these, `within` for sets that hold them."""

    place: Place
    key: str
    within: frozenset[str] = frozenset()
    name: str | None = field(default=None, eq=False)
    path: tuple[Related, ...] = field(default=(), eq=False)


@frozen
class Read:
    """Faces that were looked at, and who knew them by then."""

    keys: frozenset[str]
    place: Place
    audience: Audience
    lot: Lot = field(eq=False)
    span: Span = field(eq=False)
    via: tuple[tuple[str, Span], ...] = field(default=(), eq=False)  # functions, the inmost first


@frozen
class Value:
    """What is known of the value of an expression before the game is played."""

    lots: frozenset[Lot] = frozenset()
    reads: frozenset[Read] = frozenset()
    term: Term | None = None
    type: str | None = None
    apart: frozenset[str] = frozenset()  # players from whom each element differs
    element: str | None = None  # the term that stands for an element, or for the index of a family
    family: Place | None = None  # the zone, if it is one
    has_faces: bool = False  # it is compared by face
    is_reference: bool = False  # a parameter of type Zone
    domain: str | None = None  # of a family of choices: whose they are


PLAIN = Value()


@define
class State:
    """What holds at one point of a program."""

    values: dict[Slot, Value] = field(factory=dict)
    known: dict[str, tuple[Audience, frozenset[Place]]] = field(factory=dict)
    versions: dict[str, str] = field(factory=dict)
    apart: frozenset[Pair] = frozenset()
    pending: dict[tuple[str, Span], frozenset[Read]] = field(factory=dict)


@frozen
class Facts:
    """What holds throughout: the zones, and which terms always differ."""

    program: Declarations
    least_players: int
    apart: set[Pair] = field(factory=set)


def copy_state(state: State) -> State:
    return State(
        dict(state.values),
        dict(state.known),
        dict(state.versions),
        state.apart,
        dict(state.pending),
    )


# ---- Players -------------------------------------------------------------------------------------


def differ(facts: Facts, state: State, one: str, other: str) -> bool:
    """Whether two terms are known to be different."""
    pair = frozenset((one, other))
    return one != other and (
        pair in facts.apart
        or pair in state.apart
        or (one.startswith("member:") and other.startswith("member:"))
    )


def includes(facts: Facts, state: State, audience: Audience, player: str) -> bool:
    """Whether a player certainly belongs to an audience."""
    return (
        audience.everyone
        or player in audience.players
        or any(differ(facts, state, player, other) for other in audience.but)
    )


def unite(one: Audience, other: Audience) -> Audience:
    if one.everyone or other.everyone:
        return EVERYONE
    return Audience(players=one.players | other.players, but=one.but | other.but)


def intersect(one: Audience, other: Audience) -> Audience:
    if one.everyone or other.everyone:
        return other if one.everyone else one
    return Audience(players=one.players & other.players, but=one.but & other.but)


# ---- Zones ---------------------------------------------------------------------------------------


def seen_by(facts: Facts, place: Place) -> Audience:
    """Who sees into a place, as its declaration says."""
    declared = facts.program.zones.get(place.zone)
    if declared is None:  # the box
        return EVERYONE
    zone = declared.node
    match zone.viewers.who:
        case "everyone":
            return EVERYONE
        case "top":
            return EVERYONE if place.is_top else NOBODY
        case "nobody":
            return NOBODY
        case who:
            owner = _owner(zone, place)
            if owner is None:
                return NOBODY
            only = frozenset((owner.id,))
            return Audience(players=only) if who == "owner" else Audience(but=only)


def _owner(zone: nodes.Zone, place: Place) -> Term | None:
    for index, term in zip(zone.indices, place.indices, strict=False):
        if isinstance(index, nodes.NamedType) and index.name.text == "Player":
            return term
    return None


def knowers(facts: Facts, state: State, lot: Lot) -> Audience:
    """Who knows the faces of a lot now."""
    audience = seen_by(facts, lot.place)
    keys = [lot.key, *lot.within]
    keys += [place_key(lot.place, n) for n in range(len(lot.place.indices) + 1)]
    for key in keys:
        if audience.everyone:
            break
        if key in state.known:
            audience = unite(audience, state.known[key][0])
    return audience


def place_key(place: Place, depth: int | None = None) -> str:
    """The key of all pieces in a place, or in a larger family, whatever they are."""
    return f"in {place.zone}" + "".join(f"[{term.id}]" for term in place.indices[:depth])


def overlap(facts: Facts, state: State, one: Place, other: Place) -> bool:
    """Whether two places may be the same, or one part of the other."""
    return one.zone == other.zone and not any(
        differ(facts, state, a.id, b.id) for a, b in zip(one.indices, other.indices, strict=False)
    )


# ---- What changes knowledge ----------------------------------------------------------------------


def teach(state: State, lots: Iterable[Lot], audience: Audience, *, in_place: bool = True) -> None:
    """These pieces are shown to an audience, and so is a zone of which they are all."""
    learnt: dict[str, Audience] = {}
    for lot in lots:
        keys = [lot.key]
        if in_place and lot.key.startswith("all "):
            keys.append(place_key(lot.place))
        for key in keys:
            before, places = state.known.get(key, (NOBODY, frozenset()))
            learnt[key] = unite(before, audience)
            state.known[key] = (learnt[key], places | {lot.place})
    for slot, value in state.values.items():
        reads = _informed(value.reads, learnt)
        if reads is not value.reads:
            state.values[slot] = evolve(value, reads=reads)
    for cause, reads in [*state.pending.items()]:
        hidden = {read for read in _informed(reads, learnt) if not read.audience.everyone}
        if hidden:
            state.pending[cause] = frozenset(hidden)
        else:
            del state.pending[cause]


def _informed(reads: frozenset[Read], learnt: dict[str, Audience]) -> frozenset[Read]:
    if all(read.keys.isdisjoint(learnt) for read in reads):
        return reads
    informed = []
    for read in reads:
        audience = read.audience
        for key in read.keys & learnt.keys():
            audience = unite(audience, learnt[key])
        informed.append(evolve(read, audience=audience))
    return frozenset(informed)


def forget(facts: Facts, state: State, place: Place, keep: Audience = NOBODY) -> None:
    """What was shown in a place is no longer known there, but to those who see what happens."""
    for key, (audience, places) in [*state.known.items()]:
        if any(overlap(facts, state, place, each) for each in places):
            left = intersect(audience, keep)
            if left == NOBODY:
                del state.known[key]
            else:
                state.known[key] = (left, places)


def relocate(
    facts: Facts, state: State, moved: frozenset[Lot], goals: frozenset[Place], version: str
) -> None:
    """Pieces are moved: where they lie now, who has seen them, and what is no longer known."""
    seen = {lot.key: knowers(facts, state, lot) for lot in moved}
    arriving = [seen_by(facts, goal) for goal in goals] or [NOBODY]
    on_arrival = arriving[0]
    for audience in arriving[1:]:
        on_arrival = intersect(on_arrival, audience)
    for lot in moved:
        declared = facts.program.zones.get(lot.place.zone)
        if declared is not None and declared.node.order == "pool":
            forget(facts, state, lot.place, on_arrival)
        state.versions[lot.place.zone] = version
    for goal in goals:
        forget(facts, state, goal)
        state.versions[goal.zone] = version
    for slot, value in state.values.items():
        lots = value.lots if value.is_reference else _moved(facts, state, value.lots, moved, goals)
        if lots is not value.lots:
            state.values[slot] = evolve(value, lots=lots)
    for lot in moved:
        arrived = [_laid(lot, goal) for goal in goals]
        teach(state, arrived, unite(seen[lot.key], on_arrival), in_place=False)


def _laid(lot: Lot, place: Place) -> Lot:
    return Lot(place, lot.key, lot.within, lot.name, lot.path)


def _moved(
    facts: Facts,
    state: State,
    lots: frozenset[Lot],
    moved: frozenset[Lot],
    goals: frozenset[Place],
) -> frozenset[Lot]:
    """The lots of a value after a move: those moved for certain lie elsewhere, others may."""
    result = set()
    touched = False
    for lot in lots:
        certain = any(each.key == lot.key or each.key in lot.within for each in moved)
        if not certain:
            result.add(lot)
        if certain or any(overlap(facts, state, lot.place, each.place) for each in moved):
            touched = True
            result |= {_laid(lot, goal) for goal in goals}
    return frozenset(result) if touched else lots


# ---- Joining and renaming ------------------------------------------------------------------------


def join_values(one: Value, other: Value, site: str) -> Value:
    """What holds of a value that is one of two."""
    if one == other:
        return one
    term = one.term
    if one.term != other.term:
        shown = (one.term or other.term or Term("", site)).shown
        term = Term(f"either {site}", shown)
    return Value(
        lots=one.lots | other.lots,
        reads=one.reads | other.reads,
        term=term,
        type=one.type if one.type == other.type else one.type or other.type,
        apart=one.apart & other.apart,
        element=one.element or other.element,
        has_faces=one.has_faces or other.has_faces,
        is_reference=one.is_reference or other.is_reference,
    )


def join_states(one: State | None, other: State | None, site: str) -> State | None:
    """What holds where two ways meet; `None` is a way that is never taken."""
    if one is None or other is None:
        return one or other
    values = dict(one.values)
    for slot, value in other.values.items():
        mine = values.get(slot)
        if mine is None:
            values[slot] = _or_at_first(slot, value)
        elif mine is not value:
            values[slot] = join_values(mine, value, f"{slot[1]} {site}")
    for slot in one.values.keys() - other.values.keys():
        values[slot] = _or_at_first(slot, one.values[slot])
    known = {}
    for key in one.known.keys() & other.known.keys():
        (audience, places), (others, more) = one.known[key], other.known[key]
        if (both := intersect(audience, others)) != NOBODY:
            known[key] = (both, places | more)
    versions = dict(one.versions)
    for zone, version in other.versions.items():
        if versions.get(zone) != version:
            versions[zone] = f"{zone} {site}"
    pending = dict(one.pending)
    for cause, reads in other.pending.items():
        pending[cause] = pending.get(cause, frozenset()) | reads
    return State(values, known, versions, one.apart & other.apart, pending)


def _or_at_first(slot: Slot, value: Value) -> Value:
    """What is given on one way only: a variable may still have the value that it had at first."""
    if slot[0] or value.term is None:
        return value
    return evolve(value, term=Term(f"either {slot[1]}", slot[1]))


def rename(value: Value, old: str | None, new: Term) -> Value:
    """The value with one term in the place of another."""
    if old is None or old == new.id:
        return value
    return evolve(
        value,
        lots=frozenset(_laid(lot, _rename_place(lot.place, old, new)) for lot in value.lots),
        reads=rename_reads(value.reads, old, new),
        apart=frozenset(new.id if each == old else each for each in value.apart),
    )


def rename_reads(reads: frozenset[Read], old: str | None, new: Term) -> frozenset[Read]:
    if old is None:
        return reads
    return frozenset(
        evolve(
            read,
            place=_rename_place(read.place, old, new),
            audience=_rename_audience(read.audience, old, new),
        )
        for read in reads
    )


def _rename_place(place: Place, old: str, new: Term) -> Place:
    indices = tuple(new if term.id == old else term for term in place.indices)
    return Place(place.zone, indices, place.is_top)


def _rename_audience(audience: Audience, old: str, new: Term) -> Audience:
    players = frozenset(new.id if each == old else each for each in audience.players)
    but = frozenset(new.id if each == old else each for each in audience.but)
    return Audience(audience.everyone, players, but)
