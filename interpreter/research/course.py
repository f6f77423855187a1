"""A game on the reference, step by step, with whatever is decided as a number: by players, and by chance.

A shuffle is decided piece by piece, from the top: its orders are far too many to be numbered. So an outcome of chance
is the seat that begins, the number of a value, or the first of the pieces that look like the next one.
"""

from collections.abc import Sequence

from attrs import define, evolve

from interpreter import machine
from interpreter.errors import IllegalMove
from interpreter.machine import Machine
from interpreter.options import ChanceNode, Decision
from interpreter.state import State

MOST_OUTCOMES = 4096  # of one decision of chance, but for shuffles


@define(eq=False)
class Course:
    """A state of the reference, and as much of a shuffle as is decided."""

    engine: Machine
    state: State
    laid: tuple[int, ...] = ()  # the pieces on top of a pile that is being shuffled

    @property
    def chance(self) -> ChanceNode | None:
        """What chance is to decide."""
        pending = self.state.pending
        return pending if isinstance(pending, ChanceNode) else None

    @property
    def decision(self) -> Decision | None:
        """What a player is to decide."""
        pending = self.state.pending
        return pending if isinstance(pending, Decision) else None

    def clone(self) -> "Course":
        return evolve(self, state=self.state.clone())

    def outcomes(self) -> list[tuple[int, float]]:
        """What chance may decide now, and how probable that is."""
        node = self.chance
        if node is None:
            raise IllegalMove("chance has nothing to decide")
        if node.pile is None:
            if node.count > MOST_OUTCOMES:
                raise IllegalMove(f"chance has {node.count:,} outcomes here, too many to be listed")
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
        """Go on with an outcome of chance."""
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
            raise IllegalMove(f"chance cannot lay piece {number} here")
        self.laid += (number,)
        left = self._left(node.pile)
        faces = self.engine.layout.faces
        if len({faces[piece] for piece in left}) <= 1:
            order, self.laid = (*self.laid, *left), ()
            machine.decide_chance(self.engine, self.state, order)

    def choose(self, number: int) -> None:
        """Go on with the option of a player."""
        machine.apply(self.engine, self.state, number)

    def step(self, number: int) -> None:
        """Go on with whatever is decided."""
        if self.chance is not None:
            self.decide(number)
        else:
            self.choose(number)


def new_course(engine: Machine, seed: int | None, first: int | None, *, watched: bool) -> Course:
    """A new game; without a seed chance is decided from outside."""
    return Course(engine, machine.start(engine, seed, first, watched=watched))


def drawn_outcome(outcomes: Sequence[tuple[int, float]], share: float) -> int:
    """The outcome of chance at a share of all probability, from 0 to 1."""
    for outcome, odds in outcomes:
        share -= odds
        if share < 0:
            return outcome
    return outcomes[-1][0]
