"""What a stage of the language has to say about a file, as data.

A stage returns diagnostics and never raises for an author's fault. `rendering` prints them.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Literal, TypeAlias

from attrs import frozen

from rulespec import codes
from rulespec.codes import Code
from rulespec.limits import MOST_MISTAKES
from rulespec.source import Span

Severity: TypeAlias = Literal["error", "warning"]


@frozen
class Related:
    """Another place that matters to a diagnostic, and why it does."""

    message: str
    span: Span


@frozen
class Diagnostic:
    """One sentence about one place, with a hint that is something to type."""

    code: Code
    message: str
    span: Span
    related: tuple[Related, ...] = ()
    hint: str | None = None
    severity: Severity = "error"


def did_you_mean(text: str, known: Iterable[str], otherwise: str | None = None) -> str | None:
    """A hint with the most similar of the known names, or else another hint."""
    near = get_close_matches(text, [*known], 1)
    return f"did you mean `{near[0]}`?" if near else otherwise


def at_most(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The first mistakes of a file, and that there are more."""
    if len(diagnostics) <= MOST_MISTAKES:
        return diagnostics
    message = f"there are more than {MOST_MISTAKES} mistakes in this file"
    last = diagnostics[MOST_MISTAKES].span
    return (*diagnostics[:MOST_MISTAKES], Diagnostic(codes.TOO_MANY, message, last))


def in_source_order(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics of one file from top to bottom, each told once."""
    first_told: dict[tuple[str, str, int, str], Diagnostic] = {}
    for each in diagnostics:
        place = (each.span.source.name, each.span.start)
        first_told.setdefault((each.code.number, *place, each.message), each)
    return tuple(sorted(first_told.values(), key=lambda each: (each.span.start, each.span.end)))
