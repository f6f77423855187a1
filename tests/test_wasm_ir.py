"""What is between flat code and bytes: it computes what it says, before and after functions are inlined."""

import re
from collections.abc import Callable
from functools import partial
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.wasm.assembling import encode_body
from interpreter.wasm.code_listing import show_function
from interpreter.wasm.encoding import F64, I32, I64, OPCODES, Module, sleb, uleb
from interpreter.wasm.expressions import (
    E,
    Local,
    as_i32,
    as_i64,
    binary,
    const,
    either,
    get,
    load,
    not_,
    select,
    unary,
)
from interpreter.wasm.function_writer import Writer
from interpreter.wasm.inlining import inline_calls, size_of
from interpreter.wasm.statements import Fn, If, Label, Set, Store, reachable
from sizes import tries
from wasm_engines import ENGINES, TRAP, module
from wasm_machine import Machine, Trapped
from wasm_machine import binary as compute_binary
from wasm_machine import unary as compute_unary
from wasm_types import SIGNATURES, validate

MANY = settings(max_examples=tries(40, soak=400))


@pytest.fixture(scope="module", params=list(ENGINES))
def engine(request):
    made = ENGINES[request.param]()
    yield made
    made.stop()


def same(a: Any, b: Any) -> bool:
    """Equal, where what is not a number is equal to itself."""
    return repr(a) == repr(b)


# ---- Numbers ---------------------------------------------------------------------------------------


@given(st.integers(0, 2**70))
def test_a_number_without_a_sign_is_read_back(n):
    found = sum((byte & 0x7F) << 7 * k for k, byte in enumerate(uleb(n)))
    assert found == n
    assert [byte >> 7 for byte in uleb(n)] == [1] * (len(uleb(n)) - 1) + [0]


@given(st.integers(-(2**70), 2**70))
def test_a_number_with_a_sign_is_read_back(n):
    raw = sleb(n)
    found = sum((byte & 0x7F) << 7 * k for k, byte in enumerate(raw))
    if raw[-1] & 0x40:
        found -= 1 << 7 * len(raw)
    assert found == n


def test_an_integer_is_kept_with_its_sign():
    assert const(2**64 - 1).value == -1
    assert const(2**31, I32).value == -(2**31)
    assert as_i64(const(-1, I32)).value == 2**32 - 1
    assert const(2**64 - 1).eq(const(-1)).value == 1
    assert const(0, F64).value == 0.0


# ---- Expressions -----------------------------------------------------------------------------------

NAMES = ["add", "sub", "mul", "and", "or", "xor", "shl", "shr_s", "shr_u"]
TESTS = ["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"]
KINDS = {I32: "i32", I64: "i64"}
EDGES = [
    0,
    1,
    -1,
    2,
    3,
    63,
    64,
    255,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**63 - 1,
    2**63,
    2**64 - 1,
]
PARAMS = {I32: ("p", "q"), I64: ("a", "b")}


def trees(kind: int, depth: int) -> st.SearchStrategy[Any]:
    """An expression as nested tuples: an operation, its type, and its operands."""
    other = I64 if kind == I32 else I32
    leaf = st.one_of(
        st.tuples(st.just("const"), st.just(kind), st.sampled_from(EDGES) | st.integers(-9, 9)),
        st.tuples(st.just("get"), st.just(kind), st.sampled_from(PARAMS[kind])),
    )
    if depth == 0:
        return leaf
    part = trees(kind, depth - 1)
    test = trees(I32, depth - 1)
    found = [
        leaf,
        st.tuples(st.sampled_from(NAMES), st.just(kind), part, part),
        st.tuples(st.sampled_from(["div_u", "rem_u", "rem_s"]), st.just(kind), part, part.map(odd)),
        st.tuples(st.sampled_from(["select", "either"]), st.just(kind), test, part, part),
        st.tuples(st.just("convert"), st.just(kind), trees(other, depth - 1)),
    ]
    if kind == I32:
        kinds = st.sampled_from([I32, I64])
        found += [
            kinds.flatmap(
                lambda k: st.tuples(
                    st.sampled_from(TESTS), st.just(I32), trees(k, depth - 1), trees(k, depth - 1)
                )
            ),
            st.tuples(st.just("not"), st.just(I32), part),
        ]
    else:
        ops = st.sampled_from(["i64.popcnt", "i64.ctz"])
        found.append(st.tuples(ops, st.just(I64), part))
    return st.one_of(found)


