"""Events -> plain sentences, as one player observes them or as somebody who sees everything.

What a player does not see is told as a hidden piece. Each sentence keeps the rule that made it happen, so
that whoever reads it can ask why.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from attrs import evolve, frozen

from interpreter.knowledge import Event, holds_pieces
from interpreter.labels import label, piece_label, seat_name, variable_name, zone_name
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.naming import YOU, Listener
from interpreter.state import State
from interpreter.views import view
from rulespec.core.tree import Origin
from rulespec.core.types import Bool, Type

MOST_PIECES = 15  # that are named in one sentence


@frozen
class Sentence:
    """Something that happened, and where in the rules that is said."""

    text: str
    origin: Origin


def tell(to: Listener, events: Iterable[Event]) -> list[Sentence]:
    """What happened, in order, as far as the listener observes it.

    Pieces that one statement moves from one zone to another are told together.
    """
    observed = [each for each in events if to.sees(each.told)]
    told: list[Sentence] = []
    for (kind, _), group in groupby(observed, _together):
        found = list(group)
        texts = [_moves(to, found)] if kind == "move" else [_tell_one(to, each) for each in found]
        told += [Sentence(text, each.origin) for text, each in zip(texts, found, strict=False)]
    return told


def worth_telling(layout: Layout, events: Sequence[Event]) -> list[Event]:
    """What players want to hear of: not how a rule keeps in mind, for as long as it runs, that something is so."""
    return [event for event in events if event.kind != "set" or not _is_note(layout, event.data[0])]


def _is_note(layout: Layout, variable: int) -> bool:
    row, _ = layout.variables[variable]
    return row.rule is not None and isinstance(row.type, Bool)


def _together(event: Event) -> tuple[str, Any]:
    if event.kind != "move":
        return event.kind, None
    _, source, _, zone, at = event.data
    return event.kind, (source, zone, at == "bottom", event.origin.span)


def _moves(to: Listener, events: Sequence[Event]) -> str:
    pieces = [each.data[0] if to.sees(each.seers) else None for each in events]
    _, source, _, zone, at = events[0].data
    goes = "goes" if len(pieces) == 1 else "go"
    below = "the bottom of " if at == "bottom" else ""
    return f"{_pieces(to, pieces)} {goes} from {_zone(to, source)} to {below}{_zone(to, zone)}"


def _tell_one(to: Listener, event: Event) -> str:
    match event.kind:
        case "top":
            piece, zone = event.data
            return f"{_pieces(to, [piece])} lies on top of {_zone(to, zone)}"
        case "show":
            return _shown(to, event)
        case "announce":
            return _announced(to, event)
        case "tell" | "heading":
            return "".join(
                part if isinstance(part, str) else _value(to, part.value, part.of, part.seers)
                for part in event.data[0]
            )
        case "chose":
            return _chosen(to, event)
        case "set":
            variable, value, of, who = event.data
            name = variable_name(to.layout, variable, to.names)
            return f"{name} is now {_value(to, value, of, who)}"
        case "random":
            value, of, _ = event.data
            return f"chance picks {label(to.layout, value, of, to.names)}"
        case "shuffle":
            return f"{_zone(to, event.data[0])} is shuffled"
    raise AssertionError(event.kind)


def _shown(to: Listener, event: Event) -> str:
    pieces, places, players = event.data
    if not pieces:
        return "there is nothing to show"
    names = _pieces(to, [each if to.sees(event.seers) else None for each in pieces])
    zones = ", ".join(dict.fromkeys(_zone(to, zone) for zone, _ in places))
    are = "is" if len(pieces) == 1 else "are"
    return f"{names} in {zones} {are} shown to {_whom(to, players)}"


def _announced(to: Listener, event: Event) -> str:
    name, value, of, players = event.data
    everybody = len(players) == to.layout.players
    whom = "" if everybody else f" to {_whom(to, players)}"
    return f"announced{whom}: {name.replace('_', ' ')} = {label(to.layout, value, of, to.names)}"


def _whom(to: Listener, players: tuple[int, ...]) -> str:
    if len(players) == to.layout.players:
        return "everybody"
    return ", ".join(seat_name(to.names, q) for q in players) or "nobody"


def _chosen(to: Listener, event: Event) -> str:
    chooser, value, of, who = event.data
    name = seat_name(to.names, chooser)
    is_you = name == YOU
    if value is None:
        return f"{name} {'decline' if is_you else 'declines'}"
    text = _value(evolve(to, player=None) if to.player == chooser else to, value, of, who)
    # What was chosen in secret is opened to all but the chooser, who knows it.
    is_opened = not event.told >> chooser & 1
    if is_opened:
        return f"{'your choice' if is_you else f'the choice of {name}'} is opened: {text}"
    return f"{name} {'choose' if is_you else 'chooses'} {text}"


def _value(to: Listener, value: Any, of: Type, who: tuple[int, ...]) -> str:
    if value is None or not holds_pieces(of):
        return label(to.layout, value, of, to.names)
    pieces = value if isinstance(value, tuple) else (value,)
    seen = zip(pieces, who, strict=True)
    return _pieces(to, [piece if to.sees(players) else None for piece, players in seen])


def _zone(to: Listener, zone: int) -> str:
    return zone_name(to.layout, zone, to.names)


def _pieces(to: Listener, pieces: Sequence[int | None]) -> str:
    return name_labels(
        [None if piece is None else piece_label(to.layout, piece, to.names) for piece in pieces],
        to.most,
    )


def name_labels(labels: Sequence[str | None], most: int | None = None) -> str:
    """Equal pieces together, those that are hidden last.

    >>> name_labels(["Envy", None, "Wrath", "Envy", None])
    '2 × Envy, Wrath and 2 hidden pieces'
    >>> name_labels(["1", "2", "3", "3"], most=2)
    '1, 2, … 2 more'
    """
    counted = Counter(each for each in labels if each is not None)
    shown = [*counted.items()][:most]
    texts = [f"{n} × {text}" if n > 1 else text for text, n in shown]
    left = counted.total() - sum(n for _, n in shown)
    seen = ", ".join([*texts, f"… {left} more"] if left else texts)
    hidden = sum(each is None for each in labels)
    backs = "" if not hidden else "a hidden piece" if hidden == 1 else f"{hidden} hidden pieces"
    return " and ".join(part for part in (seen, backs) if part) or "nothing"


# ---- The table -----------------------------------------------------------------------------------


def tell_table(to: Listener, machine: Machine, state: State) -> list[tuple[str, str]]:
    """What lies where and what the variables are, without empty zones and the box."""
    layout, names = to.layout, to.names
    if to.player is not None:
        seen = view(machine, state, to.player)
        zones = [(each.name, [card.text for card in each.cards]) for each in seen.zones]
        variables = [(each.name, each.text) for each in seen.variables]
    else:
        zones = [
            (_zone(to, n), [piece_label(layout, piece, names) for piece in pieces])
            for n, pieces in enumerate(state.zones)
        ]
        variables = [
            (variable_name(layout, n, names), label(layout, value, row.type, names))
            for n, ((row, _), value) in enumerate(
                zip(layout.variables, state.variables, strict=True)
            )
        ]
    # The box is zone 0; what is left in it plays no part.
    return [(name, name_labels(texts, to.most)) for name, texts in zones[1:] if texts] + variables
