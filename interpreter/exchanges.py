"""A state and a player -> another state that differs only in what that player does not know.

Pieces that the player cannot name swap places everywhere: in zones, in variables, and in the frames of running
rules. Variables that the player does not see get other values. The player cannot tell the two states apart. So if
something happens after only one of them, the player could not have known it.
"""

from typing import Any, assert_never

from interpreter import chance, flat
from interpreter.actions import Action
from interpreter.event_log import holds_pieces
from interpreter.layout import Layout, index_values, is_hidden, place_in
from interpreter.machine import Machine
from interpreter.state import SLOTS, State
from rulespec.core import tree
from rulespec.core.types import Number, Several, Type, present

MOST_VALUES = 1000  # values of a number that are tried

Exchange = dict[int, int]  # piece -> the piece that takes its place


def hidden_from(engine: Machine, s: State, p: int) -> list[int]:
    """The pieces that a player cannot name."""
    pieces = range(len(engine.layout.pieces))
    return [c for c in pieces if not s.watch.knows(s, p, (c,))]


def exchange_pieces(engine: Machine, s: State, places: Exchange) -> State:
    """The same moment with these pieces exchanged; the caller must compute its pending decision."""
    new = s.clone()
    layout = engine.layout
    for n, zone in enumerate(s.zones):
        changed = tuple(places.get(c, c) for c in zone)
        new.zones[n] = tuple(sorted(changed)) if layout.is_pool[n] else changed
    for place, c in places.items():
        new.where[c] = s.where[place]
    for n, (row, _) in enumerate(layout.variables):
        new.variables[n] = exchange_in_value(s.variables[n], row.type, places)
    for frame, old in zip(new.stack, s.stack, strict=True):
        for slot, type_ in slots_of(engine, old):
            frame[slot] = exchange_in_value(old[slot], type_, places)
        exchange_in_frame(engine, frame, old, places)
    # A player who could name a piece can now name the one that replaced it.
    for q in range(layout.players):
        new.watch.known[q] = _exchange_in_mask(s.watch.known[q], places)
        new.watch.shown[q] = _exchange_in_mask(s.watch.shown[q], places)
    return new


def is_anything_hidden(engine: Machine, p: int) -> bool:
    """Whether there are variables that a player does not see, or zones that the player does not count."""
    visibility = engine.visibility
    return any(not who >> p & 1 for who in (*visibility.variables, *visibility.counts))


def vary_hidden(engine: Machine, s: State, p: int, rng: int) -> None:
    """Change all variables that a player does not see, and the sealed choices for such variables.

    Also move some pieces between the zones that the player does not count.
    """
    layout, visibility = engine.layout, engine.visibility
    rng = _scatter(engine, s, p, rng)
    for n, (row, _) in enumerate(layout.variables):
        if not visibility.variables[n] >> p & 1:
            rng, s.variables[n] = _other_value(layout, row.type, s.variables[n], rng)
    for frame in s.stack:
        for instruction in engine.blocks[frame[0]].code:
            if not isinstance(instruction, tree.Each) or frame[instruction.slot + SLOTS] is None:
                continue
            family = layout.variable_families.get(instruction.target.variable or "")
            if family is None or not is_hidden(layout, instruction.target.variable or ""):
                continue
            waiting, chosen = frame[instruction.slot + SLOTS]
            others = []
            for q, value in chosen:
                new = value
                if q != p and not visibility.variables[place_in(family, (q,))] >> p & 1:
                    rng, new = _other_value(layout, instruction.of, value, rng)
                others.append((q, new))
            frame[instruction.slot + SLOTS] = (waiting, tuple(others))


