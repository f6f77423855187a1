"""Literals, variables, zones and seats, and tests that a value fits its place.

Short names: `s` state, `f` slots of the frame, with those of bound names behind them.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from interpreter.errors import Crash, RuleFault
from interpreter.expressions import (
    ExpressionContext,
    Meaning,
    Slots,
    builder,
    meaning,
    meanings_of,
    of_values,
    place_meaning,
    plain,
)
from interpreter.faults import leaves_range, not_among, wrong_kind
from interpreter.layout import Layout, index_values
from interpreter.state import PLAY, SETUP, SLOTS, State
from interpreter.work import spend
from rulespec import codes
from rulespec.core.tree import Op
from rulespec.core.types import Place

# ---- Values --------------------------------------------------------------------------------------


@builder("literal")
def _literal(_context: ExpressionContext, op: Op, _size: int) -> Meaning:
    value = op.value
    return lambda _s, _f: value


@builder("slot")
def _slot(_context: ExpressionContext, op: Op, _size: int) -> Meaning:
    place = op.place + SLOTS
    return lambda _s, f: f[place]


@builder("bound")
def _bound(_context: ExpressionContext, op: Op, size: int) -> Meaning:
    place = op.place + size
    return lambda _s, f: f[place]


@builder("option")
def _option(context: ExpressionContext, op: Op, _size: int) -> Meaning:
    value = context.layout.options[op.word]
    return lambda _s, _f: value


@builder("players")
def _players(context: ExpressionContext, _op: Op, _size: int) -> Meaning:
    players = context.layout.players
    return lambda _s, _f: players


@builder("seats")
def _seats(context: ExpressionContext, _op: Op, _size: int) -> Meaning:
    seats = tuple(range(context.layout.players))
    return lambda _s, _f: seats


@builder("domain")
def _domain(context: ExpressionContext, op: Op, _size: int) -> Meaning:
    members = context.layout.enums[op.word]
    return lambda _s, _f: members


@builder("all_pieces")
def _all_pieces(context: ExpressionContext, _op: Op, _size: int) -> Meaning:
    layout = context.layout

    def pieces(s: State, _f: Slots) -> tuple[int, ...]:
        spend(s, len(layout.pieces))
        return tuple(range(len(layout.pieces)))

    return pieces


@builder("first")
def _first(_context: ExpressionContext, _op: Op, _size: int) -> Meaning:
    return lambda s, _f: s.first


@builder("ended")
def _ended(_context: ExpressionContext, _op: Op, _size: int) -> Meaning:
    return lambda s, _f: s.phase not in (SETUP, PLAY)


@builder("winners")
def _winners(context: ExpressionContext, _op: Op, _size: int) -> Meaning:
    def find(s: State, _f: Slots) -> tuple[int, ...]:
        if context.winners is None:
            raise Crash("winners are asked for where there are none")
        return context.winners(s)

    return find


@builder("result")
def _result(context: ExpressionContext, _op: Op, _size: int) -> Meaning:
    def find(_s: State, _f: Slots) -> Any:
        if context.result is None:
            raise Crash("a result is asked for outside an example")
        return context.result()

    return find


@builder("variable")
def _variable(context: ExpressionContext, op: Op, size: int) -> Meaning:
    family = context.layout.variable_families[op.word]
    if not op.operands:
        base = family.base
        return lambda s, _f: s.variables[base]
    place = place_meaning(family, meanings_of(context, op.operands, size))
    return lambda s, f: s.variables[place(s, f)]


@builder("member_of")
def _member_of(context: ExpressionContext, op: Op, size: int) -> Meaning:
    family, index = meanings_of(context, op.operands, size)

    def pick(s: State, f: Slots) -> Any:
        kept = family(s, f)
        return None if kept is None else dict(kept).get(index(s, f))

    return pick


# ---- Zones ---------------------------------------------------------------------------------------


# [expr.zone]
@builder("zone")
def _zone(context: ExpressionContext, op: Op, size: int) -> Meaning:
    indices = op.operands
    family = context.layout.zone_families[op.word]
    place = place_meaning(family, meanings_of(context, indices, size))
    if len(indices) == len(family.domains):
        return place
    # A family, or what is left of one: all its zones.
    if not indices:
        members = tuple(range(family.base, family.base + family.size))
        return lambda _s, _f: members
    left = family.strides[len(indices) - 1]
    return lambda s, f: tuple(range(place(s, f), place(s, f) + left))


@builder("zone_of")
def _zone_of(context: ExpressionContext, op: Op, size: int) -> Meaning:
    zones, key = meanings_of(context, op.operands, size)
    family = op.operands[0].type
    if not isinstance(family, Place):
        raise Crash(f"{family} is no family of zones")
    table = {value: n for n, value in enumerate(index_values(context.layout, family.indices[0]))}
    return lambda s, f: zones(s, f)[table[key(s, f)]]


@builder("contents")
def _contents(context: ExpressionContext, op: Op, size: int) -> Meaning:
    (zone,) = op.operands
    if zone.name == "zone" and not zone.operands:
        base = context.layout.zone_families[zone.word].base
        return lambda s, _f: s.zones[base]
    place = meaning(context, zone, size)
    return lambda s, f: s.zones[place(s, f)]


# [expr.family]
@of_values("gather")
def _gather(s: State, _op: Op, zones: tuple[int, ...]) -> tuple[int, ...]:
    pieces = [c for z in zones for c in s.zones[z]]
    spend(s, len(zones) + len(pieces))
    return tuple(pieces)


# ---- Seats ---------------------------------------------------------------------------------------


# [expr.seats]
def seats_in_order(layout: Layout, seat: int) -> tuple[int, ...]:
    """All seats from this one, in the order of play."""
    n = layout.players
    step = 1 if layout.code.clockwise else -1
    return tuple((seat + step * k) % n for k in range(n))


@builder("order")
def _order(context: ExpressionContext, op: Op, size: int) -> Meaning:
    seat = meaning(context, op.operands[0], size)
    table = [seats_in_order(context.layout, p) for p in range(context.layout.players)]
    return lambda s, f: table[seat(s, f)]


@builder("others")
def _others(context: ExpressionContext, op: Op, size: int) -> Meaning:
    seat = meaning(context, op.operands[0], size)
    table = [seats_in_order(context.layout, p)[1:] for p in range(context.layout.players)]
    return lambda s, f: table[seat(s, f)]


def _neighbour(name: str, step: Callable[[Layout], int]) -> None:
    @builder(name)
    def build(context: ExpressionContext, op: Op, size: int) -> Meaning:
        seat = meaning(context, op.operands[0], size)
        by, n = step(context.layout), context.layout.players
        return lambda s, f: (seat(s, f) + by) % n


_neighbour("next", lambda layout: 1 if layout.code.clockwise else -1)
_neighbour("left", lambda _layout: 1)
_neighbour("right", lambda _layout: -1)


@builder("index")
def _index(context: ExpressionContext, op: Op, size: int) -> Meaning:
    value = meaning(context, op.operands[0], size)
    members = context.layout.code.members
    return lambda s, f: members[value(s, f)].place


# ---- Conversions and tests -----------------------------------------------------------------------

Test: TypeAlias = Callable[[Any], None]  # raises a fault if a value does not fit


plain("single", lambda v: (v,))
# [expr.none]
plain("perhaps", lambda v: () if v is None else (v,))
plain("or_empty", lambda found: () if found is None else found)


# [fault.none]
@of_values("needed")
def _needed(_s: State, op: Op, v: Any) -> Any:
    if v is None:
        raise RuleFault(codes.NONE_WHILE_PLAYING, "this is `none`, and a value is needed", op.span)
    return v


def _test(name: str) -> Callable[[Callable[[ExpressionContext, Op], Test]], None]:
    """Two operations: one tests a value unless it is `none`, `every_…` all elements of a set."""

    def register(make: Callable[[ExpressionContext, Op], Test]) -> None:
        @builder(name)
        def one(context: ExpressionContext, op: Op, size: int) -> Meaning:
            value, test = meaning(context, op.operands[0], size), make(context, op)

            def tested(s: State, f: Slots) -> Any:
                v = value(s, f)
                if v is not None:
                    test(v)
                return v

            return tested

        @builder(f"every_{name}")
        def every(context: ExpressionContext, op: Op, size: int) -> Meaning:
            values, test = meaning(context, op.operands[0], size), make(context, op)

            def tested(s: State, f: Slots) -> Any:
                found = values(s, f)
                spend(s, len(found))
                for v in found:
                    test(v)
                return found

            return tested

    return register


# [fault.range]
@_test("within")
def _within(_context: ExpressionContext, op: Op) -> Test:
    low, high = op.numbers

    def test(v: int) -> None:
        if not low <= v <= high:
            raise leaves_range(v, low, high, op)

    return test


@_test("among")
def _among(context: ExpressionContext, op: Op) -> Test:
    allowed = frozenset(op.numbers)

    def test(v: int) -> None:
        if v not in allowed:
            raise not_among(context.layout, v, op)

    return test


@_test("of_kind")
def _of_kind(context: ExpressionContext, op: Op) -> Test:
    layout, kinds = context.layout, op.words

    def test(v: int) -> None:
        if layout.pieces[v].kind not in kinds:
            raise wrong_kind(layout, v, op)

    return test
