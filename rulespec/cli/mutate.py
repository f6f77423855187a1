"""`rulespec mutate FILE`: which changes of the rules none of their own examples would notice."""

import argparse
import os
import sys
from collections import Counter

from interpreter.errors import WrongRules
from interpreter.game_loading import load
from interpreter.mutation import MutantResult, try_mutants
from rulespec import loading, rendering
from rulespec.cli import FINE, files
from rulespec.loading import NotFound
from rulespec.mutants import mutants


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_file(command)
    files.add_number(command, "--every", "try only every N-th change, for a first impression", 1)
    files.add_jobs(command)
    command.add_argument("--json", action="store_true", help="print the results as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Change one thing at a time, and try the examples, and some games for the invariants."""
    try:
        path, source = loading.find_rules(arguments.file), loading.read(arguments.file)
        load(arguments.file)
    except (NotFound, WrongRules) as error:
        return files.refuse(error)
    every = max(1, arguments.every)
    total = len(mutants(source)[::every])
    outcomes: list[MutantResult] = []
    for outcome in try_mutants(path, source, every, arguments.jobs or os.cpu_count()):
        outcomes.append(outcome)
        if sys.stderr.isatty():
            print(f"\r{len(outcomes)} of {total}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r" + " " * 30 + "\r", end="", file=sys.stderr)
    _tell(outcomes, as_json=arguments.json)
    return FINE


def _tell(outcomes: list[MutantResult], *, as_json: bool) -> None:
    counts = Counter(outcome.fate for outcome in outcomes)
    alive, dead = counts["survives"], counts["killed"]
    if as_json:
        rows = [
            {
                "what": each.mutant.what,
                "change": each.mutant.change,
                "fate": each.fate,
                "by": each.by,
                **rendering.span_data(each.mutant.span),
            }
            for each in outcomes
        ]
        files.print_data({"mutants": rows, "counts": counts})
        return
    for each in outcomes:
        if each.fate == "survives":
            mutant = each.mutant
            print(f"{rendering.place_name(mutant.span)}: {mutant.what}: {mutant.change}")
    share = f", {100 * dead / (alive + dead):.0f} % noticed" if alive + dead else ""
    print(
        f"{len(outcomes)} changes: {counts['unborn']} are invalid, {dead} are noticed, "
        f"{alive} are not{share}"
    )
