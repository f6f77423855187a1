"""A set -> any element of it, or the one that chance or a player has taken; and what that element says of the others."""

from attrs import evolve, frozen

from rulespec.core.tree import Op
from rulespec.secrets.check_run import Run
from rulespec.secrets.facts import count_sources, faces, identity
from rulespec.secrets.knowledge import (
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
    gathered,
)
from rulespec.secrets.parts import Env, derive_part, holds_sets, order_sources, replace_player
from rulespec.source import Span


def any_element(env: Env, op: Op, value: Value, part: Part | None) -> Value:
    """A value that stands for any element of a set while something is evaluated for each element."""
    run = env.run
    base = value.key if part is None else part.key
    key = run.keys.make("element", base, op.place, shown="it")
    nested = 0
    while env.arguments and any(contains_key(each.key, key) for each in env.arguments):
        nested += 1  # the caller has bound an element of the same set, and that may be a different element
        key = run.keys.make("element", base, op.place, nested, shown="it")
    if part is None:
        for other in value.apart:
            run.apart.add(frozenset((key, other)))
        return Value(key, value.which)
    one = not holds_sets(op.operands[0].type)
    own = evolve(
        part,
        key=key,
        which=part.which,
        needs=derive_part(run, key, part, NOTHING).needs,
        seen=EVERYONE,
        one=one,
        whole=False,
        roots=part.roots | {part.key},
    )
    return Value(key, value.which, NOTHING if one else count_sources(value.size), (own,))


def outside_of_element(sources: Sources, key: Key, apart: frozenset[Key] = frozenset()) -> Sources:
    """Sources as they hold outside of the expression that binds an element: no player can be that element there.

    What everyone but the element knows, the players know from whom every element differs.
    """
    return _without(sources, key, apart, {})


def _without(
    sources: Sources, key: Key, apart: frozenset[Key], found: dict[int, Source]
) -> Sources:
    """The same; `found` keeps earlier answers, because many sources need the same ones."""
    after = [_without_in(each, key, apart, found) for each in sources]
    same = all(one is other for one, other in zip(after, sources, strict=True))
    return sources if same else gathered(after)


def _without_in(
    source: Source, key: Key, apart: frozenset[Key], found: dict[int, Source]
) -> Source:
    before = found.get(id(source))
    if before is not None:
        return before
    audience = source.audience
    if audience.players or audience.but:
        players = frozenset(each for each in audience.players if not contains_key(each, key))
        but = frozenset(each for each in audience.but if not contains_key(each, key))
        if key in audience.but:
            players |= apart
        if players != audience.players or but != audience.but:
            audience = Audience(audience.everyone, players, but)
    needs = _without(source.needs, key, apart, found) if source.needs else source.needs
    if audience is source.audience and needs is source.needs:
        after = source
    else:
        after = evolve(source, audience=audience, needs=needs)
    found[id(source)] = after
    return after


def deciding(
    env: Env, span: Span, value: Value, each: list[tuple[Part | None, Value, Value]]
) -> Sources:
    """What decides the result of something that is computed for every element of each part of a set."""
    which: Sources = NOTHING
    for part, element, inner in each:
        found = identity(env.run, env.state, inner, span)
        which |= outside_of_element(found, element.key, value.apart) | (
            part.which if part else NOTHING
        )
    return which


@frozen
class Taken:
    """How an element of a set is taken: its name, and what decides which one it is; `None` if its turn has come.

    If everyone takes an element, this is the one that `by` takes.
    """

    name: str
    span: Span
    source: Source | None = None
    one: bool = True
    by: Key | None = None


def one_of(env: Env, value: Value, taken: Taken) -> Value:
    """The element of a set that chance or a player has taken, or whose turn has come."""
    run, state, source, span = env.run, env.state, taken.source, taken.span
    key = run.keys.fresh(taken.name)
    if taken.by is not None:
        key = run.keys.make("taken", key, taken.by, shown=taken.name)
    for other in value.apart:
        run.apart.add(frozenset((key, other)))
    if not value.parts:
        run.members[key] = value.key
        return Value(key)
    which: Sources = NOTHING
    if source is not None:
        which = frozenset({evolve(source, key=run.keys.make("which", key))})
        if source.kind == "chance":  # chance draws only from what something else has left
            for part in value.parts:
                which |= {
                    each
                    for each in part.which | value.which
                    if each.kind == "order" or lies_elsewhere(state, part, each)
                }
    else:
        for part in value.parts:
            which |= value.which | part.which | order_sources(env, part, span)
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
    # A choice reveals how many pieces it takes; a draw does not.
    is_told = taken.one or (source is not None and source.kind == "choice")
    return Value(key, NOTHING, NOTHING if is_told else count_sources(value.size), (own,))


def lies_elsewhere(state: State, part: Part, source: Source) -> bool:
    """Whether a source that decides which pieces these are lies elsewhere, so that seeing them reveals something."""
    if source.kind == "fact":
        return any(lies_elsewhere(state, part, each) for each in source.needs)
    if source.kind == "secret":
        return True
    if source.kind == "count":
        return part.places != {source.place}
    if source.kind != "face" or source.place is None:
        return False
    if source.key is None:
        return source.place not in part.places
    inner = source.key.parts[0]
    if source.place not in part.places:
        return inner not in part.roots
    # It once lay among them, and still does if these were selected from it, or if a value tracks it where they lie.
    return not (_is_selected(part, inner) or _lies_among(state, part, inner))


def _is_selected(part: Part, key: object) -> bool:
    """Whether a part was selected from the pieces of a key, or from a set that contains those pieces."""
    while isinstance(key, Key):
        if key is part.key or key in part.roots:
            return True
        place = {"element": 0, "top": 0, "top several": 0, "part": 1}.get(key.head)
        key = None if place is None else key.parts[place]
    return False


def _lies_among(state: State, part: Part, key: object) -> bool:
    """Whether some value still tracks the pieces of a key, and they lie in the places of this part."""
    values = (*state.slots.values(), *state.variables.values(), *state.members.values())
    return any(
        each.key is key and each.places <= part.places for value in values for each in value.parts
    )


def own_guard(run: Run, values: Value, key: Key) -> Sources:
    """What decides whether one element belongs to a set; for a filtered set, only the condition for that element."""
    if values.guard is None:
        return values.which
    return replace_player(run, Value(key, values.guard[1]), values.guard[0], key).which
