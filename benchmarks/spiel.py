"""How fast the classics are played from Python here and in OpenSpiel, side by side in one run.

    python benchmarks/spiel.py --rounds 5 --seconds 0.3

Three ways: step by step, as an agent plays (whose turn is it, what is legal, choose, what was won at last); whole random
games, in one call for many; and many games in a batch, a step of all of them at once. OpenSpiel has no batches and no
rollouts of many games from Python, so the last two are compared with its stepping.

A decision is one of a player. OpenSpiel's games deal card by card, and these events take time, but are not counted; one
of our games may go on for many deals. So what is compared is decisions a second.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from importlib import import_module
from random import Random
from statistics import median
from typing import Any

import numpy as np
from attrs import frozen

from interpreter.caching import load_kept
from interpreter.research.batches import Rollouts
from interpreter.research.game_tables import Table
from interpreter.research.states import GameState
from measuring import games_for, seconds_for
from rulespec.loading import NotFound

# Our file, OpenSpiel's name, and how many play.
GAMES = (
    ("kuhn.rules", "kuhn_poker", 2),
    ("leduc.rules", "leduc_poker", 2),
    ("hearts.rules", "hearts", 4),
    ("spades.rules", "spades", 4),
    ("euchre.rules", "euchre", 4),
    ("oh_hell.rules", "oh_hell(players=4)", 4),
    ("gin_rummy.rules", "gin_rummy", 2),
)
STEPPED, FIXED, WHOLE, BATCH, THEIRS = (
    "stepped",
    "stepped by actions",
    "whole games",
    "batch",
    "OpenSpiel",
)
AIMS = {STEPPED: 1.0, FIXED: 1.0, WHOLE: 5.0, BATCH: 5.0}
TOGETHER = 4096  # games of a batch
MOST = 3000  # decisions of a game that is stepped

Play = Callable[[range], int]  # games by their seeds -> decisions
PlayGame = Callable[[GameState, Callable[[], float], int], int]


@frozen
class Row:
    """How often one of our ways is as fast as OpenSpiel's stepping, and both in decisions a second."""

    game: str
    way: str
    ours: float
    theirs: float
    ratio: float

    @property
    def verdict(self) -> str:
        aim = AIMS.get(self.way)
        if aim is None:
            return ""
        return "over the aim" if self.ratio >= aim else "UNDER THE AIM"


# ---- Ways to play ----------------------------------------------------------------------------------


def theirs(name: str) -> Play | None:
    """OpenSpiel, stepped; nothing if it has no such game."""
    pyspiel = import_module("pyspiel")
    try:
        game = pyspiel.load_game(name)
    except pyspiel.SpielError:
        return None

    def play(seeds: range) -> int:
        random = Random(seeds.start).random
        decisions = 0
        for _ in seeds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions = state.legal_actions()
                else:
                    state.current_player()
                    actions = state.legal_actions()
                    decisions += 1
                state.apply_action(actions[int(random() * len(actions))])
            state.returns()
        return decisions

    return play


def _play_game(state: GameState, random: Callable[[], float], most: int) -> int:
    """Options by their numbers; how many decisions were made."""
    decisions, count = 0, state.option_count()
    while count and decisions < most:
        state.current_player()
        state.choose(int(random() * count))
        count = state.option_count()
        decisions += 1
    return decisions


def _play_actions(state: GameState, random: Callable[[], float], most: int) -> int:
    """Actions with fixed numbers."""
    decisions = 0
    while decisions < most and not state.is_terminal():
        state.current_player()
        actions = state.legal_actions()
        state.apply(actions[int(random() * len(actions))])
        decisions += 1
    return decisions


def stepped(table: Table, play_game: PlayGame) -> Play:
    """Games one after the other, in one of these ways."""

    def play(seeds: range) -> int:
        random = Random(seeds.start).random
        decisions = 0
        for seed in seeds:
            state = table.new_initial_state(seed)
            decisions += play_game(state, random, MOST)
            state.returns()
        return decisions

    return play


def whole(table: Table) -> Play:
    """Many random games in one call."""
    rollouts = Rollouts(table)

    def play(seeds: range) -> int:
        decisions, _ = rollouts.play(seeds)
        return int(decisions.sum())

    return play


def batched(table: Table) -> Play:
    """A step of thousands of games at once; a game that is over is dealt anew."""
    batch = table.batch(TOGETHER)
    dice = np.random.default_rng(1)

    def play(seeds: range) -> int:
        decisions = 0
        for n in seeds:
            counts = batch.random_step(dice)
            decisions += TOGETHER
            over = np.flatnonzero(counts == 0)
            if len(over):
                batch.returns(over)
                batch.reset(seeds.start + n * TOGETHER, over)
        return decisions

    return play


# ---- Side by side ----------------------------------------------------------------------------------


def _note(play: Play, seeds: range, told: list[int]) -> None:
    told.append(play(seeds))


def compare(name: str, other: str, players: int, rounds: int, seconds: float) -> list[Row]:
    """All ways of a game, by turns with OpenSpiel."""
    their = theirs(other)
    table = load_kept(name).table(players)
    ways = {
        STEPPED: stepped(table, _play_game),
        FIXED: stepped(table, _play_actions),
        WHOLE: whole(table),
        BATCH: batched(table),
    }
    if their is None:
        return []
    plays = {THEIRS: their, **ways}
    sizes = {way: games_for(play, seconds) for way, play in plays.items()}
    rates: dict[str, list[float]] = {way: [] for way in plays}
    told: list[int] = []
    for n in range(rounds):
        for way, play in plays.items():
            seeds = range(n * sizes[way], (n + 1) * sizes[way])
            taken = seconds_for(partial(_note, play, seeds, told))
            rates[way].append(told.pop() / taken)
    return [
        Row(
            name.removesuffix(".rules"),
            way,
            median(rates[way]),
            median(rates[THEIRS]),
            median(mine / yours for mine, yours in zip(rates[way], rates[THEIRS], strict=True)),
        )
        for way in ways
    ]


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--only", help="one game, such as kuhn")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows: list[Row] = []
    for name, other, players in [each for each in GAMES if arguments.only in (None, each[0][:-6])]:
        try:
            rows += compare(name, other, players, arguments.rounds, arguments.seconds)
        except (ImportError, NotFound) as error:
            print(f"{name}: not measured: {error}")
    if arguments.json:
        print(json.dumps([_data(row) for row in rows], indent=2))
        return
    print(f"{'game':10} {'way':20} {'ours/s':>12} {'OpenSpiel/s':>12} {'ratio':>7}")
    for row in rows:
        print(
            f"{row.game:10} {row.way:20} {row.ours:12,.0f} {row.theirs:12,.0f} {row.ratio:7.2f}  {row.verdict}"
        )


def _data(row: Row) -> dict[str, Any]:
    return {
        "game": row.game,
        "way": row.way,
        "ours": row.ours,
        "theirs": row.theirs,
        "ratio": row.ratio,
        "verdict": row.verdict,
    }


if __name__ == "__main__":
    main()
