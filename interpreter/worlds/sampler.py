"""A player's information -> worlds that the player must reckon with: whole pasts that explain all observations.

Each world is played by the rules from the first step, and gives the player the same observations and the same question:
no card lies where the rules could not bring it, and all players do what the rules require. Worlds are drawn in
proportion to their probability, if chance is fair and the other players choose at random.
"""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from interpreter.dice import Dice
from interpreter.machine import Machine
from interpreter.state import State
from interpreter.views import Information
from interpreter.worlds.fast import Keep, Mind, Unimagined, find_mind
from interpreter.worlds.mending import PATIENCE, first_past
from interpreter.worlds.observed_replay import ObservedReplay
from interpreter.worlds.past import Past
from interpreter.worlds.walk import Walk

MOST_BEGUN = 100  # attempts to find a first world
MOST_CONTINUED = 30  # the same, with an earlier sampler
AFRESH = 5  # of these attempts, every fifth starts afresh
SHORT_PATIENCE = 8  # the patience with the first attempts
FIRST_STEPS = 8  # of a fresh walk, before it yields its first world
STEPS = 3  # of the walk, from one world to the next


class NoWorld(Exception):  # noqa: N818 - a result, not an error
    """No past was found that explains what a player knows."""


@frozen(eq=False)
class World:
    """A state that may be the true one, and all decisions that led to it, in order."""

    state: State
    decided: tuple[tuple[str, Any], ...]


@frozen(eq=False)
class Sampler:
    """Draws worlds for one player at one moment."""

    walk: Walk

    def world(self, steps: int = STEPS) -> World:
        """The world that is reached after so many steps."""
        for _ in range(steps):
            self.walk.step()
        past = self.walk.past
        return World(past.state, tuple((site.kind, site.value) for site in past.sites))


def sampler(  # noqa: PLR0913, PLR0917 - what is known, and how to go about it
    machine: Machine,
    known: Information,
    seed: int,
    earlier: Sampler | Mind | None = None,
    goes_on: Callable[[], bool] = lambda: True,
    keep: Keep | None = None,
    *,
    patient: bool = True,
) -> Sampler | Mind:
    """A sampler of worlds for a player who is asked a question: on the fast engine if possible, else on the reference.

    An `earlier` sampler of the same player in the same game saves time. `keep` builds the module. If the fast
    engine finds no world, the reference searches only if `patient` is set, as this may take minutes.
    """
    mind = earlier if isinstance(earlier, Mind) else find_mind(machine, seed, keep)
    if mind is not None:
        try:
            mind.explain(known, goes_on)
        except Unimagined:
            if not (patient and goes_on()):
                raise NoWorld from None
        else:
            return mind
    return sampler_of_reference(
        machine, known, seed, earlier if isinstance(earlier, Sampler) else None, goes_on
    )


def sampler_of_reference(
    machine: Machine,
    known: Information,
    seed: int,
    earlier: Sampler | None = None,
    goes_on: Callable[[], bool] = lambda: True,
) -> Sampler:
    """The same on the reference machine, for games that the fast engine cannot play."""
    to, dice = ObservedReplay(machine, known), Dice(seed)
    before = earlier if _is_earlier(earlier, known) else None
    for begun in range(MOST_BEGUN if before is None else MOST_CONTINUED):
        if before is not None and begun % AFRESH != AFRESH - 1:
            # The earlier past may have become impossible; walk to another one of that time.
            for _ in range(begun):
                before.walk.step()
            start = before.walk.past
        else:
            start = None
        past = first_past(to, dice, start, _patience(begun, start), goes_on)
        if past.is_whole:
            walk = Walk(to, dice, past)
            # A continued walk has already forgotten its start.
            for _ in range(FIRST_STEPS if start is None else 0):
                walk.step()
            return Sampler(walk)
        if not goes_on():
            break
    raise NoWorld


def _patience(begun: int, start: Past | None) -> int:
    """The patience of an attempt: fresh starts are cheap and often succeed; patience grows after repeated failures."""
    return PATIENCE if start is not None else min(PATIENCE, SHORT_PATIENCE * (1 + begun // 8))


def _is_earlier(found: Sampler | None, known: Information) -> bool:
    if found is None:
        return False
    before = found.walk.to.known
    same = (before.player, before.first) == (known.player, known.first)
    return same and known.log[: len(before.log)] == before.log
