"""Games of the shipped rules, whatever is chosen: what is promised of every one of them."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import small_programs
from games import (
    GAMES,
    TABLES,
    Table,
    at_random,
    by_stream,
    decisions,
    digest,
    engine_of,
    from_text,
    play,
    shipped,
)
from interpreter import machine, stored, transcript
from interpreter.errors import IllegalMove, RuleFault
from interpreter.invariants import Held
from interpreter.match import Match
from interpreter.options import Decision
from interpreter.state import OVER, SETUP, State
from properties import (
    assert_clones_are_independent,
    assert_goes_on,
    assert_nonsense_is_refused,
    assert_resumes_between_steps,
    assert_same_moment,
    assert_storing_keeps,
    assert_undo_is_honest,
)
from rulespec import codes
from rulespec.source import Span
from sizes import few_alone, tries

tables = st.sampled_from(TABLES)
seeds = st.integers(0, 2**64 - 1)
streams = st.lists(st.integers(0, 999), max_size=60)
moments = st.integers(0, 80)


def test_the_tables_are_those_of_the_games() -> None:
    for name, variants, players in GAMES:
        assert [*shipped(name, variants).players] == [*players]


def at_moment(table: Table, seed: int, stream: list[int], moment: int) -> State:
    """A game at one of its decisions, or the last one if it has fewer."""
    engine = engine_of(table)
    s = machine.start(engine, seed, watched=True)
    policy = by_stream(stream, seed)
    last = s.clone()
    for _ in range(moment):
        if not isinstance(s.pending, Decision):
            return last
        last = s.clone()
        machine.apply(engine, s, policy(s.pending))
    return s if isinstance(s.pending, Decision) else last


# ---- Pinned: what a seed gives, on every machine and forever -------------------------------------

# To be changed only together with the rules of a game, or with a new version of the language.
PINNED: dict[Table, tuple[int, str]] = {
    ("deadlies.rules", (), 3): (109, "8b0d1b684925"),
    ("deadlies.rules", (), 4): (184, "bd4fa83bfd6d"),
    ("deadlies.rules", (), 5): (242, "e073af142a0e"),
    ("deadlies.rules", ("covered_discard",), 3): (109, "8b0d1b684925"),
    ("deadlies.rules", ("covered_discard",), 4): (184, "bd4fa83bfd6d"),
    ("deadlies.rules", ("covered_discard",), 5): (242, "e073af142a0e"),
    ("deadlies.rules", ("sixth_player",), 6): (86, "ee4638bb9922"),
    ("seven7s.rules", (), 2): (22, "30046d290641"),
    ("seven7s.rules", (), 3): (38, "1ceb7950a369"),
    ("seven7s.rules", (), 4): (46, "c0dce5898d34"),
    ("siegel.rules", (), 3): (288, "e8d1574d9c35"),
    ("siegel.rules", (), 4): (262, "2f953774dd83"),
    ("siegel.rules", (), 5): (400, "f1d02f93ce92"),
    ("siegel.rules", ("open_tricks",), 3): (288, "e8d1574d9c35"),
    ("siegel.rules", ("open_tricks",), 4): (262, "2f953774dd83"),
    ("siegel.rules", ("open_tricks",), 5): (400, "f1d02f93ce92"),
    ("sins.rules", (), 2): (44, "f4cb49e76d12"),
    ("sins.rules", (), 3): (58, "19448afb70d2"),
    ("sins.rules", (), 4): (66, "b0ffac685807"),
    ("sins.rules", (), 5): (88, "8487e11bf904"),
    ("sins.rules", ("penitenziagite",), 2): (44, "33d3049034b7"),
    ("sins.rules", ("penitenziagite",), 3): (61, "1e0cf6be45e7"),
    ("sins.rules", ("penitenziagite",), 4): (66, "b128e95665f6"),
    ("sins.rules", ("penitenziagite",), 5): (90, "e056f1db5e7b"),
    ("my_sins.rules", (), 2): (46, "be35bfae3df1"),
    ("my_sins.rules", (), 3): (64, "6fcdfcbf1c80"),
    ("my_sins.rules", (), 4): (84, "057f45022063"),
    ("my_sins.rules", (), 5): (91, "e5d814c18e54"),
    # A changed curve, or open reserves, change nothing in a game where nobody thinks.
    ("steep_sins.rules", (), 2): (44, "f4cb49e76d12"),
    ("steep_sins.rules", (), 3): (58, "19448afb70d2"),
    ("steep_sins.rules", (), 4): (66, "b0ffac685807"),
    ("steep_sins.rules", (), 5): (88, "8487e11bf904"),
    ("open_sins.rules", (), 2): (44, "f4cb49e76d12"),
    ("open_sins.rules", (), 3): (58, "19448afb70d2"),
    ("open_sins.rules", (), 4): (66, "b0ffac685807"),
    ("open_sins.rules", (), 5): (88, "8487e11bf904"),
    ("indulgence.rules", (), 2): (43, "7db37f008f6d"),
    ("indulgence.rules", (), 3): (58, "1562f7f64938"),
    ("indulgence.rules", (), 4): (91, "a2e3d4063be2"),
    ("indulgence.rules", (), 5): (90, "c925a57801dd"),
}


@pytest.mark.parametrize("table", few_alone(TABLES, 6), ids=str)
def test_a_seed_and_choices_give_the_game_that_they_always_gave(table: Table) -> None:
    engine = engine_of(table)
    s = machine.start(engine, 7)
    count = 0

    def policy(decision: Decision) -> int:
        nonlocal count
        count += 1
        return (count * 7919) % len(decision.options)

    play(engine, s, policy)

    assert PINNED[table] == (count, digest(engine, s))


# ---- Small programs ------------------------------------------------------------------------------


@given(small_programs.programs(), st.integers(0, 2**32))
@settings(max_examples=tries(15, soak=30))
def test_a_small_program_is_played_with_nothing_worse_than_a_fault_of_its_rules(
    text: str, seed: int
) -> None:
    game = from_text(text)
    for players in game.players:
        try:
            match = game.start(players, seed)
            policy = at_random(seed)
            for _ in range(300):
                if match.decision is None:
                    break
                assert_goes_on(match.engine, match.state)
                known = match.information(match.decision.player)
                assert known.question is not None
                assert len(known.question.options) == min(1000, len(match.decision.options))
                match.apply(policy(match.decision))
            assert_storing_keeps(match.engine, match.state)
        except RuleFault as fault:
            # What goes wrong with a value, checking has noted beforehand.
            noted = {line_of(doubt.span) for doubt in game.program.doubtful}
            assert fault.code == codes.TOO_MANY_STEPS or line_of(fault.span) in noted  # noqa: PT017


def line_of(span: Span) -> int:
    return span.source.text[: span.start].count("\n") + 1


# ---- Every game ----------------------------------------------------------------------------------


@given(tables, seeds, streams)
@settings(max_examples=tries(30, soak=60))
def test_somebody_has_options_or_the_game_is_over_and_no_piece_is_lost(
    table: Table, seed: int, stream: list[int]
) -> None:
    engine = engine_of(table)
    s = machine.start(engine, seed)
    for state in decisions(engine, s, by_stream(stream, seed)):
        assert_goes_on(engine, state)
        assert machine.broken_invariant(engine, state) is None

    assert s.phase == OVER
    assert min(machine.rank(engine, s).places) == 1


# Each of them breaks at some time, for another reason: a zone, a variable, the end.
BREAKING = """game "Breaking"
players 2
pieces  | copies
  Token | 6
