"""Counts of games replayed without one thing -> the worth of each thing, as data.

Most of the difference in a few games is chance. So this module takes the luck of the first games out (see `ablation`);
and besides victories it reports the lead in points over the others, which shows with fewer games what costs much.
"""

from math import sqrt
from typing import Any

from attrs import frozen

from interpreter.lab import intervals
from interpreter.lab.counts import Counts
from interpreter.lab.intervals import Controls, IntervalEstimate, Moments
from interpreter.lab.measures import WIDEST, WIDEST_SHARE, whole_victory

Data = dict[str, Any]
Thing = tuple[str, str]

LUCK = ("won", "lead")  # the kinds of luck
LEAST_DONE = 0.05  # the share of games in which a thing must occur to be reported


@frozen
class ReplayedGames:
    """Replayed games: their counts, their number, and the luck of the first games.

    `error` is the allowed error of each interval.
    """

    counts: Counts
    players: int
    games: int
    luck: Controls
    error: float

    def unit(self, name: str) -> int:
        """How many counts make one victory, or one point of lead."""
        return whole_victory(self.players) if name == "won" else max(1, self.players - 1)


def restricted_data(counts: Counts, players: int, error: float, who: str, side: int = 0) -> Data:
    """What a player loses who never does a thing, in games in which they would do it, the most costly first.

    All intervals hold together.
    """
    games = counts.get(("ended", side), 0)
    found = things_done(counts, "without", side)
    told = [each for each in found if _done(counts, ("without", side, *each)) >= LEAST_DONE * games]
    luck = _controls(counts, ("luck", side))
    table = ReplayedGames(counts, players, games, luck, error / max(1, len(told)) / len(LUCK))
    leads = luck.products[1][1] / max(1, games)
    widest = max(1.0, WIDEST * sqrt(leads) / table.unit("lead"))
    rows = []
    for thing in told:
        key = ("without", side, *thing)
        done = _done(counts, key) / games
        won, lead = (_when_done(table, key, name) for name in LUCK)
        if won is not None:
            rows.append(
                {
                    "kind": thing[0],
                    "name": thing[1],
                    "done": done,
                    **_ends(won, WIDEST_SHARE),
                    "lost": won.value * done,
                    "lead": {} if lead is None else _ends(lead, widest),
                    "matters": any(_is_sure(each) for each in (won, lead) if each is not None),
                }
            )
    rows.sort(key=_rank)
    return {"games": games, "who": who, "seldom": len(found) - len(told), "things": rows}


def _rank(row: Data) -> tuple[bool, float, float, str]:
    """The order of rows: by points, which are known better than victories; unknown ones come last."""
    is_known = row["tells"] or row["lead"].get("tells", False)
    return not is_known, row["lead"].get("mean", row["mean"]), row["mean"], row["name"]


def restricted_rows(counts: Counts, players: int, side: int, error: float) -> list[Data]:
    """For each thing, what a player loses who never does it, on both sides, and how surely that changed."""
    games = counts.get(("pairs", side), 0)
    told = [
        each
        for each in things_done(counts, "change", side)
        if max(_done(counts, ("without", at, *each)) for at in (0, side)) >= LEAST_DONE * games
    ]
    each_error = error / max(1, len(told)) / len(LUCK)
    pairs = ReplayedGames(
        counts, players, games, _controls(counts, ("luck of pairs", side)), each_error
    )
    sides = {
        at: ReplayedGames(
            counts, players, counts[("ended", at)], _controls(counts, ("luck", at)), each_error
        )
        for at in (0, side)
    }
    rows = []
    for thing in told:
        won, lead = (_change(pairs, ("change", side, *thing), name) for name in LUCK)
        if won is None:
            continue
        before, after = (
            _change(table, ("without", at, *thing), "won") for at, table in sides.items()
        )
        rows.append(
            {
                "kind": thing[0],
                "name": thing[1],
                "before": before.value if before else 0.0,
                "after": after.value if after else 0.0,
                **_ends(won, WIDEST_SHARE),
                "lead": {} if lead is None else _ends(lead),
                "changed": any(_is_sure(each) for each in (won, lead) if each is not None),
            }
        )
    return sorted(rows, key=lambda row: (not row["changed"], -abs(row["mean"]), row["name"]))


def things_done(counts: Counts, kind: str, side: int) -> list[Thing]:
    """The things that players did in the games of a side, or of both sides."""
    found = {
        (str(key[2]), str(key[3]))
        for key in counts
        if key[:2] == (kind, side) and len(key) == 5 and key[4] == "n"
    }
    return sorted(found)


def _done(counts: Counts, key: tuple[Any, ...]) -> int:
    """In how many games somebody did a thing."""
    return counts.get((*key, "n"), 0)


def _is_sure(found: IntervalEstimate) -> bool:
    return not found.low <= 0 <= found.high


def _ends(found: IntervalEstimate, widest: float | None = None) -> Data:
    """A change with its interval, and whether the interval says anything."""
    data = {"mean": found.value, "low": found.low, "high": found.high}
    if widest is None:
        return data
    return {**data, "tells": _is_sure(found) or found.half <= widest}


# ---- Without luck --------------------------------------------------------------------------------


def _controls(counts: Counts, key: tuple[Any, ...]) -> Controls:
    """The luck of the first games."""
    won, lead, squares, product, leads = (
        counts.get((*key, name), 0) for name in (*LUCK, "won won", "won lead", "lead lead")
    )
    return Controls((won, lead), ((squares, product), (product, leads)))


def _moments(counts: Counts, key: tuple[Any, ...], name: str) -> Moments:
    """The moments of a change: its sum, the sum of its squares, and the sums of its products with luck."""
    total, squares, won, lead = (
        counts.get((*key, name, each), 0) for each in ("sum", "square", *LUCK)
    )
    return Moments(total, squares, (won, lead))


def _change(table: ReplayedGames, key: tuple[Any, ...], name: str) -> IntervalEstimate | None:
    """How a thing changes a game on average; None if some games have no points."""
    counts, games = table.counts, table.games
    if not games or (name == "lead" and counts.get((*key, "no points"))):
        return None
    moments = _moments(counts, key, name)
    return intervals.steadied(games, moments, table.luck, table.error, table.unit(name))


def _when_done(table: ReplayedGames, key: tuple[Any, ...], name: str) -> IntervalEstimate | None:
    """Like `_change`, for the games in which somebody did the thing: a ratio estimate from linearised deviations."""
    overall = _change(table, key, name)
    if overall is None:
        return None
    counts, games, unit = table.counts, table.games, table.unit(name)
    done, found = _done(counts, key), _moments(counts, key, name)
    guess = overall.value * unit * games / done
    left = Moments(
        found.total - guess * done,
        found.squares - 2 * guess * found.total + guess**2 * done,
        tuple(
            each - guess * counts.get((*key, f"n {luck}"), 0)
            for each, luck in zip(found.products, LUCK, strict=True)
        ),
    )
    rest = intervals.steadied(games, left, table.luck, table.error, unit)
    share = done / games
    middle = guess / unit + rest.value / share
    return IntervalEstimate(middle, middle - rest.half / share, middle + rest.half / share)
