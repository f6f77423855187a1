"""A name and bytes -> a private cache on disk, and back: it returns only what this program wrote for this user.

Every file carries a message authentication code. Its key lies beside it, and only the owner can read the key. A file
that was cut off, altered, renamed or written by somebody else does not match its code, and counts as missing. All
errors of the disk are logged, and nothing is cached then.
"""

import hmac
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rulespec import logs

OFF = "off"
MAGIC = b"rulespec cache 1\n"
KEY_FILE = "key"
KEY_SIZE = 32
SEAL_SIZE = 32
MOST_BYTES = 50_000_000  # on the whole shelf
LARGEST = 10_000_000  # of one file
A_DAY = 86_400

_NAME = re.compile(r"[0-9a-f]{64}")
_MEND = "set RULESPEC_CACHE to a folder of your own, or to `off`"
_DRAFT = re.compile(r"\.[0-9a-z]+\.[0-9a-f]{16}")


def cache_folder() -> Path | None:
    """The cache folder: `RULESPEC_CACHE`, or the usual place on this system; None if it is `off`."""
    given = os.environ.get("RULESPEC_CACHE")
    # A browser has no users, and its files disappear with the page.
    if given == OFF or sys.platform == "emscripten":
        return None
    if given:
        return Path(given) / "compiled"
    try:
        return _caches() / "rulespec" / "compiled"
    except RuntimeError as error:
        _warn_of(error, "between runs")
        return None


def _caches() -> Path:
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA")
        return Path(home) if home else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    home = os.environ.get("XDG_CACHE_HOME", "")
    # The standard says to ignore a relative folder here.
    return Path(home) if Path(home).is_absolute() else Path.home() / ".cache"


def fetch(name: str) -> bytes | None:
    """The cached bytes of a name; None if there are none, or if somebody else wrote them."""
    place = cache_folder()
    key = None if place is None else _key(place)
    if place is None or key is None:
        return None
    path = place / name
    content = _read(path, LARGEST, private=False)
    head = len(MAGIC) + SEAL_SIZE
    if content is None or not content.startswith(MAGIC):
        return None
    payload = content[head:]
    if not hmac.compare_digest(content[len(MAGIC) : head], _seal(key, name, payload)):
        logs.inform(f"{path} is made anew: it is not as it was kept")
        return None
    try:
        os.utime(path)  # mark it as used, as the oldest files are deleted first
    except OSError as error:
        logs.inform(f"{path} will look unused: {error}")
    return payload


def store(name: str, payload: bytes) -> Path | None:
    """Cache bytes under a name, replacing older ones; return the path if that was possible."""
    place = cache_folder()
    if place is None:
        return None
    if len(payload) > LARGEST - 1000:
        logs.inform(
            f"{name} is not kept: it has {len(payload):,} bytes, and {LARGEST:,} are allowed"
        )
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = _key(place) or _new_key(place)
        if key is None:
            return None
        _put(place / name, MAGIC + _seal(key, name, payload) + payload)
        _trim(place)
    except OSError as error:
        _warn_of(error, place)
        return None
    return place / name


def _warn_of(trouble: object, place: object) -> None:
    logs.warn(f"nothing is kept in {place}: {trouble}; {_MEND}")


def _seal(key: bytes, name: str, payload: bytes) -> bytes:
    return hmac.digest(key, name.encode() + b"\0" + payload, "sha256")


# ---- The key -------------------------------------------------------------------------------------


def _key(place: Path) -> bytes | None:
    """The key of this user, if there is a valid one in a folder to which nobody else can write."""
    try:
        is_ours = _is_ours(place.stat(), 0o022)
    except FileNotFoundError:  # the cache is empty
        return None
    except OSError as error:
        _warn_of(error, place)
        return None
    if not is_ours:
        _warn_of("others may write to it", place)
    key = _read(place / KEY_FILE, KEY_SIZE, private=True) if is_ours else None
    return key if key is not None and len(key) == KEY_SIZE else None


def _new_key(place: Path) -> bytes | None:
    """A new key, unless a file of somebody else has its name.

    If two processes make a key at the same time, the later one wins; files with the other key count as missing.
    """
    if not _is_ours(place.stat(), 0o022):
        return None
    try:
        found = (place / KEY_FILE).lstat()
    except FileNotFoundError:
        pass
    else:
        if not (stat.S_ISREG(found.st_mode) and _is_ours(found, 0o077)):
            _warn_of(f"{KEY_FILE} is not a file that only you can read; remove it", place)
            return None
    key = secrets.token_bytes(KEY_SIZE)
    _put(place / KEY_FILE, key)
    return key


def _is_ours(found: os.stat_result, forbidden: int) -> bool:
    """Whether a file belongs to this user, and nobody else has the `forbidden` permissions."""
    if sys.platform == "win32":  # the folders of a user are private there
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & forbidden


# ---- Files ---------------------------------------------------------------------------------------


def _read(path: Path, most: int, *, private: bool) -> bytes | None:
    """The content of a file of this user that nobody else may write or, if it is `private`, read."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:  # noqa: PTH123 - by its handle
            found = os.fstat(handle)
            is_ours = _is_ours(found, 0o077 if private else 0o022)
            if is_ours and stat.S_ISREG(found.st_mode) and found.st_size <= most:
                return file.read(most + 1)
            logs.inform(f"{path} is made anew: it is not a file that only you can write to")
    except FileNotFoundError:
        pass
    except OSError as error:
        logs.inform(f"{path} is made anew: {error}")
    return None


def _put(path: Path, content: bytes) -> None:
    """Replace a file atomically: a reader finds the old one or the new one."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(draft, flags, 0o600), "wb") as file:  # noqa: PTH123 - as above
            file.write(content)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _trim(place: Path) -> None:
    """Delete the files unused for longest, and the drafts of processes that died while writing."""
    total = 0
    for used, size, path in sorted(_files(place), reverse=True):
        total += size
        is_left = path.name.startswith(".") and used < time.time() - A_DAY
        if is_left or total > MOST_BYTES:
            path.unlink(missing_ok=True)


def _files(place: Path) -> Iterator[tuple[float, int, Path]]:
    """Our own files in the folder, and no others."""
    with os.scandir(place) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name) or _DRAFT.fullmatch(entry.name):
                try:
                    found = entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # another program has deleted it
                    continue
                yield found.st_mtime, found.st_size, Path(entry.path)
