"""A module that records tells the same observations that the reference keeps; and a tree is searched inside."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import small_programs
from games import from_text
from interpreter import machine
from interpreter.errors import IllegalMove, RuleFault
from interpreter.machine import Machine
from interpreter.match import load
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


# ---- Many states ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sins.rules", "siegel.rules"])
def test_many_states_take_a_step_at_once(name):
    fast = Wasm(load(name).machine(3))
    games = [fast.start(seed) for seed in range(tries(150, soak=600))]
    copies = [fast.clone(each) for each in games]
    for turn in range(3):
        numbers = [(seed + turn) % fast.count(each) for seed, each in enumerate(games)]
        fast.apply_many(games, numbers)
        for copy, number in zip(copies, numbers, strict=True):
            fast.apply(copy, number)

        assert list(map(fast.count, games)) == list(map(fast.count, copies))
    for one, other in zip(games[::40], copies[::40], strict=True):
        assert fast.to_reference(one) == fast.to_reference(other)


def test_a_step_that_is_not_there_is_refused_before_any_is_taken():
    fast = Wasm(load("sins.rules").machine(2))
    games = [fast.start(seed) for seed in range(3)]
    before = [fast.to_reference(each) for each in games]
    with pytest.raises(IllegalMove):
        fast.apply_many(games, [0, 0, 99])

    assert [fast.to_reference(each) for each in games] == before


STONES = """\
game "Stones"
players 2
pieces  | copies
  Stone | 9
zones  | order | seen by
  heap | pile  | everyone
state   | type | start
  taken | 0..1 | 0
rule play
  repeat 5
    first chooses n from 0..2
    taken = n
ranking of p
  most | 0
"""


def test_where_one_of_many_stops_the_reference_decides():
    fast = Wasm(from_text(STONES).machine(2))
    games = [fast.start(seed) for seed in range(4)]
    copies = [fast.clone(each) for each in games]
    with pytest.raises(RuleFault, match=r"0\.\.1"):
        fast.apply_many(games, [0, 1, 2, 1])

    # Those before it have taken their steps, those from it on have not.
    for copy, number in zip(copies[:2], [0, 1], strict=True):
        fast.apply(copy, number)
    for one, other in zip(games, copies, strict=True):
        assert fast.to_reference(one) == fast.to_reference(other)
        assert fast.count(one) == fast.count(other)


# ---- Search --------------------------------------------------------------------------------------


def test_a_tree_tries_every_option_and_is_the_same_each_time():
    fast = Wasm(load("sins.rules").machine(4))
    state = fast.start(7)
    kept = fast.to_reference(state)
    found = fast.think(state, games=500, luck=3)

    assert len(found) == fast.count(state)
    assert sum(tried for tried, _ in found) == 500
    assert all(0 <= won <= tried for tried, won in found)
    assert found == fast.think(state, games=500, luck=3)
    assert found != fast.think(state, games=500, luck=4)
    assert fast.to_reference(state) == kept


WELL = """\
game "A well"
players 2
enum Way = dry, wet
state           | type  | start
  score[Player] | 0..10 | 0
rule play
  for p in Player
    p chooses way from Way
    if way == wet: score[p] += 1
ranking of p
  most | score[p]
"""


def test_a_tree_finds_what_wins():
    fast = Wasm(from_text(WELL).machine(2))
    state = fast.start(1)
    dry, wet = fast.think(state, games=400, luck=1)

    assert wet[0] > 3 * dry[0]
    assert wet[1] / wet[0] > dry[1] / dry[0]
