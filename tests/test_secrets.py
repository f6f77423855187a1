"""Nobody is told what they do not know: not by a view, a prompt or options, nor by being asked.

The judge finds in play the leaks planted in `mutants_information.py`, which only the check of visibility
keeps out; how it judges is tested in `test_judge.py`.
"""

import random
from collections import defaultdict
from typing import Any

import pytest

from games import TABLES, Table, at_random, decisions, engine_of, from_text
from interpreter import machine, playthroughs
from interpreter.judge import Leak, judge
from interpreter.machine import Machine, build_machine
from interpreter.match import Match
from interpreter.options import Decision
from interpreter.state import State
from interpreter.views import information, view
from mutants_information import MUTANTS
from rulespec import loading
from rulespec.core.types import Piece, Several, present
from rulespec.source import Source
from sizes import few, few_alone
from unchecked import unchecked

LONGEST = 250  # decisions; some planted leaks make a game that never ends


def some_decisions(engine: Machine, seed: int, share: float) -> list[State]:
    """Some of the decisions of a random game."""
    chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    s = machine.start(engine, seed, watched=True)
    return [
        state.clone()
        for state in decisions(engine, s, at_random(seed), LONGEST)
        if isinstance(state.pending, Decision) and chance.random() < share
    ]


# ---- The shipped games ---------------------------------------------------------------------------


@pytest.mark.parametrize("table", few_alone(TABLES, 6), ids=str)
def test_players_are_offered_only_pieces_that_they_can_name(table: Table) -> None:
    engine = engine_of(table)
    offered = 0
    for seed in range(2):
        for s in some_decisions(engine, seed, 0.5):
            for value in s.pending.options[:30]:
                for piece in pieces_in(value, s.pending):
                    offered += 1
                    assert s.watch.knows(s, s.pending.player, (piece,))

    # In The Sins, and what extends it, sins are chosen, and no pieces.
    assert offered or table[0].endswith(("sins.rules", "indulgence.rules"))


def pieces_in(value: Any, decision: Decision) -> tuple[int, ...]:
    inner = present(decision.of)
    while isinstance(inner, Several):
        inner = present(inner.of)
    if value is None or not isinstance(inner, Piece):
        return ()
    return value if isinstance(value, tuple) else (value,)


# ---- Information ---------------------------------------------------------------------------------

TINY = """\
game "Tiny"
players 2..2
enum Suit = clubs, hearts
pieces                          | copies
  Card(suit: Suit, value: 1..2) | 1
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  table_cards  | pool  | everyone
  shown        | pile  | top
state   | type  | start
  named | Suit? | none
rule setup
  move box to deck
  shuffle deck
  for p in order(first): move top(deck) to hand[p]
rule play
  for p in order(first)
    {turn}
"""
TURNS = (
    "p chooses c from hand[p] + table_cards; move c to table_cards; move top(deck) to hand[p]",
    "p may choose s from Suit; named = s; move top(deck) to shown; move top(hand[p]) to shown",
    "move top(deck) to hand[p]; p chooses c from hand[p]; move c under deck; shuffle deck",
    "show top(deck) to p; p chooses b from Bool; reveal top(deck); move top(deck) to hand[p]",
    "random c from hand[next(p)]; move c to hand[p]; p may choose d from hand[p]; move d to deck",
    "each q in Player chooses x[q] from 1..2; p chooses c from hand[p] + top(shown); move c to shown",
)


@pytest.mark.parametrize("turn", TURNS)
def test_what_a_player_has_observed_determines_what_the_player_is_asked(turn: str) -> None:
    game = from_text(TINY.format(turn="\n    ".join(turn.split("; "))))
    asked: dict[Any, set[Any]] = defaultdict(set)
    count = 0
    for seed in range(400):
        match = game.start(2, seed)
        policy = at_random(seed)
        while match.decision is not None:
            count += 1
            known = match.information(match.decision.player)
            assert known.question is not None
            asked[known.player, known.first, known.log].add(known.question)
            match.apply(policy(match.decision))

    assert count > 2 * len(asked)
    assert all(len(questions) == 1 for questions in asked.values())


