"""States for programs: the same games as the reference plays, fixed actions, tensors that tell no secret, batches."""

import copy
import os
import pickle
import random
import subprocess
import sys
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest

from games import from_text
from interpreter.caching import load_kept
from interpreter.engines import Reference
from interpreter.errors import IllegalMove, RuleFault
from interpreter.machine import apply, start
from interpreter.match import Game
from interpreter.research.action_space import Growing, Sized
from interpreter.research.game_tables import CHANCE, REMEMBERED, OtherRules, Table
from interpreter.views import information

ROOT = Path(__file__).parents[1]
GAMES = sorted([*ROOT.glob("games/*.rules"), *ROOT.glob("games/classics/*.rules")])
NAMES = [path.name for path in GAMES]
SMALL = ["kuhn.rules", "leduc.rules", "sins.rules", "hearts.rules"]
games = pytest.mark.parametrize("name", NAMES)
small = pytest.mark.parametrize("name", SMALL)


def played(table: Table, seed: int | None, luck: int, most: int):
    """A state after so many actions, chosen at random."""
    state, dice = table.new_initial_state(seed), random.Random(luck)
    for _ in range(most):
        if state.is_terminal():
            break
        state.apply(dice.choice(state.legal_actions()))
    return state


# ---- States ----------------------------------------------------------------------------------------


@games
def test_a_state_plays_the_game_of_the_reference(name) -> None:
    table = load_kept(name).table()
    state, dice = table.new_initial_state(seed=3), random.Random(1)
    theirs = start(table.machine, 3, watched=True)
    for _ in range(40):
        if state.is_terminal():
            break
        assert state.current_player() == theirs.pending.player
        assert state.option_count() == len(theirs.pending.options)
        number = dice.randrange(state.option_count())
        state.choose(number)
        apply(table.machine, theirs, number)
    for player in range(table.players):
        assert state.information_state(player) == information(table.machine, theirs, player)


@games
def test_chance_from_outside_leads_to_states_of_the_same_rules(name) -> None:
    """The fast engine goes on where chance has decided; the reference alone does the same."""
    table = load_kept(name).table()
    slow = Table(table.game, table.players)
    slow.fast, slow.engine = None, Reference(table.game, table.players)
    one, other, dice = table.new_initial_state(), slow.new_initial_state(), random.Random(5)
    for _ in range(150):
        if one.is_terminal():
            break
        assert one.is_chance_node() == other.is_chance_node()
        if one.is_chance_node():
            odds = one.chance_outcomes()
            assert odds == other.chance_outcomes()
            assert sum(share for _, share in odds) == pytest.approx(1)
        legal = one.legal_actions()
        assert legal == other.legal_actions()
        assert legal == sorted({*legal})
        action = dice.choice(legal)
        one.apply(action)
        other.apply(action)
        assert one.current_player() == other.current_player()
    player = max(0, one.current_player())
    assert one.information_state_string(player) == other.information_state_string(player)
    assert one.observation_tensor(player) == other.observation_tensor(player)
    assert one.returns() == other.returns()


@games
def test_states_are_stored_and_copied(name) -> None:
    for seed in (2, None):
        state = played(load_kept(name).table(), seed, 2, 70 if seed is None else 15)
        before = state.serialize()
        for again in (
            pickle.loads(pickle.dumps(state)),
            copy.deepcopy(state),
            copy.copy(state),
            state.clone(),
        ):
            assert again.serialize() == before
            assert again.legal_actions() == state.legal_actions()
            if not again.is_terminal():
                again.apply(again.legal_actions()[-1])
                assert state.serialize() == before


