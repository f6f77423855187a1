"""An exception from answering a request -> the refusal that says whose fault it is.

An exception that is our own bug is left to the backend.
"""

from interpreter.bots.kinds import UnknownBot
from interpreter.errors import IllegalMove, RuleFault, WrongRules
from interpreter.lab.chunk_runs import Broken
from interpreter.seating import WrongSeats
from rulespec.diagnostics import Diagnostic
from rulespec.loading import NotFound
from rulespec.playground.diagnostics_data import diagnostics_data
from rulespec.playground.drafts import Draft
from rulespec.playground.protocol.basics import Refusal

TANGLED = "the rules cannot be played: too many rules or functions use each other"


def refusal_for(error: Exception, draft: Draft) -> Refusal | None:
    """Why there is no answer; nothing for a bug of ours. Places are those of the draft."""
    match error:
        case WrongRules():
            return _rules("the rules are not right yet", error.diagnostics, draft)
        case Broken():
            return _rules("the rules cannot go on", (error.trouble.diagnostic,), draft)
        case RuleFault():
            found = Diagnostic(error.code, error.message, error.span)
            return _rules("the rules cannot go on", (found,), draft)
        case IllegalMove():
            return {"ok": False, "error": str(error), "fault": "player", "diagnostics": []}
        case RecursionError():
            return _rules(TANGLED, (), draft)
        case NotFound() | WrongSeats() | UnknownBot():
            return {"ok": False, "error": str(error), "fault": "request", "diagnostics": []}
    return None


def _rules(what: str, found: tuple[Diagnostic, ...], draft: Draft) -> Refusal:
    errors = [each for each in found if each.severity == "error"]
    first = f": {errors[0].message}" if errors else ""
    return {
        "ok": False,
        "error": what + first,
        "fault": "rules",
        "diagnostics": diagnostics_data(draft, found),
    }
