"""A state as JSON and as bytes, and back.

Implements docs/language/13-semantics.md, "Stored states". Both forms carry their version and the fingerprint of
the program, the players and the options, and refuse what does not fit. A stored state needs no pending
decision: taking the last step again computes the same.
"""

import hashlib
import json
from typing import Any

from interpreter.chance import MASK
from interpreter.layout import Layout
from interpreter.machine import Machine, first_node, run
from interpreter.state import OVER, PHASES, UNDRAWN, State
from rulespec.checking.values import (
    Bool,
    Choice,
    Maybe,
    Number,
    Piece,
    Seat,
    Several,
    Type,
)
from rulespec.lowering.programs import canonical_text

VERSION = 1
MAGIC = b"RSst"


class Unfit(ValueError):  # noqa: N818 - it is the stored text that is wrong
    """What is stored does not fit this program, or is no state at all."""


def fingerprint(machine: Machine) -> str:
    """A name for a program at a table: the same code, as many players, the same options."""
    layout = machine.layout
    if layout.fingerprint is None:
        text = canonical_text((layout.code, layout.players, sorted(layout.options.items())))
        layout.fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
    return layout.fingerprint


# [stored.json]
def to_json(machine: Machine, s: State) -> str:
    """A state as text: an object whose zones and variables go by name."""
    layout = machine.layout
    data = {
        "rulespec": VERSION,
        "program": fingerprint(machine),
        "phase": PHASES[s.phase],
        "first": s.first,
        "zones": {
            _name(zone.row.name, zone.indices): list(s.zones[n])
            for n, zone in enumerate(layout.zones)
        },
        "variables": {
            _name(row.name, indices): s.variables[n]
            for n, (row, indices) in enumerate(layout.variables)
        },
        "stack": [[machine.blocks[frame[0]].name, *frame[1:]] for frame in s.stack],
        "rng": None if s.rng is None else f"{s.rng:016x}",
    }
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _name(name: str, indices: tuple[Any, ...]) -> str:
    return name + "".join(f"[{int(index)}]" for index in indices)


def from_json(machine: Machine, text: str) -> State:
    """A state from text, run on to its decision."""
    try:
        data = json.loads(text)
        if data["rulespec"] != VERSION:
            raise Unfit(f"this is version {data['rulespec']}, and version {VERSION} is understood")
        if data["program"] != fingerprint(machine):
            raise Unfit("this state belongs to other rules, options or players")
        layout = machine.layout
        numbers = {block.name: n for n, block in enumerate(machine.blocks)}
        return _restore(
            machine,
            PHASES.index(data["phase"]),
            data["first"],
            [_tuple(data["zones"][_name(zone.row.name, zone.indices)]) for zone in layout.zones],
            [_tuple(data["variables"][_name(row.name, at)]) for row, at in layout.variables],
            [[numbers[frame[0]], *map(_tuple, frame[1:])] for frame in data["stack"]],
            None if data["rng"] is None else int(data["rng"], 16),
        )
    except (KeyError, TypeError, ValueError, IndexError, RecursionError) as error:
        if isinstance(error, Unfit):
            raise
        raise Unfit(f"this is no stored state: {error}") from error


def _tuple(value: Any) -> Any:
    return tuple(_tuple(each) for each in value) if isinstance(value, list) else value


def _restore(  # noqa: PLR0913, PLR0917 - the parts of a state
    machine: Machine,
    phase: int,
    first: int,
    zones: list[tuple[int, ...]],
    variables: list[Any],
    stack: list[list[Any]],
    rng: int | None,
) -> State:
    """Put a state together, and compute what it waits for."""
    pieces = len(machine.layout.pieces)
    if sorted(piece for zone in zones for piece in zone) != list(range(pieces)):
        raise Unfit("every piece lies in exactly one zone, and here it does not")
    s = State()
    s.phase, s.first, s.rng = phase, first, rng
    s.zones, s.variables, s.stack = zones, variables, stack
    s.where = [0] * pieces
    for number, zone in enumerate(zones):
        for piece in zone:
            s.where[piece] = number
    s.pending, s.watch = None, None
    _test(machine, s)
    if s.first == UNDRAWN:
        s.pending = first_node(machine)
    elif s.phase != OVER:
        run(machine, s)
    return s


