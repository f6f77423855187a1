"""A text -> its analysis as a whole: all diagnostics, and the types of whatever has no mistake."""

from pathlib import Path
from typing import Any

from attrs import frozen

from rulespec.checking.attributes import root_scope
from rulespec.checking.builtins import FOLDS, FUNCTIONS
from rulespec.checking.declarations import Declarations, Routine, walk
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import element_type_of, function_type, name_type, routine_scope
from rulespec.checking.layers import stack_layers
from rulespec.checking.overlays import merge_layers
from rulespec.checking.scopes import Scope, bind_names, seat_players, silent
from rulespec.checking.soundness import sound_part
from rulespec.checking.wording import describe_type
from rulespec.checks import Checked, check
from rulespec.core import types
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, Span
from rulespec.syntax import nodes


@frozen(eq=False)
class TextAnalysis:
    """The diagnostics of a text, and the declarations whose types are known, if there are any."""

    source: Source
    diagnostics: tuple[Diagnostic, ...]
    declared: Declarations | None


def analyse_text(path: Path, source: Source) -> TextAnalysis:
    """Check a text as a whole, which may take a second."""
    return analysis_of(path, source, check(path, source))


def analysis_of(path: Path, source: Source, found: Checked) -> TextAnalysis:
    """The analysis of a text that was checked already."""
    if found.program is not None:
        return TextAnalysis(source, found.diagnostics, found.program.declared)
    stack = stack_layers(path, source)
    declared, _ = merge_layers(stack)
    wrong = [each.span for each in found.diagnostics if each.severity == "error"]
    own = [each for each in wrong if each.source.name != source.name or stack.damage is None]
    sound = sound_part(declared, stack.damage, own)
    return TextAnalysis(source, found.diagnostics, sound.declared if sound is not None else None)


def type_at(known: TextAnalysis, name: str, offset: int) -> str | None:
    """What values a name has at a place, in words; nothing if it has none, or that is not known."""
    program = known.declared
    if program is None or name in FUNCTIONS or name in FOLDS:
        return None
    routine = program.routines.get(name)
    scope = silent(_scope_at(program, known.source, offset))
    if routine is not None and name not in scope.names:
        found = _given_back(scope, routine)
    elif name in scope.known.attributes and name not in scope.names:
        values = list(scope.known.attributes[name].by_kind.values())
        found = values[0] if values else None
    else:
        found = name_type(scope, nodes.Name(name))
    return None if found is None or isinstance(found, types.Unknown) else describe_type(found)


def _given_back(scope: Scope, routine: Routine) -> types.Type | None:
    node = routine.versions[-1].node
    if routine.kind == "function":
        return function_type(scope, routine, len(routine.versions) - 1)
    result = node.result if isinstance(node, nodes.Rule) else None
    return declared_type(scope.known, result) if result is not None else None


def _scope_at(program: Declarations, source: Source, offset: int) -> Scope:
    """The names that are bound around a place."""
    scope = root_scope(program)
    for routine in program.routines.values():
        bodies = [(each.node, number) for number, each in enumerate(routine.versions)]
        for node, number in bodies:
            if _holds(node, source, offset):
                return _inside(routine_scope(scope, routine, number), node, offset)
        for hook in (*routine.before, *routine.after):
            if _holds(hook.node, source, offset):
                last = len(routine.versions) - 1
                return _inside(routine_scope(scope, routine, last), hook.node, offset)
    others: list[Any] = [each.node for versions in program.triggers.values() for each in versions]
    others += [each.node for each in program.invariants.values()]
    others += [program.ranking.node] if program.ranking is not None else []
    others += [each.node for each in program.examples]
    for node in others:
        if _holds(node, source, offset):
            return _inside(scope, node, offset)
    return scope


def _holds(node: Any, source: Source, offset: int) -> bool:
    span: Span = node.span
    return span.start <= offset <= span.end and span.source.name == source.name


def _inside(scope: Scope, root: Any, offset: int) -> Scope:
    """The scope of a declaration with its locals, and what loops bind around a place."""
    scope = silent(scope)
    for node in walk(root):
        if id(node) in scope.known.locals:
            scope = bind_names(scope, dict(scope.known.locals[id(node)][1]))
        match node:
            case nodes.Ranking(player):
                scope = bind_names(scope, {player.text: types.SEAT})
            case nodes.Seats(names):
                scope = seat_players(scope, (each.text for each in names))
            case (
                nodes.For(name, values)
                | nodes.Fold(name=name, values=values)
                | nodes.Build(name=name, values=values)
            ) if node.span.start <= offset <= node.span.end:
                scope = bind_names(scope, {name.text: element_type_of(scope, values, name)})
            case nodes.Each(name, players) | nodes.EachMay(name, players) if (
                node.span.start <= offset <= node.span.end
            ):
                scope = bind_names(scope, {name.text: element_type_of(scope, players, name)})
    return scope
