"""Files of rules and unfinished games -> the rows of the start screen. Files are not parsed, only searched for a title."""

import re
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from rulespec import loading
from rulespec.cli.table.chips import Chip, ChipRow, Role, StyledText, chip, fit_chip, shorten_text
from rulespec.cli.table.controls import OfLine
from rulespec.cli.table.menu import UnfinishedGame
from rulespec.english import sentence
from rulespec.rendering import counted

_HEAD = re.compile(
    r'^game "(?P<title>[^"]+)"(?: by "(?P<author>[^"]+)")?(?: *-- *(?P<note>.+))?', re.MULTILINE
)
_ABOUT = re.compile(r'^about "(?P<about>[^"]+)"', re.MULTILINE)
_PLAYERS = re.compile(r"^players (?P<least>\d+)(?:\.\.(?P<most>\d+))?", re.MULTILINE)
GO_ON = "go on"


@frozen
class Glance:
    """What a file of rules says in its first lines, found without parsing."""

    path: Path
    title: str
    author: str
    players: str
    about: str


def glance(path: Path) -> Glance:
    """Search a file for its title, author, players and first sentence."""
    text = loading.read_bytes(path).decode("utf-8", "replace")
    head, players, about = _HEAD.search(text), _PLAYERS.search(text), _ABOUT.search(text)
    found = {} if head is None else head.groupdict("")
    many = [] if players is None else [part for part in players.groups() if part]
    told = found.get("note", "") if about is None else about["about"]
    return Glance(
        path=path,
        title=found.get("title", path.stem),
        author=found.get("author", ""),
        players=f"{'–'.join(many)} players" if many else "",
        about=sentence(" ".join(told.split())) if told else "",
    )


def lay_unfinished(number: int, left: UnfinishedGame) -> ChipRow:
    """The row of an unfinished game."""
    told = f"{left.when:<19} {left.standing or tell_choices(left)}"
    parts = (
        StyledText(f"{shorten_text(left.title, 28):<28}", "strong"),
        StyledText(f"  {told}", "muted"),
    )
    return ChipRow(((2, Chip(parts, OfLine(f"{GO_ON} {number}"))),))


def tell_choices(left: UnfinishedGame) -> str:
    """How many choices were made in an unfinished game."""
    return f"after {counted(left.choices, 'choice')}"


def lay_games(
    games: Sequence[Glance], unfinished: Sequence[UnfinishedGame], width: int
) -> list[ChipRow]:
    """The unfinished games, and then all games by title."""
    rows = [ChipRow()]
    if unfinished:
        rows += [ChipRow(((2, chip("Go on with", "title")),)), ChipRow()]
        rows += [lay_unfinished(number, left) for number, left in enumerate(unfinished)]
        rows.append(ChipRow())
    rows += [ChipRow(((2, chip("Which game do you play?", "title")),)), ChipRow()]
    last = loading.GAMES
    for game in games:
        place = game.path.parent
        if place != last:
            heading = "classics" if place == loading.CLASSICS else "the same, changed"
            rows += [ChipRow(), ChipRow(((2, chip(heading, "muted")),))]
        last = place
        role: Role = "strong" if place == loading.GAMES else "text"
        more = f"  {game.author:<16} {game.players}"
        parts = (StyledText(f"{shorten_text(game.title, 36):<36}", role), StyledText(more, "muted"))
        rows.append(ChipRow(((2, Chip(parts, OfLine(game.path.name))),)))
    return [ChipRow(tuple((x, fit_chip(each, width - x)) for x, each in row.chips)) for row in rows]
