"""A state -> who knows what in it: which players differ, who sees into a place, who knows a source."""

from typing import Any, Literal

from attrs import define, evolve, field, frozen

from rulespec.core.tree import Block, Core, VariableRow, ZoneRow
from rulespec.core.types import Seat
from rulespec.diagnostics import Diagnostic
from rulespec.secrets.knowledge import (
    ANYWHERE,
    EVERYONE,
    NOBODY,
    NOTHING,
    Audience,
    Call,
    Exposure,
    Key,
    Keys,
    Part,
    Place,
    Source,
    Sources,
    State,
    Value,
    first_place,
    forget_audience,
    gathered,
    intersect,
    unite,
)
from rulespec.source import Source as File
from rulespec.source import Span

START = "start"  # the stamp of a zone to which nothing has been moved yet


@frozen
class Turns:
    """What differs between the turns of a loop: its element, what it changes; `mark` is the newest key before it."""

    element: Key | None
    phi: Key
    mark: int


@define
class Scope:
    """What decides whether the statements in it are reached, and the states in which it is left.

    `told` are the zones and locals whose disclosure tells the ways of a branch apart; `*` stands for all of them.
    `trusted` are steps that were accepted because a name is in `told`: the game must tell it before the scope ends.
    """

    kind: Literal["root", "call", "loop", "branch"]
    reads: Sources = NOTHING
    told: frozenset[str] = frozenset()
    later: Sources = NOTHING  # what decides the other ways of the branch
    # The choices made in it, each with what had decided by then that it is reached.
    chosen: list[tuple[Key, tuple[Sources, Sources]]] = field(factory=list)
    since: Sources = NOTHING  # what decided, in this turn of a loop, that it was not left
    later_since: Sources = NOTHING
    tests: tuple[Key, ...] = ()  # the values that decide whether it is reached
    asked: list[Key] = field(factory=list)  # who was asked in it, for a loop in this turn
    turns: Turns | None = None  # only for a loop
    alone: bool = True  # whether no other way of the branch asks anybody
    trusted: list[Exposure] = field(factory=list)
    exits: list[tuple[State, Value | None]] = field(factory=list)


@frozen
class Touched:
    """What a step has changed, so that triggers may fire; `several` if it moves pieces one after the other.

    When `play` begins, every trigger may fire, even one whose condition reads nothing.
    """

    variables: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    several: bool = False
    begins: bool = False


UNTOUCHED = Touched()


@frozen
class Changes:
    """What a loop changes: slots of its frame, variables and zones, and the piles on which it lays pools."""

    slots: frozenset[int] = frozenset()
    variables: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    sorted: tuple[tuple[Place, Sources], ...] = ()


@define
class Run:
    """One check of a program."""

    core: Core[Block]
    mechanisms: frozenset[File]
    keys: Keys
    zones: dict[str, ZoneRow]
    variables: dict[str, VariableRow]
    plain: frozenset[str]  # zones in which all pieces look alike
    alike: frozenset[str]  # kinds of pieces that all look alike
    hidden: frozenset[str]  # variables that not everyone sees
    uncounted: frozenset[str]  # zones that not everyone counts
    large: frozenset[str]  # functions that the check does not look into
    unique: bool  # whether no two pieces look alike
    scopes: list[Scope] = field(factory=lambda: [Scope("root")])
    calls: list[Call] = field(factory=list)
    firing: list[str] = field(factory=list)
    in_play: bool = False
    frames: int = 0
    work: int = 0
    apart: set[frozenset[Key]] = field(factory=set)
    found: "dict[object, Diagnostic]" = field(factory=dict)
    ranks: dict[object, tuple[Any, ...]] = field(
        factory=dict
    )  # of findings that an earlier one would replace
    changes: dict[int, Changes] = field(factory=dict)  # by loop
    counted: dict[Key, Key] = field(factory=dict)  # set -> the key of the size of its only part
    members: dict[Key, Key] = field(factory=dict)  # value that was taken from a set -> that set
    has_laid: bool = False  # whether a pool was laid on a pile in this turn of the outermost loop
    disclosed: dict[int, frozenset[str]] = field(factory=dict)  # by body
    questions: dict[int, frozenset[str]] = field(
        factory=dict
    )  # those that others may hear, by body
    askers: dict[frozenset[str], set[int]] = field(
        factory=dict
    )  # words -> the statements that ask with them, by `id`
    plain_rules: dict[str, frozenset[str] | None] = field(factory=dict)
    watching: dict[str, tuple[frozenset[str], frozenset[str]]] = field(factory=dict)  # by trigger
    guesses: dict[str | int, Changes] = field(factory=dict)  # by block, or by loop
    exposed: dict[int, frozenset[int]] = field(factory=dict)  # by loop


