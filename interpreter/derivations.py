"""How a value came about, as a tree: what each operation found, and from which parts.

`interpreter.deriving` makes it for one listener. A value that depends on pieces which the listener does not see is
`Closed`: it holds no value, and no parts if these would reveal the value.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, assert_never

from attrs import frozen

from rulespec.core.tree import Function, FunctionRow, Op


@frozen
class Closed:
    """A value that the listener may not know; for pieces, everyone knows how many there are.

    It has parts only if all of them are always evaluated, as in a sum of open and closed values.
    """

    op: Op
    count: int | None = None
    parts: "tuple[Derivation, ...]" = ()


@frozen
class Element:
    """An element of the set that a fold iterates over, with the number of that fold."""

    op: Op
    value: Any
    fold: int


@frozen
class Plain:
    """An operation with those of its operands that the engine evaluated."""

    op: Op
    value: Any
    parts: "tuple[Derivation, ...]" = ()


@frozen
class Folded:
    """An operation on the elements of a set: what it found for each element that it evaluated."""

    op: Op
    value: Any
    fold: int
    over: "Derivation"
    members: "tuple[tuple[Any, Derivation], ...]"


@frozen
class CallDerivation:
    """A `let` or a table: its arguments, what its keys were compared with, and the row that matched."""

    op: Op
    value: Any
    function: Function
    arguments: "tuple[Derivation, ...]"
    inputs: "tuple[Derivation, ...]"
    row: FunctionRow
    cell: "Derivation"


Derivation: TypeAlias = Closed | Element | Plain | Folded | CallDerivation


def value_of(found: Derivation) -> Any:
    """The value of a derivation; a closed one has none."""
    if isinstance(found, Closed):
        raise TypeError("what is closed has no value")
    return found.value


def child_derivations(found: Derivation) -> "Sequence[Derivation]":
    """The parts of a derivation, in the order of evaluation."""
    match found:
        case Element():
            return ()
        case Plain(parts=parts) | Closed(parts=parts):
            return parts
        case Folded(over=over, members=members):
            return (over, *(each for _, each in members))
        case CallDerivation(arguments=arguments, inputs=inputs, cell=cell):
            return (*arguments, *inputs, cell)
        case _:
            assert_never(found)


def walk_tree(found: Derivation) -> Iterator[Derivation]:
    """A derivation and all its descendants."""
    waiting = [found]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(child_derivations(each))


def folds_in(found: Derivation) -> frozenset[int]:
    """The folds on whose elements a value depends, not including its own."""
    used = {each.fold for each in walk_tree(found) if isinstance(each, Element)}
    own = {each.fold for each in walk_tree(found) if isinstance(each, Folded)}
    return frozenset(used - own)
