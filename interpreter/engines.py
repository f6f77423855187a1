"""A game and a number of players -> the fastest engine that can play it, or the reason why the reference plays."""

from functools import lru_cache
from typing import Any

from interpreter import chance, machine
from interpreter.caching import make_kept
from interpreter.engine_protocol import Engine
from interpreter.machine import Result
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.state import State
from interpreter.wasm.engine import Wasm
from interpreter.wasm.hosts import Missing
from interpreter.wasm.program_analysis import Unsupported
from interpreter.worlds import forget_minds
from rulespec.source import locate


class Reference:
    """The reference machine as an engine."""

    def __init__(self, game: Game, players: int) -> None:
        self.machine = game.machine(players)

    def start(self, seed: int, first: int | None = None) -> State:
        return machine.start(self.machine, seed, first)

    def from_reference(self, state: State) -> State:
        new = state.clone()
        new.rng = new.rng or 0  # until now, the caller may have decided chance
        new.watch = None
        return new

    def clone(self, state: State) -> State:
        return state.clone()

    def future(self, state: State, seed: int) -> State:
        new = state.clone()
        new.rng = seed
        return new

    def count(self, state: State) -> int:
        return len(state.pending.options) if isinstance(state.pending, Decision) else 0

    def player(self, state: State) -> int:
        found: int = state.pending.player
        return found

    def asked(self, state: State) -> Decision:
        found: Decision = state.pending
        return found

    def options(self, state: State) -> list[Any]:
        return list(state.pending.options)

    def apply(self, state: State, number: int) -> None:
        machine.apply(self.machine, state, number)

    def playout(self, state: State, luck: int, most: int) -> None:
        while most and isinstance(state.pending, Decision):
            luck, number = chance.try_luck(luck, len(state.pending.options))
            machine.apply(self.machine, state, number)
            most -= 1

    def result(self, state: State) -> Result:
        return machine.rank(self.machine, state)


# The type checker holds every engine to the protocol.
ENGINES: tuple[type[Engine[Any]], ...] = (Reference, Wasm)


# ---- Making one ----------------------------------------------------------------------------------


def make_engine(game: Game, players: int) -> Engine[Any]:
    """The fastest engine that can play a game."""
    return find_fast(game, players) or Reference(game, players)


def find_fast(game: Game, players: int) -> Wasm | None:
    """The fast engine for a table; None if the game, or this machine, has none."""
    found = _fast(game, players)
    return found if isinstance(found, Wasm) else None


def why_slow(game: Game, players: int) -> str | None:
    """Why the reference plays a game and not the fast engine; None if the fast engine plays it."""
    found = _fast(game, players)
    return None if isinstance(found, Wasm) else found


def forget_modules() -> None:
    """Free all engines once nobody plays with them; the written modules stay cached."""
    _fast.cache_clear()
    forget_minds()


@lru_cache(maxsize=16)
def _fast(game: Game, players: int) -> Wasm | str:
    """The fast engine, cached for each table, or why there is none; the cache drops games that were played long ago."""
    try:
        return make_kept(game, players)
    except Missing as reason:
        return str(reason)
    except Unsupported as reason:
        where = "" if reason.span is None else f" in line {locate(reason.span)[0].line}"
        return f"the fast engine cannot play {reason}{where}"
