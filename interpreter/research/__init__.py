"""Games as game theory and learning programs see them: states, fixed actions, tensors, batches.

docs/research.md shows how they are used. `Match` is for people; a `GameState` is for programs that play millions of games.
"""

from interpreter.research.game_tables import CHANCE, TERMINAL, Table, Utility
from interpreter.research.states import GameState

__all__ = ["CHANCE", "TERMINAL", "GameState", "Table", "Utility"]
