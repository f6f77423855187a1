"""A step that only one of two games has -> whether its purpose is to show how many pieces lie in a zone.

A player who counts one zone of a move learns how many pieces lie in the other: opening a fist, paying from a purse.
"""

from collections.abc import Sequence

from attrs import frozen

from interpreter.event_log import Event
from interpreter.recordings import Sight
from interpreter.second_game import SecondGame
from interpreter.silences import Step
from interpreter.variations import as_pieces


def tells_amount(sight: Sight, second: SecondGame, here: Step, there: Step) -> bool:
    """Whether the step takes or shows pieces of a zone whose size the player does not know and that differs in size.

    The game without the step is compared at the same moment: before the statement of the step, if that moves pieces
    there without being noticed; otherwise before the step that it observes instead.
    """
    position, told = second.position, sight.told
    mine = sight.recording.events
    # The second game has no events of its own from before the question with which it begins.
    before = sight.recording.moments[second.began].mark if second.began >= 0 else 0
    others = [*mine[:before], *second.state.watch.events]
    theirs = [n for n, each in enumerate(others) if each.told >> sight.player & 1]
    until = _until(mine, here, told[position] if position < len(told) else len(mine))
    one = _Stretch(mine, told[position - 1] + 1 if position else 0, until)
    other = _Stretch(
        others, theirs[position - 1] + 1 if position else 0, _until(others, there, len(others))
    )
    counts = sight.recording.machine.visibility.counts
    return any(
        _amount(own.events[: own.until], zone) != _amount(another.events[:moment], zone)
        for step, own, another in ((here, one, other), (there, other, one))
        if isinstance(step, Event)
        for moment in [_moment_of(another, step)]
        for zone in _zones(step)
        if not counts[zone] >> sight.player & 1
    )


@frozen
class _Stretch:
    """The part of a game between two events."""

    events: Sequence[Event]
    since: int
    until: int


def _moment_of(stretch: _Stretch, step: Event) -> int:
    """How many events happened before the statement of a step, or before the end of the stretch."""
    places = range(stretch.since, stretch.until)
    return next((n for n in places if stretch.events[n].origin is step.origin), stretch.until)


def _until(events: Sequence[Event], step: Step, otherwise: int) -> int:
    """How many events happened before a step."""
    return next((n for n, each in enumerate(events) if each is step), otherwise)


def _zones(event: Event) -> list[int]:
    """The zones whose sizes a step tells."""
    if event.kind == "move":
        return [event.data[1]]
    if event.kind == "show" and as_pieces(event.data[0]):
        return [zone for zone, _ in event.data[1]]
    return []


def _amount(events: Sequence[Event], zone: int) -> int:
    """How many pieces have come to a zone and have not left it."""
    moves = [each.data for each in events if each.kind == "move"]
    return sum((goal == zone) - (source == zone) for _, source, _, goal, _ in moves)
