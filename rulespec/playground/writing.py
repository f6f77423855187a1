"""A request about the text in the editor -> its mistakes, its canonical form, and the file to download."""

import shlex

from rulespec import loading, rendering
from rulespec.playground.backend_state import BackendState, check_draft
from rulespec.playground.diagnostics_data import diagnostics_data
from rulespec.playground.drafts import Draft
from rulespec.playground.menus import free_name, menu_of
from rulespec.playground.protocol.authoring import CheckReply, ExportReply, FormatReply
from rulespec.playground.requests import Request, Tell
from rulespec.syntax.formatter import format_source


def answer_check(_memory: BackendState, request: Request, _tell: Tell) -> CheckReply:
    """All that is wrong."""
    draft = request.draft()
    found = check_draft(draft)[0].diagnostics
    errors = sum(each.severity == "error" for each in found)
    return {
        "diagnostics": diagnostics_data(draft, found),
        "summary": rendering.summary(1, errors, len(found) - errors).removeprefix("1 file, "),
        "correct": not errors,
        "playable": _is_playable(draft),
        "menu": menu_of(draft),
    }


def _is_playable(draft: Draft) -> bool:
    from interpreter.game_loading import why_unplayable  # noqa: PLC0415 - most texts are wrong while they are written

    program = check_draft(draft)[0].program
    return program is not None and why_unplayable(program) is None


def answer_format(_memory: BackendState, request: Request, _tell: Tell) -> FormatReply:
    """The canonical form."""
    from interpreter.errors import WrongRules  # noqa: PLC0415 - as in `_is_playable`

    draft = request.draft()
    formatted = format_source(draft.source)
    if not isinstance(formatted, str):
        raise WrongRules(formatted)
    return {"text": formatted, "changed": formatted != draft.text}


def answer_export(_memory: BackendState, request: Request, _tell: Tell) -> ExportReply:
    """A file, and the command that plays it."""
    draft = request.draft()
    name = free_name(draft.file)
    words = ["rulespec", "play", name]
    for variant in draft.variants:
        words += ["--variant", variant]
    for option, value in draft.settings:
        words += ["--set", f"{option}={value}"]
    # All of it, also of a text that is too long to be read.
    text = loading.tidy(request.part("rules").text("text"))
    return {
        "file": name,
        "text": text if text.endswith("\n") else f"{text}\n",
        "command": shlex.join(words),
        "playable": _is_playable(draft),
    }
