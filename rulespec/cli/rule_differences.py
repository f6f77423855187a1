"""Two programs -> what differs between them as rules: options, components, rows, statements; not lines of text.

Where a rule stands, in which order declarations come, and what comments and doc lines say is no difference.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, Literal

from attrs import frozen

from rulespec.checking.declarations import Declarations, Routine
from rulespec.docgen.formal import formal_text
from rulespec.rendering import counted
from rulespec.source import text_of
from rulespec.syntax import nodes

What = Literal["new", "gone", "changed"]


@frozen
class RuleDifference:
    """Something that differs: what it is, in a sentence what happened, and what it was and is."""

    kind: str
    name: str
    what: What
    told: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def changes(one: Declarations, other: Declarations) -> list[RuleDifference]:
    """All that differs, components first."""
    found = list(_plain_changes(one, other))
    for name in _names(one.routines, other.routines):
        found += _routine_changes(name, one.routines.get(name), other.routines.get(name))
    for kind, mine, theirs in (
        ("when", one.triggers, other.triggers),
        ("always", one.invariants, other.invariants),
    ):
        for name in _names(mine, theirs):
            found += _simple(kind, name, _lines(mine.get(name)), _lines(theirs.get(name)))
    found += _simple("ranking", "", _lines(one.ranking), _lines(other.ranking))
    return found


def _names(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [*one, *(name for name in other if name not in one)]


def _lines(declared: Any) -> tuple[str, ...]:
    """The canonical text of what is declared, without its doc lines."""
    if declared is None:
        return ()
    several = declared if isinstance(declared, list) else [declared]
    return tuple(line for each in several for line in _text(each.node))


def _text(node: nodes.FileItem) -> list[str]:
    return [line for line in formal_text(node).split("\n") if not line.lstrip().startswith("@")]


# ---- What fits in a line -------------------------------------------------------------------------


def _plain(program: Declarations) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Components and options: what kind of thing, its name, and what is said of it."""
    if program.players is not None:
        yield "players", "", (text_of(program.players.node.span).removeprefix("players "),)
    for name, option in program.options.items():
        chosen = program.chosen.get(name)
        value = option.node.default if chosen is None else chosen.value
        yield "option", name, (text_of(value.span),)
    for name, enum in program.enums.items():
        yield "enum", name, (", ".join(text_of(member.span) for member in enum.node.members),)
    for name, rows in program.kinds.items():
        yield "piece", name, tuple(text_of(row.node.span) for row in rows)
    for name, zone in program.zones.items():
        yield "zone", name, (text_of(zone.node.span),)
    for name, stored in program.variables.items():
        rule = stored.node.rule
        of = f" (of {rule.text})" if rule is not None else ""
        yield "state", name, (text_of(stored.node.node.span) + of,)


def _plain_changes(one: Declarations, other: Declarations) -> Iterator[RuleDifference]:
    mine = {(kind, name): lines for kind, name, lines in _plain(one)}
    theirs = {(kind, name): lines for kind, name, lines in _plain(other)}
    for kind, name in [*mine, *(key for key in theirs if key not in mine)]:
        yield from _simple(kind, name, mine.get((kind, name), ()), theirs.get((kind, name), ()))


def _simple(
    kind: str, name: str, before: tuple[str, ...], after: tuple[str, ...]
) -> Iterator[RuleDifference]:
    if before == after:
        return
    if len(before) == len(after) == 1 and kind in ("players", "option"):
        yield RuleDifference(
            kind, name, "changed", f"{after[0]} instead of {before[0]}", before, after
        )
        return
    what: What = "new" if not before else "gone" if not after else "changed"
    gone, new = _unlike(before, after)
    yield RuleDifference(kind, name, what, what, gone, new)


def _unlike(before: Sequence[str], after: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that only one of them has, in order."""
    gone: list[str] = []
    new: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += before[a:b]
            new += after[c:d]
    return tuple(gone), tuple(new)


# ---- Rules, tables and names ---------------------------------------------------------------------


def _kind(routine: Routine) -> str:
    return type(routine.versions[-1].node).__name__.lower()


def _routine_changes(
    name: str, one: Routine | None, other: Routine | None
) -> Iterator[RuleDifference]:
    if one is None or other is None:
        there = one or other
        if there is not None:
            what: What = "new" if one is None else "gone"
            lines = _lines(there.versions[-1])
            sides = ((), lines) if one is None else (lines, ())
            yield RuleDifference(_kind(there), name, what, what, *sides)
        return
    kind = _kind(other)
    yield from _version_changes(kind, name, one, other)
    mine, theirs = _rows(one), _rows(other)
    gone, new = _unlike(mine, theirs)
    if new:
        yield RuleDifference(
            "table", name, "new", f"{_many(new, 'new row')} before the others", (), new
        )
    if gone:
        yield RuleDifference(
            "table", name, "gone", f"{_many(gone, 'row')} no longer before the others", gone
        )
    for side in ("before", "after"):
        hooks = [_lines(getattr(each, side)) for each in (one, other)]
        gone, new = _unlike(*hooks)
        if new:
            yield RuleDifference(kind, name, "new", f"more happens {side} it", (), new)
        if gone:
            yield RuleDifference(kind, name, "gone", f"less happens {side} it", gone)


def _version_changes(
    kind: str, name: str, one: Routine, other: Routine
) -> Iterator[RuleDifference]:
    mine = [_lines(each) for each in one.versions]
    theirs = [_lines(each) for each in other.versions]
    if mine == theirs:
        return
    if theirs[: len(mine)] == mine and any("super" in line for line in theirs[-1]):
        told = "replaced, with what it was before as `super`"
        yield RuleDifference(kind, name, "changed", told, mine[-1], theirs[-1])
        return
    gone, new = _unlike(mine[-1], theirs[-1])
    what = f"{_many(new, 'line')} new, {_many(gone, 'line')} gone" if kind != "let" else "changed"
    yield RuleDifference(kind, name, "changed", what, gone, new)


def _rows(routine: Routine) -> tuple[str, ...]:
    """The rows that were put before those of a table."""
    return tuple(
        text_of(row.span)
        for each in routine.rows
        for row in each.node.rows
        if isinstance(row, nodes.Row)
    )


def _many(lines: Sequence[str], noun: str) -> str:
    return counted(len(lines), noun)
