"""A step that only one of two games has -> whether it is made to tell how many pieces lie in a zone.

Who counts one of the zones of a move learns of it what lies in the other: so a fist is opened, or a purse is paid from.
"""

from collections.abc import Sequence

from interpreter.event_log import Event
from interpreter.pairs import Second
from interpreter.recordings import Sight
from interpreter.silences import Step
from interpreter.variations import pieces_of


def tells_amount(sight: Sight, second: Second, here: Step, there: Step) -> bool:
    """Whether pieces come out of a zone, or are shown there, that the player does not count, and of which the games have another number."""
    mine, others = sight.recording.events, second.state.watch.events
    told, position = sight.told, second.position
    before = _until(mine, here, told[position] if position < len(told) else len(mine))
    then = _until(others, there, len(others))
    counts = sight.recording.machine.visibility.counts
    return any(
        _amount(mine[:before], zone) != _amount(others[:then], zone)
        for step in (here, there)
        if isinstance(step, Event)
        for zone in _zones(step)
        if not counts[zone] >> sight.player & 1
    )


def _until(events: Sequence[Event], step: Step, otherwise: int) -> int:
    """How much has happened before a step."""
    return next((n for n, each in enumerate(events) if each is step), otherwise)


def _zones(event: Event) -> list[int]:
    """The zones of which a step tells how many pieces lie there."""
    if event.kind == "move":
        return [event.data[1]]
    if event.kind == "show" and pieces_of(event.data[0]):
        return [zone for zone, _ in event.data[1]]
    return []


def _amount(events: Sequence[Event], zone: int) -> int:
    """How many pieces have come to a zone and not left it."""
    moves = [each.data for each in events if each.kind == "move"]
    return sum((goal == zone) - (source == zone) for _, source, _, goal, _ in moves)
