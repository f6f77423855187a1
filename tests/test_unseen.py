"""Games that the language was not made for, written from its pages alone: they run, and what stopped them once is mended.

Each file in `unseen/` is such a game, by a kind that is not on the shelf: climbing, fishing, bluffing, hints, a solitaire.
"""

from pathlib import Path

import pytest

from games import at_random, from_text
from interpreter.game_loading import load
from interpreter.labels import piece_label
from interpreter.trials import Wish, try_file
from interpreter.worlds import Mind, sampler
from lockstep import assert_in_step, assert_whole_games
from rulespec.checks import check
from rulespec.loading import read
from sizes import few_alone, some
from story_games import listen, texts

UNSEEN = sorted((Path(__file__).parent / "unseen").glob("*.rules"))
KNOWN = {"RS352"}  # a set of cards that beats another one has to be looked for among all


def test_there_are_games():
    assert len(UNSEEN) >= 7


@pytest.mark.parametrize("path", UNSEEN, ids=lambda path: path.stem)
def test_a_game_is_clean_and_its_examples_hold(path: Path) -> None:
    trial = try_file(path, read(str(path)), Wish(games=0))

    assert {each.code.number for each in check(path, read(str(path))).diagnostics} <= KNOWN
    assert not trial.findings
    assert trial.examples >= 1


@pytest.mark.parametrize("path", few_alone(UNSEEN, 4))
def test_a_game_is_played_alike_on_both_engines(path: Path) -> None:
    game = load(path)
    for players in {game.players[0], game.players[-1]}:
        assert assert_in_step(game, players, 5, at_random(5)) > 0


@pytest.mark.soak
@pytest.mark.parametrize("path", UNSEEN, ids=lambda path: path.stem)
def test_whole_games_are_the_same_on_both_engines(path: Path) -> None:
    game = load(path)
    for players in game.players:
        assert_whole_games(game, players, range(some(40)))


# ---- What stopped them ---------------------------------------------------------------------------

COINS = """\
game "Coins"
players 2
enum Metal = copper, gold
pieces                               | copies
  Coin(metal = copper, worth = 1)    | 2
  Coin(metal = gold, worth = 3)      | 2
  Coin(metal = gold, worth = 5)      | 1
  Seal(colour = copper, holder: Player) | 1
zones          | order | seen by
  hand[Player] | pool  | owner
rule setup
  for p in Player: move top(box, 2) to hand[p]
rule play
  for p in Player
    p chooses coin from hand[p] "Which coin?"
    move coin to box
ranking of p
  most | #hand[p]
example "A piece of a player is called by name"
  players Ada, Ben
  given hand[Ada] = [Seal(holder = Ben), gold 3]
  expect hand[Ada] == [Seal(holder = Ben), Coin(worth = 3)]
  expect Seal(holder = Ada) not in hand[Ada]
"""


def test_pieces_of_fixed_rows_are_told_apart_by_what_differs_between_the_rows() -> None:
    layout = from_text(COINS).machine(2).layout

    labels = [piece_label(layout, piece, ("Ada", "Ben")) for piece in range(len(layout.pieces))]
    coins = ["copper 1", "copper 1", "gold 3", "gold 3", "gold 5"]
    assert labels == [*coins, "Ada", "Ben"]


def test_an_example_names_pieces_by_the_player_whom_they_belong_to(tmp_path: Path) -> None:
    path = tmp_path / "coins.rules"
    path.write_text(COINS, encoding="utf-8")

    trial = try_file(path, read(str(path)), Wish(games=5))

    assert not trial.findings
    assert trial.examples == 1


BIG_TWO = UNSEEN[0].parent / "big_two.rules"


def test_cards_that_lie_open_are_not_what_somebody_chose_unseen() -> None:
    match, policy = load(BIG_TWO).start(4, 3), at_random(3)
    for _ in range(12):
        assert match.decision is not None
        match.apply(policy(match.decision))
    told = [text for player in (0, 1) for text in texts(listen(match, player))]

    cleared = [text for text in told if "into the cards played" in text]
    assert cleared
    assert not [text for text in told if text.count("plays") > 1]


def test_thought_is_not_stopped_by_the_bounds_of_costs() -> None:
    game = load(BIG_TWO)
    match = game.start(4, 1)
    assert match.decision is not None
    known = match.information(match.decision.player)

    assert isinstance(sampler(game.machine(4), known, 1, patient=False), Mind)
