"""`rulespec explain CODE…`: what a diagnostic means, with a wrong and a right text."""

import argparse
import textwrap

from rulespec import codes, rendering
from rulespec.cli import FINE, WRONG_USAGE, files


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "codes", nargs="*", metavar="CODE", help="codes to explain, or none for a list of all"
    )


def run(arguments: argparse.Namespace) -> int:
    """Explain each code, or list all."""
    if not arguments.codes:
        for code in codes.ALL:
            print(f"{code.number}  {code.title}")
        return FINE
    for word in arguments.codes:
        known = codes.BY_NUMBER.get(word.upper())
        if known is None:
            files.complain(f"there is no code `{word}`; `rulespec explain` lists all")
            return WRONG_USAGE
        print(_explanation(known))
    return FINE


def _explanation(code: codes.Code) -> str:
    why = textwrap.fill(code.why, 80)
    repeated = f" (this {code.repeat:,} times)" if code.repeat > 1 else ""
    return "\n".join(
        (
            f"{code.number}: {code.title}",
            "",
            why,
            "",
            f"Wrong{repeated}:",
            _indented(code.wrong),
            "",
            "Right:",
            _indented(code.right),
            "",
        )
    )


def _indented(text: str) -> str:
    return "\n".join(f"  {rendering.printable(line)}" for line in codes.shown(text))
