"""Types and values of restricted Python, and the names of a text: constants, tables, structures, functions.

`docs/restricted-python.md` says what the types mean.
"""

from collections.abc import Sequence

from attrs import define, field, frozen

from interpreter.wasm import masks
from interpreter.wasm.encoding import F64, I32, I64
from interpreter.wasm.expressions import E, Local, load
from interpreter.wasm.statements import Fn

NUMBERS = {"i32": I32, "bool": I32, "i64": I64, "u64": I64, "f64": F64}


@frozen
class Kind:
    """How a field or an element is read and written, the type of its value, and how many bytes it takes."""

    load: str
    store: str
    type: str
    size: int


KINDS = {
    "i64": Kind("i64.load", "i64.store", "i64", 8),
    "u64": Kind("i64.load", "i64.store", "u64", 8),
    "n32": Kind("i64.load32_s", "i64.store32", "i64", 4),
    "n8": Kind("i64.load8_u", "i64.store8", "i64", 1),
    "n16": Kind("i64.load16_u", "i64.store16", "i64", 2),
    "i32": Kind("i32.load", "i32.store", "i32", 4),
    "f64": Kind("f64.load", "f64.store", "f64", 8),
}


@frozen(eq=False)
class T:
    """A value: its type, and an expression, or one for each word of a mask, or none if it is `void`."""

    type: str
    lanes: tuple[E, ...]

    @property
    def e(self) -> E:
        return self.lanes[0]


NOTHING = T("void", ())


@define(eq=False)
class Names:
    """What functions can name."""

    words: int  # of a mask
    constants: dict[str, int] = field(factory=dict)
    tables: dict[str, tuple[int, str]] = field(factory=dict)  # an address, and the kind of elements
    # Of each field its offset and its kind; `[n8]` is an array of `n8`, as long as you like.
    structs: dict[str, dict[str, tuple[int, str]]] = field(factory=dict)
    functions: dict[str, Fn] = field(factory=dict)
    types: dict[str, tuple[list[str], str | None]] = field(factory=dict)  # of functions
    active: list[str] = field(
        factory=list, init=False
    )  # functions whose bodies are being translated

    def declare(
        self,
        name: str,
        params: list[str],
        result: str | None,
        *,
        inline: bool = False,
        names: Sequence[str] = (),
    ) -> Fn:
        """Declare a function, so that others can call it; the caller writes its body or gives it a source."""
        flat = [
            Local(each, names[n] if names else f"{name}{n}")
            for n, param in enumerate(params)
            for each in self.wasm(param)
        ]
        fn = Fn(name, flat, self.wasm(result) if result else [], inline=inline)
        self.functions[name], self.types[name] = fn, (params, result)
        return fn

    def wasm(self, type_: str) -> list[int]:
        """The WebAssembly types of a value; everything but numbers and masks is an address."""
        return [I64] * self.words if type_ == "mask" else [NUMBERS.get(type_, I32)]

    def is_type(self, type_: str) -> bool:
        return type_ in NUMBERS or type_ == "mask" or type_ in self.structs or self.is_array(type_)

    def is_array(self, type_: str) -> bool:
        inner = type_[1:-1]
        return type_ == f"[{inner}]" and (inner == "mask" or inner in KINDS)

    def is_address(self, type_: str) -> bool:
        return type_ == "i32" or type_ in self.structs or self.is_array(type_)

    def size(self, kind: str) -> int:
        """How many bytes an element takes."""
        return 8 * self.words if kind == "mask" else KINDS[kind].size

    # ---- Masks, for whoever writes functions -----------------------------------------------------

    def mask(self, value: int) -> tuple[E, ...]:
        """The mask with the bits of a number."""
        return masks.constant_mask(value, self.words)

    def load_mask(self, address: E, offset: int = 0) -> tuple[E, ...]:
        """The mask that lies in memory; the address is in a local."""
        return tuple([load("i64.load", address, offset + 8 * n) for n in range(self.words)])
