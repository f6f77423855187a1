"""A machine and one player's information -> the same game replayed on the reference, as that player observes it.

The caller decides for chance, so that a search for pasts can try each outcome.
"""

from attrs import frozen

from interpreter import machine
from interpreter.event_log import Event, seers
from interpreter.machine import Machine
from interpreter.state import State
from interpreter.views import Information, Observation, observed


@frozen(eq=False)
class ObservedReplay:
    """The rules of the game, and the player whose log a past must explain."""

    machine: Machine
    known: Information

    @property
    def player(self) -> int:
        return self.known.player

    @property
    def log(self) -> tuple[Observation, ...]:
        return self.known.log


def start_again(to: ObservedReplay) -> State:
    """The game before anybody has decided anything."""
    return machine.start(to.machine, None, to.known.first, watched=True)


def overheard(to: ObservedReplay, state: State) -> list[tuple[Observation, tuple[int, ...]]]:
    """The player's new observations since the last call, each with the pieces whose faces the player saw."""
    watch = state.watch
    events, watch.events = watch.events, []
    return [
        (observed(to.machine.layout, each, to.player), _seen_in(each, to.player))
        for each in events
        if each.told >> to.player & 1
    ]


def _seen_in(event: Event, player: int) -> tuple[int, ...]:
    """The pieces whose faces a player sees in an event."""
    if not event.seers >> player & 1:
        return ()
    match event.kind:
        case "move" | "top":
            return (event.data[0],)
        case "show":
            pieces: tuple[int, ...] = event.data[0]
            return pieces
        case "shuffle":
            order: tuple[int, ...] = event.data[1]
            return order
    return ()


def sees(to: ObservedReplay, state: State, piece: int) -> bool:
    """Whether the player sees the face of a piece where it lies."""
    return bool(seers(to.machine.visibility, state, piece) >> to.player & 1)
