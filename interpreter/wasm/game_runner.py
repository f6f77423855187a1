"""Phases and the ranking of a program -> the functions that run a game from phase to phase, and rank it."""

from typing import TYPE_CHECKING

from interpreter.wasm.assignment import put_variable, reset_variables
from interpreter.wasm.emitter import EmitScope, Emitter, WasmValue
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import E, Local, as_i64, binary, const, get, load
from interpreter.wasm.program_analysis import FINISH, PLAY, SETUP
from interpreter.wasm.recording import record
from interpreter.wasm.rule_functions import ENDED, WAITING
from interpreter.wasm.statements import Fn, Label

# The stages before `play` begins: first the triggers that hold from the start, then those that fire when the
# variables of `play` are reset.
HOLDING, RESET, BEGUN = range(3)

if TYPE_CHECKING:
    from interpreter.wasm.programs import ModuleDraft


class Runner(Emitter):
    """Writes `run`: from the beginning or a question to the next question or the end."""

    def __init__(self, p: "ModuleDraft", fn: Fn) -> None:
        super().__init__(p, fn)
        self.at = fn.params[1]
        self.fp = self.w.let(self.s + p.state.frames, "fp")

    def field(self, name: str) -> E:
        found: E = self.p.field(self.s, name)
        return found

    def set_field(self, name: str, value: E) -> None:
        offset, kind = self.p.state.fields[name]
        self.w.store("i32.store" if kind == "i32" else "i64.store", self.s, value, offset)

    def write(self) -> None:
        w, p = self.w, self.p
        with w.when(self.field("phase").eq(-1)):
            self.lay_out()
        with w.when(self.field("phase").eq(0)):
            if SETUP in p.code.blocks:
                self.run_rule(SETUP)
            self.begin_play()
        with w.when(self.field("phase").eq(1)):
            with w.block("ended") as ended:
                self.play(ended)
            self.set_phase(2)
            self.set_field("running", const(0))
            self.reset(FINISH)
        with w.when(self.field("phase").eq(2)):
            if FINISH in p.code.blocks:
                self.run_rule(FINISH)
            self.set_phase(3)
        w.give_back()

    def lay_out(self) -> None:
        """Put all pieces into the box, and give all variables their initial values."""
        w, p = self.w, self.p
        for k, e in enumerate(p.unit.mask(p.facts.whole)):  # the box is a pool
            w.store("i64.store", self.s, e, p.state.zones[0] + 8 * k)
        for n, (row, _) in enumerate(p.layout.variables):
            with self.forgetting():
                put_variable(self, n, self.value(row.start, EmitScope()))
        self.reset(SETUP)
        self.set_phase(0)

    def reset(self, rule: str) -> None:
        """Reset the variables of a rule."""
        with self.forgetting():
            reset_variables(self, rule, rule, -1)

    def set_phase(self, phase: int) -> None:
        self.set_field("phase", const(phase))
        record(self, "phase", PLAY, -1, (WasmValue("number", (const(phase),)), None))

    def begin_play(self) -> None:
        """Reset the variables of `play`; the triggers that then hold run before it."""
        w, p = self.w, self.p
        self.set_phase(1)
        fired = p.facts.reset_triggers(PLAY)
        triggers = range(len(p.code.triggers))
        held = {t: w.let(w.call(p.test(t), [self.s])[0]) for t in triggers if fired >> t & 1}
        self.reset(PLAY)
        due, later = Local(I32, "due"), Local(I32, "later")
        w.set(later, const(0, I32))
        for t, before in held.items():
            with w.when(before.eq(0)), w.when(w.call(p.test(t), [self.s])[0]):
                w.set(later, get(later) | (1 << t))
        w.set(due, const(0, I32))
        for t in triggers:
            with w.when((get(later) & (1 << t)).eq(0)), w.when(w.call(p.test(t), [self.s])[0]):
                w.set(due, get(due) | (1 << t))
        self.set_field("stage", const(HOLDING))
        self.set_field("due", as_i64(get(due)))
        self.set_field("later", as_i64(get(later)))
        self.set_field("running", as_i64(get(due) | get(later)))

    def play(self, ended: Label) -> None:
        w, p = self.w, self.p
        if p.code.triggers:
            for stage, name in ((HOLDING, "due"), (RESET, "later")):
                with w.when(self.field("stage").eq(stage)):
                    self.fire(name, ended)
                    self.set_field("stage", const(stage + 1))
        self.run_rule(PLAY)

    def fire(self, name: str, ended: Label) -> None:
        w, p = self.w, self.p
        due = load("i32.load", self.s, p.state.fields[name][0])
        args = [self.s, self.fp, *([get(self.at)] if p.waiting_triggers else []), due]
        with w.when(due):
            found = w.call(p.fire, args)
            w.set(self.at, const(0, I32))
            if found:
                with w.when(binary("ge_s", found[0], WAITING)):
                    w.give_back()
                with w.when(found[0].eq(ENDED)):
                    w.br(ended)

    def run_rule(self, name: str) -> None:
        """Call a rule; if it waits, leave `run`."""
        w, p = self.w, self.p
        rule = p.rule(name)
        args = [self.s, self.fp]
        if rule.waits:
            args.append(get(self.at))
        if rule.pick is not None:
            args.append(w.call(rule.pick, [self.s])[0])
        found = w.call(rule.fn, args)
        w.set(self.at, const(0, I32))
        if rule.leaves:
            with w.when(binary("ge_s", found[0], WAITING)):
                w.give_back()


def write_run(p: "ModuleDraft", fn: Fn) -> None:
    Runner(p, fn).write()


def write_ranking(p: "ModuleDraft", fn: Fn) -> None:
    """Write, for each row of the ranking, whether the highest key wins, and the keys of all players."""
    g = Emitter(p, fn)
    players, found = p.layout.players, get(fn.params[1])
    for n, row in enumerate(p.code.ranking):
        at = 8 * n * (players + 1)
        g.w.note(p.line(row.origin.span))
        with g.forgetting():
            g.w.store("i64.store", found, as_i64(g.number(row.order, EmitScope()).e.eq(1)), at)
        for seat in range(players):
            with g.forgetting():
                key = g.w.call(_key(p, n), [g.s, const(seat)])[0]
                g.w.store("i64.store", found, key, at + 8 + 8 * seat)
    g.w.give_back()


def _key(p: "ModuleDraft", n: int) -> Fn:
    """A function that gives the key of a player in one row."""
    name = f"key {n}"
    if name not in p.made:
        fn = p.made[name] = Fn(f"ranking {n}", [Local(I32, "s"), Local(I64, "player")], [I64])
        g = Emitter(p, fn)
        seat = WasmValue("number", (get(fn.params[1]),), 0, p.layout.players - 1, sure=True)
        kept = Local(I64, "key")
        with g.forgetting():
            g.w.set(kept, g.number(p.code.ranking[n].key, EmitScope({0: seat})).e)
        g.w.give_back(get(kept))
    found: Fn = p.made[name]
    return found
