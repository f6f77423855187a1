"""What the backend keeps from one request to the next, and what it has read before.

All secrets of a game are here, and stay here. A text is checked, and made into a game, once.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import define, field

from rulespec import loading
from rulespec.checks import Checked, check
from rulespec.loading import FileRecord
from rulespec.playground.drafts import Draft
from rulespec.playground.open_game import OpenGame
from rulespec.playground.requests import Request
from rulespec.playground.study_runs import StudyRun

if TYPE_CHECKING:
    from interpreter.match import Game

NOTHING = Draft("", "")


@define
class BackendState:
    """The game under way, and the studies that are under way, by their numbers."""

    game: OpenGame | None = None
    study_runs: dict[int, StudyRun] = field(factory=dict)
    begun: int = 0  # studies so far
    kept: str | None = None  # a game of an earlier worker, as `keeping` writes it


def draft_of_request(memory: BackendState, request: Request) -> Draft:
    """The rules that a request is about: those that it has with it, or those that are played already."""
    if request.has("rules"):
        return request.draft()
    if request.kind == "more":
        run = memory.study_runs.get(request.fields.get("study", 0))
        return run.draft if run is not None else NOTHING
    return memory.game.draft if memory.game is not None else NOTHING


@lru_cache(maxsize=4)
def check_draft(draft: Draft) -> tuple[Checked, tuple[FileRecord, ...]]:
    """What became of a text, and the files that this took."""
    with loading.recorded_reads() as notes:
        checked = check(draft.path, draft.source, draft.variants, draft.settings)
    return checked, tuple(notes.values())


def game_from_draft(draft: Draft, *, whole: bool = True) -> "Game":
    """The game that a text is; raises `WrongRules` if it is none, or not a whole one where that is needed."""
    from interpreter.errors import WrongRules  # noqa: PLC0415 - who writes needs no engine
    from interpreter.game_loading import why_unplayable  # noqa: PLC0415 - who writes needs no engine

    game = _game(draft)
    lacking = why_unplayable(game.program)
    if whole and lacking is not None:
        raise WrongRules((lacking,))
    return game


@lru_cache(maxsize=4)
def _game(draft: Draft) -> "Game":
    from interpreter.game_loading import make_game  # noqa: PLC0415 - as in `game_from_draft`

    checked, notes = check_draft(draft)
    return make_game(checked, draft.source, draft.variants, draft.settings, notes)
