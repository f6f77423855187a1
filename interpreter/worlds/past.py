"""Decisions and a player's log -> a past: a game played by the rules and compared with the log step by step.

A past is a list of decisions, by players or by chance; a variable that holds one of them is called `site`. Each site
keeps the state before the decision, so that another past can branch off there.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import log as logarithm
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from interpreter import machine
from interpreter.actions import Action
from interpreter.errors import IllegalMove, RuleFault
from interpreter.event_log import holds_pieces
from interpreter.options import ChanceNode, Decision, Options, is_secret, option_number
from interpreter.state import State
from interpreter.views import Observation, by_face
from interpreter.worlds.observed_replay import ObservedReplay, overheard, sees, start_again

MOST_LISTED = 400  # options of another player that are searched for matching ones
MOST_COMBINED = 50  # ways to make a set of pieces with given faces

OWN, OTHER, RANDOM, SHUFFLE = "own", "other", "random", "shuffle"


@define(eq=False)
class PastDecision:
    """A decision of the past: who made it, what was decided, and what the alternatives were."""

    state: State  # the state before it, never changed
    at: int  # position in the log
    kind: str
    address: tuple[Any, ...]  # what makes it the same decision in another past
    of_pieces: bool  # whether it decides about pieces
    fitting: Sequence[Any]  # values that do not contradict the log at first sight
    value: Any = None
    weight: float = 0.0  # the logarithm of how probable the decision was
    odds: Mapping[Any, float] = field(factory=dict)  # for chance: the same for each outcome
    seen: tuple[int, ...] = ()  # pieces whose faces the player saw, until the next decision


@frozen(eq=False)
class DecisionResult:
    """The result of a decision: a state and how far it agrees with the log, or where it contradicts the log."""

    fits: bool
    state: State
    at: int
    seen: tuple[int, ...] = ()
    instead: Observation | None = None  # the observation that contradicts the log


@define(eq=False)
class Past:
    """Decisions in order, the state to which they lead, and how much of the log came true."""

    sites: list[PastDecision] = field(repr=False)
    state: State = field(repr=False)
    at: int
    is_whole: bool = False  # whether it ends at the player's question
    unseen_positions: dict[int, list[int]] = field(
        factory=dict, repr=False
    )  # the cache of `unseen_positions`
    stuck: DecisionResult | None = field(
        default=None, repr=False
    )  # the best result so far, if the past is not whole
    decided: int = 0  # the position in the log that the past had reached before that

    @property
    def weight(self) -> float:
        """The logarithm of its probability, up to a term that all pasts share."""
        return sum(site.weight for site in self.sites)


# ---- One step ------------------------------------------------------------------------------------


def empty_past(to: ObservedReplay) -> Past:
    """The game before anybody has decided anything."""
    state = start_again(to)
    return Past([], state, _compared(to, state, 0).at)


def apply_decision(to: ObservedReplay, site: PastDecision, value: Any) -> DecisionResult:
    """The result of a decision."""
    state = site.state.clone()
    try:
        if site.kind in (RANDOM, SHUFFLE):
            machine.decide_chance(to.machine, state, value)
        else:
            pending = state.pending
            number = (
                option_number(pending.options, value) if isinstance(pending, Decision) else None
            )
            if number is None:
                return DecisionResult(fits=False, state=site.state, at=site.at)
            machine.apply(to.machine, state, number)
    except (IllegalMove, RuleFault):
        # The rules themselves fail with these pieces, so no real game came this far.
        return DecisionResult(fits=False, state=site.state, at=site.at)
    return _compared(to, state, site.at)


def _compared(to: ObservedReplay, state: State, at: int) -> DecisionResult:
    log = to.log
    seen: list[int] = []
    for observed, pieces in overheard(to, state):
        if at >= len(log) or observed != log[at]:
            return DecisionResult(fits=False, state=state, at=at, instead=observed)
        seen += pieces
        at += 1
    return DecisionResult(fits=True, state=state, at=at, seen=tuple(seen))


def is_asked(to: ObservedReplay, state: State, at: int) -> bool:
    """Whether the past covers the whole log, and the player is to decide."""
    if at < len(to.log):
        return False
    pending = state.pending
    return isinstance(pending, Decision) and pending.player == to.player


def is_same_question(to: ObservedReplay, state: State) -> bool:
    """Whether the player is asked the same, with the same options in the same order."""
    pending, question = state.pending, to.known.question
    if not isinstance(pending, Decision) or question is None:
        return False
    if len(pending.options) != question.count or pending.origin.span != question.origin.span:
        return False
    options = islice(pending.options, len(question.options))
    layout, of = to.machine.layout, pending.of
    return all(
        by_face(layout, value, of) == seen
        for value, (seen, _) in zip(options, question.options, strict=True)
    )


def site_of(to: ObservedReplay, state: State, at: int) -> PastDecision | None:
    """The next decision; None at the end of the game."""
    pending = state.pending
    if pending is None:
        return None
    if isinstance(pending, ChanceNode):
        return _chance(to, state, at, pending)
    address = (pending.player, at, pending.origin.span.start)
    of_pieces = holds_pieces(pending.of)
    if pending.player == to.player:
        return PastDecision(state, at, OWN, address, of_pieces, _own(to, pending, at))
    site = PastDecision(state, at, OTHER, address, of_pieces, _others(to, state, pending, at))
    site.weight = -logarithm(len(pending.options))
    return site


def _chance(to: ObservedReplay, state: State, at: int, node: ChanceNode) -> PastDecision:
    if node.kind == SHUFFLE:
        return PastDecision(state, at, SHUFFLE, (SHUFFLE, at), of_pieces=True, fitting=())
    of_pieces = node.of is not None and holds_pieces(node.of)
    told = not of_pieces and not is_secret(node, to.player)
    told = told and at < len(to.log) and to.log[at][0] == "random"
    odds = {value: logarithm(n / node.total) for value, n in node.outcomes()}
    fitting = [to.log[at][1]] if told and to.log[at][1] in odds else list(odds)
    start = 0 if node.origin is None else node.origin.span.start
    address = (RANDOM, at, start)
    return PastDecision(state, at, RANDOM, address, of_pieces, fitting, odds=odds)


def outcome_like(to: ObservedReplay, site: PastDecision, value: Any) -> Any:
    """An outcome of chance that equals the value, or looks like it."""
    if value in site.fitting or not site.of_pieces or not isinstance(value, int):
        return value
    faces = to.machine.layout.faces
    return next((each for each in site.fitting if faces[each] == faces[value]), value)


# ---- Many steps ----------------------------------------------------------------------------------

Pick: TypeAlias = Callable[[PastDecision], Iterable[Any]]


def continue_past(to: ObservedReplay, past: Past, pick: Pick) -> Past:
    """Extend a past with the values that `pick` suggests, as far as it agrees with the log.

    For each site, it takes the first suggested value that agrees with the log up to the
    next site. The past is changed in place.
    """
    while True:
        if is_asked(to, past.state, past.at):
            past.is_whole = is_same_question(to, past.state)
            return past
        site = site_of(to, past.state, past.at)
        if site is None:
            return past
        stuck: DecisionResult | None = None
        for value in pick(site):
            site.value = outcome_like(to, site, value) if site.kind == RANDOM else value
            outcome = apply_decision(to, site, site.value)
            if outcome.fits:
                break
            if stuck is None or outcome.at > stuck.at:
                stuck = outcome
        else:
            past.stuck = stuck
            past.decided, past.at = past.at, past.at if stuck is None else stuck.at
            return past
        take(past, site, outcome)


def take(past: Past, site: PastDecision, outcome: DecisionResult) -> None:
    """Append a decision to a past."""
    if site.kind == RANDOM:
        site.weight = site.odds[site.value]
    site.seen = outcome.seen
    past.sites.append(site)
    past.state, past.at = outcome.state, outcome.at


def branch(to: ObservedReplay, past: Past, k: int, value: Any) -> Past | None:
    """A past up to one of its sites, with another value there; None if that contradicts the log."""
    site = evolve(past.sites[k], value=value)
    outcome = apply_decision(to, site, value)
    if not outcome.fits:
        return None
    new = Past(past.sites[:k], site.state, site.at)
    take(new, site, outcome)
    return new


def unseen_positions(past: Past, k: int) -> list[int]:
    """The positions of a shuffle whose pieces the player does not see before they are shuffled again."""
    found = past.unseen_positions.get(k)
    if found is None:
        order = past.sites[k].value
        left = set(order)
        seen: set[int] = set()
        for n, site in enumerate(past.sites[k:]):
            if n and site.kind == SHUFFLE:
                left.difference_update(site.value)
            seen.update(left.intersection(site.seen))
        found = past.unseen_positions[k] = [n for n, piece in enumerate(order) if piece not in seen]
    return found


Permutation: TypeAlias = Mapping[int, int]  # piece -> the piece that takes its place


def permute(value: Any, permutation: Permutation) -> Any:
    """Pieces replaced by others."""
    if isinstance(value, tuple):
        return tuple(permutation.get(c, c) for c in value)
    return permutation.get(value, value)


def by_address(sites: Iterable[PastDecision]) -> dict[tuple[Any, ...], deque[PastDecision]]:
    """Decisions by what makes them the same in another past, each in order."""
    found: dict[tuple[Any, ...], deque[PastDecision]] = {}
    for site in sites:
        found.setdefault(site.address, deque()).append(site)
    return found


# ---- What fits -----------------------------------------------------------------------------------


def _own(to: ObservedReplay, decision: Decision, at: int) -> list[Any]:
    """The player's own options that match what the log says the player chose."""
    if at >= len(to.log) or to.log[at][:2] != ("chose", to.player):
        return []
    _, _, statement, seen = to.log[at]
    if statement != (decision.origin.rule, decision.origin.span.start):
        return []
    return _with_faces(to, decision, seen)


