"""An expression of the core -> what is known of its value: what decides it, and where its pieces lie.

An operation without a rule of its own depends on all that its operands depend on, so what is new is never taken for
public.
"""

from collections.abc import Iterable

from attrs import evolve, field, frozen

from rulespec.core.operations import OPERATIONS
from rulespec.core.tree import NOWHERE, Function, Op, Pattern
from rulespec.core.types import Family, Piece, Several, Type, present
from rulespec.limits import MOST_FOLLOWED
from rulespec.secrets.facts import (
    Run,
    TooLargeError,
    contents,
    disjoint,
    faces,
    identity,
    is_pool,
    looks,
    may_overlap,
    seers,
    trim,
    turn,
)
from rulespec.secrets.knowledge import (
    ANYWHERE,
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
    gathered,
    in_reading_order,
    intersect,
)
from rulespec.source import Span, text_of

MOST_PARTS = 8  # of one value; more are taken together


@frozen
class Env:
    """Where an expression is evaluated: in a frame of a rule, or with the arguments of a function."""

    run: Run
    state: State
    frame: int
    arguments: tuple[Value, ...] | None = None
    bound: dict[int, Value] = field(factory=dict)
    via: tuple[tuple[str, Span], ...] = ()


def evaluate(env: Env, op: Op) -> Value:
    """What is known of the value of an expression."""
    run = env.run
    run.work += 1
    if run.work > MOST_FOLLOWED:
        raise TooLargeError(op.span)
    value = _evaluate(env, op)
    if value.key in env.state.known and value.which:
        told = Source(value.key, EVERYONE, value.which, "fact", span=op.span, via=env.via)
        value = evolve(value, which=frozenset({told}), size=value.size and frozenset({told}))
    return value


def read(env: Env, op: Op) -> Sources:
    """What decides the value of an expression."""
    return identity(env.run, env.state, evaluate(env, op), op.span)


def _evaluate(env: Env, op: Op) -> Value:
    run = env.run
    match op.name:
        case "first":
            return Value(run.keys.make("first", shown="first"))
        case "literal":
            return Value(run.keys.make("literal", repr(op.value), shown=repr(op.value)))
        case "slot":
            return _slot(env, op)
        case "bound":
            return env.bound[op.place]
        case "seats":
            return Value(run.keys.make("seats"), everybody=True)
        case "all_pieces":
            hidden = Source(None, NOBODY, kind="place", span=op.span)
            part = Part(
                run.keys.make("all pieces"), frozenset({ANYWHERE}), where=frozenset({hidden})
            )
            return Value(part.key, parts=(part,))
        case "variable":
            return _variable(env, op)
        case "member_of":
            return _member(env, op)
        case "zone" | "zone_of":
            return _zone(env, op)
        case "contents" | "gather":
            return _contents(env, op)
        case "call" | "output" | "output_at":
            return _call(env, op)
        case "order" | "others" | "next" | "left" | "right":
            return _seats(env, op)
        case (
            "needed"
            | "within"
            | "among"
            | "of_kind"
            | "every_within"
            | "every_among"
            | "every_of_kind"
            | "or_empty"
        ):
            return evaluate(env, op.operands[0])
        case "single" | "perhaps":
            inner = evaluate(env, op.operands[0])
            key = run.keys.make("single", inner.key)
            size = NOTHING if op.name == "single" else inner.size
            return evolve(inner, key=key, size=size)
        case "if":
            return _either(env, op)
        case "is_none" | "empty" | "count" | "count_family":
            inner = evaluate(env, op.operands[0])
            key = run.keys.make(op.name, inner.key)
            size = asked_by(op, inner.size)
            return Value(key, size, size)
        case "list" | "union" | "family_of" | "union_of_families":
            return _union(env, op)
        case "difference" | "intersection" if _has_pieces(op):
            return _less(env, op)
        case "filter" | "filter_family":
            return _filter(env, op)
        case "having" | "matching" | "unlike":
            return _select(env, op)
        case "any_of" | "all_of" | "sum_of" | "min_of" | "max_of" | "build" | "build_family":
            return _fold(env, op)
        case "best_of" | "least_of":
            return _best(env, op)
        case "top" | "top_several":
            return _top(env, op)
        case "attribute" | "attributes" | "looks" | "any_looks" | "look_pieces":
            return _look(env, op)
        case "subsets" | "alike" | "runs":
            return _family(env, op)
        case "listed":
            return evaluate(env, op.operands[0])
        case "knows":
            who, pieces = (evaluate(env, each) for each in op.operands)
            key = run.keys.make("knows", who.key, pieces.key)
            own = Source(key, Audience(players=frozenset({who.key})), kind="fact", span=op.span)
            return Value(key, frozenset({own}), NOTHING)
        case "winners":
            return _winners(env)
        case _:
            return _generic(env, op)


