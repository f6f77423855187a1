"""A file of rules and a number of players -> its game and module, from the cache if they were made before.

>>> fast = load_fast("sins.rules", 4)
>>> fast.count(fast.start(seed=7))
4

A cached game needs no parsing, checking, lowering or code generation. The key of an entry is a digest of everything
it was made from: the text of the file, its folder, variants, options, players, every source of this program, and the
version of Python. The other files that a game includes are found again and must be unchanged. `shelf` guarantees that
only this program wrote the entries, native code included.
"""

import hashlib
import os
import pickle
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any

from attrs import evolve

from interpreter import shelf
from interpreter.game_loading import load_source, name_shipped, write_settings
from interpreter.match import Game
from interpreter.wasm.engine import Wasm
from interpreter.wasm.hosts import make_host
from interpreter.wasm.programs import WrittenModule, write_program
from rulespec import loading, logs
from rulespec.gc_pause import pause_garbage_collection

STARTED = time.time()
PACKAGES = (loading.PACKAGE, Path(__file__).parent)
_SOURCES = (".py", ".lark", ".json")
_IMPORTING = 2.0  # seconds: our other modules may have been imported this long before this one


def load_fast(
    file: str | Path,
    players: int,
    variants: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
) -> Wasm:
    """The fast engine of a file, or of a shipped one by its name."""
    return make_kept(load_kept(file, variants, options), players)


# ---- Games ---------------------------------------------------------------------------------------


@pause_garbage_collection()
def load_kept(
    file: str | Path, variants: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> Game:
    """Like `game_loading.load`; for a cached game, the program is made only when somebody asks for it.

    >>> load_kept("sins.rules", ["penitenziagite"]).code.title
    '7 – The Sins'
    """
    path = loading.find_rules(str(file))
    content = loading.read_bytes(path)
    source = loading.decode(loading.shown_name(path), content)
    settings = write_settings(options)
    asked = os.path.realpath(path), source.name, tuple(variants), settings
    name = _name("game", hashlib.sha256(content).hexdigest(), *asked)
    found = _fetch_game(name) if name else None
    if found is not None:
        return evolve(found, path=path)
    game = name_shipped(load_source(path, source, variants, options), path)
    if name:
        _keep_game(name, game)
    return game


def _fetch_game(name: str) -> Game | None:
    kept = fetch_value(name)
    if kept is None:
        return None
    title, variants, settings, texts, code, program = kept
    if not loading.are_unchanged(texts.notes):
        return None
    return Game(title, variants, settings, partial(_unpack, program), code, texts)


def _keep_game(name: str, game: Game) -> None:
    # The program is five times as large as its code, and a simulation never asks for it.
    program = _packed(game.program)
    if program is not None:
        kept = game.name, game.variants, game.settings, game.texts, game.code, program
        keep_value(name, kept)


# ---- Engines -------------------------------------------------------------------------------------


def make_kept(game: Game, players: int) -> Wasm:
    """The fast engine of a game, from a cached module if there is one.

    >>> make_kept(load_kept("sins.rules"), 2).players
    2
    """
    machine = game.machine(players)
    name = module_name(game, players)
    kept = fetch_value(name) if name else None
    if kept is not None:
        written, native = kept
        return Wasm(machine, written, make_host(written.content, native))
    written = _write(game, players)
    host = make_host(written.content)
    if name:
        keep_value(name, (written, host.native()))
    return Wasm(machine, written, host)


def keep_watched(game: Game, players: int) -> tuple[WrittenModule, bytes | None]:
    """The module in which players think, and its native code if there is any; cached if possible."""
    name = _name("watched", game.texts.digest, players)
    kept = fetch_value(name) if name else None
    if kept is not None:
        written, native = kept
        return written, native
    written = write_program(game.machine(players), watched=True)
    native = make_host(written.content).native()
    if name:
        keep_value(name, (written, native))
    return written, native


@lru_cache(maxsize=16)
def _write(game: Game, players: int) -> WrittenModule:
    """Generate a module, once for each table: a playground has no cache but its memory."""
    return write_program(game.machine(players))


def module_name(game: Game, players: int) -> str | None:
    """The name under which a module is cached; None if its sources are uncertain."""
    return _name("module", game.texts.digest, players)


def find_kept(game: Game, players: int) -> Path | None:
    """The file of a cached module, if there is one."""
    name, place = module_name(game, players), shelf.cache_folder()
    if name is None or place is None or shelf.fetch(name) is None:
        return None
    return place / name


# ---- Names ---------------------------------------------------------------------------------------


def _name(*parts: Any) -> str | None:
    maker = find_maker()
    return None if maker is None else _digest((maker, *parts))


def _digest(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


@cache
def find_maker() -> str | None:
    """A digest of all sources of this program and of the version of Python.

    The running code was read when it was imported. If a source has changed since, nobody can tell which text is
    running, so the cache is neither read nor written.
    """
    told = hashlib.sha256()
    newest = 0.0
    try:
        for path in list_sources():
            with open(path, "rb") as file:  # noqa: PTH123 - hundreds of files, before anything else
                told.update(f"{path}\0{hashlib.sha256(file.read()).hexdigest()}\0".encode())
                newest = max(newest, os.fstat(file.fileno()).st_mtime)
    except OSError as error:
        logs.warn(f"nothing is kept between runs: {error}")
        return None
    if not 0 < newest < STARTED - _IMPORTING:
        logs.inform("nothing is kept between runs: a source of rulespec was changed just now")
        return None
    return _digest((sys.version, sys.implementation.name, MAGIC_NUMBER, told.hexdigest()))


def list_sources() -> list[str]:
    """All source files of this program that affect the cached results."""
    found = []
    for package in PACKAGES:
        for folder, folders, files in os.walk(package):
            folders[:] = [each for each in folders if each != "__pycache__"]
            found += [f"{folder}{os.sep}{file}" for file in files if file.endswith(_SOURCES)]
    return sorted(found)


# ---- Values as bytes -----------------------------------------------------------------------------


def fetch_value(name: str) -> Any:
    """The cached value of a name, or None."""
    content = shelf.fetch(name)
    if content is None:
        return None
    try:
        return _unpack(content)
    except Exception as error:  # noqa: BLE001 - then it is made anew
        logs.inform(f"{name} is made anew: what was kept cannot be read: {error!r}")
        return None


def keep_value(name: str, value: Any) -> None:
    """Cache a value, if it can be pickled."""
    content = _packed(value)
    if content is not None:
        shelf.store(name, content)


def _packed(value: Any) -> bytes | None:
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - not everything can be kept
        logs.inform(f"a {type(value).__name__} is not kept: {error!r}")
        return None


@pause_garbage_collection()
def _unpack(content: bytes) -> Any:
    """Unpickle bytes; safe, as `shelf` returns only what this program wrote."""
    return pickle.loads(content)  # noqa: S301 - see there
