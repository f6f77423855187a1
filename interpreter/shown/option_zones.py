"""An option -> the zones that it stands for, so that a player can choose it by pointing at one of them.

An option stands for a zone by its words, such as `the Abyss of Souls`; or by its value, as a type stands for the column
of that type.
"""

from typing import Any

from interpreter.display_names import on_table, word_for
from interpreter.shown.picture import BOX, Scene
from rulespec.core.types import Choice, Type, present


def option_zones(scene: Scene, text: str, value: Any, of: Type, chooser: int) -> frozenset[int]:
    """The zones that a player's option stands for; most options stand for none."""
    return _named(scene, text, chooser) or _indexed(scene, value, of)


def _named(scene: Scene, text: str, chooser: int) -> frozenset[int]:
    layout = scene.layout
    words = _bare(text)
    return frozenset(
        number
        for number, zone in enumerate(layout.zones)
        if number != BOX
        and zone.owner in (None, chooser)
        and len(zone.indices) == (zone.owner is not None)
        and on_table(layout.code, zone.row.name)
        and _bare(word_for(layout.code, zone.row.name)) == words
    )


def _bare(text: str) -> str:
    words = text.casefold().split()
    return " ".join(words[1:] if words[:1] in (["the"], ["your"]) else words)


def _indexed(scene: Scene, value: Any, of: Type) -> frozenset[int]:
    """The zone with this index, if one family alone is indexed by such values."""
    type_ = present(of)
    if not isinstance(type_, Choice) or not isinstance(value, int):
        return frozenset()
    layout = scene.layout
    found = [
        (number, zone.row.name)
        for number, zone in enumerate(layout.zones)
        if zone.indices == (value,)
        and isinstance(zone.row.indices[0], Choice)
        and on_table(layout.code, zone.row.name)
    ]
    is_clear = len({name for _, name in found}) == 1
    return frozenset(number for number, _ in found) if is_clear else frozenset()
