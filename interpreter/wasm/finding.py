"""A piece and the zones that may hold it -> code that finds it and takes it away; pools are searched first."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from interpreter.wasm.emitter import Emitter
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import E, Local, as_i64, binary, const, get, load
from interpreter.wasm.function_writer import Writer
from interpreter.wasm.memory import NONE
from interpreter.wasm.statements import Fn

if TYPE_CHECKING:
    from interpreter.wasm.programs import ModuleDraft


def write_taker(p: "ModuleDraft", zones: list[int]) -> Fn:
    """A function that takes a piece away from where it lies."""
    fn = Fn("take", [Local(I32, "s"), Local(I64, "c")], [])
    g, c = Emitter(p, fn), get(fn.params[1])
    for z, at, place in _found(g, zones, c):
        if place is None:
            note_source(p, g.w, const(z), const(NONE))
            g.run("flip", at, c)
        else:
            note_source(p, g.w, const(z), as_i64(load("i32.load", at)) - 1 - place)
            g.run("take_at", at, place)
        g.w.give_back()
    g.w.trap()
    return fn


def write_zone_of(p: "ModuleDraft", fn: Fn) -> None:
    """The zone in which a piece lies."""
    g = Emitter(p, fn)
    for z, _, _ in _found(g, range(len(p.layout.zones)), get(fn.params[1])):
        g.w.give_back(const(z))
    g.w.trap()


def _found(g: Emitter, zones: Iterable[int], c: E) -> Iterator[tuple[int, E, E | None]]:
    """Each zone, its address, and the piece's place from the bottom of a pile: the loop body writes code for that case.

    The top of a pile is tested first, as most moves take it.
    """
    is_pool, at = g.p.layout.is_pool, {z: g.s + g.p.state.zones[z] for z in zones}
    for z in sorted(z for z in at if is_pool[z]):
        with g.w.when(g.call("lies_in", at[z], c)):
            yield z, at[z], None
    piles = [z for z in at if not is_pool[z]]
    for z in piles:
        with g.w.when(g.call("top_of", at[z]).eq(c)):
            yield z, at[z], as_i64(load("i32.load", at[z])) - 1
    for z in piles:
        place = g.call("position_of", at[z], c)
        with g.w.when(binary("ge_s", place, 0)):
            yield z, at[z], place


def note_source(p: "ModuleDraft", w: Writer, zone: E, place: E) -> None:
    """Note where the moving piece was, for observers: the zone, and the place from the top of a pile."""
    if p.watched:
        at = const(p.cells["SOURCE"], I32)
        w.store("i64.store", at, zone)
        w.store("i64.store", at, place, 8)
