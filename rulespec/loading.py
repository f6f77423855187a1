"""A name or path -> Source. All files of rules are read here, safely: a file may come from a stranger.

A file of that name in the current folder comes first; otherwise the shipped game or mechanism of that name is read.
"""

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from rulespec.limits import LARGEST_FILE
from rulespec.source import Source

PACKAGE = Path(__file__).parent
# In a wheel the games lie inside the package, in a checkout beside it.
GAMES = PACKAGE / "games" if (PACKAGE / "games").is_dir() else PACKAGE.parent / "games"
CLASSICS = GAMES / "classics"
MECHANISMS = PACKAGE / "std"

LONGEST_SHOWN = 120  # characters of a file's name that a message shows

# Normalising a run of combining marks takes quadratic time, and no letter has hundreds of them.
_LONG_RUN = re.compile(r"[^\x00-\x7f]{500}")


class NotFound(Exception):  # noqa: N818 - it says what happened
    """There is no such file, here or among the shipped ones; the argument is a sentence that says so."""


class Unreadable(Exception):  # noqa: N818 - as NotFound
    """A file cannot be read: the argument says why, and continues a sentence that begins with the file's name."""


def shipped_game_files() -> list[Path]:
    """The games that come with rulespec, by name."""
    return sorted(GAMES.glob("*.rules"))


def shipped_classics() -> list[Path]:
    """The shipped classics, by name."""
    return sorted(CLASSICS.glob("*.rules"))


def find_rules(name: str) -> Path:
    """The file that `name` means.

    >>> find_rules("sins.rules").name
    'sins.rules'
    """
    path = Path(name)
    if is_file(path):
        return path
    if name and is_folder(path):
        raise NotFound(f"`{name}` is a folder, not a file of rules")
    shipped = find_shipped(name)
    if shipped is not None:
        return shipped
    games = ", ".join(each.name for each in shipped_game_files())
    raise NotFound(f"there is no file `{shortened(name)}`; the shipped games are {games}")


def find_shipped(name: str) -> Path | None:
    """The shipped game or mechanism of that name, if there is one; the name contains no folder."""
    path = Path(name)
    if path.name != name:
        return None
    wanted = name if path.suffix else f"{name}.rules"
    places = (folder / wanted for folder in (GAMES, CLASSICS, GAMES / "examples", MECHANISMS))
    return next((place for place in places if is_file(place)), None)


def is_file(path: Path) -> bool:
    """Whether a regular file exists; False for a path that is too long or invalid."""
    return os.path.isfile(path)  # noqa: PTH113 - pathlib raises where a name is too long


def is_folder(path: Path) -> bool:
    """Whether a folder exists; False for a path that is too long or invalid."""
    return os.path.isdir(path)  # noqa: PTH112 - as `is_file`


def shortened(name: str) -> str:
    """A name as a message shows it.

    >>> shortened("sins.rules"), len(shortened("x" * 5_000))
    ('sins.rules', 120)
    """
    if len(name) <= LONGEST_SHOWN:
        return name
    return f"{name[: LONGEST_SHOWN - 21]}…{name[-20:]}"


