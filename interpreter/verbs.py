"""Pieces that move, or are shown -> what people call that: to play, draw, take, give, turn up.

A story needs a verb for each move. It follows from the kinds of zones alone: whose they are, and who sees into them.
"""

from collections.abc import Sequence
from typing import Literal

from interpreter.answer_sentences import Said, tell_of
from interpreter.display_names import (
    Listener,
    family_words,
    is_you,
    kinds_between,
    name_pieces,
    on_table,
    said,
    seat_possessive,
    who,
    word_for,
    zone_words,
)
from interpreter.hearing import Heard
from interpreter.layout import Layout
from rulespec.core.types import Seat
from rulespec.english import in_words, listed, sentence

BOX = 0

# Zones of a player: seen by the owner, by all, by nobody. Shared zones: seen by all, a hidden pile, a hidden pool.
Sort = Literal["box", "hand", "open", "closed", "table", "deck", "hidden"]


def sort_of(layout: Layout, zone: int) -> Sort:
    """The kind of a zone, by its owner and who sees into it."""
    found = layout.zones[zone]
    if zone == BOX:
        return "box"
    seen_by = found.row.seen_by
    if found.owner is not None:
        return "hand" if seen_by == "owner" else "closed" if seen_by == "nobody" else "open"
    if seen_by in ("everyone", "top"):
        return "table"
    return "deck" if found.row.order == "pile" else "hidden"


def family_of(layout: Layout, zone: int) -> str:
    return layout.zones[zone].row.name


# ---- Moves ---------------------------------------------------------------------------------------


def tell_moves(
    to: Listener, moves: Sequence[Heard], actor: int | None, does: Said | None, *, is_answer: bool
) -> list[str]:
    """Moves between two families, as sentences; empty if nobody needs to hear of them.

    `does` is what the actor said to do with these pieces; `is_answer` is true if an answer led to the moves and no
    sentence has told it yet.
    """
    layout = to.layout
    _, source, _, target, _ = moves[0].event.data
    from_, into = sort_of(layout, source), sort_of(layout, target)
    if not on_table(layout.code, family_of(layout, target)):
        return []
    givers = _owners(to, moves, 1)
    takers = _owners(to, moves, 3)
    if does is not None and len(givers) < 2:
        return [_as_said(to, moves, actor, does)]
    if into == "box":
        return [f"out of the game: {_names(to, moves)}"] if is_answer else []
    if from_ == "hidden" and takers and actor is not None:
        return _tell_taken(to, moves, takers, actor)
    if from_ in ("box", "deck", "hidden"):
        return _tell_new(to, moves, takers, is_dealt=actor is None or len(takers) > 2)
    if from_ == "table":
        if takers and actor is None:
            return [_tell_dealt(to, moves, takers)]
        if takers:
            return _tell_taken(to, moves, takers, actor)
        return [_tell_put(to, moves, actor)] if is_answer and actor is not None else []
    if takers:
        return _tell_between(to, moves, takers, actor)
    if from_ == "hand" or "discard" in family_of(layout, target):
        if is_answer and givers != [actor] and len(givers) == 1:
            return [_tell_put_by(to, moves, actor)]
        return [_tell_played(to, _of_owner(to, moves, 1, seat), seat) for seat in givers]
    if actor is not None and len(givers) == 1:
        return [_tell_put(to, moves, givers[0])]
    return []  # the table is cleared


def _as_said(to: Listener, moves: Sequence[Heard], actor: int | None, does: Said) -> str:
    """In the words of the question."""
    where = "" if does.rest else _which(to, moves, actor)
    return tell_of(to, [actor or 0], does.verb, f" {_names(to, moves)}{does.rest}{where}")


