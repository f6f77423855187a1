"""Jumps of flat code -> `if`, `for` and `while` of Python, wherever they are nested so.

Where they are not, there is a cut: a place at which another function, or another part of one, begins.
"""

from abc import ABC, abstractmethod

from attrs import define, evolve, field

from interpreter import flat
from interpreter.compiled.ceilings import Ceilings
from interpreter.compiled.dealing import write_deal, write_drawn
from interpreter.compiled.flow import Flow
from interpreter.compiled.joining import Joined
from interpreter.compiled.scribe import Scope, Scribe, as_plain
from interpreter.compiled.steps import Site
from interpreter.compiled.writing import Lines
from interpreter.flat import Block, Instruction
from rulespec.core import tree
from rulespec.source import locate, text_of

MOST_COMMENT = 90  # characters of a rule that stand above what became of it


class Cut(Exception):  # noqa: N818 - it asks to begin again
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
    ceilings: Ceilings
    watched: bool
    asks: bool
    names: dict[str, str] = field(factory=dict)  # of blocks that are one function
    numbers: dict[str, int] = field(factory=dict)
    parts: dict[tuple[str, int], str] = field(factory=dict)  # of other blocks, by place
    chosen: dict[tuple[str, int], str] = field(factory=dict)  # what goes on after a choice
    only: dict[str, str] = field(factory=dict)  # the same, of a choice that was none
    called: list[str] = field(factory=list)  # blocks that are called as functions
    outlined: set[str] = field(factory=set)  # blocks that cannot be written where they are called
    joined: dict[str, Joined] = field(factory=dict)  # blocks that wait
    bases: dict[str, int] = field(factory=dict)  # of these the number of their first place

    def function(self, block: str) -> str:
        """The name of a block that is one function."""
        if block not in self.called:
            self.called.append(block)
        return self.names[block]

    def part(self, block: str, at: int) -> str:
        """The name of a part of a block."""
        if (block, at) not in self.parts:
            self.parts[block, at] = self.w.names.make(self.joined[block].label(at))
        return self.parts[block, at]

    def forced(self, chosen: str) -> str:
        """The name of what goes on after a choice that was none."""
        if chosen not in self.only:
            self.only[chosen] = self.w.names.make(f"{chosen}_only")
        return self.only[chosen]

    def after_choice(self, block: str, at: int) -> str:
        if (block, at) not in self.chosen:
            name = f"{self.joined[block].label(at)}_chosen"
            self.chosen[block, at] = self.w.names.make(name)
        return self.chosen[block, at]


