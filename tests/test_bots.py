"""Bots choose well where it is known what is good, think ahead, and keep to their budget."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import evolve

from games import from_text, shipped
from interpreter.bots import (
    KINDS,
    LEVELS,
    find_dangers,
    hurried,
    imagination,
    is_timed,
    make_bot,
    remembers,
)
from interpreter.bots.imagination import Budget, Imagination
from interpreter.bots.pondering import CHUNK, OptionTally, _promising, conclude
from interpreter.caching import keep_watched
from interpreter.dice import Dice
from interpreter.game_loading import load_source
from interpreter.lab.bot_games import seat_bots
from interpreter.machine import rank
from interpreter.match import Game
from interpreter.session import Seat, Session
from interpreter.shown.hints import BLIND, SHALLOW, tell_bot_advice
from interpreter.views import information
from interpreter.wasm.engine import Wasm
from interpreter.wasm.program_analysis import Unsupported
from interpreter.worlds import Mind
from rulespec.source import Source
from wasm_node import NodeHost

HEAD = """\
game "Small"
players 2..2
state           | type  | start
  score[Player] | 0..99 | 0
ranking of p
  most | score[p]
"""

# One number of many is good.
NEEDLE = """
rule play
  first chooses number from 0..30 "Which?"
  if number == 17: score[first] = 9
  for p in others(first): score[p] = 5
"""

# Whoever dares wins nine times of ten, if the other one does not look.
TRAP = """
rule play
  first chooses dares from Bool "Dare?"
  for p in others(first)
    if dares
      p chooses number from 0..9 "Which?"
      score[first] = 0 if number == 7 else 9
      score[p] = 5
    else
      random luck from 1..10
      score[first] = 9 if luck <= 6 else 0
      score[p] = 5
"""


def advice_of(word: str, game: Game, seed: int = 1):
    match = game.start(2, seed=3, first=0)
    return make_bot(word, game, 2, seed).advise(match.information(0))


@pytest.mark.parametrize("seed", range(3))
def test_search_finds_the_one_good_option_of_many(seed):
    assert advice_of("search:150", from_text(HEAD + NEEDLE), seed).choice == 17


@pytest.mark.parametrize("seed", range(3))
def test_search_expects_an_answer_and_greedy_does_not(seed):
    game = from_text(HEAD + TRAP)
    options = [text for _, text in game.start(2, 3, 0).information(0).question.options]
    dared = {
        word: options[advice_of(word, game, seed).choice] for word in ("greedy:30", "search:600")
    }

    assert dared == {"greedy:30": "yes", "search:600": "no"}


def test_the_same_seed_gives_the_same_advice():
    game = shipped("sins.rules")
    first, second = (advice_of("search:40", game) for _ in range(2))

    assert first == second


def test_the_levels_are_the_same_every_time_unless_the_clock_ends_them(monkeypatch):
    monkeypatch.setattr(imagination, "time", SimpleNamespace(monotonic=lambda: 0.0))
    game = shipped("siegel.rules")
    match = game.start(3, seed=3)
    known = match.information(match.decision.player)
    for word in LEVELS:
        hasty = hurried(word, 20)
        first, second = (make_bot(hasty, game, 3, 1).advise(known) for _ in range(2))

        assert first == second
        assert first.games


def test_who_makes_others_wait_thinks_less_and_less():
    limits = [hurried("hard", before).split(":") for before in range(30)]
    games = [int(each[1]) for each in limits]
    seconds = [float(each[2].removesuffix("s")) for each in limits]

    assert games == sorted(games, reverse=True)
    assert games[0] > 10 * games[-1] > 0
    assert seconds == sorted(seconds, reverse=True)
    assert [hurried(word, 9) for word in (*KINDS, "search:20", "search:2s")] == [
        *KINDS,
        "search:20",
        "search:2s",
    ]


def test_what_looks_at_the_clock_and_what_remembers():
    words = ("easy", "normal", "greedy:3", "search", "search:9", "search:9s", "search:9:2s")

    assert [word for word in words if is_timed(word)] == [
        "normal",
        "search",
        "search:9s",
        "search:9:2s",
    ]
    assert [word for word in words if remembers(word)] == ["search", "search:9s"]


def test_search_keeps_to_its_games():
    assert advice_of("search:50", shipped("seven7s.rules")).games == 50


@pytest.mark.parametrize("name", ["sins.rules", "seven7s.rules", "siegel.rules", "deadlies.rules"])
def test_who_looks_at_the_clock_stops_when_the_time_is_over(name, monkeypatch):
    """A clock that goes on a little whenever it is looked at: a few games are thought of between two looks."""
    game = shipped(name)
    players = game.code.least_players
    match = game.start(players, seed=3)
    for _ in range(30):
        match.apply(0)
    looks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: next(looks) / 1000)
    monkeypatch.setattr(imagination, "time", clock)
    bot = make_bot("search:0.2s", game, players, 1)
    advice = bot.advise(match.information(match.decision.player))

    assert 0 < advice.games <= 200 * CHUNK
    assert 200 <= next(looks) <= 204


def test_half_of_the_options_are_given_up_again_and_again():
    rows = [(4.0, number / 8 * 4) for number in range(8)]
    mind = SimpleNamespace(tallies=lambda count: rows[:count])
    left = [_promising(mind, list(range(8)), used) for used in (0.0, 0.34, 0.67, 0.99)]

    assert [len(each) for each in left] == [8, 4, 2, 2]
    assert left[1] == [7, 6, 5, 4]


def test_a_lucky_try_is_no_advice():
    tallies = {0: OptionTally(10, 6.0), 1: OptionTally(10, 5.5), 2: OptionTally(1, 1.0)}
    advice = conclude(Dice(1), 3, tallies, 21, 1)

    assert advice.choice == 0


# Whoever stops ends the game; whether that loses may be open, or hidden.
BRINK = """
rule play
  first chooses stops from Bool "Stop?"
  if stops
    for p in others(first): score[p] = 5
    {luck}
    end
  for p in others(first)
    p chooses number from 0..3 "Which?"
    score[p] = number
  score[first] = 2
