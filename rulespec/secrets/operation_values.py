"""An operation of the core and the values of its operands -> its own value.

Nothing is evaluated here: `reading` evaluates the operands, and the operations that need more than their values.
"""

from collections.abc import Callable

from attrs import evolve

from rulespec.core.operations import VARYING
from rulespec.core.tree import Op
from rulespec.secrets.comparing import seat_after
from rulespec.secrets.facts import faces, identity, look_sources, trim
from rulespec.secrets.knowledge import NOBODY, NOTHING, Audience, Key, Part, Source, Sources, Value
from rulespec.secrets.parts import (
    Env,
    all_look_alike,
    are_apart,
    asked_by,
    at_most_few,
    derive_part,
    details,
    holds_pieces,
    is_within,
    join_parts,
    merge,
    note_size,
    order_sources,
    shows_top,
    size_source,
)

# Operations that read the state of the game, and not only what everybody knows.
LOOKING = VARYING - {"ended"}


def _generic(env: Env, op: Op, operands: list[Value]) -> Value:
    """The value of an operation depends on all that its operands depend on."""
    run = env.run
    which: Sources = NOTHING
    if op.name == "equal" and operands[0].key is operands[1].key:  # each is equal to itself
        return Value(run.keys.make("literal", "True"))
    for operand, each in zip(operands, op.operands, strict=True):
        which |= identity(run, env.state, operand, each.span)
    key = run.keys.make(op.name, details(op), *(each.key for each in operands), shown=op.word)
    if op.name in LOOKING:  # it reads the game, and nothing says which part of it
        key = run.keys.fresh(op.name)
        which |= {Source(key, NOBODY, kind="fact", span=op.span, via=env.via)}
    parts: tuple[Part, ...] = ()
    if holds_pieces(op.type):
        parts = tuple(
            derive_part(run, key, part, which) for value in operands for part in value.parts
        )
    return Value(key, which, which, parts)


def _seats(env: Env, op: Op, operands: list[Value]) -> Value:
    run = env.run
    (seat,) = operands
    clockwise = 1 if run.core.clockwise else -1
    match op.name:
        case "next":
            key = seat_after(run, seat.key, clockwise)
        case "left":
            key = seat_after(run, seat.key, 1)
        case "right":
            key = seat_after(run, seat.key, -1)
        case _:
            key = run.keys.make(op.name, seat.key, shown=f"{op.name}({seat.key.shown})")
    apart = frozenset({seat.key}) if op.name == "others" else frozenset()
    # Everyone knows how many there are; their order, or who they are, depends on the seat.
    return Value(
        key, seat.which, NOTHING, apart=apart, everybody=op.name == "order" and not seat.which
    )


def _either(env: Env, _op: Op, operands: list[Value]) -> Value:
    run = env.run
    condition, one, other = operands
    key = run.keys.make("if", condition.key, one.key, other.key)
    return merge(run, key, [one, other], condition.which)


def _knows(env: Env, op: Op, operands: list[Value]) -> Value:
    who, pieces = operands
    key = env.run.keys.make("knows", who.key, pieces.key)
    own = Source(key, Audience(players=frozenset({who.key})), kind="fact", span=op.span)
    return Value(key, frozenset({own}), NOTHING)


def _same(_env: Env, _op: Op, operands: list[Value]) -> Value:
    """The value of an operation that only converts its operand."""
    return operands[0]


def _single(env: Env, op: Op, operands: list[Value]) -> Value:
    (inner,) = operands
    key = env.run.keys.make("single", inner.key)
    return evolve(inner, key=key, size=NOTHING if op.name == "single" else inner.size)


def _how_many(env: Env, op: Op, operands: list[Value]) -> Value:
    (inner,) = operands
    size = asked_by(op, inner.size)
    return Value(env.run.keys.make(op.name, inner.key), size, size)


def _union(env: Env, op: Op, values: list[Value]) -> Value:
    run, state = env.run, env.state
    if op.name == "union" and values[0].parts and all(each.key is values[0].key for each in values):
        return values[0]
    key = run.keys.make(op.name, op.order, *(each.key for each in values))
    which = size = NOTHING
    for value in values:
        which |= value.which
        size |= value.size
    parts = {part.key: part for value in values for part in value.parts}
    apart = values[0].apart if values else frozenset[Key]()
    for value in values:
        apart &= value.apart
    if len(values) > 1 and (op.name not in ("list", "union") or not are_apart(env, values)):
        overlap: Sources = NOTHING
        for value in values:
            overlap |= identity(run, state, value, op.span)
        size |= overlap
    return Value(key, which, size, at_most_few(run, key, tuple(parts.values())), apart=apart)


