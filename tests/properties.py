"""What holds in every game of every program, whatever is chosen: a function for each promise."""

from collections.abc import Iterator

import pytest

from games import Policy
from interpreter import machine, stored
from interpreter.errors import IllegalMove
from interpreter.machine import Machine
from interpreter.match import Match
from interpreter.options import Decision, option_number
from interpreter.state import OVER, State
from interpreter.views import question_of

NONSENSE = (-1, 10**9, 10**30, "0", "", None, 0.0, (), [0], {}, object())


def assert_goes_on(engine: Machine, s: State) -> None:
    """Somebody has at least two options, or the game is over; no piece is lost or where it cannot be.

    Whether invariants hold is not looked at here: a match does that by itself.
    """
    if isinstance(s.pending, Decision):
        assert len(s.pending.options) >= 2
    else:
        assert s.pending is None
        assert s.phase == OVER
    layout = engine.layout
    where = [-1] * len(layout.pieces)
    for n, zone in enumerate(s.zones):
        for c in zone:
            assert where[c] == -1
            where[c] = n
        held = layout.holds[n]
        assert held is None or held.issuperset(zone)
        assert not layout.is_pool[n] or list(zone) == sorted(zone)
    assert where == s.where


def assert_same_moment(engine: Machine, one: State, other: State) -> None:
    """Two states are equal, and so is what they wait for."""
    assert one == other
    assert one.where == other.where
    assert isinstance(one.pending, Decision) == isinstance(other.pending, Decision)
    if isinstance(one.pending, Decision):
        assert question_of(engine, one.pending, 20) == question_of(engine, other.pending, 20)
        assert one.pending.player == other.pending.player


def assert_nonsense_is_refused(engine: Machine, s: State) -> None:
    """What is no option is refused and changes nothing."""
    assert isinstance(s.pending, Decision)
    before = s.clone()
    events = None if s.watch is None else len(s.watch.events)
    for number in (*NONSENSE, len(s.pending.options)):
        with pytest.raises(IllegalMove):
            machine.apply(engine, s, number)
        assert before.value() == s.value()
    for value in (object(), "nonsense", (10**6,), -5):
        assert option_number(s.pending.options, value) is None
    with pytest.raises(IllegalMove):
        machine.decide_chance(engine, s, 0)
    assert before.value() == s.value()
    assert before.pending is s.pending
    assert events is None or events == len(s.watch.events)


def assert_clones_are_independent(engine: Machine, s: State, policy: Policy) -> None:
    """Whatever happens to a clone does not happen to the state, and the other way round."""
    before = s.value()
    events = None if s.watch is None else (list(s.watch.events), s.watch.known[:], s.watch.shown[:])
    one, other = s.clone(), s.clone()
    for _ in range(3):
        if isinstance(one.pending, Decision):
            machine.apply(engine, one, policy(one.pending))
    assert before == s.value() == other.value()
    assert events is None or events == (s.watch.events, s.watch.known, s.watch.shown)
    kept = one.value()
    if isinstance(other.pending, Decision):
        machine.apply(engine, other, policy(other.pending))
    assert kept == one.value()
    assert before == s.value()


def assert_storing_keeps(engine: Machine, s: State) -> None:
    """A stored state comes back as it was."""
    text, data = stored.to_json(engine, s), stored.to_bytes(engine, s)
    for again in (stored.from_json(engine, text), stored.from_bytes(engine, data)):
        assert_same_moment(engine, s, again)
    assert len(data) < len(text)


def steps_between(engine: Machine, s: State, number: int) -> Iterator[State]:
    """The states between all atomic steps from a choice to the next decision, which comes last."""
    pending = s.pending
    assert isinstance(pending, Decision)
    f = s.stack[-1]
    engine.answers[f[0]][f[1]](s, f, pending.player, pending.options[number])
    s.pending = None
    yield s
    while machine.advance(engine, s):
        yield s
    yield s


def assert_resumes_between_steps(engine: Machine, s: State, number: int, every: int = 1) -> None:
    """Kept and taken up between any two atomic steps, the game goes on in the same way."""
    ahead = s.clone()
    machine.apply(engine, ahead, number)
    last = None
    for place, state in enumerate(steps_between(engine, s.clone(), number)):
        last = state
        if place % every:
            continue
        text, data = stored.to_json(engine, state), stored.to_bytes(engine, state)
        assert_same_moment(engine, ahead, stored.from_json(engine, text))
        assert_same_moment(engine, ahead, stored.from_bytes(engine, data))
    assert last is not None
    assert_same_moment(engine, ahead, last)


def assert_undo_is_honest(match: Match) -> None:
    """Choices are taken back as far as nothing was revealed, and then all is as it was."""
    count = match.undoable()
    with pytest.raises(IllegalMove):
        match.undo(count + 1)
    if not count:
        return
    again = match.game.start(match.names, match.seed, match.first)
    for choice in match.choices[: len(match.choices) - count]:
        again.apply(choice.number)
    # Nobody knows more than before these choices but what they chose themselves.
    for q in range(len(match.names)):
        known = match.state.watch.known[q] & ~again.state.watch.known[q]
        assert all(
            again.state.watch.knows(again.state, q, (c,))
            for c in range(len(match.engine.layout.pieces))
            if known >> c & 1
        )
    taken_back = match.clone()
    taken_back.undo(count)
    assert_same_moment(match.engine, again.state, taken_back.state)
    assert again.choices == taken_back.choices
    assert again.events == taken_back.events
