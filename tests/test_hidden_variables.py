"""Hidden variables: who observes their values, on both engines, on the screen, in the story and in sampled worlds."""

from collections import Counter
from pathlib import Path

import pytest

from games import at_random, from_text
from interpreter import machine as machines
from interpreter.derivations import Closed, Plain
from interpreter.deriving import derive
from interpreter.display_names import Listener
from interpreter.hindsight import keep_moment, learnt_at_once
from interpreter.machine import Machine
from interpreter.match import Match
from interpreter.options import Decision, is_secret
from interpreter.standings import tell_open_scores
from interpreter.story import questions_of, tell_story
from interpreter.views import information, view
from interpreter.wasm.engine import Wasm
from interpreter.worlds import sampler
from playground_rules import BIDS
from rulespec.core.tree import Op
from rulespec.core.types import SEAT, Number
from rulespec.source import Span
from sizes import tries
from story_games import Told
from test_story_secrets import recording_of, stories
from test_wasm_records import assert_observed
from test_worlds import assert_explains

CORPUS = Path(__file__).parent / "secrets"
HEAD = """\
game "Small"
players 3
enum Side = north, south
state          | type   | start | seen by
  bid[Player]  | 0..9   | 0     | owner
  brow[Player] | 0..9   | 0     | others
  wish[Player] | 0..9?  | none  | owner
  goal         | 0..9   | 0     | nobody
  side         | Side   | north | everyone
  pot          | 0..999 | 0
ranking of p
  most | pot + bid[p] + brow[p] + goal + (1 if side == south and wish[p] == none else 0)
rule play
"""
FIRST, SECOND, THIRD = range(3)


def small(statements: str) -> Match:
    """A game that waits for its first question; `;` stands between its lines."""
    lines = "".join(f"  {line}\n" for line in statements.split("; "))
    game = from_text(HEAD + lines)
    return game.start(3, 1, first=FIRST)


def kinds(match: Match, player: int) -> list[str]:
    """What sorts of things a player has observed."""
    return [each[0] for each in match.information(player).log]


# ---- Observation -----------------------------------------------------------------------------------


def test_only_the_owner_observes_a_choice_for_an_own_variable():
    match = small('first chooses bid[first] from 0..9 "How much?"; pot = 1')
    match.apply(7)

    assert kinds(match, FIRST) == ["chose", "set", "set"]
    assert match.information(FIRST).log[1][2] == 7
    assert kinds(match, SECOND) == kinds(match, THIRD) == ["set"]


def test_all_but_the_owner_observe_what_the_others_see():
    match = small('next(first) chooses brow[first] from 0..9 "How much?"; pot = 1')
    match.apply(7)

    assert kinds(match, FIRST) == ["set"]
    assert kinds(match, SECOND) == kinds(match, THIRD) == ["chose", "set", "set"]


def test_whoever_chooses_knows_it_though_nobody_sees_it():
    match = small('first chooses goal from 0..9 "How much?"; pot = 1')
    match.apply(7)

    assert kinds(match, FIRST) == ["chose", "set"]
    assert kinds(match, SECOND) == ["set"]


def test_nobody_else_learns_that_somebody_declines():
    match = small('first may choose wish[first] from 0..9 "What?" or "nothing"; pot = 1')
    match.apply(10)

    assert kinds(match, FIRST) == ["chose", "set"]
    assert kinds(match, SECOND) == ["set"]


def test_what_each_has_chosen_for_a_hidden_variable_is_not_published():
    match = small('each q in Player chooses bid[q] from 0..9 "How much?"; pot = 1')
    for number in (3, 4, 5):
        match.apply(number)

    for player in range(3):
        log = match.information(player).log
        assert [each[0] for each in log] == ["chose", "set", "set"]
        assert log[0][1] == player
        assert log[1][2] == 3 + player


def test_those_who_see_a_variable_learn_what_each_has_chosen_for_it():
    match = small('each q in Player chooses brow[q] from 1..9 "How much?"; pot = 1')
    for number in (3, 4, 5):
        match.apply(number)

    log = match.information(FIRST).log
    assert [(each[0], each[1]) for each in log[:3]] == [("chose", 0), ("chose", 1), ("chose", 2)]
    assert [each[2] for each in log[3:]] == [5, 6, 1]


@pytest.mark.parametrize(
    ("target", "told"), [("bid[first]", [FIRST]), ("brow[first]", [SECOND, THIRD]), ("goal", [])]
)
def test_chance_tells_those_who_see_the_variable(target: str, told: list[int]):
    match = small(f"random {target} from 3..8; pot = 1")

    assert [p for p in range(3) if "random" in kinds(match, p)] == told
    assert [p for p in range(3) if kinds(match, p) == ["set"]] == [
        p for p in range(3) if p not in told
    ]
    drawn = next(event for event in match.events if event.kind == "random")
    assert drawn.reveals == bool(told)


