"""Changes of values -> the lines that tell them: `Penalty: Ada 4, Ben 2`.

It does not tell temporary variables of a rule, resets, and whose turn it is: nobody at a table would say so. A
variable with a `word_for` is always told.
"""

from collections.abc import Sequence
from typing import Any

from interpreter.answer_sentences import answer_text
from interpreter.display_names import (
    Listener,
    family_words,
    on_table,
    said,
    seat_possessive,
    variable_words,
    who,
    word_for,
)
from interpreter.event_log import holds_pieces
from interpreter.flat import Code
from interpreter.hearing import Heard
from rulespec.core.tree import Assign, Op, VariableRow
from rulespec.core.types import Bool, Number, Seat, Several, Type, present
from rulespec.english import listed


def tell_changes(to: Listener, sets: Sequence[Heard]) -> list[str]:
    """The new values of the members of a family; empty if nobody needs to hear of them."""
    row, _ = to.layout.variables[sets[0].event.data[0]]
    code = to.layout.code
    if not on_table(code, row.name):
        return []
    last = {each.event.data[0]: each for each in sets}
    is_whole = len(last) == to.layout.variable_families[row.name].size
    is_named = row.name in code.called
    if not is_named and (
        row.rule is not None or isinstance(present(row.type), Seat) or _is_counter(code, row)
    ):
        return []
    told = [each for each in last.values() if not _is_idle(each, is_whole=is_whole)]
    if not told:
        return []
    if len(told) == 1:
        return [_tell_one(to, told[0])]
    pairs = []
    for each in told:
        seat, name = _names(to, each)
        pairs.append(f"{who(to.names, seat) if seat is not None else name} {_value(to, each)}")
    return [f"{word_for(code, row.name)}: {', '.join(pairs)}"]


def is_silent(to: Listener, each: Heard) -> bool:
    """Whether even the details leave out a change: bookkeeping, and resets."""
    row, _ = to.layout.variables[each.event.data[0]]
    return not on_table(to.layout.code, row.name) or _is_idle(each, is_whole=False)


def _is_counter(code: Code, row: VariableRow) -> bool:
    """Whether the rules use a single number only to count, one by one."""
    if row.indices or not isinstance(present(row.type), Number):
        return False
    values = [
        step.value
        for block in code.blocks.values()
        for step in block.code
        if isinstance(step, Assign) and step.target.variable == row.name
    ]
    return bool(values) and all(_counts(value, row.name) for value in values)


def _counts(value: Op, name: str) -> bool:
    while value.name == "within":
        value = value.operands[0]
    if value.name == "literal":
        return True
    if value.name not in ("add", "subtract"):
        return False
    return {(each.name, each.word, each.value) for each in value.operands} == {
        ("variable", name, None),
        ("literal", "", 1),
    }


def _tell_one(to: Listener, each: Heard) -> str:
    seat, name = _names(to, each)
    if isinstance(present(each.event.data[2]), Bool):
        return name if seat is None else f"{who(to.names, seat)}: {name}"
    owner = "" if seat is None else f"{seat_possessive(to.names, seat)} "
    return f"{owner}{name}: {_value(to, each)}"


def _names(to: Listener, each: Heard) -> tuple[int | None, str]:
    row, indices = to.layout.variables[each.event.data[0]]
    return family_words(to.layout, to.names, row, indices)


def _value(to: Listener, each: Heard) -> str:
    _, value, of = each.event.data
    if value is not None and holds_pieces(of):
        return answer_text(to, value, of)
    text = said(to.layout, value, of, to.names)
    return text.replace("-", "−") if isinstance(value, int) else text


def _is_idle(each: Heard, *, is_whole: bool) -> bool:
    """Whether a variable is reset: to false, none, an empty set or, with its whole family, 0."""
    _, value, of = each.event.data
    match present(of):
        case Bool():
            return not value
        case Number():
            return value is None or (value == 0 and is_whole)
        case Several():
            return not value
    return value is None


def describe_change(to: Listener, each: Heard) -> str:
    """A change as a detail."""
    variable, _, of = each.event.data
    name = variable_words(to.layout, variable, to.names)
    return f"{name}: {_plain(to, each, of)}"


def _plain(to: Listener, each: Heard, of: Type) -> str:
    value: Any = each.event.data[1]
    if isinstance(present(of), Bool):
        return "yes" if value else "no"
    return _value(to, each) if value is not None else listed([])
