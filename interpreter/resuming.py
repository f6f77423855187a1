"""A kept game -> the same game at its table, where it stopped; or why that cannot be.

What cannot be resumed is left as it is. As much of it as can be read, and fits the rules that there are
now, is `salvaged`: as a new game in a file of its own.
"""

from pathlib import Path

from attrs import evolve

from interpreter import saves
from interpreter.errors import IllegalMove, RuleFault
from interpreter.match import Game, Match, WrongRules, load
from interpreter.saves import BadSave, Save
from interpreter.session import BEST_KIND, HUMAN, Seat, Session, keep_from_now, new_file
from interpreter.transcript import Transcript
from rulespec import loading
from rulespec.loading import NotFound
from rulespec.lowering.programs import fingerprint


def resume(path: Path, *, salvage: bool = False, record: Path | None = None) -> Session:
    """A game that was kept, where it stopped; `BadSave` says why not, after the name of the file."""
    save, match = _salvaged(path) if salvage else _restored(path)
    kinds = save.kinds or (HUMAN, *[BEST_KIND] * (len(match.names) - 1))
    session = Session(match, tuple(map(Seat, match.names, kinds)))
    # What was not kept by a table, such as a transcript from elsewhere, stays as it is.
    goes_on = bool(save.kinds) and not salvage
    keep_from_now(session, saves.claimed(path) if goes_on else new_file(session), record)
    return session


def fitting(path: Path) -> int | None:
    """How many choices `salvage` would rescue; nothing if it cannot even begin."""
    try:
        return len(_salvaged(path)[1].choices)
    except (BadSave, RuleFault):
        return None


def _restored(path: Path) -> tuple[Save, Match]:
    save = saves.read(saves.read_text(path))
    if save.finished:
        raise BadSave("is a game that is over")
    game = _find_rules(save.record, path)
    if save.record.fingerprint not in ("", fingerprint(game.code)):
        raise BadSave(f"was played by other rules: `{game.name}` has changed since")
    return save, _replay(game, save.record, salvage=False)


def _salvaged(path: Path) -> tuple[Save, Match]:
    save = saves.salvage(saves.read_text(path, damaged=True))
    return save, _replay(_find_rules(save.record, path), save.record, salvage=True)


# ---- Rules ---------------------------------------------------------------------------------------


def _find_rules(record: Transcript, path: Path) -> Game:
    """The rules by which a game was played, or else the first that have their name."""
    found: list[Game] = []
    wrong: WrongRules | None = None
    for place in _places(record.game, path):
        try:
            game = load(place, record.variants, dict(record.options))
        except WrongRules as error:
            wrong = wrong or error
            continue
        if fingerprint(game.code) == record.fingerprint:
            return game
        found.append(game)
    if found:
        return found[0]
    reason = "" if wrong is None else f": {wrong.diagnostics[0].message}"
    raise BadSave(
        f"was played by rules that are wrong now{reason}; `rulespec check {record.game}` tells more"
    )


def _places(name: str, path: Path) -> list[Path]:
    """Where rules may lie: where a file of that name is found, among the shipped ones, beside the save."""
    others = [loading.GAMES / name, loading.GAMES / "examples" / name, path.parent / name]
    places = [place for place in others if place.is_file()]
    try:
        return [loading.find(name), *places]
    except NotFound as error:
        if places:
            return places
        raise BadSave(f"was played by rules that are gone: {error}") from error


# ---- Choices -------------------------------------------------------------------------------------


def _replay(game: Game, record: Transcript, *, salvage: bool) -> Match:
    """The game that was kept; with `salvage` up to the first choice that does not fit the rules."""
    try:
        match = game.replay(evolve(record, choices=()))
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
