"""Arguments of `rulespec play` -> a session at the terminal: a new game, a saved one, or one chosen on the start screen."""

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from interpreter import resuming, saves, session
from interpreter.errors import WrongRules
from interpreter.game_loading import load
from interpreter.saves import BadSave
from interpreter.seating import check_kind, find_seat, seat_players
from interpreter.session import Seat, Session
from rulespec import catalogue, loading, logs, rendering
from rulespec.cli import WRONG_RULES, WRONG_USAGE, files
from rulespec.cli.seats import read_seats
from rulespec.cli.table import splash
from rulespec.diagnostics import Diagnostic
from rulespec.gc_pause import pause_garbage_collection
from rulespec.loading import NotFound
from rulespec.rendering import counted

MOST_UNFINISHED = 5  # saved games that the start screen lists


def run(arguments: argparse.Namespace, close_splash: Callable[[], None], *, on_screen: bool) -> int:
    """Open a session and play it; `close_splash` gives the terminal back if there will be no game."""
    if not (arguments.file or arguments.salvage or on_screen) and arguments.resume is None:
        return _list_games()
    try:
        if arguments.file is None and arguments.resume is None and not arguments.salvage:
            return _start(arguments)
        table = _open_session(arguments, close_splash)
    except WrongRules as wrong:
        return _refuse_rules(wrong)
    except BadSave:
        return WRONG_USAGE
    except (NotFound, ValueError) as error:
        files.complain(error)
        return WRONG_USAGE
    if not on_screen:
        from rulespec.cli import plain  # noqa: PLC0415 - only if it is used

        return plain.play_plain(table, warns=arguments.warns)
    with pause_garbage_collection():
        from rulespec.cli.table import app  # noqa: PLC0415 - a pipe need not wait for a screen

    return app.run(table, warns=arguments.warns)


@pause_garbage_collection()
def _open_session(arguments: argparse.Namespace, close_splash: Callable[[], None]) -> Session:
    """The session that the arguments ask for."""
    try:
        record = _record(arguments.record)
        if arguments.resume is not None or arguments.salvage:
            return _resume(arguments, record)
        return _begin(arguments, record)
    except BaseException:
        close_splash()
        raise


# ---- A new game ----------------------------------------------------------------------------------


def _begin(arguments: argparse.Namespace, record: Path | None) -> Session:
    try:
        loading.find_rules(arguments.file)
    except NotFound as error:
        raise NotFound(f"{error}{_near_games(arguments.file)}") from error
    game = load(arguments.file, arguments.variants, dict(arguments.settings))
    seats = seat_players(game, read_seats(arguments.seats), arguments.players)
    first = None if arguments.first is None else find_seat(seats, arguments.first)
    return session.begin(game, seats, arguments.seed, first, record=record)


def _start(arguments: argparse.Namespace) -> int:
    """The game that somebody chooses on the start screen, if any."""
    for name in ("players", "seats", "variants", "settings", "first"):
        if getattr(arguments, name) not in (None, []):
            raise ValueError("name the game as well, such as `rulespec play sins.rules`")
    record = _record(arguments.record)
    from rulespec.cli.table import menu, start  # noqa: PLC0415 - a pipe need not wait for a screen

    def sit_down(choice: start.StartChoice) -> Session:
        if isinstance(choice, menu.UnfinishedGame):
            return resuming.resume(choice.path, record=record)
        game = load(choice.file, choice.variants, dict(choice.options))
        return session.begin(game, choice.seats, arguments.seed, record=record)

    return start.run(
        sit_down,
        [menu.UnfinishedGame(*each) for each in _unfinished_games()],
        warns=arguments.warns,
    )


def _unfinished_games() -> Iterator[tuple[Path, str, tuple[str, ...], int, str, str]]:
    """The unfinished games, the newest first, and what the start screen says of each."""
    waiting = (path for path in saves.kept() if not saves.is_finished(path))
    for path in islice(waiting, MOST_UNFINISHED):
        try:
            kept = saves.read_save(saves.read_text(path))
            when = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
        except (BadSave, OSError) as error:
            logs.inform(
                f"{path} is left out: {error}; `rulespec play --resume {path} --salvage` may rescue it"
            )
            continue
        record = kept.record
        title, standing = splash.glanced_title(record.game), rendering.printable(kept.standing)
        told = tell_when(when, datetime.now().astimezone())
        yield path, title, record.players, len(record.choices), told, standing


def tell_when(when: datetime, now: datetime) -> str:
    """A time as people say it.

    >>> now = datetime(2026, 3, 2, 9, 30)
    >>> [tell_when(datetime(2026, *each), now) for each in ((3, 2, 8, 5), (3, 1, 23, 59), (1, 4, 9, 0))]
    ['today 08:05', 'yesterday 23:59', '4 January 09:00']
    """
    days = (now.date() - when.date()).days
    word = {0: "today", 1: "yesterday"}.get(days, f"{when.day} {when:%B}")
    year = f" {when.year}" if when.year != now.year and days > 1 else ""
    return f"{word}{year} {when:%H:%M}"