def _less(env: Env, op: Op, operands: list[Value]) -> Value:
    """The pieces of one set that are not in another set, or those that are."""
    if not holds_pieces(op.type):
        return _generic(env, op, operands)
    run, state = env.run, env.state
    one, other = operands
    key = run.keys.make(op.name, one.key, other.key)
    which = identity(run, state, other, op.operands[1].span)
    parts = tuple(derive_part(run, key, part, which) for part in one.parts)
    if op.name == "difference" and not other.which:
        without = frozenset(part.key for part in other.parts)
        parts = tuple(evolve(part, excludes=part.excludes | without) for part in parts)
    if not other.which and is_within(one, other):  # nothing is left, or everything
        return one if op.name == "intersection" else Value(run.keys.make("list", None))
    within = not one.which and is_within(other, one)
    size = one.size | other.size
    if not within or op.name == "intersection":
        size |= which | identity(run, state, one, op.operands[0].span)
    return Value(key, one.which, size, parts, apart=one.apart)


def _select(env: Env, op: Op, operands: list[Value]) -> Value:
    """The pieces with a certain face or attribute."""
    run, state = env.run, env.state
    value, look = operands
    which = identity(run, state, look, op.operands[1].span)
    parts = []
    size = value.size | which
    for part in value.parts:
        key = run.keys.make(op.name, part.key, op.word, look.key)
        seen = faces(run, state, part, op.span)
        parts.append(derive_part(run, key, part, which | seen))
        size |= size_source(env, run.keys.make("part", key, part.key), seen)
    whole = run.keys.make(op.name, op.word, value.key, look.key)
    note_size(run, whole, parts)
    return Value(whole, value.which, size, tuple(parts))


def _top(env: Env, op: Op, operands: list[Value]) -> Value:
    """The first pieces of a set. In a pool, their faces decide the order."""
    run, state = env.run, env.state
    value = operands[0]
    which: Sources = value.which
    keys = [value.key]
    several = op.name == "top_several"
    if several:
        number = operands[1]
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
        chosen = (
            which
            if all_look_alike(run, op.type)
            else which | order_sources(env, part, op.operands[0].span)
        )
        made = derive_part(run, key, part, chosen, one=not several)
        if len(value.parts) == 1 and part.whole:
            made = evolve(made, key=key)
            if not several and shows_top(run, part):
                made = evolve(made, needs=part.which)
        parts.append(made)
    if len(parts) > 1:
        parts = [join_parts(run, key, tuple(parts), which)]
    return Value(key, which, size, tuple(parts))


def _position(env: Env, op: Op, operands: list[Value]) -> Value:
    """The position of a value in a set; in a pool it reveals something about the faces."""
    which = operands[1].size
    for value in operands:
        places = (
            part.which | part.where | order_sources(env, part, op.span) for part in value.parts
        )
        which = which.union(value.which, *places)
    return Value(env.run.keys.make(op.name, *(each.key for each in operands)), which, which)


def _look(env: Env, op: Op, operands: list[Value]) -> Value:
    """The face of a piece, or of several."""
    run, state = env.run, env.state
    value, *others = operands
    which = look_sources(run, state, value, op.span)
    for other, each in zip(others, op.operands[1:], strict=True):
        which |= identity(run, state, other, each.span)
    if not value.parts:
        which |= identity(run, state, value, op.span)
    base = value.parts[0].key if len(value.parts) == 1 else value.key
    key = run.keys.make(op.name, details(op), base, *(each.key for each in others))
    which = trim(run, state, which)
    which = frozenset(
        each if each.via else evolve(each, via=env.via, is_value=each.span is op.span)
        for each in which
    )
    return Value(key, which, which)


def _family(env: Env, op: Op, operands: list[Value]) -> Value:
    """The subsets of a set with certain sizes, or whose pieces share something."""
    run, state = env.run, env.state
    value, *others = operands
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
        parts.append(derive_part(run, key, part, which | seen))
        size |= seen
    return Value(key, value.which, size, tuple(parts))


def operation_value(env: Env, op: Op, operands: list[Value]) -> Value:
    """The value of an operation for which the values of its operands are enough."""
    return RULES.get(op.name, _generic)(env, op, operands)


# Operations without an entry go to `_generic`.
RULES: dict[str, Callable[[Env, Op, list[Value]], Value]] = {
    **dict.fromkeys(("order", "others", "next", "left", "right"), _seats),
    **dict.fromkeys(("needed", "within", "among", "of_kind", "or_empty", "listed"), _same),
    **dict.fromkeys(("every_within", "every_among", "every_of_kind"), _same),
    **dict.fromkeys(("single", "perhaps"), _single),
    "if": _either,
    **dict.fromkeys(("is_none", "empty", "count", "count_family"), _how_many),
    **dict.fromkeys(("list", "union", "family_of", "union_of_families"), _union),
    **dict.fromkeys(("difference", "intersection"), _less),
    **dict.fromkeys(("having", "matching", "unlike"), _select),
    **dict.fromkeys(("top", "top_several"), _top),
    "position": _position,
    **dict.fromkeys(("attribute", "attributes", "looks", "any_looks", "look_pieces"), _look),
    **dict.fromkeys(("subsets", "alike", "runs"), _family),
    "knows": _knows,
}
