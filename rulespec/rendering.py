"""Diagnostics -> text for people, and JSON data for programs. All output of diagnostics goes through here."""

import unicodedata
from typing import Any

from rulespec.diagnostics import Diagnostic
from rulespec.source import Position, Span, line_of, locate

WIDEST = 160  # columns of a source line to show

BOLD, RED, YELLOW, BLUE, PLAIN = "\033[1m", "\033[1;31m", "\033[1;33m", "\033[1;34m", "\033[0m"


def render(diagnostic: Diagnostic, *, colour: bool = False) -> str:
    """A diagnostic with its source line, readable without colour."""
    paint = _paint if colour else _leave
    tone = RED if diagnostic.severity == "error" else YELLOW
    spans = [diagnostic.span, *(each.span for each in diagnostic.related)]
    margin = max(len(str(locate(span)[0].line)) for span in spans)
    head = paint(f"{diagnostic.severity}[{diagnostic.code.number}]", tone)
    lines = [f"{head}: {paint(diagnostic.message, BOLD)}"]
    places = [(diagnostic.span, "-->", tone, "")]
    places += [(each.span, ":::", BLUE, f" {each.message}") for each in diagnostic.related]
    for span, arrow, place_tone, note in places:
        excerpt, marks = _excerpt(span, margin, arrow)
        lines.append(excerpt + paint(marks + note, place_tone))
    if diagnostic.hint:
        lines.append(f"{' ' * margin} = hint: {diagnostic.hint}")
    return "\n".join(lines) + "\n"


def summary(files: int, errors: int, warnings: int = 0) -> str:
    """One line for the end of a run.

    >>> summary(2, 1)
    '2 files, 1 error'
    """
    counts = [(files, "file"), (errors, "error"), (warnings, "warning")]
    told = [counted(n, noun) for n, noun in counts if n or noun == "file"]
    return ", ".join(told if errors or warnings else [*told, "no errors"])


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "player"), counted(2_000, "game")
    ('1 player', '2,000 games')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def diagnostic_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic for a program to read; lines and columns count from 1."""
    return {
        "code": diagnostic.code.number,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        **span_data(diagnostic.span),
        "related": [
            {"message": each.message, **span_data(each.span)} for each in diagnostic.related
        ],
    }


def span_data(span: Span) -> dict[str, Any]:
    """A span for a program to read; lines and columns count from 1."""
    start, end = locate(span)
    return {
        "file": span.source.name,
        "start": {"line": start.line, "column": start.column, "offset": span.start},
        "end": {"line": end.line, "column": end.column, "offset": span.end},
    }


def place_name(span: Span) -> str:
    """Where a span begins, in short: `my.rules:3:5`."""
    start = locate(span)[0]
    return f"{printable(span.source.name)}:{start.line}:{start.column}"


def _excerpt(span: Span, margin: int, arrow: str) -> tuple[str, str]:
    """The line on which a span begins, and the marks below it."""
    start, end = locate(span)
    gutter = " " * margin
    shown, before, marks = _window(line_of(span.source, start.line), start, end)
    lines = (
        f"{gutter}{arrow} {place_name(span)}",
        f"{gutter} |",
        f"{str(start.line).rjust(margin)} | {shown}".rstrip(),
        f"{gutter} | {before}",
    )
    return "\n".join(lines), marks


def _window(text: str, start: Position, end: Position) -> tuple[str, str, str]:
    """The visible part of a line, and the blanks and marks below it."""
    first = start.column - 1
    last = max(first + 1, end.column - 1 if end.line == start.line else len(text))
    cut = max(0, first - WIDEST // 2)
    before = printable(text[cut:first])
    marked = printable(text[first:last])
    shown = printable(text[cut : cut + WIDEST])
    carets = max(1, min(_width(marked), WIDEST - _width(before)))
    return shown, " " * _width(before), "^" * carets


def printable(text: str) -> str:
    """Text that a terminal shows unchanged: visible signs replace tabs and control characters."""
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    if character == "\t":
        return "→ "
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return "␀" if ord(character) < 0xD800 else "�"
    return character


def _width(text: str) -> int:
    """How many columns a text takes."""
    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _paint(text: str, tone: str) -> str:
    return f"{tone}{text}{PLAIN}"


def _leave(text: str, tone: str) -> str:  # noqa: ARG001 - stands in for _paint
    return text
