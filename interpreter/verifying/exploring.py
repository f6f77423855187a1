"""A table -> all states that a game can reach, up to copies that look alike, and what goes wrong in any of them.

The search is breadth-first, so the first path to a fault is a shortest one. A fault is a rule that cannot go on, an
`always` that does not hold, a state from which no game can end, or a cycle, in which a game can go on for ever.
"""

from collections import deque
from collections.abc import Iterator
from typing import Literal

from attrs import define, field, frozen

from interpreter import machine
from interpreter.errors import RuleFault
from interpreter.machine import Machine
from interpreter.research.course import Course, new_course
from interpreter.state import SETUP
from interpreter.verifying.symmetry import Key, Symmetry

What = Literal["fault", "always", "stuck", "circle"]


class TooManyStates(Exception):  # noqa: N818 - a limit, not an error of the rules
    """The game has more states than the limit allows."""

    def __init__(self, states: int) -> None:
        super().__init__(f"there are more than {states:,} states")
        self.states = states


@frozen(eq=False)
class FoundFault:
    """A fault, and the path to it: the decisions of players and chance in order."""

    what: What
    first: int
    way: tuple[int, ...]
    fault: RuleFault | None = None
    states: int = 1  # how many states have it


@define(eq=False)
class Explored:
    """All states, by number: the successors of each, and the state from which the search first reached it."""

    states: int = 0
    ends: int = 0
    decisions: int = 0
    steps: list[list[int]] = field(factory=list)
    before: list[tuple[int, int]] = field(
        factory=list
    )  # for each state, its predecessor and the decision
    over: list[bool] = field(factory=list)
    asked: list[bool] = field(factory=list)  # whether a player decides there
    starts: list[int] = field(factory=list)
    found: list[FoundFault] = field(factory=list)
    longest: int | None = None  # the most decisions in a game, if no game can go on for ever

    def way_to(self, number: int) -> tuple[int, ...]:
        """The decisions that lead to a state."""
        found: list[int] = []
        while self.before[number][0] >= 0:
            number, decided = self.before[number]
            found.append(decided)
        return tuple(reversed(found))

    def first_of(self, number: int) -> int:
        """The first player on the path to a state."""
        while self.before[number][0] >= 0:
            number = self.before[number][0]
        return self.before[number][1]


def decisions_of(course: Course) -> Iterator[int]:
    """The numbers of all possible decisions at this point."""
    if course.chance is not None:
        yield from (each for each, _ in course.outcomes())
    elif course.decision is not None:
        yield from range(len(course.decision.options))


def explore(engine: Machine, most: int) -> Explored:
    """Explore all states; give up beyond `most`."""
    explored, symmetry = Explored(), Symmetry(engine)
    numbers: dict[Key, int] = {}
    waiting: deque[tuple[int, Course]] = deque()

    def reach(course: Course, before: int, decided: int) -> int:
        key = symmetry.key(course)
        if key in numbers:
            return numbers[key]
        number = numbers[key] = explored.states
        if number >= most:
            raise TooManyStates(most)
        explored.states += 1
        explored.steps.append([])
        explored.before.append((before, decided))
        explored.over.append(course.state.pending is None)
        explored.asked.append(course.decision is not None)
        explored.ends += course.state.pending is None
        explored.decisions += course.decision is not None
        _hold(engine, explored, course, number)
        waiting.append((number, course))
        return number

    for first in range(engine.layout.players):
        try:
            explored.starts.append(reach(new_course(engine, None, first, watched=False), -1, first))
        except RuleFault as fault:
            explored.found.append(FoundFault("fault", first, (), fault))
    while waiting:
        number, course = waiting.popleft()
        for decided in decisions_of(course):
            new = course.clone()
            try:
                new.step(decided)
            except RuleFault as fault:
                way = (*explored.way_to(number), decided)
                _note(explored, FoundFault("fault", explored.first_of(number), way, fault))
                continue
            explored.steps[number].append(reach(new, number, decided))
    _look_for_ends(explored)
    return explored


def _hold(engine: Machine, explored: Explored, course: Course, number: int) -> None:
    if course.state.phase == SETUP or course.chance is not None:
        return
    fault = machine.broken_invariant(engine, course.state)
    if fault is not None:
        fault.rules = machine.running(engine, course.state)
        way = explored.way_to(number)
        _note(explored, FoundFault("always", explored.first_of(number), way, fault))


def _note(explored: Explored, found: FoundFault) -> None:
    """Record a fault; of equal faults, keep the first, which has the shortest path."""
    fault = found.fault
    for each in explored.found:
        if each.fault is not None and fault is not None:
            one, other = each.fault, fault
            if (one.code, one.span, one.message) == (other.code, other.span, other.message):
                return
    explored.found.append(found)


# ---- Ends ------------------------------------------------------------------------------------------


def _look_for_ends(explored: Explored) -> None:
    """Check that every game can end, and that every game does end."""
    if any(each.what == "fault" for each in explored.found):
        return  # a rule failed, so the successors are incomplete
    ending = _backwards(explored)
    stuck = [n for n in range(explored.states) if not ending[n]]
    if stuck:
        found = min(stuck, key=lambda n: (not explored.asked[n], n))
        way = explored.way_to(found)
        explored.found.append(FoundFault("stuck", explored.first_of(found), way, None, len(stuck)))
        return
    order, left = _in_order(explored)
    if left:
        found = min(left, key=lambda n: (not explored.asked[n], n))
        way = explored.way_to(found)
        explored.found.append(FoundFault("circle", explored.first_of(found), way, None, len(left)))
        return
    length = [0] * explored.states
    for number in reversed(order):
        length[number] = max((1 + length[each] for each in explored.steps[number]), default=0)
    explored.longest = max((length[n] for n in explored.starts), default=0)


def _backwards(explored: Explored) -> list[bool]:
    """For each state, whether it can reach an end of the game."""
    reached = explored.over[:]
    into: list[list[int]] = [[] for _ in reached]
    for number, steps in enumerate(explored.steps):
        for each in steps:
            into[each].append(number)
    waiting = [n for n, over in enumerate(reached) if over]
    while waiting:
        for each in into[waiting.pop()]:
            if not reached[each]:
                reached[each] = True
                waiting.append(each)
    return reached


def _in_order(explored: Explored) -> tuple[list[int], list[int]]:
    """A topological order of the states; and the states in cycles, or between cycles, that have none.

    The second list keeps only states with a successor in that list.
    """
    into = [0] * explored.states
    for steps in explored.steps:
        for each in steps:
            into[each] += 1
    waiting = [n for n, count in enumerate(into) if not count]
    order: list[int] = []
    while waiting:
        number = waiting.pop()
        order.append(number)
        for each in explored.steps[number]:
            into[each] -= 1
            if not into[each]:
                waiting.append(each)
    left = {n for n, count in enumerate(into) if count}
    while True:
        ends = {n for n in left if not left.intersection(explored.steps[n])}
        if not ends:
            return order, sorted(left)
        left -= ends
