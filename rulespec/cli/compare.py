"""`rulespec compare A B`: what another file, variant or option changes, and how sure that is."""

import argparse
from pathlib import Path
from typing import Any

from attrs import evolve

from interpreter.game_loading import load
from interpreter.lab.comparison import Contender, compare
from interpreter.lab.plans import WrongPlan
from interpreter.lab.studies import Study
from interpreter.match import Game
from rulespec.cli import files, laboratory
from rulespec.cli.preflight import preflight_failures

MOST_GAMES = 10_000_000  # of `--until`, if nothing else is said
USUAL_GAMES = 2_000


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_sides(command)
    laboratory.add_arguments(command, USUAL_GAMES, "pairs of games with each number of players")
    add_until(command)


def add_sides(command: argparse.ArgumentParser) -> None:
    """Two files, or one file and what the second side has of its own."""
    command.add_argument("file", metavar="A", help="a file of rules, or the name of a shipped one")
    command.add_argument(
        "other", nargs="?", metavar="B", help="the file to compare with A; A itself by default"
    )
    files.add_rules_options(
        command, "use this variant for both", "use this value of an option for both"
    )
    command.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="CHANGE",
        help="use this only for the second one: `OPTION=VALUE` or a variant",
    )


def add_until(command: argparse.ArgumentParser) -> None:
    """Go on until the answer is precise."""
    command.set_defaults(games=None)
    command.add_argument(
        "--until",
        type=precision,
        metavar="P",
        help="play until differences of shares are known to P, such as 0.01, or --games are played",
    )


def precision(word: str) -> float:
    """Half the width of an interval as an argument."""
    try:
        found = float(word)
    except ValueError:
        found = 0.0
    if not 0 < found < 1:
        raise argparse.ArgumentTypeError(f"`{word}` is not a precision; write `0.01` for one point")
    return found


def settle_games(arguments: argparse.Namespace) -> None:
    """How many games, if nothing was said: some, or as many as it takes."""
    if arguments.games is None:
        arguments.games = USUAL_GAMES if arguments.until is None else MOST_GAMES


def run(arguments: argparse.Namespace) -> int:
    """Play pairs, and report."""
    settle_games(arguments)

    def work(study: Study) -> dict[str, Any]:
        contenders = sides_of(arguments)
        plan = laboratory.plan_of(arguments, [each.game for each in contenders])
        return compare(doubted(arguments, contenders), plan, study, arguments.until)

    return laboratory.attempt(arguments, work)


def sides_of(arguments: argparse.Namespace) -> tuple[Contender, Contender]:
    """Both sides, with names that tell them apart."""
    if arguments.other is None and not arguments.against:
        raise WrongPlan(
            "there is nothing to compare with: name a second file, or write "
            "`--against OPTION=VALUE` or `--against VARIANT`"
        )
    first = load(arguments.file, arguments.variants, dict(arguments.settings))
    changes = [each.partition("=") for each in arguments.against]
    second = load(
        arguments.other or arguments.file,
        [*arguments.variants, *(name for name, is_option, _ in changes if not is_option)],
        {
            **dict(arguments.settings),
            **{name: value for name, is_option, value in changes if is_option},
        },
    )
    names = _names(first, second, arguments.against if arguments.other is None else [])
    return Contender(names[0], first), Contender(names[1], second)


def doubted(
    arguments: argparse.Namespace, sides: tuple[Contender, Contender]
) -> tuple[Contender, ...]:
    """Both sides, with what is wrong with them."""
    paths = arguments.file, arguments.other or arguments.file
    return tuple(
        evolve(side, doubts=preflight_failures(path, side.game))
        for path, side in zip(paths, sides, strict=True)
    )


def _names(first: Game, second: Game, changes: list[str]) -> tuple[str, str]:
    """Short names that tell the two apart."""
    if not changes:
        names = Path(first.name).stem, Path(second.name).stem
        return names if names[0] != names[1] else (f"{names[0]} (A)", f"{names[1]} (B)")
    before = dict(first.settings)
    told = [
        f"{name}={before[name]}"
        for name in (each.partition("=")[0] for each in changes)
        if name in before
    ]
    return " ".join(told) or Path(first.name).stem, " ".join(changes)
