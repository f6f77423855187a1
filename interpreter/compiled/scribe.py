"""An operation of flat code -> an expression of Python, for one table.

There is one writer for each operation, listed by name, as there is one builder for each in
`interpreter.operations`, which says what it means. What can be known for a table is computed while writing:
options, the number of players, tables that only depend on them.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from interpreter.compiled.facts import Facts
from interpreter.compiled.masks import mask
from interpreter.compiled.places import Places, places_of
from interpreter.compiled.writing import Lines, Names, Pool, Text, Unsupported
from interpreter.errors import Crash, RuleFault
from interpreter.expressions import whole
from interpreter.flat import Code
from interpreter.layout import Family, Layout
from interpreter.machine import Machine
from interpreter.reading import operations
from interpreter.state import SLOTS, State
from rulespec.core.operations import BINDING, FAILING, VARYING
from rulespec.core.tree import Op
from rulespec.core.types import LEAST, MOST, Choice, Number, Several, Type, present

Writer: TypeAlias = Callable[["Scribe", Op, "Scope"], Text]
WRITERS: dict[str, Writer] = {}


def writer(name: str) -> Callable[[Writer], Writer]:
    def register(write: Writer) -> Writer:
        WRITERS[name] = write
        return write

    return register


@frozen
class Scope:
    """How the slots of a frame and the names bound by an expression are written.

    Where the order of a set makes no difference, it is not `ordered`. What is known about slots just now is
    kept up to date by whoever writes the lines around here; their other names may be used if it is `named`.
    """

    slots: Mapping[int, Text]
    bound: Mapping[int, Text] = field(factory=dict)
    ordered: bool = True
    depth: int = 0  # how many names are bound around here
    facts: Facts = field(factory=Facts)
    named: bool = True

    def fresh(self, name: str = "b") -> str:
        """A name for elements of a set: the same one wherever it cannot be mistaken for another."""
        return f"{name}{self.depth}"

    def bind(self, number: int, text: Text) -> "Scope":
        return evolve(self, bound={**self.bound, number: text}, depth=self.depth + 1)

    def deeper(self) -> "Scope":
        return evolve(self, depth=self.depth + 1)

    def apart(self) -> "Scope":
        """The same for code that will stand elsewhere, where locals are not at hand."""
        return evolve(self, named=False)

    def loosely(self) -> "Scope":
        return evolve(self, ordered=False)

    def strictly(self) -> "Scope":
        return evolve(self, ordered=True)


CALCULATED = frozenset(
    {
        "add",
        "subtract",
        "times",
        "divide",
        "modulo",
        "abs",
        "count",
        "sum_of",
        "count_family",
        "index",
    }
)


@define
class Scribe:
    """What is written for: a table, the names and data so far, and the functions that are called."""

    machine: Machine
    names: Names
    pool: Pool
    done: Lines  # the functions of the program
    places: Places = field(init=False)
    functions: dict[tuple[str, tuple[str, ...]], Text] = field(factory=dict)
    constants: dict[int, tuple[Op, Any]] = field(factory=dict)
    zone_names: dict[str, str] = field(factory=dict)
    variable_names: dict[str, str] = field(factory=dict)
    masks: dict[str, frozenset[int]] = field(factory=dict)  # of blocks the slots that are masks

    def __attrs_post_init__(self) -> None:
        self.places = places_of(self.layout)

    @property
    def layout(self) -> Layout:
        return self.machine.layout

    @property
    def code(self) -> Code:
        return self.layout.code

    # ---- Expressions -----------------------------------------------------------------------------

    def text(self, op: Op, scope: Scope) -> Text:
        """An expression in whatever form is best."""
        if op.name != "zone":
            found, value = self.known(op)
            if found:
                return self.literal(value)
        if op.name not in WRITERS:
            raise Unsupported(f"`{op.name}`")
        return WRITERS[op.name](self, op, scope)

    def plain(self, op: Op, scope: Scope) -> str:
        """An expression whose value is as in the reference."""
        return as_plain(self.text(op, scope.strictly())).code

    def truth(self, op: Op, scope: Scope) -> str:
        """A condition where only its truth matters."""
        text = as_plain(self.text(op, scope.strictly()))
        return text.truth or as_truth(text.code)

    def several(self, op: Op, scope: Scope) -> Text:
        """A set: a mask, or something to run through."""
        return as_several(self.text(op, scope))

    def mask(self, op: Op, scope: Scope) -> str:
        """A set of pieces as a mask."""
        return as_mask(self.text(op, scope.loosely()))

    def literal(self, value: Any) -> Text:
        if isinstance(value, int) and not isinstance(value, bool):
            return Text(self.pool.constant(value), low=value, high=value)
        return Text(self.pool.constant(value))

    def may_be_none(self, op: Op, text: Text) -> bool:
        """Whether a value may be none: calculated numbers never are, nor those of which a range is known."""
        return not text.sure and text.low is None and op.name not in CALCULATED

    def typed(self, text: Text, type_: Type | None) -> Text:
        """What a type says about the value of a slot, a variable or a function."""
        if isinstance(type_, Number) and (type_.low, type_.high) != (LEAST, MOST):
            low = None if type_.low == LEAST else type_.low
            high = None if type_.high == MOST else type_.high
            return evolve(text, low=low, high=high)
        of = None if type_ is None else present(type_)
        of = present(of.of) if isinstance(of, Several) else of
        if isinstance(of, Choice):
            return evolve(text, members=self.layout.enums.get(of.enum))
        return text

    def op(self, op: Op) -> str:
        """An operation by name, to say where a fault is."""
        return self.pool.keep("OP", op, (op.span.source.name, op.span.start, op.span.end, op.name))

    # ---- What is known ---------------------------------------------------------------------------

    def known(self, op: Op) -> tuple[bool, Any]:
        """Whether an expression has one value at this table, and that value."""
        key = id(
            op
        )  # compared in full they would be slow; kept beside its value, none loses its id
        if key not in self.constants:
            self.constants[key] = op, self._value(op)
        _, value = self.constants[key]
        return value is not NotImplemented, value

    def _value(self, op: Op) -> Any:
        """The one value of an expression, or NotImplemented if it has none."""
        return self.evaluate(op) if self._is_constant(op) else NotImplemented

    def evaluate(self, op: Op) -> Any:
        """The value of an expression that looks at nothing, or NotImplemented if it has none."""
        try:
            value = whole(self.machine.making.context, op, SLOTS, 64)(State(), [0, 0])
        except (RuleFault, Crash, AttributeError, KeyError):
            return NotImplemented
        return value if _is_data(value) else NotImplemented

    def _is_constant(self, op: Op) -> bool:
        """Slots vary, and so do the parameters of functions."""
        return not any(
            each.name in VARYING or each.name in BINDING for each in operations(self.code, op)
        )

    def may_fail(self, *ops: Op) -> bool:
        """Whether computing this can find a fault: then it is computed even if nobody needs it."""
        return any(each.name in FAILING for each in operations(self.code, *ops))

    # ---- Places ----------------------------------------------------------------------------------

    def holds(self, family: str) -> int:
        """The pieces that may lie in zones of a family, as a mask."""
        held = self.layout.holds[self.layout.zone_families[family].base]
        return (1 << len(self.layout.pieces)) - 1 if held is None else mask(held)

    def field(self, name: str) -> str:
        return f"s[{name}]"

    def place(self, family: Family, base: str, indices: Iterable[Op], scope: Scope) -> str:
        """The number of a member of a family, given all its indices."""
        parts: list[str] = []
        offset = 0
        for values, stride, index in zip(family.domains, family.strides, indices, strict=False):
            is_known, value = self.known(index)
            if is_known:
                offset += values.index(value) * stride
                continue
            code = self.plain(index, scope)
            first = values[0]
            if values == tuple(range(first, first + len(values))):
                offset -= first * stride
                parts.append(code if stride == 1 else f"{stride} * {code}")
            else:
                table = {value: n * stride for n, value in enumerate(values)}
                parts.append(f"{self.pool.keep('PLACE', table)}[{code}]")
        if offset:
            parts.append(str(abs(offset)))
        if len(parts) > 1 and offset < 0:
            return f"{base} + {' + '.join(parts[:-1])} - {parts[-1]}"
        if offset < 0:
            return f"{base} - {parts[0]}"
        return " + ".join([base, *parts])


def _is_data(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_data, value))
    return value is None or isinstance(value, int)


# ---- Forms ---------------------------------------------------------------------------------------


def as_plain(text: Text) -> Text:
    """As in the reference: a set of pieces is a tuple."""
    match text.form:
        case "mask":
            return Text(f"bits({text.code})")
        case "perhaps":
            if text.is_cheap:
                return Text(f"(() if {text.code} is None else ({text.code},))")
            return Text(f"perhaps({text.code})")
        case "single":
            return Text(f"({text.code},)")
        case "bytes":
            return Text(f"tuple({text.code})")
        case "subsets":
            return Text(f"sized_subsets({text.code})")
        case _:
            return text


def as_truth(code: str) -> str:
    """A condition where only its truth matters: a mask that is not empty is as true as it is not 0."""
    found = re.fullmatch(r"\(\(([^()]+)\) != 0\)|\((\w+\[\w+\]) != 0\)", code)
    return f"({found[1] or found[2]})" if found else code


def as_listing(code: str) -> str:
    """A set whose elements are listed here and now, without the tuple around the list."""
    if not code.startswith("tuple([") or not code.endswith("])"):
        return code
    inside = code.removeprefix("tuple(").removesuffix(")")
    depth = 0
    for n, sign in enumerate(inside):
        depth += (sign == "[") - (sign == "]")
        if not depth and n < len(inside) - 1:
            return code  # it ends before: there is more behind it
    return inside


def as_several(text: Text) -> Text:
    """A mask, or something to run through."""
    return text if text.form in ("mask", "bytes") else as_plain(text)


def as_mask(text: Text) -> str:
    match text.form:
        case "mask":
            return text.code
        case "perhaps":
            return f"perhaps_bit({text.code})"
        case "single":
            return f"1 << {text.code}"
        case _:
            return f"mask({text.code})"
