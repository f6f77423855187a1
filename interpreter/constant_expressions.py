"""Which expressions have the same value throughout a game. The interpreter computes them once.

An expression is constant if the table of operations marks nothing in it as varying, and it has no free names: each
bound name is inside its binder, each parameter inside its function.
"""

from collections.abc import Mapping

from rulespec.core.operations import BINDING, VARYING
from rulespec.core.tree import Function, Op

COSTLY = BINDING | {"call"}  # what is worth caching
# Their functions are not among the `operands`, so these operations count as varying.
_ROWS = frozenset(("row", "output", "output_at"))


def is_constant(op: Op, functions: Mapping[str, Function], pure: dict[str, bool]) -> bool:
    """Whether an expression is constant; `pure` caches the answer for functions."""
    return _is_constant(op, functions, pure, frozenset(), has_slots=False)


def _is_constant(
    op: Op,
    functions: Mapping[str, Function],
    pure: dict[str, bool],
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
    if op.name == "call" and not _is_pure(op.word, functions, pure):
        return False
    inner = bound | {op.place} if op.name in BINDING else bound
    last = len(op.operands) - 1
    return all(
        _is_constant(each, functions, pure, inner if n == last else bound, has_slots=has_slots)
        for n, each in enumerate(op.operands)
    )


def _is_pure(name: str, functions: Mapping[str, Function], pure: dict[str, bool]) -> bool:
    """Whether the result of a function depends on its arguments alone."""
    if name not in pure:
        pure[name] = False  # until proven: a recursive function is not pure
        function = functions[name]
        parts = [*function.inputs, *(row.cell for row in function.rows)]
        pure[name] = all(
            _is_constant(each, functions, pure, frozenset(), has_slots=True) for each in parts
        )
    return pure[name]
