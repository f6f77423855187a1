"""A player's decision -> the offer on the screen: options to choose, or things to tick.

Each item knows where it lies on the table, so that the player can choose it there as well.
"""

from typing import Any

from attrs import field, frozen

from interpreter.actions import untagged
from interpreter.labels import label
from interpreter.match import Match
from interpreter.options import Decision
from interpreter.shown.booklet import find_choice
from interpreter.shown.option_zones import option_zones
from interpreter.shown.palette import PLAIN, Tone
from interpreter.shown.picture import BOX, Picture, Scene
from interpreter.shown.selection import Selection, is_set_choice, may_tick, tickable_elements
from interpreter.shown.subjects import Mark, Marks, Spot
from rulespec.core.tree import Origin
from rulespec.core.types import Choice, Piece, Seat, Several, Type, present
from rulespec.syntax import nodes

MOST_LISTED = 1000  # options on the screen; for any other, the player types its number


@frozen
class Item:
    """An option by its number, or an element to tick; and where it is on the table."""

    number: int
    text: str
    tone: Tone | None = None
    spots: frozenset[Spot] = frozenset()
    seat: int | None = None
    zones: frozenset[int] = frozenset()


@frozen
class Offer:
    """A question and its possible answers; the player ticks things if an answer can have several."""

    prompt: str
    items: tuple[Item, ...]
    count: int  # of all options
    is_ticking: bool
    decline: Item | None
    origin: Origin = field(eq=False)


def make_offer(scene: Scene, match: Match, decision: Decision) -> Offer:
    """The choices of the player who is asked. Nobody else may see them."""
    options = decision.options
    is_ticking = is_set_choice(options)
    decline = None
    if decision.may:
        last = len(options) - 1
        decline = Item(last, decision.text(last))
    inner = present(decision.of)
    kind = inner.of if isinstance(inner, Several) else inner
    asked = _asked_of(scene, decision)
    if is_ticking:
        found = [
            (each, label(scene.layout, each, kind, scene.names), each)
            for each in tickable_elements(options)
        ]
    else:
        found = [
            (each.number, each.text, _single(each.value))
            for each in decision.listed(MOST_LISTED)
            if not (decision.may and each.value is None)
        ]
    items = []
    for number, text, chosen in found:
        value, of = untagged(chosen, kind)
        tone, spots, seat = _where(scene, match, value, of, asked)
        zones = frozenset() if spots else option_zones(scene, text, value, of, decision.player)
        items.append(Item(number, text, tone, spots, seat, zones))
    return Offer(decision.prompt, tuple(items), len(options), is_ticking, decline, decision.origin)


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _asked_of(scene: Scene, decision: Decision) -> tuple[str, str] | None:
    """`centre.sin`: the zone and the attribute, if the choice is among attribute values of the cards there."""
    found = find_choice(scene.booklet, decision.origin.span)
    if found is None or not isinstance(found.options, nodes.Get):
        return None
    subject = found.options.subject
    while isinstance(subject, nodes.At | nodes.Having | nodes.Where):
        subject = subject.values if isinstance(subject, nodes.Where) else subject.subject
    if isinstance(subject, nodes.Name) and subject.text in scene.layout.zone_families:
        return subject.text, found.options.name.text
    return None


def _where(
    scene: Scene, match: Match, value: Any, of: Type, asked: tuple[str, str] | None
) -> tuple[Tone | None, frozenset[Spot], int | None]:
    """The colour of a value, where its cards lie, and which player it is."""
    layout = scene.layout
    match present(of):
        case Piece() if isinstance(value, int):
            face = layout.faces[value]
            spot = (match.state.where[value], face)
            return scene.palette.faces.get(face, PLAIN), frozenset({spot}), None
        case Choice() if isinstance(value, int):
            tone = scene.palette.members.get(value)
            return tone, _having(scene, value, asked), None
        case Seat() if isinstance(value, int):
            return None, frozenset(), value
    return None, frozenset(), None


def _having(scene: Scene, member: int, asked: tuple[str, str] | None) -> frozenset[Spot]:
    """The spots of cards that have a member as an attribute value."""
    if asked is None:
        return frozenset()
    layout = scene.layout
    zone, attribute = asked
    family = layout.zone_families[zone]
    values = layout.attributes.get(attribute, ())
    faces = {
        layout.faces[piece]
        for piece, value in enumerate(values)
        if member == value or (isinstance(value, tuple) and member in value)
    }
    return frozenset((family.base + n, face) for n in range(family.size) for face in faces)


# ---- On the table --------------------------------------------------------------------------------


def mark_targets(offer: Offer, selection: Selection | None, picture: Picture) -> Marks:
    """Marks for the cards, zones and players that may be chosen; the other cards beside them are dim."""
    cards: dict[Spot, Mark] = {}
    zones: dict[int, Mark] = {}
    seats: dict[int, Mark] = {}
    for item in offer.items:
        mark: Mark = "lit"
        if selection is not None:
            mark = "ticked" if item.number in selection.chosen else "dim"
            if may_tick(selection, item.number):
                mark = "lit"
        for spot in item.spots:
            # Among look-alikes, a ticked one takes precedence.
            if cards.get(spot) != "ticked":
                cards[spot] = mark
        for zone in item.zones:
            zones[zone] = mark
        if item.seat is not None:
            seats[item.seat] = mark
    asked = {zone for zone, _ in cards if zone != BOX}
    for group in picture.groups:
        for area in group.areas:
            if area.zone in asked:
                for stack in area.stacks:
                    for face in stack.faces:
                        cards.setdefault((area.zone, face), "dim")
    return Marks(cards, zones, seats)


def find_item(
    offer: Offer,
    selection: Selection | None,
    spots: frozenset[Spot],
    seat: int | None,
    zone: int | None = None,
) -> Item | None:
    """The item chosen by pointing at cards, a player or a zone; among look-alikes, one not yet ticked."""
    found = [
        item
        for item in offer.items
        if item.spots & spots
        or (seat is not None and item.seat == seat)
        or (zone is not None and zone in item.zones)
    ]
    if selection is not None:
        free = [item for item in found if may_tick(selection, item.number)]
        ticked = [item for item in found if item.number in selection.chosen]
        found = [*free, *ticked, *found]
    return found[0] if found else None
