"""A machine and a way to choose -> one whole game, and what went wrong in it.

Implements docs/language/13-semantics.md, "Invariants": every `always` is tested at each question after setup,
and at the end. Options are chosen by their number, so a family of a million
subsets is never listed.
"""

from collections.abc import Callable, Iterator, Sequence

from attrs import evolve, frozen

from interpreter import chance
from interpreter.endless import cannot_end
from interpreter.errors import Crash, LimitReached, RuleFault
from interpreter.invariants import Held
from interpreter.machine import Machine, apply, broken_invariant, rank, running, start
from interpreter.options import Decision
from interpreter.state import OVER, SETUP, State
from rulespec import codes
from rulespec.limits import MOST_CHOICES, MOST_PLAYED, MOST_WORK
from rulespec.source import Span

# The number of the choice, from 0, and the number of options -> the number of the chosen option.
Chooser = Callable[[int, int], int]
Place = tuple[str, str, int, int]
_ENDLESS = "the game does not end"


@frozen(eq=False)
class Playthrough:
    """A game as seed and choices. Without a fault or a crash it is over, or was cut off."""

    players: int
    seed: int
    choices: tuple[int, ...] = ()
    over: bool = False
    asked: Span | None = None  # the last question, if it was cut off
    fault: RuleFault | None = None
    crash: Exception | None = None
    work: int = 0  # operations


def check_length(count: int, asked: Decision) -> None:
    """Refuse to go on with a game that is too long to be played here."""
    if count >= MOST_CHOICES:
        message = f"the game is too long: after {MOST_CHOICES:,} choices somebody is asked again"
        raise LimitReached(codes.TOO_MANY_STEPS, message, asked.origin.span)


def _endless(asked: Span, count: int) -> LimitReached:
    message = (
        f"{_ENDLESS}: after {count:,} choices, whatever anybody chooses, somebody is asked again"
    )
    return LimitReached(codes.TOO_MANY_STEPS, message, asked)


def play(
    machine: Machine,
    seed: int,
    choose: Chooser,
    most: int = MOST_CHOICES - 1,
    *,
    watched: bool = True,
) -> Playthrough:
    """Play until the game is over or goes wrong, or until it exceeds `most` choices or the limit of work."""
    return _play(machine, seed, choose, most, watched=watched)[0]


def _play(
    machine: Machine, seed: int, choose: Chooser, most: int, *, watched: bool = True
) -> tuple[Playthrough, State | None]:
    """The game, and its result if nothing is wrong."""
    choices: list[int] = []
    played = Playthrough(machine.layout.players, seed)
    work = 0
    try:
        state = start(machine, seed, watched=watched)
        work += MOST_WORK - state.left
        held = Held()
        test(machine, state, held)
        while isinstance(state.pending, Decision) and len(choices) <= most and work <= MOST_PLAYED:
            number = choose(len(choices), len(state.pending.options))
            choices.append(number)
            apply(machine, state, number)
            work += MOST_WORK - state.left
            test(machine, state, held)
    except RuleFault as fault:
        work += MOST_WORK if isinstance(fault, LimitReached) else 0
        return evolve(played, choices=tuple(choices), fault=fault, work=work), None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a bug of ours and needs its game
        return evolve(played, choices=tuple(choices), crash=error), None
    asked = state.pending.origin.span if isinstance(state.pending, Decision) else None
    over = state.phase == OVER
    return evolve(played, choices=tuple(choices), over=over, asked=asked, work=work), state


def play_whole(
    machine: Machine, seed: int, choose: Chooser, longest: int = MOST_CHOICES
) -> Playthrough:
    """Play to the end, or until it is cut off; a game that cannot end is a fault."""
    played, state = _play(machine, seed, choose, longest - 1)
    if played.asked is None or state is None or not cannot_end(machine, state):
        return played
    return evolve(played, fault=_endless(played.asked, len(played.choices)))


def is_endless(fault: RuleFault) -> bool:
    """Whether the fault is an endless game, and not an endless rule."""
    return fault.message.startswith(_ENDLESS)


def test(machine: Machine, state: State, held: Held | None) -> None:
    """Raise what is wrong with a state: an invariant, a ranking that fails, or pieces that got lost."""
    _count_pieces(machine, state)
    if state.phase == SETUP:
        return
    fault = broken_invariant(machine, state, held)
    if fault is not None:
        fault.rules = running(machine, state)
        raise fault
    if state.phase == OVER:
        rank(machine, state)


def _count_pieces(machine: Machine, state: State) -> None:
    """Check that every piece lies in one zone, the one recorded for it; only a bug of ours can break that."""
    pieces = [piece for zone in state.zones for piece in zone]
    if len(pieces) != len(machine.layout.pieces) or len(set(pieces)) != len(pieces):
        raise Crash("a piece got lost, or is in two places")
    for number, zone in enumerate(state.zones):
        if any(state.where[piece] != number for piece in zone):
            raise Crash("a piece is not where it should be")


def fault_key(fault: RuleFault) -> Place:
    """The identity of a fault: its code and its place."""
    return fault.code.number, fault.span.source.name, fault.span.start, fault.span.end


# ---- Ways to choose ------------------------------------------------------------------------------


def at_random(seed: int) -> Chooser:
    """Uniform choices, independent of the chance in the game although the seed is the same."""
    rng = chance.draw(seed & chance.MASK)[1]

    def choose(_choice: int, options: int) -> int:
        nonlocal rng
        rng, number = chance.below(rng, options)
        return number

    return choose


def following(numbers: Sequence[int]) -> Chooser:
    """The given choices, and after them always the first option."""

    def choose(choice: int, options: int) -> int:
        return numbers[choice] % options if choice < len(numbers) else 0

    return choose


def random_games(
    machine: Machine, seeds: Iterator[int] | range, longest: int = MOST_CHOICES
) -> Iterator[Playthrough]:
    """One game for each seed, cut off after so many choices."""
    for seed in seeds:
        yield play_whole(machine, seed, at_random(seed), longest)


def play_by_reference(
    machine: Machine, seed: int, first: int | None = None, most: int = MOST_CHOICES
) -> tuple[State, int]:
    """The end of the random game that the fast engine plays with this seed, and how many decisions were made.

    It is cut off after `most` of them.
    """
    state, luck, count = start(machine, seed, first), chance.luck_for(seed), 0
    while isinstance(state.pending, Decision) and count < most:
        luck, number = chance.try_luck(luck, len(state.pending.options))
        apply(machine, state, number)
        count += 1
    return state, count
