"""A condition -> why it holds or does not: the part that decides, and both sides of it.

Authors and players want the one reason that matters: of several conditions the one that decides, of all elements the
first that fails, of a comparison both sides, each with its own account.
"""

from collections.abc import Iterator

from attrs import frozen

from interpreter.accounts import Account, AccountEntry, make_account
from interpreter.derivations import (
    CallDerivation,
    Closed,
    Derivation,
    Element,
    Folded,
    Plain,
    child_derivations,
    value_of,
)
from interpreter.deriving import derive
from interpreter.display_names import Listener
from interpreter.errors import RuleFault
from interpreter.labels import label, seat_name
from interpreter.machine import Machine
from interpreter.state import State
from interpreter.titles import derived_type, is_literal, row_title, strip, title_of
from interpreter.value_terms import NOT_OPEN, Teller, quoted, tell_value
from rulespec import codes
from rulespec.core import types
from rulespec.core.tree import AlwaysRow
from rulespec.core.types import element

HOLDS, FAILS = "holds", "does not hold"
_MOST_CASES = 8  # to show, if all fail
_COMPARED = {
    "equal": "equal to",
    "same_set": "the same as",
    "less": "less than",
    "at_most": "at most",
    "greater": "more than",
    "at_least": "at least",
    "in": "among",
}


@frozen
class _Case:
    """A single deciding condition, and the elements of the enclosing sets for which it was tested."""

    about: tuple[str, ...]
    found: Derivation


def judge_account(teller: Teller, title: str, found: Derivation) -> Account:
    """Why a condition holds, or why it does not."""
    if isinstance(strip(found), Closed):
        return Account(title, NOT_OPEN)
    cases = [*_cases(teller, found, ())]
    value = HOLDS if value_of(found) else FAILS
    if len(cases) == 1 and not cases[0].about:
        sides = _sides(teller, cases[0].found)
        return Account(title, value, entries=tuple(sides), total="", parts=_parts(teller, cases[0]))
    told = tuple(_case_account(teller, each) for each in cases[:_MOST_CASES])
    more = len(cases) - len(told)
    notes = (f"And {more} more.",) if more > 0 else ()
    return Account(title, value, notes=notes, parts=tuple(dict.fromkeys(told)))


def _case_account(teller: Teller, case: _Case) -> Account:
    value = HOLDS if value_of(case.found) else FAILS
    title = ", ".join(case.about)
    sides = tuple(_sides(teller, case.found))
    return Account(title, value, entries=sides, total="", parts=_parts(teller, case))


def _cases(teller: Teller, found: Derivation, about: tuple[str, ...]) -> Iterator[_Case]:
    """The conditions that decide."""
    found = strip(found)
    match found:
        case CallDerivation(cell=cell) if not is_literal(cell):
            yield from _cases(teller, cell, about)
        case Plain(parts=parts) if found.op.name in ("and", "or") and parts:
            decides = bool(found.value) is (found.op.name == "or")
            for each in parts[-1:] if decides else parts:
                yield from _cases(teller, each, about)
        case Plain(parts=(inner,)) if found.op.name == "not":
            yield from _cases(teller, inner, about)
        case Plain(parts=(_, chosen)) if found.op.name == "if":
            yield from _cases(teller, chosen, about)
        case Folded(members=members) if found.op.name in ("all_of", "any_of"):
            of = element(derived_type(found.over)) or types.UNKNOWN
            decides = bool(found.value) is (found.op.name == "any_of")
            for value, each in members[-1:] if decides else members:
                name = label(teller.to.layout, value, of, teller.to.names)
                yield from _cases(teller, each, (*about, name))
        case Plain() | CallDerivation() | Folded() | Closed() | Element():
            yield _Case(about, found)


def _sides(teller: Teller, found: Derivation) -> Iterator[AccountEntry]:
    """Both sides of the comparison."""
    found = strip(found)
    op = found.op.name
    match found:
        case Plain(parts=(one, other)) if op in _COMPARED:
            yield AccountEntry(_title(teller, one), (), tell_value(teller, one))
            title = "" if is_literal(other) else _title(teller, other)
            yield AccountEntry(f"{_COMPARED[op]} {title}".strip(), (), tell_value(teller, other))
        case Plain(parts=(one, low, high)) if op == "in":
            yield AccountEntry(_title(teller, one), (), tell_value(teller, one))
            yield AccountEntry("from", (), tell_value(teller, low))
            yield AccountEntry("to", (), tell_value(teller, high))
        case Plain(parts=(one,)) if op in ("empty", "is_none"):
            yield AccountEntry(_title(teller, one), (), tell_value(teller, one))
        case Plain() | CallDerivation() | Folded() | Closed() | Element():
            title = title_of(teller.to, found) or quoted(teller, found)
            if title:
                yield AccountEntry(title, (), tell_value(teller, found))


def _title(teller: Teller, found: Derivation) -> str:
    """The title of a side of a comparison: its text in the rules for authors, its name for others."""
    return quoted(teller, found) or title_of(teller.to, found) or row_title(teller.to, found) or ""


def _parts(teller: Teller, case: _Case) -> tuple[Account, ...]:
    """Accounts of those compared values that need more explanation than their value."""
    found = strip(case.found)
    if not isinstance(found, Plain):
        return ()
    accounts = [
        make_account(teller, _title(teller, each), each)
        for each in found.parts
        if not is_literal(each) and isinstance(value_of(each), int)
    ]
    return tuple(
        each for each in accounts if each.title and (each.entries or each.parts or each.notes)
    )


def account_for_sides(teller: Teller, found: Derivation) -> tuple[Account, ...]:
    """Accounts of the numbers in a condition, each titled by its owner or its name."""
    accounts = [
        make_account(teller, _subject(teller, each), each)
        for case in _cases(teller, found, ())
        for each in child_derivations(strip(case.found))
        if not isinstance(strip(each), Closed)
        and not is_literal(each)
        and isinstance(value_of(each), int)
    ]
    return tuple(dict.fromkeys(each for each in accounts if each.title and each.entries))


def _subject(teller: Teller, found: Derivation) -> str:
    """The owner of a number, if it belongs to one player."""
    found = strip(found)
    if isinstance(found, CallDerivation) and len(found.arguments) == 1:
        (whose,) = found.arguments
        if isinstance(derived_type(strip(whose)), types.Seat) and not isinstance(whose, Closed):
            return seat_name(teller.to.names, value_of(whose))
    return title_of(teller.to, found) or row_title(teller.to, found) or ""


# ---- Invariants ----------------------------------------------------------------------------------


def explain_fault(machine: Machine, s: State, fault: RuleFault, teller: Teller) -> Account | None:
    """Why an invariant fails in the state in which it was tested; nothing for other faults."""
    if fault.code != codes.INVARIANT_FAILS:
        return None
    rows = [row for row in machine.layout.code.always if row.origin.span == fault.span]
    return next((_broken(machine, s, row, teller) for row in rows), None)


def _broken(machine: Machine, s: State, row: AlwaysRow, teller: Teller) -> Account:
    found = derive(machine, s, row.condition, teller.to, scratch=row.scratch)
    return judge_account(teller, "", found)


def author_of(machine: Machine, names: tuple[str, ...] | None) -> Teller:
    """A teller for authors, who see everything and the text of the rules."""
    return Teller(Listener(machine.layout, names), quotes=True)
