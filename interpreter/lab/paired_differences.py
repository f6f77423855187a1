"""Counts of pairs of games -> what changed from the first side to another, in numbers and in a sentence."""

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.lab import intervals
from interpreter.lab.counts import Counts
from interpreter.lab.measures import Measure, difference, mean_value, tells, whole_victory
from interpreter.lab.samples import LEAST_RESTRICTED, player_deeds

Data = dict[str, Any]


def difference_rows(
    counts: Counts, every: Sequence[Measure], side: int, error: float, of: str = ""
) -> list[Data]:
    """Of each measure what it was and is, and how surely it changed; `of` says what else it is about."""
    found = []
    for measure in every:
        each = difference(counts, side, measure, error)
        before, after = mean_value(counts, 0, measure), mean_value(counts, side, measure)
        if each is None or before is None or after is None:
            continue
        if measure.name in ("unwon", "cut") and not before and not after:
            continue
        changed = not each.low <= 0 <= each.high
        found.append(
            {
                "measure": measure.name,
                **({"of": of} if of else {}),
                "is_share": measure.is_share,
                "before": before,
                "after": after,
                "mean": each.value,
                "low": each.low,
                "high": each.high,
                # However wide an interval is without zero, it says that something changed.
                "tells": changed or tells(counts, (0, side), measure, each),
                "changed": changed,
            }
        )
    return found


def restricted_rows(counts: Counts, players: int, side: int, error: float) -> list[Data]:
    """Of each thing what a player loses who never does it, on both sides, and how surely that changed."""
    games, unit = counts.get(("pairs", side), 0), whole_victory(players)
    every = sorted({*player_deeds(counts, 0), *player_deeds(counts, side)})
    found = []
    for kind, name in every:
        done = [counts.get(("without", at, kind, name, "n"), 0) for at in (0, side)]
        if not games or max(done) < LEAST_RESTRICTED * games:
            continue
        total, squares = (counts.get(("change", side, kind, name, x), 0) for x in ("sum", "square"))
        each = intervals.mean(games, total, squares, error / len(every), unit)
        before, after = (
            counts.get(("without", at, kind, name, "sum"), 0)
            / max(1, counts.get(("ended", at), 0))
            / unit
            for at in (0, side)
        )
        found.append(
            {
                "kind": kind,
                "name": name,
                "before": before,
                "after": after,
                "mean": each.value,
                "low": each.low,
                "high": each.high,
                "changed": not each.low <= 0 <= each.high,
            }
        )
    return sorted(found, key=lambda row: (not row["changed"], -abs(row["mean"]), row["name"]))


# ---- The verdict ---------------------------------------------------------------------------------


def verdict(table: Data, side: Data) -> str:
    """Who played, what changed, and that nothing else did, as far as can be told; in a sentence."""
    players, found = table["players"], [*side["measures"], *side.get("restricted", ())]
    # Of two seats, what one wins the other loses.
    changed = [each for each in found if each["changed"]]
    told = [
        _told(players, each) for each in changed if (players, each.get("measure")) != (2, "seat 2")
    ]
    rest = f"that we can tell with {table['games']:,} games"
    begin = f"Among {table['who']}, "
    if not told:
        return f"{begin}nothing changed {rest}."
    text = "; ".join(told)
    if len(changed) < len(found):
        text += f"; nothing else changed {rest}"
    return f"{begin}{text}."


def _told(players: int, each: Data) -> str:
    before, after = each["before"], each["after"]
    if "measure" not in each:
        way = "more" if after < before else "less"
        return f"doing without {each['kind']} “{each['name']}” costs {way}"
    name = each["measure"]
    if name.startswith("seat "):
        edge = [100 * (value - 1 / players) for value in (before, after)]
        way = "rises" if after > before else "falls"
        return f"{name}'s edge {way} from {_number(edge[0], 1)} to {_number(edge[1], 1)} points, surely"
    if name in SHARES:
        way = "more" if after > before else "fewer"
        text, unit = SHARES[name](way), " %"
        change = f"{100 * after:.1f}{unit} instead of {100 * before:.1f}{unit}"
        of = f" ({each['of']})" if "of" in each else ""
        return f"{text}{of}, {change}"
    if name == "decisions":
        change_ = 100 * abs(after - before) / before if before else 0.0
        return f"games {'grow' if after > before else 'get'} {change_:.1f} % {'longer' if after > before else 'shorter'}"
    way = "rises" if after > before else "falls"
    return f"{MEANS[name]} {way} from {_number(before, 2)} to {_number(after, 2)}"


SHARES: dict[str, Callable[[str], str]] = {
    "shared": lambda way: f"{way} victories are shared",
    "unwon": lambda way: f"nobody wins {way} games",
    "cut": lambda way: f"{way} games have no end that was reached",
    "ahead": lambda way: f"the favourite at half-time wins {way} games",
    "decided": lambda way: f"games are decided {'later' if way == 'more' else 'earlier'}",
    "matter": lambda way: f"{way} decisions matter",
    "clear": lambda way: f"{way} decisions have one option that is far better",
    "stronger": lambda way: f"the stronger player wins {way} games",
    "both": lambda way: f"the stronger player wins {way} deals twice",
    "deal": lambda way: f"{way} deals are won twice by the same seat",
}
MEANS = {
    "score": "the mean score",
    "winner": "the winner's score",
    "spread": "the distance from the best to the worst score",
    "turns": "the number of turns",
    "lead changes": "the number of lead changes",
}


def _number(value: float, digits: int) -> str:
    """A number with a real minus, if it is less than nothing."""
    return f"{value:.{digits}f}".replace("-", "−")
