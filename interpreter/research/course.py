"""A number for each decision of a player or of chance -> the next node of a game on the reference, step by step.

Chance decides a shuffle piece by piece, from the top, because a shuffle has far too many orders to number them. So a
chance outcome is the seat that begins, the number of a value, or the first of the pieces that look like the next one.
"""

from collections.abc import Sequence

from attrs import define, evolve

from interpreter import machine
from interpreter.errors import IllegalMove
from interpreter.machine import Machine
from interpreter.options import ChanceNode, Decision
from interpreter.state import State

MOST_OUTCOMES = 4096  # outcomes of one chance node, shuffles excepted


@define(eq=False)
class Course:
    """A state of the reference, and the part of a shuffle that is decided so far."""

    engine: Machine
    state: State
    laid: tuple[int, ...] = ()  # the pieces on top of a pile that is being shuffled

    @property
    def chance(self) -> ChanceNode | None:
        """The chance node at this point, if chance decides next."""
        pending = self.state.pending
        return pending if isinstance(pending, ChanceNode) else None

    @property
    def decision(self) -> Decision | None:
        """The decision at this point, if a player decides next."""
        pending = self.state.pending
        return pending if isinstance(pending, Decision) else None

    def clone(self) -> "Course":
        return evolve(self, state=self.state.clone())

    def outcomes(self) -> list[tuple[int, float]]:
        """The possible outcomes of the chance node, with their probabilities."""
        node = self.chance
        if node is None:
            raise IllegalMove("chance has nothing to decide")
        if node.pile is None:
            if node.count > MOST_OUTCOMES:
                raise IllegalMove(f"chance has {node.count:,} outcomes here, too many to list")
            return [(n, weight / node.total) for n, (_, weight) in enumerate(node.outcomes())]
        left = self._left(node.pile)
        found: dict[int, int] = {}
        first: dict[int, int] = {}
        faces = self.engine.layout.faces
        for piece in left:
            first.setdefault(faces[piece], piece)
            found[first[faces[piece]]] = found.get(first[faces[piece]], 0) + 1
        return [(piece, weight / len(left)) for piece, weight in found.items()]

    def _left(self, pile: Sequence[int]) -> list[int]:
        return sorted(set(pile) - {*self.laid})

    def decide(self, number: int) -> None:
        """Apply an outcome of chance."""
        node = self.chance
        if node is None:
            raise IllegalMove("chance has nothing to decide")
        if node.pile is None:
            values = [value for value, _ in node.outcomes()]
            if not 0 <= number < len(values):
                raise IllegalMove(
                    f"chance has no outcome {number}: they are 0 to {len(values) - 1}"
                )
            machine.decide_chance(self.engine, self.state, values[number])
            return
        if number not in dict(self.outcomes()):
            raise IllegalMove(f"chance cannot put piece {number} next here")
        self.laid += (number,)
        left = self._left(node.pile)
        faces = self.engine.layout.faces
        if len({faces[piece] for piece in left}) <= 1:
            order, self.laid = (*self.laid, *left), ()
            machine.decide_chance(self.engine, self.state, order)

    def choose(self, number: int) -> None:
        """Apply the option that a player chooses."""
        machine.apply(self.engine, self.state, number)

    def step(self, number: int) -> None:
        """Apply a decision, whether chance or a player makes it."""
        if self.chance is not None:
            self.decide(number)
        else:
            self.choose(number)


def new_course(engine: Machine, seed: int | None, first: int | None, *, watched: bool) -> Course:
    """A new game; without a seed, the caller decides for chance."""
    return Course(engine, machine.start(engine, seed, first, watched=watched))


def drawn_outcome(outcomes: Sequence[tuple[int, float]], share: float) -> int:
    """The outcome at which the cumulative probability reaches `share`, from 0 to 1."""
    for outcome, odds in outcomes:
        share -= odds
        if share < 0:
            return outcome
    return outcomes[-1][0]
