"""What a player knows -> the options that lose the game at once, so that the screen can ask for confirmation.

Only the player's own knowledge goes in. An option counts only if, in every imagined world, it ends the game before
anybody else decides and the player does not win; and only if the player has another option.
"""

from typing import Any

from interpreter.bots.imagination import Budget, Imagination
from interpreter.dice import Dice
from interpreter.engine_protocol import Engine
from interpreter.engines import make_engine
from interpreter.errors import RuleFault
from interpreter.match import Game
from interpreter.views import Information

WORLDS = 8  # worlds to imagine, as long as a suspect option remains
SECONDS = 1.0  # after this time, no warning is given
MOST_OPTIONS = 40


def find_dangers(game: Game, players: int, known: Information, seed: int) -> frozenset[int]:
    """The numbers of the options that lose at once."""
    if known.question is None or known.question.count > MOST_OPTIONS:
        return frozenset()
    engine = make_engine(game, players)
    dice = Dice(seed)
    imagination = Imagination(game, players, dice)
    imagination.prepare()
    budget = Budget(None, SECONDS)
    if imagination.recall(known, budget) is None or imagination.known is None:
        return frozenset()
    options = range(known.question.count)
    found = {*options}
    for _ in range(WORLDS):
        state = imagination.known.world().state
        found = {each for each in found if _loses(engine, state, each, known.player, dice)}
        if not found or not budget.goes_on():
            return frozenset()
    return frozenset(found) if len(found) < len(options) else frozenset()


def _loses(engine: Engine[Any], world: Any, number: int, player: int, dice: Dice) -> bool:
    """Whether an option ends the game at once, and somebody else wins."""
    try:
        state = engine.future(engine.from_reference(world), dice.seed())
        engine.apply(state, number)
        return not engine.count(state) and engine.result(state).ended(player) == "lost"
    except RuleFault:
        return False
