"""What a player knows and a budget -> a mind in which thinking bots imagine worlds; and how long they may think."""

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
    """The time, from the clock that is installed when this is called."""
    return time.monotonic()


@define
class Budget:
    """How long to think, in games or in seconds, and whom to report progress to."""

    games: int | None
    seconds: float | None
    progress: Progress | None = None
    started: float = field(factory=_now)
    played: int = 0
    used: float = 0.0  # the share of the budget
    is_stopped: bool = False

    def goes_on(self) -> bool:
        """Whether any of the budget is left; also reports progress."""
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
        """Build the module in which to think, if the game can have one, so that building it takes no thinking time."""
        find_module(self.game.machine(self.players), self._keep)

    @property
    def _keep(self) -> partial[Any]:
        return partial(keep_watched, self.game, self.players)

    def recall(self, known: Information, budget: Budget) -> Mind | SlowMind | None:
        """A mind that knows what the player knows now; None if no world explains it."""
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
