"""A program -> warnings about what its author has probably forgotten: to shuffle a pile, or to unpack pieces.

Implements docs/language/12-checks.md, "Forgotten". Both are warnings, because the game is
playable. Only whole games are checked: a part of a game leaves the rest to other files.
"""

from collections.abc import Iterable, Iterator

import attrs
from attrs import define, field

from rulespec import codes
from rulespec.checking.builtins import ENGINE_CALLS
from rulespec.checking.declarations import Declarations, used_names
from rulespec.core import tree
from rulespec.core.tree import Block, Core, Op, Origin, Statement, walk_operations
from rulespec.core.types import Face, Piece, Place, Type, element
from rulespec.diagnostics import Diagnostic
from rulespec.elaboration.programs import elaborate_program
from rulespec.syntax import nodes

HIDDEN = ("nobody", "owner", "others")
# Operations whose pieces may come from any zone: names and functions.
ELSEWHERE = frozenset({"slot", "bound", "variable", "call", "named", "row", "member_of"})


@define
class _Pile:
    """What the rules do with one pile."""

    filled: list[Origin] = field(factory=list)  # moves that fill it straight from the box
    kinds: set[str] = field(factory=set)  # the kinds of pieces that come from the box
    mixed: bool = False  # whether it is shuffled, or gets pieces from other zones
    dealt: bool = False


def check_forgotten(declared: Declarations) -> Iterator[Diagnostic]:
    """Warn about piles that are dealt from but never shuffled, and kinds of pieces that stay in the box."""
    if declared.game is None or "play" not in declared.routines:
        return
    core = elaborate_program(declared)
    statements = [*_statements_of(core)]
    yield from _unshuffled(core, statements)
    yield from _left_in_box(declared, core, statements)


Guards = tuple[tree.If, ...]


def _statements_of(core: Core[Block]) -> Iterator[tuple[Statement, Guards]]:
    """All statements that a game may reach, each with the conditions around it."""
    waiting = [*ENGINE_CALLS, *(row.block for row in core.triggers)]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in reached or name not in core.blocks:
            continue
        reached.add(name)
        for each, guards in _within(core.blocks[name].body, ()):
            yield each, guards
            if isinstance(each, tree.Call):
                waiting.append(each.block)
            elif isinstance(each, tree.Enter):
                waiting += [block for _, block in each.rows]


def _within(body: Iterable[Statement], guards: Guards) -> Iterator[tuple[Statement, Guards]]:
    for each in body:
        yield each, guards
        if isinstance(each, tree.If):
            yield from _within(each.body, (*guards, each))
            yield from _within(each.otherwise or (), guards)
        elif isinstance(each, tree.For | tree.Repeat):
            yield from _within(each.body, guards)


def _zones(*ops: Op) -> set[str]:
    """The zones that the operations name."""
    return {op.word for op in walk_operations(*ops) if op.name == "zone"}


def _kinds(type_: Type) -> frozenset[str]:
    inner = element(type_)
    return inner.kinds if isinstance(inner, Piece | Place | Face) else frozenset()


# ---- Piles that nobody shuffles ------------------------------------------------------------------


def _unshuffled(
    core: Core[Block], statements: list[tuple[Statement, Guards]]
) -> Iterator[Diagnostic]:
    piles = {
        row.name: _Pile() for row in core.zones if row.order == "pile" and row.seen_by in HIDDEN
    }
    for statement, guards in statements:
        if isinstance(statement, tree.Shuffle):
            _note_shuffle(piles, statement, guards)
        elif isinstance(statement, tree.Move):
            _note_move(piles, statement, guards)
    for name, pile in piles.items():
        if pile.filled and pile.dealt and not pile.mixed and _differ(core, pile.kinds):
            message = f"cards are dealt from `{name}`, but nothing shuffles it after this"
            hint = f"write `shuffle {name}` below this line"
            span = pile.filled[-1].span
            yield Diagnostic(codes.UNSHUFFLED, message, span, hint=hint, severity="warning")


def _note_shuffle(piles: dict[str, _Pile], shuffle: tree.Shuffle, guards: Guards) -> None:
    named = _zones(shuffle.zone)
    for name in named or piles:  # a parameter may be any zone
        if name in piles and not _restocks(name, guards):
            piles[name].mixed = True


def _note_move(piles: dict[str, _Pile], move: tree.Move, guards: Guards) -> None:
    for op in walk_operations(move.pieces):
        if op.name in ("top", "top_several"):
            for name in _zones(op.operands[0]) & piles.keys():
                piles[name].dealt = True
            if any(each.name in ELSEWHERE for each in walk_operations(op.operands[0])):
                for pile in piles.values():
                    pile.dealt = True
    named = _zones(move.zone)
    for name in named or piles:
        if name not in piles:
            continue
        loose = any(op.name in ELSEWHERE and _kinds(op.type) for op in walk_operations(move.pieces))
        if _zones(move.pieces) == {"box"} and not loose and named:
            piles[name].filled.append(move.origin)
            piles[name].kinds |= _kinds(move.pieces.type)
        elif not _restocks(name, guards):
            piles[name].mixed = True


def _restocks(name: str, guards: Guards) -> bool:
    """Whether a statement refills a used-up pile, which says nothing about its first cards."""
    return any(name in _zones(guard.condition) and not _fills(name, guard.body) for guard in guards)


def _fills(name: str, body: Iterable[Statement]) -> bool:
    return any(
        isinstance(each, tree.Move) and name in _zones(each.zone) and "box" in _zones(each.pieces)
        for each, _ in _within(body, ())
    )


def _differ(core: Core[Block], kinds: set[str]) -> bool:
    """Whether pieces of these kinds can look different."""
    rows = [row for row in core.pieces if row.kind in kinds]
    return len(rows) > 1 or any(over is not None for row in rows for _, over, _ in row.ranged)


# ---- Pieces that stay in the box -----------------------------------------------------------------


def _left_in_box(
    declared: Declarations, core: Core[Block], statements: list[tuple[Statement, Guards]]
) -> Iterator[Diagnostic]:
    """The kinds that no rule takes out of the box, because no value contains pieces from it."""
    moves = any(isinstance(each, tree.Move) for each, _ in statements)
    read = [op for each, _ in statements for op in _operations(each)]
    read += [row.cell for function in core.functions.values() for row in function.rows]
    taken = {kind for op in read if "box" in _zones(op) for kind in _taken_kinds(op)}
    named = {
        name.text
        for file in declared.files
        for item in file.items
        if isinstance(item, nodes.Variant)
        for name in used_names(item)
    }
    for kind, rows in declared.kinds.items():
        if moves and kind not in taken | named and rows[0].layer.origin != "mechanism":
            message = f"no rule takes a `{kind}` out of the box"
            hint = f"write `move box[{kind}] to …` in `setup`, or delete this row"
            span = rows[0].node.kind.span
            yield Diagnostic(codes.LEFT_IN_BOX, message, span, hint=hint, severity="warning")


def _operations(statement: Statement) -> Iterator[Op]:
    """The expressions of a statement itself, not those of nested statements."""
    for part in attrs.fields(type(statement)):
        value = getattr(statement, part.name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Op):
                yield each


def _taken_kinds(op: Op) -> frozenset[str]:
    """The kinds of the pieces that a value contains; pieces that are only counted are left out."""
    if op.name in ("count", "count_of", "empty", "any_looks", "looks", "pair_up"):
        return frozenset()
    kinds = _kinds(op.type)
    if kinds or "box" not in _zones(op):
        return kinds
    return frozenset().union(*(_taken_kinds(each) for each in op.operands))
