"""Warnings about what was probably forgotten: they are given, and only then."""

import pytest

from rulespec.checks import check
from rulespec.loading import GAMES
from rulespec.source import Source

GAME = """
game "Well"
players 2
pieces          | copies
  Card(n: 1..9) | 1
zones          | order | seen by
  deck         | pile  | {seen}
  discard      | pile  | everyone
  hand[Player] | pool  | owner
rule setup
  {setup}
rule play
  {play}
  for p in Player: move top(deck) to hand[p]
  move hand[first] to discard
rule mix(z: Zone): shuffle z
always fine: #discard < 99
ranking of p
  most | #hand[p]
"""
FILL = "move box to deck"
FORGOTTEN = {
    "never": ("nobody", FILL, "nothing"),
    "only a used-up deck": (
        "nobody",
        FILL,
        "if #deck == 0\n    move discard to deck\n    shuffle deck",
    ),
    "another pile": ("nobody", f"{FILL}\n  shuffle discard", "nothing"),
}
FINE = {
    "right away": ("nobody", f"{FILL}\n  shuffle deck", "nothing"),
    "later": ("nobody", FILL, "shuffle deck"),
    "in another rule": ("nobody", f"{FILL}\n  mix(deck)", "nothing"),
    "before": (
        "nobody",
        "move box to discard\n  shuffle discard\n  move discard to deck",
        "nothing",
    ),
    "drawn by chance": (
        "nobody",
        "random cards from subsets(box, 5)\n  move cards to deck",
        "nothing",
    ),
    "everybody sees it": ("everyone", FILL, "nothing"),
    "when it is empty, out of the box": (
        *("nobody", "nothing"),
        "if #deck == 0\n    move box to deck\n    shuffle deck",
    ),
}


def warned(seen, setup, play):
    text = GAME.format(seen=seen, setup=setup, play=play)
    found = check(GAMES / "test.rules", Source("test.rules", text)).diagnostics
    return [each.code.number for each in found if each.code.number != "RS203"]


@pytest.mark.parametrize("rules", FORGOTTEN.values(), ids=FORGOTTEN)
def test_a_deck_that_nobody_shuffles_is_told(rules):
    assert warned(*rules) == ["RS508"]


@pytest.mark.parametrize("rules", FINE.values(), ids=FINE)
def test_a_deck_that_is_in_no_known_order_is_fine(rules):
    assert warned(*rules) == []
