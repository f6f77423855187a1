"""The shipped games at every table where they can be played, and small ones from a text."""

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from interpreter import machine, stored
from interpreter.game_loading import load, load_source
from interpreter.machine import Machine
from interpreter.match import Game, Match
from interpreter.options import Decision
from interpreter.state import State
from rulespec.source import Source

Table = tuple[str, tuple[str, ...], int]
GAMES = (
    ("deadlies.rules", (), range(3, 6)),
    ("deadlies.rules", ("covered_discard",), range(3, 6)),
    ("deadlies.rules", ("sixth_player",), range(6, 7)),
    ("seven7s.rules", (), range(2, 5)),
    ("siegel.rules", (), range(3, 6)),
    ("siegel.rules", ("open_tricks",), range(3, 6)),
    ("sins.rules", (), range(2, 6)),
    ("sins.rules", ("penitenziagite",), range(2, 6)),
    ("my_sins.rules", (), range(2, 6)),
    ("steep_sins.rules", (), range(2, 6)),
    ("open_sins.rules", (), range(2, 6)),
    ("indulgence.rules", (), range(2, 6)),
)
# All games with all variants, for every number of players.
TABLES: tuple[Table, ...] = tuple(
    (name, variants, players) for name, variants, numbers in GAMES for players in numbers
)


@cache
def shipped(name: str, variants: tuple[str, ...] = ()) -> Game:
    return load(name, variants)


def engine_of(table: Table) -> Machine:
    name, variants, players = table
    return shipped(name, variants).machine(players)


@lru_cache(maxsize=100)  # small ones are many
def from_text(text: str, variants: tuple[str, ...] = ()) -> Game:
    return load_source(Path("small.rules"), Source("small.rules", text), variants)


Policy = Callable[[Decision], int]


def at_random(seed: int) -> Policy:
    """Chooses any option."""
    chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    return lambda decision: chance.randrange(len(decision.options))


def by_stream(stream: Sequence[int], seed: int = 0) -> Policy:
    """Chooses by numbers that were given, and by chance when they are used up."""
    given, rest = iter(stream), at_random(seed)

    def choose(decision: Decision) -> int:
        number = next(given, None)
        return rest(decision) if number is None else number % len(decision.options)

    return choose


def decisions(engine: Machine, s: State, policy: Policy, most: int = 100_000) -> Iterator[State]:
    """The state at each decision, while the game is played on; at last the state when it ends."""
    for _ in range(most):
        yield s
        if not isinstance(s.pending, Decision):
            return
        machine.apply(engine, s, policy(s.pending))


def play(engine: Machine, s: State, policy: Policy, most: int = 100_000) -> State:
    for _ in decisions(engine, s, policy, most):
        pass
    return s


def digest(engine: Machine, s: State) -> str:
    """A short name of a state."""
    text = stored.to_json(engine, s)
    # The fingerprint changes with every clause of the rules, the game need not.
    _, _, rest = text.partition('"phase"')
    return hashlib.sha256(rest.encode()).hexdigest()[:12]


def variable(match: Match, name: str, *indices: int) -> Any:
    family = match.engine.layout.variable_families[name]
    place = sum(
        values.index(index) * stride
        for values, index, stride in zip(family.domains, indices, family.strides, strict=True)
    )
    return match.state.variables[family.base + place]


def zone(match: Match, name: str, *indices: int) -> tuple[int, ...]:
    """The pieces in a zone, by number."""
    family = match.engine.layout.zone_families[name]
    place = sum(
        values.index(index) * stride
        for values, index, stride in zip(family.domains, indices, family.strides, strict=True)
    )
    return match.state.zones[family.base + place]


# Who stops at once loses.
BRINK = """\
game "Brink"
players 2..2
state           | type  | start
  score[Player] | 0..99 | 0
ranking of p
  most | score[p]

rule play
  first chooses stops from Bool "Stop?"
  for p in others(first): score[p] = 5
  if stops: end
  first chooses last from Bool "Really?"
  score[first] = 9
"""
