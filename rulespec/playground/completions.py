"""A request about a place in the editor -> the words that fit there."""

from rulespec.editing.completion import complete
from rulespec.editing.positions import from_units, to_units
from rulespec.playground.backend_state import BackendState
from rulespec.playground.protocol.authoring import CompleteReply, Completion
from rulespec.playground.requests import Request, Tell


def answer_complete(_memory: BackendState, request: Request, _tell: Tell) -> CompleteReply:
    """All words that fit."""
    draft = request.draft()
    start, found = complete(
        draft.path, draft.source.text, from_units(draft.text, request.number("at"))
    )
    items: list[Completion] = [
        {"text": each.text, "kind": each.kind, "detail": each.detail, "about": each.about}
        for each in found
    ]
    return {"start": to_units(draft.text, start), "items": items}
