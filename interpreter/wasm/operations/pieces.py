"""Operations on pieces, their attributes and their looks -> the code that computes them, often from tables of masks."""

from typing import Any

from interpreter.operations.pieces import faces_of
from interpreter.wasm.emitter import EmitScope, Emitter, Lanes, WasmValue, writer
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import (
    E,
    Local,
    as_i32,
    as_i64,
    binary,
    const,
    either,
    get,
    select,
)
from interpreter.wasm.masks import has, is_some
from interpreter.wasm.memory import MOST_SMALL, NONE
from interpreter.wasm.operations.numbers import is_small
from interpreter.wasm.operations.sets import add_one, keep_sets, keep_those
from interpreter.wasm.program_analysis import Unsupported, mask
from interpreter.wasm.statements import Fn
from rulespec.core.tree import AttributeRow, Op, walk_operations
from rulespec.core.types import Number

MOST_ENTRIES = 300  # of a table with a mask for each number


def _row(g: Emitter, name: str) -> AttributeRow:
    return next(row for row in g.p.code.attributes if row.name == name)


@writer("attribute")
def _attribute(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    row, values = _row(g, op.word), g.p.layout.attributes[op.word]
    c = g.lets(g.number(op.operands[0], scope))
    if row.set_valued:
        return _set_of(g, c, values)
    e = g.table(list(values), as_i32(c.e))
    low = high = None
    if isinstance(row.type, Number) and None not in values:
        low, high = row.type.low, row.type.high
    sure = c.sure and None not in values
    return WasmValue(
        "number", (e if c.sure else either(c.e.eq(NONE), const(NONE), e),), low, high, sure
    )


def _set_of(g: Emitter, c: WasmValue, values: tuple[tuple[int, ...], ...]) -> WasmValue:
    """An attribute that is a set."""
    if all(map(is_small, values)):
        e = g.table([mask(value) for value in values], as_i32(c.e))
        return WasmValue("small", (e if c.sure else either(c.e.eq(NONE), const(0), e),))
    size = 4 + 4 * max([1, *map(len, values)])
    base = g.p.memory.lists_at(values, size)
    empty = const(g.p.memory.list_at(()), I32)
    at = as_i32(c.e) * size + base
    return WasmValue("list", (g.w.let(at if c.sure else either(c.e.eq(NONE), empty, at)),))


def masks_of(g: Emitter, name: str) -> dict[int, int]:
    """Of every value of an attribute the pieces that have it."""
    row = _row(g, name)
    found: dict[int, int] = {}
    for c, value in enumerate(g.p.layout.attributes[name]):
        for each in value if row.set_valued else (value,):
            if each is not None:
                found[int(each)] = found.get(int(each), 0) | 1 << c
    return found


@writer("attributes")
def _attributes(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    """The values of an attribute in a set of pieces: a test for each value, in a function of its own."""
    pairs = sorted(masks_of(g, op.word).items())
    ordered = op.order != "formed" and g.p.ranks(op.order) is None
    pieces = g.value(op.operands[0], scope.in_any_order() if ordered else scope.in_order())
    if ordered and all(0 <= v < MOST_SMALL for v, _ in pairs):
        return WasmValue("small", (g.w.call(_values_in(g, op.word, pairs), g.as_mask(pieces))[0],))
    return _attribute_list(g, op, pieces)


def _values_in(g: Emitter, name: str, pairs: list[tuple[int, int]]) -> Any:
    key = f"{name}_in"
    if key not in g.p.made:
        fn = Fn(key, [Local(I64, "m") for _ in range(g.p.words)], [I64])
        found: E = const(0)
        for value, having in pairs:
            lanes = zip(fn.params, g.p.unit.mask(having), strict=True)
            met = as_i64(is_some(tuple(get(m) & e for m, e in lanes))) << value
            found = met if found.value == 0 else found | met
        Emitter(g.p, fn).w.give_back(found)
        g.p.made[key] = fn
    return g.p.made[key]


def _attribute_list(g: Emitter, op: Op, pieces: WasmValue) -> WasmValue:
    """The same piece by piece, for values in an order of their own or of any size."""
    row, values = _row(g, op.word), g.p.layout.attributes[op.word]
    at = g.new_list(op.type)

    def one(c: WasmValue) -> None:
        if row.set_valued:
            g.each(_set_of(g, c, values), lambda v: add_one(g, op, at, v.e), 0)
            return
        e = g.w.let(g.table(list(values), as_i32(c.e)))
        with g.w.when(e.ne(NONE)):
            add_one(g, op, at, e)

    g.each(pieces, one, 0)
    return WasmValue("list", (at,), fresh=True)


@writer("having")
def _having(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    over, wanted = op.operands
    masks = masks_of(g, op.word)
    is_known, value = g.p.facts.known(wanted)
    if is_known:
        looks = 0
        for each in value:
            looks |= masks.get(int(each), 0)
        return matching(g, op, g.value(over, scope), g.p.unit.mask(looks), scope)
    most = max([0, *masks]) + 1
    if min([0, *masks]) >= 0 and most <= MOST_ENTRIES:
        table = [masks.get(x, 0) for x in range(most)]
        like = tuple(map(g.w.let, any_of(g, wanted, table, scope)))
        return matching(g, op, g.value(over, scope), like, scope)
    return _having_any(g, op, scope)


def _having_any(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    """The same where values are too large, or too many, for a table of masks."""
    over, wanted = op.operands
    row, values = _row(g, op.word), g.p.layout.attributes[op.word]
    wants = g.w.let(g.as_list(g.value(wanted, scope.in_any_order())).e)

    def has_one(c: WasmValue) -> E:
        if not row.set_valued:
            e = g.w.let(g.table(list(values), as_i32(c.e)))
            return either(e.ne(NONE), g.call("holds", wants, e), const(0, I32))
        found = g.w.local(I32, "found")
        g.w.set(found, const(0, I32))
        with g.forgetting():
            g.each(
                _set_of(g, c, values),
                lambda v: g.w.set(found, get(found) | g.call("holds", wants, v.e)),
                0,
            )
        return get(found)

    return keep_those(g, op, g.value(over, scope), has_one)


def any_of(g: Emitter, op: Op, table: list[int], scope: EmitScope) -> Lanes:
    """The pieces that go with one of several numbers: the union of their masks."""
    v = g.value(op, scope.in_any_order())
    inside = all_within(v, len(table))
    if v.form == "single" and inside:
        return g.mask_table(table, as_i32(v.e))
    found = [g.w.local(I64, "like") for _ in range(g.p.words)]
    for local in found:
        g.w.set(local, const(0))

    def one(each: WasmValue) -> None:
        at = g.w.let(each.e)
        with g.w.when(const(1, I32) if inside else _below(at, len(table))):
            for local, e in zip(found, g.mask_table(table, as_i32(at)), strict=True):
                g.w.set(local, get(local) | e)

    g.each(v, one, 0)
    return tuple(map(get, found))


def all_within(v: WasmValue, most: int) -> bool:
    """Whether all numbers of a set surely have a place in a table."""
    return v.low is not None and v.high is not None and 0 <= v.low <= v.high < most


def _below(e: E, most: int) -> E:
    return binary("lt_u", e, most)


def matching(g: Emitter, op: Op, pieces: WasmValue, like: Lanes, scope: EmitScope) -> WasmValue:
    """The pieces of a set that are among others."""
    if pieces.form == "mask" or not scope.ordered:
        both = zip(g.as_mask(pieces), like, strict=True)
        return WasmValue("mask", tuple(a & b for a, b in both), home=pieces.home)
    like = tuple(map(g.w.let, like))
    return keep_those(g, op, pieces, lambda each: has(like, each.e))


@writer("filter")
def _filter(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    over, condition = op.operands
    v = g.value(over, scope)
    if v.form in ("family", "subsets", "sets"):
        return keep_sets(g, op, v, scope)
    cost = g.p.costs.element_cost(op)
    like = _having_one(g, op, scope) if v.form == "mask" and not cost else None
    if like is not None:
        return matching(g, op, v, like, scope)
    return keep_those(g, op, v, lambda each: g.truth(condition, scope.bind(op.place, each)), cost)


def _having_one(g: Emitter, op: Op, scope: EmitScope) -> Lanes | None:
    """The pieces for which `it.suit == x` holds, from a table with a mask for each `x`; None for other conditions."""
    condition = op.operands[1]
    name = _attribute_of(g, condition.operands[0], op.place) if condition.name == "equal" else None
    if name is None or _row(g, name).set_valued:
        return None
    wanted = condition.operands[1]
    depends = any(
        each.name == "bound" and each.place == op.place for each in walk_operations(wanted)
    )
    if depends or g.p.facts.may_fail(wanted):
        return None
    with g.w.aside() as before:
        x = g.simple(wanted, scope)
    if x.low is None or x.high is None or x.low < 0 or x.high > MOST_ENTRIES:
        return None
    g.w.extend(before)
    masks = masks_of(g, name)
    without = mask(c for c, x in enumerate(g.p.layout.attributes[name]) if x is None)
    table = [without, *(masks.get(n, 0) for n in range(x.high + 1))]
    at = x.e + 1 if x.sure else select(x.e.eq(NONE), const(0), x.e + 1)
    return g.mask_table(table, as_i32(at))


def _attribute_of(g: Emitter, op: Op, place: int) -> str | None:
    """The attribute of a bound piece that an expression is, perhaps by a `let`; None if it is anything else."""
    if op.name == "call":
        fn = g.p.code.functions[op.word]
        cell = fn.rows[0].cell
        is_plain = not fn.inputs and cell.name == "attribute" and cell.operands[0].name == "slot"
        piece = op.operands[cell.operands[0].place] if is_plain else op
        return cell.word if piece.name == "bound" and piece.place == place else None
    is_own = op.name == "attribute" and op.operands[0].name == "bound"
    return op.word if is_own and op.operands[0].place == place else None


# ---- Looks ---------------------------------------------------------------------------------------


@writer("look", "any_look", "look_pieces", "look_members")
def _look(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    return WasmValue("look", look_mask(g, op, scope))


def look_mask(g: Emitter, op: Op, scope: EmitScope) -> Lanes:
    """How pieces look, as a mask of all that look so."""
    match op.name:
        case "look":
            return g.p.unit.mask(mask(faces_of(g.p.layout, op.face)))
        case "any_look":
            lanes = g.p.unit.mask(0)
            for each in op.operands:
                lanes = tuple(a | b for a, b in zip(look_mask(g, each, scope), lanes, strict=True))
            return lanes
        case "look_pieces":
            return g.as_mask(g.value(op.operands[0], scope.in_any_order()))
        case "look_members":
            return _look_members(g, op.operands[0], scope)
    found = g.value(op, scope)
    if found.form != "look":
        raise Unsupported(f"a look from {found.form}", op.span)
    return found.lanes


def _look_members(g: Emitter, op: Op, scope: EmitScope) -> Lanes:
    table = g.p.member_looks()
    is_known, value = g.p.facts.known(op)
    if is_known:
        found = 0
        for each in value:
            found |= table[each]
        return g.p.unit.mask(found)
    return any_of(g, op, table, scope)


@writer("matching", "unlike")
def _matching(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    like = look_mask(g, op.operands[1], scope)
    if op.name == "unlike":
        like = tuple(~e for e in like)
    return matching(g, op, g.value(op.operands[0], scope), like, scope)


@writer("looks")
def _looks(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    c = g.simple(op.operands[0], scope)
    inside = has(tuple(map(g.w.let, look_mask(g, op.operands[1], scope))), c.e)
    return WasmValue("truth", (inside if c.sure else either(c.e.ne(NONE), inside, const(0, I32)),))


@writer("any_looks")
def _any_looks(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    like = look_mask(g, op.operands[1], scope)
    lanes = g.as_mask(g.value(op.operands[0], scope.in_any_order()))
    return WasmValue("truth", (is_some(tuple(a & b for a, b in zip(lanes, like, strict=True))),))


@writer("pair_up")
def _pair_up(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    pieces = g.w.let(g.as_list(g.value(op.operands[0], scope)).e)
    looks = op.operands[1:]
    size = 8 * g.p.words
    at = g.room(max(16, size * len(looks)))
    for n, each in enumerate(looks):
        for k, e in enumerate(look_mask(g, each, scope)):
            g.w.store("i64.store", at, e, n * size + 8 * k)
    return WasmValue("truth", (g.call("pair_up", pieces, at, const(len(looks))),))
