"""Operations that make, filter, count and fold sets -> the code that computes them; pieces keep their order."""

from typing import Any

from attrs import evolve

from interpreter.wasm.emitter import EmitScope, Emitter, Lanes, WasmValue, constant, writer
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import E, binary, const, either, get, load, not_, select, unary
from interpreter.wasm.masks import bit, has
from interpreter.wasm.memory import MOST_SMALL, NONE, capacity
from interpreter.wasm.operations.numbers import is_small, outside
from rulespec.core.tree import Op
from rulespec.core.types import Number, Type, element
from rulespec.limits import LARGEST_SET, MOST_LISTED

MOST_UNROLLED = 8  # elements of a known set that are written one by one
SAFE = 20_000  # numbers whose sum over a set cannot leave `Int`


def of_elements(op: Op) -> Type | None:
    """The type of the elements of a set."""
    return element(op.type)


# ---- Sets ----------------------------------------------------------------------------------------


def add_all(g: Emitter, op: Op, at: E, v: WasmValue) -> None:
    """Add the elements of a set to a list that is in the order of an operation."""
    if is_wide(of_elements(op)):
        g.fault(binary("gt_s", g.count(v) + load("i64.load32_s", at), LARGEST_SET))
    g.each(v, lambda each: add_one(g, op, at, each.e), 0)


def add_one(g: Emitter, op: Op, at: E, e: E) -> None:
    """Add an element to such a list, unless it is there."""
    ranks = g.p.ranks(op.order)
    if op.order == "formed":
        g.run("add_new", at, e)
    elif ranks is None:
        g.run("add_in_order", at, e)
    else:
        g.run("add_by_rank", at, e, const(g.p.memory.numbers_at(ranks), I32))


def is_wide(type_: Type | None) -> bool:
    """Whether there may be more elements than a list has room for."""
    return isinstance(type_, Number) and type_.high - type_.low >= LARGEST_SET


def can_be_small(g: Emitter, op: Op, v: WasmValue) -> bool:
    """Whether all elements are small numbers, which the operation keeps in their order."""
    if op.order == "formed" or g.p.ranks(op.order) is not None:
        return False
    if v.form == "small" or is_small(v.literal):
        return True
    is_one = v.form in ("single", "perhaps")
    return is_one and v.low is not None and v.high is not None and 0 <= v.low <= v.high < MOST_SMALL