def _generic(env: Env, op: Op) -> Value:
    """The value of an operation depends on all that its operands depend on."""
    run = env.run
    operands = [evaluate(env, each) for each in op.operands]
    which: Sources = NOTHING
    for operand, each in zip(operands, op.operands, strict=True):
        which |= identity(run, env.state, operand, each.span)
    key = run.keys.make(op.name, _details(op), *(each.key for each in operands))
    if op.name == "option":
        key.shown = key.shown or op.word
    parts: tuple[Part, ...] = ()
    if holds_pieces(op.type):
        parts = tuple(_derived(run, key, part, which) for value in operands for part in value.parts)
    return Value(key, which, which, parts)


def _details(op: Op) -> str:
    """What an operation has besides its operands, as one text."""
    row = OPERATIONS[op.name]
    return repr([getattr(op, detail) for detail in row.details if detail != "place"])


def holds_pieces(type_: Type) -> bool:
    inner = present(type_)
    while isinstance(inner, Several | Family):
        inner = present(inner.of)
    return isinstance(inner, Piece)


def is_optional(type_: Type) -> bool:
    """Whether a value may be `none`: two that differ from it are not the same then, even of two players."""
    return present(type_) != type_


def _has_pieces(op: Op) -> bool:
    return holds_pieces(op.type)


def _derived(run: Run, key: Key, part: Part, which: Sources, *, one: bool = False) -> Part:
    """Some pieces of a part, selected by what `which` says."""
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
        needs=which | {own},  # if it is among them, with the place where it was read
        where=part.where,
        one=one,
        roots=part.roots | {part.key},
        excludes=part.excludes,
        name=part.name,
        path=part.path,
    )


# ---- Names ---------------------------------------------------------------------------------------


def _slot(env: Env, op: Op) -> Value:
    if env.arguments is not None:
        return env.arguments[op.place]
    found = env.state.slots.get((env.frame, op.place))
    return Value(env.run.keys.make("literal", "None")) if found is None else found


def _variable(env: Env, op: Op) -> Value:
    run, state = env.run, env.state
    indices = [evaluate(env, each) for each in op.operands]
    which: Sources = NOTHING
    for value, each in zip(indices, op.operands, strict=True):
        which |= identity(run, state, value, each.span)
    keys = tuple(each.key for each in indices)
    found = state.members.get((op.word, keys)) or state.variables.get(op.word)
    if found is None:
        found = Value(run.keys.make("variable", op.word, shown=op.word))
    if keys and (op.word, keys) not in state.members:
        found = _one_member(run, found, keys, _indexed(op.word, keys))
    return evolve(found, which=found.which | which, size=found.size | which)


def _indexed(name: str, keys: Iterable[Key]) -> str:
    return name + "".join(f"[{key.shown}]" for key in keys)


def _one_member(run: Run, family: Value, keys: tuple[Key, ...], shown: str) -> Value:
    """A member of a family of which only the whole is known: its pieces are not those of another member."""
    key = run.keys.make("member", family.key, *keys, shown=shown)
    value = evolve(family, generic=None, key=key)
    generic = family.generic if len(keys) == 1 else None
    if generic is not None:
        value = substitute(run, value, generic, keys[0])
    parts = tuple(
        after
        if generic is not None and has(before.key, generic)
        else evolve(after, key=run.keys.make("member", before.key, *keys), whole=False)
        for before, after in zip(family.parts, value.parts, strict=True)
    )
    return evolve(value, parts=parts)


def _member(env: Env, op: Op) -> Value:
    """A member of a local family: what a player has chosen together with others."""
    family, index = (evaluate(env, each) for each in op.operands)
    run = env.run
    which = identity(run, env.state, index, op.operands[1].span)
    for (frame, place), value in family_entries(env, op):
        if (frame, place) == (index.key, 0):
            return evolve(value, which=value.which | which, size=value.size | which)
    value = _one_member(run, family, (index.key,), "")
    return evolve(value, which=value.which | which, size=value.size | which)


