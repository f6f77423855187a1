"""Expressions of the intermediate representation: typed trees, and the functions that make them.

Operands go in; a tree comes out, with simple simplifications: constants are folded, and neutral operands are left out.
An expression has no side effects, so one whose value is not needed may be left out, even if it would trap.
"""

from collections.abc import Callable
from typing import Any

from attrs import define, field

from interpreter.wasm.encoding import F64, I32, I64, OPCODES, TYPE_NAMES

_BITS = {I32: 32, I64: 64}
_TYPES = {name: type_ for type_, name in TYPE_NAMES.items()}


class E:
    """An expression: an operation, the type of its value, and its operands.

    `const` has a number as its operand, `get` a local, a load an address and an offset, `either` a test and two
    values, of which one is computed; all others have expressions. Nobody changes an expression, so trees share parts.
    """

    __slots__ = ("args", "op", "type")

    def __init__(self, op: str, type_: int, args: tuple[Any, ...]) -> None:
        self.op, self.type, self.args = op, type_, args

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, self.args))})"

    @property
    def value(self) -> Any:
        """The number that a constant is, with its sign; None if it is no constant."""
        return self.args[0] if self.op == "const" else None

    @property
    def is_simple(self) -> bool:
        """Whether it costs nothing to compute it again."""
        return self.op in ("const", "get")

    def __add__(self, other: "E | float") -> "E":
        return binary("add", self, other)

    def __sub__(self, other: "E | float") -> "E":
        return binary("sub", self, other)

    def __mul__(self, other: "E | float") -> "E":
        return binary("mul", self, other)

    def __and__(self, other: "E | int") -> "E":
        return binary("and", self, other)

    def __or__(self, other: "E | int") -> "E":
        return binary("or", self, other)

    def __xor__(self, other: "E | int") -> "E":
        return binary("xor", self, other)

    def __lshift__(self, other: "E | int") -> "E":
        return binary("shl", self, other)

    def __rshift__(self, other: "E | int") -> "E":
        """A shift that fills with zeros."""
        return binary("shr_u", self, other)

    def __invert__(self) -> "E":
        return self ^ -1

    def eq(self, other: "E | float") -> "E":
        return binary("eq", self, other)

    def ne(self, other: "E | float") -> "E":
        return binary("ne", self, other)


@define(eq=False)
class Local:
    """A variable of a function; its name is for people, and need not be unique."""

    type: int
    name: str = ""
    read: E = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.read = E("get", self.type, (self,))


def get(local: Local) -> E:
    """The value of a local at the place where the expression is computed."""
    return local.read


def const(value: float, type_: int = I64) -> E:
    """A constant. An integer wraps around to a signed one: 2**64 - 1 is -1."""
    if type_ == F64:
        return E("const", F64, (float(value),))
    half = 1 << _BITS[type_] - 1
    value = int(value)
    if not -half <= value < half:
        value = (value + half) % (2 * half) - half
    return E("const", type_, (value,))


# ---- Two operands ---------------------------------------------------------------------------------

COMPARISONS = frozenset(
    ["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u", "lt", "gt", "le", "ge"]
)  # fmt: skip
TRUTHS = frozenset(op for op in OPCODES if op.partition(".")[2] in COMPARISONS | {"eqz"})
_OPS = {(_TYPES[kind], name): op for op in OPCODES for kind, _, name in [op.partition(".")] if name}
_COMMUTATIVE = frozenset({"add", "mul", "and", "or", "xor", "eq", "ne"})
_SHIFTS_AND_SUMS = frozenset({"add", "sub", "or", "xor", "shl", "shr_u", "shr_s"})  # x + 0 is x
_FOLDS: dict[str, Callable[[int, int, int], int]] = {  # the third argument is the width of the type
    "add": lambda a, b, _: a + b,
    "sub": lambda a, b, _: a - b,
    "mul": lambda a, b, _: a * b,
    "and": lambda a, b, _: a & b,
    "or": lambda a, b, _: a | b,
    "xor": lambda a, b, _: a ^ b,
    "shl": lambda a, b, bits: a << b % bits,
    "shr_s": lambda a, b, bits: a >> b % bits,
    "shr_u": lambda a, b, bits: a % (1 << bits) >> b % bits,
    "eq": lambda a, b, _: a == b,
    "ne": lambda a, b, _: a != b,
    "lt_s": lambda a, b, _: a < b,
    "gt_s": lambda a, b, _: a > b,
    "le_s": lambda a, b, _: a <= b,
    "ge_s": lambda a, b, _: a >= b,
    "lt_u": lambda a, b, bits: a % (1 << bits) < b % (1 << bits),
    "gt_u": lambda a, b, bits: a % (1 << bits) > b % (1 << bits),
    "le_u": lambda a, b, bits: a % (1 << bits) <= b % (1 << bits),
    "ge_u": lambda a, b, bits: a % (1 << bits) >= b % (1 << bits),
}


def binary(name: str, a: E, b: "E | float") -> E:
    """An operation on two values of one type, by its name without the type: `add`, `lt_s`."""
    kind = a.type
    if not isinstance(b, E):
        b = const(b, kind)
    elif kind != b.type:
        raise TypeError(f"{name} of {TYPE_NAMES[kind]} and {TYPE_NAMES[b.type]}")
    op = _OPS.get((kind, name))
    if op is None:
        raise TypeError(f"{TYPE_NAMES[kind]} has no operation {name}")
    result = I32 if name in COMPARISONS else kind
    if kind in _BITS:
        if a.op == "const":
            if b.op == "const" and name in _FOLDS:
                return const(_FOLDS[name](a.args[0], b.args[0], _BITS[kind]), result)
            if name in _COMMUTATIVE:
                a, b = b, a
        if b.op == "const":
            simpler = _with_constant(name, a, b.args[0])
            if simpler is not None:
                return simpler
    return E(op, result, (a, b))


