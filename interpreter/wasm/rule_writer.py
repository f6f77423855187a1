"""A block of the core -> a function that can wait in the middle, and resume there.

The slots of a block are locals. A rule that may ask somebody stores them in its frame, a part of the state, while the
game waits; every rule on the stack returns that it waits. To resume, the rules are called again. Each reads its point
from its frame and goes there; the enclosing branches and loops are entered without computing anything again.
"""

from typing import TYPE_CHECKING, Any, assert_never

from interpreter.layout import index_values
from interpreter.wasm.asking import Asking
from interpreter.wasm.assignment import kept_value, put_value
from interpreter.wasm.branching import write_for, write_if, write_repeat
from interpreter.wasm.calling import write_call
from interpreter.wasm.emitter import EmitScope, Emitter, WasmValue
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import E, Local, as_i64, binary, const, either, get, load, not_
from interpreter.wasm.frames import Point, number_statements
from interpreter.wasm.memory import ARENA, CHUNK, NONE, form_of, size_of_type
from interpreter.wasm.moving import write_move
from interpreter.wasm.operations.values import member_at, variable_at
from interpreter.wasm.program_analysis import PLAY, Unsupported
from interpreter.wasm.recording import record
from interpreter.wasm.rule_functions import ENDED, WAITING, FrameDraft, Kept, Part, RuleFunction
from interpreter.wasm.statements import Label
from interpreter.wasm.watching import before_variable, is_watched, write_setting
from rulespec.core import tree
from rulespec.core.tree import Body, Op, Statement, Target
from rulespec.core.types import Face, Indexed, Outputs, Type

if TYPE_CHECKING:
    from interpreter.wasm.programs import ModuleDraft


