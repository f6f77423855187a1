"""Typed expressions: trees, and functions that make them."""

from typing import Any

from attrs import define

from interpreter.wasm.encoding import F64, I32, I64, V128

NAMES = {I32: "i32", I64: "i64", F64: "f64", V128: "v128"}
WRAP = {I32: 2**32, I64: 2**64}


@define(eq=False, slots=True)
class Local:
    type: int
    name: str = ""


class E:
    """An expression: an operation, its type, and what it is given."""

    __slots__ = ("args", "op", "type")

    def __init__(self, op: str, type_: int, args: tuple[Any, ...]) -> None:
        self.op, self.type, self.args = op, type_, args

    @property
    def value(self) -> Any:
        """Of a constant."""
        return self.args[0] if self.op == "const" else None

    @property
    def is_simple(self) -> bool:
        return self.op in ("const", "get")

    def __add__(self, other: "E | int") -> "E":
        return binary("add", self, other)

    def __sub__(self, other: "E | int") -> "E":
        return binary("sub", self, other)

    def __mul__(self, other: "E | int") -> "E":
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
        return binary("shr_u", self, other)

    def __invert__(self) -> "E":
        return self ^ -1

    def eq(self, other: "E | int") -> "E":
        return binary("eq", self, other)

    def ne(self, other: "E | int") -> "E":
        return binary("ne", self, other)


def number(value: int, type_: int = I64) -> E:
    return E("const", type_, (int(value),))


def get(local: Local) -> E:
    return E("get", local.type, (local,))


_COMPARE = {
    "eq",
    "ne",
    "lt_s",
    "lt_u",
    "gt_s",
    "gt_u",
    "le_s",
    "le_u",
    "ge_s",
    "ge_u",
    "lt",
    "gt",
    "le",
    "ge",
}
_FOLDS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt_s": lambda a, b: int(a < b),
    "gt_s": lambda a, b: int(a > b),
    "le_s": lambda a, b: int(a <= b),
    "ge_s": lambda a, b: int(a >= b),
}


def binary(name: str, a: E, b: E | int) -> E:
    """An operation on two values of one type; what can be computed now is."""
    if not isinstance(b, E):
        b = number(b, a.type)
    if a.type != b.type:
        raise TypeError(f"{name} of {NAMES[a.type]} and {NAMES[b.type]}")
    result = I32 if name in _COMPARE else a.type
    if a.type in WRAP:
        if a.op == b.op == "const" and name in _FOLDS:
            whole = WRAP[a.type]
            value = _FOLDS[name](a.value, b.value)
            return number((value + whole // 2) % whole - whole // 2, result)
        if b.op == "const":
            n = b.value
            if n == 0 and name in ("add", "sub", "or", "xor", "shl", "shr_u", "shr_s"):
                return a
            if n == 0 and name == "and":
                return number(0, a.type)
            if n == -1 and name == "and" or n == 1 and name == "mul":
                return a
            if n == 0 and name == "eq":
                return E(f"{NAMES[a.type]}.eqz", I32, (a,))
            if name == "mul" and n > 0 and n & n - 1 == 0:
                return binary("shl", a, n.bit_length() - 1)
            if name == "add" and a.op.endswith(".add") and a.args[1].op == "const":
                return binary("add", a.args[0], a.args[1].value + n)
    return E(f"{NAMES[a.type]}.{name}", result, (a, b))


def unary(op: str, type_: int, a: E) -> E:
    if op == "i32.wrap_i64" and a.op == "const":
        return number(a.value, I32)
    if op == "i32.wrap_i64" and a.op in ("i64.extend_i32_u", "i64.extend_i32_s"):
        return a.args[0]
    if op.startswith("i64.extend_i32") and a.op == "const":
        return number(a.value, I64)
    return E(op, type_, (a,))


def not_(a: E) -> E:
    """The opposite of a truth value."""
    if a.op == "const":
        return number(not a.value, I32)
    kind, _, name = a.op.partition(".")
    if a.op == "i32.eqz" and a.args[0].op.partition(".")[2] in (*_COMPARE, "eqz"):
        return a.args[0]
    turned = {
        "eq": "ne",
        "ne": "eq",
        "lt_s": "ge_s",
        "ge_s": "lt_s",
        "gt_s": "le_s",
        "le_s": "gt_s",
    }
    if kind in ("i32", "i64") and name in turned:
        return E(f"{kind}.{turned[name]}", I32, a.args)
    return E("i32.eqz", I32, (a,))


def as_i32(a: E) -> E:
    return a if a.type == I32 else unary("i32.wrap_i64", I32, a)


def as_i64(a: E) -> E:
    return a if a.type == I64 else unary("i64.extend_i32_u", I64, a)


def select(test: E, a: E, b: E) -> E:
    if test.op == "const":
        return a if test.value else b
    return E("select", a.type, (a, b, test))


def either(test: E, a: E, b: E) -> E:
    """One of two values; only that one is computed."""
    if test.op == "const":
        return a if test.value else b
    return E("either", a.type, (test, a, b))


def load(op: str, address: E, offset: int = 0) -> E:
    if address.op == "i32.add" and address.args[1].op == "const" and address.args[1].value >= 0:
        address, offset = address.args[0], offset + address.args[1].value
    types = {"i32": I32, "i64": I64, "f64": F64, "v128": V128}
    return E(op, types[op.split(".")[0]], (address, offset))


def zero(type_: int) -> E:
    if type_ == V128:
        return E("i32x4.splat", V128, (number(0, I32),))
    return E("const", type_, (0.0 if type_ == F64 else 0,))
