"""A kept game -> the same game at its table, where it stopped; or why that cannot be.

What cannot be resumed is left as it is. As much of it as can be read, and fits the rules that there are
now, is `salvaged`: as a new game in a file of its own.
"""

from pathlib import Path

from attrs import evolve

from interpreter import saves
from interpreter.errors import IllegalMove, RuleFault, WrongRules
from interpreter.match import Game, Match
from interpreter.recorded import load_rules
from interpreter.saves import BadSave, Save
from interpreter.session import HUMAN, USUAL_LEVEL, Seat, Session, keep_from_now, new_file
from interpreter.transcript import Transcript
from rulespec import loading
from rulespec.core.fingerprints import fingerprint
from rulespec.loading import NotFound


def resume(
    path: Path, *, salvage: bool = False, record: Path | None = None, rules: str | None = None
) -> Session:
    """A game that was kept, where it stopped; `BadSave` says why not, after the name of the file.

    It goes on by the `rules` that are named, or by those that it names itself.
    """
    save, match = _salvaged(path, rules) if salvage else _restored(path, rules)
    kinds = save.kinds or (HUMAN, *[USUAL_LEVEL] * (len(match.names) - 1))
    session = Session(match, tuple(map(Seat, match.names, kinds)))
    # What was not kept by a table, such as a transcript from elsewhere, stays as it is.
    goes_on = bool(save.kinds) and not salvage
    keep_from_now(session, saves.claimed(path) if goes_on else new_file(session), record)
    return session


def fitting(path: Path, rules: str | None = None) -> int | None:
    """How many choices `salvage` would rescue; nothing if it cannot even begin."""
    try:
        return len(_salvaged(path, rules)[1].choices)
    except (BadSave, RuleFault):
        return None


def _restored(path: Path, rules: str | None) -> tuple[Save, Match]:
    save = saves.read_save(saves.read_text(path))
    if save.finished:
        raise BadSave("is a game that is over")
    game = _find_rules(save.record, path, rules)
    if save.record.fingerprint not in ("", fingerprint(game.code)):
        raise BadSave(f"was played with other rules: `{game.name}` has changed since")
    return save, _replay(game, save.record, salvage=False)


def _salvaged(path: Path, rules: str | None) -> tuple[Save, Match]:
    save = saves.salvage(saves.read_text(path, damaged=True))
    return save, _replay(_find_rules(save.record, path, rules), save.record, salvage=True)


# ---- Rules ---------------------------------------------------------------------------------------


def _find_rules(record: Transcript, path: Path, given: str | None) -> Game:
    """The rules that are `given`, or those by which a game was played."""
    try:
        return load_rules(record, path, given)
    except WrongRules as error:
        name = given or loading.shortened(record.game)
        raise BadSave(
            f"was played with rules that are wrong now: {error.diagnostics[0].message}; "
            f"`rulespec check {name}` tells more"
        ) from error
    except NotFound as error:
        if given is not None:
            raise
        shown = loading.shortened(str(path))
        raise BadSave(
            f"was played with rules that are gone: {error}; "
            f"`rulespec play FILE --resume {shown}` continues with the rules that you name"
        ) from error


# ---- Choices -------------------------------------------------------------------------------------


def _replay(game: Game, record: Transcript, *, salvage: bool) -> Match:
    """The game that was kept; with `salvage` up to the first choice that does not fit the rules."""
    try:
        match = game.replay(evolve(record, choices=()), always=True)
    except ValueError as error:
        raise BadSave(f"does not fit the rules: {error}") from error
    for number, choice in enumerate(record.choices):
        try:
            match.follow(choice)
        except IllegalMove as error:
            if salvage:
                break
            raise BadSave(f"does not fit the rules: {error}") from error
        except RuleFault:
            if not salvage:
                raise
            # From such a state nobody can go on.
            return _replay(game, evolve(record, choices=record.choices[:number]), salvage=True)
    return match
