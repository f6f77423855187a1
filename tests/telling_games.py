"""A whole game as a text: who is asked, what is chosen, and what each seat observes of all that happens.

It is made of what `interpreter.views` gives to players and of nothing else, so that what a text tells about
a seat is what that seat is told. Whoever reads it sees all seats at once.
"""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from attrs import frozen

from interpreter import stored
from interpreter.actions import Action
from interpreter.event_log import Event
from interpreter.game_loading import load
from interpreter.labels import label, piece_label, variable_name, zone_name
from interpreter.layout import Layout
from interpreter.match import Match
from interpreter.options import Decision
from interpreter.playthroughs import at_random
from interpreter.views import View, observed
from rulespec.core.types import Piece, Several, Type, present

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
BACK = "▢"
MOST_OPTIONS = 12
MOST_DECISIONS = 2_000
VIEWS_EVERY = 20  # decisions


@frozen
class Played:
    """A game to be told: the file with its variants and options, how many play, and the seed.

    Of a long game, such as one to a number of points, only so many decisions are told.
    """

    file: str
    players: int
    seed: int
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    most: int = MOST_DECISIONS

    @property
    def name(self) -> str:
        parts = [self.file.removesuffix(".rules"), *self.variants, f"{self.players}p"]
        return "-".join(parts)


def tell(played: Played) -> str:
    """The text of a game in which everybody chooses at random."""
    return "\n".join(_lines(played)) + "\n"


def _lines(played: Played) -> Iterator[str]:
    game = load(played.file, played.variants, dict(played.options))
    match = game.start(NAMES[: played.players], played.seed)
    layout = match.engine.layout
    yield f"# {game.code.title}: {played.file}" + "".join(f", {each}" for each in played.variants)
    yield f"# seed {played.seed}, first is {match.names[match.state.first]}; choices are random"
    for row in game.code.options:
        yield f"# option {row.name} = {label(layout, layout.options[row.name], row.type)}"
    yield f"# {BACK} is a back; in <…> stands what some seats observe, the rest is observed by all"
    yield ""
    yield "setup"
    yield from _events(match, 0)
    choose = at_random(played.seed)
    for number in range(1, played.most + 1):
        decision = match.decision
        if decision is None:
            break
        if number % VIEWS_EVERY == 1:
            yield from _views(match)
        yield ""
        yield from _question(number, match, decision)
        chosen = choose(number, len(decision.options))
        yield f"  > {chosen} {match.text(decision, chosen)}"
        before = len(match.events)
        match.apply(chosen)
        yield from _events(match, before)
    assert match.over or played.most < MOST_DECISIONS
    yield from _views(match)
    yield ""
    yield from _result(match) if match.over else [f"not over after {played.most} decisions"]
    text = match.to_json()
    assert stored.from_json(match.engine, text) == match.state
    yield f"state {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _question(number: int, match: Match, decision: Decision) -> Iterator[str]:
    who = match.names[decision.player]
    secretly = ", in secret" if decision.simultaneous else ""
    yield f"{number}. {who}{secretly}: {decision.prompt}  {_origin(decision.origin)}"
    shown = decision.listed(MOST_OPTIONS)
    more = len(decision.options) - len(shown)
    texts = " | ".join(f"{option.number} {option.text}" for option in shown)
    yield f"  {texts}" + (f" | … {more} more" if more else "")


def _origin(origin: Any) -> str:
    return f"[{' '.join((origin.rule, *(f'@{each}' for each in origin.cites)))}]"


# ---- What happened -------------------------------------------------------------------------------


def _events(match: Match, begin: int) -> Iterator[str]:
    """Events one by one; moves from one zone to another by the same statement are told together."""
    last = ""
    for _, run in groupby(match.events[begin:], key=_alike):
        events = [*run]
        origin = _origin(events[0].origin)
        yield f"  {_observations(match, events)}" + (f"  {origin}" if origin != last else "")
        last = origin


def _alike(event: Event) -> Any:
    if event.kind != "move":
        return event
    _, source, _, zone, at = event.data
    return (source, zone, at, event.seers, event.told, event.origin)


def _observations(match: Match, events: list[Event]) -> str:
    """What happened, and by whom it is seen how: all alike, some otherwise, some not at all."""
    layout = match.engine.layout
    seats: dict[tuple[str, str], list[int]] = {}
    for player in range(layout.players):
        seen = [observed(layout, event, player) for event in events if event.told >> player & 1]
        if seen:
            seats.setdefault(_telling(match, events[0], seen), []).append(player)
    if not seats:
        return f"({events[0].kind}: nobody observes it)"
    if [*seats.values()] == [[*range(layout.players)]]:
        ((head, what),) = seats
        return f"{head}: {what}" if what else head
    heads = {head for head, _ in seats}
    told = "; ".join(
        f"{_seats(match.names, players)} " + (what if len(heads) == 1 else f"{head}: {what}")
        for (head, what), players in seats.items()
    )
    return f"{heads.pop()}: <{told}>" if len(heads) == 1 else f"<{told}>"


