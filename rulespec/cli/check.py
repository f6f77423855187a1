"""`rulespec check FILE…`: all that is wrong with some files."""

import argparse
import sys
from pathlib import Path

from rulespec import loading, rendering
from rulespec.checking.checks import Checked, check
from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.diagnostics import Diagnostic
from rulespec.loading import NotFound


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_files(command)
    command.add_argument(
        "--variant", action="append", default=[], metavar="V", help="check with this variant"
    )
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        dest="settings",
        help="check with this value of an option",
    )
    command.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check every file, and sum up."""
    settings = [tuple(setting.split("=", 1)) for setting in arguments.settings]
    wrong = [setting for setting in settings if len(setting) != 2]
    if wrong:
        files.complain(f"`--set {wrong[0][0]}` has no value; write `--set {wrong[0][0]}=VALUE`")
        return WRONG_USAGE
    found: list[Diagnostic] = []
    for name in arguments.files:
        try:
            checked = _check(name, tuple(arguments.variant), tuple(settings))
        except NotFound as error:
            files.complain(error)
            return WRONG_USAGE
        found += checked.diagnostics
    errors = sum(each.severity == "error" for each in found)
    if arguments.json:
        files.tell_data(found)
    else:
        files.tell(found)
        summary = rendering.summary(len(arguments.files), errors, len(found) - errors)
        print(summary, file=sys.stderr)
    return WRONG_RULES if errors else FINE


def _check(name: str, variants: tuple[str, ...], settings: tuple[tuple[str, str], ...]) -> Checked:
    source = files.read(name)
    path = Path(name) if name == files.STANDARD_INPUT else loading.find(name)
    return check(path, source, variants, settings)
