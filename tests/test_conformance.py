"""What every table promises to programs, asked of all of them: every shipped file, variant and number of players.

The list is that of OpenSpiel's `RandomSimTest` and `api_test`, for our names; docs/peers.md compares.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

import pytest

from games import TABLES as SHIPPED
from interpreter.caching import load_kept
from interpreter.research.game_tables import CHANCE, Table
from interpreter.research.states import GameState
from rulespec.loading import GAMES
from sizes import few, tries

OVER = -4
Way: TypeAlias = tuple[tuple[int, str, int], ...]  # who knew what, and did what
MOST = 400  # actions of a game; what is longer is looked at as far as that


def classics() -> list[tuple[str, tuple[str, ...], int]]:
    found = []
    for path in sorted((GAMES / "classics").glob("*.rules")):
        game = load_kept(path.name)
        found += [(path.name, (), players) for players in game.players]
    return found


TABLES = [*SHIPPED, *classics()]


def table_of(name: str, variants: tuple[str, ...], players: int) -> Table:
    return load_kept(name, variants).table(players)


def assert_promises(table: Table, state: GameState, *, look_closely: bool) -> None:
    """What holds at each moment of a game."""
    seats = range(table.players)
    if state.is_chance_node():
        odds = state.chance_outcomes()
        assert state.current_player() == CHANCE
        assert [action for action, _ in odds] == state.legal_actions()
        assert all(share > 0 for _, share in odds)
        assert sum(share for _, share in odds) == pytest.approx(1)
        return
    legal, mask = state.legal_actions(), state.legal_actions_mask()
    assert legal == sorted({*legal})
    assert len(mask) == table.num_distinct_actions()
    assert [action for action, is_legal in enumerate(mask) if is_legal] == legal
    assert bool(legal) != state.is_terminal()
    if state.is_terminal():
        assert state.current_player() == OVER
        assert len(state.returns()) == table.players
    else:
        assert state.current_player() in seats
        assert all(state.action_to_string(action) for action in legal)
    if look_closely:
        for player in seats:
            assert state.information_state_string(player)
            tensor = state.observation_tensor(player)
            assert len(tensor) == len(table.new_initial_state(1).observation_tensor(player))
        for nobody in (-1, table.players):
            with pytest.raises(ValueError, match="there is no seat"):
                state.information_state_string(nobody)
            with pytest.raises(ValueError, match="there is no seat"):
                state.observation_tensor(nobody)


@pytest.mark.parametrize(("name", "variants", "players"), few(TABLES, 20))
def test_a_table_keeps_its_promises(name: str, variants: tuple[str, ...], players: int) -> None:
    table = table_of(name, variants, players)
    for number in range(tries(2, soak=30)):
        dice = random.Random(number)  # noqa: S311 - a game needs no secrecy
        state = table.new_initial_state(None if number % 2 else number)
        done = 0
        while not state.is_terminal() and done < MOST:
            is_stored = done & (done - 1) == 0  # at each power of two, as OpenSpiel does
            assert_promises(table, state, look_closely=is_stored)
            twin = state.clone()
            action = dice.choice(state.legal_actions())
            if is_stored:
                twin = table.deserialize(state.serialize())
            state.apply(action)
            twin.apply(action)
            assert twin.serialize() == state.serialize()
            done += 1
        assert done > 0
        assert_promises(table, state, look_closely=True)


# ---- A whole tree --------------------------------------------------------------------------------


def everything(state: GameState, way: Way = ()) -> Iterator[tuple[GameState, Way]]:
    """All states of a game, each with what its players have known and done until then."""
    yield state, way
    if state.is_terminal():
        return
    player = state.current_player()
    for action in state.legal_actions():
        child = state.clone()
        child.apply(action)
        known = (
            () if player == CHANCE else ((player, state.information_state_string(player), action),)
        )
        yield from everything(child, way + known)


def test_all_of_kuhn_poker_is_as_large_as_openspiel_says_and_forgets_nothing() -> None:
    """Its `api_test` pins 24 decisions, 30 ends and 12 information states; chance has another number of nodes.

    There a card is dealt at a time; here a shuffle is one decision after the other, and the last card is none.
    """
    table = load_kept("kuhn.rules").table(2)
    counted: Counter[str] = Counter()
    recalled: dict[tuple[int, str], tuple[tuple[str, int], ...]] = {}
    # Who begins is drawn: one half of the tree.
    for state, way in everything(table.new_initial_state(first=0)):
        counted[
            "end" if state.is_terminal() else "chance" if state.is_chance_node() else "asked"
        ] += 1
        player = state.current_player()
        if player >= 0:
            own = tuple((key, action) for who, key, action in way if who == player)
            assert recalled.setdefault((player, state.information_state_string(player)), own) == own

    assert (counted["asked"], counted["end"], len(recalled)) == (24, 30, 12)
