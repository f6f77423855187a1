"""The author's `tell` sentences in a passage -> which other lines are redundant, and the order of the rest.

A `tell` stands for what its rule does. Other things that players learn there, by an announcement or by faces that
are shown, are still told unless a sentence names them: they would appear nowhere else.
"""

import re
from collections.abc import Sequence

from attrs import evolve, frozen

from interpreter.alike import moved_behind
from interpreter.display_names import Listener, piece_words, said
from interpreter.event_log import Event, Filled
from interpreter.flat import Unless
from interpreter.hearing import Heard
from interpreter.layout import Layout
from interpreter.passages import StepGroup
from interpreter.phrasing import phrase
from rulespec.core import tree
from rulespec.core.tree import walk_operations
from rulespec.core.types import Seat, present
from rulespec.english import in_words

_INFORMING = frozenset(("announce", "show"))


@frozen
class Telling:
    """The author's sentences in a passage, by rule: the players that they name, and the whole text.

    `moved` are the pieces that the passage moves.
    """

    text: str
    seats: dict[str, frozenset[int]]
    moved: frozenset[int]


def name_moved(to: Listener, heard: Sequence[Heard]) -> list[Heard]:
    """Replace hidden pieces in a sentence by the faces that the listener sees right after it."""
    moved = {each.event.data[0]: each.index for each in heard if each.event.kind == "move"}
    everybody = (1 << to.layout.players) - 1
    found = []
    for each in heard:
        if each.event.kind == "tell":
            parts, *rest = each.event.data
            named = {
                n
                for n in moved_behind(to.layout.code, each.event.origin)
                if all(moved.get(piece, -1) > each.index for piece in pieces_in_hole(parts[n]))
            }
            parts = tuple(
                evolve(part, seers=(everybody,) * len(part.seers)) if n in named else part
                for n, part in enumerate(parts)
            )
            each = evolve(each, event=evolve(each.event, data=(parts, *rest)))  # noqa: PLW2901
        found.append(each)
    return found


def pieces_in_hole(filled: Filled) -> tuple[int, ...]:
    """The pieces in a hole."""
    value = filled.value
    return value if isinstance(value, tuple) else () if value is None else (value,)


def find_telling(to: Listener, heard: Sequence[Heard]) -> Telling:
    """Collect the sentences of the rules in a passage."""
    tells = [each.event for each in heard if each.event.kind == "tell"]
    text = " ".join(phrase(to, event.data[0]) for event in tells)
    seats: dict[str, frozenset[int]] = {}
    for event in tells:
        holes = [part for part in event.data[0] if isinstance(part, Filled)]
        named = {hole.value for hole in holes if isinstance(present(hole.of), Seat)} - {None}
        seats[event.origin.rule] = seats.get(event.origin.rule, frozenset()) | named
    moved = frozenset(each.event.data[0] for each in heard if each.event.kind == "move")
    return Telling(text, seats, moved - {None})


def is_told_by_author(to: Listener, event: Event, telling: Telling) -> bool:
    """Whether a `tell` of its own rule covers this event. The rule may have run before for a player it does not name."""
    if event.kind == "show" and _is_turned_over(to.layout, event, telling):
        return True
    seats = telling.seats.get(event.origin.rule)
    if seats is None:
        return False
    match event.kind:
        case "show":
            return _names_all(to, event, telling.text)
        case "announce":
            return _names_value(to, event, telling.text) or _decides(to.layout, event)
        case "move" if seats:
            zones = (event.data[1], event.data[3])
            owners = {to.layout.zones[zone].owner for zone in zones} - {None}
            return not owners or not owners.isdisjoint(seats)
    return True


def _is_turned_over(layout: Layout, event: Event, telling: Telling) -> bool:
    """Whether a piece that all but its owner saw is only turned over before it moves on."""
    pieces, zones, _ = event.data
    return set(pieces) <= telling.moved and all(
        layout.zones[zone].row.seen_by == "others" for zone in zones
    )


def _names_all(to: Listener, event: Event, text: str) -> bool:
    """Whether a text names all faces that are shown, except those that the listener does not see."""
    pieces = [each for each in event.data[0] if each is not None]
    return all(piece_words(to.layout, each, to.names) in text for each in pieces)


def _names_value(to: Listener, event: Event, text: str) -> bool:
    _, value, of, _ = event.data
    labels = [said(to.layout, value, of, to.names)]
    labels += [in_words(value)] if isinstance(value, int) else []
    return any(
        re.search(rf"(?<!\w){re.escape(each)}(?!\w)", text, re.IGNORECASE) for each in labels
    )


def _decides(layout: Layout, event: Event) -> bool:
    """Whether the rule depends on the announced value, so that its sentences follow from it."""
    for block in layout.code.blocks.values():
        values = [
            step.value
            for step in block.code
            if isinstance(step, tree.Announce) and step.origin is event.origin
        ]
        conditions = [step.condition for step in block.code if isinstance(step, Unless)]
        if values:
            return any(op == values[0] for each in conditions for op in walk_operations(each))
    return False


def in_telling_order(clauses: Sequence[StepGroup]) -> list[StepGroup]:
    """The steps in telling order: what a rule shows or announces before its first `tell` comes right after that."""
    found: list[StepGroup] = []
    held: list[StepGroup] = []
    told: set[str] = set()
    for n, clause in enumerate(clauses):
        rule = clause.heard[0].event.origin.rule
        tells_behind = (each for each in clauses[n + 1 :] if each.key[0] == "tell")
        is_early = clause.key[0] in _INFORMING and rule not in told
        if is_early and any(each.heard[0].event.origin.rule == rule for each in tells_behind):
            held.append(clause)
            continue
        found.append(clause)
        if clause.key[0] == "tell":
            told.add(rule)
            found += [each for each in held if each.heard[0].event.origin.rule == rule]
            held = [each for each in held if each.heard[0].event.origin.rule != rule]
    return found
