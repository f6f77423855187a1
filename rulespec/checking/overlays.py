"""Layers -> the declarations of the whole program.

Implements docs/language/10-overlays.md. Layers are merged in order: what a layer removes, declares, overrides, and
adds to the declarations below. `overrides` decides whether a layer may do so.
"""

from typing import Any, assert_never

from rulespec import codes
from rulespec.checking.declarations import (
    Declarations,
    Declared,
    Removal,
    Routine,
    Stored,
    is_action_table,
    used_names,
)
from rulespec.checking.layers import Chosen, Layer, LayerItem, LayerStack, documented
from rulespec.checking.local_names import inline_locals
from rulespec.checking.overrides import Merge, may_declare, may_replace, note_override
from rulespec.checking.removals import (
    remove_part,
    remove_piece,
    remove_row,
    removed_key,
    removed_piece_key,
    removed_row_key,
)
from rulespec.checking.teams import team_function
from rulespec.checking.unreached import drop_unreached
from rulespec.diagnostics import Diagnostic, Related, did_you_mean
from rulespec.source import text_of
from rulespec.syntax import nodes


def merge_layers(stack: LayerStack) -> tuple[Declarations, list[Diagnostic]]:
    """The program that the layers make together."""
    merge = Merge(Declarations(slots=stack.slots, files=stack.files), {}, {}, [])
    for layer in stack.layers:
        # A layer first removes, then declares and overrides, then adds to other declarations.
        for item in layer.items:
            if isinstance(item.declaration, Removal):
                _remove(merge, layer, item.declaration)
        for item in layer.items:
            _merge_item(merge, layer, item)
        for item in layer.items:
            if isinstance(item.declaration, nodes.Rows | nodes.Hook):
                _merge_addition(merge, layer, item, item.declaration)
    for chosen in stack.chosen:
        _set_option(merge, chosen)
    drop_unreached(merge.declared)
    return merge.declared, merge.diagnostics


def _merge_item(merge: Merge, layer: Layer, item: LayerItem) -> None:
    node = item.declaration
    overrides = isinstance(node, nodes.Override)
    if isinstance(node, nodes.Override):
        node = node.declaration
    into = merge.declared
    owned: Any = Declared(node, layer, item.docs)
    word = type(node).__name__.lower()
    match node:
        case _ if isinstance(node, SAID_ONCE):
            _merge_once(merge, word, owned)
        case nodes.Advice() | nodes.Rulebook() | nodes.Ruling() | nodes.Omit() | nodes.Example():
            getattr(into, SAID_OFTEN[type(node)]).append(owned)
        case nodes.Called(namings):
            for naming in namings:
                for name in naming.names:
                    _merge_called(merge, layer, name, naming)
        case nodes.First():
            into.first = owned
        case nodes.Players() | nodes.Teams() | nodes.Ranking():
            if may_replace(merge, layer, word, node, getattr(into, word), overrides=overrides):
                setattr(into, word, owned)
                if isinstance(node, nodes.Teams):
                    _merge_routine(merge, Declared(team_function(node), layer), overrides=overrides)
        case nodes.Enum():
            _merge_enum(merge, owned, overrides=overrides)
        case nodes.Option(name):
            if may_declare(merge, layer, name, into.options, overrides=overrides):
                into.options[name.text] = owned
        case nodes.Pieces(_, rows):
            _merge_pieces(merge, layer, item, rows, overrides=overrides)
        case nodes.Zones(_, _, rows):
            for row, docs in documented(rows, item.docs):
                if may_declare(merge, layer, row.name, into.zones, overrides=overrides):
                    into.zones[row.name.text] = Declared(row, layer, docs)
        case nodes.State(rule, _, rows):
            for row, docs in documented(rows, item.docs):
                if may_declare(merge, layer, row.name, into.variables, overrides=overrides):
                    into.variables[row.name.text] = Declared(Stored(row, rule), layer, docs)
        case nodes.Let():
            whole, found = inline_locals(node)
            merge.diagnostics.extend(found)
            _merge_routine(merge, Declared(whole, layer, item.docs), overrides=overrides)
        case nodes.Table() | nodes.Rule():
            _merge_routine(merge, owned, overrides=overrides)
        case nodes.Trigger():
            _merge_trigger(merge, owned, overrides=overrides)
        case nodes.Always(name):
            key = f"always {name.text}"
            if may_replace(
                merge, layer, key, node, into.invariants.get(name.text), overrides=overrides
            ):
                into.invariants[name.text] = owned
        case nodes.Rows() | nodes.Hook() | nodes.Use():
            pass  # additions are merged later, and mechanisms are layers
        case nodes.Remove() | nodes.RemoveRows() | nodes.RemovePiece():
            pass  # removed before
        case _:
            assert_never(node)


