"""What there is to choose from: the shipped files, and what can be settled before a game begins."""

import re
from itertools import chain, count

import rulespec
from rulespec import loading
from rulespec.catalogue import ShippedGame, read_game, shipped_files
from rulespec.checking.layers import stack_layers
from rulespec.playground.backend_state import BackendState
from rulespec.playground.drafts import Draft
from rulespec.playground.protocol import shipped
from rulespec.playground.protocol.shipped import Bot, GamesReply, HelloReply, Menu, OverlayReply
from rulespec.playground.requests import BadRequest, Request, Tell
from rulespec.syntax.automaton import machine

LONGEST_TITLE = 60
DEVICES = {"aux", "con", "nul", "prn"}  # which Windows takes for files


def answer_hello(_memory: BackendState, _request: Request, _tell: Tell) -> HelloReply:
    """Who is there; and the tables of the grammar are ready from now on."""
    machine()
    return {"version": rulespec.__version__}


def answer_games(_memory: BackendState, _request: Request, tell: Tell) -> GamesReply:
    """All that is shipped."""
    from interpreter.bots.kinds import KINDS, LEVELS  # noqa: PLC0415 - nobody else waits for bots
    from interpreter.lab.plot_styles import DARK, LIGHT, PLOTS  # noqa: PLC0415

    games: list[shipped.ShippedGame] = []
    paths = shipped_files()
    for number, path in enumerate(paths):
        tell(number / len(paths), path.name)
        game = read_game(path)
        text = loading.read(str(path)).text
        games.append(
            {
                "file": path.name,
                "text": text,
                "extends": game.extends,
                "menu": _menu(game),
            }
        )
    bots: list[Bot] = [
        {"word": word, "about": about} for word, about in {**LEVELS, **KINDS}.items()
    ]
    return {
        "games": games,
        "bots": bots,
        "plots": {"light": LIGHT, "dark": DARK, "rules": PLOTS},
    }


def menu_of(draft: Draft) -> Menu | None:
    """What can be chosen in a text, if it can be read."""
    stack = stack_layers(draft.path, draft.source)
    if not stack.files or stack.slots or stack.damage is not None:
        return None
    return _menu(read_game(draft.path, draft.source))


def _menu(game: ShippedGame) -> Menu:
    return {
        "title": game.title,
        "author": game.author,
        "about": game.about,
        "players": game.players,
        "variants": [
            {
                "name": each.name,
                "title": each.title,
                "players": each.players,
                "about": each.about,
            }
            for each in game.variants
        ],
        "options": [
            {
                "name": each.name,
                "values": list(each.values),
                "default": each.default,
                "about": each.about,
            }
            for each in game.options
        ],
    }


def answer_overlay(_memory: BackendState, request: Request, _tell: Tell) -> OverlayReply:
    """A file to begin with, that changes nothing of a shipped one yet."""
    from rulespec.starters import write_overlay  # noqa: PLC0415 - seldom asked for

    wanted, title = request.text("file"), request.text("title").strip()
    paths = {path.name: path for path in shipped_files()}
    if wanted not in paths:
        raise BadRequest("this file is not shipped")
    if not title.isprintable() or '"' in title or not 0 < len(title) <= LONGEST_TITLE:
        raise BadRequest(f"a title has 1 to {LONGEST_TITLE} letters, and no quotes")
    text = "\n".join(write_overlay(paths[wanted], wanted, title)) + "\n"
    return {"file": free_name(wanted), "text": text}


def free_name(file: str) -> str:
    """A name that no shell and no system takes amiss, and that of no shipped file.

    >>> free_name("My game (2).rules"), free_name("siegel.rules"), free_name("sins.rules"), free_name("→")
    ('my_game_2.rules', 'my_siegel.rules', 'my_sins_2.rules', 'draft.rules')
    """
    stem = re.sub(r"[^a-z0-9]+", "_", file.removesuffix(".rules").casefold()).strip("_") or "draft"
    # A file that extends a shipped one and has its name would extend itself.
    taken = {path.stem for path in shipped_files()} | DEVICES
    mine = stem if stem.startswith("my_") else f"my_{stem}"
    more = (f"{mine}_{number}" for number in count(2))
    return f"{next(each for each in chain((stem, mine), more) if each not in taken)}.rules"
