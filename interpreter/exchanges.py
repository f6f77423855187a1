"""A state -> another one that differs only in what a player does not know.

Pieces that the player cannot name change places, everywhere: in zones, variables and the frames of rules
that run. The player cannot tell the two apart; what happens in one of them and not in the other is something
that the player could not have known.
"""

from typing import Any, assert_never

from interpreter import flat
from interpreter.machine import Machine
from interpreter.state import SLOTS, State
from rulespec.core import tree
from rulespec.core.types import Piece, Several, Type, present

Exchange = dict[int, int]  # of each place, named by the piece there, the piece that takes it


def hidden_from(engine: Machine, s: State, p: int) -> list[int]:
    """The pieces that a player cannot name."""
    pieces = range(len(engine.layout.pieces))
    return [c for c in pieces if not s.watch.knows(s, p, (c,))]


def exchange(engine: Machine, s: State, places: Exchange) -> State:
    """The same moment with these pieces exchanged; what it waits for has still to be computed."""
    new = s.clone()
    layout = engine.layout
    for n, zone in enumerate(s.zones):
        changed = tuple(places.get(c, c) for c in zone)
        new.zones[n] = tuple(sorted(changed)) if layout.is_pool[n] else changed
    for place, c in places.items():
        new.where[c] = s.where[place]
    for n, (row, _) in enumerate(layout.variables):
        new.variables[n] = put(s.variables[n], row.type, places)
    for frame, old in zip(new.stack, s.stack, strict=True):
        for slot, type_ in slots_of(engine, old):
            frame[slot] = put(old[slot], type_, places)
        put_waiting(engine, frame, old, places)
    # Of each player who could name a piece it is now the other one that can be named.
    for q in range(layout.players):
        new.watch.known[q] = _put_mask(s.watch.known[q], places)
        new.watch.shown[q] = _put_mask(s.watch.shown[q], places)
    return new


def _put_mask(mask: int, places: Exchange) -> int:
    new = mask
    for place, c in places.items():
        new = new | 1 << c if mask >> place & 1 else new & ~(1 << c)
    return new


def put(value: Any, type_: Type | None, places: Exchange) -> Any:
    """A value with its pieces exchanged."""
    if value is None or type_ is None or not _holds_pieces(type_):
        return value
    return _put_deep(value, places)


def _put_deep(value: Any, places: Exchange) -> Any:
    if isinstance(value, tuple):
        return tuple(_put_deep(each, places) for each in value)
    return places.get(value, value)


def _holds_pieces(type_: Type) -> bool:
    inner = present(type_)
    while isinstance(inner, Several):
        inner = present(inner.of)
    return isinstance(inner, Piece)


def slots_of(engine: Machine, frame: list[Any]) -> list[tuple[int, Type | None]]:
    slots = engine.blocks[frame[0]].slots
    return [(n + SLOTS, type_) for n, (_, type_) in enumerate(slots)]


def put_waiting(engine: Machine, frame: list[Any], old: list[Any], places: Exchange) -> None:
    """What a statement keeps between two of its steps: the rest of a move or a loop, sealed choices."""
    instruction: flat.Instruction
    for instruction in engine.blocks[old[0]].code:
        match instruction:
            case tree.Move(slot=slot) if old[slot + SLOTS] is not None:
                zone, rest = old[slot + SLOTS]
                frame[slot + SLOTS] = (zone, _put_deep(rest, places))
            case flat.Iterate(slot=slot):
                into = next(
                    each.into
                    for each in engine.blocks[old[0]].code
                    if isinstance(each, flat.Next) and each.slot == slot
                )
                type_ = engine.blocks[old[0]].slots[into][1]
                frame[slot + SLOTS] = put(old[slot + SLOTS], type_, places)
            case tree.Each(slot=slot, of=of) if old[slot + SLOTS] is not None:
                waiting, chosen = old[slot + SLOTS]
                frame[slot + SLOTS] = (
                    waiting,
                    tuple((q, put(value, of, places)) for q, value in chosen),
                )
            case tree.Each(target=tree.Target(slot=int(slot), type=type_)) if old[slot + SLOTS]:
                frame[slot + SLOTS] = tuple(
                    (q, put(value, type_, places)) for q, value in old[slot + SLOTS]
                )
            case tree.Move() | tree.Each() | tree.Shuffle() | tree.Show() | tree.Draw():
                pass
            case tree.Assign() | tree.Choose() | tree.Clear() | flat.Jump() | flat.Unless():
                pass
            case flat.Next() | flat.Times() | flat.Again() | tree.Call() | tree.Enter():
                pass
            case tree.Announce() | tree.Tell() | tree.Return() | tree.End():
                pass
            case _:
                assert_never(instruction)
