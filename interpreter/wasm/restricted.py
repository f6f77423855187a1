"""Restricted Python -> functions between flat code and bytes: how the runtime is written.

Names have types: `i64` and `u64` are numbers, `bool` is a truth value, `mask` a set of pieces in one or several
words, `i32` an address, and names of structures are addresses of them. A local gets its type where it is first
assigned; a literal takes the type of what it meets. `for c in m` runs through a mask.
"""

import ast
from collections.abc import Callable, Iterable
from functools import cache

from attrs import define, field, frozen

from interpreter.wasm.ir import (
    E,
    Fn,
    Label,
    Local,
    Writer,
    as_i32,
    as_i64,
    binary,
    either,
    get,
    load,
    not_,
    number,
    select,
    unary,
)
from interpreter.wasm.encoding import F64, I32, I64, V128

WASM = {"i32": I32, "u32": I32, "bool": I32, "i64": I64, "u64": I64, "f64": F64, "i32x4": V128}
LOADS = {  # of fields and elements: how they are read and written, and the type of their value
    "i64": ("i64.load", "i64.store", "i64", 8),
    "u64": ("i64.load", "i64.store", "u64", 8),
    "n32": ("i64.load32_s", "i64.store32", "i64", 4),
    "n8": ("i64.load8_u", "i64.store8", "i64", 1),
    "i32": ("i32.load", "i32.store", "i32", 4),
    "u32": ("i32.load", "i32.store", "u32", 4),
    "f64": ("f64.load", "f64.store", "f64", 8),
    "i32x4": ("v128.load", "v128.store", "i32x4", 16),
}
_SIGNED = {"Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge"}
_BINARY = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "BitAnd": "and",
    "BitOr": "or",
    "BitXor": "xor",
}


@frozen
class T:
    """A value: its type, and an expression, or one for each word of a mask."""

    type: str
    lanes: tuple[E, ...]

    @property
    def e(self) -> E:
        return self.lanes[0]


@define
class World:
    """What functions can name: constants, tables, structures, and each other."""

    words: int  # of a mask
    constants: dict[str, int] = field(factory=dict)
    tables: dict[str, tuple[int, str]] = field(factory=dict)  # where, and of what
    structs: dict[str, dict[str, tuple[int, str]]] = field(factory=dict)  # `[n8]` is an array
    functions: dict[str, Fn] = field(factory=dict)
    types: dict[str, tuple[list[str], str | None]] = field(factory=dict)

    def declare(
        self, name: str, params: list[str], result: str | None, *, inline: bool = False
    ) -> Fn:
        flat = [Local(each, f"{name}{n}") for n, p in enumerate(params) for each in self.wasm(p)]
        fn = Fn(name, flat, self.wasm(result) if result else [], inline=inline)
        self.functions[name], self.types[name] = fn, (params, result)
        return fn

    def wasm(self, type_: str) -> list[int]:
        return [I64] * self.words if type_ == "mask" else [WASM.get(type_, I32)]

    def read(self, source: str) -> None:
        """Translate all functions of a text; they may call each other."""
        found = [each for each in _parse(source).body if isinstance(each, ast.FunctionDef)]
        fns = []
        for node in found:
            params = [ast.unparse(a.annotation) for a in node.args.args if a.annotation]
            result = ast.unparse(node.returns) if node.returns else None
            inline = any(isinstance(d, ast.Name) and d.id == "inline" for d in node.decorator_list)
            fns.append(self.declare(node.name, params, result, inline=inline))
        # What is written where it is called has to be there before.
        order = sorted(zip(fns, found, strict=True), key=lambda pair: not pair[0].inline)
        for fn, node in order:
            Translator(self, fn, node).translate()

    # ---- Masks, for whoever writes functions -----------------------------------------------------

    def mask(self, value: int) -> tuple[E, ...]:
        return tuple(number(value >> 64 * n & (1 << 64) - 1) for n in range(self.words))

    def load_mask(self, address: E, offset: int = 0) -> tuple[E, ...]:
        return tuple(load("i64.load", address, offset + 8 * n) for n in range(self.words))


