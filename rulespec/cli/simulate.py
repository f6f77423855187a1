"""`rulespec simulate FILE`: many games, and what can be said of them."""

import argparse
from typing import Any

from interpreter.lab.simulation import simulate
from interpreter.lab.studies import Study
from interpreter.match import load
from rulespec.cli import files, laboratory


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "file", metavar="FILE", help="a file of rules, or the name of a shipped one"
    )
    files.add_rules_options(command, "play this variant", "play with this value of an option")
    laboratory.add_arguments(command, 2_000, "games with each number of players")
    command.add_argument(
        "--sample",
        type=files.whole_number,
        default=200,
        metavar="N",
        help="of so many games look at every step, for rules, cards and the lead; 200 by default",
    )
    command.add_argument(
        "--skill",
        type=files.whole_number,
        default=0,
        metavar="N",
        help="play N more games of a thinking bot among random ones",
    )


def run(arguments: argparse.Namespace) -> int:
    """Play, and report."""

    def work(study: Study) -> dict[str, Any]:
        game = load(arguments.file, arguments.variants, dict(arguments.settings))
        more = {"sample": arguments.sample, "skill": arguments.skill}
        return simulate(game, laboratory.plan_of(arguments, [game], **more), study)

    return laboratory.attempt(arguments, work)
