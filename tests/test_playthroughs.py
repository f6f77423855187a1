"""Whole games, as they stand in tests/playthroughs/*.txt: every decision, and what each seat observes.

A difference is a change of the rules or of the engine that somebody at the table would notice, or a leak.
`make accept` writes what is played now; read the difference before you commit it.
"""

import os
from pathlib import Path

import pytest

from rulespec import loading
from rulespec.catalogue import shipped_files
from rulespec.syntax import nodes
from rulespec.syntax.parser import parse
from telling_games import Played, tell

FOLDER = Path(__file__).parent / "playthroughs"
LONGEST = 1_500  # lines, so that somebody reads them

GAMES = (
    Played("sins.rules", 3, seed=5),
    Played("sins.rules", 2, seed=2, variants=("penitenziagite",)),
    Played("my_sins.rules", 2, seed=2),
    Played("steep_sins.rules", 2, seed=2),
    Played("open_sins.rules", 2, seed=2),
    Played("indulgence.rules", 2, seed=2),
    Played("siegel.rules", 3, seed=4, options=(("rounds", 1),)),
    Played("siegel.rules", 4, seed=2, variants=("open_tricks",), options=(("rounds", 1),)),
    Played("seven7s.rules", 3, seed=1),
    Played("deadlies.rules", 3, seed=21),
    Played("deadlies.rules", 3, seed=36, variants=("covered_discard",)),
    Played("deadlies.rules", 6, seed=28, variants=("sixth_player",)),
    # The classics; of those that go on to a number of points only the beginning.
    Played("blackjack.rules", 1, seed=3),
    Played("bridge.rules", 4, seed=2),
    Played("crazy_eights.rules", 2, seed=1, most=40),
    Played("cribbage.rules", 2, seed=1, most=30),
    Played("euchre.rules", 4, seed=1, most=40),
    Played("gin_rummy.rules", 2, seed=1, most=40),
    Played("go_fish.rules", 2, seed=1, most=40),
    Played("hearts.rules", 4, seed=1, most=60),
    Played("kuhn.rules", 2, seed=1),
    Played("leduc.rules", 2, seed=6),
    Played("oh_hell.rules", 3, seed=6, most=60),
    Played("president.rules", 3, seed=3, most=40),
    Played("skat.rules", 3, seed=2),
    Played("spades.rules", 4, seed=3, most=60),
)


def wanted() -> set[tuple[str, str | None]]:
    """Every shipped game, classic and example, and every variant that one declares."""
    files = shipped_files()
    found: set[tuple[str, str | None]] = set()
    for file in files:
        tree = parse(loading.read(str(file))).file
        assert tree is not None
        found.add((file.name, None))
        found |= {
            (file.name, item.name.text) for item in tree.items if isinstance(item, nodes.Variant)
        }
    return found


def test_every_game_and_every_variant_has_a_playthrough():
    played = {(game.file, each) for game in GAMES for each in game.variants or (None,)}

    assert len(wanted()) >= 26
    assert played == wanted()


def test_every_playthrough_has_its_game():
    assert {f"{game.name}.txt" for game in GAMES} == {path.name for path in FOLDER.glob("*")}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_games_are_played_as_they_are_written(game):
    path = FOLDER / f"{game.name}.txt"
    told = tell(game)
    if os.environ.get("ACCEPT"):
        path.write_text(told, "utf-8")
        return

    assert path.read_text("utf-8").splitlines() == told.splitlines()
    assert told.count("\n") <= LONGEST
