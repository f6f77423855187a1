"""Values of pieces -> the values made from them: selected, taken, put together, or with a player replaced."""

from collections.abc import Iterable

from attrs import evolve, field, frozen

from rulespec.core.operations import OPERATIONS
from rulespec.core.tree import NOWHERE, Op, Pattern
from rulespec.core.types import Family, Several, Type, present
from rulespec.secrets.check_run import Run
from rulespec.secrets.comparing import disjoint, may_overlap
from rulespec.secrets.facts import faces, is_pool, look_sources, trim
from rulespec.secrets.holding import kinds_of_type
from rulespec.secrets.knowledge import (
    ANYWHERE,
    EVERYONE,
    NOTHING,
    Audience,
    Key,
    Part,
    Place,
    Source,
    Sources,
    State,
    Value,
    contains_key,
    first_place,
    gathered,
    in_reading_order,
    intersect,
)
from rulespec.secrets.visibility import who_sees
from rulespec.source import Span

MOST_PARTS = 8  # in one value; if there are more, they become one part


@frozen
class Env:
    """Where an expression is evaluated: in a frame of a rule, or with the arguments of a function."""

    run: Run
    state: State
    frame: int
    arguments: tuple[Value, ...] | None = None
    bound: dict[int, Value] = field(factory=dict)
    via: tuple[tuple[str, Span], ...] = ()
    memo: dict[int, Value] | None = None  # earlier results, by expression, if the caller wants them


def bind_element(env: Env, place: int, element: Value) -> Env:
    """The environment with a value bound to the variable at a place."""
    return evolve(env, bound={**env.bound, place: element}, memo=None)


def holds_pieces(type_: Type) -> bool:
    return kinds_of_type(type_) is not None


def holds_sets(type_: Type) -> bool:
    """Whether values are sets of sets."""
    match present(type_):
        case Family():
            return True
        case Several(inner):
            return isinstance(present(inner), Several | Family)
        case _:
            return False


def all_look_alike(run: Run, type_: Type) -> bool:
    """Whether all pieces that a value of a type may contain look alike, so that their order tells nothing."""
    kinds = kinds_of_type(type_)
    return kinds is not None and len(kinds) == 1 and kinds <= run.alike


def is_optional(type_: Type) -> bool:
    """Whether a value may be `none`: then two values that differ from it may differ, even with two players."""
    return present(type_) != type_


def derive_part(run: Run, key: Key, part: Part, which: Sources, *, one: bool = False) -> Part:
    """Some pieces of a part, as selected by `which`."""
    own = Source(
        run.keys.make("face", part.key),
        part.seen,
        part.needs,
        "face",
        first_place(part.places),
        part.name,
        part.path,
    )
    return Part(
        run.keys.make("part", key, part.key),
        part.places,
        which=part.which | which,
        needs=which | {own},  # if the piece is among them, with the place where it was read
        where=part.where,
        one=one,
        roots=part.roots | {part.key},
        excludes=part.excludes,
        name=part.name,
        path=part.path,
    )


def one_member(run: Run, family: Value, keys: tuple[Key, ...], shown: str) -> Value:
    """A member of a family that is only known as a whole: its pieces differ from those of the other members."""
    key = run.keys.make("member", family.key, *keys, shown=shown)
    value = evolve(family, generic=None, key=key)
    generic = family.generic if len(keys) == 1 else None
    if generic is not None:
        value = replace_player(run, value, generic, keys[0])
    parts = tuple(
        after
        if generic is not None and contains_key(before.key, generic)
        else evolve(after, key=run.keys.make("member", before.key, *keys), whole=False)
        for before, after in zip(family.parts, value.parts, strict=True)
    )
    return evolve(value, parts=parts)


