"""A name at a place and a new one -> what changes in which files, or why it cannot be renamed.

The changed files are checked: a renaming that would add a mistake is refused.
"""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from rulespec import loading
from rulespec.checks import check
from rulespec.editing.symbols import (
    File,
    files_around,
    mention_at,
    occurrences_of,
    roles_in,
    symbol_of,
)
from rulespec.source import Source, Span
from rulespec.syntax.scanner import lexis

_NAME = re.compile(r"[^\W\d]\w*")


class CannotRename(Exception):  # noqa: N818 - it says what happened
    """The argument says in a sentence why."""


def renameable(file: File, offset: int) -> Span | None:
    """The name at a place, if it is one that somebody has given."""
    found = mention_at(file, offset)
    if found is None or found[1].role in ("clause", "file"):
        return None
    block, mention = found
    return Span(file.source, mention.span.start + block.begin, mention.span.end + block.begin)


def rename(file: File, offset: int, new: str, texts: Mapping[Path, str]) -> dict[Path, list[Span]]:
    """Where the new name goes, file by file."""
    found = mention_at(file, offset)
    if found is None:
        raise CannotRename("there is no name here")
    if not _NAME.fullmatch(new) or new in lexis().reserved:
        raise CannotRename(f"`{new}` cannot be a name")
    family = files_around(file, texts)
    symbol = symbol_of(*found, roles_in(family))
    places = [*occurrences_of(symbol, family)]
    declared = [each for each in places if each.declares]
    if not declared:
        raise CannotRename(f"nothing here declares `{symbol.text}`")
    folder = file.path.parent
    for each in declared:
        if not each.path.is_relative_to(folder):
            home = each.path.name
            raise CannotRename(f"`{symbol.text}` is declared in `{home}`, which is not your file")
    changes: dict[Path, list[Span]] = {}
    for each in places:
        if each.path.is_relative_to(folder):
            changes.setdefault(each.path, []).append(each.span)
    own = [each for each in family if each.path in changes]
    _try(own, changes, new, texts)
    return changes


def _try(
    files: list[File], changes: dict[Path, list[Span]], new: str, texts: Mapping[Path, str]
) -> None:
    renamed = {each.path: _changed(each.source.text, changes[each.path], new) for each in files}
    for each in files:
        with loading.unsaved_texts(texts):
            before = _findings(each.path, each.source)
        with loading.unsaved_texts({**texts, **renamed}):
            after = _findings(each.path, Source(each.source.name, renamed[each.path]))
        if after.total() > before.total():
            message = next(iter((after - before).elements()))
            raise CannotRename(f"with `{new}`, {message} in `{each.path.name}`")


def _findings(path: Path, source: Source) -> Counter[str]:
    return Counter(each.message for each in check(path, source).diagnostics)


def _changed(text: str, spans: list[Span], new: str) -> str:
    for span in sorted(spans, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    return text