def _tell_new(
    to: Listener, moves: Sequence[Heard], takers: list[int], *, is_dealt: bool
) -> list[str]:
    """Moves out of a deck or the box."""
    _, source, _, target, _ = moves[0].event.data
    from_, into = sort_of(to.layout, source), sort_of(to.layout, target)
    if not takers:
        if from_ == "box" or into != "table":
            return []
        return [f"turned up: {_names(to, moves)}{_which(to, moves, None)}"]
    if is_dealt or from_ == "box":
        return [_tell_dealt(to, moves, takers)]
    is_hand = _is_main_hand(to.layout, target)
    # Cards that go to a private zone of their owner other than the hand are looked at.
    verb = "draw" if is_hand else "look" if into == "hand" else "get"
    told: list[str] = []
    for seats, names in _alike(to, moves, takers):
        each = " each" if len(seats) > 1 else ""
        if verb == "look":
            names = f"at {names} of {zone_words(to.layout, source, to.names)}"  # noqa: PLW2901
        where = _where(to, moves, seats[0]) if into == "closed" and len(seats) == 1 else ""
        told.append(tell_of(to, seats, verb, f" {names}{where}{each}"))
    return told


def _is_main_hand(layout: Layout, zone: int) -> bool:
    """Whether a zone is the main hand, if players have several private zones."""
    if sort_of(layout, zone) != "hand":
        return False
    row = layout.zones[zone].row
    others = {each.row.name for n, each in enumerate(layout.zones) if sort_of(layout, n) == "hand"}
    return len(others) == 1 or "hand" in word_for(layout.code, row.name)


def _alike(to: Listener, moves: Sequence[Heard], takers: list[int]) -> list[tuple[list[int], str]]:
    """Group the takers whose pieces have the same text."""
    found: dict[str, list[int]] = {}
    for seat in takers:
        mine = _of_owner(to, moves, 3, seat)
        text = _names(to, mine)
        is_seen = any(each.event.data[0] is not None for each in mine)
        found.setdefault(f"{text}\0{seat if is_seen else ''}", []).append(seat)
    return [(seats, text.split("\0")[0]) for text, seats in found.items()]


def _tell_dealt(to: Listener, moves: Sequence[Heard], takers: list[int]) -> str:
    """A deal: what everybody gets, and who gets more."""
    each = {seat: _of_owner(to, moves, 3, seat) for seat in takers}
    texts = {_names(to, mine) for mine in each.values()}
    least = min(len(mine) for mine in each.values())
    more = [
        f"{in_words(len(mine) - least)} more to {who(to.names, seat)}"
        for seat, mine in each.items()
        if len(mine) > least
    ]
    everybody = len(takers) == to.layout.players
    whom = "each player" if everybody else listed([who(to.names, seat) for seat in takers])
    what = texts.pop() if len(texts) == 1 else name_pieces(to, [None] * least, _kinds(to, moves))
    extra = f", and {listed(more)}" if more else ""
    return f"dealt: {what} to {whom}{extra}"


def _tell_taken(
    to: Listener, moves: Sequence[Heard], takers: list[int], actor: int | None
) -> list[str]:
    told = []
    for seat in takers:
        mine = _of_owner(to, moves, 3, seat)
        target = mine[0].event.data[3]
        where = _where(to, mine, seat) if sort_of(to.layout, target) == "closed" else ""
        if sort_of(to.layout, mine[0].event.data[1]) == "hidden":
            where = f" from {zone_words(to.layout, mine[0].event.data[1], to.names)}"
        verb = "take" if seat == actor else "get"
        told.append(tell_of(to, [seat], verb, f" {_names(to, mine)}{where}"))
    return told


def _tell_put(to: Listener, moves: Sequence[Heard], actor: int | None) -> str:
    return tell_of(to, [actor or 0], "put", f" {_names(to, moves)}{_where(to, moves, actor)}")


def _tell_between(
    to: Listener, moves: Sequence[Heard], takers: list[int], actor: int | None
) -> list[str]:
    """Moves between zones of players: winning a trick, stealing a card, playing a card to one's own area."""
    told = []
    for taker in takers:
        mine = _of_owner(to, moves, 3, taker)
        their = {each.event.data[1] for each in mine}
        owners = sorted({to.layout.zones[zone].owner or 0 for zone in their})
        names = _names(to, mine)
        if len(owners) > 1:
            source = mine[0].event.data[1]
            # Everybody has already seen cards that lie open in front of several players.
            whole = f"the {word_for(to.layout.code, family_of(to.layout, source))}"
            is_open = sort_of(to.layout, source) == "open"
            told.append(tell_of(to, [taker], "take", f" {whole if is_open else names}"))
        elif owners[0] == taker:
            told.append(_tell_own(to, mine, taker))
        elif actor == owners[0]:
            told.append(tell_of(to, [owners[0]], "give", f" {names} to {who(to.names, taker)}"))
        else:
            verb = "take" if actor == taker else "get"
            told.append(tell_of(to, [taker], verb, f" {names} from {who(to.names, owners[0])}"))
    return told


