"""A derivation -> the terms that its value consists of, each with the values on which it depends.

They become the rows of an account. A sum has its operands as terms, a fold its elements; a product is one term, a
number of things. A part without words is merged into the part that contains it.
"""

import re
from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from interpreter.derivations import (
    CallDerivation,
    Closed,
    Derivation,
    Element,
    Folded,
    Plain,
    child_derivations,
    folds_in,
    value_of,
)
from interpreter.display_names import Listener, name_pieces, noun
from interpreter.labels import label, telling_attributes
from interpreter.layout import Layout
from interpreter.titles import derived_type, is_literal, row_title, strip, title_of, value_text
from rulespec.core import types
from rulespec.core.tree import Function, FunctionRow
from rulespec.core.types import Type, element, present
from rulespec.english import sentence
from rulespec.source import text_of as source_text

NOT_OPEN = "not open to you"
TOTAL = "total"
MANY, EACH = "how many", "each"
LIMIT = "But never"
_MOST_NAMED = 7  # pieces named beside their number
_EXTREMES = {
    "min_of": "lowest",
    "max_of": "highest",
    "best_of": "best",
    "least_of": "least",
    "min_of_set": "lowest",
    "max_of_set": "highest",
}


@frozen
class Teller:
    """The reader of an account; `quotes` is true for authors, who may see the text of the rules."""

    to: Listener
    quotes: bool = False


@frozen
class Term:
    """An added value, with its reasons by column; without a value if the listener may not know it."""

    title: str
    value: int | None
    cells: tuple[tuple[str, str], ...] = ()
    note: str | None = None
    unit: str | None = None
    several: str | None = None
    idle: bool = False  # it adds nothing, and has no reasons
    whole: Derivation | None = None

    @property
    def is_bare(self) -> bool:
        """Whether it has nothing but its value."""
        return not self.cells and self.note is None


def tell_value(teller: Teller, found: Derivation) -> str:
    """A value as text, or that it is not open."""
    if isinstance(found, Closed):
        return NOT_OPEN
    return value_text(teller.to, value_of(found), derived_type(found))


# ---- What a value consists of --------------------------------------------------------------------


def unwrap(teller: Teller, found: Derivation) -> tuple[Derivation, tuple[str, ...]]:
    """The derivation behind names, rows and branches, and what the rules say about these."""
    notes: list[str] = []
    while True:
        found = strip(found)
        match found:
            case CallDerivation(function=function, row=row, cell=cell):
                note = row_note(function, row)
                if note is not None:
                    notes.append(note)
                if is_literal(cell):
                    return found, tuple(notes)
                found = cell
            case Plain(parts=(_, chosen)) if found.op.name == "if":
                found = chosen
            case Plain(parts=(one, other)) if found.op.name in ("max_of_two", "min_of_two"):
                bound, inner = (one, other) if is_literal(one) else (other, one)
                if not is_literal(bound):
                    return found, tuple(notes)
                if value_of(inner) != found.value:
                    word = "less" if found.op.name == "max_of_two" else "more"
                    notes.append(f"{LIMIT} {word} than {tell_value(teller, bound)}.")
                found = inner
            case Closed(parts=(cell,)):
                found = cell
            case _:
                return found, tuple(notes)


def row_note(function: Function, row: FunctionRow) -> str | None:
    """What the rules say about the row of a table, if they say something about just this row."""
    said = row.origin.sentence
    if not said or said == function.origin.sentence:
        return None
    if not said.startswith("…"):
        return sentence(said.strip(" …,;"))
    # The sentence continues that of the row above.
    return re.sub(r"^(otherwise|or|and|but) ", "", said.strip(" …,;."))


def find_terms(teller: Teller, found: Derivation) -> tuple[list[Term], str, bool]:
    """The terms of a value, the title of their sum, and whether some term has no words."""
    match found:
        case Folded(members=members) if found.op.name in _EXTREMES:
            return _members(teller, found, members), _EXTREMES[found.op.name], False
        case Plain(parts=(inner,)) if found.op.name in _EXTREMES:
            rows = [
                term for each in _builds(inner) for term in _members(teller, each, each.members)
            ]
            return rows, _EXTREMES[found.op.name], not rows
    terms = [*_terms(teller, found, 1)]
    return [term for term in terms if term.title], TOTAL, any(not term.title for term in terms)


def _builds(found: Derivation) -> Iterator[Folded]:
    found = strip(found)
    match found:
        case Folded() if found.op.name == "build":
            yield found
        case CallDerivation(cell=cell):
            yield from _builds(cell)
        case Plain() if found.op.name in ("union", "list"):
            for each in found.parts:
                yield from _builds(each)


def _terms(teller: Teller, found: Derivation, sign: int) -> Iterator[Term]:
    found = strip(found)
    match found:
        case Plain(parts=(one, other)) | Closed(parts=(one, other)) if found.op.name in (
            "add",
            "subtract",
        ) and not is_literal(found):
            yield from _terms(teller, one, sign)
            yield from _terms(teller, other, sign if found.op.name == "add" else -sign)
        case Plain(parts=(_, chosen)) if (
            found.op.name == "if" and title_of(teller.to, found.parts[0]) is None
        ):
            yield from _terms(teller, chosen, sign)
        case Plain(parts=(one, other)) if found.op.name == "times":
            yield _product(teller, one, other, sign)
        case CallDerivation(function=function, cell=cell) if "#" in function.name:
            yield from _terms(teller, unwrap(teller, cell)[0], sign)  # an overlay extends it
        case Folded(members=members) if found.op.name == "sum_of":
            yield from (_signed(term, sign) for term in _members(teller, found, members))
        case Folded() | Plain() | CallDerivation() | Closed() | Element():
            yield _single(teller, found, sign)


