"""A layout and flat code -> the context that all steps of a table share, and the functions that take answers.

The machine calls this once for a table. An answer is a function too: it finishes an instruction that has waited.
"""

from collections.abc import Callable
from typing import Any, assert_never

from interpreter import flat
from interpreter.asking import finish_choice, finish_draw, take_sealed
from interpreter.dependencies import reads
from interpreter.event_log import Visibility
from interpreter.expressions import ExpressionContext, meaning, whole
from interpreter.flat import Code
from interpreter.layout import Layout
from interpreter.moving import set_order
from interpreter.state import AT, SETUP, SLOTS, State
from interpreter.step_context import StepContext
from interpreter.work import bounded
from rulespec.core import tree
from rulespec.core.tree import Op


def evaluate_early(expressions: ExpressionContext) -> Callable[[Op, list[Any], int], Any]:
    """An evaluator for expressions that need no state: it runs while the table is built."""
    blank = State()
    blank.phase, blank.first = SETUP, 0

    def evaluate(op: Op, slots: list[Any], scratch: int) -> Any:
        with bounded(blank, op.span):
            return whole(expressions, op, len(slots) + SLOTS, scratch)(blank, [0, 0, *slots])

    return evaluate


def build_context(expressions: ExpressionContext, blocks: list[flat.Block]) -> StepContext:
    """What all steps need: the numbers of blocks and triggers, and the initial values of variables."""
    layout, code = expressions.layout, expressions.layout.code
    numbers = {block.name: n for n, block in enumerate(blocks)}
    blanks = [_blank_slots(block) for block in blocks]
    context = StepContext(expressions, Visibility(layout), numbers, blanks)
    context.results = [_results(block) for block in blocks]
    for row in code.triggers:
        test = meaning(expressions, row.condition, SLOTS)
        context.tests.append(lambda s, test=test: test(s, [0, 0]))  # type: ignore[misc]  # bound now
        context.trigger_blocks.append(numbers[row.block])
    _note_readers(context, code)
    for rule, variables in layout.resets.items():
        context.resets[rule] = _reset(expressions, layout, variables)
    return context


def _blank_slots(block: flat.Block) -> list[Any]:
    """The slots of a block at entry; slots for the rest of a loop are None outside of the loop."""
    return [
        None if name == "(for)" else value
        for (name, _), value in zip(block.slots, block.blank, strict=True)
    ]


def _results(block: flat.Block) -> dict[int, int]:
    return {
        n + 1: each.into + SLOTS
        for n, each in enumerate(block.code)
        if isinstance(each, tree.Call) and each.into is not None
    }


def build_answers(context: StepContext, blocks: list[flat.Block]) -> list[list[Any]]:
    """For each instruction of each block that waits: the function that finishes it."""
    return [[_answer(context, block, n) for n in range(len(block.code))] for block in blocks]


def _answer(context: StepContext, block: flat.Block, number: int) -> Any:
    """The function that finishes an instruction that waits."""
    instruction = block.code[number]
    match instruction:
        case tree.Choose():
            return finish_choice(context, block, instruction)
        case tree.Each():
            return take_sealed(instruction)
        case tree.Draw():
            return finish_draw(context, block, instruction)
        case tree.Shuffle(zone, origin):
            place = whole(context.expressions, zone, len(block.slots) + SLOTS, block.scratch)

            def lay(s: State, f: list[Any], order: tuple[int, ...]) -> None:
                z = place(s, f)
                f[AT] += 1
                set_order(context, s, z, order, origin)

            return lay
        case _ if isinstance(instruction, flat.Quiet):
            return None
        case _:
            assert_never(instruction)


def _reset(expressions: ExpressionContext, layout: Layout, numbers: tuple[int, ...]) -> Any:
    """A function that resets all variables of a rule at once."""
    starts = []
    for n in numbers:
        row, _ = layout.variables[n]
        starts.append((n, whole(expressions, row.start, SLOTS, row.scratch)))

    def reset(s: State) -> None:
        values = [(n, start(s, [0, 0])) for n, start in starts]
        for n, value in values:
            s.variables[n] = value

    return reset


# [trigger.readers]
def _note_readers(context: StepContext, code: Code) -> None:
    """Note which triggers read which zones and variables: a change tests only the triggers that read it."""
    layout = context.expressions.layout
    zones: list[list[int]] = [[] for _ in layout.zones]
    variables: list[list[int]] = [[] for _ in layout.variables]
    for t, row in enumerate(code.triggers):
        read_zones, read_variables = reads(code, row.condition)
        for n, zone in enumerate(layout.zones):
            if read_zones is None or zone.row.name in read_zones:
                zones[n].append(t)
        for n, (variable, _) in enumerate(layout.variables):
            if variable.name in read_variables:
                variables[n].append(t)
    context.zone_triggers = [tuple(each) for each in zones]
    context.variable_triggers = [tuple(each) for each in variables]
