"""A transcript, and where it lies -> the rules by which its game was played.

Anybody may have written a transcript, so it must not make us read any file. It may name a shipped game, or a file of
rules in its own folder or below it; the command line can name other rules. Only a game that we saved ourselves, in
our own folder, may name its rules by any path.
"""

import shlex
from pathlib import Path

from interpreter import saves
from interpreter.errors import WrongRules
from interpreter.game_loading import load
from interpreter.match import Game
from interpreter.transcript import Transcript
from rulespec import loading
from rulespec.core.fingerprints import fingerprint
from rulespec.loading import NotFound

SUFFIX = ".rules"  # of all files that a transcript can name


# [transcript.rules]
def load_rules(record: Transcript, path: Path, given: str | None = None) -> Game:
    """The rules of a game: those that are `given`, or those that the transcript names.

    If several files have that name, it is the one with the right version, or else the first.
    """
    if given is not None:
        return load(given, record.variants, dict(record.options))
    found: list[Game] = []
    wrong: WrongRules | None = None
    for place in places(record.game, path):
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
    if wrong is not None:
        raise wrong
    name = loading.shortened(record.game)
    if is_own(path):
        raise NotFound(f"there is no file `{name}`")
    raise NotFound(
        f"its rules, `{name}`, are neither among the shipped games nor, as a `{SUFFIX}` file, in the "
        "folder of the transcript"
    )


def is_own(path: Path) -> bool:
    """Whether a file lies in the folder where we save games."""
    return path.resolve().parent == saves.saves_folder().resolve()


def places(name: str, path: Path) -> list[Path]:
    """The paths at which the rules of a transcript may lie."""
    folder = path.parent
    own = [Path(name)] if is_own(path) and Path(name).is_absolute() else []
    beside = [
        place for place in (folder / name, folder / Path(name).name) if _is_below(place, folder)
    ]
    shipped = loading.find_shipped(name)
    there = [*own, *beside, *([shipped] if shipped is not None else [])]
    return [place for place in dict.fromkeys(there) if loading.is_file(place)]


def replay_command(game: str, path: Path) -> str:
    """The command that replays a transcript."""
    words = ["rulespec", "replay", str(path)]
    return shlex.join(words if places(game, path) else [*words, game])


def _is_below(place: Path, folder: Path) -> bool:
    """Whether a file of rules lies in a folder, after links are resolved."""
    if not loading.is_file(place):
        return False
    real = place.resolve()
    names_rules = {place.suffix, real.suffix} == {SUFFIX}
    return names_rules and real.is_relative_to(folder.resolve())