def _others(to: ObservedReplay, state: State, decision: Decision, at: int) -> list[Any]:
    """The options of another player that agree with how the log continues."""
    chose = ("chose", decision.player)
    declined = [None] if decision.may else []
    if is_secret(decision, to.player):
        return list(islice(decision.options, MOST_LISTED))
    if decision.simultaneous:
        # A sealed choice: the log tells it when all have chosen, or never.
        revealed = next((each[3] for each in to.log[at:] if each[:2] == chose), None)
        every = list(islice(decision.options, MOST_LISTED))
        if revealed is None:
            return every
        return _alike(to, state, decision, revealed) + declined or every
    if at < len(to.log) and to.log[at][:2] == chose:
        found = _alike(to, state, decision, to.log[at][3])
        return (
            found + declined if decision.may and _is_asked_again(to, state, decision, at) else found
        )
    return declined


def _is_asked_again(to: ObservedReplay, state: State, decision: Decision, at: int) -> bool:
    """Whether the log can continue if a player declines, which the log does not tell, and is then asked again."""
    new = state.clone()
    try:
        machine.apply(to.machine, new, len(decision.options) - 1)
    except RuleFault:
        return False
    outcome = _compared(to, new, at)
    if not outcome.fits or outcome.at > at:
        return outcome.fits
    pending = new.pending
    return isinstance(pending, Decision) and pending.player == decision.player


