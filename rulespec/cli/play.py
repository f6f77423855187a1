"""`rulespec play FILE`: a game in the terminal."""

import argparse

from rulespec.checking.checks import check_file
from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.loading import NotFound


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "file", metavar="FILE", help="a file of rules, or the name of a shipped one"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check the game; the interpreter that will play it is being built."""
    try:
        checked = check_file(arguments.file)
    except NotFound as error:
        files.complain(error)
        return WRONG_USAGE
    files.tell(list(checked.diagnostics))
    if checked.program is None:
        return WRONG_RULES
    game = checked.program.declared.game
    title = game.node.title.value if game is not None else arguments.file
    print(f"{title}: the rules are sound. Playing them is not built yet; `rulespec check` is.")
    return FINE