def test_a_value_that_is_announced_is_known():
    match = small("random goal from 3..8; announce aim = goal to next(first)")

    assert kinds(match, SECOND) == ["announce"]
    assert kinds(match, FIRST) == kinds(match, THIRD) == []


def test_the_screen_masks_what_the_player_does_not_see():
    match = small('random brow[first] from 3..8; first chooses bid[first] from 7..9 "?"; goal = 5')
    match.apply(0)
    layout = match.engine.layout

    def shown(player: int) -> dict[str, str]:
        seen = view(match.engine, match.state, player).variables
        return {
            f"{row.name}{list(indices)}": each.text
            for (row, indices), each in zip(layout.variables, seen, strict=True)
        }

    mine, theirs = shown(FIRST), shown(SECOND)
    assert mine["bid[0]"] == "7"
    assert theirs["bid[0]"] == mine["bid[1]"] == "▢"
    assert mine["brow[0]"] == "▢"
    assert theirs["brow[0]"] in "345678"
    assert mine["goal[]"] == theirs["goal[]"] == "▢"
    assert mine["pot[]"] == "0"


def test_a_decision_says_from_whom_it_is_kept():
    match = small('first chooses bid[first] from 0..9 "?"; next(first) chooses pot from 0..9 "?"')
    secret = match.decision
    assert isinstance(secret, Decision)
    assert [is_secret(secret, player) for player in range(3)] == [False, True, True]
    match.apply(1)
    assert isinstance(match.decision, Decision)
    assert not any(is_secret(match.decision, player) for player in range(3))


# ---- The same on the other engine --------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", sorted((CORPUS / "harmless").glob("hidden_*.rules")), ids=lambda path: path.stem
)
def test_the_fast_engine_observes_the_same(path: Path):
    engine = from_text(path.read_text("utf-8")).machine(3)
    assert_observed(engine, Wasm(engine, recorded=True), 1)


def test_the_fast_engine_observes_the_same_of_all_kinds_of_hidden_variables():
    engine = from_text(BIDS).machine(3)
    fast = Wasm(engine, recorded=True)
    for seed in range(tries(3, soak=100)):
        assert assert_observed(engine, fast, seed)


# ---- Told --------------------------------------------------------------------------------------------


def test_a_secret_choice_is_told_to_whoever_made_it():
    match = small('first chooses bid[first] from 0..9 "How much?"; pot = 1')
    match.apply(7)

    def story(player: int | None) -> str:
        to = Listener(match.engine.layout, match.names, player)
        return "\n".join(each.text for each in tell_story(to, match.events, questions_of(match)))

    assert "7" in story(FIRST)
    assert "7" in story(None)
    assert "7" not in story(SECOND)
    assert "How much?" in story(FIRST)
    assert "How much?" not in story(SECOND)


def test_games_that_differ_in_hidden_values_are_told_alike(tmp_path: Path):
    file = tmp_path / "bids.rules"
    file.write_text(BIDS, "utf-8")
    told = Told(str(file), 3)
    pairs = 0
    for seed in range(tries(6, soak=60)):
        recording = recording_of(told, seed)
        for player in range(3):
            pair = stories(recording, player, seed)
            if pair is not None:
                pairs += 1
                assert pair[0] == pair[1]
    assert pairs > 10


def test_a_derivation_is_closed_where_it_reads_what_the_listener_does_not_see():
    match = small('first chooses bid[first] from 7..9 "?"; first chooses pot from 0..9 "?"')
    match.apply(0)
    span = Span(match.game.code.blocks["play"].origin.span.source, 0, 0)
    seat = Op("literal", value=FIRST, type=SEAT, span=span)
    bid = Op("variable", (seat,), word="bid", type=Number(0, 9), span=span)

    def found(player: int) -> object:
        return derive(
            match.engine, match.state, bid, Listener(match.engine.layout, match.names, player)
        )

    assert isinstance(found(FIRST), Plain)
    assert isinstance(found(SECOND), Closed)


def test_standings_do_not_tell_hidden_scores():
    text = HEAD.replace(
        "most | pot + bid[p] + brow[p] + goal + (1 if side == south and wish[p] == none else 0)",
        "most | bid[p]",
    )
    match = from_text(
        text
        + '  each q in Player chooses bid[q] from 4..9 "?"\n  first chooses pot from 0..9 "?"\n'
    ).start(3, 1, first=FIRST)
    for _ in range(3):
        match.apply(1)

    assert "5" not in tell_open_scores(match)


# ---- Worlds ------------------------------------------------------------------------------------------


