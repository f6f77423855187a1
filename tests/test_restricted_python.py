"""Restricted Python: functions compute what Python computes with numbers that wrap around, and mistakes are named."""

import ast
import re
from collections.abc import Callable, Iterator
from textwrap import dedent, indent
from typing import Any, Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.wasm.code_listing import show_function
from interpreter.wasm.encoding import I32
from interpreter.wasm.evaluating import TranslationError
from interpreter.wasm.expressions import const, get, load
from interpreter.wasm.function_writer import Writer
from interpreter.wasm.inlining import inline_calls
from interpreter.wasm.restricted import TranslationUnit
from interpreter.wasm.statements import reachable
from sizes import tries
from wasm_engines import ENGINES, TRAP, module
from wasm_machine import wrap
from wasm_types import validate

MANY = settings(max_examples=tries(40, soak=400))
CELLS = 256  # where the table of the tests lies, and the state
STATE = 1024


@pytest.fixture(scope="module", params=list(ENGINES))
def engine(request):
    made = ENGINES[request.param]()
    yield made
    made.stop()


def world(source: str, words: int = 1) -> TranslationUnit:
    made = TranslationUnit(words)
    made.constants |= {"SEVEN": 7, "NONE": -(1 << 63), "AT": STATE}
    made.tables["CELLS"] = CELLS, "i64"
    made.tables["BYTES"] = CELLS, "n8"
    made.tables["SETS"] = CELLS, "mask"
    made.structs["Pile"] = {"n": (0, "n32"), "v": (4, "[n8]")}
    made.structs["State"] = {
        "rng": (0, "u64"),
        "count": (8, "i64"),
        "place": (16, "i32"),
        "share": (24, "f64"),
        "all": (32, "mask"),
        "hands": (64, "[mask]"),
    }
    made.read(dedent(source), "text.py")
    return made


def run(engine: Any, source: str, *calls: list[float], words: int = 1) -> list[Any]:
    """What the function `f` of a text gives back, called like this."""
    found = world(source, words)
    f = found.function("f")
    for fn in reachable([f]):
        validate(fn)
    wanted: list[Any] = engine.run(module([f]), f, calls)
    inline_calls(reachable([f]), {"f"}, 1000)
    validate(f)
    assert engine.run(module([f]), f, calls) == wanted
    return wanted


# ---- Python, with numbers that wrap around ---------------------------------------------------------