def _telling(table: Match, event: Event, seen: list[Any]) -> tuple[str, str]:
    layout, names = table.engine.layout, table.names
    match seen[0]:
        case ("move", source, _, zone, at, _):
            places = [left for _, _, left, *_ in seen]
            usual = {0} >= {*places} or places == [*range(len(places))][::-1] or None in places
            deep = "" if usual else f" (at {', '.join(map(str, places))})"
            under = " under" if at == "bottom" else ""
            head = f"{zone_name(layout, source, names)}{deep} →{under} {zone_name(layout, zone, names)}"
            return head, _cards(layout, [each[5] for each in seen])
        case ("top", zone, face):
            return f"on top of {zone_name(layout, zone, names)}", _cards(layout, [face])
        case ("show", found, players):
            to = "all" if len(players) == layout.players else _seats(names, players)
            return f"shown to {to}", "; ".join(
                f"{zone_name(layout, zone, names)} {_cards(layout, [face for _, _, face in cards])}"
                for zone, cards in groupby(found, key=lambda each: each[0])
            )
        case ("tell" | "heading" as kind, *parts):
            filled = [
                said if isinstance(part, str) else _value(layout, said, part.of, names)
                for part, said in zip(event.data[0], parts, strict=True)
            ]
            return kind, "".join(filled)
        case ("announce", name, value, players):
            to = "" if len(players) == layout.players else f" to {_seats(names, players)}"
            return f"announced{to}: {name}", _value(layout, value, event.data[2], names)
        case ("chose", chooser, _, value):
            return f"{names[chooser]} chose", _value(layout, value, event.data[2], names)
        case ("set", variable, value):
            return variable_name(layout, variable, names), _value(
                layout, value, event.data[2], names
            )
        case ("random", value):
            return "chance gives", _value(layout, value, event.data[1], names)
        case ("shuffle", zone, order):
            faces = "" if order is None else _cards(layout, list(order))
            return f"shuffled {zone_name(layout, zone, names)}", faces
    raise AssertionError(seen[0])


def _seats(names: tuple[str, ...], players: Iterable[int]) -> str:
    return ", ".join(names[p] for p in players)


def _cards(layout: Layout, faces: list[int | None]) -> str:
    """Faces as they are called; backs, and the same face several times, are counted."""
    texts = [
        BACK if face in (None, -1) else piece_label(layout, layout.faces.index(face))
        for face in faces
    ]
    counted = ((text, len([*same])) for text, same in groupby(texts))
    return ", ".join(f"{n} × {text}" if n > 1 else text for text, n in counted) or "nothing"


def _value(layout: Layout, value: Any, of: Type, names: tuple[str, ...]) -> str:
    """A value as a player observes it: pieces are given by their faces."""
    inner = present(of)
    while isinstance(inner, Several):
        inner = present(inner.of)
    if isinstance(value, Action):  # an option of the other kind
        return _value(layout, value.value, value.of, names)
    if value is None or not isinstance(inner, Piece):
        return label(layout, value, of, names)
    return _cards(layout, list(value) if isinstance(value, tuple) else [value])


# ---- What each seat sees -------------------------------------------------------------------------


def _views(match: Match) -> Iterator[str]:
    """What lies on the table: what all see alike once, what is seen differently seat by seat."""
    views = [match.view(player) for player in range(len(match.names))]
    yield ""
    yield "table"
    for n, zone in enumerate(views[0].zones):
        seats: dict[str, list[str]] = {}
        for view in views:
            seats.setdefault(_zone(view, n), []).append(match.names[view.player])
        for text, names in seats.items():
            if zone.cards and zone.name != "box":
                yield f"  {_whom(names, views)}{zone.name}: {text}"
    for n, variable in enumerate(views[0].variables):
        seen = {view.variables[n].text: [] for view in views}
        for view in views:
            seen[view.variables[n].text].append(match.names[view.player])
        for text, names in seen.items():
            yield f"  {_whom(names, views)}{variable.name} = {text}"


def _whom(names: list[str], views: list[View]) -> str:
    return "" if len(names) == len(views) else f"{', '.join(names)}: "


def _zone(view: View, number: int) -> str:
    texts = [BACK if card.text is None else card.text for card in view.zones[number].cards]
    counted = ((text, len([*same])) for text, same in groupby(texts))
    return ", ".join(f"{n} × {text}" if n > 1 else text for text, n in counted)


def _result(match: Match) -> Iterator[str]:
    result = match.result()
    yield "result"
    for player, place in enumerate(result.places):
        won = ", wins" if player in result.winners else ""
        yield f"  {match.names[player]}: place {place}{won}"
        for score in result.scores[player]:
            best = "most" if score.most_wins else "fewest"
            yield f"    {score.title} = {score.value}, the {best} win  {_origin(score.origin)}"
