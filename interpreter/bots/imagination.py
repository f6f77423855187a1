"""What thinking bots share: imagined worlds, games played out in them, and what a result is worth."""

import time
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

from attrs import define, field, frozen

from interpreter.bots.advice import Advice, Estimate, Progress
from interpreter.dice import Dice
from interpreter.engine_protocol import Engine
from interpreter.errors import RuleFault
from interpreter.machine import Result
from interpreter.views import Information
from interpreter.worlds import Mind, NoWorld, Sampler, sampler, sampler_of_reference
from interpreter.worlds.fast import Keep, find_module

GAMES_A_WORLD = 12  # played out in the first world, and two more in each that follows
STEPS = 1  # from one world to the next: they differ little, but the next question finds others
HORIZON = 60  # choices: further on, random play says nothing of what was chosen now
WON = 0.8  # what winning counts for; the rest is by how much


def _now() -> float:
    """By the clock, whichever there is when it is asked."""
    return time.monotonic()


@define
class Budget:
    """How long to think: so many games played out, or so many seconds; and who wants to know."""

    games: int | None
    seconds: float | None
    progress: Progress | None = None
    started: float = field(factory=_now)
    played: int = 0
    used: float = 0.0  # the share of it
    is_stopped: bool = False

    def goes_on(self) -> bool:
        """Whether there is any left; tells whoever wants to know."""
        used = 0.0
        if self.games is not None:
            used = self.played / self.games
        if self.seconds is not None:
            used = max(used, (_now() - self.started) / self.seconds)
        self.used = min(used, 1.0)
        if self.progress is not None and not self.progress(self.used):
            self.is_stopped = True
        return used < 1 and not self.is_stopped


@define(eq=False)
class Imagination:
    """The worlds of one player, from one question to the next."""

    engine: Engine[Any]
    dice: Dice
    keep: Keep | None = None  # what makes the module in which to think; None: as the reference does
    sampler: Sampler | Mind | None = None
    finds: bool = False  # whether there is a world for this question; if not, the last one is kept
    worlds: int = 0

    def prepare(self) -> None:
        """Make the module in which to think: no thought is shorter because that takes a while."""
        if self.keep is not None:
            find_module(self.engine.machine, self.keep)

    def recall(self, known: Information, budget: Budget) -> None:
        """Take in what the player knows by now."""
        self.worlds = 0
        try:
            machine, seed = self.engine.machine, self.dice.seed()
            if self.keep is None:
                before = self.sampler if isinstance(self.sampler, Sampler) else None
                self.sampler = sampler_of_reference(machine, known, seed, before, budget.goes_on)
            else:
                self.sampler = sampler(
                    machine,
                    known,
                    seed,
                    self.sampler,
                    budget.goes_on,
                    self.keep,
                    patient=False,
                )
            self.finds = True
        except NoWorld:
            self.finds = False

    def states(self) -> Iterator[Any]:
        """States in which the player may be; each is given several times, with another future.

        To imagine a world takes longer than to play out a game. A short thought needs worlds that
        differ; a long one has enough of them, and more is learnt from games.
        """
        if self.sampler is None or not self.finds:
            return
        while True:
            world = self.sampler.world(STEPS)
            try:
                imagined = self.engine.from_reference(world.state)
            except RuleFault:  # the question itself is too much, in any world
                return
            games = GAMES_A_WORLD + 2 * self.worlds
            self.worlds += 1
            for _ in range(games):
                yield self.engine.future(imagined, self.dice.seed())


@define
class Scale:
    """How large a lead usually is: learnt from the games that were played out."""

    total: float = 0.0
    games: int = 0

    def worth(self, result: Result) -> tuple[float, ...]:
        """Of each player, from 0 to 1: winning above all, and a little by how much."""
        points = result.points
        best = _points(points) if points is not None else []
        partners = {seat: side for side in result.sides for seat in side}
        leads = [each - _best_other(best, partners[n]) for n, each in enumerate(best)]
        if leads:
            self.total += max(abs(each) for each in leads)
            self.games += 1
        usual = self.total / self.games if self.total else 1.0
        found = []
        for seat, won in enumerate(victory(result)):
            lead = leads[seat] / usual if leads else 0.0
            found.append(WON * won + (1 - WON) * (0.5 + 0.5 * lead / (1 + abs(lead))))
        return tuple(found)


def victory(result: Result) -> list[float]:
    """What each player has of the victory: all sides that have won share it, and a draw is worth half."""
    winners = result.winners
    sides = sum(side[0] in winners for side in result.sides)
    parts = {"won": 1 / max(1, sides), "drawn": 0.5, "lost": 0.0}
    return [parts[result.ended(seat)] for seat in range(len(result.places))]


def _points(row: tuple[bool, Sequence[int | None]]) -> list[float]:
    """One row of the ranking, the more the better."""
    most_wins, values = row
    return [0.0 if each is None else float(each if most_wins else -each) for each in values]


def _best_other(points: Sequence[float], side: Sequence[int]) -> float:
    return max((each for n, each in enumerate(points) if n not in side), default=0.0)


@frozen
class PlayoutResult:
    """How a game in thought went: what it is worth to each, what each has won of it, and what each has to show."""

    worth: tuple[float, ...]
    won: tuple[float, ...]
    points: tuple[float, ...]  # of what is compared first; none if nothing is


def _ending(result: Result, worth: tuple[float, ...]) -> PlayoutResult:
    points = result.points
    compared = [float(each or 0) for each in points[1]] if points is not None else []
    return PlayoutResult(worth, tuple(victory(result)), tuple(compared))


@define
class OptionTally:
    """What came of an option in the games that began with it, for whoever chose it."""

    tried: int = 0
    worth: float = 0.0
    won: float = 0.0
    points: float | None = 0.0
    squares: float = 0.0  # of what it was worth

    def add(self, ending: PlayoutResult, player: int) -> None:
        self.tried += 1
        self.worth += ending.worth[player]
        self.squares += ending.worth[player] ** 2
        self.won += ending.won[player]
        if self.points is not None:
            self.points = self.points + ending.points[player] if ending.points else None


def estimate_option(number: int, tally: OptionTally) -> Estimate:
    """What is thought of an option that was tried."""
    n = tally.tried
    points = None if tally.points is None else tally.points / n
    value = tally.worth / n
    error = sqrt(max(0.0, tally.squares / n - value**2) / n)
    return Estimate(number, value, n, tally.won / n, points, error)


def play_out(
    engine: Engine[Any], state: Any, dice: Dice, scale: Scale, chosen: int | None = None
) -> PlayoutResult | None:
    """What a game is worth to everybody after it has gone on at random for a while, with a choice first.

    Nothing, if the rules cannot go on, or cannot say yet who is ahead: what is only imagined is no fault.
    """
    try:
        if chosen is not None:
            engine.apply(state, chosen)
        engine.playout(state, dice.seed(), HORIZON)
        result = engine.result(state)
        return _ending(result, scale.worth(result))
    except RuleFault:
        return None


def conclude(
    dice: Dice, count: int, tallies: dict[int, OptionTally], games: int, worlds: int
) -> Advice:
    """The best option of those that were tried most; any, if none was tried."""
    most = max((each.tried for each in tallies.values()), default=0)
    estimates = sorted(
        (estimate_option(number, each) for number, each in tallies.items() if each.tried),
        key=lambda each: (2 * each.tried < most, -each.value, each.number),
    )
    choice = estimates[0].number if estimates else dice.below(count)
    return Advice(choice, tuple(estimates), games, worlds)
