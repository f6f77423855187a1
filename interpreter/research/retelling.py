"""An imagined past -> the same past on a course of its own, and the numbers that lead to it.

Pieces that look alike are interchangeable: where the course lays another copy than the past did, the two copies swap
their parts in everything that follows.
"""

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from interpreter.errors import IllegalMove
from interpreter.event_log import holds_pieces
from interpreter.machine import Machine
from interpreter.options import ChanceNode, Decision, option_number
from interpreter.research.course import Course, new_course


def retell(
    engine: Machine, first: int, decided: Sequence[tuple[str, Any]]
) -> tuple[Course, list[int]]:
    """A course after all these decisions, with everybody's observations, and the numbers that lead to it."""
    course = new_course(engine, None, None, watched=True)
    told = _Telling(course)
    told.step(first)
    for _, value in decided:
        told.decide(value)
    return course, told.numbers


@define
class _Telling:
    course: Course
    numbers: list[int] = field(factory=list)
    instead: dict[int, int] = field(factory=dict)  # piece of the past -> piece of the course

    def step(self, number: int) -> None:
        self.course.step(number)
        self.numbers.append(number)

    def decide(self, value: Any) -> None:
        pending = self.course.state.pending
        if isinstance(pending, ChanceNode):
            if pending.pile is not None:
                self.shuffle(value)
            else:
                self.draw(pending, value)
        elif isinstance(pending, Decision):
            self.choose(pending, value)
        else:
            raise IllegalMove("the past has more decisions, but the game is over")

    # ---- Pieces ----------------------------------------------------------------------------------

    @property
    def faces(self) -> Sequence[int]:
        return self.course.engine.layout.faces

    def piece(self, piece: int) -> int:
        return self.instead.get(piece, piece)

    def swap(self, wanted: int, found: int) -> None:
        """A piece of the course takes the place of another one."""
        before = {self.piece(each): each for each in range(len(self.faces))}
        one, other = before[wanted], before[found]
        self.instead[one], self.instead[other] = found, wanted

    # ---- Decisions -------------------------------------------------------------------------------

    def shuffle(self, order: Sequence[int]) -> None:
        wanted = [self.piece(each) for each in order]
        left = sorted(wanted)
        for piece in wanted:
            if len({self.faces[each] for each in left}) <= 1:
                break
            first = next(each for each in left if self.faces[each] == self.faces[piece])
            self.step(first)
            left.remove(first)
        laid = self._laid(wanted)
        for piece, found in zip(order, laid, strict=True):
            self.instead[piece] = found

    def _laid(self, wanted: Sequence[int]) -> list[int]:
        """The same faces in the same order, with the copies of each face in ascending order."""
        supply: dict[int, list[int]] = {}
        for piece in sorted(wanted, reverse=True):
            supply.setdefault(self.faces[piece], []).append(piece)
        return [supply[self.faces[piece]].pop() for piece in wanted]

    def draw(self, node: ChanceNode, value: Any) -> None:
        outcomes = [each for each, _ in node.outcomes()]
        if node.of is None or not holds_pieces(node.of) or not isinstance(value, int):
            self.step(outcomes.index(value))
            return
        wanted = self.piece(value)
        found = wanted
        if wanted not in outcomes:
            found = next(each for each in outcomes if self.faces[each] == self.faces[wanted])
            self.swap(wanted, found)
        self.step(outcomes.index(found))

    def choose(self, decision: Decision, value: Any) -> None:
        if value is None or not holds_pieces(decision.of):
            wanted = value
        elif isinstance(value, tuple):
            wanted = tuple(map(self.piece, value))
        else:
            wanted = self.piece(value)
        number = option_number(decision.options, wanted)
        if number is None:
            raise IllegalMove(f"{value!r} is no option")
        if wanted is not None and holds_pieces(decision.of):
            self._follow(wanted, decision.options[number])
        self.step(number)

    def _follow(self, wanted: Any, found: Any) -> None:
        """Match the pieces of an option, which may be other copies."""
        one = set(wanted if isinstance(wanted, tuple) else (wanted,))
        other = set(found if isinstance(found, tuple) else (found,))
        spare = sorted(other - one)
        for piece in sorted(one - other):
            twin = next(each for each in spare if self.faces[each] == self.faces[piece])
            spare.remove(twin)
            self.swap(piece, twin)
