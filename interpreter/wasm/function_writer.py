"""Statements -> the body of a function; a statement with wrong types raises at once, where the mistake is."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from attrs import define, field

from interpreter.wasm import statements as st
from interpreter.wasm.copying import paste
from interpreter.wasm.encoding import I32, TYPE_NAMES
from interpreter.wasm.expressions import E, Local, address_with_offset
from interpreter.wasm.statements import Body, Fn, Label, Statement


@define(eq=False)
class Writer:
    """Writes into `out`, which is the body of a function or, inside a `with`, a body in it."""

    fn: Fn
    out: Body = field(init=False, repr=False)
    _decided: tuple[Body, int, bool] | None = field(init=False, default=None, repr=False)

    def __attrs_post_init__(self) -> None:
        self.out = self.fn.body

    def add(self, statement: Statement) -> None:
        """A statement that was made elsewhere."""
        self.out.append(statement)

    def extend(self, statements: Iterable[Statement]) -> None:
        """Statements that were made elsewhere, for example by `aside`."""
        self.out.extend(statements)

    def note(self, text: str) -> None:
        """A comment on what follows, for those who read the code."""
        self.out.append(st.Note(text))

    # ---- Values ----------------------------------------------------------------------------------

    def local(self, type_: int, name: str = "") -> Local:
        """A new local; it begins at 0."""
        return Local(type_, name)

    def set(self, local: Local, value: E) -> None:
        if local.type != value.type:
            raise self._wrong(f"local {local.name}", value, local.type)
        self.out.append(st.Set(local, value))

    def let(self, value: E, name: str = "") -> E:
        """The same value, computed once, here, for any number of uses.

        An expression is computed in the statement that uses it, not where it was made. So a load that should read the
        present memory must pass through here before the next store, call, copy or fill. This function returns a `get`
        unchanged; copy it to another local before its local is set.
        """
        if value.is_simple:
            return value
        local = Local(value.type, name)
        self.out.append(st.Set(local, value))
        return local.read

    def drop(self, value: E) -> None:
        """Compute a value and discard it, for example to trap."""
        self.out.append(st.Drop(value))

    # ---- Memory ----------------------------------------------------------------------------------

    def store(self, op: str, address: E, value: E, offset: int = 0) -> None:
        address, offset = address_with_offset(address, offset)
        if TYPE_NAMES[value.type] != op.partition(".")[0]:
            raise TypeError(f"{self.fn.name}: {op} of {TYPE_NAMES[value.type]}")
        self.out.append(st.Store(op, address, offset, value))

    def copy(self, to: E, source: E, size: E) -> None:
        """Copy bytes; the two places may overlap."""
        self.out.append(st.MemoryCopy(to, source, size))

    def fill(self, to: E, byte: E, size: E) -> None:
        """Set all bytes of a range to one value."""
        self.out.append(st.MemoryFill(to, byte, size))

    # ---- Control flow ----------------------------------------------------------------------------

    @contextmanager
    def aside(self) -> Iterator[Body]:
        """Write statements into a list, which is added later with `extend`."""
        outer, self.out = self.out, []
        yield self.out
        self.out = outer

    @contextmanager
    def when(self, test: E) -> Iterator[None]:
        """The statements to run if a test holds; a constant test is removed."""
        if test.type != I32:
            raise self._wrong("a test", test, I32)
        outer, self.out = self.out, []
        yield
        inner, self.out = self.out, outer
        self._decided = None
        if test.op != "const":
            outer.append(st.If(test, inner, []))
            return
        if test.value:
            outer += inner
        self._decided = outer, len(outer), bool(test.value)

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """The statements to run if the test of the preceding `when` does not hold."""
        outer, decided, last = self.out, self._decided, None
        if decided is None or decided[0] is not outer or decided[1] != len(outer):
            decided = None
            last = outer[-1] if outer else None
            if not isinstance(last, st.If) or last.other:
                raise TypeError(f"{self.fn.name}: otherwise without when")
        self.out = []
        yield
        inner, self.out = self.out, outer
        if isinstance(last, st.If):
            outer[-1] = st.If(last.test, last.then, inner)
        elif decided and not decided[2]:
            outer += inner
        self._decided = None

    @contextmanager
    def block(self, name: str = "", label: Label | None = None) -> Iterator[Label]:
        """Statements that a branch to the label leaves; the label may have been made before."""
        label = label or Label(name)
        outer, self.out = self.out, []
        yield label
        inner, self.out = self.out, outer
        outer.append(st.Block(label, inner))

    @contextmanager
    def loop(self, name: str = "") -> Iterator[Label]:
        """Statements that a branch to the label repeats; without such a branch they run once."""
        label = Label(name)
        outer, self.out = self.out, []
        yield label
        inner, self.out = self.out, outer
        outer.append(st.Loop(label, inner))

    def br(self, label: Label) -> None:
        """Branch: to the end of a block, or to the beginning of a loop."""
        self.out.append(st.Branch(label))

    def br_if(self, label: Label, test: E) -> None:
        """Branch if a test holds."""
        if test.type != I32:
            raise self._wrong("a test", test, I32)
        if test.op != "const":
            self.out.append(st.BranchIf(label, test))
        elif test.value:
            self.out.append(st.Branch(label))

    def switch(self, value: E, labels: Iterable[Label], other: Label) -> None:
        """Branch to the label with this number, or to the other one."""
        self.out.append(st.Switch(value, tuple(labels), other))

    def trap(self) -> None:
        """Stop everything."""
        self.out.append(st.Trap())

    # ---- Functions -------------------------------------------------------------------------------

    def give_back(self, *values: E) -> None:
        """Return from the function."""
        if [each.type for each in values] != self.fn.results:
            given = _types(each.type for each in values)
            raise TypeError(
                f"{self.fn.name} gives back {given} where {_types(self.fn.results)} is due"
            )
        self.out.append(st.Return(values))

    def call(self, fn: Fn, args: Iterable[E]) -> list[E]:
        """Call a function and return its results, each in a local of its own."""
        args = tuple(args)
        if [each.type for each in args] != [each.type for each in fn.params]:
            wanted, given = _types(p.type for p in fn.params), _types(a.type for a in args)
            raise TypeError(f"{self.fn.name} gives {given} to {fn.name}, which takes {wanted}")
        found = tuple([Local(each, f"{fn.name}_{n}") for n, each in enumerate(fn.results)])
        if fn.inline:
            paste(self.out, fn, args, found)
        else:
            self.out.append(st.Call(found, fn, args))
        return [each.read for each in found]

    def _wrong(self, where: str, value: E, wanted: int) -> TypeError:
        return TypeError(
            f"{self.fn.name}: {TYPE_NAMES[value.type]} in {where}, which is {TYPE_NAMES[wanted]}"
        )


def _types(types: Iterable[int]) -> str:
    return f"({', '.join(TYPE_NAMES[each] for each in types)})"
