"""A state -> which pieces may change places in it, though a player would not notice."""

import random

from interpreter.exchanges import (
    Exchange,
    exchange_in_frame,
    exchange_in_value,
    hidden_from,
    slots_of,
)
from interpreter.machine import Machine
from interpreter.state import State


def draw_exchange(
    engine: Machine, s: State, p: int, chance: random.Random, *, all_of_them: bool = True
) -> Exchange:
    """Which piece takes the place of which; every zone still holds only what it may.

    Of the pieces to which a rule that runs refers, only one of the same kind can take the place; or they
    are left out, as the rule has decided by their faces what to do next.
    """
    bound = mentioned(engine, s)
    hidden = [c for c in hidden_from(engine, s, p) if all_of_them or c not in bound]
    layout = engine.layout
    lies = {c: c for c in hidden}  # of each place, named by its first piece, the piece there now
    for _ in range(2 * len(hidden)):
        one, other = chance.choice(hidden), chance.choice(hidden)
        here, there = lies[one], lies[other]
        alike = layout.pieces[here].kind == layout.pieces[there].kind
        fits = all(
            layout.holds[s.where[place]] is None or c in layout.holds[s.where[place]]
            for place, c in ((one, there), (other, here))
        )
        if alike or (fits and not {one, other} & bound):
            lies[one], lies[other] = there, here
    return {place: c for place, c in lies.items() if place != c}


class _Mentioned(dict[int, int]):
    """An exchange that changes nothing and keeps in mind which pieces it was asked for."""

    def get(self, piece: int, default: int) -> int:  # type: ignore[override]
        self[piece] = piece
        return default


def mentioned(engine: Machine, s: State) -> set[int]:
    """The pieces to which a variable or a frame refers."""
    found = _Mentioned()
    for n, (row, _) in enumerate(engine.layout.variables):
        exchange_in_value(s.variables[n], row.type, found)
    for frame in s.stack:
        for slot, type_ in slots_of(engine, frame):
            exchange_in_value(frame[slot], type_, found)
        exchange_in_frame(engine, frame[:], frame, found)
    return set(found)
