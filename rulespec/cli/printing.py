"""`rulespec print FILE`: the pieces of a game as cards to cut out, nine to a page, for a prototype on paper."""

import argparse
import html
from collections.abc import Iterator, Sequence
from pathlib import Path

from interpreter.game_loading import load
from interpreter.labels import piece_label
from interpreter.match import Game
from interpreter.shown.cards import draw_back, draw_card, face_of
from interpreter.shown.palette import PLAIN, paint
from rulespec.cli import FINE, WRONG_USAGE, files
from rulespec.cli.seats import count_players
from rulespec.loading import NotFound
from rulespec.rendering import counted

PAPERS = {"a4": "A4", "letter": "letter"}
PER_PAGE = 9
STYLE = """
@page { size: PAPER; margin: 8mm; }
* { box-sizing: border-box; }
body { margin: 0; font-family: system-ui, sans-serif; }
header { padding: 1rem; max-width: 40rem; }
.page { display: grid; grid-template-columns: repeat(3, 63mm); grid-auto-rows: 88mm; justify-content: center; }
.page + .page { break-before: page; }
.back { direction: rtl; } /* so that a back lies behind its front when the paper is turned over its long edge */
.card { outline: 0.2mm dashed #999; padding: 1.5mm; }
.card svg { width: 100%; height: 100%; display: block; }
@media print { header { display: none; } .card { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
@media screen { .page { margin: 1rem 0; } }
"""


def configure(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.epilog = (
        "Open the page in a browser and print it without scaling: a card is 63 by 88 mm. For a "
        "variant, use `--variant` or `--set`, or name the file of an overlay."
    )
    files.add_file(command)
    files.add_number(
        command, "--players", "the number of players; the fewest that the game allows by default"
    )
    files.add_rules_options(command)
    command.add_argument(
        "--out", metavar="PAGE", help="the page to write; by default NAME-cards.html in this folder"
    )
    command.add_argument("--paper", choices=[*PAPERS], default="a4", help="the size of the paper")
    command.add_argument(
        "--backs",
        action="store_true",
        help="add a page of card backs after each page, for printing on both sides",
    )


def run(arguments: argparse.Namespace) -> int:
    """Draw all pieces and write the page."""
    try:
        game = load(arguments.file, arguments.variants, dict(arguments.settings))
        cards = draw_pieces(game, arguments.players)
    except (NotFound, ValueError) as error:
        return files.refuse(error)
    path = Path(arguments.out or f"{Path(arguments.file).stem}-cards.html")
    paper = PAPERS[arguments.paper]
    try:
        path.write_text(write_page(game.code.title, cards, paper, backs=arguments.backs), "utf-8")
    except OSError as error:
        files.complain_unwritten(path, error)
        return WRONG_USAGE
    pages = -(-len(cards) // PER_PAGE) * (2 if arguments.backs else 1)
    print(
        f"{game.code.title}: {counted(len(cards), 'card')} on {counted(pages, 'page')}, in `{path}`"
    )
    return FINE


def draw_pieces(game: Game, players: int | None) -> list[str]:
    """A card for each piece of the game, those that look alike after one another."""
    layout = game.machine(count_players(game, players)).layout
    tones = paint(layout).faces
    pieces = sorted(range(len(layout.pieces)), key=lambda each: layout.faces[each])
    return [
        draw_card(face_of(piece_label(layout, each, None), tones.get(layout.faces[each], PLAIN)))
        for each in pieces
    ]


def write_page(title: str, cards: Sequence[str], paper: str, *, backs: bool) -> str:
    """A page of HTML that needs no other file."""
    named = html.escape(title)
    body = "".join(_pages(cards, backs=backs))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{named}: cards</title>'
        f"<style>{STYLE.replace('PAPER', paper)}</style></head><body>"
        f"<header><h1>{named}</h1><p>{counted(len(cards), 'card')} to cut out. Print this page without "
        f"scaling.</p></header>{body}</body></html>\n"
    )


def _pages(cards: Sequence[str], *, backs: bool) -> Iterator[str]:
    for start in range(0, len(cards), PER_PAGE):
        page = cards[start : start + PER_PAGE]
        yield _page("page", page)
        if backs:
            yield _page("page back", [draw_back()] * len(page))


def _page(kind: str, cards: Sequence[str]) -> str:
    return f'<section class="{kind}">{"".join(f"<div class=card>{each}</div>" for each in cards)}</section>'
