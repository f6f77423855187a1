"""Statements of the intermediate representation, the labels that they branch to, and functions that consist of them.

    text in restricted Python ──restricted──┐
                                            ▼
    rules ─────────────Writer──────────▶ functions ──inline_calls──▶ functions ──encode_body──▶ bytes

A body is a list of statements. Control flow is structured: a branch leaves a block, or goes on with a loop, around it.
Labels are objects; `assembling` counts how many blocks a branch leaves.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from attrs import define, field, frozen

from interpreter.wasm.expressions import E, Local


@define(eq=False)
class Label:
    """The end of a block, or the beginning of a loop; its name is for people."""

    name: str = ""


@frozen(eq=False)
class Set:
    local: Local
    value: E


@frozen(eq=False)
class Store:
    op: str
    address: E
    offset: int
    value: E


@frozen(eq=False)
class If:
    test: E
    then: "Body"
    other: "Body"


@frozen(eq=False)
class Block:
    """A branch to its label goes to its end."""

    label: Label
    body: "Body"


@frozen(eq=False)
class Loop:
    """A branch to its label goes to its beginning; at its end, control leaves the loop."""

    label: Label
    body: "Body"


@frozen(eq=False)
class Branch:
    label: Label


@frozen(eq=False)
class BranchIf:
    label: Label
    test: E


@frozen(eq=False)
class Switch:
    """A branch to the label with this number, or to the other one."""

    value: E
    labels: tuple[Label, ...]
    other: Label


@frozen(eq=False)
class Return:
    values: tuple[E, ...]


@frozen(eq=False)
class Call:
    """A call; its results go into locals."""

    found: tuple[Local, ...]
    fn: "Fn"
    args: tuple[E, ...]


@frozen(eq=False)
class MemoryCopy:
    to: E
    source: E
    size: E


@frozen(eq=False)
class MemoryFill:
    to: E
    byte: E
    size: E


@frozen(eq=False)
class Drop:
    """A value that is computed and discarded, for example to trap."""

    value: E


@frozen(eq=False)
class Trap:
    """Stop the module: the reference takes over."""


@frozen(eq=False)
class Note:
    """A comment on what follows."""

    text: str


Statement: TypeAlias = (
    Set
    | Store
    | If
    | Block
    | Loop
    | Branch
    | BranchIf
    | Switch
    | Return
    | Call
    | MemoryCopy
    | MemoryFill
    | Drop
    | Trap
    | Note
)
Body: TypeAlias = list[Statement]


@frozen(eq=False)
class InlineFacts:
    """Facts about a body that inlining needs."""

    changed: frozenset[Local]
    unset: tuple[Local, ...]  # they may be read before they are set: they begin at 0
    is_straight: bool  # it returns at its end, and nowhere else


@define(eq=False)
class Fn:
    """A function. An `inline` one is written where it is called, and is no function of the module.

    `source`, if given, writes the body when it is first needed; the body of an unused function is never written.
    """

    name: str
    params: list[Local]
    results: list[int]
    _body: Body = field(factory=list, repr=False)
    inline: bool = False
    number: int | None = None  # in the module
    source: Callable[[], None] | None = field(default=None, repr=False)
    facts: InlineFacts | None = field(
        default=None, init=False, repr=False
    )  # `copying` keeps them here

    def write(self) -> None:
        """Write the body, unless it is already written."""
        if self.source is not None:
            source, self.source = self.source, None
            source()

    @property
    def body(self) -> Body:
        self.write()
        return self._body

    @body.setter
    def body(self, body: Body) -> None:
        self._body, self.facts = body, None


_Bodied = (Block, Loop)


def all_statements(body: Body) -> list[Statement]:
    """All statements of a body and of the bodies in it, in no special order."""
    found: list[Statement] = []
    waiting = [body]
    while waiting:
        each = waiting.pop()
        found += each
        for s in each:
            if isinstance(s, If):
                waiting += (s.then, s.other)
            elif isinstance(s, _Bodied):
                waiting.append(s.body)
    return found


def reachable(roots: Iterable[Fn]) -> list[Fn]:
    """These functions and those that they call, directly or not, in the order in which they are met.

    Inlined functions have no calls left, so they are not included.
    """
    found = dict.fromkeys(roots)
    waiting = list(found)
    for fn in waiting:
        for s in all_statements(fn.body):
            if isinstance(s, Call) and s.fn not in found:
                found[s.fn] = None
                waiting.append(s.fn)
    return waiting
