"""A task and the numbers of some games -> the counts of these games; also all data that a worker receives.

Game number n of a study has its own seed, which follows from the seed of the study and n alone: every worker plays the
same game, in whatever chunk. All programs of a task play each number with the same seed, so a comparison is between
pairs of games.
"""

import pickle
import time
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import Lock
from typing import Literal

from attrs import evolve, frozen

from interpreter import chance
from interpreter.errors import RuleFault
from interpreter.lab.ablation import count_restricted
from interpreter.lab.counts import Counts
from interpreter.lab.sample import count_closely
from interpreter.lab.seeded_games import TableSetup, count_games, lay_table
from interpreter.lab.skill import count_duels
from interpreter.match import Game
from rulespec.core.fingerprints import fingerprint
from rulespec.diagnostics import Diagnostic
from rulespec.limits import MOST_CHOICES

# Results of games; games examined closely; deals with exchanged seats; games without one thing.
Kind = Literal["games", "close", "duels", "restricted"]
COUNTING: dict[Kind, Callable[[Sequence[TableSetup], Sequence[int]], Counts]] = {
    "games": count_games,
    "close": count_closely,
    "duels": count_duels,
    "restricted": count_restricted,
}


@frozen
class Packed:
    """A game in the form that is sent, so that a worker needs no file; its mark identifies the rules."""

    mark: str
    content: bytes


@frozen
class Task:
    """What to play: the programs, the number of players, and the bots in the order of play."""

    kind: Kind
    programs: tuple[Packed, ...]
    players: int
    seats: tuple[str, ...]  # for duels, the stronger player and the weaker one
    seed: int
    longest: int = MOST_CHOICES  # choices, after which a game is cut off


@frozen
class Trouble:
    """A rule that cannot go on, and the rules that were running, the innermost first."""

    diagnostic: Diagnostic
    rules: tuple[str, ...]


@frozen
class Chunk:
    """The result of a worker, and how long it took."""

    counts: Counts
    seconds: float
    trouble: Trouble | None = None


# A caller that plays in slices packs the same game for each slice.
@lru_cache(maxsize=4)
def pack(game: Game) -> Packed:
    """Pack a game to send it."""
    # The copy has no machines, which cannot be pickled.
    return Packed(fingerprint(game.code), zlib.compress(pickle.dumps(evolve(game))))


# A worker gets many chunks of few tasks: it unpacks rules and builds engines once.
@lru_cache(maxsize=64)
def _table(packed: Packed, players: int, seats: tuple[str, ...], longest: int) -> TableSetup:
    game: Game = pickle.loads(zlib.decompress(packed.content))  # noqa: S301 - packed by ourselves
    return lay_table(game, players, seats, longest)


def game_seed(seed: int, players: int, number: int) -> int:
    """The seed of one game. Seeds of neighbouring games are unrelated, and no two are equal.

    >>> game_seed(1, 2, 0)
    9090167861625749668
    """
    _, begin = chance.draw((seed + (players << 56)) & chance.MASK)
    return chance.draw((begin + number) & chance.MASK)[1]


# A worker of a cluster may have several threads, and a table has room for one game at a time.
_AT_THE_TABLE = Lock()


def play_chunk(task: Task, begin: int, end: int) -> Chunk:
    """Play the games with these numbers."""
    with _AT_THE_TABLE:
        return _play(task, begin, end)


def _play(task: Task, begin: int, end: int) -> Chunk:
    started = time.monotonic()
    tables = [_table(each, task.players, task.seats, task.longest) for each in task.programs]
    seeds = [game_seed(task.seed, task.players, number) for number in range(begin, end)]
    try:
        counts = COUNTING[task.kind](tables, seeds)
    except RuleFault as fault:
        diagnostic = Diagnostic(fault.code, fault.message, fault.span)
        return Chunk({}, time.monotonic() - started, Trouble(diagnostic, fault.rules))
    return Chunk(counts, time.monotonic() - started)
