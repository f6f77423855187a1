"""The kinds of things that a player can point at, to choose them or to ask about them: plain data for all screens."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from attrs import field, frozen

# What a player can do with a thing: nothing special, choose it, untick it, or nothing at all.
Mark = Literal["", "lit", "ticked", "dim"]
Spot = tuple[int, int]  # a zone and a face in it


@frozen
class Marks:
    """The marks on the table: cards, zones and players that may be chosen; and what has happened to them."""

    cards: Mapping[Spot, Mark] = field(factory=dict)
    zones: Mapping[int, Mark] = field(factory=dict)
    seats: Mapping[int, Mark] = field(factory=dict)
    moved: frozenset[Spot] = frozenset()  # spots where cards arrived
    grown: Mapping[int, int] = field(factory=dict)  # zone -> by how many cards it grew
    told: frozenset[Spot] = frozenset()  # spots of cards that a sentence mentions
    actors: frozenset[int] = frozenset()  # players that a sentence mentions


@frozen
class OfZone:
    """A zone, by its number."""

    zone: int


@frozen
class OfCards:
    """Equal cards in a zone, by their faces; backs have none."""

    zone: int
    faces: tuple[int, ...]
    place: int = 0  # the position among the stacks of the zone


@frozen
class OfCounter:
    """A variable, by its number."""

    variable: int


@frozen
class OfPlayer:
    """A player, by seat."""

    seat: int


@frozen
class OfOption:
    """An option of the question, by its number."""

    number: int


@frozen
class OfElement:
    """Something that can be ticked: a piece, a member, a number."""

    element: int


@frozen
class OfDone:
    """The ticked elements, as the answer."""


@frozen
class OfSentence:
    """Something that happened, by its position in the story."""

    number: int


@frozen
class OfScore:
    """A score of a player: the row of the ranking."""

    seat: int
    row: int


Subject: TypeAlias = (
    OfZone | OfCards | OfCounter | OfPlayer | OfOption | OfElement | OfDone | OfSentence | OfScore
)
