"""Whole games, as they are told to a player, to an opponent, and to somebody who sees everything."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from interpreter.display_names import MOST_PIECES, YOU, Listener
from interpreter.game_loading import load
from interpreter.lines import StoryLine
from interpreter.match import Match
from interpreter.playthroughs import at_random
from interpreter.story import Entry, questions_of, tell_story, write_story

HERE = Path(__file__).parent / "stories"
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
MOST_DECISIONS = 2_000
UNFOLDED = 12  # lines that are told with their events

# What nobody says at a table.
NEVER = (
    *(r"hidden piece", r"\bpieces?\b", r"\bis now\b", r"\bnone\b(?!”| of )", r"\bdeclines?\b"),
    *(r"is shown to", r"[_`#\[\]]", r"chooses? yes", r"\bchooses? [Yy]ou\b", r"\b(\w+) \1\b"),
    *(
        r"\b(?:an?|the) (?:an?|the) ",
        r"\b1 (?!goes)\w+s\b",
        r"\bYou (?!pass|guess|toss)\w+s\b",
        r"@",
        r"\s\s",
        r"\.\.",
    ),
    *(r"[a-z]\.[A-Z]", r" [,.:;]", r"\bnothing\b"),
)


@frozen
class Told:
    """A game to be told: the file with its variants and options, and how many play."""

    file: str
    players: int = 3
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    seed: int = 3

    @property
    def name(self) -> str:
        return "-".join([Path(self.file).stem, *self.variants])


SHORT = (("rounds", 2),)
HURRIED = tuple(
    Told(str(HERE / f"{name}.rules")) for name in ("trick", "rummy", "bluff", "lamps", "told")
)
SHIPPED = (
    Told("sins.rules"),
    Told("sins.rules", variants=("penitenziagite",)),
    Told("sins.rules", options=(("sins_picked", "by_taste"),), seed=4),
    Told("siegel.rules", options=SHORT, seed=15),
    Told("siegel.rules", variants=("open_tricks",), options=(("rounds", 1),)),
    Told("deadlies.rules"),
    Told("deadlies.rules", variants=("covered_discard",)),
    Told("deadlies.rules", players=6, variants=("sixth_player",)),
    Told("seven7s.rules"),
    Told("seven7s.rules", players=2, seed=5),
)
OVERLAYS = tuple(
    Told(name)
    for name in ("indulgence.rules", "my_sins.rules", "open_sins.rules", "steep_sins.rules")
)
ALL = (*SHIPPED[:2], *SHIPPED[3:9], *OVERLAYS, *HURRIED)


def play(told: Told, most: int = MOST_DECISIONS) -> Match:
    """A game in which everybody chooses at random."""
    game = load(told.file, told.variants, dict(told.options))
    match = game.start(NAMES[: told.players], told.seed, first=0)
    choose = at_random(told.seed)
    while match.decision is not None and len(match.choices) < most:
        match.apply(choose(len(match.choices), len(match.decision.options)))
    return match


def listen(match: Match, player: int | None) -> list[Entry]:
    """The story; whoever listens is spoken to."""
    names = tuple(YOU if seat == player else name for seat, name in enumerate(match.names))
    to = Listener(match.engine.layout, names, player, MOST_PIECES)
    return tell_story(to, match.events, questions_of(match))


def texts(story: list[Entry]) -> list[str]:
    """All that is told, with what lies beneath."""
    found = []
    for entry in story:
        found.append(entry.text)
        if isinstance(entry, StoryLine):
            found += [each.text for each in entry.details]
    return found


def write(told: Told) -> str:
    """A whole game for three listeners, and its beginning with all events."""
    return "\n".join(_rows(told)) + "\n"


def _rows(told: Told) -> Iterator[str]:
    match = play(told)
    chosen = [*told.variants, *(f"{name} = {value}" for name, value in told.options)]
    yield match.game.code.title + (f" with {', '.join(chosen)}" if chosen else "")
    for title, player in (("for Ada", 0), ("for Ben", 1), ("for who sees everything", None)):
        yield f"\n---- {title} ----\n"
        yield write_story(listen(match, player))
    yield "\n---- for Ada, unfolded ----\n"
    yield write_story(listen(match, 0)[:UNFOLDED], unfolded=True)
