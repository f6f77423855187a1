"""A word that people type -> a bot: levels such as `normal`, and kinds with a strength such as `search:2000`."""

import re

from interpreter.bots.advice import Bot
from interpreter.bots.blind import Blind
from interpreter.bots.greedy import Greedy
from interpreter.bots.imagination import Imagination
from interpreter.bots.search import Search
from interpreter.dice import Dice
from interpreter.match import Game

KINDS = {
    "random": "chooses without thinking",
    "greedy": "looks one decision ahead; `greedy:20` plays out 20 games after each option",
    "search": "thinks ahead; `search:3s` for three seconds, `search:500` for 500 games",
}
LEVELS = {
    "easy": "takes the first good move it sees, and often misses a better one",
    "normal": "thinks ahead for a moment; a fair opponent",
    "hard": "takes its time, and misses little",
}
# A strength in games and seconds ends with whichever comes first. The games make a seed give the same
# game every time; the seconds limit games that are slow to play.
_MEANT = {"easy": "greedy:1", "normal": "search:100:0.5s", "hard": "search:2000:2s"}
_NUMBER = r"\d{1,7}(?:\.\d{1,3})?"
_STRENGTH = rf"(?P<games>\d{{1,7}})(?::(?P<seconds>{_NUMBER})s)?|(?P<only>{_NUMBER})s"
USUAL_GAMES = 5  # of the greedy bot, after each option
USUAL_SECONDS = 1.0  # of the searching bot


class UnknownBot(ValueError):  # noqa: N818 - the word is wrong
    """A word that names no bot."""


def make_bot(word: str, game: Game, players: int, seed: int) -> Bot:
    """A bot for one seat; the seed decides everything that the bot leaves to chance.

    A search with a number of games is reproducible; with a number of seconds it depends on the
    machine.
    """
    kind, _, strength = _MEANT.get(word, word).partition(":")
    if kind not in KINDS:
        raise UnknownBot(f"`{word}` is not a bot; there are {', '.join([*LEVELS, *KINDS])}")
    if kind == "random":
        if strength:
            raise UnknownBot("a random bot has no strength")
        return Blind(seed)
    games, seconds = _strength(word)
    dice = Dice(seed)
    imagination = Imagination(game, players, dice)
    if kind == "greedy":
        if seconds is not None:
            raise UnknownBot("the strength of a greedy bot is a number of games: `greedy:20`")
        return Greedy(imagination, dice, games or USUAL_GAMES)
    if games is None and seconds is None:
        seconds = USUAL_SECONDS
    return Search(imagination, dice, games, seconds)


def is_timed(word: str) -> bool:
    """Whether a bot uses the clock, so that its answer may depend on the machine."""
    if _MEANT.get(word, word).partition(":")[0] != "search":
        return False
    games, seconds = _strength(word)
    return seconds is not None or games is None


def untimed(word: str) -> str:
    """The same strength without the clock: the number of games alone, if the strength has one.

    >>> untimed("search:300:0.5s"), untimed("search:3s"), is_timed(untimed("normal"))
    ('search:300', 'search:3s', False)
    """
    games, seconds = _strength(word)
    if games is None or seconds is None:
        return word
    kind = _MEANT.get(word, word).partition(":")[0]
    return f"{kind}:{games}"


def remembers(word: str) -> bool:
    """Whether a bot reuses its earlier thinking: a bot that plays by the clock alone is not reproducible anyway."""
    return is_timed(word) and _strength(word)[0] is None


def hurried(word: str, before: int) -> str:
    """The strength of a level while a person waits: the more choices came `before`, the less the bot thinks.

    >>> hurried("normal", 0), hurried("normal", 6), hurried("search:500", 6)
    ('search:100:0.5s', 'search:25:0.125s', 'search:500')
    """
    games, seconds = _strength(word) if word in _MEANT else (None, None)
    if games is None or seconds is None:
        return word
    share = 1 + before / 2
    return f"search:{max(1, int(games / share))}:{round(max(0.05, seconds / share), 3)}s"


def _strength(word: str) -> tuple[int | None, float | None]:
    """How many games, and how many seconds: `500`, `3s`, or `500:3s`, whichever ends first."""
    _, is_given, strength = _MEANT.get(word, word).partition(":")
    if not is_given:
        return None, None
    found = re.fullmatch(_STRENGTH, strength)
    if found is None or not any(float(each or 0) for each in found.groups()):
        raise UnknownBot(
            f"the strength in `{word}` is a number of games, or of seconds: `500`, `3s`"
        )
    games, seconds = found["games"], found["seconds"] or found["only"]
    return int(games) if games else None, float(seconds) if seconds else None
