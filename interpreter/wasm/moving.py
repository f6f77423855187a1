"""`move X to Z` -> code that moves whole masks if nobody can notice, and piece by piece if triggers watch."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.wasm.emitter import Lanes, StaticZone, WasmValue
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import E, Local, as_i32, binary, const, get, load, not_
from interpreter.wasm.finding import note_source
from interpreter.wasm.masks import has, is_some
from interpreter.wasm.memory import NONE, list_size
from interpreter.wasm.program_analysis import zones_of
from interpreter.wasm.watching import is_watched
from rulespec.core import tree
from rulespec.core.tree import Op

if TYPE_CHECKING:
    from interpreter.wasm.rule_functions import Part
    from interpreter.wasm.rule_writer import RuleWriter


def write_move(g: "RuleWriter", here: tree.Move) -> "list[Part]":
    """The parts of a move; there is only one if no trigger watches it."""
    triggers, relevant = g.p.facts.move_triggers(g.block, here)
    is_one = here.pieces.name in ("perhaps", "single")

    def quickly() -> None:
        UnwatchedMove(g, here, g.value(here.zone, g.scope)).write()

    def watched_or_quickly() -> None:
        with g.w.when(is_watched(g.p)):
            (WatchedMove if is_one else WatchedMoves)(g, here, 0, relevant).write()
        with g.w.otherwise():
            quickly()

    if not triggers and not g.p.recorded:
        return [g.fresh(here, quickly)]
    if not triggers and g.p.watched:
        return [g.fresh(here, watched_or_quickly)]
    return (WatchedMove if is_one else WatchedMoves)(g, here, triggers, relevant).parts()


class Mover:
    """Takes a piece away from where it lies, and puts it where it goes."""

    def __init__(self, g: "RuleWriter", here: tree.Move, zone: WasmValue) -> None:
        self.g, self.here, self.p, self.w, self.zone = g, here, g.p, g.w, zone
        facts = g.p.facts
        self.possible = facts.potential(g.block, here.pieces)
        is_named = here.zone.name == "zone"
        self.is_safe = is_named and not self.possible & ~facts.held_by(here.zone.word)
        self.position: WasmValue | None = None
        if here.position is not None:
            self.position = g.lets(g.number(here.position, g.scope))

    @property
    def target(self) -> StaticZone | None:
        return self.zone.zone

    def move_one(self, c: E, home: StaticZone | None, op: Op) -> None:
        self.take(c, home, op)
        self.put(c)

    def take(self, c: E, home: StaticZone | None, op: Op) -> None:
        """Take a piece away from where it lies."""
        g, w = self.g, self.w
        while op.name in ("perhaps", "single", "needed"):
            op = op.operands[0]
        if home is not None and home.is_pool and op.name not in ("slot", "bound"):
            self.take_from(home, c)
        elif home is not None and op.name == "top" and op.operands[0].name == "contents":
            note_source(self.p, w, home.number, const(0))
            g.run("drop_top", home.address)
        elif op.name == "slot" and op.place in g.homes and g.homes[op.place].is_pool:
            guess = g.homes[op.place]
            with w.when(g.call("lies_in", guess.address, c)):
                self.take_from(guess, c)
            with w.otherwise():
                self.find(c)
        else:
            self.find(c)

    def take_from(self, pool: StaticZone, c: E) -> None:
        note_source(self.p, self.w, pool.number, const(NONE))
        self.g.run("flip", pool.address, c)

    def find(self, c: E) -> None:
        """Take a piece away from wherever it lies."""
        self.w.call(self.p.taker(self.possible), [self.g.s, c])

    def fit(self, fits: Callable[[Lanes], E]) -> None:
        """Write a trap for a piece that the zone does not allow, unless all pieces certainly fit."""
        if self.is_safe:
            return
        if self.here.zone.name == "zone":
            held = self.p.unit.mask(self.p.facts.held_by(self.here.zone.word))
        else:
            held = self.g.mask_table(self.p.held_masks, as_i32(self.zone.e))
        self.g.fault(not_(fits(held)))

    def put(self, c: E) -> None:
        g, zone = self.g, self.target
        self.fit(lambda held: has(held, c))
        if self.position is not None and zone is None:
            g.run("put_at", g.s, c, self.zone.e, self.position.e)
        elif self.position is not None and zone is not None and not zone.is_pool:
            g.run("insert", zone.address, c, self.position.e)
        elif zone is None:
            g.run("put", g.s, c, self.zone.e, const(int(self.here.under)))
        elif zone.is_pool:
            g.run("put_in", zone.address, c)
        else:
            g.run("put_under" if self.here.under else "put_on", zone.address, c)

    def turn_round(self, at: E) -> None:
        """Reverse a list of pieces that go on a pile one by one, so that they lie in the order of the list."""
        if self.here.under:
            return
        is_pool = self.p.is_pool(self.zone.e) if self.target is None else None
        if is_pool is not None:
            with self.w.when(not_(is_pool)):
                self.g.run("turn_round", at)
        elif self.target is not None and not self.target.is_pool:
            self.g.run("turn_round", at)


# ---- Moves that are watched -----------------------------------------------------------------------


class WatchedMove:
    """A move of one piece that triggers watch, or that is recorded."""

    def __init__(self, g: "RuleWriter", here: tree.Move, triggers: int, relevant: int) -> None:
        self.g, self.here, self.triggers, self.relevant = g, here, triggers, relevant
        self.due = Local(I32, "due")

    def parts(self) -> "list[Part]":
        return [self.g.fresh(self.here, self.move), *([self.fire] if self.triggers else [])]

    def write(self) -> None:
        """Write the move for the case that no trigger watches it."""
        self.move()

    def move(self) -> None:
        g, w, op = self.g, self.g.w, self.here.pieces
        mover = Mover(g, self.here, g.value(self.here.zone, g.scope))
        v = g.lets(g.number(op.operands[0], g.scope))
        w.set(self.due, const(0, I32))
        with w.when(const(1, I32) if v.sure else v.e.ne(NONE)):
            self.one(mover, v.e, lambda: mover.move_one(v.e, v.home, op))

    def fire(self) -> None:
        self.g.fire(self.here, self.due, self.triggers)

    def one(self, mover: Mover, c: E, write: "Part") -> None:
        """Move a piece, and note which triggers must run because of it."""
        g = self.g
        looked_at = has(g.p.unit.mask(self.relevant), c)
        if not mover.possible & ~self.relevant:
            looked_at = const(1, I32)

        g.watched(self.triggers, self.due, write, looked_at)
        moved = [WasmValue("number", (c,)), WasmValue("number", (mover.zone.e,))]
        if mover.position is not None:
            moved.append(mover.position)
        g.here = self.here
        g.record("move", *((v, None) for v in moved))


class WatchedMoves(WatchedMove):
    """The same of several pieces: they are kept in the frame, and triggers run after each."""

    def __init__(self, g: "RuleWriter", here: tree.Move, triggers: int, relevant: int) -> None:
        super().__init__(g, here, triggers, relevant)
        self.rest = g.frame.room(list_size(len(g.p.layout.pieces)))
        self.moved, self.zone = Local(I32, "moved"), Local(I64, "zone")
        self.is_pool: bool | None = None  # None: unknown at compile time
        g.keep(here, rest=self.rest, moved=self.moved, zone=self.zone)

    def parts(self) -> "list[Part]":
        return [self.g.fresh(self.here, self.begin), self.go]

    def write(self) -> None:
        self.begin()
        self.go()

    def begin(self) -> None:
        """Store the pieces in the order in which they move, and their target."""
        g, w, here = self.g, self.g.w, self.here
        v = g.value(here.pieces, g.scope)
        zone = g.value(here.zone, g.scope)
        at = g.fp + self.rest
        w.set(self.zone, zone.e)
        g.run("copy_list", at, g.as_list(v).e)
        Mover(g, here, zone).turn_round(at)
        self.is_pool = None if zone.zone is None else zone.zone.is_pool
        w.set(self.moved, const(0, I32))

    def go(self) -> None:
        g, w = self.g, self.g.w
        at = g.fp + self.rest
        with w.block("done") as done, w.loop("again") as again:
            with w.aside() as fire:
                if self.triggers:
                    self.fire()
            waits = bool(self.triggers & g.p.waiting_triggers)
            with w.when(get(g.at).eq(0) if waits else const(1, I32)):
                w.br_if(done, binary("ge_s", get(self.moved), load("i32.load", at)))
                c = w.let(load("i64.load32_s", at + get(self.moved) * 4, 4))
                w.set(self.moved, get(self.moved) + 1)
                mover = Mover(g, self.here, self.target())
                self.one(mover, c, lambda: self.move_from_anywhere(mover, c))
            w.extend(fire)
            w.br(again)

    def target(self) -> WasmValue:
        """Where the pieces go; when the rule resumes here, only the number of the zone is known."""
        number_ = get(self.zone)
        if self.is_pool is None:
            return WasmValue("number", (number_,))
        offsets, _ = self.g.p.unit.tables["ZONE_AT"]
        address = self.g.w.let(self.g.s + load("i32.load", as_i32(number_) * 4, offsets))
        return WasmValue("number", (number_,), zone=StaticZone(number_, address, self.is_pool))

    def move_from_anywhere(self, mover: Mover, c: E) -> None:
        mover.find(c)  # a trigger may have moved it
        mover.put(c)


# ---- Moves that nothing watches -------------------------------------------------------------------


class UnwatchedMove(Mover):
    """A move that nothing watches, written in the fastest way."""

    def write(self) -> None:
        g, op, target = self.g, self.here.pieces, self.target
        if target is None:
            self.in_turn(g.value(op, g.scope), lambda c: self.move_one(c, None, op))
            return
        if target.is_pool and self.is_top_of_pile(op):
            self.move_top()
            return
        v = g.value(op, g.scope.in_any_order() if target.is_pool else g.scope)
        if v.form == "mask":
            self.move_mask(v, target)
        elif v.form == "pile" and op.name == "contents":
            self.move_pile(v, target)
        elif v.form not in ("perhaps", "single") and self.is_gathered():
            v = g.as_list(v)
            self.empty()
            self.in_turn(v, self.put)
        else:
            self.in_turn(v, lambda c: self.move_one(c, v.home, op))

    # ---- Where pieces come from ------------------------------------------------------------------

    def is_top_of_pile(self, op: Op) -> bool:
        is_top = op.name == "top_several" and op.operands[0].name == "contents"
        return is_top and op.operands[0].operands[0].name == "zone" and not self.from_pool(op)

    def from_pool(self, op: Op) -> bool:
        names, layout = zones_of(op), self.p.layout
        return bool(names) and all(
            layout.is_pool[layout.zone_families[n].base] for n in names or ()
        )

    def is_gathered(self) -> bool:
        """Whether a whole family of zones is emptied into another zone."""
        op, zone = self.here.pieces, self.here.zone
        if op.name != "gather" or op.operands[0].name != "zone" or op.operands[0].operands:
            return False
        return zone.name == "zone" and zone.word != op.operands[0].word

    def empty(self) -> None:
        """Empty all zones of a family."""
        family = self.p.layout.zone_families[self.here.pieces.operands[0].word]
        for n in range(family.base, family.base + family.size):
            at = self.p.state.zones[n]
            if self.p.layout.is_pool[n]:
                for k in range(self.p.words):
                    self.w.store("i64.store", self.g.s, const(0), at + 8 * k)
            else:
                self.w.store("i32.store", self.g.s, const(0, I32), at)

    # ---- Where they go ---------------------------------------------------------------------------

    def in_turn(self, v: WasmValue, one: Callable[[E], None]) -> None:
        """The pieces in the order in which they are moved, so that they lie as they were listed."""
        g, w = self.g, self.w
        if v.form in ("perhaps", "single"):
            c = w.let(v.e)
            with w.when(c.ne(NONE)):
                one(c)
            return
        if v.literal == ():
            return
        v = g.lets(g.as_list(v))
        if not v.fresh:
            at = g.list_room(len(self.p.layout.pieces))
            g.run("copy_list", at, v.e)
            v = WasmValue("list", (at,), fresh=True)
        self.turn_round(v.e)
        g.each(v, lambda each: one(each.e), 0)

    def move_top(self) -> None:
        """Move the first few pieces of a pile to a pool."""
        g, w = self.g, self.w
        pile = g.value(self.here.pieces.operands[0], g.scope)
        left = w.local(I64, "left")
        w.set(left, g.number(self.here.pieces.operands[1], g.scope).e)
        with w.block("done") as done, w.loop("again") as again:
            w.br_if(done, binary("le_s", get(left), 0))
            c = g.call("top_of", pile.e)
            w.br_if(done, c.eq(NONE))
            g.run("drop_top", pile.e)
            self.put(c)
            w.set(left, get(left) - 1)
            w.br(again)

    def move_mask(self, v: WasmValue, zone: StaticZone) -> None:
        g, w = self.g, self.w
        lanes = tuple(map(w.let, v.lanes))
        self.fit(
            lambda held: not_(is_some(tuple(a & ~b for a, b in zip(lanes, held, strict=True))))
        )
        if self.is_gathered():
            self.empty()
        elif v.home is not None and v.home.is_pool:
            self.change("xor", v.home.address, lanes)
        else:
            g.run("scoop", g.s, lanes)
        if zone.is_pool:
            self.change("or", zone.address, lanes)
        elif self.here.under:
            g.each(
                WasmValue("mask", lanes), lambda each: g.run("put_under", zone.address, each.e), 0
            )
        else:
            g.run("put_mask_on", zone.address, lanes)

    def change(self, op: str, address: E, lanes: Lanes) -> None:
        for n, e in enumerate(lanes):
            if e.value != 0:
                old = load("i64.load", address, 8 * n)
                self.w.store("i64.store", address, binary(op, old, e), 8 * n)

    def move_pile(self, v: WasmValue, zone: StaticZone) -> None:
        """Move a whole pile."""
        g, w = self.g, self.w
        at = g.room(self.p.state.pile_size)
        w.copy(at, v.e, const(self.p.state.pile_size, I32))
        if not self.is_safe:
            found = g.run("mask_of_pile", at)
            self.fit(
                lambda held: not_(is_some(tuple(a & ~b for a, b in zip(found, held, strict=True))))
            )
        w.store("i32.store", v.e, const(0, I32))
        if zone.is_pool:
            g.each(WasmValue("pile", (at,)), lambda each: g.run("put_in", zone.address, each.e), 0)
        elif self.here.under:
            g.each(
                WasmValue("pile", (at,)), lambda each: g.run("put_under", zone.address, each.e), 0
            )
        else:
            g.run("put_pile_on", zone.address, at)
