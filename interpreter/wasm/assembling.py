"""The body of a function -> its bytes: locals become numbers, and labels become the number of blocks to leave."""

from collections.abc import Callable
from itertools import groupby
from typing import Any

from interpreter.wasm import statements as st
from interpreter.wasm.encoding import ACCESSES, OPCODES, VOID, encoded_const, uleb
from interpreter.wasm.expressions import E, Local
from interpreter.wasm.statements import Body, Fn, Label, Statement

_UNREACHABLE, _BLOCK, _LOOP, _IF, _ELSE, _END = b"\x00", b"\x02", b"\x03", b"\x04", b"\x05", b"\x0b"
_BRANCH, _BRANCH_IF, _BRANCH_TABLE, _RETURN, _CALL, _DROP = (
    b"\x0c",
    b"\x0d",
    b"\x0e",
    b"\x0f",
    b"\x10",
    b"\x1a",
)
_GET, _SET = b"\x20", b"\x21"
_COPY, _FILL = b"\xfc\x0a\x00\x00", b"\xfc\x0b\x00"
_NOTHING = bytes([VOID])


def encode_body(fn: Fn) -> bytes:
    """The bytes of a body; the functions that it calls have their numbers already."""
    return _Assembler(fn).encode()


class _Assembler:
    def __init__(self, fn: Fn) -> None:
        self.fn = fn
        self.out = bytearray()
        self.places = {param: uleb(n) for n, param in enumerate(fn.params)}
        self.types: list[int] = []  # types of locals that are not parameters
        self.labels: list[Label | None] = []  # labels of the enclosing blocks; an `if` has none

    def encode(self) -> bytes:
        self.statements(self.fn.body)
        if self.fn.results:
            self.out += _UNREACHABLE  # every path has returned before
        runs = [uleb(len(list(run))) + bytes([kind]) for kind, run in groupby(self.types)]
        return uleb(len(runs)) + b"".join(runs) + bytes(self.out) + _END

    def place(self, local: Local) -> bytes:
        """The number of a local; a new local gets the next number."""
        n = self.places.get(local)
        if n is None:
            n = self.places[local] = uleb(len(self.places))
            self.types.append(local.type)
        return n

    def depth(self, label: Label) -> bytes:
        """How many blocks a branch to a label leaves, not counting the block of the label itself."""
        for n, each in enumerate(reversed(self.labels)):
            if each is label:
                return uleb(n)
        raise TypeError(
            f"{self.fn.name}: a branch to {label.name or 'a label'}, which is not around it"
        )

    # ---- Expressions -----------------------------------------------------------------------------

    def expr(self, e: E) -> None:
        op, args = e.op, e.args
        if op == "get":
            self.out += _GET + self.place(args[0])
        elif op == "const":
            self.out += encoded_const(e.type, args[0])
        elif op in ACCESSES:
            self.expr(args[0])
            self.out += ACCESSES[op] + uleb(args[1])
        elif op == "either":
            self.either(e.type, *args)
        elif op == "memory.size":
            self.out += b"\x3f\x00"
        else:
            for each in args:
                self.expr(each)
            self.out += OPCODES[op]

    def either(self, type_: int, test: E, a: E, b: E) -> None:
        self.expr(test)
        self.out += _IF + bytes([type_])
        self.expr(a)
        self.out += _ELSE
        self.expr(b)
        self.out += _END

    # ---- Statements ------------------------------------------------------------------------------

    def statements(self, body: Body) -> None:
        for s in body:
            _STATEMENTS[type(s)](self, s)

    def set(self, s: st.Set) -> None:
        self.expr(s.value)
        self.out += _SET + self.place(s.local)

    def store(self, s: st.Store) -> None:
        self.expr(s.address)
        self.expr(s.value)
        self.out += ACCESSES[s.op] + uleb(s.offset)

    def if_(self, s: st.If) -> None:
        self.expr(s.test)
        if len(s.then) == 1 and not s.other and isinstance(s.then[0], st.Branch):
            self.out += _BRANCH_IF + self.depth(s.then[0].label)
            return
        self.out += _IF + _NOTHING
        self.labels.append(None)
        self.statements(s.then)
        if s.other:
            self.out += _ELSE
            self.statements(s.other)
        self.labels.pop()
        self.out += _END

    def block(self, s: st.Block | st.Loop) -> None:
        self.out += (_BLOCK if isinstance(s, st.Block) else _LOOP) + _NOTHING
        self.labels.append(s.label)
        self.statements(s.body)
        self.labels.pop()
        self.out += _END

    def branch(self, s: st.Branch) -> None:
        self.out += _BRANCH + self.depth(s.label)

    def branch_if(self, s: st.BranchIf) -> None:
        self.expr(s.test)
        self.out += _BRANCH_IF + self.depth(s.label)

    def switch(self, s: st.Switch) -> None:
        self.expr(s.value)
        depths = [self.depth(each) for each in (*s.labels, s.other)]
        self.out += _BRANCH_TABLE + uleb(len(s.labels)) + b"".join(depths)

    def return_(self, s: st.Return) -> None:
        for each in s.values:
            self.expr(each)
        self.out += _RETURN

    def call(self, s: st.Call) -> None:
        if s.fn.number is None:
            raise TypeError(f"{self.fn.name} calls {s.fn.name}, which is not in the module")
        for each in s.args:
            self.expr(each)
        self.out += _CALL + uleb(s.fn.number)
        for local in reversed(s.found):
            self.out += _SET + self.place(local)

    def copy(self, s: st.MemoryCopy) -> None:
        for each in (s.to, s.source, s.size):
            self.expr(each)
        self.out += _COPY

    def fill(self, s: st.MemoryFill) -> None:
        for each in (s.to, s.byte, s.size):
            self.expr(each)
        self.out += _FILL

    def drop(self, s: st.Drop) -> None:
        self.expr(s.value)
        self.out += _DROP

    def trap(self, _: st.Trap) -> None:
        self.out += _UNREACHABLE

    def note(self, _: st.Note) -> None:
        pass


_STATEMENTS: dict[type[Statement], Callable[[_Assembler, Any], None]] = {
    st.Set: _Assembler.set,
    st.Store: _Assembler.store,
    st.If: _Assembler.if_,
    st.Block: _Assembler.block,
    st.Loop: _Assembler.block,
    st.Branch: _Assembler.branch,
    st.BranchIf: _Assembler.branch_if,
    st.Switch: _Assembler.switch,
    st.Return: _Assembler.return_,
    st.Call: _Assembler.call,
    st.MemoryCopy: _Assembler.copy,
    st.MemoryFill: _Assembler.fill,
    st.Drop: _Assembler.drop,
    st.Trap: _Assembler.trap,
    st.Note: _Assembler.note,
}
