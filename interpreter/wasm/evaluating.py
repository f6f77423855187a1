"""Expressions of restricted Python: a node of Python's syntax tree in, a typed value out.

Calls, and the locals that a mask needs, become statements; everything else is an expression that is computed where it
is used. The order of evaluation is that of Python: see `Evaluator.kept`.
"""

import ast
from collections.abc import Sequence

from interpreter.wasm import masks
from interpreter.wasm.arithmetic import SHIFTS, WIDE, compared, computed, unified, widened
from interpreter.wasm.encoding import ACCESSES, F64, I32
from interpreter.wasm.expressions import (
    E,
    Local,
    as_i32,
    binary,
    const,
    either,
    get,
    load,
    not_,
    unary,
)
from interpreter.wasm.function_writer import Writer
from interpreter.wasm.intrinsics import INTRINSICS
from interpreter.wasm.statements import Fn, Note, Set
from interpreter.wasm.typed import KINDS, NOTHING, Names, T

_HARMLESS = (Set, Note)  # they change no memory


class TranslationError(TypeError):
    """A text is not restricted Python; the message says where, and why."""


class Evaluator:
    """Translates the expressions of one function, whose locals are in `names` with their types."""

    def __init__(self, unit: Names, fn: Fn, file: str = "") -> None:
        self.unit, self.fn, self.file = unit, fn, file
        self.w = Writer(fn)
        self.names: dict[str, tuple[str, list[Local]]] = {}

    def fail(self, node: ast.AST, why: str) -> TranslationError:
        place = f"{self.file}, " if self.file else ""
        line = getattr(node, "lineno", "?")
        text = ast.unparse(node).partition("\n")[0]
        return TranslationError(f"{place}line {line}, in {self.fn.name}: {why}: {text}")

    # ---- Types -----------------------------------------------------------------------------------

    def truth(self, node: ast.expr) -> E:
        """A value as a truth value."""
        return self.typed(node, "bool").e

    def typed(self, node: ast.expr, type_: str) -> T:
        """A value of the wanted type."""
        return self.cast(node, self.value(node, type_), type_)

    def cast(self, node: ast.AST, value: T, type_: str) -> T:
        """A value converted to another type without loss: a number is never shortened implicitly."""
        given = value.type
        if given == type_ or (given in WIDE and type_ in WIDE):
            return value if given == type_ else T(type_, value.lanes)
        if given == "void":
            raise self.fail(node, "there is no value")
        if type_ == "bool":
            return T(type_, (masks.is_some(value.lanes),))
        if type_ in WIDE and given in ("bool", "i32"):
            return widened(value, type_)
        if self.unit.wasm(given) == [I32] == self.unit.wasm(type_):
            return T(type_, value.lanes)
        raise self.fail(node, f"{given} where {type_} is wanted")

    def is_literal(self, node: ast.expr) -> bool:
        """Whether a node is a literal, which has no type of its own."""
        match node:
            case ast.Constant():
                return not isinstance(node.value, bool)
            case ast.Name():
                return node.id not in self.names and node.id in self.unit.constants
            case ast.UnaryOp():
                return isinstance(node.op, ast.USub | ast.Invert) and self.is_literal(node.operand)
            case _:
                return False

    def kept(self, value: T, mark: int) -> T:
        """A value that was computed after the first `mark` statements, for use after the later ones.

        If these may change memory, the value is computed before them, as it may read there.
        """
        since = self.w.out[mark:]
        if all(isinstance(s, _HARMLESS) for s in since):
            return value
        if not any(map(_reads_memory, value.lanes)):
            return value
        locals_ = [Local(each.type, "kept") for each in value.lanes]
        self.w.out[mark:mark] = [Set(a, b) for a, b in zip(locals_, value.lanes, strict=True)]
        return T(value.type, tuple(map(get, locals_)))

    def values(self, nodes: Sequence[ast.expr], types: Sequence[str]) -> list[T]:
        """Values in order of evaluation, each as it was at its turn."""
        found: list[T] = []
        for node, type_ in zip(nodes, types, strict=True):
            mark = len(self.w.out)
            value = self.value(node) if type_ == "any" else self.typed(node, type_)
            if len(self.w.out) > mark:
                found = [self.kept(each, mark) for each in found]
            found.append(value)
        return found

    # ---- Expressions -----------------------------------------------------------------------------

    def value(self, node: ast.expr, wanted: str | None = None) -> T:
        """A value; a literal has the type that is wanted, others may have any."""
        try:
            return self.evaluated(node, wanted)
        except TranslationError:
            raise
        except TypeError as why:
            raise self.fail(node, str(why)) from why

    def evaluated(self, node: ast.expr, wanted: str | None) -> T:
        match node:  # the most frequent ones first
            case ast.Name():
                return self.named(node, wanted)
            case ast.Constant():
                return self.literal(node, node.value, wanted)
            case ast.BinOp():
                return self.binary(node, None if wanted == "bool" else wanted)
            case ast.Attribute() | ast.Subscript():
                return self.at_place(*self.place(node))
            case ast.Compare():
                return self.compare(node)
            case ast.Call():
                return self.call(node)
            case ast.BoolOp():
                return T("bool", (self.connected(node.op, node.values),))
            case ast.UnaryOp():
                return self.unary(node, wanted)
            case ast.IfExp():
                return self.choice(node, wanted)
            case _:
                raise self.fail(node, "this is not allowed")

    def literal(self, node: ast.expr, value: object, wanted: str | None) -> T:
        if isinstance(value, float) or (wanted == "f64" and isinstance(value, int)):
            return T("f64", (const(float(value), F64),))
        if not isinstance(value, int):
            raise self.fail(node, "this is no number")
        type_ = wanted or ("bool" if isinstance(value, bool) else "i64")
        if type_ == "bool" and value not in (0, 1):
            type_ = "i64"
        size = 64 * self.unit.words if type_ == "mask" else 64 if type_ in WIDE else 32
        if not -(1 << size - 1) <= value < 1 << size:
            raise self.fail(node, f"this does not fit {type_}")
        if type_ == "mask":
            return T("mask", self.unit.mask(value))
        return T(type_, (const(value, self.unit.wasm(type_)[0]),))

    def named(self, node: ast.Name, wanted: str | None) -> T:
        if node.id in self.names:
            type_, locals_ = self.names[node.id]
            return T(type_, tuple(map(get, locals_)))
        if node.id in self.unit.constants:
            return self.literal(
                node, self.unit.constants[node.id], None if wanted == "bool" else wanted
            )
        raise self.fail(node, "no such name")

    def unary(self, node: ast.UnaryOp, wanted: str | None) -> T:
        if isinstance(node.op, ast.Not):
            return T("bool", (not_(self.truth(node.operand)),))
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            value = node.operand.value
            if isinstance(value, int | float):
                return self.literal(node, -value, None if wanted == "bool" else wanted)
        found = self.value(node.operand, None if wanted == "bool" else wanted)
        if isinstance(node.op, ast.Invert) and found.type in ("mask", *WIDE, "i32"):
            return T(found.type, tuple([~each for each in found.lanes]))
        if isinstance(node.op, ast.USub) and found.type == "f64":
            return T("f64", (unary("f64.neg", F64, found.e),))
        if isinstance(node.op, ast.USub) and found.type in (*WIDE, "i32"):
            return T(found.type, (binary("sub", const(0, found.e.type), found.e),))
        raise self.fail(node, f"{found.type} has no such operation")

    def both(self, left: ast.expr, right: ast.expr, wanted: str | None) -> tuple[T, T]:
        """Two values; if one is a literal, it takes the type of the other."""
        if self.is_literal(left) and not self.is_literal(right):
            if wanted is not None and self.unit.is_address(wanted):
                return self.value(left, wanted), self.value(right)
            b = self.value(right, wanted)
            return self.beside(left, b), b
        a = self.value(left, wanted)
        if self.is_literal(right):
            return a, self.beside(right, a)
        mark = len(self.w.out)
        b = self.value(right, None if a.type == "bool" else a.type)
        return self.kept(a, mark), b

    def beside(self, literal: ast.expr, other: T) -> T:
        """A literal beside a value: it takes the type of the value; beside a truth value, a number stays a number."""
        return self.value(literal, "i64" if other.type == "bool" else other.type)

    def alike(self, a: T, b: T) -> tuple[T, T]:
        """Two values as values of one type; addresses and truth values may be of any."""
        if len(a.lanes) == len(b.lanes) == 1 and a.e.type == b.e.type == I32:
            return a, b
        return unified(a, b)

    def binary(self, node: ast.BinOp, wanted: str | None) -> T:
        if isinstance(node.op, SHIFTS):
            a = self.value(node.left, wanted)
            mark = len(self.w.out)
            b = self.value(node.right)
            a = self.kept(a, mark)
        else:
            a, b = self.both(node.left, node.right, wanted)
        return computed(self.unit, node.op, a, b)

    def compare(self, node: ast.Compare) -> T:
        if len(node.ops) != 1:
            raise self.fail(node, "write two comparisons with and")
        op, right = node.ops[0], node.comparators[0]
        if isinstance(op, ast.In | ast.NotIn):
            c, m = self.values([node.left, right], ["i64", "mask"])
            found = masks.has(tuple(map(self.w.let, m.lanes)), self.w.let(c.e))
            return T("bool", (found if isinstance(op, ast.In) else not_(found),))
        a, b = self.both(node.left, right, None)
        return compared(op, *self.alike(a, b))

    def connected(self, op: ast.boolop, nodes: list[ast.expr]) -> E:
        """`and` and `or`: a later operand is computed only if it matters."""
        test = self.truth(nodes[0])
        if len(nodes) == 1:
            return test
        is_and = isinstance(op, ast.And)
        with self.w.aside() as later:
            rest = self.connected(op, nodes[1:])
        if not later:
            if is_and:
                return either(test, rest, const(0, I32))
            return either(test, const(1, I32), rest)
        found = self.w.local(I32, "and_" if is_and else "or_")
        self.w.set(found, test)
        with self.w.when(get(found) if is_and else not_(get(found))):
            self.w.extend(later)
            self.w.set(found, rest)
        return get(found)

    def choice(self, node: ast.IfExp, wanted: str | None) -> T:
        """`a if test else b`: only one of them is computed."""
        test = self.truth(node.test)
        turned = self.is_literal(node.body)  # it takes the type of the other one
        first, second = (node.orelse, node.body) if turned else (node.body, node.orelse)
        with self.w.aside() as before_a:
            a = self.value(first, wanted)
        with self.w.aside() as before_b:
            b = self.beside(second, a) if self.is_literal(second) else self.value(second, a.type)
        a, b = self.alike(a, b)
        if turned:
            a, b, before_a, before_b = b, a, before_b, before_a
        if not before_a and not before_b:
            if len(a.lanes) > 1:
                test = self.w.let(test)
            pairs = zip(a.lanes, b.lanes, strict=True)
            return T(a.type, tuple([either(test, x, y) for x, y in pairs]))
        found = [self.w.local(each.type, "either") for each in a.lanes]
        with self.w.when(test):
            self.w.extend(before_a)
            for local, each in zip(found, a.lanes, strict=True):
                self.w.set(local, each)
        with self.w.otherwise():
            self.w.extend(before_b)
            for local, each in zip(found, b.lanes, strict=True):
                self.w.set(local, each)
        return T(a.type, tuple(map(get, found)))

    # ---- Memory ----------------------------------------------------------------------------------

    def place(self, node: ast.expr) -> tuple[E, int, str]:
        """A place in memory: its address, an offset, and the kind of what is stored there."""
        match node:
            case ast.Attribute():
                subject = self.value(node.value)
                fields = self.unit.structs.get(subject.type, {})
                if node.attr not in fields:
                    raise self.fail(node, f"{subject.type} has no such field")
                return subject.e, *fields[node.attr]
            case ast.Subscript():
                address, offset, kind = self.array(node.value)
                mark = len(self.w.out)
                index = as_i32(self.typed(node.slice, "i64").e)
                address = self.kept(T("i32", (address,)), mark).e
                index = index * self.unit.size(kind)
                return (index if address.value == 0 else address + index), offset, kind
            case _:
                raise self.fail(node, "nothing can be put here")

    def array(self, node: ast.expr) -> tuple[E, int, str]:
        """Where an array begins, and the kind of its elements."""
        if isinstance(node, ast.Name) and node.id not in self.names and node.id in self.unit.tables:
            base, kind = self.unit.tables[node.id]
            return const(0, I32), base, kind
        if isinstance(node, ast.Attribute | ast.Subscript):
            address, offset, kind = self.place(node)
        else:
            found = self.value(node)
            address, offset, kind = found.e, 0, found.type
        if not self.unit.is_array(kind):
            raise self.fail(node, f"{kind} is no array")
        return address, offset, kind[1:-1]

    def at_place(self, address: E, offset: int, kind: str) -> T:
        """The value of a field or an element."""
        if kind == "mask":
            return T("mask", self.unit.load_mask(self.w.let(address), offset))
        if self.unit.is_array(kind):
            return T(kind, (address + offset,))
        access = KINDS[kind]
        return T(access.type, (load(access.load, address, offset),))

    # ---- Calls -----------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> T:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise self.fail(node, "arguments have no names here, and stand one by one")
        intrinsic = INTRINSICS.get(name)
        if intrinsic is None and name not in self.unit.functions:
            raise self.fail(node, "no such function")
        if name in self.unit.active:
            way = " → ".join((*self.unit.active[self.unit.active.index(name) :], name))
            raise self.fail(node, f"no function calls itself, as in {way}")
        types = intrinsic.takes if intrinsic else self.unit.types[name][0]
        if len(types) != len(node.args):
            raise self.fail(node, f"{name} takes {len(types)} arguments")
        args = self.values(node.args, types)
        if intrinsic is not None:
            return intrinsic.make(self.w, self.unit, args)
        fn = self.unit.functions[name]
        fn.write()  # now, so that a function that calls itself is noticed
        found = self.w.call(fn, [lane for arg in args for lane in arg.lanes])
        result = self.unit.types[name][1]
        return T(result, tuple(found)) if result else NOTHING


def _reads_memory(e: E) -> bool:
    waiting = [e]
    while waiting:
        each = waiting.pop()
        if each.op in ACCESSES:
            return True
        if not each.is_simple:
            waiting += each.args
    return False