def _alike(to: ObservedReplay, state: State, decision: Decision, seen: Any) -> list[Any]:
    """The options that look to the player like what was seen."""
    is_hidden = seen == -1 or (isinstance(seen, tuple) and -1 in seen)
    if not is_hidden or not holds_pieces(decision.of):
        return _with_faces(to, decision, seen)
    values = islice(decision.options, MOST_LISTED)
    return [value for value in values if _look(to, state, value) == seen]


def _look(to: ObservedReplay, state: State, value: Any) -> Any:
    """Pieces as the player sees them."""
    if value is None or isinstance(value, Action):
        return value
    faces = to.machine.layout.faces
    pieces = value if isinstance(value, tuple) else (value,)
    found = [faces[c] if sees(to, state, c) else -1 for c in pieces]
    return tuple(sorted(found)) if isinstance(value, tuple) else found[0]


def _with_faces(to: ObservedReplay, decision: Decision, seen: Any) -> list[Any]:
    """The options whose pieces have these faces."""
    options, layout = decision.options, to.machine.layout
    if seen is None:
        return [None] if decision.may else []
    if isinstance(seen, Action) or not holds_pieces(decision.of):
        return [] if option_number(options, seen) is None else [seen]
    if len(options) <= MOST_LISTED:
        return [each for each in options if by_face(layout, each, decision.of) == seen]
    numbers = dict.fromkeys(_combined(layout.faces, options, seen))
    return [options[number] for number in numbers]


def _combined(faces: Sequence[int], options: Options, seen: tuple[int, ...]) -> Iterator[int]:
    """The numbers of sets with these faces, out of a family that is too large to be listed."""
    by: dict[int, list[int]] = {}
    for piece in options.twins or ():
        by.setdefault(faces[piece], []).append(piece)
    ways = product(*(by.get(face, []) for face in seen))
    for pieces in islice((way for way in ways if len(set(way)) == len(way)), MOST_COMBINED):
        number = option_number(options, pieces)
        if number is not None:
            yield number
