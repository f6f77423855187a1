"""A page as data: what stands on it, and not how it is written down.

`markdown` and `html` write the same page in two ways; everything else here makes pages out of these. Texts
are as their author wrote them: the writers escape them.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias, assert_never

from attrs import frozen

Page: TypeAlias = Literal["games", "learn", "rulebook", "clauses"]

# ---- In a line -----------------------------------------------------------------------------------


@frozen
class PlainText:
    """Words."""

    text: str


@frozen
class CodeText:
    """A piece of the language."""

    text: str


@frozen
class Strong:
    """Words that stand out."""

    inside: "Line"


@frozen
class MarkedText:
    """Words of a kind of their own, such as a card; `id` if something leads to them.

    `tone` is a ground and the ink on it, both `#rrggbb`; `hint` is told to whoever points at it.
    """

    kind: str
    inside: "Line"
    id: str = ""
    tone: tuple[str, str] | None = None
    hint: str = ""


@frozen
class Link:
    """Words that lead to a place of a page; `folder` if that is the page of another game."""

    inside: "Line"
    page: Page
    id: str = ""
    kind: str = ""
    folder: str = ""


@frozen
class PlaygroundLink:
    """Words that open a file of rules in the playground, at a line if there is one."""

    inside: "Line"
    file: str
    line: int | None = None


@frozen
class Break:
    """The end of a line."""


Inline: TypeAlias = PlainText | CodeText | Strong | MarkedText | Link | PlaygroundLink | Break
Line: TypeAlias = tuple[Inline, ...]

# ---- Below each other ----------------------------------------------------------------------------


@frozen
class PageHeading:
    """The title of what follows, the page itself having level 1."""

    level: int
    inside: Line
    id: str


@frozen
class Paragraph:
    """A few sentences."""

    inside: Line
    kind: str = ""


@frozen
class ListItem:
    """One of a list, with what stands below it."""

    inside: Line
    below: "tuple[Block, ...]" = ()


@frozen
class Items:
    """A list; `ordered` if its items are steps."""

    items: tuple[ListItem, ...]
    ordered: bool = False


@frozen
class PageTable:
    """Columns with their heads."""

    head: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]


@frozen
class Formal:
    """The canonical text of something, shown when the reader asks for it; and how it is changed, if it can be."""

    text: str
    change: PlaygroundLink | None = None


@frozen
class Illustration:
    """A drawing, which is whole and escaped, and says itself what it shows."""

    svg: str
    kind: str


@frozen
class Callout:
    """Blocks that belong together."""

    kind: str
    blocks: "tuple[Block, ...]"
    id: str = ""


@frozen
class Collapsible:
    """Blocks that are opened by a click on their summary."""

    kind: str
    summary: Line
    blocks: "tuple[Block, ...]"
    id: str


@frozen
class FormalSwitch:
    """The button that shows the formal text of the page."""


Block: TypeAlias = (
    PageHeading
    | Paragraph
    | Items
    | PageTable
    | Formal
    | Illustration
    | Callout
    | Collapsible
    | FormalSwitch
)
Blocks: TypeAlias = tuple[Block, ...]


def text(words: str) -> Line:
    """A line of words alone."""
    return (PlainText(words),)


def section(title: str, id_: str, told: Iterable[Block]) -> list[Block]:
    """Blocks below a heading; no heading if there are none."""
    found = [*told]
    return [PageHeading(2, text(title), id_), *found] if found else []


def trimmed(head: tuple[str, ...], rows: list[tuple[Line, ...]]) -> PageTable:
    """A table without columns in which nothing stands."""
    kept = [n for n in range(len(head)) if any(row[n] for row in rows)]
    return PageTable(
        tuple(text(head[n]) for n in kept), tuple(tuple(row[n] for n in kept) for row in rows)
    )


def join_lines(lines: "list[Line] | tuple[Line, ...]", between: str = ", ") -> Line:
    """Lines after one another."""
    joined: list[Inline] = []
    for number, line in enumerate(lines):
        if number and between:
            joined.append(PlainText(between))
        joined += line
    return tuple(joined)


def plain_text(line: Line) -> str:
    """The words of a line."""
    told = []
    for each in line:
        match each:
            case PlainText(words) | CodeText(words):
                told.append(words)
            case Break():
                told.append(" ")
            case Strong() | MarkedText() | Link() | PlaygroundLink():
                told.append(plain_text(each.inside))
            case _:
                assert_never(each)
    return "".join(told)
