"""`rulespec play FILE`: a game in the terminal."""

import argparse

from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.loading import NotFound
from rulespec.syntax import nodes
from rulespec.syntax.parser import parse


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "file", metavar="FILE", help="a file of rules, or the name of a shipped one"
    )


def run(arguments: argparse.Namespace) -> int:
    """Read the game; the interpreter that will play it is being built."""
    try:
        source = files.read(arguments.file)
    except NotFound as error:
        files.complain(error)
        return WRONG_USAGE
    parsed = parse(source)
    if parsed.file is None:
        files.tell(list(parsed.diagnostics))
        return WRONG_RULES
    titles = [item.title.value for item in parsed.file.items if isinstance(item, nodes.Game)]
    title = titles[0] if titles else arguments.file
    print(f"{title}: the rules read well. Playing them is not built yet; `rulespec check` is.")
    return FINE
