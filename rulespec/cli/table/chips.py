"""Rows of chips: what stands side by side on a screen, before anything is shown.

A chip is a short text that can be pointed at; rows are what a `Sheet` shows. Widths are counted in the
columns of a terminal.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Literal

from attrs import evolve, field, frozen
from rich.cells import cell_len, set_cell_size

from interpreter.shown.palette import Tone
from interpreter.shown.subjects import Mark
from rulespec.cli.table.controls import Target

# How a part is shown; `sheet` has the colours.
Role = Literal[
    "text",
    "muted",
    "strong",
    "title",
    "accent",
    "good",
    "bad",
    "face",
    "back",
    "tag",  # a word in a colour of the game
    "seat",  # a player's name
    "turn",  # the same, whose move it is
    "slot",  # an empty place
]
CARDS: tuple[Role, ...] = ("face", "back")


@frozen
class StyledText:
    """A piece of text in one style; `seat` is the player whose colour it has."""

    text: str
    role: Role = "text"
    tone: Tone | None = None
    seat: int | None = None


@frozen
class Chip:
    """Parts that belong together, and what they are about; of a tall card -1 is the upper edge, 1 the lower."""

    parts: tuple[StyledText, ...]
    subject: Target | None = None
    mark: Mark = ""
    level: int = 0

    @property
    def width(self) -> int:
        """In columns."""
        return sum(cell_len(part.text) for part in self.parts)


@frozen
class ChipRow:
    """A line of the screen: chips with the columns where they begin."""

    chips: tuple[tuple[int, Chip], ...] = ()


@frozen
class LabelledChips:
    """A label and the chips behind it, which are kept together if there is room."""

    head: tuple[Chip, ...] = ()
    body: tuple[Chip, ...] = field(default=())


def chip(text: str, role: Role = "text", subject: Target | None = None) -> Chip:
    """A chip of one part."""
    return Chip((StyledText(text, role),), subject)


def shorten_text(text: str, width: int) -> str:
    """A text that has no more columns than this; words are left out rather than cut.

    >>> shorten_text("Last Judgment", 8), shorten_text("Judgment", 5)
    ('Last…', 'Judg…')
    """
    if cell_len(text) <= width:
        return text
    kept = set_cell_size(text, max(0, width - 1))
    words = kept.rstrip() if text[len(kept) :].startswith(" ") else kept.rpartition(" ")[0].rstrip()
    return f"{words if words.strip() else kept.rstrip()}…"


def fit_chip(found: Chip, width: int) -> Chip:
    """A chip that has no more columns than this."""
    left = width
    parts = []
    for part in found.parts:
        if cell_len(part.text) > left:
            parts.append(evolve(part, text=shorten_text(part.text.rstrip(), left)))
            break
        parts.append(part)
        left -= cell_len(part.text)
    return evolve(found, parts=tuple(parts))


def flow(
    blocks: Iterable[LabelledChips], left: int, width: int, *, gap: int = 3, tall: bool = False
) -> list[ChipRow]:
    """Blocks side by side, wrapped at the right edge; what goes on below is set in behind its label."""
    rows: list[list[tuple[int, Chip]]] = [[]]
    at = left
    for block in blocks:
        chips = [*block.head, *block.body]
        needed = _width(chips)
        start = at + gap if rows[-1] else left
        if rows[-1] and start + needed > width:
            rows.append([])
            start = left
        indent = start + _width(block.head) + bool(block.head)
        if indent > left + (width - left) // 2:
            indent = left
        x = start
        for each in chips:
            if x > start and x + each.width > width:
                rows.append([])
                x = indent
            shown = fit_chip(each, width - x)
            rows[-1].append((x, shown))
            x += shown.width + 1
        at = x - 1
    return [
        line
        for row in rows
        if row
        for line in (raise_cards(row) if tall else [ChipRow(tuple(row))])
    ]


def _width(chips: Sequence[Chip]) -> int:
    return sum(each.width for each in chips) + max(0, len(chips) - 1)


def raise_cards(row: Sequence[tuple[int, Chip]]) -> list[ChipRow]:
    """A line in which cards are three lines high."""
    cards = [(x, each) for x, each in row if any(part.role in CARDS for part in each.parts)]
    if not cards:
        return [ChipRow(tuple(row))]
    upper, lower = (
        ChipRow(tuple((x, evolve(each, level=n)) for x, each in cards)) for n in (-1, 1)
    )
    return [upper, ChipRow(tuple(row)), lower]


def shift(rows: Iterable[ChipRow], by: int) -> list[ChipRow]:
    """Rows further to the right."""
    return [ChipRow(tuple((x + by, each) for x, each in row.chips)) for row in rows]


def width_of(rows: Iterable[ChipRow]) -> int:
    """The columns that rows take."""
    return max((x + each.width for row in rows for x, each in row.chips), default=0)


def beside(*columns: Sequence[ChipRow]) -> list[ChipRow]:
    """Columns of rows, set in already, as rows."""
    lines = zip_longest(*columns, fillvalue=ChipRow())
    return [ChipRow(tuple(each for row in line for each in row.chips)) for line in lines]


def grid(chips: Sequence[Chip], left: int, width: int, *, gap: int = 2) -> list[ChipRow]:
    """Chips in columns of equal width, in reading order."""
    if not chips:
        return []
    widest = min(max(each.width for each in chips), width - left)
    columns = max(1, (width - left + gap) // (widest + gap))
    return [
        ChipRow(
            tuple(
                (left + n * (widest + gap), fit_chip(each, widest))
                for n, each in enumerate(chips[start : start + columns])
            )
        )
        for start in range(0, len(chips), columns)
    ]


def wrap_text(text: str, width: int) -> list[str]:
    """A text in lines of no more columns than this; a word that is too long is cut.

    >>> wrap_text("Ada chooses Ira", 12)
    ['Ada chooses', 'Ira']
    """
    lines, width = [""], max(1, width)
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if cell_len(longer) <= width:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        while cell_len(word) > width:
            piece = set_cell_size(word, width).rstrip() or word[0]
            lines[-1] = piece
            lines.append("")
            word = word[len(piece) :]  # noqa: PLW2901 - what is left of it
        lines[-1] = word
    return lines if lines[-1] or len(lines) == 1 else lines[:-1]


def wrap_code(line: str, width: int) -> list[str]:
    """A line of rules in lines of no more columns than this; what goes on is set in further.

    >>> wrap_code("  move top(deck) to hand[p]", 18)
    ['  move top(deck)', '      to hand[p]']
    """
    indent = len(line) - len(line.lstrip())
    if cell_len(line) <= width or indent > width // 2:
        return [line]
    first, *rest = wrap_text(line, width - indent)
    more = wrap_text(" ".join(rest), width - indent - 4) if rest else []
    return [" " * indent + first, *(" " * (indent + 4) + each for each in more)]


def lines_of(rows: Iterable[ChipRow], width: int) -> list[str]:
    """Rows as plain text, for tests and for those who look at no screen."""
    texts = []
    for row in rows:
        line = ""
        for x, each in row.chips:
            text = "".join(part.text for part in each.parts)
            line = set_cell_size(line, x) + (text if each.level == 0 else " " * each.width)
        texts.append(set_cell_size(line, width).rstrip())
    return texts
