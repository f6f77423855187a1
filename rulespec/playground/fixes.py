"""A request about a diagnostic -> the change that its hint asks for, if trying it shows that it fixes the mistake."""

from rulespec.editing.positions import to_units
from rulespec.editing.quick_fixes import find_quick_fixes
from rulespec.playground.backend_state import BackendState, check_draft
from rulespec.playground.protocol.authoring import MendReply
from rulespec.playground.requests import Request, Tell


def answer_mend(_memory: BackendState, request: Request, _tell: Tell) -> MendReply:
    """The change, as offsets in the text of the page."""
    draft = request.draft()
    at, code = request.number("at"), request.text("code")
    for each in check_draft(draft)[0].diagnostics:
        own = each.span.source == draft.source and each.code.number == code
        if own and to_units(draft.text, each.span.start) == at:
            for mend in find_quick_fixes(draft.path, draft.source, each):
                begin, end = (to_units(draft.text, place) for place in (mend.begin, mend.end))
                return {"change": {"start": begin, "end": end, "text": mend.text}}
    return {"change": None}
