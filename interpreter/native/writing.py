"""Generated C: expressions and what they are like, lines as they grow, and where names are known."""

import itertools
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import define, evolve, field, frozen

INDENT = "    "


@frozen
class Text:
    """An expression of C, and what its value is like.

    `form` says of which C type it is: a `number` (`num`, which may be NONE), a `mask` of pieces in the order
    of their numbers, a `list` or a `pile` (both can be pointed at), or a `num` that stands for a set:
    `single` for a set of one, `perhaps` for one of at most one. `subsets` is a list with bounds of sizes, `family`
    any other family of subsets, and `indexed` an array for a local family.
    """

    code: str
    form: str = "number"
    low: int | None = None
    high: int | None = None
    order: str | None = None  # of a zone: pool or pile, if that is known
    home: str | None = None  # the one zone in which all pieces of a set lie
    constant: bool = False  # it never changes
    value: Any = None  # of a constant set
    sizes: tuple[str, str] = ("", "")  # of subsets
    element: str = "number"  # of a local family: the form of its members

    @property
    def is_simple(self) -> bool:
        """Whether it may as well be written twice."""
        return re.fullmatch(r"-?(f->)?\w+", self.code) is not None


TYPES = {
    "number": "num",
    "perhaps": "num",
    "single": "num",
    "mask": "mask",
    "list": "list",
    "family": "family",
}


def remark(text: str) -> str:
    """A comment: whatever stands in it, it ends with its line."""
    plain = "".join(each if each.isprintable() else " " for each in text)
    return f"// {plain}".rstrip("\\ ")


def number(value: int) -> Text:
    return Text(str(value), low=value, high=value)


@define
class Lines:
    """Source as it grows; `counter` numbers names that last for a moment."""

    counter: Iterator[int] = field(factory=lambda: itertools.count(1))
    lines: list[str] = field(factory=list)
    depth: int = 0
    declares: bool = False

    def add(self, *lines: str) -> None:
        self.lines += [f"{INDENT * self.depth}{line}" if line else "" for line in lines]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines one step deeper, in braces."""
        self.add(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.add("}")

    def declare(
        self, kind: str, wanted: str, value: str | None = None, size: int | None = None
    ) -> str:
        """A name for a value, or for an array of some size, that is needed for a moment."""
        name = self.fresh(wanted)
        place = name if size is None else f"{name}[{size}]"
        self.add(f"{kind} {place};" if value is None else f"{kind} {place} = {value};")
        self.declares = True
        return name

    def fresh(self, wanted: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", wanted)
        return f"{plain}_{next(self.counter)}"

    def fork(self) -> "Lines":
        """Lines that may be put here later, or nowhere."""
        return Lines(self.counter)

    def take(self, other: "Lines") -> None:
        self.add(*other.lines)
        self.declares |= other.declares


@frozen
class Scope:
    """How slots and bound names are written, and where lines go that an expression needs before it."""

    out: Lines
    slots: Mapping[int, Text] = field(factory=dict)
    bound: Mapping[int, Text] = field(factory=dict)
    ordered: bool = True  # whether the order of a set makes a difference

    def bind(self, number: int, text: Text) -> "Scope":
        return evolve(self, bound={**self.bound, number: text})

    def aside(self) -> "Scope":
        """The same names, and lines that are put in place only if they are needed."""
        return evolve(self, out=self.out.fork())

    def loosely(self) -> "Scope":
        return evolve(self, ordered=False)

    def strictly(self) -> "Scope":
        return evolve(self, ordered=True)
