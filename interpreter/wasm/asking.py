"""Statements that wait (`choose`, `each … chooses`, `random`) -> code that asks, waits, and takes the answer."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import evolve

from interpreter.event_log import holds_pieces
from interpreter.wasm.assignment import kept_value, put_value
from interpreter.wasm.emitter import WasmValue, constant
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import E, Local, as_i32, binary, const, get, load, select
from interpreter.wasm.frames import QuestionPoint
from interpreter.wasm.memory import (
    ACTION,
    MOST_TOLD,
    NONE,
    capacity,
    form_of,
    list_size,
    size_of_type,
)
from interpreter.wasm.program_analysis import Unsupported
from interpreter.wasm.rule_functions import WAITING
from interpreter.wasm.watching import (
    AS_FACES,
    MOST_OFFERED,
    before_variable,
    is_watched,
    sound_of,
    sound_of_origin,
    write_setting,
)
from rulespec.core import tree
from rulespec.core.tree import Op
from rulespec.core.types import MOST, Indexed, Piece, Several, Type, present

if TYPE_CHECKING:
    from interpreter.wasm.rule_functions import Part
    from interpreter.wasm.rule_writer import RuleWriter


def is_sized(v: WasmValue) -> bool:
    """Whether the options are all subsets of certain sizes, which are listed as sizes and elements."""
    return v.form == "subsets" and v.of is not None and v.of.form == "list"


class Asking:
    """Writes the code for the choices of a rule."""

    def __init__(self, g: "RuleWriter") -> None:
        self.g = g
        self.asked = constant(None)  # whether the last question had more than one option
        # For the last question: the chosen option of another type, and whether one was chosen.
        self.action = constant(None)
        self.acted = const(0, I32)

    # ---- Options ---------------------------------------------------------------------------------

    def options(self, op: Op, of: Type) -> WasmValue:
        """The options; look-alikes share one."""
        g = self.g
        v = g.lets(g.value(op, g.scope))
        one = present(of.of) if isinstance(of, Several) else present(of)
        copies = isinstance(one, Piece) and g.p.has_copies(one)
        if isinstance(of, Several):
            if copies and v.form == "sets":
                g.allocates = True
                return g.lets(WasmValue("sets", (g.call("first_looks", g.s, v.e),)))
            if copies and v.form != "list":
                return evolve(g.lets(g.as_family(v)), sure=True)
            return self.numbered(v)
        if copies:
            if v.form == "mask" and v.home is not None and v.home.is_pool:
                return g.lets(WasmValue("mask", tuple(g.run("first_alike", v.lanes)), home=v.home))
            at = g.list_room(len(g.p.layout.pieces))
            g.run("distinct", g.s, at, g.as_list(v).e)
            return WasmValue("list", (at,), home=v.home)
        return v if v.form in ("mask", "small", "list", "sets") else g.lets(g.as_list(v))

    def numbered(self, v: WasmValue) -> WasmValue:
        """Options in a form from which one can be taken by its number: subsets of pieces become subsets of a list."""
        if v.form == "subsets" and v.of is not None and v.of.form == "mask":
            return evolve(v, of=self.g.lets(self.g.as_list(v.of)))
        return v

    def count(self, v: WasmValue) -> E:
        """The number of options; `sure` marks a family whose look-alikes count once."""
        g = self.g
        match v.form:
            case "family":
                if v.sure:
                    g.run("note_twins", g.s, v.e)
                else:
                    g.run("note_none", v.e)
                found = g.call("walk", v.e, const(-1))
            case "subsets" if v.of is not None:
                found = g.call("count_subsets", g.count(v.of), *v.sizes)
            case _:
                found = g.count(v)
        found = g.w.let(found)
        g.fault(binary("ge_s", found, MOST))
        return found

    def form(self, v: WasmValue) -> str:
        """The form of one option."""
        if v.form == "subsets" and v.of is not None:
            return v.of.form
        return "list" if v.form in ("family", "sets") else "number"

    def nth(self, v: WasmValue, n: E, of: Type) -> E:
        """The option with a number."""
        g = self.g
        match v.form:
            case "mask":
                return g.call("nth", v.lanes, n)
            case "small":
                return g.call("nth_small", v.e, n)
            case "list":
                return load("i64.load32_s", v.e + as_i32(n) * 4, 4)
            case "sets":
                return g.call("member", v.e, n)
        if v.form == "subsets" and v.of is not None and v.of.form == "small":
            return g.call("nth_small_subset", v.of.e, v.sizes[0], n)
        at = g.list_room(capacity(of, g.p.layout))
        if v.form == "family":
            g.run("nth_member", at, v.e, n)
        elif v.of is not None:
            g.run("nth_subset", at, v.of.e, v.sizes[0], n)
        return at

    # ---- Choices ---------------------------------------------------------------------------------

    def choose(self, here: tree.Choose) -> None:
        g = self.g
        point = g.point(here, "ask")
        g.w.set(g.at, const(0, I32))
        player = g.w.let(g.number(here.player, g.scope).e)
        value = self.ask(here, player, point)
        who, asked = (WasmValue("number", (player,)), None), (self.asked, None)
        if here.other is None:
            g.record("chose", who, (value, here.of), asked)
        else:
            with g.w.when(self.acted):
                g.record("acted", who, (self.action, here.other.of), asked)
            with g.w.when(self.acted.eq(0)):
                g.record("chose", who, (value, here.of), asked)
        g.store(here.target, value)
        if here.other is not None:
            g.store(here.other.target, self.action)
        if here.target.slot is not None and isinstance(here.of, Piece) and value.home is not None:
            g.homes[here.target.slot] = value.home

    def ask(self, here: tree.Choose | tree.Each, player: E, point: int) -> WasmValue:
        """The option that a player chooses; the game waits until it is known."""
        g, w, p = self.g, self.g.w, self.g.p
        v = self.options(here.options, here.of)
        every = self.count(v)
        other = here.other if isinstance(here, tree.Choose) else None
        actions = None if other is None else self.options(other.options, other.of)
        count = w.let(every + (int(here.may) if actions is None else self.count(actions)))
        g.fault(count.eq(0))
        form = self.form(v)
        n, chosen = w.local(I64, "n"), w.local(I32 if form == "list" else I64, "chosen")
        w.set(n, const(0))
        with w.when(binary("gt_s", count, 1)):
            g.risk(*(part[0] for part in here.prompt if not isinstance(part, str)))
            w.set(n, g.call("choose", g.s, count))
            with w.when(binary("lt_s", get(n), 0)):
                w.store("i64.store", g.s, player, p.state.fields["asked"][0])
                w.store(
                    "i64.store",
                    g.s,
                    const(
                        p.question(
                            QuestionPoint(g.block.name, g.numbers[id(here)], form, is_sized(v))
                        )
                    ),
                    p.state.fields["question"][0],
                )
                self.list_options(v, here, every, count, form, actions)
                g.go_away(const(WAITING, I32), point)
        self.pick(v, here, every, n, chosen, form)
        if other is not None and actions is not None:
            action = w.local(I64, "action")
            self.acted = w.let(binary("ge_s", get(n), every))
            w.set(action, const(NONE))
            with w.when(self.acted):
                w.set(action, self.nth(actions, get(n) - every, other.of))
            self.action = WasmValue("number", (get(action),), sure=False)
        self.asked = WasmValue("truth", (binary("gt_s", count, 1),))
        sure = not here.may and other is None and form == "number"
        return g.typed(
            WasmValue(form, (get(chosen),), sure=sure, home=v.home), here.of if sure else None
        )

    def pick(  # noqa: PLR0913, PLR0917 - options, and which of them
        self, v: WasmValue, here: Any, every: E, n: Local, chosen: Local, form: str
    ) -> None:
        """Set `chosen` to the option with a number, or to none if it is declined."""
        g, w = self.g, self.g.w
        if not here.may and getattr(here, "other", None) is None:
            w.set(chosen, self.nth(v, get(n), here.of))
            return
        w.set(chosen, const(g.p.none_list, I32) if form == "list" else const(NONE))
        with w.when(binary("lt_s", get(n), every)):
            w.set(chosen, self.nth(v, get(n), here.of))

    def list_options(  # noqa: PLR0913, PLR0917 - options of both types, and how many there are
        self, v: WasmValue, here: Any, every: E, count: E, form: str, actions: WasmValue | None
    ) -> None:
        """List all options in memory, if the caller wants them.

        For subsets of certain sizes, list the sizes and the elements instead; for other sets, nothing.
        """
        g, w, p = self.g, self.g.w, self.g.p
        told = load("i32.load", g.s, p.state.fields["told"][0])
        with w.when(told):
            n, chosen = w.local(I64, "n"), w.local(I32 if form == "list" else I64, "chosen")
            mail = const(p.mail, I32)
            w.set(n, load("i64.load", mail, 8))
            last = w.let(load("i64.load", mail, 16))
            short = w.let(binary("lt_s", last, 0))
            last = w.let(select(short, const(0 if form == "list" else MOST_TOLD), last))
            if is_sized(v) and v.of is not None:
                with w.when(short):
                    for size in v.sizes:
                        g.run("tell", g.s, size)
                    g.run("tell_list", g.s, v.of.e)
            end = w.let(select(binary("lt_s", count, last), count, last))
            with w.block("done") as done, w.loop("again") as again:
                w.br_if(done, binary("ge_s", get(n), end))
                with g.forgetting():
                    self.pick(v, here, every, n, chosen, form)
                    if actions is not None:
                        with w.when(binary("ge_s", get(n), every)):
                            action = self.nth(actions, get(n) - every, here.other.of)
                            w.set(chosen, action + const(ACTION))
                    g.run("tell_list" if form == "list" else "tell", g.s, get(chosen))
                w.set(n, get(n) + 1)
                w.br(again)

    # ---- All at once -----------------------------------------------------------------------------

    def each(self, here: tree.Each) -> "list[Part]":
        """All players choose in secret, one after the other; then all values are assigned together."""
        g, p = self.g, self.g.p
        form = form_of(here.of, p.layout)
        size = size_of_type(here.of, p.layout)
        players = g.frame.room(list_size(p.layout.players))
        answers = g.frame.room(size * p.layout.players)
        answered = Local(I32, "answered")
        g.keep(here, players=players, answers=answers, size=size, form=form, answered=answered)
        return [
            g.fresh(here, lambda: self.begin(here, players, answered)),
            g.fresh(here, lambda: self.ask_all(here, players, answers, answered)),
            *g.changing(here, lambda: self.publish(here, players, answers, answered)),
        ]

    def begin(self, here: tree.Each, players: int, answered: Local) -> None:
        g = self.g
        g.run("copy_list", g.fp + players, g.as_list(g.value(here.players, g.scope)).e)
        g.w.set(answered, const(0, I32))

    def ask_all(self, here: tree.Each, players: int, answers: int, answered: Local) -> None:
        g, w = self.g, self.g.w
        loop = g.kept(here)
        seat = g.frame.slots[here.seat].local
        if seat is None:
            raise Unsupported("a seat that is no number")
        point = g.point(here, "ask")
        w.set(g.at, const(0, I32))

        def ask_one(who: E) -> None:
            w.set(seat, who)
            with g.forgetting():
                value = self.ask(here, get(seat), point)
                at = w.let(g.fp + get(answered) * loop["size"] + answers)
                told = (
                    (WasmValue("number", (get(seat),)), None),
                    (value, here.of),
                    (self.asked, None),
                )
                g.record("sealed", *told)
                put_value(g, at, 0, loop["form"], value)

        self.go_through(players, answered, ask_one)

    def go_through(self, players: int, answered: Local, one: Callable[[E], None]) -> None:
        """Write the loop over the players who have not chosen yet."""
        g, w = self.g, self.g.w
        with w.block("done") as done, w.loop("again") as again:
            w.br_if(done, binary("ge_s", get(answered), load("i32.load", g.fp, players)))
            one(load("i64.load32_s", g.fp + get(answered) * 4, players + 4))
            w.set(answered, get(answered) + 1)
            w.br(again)

    def publish(self, here: tree.Each, players: int, answers: int, answered: Local) -> None:
        g, w, target = self.g, self.g.w, here.target
        loop = g.kept(here)
        if target.slot is not None:
            g.begin_family(g.frame.slots[target.slot])
        g.clear((here.seat,))

        def give(take: Callable[[E, WasmValue], None]) -> None:
            def give_one(who: E) -> None:
                at = w.let(g.fp + get(answered) * loop["size"] + answers)
                seat, form = w.let(who), loop["form"]
                with g.forgetting():
                    take(
                        seat,
                        WasmValue(form, (at if form == "list" else w.let(load("i64.load", at)),)),
                    )

            w.set(answered, const(0, I32))
            self.go_through(players, answered, give_one)

        def tell(seat: E, v: WasmValue) -> None:
            g.record("published", (WasmValue("number", (seat,)), None), (v, here.of))

        if g.p.recorded:
            give(tell)
        give(lambda seat, v: self.store_answer(here, seat, g.fitted(target, v)))

    def store_answer(self, here: tree.Each, seat: E, v: WasmValue) -> None:
        g, layout, target = self.g, self.g.p.layout, here.target
        if target.slot is None:
            family = layout.variable_families[target.variable or ""]
            row = layout.variables[family.base][0]
            offset, size = g.p.state.variables[row.name]
            form = form_of(row.type, layout)
            v = g.lets(g.into(v, form))
            address = g.w.let(g.s + as_i32(seat) * size)
            before = before_variable(g, kept_value(address, offset, form), row.type)
            put_value(g, address, offset, form, v)
            write_setting(g, seat + family.base, before, v, row.type)
            g.record("set", (WasmValue("number", (seat + family.base,)), None), (v, row.type))
            return
        kept = g.frame.slots[target.slot]
        if not isinstance(kept.type, Indexed):
            raise Unsupported("a local family without a type")
        form = form_of(kept.type.of, layout)
        step = 8 + size_of_type(kept.type.of, layout)
        at = g.w.let(g.fp + as_i32(seat) * step + kept.offset + 8)
        g.w.store("i64.store", at, const(1))
        put_value(g, at, 8, form, v)

    # ---- Chance ----------------------------------------------------------------------------------

    def draw(self, here: tree.Draw) -> None:
        """`random x from S`"""
        g, w = self.g, self.g.w
        v = self.numbered(g.lets(g.value(here.values, g.scope)))
        if v.form not in ("mask", "small", "list", "sets", "subsets", "family"):
            v = g.lets(g.as_list(v))
        count = self.count(v)
        g.fault(count.eq(0))
        n = self.drawn(here, v, count) if g.p.watched else g.call("below", g.s, count)
        value = WasmValue(self.form(v), (g.w.let(self.nth(v, n, here.of)),), home=v.home)
        if g.p.watched and value.form == "list":
            with w.when(is_watched(g.p)):
                g.run("keep_drawn", value.e)
        g.record("random", (value, here.of))
        g.store(here.target, g.typed(value, here.of))

    def drawn(self, here: tree.Draw, v: WasmValue, count: E) -> E:
        """The number of the value that chance decides; a watching module offers the values and may decide itself."""
        g, w = self.g, self.g.w
        form, n = self.form(v), w.local(I64, "n")
        pieces = holds_pieces(here.of)
        kind = (
            (2 if form == "number" else 5)
            if pieces
            else int(here.target.variable is not None) + 3 * (form == "small")
        )
        with w.when(is_watched(g.p)):
            w.set(n, const(0))
            with w.block("done") as done, w.loop("again") as again:
                w.br_if(done, binary("ge_s", get(n), count))
                w.br_if(done, binary("ge_s", get(n), MOST_OFFERED))
                with g.forgetting():
                    value = WasmValue(form, (w.let(self.nth(v, get(n), here.of)),), home=v.home)
                    raw = g.typed(value, here.of)
                    sound = w.let(sound_of(g, raw, here.of if pieces else None, AS_FACES))
                    word = w.let(sound_of(g, raw, None)) if raw.form == "list" else raw.e
                    g.run("offer", get(n), word, sound)
                w.set(n, get(n) + 1)
                w.br(again)
        where = const(sound_of_origin(here.origin))
        return g.call("drawn", g.s, count, const(kind), where)
