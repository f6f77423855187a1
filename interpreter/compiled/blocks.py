"""A block of flat code -> functions of Python.

A block that never waits is one function; what it calls, it calls. A block that may wait for a player is cut
where it waits: each part is a function of the state and its frame, runs up to the next cut, and gives back the
function to go on with, or None when somebody is asked. The place where a frame waits is the number of its
instruction, as in the reference.

Jumps become `if`, `for` and `while` again wherever they are nested so; where they are not, there is a cut.
"""

import re

from attrs import define, field

from interpreter.compiled.calls import row_test
from interpreter.compiled.flow import Flow
from interpreter.compiled.scribe import Scope, Scribe, as_plain, may_fail, of_type
from interpreter.compiled.steps import (
    Site,
    guess_home,
    write_draw,
    write_fire,
    write_held,
    write_move,
    write_options,
    write_show,
    write_shuffle,
    write_store,
)
from interpreter.compiled.writing import Lines, Names, Text
from interpreter.state import SLOTS
from rulespec.lowering import code as flat
from rulespec.lowering.code import Block, Instruction
from rulespec.source import locate, text_of

MOST_INLINE = 12  # instructions of a block that is written where it is called
MOST_AGAIN = 4  # instructions of a part that is written again where another one ends
MOST_COMMENT = 90  # characters of a rule that stand above what became of it