def family_entries(env: Env, op: Op) -> tuple[tuple[tuple[Key, int], Value], ...]:
    """What was assigned to members of a local family one by one."""
    slot = op.operands[0]
    if slot.name != "slot" or env.arguments is not None:
        return ()
    name = f"slot {env.frame} {slot.place}"
    return tuple(
        ((keys[0], 0), value) for (owner, keys), value in env.state.members.items() if owner == name
    )


def _zone(env: Env, op: Op) -> Value:
    run = env.run
    (*base,) = op.operands
    place, which = Place(op.word), NOTHING
    if op.name == "zone_of":
        family = evaluate(env, base.pop(0))
        place, which = family.place or ANYWHERE, family.which
    for each in base:
        index = evaluate(env, each)
        which |= identity(run, env.state, index, each.span)
        index.key.shown = index.key.shown or text_of(each.span)
        place = evolve(place, indices=(*place.indices, index.key))
    key = run.keys.make(
        "zone", place.zone, *place.indices, shown=_indexed(place.zone, place.indices)
    )
    return Value(key, which, which, place=place)


def _contents(env: Env, op: Op) -> Value:
    zone = evaluate(env, op.operands[0])
    if zone.place is None:
        raise AssertionError("pieces of something that is no zone")
    part = contents(env.run, env.state, zone.place, zone.which)
    return Value(part.key, zone.which, zone.which, (part,))


def _seats(env: Env, op: Op) -> Value:
    run = env.run
    seat = evaluate(env, op.operands[0])
    clockwise = 1 if run.core.clockwise else -1
    match op.name:
        case "next":
            key = turn(run, seat.key, clockwise)
        case "left":
            key = turn(run, seat.key, 1)
        case "right":
            key = turn(run, seat.key, -1)
        case _:
            key = run.keys.make(op.name, seat.key, shown=f"{op.name}({seat.key.shown})")
    apart = frozenset({seat.key}) if op.name == "others" else frozenset()
    # How many they are is known; in which order, or who, depends on the seat.
    return Value(
        key, seat.which, NOTHING, apart=apart, everybody=op.name == "order" and not seat.which
    )


# ---- Functions and tables ------------------------------------------------------------------------


def _call(env: Env, op: Op) -> Value:
    run = env.run
    if op.name == "call":
        return _invoke(env, run.core.functions[op.word], op.operands, op.span)
    row, *rest = op.operands
    if op.name == "output":
        return _invoke(env, run.core.functions[f"{row.word}.{op.word}"], row.operands, op.span)
    names = dict.fromkeys(op.words)
    results = [
        _invoke(env, run.core.functions[f"{row.word}.{name}"], row.operands, op.span)
        for name in names
    ]
    index = evaluate(env, rest[0])
    which = identity(run, env.state, index, rest[0].span)
    key = run.keys.make("output", _details(op), index.key, *(each.key for each in results))
    return merge(run, key, results, which)


def _invoke(env: Env, function: Function, operands: tuple[Op, ...], span: Span) -> Value:
    """A function with its arguments; the same call in the same state is looked at once."""
    run, state = env.run, env.state
    arguments = tuple(evaluate(env, each) for each in operands)
    if function.name in run.large:
        told: Sources = NOTHING
        for value, each in zip(arguments, operands, strict=True):
            told |= identity(run, state, value, each.span)
        key = run.keys.make("large", function.name, state.serial, *(each.key for each in arguments))
        return Value(key, told, told)
    memo = (function.name, tuple(map(id, arguments)))
    if memo in state.memo:
        return state.memo[memo][1]
    inner = Env(run, state, -1, arguments, {}, ((function.name, span), *env.via))
    which: Sources = NOTHING
    keys: list[Key] = []
    for number, each in enumerate(function.inputs):
        value = evaluate(inner, each)
        if not all(row.patterns[number].how == "any" for row in function.rows):
            which |= looks(run, state, value, each.span)
        keys.append(value.key)
    cells = [evaluate(inner, row.cell) for row in function.rows]
    key = cells[0].key
    if len(cells) > 1:
        key = run.keys.make("table", function.name, *keys, *(each.key for each in cells))
    result = _through(merge(run, key, cells, which), inner.via)
    state.memo[memo] = (arguments, result)
    return result


