"""A request about a name in the editor -> what it means, where it is declared and used, and the changes that rename it."""

from rulespec.editing.blocks import blocks_of
from rulespec.editing.hovers import hover
from rulespec.editing.positions import from_units, to_units
from rulespec.editing.renaming import CannotRename, rename
from rulespec.editing.symbols import (
    File,
    definitions_of,
    files_below,
    mention_at,
    occurrences_of,
    roles_in,
    symbol_of,
)
from rulespec.editing.text_analysis import analysis_of
from rulespec.playground.backend_state import BackendState, check_draft
from rulespec.playground.drafts import Draft
from rulespec.playground.places import page_span
from rulespec.playground.protocol.authoring import NameReply, PlacesReply, RenameReply
from rulespec.playground.requests import Request, Tell


def answer_name(_memory: BackendState, request: Request, _tell: Tell) -> NameReply:
    """Its declaration, and sentences about it; nothing if there is no name, or nobody knows it."""
    draft, file, at = _asked(request)
    known = analysis_of(draft.path, draft.source, check_draft(draft)[0])
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


def answer_places(_memory: BackendState, request: Request, _tell: Tell) -> PlacesReply:
    """Where the name at a place is declared, and where it stands."""
    draft, file, at = _asked(request)
    found = mention_at(file, at)
    if found is None:
        return {"name": None, "definitions": [], "uses": []}
    family = files_below(file, {})
    symbol = symbol_of(*found, roles_in(family))
    definitions = definitions_of(symbol, found[1], family)
    return {
        "name": symbol.text,
        "definitions": [page_span(draft, each.span) for each in definitions],
        "uses": [page_span(draft, each.span) for each in occurrences_of(symbol, family)],
    }


def answer_rename(_memory: BackendState, request: Request, _tell: Tell) -> RenameReply:
    """The changes that give the name at a place another one, or why it cannot have it."""
    draft, file, at = _asked(request)
    new = request.text("name")
    try:
        changes = rename(file, at, new, {})
    except CannotRename as error:
        return {"changes": [], "refused": str(error)}
    return {
        "changes": [
            {
                "start": to_units(draft.text, span.start),
                "end": to_units(draft.text, span.end),
                "text": new,
            }
            for span in changes.get(draft.path, [])
        ],
        "refused": None,
    }


def _asked(request: Request) -> tuple[Draft, File, int]:
    """The text that a request is about, its declarations, and the place."""
    draft = request.draft()
    source = draft.source
    file = File(draft.path, source, blocks_of(source.name, source.text))
    return draft, file, from_units(draft.text, request.number("at"))
