"""The shelf of classics: every game is whole, short, tried by its examples, told well, and the same on both engines."""

import json
import re

import pytest

from games import at_random, shipped
from interpreter.trials import Wish, try_file
from lockstep import assert_in_step, assert_whole_games, make_fast, needless_traps_of
from rulespec import cli, loading
from rulespec.checks import check
from sizes import some
from story_games import NEVER, Told, listen, play, texts

CLASSICS = [path.name for path in loading.shipped_classics()]
TABLES = [(name, players) for name in CLASSICS for players in shipped(name).players]
MOST_LINES = 160  # of rules, without examples and blank lines
MOST_TOLD = 150  # decisions of a game that is read


def test_the_shelf_is_full() -> None:
    assert len(CLASSICS) >= 12


@pytest.mark.parametrize("name", CLASSICS)
def test_a_classic_is_clean_and_short_and_its_examples_hold(name: str) -> None:
    path, source = loading.find_rules(name), loading.read(name)

    assert check(path, source).diagnostics == ()
    trial = try_file(path, source, Wish(games=0))
    assert not trial.findings
    assert 3 <= trial.examples <= 8
    rules = re.split(r"^example ", source.text, maxsplit=1, flags=re.MULTILINE)[0]
    assert len([line for line in rules.splitlines() if line.strip()]) <= MOST_LINES
    for word in ("game", "about", "goal", "turn", "minutes", "first", "called"):
        assert re.search(rf"^{word}\b", rules, flags=re.MULTILINE), word


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_classic_is_played_alike_on_both_engines(name: str, players: int) -> None:
    game = shipped(name)
    fast = make_fast(game, players)

    assert assert_in_step(game, players, 5, at_random(5), fast=fast) > 0
    assert needless_traps_of(fast) == 0


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_whole_games_of_a_classic_are_the_same_on_both_engines(name: str, players: int) -> None:
    assert_whole_games(shipped(name), players, range(some(400)))


@pytest.mark.parametrize("name", CLASSICS)
def test_nothing_is_told_of_a_classic_that_nobody_would_say(name: str) -> None:
    match = play(Told(name, players=shipped(name).players[-1]), MOST_TOLD)
    wrong = [
        (pattern, text)
        for player in (0, None)
        for text in texts(listen(match, player))
        for pattern in NEVER
        if re.search(pattern, text)
    ]

    assert wrong == []


def test_classics_are_listed_after_the_games_and_before_what_changes_them(capsys) -> None:
    assert cli.main(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    titles = [line.partition(":")[0] for line in lines if ".rules: " in line]
    assert titles[4 : 4 + len(CLASSICS)] == CLASSICS
    assert lines.index("Classics") < lines.index("The same, changed")

    assert cli.main(["games", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["games"]
    assert [game["file"] for game in listed if game["is_classic"]] == CLASSICS


def test_a_game_without_scores_is_simulated(capsys) -> None:
    """In Blackjack everybody wins or loses against the bank, and nobody has a score."""
    assert cli.main(["simulate", "blackjack.rules", "--games", "6", "--thinking", "0"]) == 0
    assert "mean score" not in capsys.readouterr().out