def _test(machine: Machine, s: State) -> None:
    """Refuse a state that no game could be in, as far as that shows."""
    layout = machine.layout
    if s.first != UNDRAWN and s.first not in range(layout.players):
        raise Unfit(f"there is no seat {s.first}")
    if s.rng is not None and not 0 <= s.rng <= MASK:
        raise Unfit("the generator is a number of 64 bits")
    if (s.phase == OVER or s.first == UNDRAWN) and s.stack:
        raise Unfit("a game that is over, or has not begun, has nothing to do")
    for (row, indices), value in zip(layout.variables, s.variables, strict=True):
        if not fits(layout, value, row.type):
            raise Unfit(f"`{_name(row.name, indices)}` cannot be {value!r}")
    for frame in s.stack:
        block = machine.blocks[frame[0]]
        if not 0 <= frame[1] < len(block.code) or len(frame) != len(block.slots) + 2:
            raise Unfit(f"a frame does not fit `{block.name}`")
        for (name, type_), value in zip(block.slots, frame[2:], strict=True):
            if type_ is not None and value is not None and not fits(layout, value, type_):
                raise Unfit(f"`{name}` of `{block.name}` cannot be {value!r}")


def fits(layout: Layout, value: Any, type_: Type) -> bool:
    """Whether a value may be of a type; what has no simple type is taken as it is."""
    match type_:
        case Maybe(of):
            return value is None or fits(layout, value, of)
        case Several(of):
            return isinstance(value, tuple) and all(fits(layout, each, of) for each in value)
        case Bool():
            return isinstance(value, bool)
        case Number(low, high):
            return type(value) is int and low <= value <= high
        case Seat():
            return type(value) is int and 0 <= value < layout.players
        case Choice(_, domain):
            members = layout.code.members
            known = type(value) is int and 0 <= value < len(members)
            return known and members[value].name in domain
        case Piece(kinds):
            known = type(value) is int and 0 <= value < len(layout.pieces)
            return known and layout.pieces[value].kind in kinds
        case _:
            return True


# ---- Bytes ---------------------------------------------------------------------------------------
# A value is one byte that says what it is, and its content: small numbers are their own byte.

_NONE, _NO, _YES, _TUPLE, _PLUS, _MINUS, _SMALL = range(7)


# [stored.bytes]
def to_bytes(machine: Machine, s: State) -> bytes:
    """A state in few bytes."""
    out = bytearray(MAGIC)
    out.append(VERSION)
    out += bytes.fromhex(fingerprint(machine))
    value = (
        s.phase,
        s.first,
        s.rng,
        tuple(s.zones),
        tuple(s.variables),
        tuple(map(tuple, s.stack)),
    )
    _write(out, value)
    return bytes(out)


def _write(out: bytearray, value: Any) -> None:
    if value is None:
        out.append(_NONE)
    elif value is False:
        out.append(_NO)
    elif value is True:
        out.append(_YES)
    elif isinstance(value, tuple):
        out.append(_TUPLE)
        _number(out, len(value))
        for each in value:
            _write(out, each)
    elif 0 <= value < 256 - _SMALL:
        out.append(_SMALL + value)
    else:
        out.append(_PLUS if value >= 0 else _MINUS)
        _number(out, abs(value))


def _number(out: bytearray, value: int) -> None:
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def from_bytes(machine: Machine, data: bytes) -> State:
    """A state from bytes, run on to its decision."""
    if data[:4] != MAGIC or len(data) < 14:
        raise Unfit("this is no stored state")
    if data[4] != VERSION:
        raise Unfit(f"this is version {data[4]}, and version {VERSION} is understood")
    if data[5:13].hex() != fingerprint(machine):
        raise Unfit("this state belongs to other rules, options or players")
    try:
        value, end = _read(data, 13)
        if end != len(data):
            raise Unfit("there is more than a state")
        phase, first, rng, zones, variables, stack = value
        return _restore(
            machine, phase, first, list(zones), list(variables), [list(each) for each in stack], rng
        )
    except (IndexError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, Unfit):
            raise
        raise Unfit(f"this is no stored state: {error}") from error


def _read(data: bytes, at: int) -> tuple[Any, int]:
    tag = data[at]
    at += 1
    if tag >= _SMALL:
        return tag - _SMALL, at
    if tag in (_NONE, _NO, _YES):
        return {_NONE: None, _NO: False, _YES: True}[tag], at
    number, at = _read_number(data, at)
    if tag != _TUPLE:
        return (number if tag == _PLUS else -number), at
    values = []
    for _ in range(number):
        value, at = _read(data, at)
        values.append(value)
    return tuple(values), at


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, at
