"""A value and its type -> its text, on the screen and in a transcript.

Implements docs/language/13-semantics.md, "Texts". The texts are stable: they depend on the rules alone, and on
what the players are called.
"""

from typing import Any, TypeAlias

from interpreter.actions import Action
from interpreter.layout import Layout
from rulespec.core import types
from rulespec.core.types import Type, present

Names: TypeAlias = tuple[str, ...] | None  # of the seats; without names they are numbered


def seat_name(names: Names, seat: int) -> str:
    """`Ada`, or `Player 1` and so on."""
    return names[seat] if names is not None else f"Player {seat + 1}"


def piece_label(layout: Layout, piece: int, names: Names = None) -> str:
    """A piece by `shown as`, or by the values that tell it from others of its kind, or by its kind."""
    found = layout.pieces[piece]
    row = found.row
    if row.shown_as is not None:
        return "".join(
            part
            if isinstance(part, str)
            else label(layout, found.attributes[part[0]], part[1], names)
            for part in row.shown_as
        )
    declared = {each.name: each.type for each in layout.code.attributes}
    telling = telling_attributes(layout, piece)
    words = [label(layout, found.attributes[name], declared[name], names) for name in telling]
    return " ".join(words) or row.kind


def telling_attributes(layout: Layout, piece: int) -> list[str]:
    """The attributes that tell a piece from others of its kind.

    They are ranged in its row, or in another one of its kind; or else they differ between rows.
    """
    found = layout.pieces[piece]
    # Not in the language: it is computed once for each kind.
    if found.kind not in layout.telling:
        layout.telling[found.kind] = _shared_telling(layout, found.kind)
    shared = layout.telling[found.kind]
    own = {name for name, over, _ in found.row.ranged if over is not None}
    return [
        name
        for name, value in found.attributes.items()
        if name in own or (name in shared and _is_single(value))
    ]


def _is_single(value: Any) -> bool:
    return not isinstance(value, tuple) or len(value) == 1


def _shared_telling(layout: Layout, kind: str) -> frozenset[str]:
    """The attributes that are ranged in a row of a kind or, if there are none, by which its rows differ."""
    rows = [row for row in layout.code.pieces if row.kind == kind]
    ranged = {name for row in rows for name, over, _ in row.ranged if over is not None}
    if ranged:
        return frozenset(ranged)
    pieces = [
        each.attributes for each in layout.pieces if each.kind == kind and each.row.shown_as is None
    ]
    telling: list[str] = []
    for name in dict.fromkeys(name for row in rows for name, _, _ in row.ranged):
        single = [each for each in pieces if _is_single(each.get(name))]
        before = {tuple(each.get(other) for other in telling) for each in single}
        after = {tuple(each.get(other) for other in [*telling, name]) for each in single}
        if len(after) > len(before):
            telling.append(name)
    return frozenset(telling)


# [label.text]
def label(layout: Layout, value: Any, type_: Type, names: Names = None) -> str:
    """A value as it is shown; a set is a list of its elements."""
    if value is None:
        return "none"
    if isinstance(value, Action):
        return label(layout, value.value, value.of, names)
    if isinstance(value, tuple):
        inner = type_.of if isinstance(type_, types.Several | types.Family) else type_
        return ", ".join(label(layout, each, inner, names) for each in value) or "nothing"
    match present(type_):
        case types.Bool():
            return "yes" if value else "no"
        case types.Choice():
            found: str = layout.code.members[value].label
            return found
        case types.Seat():
            return seat_name(names, value)
        case types.Direction():
            return "most" if value else "fewest"
        case types.Piece():
            return piece_label(layout, value, names)
        case types.Several(of) | types.Maybe(of):
            return label(layout, value, of, names)
        case _:
            return str(value)


def _indices(layout: Layout, row: Any, indices: tuple[Any, ...], names: Names) -> str:
    return "".join(
        f"[{label(layout, index, type_, names)}]"
        for index, type_ in zip(indices, row.indices, strict=True)
    )


def zone_name(layout: Layout, zone: int, names: Names = None) -> str:
    """`hand[Ada]`, as it is written in the rules."""
    found = layout.zones[zone]
    return found.row.name + _indices(layout, found.row, found.indices, names)


def variable_name(layout: Layout, number: int, names: Names = None) -> str:
    row, indices = layout.variables[number]
    return row.name + _indices(layout, row, indices, names)