@define
class TooLargeError(Exception):
    """Checking the program would take too much work."""

    span: Span


# ---- Players -------------------------------------------------------------------------------------


def turn(run: Run, key: Key, steps: int) -> Key:
    """The seat so many places to the left."""
    base, before = seat_of(key)
    total = before + steps
    if run.core.least_players == run.core.most_players:
        total %= run.core.least_players
    if total == 0:
        return base
    name = "left" if total > 0 else "right"
    if steps == total == (1 if run.core.clockwise else -1):
        name = "next"
    shown = f"{name}(" * abs(total) + base.shown + ")" * abs(total)
    return run.keys.make("turn", base, total, shown=shown)


def differ(run: Run, state: State, one: Key, other: Key) -> bool:
    """Whether two values are certainly different."""
    if one is other:
        return False
    if one.head == other.head == "literal":
        return True
    pair = frozenset((one, other))
    if pair in run.apart or pair in state.apart:
        return True
    (a, m), (b, n) = seat_of(one), seat_of(other)
    return a is b and all(
        (m - n) % players for players in range(run.core.least_players, run.core.most_players + 1)
    )


def seat_of(key: Key) -> tuple[Key, int]:
    """A seat, as so many places to the left of another one."""
    match key.parts:
        case (Key() as base, int(steps)) if key.head == "turn":
            return base, steps
        case _:
            return key, 0


def same(run: Run, state: State, one: Key, other: Key) -> bool:
    """Whether two values are certainly equal."""
    if one is other or frozenset((one, other)) in state.same:
        return True
    if run.core.most_players > 2:
        return False
    (a, _), (b, _) = seat_of(one), seat_of(other)
    for third in {
        a,
        b,
        *(key for pair in run.apart | state.apart if {one, other} & pair for key in pair),
    }:
        if third.head == "literal":
            continue  # `none` is nobody, and so says nothing of two players who differ from it
        if differ(run, state, third, one) and differ(run, state, third, other):
            return True
    return False


def includes(run: Run, state: State, audience: Audience, player: Key) -> bool:
    """Whether a player certainly belongs to an audience."""
    return (
        audience.everyone
        or any(same(run, state, player, each) for each in audience.players)
        or any(differ(run, state, player, each) for each in audience.but)
    )


# ---- Zones ---------------------------------------------------------------------------------------


def may_overlap(run: Run, state: State, one: Place, other: Place) -> bool:
    if one.zone != other.zone:
        return ANYWHERE in (one, other)
    return _may_be_one(run, state, one.indices, other.indices)


def _may_be_one(run: Run, state: State, indices: tuple[Key, ...], others: tuple[Key, ...]) -> bool:
    """Whether indices may lead to one member of a family of zones."""
    for one, other in zip(indices, others, strict=False):
        if differ(run, state, one, other):
            return False
    return True


def disjoint(run: Run, state: State, one: Part, other: Part) -> bool:
    """Whether two parts certainly have no piece in common."""
    if (other.roots | {other.key}) & one.excludes or (one.roots | {one.key}) & other.excludes:
        return True
    return not any(may_overlap(run, state, a, b) for a in one.places for b in other.places)


def seers(run: Run, place: Place) -> Audience:
    """Who sees the pieces in a place, according to its declaration."""
    zone = run.zones.get(place.zone)
    if zone is None:
        return NOBODY
    if place.zone in run.plain:  # a player who knows how many there are knows all of them
        return counters(run, place)
    match zone.seen_by:
        case "everyone":
            return EVERYONE
        case "nobody" | "top":
            return NOBODY
        case "owner" | "others":
            for index, key in zip(zone.indices, place.indices, strict=False):
                if isinstance(index, Seat):
                    only = frozenset({key})
                    return Audience(players=only) if zone.seen_by == "owner" else Audience(but=only)
            return NOBODY