def operation(compute: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    return lambda self, other: type(self)(compute(int(self), int(other)))


def swapped(compute: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    return lambda self, other: type(self)(compute(int(other), int(self)))


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "lshift": lambda a, b: a << b % 64,
    "rshift": lambda a, b: a >> b % 64,
    "floordiv": quotient,
    "mod": lambda a, b: a - quotient(a, b) * b,
}


class Wrapped(int):
    """An i64."""

    def __new__(cls, value: int) -> Self:
        return super().__new__(cls, wrap(int(value), 64))

    def __invert__(self) -> "Wrapped":
        return type(self)(~int(self))

    def __neg__(self) -> "Wrapped":
        return type(self)(-int(self))


class Unsigned(Wrapped):
    """A u64."""

    def __new__(cls, value: int) -> Self:
        return int.__new__(cls, int(value) % 2**64)


for _name, _compute in OPERATIONS.items():
    setattr(Wrapped, f"__{_name}__", operation(_compute))
    setattr(Wrapped, f"__r{_name}__", swapped(_compute))


class Mask(int):
    """A mask of two words."""

    def __new__(cls, value: int) -> Self:
        return super().__new__(cls, int(value) % 2**128)

    def __iter__(self) -> Iterator[Wrapped]:
        return (Wrapped(n) for n in range(128) if int(self) >> n & 1)

    def __contains__(self, c: int) -> bool:
        return bool(int(self) >> int(c) & 1)

    def __invert__(self) -> "Mask":
        return Mask(~int(self))


for _name in ("and", "or", "xor"):
    setattr(Mask, f"__{_name}__", operation(OPERATIONS[_name]))


class Literals(ast.NodeTransformer):
    """Every literal is wrapped, so that Python computes with nothing else."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, int) or node.value >= 2**64:  # beside a mask
            return node
        return ast.Call(ast.Name("i64", ast.Load()), [node], [])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        assert node.value
        node.value = ast.Call(node.annotation, [self.visit(node.value)], [])
        return node


def by_python(source: str, args: list[int]) -> tuple[int, list[int]]:
    """What Python computes, and what it leaves in the table."""
    cells = [Wrapped(0)] * 8
    names: dict[str, Any] = {
        "i64": Wrapped,
        "u64": Unsigned,
        "mask": Mask,
        "inline": lambda f: f,
        "CELLS": cells,
        "bits": lambda m: Wrapped(int(m).bit_count()),
        "bit": lambda c: Mask(1 << int(c)),
        "rest": lambda m: Mask(int(m) & (int(m) - 1)),
        "lowest": lambda m: Wrapped((int(m) & -int(m)).bit_length() - 1),
    }
    tree = ast.fix_missing_locations(Literals().visit(ast.parse(source)))
    exec(compile(tree, "text.py", "exec"), names)  # noqa: S102
    return int(names["f"](*map(Wrapped, args))), list(map(int, cells))


LITERALS = st.integers(-5, 70) | st.sampled_from([2**40, 2**63 - 1, -(2**63)])


class Texts:
    """Functions at random: `a`, `b`, `x`, `y` are numbers, `u`, `v` unsigned ones, `m`, `k` masks."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.loops = 0
        self.serial = 0

    def pick(self, *choices: str) -> str:
        found: str = self.draw(st.sampled_from(choices))
        return found

    def form(self, *forms: str) -> str:
        """One of several forms; `N!`, `U!`, `M!` in it stand for a number and the like, `n!` for a small one."""
        return re.sub(r"\b([NUMTLDnumt])!", lambda found: self.part(found[1]), self.pick(*forms))

    def part(self, kind: str) -> str:
        match kind:
            case "L":
                return str(self.draw(LITERALS))
            case "D":
                return str(self.draw(st.integers(0, 63)))
            case "N" | "n":
                return self.number(1 if kind == "N" else 0)
            case "U" | "u":
                return self.unsigned(1 if kind == "U" else 0)
            case "M" | "m":
                return self.mask(1 if kind == "M" else 0)
            case _:
                return self.test()

    def number(self, depth: int) -> str:
        if not depth:
            return self.form("a", "b", "x", "y", "L!", "CELLS[x & 7]")
        op = self.pick("+", "-", "*", "&", "|", "^")
        return self.form(
            f"(n! {op} n!)",
            f"(n! {op} (n! {op} L!))",
            f"(n! {self.pick('<<', '>>')} (y & 63))",
            f"(n! {self.pick('//', '%')} (n! & 255 | 1))",
            "(n! if t! else n!)",
            "-x",
            "~y",
            "bits(M!)",
            "g(n!, n!)",
            "h(n!, x)",
            "i64(U!)",
            "CELLS[n! & 7]",
            "CELLS[g(n!, y) & 7] + g(n!, x)",
            "i64(n! < n!)",
        )

    def unsigned(self, depth: int) -> str:
        if not depth:
            return self.form("u", "v", "u64(n!)")
        op = self.pick("+", "-", "*", "&", "|", "^")
        return self.form(f"(u! {op} u!)", f"(u! {self.pick('//', '%')} (u! | 1))", "(u! >> D!)")

    def mask(self, depth: int) -> str:
        if not depth:
            return self.form("m", "k", "bit(a & 127)")
        op = self.pick("&", "|", "^")
        return self.form(f"(m! {op} m!)", "(~m!)", "rest(m!)", "(m! if n! else m!)")

    def test(self) -> str:
        return self.form(
            f"n! {self.pick('<', '<=', '>', '>=', '==', '!=')} n!",
            "u! < u!",
            f"x & 127 {self.pick('in', 'not in')} m!",
            f"m! {self.pick('==', '!=')} m!",
            f"(n! {self.pick('and', 'or')} m!)",
            f"not (n! > y {self.pick('and', 'or')} g(x, y) > n!)",
            "not m!",
        )

    def body(self, depth: int) -> str:
        lines = [self.statement(depth) for _ in range(self.draw(st.integers(1, 3)))]
        return "\n".join(lines)

    def statement(self, depth: int) -> str:
        if not depth or self.draw(st.booleans()):
            return self.plain()
        if self.draw(st.booleans()):
            return self.loop(depth - 1)
        other = (
            f"\nelse:\n{indent(self.body(depth - 1), '    ')}" if self.draw(st.booleans()) else ""
        )
        return f"if {self.test()}:\n{indent(self.body(depth - 1), '    ')}{other}"

    def plain(self) -> str:
        op = self.pick("+", "-", "*", "&", "|", "^")
        forms = [
            f"{self.pick('x', 'y', 'a')} = N!",
            f"{self.pick('x', 'y', 'b')} {op}= N!",
            f"{self.pick('u', 'v')} = U!",
            f"{self.pick('m', 'k')} {self.pick('', '&', '|', '^')}= M!",
            "CELLS[N! & 7] = N!",
            f"CELLS[N! & 7] {op}= N!",
            "g(N!, x)",
        ]
        if self.loops:
            forms += ["if t!:\n    break", "if t!:\n    continue"]
        return self.form(*forms)

    def loop(self, depth: int) -> str:
        self.serial += 1
        n = f"n{self.serial}"
        head = self.form(
            "for x in range(L! & 3):",
            "for y in range(a & 3, b & 7):",
            "for x in range(x & 7, -1, -2):",
            "for a in M! & 0x80010000000000000011:",
            f"{n} = 0\nwhile {n} < 3:\n    {n} += 1",
        )
        self.loops += 1
        body = indent(self.body(depth), "    ")
        self.loops -= 1
        return f"{head}\n{body}"

    def function(self, head: str) -> str:
        begin = "x = a + 1\ny = b\nu = u64(b)\nv = u64(7)\nm: mask = 5\nk: mask = bit(100)\n"
        end = (
            "\nreturn x * 3 + y * 5 + i64(u ^ v) + bits(m) * 7 + bits(k) + (lowest(k) if k else -1)"
        )
        return f"{head}\n{indent(begin + self.body(2) + end, '    ')}\n"


HELPERS = """
@inline
def h(p: i64, q: i64) -> i64:
    if p > q:
        return p
    CELLS[q & 7] ^= p
    return q - p


def g(p: i64, q: i64) -> i64:
    CELLS[p & 7] += q
    return CELLS[q & 7] - p
"""


@st.composite
def texts(draw):
    return HELPERS + Texts(draw).function("def f(a: i64, b: i64) -> i64:")


@MANY
@given(
    texts(), st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 9), min_size=2, max_size=2)
)
def test_functions_compute_what_python_computes(engine, source, args):
    value, cells = by_python(source, args)
    found = world(source, words=2)
    f = found.functions["f"]
    top = found.declare("top", ["i64", "i64", "i64"], "i64", names=["a", "b", "n"])
    w = Writer(top)
    (total,) = w.call(f, map(get, top.params[:2]))
    for n in range(8):
        with w.when(get(top.params[2]).eq(n)):
            w.give_back(load("i64.load", const(0, I32), CELLS + 8 * n))
    w.give_back(total)
    calls = [[*args, n] for n in range(9)]
    wanted = [[each] for each in (*cells, value)]
    everything = reachable([top])
    for fn in everything:
        validate(fn)
    assert engine.run(module([top]), top, calls) == wanted, source
    inline_calls(everything, {"top"}, 5000)
    assert engine.run(module([top]), top, calls) == wanted, show_function(top)


