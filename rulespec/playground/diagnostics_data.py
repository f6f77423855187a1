"""Diagnostics -> what `rulespec check` prints of them, as data for the page."""

from collections.abc import Iterable

from rulespec.diagnostics import Diagnostic
from rulespec.playground.drafts import Draft
from rulespec.playground.places import page_span
from rulespec.playground.protocol import basics

PAGE = "language/diagnostics/"


def diagnostic_data(draft: Draft, found: Diagnostic) -> basics.Diagnostic:
    """One diagnostic, with its places and its entry in the reference."""
    return {
        "code": found.code.number,
        "severity": found.severity,
        "message": found.message,
        "hint": found.hint,
        "span": page_span(draft, found.span),
        "related": [
            {"message": each.message, "span": page_span(draft, each.span)} for each in found.related
        ],
        "title": found.code.title,
        "why": found.code.why,
        "page": f"{PAGE}#{found.code.number.lower()}",
    }


def diagnostics_data(draft: Draft, found: Iterable[Diagnostic]) -> list[basics.Diagnostic]:
    """All of them, in their order."""
    return [diagnostic_data(draft, each) for each in found]
