"""Who is measured: our engines, the games by hand, and the libraries of others that are installed.

A contender plays whole games with uniformly random choices, from the setup to the result, and says how many
decisions that were. Choices are `int(random() * n)`; inside of the fast engine they are luck (`interpreter/chance.py`).
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

from attrs import evolve, frozen

from handwritten import siegel, sins
from interpreter import caching
from interpreter.engines import find_fast, why_slow
from interpreter.game_loading import load
from interpreter.machine import apply, build_machine, rank, start
from interpreter.match import Game
from interpreter.wasm.engine import Wasm
from rulespec.checking.layers import forget_trees
from rulespec.limits import MOST_CHOICES

SHIPPED = (("sins", 4), ("seven7s", 3), ("siegel", 4), ("deadlies", 4))
REFERENCE, CLASS, FUSED = "reference", "by hand, class", "by hand, fused"
IN_WASM = STEPPED, WHOLE, PLAYOUTS = (
    "wasm, stepped",
    "wasm, whole games",
    "wasm, playouts",
)
STATES = 16  # from which playouts begin, by turns

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
    size: int | None = None  # or bytes of a state
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
        found += [reference(name, players), *in_wasm(name, players)]
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


def wasm(name: str, players: int, settings: tuple[tuple[str, Any], ...] = ()) -> Wasm | None:
    """The fast engine of a table, made once; none if nothing here runs modules."""
    return find_fast(shipped(name, settings), players)


def in_wasm(name: str, players: int) -> list[Contender]:
    """The fast engine in all the ways in which it is used."""
    game = f"{name}, {players} players"
    engine = wasm(name, players)
    if engine is None:
        why = why_slow(shipped(name), players) or ""
        return [Contender(game, each, None, note=why) for each in IN_WASM]
    rows = [stepped(name, players), whole(name, players), played_out(engine)]
    return [_tried(evolve(row, game=game)) for row in rows]


def stepped(name: str, players: int, settings: tuple[tuple[str, Any], ...] = ()) -> Contender:
    """From decision to decision, with a call for each of them; `load` and `again` begin with the text of the rules."""
    game = f"{name}, {players} players"
    engine = wasm(name, players, settings)
    if engine is None:
        return Contender(game, STEPPED, None, note=why_slow(shipped(name, settings), players) or "")

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

    def load_cold() -> Any:
        forget_trees()
        return Wasm(load(f"{name}.rules").machine(players))

    def load_again() -> Any:
        caching.find_maker.cache_clear()  # a new process has to look at all sources, too
        return caching.load_fast(f"{name}.rules", players)

    load_again()
    kept = caching.find_kept(caching.load_kept(f"{name}.rules"), players) is not None
    steps = Steps(engine.start, engine.count, engine.apply, engine.clone)
    again = load_again if kept else None
    return Contender(game, STEPPED, play, steps, load_cold, again, size=engine.size)


def whole(name: str, players: int) -> Contender:
    """Many games in one call; `load` and `again` begin with a game that was read and checked."""
    game = f"{name}, {players} players"
    engine = wasm(name, players)
    if engine is None:
        return Contender(game, WHOLE, None, note=why_slow(shipped(name), players) or "")
    read = shipped(name)
    caching.make_kept(read, players)

    def play(seeds: range) -> int:
        return sum([end.decisions for end in engine.games(seeds) if end is not None])

    def make() -> Wasm:
        return Wasm(build_machine(read.code, players))

    def fetch() -> Wasm:
        return caching.make_kept(evolve(read), players)  # a copy has no machines yet

    again = None if caching.find_kept(read, players) is None else fetch
    return Contender(game, WHOLE, play, None, make, again, note="many games in one call")


def played_out(engine: Wasm) -> Contender:
    """Games from their first decision on, each in a copy of its state."""
    begun = [engine.start(seed) for seed in range(STATES)]

    def play(seeds: range) -> int:
        for seed in seeds:
            engine.playout(engine.future(begun[seed % STATES], seed), seed, MOST_CHOICES)
        return 0

    return Contender("", PLAYOUTS, play, note="copy and play out, a call for each")


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