def counters(run: Run, place: Place) -> Audience:
    """Who certainly knows how many pieces lie in a place, and notices when one comes or leaves."""
    return _counting(run, place, NOBODY)


def noticing(run: Run, place: Place) -> Audience:
    """Who may notice when a piece comes to a place or leaves it."""
    return _counting(run, place, EVERYONE)


def _counting(run: Run, place: Place, unclear: Audience) -> Audience:
    """Who counts a place, according to its declaration; or somebody else, if it is unclear which place it is."""
    if not run.uncounted:
        return EVERYONE
    zone = run.zones.get(place.zone)
    if zone is None:
        return unclear
    if place.zone not in run.uncounted:
        return EVERYONE
    if zone.counted_by == "nobody":
        return NOBODY
    for index, key in zip(zone.indices, place.indices, strict=False):
        if isinstance(index, Seat):
            only = frozenset({key})
            return Audience(players=only) if zone.counted_by == "owner" else Audience(but=only)
    return unclear


def viewers(run: Run, name: str, keys: tuple[Key, ...]) -> Audience:
    """Who sees a variable, as its declaration says; of a family without all its indices nobody sees the whole."""
    row = run.variables[name]
    if row.seen_by == "everyone":
        return EVERYONE
    if row.seen_by == "nobody" or len(keys) < len(row.indices):
        return NOBODY
    owners = [key for index, key in zip(row.indices, keys, strict=True) if isinstance(index, Seat)]
    only = frozenset(owners[:1])
    return Audience(players=only) if row.seen_by == "owner" else Audience(but=only)


def is_pool(run: Run, place: Place) -> bool:
    zone = run.zones.get(place.zone)
    return zone is None or zone.order == "pool"


def stamp_of(run: Run, state: State, place: Place) -> Key:
    """The stamp of what lies in a place now."""
    if place.zone not in run.zones:  # it may be any place, so each look at it is a different value
        return run.keys.fresh("anywhere")
    for indices, stamp in state.writes.get(place.zone, ()):
        if indices is None or _may_be_one(run, state, indices, place.indices):
            return stamp
    return run.keys.make(START)


def contents_key(run: Run, state: State, place: Place) -> Key:
    return run.keys.make("contents", place.zone, *place.indices, stamp_of(run, state, place))


def contents(run: Run, state: State, place: Place, which: Sources) -> Part:
    """All pieces in a place."""
    key = contents_key(run, state, place)
    seen = seers(run, place)
    stamp = key.parts[-1]
    if (
        isinstance(stamp, Key)
        and stamp.head == START
        and place.zone in run.zones
        and place.zone != "box"
    ):
        seen = EVERYONE  # it is empty
    for depth in range(0 if seen.everyone else len(place.indices)):
        larger = contents_key(run, state, Place(place.zone, place.indices[:depth]))
        seen = unite(seen, state.known.get(face_key(run, larger), NOBODY))
    return Part(key, frozenset({place}), which=which, seen=seen, whole=True)


# ---- Sources -------------------------------------------------------------------------------------


def amount(run: Run, state: State, part: Part, place: Place, span: Span) -> Sources:
    """What a player must know in order to know how many pieces lie in a place; the part is its whole content."""
    if counters(run, place).everyone:
        return NOTHING
    key = run.keys.make("size", part.key)
    run.counted[part.key] = key
    # A player who knows the faces of all of them has counted them.
    told = unite(part.seen, state.known.get(face_key(run, part.key), NOBODY))
    who = unite(counters(run, place), told)
    return trim(run, state, frozenset({Source(key, who, kind="count", place=place, span=span)}))


def amounts(sources: Sources) -> Sources:
    """Those sources that players lack because they do not count a zone."""
    return frozenset(each for each in sources if each.kind == "count")


def face_key(run: Run, key: Key) -> Key:
    return run.keys.make("face", key)


