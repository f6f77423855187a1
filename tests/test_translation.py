"""Expressions and statements in English: the words of a small game, and no code in those of the shipped ones."""

import re
from pathlib import Path

import pytest

from games import GAMES, shipped
from interpreter.game_loading import load_source
from rulespec.checking.declarations import walk
from rulespec.docgen.expressions import context_of, say_condition, say_value
from rulespec.docgen.statements import say_deed
from rulespec.docgen.wording import labels_of
from rulespec.source import Source
from rulespec.syntax import nodes

GAME = """game "Purses"
players 2..4
enum Wax = red, black
pieces | copies
  Card(rank: 1..6) | 4
  Seal(wax: Wax)   | 6
  Coin             | 20
zones           | order | seen by  | holds
  deck          | pile  | nobody   | Card
  hand[Player]  | pool  | owner    | Card
  stock         | pool  | everyone | Seal
  front[Player] | pool  | everyone | Seal
  bank          | pool  | everyone | Coin
state           | type   | start
  coins[Player] | 0..99  | 0
  malice[Player] | 0..99 | 0
  out[Player]   | Bool   | no
  dealer        | Player | first
  marks         | 0..99  | 0
option open_end: Bool = no
called
  front "seals"
  marks untold
"How many black seals there are."
let black_seals = sum(#front[p][black] for p in Player)
let first_points = 4
let rich(p: Player) = coins[p] >= 10
rule setup
  move box[Card] to deck
  move box[Seal] to stock
  move box[Coin] to bank
rule play
  for p in Player: turn(p)
  end
rule turn(p: Player)
  STATEMENT
ranking of p
  most | coins[p]
"""


def declared_with(statement: str):
    source = Source("purses.rules", GAME.replace("STATEMENT", statement))
    return load_source(Path("purses.rules"), source, whole=False).program.declared


def turn_of(declared) -> nodes.Rule:
    return declared.routines["turn"].versions[-1].node


VALUES = {
    "max(0, 9 - black_seals)": "9, less the black seals, but never less than 0",
    "first_points": "4",
    "#hand[p]": "the number of cards in your hand",
    "#stock[black]": "the number of black seals in the stock",
    "#front[p][red]": "the number of your red seals",
    "coins[p] + 2 * #hand[p]": "your coins plus 2 times the number of cards in your hand",
    "sum(#hand[q] for q in Player)": "the number of cards in each player's hand, added up",
    "1 if open_end else 2": "1 if “open end” is agreed, otherwise 2",
}
CONDITIONS = {
    "#hand[p] == 0": "your hand is empty",
    "#hand[p] > 0": "your hand is not empty",
    "not #hand[p] == 0": "your hand is not empty",
    "#deck == 0 or #hand[p] >= 3": "the deck is empty or there are 3 or more cards in your hand",
    "#front[p] == 0": "you have no seal",
    "#front[p][black] > 0": "you have a black seal",
    "#stock[red] == 1": "there is 1 red seal in the stock",
    "coins[p] >= 10": "your coins are at least 10",
    "malice[p] == 0": "your malice is 0",
    "rich(p)": "your coins are at least 10",
    "open_end and out[p]": "“open end” is agreed and you are out",
    "any(out[q] for q in Player)": "at least one player is out",
    "all(#hand[q] == 0 for q in Player)": "every player's hand is empty",
    "dealer == p": "the dealer is you",
    "coins[p] in 1..3": "your coins are from 1 to 3",
}
DEEDS = {
    "coins[p] += 1": "you get a coin",
    "coins[p] -= 2": "you lose two coins",
    "malice[p] += 2": "your malice goes up by 2",
    "coins[p] += #hand[p]": "your coins go up by the number of cards in your hand",
    "marks += 1": "",
    "out[p] = yes": "you are out",
    "dealer = next(p)": "the next player becomes the dealer",
    "move top(deck) to hand[p]": "move the top card of the deck to your hand",
    "move top(deck, 3) to hand[p]": "move the top three cards of the deck to your hand",
    "move top(stock[black]) to front[p]": "move a black seal from the stock to your seals",
    "move hand[p] under deck": "move everything in your hand to the bottom of the deck",
    "move top(deck) to deck at 3": "move the top card of the deck to position 3 of the deck",
    "shuffle deck": "shuffle the deck",
    "reveal hand[p]": "reveal your hand",
    "end": "the game ends",
}


@pytest.mark.parametrize("value", VALUES)
def test_values_are_nouns(value):
    declared = declared_with(f"coins[p] = {value}")
    statement = turn_of(declared).body.lines[0]

    assert (
        say_value(context_of(declared, {}, turn_of(declared).params), statement.value)
        == VALUES[value]
    )


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_are_clauses(condition):
    declared = declared_with(f"if {condition}: end")
    asked = turn_of(declared).body.lines[0].condition

    assert (
        say_condition(context_of(declared, {}, turn_of(declared).params), asked)
        == CONDITIONS[condition]
    )


@pytest.mark.parametrize("deed", DEEDS)
def test_statements_are_what_is_done(deed):
    declared = declared_with(deed)
    statement = turn_of(declared).body.lines[0]

    assert say_deed(context_of(declared, {}, turn_of(declared).params), statement) == DEEDS[deed]


# ---- Everything ----------------------------------------------------------------------------------

CODE = re.compile(r"[_#\[\]{}`=]|\bnone\b(?! of)|\b[Pp]iece|\bthe the\b|\ba a\b|  |\bit's\b")


@pytest.mark.parametrize(("name", "variants"), [(name, variants) for name, variants, _ in GAMES])
def test_no_expression_of_a_shipped_game_is_told_as_code(name, variants):
    declared = shipped(name, variants).program.declared
    labels = labels_of(declared)
    told = []
    for routine in declared.routines.values():
        for part in (*routine.versions, *routine.rows, *routine.before, *routine.after):
            context = context_of(declared, labels, getattr(part.node, "params", ()))
            for node in walk(part.node):
                if isinstance(node, nodes.Expr):
                    told += [say_value(context, node), say_condition(context, node)]
                elif isinstance(node, nodes.Simple):
                    told.append(say_deed(context, node))
    found = [each for each in told if each]

    assert len(found) > 100
    assert [each for each in found if CODE.search(each)] == []
