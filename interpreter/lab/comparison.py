"""Several programs on the same seeds -> how they differ, and what can be said for sure.

All differences are between pairs of games with the same seed. All intervals of a report hold together: the
error that is allowed is shared out among them. What is told as a change has an interval without zero.
"""

from collections.abc import Sequence
from math import ceil

from attrs import frozen

from interpreter.lab import intervals
from interpreter.lab.chunks import Task, pack
from interpreter.lab.counts import Counts, named
from interpreter.lab.intervals import Estimate
from interpreter.lab.playing import AFTER_SEATS, RANDOM, measures, whole_victory
from interpreter.lab.running import Done
from interpreter.lab.simulation import Data, Plan, describe, interval_data, seats_for, table_data
from interpreter.lab.studies import Errand, Study, conduct
from interpreter.match import Game

FIRST_LOOK = 1_000  # games after which it is first asked whether they are enough
FIRST_SHARE = 0.1  # of the allowed error, that is spent on the first look
TRIED = 2  # games of each side, before many are played
MARGIN = 1.1  # as many games as seem needed, and some more
SHARES = 2  # besides the seats: "shared" and "unwon" are shares as well


@frozen
class Contender:
    """A program of a comparison, by the name that tells it from the others."""

    name: str
    game: Game


def compare(
    contenders: Sequence[Contender], plan: Plan, study: Study, until: float | None = None
) -> Data:
    """Play all on the same seeds, and tell how each differs from the first."""
    packed = tuple(pack(each.game) for each in contenders)
    allowed = 1 - plan.confidence
    family = sum(len(measures(players)) for players in plan.players) * (len(contenders) - 1)
    tables = []
    for players in plan.players:
        seats = seats_for(plan, players)
        for each in packed:
            # Step by step, where a game without an end is noticed.
            trial = Task("sample", (each,), players, (RANDOM,) * players, plan.seed)
            conduct(study, Errand(trial, TRIED))
        task = Task("games", packed, players, seats, plan.seed)
        if until is None:
            done, error = conduct(study, Errand(task, plan.games)), allowed / family
        else:
            done, error = _play_until(study, task, plan.games, until, allowed / family)
        if done.games:
            tables.append(_table(contenders, done, players, seats, error))
    return {
        "report": "compare",
        "contenders": [{"name": each.name, **describe(each.game)} for each in contenders],
        "seed": plan.seed,
        "confidence": plan.confidence,
        "intervals": family,
        "until": until,
        "interrupted": study.is_interrupted,
        "tables": tables,
    }


# ---- How long ------------------------------------------------------------------------------------


def error_at(look: int) -> float:
    """The part of the allowed error that the so-manieth look may spend: together never more than all.

    >>> error_at(1), error_at(2), round(sum(map(error_at, range(1, 60))), 9)
    (0.1, 0.45, 1.0)
    """
    return FIRST_SHARE if look == 1 else (1 - FIRST_SHARE) / 2 ** (look - 1)


def _play_until(
    study: Study, task: Task, most: int, until: float, error: float
) -> tuple[Done, float]:
    """Play until every difference of shares is known so precisely; with the error spent at that look.

    Whoever looks often enough sees anything: so it is looked at few sizes only, each chosen after what
    the last one left to be done, and each has a part of the allowed error for itself.
    """
    size = min(most, FIRST_LOOK)
    look = 1
    while True:
        done = conduct(study, Errand(task, size))
        spent = error * error_at(look)
        if done.games < size or size >= most:
            return done, spent
        widest = _widest(done.counts, task.players, len(task.programs), spent)
        if widest <= until:
            return done, spent
        look += 1
        next_widest = _widest(done.counts, task.players, len(task.programs), error * error_at(look))
        size = min(most, ceil(size * max(1.2, MARGIN * (next_widest / until) ** 2)))


def _widest(counts: Counts, players: int, sides: int, error: float) -> float:
    return max(
        difference(counts, players, side, m, error).half
        for side in range(1, sides)
        for m in range(players + SHARES)
    )


# ---- What differs --------------------------------------------------------------------------------


def unit_of(players: int, m: int) -> float:
    """What one is, of a measure: a whole victory, or a point of everybody's."""
    if m < players:
        return whole_victory(players)
    return players if AFTER_SEATS[m - players] == "score" else 1


