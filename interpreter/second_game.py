"""A game and a variation -> a second game, played from the start, decision by decision.

Both games are the same up to the variation, so the second one begins at the last question before it. After that,
chance and the other players decide as in the first game, with pieces replaced by their counterparts, as long as the
rules allow it. So everything that happens in the second game can really happen.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from attrs import define, field

from interpreter.actions import Action
from interpreter.event_log import Event, holds_pieces
from interpreter.machine import apply, run
from interpreter.options import ChanceNode, Decision, option_number, twin_of
from interpreter.recordings import (
    DecisionKey,
    Recording,
    decided_value,
    decision_key,
    outcome_of,
    pending_decision_key,
    piles_before,
    without_events,
)
from interpreter.state import State
from interpreter.variations import (
    MOST_LISTED,
    Exchange,
    Variation,
    appearance,
    other_options,
    replace_pieces,
)
from rulespec.limits import MOST_WORK


@define(eq=False)
class SecondGame:
    """The second game as far as it has been played, from the viewpoint of one player.

    `times` counts how often each decision was taken, `places` maps pieces to their counterparts, `outcome` is the
    result of the variation.
    """

    recording: Recording
    player: int
    variation: Variation
    state: State
    began: int  # the question of the first game with which it begins; -1 is the start
    position: int  # the number of the player's observations
    times: dict[DecisionKey, int]
    scanned: int = 0  # events of the state that `new_events` has returned
    places: Exchange = field(factory=dict)
    varied: bool = False
    outcome: Any = None
    waits: list[State] = field(factory=list)  # states that ask others, since the last observation
    asked_apart: bool = (
        False  # whether others have chosen what looks alike, asked for another thing
    )
    work: int = 0


def begin_second_game(
    recording: Recording, player: int, variation: Variation, told: list[int]
) -> SecondGame:
    """The second game just before it differs."""
    marks = [moment.mark for moment in recording.moments]
    n = bisect_right(marks, variation.event) - 1
    if n < 0:
        return SecondGame(recording, player, variation, recording.start.clone(), -1, 0, {})
    moment = recording.moments[n]
    state = moment.state.clone()
    state.rng = None
    times = {key: bisect_left(found, moment.mark) for key, found in recording.decisions.items()}
    return SecondGame(recording, player, variation, state, n, bisect_left(told, moment.mark), times)


def new_events(second: SecondGame) -> list[Event]:
    """The events since the last call."""
    found: list[Event] = second.state.watch.events[second.scanned :]
    second.scanned += len(found)
    for event in found:
        key = decision_key(event)
        if key is not None:
            second.times[key] = second.times.get(key, 0) + 1
    return found


def repeat_answer(second: SecondGame, number: int) -> None:
    """Let the player answer as in the first game."""
    with _counting(second) as s:
        apply(second.recording.machine, s, number)


def repeat_decision(second: SecondGame) -> None:
    """Let chance, or another player, decide as in the first game."""
    with _counting(second) as s:
        pending = s.pending
        if isinstance(pending, Decision):
            second.waits.append(without_events(s))
            value = _choose(second, pending)
            run(second.recording.machine, s, pending.player, value)
        else:
            run(second.recording.machine, s, _draw(second, pending))


@contextmanager
def _counting(second: SecondGame) -> Iterator[State]:
    """Count the work of a step, even if it leads to a fault: an endless loop takes the most."""
    try:
        yield second.state
    finally:
        second.work += MOST_WORK - second.state.left


def _earlier(second: SecondGame, pending: Decision | ChanceNode) -> tuple[int, Event] | None:
    """The corresponding decision of the first game, if there is one."""
    if pending.origin is None:
        raise AssertionError("who is first was decided already")
    key = pending_decision_key(pending, pending.origin, second.recording.machine.layout.players)
    return outcome_of(second.recording, key, second.times.get(key, 0))


def _vary(second: SecondGame, before: Any, outcome: Any) -> Any:
    """Apply the variation here."""
    second.varied, second.outcome = True, outcome
    if second.variation.follows:
        if isinstance(before, tuple):
            pairs = [(c, d) for c, d in zip(before, outcome, strict=False) if c != d]
            places = dict(pairs)
            # Pieces in only one of the two sets swap with those in only the other.
            if len(before) == len(outcome) and set(places) != set(places.values()):
                gone = [c for c in before if c not in outcome]
                come = [c for c in outcome if c not in before]
                places = {
                    **dict(zip(gone, come, strict=True)),
                    **dict(zip(come, gone, strict=True)),
                }
            second.places = places
        else:
            second.places = {before: outcome, outcome: before}
    return outcome


# ---- Other players -------------------------------------------------------------------------------


def _choose(second: SecondGame, pending: Decision) -> Any:
    earlier = _earlier(second, pending)
    options, s = pending.options, second.state
    if earlier is None:
        # The first game did not ask this question; declining tells nothing.
        return None if pending.may else options[0]
    number, event = earlier
    value = decided_value(event)
    if number == second.variation.event:
        return _vary(second, value, second.variation.outcome)
    machine, player = second.recording.machine, second.player
    if isinstance(value, Action) or not holds_pieces(pending.of):
        found = option_number(options, value)
        return options[found or 0]
    look = _look_then(second, event)
    for wanted in (replace_pieces(value, second.places), value):
        found = option_number(options, wanted)
        if found is not None and look == appearance(machine, s, options[found], pending.of, player):
            return options[found]
    if value is not None:
        found = option_number(options, value)
        chosen = options[0] if found is None else options[found]
        return next(other_options(machine, s, pending, player, chosen), chosen)
    return options[0]


def _look_then(second: SecondGame, event: Event) -> Any:
    """What the player saw of a choice in the first game."""
    _, value, of, who = event.data
    if value is None or not holds_pieces(of):
        return value
    faces = second.recording.machine.layout.faces
    pieces = value if isinstance(value, tuple) else (value,)
    found = [
        faces[c] if saw >> second.player & 1 else -1 for c, saw in zip(pieces, who, strict=True)
    ]
    return tuple(sorted(found)) if isinstance(value, tuple) else found[0]


# ---- Chance --------------------------------------------------------------------------------------


def _draw(second: SecondGame, pending: ChanceNode) -> Any:
    earlier = _earlier(second, pending)
    varies = earlier is not None and earlier[0] == second.variation.event
    value = None if earlier is None else decided_value(earlier[1])
    if pending.pile is not None:
        if varies:
            return _vary(second, value, second.variation.outcome)
        return pending.pile if value is None else _order(second, pending.pile, value)
    outcomes = [outcome for outcome, _ in islice(pending.outcomes(), MOST_LISTED)]
    pieces = earlier is not None and holds_pieces(earlier[1].data[1])
    if varies:
        others = [
            each
            for each in outcomes
            if not (_is_same(second, each, value) if pieces else each == value)
        ]
        if others:
            return _vary(second, value, others[second.variation.number % len(others)])
    if earlier is not None and pieces and isinstance(value, int):
        there = _at_same_place(second, earlier[0], value)
        if there in outcomes:
            return there
    for wanted in (replace_pieces(value, second.places), value) if pieces else (value,):
        for each in outcomes:
            if _is_same(second, each, wanted) if pieces else each == wanted:
                return each
    return outcomes[0]


def _at_same_place(second: SecondGame, event: int, piece: int) -> int | None:
    """The piece that is now where chance drew one from a pile; everybody may see that place later."""
    piles = piles_before(second.recording, event)
    for zone, pile in piles.items():
        if piece in pile:
            place, now = pile.index(piece), second.state.zones[zone]
            return now[place] if place < len(now) else None
    return None


def _is_same(second: SecondGame, one: Any, other: Any) -> bool:
    """Whether two outcomes consist of the same pieces, or of look-alikes."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return set(one) == set(other)
    if isinstance(one, int) and isinstance(other, int):
        layout, s = second.recording.machine.layout, second.state
        return one == other or twin_of(layout, s, one) == twin_of(layout, s, other)
    return False


def _order(second: SecondGame, pile: tuple[int, ...], before: tuple[int, ...]) -> tuple[int, ...]:
    """A pile in the order of the first game; pieces that were not in that pile take the remaining places."""
    held = set(pile)
    wanted = replace_pieces(before, second.places)
    if set(wanted) != held and set(before) == held:
        wanted = before
    rest = [c for c in pile if c not in set(wanted)]
    order = []
    for c in wanted:
        if c in held:
            order.append(c)
        elif rest:
            order.append(rest.pop(0))
    return (*order, *rest)