def _with_constant(name: str, a: E, n: int) -> E | None:
    """A simpler form of an operation with a constant on the right, if there is one."""
    if n == 0:
        if name in _SHIFTS_AND_SUMS:
            return a
        if name in ("and", "mul"):
            return const(0, a.type)
        if name == "eq":
            return not_(a) if a.op in TRUTHS else E(_OPS[a.type, "eqz"], I32, (a,))
        if name == "ne" and is_truth(a):
            return a
    elif (n == 1 and name in ("mul", "div_s", "div_u")) or (n == -1 and name == "and"):
        return a
    elif name == "mul" and n > 0 and n & n - 1 == 0:
        return binary("shl", a, n.bit_length() - 1)
    elif name == "add" and a.op == _OPS[a.type, "add"] and a.args[1].op == "const":
        return binary("add", a.args[0], a.args[1].args[0] + n)
    return None


# ---- One operand ----------------------------------------------------------------------------------

_OPPOSITES = {"eq": "ne", "lt_s": "ge_s", "lt_u": "ge_u", "gt_s": "le_s", "gt_u": "le_u"}
_OPPOSITES |= {b: a for a, b in _OPPOSITES.items()}


def unary(op: str, type_: int, a: E) -> E:
    """An operation on one value, by its full name: `i64.ctz`; `type_` is the type of the result."""
    if a.op == "const":
        match op:
            case "i32.wrap_i64" | "i64.extend_i32_s":
                return const(a.value, type_)
            case "i64.extend_i32_u":
                return const(a.value % 2**32, type_)
            case "i64.popcnt":
                return const((a.value % 2**64).bit_count(), type_)
    elif op == "i32.wrap_i64" and a.op in ("i64.extend_i32_u", "i64.extend_i32_s"):
        operand: E = a.args[0]
        return operand
    return E(op, type_, (a,))


def not_(a: E) -> E:
    """The opposite of a truth value."""
    _need_truth(a)
    if a.op == "const":
        return const(not a.value, I32)
    name = a.op.partition(".")[2]
    if a.op in TRUTHS:
        if name == "eqz":
            return binary("ne", a.args[0], 0)
        if name in _OPPOSITES:
            return binary(_OPPOSITES[name], *a.args)
    return E("i32.eqz", I32, (a,))


def is_truth(a: E) -> bool:
    """Whether a value is certainly 0 or 1."""
    if a.op == "either":
        return is_truth(a.args[1]) and is_truth(a.args[2])
    return a.op in TRUTHS or (a.type == I32 and a.value in (0, 1))


def as_i32(a: E) -> E:
    """The lower half of an integer."""
    if a.type not in _BITS:
        raise TypeError(f"{TYPE_NAMES[a.type]} is no integer")
    return a if a.type == I32 else unary("i32.wrap_i64", I32, a)


def as_i64(a: E) -> E:
    """An integer, extended with zeros."""
    if a.type not in _BITS:
        raise TypeError(f"{TYPE_NAMES[a.type]} is no integer")
    return a if a.type == I64 else unary("i64.extend_i32_u", I64, a)


# ---- Choices and memory ---------------------------------------------------------------------------


def select(test: E, a: E, b: E) -> E:
    """One of two values; both are computed."""
    found = _decided(test, a, b)
    if found is not None:
        return found
    if test.op == "i32.eqz":
        test, a, b = test.args[0], b, a
    return E("select", a.type, (a, b, test))


def either(test: E, a: E, b: E) -> E:
    """One of two values; only that one is computed. If both cost nothing, it is a `select`."""
    if a.is_simple and b.is_simple:
        return select(test, a, b)
    found = _decided(test, a, b)
    if found is not None:
        return found
    return E("either", a.type, (test, a, b))


def _decided(test: E, a: E, b: E) -> E | None:
    """The value of a choice that can be simplified without a test, or `None`."""
    _need_truth(test)
    if a.type != b.type:
        raise TypeError(f"a choice of {TYPE_NAMES[a.type]} or {TYPE_NAMES[b.type]}")
    if test.op == "const":
        return a if test.value else b
    if a is b or (a.op == b.op == "const" and a.type != F64 and a.value == b.value):
        return a
    if a.type in _BITS and {a.value, b.value} == {0, 1}:
        truth = test.ne(0) if a.value else not_(test)
        return as_i64(truth) if a.type == I64 else truth
    return None


def _need_truth(test: E) -> None:
    if test.type != I32:
        raise TypeError(f"{TYPE_NAMES[test.type]} is no truth value")


def address_with_offset(address: E, offset: int) -> tuple[E, int]:
    """An address and an offset, with as much as possible in the offset."""
    if address.type != I32:
        raise TypeError(f"{TYPE_NAMES[address.type]} is no address")
    if address.op == "i32.add":
        more: int | None = address.args[1].value
        if more is not None and more >= 0:
            return address.args[0], offset + more
    return address, offset


def load(op: str, address: E, offset: int = 0) -> E:
    """The content of memory at the time when the expression is computed: see `Writer.let`."""
    return E(op, _TYPES[op.partition(".")[0]], address_with_offset(address, offset))
