"""Games -> files on disk, and back: a transcript whose comments say who sits where, and that it is complete.

Everything that reads transcripts can read a save. It ends with a seal, the number of its choices and a checksum, which
shows whether the file was cut off or altered. It is written again after every choice, and replaces the old file
atomically: if the power fails, the old file or the new one is there.
"""

import os
import re
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

from attrs import define, frozen

from interpreter import transcript
from interpreter.transcript import BadTranscript, Transcript
from rulespec import limits, loading, logs
from rulespec.loading import Unreadable
from rulespec.rendering import counted

MOST_FINISHED = 20  # finished games to keep
PRIVATE, PRIVATE_FOLDER = 0o600, 0o700  # permissions: only the user may read and write

_NOTE = "# A game in progress: whoever reads on may learn what is hidden from the players."
_SEAT = re.compile(r"# seat (?P<name>[^:,]+): (?P<kind>\S+)")
_STANDING = re.compile(r"^# standing (?P<text>.+)$", re.MULTILINE)
_SEAL = re.compile(r"# kept (?P<count>\d+) choices?(?P<over>, game over)?, (?P<check>[0-9a-f]{8})")


class BadSave(ValueError):  # noqa: N818 - it is the file that is wrong
    """A file that cannot be resumed, and why."""


@frozen
class Save:
    """A saved game: its transcript, who plays each seat, and whether it is over."""

    record: Transcript
    kinds: tuple[str, ...]  # empty for a transcript that no session saved
    finished: bool = False
    standing: str = ""  # how the game stands, as far as all players may know


# ---- As text -------------------------------------------------------------------------------------


def write_save(save: Save) -> str:
    """A save as text.

    >>> from interpreter.transcript import Choice
    >>> choices = (Choice("Ada", 2, "Ira"),)
    >>> record = Transcript("sins.rules", "1b88", (), (), ("Ada", "Ben"), None, 7, choices)
    >>> print(write_save(Save(record, ("human", "search"))), end="")
    rulespec transcript 1
    # A game in progress: whoever reads on may learn what is hidden from the players.
    # seat Ada: human
    # seat Ben: search
    game sins.rules
    version 1b88
    players Ada, Ben
    seed 7
    <BLANKLINE>
    Ada: 2 Ira
    # kept 1 choice, 5e3c1998
    """
    first, _, rest = transcript.write(save.record).partition("\n")
    seats = [
        f"# seat {name}: {kind}" for name, kind in zip(save.record.players, save.kinds, strict=True)
    ]
    note = [] if save.finished else [_NOTE]
    standing = [f"# standing {save.standing}"] if save.standing else []
    text = "\n".join([first, *note, *seats, *standing, rest])
    return text + _seal(text, len(save.record.choices), finished=save.finished)


def _seal(text: str, choices: int, *, finished: bool) -> str:
    over = ", game over" if finished else ""
    many = "1 choice" if choices == 1 else f"{choices} choices"
    return f"# kept {many}{over}, {zlib.crc32(text.encode()):08x}\n"


def read_save(text: str) -> Save:
    """A save, or any transcript, from text; a `BadSave` if a session saved it and it is not complete."""
    try:
        record = transcript.read(text)
    except BadTranscript as error:
        is_ours = text.startswith("rulespec transcript")
        raise BadSave(f"is {'damaged' if is_ours else 'not a saved game'}: {error}") from error
    kinds = _kinds(text)
    body, last = _split(text)
    seal = _SEAL.fullmatch(last)
    if seal is None and not kinds:
        return Save(record, ())
    if seal is None:
        raise BadSave(f"is damaged: it breaks off after {counted(len(record.choices), 'choice')}")
    finished = seal["over"] is not None
    is_whole = f"{last}\n" == _seal(body, len(record.choices), finished=finished)
    if not is_whole or tuple(kinds) != record.players:
        raise BadSave("is damaged: something in it was changed after it was kept")
    standing = _STANDING.search(text)
    return Save(
        record, tuple(kinds.values()), finished, "" if standing is None else standing["text"]
    )


def _split(text: str) -> tuple[str, str]:
    """All lines but the last one, and the last one."""
    body, _, last = text.removesuffix("\n").rpartition("\n")
    return f"{body}\n", last


def _kinds(text: str) -> dict[str, str]:
    found = (_SEAT.fullmatch(line) for line in text.splitlines())
    return {seat["name"]: seat["kind"] for seat in found if seat is not None}


def salvage(text: str) -> Save:
    """The readable part of a damaged save: all choices before the damage."""
    # A line that was cut off may lack its end, so it does not count.
    whole = text[: text.rfind("\n") + 1]
    try:
        try:
            record = transcript.read(whole)
        except BadTranscript as error:
            lines = whole.splitlines(keepends=True)
            record = transcript.read("".join(lines[: error.line - 1]))
    except BadTranscript as error:
        raise BadSave(f"is damaged beyond repair: {error}") from error
    kinds = _kinds(whole)
    return Save(record, tuple(kinds.values()) if tuple(kinds) == record.players else ())


