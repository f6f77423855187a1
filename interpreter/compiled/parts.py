"""A block that may wait for a player -> several functions of Python, cut where it waits.

Each part is a function of the state and its frame; it runs up to the next cut and gives back the function to
go on with, or None when somebody is asked. The place where a frame waits is the number of its instruction,
as in the reference.
"""

import re
from collections.abc import Iterable
from typing import Any

from attrs import define, field

from interpreter import flat
from interpreter.compiled.blocks import BlockWriter
from interpreter.compiled.calls import row_test
from interpreter.compiled.certainty import certain_slots
from interpreter.compiled.facts import Facts
from interpreter.compiled.flow import idle_slots
from interpreter.compiled.forms import as_slot, blank_of
from interpreter.compiled.joining import Back, Begin, Frame, Joined, Select
from interpreter.compiled.jumps import Cut, Loop
from interpreter.compiled.moves import write_move
from interpreter.compiled.scribe import Scope, as_plain
from interpreter.compiled.steps import Site, guess_home, write_fire, write_options, write_store
from interpreter.compiled.wholes import call_block, is_steady, name_inputs, write_rows
from interpreter.compiled.writing import Lines, Text
from interpreter.flat import Instruction
from interpreter.state import SLOTS
from rulespec.core import tree
from rulespec.core.tree import Op

REPEAT = "(repeat)"  # slots that keep how often a loop goes on
MOST_AGAIN = 4  # instructions of a part that is written again where another one ends
MOST_TURNED = 5  # instructions that are written again after a jump back


