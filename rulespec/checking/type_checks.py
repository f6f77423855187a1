"""Declarations -> diagnostics for values that never fit their place, and doubts about values that may not.

Implements docs/language/3-types.md and 12-checks.md, "Types". Values that are certainly wrong are reported; what may
be wrong, such as a number that may leave its range, is tested during play. `expressions` and `statements` check
bodies; this module walks through the declarations.
"""

from collections.abc import Iterator
from typing import assert_never

from attrs import evolve

from rulespec import codes
from rulespec.checking.attributes import attribute_types, root_scope
from rulespec.checking.declarations import (
    Declarations,
    Declared,
    Routine,
    is_action_table,
    rule_result,
    seat_names,
)
from rulespec.checking.domains import declared_type, ranked_type
from rulespec.checking.doubts import Doubt
from rulespec.checking.expressions import condition, function_type, routine_scope, type_of
from rulespec.checking.scopes import (
    Scope,
    bind_names,
    likely_index,
    report,
    require,
    seat_players,
    silent,
)
from rulespec.checking.statements import check_body
from rulespec.checking.teams import ranking_outcome
from rulespec.checking.wording import as_written, describe_type, written
from rulespec.core import types
from rulespec.core.types import INT, MOST, NONE, UNKNOWN, Type, join, present
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Span, text_of
from rulespec.syntax import nodes

OVERRIDDEN = "what it overrides"


def check_types(program: Declarations) -> Iterator[Diagnostic | Doubt]:
    """Report values that never fit their place, and doubt those that may not fit."""
    found = _walk(program)
    yield from _without_consequences(found.faults or [])
    yield from found.known.doubts


def _without_consequences(faults: list[Diagnostic]) -> list[Diagnostic]:
    """If a layer overrides something with another type, only the mistakes in its own file.

    Everything else that no longer fits is a consequence, as it was right before.
    """
    changed = {
        each.span.source
        for each in faults
        if any(place.message == OVERRIDDEN for place in each.related)
    }
    return [each for each in faults if not changed or each.span.source in changed]


def _walk(program: Declarations) -> Scope:
    """The scope of a program after all declarations have been checked, with everything that was found."""
    scope = evolve(root_scope(program), faults=[])
    _options(scope)
    for rows in program.kinds.values():
        for row in rows:
            _piece(scope, row.node)
    _settle(scope)
    for variable in program.variables.values():
        _variable(scope, variable.node.node)
    for routine in program.routines.values():
        _routine(scope, routine)
    for name, versions in program.triggers.items():
        _trigger(scope, name, versions)
    for invariant in program.invariants.values():
        condition(scope, invariant.node.condition)
    if program.ranking is not None:
        _ranking(scope, program.ranking.node)
    for example in program.examples:
        _example(scope, example.node)
    return scope


# ---- Declarations --------------------------------------------------------------------------------


def _options(scope: Scope) -> None:
    program = scope.known.program
    for name, option in program.options.items():
        wanted = declared_type(scope.known, option.node.type)
        if isinstance(option.node.default, nodes.Where):
            _tell_misplaced(scope, option.node, option.node.default)
            continue
        found = type_of(scope, option.node.default)
        require(scope, option.node.default, found, wanted, f"the option `{name}`")
        if option.node.condition is not None:
            condition(bind_names(scope, {"it": wanted}), option.node.condition)
    for name, chosen in program.chosen.items():
        if name in program.options:
            _setting(scope, name, chosen.value)


def _tell_misplaced(scope: Scope, option: nodes.Option, default: nodes.Where) -> None:
    """`option spies: 1..5 = 1 where it < players`: the condition stands before the value."""
    type_, test, value = (text_of(e.span) for e in (option.type, default.condition, default.values))
    message = "the condition of an option stands behind its type, and before its value"
    hint = f"write `option {option.name.text}: {type_} where {test} = {value}`"
    report(scope, codes.WRONG_TYPE, message, default.span, hint)


def _setting(scope: Scope, name: str, value: nodes.Expr) -> None:
    """An option is given another value than its own."""
    option = scope.known.program.options[name].node
    place = (Related("the option", option.span),)
    wanted = declared_type(scope.known, option.type)
    require(scope, value, type_of(scope, value), wanted, f"the option `{name}`", place)


def _piece(scope: Scope, piece: nodes.Piece) -> None:
    inner = bind_names(scope, attribute_types(scope, piece))
    found = type_of(inner, piece.copies)
    require(inner, piece.copies, found, types.Number(0, MOST), "the number of copies")


