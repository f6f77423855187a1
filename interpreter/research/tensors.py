"""A state and a player -> what the player sees, as a list of numbers; the declarations of the game give the layout.

An observation is the table as one player sees it now: who they are, what they are asked, what lies in each zone, by
labels, and the variables that they see. An information state adds the last events that they observed. The numbers of
pieces never matter: look-alikes are counted. Variables whose values are pieces are left out, as the identity of a piece
may be a secret; the pieces themselves appear in their zones.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import field, frozen

from interpreter.event_log import Visibility, holds_pieces
from interpreter.labels import label, piece_label, variable_name, zone_name
from interpreter.layout import Layout, index_values
from interpreter.machine import Machine
from interpreter.state import PHASES, State
from interpreter.views import Observation
from rulespec.core.types import Bool, Choice, Number, Seat, Several, Type, present

RECENT = 32  # events in an information state
KINDS = ("move", "top", "show", "announce", "chose", "set", "random", "shuffle")


@frozen
class SlotGroup:
    """Slots that belong together: one for each of `names`, starting at `at`."""

    at: int
    kind: str
    name: str
    names: tuple[str, ...]
    number: int = 0  # of a zone or a variable
    faces: tuple[int, ...] = ()  # for a zone: the faces that may lie there
    values: tuple[Any, ...] = ()  # for a variable: the values that have a slot
    places: dict[Any, int] = field(factory=dict, repr=False)

    @property
    def end(self) -> int:
        return self.at + len(self.names)


@frozen(eq=False)
class Slots:
    """All slots of a tensor, in order."""

    parts: tuple[SlotGroup, ...]
    size: int
    visibility: Visibility = field(repr=False)

    @property
    def layout(self) -> Layout:
        return self.visibility.layout

    def names(self) -> list[str]:
        """The meaning of each number of the tensor.

        >>> import interpreter
        >>> slots = interpreter.load("kuhn.rules").table(2).observation
        >>> slots.names()[:4]
        ['seat: Player 1', 'seat: Player 2', 'asked: Do you bet?', 'asked: Do you call the bet?']
        """
        return [f"{part.name}: {name}" for part in self.parts for name in part.names]


class Questions(Protocol):
    """What this module needs of the actions of a table."""

    @property
    def groups(self) -> Sequence[Any]: ...

    @property
    def size(self) -> int: ...


def list_slots(machine: Machine, actions: Questions) -> Slots:
    """The slots of an observation."""
    layout, parts, at = machine.layout, [], 0
    seats = tuple(f"Player {n + 1}" for n in range(layout.players))

    def add(kind: str, name: str, names: tuple[str, ...], **more: Any) -> None:
        nonlocal at
        if names:
            parts.append(SlotGroup(at, kind, name, names, **more))
            at += len(names)

    add("seat", "seat", seats)
    add("asked", "asked", tuple(_prompt(group.asked) for group in actions.groups))
    grown = [group for group in actions.groups if group.is_grown]
    if grown:
        add("chosen", "chosen so far", tuple(f"action {n}" for n in range(actions.size)))
    add("first", "first", seats)
    add("phase", "phase", PHASES)
    labels: dict[int, str] = {}
    kept: dict[int, tuple[int, ...]] = {}
    for piece, face in enumerate(layout.faces):
        labels.setdefault(face, piece_label(layout, piece))
    for n, _zone in enumerate(layout.zones):
        held = layout.holds[n]
        faces = tuple(
            dict.fromkeys(f for c, f in enumerate(layout.faces) if held is None or c in held)
        )
        kept[n] = faces
        name = zone_name(layout, n)
        seen = machine.visibility.into[n] or machine.visibility.top[n]
        places = {face: k for k, face in enumerate(faces)}
        if seen and not machine.visibility.top[n]:
            add("seen", name, tuple(labels[f] for f in faces), number=n, faces=faces, places=places)
        add("backs", f"{name}, backs", ("count",), number=n)
        if seen and not layout.is_pool[n]:
            names = tuple(f"{labels[f]} on top" for f in faces)
            add("top", name, names, number=n, faces=faces, places=places)
    for n, (row, _) in enumerate(layout.variables):
        found = _values_of(layout, row.type)
        if found is not None:
            names, values = found
            places = {value: k for k, value in enumerate(values)}
            add(
                _form(row.type),
                variable_name(layout, n),
                names,
                number=n,
                values=values,
                places=places,
            )
    return Slots(tuple(parts), at, machine.visibility)


def _prompt(asked: Any) -> str:
    return "".join(part if isinstance(part, str) else "…" for part in asked.prompt)


def _form(type_: Type) -> str:
    inner = present(type_)
    if isinstance(inner, Several):
        return "set"
    return "number" if isinstance(inner, Number) else "value"


def _values_of(layout: Layout, type_: Type) -> tuple[tuple[str, ...], tuple[Any, ...]] | None:
    """The slots of a variable; None if its values are pieces, zones or tables."""
    if holds_pieces(type_):
        return None
    inner = present(type_)
    of = present(inner.of) if isinstance(inner, Several) else inner
    match of:
        case Number(low, high) if isinstance(inner, Several):
            if high - low >= 64:
                return None
            values: tuple[Any, ...] = tuple(range(low, high + 1))
        case Number():
            return ("there is one", "value"), ()
        case Bool() | Seat() | Choice():
            values = index_values(layout, of)
        case _:
            return None
    return tuple(label(layout, value, of) for value in values), values


# ---- An observation --------------------------------------------------------------------------------


def encode_state(
    slots: Slots, s: State, player: int, asked: int | None, chosen: Sequence[int] = ()
) -> list[float]:
    """A state as a player sees it; `asked` is the question that the player is asked, if any."""
    found = [0.0] * slots.size
    visibility, faces = slots.visibility, slots.layout.faces
    for part in slots.parts:
        match part.kind:
            case "seat":
                found[part.at + player] = 1.0
            case "asked":
                if asked is not None:
                    found[part.at + asked] = 1.0
            case "chosen":
                for action in chosen:
                    found[part.at + action] = 1.0
            case "first":
                if s.first >= 0:
                    found[part.at + s.first] = 1.0
            case "phase":
                found[part.at + s.phase] = 1.0
            case "seen":
                if visibility.into[part.number] >> player & 1:
                    for piece in s.zones[part.number]:
                        found[part.at + part.places[faces[piece]]] += 1.0
            case "backs":
                found[part.at] = float(_backs(visibility, s, part.number, player))
            case "top":
                zone = s.zones[part.number]
                if zone and (
                    visibility.top[part.number] or visibility.into[part.number] >> player & 1
                ):
                    found[part.at + part.places[faces[zone[0]]]] = 1.0
            case _:
                if visibility.variables[part.number] >> player & 1:
                    _put_value(found, part, s.variables[part.number])
    return found


def _backs(visibility: Visibility, s: State, zone: int, player: int) -> int:
    if not visibility.counts[zone] >> player & 1:
        return 0
    count = len(s.zones[zone])
    if visibility.top[zone]:
        return max(0, count - 1)
    return 0 if visibility.into[zone] >> player & 1 else count


def _put_value(found: list[float], part: SlotGroup, value: Any) -> None:
    if value is None:
        return
    if part.kind == "number":
        found[part.at], found[part.at + 1] = 1.0, float(value)
    else:
        for each in value if part.kind == "set" else (value,):
            found[part.at + part.places[each]] = 1.0


# ---- Events ----------------------------------------------------------------------------------------


def list_event_slots(machine: Machine) -> Slots:
    """The slots of one observed event."""
    layout, parts, at = machine.layout, [], 0
    seats = tuple(f"Player {n + 1}" for n in range(layout.players))
    zones = tuple(zone_name(layout, n) for n in range(len(layout.zones)))
    labels = {face: piece_label(layout, piece) for piece, face in enumerate(layout.faces)}
    members = tuple(each.label for each in layout.code.members)
    variables = tuple(variable_name(layout, n) for n in range(len(layout.variables)))
    for name, names in (
        ("event", KINDS),
        ("who", seats),
        ("from", zones),
        ("to", zones),
        ("variable", variables),
        ("piece", tuple(labels[face] for face in sorted(labels))),
        ("hidden piece", ("count",)),
        ("member", members),
        ("number", ("there is one", "value")),
    ):
        if names:
            parts.append(SlotGroup(at, name, name, names))
            at += len(names)
    return Slots(tuple(parts), at, machine.visibility)


def encode_events(slots: Slots, log: Sequence[Observation]) -> list[float]:
    """The last events, the latest first, without those that the game only tells in words."""
    found: list[float] = []
    for event in reversed(log):
        if event[0] in KINDS:
            found += _encode_event(slots, event)
            if len(found) >= RECENT * slots.size:
                return found
    return found + [0.0] * (RECENT * slots.size - len(found))


def _encode_event(slots: Slots, event: Observation) -> list[float]:
    found = [0.0] * slots.size
    at = {part.kind: part.at for part in slots.parts}
    found[at["event"] + KINDS.index(event[0])] = 1.0

    def see(face: int | None) -> None:
        found[at["hidden piece"] if face is None or face < 0 else at["piece"] + face] += 1.0

    match event:
        case ("move", source, _, zone, _, face):
            found[at["from"] + source] = found[at["to"] + zone] = 1.0
            see(face)
        case ("top", zone, face):
            found[at["to"] + zone] = 1.0
            see(face)
        case ("show", pieces, _):
            for zone, _, face in pieces:
                found[at["from"] + zone] = 1.0
                see(face)
        case ("chose", who, _, value):
            found[at["who"] + who] = 1.0
            _put_values(found, at, slots.layout, value)
        case ("set", variable, value):
            found[at["variable"] + variable] = 1.0
            _put_values(found, at, slots.layout, value)
        case ("announce", _, value, _) | ("random", value):
            _put_values(found, at, slots.layout, value)
        case ("shuffle", zone, _):
            found[at["to"] + zone] = 1.0
    return found


def _put_values(found: list[float], at: dict[str, int], layout: Layout, value: Any) -> None:
    """Encode a choice by its number; the question alone tells whether that is a member or a piece."""
    if value is None:
        return
    several = value if isinstance(value, tuple) else (value,)
    found[at["number"]] = float(len(several))
    plain = [each for each in several if isinstance(each, int)]
    found[at["number"] + 1] = float(plain[0]) if plain else 0.0
    for each in plain:
        for name, count in (("member", len(layout.code.members)), ("piece", max(layout.faces) + 1)):
            if name in at and 0 <= each < count:
                found[at[name] + each] = 1.0
