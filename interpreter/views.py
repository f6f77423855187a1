"""A state and a player -> what that player may see now, and what a player who forgets nothing knows.

Implements docs/language/13-semantics.md, "Views". Both follow from `seen by` and the observations alone. They are
plain data that hold pieces by their faces and never by their numbers, so a screen, a bot or another machine gets no
secret.
"""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from interpreter.actions import Action
from interpreter.event_log import Event, Filled, Watch, holds_pieces, names_of, seers, seers_in
from interpreter.labels import Names, label, piece_label, variable_name, zone_name
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.options import Decision
from interpreter.state import PHASES, State
from rulespec.core.tree import Origin
from rulespec.core.types import Choice, Indexed, Several, Type, present

HIDDEN = None  # in place of a face: the piece shows its back
Observation = tuple[Any, ...]


@frozen
class CardView:
    """A piece as a player sees it: its face, its text, its kind and attributes; or only its back.

    Values are plain: numbers, `True` and `False`, seats by number, members of an enum by their name in the rules.
    """

    face: int | None
    text: str | None
    kind: str | None = None
    attributes: Mapping[str, Any] = field(factory=dict, hash=False)


@frozen
class ZoneView:
    """A zone as a player sees it. A pile has its top first, a pool its backs last.

    If the player does not count what lies there it is not `counted`, and has no cards.
    """

    name: str
    family: str
    indices: tuple[Any, ...]
    owner: int | None
    order: str
    cards: tuple[CardView, ...]
    counted: bool = True


@frozen
class VariableView:
    """A variable; its value, or pieces in it, are masked if the player does not see them.

    `value` is plain, as in the attributes of a piece; a piece is its face; masked and missing values are `HIDDEN`.
    """

    name: str
    text: str
    value: Any = None


@frozen
class Question:
    """What a player is asked, and the options: the number of an option is its answer."""

    prompt: str
    options: tuple[tuple[Any, str], ...]
    count: int
    may_decline: bool
    simultaneous: bool
    origin: Origin


@frozen
class View:
    """What a screen may show to a player."""

    player: int
    phase: str
    first: int
    asked: bool  # whether this player must decide
    question: Question | None  # the question, if `asked`
    zones: tuple[ZoneView, ...]
    variables: tuple[VariableView, ...]


BACK = CardView(HIDDEN, None)


# [view.screen]
def view(machine: Machine, s: State, player: int, *, most_options: int = 1000) -> View:
    """The state as a player may see it now; shown pieces stay visible until that player's next choice."""
    layout, names = machine.layout, names_of(s)
    shown = s.watch.shown[player] if s.watch is not None else 0
    pending = s.pending if isinstance(s.pending, Decision) else None
    asked = None if pending is None else pending.player
    question = None
    if pending is not None and asked == player:
        question = question_of(machine, pending, most_options)
    return View(
        player=player,
        phase=PHASES[s.phase],
        first=s.first,
        # Whether somebody else is asked may depend on that player's hidden cards.
        asked=asked == player,
        question=question,
        zones=tuple(_zone(machine, s, n, player, shown) for n in range(len(layout.zones))),
        variables=tuple(
            VariableView(
                variable_name(layout, n, names),
                _masked_text(machine, s, player, n),
                _masked_value(machine, s, player, n),
            )
            for n in range(len(layout.variables))
        ),
    )


def _zone(machine: Machine, s: State, number: int, player: int, shown: int) -> ZoneView:
    layout = machine.layout
    zone = layout.zones[number]
    counted = bool(machine.visibility.counts[number] >> player & 1)
    cards = [
        _card(layout, piece, names_of(s))
        if seers(machine.visibility, s, piece) >> player & 1 or shown >> piece & 1
        else BACK
        for piece in (s.zones[number] if counted else ())
    ]
    if layout.is_pool[number]:
        # The order of a pool would reveal the numbers of its pieces.
        cards.sort(key=lambda card: (card.face is None, card.face or 0))
    return ZoneView(
        name=zone_name(layout, number, names_of(s)),
        family=zone.row.name,
        indices=zone.indices,
        owner=zone.owner,
        order=zone.row.order,
        cards=tuple(cards),
        counted=counted,
    )


def _card(layout: Layout, piece: int, names: Names) -> CardView:
    found = layout.pieces[piece]
    types = {row.name: row.type for row in layout.code.attributes}
    values = {name: plain_value(layout, x, types[name]) for name, x in found.attributes.items()}
    return CardView(layout.faces[piece], piece_label(layout, piece, names), found.kind, values)


def plain_value(layout: Layout, value: Any, of: Type) -> Any:
    """A value for programs: members of enums by the names that they have in the rules."""
    if isinstance(value, tuple):
        inner = of.of if isinstance(of, Several | Indexed) else of
        return tuple(plain_value(layout, each, inner) for each in value)
    inner = present(of.of if isinstance(of, Several) else of)
    if value is not None and isinstance(inner, Choice):
        return layout.code.members[value].name
    return value


def _masked_value(machine: Machine, s: State, player: int, number: int) -> Any:
    row, _ = machine.layout.variables[number]
    value = s.variables[number]
    if not machine.visibility.variables[number] >> player & 1:
        return HIDDEN
    if holds_pieces(row.type) and value is not None:
        pieces = value if isinstance(value, tuple) else (value,)
        saw = seers_in(machine.visibility, s, number, pieces)
        found = [
            machine.layout.faces[piece] if who >> player & 1 else HIDDEN
            for piece, who in zip(pieces, saw, strict=True)
        ]
        found.sort(key=lambda face: -1 if face is None else face)
        return tuple(found) if isinstance(value, tuple) else found[0]
    return plain_value(machine.layout, value, row.type)


