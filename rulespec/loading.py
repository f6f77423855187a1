"""A name or path -> Source: the one door through which text comes in.

A file of that name in the current folder wins; else a shipped game or mechanism of that name is meant.
"""

import os
from pathlib import Path

from rulespec import codes
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, Span

PACKAGE = Path(__file__).parent
# In a wheel the games lie inside the package, in a checkout beside it.
GAMES = PACKAGE / "games" if (PACKAGE / "games").is_dir() else PACKAGE.parent / "games"
MECHANISMS = PACKAGE / "std"

LARGEST_FILE = 4_000_000  # bytes: four for each character that a text may have


class NotFound(Exception):  # noqa: N818 - it says what happened
    """There is no such file, here or among the shipped ones; the argument says so in a sentence."""


def shipped_games() -> list[Path]:
    """The games that come with rulespec, by name."""
    return sorted(GAMES.glob("*.rules"))


def find(name: str) -> Path:
    """The file that `name` means.

    >>> find("sins.rules").name
    'sins.rules'
    """
    path = Path(name)
    if path.is_file():
        return path
    if path.is_dir():
        raise NotFound(f"`{name}` is a folder, not a file of rules")
    if path.name == name:
        wanted = name if path.suffix else f"{name}.rules"
        for folder in (GAMES, GAMES / "examples", MECHANISMS):
            if (folder / wanted).is_file():
                return folder / wanted
    games = ", ".join(each.name for each in shipped_games())
    raise NotFound(f"there is no file `{name}`; the shipped games are {games}")


def read(path: Path) -> Source | Diagnostic:
    """The text of a file, or why it is no text."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise NotFound(f"`{path}` cannot be read: {(error.strerror or '').lower()}") from error
    return decode(shown_name(path), content)


def decode(name: str, content: bytes) -> Source | Diagnostic:
    """The text that some bytes stand for, with `\\n` at the end of lines."""
    if len(content) > LARGEST_FILE:
        message = f"a file has at most {LARGEST_FILE:,} bytes"
        return Diagnostic(codes.TOO_LONG, message, Span(Source(name, ""), 0, 0))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", "replace").replace("\r\n", "\n")
        text = before + content[error.start :].decode("utf-8", "replace").replace("\r\n", "\n")
        message = f"the byte {content[error.start]:#04x} here is not UTF-8"
        span = Span(Source(name, text), len(before), len(before) + 1)
        return Diagnostic(codes.NOT_UTF8, message, span, hint="save the file as UTF-8")
    return Source(name, text.replace("\r\n", "\n"))


def shown_name(path: Path) -> str:
    """A path as short as it can be from here."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith("..") else relative