zones          | order | seen by
  heap         | pile  | nobody
  hand[Player] | pool  | owner
state   | type | start
  turns | 0..9 | 0
rule setup: move box to heap
rule play
  for p in order(first)
    p chooses n from 0..2
    turns += n
    if n > 0: move top(heap, n) to hand[p]
let limit = max(n * 2 for n in 0..1)
ranking of p
  most | #hand[p]
"""
BROKEN = ("#hand[first] < limit", "turns + #box < 3", "not ended")


@pytest.mark.parametrize("condition", BROKEN)
def test_an_invariant_is_found_broken_as_soon_as_if_all_were_tested_each_time(
    condition: str,
) -> None:
    engine = from_text(f"{BREAKING}always fine: {condition}\n").machine(2)
    found = set()
    for choices in itertools.product(range(3), repeat=2):
        s, held = machine.start(engine, 1, 0), Held()
        for number in (None, *choices):
            if number is not None:
                machine.apply(engine, s, number)
            whole = machine.broken_invariant(engine, s)
            part = machine.broken_invariant(engine, s, held)
            assert (whole is None) == (part is None)
            found.add(whole is None)

    assert found == {True, False}


@given(tables, seeds, streams)
@settings(max_examples=tries(20, soak=40))
def test_the_same_seed_and_choices_give_the_same_game(
    table: Table, seed: int, stream: list[int]
) -> None:
    name, variants, players = table
    match = shipped(name, variants).start(players, seed)
    policy = by_stream(stream, seed)
    while match.decision is not None:
        match.apply(policy(match.decision))
    text = transcript.write(match.transcript())
    again = match.game.replay(transcript.read(text))
    unwatched = play(match.engine, machine.start(match.engine, seed), by_stream(stream, seed))

    assert match.events == again.events
    assert_same_moment(match.engine, match.state, again.state)
    assert_same_moment(match.engine, match.state, unwatched)
    assert text == transcript.write(again.transcript())


@given(tables, seeds, streams, moments)
@settings(max_examples=tries(30, soak=60))
def test_clones_do_not_interfere(table: Table, seed: int, stream: list[int], moment: int) -> None:
    s = at_moment(table, seed, stream, moment)

    assert_clones_are_independent(engine_of(table), s, at_random(seed))


@given(tables, seeds, streams, moments)
@settings(max_examples=tries(40, soak=80))
def test_a_state_can_be_stored_and_taken_up(
    table: Table, seed: int, stream: list[int], moment: int
) -> None:
    assert_storing_keeps(engine_of(table), at_moment(table, seed, stream, moment))


@given(tables, seeds, streams, moments)
@settings(max_examples=tries(30, soak=60))
def test_a_game_is_resumed_between_any_two_steps(
    table: Table, seed: int, stream: list[int], moment: int
) -> None:
    s = at_moment(table, seed, stream, moment)
    assert isinstance(s.pending, Decision)

    assert_resumes_between_steps(engine_of(table), s, seed % len(s.pending.options))


@given(tables, seeds)
@settings(max_examples=10)
def test_a_game_is_resumed_between_any_two_steps_of_its_setup(table: Table, seed: int) -> None:
    engine = engine_of(table)
    ahead = machine.start(engine, seed, first=0)
    s = machine.blank_state(engine, 0, seed)
    machine.start_rule(engine.context, s, "setup")
    places = 0
    while machine.advance(engine, s):
        places += 1
        if places % 29 == 0 or not s.stack:
            again = stored.from_json(engine, stored.to_json(engine, s))
            assert_same_moment(engine, ahead, again)

    assert s.phase != SETUP or s.pending is not None
    assert_same_moment(engine, ahead, s)


@given(tables, seeds, streams, moments)
@settings(max_examples=tries(30, soak=60))
def test_whatever_is_no_option_is_refused_and_changes_nothing(
    table: Table, seed: int, stream: list[int], moment: int
) -> None:
    assert_nonsense_is_refused(engine_of(table), at_moment(table, seed, stream, moment))


@given(tables, seeds, streams)
@settings(max_examples=15)
def test_a_game_that_is_over_takes_no_choice(table: Table, seed: int, stream: list[int]) -> None:
    engine = engine_of(table)
    s = play(engine, machine.start(engine, seed), by_stream(stream, seed))
    before = s.value()

    with pytest.raises(IllegalMove):
        machine.apply(engine, s, 0)
    assert before == s.value()


@given(tables, seeds, streams, moments)
@settings(max_examples=tries(30, soak=60))
def test_choices_are_taken_back_as_far_as_nothing_was_revealed(
    table: Table, seed: int, stream: list[int], moment: int
) -> None:
    name, variants, players = table
    match: Match = shipped(name, variants).start(players, seed)
    policy = by_stream(stream, seed)
    for _ in range(moment):
        if match.decision is not None:
            match.apply(policy(match.decision))

    assert_undo_is_honest(match)
