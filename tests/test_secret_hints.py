"""Leaks whose hint, typed before the leak, leaves nothing to report."""

import re
from pathlib import Path

import pytest

from rulespec.checks import check
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, locate

GAME = """\
game "Well"
players 2..4
pieces              | copies
  Card(worth: 1..9) | 2
zones          | order | seen by
  deck         | pile  | nobody
  open         | pool  | everyone
  hand[Player] | pool  | owner
state            | type  | start
  spiced[Player] | 0..99 | 0
rule setup
  move box[Card] to deck
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]
  for p in Player: move top(deck) to open
rule play
  each p in Player chooses pick[p] from hand[p] "Which?"
"""
ENDING = "  end\nranking of p\n  most | spiced[p]\n"
LEAKS = {
    "a choice that a later loop reads": (
        "  for p in Player\n    if pick[p].worth > 2: spiced[p] += 1\n",
        "RS403",
        "announce told = pick[p].worth > 2",
    ),
    "a condition on such a choice": (
        "  for p in Player\n    if any(c.worth > 2 for c in pick[p]): spiced[p] += 1\n",
        "RS403",
        "announce told = any(c.worth > 2 for c in pick[p])",
    ),
    "a move under such a condition": (
        "  for p in Player\n    if pick[p].worth > 2: move pick[p] to deck\n",
        "RS404",
        "announce told = pick[p].worth > 2",
    ),
    "options that depend on the option": (
        (
            '  first chooses odd from 1..9 where #hand[next(first)][worth = odd] > 0 "Which worth?"\n'
            "  for p in Player: move pick[p] to deck\n"
            "  if odd > 3: end\n"
        ),
        "RS401",
        "show hand[next(first)] to first",
    ),
    "a prompt": (
        (
            "  for p in Player: move pick[p] to hand[p]\n"
            "  shown = top(deck)\n"
            '  first chooses card from hand[first] "Which one, against {shown}?"\n'
            "  move card to deck\n"
        ),
        "RS401",
        "show shown to first",
    ),
    "a player whom the choices of all decide": (
        (
            "  winner = best(pick[q].worth for q in Player)\n"
            '  winner chooses card from open "Which one?"\n'
            "  move card to deck\n"
        ),
        "RS402",
        "for q in Player: reveal pick[q]",
    ),
}


def diagnose(turn: str) -> tuple[Diagnostic, ...]:
    return check(Path("well.rules"), Source("well.rules", GAME + turn + ENDING)).diagnostics


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_has_a_hint_that_can_be_typed_and_works(name: str) -> None:
    turn, code, typed = LEAKS[name]
    (found,) = diagnose(turn)
    lines = turn.splitlines(keepends=True)
    number = locate(found.span)[0].line - GAME.count("\n") - 1
    indent = re.match(" *", lines[number])
    assert indent is not None
    mended = [*lines[:number], f"{indent.group()}{typed}\n", *lines[number:]]

    assert found.code.number == code
    assert found.hint is not None
    assert f"`{typed}`" in found.hint
    assert diagnose("".join(mended)) == ()