def _masked_text(machine: Machine, s: State, player: int, number: int) -> str:
    row, _ = machine.layout.variables[number]
    value = s.variables[number]
    if not machine.visibility.variables[number] >> player & 1:
        return "▢"
    if holds_pieces(row.type) and value is not None:
        pieces = value if isinstance(value, tuple) else (value,)
        texts = [
            piece_label(machine.layout, piece, names_of(s)) if saw >> player & 1 else "▢"
            for piece, saw in zip(
                pieces, seers_in(machine.visibility, s, number, pieces), strict=True
            )
        ]
        return ", ".join(sorted(texts)) or "nothing"
    return label(machine.layout, value, row.type, names_of(s))


def question_of(machine: Machine, decision: Decision, most: int = 1000) -> Question:
    """A decision as data, with pieces by their faces; at most the first `most` options."""
    layout = machine.layout
    options = tuple(
        (by_face(layout, option.value, decision.of), option.text)
        for option in decision.listed(most)
    )
    return Question(
        prompt=decision.prompt,
        options=options,
        count=len(decision.options),
        may_decline=decision.may,
        simultaneous=decision.simultaneous,
        origin=decision.origin,
    )


def by_face(layout: Layout, value: Any, of: Type) -> Any:
    """A value with its pieces replaced by their faces."""
    if value is None or isinstance(value, Action) or not holds_pieces(of):
        return value
    if isinstance(value, tuple):
        return tuple(sorted(layout.faces[piece] for piece in value))
    return layout.faces[value]


# ---- Information ---------------------------------------------------------------------------------


@frozen
class Information:
    """All that a player who forgets nothing knows, and nothing else; bots get this."""

    player: int
    first: int
    players: int
    log: tuple[Observation, ...]
    question: Question | None


# [view.information]
def information(machine: Machine, s: State, player: int) -> Information:
    """What a player has observed since the game began, and what that player is asked now."""
    watch: Watch = s.watch
    log = _log_of(machine.layout, watch, player)
    pending = s.pending
    mine = isinstance(pending, Decision) and pending.player == player
    question = question_of(machine, pending) if mine else None
    return Information(player, s.first, machine.layout.players, log, question)


def _log_of(layout: Layout, watch: Watch, player: int) -> tuple[Observation, ...]:
    """All observations of a player; earlier ones are cached in the watch."""
    events, begin = watch.events, 0
    log: tuple[Observation, ...] = ()
    before = watch.logs.get(player)
    if before is not None and before[0] <= len(events) and events[before[0] - 1] is before[1]:
        begin, _, log = before
    log += tuple(
        observed(layout, event, player) for event in events[begin:] if event.told >> player & 1
    )
    if events:
        watch.logs[player] = len(events), events[-1], log
    return log


# [observe.masked]
def observed(layout: Layout, event: Event, player: int) -> Observation:
    """An event as a player observes it: pieces by face, and backs where the player does not see them."""
    sees = bool(event.seers >> player & 1)
    faces = layout.faces
    match event.kind:
        case "move":
            piece, source, left, zone, at = event.data
            return ("move", source, left, zone, at, faces[piece] if sees else HIDDEN)
        case "top":
            piece, zone = event.data
            return ("top", zone, faces[piece])
        case "show":
            pieces, places, players = event.data
            found = [
                (zone, place, faces[piece] if sees else HIDDEN)
                for piece, (zone, place) in zip(pieces, places, strict=True)
            ]
            # The order in which pieces of a pool are shown would reveal their numbers.
            found.sort(key=lambda each: (each[0], each[1] or 0, -1 if each[2] is None else each[2]))
            return ("show", tuple(found), players)
        case "announce":
            name, value, _, players = event.data
            return ("announce", name, value, players)
        case "tell" | "heading":
            return (event.kind, *(_told(layout, part, player) for part in event.data[0]))
        case "chose":
            chooser, value, of, who = event.data
            statement = (event.origin.rule, event.origin.span.start) if chooser == player else None
            masked = _masked(layout, value, of, who, None if chooser == player else player)
            return ("chose", chooser, statement, masked)
        case "set":
            variable, value, of, who = event.data
            return ("set", variable, _masked(layout, value, of, who, player))
        case "random":
            return ("random", event.data[0])
        case "shuffle":
            zone, order = event.data
            return ("shuffle", zone, tuple(faces[piece] for piece in order) if sees else HIDDEN)
    raise AssertionError(event.kind)


def _told(layout: Layout, part: str | Filled, player: int) -> Any:
    """A part of a sentence as a player reads it."""
    return (
        part if isinstance(part, str) else _masked(layout, part.value, part.of, part.seers, player)
    )


def _masked(layout: Layout, value: Any, of: Type, who: tuple[int, ...], player: int | None) -> Any:
    """A value as a player sees it; without a player, as the chooser sees it."""
    if value is None or isinstance(value, Action) or not holds_pieces(of):
        return value
    pieces = value if isinstance(value, tuple) else (value,)
    found = [
        layout.faces[piece] if player is None or saw >> player & 1 else -1
        for piece, saw in zip(pieces, who, strict=True)
    ]
    return tuple(sorted(found)) if isinstance(value, tuple) else found[0]
