"""What bots need of an engine, and no more: a faster one can take the place of the reference.

A state is whatever the engine makes of it; only the engine looks inside.
"""

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, Protocol

from interpreter import chance, machine
from interpreter.compiled import Compiled
from interpreter.compiled.caching import compile_kept
from interpreter.compiled.support import Beyond
from interpreter.compiled.writing import Unsupported
from interpreter.knowledge import Event, seers
from interpreter.layout import Layout
from interpreter.machine import Machine, Result
from interpreter.match import Game
from interpreter.native.later import Later
from interpreter.native.stepping import Stepping
from interpreter.options import ChanceNode, Decision
from interpreter.state import State
from interpreter.views import Observation, by_face, observed
from rulespec.core.fingerprints import canonical_text


class Engine(Protocol):
    """Rules at a table of so many."""

    players: int
    layout: Layout

    def begin(self, first: int) -> Any:
        """A new game that is observed, and in which chance is decided from outside."""

    def pending(self, state: Any) -> Decision | ChanceNode | None:
        """What the game waits for; nothing when it is over."""

    def clone(self, state: Any) -> Any:
        """An independent copy."""

    def apply(self, state: Any, number: int) -> None:
        """Choose an option, and go on to whatever is next."""

    def decide(self, state: Any, outcome: Any) -> None:
        """Let chance decide so, and go on."""

    def contents(self, state: Any, zone: int) -> tuple[int, ...]:
        """The pieces in a zone."""

    def sees(self, state: Any, player: int, piece: int) -> bool:
        """Whether a player sees the face of a piece where it lies."""

    def overheard(self, state: Any, player: int) -> list[tuple[Observation, tuple[int, ...]]]:
        """What a player has observed since this was last asked, and the pieces whose faces were seen."""

    # ---- Imagined games: nobody observes them, and they go on by themselves ----------------------

    def imagine(self, state: Any) -> Any:
        """A state as an imagined game; those that were imagined before are forgotten."""

    def future(self, game: Any, seed: int) -> Any:
        """A copy of an imagined game in which chance follows from the seed."""

    def count(self, game: Any) -> int:
        """How many options there are; none when the game is over."""

    def player(self, game: Any) -> int:
        """Who is asked."""

    def looks(self, game: Any) -> list[Hashable]:
        """What each option looks like, and who is asked where: the same in different worlds."""

    def choose(self, game: Any, number: int) -> None:
        """Choose an option, and go on to whatever is next."""

    def playout(self, game: Any, luck: int, most: int) -> None:
        """Let everybody try their luck until the game is over, or so many choices later."""

    def result(self, game: Any) -> Result:
        """Places and scores."""


def seen_in(event: Event, player: int) -> tuple[int, ...]:
    """The pieces whose faces a player sees in an event."""
    if not event.seers >> player & 1:
        return ()
    match event.kind:
        case "move" | "top":
            return (event.data[0],)
        case "show":
            pieces: tuple[int, ...] = event.data[0]
            return pieces
        case "shuffle":
            order: tuple[int, ...] = event.data[1]
            return order
    return ()


class Reference:
    """The reference machine as an engine for bots."""

    def __init__(self, game: Game, players: int) -> None:
        self.players = players
        self._machine: Machine = game.machine(players)
        self.layout = self._machine.layout
        # Only `knows` asks what players have seen; all other rules are faster without.
        self.is_watched = "'knows'" in canonical_text(game.code)

    def begin(self, first: int) -> State:
        return machine.start(self._machine, None, first, watched=True)

    def pending(self, state: State) -> Decision | ChanceNode | None:
        found: Decision | ChanceNode | None = state.pending
        return found

    def clone(self, state: State) -> State:
        return state.clone()

    def apply(self, state: State, number: int) -> None:
        machine.apply(self._machine, state, number)

    def decide(self, state: State, outcome: Any) -> None:
        machine.decide_chance(self._machine, state, outcome)

    def contents(self, state: State, zone: int) -> tuple[int, ...]:
        return state.zones[zone]

    def sees(self, state: State, player: int, piece: int) -> bool:
        return bool(seers(self._machine.eyes, state, piece) >> player & 1)

    def overheard(self, state: State, player: int) -> list[tuple[Observation, tuple[int, ...]]]:
        watch = state.watch
        events, watch.events = watch.events, []
        return [
            (observed(self.layout, each, player), seen_in(each, player))
            for each in events
            if each.told >> player & 1
        ]

    def imagine(self, state: State) -> State:
        new = state.clone()
        if not self.is_watched:
            new.watch = None
        return new

    def future(self, game: State, seed: int) -> State:
        new = game.clone()
        new.rng = seed
        return new

    def count(self, game: State) -> int:
        return len(game.pending.options) if isinstance(game.pending, Decision) else 0

    def player(self, game: State) -> int:
        found: int = game.pending.player
        return found

    def looks(self, game: State) -> list[Hashable]:
        asked: Decision = game.pending
        start = asked.origin.span.start
        return [
            (asked.player, start, by_face(self.layout, value, asked.of)) for value in asked.options
        ]

    def choose(self, game: State, number: int) -> None:
        machine.apply(self._machine, game, number)

    def playout(self, game: State, luck: int, most: int) -> None:
        while most and isinstance(game.pending, Decision):
            luck, number = chance.try_luck(luck, len(game.pending.options))
            machine.apply(self._machine, game, number)
            most -= 1

    def result(self, game: State) -> Result:
        return machine.rank(self._machine, game)


