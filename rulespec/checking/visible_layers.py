"""An example -> which layers of the program it sees: its own and those below.

Implements docs/language/10-overlays.md: the examples of a base do not apply to its variants. A merged program no
longer contains what a higher layer has replaced, so this module finds out whether one has.
"""

from typing import Any

from rulespec.checking.declarations import Declarations, Declared, Removal
from rulespec.checking.layers import Layer
from rulespec.syntax import nodes

HEIGHTS = {"variant": 0, "mechanism": 1, "file": 2}  # of layers that one file asks for
# The declarations that decide which pieces there are.
COMPONENTS = nodes.Pieces | nodes.Zones | nodes.Enum | nodes.Option | nodes.Let | nodes.Table


def _height(program: Declarations, layer: Layer) -> tuple[int, int]:
    """The height of a layer: that of the file that chooses it, with the command line on top."""
    files = [file.span.source.name for file in program.files]
    place = layer.place
    if layer.origin == "file" and layer.items:
        place = layer.items[0].declaration.span
    name = place.source.name if place is not None else ""
    return (files.index(name) if name in files else len(files), HEIGHTS[layer.origin])


def is_above(program: Declarations, other: Layer, example: Declared[nodes.Example]) -> bool:
    """Whether an example may run without another layer; it always runs with the variants that it names."""
    if other is example.layer:
        return False
    named = any(each.name.text == other.title for each in example.node.settings)
    if named and other.origin == "variant":
        return False
    low, high = _height(program, example.layer), _height(program, other)
    return high > low or (high == low and other.origin == "variant")


def _declared_by_variants(program: Declarations, names: set[str]) -> list[nodes.Plain]:
    """What variants declare, whether or not they have been chosen."""
    if not names:
        return []
    items = [
        item
        for file in program.files
        for variant in file.items
        if isinstance(variant, nodes.Variant) and variant.name.text in names
        for item in variant.items
    ]
    return [
        item.declaration if isinstance(item, nodes.Override) else item
        for item in items
        if not isinstance(item, nodes.Doc)
    ]


def _named_variants(example: nodes.Example) -> set[str]:
    return {each.name.text for each in example.settings if each.value is None}


def find_players(program: Declarations, example: Declared[nodes.Example]) -> nodes.Players | None:
    """The numbers of players, if they are known for the layer of an example."""
    declared = _declared_by_variants(program, _named_variants(example.node))
    named = [each for each in declared if isinstance(each, nodes.Players)]
    if named:
        return named[-1]
    players = program.players
    if players is None or is_above(program, players.layer, example):
        return None
    return players.node


def deciding_layers(program: Declarations) -> tuple[Layer, ...]:
    """The layers that say what pieces, zones and values there are."""
    owned: list[Declared[Any]] = [
        *(row for rows in program.kinds.values() for row in rows),
        *(*program.enums.values(), *program.zones.values(), *program.options.values()),
    ]
    for routine in program.routines.values():
        if routine.kind == "function":
            owned += (*routine.versions, *routine.rows)
    layers = [each.layer for each in owned]
    layers += [each.layer for each in program.removed.values() if _removes_components(each.place)]
    return tuple({id(layer): layer for layer in layers}.values())


def _removes_components(node: Removal) -> bool:
    return not isinstance(node, nodes.Remove) or node.what not in (
        "rule",
        "when",
        "always",
        "state",
    )


def knows_components(
    program: Declarations, example: Declared[nodes.Example], layers: tuple[Layer, ...]
) -> bool:
    """Whether the merged layers say what pieces and zones an example has.

    They do not if one of them is above the example, or if it names a variant that is not among them; the program with
    that variant is checked separately.
    """
    chosen = {layer.title for layer in layers if layer.origin == "variant"}
    missing = _declared_by_variants(program, _named_variants(example.node) - chosen)
    return not any(isinstance(each, COMPONENTS | nodes.Rows) for each in missing) and not any(
        is_above(program, layer, example) for layer in layers
    )
