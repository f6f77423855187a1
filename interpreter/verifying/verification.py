"""A game and a number of players -> a report: what is proven of all games, what goes wrong in one, and how to play best.

It explores all states, then compares all histories, and solves two-player zero-sum games.
"""

import time
from collections.abc import Sequence

from attrs import define, field, frozen

from interpreter import machine, transcript
from interpreter.errors import RuleFault
from interpreter.labels import label, piece_label, seat_name
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.research.course import Course, new_course
from interpreter.research.game_tables import find_table
from interpreter.state import State
from interpreter.verifying.equilibrium import Equilibrium, solve
from interpreter.verifying.exploring import Explored, FoundFault, TooManyStates, explore
from interpreter.verifying.game_trees import Difference, grow_tree
from interpreter.verifying.symmetry import Symmetry

STATES = 200_000  # at most
ENOUGH = 1e-6  # an exploitability that is good enough
ROUNDS = 5_000
SEEDS = 50_000  # seeds to try for a transcript
PATIENCE = 2.0  # seconds for the search through seeds


@frozen(eq=False)
class ShortestCounterexample:
    """A shortest game with a fault: as lines of text, and as a transcript if a seed deals such a game."""

    found: FoundFault | None
    difference: Difference | None
    lines: tuple[str, ...]
    others: tuple[str, ...] = ()  # the second game, if the fault takes two
    record: str | None = None


@frozen(eq=False)
class Solution:
    """How a game is best played if one player begins."""

    first: int
    equilibrium: Equilibrium
    sets: int  # the number of information sets


@define(eq=False)
class VerificationReport:
    """What was found about a game with a number of players."""

    players: int
    explored: Explored | None = None
    histories: int | None = None  # how many were compared, if not too many
    too_many: TooManyStates | None = None  # set if the limit was hit, so that nothing is proven
    is_zero_sum: bool = False
    wrong: list[ShortestCounterexample] = field(factory=list)
    solutions: list[Solution] = field(factory=list)


def verify(
    game: Game, players: int, most: int = STATES, rounds: int = ROUNDS
) -> VerificationReport:
    """Explore all states, then all histories, and solve the game if it is two-player and zero-sum."""
    report, engine = VerificationReport(players), game.machine(players)
    try:
        report.explored = explore(engine, most)
    except TooManyStates as error:
        report.too_many = error
        return report
    report.wrong = [_tell(game, players, found) for found in report.explored.found]
    if any(each.what in {"fault", "stuck", "circle"} for each in report.explored.found):
        return report  # a rule fails, so some histories have no end
    table = find_table(game, players)
    try:
        trees = [grow_tree(table, engine, first, most) for first in range(players)]
    except TooManyStates:
        return report
    report.histories = sum(tree.histories for tree in trees)
    differences = [tree.difference for tree in trees if tree.difference is not None]
    report.wrong += [_tell_pair(game, players, each) for each in differences[:1]]
    report.is_zero_sum = all(tree.is_zero_sum for tree in trees)
    if players == 2 and report.is_zero_sum and rounds:
        report.solutions = [
            Solution(tree.first, solve(tree, rounds, ENOUGH), len(tree.known)) for tree in trees
        ]
    return report


# ---- Counterexamples -------------------------------------------------------------------------------


def _tell(game: Game, players: int, found: FoundFault) -> ShortestCounterexample:
    lines, choices = _lines(game, players, found.first, found.way)
    return ShortestCounterexample(
        found, None, tuple(lines), record=_record(game, players, found, choices)
    )


def _tell_pair(game: Game, players: int, difference: Difference) -> ShortestCounterexample:
    one, other = (_lines(game, players, difference.first, way)[0] for way in difference.ways)
    return ShortestCounterexample(None, difference, tuple(one), tuple(other))


def _lines(game: Game, players: int, first: int, way: Sequence[int]) -> tuple[list[str], list[int]]:
    """All decisions in words; and the choices of the players alone, as numbers."""
    engine = game.machine(players)
    lines, choices = [f"{seat_name(None, first)} begins"], []
    course = new_course(engine, None, first, watched=False)
    laid: list[str] = []
    for number in way:
        decision = course.decision
        if decision is not None:
            text = decision.text(number)
            lines.append(f"{seat_name(None, decision.player)}: {decision.prompt} {text}")
            choices.append(number)
        elif course.chance is not None and course.chance.pile is not None:
            laid.append(piece_label(engine.layout, number))
        else:
            lines.append(f"chance: {_outcome(course, number)}")
        try:
            course.step(number)
        except RuleFault:
            break
        if laid and not course.laid:
            lines.append(f"a shuffle, from the top: {', '.join(laid)}, and the rest")
            laid = []
    if laid:
        lines.append(f"a shuffle, from the top: {', '.join(laid)}, and the rest")
    return lines, choices


def _outcome(course: Course, number: int) -> str:
    node = course.chance
    if node is None or node.of is None:
        return str(number)
    value = next(each for n, (each, _) in enumerate(node.outcomes()) if n == number)
    return label(course.engine.layout, value, node.of)


def _record(game: Game, players: int, found: FoundFault, choices: Sequence[int]) -> str | None:
    """A transcript of a game with the same fault, if a seed for it is found."""
    engine = game.machine(players)
    wanted = None
    if found.fault is None:
        wanted = _key(engine, _state_after(engine, found))
    begun = time.monotonic()
    for seed in range(SEEDS):
        if time.monotonic() - begun > PATIENCE:
            return None
        if _goes_wrong(engine, found, choices, seed, wanted):
            try:
                match = game.start(players, seed, found.first, always=True)
                for number in choices:
                    match.apply(number)
            except RuleFault as fault:
                return fault.record
            return transcript.write(match.transcript())
    return None


def _goes_wrong(
    engine: machine.Machine, found: FoundFault, choices: Sequence[int], seed: int, wanted: object
) -> bool:
    state = None
    try:
        state = machine.start(engine, seed, found.first)
        for number in choices:
            pending = state.pending
            if not isinstance(pending, Decision) or number >= len(pending.options):
                return False
            machine.apply(engine, state, number)
    except RuleFault as fault:
        return found.what == "fault" and _is_same(fault, found.fault)
    if found.what == "fault":
        return False
    if found.what == "always":
        return _is_same(machine.broken_invariant(engine, state), found.fault)
    return _key(engine, state) == wanted


def _is_same(one: RuleFault | None, other: RuleFault | None) -> bool:
    return (
        one is not None
        and other is not None
        and (one.code, one.span, one.message) == (other.code, other.span, other.message)
    )


def _state_after(engine: machine.Machine, found: FoundFault) -> State:
    course = new_course(engine, None, found.first, watched=False)
    for number in found.way:
        course.step(number)
    return course.state


def _key(engine: machine.Machine, state: State) -> object:
    """A state without its generator."""
    bare = state.clone()
    bare.rng = None
    return Symmetry(engine).key(Course(engine, bare))
