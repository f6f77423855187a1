"""Sentences about what happened -> rows, the newest last."""

from collections.abc import Collection, Sequence

from interpreter.headings import Heading
from interpreter.shown.marked_words import find_words
from interpreter.shown.picture import Scene
from interpreter.shown.subjects import OfSentence
from interpreter.story import Entry
from rulespec.cli.table.chips import Chip, ChipRow, Role, StyledText, wrap_text

FOLDED, UNFOLDED = "· ", "▾ "


def lay_story(  # noqa: PLR0913 - what is told, and how
    items: Sequence[Entry],
    new: int,
    width: int,
    *,
    first: int = 0,
    scene: Scene | None = None,
    unfolded: Collection[int] = (),
) -> list[ChipRow]:
    """Headings and lines below each other; those from `new` on have not been read yet.

    Below a line that is unfolded stands what it consists of. With a scene, players and cards have their colours.
    """
    rows: list[ChipRow] = []
    for number, item in enumerate(items, first):
        subject = OfSentence(number)
        is_new = number >= new
        if isinstance(item, Heading):
            role: Role = "strong" if is_new else "muted"
            rows += [
                ChipRow(((1, Chip((StyledText(line, role),), subject)),))
                for line in wrap_text(item.text, width - 3)
            ]
            continue
        is_open = item.at in unfolded
        rows += _lay_line(
            scene, item.text, UNFOLDED if is_open else FOLDED, width, subject, is_new=is_new
        )
        if is_open:
            for each in item.details:
                rows += _lay_line(scene, each.text, "  – ", width, subject, is_new=False)
    return rows


def _lay_line(  # noqa: PLR0913 - a line, and how it is told
    scene: Scene | None, text: str, lead: str, width: int, subject: OfSentence, *, is_new: bool
) -> list[ChipRow]:
    rows = []
    for place, line in enumerate(wrap_text(text, width - 1 - len(lead))):
        mark = StyledText(lead if place == 0 else " " * len(lead), "accent" if is_new else "muted")
        parts = _colour(scene, line, is_new=is_new)
        rows.append(ChipRow(((1, Chip((mark, *parts), subject)),)))
    return rows


def _colour(scene: Scene | None, line: str, *, is_new: bool) -> list[StyledText]:
    """A line in parts: names of players and cards in their colours, unless it was read before."""
    if scene is None or not is_new:
        return [StyledText(line, "text" if is_new else "muted")]
    return [
        StyledText(word.text, "text" if word.tone is None else "tag", word.tone, word.seat)
        for word in find_words(scene, line)
    ]
