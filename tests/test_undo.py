"""Nobody takes back a choice after learning from it; and whoever has learnt nothing may.

At every question it is told whether the last choice could be taken back. Where it could, the choice is made
again in games that its maker cannot tell from this one: whatever is observed must be the same in all of them.
"""

import random
from collections import Counter
from functools import cache

import pytest

from exchanges import draw_exchange
from games import from_text, shipped
from interpreter import machine
from interpreter.errors import IllegalMove
from interpreter.exchanges import exchange_pieces
from interpreter.options import Decision
from interpreter.session import Seat, begin
from interpreter.views import information, observed
from sizes import tries

GAMES = ("sins.rules", "siegel.rules", "seven7s.rules", "deadlies.rules")
TRIES = 6  # games that cannot be told from the one that is played


def seats_of(game, people=1):
    kinds = ["human"] * people + ["random"] * (game.players[0] - people)
    return [Seat(f"P{n}", kind) for n, kind in enumerate(kinds)]


def count_questions(name, seed, most=400):
    """Play a game, and count at its questions: how often a choice may be taken back, and after learning."""
    game = shipped(name)
    table = begin(game, seats_of(game), seed, keep=False)
    chance = random.Random(seed)  # noqa: S311 - no secret
    figures = Counter()
    for _ in range(most):
        if table.asked is None:
            break
        if table.asked == 0 and any(each.player == "P0" for each in table.match.choices):
            figures["questions"] += 1
            faces_only = not any(
                event.reveals for event in table.match.events[table.since_choice(0) :]
            )
            figures["by faces alone"] += faces_only
            if table.may_undo:
                figures["offered"] += 1
                figures["offered after learning"] += has_learnt(table, chance)
        if table.is_human(table.asked):
            table.choose(chance.randrange(len(table.match.decision.options)))
        else:
            table.bot_move()
    return figures


@cache
def figures_of(name):
    """Of some games together."""
    return sum((count_questions(name, seed) for seed in range(tries(2, soak=4))), Counter())


def has_learnt(table, chance):
    """Whether the first player has observed, since the own last choice, what could have been otherwise."""
    match = table.match
    number = max(n for n, each in enumerate(match.choices) if each.player == "P0")
    since = [event for event in match.events[match.marks[number] :] if event.told & 1]
    if any(event.kind == "chose" and event.data[0] != 0 for event in since):
        return True
    before = match.game.start(match.names, match.seed, match.first)
    for choice in match.choices[:number]:
        before.apply(choice.number)
    seen = [observed(match.engine.layout, event, 0) for event in since]
    question = information(match.engine, match.state, 0).question
    for _ in range(TRIES):
        other = exchange_pieces(
            match.engine, before.state, draw_exchange(match.engine, before.state, 0, chance)
        )
        other.rng = chance.getrandbits(64)
        other.watch.events.clear()
        machine.run(match.engine, other)
        machine.apply(match.engine, other, match.choices[number].number)
        while isinstance(other.pending, Decision) and other.pending.player != 0:
            machine.apply(match.engine, other, chance.randrange(len(other.pending.options)))
        known = information(match.engine, other, 0)
        if list(known.log) != seen or known.question != question:
            return True
    return False


@pytest.mark.parametrize("name", GAMES)
def test_no_choice_is_taken_back_after_learning(name):
    figures = figures_of(name)

    assert figures["questions"] > tries(20, soak=40)
    assert figures["by faces alone"] > 0
    assert figures["offered after learning"] == 0
    # Most of what could be taken back when only faces counted still can be.
    assert figures["offered"] > 0.8 * figures["by faces alone"]


def test_in_siegel_a_prediction_of_a_bot_is_not_heard_for_nothing():
    figures = figures_of("siegel.rules")

    assert figures["offered"] < figures["by faces alone"]


# ---- What may be learnt --------------------------------------------------------------------------

HEAD = """
game "Small"
players 2
pieces             | copies
  Card(rank: 1..6) | 1
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  heap         | pool  | nobody
state    | type   | start
  count  | 0..99  | 0
rule setup
  move box to deck
  shuffle deck
  for p in order(first)
    move top(deck, 2) to hand[p]
rule play
"""
TAIL = """
ranking of p
  most | count
"""

OWN = """
  repeat 2
    first chooses n from 1..3 "How many?"
    count += n
"""
CHOICE_OF_ANOTHER = """
  first chooses n from 1..3 "How many?"
  next(first) chooses m from 1..3 "And you?"
  first chooses k from 1..3 "And now?"
"""
VARIABLE = """
  first chooses n from 1..3 "How many?"
  count = #(hand[next(first)] where it.rank > 3)
  first chooses k from 1..3 "And now?"
"""
NUMBER_OF_MOVES = """
  first chooses n from 1..3 "How many?"
  move hand[next(first)] where it.rank > 3 to heap
  first chooses k from 1..3 "And now?"
"""
CHANCE = """
  first chooses n from 1..3 "How many?"
  random m from 1..6
  count = m
  first chooses k from 1..3 "And now?"
"""
SEALED = """
  each p in order(first) chooses kept[p] from 1..3 "How many?"
"""


def small(play, kinds=("human", "random")):
    game = from_text(HEAD + play.lstrip("\n") + TAIL.lstrip("\n"))
    seats = [Seat(f"P{n}", kind) for n, kind in enumerate(kinds)]
    table = begin(game, seats, seed=3, first=0, keep=False)
    table.choose(0)
    while table.asked is not None and not table.is_human(table.asked):
        table.bot_move()
    return table


def test_what_follows_from_the_own_choice_alone_is_not_learnt():
    table = small(OWN)

    assert table.may_undo
    assert table.undo() == 1
    assert table.match.choices == []


@pytest.mark.parametrize("play", [CHOICE_OF_ANOTHER, VARIABLE, NUMBER_OF_MOVES, CHANCE])
def test_whatever_could_have_been_otherwise_is_learnt(play):
    table = small(play)

    assert table.asked == 0
    assert not table.may_undo
    with pytest.raises(IllegalMove, match="something was learnt since"):
        table.undo()


def test_a_choice_that_nobody_has_heard_of_is_not_learnt():
    three = HEAD.replace("players 2", "players 3")
    sealed = three.replace("rule setup", "  kept[Player] | 0..3 | 0\nrule setup")
    table = begin(
        from_text(sealed + SEALED.lstrip("\n") + TAIL.lstrip("\n")),
        [Seat("Ada"), Seat("Bot", "random"), Seat("Cleo")],
        seed=3,
        first=0,
        keep=False,
    )
    table.choose(0)
    table.bot_move()

    assert table.asked == 2
    assert table.undo() == 2
    assert table.asked == 0


def test_nothing_is_taken_back_when_all_cards_lie_open():
    table = small(OWN)
    table.choose(0)

    assert table.over
    assert not table.may_undo
    with pytest.raises(IllegalMove, match="the game is over"):
        table.undo()
