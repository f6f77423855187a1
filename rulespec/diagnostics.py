"""Diagnostics: the errors and warnings of every stage of the language, as data.

A stage returns diagnostics and never raises an exception for an author's mistake. `rendering` prints them.
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
    """Another place that a diagnostic involves, and why."""

    message: str
    span: Span


@frozen
class Diagnostic:
    """One sentence about one place, with a hint: something that the author can type."""

    code: Code
    message: str
    span: Span
    related: tuple[Related, ...] = ()
    hint: str | None = None
    severity: Severity = "error"


def did_you_mean(text: str, known: Iterable[str], otherwise: str | None = None) -> str | None:
    """A hint that proposes the most similar known name, or else the other hint."""
    near = get_close_matches(text, [*known], 1)
    return f"did you mean `{near[0]}`?" if near else otherwise


def at_most(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The first mistakes of a file; the last one says that there are more."""
    if len(diagnostics) <= MOST_MISTAKES:
        return diagnostics
    message = f"there are more than {MOST_MISTAKES} mistakes in this file"
    last = diagnostics[MOST_MISTAKES].span
    return (*diagnostics[:MOST_MISTAKES], Diagnostic(codes.TOO_MANY, message, last))


def in_source_order(diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics of one file from top to bottom, without duplicates."""
    first_told: dict[tuple[str, str, int, str], Diagnostic] = {}
    for each in diagnostics:
        place = (each.span.source.name, each.span.start)
        first_told.setdefault((each.code.number, *place, each.message), each)
    return tuple(sorted(first_told.values(), key=lambda each: (each.span.start, each.span.end)))
