"""A state from outside -> nothing, or an exception that says why no game can be in this state.

Nothing in a restored state is trusted: every part must have its type and its range, every piece must lie where it may
lie, and every frame of the stack must have been started by the frame below it.
"""

from typing import Any, assert_never
from weakref import WeakKeyDictionary

from interpreter import flat
from interpreter.chance import MASK
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.state import AT, BLOCK, FINISH, OVER, PHASES, PLAY, SETUP, SLOTS, UNDRAWN, State
from rulespec.core import tree, types
from rulespec.core.types import Type

# phase -> its rule
RULES = {SETUP: "setup", PLAY: "play", FINISH: "finish"}


class Unfit(ValueError):  # noqa: N818 - it is the stored text that is wrong
    """The stored text does not fit this program, or is no state at all."""


def check_state(machine: Machine, s: State) -> None:
    """Refuse a state that no game could be in."""
    _check_head(machine.layout, s)
    _check_zones(machine.layout, s)
    for (row, indices), value in zip(machine.layout.variables, s.variables, strict=True):
        if not fits(machine.layout, value, row.type):
            raise Unfit(f"`{stored_name(row.name, indices)}` cannot be {abbreviated(value)}")
    for frame in s.stack:
        _check_frame(machine, frame, is_last=frame is s.stack[-1])
    _check_calls(machine, s)


def stored_name(name: str, indices: tuple[Any, ...]) -> str:
    """The name of a zone or a variable in a stored state."""
    return name + "".join(f"[{int(index)}]" for index in indices)