class RuleWriter(Emitter):
    """Writes the function of a block."""

    def __init__(self, program: "ModuleDraft", rule: "RuleFunction") -> None:
        super().__init__(program, rule.fn)
        self.rule, self.block, self.frame = rule, rule.block, FrameDraft()
        self.numbers = {id(each): n for n, each in enumerate(number_statements(rule.block.body))}
        self.waits, self.leaves = rule.waits, rule.leaves
        self.result: str | None = program.results.get(rule.block.name)
        self.fp = get(rule.fn.params[1])
        self.at = rule.fn.params[2] if self.waits else Local(I32, "at")
        self.next = Local(I32, "next")  # where the frame of a rule that is called begins
        self.leave, self.status = Label("leave"), Local(I32, "status")
        self.slots: dict[int, WasmValue] = {}
        self.homes: dict[
            int, Any
        ] = {}  # slot -> the pool in which its piece lay when it was chosen
        self.exits: list[Label] = []
        self.around: list[Statement] = []
        self.here: Statement = tree.Return(None, rule.block.origin)  # the statement that is written
        self.asking = Asking(self)

    @property
    def scope(self) -> EmitScope:
        return EmitScope(self.slots)

    # ---- The function as a whole -----------------------------------------------------------------

    def write(self) -> None:
        w, frame = self.w, self.frame
        with w.aside() as blanks:
            self.declare_slots()
            self.charge(const(self.p.costs.body_cost(self.block.body)))
        with w.aside() as body:
            self.sequence(self.block.body)
        if self.waits:
            frame.spill()
        w.note(self.p.line(self.block.origin.span))
        if self.waits:
            with w.when(get(self.at)):
                w.set(self.at, load("i32.load", self.fp))
                for local, cell in frame.spilled.items():
                    w.set(local, load(_LOADS[local.type], self.fp, cell.offset))
            with w.otherwise():
                w.extend(blanks)
        else:
            w.extend(blanks)
        w.set(self.next, self.fp + frame.size)
        if not self.leaves:
            w.extend(body)
            return
        with w.block(label=self.leave):
            w.extend(body)
        if self.waits:
            with w.when(binary("ge_s", get(self.status), WAITING)):
                w.store("i32.store", self.fp, get(self.at))
                for local, cell in frame.spilled.items():
                    w.store(_STORES[local.type], self.fp, get(local), cell.offset)
        w.give_back(get(self.status), *self.nothing())

    def nothing(self) -> list[E]:
        """The result of a rule without a value."""
        if self.result is None:
            return []
        return [const(self.p.none_list, I32) if self.result == "list" else const(NONE)]

    def declare_slots(self) -> None:
        for n, (name, type_) in enumerate(self.block.slots):
            is_param = n < self.block.params
            if name in ("(for)", "(repeat)", "(move)", "(each)"):
                continue
            if isinstance(type_, Face | Outputs):
                raise Unsupported(f"`{name}`, a look that a rule keeps")
            self.declare_slot(n, name, type_, is_param=is_param)

    def declare_slot(self, n: int, name: str, type_: Type | None, *, is_param: bool) -> None:
        w, p, form = self.w, self.p, form_of(type_, self.p.layout)
        kept = self.frame.slots[n] = Kept(form, type_)
        blank = self.block.blank[n]
        if form in ("number", "small"):
            kept.local = self.rule.given[n] if is_param else Local(I64, name)
            if not is_param:
                w.set(kept.local, const(0 if form == "small" and blank == () else NONE))
            value = WasmValue(form, (get(kept.local),))
            self.slots[n] = p.zone_value(value, type_) if is_param else value
            return
        kept.offset = self.frame.room(size_of_type(type_, p.layout))
        address = self.fp + kept.offset
        if form == "indexed":
            w.store("i64.store", address, const(0))
            self.slots[n] = WasmValue("indexed", (address,), type=type_)
            return
        if is_param and form == "list":
            self.run("copy_list", address, get(self.rule.given[n]))
        elif is_param:
            raise Unsupported(f"`{name}`, a set of sets that is passed on")
        else:
            w.store("i32.store", address, const(0 if blank == () else -1, I32))
        self.slots[n] = WasmValue(form, (address,))

    def keep(self, statement: Statement, **parts: Any) -> None:
        """Note the values that a statement stores while the game waits."""
        self.frame.loops.setdefault(self.numbers[id(statement)], {}).update(parts)

    def kept(self, statement: Statement) -> dict[str, Any]:
        return self.frame.loops[self.numbers[id(statement)]]

    # ---- Points ----------------------------------------------------------------------------------

    def point(self, statement: Statement, kind: str) -> int:
        """A new point at which the rule may wait; the frame stores its number."""
        self.homes.clear()  # a game that resumes here skips the code that found them
        around = tuple(self.numbers[id(each)] for each in self.around)
        self.frame.points.append(Point(self.numbers[id(statement)], kind, around))
        return len(self.frame.points)

    def go_away(self, status: E, point: int = 0) -> None:
        """Return from the rule because somebody is asked or the game is over."""
        self.w.set(self.at, const(point, I32))
        self.w.set(self.status, status)
        self.w.br(self.leave)

    def sequence(self, body: Body) -> None:
        """Write statements that may be skipped or repeated: facts found elsewhere do not hold in or after them."""
        self.homes.clear()
        self.chain([part for each in body for part in self.parts(each)])
        self.homes.clear()

    def chain(self, parts: list[Part]) -> None:
        """Write one part after the other; resuming at a point starts with the part that contains it."""
        written = []
        for part in parts:
            first = len(self.frame.points)
            with self.w.aside() as out:
                part()
            written.append((first, len(self.frame.points), out))
        entries = [n for n, (first, last, _) in enumerate(written) if last > first]
        if entries in ([], [0]):  # there is nothing to be skipped
            for _, _, out in written:
                self.w.extend(out)
            return
        labels = {n: Label(f"part{n}") for n in entries}
        self._nest(written, entries, labels, written[0][0])

    def _nest(
        self, written: list[Any], entries: list[int], labels: dict[int, Label], begin: int
    ) -> None:
        """Blocks inside each other, one for each part that can be entered; a branch out of one enters its part."""
        w = self.w

        def open_block(k: int) -> None:
            if k < 0:
                targets = []
                for n in entries:
                    first, last, _ = written[n]
                    targets += [labels[n]] * (last - first)
                with w.when(get(self.at)):
                    w.switch(get(self.at) - (begin + 1), targets[:-1], targets[-1])
                start = 0
            else:
                with w.block(label=labels[entries[k]]):
                    open_block(k - 1)
                start = entries[k]
            stop = entries[k + 1] if k + 1 < len(entries) else len(written)
            for _, _, out in written[start:stop]:
                w.extend(out)

        open_block(len(entries) - 1)

    # ---- Statements ------------------------------------------------------------------------------

    def parts(self, here: Statement) -> list[Part]:
        """A statement as parts that are done one after the other; each part can be entered where it waits."""
        match here:
            case tree.Assign():
                return self.changing(here, lambda: self.assign(here))
            case tree.If():
                return [lambda: write_if(self, here)]
            case tree.For():
                return [lambda: write_for(self, here)]
            case tree.Repeat():
                return [lambda: write_repeat(self, here)]
            case tree.Stop():
                return [lambda: self.w.br(self.exits[-1])]
            case tree.Clear(slots):
                return [lambda: self.clear(slots)]
            case tree.Move():
                return write_move(self, here)
            case tree.Shuffle():
                return self.changing(here, lambda: self.shuffle(here))
            case tree.Show(pieces, players):
                return [self.fresh(here, lambda: self.disclose("show", pieces, players))]
            case tree.Announce(announced, players):
                return [self.fresh(here, lambda: self.disclose("announce", announced, players))]
            case tree.Tell(told, players):
                holes = [each for each in told if isinstance(each, Op)]
                return [self.fresh(here, lambda: self.tell(players, holes))]
            case tree.Draw():
                return self.changing(here, lambda: self.asking.draw(here))
            case tree.Choose():
                return self.changing(here, lambda: self.asking.choose(here))
            case tree.Each():
                return self.asking.each(here)
            case tree.Call():
                return write_call(self, here)
            case tree.Enter():
                raise AssertionError("a table is written by `write_table`")
            case tree.Return(value):
                return [self.fresh(here, lambda: self.give(value))]
            case tree.End():
                return [self.end]
            case _:
                assert_never(here)

    def fresh(self, here: Statement, write: Part) -> Part:
        """Write a statement on its own: with its line in the rules as a comment, and an empty arena."""

        def written() -> None:
            self.w.note(self.p.line(here.origin.span))
            self.allocates, self.here = False, here
            with self.w.aside() as inside:
                try:
                    write()
                except Unsupported as reason:
                    reason.span = reason.span or here.origin.span
                    raise
            if self.allocates:
                self.p.set_arena(self.w, const(ARENA, I32))
            self.w.extend(inside)

        return written

    def disclose(self, kind: str, *ops: Op) -> None:
        """Compute values that only observers need: if they are recorded, or can raise a fault."""
        if not self.p.recorded:
            self.risk(*ops)
            return
        with self.w.when(is_watched(self.p) if self.p.watched else const(1, I32)):
            values = [(self.lets(self.value(each, self.scope)), each.type) for each in ops]
            self.record(kind, *values)

    def tell(self, players: Op, holes: list[Op]) -> None:
        if self.p.recorded:
            self.disclose("tell", players, *holes)
        else:
            self.risk(*holes)

    def risk(self, *ops: Op) -> None:
        """Compute values that nobody sees, if that can raise a fault."""
        for each in ops:
            if self.p.facts.may_fail(each):
                for e in self.value(each, self.scope).lanes:
                    self.w.drop(e)

    def clear(self, slots: tuple[int, ...]) -> None:
        for n in slots:
            kept = self.frame.slots.get(n)
            if kept is None:
                continue
            if kept.local is not None:
                self.w.set(kept.local, const(NONE))
            elif kept.form == "indexed":
                self.w.store("i64.store", self.fp, const(0), kept.offset)
            else:
                self.w.store("i32.store", self.fp, const(-1, I32), kept.offset)

    def unless_resuming(self, first: int, write: Part) -> None:
        """Write code that is skipped when the rule resumes at a point after `first`."""
        if first == len(self.frame.points):
            write()
        else:
            with self.w.when(get(self.at).eq(0)):
                write()

    # ---- Values ----------------------------------------------------------------------------------

    def assign(self, here: tree.Assign) -> None:
        if here.target.slot is not None:
            self.homes.pop(here.target.slot, None)
        self.store(here.target, self.value(here.value, self.scope))

    def fitted(self, target: Target, value: WasmValue) -> WasmValue:
        if target.fitting is None:
            return value
        return self.value(target.fitting, EmitScope(bound={0: self.lets(value)}))

    def store(self, target: Target, value: WasmValue) -> None:
        """Assign a value to a target; the caller handles triggers that watch variables."""
        value = self.fitted(target, value)
        if target.slot is None:
            name = target.variable or ""
            address, offset, row = variable_at(self, name, target.indices, self.scope)
            value = self.lets(self.into(value, form_of(row.type, self.p.layout)))
            old = kept_value(address, offset, value.form)
            before = before_variable(self, old, row.type)
            put_value(self, address, offset, value.form, value)
            if self.p.recorded:
                family = self.p.layout.variable_families[name]
                place = self.place(family, target.indices, self.scope) + family.base
                write_setting(self, as_i64(place), before, value, row.type)
                self.record("set", (WasmValue("number", (as_i64(place),)), None), (value, row.type))
            return
        kept = self.frame.slots[target.slot]
        if target.indices:
            self.store_member(target, kept, value)
        elif kept.local is not None:
            self.w.set(kept.local, self.into(value, kept.form).e)
        elif kept.form == "sets":
            self.run("keep_sets", self.fp + kept.offset, self.as_sets(value).e, const(CHUNK))
        else:
            self.run("copy_list", self.fp + kept.offset, self.into(value, kept.form).e)

    def record(self, kind: str, *values: tuple[WasmValue, Type | None]) -> None:
        """Write down what the present statement does."""
        record(self, kind, self.block.name, self.numbers[id(self.here)], *values)

    def store_member(self, target: Target, kept: Kept, value: WasmValue) -> None:
        """Assign a value to a member of a local family; the first assignment creates the family."""
        if not isinstance(kept.type, Indexed):
            raise Unsupported("a local family without a type")
        form = form_of(kept.type.of, self.p.layout)
        value = self.lets(self.into(value, form))
        index = self.simple(target.indices[0], self.scope)
        family = self.slots[target.slot or 0]
        self.begin_family(kept, only_if_none=True)
        at = member_at(self, family, index)
        self.w.store("i64.store", at, const(1))
        put_value(self, at, 8, form, value)

    def begin_family(self, kept: Kept, *, only_if_none: bool = False) -> None:
        if not isinstance(kept.type, Indexed):
            raise Unsupported("a local family without a type")
        step = 8 + size_of_type(kept.type.of, self.p.layout)
        address = self.fp + kept.offset
        with self.w.when(load("i64.load", address).eq(0) if only_if_none else const(1, I32)):
            self.w.store("i64.store", address, const(1))
            for n in range(len(index_values(self.p.layout, kept.type.indices[0]))):
                self.w.store("i64.store", address, const(0), 8 + n * step)

    def shuffle(self, here: tree.Shuffle) -> None:
        zone = self.value(here.zone, self.scope)
        if self.p.watched:
            self.run("shuffle_watched", self.s, zone.e)
            self.record("shuffle", (WasmValue("number", (zone.e,)), None))
            return
        if zone.zone is not None and not zone.zone.is_pool:
            self.run("shuffle", self.s, zone.zone.address)
        else:
            self.run("shuffle_zone", self.s, zone.e)
        if self.p.recorded:
            at = self.new_list(here.zone.type)
            self.run("add_zone", self.s, at, zone.e)
            self.record(
                "shuffle", (WasmValue("number", (zone.e,)), None), (WasmValue("list", (at,)), None)
            )

    # ---- Calls -----------------------------------------------------------------------------------

    def give(self, value: Op | None) -> None:
        """Leave the rule with a value."""
        found = [const(0, I32)] if self.leaves else []
        if self.result is None:
            if value is not None:
                self.risk(value)
        elif value is None:
            found += self.nothing()
        else:
            found.append(self.into(self.value(value, self.scope), self.result).e)
        self.w.give_back(*found)

    def end(self) -> None:
        if self.p.facts.phases[self.block.name] != {PLAY}:
            self.fault(self.p.field(self.s, "phase").ne(1))
        self.w.set(self.status, const(ENDED, I32))
        self.w.br(self.leave)

    # ---- Triggers --------------------------------------------------------------------------------

    def changing(self, here: Statement, write: Part, triggers: int | None = None) -> list[Part]:
        """A statement that changes something, and then the triggers that hold now and did not before."""
        if triggers is None:
            triggers = self.p.facts.fires(self.block, here)
        if not triggers:
            return [self.fresh(here, write)]
        due = Local(I32, "due")
        return [
            self.fresh(here, lambda: self.watched(triggers, due, write)),
            lambda: self.fire(here, due, triggers),
        ]

    def watched(self, triggers: int, due: Local, write: Part, looked_at: E | None = None) -> None:
        """Write a change; `due` gets the triggers that must run because of it, if `looked_at` holds."""
        w, p = self.w, self.p
        w.set(due, const(0, I32))
        held = {t: w.local(I32, "held") for t in range(len(p.code.triggers)) if triggers >> t & 1}
        for local in held.values():
            w.set(local, const(1, I32))
        played = self.in_play()
        with w.when(played if looked_at is None else either(played, looked_at, const(0, I32))):
            for t, local in held.items():
                w.set(local, w.call(p.test(t), [self.s])[0])
        write()
        for t, local in held.items():
            ready = not_(get(local) | p.is_running(self.s, t))
            with w.when(ready), w.when(w.call(p.test(t), [self.s])[0]):
                w.set(due, get(due) | (1 << t))

    def in_play(self) -> E:
        if self.p.facts.phases[self.block.name] == {PLAY}:
            return const(1, I32)
        return self.p.field(self.s, "phase").eq(1)

    def fire(self, here: Statement, due: Local, triggers: int) -> None:
        """Write code that runs triggers; when the rule resumes here, the frame says which are left."""
        w, p = self.w, self.p
        waits = bool(triggers & p.waiting_triggers)
        point = self.point(here, "fire") if waits else 0
        args = [self.s, get(self.next), *([get(self.at)] if p.waiting_triggers else []), get(due)]
        test = get(due) | get(self.at) if waits else get(due)
        if not waits and p.waiting_triggers:
            args[2] = const(0, I32)
        with w.when(test):
            found = w.call(p.fire, args)
            if waits:
                w.set(self.at, const(0, I32))
            if found and self.leaves:
                with w.when(found[0]):
                    self.go_away(found[0], point)


_LOADS = {I32: "i32.load", I64: "i64.load"}
_STORES = {I32: "i32.store", I64: "i64.store"}