"""
LUCK = """random luck from 1..2
    if luck == 1: score[first] = 9"""


def dangers_of(luck):
    game = from_text(HEAD + BRINK.format(luck=luck))
    match = game.start(2, seed=3, first=0)
    found = find_dangers(game, 2, match.information(0), 1)
    return {match.decision.text(number) for number in found}


def test_what_ends_the_game_and_loses_it_is_dangerous():
    assert dangers_of("score[first] = 4") == {"yes"}


@pytest.mark.parametrize("luck", ["score[first] = 9", "score[first] = 5", LUCK])
def test_what_may_win_or_share_is_not(luck):
    assert dangers_of(luck) == set()


def test_where_everything_loses_nothing_is_asked():
    lost = """
rule play
  first chooses number from 0..3 "Which?"
  for p in others(first): score[p] = 5
"""
    game = from_text(HEAD + lost)
    known = game.start(2, seed=3, first=0).information(0)

    assert find_dangers(game, 2, known, 1) == frozenset()


def test_advice_tells_how_many_games_were_won_and_with_how_much():
    advice = advice_of("search:150", from_text(HEAD + NEEDLE))
    best = advice.estimates[0]

    assert (best.number, best.won, best.points) == (17, 1.0, 9.0)
    assert {(each.won, each.points) for each in advice.estimates[1:]} == {(0.0, 0.0)}


# ---- Together ------------------------------------------------------------------------------------

# All win or lose together: who goes first has to leave eight lamps within reach of the other.
TOGETHER = """\
game "Eight together"
players 2
state   | type  | start
  lamps | 0..99 | 0

rule play
  first chooses number from 0..6 "How many?"
  lamps = number
  for p in others(first)
    p chooses more from 0..2 "How many more?"
    lamps += more

ranking of p
  won | lamps == 8
"""

# Whoever is chosen gets a point for the side: one of the three others is a partner.
PARTNERS = """\
game "Give to your partner"
players 4
enum Side = shore "Shore", sea "Sea"
teams Side
state         | type  | start
  score[Side] | 0..99 | 0

rule play
  for p in order(first)
    p chooses friend from others(p) "Who gets a point?"
    score[team(friend)] += 1

ranking of side
  most | score[side]
"""


@pytest.mark.parametrize("word", ["greedy:40", "search:200"])
@pytest.mark.parametrize("seed", range(2))
def test_who_wins_with_all_others_helps_them(word, seed):
    game = from_text(TOGETHER)
    match = game.start(2, seed=3, first=0)
    for player in (0, 1):
        known = match.information(player)
        match.apply(make_bot(word, game, 2, seed).advise(known).choice)

    assert [match.result().ended(player) for player in (0, 1)] == ["won", "won"]


FAR_OFF = """
game "Far off"
players 2
pieces              | copies
  Card(value: 1..8) | 2
zones          | order | seen by
  hand[Player] | pool  | owner
  middle       | pile  | everyone
rule setup
  for p in Player: move top(box[value = 1]) + top(box[value = 8]) to hand[p]
rule play
  for p in order(first)
    p chooses card from hand[p] "Which card?"
    move card to middle
let total = sum(c.value for c in middle)
ranking of p
  won  | total >= 999
  most | total