def abbreviated(value: Any) -> str:
    """A value as a message shows it: long values are cut."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _check_head(layout: Layout, s: State) -> None:
    if type(s.phase) is not int or s.phase not in range(len(PHASES)):
        raise Unfit(f"there is no phase {abbreviated(s.phase)}")
    if type(s.first) is not int or s.first not in range(UNDRAWN, layout.players):
        raise Unfit(f"there is no seat {abbreviated(s.first)}")
    if s.rng is not None and (type(s.rng) is not int or not 0 <= s.rng <= MASK):
        raise Unfit("the generator is a number of 64 bits")
    if s.first == UNDRAWN and (s.phase != SETUP or s.rng is not None):
        raise Unfit("who is first is drawn before anything else")
    if (s.phase == OVER or s.first == UNDRAWN) and s.stack:
        raise Unfit("a game that is over, or has not begun, has nothing to do")


def _check_zones(layout: Layout, s: State) -> None:
    if not all(_are_below(zone, len(layout.pieces)) for zone in s.zones):
        raise Unfit("zones hold the numbers of pieces")
    if sorted(piece for zone in s.zones for piece in zone) != list(range(len(layout.pieces))):
        raise Unfit("every piece must be in exactly one zone, but here it is not")
    for number, zone in enumerate(s.zones):
        name = stored_name(layout.zones[number].row.name, layout.zones[number].indices)
        holds = layout.holds[number]
        if holds is not None and not holds.issuperset(zone):
            raise Unfit(f"not all of these pieces can lie in `{name}`")
        if layout.is_pool[number] and list(zone) != sorted(zone):
            raise Unfit(f"the pieces of `{name}` are not in order")


# ---- The stack -----------------------------------------------------------------------------------


def _check_frame(machine: Machine, frame: list[Any], *, is_last: bool) -> None:
    layout, block = machine.layout, machine.blocks[frame[BLOCK]]
    is_whole = len(frame) == len(block.slots) + SLOTS
    if not is_whole or type(frame[AT]) is not int or frame[AT] not in range(len(block.code)):
        raise Unfit(f"a frame does not fit `{block.name}`")
    waiting = {step.slot: step for step in block.code if isinstance(step, tree.Move | tree.Each)}
    given = _given(machine, frame[BLOCK])[frame[AT]]
    before = block.code[frame[AT] - 1] if frame[AT] else None
    if not is_last and isinstance(before, tree.Call):
        given = given - {before.into}  # the slot is set when the call returns
    for number, ((name, type_), value) in enumerate(zip(block.slots, frame[SLOTS:], strict=True)):
        if value is None and number not in given:
            continue
        if number in waiting:
            good = _fits_waiting(layout, value, waiting[number])
        else:
            good = is_plain(value) if type_ is None else fits(layout, value, type_)
        if not good:
            raise Unfit(f"`{name}` of `{block.name}` cannot be {abbreviated(value)}")


def _fits_waiting(layout: Layout, value: Any, step: tree.Move | tree.Each) -> bool:
    """Whether a value may be the rest of a step that handles one piece, or one seat, at a time."""
    if not isinstance(value, tuple) or len(value) != 2:
        return False
    if isinstance(step, tree.Move):
        zone, rest = value
        return _is_below(zone, len(layout.zones)) and _are_below(rest, len(layout.pieces))
    waiting, chosen = value
    return _are_below(waiting, layout.players) and _fits_pairs(layout, chosen, types.Maybe(step.of))


def _fits_pairs(layout: Layout, value: Any, of: Type) -> bool:
    """Whether a value may be pairs, each of a seat and what it has chosen."""
    return isinstance(value, tuple) and all(
        isinstance(pair, tuple)
        and len(pair) == 2
        and _is_below(pair[0], layout.players)
        and fits(layout, pair[1], of)
        for pair in value
    )


def _check_calls(machine: Machine, s: State) -> None:
    """Check that each frame was started by the frame below it, or is a trigger, and the first one by the phase."""
    if not s.stack:
        return
    begun = _begun_by(machine, RULES[s.phase])
    triggers = {row.block for row in machine.layout.code.triggers}
    for frame in s.stack:
        block = machine.blocks[frame[BLOCK]]
        if block.name not in begun and block.name not in triggers:
            raise Unfit(f"nothing has begun `{block.name}` there")
        before = block.code[frame[AT] - 1] if frame[AT] else None
        begun = _begun_by(machine, before.block) if isinstance(before, tree.Call) else set()


def _begun_by(machine: Machine, name: str) -> set[str]:
    """The blocks that may run when a block is called: itself, or one of its rows."""
    blocks = machine.layout.code.blocks
    if name not in blocks:
        return set()
    rows = [row for step in blocks[name].code if isinstance(step, tree.Enter) for row in step.rows]
    return {name, *(block for _, block in rows)}


# ---- What was given ------------------------------------------------------------------------------

_found: WeakKeyDictionary[Machine, dict[int, list[frozenset[int]]]] = WeakKeyDictionary()


def _given(machine: Machine, number: int) -> list[frozenset[int]]:
    """For each instruction of a block, the slots that are set on every path to it."""
    known = _found.setdefault(machine, {})
    if number not in known:
        known[number] = _flow(machine.blocks[number])
    return known[number]


def _flow(block: flat.Block) -> list[frozenset[int]]:
    found: dict[int, frozenset[int]] = {0: frozenset(range(block.params))}
    todo = [0]
    while todo:
        at = todo.pop()
        for to, slots in _ways(block.code[at], at, found[at]):
            both = slots & found.get(to, slots)
            if found.get(to) != both:
                found[to] = both
                todo.append(to)
    return [found.get(at, frozenset()) for at in range(len(block.code))]


def _ways(
    step: flat.Instruction, at: int, given: frozenset[int]
) -> list[tuple[int, frozenset[int]]]:
    """The successors of an instruction, each with the slots that are set on the way."""
    match step:
        case tree.Return() | tree.End() | tree.Enter():
            return []
        case flat.Jump(to):
            return [(to, given)]
        case flat.Unless(_, to):
            return [(at + 1, given), (to, given)]
        case flat.Next(_, into, leave):
            return [(at + 1, given | {into}), (leave, given)]
        case flat.Again(_, leave):
            return [(at + 1, given), (leave, given)]
        case tree.Clear(slots):
            return [(at + 1, given - set(slots))]
        case flat.Iterate(slot) | flat.Times(slot):
            return [(at + 1, given | {slot})]
        case tree.Call(into=into) if into is not None:
            return [(at + 1, given | {into})]
        case tree.Choose(target=target, other=tree.Other(target=second)):
            both = {each.slot for each in (target, second) if each.slot is not None}
            return [(at + 1, given | both)]
        case tree.Assign() | tree.Choose() | tree.Draw() | tree.Each() if (
            step.target.slot is not None
        ):
            return [(at + 1, given | {step.target.slot})]
        case tree.Call() | tree.Assign() | tree.Choose() | tree.Draw() | tree.Each():
            return [(at + 1, given)]
        case tree.Move() | tree.Shuffle() | tree.Show() | tree.Announce() | tree.Tell():
            return [(at + 1, given)]
        case _:
            assert_never(step)


# ---- Values --------------------------------------------------------------------------------------


def fits(layout: Layout, value: Any, type_: Type) -> bool:
    """Whether a value can have a type; without a simple type, any plain value can."""
    match type_:
        case types.Maybe(of):
            return value is None or fits(layout, value, of)
        case types.Several(of):
            return isinstance(value, tuple) and all(fits(layout, each, of) for each in value)
        case types.Bool():
            return isinstance(value, bool)
        case types.Number(low, high):
            return type(value) is int and low <= value <= high
        case types.Seat():
            return _is_below(value, layout.players)
        case types.Direction():
            return _is_below(value, 2)
        case types.Choice(_, domain):
            members = layout.code.members
            return _is_below(value, len(members)) and members[value].name in domain
        case types.Piece(kinds):
            return _is_below(value, len(layout.pieces)) and layout.pieces[value].kind in kinds
        case types.Place():
            return _is_below(value, len(layout.zones)) or _are_below(value, len(layout.zones))
        case types.Indexed((types.Seat(),), of):
            return _fits_pairs(layout, value, of)
        case _:
            return is_plain(value)


def is_plain(value: Any) -> bool:
    """Whether a value is one that a state can hold at all."""
    if isinstance(value, tuple):
        return all(is_plain(each) for each in value)
    return value is None or type(value) in (bool, int)


def _is_below(value: Any, end: int) -> bool:
    return type(value) is int and 0 <= value < end


def _are_below(value: Any, end: int) -> bool:
    return isinstance(value, tuple) and all(_is_below(each, end) for each in value)
