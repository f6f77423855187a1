"""An expression of the core -> what is known about its value: what decides it, and where its pieces lie.

An operation without a case of its own depends on all that its operands depend on, so a new one is never taken for
public.
"""

from collections.abc import Callable

from attrs import evolve

from rulespec.core.tree import Function, Op
from rulespec.limits import MOST_FOLLOWED
from rulespec.secrets.check_run import TooLargeError
from rulespec.secrets.conditions import excluded_by, pieces_apart
from rulespec.secrets.elements import any_element, deciding, outside_of_element
from rulespec.secrets.facts import amount, contents, identity, is_told, knowers, look_sources, trim
from rulespec.secrets.holding import is_clear
from rulespec.secrets.knowledge import (
    ANYWHERE,
    EVERYONE,
    NOBODY,
    NOTHING,
    Key,
    Part,
    Place,
    Source,
    Sources,
    Value,
)
from rulespec.secrets.operation_values import operation_value
from rulespec.secrets.parts import (
    Env,
    asked_by,
    at_most_few,
    bind_element,
    derive_part,
    details,
    holds_pieces,
    holds_sets,
    is_optional,
    join_parts,
    mark_as_read,
    merge,
    note_size,
    one_member,
    replace_player,
    size_source,
)
from rulespec.secrets.variables import decided, family_entries, indexed_name, secret
from rulespec.source import Span, text_of


def evaluate(env: Env, op: Op) -> Value:
    """What is known about the value of an expression."""
    run = env.run
    if env.memo is not None and id(op) in env.memo:
        return env.memo[id(op)]
    run.work += 1
    if run.work > MOST_FOLLOWED:
        raise TooLargeError(op.span)
    rule = OWN_RULES.get(op.name)
    if rule is not None:
        value = rule(env, op)
    else:
        value = operation_value(env, op, [evaluate(env, each) for each in op.operands])
    if value.which and is_told(env.run, env.state, value.key):
        is_value = not holds_pieces(op.type)
        told = Source(
            *(value.key, EVERYONE, value.which, "fact"),
            span=op.span,
            via=env.via,
            is_value=is_value,
        )
        value = evolve(value, which=frozenset({told}), size=value.size and frozenset({told}))
        if value.guard is not None and knowers(run, env.state, value.which).everyone:
            value = evolve(value, guard=None)  # everyone knows the set, and so what belongs to it
    if env.memo is not None:
        env.memo[id(op)] = value
    return value


def sources_of(env: Env, op: Op) -> Sources:
    """What decides the value of an expression."""
    return identity(env.run, env.state, evaluate(env, op), op.span)


# ---- Names ---------------------------------------------------------------------------------------


def _first(env: Env, _op: Op) -> Value:
    return Value(env.run.keys.make("first", shown="first"))


def _literal(env: Env, op: Op) -> Value:
    return Value(env.run.keys.make("literal", repr(op.value), shown=repr(op.value)))


def _bound(env: Env, op: Op) -> Value:
    return env.bound[op.place]


def _everybody(env: Env, _op: Op) -> Value:
    return Value(env.run.keys.make("seats"), everybody=True)


def _all_pieces(env: Env, op: Op) -> Value:
    hidden = Source(None, NOBODY, kind="place", span=op.span)
    key = env.run.keys.make("all pieces")
    part = Part(key, frozenset({ANYWHERE}), where=frozenset({hidden}))
    return Value(key, parts=(part,))


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
        found = one_member(run, found, keys, indexed_name(op.word, keys))
    if op.word in run.hidden:
        which |= secret(env, op, found.key, keys)
    return decided(found, which)


def _member(env: Env, op: Op) -> Value:
    """A member of a local family: what one player has chosen when several chose together."""
    family, index = (evaluate(env, each) for each in op.operands)
    run = env.run
    which = identity(run, env.state, index, op.operands[1].span)
    for (frame, place), value in family_entries(env, op):
        if (frame, place) == (index.key, 0):
            return decided(value, which)
    return decided(one_member(run, family, (index.key,), ""), which)


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
        place = Place(place.zone, (*place.indices, index.key))
    key = run.keys.make(
        "zone", place.zone, *place.indices, shown=indexed_name(place.zone, place.indices)
    )
    return Value(key, which, which, place=place)


def _contents(env: Env, op: Op) -> Value:
    run = env.run
    of = op.operands[0]
    if of.name == "if":  # the pieces of one of two zones
        test, *zones = of.operands
        condition = evaluate(env, test)
        sets = [_contents(env, evolve(op, operands=(each,))) for each in zones]
        key = run.keys.make("if", condition.key, *(each.key for each in sets))
        return merge(run, key, sets, condition.which)
    zone = evaluate(env, of)
    if zone.place is None:
        raise AssertionError("pieces of something that is no zone")
    part = contents(run, env.state, zone.place, zone.which)
    size = zone.which | amount(run, env.state, part, zone.place, op.span)
    return Value(part.key, zone.which, size, (part,))


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
    key = run.keys.make("output", details(op), index.key, *(each.key for each in results))
    return merge(run, key, results, which)


def _invoke(env: Env, function: Function, operands: tuple[Op, ...], span: Span) -> Value:
    """The value of a function call; the same call in the same state is evaluated once."""
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
            which |= look_sources(run, state, value, each.span)
        keys.append(value.key)
    cells = [evaluate(inner, row.cell) for row in function.rows]
    key = cells[0].key
    if len(cells) > 1:
        key = run.keys.make("table", function.name, *keys, *(each.key for each in cells))
    result = mark_as_read(merge(run, key, cells, which), inner.via)
    state.memo[memo] = (arguments, result)
    return result


