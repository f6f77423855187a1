"""`rulespec new NAME`: a file to begin with, which checks, tests and plays at once."""

import argparse
import os
from pathlib import Path

from rulespec import loading
from rulespec.checking.layers import stack_layers
from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.loading import NotFound
from rulespec.starters import TINY, write_overlay


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("name", metavar="NAME", help="the file to write: `mine` or `mine.rules`")
    command.add_argument(
        "--from",
        dest="base",
        metavar="FILE",
        help="write an overlay of this file of rules; a new tiny game by default",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the file, if there is none yet."""
    path = Path(arguments.name)
    path = path if path.suffix == ".rules" else path.with_name(f"{path.name}.rules")
    title = "".join(letter if letter.isalnum() else " " for letter in path.stem).strip() or "Mine"
    title = title[0].upper() + title[1:]
    try:
        text = TINY.format(title=title)
        if arguments.base is not None:
            base = loading.find(arguments.base)
            stack = stack_layers(base, loading.read(arguments.base))
            errors = [each for each in stack.diagnostics if each.severity == "error"]
            if errors:
                files.tell(errors)
                return WRONG_RULES
            text = "\n".join(write_overlay(base, _name_of(base, path), title)) + "\n"
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except NotFound as error:
        files.complain(error)
        return WRONG_USAGE
    except FileExistsError:
        files.complain(f"`{path}` already exists, and stays as it is")
        return WRONG_USAGE
    except OSError as error:
        files.complain_unwritten(path, error)
        return WRONG_USAGE
    print(f"{path} is written. Try `rulespec test {path}`, and `rulespec play {path}`.")
    if arguments.base is not None:
        print(f"`rulespec compare {arguments.base} {path}` shows what your changes do.")
    return FINE


def _name_of(base: Path, path: Path) -> str:
    """How a file names another; a shipped one is found by its name from anywhere."""
    if base.resolve().is_relative_to(loading.GAMES.resolve()):
        return base.name
    name = os.path.relpath(base, path.parent).replace(os.sep, "/")
    if name.startswith("../"):
        raise NotFound(f"`{base}` is not next to or below `{path}`")
    return name
