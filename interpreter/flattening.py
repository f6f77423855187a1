"""The core -> flat code: loops and branches become jumps.

The reference machine can then stop between any two instructions. The result depends on the statements alone.
"""

from typing import assert_never

import attrs
from attrs import define, evolve, field

from interpreter.flat import Again, Block, Code, Instruction, Iterate, Jump, Next, Times, Unless
from rulespec.core import tree
from rulespec.core.tree import Body, Core, Origin, Simple


def flatten(core: Core[tree.Block]) -> Code:
    """A whole program as flat code."""
    parts = {each.name: getattr(core, each.name) for each in attrs.fields(Core)}
    blocks = {name: flatten_block(block) for name, block in core.blocks.items()}
    return Core(**{**parts, "blocks": blocks})


def flatten_block(block: tree.Block) -> Block:
    writer = _Writer()
    _write(writer, block.body)
    parts = {each.name: getattr(block, each.name) for each in attrs.fields(tree.Block)}
    return Block(code=tuple(writer.code), **parts)


@define
class _Writer:
    """A block being written: its code so far, and for each enclosing loop the jumps that leave it."""

    code: list[Instruction] = field(factory=list)
    exits: list[list[int]] = field(factory=list)

    def emit(self, instruction: Instruction) -> int:
        self.code.append(instruction)
        return len(self.code) - 1

    def land(self, number: int) -> None:
        """Let a jump go to the next instruction."""
        jump, here = self.code[number], len(self.code)
        if isinstance(jump, Next | Again):
            self.code[number] = evolve(jump, exit=here)
        elif isinstance(jump, Jump | Unless):
            self.code[number] = evolve(jump, to=here)


def _write(writer: _Writer, body: Body) -> None:
    for statement in body:
        match statement:
            case tree.If():
                _if(writer, statement)
            case tree.For(rest, into, values, inner, origin):
                writer.emit(Iterate(rest, values, origin))
                head = writer.emit(Next(rest, into, -1, origin))
                _loop(writer, inner, head, origin)
                writer.land(head)
                writer.emit(tree.Clear((rest, into), origin))
            case tree.Repeat(left, times, inner, origin) if left is not None and times is not None:
                writer.emit(Times(left, times, origin))
                head = writer.emit(Again(left, -1, origin))
                _loop(writer, inner, head, origin)
                writer.land(head)
                writer.emit(tree.Clear((left,), origin))
            case tree.Repeat(_, _, inner, origin):
                _loop(writer, inner, len(writer.code), origin)
            case tree.Stop(origin):
                writer.exits[-1].append(writer.emit(Jump(-1, origin)))
            case _ if isinstance(statement, Simple):
                writer.emit(statement)
            case _:
                assert_never(statement)


def _if(writer: _Writer, node: tree.If) -> None:
    skip = writer.emit(Unless(node.condition, -1, node.origin))
    _write(writer, node.body)
    if node.otherwise is None:
        writer.land(skip)
        return
    leave = writer.emit(Jump(-1, node.origin))
    writer.land(skip)
    _write(writer, node.otherwise)
    writer.land(leave)


def _loop(writer: _Writer, body: Body, head: int, origin: Origin) -> None:
    """Write the body of a loop and the jump back to its head; jumps that leave it land behind it."""
    writer.exits.append([])
    _write(writer, body)
    writer.emit(Jump(head, origin))
    for jump in writer.exits.pop():
        writer.land(jump)
