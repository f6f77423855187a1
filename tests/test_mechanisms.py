"""Mechanisms that come with rulespec and that no shipped game uses: a small game with examples uses them."""

import pytest

from rulespec import cli

SHED = """
game "Shed"  -- whoever has no card left wins
players 2 clockwise
use turns
use dealing
use melds(suit = colour, rank = value)
use press(step = turn_up)
use duel(answer = red, blow = 2)

enum Colour = red, blue
pieces                              | copies
  Card(colour: Colour, value: 1..6) | 1
zones          | order | seen by
  deck         | pile  | nobody
  discard      | pile  | everyone
  hand[Player] | pool  | owner
  played       | pile  | everyone
  row          | pool  | everyone

rule setup
  move box to deck
  shuffle deck
  deal(3)

rule turn(p: Player)
  way = shed(p)
  if way == run: duel(p, next(p))
  if way == single
    outcome = press(p)
    move row to discard
    if outcome == bust: draw(hand[p], 1)
  move played to discard
  if #hand[p] == 0: end

rule turn_up(p: Player): draw(row, 1)
table verdict
  #row | #row[red] | #deck + #discard => verdict
  *    | 2+        | *                => bust
  3+   | *         | *                => full
  *    | *         | 0                => must_stop
  2    | *         | *                => may_stop
  *    | *         | *                => go_on

ranking of p
  fewest | #hand[p]

example "A run, and a duel that goes to and fro"
  players Ada, Ben
  given hand[Ada] = [blue 1, red 2, red 5]
  given hand[Ben] = [red 6]
  given deck = [blue 3, blue 4, blue 5, blue 6, red 3, red 4]
  when turn(Ada)
    Ada picks run of [single, flush, run]
    Ada picks [blue 1, red 2] of [[blue 1, red 2]]
    Ada picks red 2 of [red 2]
    Ben picks red 6 of [red 6, none]
    Ada picks red 5 of [red 5, none]
    Ben picks none of [red 3, red 4, none]
  expect hand[Ben] == [blue 3, blue 4, red 3, red 4] and hand[Ada] == [blue 5, blue 6]
  expect discard == [red 2, blue 1, red 5, red 6]

example "The only card that can be drawn ends a duel"
  players Ada, Ben
  given hand[Ada] = [blue 1, red 2, red 5]
  given hand[Ben] = [red 6, blue 6]
  when turn(Ada)
    Ada picks run
    Ada picks [blue 1, red 2]
    Ben picks red 6 of [red 6, none]
  expect hand[Ada] == [red 5, red 6] and hand[Ben] == [blue 6]

example "Cards are turned up until two are red"
  players Ada, Ben
  given hand[Ada] = [blue 1, blue 6]
  given hand[Ben] = [red 6]
  given deck = [blue 3, red 1, red 3, red 4]
  when turn(Ada)
    Ada picks single of [single, flush]
    Ada picks [blue 1]
    Ada picks yes of [yes, no]
  expect hand[Ada] == [blue 6, red 4]
"""


@pytest.fixture
def shed(tmp_path):
    path = tmp_path / "shed.rules"
    path.write_text(SHED, "utf-8")
    return str(path)


def test_shedding_pushing_ones_luck_and_duels(shed, capsys):
    assert cli.main(["check", shed]) == 0
    assert cli.main(["test", shed, "--games", "30", "--seed", "1"]) == 0
    assert "3 examples hold" in capsys.readouterr().out
