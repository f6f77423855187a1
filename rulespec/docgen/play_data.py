"""What only playing a game can tell, as plain data: examples that were run, lengths, curves, drawings.

`rulespec.cli.play_data_collection` plays and fills it in; this package, which cannot play, puts it on pages. Both sides
name an example or a row by its file and the offset at which it begins.
"""

from collections.abc import Mapping
from typing import TypeAlias

from attrs import field, frozen

from rulespec.source import Span

SourceKey: TypeAlias = tuple[str, int]
Curve: TypeAlias = tuple[tuple[int, int], ...]  # pairs of a number and what it is worth


def source_key(span: Span) -> SourceKey:
    """The file and the offset at which something begins."""
    return span.source.name, span.start


@frozen
class Card:
    """Pieces that look alike and lie together; `tone` is a ground and the ink on it."""

    text: str
    count: int
    tone: tuple[str, str] | None = None


@frozen
class ZoneContents:
    """What lies in a zone, of a pile the top first."""

    zone: str
    is_pile: bool
    cards: tuple[Card, ...]


@frozen
class ExampleScene:
    """A table at one moment of an example: what lies where, and what is noted."""

    zones: tuple[ZoneContents, ...]
    noted: tuple[tuple[str, str], ...]


@frozen
class ScoreSum:
    """How a number came about: a row for each part, and the total."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # as many cells as columns, and the title before them
    notes: tuple[str, ...] = ()


@frozen
class ExampleRecord:
    """An example that was run: the table before each of its steps, and after the last; `trouble` says how it failed.

    The line with the players is no step. What fails has fewer tables. `sums` are those behind what is expected in
    a step, by its number.
    """

    trouble: str
    scenes: tuple[ExampleScene, ...]
    clauses: frozenset[str]  # of the rules that it used
    sums: Mapping[int, tuple[ScoreSum, ...]] = field(factory=dict)


@frozen
class GameLength:
    """How many decisions random games took."""

    players: int
    games: int
    least: int
    median: int
    most: int


@frozen
class CaptionedDrawing:
    """A drawing, whole and escaped, and what is said of it."""

    words: str
    svg: str


# Titles of reminders that a page treats in its own way.
YOUR_TURN, SCORING = "Your turn", "Scoring"


@frozen
class Reminder:
    """What a player looks up: sentences, or a table."""

    title: str
    lines: tuple[str, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@frozen
class Lesson:
    """What is drawn for whoever learns a game: pieces, the table at the start, a turn, and what to remember."""

    players: int
    table: str
    turn: tuple[CaptionedDrawing, ...]
    pieces: str
    reminders: tuple[Reminder, ...]


@frozen
class PlayData:
    """All that playing one game has told."""

    pieces: Mapping[SourceKey, int] = field(factory=dict)  # of a row how many there are
    lengths: tuple[GameLength, ...] = ()
    examples: Mapping[SourceKey, ExampleRecord] = field(factory=dict)
    games: int = 0  # that were played to see what they use
    used: Mapping[str, int] = field(factory=dict)  # of a clause by how many of them
    measured: frozenset[str] = frozenset()  # clauses of something that runs
    curves: Mapping[str, Curve] = field(factory=dict)  # of a table
    other_curves: Mapping[tuple[str, str], Curve] = field(factory=dict)  # of a variant and a table
    lesson: Lesson | None = None
