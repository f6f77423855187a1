"""Options whose values depend on the players: what is checked, what is refused, what is tried."""

from pathlib import Path

import pytest

from interpreter.errors import WrongOption
from interpreter.game_loading import load
from interpreter.wasm.engine import Wasm
from rulespec import cli
from rulespec.checks import check
from rulespec.source import Source

RULES = """
game "Options"
players 2..5
enum Pace = slow, quick
option cards: 1..6 where it * players <= 12 = 2
option kept: 0..6 where it < cards = 1
option pace: Pace where it == slow or players > 2 = slow
pieces         | copies
  Card(n: 1..12) | 1
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
rule setup
  move box to deck
  shuffle deck
  for p in order(first): move top(deck, cards) to hand[p]
rule play
  for p in order(first)
    p chooses card from hand[p]
    if #hand[p] > kept and pace == slow: move card to box
  end
ranking of p
  most | #hand[p]
"""


@pytest.fixture
def written(tmp_path):
    def write(old="", new=""):
        path = tmp_path / "options.rules"
        path.write_text(RULES.replace(old, new) if old else RULES, "utf-8")
        return path

    return write


def told(path: Path, settings=()):
    source = Source(str(path), path.read_text("utf-8"))
    return check(path, source, (), settings).diagnostics


def test_a_table_has_the_values_that_its_conditions_allow(written):
    path = written()
    assert told(path) == ()
    game = load(path, (), {"cards": "4"})
    assert list(game.players) == [2, 3]
    assert game.machine(3).layout.options["cards"] == 4
    with pytest.raises(WrongOption, match="with 4 players `cards` cannot be 4: it needs `it"):
        game.machine(4)


def test_a_value_may_depend_on_an_option_before_it(written):
    path = written()
    assert list(load(path, (), {"cards": "6", "kept": "5"}).players) == [2]
    (found,) = told(path, (("cards", "2"), ("kept", "2")))
    assert found.message == "no number of players allows `kept = 2`"


def test_members_and_the_fast_engine(written):
    game = load(written(), (), {"pace": "quick"})
    assert list(game.players) == [3, 4, 5]
    engine = Wasm(game.machine(3))
    playing = engine.start(7)
    assert engine.count(playing) == 2
    with pytest.raises(WrongOption, match="`pace` cannot be quick"):
        game.machine(2)


def test_short_games_are_played_with_allowed_values_only(written, capsys):
    assert cli.main(["test", str(written()), "--games", "10", "--secrets", "0"]) == 0
    assert "other options" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "code", "message", "hint"),
    [
        ("12 = 2", "12 = 4", "RS299", "`cards` cannot be 4 with 4, 5 players", "every table"),
        ("it < cards = 1", "it < cards = 2", "RS299", "`kept` cannot be 2", "every table"),
        ("where it <", "where kept <", "RS206", "depends on `kept`", "write `it`"),
        ("where it <", "where #hand <", "RS206", "depends on `hand`", "declared before it"),
        ("where it < cards", "where cards", "RS301", "", ""),
        ("where it < cards", "where cords > 1", "RS201", "`cords`", "did you mean `cards`?"),
        (
            "0..6 where it < cards = 1",
            "0..6 = 1 where it < cards",
            "RS301",
            "stands behind its type",
            "write `option kept: 0..6 where it < cards = 1`",
        ),
    ],
)
def test_what_is_wrong_with_a_condition(  # noqa: PLR0913, PLR0917 - a row of the table
    written, old, new, code, message, hint
):
    found = told(written(old, new))[0]

    assert found.code.number == code
    assert message in found.message
    assert hint in (found.hint or "")


def test_an_option_that_only_a_condition_names_is_used(written):
    free = "option hungry: Bool = no\noption cards: 1..6 where hungry or it * players <= 12 = 2"
    path = written("option cards: 1..6 where it * players <= 12 = 2", free)
    assert told(path) == ()
    path.write_text(path.read_text("utf-8").replace("where hungry or", "where"), "utf-8")

    assert [each.message for each in told(path)] == ["the option `hungry` is never used"]


def test_an_example_at_a_table_that_does_not_allow_its_option_fails(written, capsys):
    example = 'example "Too many"\n  players A, B, C, D\n  expect cards == 4\n'
    path = written()
    path.write_text(RULES + example.replace('"\n', '" with cards = 4\n', 1), "utf-8")

    assert cli.main(["test", str(path), "--games", "0"]) == 1
    assert "with 4 players `cards` cannot be 4" in capsys.readouterr().err