def is_some(lanes: tuple[E, ...]) -> E:
    """Whether a mask has a bit."""
    some = [each for each in lanes if each.op != "const" or each.value]
    if not some:
        return number(0, I32)
    found = some[0]
    for each in some[1:]:
        found = found | each
    return found.ne(0)


def bits(lanes: tuple[E, ...]) -> E:
    found = number(0)
    for each in lanes:
        if each.op == "const":
            found = found + (each.value & (1 << 64) - 1).bit_count()
        else:
            count = unary("i64.popcnt", I64, each)
            found = count if found.value == 0 else found + count
    return found


def lowest(lanes: tuple[E, ...]) -> E:
    """Its lowest bit; it has one, and its words are in locals."""
    found = unary("i64.ctz", I64, lanes[-1]) + 64 * (len(lanes) - 1)
    for n, each in reversed(list(enumerate(lanes[:-1]))):
        found = select(each.ne(0), unary("i64.ctz", I64, each) + 64 * n, found)
    return found


def without_lowest(lanes: tuple[E, ...]) -> tuple[E, ...]:
    """Without its lowest bit; its words are in locals."""
    found, before = [], None
    for each in lanes:
        less = each & (each - 1)
        found.append(less if before is None else select(before.ne(0), each, less))
        before = each if before is None else before | each
    return tuple(found)


def bit(c: E, words: int) -> tuple[E, ...]:
    """The mask of a piece, which is in a local."""
    if c.op == "const":
        return tuple(number((1 << c.value) >> 64 * n & (1 << 64) - 1) for n in range(words))
    one = number(1) << c
    if words == 1:
        return (one,)
    return tuple(select(binary("shr_u", c, 6).eq(n), one, number(0)) for n in range(words))


def has(lanes: tuple[E, ...], c: E) -> E:
    """Whether a piece, which is in a local and not none, is in a mask."""
    word = lanes[-1]
    for n, each in reversed(list(enumerate(lanes[:-1]))):
        word = select(binary("lt_u", c, 64 * (n + 1)), each, word)
    return as_i32((word >> c) & 1)


def each_bit(
    w: Writer, lanes: tuple[E, ...], body: Callable[[E], None], leave: Label | None = None
) -> None:
    """Run through a mask, word by word."""
    rest = [w.local(I64, "rest") for _ in lanes]
    for local, each in zip(rest, lanes, strict=True):
        w.set(local, each)
    if len(lanes) == 1:
        with w.when(get(rest[0]).ne(0)), w.loop() as again:
            c = w.let(unary("i64.ctz", I64, get(rest[0])), "c")
            w.set(rest[0], get(rest[0]) & (get(rest[0]) - 1))
            body(c)
            w.br_if(again, get(rest[0]).ne(0))
        return
    base = w.local(I64, "base")
    w.set(base, number(0))
    with w.block() as done, w.loop() as again:
        with w.when(get(rest[0]).eq(0)):
            for n in range(1, len(lanes)):  # the next word that has any
                with w.when(get(rest[0]).eq(0)):
                    w.set(rest[0], get(rest[1]))
                    for k in range(1, len(lanes)):
                        w.set(rest[k], get(rest[k + 1]) if k + 1 < len(lanes) else number(0))
                    w.set(base, get(base) + 64)
            w.br_if(done, get(rest[0]).eq(0))
        c = w.let(get(base) + unary("i64.ctz", I64, get(rest[0])), "c")
        w.set(rest[0], get(rest[0]) & (get(rest[0]) - 1))
        body(c)
        w.br(again)


@cache
def _parse(source: str) -> ast.Module:
    return ast.parse(source)


# ---- Functions -----------------------------------------------------------------------------------


