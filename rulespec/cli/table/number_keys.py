"""What is offered -> the number to type for it, and back."""

from interpreter.shown.offers import Offer


def key_of(offer: Offer, place: int) -> str:
    """What is typed to choose an item by its place; declining is the last one."""
    if not _is_numeric(offer):
        return str(place + 1)
    return offer.items[place].text if place < len(offer.items) else ""


def typed(offer: Offer, text: str) -> tuple[int | None, bool]:
    """The place of the item whose number was typed, and whether a longer number may be meant."""
    if _is_numeric(offer):
        keys = [item.text for item in offer.items]
        longer = any(key.startswith(text) and key != text for key in keys)
        return (keys.index(text) if text in keys else None), longer
    last = offer.count if not offer.is_ticking else len(offer.items) + (offer.decline is not None)
    place = int(text)
    return (place - 1 if 1 <= place <= last else None), 1 <= place * 10 <= last


def type_digit(offer: Offer, before: str, digit: str) -> tuple[str, int | None, bool]:
    """The digits after one more, and what they mean; a digit that goes with none before it begins another number."""
    place, may_go_on = typed(offer, before + digit)
    if place is None and not may_go_on and before:
        return digit, *typed(offer, digit)
    return before + digit, place, may_go_on


def _is_numeric(offer: Offer) -> bool:
    """Whether numbers are chosen: then a number is typed as it is."""
    return not offer.is_ticking and all(item.text.isdecimal() for item in offer.items)
