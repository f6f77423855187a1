"""A block of flat code -> a function of C.

Its slots are local, its instructions follow each other as they do in flat code, and a jump is a `goto`. If somebody
may be asked in it, they are in its frame: the function begins with a jump to where it stopped.
"""

import re

from attrs import define, evolve, field

from interpreter import flat
from interpreter.compiled.ceilings import Ceilings
from interpreter.compiled.flow import Flow
from interpreter.compiled.jumps import MOST_COMMENT
from interpreter.compiled.writing import Unsupported
from interpreter.flat import Block, Instruction
from interpreter.native.calls import row_test
from interpreter.native.choices import write_draw, write_pick
from interpreter.native.frames import (
    ANSWERED,
    ANSWERS,
    ASKED,
    LEFT,
    MEMBERS,
    PLACE,
    REST,
    VALUE,
    Frame,
    Member,
    Question,
)
from interpreter.native.moves import Site, fire, watch, write_move, write_shuffle
from interpreter.native.operations.values import variable_at
from interpreter.native.scribe import Scribe, form_of, indexed, into_form, named, of_type, place_in
from interpreter.native.writing import TYPES, Lines, Scope, Text, remark
from rulespec.core import tree
from rulespec.core.tree import Op, Target
from rulespec.core.types import Indexed, Piece
from rulespec.source import locate, text_of

ANYWHERE = "0"


@define
class Program:
    """What all blocks share while they are written."""

    w: Scribe
    flow: Flow
    ceilings: Ceilings
    names: dict[str, str]
    results: dict[str, str]  # of blocks whose value is wanted, the form of it
    called: list[str] = field(factory=list)
    frames: dict[str, Frame] = field(factory=dict)  # of blocks that can wait
    questions: list[Question] = field(factory=list)

    def waits(self, block: str) -> bool:
        return block in self.flow.waiting

    def frame(self, block: str) -> Frame:
        """The frame of a block, which begins with what it is given."""
        if block not in self.frames:
            name = self.names[block].removeprefix("do_")
            self.frames[block] = Frame(name, self.w.names.make(f"frame_{name}"))
        return self.frames[block]

    def parameter(self, block: str, number: int) -> str:
        """Where a block that can wait finds what it is given."""
        name, _ = self.w.code.blocks[block].slots[number]
        return f"s->in.{self.frame(block).name}.{name}_{number}"

    def function(self, block: str) -> str:
        if block not in self.called:
            self.called.append(block)
        return self.names[block]


