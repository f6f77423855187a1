"""A text in restricted Python -> functions of the intermediate representation; the runtime is written in it.

`docs/restricted-python.md` says what is allowed, and what it means.
"""

import ast
from collections.abc import Callable, Iterable
from functools import lru_cache

from attrs import define, frozen

from interpreter.wasm.arithmetic import computed
from interpreter.wasm.encoding import I64
from interpreter.wasm.evaluating import Evaluator, TranslationError
from interpreter.wasm.expressions import E, binary, const, get, not_
from interpreter.wasm.masks import each_bit
from interpreter.wasm.statements import Block, Body, Fn, Label
from interpreter.wasm.typed import KINDS, Names, T


@define(eq=False)
class TranslationUnit(Names):
    """What functions can name, and the texts that they are in."""

    def read(self, source: str, name: str = "") -> None:
        """Declare all functions of a text, which is called `name` in messages; they may call each other.

        A body is translated when it is first needed (`Fn.body`); a function that is never called is never translated.
        """
        for each in _headers(source, name):
            fn = self.declare(
                each.node.name, list(each.params), each.result, inline=each.inline, names=each.names
            )
            fn.source = lambda fn=fn, node=each.node: self._translate(fn, node, name)

    def function(self, name: str) -> Fn:
        """A function with its body."""
        fn = self.functions[name]
        fn.write()
        return fn

    def _translate(self, fn: Fn, node: ast.FunctionDef, file: str) -> None:
        self.active.append(fn.name)
        try:
            _Translator(self, fn, file).translate(node)
        finally:
            self.active.pop()


# ---- Texts ----------------------------------------------------------------------------------------


@frozen(eq=False)
class _Header:
    """A function of a text, before it is translated."""

    node: ast.FunctionDef
    names: tuple[str, ...]
    params: tuple[str, ...]
    result: str | None
    inline: bool


@lru_cache(maxsize=64)
def _headers(source: str, file: str) -> tuple[_Header, ...]:
    """The functions of a text. Everything else in it, such as imports, is for editors."""
    tree = ast.parse(source, file or "<text>")
    return tuple([_header(each, file) for each in tree.body if isinstance(each, ast.FunctionDef)])


def _header(node: ast.FunctionDef, file: str) -> _Header:
    place = f"{file + ', ' if file else ''}line {node.lineno}, in {node.name}"
    given = node.args
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
        raise TranslationError(f"{place}: parameters have a name and a type, and nothing else")
    params = []
    for each in given.args:
        if each.annotation is None:
            raise TranslationError(f"{place}: {each.arg} has no type")
        params.append(ast.unparse(each.annotation))
    decorators = [ast.unparse(each) for each in node.decorator_list]
    if decorators not in ([], ["inline"]):
        raise TranslationError(f"{place}: @inline is the only decorator")
    result = ast.unparse(node.returns) if node.returns else None
    return _Header(
        node=node,
        names=tuple([each.arg for each in given.args]),
        params=tuple(params),
        result=None if result == "None" else result,
        inline=bool(decorators),
    )


# ---- Statements -----------------------------------------------------------------------------------


class _Labels:
    """Where `break` and `continue` go; there is no label where nobody goes."""

    def __init__(self) -> None:
        self.done: Label | None = None
        self.next: Label | None = None

    def leave(self) -> Label:
        self.done = self.done or Label("done")
        return self.done

    def go_on(self) -> Label:
        self.next = self.next or Label("next")
        return self.next


