"""Writes functions, statement by statement."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import define, field

from interpreter.wasm.copying import paste
from interpreter.wasm.expressions import E, Local, get
from interpreter.wasm.functions import Fn, Label


@define(eq=False)
class Writer:
    """Writes the statements of a function one after the other."""

    fn: Fn
    out: list[Any] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.out = self.fn.body

    def add(self, *statement: Any) -> None:
        self.out.append(statement)

    def local(self, type_: int, name: str = "") -> Local:
        return Local(type_, name)

    def set(self, local: Local, value: E) -> None:
        self.add("set", local, value)

    def let(self, value: E, name: str = "") -> E:
        """The same value, to be used any number of times."""
        if value.is_simple:
            return value
        local = Local(value.type, name)
        self.set(local, value)
        return get(local)

    def store(self, op: str, address: E, value: E, offset: int = 0) -> None:
        if address.op == "i32.add" and address.args[1].op == "const" and address.args[1].value >= 0:
            address, offset = address.args[0], offset + address.args[1].value
        self.add("store", op, address, offset, value)

    @contextmanager
    def inside(self, *head: Any) -> Iterator[Any]:
        """Statements of a block, a loop or one side of an `if`."""
        outer, self.out = self.out, []
        yield head[1] if len(head) > 1 else None
        inner, self.out = self.out, outer
        self.add(*head, inner)

    @contextmanager
    def when(self, test: E) -> Iterator[None]:
        outer, self.out = self.out, []
        yield
        inner, self.out = self.out, outer
        if test.op != "const":
            self.add("if", test, inner, [])
        elif test.value:
            self.out.extend(inner)

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """The other side of the `if` that was written last."""
        assert self.out[-1][0] == "if"
        outer, self.out = self.out, []
        yield
        inner, self.out = self.out, outer
        self.out[-1] = (*self.out[-1][:3], inner)

    def trap(self) -> None:
        self.add("trap")

    def note(self, text: str) -> None:
        """A comment, for those who read the code."""
        self.add("note", text)

    def give_back(self, *values: E) -> None:
        """Return from the function."""
        self.add("return", values)

    def copy(self, to: E, source: E, size: E) -> None:
        self.add("copy", to, source, size)

    def fill(self, to: E, byte: E, size: E) -> None:
        self.add("fill", to, byte, size)

    def drop(self, value: E) -> None:
        self.add("drop", value)

    def switch(self, value: E, labels: list[Label], other: Label) -> None:
        """Branch to the label with this number, or to the other one."""
        self.add("br_table", value, labels, other)

    @contextmanager
    def aside(self) -> Iterator[list[Any]]:
        """Write statements elsewhere: they are added later with `extend`."""
        outer, self.out = self.out, []
        yield self.out
        self.out = outer

    def extend(self, statements: list[Any]) -> None:
        self.out.extend(statements)

    def block(self, name: str = "") -> Any:
        return self.inside("block", Label(name))

    def loop(self, name: str = "") -> Any:
        return self.inside("loop", Label(name))

    def br(self, label: Label) -> None:
        self.add("br", label)

    def br_if(self, label: Label, test: E) -> None:
        if test.op == "const":
            if test.value:
                self.add("br", label)
        else:
            self.add("br_if", label, test)

    def call(self, fn: Fn, args: Iterable[E]) -> list[E]:
        """What a function gives back, each in a local of its own."""
        args = list(args)
        found = [Local(each, f"{fn.name}_{n}") for n, each in enumerate(fn.results)]
        if fn.inline:
            paste(self.out, fn, args, found)
        else:
            self.add("call", found, fn, args)
        return [get(each) for each in found]
