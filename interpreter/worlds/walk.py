"""A past -> a random walk over pasts that explain the same log, which visits each in proportion to its probability.

This is the Metropolis-Hastings method. A step changes one decision of the past: pieces of a shuffle change places, or
a hidden choice becomes another one. All later decisions stay as they were, with the pieces renamed; where the rules now
ask something else, the decision is drawn afresh. If the log still comes true, the step is accepted with a probability
that corrects for how the step changed the probabilities of all decisions.
"""

from collections.abc import Iterator
from math import exp, log
from typing import Any

from attrs import define

from interpreter.dice import Dice
from interpreter.options import Decision, option_number
from interpreter.worlds.observed_replay import ObservedReplay
from interpreter.worlds.past import (
    OWN,
    RANDOM,
    SHUFFLE,
    Past,
    PastDecision,
    Permutation,
    branch,
    by_address,
    continue_past,
    permute,
    unseen_positions,
)

SHUFFLES = 0.75  # the share of steps that change a shuffle, if there are hidden decisions too


@define(eq=False)
class Walk:
    """The current past of the walk, and how many steps it tried and took."""

    to: ObservedReplay
    dice: Dice
    past: Past
    tried: int = 0
    taken: int = 0

    def step(self) -> bool:
        """Take one step; return whether it reached another past."""
        self.tried += 1
        new = _proposed(self)
        if new is None:
            return False
        self.past = new
        self.taken += 1
        return True


def _changeable(past: Past) -> tuple[list[int], list[int]]:
    """The sites that a step can change: shuffles, and hidden decisions."""
    shuffles, hidden = [], []
    for k, site in enumerate(past.sites):
        if site.kind == SHUFFLE:
            if len(unseen_positions(past, k)) > 1:
                shuffles.append(k)
        elif site.kind != OWN and len(site.fitting) > 1:
            hidden.append(k)
    return shuffles, hidden


def _chance_of(shuffles: list[int], hidden: list[int], kind: str) -> float:
    """The probability that a step chooses a particular site of this kind."""
    if kind == SHUFFLE:
        return (SHUFFLES if hidden else 1.0) / len(shuffles)
    return (1 - SHUFFLES if shuffles else 1.0) / len(hidden)


def _proposed(walk: Walk) -> Past | None:
    """The next past, if the step is accepted."""
    past, dice = walk.past, walk.dice
    shuffles, hidden = _changeable(past)
    if not shuffles and not hidden:
        return None
    is_shuffle = bool(shuffles) and (not hidden or dice.share() < SHUFFLES)
    k = dice.pick(shuffles if is_shuffle else hidden)
    site = past.sites[k]
    places: list[int] | None = None
    if is_shuffle:
        places = _places(past, k, dice)
        permutation = _exchange(
            [site.value[n] for n in places or dice.some(range(len(site.value)), 2)], dice
        )
        value = permute(site.value, permutation)
    else:
        value = dice.pick([each for each in site.fitting if each != site.value])
        both = site.of_pieces and isinstance(value, int) and isinstance(site.value, int)
        permutation = {value: site.value, site.value: value} if both and dice.below(2) else {}
    if value == site.value:
        return None
    new = _accepted(walk, k, value, permutation, _chance_of(shuffles, hidden, site.kind))
    if new is not None and places is not None:
        # The reverse step must be equally likely: it picks the same positions out of equally many.
        before, now = unseen_positions(past, k), unseen_positions(new, k)
        if len(before) != len(now) or not set(places) <= set(now):
            return None
    return new


def _places(past: Past, k: int, dice: Dice) -> list[int] | None:
    """Positions of a shuffle whose pieces are to change places: two, some or all of those not seen since.

    Sometimes any two positions: a piece may have reached the place where it was seen in another way.
    """
    free = unseen_positions(past, k)
    match dice.below(10):
        case 0 | 1 | 2 | 3 | 4:
            return dice.some(free, 2)
        case 5 | 6:
            return dice.some(free, min(len(free), 3 + dice.below(4)))
        case 7 | 8:
            return free
    return None


def _exchange(pieces: list[int], dice: Dice) -> Permutation:
    """Choose which piece takes the place of which; both directions are equally likely."""
    there = pieces[::-1] if len(pieces) == 2 else dice.shuffled(pieces)
    return dict(zip(pieces, there, strict=True))


def _accepted(
    walk: Walk, k: int, value: Any, permutation: Permutation, chosen: float
) -> Past | None:
    """The past after a change, if it explains the log and the dice accept it."""
    to, dice, past = walk.to, walk.dice, walk.past
    new = branch(to, past, k, value)
    if new is None:
        return None
    back = {there: here for here, there in permutation.items()}
    old = by_address(past.sites[k + 1 :])
    fresh = 0.0  # the logarithm of the number of alternatives for everything that was drawn anew

    def pick(site: PastDecision) -> Iterator[Any]:
        nonlocal fresh
        waiting = old.get(site.address)
        if waiting:
            yield from _again(to, waiting.popleft(), site, permutation, back)
        elif site.fitting:
            fresh += log(len(site.fitting))
            yield dice.pick(site.fitting)

    continue_past(to, new, pick)
    if not new.is_whole:
        return None
    stale = sum(log(len(each.fitting)) for left in old.values() for each in left if each.fitting)
    shuffles, hidden = _changeable(new)
    kind = past.sites[k].kind
    if k not in (shuffles if kind == SHUFFLE else hidden):
        return None
    ratio = new.weight - past.weight + fresh - stale
    ratio += log(_chance_of(shuffles, hidden, kind)) - log(chosen)
    return new if ratio >= 0 or dice.share() < exp(ratio) else None


def _again(
    to: ObservedReplay,
    before: PastDecision,
    site: PastDecision,
    permutation: Permutation,
    back: Permutation,
) -> Iterator[Any]:
    """The earlier decision, if it is possible now and the reverse step would restore it."""
    value = permute(before.value, permutation) if site.of_pieces else before.value
    if site.kind != SHUFFLE:
        if len(site.fitting) == 1:
            value = site.fitting[0]
        returned = permute(value, back) if site.of_pieces else value
        if len(before.fitting) > 1 and not _is_same(to, before, returned):
            return
    yield value


def _is_same(to: ObservedReplay, site: PastDecision, value: Any) -> bool:
    """Whether a value is what was decided at a site, or looks like it."""
    if site.kind == RANDOM:
        faces = to.machine.layout.faces
        both = site.of_pieces and isinstance(value, int) and isinstance(site.value, int)
        return faces[value] == faces[site.value] if both else bool(value == site.value)
    pending = site.state.pending
    if not isinstance(pending, Decision):
        return False
    number = option_number(pending.options, value)
    return number is not None and number == option_number(pending.options, site.value)
