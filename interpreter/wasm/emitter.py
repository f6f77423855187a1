"""Expressions of the core -> WebAssembly that computes them, and the representation of their values.

A number is an i64, and the least i64 stands for `none`; a truth value is an i32. A set has one of several forms:

`mask`     pieces in the order of their numbers, in one or several i64
`small`    numbers below 63 in their order, in one i64
`list`     the address of a list, in any order
`pile`     the address of a pile
`single`   a number that stands for a set of one; `perhaps` of at most one
`subsets`  a set with two bounds of sizes, for all its subsets in between
`family`   the address of a family of subsets that is not listed
`sets`     the address of a list of lists

Other forms are `zones` (the number of the first of several zones), `look` (a mask), `row` (of a table) and `indexed`
(the address of a local family).
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import evolve, field, frozen

from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import E, as_i32, as_i64, binary, const, get, load, select, unary
from interpreter.wasm.function_writer import Writer
from interpreter.wasm.masks import bit, bits, each_bit, is_some
from interpreter.wasm.memory import MOST_SMALL, NONE, capacity, list_size
from interpreter.wasm.program_analysis import Unsupported
from interpreter.wasm.statements import Fn, Label
from rulespec.core.tree import Op
from rulespec.core.types import Maybe, Never, Type, Unknown, present

if TYPE_CHECKING:
    from interpreter.wasm.programs import ModuleDraft

Lanes: TypeAlias = tuple[E, ...]


@frozen
class StaticZone:
    """A zone whose kind is known while code is written."""

    number: E
    address: E
    is_pool: bool


@frozen
class WasmValue:
    """A value: its form, what holds it, and what is known about it."""

    form: str
    lanes: Lanes
    low: int | None = None  # bounds of the number if it is not none
    high: int | None = None
    sure: bool = False  # it is not none
    zone: StaticZone | None = None  # for a zone, where it is
    home: StaticZone | None = None  # the one zone in which all pieces of a set lie
    literal: tuple[int, ...] | None = None  # for a set that is known while code is written
    fresh: bool = False  # a list that nothing else refers to
    data: tuple[
        tuple[int, tuple[int, ...]], ...
    ] = ()  # the lists that it may be, if these never change
    sizes: Lanes = ()  # of subsets
    of: "WasmValue | None" = None  # of subsets
    type: Type | None = None  # for an indexed value
    count: int = 0  # the number of zones
    key: str = ""  # for a row, with its arguments
    arguments: "tuple[WasmValue, ...]" = ()

    @property
    def e(self) -> E:
        return self.lanes[0]


def constant(value: int | None) -> WasmValue:
    """A number that is known."""
    if value is None:
        return WasmValue("number", (const(NONE),))
    return WasmValue("number", (const(int(value)),), int(value), int(value), sure=True)


@frozen
class EmitScope:
    """The slots and bound names of an expression; `ordered` is false where the order of a set does not matter."""

    slots: Mapping[int, WasmValue] = field(factory=dict)
    bound: Mapping[int, WasmValue] = field(factory=dict)
    ordered: bool = True

    def bind(self, place: int, value: WasmValue) -> "EmitScope":
        return evolve(self, bound={**self.bound, place: value}, ordered=True)

    def in_any_order(self) -> "EmitScope":
        return evolve(self, ordered=False) if self.ordered else self

    def in_order(self) -> "EmitScope":
        return self if self.ordered else evolve(self, ordered=True)


class Emitter:
    """Writes a function: expressions, conversions between forms, and loops over sets."""

    def __init__(self, program: "ModuleDraft", fn: Fn) -> None:
        self.p, self.fn, self.w = program, fn, Writer(fn)
        self.s = get(fn.params[0])
        self.allocates = False

    # ---- Expressions -----------------------------------------------------------------------------

    def value(self, op: Op, scope: EmitScope) -> WasmValue:
        """The value of an expression, in the form that is cheapest for it."""
        if op.name not in ("zone", "literal"):
            is_known, value = self.p.facts.known(op)
            if is_known:
                return self.literal(value)
        write = WRITERS.get(op.name)
        if write is None:
            raise Unsupported(f"`{op.name}`", op.span)
        try:
            return self.typed(write(self, op, scope), op.type)
        except Unsupported as reason:
            reason.span = reason.span or op.span
            raise

    def number(self, op: Op, scope: EmitScope) -> WasmValue:
        """The value of an expression that is one number."""
        found = self.value(op, scope.in_order())
        if found.form == "truth":
            return WasmValue("number", (as_i64(found.e),), 0, 1, sure=True)
        if found.form != "number":
            raise Unsupported(f"a {found.form} where one value is wanted", op.span)
        return found

    def simple(self, op: Op, scope: EmitScope) -> WasmValue:
        """The same in a local, to be used several times."""
        found = self.number(op, scope)
        return evolve(found, lanes=(self.w.let(found.e),))

    def truth(self, op: Op, scope: EmitScope) -> E:
        found = self.value(op, scope.in_order())
        return found.e if found.form == "truth" else found.e.ne(0)

    def literal(self, value: Any) -> WasmValue:
        if value is None or isinstance(value, int):
            return constant(value)
        if isinstance(value, tuple) and all(isinstance(each, int) for each in value):
            members = tuple(map(int, value))
            at = self.p.memory.list_at(members)
            return WasmValue("list", (const(at, I32),), literal=members, data=((at, members),))
        raise Unsupported("a set of sets that is known")

    def typed(self, v: WasmValue, type_: Type | None) -> WasmValue:
        """A number with the bounds that its type gives."""
        if v.form != "number" or type_ is None or v.zone is not None:
            return v
        low, high = self.p.range_of(present(type_))
        sure = v.sure or not isinstance(type_, Maybe | Unknown | Never)
        if v.low is not None and low is not None:
            low = max(v.low, low)
        if v.high is not None and high is not None:
            high = min(v.high, high)
        return evolve(
            v, low=v.low if low is None else low, high=v.high if high is None else high, sure=sure
        )

    # ---- Help ------------------------------------------------------------------------------------

    def run(self, name: str, *args: E | Lanes) -> list[E]:
        """Call a helper and return its results, word by word."""
        flat = [e for each in args for e in (each if isinstance(each, tuple) else (each,))]
        return self.w.call(self.p.helper(name), flat)

    def call(self, name: str, *args: E | Lanes) -> E:
        """Call a helper and return its only result."""
        (found,) = self.run(name, *args)
        return found

    def fault(self, test: E) -> None:
        """Write a trap for the case that a test holds: the reference then finds the fault."""
        with self.w.when(test):
            self.w.trap()

    def lets(self, v: WasmValue) -> WasmValue:
        """The same value in locals, to be used several times."""
        lanes, sizes = tuple(map(self.w.let, v.lanes)), tuple(map(self.w.let, v.sizes))
        return evolve(v, lanes=lanes, sizes=sizes)

    def table(self, values: list[int | None], at: E) -> E:
        """The number at a position of a table; the position is an i32."""
        return load("i64.load", at * 8, self.p.memory.numbers_at(values))

    def mask_table(self, values: list[int], at: E) -> Lanes:
        where = self.p.memory.masks_at(values, self.p.words)
        return self.p.unit.load_mask(self.w.let(at * (8 * self.p.words)), where)

    def place_in(self, values: tuple[Any, ...], v: WasmValue) -> E:
        """The position of a value among all values of an index, as an i32."""
        first = int(values[0])
        if tuple(map(int, values)) == tuple(range(first, first + len(values))):
            return as_i32(v.e - first)
        places: list[int | None] = [
            values.index(x) if x in values else 0 for x in range(max(values) + 1)
        ]
        return as_i32(self.table(places, as_i32(v.e)))

    def place(self, family: Any, indices: tuple[Op, ...], scope: EmitScope) -> E:
        """The position of a member in its family, given its first indices, as an i32."""
        found, offset = None, 0
        for values, stride, index in zip(family.domains, family.strides, indices, strict=False):
            is_known, value = self.p.facts.known(index)
            if is_known:
                offset += values.index(value) * stride
            else:
                part = self.place_in(values, self.number(index, scope)) * stride
                found = part if found is None else found + part
        return const(offset, I32) if found is None else found + offset

    # ---- Room and fuel ---------------------------------------------------------------------------

    def room(self, size: int) -> E:
        """An address in the arena, which is freed at the end of the statement or of the turn of a loop."""
        self.allocates = True
        at = self.w.let(self.p.arena_top() - size, "at")
        self.p.set_arena(self.w, at)
        return at

    def list_room(self, most: int) -> E:
        return self.room(list_size(most))

    def new_list(self, type_: Type | None) -> E:
        """An empty list with room for a set of a type."""
        at = self.list_room(capacity(type_, self.p.layout))
        self.w.store("i32.store", at, const(0, I32))
        return at

    @contextmanager
    def forgetting(self) -> Iterator[None]:
        """Free everything that is allocated inside when the block ends."""
        before, self.allocates = self.allocates, False
        with self.w.aside() as inside:
            yield
        if self.allocates:
            kept = self.w.let(self.p.arena_top(), "sp")
            self.w.extend(inside)
            self.p.set_arena(self.w, kept)
        else:
            self.w.extend(inside)
        self.allocates = before

    def charge(self, cost: E) -> None:
        """Subtract from the fuel that may be used before the next question."""
        at = const(self.p.fuel, I32)
        left = self.w.let(load("i64.load", at) - cost)
        self.w.store("i64.store", at, left)
        self.fault(binary("lt_s", left, 0))

    # ---- Forms -----------------------------------------------------------------------------------

    def as_list(self, v: WasmValue) -> WasmValue:
        match v.form:
            case "list":
                return v
            case "mask" | "pile":
                at = self.list_room(len(self.p.layout.pieces))
                self.run(f"list_of_{v.form}", at, v.lanes)
            case "small":
                at = self.list_room(MOST_SMALL)
                self.run("list_of_small", at, v.lanes)
            case "single" | "perhaps":
                at, e = self.list_room(1), self.w.let(v.e)
                self.w.store("i32.store", at, e.ne(NONE) if v.form == "perhaps" else const(1, I32))
                self.w.store("i64.store32", at, e, 4)
            case _:
                raise Unsupported(f"a list from {v.form}")
        return WasmValue("list", (at,), home=v.home, fresh=True)

    def as_small(self, v: WasmValue) -> WasmValue:
        if v.form == "small":
            return v
        if v.literal is not None:
            return WasmValue("small", (const(sum(1 << x for x in v.literal)),), literal=v.literal)
        if v.form in ("single", "perhaps"):
            e = self.w.let(v.e)
            one = const(1) << e
            return WasmValue(
                "small", (one if v.form == "single" else select(e.eq(NONE), const(0), one),)
            )
        return WasmValue("small", (self.call("small_of_list", self.as_list(v).e),))

    def as_mask(self, v: WasmValue) -> Lanes:
        match v.form:
            case "mask" | "look":
                return v.lanes
            case "list" if v.literal is not None:
                return self.p.unit.mask(sum(1 << c for c in v.literal))
            case "list" | "pile":
                return tuple(self.run(f"mask_of_{v.form}", v.e))
            case "single":
                return bit(self.w.let(v.e), self.p.words)
            case "perhaps":
                e = self.w.let(v.e)
                none = self.w.let(e.eq(NONE))
                return tuple(select(none, const(0), x) for x in bit(e, self.p.words))
        raise Unsupported(f"pieces from {v.form}")

    def as_family(self, v: WasmValue) -> WasmValue:
        """Subsets as a family that can be counted and numbered."""
        if v.form == "subsets" and v.of is not None:
            at = self.family_room()
            if v.of.form == "mask":
                self.run("subsets_of_pieces", at, v.of.lanes, *v.sizes)
            else:
                self.run("subsets_family", at, self.as_list(v.of).e, *v.sizes)
            return WasmValue("family", (at,))
        if v.form == "family":
            return v
        raise Unsupported(f"a family from {v.form}")

    def family_room(self) -> E:
        return self.room(self.p.family_size)

    def as_sets(self, v: WasmValue) -> WasmValue:
        """The members of a family one after the other."""
        match v.form:
            case "sets":
                return v
            case "family":
                self.allocates = True
                return WasmValue("sets", (self.call("list_family", v.e),), fresh=True)
            case "subsets" if v.of is not None:
                self.allocates = True
                found = self.call("list_subsets", self.as_list(v.of).e, *v.sizes)
                return WasmValue("sets", (found,), fresh=True)
            case "list" if v.literal == ():
                self.allocates = True
                return WasmValue("sets", (self.call("new_sets", const(0), const(8)),), fresh=True)
        raise Unsupported(f"a list of sets from {v.form}")

    def into(self, v: WasmValue, form: str) -> WasmValue:
        """A value converted to the form of a variable, or to the common form of several values."""
        if v.form == form or (form, v.form) == ("perhaps", "single"):
            return v
        match form:
            case "number" if v.form == "truth":
                return WasmValue("number", (as_i64(v.e),), 0, 1, sure=True)
            case "number" if v.form == "zones":
                return WasmValue("number", v.lanes, sure=True)
            case "mask":
                return WasmValue("mask", self.as_mask(v), home=v.home)
            case "small" if v.form == "number":
                return WasmValue("small", v.lanes)  # none
            case "small":
                return self.as_small(v)
            case "list" if v.form == "number" and v.e.value == NONE:
                return WasmValue("list", (const(self.p.none_list, I32),))
            case "list":
                return self.as_list(v)
            case "family":
                return self.as_family(v)
            case "sets":
                return self.as_sets(v)
        raise Unsupported(f"{v.form} where {form} is wanted")

    # ---- Loops -----------------------------------------------------------------------------------

    def each(
        self,
        v: WasmValue,
        body: Callable[[WasmValue], object],
        cost: int,
        type_: Type | None = None,
    ) -> None:
        """Iterate over a set; a turn costs `cost`, or 0 if already paid. `type_` is the element type."""
        w = self.w
        v = self.lets(v)
        if v.form in ("family", "subsets"):
            v = self.lets(self.as_sets(v))
        if cost:
            self.charge(self.count(v) * cost)
        element = self.typed(WasmValue("number", (const(0),)), type_)

        def turn(c: E) -> None:
            with self.forgetting():
                body(evolve(element, lanes=(c,), sure=True))

        match v.form:
            case "mask" | "small":
                each_bit(w, v.lanes, turn)
            case "single":
                turn(v.e)
            case "perhaps":
                with w.when(v.e.ne(NONE)):
                    turn(v.e)
            case "pile":
                self._each_in_pile(v, turn)
            case "sets":
                i = w.local(I64, "i")
                w.set(i, const(0))
                with w.block("done") as done, w.loop("again") as again:
                    w.br_if(done, binary("ge_s", get(i), load("i64.load32_s", v.e)))
                    at = self.w.let(self.call("member", v.e, get(i)))
                    w.set(i, get(i) + 1)
                    with self.forgetting():
                        body(WasmValue("list", (at,)))
                    w.br(again)
            case "list":
                self._each_in_list(v, turn)
            case _:
                raise Unsupported(f"a loop over {v.form}")

    def _each_in_pile(self, v: WasmValue, turn: Callable[[E], None]) -> None:
        w, i = self.w, self.w.local(I32, "i")
        w.set(i, load("i32.load", v.e))
        with w.when(get(i)), w.loop("again") as again:
            w.set(i, get(i) - 1)
            if self.p.state.wide:
                turn(w.let(load("i64.load16_u", v.e + get(i) * 2, 4), "c"))
            else:
                turn(w.let(load("i64.load8_u", v.e + get(i), 4), "c"))
            w.br_if(again, get(i))

    def _each_in_list(self, v: WasmValue, turn: Callable[[E], None]) -> None:
        w, i = self.w, self.w.local(I32, "i")
        end = w.let(v.e + load("i32.load", v.e) * 4)
        w.set(i, v.e)
        with w.when(binary("lt_s", get(i), end)), w.loop("again") as again:
            c = w.let(load("i64.load32_s", get(i), 4), "c")
            w.set(i, get(i) + 4)
            turn(c)
            w.br_if(again, binary("lt_u", get(i), end))

    def until(
        self,
        v: WasmValue,
        body: Callable[[WasmValue, Label], None],
        cost: int,
        type_: Type | None = None,
    ) -> None:
        """Like `each`; a branch to the label leaves the loop."""
        with (
            self.forgetting(),
            self.w.block("done") as done,
        ):  # a branch out of the loop has not freed the memory of its turn
            self.each(v, lambda each: body(each, done), cost, type_)

    def count(self, v: WasmValue) -> E:
        match v.form:
            case "list" if v.literal is not None:
                return const(len(v.literal))
            case "mask":
                return bits(v.lanes)
            case "small":
                return unary("i64.popcnt", I64, v.e)
            case "list" | "pile" | "sets":
                return load("i64.load32_s", v.e)
            case "single":
                return const(1)
            case "perhaps":
                return as_i64(v.e.ne(NONE))
        raise Unsupported(f"how many {v.form}")

    def some(self, v: WasmValue) -> E:
        """Whether a set has an element."""
        match v.form:
            case "mask":
                return is_some(v.lanes)
            case "small":
                return v.e.ne(0)
            case "list" if v.literal is not None:
                return const(int(bool(v.literal)), I32)
            case "list" | "pile" | "sets":
                return binary("gt_s", load("i32.load", v.e), 0)
            case "single":
                return const(1, I32)
            case "perhaps":
                return v.e.ne(NONE)
        raise Unsupported(f"whether {v.form} is empty")


Write: TypeAlias = Callable[[Emitter, Op, EmitScope], WasmValue]
WRITERS: dict[str, Write] = {}


def writer(*names: str) -> Callable[[Write], Write]:
    """Register how operations are written, by their names in the table of operations."""

    def register(write: Write) -> Write:
        for name in names:
            WRITERS[name] = write
        return write

    return register
