"""A part of a derivation -> its name in the words of players, or None if there is none.

The author's `word_for` comes first. A part without a name is merged into the part that contains it, because players
never see code.
"""

from collections.abc import Collection
from typing import Any

from interpreter.derivations import (
    CallDerivation,
    Closed,
    Derivation,
    Element,
    Folded,
    Plain,
    value_of,
)
from interpreter.display_names import Listener, name_pieces, noun, on_table, said, word_for
from interpreter.labels import piece_label
from rulespec.core import types
from rulespec.core.operations import OPERATIONS
from rulespec.core.tree import Op
from rulespec.core.types import Type, element, present
from rulespec.english import listed
from rulespec.source import text_of as source_text

# Conversions and tests, which return their operand.
_SAME = frozenset({"needed", "or_empty", "single", "perhaps", "slot"}) | {
    name for name, row in OPERATIONS.items() if row.keeps and row.fails and not row.lists
}
_FILTERS = frozenset({"matching", "having", "unlike", "filter"})


def strip(found: Derivation) -> Derivation:
    """The derivation without operations that only convert or test the value."""
    while isinstance(found, Plain) and found.op.name in _SAME and len(found.parts) == 1:
        found = found.parts[0]
    return found


def is_literal(found: Derivation) -> bool:
    """Whether a value is a literal in the rules, which needs no explanation."""
    found = strip(found)
    if not isinstance(found, Plain) or found.op.name in ("contents", "gather", "variable", "slot"):
        return False
    is_leaf = not found.op.operands and found.op.name in ("literal", "domain", "players", "seats")
    return is_leaf or (bool(found.parts) and all(is_literal(each) for each in found.parts))


def title_of(to: Listener, found: Derivation) -> str | None:
    """The title of a column that shows this value."""
    parameter = _parameter(to, found)
    if parameter is not None:
        return parameter
    found = strip(found)
    match found:
        case CallDerivation(function=function):
            return _name(to, function.name)
        case Plain(op=Op(name="if" | "in"), parts=(_, chosen)):
            if found.op.name == "if" and _is_mark(found.op):
                return title_of(to, found.parts[0])
            return title_of(to, chosen)
        case Plain(op=Op(name="count"), parts=(inner,)) if not _counted(to, found.op):
            return title_of(to, inner)
        case Plain() | Closed() | Folded() | Element():
            return op_title(to, found.op)


def _parameter(to: Listener, found: Derivation) -> str | None:
    """The author's words for a parameter; without them, the title of its argument."""
    while isinstance(found, Plain) and found.op.name in _SAME and len(found.parts) == 1:
        name = source_text(found.op.span) if found.op.name == "slot" else ""
        if name in to.layout.code.called:
            return _name(to, name)
        found = found.parts[0]
    return None


def op_title(to: Listener, op: Op) -> str | None:
    """The title of an expression in the rules, whatever its value."""
    match op.name:
        case "variable" | "option" | "attribute" | "attributes" | "zone":
            return _name(to, op.word)
        case "call" | "output":
            return _name(to, op.word)
        case "contents" | "gather" | "sum_of":
            return op_title(to, op.operands[0])
        case "count":
            return _counted(to, op) or op_title(to, op.operands[0])
        case _ if op.name in _FILTERS or (op.name in _SAME and op.operands):
            return op_title(to, op.operands[0])
    return None


def ranking_titles(to: Listener) -> tuple[str, ...]:
    """Titles for the rows of the ranking; by default, points or a tie-break."""
    return tuple(
        op_title(to, row.key) or (f"tie-break {number}" if number else "points")
        for number, row in enumerate(to.layout.code.ranking)
    )


def _is_mark(op: Op) -> bool:
    """`1 if … else 0`: the condition is its title."""
    _, value, otherwise = op.operands
    return value.name == otherwise.name == "literal" and {value.value, otherwise.value} == {0, 1}


def _name(to: Listener, name: str) -> str | None:
    """The word that people use for a declared name; for `amounts.stones`, the second word if necessary.

    An earlier version of a function, `score#0`, has the same title.
    """
    code = to.layout.code
    name = name.partition("#")[0]
    if not on_table(code, name):
        return None
    return word_for(code, name) if name in code.called else word_for(code, name.rpartition(".")[2])