def _through(value: Value, via: tuple[tuple[str, Span], ...]) -> Value:
    """The sources of a value, with the functions in which they were read."""

    def told(sources: Sources) -> Sources:
        return frozenset(each if each.via else evolve(each, via=via) for each in sources)

    return evolve(value, which=told(value.which), size=told(value.size))


def merge(run: Run, key: Key, values: list[Value], which: Sources) -> Value:
    """A value that is one of several, as `which` decides."""
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


def few(run: Run, key: Key, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts; too many are taken together, and known to whoever knows all of them."""
    return parts if len(parts) <= MOST_PARTS else (together(run, key, parts),)


def together(run: Run, key: Key, parts: tuple[Part, ...], which: Sources = NOTHING) -> Part:
    """Pieces of some of these parts: whoever knows all of them, and which it is, knows those."""
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
        if part.key is not own:
            inside = part.roots | {part.key}
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
    return (together(run, key, tuple(parts.values()), which),)


def _either(env: Env, op: Op) -> Value:
    run = env.run
    condition, one, other = (evaluate(env, each) for each in op.operands)
    key = run.keys.make("if", condition.key, one.key, other.key)
    return merge(run, key, [one, other], condition.which)


def _winners(env: Env) -> Value:
    run = env.run
    player = Value(run.keys.make("winner"))
    which: Sources = NOTHING
    for row in run.core.ranking:
        inner = Env(run, env.state, -1, (player,), {}, env.via)
        which |= read(inner, row.order) | read(inner, row.key)
    which = _without(which, player.key)
    return Value(run.keys.make("winners", run.keys.fresh("winners")), which, which)


# ---- Sets ----------------------------------------------------------------------------------------


def _union(env: Env, op: Op) -> Value:
    run, state = env.run, env.state
    values = [evaluate(env, each) for each in op.operands]
    key = run.keys.make(
        "list" if op.name == "list" else op.name, op.order, *(each.key for each in values)
    )
    which = size = NOTHING
    for value in values:
        which |= value.which
        size |= value.size
    parts = {part.key: part for value in values for part in value.parts}
    apart = values[0].apart if values else frozenset[Key]()
    for value in values:
        apart &= value.apart
    if len(values) > 1 and (op.name not in ("list", "union") or not _are_apart(env, values)):
        overlap: Sources = NOTHING
        for value, each in zip(values, op.operands, strict=True):
            overlap |= identity(run, state, value, each.span)
        if overlap and all(part.one for part in parts.values()):
            # Whether two picks are the same piece is decided by who picked them.
            overlap = frozenset({Source(None, EVERYONE, overlap, "choice", span=op.span)})
        size |= overlap
    return Value(key, which, size, few(run, key, tuple(parts.values())), apart=apart)


def _are_apart(env: Env, values: list[Value]) -> bool:
    """Whether sets of pieces certainly have no piece in common."""
    return all(value.parts or value.key.head in {"literal", "list"} for value in values) and all(
        disjoint(env.run, env.state, a, b)
        for n, one in enumerate(values)
        for other in values[n + 1 :]
        for a in one.parts
        for b in other.parts
    )


def _less(env: Env, op: Op) -> Value:
    """What one set of pieces has and another has not, or has, too."""
    run, state = env.run, env.state
    one, other = (evaluate(env, each) for each in op.operands)
    key = run.keys.make(op.name, one.key, other.key)
    which = identity(run, state, other, op.operands[1].span)
    parts = tuple(_derived(run, key, part, which) for part in one.parts)
    if op.name == "difference" and not other.which:
        without = frozenset(part.key for part in other.parts)
        parts = tuple(evolve(part, excludes=part.excludes | without) for part in parts)
    inside = {part.key for part in one.parts}
    within = other.parts and all(
        (part.roots | {part.key}) & inside and not one.which for part in other.parts
    )
    size = one.size | other.size
    if not within or op.name == "intersection":
        size |= which | identity(run, state, one, op.operands[0].span)
    return Value(key, one.which, size, parts, apart=one.apart)


def _element(env: Env, op: Op, value: Value, part: Part | None) -> Value:
    """Any element of a set, while something is evaluated for each."""
    run = env.run
    base = value.key if part is None else part.key
    key = run.keys.make("element", base, op.place, shown="it")
    nested = 0
    while env.arguments and any(has(each.key, key) for each in env.arguments):
        nested += 1  # the caller has bound an element of the same set, which is another one
        key = run.keys.make("element", base, op.place, nested, shown="it")
    if part is None:
        for other in value.apart:
            run.apart.add(frozenset((key, other)))
        return Value(key, value.which)
    own = evolve(
        part,
        key=key,
        which=part.which,
        needs=_derived(run, key, part, NOTHING).needs,
        seen=EVERYONE,
        one=True,
        whole=False,
        roots=part.roots | {part.key},
    )
    return Value(key, value.which, NOTHING, (own,))


def _bind(env: Env, op: Op, element: Value) -> Env:
    return evolve(env, bound={**env.bound, op.place: element})


def _without(sources: Sources, key: Key) -> Sources:
    """Sources outside of the expression in which an element is bound: nobody is that element there."""
    return gathered(_without_in(each, key) for each in sources)


def _without_in(source: Source, key: Key) -> Source:
    audience = source.audience
    if audience.players or audience.but:
        players = frozenset(each for each in audience.players if not has(each, key))
        but = frozenset(each for each in audience.but if not has(each, key))
        if players != audience.players or but != audience.but:
            audience = Audience(audience.everyone, players, but)
    needs = _without(source.needs, key) if source.needs else source.needs
    if audience is source.audience and needs == source.needs:
        return source
    return evolve(source, audience=audience, needs=needs)


def has(key: Key, inner: Key) -> bool:
    """Whether a key is made of another one."""
    return key is inner or any(has(each, inner) for each in key.parts if isinstance(each, Key))


def _filter(env: Env, op: Op) -> Value:
    run = env.run
    value = evaluate(env, op.operands[0])
    condition = op.operands[1]
    if not value.parts:
        element = _element(env, op, value, None)
        holds = evaluate(_bind(env, op, element), condition)
        key = run.keys.make("filter", value.key, holds.key)
        before = Value(value.key, value.which)
        if value.guard is not None:
            before = substitute(run, Value(value.key, value.guard[1]), value.guard[0], element.key)
        own = holds.which | before.which
        which = value.which | _without(holds.which, element.key)
        apart = value.apart | _excluded(_bind(env, op, element), op.place, condition)
        return Value(key, which, which | value.size, apart=apart, guard=(element.key, own))
    parts = []
    size = value.size
    for part in value.parts:
        element = _element(env, op, value, part)
        holds = evaluate(_bind(env, op, element), condition)
        key = run.keys.make("filter", part.key, holds.key)
        parts.append(_derived(run, key, part, holds.which))
        size |= _sized(env, run.keys.make("part", key, part.key), holds.which)
    whole = run.keys.make("filter", value.key, *(part.key for part in parts))
    return Value(whole, value.which, size, tuple(parts))


def _excluded(env: Env, place: int, condition: Op) -> frozenset[Key]:
    """The values that a condition excludes: `it != p`."""
    match condition:
        case Op(name="and"):
            return frozenset[Key]().union(
                *(_excluded(env, place, each) for each in condition.operands)
            )
        case Op(name="not", operands=(Op(name="equal", operands=(one, other)),)):
            for mine, excluded in ((one, other), (other, one)):
                if mine.name == "bound" and mine.place == place and not is_optional(excluded.type):
                    return frozenset({evaluate(env, excluded).key})
    return frozenset()


def _sized(env: Env, key: Key, which: Sources) -> Sources:
    """What decides how many pieces were selected; whoever sees them knows it."""
    if not which:
        return NOTHING
    first = min(which, key=in_reading_order)
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


def _select(env: Env, op: Op) -> Value:
    """The pieces with a look, or with an attribute."""
    run, state = env.run, env.state
    value = evaluate(env, op.operands[0])
    look = evaluate(env, op.operands[1])
    which = identity(run, state, look, op.operands[1].span)
    parts = []
    size = value.size | which
    for part in value.parts:
        key = run.keys.make(op.name, part.key, op.word, look.key)
        seen = faces(run, state, part, op.span)
        parts.append(_derived(run, key, part, which | seen))
        size |= _sized(env, run.keys.make("part", key, part.key), seen)
    whole = run.keys.make(op.name, op.word, value.key, look.key)
    return Value(whole, value.which, size, tuple(parts))


def asked_by(op: Op, sources: Sources) -> Sources:
    """Sources that were read for an expression, which could be announced as it stands."""
    span = op.span
    if op.name == "filter":  # that stands where its values stand
        end = op.operands[1].span.end
        span = Span(span.source, span.start, max(span.end, end))
    if span is NOWHERE:
        return sources
    return frozenset(evolve(each, whole=span) for each in sources)


def _over(env: Env, op: Op, value: Value) -> tuple[Sources, list[Key]]:
    """What decides that which is computed for each element, and its keys."""
    which: Sources = NOTHING
    keys: list[Key] = []
    for part in value.parts or (None,):
        element = _element(env, op, value, part)
        inner = evaluate(_bind(env, op, element), op.operands[1])
        found = identity(env.run, env.state, inner, op.operands[1].span)
        which |= _without(found, element.key) | (part.which if part else NOTHING)
        keys.append(inner.key)
    return which, keys


def _fold(env: Env, op: Op) -> Value:
    run = env.run
    value = evaluate(env, op.operands[0])
    which, keys = _over(env, op, value)
    which |= value.which | value.size
    key = run.keys.make(op.name, op.order, value.key, *keys)
    parts: tuple[Part, ...] = ()
    if not holds_pieces(op.type):
        which = asked_by(op, which)
    else:
        found: list[Part] = []
        for part in value.parts or (None,):
            element = _element(env, op, value, part)
            found += evaluate(_bind(env, op, element), op.operands[1]).parts
        parts = few(run, key, tuple(_derived(run, key, each, which) for each in found))
    return Value(key, which, which, parts)


def _best(env: Env, op: Op) -> Value:
    run, state = env.run, env.state
    value = evaluate(env, op.operands[0])
    which, keys = _over(env, op, value)
    key = run.keys.make(op.name, op.order, value.key, *keys)
    if not value.parts:
        which |= value.which
        return Value(key, which, which | value.size, apart=value.apart)
    which |= identity(run, state, value, op.operands[0].span)
    parts = tuple(_derived(run, key, part, which, one=True) for part in value.parts)
    if len(parts) > 1:
        parts = (together(run, key, parts, which),)
    return Value(key, value.which, value.size | which, parts)


def _top(env: Env, op: Op) -> Value:
    """The first pieces of a set. Those of a pool come first that have the lowest numbers, as their faces say."""
    run, state = env.run, env.state
    value = evaluate(env, op.operands[0])
    which: Sources = value.which
    keys = [value.key]
    several = op.name == "top_several"
    if several:
        number = evaluate(env, op.operands[1])
        which |= number.which
        several = number.key is not run.keys.make("literal", "1")
        keys += [number.key] if several else []
    name = "top several" if several else "top"
    key = run.keys.make(name, *keys)
    size = value.size | (which if several else NOTHING)
    if not value.parts:
        found = identity(run, state, value, op.span)
        return Value(key, which | found, size, apart=value.apart)
    if len(value.parts) > 1:
        which |= value.size
    parts = []
    for part in value.parts:
        chosen = which | _order(env, part, op.span)
        made = evolve(_derived(run, key, part, chosen, one=not several), seen=EVERYONE)
        if len(value.parts) == 1 and part.whole:
            made = evolve(made, key=key)
            if not several and _shows_top(run, part):
                made = evolve(made, needs=part.which)
        parts.append(made)
    if len(parts) > 1:
        parts = [together(run, key, tuple(parts), which)]
    return Value(key, which, size, tuple(parts))


def _order(env: Env, part: Part, span: Span) -> Sources:
    """What decides the order of a part: of a pool its faces, of a pile nothing that is hidden."""
    run, state = env.run, env.state
    if part.one:
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


def _shows_top(run: Run, part: Part) -> bool:
    zones = [run.zones.get(place.zone) for place in part.places]
    return all(zone is not None and zone.seen_by in ("top", "everyone") for zone in zones)


def _look(env: Env, op: Op) -> Value:
    """What a piece looks like, or several."""
    run, state = env.run, env.state
    value, *others = (evaluate(env, each) for each in op.operands)
    which = looks(run, state, value, op.span)
    for other, each in zip(others, op.operands[1:], strict=True):
        which |= identity(run, state, other, each.span)
    if not value.parts:
        which |= identity(run, state, value, op.span)
    base = value.parts[0].key if len(value.parts) == 1 else value.key
    key = run.keys.make(op.name, _details(op), base, *(each.key for each in others))
    which = trim(run, state, which)
    which = frozenset(
        each if each.via else evolve(each, via=env.via, is_value=each.span is op.span)
        for each in which
    )
    return Value(key, which, which)


def _family(env: Env, op: Op) -> Value:
    """Subsets of a set, by their sizes or by what the pieces have in common."""
    run, state = env.run, env.state
    value, *others = (evaluate(env, each) for each in op.operands)
    which: Sources = NOTHING
    for other, each in zip(others, op.operands[1:], strict=True):
        which |= identity(run, state, other, each.span)
    size = value.size | which
    key = run.keys.make(op.name, op.word, value.key, *(each.key for each in others))
    if not value.parts:
        which |= value.which
        return Value(key, which, size | which)
    parts = []
    for part in value.parts:
        seen = NOTHING if op.name == "subsets" else faces(run, state, part, op.span)
        parts.append(_derived(run, key, part, which | seen))
        size |= seen
    return Value(key, value.which, size, tuple(parts))


# ---- Elements that are given out -----------------------------------------------------------------


@frozen
class Taken:
    """How an element of a set is taken: what it is called, and what decides which it is, if not its turn.

    If everyone takes one, it is that taken by `by`.
    """

    name: str
    span: Span
    source: Source | None = None
    one: bool = True
    by: Key | None = None


def one_of(env: Env, value: Value, taken: Taken) -> Value:
    """An element of a set that has been taken: by chance, by choice, or because its turn has come."""
    run, state, source, span = env.run, env.state, taken.source, taken.span
    key = run.keys.fresh(taken.name)
    if taken.by is not None:
        key = run.keys.make("taken", key, taken.by, shown=taken.name)
    for other in value.apart:
        run.apart.add(frozenset((key, other)))
    if not value.parts:
        return Value(key)
    which: Sources = NOTHING
    if source is not None:
        which = frozenset({evolve(source, key=run.keys.make("which", key))})
    else:
        for part in value.parts:
            which |= value.which | part.which | _order(env, part, span)
    needs, where = which, NOTHING
    places: frozenset[Place] = frozenset()
    roots: frozenset[Key] = frozenset()
    excludes = value.parts[0].excludes
    for part in value.parts:
        places |= part.places
        where |= part.where
        roots |= part.roots | {part.key}
        excludes &= part.excludes
        needs |= faces(run, state, part, span)
    own = Part(
        key,
        places,
        which,
        needs,
        where,
        one=taken.one,
        roots=roots if len(value.parts) == 1 else frozenset(),
        excludes=excludes,
    )
    return Value(key, NOTHING, NOTHING, (own,))


def in_sight(env: Env, value: Value) -> Audience:
    """Who sees all the places in which pieces lie."""
    audience = EVERYONE
    for part in value.parts:
        for place in part.places:
            audience = intersect(audience, seers(env.run, place))
    return audience


# ---- Renaming ------------------------------------------------------------------------------------


def substitute(run: Run, value: Value, old: Key, new: Key) -> Value:
    """The value with one player in the place of another."""
    keys = run.keys

    def sources(found: Sources) -> Sources:
        return gathered(source(each) for each in found)

    def source(each: Source) -> Source:
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
        )

    return evolve(
        value,
        key=keys.replace(value.key, old, new),
        which=sources(value.which),
        size=sources(value.size),
        parts=tuple(part(each) for each in value.parts),
        apart=frozenset(keys.replace(key, old, new) for key in value.apart),
    )


def own_guard(run: Run, values: Value, key: Key) -> Sources:
    """What decides whether one element belongs to a set: if it was filtered, only what was asked of that one."""
    if values.guard is None:
        return values.which
    return substitute(run, Value(key, values.guard[1]), values.guard[0], key).which


def pattern_reads(
    run: Run, state: State, value: Value, patterns: Iterable[Pattern], span: Span
) -> Sources:
    """What deciding between keys of a table reads of an input."""
    if all(each.how == "any" for each in patterns):
        return NOTHING
    return looks(run, state, value, span)
