"""Two engines side by side: the reference and a module of WebAssembly must play the same game, step by step."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from games import Policy
from interpreter import chance, machine, stored
from interpreter.errors import RuleFault
from interpreter.machine import Machine
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.state import OVER, State
from interpreter.wasm.engine import Wasm
from interpreter.wasm.hosts import Host, Trapped, make_host
from interpreter.wasm.module_games import Playing
from interpreter.wasm.programs import write_program
from rulespec.limits import MOST_CHOICES

MOST_COMPARED = 60  # options of a decision that are compared one by one
MOST_STEPS = 400  # decisions of a game
FAR = 12  # decisions that are played out at once

Fault = tuple[str, str, Any, tuple[str, ...]]


class Counted:
    """A host that counts how often a module stops, and in which function."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.traps: Counter[str] = Counter()
        self.needless = (
            0  # traps where the rules have no fault: the module had too little of something
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self.host, name)

    def function(self, name: str, size: int) -> Callable[..., int]:
        inner = self.host.function(name, size)

        def counted(*given: int) -> int:
            try:
                return inner(*given)
            except Trapped:
                self.traps[name] += 1
                raise

        return counted


def make_fast(game: Game | Machine, players: int = 0) -> Wasm:
    """The fast engine, which counts its traps."""
    engine = game if isinstance(game, Machine) else game.machine(players)
    written = write_program(engine)
    return Wasm(engine, written, Counted(make_host(written.content)))  # type: ignore[arg-type]  # it passes all on


def traps_of(fast: Wasm) -> int:
    """How often the reference had to take a step, or to say what is wrong."""
    traps: Counter[str] = getattr(fast.host, "traps", Counter())  # `Counted` has them
    return traps.total()


def needless_traps_of(fast: Wasm) -> int:
    """How often the module stopped though nothing is wrong with the rules."""
    found: int = fast.host.needless  # type: ignore[attr-defined]  # of `Counted`
    return found


def _note_trap(fast: Wasm, before: int, fault: Fault | None) -> None:
    if traps_of(fast) > before and fault is None:
        fast.host.needless += 1  # type: ignore[attr-defined]  # of `Counted`


def assert_in_step(  # noqa: PLR0913, PLR0917 - a game, and how it is looked at
    game: Game,
    players: int,
    seed: int,
    policy: Policy,
    first: int | None = None,
    fast: Wasm | None = None,
) -> int:
    """Play one game on both engines; how many decisions there were."""
    engine = game.machine(players)
    fast = fast or make_fast(game, players)
    one, fault = _tried(lambda: machine.start(engine, seed, first))
    before = traps_of(fast)
    other, same = _tried(lambda: fast.start(seed, first))
    assert same == fault
    _note_trap(fast, before, fault)
    if fault is not None:
        return 0
    for count in range(MOST_STEPS):
        assert_same(engine, fast, one, other)
        assert _tried(partial(fast.result, other)) == _tried(partial(machine.rank, engine, one))
        if one.phase == OVER:
            return count
        number = policy(one.pending)
        kept: list[tuple[Playing, State]] = []
        if count % 7 == 3:
            # A clone goes on; what it was made of is changed no more.
            kept.append((other, one.clone()))
            other = fast.clone(other)
        if count % 3 == 1:
            other = fast.from_reference(one)
            assert_same(engine, fast, one, other)
        if count % 11 == 5:
            assert_same_future(fast, one, other, seed + count)
        _, fault = _tried(partial(machine.apply, engine, one, number))
        before = traps_of(fast)
        _, same = _tried(partial(fast.apply, other, number))
        assert same == fault
        _note_trap(fast, before, fault)
        for older, state in kept:
            assert fast.to_reference(older) == state
        if fault is not None:
            return count
    return MOST_STEPS


def assert_same(engine: Machine, fast: Wasm, one: State, other: Playing) -> None:
    """Two games are at the same moment: state, question, and options."""
    found = fast.to_reference(other)
    assert found == one, differences(engine, found, one)
    asked = one.pending
    if not isinstance(asked, Decision):
        assert fast.count(other) == 0
        return
    assert fast.player(other) == asked.player
    assert fast.asked(other).origin == asked.origin
    assert fast.count(other) == len(asked.options)
    compared = min(fast.count(other), MOST_COMPARED)
    wanted = list(asked.options[:compared])
    assert [fast.option(other, n) for n in range(min(compared, 3))] == wanted[:3]
    if len(asked.options) == compared:
        assert fast.options(other) == wanted
    last = len(asked.options) - 1
    assert fast.option(other, last) == asked.options[last]
    assert _types(fast.option(other, 0)) == _types(wanted[0])
    # So that it is also written alike.
    assert stored.to_json(engine, found) == stored.to_json(engine, one)


