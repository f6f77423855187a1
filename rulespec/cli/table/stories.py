"""Sentences about what happened -> rows, the newest last."""

from collections.abc import Sequence

from interpreter.shown.picture import Scene, tell
from interpreter.shown.subjects import OfSentence
from interpreter.telling import Sentence
from rulespec.cli.table.chips import Chip, Part, Role, Row, wrap


def lay_story(
    scene: Scene, sentences: Sequence[Sentence], new: int, width: int, *, first: int = 0
) -> list[Row]:
    """Sentences below each other; those from `new` on have not been read yet."""
    rows = []
    for number, sentence in enumerate(sentences, first):
        role: Role = "text" if number >= new else "muted"
        for place, line in enumerate(wrap(tell(scene, sentence), width - 3)):
            lead = Part("· " if place == 0 else "  ", "accent" if number >= new else "muted")
            rows.append(Row(((1, Chip((lead, Part(line, role)), OfSentence(number))),)))
    return rows
