"""Which slots surely hold a value at each place of a joined block, whatever way led there.

A slot is empty until it is given a value. On every way to a place it may have been given one, and then nobody
has to ask again.
"""

from typing import Any

from interpreter import flat
from interpreter.compiled.joining import Back, Begin, Frame, Joined, Select
from rulespec.core import tree
from rulespec.core.operations import NEVER_NONE
from rulespec.core.tree import Op, Target


def certain_slots(joined: Joined) -> dict[int, frozenset[int]]:
    """Of every place that can be got at, the slots that hold a value there."""
    found: dict[int, frozenset[int]] = {0: frozenset()}
    waiting = [0]
    while waiting:
        at = waiting.pop()
        for to, after in _ways(joined, at, found[at]):
            now = found[to] & after if to in found else after
            if found.get(to) != now:
                found[to] = now
                waiting.append(to)
    return found


def _ways(joined: Joined, at: int, sure: frozenset[int]) -> list[tuple[int, frozenset[int]]]:
    """Where one gets from a place, and what is sure there."""
    step: Any = joined.block.code[at]
    frame = joined.frames[joined.owners[at]]
    match step:
        case tree.Return() | tree.End() | tree.Enter():
            return []
        case flat.Jump(to):
            return [(to, sure)]
        case flat.Unless(_, to):
            return [(at + 1, sure), (to, sure)]
        case flat.Next(_, into, exit_):
            return [(at + 1, sure | {frame.slots[into]}), (exit_, sure)]
        case flat.Again(_, exit_):
            return [(at + 1, sure), (exit_, sure)]
        case Select(rows=rows):
            return [
                (to, sure - {*joined.frames[row].slots[joined.frames[row].block.params :]})
                for _, to, row in rows
            ]
        case _:
            return [(at + 1, _after(joined, frame, step, sure))]


def _after(joined: Joined, frame: Frame, step: Any, sure: frozenset[int]) -> frozenset[int]:
    """What is sure after an instruction that goes on."""
    match step:
        case tree.Assign(target, value):
            return _given(frame, target, sure, is_sure=_is_sure(frame, value, sure))
        case tree.Choose():
            return _given(frame, step.target, sure, is_sure=not step.may)
        case tree.Draw():
            return _given(frame, step.target, sure, is_sure=True)
        case tree.Each():
            return _given(frame, step.target, sure - {frame.slots[step.seat]}, is_sure=False)
        case tree.Clear(slots):
            return sure - {frame.slots[n] for n in slots}
        case tree.Call(into=into) if into is not None:
            return sure - {frame.slots[into]}
        case Begin(call, number):
            return _begun(frame, joined.frames[number], call, sure)
        case Back(value, into) if into is not None and frame.caller is not None:
            place = joined.frames[frame.caller].slots[into]
            is_sure = value is not None and _is_sure(frame, value, sure)
            return sure | {place} if is_sure else sure - {place}
    return sure


def _given(frame: Frame, target: Target, sure: frozenset[int], *, is_sure: bool) -> frozenset[int]:
    if target.slot is None:
        return sure
    place = frame.slots[target.slot]
    return sure | {place} if is_sure and not target.indices else sure - {place}


def _begun(frame: Frame, target: Frame, call: tree.Call, sure: frozenset[int]) -> frozenset[int]:
    """A rule that begins has its arguments, and nothing else."""
    given = {
        place
        for place, each in zip(target.slots, call.arguments, strict=False)
        if _is_sure(frame, each, sure)
    }
    return sure - {*target.slots} | given


def _is_sure(frame: Frame, op: Op, sure: frozenset[int]) -> bool:
    match op.name:
        case "slot":
            return frame.slots[op.args[0]] in sure
        case "literal":
            return op.args[0] is not None
        case "within" | "among" | "of_kind":
            return _is_sure(frame, op.args[0], sure)
        case "if":
            return all(_is_sure(frame, each, sure) for each in op.args[1:])
    return op.name in NEVER_NONE
