"""Pieces and members of enums -> colours, the same for everything that belongs together.

A colour is never the only sign: a face always has its text. A member whose name is a colour has that colour. Otherwise
the members of the attribute that most pieces have get the colours of Okabe and Ito in the order of declaration, which
colour-blind people can tell apart.
"""

from typing import Any

from attrs import frozen

from interpreter.layout import Layout
from rulespec.core.types import Choice


@frozen
class Tone:
    """The colours of a face: the background, and the ink on it."""

    ground: str
    ink: str


@frozen
class Palette:
    """The tones of members and faces, by number; everything else is plain."""

    members: dict[int, Tone]
    faces: dict[int, Tone]


WORDS = {
    "red": "#d0342c",
    "orange": "#e69f00",
    "yellow": "#f0e442",
    "green": "#1fa37a",
    "blue": "#2b87d1",
    "indigo": "#3d3d9e",
    "violet": "#ab72d4",
    "purple": "#ab72d4",
    "pink": "#ee9bc4",
    "magenta": "#c2408f",
    "brown": "#8a5a2e",
    "black": "#0c0c0e",
    "white": "#f4f4f0",
    "grey": "#8f969d",
    "gray": "#8f969d",
    "gold": "#d9b43c",
    "silver": "#c3cad1",
    "cyan": "#4fc4d8",
    "turquoise": "#36b5a5",
}

# Okabe and Ito's seven, then five more that differ from them in brightness.
SERIES = (
    *("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"),
    *("#bdbdbd", "#8a6a45", "#f6c9dc", "#a9d65c", "#5e4fa2"),
)

DARK_INK, LIGHT_INK = "#101214", "#ffffff"
PLAIN = Tone("#dcd8cc", DARK_INK)  # a card of no colour is paper
_DISTINCT = 8  # an attribute with more values than this tells little by its colour


def brightness(colour: str) -> float:
    """The relative luminance of `#rrggbb`, as the contrast guidelines of the web define it."""
    channels = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """How well two colours stand out from each other: 4.5 is enough for text.

    >>> round(contrast("#ffffff", "#000000"))
    21
    """
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def tone(ground: str) -> Tone:
    """A background with the more readable ink on it."""
    return Tone(ground, max((DARK_INK, LIGHT_INK), key=lambda ink: contrast(ground, ink)))


def paint(layout: Layout) -> Palette:
    """The colours of a game."""
    code = layout.code
    members = _named(layout) or _series(layout)
    faces: dict[int, Tone] = {}
    for number, face in enumerate(layout.faces):
        values = {
            member
            for attribute in code.attributes
            if isinstance(attribute.type, Choice)
            for member in _members(layout.attributes[attribute.name][number])
            if member in members
        }
        # A face with several colours, such as a joker, gets none.
        if len(values) == 1:
            faces[face] = members[values.pop()]
    return Palette(members, faces)


def _named(layout: Layout) -> dict[int, Tone]:
    """The members of enums of colours; a single `gold` among wood and stone is not a colour."""
    enums: dict[str, list[int]] = {}
    for number, member in enumerate(layout.code.members):
        enums.setdefault(member.enum, []).append(number)
    named: dict[int, Tone] = {}
    for numbers in enums.values():
        found = {n: layout.code.members[n].name for n in numbers}
        words = {n: tone(WORDS[name]) for n, name in found.items() if name in WORDS}
        if 2 * len(words) > len(numbers):
            named |= words
    return named


def _series(layout: Layout) -> dict[int, Tone]:
    """The members of one attribute in the order of their enum."""
    best: tuple[tuple[int, bool], list[int]] | None = None
    for attribute in layout.code.attributes:
        if not isinstance(attribute.type, Choice):
            continue
        used = [set(_members(value)) for value in layout.attributes[attribute.name]]
        single = [values for values in used if len(values) == 1]
        found = sorted(set().union(*single))
        weight = (len(single), len(found) <= _DISTINCT)
        if len(found) > 1 and (best is None or weight > best[0]):
            place = {name: n for n, name in enumerate(attribute.type.domain)}
            found.sort(key=lambda member: place.get(layout.code.members[member].name, len(place)))
            best = weight, found
    if best is None:
        return {}
    return {member: tone(SERIES[n % len(SERIES)]) for n, member in enumerate(best[1])}


def _members(value: Any) -> tuple[int, ...]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)