@define
class Parts(BlockWriter):
    """A block as several functions; its slots are those of its frame."""

    is_again: bool = False  # whether the end of another part is being written
    turns: bool = False  # whether what is being written follows a jump back
    room: int = MOST_TURNED  # for instructions that are written again after a jump back
    sites: list[Site] = field(init=False)  # of all rules that were joined
    facts: Facts = field(factory=Facts)  # about slots just now; all sites share it
    names: dict[str, str] = field(factory=dict)  # of locals that hold what a slot holds
    certain: dict[int, frozenset[int]] = field(factory=dict)  # and those that do at every place

    def __attrs_post_init__(self) -> None:
        self.sites = []
        for frame in self.joined.frames:
            scope = self._slots(frame)
            site = Site(self.w, self.flow, frame.block, self.out, scope, self.program.watched)
            site.ends = not self.flow.triggers_wait
            site.names = self.names
            self.sites.append(site)
        self.site = self.sites[0]

    @property
    def joined(self) -> Joined:
        return self.program.joined[self.block.name]

    def _slots(self, frame: Frame) -> Scope:
        """How the slots of a rule are read; those of its caller are as they are there."""
        theirs = {} if frame.caller is None else self.sites[frame.caller].scope.slots
        known = {each.code: each for each in theirs.values()}
        slots = {}
        for n, place in enumerate(frame.slots):
            code = f"f[{SLOTS + place}]"
            slots[n] = known.get(code) or as_slot(self.w, frame.block, n, code)
        return Scope(slots, facts=self.facts)

    def place(self, at: int) -> int:
        """A place as frames know it: no two blocks have the same."""
        return self.program.bases[self.block.name] + at

    def scope(self) -> Scope:
        return self._slots(self.joined.frames[0])

    def settle(self, at: int) -> None:
        self.site = self.sites[self.joined.owners[at]]

    def waits(self, here: Instruction) -> bool:
        match here:
            case tree.Choose() | tree.Each():
                return True
            case tree.Call(block):
                return block in self.flow.waiting
        if self.flow.triggers_wait:
            return isinstance(here, tree.Move | tree.Assign | tree.Shuffle | tree.Draw)
        return False

    def write_all(self) -> Lines:
        self.certain = certain_slots(self.joined)
        self.find_cuts()
        while True:
            try:
                return self.attempt()
            except Cut as cut:
                self.cuts.add(cut.at)
                self.is_again = self.turns = False
                self.room = MOST_TURNED
                self.out = Lines()
                for site in self.sites:
                    site.out = self.out

    def find_cuts(self) -> None:
        """The places where a block waits, and what follows from them."""
        self.cuts = {0}
        for at, here in self.reached():
            if self.waits(here):
                self.cuts.add(at if isinstance(here, tree.Choose | tree.Each) else at + 1)
                if self.flow.triggers_wait:
                    self.cuts |= {at, at + 1}
            elif isinstance(here, Select) and len(here.rows) > 1:
                self.cuts.add(here.after)
        self.cut_loops()

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

    def reached(self) -> list[tuple[int, Any]]:
        joined, reached = self.joined, self.flow.reached
        return [
            (at, here)
            for at, (here, owner, place) in enumerate(
                zip(self.code, joined.owners, joined.places, strict=True)
            )
            if place in reached[joined.frames[owner].block.name]
        ]

    def is_cut(self, begin: int, end: int) -> bool:
        return any(begin < at < end for at in self.cuts)

    def attempt(self) -> Lines:
        for frame in self.joined.frames:
            names = [name for name, _ in frame.block.slots]
            slots = ", ".join(
                f"{SLOTS + n} {name}" for n, name in zip(frame.slots, names, strict=True)
            )
            self.out.add(f"# {frame.block.title}: {slots or 'no slots'}")
        self.out.add("")
        waiting = [at for at in sorted(self.cuts) if not isinstance(self.code[at], tree.Enter)]
        found: dict[int, list[str]] = {}
        for at in waiting:
            begin = len(self.out.lines)
            self.remember(at)
            with self.out.block(f"def {self.program.part(self.block.name, at)}(s, f):"):
                self.region(at, None, None)
            self.remember(at)
            self.out.add("", "")
            here = self.code[at]
            self.settle(at)
            if isinstance(here, tree.Choose):
                name = self.program.after_choice(self.block.name, at)
                value = self.named(here.target) or "v"
                with self.out.block(f"def {name}(s, f, {value}):"):
                    self.finish_choice(at, here, value)
                self.out.add("", "")
            elif isinstance(here, tree.Each):
                name = self.program.after_choice(self.block.name, at)
                with self.out.block(f"def {name}(s, f, v):"):
                    self.take(here, asked=True)
                    self.out.add(f"return {self.program.part(self.block.name, at)}")
                self.out.add("", "")
            found[at] = self.out.lines[begin:]
            del self.out.lines[begin:]
        for at in sorted(self.needed(found)):
            self.out.lines += found[at]
        self.write_forced()
        if isinstance(self.code[0], tree.Enter):
            self.write_entrance(self.code[0])
        return self.out

    def remember(self, at: int) -> None:
        """Begin anew at a place: only what is certain there is sure."""
        self.facts.clear()
        if not self.flow.triggers_wait:
            self.facts.sure.update(f"f[{SLOTS + place}]" for place in self.certain.get(at, ()))

    def at_hand(self, number: int) -> str | None:
        slot, name = self.slot(number), self.site.block.slots[number][0]
        if self.flow.triggers_wait or not name.isidentifier():
            return None
        key = f"{slot} {name}"
        if key not in self.names:
            self.names[key] = self.w.names.make(f"the_{name}")
        return self.names[key]

    def needed(self, found: dict[int, list[str]]) -> set[int]:
        """The parts that are got at: a frame can wait there, or another part goes on with them."""
        names = {self.program.part(self.block.name, at): at for at in found}
        needed = {at for at in found if self.flow.triggers_wait or self.can_wait(at)}
        waiting = list(needed)
        while waiting:
            words = re.findall(r"\w+", "\n".join(found[waiting.pop()]))
            more = {names[word] for word in words if word in names} - needed
            needed |= more
            waiting += more
        for at in found.keys() - needed:
            del self.program.parts[self.block.name, at]
        return needed

    def can_wait(self, at: int) -> bool:
        """Whether a frame can be at a place while somebody is asked: there, or in a rule called before."""
        before = self.code[at - 1] if at else None
        return (
            not at
            or isinstance(self.code[at], tree.Choose | tree.Each)
            or (isinstance(before, tree.Call) and self.waits(before))
        )

    def go(self, at: int, loop: Loop | None) -> None:  # noqa: ARG002 - `wholes` needs it
        if not self.flow.triggers_wait:
            at = self.end_of_jumps(at)
        if at not in self.cuts:
            raise Cut(at)
        if self.flow.triggers_wait:
            self.out.add(f"f[1] = {self.place(at)}", "return resume(s)")
            return
        name = self.program.part(self.block.name, at)
        ahead = min((cut for cut in self.cuts if cut > at), default=len(self.code))
        size = 1 if isinstance(self.code[at], tree.Choose) else ahead - at
        # Forward it is called at once, or written out if it is short; back it is given back, for a loop
        # may be long, or written out up to the next choice if that is near.
        if self.turns or at <= self.now:
            if size <= self.room:
                self.turn(at, size)
            else:
                self.out.add(f"return {name}")
        elif size <= MOST_AGAIN and not self.is_again:
            # What is written again is not written again in there: that would never end.
            self.is_again = True
            self.region(at, None, None)
            self.is_again = False
        else:
            self.out.add(f"return {name}(s, f)")

    def turn(self, at: int, size: int) -> None:
        """Write a part again after a jump back. From there on nothing is called, for loops have no end."""
        before = self.turns, self.room
        self.turns, self.room = True, self.room - size
        self.region(at, None, None)
        self.turns, self.room = before

    def write_turn(self, at: int, here: flat.Next | flat.Again, loop: Loop | None) -> None:
        if not self.turns:
            super().write_turn(at, here, loop)
            return
        # How a loop ends is written once, where it begins.
        name = self.program.part(self.block.name, at)
        slot = self.slot(here.slot)
        if isinstance(here, flat.Next):
            self.out.add(f"rest = {slot}", f"if not rest: return {name}")
            self.take_turn(here, "rest")
        else:
            self.out.add(f"if {slot} <= 0: return {name}")
            self.take_turn(here)

    def end_of_jumps(self, at: int) -> int:
        """Where one gets from a place at which nothing is done."""
        seen = set()
        while at not in seen:
            seen.add(at)
            match self.code[at]:
                case flat.Jump(to):
                    at = to
                case Back(None):
                    at += 1
        return at

    def clear(self, slots: tuple[int, ...]) -> None:
        unused = self.unused(self.sites.index(self.site))
        used = [self.slot(slot) for slot in slots if slot not in unused]
        if used:
            self.out.add(f"{' = '.join(used)} = None")
        self.facts.forget(self.slot(slot) for slot in slots)

    def give_back(self, value: Op | None) -> None:
        name = self.block.name
        code = None if value is None else self.w.plain(value, self.site.scope)
        if any(name == row.block for row in self.w.code.triggers):
            self.out.add("return leave_trigger(s)")
        elif self.flow.callers.get(name):
            self.out.add(f"return leave_with(s, {code})")
        else:
            if code is not None and value is not None and self.w.may_fail(value):
                self.out.add(code)
            self.out.add("return leave(s)")

    def move(self, at: int, here: tree.Move) -> bool:
        if not self.flow.triggers_wait:
            write_move(self.site, here)
            self.site.chosen = None
            return True
        # A trigger may interrupt a move between two pieces: what is left of it is kept.
        slot, scope = self.slot(here.slot), self.site.scope
        with self.out.block(f"if {slot} is None:"):
            self.out.add(f"zone = {self.w.text(here.zone, scope).code}")
            found = self.w.plain(here.pieces, scope)
            self.out.add(f"{slot} = (zone, in_order({found}, zone, under={here.under}))")
        self.out.add(f"zone, rest = {slot}")
        self.out.add(f"{slot} = (zone, rest[1:]) if len(rest) > 1 else None")
        self.out.add(f"f[1] = {self.place(at)} if len(rest) > 1 else {self.place(at + 1)}")
        origin = self.site.origin(here.origin)
        self.out.add(f"if rest: fire(s, move_one(s, rest[0], zone, {origin}, under={here.under}))")
        self.out.add("return resume(s)")
        return False

    def begin(self, block: str, given: list[str]) -> str:
        """Push the frame of a block that waits, and go on with it."""
        target = self.w.code.blocks[block]
        number = self.program.numbers[block]
        if isinstance(target.code[0], tree.Enter):
            return f"{self.program.part(block, 0)}_enter({', '.join(['s', *given])})"
        blank = [repr(each) for each in self.program.joined[block].block.blank[len(given) :]]
        first = str(self.program.bases[block])
        self.out.add(f"g = [{', '.join([str(number), first, *given, *blank])}]")
        self.out.add("s[STACK].append(g)")
        return f"{self.program.part(block, 0)}(s, g)"

    def call(self, at: int, here: tree.Call) -> bool:
        if here.block not in self.flow.waiting:
            call_block(self, here)
            return True
        given = [self.w.plain(each, self.site.scope) for each in here.arguments]
        self.out.add(f"f[1] = {self.place(at + 1)}")
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

    # ---- Rules that were joined --------------------------------------------------------------------

    def write(self, at: int, here: Any) -> bool:
        match here:
            case Begin():
                self.begin_joined(at, here)
                return True
            case Back():
                self.hand_over(at, here)
                return True
            case Select():
                self.select(here)
                return False
        return super().write(at, here)

    def begin_joined(self, at: int, here: Begin) -> None:
        """Give the slots of a rule their first values; see `steps.reset` of the reference for the order."""
        call, frame = here.call, self.joined.frames[here.frame]
        target = self.sites[here.frame]
        scope = self.site.scope.strictly()
        texts = [as_plain(self.w.text(each, scope)) for each in call.arguments]
        given = [each.code for each in texts]
        if self.w.layout.resets.get(call.resets or "") and not all(map(is_steady, given)):
            for n, each in enumerate(given):
                given[n] = self.out.fresh("given")
                self.out.add(f"{given[n]} = {each}")
        triggers, held = self.reset(call)
        for n, code in enumerate(given):
            if target.slot(n) != self.w.plain(call.arguments[n], scope.apart()):
                self.out.add(f"{target.slot(n)} = {code}")
                name = code if code in self.names.values() else None
                self.facts.learn(target.slot(n), sure=texts[n].sure, name=name)
        follow = self.code[at + 1]
        ready = (
            {follow.slot} if isinstance(follow, flat.Iterate | flat.Times) and not triggers else {}
        )
        self.blank(here.frame, frame.block.params, {*ready, *self.unused(here.frame)})
        write_fire(self.site, triggers, held)

    def unused(self, number: int) -> set[int]:
        """The slots of a rule that are always none: loops of Python keep for themselves how often they go on."""
        if self.flow.triggers_wait:
            return set()
        frame = self.joined.frames[number]
        used = {
            here.slot
            for at, here in enumerate(self.code)
            if isinstance(here, flat.Times)
            and self.joined.owners[at] == number
            and not self.is_loop(at + 1, here.slot)
        }
        every = [place for each in self.joined.frames for place in each.slots]
        return {
            n
            for n, ((name, _), place) in enumerate(zip(frame.block.slots, frame.slots, strict=True))
            if name == REPEAT and n not in used and every.count(place) == 1
        }

    def blank(self, number: int, first: int, ready: Iterable[int] = ()) -> None:
        """Set slots of a rule to what they are before anything happens, but for those that are `ready`."""
        block, site = self.joined.frames[number].block, self.sites[number]
        idle = set() if self.flow.triggers_wait else idle_slots(block) | {*ready}
        values: dict[str, list[str]] = {}
        for n in range(first, len(block.slots)):
            if n not in idle:
                values.setdefault(blank_of(self.w, block, n), []).append(site.slot(n))
        for value, slots in values.items():
            self.out.add(f"{' = '.join(slots)} = {value}")
            self.facts.forget(slots)

    def hand_over(self, at: int, here: Back) -> None:
        scope = self.site.scope.strictly()
        value = Text("None") if here.value is None else as_plain(self.w.text(here.value, scope))
        caller = self.joined.frames[self.joined.owners[at]].caller
        if here.into is not None and caller is not None:
            slot = self.sites[caller].slot(here.into)
            self.out.add(f"{slot} = {value.code}")
            self.facts.learn(slot, sure=value.sure)
        elif here.value is not None and self.w.may_fail(here.value):
            self.out.add(value.code)

    def select(self, here: Select) -> None:
        names = name_inputs(self, here.inputs)
        for patterns, to, frame in here.rows:
            test = row_test(self.w, patterns, names)
            with self.out.block(f"if {test}:"):
                self.blank(frame, self.sites[frame].block.params)
                self.region(to, None, None, fresh=to not in self.cuts)
            if test == "True":
                return
        self.out.add(f"no_row({here.table!r})")

    def enter(self, here: tree.Enter) -> bool:
        raise AssertionError(here)

    def write_entrance(self, here: tree.Enter) -> None:
        """Of an action table: begin the row that matches."""
        name = f"{self.program.part(self.block.name, 0)}_enter"
        params = [f"a{n}" for n in range(self.block.params)]
        inner = Scope({n: Text(each) for n, each in enumerate(params)})
        outer, self.site.scope = self.site.scope, inner

        def begin(row: str) -> str:
            target = self.program.joined[row].block
            blank = [repr(each) for each in target.blank[self.block.params :]]
            head = (str(self.program.numbers[row]), str(self.program.bases[row]))
            frame = ", ".join([*head, *params, *blank])
            return f"return s[STACK].append([{frame}])"

        with self.out.block(f"def {name}({', '.join(['s', *params])}):"):
            write_rows(self, here, begin)
        self.site.scope = outer
        self.out.add("", "")

    # ---- Choices ---------------------------------------------------------------------------------

    def choose(self, at: int, here: tree.Choose) -> bool:
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
        with out.block("if count == 1:" if here.may else "if count < 2:"):
            only = "None" if here.may else "v"
            if not here.may:
                out.add(f"if not count: nothing({site.origin(here.origin)})")
                out.add(f"v = {options.first}")
            self.told(here, player, only)
            if self.turns:
                out.add(f"s[OPTIONS] = {only}", f"return {self.program.forced(chosen)}")
            else:
                out.add(f"return {chosen}(s, f, {only})")
        self.ask(at, player, options.kept)
        return False

    def ask(self, at: int, player: str, kept: str, count: str = "count") -> None:
        self.out.add(f"f[1] = {self.place(at)}", f"s[OPTIONS] = {kept}")
        self.out.add(f"s[COUNT] = {count}", f"s[PLAYER] = {player}")
        self.out.add("return None")

    def told(self, here: tree.Choose | tree.Each, player: str, value: str) -> None:
        """Who watches learns of a choice that was none."""
        if self.program.watched:
            alone = ", alone=True" if isinstance(here, tree.Each) else ""
            self.out.add(
                f"chose(s, {player}, {value}, {self.site.type(here.of)}, "
                f"{self.site.origin(here.origin)}, asked=False{alone})"
            )

    def finish_choice(self, at: int, here: tree.Choose, value: str) -> None:
        """What happens once a player has chosen."""
        site = self.site
        guess_home(site, here)
        self.comment(here)
        write_store(site, here.target, value, here.origin, sure=not here.may)
        if self.flow.triggers_wait:
            self.go(at + 1, None)
        else:
            site.chosen = here.target.slot if isinstance(self.code[at + 1], tree.Move) else None
            self.region(at + 1, None, None, fresh=at + 1 not in self.cuts)
            site.chosen = None

    def write_forced(self) -> None:
        """What goes on after a choice that was none, for whoever gives it back to be called."""
        for chosen, name in self.program.only.items():
            with self.out.block(f"def {name}(s, f):"):
                self.out.add(f"return {chosen}(s, f, s[OPTIONS])")
            self.out.add("", "")
        self.program.only.clear()

    def take(self, here: tree.Each, *, asked: bool) -> None:
        """Keep a choice that only the chooser knows."""
        slot = self.slot(here.slot)
        self.out.add(f"waiting, chosen = {slot}")
        self.out.add(f"{slot} = (waiting[1:], (*chosen, (waiting[0], v)))")
        if self.program.watched and not asked:
            self.told(here, "waiting[0]", "v")

    def each(self, at: int, here: tree.Each) -> bool:
        out, site = self.out, self.site
        slot, seat = self.slot(here.slot), self.slot(here.seat)
        self.facts.forget((slot, seat))
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
        self.facts.clear()
        self.publish(here)
        return True
