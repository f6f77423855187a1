"""A derivation -> an account of it: a table of parts, in the words that people use.

People check a score by adding it up. So a sum has a row for each term that adds something, with columns for what the
term depends on; equal rows are counted. An account says where the listener may not know a value.
`interpreter.shown.result_lines` writes accounts as text.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from attrs import evolve, frozen

from interpreter.derivations import CallDerivation, Derivation, Element, child_derivations, folds_in
from interpreter.titles import is_literal, number_text, strip, title_of
from interpreter.value_terms import (
    EACH,
    MANY,
    NOT_OPEN,
    TOTAL,
    Teller,
    Term,
    find_terms,
    tell_value,
    unwrap,
)


@frozen
class AccountEntry:
    """A row: what it is about, what it follows from, what it adds, and what the rules say about it.

    `several` is the plural of its title, if there is one.
    """

    title: str
    cells: tuple[str, ...]
    value: str
    note: str | None = None
    several: str | None = None


@frozen
class Account:
    """How a value came about. `columns` are those of the cells, `unit` is that of the values."""

    title: str
    value: str
    columns: tuple[str, ...] = ()
    unit: str = ""
    entries: tuple[AccountEntry, ...] = ()
    total: str = TOTAL
    notes: tuple[str, ...] = ()
    parts: "tuple[Account, ...]" = ()


def make_account(teller: Teller, title: str, found: Derivation) -> Account:
    """How a value came about."""
    core, notes = unwrap(teller, found)
    value = tell_value(teller, found)
    terms, total, missing = find_terms(teller, core)
    facts = tuple(_facts(teller, core))
    facts = _distinct((*facts, *_facts_of_terms(teller, core, terms)))
    shown = [term for term in terms if not term.idle]
    if len(shown) == 1 and shown[0].is_bare and _is_named(shown[0], core):
        account = make_account(teller, title, shown[0].whole or core)
        return evolve(account, value=value, notes=_distinct((*notes, *account.notes)))
    if missing or not shown or (len(shown) == 1 and shown[0].is_bare):
        # A single term that only repeats the value.
        return Account(title, value, notes=notes, parts=facts)
    account = _lay_out(title, value, shown)
    unit = account.unit or title_of(teller.to, found) or ""
    return evolve(account, unit=unit, total=total, notes=notes, parts=facts)


def _is_named(term: Term, core: Derivation) -> bool:
    """Whether a term is another named value that has an account of its own."""
    return (
        isinstance(term.whole, CallDerivation)
        and term.whole is not core
        and not folds_in(term.whole)
    )


Each = TypeVar("Each")


def _distinct(found: Sequence[Each]) -> tuple[Each, ...]:
    return tuple(dict.fromkeys(found))


# ---- What is behind the rows ---------------------------------------------------------------------


def _facts_of_terms(teller: Teller, core: Derivation, terms: list[Term]) -> Iterator[Account]:
    """The accounts of the named values on which all rows depend."""
    for term in terms:
        if term.whole is None:
            continue
        if _is_named(term, core) and not term.idle:
            account = make_account(teller, term.title, term.whole)
            if account.entries:
                yield account
        else:
            yield from _facts(teller, term.whole)


def _facts(teller: Teller, found: Derivation) -> Iterator[Account]:
    """The accounts of the named values on which one row depends."""
    found = strip(found)
    if not isinstance(found, CallDerivation):
        return
    for each in found.inputs:
        yield from _facts_in(teller, each)


def _facts_in(teller: Teller, found: Derivation) -> Iterator[Account]:
    found = strip(found)
    if is_literal(found) or isinstance(found, Element):
        return
    title = title_of(teller.to, found)
    if isinstance(found, CallDerivation) and title is not None and not folds_in(found):
        if not isinstance(found.value, bool):
            yield make_account(teller, title, found)
        return
    for each in child_derivations(found):
        yield from _facts_in(teller, each)


# ---- Layout --------------------------------------------------------------------------------------


def _lay_out(title: str, value: str, terms: list[Term]) -> Account:
    """Terms as rows of one table: equal rows are counted, empty columns are left out."""
    grouped: dict[Term, int] = {}
    for term in terms:
        plain = evolve(term, whole=None)
        grouped[plain] = grouped.get(plain, 0) + 1
    rows = []
    is_counted = any(number > 1 for number in grouped.values())
    for term, number in grouped.items():
        rows.append(_counted(term, number) if is_counted else term)
    columns = tuple(
        dict.fromkeys(name for term in rows for name, text in term.cells if text not in ("0", "no"))
    )
    units = {term.unit for term in rows}
    unit = units.pop() if len(units) == 1 else None
    entries = tuple(
        AccountEntry(
            title=term.title,
            cells=tuple(_cell(dict(term.cells).get(name)) for name in columns),
            value=NOT_OPEN if term.value is None else number_text(term.value),
            note=term.note,
            several=term.several,
        )
        for term in rows
    )
    return Account(title, value, columns, unit or "", entries)


def _counted(term: Term, number: int) -> Term:
    """Several equal rows as one; a row that is already counted stays as it is."""
    if term.value is None or (number == 1 and term.cells):
        return term
    cells = (*term.cells, (MANY, str(number)), (EACH, number_text(term.value)))
    return evolve(term, value=term.value * number, cells=cells)


def _cell(text: str | None) -> str:
    return "" if text in (None, "0", "no") else text or ""