def _near_games(word: str) -> str:
    known = [path.name for path in catalogue.shipped_files()]
    stems = {Path(name).stem: name for name in known}
    near = get_close_matches(Path(word).stem.casefold(), stems, 1)
    return f"; did you mean `rulespec play {stems[near[0]]}`?" if near else ""


def _record(word: str | None) -> Path | None:
    """Where to write the transcript; an existing file is replaced only if it is a transcript."""
    if word is None:
        return None
    path = Path(word)
    if loading.is_folder(path):
        raise ValueError(f"`{word}` is a folder; name a file for the transcript")
    if not loading.is_folder(path.absolute().parent):
        folder = loading.shortened(str(path.parent))
        raise ValueError(f"there is no folder `{folder}` for the transcript")
    if os.path.lexists(path):
        start = loading.read_bytes(path)[:100]
        if start and not start.startswith(b"rulespec transcript"):
            raise ValueError(f"`{word}` already exists and is not a transcript; name another file")
    return path


def _list_games() -> int:
    """Print the games, for a command that names none."""
    found = catalogue.shipped_games()
    width = max(len(game.file) for game in found)
    print("Which game? Type one of these:\n")
    for game in found:
        print(
            f"  rulespec play {game.file:{width}}  {game.title}, {catalogue.tell_players(game.players)}"
        )
    print("\n`rulespec games` lists their variants and options.")
    return WRONG_USAGE


def _refuse_rules(wrong: WrongRules) -> int:
    """Report rules that are wrong, or a variant or option of the command that they do not have."""
    typed = [each for each in wrong.diagnostics if each.span.source.name == "the command line"]
    if len(typed) < len(wrong.diagnostics):
        files.print_diagnostics(list(wrong.diagnostics))
        return WRONG_RULES
    for each in typed:
        files.complain(_sentence(each))
    return WRONG_USAGE


def _sentence(diagnostic: Diagnostic) -> str:
    hint = diagnostic.hint or "`rulespec games` lists variants and options"
    return f"{diagnostic.message}; {hint}"


# ---- A game that was kept ------------------------------------------------------------------------

_OF_NEW_GAMES = {
    "players": "--players",
    "variants": "--variant",
    "settings": "--set",
    "seed": "--seed",
    "first": "--first",
}


def _resume(arguments: argparse.Namespace, record: Path | None) -> Session:
    if arguments.resume is None:
        raise ValueError("`--salvage` goes with `--resume`")
    for name, option in _OF_NEW_GAMES.items():
        if getattr(arguments, name) not in (None, []):
            raise ValueError(f"`{option}` is for a new game; a saved one continues as it began")
    path = Path(arguments.resume) if arguments.resume else _newest(arguments.file)
    # Without the file of a game, the rules only say which game is meant.
    rules = arguments.file if arguments.resume else None
    try:
        table = resuming.resume(path, salvage=arguments.salvage, record=record, rules=rules)
    except BadSave as error:
        _tell_bad_save(path, error, rules)
        raise
    _change_seats(table, read_seats(arguments.seats))
    return table


def _newest(rules: str | None) -> Path:
    """The newest unfinished game; of these rules, if some are named."""
    for path in saves.kept():
        if not saves.is_finished(path) and (rules is None or _is_of(path, rules)):
            return path
    of = f" of `{rules}`" if rules else ""
    begin = rules or "sins.rules"
    raise NotFound(f"no game{of} was left unfinished; `rulespec play {begin}` begins one")


def _is_of(path: Path, rules: str) -> bool:
    try:
        game = saves.salvage(saves.read_text(path)).record.game
    except BadSave:
        return False
    return Path(game).stem == Path(rules).stem


def _change_seats(table: Session, wanted: tuple[Seat, ...]) -> None:
    """Give seats to other players, as the command asks."""
    if not wanted:
        return
    for each in wanted:
        number = find_seat(table.seats, each.name)
        check_kind(table.match.game, len(table.seats), each.kind)
        table.reseat(number, each.kind)
    table.keep()


def _tell_bad_save(path: Path, error: BadSave, rules: str | None) -> None:
    """Print why a save cannot be resumed, how much of it can be played, and what to type."""
    shown = shlex.quote(str(path))
    if not loading.is_file(path):
        there = Path(path).name in {each.name for each in catalogue.shipped_files()}
        hint = f"; `rulespec play {path.name} --resume` goes on with a game of it" if there else ""
        files.complain(f"`{loading.shortened(str(path))}` {error}{hint}")
        return
    files.complain(f"`{path}` {error}")
    if saves.is_finished(path):
        print(f"  To see it again type `rulespec replay {shown}`.", file=sys.stderr)
        return
    left = resuming.fitting(path, rules)
    print("  The file is left as it is.", file=sys.stderr)
    if left is not None:
        after = f"go on after its first {counted(left, 'choice')}" if left else "begin it again"
        by = f"{shlex.quote(rules)} " if rules is not None else ""
        print(
            f"  To {after}, in a new file, type `rulespec play {by}--resume {shown} --salvage`.",
            file=sys.stderr,
        )
    others = [each for each in saves.kept() if each != path and not saves.is_finished(each)]
    if others:
        print(
            f"  To go on with another game type `rulespec play --resume {shlex.quote(str(others[0]))}`.",
            file=sys.stderr,
        )