def _scatter(engine: Machine, s: State, p: int, rng: int) -> int:
    """Move pieces between zones that a player does not count; the player knows only their total."""
    layout, counts = engine.layout, engine.visibility.counts
    zones = [n for n, who in enumerate(counts) if not who >> p & 1]
    if len(zones) < 2:
        return rng
    for piece in [c for zone in zones for c in s.zones[zone]]:
        rng, number = chance.below(rng, 2 * len(zones))
        if number >= len(zones):
            continue
        source, goal = s.where[piece], zones[number]
        held = layout.holds[goal]
        if goal != source and (held is None or piece in held):
            s.zones[source] = tuple(c for c in s.zones[source] if c != piece)
            s.zones[goal] = tuple(sorted((*s.zones[goal], piece)))
            s.where[piece] = goal
    return rng


def _other_value(layout: Layout, type_: Type, value: Any, rng: int) -> tuple[int, Any]:
    """Another value of a type; for a type with too many values, a slightly larger or smaller one."""
    inner = present(type_)
    if isinstance(inner, Several):
        found = []
        for each in _values(layout, present(inner.of), None):
            rng, number = chance.below(rng, 2)
            found += [each] * number
        return rng, tuple(found)
    values = [*_values(layout, inner, value), *([None] if inner != type_ else [])]
    rng, number = chance.below(rng, len(values))
    return rng, values[number]


def _values(layout: Layout, type_: Type, value: Any) -> tuple[Any, ...]:
    if isinstance(type_, Number) and type_.high - type_.low > MOST_VALUES:
        middle = value if isinstance(value, int) else max(type_.low, min(type_.high, 0))
        low, high = max(type_.low, middle - 2), min(type_.high, middle + 2)
        return tuple(range(low, high + 1))
    return index_values(layout, type_)


def _exchange_in_mask(mask: int, places: Exchange) -> int:
    new = mask
    for place, c in places.items():
        new = new | 1 << c if mask >> place & 1 else new & ~(1 << c)
    return new


def exchange_in_value(value: Any, type_: Type | None, places: Exchange) -> Any:
    """The value, with its pieces exchanged."""
    if value is None or isinstance(value, Action) or type_ is None or not holds_pieces(type_):
        return value
    return _exchange_deep(value, places)


def _exchange_deep(value: Any, places: Exchange) -> Any:
    if isinstance(value, tuple):
        return tuple(_exchange_deep(each, places) for each in value)
    return places.get(value, value)


def slots_of(engine: Machine, frame: list[Any]) -> list[tuple[int, Type | None]]:
    """The places of the slots of a frame, with their types."""
    slots = engine.blocks[frame[0]].slots
    return [(n + SLOTS, type_) for n, (_, type_) in enumerate(slots)]


def exchange_in_frame(engine: Machine, frame: list[Any], old: list[Any], places: Exchange) -> None:
    """Exchange pieces in the temporary values of a frame: the rest of a move or loop, or sealed choices."""
    instruction: flat.Instruction
    for instruction in engine.blocks[old[0]].code:
        match instruction:
            case tree.Move(slot=slot) if old[slot + SLOTS] is not None:
                zone, rest = old[slot + SLOTS]
                frame[slot + SLOTS] = (zone, _exchange_deep(rest, places))
            case flat.Iterate(slot=slot):
                into = next(
                    each.into
                    for each in engine.blocks[old[0]].code
                    if isinstance(each, flat.Next) and each.slot == slot
                )
                type_ = engine.blocks[old[0]].slots[into][1]
                frame[slot + SLOTS] = exchange_in_value(old[slot + SLOTS], type_, places)
            case tree.Each(slot=slot, of=of) if old[slot + SLOTS] is not None:
                waiting, chosen = old[slot + SLOTS]
                frame[slot + SLOTS] = (
                    waiting,
                    tuple((q, exchange_in_value(value, of, places)) for q, value in chosen),
                )
            case tree.Each(target=tree.Target(slot=int(slot), type=type_)) if old[slot + SLOTS]:
                frame[slot + SLOTS] = tuple(
                    (q, exchange_in_value(value, type_, places)) for q, value in old[slot + SLOTS]
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
