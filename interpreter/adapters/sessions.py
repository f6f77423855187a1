"""A file of rules and seeds -> a table, its spaces and an agent's observation: what the learning environments share."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from interpreter.caching import load_kept
from interpreter.research.game_tables import Table, Utility, find_table
from interpreter.research.states import GameState

Observed = dict[str, Any]
SEEDS = 1 << 62


def open_table(
    file: str,
    players: int | None = None,
    variants: tuple[str, ...] = (),
    options: Mapping[str, Any] | None = None,
    utility: Utility = "winning",
) -> Table:
    """The table of a rules file."""
    game = load_kept(file, variants, options)
    return find_table(game, players or game.code.least_players, utility)


def observation_space(table: Table) -> spaces.Dict:
    """The space of observations: the tensor, and the mask of legal actions."""
    size, actions = table.information_state_tensor_size(), table.num_distinct_actions()
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, (size,), np.float32),
            "action_mask": spaces.Box(0, 1, (max(1, actions),), np.int8),
        }
    )


def action_space(table: Table, seed: int | None = None) -> spaces.Discrete:
    """The space of all actions of a table."""
    return spaces.Discrete(max(1, table.num_distinct_actions()), seed=seed)


def observe(state: GameState, player: int) -> Observed:
    """What a player sees, and the mask of legal actions: empty if somebody else is asked."""
    asked = state.current_player() == player
    mask = state.legal_actions_mask() if asked else [0] * max(1, state.table.num_distinct_actions())
    return {
        "observation": np.array(state.information_state_tensor(player), np.float32),
        "action_mask": np.array(mask, np.int8),
    }


class Seeds:
    """The seeds of successive games, derived from the seed of an environment or from system entropy."""

    def __init__(self) -> None:
        self.dice = np.random.default_rng()

    def next(self, seed: int | None) -> int:
        """The seed of the next game; passing `seed` restarts the sequence."""
        if seed is not None:
            self.dice = np.random.default_rng(seed)
        return int(self.dice.integers(SEEDS))


def describe(state: GameState) -> str:
    """A state as text, for a spectator who may see everything."""
    views = [state.observation_string(player) for player in range(state.table.players)]
    return "\n".join([repr(state), *views])
