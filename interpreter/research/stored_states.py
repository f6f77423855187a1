"""A text that `GameState.serialize` wrote -> the state, with its decisions replayed; a text of other rules is refused."""

import json

from interpreter.research.game_tables import Table
from interpreter.research.states import VERSION, GameState, resume_state


def deserialize(table: Table, text: str) -> GameState:
    """The state from a text that `serialize` wrote."""
    try:
        data = json.loads(text)
        version, seed, first = data["version"], data["seed"], data["first"]
        history, before, chosen = data["history"], data["before"], data["chosen"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError("this is not a stored game state") from error
    if version != VERSION:
        raise ValueError(f"this is not a game state of version {VERSION}")
    state = resume_state(table, seed, first, tuple(history[:before]))
    for number in history[before:]:
        if state.is_chance_node():
            state.apply(number)
        else:
            state.choose(number)
    for action in chosen:
        state.apply(action)
    return state