"""


@pytest.mark.parametrize("word", ["greedy:40", "search:200"])
def test_who_cannot_win_with_all_others_gets_as_far_as_possible(word):
    game = from_text(FAR_OFF)
    match = game.start(2, seed=3, first=0)
    for player in (0, 1):
        match.apply(make_bot(word, game, 2, 1).advise(match.information(player)).choice)

    assert match.result().winners == ()
    assert match.result().points == (True, (16, 16))


@pytest.mark.parametrize("word", ["greedy:40", "search:200"])
@pytest.mark.parametrize("seed", range(2))
def test_partners_play_for_their_side(word, seed):
    game = from_text(PARTNERS)
    match = game.start(4, seed=3, first=0)
    sides = rank(match.engine, match.state).sides
    while match.decision is not None:
        player = match.decision.player
        choice = make_bot(word, game, 4, seed).advise(match.information(player)).choice
        match.apply(choice)
        chosen = [(player + n) % 4 for n in (1, 2, 3)][choice]
        assert next(side for side in sides if player in side) == next(
            side for side in sides if chosen in side
        )


# ---- Where nothing explains what is known --------------------------------------------------------


@pytest.mark.parametrize("word", ["greedy:2", "search:20"])
def test_who_finds_no_world_says_that_the_choice_is_by_chance(word):
    match = shipped("go_fish.rules").start(["Ada", "Ben"], seed=3)
    session = Session(match, (Seat("Ada"), Seat("Ben")))
    for _ in range(6):
        match.apply(0)
    known = match.information(match.decision.player)
    at = next(n for n, each in enumerate(known.log) if each[0] == "announce")
    impossible = evolve(known, log=known.log[:at] + known.log[at + 1 :])
    bot = make_bot(word, match.game, 2, 1)

    blind, seeing = bot.advise(impossible), bot.advise(known)

    assert (blind.is_blind, blind.estimates, blind.games) == (True, (), 0)
    assert not seeing.is_blind
    assert BLIND in tell_bot_advice(session, blind)
    assert BLIND not in tell_bot_advice(session, seeing)


def test_players_of_go_fish_find_a_world_although_they_know_much_of_all_hands():
    """Truths that were announced about hidden cards, and a long game of them."""
    game = shipped("go_fish.rules")
    match = game.start(3, seed=1, first=1)
    bots = seat_bots(game, ["random"] * 3, 1)
    mind = Imagination(game, 3, Dice(5))
    found = []
    while match.decision is not None:
        seat = match.decision.player
        known = match.information(seat)
        if len(match.decision.options) > 1 and seat == 2:
            found.append(mind.recall(known, Budget(None, 60.0)) is not None)
        match.apply(bots[seat].advise(known).choice)

    assert len(found) > 20
    assert sum(found) >= len(found) - 1


# ---- The same everywhere -------------------------------------------------------------------------

EVERYWHERE = [("sins.rules", 2), ("siegel.rules", 3), ("deadlies.rules", 3), ("go_fish.rules", 2)]
QUESTIONS = 16


@pytest.mark.parametrize("table", EVERYWHERE)
def test_advice_does_not_depend_on_the_engine_that_plays(table):
    name, players = table
    game = shipped(name)
    match = game.start(players, seed=3, first=0)
    engine = Wasm(game.machine(players), recorded=True)
    state = engine.start(3, 0)
    words = [("search:40", "greedy:2")[seat % 2] for seat in range(players)]
    ours, theirs = (seat_bots(game, words, 1) for _ in range(2))
    for _ in range(QUESTIONS):
        seat = match.decision.player
        known = information(engine.machine, engine.to_reference(state), seat)
        advice = ours[seat].advise(match.information(seat))
        assert theirs[seat].advise(known) == advice
        match.apply(advice.choice)
        engine.apply(state, advice.choice)


@pytest.mark.parametrize("table", EVERYWHERE[2:])
def test_advice_does_not_depend_on_what_runs_the_module(table):
    """Wasmtime here, V8 there; `test_wasm_browser` does the same in Pyodide, which writes the module itself."""
    name, players = table
    game = shipped(name)
    match = game.start(players, seed=3, first=0)
    written, _ = keep_watched(game, players)
    ours, theirs = ([make_bot("search:40", game, players, n) for n in range(players)] for _ in "ab")
    hosts = [NodeHost(written.content) for _ in range(players)]
    try:
        for seat, host in enumerate(hosts):
            mind = Mind(Wasm(game.machine(players), written, host), Dice(Dice(seat).seed()))
            theirs[seat].imagination.known = mind
        for _ in range(QUESTIONS):
            seat = match.decision.player
            known = match.information(seat)
            advice = ours[seat].advise(known)
            assert theirs[seat].advise(known) == advice
            assert advice.games == 40
            match.apply(advice.choice)
    finally:
        for host in hosts:
            host.stop()


def test_without_a_module_one_decision_is_thought_through_and_the_advice_says_so(monkeypatch):
    def refuse(*_):
        raise Unsupported("anything")

    monkeypatch.setattr(imagination, "keep_watched", refuse)
    game = load_source(Path("needle.rules"), Source("needle.rules", HEAD + NEEDLE))
    match = game.start(2, seed=3, first=0)
    session = Session(match, (Seat("Ada"), Seat("Ben")))
    bots = {word: make_bot(word, game, 2, 1) for word in ("search:150", "greedy:5")}
    found = {word: bot.advise(match.information(0)) for word, bot in bots.items()}

    assert {word: (each.choice, each.is_shallow) for word, each in found.items()} == {
        "search:150": (17, True),
        "greedy:5": (17, False),
    }
    assert found["search:150"].games == 150
    assert found["search:150"].estimates[0].points == 9.0
    assert SHALLOW in tell_bot_advice(session, found["search:150"])
    assert SHALLOW not in tell_bot_advice(session, found["greedy:5"])
