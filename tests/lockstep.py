"""Two engines side by side: the reference and generated code must play the same game, step by step."""

from collections.abc import Callable
from typing import Any

from games import Policy
from interpreter import chance, machine, stored
from interpreter.compiled import Compiled, compile_game
from interpreter.errors import RuleFault
from interpreter.machine import Machine
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.state import OVER, State

MOST_COMPARED = 60  # options of a decision that are compared one by one
MOST_STEPS = 400  # decisions of a game


def assert_in_step(  # noqa: PLR0913, PLR0917 - a game, and how it is looked at
    game: Game,
    players: int,
    seed: int,
    policy: Policy,
    first: int | None = None,
    fast: Compiled | None = None,
) -> int:
    """Play one game on both engines; how many decisions there were."""
    engine = game.machine(players)
    fast = fast or compile_game(game, players)
    watched = fast.watched
    one, fault = _tried(lambda: machine.start(engine, seed, first, watched=watched))
    other, same = _tried(lambda: fast.start(seed, first))
    assert same == fault
    if fault is not None:
        return 0
    for count in range(MOST_STEPS):
        assert_same(engine, fast, one, other)
        if one.phase == OVER:
            assert fast.count(other) == 0
            assert fast.result(other) == machine.rank(engine, one)
            return count
        number = policy(one.pending)
        if count % 7 == 3:
            # A clone goes on; what it was made of is changed no more.
            before, other = other, fast.clone(other)
            kept = fast.to_reference(before)
        if count % 11 == 5 and not watched:
            other = fast.from_reference(one)
        _, fault = _tried(lambda number=number: machine.apply(engine, one, number))
        _, same = _tried(lambda number=number, other=other: fast.apply(other, number))
        assert same == fault
        if fault is not None:
            return count
        if count % 7 == 3:
            assert fast.to_reference(before) == kept
    return MOST_STEPS


def assert_same(engine: Machine, fast: Compiled, one: State, other: Any) -> None:
    """Two games are at the same moment: state, question, options, and what was observed."""
    assert fast.to_reference(other) == one
    if fast.watched:
        watch = fast.watch(other)
        # Generated code tells no sentences: who wants the story plays on the reference.
        seen = [each for each in watch.events if each.kind not in ("tell", "heading")]
        known = [each for each in one.watch.events if each.kind not in ("tell", "heading")]
        assert seen == known
        assert (watch.known, watch.shown) == (one.watch.known, one.watch.shown)
    asked = one.pending
    if not isinstance(asked, Decision):
        return
    assert fast.player(other) == asked.player
    assert fast.count(other) == len(asked.options)
    compared = min(fast.count(other), MOST_COMPARED)
    assert [fast.option(other, n) for n in range(compared)] == list(asked.options[:compared])
    assert type(fast.option(other, 0)) is type(asked.options[0])
    # So that it is also written alike.
    assert stored.to_json(engine, fast.to_reference(other)) == stored.to_json(engine, one)


def assert_whole_game(game: Game, players: int, seed: int, fast: Compiled | None = None) -> None:
    """A game played in one call ends as one that is played step by step with the same choices."""
    engine = game.machine(players)
    fast = fast or compile_game(game, players)
    share = chance.shares(seed)
    one, fault = _tried(lambda: machine.start(engine, seed))
    while fault is None and isinstance(one.pending, Decision):
        number = int(share() * len(one.pending.options))
        _, fault = _tried(lambda number=number: machine.apply(engine, one, number))
    other, same = _tried(lambda: fast.finished(seed))
    assert same == fault
    if fault is None:
        assert fast.to_reference(other) == one
        assert fast.play(seed) == machine.rank(engine, one)


def _tried(do: Callable[[], Any]) -> tuple[Any, tuple[str, str] | None]:
    """What comes out, or the fault of the rules."""
    try:
        return do(), None
    except RuleFault as fault:
        return None, (fault.code.number, fault.message)