# ---- What everything means -------------------------------------------------------------------------


def test_integers_wrap_and_division_goes_towards_zero(engine):
    source = """
        def f(a: i64, b: i64) -> i64:
            return a // b * 1000 + a % b
    """
    assert run(engine, source, [-7, 2], [7, -2], [1, 0]) == [[-3001], [-2999], TRAP]
    source = """
        def f(a: u64, b: u64) -> bool:
            return a // b > 9 and a >> 1 > b and a > b
    """
    assert run(engine, source, [-1, 2], [5, 1]) == [[1], [0]]


def test_a_short_integer_is_unsigned_when_it_becomes_longer(engine):
    source = """
        def f(a: i64) -> i64:
            x = i32(a)
            s: State = AT
            s.place = x << 4 ^ x >> 28
            return i64(s.place) + i64(x > 5) + (a > 3) * 2
    """
    assert run(engine, source, [-1], [2**31]) == [[2**32 - 1 + 1], [8 + 1 + 2]]


def test_floats(engine):
    source = """
        def f(a: i64, x: f64) -> f64:
            y = f64(a) * 0.5 + sqrt(x) / 2
            if bits_of(y) == bits_of(from_bits(bits_of(2.5))) or not y:
                y = -y
            return y + f64(i64(x))
    """
    assert run(engine, source, [3, 4.0], [1, 0.0], [0, 0.0]) == [[1.5], [0.5], [0.0]]


