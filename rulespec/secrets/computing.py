"""The core of a program -> its rules and functions that only compute from arguments and variables that all see.

The check need not follow them: what they return depends on what they are given, and on nothing hidden.
"""

from typing import assert_never

from rulespec.core import tree, types
from rulespec.core.operations import VARYING
from rulespec.core.tree import Block, Core, Op, walk_operations
from rulespec.core.types import Type, present
from rulespec.secrets.check_run import Run

LARGE = (
    500  # the check does not look into a function with more operations that reads nothing hidden
)
# Operations that may read something hidden, whatever their operands are, or may call something that does.
OPEN = frozenset({"slot", "bound", "variable", "first", "ended"})
HIDING = (VARYING - OPEN) | {"call", "row", "zone", "zone_of"}


def hidden_variables(core: Core[Block]) -> frozenset[str]:
    """The variables that not everyone sees."""
    return frozenset(row.name for row in core.variables if row.seen_by != "everyone")


def uncounted_zones(core: Core[Block]) -> frozenset[str]:
    """The zones that not everyone counts."""
    return frozenset(row.name for row in core.zones if row.counted_by != "everyone")


def is_open(hidden: frozenset[str], *ops: Op) -> bool:
    """Whether expressions read nothing that could be hidden, apart from what is passed to them."""
    return all(
        not hides(op.type) and op.name not in HIDING and not _is_of(op, hidden)
        for op in walk_operations(*ops)
    )


def _is_of(op: Op, hidden: frozenset[str]) -> bool:
    """Whether an operation reads one of these variables."""
    return op.name == "variable" and op.word in hidden


def hides(type_: Type) -> bool:
    """Whether values of a type are pieces, or places where they lie."""
    inner = present(type_)
    while isinstance(inner, types.Several | types.Family | types.Indexed):
        inner = present(inner.of)
    return isinstance(inner, types.Piece | types.Place | types.Face | types.Outputs)


def large_functions(core: Core[Block]) -> frozenset[str]:
    """Large functions that read nothing hidden: the check only needs to know their arguments."""
    sizes: dict[str, int] = {}
    hidden = hidden_variables(core)
    for name in core.functions:
        _measure(core, name, sizes, hidden)
    return frozenset(name for name, size in sizes.items() if size > LARGE)


def _measure(core: Core[Block], name: str, sizes: dict[str, int], unseen: frozenset[str]) -> int:
    """How many operations a function and all that it calls have; 0 if it may read something hidden."""
    if name not in sizes:
        function = core.functions[name]
        ops = [*walk_operations(*function.inputs, *(row.cell for row in function.rows))]
        size = len(ops)
        for op in ops:
            inner = _measure(core, op.word, sizes, unseen) if op.name == "call" else 1
            hidden = hides(op.type) or (op.name in HIDING and op.name != "call")
            hidden = hidden or _is_of(op, unseen)
            if hidden or inner == 0:
                size = 0
                break
            size += inner
        sizes[name] = size
    return sizes[name]


def plain_rule(run: Run, name: str) -> frozenset[str] | None:
    """The variables that a rule changes, if it only computes from variables and arguments."""
    if name not in run.plain_rules:
        block = run.core.blocks[name]
        typed = all(type_ is None or not hides(type_) for _, type_ in block.slots)
        run.plain_rules[name] = _plain_body(run, block.body) if typed else None
    return run.plain_rules[name]


def _plain_body(run: Run, body: tree.Body) -> frozenset[str] | None:
    names: set[str] = set()
    hidden = run.hidden
    inner: frozenset[str] | None
    for node in body:
        match node:
            case tree.Assign(target, value):
                if target.variable in hidden:
                    return None
                if hides(target.type) or not is_open(hidden, value, *target.indices):
                    return None
                names |= set() if target.variable is None else {target.variable}
            case tree.Call(block, arguments):
                inner = plain_rule(run, block)
                if inner is None or not is_open(hidden, *arguments):
                    return None
                names |= inner
                reset = {
                    row.name for row in run.core.variables if row.rule == node.resets and row.rule
                }
                if reset & hidden:
                    return None
                names |= reset
            case tree.If(condition, then, otherwise):
                for each in (then, otherwise or ()):
                    inner = _plain_body(run, each)
                    if inner is None or not is_open(hidden, condition):
                        return None
                    names |= inner
            case tree.For() | tree.Repeat():
                inner = _plain_body(run, node.body)
                over = node.values if isinstance(node, tree.For) else node.times
                if inner is None or (over is not None and not is_open(hidden, over)):
                    return None
                names |= inner
            case tree.Return(value):
                if value is not None and not is_open(hidden, value):
                    return None
            case tree.Stop() | tree.Clear():
                pass
            case tree.Enter() | tree.Move() | tree.Shuffle() | tree.Show() | tree.Draw():
                return None
            case tree.Choose() | tree.Each() | tree.End() | tree.Announce() | tree.Tell():
                return None
            case _:
                assert_never(node)
    return frozenset(names)
