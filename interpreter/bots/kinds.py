"""The kinds of bots by the words that are typed: `random`, `greedy`, `search`, `search:2000`, `search:3s`."""

import re

from interpreter.bots.advice import Bot
from interpreter.bots.blind import Blind
from interpreter.bots.greedy import Greedy
from interpreter.bots.search import Search
from interpreter.dice import Dice
from interpreter.engines import make_engine
from interpreter.match import Game

KINDS = {
    "random": "chooses without thinking",
    "greedy": "looks one decision ahead; `greedy:20` plays out 20 games after each option",
    "search": "thinks ahead; `search:3s` for three seconds, `search:500` for 500 games",
}
USUAL_GAMES = 5  # of the greedy bot, after each option
USUAL_SECONDS = 1.0  # of the searching bot


class UnknownBot(ValueError):  # noqa: N818 - the word is wrong
    """A word that names no bot."""


def make_bot(word: str, game: Game, players: int, seed: int) -> Bot:
    """A bot for one seat at a table of so many; the seed decides whatever it leaves to chance.

    A search with a number of games is the same every time; with a number of seconds it depends on the
    machine.
    """
    kind, _, strength = word.partition(":")
    if kind not in KINDS:
        raise UnknownBot(f"`{word}` is no bot; there are {', '.join(KINDS)}")
    if kind == "random":
        if strength:
            raise UnknownBot("a random bot has no strength")
        return Blind(seed)
    games, seconds = _strength(word, strength) if strength else (None, None)
    engine, dice = make_engine(game, players), Dice(seed)
    if kind == "greedy":
        if seconds is not None:
            raise UnknownBot("how greedy a bot is, is a number of games: `greedy:20`")
        return Greedy(engine, dice, games or USUAL_GAMES)
    if games is None and seconds is None:
        seconds = USUAL_SECONDS
    return Search(engine, dice, games, seconds)


def is_timed(word: str) -> bool:
    """Whether a bot thinks by the clock: then its answer depends on the machine."""
    kind, _, strength = word.partition(":")
    return kind == "search" and (not strength or strength.endswith("s"))


def _strength(word: str, strength: str) -> tuple[int | None, float | None]:
    found = re.fullmatch(r"(\d{1,7}(?:\.\d{1,3})?)(s?)", strength)
    if found is None or not float(found[1]) or ("." in found[1] and not found[2]):
        raise UnknownBot(
            f"the strength in `{word}` is a number of games, or of seconds: `500`, `3s`"
        )
    return (None, float(found[1])) if found[2] else (int(found[1]), None)
