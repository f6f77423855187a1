"""Checked games as game-theory and learning programs use them: states, numbered actions, tensors and batches.

docs/research.md shows how to use them. `Match` serves people; a `GameState` serves programs that play millions of games.
"""

from interpreter.research.game_tables import CHANCE, TERMINAL, Table, Utility
from interpreter.research.states import GameState

__all__ = ["CHANCE", "TERMINAL", "GameState", "Table", "Utility"]