@define
class BlockWriter:
    """Writes a block."""

    program: Program
    block: Block
    slots: dict[int, Text] = field(factory=dict)
    locals: Lines = field(factory=lambda: Lines(depth=1))
    body: Lines = field(init=False)
    site: Site = field(init=False)
    labels: set[int] = field(factory=set)
    loops: dict[int, Text] = field(factory=dict)  # of each `Iterate` what it runs through
    resumes: dict[int, str] = field(factory=dict)  # where it can go on, and under which label

    def __attrs_post_init__(self) -> None:
        self.body = Lines(self.locals.counter, depth=1)
        self.site = Site(self.w, self.program.flow, self.block)

    @property
    def w(self) -> Scribe:
        return self.program.w

    @property
    def result(self) -> str | None:
        return self.program.results.get(self.block.name)

    def write(self) -> None:
        """The function, and its head."""
        params = self.declare_slots()
        reached = sorted(self.program.flow.reached[self.block.name])
        self.find_labels(reached)
        for at in reached:
            self.instruction(at)
        name = self.program.names[self.block.name]
        kind = "void" if self.result is None else TYPES[self.result]
        head = f"static {kind} {name}({', '.join(['state *s', *params])})"
        self.w.heads.add(f"{head};")
        done = self.w.done
        done.add(remark(self.block.title))
        with done.block(head):
            if self.waits:
                self.write_entry(done)
            done.lines += [*self.locals.lines, *self.body.lines]
        done.add("")

    def write_entry(self, out: Lines) -> None:
        """Go on where it stopped."""
        frame = self.program.frame(self.block.name)
        out.add(f"{frame.type} *f = &s->in.{frame.name};")
        with out.block("switch (f->at)"):
            for at, label in self.resumes.items():
                out.add(f"case {at}: goto {label};")

    @property
    def waits(self) -> bool:
        return self.program.waits(self.block.name)

    # ---- Slots -----------------------------------------------------------------------------------

    def keep(self, member: Member, blank: str | None = None) -> str:
        """A variable that lasts as long as the block: in its frame, or local if it never waits."""
        if self.waits:
            self.program.frame(self.block.name).members.append(member)
            code = f"f->{member.name}"
        else:
            code = member.name
            size = "" if member.size is None else f"[{member.size}]"
            self.locals.add(f"{member.type} {code}{size};")
        if blank is not None:
            self.locals.add(blank.format(code))
        return code

    def declare_slots(self) -> list[str]:
        params = []
        for n, (name, type_) in enumerate(self.block.slots):
            form = form_of(type_)
            is_result = name == "(result)" and form != "nothing"
            if not name.isidentifier() and not is_result:
                self.slots[n] = Text("", "nothing")
                continue
            code = f"{'result' if is_result else name}_{n}"
            text = Text(code, form)
            if n < self.block.params:
                if form not in TYPES:
                    raise Unsupported(f"a {form} that is passed on")
                if self.waits:
                    code = self.keep(Member(code, TYPES[form], n, VALUE))
                else:
                    params.append(f"{TYPES[form]} {code}")
                text = Text(code, form)
            elif form == "list":
                blank = 0 if self.block.blank[n] == () else -1
                kept = self.keep(Member(code, "list", n, VALUE), f"{{}}.n = {blank};")
                text = Text(kept, form)
            elif form == "number":
                text = Text(self.keep(Member(code, "num", n, VALUE), "{} = NONE;"), form)
            elif form == "indexed" and isinstance(type_, Indexed):
                text = indexed(self.w.layout, code, type_)
                member = Member(
                    code, TYPES[text.element], n, MEMBERS, size=len(text.value), value=text.value
                )
                text = evolve(text, code=self.keep(member))
                self.locals.add(*self.forget(text))
            self.slots[n] = of_type(text, type_, self.w.layout)
        return params

    def forget(self, family: Text) -> list[str]:
        """A local family before anything is kept in it."""
        i = self.locals.fresh("i")
        member = f"{family.code}[{i}]" + (".n = -1" if family.element == "list" else " = NONE")
        return [f"for (int {i} = 0; {i} < {len(family.value)}; {i}++) {member};"]

    def scope(self, out: Lines) -> Scope:
        return Scope(out, self.slots)

    # ---- Jumps -----------------------------------------------------------------------------------

    def find_labels(self, reached: list[int]) -> None:
        for at in reached:
            here = self.block.code[at]
            match here:
                case flat.Jump(to):
                    self.labels.add(to)
                case flat.Unless(condition, to):
                    is_known, value = self.w.known(condition)
                    if not is_known or not value:
                        self.labels.add(to)
                case flat.Next() | flat.Again():
                    self.labels.add(here.exit)

    def go(self, at: int, to: int) -> str:
        """A jump; those that go back are counted."""
        if to > at:
            return f"goto L{to};"
        cost = self.program.ceilings.region(self.block, to, at + 1)
        return f"{{ count_down(s, {cost}); goto L{to}; }}"

    def comment(self, here: Instruction) -> None:
        span = here.origin.span
        if (
            isinstance(here, tree.Clear | flat.Jump | flat.Next | flat.Again)
            or not span.source.text
        ):
            return
        text = text_of(span)
        short = text if len(text) <= MOST_COMMENT else text[: MOST_COMMENT - 2] + " …"
        self.body.add(remark(f"{locate(span)[0].line}: {short}"))

    # ---- Instructions ----------------------------------------------------------------------------

    def instruction(self, at: int) -> None:
        here = self.block.code[at]
        if self.waits and isinstance(here, tree.Choose):
            self.labels.add(at)
            self.resumes[at + 1] = f"L{at}"
        if at in self.labels:
            self.body.depth -= 1
            self.body.add(f"L{at}:;")
            self.body.depth += 1
        self.comment(here)
        out = self.body.fork()
        self.step(at, here, self.scope(out))
        if out.declares:
            with self.body.block(""):
                self.body.take(out)
        else:
            self.body.take(out)

    def step(self, at: int, here: Instruction, scope: Scope) -> None:
        w, out = self.w, scope.out
        match here:
            case tree.Assign(target, value):
                self.store(target, w.text(value, scope), scope)
                self.guess(target, value)
            case flat.Iterate():
                self.iterate(at, here, scope)
            case flat.Next():
                self.next(at, here, scope)
            case flat.Times(slot, times):
                code = self.keep(Member(f"left_{slot}", "num", slot, LEFT))
                left = self.loops[slot] = Text(code)
                out.add(f"{left.code} = {w.code_of(times, scope)};")
            case flat.Again(slot, leave):
                left = self.loops[slot]
                out.add(f"if ({left.code}-- <= 0) {self.go(at, leave)}")
            case tree.Clear():
                pass
            case flat.Jump(to):
                out.add(self.go(at, to))
            case flat.Unless(condition, to):
                is_known, value = w.known(condition)
                if not is_known:
                    out.add(f"if (!{w.code_of(condition, scope)}) {self.go(at, to)}")
                elif not value:
                    out.add(self.go(at, to))
            case tree.Move():
                write_move(self.site, here, scope)
            case tree.Shuffle():
                write_shuffle(self.site, here, scope)
            case tree.Show(pieces, players):
                for each in (pieces, players):
                    if w.may_fail(each):
                        w.text(each, scope)
            case tree.Tell(parts):  # who wants the story plays on the reference
                for part in parts:
                    if not isinstance(part, str) and w.may_fail(part):
                        w.text(part, scope)
            case tree.Announce():
                raise Unsupported("`announce`")
            case tree.Draw(target, values):
                self.store(target, write_draw(w, values, scope), scope)
            case tree.Choose():
                self.choose(at, here, scope)
            case tree.Each():
                self.each(at, here, scope)
            case tree.Call():
                self.call(at, here, scope)
            case tree.Enter():
                self.enter(here, scope)
            case tree.Return(value):
                self.give_back(value, scope)
            case tree.End():
                if not self.site.only_in_play:
                    out.add("if (s->phase != PLAY) leave(s, FAULT_END);")
                out.add("leave(s, ENDED);")

    # ---- Loops -----------------------------------------------------------------------------------

    def iterate(self, at: int, here: flat.Iterate, scope: Scope) -> None:
        """Keep a set; its elements are taken one by one."""
        follow = self.block.code[at + 1]
        if not isinstance(follow, flat.Next) or follow.slot != here.slot:
            raise Unsupported("a loop that is not run through at once")
        values = self.w.text(here.values, scope)
        slot, name = here.slot, f"rest_{here.slot}"
        if values.form == "mask":
            rest = self.keep(Member(name, "mask", slot, REST))
            scope.out.add(f"{rest} = {values.code};")
            self.loops[slot] = Text(rest, "mask")
            return
        values = into_form(self.w, values, "list", scope)
        whole = values.value if values.is_simple else None
        i = self.keep(Member(f"taken_{slot}", "num", slot, PLACE, value=whole))
        scope.out.add(f"{i} = 0;")
        rest = values.code
        if values.constant and not values.is_simple and not self.waits:
            pointer = self.keep(Member(name, "const list *", slot, REST))
            scope.out.add(f"{pointer} = &{values.code};")
            rest = f"(*{pointer})"
        elif not (values.constant and values.is_simple):  # else it needs no place of its own
            rest = self.keep(Member(name, "list", slot, REST))
            scope.out.add(f"{rest} = {values.code};")
        self.loops[slot] = Text(rest, "list", home=i)

    def next(self, at: int, here: flat.Next, scope: Scope) -> None:
        rest, into, leave = self.loops[here.slot], self.slots[here.into], self.go(at, here.exit)
        if rest.form == "mask":
            scope.out.add(f"if (!{rest.code}) {leave}")
            scope.out.add(f"{into.code} = lowest({rest.code});", f"{rest.code} &= {rest.code} - 1;")
        else:
            scope.out.add(f"if ({rest.home} >= {rest.code}.n) {leave}")
            scope.out.add(f"{into.code} = {rest.code}.v[{rest.home}++];")

    # ---- Values ----------------------------------------------------------------------------------

    def store(self, target: Target, value: Text, scope: Scope) -> None:
        """Give a target its value."""
        if target.fitting is not None:
            value = named(value, scope)
            value = self.w.text(target.fitting, Scope(scope.out, bound={0: value}))
        if target.slot is not None:
            slot = self.slots[target.slot]
            if target.indices:
                index = self.w.code_of(target.indices[0], scope)
                value = into_form(self.w, value, slot.element, scope)
                scope.out.add(f"{slot.code}[{place_in(self.w, slot.value, index)}] = {value.code};")
                return
            value = into_form(self.w, value, slot.form, scope)
            scope.out.add(f"{slot.code} = {value.code};")
            return
        name = target.variable or ""
        row = self.w.layout.variables[self.w.layout.variable_families[name].base][0]
        value = into_form(self.w, value, form_of(row.type), scope)
        place = variable_at(self.w, name, target.indices, scope)
        watched = watch(self.site, self.program.flow.variables[name], scope)
        scope.out.add(f"{place} = {value.code};")
        fire(watched, scope)

    def guess(self, target: Target, op: Op) -> None:
        """Remember from which pool the piece in a slot was taken, if that can be seen."""
        if target.slot is None or target.indices:
            return
        self.site.guesses.pop(target.slot, None)
        if op.name == "slot" and op.args[0] in self.site.guesses:
            self.site.guesses[target.slot] = self.site.guesses[op.args[0]]

    def ask(self, at: int, here: tree.Choose | tree.Each, player: str, scope: Scope) -> Text:
        """What somebody chooses; if the game waits, it is asked again when it goes on."""
        question = Question(self.block.name, at, here, form_of(here.of))
        number = len(self.program.questions)
        self.program.questions.append(question)
        if self.waits:
            scope.out.add(f"f->at = {at + 1};")
            scope.out.add(f"s->asked = {player};", f"s->site = {number};")
        value = write_pick(self.w, here.options, here.of, scope, may=here.may)
        if self.waits:
            tell = (
                f"tell_set(s, &{value.code})" if value.form == "list" else f"tell(s, {value.code})"
            )
            scope.out.add(f"if (s->told) {tell};")
        return value

    def choose(self, at: int, here: tree.Choose, scope: Scope) -> None:
        player = self.w.code_of(here.player, scope)
        if self.w.may_fail(here.player) and not self.waits:
            scope.out.add(f"(void){player};")
        value = self.ask(at, here, player, scope)
        self.store(here.target, value, scope)
        slot = here.target.slot
        if isinstance(here.of, Piece) and slot is not None and not here.target.indices:
            home = self.w.text(here.options, scope.aside()).home
            if home is None or not self.lasts(home):
                home = ANYWHERE
            self.site.guesses[slot] = home

    def lasts(self, home: str) -> bool:
        """Whether a zone can still be named after the instruction that has found it."""
        slots = {name for each in self.slots.values() for name in re.findall(r"\w+", each.code)}
        known = {*slots, *self.w.zone_names.values(), "at", "need", "s"}
        return {*re.findall(r"[A-Za-z_]\w*", home)} <= known

    def each(self, at: int, here: tree.Each, scope: Scope) -> None:
        """All choose in secret; then the values are given at once."""
        w, out, target = self.w, scope.out, here.target
        form, slot = form_of(here.of), here.slot
        players = self.keep(Member(f"asked_{slot}", "list", slot, ASKED))
        i = self.keep(Member(f"answered_{slot}", "num", slot, ANSWERED))
        member = Member(f"answers_{slot}", TYPES[form], slot, ANSWERS, size=w.layout.players)
        chosen, seat = self.keep(member), self.slots[here.seat]
        found = into_form(w, w.text(here.players, scope), "list", scope)
        out.add(f"{players} = {found.code};")
        with out.block(f"for ({i} = 0; {i} < {players}.n; {i}++)"):
            if self.waits:
                self.resumes[at + 1] = f"R{at}"
                out.add(f"R{at}:;")
            out.add(f"{seat.code} = {players}.v[{i}];")
            value = self.ask(at, here, seat.code, scope)
            out.add(f"{chosen}[{i}] = {into_form(w, value, form, scope).code};")
        if target.slot is not None:
            family = self.slots[target.slot]
            if family.form != "indexed":
                raise Unsupported("what all choose, kept elsewhere")
            out.add(*self.forget(family))
            code, wanted, watched = family.code, family.element, ("", "")
        else:
            name = target.variable or ""
            row = w.layout.variables[w.layout.variable_families[name].base][0]
            code, wanted = f"s->var.{w.variable_names[name]}", form_of(row.type)
            watched = watch(self.site, self.program.flow.variables[name], scope)
        with out.block(f"for ({i} = 0; {i} < {players}.n; {i}++)"):
            value = Text(f"{chosen}[{i}]", form)
            if target.fitting is not None:
                value = w.text(target.fitting, Scope(out, bound={0: value}))
            out.add(f"{code}[{players}.v[{i}]] = {into_form(w, value, wanted, scope).code};")
        fire(watched, scope)

    # ---- Calls -----------------------------------------------------------------------------------

    def call(self, at: int, here: tree.Call, scope: Scope) -> None:
        """Set the variables of a rule back and call it; the row of a table is found before any trigger runs."""
        target = self.w.code.blocks[here.block]
        given = []
        for n, each in enumerate(here.arguments):
            form = form_of(target.slots[n][1])
            if form not in TYPES:
                raise Unsupported(f"a {form} that is passed on")
            given.append(into_form(self.w, self.w.text(each, scope), form, scope).code)
        watched = write_reset(self.program, self.site, here.resets or "", scope)
        name = self.program.function(here.block)
        waits = self.program.waits(here.block)
        code = f"{name}({', '.join(['s', *([] if waits else given)])})"
        if watched[0] and isinstance(target.code[0], tree.Enter):
            raise Unsupported("an action table with state that a trigger looks at")
        fire(watched, scope)
        if waits:
            self.enter_frame(here.block, given, at, scope.out)
        if here.into is None or self.slots[here.into].form == "nothing":
            scope.out.add(f"{code};")
        else:
            slot = self.slots[here.into]
            scope.out.add(f"{slot.code} = {code};")

    def enter_frame(self, block: str, given: list[str], at: int, out: Lines) -> None:
        """Before a block that can wait is called: here to go on is to call it again."""
        for n, code in enumerate(given):
            out.add(f"{self.program.parameter(block, n)} = {code};")
        out.add(f"s->in.{self.program.frame(block).name}.at = 0;", f"f->at = {at + 1};")
        self.resumes[at + 1] = f"R{at}"
        out.add(f"R{at}:;")

    def enter(self, here: tree.Enter, scope: Scope) -> None:
        """Go on with the row of an action table that matches."""
        given = [self.slots[n].code for n in range(self.block.params)]
        inputs: list[Text | None] = [
            named(self.w.number(each, scope), scope, "i") for each in here.inputs
        ]
        for n, (patterns, row) in enumerate(here.rows):
            test = row_test(self.w, patterns, inputs)
            waits, name = self.program.waits(row), self.program.function(row)
            code = f"{name}({', '.join(['s', *([] if waits else given)])});"
            with scope.out.block(f"if ({test})" if test else ""):
                if waits:
                    self.enter_frame(row, given, n, scope.out)
                scope.out.add(*([code, "return;"] if self.result is None else [f"return {code}"]))
            if not test:
                return
        scope.out.add("leave(s, FAULT_ROW);")

    def give_back(self, value: Op | None, scope: Scope) -> None:
        if self.result is None:
            if value is not None and self.w.may_fail(value):
                self.w.text(value, scope)
            scope.out.add("return;")
        elif value is None:
            none = "NONE" if self.result == "number" else "NOTHING"
            scope.out.add(f"return {none};")
        else:
            found = into_form(self.w, self.w.text(value, scope), self.result, scope)
            scope.out.add(f"return {found.code};")


def write_reset(program: Program, site: Site, rule: str, scope: Scope) -> tuple[str, str]:
    """Set the variables of a rule back, all at once; the triggers that look at them."""
    w, layout = program.w, program.w.layout
    numbers = layout.resets.get(rule, ())
    rows = [layout.variables[n][0] for n in numbers]
    watched = watch(site, [t for row in rows for t in program.flow.variables[row.name]], scope)
    values = []
    for row in rows:
        value = into_form(w, w.text(row.start, Scope(scope.out)), form_of(row.type), scope)
        values.append(value if w.known(row.start)[0] else named(value, scope))
    for n, value in zip(numbers, values, strict=True):
        scope.out.add(f"{variable_by_number(w, n)} = {value.code};")
    return watched


def variable_by_number(w: Scribe, n: int) -> str:
    row, _ = w.layout.variables[n]
    family = w.layout.variable_families[row.name]
    code = f"s->var.{w.variable_names[row.name]}"
    return f"{code}[{n - family.base}]" if family.domains else code
