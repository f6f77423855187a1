"""Every engine speaks the one protocol, and says the same in it."""

from collections.abc import Iterator
from typing import Any

import pytest

from games import at_random, shipped
from interpreter import chance
from interpreter.engine_protocol import Engine
from interpreter.engines import ENGINES, Reference, make_engine
from interpreter.match import Game
from interpreter.wasm.engine import Wasm
from interpreter.wasm.hosts import Trapped

GAMES = ("sins.rules", "siegel.rules", "seven7s.rules", "deadlies.rules")
CHOICES = 40
MOST_LOOKED_AT = 60
MAKERS = {
    "Reference": Reference,
    "Wasm": lambda game, players: Wasm(game.machine(players)),
}


def make(name: str, game: Game, players: int) -> Engine[Any]:
    return MAKERS[name](game, players)


def test_all_engines_are_compared() -> None:
    assert MAKERS.keys() == {engine.__name__ for engine in ENGINES}


def answers(engine: Engine[Any], state: Any, luck: int) -> Iterator[Any]:
    """What an engine says of a game, choice by choice, and of the rest of it that is played out."""
    for _ in range(CHOICES):
        count = engine.count(state)
        if not count:
            break
        few = count <= MOST_LOOKED_AT
        yield count, engine.player(state), engine.asked(state).origin
        yield list(engine.options(state)) if few else None
        luck, number = chance.try_luck(luck, count)
        engine.apply(state, number)
    copy, other = engine.clone(state), engine.future(state, 11)
    for each in (copy, other):
        engine.playout(each, 3, 5)
        yield engine.count(each)
        engine.playout(each, 4, 100_000)
        yield engine.count(each), engine.result(each)
    yield engine.count(state)


@pytest.mark.parametrize("file", GAMES)
@pytest.mark.parametrize("name", [name for name in MAKERS if name != "Reference"])
def test_an_engine_answers_as_the_reference_does(name: str, file: str) -> None:
    game = shipped(file)
    players = game.players[0]
    engine, judge = make(name, game, players), Reference(game, players)
    for seed in (1, 2):
        ours, theirs = engine.start(seed), judge.start(seed)
        assert [*answers(engine, ours, seed)] == [*answers(judge, theirs, seed)]


@pytest.mark.parametrize("name", MAKERS)
def test_a_game_goes_on_from_a_state_of_the_reference(name: str) -> None:
    game = shipped("sins.rules")
    match, policy = game.start(3, seed=4), at_random(4)
    for _ in range(9):
        match.apply(policy(match.decision))
    before = match.state.clone()
    engine, judge = make(name, game, 3), Reference(game, 3)
    ours, theirs = (each.future(each.from_reference(match.state), 6) for each in (engine, judge))

    assert [*answers(engine, ours, 8)] == [*answers(judge, theirs, 8)]
    assert match.state == before


class Tired:
    """A function of a module that soon stops, and leaves a state behind that is of no use."""

    def __init__(self, engine: Wasm, name: str, left: int) -> None:
        self.engine, self.run, self.left = engine, getattr(engine, name), left

    def __call__(self, at: int, number: int) -> int:
        self.left -= 1
        found: int = self.run(at, number)
        if self.left < 0:
            self.engine.host.write(at, bytes(self.engine.size))
            raise Trapped
        return found


@pytest.mark.parametrize("left", [0, 1, 7])
@pytest.mark.parametrize("name", ["_start", "_step", "_play_on", "_list"])
def test_where_a_module_stops_the_reference_goes_on(name: str, left: int, monkeypatch) -> None:
    game = shipped("siegel.rules")
    engine, judge = Wasm(game.machine(3)), Reference(game, 3)
    monkeypatch.setattr(engine, name, Tired(engine, name, left))
    ours, theirs = engine.start(5), judge.start(5)
    for number in (0, 1):
        engine.apply(ours, number)
        judge.apply(theirs, number)
        ours, theirs = engine.future(ours, 7), judge.future(theirs, 7)

    assert [*answers(engine, ours, 8)] == [*answers(judge, theirs, 8)]


def test_the_fastest_engine_plays() -> None:
    assert isinstance(make_engine(shipped("sins.rules"), 2), Wasm)
