"""`rulespec check FILE…`: all that is wrong with some files."""

import argparse
import sys

from rulespec import rendering
from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.diagnostics import Diagnostic
from rulespec.loading import NotFound
from rulespec.syntax.parser import parse


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_files(command)
    command.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check every file, and sum up."""
    found: list[Diagnostic] = []
    for name in arguments.files:
        try:
            source = files.read(name)
        except NotFound as error:
            files.complain(error)
            return WRONG_USAGE
        found += parse(source).diagnostics
    if arguments.json:
        files.tell_data(found)
    else:
        files.tell(found)
        print(rendering.summary(len(arguments.files), len(found)), file=sys.stderr)
    return WRONG_RULES if found else FINE