class Translator:
    """Translates one function."""

    def __init__(self, world: World, fn: Fn, node: ast.FunctionDef) -> None:
        self.world, self.fn, self.node = world, fn, node
        self.w = Writer(fn)
        self.names: dict[str, tuple[str, list[Local]]] = {}
        self.loops: list[tuple[Label, Label]] = []  # to leave, and to go on with

    def translate(self) -> None:
        rest = iter(self.fn.params)
        for argument, type_ in zip(
            self.node.args.args, self.world.types[self.fn.name][0], strict=True
        ):
            self.names[argument.arg] = type_, [next(rest) for _ in self.world.wasm(type_)]
        self.body(self.node.body)

    def fail(self, node: ast.AST, why: str) -> TypeError:
        return TypeError(
            f"{self.fn.name}, line {getattr(node, 'lineno', '?')}: {why}: {ast.unparse(node)}"
        )

    # ---- Statements ------------------------------------------------------------------------------

    def body(self, body: Iterable[ast.stmt]) -> None:
        for each in body:
            getattr(self, f"_{type(each).__name__}")(each)

    def _Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def _Pass(self, node: ast.Pass) -> None:
        pass

    def _Return(self, node: ast.Return) -> None:
        result = self.world.types[self.fn.name][1]
        if node.value is None or result is None:
            self.w.add("return", ())
        else:
            self.w.add("return", self.cast(self.value(node.value, result), result))

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        type_ = ast.unparse(node.annotation)
        assert isinstance(node.target, ast.Name) and node.value
        value = self.value(node.value, type_)
        self.assign_name(node.target.id, T(type_, self.cast(value, type_)))

    def _Assign(self, node: ast.Assign) -> None:
        (target,) = node.targets
        if isinstance(target, ast.Name):
            wanted = self.names.get(target.id, (None,))[0]
            self.assign_name(target.id, self.value(node.value, wanted))
        else:
            self.assign(target, node.value)

    def _AugAssign(self, node: ast.AugAssign) -> None:
        old = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
        if isinstance(node.target, ast.Name):
            self.assign_name(node.target.id, self.value(old, self.names[node.target.id][0]))
        else:
            self.assign(node.target, old)

    def assign_name(self, name: str, value: T) -> None:
        if name not in self.names:
            self.names[name] = (
                value.type,
                [self.w.local(t, name) for t in self.world.wasm(value.type)],
            )
        type_, locals_ = self.names[name]
        lanes = self.cast(value, type_)
        if len(lanes) > 1:  # a word may be needed for the next one
            lanes = tuple(map(self.w.let, lanes))
        for local, each in zip(locals_, lanes, strict=True):
            self.w.set(local, each)

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        address, offset, kind = self.place(target)
        address = self.w.let(address)
        if kind == "mask":
            lanes = [self.w.let(e) for e in self.value(value, "mask").lanes]
            for n, each in enumerate(lanes):
                self.w.store("i64.store", address, each, offset + 8 * n)
        else:
            _, op, type_, _ = LOADS[kind]
            self.w.store(op, address, self.cast(self.value(value, type_), type_)[0], offset)

    def _If(self, node: ast.If) -> None:
        test = self.truth(node.test)
        if test.op == "const":
            self.body(node.body if test.value else node.orelse)
            return
        with self.w.when(test):
            self.body(node.body)
        if node.orelse:
            with self.w.otherwise():
                self.body(node.orelse)

    def _While(self, node: ast.While) -> None:
        with self.w.block("done") as done, self.w.loop("again") as again:
            test = self.truth(node.test)
            if not (test.op == "const" and test.value):
                self.w.br_if(done, not_(test))
            self.loops.append((done, again))
            self.body(node.body)
            self.loops.pop()
            self.w.br(again)

    def _For(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        name = node.target.id
        if not (isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range"):
            lanes = tuple(self.w.let(e) for e in self.value(node.iter, "mask").lanes)

            def one(c: E) -> None:
                self.assign_name(name, T("i64", (c,)))
                with self.w.block("next") as following:
                    self.loops.append((done, following))
                    self.body(node.body)
                    self.loops.pop()

            with self.w.block("done") as done:
                each_bit(self.w, lanes, one)
            return
        given = node.iter.args
        low = self.value(given[0], "i64") if len(given) > 1 else T("i64", (number(0),))
        high = T("i64", (self.w.let(self.value(given[1 if len(given) > 1 else 0], "i64").e),))
        step = -1 if len(given) == 3 else 1
        self.assign_name(name, low)
        (i,) = self.names[name][1]
        test = binary("lt_s" if step > 0 else "gt_s", get(i), high.e)
        with self.w.block("done") as done, self.w.when(test), self.w.loop("again") as again:
            with self.w.block("next") as following:
                self.loops.append((done, following))
                self.body(node.body)
                self.loops.pop()
            self.w.set(i, get(i) + step)
            self.w.br_if(again, test)

    def _Break(self, node: ast.Break) -> None:
        self.w.br(self.loops[-1][0])

    def _Continue(self, node: ast.Continue) -> None:
        self.w.br(self.loops[-1][1])

    # ---- Expressions -----------------------------------------------------------------------------

    def truth(self, node: ast.expr) -> E:
        return self.cast(self.value(node, "bool"), "bool")[0]

    def cast(self, value: T, type_: str) -> tuple[E, ...]:
        """A value where another type is wanted; numbers do not become shorter by themselves."""
        if (
            value.type == type_
            or WASM.get(value.type, I32) == WASM.get(type_, I32) != I32
            and type_ != "mask"
        ):
            return value.lanes
        if type_ == "bool":
            return (is_some(value.lanes),) if value.type == "mask" else (value.e.ne(0),)
        if type_ in ("i64", "u64") and value.type in ("bool", "u32", "i32"):
            return (as_i64(value.e),)
        if self.world.wasm(value.type) == [I32] == self.world.wasm(type_):
            return value.lanes
        raise TypeError(f"{self.fn.name}: {value.type} where {type_} is wanted")

    def value(self, node: ast.expr, wanted: str | None = None) -> T:
        return getattr(self, f"_{type(node).__name__}")(node, wanted)

    def _Constant(self, node: ast.Constant, wanted: str | None) -> T:
        value = node.value
        if wanted == "mask":
            return T("mask", self.world.mask(int(value)))
        if wanted == "i32x4":
            return T("i32x4", (E("i32x4.splat", V128, (number(value, I32),)),))
        if isinstance(value, float) or wanted == "f64":
            return T("f64", (E("const", F64, (float(value),)),))
        type_ = wanted if wanted else "i64"
        return T(type_, (number(value, self.world.wasm(type_)[0]),))

    def _Name(self, node: ast.Name, wanted: str | None) -> T:
        if node.id in self.names:
            type_, locals_ = self.names[node.id]
            return T(type_, tuple(map(get, locals_)))
        if node.id in self.world.constants:
            value = self.world.constants[node.id]
            return self._Constant(ast.Constant(value), wanted if wanted != "bool" else None)
        raise self.fail(node, "no such name")

    def place(self, node: ast.expr) -> tuple[E, int, str]:
        """Where something lies: an address, what is added to it, and of what kind it is."""
        if isinstance(node, ast.Attribute):
            subject = self.value(node.value)
            if (
                subject.type not in self.world.structs
                or node.attr not in self.world.structs[subject.type]
            ):
                raise self.fail(node, f"no field of {subject.type}")
            offset, kind = self.world.structs[subject.type][node.attr]
            return subject.e, offset, kind
        assert isinstance(node, ast.Subscript)
        if isinstance(node.value, ast.Name) and node.value.id in self.world.tables:
            base, kind = self.world.tables[node.value.id]
            address, offset = number(0, I32), base
        else:
            address, offset, kind = self.place(node.value)
            kind = kind.strip("[]")
        size = 8 * self.world.words if kind == "mask" else LOADS[kind][3]
        index = as_i32(self.value(node.slice, "i64").e) * size
        return (index if address.value == 0 else address + index), offset, kind

    def _Attribute(self, node: ast.expr, _wanted: str | None) -> T:
        address, offset, kind = self.place(node)
        if kind == "mask":
            return T("mask", self.world.load_mask(self.w.let(address), offset))
        if kind.startswith("["):
            return T(kind, (address + offset,))
        op, _, type_, _ = LOADS[kind]
        return T(type_, (load(op, address, offset),))

    _Subscript = _Attribute

    def _UnaryOp(self, node: ast.UnaryOp, wanted: str | None) -> T:
        match node.op:
            case ast.Not():
                return T("bool", (not_(self.truth(node.operand)),))
            case ast.Invert():
                found = self.value(node.operand, wanted)
                return T(found.type, tuple(~e for e in found.lanes))
            case ast.USub() if isinstance(node.operand, ast.Constant):
                return self._Constant(ast.Constant(-node.operand.value), wanted)
            case _:
                found = self.value(node.operand, wanted)
                return T(found.type, (binary("sub", number(0, found.e.type), found.e),))

    def both(self, left: ast.expr, right: ast.expr, wanted: str | None) -> tuple[T, T]:
        """Two values of one type, which one of them may have to tell the other."""
        if (
            isinstance(left, ast.Constant)
            or isinstance(left, ast.Name)
            and left.id in self.world.constants
        ):
            if wanted == "i32" or wanted in self.world.structs:  # it is an address
                return self.value(left, wanted), self.value(right)
            b = self.value(right, wanted)
            return self.value(left, b.type), b
        a = self.value(left, wanted)
        b = self.value(right, a.type)
        if a.type in ("i64", "u64") and b.type in ("bool", "u32"):
            b = T(a.type, (as_i64(b.e),))
        if b.type in ("i64", "u64") and a.type in ("bool",):
            a = T(b.type, (as_i64(a.e),))
        return a, b

    def _BinOp(self, node: ast.BinOp, wanted: str | None) -> T:
        wanted = None if wanted == "bool" else wanted
        a, b = self.both(node.left, node.right, wanted)
        name = type(node.op).__name__
        signed = "_u" if a.type.startswith("u") else "_s"
        if a.type == "i32x4":
            if name == "RShift":
                shift = self.value(node.right, "i32")
                return T("i32x4", (E("i32x4.shr_u", V128, (a.e, shift.e)),))
            kind = {
                "Add": "i32x4.add",
                "Sub": "i32x4.sub",
                "Mult": "i32x4.mul",
                "BitXor": "v128.xor",
            }[name]
            return T("i32x4", (E(kind, V128, (a.e, b.e)),))
        if a.type == "mask":
            return T(
                "mask",
                tuple(binary(_BINARY[name], x, y) for x, y in zip(a.lanes, b.lanes, strict=True)),
            )
        if a.type in self.world.structs or a.type == "i32":  # an address, and how far
            return T(a.type, (binary(_BINARY[name], a.e, as_i32(b.e)),))
        if name in _BINARY:
            return T(a.type, (binary(_BINARY[name], a.e, b.e),))
        if a.type == "f64":
            return T("f64", (E("f64.div", F64, (a.e, b.e)),))
        kind = {
            "LShift": "shl",
            "RShift": f"shr{signed}",
            "FloorDiv": f"div{signed}",
            "Mod": f"rem{signed}",
        }[name]
        return T(a.type, (binary(kind, a.e, b.e),))

    def _Compare(self, node: ast.Compare, _wanted: str | None) -> T:
        (op,), (right,) = node.ops, node.comparators
        name = type(op).__name__
        if name in ("In", "NotIn"):
            c, m = self.value(node.left, "i64"), self.value(right, "mask")
            found = has(tuple(map(self.w.let, m.lanes)), self.w.let(c.e))
            return T("bool", (found if name == "In" else not_(found),))
        a, b = self.both(node.left, right, None)
        if a.type == "mask":
            same = is_some(tuple(x ^ y for x, y in zip(a.lanes, b.lanes, strict=True)))
            return T("bool", (same if name == "NotEq" else not_(same),))
        if name in _SIGNED:
            kind = _SIGNED[name] + (
                "" if a.type == "f64" else "_u" if a.type[0] in "ui" and a.type != "i64" else "_s"
            )
        else:
            kind = {"Eq": "eq", "NotEq": "ne"}[name]
        return T("bool", (binary(kind, a.e, b.e),))

    def _BoolOp(self, node: ast.BoolOp, _wanted: str | None) -> T:
        *rest, last = node.values
        found = self.truth(last)
        for each in reversed(rest):
            test = self.truth(each)
            found = (
                either(test, found, number(0, I32))
                if isinstance(node.op, ast.And)
                else either(test, number(1, I32), found)
            )
        return T("bool", (found,))

    def _IfExp(self, node: ast.IfExp, wanted: str | None) -> T:
        a, b = self.both(node.body, node.orelse, wanted)
        test = self.truth(node.test)
        if len(a.lanes) > 1:
            test = self.w.let(test)
        return T(a.type, tuple(either(test, x, y) for x, y in zip(a.lanes, b.lanes, strict=True)))

    def _Call(self, node: ast.Call, wanted: str | None) -> T:
        name = ast.unparse(node.func)
        built_in = getattr(self, f"do_{name}", None)
        if built_in is not None:
            return built_in(*node.args)
        if name not in self.world.functions:
            raise self.fail(node, "no such function")
        params, result = self.world.types[name]
        args: list[E] = []
        for type_, each in zip(params, node.args, strict=True):
            args += self.cast(self.value(each, type_), type_)
        found = self.w.call(self.world.functions[name], args)
        return T(result or "void", tuple(found))

    # ---- What is an instruction, or nearly -------------------------------------------------------

    def lets(self, node: ast.expr) -> tuple[E, ...]:
        return tuple(map(self.w.let, self.value(node, "mask").lanes))

    def do_bits(self, m: ast.expr) -> T:
        return T("i64", (bits(self.value(m, "mask").lanes),))

    def do_lowest(self, m: ast.expr) -> T:
        return T("i64", (lowest(self.lets(m)),))

    def do_rest(self, m: ast.expr) -> T:
        return T("mask", without_lowest(self.lets(m)))

    def do_bit(self, c: ast.expr) -> T:
        return T("mask", bit(self.w.let(self.value(c, "i64").e), self.world.words))

    def do_ctz(self, x: ast.expr) -> T:
        return T("i64", (unary("i64.ctz", I64, self.value(x).e),))

    def do_popcount(self, x: ast.expr) -> T:
        return T("i64", (unary("i64.popcnt", I64, self.value(x).e),))

    def do_i64(self, x: ast.expr) -> T:
        found = self.value(x)
        return T(
            "i64",
            (unary("i64.trunc_f64_s", I64, found.e) if found.type == "f64" else as_i64(found.e),),
        )

    def do_u64(self, x: ast.expr) -> T:
        return T("u64", self.do_i64(x).lanes)

    def do_u32(self, x: ast.expr) -> T:
        return T("u32", (as_i32(self.value(x).e),))

    def do_i32(self, x: ast.expr) -> T:
        return T("i32", (as_i32(self.value(x).e),))

    def do_f64(self, x: ast.expr) -> T:
        found = self.value(x)
        op = {"u32": "f64.convert_i32_u", "u64": "f64.convert_i64_u"}.get(
            found.type, "f64.convert_i64_s"
        )
        return T("f64", (E(op, F64, (found.e,)),))

    def do_sqrt(self, x: ast.expr) -> T:
        return T("f64", (E("f64.sqrt", F64, (self.value(x, "f64").e,)),))

    def do_bits_of(self, x: ast.expr) -> T:
        return T("u64", (E("i64.reinterpret_f64", I64, (self.value(x, "f64").e,)),))

    def do_from_bits(self, x: ast.expr) -> T:
        return T("f64", (E("f64.reinterpret_i64", F64, (self.value(x, "u64").e,)),))

    def do_splat(self, x: ast.expr) -> T:
        return T("i32x4", (E("i32x4.splat", V128, (self.value(x, "u32").e,)),))

    def do_copy(self, to: ast.expr, source: ast.expr, size: ast.expr) -> T:
        self.w.add(
            "copy", self.value(to).e, self.value(source).e, as_i32(self.value(size, "i64").e)
        )
        return T("void", ())

    def do_fill(self, to: ast.expr, byte: ast.expr, size: ast.expr) -> T:
        self.w.add(
            "fill", self.value(to).e, self.value(byte, "i32").e, as_i32(self.value(size, "i64").e)
        )
        return T("void", ())

    def do_fault(self, code: ast.expr) -> T:
        self.w.call(
            self.world.functions["note_fault"], [as_i32(self.value(code, "i64").e), number(0, I32)]
        )
        self.w.add("trap")
        return T("void", ())
