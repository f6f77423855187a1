"""A state -> another one that differs only in what a player does not know.

Pieces that the player cannot name change places, everywhere: in zones, variables and the frames of rules
that run. If the player is then shown or asked anything else, a secret has been told.
"""

import random
from itertools import zip_longest
from typing import Any

from attrs import frozen

from games import Policy
from interpreter import machine
from interpreter.errors import LimitReached, RuleFault
from interpreter.exchanges import Exchange, exchange, hidden_from, put, put_waiting, slots_of
from interpreter.machine import Machine
from interpreter.options import Decision, find
from interpreter.state import State
from interpreter.views import Observation, information, view

MOST_TRIED = 40  # options of others, until one explains what the player has observed
DEEPEST = 4


@frozen
class Secret:
    """What a player was told, and how it differs from what else could be."""

    player: int
    how: str
    told: Any
    otherwise: Any


def draw_exchange(
    engine: Machine, s: State, p: int, chance: random.Random, *, all_of_them: bool = True
) -> Exchange:
    """Which piece takes the place of which; every zone still holds only what it may.

    Of the pieces to which a rule that runs refers, only one of the same kind can take the place; or they
    are left out, as the rule has decided by their faces what to do next.
    """
    bound = mentioned(engine, s)
    hidden = [c for c in hidden_from(engine, s, p) if all_of_them or c not in bound]
    layout = engine.layout
    lies = {c: c for c in hidden}  # of each place, named by its first piece, the piece there now
    for _ in range(2 * len(hidden)):
        one, other = chance.choice(hidden), chance.choice(hidden)
        here, there = lies[one], lies[other]
        alike = layout.pieces[here].kind == layout.pieces[there].kind
        fits = all(
            layout.holds[s.where[place]] is None or c in layout.holds[s.where[place]]
            for place, c in ((one, there), (other, here))
        )
        if alike or (fits and not {one, other} & bound):
            lies[one], lies[other] = there, here
    return {place: c for place, c in lies.items() if place != c}


class _Mentioned(dict[int, int]):
    """An exchange that changes nothing and keeps in mind which pieces it was asked for."""

    def get(self, piece: int, default: int) -> int:  # type: ignore[override]
        self[piece] = piece
        return default


def mentioned(engine: Machine, s: State) -> set[int]:
    """The pieces to which a variable or a frame refers."""
    found = _Mentioned()
    for n, (row, _) in enumerate(engine.layout.variables):
        put(s.variables[n], row.type, found)
    for frame in s.stack:
        for slot, type_ in slots_of(engine, frame):
            put(frame[slot], type_, found)
        put_waiting(engine, frame[:], frame, found)
    return set(found)


# ---- Looking for secrets -------------------------------------------------------------------------


def look(engine: Machine, s: State, p: int, chance: random.Random) -> Secret | None:
    """Whether a player's view, prompt and options at this moment tell what that player does not know."""
    places = draw_exchange(engine, s, p, chance)
    if not places:
        return None
    other = exchange(engine, s, places)
    if s.pending.player == p:
        try:
            machine.run(engine, other)
        except RuleFault as fault:
            return Secret(p, "a fault of the rules", s.pending.prompt, fault.message)
        if len(s.watch.events) != len(other.watch.events):
            return Secret(p, "asked or not", s.pending.prompt, "the game goes on")
    seen, otherwise = view(engine, s, p), view(engine, other, p)
    if seen != otherwise:
        return Secret(p, "view", seen, otherwise)
    return None


def follow(  # noqa: PLR0913, PLR0917 - a game, a player, and how it goes on
    engine: Machine, s: State, p: int, chance: random.Random, policy: Policy, most: int = 3
) -> Secret | None:
    """Whether a player learns from being asked, or from public variables, what was hidden.

    The game goes on in two ways, with the same choices; pieces hidden from the player are exchanged in
    one of them. As long as nothing was openly revealed the player must be told the same.
    """
    places = draw_exchange(engine, s, p, chance, all_of_them=False)
    if not places:
        return None
    one, other = s.clone(), exchange(engine, s, places)
    begin = len(s.watch.events)
    try:
        machine.run(engine, other)
    except RuleFault:
        return None
    if len(other.watch.events) != begin:
        return None
    for _ in range(most):
        if not _same_question(one, other):
            return None
        number = policy(one.pending)
        value = put(one.pending.options[number], one.pending.of, places)
        if one.pending.player == p:
            value = one.pending.options[number]
        elsewhere = find(other.pending.options, value)
        if elsewhere is None:
            return None
        try:
            faults = [_apply(engine, one, number), _apply(engine, other, elsewhere)]
        except LimitReached:
            return None
        if any(faults):
            return None if all(faults) else Secret(p, "a fault of the rules", *faults)
        found = _compare(engine, one, other, p)
        if found is not None:
            return found if isinstance(found, Secret) else None
    return None


def _apply(engine: Machine, s: State, number: int) -> str | None:
    """Choose, and say if the rules cannot go on."""
    try:
        machine.apply(engine, s, number)
    except LimitReached:
        raise
    except RuleFault as fault:
        return fault.message
    return None


def _same_question(one: State, other: State) -> bool:
    return (
        isinstance(one.pending, Decision)
        and isinstance(other.pending, Decision)
        and one.pending.player == other.pending.player
        and one.pending.origin.span == other.pending.origin.span
    )


def _compare(engine: Machine, one: State, other: State, p: int) -> Secret | str | None:
    """What differs: a secret, or `nothing to learn` if it was revealed by right."""
    logs = [information(engine, each, p).log for each in (one, other)]
    asked = [
        isinstance(each.pending, Decision) and each.pending.player == p for each in (one, other)
    ]
    if logs[0] == logs[1]:
        if asked == [True, True]:
            questions = [information(engine, each, p).question for each in (one, other)]
            return None if questions[0] == questions[1] else Secret(p, "question", *questions)
        if asked == [False, False]:
            return None
        asking, silent = (one, other) if asked[0] else (other, one)
        if not _explained(engine, silent, p, information(engine, asking, p), DEEPEST):
            return Secret(p, "asked or not", asking.pending.prompt, silent.pending)
        return "somebody else is asked first"
    return _first_difference(p, logs, asked)


def _first_difference(
    p: int, logs: list[tuple[Observation, ...]], asked: list[bool]
) -> Secret | str:
    for here, there in zip_longest(*logs):
        if here == there:
            continue
        if here is None or there is None:
            # One game waits, the other went on: whoever waits may be asked what the other is not.
            waits = 0 if here is None else 1
            if asked[waits]:
                return Secret(p, "asked or not", "asked", there or here)
            return "somebody else is asked first"
        if "set" in (here[0], there[0]):
            return Secret(p, "variable", here, there)
        return "revealed"
    raise AssertionError


def _explained(engine: Machine, s: State, p: int, wanted: Any, depth: int) -> bool:
    """Whether others can choose so that the player is asked the same after the same observations."""
    if not isinstance(s.pending, Decision) or s.pending.player == p:
        return information(engine, s, p) == wanted
    if depth == 0 or information(engine, s, p).log != wanted.log:
        return False
    count = len(s.pending.options)
    for number in {*range(min(count, MOST_TRIED)), count - 1}:
        ahead = s.clone()
        fault = _apply(engine, ahead, number)
        if fault is None and _explained(engine, ahead, p, wanted, depth - 1):
            return True
    return False
