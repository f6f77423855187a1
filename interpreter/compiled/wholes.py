"""A block that never waits -> one function of Python, or lines where it is called.

Its slots are local. In a playout nobody is asked, so every block is one of these.
"""

import re
from collections.abc import Callable

from attrs import define, field

from interpreter.compiled.blocks import BlockWriter
from interpreter.compiled.calls import row_test
from interpreter.compiled.flow import changed_slots
from interpreter.compiled.forms import as_slot, blank_of
from interpreter.compiled.jumps import Cut, Loop
from interpreter.compiled.scribe import Scope
from interpreter.compiled.steps import Options, guess_home, write_fire, write_options, write_store
from interpreter.compiled.writing import Lines, Names, Text
from rulespec.core import tree
from rulespec.core.tree import Op

MOST_INLINE = 12  # instructions of a block that is written where it is called


@define
class Whole(BlockWriter):
    """A block as one function; its slots are local. It may be `hosted` by the block that calls it."""

    hosted: bool = False
    locals: Names = field(init=False)

    def bind(self, given: list[str]) -> None:
        """Give the parameters of a hosted block their values, and all slots names of their own."""
        changed = changed_slots(self.block)
        slots = dict(self.site.scope.slots)
        for n, (name, type_) in enumerate(self.block.slots):
            plain = name if name.isidentifier() else "rest"
            if n < len(given) and n not in changed and is_steady(given[n]):
                slots[n] = self.w.typed(Text(given[n]), type_)
                continue
            slots[n] = as_slot(self.w, self.block, n, self.out.fresh(Names().make(plain)))
            if n < len(given):
                self.out.add(f"{slots[n].code} = {given[n]}")
            elif name.isidentifier():
                self.out.add(f"{slots[n].code} = {blank_of(self.w, self.block, n)}")
        self.site.scope = Scope(slots)

    def inline_rows(self, here: tree.Enter, into: int | None, host: BlockWriter) -> bool:
        """Write the rows of an action table where it is called."""
        given = [self.slot(n) for n in range(self.block.params)]
        names = name_inputs(self, here.inputs)
        for n, (patterns, row) in enumerate(here.rows):
            test = row_test(self.w, patterns, names)
            with self.out.block("else:" if test == "True" else f"{'elif' if n else 'if'} {test}:"):
                if not inline(host, row, given, into):
                    raise Cut(0)
            if test == "True":
                return True
        with self.out.block("else:"):
            self.out.add(f"no_row({self.block.name!r})")
        return True

    def scope(self) -> Scope:
        self.locals = Names(
            {
                "s",
                "v",
                "n",
                "o",
                "p",
                "f",
                "was",
                "order",
                "found",
                "most",
                "key",
                "count",
                "number",
            }
        )
        names = [f"{name}_" if name.isidentifier() else "rest" for name, _ in self.block.slots]
        return Scope(
            {
                n: as_slot(self.w, self.block, n, self.locals.make(name))
                for n, name in enumerate(names)
            }
        )

    def write_all(self) -> Lines:
        while True:
            try:
                return self.attempt()
            except Cut as cut:
                self.cuts |= {0, cut.at}
                self.out = Lines()
                self.site.out = self.out

    def attempt(self) -> Lines:
        name = self.program.names[self.block.name]
        params = [self.slot(n) for n in range(self.block.params)]
        with self.out.block(f"def {name}({', '.join(['s', *params])}):"):
            for n in range(self.block.params, len(self.block.slots)):
                if self.block.slots[n][0].isidentifier():
                    self.out.add(f"{self.slot(n)} = {blank_of(self.w, self.block, n)}")
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
            self.count_turns(0, len(self.code))
            for n, cut in enumerate(sorted(self.cuts)):
                with self.out.block(f"{'elif' if n else 'if'} at == {cut}:"):
                    self.region(cut, None, None)

    def go(self, at: int, loop: Loop | None) -> None:
        if loop is not None:
            raise Cut(loop.header)
        if at not in self.cuts:
            raise Cut(at)
        self.out.add(f"at = {at}", "continue")

    def clear(self, slots: tuple[int, ...]) -> None:
        """Locals are gone when the function is."""

    def give_back(self, value: Op | None) -> None:
        code = "" if value is None else f" {self.w.plain(value, self.site.scope)}"
        self.out.add(f"return{code}")

    def call(self, at: int, here: tree.Call) -> bool:  # noqa: ARG002 - `parts` needs it
        call_block(self, here)
        return True

    def enter(self, here: tree.Enter) -> bool:
        given = ", ".join(["s", *(self.slot(n) for n in range(self.block.params))])
        name = self.program.names[self.block.name]
        self.out.add(f"return {name}_row({given})({given})")
        self.out.depth -= 1
        self.out.add("", "")
        with self.out.block(f"def {name}_row({given}):"):
            write_rows(self, here, lambda row: f"return {self.program.function(row)}")
        self.out.depth += 1
        return False

    def choose(self, at: int, here: tree.Choose) -> bool:  # noqa: ARG002 - as above
        """In a playout, chance chooses."""
        out, site = self.out, self.site
        guess_home(site, here)
        options = write_options(site, here.options, here.of, may=here.may)
        if self.w.may_fail(here.player):
            out.add(self.w.plain(here.player, site.scope))
        self.pick(here, options)
        write_store(site, here.target, "v", here.origin)
        return True

    def pick(self, here: tree.Choose | tree.Each, options: Options) -> None:
        out = self.out
        first, one, count = options.first, options.one, options.count
        known = options.known
        if known is not None and known > 1:
            out.add("s[COUNT] += 1", f"v = {options.kept}[int(s[DICE]() * {known})]")
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

    def each(self, at: int, here: tree.Each) -> bool:  # noqa: ARG002 - as above
        out, site = self.out, self.site
        out.add("chosen = ()")
        with out.block(f"for {self.slot(here.seat)} in {self.w.plain(here.players, site.scope)}:"):
            options = write_options(site, here.options, here.of, may=here.may)
            self.pick(here, options)
            out.add(f"chosen += (({self.slot(here.seat)}, v),)")
        self.publish(here)
        return True


