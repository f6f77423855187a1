"""Functions as text that people can read: structured, with operators and with names for locals and labels.

For people who read the generated code. Unsigned operators have a `u`: `<u`, `>>u`. `i64[s + 24]` is a word in memory;
`u8[…]` and `s8[…]` are a byte that is extended when it is read. A branch out of a block is `break`, one to the
beginning of a loop is `continue`.
"""

from collections.abc import Iterator

from interpreter.wasm import statements as st
from interpreter.wasm.encoding import ACCESSES, F64, TYPE_NAMES
from interpreter.wasm.expressions import E, Local, is_truth
from interpreter.wasm.statements import Body, Fn, Label, Statement

INDENT = "    "
# Operator precedence, as in Python; but bitwise operators always have parentheses.
_CHOICE, _OR, _AND, _NOT, _COMPARISON, _BITS, _SUM, _PRODUCT, _PREFIX, _ATOM = range(10)
_INFIX = {
    "or": ("|", _BITS),
    "xor": ("^", _BITS),
    "and": ("&", _BITS),
    "shl": ("<<", _BITS),
    "shr": (">>", _BITS),
    "add": ("+", _SUM),
    "sub": ("-", _SUM),
    "mul": ("*", _PRODUCT),
    "div": ("/", _PRODUCT),
    "rem": ("%", _PRODUCT),
    "eq": ("==", _COMPARISON),
    "ne": ("!=", _COMPARISON),
    "lt": ("<", _COMPARISON),
    "le": ("<=", _COMPARISON),
    "gt": (">", _COMPARISON),
    "ge": (">=", _COMPARISON),
}
_CONVERSIONS = {
    "i32.wrap_i64": "i32",
    "i64.extend_i32_u": "i64",
    "i64.trunc_f64_s": "i64",
    "f64.convert_i64_s": "f64",
    "i64.popcnt": "popcount",
    "i64.ctz": "ctz",
    "f64.sqrt": "sqrt",
}
_LONG = 1 << 20  # numbers from here on are written in base 16


def show_function(fn: Fn) -> str:
    """A function as text, with a line for each statement."""
    return "\n".join(_Printer(fn).function()) + "\n"


