"""The list of clauses of a game -> for each clause, where it is in the booklet and what it says.

Pages and messages quote these sentences beside a rule. The list of `sins.rules` is `clauses/sins.md` beside it: a page
for people, with one table.
"""

import re
from pathlib import Path

from attrs import frozen

from rulespec import loading

_ROW = re.compile(r"^\| ([A-Z]+-A?\d+) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)


@frozen
class BookletPassage:
    """What a booklet says under one number, or what we ruled."""

    number: str
    place: str  # in the booklet, for its owner
    words: str  # of our own


def read_passages(game: Path) -> dict[str, BookletPassage]:
    """The clauses of a game by their numbers; empty if the game has no list."""
    path = game.parent / "clauses" / f"{game.stem}.md"
    if not path.is_file():
        return {}
    rows = _ROW.findall(path.read_text("utf-8"))
    return {
        number: BookletPassage(number, place.strip(), words.strip())
        for number, place, words in rows
    }


def shipped_passage(number: str) -> tuple[Path, BookletPassage] | None:
    """The file of the shipped game that lists a clause, and the passage."""
    for game in loading.shipped_game_files():
        found = read_passages(game).get(number)
        if found is not None:
            return game, found
    return None
