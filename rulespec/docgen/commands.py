"""The commands themselves -> the page about them.

What `--help` prints stands here in tables: the words are those of the arguments.
"""

import argparse
import re
from collections.abc import Iterator, Sequence

from rulespec.docgen import GENERATED


def commands_page(commands: Sequence[argparse.ArgumentParser]) -> str:
    """The reference of some commands."""
    parts = [
        GENERATED,
        "# Commands",
        (
            "`rulespec COMMAND --help` prints the same information.\n"
            "A FILE may be the name of a shipped game: `rulespec play sins.rules` works in any folder."
        ),
        (
            "| exit code | means |\n| --- | --- |\n| 0 | all is well |\n"
            "| 1 | the rules, or their examples, are wrong |\n| 2 | the command was wrong: an option, a file or a number that it cannot use |\n"
            "| 70 | a bug in rulespec |\n| 130 | interrupted |"
        ),
    ]
    for command in commands:
        parts += _section(command)
    return "\n\n".join(parts) + "\n"


def _section(command: argparse.ArgumentParser) -> Iterator[str]:
    name = command.prog.split()[-1]
    every = command._actions  # noqa: SLF001 - argparse has no other way to tell them
    actions = [each for each in every if each.dest != "help" and each.help != argparse.SUPPRESS]
    yield f"## rulespec {name} {{ #{name} }}"
    yield (command.description or "").strip()
    yield f"```text\n{_synopsis(command.prog, actions)}\n```"
    if actions:
        yield "| argument | what it does |\n| --- | --- |\n" + "\n".join(
            f"| {_spelling(each)} | {_sentence(each)} |" for each in actions
        )


def _synopsis(program: str, actions: Sequence[argparse.Action]) -> str:
    options = [each for each in actions if each.option_strings]
    words = [_shape(each) for each in actions if not each.option_strings]
    return " ".join([program, *words, *(["[OPTION…]"] if options else [])])


def _shape(action: argparse.Action) -> str:
    """An argument as often as it may stand."""
    word = _placeholder(action)
    many = action.nargs in (argparse.ZERO_OR_MORE, argparse.ONE_OR_MORE)
    shape = f"{word}…" if many else word
    optional = action.nargs in (argparse.ZERO_OR_MORE, argparse.OPTIONAL)
    return f"[{shape}]" if optional else shape


def _spelling(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{_shape(action)}`"
    value = "" if action.nargs == 0 else f" {_shape(action)}"
    return ", ".join(f"`{option}{value}`" for option in action.option_strings)


def _placeholder(action: argparse.Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _sentence(action: argparse.Action) -> str:
    # `--seat NAME` reads better as code; a dash before a word is nothing else in these texts.
    told = " ".join((action.help or "").replace("%%", "%").split())
    marked = re.sub(r"(?<![`\w])(--\w[\w-]*)", r"`\1`", told)
    return marked.replace("|", "&#124;")
