"""Options and worlds of the reference -> tallies, where there is no module: one decision ahead, then random play.

Few games need this: `docs/decisions/0023-worlds-in-the-module.md` says which. There is no tree, and the advice says so.
"""

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from interpreter.bots.worth import Scale, victory
from interpreter.dice import Dice
from interpreter.engine_protocol import Engine
from interpreter.errors import RuleFault
from interpreter.machine import Result
from interpreter.worlds import Sampler
from interpreter.worlds.fast import HORIZON

GAMES_A_WORLD = 12  # imagining a world takes longer than playing out a game
STEPS = 1  # of the walk, from one world to the next: they differ little, but the next question finds others


@define(eq=False)
class SlowMind:
    """A mind on the reference, with the same interface as `Mind`."""

    engine: Engine[Any]
    dice: Dice
    sampler: Sampler
    worlds: int = 0
    _numbers: Sequence[int] = ()
    _begun: list[int] = field(factory=list)
    _tallies: list[list[float]] = field(factory=list)
    _scale: Scale = field(factory=Scale)
    _imagined: Any = None
    _left: int = 0  # games left in this world

    @property
    def has_points(self) -> bool:
        """Whether the ranking compares anything."""
        return any(row.role == "score" for _, _, row in self.engine.machine.ranking)

    def begin_thought(self, numbers: Sequence[int], *, deep: bool, games: int) -> None:  # noqa: ARG002 - as a mind
        """Begin to think about these options of the question."""
        self._numbers, self._scale = numbers, Scale()
        self._begun = [0] * len(numbers)
        self._tallies = [[0.0] * 5 for _ in numbers]
        self.worlds = self._left = 0

    def think(self, promising: Sequence[int], games: int) -> None:
        """Play out `games` more games, each with the least tried of the promising options."""
        for _ in range(games):
            place = min(promising, key=self._begun.__getitem__)
            self._begun[place] += 1
            try:
                self._play_out(place)
            except RuleFault:  # an imagined game does not report faults
                continue

    def _play_out(self, place: int) -> None:
        engine = self.engine
        if not self._left:
            self._imagined = engine.from_reference(self.sampler.world(STEPS).state)
            self._left = GAMES_A_WORLD
            self.worlds += 1
        self._left -= 1
        state = engine.future(self._imagined, self.dice.seed())
        me = engine.player(state)
        engine.apply(state, self._numbers[place])
        engine.playout(state, self.dice.seed(), HORIZON)
        result = engine.result(state)
        worth = self._scale.worth(result)[me]
        row = (1, worth, victory(result)[me], _points(result, me), worth * worth)
        self._tallies[place] = [a + b for a, b in zip(self._tallies[place], row, strict=True)]

    def tallies(self, count: int) -> list[list[float]]:
        """For each option: the number of games, and the sums of their worth, wins, scores and squared worth."""
        return self._tallies[:count]


def _points(result: Result, player: int) -> float:
    """The value of a player in the first row of the ranking."""
    return 0.0 if result.points is None else float(result.points[1][player] or 0)
