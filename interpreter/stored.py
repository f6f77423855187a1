"""A state -> JSON or bytes, and back, so that a game can be stored between any two steps.

Implements docs/language/13-semantics.md, "Stored states". Both forms carry their version and the fingerprint of
the program, the players and the options, and reading refuses a state that does not fit. A stored state needs no pending
decision: taking the last step again computes the same.
"""

import hashlib
import json
from typing import Any

from interpreter.errors import Crash, RuleFault
from interpreter.fitness import Unfit, check_state, stored_name
from interpreter.machine import Machine, first_node, run
from interpreter.state import OVER, PHASES, UNDRAWN, State
from rulespec import limits
from rulespec.core.fingerprints import canonical_text

__all__ = ["Unfit", "from_bytes", "from_json", "table_fingerprint", "to_bytes", "to_json"]

VERSION = 1
MAGIC = b"RSst"
LONGEST_NUMBER = 20  # characters: all numbers of a state have 64 bits at most
DEEPEST = 12  # sequences in sequences: a set of pairs in a slot of a frame of the stack has six


def table_fingerprint(machine: Machine) -> str:
    """A fingerprint that is equal for the same code, number of players and options."""
    layout = machine.layout
    if layout.fingerprint is None:
        text = canonical_text((layout.code, layout.players, sorted(layout.options.items())))
        layout.fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
    return layout.fingerprint


# [stored.json]
def to_json(machine: Machine, s: State) -> str:
    """A state as JSON: an object with zones and variables by name."""
    layout = machine.layout
    data = {
        "rulespec": VERSION,
        "program": table_fingerprint(machine),
        "phase": PHASES[s.phase],
        "first": s.first,
        "zones": {
            stored_name(zone.row.name, zone.indices): list(s.zones[n])
            for n, zone in enumerate(layout.zones)
        },
        "variables": {
            stored_name(row.name, indices): s.variables[n]
            for n, (row, indices) in enumerate(layout.variables)
        },
        "stack": [[machine.blocks[frame[0]].name, *frame[1:]] for frame in s.stack],
        "rng": None if s.rng is None else f"{s.rng:016x}",
    }
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def from_json(machine: Machine, text: str) -> State:
    """A state from text, run on to its decision."""
    if len(text) > limits.LARGEST_STATE:
        raise Unfit("this is too long for a stored state")
    try:
        data = json.loads(text, parse_int=_whole, parse_float=_no_number, parse_constant=_no_number)
        if data["rulespec"] != VERSION:
            raise Unfit(
                f"this is not a state of version {VERSION}, the only one that is understood"
            )
        if data["program"] != table_fingerprint(machine):
            raise Unfit("this state belongs to other rules, options or players")
        layout = machine.layout
        numbers = {block.name: n for n, block in enumerate(machine.blocks)}
        return _restore(
            machine,
            PHASES.index(data["phase"]),
            data["first"],
            _in_order(
                data["zones"], [stored_name(zone.row.name, zone.indices) for zone in layout.zones]
            ),
            _in_order(
                data["variables"], [stored_name(row.name, at) for row, at in layout.variables]
            ),
            [[numbers[frame[0]], *map(_tuple, frame[1:])] for frame in data["stack"]],
            None if data["rng"] is None else int(data["rng"][:LONGEST_NUMBER], 16),
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        if isinstance(error, Unfit):
            raise
        raise Unfit("this is not a stored state") from error


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise Unfit("a number is too large for a stored state")
    return int(digits)


def _no_number(digits: str) -> int:
    raise Unfit(f"`{digits[:LONGEST_NUMBER]}` is not a number of a stored state")


def _in_order(values: dict[str, Any], names: list[str]) -> list[Any]:
    """The values of exactly these names."""
    if values.keys() != set(names):
        raise Unfit("the zones or variables are not those of these rules")
    return [_tuple(values[name]) for name in names]


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
    s = State()
    s.phase, s.first, s.rng = phase, first, rng
    s.zones, s.variables, s.stack = zones, variables, stack
    check_state(machine, s)
    s.where = [0] * len(machine.layout.pieces)
    for number, zone in enumerate(zones):
        for piece in zone:
            s.where[piece] = number
    s.pending, s.watch = None, None
    if s.first == UNDRAWN:
        s.pending = first_node(machine)
    elif s.phase != OVER:
        try:
            run(machine, s)
        except (RuleFault, Crash) as error:
            # When the state was stored, the rules led from here to a question.
            raise Unfit("the rules cannot go on from this state, so it was changed") from error
    return s


# ---- Bytes ---------------------------------------------------------------------------------------
# A value is a tag byte and its content; a small number is a single byte.

_NONE, _NO, _YES, _TUPLE, _PLUS, _MINUS, _SMALL = range(7)


# [stored.bytes]
def to_bytes(machine: Machine, s: State) -> bytes:
    """A state in few bytes."""
    out = bytearray(MAGIC)
    out.append(VERSION)
    out += bytes.fromhex(table_fingerprint(machine))
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
    if data[:4] != MAGIC or not 14 <= len(data) <= limits.LARGEST_STATE:
        raise Unfit("this is not a stored state")
    if data[4] != VERSION:
        raise Unfit(f"this is version {data[4]}, but only version {VERSION} is understood")
    if data[5:13].hex() != table_fingerprint(machine):
        raise Unfit("this state belongs to other rules, options or players")
    try:
        value, end = _read(data, 13)
        if end != len(data):
            raise Unfit("there is something after the state")
        phase, first, rng, zones, variables, stack = value
        layout = machine.layout
        frames = [list(each) for each in stack]
        if len(zones) != len(layout.zones) or len(variables) != len(layout.variables):
            raise Unfit("the zones or variables are not those of these rules")
        if not all(type(each[0]) is int and 0 <= each[0] < len(machine.blocks) for each in frames):
            raise Unfit("a frame belongs to no block")
        return _restore(machine, phase, first, list(zones), list(variables), frames, rng)
    except (IndexError, TypeError, ValueError) as error:
        if isinstance(error, Unfit):
            raise
        raise Unfit("this is not a stored state") from error


def _read(data: bytes, at: int, depth: int = 0) -> tuple[Any, int]:
    if depth > DEEPEST:
        raise Unfit("this is nested too deep for a stored state")
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
        value, at = _read(data, at, depth + 1)
        values.append(value)
    return tuple(values), at


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if shift > 70:
            raise Unfit("a number is too large for a stored state")
        if byte < 128:
            return number, at
