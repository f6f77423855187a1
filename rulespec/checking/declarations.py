"""What a program declares, once its layers are merged: plain data, by name.

`overlays` makes it, the passes look at it, and `program` adds what they have learnt.
"""

from collections.abc import Iterator
from typing import Any, Generic, Literal, TypeVar

import attrs
from attrs import define, field, frozen

from rulespec.checking.layers import Chosen, Docs, Layer
from rulespec.syntax import nodes

Node = TypeVar("Node", covariant=True)  # noqa: PLC0105 - it is one kind of node or another


@frozen
class Declared(Generic[Node]):
    """A declaration, the layer in which it stands, and the doc lines above it."""

    node: Node
    layer: Layer
    docs: Docs = ()


@define
class Routine:
    """A function (`let`, table) or a procedure (`rule`, action table), with all that changes it.

    The last of `versions` is in force and may call the one before it as `super`. Rows that layers put
    before those of a table come in the order in which they are tried.
    """

    name: str
    kind: Literal["function", "procedure"]
    versions: "list[Declared[nodes.Let | nodes.Table | nodes.Rule]]"
    rows: "list[Declared[nodes.Rows]]" = field(factory=list)
    before: "list[Declared[nodes.Hook]]" = field(factory=list)
    after: "list[Declared[nodes.Hook]]" = field(factory=list)


@frozen
class Stored:
    """A state variable; it is set back whenever `rule` is called."""

    node: nodes.Variable
    rule: nodes.Name | None


@define
class Declarations:
    """A whole program, by name. Dicts keep the order of declaration.

    `slots` are those of a mechanism that is checked by itself, and may be anything.
    """

    slots: frozenset[str] = frozenset()
    files: tuple[nodes.File, ...] = ()  # as they were written, the lowest first; no mechanisms

    game: "Declared[nodes.Game] | None" = None
    players: "Declared[nodes.Players] | None" = None
    first: "Declared[nodes.First] | None" = None
    rulebooks: "list[Declared[nodes.Rulebook]]" = field(factory=list)
    rulings: "list[Declared[nodes.Ruling]]" = field(factory=list)
    omits: "list[Declared[nodes.Omit]]" = field(factory=list)
    enums: "dict[str, Declared[nodes.Enum]]" = field(factory=dict)
    options: "dict[str, Declared[nodes.Option]]" = field(factory=dict)
    chosen: dict[str, Chosen] = field(factory=dict)
    kinds: "dict[str, list[Declared[nodes.Piece]]]" = field(factory=dict)
    zones: "dict[str, Declared[nodes.Zone]]" = field(factory=dict)
    variables: "dict[str, Declared[Stored]]" = field(factory=dict)
    routines: dict[str, Routine] = field(factory=dict)
    triggers: "dict[str, list[Declared[nodes.Trigger]]]" = field(factory=dict)
    invariants: "dict[str, Declared[nodes.Always]]" = field(factory=dict)
    ranking: "Declared[nodes.Ranking] | None" = None
    examples: "list[Declared[nodes.Example]]" = field(factory=list)


def is_action_table(table: nodes.Table) -> bool:
    """Whether the rows of a table are statements: its only output is called `does`."""
    return [name.text for name in table.header.outputs] == ["does"]


def walk(node: Any) -> Iterator[Any]:
    """A node and all nodes below it, in the order of the text."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if type(each) is tuple:
            waiting.extend(reversed(each))
            continue
        names = parts_of(type(each))
        if names is not None:
            yield each
            waiting.extend([getattr(each, name) for name in reversed(names)])


def used_names(node: Any) -> Iterator[nodes.Name]:
    """The names in a tree that may mean something declared: not attributes after a dot."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if type(each) is tuple:
            waiting.extend(reversed(each))
        elif type(each) is nodes.Name:
            yield each
        elif type(each) is nodes.Get:
            waiting.append(each.subject)
        elif type(each) is nodes.Having:
            waiting.extend((each.value, each.subject))
        else:
            names = parts_of(type(each))
            if names is not None:
                waiting.extend([getattr(each, name) for name in reversed(names)])


_PARTS: dict[type, tuple[str, ...] | None] = {}  # as they have been asked for


def parts_of(kind: type) -> tuple[str, ...] | None:
    """The fields of a kind of node that may hold other nodes, or None for what is no node."""
    if kind not in _PARTS:
        names = (each.name for each in attrs.fields(kind)) if attrs.has(kind) else ()
        _PARTS[kind] = tuple(name for name in names if name != "span") if attrs.has(kind) else None
    return _PARTS[kind]