def imagined(match: Match, count: int) -> list[list[object]]:
    """The variables in some worlds that whoever is asked must reckon with."""
    assert match.decision is not None
    engine, known = match.engine, match.information(match.decision.player)
    found = sampler(engine, known, 1)
    worlds = []
    for _ in range(count):
        world = found.world()
        assert_explains(engine, known, world)
        worlds.append(world.state.variables)
    return worlds


def number_of(match: Match, name: str, *indices: int) -> int:
    rows = [(row.name, each) for row, each in match.engine.layout.variables]
    return rows.index((name, indices))


def test_what_others_have_chosen_in_secret_may_be_anything():
    match = small('first chooses bid[first] from 0..9 "?"; next(first) chooses pot from 0..9 "?"')
    match.apply(7)
    bids = Counter(each[number_of(match, "bid", FIRST)] for each in imagined(match, 300))

    assert set(bids) == set(range(10))
    assert max(bids.values()) < 75


def test_what_chance_has_drawn_in_secret_may_be_anything():
    match = small('random goal from 3..8; first chooses pot from 0..9 "?"')
    goals = Counter(each[number_of(match, "goal")] for each in imagined(match, 200))

    assert set(goals) == set(range(3, 9))


def test_an_announced_value_is_the_same_in_all_worlds():
    match = small(
        'each q in Player chooses bid[q] from 0..9 "?"; announce told = bid[first]; pot = told; '
        'next(first) chooses wish[next(first)] from 0..9 "?"'
    )
    for number in (7, 2, 4):
        match.apply(number)
    worlds = imagined(match, 100)

    assert {each[number_of(match, "bid", FIRST)] for each in worlds} == {7}
    assert {each[number_of(match, "bid", SECOND)] for each in worlds} == {2}
    assert len({each[number_of(match, "bid", THIRD)] for each in worlds}) > 5


def test_worlds_agree_with_sums_that_are_announced():
    match = small(
        'each q in Player chooses bid[q] from 0..9 "?"; announce total = sum(bid[q] for q in Player); '
        'pot = total; first chooses wish[first] from 0..9 "?"'
    )
    for number in (1, 2, 4):
        match.apply(number)
    second, third = (number_of(match, "bid", p) for p in (SECOND, THIRD))

    assert {each[second] + each[third] for each in imagined(match, 60)} == {6}


def test_worlds_of_a_game_full_of_hidden_values_are_possible():
    game = from_text(BIDS)
    match, policy = game.start(3, 5), at_random(5)
    earlier = {}
    number = made = 0
    while not match.over and match.decision is not None:
        number += 1
        player = match.decision.player
        known = match.information(player)
        earlier[player] = found = sampler(match.engine, known, 1, earlier.get(player))
        if number % 3 == 0:
            assert_explains(match.engine, known, found.world())
            made += 1
        match.apply(policy(match.decision))
    assert made > 5


# ---- Taking back -------------------------------------------------------------------------------------


def learnt(engine: Machine, match: Match, number: int) -> bool:
    """Whether the first player learns something by a choice."""
    state = match.state.clone()
    moment = keep_moment(state, FIRST, number)
    before = len(state.watch.events)
    machines.apply(engine, state, number)
    return learnt_at_once(engine, moment, state.watch.events[before:]) is not None


def test_a_choice_after_which_a_hidden_value_shows_is_not_taken_back():
    leaky = small(
        'next(first) chooses bid[next(first)] from 0..9 "?"; first chooses pot from 0..9 "?"; '
        'if bid[next(first)] > 4: pot = 99; first chooses pot from 0..9 "?"'
    )
    leaky.apply(7)
    quiet = small(
        'next(first) chooses bid[next(first)] from 0..9 "?"; first chooses pot from 0..9 "?"; '
        'if bid[next(first)] > 4: goal = 9; first chooses pot from 0..9 "?"'
    )
    quiet.apply(7)

    assert learnt(leaky.engine, leaky, 3)
    assert not learnt(quiet.engine, quiet, 3)


def test_what_others_have_sealed_for_a_hidden_variable_counts_as_well():
    match = small(
        'each q in order(next(first)) chooses bid[q] from 0..9 "?"; '
        'if bid[next(first)] > 4: pot = 99; first chooses pot from 0..9 "?"'
    )
    match.apply(7)
    match.apply(7)

    assert match.decision is not None
    assert match.decision.player == FIRST
    assert learnt(match.engine, match, 3)


def test_two_games_that_differ_only_in_hidden_values_give_the_same_information():
    texts = 'next(first) chooses bid[next(first)] from 0..9 "?"; first chooses pot from 0..9 "?"'
    found = []
    for number in (2, 8):
        match = small(texts)
        match.apply(number)
        found.append(information(match.engine, match.state, FIRST))
    assert found[0] == found[1]
