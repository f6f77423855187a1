"""A game -> what its tables are like: a report as plain data, for people and programs alike.

Per number of players: how often each seat wins, scores, length and shared victories from all games; what
mattered from a sample of them; what skill is worth from games of a thinking bot among random ones.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from interpreter.lab import intervals
from interpreter.lab.chunks import Packed, Task, pack
from interpreter.lab.counts import Counts, histogram, named
from interpreter.lab.intervals import Estimate
from interpreter.lab.playing import AFTER_SEATS, RANDOM, SKILLED, whole_victory
from interpreter.lab.running import Done
from interpreter.lab.studies import Errand, Study, conduct
from interpreter.match import Game
from rulespec import loading

Data = dict[str, Any]


@frozen
class Plan:
    """What is to be played: how many games, by whom, and from which seed."""

    games: int
    players: tuple[int, ...]
    seats: tuple[str, ...] = ()  # of one table; without them all choose at random
    seed: int = 1
    sample: int = 200
    skill: int = 0
    confidence: float = intervals.USUAL_CONFIDENCE


def seats_for(plan: Plan, players: int) -> tuple[str, ...]:
    """Who sits at the table; one word stands for all seats."""
    if len(plan.seats) == 1:
        return plan.seats * players
    return plan.seats or (RANDOM,) * players


def simulate(game: Game, plan: Plan, study: Study) -> Data:
    """Play, and report; of what was interrupted as much as there is."""
    packed = pack(game)
    tables = [
        table
        for players in plan.players
        if (table := _table(game, packed, plan, players, study)) is not None
    ]
    return {
        "report": "simulate",
        **describe(game),
        "seed": plan.seed,
        "confidence": plan.confidence,
        "interrupted": study.is_interrupted,
        "tables": tables,
    }


def describe(game: Game) -> Data:
    """Which rules were played."""
    return {
        "game": game.code.title,
        "file": game.name,
        "variants": list(game.variants),
        "options": dict(game.settings),
    }


def _table(game: Game, packed: Packed, plan: Plan, players: int, study: Study) -> Data | None:
    seats = seats_for(plan, players)
    everybody = (RANDOM,) * players

    def play(kind: Any, sitting: tuple[str, ...], games: int) -> Done:
        return conduct(study, Errand(Task(kind, (packed,), players, sitting, plan.seed), games))

    # The sample goes first: it is there that a game without an end is noticed.
    sample = play("sample", everybody, min(plan.sample, plan.games))
    done = play("games", seats, plan.games)
    skill = play("skill", everybody, plan.skill)
    if not done.games:
        return None
    found = table_data(done.counts, 0, players, seats, 1 - plan.confidence)
    scores = [row for row in game.code.ranking if row.role == "score"]
    found["score"]["title"] = scores[0].title if scores else ""
    if sample.games:
        found["sample"] = sample_data(sample.counts, players, 1 - plan.confidence)
    if skill.games:
        found["skill"] = skill_data(skill.counts, players, 1 - plan.confidence)
    return found


def interval_data(found: Estimate) -> Data:
    """A mean and its interval."""
    return {"mean": found.value, "low": found.low, "high": found.high}


def table_data(counts: Counts, side: int, players: int, seats: Sequence[str], error: float) -> Data:
    """What all games of one program at one table came to."""
    games, whole = counts[("games",)], whole_victory(players)
    sums, squares = named(counts, "sum", side), named(counts, "square", side)

    def number(name: str, unit: float = 1.0) -> Data:
        m = players + AFTER_SEATS.index(name)
        return interval_data(intervals.mean(games, sums[m], squares[m], error, unit))

    def part(m: int, of: int) -> Data:
        return interval_data(intervals.share(games, sums[m], squares[m], of, error))

    lengths = histogram(counts, "decisions", side)
    scores = histogram(counts, "score", side)
    unscored = counts[("unscored", side)]
    return {
        "players": players,
        "games": games,
        "equal": 1 / players,
        "seats": [{"seat": m + 1, "bot": word, **part(m, whole)} for m, word in enumerate(seats)],
        "shared": part(players, 1),
        "unwon": part(players + 1, 1),
        "decisions": {**number("decisions"), **spread_data(lengths)},
        "unscored": unscored,
        "score": {} if unscored else {**number("score", players), **spread_data(scores)},
        "winner": {} if unscored else number("winner"),
        "spread": {} if unscored else number("spread"),
    }


def spread_data(found: list[tuple[int, int]]) -> Data:
    """How values are spread: the ends, the quarters, and all of it."""
    total = sum(count for _, count in found)
    below = 0
    quarters: list[int] = []
    for value, count in found:
        below += count
        while len(quarters) < 3 and 4 * below >= total * (len(quarters) + 1):
            quarters.append(value)
    return {
        "least": found[0][0],
        "quarters": quarters,
        "most": found[-1][0],
        "histogram": [list(row) for row in found],
    }


def sample_data(counts: Counts, players: int, error: float) -> Data:
    """What mattered in the games of the sample."""
    games = counts[("games",)]
    options = histogram(counts, "options")
    decisions = sum(count for _, count in options)
    changes = histogram(counts, "changes")
    ranked = sum(count for _, count in changes)
    parts = [
        {"kind": key[1], "file": key[2], "line": key[3], "name": key[4], "share": count / games}
        for key, count in counts.items()
        if key[0] == "part" and not _is_mechanism(str(key[2]))
    ]
    return {
        "games": games,
        "equal": 1 / players,
        "turns": sum(value * count for value, count in histogram(counts, "turns")) / games,
        "options": sum(value * count for value, count in options) / max(1, decisions),
        "forced": sum(count for value, count in options if value == 1) / max(1, decisions),
        # Where the ranking needs the end of the game nobody is in the lead before.
        "lead_changes": sum(value * count for value, count in changes) / ranked if ranked else None,
        "parts": sorted(parts, key=lambda part: (part["file"], part["line"], part["name"])),
        "cards": _cards(counts, players, error),
    }


def _cards(counts: Counts, players: int, error: float) -> list[Data]:
    """Cards by name: how often one moved, and what those win who have it at the end.

    Cards of one game have the same end, so it is games that are counted, and not cards. All intervals
    hold together.
    """
    games = counts[("games",)]
    moved, held = named(counts, "moved"), named(counts, "held")
    excess, squares = named(counts, "excess"), named(counts, "squares")
    unit = whole_victory(players) * players
    found = []
    for name, count in moved.items():
        card: Data = {"name": name, "moved": count / games, "held": held[name] / games}
        if held[name]:
            more = intervals.mean(games, excess[name], squares[name], error / len(moved), unit)
            each = held[name] / games
            ends = {"won": more.value, "low": more.low, "high": more.high}
            card |= {
                # As a share, which is never less than nothing nor more than all.
                end: min(1.0, max(0.0, 1 / players + value / each))
                for end, value in ends.items()
            }
            card["matters"] = not more.low <= 0 <= more.high
        found.append(card)
    return found


def _is_mechanism(file: str) -> bool:
    return Path(file).resolve().parent == loading.MECHANISMS.resolve()


def skill_data(counts: Counts, players: int, error: float) -> Data:
    """How much more than its part one who thinks wins among those who do not."""
    games, whole = counts[("games",)], whole_victory(players)
    found = intervals.share(games, counts["sum", 0, 0], counts["square", 0, 0], whole, error)
    return {"games": games, "bot": SKILLED, "equal": 1 / players, **interval_data(found)}
