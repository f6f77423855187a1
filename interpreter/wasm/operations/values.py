"""Literals, variables, zones, seats, and tests that a value fits its place -> the code that computes them."""

from typing import Any

from attrs import evolve

from interpreter.layout import index_values
from interpreter.operations.values import seats_in_order
from interpreter.wasm.emitter import EmitScope, Emitter, StaticZone, WasmValue, writer
from interpreter.wasm.encoding import I32
from interpreter.wasm.expressions import (
    E,
    as_i32,
    as_i64,
    binary,
    const,
    either,
    load,
    not_,
    select,
)
from interpreter.wasm.masks import has, is_some
from interpreter.wasm.memory import NONE, form_of, list_size, size_of_type
from interpreter.wasm.program_analysis import Unsupported, mask
from rulespec.core.tree import Op
from rulespec.core.types import Indexed, Place

MOST_UNROLLED = 8  # zones of a family that are looked at one by one

# ---- Values --------------------------------------------------------------------------------------


@writer("literal")
def _literal(g: Emitter, op: Op, _scope: EmitScope) -> WasmValue:
    return g.literal(op.value)


@writer("slot")
def _slot(_g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    return scope.slots[op.place]


@writer("bound")
def _bound(_g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    return scope.bound[op.place]


@writer("all_pieces")
def _all_pieces(g: Emitter, _op: Op, _scope: EmitScope) -> WasmValue:
    return WasmValue("mask", g.p.unit.mask(g.p.facts.whole))


@writer("first")
def _first(g: Emitter, _op: Op, _scope: EmitScope) -> WasmValue:
    return WasmValue("number", (g.p.field(g.s, "first"),), 0, g.p.layout.players - 1, sure=True)


@writer("ended")
def _ended(g: Emitter, _op: Op, _scope: EmitScope) -> WasmValue:
    return WasmValue("truth", (binary("gt_s", g.p.field(g.s, "phase"), 1),))


@writer("winners")
def _winners(g: Emitter, _op: Op, _scope: EmitScope) -> WasmValue:
    at = g.list_room(g.p.layout.players)
    g.run("list_winners", g.s, at)
    return WasmValue("list", (at,), fresh=True)


@writer("variable")
def _variable(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    address, offset, row = variable_at(g, op.word, op.operands, scope)
    form = form_of(row.type, g.p.layout)
    if form == "list":
        return WasmValue("list", (address + offset,))
    return g.typed(WasmValue(form, (load("i64.load", address, offset),)), row.type)


def variable_at(
    g: Emitter, name: str, indices: tuple[Op, ...], scope: EmitScope
) -> tuple[E, int, Any]:
    """The address of a variable, what is added to it, and the row that declares it."""
    family = g.p.layout.variable_families[name]
    offset, size = g.p.state.variables[name]
    if not family.size:
        raise Unsupported("a variable that nobody has")
    row = g.p.layout.variables[family.base][0]
    place = g.place(family, indices, scope) if family.domains else const(0, I32)
    if place.op == "const":
        return g.s, offset + place.value * size, row
    return g.w.let(g.s + place * size), offset, row


@writer("member_of")
def _member_of(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    kept, index = g.value(op.operands[0], scope), g.number(op.operands[1], scope)
    if kept.form != "indexed" or not isinstance(kept.type, Indexed):
        return WasmValue("number", (const(NONE),))  # nothing was ever kept
    at, of = member_at(g, kept, index), kept.type.of
    form = form_of(of, g.p.layout)
    if form == "list":
        none = const(g.p.none_list, I32)
        return WasmValue("list", (g.w.let(select(load("i64.load", at).eq(0), none, at + 8)),))
    return WasmValue(
        form, (either(load("i64.load", at).eq(0), const(NONE), load("i64.load", at, 8)),)
    )


def member_at(g: Emitter, kept: WasmValue, index: WasmValue) -> E:
    """The address of a member of a local family: whether it is there, and then its value."""
    type_ = kept.type
    if not isinstance(type_, Indexed):
        raise Unsupported("a local family without a type")
    step = 8 + size_of_type(type_.of, g.p.layout)
    place = g.place_in(index_values(g.p.layout, type_.indices[0]), index)
    return g.w.let(kept.e + place * step + 8)


# ---- Zones ---------------------------------------------------------------------------------------


@writer("zone")
def _zone(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    family = g.p.layout.zone_families[op.word]
    if not family.size:
        return WasmValue("zones", (const(family.base),), count=0)
    place = g.place(family, op.operands, scope)
    if len(op.operands) < len(family.domains):
        count = family.strides[len(op.operands) - 1] if op.operands else family.size
        return WasmValue("zones", (as_i64(place + family.base),), count=count)
    size, base = g.p.state.zone_size(family.base), g.p.state.zones[family.base]
    if place.op == "const":
        address = g.s + (place.value * size + base)
    else:
        place = g.w.let(place)
        address = g.w.let(g.s + place * size) + base
    zone = StaticZone(as_i64(place + family.base), address, g.p.layout.is_pool[family.base])
    return WasmValue("number", (zone.number,), sure=True, zone=zone)


@writer("zone_of")
def _zone_of(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    zones, key = g.value(op.operands[0], scope), g.number(op.operands[1], scope)
    family = op.operands[0].type
    if not isinstance(family, Place):
        raise Unsupported("zones of which the indices are not known", op.span)
    place = g.place_in(index_values(g.p.layout, family.indices[0]), key)
    return WasmValue("number", (zones.e + as_i64(place),), sure=True)


@writer("contents")
def _contents(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    found = g.value(op.operands[0], scope)
    zone = found.zone
    if zone is None:
        at = g.list_room(len(g.p.layout.pieces))
        g.w.store("i32.store", at, const(0, I32))
        g.run("add_zone", g.s, at, found.e)
        return WasmValue("list", (at,), fresh=True)
    if zone.is_pool:
        return WasmValue("mask", g.p.unit.load_mask(zone.address), home=zone)
    return WasmValue("pile", (zone.address,), home=zone)


@writer("gather")
def _gather(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    (zones,) = op.operands
    found = g.lets(g.value(zones, scope))
    if found.form != "zones":
        found = evolve(found, form="zones", count=g.p.zones_in(zones.type))
    family = g.p.layout.zone_families[zones.word] if zones.name == "zone" else None
    is_pool = family is not None and family.size and g.p.layout.is_pool[family.base]
    if family is not None and is_pool and not scope.ordered and found.count <= MOST_UNROLLED:
        size, base = g.p.state.zone_size(family.base), g.p.state.zones[family.base]
        address = g.w.let(g.s + as_i32(found.e - family.base) * size)
        lanes = g.p.unit.load_mask(address, base)
        for n in range(1, found.count):
            more = g.p.unit.load_mask(address, base + n * size)
            lanes = tuple(a | b for a, b in zip(lanes, more, strict=True))
        return WasmValue("mask", tuple(map(g.w.let, lanes)))
    at = g.list_room(len(g.p.layout.pieces))
    g.w.store("i32.store", at, const(0, I32))
    g.run("add_zones", g.s, at, found.e, const(found.count))
    return WasmValue("list", (at,), fresh=True)


# ---- Seats ---------------------------------------------------------------------------------------


@writer("order", "others")
def _order(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    players = g.p.layout.players
    skip = int(op.name == "others")
    size = list_size(players)
    lists = [seats_in_order(g.p.layout, p)[skip:] for p in range(players)]
    base = g.p.memory.lists_at(lists, size)
    data = tuple((base + n * size, each) for n, each in enumerate(lists))
    seat = as_i32(g.number(op.operands[0], scope).e)
    return WasmValue("list", (g.w.let(seat * size + base),), data=data)


@writer("next", "left", "right")
def _neighbour(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    players = g.p.layout.players
    by = -1 if op.name == "right" or (op.name == "next" and not g.p.code.clockwise) else 1
    seat = as_i32(g.number(op.operands[0], scope).e)
    beside: list[int | None] = [(p + by) % players for p in range(players)]
    return WasmValue("number", (g.table(beside, seat),), 0, players - 1, sure=True)


@writer("index")
def _index(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    places: list[int | None] = [member.place for member in g.p.code.members]
    member = as_i32(g.number(op.operands[0], scope).e)
    return WasmValue("number", (g.table(places, member),), 0, len(places), sure=True)


# ---- Conversions and tests -----------------------------------------------------------------------


@writer("single", "perhaps")
def _as_set(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.value(op.operands[0], scope)
    if v.form == "truth":
        v = g.into(v, "number")
    if v.form != "number":
        raise Unsupported("a set of a set", op.span)
    return evolve(v, form="single" if v.sure else op.name, zone=None)


@writer("or_empty")
def _or_empty(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.lets(g.value(op.operands[0], scope))
    match v.form:
        case "number":  # none
            return g.literal(())
        case "small":
            return WasmValue("small", (select(v.e.eq(NONE), const(0), v.e),))
        case "list" if v.literal is None:
            none = binary("lt_s", load("i32.load", v.e), 0)
            empty = const(g.p.memory.list_at(()), I32)
            return evolve(v, lanes=(g.w.let(select(none, empty, v.e)),))
    return v


@writer("needed")
def _needed(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.value(op.operands[0], scope)
    if v.form in ("number", "perhaps", "small") and not v.sure and v.zone is None:
        v = g.lets(v)
        g.fault(v.e.eq(NONE))
        return evolve(v, sure=True)
    if v.form == "list" and v.literal is None:
        g.fault(binary("lt_s", load("i32.load", v.e), 0))
    return v


@writer("within")
def _within(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    low, high = op.numbers
    v = g.number(op.operands[0], scope)
    if v.low is not None and v.high is not None and low <= v.low <= v.high <= high:
        return v
    v = g.lets(v)
    outside = binary("gt_u", v.e - low, high - low)
    g.fault(outside if v.sure else either(outside, v.e.ne(NONE), const(0, I32)))
    return evolve(v, low=low, high=high)


@writer("among", "of_kind")
def _among(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.lets(g.number(op.operands[0], scope))
    g.fault(either(v.e.ne(NONE), not_(_is_among(g, op, v.e)), const(0, I32)))
    return v


def _is_among(g: Emitter, op: Op, e: E) -> E:
    if op.name.endswith("of_kind"):
        return has(g.p.unit.mask(g.p.facts.of_kinds(op.words)), e)
    if max(op.numbers) < 64:
        return g.call("small_has", const(mask(op.numbers)), e)
    return g.call("holds", const(g.p.memory.list_at(op.numbers), I32), e)


@writer("every_within", "every_among")
def _every(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.lets(g.value(op.operands[0], scope))

    def test(each: WasmValue) -> None:
        if op.name == "every_within":
            low, high = op.numbers
            g.fault(binary("gt_u", each.e - low, high - low))
        else:
            g.fault(not_(_is_among(g, op, each.e)))

    g.each(v, test, 0)
    return v


@writer("every_of_kind")
def _every_of_kind(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.lets(g.value(op.operands[0], scope))
    allowed = g.p.unit.mask(g.p.facts.of_kinds(op.words))
    g.fault(is_some(tuple(a & ~b for a, b in zip(g.as_mask(v), allowed, strict=True))))
    return v
