"""What one can point at in a game, to choose it or to ask about it."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from attrs import frozen

# What can be done with something: nothing special, choose it, untick it, or nothing at all.
Mark = Literal["", "lit", "ticked", "dim"]
Marks = Mapping[tuple[int, int], Mark]  # of cards, by zone and face


@frozen
class OfZone:
    """A zone, by its number."""

    zone: int


@frozen
class OfCards:
    """Equal cards in a zone, by their faces; backs have none."""

    zone: int
    faces: tuple[int, ...]
    place: int = 0  # among the stacks of the zone


@frozen
class OfCounter:
    """A variable, by its number."""

    variable: int


@frozen
class OfPlayer:
    """A player, by the seat."""

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
    """What has been ticked, as the answer."""


@frozen
class OfSentence:
    """Something that happened, by its place in the story."""

    number: int


@frozen
class OfScore:
    """A score of a player: the row of the ranking."""

    seat: int
    row: int


Subject: TypeAlias = (
    OfZone | OfCards | OfCounter | OfPlayer | OfOption | OfElement | OfDone | OfSentence | OfScore
)
