"""The log of a player -> a first past that explains it: a guess from the log, repaired where the rules contradict it.

This search need not sample fairly; it only has to find some past that explains the log. The random walk that starts from
this past forgets its start.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from attrs import evolve, frozen

from interpreter.actions import Action
from interpreter.dice import Dice
from interpreter.event_log import holds_pieces
from interpreter.layout import insert_position
from interpreter.options import Decision
from interpreter.views import Observation
from interpreter.worlds.observed_replay import ObservedReplay
from interpreter.worlds.past import (
    OTHER,
    OWN,
    RANDOM,
    SHUFFLE,
    Past,
    PastDecision,
    Permutation,
    branch,
    by_address,
    continue_past,
    empty_past,
    permute,
    site_of,
    unseen_positions,
)
from interpreter.worlds.tokens import Guess, arrange, guess

MOST_TRIED = 30  # matching options to try at one site
PATIENCE = 40  # fruitless changes before a fresh start
SOON = 12  # observations after a choice that may show its pieces moving
HIDDEN = (OTHER, RANDOM)  # kinds of facts that the player may not have seen
RECENT = 8  # decisions before the contradiction that may be changed


def first_past(
    to: ObservedReplay,
    dice: Dice,
    earlier: Past | None = None,
    patience: int = PATIENCE,
    goes_on: Callable[[], bool] = lambda: True,
) -> Past:
    """A past that explains the log, or as much of the log as possible.

    It starts from `earlier`, a past that explains an earlier state of the log, if there is one. It stops after `patience`
    fruitless changes in a row.
    """
    mender = _Mender(to, guess(to.machine.layout, to.log, dice), dice)
    past = continue_past(
        to, empty_past(to) if earlier is None else _reread(to, earlier), mender.pick
    )
    left = patience
    while left and not past.is_whole and goes_on():
        new = mender.changed(past)
        left -= 1
        if new is not None and mender.is_no_worse(new, past):
            if new.at > past.at:
                left = patience
            past = new
    return past


def _reread(to: ObservedReplay, past: Past) -> Past:
    """The same past, with its alternatives worked out again, as the player knows more now."""
    sites = []
    for site in past.sites:
        again = site_of(to, site.state, site.at)
        fitting = site.fitting if again is None else again.fitting
        sites.append(evolve(site, fitting=fitting))
    return Past(sites, past.state, past.at)


@frozen(eq=False)
class _Mender:
    to: ObservedReplay
    guess: Guess
    dice: Dice

    def pick(self, site: PastDecision) -> Iterator[Any]:
        """The values to try at a site, the likeliest first, judged by what the log says will be seen."""
        to, dice = self.to, self.dice
        if site.kind == SHUFFLE:
            shuffled = self.guess.shuffles.get(site.at)
            if shuffled is not None:
                pieces = site.state.zones[to.log[site.at][1]]
                if len(pieces) == len(shuffled.after):
                    yield arrange(to.machine.layout, shuffled, pieces, dice)
            return
        values = dice.shuffled(site.fitting)
        if site.of_pieces and len(values) > 1:
            likely = self._seen_soon(site)
            values.sort(key=lambda value: -sum(piece in likely for piece in _pieces(value)))
        yield from values[:MOST_TRIED]

    def _seen_soon(self, site: PastDecision) -> set[int | None]:
        """The pieces that, by the log or the guess, move right after a choice."""
        log, faces = self.to.log, self.to.machine.layout.faces
        soon = range(site.at, min(site.at + SOON, len(log)))
        seen = {log[at][5] for at in soon if log[at][0] == "move"}
        found: set[int | None] = {c for c, face in enumerate(faces) if face in seen}
        return found | {self.guess.moved[at].piece for at in soon if at in self.guess.moved}

    def changed(self, past: Past) -> Past | None:
        """The past with a change that may make it agree with more of the log."""
        secrets = [k for k, site in enumerate(past.sites) if _is_secret(site)]
        if secrets and self.dice.below(2):
            return self._other_secret(past, secrets)
        mode = self.dice.below(10)
        if mode < 1:
            return self._other_choice(past)
        permutation = self._missing(past) if mode < 7 else None
        if permutation is None and mode < 9:
            permutation = self._contradiction(past)
        permutation = permutation or self._duty(past)
        return None if permutation is None else self._exchanged(past, permutation)

    def is_no_worse(self, new: Past, past: Past) -> bool:
        """Whether the new past agrees with more of the log, or with as much and leaves the next player no more options."""
        if new.is_whole or new.at != past.at:
            return new.is_whole or new.at > past.at
        before, now = past.state.pending, new.state.pending
        if not isinstance(before, Decision) or not isinstance(now, Decision):
            return True
        return len(now.options) <= len(before.options)

    def _exchanged(self, past: Past, permutation: Permutation) -> Past | None:
        """Exchange pieces from the last shuffle that contained all of them, or from an earlier choice.

        A piece that a player took unseen may have been the other one.
        """
        ways: list[tuple[int, Any]] = []
        for k in range(len(past.sites) - 1, -1, -1):
            site = past.sites[k]
            if site.kind == SHUFFLE and permutation.keys() <= set(site.value):
                ways.append((k, permute(site.value, permutation)))
                break
            if site.kind in HIDDEN and site.of_pieces:
                other = _in_order(permute(site.value, permutation))
                if other != site.value and other in site.fitting:
                    ways.append((k, other))
        if not ways:
            return None
        k, value = self.dice.pick(ways)
        return self._retold(past, k, value, permutation)

    def _other_choice(self, past: Past) -> Past | None:
        """Change a hidden choice shortly before the contradiction."""
        sites = past.sites
        recent = range(max(0, len(sites) - RECENT), len(sites))
        hidden = [k for k in recent if sites[k].kind != OWN and len(sites[k].fitting) > 1]
        if not hidden:
            return None
        k = self.dice.pick(hidden)
        return self._retold(past, k, self.dice.pick(sites[k].fitting), {})

    def _other_secret(self, past: Past, secrets: list[int]) -> Past | None:
        """Replace a secret value that contradicts the log by the one that the log tells, or at least by another."""
        instead, log = None if past.stuck is None else past.stuck.instead, self.to.log
        if past.stuck is not None and instead is not None and past.stuck.at < len(log):
            told = log[past.stuck.at]
            pairs = [(a, b) for a, b in zip(instead, told, strict=False) if a != b]
            fitting = [
                (k, b)
                for k in secrets
                for a, b in pairs
                if past.sites[k].value == a and b in past.sites[k].fitting
            ]
            if fitting and self.dice.below(4):
                return self._retold(past, *self.dice.pick(fitting), {})
        k = self.dice.pick(secrets)
        return self._retold(past, k, self.dice.pick(past.sites[k].fitting), {})

    def _missing(self, past: Past) -> Permutation | None:
        """Exchange pieces so that the faces that the log soon shows leaving a zone or a place are there.

        It follows the moves in the log with the pieces as they lie, as far as the log says which.
        """
        log, dice = self.to.log, self.dice
        faces = self.to.machine.layout.faces
        zones: dict[int, list[int]] = {}
        permutation: dict[int, int] = {}
        moved: set[int] = set()
        for each in log[past.decided : past.decided + SOON]:
            if each[0] == "shuffle":
                break
            if each[0] != "move":
                continue
            _, source, place, target, end, face = each
            for zone in (source, target):
                if zone not in zones:
                    zones[zone] = list(past.state.zones[zone])
            pieces = zones[source]
            if place is None and face is not None:
                fitting = [n for n, c in enumerate(pieces) if faces[permutation.get(c, c)] == face]
                free = [n for n, c in enumerate(pieces) if c not in permutation and c not in moved]
                place = next(iter(fitting), dice.pick(free) if free else None)
            if place is None or place >= len(pieces):
                break
            piece = pieces.pop(place)
            if face is not None and faces[permutation.get(piece, piece)] != face:
                other = self._elsewhere(past, face, {*permutation, *moved})
                if other is None or piece in permutation:
                    break
                permutation |= _pair(piece, other)
            moved.add(piece)
            zones[target].insert(insert_position(end, zones[target]), piece)
        if len(permutation) > 2 and not dice.below(4):  # all exchanges at once may be too many
            one = next(iter(permutation))
            return _pair(one, permutation[one])
        return permutation or None

    def _elsewhere(self, past: Past, face: int, without: set[int]) -> int | None:
        """A piece with this face, preferably one that the player has not seen since the last shuffle."""
        alike = [
            c
            for c, each in enumerate(self.to.machine.layout.faces)
            if each == face and c not in without
        ]
        shuffles = [k for k, site in enumerate(past.sites) if site.kind == SHUFFLE]
        unseen = set(self._free(past, shuffles[-1])) if shuffles else set()
        return self.dice.pick([c for c in alike if c in unseen] or alike) if alike else None

    def _contradiction(self, past: Past) -> Permutation | None:
        """Exchange the face that the log shows with the one that the past shows instead."""
        stuck = past.stuck
        if stuck is None or stuck.instead is None:
            return None
        layout, log = self.to.machine.layout, self.to.log
        if stuck.at >= len(log):
            return None
        pairs = [
            (seen, told)
            for seen, told in zip(_faces(stuck.instead), _faces(log[stuck.at]), strict=False)
            if seen != told
        ]
        if not pairs:
            return None
        seen, told = self.dice.pick(pairs)
        here = [c for c, face in enumerate(layout.faces) if face == seen]
        there = [c for c, face in enumerate(layout.faces) if face == told]
        if not here or not there:
            return None
        one = self.dice.pick(here)
        if self.dice.below(2):
            return _pair(one, self.dice.pick(there))
        # Perhaps it is the other player's turn only because of that piece: then move it anywhere else.
        shuffles = [k for k, site in enumerate(past.sites) if site.kind == SHUFFLE]
        return _pair(one, self.dice.pick(self._free(past, shuffles[-1]))) if shuffles else None

    def _duty(self, past: Past) -> Permutation | None:
        """A player was obliged to act differently: move one of the pieces that oblige them elsewhere."""
        to, dice = self.to, self.dice
        pending = past.state.pending
        held: set[int] = set()
        if isinstance(pending, Decision):
            if holds_pieces(pending.of) and dice.below(4):
                for value in islice(pending.options, MOST_TRIED):
                    held.update(_pieces(value))
            else:
                for n, zone in enumerate(to.machine.layout.zones):
                    if zone.owner == pending.player:
                        held.update(past.state.zones[n])
        shuffles = [k for k, site in enumerate(past.sites) if site.kind == SHUFFLE]
        if not shuffles:
            return None
        pool = self._free(past, shuffles[-1] if dice.below(4) else dice.pick(shuffles))
        mine = [c for c in pool if c in held] or pool
        others = [c for c in pool if c not in held] or pool
        return _pair(dice.pick(mine), dice.pick(others))

    def _free(self, past: Past, k: int) -> list[int]:
        """The pieces of a shuffle that the player has not seen since; sometimes all of them."""
        order = past.sites[k].value
        pool = [order[n] for n in unseen_positions(past, k)]
        return pool if len(pool) > 1 and self.dice.below(10) else list(order)

    def _retold(self, past: Past, k: int, value: Any, permutation: Permutation) -> Past | None:
        """Another past from one site on, which keeps as many of the earlier decisions as possible."""
        new = branch(self.to, past, k, value)
        if new is None:
            return None
        old = by_address(past.sites[k + 1 :])

        def again(site: PastDecision) -> Iterator[Any]:
            found = old.get(site.address)
            if found:
                before = found.popleft().value
                yield permute(before, permutation) if site.of_pieces else before
            yield from self.pick(site)

        return continue_past(self.to, new, again)


def _is_secret(site: PastDecision) -> bool:
    """Whether a value, and no pieces, was decided where the player did not see it."""
    return site.kind in HIDDEN and not site.of_pieces and len(site.fitting) > 1


def _pair(one: int, other: int) -> Permutation:
    return {one: other, other: one}


def _in_order(value: Any) -> Any:
    """Pieces as an option lists them."""
    return tuple(sorted(value)) if isinstance(value, tuple) else value


def _pieces(value: Any) -> Sequence[Any]:
    if isinstance(value, Action):
        return ()
    return value if isinstance(value, tuple) else (value,)


def _faces(observation: Observation) -> list[int]:
    """The faces that were observed, in order."""
    match observation[0]:
        case "move":
            return [] if observation[5] is None else [observation[5]]
        case "top":
            return [observation[2]]
        case "show":
            return [face for _, _, face in observation[1] if face is not None]
        case "shuffle":
            return list(observation[2] or ())
    return []
