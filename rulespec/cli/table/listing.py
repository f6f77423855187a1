"""Files of rules and games that were left -> the list of what can be played. Files are only glanced at."""

import re
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from rulespec import loading
from rulespec.cli.table.chips import Chip, ChipRow, Role, StyledText, chip, fit_chip, shorten_text
from rulespec.cli.table.controls import OfLine
from rulespec.cli.table.menu import Left
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
    """What a file of rules says at a glance, so that nobody has to wait."""

    path: Path
    title: str
    author: str
    players: str
    about: str


def glance(path: Path) -> Glance:
    """Look at a file without reading it as rules."""
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


def lay_left(number: int, left: Left) -> ChipRow:
    """A game that was left."""
    told = f"{left.when:<19} {left.standing or tell_choices(left)}"
    parts = (
        StyledText(f"{shorten_text(left.title, 28):<28}", "strong"),
        StyledText(f"  {told}", "muted"),
    )
    return ChipRow(((2, Chip(parts, OfLine(f"{GO_ON} {number}"))),))


def tell_choices(left: Left) -> str:
    """How far a game has come."""
    return f"after {counted(left.choices, 'choice')}"


def lay_games(games: Sequence[Glance], lefts: Sequence[Left], width: int) -> list[ChipRow]:
    """Games that were left, and the games by title."""
    rows = [ChipRow()]
    if lefts:
        rows += [ChipRow(((2, chip("Go on with", "title")),)), ChipRow()]
        rows += [lay_left(number, left) for number, left in enumerate(lefts)]
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
