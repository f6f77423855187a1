"""A check of functions, for tests: types match, and labels are around the branches to them.

The writer refuses most mistakes at once; this looks at everything, whoever made it, and says where a mistake is.
"""

import re
from collections.abc import Sequence

from interpreter.wasm.copying import operands
from interpreter.wasm.encoding import ACCESSES, F64, I32, I64, OPCODES, TYPE_NAMES
from interpreter.wasm.expressions import COMPARISONS, E, Local
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
    Return,
    Set,
    Statement,
    Store,
    Switch,
)

_TYPES = {name: type_ for type_, name in TYPE_NAMES.items()}
_ONE = frozenset(
    ["clz", "ctz", "popcnt", "abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt"]
)
_ALL_BITS = {I32: 32, I64: 64}


def _signature(op: str) -> tuple[tuple[int, ...], int]:
    """The types of what an operation is given, and of its value."""
    kind, _, name = op.partition(".")
    type_ = _TYPES[kind]
    source = re.search(r"_(i32|i64|f64)", name)
    if source:
        return (_TYPES[source[1]],), type_
    if name == "eqz" or name in COMPARISONS:
        return (type_,) if name == "eqz" else (type_, type_), I32
    if name in _ONE:
        return (type_,), type_
    return (type_, type_), type_


SIGNATURES = {op: _signature(op) for op in OPCODES if op not in ACCESSES and op != "select"}
SIGNATURES["memory.size"] = (), I32


def validate(fn: Fn) -> None:
    """Raise a TypeError that says where, if anything in a function does not fit."""
    _Check(fn).body(fn.body, ())


class _Check:
    def __init__(self, fn: Fn) -> None:
        self.fn = fn

    def fail(self, why: str, *where: str) -> TypeError:
        return TypeError(f"{' / '.join((self.fn.name, *where))}: {why}")

    def same(self, found: Sequence[int], wanted: Sequence[int], where: tuple[str, ...]) -> None:
        if list(found) != list(wanted):
            raise self.fail(f"{_named(found)} where {_named(wanted)} is wanted", *where)

    # ---- Statements ------------------------------------------------------------------------------

    def body(self, body: Body, where: tuple[str, ...], labels: tuple[Label, ...] = ()) -> None:
        for n, s in enumerate(body):
            here = (*where, f"{n} {type(s).__name__}")
            for each in operands(s):
                self.expr(each, here)
            self.statement(s, here)
            for label in _branches(s):
                if label not in labels:
                    name = label.name or "a label"
                    raise self.fail(f"a branch to {name}, which is not around it", *here)
            match s:
                case If():
                    self.body(s.then, here, labels)
                    self.body(s.other, (*here, "else"), labels)
                case Block() | Loop():
                    if s.label in labels:
                        raise self.fail(f"label {s.label.name} is around itself", *here)
                    self.body(s.body, here, (*labels, s.label))

    def statement(self, s: Statement, here: tuple[str, ...]) -> None:
        """Whether the operands of a statement have the types that it needs."""
        given = [each.type for each in operands(s)]
        match s:
            case Set():
                self.same(given, [s.local.type], here)
            case Store():
                if s.op not in ACCESSES or ".store" not in s.op or s.offset < 0:
                    raise self.fail(f"{s.op} at {s.offset}", *here)
                self.same(given, [I32, _TYPES[s.op.partition(".")[0]]], here)
            case If() | BranchIf() | Switch():
                self.same(given, [I32], here)
            case Return():
                self.same(given, self.fn.results, here)
            case Call():
                self.same(given, [each.type for each in s.fn.params], (*here, s.fn.name))
                self.same([each.type for each in s.found], s.fn.results, (*here, s.fn.name))
            case MemoryCopy() | MemoryFill():
                self.same(given, [I32, I32, I32], here)
            case Drop() | _:
                pass

    # ---- Expressions -----------------------------------------------------------------------------

    def expr(self, e: E, where: tuple[str, ...]) -> None:
        here = (*where, e.op)
        if e.op == "const":
            self.constant(e, here)
        elif e.op == "get":
            (local,) = e.args
            if not isinstance(local, Local):
                raise self.fail("this is no local", *here)
            self.same([e.type], [local.type], here)
        elif e.op in ACCESSES:
            address, offset = e.args
            if ".load" not in e.op or not isinstance(offset, int) or offset < 0:
                raise self.fail(f"{e.op} at {offset}", *here)
            self.expr(address, here)
            self.same([address.type, e.type], [I32, _TYPES[e.op.partition(".")[0]]], here)
        else:
            self.operation(e, here)

    def operation(self, e: E, here: tuple[str, ...]) -> None:
        for each in e.args:
            if not isinstance(each, E):
                raise self.fail(f"{each!r} is no expression", *here)
            self.expr(each, here)
        given = [each.type for each in e.args]
        if e.op == "either":
            self.same(given, [I32, e.type, e.type], here)
        elif e.op == "select":
            self.same(given, [e.type, e.type, I32], here)
        elif e.op in SIGNATURES:
            params, result = SIGNATURES[e.op]
            self.same([*given, e.type], [*params, result], here)
        else:
            raise self.fail("no such operation", *here)

    def constant(self, e: E, here: tuple[str, ...]) -> None:
        (value,) = e.args
        if e.type == F64:
            fits = isinstance(value, float)
        elif e.type in _ALL_BITS:
            half = 1 << _ALL_BITS[e.type] - 1
            fits = isinstance(value, int) and -half <= value < half
        else:
            fits = False
        if not fits:
            raise self.fail(f"{value!r} is no {_named([e.type])}", *here)


def _branches(s: Statement) -> tuple[Label, ...]:
    match s:
        case Branch() | BranchIf():
            return (s.label,)
        case Switch():
            return (*s.labels, s.other)
        case _:
            return ()


def _named(types: Sequence[int]) -> str:
    return f"({', '.join(TYPE_NAMES.get(each, '?') for each in types)})"
