"""Counts of pairs of games -> what changed from the first side to another, as rows of numbers and as a sentence."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter.lab.conclusions import named, thing_name
from interpreter.lab.counts import Counts
from interpreter.lab.measures import Measure, difference, mean_value, tells
from rulespec.rendering import counted

Data = dict[str, Any]


def difference_rows(
    counts: Counts, every: Sequence[Measure], side: int, error: float, of: str = ""
) -> list[Data]:
    """For each measure, its value on both sides, and how surely it changed; `of` names what else the row is about."""
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
                # An interval that excludes zero shows a change, however wide it is.
                "tells": changed or tells(counts, (0, side), measure, each),
                "changed": changed,
            }
        )
    return found


# ---- The verdict ---------------------------------------------------------------------------------


def verdict(table: Data, side: Data) -> str:
    """One sentence: who played, what changed, and that nothing else did as far as the games can tell."""
    players, found = table["players"], side["measures"]
    # With two seats, one wins what the other loses.
    changed = [each for each in found if each["changed"]]
    told = [
        _told(players, each) for each in changed if (players, each.get("measure")) != (2, "seat 2")
    ]
    rest = f"that we can tell with {table['games']:,} games"
    text = "; ".join(told)
    if side["same"] == table["games"]:
        text = (
            f"all {table['games']:,} games were the same on both sides: what differs never mattered"
        )
    elif not told and not any(each["tells"] for each in found if each["is_share"]):
        text = f"{counted(table['games'], 'pair')} of games {'is' if table['games'] == 1 else 'are'} too few to tell what changed"
    elif not told:
        text = f"nothing changed {rest}"
    elif len(changed) < len(found):
        text += f"; nothing else changed {rest}"
    begin = f"Among {table['who']}, "
    return " ".join([f"{begin}{text}.", *_without(side)])


def _without(side: Data) -> Iterator[str]:
    """Whether doing without a thing costs more or less than before."""
    found = side.get("restricted")
    if not found or not found["things"]:
        return
    told = [
        f"{thing_name(each)} {'more' if each['mean'] < 0 else 'less'}"
        for each in found["things"]
        if each["changed"]
    ]
    text = (
        f"doing without one of these surely costs something else: {named(told)}"
        if told
        else "nothing that players do without surely costs more or less than before"
    )
    yield f"Among {found['who']}, {text} ({found['games']:,} games)."


def _told(players: int, each: Data) -> str:
    before, after = each["before"], each["after"]
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
    """A number, with a typographic minus if it is negative."""
    return f"{value:.{digits}f}".replace("-", "−")
