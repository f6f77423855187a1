"""Examples of rules: what a face, a pick and chance may stand for in them."""

import pytest

from rulespec import cli

GAME = """
game "Flowers"
players 2
use turns
enum Colour = red, blue
enum Weight = heavy, light
pieces                                                                | copies | shown as
  Card(colour: Colour, value: 1..3, bulls = 3 - value, lives = 2)     | 1      | "{colour} {value}"
  Bead(colour = Colour, size = 2)                                     | 1
  Rock(colour: Colour, weight = weights(colour), mass = mass(colour)) | 1      | "{weight} {mass}"
  Flower                            | 3
  Stone                             | 1
zones          | order | seen by
  hand[Player] | pool  | owner
  row          | pool  | everyone
rule setup
  move box[Card] to hand[first]
rule turn(p: Player)
  p chooses card from hand[p] "Which card?"
  throw(card)
  end
table weights(colour: Colour)
  colour => weight
  red    => heavy
  blue   => light
let mass(colour: Colour) = 7 if colour == red else 9
rule ask_twice(p: Player)
  p chooses card from hand[p] "Which card?"
  move card to row
  p may choose other from hand[p] "Another?"
  if other != none: move other to row
rule discard(p: Player)
  p chooses card from hand[p] "Which card?"
  p chooses colour from Colour "Which colour?"
  move card to row
  move top(box[Card][colour = colour]) to row
rule count(p: Player)
  p chooses one from [1] "How many?"
  p chooses more from 0..3 "How many more?"
  p chooses least_of from [more] "At least?"
  move top(box[Stone], one) to row
  move top(box[Flower], max(more, least_of)) to row
rule meet(p: Player)
  p chooses sure from [no] "Sure?"
  p chooses none_of from [0] "How many?"
  p chooses colour from [red] "Which colour?"
  p chooses weights_of from subsets([heavy], 1) "Which weights?"
  p chooses foe from Player "Whom?"
  move top(hand[foe], none_of) to row
  if not sure: move hand[foe] to row
rule throw(card: Piece): move card to row
rule throw_all(cards: set Piece): move cards to row
rule pick(p: Player)
  random found from box
  move found to hand[p]
rule pick_two(p: Player)
  random found from subsets(box, 2)
  move found to hand[p]
rule ask(p: Player)
  p chooses colour from [red] "Which colour?"
  p chooses foe from Player "Whom?"
  move top(hand[foe]) to row
ranking of p
  most | #hand[p]
"""
GIVEN = """
example "this"
  players Ada, Ben
  given hand[Ada] = [red 1, blue 2, Flower]
  given hand[Ben] = [Stone, Flower]
"""
HOLD = {
    "a face in a call": "when throw(red 1)\n  expect row == [red 1] and #hand[Ada] == 2",
    "a kind in a call": "when throw(Stone)\n  expect row == [Stone]",
    "faces in a call": "when throw_all([red 1, blue 2])\n  expect row == [red 1, blue 2]",
    "what is in the box": "when throw(red 3)\n  expect row == [red 3]",
    "knowing a face": "expect knows(Ada, red 1) and not knows(Ben, red 1)",
    "knowing faces": "expect knows(Ada, [red 1, blue 2]) and not knows(Ben, [red 1, Stone])",
    "chance and look-alikes": "when pick(Ada)\n    chance picks Flower\n  expect #hand[Ada][Flower] == 2",
    "chance and several": (
        "given hand[Ben] = [Stone]\n"
        "  when pick_two(Ben)\n    chance picks [Flower, Flower]\n"
        "  expect hand[Ben] == [Stone, Flower, Flower]"
    ),
    "hands are sets, not cards": "expect #[hand[p] for p in Player] == 2 and hand[Ada] in [hand[p] for p in Player]",
    "sets that are equal count once": "expect #[hand[Ada] for p in Player] == 1",
    # Ada is player number 0, and red is member number 0.
    "a pick for a later question": "when ask(Ben)\n    Ben picks Ada of [Ada, Ben]\n  expect #hand[Ada] == 2",
    "a pick that a forced question could take": (
        "given hand[Ben] = [red 3]\n"
        "  when discard(Ben)\n    Ben picks red\n  expect row == [red 3, red 2]"
    ),
    "picks for both questions": (
        "given hand[Ben] = [red 3]\n"
        "  when discard(Ben)\n    Ben picks red\n    Ben picks blue\n  expect row == [red 3, blue 1]"
    ),
    "the same number, forced and asked": "when count(Ben)\n    Ben picks 1\n  expect #row[Flower] == 1",
    "the same number by its options": (
        "when count(Ben)\n    Ben picks 1 of 0..3\n    Ben picks 1\n  expect #row[Flower] == 1"
    ),
    "a number for each question": (
        "when count(Ben)\n    Ben picks 1 of [1]\n    Ben picks 0\n    Ben picks 0\n  expect #row[Flower] == 0"
    ),
    # Ada is player number 0, as `no`, 0, red and heavy are.
    "forced questions of other types": "when meet(Ben)\n    Ben picks Ada\n  expect #hand[Ada] == 0",
    "some of the forced ones are picked": (
        "when meet(Ben)\n    Ben picks 0\n    Ben picks [heavy]\n    Ben picks Ada\n  expect #hand[Ada] == 0"
    ),
    "a face with its attributes": (
        "given hand[Ada] = [Card(colour = red, value = 2), 2 * Card(value = 3)]\n"
        "  when throw(Card(colour = red, value = 2))\n"
        "  expect row == [Card(value = 2)] and hand[Ada] == [red 3, blue 3]"
    ),
    "a computed attribute by its name": "expect box[Card(bulls = 2)] == [blue 1] and #hand[Ada][Card(bulls = 2)] == 1",
    "a set-valued attribute by one of its values": (
        "expect #box[Bead(colour = blue)] == 1 and #box[Bead(colour = red)] == 1"
    ),
    "given values are read": "expect #box[Bead 2] == 1 and #box[Bead red] == 1",
    "computed values are read if they are shown": "expect #box[heavy 7] == 1 and #box[light] == 1",
    "but not for words of a ranged attribute": "expect #box[Card 2] + #hand[Card 2] == 2",
    "pieces and faces, paired": "expect hand[Ada] == [Flower, Card(value = 2), Card(value = 1)]",
    "members and kinds": "expect hand[Ada] == [blue, red, Flower] and hand[Ben] == [Stone, Flower]",
    "as often as is written": "given hand[Ben] = [2 * Flower]\n  expect [2 * Flower] == hand[Ben]",
    "other faces": "expect hand[Ada] != [2 * red, Flower] and hand[Ada] != [red, blue]",
    "a face among pieces": "expect red in hand[Ada] and red not in hand[Ben]",
    "a piece among faces": "expect top(hand[Ben]) in [Stone, Flower]",
    "a piece and a face": "expect top(hand[Ben]) == Flower or top(hand[Ben]) == Stone",
    "a call that stops": "when ask_twice(Ada)\n    Ada picks red 1\n    Ada is asked\n  expect row == [red 1]",
    "a call that stops with its options": (
        "when ask_twice(Ada)\n    Ada picks red 1\n    Ada is asked of [blue 2, Flower, none]\n"
        "  expect #row == 1\n  when throw(Stone)\n  expect row == [red 1, Stone]"
    ),
    "a call that stops at once": "when ask_twice(Ben)\n    Ben is asked of [Stone, Flower]",
}
FAIL = {
    "a face by a computed attribute": (
        "given row = [blue 1]\n  expect row == [Card 2]",
        "expected `row == [Card 2]`; `row` is blue 1",
    ),
    "one face for two pieces": (
        "given hand[Ben] = [2 * Flower]\n  expect hand[Ben] == [Flower]",
        "expected `hand[Ben] == [Flower]`; `hand[Ben]` is Flower, Flower",
    ),
    "a question that nobody said": (
        "when ask_twice(Ada)\n    Ada picks red 1",
        "Ada has to choose here, but no pick says what",
    ),
    "somebody else is asked": (
        "when ask_twice(Ada)\n    Ben is asked",
        "Ada is asked here, not Ben; the options are",
    ),
    "nobody is asked": (
        "when ask_twice(Ada)\n    Ada picks red 1\n    Ada picks none\n    Ada is asked",
        "the call is over, and Ada is not asked",
    ),
    "nobody is asked, as there is a single option": (
        "when ask_twice(Ada)\n    Ada picks red 1\n    Ada picks none\n    Ada is asked",
        "a single option is taken by itself, and nobody is asked",
    ),
    "asked for something else": (
        "when ask_twice(Ben)\n    Ben is asked of [Stone, red 1]",
        "the options are Flower, Stone; expected [Stone, red 1]",
    ),
    # Ada and Ben are players 0 and 1, red and blue are members 0 and 1.
    "players for members": (
        "when ask(Ben)\n    Ben is asked of Colour",
        "the options are Ada, Ben; expected Colour",
    ),
    "look-alikes in two zones": (
        "when throw(Flower)",
        "there are pieces that look like `Flower` in several zones",
    ),
    "more than there are": (
        "when throw_all([red 1, red 1])",
        "there is no other piece that looks like `red 1`",
    ),
    "a pick too few, where forced ones could take it": (
        "given hand[Ben] = [red 3]\n  when discard(Ben)\n    Ben picks red of [red 3]",
        "Ben has to choose here, but no pick says what",
    ),
    "forced ones in another order": (
        "when meet(Ben)\n    Ben picks red\n    Ben picks no\n    Ben picks Ada",
        "`no` is not an option here; the options are Ada, Ben",
    ),
    "a number for a member": (
        "when ask(Ben)\n    Ben picks 0\n    Ben picks Ada",
        "`0` is not an option here",
    ),
}


def run(tmp_path, step):
    path = tmp_path / "flowers.rules"
    path.write_text(f"{GAME}{GIVEN}  {step}\n", "utf-8")
    return cli.main(["test", str(path), "--games", "0"])


@pytest.mark.parametrize("step", HOLD.values(), ids=HOLD)
def test_examples_hold(tmp_path, capsys, step):
    assert run(tmp_path, step) == 0, capsys.readouterr().out
    assert "1 example holds" in capsys.readouterr().out


@pytest.mark.parametrize(("step", "message"), FAIL.values(), ids=FAIL)
def test_examples_fail_with_a_reason(tmp_path, capsys, step, message):
    assert run(tmp_path, step) == 1
    assert message in capsys.readouterr().err