def test_fields_arrays_and_addresses(engine):
    source = """
        def f(at: i32, n: i64) -> i64:
            p: Pile = at + 8
            p.n = n
            while n > 0:
                n -= 1
                p.v[n] = n * 100
            v = p.v
            s: State = AT + 0
            s.count += v[2] + p.n
            s.place = at
            if s.place == at and s.place != p and p > s.place:
                s.rng = u64(s.place)
            copy(at + 200, at, 100)
            fill(at, 0, 100)
            p = at + 208
            return s.count * 10000 + p.v[3] * 10 + p.n + i64(s.rng)
    """
    assert run(engine, source, [2048, 4]) == [[204 * 10000 + (300 - 256) * 10 + 4 + 2048]]


@pytest.mark.parametrize("words", [1, 2, 3])
def test_masks(engine, words):
    source = """
        def f(a: i64, b: i64) -> i64:
            s: State = AT
            s.hands[1] = bit(a) | bit(b)
            s.all |= s.hands[1] | 5
            found = 0
            for c in s.all:
                if c == 2:
                    continue
                found = found * 200 + c
            m = s.all & ~bit(a)
            SETS[0] = rest(m) if b in m else 0
            if m == s.all or a in SETS[0]:
                fault()
            return found + bits(SETS[0]) * 1000000000 + lowest(m) + bits(7)
    """
    top = 64 * words - 1
    wanted = 9 * 200 + top + 2 * 1000000000 + 0 + words * 0 + 3
    assert run(engine, source, [9, top], words=words) == [[wanted]]
    assert run(engine, source, [0, top], words=words) == [[top + 1 * 1000000000 + 2 + 3]]


def test_what_comes_first_is_computed_first(engine):
    source = """
        def more() -> i64:
            CELLS[0] = CELLS[0] + 1
            return CELLS[0]

        def f(n: i64) -> i64:
            x = CELLS[0] * 10 + more()
            if n == 1 and more() == 2:
                x += 100
            y = (more() if n == 2 else 0) + (more() if n == 3 else CELLS[0])
            CELLS[more()] = more()
            CELLS[0] += more() * 100
            return x * 1000000 + y * 100000 + CELLS[0]
    """
    expected = [1_000_000 + 1 * 100_000 + 403 - 0, 101_000_000 + 2 * 100_000 + 504]
    found = run(engine, source, [0], [1])
    assert found == [[expected[0]], [expected[1]]]


def test_a_range_is_fixed_when_it_begins(engine):
    source = """
        def f(n: i64) -> i64:
            found = 0
            for i in range(n):
                n = 0
                i += 10
                found += i
            return found * 100 + i
    """
    assert run(engine, source, [3]) == [[3312]]


def test_a_constant_test_leaves_one_side(engine):
    source = """
        def f() -> i64:
            if SEVEN == 7:
                return 1
            else:
                return nowhere(NOTHING)
    """
    assert run(engine, source, []) == [[1]]


def is_waiting(found: TranslationUnit, name: str) -> bool:
    return found.functions[name].source is not None


def test_a_body_is_translated_when_somebody_asks(engine):
    source = """
        def wrong() -> i64:
            return nothing

        def g() -> i64:
            return 4

        @inline
        def f() -> i64:
            return g()
    """
    found = world(source)
    assert is_waiting(found, "g")
    w = Writer(found.declare("top", [], "i64"))
    w.give_back(*w.call(found.functions["f"], []))
    assert [fn.name for fn in reachable([w.fn])] == ["top", "g"]
    assert not is_waiting(found, "g")
    assert engine.run(module([w.fn]), w.fn, [[]]) == [[4]]
    with pytest.raises(TranslationError, match="nothing"):
        [found.function(name) for name in [*found.functions]]


def test_a_function_as_text():
    source = """
        def f(p: Pile, m: mask) -> i64:
            total = 0
            for c in m:
                if c == 3:
                    break
                total += p.v[c]
            return total
    """
    assert show_function(world(source).function("f")) == dedent("""\
        fn f(p: i32, m: i64) -> i64 {
            total = 0
            block done {
                rest = m
                if rest != 0 {
                    loop L2 {
                        c = ctz(rest)
                        rest = rest & (rest - 1)
                        c_2 = c
                        if c_2 == 3 {
                            break done
                        }
                        total = total + u8[p + i32(c_2) + 4]
                        continue L2 if rest != 0
                    }
                }
            }
            return total
        }
        """)


# ---- Mistakes --------------------------------------------------------------------------------------

