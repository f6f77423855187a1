"""The bytes of a body."""

from typing import Any

from interpreter.wasm.encoding import OPCODES, VOID, align_of, const, uleb
from interpreter.wasm.expressions import E, Local
from interpreter.wasm.functions import Fn, Label


class Encoder:
    """The bytes of a body."""

    def __init__(self, fn: Fn) -> None:
        self.fn = fn
        self.out = bytearray()
        self.places = {param: n for n, param in enumerate(fn.params)}
        self.more: list[int] = []
        self.labels: list[Label | None] = []

    def encode(self) -> bytes:
        self.statements(self.fn.body)
        if self.fn.results:
            self.out += b"\x00"  # the end is never reached: everything has returned before
        runs: list[tuple[int, int]] = []
        for each in self.more:
            if runs and runs[-1][1] == each:
                runs[-1] = (runs[-1][0] + 1, each)
            else:
                runs.append((1, each))
        head = uleb(len(runs)) + b"".join(uleb(n) + bytes([kind]) for n, kind in runs)
        return head + bytes(self.out) + b"\x0b"

    def place(self, local: Local) -> bytes:
        n = self.places.get(local)
        if n is None:
            n = self.places[local] = len(self.places)
            self.more.append(local.type)
        return uleb(n)

    def expr(self, e: E) -> None:
        op, args = e.op, e.args
        if op == "get":
            self.out += b"\x20" + self.place(args[0])
        elif op == "const":
            self.out += const(e.type, args[0])
        elif op == "either":
            self.expr(args[0])
            self.out += bytes([0x04, e.type])
            self.labels.append(None)
            self.expr(args[1])
            self.out += b"\x05"
            self.expr(args[2])
            self.labels.pop()
            self.out += b"\x0b"
        elif len(args) == 2 and isinstance(args[1], int):
            self.expr(args[0])
            self.out += OPCODES[op] + bytes([align_of(op)]) + uleb(args[1])
        elif op == "memory.size":
            self.out += b"\x3f\x00"
        else:
            for each in args:
                self.expr(each)
            self.out += OPCODES[op]

    def depth(self, label: Label) -> bytes:
        return uleb(self.labels[::-1].index(label))

    def statements(self, body: list[Any]) -> None:
        for s in body:
            getattr(self, f"_{s[0]}")(*s[1:])

    def _set(self, local: Local, value: E) -> None:
        self.expr(value)
        self.out += b"\x21" + self.place(local)

    def _store(self, op: str, address: E, offset: int, value: E) -> None:
        self.expr(address)
        self.expr(value)
        self.out += OPCODES[op] + bytes([align_of(op)]) + uleb(offset)

    def _if(self, test: E, then: list[Any], other: list[Any]) -> None:
        if len(then) == 1 and then[0][0] == "br" and not other:
            self._br_if(then[0][1], test)
            return
        self.expr(test)
        self.out += bytes([0x04, VOID])
        self.labels.append(None)
        self.statements(then)
        if other:
            self.out += b"\x05"
            self.statements(other)
        self.labels.pop()
        self.out += b"\x0b"

    def _block(self, label: Label, body: list[Any]) -> None:
        self._open(0x02, label, body)

    def _loop(self, label: Label, body: list[Any]) -> None:
        self._open(0x03, label, body)

    def _open(self, code: int, label: Label, body: list[Any]) -> None:
        self.out += bytes([code, VOID])
        self.labels.append(label)
        self.statements(body)
        self.labels.pop()
        self.out += b"\x0b"

    def _br(self, label: Label) -> None:
        self.out += b"\x0c" + self.depth(label)

    def _br_if(self, label: Label, test: E) -> None:
        self.expr(test)
        self.out += b"\x0d" + self.depth(label)

    def _br_table(self, value: E, labels: list[Label], other: Label) -> None:
        self.expr(value)
        self.out += b"\x0e" + uleb(len(labels)) + b"".join(map(self.depth, (*labels, other)))

    def _return(self, values: tuple[E, ...]) -> None:
        for each in values:
            self.expr(each)
        self.out += b"\x0f"

    def _call(self, found: list[Local], fn: Fn, args: list[E]) -> None:
        for each in args:
            self.expr(each)
        assert fn.number is not None, fn.name
        self.out += b"\x10" + uleb(fn.number)
        for local in reversed(found):
            self.out += b"\x21" + self.place(local)

    def _note(self, text: str) -> None:
        pass

    def _trap(self) -> None:
        self.out += b"\x00"

    def _copy(self, to: E, source: E, size: E) -> None:
        for each in (to, source, size):
            self.expr(each)
        self.out += b"\xfc\x0a\x00\x00"

    def _fill(self, to: E, byte: E, size: E) -> None:
        for each in (to, byte, size):
            self.expr(each)
        self.out += b"\xfc\x0b\x00"

    def _drop(self, value: E) -> None:
        self.expr(value)
        self.out += b"\x1a"


def encode_body(fn: Fn) -> bytes:
    return Encoder(fn).encode()