class _Cut(Exception):  # noqa: N818 - it asks to begin again
    """A place has to be a cut that was none."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


@define
class Loop:
    """A loop that is written as one: where it begins again, and where it is left."""

    header: int
    exit: int


@define
class Program:
    """What all blocks share while they are written."""

    w: Scribe
    flow: Flow
    watched: bool
    asks: bool
    names: dict[str, str] = field(factory=dict)  # of blocks that are one function
    numbers: dict[str, int] = field(factory=dict)
    parts: dict[tuple[str, int], str] = field(factory=dict)  # of other blocks, by place
    chosen: dict[tuple[str, int], str] = field(factory=dict)  # what goes on after a choice
    called: list[str] = field(factory=list)  # blocks that are called as functions
    outlined: set[str] = field(factory=set)  # blocks that cannot be written where they are called

    def function(self, block: str) -> str:
        """The name of a block that is one function."""
        if block not in self.called:
            self.called.append(block)
        return self.names[block]

    def part(self, block: str, at: int) -> str:
        """The name of a part of a block."""
        if (block, at) not in self.parts:
            self.parts[block, at] = self.w.names.make(f"{block}_{at}" if at else block)
        return self.parts[block, at]

    def after_choice(self, block: str, at: int) -> str:
        if (block, at) not in self.chosen:
            self.chosen[block, at] = self.w.names.make(f"{block}_{at}_chosen")
        return self.chosen[block, at]


def write_blocks(program: Program) -> list[str]:
    """The functions of all blocks that can be got at."""
    lines: list[str] = []
    for block in program.w.code.blocks.values():
        if block.name in program.flow.waiting and program.flow.phases[block.name]:
            lines += _Parts(program, block).write_all().lines
    for name in ("setup", "play", "finish", *(row.block for row in program.w.code.triggers)):
        if name in program.w.code.blocks and name not in program.flow.waiting:
            program.function(name)
    # The list grows while it is run through.
    for name in program.called:
        lines += _Whole(program, program.w.code.blocks[name]).write_all().lines
    return lines


# ---- What both have in common --------------------------------------------------------------------


@define
class _Writer:
    """Writes instructions one after the other, with their jumps."""

    program: Program
    block: Block
    out: Lines = field(factory=Lines)
    cuts: set[int] = field(factory=set)
    site: Site = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.site = Site(
            self.w, self.flow, self.block, self.out, self.scope(), self.program.watched
        )

    @property
    def w(self) -> Scribe:
        return self.program.w

    @property
    def flow(self) -> Flow:
        return self.program.flow

    @property
    def code(self) -> tuple[Instruction, ...]:
        return self.block.code

    def scope(self) -> Scope:
        raise NotImplementedError

    def go(self, at: int, loop: Loop | None) -> None:
        """Go on elsewhere, where no loop of Python gets to."""
        raise NotImplementedError

    def slot(self, number: int) -> str:
        return self.site.slot(number)

    def comment(self, instruction: Instruction) -> None:
        span = instruction.origin.span
        if isinstance(instruction, flat.Clear | flat.Jump) or not span.source.text:
            return
        text = text_of(span)
        short = text if len(text) <= MOST_COMMENT else text[: MOST_COMMENT - 2] + " …"
        self.out.add(f"# {locate(span)[0].line}: {short}")

    # ---- Jumps -----------------------------------------------------------------------------------

    def region(self, at: int, until: int | None, loop: Loop | None, *, fresh: bool = True) -> bool:
        """Write what happens from a place up to another; whether that other one can be reached."""
        while at != until:
            if at in self.cuts and not fresh:
                self.go(at, loop)
                return False
            fresh = False
            here = self.code[at]
            if self.begins_loop(at) and (loop is None or loop.header != at):
                at = self.write_while(at)
                continue
            match here:
                case flat.Jump(to):
                    if loop is not None and to == loop.header:
                        self.out.add("continue")
                        return False
                    if loop is not None and to == loop.exit:
                        self.out.add("break")
                        return False
                    if to == until:
                        return True
                    if to > at and (until is None or to < until):
                        at = to
                        continue
                    self.go(to, loop)
                    return False
                case flat.Iterate() if self.is_loop(at + 1, here.slot):
                    at = self.write_for(at, here)
                case flat.Times() if self.is_loop(at + 1, here.slot):
                    at = self.write_times(at, here)
                case flat.Unless(condition, to):
                    self.comment(here)
                    next_at = self.write_if(at, condition, to, until, loop)
                    if next_at is None:
                        return False
                    at = next_at
                case flat.Next() | flat.Again():
                    self.comment(here)
                    self.write_turn(at, here, loop)
                    at += 1
                case _:
                    self.comment(here)
                    if not self.write(at, here):
                        return False
                    at += 1
        return True

    def begins_loop(self, at: int) -> bool:
        """Whether something jumps back to here, and all of that loop can be written as one."""
        if isinstance(self.code[at], flat.Next | flat.Again):
            return False
        return self.loop_end(at) is not None

    def loop_end(self, at: int) -> int | None:
        back = [
            n
            for n, each in enumerate(self.code)
            if n >= at and isinstance(each, flat.Jump) and each.to == at
        ]
        if not back or self.holds_cut(at, back[-1] + 1):
            return None
        return back[-1] + 1

    def holds_cut(self, begin: int, end: int) -> bool:
        """Whether there is a cut at one of these places."""
        return any(begin <= at < end for at in self.cuts)

    def is_loop(self, at: int, slot: int) -> bool:
        """Whether a `for` or `repeat` can be written as one."""
        here = self.code[at]
        if not isinstance(here, flat.Next | flat.Again) or here.slot != slot:
            return False
        return not self.holds_cut(at, here.exit)

    def write_for(self, at: int, here: flat.Iterate) -> int:
        follow = self.code[at + 1]
        assert isinstance(follow, flat.Next)  # noqa: S101 - see is_loop
        self.comment(here)
        values = self.w.several(here.values, self.site.scope)
        over = f"bits({values.code})" if values.form == "mask" else values.code
        with self.out.block(f"for {self.slot(follow.into)} in {over}:"):
            self.body(at + 2, Loop(at + 1, follow.exit))
        return follow.exit

    def write_times(self, at: int, here: flat.Times) -> int:
        follow = self.code[at + 1]
        assert isinstance(follow, flat.Again)  # noqa: S101 - see is_loop
        self.comment(here)
        number = as_plain(self.w.text(here.number, self.site.scope))
        with self.out.block(f"for _ in range({number.code}):"):
            if number.high is None or number.high > 1000:
                self.count_down(here)
            self.body(at + 2, Loop(at + 1, follow.exit))
        return follow.exit

    def body(self, at: int, loop: Loop) -> None:
        last = loop.exit - 1
        back = self.code[last]
        if not (isinstance(back, flat.Jump) and back.to == loop.header):
            raise _Cut(loop.header)
        self.region(at, last, loop)

    def write_while(self, at: int) -> int:
        end = self.loop_end(at)
        assert end is not None  # noqa: S101 - see begins_loop
        with self.out.block("while True:"):
            self.count_down(self.code[at])
            self.region(at, end - 1, Loop(at, end))
        return end

    def count_down(self, here: Instruction) -> None:
        """Nobody may wait forever for a loop that asks nobody."""
        self.out.add("s[LEFT] -= 1")
        origin = self.site.origin(here.origin)
        self.out.add(f"if s[LEFT] < 0: tire(s, LEFT, COUNT, MOST_STEPS, {origin})")

    def write_turn(self, at: int, here: flat.Next | flat.Again, loop: Loop | None) -> None:
        """The head of a loop with a cut in it: what is left of it is kept in its slot."""
        slot = self.slot(here.slot)
        with self.out.block(
            f"if not {slot}:" if isinstance(here, flat.Next) else f"if {slot} <= 0:"
        ):
            self.leave(at, here.exit, loop)
        if isinstance(here, flat.Next):
            self.out.add(f"{self.slot(here.into)} = {slot}[0]", f"{slot} = {slot}[1:]")
        else:
            self.out.add(f"{slot} -= 1")

    def leave(self, at: int, to: int, loop: Loop | None) -> None:
        """Go on at a place that is not next, for good."""
        if loop is not None and to == loop.exit:
            self.out.add("break")
        elif loop is not None and to == loop.header:
            self.out.add("continue")
        elif loop is not None or to <= at:
            self.go(to, loop)
        else:
            self.region(to, None, None, fresh=to not in self.cuts)

    def write_if(
        self, at: int, condition: flat.Op, to: int, until: int | None, loop: Loop | None
    ) -> int | None:
        """A condition: `if` alone, with `else`, or a jump; where it goes on, if it does."""
        is_known, value = self.w.known(condition)
        if is_known:
            return at + 1 if value else self.write_jump(at, to, until, loop)
        test = self.w.plain(condition, self.site.scope)
        if to <= at or (until is not None and to > until) or self.holds_cut(at + 1, to):
            with self.out.block(f"if not {test}:"):
                self.leave(at, to, loop)
            return at + 1
        last = self.code[to - 1]
        join = to
        if isinstance(last, flat.Jump) and to - 1 > at and last.to > to:
            is_inside = until is None or last.to <= until
            if is_inside and (loop is None or last.to != loop.exit):
                join = last.to
        if join == to or self.holds_cut(to, join):
            with self.out.block(f"if {test}:"):
                self.region(at + 1, to, loop)
            return to
        with self.out.block(f"if {test}:"):
            goes_on = self.region(at + 1, to - 1, loop)
        with self.out.block("else:"):
            goes_on |= self.region(to, join, loop)
        return join if goes_on else None

    def write_jump(self, at: int, to: int, until: int | None, loop: Loop | None) -> int | None:
        if to == until or (to > at and (until is None or to < until)):
            return to
        self.leave(at, to, loop)
        return None

    # ---- Instructions ----------------------------------------------------------------------------

    def write(self, at: int, here: Instruction) -> bool:
        """One instruction; whether the next one follows."""
        w, out, site = self.w, self.out, self.site
        match here:
            case flat.Assign(target, value, origin):
                write_store(site, target, w.plain(value, site.scope), origin)
            case flat.Iterate(slot, values):
                out.add(f"{self.slot(slot)} = {w.plain(values, site.scope)}")
            case flat.Times(slot, number):
                out.add(f"{self.slot(slot)} = {w.plain(number, site.scope)}")
            case flat.Clear(slots):
                self.clear(slots)
            case flat.Move():
                return self.move(at, here)
            case flat.Shuffle():
                write_shuffle(site, here)
            case flat.Show():
                write_show(site, here)
            case flat.Draw():
                write_draw(site, here)
            case flat.End(origin):
                if not site.only_in_play:
                    out.add(f"if s[PHASE] != 1: end_too_early({site.origin(origin)})")
                out.add("raise Ended")
                return False
            case flat.Choose():
                return self.choose(at, here)
            case flat.Each():
                return self.each(at, here)
            case flat.Call():
                return self.call(at, here)
            case flat.Enter():
                return self.enter(here)
            case flat.Return(value):
                self.give_back(None if value is None else w.plain(value, site.scope))
                return False
            case _:
                raise AssertionError(here)
        return True

    def move(self, at: int, here: flat.Move) -> bool:
        write_move(self.site, here)
        return True

    def clear(self, slots: tuple[int, ...]) -> None:
        raise NotImplementedError

    def choose(self, at: int, here: flat.Choose) -> bool:
        raise NotImplementedError

    def each(self, at: int, here: flat.Each) -> bool:
        raise NotImplementedError

    def call(self, at: int, here: flat.Call) -> bool:
        """Call a block that never waits: as a function, or written out if it is small."""
        triggers, held = self.reset(here)
        given = [self.w.plain(each, self.site.scope) for each in here.arguments]
        if not triggers and self.inline(here.block, given, here.into):
            return True
        name = self.program.function(here.block)
        call = f"{name}({', '.join(['s', *given])})"
        if triggers:
            # The row of a table is found before any trigger runs.
            if isinstance(self.w.code.blocks[here.block].code[0], flat.Enter):
                call = call.replace(f"{name}(", "row(", 1)
                self.out.add(f"row = {name}_row({', '.join(['s', *given])})")
            write_fire(self.site, triggers, held)
        self.out.add(call if here.into is None else f"{self.slot(here.into)} = {call}")
        return True

    def inline(self, name: str, given: list[str], into: int | None) -> bool:
        """Write a block where it is called, if it is short and has one way out."""
        block = self.w.code.blocks[name]
        reached = sorted(self.flow.reached[name])
        if name in self.program.outlined or len(reached) > MOST_INLINE:
            return False
        is_table = isinstance(block.code[0], flat.Enter)
        returns = [at for at in reached if isinstance(block.code[at], flat.Return)]
        if not is_table and (len(returns) != 1 or returns != reached[-1:]):
            return False
        before, depth = len(self.out.lines), self.out.depth
        try:
            inner = _Whole(self.program, block, self.out, hosted=True)
            inner.bind(given)
            if is_table:
                return inner.inline_rows(block.code[0], into, self)  # type: ignore[arg-type]
            inner.region(0, returns[0], None)
            value = block.code[returns[0]].value  # type: ignore[union-attr]
            if into is not None:
                code = "None" if value is None else self.w.plain(value, inner.site.scope)
                self.out.add(f"{self.slot(into)} = {code}")
        except _Cut:
            self.program.outlined.add(name)
            del self.out.lines[before:]
            self.out.depth = depth
            return False
        return True

    def enter(self, here: flat.Enter) -> bool:
        raise NotImplementedError

    def give_back(self, value: str | None) -> None:
        raise NotImplementedError

    def reset(self, here: flat.Call) -> tuple[tuple[int, ...], str]:
        """Set the variables of a rule back; the triggers that look at them, and which of them held."""
        return write_reset(self.site, here.resets or "", here.origin)

    def publish(self, here: flat.Each) -> None:
        """All have chosen: now everybody learns of it, and the values are given at once."""
        site, out, target = self.site, self.out, here.target
        if self.program.watched:
            out.add(f"published(s, chosen, {site.type(here.of)}, {site.origin(here.origin)})")
        if target.fitting is not None:
            fitted = self.w.plain(target.fitting, Scope({}, {0: Text("v")}))
            out.add(f"chosen = tuple([(p, {fitted}) for p, v in chosen])")
        if target.slot is not None:
            out.add(f"{self.slot(target.slot)} = tuple(sorted(chosen))")
            return
        name = target.variable or ""
        triggers = self.flow.variables[name] if site.in_play else ()
        held = write_held(site, triggers)
        base = self.w.variable_names[name]
        with out.block("for p, v in chosen:"):
            if self.program.watched:
                out.add(f"was, s[{base} + p] = s[{base} + p], v")
                number = self.w.layout.variable_families[name].base
                out.add(
                    f"assigned(s, {number} + p, was, v, {site.type(target.type)}, "
                    f"{site.origin(here.origin)})"
                )
            else:
                out.add(f"s[{base} + p] = v")
        write_fire(site, triggers, held)


def write_reset(site: Site, rule: str, origin: flat.Origin) -> tuple[tuple[int, ...], str]:
    """Set the variables of a rule back, all at once."""
    w, out = site.w, site.out
    numbers = w.layout.resets.get(rule, ())
    if not numbers:
        return (), ""
    rows = [w.layout.variables[n][0] for n in numbers]
    triggers: tuple[int, ...] = ()
    if site.in_play:
        triggers = tuple(sorted({t for row in rows for t in site.flow.variables[row.name]}))
    held = write_held(site, triggers)
    values = [w.plain(row.start, Scope({})) for row in rows]
    if site.watched:
        places = ", ".join(str(n) for n in numbers)
        types = w.pool.keep("TYPES", tuple(row.type for row in rows))
        out.add(f"set_back(s, ({places},), ({', '.join(values)},), {types}, {site.origin(origin)})")
    else:
        names = [f"s[{_variable(w, n)}]" for n in numbers]
        known = all(w.known(row.start)[0] for row in rows)
        if known or len(names) == 1:
            for name, value in zip(names, values, strict=True):
                out.add(f"{name} = {value}")
        else:
            out.add(f"{', '.join(names)} = {', '.join(values)}")
    return triggers, held


def _variable(w: Scribe, number: int) -> str:
    row, _ = w.layout.variables[number]
    offset = number - w.layout.variable_families[row.name].base
    name = w.variable_names[row.name]
    return f"{name} + {offset}" if offset else name


# ---- Blocks that never wait ----------------------------------------------------------------------


@define
class _Whole(_Writer):
    """A block as one function; its slots are local. It may be `hosted` by the block that calls it."""

    hosted: bool = False
    locals: Names = field(init=False)

    def bind(self, given: list[str]) -> None:
        """Give the parameters of a hosted block their values, and all slots names of their own."""
        changed = _changed(self.block)
        slots = dict(self.site.scope.slots)
        for n, (name, type_) in enumerate(self.block.slots):
            plain = name if name.isidentifier() else "rest"
            if n < len(given) and n not in changed and _is_steady(given[n]):
                slots[n] = of_type(Text(given[n]), type_)
                continue
            slots[n] = of_type(Text(self.out.fresh(Names().make(plain))), type_)
            if n < len(given):
                self.out.add(f"{slots[n].code} = {given[n]}")
            elif name.isidentifier():
                self.out.add(f"{slots[n].code} = {self.block.blank[n]!r}")
        self.site.scope = Scope(slots)

    def inline_rows(self, here: flat.Enter, into: int | None, host: _Writer) -> bool:
        """Write the rows of an action table where it is called."""
        given = [self.slot(n) for n in range(self.block.params)]
        names = []
        for each in here.inputs:
            code = self.w.plain(each, self.site.scope)
            if not _is_steady(code):
                name = self.out.fresh("i")
                self.out.add(f"{name} = {code}")
                code = name
            names.append(Text(code))
        for n, (patterns, row) in enumerate(here.rows):
            test = row_test(self.w, patterns, names)
            with self.out.block("else:" if test == "True" else f"{'elif' if n else 'if'} {test}:"):
                if not host.inline(row, given, into):
                    raise _Cut(0)
            if test == "True":
                return True
        with self.out.block("else:"):
            self.out.add(f"no_row({self.block.name!r})")
        return True

    def scope(self) -> Scope:
        self.locals = Names(
            {"s", "v", "n", "o", "p", "f", "was", "order", "found", "count", "number"}
        )
        return Scope(
            {
                n: of_type(
                    Text(self.locals.make(f"{name}_" if name.isidentifier() else "rest")), type_
                )
                for n, (name, type_) in enumerate(self.block.slots)
            }
        )

    def write_all(self) -> Lines:
        while True:
            try:
                return self.attempt()
            except _Cut as cut:
                self.cuts |= {0, cut.at}
                self.out = Lines()
                self.site.out = self.out

    def attempt(self) -> Lines:
        name = self.program.names[self.block.name]
        params = [self.slot(n) for n in range(self.block.params)]
        with self.out.block(f"def {name}({', '.join(['s', *params])}):"):
            for n in range(self.block.params, len(self.block.slots)):
                if self.block.slots[n][0].isidentifier():
                    self.out.add(f"{self.slot(n)} = {self.block.blank[n]!r}")
            if not self.cuts:
                self.region(0, None, None)
            else:
                self.write_dispatch()
        self.out.add("", "")
        return self.out

    def write_dispatch(self) -> None:
        """Jumps that are not nested: the parts between the cuts, by number."""
        self.out.add("at = 0")
        with self.out.block("while True:"):
            self.count_down(self.code[0])
            for n, cut in enumerate(sorted(self.cuts)):
                with self.out.block(f"{'elif' if n else 'if'} at == {cut}:"):
                    self.region(cut, None, None)

    def go(self, at: int, loop: Loop | None) -> None:
        if loop is not None:
            raise _Cut(loop.header)
        if at not in self.cuts:
            raise _Cut(at)
        self.out.add(f"at = {at}", "continue")

    def clear(self, slots: tuple[int, ...]) -> None:
        """Locals are gone when the function is."""

    def give_back(self, value: str | None) -> None:
        self.out.add("return" if value is None else f"return {value}")

    def enter(self, here: flat.Enter) -> bool:
        given = ", ".join(["s", *(self.slot(n) for n in range(self.block.params))])
        name = self.program.names[self.block.name]
        self.out.add(f"return {name}_row({given})({given})")
        self.out.depth -= 1
        self.out.add("", "")
        with self.out.block(f"def {name}_row({given}):"):
            write_rows(self, here, lambda row: f"return {self.program.function(row)}")
        self.out.depth += 1
        return False

    def choose(self, at: int, here: flat.Choose) -> bool:
        """In a playout, chance chooses."""
        out, site = self.out, self.site
        guess_home(site, here)
        options = write_options(site, here.options, here.of, may=here.may)
        if may_fail(here.player):
            out.add(self.w.plain(here.player, site.scope))
        self.pick(here, options)
        write_store(site, here.target, "v", here.origin)
        return True

    def pick(self, here: flat.Choose | flat.Each, options: object) -> None:
        out = self.out
        first, one, count = options.first, options.one, options.count  # type: ignore[attr-defined]
        known = options.known  # type: ignore[attr-defined]
        if known is not None and known > 1:
            out.add(
                "s[LEFT] = MOST_STEPS",
                "s[COUNT] += 1",
                f"v = {options.kept}[int(s[DICE]() * {known})]",
            )  # type: ignore[attr-defined]
            return
        out.add(f"count = {count}")
        with out.block("if count > 1:"):
            out.add("s[COUNT] += 1")
            if one == "o[n]":
                out.add("v = o[int(s[DICE]() * count)]")
            else:
                out.add("n = int(s[DICE]() * count)", f"v = {one}")
        if here.may:
            with out.block("else:"):
                out.add("v = None")
        else:
            with out.block("elif count:"):
                out.add(f"v = {first}")
            with out.block("else:"):
                out.add(f"nothing({self.site.origin(here.origin)})")

    def each(self, at: int, here: flat.Each) -> bool:
        out, site = self.out, self.site
        out.add("chosen = ()")
        with out.block(f"for {self.slot(here.seat)} in {self.w.plain(here.players, site.scope)}:"):
            options = write_options(site, here.options, here.of, may=here.may)
            self.pick(here, options)
            out.add(f"chosen += (({self.slot(here.seat)}, v),)")
        self.publish(here)
        return True


def _is_steady(code: str) -> bool:
    """Whether code has the same value until its block goes on, and may be written twice."""
    return re.fullmatch(r"-?\w+|f\[\d+\]", code) is not None


def _changed(block: Block) -> set[int]:
    """The slots that a block gives values to."""
    found: set[int] = set()
    for each in block.code:
        match each:
            case flat.Assign() | flat.Draw() | flat.Choose() | flat.Each():
                if each.target.slot is not None:
                    found.add(each.target.slot)
            case flat.Next():
                found.add(each.into)
            case flat.Call() if each.into is not None:
                found.add(each.into)
    return found


def write_rows(writer: _Writer, here: flat.Enter, go: object) -> None:
    """Find the row of an action table that matches."""
    out, w = writer.out, writer.w
    names = []
    for n, each in enumerate(here.inputs):
        out.add(f"i{n} = {w.plain(each, writer.site.scope)}")
        names.append(Text(f"i{n}"))
    is_open = True
    for patterns, row in here.rows:
        test = row_test(w, patterns, names)
        line = go(row)  # type: ignore[operator]
        out.add(line if test == "True" else f"if {test}: {line}")
        if test == "True":
            is_open = False
            break
    if is_open:
        out.add(f"no_row({writer.block.name!r})")


# ---- Blocks that wait ----------------------------------------------------------------------------


@define
class _Parts(_Writer):
    """A block as several functions; its slots are those of its frame."""

    at: int = 0  # where the part begins that is being written

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
        self.cuts = {0}
        for at, here in self.reached():
            if self.waits(here):
                self.cuts.add(at if isinstance(here, flat.Choose | flat.Each) else at + 1)
                if self.flow.triggers_wait:
                    self.cuts |= {at, at + 1}
        self.cut_loops()
        while True:
            try:
                return self.attempt()
            except _Cut as cut:
                self.cuts.add(cut.at)
                self.out = Lines()
                self.site.out = self.out

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
            self.at = at
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

    def go(self, at: int, loop: Loop | None) -> None:
        if at not in self.cuts:
            raise _Cut(at)
        if self.flow.triggers_wait:
            self.out.add(f"f[1] = {at}", "return resume(s)")
        else:
            # Forward it is called at once, or written out if it is short; back it is given back, for a
            # loop may be long.
            ahead = min((cut for cut in self.cuts if cut > at), default=len(self.code))
            if at > self.at and ahead - at <= MOST_AGAIN:
                self.program.part(self.block.name, at)
                self.region(at, None, None)
            else:
                call = "(s, f)" if at > self.at else ""
                self.out.add(f"return {self.program.part(self.block.name, at)}{call}")

    def clear(self, slots: tuple[int, ...]) -> None:
        self.out.add(f"{' = '.join(self.slot(slot) for slot in slots)} = None")

    def give_back(self, value: str | None) -> None:
        name = self.block.name
        if any(name == row.block for row in self.w.code.triggers):
            self.out.add("return leave_trigger(s)")
        elif name in self.flow.caller and not self.flow.triggers_wait:
            self.return_to(*self.flow.caller[name], value)
        elif self.flow.callers.get(name):
            self.out.add(f"return leave_with(s, {value})")
        else:
            if value is not None and may_fail_text(value):
                self.out.add(value)
            self.out.add("return leave(s)")

    def return_to(self, block: str, at: int, value: str | None) -> None:
        """Go back to the only place from which this block is called."""
        into = self.w.code.blocks[block].code[at].into  # type: ignore[union-attr]
        if value is not None and into is None and may_fail_text(value):
            self.out.add(value)
        if into is not None:
            self.out.add(f"v = {value}")
        self.out.add("stack = s[STACK]", "stack.pop()", "f = stack[-1]")
        if into is not None:
            self.out.add(f"f[{into + SLOTS}] = v")
        self.out.add(f"return {self.program.part(block, at + 1)}(s, f)")

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
            return _Writer.call(self, at, here)
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
        if options.known is not None and options.known > 1 and not may_fail(here.player):
            self.ask(at, player, options.kept, str(options.known))
            return False
        out.add(f"count = {options.count}")
        if may_fail(here.player):
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
            alone = ", True" if isinstance(here, flat.Each) else ""
            self.out.add(
                f"chose(s, {player}, {value}, {self.site.type(here.of)}, "
                f"{self.site.origin(here.origin)}, False{alone})"
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


def may_fail_text(code: str) -> bool:
    """Whether code that nobody needs could still find a fault."""
    return "(" in code
