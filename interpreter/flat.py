"""Flat code: the core with jumps instead of structured control, as the reference machine runs it.

Implements docs/language/13-semantics.md, "Flat code". Between any two instructions a game can be stored.
`interpreter.flattening` makes it.
"""

from typing import Any, TypeAlias

from attrs import field, frozen

from rulespec.core import tree
from rulespec.core.tree import Body, Core, Op, Origin, Simple
from rulespec.core.types import Type


@frozen
class Iterate:
    """Keep the elements of a set in a slot, for `Next` to take one by one."""

    slot: int
    values: Op
    origin: Origin


@frozen
class Next:
    """Take the next element from `slot` to `into`, or go to `exit` if there is none."""

    slot: int
    into: int
    exit: int
    origin: Origin


@frozen
class Times:
    """Keep a number in a slot, for `Again` to count down."""

    slot: int
    number: Op
    origin: Origin


@frozen
class Again:
    """Count down, or go to `exit` at zero."""

    slot: int
    exit: int
    origin: Origin


@frozen
class Jump:
    """Go to another instruction."""

    to: int
    origin: Origin


@frozen
class Unless:
    """Go to another instruction if the condition does not hold."""

    condition: Op
    to: int
    origin: Origin


# [code.instruction]
Instruction: TypeAlias = Simple | Iterate | Next | Times | Again | Jump | Unless
# Instructions that ask neither a player nor chance.
Quiet: TypeAlias = (
    tree.Assign
    | tree.Clear
    | tree.Move
    | tree.Show
    | tree.Announce
    | tree.Tell
    | tree.Call
    | tree.Enter
    | tree.Return
    | tree.End
    | Iterate
    | Next
    | Times
    | Again
    | Jump
    | Unless
)


@frozen
class Block:
    """Like `tree.Block`, with the instructions that its statements were flattened to."""

    name: str
    title: str
    params: int
    blank: tuple[Any, ...]
    slots: tuple[tuple[str, Type | None], ...]
    body: Body = field(eq=False, repr=False)
    code: tuple[Instruction, ...]
    scratch: int
    origin: Origin


Code: TypeAlias = Core[Block]
