"""Examples of rules: what a face, a pick and chance may stand for in them."""

import pytest

from rulespec import cli

GAME = """
game "Flowers"
players 2
use turns
enum Colour = red, blue
pieces                              | copies
  Card(colour: Colour, value: 1..3) | 1
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
}
FAIL = {
    "look-alikes in two zones": (
        "when throw(Flower)",
        "there are pieces that look like `Flower` in several zones",
    ),
    "more than there are": (
        "when throw_all([red 1, red 1])",
        "there is no other piece that looks like `red 1`",
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