@define
class Writer(ABC):
    """Writes instructions one after the other, with their jumps."""

    program: Program
    block: Block
    out: Lines = field(factory=Lines)
    cuts: set[int] = field(factory=set)
    now: int = 0  # the instruction before the one to be written
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

    @abstractmethod
    def scope(self) -> Scope:
        """See `wholes` and `parts`."""

    @abstractmethod
    def go(self, at: int, loop: Loop | None) -> None:
        """Go on elsewhere, where no loop of Python gets to."""

    def slot(self, number: int) -> str:
        return self.site.slot(number)

    def at_hand(self, number: int) -> str | None:  # noqa: ARG002 - `parts` needs it
        """A local variable for what a slot holds, if that is worth while."""
        return None

    def comment(self, instruction: Instruction) -> None:
        span = instruction.origin.span
        if isinstance(instruction, tree.Clear | flat.Jump) or not span.source.text:
            return
        text = text_of(span)
        short = text if len(text) <= MOST_COMMENT else text[: MOST_COMMENT - 2] + " …"
        self.out.add(f"# {locate(span)[0].line}: {short}")

    # ---- Jumps -----------------------------------------------------------------------------------

    def region(self, at: int, until: int | None, loop: Loop | None, *, fresh: bool = True) -> bool:
        """Write what happens from a place up to another; whether that other one can be reached."""
        site = self.site
        before = site.facts.known()
        goes_on = self._region(at, until, loop, fresh=fresh)
        # Whoever comes here knows what was known before, unless it changed on the way.
        if goes_on:
            site.facts.meet(before)
        else:
            site.facts.restore(before)
        self.site = site
        return goes_on

    def settle(self, at: int) -> None:  # noqa: B027 - most blocks are not joined
        """Look at the slots as the block does that an instruction comes from."""

    def _region(self, at: int, until: int | None, loop: Loop | None, *, fresh: bool) -> bool:
        before = at - 1
        while at != until:
            self.now = before
            if at in self.cuts and not fresh:
                self.go(at, loop)
                return False
            fresh = False
            self.now = before = at
            self.settle(at)
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
        code = values.code
        if self.program.ceilings.turns(self.block, at) is None:
            code = self.out.fresh("all")
            self.out.add(f"{code} = {values.code}")
            size = f"{code}.bit_count()" if values.form == "mask" else f"len({code})"
            self.count_turns(at, follow.exit, size)
        over = f"bits({code})" if values.form == "mask" else code
        with self.out.block(f"for {self.slot(follow.into)} in {over}:"):
            self.body(at + 2, Loop(at + 1, follow.exit))
        return follow.exit

    def write_times(self, at: int, here: flat.Times) -> int:
        follow = self.code[at + 1]
        assert isinstance(follow, flat.Again)  # noqa: S101 - see is_loop
        self.comment(here)
        number = as_plain(self.w.text(here.number, self.site.scope))
        if self.program.ceilings.turns(self.block, at) is None:
            name = self.out.fresh("times")
            self.out.add(f"{name} = {number.code}")
            number = evolve(number, code=name)
            self.count_turns(at, follow.exit, f"max(0, {name})")
        known = number.low if number.low == number.high else None
        loop = self.code[at + 2 : follow.exit]
        if known is not None and write_deal(self.site, known, loop):
            for each in loop:
                if isinstance(each, tree.Clear):
                    self.write(at, each)
            return follow.exit

        def one_by_one(count: str) -> None:
            with self.out.block(f"for _ in range({count}):"):
                self.body(at + 2, Loop(at + 1, follow.exit))

        if not write_drawn(self.site, number, loop, one_by_one):
            one_by_one(number.code)
        return follow.exit

    def body(self, at: int, loop: Loop) -> None:
        self.site.facts.clear()
        last = loop.exit - 1
        back = self.code[last]
        if not (isinstance(back, flat.Jump) and back.to == loop.header):
            raise Cut(loop.header)
        self.region(at, last, loop)
        self.site.facts.clear()

    def write_while(self, at: int) -> int:
        end = self.loop_end(at)
        assert end is not None  # noqa: S101 - see begins_loop
        with self.out.block("while True:"):
            self.count_turns(at, end)
            self.site.facts.clear()
            self.region(at, end - 1, Loop(at, end))
        self.site.facts.clear()
        return end

    def count_turns(self, begin: int, end: int, turns: str = "1") -> None:
        """Nobody may wait forever for a loop that asks nobody: take what so many turns can cost."""
        cost = self.program.ceilings.region(self.block, begin, end)
        self.out.add(f"s[LEFT] -= {cost}" + (f" * {turns}" if turns != "1" else ""))
        self.out.add("if s[LEFT] < 0: tire(s, LEFT, COUNT, SHARE)")

    def write_turn(self, at: int, here: flat.Next | flat.Again, loop: Loop | None) -> None:
        """The head of a loop with a cut in it: what is left of it is kept in its slot."""
        slot = self.slot(here.slot)
        with self.out.block(
            f"if not {slot}:" if isinstance(here, flat.Next) else f"if {slot} <= 0:"
        ):
            self.leave(at, here.exit, loop)
        self.take_turn(here)

    def take_turn(self, here: flat.Next | flat.Again, rest: str = "") -> None:
        """Begin the next turn of such a loop; `rest` is a local that holds what is left of it."""
        slot = self.slot(here.slot)
        rest = rest or slot
        if isinstance(here, flat.Next):
            into = self.slot(here.into)
            name = self.at_hand(here.into)
            both = into if name is None else f"{into} = {name}"
            self.out.add(f"{both} = {rest}[0]", f"{slot} = {rest}[1:]")
            self.site.facts.learn(into, sure=True, name=name)
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
        self, at: int, condition: tree.Op, to: int, until: int | None, loop: Loop | None
    ) -> int | None:
        """A condition: `if` alone, with `else`, or a jump; where it goes on, if it does."""
        is_known, value = self.w.known(condition)
        if is_known:
            return at + 1 if value else self.write_jump(at, to, until, loop)
        test = self.w.truth(condition, self.site.scope)
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

    @abstractmethod
    def write(self, at: int, here: Instruction) -> bool:
        """One instruction; whether the next one follows."""
