"""Flat code, a number of players and options -> what lies on the table, numbered.

Implements docs/language/13-semantics.md, "Numbers". Pieces are numbered in the order of their rows, the first
ranged attribute varying slowest, copies last; zones and variables in the order of declaration, those of
a family in the order of their indices.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from attrs import define, field, frozen

from interpreter.errors import WrongOption
from interpreter.flat import Code
from rulespec.core.tree import OptionRow, PieceRow, VariableRow, ZoneRow
from rulespec.core.types import Bool, Choice, Number, Seat, Type
from rulespec.source import text_of


@frozen
class Piece:
    """A card or token: its kind, its attributes, and how it is called."""

    kind: str
    attributes: Mapping[str, Any]
    row: PieceRow


@frozen
class Zone:
    """One zone: its family, its place in the family, and who sees into it."""

    row: ZoneRow
    indices: tuple[Any, ...]
    owner: int | None


@frozen
class IndexedFamily:
    """The zones, or variables, of one declaration: the number of the first, and the values of each index."""

    base: int
    size: int
    domains: tuple[tuple[Any, ...], ...]
    strides: tuple[int, ...]


@define
class Layout:
    """Everything numbered, for one table."""

    code: Code
    players: int
    options: dict[str, Any] = field(factory=dict)
    enums: dict[str, tuple[int, ...]] = field(factory=dict)
    ranks: dict[str, dict[int, int] | None] = field(factory=dict)
    pieces: list[Piece] = field(factory=list)
    attributes: dict[str, tuple[Any, ...]] = field(
        factory=dict
    )  # attribute -> its value for every piece
    faces: list[int] = field(factory=list)  # for every piece, a number that its look-alikes share
    zones: list[Zone] = field(factory=list)
    zone_families: dict[str, IndexedFamily] = field(factory=dict)
    is_pool: list[bool] = field(factory=list)
    holds: list[frozenset[int] | None] = field(factory=list)  # pieces each zone allows; None: all
    variables: list[tuple[VariableRow, tuple[Any, ...]]] = field(factory=list)
    variable_families: dict[str, IndexedFamily] = field(factory=dict)
    resets: dict[str, tuple[int, ...]] = field(factory=dict)  # rule -> the variables it resets
    fingerprint: str | None = None  # once somebody has asked for it
    telling: dict[str, frozenset[str]] = field(factory=dict)  # what tells pieces of a kind apart
    pieces_by_face: dict[Any, frozenset[int]] = field(
        factory=dict
    )  # of faces that were asked for the pieces


Evaluate = Callable[[Any, list[Any], int], Any]  # an operation, slots, and how much scratch


# [number.zones]
def begin_layout(code: Code, players: int) -> Layout:
    """The members, zones and variables; pieces and options need expressions, see `add_…`."""
    layout = Layout(code, players)
    for enum in code.enums:
        layout.enums[enum.name] = enum.members
        plain = list(enum.members) == sorted(enum.members)
        rank = None if plain else {member: n for n, member in enumerate(enum.members)}
        layout.ranks[enum.name] = rank
    layout.ranks["plain"] = None
    for row in code.zones:
        family = _family(layout, len(layout.zones), row.indices)
        layout.zone_families[row.name] = family
        owned = next((n for n, each in enumerate(row.indices) if isinstance(each, Seat)), None)
        for indices in product(*family.domains):
            owner = None if owned is None else indices[owned]
            layout.zones.append(Zone(row, indices, owner))
            layout.is_pool.append(row.order == "pool")
    resets: dict[str, list[int]] = {}
    for variable in code.variables:
        family = _family(layout, len(layout.variables), variable.indices)
        layout.variable_families[variable.name] = family
        for indices in product(*family.domains):
            if variable.rule is not None:
                resets.setdefault(variable.rule, []).append(len(layout.variables))
            layout.variables.append((variable, indices))
    layout.resets = {rule: tuple(numbers) for rule, numbers in resets.items()}
    return layout


def is_hidden(layout: Layout, variable: str) -> bool:
    """Whether some players may not see the values of a variable, or of a family of variables."""
    row, _ = layout.variables[layout.variable_families[variable].base]
    return row.seen_by != "everyone"


def index_values(layout: Layout, type_: Type) -> tuple[Any, ...]:
    """All values of a type that can be an index, in order."""
    match type_:
        case Seat():
            return tuple(range(layout.players))
        case Choice(enum):
            return layout.enums[enum]
        case Number(low, high):
            return tuple(range(low, high + 1))
        case Bool():
            return (False, True)
    raise AssertionError(type_)


def _family(layout: Layout, base: int, indices: tuple[Type, ...]) -> IndexedFamily:
    domains = tuple(index_values(layout, index) for index in indices)
    strides: list[int] = []
    size = 1
    for each in reversed(domains):
        strides.insert(0, size)
        size *= len(each)
    return IndexedFamily(base, size, domains, tuple(strides))


def place_in(family: IndexedFamily, indices: Iterable[Any]) -> int:
    """The number of a member of a family; with fewer indices, the first member that has them."""
    return family.base + sum(
        values.index(index) * stride
        for values, stride, index in zip(family.domains, family.strides, indices, strict=False)
    )


def insert_position(at: int | str | None, pieces: Sequence[Any]) -> int:
    """The position at which to insert a piece that goes to the top of a zone, to the bottom, or between them."""
    if isinstance(at, int):
        return at
    return 0 if at == "top" else len(pieces)


# [number.options]
def add_options(layout: Layout, given: Mapping[str, Any], evaluate: Evaluate) -> None:
    """The options in order: as given, as chosen in the file, or by default."""
    for row in layout.code.options:
        if row.name in given:
            layout.options[row.name] = given[row.name]
        else:
            op = row.chosen if row.chosen is not None else row.default
            layout.options[row.name] = evaluate(op, [], row.scratch)
        if row.allowed is not None and not evaluate(row.allowed, [], row.scratch):
            raise WrongOption(_refusal(layout, row))


def _refusal(layout: Layout, row: OptionRow) -> str:
    """Why an option cannot have its value at this table."""
    assert row.allowed is not None  # noqa: S101 - it has just refused the value
    found = layout.options[row.name]
    if isinstance(found, bool):
        written = "yes" if found else "no"
    elif isinstance(row.type, Choice):
        written = layout.code.members[found].name
    else:
        written = "none" if found is None else str(found)
    condition = " ".join(text_of(row.allowed.span).split())
    return f"with {layout.players} players `{row.name}` cannot be {written}: it needs `{condition}`"


def add_pieces(
    layout: Layout, evaluate: Evaluate, keep: Callable[[Piece], bool] | None = None
) -> None:
    """All pieces, or those to keep, with the tables of their attributes."""
    for row in layout.code.pieces:
        _expand(layout, row, evaluate)
    if keep is not None:
        layout.pieces = [piece for piece in layout.pieces if keep(piece)]
    # Pieces that look alike have numbers side by side: the order of a pool must not tell them apart.
    places: dict[Any, int] = {}
    for piece in layout.pieces:
        places.setdefault(_face(piece), len(places))
    layout.pieces.sort(key=lambda piece: places[_face(piece)])
    for attribute in layout.code.attributes:
        missing = () if attribute.set_valued else None
        layout.attributes[attribute.name] = tuple(
            piece.attributes.get(attribute.name, missing) for piece in layout.pieces
        )
        if attribute.set_valued:
            layout.attributes[attribute.name] = tuple(
                value if isinstance(value, tuple) else (value,)
                for value in layout.attributes[attribute.name]
            )
    # [number.faces]
    known: dict[Any, int] = {}
    for number, piece in enumerate(layout.pieces):
        values = tuple(table[number] for table in layout.attributes.values())
        layout.faces.append(known.setdefault((piece.kind, values), len(known)))
    kinds = frozenset(row.kind for row in layout.code.pieces)
    for zone in layout.zones:
        held = None
        if zone.row.holds != kinds:
            held = frozenset(
                n for n, piece in enumerate(layout.pieces) if piece.kind in zone.row.holds
            )
        layout.holds.append(held)


# [number.pieces]
def _face(piece: Piece) -> Any:
    return piece.kind, tuple(sorted(piece.attributes.items()))


def _expand(layout: Layout, row: PieceRow, evaluate: Evaluate) -> None:
    """One piece for every combination of the ranged attributes, times its copies."""
    partial: list[list[Any]] = [[]]
    for _, over, value in row.ranged:
        if over is not None:
            values = evaluate(over, [], 0)
            partial = [[*before, each] for before in partial for each in values]
        else:
            partial = [[*before, evaluate(value, before, row.scratch)] for before in partial]
    names = [name for name, _, _ in row.ranged]
    for found in partial:
        piece = Piece(row.kind, dict(zip(names, found, strict=True)), row)
        layout.pieces += [piece] * evaluate(row.copies, found, row.scratch)