def test_views_and_information_never_name_a_hidden_piece() -> None:
    game = from_text(TINY.format(turn="p chooses b from Bool"))
    match: Match = game.start(2, 3, first=0)
    zones = {zone.name: zone for zone in match.view(0).zones}

    assert [card.text for card in zones["deck"].cards] == [None, None]
    assert [card.text for card in zones["hand[Player 2]"].cards] == [None]
    assert [card.text for card in zones["hand[Player 1]"].cards] != [None]


# ---- Planted leaks are played --------------------------------------------------------------------

REAL = [n for n, mutant in enumerate(MUTANTS) if not mutant[5].startswith("Stricter")]
STRICTER = [n for n, mutant in enumerate(MUTANTS) if mutant[5].startswith("Stricter")]


def plant(number: int) -> list[Machine]:
    """A planted leak as it would be played if nobody looked for leaks, with few players and more."""
    name, old, new = MUTANTS[number][:3]
    text = loading.read(name).text
    place = text.index(old)
    source = Source(name, text[:place] + new + text[place + len(old) :])
    code = unchecked(loading.find_rules(name), source)
    return [
        build_machine(code, players)
        for players in range(code.least_players, code.least_players + 2)
    ]


def find_leak(engines: list[Machine], games: int, pairs: int) -> Leak | None:
    """A secret that is told in one of so many pairs of games."""
    for engine in engines:
        played = (
            playthroughs.play(engine, seed, playthroughs.at_random(seed), LONGEST)
            for seed in range(1, games + 1)
        )
        for verdict in judge(engine, played, pairs, 1, None):
            if verdict.leaks:
                return verdict.leaks[0]
    return None


@pytest.mark.parametrize("number", few(REAL, 10))
def test_a_planted_leak_tells_a_secret_when_it_is_played(number: int) -> None:
    assert find_leak(plant(number), 40, 800) is not None


@pytest.mark.parametrize("number", few(STRICTER, 3))
def test_what_is_refused_though_it_tells_nothing_new_tells_nothing_new(number: int) -> None:
    assert find_leak(plant(number), 3, 30) is None


def test_most_planted_leaks_are_real() -> None:
    assert len(REAL) > 2 * len(STRICTER)


# ---- Observation ---------------------------------------------------------------------------------


def test_a_hidden_piece_that_leaves_a_pool_takes_the_knowledge_of_all_of_them_with_it() -> None:
    turn = "reveal hand[p]\n    move top(deck) to hand[p]\n    random c from hand[p]\n    move c to deck"
    turn += "\n    p chooses b from Bool"
    match = from_text(TINY.format(turn=turn)).start(2, 5, first=0)
    watch, s = match.state.watch, match.state
    fam = match.engine.layout.zone_families["hand"]
    (left,) = s.zones[fam.base]

    assert watch.knows(s, 0, (left,))
    assert not watch.knows(s, 1, (left,))


def test_what_was_shown_is_displayed_until_that_player_has_chosen() -> None:
    turn = "show top(deck) to p\n    p chooses b from Bool\n    p chooses c from Bool"
    match = from_text(TINY.format(turn=turn)).start(2, 5, first=0)

    def top_of_deck(player: int) -> str | None:
        zones = {zone.name: zone for zone in view(match.engine, match.state, player).zones}
        return zones["deck"].cards[0].text

    assert top_of_deck(0) is not None
    assert top_of_deck(1) is None
    match.apply(0)
    assert top_of_deck(0) is None
    # But who forgets nothing still knows it.
    assert match.state.watch.knows(match.state, 0, (match.state.zones[1][0],))


def test_a_zone_seen_by_its_top_shows_only_the_top() -> None:
    turn = "move top(deck) to shown\n    p chooses b from Bool"
    match = from_text(TINY.format(turn=turn)).start(2, 5, first=0)
    match.apply(0)
    zones = {zone.name: zone for zone in match.view(1).zones}

    assert [card.text is None for card in zones["shown"].cards] == [False, True]
    # Both were once on top.
    assert match.state.watch.knows(match.state, 1, match.state.zones[4])


def test_information_begins_with_the_seat_and_who_is_first() -> None:
    match = from_text(TINY.format(turn="p chooses b from Bool")).start(2, 5, first=1)
    known = information(match.engine, match.state, 0)

    assert (known.player, known.first) == (0, 1)
    assert known.question is None
