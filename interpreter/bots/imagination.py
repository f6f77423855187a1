"""What thinking bots share: how long they think, and the worlds that they imagine."""

import time
from functools import partial
from typing import Any

from attrs import define, field

from interpreter.bots.advice import Progress
from interpreter.bots.slow_mind import SlowMind
from interpreter.caching import keep_watched
from interpreter.dice import Dice
from interpreter.engines import make_engine
from interpreter.match import Game
from interpreter.views import Information
from interpreter.worlds import Mind, NoWorld, Sampler, sampler
from interpreter.worlds.fast import find_module


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
    """The worlds of one player, from one question to the next.

    They are imagined in the module in which players think, whichever engine plays the game: so the same player, with
    the same knowledge and the same number of games, chooses the same everywhere. Where there is no such module, the
    reference imagines them.
    """

    game: Game
    players: int
    dice: Dice
    known: Mind | Sampler | None = None  # the worlds of the last question

    def prepare(self) -> None:
        """Make the module in which to think, if there can be one: no thought is shorter because that takes a while."""
        find_module(self.game.machine(self.players), self._keep)

    @property
    def _keep(self) -> partial[Any]:
        return partial(keep_watched, self.game, self.players)

    def recall(self, known: Information, budget: Budget) -> Mind | SlowMind | None:
        """A mind that has taken in what the player knows by now; None if no world explains that."""
        machine, seed = self.game.machine(self.players), self.dice.seed()
        try:
            self.known = sampler(
                machine, known, seed, self.known, budget.goes_on, self._keep, patient=False
            )
        except NoWorld:
            return None
        if isinstance(self.known, Mind):
            return self.known
        return SlowMind(make_engine(self.game, self.players), self.dice, self.known)
