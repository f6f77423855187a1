"""Pieces: their attributes, and how they look.

Short names: `s` state, `f` slots of the frame, with those of bound names behind them.
"""

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.errors import Crash, RuleFault
from interpreter.expressions import (
    ExpressionContext,
    Meaning,
    Slots,
    builder,
    meaning,
    meanings_of,
    of_values,
    plain,
)
from interpreter.layout import Layout
from interpreter.operations.sets import canonical
from interpreter.state import State
from interpreter.work import spend
from rulespec import codes
from rulespec.core.tree import Op
from rulespec.core.types import Choice, Number, Type, present


# [expr.attribute]
@builder("attribute")
def _attribute(context: ExpressionContext, op: Op, size: int) -> Meaning:
    piece = meaning(context, op.operands[0], size)
    table = context.layout.attributes[op.word]
    missing = next(
        () if row.set_valued else None
        for row in context.layout.code.attributes
        if row.name == op.word
    )

    def get(s: State, f: Slots) -> Any:
        c = piece(s, f)
        return missing if c is None else table[c]

    return get


@builder("attributes")
def _attributes(context: ExpressionContext, op: Op, size: int) -> Meaning:
    pieces = meaning(context, op.operands[0], size)
    table = context.layout.attributes[op.word]
    form = canonical(context.layout, op.order)
    if any(row.set_valued for row in context.layout.code.attributes if row.name == op.word):

        def every(s: State, f: Slots) -> tuple[Any, ...]:
            found = [v for c in pieces(s, f) for v in table[c]]
            spend(s, len(found))
            return form(found)

        return every

    def each(s: State, f: Slots) -> tuple[Any, ...]:
        found = pieces(s, f)
        spend(s, len(found))
        return form([table[c] for c in found if table[c] is not None])

    return each


# [expr.having]
@builder("having")
def _having(context: ExpressionContext, op: Op, size: int) -> Meaning:
    pieces, values = meanings_of(context, op.operands, size)
    table = context.layout.attributes[op.word]
    if any(row.set_valued for row in context.layout.code.attributes if row.name == op.word):

        def having_some(s: State, f: Slots) -> tuple[int, ...]:
            wants = frozenset(values(s, f))
            found = pieces(s, f)
            spend(s, sum(1 + len(table[c]) for c in found))
            return tuple([c for c in found if any(v in wants for v in table[c])])

        return having_some

    def having(s: State, f: Slots) -> tuple[int, ...]:
        wants = frozenset(values(s, f))
        found = pieces(s, f)
        spend(s, len(found))
        return tuple([c for c in found if table[c] in wants])

    return having


@builder("look")
def _look(context: ExpressionContext, op: Op, _size: int) -> Meaning:
    found = faces_of(context.layout, op.face)
    return lambda _s, _f: found


# [expr.face]
def faces_of(layout: Layout, parts: tuple[tuple[str, Any], ...]) -> frozenset[int]:
    """The pieces that have a kind, members and numbers, each in an attribute of its own, or by its name."""
    if parts in layout.pieces_by_face:
        return layout.pieces_by_face[parts]
    sorts = {row.name: _sort(row.type) for row in layout.code.attributes}
    found = []
    for number, piece in enumerate(layout.pieces):
        table = {name: values[number] for name, values in layout.attributes.items()}
        free = [(name, table[name]) for name in table if name in piece.row.read]
        if all(
            _has(table[part[0][1:]], part[1])
            if part[0].startswith("=")
            else _fits(piece.kind, free, sorts, part)
            for part in parts
        ):
            found.append(number)
    # Not in the language: who asks again is told the same, once all pieces are there.
    if layout.faces:
        layout.pieces_by_face[parts] = frozenset(found)
    return frozenset(found)


def _sort(type_: Type) -> str:
    """Which word of a face names a value of this type."""
    match present(type_):
        case Number():
            return "number"
        case Choice():
            return "member"
        case _:
            return ""


def _fits(
    kind: str, free: list[tuple[str, Any]], sorts: Mapping[str, str], part: tuple[str, Any]
) -> bool:
    sort, value = part
    if sort == "kind":
        return bool(kind == value)
    for n, (name, each) in enumerate(free):
        if sorts[name] != sort or each is None:
            continue
        if _has(each, value):
            del free[n]
            return True
    return False


