"""What the commands share: reading the files they were given, and telling what is wrong with them."""

import argparse
import json
import os
import sys
from typing import Any

from rulespec import limits, loading, rendering
from rulespec.cli import WRONG_RULES, WRONG_USAGE
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, locate

STANDARD_INPUT = "-"


def add_file(command: argparse.ArgumentParser) -> None:
    """One file of rules."""
    command.add_argument(
        "file", metavar="FILE", help="a file of rules, or the name of a shipped one"
    )


def add_files(command: argparse.ArgumentParser) -> None:
    """One or more files of rules."""
    command.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a file of rules, the name of a shipped one, or `-` for standard input",
    )


def add_number(
    command: argparse.ArgumentParser,
    name: str,
    about: str,
    default: int | None = None,
    metavar: str = "N",
) -> None:
    """An option that takes a whole number."""
    command.add_argument(name, type=whole_number, default=default, metavar=metavar, help=about)


def add_jobs(command: argparse.ArgumentParser) -> None:
    """How many cores are used."""
    add_number(command, "--jobs", "use N cores; all by default")


def add_rules_options(
    command: argparse.ArgumentParser,
    variant: str = "use this variant",
    option: str = "use this value of an option",
) -> None:
    """Which rules are meant: `arguments.variants`, and `arguments.settings` as pairs; with their helps."""
    command.add_argument(
        "--variant", action="append", default=[], metavar="V", dest="variants", help=variant
    )
    command.add_argument(
        "--set",
        type=setting,
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        dest="settings",
        help=option,
    )


def setting(word: str) -> tuple[str, str]:
    """The value of an option as an argument."""
    name, is_given, value = word.partition("=")
    if not is_given:
        raise argparse.ArgumentTypeError(f"`{name}` has no value; write `--set {name}=VALUE`")
    return name, value


def whole_number(word: str) -> int:
    """A number as an argument."""
    if not word.isdecimal() or len(word) > 18:
        raise argparse.ArgumentTypeError(f"`{word}` is not a number")
    return int(word)


def read_rules(name: str) -> Source:
    """The text of a file, a shipped file or standard input."""
    return read_both(name)[0]


def read_both(name: str) -> tuple[Source, bytes]:
    """The text of a file, a shipped file or standard input, and the bytes it came in."""
    if name == STANDARD_INPUT:
        content = sys.stdin.buffer.read(limits.LARGEST_FILE + 1)
        return loading.decode("standard input", content), content
    path = loading.find_rules(name)
    content = loading.read_bytes(path)
    return loading.decode(loading.shown_name(path), content), content


def read_input(most: int) -> bytes:
    """All of standard input; refused if it has more than so many bytes."""
    content = sys.stdin.buffer.read(most + 1)
    if len(content) > most:
        raise loading.Unreadable(loading.too_large(most))
    return content


def print_diagnostics(diagnostics: list[Diagnostic], notes: list[str] | None = None) -> None:
    """Print diagnostics for people, each with the same notes if there are any."""
    colour = sys.stderr.isatty() and "NO_COLOR" not in os.environ
    for diagnostic in diagnostics:
        margin = " " * len(str(locate(diagnostic.span)[0].line))
        more = "".join(f"{margin} = {rendering.printable(note)}\n" for note in notes or ())
        print(rendering.render(diagnostic, colour=colour) + more, file=sys.stderr)


def print_diagnostics_data(diagnostics: list[Diagnostic], **more: Any) -> None:
    """Print diagnostics, and what else there is, for programs."""
    errors = sum(each.severity == "error" for each in diagnostics)
    data = {
        "diagnostics": [rendering.diagnostic_json(each) for each in diagnostics],
        "errors": errors,
        "warnings": len(diagnostics) - errors,
        **more,
    }
    print_data(data)


def print_data(data: Any) -> None:
    """Print data as JSON; with its letters as they are, if the output can have them all."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, indent=2)
    print(text)


def complain(message: object) -> None:
    """Say that the command cannot do what it was asked to."""
    print(f"rulespec: {rendering.printable(str(message))}", file=sys.stderr)


def note(message: object) -> None:
    """Say what somebody should know, though the command does what it was asked to."""
    print(f"note: {rendering.printable(str(message))}", file=sys.stderr)


def complain_unwritten(path: object, error: OSError) -> None:
    """Say that a file cannot be written, and why."""
    complain(f"`{path}` cannot be written: {(error.strerror or str(error)).lower()}")


def refuse(error: Exception) -> int:
    """Say why a game cannot be loaded or used as the command asks; the exit code."""
    from interpreter.errors import WrongRules  # noqa: PLC0415 - `check` and `fmt` do without the interpreter

    if isinstance(error, WrongRules):
        print_diagnostics(list(error.diagnostics))
        return WRONG_RULES
    complain(error)
    return WRONG_USAGE
