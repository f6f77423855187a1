"""`rulespec sweep FILE --set OPTION=A,B,C`: what each value of an option changes."""

import argparse
from typing import Any

from interpreter.lab.comparison import Contender, compare
from interpreter.lab.plans import WrongPlan
from interpreter.lab.studies import Study
from interpreter.match import load
from rulespec.cli import files, laboratory
from rulespec.cli.compare import USUAL_GAMES, add_until, settle_games


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_file(command)
    files.add_rules_options(
        command,
        "play this variant",
        "compare these values: `--set OPTION=4,5,6`; a single value applies to all games",
    )
    laboratory.add_arguments(
        command, USUAL_GAMES, "games with each value and each number of players"
    )
    add_until(command)


def run(arguments: argparse.Namespace) -> int:
    """Play all values on the same seeds, and report."""
    settle_games(arguments)

    def work(study: Study) -> dict[str, Any]:
        several = [(name, text) for name, text in arguments.settings if "," in text]
        if len(several) != 1:
            raise WrongPlan(
                "write the values of one option: `--set OPTION=4,5,6`"
                if not several
                else "the values of one option are compared at a time"
            )
        ((name, text),) = several
        values = list(dict.fromkeys(each.strip() for each in text.split(",")))
        contenders = [
            Contender(
                f"{name}={value}",
                load(arguments.file, arguments.variants, {**dict(arguments.settings), name: value}),
            )
            for value in values
        ]
        plan = laboratory.plan_of(arguments, [each.game for each in contenders])
        return compare(contenders, plan, study, arguments.until)

    return laboratory.attempt(arguments, work)