def read_text(path: Path, *, damaged: bool = False) -> str:
    """The text of a file that should be a save; of a damaged file, the part that is text."""
    try:
        content = loading.read_file(path, limits.LARGEST_TRANSCRIPT)
        return content.decode("utf-8", "replace" if damaged else "strict")
    except UnicodeDecodeError as error:
        raise BadSave("is damaged: it is not text") from error
    except Unreadable as error:
        raise BadSave(str(error)) from error


# ---- On disk -------------------------------------------------------------------------------------


def saves_folder() -> Path:
    """The folder for saved games: `RULESPEC_STATE`, or the usual place on this system."""
    given = os.environ.get("RULESPEC_STATE")
    if given:
        return Path(given) / "saves"
    return _state() / "rulespec" / "saves"


def _state() -> Path:
    try:
        if sys.platform == "win32":
            home = os.environ.get("LOCALAPPDATA")
            return Path(home) if home else Path.home() / "AppData" / "Local"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Application Support"
        home = os.environ.get("XDG_STATE_HOME", "")
        # The standard says to ignore a relative folder here.
        return Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError:  # there is no home folder
        return Path(tempfile.gettempdir())


def new_path(game: str) -> Path:
    """A new file for a game, claimed so that no other process takes it."""
    place = saves_folder()
    close_folder(place)
    stem = re.sub(r"[^\w-]+", "_", Path(game).stem)[:40] or "game"
    name = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    number = 1
    while True:
        path = place / (f"{name}.txt" if number == 1 else f"{name}-{number}.txt")
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        except FileExistsError:
            number += 1
        else:
            return path


def close_folder(place: Path) -> None:
    """Make the folder for saved games, private to its user: each of them holds its seed.

    Older versions left it, and the games in it, open to all users of the machine.
    """
    place.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    if stat.S_IMODE(place.stat().st_mode) == PRIVATE_FOLDER:
        return
    for path, mode in [*((each, PRIVATE) for each in place.glob("*.txt")), (place, PRIVATE_FOLDER)]:
        # Only its owner can change the permissions.
        try:
            if not path.is_symlink() or path == place:
                path.chmod(mode)
        except PermissionError as error:
            logs.warn(
                f"others may read games that you play: {error}; its owner can run `chmod go=`"
            )


def write_atomically(path: Path, text: str) -> None:
    """Write a file so that, whatever happens, either the old or the new one is there, complete.

    Only its user may read it: a game in progress holds its seed.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        # A process with the same number died and left it behind.
        draft.unlink(missing_ok=True)
        with open(os.open(draft, flags, PRIVATE), "wb") as file:  # noqa: PTH123 - by its handle
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(place: Path) -> None:
    # This writes the new name to the disk; Windows does not need it.
    if sys.platform == "win32":
        return
    try:
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        logs.inform(f"a crash of this machine may lose the game that was kept last: {error}")


@define
class Keeper:
    """Saves one game in one file, and never overwrites what another process has written there."""

    path: Path
    own: bool = True  # the file is in our folder, so we may move it aside
    _mark: tuple[int, int] | None = None

    def keep(self, save: Save) -> None:
        """Save the game as it stands."""
        if self.own and self._mark not in (None, _mark(self.path)):
            # Another process plays the same game, or the file was removed: both games go on, in two files.
            self.path = new_path(save.record.game)
        write_atomically(self.path, write_save(save))
        self._mark = _mark(self.path)


def claimed(path: Path) -> Keeper:
    """A keeper that continues with a file as it is now."""
    close_folder(saves_folder())
    return Keeper(path, mark=_mark(path))


def _mark(path: Path) -> tuple[int, int] | None:
    found = _stat(path)
    return None if found is None else (found.st_ino, found.st_mtime_ns)


def kept(place: Path | None = None) -> Iterator[Path]:
    """The files of all saved games, the newest first."""
    place = saves_folder() if place is None else place
    found = []
    for path in place.glob("*.txt"):
        state = _stat(path)
        # An empty file was claimed and never written.
        if state is not None and state.st_size:
            found.append((state.st_mtime_ns, path.name, path))
    for _, _, path in sorted(found, reverse=True):
        yield path


def _stat(path: Path) -> os.stat_result | None:
    """The `stat` of a file; None if another program has removed it."""
    try:
        return path.stat()
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            logs.inform(f"a kept game is left out: {error}")
        return None


def is_finished(path: Path) -> bool:
    """Whether a saved game is over, by its last line."""
    try:
        seal = _SEAL.fullmatch(_split(read_text(path))[1])
    except BadSave:
        return False
    return seal is not None and seal["over"] is not None


def forget_old() -> None:
    """Delete all finished games but the last few, and the drafts of processes that died while writing."""
    finished = [path for path in kept() if is_finished(path)]
    for path in [*finished[MOST_FINISHED:], *_left_over(saves_folder())]:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            logs.inform(f"a game that is over stays: {error}")


def _left_over(place: Path) -> Iterator[Path]:
    """Drafts and empty files that nobody has touched for a day."""
    for path in place.iterdir():
        state = _stat(path)
        if state is None or state.st_mtime > time.time() - 86_400:
            continue
        if path.name.startswith(".") or not state.st_size:
            yield path
