"""A report as data -> lines of text for a terminal."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interpreter.lab.conclusions import deeds_of, is_known, slow_note, thing_name
from rulespec.rendering import counted

Data = dict[str, Any]

_NOTHING = re.compile(r"-(0(?:\.0*)?)(?![.\d])")

SELDOM = 0.1  # a part of the rules that is used in a smaller share of games is listed
MOST_PARTS = 15
MOST_CARDS = 5

MOST_THINGS = 12  # lines on things that a player does without

NAMES = {
    "shared": "shared victories",
    "unwon": "nobody wins",
    "cut": "cut off",
    "decisions": "decisions",
    "minutes": "minutes",
    "score": "mean score",
    "winner": "winner's score",
    "spread": "best to worst score",
    "turns": "turns",
    "lead changes": "lead changes",
    "ahead": "half-time favourite wins",
    "decided": "decided after",
    "matter": "decisions that matter",
    "clear": "one option far better",
    "stronger": "wins",
    "both": "wins a deal twice",
    "deal": "same seat wins twice",
}
TOO_FEW = "too few games to tell"


def signed(text: str) -> str:
    """Numbers with a typographic minus, and no minus before zero.

    >>> signed("-0.00 to -0.01")
    '0.00 to −0.01'
    """
    return _NOTHING.sub(r"\1", text).replace("-", "−")


def more(number: float) -> str:
    """A difference with its sign.

    >>> more(1.5), more(-0.001)
    ('+1.50', '−0.00')
    """
    return f"{number:+.2f}".replace("-", "−")


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.1f} %"


def measure_name(name: str, of: str = "") -> str:
    """The name of a measure for people.

    >>> measure_name("seat 2"), measure_name("winner"), measure_name("stronger", "hard against easy")
    ('wins, seat 2', "winner's score", 'hard against easy: wins')
    """
    return f"{of}: {NAMES[name]}" if of else NAMES.get(name, f"wins, {name}")


def ends(found: Data, factor: float = 1, digits: int = 2) -> str:
    """The ends of an interval, or a note if the interval says nothing.

    >>> ends({"low": 0.25, "high": 0.5, "tells": True}, 100, 1), ends({"low": -9, "high": 9, "tells": False})
    ('25.0 to 50.0', 'too few games to tell')
    """
    if not found.get("tells", True):
        return TOO_FEW
    low, high = (factor * found[name] for name in ("low", "high"))
    return signed(f"{low:.{digits}f} to {high:.{digits}f}")


def rules_name(report: Data) -> str:
    """Which rules were played: the file, its variants and options."""
    more = [*report["variants"], *(f"{name}={value}" for name, value in report["options"].items())]
    return f"{Path(report['file']).name}{' with ' + ', '.join(more) if more else ''}"


def report_text(report: Data) -> str:
    """A report for people."""
    lines = _simulated(report) if report["report"] == "simulate" else _compared(report)
    return "\n".join(lines) + "\n"


def _share_row(name: str, found: Data, more: str = "") -> str:
    return _row(name, percent(found["mean"]), ends(found, 100, 1), more)


def _mean_row(name: str, found: Data, more: str = "") -> str:
    return _row(name, signed(format(found["mean"], ".2f")), ends(found), more)


def _row(name: str, mean: str, between: str, more: str) -> str:
    """One line; text wider than its column pushes the rest to the right."""
    return f"  {name:24} {mean:>8}   {between:17} {more}".rstrip()


def _spread(found: Data) -> str:
    low, high = found["quarters"][0], found["quarters"][-1]
    return signed(f"from {found['least']} to {found['most']}, half of them from {low} to {high}")


# ---- simulate ------------------------------------------------------------------------------------


def _simulated(report: Data) -> Iterator[str]:
    yield f"{report['game']}: {rules_name(report)}, seed {report['seed']}"
    yield f"Seat 1 begins. Intervals of {100 * report['confidence']:g} % are next to the means."
    yield from _aside(report)
    for table in report["tables"]:
        yield ""
        yield from _table(table)
    yield from _parts(report)


def _aside(report: Data) -> Iterator[str]:
    """Notes on what was left out, and on an interrupted run."""
    for text in report["left_out"]:
        yield f"{text}."
    if report["interrupted"]:
        yield "interrupted: these are the results so far"


def title(table: Data) -> str:
    """A table in a line: the number of players, the number of games, and who played."""
    # A side of a comparison is played in pairs.
    games = (
        counted(table["games"], "pair") + " of games"
        if "sides" in table
        else counted(table["games"], "game")
    )
    return f"{counted(table['players'], 'player')}, {games}, {table['who']}"


def _table(table: Data) -> Iterator[str]:
    yield title(table)
    yield f"  {table['about']}"
    if table["cut_off"]:
        yield f"  {counted(table['cut_off'], 'game')} cut off, as they had too many choices: the rest is about the others"
    note = slow_note(table)
    if note is not None:
        yield f"  {note}"
    if table["decisions"]:
        yield from _ended(table)
    if "sample" in table:
        yield from _sample(table)
    yield from _skill(table)
    if "restricted" in table:
        yield from _restricted(table["restricted"])
    for text in table["verdict"]:
        yield f"  {text}"


def _ended(table: Data) -> Iterator[str]:
    """Lines on the endings of games."""
    for seat in table["seats"]:
        yield _share_row(f"wins, seat {seat['seat']}", seat, seat["bot"])
    yield _share_row(NAMES["shared"], table["shared"])
    if table["unwon"]["mean"]:
        yield _share_row(NAMES["unwon"], table["unwon"])
    yield _mean_row("decisions", table["decisions"], _spread(table["decisions"]))
    minutes = table["minutes"]
    if minutes["mean"]:
        yield _mean_row("minutes", minutes, f"at {minutes['pace']:g} seconds a decision")
    if table["score"] and table["unscored"]:
        yield f"  In {table['unscored']:,} games somebody has no score."
    if table["score"]:
        yield _mean_row("score", table["score"], _spread(table["score"]))
        if table["winner"]:
            yield _mean_row("winner's score", table["winner"])
        yield _mean_row("best to worst score", table["spread"])
    equal = percent(table["equal"])
    notes = {"ahead": f"{equal} if that meant nothing", "decided": "of a game"}
    for name, found in table["close"].items():
        if found and name not in ("turns", "lead changes"):
            yield _share_row(NAMES[name], found, notes.get(name, "of those with several options"))


def _sample(table: Data) -> Iterator[str]:
    sample = table["sample"]
    if sample["games"] != table["games"]:
        yield f"  in a sample of {sample['games']:,} games:"
    yield f"  {'turns':24}{sample['turns']:9.1f}"
    forced = f"   {percent(sample['forced'])} of the decisions have only one"
    yield f"  {'options per decision':24}{sample['options']:9.2f}{forced}"
    if sample["lead_changes"] is None:
        yield f"  {'lead changes':24}        –   only the end tells who leads"
    else:
        yield f"  {'lead changes':24}{sample['lead_changes']:9.1f}"
    if sample["dead"]:
        yield f"  {len(sample['dead'])} of {len(sample['cards'])} kinds of card in play never moved"
    for deed, verb in deeds_of(sample):
        yield from _cards(sample, deed, verb)


def _cards(sample: Data, deed: str, verb: str) -> Iterator[str]:
    """Cards that make a difference to those who do something with them."""
    matters = [card for card in sample["cards"] if card[deed].get("matters")]
    matters.sort(key=lambda card: (-card[deed]["won"], card["name"]))
    if len(matters) > 2 * MOST_CARDS:
        matters = matters[:MOST_CARDS] + matters[-MOST_CARDS:]
    if matters:
        yield f"  who {verb} it wins, where that surely is not as with any card, {percent(sample['usual'][deed])}:"
    for card in matters:
        yield _share_row(f"  {card['name']}", {**card[deed], "mean": card[deed]["won"]})


def _skill(table: Data) -> Iterator[str]:
    for each in table.get("skill", ()):
        yield f"  one {each['stronger']} player among {each['weaker']} ones, {each['deals']:,} deals with seats exchanged:"
        equal = f"{percent(each['equal'])} if skill were worth nothing"
        for name, found, more in (
            ("wins", each["wins"], equal),
            ("wins a deal twice", each["both"], ""),
            (
                "same seat wins twice",
                each["deal"],
                f"{percent(each['equal'])} if the deal meant nothing",
            ),
        ):
            if found:
                yield _share_row(f"  {name}", found, more)


def _restricted(found: Data) -> Iterator[str]:
    """Lines on what players lose without each thing: the most and the least costly."""
    every = [each for each in found["things"] if is_known(each)]
    yield (
        f"  what {found['who']} win or lose who never do it, in those of {found['games']:,} games in which "
        "they would (* is sure; all intervals hold together):"
    )
    yield f"  {'':4}{'victories':>9}   {'interval':16} {'lead':>7}   {'interval':16} {'done':>7}"
    shown = every
    if len(every) > 2 * MOST_THINGS:
        shown = [*every[:MOST_THINGS], *every[-MOST_THINGS:]]
    for n, each in enumerate(shown):
        if n == MOST_THINGS and len(shown) < len(every):
            yield f"    … {len(every) - len(shown)} more, which --json and --html list"
        mark = "*" if each["matters"] else " "
        worth = f"{_worth(each, 100, 1)}   {_worth(each['lead'], 1, 2)}"
        yield f"  {mark}   {worth} {percent(each['done']):>7}   {thing_name(each)}"
    if len(every) < len(found["things"]):
        unknown = len(found["things"]) - len(every)
        yield f"    {unknown} more were done too seldom to tell anything with these games"
    if found["seldom"]:
        yield f"    {found['seldom']} more were done in fewer than one game of twenty"


def _worth(found: Data, factor: float, digits: int) -> str:
    """A change and its interval, in two columns."""
    if not found or not found["tells"]:
        return f"{'–':>9}   {'':16}" if factor > 1 else f"{'–':>7}   {'':16}"
    mean, low, high = (f"{factor * found[name]:+.{digits}f}" for name in ("mean", "low", "high"))
    width = 9 if factor > 1 else 7
    return f"{mean:>{width}}   {f'{low} to {high}':16}".replace("-", "−")


def part_lines(report: Data) -> list[tuple[Data, dict[tuple[int, str], float]]]:
    """The parts of the rules, each with the share of games that used it, by player count and kind of players."""
    found: dict[tuple[Any, ...], tuple[Data, dict[tuple[int, str], float]]] = {}
    for table in report["tables"]:
        for part in table.get("sample", {}).get("parts", ()):
            key = tuple(part[name] for name in ("kind", "file", "line", "name"))
            found.setdefault(key, (part, {}))[1][table["players"], table["who"]] = part["share"]
    return list(found.values())


def _parts(report: Data) -> Iterator[str]:
    every = part_lines(report)
    if not every:
        return
    seldom = [(part, shares) for part, shares in every if max(shares.values()) < SELDOM]
    yield ""
    if not seldom:
        yield f"Of {len(every)} rules and rows every one is used in at least one game of ten."
        return
    yield f"Of {len(every)} rules and rows these are used in fewer than one game of ten:"
    seldom.sort(key=lambda each: max(each[1].values()))
    for part, shares in seldom[:MOST_PARTS]:
        place = f"{Path(part['file']).name}:{part['line']}"
        yield f"  {percent(max(shares.values())):>7}  {place}: {part['name']}"
    if len(seldom) > MOST_PARTS:
        yield f"  and {len(seldom) - MOST_PARTS} more, which --json and --html list"


# ---- compare -------------------------------------------------------------------------------------


def _compared(report: Data) -> Iterator[str]:
    first = report["contenders"][0]
    for each in report["contenders"]:
        yield f"{each['name']}: {each['game']}, {rules_name(each)}"
    yield f"Seat 1 begins. Pairs of games on the same seeds, seed {report['seed']}."
    yield (
        f"{families(report)} hold together with {100 * report['confidence']:g} % (Bonferroni); "
        "* marks what surely changed."
    )
    if report["until"] is not None:
        yield (
            f"Played until shares are known to {100 * report['until']:g} points; "
            "the error is shared out among the looks that this took."
        )
    for each in report["contenders"]:
        for doubt in each["doubts"]:
            yield f"! {each['name']}: {doubt}"
    yield from _aside(report)
    for table in report["tables"]:
        yield from _slow(table)
        for side in table["differences"]:
            yield ""
            yield title(table)
            yield f"  {table['about']}"
            yield (
                f"  {'':24}{first['name'][:16]:>16}{side['name'][:16]:>17}   "
                "  difference   interval"
            )
            yield from map(_difference, side["measures"])
            yield from _minutes(table, side)
            yield from _without(side)
            yield f"  {side['verdict']}"


def _slow(table: Data) -> Iterator[str]:
    """Of each side where the fast engine stopped."""
    for side in table["sides"]:
        note = slow_note(side, side["name"])
        if note is not None:
            yield f"{counted(table['players'], 'player')}: {note}"


def families(report: Data) -> str:
    """Which intervals hold together: those of random players, and those of players who think.

    >>> families({"families": {"random players": 8, "normal players": 14}})
    'The 8 intervals of random players and the 14 of normal players each'
    """
    told = [f"{number} of {who}" for who, number in report["families"].items()]
    if len(told) == 1:
        (number,) = report["families"].values()
        return f"All {number} intervals"
    return f"The {' and the '.join(told).replace(' of', ' intervals of', 1)} each"


def _difference(row: Data) -> str:
    factor, unit = (100, " %") if row["is_share"] else (1, "")
    digits = 1 if row["is_share"] else 2
    mark = "*" if row["changed"] else " "
    values = [signed(f"{factor * row[name]:.{digits}f}{unit}") for name in ("before", "after")]
    name = measure_name(row["measure"], row.get("of", ""))
    begin = f"  {name:24}{values[0]:>16}{values[1]:>17} {mark}"
    if not row["tells"]:
        return f"{begin} {'–':>12}   {TOO_FEW}"
    # Small changes of a share still get two digits.
    change, low, high = (more(factor * row[name]) for name in ("mean", "low", "high"))
    return f"{begin} {change:>12}   {low} to {high}"


def _minutes(table: Data, side: Data) -> Iterator[str]:
    """How many minutes a game of each side takes people."""
    found = [each for each in table["sides"] if each["name"] == side["name"]]
    both = [table["sides"][0].get("minutes"), found[0].get("minutes")]
    if all(both) and any(each["mean"] for each in both):
        told = [f"{each['mean']:.1f}" for each in both]
        yield f"  {'minutes':24}{told[0]:>16}{told[1]:>17}   {'':12}   at {both[0]['pace']:g} seconds a decision"


def _without(side: Data) -> Iterator[str]:
    """Lines on what a player loses without each thing, on both sides, the largest changes first."""
    found = side.get("restricted")
    if not found or not found["things"]:
        return
    known = [row for row in found["things"] if is_known(row) or row["changed"]]
    yield (
        f"  what {found['who']} win or lose in a game who never do it, in points of victories, "
        f"{found['games']:,} pairs of games (these intervals hold together):"
    )
    if not known:
        yield f"  {TOO_FEW}"
    for row in known[:MOST_THINGS]:
        mark = "*" if row["changed"] else " "
        before, after, change, low, high = (
            100 * row[name] for name in ("before", "after", "mean", "low", "high")
        )
        told = f"{change:>+12.2f}   {f'{low:+.2f} to {high:+.2f}':18}"
        if not row["tells"]:
            told = f"{'–':>12}   {TOO_FEW:18}"
        # The name comes last, as it may be long.
        numbers = f"  {'':24}{before:>+16.1f}{after:>+17.1f} {mark} {told}{_lead(row)}"
        yield f"{numbers.replace('-', '−')}   {thing_name(row)}"


def _lead(row: Data) -> str:
    """How the lead in points changed, if it surely did."""
    lead = row["lead"]
    if not lead or lead["low"] <= 0 <= lead["high"]:
        return ""
    return f" lead {lead['mean']:+.2f}, {lead['low']:+.2f} to {lead['high']:+.2f}"
