"""A decision -> items to choose or to tick, numbered so that the numbers reveal nothing; and an answer -> its option.

The numbers of pieces would tell look-alikes apart, so items that are ticked are numbered by their place in the list. An
item that is the whole answer has the number of its option, which depends on faces alone.
"""

from collections.abc import Sequence

from interpreter.errors import IllegalMove
from interpreter.options import Decision
from interpreter.shown.offers import Item, Offer
from interpreter.shown.palette import Tone
from interpreter.shown.selection import (
    Selection,
    chosen_option,
    empty_selection,
    may_tick,
    tell_need,
    toggle,
)
from rulespec.playground.protocol import screen


def question_data(decision: Decision, offer: Offer) -> screen.Question:
    """The question and its items."""
    ticks = ticks_data(offer, empty_selection(decision.options)) if offer.is_ticking else None
    numbers = [place if offer.is_ticking else item.number for place, item in enumerate(offer.items)]
    decline = offer.decline
    return {
        "prompt": offer.prompt,
        "ticking": offer.is_ticking,
        "items": [_item(item, number) for item, number in zip(offer.items, numbers, strict=True)],
        "decline": None if decline is None else _item(decline, _decline_number(offer)),
        "count": offer.count,
        "ticks": ticks,
    }


def _item(item: Item, number: int) -> screen.Item:
    return {
        "number": number,
        "text": item.text,
        "tone": None if item.tone is None else tone_data(item.tone),
        "spots": [{"zone": zone, "face": face} for zone, face in sorted(item.spots)],
        "seat": item.seat,
        "zones": sorted(item.zones),
    }


def tone_data(tone: Tone) -> screen.Tone:
    """The colours of a card."""
    return {"ground": tone.ground, "ink": tone.ink}


def _decline_number(offer: Offer) -> int:
    """Declining is the last option, and comes after all that can be ticked."""
    return len(offer.items) if offer.is_ticking else offer.count - 1


# ---- Ticking -------------------------------------------------------------------------------------


def select_items(decision: Decision, offer: Offer, places: Sequence[int]) -> Selection:
    """What is ticked, by the places of the items; refused if it does not go together."""
    if not offer.is_ticking:
        raise IllegalMove("choose one answer here: there is nothing to tick")
    selection = empty_selection(decision.options)
    for place in places:
        if place >= len(offer.items):
            raise IllegalMove("there is no such thing to tick")
        item = offer.items[place]
        grown = None if item.number in selection.chosen else toggle(selection, item.number)
        if grown is None:
            raise IllegalMove(f"{item.text} does not go with what is ticked")
        selection = grown
    return selection


def ticks_data(offer: Offer, selection: Selection) -> screen.Ticks:
    """What may be ticked besides."""
    more = [place for place, item in enumerate(offer.items) if may_tick(selection, item.number)]
    return {"more": more, "complete": selection.is_complete, "need": tell_need(selection)}


def answer_of(decision: Decision, offer: Offer, places: Sequence[int]) -> int:
    """The number of the option that is ticked."""
    found = chosen_option(select_items(decision, offer, places))
    if found is None:
        raise IllegalMove("what is ticked is not an answer yet")
    return found


def option_of(offer: Offer, number: int) -> int:
    """The number of the option that an item is."""
    if offer.is_ticking:
        if offer.decline is None or number != _decline_number(offer):
            raise IllegalMove("tick things here: this alone is not an answer")
        return offer.decline.number
    if number >= offer.count:
        raise IllegalMove("there is no such answer")
    return number


def item_of(offer: Offer, option: int) -> int:
    """The number of the item that an option is; of things that are ticked only declining is one."""
    return _decline_number(offer) if offer.is_ticking else option


def ticked_places(decision: Decision, offer: Offer, option: int) -> list[int] | None:
    """The places of the items that are ticked for an option; none for declining."""
    value = decision.options[option]
    if value is None:
        return None
    left = {item.number: place for place, item in enumerate(offer.items)}
    return sorted(left[element] for element in value if element in left)
