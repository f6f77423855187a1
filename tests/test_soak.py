"""A hundred thousand games of the shipped rules, each held to all that is promised of a game.

Only in `make soak`. A game that fails is named by its table and its seed.
"""

import random

import pytest
from attrs import evolve

from games import TABLES, Table, at_random, engine_of, play, shipped
from interpreter import machine
from interpreter.judge import judge
from interpreter.options import Decision
from interpreter.playthroughs import Playthrough
from properties import (
    assert_clones_are_independent,
    assert_goes_on,
    assert_nonsense_is_refused,
    assert_resumes_between_steps,
    assert_same_moment,
    assert_storing_keeps,
    assert_undo_is_honest,
)
from sizes import some

# Long games are played less often, and so are those that have most of their rules from another.
SELDOM = (
    *("siegel.rules", "deadlies.rules"),
    *("steep_sins.rules", "open_sins.rules", "indulgence.rules"),
)
SOAK, SOAK_SELDOM = some(6_000), some(1_000)
CHUNKS = 8
PAIRS = 2  # of a game with another that looks the same to a player
TAKEN_BACK = 12  # choices are taken back early in a game, as what went before is played again


def games_at(table: Table) -> int:
    return SOAK_SELDOM if table[0] in SELDOM else SOAK


def soak(table: Table, seed: int) -> None:
    """One game, twice: the second time it is watched, and looked at closely at one decision."""
    engine = engine_of(table)
    count = 0
    policy = at_random(seed)

    def counted(decision: Decision) -> int:
        nonlocal count
        count += 1
        return policy(decision)

    last = play(engine, machine.start(engine, seed), counted)
    name, variants, players = table
    match = shipped(name, variants).start(players, seed)
    # Invariants are the most work by far: they are tested when the game is looked at, and at its end.
    match.engine = evolve(engine, invariants=())
    policy = at_random(seed)
    chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    moment = chance.randrange(count)
    while match.decision is not None:
        place = len(match.choices)
        assert_goes_on(engine, match.state)
        number = policy(match.decision)
        if place == min(moment, moment % TAKEN_BACK) and seed % 10 == 0:
            assert_undo_is_honest(match)
        if place == moment:
            assert machine.broken_invariant(engine, match.state) is None
            assert_nonsense_is_refused(engine, match.state)
            assert_clones_are_independent(engine, match.state, at_random(seed))
            assert_storing_keeps(engine, match.state)
            assert_resumes_between_steps(engine, match.state, number, every=7)
        match.apply(number)
    assert_goes_on(engine, match.state)
    assert machine.broken_invariant(engine, match.state) is None
    assert_same_moment(engine, last, match.state)
    choices = tuple(choice.number for choice in match.choices)
    played = Playthrough(players, seed, choices, over=True)
    for verdict in judge(engine, iter([played]), PAIRS, seed, None):
        assert verdict.leaks == []


def test_there_are_thousands_of_games() -> None:
    assert sum(map(games_at, TABLES)) >= some(100_000)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_very_many_games(table: Table, chunk: int) -> None:
    for seed in range(chunk, games_at(table), CHUNKS):
        try:
            soak(table, seed)
        except Exception as error:
            raise AssertionError(f"soak({table}, {seed})") from error
