"""`rulespec diff A B`: what differs between two programs as rules."""

import argparse
from collections.abc import Iterator

import attrs

from interpreter.errors import WrongRules
from interpreter.lab.plans import WrongPlan
from rulespec.cli import FINE, files
from rulespec.cli.compare import add_sides, sides_of
from rulespec.cli.play_data_collection import curves_of
from rulespec.cli.rule_differences import RuleDifference, changes
from rulespec.loading import NotFound


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_sides(command)
    command.add_argument("--json", action="store_true", help="print the differences as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Tell what differs."""
    try:
        one, other = sides_of(arguments)
    except (NotFound, WrongPlan, WrongRules) as error:
        return files.refuse(error)
    found = changes(one.game.program.declared, other.game.program.declared)
    if arguments.json:
        data = {
            "from": one.name,
            "to": other.name,
            "changes": [attrs.asdict(each) for each in found],
        }
        files.print_data(data)
        return FINE
    before, after = curves_of(one.game), curves_of(other.game)
    print(f"from {one.name} to {other.name}:")
    for each in found:
        print("\n".join(_told(each)))
        was, now = before.pop(each.name, ()), after.get(each.name, ())
        if each.kind == "table" and was and now and was != now:
            print("\n".join(_values(dict(was), dict(now))))
    if not found:
        print("  no rule differs")
    return FINE


def _values(before: dict[int, int], after: dict[int, int]) -> Iterator[str]:
    """A table of what is worth something else now."""
    numbers = [n for n in {**before, **after} if before.get(n) != after.get(n)]
    rows = [
        [str(row.get(n, "–")).replace("-", "−") for n in numbers]
        for row in ({n: n for n in numbers}, before, after)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for title, row in zip(("of", "was", "is"), rows, strict=True):
        cells = "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"      {title:4}{cells}"


def _told(change: RuleDifference) -> Iterator[str]:
    """A change in a line, and below it what it was and what it is."""
    yield f"  {' '.join(filter(None, (change.kind, change.name)))}: {change.told}"
    if change.kind in ("players", "option"):
        return
    for mark, lines in (("−", change.before), ("+", change.after)):
        for line in lines:
            yield f"    {mark} {line}".rstrip()
