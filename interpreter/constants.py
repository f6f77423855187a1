"""Which expressions are the same at every moment of a game: what they need is found once, and paid for each time.

An expression is constant if nothing in it `varies`, as the table of operations has it, and nothing is free in it: a
bound name stands inside of what binds it, a parameter inside of its function.
"""

from collections.abc import Mapping

from rulespec.core.operations import BINDING, VARYING
from rulespec.core.tree import Function, Op

COSTLY = BINDING | {"call"}  # what is worth being remembered
_ROWS = frozenset(("row", "output", "output_at"))  # which name their functions in parts


def is_constant(op: Op, functions: Mapping[str, Function], known: dict[str, bool]) -> bool:
    """Whether an expression has one value; `known` remembers it of functions."""
    return _is_constant(op, functions, known, frozenset(), has_slots=False)


def _is_constant(
    op: Op,
    functions: Mapping[str, Function],
    known: dict[str, bool],
    bound: frozenset[int],
    *,
    has_slots: bool,
) -> bool:
    if op.name == "bound":
        return op.place in bound
    if op.name == "slot":
        return has_slots
    if op.name in VARYING or op.name in _ROWS:
        return False
    if op.name == "call" and not _is_pure(op.word, functions, known):
        return False
    inner = bound | {op.place} if op.name in BINDING else bound
    last = len(op.operands) - 1
    return all(
        _is_constant(each, functions, known, inner if n == last else bound, has_slots=has_slots)
        for n, each in enumerate(op.operands)
    )


def _is_pure(name: str, functions: Mapping[str, Function], known: dict[str, bool]) -> bool:
    """Whether what a function gives follows from what it is given."""
    if name not in known:
        known[name] = False  # whatever calls itself
        function = functions[name]
        parts = [*function.inputs, *(row.cell for row in function.rows)]
        known[name] = all(
            _is_constant(each, functions, known, frozenset(), has_slots=True) for each in parts
        )
    return known[name]
