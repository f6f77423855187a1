"""What a program can do, found out before any of it is written.

Which blocks may wait for a player; in which phases a block may run; which triggers look at a zone, and at
which of the pieces in it.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import define, evolve, field

from interpreter import flat
from interpreter.flat import Block, Code
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.operations.pieces import faces_of
from rulespec.core import tree
from rulespec.core.tree import Op

# Whether an expression has one value at this table, and that value.
Known: TypeAlias = Callable[[Op], tuple[bool, Any]]

SETUP, PLAY, FINISH = "setup", "play", "finish"


@define
class Flow:
    """What is known about a program at a table."""

    waiting: frozenset[str]  # blocks that may wait for a player
    triggers_wait: bool
    reached: dict[str, frozenset[int]]  # of every block the instructions that can be got at
    phases: dict[str, frozenset[str]]
    relevant: tuple[int, ...]  # of every trigger the pieces that can make a difference
    zones: dict[str, tuple[int, ...]]  # of every family of zones the triggers that read it
    variables: dict[str, tuple[int, ...]]
    caller: dict[str, tuple[str, int]]  # of blocks that are called from one place only, that place
    callers: dict[str, bool] = field(factory=dict)  # of every block whether anybody wants its value


def analyse(machine: Machine, known: Known, *, asks: bool) -> Flow:
    """Look through a program; in a playout nobody is asked, and no block waits."""
    layout, code = machine.layout, machine.layout.code
    reached = {name: reach(block, known) for name, block in code.blocks.items()}
    blocks = {
        name: evolve(block, code=tuple(block.code[at] for at in sorted(reached[name])))
        for name, block in code.blocks.items()
    }
    zones = {
        name: machine.making.zone_triggers[family.base] if family.size else ()
        for name, family in layout.zone_families.items()
    }
    variables = {
        name: machine.making.variable_triggers[family.base] if family.size else ()
        for name, family in layout.variable_families.items()
    }
    waiting = _waiting(blocks) if asks else frozenset()
    triggers_wait = any(row.block in waiting for row in code.triggers)
    if triggers_wait:
        waiting = frozenset(code.blocks)
    wanted = {
        each.block
        for block in blocks.values()
        for each in block.code
        if isinstance(each, tree.Call) and each.into is not None
    }
    return Flow(
        waiting=waiting,
        triggers_wait=triggers_wait,
        reached=reached,
        phases=_phases(code, blocks),
        relevant=tuple(_relevant(layout, code, row.condition) for row in code.triggers),
        zones=zones,
        variables=variables,
        caller=_callers(code, reached, waiting),
        callers={name: name.split("#")[0] in wanted or name in wanted for name in code.blocks},
    )


def reach(block: Block, known: Known) -> frozenset[int]:
    """The instructions that can be got at: what is known for a table is not asked."""
    found: set[int] = set()
    waiting = [0]
    while waiting:
        at = waiting.pop()
        if at in found or at >= len(block.code):
            continue
        found.add(at)
        here = block.code[at]
        match here:
            case flat.Jump(to):
                waiting.append(to)
            case flat.Unless(condition, to):
                is_known, value = known(condition)
                waiting += [at + 1, to] if not is_known else [at + 1 if value else to]
            case flat.Next() | flat.Again():
                waiting += [at + 1, here.exit]
            case tree.Return() | tree.End() | tree.Enter():
                pass
            case _:
                waiting.append(at + 1)
    return frozenset(found)


def called(block: Block) -> list[str]:
    """The blocks that a block goes on with."""
    found: list[str] = []
    for each in block.code:
        if isinstance(each, tree.Call):
            found.append(each.block)
        elif isinstance(each, tree.Enter):
            found += [name for _, name in each.rows]
    return found


def changed_slots(block: Block) -> set[int]:
    """The slots that a block gives values to."""
    found: set[int] = set()
    for each in block.code:
        match each:
            case tree.Assign() | tree.Draw() | tree.Choose() | tree.Each():
                if each.target.slot is not None:
                    found.add(each.target.slot)
            case flat.Next():
                found.add(each.into)
            case tree.Call() if each.into is not None:
                found.add(each.into)
    return found


def idle_slots(block: Block) -> set[int]:
    """The slots that are used only while a trigger interrupts a move; if none can wait, they are not used."""
    return {each.slot for each in block.code if isinstance(each, tree.Move)}


def _waiting(blocks: dict[str, Block]) -> frozenset[str]:
    """Blocks in which, or in what they call, somebody is asked; and all rows beside such a row."""
    found = {
        name
        for name, block in blocks.items()
        if any(isinstance(each, tree.Choose | tree.Each) for each in block.code)
    }
    while True:
        more = {name for name, block in blocks.items() if found.intersection(called(block))}
        for name in more | found:
            block = blocks[name]
            if isinstance(block.code[0], tree.Enter):
                more.update(called(block))
        if more <= found:
            return frozenset(found)
        found |= more


def _callers(
    code: Code, reached: dict[str, frozenset[int]], waiting: frozenset[str]
) -> dict[str, tuple[str, int]]:
    """Of blocks that wait, and are called from one place only, that place."""
    found: dict[str, list[tuple[str, int]]] = {name: [] for name in waiting}
    for name in waiting:
        for at in reached[name]:
            here = code.blocks[name].code[at]
            if isinstance(here, tree.Call) and here.block in waiting:
                target = code.blocks[here.block]
                rows = called(target) if isinstance(target.code[0], tree.Enter) else [here.block]
                for each in rows:
                    found[each].append((name, at))
    roots = {SETUP, PLAY, FINISH, *(row.block for row in code.triggers)}
    return {
        name: places[0] for name, places in found.items() if len(places) == 1 and name not in roots
    }


def _phases(code: Code, blocks: dict[str, Block]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {name: set() for name in code.blocks}
    roots = {SETUP: [SETUP], PLAY: [PLAY, *(row.block for row in code.triggers)], FINISH: [FINISH]}
    for phase, names in roots.items():
        waiting = [name for name in names if name in code.blocks]
        while waiting:
            name = waiting.pop()
            if phase not in found[name]:
                found[name].add(phase)
                waiting += called(blocks[name])
    return {name: frozenset(phases) for name, phases in found.items()}


# ---- Triggers ------------------------------------------------------------------------------------


def _relevant(layout: Layout, code: Code, condition: Op) -> int:
    """The pieces on whose place a condition can depend: those that it selects wherever it looks."""
    whole = (1 << len(layout.pieces)) - 1
    found = 0
    seen: set[str] = set()
    waiting: list[Any] = [condition]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting.extend(each)
        if not isinstance(each, Op):
            continue
        if each.name == "matching" and each.args[1].name == "look":
            selected = _selected(each)
            if selected is not None:
                fixed = [faces_of(layout, look.args[0]) for look in selected if look.name == "look"]
                found |= sum(1 << c for c in frozenset.intersection(*fixed))
                waiting.extend(look.args for look in selected if look.name != "look")
                continue
        if each.name in ("contents", "gather", "all_pieces"):
            return whole
        if each.name in ("call", "row"):
            for name, fn in code.functions.items():
                if name.split(".")[0] == each.args[0] and name not in seen:
                    seen.add(name)
                    waiting.extend((fn.inputs, *(row.cell for row in fn.rows)))
        waiting.extend(each.args)
    return found


def _selected(op: Op) -> list[Op] | None:
    """The looks by which a zone that is named is narrowed; nothing if it is something else."""
    looks = []
    while op.name == "matching":
        looks.append(op.args[1])
        op = op.args[0]
    is_named = op.name in ("contents", "gather") and op.args[0].name == "zone"
    return looks if is_named and not _varies(op.args[0]) else None


def _varies(zone: Op) -> bool:
    """Whether which zone it is depends on the place of other pieces."""
    return any(each.name not in ("literal", "slot", "bound") for each in zone.args[1])
