"""The kinds of bots by the names that are typed: `random`, `greedy`, `search`, `search:2000`, `search:3s`."""

from collections.abc import Callable

from interpreter.bots.advice import Bot
from interpreter.bots.blind import Blind
from interpreter.match import Game

KINDS = {
    "random": "chooses without thinking",
}


class UnknownBot(ValueError):  # noqa: N818 - the word is wrong
    """A word that names no bot."""


def make_bot(word: str, game: Game, players: int, seed: int) -> Bot:
    """A bot for one seat at a table of so many; the seed decides whatever it leaves to chance."""
    kind, _, strength = word.partition(":")
    makers: dict[str, Callable[[], Bot]] = {"random": lambda: Blind(seed)}
    if kind not in makers:
        raise UnknownBot(f"`{word}` is no bot; there are {', '.join(makers)}")
    if strength and kind == "random":
        raise UnknownBot("a random bot has no strength")
    return makers[kind]()
