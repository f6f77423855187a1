"""`rulespec simulate FILE`: many games, and what can be said of them."""

import argparse
from typing import Any

from interpreter.game_loading import load
from interpreter.lab.simulation import simulate
from interpreter.lab.studies import Study
from rulespec.cli import files, laboratory


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_file(command)
    files.add_rules_options(command, "play this variant", "play with this value of an option")
    laboratory.add_arguments(command, 2_000, "games with each number of players")
    files.add_number(
        command,
        "--sample",
        "look closely at N of the random games, for rules, cards and the lead; 200 by default",
        200,
    )


def run(arguments: argparse.Namespace) -> int:
    """Play, and report."""

    def work(study: Study) -> dict[str, Any]:
        game = load(arguments.file, arguments.variants, dict(arguments.settings))
        more = {"sample": arguments.sample}
        return simulate(game, laboratory.plan_of(arguments, [game], **more), study)

    return laboratory.attempt(arguments, work)
