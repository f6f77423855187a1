"""Layers -> one set of declarations.

Implements docs/language/10-overlays.md. A plain declaration needs a name that is free, `override` one
that is taken; so a misspelt override and an accidental redefinition are both told, with both places.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import count
from typing import Any, TypeAlias, assert_never

from attrs import frozen

from rulespec import codes
from rulespec.checking.builtins import BUILT_IN, ENGINE_CALLS
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
from rulespec.checking.local_names import write_out
from rulespec.checking.removals import (
    remove_part,
    remove_piece,
    remove_row,
    removed_key,
    removed_piece_key,
    removed_row_key,
)
from rulespec.checking.teams import team_function
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Span, text_of
from rulespec.syntax import nodes
from rulespec.syntax.extending import extends_with


@frozen
class _Merge:
    """A merge under way: what has been declared so far, by which name and where."""

    declared: Declarations
    places: dict[str, nodes.Name]  # of every name the place of its first declaration
    overriders: dict[str, tuple[Layer, Span]]  # of every overridden name who did it last, and where
    diagnostics: list[Diagnostic]


def merge_layers(stack: LayerStack) -> tuple[Declarations, list[Diagnostic]]:
    """The program that the layers make together."""
    merge = _Merge(Declarations(slots=stack.slots, files=stack.files), {}, {}, [])
    for layer in stack.layers:
        # First what a layer removes, then what it declares and overrides, then what it adds to others.
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
    _drop_unreached(merge.declared)
    return merge.declared, merge.diagnostics


def _merge_item(merge: _Merge, layer: Layer, item: LayerItem) -> None:
    node = item.declaration
    overrides = isinstance(node, nodes.Override)
    if isinstance(node, nodes.Override):
        node = node.declaration
    into = merge.declared
    owned: Any = Declared(node, layer, item.docs)
    match node:
        case _ if isinstance(node, Texts):
            _merge_text(merge, node, owned)
        case nodes.Called(namings):
            for naming in namings:
                for name in naming.names:
                    _merge_called(merge, layer, name, naming)
        case nodes.First():
            into.first = owned
        case nodes.Players():
            if _may_replace(merge, layer, "players", node, into.players, overrides=overrides):
                into.players = owned
        case nodes.Teams():
            if _may_replace(merge, layer, "teams", node, into.teams, overrides=overrides):
                into.teams = owned
                _merge_routine(merge, Declared(team_function(node), layer), overrides=overrides)
        case nodes.Ranking():
            if _may_replace(merge, layer, "ranking", node, into.ranking, overrides=overrides):
                into.ranking = owned
        case nodes.Enum(name, members):
            if _may_declare(merge, layer, name, into.enums, overrides=overrides):
                for member in members:
                    if member.name.text not in into.enums and not overrides:
                        _may_declare(merge, layer, member.name, {}, overrides=False)
                into.enums[name.text] = owned
        case nodes.Option(name):
            if _may_declare(merge, layer, name, into.options, overrides=overrides):
                into.options[name.text] = owned
        case nodes.Pieces(_, rows):
            _merge_pieces(merge, layer, item, rows, overrides=overrides)
        case nodes.Zones(_, _, rows):
            for row, docs in documented(rows, item.docs):
                if _may_declare(merge, layer, row.name, into.zones, overrides=overrides):
                    into.zones[row.name.text] = Declared(row, layer, docs)
        case nodes.State(rule, _, rows):
            for row, docs in documented(rows, item.docs):
                if _may_declare(merge, layer, row.name, into.variables, overrides=overrides):
                    into.variables[row.name.text] = Declared(Stored(row, rule), layer, docs)
        case nodes.Let():
            whole, found = write_out(node)
            merge.diagnostics.extend(found)
            _merge_routine(merge, Declared(whole, layer, item.docs), overrides=overrides)
        case nodes.Table() | nodes.Rule():
            _merge_routine(merge, owned, overrides=overrides)
        case nodes.Trigger(condition):
            key = f"when {condition.text}"
            taken = into.triggers.get(condition.text, [])
            if _may_replace(
                merge, layer, key, node, taken[-1] if taken else None, overrides=overrides
            ):
                into.triggers[condition.text] = [*taken, owned]
        case nodes.Always(name):
            key = f"always {name.text}"
            if _may_replace(
                merge, layer, key, node, into.invariants.get(name.text), overrides=overrides
            ):
                into.invariants[name.text] = owned
        case nodes.Rows() | nodes.Hook() | nodes.Use():
            pass  # what is added comes later, and mechanisms are layers
        case nodes.Remove() | nodes.RemoveRows() | nodes.RemovePiece():
            pass  # this came before
        case _:
            assert_never(node)


Texts: TypeAlias = (
    nodes.Game
    | nodes.About
    | nodes.Goal
    | nodes.Turn
    | nodes.Minutes
    | nodes.Ages
    | nodes.Advice
    | nodes.Rulebook
    | nodes.Ruling
    | nodes.Omit
    | nodes.Example
)


def _merge_text(merge: _Merge, node: Texts, owned: Any) -> None:
    """Merge a declaration that changes no rule: what is said about a game, its rulebooks, its examples."""
    into = merge.declared
    match node:
        case nodes.Game():
            _once(merge, into.game, owned, "game")
            into.game = owned
            into.games.append(owned)
        case nodes.About():
            _once(merge, into.about, owned, "about")
            into.about = owned
        case nodes.Goal():
            _once(merge, into.goal, owned, "goal")
            into.goal = owned
        case nodes.Turn():
            _once(merge, into.turn, owned, "turn")
            into.turn = owned
        case nodes.Minutes():
            _once(merge, into.minutes, owned, "minutes")
            into.minutes = owned
        case nodes.Ages():
            _once(merge, into.ages, owned, "ages")
            into.ages = owned
        case nodes.Advice():
            into.advice.append(owned)
        case nodes.Rulebook():
            into.rulebooks.append(owned)
        case nodes.Ruling():
            into.rulings.append(owned)
        case nodes.Omit():
            into.omits.append(owned)
        case nodes.Example():
            into.examples.append(owned)
        case _:
            assert_never(node)


def _remove(merge: _Merge, layer: Layer, node: Removal) -> None:
    match node:
        case nodes.Remove():
            if _note_override(merge, layer, removed_key(node), node):
                merge.diagnostics.extend(remove_part(merge.declared, merge.places, layer, node))
        case nodes.RemoveRows(_, rows):
            for row in rows:
                if _note_override(merge, layer, removed_row_key(node, row), row):
                    merge.diagnostics.extend(remove_row(merge.declared, layer, node, row))
        case nodes.RemovePiece():
            if _note_override(merge, layer, removed_piece_key(node), node):
                merge.diagnostics.extend(remove_piece(merge.declared, layer, node))
        case _:
            assert_never(node)


def _once(merge: _Merge, taken: Declared[Any] | None, new: Declared[Any], word: str) -> None:
    """A layer says a thing about its game once; a later layer may say it anew."""
    if taken is not None and taken.layer is new.layer:
        related = (Related("the first one", taken.node.span),)
        message = f"`{word}` is written twice"
        merge.diagnostics.append(
            Diagnostic(codes.REDECLARED, message, new.node.span, related, "delete one of the two")
        )


def _merge_called(merge: _Merge, layer: Layer, name: nodes.Name, naming: nodes.Naming) -> None:
    """What people call something: a later layer may call it otherwise, the same one may not."""
    called = merge.declared.called
    taken = called.get(name.text)
    if taken is not None and taken.layer is layer:
        related = (Related("here it is called something else", taken.node.span),)
        message = f"`{name.text}` is listed twice below `called`"
        merge.diagnostics.append(
            Diagnostic(codes.REDECLARED, message, name.span, related, "delete one of the two")
        )
    called[name.text] = Declared(nodes.Naming((name,), naming.words, span=naming.span), layer)


def _merge_pieces(
    merge: _Merge, layer: Layer, item: LayerItem, rows: tuple[Any, ...], *, overrides: bool
) -> None:
    """All rows of a kind belong together: they are declared, and overridden, as one."""
    kinds = merge.declared.kinds
    fresh: dict[str, list[Declared[nodes.Piece]]] = {}
    for row, docs in documented(rows, item.docs):
        name = row.kind
        if name.text in fresh:
            fresh[name.text].append(Declared(row, layer, docs))
        elif _may_declare(merge, layer, name, kinds, overrides=overrides):
            fresh[name.text] = [Declared(row, layer, docs)]
    if overrides:
        for kind, rows_now in fresh.items():
            _tell_rows_left_out(merge, kind, [each.node for each in rows_now])
    kinds.update(fresh)


def _tell_rows_left_out(merge: _Merge, kind: str, rows: list[nodes.Piece]) -> None:
    """All rows of a kind are replaced: tell of those that no new row stands for."""
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
    """Whether a row has what tells another one from its neighbours: the values that are given there."""
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


# ---- May it be declared? -------------------------------------------------------------------------


def _may_declare(
    merge: _Merge, layer: Layer, name: nodes.Name, taken: dict[str, Any], *, overrides: bool
) -> bool:
    if overrides:
        return _may_override(merge, layer, name, taken)
    text = name.text
    if text in BUILT_IN:
        message = f"`{text}` has a meaning of its own and cannot be declared"
        free = next(each for each in _names_like(text) if each not in {*BUILT_IN, *merge.places})
        hint = f"write another name, for example `{free}`"
        merge.diagnostics.append(Diagnostic(codes.REDECLARED, message, name.span, hint=hint))
        return False
    if text in merge.places:
        merge.diagnostics.append(_taken(merge, name, layer))
        return False
    merge.places[text] = name
    return True


def _names_like(text: str) -> Iterator[str]:
    """Names to offer instead of one that cannot be declared: `my_left`, `left_2`, `left_3` and so on."""
    yield f"my_{text}"
    yield from (f"{text}_{number}" for number in count(2))


def _taken(merge: _Merge, name: nodes.Name, layer: Layer) -> Diagnostic:
    first = merge.places[name.text]
    here = first.span.source == name.span.source
    message = f"`{name.text}` is declared {'twice' if here else 'already'}"
    again = not here or layer.origin == "variant"
    hint = "write `override` before it to replace that, or choose another name" if again else None
    if layer.origin == "mechanism":
        hint = "rename yours, or write `override` before it"
    hint = _offer_setting(merge, name) or hint
    related = (Related("declared here", first.span),)
    return Diagnostic(codes.REDECLARED, message, name.span, related, hint)


def _offer_setting(merge: _Merge, name: nodes.Name) -> str | None:
    """What to write for an option of the game below that only gets another value."""
    line = name.span.source.text[name.span.start :].partition("\n")[0].partition("--")[0]
    value = line.rpartition("=")[2].strip()
    whole = extends_with(name.span.source, name.text, value) if "=" in line else None
    if whole is None or name.text not in merge.declared.options:
        return None
    return f"write `{whole}`"


def _may_override(merge: _Merge, layer: Layer, name: nodes.Name, taken: dict[str, Any]) -> bool:
    if name.text in taken:
        return _note_override(merge, layer, name.text, name)
    if name.text in merge.places:
        message = f"`{name.text}` is something else, so this cannot override it"
        related = (Related("declared here", merge.places[name.text].span),)
        hint = _offer_setting(merge, name)
        merge.diagnostics.append(Diagnostic(codes.BAD_OVERRIDE, message, name.span, related, hint))
        return False
    merge.diagnostics.append(_overrides_nothing(merge, name, [*taken]))
    return False


def _overrides_nothing(merge: _Merge, name: nodes.Name, known: list[str]) -> Diagnostic:
    near = get_close_matches(name.text, known, 1)
    place = merge.places.get(near[0]) if near else None
    related = (Related(f"`{place.text}` is declared here", place.span),) if place else ()
    message = f"there is no `{name.text}` to override"
    hint = f"did you mean `{near[0]}`?" if near else "leave `override` out to declare it"
    return Diagnostic(codes.OVERRIDE_OF_NOTHING, message, name.span, related, hint)


def _note_override(merge: _Merge, layer: Layer, key: str, place: Any) -> bool:
    before, first = merge.overriders.get(key, (None, None))
    if before is not None and before.origin == layer.origin == "variant" and before is not layer:
        message = f"the variants `{before.title}` and `{layer.title}` both change `{key}`"
        related = tuple(
            Related(f"by `{each.title}`", span)
            for each, span in ((before, first), (layer, place.span))
            if span is not None
        )
        span = layer.place or place.span
        merge.diagnostics.append(Diagnostic(codes.VARIANTS_CLASH, message, span, related))
        return False
    merge.overriders[key] = (layer, place.span)
    return True


def _may_replace(  # noqa: PLR0913 - what is asked, of whom, and what is there
    merge: _Merge,
    layer: Layer,
    key: str,
    node: Any,
    taken: Declared[Any] | None,
    *,
    overrides: bool,
) -> bool:
    """For what has no name of its own: `players`, the ranking, a trigger, an invariant."""
    if overrides and taken is None:
        message = f"there is no `{key}` to override"
        hint = "leave `override` out to declare it"
        merge.diagnostics.append(
            Diagnostic(codes.OVERRIDE_OF_NOTHING, message, node.span, hint=hint)
        )
        return False
    if overrides:
        return _note_override(merge, layer, key, node)
    if taken is not None:
        related = (Related("declared here", taken.node.span),)
        message = f"`{key}` is declared already"
        hint = "write `override` before it to replace that"
        merge.diagnostics.append(Diagnostic(codes.REDECLARED, message, node.span, related, hint))
        return False
    return True


# ---- Routines ------------------------------------------------------------------------------------


def _merge_routine(
    merge: _Merge, owned: Declared[nodes.Let | nodes.Table | nodes.Rule], *, overrides: bool
) -> None:
    node, routines = owned.node, merge.declared.routines
    is_procedure = isinstance(node, nodes.Rule) or (
        isinstance(node, nodes.Table) and is_action_table(node)
    )
    kind: Any = "procedure" if is_procedure else "function"
    name = node.name
    if not _may_declare(merge, owned.layer, name, routines, overrides=overrides):
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
    merge: _Merge, layer: Layer, item: LayerItem, node: nodes.Rows | nodes.Hook
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
    near = get_close_matches(name.text, known, 1)
    message = f"there is no {what} `{name.text}` to add to"
    hint = f"did you mean `{near[0]}`?" if near else None
    return Diagnostic(codes.OVERRIDE_OF_NOTHING, message, name.span, hint=hint)


def _set_option(merge: _Merge, chosen: Chosen) -> None:
    options = merge.declared.options
    if chosen.name.text in options:
        merge.declared.chosen[chosen.name.text] = chosen
        return
    near = get_close_matches(chosen.name.text, options, 1)
    hint = f"did you mean `{near[0]}`?" if near else None
    if hint is None and options:
        hint = f"there are {', '.join(f'`{name}`' for name in options)}"
    message = f"no option is named `{chosen.name.text}`"
    merge.diagnostics.append(
        Diagnostic(codes.UNKNOWN_VARIANT, message, chosen.name.span, hint=hint)
    )


# ---- What a mechanism declares and nobody uses ---------------------------------------------------


def _drop_unreached(declared: Declarations) -> None:
    """Drop what stands only in a mechanism and is not reached from the game."""
    parts = _parts_by_name(declared)
    unreached: set[str] = set()
    waiting: list[Any] = _always_there(declared)
    for name, nodes_of_name in parts.items():
        if any(each.layer.origin != "mechanism" for each in nodes_of_name) or name in ENGINE_CALLS:
            waiting.extend(each.node for each in nodes_of_name)
        else:
            unreached.add(name)
    owners = {member.name.text: name for name, enum in declared.enums.items()
              for member in enum.node.members}  # fmt: skip
    _reach(parts, owners, unreached, waiting)
    # Examples are most of a file, and hardly one names what the game does not: so first look at its text.
    words = unreached | {member for member, enum in owners.items() if enum in unreached}
    examples = [each.node for each in declared.examples if _may_name(each, words)]
    _reach(parts, owners, unreached, examples)
    tables: list[dict[str, Any]] = [
        *(declared.enums, declared.options, declared.kinds, declared.zones),
        *(declared.variables, declared.routines),
    ]
    for table in tables:
        for name in unreached & table.keys():
            del table[name]
    for name in unreached & declared.called.keys():
        del declared.called[name]


def _reach(
    parts: dict[str, list[Declared[Any]]],
    owners: dict[str, str],
    unreached: set[str],
    waiting: list[Any],
) -> None:
    """Take from `unreached` what some trees use, and what is used by that."""
    while waiting and unreached:
        for used in {name.text for name in used_names(waiting.pop())}:
            for name in (used, owners.get(used, used)):
                if name in unreached:
                    unreached.remove(name)
                    waiting.extend(each.node for each in parts[name])


def _may_name(example: Declared[nodes.Example], words: set[str]) -> bool:
    """Whether one of these words stands in an example; in that of a mechanism, others may be meant."""
    span = example.node.span
    text = span.source.text[span.start : span.end]
    return example.layer.origin == "mechanism" or any(word in text for word in words)


def _parts_by_name(declared: Declarations) -> dict[str, list[Declared[Any]]]:
    """All that belongs to each name."""
    parts: dict[str, list[Declared[Any]]] = {}
    single: list[dict[str, Any]] = [
        *(declared.enums, declared.options, declared.zones, declared.variables)
    ]
    for table in single:
        parts.update({name: [each] for name, each in table.items()})
    parts.update(declared.kinds)
    for name, routine in declared.routines.items():
        parts[name] = [*routine.versions, *routine.rows, *routine.before, *routine.after]
    return parts


def _always_there(declared: Declarations) -> list[Any]:
    """What is not reached by a name, but runs all the same; but for the examples."""
    owned: list[Declared[Any]] = [
        each for versions in declared.triggers.values() for each in versions
    ]
    owned += declared.invariants.values()
    owned += [each for each in (declared.ranking,) if each is not None]
    triggers = [nodes.Name(name) for name in declared.triggers]
    chosen = [chosen.value for chosen in declared.chosen.values()]
    return [*(each.node for each in owned), *triggers, *chosen]
