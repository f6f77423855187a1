"""Spans -> places for the page, as an editor in a browser counts them."""

from rulespec.editing.positions import to_units, units
from rulespec.playground.drafts import Draft
from rulespec.playground.protocol import basics
from rulespec.rendering import printable
from rulespec.source import Span, locate


def page_span(draft: Draft, span: Span) -> basics.Span:
    """A place for the page."""
    start = locate(span)[0]
    own = span.source == draft.source
    offsets = (span.start - start.column + 1, span.start, span.end)
    line, begin, end = (
        to_units(draft.text, each) if own else units(span.source.text[:each]) for each in offsets
    )
    return {
        "file": printable(span.source.name).rpartition("/")[2],
        "own": own,
        "start": begin,
        "end": end,
        "line": start.line,
        "column": begin - line + 1,
    }
