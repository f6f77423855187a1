"""A game -> every value that some variables got, how each value came about, and why the game ended.

It plays the game again, on a machine that inspects each assignment before it happens. So a normal game records none
of this, and pays nothing for it.
"""

from collections.abc import Collection
from typing import Any

from attrs import define, field, frozen

from interpreter import machine as machines
from interpreter.derivations import Derivation
from interpreter.deriving import derive
from interpreter.display_names import Listener
from interpreter.expressions import whole
from interpreter.flat import Block, Code
from interpreter.layout import place_in
from interpreter.machine import Machine
from interpreter.match import Match
from interpreter.state import BLOCK, SLOTS, Frame, State
from interpreter.step_context import Step
from rulespec.core import tree
from rulespec.core.tree import Op, Origin, walk_operations


@frozen
class ValueChange:
    """An assignment to a variable, and the number of choices before it."""

    variable: int
    before: Any
    after: Any
    why: Derivation
    origin: Origin
    choices: int


@frozen
class VariableHistory:
    """The initial values of all variables, the changes of some, and what ended the game, if it is over."""

    starts: tuple[Any, ...] = ()
    changes: tuple[ValueChange, ...] = ()
    ending: Origin | None = None


NO_PAST = VariableHistory()


@define
class _Look:
    """The notes taken while a game is played again."""

    machine: Machine
    to: Listener
    is_over: bool
    choices: int = 0
    changes: list[ValueChange] = field(factory=list)
    ending: Origin | None = None


def relive(match: Match, to: Listener, variables: Collection[str]) -> VariableHistory:
    """Play a game once more, and note all assignments to these variables.

    An assignment of the same value counts, too: a round may add nothing. It tells no secret in rules that the
    information check accepts, as that checks every assignment to a public variable.
    """
    engine = machines.build_machine(match.game.code, len(match.names))
    look = _Look(engine, to, match.over)
    for steps, block in zip(engine.steps, engine.blocks, strict=True):
        for number, instruction in enumerate(block.code):
            if isinstance(instruction, tree.End):
                steps[number] = _ending(look, steps[number], instruction.origin)
            elif isinstance(instruction, tree.Assign) and instruction.target.variable in variables:
                steps[number] = _noting(look, steps[number], block, instruction)
    state = machines.start(engine, match.seed, match.first, names=match.names)
    for choice in match.choices:
        look.choices += 1
        machines.apply(engine, state, choice.number)
    ending = look.ending
    if match.over and ending is None:
        ending = engine.layout.code.blocks["play"].origin
    starts = machines.blank_state(engine, state.first, None).variables
    return VariableHistory(tuple(starts), tuple(look.changes), ending)


def _ending(look: _Look, step: Step, origin: Origin) -> Step:
    def end(s: State, f: Frame) -> Any:
        block = look.machine.blocks[s.stack[-1][BLOCK]]
        look.ending = find_reason(look.machine.layout.code, block, origin)
        return step(s, f)

    return end


def find_reason(code: Code, block: Block, origin: Origin) -> Origin:
    """The place where the rules say why the game ends: at `end`, above its rule, or above its trigger."""
    awaited = [
        code.functions[op.word].origin
        for row in code.triggers
        if row.block == block.name
        for op in walk_operations(row.condition)
        if op.name == "call"
    ]
    told = [each for each in (origin, block.origin, *awaited) if each.sentence is not None]
    return told[0] if told else origin


def _noting(look: _Look, step: Step, block: Block, instruction: tree.Assign) -> Step:
    """The same step, which also notes the value and its derivation."""
    target, context = instruction.target, look.machine.context.expressions
    family = look.machine.layout.variable_families[target.variable or ""]
    size = len(block.slots) + SLOTS
    indices = [whole(context, each, size, block.scratch) for each in target.indices]
    # Everybody sees which variable changes.
    known = [slot for each in target.indices for slot in _slots_named(each)]

    def note(s: State, f: Frame) -> Any:
        number = place_in(family, [index(s, f) for index in indices])
        if not look.is_over and not look.to.sees(look.machine.visibility.variables[number]):
            return step(s, f)
        before, left = s.variables[number], s.left
        why = derive(
            look.machine,
            s,
            instruction.value,
            look.to,
            slots=f[SLOTS:],
            scratch=block.scratch,
            open_slots=known,
            is_over=look.is_over,
        )
        s.left = left
        found = step(s, f)
        after = s.variables[number]
        look.changes.append(
            ValueChange(number, before, after, why, instruction.origin, look.choices)
        )
        return found

    return note


def _slots_named(op: Op) -> tuple[int, ...]:
    """The slot of an index, if the index is just a slot."""
    while op.name in ("needed", "among", "within"):
        (op,) = op.operands
    return (op.place,) if op.name == "slot" else ()