def test_what_is_stored_is_small_and_opened_elsewhere(tmp_path) -> None:
    game = load_kept("sins.rules")
    match = game.start(2, seed=7)
    match.apply(1)
    state = played(game.table(2), 7, 1, 20)
    for each in (game, match, game.table(2), state):
        assert len(pickle.dumps(each)) < 2000
    again = pickle.loads(pickle.dumps(match))
    assert again.state == match.state
    assert again.transcript() == match.transcript()
    kept = tmp_path / "state"
    kept.write_bytes(pickle.dumps(state))
    program = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).serialize())"
    told = subprocess.run(
        [sys.executable, "-c", program, str(kept)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.strip() == state.serialize()


def test_engines_are_stored_and_copied() -> None:
    table = load_kept("kuhn.rules").table()
    for each in (table.machine, table.fast, table, table.game):
        assert copy.deepcopy(each) is each
    machine, fast = pickle.loads(pickle.dumps((table.machine, table.fast)))
    assert start(machine, 5) == start(table.machine, 5)
    assert fast.look(fast.start(5)) == table.fast.look(table.fast.start(5))


def test_a_game_that_has_changed_since_is_refused(tmp_path) -> None:
    path = tmp_path / "mine.rules"
    text = (ROOT / "games/classics/kuhn.rules").read_text("utf-8")
    path.write_text(text, "utf-8")
    kept = pickle.dumps(load_kept(path).table())
    assert pickle.loads(kept).num_distinct_actions() == 4
    path.write_text(text.replace("| 1..2    | 1", "| 1..3    | 1"), "utf-8")
    REMEMBERED.clear()
    with pytest.raises(OtherRules, match="is not what it was"):
        pickle.loads(kept)


def test_everything_prints_as_a_line() -> None:
    game: Game = load_kept("sins.rules")
    table = game.table(2)
    for each in (game, table, table.fast, table.machine, game.start(2, seed=1)):
        assert len(repr(each)) < 120
        assert "\n" not in repr(each)
    assert len(repr(table.new_initial_state())) < 120


def test_a_seat_that_there_is_not_is_refused() -> None:
    match = load_kept("sins.rules").start(2, seed=7)
    state = load_kept("sins.rules").new_initial_state(2, seed=7)
    for seat in (7, -1, 2, True, None):
        for ask in (match.view, match.information, state.observation, state.observation_tensor):
            with pytest.raises(ValueError, match=r"there is no seat .*: they are 0 to 1"):
                ask(seat)


def test_a_view_has_values() -> None:
    view = load_kept("leduc.rules").start(2, seed=7).view(0)
    hand = next(zone for zone in view.zones if zone.name == "hand[Player 1]").cards[0]
    assert hand.kind == "Card"
    assert hand.attributes["rank"] in {"jack", "queen", "king"}
    other = next(zone for zone in view.zones if zone.name == "hand[Player 2]").cards[0]
    assert (other.kind, dict(other.attributes)) == (None, {})
    values = {each.name: each.value for each in view.variables}
    assert values["stake[Player 1]"] == 1
    assert values["loser"] is None


# ---- Actions ---------------------------------------------------------------------------------------


@games
def test_each_action_leads_to_an_option_of_its_own(name) -> None:
    table = load_kept(name).table()
    state, dice = table.new_initial_state(seed=9), random.Random(3)
    for _ in range(30):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        assert [n for n, one in enumerate(state.legal_actions_mask()) if one] == legal
        assert all(table.action_to_string(action) for action in legal)
        group = table.actions.group(state._asked())
        if not group.is_grown:
            assert len(legal) == state.option_count()
        state.apply(dice.choice(legal))


def test_sets_are_chosen_card_by_card_and_all_of_them_can_be() -> None:
    table = load_kept("hearts.rules").table()
    state = table.new_initial_state(seed=1)
    total = state.option_count()
    assert total == 286
    found = set()
    waiting = [state]
    while waiting:
        now = waiting.pop()
        for action in now.legal_actions():
            new = now.clone()
            new.apply(action)
            if len(new.history) > len(state.history):
                found.add(new.history[-1])
            else:
                assert new.current_player() == state.current_player()
                waiting.append(new)
    assert found == set(range(total))


@pytest.mark.parametrize("count", range(1, 6))
def test_sets_of_some_sizes_are_chosen_as_if_all_were_listed(count) -> None:
    table = load_kept("hearts.rules").table()
    group = table.actions.group(table.new_initial_state(seed=1)._asked())
    places = random.Random(count).sample(range(52), count)
    for low, high in combinations_with_replacement(range(count + 1), 2):
        sets = [
            tuple(sorted(group.base + place for place in each))
            for size in range(low, high + 1)
            for each in combinations(places, size)
        ]
        sized = Sized.of(group, places, low, high, len(sets))
        assert [sized.set_at(n) for n in range(len(sets))] == sets
        waiting = [(sized, Growing(group, tuple(sets), tuple(range(len(sets)))))] * (len(sets) > 1)
        while waiting:
            one, other = waiting.pop()
            assert one.legal() == other.legal()
            for action in one.legal():
                mine, theirs = one.choose(action), other.choose(action)
                if isinstance(mine, int):
                    assert mine == theirs
                else:
                    waiting.append((mine, theirs))


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    state = load_kept("kuhn.rules").new_initial_state(seed=1)
    before = state.serialize()
    for wrong in (-1, 2, 4, True, "0"):
        with pytest.raises(IllegalMove, match="the legal ones are 0, 1"):
            state.apply(wrong)
    assert state.serialize() == before
    state.apply(0)
    with pytest.raises(IllegalMove):
        state.chance_outcomes()


# ---- Tensors ---------------------------------------------------------------------------------------


@small
def test_a_tensor_is_the_same_in_every_world_a_player_must_reckon_with(name) -> None:
    table = load_kept(name).table()
    told = 0
    for seed in range(6):
        state = played(table, seed, seed, seed)
        player = state.current_player()
        if player < 0:
            continue
        other = state.resample_from_infostate(player, seed)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.legal_actions() == state.legal_actions()
        told += 1
    assert told


def test_only_who_is_asked_can_imagine() -> None:
    state = load_kept("kuhn.rules").new_initial_state(seed=1)
    with pytest.raises(IllegalMove, match="is not asked here"):
        state.resample_from_infostate(1 - state.current_player(), 1)


def test_each_slot_of_a_tensor_has_a_name() -> None:
    table = load_kept("kuhn.rules").table()
    names = table.observation.names()
    assert len(names) == len({*names}) == table.observation_tensor_size()
    state = table.new_initial_state(first=0)
    for card in (2, 0):
        state.apply(card)
    seen = dict(zip(names, state.observation_tensor(0), strict=True))
    assert seen["hand[Player 1]: King"] == seen["hand[Player 2], backs: count"] == 1
    mine = {name: value for name, value in seen.items() if name.startswith("hand[Player")}
    assert sum(mine.values()) == 2


# ---- Returns ---------------------------------------------------------------------------------------


def test_winners_share_what_the_others_pay() -> None:
    table = load_kept("sins.rules").table(3, "winning")
    for seed in range(10):
        state = table.new_initial_state(seed=seed)
        state.rollout(seed)
        assert sum(state.returns()) == pytest.approx(0)
        assert max(state.returns()) == 2
    with pytest.raises(ValueError, match="points or winning"):
        load_kept("sins.rules").table(3, "luck")


def test_every_game_of_kuhn_in_the_hand_of_chance() -> None:
    """The tree from the public face alone: 6 deals, and five ways to bet in each."""
    state = load_kept("kuhn.rules").new_initial_state(first=0)
    ends = []
    waiting = [(state, 1.0)]
    while waiting:
        now, odds = waiting.pop()
        if now.is_terminal():
            ends.append((odds, now.returns()))
            continue
        chance = now.current_player() == CHANCE
        for action, share in (
            now.chance_outcomes() if chance else [(a, 1.0) for a in now.legal_actions()]
        ):
            new = now.clone()
            new.apply(action)
            waiting.append((new, odds * share))
    assert len(ends) == 30
    assert sum(odds for odds, _ in ends) == pytest.approx(5)
    assert all(sum(returns) == 0 for _, returns in ends)


# ---- Batches ---------------------------------------------------------------------------------------


@games
def test_a_batch_plays_as_its_states_do(name) -> None:
    np = pytest.importorskip("numpy")
    table = load_kept(name).table()
    batch = table.batch(20, seed=5)
    states = [table.new_initial_state(5 + n) for n in range(20)]
    dice = np.random.default_rng(1)
    for step in range(36):
        if step % 9 == 0:
            seen, masks, players = batch.observations(), batch.legal_actions_mask(), batch.players
            for n, state in enumerate(states):
                assert players[n] == state.current_player()
                mine = state.observation_tensor(max(0, state.current_player()))
                assert seen[n].tolist() == np.float32(mine).tolist()
                assert masks[n].tolist() == [bool(one) for one in state.legal_actions_mask()]
        numbers = (dice.random(20) * batch.counts).astype(np.int32)
        for n, state in enumerate(states):
            if not state.is_terminal():
                state.choose(int(numbers[n]))
        assert batch.step(numbers).tolist() == [state.option_count() for state in states]
    assert batch.returns().tolist() == [np.float32(s.returns()).tolist() for s in states]


def test_a_batch_refuses_what_is_no_option() -> None:
    pytest.importorskip("numpy")
    batch = load_kept("kuhn.rules").table().batch(4)
    with pytest.raises(IllegalMove, match="game 2 has no option 5: they are 0 to 1"):
        batch.step([0, 1, 5, 0])
    with pytest.raises(ValueError, match="there are 4 games"):
        batch.step([0, 1])
    assert batch.counts.tolist() == [2] * 4


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


def test_where_one_game_of_a_batch_stops_the_reference_decides() -> None:
    table = from_text(STONES).table(2)
    batch, alone = table.batch(4), table.batch(4)
    with pytest.raises(RuleFault, match=r"0\.\.1"):
        batch.step([0, 1, 2, 1])

    # Those before it have taken their steps, those from it on have not.
    for game, number in enumerate([0, 1]):
        table.fast.apply(alone._playing(game), number)
    for game in range(4):
        one, other = batch._playing(game), alone._playing(game)

        assert table.fast.look(one) == table.fast.look(other)


def test_whole_games_come_as_an_array() -> None:
    batches = pytest.importorskip("interpreter.research.batches")
    table = load_kept("kuhn.rules").table()
    found = batches.random_returns(table, range(500))
    assert found.shape == (500, 2)
    assert (found.sum(axis=1) == 0).all()
    assert set(found[:, 0].tolist()) == {-2.0, -1.0, 1.0, 2.0}
