"""A choice and its immediate consequences -> what the player learnt that could not be derived before.

A player may take back only a choice that taught nothing. Implements docs/language/13-semantics.md, "Taking back". A
player could have derived a consequence if it is the same in every game that the player cannot tell from this one. So
the choice is repeated in some such games: hidden pieces lie in other places, hidden variables have other values, and
chance decides differently. Whatever the player observes in one of them and not in another is new. What others choose,
and what chance shows, is always new.
"""

from collections.abc import Iterator

from attrs import evolve, frozen

from interpreter import chance
from interpreter.errors import RuleFault
from interpreter.event_log import Event
from interpreter.exchanges import (
    Exchange,
    exchange_pieces,
    hidden_from,
    is_anything_hidden,
    vary_hidden,
)
from interpreter.machine import Machine, apply, run
from interpreter.options import Decision
from interpreter.state import State
from interpreter.views import Information, information

OTHER_CHANCE = 0x9E3779B97F4A7C15  # an arbitrary number
JUST_CHANCE = 3  # games in which only chance differs
WAYS = 12  # attempts to exchange hidden pieces and values


@frozen
class Learnt:
    """A player has learnt something; from which step, if a single one told it."""

    event: Event | None = None


@frozen(eq=False)
class ChoiceMoment:
    """A game just before a choice, without the earlier events, and the choice."""

    state: State
    player: int
    number: int


def keep_moment(s: State, player: int, number: int) -> ChoiceMoment:
    """What to keep in order to find out later what was learnt from a choice."""
    state = s.clone()
    state.watch.events = []
    return ChoiceMoment(state, player, number)


def first_observed(events: list[Event], player: int) -> Learnt | None:
    """The first step of which a player was told."""
    found = next((event for event in events if event.told >> player & 1), None)
    return None if found is None else Learnt(found)


# [undo.learnt]
def learnt_at_once(machine: Machine, moment: ChoiceMoment, events: list[Event]) -> Learnt | None:
    """What the chooser has learnt from the steps that followed a choice, up to the next question."""
    player = moment.player
    for event in events:
        if event.told >> player & 1 and _is_news(event, player):
            return Learnt(event)
    known = _go_on(machine, moment.state.clone(), moment)
    for n, places in enumerate(_exchanges(machine, moment), 1):
        other = exchange_pieces(machine, moment.state, places)
        if n > JUST_CHANCE:
            vary_hidden(machine, other, player, n * OTHER_CHANCE & chance.MASK)
        if other.rng is not None:
            # Use another seed each time: a single seed may happen to decide the same.
            other.rng = (other.rng + n * OTHER_CHANCE) & chance.MASK
        if _is_same_question(machine, other, moment) and _go_on(machine, other, moment) != known:
            return Learnt()
    return None


def _is_news(event: Event, player: int) -> bool:
    """Whether a step by itself tells what another player or chance decided, or states a fact."""
    if event.kind == "chose":
        return bool(event.data[0] != player)
    return event.kind in ("random", "announce")


def _exchanges(machine: Machine, moment: ChoiceMoment) -> Iterator[Exchange]:
    """Some ways to exchange everything that the chooser does not know, each piece for one of its kind."""
    kinds: dict[str, list[int]] = {}
    for piece in hidden_from(machine, moment.state, moment.player):
        kinds.setdefault(machine.layout.pieces[piece].kind, []).append(piece)
    yield from [{}] * JUST_CHANCE
    rng = OTHER_CHANCE
    is_hiding = any(len(pieces) > 1 for pieces in kinds.values())
    is_hiding = is_hiding or is_anything_hidden(machine, moment.player)
    for _ in range(WAYS if is_hiding else 0):
        way: Exchange = {}
        for pieces in kinds.values():
            rng, order = chance.shuffle(rng, tuple(pieces))
            way |= dict(zip(pieces, order, strict=True))
        yield way


def _is_same_question(machine: Machine, other: State, moment: ChoiceMoment) -> bool:
    """Whether the chooser is asked the same question there; otherwise the chooser could tell the games apart."""
    asked = moment.state.pending
    try:
        run(machine, other)
    except RuleFault:
        return False
    there = other.pending
    return (
        isinstance(there, Decision)
        and not other.watch.events
        and there.player == moment.player
        and there.prompt == asked.prompt
        and len(there.options) == len(asked.options)
        and there.text(moment.number) == asked.text(moment.number)
    )


def _go_on(machine: Machine, s: State, moment: ChoiceMoment) -> Information | None:
    """What the chooser knows after the choice, before anybody else decides; None if the rules cannot go on."""
    player = moment.player
    try:
        apply(machine, s, moment.number)
    except RuleFault:
        return None
    told = [event for event in s.watch.events if event.told >> player & 1]
    end = next((n for n, event in enumerate(told) if _is_news(event, player)), None)
    # If another player has only one option, nobody is asked and nobody can tell.
    s.watch.events = told[:end]
    known = information(machine, s, player)
    return known if end is None else evolve(known, question=None)
