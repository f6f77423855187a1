"""Rules -> what one should know to play them, as data for the page."""

from attrs import asdict

from interpreter.shown.picture import set_scene
from interpreter.shown.reference import make_reference
from rulespec.playground.memory import Memory, game_of
from rulespec.playground.requests import Data, Request, Tell


def answer_reference(memory: Memory, request: Request, _tell: Tell) -> Data:
    """Goal, turn, points, end and advice of the rules that were sent, or of the game that is played."""
    if request.has("rules") or memory.sitting is None:
        game = game_of(request.draft())
        scene = set_scene(game.start(game.code.least_players, 0))
    else:
        scene = memory.sitting.scene
    return asdict(make_reference(scene))
