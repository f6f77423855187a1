"""Counts of games examined closely -> rules, cards and things that players do, as data."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from interpreter.lab import intervals
from interpreter.lab.counts import Counts, counts_under, value_counts
from interpreter.lab.measures import whole_victory
from interpreter.lab.sample import ANY, DEEDS
from interpreter.lab.unused import unused_parts
from interpreter.match import Game
from rulespec import loading

Data = dict[str, Any]


@lru_cache(maxsize=64)
def _unused(game: Game, players: int) -> frozenset[Any]:
    return unused_parts(game, players)


def sample_data(counts: Counts, side: int, players: int, game: Game, error: float) -> Data:
    """What mattered in the games that were examined closely."""
    games = counts[("games",)]
    options = value_counts(counts, "options", side)
    decisions = sum(count for _, count in options)
    unused, cards = _unused(game, players), _cards(counts, side, players, error)
    parts = [
        {"kind": key[2], "file": key[3], "line": key[4], "name": key[5], "share": count / games}
        for key, count in counts.items()
        if key[:2] == ("part", side) and not _is_mechanism(str(key[3])) and key[2:] not in unused
    ]
    return {
        "games": games,
        "usual": {deed: usual_share(counts, side, deed, players) for deed in DEEDS},
        "turns": _mean(counts, side, "turns"),
        "options": sum(value * count for value, count in options) / max(1, decisions),
        "forced": sum(count for value, count in options if value == 1) / max(1, decisions),
        # The share of decisions at which a bot found no world that explains what it knows.
        "blind": counts.get(("blind", side), 0) / max(1, decisions),
        # Nobody leads before the end if the ranking is defined only there.
        "lead_changes": _mean(counts, side, "lead changes"),
        "parts": sorted(parts, key=lambda part: (part["file"], part["line"], part["name"])),
        "cards": cards,
        "dead": dead_cards(cards, games, error),
    }


def _mean(counts: Counts, side: int, name: str) -> float | None:
    n = counts.get(("of", side, name, "n"), 0)
    return counts["of", side, name, "sum"] / n if n else None


def _cards(counts: Counts, side: int, players: int, error: float) -> list[Data]:
    """Cards by name: how often one moved, and how often players win who got, played or kept one.

    A card that never leaves the box does not belong to this game. Cards of one game share its result, so the sample
    size is the number of games, not of cards. All intervals hold together.
    """
    games = counts[("games",)]
    moved, there = counts_under(counts, "moved", side), counts_under(counts, "there", side)
    used = [name for name in moved if there[name]]
    found = []
    for name in used:
        card: Data = {"name": name, "moved": moved[name] / games}
        for deed in DEEDS:
            each = error / (len(used) * len(DEEDS))
            card[deed] = _deed(counts, side, (deed, name), players, each)
        found.append(card)
    return found


def dead_cards(cards: list[Data], games: int, error: float) -> list[str]:
    """The cards that never moved, if a card that moves as often as the others surely would have moved.

    >>> some = [{"name": "Ace", "moved": 0.0}, {"name": "King", "moved": 0.2}]
    >>> dead_cards(some, 10, 0.05), dead_cards(some, 50, 0.05)
    ([], ['Ace'])
    """
    usual = sum(card["moved"] for card in cards) / max(1, len(cards))
    if len(cards) * (1 - usual) ** games > error:
        return []
    return [card["name"] for card in cards if not card["moved"]]


def _deed(counts: Counts, side: int, key: tuple[str, str], players: int, error: float) -> Data:
    """How many players per game did this with a card, and how often they win.

    It matters if they win more or less often than players who did it with any card: in a shedding game, a player who
    has any card at the end has lost.
    """
    games, held = counts[("games",)], counts["held", side, *key]
    if not held:
        return {"held": 0.0}
    unit = whole_victory(players) * players
    total, squares = counts["excess", side, *key], counts["squares", side, *key]
    more = intervals.mean(games, total, squares, error, unit)
    each = held / games
    ends = {"won": more.value, "low": more.low, "high": more.high}
    usual = usual_share(counts, side, key[0], players)
    return {
        "held": each,
        # As a share, clamped to the range from 0 to 1.
        **{end: min(1.0, max(0.0, 1 / players + value / each)) for end, value in ends.items()},
        "matters": not more.low <= (usual - 1 / players) * each <= more.high,
    }


def usual_share(counts: Counts, side: int, deed: str, players: int) -> float:
    """How often players win who did this with any card; the equal share if only one kind of card is possible."""
    kinds = sum(
        1 for name, held in counts_under(counts, "held", side, deed).items() if name and held
    )
    if kinds == 1:
        return 1 / players
    held, excess = (counts[name, side, deed, ANY] for name in ("held", "excess"))
    return 1 / players + (excess / held / whole_victory(players) / players if held else 0.0)


def _is_mechanism(file: str) -> bool:
    return Path(file).resolve().parent == loading.MECHANISMS.resolve()