def faces(run: Run, state: State, part: Part, span: Span | None = None) -> Sources:
    """What a player must know in order to know the faces of a part."""
    key = face_key(run, part.key)
    if (part.seen.everyone and not part.needs) or state.known.get(key, NOBODY).everyone:
        return NOTHING
    place = first_place(part.places)
    source = Source(key, part.seen, part.needs, "face", place, part.name, part.path, span)
    return trim(run, state, frozenset({source}))


def identity(run: Run, state: State, value: Value, span: Span | None = None) -> Sources:
    """What a player must know in order to know a value; for pieces, which they are and how they look."""
    found = value.which
    for part in value.parts:
        found |= part.which | faces(run, state, part, span)
    return found


def looks(run: Run, state: State, value: Value, span: Span | None = None) -> Sources:
    """What a player must know in order to know a value; for pieces, only how they look."""
    found = value.which
    for part in value.parts:
        found |= faces(run, state, part, span)
    return found


def knows(run: Run, state: State, source: Source, player: Key) -> bool:
    """Whether a player certainly knows something hidden."""
    return _knows(run, state, source, player, {})


def _knows(run: Run, state: State, source: Source, player: Key, found: dict[int, bool]) -> bool:
    """The same; `found` keeps earlier answers, because many sources need the same ones."""
    known = found.get(id(source))
    if known is None:
        told = NOBODY
        if source.key is not None:
            told = unite(state.known.get(source.key, NOBODY), told_to_all(run, state, source.key))
        known = includes(run, state, told, player) or (
            includes(run, state, source.audience, player)
            and all(_knows(run, state, each, player, found) for each in source.needs)
        )
        found[id(source)] = known
    return known


def knowers(run: Run, state: State, sources: Sources) -> Audience:
    """Who certainly knows all of these."""
    return _knowers(run, state, sources, {})


def _knowers(run: Run, state: State, sources: Sources, found: dict[int, Audience]) -> Audience:
    """The same; `found` keeps earlier answers, because many sources need the same ones."""
    audience = EVERYONE
    for source in sources:
        audience = intersect(audience, _knowers_of(run, state, source, found))
        if audience is NOBODY:
            break
    return audience


def _knowers_of(run: Run, state: State, source: Source, found: dict[int, Audience]) -> Audience:
    """Who certainly knows a source."""
    own = found.get(id(source))
    if own is None:
        own = source.audience
        if source.needs and own is not NOBODY:
            own = intersect(own, _knowers(run, state, source.needs, found))
        if source.key is not None:
            own = unite(own, state.known.get(source.key, NOBODY))
            if state.universal:
                own = unite(own, told_to_all(run, state, source.key))
        found[id(source)] = own
    return own


def told_to_all(run: Run, state: State, key: Key) -> Audience:
    """Who was told this value because every player was told the corresponding one."""
    audience = NOBODY
    for anybody, pattern, told, of in state.universal:
        player = _match(run, pattern, anybody, key)
        if player is not None and (of is None or is_element(run, player, of)):
            own = Audience(players=frozenset({player})) if told.players else told
            audience = unite(audience, own)
    return audience


def is_element(run: Run, key: Key, of: Key) -> bool:
    """Whether a value certainly belongs to a set."""
    inside: object = key
    while isinstance(inside, Key):
        if inside is of:
            return inside is not key
        if inside.head in {"element", "filter", "top"}:
            inside = inside.parts[0]
        elif inside.head in {"best_of", "least_of"}:
            inside = inside.parts[1]
        else:
            inside = run.members.get(inside)
    return False


def is_told(run: Run, state: State, key: Key) -> bool:
    """Whether somebody was told this value itself, apart from what it was computed from."""
    return key in state.known or (bool(state.universal) and told_to_all(run, state, key) != NOBODY)


def _match(run: Run, pattern: Key, anybody: Key, key: Key) -> Key | None:
    """The player that `anybody` must stand for if the pattern is to match a key, or `None`."""
    if pattern is anybody:
        return key
    if pattern.head != key.head or len(pattern.parts) != len(key.parts):
        return None
    for one, other in zip(pattern.parts, key.parts, strict=True):
        if one is not other and isinstance(one, Key) and isinstance(other, Key):
            found = _match(run, one, anybody, other)
            if found is not None and run.keys.replace(pattern, anybody, found) is key:
                return found
            return None
    return None


