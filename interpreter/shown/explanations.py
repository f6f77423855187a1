"""The thing that a player points at on the main screen -> the choice that this makes, and why the thing is as it is."""

from collections.abc import Iterable

from interpreter.actions import untagged
from interpreter.options import Decision
from interpreter.shown import reasons
from interpreter.shown.booklet import rows_about
from interpreter.shown.offers import Item, Offer, find_item, mark_targets
from interpreter.shown.player_aids import card_description
from interpreter.shown.reasons import Reason
from interpreter.shown.selection import Selection, may_tick
from interpreter.shown.sights import Sight
from interpreter.shown.subjects import (
    OfCards,
    OfCounter,
    OfDone,
    OfElement,
    OfOption,
    OfPlayer,
    OfSentence,
    OfZone,
    Subject,
)
from rulespec.core.types import Choice, present


def item_at(sight: Sight, selection: Selection | None, subject: Subject) -> Item | None:
    """The item that pointing at a subject chooses."""
    offer = sight.offer
    if offer is None:
        return None
    match subject:
        case OfCards(zone, faces):
            spots = frozenset((zone, face) for face in faces)
            return find_item(offer, selection, spots, None, zone)
        case OfZone(zone):
            return find_item(offer, selection, frozenset(), None, zone)
        case OfPlayer(seat):
            return find_item(offer, selection, frozenset(), seat)
        case OfElement(element):
            return next((item for item in offer.items if item.number == element), None)
    return None


def is_lit(sight: Sight, selection: Selection | None, subject: Subject) -> bool:
    """Whether a subject can be ticked."""
    item = item_at(sight, selection, subject)
    return item is not None and selection is not None and may_tick(selection, item.number)


def first_lit(sight: Sight, selection: Selection | None) -> Subject | None:
    """The first subject that can be ticked."""
    items = () if sight.offer is None or selection is None else sight.offer.items
    found = (OfElement(item.number) for item in items)
    return next((each for each in found if is_lit(sight, selection, each)), None)


def subject_of(offer: Offer, place: int) -> Subject | None:
    """The subject at a position in the list of answers."""
    if not offer.is_ticking:
        return OfOption(place)
    if place < len(offer.items):
        return OfElement(offer.items[place].number)
    return OfOption(offer.decline.number) if offer.decline is not None else None


def tell_card(sight: Sight, subjects: Iterable[object]) -> str:
    """What the rules say about the first card among these subjects, on the table or among the answers."""
    for subject in subjects:
        faces: set[int] = set()
        match subject:
            case OfCards(_, found):
                faces = {*found[:1]}
            case OfOption(number) | OfElement(number) if sight.offer is not None:
                items = [item for item in sight.offer.items if item.number == number]
                faces = {face for item in items for _, face in item.spots}
        if len(faces) == 1:
            return card_description(sight.scene, faces.pop())
    return ""


def explain(sight: Sight, selection: Selection | None, subject: Subject) -> Reason | None:
    """Why a subject is as it is."""
    scene = sight.scene
    match subject:
        case OfSentence(number):
            return reasons.why_told(scene, sight.story[number])
        case OfZone(zone) | OfCards(zone, ()):
            return reasons.what_zone(scene, zone, _count(sight, zone))
        case OfCounter(variable):
            return reasons.what_counter(scene, variable, _value(sight, variable))
        case OfPlayer(seat):
            return reasons.what_player(scene, seat)
        case OfCards(_, faces):
            return _explain_card(sight, selection, subject, faces[0])
        case OfElement():
            return _explain_card(sight, selection, subject, None)
        case OfOption() | OfDone() if sight.decision is not None and sight.offer is not None:
            return _explain_option(sight, sight.decision, sight.offer, subject)
    return None


def _explain_option(sight: Sight, decision: Decision, offer: Offer, subject: Subject) -> Reason:
    """The reason behind the question, preceded by what the rules say about this answer."""
    told = tell_card(sight, (subject,))
    options = decision.options
    if not told and isinstance(subject, OfOption) and subject.number < len(options):
        value, of = untagged(options[subject.number], decision.of)
        if value is not None and isinstance(present(of), Choice):
            member = sight.scene.layout.code.members[value]
            told = " ".join(rows_about(sight.scene.booklet, {member.name}))
    return reasons.why_options(sight.scene, decision, offer.prompt, *filter(None, [told]))


def _explain_card(
    sight: Sight, selection: Selection | None, subject: Subject, face: int | None
) -> Reason | None:
    """What a card is; or, during a choice of cards, why this one cannot be chosen."""
    scene, decision, offer = sight.scene, sight.decision, sight.offer
    item = item_at(sight, selection, subject)
    if decision is not None and offer is not None:
        if item is not None and not _is_allowed(selection, item.number):
            return reasons.why_not(scene, decision, offer, selection, item.text)
        if item is None and face is not None and _is_dim(sight, selection, subject):
            text = reasons.card_text(scene, face)
            return reasons.why_not(scene, decision, offer, selection, text)
        if face is None:
            return _explain_option(sight, decision, offer, subject)
    return None if face is None else reasons.what_card(scene, face)


def _is_allowed(selection: Selection | None, number: int) -> bool:
    return selection is None or number in selection.chosen or may_tick(selection, number)


def _is_dim(sight: Sight, selection: Selection | None, subject: Subject) -> bool:
    if sight.offer is None or not isinstance(subject, OfCards):
        return False
    marks = mark_targets(sight.offer, selection, sight.picture)
    return any(marks.cards.get((subject.zone, face)) == "dim" for face in subject.faces)


def _count(sight: Sight, zone: int) -> int | None:
    """How many cards the viewer sees in a zone; None if the viewer may not count them."""
    areas = (area for group in sight.picture.groups for area in group.areas)
    found = next((area for area in areas if area.zone == zone), None)
    if found is None:
        return 0
    return found.count if found.counted else None


def _value(sight: Sight, variable: int) -> str:
    for group in sight.picture.groups:
        for counter in group.counters:
            if counter.variable == variable:
                return counter.text
        if any(number == variable for number, _ in group.badges):
            return group.title
    return ""
