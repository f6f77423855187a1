"""A block that may wait for a player -> several functions of Python, cut where it waits.

Each part is a function of the state and its frame; it runs up to the next cut and gives back the function to
go on with, or None when somebody is asked. The place where a frame waits is the number of its instruction,
as in the reference.
"""

from attrs import define

from interpreter.compiled.blocks import BlockWriter
from interpreter.compiled.jumps import Cut, Loop
from interpreter.compiled.scribe import Scope, of_type
from interpreter.compiled.steps import (
    guess_home,
    write_fire,
    write_move,
    write_options,
    write_store,
)
from interpreter.compiled.wholes import call_block, write_rows
from interpreter.compiled.writing import Lines, Text
from interpreter.state import SLOTS
from rulespec.lowering import code as flat
from rulespec.lowering.code import Instruction, Op

MOST_AGAIN = 4  # instructions of a part that is written again where another one ends


@define
class Parts(BlockWriter):
    """A block as several functions; its slots are those of its frame."""

    is_again: bool = False  # whether the end of another part is being written

    def scope(self) -> Scope:
        return Scope(
            {
                n: of_type(Text(f"f[{n + SLOTS}]"), type_)
                for n, (_, type_) in enumerate(self.block.slots)
            }
        )

    def waits(self, here: Instruction) -> bool:
        match here:
            case flat.Choose() | flat.Each():
                return True
            case flat.Call(block):
                return block in self.flow.waiting
        if self.flow.triggers_wait:
            return isinstance(here, flat.Move | flat.Assign | flat.Shuffle | flat.Draw)
        return False

    def write_all(self) -> Lines:
        self.cuts = {*cuts_of(self)}
        while True:
            try:
                return self.attempt()
            except Cut as cut:
                self.cuts.add(cut.at)
                self.is_again = False
                self.out = Lines()
                self.site.out = self.out

    def first_cuts(self) -> set[int]:
        """The places where a block waits, and what follows from them."""
        self.cuts = {0}
        for at, here in self.reached():
            if self.waits(here):
                self.cuts.add(at if isinstance(here, flat.Choose | flat.Each) else at + 1)
                if self.flow.triggers_wait:
                    self.cuts |= {at, at + 1}
        self.cut_loops()
        return self.cuts

    def cut_loops(self) -> None:
        """A loop or a condition with a cut in it is cut at its ends."""
        while True:
            before = len(self.cuts)
            for at, here in self.reached():
                match here:
                    case flat.Jump(to) if to <= at and self.is_cut(to, at + 1):
                        self.cuts.add(to)
                    case flat.Unless(_, to) if to > at and self.is_cut(at, to):
                        self.cuts.add(to)
                    case flat.Jump(to) if to > at and self.is_cut(at, to):
                        self.cuts.add(to)
            if len(self.cuts) == before:
                return

    def reached(self) -> list[tuple[int, Instruction]]:
        return [(at, self.code[at]) for at in sorted(self.flow.reached[self.block.name])]

    def is_cut(self, begin: int, end: int) -> bool:
        return any(begin < at < end for at in self.cuts)

    def attempt(self) -> Lines:
        frame = ", ".join(f"{n + SLOTS} {name}" for n, (name, _) in enumerate(self.block.slots))
        self.out.add(f"# {self.block.title}: of its frame {frame or 'there are no slots'}", "")
        waiting = [at for at in sorted(self.cuts) if not isinstance(self.code[at], flat.Enter)]
        for at in waiting:
            with self.out.block(f"def {self.program.part(self.block.name, at)}(s, f):"):
                self.region(at, None, None)
            self.out.add("", "")
            here = self.code[at]
            if isinstance(here, flat.Choose):
                name = self.program.after_choice(self.block.name, at)
                with self.out.block(f"def {name}(s, f, v):"):
                    self.finish_choice(at, here)
                self.out.add("", "")
            elif isinstance(here, flat.Each):
                name = self.program.after_choice(self.block.name, at)
                with self.out.block(f"def {name}(s, f, v):"):
                    self.take(here, asked=True)
                    self.out.add(f"return {self.program.part(self.block.name, at)}")
                self.out.add("", "")
        if isinstance(self.code[0], flat.Enter):
            self.write_entrance(self.code[0])
        return self.out

    def go(self, at: int, loop: Loop | None) -> None:  # noqa: ARG002 - `wholes` needs it
        if at not in self.cuts:
            raise Cut(at)
        if self.flow.triggers_wait:
            self.out.add(f"f[1] = {at}", "return resume(s)")
        else:
            # Forward it is called at once, or written out if it is short; back it is given back, for a
            # loop may be long.
            ahead = min((cut for cut in self.cuts if cut > at), default=len(self.code))
            if at > self.now and ahead - at <= MOST_AGAIN and not self.is_again:
                self.program.part(self.block.name, at)
                # What is written again is not written again in there: that would never end.
                self.is_again = True
                self.region(at, None, None)
                self.is_again = False
            else:
                call = "(s, f)" if at > self.now else ""
                self.out.add(f"return {self.program.part(self.block.name, at)}{call}")

    def clear(self, slots: tuple[int, ...]) -> None:
        self.out.add(f"{' = '.join(self.slot(slot) for slot in slots)} = None")

    def give_back(self, value: Op | None) -> None:
        name = self.block.name
        code = None if value is None else self.w.plain(value, self.site.scope)
        if any(name == row.block for row in self.w.code.triggers):
            self.out.add("return leave_trigger(s)")
        elif name in self.flow.caller and not self.flow.triggers_wait:
            self.return_to(*self.flow.caller[name], value)
        elif self.flow.callers.get(name):
            self.out.add(f"return leave_with(s, {code})")
        else:
            if code is not None and self.w.may_fail(value):
                self.out.add(code)
            self.out.add("return leave(s)")

    def return_to(self, block: str, at: int, value: Op | None) -> None:
        """Go back to the only place from which this block is called."""
        into = self.w.code.blocks[block].code[at].into  # type: ignore[union-attr]
        code = None if value is None else self.w.plain(value, self.site.scope)
        if code is not None and into is None and self.w.may_fail(value):
            self.out.add(code)
        if into is not None:
            self.out.add(f"v = {code}")
        self.out.add("stack = s[STACK]", "stack.pop()", "f = stack[-1]")
        if into is not None:
            self.out.add(f"f[{into + SLOTS}] = v")
        after, steps = at + 1, self.w.code.blocks[block].code
        while isinstance(steps[after], flat.Jump):
            after = steps[after].to  # type: ignore[union-attr]
        if after not in cuts_of(Parts(self.program, self.w.code.blocks[block])):
            after = at + 1
        # Back in a loop it is given back, for the loop may be long.
        call = "(s, f)" if after > at else ""
        self.out.add(f"return {self.program.part(block, after)}{call}")

    def move(self, at: int, here: flat.Move) -> bool:
        if not self.flow.triggers_wait:
            write_move(self.site, here)
            return True
        # A trigger may interrupt a move between two pieces: what is left of it is kept.
        slot, scope = self.slot(here.slot), self.site.scope
        with self.out.block(f"if {slot} is None:"):
            self.out.add(f"zone = {self.w.text(here.zone, scope).code}")
            found = self.w.plain(here.pieces, scope)
            self.out.add(f"{slot} = (zone, in_order({found}, zone, under={here.under}))")
        self.out.add(f"zone, rest = {slot}")
        self.out.add(f"{slot} = (zone, rest[1:]) if len(rest) > 1 else None")
        self.out.add(f"f[1] = {at} if len(rest) > 1 else {at + 1}")
        origin = self.site.origin(here.origin)
        self.out.add(f"if rest: fire(s, move_one(s, rest[0], zone, {origin}, under={here.under}))")
        self.out.add("return resume(s)")
        return False

    def begin(self, block: str, given: list[str]) -> str:
        """Push the frame of a block that waits, and go on with it."""
        target = self.w.code.blocks[block]
        number = self.program.numbers[block]
        if isinstance(target.code[0], flat.Enter):
            return f"{self.program.part(block, 0)}_enter({', '.join(['s', *given])})"
        blank = [repr(each) for each in target.blank[len(given) :]]
        self.out.add(f"g = [{', '.join([str(number), '0', *given, *blank])}]")
        self.out.add("s[STACK].append(g)")
        return f"{self.program.part(block, 0)}(s, g)"

    def call(self, at: int, here: flat.Call) -> bool:
        if here.block not in self.flow.waiting:
            call_block(self, here)
            return True
        given = [self.w.plain(each, self.site.scope) for each in here.arguments]
        self.out.add(f"f[1] = {at + 1}")
        triggers, held = self.reset(here)
        first = self.begin(here.block, given)
        if triggers or self.flow.triggers_wait:
            if "(s, g)" not in first:
                self.out.add(first)
            write_fire(self.site, triggers, held)
            first = "resume(s)"
        elif "(s, g)" not in first:
            self.out.add(first)
            first = "resume(s)"
        self.out.add(f"return {first}")
        return False

    def enter(self, here: flat.Enter) -> bool:
        raise AssertionError(here)

    def write_entrance(self, here: flat.Enter) -> None:
        """Of an action table: begin the row that matches."""
        name = f"{self.program.part(self.block.name, 0)}_enter"
        params = [f"a{n}" for n in range(self.block.params)]
        inner = Scope({n: Text(each) for n, each in enumerate(params)})
        outer, self.site.scope = self.site.scope, inner

        def begin(row: str) -> str:
            target = self.w.code.blocks[row]
            blank = [repr(each) for each in target.blank[self.block.params :]]
            frame = ", ".join([str(self.program.numbers[row]), "0", *params, *blank])
            return f"return s[STACK].append([{frame}])"

        with self.out.block(f"def {name}({', '.join(['s', *params])}):"):
            write_rows(self, here, begin)
        self.site.scope = outer
        self.out.add("", "")

    # ---- Choices ---------------------------------------------------------------------------------

    def choose(self, at: int, here: flat.Choose) -> bool:
        out, site = self.out, self.site
        guess_home(site, here)
        options = write_options(site, here.options, here.of, may=here.may)
        player = self.w.plain(here.player, site.scope)
        chosen = self.program.after_choice(self.block.name, at)
        if options.known is not None and options.known > 1 and not self.w.may_fail(here.player):
            self.ask(at, player, options.kept, str(options.known))
            return False
        out.add(f"count = {options.count}")
        if self.w.may_fail(here.player):
            out.add(f"p = {player}")
            player = "p"
        if here.may:
            with out.block("if count == 1:"):
                self.told(here, player, "None")
                out.add(f"return {chosen}(s, f, None)")
        else:
            with out.block("if count == 1:"):
                out.add(f"v = {options.first}")
                self.told(here, player, "v")
                out.add(f"return {chosen}(s, f, v)")
            out.add(f"if not count: nothing({site.origin(here.origin)})")
        self.ask(at, player, options.kept)
        return False

    def ask(self, at: int, player: str, kept: str, count: str = "count") -> None:
        self.out.add(f"f[1] = {at}", f"s[OPTIONS] = {kept}")
        self.out.add(f"s[COUNT] = {count}", f"s[PLAYER] = {player}")
        self.out.add("return None")

    def told(self, here: flat.Choose | flat.Each, player: str, value: str) -> None:
        """Who watches learns of a choice that was none."""
        if self.program.watched:
            alone = ", alone=True" if isinstance(here, flat.Each) else ""
            self.out.add(
                f"chose(s, {player}, {value}, {self.site.type(here.of)}, "
                f"{self.site.origin(here.origin)}, asked=False{alone})"
            )

    def finish_choice(self, at: int, here: flat.Choose) -> None:
        """What happens once a player has chosen."""
        guess_home(self.site, here)
        self.comment(here)
        write_store(self.site, here.target, "v", here.origin)
        if self.flow.triggers_wait:
            self.go(at + 1, None)
        else:
            self.region(at + 1, None, None, fresh=at + 1 not in self.cuts)

    def take(self, here: flat.Each, *, asked: bool) -> None:
        """Keep a choice that only the chooser knows."""
        slot = self.slot(here.slot)
        self.out.add(f"waiting, chosen = {slot}")
        self.out.add(f"{slot} = (waiting[1:], (*chosen, (waiting[0], v)))")
        if self.program.watched and not asked:
            self.told(here, "waiting[0]", "v")

    def each(self, at: int, here: flat.Each) -> bool:
        out, site = self.out, self.site
        slot, seat = self.slot(here.slot), self.slot(here.seat)
        with out.block(f"if {slot} is None:"):
            out.add(f"{slot} = ({self.w.plain(here.players, site.scope)}, ())")
        with out.block("while True:"):
            out.add(f"waiting, chosen = {slot}")
            out.add("if not waiting: break")
            out.add(f"{seat} = waiting[0]")
            options = write_options(site, here.options, here.of, may=here.may)
            out.add(f"count = {options.count}")
            with out.block("if count == 1:"):
                out.add(f"v = {'None' if here.may else options.first}")
                self.take(here, asked=False)
                out.add("continue")
            if not here.may:
                out.add(f"if not count: nothing({site.origin(here.origin)})")
            self.ask(at, "waiting[0]", options.kept)
        out.add(f"{slot} = {seat} = None")
        self.publish(here)
        return True


def cuts_of(parts: Parts) -> frozenset[int]:
    """Where a block is cut, to begin with."""
    found = parts.program.cuts
    name = parts.block.name
    if name not in found:
        found[name] = frozenset(parts.first_cuts())
    return found[name]
