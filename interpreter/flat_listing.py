"""Flat code -> a line for each instruction, numbered, so that jumps can be followed.

For people who write engines; `rulespec compile FILE --flat` prints it.
"""

from collections.abc import Iterator
from typing import assert_never

from interpreter import flat
from interpreter.flat import Block, Code, Instruction
from rulespec.core.printer import print_block_head, print_operation, print_statement
from rulespec.core.tree import Simple


def list_flat_code(code: Code) -> str:
    """All blocks of a program, each with its slots and its instructions."""
    blocks = ("\n".join(_block_lines(code, block)) for block in code.blocks.values())
    return "\n\n".join(blocks) + "\n"


def _block_lines(code: Code, block: Block) -> Iterator[str]:
    yield print_block_head(block)
    wide = len(str(len(block.code)))
    for number, instruction in enumerate(block.code):
        first, *more = _instruction_lines(code, block, instruction)
        yield f"  {number:{wide}}  {first}"
        yield from (f"  {'':{wide}}  {line}" for line in more)


def _instruction_lines(code: Code, block: Block, instruction: Instruction) -> Iterator[str]:
    match instruction:
        case flat.Iterate(slot, values):
            yield f"{block.slots[slot][0]} = elements of {print_operation(code, block, values)}"
        case flat.Next(slot, into, exit_):
            yield f"{block.slots[into][0]} = next of {block.slots[slot][0]}, at the end go to {exit_}"
        case flat.Times(slot, number):
            yield f"{block.slots[slot][0]} = {print_operation(code, block, number)} times"
        case flat.Again(slot, exit_):
            yield f"count down {block.slots[slot][0]}, at zero go to {exit_}"
        case flat.Jump(to):
            yield f"go to {to}"
        case flat.Unless(condition, to):
            yield f"unless {print_operation(code, block, condition)} go to {to}"
        case _ if isinstance(instruction, Simple):
            yield from print_statement(code, block, instruction)
        case _:
            assert_never(instruction)
