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
    """Keep the elements of a set in a slot, to be run through by `Next`."""

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
    """Keep a number in a slot, to be counted down by `Again`."""

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
    """Go on elsewhere."""

    to: int
    origin: Origin


@frozen
class Unless:
    """Go on elsewhere if the condition does not hold."""

    condition: Op
    to: int
    origin: Origin


# [code.instruction]
Instruction: TypeAlias = Simple | Iterate | Next | Times | Again | Jump | Unless
# What is done without asking anybody, chance included.
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
    """As `tree.Block`, with instructions beside the statements from which they were made."""

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
