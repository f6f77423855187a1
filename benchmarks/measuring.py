"""Times and sizes of contenders, taken by turns: what disturbs one disturbs its neighbours, too.

Time is the processor's, not the clock's. A slice of work is the same in every round, so the best round is the
least disturbed one; a ratio is taken within each round, and of these the median.
"""

import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import median
from types import FunctionType, ModuleType
from typing import Any

from attrs import define, field

from contenders import Contender, Play, Steps

TENTHS = 10
CLONING = 0.002  # seconds in which one state is copied again and again
OUTSIDE = (type, ModuleType, FunctionType, Random)  # these belong to no state


@define
class Figures:
    """What was measured of a contender."""

    games: int = 0
    decisions: int = 0  # in so many games; 0 if the contender does not count them
    seconds: list[float] = field(factory=list)  # for so many games, round by round
    clone: float | None = None
    step: float | None = None
    both: float | None = None  # a copy, and a step of the copy
    load: float | None = None
    again: float | None = None
    size: int | None = None

    @property
    def length(self) -> float:
        """Decisions a game."""
        return self.decisions / self.games

    @property
    def each(self) -> float:
        """Seconds for a decision."""
        return min(self.seconds) / self.decisions

    @property
    def rates(self) -> list[float]:
        """Decisions a second, round by round."""
        return [self.decisions / each for each in self.seconds]


def seconds_for(work: Callable[[], Any]) -> float:
    """Seconds of computing, those of programs that were called included: a compiler is one."""
    begin = time.process_time() + _called()
    work()
    return time.process_time() + _called() - begin


def _called() -> float:
    told = os.times()
    return told.children_user + told.children_system


def games_for(play: Play, seconds: float) -> int:
    """How many games fill a slice of time."""
    games = 1
    while True:
        taken = seconds_for(partial(play, range(games)))
        if taken >= seconds / 4:
            return max(1, round(games * seconds / max(taken, 1e-6)))
        games *= 2


def race(contenders: Sequence[Contender], rounds: int, seconds: float) -> dict[str, Figures]:
    """All play in turn, round after round: A B C, A B C, …"""
    present = [(each.title, each.play) for each in contenders if each.play is not None]
    found = {title: Figures(games_for(play, seconds)) for title, play in present}
    for _ in range(rounds):
        for title, play in present:
            figures = found[title]
            gc.collect()
            begin = time.process_time()
            figures.decisions = play(range(figures.games))
            figures.seconds.append(time.process_time() - begin)
    return found


def ratio(one: Figures, other: Figures) -> float:
    """How many times as many decisions one takes as the other in the same time."""
    pairs = zip(one.rates, other.rates, strict=True)
    return median(mine / yours for mine, yours in pairs)


# ---- One thing alone -------------------------------------------------------------------------------


def best_seconds(work: Callable[[], Any], rounds: int, slice_: float = 0.0) -> float:
    """Seconds for one call, the best of some rounds; in each as many calls as fill a slice of time."""

    def repeat(seeds: range) -> int:
        for _ in seeds:
            work()
        return 0

    times = games_for(repeat, slice_) if slice_ else 1
    return min(seconds_for(partial(repeat, range(times))) for _ in range(rounds)) / times


def state_at(steps: Steps, share: float, seed: int) -> Any:
    """A state after a share of a game that is played at random."""
    numbers = choices_of(steps, seed)
    state = steps.start(seed)
    for number in numbers[: int(share * len(numbers))]:
        steps.apply(state, number)
    return state


def choices_of(steps: Steps, seed: int) -> list[int]:
    """The choices of a whole game."""
    random = Random(seed).random
    state = steps.start(seed)
    numbers = []
    while options := steps.count(state):
        numbers.append(int(random() * options))
        steps.apply(state, numbers[-1])
    return numbers


def clone_seconds(steps: Steps, share: float, rounds: int, games: int = 10) -> float:
    """Seconds for a copy of a state after a share of the game; the mean of some games."""
    found = 0.0
    for seed in range(games):
        state = state_at(steps, share, seed)
        found += best_seconds(partial(steps.clone, state), rounds, CLONING)
    return found / games


def step_seconds(steps: Steps, rounds: int, games: int = 10, *, copies: bool = False) -> float:
    """Seconds for a choice that was made before, in whole games; with a copy before each of them, if wanted."""
    numbers = [choices_of(steps, seed) for seed in range(games)]
    walk = _copy_and_apply if copies else _apply_all
    best = [float("inf")] * games  # of each game, as short slices are disturbed less
    for _ in range(rounds):
        for seed, each in enumerate(numbers):
            taken = seconds_for(partial(walk, steps, steps.start(seed), each))
            best[seed] = min(best[seed], taken)
    return sum(best) / sum(map(len, numbers))


def _apply_all(steps: Steps, state: Any, numbers: list[int]) -> None:
    apply = steps.apply
    for number in numbers:
        apply(state, number)


def _copy_and_apply(steps: Steps, state: Any, numbers: list[int]) -> None:
    apply, clone = steps.apply, steps.clone
    for number in numbers:
        state = clone(state)
        apply(state, number)


def own_size(one: Any, other: Any) -> int:
    """Bytes of all that belongs to a state and not to another one of another game, too.

    What both reach is the engine's: tables, code, small numbers. A generator that copies share is not copied.
    """
    shared = _reachable(other)
    return sum(sys.getsizeof(each) for key, each in _reachable(one).items() if key not in shared)


def _reachable(root: Any) -> dict[int, Any]:
    found: dict[int, Any] = {}
    waiting = [root]
    while waiting:
        each = waiting.pop()
        if id(each) not in found and not isinstance(each, OUTSIDE):
            found[id(each)] = each
            waiting += gc.get_referents(each)
    return found


# ---- From the beginning to the end -----------------------------------------------------------------


def seconds_by_tenth(steps: Steps, games: int, rounds: int) -> list[float]:
    """Seconds for a decision in each tenth of a game; all games are taken through it together."""
    numbers = [choices_of(steps, seed) for seed in range(games)]
    cuts = [[round(n * len(each) / TENTHS) for n in range(TENTHS + 1)] for each in numbers]
    best = [float("inf")] * TENTHS
    for _ in range(rounds):
        states = [steps.start(seed) for seed in range(games)]
        for tenth in range(TENTHS):
            parts = [
                (state, each[cut[tenth] : cut[tenth + 1]])
                for state, each, cut in zip(states, numbers, cuts, strict=True)
            ]
            decisions = sum(len(part) for _, part in parts)
            taken = seconds_for(partial(_go_through, steps, parts))
            best[tenth] = min(best[tenth], taken / decisions)
    return best


def _go_through(steps: Steps, parts: list[tuple[Any, list[int]]]) -> None:
    count, apply = steps.count, steps.apply
    for state, numbers in parts:
        for number in numbers:
            count(state)
            apply(state, number)