def _signed(term: Term, sign: int) -> Term:
    return evolve(term, value=None if term.value is None else sign * term.value)


def _single(teller: Teller, found: Derivation, sign: int) -> Term:
    if is_literal(found):
        value = value_of(found)
        title = "to begin with" if sign > 0 else "less"
        return Term(title, sign * value, idle=value == 0)
    title = row_title(teller.to, found) or quoted(teller, found)
    if isinstance(found, Closed):
        return Term(title, None)
    value = value_of(found)
    number = sign * value if isinstance(value, int) else None
    return Term(title, number, note=_named(teller, found), idle=not value, whole=found)


def _product(teller: Teller, one: Derivation, other: Derivation, sign: int) -> Term:
    """A product: a number of things, each worth the same."""
    each, many = (one, other) if strip(other).op.name == "count" else (other, one)
    title = row_title(teller.to, many) or row_title(teller.to, each) or quoted(teller, many)
    value = value_of(one) * value_of(other) * sign
    cells = ((MANY, tell_value(teller, many)), (EACH, tell_value(teller, each)))
    return Term(title, value, cells, _named(teller, many), idle=not value_of(many))


def quoted(teller: Teller, found: Derivation) -> str:
    """The text of the rules, for their authors."""
    return " ".join(source_text(found.op.span).split()) if teller.quotes else ""


def _named(teller: Teller, found: Derivation) -> str | None:
    """The names of counted pieces, if there are few."""
    found = strip(found)
    if found.op.name != "count" or not isinstance(found, Plain) or not found.parts:
        return None
    pieces = value_of(found.parts[0])
    if not isinstance(present(element(derived_type(found.parts[0])) or types.UNKNOWN), types.Piece):
        return None
    return name_pieces(teller.to, pieces) if 0 < len(pieces) <= _MOST_NAMED else None


# ---- Rows of a fold ------------------------------------------------------------------------------


def _members(
    teller: Teller, fold: Folded, members: tuple[tuple[Any, Derivation], ...]
) -> list[Term]:
    """A row for each element."""
    of = element(derived_type(fold.over)) or types.UNKNOWN
    terms = []
    for value, found in members:
        inner = strip(found)
        number = value_of(inner)
        cells = tuple(_cells(teller, inner, fold.fold, value, of))
        note = row_note(inner.function, inner.row) if isinstance(inner, CallDerivation) else None
        terms.append(
            Term(
                title=_title_of_element(teller, value, of),
                value=number if isinstance(number, int) else None,
                cells=tuple((title, text) for title, text, _ in cells),
                note=note,
                unit=title_of(teller.to, inner),
                several=_several(teller, value, of),
                idle=not number and all(is_idle for *_, is_idle in cells) and not _is_piece(of),
                whole=inner,
            )
        )
    return terms


def _is_piece(of: Type) -> bool:
    return isinstance(present(of), types.Piece)


def _title_of_element(teller: Teller, value: Any, of: Type) -> str:
    layout, names = teller.to.layout, teller.to.names
    return label(layout, value, of, names)


def _several(teller: Teller, value: Any, of: Type) -> str | None:
    """`black seals`, if the noun of the pieces is the end of their names."""
    if not _is_piece(of):
        return None
    title = _title_of_element(teller, value, of)
    one, several = noun(teller.to.layout.code, {teller.to.layout.pieces[value].kind})
    return title.removesuffix(one) + several if title.endswith(one) else None


def _cells(
    teller: Teller, found: Derivation, fold: int, value: Any, of: Type
) -> Iterator[tuple[str, str, bool]]:
    """The cells of a term, one for each part with words: title, value, and whether the value is zero or empty."""
    known = _told_by_name(teller.to.layout, value, of)
    seen = set[str]()
    sources = (
        found.inputs or found.arguments
        if isinstance(found, CallDerivation)
        else child_derivations(found)
    )
    for each in sources:
        for leaf in _leaves(teller, each, fold):
            title = title_of(teller.to, leaf)
            if title is None or title in seen or leaf.op.word in known:
                continue
            seen.add(title)
            yield title, tell_value(teller, leaf), not value_of(leaf)


def _leaves(teller: Teller, found: Derivation, fold: int) -> Iterator[Derivation]:
    """The largest parts that have words and depend on the element."""
    found = strip(found)
    if fold not in folds_in(found) or isinstance(found, Element):
        return
    if title_of(teller.to, found) is not None and isinstance(value_of(found), int):
        yield found
        return
    for each in child_derivations(found):
        yield from _leaves(teller, each, fold)


def _told_by_name(layout: Layout, value: Any, of: Type) -> frozenset[str]:
    """The attributes that the name of a piece already tells."""
    if not _is_piece(of):
        return frozenset()
    row = layout.pieces[value].row
    if row.shown_as is not None:
        return frozenset(part[0] for part in row.shown_as if not isinstance(part, str))
    return frozenset(telling_attributes(layout, value))
