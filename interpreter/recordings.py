"""A game that was played -> its questions and decisions, so that a second game can replay and vary them.

The judge of secrets compares a game with another one that begins in the same way. So this keeps each question with
the state before it, and every decision of chance or of a player in order: the other game repeats these decisions.
"""

from bisect import bisect_left
from typing import Any, TypeAlias

from attrs import define, field, frozen

from interpreter.errors import RuleFault
from interpreter.event_log import Event, holds_pieces
from interpreter.layout import insert_position
from interpreter.machine import Machine, apply, start
from interpreter.options import ChanceNode, Decision
from interpreter.playthroughs import Playthrough
from interpreter.state import OVER, State
from interpreter.views import Observation, observed
from rulespec.core.tree import Origin
from rulespec.limits import MOST_WORK

# A statement that decides: what it does, its number, and who chooses or may see the value that chance has drawn.
DecisionKey: TypeAlias = tuple[str, int, int | None]

LONGEST = 400  # questions to keep of a game


@frozen(eq=False)
class RecordedMoment:
    """A game that waits for a player, or is over: its state without the events, and the number of events so far."""

    state: State
    mark: int

    @property
    def decision(self) -> Decision:
        """The pending decision."""
        found: Decision = self.state.pending
        return found


@define(eq=False)
class Recording:
    """A game: its questions, its events, and for every decision the events that tell it.

    If it is not `over`, it was cut off or the rules could not go on, and what follows is not known.
    """

    machine: Machine
    played: Playthrough
    start: State
    moments: list[RecordedMoment]
    end: RecordedMoment
    events: list[Event]
    decisions: dict[DecisionKey, list[int]]
    over: bool
    work: int
    sights: dict[int, "Sight"] = field(factory=dict)


@define(eq=False)
class Sight:
    """A game as one player observes it: the visible events, and at which of them somebody is asked.

    A position counts observations: a question at position n comes after n observations.
    """

    recording: Recording
    player: int
    told: list[int]
    asked: dict[int, int] = field(factory=dict)  # position -> the question to this player
    others: dict[int, list[int]] = field(factory=dict)  # position -> the questions to others
    _seen: dict[int, Observation] = field(factory=dict)

    def observation(self, position: int) -> Observation:
        """What the player observes there."""
        if position not in self._seen:
            layout = self.recording.machine.layout
            self._seen[position] = observed(layout, self.event(position), self.player)
        return self._seen[position]

    def event(self, position: int) -> Event:
        return self.recording.events[self.told[position]]

    def zones(self, position: int) -> list[list[int]]:
        """The contents of each zone just before the player observes something."""
        events = self.recording.events
        until = self.told[position] if position < len(self.told) else len(events)
        where = {each.data[0]: each.data[3] for each in events[:until] if each.kind == "move"}
        found: list[list[int]] = [[] for _ in self.recording.machine.layout.zones]
        for piece, zone in where.items():
            found[zone].append(piece)
        return found


def decision_key(event: Event) -> DecisionKey | None:
    """Which decision an event tells; opening a sealed choice decides nothing."""
    if event.kind == "shuffle":
        return event.kind, id(event.origin), None
    if event.kind == "random":
        return event.kind, id(event.origin), None if holds_pieces(event.data[1]) else event.told
    if event.kind == "chose" and event.told >> event.data[0] & 1:
        return "chose", id(event.origin), event.data[0]
    return None


def pending_decision_key(
    pending: Decision | ChanceNode, origin: Origin, players: int
) -> DecisionKey:
    """The key of the pending decision."""
    if isinstance(pending, Decision):
        return "chose", id(origin), pending.player
    of, everyone = pending.of, (1 << players) - 1
    is_plain = of is not None and not holds_pieces(of)
    seen = everyone if pending.seen is None else pending.seen
    return pending.kind, id(origin), seen if is_plain else None


def without_events(s: State) -> State:
    """A copy without the events: there may be thousands, and all copies share them."""
    events, s.watch.events = s.watch.events, []
    kept = s.clone()
    s.watch.events = events
    return kept


def record(machine: Machine, played: Playthrough) -> Recording:
    """Play a game once more, and keep what the judge needs; of a very long game, only the beginning."""
    s = start(machine, played.seed, watched=True)
    first = start(machine, None, s.first, watched=True)
    work = 2 * (MOST_WORK - s.left)
    moments = []
    for number in played.choices[:LONGEST]:
        moments.append(RecordedMoment(without_events(s), len(s.watch.events)))
        try:
            apply(machine, s, number)
        except RuleFault:
            break  # the fault is reported elsewhere
        work += MOST_WORK - s.left
    decisions: dict[DecisionKey, list[int]] = {}
    for n, event in enumerate(s.watch.events):
        key = decision_key(event)
        if key is not None:
            decisions.setdefault(key, []).append(n)
    over, end = s.phase == OVER, RecordedMoment(without_events(s), len(s.watch.events))
    return Recording(machine, played, first, moments, end, s.watch.events, decisions, over, work)


def sight_of(recording: Recording, player: int) -> Sight:
    """The game as a player observes it."""
    if player not in recording.sights:
        told = [n for n, event in enumerate(recording.events) if event.told >> player & 1]
        sight = Sight(recording, player, told)
        for n, moment in enumerate(recording.moments):
            position = bisect_left(told, moment.mark)
            if moment.decision.player == player:
                sight.asked[position] = n
            else:
                sight.others.setdefault(position, []).append(n)
        recording.sights[player] = sight
    return recording.sights[player]


def outcome_of(recording: Recording, key: DecisionKey, time: int) -> tuple[int, Event] | None:
    """The outcome of a decision when it was taken for the n-th time, counted from 0, or `None`."""
    found = recording.decisions.get(key, [])
    return (found[time], recording.events[found[time]]) if time < len(found) else None


def piles_before(recording: Recording, event: int) -> dict[int, list[int]]:
    """The contents of the piles just before an event."""
    before = [moment for moment in recording.moments if moment.mark <= event]
    state, mark = recording.start, len(recording.start.watch.events)
    if before:
        state, mark = before[-1].state, before[-1].mark
    zones = [[*zone] for zone in state.zones]
    for each in recording.events[mark:event]:
        match each.kind:
            case "move":
                piece, source, _, zone, at = each.data
                zones[source].remove(piece)
                zones[zone].insert(insert_position(at, zones[zone]), piece)
            case "shuffle":
                zones[each.data[0]] = [*each.data[1]]
    is_pool = recording.machine.layout.is_pool
    return {n: zone for n, zone in enumerate(zones) if not is_pool[n]}


def decided_value(event: Event) -> Any:
    """The value that chance or a player decided."""
    return event.data[0] if event.kind == "random" else event.data[1]
