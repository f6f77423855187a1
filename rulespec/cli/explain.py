"""`rulespec explain CODE…`: what a diagnostic means, with a wrong and a right text, or what a clause says."""

import argparse
import textwrap
from pathlib import Path

from rulespec import codes, rendering
from rulespec.booklets import BookletPassage, shipped_passage
from rulespec.catalogue import read_game
from rulespec.cli import FINE, WRONG_USAGE, files


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "codes",
        nargs="*",
        metavar="CODE",
        help="diagnostics, such as RS101, or clauses of shipped games, such as @S-35; "
        "leave it out to list all diagnostics",
    )


def run(arguments: argparse.Namespace) -> int:
    """Explain each code, or list all."""
    if not arguments.codes:
        for code in codes.ALL:
            print(f"{code.number}  {code.title}")
        return FINE
    for word in arguments.codes:
        known = codes.BY_NUMBER.get(word.upper())
        passage = shipped_passage(word.upper().removeprefix("@"))
        if known is not None:
            print(_explanation(known))
        elif passage is not None:
            print(_passage(*passage))
        else:
            files.complain(f"there is no code `{word}`; `rulespec explain` lists all")
            return WRONG_USAGE
    return FINE


def _passage(game: Path, passage: BookletPassage) -> str:
    return "\n".join(
        (
            f"@{passage.number}: {read_game(game).title}",
            "",
            textwrap.fill(passage.words, 80),
            "",
            textwrap.fill(f"In the booklet: {passage.place}.", 80),
            "",
        )
    )


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
    return "\n".join(f"  {rendering.printable(line)}" for line in codes.shortened_example(text))
