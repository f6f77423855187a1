"""The engines for a table, and which of them plays a game: the fastest one that can."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from attrs import define, field, frozen

from interpreter import chance, machine
from interpreter.compiled import Compiled
from interpreter.compiled.caching import compile_kept
from interpreter.compiled.support import Beyond
from interpreter.compiled.writing import Unsupported
from interpreter.engine import Engine, Question
from interpreter.machine import Result
from interpreter.match import Game
from interpreter.native.later import Later
from interpreter.native.stepping import Stepping
from interpreter.options import Decision
from interpreter.state import State
from rulespec.core.fingerprints import canonical_text


def is_watched(game: Game) -> bool:
    """Whether a rule asks what players have seen: that is kept by the reference machine alone."""
    return "'knows'" in canonical_text(game.code)


class Reference:
    """The reference machine as an engine."""

    def __init__(self, game: Game, players: int) -> None:
        self.machine = game.machine(players)
        # Only `knows` asks what players have seen; all other rules are faster without.
        self._is_watched = is_watched(game)

    def start(self, seed: int, first: int | None = None) -> State:
        return machine.start(self.machine, seed, first, watched=self._is_watched)

    def from_reference(self, state: State) -> State:
        new = state.clone()
        new.rng = new.rng or 0  # chance may have been decided from outside until now
        if not self._is_watched:
            new.watch = None
        return new

    def clone(self, state: State) -> State:
        return state.clone()

    def future(self, state: State, seed: int) -> State:
        new = state.clone()
        new.rng = seed
        return new

    def count(self, state: State) -> int:
        return len(state.pending.options) if isinstance(state.pending, Decision) else 0

    def player(self, state: State) -> int:
        found: int = state.pending.player
        return found

    def asked(self, state: State) -> Decision:
        found: Decision = state.pending
        return found

    def options(self, state: State) -> list[Any]:
        return list(state.pending.options)

    def apply(self, state: State, number: int) -> None:
        machine.apply(self.machine, state, number)

    def playout(self, state: State, luck: int, most: int) -> None:
        while most and isinstance(state.pending, Decision):
            luck, number = chance.try_luck(luck, len(state.pending.options))
            machine.apply(self.machine, state, number)
            most -= 1

    def result(self, state: State) -> Result:
        return machine.rank(self.machine, state)


# ---- The fastest one at hand -----------------------------------------------------------------------


@frozen
class Seeded:
    """From here on chance followed from this seed."""

    seed: int


# What happened to a game: an option was chosen, it was played out with some luck, or chance was changed.
Step: TypeAlias = int | tuple[int, int] | Seeded


@define(eq=False)
class Course:
    """A game, whose state it is, and how it came about: where a fast engine cannot go on, the reference plays it again."""

    engine: Engine[Any]
    state: Any
    origin: State
    path: list[Step] = field(factory=list)


class Generated:
    """Generated code: Python, and C once it is there. What is beyond these the reference plays.

    All play the same games: a bot comes to the same conclusions with each of them, only sooner.
    """

    def __init__(self, game: Game, players: int) -> None:
        self.machine = game.machine(players)
        self._reference = Reference(game, players)
        self._fast: Engine[Any] = compiled_engine(game, players)
        self._later = native_engine(game, players)

    def start(self, seed: int, first: int | None = None) -> Course:
        return self._begin(self._reference.start(seed, first))

    def from_reference(self, state: State) -> Course:
        return self._begin(self._reference.from_reference(state))

    def _begin(self, origin: State) -> Course:
        self._fast = self._later.look() or self._fast
        course = Course(self._fast, None, origin)
        try:
            course.state = self._fast.from_reference(origin)
        except Beyond:
            self._judge(course)
        return course

    def _judge(self, course: Course) -> None:
        """Let the reference go on with a game that is beyond the fast engine; what is wrong with it, it tells."""
        state = course.origin.clone()
        for step in course.path:
            match step:
                case int():
                    self._reference.apply(state, step)
                case (luck, most):
                    self._reference.playout(state, luck, most)
                case Seeded(seed):
                    state.rng = seed
        course.engine, course.state = self._reference, state

    def clone(self, course: Course) -> Course:
        state = course.engine.clone(course.state)
        return Course(course.engine, state, course.origin, course.path[:])

    def future(self, course: Course, seed: int) -> Course:
        state = course.engine.future(course.state, seed)
        return Course(course.engine, state, course.origin, [*course.path, Seeded(seed)])

    def count(self, course: Course) -> int:
        return course.engine.count(course.state)

    def player(self, course: Course) -> int:
        return course.engine.player(course.state)

    def asked(self, course: Course) -> Question:
        return course.engine.asked(course.state)

    def options(self, course: Course) -> Sequence[Any]:
        try:
            return course.engine.options(course.state)
        except Beyond:
            self._judge(course)
            return course.engine.options(course.state)

    def apply(self, course: Course, number: int) -> None:
        try:
            course.engine.apply(course.state, number)
        except Beyond:
            self._judge(course)
            course.engine.apply(course.state, number)
        course.path.append(number)

    def playout(self, course: Course, luck: int, most: int) -> None:
        self._later.played += 1
        try:
            course.engine.playout(course.state, luck, most)
        except Beyond:
            self._judge(course)
            course.engine.playout(course.state, luck, most)
        course.path.append((luck, most))

    def result(self, course: Course) -> Result:
        try:
            return course.engine.result(course.state)
        except Beyond:
            self._judge(course)
            return course.engine.result(course.state)


# The type checker holds every engine to the protocol.
ENGINES: tuple[type[Engine[Any]], ...] = (Reference, Compiled, Stepping, Generated)


# ---- Making one ----------------------------------------------------------------------------------


def make_engine(game: Game, players: int) -> Engine[Any]:
    """The fastest engine that can play a game."""
    if is_watched(game):
        return Reference(game, players)
    try:
        return Generated(game, players)
    except Unsupported:
        return Reference(game, players)


@lru_cache(maxsize=16)
def compiled_engine(game: Game, players: int) -> Compiled:
    """The generated engine for a table, made once; games that were played long ago are forgotten."""
    return compile_kept(game, players)


@lru_cache(maxsize=16)
def native_engine(game: Game, players: int) -> Later:
    """The engine in C for a table, which all bots at it share."""
    return Later(game.machine(players))
