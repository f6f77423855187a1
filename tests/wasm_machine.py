"""A tiny evaluator of the intermediate representation: slow, plain, and the measure for the bytes."""

import math
import operator
import struct
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.wasm.encoding import ACCESSES, F64, I32, I64
from interpreter.wasm.expressions import E, Local
from interpreter.wasm.statements import (
    Block,
    Body,
    Branch,
    BranchIf,
    Call,
    Drop,
    Fn,
    If,
    Label,
    Loop,
    MemoryCopy,
    MemoryFill,
    Note,
    Return,
    Set,
    Statement,
    Store,
    Switch,
    Trap,
)

BITS = {I32: 32, I64: 64}
MEMORY = 65536


class Trapped(Exception):  # noqa: N818
    """What a trap is here."""


class Left(Exception):  # noqa: N818
    """A branch on its way to a label."""

    def __init__(self, label: Label) -> None:
        self.label = label


class Returned(Exception):  # noqa: N818
    def __init__(self, values: list[Any]) -> None:
        self.values = values


def wrap(value: int, bits: int) -> int:
    half = 1 << bits - 1
    return (value + half) % (2 * half) - half


def _divided(a: int, b: int) -> int:
    if b == 0:
        raise Trapped
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _left_over(a: int, b: int) -> int:
    return a - _divided(a, b) * b


_COMPARISONS = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "gt", "le", "ge")}
_INTEGERS: dict[str, Callable[[int, int], int]] = {
    **_COMPARISONS,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "div": _divided,
    "rem": _left_over,
}


def binary(name: str, kind: int, a: Any, b: Any) -> Any:
    """An operation of WebAssembly on two numbers."""
    if kind == F64:
        found = getattr(operator, name)(a, b)
        return int(found) if name in _COMPARISONS else found
    bits = BITS[kind]
    if name.endswith("_u"):
        a, b = a % (1 << bits), b % (1 << bits)
    name = name.removesuffix("_s").removesuffix("_u")
    if name in ("shl", "shr"):
        return wrap(a << b % bits if name == "shl" else a >> b % bits, bits)
    return wrap(int(_INTEGERS[name](a, b)), bits)


def unary(op: str, a: Any) -> Any:
    match op:
        case "i32.wrap_i64":
            return wrap(a, 32)
        case "i64.extend_i32_s":
            return a
        case "i64.extend_i32_u":
            return a % 2**32
        case "i32.eqz" | "i64.eqz":
            return int(a == 0)
        case "i64.popcnt":
            return (a % 2**64).bit_count()
        case "i64.ctz":
            return (a & -a).bit_length() - 1 if a else 64
        case "f64.convert_i64_s":
            return float(a)
        case "f64.neg":
            return -a
        case "f64.sqrt":
            return math.sqrt(a) if a >= 0 else math.nan
    raise NotImplementedError(op)


class Machine:
    """Runs functions, in a memory that they share."""

    def __init__(self) -> None:
        self.memory = bytearray(MEMORY)

    def call(self, fn: Fn, args: Sequence[Any]) -> list[Any]:
        known: dict[Local, Any] = dict(zip(fn.params, args, strict=True))
        try:
            self.body(fn.body, known)
        except Returned as found:
            return found.values
        if fn.results:
            raise Trapped
        return []

    def expr(self, e: E, known: dict[Local, Any]) -> Any:
        if e.op == "const":
            return e.args[0]
        if e.op == "get":
            return known.get(e.args[0], 0.0 if e.type == F64 else 0)
        if e.op in ACCESSES:
            size, signed = _form(e.op)
            raw = self.at(self.expr(e.args[0], known), e.args[1], size)
            if e.type == F64:
                return struct.unpack("<d", raw)[0]
            return wrap(int.from_bytes(raw, "little", signed=signed), BITS[e.type])
        if e.op == "either":
            test, a, b = e.args
            return self.expr(a if self.expr(test, known) else b, known)
        args = [self.expr(each, known) for each in e.args]
        if e.op == "select":
            return args[0] if args[2] else args[1]
        if len(args) == 2:
            return binary(e.op.partition(".")[2], e.args[0].type, *args)
        return unary(e.op, args[0])

    def at(self, address: int, offset: int, size: int) -> bytes:
        begin = address % 2**32 + offset
        if begin + size > MEMORY:
            raise Trapped
        return bytes(self.memory[begin : begin + size])

    def put(self, address: int, offset: int, content: bytes) -> None:
        self.at(address, offset, len(content))
        begin = address % 2**32 + offset
        self.memory[begin : begin + len(content)] = content

    def body(self, body: Body, known: dict[Local, Any]) -> None:
        for s in body:
            self.statement(s, known)

    def statement(self, s: Statement, known: dict[Local, Any]) -> None:
        match s:
            case Set():
                known[s.local] = self.expr(s.value, known)
            case Store():
                address, value = self.expr(s.address, known), self.expr(s.value, known)
                size, _ = _form(s.op)
                raw = struct.pack("<d", value) if s.value.type == F64 else b""
                raw = raw or (value % (1 << 8 * size)).to_bytes(size, "little")
                self.put(address, s.offset, raw)
            case If():
                self.body(s.then if self.expr(s.test, known) else s.other, known)
            case Block():
                self.block(s, known)
            case Loop():
                while self.block(s, known):
                    pass
            case Branch():
                raise Left(s.label)
            case BranchIf():
                if self.expr(s.test, known):
                    raise Left(s.label)
            case Switch():
                n = self.expr(s.value, known) % 2**32
                raise Left(s.labels[n] if n < len(s.labels) else s.other)
            case Return():
                raise Returned([self.expr(each, known) for each in s.values])
            case Call():
                found = self.call(s.fn, [self.expr(each, known) for each in s.args])
                known.update(zip(s.found, found, strict=True))
            case MemoryCopy() | MemoryFill():
                self.move(s, known)
            case Drop():
                self.expr(s.value, known)
            case Trap():
                raise Trapped
            case Note():
                pass

    def block(self, s: Block | Loop, known: dict[Local, Any]) -> bool:
        """Whether a branch to its label was taken."""
        try:
            self.body(s.body, known)
        except Left as branch:
            if branch.label is not s.label:
                raise
            return True
        return False

    def move(self, s: MemoryCopy | MemoryFill, known: dict[Local, Any]) -> None:
        to, size = self.expr(s.to, known), self.expr(s.size, known) % 2**32
        if isinstance(s, MemoryCopy):
            content = self.at(self.expr(s.source, known), 0, size)
        else:
            content = bytes([self.expr(s.byte, known) % 256]) * size
        self.put(to, 0, content)


def _form(op: str) -> tuple[int, bool]:
    """How many bytes a load or a store moves, and whether they have a sign."""
    kind, _, name = op.partition(".")
    bits, _, sign = name.removeprefix("load").removeprefix("store").partition("_")
    return int(bits or kind[1:]) // 8, sign == "s"