def _tell_own(to: Listener, moves: Sequence[Heard], seat: int) -> str:
    _, source, _, target, _ = moves[0].event.data
    from_, into = sort_of(to.layout, source), sort_of(to.layout, target)
    names = _names(to, moves)
    if into == "open":
        verb = "play" if from_ == "hand" else "put"
        where = _where(to, moves, seat) if from_ != "hand" else _which(to, moves, seat)
        return tell_of(to, [seat], verb, f" {names}{where}")
    if into == "closed" and from_ == "hand":
        return tell_of(to, [seat], "put", f" {names}{_where(to, moves, seat)}")
    return tell_of(to, [seat], "take", f" {names}")


def _tell_put_by(to: Listener, moves: Sequence[Heard], actor: int | None) -> str:
    """Moves of a player's cards that somebody else decided."""
    _, source, _, target, _ = moves[0].event.data
    names, where = _names(to, moves), zone_words(to.layout, target, to.names)
    if actor is None:
        goes = "goes" if len(moves) == 1 else "go"
        return f"{names} {goes} from {zone_words(to.layout, source, to.names)} to {where}"
    return tell_of(to, [actor], "put", f" {names} onto {where}")


def _tell_played(to: Listener, moves: Sequence[Heard], seat: int) -> str:
    target = moves[0].event.data[3]
    into = sort_of(to.layout, target)
    if "discard" in family_of(to.layout, target):
        return tell_of(to, [seat], "discard", f" {_names(to, moves)}")
    if into == "table":
        return tell_of(to, [seat], "play", f" {_names(to, moves)}{_which(to, moves, seat)}")
    return _tell_put(to, moves, seat)


# ---- Showing -------------------------------------------------------------------------------------


def tell_shown(
    to: Listener, shows: Sequence[Heard], actor: int | None, does: Said | None
) -> list[str]:
    """Cards that are turned up, shown, or looked at."""
    if does is not None and actor is not None and shows[0].event.data[0]:
        pieces, zones, _ = shows[0].event.data
        names = name_pieces(to, pieces, kinds_between(to.layout, zones[0]))
        return [tell_of(to, [actor], does.verb, f" {names}{does.rest}")]
    told: list[str] = []
    looking: dict[str, list[int]] = {}
    for each in shows:
        pieces, zones, players = each.event.data
        for zone in dict.fromkeys(zones):
            seen = [c for c, place in zip(pieces, zones, strict=True) if place == zone]
            names = name_pieces(to, seen, kinds_between(to.layout, zone))
            if len(players) == to.layout.players:
                told += _tell_open(to, zone, names, is_all=len(seen) > 1)
                continue
            owner = to.layout.zones[zone].owner
            of = (
                f" of {zone_words(to.layout, zone, to.names)}"
                if owner not in (None, *players)
                else ""
            )
            looking.setdefault(f"{names}{of}", []).extend(players)
    told += [
        tell_of(to, seats, "look", f" at {text}{' each' if len(seats) > 1 else ''}")
        for text, seats in looking.items()
    ]
    return told


def _tell_open(to: Listener, zone: int, names: str, *, is_all: bool) -> list[str]:
    match sort_of(to.layout, zone):
        case "hand":
            return [tell_of(to, [to.layout.zones[zone].owner or 0], "show", f" {names}")]
        case "closed":
            return [f"{zone_words(to.layout, zone, to.names)}: {names}"]
        case "hidden" if is_all:
            return [f"{zone_words(to.layout, zone, to.names)}: {names}"]
        case "deck" | "box" | "hidden":
            return [f"turned up: {names}"]
        case "open" if to.layout.zones[zone].row.seen_by == "others":
            return [f"{zone_words(to.layout, zone, to.names)}: {names}"]
        case "open" | "table":
            return []  # all see it anyway


# ---- Details -------------------------------------------------------------------------------------