def _counted(to: Listener, op: Op) -> str | None:
    """What is counted: `cards`, `black seals`, `sins`."""
    subject = op.operands[0]
    match present(element(subject.type) or types.UNKNOWN):
        case types.Piece(kinds) if _has_noun(to, kinds):
            face = _face(to, subject)
            several = noun(to.layout.code, kinds)[1]
            return f"{face} {several}" if face else several
        case types.Choice(enum) if subject.name == "attributes":
            return noun(to.layout.code, {enum})[1]
        case types.Seat():
            return "players"
    return None


def _has_noun(to: Listener, kinds: Collection[str]) -> bool:
    """Whether all pieces that may be counted have the same noun."""
    return len({word_for(to.layout.code, kind) for kind in kinds}) == 1


def _face(to: Listener, op: Op) -> str:
    """The value by which the rules select pieces, if there are words for it."""
    if op.name != "matching" or op.operands[1].name != "look":
        return ""
    members = to.layout.code.members
    return " ".join(
        members[int(what)].label if kind == "member" else str(what)
        for kind, what in op.operands[1].face
        if kind != "kind"
    )


def row_title(to: Listener, found: Derivation) -> str | None:
    """The title of a row that shows this value; for counted pieces, their zone."""
    found = strip(found)
    op = found.op
    if op.name == "count":
        subject = op.operands[0]
        if _face(to, subject):
            return op_title(to, op)
        while subject.name in _FILTERS:
            subject = subject.operands[0]
        if isinstance(found, Plain) and found.parts:
            return _lies_in(to, found.parts[0]) or title_of(to, found)
        return op_title(to, subject) or op_title(to, op)
    return title_of(to, found)


def _lies_in(to: Listener, found: Derivation) -> str | None:
    found = strip(found)
    match found:
        case Plain(parts=(first, *_)) if found.op.name in _FILTERS:
            return _lies_in(to, first)
        case Folded(over=over) if found.op.name in _FILTERS:
            return _lies_in(to, over)
        case _:
            return title_of(to, found)


def counted_noun(to: Listener, found: Derivation) -> tuple[str, str] | None:
    """The singular and plural of the things that a number counts; None unless they are of exactly one kind."""
    found = strip(found)
    match found:
        case CallDerivation(cell=cell):
            return counted_noun(to, cell)
        case Plain(op=Op(name="if"), parts=(_, chosen)):
            return counted_noun(to, chosen)
        case Plain(op=Op(name="add"), parts=parts):
            left = [each for each in parts if not is_literal(each) or value_of(each)]
            left = [each for each in left if value_of(each) or len(left) == 1] or left[:1]
            return counted_noun(to, left[0]) if len(left) == 1 else None
        case Plain(op=Op(name="count")):
            return _counted_noun(to, found.op)
        case _:
            return None


def _counted_noun(to: Listener, op: Op) -> tuple[str, str] | None:
    subject = op.operands[0]
    match present(element(subject.type) or types.UNKNOWN):
        case types.Piece(kinds) if _has_noun(to, kinds):
            return noun(to.layout.code, kinds)
        case types.Choice(enum):
            return noun(to.layout.code, {enum})
        case _:
            return None


# ---- Values --------------------------------------------------------------------------------------


def derived_type(found: Derivation) -> Type:
    """The type of the value of a derivation."""
    return found.function.type if isinstance(found, CallDerivation) else found.op.type


def value_text(to: Listener, value: Any, of: Type) -> str:
    """A value as it is shown in a table."""
    if isinstance(value, tuple) and isinstance(present(element(of) or of), types.Piece):
        return name_pieces(to, value)
    if isinstance(value, tuple):
        inner = element(of) or of
        return listed([value_text(to, each, inner) for each in value])
    if isinstance(present(of), types.Direction):
        return "the most win" if value else "the fewest win"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and isinstance(present(of), types.Number | types.Unknown):
        return number_text(value)
    if value is not None and isinstance(present(of), types.Piece):
        return piece_label(to.layout, value, to.names)
    return said(to.layout, value, of, to.names)


def number_text(value: int) -> str:
    """A number with a proper minus."""
    return str(value).replace("-", "−")
