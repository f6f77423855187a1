"""Events -> what one listener hears of them: hidden pieces are None, and a choice comes with what was asked.

All stories are made from this and nothing else, so that two games which look the same to a player have the same story.
A listener knows the question of another player as it stands in the rules. Only the player who was asked knows the
values in its holes, and whether there was anything to choose.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from interpreter.actions import untagged
from interpreter.alike import open_parts
from interpreter.display_names import Listener, said
from interpreter.event_log import Event, holds_pieces
from interpreter.layout import Layout
from interpreter.options import Decision
from rulespec.core import tree
from rulespec.core.tree import Origin
from rulespec.core.types import Number, Piece, Seat, Type, present

_SOMEBODY = "\0"
_OF_YOU = re.compile(r"\byou's\b", re.IGNORECASE)
Statements = dict[
    int, tree.Choose | tree.Each
]  # statements that ask, by the origin of their events
Questions = Mapping[int, Decision]  # by the event with which the answer begins
# What a listener has heard of events before, by their numbers; None for nothing.
Known = dict[int, "tuple[Event, Heard | None]"]


@frozen
class Heard:
    """An event as a listener hears of it; for an answer, also the question, and whether there was a choice."""

    index: int
    event: Event
    prompt: str = ""
    decline: str = ""
    is_free: bool = True


def hear(  # noqa: PLR0913, PLR0917 - events, from where to where, and what is known of them
    to: Listener,
    events: Sequence[Event],
    questions: Questions,
    since: int = 0,
    until: int | None = None,
    known: Known | None = None,
) -> list[Heard]:
    """The events between two positions, as far as the listener is told of them."""
    known = {} if known is None else known
    statements: Statements = {}
    found = []
    for index, event in enumerate(events[since:until], since):
        before = known.get(index)
        if before is None or before[0] is not event:
            statements = statements or _statements(to.layout)
            before = known[index] = event, _heard(to, index, event, questions, statements)
        if before[1] is not None:
            found.append(before[1])
    return found


def _heard(
    to: Listener, index: int, event: Event, questions: Questions, statements: Statements
) -> Heard | None:
    if event.kind != "chose":
        return Heard(index, _masked(to, event)) if to.sees(event.told) else None
    player = event.data[0]
    if not to.hears(event.told, player):
        return None
    question = questions.get(index)
    asked = question if to.knows_question(player) else None
    is_free = asked is not None or not to.knows_question(player)
    prompt, decline = _question(to, statements.get(id(event.origin)), asked, question)
    return Heard(index, _masked(to, event), prompt, decline, is_free)


# ---- Faces ---------------------------------------------------------------------------------------


def _masked(to: Listener, event: Event) -> Event:
    """The event without the faces that the listener does not see; pieces of a set in the order of their faces."""
    sees, data = to.sees(event.seers), event.data
    match event.kind:
        case "move":
            data = data if sees else (None, *data[1:])
        case "show":
            pieces, places, players = data
            shown = _in_order(to, pieces) if sees else (None,) * len(pieces)
            zones = tuple(sorted(zone for zone, _ in places))
            data = (shown, zones, players) if len({*zones}) < 2 else _by_zone(to, event, sees=sees)
        case "shuffle":
            data = (data[0],)
        case "chose" | "set":
            who, value, of, seers = data
            value, of = untagged(value, of)
            # The chooser knows the choice; only pieces have `seers`.
            knows = event.kind == "chose" and who == to.player
            data = (who, _masked_value(to, value, of, seers, knows=knows), of)
    return evolve(event, data=data)


def _by_zone(to: Listener, event: Event, *, sees: bool) -> tuple[Any, ...]:
    pieces, places, players = event.data
    rows = sorted(
        (zone, to.layout.faces[piece], piece)
        for piece, (zone, _) in zip(pieces, places, strict=True)
    )
    shown = tuple(piece if sees else None for _, _, piece in rows)
    return shown, tuple(zone for zone, _, _ in rows), players


def _masked_value(
    to: Listener, value: Any, of: Type, seers: tuple[int, ...], *, knows: bool
) -> Any:
    if value is None or not holds_pieces(of):
        return value
    if not isinstance(value, tuple):
        return (value if knows or to.sees(seers[0]) else None,)
    pairs = zip(value, seers, strict=True)
    seen = [piece if knows or to.sees(who) else None for piece, who in pairs]
    return (*_in_order(to, [each for each in seen if each is not None]), *[None] * seen.count(None))


def _in_order(to: Listener, pieces: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(pieces, key=lambda piece: to.layout.faces[piece]))


# ---- Questions -----------------------------------------------------------------------------------


def _statements(layout: Layout) -> Statements:
    """The statements that ask, by the origin that their events name."""
    return {
        id(each.origin): each
        for block in layout.code.blocks.values()
        for each in block.code
        if isinstance(each, tree.Choose | tree.Each)
    }


def words_asked(layout: Layout, origin: Origin) -> str:
    """The question of a statement, as everyone sees it except the player who is asked."""
    return _static([*_parts(_statements(layout).get(id(origin)))])


def _question(
    to: Listener,
    statement: tree.Choose | tree.Each | None,
    asked: Decision | None,
    question: Decision | None,
) -> tuple[str, str]:
    """The question and the text for declining; for a question to another player, only what everybody sees."""
    if asked is not None:
        parts = [
            each if isinstance(each, str) else said(to.layout, each[0], each[1], to.names)
            for each in asked.parts
        ]
        return _OF_YOU.sub("your", "".join(parts)), asked.decline
    parts = [*_parts(statement)]
    if statement is not None and question is not None:
        for n in open_parts(to.layout.code, statement.origin):
            value, of = question.parts[n]
            parts[n] = said(to.layout, value, of, to.names)
    return _static(parts), "" if statement is None else statement.decline


def _parts(statement: tree.Choose | tree.Each | None) -> Iterator[str]:
    """The words of a question, with placeholders for its holes."""
    for each in statement.prompt if statement is not None else ():
        yield each if isinstance(each, str) else _unknown(each[1])


def _static(parts: Sequence[str]) -> str:
    text = re.sub(rf"(?: (?:of|from|with|to|for))? ?{_SOMEBODY}(?:'s)?", "", "".join(parts))
    return " ".join(text.split())


def _unknown(of: Type) -> str:
    """The placeholder for a hole in a question to another player."""
    match present(of):
        case Piece():
            return "it"
        case Seat():
            return _SOMEBODY
        case Number():
            return "…"
    return ""