def _has(each: Any, value: Any) -> bool:
    """Whether an attribute is this value, or one of its values is."""
    return value in each if isinstance(each, tuple) else bool(value == each)


@builder("any_look")
def _any_look(context: ExpressionContext, op: Op, size: int) -> Meaning:
    looks = meanings_of(context, op.operands, size)

    def any_look(s: State, f: Slots) -> frozenset[int]:
        found: frozenset[int] = frozenset().union(*(look(s, f) for look in looks))
        spend(s, len(found))
        return found

    return any_look


@builder("look_members")
def _look_members(context: ExpressionContext, op: Op, size: int) -> Meaning:
    values = meaning(context, op.operands[0], size)
    table = [
        faces_of(context.layout, (("member", m),)) for m in range(len(context.layout.code.members))
    ]

    def look(s: State, f: Slots) -> frozenset[int]:
        found: tuple[int, ...] = values(s, f)
        if len(found) == 1:
            return table[found[0]]
        like = frozenset[int]().union(*(table[m] for m in found))
        spend(s, len(found) + len(like))
        return like

    return look


@of_values("look_pieces")
def _look_pieces(s: State, _op: Op, found: tuple[int, ...]) -> frozenset[int]:
    spend(s, len(found))
    return frozenset(found)


# [expr.selection]
def _by_look(name: str, pick: Callable[[tuple[int, ...], frozenset[int]], Any]) -> None:
    """What is asked of pieces and a look, which is found first."""

    @builder(name)
    def build(context: ExpressionContext, op: Op, size: int) -> Meaning:
        pieces, look = meanings_of(context, op.operands, size)

        def picked(s: State, f: Slots) -> Any:
            like, found = look(s, f), pieces(s, f)
            spend(s, len(found))
            return pick(found, like)

        return picked


_by_look("matching", lambda found, like: tuple([c for c in found if c in like]))
_by_look("unlike", lambda found, like: tuple([c for c in found if c not in like]))
_by_look("any_looks", lambda found, like: any(c in like for c in found))
plain("looks", lambda piece, like: piece in like)


@builder("pair_up")
def _pair_up(context: ExpressionContext, op: Op, size: int) -> Meaning:
    pieces, *looks = meanings_of(context, op.operands, size)

    def paired(s: State, f: Slots) -> bool:
        found = pieces(s, f)
        spend(s, len(found) * len(looks) ** 2)
        return len(found) == len(looks) and pair(
            [[n for n, c in enumerate(found) if c in like] for like in (p(s, f) for p in looks)]
        )

    return paired


# [expr.pairing]
def pair(candidates: list[list[int]]) -> bool:
    """Whether each can have one of its candidates, no two the same."""
    taken: dict[int, int] = {}

    def place(n: int, tried: set[int]) -> bool:
        for each in candidates[n]:
            if each not in tried:
                tried.add(each)
                if each not in taken or place(taken[each], tried):
                    taken[each] = n
                    return True
        return False

    return all(place(n, set()) for n in range(len(candidates)))


# [example.named]
@builder("named")
def _named(context: ExpressionContext, op: Op, size: int) -> Meaning:
    texts = op.words
    looks = meanings_of(context, op.operands, size)

    def find(s: State, f: Slots) -> tuple[int, ...]:
        taken: list[int] = []
        for look, text in zip(looks, texts, strict=True):
            free = sorted(look(s, f) - {*taken})
            lying = [c for c in free if s.where[c] != 0]
            zones = {s.where[c] for c in lying}
            if not free or len(zones) > 1:
                where = "are pieces that look like" if free else "is no other piece that looks like"
                message = f"there {where} `{text}`" + (" in several zones" if free else "")
                raise RuleFault(codes.EXAMPLE_FAILS, message, op.span)
            taken.append((lying or free)[0])
        return tuple(taken)

    return find


@builder("knows")
def _knows(context: ExpressionContext, op: Op, size: int) -> Meaning:
    seat, pieces = meanings_of(context, op.operands, size)

    def knows(s: State, f: Slots) -> bool:
        if s.watch is None:
            raise Crash("nobody watches, so nobody knows")
        found = pieces(s, f)
        spend(s, len(found))
        known: bool = s.watch.knows(s, seat(s, f), found)
        return known

    return knows
