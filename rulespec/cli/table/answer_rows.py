"""What is offered -> rows of options, each with the number to type for it.

Cards and short words stand side by side, sentences below each other. What a bot thinks of an option stands
behind it.
"""

from collections.abc import Mapping

from attrs import evolve, frozen

from interpreter.shown.offers import Item, Offer
from interpreter.shown.selection import Selection, may_tick
from interpreter.shown.subjects import OfDone, OfElement, OfOption
from rulespec.cli.table.chips import (
    Chip,
    ChipRow,
    LabelledChips,
    Role,
    StyledText,
    fit_chip,
    flow,
    grid,
)
from rulespec.cli.table.number_keys import key_of

_SHORT = 26  # columns of an option that still stands beside others
_FEW = 4  # options without colours that stand below each other all the same


@frozen
class Opinion:
    """What a bot thinks of an option: the share of games won, and whether it would choose it."""

    share: float | None
    is_best: bool


Opinions = Mapping[int, Opinion]  # by the number of the option


def lay_answers(
    offer: Offer, selection: Selection | None, opinions: Opinions, width: int
) -> list[ChipRow]:
    """All that can be answered, in rows."""
    last = len(offer.items)
    digits = len(key_of(offer, last - 1 if offer.decline is None else last))
    chips = []
    for place, item in enumerate(offer.items):
        key = key_of(offer, place)
        if selection is not None:
            chips.append(_tick(item, key, digits, selection))
        else:
            chips.append(_option(item, key, digits, opinions))
    if offer.decline is not None:
        chips.append(_option(offer.decline, key_of(offer, last), digits, opinions))
    if selection is not None and selection.is_complete:
        chips.append(_done(selection, digits))
    has_colours = any(item.tone is not None for item in offer.items)
    is_short = max((chip.width for chip in chips), default=0) <= _SHORT
    if has_colours or (is_short and len(chips) > _FEW):
        row = flow([LabelledChips((), (each,)) for each in chips], 1, width)
        rows = row if len(row) == 1 else grid(chips, 1, width)
    else:
        rows = [ChipRow(((1, fit_chip(chip, width - 1)),)) for chip in chips]
    hidden = offer.count - last - (offer.decline is not None)
    if selection is None and hidden > 0:
        note = StyledText(f"… and {hidden:,} more: type a number up to {offer.count:,}", "muted")
        rows.append(ChipRow(((1, Chip((note,))),)))
    return rows


def _face(item: Item) -> StyledText:
    if item.tone is None:
        return StyledText(item.text)
    return StyledText(f" {item.text} ", "face", item.tone)


def _option(item: Item, key: str, digits: int, opinions: Opinions) -> Chip:
    if key == item.text:
        parts = [StyledText(f"{key:>{digits}}", "strong")]
    else:
        parts = [StyledText(f"{key:>{digits}} ", "accent"), _face(item)]
    opinion = opinions.get(item.number)
    if opinion is not None:
        parts.append(_thought(opinion))
    return Chip(tuple(parts), OfOption(item.number))


def _thought(opinion: Opinion) -> StyledText:
    share = "" if opinion.share is None else f" {opinion.share:.0%}"
    role: Role = "good" if opinion.is_best else "muted"
    return StyledText(f"{share}{' ★' if opinion.is_best else ''}", role)


def _tick(item: Item, key: str, digits: int, selection: Selection) -> Chip:
    number = StyledText(f"{key:>{digits}} ", "accent")
    subject = OfElement(item.number)
    if item.number in selection.chosen:
        return Chip((number, StyledText("[✓]", "good"), _face(item)), subject, "ticked")
    if may_tick(selection, item.number):
        return Chip((number, StyledText("[ ]"), _face(item)), subject, "lit")
    return Chip(
        (evolve(number, role="muted"), StyledText(" – ", "muted"), _face(item)), subject, "dim"
    )


def _done(selection: Selection, digits: int) -> Chip:
    count = len(selection.chosen)
    what = "take none" if count == 0 else "take it" if count == 1 else f"take these {count}"
    return Chip((StyledText(f"{'⏎':>{digits}} ", "accent"), StyledText(what, "good")), OfDone())
