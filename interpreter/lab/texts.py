"""A report as data -> lines for a terminal, and rows for a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulespec.rendering import count

Data = dict[str, Any]

_NOTHING = re.compile(r"-(0(?:\.0*)?)(?![.\d])")

SELDOM = 0.1  # a part of the rules that is used in fewer games is told
MOST_PARTS = 15
MOST_CARDS = 5

NAMES = {
    "shared": "shared victories",
    "unwon": "nobody wins",
    "decisions": "decisions",
    "score": "mean score",
    "winner": "winner's score",
    "spread": "best to worst score",
}


def signed(text: str) -> str:
    """Numbers with a real minus, and nothing without one.

    >>> signed("-0.00 to -0.01")
    '0.00 to −0.01'
    """
    return _NOTHING.sub(r"\1", text).replace("-", "−")


def more(number: float) -> str:
    """How much more, or less.

    >>> more(1.5), more(-0.001)
    ('+1.50', '−0.00')
    """
    return f"{number:+.2f}".replace("-", "−")


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.1f} %"


def measure_name(name: str) -> str:
    """What is counted, as people call it.

    >>> measure_name("seat 2"), measure_name("winner")
    ('wins, seat 2', "winner's score")
    """
    return NAMES.get(name, f"wins, {name}")


def rules_name(report: Data) -> str:
    """Which rules were played: the file, its variants and options."""
    more = [*report["variants"], *(f"{name}={value}" for name, value in report["options"].items())]
    return f"{Path(report['file']).name}{' with ' + ', '.join(more) if more else ''}"


def text(report: Data) -> str:
    """A report for people."""
    lines = _simulated(report) if report["report"] == "simulate" else _compared(report)
    return "\n".join(lines) + "\n"


def _interrupted(report: Data) -> Iterator[str]:
    if report["interrupted"]:
        yield "interrupted: these are the results so far"


def _share_row(name: str, found: Data, more: str = "") -> str:
    ends = f"{100 * found['low']:.1f} to {100 * found['high']:.1f}"
    return _row(name, percent(found["mean"]), ends, more)


def _mean_row(name: str, found: Data, more: str = "") -> str:
    ends = signed(f"{found['low']:.2f} to {found['high']:.2f}")
    return _row(name, signed(format(found["mean"], ".2f")), ends, more)


def _row(name: str, mean: str, ends: str, more: str) -> str:
    """One line; whatever is wider than its column pushes the rest aside, and never touches it."""
    return f"  {name:22} {mean:>8}   {ends:17} {more}".rstrip()


def _spread(found: Data) -> str:
    low, high = found["quarters"][0], found["quarters"][-1]
    return signed(f"from {found['least']} to {found['most']}, half of them from {low} to {high}")


# ---- simulate ------------------------------------------------------------------------------------


def _simulated(report: Data) -> Iterator[str]:
    yield f"{report['game']}: {rules_name(report)}, seed {report['seed']}"
    yield f"Seat 1 begins. Intervals of {100 * report['confidence']:g} % are next to the means."
    yield from _interrupted(report)
    for table in report["tables"]:
        yield ""
        yield from _table(table)
    yield from _parts(report)


def _table(table: Data) -> Iterator[str]:
    yield f"{count(table['players'], 'player')}, {count(table['games'], 'game')}"
    for seat in table["seats"]:
        yield _share_row(f"wins, seat {seat['seat']}", seat, seat["bot"])
    yield _share_row(NAMES["shared"], table["shared"])
    if table["unwon"]["mean"]:
        yield _share_row(NAMES["unwon"], table["unwon"])
    yield _mean_row("decisions", table["decisions"], _spread(table["decisions"]))
    if table["unscored"]:
        yield f"  In {table['unscored']:,} games somebody has no score."
    else:
        score = table["score"]
        yield _mean_row("score", score, _spread(score))
        yield _mean_row("winner's score", table["winner"])
        yield _mean_row("best to worst score", table["spread"])
    if "sample" in table:
        yield from _sample(table["sample"])
    if "skill" in table:
        skill = table["skill"]
        yield f"  {skill['bot']} among random players, {skill['games']:,} games:"
        yield _share_row("wins", skill, f"{percent(skill['equal'])} if skill were worth nothing")


def _sample(sample: Data) -> Iterator[str]:
    yield f"  in a sample of {sample['games']:,} games:"
    yield f"  {'turns':22}{sample['turns']:9.1f}"
    forced = f"   {percent(sample['forced'])} of the decisions have only one"
    yield f"  {'options per decision':22}{sample['options']:9.2f}{forced}"
    if sample["lead_changes"] is None:
        yield f"  {'lead changes':22}        –   only the end tells who leads"
    else:
        yield f"  {'lead changes':22}{sample['lead_changes']:9.1f}"
    moved = [card for card in sample["cards"] if card["moved"]]
    idle = len(sample["cards"]) - len(moved)
    if idle:
        yield f"  {idle} of {len(sample['cards'])} kinds of card never moved"
    matters = [card for card in sample["cards"] if card.get("matters")]
    matters.sort(key=lambda card: (-card["won"], card["name"]))
    if len(matters) > 2 * MOST_CARDS:
        matters = matters[:MOST_CARDS] + matters[-MOST_CARDS:]
    if matters:
        yield f"  who has it at the end wins, where that surely is not {percent(sample['equal'])}:"
    for card in matters:
        yield _share_row(f"  {card['name']}", {**card, "mean": card["won"]})


def parts_of(report: Data) -> list[tuple[Data, dict[int, float]]]:
    """The parts of the rules, each with the share of games in which it was used, by number of players."""
    found: dict[tuple[Any, ...], tuple[Data, dict[int, float]]] = {}
    for table in report["tables"]:
        for part in table.get("sample", {}).get("parts", ()):
            key = tuple(part[name] for name in ("kind", "file", "line", "name"))
            found.setdefault(key, (part, {}))[1][table["players"]] = part["share"]
    return list(found.values())


def _parts(report: Data) -> Iterator[str]:
    every = parts_of(report)
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
        f"All {report['intervals']} intervals hold together with {100 * report['confidence']:g} % "
        "(Bonferroni); * marks what surely changed."
    )
    if report["until"] is not None:
        yield (
            f"Played until shares are known to {100 * report['until']:g} points; "
            "the error is shared out among the looks that this took."
        )
    yield from _interrupted(report)
    for table in report["tables"]:
        for side in table["differences"]:
            yield ""
            yield f"{count(table['players'], 'player')}, {table['games']:,} pairs of games"
            yield (
                f"  {'':22}{first['name'][:16]:>16}{side['name'][:16]:>17}   "
                "  difference   interval"
            )
            yield from map(_difference, side["measures"])
            yield f"  {side['verdict']}"


def _difference(row: Data) -> str:
    factor, unit = (100, " %") if row["is_share"] else (1, "")
    digits = 1 if row["is_share"] else 2
    mark = "*" if row["changed"] else " "
    values = [signed(f"{factor * row[name]:.{digits}f}{unit}") for name in ("before", "after")]
    # A share that changes by little is still worth two digits.
    change, low, high = (more(factor * row[name]) for name in ("mean", "low", "high"))
    name = measure_name(row["measure"])
    return f"  {name:22}{values[0]:>16}{values[1]:>17} {mark} {change:>12}   {low} to {high}"


# ---- Rows ----------------------------------------------------------------------------------------


def rows(report: Data) -> str:
    """A report as comma-separated values: one row for each number."""
    file = io.StringIO()
    write = csv.writer(file, lineterminator="\n")
    if report["report"] == "simulate":
        write.writerow(["players", "games", "measure", "of", "value", "low", "high"])
        for table in report["tables"]:
            write.writerows(_table_rows(table))
    else:
        write.writerow(
            [
                *("players", "games", "first", "other", "measure", "before", "after"),
                *("difference", "low", "high", "changed"),
            ]
        )
        for table in report["tables"]:
            for side in table["differences"]:
                for row in side["measures"]:
                    names = [report["contenders"][0]["name"], side["name"], row["measure"]]
                    numbers = [row[name] for name in ("before", "after", "mean", "low", "high")]
                    changed = "yes" if row["changed"] else "no"
                    write.writerow([table["players"], table["games"], *names, *numbers, changed])
    return file.getvalue()


def _table_rows(table: Data) -> Iterator[list[Any]]:
    begin = [table["players"], table["games"]]

    def row(measure: str, of: Any, found: Data) -> list[Any]:
        return [*begin, measure, of, found["mean"], found["low"], found["high"]]

    for seat in table["seats"]:
        yield row("wins", f"seat {seat['seat']}", seat)
    for name in ("shared", "unwon", "decisions", "score", "winner", "spread"):
        if table[name]:
            yield row(name, "", table[name])
    for name in ("decisions", "score"):
        for value, number in table[name].get("histogram", ()):
            yield [*begin, f"games by {name}", value, number, "", ""]
    sample = table.get("sample")
    if sample is not None:
        begin = [table["players"], sample["games"]]
        for name in ("turns", "options", "forced", "lead_changes"):
            yield [*begin, name, "", sample[name], "", ""]
        for part in sample["parts"]:
            place = f"{part['file']}:{part['line']}: {part['name']}"
            yield [*begin, f"{part['kind']} used", place, part["share"], "", ""]
        for card in sample["cards"]:
            ends = [card.get(name, "") for name in ("won", "low", "high")]
            yield [*begin, "card moved", card["name"], card["moved"], "", ""]
            yield [*begin, "victories of its holder", card["name"], *ends]
    if "skill" in table:
        begin = [table["players"], table["skill"]["games"]]
        yield row("wins of skill", table["skill"]["bot"], table["skill"])
