"""A diagnostic with a hint -> the change that fixes it, if trying it shows that the diagnostic goes away.

A hint is written for people: it says what to write, and mostly where. This module tries its words at the places that it
may mean, and offers the first text that loses this diagnostic and gains no other.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

from rulespec.checks import check
from rulespec.diagnostics import Diagnostic
from rulespec.editing.blocks import slips_in
from rulespec.source import Source

_QUOTED = re.compile(r"`([^`]+)`")
_TOKEN = re.compile(r"\w+|\S")
NEAR = 4  # words behind the marked ones that may be meant as well
MOST_CHECKS = 6  # of the whole text, each of which takes its time
_INDENT = re.compile(r"indent it by (\d+)")


@frozen
class QuickFix:
    """A change of a text: what stands between two places is replaced."""

    title: str
    begin: int
    end: int
    text: str


def find_quick_fixes(path: Path, source: Source, found: Diagnostic) -> list[QuickFix]:
    """The changes that fix a diagnostic of this text."""
    if found.hint is None or found.span.source.name != source.name:
        return []
    candidates = dict.fromkeys(_candidates(source.text, found, found.hint))
    if found.hint.startswith("did you mean"):
        return [*candidates][:1]
    is_slip = found.code.number.startswith("RS1")
    before = _findings(path, source, is_slip=is_slip)
    for each in [*candidates][: None if is_slip else MOST_CHECKS]:
        text = source.text[: each.begin] + each.text + source.text[each.end :]
        after = _findings(path, Source(source.name, text), is_slip=is_slip)
        if not after - before and after[_key(found)] < before[_key(found)]:
            return [each]
    return []


def _findings(path: Path, source: Source, *, is_slip: bool) -> Counter[tuple[str, str]]:
    found: Iterable[Diagnostic] = slips_in(source) if is_slip else check(path, source).diagnostics
    return Counter(map(_key, found))


def _key(found: Diagnostic) -> tuple[str, str]:
    return found.code.number, found.message


def _candidates(text: str, found: Diagnostic, hint: str) -> Iterator[QuickFix]:
    start, end = found.span.start, found.span.end
    line = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start) % (len(text) + 1)
    first = line + len(text[line:line_end]) - len(text[line:line_end].lstrip())
    last = line + len(text[line:line_end].partition("--")[0].rstrip())
    title = hint[0].upper() + hint[1:].removesuffix("?")
    for word in _QUOTED.findall(hint):
        if "…" in word or hint.startswith(("leave", "delete")):
            continue
        # Instead of the marked words, or with some around them; then before and behind them.
        behind = [start + each.end() for each in _TOKEN.finditer(text[start:last])]
        ends = dict.fromkeys((end, *behind[:NEAR], last))
        for begin in dict.fromkeys((start, first)):
            for stop in ends:
                yield QuickFix(title, begin, stop, word)
        for place in (start, end, last):
            before = "" if text[place - 1 : place].isspace() or word[:1] in ",)]:" else " "
            after = " " if place == start and not text[place : place + 1].isspace() else ""
            yield QuickFix(title, place, place, f"{before}{word}{after}")
            yield QuickFix(title, place, place, word)
    if hint.startswith(("leave", "delete")):
        yield QuickFix(title, start, end + (text[end : end + 1] == " "), "")
        yield QuickFix(title, line, line_end + 1, "")
    for columns in _INDENT.findall(hint):
        yield QuickFix(title, line, first, " " * int(columns))
    if hint.startswith("indent it deeper"):
        yield QuickFix(title, first, first, "  ")
    if hint.startswith("break the line"):
        yield QuickFix(
            title, start - (text[start - 1 : start] == " "), start, f"\n{text[line:first]}"
        )
