"""What a layer removes -> the declarations without it, and diagnostics for everything that still uses it.

Implements docs/language/10-overlays.md, "Removing". A `remove` begins like the declaration that it removes, and
makes its name free.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from attrs import evolve

from rulespec import codes
from rulespec.checking.declarations import (
    Declarations,
    Declared,
    Removed,
    Routine,
    routine_parts,
    used_names,
)
from rulespec.checking.layers import Layer
from rulespec.diagnostics import Diagnostic, Related, did_you_mean
from rulespec.source import Span, text_of
from rulespec.syntax import nodes

MOST_PLACES = 3  # uses of a removed name that a message shows
ROUTINES: dict[type, str] = {nodes.Let: "let", nodes.Table: "table", nodes.Rule: "rule"}


def remove_part(
    declared: Declarations, places: dict[str, nodes.Name], layer: Layer, node: nodes.Remove
) -> list[Diagnostic]:
    """Remove a declaration of a layer below; report if there is none."""
    name = node.name.text
    table = _tables(declared)[node.what]
    found = table.get(name)
    if found is None or _word(node.what, found) != node.what:
        return [_removes_nothing(declared, node)]
    del table[name]
    _free_names(declared, places, node, found)
    declared.called.pop(name, None)
    parts = tuple(each.node for each in _owned(found))
    declared.removed[removed_key(node)] = Removed(node, layer, parts)
    if node.what not in ("when", "always"):
        names = {name, *(_member_names(found) if node.what == "enum" else ())}
        declared.examples[:] = [
            each
            for each in declared.examples
            if names.isdisjoint(used.text for used in used_names(each.node))
        ]
    return []


def removed_key(node: nodes.Remove) -> str:
    """The name of what is removed; for triggers and invariants with their word, as in `when doomed`."""
    return f"{node.what} {node.name.text}" if node.what in ("when", "always") else node.name.text


def removed_row_key(node: nodes.RemoveRows, row: nodes.RemovedRow) -> str:
    """The table and the keys, as they are written."""
    return f"rows {node.name.text} {text_of(row.span)}"


def removed_piece_key(node: nodes.RemovePiece) -> str:
    """The kind and its attributes, as they are written."""
    return text_of(node.span).removeprefix("remove ")


# ---- Single rows ---------------------------------------------------------------------------------


def remove_row(
    declared: Declarations, layer: Layer, node: nodes.RemoveRows, row: nodes.RemovedRow
) -> list[Diagnostic]:
    """Remove the first row with these keys from a table of a layer below, or from the rows that layers add to it."""
    name = node.name.text
    routine = declared.routines.get(name)
    if routine is None or not isinstance(routine.versions[-1].node, nodes.Table):
        known = [
            each.name
            for each in declared.routines.values()
            if isinstance(each.versions[-1].node, nodes.Table)
        ]
        hint = did_you_mean(name, known, "only rows of a `table` have keys")
        if name in declared.kinds:
            hint = f"write `remove pieces {name}(…)` with the attributes as they were declared"
        message = f"there is no `table {name}` to remove rows from"
        return [Diagnostic(codes.OVERRIDE_OF_NOTHING, message, node.name.span, hint=hint)]
    groups: list[tuple[list[Any], int]] = [
        *((routine.rows, number) for number in range(len(routine.rows))),
        (routine.versions, len(routine.versions) - 1),
    ]
    seen: list[nodes.Row] = []
    for group, number in groups:
        owned = group[number]
        rows = [each for each in owned.node.rows if isinstance(each, nodes.Row)]
        found = next((each for each in rows if each.keys == row.keys), None)
        if found is not None:
            group[number] = evolve(
                owned, node=evolve(owned.node, rows=_without(owned.node.rows, found))
            )
            key = removed_row_key(node, row)
            declared.removed[key] = Removed(node, layer, (found,))
            return []
        seen += rows
    return [
        _no_such_row(
            f"`{name}` has no row with these keys", row.span, [_keys(each) for each in seen], seen
        )
    ]


def remove_piece(declared: Declarations, layer: Layer, node: nodes.RemovePiece) -> list[Diagnostic]:
    """Remove one row of a kind of piece."""
    kind = node.name.text
    rows = declared.kinds.get(kind)
    if rows is None:
        hint = did_you_mean(kind, declared.kinds)
        message = f"there is no `pieces {kind}` to remove"
        return [Diagnostic(codes.OVERRIDE_OF_NOTHING, message, node.name.span, hint=hint)]
    found = next((each for each in rows if each.node.attributes == node.attributes), None)
    if found is None:
        span = evolve(node.span, start=node.name.span.start)
        texts = [text_of(each.node.span).split("|")[0].strip() for each in rows]
        return [
            _no_such_row(f"`{kind}` has no such row", span, texts, [each.node for each in rows])
        ]
    kept = [each for each in rows if each is not found]
    if kept:
        declared.kinds[kind] = kept
        declared.removed[removed_piece_key(node)] = Removed(node, layer, (found.node,))
        return []
    message = f"this is the only row of `{kind}`"
    hint = f"write `remove pieces {kind}`"
    return [Diagnostic(codes.OVERRIDE_OF_NOTHING, message, node.name.span, hint=hint)]


def _without(rows: tuple[Any, ...], removed: nodes.Row) -> tuple[Any, ...]:
    """The rows without one of them, and without the sentence about it."""
    kept: list[Any] = []
    for number, row in enumerate(rows):
        following = rows[number + 1] if number + 1 < len(rows) else None
        if row is removed:
            continue
        if isinstance(row, nodes.Doc) and following is removed and row.text is not None:
            if row.cites:
                kept.append(evolve(row, text=None))
            continue
        kept.append(row)
    while kept and isinstance(kept[-1], nodes.Doc):
        kept.pop()
    return tuple(kept)


def _keys(row: nodes.Row) -> str:
    return text_of(row.span).split("=>")[0].strip()


def _no_such_row(message: str, span: Span, texts: list[str], rows: list[Any]) -> Diagnostic:
    """There is no such row; the hint names the most similar one."""
    wanted = text_of(span)
    near = get_close_matches(wanted, texts, 1, cutoff=0.4)
    hint = f"did you mean `{near[0]}`?" if near else "write it as it was declared"
    shown = [row for row, text in zip(rows, texts, strict=True) if text in near] or rows
    related = tuple(Related("a row that there is", each.span) for each in shown[:MOST_PLACES])
    return Diagnostic(codes.OVERRIDE_OF_NOTHING, message, span, related, hint)


# ---- Whole declarations --------------------------------------------------------------------------


def _tables(declared: Declarations) -> dict[str, dict[str, Any]]:
    return {
        "enum": declared.enums,
        "option": declared.options,
        "pieces": declared.kinds,
        "zones": declared.zones,
        "state": declared.variables,
        "table": declared.routines,
        "let": declared.routines,
        "rule": declared.routines,
        "when": declared.triggers,
        "always": declared.invariants,
    }


def _word(what: str, found: Any) -> str:
    """The word with which it is declared; for a routine, that of its last version."""
    return ROUTINES[type(found.versions[-1].node)] if isinstance(found, Routine) else what


def _owned(found: Any) -> Iterable[Declared[Any]]:
    if isinstance(found, Routine):
        return routine_parts(found)
    return found if isinstance(found, list) else (found,)


def _member_names(found: Declared[nodes.Enum]) -> list[str]:
    return [member.name.text for member in found.node.members]


def _free_names(
    declared: Declarations, places: dict[str, nodes.Name], node: nodes.Remove, found: Any
) -> None:
    if node.what in ("when", "always"):
        return
    places.pop(node.name.text, None)
    if node.what == "enum":
        kept = {name for enum in declared.enums.values() for name in _member_names(enum)}
        for name in _member_names(found):
            if name not in kept:
                places.pop(name, None)


def _removes_nothing(declared: Declarations, node: nodes.Remove) -> Diagnostic:
    name = node.name.text
    tables = _tables(declared)
    message = f"there is no `{node.what} {name}` to remove"
    for what, table in tables.items():
        found = table.get(name)
        if found is not None and _word(what, found) == what:
            place = next(iter(_owned(found))).node.span
            related = (Related("declared here", place),)
            hint = f"write `remove {what} {name}`"
            return Diagnostic(codes.OVERRIDE_OF_NOTHING, message, node.name.span, related, hint)
    otherwise = "it removes what a file or layer below declares"
    advice = did_you_mean(name, tables[node.what], otherwise)
    return Diagnostic(codes.OVERRIDE_OF_NOTHING, message, node.name.span, hint=advice)


# ---- What still needs it -------------------------------------------------------------------------


def tell_removed(declared: Declarations, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics about names; those about a removed name become one, at the place that removes it."""
    still: dict[str, list[Diagnostic]] = {}
    gone = {
        name: each.place
        for each in declared.removed.values()
        if isinstance(each.place, nodes.Remove) and each.place.what not in ("when", "always")
        for name in _gone_names(each)
    }
    for each in found:
        text = each.span.source.text[each.span.start : each.span.end]
        if text in gone:
            still.setdefault(text, []).append(each)
        else:
            yield each
    for text, uses in still.items():
        place = gone[text]
        related = tuple(Related("used here", each.span) for each in uses[:MOST_PLACES])
        message = f"`{text}` is removed, but it is still used"
        hint = (
            f"override or remove what uses it, or leave out `remove {place.what} {place.name.text}`"
        )
        yield Diagnostic(codes.STILL_USED, message, place.span, related, hint)


def _gone_names(removed: Removed) -> list[str]:
    members = [
        member.name.text
        for part in removed.parts
        if isinstance(part, nodes.Enum)
        for member in part.members
    ]
    return [removed.place.name.text, *members]


def excused_names(declared: Declarations) -> set[str]:
    """The names in removed trees: their declarations may be unused for that reason."""
    return {
        name.text
        for each in declared.removed.values()
        for part in each.parts
        for name in used_names(getattr(part, "node", part))
    }
