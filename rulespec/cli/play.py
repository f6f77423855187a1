"""`rulespec play FILE`: a game in the terminal."""

import argparse
import os
import sys

from rulespec.cli import files
from rulespec.cli.table import splash
from rulespec.gc_pause import pause_garbage_collection

NEWEST = ""  # of the games that were kept


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "file", nargs="?", metavar="FILE", help="a file of rules, or the name of a shipped one"
    )
    files.add_number(
        command, "--players", "the number of players; the fewest that the game allows by default"
    )
    command.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="NAME=WHO",
        dest="seats",
        help="a player, in the order of seats: `Ben=human`, `Ben=easy`, `Ben=normal`, "
        "`Ben=hard`, `Ben=random`, `Ben=greedy`, `Ben=search`, or with a strength "
        "`Ben=search:2000`, `Ben=search:3s`; by default you and normal bots",
    )
    command.add_argument(  # as the lab called it before
        "--seats", action="append", default=[], help=argparse.SUPPRESS
    )
    files.add_rules_options(command, "play this variant", "play with this value of an option")
    files.add_number(command, "--seed", "the same seed deals the same cards", metavar="S")
    command.add_argument(
        "--first", metavar="NAME", help="the player who begins; drawn at random by default"
    )
    command.add_argument(
        "--plain",
        action="store_true",
        help="print line by line, even if a whole screen is possible",
    )
    command.add_argument(
        "--no-warnings",
        dest="warns",
        action="store_false",
        help="do not ask for confirmation of a choice that ends the game and loses it",
    )
    command.add_argument(
        "--resume",
        nargs="?",
        const=NEWEST,
        metavar="SAVE",
        help="continue a saved game; the newest one by default",
    )
    command.add_argument(
        "--salvage",
        action="store_true",
        help="with --resume: keep what can still be played of a damaged save, or with changed rules",
    )
    command.add_argument(
        "--record", metavar="TRANSCRIPT", help="write the game to this file while you play"
    )


def run(arguments: argparse.Namespace) -> int:
    """Show the title at once, and load the engine behind it."""
    on_screen = not arguments.plain and _is_terminal()
    has_splash = on_screen and arguments.file is not None and arguments.resume is None
    if has_splash:
        splash.show_splash(arguments.file)
    close_splash = splash.close_splash if has_splash else _nothing
    with pause_garbage_collection():
        from rulespec.cli import play_session  # noqa: PLC0415 - the engine takes time to import

    return play_session.run(arguments, close_splash, on_screen=on_screen)


def _nothing() -> None:
    """There is no splash screen to close."""


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