MISTAKES = {
    "x = nothing": "no such name: nothing",
    "x = nowhere(a)": "no such function: nowhere(a)",
    "x = a + m": "i64 meets mask: a + m",
    "x = m + m": "mask has no operation Add: m + m",
    "x = m < m": "mask has no operation Lt: m < m",
    "x = a / a": "i64 has no operation Div: a / a",
    "x = y % 2.0": "f64 has no operation Mod: y % 2.0",
    "x = y + a": "f64 meets i64: y + a",
    "x = a << y": "a shift by f64: a << y",
    "x = a is a": "i64 has no operation Is: a is a",
    "x = 1 < a < 3": "write two comparisons with and: 1 < a < 3",
    "x = a if a else m": "i64 meets mask: a if a else m",
    "x = -m": "mask has no such operation: -m",
    "x = ~y": "f64 has no such operation: ~y",
    "x = [a]": "this is not allowed: [a]",
    "x = 'text'": "this is no number: 'text'",
    "x = 1 << 70 if a else 18446744073709551616": "this does not fit i64: 18446744073709551616",
    "x: i32 = 4294967296": "this does not fit i32: 4294967296",
    "x: i46 = 1": "no such type as i46: x: i46 = 1",
    "x: i32 = a": "i64 where i32 is wanted: a",
    "a: u64 = 1": "a is i64 already: a: u64 = 1",
    "a = m": "mask where i64 is wanted: a = m",
    "SEVEN = a": "SEVEN is a constant: SEVEN = a",
    "x = y = a": "this is not allowed: x = y = a",
    "x, y = a, a": "nothing can be put here: (x, y)",
    "x = nought()": "there is no value: x = nought()",
    "nought(a)": "nought takes 0 arguments: nought(a)",
    "nought(n=a)": "arguments have no names here, and stand one by one: nought(n=a)",
    "bit(m)": "mask where i64 is wanted: m",
    "x = i64(m)": "mask is no number: i64(m)",
    "x = i32(y)": "f64 is no integer: i32(y)",
    "x = p.w": "Pile has no such field: p.w",
    "x = a.n": "i64 has no such field: a.n",
    "x = p.n[1]": "n32 is no array: p.n",
    "x = CELLS[m]": "mask where i64 is wanted: m",
    "p.v = 3": "an array is no value: p.v",
    "f(a)[1] = 3": "no function calls itself, as in f → f: f(a)",
    "a": "this is not allowed: a",
    "assert a": "this is not allowed: assert a",
    "break": "this is not allowed: break",
    "for x in range(1, 2, a): pass": "a range has one or two bounds, and perhaps a constant step: range(1, 2, a)",
    "for x in a: pass": "i64 where mask is wanted: a",
    "while a: pass\nelse: pass": "this is not allowed: while a:",
    "return": "i64 is to be returned: return",
    "return m": "mask where i64 is wanted: m",
    "around(a)": "no function calls itself, as in f → around → f: f(a, bit(a), 1.0, AT)",
}


@pytest.mark.parametrize(("line", "message"), MISTAKES.items())
def test_a_mistake_is_told_with_its_place(line, message):
    source = f"""
def around(a: i64) -> i64:
    return f(a, bit(a), 1.0, AT)

def nought():
    pass

def f(a: i64, m: mask, y: f64, p: Pile) -> i64:
    pass
{indent(line, "    ")}
    return 0
"""
    found = world(source)
    with pytest.raises(TranslationError) as told:
        found.function("f")
    inner = "around" if line == "around(a)" else "f"
    pattern = rf"text\.py, line \d+, in {inner}: "
    assert re.sub(pattern, "", str(told.value)) == message
    assert f"line {3 if inner == 'around' else 10}," in str(told.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(a): pass", "text.py, line 1, in f: a has no type"),
        (
            "def f(*a: i64): pass",
            "text.py, line 1, in f: parameters have a name and a type, and nothing else",
        ),
        (
            "def f(a: i64 = 1): pass",
            "text.py, line 1, in f: parameters have a name and a type, and nothing else",
        ),
        ("@cache\ndef f(): pass", "text.py, line 2, in f: @inline is the only decorator"),
        ("def f(a: i46): pass", "text.py, line 1, in f: no such type as i46: def f(a: i46):"),
        (
            "def f() -> i64:\n    while 1 < 2:\n        return 1",
            "the end may be reached without a return",
        ),
    ],
)
def test_a_wrong_head_is_told(source, message):
    with pytest.raises(TranslationError, match=re.escape(message)):
        world(source).function("f")


def test_a_function_that_never_ends_without_a_return(engine):
    source = """
        def f(n: i64) -> i64:
            while True:
                if n > 3:
                    return n
                else:
                    n += 1
                for c in bit(n):
                    break
    """
    assert run(engine, source, [0]) == [[4]]