def merge(run: Run, key: Key, values: list[Value], which: Sources) -> Value:
    """A value that is one of several; `which` decides which one."""
    first = values[0]
    if all(each.key is first.key for each in values):
        return first if len(values) == 1 else evolve(first, which=first.which)
    parts = alternatives(run, key, values, which)
    sizes = which
    apart = first.apart
    for each in values:
        which |= each.which
        sizes |= each.size
        apart &= each.apart
    places = {each.place for each in values}
    place = first.place if len(places) == 1 else ANYWHERE if first.place else None
    return Value(key, which, sizes, parts, place, apart)


def at_most_few(run: Run, key: Key, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts; if there are too many, one part that stands for all, known to those who know all of them."""
    return parts if len(parts) <= MOST_PARTS else (join_parts(run, key, parts),)


def join_parts(run: Run, key: Key, parts: tuple[Part, ...], which: Sources = NOTHING) -> Part:
    """A part for pieces of one of these parts: a player knows it who knows all of them and which one it is."""
    places: frozenset[Place] = frozenset()
    needs, where = which, NOTHING
    own = run.keys.make("one of", key)
    roots: frozenset[Key] | None = None
    for part in parts:
        places |= part.places
        which |= part.which
        where |= part.where
        if part.seen.everyone and part.key.head in ("one of", "old"):
            needs |= part.needs
        else:
            face = run.keys.make("face", part.key)
            place = first_place(part.places)
            needs |= {Source(face, part.seen, part.needs, "face", place, part.name, part.path)}
        inside = part.roots if part.key is own else part.roots | {part.key}
        roots = inside if roots is None else roots & inside
    one = all(part.one for part in parts)
    first = parts[0]
    return Part(
        own, places, which, needs, where,
        one=one, roots=roots or frozenset(), name=first.name, path=first.path,
    )  # fmt: skip


def alternatives(run: Run, key: Key, values: list[Value], which: Sources) -> tuple[Part, ...]:
    """The parts of a value that is one of several."""
    sets = [frozenset(part.key for part in value.parts) for value in values]
    if all(each == sets[0] for each in sets):
        return values[0].parts
    parts = {part.key: part for value in values for part in value.parts}
    return (join_parts(run, key, tuple(parts.values()), which),)


def size_source(env: Env, key: Key, which: Sources) -> Sources:
    """What decides how many pieces were selected, as a single source."""
    if not which:
        return NOTHING
    # Choices and draws are reported elsewhere: if anything else decides it too, report that here.
    decided = [each for each in which if each.kind not in ("choice", "chance")]
    first = min(decided or which, key=in_reading_order)
    own = Source(
        env.run.keys.make("size", key),
        EVERYONE,
        which,
        first.kind,
        first.place,
        first.name,
        first.path,
        first.span,
        first.via,
    )
    return trim(env.run, env.state, frozenset({own}))


def asked_by(op: Op, sources: Sources) -> Sources:
    """Sources that were read for an expression that an author could announce as it is written."""
    if not sources:
        return NOTHING
    span = op.span
    if op.name == "filter":  # that stands where its values stand
        end = op.operands[1].span.end
        span = Span(span.source, span.start, max(span.end, end))
    if span is NOWHERE:
        return sources
    return frozenset(evolve(each, whole=span) for each in sources)


def order_sources(env: Env, part: Part, span: Span) -> Sources:
    """What decides the order of a part: the faces of a pool, also of one that was laid on a pile."""
    run, state = env.run, env.state
    if part.one or all(place.zone in run.plain for place in part.places):
        return NOTHING
    if not any(is_pool(run, place) for place in part.places):
        laid: Sources = NOTHING
        for place, found in state.sorted.items():
            if any(may_overlap(run, state, place, each) for each in part.places):
                laid |= found
        return laid if faces(run, state, part) else NOTHING
    seen = faces(run, state, part, span)
    if not seen:
        return NOTHING
    pool = first_place(part.places)
    return frozenset({Source(None, EVERYONE, seen, "order", pool, part.name, part.path, span)})


def details(op: Op) -> str:
    """Everything that an operation has besides its operands, as one text."""
    row = OPERATIONS[op.name]
    return repr([getattr(op, detail) for detail in row.details if detail != "place"])


def note_size(run: Run, whole: Key, parts: list[Part]) -> None:
    """Record that the size of a set is the size of its only part, so players who learn one learn the other."""
    if len(parts) == 1:
        run.counted[whole] = run.keys.make("size", parts[0].key)


def shows_top(run: Run, part: Part) -> bool:
    zones = [run.zones.get(place.zone) for place in part.places]
    return all(zone is not None and zone.seen_by in ("top", "everyone") for zone in zones)


def in_sight(env: Env, value: Value) -> Audience:
    """Who sees into all the places where the pieces lie."""
    audience = EVERYONE
    for part in value.parts:
        for place in part.places:
            audience = intersect(audience, who_sees(env.run, place))
    return audience


def replace_player(run: Run, value: Value, old: Key, new: Key) -> Value:
    """The value, with one player replaced by another."""
    keys = run.keys

    def sources(found: Sources) -> Sources:
        return gathered(source(each) for each in found)

    found: dict[int, Source] = {}  # because many sources need the same ones

    def source(each: Source) -> Source:
        if id(each) not in found:
            found[id(each)] = replaced(each)
        return found[id(each)]

    def replaced(each: Source) -> Source:
        indices = () if each.place is None else each.place.indices
        if max((each.newest, *(key.newest for key in indices))) < old.newest:
            return each  # it is older than the player, so it cannot contain it
        players = frozenset(keys.replace(key, old, new) for key in each.audience.players)
        but = frozenset(keys.replace(key, old, new) for key in each.audience.but)
        return evolve(
            each,
            key=None if each.key is None else keys.replace(each.key, old, new),
            audience=evolve(each.audience, players=players, but=but),
            needs=sources(each.needs),
            place=None if each.place is None else place(each.place),
        )

    def place(each: Place) -> Place:
        return Place(each.zone, tuple(keys.replace(key, old, new) for key in each.indices))

    def part(each: Part) -> Part:
        return evolve(
            each,
            key=keys.replace(each.key, old, new),
            places=frozenset(map(place, each.places)),
            which=sources(each.which),
            needs=sources(each.needs),
            where=sources(each.where),
            roots=frozenset(keys.replace(key, old, new) for key in each.roots),
            excludes=frozenset(keys.replace(key, old, new) for key in each.excludes),
        )

    return evolve(
        value,
        key=keys.replace(value.key, old, new),
        which=sources(value.which),
        size=sources(value.size),
        parts=tuple(part(each) for each in value.parts),
        apart=frozenset(keys.replace(key, old, new) for key in value.apart),
    )


def pattern_reads(
    run: Run, state: State, value: Value, patterns: Iterable[Pattern], span: Span
) -> Sources:
    """What a table reads of an input to decide between its keys."""
    if all(each.how == "any" for each in patterns):
        return NOTHING
    return look_sources(run, state, value, span)


def are_apart(env: Env, values: list[Value]) -> bool:
    """Whether sets of pieces certainly have no piece in common."""
    return all(value.parts or value.key.head in {"literal", "list"} for value in values) and all(
        disjoint(env.run, env.state, a, b)
        for n, one in enumerate(values)
        for other in values[n + 1 :]
        for a in one.parts
        for b in other.parts
    )


def mark_as_read(value: Value, via: tuple[tuple[str, Span], ...]) -> Value:
    """The value, with its sources marked as read in a function."""
    if not value.which and not value.size:
        return value

    def told(sources: Sources) -> Sources:
        return frozenset(each if each.via else evolve(each, via=via) for each in sources)

    return evolve(value, which=told(value.which), size=told(value.size))


def is_within(one: Value, other: Value) -> bool:
    """Whether all pieces of a set certainly belong to another set, judged by its parts."""
    whole = {part.key for part in other.parts}
    return bool(one.parts) and all((part.roots | {part.key}) & whole for part in one.parts)
