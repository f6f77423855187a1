"""A choice and what followed from it -> the moments at which a screen pauses, as the viewer saw them.

A screen that only shows the state between two choices would miss much: the last card of a trick and the sweep happen in
one step of the game. So this module repeats the step from the state before the choice, and takes a picture whenever
something is chosen, told, shown or headed. Simulations do not pay for this. What the listener hears decides where to
pause; each picture is a `View` of that moment.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve, frozen

from interpreter.display_names import Listener
from interpreter.event_log import Event, Filled
from interpreter.layout import Layout
from interpreter.machine import Machine, advance
from interpreter.options import Decision
from interpreter.session import Session
from interpreter.shown import audience
from interpreter.shown.open_values import add_values
from interpreter.shown.picture import Picture, Scene, draw_picture
from interpreter.shown.subjects import Marks, Spot
from interpreter.state import AT, BLOCK, State
from rulespec.core.types import Piece, Seat, Several, present
from rulespec.limits import MOST_WORK

_BEATS = ("chose", "tell", "heading", "show", "announce", "random")


@frozen
class Beat:
    """The table at a moment, the number of events so far, and the marks on it."""

    picture: Picture
    until: int
    marks: Marks


def find_beats(session: Session, scene: Scene, number: int, *, last: bool = False) -> list[Beat]:
    """The moments of a choice, by its number; with `last`, also the moment before the next question.

    A moment that looks like the one before is left out, unless something is told in it.
    """
    match = session.match
    moment, start = match.moments[number], match.marks[number]
    to = audience.listener(session)
    state = moment.state.clone()
    before = _draw(session, scene, match.engine, state)
    found: list[Beat] = []
    seen = done = 0
    for is_last in _go_on(match.engine, state, moment.number):
        events: list[Event] = state.watch.events
        new, done = events[done:], len(events)
        heard = [each for each in new if each.kind in _BEATS and hears(to, each)]
        if not heard and not (is_last and last):
            continue
        picture = _draw(session, scene, match.engine, state)
        # Show the result of one choice before the next player chooses.
        is_before = not is_last and all(each.kind == "chose" for each in heard)
        end = done - len(new) if is_before else done
        actor = _actor(to, events[:end])
        picture = picture if actor is None else evolve(picture, turn=actor)
        marks = mark_changes(to, events[seen:end])
        told, actors = _named(to, state, heard)
        marks = evolve(marks, told=told, actors=actors)
        if told or actors or picture.groups != before.groups:
            found.append(Beat(picture, start + end, marks))
            before, seen = picture, end
    return found


def _go_on(machine: Machine, s: State, number: int) -> Iterator[bool]:
    """Take the steps that follow from a choice; yield after each whether it was the last."""
    pending = s.pending
    if not isinstance(pending, Decision):
        return
    s.pending, s.left = None, MOST_WORK
    frame = s.stack[-1]
    machine.answers[frame[BLOCK]][frame[AT]](s, frame, pending.player, pending.options[number])
    yield False
    while advance(machine, s):
        yield False
    yield True


def _draw(session: Session, scene: Scene, machine: Machine, state: State) -> Picture:
    picture = draw_picture(scene, audience.seen_at(session, machine, state), session.holder)
    return add_values(picture, scene, machine, state, audience.listener(session))


def hears(to: Listener, event: Event) -> bool:
    """Whether a listener learns that something has happened."""
    return to.hears(event.told, event.data[0]) if event.kind == "chose" else to.sees(event.told)


def _actor(to: Listener, events: Sequence[Event]) -> int | None:
    """The player who chose last, as far as the listener knows."""
    found = (each.data[0] for each in reversed(events) if each.kind == "chose" and hears(to, each))
    return next(found, None)


def _named(
    to: Listener, state: State, events: Iterable[Event]
) -> tuple[frozenset[Spot], frozenset[int]]:
    """The cards and players that a sentence mentions; only cards that the listener sees."""
    spots: set[Spot] = set()
    seats: set[int] = set()
    for event in events:
        if event.kind != "tell":
            continue
        for part in event.data[0]:
            if isinstance(part, Filled) and part.value is not None:
                of = present(part.of)
                values = part.value if isinstance(part.value, tuple) else (part.value,)
                inner = present(of.of) if isinstance(of, Several) else of
                if isinstance(inner, Piece):
                    pairs = zip(values, part.seers, strict=True)
                    seen = [piece for piece, who in pairs if to.sees(who)]
                    spots |= {(state.where[each], to.layout.faces[each]) for each in seen}
                elif isinstance(inner, Seat):
                    seats |= {*values}
    return frozenset(spots), frozenset(seats)


# ---- What has moved ------------------------------------------------------------------------------


def mark_changes(to: Listener, events: Iterable[Event]) -> Marks:
    """Where cards arrived, and how many came or went, as far as the listener sees it."""
    layout: Layout = to.layout
    moved: dict[Spot, None] = {}
    grown: Counter[int] = Counter()
    for event in events:
        if event.kind != "move" or not to.sees(event.told):
            continue
        piece, source, _, zone, _ = event.data
        grown[source] -= 1
        grown[zone] += 1
        if to.sees(event.seers):
            moved.pop((source, layout.faces[piece]), None)
            moved[zone, layout.faces[piece]] = None
    return Marks(
        moved=frozenset(moved), grown={zone: number for zone, number in grown.items() if number}
    )
