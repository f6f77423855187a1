"""A state -> who knows what in it: what lies in a place, how many pieces, and who knows a source."""

from attrs import evolve

from rulespec.secrets.check_run import Run
from rulespec.secrets.comparing import are_different, includes, may_be_one
from rulespec.secrets.knowledge import (
    EVERYONE,
    NOBODY,
    NOTHING,
    Audience,
    Key,
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
    read_as,
    unite,
)
from rulespec.secrets.visibility import who_counts, who_sees
from rulespec.source import Span

START = "start"  # the stamp of a zone to which nothing has been moved yet


# ---- Zones ---------------------------------------------------------------------------------------


def is_pool(run: Run, place: Place) -> bool:
    zone = run.zones.get(place.zone)
    return zone is None or zone.order == "pool"


def stamp_of(run: Run, state: State, place: Place) -> Key:
    """The stamp of what lies in a place now."""
    if place.zone not in run.zones:  # it may be any place, so each look at it is a different value
        return run.keys.fresh("anywhere")
    for indices, stamp in state.writes.get(place.zone, ()):
        if indices is None or may_be_one(run, state, indices, place.indices):
            return stamp
    return run.keys.make(START)


def contents_key(run: Run, state: State, place: Place) -> Key:
    return run.keys.make("contents", place.zone, *place.indices, stamp_of(run, state, place))


def contents(run: Run, state: State, place: Place, which: Sources) -> Part:
    """All pieces in a place."""
    key = contents_key(run, state, place)
    seen = who_sees(run, place)
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
    if who_counts(run, place).everyone:
        return NOTHING
    key = run.keys.make("size", part.key)
    run.counted[part.key] = key
    # A player who knows the faces of all of them has counted them.
    told = unite(part.seen, state.known.get(face_key(run, part.key), NOBODY))
    who = unite(who_counts(run, place), told)
    return trim(run, state, frozenset({Source(key, who, kind="count", place=place, span=span)}))


def count_sources(sources: Sources) -> Sources:
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


def look_sources(run: Run, state: State, value: Value, span: Span | None = None) -> Sources:
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


def forget_newer(run: Run, state: State, sources: Sources, mark: int) -> Sources:
    """The sources without keys newer than `mark`: nobody can be told those any more.

    A source that is left of what a forgotten one needs says where that one was read, which the author knows by its name.
    """
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
    needs = frozenset(
        read_as(source, each) for each in _forget(run, state, source.needs, mark, found)
    )
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
    size = size_key_of(run, key)
    if size is not None:
        state.known[size] = unite(state.known.get(size, NOBODY), told)


def size_key_of(run: Run, key: Key) -> Key | None:
    """The key of the size of a set's only part, if the given key is the count of that set."""
    of = key.parts[0] if key.head == "count" else None
    return run.counted.get(of) if isinstance(of, Key) else None


def _are_all(run: Run, state: State, players: frozenset[Key]) -> bool:
    """Whether these are certainly all players, as they all differ."""
    several = sorted(players, key=lambda each: each.shown)
    return all(
        are_different(run, state, one, other)
        for number, one in enumerate(several)
        for other in several[number + 1 :]
    )


def teach_contents(run: Run, state: State, place: Place, audience: Audience) -> None:
    """Record that an audience knows all that lies in a place; those who see into it know it anyway."""
    seen = who_sees(run, place)
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
