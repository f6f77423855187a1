"""A module that records tells the same observations that the reference keeps."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import small_programs
from games import from_text
from interpreter import machine
from interpreter.errors import RuleFault
from interpreter.game_loading import load
from interpreter.machine import Machine
from interpreter.state import OVER
from interpreter.wasm.engine import Wasm
from interpreter.wasm.programs import show_program, write_program
from secret_games import secret_game
from sizes import few, some, tries

TABLES = (("sins.rules", 4), ("deadlies.rules", 3), ("seven7s.rules", 2), ("siegel.rules", 3))
MOST = 120  # decisions of a game


def assert_observed(engine: Machine, fast: Wasm, seed: int) -> int:
    """Play one game on both engines, and compare what was observed at every decision; how many there were."""
    luck = random.Random(seed)  # noqa: S311 - which options are tried
    try:
        one = machine.start(engine, seed, watched=True)
    except RuleFault:
        with pytest.raises(RuleFault):
            fast.start(seed)
        return 0
    other = fast.start(seed)
    for count in range(MOST):
        watch = fast.watch(other)
        assert watch is not None
        assert watch.events == one.watch.events
        assert (watch.known, watch.shown) == (one.watch.known, one.watch.shown)
        assert watch.variables == one.watch.variables
        if one.phase == OVER:
            return count
        number = luck.randrange(len(one.pending.options))
        if count % 7 == 3:
            other = fast.clone(other)
        if count % 11 == 5:
            other = fast.from_reference(one)
        try:
            machine.apply(engine, one, number)
        except RuleFault:
            with pytest.raises(RuleFault):
                fast.apply(other, number)
            return count
        fast.apply(other, number)
    return MOST


@pytest.mark.parametrize(("name", "players"), few(TABLES, 1), ids=str)
def test_shipped_games_are_observed_as_by_the_reference(name, players):
    engine = load(name).machine(players)
    fast = Wasm(engine, recorded=True)
    for seed in range(tries(1, soak=20)):
        assert assert_observed(engine, fast, seed)


@pytest.mark.parametrize("number", range(tries(5, soak=300)))
def test_games_full_of_secrets_are_observed_as_by_the_reference(number):
    try:
        game = from_text(secret_game(number))
    except Exception:  # noqa: BLE001 - one that gives its secrets away is no game
        pytest.skip("it is refused")
    engine = game.machine(game.players[0])
    assert_observed(engine, Wasm(engine, recorded=True), number)


@settings(max_examples=some(8), deadline=None)
@given(small_programs.programs(), st.integers(0, 1000))
def test_small_programs_are_observed_as_by_the_reference(text, seed):
    engine = from_text(text).machine(2)
    assert_observed(engine, Wasm(engine, recorded=True), seed)


def test_a_playout_is_observed_as_well():
    engine = load("sins.rules").machine(2)
    fast = Wasm(engine, recorded=True)
    state, plain = fast.start(1), Wasm(engine)
    other = plain.start(1)
    fast.playout(state, luck=5, most=7)
    plain.playout(other, luck=5, most=7)

    assert fast.to_reference(state) == plain.to_reference(other)
    assert fast.watch(state) is not None
    assert fast.watch(state).events[-1] == fast.to_reference(state).watch.events[-1]
    assert sum(each.kind == "chose" for each in fast.watch(state).events) >= 7


def test_a_module_that_does_not_record_has_nothing_of_it():
    engine = load("sins.rules").machine(2)

    assert write_program(engine).facts == ()
    assert "fn log" not in show_program(engine)
    assert len(write_program(engine).content) < len(write_program(engine, recorded=True).content)