# What changes no rule: each layer may say it once, or often; then with the field of `Declarations` that keeps it.
SAID_ONCE = nodes.Game | nodes.About | nodes.Goal | nodes.Turn | nodes.Minutes | nodes.Ages
SAID_OFTEN: dict[type, str] = {
    nodes.Advice: "advice",
    nodes.Rulebook: "rulebooks",
    nodes.Ruling: "rulings",
    nodes.Omit: "omits",
    nodes.Example: "examples",
}


def _merge_once(merge: Merge, word: str, new: Declared[Any]) -> None:
    """Within a layer this may be said once; a later layer may replace it."""
    taken = getattr(merge.declared, word)
    if taken is not None and taken.layer is new.layer:
        related = (Related("the first one", taken.node.span),)
        message = f"`{word}` is written twice"
        merge.diagnostics.append(
            Diagnostic(codes.REDECLARED, message, new.node.span, related, "delete one of the two")
        )
    setattr(merge.declared, word, new)
    if word == "game":
        merge.declared.games.append(new)


def _remove(merge: Merge, layer: Layer, node: Removal) -> None:
    match node:
        case nodes.Remove():
            if note_override(merge, layer, removed_key(node), node):
                merge.diagnostics.extend(remove_part(merge.declared, merge.places, layer, node))
        case nodes.RemoveRows(_, rows):
            for row in rows:
                if note_override(merge, layer, removed_row_key(node, row), row):
                    merge.diagnostics.extend(remove_row(merge.declared, layer, node, row))
        case nodes.RemovePiece():
            if note_override(merge, layer, removed_piece_key(node), node):
                merge.diagnostics.extend(remove_piece(merge.declared, layer, node))
        case _:
            assert_never(node)


def _merge_called(merge: Merge, layer: Layer, name: nodes.Name, naming: nodes.Naming) -> None:
    """Merge what people call something; a later layer may change it, the same layer may not."""
    called = merge.declared.called
    taken = called.get(name.text)
    if taken is not None and taken.layer is layer:
        related = (Related("here it is called something else", taken.node.span),)
        message = f"`{name.text}` is listed twice below `called`"
        merge.diagnostics.append(
            Diagnostic(codes.REDECLARED, message, name.span, related, "delete one of the two")
        )
    called[name.text] = Declared(nodes.Naming((name,), naming.words, span=naming.span), layer)


def _merge_enum(merge: Merge, owned: Declared[nodes.Enum], *, overrides: bool) -> None:
    enums, node = merge.declared.enums, owned.node
    if may_declare(merge, owned.layer, node.name, enums, overrides=overrides):
        for member in node.members:
            if member.name.text not in enums and not overrides:
                may_declare(merge, owned.layer, member.name, {}, overrides=False)
        enums[node.name.text] = owned


def _merge_trigger(merge: Merge, owned: Declared[nodes.Trigger], *, overrides: bool) -> None:
    """All versions of a trigger are kept, as each may call the one below as `super`."""
    name = owned.node.condition.text
    versions = merge.declared.triggers.get(name, [])
    last = versions[-1] if versions else None
    if may_replace(merge, owned.layer, f"when {name}", owned.node, last, overrides=overrides):
        merge.declared.triggers[name] = [*versions, owned]


def _merge_pieces(
    merge: Merge, layer: Layer, item: LayerItem, rows: tuple[Any, ...], *, overrides: bool
) -> None:
    """Merge rows of pieces; all rows of a kind are declared, and overridden, together."""
    kinds = merge.declared.kinds
    fresh: dict[str, list[Declared[nodes.Piece]]] = {}
    for row, docs in documented(rows, item.docs):
        name = row.kind
        if name.text in fresh:
            fresh[name.text].append(Declared(row, layer, docs))
        elif may_declare(merge, layer, name, kinds, overrides=overrides):
            fresh[name.text] = [Declared(row, layer, docs)]
    if overrides:
        for kind, rows_now in fresh.items():
            _tell_rows_left_out(merge, kind, [each.node for each in rows_now])
    kinds.update(fresh)


def _tell_rows_left_out(merge: Merge, kind: str, rows: list[nodes.Piece]) -> None:
    """Warn about rows that an override replaces and no new row corresponds to."""
    before = merge.declared.kinds.get(kind, [])
    left_out = [
        each.node for each in before if not any(_stands_for(row, each.node) for row in rows)
    ]
    if not left_out or len(before) == 1:
        return
    texts = [text_of(each.span).split("|")[0].strip() for each in left_out]
    shown = ", ".join(f"`{text}`" for text in texts)
    message = (
        f"this replaces all rows of `{kind}`, so {shown} {'is' if len(texts) == 1 else 'are'} gone"
    )
    hint = (
        f"write {'this row' if len(texts) == 1 else 'these rows'}, too; or `remove pieces {kind}`,"
        " and declare it without `override`"
    )
    related = tuple(Related("a row that is left out", each.span) for each in left_out)
    merge.diagnostics.append(
        Diagnostic(codes.ROWS_LEFT_OUT, message, rows[0].span, related, hint, severity="warning")
    )


