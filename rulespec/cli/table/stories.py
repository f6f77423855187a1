"""Sentences about what happened -> rows, the newest last."""

from collections.abc import Sequence

from interpreter.headings import Heading
from interpreter.shown.subjects import OfSentence
from interpreter.story import Entry
from rulespec.cli.table.chips import Chip, Part, Role, Row, wrap


def lay_story(items: Sequence[Entry], new: int, width: int, *, first: int = 0) -> list[Row]:
    """Headings and lines below each other; those from `new` on have not been read yet."""
    rows = []
    for number, item in enumerate(items, first):
        is_new = number >= new
        is_heading = isinstance(item, Heading)
        role: Role = "text" if is_new else "muted"
        mark = "" if is_heading else "· "
        for place, line in enumerate(wrap(item.text, width - 3)):
            lead = Part(mark if place == 0 else " " * len(mark), "accent" if is_new else "muted")
            body = Part(line, "strong" if is_heading and is_new else role)
            rows.append(Row(((1, Chip((lead, body), OfSentence(number))),)))
    return rows