def describe_moves(to: Listener, moves: Sequence[Heard]) -> str:
    """Moves as a detail: from where to where."""
    _, source, _, target, at = moves[0].event.data
    goes = "goes" if len(moves) == 1 else "go"
    below = "the bottom of " if at == "bottom" else ""
    if isinstance(at, int):
        below = f"position {at + 1} of "
    there = f"{below}{zone_words(to.layout, target, to.names)}"
    here = zone_words(to.layout, source, to.names)
    return sentence(f"{_names(to, moves)} {goes} from {here} to {there}")


def describe_show(to: Listener, show: Heard) -> str:
    """What was shown, and to whom."""
    pieces, zones, players = show.event.data
    if not pieces:
        return "There is nothing to show."
    everybody = len(players) == to.layout.players
    whom = "all" if everybody else listed([who(to.names, seat) for seat in players])
    names = name_pieces(to, pieces, kinds_between(to.layout, zones[0]))
    seen = (
        f"sees {names}" if whom != "all" and len(players) == 1 and whom != "you" else f"see {names}"
    )
    places = listed([zone_words(to.layout, zone, to.names) for zone in dict.fromkeys(zones)])
    return sentence(f"{whom} {seen} in {places}")


# ---- Words ---------------------------------------------------------------------------------------


def _owners(to: Listener, moves: Sequence[Heard], end: int) -> list[int]:
    """The owners of the zones, each once."""
    owners = (to.layout.zones[each.event.data[end]].owner for each in moves)
    return [seat for seat in dict.fromkeys(owners) if seat is not None]


def _of_owner(to: Listener, moves: Sequence[Heard], end: int, seat: int) -> list[Heard]:
    return [each for each in moves if to.layout.zones[each.event.data[end]].owner == seat]


def _kinds(to: Listener, moves: Sequence[Heard]) -> frozenset[str]:
    _, source, _, target, _ = moves[0].event.data
    return kinds_between(to.layout, source, target)


def _names(to: Listener, moves: Sequence[Heard]) -> str:
    return name_pieces(to, [each.event.data[0] for each in moves], _kinds(to, moves))


def _is_one_of_many(layout: Layout, zone: int) -> bool:
    """Whether a zone is one of several to which a player might have moved the pieces."""
    return any(not isinstance(index, Seat) for index in layout.zones[zone].row.indices)


def _which(to: Listener, moves: Sequence[Heard], subject: int | None) -> str:
    """Where pieces go, if there are several such zones and the names of the pieces do not tell which."""
    zone = to.layout.zones[moves[0].event.data[3]]
    if not _is_one_of_many(to.layout, moves[0].event.data[3]):
        return ""
    indices = zip(zone.indices, zone.row.indices, strict=True)
    labels = [said(to.layout, *each, to.names) for each in indices if not isinstance(each[1], Seat)]
    names = _names(to, moves)
    return "" if all(each in names for each in labels) else _where(to, moves, subject)


def _where(to: Listener, moves: Sequence[Heard], subject: int | None) -> str:
    """`into your reserve`, `onto the deck`."""
    *_, target, at = moves[0].event.data
    found = to.layout.zones[target]
    word = "under" if at == "bottom" else "onto"
    if to.layout.is_pool[target] or isinstance(at, int):
        word = "into"
    if found.owner is None:
        return f" {word} {zone_words(to.layout, target, to.names)}"
    _, name = family_words(to.layout, to.names, found.row, found.indices)
    owner = seat_possessive(to.names, found.owner)
    if found.owner == subject and not is_you(to.names, found.owner):
        owner = "their"
    return f" {word} {owner} {name}"


def tell_remade(to: Listener, moves: Sequence[Heard]) -> list[str]:
    """A sentence that a pile is shuffled into a new one; empty if cards are gathered from everywhere."""
    _, source, _, target, _ = moves[0].event.data
    if sort_of(to.layout, source) != "table":
        return []
    there = word_for(to.layout.code, family_of(to.layout, target))
    return [f"{zone_words(to.layout, source, to.names)} is shuffled into a new {there}"]


def unsaid(to: Listener, moves: Sequence[Heard]) -> str:
    """The part of a drawing move that needs no mention: its source."""
    source = moves[0].event.data[1]
    return zone_words(to.layout, source, to.names) if sort_of(to.layout, source) == "deck" else ""