def _stands_for(row: nodes.Piece, old: nodes.Piece) -> bool:
    """Whether a new row has the same given values as an old one, by which the old row differs from its neighbours."""
    new = {each.name.text: each for each in row.attributes}
    names = {each.name.text for each in old.attributes}
    given = [
        each
        for each in old.attributes
        if isinstance(each, nodes.Fixed)
        and names.isdisjoint(used.text for used in used_names(each.value))
    ]
    return all(
        not isinstance(new.get(each.name.text), nodes.Fixed) or new[each.name.text] == each
        for each in given
    )


# ---- Routines ------------------------------------------------------------------------------------


def _merge_routine(
    merge: Merge, owned: Declared[nodes.Let | nodes.Table | nodes.Rule], *, overrides: bool
) -> None:
    node, routines = owned.node, merge.declared.routines
    is_procedure = isinstance(node, nodes.Rule) or (
        isinstance(node, nodes.Table) and is_action_table(node)
    )
    kind: Any = "procedure" if is_procedure else "function"
    name = node.name
    if not may_declare(merge, owned.layer, name, routines, overrides=overrides):
        return
    if not overrides:
        routines[name.text] = Routine(name.text, kind, [owned])
        return
    routine = routines[name.text]
    old = routine.versions[-1].node
    related = (Related("what it overrides", old.name.span),)
    if routine.kind != kind:
        a = {"function": "a value", "procedure": "a rule that does something"}
        message = f"`{name.text}` is {a[routine.kind]}, so it cannot become {a[kind]}"
        merge.diagnostics.append(Diagnostic(codes.BAD_OVERRIDE, message, name.span, related))
    elif _signature(old) != _signature(node):
        message = f"`{name.text}` is overridden with other parameters"
        hint = f"write `{name.text}{_parameters(old)}`"
        merge.diagnostics.append(Diagnostic(codes.BAD_OVERRIDE, message, name.span, related, hint))
    elif (
        isinstance(old, nodes.Table)
        and isinstance(node, nodes.Table)
        and len(old.header.outputs) > 1
        and old.header.outputs != node.header.outputs
    ):
        # Others read them by their names.
        outputs = " | ".join(each.text for each in old.header.outputs)
        message = f"`{name.text}` is overridden with other outputs"
        place, related = node.header.span, (Related("what it overrides", old.header.span),)
        hint = f"write `=> {outputs}`"
        merge.diagnostics.append(Diagnostic(codes.BAD_OVERRIDE, message, place, related, hint))
    else:
        routine.versions.append(owned)


def _signature(node: nodes.Let | nodes.Table | nodes.Rule) -> Any:
    result = node.result if isinstance(node, nodes.Rule) else None
    return node.params, result


def _parameters(node: nodes.Let | nodes.Table | nodes.Rule) -> str:
    if not node.params:
        return ""
    span = node.params[0].span
    return f"({span.source.text[span.start : node.params[-1].span.end]})"


def _merge_addition(
    merge: Merge, layer: Layer, item: LayerItem, node: nodes.Rows | nodes.Hook
) -> None:
    """`rows`, `before` and `after`."""
    routines = merge.declared.routines
    owned: Any = Declared(node, layer, item.docs)
    match node:
        case nodes.Rows(table):
            routine = routines.get(table.text)
            known = [
                r.name for r in routines.values() if isinstance(r.versions[-1].node, nodes.Table)
            ]
            if table.text not in known:
                merge.diagnostics.append(_adds_to_nothing("table", table, known))
            elif routine is not None:
                routine.rows.insert(0, owned)
        case nodes.Hook(side, rule):
            routine = routines.get(rule.text)
            if routine is None or routine.kind != "procedure":
                known = [r.name for r in routines.values() if r.kind == "procedure"]
                merge.diagnostics.append(_adds_to_nothing("rule", rule, known))
            elif side == "before":
                routine.before.insert(0, owned)
            else:
                routine.after.append(owned)
        case _:
            assert_never(node)


def _adds_to_nothing(what: str, name: nodes.Name, known: list[str]) -> Diagnostic:
    message = f"there is no {what} `{name.text}` to add to"
    hint = did_you_mean(name.text, known)
    return Diagnostic(codes.OVERRIDE_OF_NOTHING, message, name.span, hint=hint)


def _set_option(merge: Merge, chosen: Chosen) -> None:
    options = merge.declared.options
    if chosen.name.text in options:
        merge.declared.chosen[chosen.name.text] = chosen
        return
    there_are = f"there are {', '.join(f'`{name}`' for name in options)}" if options else None
    hint = did_you_mean(chosen.name.text, options, there_are)
    message = f"no option is named `{chosen.name.text}`"
    merge.diagnostics.append(
        Diagnostic(codes.UNKNOWN_VARIANT, message, chosen.name.span, hint=hint)
    )
