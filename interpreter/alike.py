"""Finds which holes of a sentence depend only on the statements around it.

Flat code goes in. Out come the holes of a `tell` with the pieces that the next statement moves, and the holes of a
question whose values everybody knows. A story needs them to name pieces that the sentence itself does not show yet.
Nothing here looks at a game, so all games that look alike get the same sentence.
"""

from collections.abc import Iterator

from interpreter.event_log import holds_pieces
from interpreter.flat import Again, Block, Code, Instruction, Jump, Next, Unless
from rulespec.core import tree
from rulespec.core.operations import OPERATIONS
from rulespec.core.tree import Op, Origin

_QUIET = (
    tree.Assign,
    tree.Move,
    tree.Show,
    tree.Announce,
    tree.Tell,
)  # control goes on to the next one
_SAME = frozenset(("perhaps", "needed", "gather"))


def moved_behind(code: Code, origin: Origin) -> frozenset[int]:
    """The parts of a `tell` whose pieces the next statement always moves."""
    every: list[set[int]] = []
    for block, n in _places(code, origin):
        found: set[int] = set()
        every.append(found)
        tell = block.code[n]
        if not isinstance(tell, tree.Tell):
            continue
        holes = {k: _slot(each) for k, each in enumerate(tell.parts) if isinstance(each, Op)}
        for step in block.code[n + 1 :]:
            if not isinstance(step, _QUIET):
                break
            if isinstance(step, tree.Move):
                moved = _slot(step.pieces)
                found |= {k for k, slot in holes.items() if slot is not None and slot == moved}
            elif isinstance(step, tree.Assign):
                holes = {k: slot for k, slot in holes.items() if slot != step.target.slot}
    return frozenset(set.intersection(*every) if every else ())


def open_parts(code: Code, origin: Origin) -> frozenset[int]:
    """The parts of a question that everybody knows: the visible top of a pile, or a value of public variables.

    It is written there, or was kept right before the question.
    """
    every: list[set[int]] = []
    for block, n in _places(code, origin):
        found: set[int] = set()
        every.append(found)
        asks = block.code[n]
        if not isinstance(asks, tree.Choose):
            continue
        written = {k: each[0] for k, each in enumerate(asks.prompt) if isinstance(each, tuple)}
        found |= {k for k, each in written.items() if _is_open_value(code, each)}
        holes = {k: _slot(each) for k, each in written.items()}
        landings = {_landing(step) for step in block.code}
        for at in range(n, 0, -1):
            step = block.code[at - 1]
            if at in landings or not isinstance(step, _QUIET):
                break
            if isinstance(step, tree.Assign):
                slot = step.target.slot
                if slot is not None and _is_open(code, step.value):
                    found |= {k for k, each in holes.items() if each == slot}
                holes = {k: each for k, each in holes.items() if each != slot}
    return frozenset(set.intersection(*every) if every else ())


def _places(code: Code, origin: Origin) -> Iterator[tuple[Block, int]]:
    for block in code.blocks.values():
        for n, step in enumerate(block.code):
            if step.origin is origin:
                yield block, n


def _landing(step: Instruction) -> int | None:
    """Where a jump leads to."""
    match step:
        case Jump(to=to) | Unless(to=to) | Next(exit=to) | Again(exit=to):
            return to
    return None


def _slot(op: Op) -> int | None:
    """The slot of the local, if the expression is just the pieces in a local."""
    while op.name in _SAME and len(op.operands) == 1:
        op = op.operands[0]
    return op.place if op.name == "slot" else None


def _is_open(code: Code, op: Op) -> bool:
    return _is_open_top(code, op) or _is_open_value(code, op)


# Operations that vary during the game, but whose values everybody knows.
_OPEN = frozenset(("bound", "ended", "first"))


def _is_open_value(code: Code, op: Op, *, inside: bool = False) -> bool:
    """Whether everybody knows all numbers, members, players and variables of a value; `inside` a function."""
    if op.name == "variable":
        row = next(each for each in code.variables if each.name == op.word)
        known = row.seen_by == "everyone" and not holds_pieces(row.type)
    elif op.name in ("call", "row"):
        body = code.functions.get(op.word)
        known = body is not None and all(
            _is_open_value(code, each, inside=True)
            for each in (*body.inputs, *(row.cell for row in body.rows))
        )
    else:
        varies = OPERATIONS[op.name].varies
        known = not varies or op.name in _OPEN or (inside and op.name == "slot")
    return known and all(_is_open_value(code, each, inside=inside) for each in op.operands)


def _is_open_top(code: Code, op: Op) -> bool:
    """Whether it is the top of a single zone, and everybody sees that zone or its top."""
    while op.name in ("top", "contents", *_SAME) and len(op.operands) == 1:
        op = op.operands[0]
        if op.name == "zone":
            row = next(each for each in code.zones if each.name == op.word)
            return not op.operands and row.order == "pile" and row.seen_by in ("everyone", "top")
    return False
