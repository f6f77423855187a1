"""`rulespec sweep FILE --set OPTION=A,B,C`, `--vary points[4]=-1..4`: what each value of a number changes."""

import argparse
from pathlib import Path
from typing import Any

from interpreter.game_loading import load
from interpreter.lab.comparison import Contender, compare
from interpreter.lab.plans import WrongPlan
from interpreter.lab.studies import Study
from rulespec import loading
from rulespec.cli import files, laboratory
from rulespec.cli.compare import USUAL_GAMES, add_until, settle_games
from rulespec.cli.preflight import preflight_failures
from rulespec.varying import NoPlace, edit, find_site, parse_variation


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_file(command)
    files.add_rules_options(
        command,
        "play this variant",
        "compare these values: `--set OPTION=4,5,6`; a single value applies to all games",
    )
    command.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="NUMBER=VALUES",
        help="compare these values of a number in the rules: `points[4]=-1..4` for a cell of a table, "
        "`limit=3,5` for a `let`, the start of a state, or the copies of a kind of piece",
    )
    laboratory.add_arguments(
        command, USUAL_GAMES, "games with each value and each number of players"
    )
    add_until(command)


def run(arguments: argparse.Namespace) -> int:
    """Play all values on the same seeds, and report."""
    settle_games(arguments)

    def work(study: Study) -> dict[str, Any]:
        contenders = _contenders(arguments)
        plan = laboratory.plan_of(arguments, [each.game for each in contenders])
        return compare(contenders, plan, study, arguments.until)

    return laboratory.attempt(arguments, work)


def _contenders(arguments: argparse.Namespace) -> list[Contender]:
    """A side for each value of the one thing that is varied."""
    several = [(name, text) for name, text in arguments.settings if "," in text]
    if len(several) + len(arguments.vary) != 1:
        raise WrongPlan(
            "write the values of one option, `--set OPTION=4,5,6`, or of one number, `--vary points[4]=-1..4`"
            if not several and not arguments.vary
            else "the values of one option or number are compared at a time"
        )
    if arguments.vary:
        return _varied(arguments)
    ((name, text),) = several
    found = []
    for value in dict.fromkeys(each.strip() for each in text.split(",")):
        game = load(arguments.file, arguments.variants, {**dict(arguments.settings), name: value})
        found.append(Contender(f"{name}={value}", game, preflight_failures(arguments.file, game)))
    return found


def _varied(arguments: argparse.Namespace) -> list[Contender]:
    settings = dict(arguments.settings)
    base = load(arguments.file, arguments.variants, settings)
    try:
        target, values = parse_variation(arguments.vary[0])
        site = find_site(base.program.declared.files, target)
    except NoPlace as error:
        raise WrongPlan(str(error)) from error
    found = []
    # What stands there now goes first: all others are compared with it.
    for value in sorted(values, key=lambda each: each != site.text.replace(" ", "")):
        source = edit(site, value)
        with loading.unsaved_texts({Path(source.name).resolve(): source.text}):
            game = load(arguments.file, arguments.variants, settings)
            doubts = preflight_failures(arguments.file, game)
        found.append(Contender(f"{target}={value}", game, doubts))
    return found
