"""Who is measured: our engines, the games by hand, and the libraries of others that are installed.

A contender plays whole games with uniformly random choices, from the setup to the result, and says how many
decisions that were. All draw their choices from the same kind of generator, `int(random() * n)`.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

from attrs import frozen

from handwritten import siegel, sins
from interpreter.machine import apply, rank, start
from interpreter.match import Game, load
from rulespec.checking.layers import forget_trees

SHIPPED = (("sins", 4), ("seven7s", 3), ("siegel", 4), ("deadlies", 4))
REFERENCE, STEPPED, PLAYOUTS = "reference", "generated, stepped", "generated, playouts"
IN_C, STEPPED_IN_C = "generated, C", "generated, C stepped"
CLASS, FUSED = "by hand, class", "by hand, fused"
NOT_BUILT = "not built"

Play = Callable[[range], int]  # games with these seeds; how many decisions, 0 if nobody counts


@frozen
class Steps:
    """How a game is played decision by decision. The number of options is 0 when it is over."""

    start: Callable[[int], Any]
    count: Callable[[Any], int]
    apply: Callable[[Any, int], Any]
    clone: Callable[[Any], Any]


@frozen
class Contender:
    """One row of the table."""

    game: str
    name: str
    play: Play | None  # None: it is not there
    steps: Steps | None = None
    load: Callable[[], Any] | None = None
    again: Callable[[], Any] | None = None  # load what has been loaded before, from a cache
    sized: bool = False  # its states are objects of Python, which can be measured
    note: str = ""

    @property
    def title(self) -> str:
        return f"{self.game}: {self.name}"


@cache
def shipped(name: str, settings: tuple[tuple[str, Any], ...] = ()) -> Game:
    return load(f"{name}.rules", (), dict(settings))


def all_contenders(names: Sequence[str], *, others: bool) -> list[Contender]:
    """All rows of these games, those of one game side by side; then those of others."""
    found = []
    for name, players in [each for each in SHIPPED if each[0] in names]:
        found += [reference(name, players), *generated(name, players)]
        found += [in_c(name, players), stepped_in_c(name, players)]
        found += BY_HAND[name](players) if name in BY_HAND else []
    return [*found, *open_spiel(), *rlcard()] if others else found


# ---- Ours ------------------------------------------------------------------------------------------


def reference(name: str, players: int, settings: tuple[tuple[str, Any], ...] = ()) -> Contender:
    machine = shipped(name, settings).machine(players)

    def play(seeds: range) -> int:
        random = Random(seeds.start).random
        decisions = 0
        for seed in seeds:
            state = start(machine, seed)
            while (pending := state.pending) is not None:
                apply(machine, state, int(random() * len(pending.options)))
                decisions += 1
            rank(machine, state)
        return decisions

    steps = Steps(
        lambda seed: start(machine, seed),
        lambda state: 0 if state.pending is None else len(state.pending.options),
        lambda state, number: apply(machine, state, number),
        lambda state: state.clone(),
    )

    def load_cold() -> Any:
        forget_trees()
        return load(f"{name}.rules").machine(players)

    return Contender(f"{name}, {players} players", REFERENCE, play, steps, load_cold, sized=True)


def compiler() -> Callable[[Game, int], Any] | None:
    """What generates engines, if it is there."""
    try:
        found: Callable[[Game, int], Any] = import_module("interpreter.compiled").compile_game
    except (ImportError, AttributeError):
        return None
    return found


def loader(name: str, players: int) -> Callable[[], Any] | None:
    """What loads an engine that was kept, if one can be kept here."""
    try:
        caching = import_module("interpreter.compiled.caching")
    except ImportError:
        return None

    def load_again() -> Any:
        forget_trees()
        caching.find_maker.cache_clear()  # a new process has to look at all sources, too
        return caching.load_fast(f"{name}.rules", players)

    load_again()
    game = caching.load_kept(f"{name}.rules")
    return None if caching.find_kept(game, players, asks=True) is None else load_again


def generated(
    name: str, players: int, settings: tuple[tuple[str, Any], ...] = ()
) -> list[Contender]:
    game = f"{name}, {players} players"
    compile_game = compiler()
    if compile_game is None:
        return [Contender(game, each, None, note=NOT_BUILT) for each in (STEPPED, PLAYOUTS)]
    engine = compile_game(shipped(name, settings), players)

    def play_out(seeds: range) -> int:
        play = engine.play
        for seed in seeds:
            play(seed)
        return 0

    def load_cold() -> Any:
        forget_trees()
        return compile_game(load(f"{name}.rules"), players)  # neither looks for what is kept

    steps = Steps(engine.start, engine.count, engine.apply, engine.clone)
    rows = [
        Contender(
            game, STEPPED, _play_steps(engine), steps, load_cold, loader(name, players), sized=True
        ),
        Contender(game, PLAYOUTS, play_out),
    ]
    return [_tried(row) for row in rows]


def _play_steps(engine: Any) -> Play:
    """Games from decision to decision, on any of our engines that are generated."""

    def play(seeds: range) -> int:
        start, count, apply, result = engine.start, engine.count, engine.apply, engine.result
        random = Random(seeds.start).random
        decisions = 0
        for seed in seeds:
            state = start(seed)
            while options := count(state):
                apply(state, int(random() * options))
                decisions += 1
            result(state)
        return decisions

    return play


def stepped_in_c(name: str, players: int, settings: tuple[tuple[str, Any], ...] = ()) -> Contender:
    """Games from decision to decision in C: the same library, and a call for each of them."""
    game = f"{name}, {players} players"
    try:
        stepping = import_module("interpreter.native.stepping")
        engine = stepping.build_stepping(shipped(name, settings).machine(players))
    except Exception as reason:  # noqa: BLE001 - no compiler, or not stepped in C: it is told
        return Contender(game, STEPPED_IN_C, None, note=str(reason) or NOT_BUILT)
    steps = Steps(engine.start, engine.count, engine.apply, engine.clone)
    return _tried(Contender(game, STEPPED_IN_C, _play_steps(engine), steps, sized=True))


def in_c(name: str, players: int) -> Contender:
    """Whole games in C, many in one call; `load` writes, compiles and loads it, `again` finds it compiled."""
    game = f"{name}, {players} players"
    try:
        engine, building = (
            import_module(f"interpreter.native.{each}") for each in ("engine", "building")
        )
        programs = import_module("interpreter.native.programs")
        native = engine.build_native(shipped(name).machine(players))
    except Exception as reason:  # noqa: BLE001 - no compiler, or not written in C: it is told
        return Contender(game, IN_C, None, note=str(reason) or NOT_BUILT)

    def play(seeds: range) -> int:
        return sum([end.decisions for end in native.games(seeds)])

    def compile_cold() -> Any:
        source = programs.write_source(shipped(name).machine(players))
        return building.load_library(building.compile_source(source, building.find_compiler()))

    def load_again() -> Any:
        return engine.find_native(shipped(name).machine(players), compiles=False)

    return _tried(
        Contender(
            game, IN_C, play, load=compile_cold, again=load_again, note="many games in one call"
        )
    )


def _tried(row: Contender) -> Contender:
    """The same row if it can play at all: one that fails is told, and the others are measured."""
    try:
        if row.play is not None:
            row.play(range(1))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        return Contender(row.game, row.name, None, note=f"fails: {type(error).__name__}: {error}")
    return row


# ---- By hand ---------------------------------------------------------------------------------------


def _play_class(begin: Callable[[Random], Any]) -> Play:
    def play(seeds: range) -> int:
        chance = Random(seeds.start)
        random = chance.random
        decisions = 0
        for _ in seeds:
            game = begin(chance)
            while options := game.options:
                game.apply(options[int(random() * len(options))])
                decisions += 1
            game.result()
        return decisions

    return play


def _steps_of_class(begin: Callable[[Random], Any]) -> Steps:
    return Steps(
        lambda seed: begin(Random(seed)),
        lambda game: len(game.options),
        lambda game, number: game.apply(game.options[number]),
        lambda game: game.clone(),
    )


def _play_fused(playout: Callable[..., tuple[int, Any]], players: int) -> Play:
    def play(seeds: range) -> int:
        random = Random(seeds.start).random
        return sum([playout(players, random)[0] for _ in seeds])

    return play


def sins_by_hand(players: int) -> list[Contender]:
    def begin(chance: Random) -> sins.Sins:
        return sins.Sins.deal(players, chance)

    game = f"sins, {players} players"
    return [
        Contender(game, CLASS, _play_class(begin), _steps_of_class(begin), sized=True),
        Contender(game, FUSED, _play_fused(sins.playout, players)),
    ]


def siegel_by_hand(players: int) -> list[Contender]:
    def begin(chance: Random) -> siegel.Siegel:
        return siegel.Siegel(players, chance.randrange(players), chance.shuffle)

    game = f"siegel, {players} players"
    return [
        Contender(game, CLASS, _play_class(begin), _steps_of_class(begin), sized=True),
        Contender(game, FUSED, _play_fused(siegel.playout, players)),
    ]


BY_HAND = {"sins": sins_by_hand, "siegel": siegel_by_hand}


# ---- Others ----------------------------------------------------------------------------------------


def open_spiel() -> list[Contender]:
    """Hearts and euchre, stepped from Python. Chance deals card by card: these events count, too."""
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return [Contender("OpenSpiel", "hearts, euchre", None, note="open_spiel is not installed")]
    return [_open_spiel(pyspiel, name) for name in ("hearts", "euchre")]


def _open_spiel(pyspiel: Any, name: str) -> Contender:
    game = pyspiel.load_game(name)

    def play(seeds: range) -> int:
        random = Random(seeds.start).random
        events = 0
        for _ in seeds:
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                events += 1
            state.returns()
        return events

    steps = Steps(
        lambda _seed: game.new_initial_state(),
        lambda state: len(state.legal_actions()),
        lambda state, number: state.apply_action(state.legal_actions()[number]),
        lambda state: state.clone(),
    )
    return Contender(
        "OpenSpiel", f"{name}, stepped", play, steps, note="events, those of chance too"
    )


def rlcard() -> list[Contender]:
    """Uno. Its games have no clone: to step back they are copied deeply, and so they are here."""
    try:
        module = import_module("rlcard")
    except ImportError:
        return [Contender("RLCard", "uno", None, note="rlcard is not installed")]
    game = module.make("uno").game

    def begin(seed: int) -> Any:
        game.np_random.seed(seed)
        game.init_game()
        return game

    def play(seeds: range) -> int:
        random = Random(seeds.start).random
        decisions = 0
        for seed in seeds:
            begin(seed)
            while not game.is_over():
                actions = game.get_legal_actions()
                game.step(actions[int(random() * len(actions))])
                decisions += 1
            game.get_payoffs()
        return decisions

    def count(now: Any) -> int:
        return 0 if now.is_over() else len(now.get_legal_actions())

    steps = Steps(
        begin,
        count,
        lambda now, number: now.step(now.get_legal_actions()[number]),
        lambda now: deepcopy((now.dealer, now.players, now.round)),
    )
    return [Contender("RLCard", "uno, stepped", play, steps, note="cloned by deepcopy")]
