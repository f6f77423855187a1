"""What a layer removes -> the declarations without it, and what still needs it.

Implements docs/language/10-overlays.md, "Removing". The word says what is removed, as it said what was declared;
the name is free from then on.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from rulespec import codes
from rulespec.checking.declarations import Declarations, Declared, Removed, Routine, used_names
from rulespec.checking.layers import Layer
from rulespec.diagnostics import Diagnostic, Related
from rulespec.syntax import nodes

MOST_PLACES = 3  # that are shown of those which still use something
ROUTINES: dict[type, str] = {nodes.Let: "let", nodes.Table: "table", nodes.Rule: "rule"}


def remove_part(
    declared: Declarations, places: dict[str, nodes.Name], layer: Layer, node: nodes.Remove
) -> Diagnostic | None:
    """Remove what a layer below declares; tell if there is no such thing."""
    name = node.name.text
    table = _tables(declared)[node.what]
    found = table.get(name)
    if found is None or _word(node.what, found) != node.what:
        return _removes_nothing(declared, node)
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
    return None


def removed_key(node: nodes.Remove) -> str:
    """A name, or what has none of its own by its word: `when doomed`."""
    return f"{node.what} {node.name.text}" if node.what in ("when", "always") else node.name.text


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
    """The word that declares it: of a routine, that of its last version."""
    return ROUTINES[type(found.versions[-1].node)] if isinstance(found, Routine) else what


def _owned(found: Any) -> Iterable[Declared[Any]]:
    if isinstance(found, Routine):
        return (*found.versions, *found.rows, *found.before, *found.after)
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
    near = get_close_matches(name, tables[node.what], 1)
    hint = (
        f"did you mean `{near[0]}`?" if near else "it removes what a file or layer below declares"
    )
    return Diagnostic(codes.OVERRIDE_OF_NOTHING, message, node.name.span, hint=hint)


# ---- What still needs it -------------------------------------------------------------------------


def tell_removed(declared: Declarations, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What is wrong with names; of those that were removed, once each and where it was done."""
    still: dict[str, list[Diagnostic]] = {}
    gone = {
        name: each
        for each in declared.removed.values()
        if each.place.what not in ("when", "always")
        for name in _gone_names(each)
    }
    for each in found:
        text = each.span.source.text[each.span.start : each.span.end]
        if text in gone:
            still.setdefault(text, []).append(each)
        else:
            yield each
    for text, uses in still.items():
        place = gone[text].place
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
    """What nothing mentions any more because something else was removed."""
    return {
        name.text
        for each in declared.removed.values()
        for part in each.parts
        for name in used_names(getattr(part, "node", part))
    }
