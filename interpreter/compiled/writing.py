"""Generated source: its lines, its names, and the data that it refers to.

What is written here reads like code that somebody wrote: names come from the rules, and each line of a
rule stands as a comment above what became of it.
"""

import re
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from keyword import iskeyword
from typing import Any

from attrs import define, evolve, field, frozen

INDENT = "    "
MOST_INLINE = 60  # characters of a tuple that stands where it is used


class Unsupported(Exception):  # noqa: N818 - no error: another engine plays such a game
    """Something that a fast engine does not play."""


@frozen
class Text:
    """An expression, and what its value is like.

    `form` says how a set of pieces is kept: as a `mask` (bit n is piece n; the order is that of the
    numbers), as a `perhaps` (a piece or none) or a `single` one; everything else is `plain`, as the
    reference has it, and a plain set is a tuple or bytes. `low` and `high` bound a number, if they are known.
    A zone is `pool` or `pile`, if that is known. `home` is the one zone in which all pieces of a set lie, and
    `reach` are the pieces that can be in a mask, if that is known. `members` are all that a value, or the
    elements of a set, can be. A value is `sure` if it cannot be none. `truth` is as true as the value and
    shorter, if there is such an expression.
    """

    code: str
    form: str = "plain"
    low: int | None = None
    high: int | None = None
    order: str | None = None
    home: str | None = None
    reach: int | None = None
    members: tuple[int, ...] | None = None
    sure: bool = False
    truth: str | None = None

    @property
    def is_cheap(self) -> bool:
        """Whether it may as well be written twice."""
        return re.fullmatch(r"-?\w+(\[\w+( [+-] \w+)?\])?", self.code) is not None


def number(value: int) -> Text:
    return Text(str(value), low=value, high=value)


def ranged(text: Text, low: int | None, high: int | None) -> Text:
    return evolve(text, low=low, high=high)


@define
class Lines:
    """Source as it grows."""

    lines: list[str] = field(factory=list)
    depth: int = 0
    counter: int = 0

    def add(self, *lines: str) -> None:
        self.lines += [f"{INDENT * self.depth}{line}" if line else "" for line in lines]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines one step deeper, below their head."""
        self.add(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if all(line.lstrip().startswith("#") for line in self.lines[before:]):
            self.add("pass")
        self.depth -= 1

    def fresh(self, name: str) -> str:
        """A name for a moment."""
        self.counter += 1
        return f"{name}_{self.counter}"


@define
class Names:
    """Names in the generated module: no two things have the same one."""

    taken: set[str] = field(factory=set)

    def make(self, wanted: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", wanted).strip("_") or "x"
        if plain[0].isdigit() or iskeyword(plain):
            plain = f"_{plain}"
        found, count = plain, 2
        while found in self.taken:
            found, count = f"{plain}_{count}", count + 1
        self.taken.add(found)
        return found


@define
class Pool:
    """Data that the source refers to by name, each once."""

    names: Names
    values: dict[str, Any] = field(factory=dict)
    known: dict[Hashable, str] = field(factory=dict)

    def keep(self, name: str, value: Any, key: Hashable = None) -> str:
        """The name of a value; `key` tells equal ones, if the value itself cannot."""
        found = (name, type(value).__name__, repr(value) if key is None else key)
        if found not in self.known:
            self.known[found] = self.names.make(name)
            self.values[self.known[found]] = value
        return self.known[found]

    def constant(self, value: Any, name: str = "SET") -> str:
        """A value as source: written out if that is short, or else by name."""
        if isinstance(value, int) or value is None:
            return repr(value) if not isinstance(value, int) or abs(value) < 1 << 31 else hex(value)
        if isinstance(value, tuple | str) and _is_plain(value) and len(repr(value)) <= MOST_INLINE:
            return repr(value)
        return self.keep(name, value)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, int | str)
