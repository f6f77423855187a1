"""`rulespec docs FILE…`: the rulebook of some games, as Markdown for a site or as one page to hand around."""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path, PurePath

from interpreter.trials import is_mechanism
from rulespec import loading
from rulespec.booklets import read_passages
from rulespec.catalogue import read_game
from rulespec.cli import FINE, WRONG_USAGE, files
from rulespec.cli.play_data_collection import collect_play_data, load_part
from rulespec.docgen.book import open_book
from rulespec.docgen.entries import slug
from rulespec.docgen.pages import GamePages, as_html, as_markdown, make_pages
from rulespec.loading import NotFound
from rulespec.rendering import counted

FOLDER = "pages"


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.epilog = (
        "Each game gets a folder with three pages: `index.md` teaches the game, `law.md` has all of its rules, and "
        "`clauses.md` shows where each clause of the booklet is stated and used. `index.md` of --out lists the games. In "
        "`mkdocs.yml`, name `assets/game.css` of that folder under `extra_css`, `assets/game.js` under "
        "`extra_javascript`, and `attr_list`, `md_in_html` and `tables` under `markdown_extensions`."
    )
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="a file of rules, or the name of a shipped one"
    )
    command.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="V",
        dest="variants",
        help="use the rules with this variant",
    )
    command.add_argument(
        "--out",
        metavar="DIR",
        help="write Markdown for a mkdocs site to this folder; "
        f"`{FOLDER}` if you give neither this nor --html",
    )
    command.add_argument(
        "--playground",
        action="store_true",
        help="link games and rules to the playground, which is next to the folder of --out",
    )
    files.add_jobs(command)
    command.add_argument(
        "--html", metavar="PAGE", help="write one HTML page that needs no other file"
    )


def run(arguments: argparse.Namespace) -> int:
    """Make the pages of all files, unless one of them is wrong."""
    if arguments.html and len(arguments.files) > 1:
        files.complain("`--html` makes the page of one game; name one file")
        return WRONG_USAGE
    try:
        games = _make_all(arguments)
    except (NotFound, ValueError) as error:
        return files.refuse(error)
    folders = [game.folder for game in games]
    twice = {folder for folder in folders if folders.count(folder) > 1}
    if twice:
        files.complain(f"two files are called `{twice.pop()}`; their pages would be the same")
        return WRONG_USAGE
    written: dict[Path, str] = {}
    if arguments.html:
        written[Path(arguments.html)] = as_html(games[0])
    if arguments.out or not arguments.html:
        folder = Path(arguments.out or FOLDER)
        written |= {folder / path: text for path, text in as_markdown(games).items()}
    try:
        _write(written)
    except OSError as error:
        files.complain_unwritten(error.filename, error)
        return WRONG_USAGE
    print(_summary(games, arguments), file=sys.stderr)
    return FINE


def _make_all(arguments: argparse.Namespace) -> list[GamePages]:
    """The pages of all files, made on several cores; the first one that is wrong is raised."""
    work = partial(
        make,
        variants=tuple(arguments.variants),
        beside=arguments.files,
        has_playground=arguments.playground,
    )
    jobs = min(len(arguments.files), arguments.jobs or os.cpu_count() or 1)
    if jobs == 1:
        return [*map(work, arguments.files)]
    with ProcessPoolExecutor(jobs) as pool:
        return [*pool.map(work, arguments.files)]


def make(
    name: str,
    variants: tuple[str, ...],
    beside: Sequence[str] = (),
    *,
    has_playground: bool = False,
) -> GamePages:
    """The pages of one game, with these variants in force.

    If it builds on a game whose pages are made beside it, these tell what it does not change.
    """
    path = loading.find_rules(name)
    source = loading.read(name)
    if is_mechanism(source):
        raise ValueError(f"`{path.name}` is a mechanism: name a game that uses it")
    game = load_part(path, source, variants)
    play_data = collect_play_data(path, source, game)
    # A shipped game is found by its name, wherever the reader is.
    is_shipped = path.resolve().is_relative_to(loading.GAMES.resolve())
    typed = path.name if is_shipped else loading.shown_name(path)
    book = open_book(typed, read_game(path).about, variants, game.program.declared, play_data)
    for file in book.declared.files:
        book.passages |= read_passages(loading.find_rules(file.span.source.name))
    book.has_playground = has_playground
    lowest = book.declared.files[0].span.source
    if lowest != source and any(loading.read(each).text == lowest.text for each in beside):
        book.base = slug(PurePath(lowest.name).stem)
    return make_pages(slug(path.stem), book)


def _write(written: dict[Path, str]) -> None:
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _summary(games: list[GamePages], arguments: argparse.Namespace) -> str:
    told = ", ".join(game.title for game in games)
    places = [place for place in (arguments.html, arguments.out) if place] or [FOLDER]
    number = counted(len(games), "game")
    return f"{number} ({told}) in {' and '.join(f'`{place}`' for place in places)}"
