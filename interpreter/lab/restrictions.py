"""Counts of games that were played again without one thing -> what each thing is worth, as data.

Chance makes most of what one sees in a few games. So the luck of the first games is taken out (see `ablation`), and
besides victories there is the lead in points over the others, which tells with fewer games what costs much.
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

LUCK = ("won", "lead")  # kinds of it
LEAST_DONE = 0.05  # of the games, in which somebody must have done a thing for a word on it


@frozen
class ReplayedGames:
    """Games that were played again: their counts, how many there are, and the luck of the first ones.

    `error` is that of each interval.
    """

    counts: Counts
    players: int
    games: int
    luck: Controls
    error: float

    def unit(self, name: str) -> int:
        """How many of what is counted are a victory, or a point of lead."""
        return whole_victory(self.players) if name == "won" else max(1, self.players - 1)


def restricted_data(counts: Counts, players: int, error: float, who: str, side: int = 0) -> Data:
    """What a player loses who never does a thing, in games in which it would be done, the most costly first.

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
    """By points, which are known better than victories; at the end what is not known."""
    is_known = row["tells"] or row["lead"].get("tells", False)
    return not is_known, row["lead"].get("mean", row["mean"]), row["mean"], row["name"]


def restricted_rows(counts: Counts, players: int, side: int, error: float) -> list[Data]:
    """Of each thing what a player loses in a game who never does it, on both sides, and how surely that changed."""
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
    """What players did in the games of a side, or of both."""
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
    """A change with its interval, and whether that says anything."""
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
    """Of a change its sum, that of its squares, and those of its products with luck."""
    total, squares, won, lead = (
        counts.get((*key, name, each), 0) for each in ("sum", "square", *LUCK)
    )
    return Moments(total, squares, (won, lead))


def _change(table: ReplayedGames, key: tuple[Any, ...], name: str) -> IntervalEstimate | None:
    """How a thing changes a game on average; nothing, if not all of them have points."""
    counts, games = table.counts, table.games
    if not games or (name == "lead" and counts.get((*key, "no points"))):
        return None
    moments = _moments(counts, key, name)
    return intervals.steadied(games, moments, table.luck, table.error, table.unit(name))


def _when_done(table: ReplayedGames, key: tuple[Any, ...], name: str) -> IntervalEstimate | None:
    """As `_change`, for those games in which somebody did the thing: a ratio, by its deviations from the first guess."""
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
