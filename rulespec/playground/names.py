"""A place in the editor -> what the name there is."""

from rulespec.editing.blocks import blocks_of
from rulespec.editing.hovers import hover
from rulespec.editing.knowledge import know
from rulespec.editing.places import from_units, to_units
from rulespec.editing.symbols import File, files_below
from rulespec.playground.memory import Memory, check_draft
from rulespec.playground.protocol.authoring import NameReply
from rulespec.playground.requests import Request, Tell


def answer_name(_memory: Memory, request: Request, _tell: Tell) -> NameReply:
    """Its declaration, and sentences about it; nothing if there is no name, or nobody knows it."""
    draft = request.draft()
    source = draft.source
    file = File(draft.path, source, blocks_of(source.name, source.text))
    known = know(draft.path, source, check_draft(draft)[0])
    at = from_units(draft.text, request.number("at"))
    found = hover(file, at, files_below(file, {}), known)
    if found is None:
        return {"meaning": None}
    begin, end = found.span.start + found.begin, found.span.end + found.begin
    return {
        "meaning": {
            "start": to_units(draft.text, begin),
            "end": to_units(draft.text, end),
            "code": found.code,
            "sentences": list(found.sentences),
        }
    }