def difference(counts: Counts, players: int, side: int, m: int, error: float) -> Estimate:
    """How much more of a measure a side has than the first one, from pairs of games."""
    total = counts["sum", side, m] - counts["sum", 0, m]
    squares = counts["square", side, m] + counts["square", 0, m] - 2 * counts["product", 0, side, m]
    return intervals.mean(counts[("games",)], total, squares, error, unit_of(players, m))


def _table(
    contenders: Sequence[Contender],
    done: Done,
    players: int,
    seats: Sequence[str],
    error: float,
) -> Data:
    counts = done.counts
    sides = [
        {"name": each.name, **table_data(counts, side, players, seats, error)}
        for side, each in enumerate(contenders)
    ]
    differences = [_differences(counts, players, side, error) for side in range(1, len(contenders))]
    return {
        "players": players,
        "games": done.games,
        "sides": sides,
        "differences": [
            {"name": each.name, "measures": found, "verdict": verdict(players, done.games, found)}
            for each, found in zip(contenders[1:], differences, strict=True)
        ],
    }


def _differences(counts: Counts, players: int, side: int, error: float) -> list[Data]:
    games = counts[("games",)]
    before, after = named(counts, "sum", 0), named(counts, "sum", side)
    unscored = counts["unscored", 0] + counts["unscored", side]
    found = []
    for m, name in enumerate(measures(players)):
        if unscored and m >= players and AFTER_SEATS[m - players] in ("score", "winner", "spread"):
            continue
        if name == "unwon" and not before[m] and not after[m]:
            continue
        unit = unit_of(players, m) * games
        each = difference(counts, players, side, m, error)
        found.append(
            {
                "measure": name,
                "is_share": m < players + SHARES,
                "before": before[m] / unit,
                "after": after[m] / unit,
                **interval_data(each),
                "changed": not each.low <= 0 <= each.high,
            }
        )
    return found


# ---- The verdict ---------------------------------------------------------------------------------


def verdict(players: int, games: int, found: Sequence[Data]) -> str:
    """What changed, in a sentence; and that nothing else did, as far as can be told."""
    # Of two seats, what one wins the other loses.
    changed = [each for each in found if each["changed"]]
    told = [_told(players, each) for each in changed if (players, each["measure"]) != (2, "seat 2")]
    rest = f"that we can tell with {games:,} games"
    if not told:
        return f"Nothing changed {rest}."
    text = "; ".join(told)
    if len(changed) < len(found):
        text += f"; nothing else changed {rest}"
    return f"{text[0].upper()}{text[1:]}."


def _told(players: int, each: Data) -> str:
    name, before, after = each["measure"], each["before"], each["after"]
    rises = after > before
    if name.startswith("seat "):
        edge = [100 * (value - 1 / players) for value in (before, after)]
        way = "rises" if rises else "falls"
        return f"{name}'s edge {way} from {_signed(edge[0])} to {_signed(edge[1])} points, surely"
    if name == "shared":
        way = "more" if rises else "fewer"
        return f"{way} victories are shared, {100 * after:.1f} % instead of {100 * before:.1f} %"
    if name == "unwon":
        way = "more" if rises else "fewer"
        return f"nobody wins {way} games, {100 * after:.1f} % instead of {100 * before:.1f} %"
    if name == "decisions":
        change = 100 * abs(after - before) / before if before else 0.0
        way = "grow" if rises else "get"
        return f"games {way} {change:.1f} % {'longer' if rises else 'shorter'}"
    what = {
        "score": "the mean score",
        "winner": "the winner's score",
        "spread": "the distance from the best to the worst score",
    }[name]
    way = "rises" if rises else "falls"
    return f"{what} {way} from {before:.2f} to {after:.2f}"


def _signed(points: float) -> str:
    """An edge in points; what is less than nothing has a real minus."""
    return f"{points:.1f}".replace("-", "−")


def any_change(report: Data) -> bool:
    """Whether anything is told to have changed."""
    return any(
        measure["changed"]
        for table in report["tables"]
        for side in table["differences"]
        for measure in side["measures"]
    )
