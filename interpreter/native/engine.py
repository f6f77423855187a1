"""A game in C for a table: whole random games in one call, the same ones as the Python engine plays.

>>> from interpreter.match import load
>>> try:
...     native = build_native(load("sins.rules").machine(4))
... except Unsupported:
...     native = None  # no compiler here, or something that is not written in C
>>> native is None or native.finish(seed=7).winners == (1,)
True

Where the rules have a fault C only says so: the Python engine plays that seed again, and tells what is wrong.
"""

import ctypes
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from interpreter.compiled.writing import Unsupported
from interpreter.machine import Keys, Machine
from interpreter.native.building import build_library, fetch_library
from interpreter.native.memory import read_keys, read_numbers
from interpreter.native.programs import write_source

BATCH = 500  # games in one call: who wants to stop does not wait long
MOST_SEED = (1 << 64) - 1


class Finished(NamedTuple):
    """The end of a game: how many decisions were made, who has won, and the ranking as numbers.

    These are row by row whether the most wins, and the keys of all players; `keys` gives them as a result has them.
    """

    decisions: int
    winners: tuple[int, ...]
    ranking: tuple[int | None, ...]


class Native:
    """A table at which C plays."""

    def __init__(self, machine: Machine, library: ctypes.CDLL) -> None:
        self.players = machine.layout.players
        self.rows = len(machine.ranking)
        self.width = 2 + self.rows * (self.players + 1)
        self._many = library.play_many
        pointer = ctypes.c_void_p
        self._many.argtypes = [pointer, ctypes.c_int64, ctypes.c_int, pointer, pointer]
        self._many.restype = None
        self._how = (ctypes.c_int * BATCH)()
        self._found = (ctypes.c_int64 * (BATCH * self.width))()
        self._winners = [
            tuple(p for p in range(self.players) if m >> p & 1) for m in range(1 << self.players)
        ]

    def finish(self, seed: int, first: int | None = None) -> Finished | None:
        """One game; nothing if Python has to play it."""
        return next(self.games([seed], first))

    def games(self, seeds: Sequence[int], first: int | None = None) -> Iterator[Finished | None]:
        """Many games, one after the other; nothing where Python has to play."""
        for begin in range(0, len(seeds), BATCH):
            batch = seeds[begin : begin + BATCH]
            yield from list(self._play(batch, -1 if first is None else first))

    def _play(self, seeds: Sequence[int], first: int) -> Iterator[Finished | None]:
        count, width = len(seeds), self.width
        given = (ctypes.c_uint64 * count)(*(seed & MOST_SEED for seed in seeds))
        self._many(given, count, first, self._how, self._found)
        found = read_numbers(self._found[: count * width])
        winners = self._winners
        for seed, how, at in zip(
            seeds, self._how[:count], range(0, count * width, width), strict=True
        ):
            if how or not 0 <= seed <= MOST_SEED:
                yield None
            else:
                yield Finished(found[at], winners[found[at + 1]], tuple(found[at + 2 : at + width]))

    def keys(self, end: Finished) -> Keys:
        """The rows of the ranking: whether the most wins, and the keys of all players."""
        return read_keys(end.ranking, self.players)


def build_native(machine: Machine) -> Native:
    """The game in C for a table; `Unsupported` says why there is none."""
    return Native(machine, build_library(write_source(machine)))


def find_native(machine: Machine, *, compiles: bool = True) -> Native | None:
    """As `build_native`; nothing if there is none, or if it would have to be compiled and should not be."""
    try:
        source = write_source(machine)
        library = build_library(source) if compiles else fetch_library(source)
    except Unsupported:
        return None
    return None if library is None else Native(machine, library)
