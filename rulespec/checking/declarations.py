"""What a program declares, once its layers are merged: plain data, by name; and walks through its trees.

`overlays` makes a `Declarations`, and every pass reads it.
"""

from collections.abc import Callable, Iterator
from operator import attrgetter
from types import NoneType
from typing import Any, Generic, Literal, TypeAlias, TypeVar, assert_never, get_args, get_origin

from attrs import define, field, frozen

from rulespec.checking.layers import Chosen, Docs, Layer
from rulespec.core.tree import Block, Core
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

    The last of `versions` is in force and may call the one before it as `super`. Rows that layers add
    to a table are in the order in which they are tried, before its own.
    """

    name: str
    kind: Literal["function", "procedure"]
    versions: "list[Declared[nodes.Let | nodes.Table | nodes.Rule]]"
    rows: "list[Declared[nodes.Rows]]" = field(factory=list)
    before: "list[Declared[nodes.Hook]]" = field(factory=list)
    after: "list[Declared[nodes.Hook]]" = field(factory=list)


@frozen
class Stored:
    """A state variable; each call of `rule` resets it."""

    node: nodes.Variable
    rule: nodes.Name | None


def routine_parts(routine: Routine) -> "list[Declared[Any]]":
    """All declarations of a routine: its versions, and what layers add to it."""
    return [*routine.versions, *routine.rows, *routine.before, *routine.after]


Removal: TypeAlias = nodes.Remove | nodes.RemoveRows | nodes.RemovePiece


@frozen
class Removed:
    """What a layer has removed, and where it says so."""

    place: Removal
    layer: Layer
    parts: tuple[Any, ...]  # the trees that are no longer there


@define
class Declarations:
    """A whole program, by name. Dicts keep the order of declaration.

    `slots` are the names that a mechanism leaves open when it is checked by itself; they may mean anything.
    """

    slots: frozenset[str] = frozenset()
    files: tuple[nodes.File, ...] = ()  # as written, the base first; without mechanisms

    game: "Declared[nodes.Game] | None" = None
    games: "list[Declared[nodes.Game]]" = field(factory=list)  # with those of the files below
    about: "Declared[nodes.About] | None" = None
    goal: "Declared[nodes.Goal] | None" = None
    turn: "Declared[nodes.Turn] | None" = None
    minutes: "Declared[nodes.Minutes] | None" = None
    ages: "Declared[nodes.Ages] | None" = None
    advice: "list[Declared[nodes.Advice]]" = field(factory=list)
    called: "dict[str, Declared[nodes.Naming]]" = field(factory=dict)
    players: "Declared[nodes.Players] | None" = None
    teams: "Declared[nodes.Teams] | None" = None
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
    removed: dict[str, Removed] = field(factory=dict)

    # What several passes need, computed once: see `attributes.root_scope`, `walk_once` and `elaborate_program`.
    root: Any = field(default=None, init=False, eq=False, repr=False)
    walked: dict[int, tuple[Any, list[Any]]] = field(factory=dict, init=False, eq=False, repr=False)
    core: "Core[Block] | None" = field(default=None, init=False, eq=False, repr=False)


def attribute_names(program: Declarations) -> frozenset[str]:
    """All attributes of all pieces."""
    return frozenset(
        attribute.name.text
        for rows in program.kinds.values()
        for row in rows
        for attribute in row.node.attributes
    )


def member_names(program: Declarations) -> frozenset[str]:
    """All members of all enums."""
    return frozenset(
        member.name.text
        for enum in program.enums.values()
        for member in enum.node.members
        if member.name.text not in program.enums
    )


def output_names(program: Declarations) -> frozenset[str]:
    """All outputs of all tables."""
    return frozenset(
        output.text
        for routine in program.routines.values()
        for version in routine.versions
        if isinstance(version.node, nodes.Table)
        for output in version.node.header.outputs
    )


def variant_names(program: Declarations) -> set[str]:
    """All variants that could be chosen."""
    return {
        item.name.text
        for file in program.files
        for item in file.items
        if isinstance(item, nodes.Variant)
    }


def seat_names(example: nodes.Example) -> list[nodes.Name]:
    """The players of an example."""
    return [name for step in example.steps if isinstance(step, nodes.Seats) for name in step.names]


def is_action_table(table: nodes.Table) -> bool:
    """Whether the rows of a table are statements: its only output is called `does`."""
    return [name.text for name in table.header.outputs] == ["does"]


def body_of(node: nodes.Let | nodes.Table | nodes.Rule) -> Any:
    """The body of a routine: the expressions of a function, the statements of a rule."""
    match node:
        case nodes.Let(_, _, value):
            return value
        case nodes.Table(_, _, header, rows):
            return (header.inputs, rows)
        case nodes.Rule(_, _, _, body):
            return body
        case _:
            assert_never(node)


def rule_result(routine: Routine, version: int = -1) -> nodes.Type | None:
    """The type of the result of a rule, as it is written; `None` without a result."""
    node = routine.versions[version].node
    return node.result if isinstance(node, nodes.Rule) else None


def table_rows(routine: Routine, version: int) -> list[nodes.Row]:
    """The rows of a table in the order in which they are tried: first those that layers add."""
    node = routine.versions[version].node
    added = routine.rows if version == len(routine.versions) - 1 else []
    own = node.rows if isinstance(node, nodes.Table) else ()
    groups = [*(each.node.rows for each in added), own]
    return [row for group in groups for row in group if isinstance(row, nodes.Row)]


def walk(node: Any) -> list[Any]:
    """A node, or several, and all nodes below, in the order of the text."""
    found = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind is tuple:
            waiting.extend(each[::-1])
        elif each is not None:
            found.append(each)
            below = _BELOW[kind]
            if below is not None:
                waiting.append(below(each))
    return found


def nested(tree: Any) -> Iterator[tuple[Any, int]]:
    """All nodes of a tree, each with its level; the outermost nodes are on level 1."""
    waiting = [(tree, 1)]
    while waiting:
        each, level = waiting.pop()
        kind = type(each)
        if kind is tuple:
            waiting.extend((part, level) for part in each)
        elif each is not None:
            yield each, level
            below = _BELOW[kind]
            if below is not None:
                waiting.append((below(each), level + 1))


def walk_once(program: Declarations, part: Any) -> list[Any]:
    """As `walk`, computed once for each part of a program, because several passes need it."""
    found = program.walked.get(id(part))
    if found is None or found[0] is not part:  # a program from the cache has other ids
        # The entry keeps the part alive, so no other object gets its id.
        found = program.walked[id(part)] = part, walk(part)
    return found[1]


def used_names(node: Any) -> list[nodes.Name]:
    """The names in a tree that may mean something declared: not attributes after a dot."""
    found = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind is nodes.Name:
            found.append(each)
        elif kind is tuple:
            waiting.extend(each[::-1])
        elif kind is nodes.Get:
            waiting.append(each.subject)
        elif kind is nodes.Having:
            waiting.append((each.subject, each.value))
        elif kind is nodes.Described:
            waiting.append((each.kind, tuple(given.value for given in each.attributes)))
        elif each is not None:
            below = _BELOW[kind]
            if below is not None:
                waiting.append(below(each))
    return found


def called_name(expr: nodes.Expr) -> str | None:
    """The name `f` in `f` or `f(x)`, which may be that of a function."""
    if isinstance(expr, nodes.Call):
        return expr.function.text
    return expr.text if isinstance(expr, nodes.Name) else None


class _Below(dict[type, Callable[[Any], Any] | None]):
    """For each class of nodes, filled on demand: a function that returns the children of a node, if there are any."""

    def __missing__(self, kind: type) -> Callable[[Any], Any] | None:
        parts = child_fields(kind)
        self[kind] = attrgetter(*parts) if parts else None
        return self[kind]


_BELOW = _Below()


_PARTS: dict[type, tuple[str, ...]] = {}  # filled on demand


def child_fields(kind: type) -> tuple[str, ...]:
    """The fields of a class of nodes that may hold other nodes."""
    if kind not in _PARTS:
        own = [each for each in getattr(kind, "__attrs_attrs__", ()) if each.name != "span"]
        _PARTS[kind] = tuple(each.name for each in own if not _is_plain(each.type))
    return _PARTS[kind]


def _is_plain(hint: Any) -> bool:
    """Whether a field holds words and numbers, and never a node."""
    if get_origin(hint) is Literal or hint in (str, int, NoneType):
        return True
    return bool(get_args(hint)) and all(map(_is_plain, get_args(hint)))


def local_names(program: Declarations, body: nodes.Body) -> frozenset[str]:
    """The locals of a body: the names that it assigns and that are no state variables."""
    if isinstance(body, nodes.Perform):
        return frozenset()  # a call gives nothing a value
    targets = set()
    for node in walk_once(program, body):
        if isinstance(node, nodes.Target):
            targets.add(node.name.text)
        elif isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            targets.add(node.target.text)
        elif isinstance(node, nodes.Announce):
            targets.add(node.name.text)
    return frozenset(targets - program.variables.keys())
