"""A game and a player -> a different outcome of a decision that this player could not see.

Everything hidden in a game was hidden by a decision: a shuffle, a draw, a card that somebody chose without showing it,
or the value of a hidden variable. A different outcome of such a decision gives another game that can be played, and
that looks the same to the player for a while.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from attrs import define, frozen

from interpreter import chance
from interpreter.actions import Action
from interpreter.event_log import Event, Filled, holds_pieces, seers, seers_in
from interpreter.exchanges import hidden_from
from interpreter.labels import label, piece_label, seat_name
from interpreter.machine import Machine
from interpreter.options import Decision, is_secret
from interpreter.recordings import RecordedMoment, Recording
from interpreter.state import State
from rulespec.core.types import Type

Exchange: TypeAlias = dict[int, int]  # piece of the first game -> its counterpart in the second
Value = TypeVar("Value")
NO_PIECE = -1
MOST_LISTED = 400  # outcomes to search for another one
EXCHANGE, REDRAW, RECHOOSE, RESHUFFLE = range(4)
PATIENCE = 8  # attempts to draw a variation


@frozen
class Variation:
    """The event with a different outcome; until the question `far`, the player should notice nothing.

    Without an `outcome`, the number selects one of the others, which are known only when the decision comes.
    """

    event: int
    far: int
    outcome: Any = None
    number: int = 0
    follows: bool = True  # whether the replacement stays in the place of the piece later on


@define
class Luck:
    """Chance for the judge, the same each time."""

    rng: int

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        self.rng, number = chance.below(self.rng, n)
        return number

    def pick(self, values: Sequence[Value]) -> Value:
        """One of some values."""
        return values[self.below(len(values))]


def replace_pieces(value: Any, places: Exchange) -> Any:
    """A value with its pieces replaced by their counterparts."""
    if isinstance(value, tuple):
        return tuple(replace_pieces(each, places) for each in value)
    return places.get(value, value)


def as_pieces(value: Any) -> tuple[int, ...]:
    """A piece, or a set of them, as a sequence."""
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def decides_pieces(event: Event) -> bool:
    """Whether a player or chance chose pieces, instead of a value for a hidden variable."""
    return holds_pieces(event.data[1] if event.kind == "random" else event.data[2])


def pieces_told(event: Event) -> tuple[int, ...]:
    """The pieces that a step tells about."""
    match event.kind:
        case "move" | "top" | "show":
            return as_pieces(event.data[0])
        case "shuffle":
            return as_pieces(event.data[1])
        case "set" if holds_pieces(event.data[2]):
            return as_pieces(event.data[1])
        case "tell" | "heading":
            filled = [part for part in event.data[0] if isinstance(part, Filled)]
            held = [part.value for part in filled if holds_pieces(part.of)]
            return tuple(c for value in held for c in as_pieces(value)) or (NO_PIECE,)
    return (NO_PIECE,)


def appearance(machine: Machine, s: State, value: Any, of: Type, player: int) -> Any:
    """A value as a player would see it when it is chosen: faces of pieces, or backs."""
    if value is None or isinstance(value, Action) or not holds_pieces(of):
        return value
    faces = machine.layout.faces
    found = [
        faces[c] if seers(machine.visibility, s, c) >> player & 1 else -1
        for c in (value if isinstance(value, tuple) else (value,))
    ]
    return tuple(sorted(found)) if isinstance(value, tuple) else found[0]


def is_same_screen(machine: Machine, one: State, other: State, player: int) -> bool:
    """Whether two states, with the same question, look the same on the screen of a player.

    It compares what `view` shows, without texts, because that is fast and most screens are equal.
    """
    if (one.phase, one.first) != (other.phase, other.first):
        return False
    shown = one.watch.shown[player] == other.watch.shown[player]
    for n, zone in enumerate(one.zones):
        if (zone != other.zones[n] or not shown) and (
            _glimpse(machine, one, n, player) != _glimpse(machine, other, n, player)
        ):
            return False
    for n, (row, _) in enumerate(machine.layout.variables):
        if holds_pieces(row.type):
            if _in_variable(machine, one, n, player) != _in_variable(machine, other, n, player):
                return False
        elif (
            machine.visibility.variables[n] >> player & 1 and one.variables[n] != other.variables[n]
        ):
            return False
    return True


def _in_variable(machine: Machine, s: State, variable: int, player: int) -> list[int]:
    """The pieces in a variable: faces that a player saw when it received them, and backs otherwise."""
    pieces = as_pieces(s.variables[variable])
    saw = seers_in(machine.visibility, s, variable, pieces)
    faces = machine.layout.faces
    return sorted(faces[c] if who >> player & 1 else -1 for c, who in zip(pieces, saw, strict=True))


def _glimpse(machine: Machine, s: State, zone: int, player: int) -> list[int]:
    """The faces in a zone that a player sees or was shown, and backs; empty if the player does not count the zone."""
    if not machine.visibility.counts[zone] >> player & 1:
        return []
    shown, faces = s.watch.shown[player], machine.layout.faces
    found = [
        faces[c] if shown >> c & 1 or seers(machine.visibility, s, c) >> player & 1 else -1
        for c in s.zones[zone]
    ]
    return sorted(found) if machine.layout.is_pool[zone] else found


# ---- Which variations there are ------------------------------------------------------------------


def draw_variation(recording: Recording, player: int, luck: Luck) -> Variation | None:
    """A random variation that the player should not notice, if one can be found."""
    draws = _hidden_draws(recording, player)
    choices = _hidden_choices(recording, player)
    shuffles = _shuffled_again(recording, player)
    ways = [EXCHANGE] * 6 + [REDRAW, REDRAW] * bool(draws) + [RECHOOSE, RECHOOSE] * bool(choices)
    ways += [RESHUFFLE] * bool(shuffles)
    for _ in range(PATIENCE):
        way = luck.pick(ways)
        found: Variation | None
        if way == EXCHANGE:
            found = _exchange(recording, player, luck)
        elif way == REDRAW:
            found = _redraw(recording, draws, luck)
        elif way == RESHUFFLE:
            found = _reshuffle(recording, shuffles, luck)
        else:
            found = _rechoose(recording, choices, player, luck)
        if found is not None:
            return found
    return None


def _hidden_draws(recording: Recording, player: int) -> list[int]:
    """Draws of pieces that nobody was told, or of a value that the player does not see."""
    return [
        n
        for n, each in enumerate(recording.events)
        if each.kind == "random" and not each.told >> player & 1
    ]


def _hidden_choices(recording: Recording, player: int) -> list[int]:
    """Choices by others of pieces, or of a value that the player does not see."""
    return [
        n
        for n, moment in enumerate(recording.moments)
        if moment.decision.player != player
        and (holds_pieces(moment.decision.of) or is_secret(moment.decision, player))
    ]


def _exchange(recording: Recording, player: int, luck: Luck) -> Variation | None:
    """Swap pieces that the player cannot name at some moment, as if their last shuffle had done so."""
    moments = [*recording.moments, recording.end]
    far = max(luck.below(len(moments)), luck.below(len(moments)))
    moment = moments[far]
    hidden = hidden_from(recording.machine, moment.state, player)
    if len(hidden) < 2:
        return None
    one = _interesting(recording.machine, moment.state, hidden, luck)
    shuffle = _last_shuffle(recording, moment, player, one)
    if shuffle is None:
        return None
    order: tuple[int, ...] = recording.events[shuffle].data[1]
    faces = recording.machine.layout.faces
    others = [c for c in hidden if c in order and faces[c] != faces[one]]
    if not others:
        return None
    places: Exchange
    if luck.below(2):
        other = _interesting(recording.machine, moment.state, others, luck)
        places = {one: other, other: one}
    else:
        moved = [c for c in hidden if c in order]
        luck.rng, changed = chance.shuffle(luck.rng, moved)
        places = dict(zip(moved, changed, strict=True))
    return Variation(shuffle, far, replace_pieces(order, places))


def _interesting(machine: Machine, s: State, hidden: list[int], luck: Luck) -> int:
    """One of the pieces: each zone is equally likely, and the top of a pile is frequent."""
    zone = luck.pick(sorted({s.where[c] for c in hidden}))
    here = [c for c in s.zones[zone] if c in hidden]
    if not machine.layout.is_pool[zone] and luck.below(2):
        return here[0]
    return luck.pick(here)


def _last_shuffle(
    recording: Recording, moment: RecordedMoment, player: int, piece: int
) -> int | None:
    """The last shuffle of a piece that the player did not see."""
    for n in range(moment.mark - 1, -1, -1):
        event = recording.events[n]
        if event.kind == "shuffle" and piece in event.data[1]:
            return None if event.seers >> player & 1 else n
    return None


def _redraw(recording: Recording, draws: list[int], luck: Luck) -> Variation:
    """Let chance draw another piece, or another value."""
    event = luck.pick(draws)
    follows = bool(luck.below(2)) and holds_pieces(recording.events[event].data[1])
    far = sum(moment.mark <= event for moment in recording.moments)
    return Variation(event, far, None, luck.below(1 << 30), follows)


def _shuffled_again(recording: Recording, player: int) -> list[tuple[int, list[int]]]:
    """Shuffles that the player does not see, with those of their pieces that a later shuffle includes again."""
    found: list[tuple[int, list[int]]] = []
    shuffled_later: set[int] = set()
    for n in range(len(recording.events) - 1, -1, -1):
        event = recording.events[n]
        if event.kind == "shuffle":
            again = [c for c in event.data[1] if c in shuffled_later]
            if again and not event.seers >> player & 1:
                found.append((n, again))
            shuffled_later.update(event.data[1])
    return found


def _reshuffle(
    recording: Recording, shuffles: list[tuple[int, list[int]]], luck: Luck
) -> Variation | None:
    """Swap two pieces between two shuffles, which matters only to a player who remembers them."""
    event, again = luck.pick(shuffles)
    one, other = luck.pick(again), luck.pick(again)
    faces = recording.machine.layout.faces
    if faces[one] == faces[other]:
        return None
    far = sum(moment.mark <= event for moment in recording.moments)
    order = replace_pieces(recording.events[event].data[1], {one: other, other: one})
    return Variation(event, far, order, follows=False)


def _rechoose(
    recording: Recording, choices: list[int], player: int, luck: Luck
) -> Variation | None:
    """Let somebody else choose a different piece that looks the same to the player, or a different secret value."""
    far = luck.pick(choices)
    moment = recording.moments[far]
    decision, machine = moment.decision, recording.machine
    chosen = decision.options[recording.played.choices[far]]
    event = _next_choice(recording, moment)
    if is_secret(decision, player):
        others = [each for each in islice(decision.options, MOST_LISTED) if each != chosen]
        if not others or event is None:
            return None
        return Variation(event, far, luck.pick(others), follows=False)
    alike = [
        value
        for value in other_options(machine, moment.state, decision, player, chosen)
        if value != chosen and chosen is not None and value is not None
    ]
    if not alike or event is None:
        return None
    return Variation(event, far, luck.pick(alike), follows=bool(luck.below(2)))


def other_options(
    machine: Machine, s: State, decision: Decision, player: int, chosen: Any
) -> Iterator[Any]:
    """Other options that look the same to the player."""
    look = appearance(machine, s, chosen, decision.of, player)
    for value in islice(decision.options, MOST_LISTED):
        if appearance(machine, s, value, decision.of, player) == look:
            yield value


def _next_choice(recording: Recording, moment: RecordedMoment) -> int | None:
    who = moment.decision.player
    for n in range(moment.mark, len(recording.events)):
        event = recording.events[n]
        if event.kind == "chose" and event.data[0] == who and event.told >> who & 1:
            return n
    return None


# ---- Told ----------------------------------------------------------------------------------------


def tell_variation(recording: Recording, variation: Variation, outcome: Any) -> str:
    """What differs in the second game, in a few words."""
    event, layout = recording.events[variation.event], recording.machine.layout
    if event.kind == "shuffle":
        before, after = event.data[1], outcome
        moved = [
            c for c, d in zip(before, after, strict=True) if layout.faces[c] != layout.faces[d]
        ]
        if len(moved) == 2:
            one, other = (piece_label(layout, c) for c in moved)
            return f"{one} and {other} have changed places"
        return f"{len(moved)} hidden pieces lie in another order"
    if event.kind == "random":
        value, of, _ = event.data
        return f"chance drew {label(layout, outcome, of)} instead of {label(layout, value, of)}"
    who, value, of, _ = event.data
    name = seat_name(None, who)
    return f"{name} chose {label(layout, outcome, of)} instead of {label(layout, value, of)}"