def differences(engine: Machine, found: State, wanted: State) -> list[Any]:
    """In what two states differ, for whoever has to find out why."""
    told: list[Any] = []
    for name in ("phase", "first", "rng", "zones", "variables", "stack", "pending"):
        x, y = getattr(found, name), getattr(wanted, name)
        if x != y and name in {"zones", "variables"}:
            told.append((name, [(n, *both) for n, both in enumerate(zip(x, y, strict=True))
                                if both[0] != both[1]]))  # fmt: skip
        elif x != y:
            told.append((name, x, y))
    return [*told, [engine.blocks[frame[0]].name for frame in wanted.stack]]


def assert_same_future(fast: Wasm, one: State, other: Playing, seed: int) -> None:
    """Another future, played out by luck, is the same on both; and what it was made of does not change."""
    kept = fast.to_reference(other)
    here, there = one.clone(), fast.future(other, seed)
    here.rng = seed
    _, fault = _tried(lambda: _play_out(fast.machine, here, seed, FAR))
    before = traps_of(fast)
    _, same = _tried(lambda: fast.playout(there, seed, FAR))
    assert same == fault
    _note_trap(fast, before, fault)
    if fault is None:
        found = fast.to_reference(there)
        assert found == here, differences(fast.machine, found, here)
        assert fast.count(there) == _count(here)
    assert fast.to_reference(other) == kept


def _play_out(engine: Machine, s: State, luck: int, most: int) -> None:
    while most and isinstance(s.pending, Decision):
        luck, number = chance.try_luck(luck, len(s.pending.options))
        machine.apply(engine, s, number)
        most -= 1


def _count(s: State) -> int:
    return len(s.pending.options) if isinstance(s.pending, Decision) else 0


def assert_whole_games(
    game: Game, players: int, seeds: Iterable[int], first: int | None = None, fast: Wasm | None = None
) -> int:  # fmt: skip
    """Games played in one call end as those played step by step with the same choices; how many came to an end."""
    engine = game.machine(players)
    fast = fast or make_fast(game, players)
    ended = 0
    numbers = [*seeds]
    for seed, end in zip(numbers, fast.games(numbers, first), strict=True):
        wanted = _whole_game(engine, seed, first)
        if wanted is None:
            assert end is None or not end.is_over, (
                f"seed {seed} has a fault that the module does not see"
            )
        elif end is None:  # the reference plays it
            fast.host.needless += 1  # type: ignore[attr-defined]  # of `Counted`
        else:
            found = end.decisions, _winners(end.winners), fast._ranked(end.keys)  # noqa: SLF001
            assert found == wanted, f"seed {seed}"
            ended += 1
    return ended


def _whole_game(engine: Machine, seed: int, first: int | None) -> tuple[Any, ...] | None:
    luck = chance.luck_for(seed)
    one, fault = _tried(lambda: machine.start(engine, seed, first))
    if fault is not None:
        return None
    count = 0
    while fault is None and isinstance(one.pending, Decision):
        if count >= MOST_CHOICES:  # it may have no end
            return None
        luck, number = chance.try_luck(luck, len(one.pending.options))
        _, fault = _tried(partial(machine.apply, engine, one, number))
        count += 1
    result, unranked = _tried(lambda: machine.rank(engine, one))
    if fault is not None or unranked is not None:
        return None
    return count, result.winners, result


def _winners(bits: int) -> tuple[int, ...]:
    return tuple(n for n in range(128) if bits >> n & 1)


def _types(value: Any) -> Any:
    return [type(each) for each in value] if isinstance(value, tuple) else type(value)


def _tried(do: Callable[[], Any]) -> tuple[Any, Fault | None]:
    """What comes out, or the fault of the rules: its code, message, place, and the rules that were running."""
    try:
        return do(), None
    except RuleFault as fault:
        return None, (fault.code.number, fault.message, fault.span, fault.rules)
