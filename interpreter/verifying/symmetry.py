"""A state -> a key that is equal for states that differ only in interchangeable copies.

Copies that look alike have numbers, but which of them lies where makes no difference. So the key renumbers them in the
order in which they lie. Where a variable may hold pieces and this module cannot tell, the key is the state itself.
"""

from typing import Any

from interpreter.event_log import holds_pieces
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.research.course import Course
from interpreter.state import BLOCK, SLOTS
from rulespec.core.types import Bool, Choice, Number, Place, Seat, Several, Type, present

Key = tuple[Any, ...]


class Symmetry:
    """Computes the keys of the states of one machine."""

    def __init__(self, engine: Machine) -> None:
        self.engine = engine
        faces = engine.layout.faces
        self.has_copies = len(set(faces)) < len(faces)
        copies: dict[int, list[int]] = {}
        for piece, face in enumerate(faces):
            copies.setdefault(face, []).append(piece)
        self.copies = copies
        self.variables = [_role(row.type) for row, _ in engine.layout.variables]
        self.slots = [[_role(type_) for _, type_ in block.slots] for block in engine.blocks]

    def key(self, course: Course) -> Key:
        """The key of a state; two states have equal keys only if they differ in nothing but copies."""
        state = course.state
        raw = (*state.value(), course.laid)
        if not self.has_copies:
            return raw
        for frame in state.stack:
            for role, value in zip(self.slots[frame[BLOCK]], frame[SLOTS:], strict=False):
                if role == "unknown" and value is not None:
                    return ("raw", raw)
        if any(
            role == "unknown" and value is not None
            for role, value in zip(self.variables, state.variables, strict=True)
        ):
            return ("raw", raw)
        return self._renumbered(course)

    def _renumbered(self, course: Course) -> Key:
        state, layout = course.state, self.engine.layout
        number = _numbers(layout, self.copies, state.zones)
        zones = tuple(
            tuple(
                sorted(number[c] for c in zone) if layout.is_pool[n] else (number[c] for c in zone)
            )
            for n, zone in enumerate(state.zones)
        )
        variables = tuple(
            _put(value, number) if role == "pieces" else value
            for role, value in zip(self.variables, state.variables, strict=True)
        )
        stack = tuple(
            (
                *frame[:SLOTS],
                *(
                    _put(value, number) if role == "pieces" else value
                    for role, value in zip(self.slots[frame[BLOCK]], frame[SLOTS:], strict=False)
                ),
            )
            for frame in state.stack
        )
        laid = tuple(number[c] for c in course.laid)
        return state.phase, state.first, zones, variables, stack, state.rng, laid


def _numbers(
    layout: Layout, copies: dict[int, list[int]], zones: list[tuple[int, ...]]
) -> list[int]:
    """The new number of every piece: the copies of a face in the order in which they lie."""
    supply = {face: iter(pieces) for face, pieces in copies.items()}
    number = [0] * len(layout.faces)
    for zone in zones:
        for piece in zone:
            number[piece] = next(supply[layout.faces[piece]])
    return number


def _role(of: Type | None) -> str:
    """Whether the values of a type are pieces, are not pieces, or may be either."""
    if of is None:
        return "unknown"
    inner = present(of)
    while isinstance(inner, Several):
        inner = present(inner.of)
    if holds_pieces(of):
        return "pieces"
    return "plain" if isinstance(inner, Bool | Number | Choice | Seat | Place) else "unknown"


def _put(value: Any, number: list[int]) -> Any:
    if isinstance(value, tuple):
        found = tuple(_put(each, number) for each in value)
        return tuple(sorted(found)) if all(isinstance(each, int) for each in found) else found
    return None if value is None else number[value]
