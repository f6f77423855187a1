"""A name or path -> Source: the one door through which text comes in.

A file of that name in the current folder wins; else a shipped game or mechanism of that name is meant.
"""

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from rulespec.limits import LARGEST_FILE
from rulespec.source import Source

PACKAGE = Path(__file__).parent
# In a wheel the games lie inside the package, in a checkout beside it.
GAMES = PACKAGE / "games" if (PACKAGE / "games").is_dir() else PACKAGE.parent / "games"
MECHANISMS = PACKAGE / "std"


# To normalise a run of marks takes the square of its length, and no letter has hundreds.
_LONG_RUN = re.compile(r"[^\x00-\x7f]{500}")


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
    if name and path.is_dir():
        raise NotFound(f"`{name}` is a folder, not a file of rules")
    if path.name == name:
        wanted = name if path.suffix else f"{name}.rules"
        for folder in (GAMES, GAMES / "examples", MECHANISMS):
            if (folder / wanted).is_file():
                return folder / wanted
    games = ", ".join(each.name for each in shipped_games())
    raise NotFound(f"there is no file `{name}`; the shipped games are {games}")


def read(name: str) -> Source:
    """The text of the file that `name` means."""
    path = find(name)
    return decode(shown_name(path), read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """What stands in a file, or more than enough of it."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise NotFound(f"`{path}` cannot be read: {(error.strerror or '').lower()}") from error
    notes = _notes.get()
    if notes is not None:
        notes[str(path)] = _note(path, content)
    return content


def decode(name: str, content: bytes) -> Source:
    """The text that some bytes stand for, with `\\n` at the end of lines.

    Bytes that are not UTF-8 stay in it, for the scanner to find them.
    """
    return Source(name, tidy(content.decode("utf-8", "surrogateescape")))


def tidy(text: str) -> str:
    """A text as the language reads it: with composed letters, and `\\n` at the end of lines."""
    text = text.removeprefix("\ufeff")
    if not _LONG_RUN.search(text):
        text = unicodedata.normalize("NFC", text)
    return text.replace("\r\n", "\n")


def shown_name(path: Path) -> str:
    """A path as short as it can be from here."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith("..") else relative


# ---- What was looked for -------------------------------------------------------------------------


class Note(NamedTuple):
    """A file that was looked for: where it really lies, its shown name, and a digest of what was read.

    All but the path are empty if there is no such file, and the digest if nobody read it.
    """

    path: str
    real: str
    name: str
    digest: str


_notes: ContextVar[dict[str, Note] | None] = ContextVar("notes", default=None)


@contextmanager
def noting() -> Iterator[dict[str, Note]]:
    """Note which files are looked for and read inside of this.

    >>> with noting() as notes:
    ...     source = read("turns.rules")
    >>> still_so(notes.values())
    True
    """
    notes: dict[str, Note] = {}
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)


def is_there(path: Path) -> bool:
    """Whether there is such a file; who notes learns also that there is none."""
    notes = _notes.get()
    if notes is not None:
        notes.setdefault(str(path), _note(path, None))
    return path.is_file()


def still_so(notes: Iterable[Note]) -> bool:
    """Whether looking again would find the same files, with the same content."""
    return all(_note(Path(each.path), _again(each)) == each for each in notes)


def _again(note: Note) -> bytes | None:
    if not note.digest:
        return None
    try:
        return read_bytes(Path(note.path))
    except NotFound:
        return None


def _note(path: Path, content: bytes | None) -> Note:
    if content is None and not path.is_file():
        return Note(str(path.absolute()), "", "", "")
    digest = "" if content is None else hashlib.sha256(content).hexdigest()
    return Note(str(path.absolute()), os.path.realpath(path), shown_name(path), digest)