def _settle(scope: Scope) -> None:
    """Report doubts about options and pieces as mistakes, because nothing about them can be tested during play."""
    doubts = scope.known.doubts
    for each in doubts:
        if each.kind in ("range", "none"):
            report(scope, codes.OUT_OF_RANGE, each.sentence, each.span, each.hint)
    doubts[:] = [each for each in doubts if each.kind not in ("range", "none")]


def _variable(scope: Scope, variable: nodes.Variable) -> None:
    wanted = declared_type(scope.known, variable.type)
    if isinstance(wanted, types.Place):
        message = f"`{variable.name.text}` cannot keep a zone: only parameters can be zones"
        report(scope, codes.WRONG_ZONE, message, variable.type.span)
        return
    _seen(scope, variable, wanted)
    found = type_of(scope, variable.start)
    where = f"`{variable.name.text}`"
    place = (Related("its type", variable.type.span),)
    require(scope, variable.start, found, wanted, where, place)


def _seen(scope: Scope, variable: nodes.Variable, wanted: types.Type) -> None:
    """Report a hidden variable that keeps pieces: zones decide who sees pieces."""
    viewers = variable.viewers
    inner = types.present(wanted)
    while isinstance(inner, types.Several):
        inner = types.present(inner.of)
    if viewers is not None and viewers.who != "everyone" and isinstance(inner, types.Piece):
        message = f"`{variable.name.text}` keeps pieces, so it cannot be hidden from anybody"
        hint = f"move the pieces to a zone that is seen by `{viewers.who}`"
        report(scope, codes.WRONG_KIND, message, viewers.span, hint)


def _trigger(scope: Scope, name: str, versions: list[Declared[nodes.Trigger]]) -> None:
    routine = scope.known.program.routines.get(name)
    first = versions[0].node.condition
    if routine is not None:
        params = routine.versions[-1].node.params
        found = function_type(scope, routine, len(routine.versions) - 1)
        related = (Related("declared here", routine.versions[-1].node.name.span),)
        overridden = len(routine.versions) > 1  # then a change of type is told there
        if params or not (overridden or isinstance(found, types.Bool | types.Unknown)):
            needs = "needs values in brackets" if params else f"is {describe_type(found)}"
            message = f"`when` waits for something that is `yes` or `no`, but `{name}` {needs}"
            report(scope, codes.WRONG_TYPE, message, first.span, None, related)
    for version in versions:
        check_body(scope, version.node.body)


def _ranking(scope: Scope, ranking: nodes.Ranking) -> None:
    inner = bind_names(scope, {ranking.player.text: ranked_type(scope.known)})
    for criterion in ranking.criteria:
        if isinstance(criterion, nodes.Criterion):
            if ranking_outcome(criterion) is not None:
                found = type_of(inner, criterion.key)
                require(
                    inner, criterion.key, found, types.Bool(), f"`{ranking_outcome(criterion)}`"
                )
                continue
            order = type_of(scope, criterion.order)
            require(
                scope, criterion.order, order, types.Direction(), "the first column of a ranking"
            )
            key = type_of(inner, criterion.key)
            # `none` may be ranked, and is worse than any number; but something must tell players apart.
            ranked = key if key == NONE else present(key)
            require(inner, criterion.key, ranked, INT, "what players are ranked by")


# ---- Routines ------------------------------------------------------------------------------------


def _routine(scope: Scope, routine: Routine) -> None:
    for number, version in enumerate(routine.versions):
        inner = routine_scope(scope, routine, number)
        with_place = _begin(scope)
        match version.node:
            case nodes.Let(_, _, value):
                _value(inner, value, type_of(inner, value))
            case nodes.Rule(_, _, result, body):
                wanted = None if result is None else declared_type(scope.known, result)
                check_body(inner, body, wanted)
            case nodes.Table(_, _, header, rows):
                for each in header.inputs:
                    _value(inner, each, type_of(inner, each))
                _rows(inner, rows, acts=is_action_table(version.node))
            case _:
                assert_never(version.node)
        _end(scope, with_place, version)
        if number > 0 and routine.kind == "function":
            _same_result(scope, routine, number)
    last = routine.versions[-1].node
    inner = routine_scope(scope, routine, len(routine.versions) - 1)
    acts = isinstance(last, nodes.Table) and is_action_table(last)
    for added in routine.rows:
        _rows(inner, added.node.rows, acts=acts)
    for hook in (*routine.before, *routine.after):
        check_body(evolve(inner, routine=None), hook.node.body)


def _begin(scope: Scope) -> int:
    return len(scope.faults or ())


