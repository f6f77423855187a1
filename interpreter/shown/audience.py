"""A session -> what may be on the screen now: one player's view, what all players see, or everything.

The human in front of the screen sees what their seat sees. Where only bots play, there is nobody to keep a secret from,
but the game is told as at a table: a spectator sees what all players see. When the game is over, the cards lie open.
"""

from collections import Counter

from attrs import evolve

from interpreter.display_names import MOST_PIECES, Listener, Spectator
from interpreter.labels import label, piece_label
from interpreter.machine import Machine
from interpreter.match import Match
from interpreter.session import Session
from interpreter.state import State
from interpreter.story import Entry, Memo, questions_of, tell_story
from interpreter.views import BACK, CardView, View, ZoneView, view

MOST_EVENTS = 300  # events that are told to a spectator


def visible_view(session: Session) -> View:
    """What may be shown to the person in front of the screen."""
    if session.over:
        return open_view(session.match)
    return seen_at(session, session.match.engine, session.match.state)


def seen_at(session: Session, machine: Machine, state: State) -> View:
    """What may be shown of a moment during the game."""
    if session.holder is not None:
        return view(machine, state, session.holder)
    return common_view([view(machine, state, seat) for seat in range(len(session.seats))])


def listener(session: Session) -> Listener:
    """The listener for whom the story is told during the game."""
    match = session.match
    if session.holder is not None:
        return Listener(match.engine.layout, match.names, session.holder, MOST_PIECES)
    return Spectator(match.engine.layout, match.names, None, MOST_PIECES)


def look_back(session: Session) -> int:
    """The first event to tell; a spectator may hear all, but gets only the last ones."""
    if session.viewer is not None:
        return session.look_back(session.viewer)
    return 0 if session.over else max(0, len(session.match.events) - MOST_EVENTS)


def told_since(session: Session, since: int) -> list[Entry]:
    """What happened from an event on, as it may be told to the person in front of the screen."""
    if session.over:
        return session.story(None, since)
    return told_until(session, since, None)


def told_until(session: Session, since: int, until: int | None) -> list[Entry]:
    """What happened up to an event, as it was told during the game."""
    match = session.match
    who = "spectator" if session.holder is None else session.holder
    memo = session.memos.setdefault(who, Memo())
    return tell_story(listener(session), match.events, questions_of(match), since, until, memo=memo)


def is_clear(session: Session) -> bool:
    """Whether everybody knows whose choice it is: there is only one opponent, or nobody to hide it from.

    Otherwise a name would reveal who has several options: a player with a single option is not asked.
    """
    return not session.humans or len(session.seats) == 2


def tell_waiting(session: Session) -> str:
    """What to say while a bot thinks, as it may be a secret whose choice it is."""
    if is_clear(session) and session.asked is not None:
        return f"{session.seats[session.asked].name} is thinking"
    return "The others are thinking"


def common_view(views: list[View]) -> View:
    """What all players see."""
    first = views[0]
    zones = [
        _common_zone(zone, [view.zones[number] for view in views[1:]])
        for number, zone in enumerate(first.zones)
    ]
    variables = [
        # A piece that is hidden from somebody is masked in that view.
        min((view.variables[number] for view in views), key=lambda each: "▢" not in each.text)
        for number in range(len(first.variables))
    ]
    return evolve(
        first,
        asked=False,
        question=None,
        zones=tuple(zones),
        variables=tuple(variables),
    )


def _common_zone(zone: ZoneView, others: list[ZoneView]) -> ZoneView:
    if not all(each.counted for each in (zone, *others)):
        return evolve(zone, cards=(), counted=False)
    if zone.order == "pile":
        cards = tuple(
            card if all(other.cards[place] == card for other in others) else BACK
            for place, card in enumerate(zone.cards)
        )
        return evolve(zone, cards=cards)
    counted = Counter(zone.cards)
    for other in others:
        counted &= Counter(other.cards)
    faces = [card for card in zone.cards if card.face is not None]
    kept = [card for card in dict.fromkeys(faces) for _ in range(counted[card])]
    return evolve(zone, cards=(*kept, *[BACK] * (len(zone.cards) - len(kept))))


def open_view(match: Match) -> View:
    """The table with everything open."""
    layout, state, names = match.engine.layout, match.state, match.names
    one = match.view(0)
    zones = []
    for number, zone in enumerate(one.zones):
        cards = [
            CardView(layout.faces[piece], piece_label(layout, piece, names))
            for piece in state.zones[number]
        ]
        if layout.is_pool[number]:
            cards.sort(key=lambda card: card.face or 0)
        zones.append(evolve(zone, cards=tuple(cards), counted=True))
    variables = tuple(
        evolve(shown, text=label(layout, value, row.type, names))
        for shown, (row, _), value in zip(
            one.variables, layout.variables, state.variables, strict=True
        )
    )
    return evolve(one, zones=tuple(zones), variables=variables)
