"""`rulespec fmt FILE…`: the canonical text of some files."""

import argparse
import difflib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.loading import NotFound
from rulespec.source import Source
from rulespec.syntax.formatter import format_source


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    files.add_files(command)
    how = command.add_mutually_exclusive_group()
    how.add_argument(
        "-w", "--write", action="store_true", help="change the files instead of printing them"
    )
    how.add_argument(
        "--check", action="store_true", help="print nothing; exit with 1 if a file would change"
    )
    how.add_argument(
        "--diff", action="store_true", help="print what would change; exit like --check"
    )


def run(arguments: argparse.Namespace) -> int:
    """Format every file."""
    codes = [_run_one(name, arguments) for name in arguments.files]
    return max(codes)


def _run_one(name: str, arguments: argparse.Namespace) -> int:
    try:
        source, content = files.read_both(name)
    except NotFound as error:
        files.complain(error)
        return WRONG_USAGE
    formatted = format_source(source)
    if not isinstance(formatted, str):
        files.print_diagnostics(list(formatted))
        return WRONG_RULES
    changed = formatted.encode() != content
    if arguments.check:
        if changed:
            print(f"{source.name} would change", file=sys.stderr)
        return WRONG_RULES if changed else FINE
    if arguments.diff:
        sys.stdout.writelines(_diff(source, formatted))
        return WRONG_RULES if changed else FINE
    if arguments.write and name != files.STANDARD_INPUT:
        return _write(name, source.name, formatted) if changed else FINE
    sys.stdout.write(formatted)
    return FINE


def _diff(source: Source, formatted: str) -> list[str]:
    before, after = source.text.splitlines(keepends=True), formatted.splitlines(keepends=True)
    if before and not before[-1].endswith("\n"):
        before[-1] += "\n\\ No newline at end of file\n"
    return list(difflib.unified_diff(before, after, source.name, f"{source.name} (formatted)"))


def _write(name: str, shown: str, text: str) -> int:
    """Replace a file whole, so that an interruption leaves the old or the new one."""
    path = Path(name).resolve()
    if not path.is_file():
        files.complain(f"`{name}` is shipped with rulespec and stays as it is")
        return WRONG_USAGE
    if not os.access(path, os.W_OK) or not path.stat().st_mode & stat.S_IWUSR:
        files.complain(f"`{name}` is read-only")
        return WRONG_USAGE
    try:
        number, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        shutil.copymode(path, draft)
        Path(draft).replace(path)
    except OSError as error:
        files.complain_unwritten(name, error)
        return WRONG_USAGE
    print(f"{shown} changed", file=sys.stderr)
    return FINE