def _end(scope: Scope, begin: int, version: Declared[nodes.Let | nodes.Table | nodes.Rule]) -> None:
    """Add to mistakes inside of a mechanism the place where the game uses it."""
    if scope.faults is not None and version.layer.origin == "mechanism" and version.layer.place:
        used = Related("the mechanism is used here", version.layer.place)
        scope.faults[begin:] = [
            evolve(fault, related=(*fault.related, used)) for fault in scope.faults[begin:]
        ]


def _value(scope: Scope, expr: nodes.Expr, found: Type) -> None:
    """Report a whole family of variables where one value is needed."""
    if isinstance(found, types.Indexed):
        message = f"{written(expr)} has a value for each index, but one value is needed"
        hint = f"write `{as_written(expr)}[{likely_index(scope, found.indices)}]`"
        report(scope, codes.WRONG_INDEX, message, expr.span, hint)


def _rows(scope: Scope, rows: tuple[nodes.Doc | nodes.Row, ...], *, acts: bool) -> None:
    for row in rows:
        if isinstance(row, nodes.Doc):
            continue
        if acts:
            check_body(scope, row.body)
        elif isinstance(row.body, nodes.Cells):
            for value in row.body.values:
                _value(scope, value, type_of(scope, value))


def _same_result(scope: Scope, routine: Routine, number: int) -> None:
    """Check that an override of a function has a result of the same type."""
    old = function_type(scope, routine, number - 1)
    new = function_type(scope, routine, number)
    before, after = routine.versions[number - 1].node, routine.versions[number].node
    if isinstance(old, types.Outputs) and isinstance(new, types.Outputs):
        _same_outputs(scope, routine.name, (before, old), (after, new))
    elif join(old, new, scope.known.enums) is None:
        what = f"`{routine.name}`"
        _tell_other_result(scope, what, (before.name.span, old), (after.name.span, new))


def _same_outputs(
    scope: Scope,
    name: str,
    old: tuple[nodes.Let | nodes.Table | nodes.Rule, types.Outputs],
    new: tuple[nodes.Let | nodes.Table | nodes.Rule, types.Outputs],
) -> None:
    """Compare each output of an overridden table."""
    (before, had), (after, has) = old, new
    if not isinstance(before, nodes.Table) or not isinstance(after, nodes.Table):
        return
    for number, (column, type_) in enumerate(had.outputs):
        found = has.outputs[number][1]
        if join(type_, found, scope.known.enums) is None:
            places = [each.header.outputs[number].span for each in (before, after)]
            what = f"`{column}` of `{name}`"
            _tell_other_result(scope, what, (places[0], type_), (places[1], found))


def _tell_other_result(
    scope: Scope, what: str, old: tuple[Span, Type], new: tuple[Span, Type]
) -> None:
    message = (
        f"{what} is {describe_type(new[1])} here, but what it overrides is {describe_type(old[1])}"
    )
    related = (Related(OVERRIDDEN, old[0]),)
    report(scope, codes.WRONG_TYPE, message, new[0], None, related)


# ---- Examples ------------------------------------------------------------------------------------


def _example(scope: Scope, example: nodes.Example) -> None:
    inner = seat_players(scope, (name.text for name in seat_names(example)))
    for setting in example.settings:
        if setting.value is not None and setting.name.text in scope.known.program.options:
            _setting(scope, setting.name.text, setting.value)
    result: Type = UNKNOWN
    for step in example.steps:
        match step:
            case nodes.Given(place, value):
                _given(inner, place, value)
            case nodes.Expect(test):
                condition(bind_names(inner, {"result": result}), test)
            case nodes.Run(call):
                check_body(inner, nodes.Perform(call, span=call.span))
                result = _gives(inner, call)
            case nodes.Seats():
                pass
            case _:
                assert_never(step)


def _gives(scope: Scope, call: nodes.Call) -> Type:
    routine = scope.known.program.routines.get(call.function.text)
    result = rule_result(routine) if routine is not None else None
    return UNKNOWN if result is None else declared_type(scope.known, result)


def _given(scope: Scope, place: nodes.Expr, value: nodes.Expr) -> None:
    """Check the value of a variable at the start of an example; pieces in zones are matched when the example runs."""
    if isinstance(place, nodes.Name) and place.text in scope.known.program.routines:
        return  # `examples` tells that it cannot be given a value
    wanted = type_of(scope, place)
    if isinstance(wanted, types.Place | types.Unknown):
        return
    if isinstance(wanted, types.Indexed):
        message = f"{written(place)} has a value for each index, but one value is needed"
        report(scope, codes.WRONG_INDEX, message, place.span)
        return
    require(scope, value, type_of(silent(scope), value), wanted, written(place))