class _Printer:
    def __init__(self, fn: Fn) -> None:
        self.fn = fn
        self.taken: set[str] = set()
        self.locals: dict[Local, str] = {}
        self.labels: dict[Label, str] = {}
        self.loops: set[Label] = set()

    def function(self) -> Iterator[str]:
        fn = self.fn
        params = ", ".join(f"{self.local(each)}: {TYPE_NAMES[each.type]}" for each in fn.params)
        results = ", ".join(TYPE_NAMES[each] for each in fn.results)
        arrow = f" -> ({results})" if len(fn.results) > 1 else f" -> {results}" if results else ""
        yield f"{'inline ' if fn.inline else ''}fn {fn.name}({params}){arrow} {{"
        yield from self.body(fn.body)
        yield "}"

    # ---- Names -----------------------------------------------------------------------------------

    def fresh(self, name: str) -> str:
        """A name that is not used yet."""
        found, n = name, 1
        while found in self.taken:
            n += 1
            found = f"{name}_{n}"
        self.taken.add(found)
        return found

    def local(self, local: Local) -> str:
        if local not in self.locals:
            self.locals[local] = self.fresh(local.name or "t")
        return self.locals[local]

    def label(self, label: Label) -> str:
        if label not in self.labels:
            self.labels[label] = self.fresh(label.name or f"L{len(self.labels) + 1}")
        return self.labels[label]

    def branch(self, label: Label) -> str:
        return f"{'continue' if label in self.loops else 'break'} {self.label(label)}"

    # ---- Statements ------------------------------------------------------------------------------

    def body(self, body: Body) -> Iterator[str]:
        for s in body:
            for line in self.statement(s):
                yield INDENT + line

    def statement(self, s: Statement) -> Iterator[str]:
        match s:
            case st.If():
                yield from self.choice(s)
            case st.Block() | st.Loop():
                if isinstance(s, st.Loop):
                    self.loops.add(s.label)
                yield f"{'loop' if isinstance(s, st.Loop) else 'block'} {self.label(s.label)} {{"
                yield from self.body(s.body)
                yield "}"
            case st.Switch():
                yield f"switch {self.expr(s.value)} {{"
                for n, each in enumerate(s.labels):
                    yield f"{INDENT}{n}: {self.branch(each)}"
                yield f"{INDENT}else: {self.branch(s.other)}"
                yield "}"
            case st.Note():
                for line in s.text.splitlines():
                    yield f"# {line}"
            case _:
                yield self.line(s)

    def choice(self, s: st.If, before: str = "") -> Iterator[str]:
        yield f"{before}if {self.expr(s.test)} {{"
        yield from self.body(s.then)
        if len(s.other) == 1 and isinstance(s.other[0], st.If):
            yield from self.choice(s.other[0], "} else ")
            return
        if s.other:
            yield "} else {"
            yield from self.body(s.other)
        yield "}"

    def line(self, s: Statement) -> str:
        """A statement without a body."""
        match s:
            case st.Set():
                value = self.expr(s.value)
                return f"{self.local(s.local)} = {value}"
            case st.Store():
                return f"{_width(s.op)}[{self.address(s.address, s.offset)}] = {self.expr(s.value)}"
            case st.Branch():
                return self.branch(s.label)
            case st.BranchIf():
                return f"{self.branch(s.label)} if {self.expr(s.test)}"
            case st.Return():
                return f"return {self.exprs(s.values)}".rstrip()
            case st.Call():
                call = f"{s.fn.name}({self.exprs(s.args)})"
                found = ", ".join(map(self.local, s.found))
                return f"{found} = {call}" if found else call
            case st.MemoryCopy():
                return f"copy({self.exprs((s.to, s.source, s.size))})"
            case st.MemoryFill():
                return f"fill({self.exprs((s.to, s.byte, s.size))})"
            case st.Drop():
                return f"drop {self.expr(s.value)}"
            case st.Trap():
                return "trap"
            case _:
                raise TypeError(f"{type(s).__name__} is no line")

    # ---- Expressions -----------------------------------------------------------------------------

    def exprs(self, values: tuple[E, ...]) -> str:
        return ", ".join(map(self.expr, values))

    def expr(self, e: E, least: int = 0) -> str:
        """An expression, in parentheses if its precedence is too low."""
        text, level = self.part(e)
        return text if level >= least else f"({text})"

    def part(self, e: E) -> tuple[str, int]:
        """An expression and its precedence."""
        op, args = e.op, e.args
        name = op.partition(".")[2]
        sign = "u" if name.endswith("_u") else ""
        if op == "get":
            return self.local(args[0]), _ATOM
        if op == "const":
            text = _number(args[0], e.type)
            return text, _PREFIX if text.startswith("-") else _ATOM
        if op in ACCESSES:
            return f"{_width(op)}[{self.address(*args)}]", _ATOM
        if op == "either":
            return self.either(*args)
        if op == "select":
            a, b, test = args
            return f"select({self.exprs((test, a, b))})", _ATOM
        if name == "eqz":
            if is_truth(args[0]):
                return f"not {self.expr(args[0], _NOT)}", _NOT
            return f"{self.expr(args[0], _SUM)} == 0", _COMPARISON
        if name == "xor" and args[1].op == "const" and args[1].value == -1:
            return f"~{self.expr(args[0], _PREFIX)}", _PREFIX
        if op == "f64.neg":
            return f"-{self.expr(args[0], _PREFIX)}", _PREFIX
        infix = _INFIX.get(name.removesuffix("_s").removesuffix("_u"))
        if infix and len(args) == 2:
            return self.infix(infix[0] + sign, infix[1], op, *args)
        return f"{_CONVERSIONS.get(op, op)}({self.exprs(args)})", _ATOM

    def either(self, test: E, a: E, b: E) -> tuple[str, int]:
        """A conditional expression, written as `and` or `or` if possible."""
        if is_truth(a) and b.value == 0:
            return f"{self.expr(test, _AND)} and {self.expr(a, _NOT)}", _AND
        if a.value == 1 and is_truth(b):
            return f"{self.expr(test, _OR)} or {self.expr(b, _AND)}", _OR
        return f"{self.expr(a, _OR)} if {self.expr(test, _OR)} else {self.expr(b)}", _CHOICE

    def infix(self, symbol: str, level: int, op: str, a: E, b: E) -> tuple[str, int]:
        if level == _SUM and symbol == "+" and b.op == "const" and b.value < 0:
            return f"{self.expr(a, level)} - {_number(-b.value, b.type)}", level
        if level == _BITS:
            left, right = _BITS if a.op == op else _PREFIX, _PREFIX
        elif level == _COMPARISON:
            left = right = _SUM
        else:
            left, right = level, level + 1
        return f"{self.expr(a, left)} {symbol} {self.expr(b, right)}", level

    def address(self, address: E, offset: int) -> str:
        if address.op == "const":
            return _number(address.value + offset, address.type)
        return f"{self.expr(address, _SUM)} + {offset}" if offset else self.expr(address)


def _number(value: float, type_: int) -> str:
    if type_ == F64:
        return repr(float(value))
    if -_LONG < value < _LONG:
        return str(value)
    return hex(int(value) % (1 << 32 if TYPE_NAMES[type_] == "i32" else 1 << 64))


def _width(op: str) -> str:
    """The width of a load or a store: `i64`, or for example `u8` if it is shorter than the value."""
    kind, _, name = op.partition(".")
    bits, _, sign = name.removeprefix("load").removeprefix("store").partition("_")
    return f"{sign or 'u'}{bits}" if bits else kind