def trim(run: Run, state: State, sources: Sources) -> Sources:
    """The sources that not everyone knows."""
    if not sources:
        return NOTHING
    found: dict[int, Audience] = {}
    kept = [each for each in sources if not _knowers_of(run, state, each, found).everyone]
    return sources if len(kept) == len(sources) else frozenset(kept)


def forget(run: Run, state: State, sources: Sources, mark: int) -> Sources:
    """The sources without keys newer than `mark`: nobody can be told those any more."""
    return _forget(run, state, sources, mark, {})


def _forget(
    run: Run, state: State, sources: Sources, mark: int, found: dict[int, Sources]
) -> Sources:
    """The same; `found` keeps earlier answers, because many sources need the same ones."""
    if all(each.newest <= mark for each in sources):
        return sources
    kept: list[Source] = []
    for source in sources:
        if source.newest <= mark:
            kept.append(source)
            continue
        if id(source) not in found:
            found[id(source)] = _forget_one(run, state, source, mark, found)
        kept += found[id(source)]
    return gathered(kept)


def _forget_one(
    run: Run, state: State, source: Source, mark: int, found: dict[int, Sources]
) -> Sources:
    key, audience = source.key, forget_audience(source.audience, mark)
    if key is not None and key.newest <= mark:
        needs = _forget(run, state, source.needs, mark, found)
        return frozenset({evolve(source, audience=audience, needs=needs)})
    if key in state.known or not source.needs:
        known = knowers(run, state, frozenset({source}))
        if known.everyone:
            return NOTHING
        audience = forget_audience(known, mark)
        return frozenset({evolve(source, key=None, audience=audience, needs=NOTHING)})
    needs = _forget(run, state, source.needs, mark, found)
    if source.audience.everyone:
        return needs
    return needs | {evolve(source, key=None, audience=audience, needs=NOTHING)}


def teach(run: Run, state: State, key: Key, audience: Audience) -> None:
    """Record that an audience is told the value of a key."""
    told = unite(state.known.get(key, NOBODY), audience)
    if len(told.players) >= run.core.most_players and _are_all(run, state, told.players):
        told = EVERYONE
    state.known[key] = told
    state.memo.clear()
    size = counted_by(run, key)
    if size is not None:
        state.known[size] = unite(state.known.get(size, NOBODY), told)


def counted_by(run: Run, key: Key) -> Key | None:
    """The key of the size of a set's only part, if the given key is the count of that set."""
    of = key.parts[0] if key.head == "count" else None
    return run.counted.get(of) if isinstance(of, Key) else None


def _are_all(run: Run, state: State, players: frozenset[Key]) -> bool:
    """Whether these are certainly all players, as they all differ."""
    several = sorted(players, key=lambda each: each.shown)
    return all(
        differ(run, state, one, other)
        for number, one in enumerate(several)
        for other in several[number + 1 :]
    )


def teach_contents(run: Run, state: State, place: Place, audience: Audience) -> None:
    """Record that an audience knows all that lies in a place; those who see into it know it anyway."""
    seen = seers(run, place)
    more = audience.everyone or not (audience.players <= seen.players and audience.but <= seen.but)
    if more and not seen.everyone:
        teach(run, state, face_key(run, contents_key(run, state, place)), audience)


def teach_faces(run: Run, state: State, part: Part, audience: Audience) -> None:
    """Record that an audience is shown some pieces."""
    teach(run, state, face_key(run, part.key), audience)
    if part.key.head == "top several":  # and so the first few of them are known as well
        pile, number = part.key.parts
        if isinstance(number, Key) and number.head == "literal" and isinstance(pile, Key):
            teach(run, state, face_key(run, run.keys.make("top", pile)), audience)
            for n in range(1, min(int(str(number.parts[0])), 100)):
                fewer = run.keys.make("top several", pile, run.keys.make("literal", str(n)))
                teach(run, state, face_key(run, fewer), audience)