class _Translator(Evaluator):
    """Translates one function."""

    def __init__(self, unit: Names, fn: Fn, file: str) -> None:
        super().__init__(unit, fn, file)
        self.loops: list[_Labels] = []

    def translate(self, node: ast.FunctionDef) -> None:
        params, result = self.unit.types[self.fn.name]
        for type_ in (*params, *([result] if result else [])):
            if not self.unit.is_type(type_):
                raise self.fail(node, f"no such type as {type_}")
        rest = iter(self.fn.params)
        for argument, type_ in zip(node.args.args, params, strict=True):
            self.names[argument.arg] = type_, [next(rest) for _ in self.unit.wasm(type_)]
        self.body(node.body)
        if result and not _ends(node.body):
            raise self.fail(node.body[-1], "the end may be reached without a return")

    def body(self, body: Iterable[ast.stmt]) -> None:
        for each in body:
            try:
                self.statement(each)
            except TranslationError:
                raise
            except TypeError as why:
                raise self.fail(each, str(why)) from why

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Name() as target]):
                known = self.names.get(target.id)
                self.set_name(node, target.id, self.value(node.value, known[0] if known else None))
            case ast.Assign(targets=[target]):
                self.store(node, target)
            case ast.AugAssign(target=ast.Name() as target):
                old = self.value(target)
                self.set_name(node, target.id, self.changed(node, old))
            case ast.AugAssign():
                self.store(node, node.target)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                self.declare(node, target.id, value)
            case ast.Expr(value=ast.Call() as value):
                self.value(value)
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.If():
                self.branch(node)
            case ast.While(orelse=[]):
                self.repeat(node)
            case ast.For(target=ast.Name(id=name), orelse=[]):
                self.run_through(node, name)
            case ast.Return():
                self.give_back(node)
            case ast.Break() | ast.Continue() if self.loops:
                labels = self.loops[-1]
                self.w.br(labels.leave() if isinstance(node, ast.Break) else labels.go_on())
            case _:
                raise self.fail(node, "this is not allowed")

    # ---- Assignments -----------------------------------------------------------------------------

    def declare(self, node: ast.AnnAssign, name: str, value: ast.expr) -> None:
        type_ = ast.unparse(node.annotation)
        if not self.unit.is_type(type_):
            raise self.fail(node, f"no such type as {type_}")
        if name in self.names and self.names[name][0] != type_:
            raise self.fail(node, f"{name} is {self.names[name][0]} already")
        self.set_name(node, name, self.typed(value, type_))

    def set_name(self, node: ast.stmt, name: str, value: T) -> None:
        """Assign a value to a local; the first assignment sets its type."""
        if name in self.unit.constants or name in self.unit.tables:
            raise self.fail(node, f"{name} is a constant")
        type_ = self.names[name][0] if name in self.names else value.type
        lanes = self.cast(node, value, type_).lanes
        if type_ == "void":
            raise self.fail(node, "there is no value")
        if name not in self.names:
            self.names[name] = type_, [self.w.local(each, name) for each in self.unit.wasm(type_)]
        if len(lanes) > 1:  # a word may be needed for the next one
            lanes = tuple([self.w.let(each) for each in lanes])
        for local, each in zip(self.names[name][1], lanes, strict=True):
            self.w.set(local, each)

    def changed(self, node: ast.AugAssign, old: T) -> T:
        """The new value of what is changed by `+=` and the like."""
        is_literal = self.is_literal(node.value)
        mark = len(self.w.out)
        new = self.beside(node.value, old) if is_literal else self.value(node.value, old.type)
        return computed(self.unit, node.op, self.kept(old, mark), new)

    def store(self, node: ast.Assign | ast.AugAssign, target: ast.expr) -> None:
        """Give a value to a field or an element; in an assignment, the value is computed first."""
        with self.w.aside() as before:
            address, offset, kind = self.place(target)
        if self.unit.is_array(kind):
            raise self.fail(target, "an array is no value")
        type_ = "mask" if kind == "mask" else KINDS[kind].type
        if isinstance(node, ast.AugAssign):
            self.w.extend(before)
            address = self.w.let(address)
            value = self.changed(node, self.at_place(address, offset, kind))
            value = self.cast(node, value, type_)
        else:
            value = self.typed(node.value, type_)
            mark = len(self.w.out)
            self.w.extend(before)
            value = self.kept(value, mark)
        if kind != "mask":
            self.w.store(KINDS[kind].store, address, value.e, offset)
            return
        lanes = value.lanes
        if len(lanes) > 1:  # a store may change memory that the next word reads
            address, lanes = self.w.let(address), tuple([self.w.let(each) for each in lanes])
        for n, each in enumerate(lanes):
            self.w.store("i64.store", address, each, offset + 8 * n)

    # ---- Control flow ----------------------------------------------------------------------------

    def give_back(self, node: ast.Return) -> None:
        result = self.unit.types[self.fn.name][1]
        if (node.value is None) != (result is None):
            raise self.fail(node, f"{result or 'nothing'} is to be returned")
        if node.value is not None and result is not None:
            self.w.give_back(*self.typed(node.value, result).lanes)
        else:
            self.w.give_back()

    def branch(self, node: ast.If) -> None:
        test = self.truth(node.test)
        if test.op == "const":  # the other branch may use names that do not exist
            self.body(node.body if test.value else node.orelse)
            return
        with self.w.when(test):
            self.body(node.body)
        if node.orelse:
            with self.w.otherwise():
                self.body(node.orelse)

    def labelled(self, label: Label | None, statements: Body) -> None:
        """Statements in a block, if somebody leaves it."""
        if label is None:
            self.w.extend(statements)
        else:
            self.w.add(Block(label, statements))

    def inner(self, body: list[ast.stmt], labels: _Labels) -> None:
        """The body of a loop."""
        self.loops.append(labels)
        self.body(body)
        self.loops.pop()

    def repeat(self, node: ast.While) -> None:
        labels = _Labels()
        with self.w.aside() as loop, self.w.loop("again") as again:
            labels.next = again
            test = self.truth(node.test)
            if not test.value:
                self.w.br_if(labels.leave(), not_(test))
            self.inner(node.body, labels)
            self.w.br(again)
        self.labelled(labels.done, loop)

    def run_through(self, node: ast.For, name: str) -> None:
        labels = _Labels()

        def one(c: E) -> None:
            self.set_name(node, name, T("i64", (c,)))
            with self.w.aside() as inner:
                self.inner(node.body, labels)
            self.labelled(labels.next, inner)

        with self.w.aside() as loop:
            match node.iter:
                case ast.Call(func=ast.Name(id="range")) as call:
                    self.count(call, name, one)
                case _:
                    each_bit(self.w, self.typed(node.iter, "mask").lanes, one)
        self.labelled(labels.done, loop)

    def count(self, call: ast.Call, name: str, one: Callable[[E], None]) -> None:
        """A range: as in Python, the body may change the number, and whatever the bounds were made of."""
        low, high, step = self.bounds(call)
        n = self.w.local(I64, f"{name}_at")
        self.w.set(n, low)
        if high.op != "const":
            last = self.w.local(I64, "last")
            self.w.set(last, high)
            high = get(last)
        test = binary("lt_s" if step > 0 else "gt_s", get(n), high)
        with self.w.when(test), self.w.loop("again") as again:
            one(get(n))
            self.w.set(n, get(n) + step)
            self.w.br_if(again, test)

    def bounds(self, call: ast.Call) -> tuple[E, E, int]:
        """The first number of a range, the one where it ends, and the step."""
        given = list(call.args)
        step = 1
        if len(given) == 3:
            step = self.typed(given.pop(), "i64").e.value or 0
        if call.keywords or not 1 <= len(given) <= 2 or step == 0:
            raise self.fail(call, "a range has one or two bounds, and perhaps a constant step")
        if len(given) == 1:
            return const(0), self.typed(given[0], "i64").e, step
        low, high = self.values(given, ["i64", "i64"])
        return low.e, high.e, step


def _ends(body: list[ast.stmt]) -> bool:
    """Whether the end of a body is certainly unreachable."""
    match body[-1]:
        case ast.Return():
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="fault"))):
            return True
        case ast.If(body=then, orelse=other):
            return bool(other) and _ends(then) and _ends(other)
        case ast.While(test=ast.Constant(value=True), body=inner):
            return not _breaks(inner)
        case _:
            return False


def _breaks(body: list[ast.stmt]) -> bool:
    """Whether a loop with this body is left by a `break` of its own."""
    for each in body:
        if isinstance(each, ast.Break):
            return True
        if isinstance(each, ast.If) and (_breaks(each.body) or _breaks(each.orelse)):
            return True
    return False
