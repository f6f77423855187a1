"""The game under way <-> a text that outlives the worker: the rules, and what a table would save of the game.

The worker stores the text and gives it back. It holds every secret of the game, so it never crosses to the page.
"""

import json

from interpreter import saves
from interpreter.errors import IllegalMove, RuleFault, WrongRules
from interpreter.session import Seat, Session
from interpreter.shown.picture import set_scene
from rulespec.playground.backend_state import BackendState, game_from_draft
from rulespec.playground.drafts import Draft
from rulespec.playground.open_game import OpenGame
from rulespec.playground.protocol.basics import Rules
from rulespec.playground.protocol.moves import ResumeReply
from rulespec.playground.requests import Request, Tell
from rulespec.playground.screens import frame_of

LOST = "The game that you left cannot go on: it does not fit the rules any more."


def keep(memory: BackendState) -> str | None:
    """The game as text; nothing if there is none to go on with."""
    open_game = memory.game
    if open_game is None or open_game.is_broken:
        return None
    draft = open_game.draft
    save = saves.write_save(open_game.session.save())
    return json.dumps([draft.file, draft.text, draft.variants, draft.settings, save])


def answer_resume(memory: BackendState, _request: Request, tell: Tell) -> ResumeReply:
    """Go on with the game that was kept, if there is one; if it cannot go on, say so."""
    text, memory.kept = memory.kept, None
    if text is None:
        return {"rules": None, "frame": None, "lost": None}
    tell(None, "Your game is put back on the table")
    try:
        memory.game = _restored(text)
    except (WrongRules, IllegalMove, RuleFault, ValueError):
        return {"rules": None, "frame": None, "lost": LOST}
    draft = memory.game.draft
    rules: Rules = {
        "file": draft.file,
        "text": draft.text,
        "variants": list(draft.variants),
        "options": dict(draft.settings),
    }
    return {"rules": rules, "frame": frame_of(memory.game), "lost": None}


def _restored(text: str) -> OpenGame:
    file, rules, variants, settings, written = json.loads(text)
    draft = Draft(file, rules, tuple(variants), tuple((name, value) for name, value in settings))
    save = saves.read_save(written)
    match = game_from_draft(draft).replay(save.record, always=True)
    session = Session(match, tuple(map(Seat, match.names, save.kinds)))
    return OpenGame(draft, session, set_scene(match, next(iter(session.humans), 0)))