class Imagined:
    """An imagined game, and how it came about: where a fast engine cannot go on, the reference plays it again."""

    __slots__ = ("is_judged", "origin", "path", "seed", "state")

    def __init__(self, state: Any, origin: State, seed: int = 0) -> None:
        self.state = state
        self.origin = origin
        self.seed = seed
        self.path: list[int | tuple[int, int]] = []  # options, and games played out from there
        self.is_judged = False  # by the reference, whose state it is then


class Generated(Reference):
    """The reference for what players observe, and generated code for what bots imagine: Python, and C once it is there.

    All play the same games: a bot comes to the same conclusions with each of them, only sooner.
    """

    def __init__(self, game: Game, players: int) -> None:
        super().__init__(game, players)
        self._fast: Compiled | Stepping = compiled_engine(game, players)
        self._later = native_engine(game, players)
        self._looks: dict[tuple[int, int], dict[Any, Hashable]] = {}  # by instruction and player

    def imagine(self, state: State) -> Any:
        self._fast = self._later.look() or self._fast
        game = Imagined(None, super().imagine(state))
        try:
            game.state = self._fast.from_reference(game.origin)
        except Beyond:
            self._judge(game)
        return game

    def _judge(self, game: Imagined) -> None:
        """Let the reference go on with a game that is beyond the fast engine; what is wrong with it, it tells."""
        state = game.origin.clone()
        state.rng = game.seed
        for step in game.path:
            if isinstance(step, int):
                super().choose(state, step)
            else:
                super().playout(state, *step)
        game.state, game.is_judged = state, True

    def future(self, game: Any, seed: int) -> Any:
        if game.is_judged:
            new = Imagined(super().future(game.state, seed), game.origin, seed)
            new.is_judged = True
            return new
        return Imagined(self._fast.future(game.state, seed), game.origin, seed)

    def count(self, game: Any) -> int:
        return super().count(game.state) if game.is_judged else self._fast.count(game.state)

    def player(self, game: Any) -> int:
        return super().player(game.state) if game.is_judged else self._fast.player(game.state)

    def looks(self, game: Any) -> list[Hashable]:
        if not game.is_judged:
            try:
                return self._fast_looks(game.state)
            except Beyond:
                self._judge(game)
        return super().looks(game.state)

    def _fast_looks(self, state: Any) -> list[Hashable]:
        fast = self._fast
        asked, player = fast.asked(state), fast.player(state)
        known = self._looks.setdefault((id(asked), player), {})
        found = []
        for value in fast.options(state):
            look = known.get(value)
            if look is None:
                look = player, asked.origin.span.start, by_face(self.layout, value, asked.of)
                if not isinstance(value, tuple):  # of sets there are too many
                    known[value] = look
            found.append(look)
        return found

    def choose(self, game: Any, number: int) -> None:
        if not game.is_judged:
            try:
                self._fast.apply(game.state, number)
            except Beyond:
                self._judge(game)
            else:
                game.path.append(number)
                return
        super().choose(game.state, number)

    def playout(self, game: Any, luck: int, most: int) -> None:
        self._later.played += 1
        if not game.is_judged:
            try:
                self._fast.playout(game.state, luck, most)
            except Beyond:
                self._judge(game)
            else:
                game.path.append((luck, most))
                return
        super().playout(game.state, luck, most)

    def result(self, game: Any) -> Result:
        if not game.is_judged:
            try:
                return self._fast.result(game.state)
            except Beyond:
                self._judge(game)
        return super().result(game.state)


def make_engine(game: Game, players: int) -> Engine:
    """The fastest engine that can play a game."""
    reference = Reference(game, players)
    # What players know is kept by the reference alone.
    if reference.is_watched:
        return reference
    try:
        return Generated(game, players)
    except Unsupported:
        return reference


@lru_cache(maxsize=16)
def compiled_engine(game: Game, players: int) -> Compiled:
    """The generated engine for a table, made once; games that were played long ago are forgotten."""
    return compile_kept(game, players)


@lru_cache(maxsize=16)
def native_engine(game: Game, players: int) -> Later:
    """The engine in C for a table, which all bots at it share."""
    return Later(game.machine(players))
