"""Observations that a player knows -> the same numbers that `interpreter.wasm.watching` computes from events.

One number stands for all that the player learns from an observation. Beside it stand the facts that help to find a past
that leads to it: who chose, and which faces were seen where.
"""

from collections.abc import Sequence
from functools import lru_cache
from struct import pack
from typing import Any, NamedTuple

from interpreter.actions import Action
from interpreter.chance import MASK
from interpreter.views import Observation, Question
from interpreter.wasm.memory import ACTION, NONE
from interpreter.wasm.watching import FACTOR, MOST_OFFERED, SOUNDS, sound_of_origin, sound_of_text

_STEP = 0x9E3779B97F4A7C15
NOWHERE = -2  # no face


class Sound(NamedTuple):
    """An observation as a number, with who chose what, and the faces that were seen in each zone."""

    number: int
    who: int
    value: int
    face: int
    place: int
    faces: tuple[int, ...]
    zones: tuple[int, ...]


def blend(h: int, value: int | None) -> int:
    """Combine a hash with another value."""
    return _mixed((h ^ ((NONE if value is None else value) & MASK)) + _STEP)


def _mixed(z: int) -> int:
    z &= MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def _signed(h: int) -> int:
    return h - (1 << 64) if h >> 63 else h


@lru_cache(maxsize=4096)
def sound_of_value(value: Any) -> int:
    """The hash of a value; the order within a set does not matter."""
    if value is None:
        return NONE
    if isinstance(value, Action):
        return ACTION + int(value.value)
    if not isinstance(value, tuple):
        return int(value)
    total = sum(blend(SOUNDS["MEMBER"], sound_of_value(each)) for each in value) & MASK
    return _signed(blend(blend(SOUNDS["SET"], len(value)), total))


def _chain(h: int, *values: int | None) -> int:
    for each in values:
        h = blend(h, each)
    return h


@lru_cache(maxsize=1 << 15)
def sound_of(observation: Observation) -> Sound:
    """An observation of a player's log."""
    kind, *data = observation
    match kind:
        case "move":
            source, left, zone, end, face = data
            where = {"top": 0, "bottom": -1}.get(end, end)
            h = SOUNDS["MOVE"] + source
            for each in (left, zone, where, face):
                h = h * FACTOR + (NONE if each is None else each)
            h = _mixed(h)
            place = NONE if left is None else left
            if face is None:
                return Sound(h, 0, NONE, NOWHERE, place, (), (source,))
            return Sound(h, 0, NONE, face, place, (face,), (source,))
        case "shuffle":
            zone, order = data
            return _plain(_chain(SOUNDS["SHUFFLE"], zone, *(order or ())))
        case "show":
            return _shown(*data)
        case "announce":
            name, value, players = data
            h = _chain(SOUNDS["ANNOUNCE"], sound_of_text(name), sound_of_value(value))
            return _plain(blend(h, sound_of_value(tuple(players))))
        case "tell" | "heading":
            parts = tuple(
                sound_of_text(x) if isinstance(x, str) else sound_of_value(x) for x in data
            )
            return _plain(_chain(SOUNDS["TELL"] + int(kind == "heading"), *parts))
        case "chose":
            player, statement, value = data
            where = None if statement is None else sound_of_origin(statement)
            sound = sound_of_value(value)
            every = value if isinstance(value, tuple) else (value,)
            faces = tuple(x for x in every if isinstance(x, int) and x >= 0)
            h = _chain(SOUNDS["CHOSE"], player, where, sound)
            return Sound(h, player + 1, sound, NOWHERE, NONE, faces, ())
        case "set":
            variable, value = data
            return _plain(_chain(SOUNDS["SET_TO"], variable, sound_of_value(value)))
        case "random":
            return _plain(_chain(SOUNDS["RANDOM"], sound_of_value(data[0])))
    raise AssertionError(kind)


def _plain(h: int) -> Sound:
    return Sound(h, 0, NONE, NOWHERE, NONE, (), ())


def _shown(shown: Sequence[Any], players: Sequence[int]) -> Sound:
    total = 0
    for zone, place, face in shown:
        total += _chain(SOUNDS["MEMBER"], zone, place, face)
    h = _chain(SOUNDS["SHOW"], _signed(total & MASK), sound_of_value(tuple(players)))
    seen = [(face, zone) for zone, _, face in shown if face is not None]
    faces, zones = tuple(face for face, _ in seen), tuple(zone for _, zone in seen)
    face = faces[0] if len(faces) == 1 else NOWHERE
    return Sound(h, 0, sound_of_value(tuple(faces)), face, NONE, faces, zones)


def sound_of_question(question: Question) -> tuple[int, int, int]:
    """A question as three numbers: its option count, the place that asks it, and a hash of what the options look like."""
    h = SOUNDS["SET"]
    for seen, _ in question.options[:MOST_OFFERED]:
        h = blend(h, sound_of_value(seen))
    return question.count, sound_of_origin(question.origin), _signed(h)


def pack_list(values: Sequence[int]) -> bytes:
    """A list in the format of a module."""
    return pack(f"<{1 + len(values)}i", len(values), *values)