def odd(tree: Any) -> Any:
    return ("or", tree[1], tree, ("const", tree[1], 1))


def made(tree: Any, params: dict[str, Local], *, is_plain: bool) -> E:
    """The same as an expression: as the constructors simplify it, or plainly."""
    op, kind, *rest = tree
    if op == "const":
        return const(rest[0], kind)
    if op == "get":
        return get(params[rest[0]])
    args = [made(each, params, is_plain=is_plain) for each in rest]
    if op == "not":
        return E("i32.eqz", I32, tuple(args)) if is_plain else not_(args[0])
    if op == "convert":
        if is_plain:
            return E("i32.wrap_i64" if kind == I32 else "i64.extend_i32_u", kind, tuple(args))
        return as_i32(args[0]) if kind == I32 else as_i64(args[0])
    if op in ("select", "either"):
        test, a, b = args
        if is_plain:
            return E(op, kind, (a, b, test) if op == "select" else (test, a, b))
        return select(test, a, b) if op == "select" else either(test, a, b)
    if "." in op:
        return E(op, kind, tuple(args)) if is_plain else unary(op, kind, args[0])
    if is_plain:
        return E(f"{KINDS[args[0].type]}.{op}", kind, tuple(args))
    return binary(op, args[0], args[1])


def computed(tree: Any, values: dict[str, int]) -> Any:
    """The value of a tree, by Python."""
    op, kind, *rest = tree
    if op == "const":
        return const(rest[0], kind).value
    if op == "get":
        return values[rest[0]]
    args = [computed(each, values) for each in rest]
    if op == "not":
        return int(not args[0])
    if op in ("select", "either"):
        return args[1] if args[0] else args[2]
    if op == "convert":
        return compute_unary("i32.wrap_i64" if kind == I32 else "i64.extend_i32_u", args[0])
    if "." in op:
        return compute_unary(op, args[0])
    return compute_binary(op, rest[0][1], *args)


def function(name: str, make: Callable[[dict[str, Local]], E]) -> Fn:
    params = {n: Local(kind, n) for kind, names in PARAMS.items() for n in names}
    value = make(params)
    fn = Fn(name, list(params.values()), [value.type])
    Writer(fn).give_back(value)
    validate(fn)
    return fn


INTEGERS = st.sampled_from([const(each).value for each in EDGES]) | st.integers(-(2**63), 2**63 - 1)
SHORT = st.sampled_from([const(each, I32).value for each in EDGES])