def _winners(env: Env, _op: Op) -> Value:
    run = env.run
    player = Value(run.keys.make("winner"))
    which: Sources = NOTHING
    for row in run.core.ranking:
        inner = Env(run, env.state, -1, (player,), {}, env.via)
        which |= sources_of(inner, row.order) | sources_of(inner, row.key)
    which = outside_of_element(which, player.key)
    return Value(run.keys.make("winners", run.keys.fresh("winners")), which, which)


# ---- Sets ----------------------------------------------------------------------------------------


def _filter(env: Env, op: Op) -> Value:
    run = env.run
    value = _as_one(env, op)
    condition = op.operands[1]
    if not value.parts:
        element = any_element(env, op, value, None)
        holds = evaluate(bind_element(env, op.place, element), condition)
        key = run.keys.make("filter", value.key, holds.key)
        before = Value(value.key, value.which)
        if value.guard is not None:
            before = replace_player(
                run, Value(value.key, value.guard[1]), value.guard[0], element.key
            )
        # What everyone knows stays known if another player is substituted.
        own = trim(run, env.state, holds.which | before.which)
        which = value.which | outside_of_element(holds.which, element.key, value.apart)
        apart = value.apart | _excluded(bind_element(env, op.place, element), op.place, condition)
        return Value(key, which, which | value.size, apart=apart, guard=(element.key, own))
    parts = []
    size = value.size
    for part in value.parts:
        element = any_element(env, op, value, part)
        inside = bind_element(env, op.place, element)
        holds = evaluate(inside, condition)
        key = run.keys.make("filter", part.key, holds.key)
        made = derive_part(run, key, part, holds.which)
        denied = [evaluate(inside, each) for _, each in excluded_by(condition, op.place)]
        others = pieces_apart(denied, element.key)
        parts.append(evolve(made, excludes=made.excludes | others))
        size |= size_source(env, run.keys.make("part", key, part.key), holds.which)
    whole = run.keys.make("filter", value.key, *(part.key for part in parts))
    note_size(run, whole, parts)
    return Value(whole, value.which, size, tuple(parts))


def _excluded(env: Env, place: int, condition: Op) -> frozenset[Key]:
    """The values that a condition excludes: `it != p`."""
    return frozenset(
        evaluate(env, each).key
        for word, each in excluded_by(condition, place)
        if word == "equal" and not is_optional(each.type)
    )


def _for_each(env: Env, op: Op, value: Value) -> list[tuple[Part | None, Value, Value]]:
    """For each part of a set: the part, a value for any of its elements, and what is computed for that."""
    found = []
    for part in value.parts or (None,):
        element = any_element(env, op, value, part)
        found.append(
            (part, element, evaluate(bind_element(env, op.place, element), op.operands[1]))
        )
    return found


def _as_one(env: Env, op: Op) -> Value:
    """The operand of a fold, with the sets of a family taken together, because nested folds would multiply parts."""
    value = evaluate(env, op.operands[0])
    if len(value.parts) < 2 or not holds_sets(op.operands[0].type):
        return value
    return evolve(value, parts=(join_parts(env.run, value.key, value.parts),))


def _fold(env: Env, op: Op) -> Value:
    run = env.run
    value = _as_one(env, op)
    each = _for_each(env, op, value)
    which = deciding(env, op.operands[1].span, value, each) | value.which | value.size
    key = run.keys.make(op.name, op.order, value.key, *(inner.key for _, _, inner in each))
    parts: tuple[Part, ...] = ()
    if not holds_pieces(op.type):
        which = asked_by(op, which)
    else:
        found = [part for _, _, inner in each for part in inner.parts]
        parts = at_most_few(run, key, tuple(derive_part(run, key, part, which) for part in found))
    return Value(key, which, which, parts)


def _best(env: Env, op: Op) -> Value:
    run, state = env.run, env.state
    value = _as_one(env, op)
    each = _for_each(env, op, value)
    which = deciding(env, op.operands[1].span, value, each)
    key = run.keys.make(op.name, op.order, value.key, *(inner.key for _, _, inner in each))
    if not value.parts:
        which |= value.which
        return Value(key, which, which | value.size, apart=value.apart)
    which |= identity(run, state, value, op.operands[0].span)
    parts = tuple(derive_part(run, key, part, which, one=True) for part in value.parts)
    if len(parts) > 1:
        parts = (join_parts(run, key, parts, which),)
    # In that case the order of a pool tells nothing.
    clear = run.unique and is_clear(run.core, op)
    return Value(key, value.which, value.size | (NOTHING if clear else which), parts)


# The operations that need more than the values of their operands: names, zones, calls, and what binds an element.
OWN_RULES: dict[str, Callable[[Env, Op], Value]] = {
    "first": _first,
    "literal": _literal,
    "slot": _slot,
    "bound": _bound,
    "seats": _everybody,
    "all_pieces": _all_pieces,
    "variable": _variable,
    "member_of": _member,
    **dict.fromkeys(("zone", "zone_of"), _zone),
    **dict.fromkeys(("contents", "gather"), _contents),
    **dict.fromkeys(("call", "output", "output_at"), _call),
    **dict.fromkeys(("filter", "filter_family"), _filter),
    **dict.fromkeys(("any_of", "all_of", "sum_of", "min_of", "max_of"), _fold),
    **dict.fromkeys(("build", "build_family"), _fold),
    **dict.fromkeys(("best_of", "least_of"), _best),
    "winners": _winners,
}
