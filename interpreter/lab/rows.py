"""A report as data -> comma-separated values for a spreadsheet: one row for each number."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from interpreter.lab.conclusions import DEEDS, thing_name

Data = dict[str, Any]


def rows(report: Data) -> str:
    """The whole report."""
    file = io.StringIO()
    write = csv.writer(file, lineterminator="\n")
    if report["report"] == "simulate":
        write.writerow(["players", "games", "who", "measure", "of", "value", "low", "high"])
        for table in report["tables"]:
            write.writerows(_table_rows(table))
    else:
        write.writerow(
            [
                *("players", "games", "who", "first", "other", "measure", "before", "after"),
                *("difference", "low", "high", "changed"),
            ]
        )
        for table in report["tables"]:
            for side in table["differences"]:
                for row in side["measures"]:
                    measure = " ".join((row.get("of", ""), row["measure"])).strip()
                    names = [report["contenders"][0]["name"], side["name"], measure]
                    numbers = [row[name] for name in ("before", "after", "mean", "low", "high")]
                    changed = "yes" if row["changed"] else "no"
                    begin = [table["players"], table["games"], table["who"]]
                    write.writerow([*begin, *names, *numbers, changed])
                write.writerows(_changed_things(report, table, side))
    return file.getvalue()


def _changed_things(report: Data, table: Data, side: Data) -> Iterator[list[Any]]:
    """Rows on what players do without, for both sides."""
    found = side.get("restricted", {})
    for each in found.get("things", ()):
        names = [report["contenders"][0]["name"], side["name"], f"without {thing_name(each)}"]
        numbers = [each[name] for name in ("before", "after", "mean", "low", "high")]
        changed = "yes" if each["changed"] else "no"
        yield [table["players"], found["games"], found["who"], *names, *numbers, changed]


def _table_rows(table: Data) -> Iterator[list[Any]]:
    begin = [table["players"], table["games"], table["who"]]

    def row(measure: str, of: Any, found: Data) -> list[Any]:
        return [*begin, measure, of, found["mean"], found["low"], found["high"]]

    for seat in table["seats"]:
        if "mean" in seat:
            yield row("wins", f"seat {seat['seat']}", seat)
    for name in ("shared", "unwon", "cut", "decisions", "minutes", "score", "winner", "spread"):
        if table.get(name):
            yield row(name, "", table[name])
    for name in ("decisions", "score"):
        for value, number in table[name].get("histogram", ()):
            yield [*begin, f"games by {name}", value, number, "", ""]
    for name, found in table["close"].items():
        if found:
            yield row(name, "", found)
    sample = table.get("sample")
    if sample is not None:
        begin[1] = sample["games"]
        for name in ("turns", "options", "forced", "lead_changes"):
            yield [*begin, name, "", sample[name], "", ""]
        for part in sample["parts"]:
            place = f"{part['file']}:{part['line']}: {part['name']}"
            yield [*begin, f"{part['kind']} used", place, part["share"], "", ""]
        for card in sample["cards"]:
            yield [*begin, "card moved", card["name"], card["moved"], "", ""]
            for deed, verb in DEEDS.items():
                told = [card[deed].get(name, "") for name in ("won", "low", "high")]
                yield [*begin, f"victories of who {verb} it", card["name"], *told]
    for each in table.get("skill", ()):
        begin[1] = each["deals"]
        for name in ("wins", "both", "deal"):
            if each[name]:
                yield row(f"{each['stronger']} among {each['weaker']}", name, each[name])
    for each in table.get("restricted", {}).get("things", ()):
        begin[1] = table["restricted"]["games"]
        begin[2] = table["restricted"]["who"]
        yield row("victories without", thing_name(each), each)
        if each["lead"]:
            yield row("lead without", thing_name(each), each["lead"])
