"""An expression and a state -> how its value came about, as a tree, for one listener.

The engine evaluates each part on its own, so there is no second semantics, and a game in which nobody asks why pays
nothing. This module only follows which parts the engine evaluates: the branch that is taken, the row that matches,
the elements up to the one that decides.

A listener is told nothing that is hidden now, and no number of pieces in a zone that the listener does not count.
Which parts an operation evaluated may reveal its value, so a closed operation has no parts.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from attrs import define, field, frozen

from interpreter.derivations import (
    CallDerivation,
    Closed,
    Derivation,
    Element,
    Folded,
    Plain,
    value_of,
)
from interpreter.display_names import Listener
from interpreter.event_log import holds_pieces, mask_of, seers, seers_in
from interpreter.expressions import ExpressionContext, function, meaning, row_test
from interpreter.layout import is_hidden, place_in
from interpreter.machine import Machine
from interpreter.operations import BUILDERS
from interpreter.state import OVER, SLOTS, State
from interpreter.work import Exhausted, too_much
from rulespec.core.operations import BINDING
from rulespec.core.tree import Op
from rulespec.limits import MOST_WORK

MOST_NODES = 20_000  # nodes of one tree; beyond that, values have no parts


@define
class _Walk:
    """The listener, the state, and how many nodes the tree has so far."""

    machine: Machine
    context: ExpressionContext
    state: State
    to: Listener
    sees_all: bool
    nodes: int = 0
    folds: Iterator[int] = field(factory=count)


@frozen
class _Frame:
    """The slots of a frame and its scratch space, the number of slots, and where their values come from."""

    slots: list[Any]
    size: int
    sources: dict[int, Derivation]  # by slot
    elements: dict[int, Derivation]  # by the place of the bound name


def sees_everything(to: Listener, s: State) -> bool:
    """Whether nothing is hidden from a listener; at the end of the game all cards lie open."""
    return s.phase == OVER or (to.player is None and to.sees(0))


def derive(  # noqa: PLR0913 - an expression, where it stands, and for whom
    machine: Machine,
    s: State,
    op: Op,
    to: Listener,
    *,
    slots: Sequence[Any] = (),
    scratch: int = 0,
    open_slots: Sequence[int] | None = None,
    is_over: bool = False,
) -> Derivation:
    """How the value of an expression comes about, in a frame with these slots.

    Everybody knows the values of the `open_slots`, by default of all slots. `is_over` means that the game has ended
    since, so nothing is hidden any more.
    """
    state = s.clone()
    found = machine.context.expressions
    context = ExpressionContext(
        machine.layout, BUILDERS, winners=found.winners, result=found.result
    )
    walk = _Walk(machine, context, state, to, is_over or sees_everything(to, s))
    sources: dict[int, Derivation] = {}
    for n, value in enumerate(slots):
        known = open_slots is None or n in open_slots or walk.sees_all
        leaf = Op("slot", place=n, span=op.span)
        sources[n] = Plain(leaf, value) if known else Closed(leaf)
    size = len(slots) + SLOTS
    frame = _Frame([0, 0, *slots, *[None] * scratch], size, sources, {})
    try:
        return _derive(walk, op, frame)
    except Exhausted:
        raise too_much(op.span) from None


def _value(walk: _Walk, op: Op, frame: _Frame) -> Any:
    """The value according to the engine, which may write into the scratch of names bound below."""
    walk.state.left = MOST_WORK
    return meaning(walk.context, op, frame.size)(walk.state, frame.slots[:])


def _derive(walk: _Walk, op: Op, frame: _Frame) -> Derivation:
    walk.nodes += 1
    if walk.nodes > MOST_NODES:
        return Plain(op, _value(walk, op, frame)) if walk.sees_all else Closed(op)
    match op.name:
        case "slot" if op.place in frame.sources:
            source = frame.sources[op.place]
            return source if isinstance(source, Closed) else Plain(op, value_of(source), (source,))
        case "bound":
            return frame.elements[op.place]
        case "call":
            return _call(walk, op, op.word, op.operands, frame)
        case "output" | "output_at":
            return _output(walk, op, frame)
        case "if" | "and" | "or" | "in" | "member_of":
            return _lazy(walk, op, frame)
        case "contents" | "gather" | "variable":
            return _look(walk, op, frame)
        case "winners" | "result" | "knows" | "all_pieces" | "named" if not walk.sees_all:
            return Closed(op)
        case "filter_family" | "build_family":
            return Plain(op, _value(walk, op, frame)) if walk.sees_all else Closed(op)
        case _ if op.name in BINDING:
            return _fold(walk, op, frame)
    return _plain(walk, op, frame, [_derive(walk, each, frame) for each in op.operands])


def _plain(walk: _Walk, op: Op, frame: _Frame, parts: list[Derivation]) -> Derivation:
    """An operation with its parts; closed if one of them is closed, except for the number of pieces."""
    if op.name in ("count", "empty") and isinstance(parts[0], Closed):
        return Closed(op) if parts[0].count is None else Plain(op, _value(walk, op, frame))
    if any(isinstance(each, Closed) for each in parts):
        return Closed(op, parts=tuple(parts) if op.name in ("add", "subtract") else ())
    return Plain(op, _value(walk, op, frame), tuple(parts))


# ---- Parts that are not always evaluated ----------------------------------------------------------


def _lazy(walk: _Walk, op: Op, frame: _Frame) -> Derivation:
    """An operation of which the engine evaluates only the parts that it needs."""
    parts: list[Derivation] = []
    for each in _needed(op, parts):
        parts.append(_derive(walk, each, frame))
        if isinstance(parts[-1], Closed):
            return Closed(op)
    return _plain(walk, op, frame, parts)


def _needed(op: Op, parts: list[Derivation]) -> Iterator[Op]:
    """The operands that are evaluated, one after the other, depending on the values of those before."""
    match op.name:
        case "if":
            test, value, otherwise = op.operands
            yield test
            yield value if value_of(parts[0]) else otherwise
        case "in" if op.operands[1].name == "numbers":
            yield op.operands[0]
            if value_of(parts[0]) is not None:
                yield from op.operands[1].operands
        case "member_of":
            yield op.operands[0]
            if value_of(parts[0]) is not None:
                yield op.operands[1]
        case "and" | "or":
            for each in op.operands:
                yield each
                if bool(value_of(parts[-1])) is (op.name == "or"):
                    return
        case _:
            yield from op.operands


def _fold(walk: _Walk, op: Op, frame: _Frame) -> Derivation:
    """The test of each element, up to the one that decides."""
    over = _derive(walk, op.operands[0], frame)
    if isinstance(over, Closed):
        return Closed(op)
    number = next(walk.folds)
    members: list[tuple[Any, Derivation]] = []
    for value in value_of(over):
        element = Element(Op("bound", place=op.place, span=op.span), value, number)
        slots = frame.slots[:]
        slots[op.place + frame.size] = value
        inner = _Frame(slots, frame.size, frame.sources, {**frame.elements, op.place: element})
        found = _derive(walk, op.operands[1], inner)
        if isinstance(found, Closed):
            return Closed(op)
        members.append((value, found))
        if op.name in ("any_of", "all_of") and bool(value_of(found)) is (op.name == "any_of"):
            break
    return Folded(op, _value(walk, op, frame), number, over, tuple(members))


# ---- Functions -----------------------------------------------------------------------------------


def _call(walk: _Walk, op: Op, key: str, arguments: Sequence[Op], frame: _Frame) -> Derivation:
    parts = [_derive(walk, each, frame) for each in arguments]
    values = [_value(walk, each, frame) for each in arguments]
    return _apply(walk, op, key, parts, values)


def _output(walk: _Walk, op: Op, frame: _Frame) -> Derivation:
    """An output of a table, named directly or by a value that is computed during play."""
    subject = op.operands[0]
    word = op.word
    if op.name == "output_at":
        chosen = _derive(walk, op.operands[1], frame)
        if isinstance(chosen, Closed):
            return Closed(op)
        word = dict(zip(op.numbers, op.words, strict=True)).get(value_of(chosen), "")
    if not word or subject.name != "row":
        # The row was made elsewhere, so its origin is unknown here.
        return Plain(op, _value(walk, op, frame)) if walk.sees_all else Closed(op)
    return _call(walk, op, f"{subject.word}.{word}", subject.operands, frame)


def _apply(
    walk: _Walk, op: Op, key: str, arguments: list[Derivation], values: list[Any]
) -> Derivation:
    fn = walk.context.layout.code.functions[key]
    size = fn.params + SLOTS
    slots = [0, 0, *values, *[None] * fn.scratch]
    frame = _Frame(slots, size, dict(enumerate(arguments)), {})
    inputs = [_derive(walk, each, frame) for each in fn.inputs]
    if any(isinstance(each, Closed) for each in inputs):
        return Closed(op)
    found = [value_of(each) for each in inputs]
    row = next(each for each in fn.rows if row_test(walk.context, each.patterns)(found))
    cell = _derive(walk, row.cell, frame)
    if isinstance(cell, Closed):
        return Closed(op, cell.count, (cell,))
    walk.state.left = MOST_WORK
    value = function(walk.context, key)(walk.state, [0, 0, *values])
    return CallDerivation(op, value, fn, tuple(arguments), tuple(inputs), row, cell)


# ---- What lies on the table ----------------------------------------------------------------------


def _look(walk: _Walk, op: Op, frame: _Frame) -> Derivation:
    """Pieces in a zone or a variable: open if the listener sees all of them."""
    parts = [_derive(walk, each, frame) for each in op.operands]
    if any(isinstance(each, Closed) for each in parts):
        return Closed(op)
    value = _value(walk, op, frame)
    if op.name == "variable":
        seen = _seers_of_variable(walk, op, parts, value)
    else:
        seen = [_seers(walk, piece) for piece in value]
        if not (walk.sees_all or walk.to.sees(_counting(walk, parts[0]))):
            return Closed(op)
    if walk.sees_all or all(walk.to.sees(each) for each in seen):
        return Plain(op, value, tuple(parts))
    is_counted = isinstance(value, tuple) and not (
        op.name == "variable" and is_hidden(walk.machine.layout, op.word)
    )
    return Closed(op, len(value) if is_counted else None)


def _counting(walk: _Walk, zones: Derivation) -> int:
    """Who counts all of these zones, or this one."""
    counts = walk.machine.visibility.counts
    who, found = walk.machine.visibility.everyone, value_of(zones)
    for zone in found if isinstance(found, tuple) else (found,):
        who &= counts[zone]
    return who


def _seers(walk: _Walk, piece: int) -> int:
    """Who sees a piece, or was shown it and has not chosen since."""
    s = walk.state
    found = seers(walk.machine.visibility, s, piece)
    if s.watch is not None:
        found |= mask_of(tuple(q for q, shown in enumerate(s.watch.shown) if shown >> piece & 1))
    return found


def _seers_of_variable(walk: _Walk, op: Op, parts: list[Derivation], value: Any) -> Sequence[int]:
    """Who sees the pieces in a variable, or the variable itself if it is hidden; everybody sees other values."""
    layout = walk.machine.layout
    family = layout.variable_families[op.word]
    row, _ = layout.variables[family.base]
    if is_hidden(layout, op.word):
        if len(parts) < len(family.domains):
            return (0,)
        number = place_in(family, [value_of(each) for each in parts])
        return (walk.machine.visibility.variables[number],)
    if value is None or not holds_pieces(row.type):
        return ()
    if len(parts) < len(family.domains):
        return (0,)
    pieces = value if isinstance(value, tuple) else (value,)
    number = place_in(family, [value_of(each) for each in parts])
    return seers_in(walk.machine.visibility, walk.state, number, pieces)
