"""`rulespec new NAME`: a file to begin with, or a folder, which checks, tests and plays at once."""

import argparse
import os
import shlex
from pathlib import Path

import rulespec
from rulespec import loading
from rulespec.checking.layers import stack_layers
from rulespec.cli import FINE, WRONG_RULES, WRONG_USAGE, files
from rulespec.loading import NotFound
from rulespec.projects import lay_out_project
from rulespec.starters import TINY, write_overlay


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument(
        "name",
        metavar="NAME",
        help="the file to write: `mine` or `mine.rules`; a folder for --project",
    )
    command.add_argument(
        "--from",
        dest="base",
        metavar="FILE",
        help="write an overlay of this file of rules; a new tiny game by default",
    )
    command.add_argument(
        "--project",
        action="store_true",
        help="write a folder for a repository: a tiny game, what checks it on every change, and its site",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the file, if there is none yet."""
    if arguments.project:
        return _lay_out(Path(arguments.name), arguments.base)
    path = Path(arguments.name)
    path = path if path.suffix == ".rules" else path.with_name(f"{path.name}.rules")
    title = _title(path.stem)
    try:
        text = TINY.format(title=title)
        if arguments.base is not None:
            base = loading.find_rules(arguments.base)
            stack = stack_layers(base, loading.read(arguments.base))
            errors = [each for each in stack.diagnostics if each.severity == "error"]
            if errors:
                files.print_diagnostics(errors)
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
    typed = shlex.quote(str(path))
    print(f"{path} is written. Try `rulespec test {typed}`, and `rulespec play {typed}`.")
    if arguments.base is not None:
        print(f"`rulespec compare {arguments.base} {path}` shows what your changes do.")
    return FINE


def _title(name: str) -> str:
    title = "".join(letter if letter.isalnum() else " " for letter in name).strip() or "Mine"
    return title[0].upper() + title[1:]


def _lay_out(folder: Path, base: str | None) -> int:
    """Write the folder of a project, if there is none yet."""
    if base is not None:
        files.complain(
            "--project writes a new game: leave --from out, and build on a file afterwards"
        )
        return WRONG_USAGE
    name = (
        "".join(letter if letter.isalnum() else "_" for letter in folder.name).strip("_") or "mine"
    )
    laid_out = lay_out_project(f"{name}.rules", _title(folder.name), rulespec.__version__)
    try:
        folder.mkdir()
        for place, text in laid_out.items():
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    except FileExistsError:
        files.complain(f"`{folder}` already exists, and stays as it is")
        return WRONG_USAGE
    except OSError as error:
        files.complain_unwritten(folder, error)
        return WRONG_USAGE
    print(f"{folder} is written: {', '.join(sorted(laid_out))}.")
    typed = shlex.quote(f"{folder / name}.rules")
    print(f"Try `rulespec play {typed}`; README.md says what else.")
    return FINE


def _name_of(base: Path, path: Path) -> str:
    """How a file names another; a shipped one is found by its name from anywhere."""
    if base.resolve().is_relative_to(loading.GAMES.resolve()):
        return base.name
    name = os.path.relpath(base, path.parent).replace(os.sep, "/")
    if name.startswith("../"):
        raise NotFound(f"`{base}` is not next to or below `{path}`")
    return name
