"""Pieces of lines -> printed lines: with their indentation, wrapped where they are too long, in aligned columns.

The printers of declarations and of statements stand on it. It knows doc lines, which stand among any others.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from rulespec.syntax import nodes
from rulespec.syntax.phrases import softly, word_pieces
from rulespec.syntax.wrapping import BreakGroup, Piece, flat, wrap

WIDTH = 100
TOLERANCE = 8  # a line a little too long is better than a last word alone on the next one
STEP = 2  # columns of indentation for each level
HANGING = 4  # columns by which a line that continues another one is indented


class PrintedLine(NamedTuple):
    """One logical line: how deep it stands, and its text, which may be wrapped."""

    level: int
    text: str


Lines: TypeAlias = Iterator[PrintedLine]


def print_line(level: int, *pieces: Piece, start: str = "") -> PrintedLine:
    """A line whose `start` is set already, as in the columns of a table."""
    indent = STEP * level
    line = BreakGroup(pieces, filled=True)
    whole = flat(line)
    if indent + len(start) + len(whole) <= WIDTH + TOLERANCE:
        return PrintedLine(level, start + whole)
    text = wrap(line, column=indent + len(start), margin=indent + HANGING, width=WIDTH)
    return PrintedLine(level, start + text)


# ---- Doc lines and clauses ----------


def print_doc(doc: nodes.Doc, level: int) -> PrintedLine:
    cites = " ".join(cite_text(each) for each in doc.cites)
    if not cites and doc.text:
        first, *others = word_pieces(doc.text)
        return print_line(level, first, *softly(others))
    return print_line(level, cites, *(softly(word_pieces(doc.text)) if doc.text else ()))


def cited_text(keyword: str, cites: tuple[nodes.Cite, ...], text: nodes.Text) -> tuple[Piece, ...]:
    start = " ".join([keyword, *(cite_text(each) for each in cites)])
    return (start, *softly(word_pieces(text)))


def cite_text(cite: nodes.Cite) -> str:
    return f"@{cite.first}..{cite.last}" if cite.last else f"@{cite.first}"


# ---- Tables ------------

Row: TypeAlias = "list[Piece] | nodes.Doc"


def print_rows(
    rows: list[Row] | list[list[str]],
    level: int,
    *,
    heading: list[str] | None = None,
    separator: str = " | ",
) -> Lines:
    """Rows with their columns below each other; the heading, if any, stands one level further out."""
    texts = [[flat(cell) for cell in row] for row in rows if isinstance(row, list)]
    outer = [heading] if heading else []
    widths = column_widths([*texts, *outer])
    if heading:
        # The first column of the heading begins further left than that of the rows.
        widths[0] = max(len(heading[0]) - STEP, *column_widths(texts)[:1], 0)
        first = heading[0].ljust(widths[0] + STEP)
        yield PrintedLine(
            level - 1, separator.join([first, *padded_cells(heading, widths)[1:]]).rstrip()
        )
    for row in rows:
        if isinstance(row, nodes.Doc):
            yield print_doc(row, level)
        else:
            cells = padded_cells([flat(cell) for cell in row[:-1]], widths, last_too=True)
            start = "".join(cell + separator for cell in cells)
            yield print_line(level, row[-1], start=start)


def column_widths(rows: list[list[str]]) -> list[int]:
    """How wide each column must be; cells wider than a page stand out."""
    columns = max((len(row) for row in rows), default=0)
    return [
        max((len(row[n]) for row in rows if n < len(row) and len(row[n]) <= WIDTH), default=0)
        for n in range(columns)
    ]


def padded_cells(cells: list[str], widths: list[int], *, last_too: bool = False) -> list[str]:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
    return padded if last_too else [*padded[:-1], cells[-1]]
