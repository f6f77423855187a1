"""The file of a saved game -> its session, at the point where it stopped; or the reason why it cannot be resumed.

A file that cannot be resumed does not change. `salvage` makes a new game, in a file of its own, from all choices that
can be read and fit the present rules.
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
    """Resume a saved game; the text of a `BadSave` continues a sentence that begins with the name of the file.

    It is played by the given `rules`, or by those that the save names.
    """
    save, match = _salvaged(path, rules) if salvage else _restored(path, rules)
    kinds = save.kinds or (HUMAN, *[USUAL_LEVEL] * (len(match.names) - 1))
    session = Session(match, tuple(map(Seat, match.names, kinds)))
    # A file that no session saved, such as a transcript from elsewhere, does not change.
    goes_on = bool(save.kinds) and not salvage
    keep_from_now(session, saves.claimed(path) if goes_on else new_file(session), record)
    return session


def fitting(path: Path, rules: str | None = None) -> int | None:
    """How many choices `salvage` would rescue; None if the game cannot even begin."""
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
    """Replay the saved game; with `salvage`, up to the first choice that does not fit the rules."""
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
            # The game cannot continue from such a state.
            return _replay(game, evolve(record, choices=record.choices[:number]), salvage=True)
    return match
