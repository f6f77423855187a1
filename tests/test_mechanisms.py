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


TRICKS = """
game "Bowers"
players 4
enum Suit = clubs, diamonds, hearts, spades
use tricks(trump = hearts)
pieces                         | copies
  Card(suit: Suit, rank: 9..14) | 1
zones           | order | seen by
  deck          | pile  | nobody
  hand[Player]  | pool  | everyone
  trick[Player] | pile  | everyone
state    | type    | start
  alone  | Player? | none
  taken[Player] | 0..9 | 0

override let suit_of(c: Piece) = hearts if c.rank == 11 and c.suit == diamonds else c.suit
override let trick_order(leader: Player) = order(leader) where it != alone
override let chooser(p: Player) = next(next(p)) if alone != none and index(p) % 2 == 1 else p

rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 5) to hand[p]

rule play
  leader = first
  repeat 5
    leader = play_trick(leader)
    taken[leader] += 1
    for p in Player: move trick[p] to deck

ranking of p
  most | taken[p]

example "The left bower follows trump and beats its ace"
  players Ada, Ben, Cleo, Dan
  given hand[Ada] = [hearts 14]
  given hand[Ben] = [diamonds 11, diamonds 9]
  given hand[Cleo] = [diamonds 14]
  given hand[Dan] = [clubs 9]
  when play_trick(Ada)
    Ada picks hearts 14
    Ben picks diamonds 11 of [diamonds 11]
    Cleo picks diamonds 14
    Dan picks clubs 9
  expect result == Ada

example "A partner sits out, and another one plays two hands"
  players Ada, Ben, Cleo, Dan
  given alone = Cleo
  given hand[Ada] = [clubs 14]
  given hand[Ben] = [clubs 9, clubs 10]
  given hand[Cleo] = [clubs 13]
  given hand[Dan] = [spades 9]
  when play_trick(Ada)
    Ada picks clubs 14
    Dan picks clubs 10
    Ben picks spades 9
  expect result == Ada and hand[Cleo] == [clubs 13] and hand[Ben] == [clubs 9]
"""

FOOLS = """
game "Wizards and fools"
players 3
enum Suit = red, blue
use tricks(rank = number, trump = trumps)
pieces                            | copies
  Card(suit: Suit, number: 1..13) | 1
  Card(suit = red, number = 14)   | 1
  Wizard(number = 15)             | 2
  Fool(number = 0)                | 2
zones           | order | seen by
  hand[Player]  | pool  | owner
  trick[Player] | pool  | everyone
state    | type  | start
  trumps | Suit? | none

override let led_by(c: Piece) = led if #trick[Wizard] > 0 else super(c)
override let playable(p: Player) = hand[p] where led == none or #followers(p) == 0 or it.suit == led
  or it.suit == none
override table strength(c: Piece)
  c      => strength
  Wizard => 2000
  *      => super(c)

rule setup
  for p in Player: move top(box, 5) to hand[p]

rule play
  leader = first
  repeat 5: leader = play_trick(leader)

example "After a fool the next card says what to follow, and a fool counts nothing without trumps"
  players Ada, Ben, Cleo
  given hand[Ada] = [Fool]
  given hand[Ben] = [blue 3, red 9]
  given hand[Cleo] = [blue 2, red 8, Wizard]
  when play_trick(Ada)
    Ben picks blue 3 of [blue 3, red 9]
    Cleo picks blue 2 of [blue 2, Wizard]
  expect result == Ben

example "After a wizard everything may be played"
  players Ada, Ben, Cleo
  given trumps = red
  given hand[Ada] = [Wizard]
  given hand[Ben] = [blue 3, red 9]
  given hand[Cleo] = [blue 2, red 14]
  when play_trick(Ada)
    Ben picks blue 3 of [blue 3, red 9]
    Cleo picks red 14 of [blue 2, red 14]
  expect result == Ada
"""

ROUND = """
game "Round and round"
players 4
use rotation
pieces | copies
  Chip | 40
zones            | order | seen by
  kept[Player]   | pool  | everyone
state          | type    | start
  lost[Player] | Bool    | no
enum Act = reverse, skip, more, plain, leave

rule turn(p: Player)
  move top(box) to kept[p]
  p chooses act from Act
  if act == reverse: backwards = not backwards
  if act == skip: skips = 1
  if act == more: again = yes
  if act == leave: lost[p] = yes
  if #box == 0 or all(lost[q] for q in Player): end

override let sits_out(p: Player) = lost[p]

ranking of p
  most | #kept[p]

example "Reverse, skip, once more, and out"
  players Ada, Ben, Cleo, Dan
  when play()
    Ada picks reverse
    Dan picks plain
    Cleo picks skip
    Ada picks more
    Ada picks leave
    Dan picks reverse
    Ben picks leave
    Cleo picks leave
    Dan picks leave
  expect #kept[Ada] == 3 and #kept[Ben] == 1 and #kept[Cleo] == 2 and #kept[Dan] == 3
"""

OUT = """
game "Out"
players 3
use turns
pieces | copies
  Chip | 30
zones          | order | seen by
  kept[Player] | pool  | everyone
rule turn(p: Player)
  p chooses n from 1..2
  move top(box, n) to kept[p]
  if all(sits_out(q) for q in Player): end
override let sits_out(p: Player) = #kept[p] > 2
ranking of p
  most | #kept[p]

example "Whoever has three chips is passed over"
  players Ada, Ben, Cleo
  when play()
    Ada picks 2
    Ben picks 1
    Cleo picks 2
    Ada picks 1
    Ben picks 1
    Cleo picks 2
    Ben picks 2
  expect ended and #kept[Ben] == 4
"""

OWN = """
game "Own decks"
players 2
use decks, turns
pieces              | copies
  Card(value: 1..9) | 2
zones             | order | seen by
  deck[Player]    | pile  | nobody
  discard[Player] | pile  | everyone
  hand[Player]    | pool  | owner
  score[Player]   | pool  | everyone

rule setup
  for p in Player: move top(box, 5) to discard[p]
  deal(3)

rule turn(p: Player)
  p chooses c from hand[p]
  move c to score[p]
  new_hand(p, 3)
  if #score[p] == 4: end

ranking of p
  most | sum(c.value for c in score[p])

example "A deck that runs out is made of the player's own discards"
  players Ada, Ben
  given hand[Ada] = [Card 1, Card 2]
  given deck[Ada] = [Card 9]
  given discard[Ben] = [Card 5]
  when turn(Ada)
    Ada picks Card 1
  expect #hand[Ada] == 2 and #deck[Ada] == 0 and #discard[Ada] == 0 and #discard[Ben] == 1
"""


@pytest.mark.parametrize(
    "text",
    [TRICKS, FOOLS, ROUND, OUT, OWN],
    ids=["tricks", "fools", "rotation", "turns", "decks"],
)
def test_what_games_bring_to_a_mechanism(tmp_path, capsys, text):
    path = tmp_path / "game.rules"
    path.write_text(text, "utf-8")

    assert cli.main(["test", str(path), "--games", "5"]) == 0, capsys.readouterr()
    assert "examples hold" in (out := capsys.readouterr().out) or "1 example holds" in out