def is_steady(code: str) -> bool:
    """Whether code has the same value until its block goes on, and may be written twice."""
    return re.fullmatch(r"-?\w+|f\[\d+\]", code) is not None


def name_inputs(writer: BlockWriter, inputs: tuple[Op, ...]) -> list[Text]:
    """What an action table looks at, each computed once."""
    names = []
    for each in inputs:
        code = writer.w.plain(each, writer.site.scope)
        if not is_steady(code):
            name = writer.out.fresh("i")
            writer.out.add(f"{name} = {code}")
            code = name
        names.append(Text(code))
    return names


def write_rows(writer: BlockWriter, here: tree.Enter, go: Callable[[str], str]) -> None:
    """Find the row of an action table that matches."""
    out, w = writer.out, writer.w
    names = []
    for n, each in enumerate(here.inputs):
        out.add(f"i{n} = {w.plain(each, writer.site.scope)}")
        names.append(Text(f"i{n}"))
    is_open = True
    for patterns, row in here.rows:
        test = row_test(w, patterns, names)
        line = go(row)
        out.add(line if test == "True" else f"if {test}: {line}")
        if test == "True":
            is_open = False
            break
    if is_open:
        out.add(f"no_row({writer.block.name!r})")


# ---- Calls ---------------------------------------------------------------------------------------


def call_block(host: BlockWriter, here: tree.Call) -> None:
    """Call a block that never waits: as a function, or written out if it is small."""
    triggers, held = host.reset(here)
    given = [host.w.plain(each, host.site.scope) for each in here.arguments]
    if not triggers and inline(host, here.block, given, here.into):
        return
    name = host.program.function(here.block)
    call = f"{name}({', '.join(['s', *given])})"
    if triggers:
        # The row of a table is found before any trigger runs.
        if isinstance(host.w.code.blocks[here.block].code[0], tree.Enter):
            call = call.replace(f"{name}(", "row(", 1)
            host.out.add(f"row = {name}_row({', '.join(['s', *given])})")
        write_fire(host.site, triggers, held)
    host.out.add(call if here.into is None else f"{host.slot(here.into)} = {call}")


def inline(host: BlockWriter, name: str, given: list[str], into: int | None) -> bool:
    """Write a block where it is called, if it is short and has one way out."""
    block = host.w.code.blocks[name]
    reached = sorted(host.flow.reached[name])
    if name in host.program.outlined or len(reached) > MOST_INLINE:
        return False
    is_table = isinstance(block.code[0], tree.Enter)
    returns = [at for at in reached if isinstance(block.code[at], tree.Return)]
    if not is_table and (len(returns) != 1 or returns != reached[-1:]):
        return False
    before, depth = len(host.out.lines), host.out.depth
    try:
        inner = Whole(host.program, block, host.out, hosted=True)
        inner.bind(given)
        if is_table:
            return inner.inline_rows(block.code[0], into, host)  # type: ignore[arg-type]
        inner.region(0, returns[0], None)
        value = block.code[returns[0]].value  # type: ignore[union-attr]
        if into is not None:
            code = "None" if value is None else host.w.plain(value, inner.site.scope)
            host.out.add(f"{host.slot(into)} = {code}")
    except Cut:
        host.program.outlined.add(name)
        del host.out.lines[before:]
        host.out.depth = depth
        return False
    return True