@MANY
@given(
    st.lists(st.one_of(trees(I32, 3), trees(I64, 3)), min_size=8, max_size=8),
    st.tuples(SHORT, SHORT, INTEGERS, INTEGERS),
)
def test_expressions_are_what_python_computes(engine, found, args):
    values = dict(zip("pqab", args, strict=True))
    fns = []
    for n, tree in enumerate(found):
        fns.append(function(f"plain{n}", partial(made, tree, is_plain=True)))
        fns.append(function(f"smart{n}", partial(made, tree, is_plain=False)))
    code = module(fns)
    for n, fn in enumerate(fns):
        wanted = [computed(found[n // 2], values)]
        assert engine.run(code, fn, [args]) == [wanted], show_function(fn)
        assert Machine().call(fn, args) == wanted


@given(
    st.floats(),
    st.floats(),
    st.sampled_from(["add", "sub", "mul", "lt", "gt", "le", "ge", "eq", "ne"]),
)
def test_floats_are_what_python_computes(engine, x, y, name):
    fn = Fn("f", [Local(F64, "x"), Local(F64, "y")], [I32 if name in "lt gt le ge eq ne" else F64])
    Writer(fn).give_back(binary(name, get(fn.params[0]), get(fn.params[1])))
    validate(fn)
    (found,) = engine.run(module([fn]), fn, [[x, y]])
    assert same(found, Machine().call(fn, [x, y]))


def test_what_can_be_seen_is_computed_at_once():
    x, t = get(Local(I64, "x")), get(Local(I32, "t"))
    assert (x + 0) is x
    assert (const(0) + x) is x
    assert (x + 3 + 4).args[1].value == 7
    assert (x * 8).op == "i64.shl"
    assert (x & 0).value == 0
    assert (x & -1) is x
    assert x.eq(0).op == "i64.eqz"
    assert x.eq(5).ne(0).op == "i64.eq"
    assert not_(x.eq(0)).op == "i64.ne"
    assert not_(binary("lt_u", x, 5)).op == "i64.ge_u"
    assert as_i32(as_i64(t)) is t
    assert select(t, x, x) is x
    assert either(const(1, I32), x, x + 1) is x
    assert select(t.eq(3), const(1, I32), const(0, I32)).op == "i32.eq"
    assert select(t.eq(3), const(0), const(1)).args[0].op == "i32.ne"
    assert either(t, x, const(9)).op == "select"
    assert either(t, x + 1, const(9)).op == "either"
    assert load("i64.load", get(Local(I32)) + 16, 8).args[1] == 24


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda x, t: x + t, "add of i64 and i32"),
        (lambda x, _: not_(x), "i64 is no truth value"),
        (lambda x, t: select(t, x, t), "a choice of i64 or i32"),
        (lambda x, t: either(x, t, t), "i64 is no truth value"),
        (lambda x, _: load("i64.load", x), "i64 is no address"),
        (lambda _x, _t: const(0, F64) & 1, "f64 has no operation and"),
        (lambda _x, _t: as_i64(const(0, F64)), "f64 is no integer"),
    ],
)
def test_types_that_do_not_fit_are_refused(make, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        make(get(Local(I64, "x")), get(Local(I32, "t")))


# ---- Functions -------------------------------------------------------------------------------------


class Programs:
    """Functions at random, each of which may call those before it; all loops end."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.fns: list[Fn] = []

    def program(self) -> list[Fn]:
        for n in range(self.draw(st.integers(2, 4))):
            results = [I64] * self.draw(st.integers(0, 2))
            is_inline = n < 2 and self.draw(st.booleans())
            fn = Fn(f"f{n}", [Local(I64, "a"), Local(I64, "b")], results, inline=is_inline)
            self.locals = [*fn.params, Local(I64, "x"), Local(I64, "y")]
            self.labels: list[Label] = []
            w = Writer(fn)
            self.body(w, 3)
            if self.draw(st.booleans()) or results:
                w.give_back(*[self.expr() for _ in results])
            self.fns.append(fn)
        self.fns[-1].inline = False
        return self.fns

    def expr(self) -> E:
        a, b = (get(self.draw(st.sampled_from(self.locals))) for _ in range(2))
        choice: int = self.draw(st.integers(0, 6))
        if choice == 0:
            return const(self.draw(st.integers(-3, 300)))
        if choice == 1:
            return load("i64.load", as_i32(a & 7) * 8, 64)
        if choice == 2:
            return either(self.test(), a + b, a)
        if choice == 3:
            return binary("rem_u", a, b | 1)
        found: list[E] = [a, a + b, a * 3 - b, (a << 3) ^ b]
        return found[choice % 4]

    def test(self) -> E:
        a, b = (get(self.draw(st.sampled_from(self.locals))) for _ in range(2))
        return binary(self.draw(st.sampled_from(TESTS)), a & 15, b & 15)

    def body(self, w: Writer, depth: int) -> None:
        for _ in range(self.draw(st.integers(1, 3))):
            self.statement(w, depth)

    def statement(self, w: Writer, depth: int) -> None:
        choice = self.draw(st.integers(0, 8 if depth else 3))
        target = self.draw(st.sampled_from(self.locals))
        if choice <= 1:
            w.set(target, self.expr())
        elif choice == 2:
            w.store("i64.store", as_i32(get(target) & 7) * 8, self.expr(), 64)
        elif choice == 3:
            if self.fns:
                found = w.call(self.draw(st.sampled_from(self.fns)), [self.expr(), get(target)])
                if found:
                    w.set(target, found[-1] + found[0])
        elif choice == 4:
            with w.when(self.test()):
                self.body(w, depth - 1)
            if self.draw(st.booleans()):
                with w.otherwise():
                    self.body(w, depth - 1)
        elif choice == 5:
            with w.block() as label:
                self.labels.append(label)
                self.body(w, depth - 1)
                self.labels.pop()
        elif choice == 6:
            self.loop(w, depth)
        elif choice == 7:
            with w.when(self.test()):
                w.give_back(*[self.expr() for _ in w.fn.results])
        elif self.labels:
            w.br_if(self.draw(st.sampled_from(self.labels)), self.test())

    def loop(self, w: Writer, depth: int) -> None:
        n = w.local(I64, "n")
        w.set(n, const(0))
        with w.loop() as again:
            self.body(w, depth - 1)
            w.set(n, get(n) + 1)
            w.br_if(again, binary("lt_u", get(n), 3))


@st.composite
def programs(draw):
    return Programs(draw).program()


def outside(fn: Fn, name: str) -> Fn:
    """A function that calls another one, and adds up all that it gave back and has left in memory."""
    found = Fn(name, [Local(I64, "a"), Local(I64, "b")], [I64])
    w = Writer(found)
    total = const(0)
    for each in w.call(fn, map(get, found.params)):
        total = w.let(total * 31 + each)
    for n in range(8):
        total = w.let(total * 31 + load("i64.load", const(0, I32), 64 + 8 * n))
    w.give_back(total)
    return found


@MANY
@given(programs(), st.sampled_from([0, 10, 60, 5000]), st.lists(INTEGERS, min_size=4, max_size=4))
def test_functions_are_the_same_where_they_are_called(engine, fns, small, numbers):
    top = outside(fns[-1], "top")
    calls = [numbers[:2], numbers[2:]]
    everything = reachable([top])
    for fn in everything:
        validate(fn)
    wanted = [Machine().call(top, args) for args in calls]
    assert engine.run(module([top]), top, calls) == wanted
    left = inline_calls(everything, {"top"}, small)
    assert set(reachable([top])) == set(left)
    for fn in left:
        validate(fn)
    assert [Machine().call(top, args) for args in calls] == wanted
    assert engine.run(module([top]), top, calls) == wanted, show_function(top)


def test_a_local_begins_at_zero_each_time_it_is_inlined(engine):
    inner = Fn("inner", [Local(I64, "a")], [I64], inline=True)
    w = Writer(inner)
    x = w.local(I64, "x")
    w.set(x, get(x) + get(inner.params[0]))
    w.give_back(get(x))
    outer = Fn("outer", [], [I64])
    w = Writer(outer)
    n, total = w.local(I64, "n"), w.local(I64, "total")
    with w.loop() as again:
        (found,) = w.call(inner, [get(n)])
        w.set(total, get(total) + found)
        w.set(n, get(n) + 1)
        w.br_if(again, binary("lt_s", get(n), 5))
    w.give_back(get(total))
    assert engine.run(module([outer]), outer, [[]]) == [[10]]


def test_a_local_that_is_set_on_one_way_begins_at_zero_too(engine):
    inner = Fn("inner", [Local(I64, "a")], [I64])
    w = Writer(inner)
    x, y = w.local(I64, "x"), w.local(I64, "y")
    with w.block() as out:
        with w.when(get(inner.params[0]).eq(0)):
            w.set(x, const(5))
        w.br_if(out, get(x).ne(0))
        w.set(y, const(7))
    w.give_back(get(x) * 10 + get(y))
    outer = Fn("outer", [], [I64])
    w = Writer(outer)
    n, total = w.local(I64, "n"), w.local(I64, "total")
    with w.loop() as again:
        (found,) = w.call(inner, [get(n) & 1])
        w.set(total, get(total) * 100 + found)
        w.set(n, get(n) + 1)
        w.br_if(again, binary("lt_s", get(n), 3))
    w.give_back(get(total))
    assert engine.run(module([outer]), outer, [[]]) == [[50_07_50]]
    assert inline_calls([inner, outer], {"outer"}, 100) == [outer]
    assert engine.run(module([outer]), outer, [[]]) == [[50_07_50]]


def test_a_parameter_that_is_changed_is_not_the_argument(engine):
    inner = Fn("inner", [Local(I64, "a")], [I64], inline=True)
    w = Writer(inner)
    w.set(inner.params[0], get(inner.params[0]) + 1)
    w.give_back(get(inner.params[0]))
    outer = Fn("outer", [Local(I64, "x")], [I64])
    w = Writer(outer)
    (found,) = w.call(inner, [get(outer.params[0])])
    w.give_back(found * 100 + get(outer.params[0]))
    assert engine.run(module([outer]), outer, [[3]]) == [[403]]


def test_small_functions_go_and_large_ones_stay():
    small, large = Fn("small", [], [I64]), Fn("large", [Local(I64, "a")], [])
    Writer(small).give_back(const(1))
    w = Writer(large)
    for n in range(30):
        w.store("i64.store", const(0, I32), get(large.params[0]) + n, 8 * n)
    top = Fn("top", [], [])
    w = Writer(top)
    for _ in range(2):
        (found,) = w.call(small, [])
        w.call(large, [found])
    assert size_of(small.body, 100) < 20 < size_of(large.body, 1000)
    assert inline_calls([small, large, top], {"top"}, 20) == [large, top]


def test_everything_in_memory_and_a_switch(engine):
    fn = Fn("f", [Local(I32, "n")], [I64, I64])
    w = Writer(fn)
    n = get(fn.params[0])
    w.fill(const(100, I32), const(7, I32), const(16, I32))
    w.copy(const(104, I32), const(100, I32), const(8, I32))
    w.store("i64.store8", const(0, I32), const(-1), 107)
    found = w.local(I64, "found")
    with w.block("end") as end:
        with w.block("two") as two:
            with w.block("one") as one:
                w.switch(n, [one, two], end)
            w.set(found, const(1))
            w.br(end)
        w.set(found, const(2))
        w.drop(get(found))
    with w.when(n.eq(9)):
        w.trap()
    w.give_back(get(found), load("i64.load8_s", const(0, I32), 107))
    validate(fn)
    wanted = [[1, -1], [2, -1], [0, -1], TRAP]
    assert engine.run(module([fn]), fn, [[0], [1], [5], [9]]) == wanted
    for args, each in zip([[0], [1], [5]], wanted, strict=False):
        assert Machine().call(fn, args) == each
    with pytest.raises(Trapped):
        Machine().call(fn, [9])


def test_data_are_in_memory_at_the_beginning(engine):
    fn = Fn("f", [], [I64])
    Writer(fn).give_back(load("i64.load8_u", const(0, I32), 1000))
    assert engine.run(module([fn], [(1000, b"\xfe")]), fn, [[]]) == [[254]]


def test_equal_types_are_one():
    made = Module()
    assert made.type([I32], [I64]) == made.type([I32], [I64]) == 0
    assert made.type([], []) == 1


def test_what_is_never_called_is_never_written():
    written: list[str] = []
    top = Fn("top", [], [])
    for name in ("used", "unused"):
        fn = Fn(name, [], [], source=partial(written.append, name))
        if name == "used":
            Writer(top).call(fn, [])
    assert written == []
    assert [fn.name for fn in reachable([top])] == ["top", "used"]
    assert written == ["used"]


# ---- Writing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_true", [True, False])
def test_of_a_constant_test_one_side_is_left(is_true):
    fn = Fn("f", [], [])
    w = Writer(fn)
    x = w.local(I64, "x")
    with w.when(get(Local(I32, "t"))):
        w.trap()
    with w.when(const(is_true, I32)):
        w.set(x, const(1))
    with w.otherwise():
        w.set(x, const(2))
    first, second = fn.body
    assert isinstance(first, If)
    assert first.other == []
    assert isinstance(second, Set)
    assert second.value.value == (1 if is_true else 2)


def test_an_otherwise_without_a_when_is_refused():
    w = Writer(Fn("f", [], []))
    w.trap()
    with pytest.raises(TypeError, match="f: otherwise without when"), w.otherwise():
        pass
    with w.when(get(Local(I32, "t"))):
        w.trap()
    with w.otherwise():
        w.trap()
    with pytest.raises(TypeError, match="f: otherwise without when"), w.otherwise():
        pass


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda w, x, _: w.set(x, const(1, I32)), "f: i32 in local x, which is i64"),
        (lambda w, x, _: w.store("i32.store", const(0, I32), get(x)), "f: i32.store of i64"),
        (lambda w, x, _: w.give_back(get(x), get(x)), "f gives back (i64, i64) where (i64) is due"),
        (lambda w, x, f: w.call(f, [get(x), get(x)]), "f gives (i64, i64) to f, which takes ()"),
        (lambda w, x, _: w.br_if(Label(), get(x)), "f: i64 in a test, which is i32"),
        (lambda w, x, _: w.when(get(x)).__enter__(), "f: i64 in a test, which is i32"),
    ],
)
def test_the_writer_refuses_what_does_not_fit(write, message):
    fn = Fn("f", [], [I64])
    with pytest.raises(TypeError, match=re.escape(message)):
        write(Writer(fn), Local(I64, "x"), fn)


# ---- Checking --------------------------------------------------------------------------------------


def test_every_operation_has_a_signature():
    without = {op for op in OPCODES if op not in SIGNATURES}
    assert all(re.search(r"\.(load|store)|^select$", op) for op in without)
    assert SIGNATURES["i64.extend_i32_u"] == ((I32,), I64)
    assert SIGNATURES["f64.lt"] == ((F64, F64), I32)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (
            lambda w, x: w.add(Set(x, const(1, I32))),
            "f / 1 Set: (i32) where (i64) is wanted",
        ),
        (
            lambda w, x: w.give_back(E("i64.add", I64, (get(x), const(1, I32)))),
            "f / 1 Return / i64.add: (i64, i32, i64) where (i64, i64, i64) is wanted",
        ),
        (
            lambda w, x: w.add(If(const(1, I32), [Store("i64.store", get(x), 0, get(x))], [])),
            "f / 1 If / 0 Store: (i64, i64) where (i32, i64) is wanted",
        ),
        (
            lambda w, _: w.br(Label("out")),
            "f / 1 Branch: a branch to out, which is not around it",
        ),
        (
            lambda w, _: w.give_back(E("const", I64, (2**63,))),
            "f / 1 Return / const: 9223372036854775808 is no (i64)",
        ),
        (
            lambda w, x: w.give_back(E("i64.plus", I64, (get(x),))),
            "f / 1 Return / i64.plus: no such operation",
        ),
        (
            lambda w, x: w.give_back(E("i64.load", I64, (get(x), 0))),
            "f / 1 Return / i64.load: (i64, i64) where (i32, i64) is wanted",
        ),
    ],
)
def test_the_check_says_where_a_mistake_is(write, message):
    fn = Fn("f", [], [I64])
    w = Writer(fn)
    w.note("first")
    write(w, Local(I64, "x"))
    with pytest.raises(TypeError, match=re.escape(message)):
        validate(fn)


def test_bytes_need_labels_and_numbers():
    fn = Fn("f", [], [])
    Writer(fn).br(Label("out"))
    with pytest.raises(TypeError, match="f: a branch to out, which is not around it"):
        encode_body(fn)
    other = Fn("g", [], [])
    Writer(other).call(fn, [])
    with pytest.raises(TypeError, match="g calls f, which is not in the module"):
        encode_body(other)


# ---- Texts -----------------------------------------------------------------------------------------


def test_a_function_as_text():
    g = Fn("g", [Local(I64, "c")], [I64])
    fn = Fn("f", [Local(I32, "s"), Local(I64, "c")], [I64])
    s, c = map(get, fn.params)
    w = Writer(fn)
    w.note("The first of all.\nAnd more.")
    x = w.let(load("i64.load", s, 24) + 1, "x")
    w.store("i64.store", s, x, 24)
    w.store("i64.store8", s + 4, c - (x - 3))
    with w.block() as out, w.loop("again") as again:
        w.br_if(out, either(c.eq(0), binary("lt_u", x, c), const(0, I32)))
        with w.when(not_(either(c.eq(0), const(1, I32), x.ne(c * 5 + 1)))):
            (y,) = w.call(g, [load("i64.load8_u", s + as_i32(c), 5)])
            w.set(fn.params[1], ~y | 1 << 20)
            w.br(again)
        with w.otherwise():
            with w.when(c.eq(3)):
                w.set(fn.params[1], w.let(select(x.eq(1), c, x) & (c - 1), "c"))
            with w.otherwise():
                w.switch(as_i32(c), [again], out)
        w.fill(s, const(0, I32), const(-1, I32))
    w.give_back(binary("shr_u", c, 2) + unary("i64.ctz", I64, c) * (x + const(-7)))
    assert show_function(fn) == dedent("""\
        fn f(s: i32, c: i64) -> i64 {
            # The first of all.
            # And more.
            x = i64[s + 24] + 1
            i64[s + 24] = x
            u8[s + 4] = c - (x - 3)
            block L1 {
                loop again {
                    break L1 if c == 0 and x <u c
                    if not (c == 0 or x != c * 5 + 1) {
                        g_0 = g(u8[s + i32(c) + 5])
                        c = ~g_0 | 0x100000
                        continue again
                    } else if c == 3 {
                        c_2 = select(x == 1, c, x) & (c - 1)
                        c = c_2
                    } else {
                        switch i32(c) {
                            0: continue again
                            else: break L1
                        }
                    }
                    fill(s, 0, -1)
                }
            }
            return (c >>u 2) + ctz(c) * (x - 7)
        }
        """)


def test_a_small_function_as_text():
    fn = Fn("f", [], [], inline=True)
    w = Writer(fn)
    w.copy(const(8, I32), const(16, I32), const(4, I32))
    w.drop(load("f64.load", const(8, I32), 8) * 0.5)
    w.give_back()
    w.trap()
    assert show_function(fn) == dedent("""\
        inline fn f() {
            copy(8, 16, 4)
            drop f64[16] * 0.5
            return
            trap
        }
        """)
    pair = Fn("pair", [Local(F64)], [F64, I32])
    Writer(pair).give_back(get(pair.params[0]), const(3, I32))
    assert show_function(pair) == "fn pair(t: f64) -> (f64, i32) {\n    return t, 3\n}\n"
