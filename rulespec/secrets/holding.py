"""The moves of a program -> which kinds of pieces each zone may hold, and the kinds whose pieces all look alike."""

from collections.abc import Iterator
from typing import assert_never

from rulespec.core import tree
from rulespec.core.tree import Block, Core, Op
from rulespec.core.types import Family, Piece, Several, Type, present

Kinds = frozenset[str]
# Operations that give some or all pieces of their first operand.
SELECTING = frozenset(
    {"top", "top_several", "filter", "having", "matching", "unlike", "difference"}
)
SELECTING |= {"single", "perhaps", "needed", "or_empty", "listed", "best_of", "least_of"}


def alike_kinds(core: Core[Block]) -> Kinds:
    """The kinds whose pieces all have the same face."""
    rows = {
        row.kind: [each for each in core.pieces if each.kind == row.kind] for row in core.pieces
    }
    return frozenset(
        kind
        for kind, own in rows.items()
        if len(own) == 1 and all(domain is None for _, domain, _ in own[0].ranged)
    )


def kinds_of_type(type_: Type) -> Kinds | None:
    """The kinds of pieces of a type, or `None` if it is not a type of pieces."""
    inner = present(type_)
    while isinstance(inner, Several | Family):
        inner = present(inner.of)
    return inner.kinds if isinstance(inner, Piece) else None


def kinds_held(core: Core[Block]) -> dict[str, Kinds]:
    """The kinds that each zone may hold: those that are moved there, provided that all pieces start in the box."""
    declared = {row.name: row.holds for row in core.zones}
    if "setup" not in core.blocks:
        return declared
    moves = [node for block in core.blocks.values() for node in _moves(block.body)]
    held = {name: kinds if name == "box" else Kinds() for name, kinds in declared.items()}
    while True:
        before = dict(held)
        for node in moves:
            moved = _kinds(node.pieces, held)
            goals = [node.zone.word] if node.zone.name == "zone" else list(held)
            for name in goals:
                held[name] |= moved & declared[name]
        if held == before:
            return held


def _kinds(op: Op, held: dict[str, Kinds]) -> Kinds:
    """The kinds of the pieces of an expression, by its type and by what the zones hold so far."""
    own = kinds_of_type(op.type) or Kinds()
    if op.name in SELECTING:
        return own & _kinds(op.operands[0], held)
    if op.name in {"list", "union"}:
        return own & frozenset[str]().union(*(_kinds(each, held) for each in op.operands))
    if op.name in {"contents", "gather"} and op.operands[0].name == "zone":
        return own & held[op.operands[0].word]
    return own


def _moves(body: tree.Body) -> Iterator[tree.Move]:
    for node in body:
        match node:
            case tree.Move():
                yield node
            case tree.If(_, then, otherwise):
                yield from _moves((*then, *(otherwise or ())))
            case tree.For() | tree.Repeat():
                yield from _moves(node.body)
            case tree.Assign() | tree.Clear() | tree.Shuffle() | tree.Show() | tree.Announce():
                pass
            case tree.Tell() | tree.Draw() | tree.Choose() | tree.Each() | tree.Call():
                pass
            case tree.Enter() | tree.Return() | tree.Stop() | tree.End():
                pass
            case _:
                assert_never(node)


def is_clear(core: Core[Block], op: Op) -> bool:
    """Whether a non-empty set always has one best piece, if no two pieces look alike: all have different values."""
    inner = op.operands[1]
    while inner.name in {"needed", "within"}:
        inner = inner.operands[0]
    mine = inner.operands[0] if inner.name == "attribute" else inner
    if mine.name != "bound" or mine.place != op.place:
        return False
    kinds = kinds_of_type(op.type) or frozenset()
    rows = [row for row in core.pieces if row.kind in kinds]
    ranged = [name for row in rows for name, domain, _ in row.ranged if domain is not None]
    return len(rows) == 1 and ranged == [inner.word]