def read(name: str) -> Source:
    """The text of the file that `name` means."""
    path = find_rules(name)
    return decode(shown_name(path), read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """The content of a file; if it is too large, only the first bytes, one more than allowed."""
    try:
        content = _unsaved(path)
        if content is None:
            content = _read_some(path, LARGEST_FILE)
    except Unreadable as error:
        raise NotFound(f"`{shortened(str(path))}` {error}") from error
    notes = _notes.get()
    if notes is not None:
        notes[str(path)] = _note(path, content)
    return content


_held: ContextVar[Mapping[Path, str]] = ContextVar("held", default=MappingProxyType({}))


@contextmanager
def unsaved_texts(texts: Mapping[Path, str]) -> Iterator[None]:
    """Inside the block, read these files from an editor that has not saved them yet."""
    token = _held.set(texts)
    try:
        yield
    finally:
        _held.reset(token)


def _unsaved(path: Path) -> bytes | None:
    texts = _held.get()
    text = texts.get(path.resolve()) if texts else None
    return None if text is None else text.encode("utf-8", "surrogateescape")


def read_file(path: Path, most: int) -> bytes:
    """The content of a file that may come from a stranger.

    Only a regular file is read, because other kinds may never end or block. A file of more than `most` bytes is refused.
    """
    content = _read_some(path, most)
    if len(content) > most:
        raise Unreadable(too_large(most))
    return content


def too_large(most: int) -> str:
    """The words for a file that has more bytes than allowed."""
    return f"has more than {most // 1_000_000:,} MB, which is too large to read"


def _read_some(path: Path, most: int) -> bytes:
    """The content of a regular file, up to one byte more than `most`."""
    # Do not block: nobody may ever write to a pipe.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except OSError as error:
        raise Unreadable(f"cannot be read: {_reason(error)}") from error
    except ValueError as error:  # a character that file names cannot contain
        raise Unreadable("cannot be read: no file can have this name") from error
    try:
        kind = os.fstat(handle).st_mode
        if stat.S_ISDIR(kind):
            raise Unreadable("is a folder, not a file")
        if not stat.S_ISREG(kind):
            raise Unreadable("is a device or a pipe, not a file")
        with open(handle, "rb", closefd=False) as file:
            return file.read(most + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read: {_reason(error)}") from error
    finally:
        os.close(handle)


def _reason(error: OSError) -> str:
    return (error.strerror or "no reason given").lower()


def decode(name: str, content: bytes) -> Source:
    """Bytes decoded as text, with `\\n` at the end of lines.

    Bytes that are not UTF-8 stay in it, so that the scanner can report them.
    """
    return Source(name, tidy(content.decode("utf-8", "surrogateescape")))


def tidy(text: str) -> str:
    """A text in the form that the language reads: composed letters, and `\\n` at the end of lines."""
    text = text.removeprefix("\ufeff")
    if not _LONG_RUN.search(text):
        text = unicodedata.normalize("NFC", text)
    return text.replace("\r\n", "\n")


def shown_name(path: Path) -> str:
    """A path relative to the current folder, if that is shorter."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith("..") else relative


# ---- Records of reads -------------------------------------------------------------------------


class FileRecord(NamedTuple):
    """A file that was looked for: its real path, its shown name, and a digest of what was read.

    All but the path are empty if there is no such file, and the digest if nobody read it.
    """

    path: str
    real: str
    name: str
    digest: str


_notes: ContextVar[dict[str, FileRecord] | None] = ContextVar("notes", default=None)


@contextmanager
def recorded_reads() -> Iterator[dict[str, FileRecord]]:
    """Record which files are looked for and read inside the block.

    >>> with recorded_reads() as notes:
    ...     source = read("turns.rules")
    >>> are_unchanged(notes.values())
    True
    """
    notes: dict[str, FileRecord] = {}
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)


def is_there(path: Path) -> bool:
    """Whether a file exists; `recorded_reads` also records a file that does not."""
    notes = _notes.get()
    if notes is not None:
        notes.setdefault(str(path), _note(path, None))
    return is_file(path)


def are_unchanged(notes: Iterable[FileRecord]) -> bool:
    """Whether looking again would find the same files, with the same content."""
    return all(_note(Path(each.path), _again(each)) == each for each in notes)


def _again(note: FileRecord) -> bytes | None:
    if not note.digest:
        return None
    try:
        return read_bytes(Path(note.path))
    except NotFound:
        return None


def _note(path: Path, content: bytes | None) -> FileRecord:
    if content is None and not is_file(path):
        return FileRecord(str(path.absolute()), "", "", "")
    digest = "" if content is None else hashlib.sha256(content).hexdigest()
    return FileRecord(str(path.absolute()), os.path.realpath(path), shown_name(path), digest)
