"""`rulespec check FILE…`: all that is wrong with some files."""

import argparse
import sys
from pathlib import Path
from typing import Any

from rulespec import loading, rendering
from rulespec.checking.citations import Coverage, coverage
from rulespec.checking.doubts import Doubt
from rulespec.checks import Checked, check
from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.diagnostics import Diagnostic
from rulespec.loading import NotFound


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_files(command)
    files.add_rules_options(
        command, "check with this variant", "check with this value of an option"
    )
    command.add_argument(
        "--coverage", action="store_true", help="show which clauses of the rulebook are covered"
    )
    command.add_argument(
        "--doubts", action="store_true", help="list what can be tested only while playing"
    )
    command.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check every file, and sum up."""
    found: list[Diagnostic] = []
    covered: dict[str, Coverage] = {}
    doubtful: list[Doubt] = []
    checked_files = 0
    unreadable: list[str] = []
    for name in arguments.files:
        try:
            checked = _check(name, tuple(arguments.variants), tuple(arguments.settings))
        except NotFound as error:
            files.complain(error)
            unreadable.append(name)
            continue
        checked_files += 1
        found += checked.diagnostics
        if arguments.coverage and checked.program is not None:
            covered[name] = coverage(checked.program.declared)
        if arguments.doubts and checked.program is not None:
            doubtful += checked.program.doubtful
    errors = sum(each.severity == "error" for each in found)
    if arguments.json:
        more = {name: _coverage_data(each) for name, each in covered.items()}
        extra: dict[str, Any] = {"coverage": more} if arguments.coverage else {}
        extra |= {"doubts": list(map(_doubt_data, doubtful))} if arguments.doubts else {}
        files.print_diagnostics_data(found, unreadable=unreadable, **extra)
    else:
        files.print_diagnostics(found)
        for name, each in covered.items():
            print(_coverage_table(name, each))
        for doubt in dict.fromkeys(doubtful):
            print(_doubt_lines(doubt))
        if checked_files:
            summary = rendering.summary(checked_files, errors, len(found) - errors)
            print(summary, file=sys.stderr)
    if checked_files < len(arguments.files):
        return WRONG_USAGE
    return WRONG_RULES if errors else FINE


def _check(name: str, variants: tuple[str, ...], settings: tuple[tuple[str, str], ...]) -> Checked:
    source = files.read_rules(name)
    path = Path(name) if name == files.STANDARD_INPUT else loading.find_rules(name)
    return check(path, source, variants, settings)


def _doubt_lines(doubt: Doubt) -> str:
    """What is tested while playing, at its place, and what would settle it."""
    line = f"{rendering.place_name(doubt.span)}: {doubt.sentence}"
    return f"{line}\n    {doubt.hint}" if doubt.hint else line


def _doubt_data(doubt: Doubt) -> dict[str, Any]:
    what = {"kind": doubt.kind, "message": doubt.sentence, "hint": doubt.hint}
    return {**what, **rendering.span_data(doubt.span)}


def _coverage_table(name: str, found: Coverage) -> str:
    """How many clauses of each section are cited, ruled or omitted."""
    rows = [
        (section.title, sum(each.status != "missing" for each in section.clauses), section)
        for section in found.sections
    ]
    width = max((len(title) for title, _, _ in rows), default=0)
    lines = [f"{name}: clauses covered"]
    for title, covered, section in rows:
        gaps = [each.name for each in section.clauses if each.status == "missing"]
        told = f"   missing: {', '.join(gaps)}" if gaps else ""
        lines.append(f"  {title:{width}}  {covered:3} of {len(section.clauses):3}{told}")
    if not found.sections:
        return f"{name}: no rulebook is declared, so there are no clauses to cover"
    total = found.cited + found.ruled + found.omitted + found.missing
    share = 100 * (total - found.missing) // total if total else 100
    lines.append(
        f"  {'all':{width}}  {total - found.missing:3} of {total:3}   {share} %: {found.cited} cited, "
        f"{found.ruled} ruled, {found.omitted} omitted"
    )
    return "\n".join(lines)


def _coverage_data(found: Coverage) -> dict[str, Any]:
    return {
        "cited": found.cited,
        "ruled": found.ruled,
        "omitted": found.omitted,
        "missing": found.missing,
        "sections": [
            {
                "title": section.title,
                "clauses": {each.name: each.status for each in section.clauses},
            }
            for section in found.sections
        ],
    }