@writer("list", "union")
def _list(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    if op.order == "formed" and not scope.ordered:
        return _united(g, [g.value(each, scope) for each in op.operands])
    values = [g.value(each, scope.in_order()) for each in op.operands]
    if len(values) == 1 and values[0].form in ("single", "perhaps"):
        return values[0]
    if values and all(can_be_small(g, op, v) for v in values):
        e = g.as_small(values[0]).e
        for v in values[1:]:
            e = e | g.as_small(v).e
        return WasmValue("small", (e,))
    at = g.new_list(op.type)
    for v in values:
        add_all(g, op, at, v)
    return WasmValue("list", (at,), fresh=True)


def _united(g: Emitter, values: list[WasmValue]) -> WasmValue:
    if not values:
        return g.literal(())
    lanes = g.as_mask(values[0])
    for v in values[1:]:
        lanes = tuple(a | b for a, b in zip(lanes, g.as_mask(v), strict=True))
    homes = {v.home for v in values}
    return WasmValue("mask", lanes, home=homes.pop() if len(homes) == 1 else None)


@writer("difference", "intersection")
def _sifted(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    """The elements of a set that are, or are not, in another one."""
    inside = op.name == "intersection"
    right = g.value(op.operands[1], scope.in_any_order())
    left = g.value(op.operands[0], scope)
    if left.form == "mask" or (left.form == "pile" and not scope.ordered):
        both = zip(g.as_mask(left), g.as_mask(right), strict=True)
        return WasmValue("mask", tuple(a & (b if inside else ~b) for a, b in both), home=left.home)
    if left.form == "small" and (right.form != "list" or is_small(right.literal)):
        other = g.as_small(right).e
        return WasmValue("small", (left.e & (other if inside else ~other),))
    left = g.lets(left)
    if right.form in ("mask", "pile"):
        lanes = tuple(map(g.w.let, g.as_mask(right)))
        return keep_those(g, op, left, lambda each: _in_mask(lanes, each, inside=inside))
    others = g.w.let(g.as_list(right).e)

    def kept(each: WasmValue) -> E:
        found: E = g.call("holds", others, each.e)
        return found if inside else not_(found)

    return keep_those(g, op, left, kept)


def _in_mask(lanes: Lanes, each: WasmValue, *, inside: bool) -> E:
    return has(lanes, each.e) if inside else not_(has(lanes, each.e))


def keep_those(g: Emitter, op: Op, v: WasmValue, test: Any, cost: int = 0) -> WasmValue:
    """The elements of a set for which a test holds, in their order."""
    of = of_elements(op.operands[0])
    if v.form == "list" and is_small(v.literal) and op.order != "formed":
        v = g.as_small(v)
    if v.form in ("mask", "small"):
        kept = [g.w.local(I64, "kept") for _ in v.lanes]
        for local in kept:
            g.w.set(local, const(0))

        def mark(each: WasmValue) -> None:
            with g.w.when(test(each)):
                for local, e in zip(kept, bit(each.e, len(kept)), strict=True):
                    g.w.set(local, get(local) | e)

        g.each(v, mark, cost, of)
        return WasmValue(v.form, tuple(map(get, kept)), home=v.home)
    at = g.new_list(op.operands[0].type)

    def add(each: WasmValue) -> None:
        with g.w.when(test(each)):
            g.run("add", at, each.e)

    g.each(v, add, cost, of)
    return WasmValue("list", (at,), home=v.home, fresh=True)


@writer("count")
def _count(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.value(op.operands[0], scope.in_any_order())
    if v.form in ("family", "subsets"):
        v = g.as_sets(v)
    high = {"single": 1, "perhaps": 1, "sets": MOST_LISTED}.get(
        v.form, capacity(op.operands[0].type, g.p.layout)
    )
    return WasmValue("number", (g.count(v),), 0, high, sure=True)


@writer("numbers")
def _numbers(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    low, high = (g.simple(each, scope) for each in op.operands)
    at = g.new_list(op.type)
    room = capacity(op.type, g.p.layout)
    g.fault(binary("ge_s", high.e - low.e, room))
    g.run("add_numbers", at, low.e, high.e)
    return WasmValue("list", (at,), fresh=True)


@writer("members_between")
def _members_between(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    low, high = (g.simple(each, scope).e for each in op.operands)
    members = g.p.layout.enums[op.order]
    places: list[int | None] = [
        members.index(m) if m in members else 0 for m in range(max(members) + 1)
    ]
    first, last = (g.w.let(g.table(places, unary("i32.wrap_i64", I32, e))) for e in (low, high))
    at = g.new_list(op.type)
    i = g.w.local(I64, "i")
    g.w.set(i, first)
    with g.w.when(binary("le_s", get(i), last)), g.w.loop() as again:
        g.run("add", at, g.table(list(members), unary("i32.wrap_i64", I32, get(i))))
        g.w.set(i, get(i) + 1)
        g.w.br_if(again, binary("le_s", get(i), last))
    return WasmValue("list", (at,), fresh=True)


def keep_sets(g: Emitter, op: Op, v: WasmValue, scope: EmitScope) -> WasmValue:
    """The members of a family for which a condition holds, moved together in place."""
    condition = op.operands[1]
    v = g.lets(g.as_sets(v))
    if not v.fresh:
        v, g.allocates = g.lets(WasmValue("sets", (g.call("copy_sets", v.e),))), True
    count = g.w.local(I64, "kept")
    g.w.set(count, const(0))

    def one(each: WasmValue) -> None:
        with g.w.when(g.truth(condition, scope.bind(op.place, each))):
            g.run("copy_list", g.call("member", v.e, get(count)), each.e)
            g.w.set(count, get(count) + 1)

    g.each(v, one, g.p.costs.cost(condition))
    g.w.store("i64.store32", v.e, get(count))
    return evolve(v, fresh=True)


@writer("build")
def _build(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    over, item = op.operands
    v = g.value(over, scope.in_order())
    at = g.new_list(op.type)
    g.each(
        v,
        lambda each: add_all(g, op, at, g.value(item, scope.bind(op.place, each))),
        g.p.costs.element_cost(op),
        of_elements(over),
    )
    return WasmValue("list", (at,), fresh=True)


@writer("top")
def _top(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.value(op.operands[0], scope.in_order())
    match v.form:
        case "mask":
            return WasmValue("number", (g.call("first_of", v.lanes),), home=v.home)
        case "pile":
            return WasmValue("number", (g.call("top_of", v.e),), home=v.home)
        case "single" | "perhaps":
            return WasmValue("number", v.lanes, home=v.home)
        case "small":
            e = g.w.let(v.e)
            lowest = unary("i64.ctz", I64, e)
            return WasmValue("number", (select(e.eq(0), const(NONE), lowest),))
    return WasmValue("number", (g.call("head_of", g.as_list(v).e),), home=v.home)


@writer("position")
def _position(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v = g.number(op.operands[0], scope)
    among = g.as_list(g.value(op.operands[1], scope.in_order()))
    most = capacity(op.operands[1].type, g.p.layout)
    return WasmValue("number", (g.call("position_in", among.e, v.e),), 1, most)


@writer("top_several")
def _top_several(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    v, count = g.value(op.operands[0], scope.in_order()), g.number(op.operands[1], scope)
    if v.form == "mask":
        return WasmValue("mask", tuple(g.run("first_bits", v.lanes, count.e)), home=v.home)
    wanted = g.w.let(count.e)
    at = g.list_room(capacity(op.operands[0].type, g.p.layout))
    g.run("copy_list", at, g.as_list(v).e)
    g.run("shorten", at, wanted)
    return WasmValue("list", (at,), home=v.home, fresh=True)


# ---- Folds ---------------------------------------------------------------------------------------


@writer("any_of", "all_of")
def _any_all(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    over, condition = op.operands
    until = op.name == "any_of"
    found = g.w.local(I32, op.name)
    v = g.value(over, scope)
    g.w.set(found, const(int(not until), I32))

    def one(each: WasmValue, done: Any) -> None:
        test = g.truth(condition, scope.bind(op.place, each))
        with g.w.when(test if until else not_(test)):
            g.w.set(found, const(int(until), I32))
            g.w.br(done)

    g.until(v, one, g.p.costs.element_cost(op), of_elements(over))
    return WasmValue("truth", (get(found),))


def _is_safe(v: WasmValue) -> bool:
    return v.low is not None and v.high is not None and max(abs(v.low), abs(v.high)) <= SAFE


@writer("sum_of")
def _sum_of(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    over, item = op.operands
    is_known, values = g.p.facts.known(over)
    if is_known and 0 < len(values) <= MOST_UNROLLED and all(isinstance(x, int) for x in values):
        return _unrolled(g, op, scope, values)
    total = g.w.local(I64, "sum")
    v = g.value(over, scope)
    g.w.set(total, const(0))

    def one(each: WasmValue) -> None:
        value = g.number(item, scope.bind(op.place, each))
        g.w.set(total, get(total) + value.e)
        if not _is_safe(value):
            g.fault(outside(get(total)))

    g.each(v, one, g.p.costs.element_cost(op), of_elements(over))
    return WasmValue("number", (get(total),), sure=True)


def _unrolled(g: Emitter, op: Op, scope: EmitScope, values: tuple[int, ...]) -> WasmValue:
    parts = [
        g.lets(g.number(op.operands[1], scope.bind(op.place, constant(each)))) for each in values
    ]
    if all(map(_is_safe, parts)):
        e = parts[0].e
        for part in parts[1:]:
            e = e + part.e
        low, high = sum(v.low or 0 for v in parts), sum(v.high or 0 for v in parts)
        return WasmValue("number", (e,), low, high, sure=True)
    total = g.w.local(I64, "sum")
    g.w.set(total, const(0))
    for part in parts:
        g.w.set(total, get(total) + part.e)
        g.fault(outside(get(total)))
    return WasmValue("number", (get(total),), sure=True)


@writer("min_of", "max_of", "best_of", "least_of")
def _extreme(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    """The lowest or the highest: of equal ones the first; what is none is skipped."""
    over, item = op.operands
    v = g.value(over, scope.in_order())
    if v.form in ("family", "subsets", "sets") and op.name in ("best_of", "least_of"):
        return _extreme_set(g, op, v, scope)
    found, height = g.w.local(I64, "found"), g.w.local(I64, "height")
    for local in (found, height):
        g.w.set(local, const(NONE))

    def one(each: WasmValue) -> None:
        key = g.lets(g.number(item, scope.bind(op.place, each)))
        with g.w.when(_is_better(g, op, key, height)):
            g.w.set(found, each.e if op.name in ("best_of", "least_of") else key.e)

    g.each(v, one, g.p.costs.element_cost(op), of_elements(over))
    return WasmValue("number", (get(found),), home=v.home)


def _extreme_set(g: Emitter, op: Op, v: WasmValue, scope: EmitScope) -> WasmValue:
    """The same where the elements are sets."""
    found, height = g.w.local(I32, "found"), g.w.local(I64, "height")
    v = g.lets(g.as_sets(v))
    g.w.set(found, const(g.p.none_list, I32))
    g.w.set(height, const(NONE))

    def one(each: WasmValue) -> None:
        key = g.lets(g.number(op.operands[1], scope.bind(op.place, each)))
        with g.w.when(_is_better(g, op, key, height)):
            g.w.set(found, each.e)

    g.each(v, one, g.p.costs.cost(op.operands[1]))
    return WasmValue("list", (get(found),))


def _is_better(g: Emitter, op: Op, key: WasmValue, height: Any) -> E:
    """Whether a key is better than the best so far, which it then is."""
    sign = "lt_s" if op.name in ("min_of", "least_of") else "gt_s"
    ranks = g.p.ranks(op.order)
    better = g.w.local(I32, "better")
    g.w.set(better, const(0, I32))
    with g.w.when(key.e.ne(NONE)):
        at = key.e if ranks is None else g.w.let(g.p.rank_of(g, ranks, key.e))
        first = get(height).eq(NONE)
        with g.w.when(either(first, const(1, I32), binary(sign, at, get(height)))):
            g.w.set(height, at)
            g.w.set(better, const(1, I32))
    return get(better)


@writer("min_of_set", "max_of_set")
def _of_set(g: Emitter, op: Op, scope: EmitScope) -> WasmValue:
    name = "min_of" if op.name == "min_of_set" else "max_of"
    over = op.operands[0]
    each = Op("bound", place=-1)
    return _extreme(g, Op(name, (over, each), place=-1, order=op.order, type=op.type), scope)
