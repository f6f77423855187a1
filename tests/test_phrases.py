"""How commands put things: numbers with their nouns, columns that keep apart, names for what is counted."""

import re

import pytest

from games import from_text
from interpreter.alike import open_parts
from interpreter.display_names import Listener, name_pieces
from interpreter.lab import texts
from interpreter.labels import piece_label
from interpreter.transcript import Choice, Transcript
from interpreter.trials import Counterexample
from rulespec.cli import fault_reports, main
from rulespec.core import tree

ALONE = """\
game "Alone"
players 1
pieces             | copies
  Card(rank: 1..6) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
rule setup
  move box to hand[first]
rule play
  first chooses c from hand[first] "Which card?"
  move c to box
ranking of p
  most | 1 if #hand[p] > 0 else 0
  most | #hand[p] - 1
"""


@pytest.fixture
def alone(tmp_path, monkeypatch):
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alone.rules").write_text(ALONE, "utf-8")
    return "alone.rules"


@pytest.mark.parametrize(
    "words",
    [
        "test {} --games 2",
        "simulate {} --games 2 --sample 2 --jobs 1",
        "compile {}",
        "watch {} --once --jobs 1",
    ],
)
def test_who_plays_alone_is_one_player(alone, capsys, words):
    assert main(words.format(alone).split()) == 0
    told = capsys.readouterr()
    assert "1 player" in told.out
    assert "1 players" not in told.out + told.err


def test_a_wrong_number_of_players_is_told_for_one(alone, capsys):
    assert main(["play", alone, "--players", "2"]) == 2
    assert "is for 1 player, not for 2" in capsys.readouterr().err


def test_wide_numbers_do_not_touch_what_follows():
    found = {"mean": 11170.18, "low": 11170.18, "high": 11170.18}
    row = texts._mean_row("score", found, "from 1692 to 20000")  # noqa: SLF001 - one line of a report

    assert "11170.18 from 1692" in row


def test_what_is_ranked_by_has_a_name(alone, capsys, tmp_path):
    assert (
        main(
            ["play", alone, "--plain", "--seat", "A=random", "--seed", "1", "--record", "game.txt"]
        )
        == 0
    )
    told = capsys.readouterr().out
    assert re.search(r"points\n1  A +1  wins", told)
    assert "#hand" not in told.partition("The game is over")[2].replace("| #hand", "")
    assert main(["replay", "game.txt"]) == 0
    assert re.search(r"points\n1  A +1  wins", capsys.readouterr().out)
    assert (tmp_path / "game.txt").exists()


def test_a_long_game_that_goes_wrong_is_shown_by_its_ends():
    choices = tuple(Choice("Ada", n % 3, f"option {n}") for n in range(384))
    record = Transcript("mine.rules", "1b88", (), (), ("Ada",), None, 7, choices)
    told = fault_reports._told(Counterexample(record, None), None)  # noqa: SLF001 - what is printed of it

    assert told.startswith("The shortest game found that goes wrong has 1 player and 384 choices:")
    assert "option 0" in told
    assert "option 11" in told
    assert "… 360 choices more; `--save FILE` keeps them all" in told
    assert "option 12\n" not in told
    assert "option 383" in told
    assert len(told.splitlines()) < 40


@pytest.mark.parametrize(
    "seats",
    [
        ["--seat", "random", "--seat", "greedy:1"],
        ["--seat", "random,greedy:1"],
        ["--seats", "random,greedy:1"],
    ],
)
def test_seats_are_called_alike_everywhere(capsys, seats):
    words = ["simulate", "sins.rules", "--games", "1", "--sample", "0", "--jobs", "1", *seats]

    assert main(words) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "wins, seat" in line]
    assert [row.split()[-1] for row in rows] == ["random", "greedy:1"]


@pytest.mark.parametrize("command", ["play", "simulate", "compare", "sweep"])
def test_help_knows_one_name_for_seats(capsys, command):
    main([command, "--help"])
    told = capsys.readouterr().out

    assert "--seat " in told
    assert "--seats" not in told


ROCKETS = """\
game "Rockets"
players 2
enum Colour = pink, blue
enum Suit = Colour, rocket
pieces                             | copies
  Card(suit: Colour, number: 1..3) | 1
  Card(suit = rocket, number: 1..2) | 1
  Card(suit = rocket, number = 9)  | 1
  Card(suit = Colour, number = 7)  | 1
  Task(suit: Colour, worth = 3)    | 1
  Token                            | 2
zones | order | seen by
  row | pool  | everyone
rule play: move box to row
ranking of p
  most | #row
"""


def test_pieces_are_told_from_others_of_their_kind_by_what_all_rows_say():
    layout = from_text(ROCKETS).machine(2).layout
    shown = [piece_label(layout, piece) for piece in range(len(layout.pieces))]

    assert shown[:6] == ["pink 1", "pink 2", "pink 3", "blue 1", "blue 2", "blue 3"]
    assert shown[6:10] == ["rocket 1", "rocket 2", "rocket 9", "7"]
    assert shown[10:] == ["pink", "blue", "Token", "Token"]


BIDS = """\
game "Bids"
players 2
pieces | copies
  Card(number: 1..4) | 2
zones        | order | seen by
  hand[Player] | pool | owner
state | type | start
  bid | 0..9 | 0
let higher = min(n for n in 1..20 where n > bid)
rule setup
  for p in Player: move top(box, 4) to hand[p]
rule play
  number = higher
  first chooses a from Bool "Do you bid {number}?"
  first chooses b from 0..3 "More than {bid}?"
  own = #hand[first][number = 1]
  first chooses c from 0..3 "Do you have more than {own}?"
  bid = 1
ranking of p
  most | bid
"""


def test_questions_are_told_with_the_values_that_all_know():
    code = from_text(BIDS).machine(2).layout.code
    asked = [each for each in code.blocks["play"].code if isinstance(each, tree.Choose)]

    assert [len(open_parts(code, each.origin)) for each in asked] == [1, 1, 0]


KINGS = """\
game "Kings"
players 2
enum Rank = king, gula, seven
pieces             | copies
  Card(rank: Rank) | 3
zones | order | seen by
  row | pool  | everyone
called
  king  "king", "kings"
  seven "seven", "sevens"
rule play: move box to row
ranking of p
  most | #row
"""


def test_a_member_with_a_plural_is_a_noun():
    layout = from_text(KINGS).machine(2).layout
    to = Listener(layout, None, None)

    assert name_pieces(to, [0, 1, 3, 4, 6]) == "two kings, two gula and a seven"
