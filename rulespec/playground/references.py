"""Rules -> what one should know to play them, as data for the page."""

from interpreter.shown.picture import set_scene
from interpreter.shown.reference import make_reference
from rulespec.playground.backend_state import BackendState, game_from_draft
from rulespec.playground.protocol.explanations import ReferenceReply
from rulespec.playground.requests import Request, Tell


def answer_reference(memory: BackendState, request: Request, _tell: Tell) -> ReferenceReply:
    """Goal, turn, points, end and advice of the rules that were sent, or of the game that is played."""
    if request.has("rules") or memory.game is None:
        game = game_from_draft(request.draft())
        scene = set_scene(game.start(game.code.least_players, 0))
    else:
        scene = memory.game.scene
    told = make_reference(scene)
    return {
        "title": told.title,
        "about": told.about,
        "goal": told.goal,
        "facts": list(told.facts),
        "turn": list(told.turn),
        "cards": list(told.cards),
        "scoring": list(told.scoring),
        "points": [
            {
                "title": each.title,
                "about": each.about,
                "columns": each.columns,
                "rows": list(each.rows),
            }
            for each in told.points
        ],
        "winning": list(told.winning),
        "ending": list(told.ending),
        "advice": list(told.advice),
    }
