"""A game that goes wrong -> a shorter one that goes wrong in the same way.

An author should have to read three choices and not three hundred. Other seeds and fewer players are tried,
then choices are left out or replaced by the first option. The search is bounded by what it plays and not
by the clock, so it finds the same game every time.
"""

from collections.abc import Iterator

from attrs import define, evolve, frozen

from interpreter import chance
from interpreter.errors import LimitReached, RuleFault
from interpreter.machine import Machine, apply, start
from interpreter.match import Game, Match
from interpreter.options import Decision
from interpreter.playthroughs import (
    Chooser,
    Place,
    Playthrough,
    at_random,
    fault_key,
    following,
    is_endless,
    play,
)
from interpreter.transcript import Transcript
from rulespec import logs
from rulespec.core.fingerprints import canonical_text, fingerprint
from rulespec.limits import MOST_PLAYED

# In choices, of which a second plays some ten thousand.
BUDGET = 20_000
PATIENCE = 4_000  # spent without success before the next strategy is tried
COST_OF_SETUP = 20
COST_OF_LIMIT = 4_000  # the cost of a game that runs into the limit of steps

LONGEST_CIRCLE = 400
SHOWN_OF_ENDLESS = 30


@frozen
class Shrunk:
    """The shorter game; for a game that repeats a state, also the choice after which it was there first."""

    game: Playthrough
    again: int | None = None


@define
class _Search:
    game: Game
    place: Place
    best: Playthrough
    watched: bool
    budget: int = BUDGET
    in_vain: int = 0  # since the last success


def shrink(game: Game, found: Playthrough) -> Shrunk:
    """The shortest game that can be found with the same fault."""
    if found.fault is None:
        return Shrunk(found)
    if found.work > MOST_PLAYED:
        return Shrunk(found)  # it takes too long to be played again and again
    if is_endless(found.fault):
        return _shrink_endless(game, found)
    # Without observers it is faster, and only `knows` asks what they have seen.
    watched = "'knows'" in canonical_text(game.code)
    search = _Search(game, fault_key(found.fault), found, watched)
    _try_seeds(search)
    _try_endings(search)
    while search.budget > 0 and _leave_out(search) | _simplify(search):
        pass
    return Shrunk(search.best)


def _measure(played: Playthrough) -> tuple[int, ...]:
    """A smaller measure is better: fewer choices, fewer players, lower option numbers."""
    choices = played.choices
    others = sum(number > 0 for number in choices)
    return len(choices), played.players, others, sum(choices), played.seed


def _try(search: _Search, players: int, seed: int, choose: Chooser) -> bool:
    """Play once; return whether the game is better than the best so far."""
    best = search.best
    machine = search.game.machine(players)
    played = play(machine, seed, choose, len(best.choices) - 1, watched=search.watched)
    cost = COST_OF_SETUP + len(played.choices)
    if isinstance(played.fault, LimitReached):
        cost += COST_OF_LIMIT
    search.budget -= cost
    search.in_vain += cost
    if played.fault is None or fault_key(played.fault) != search.place:
        return False
    if _measure(played) >= _measure(best):
        return False
    search.best = played
    search.in_vain = 0
    return True


def _goes_on(search: _Search, reserve: int) -> bool:
    is_worth_it = bool(search.best.choices) and search.in_vain < PATIENCE
    return is_worth_it and search.budget > reserve


def _try_seeds(search: _Search) -> None:
    """Try many short games, with at most half of the budget."""
    seed = 0
    while _goes_on(search, BUDGET // 2):
        seed += 1
        for players in search.game.players:
            _try(search, players, seed, following(()))
            _try(search, players, seed, at_random(seed))


def _try_endings(search: _Search) -> None:
    """Try the same beginning with another end: a player who already holds the fatal card may play it at once."""
    search.in_vain = 0
    rng = search.best.seed
    while _goes_on(search, BUDGET // 5):
        best = search.best
        rng, cut = chance.below(rng, len(best.choices) + 1)
        rng, seed = chance.draw(rng)
        _try(search, best.players, best.seed, _varied(best.choices[:cut], seed))


def _varied(beginning: tuple[int, ...], seed: int) -> Chooser:
    written, random = following(beginning), at_random(seed)
    return lambda choice, options: (written if choice < len(beginning) else random)(choice, options)


def _chunks(length: int) -> Iterator[tuple[int, int]]:
    """Parts of a sequence: large ones first, then smaller ones, each size from the end."""
    size = length
    while size > 0:
        for begin in range(length - size, -1, -size):
            yield begin, begin + size
        size //= 2


def _leave_out(search: _Search) -> bool:
    better = False
    for begin, end in _chunks(len(search.best.choices)):
        choices = search.best.choices
        if search.budget <= 0:
            break
        if end <= len(choices):
            kept = choices[:begin] + choices[end:]
            better |= _try(search, search.best.players, search.best.seed, following(kept))
    return better


def _simplify(search: _Search) -> bool:
    better = False
    for begin, end in _chunks(len(search.best.choices)):
        choices = search.best.choices
        if search.budget <= 0:
            break
        if any(choices[begin:end]):
            plain = choices[:begin] + (0,) * (end - begin) + choices[end:]
            better |= _try(search, search.best.players, search.best.seed, following(plain))
    return better


# ---- Games without an end ------------------------------------------------------------------------


def _shrink_endless(game: Game, found: Playthrough) -> Shrunk:
    """The shortest cycle: choices after which the state, apart from chance, is the same as before."""
    best: Shrunk | None = None
    longest = LONGEST_CIRCLE
    for players in game.players:
        for seed in range(1, 5):
            for choose in (following(()), at_random(seed)):
                circle = _circle(game.machine(players), seed, choose, longest)
                if circle is not None:
                    best, longest = circle, len(circle.game.choices) - 1
    if best is None:
        return Shrunk(evolve(found, choices=found.choices[:SHOWN_OF_ENDLESS]))
    return evolve(best, game=evolve(best.game, fault=found.fault))


def _circle(machine: Machine, seed: int, choose: Chooser, longest: int) -> Shrunk | None:
    seen: dict[object, int] = {}
    choices: list[int] = []
    try:
        state = start(machine, seed, watched=True)
        while isinstance(state.pending, Decision):
            *value, _rng = state.value()
            before = seen.setdefault(tuple(value), len(choices))
            if before < len(choices):
                return Shrunk(Playthrough(machine.layout.players, seed, tuple(choices)), before)
            if len(choices) >= longest:
                return None
            choices.append(choose(len(choices), len(state.pending.options)))
            apply(machine, state, choices[-1])
    except RuleFault:
        return None  # it ends after all, by another mistake
    return None


# ---- Records -------------------------------------------------------------------------------------


def record_of(game: Game, played: Playthrough) -> Transcript:
    """A playthrough as a transcript, with the texts of its choices as far as they can be told."""
    names = tuple(f"Player {n + 1}" for n in range(played.players))
    record = Transcript(
        game.name,
        fingerprint(game.code),
        game.variants,
        game.settings,
        names,
        None,
        played.seed,
        (),
    )
    match: Match | None = None
    # The fault or bug to report occurs again here.
    try:
        match = game.start(names, played.seed, always=True)
        for number in played.choices:
            match.apply(number)
    except Exception as error:  # noqa: BLE001 - as above
        logs.inform(f"a transcript of {game.name} ends where the game does: {error!r}")
    return record if match is None else match.transcript()
