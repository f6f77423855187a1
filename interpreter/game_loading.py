"""A file of rules goes in, or its text; a `Game` comes out, or what is wrong with the rules.

The text is checked, elaborated to the core and flattened. Nothing here plays: `match` does.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from interpreter.errors import WrongRules
from interpreter.flattening import flatten
from interpreter.match import Game, Texts
from rulespec import codes, loading
from rulespec.checking.program import Program
from rulespec.checks import Checked, check
from rulespec.diagnostics import Diagnostic
from rulespec.elaboration.programs import elaborate_program
from rulespec.loading import FileRecord
from rulespec.source import Source, Span


def load(
    file: str | Path, variants: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> Game:
    """A game from a file, or a shipped one by its name.

    >>> game = load("sins.rules", ["penitenziagite"], {"stone_optional": True})
    >>> game.code.title, list(game.players)
    ('7 – The Sins', [2, 3, 4, 5])
    """
    path = loading.find_rules(str(file))
    return name_shipped(load_source(path, loading.read(str(file)), variants, options), path)


def name_shipped(game: Game, path: Path) -> Game:
    """The same game; a shipped file has its name alone as its path, wherever it was loaded from."""
    return evolve(game, name=path.name) if path in loading.shipped_game_files() else game


def load_source(
    path: Path,
    source: Source,
    variants: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    *,
    whole: bool = True,
) -> Game:
    """A game from a text that was read already; the files that it includes are searched for beside `path`.

    If `whole` is false, it need not be playable: its examples can be run all the same.
    """
    settings = write_settings(options)
    with loading.recorded_reads() as notes:
        checked: Checked = check(path, source, tuple(variants), settings)
    made = make_game(checked, source, tuple(variants), settings, tuple(notes.values()))
    game = evolve(made, path=path)
    lacking = why_unplayable(game.program)
    if whole and lacking is not None:
        raise WrongRules((lacking,))
    return game


def make_game(
    checked: Checked,
    source: Source,
    variants: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    notes: tuple[FileRecord, ...],
) -> Game:
    """A game from a text that was checked already, whole or not; `notes` are the files that were read."""
    if checked.program is None:
        raise WrongRules(checked.diagnostics)
    code = flatten(elaborate_program(checked.program.declared))
    texts = _texts(source, variants, settings, notes)
    return Game(source.name, variants, settings, checked.program, code, texts)


def _texts(source: Source, variants: Any, settings: Any, notes: tuple[FileRecord, ...]) -> Texts:
    told = repr((source.name, source.text, variants, settings, notes))
    return Texts(hashlib.sha256(told.encode()).hexdigest(), notes)


def why_unplayable(program: Program) -> Diagnostic | None:
    """What a file lacks to be played; it can be checked and tested all the same."""
    declared = program.declared
    lacks = {
        'game "…"': declared.game is None,
        "players 2..4": declared.players is None,
        "rule play": "play" not in declared.routines,
    }
    for text, is_missing in lacks.items():
        if is_missing:
            message = "this is not a whole game yet, and cannot be played"
            span = Span(program.entry, 0, 0)
            return Diagnostic(codes.NO_PLAY, message, span, hint=f"write `{text}`")
    return None


def write_settings(options: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """Options as they are written in the rules."""
    return tuple((name, _written(value)) for name, value in (options or {}).items())


def _written(value: Any) -> str:
    """An option as it is written in the rules."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
