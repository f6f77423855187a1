"""Declarations, statements and examples -> diagnostics for unknown names, and for names of the wrong kind.

Implements docs/language/1-lexis.md, "Name". Afterwards every name has a meaning, and `type_checks` finds the types
of the values. `expression_names` checks the names in expressions.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import assert_never

from attrs import evolve

from rulespec import codes
from rulespec.checking import suggestions
from rulespec.checking.builtins import (
    BUILT_IN,
    OUTCOMES,
)
from rulespec.checking.calls import statements_of
from rulespec.checking.declarations import (
    Declarations,
    Declared,
    Routine,
    attribute_names,
    called_name,
    local_names,
    member_names,
    seat_names,
    variant_names,
)
from rulespec.checking.deeds import deed_of
from rulespec.checking.expression_names import (
    check_call,
    check_expression,
    check_filtered,
    check_repeated,
    check_type,
)
from rulespec.checking.name_scopes import NameScope, binding, is_among, is_known
from rulespec.checking.removals import tell_removed
from rulespec.checking.suggestions import ORDERS, missing_parameter, unknown
from rulespec.diagnostics import Diagnostic
from rulespec.syntax import nodes


def check_names(program: Declarations) -> Iterator[Diagnostic]:
    """Report unknown names, with similar ones, and names of the wrong kind.

    The slots of a mechanism that is checked by itself may mean anything.
    """
    for found in tell_removed(program, _check_all(program)):
        span = found.span
        if span.source.text[span.start : span.end] not in program.slots:
            yield found


def _check_all(program: Declarations) -> Iterator[Diagnostic]:
    scope = NameScope(program, attribute_names(program), member_names(program))
    yield from suggestions.meant_enums(program)
    for option in program.options.values():
        yield from check_type(scope, option.node.type)
        if option.node.condition is not None:
            yield from check_expression(binding(scope, nodes.Name("it")), option.node.condition)
        yield from check_expression(scope, option.node.default)
    for name, chosen in program.chosen.items():
        yield from _setting(scope, name, chosen.value)
    for rows in program.kinds.values():
        for row in rows:
            yield from _piece(scope, row.node)
    yield from chain.from_iterable(_zone(scope, zone.node) for zone in program.zones.values())
    for variable in program.variables.values():
        for index in variable.node.node.indices:
            yield from check_type(scope, index)
        yield from check_type(scope, variable.node.node.type)
        yield from check_expression(scope, variable.node.node.start)
        yield from _rule_name(scope, variable.node.rule)
    for routine in program.routines.values():
        yield from _routine(scope, routine)
    for name, versions in program.triggers.items():
        yield from _trigger(scope, name, versions)
    for invariant in program.invariants.values():
        yield from check_expression(scope, invariant.node.condition)
    if program.ranking is not None:
        inner = binding(scope, program.ranking.node.player)
        for criterion in program.ranking.node.criteria:
            if isinstance(criterion, nodes.Criterion):
                yield from _order(scope, criterion.order)
                yield from check_expression(inner, criterion.key)
    for example in program.examples:
        yield from _example(scope, example.node)


def _order(scope: NameScope, order: nodes.Expr) -> list[Diagnostic]:
    """Check the first column of a ranking: `most`, `fewest` or an expression for one of them, `won` or `drawn`."""
    if isinstance(order, nodes.Name) and order.text in OUTCOMES:
        return []
    found = [*check_expression(scope, order)]
    if isinstance(order, nodes.Name) and found:
        return [suggestions.unknown_order(order, [*scope.program.routines])]
    return found


IN_BRACES = re.compile(r"\{([^{}]*)\}")


# ---- Declarations --------------------------------------------------------------------------------


def _piece(scope: NameScope, piece: nodes.Piece) -> Iterator[Diagnostic]:
    yield from check_repeated([attribute.name for attribute in piece.attributes])
    inner = scope
    for attribute in piece.attributes:
        if isinstance(attribute, nodes.Ranged):
            yield from check_type(scope, attribute.type)
        else:
            yield from check_expression(inner, attribute.value)
        inner = binding(inner, attribute.name)
    yield from check_expression(inner, piece.copies)
    own = [attribute.name.text for attribute in piece.attributes]
    for name in IN_BRACES.findall(piece.shown_as.value if piece.shown_as is not None else ""):
        if piece.shown_as is not None and name not in own:
            place = nodes.Name(name, span=piece.shown_as.span)
            yield unknown("attribute of this piece", place, own)


def _zone(scope: NameScope, zone: nodes.Zone) -> Iterator[Diagnostic]:
    for index in zone.indices:
        yield from check_type(scope, index)
    for kind in zone.holds:
        if kind.text not in scope.program.kinds:
            yield unknown("kind of piece", kind, [*scope.program.kinds])


def _rule_name(scope: NameScope, rule: nodes.Name | None) -> Iterator[Diagnostic]:
    procedures = [each.name for each in scope.program.routines.values() if each.kind == "procedure"]
    if rule is not None and rule.text not in procedures:
        yield unknown("rule", rule, procedures)


def _routine(scope: NameScope, routine: Routine) -> Iterator[Diagnostic]:
    for number, version in enumerate(routine.versions):
        node = version.node
        inner = evolve(binding(scope, *(param.name for param in node.params)), has_super=number > 0)
        yield from check_repeated([param.name for param in node.params])
        for param in node.params:
            yield from check_type(scope, param.type)
        match node:
            case nodes.Let():
                yield from check_expression(inner, node.value)
            case nodes.Rule():
                if node.result is not None:
                    yield from check_type(scope, node.result)
                yield from missing_parameter(scope.program, node, [*_body(inner, node.body)])
            case nodes.Table():
                for each in node.header.inputs:
                    yield from check_expression(inner, each)
                yield from _rows(inner, node.rows)
            case _:
                assert_never(node)
    params = routine.versions[-1].node.params
    inner = binding(scope, *(param.name for param in params))
    for rows in routine.rows:
        yield from _rows(inner, rows.node.rows)
    for hook in (*routine.before, *routine.after):
        yield from _body(inner, hook.node.body)


def _rows(scope: NameScope, rows: tuple[nodes.Doc | nodes.Row, ...]) -> Iterator[Diagnostic]:
    for row in rows:
        if isinstance(row, nodes.Doc):
            continue
        for key in row.keys:
            for pattern in key.patterns:
                yield from _key(scope, pattern)
        if isinstance(row.body, nodes.Cells):
            for value in row.body.values:
                yield from _action_or_value(scope, value)
        else:
            yield from _body(scope, row.body)


def _key(scope: NameScope, pattern: nodes.Pattern) -> Iterator[Diagnostic]:
    match pattern:
        case nodes.KeyName(first, last):
            known = scope.members, scope.program.kinds, ORDERS
            for name in (first, last):
                if isinstance(name, nodes.Name) and not is_among(name.text, known):
                    yield unknown("member", name, [*chain(*known)])
        case nodes.Anything() | nodes.KeyNumber() | nodes.AtLeast() | nodes.AtMost():
            return
        case _:
            assert_never(pattern)


def _action_or_value(scope: NameScope, value: nodes.Expr) -> Iterator[Diagnostic]:
    """Check a cell; in an action table, a single call is a statement."""
    if isinstance(value, nodes.Call) and value.function.text in scope.program.routines:
        for argument in value.arguments:
            yield from check_expression(scope, argument, zone_or_rule=True)
    else:
        yield from check_expression(scope, value)


def _trigger(
    scope: NameScope, name: str, versions: list[Declared[nodes.Trigger]]
) -> Iterator[Diagnostic]:
    functions = [each.name for each in scope.program.routines.values() if each.kind == "function"]
    if name not in functions:
        yield unknown("`let`", versions[0].node.condition, functions)
    for number, version in enumerate(versions):
        yield from _body(evolve(scope, has_super=number > 0), version.node.body)


def _example(scope: NameScope, example: nodes.Example) -> Iterator[Diagnostic]:
    seats = seat_names(example)
    yield from check_repeated(seats)
    for seat in seats:
        if is_known(scope, seat.text):
            message = f"`{seat.text}` means something else and cannot be a player here"
            yield Diagnostic(codes.REDECLARED, message, seat.span, hint="choose another name")
    for setting in example.settings:
        options, variants = scope.program.options, variant_names(scope.program)
        known = [*options] if setting.value is not None else sorted(variants)
        if setting.name.text not in known:
            yield unknown("option" if setting.value is not None else "variant", setting.name, known)
        elif setting.value is not None:
            yield from _setting(scope, setting.name.text, setting.value)
    inner = evolve(binding(scope, *seats), in_example=True)
    players = {*(seat.text for seat in seats), "chance"}
    for step in example.steps:
        match step:
            case nodes.Given(place, value):
                yield from check_expression(inner, place)
                yield from check_expression(inner, value)
            case nodes.Expect(condition):
                yield from check_expression(inner, condition)
            case nodes.Run(call, picks):
                yield from check_call(inner, call, "procedure")
                for pick in picks:
                    if pick.player.text not in players:
                        yield unknown("player of this example", pick.player, [*players])
                    if isinstance(pick, nodes.Pick):
                        yield from check_expression(inner, pick.value)
                    if pick.options is not None:
                        yield from check_expression(inner, pick.options)
            case nodes.Seats():
                pass
            case _:
                assert_never(step)


def _setting(scope: NameScope, option: str, value: nodes.Expr) -> Iterable[Diagnostic]:
    """Check the value of an option, which is often a member of an enum."""
    declared = scope.program.options.get(option)
    type_ = declared.node.type if declared is not None else None
    if isinstance(type_, nodes.NamedType) and isinstance(value, nodes.Name):
        enum = scope.program.enums.get(type_.name.text)
        members = [member.name.text for member in enum.node.members] if enum else ["yes", "no"]
        if not is_known(scope, value.text):
            return (suggestions.unknown_member(value, members),)
    return check_expression(scope, value)


# ---- Statements ----------------------------------------------------------------------------------


def _body(scope: NameScope, body: nodes.Body) -> Iterator[Diagnostic]:
    """Check the statements of a body, in which its locals are bound."""
    inner = evolve(scope, bound=scope.bound | local_names(scope.program, body))
    yield from _block(inner, body)


def _block(scope: NameScope, body: nodes.Body) -> Iterator[Diagnostic]:
    for statement in statements_of(body):
        yield from _statement(scope, statement)


def _statement(scope: NameScope, node: nodes.Statement) -> Iterator[Diagnostic]:
    match node:
        case nodes.Perform(call):
            yield from check_call(scope, call, "procedure")
        case nodes.Assign(target, _, value):
            yield from _assigned(scope, target)
            yield from _given(scope, value)
        case nodes.Announce(name, value, players):
            yield from _assigned(scope, name)
            yield from _given(scope, value)
            if players is not None:
                yield from check_expression(scope, players)
        case nodes.If(condition, body, otherwise):
            yield from check_expression(scope, condition)
            yield from _block(scope, body)
            if otherwise is not None:
                yield from _block(scope, otherwise.body)
        case nodes.For(name, values, body):
            yield from check_filtered(scope, values, name)
            yield from _block(binding(scope, name), body)
        case nodes.Repeat(times, body):
            if times is not None:
                yield from check_expression(scope, times)
            yield from _block(scope, body)
        case nodes.Random(target, options):
            yield from _choice_target(scope, target)
            yield from check_filtered(scope, options, target.name)
        case nodes.Choose(player, target, options) | nodes.MayChoose(player, target, options):
            yield from check_expression(scope, player)
            yield from _choice_target(scope, target)
            yield from check_filtered(scope, options, target.name)
            if isinstance(node, nodes.Choose) and node.alternative is not None:
                other = node.alternative
                yield from _choice_target(scope, other.target)
                yield from check_filtered(scope, other.options, other.target.name)
            yield from _prompt(scope, node.prompt)
            if isinstance(node, nodes.MayChoose):
                yield from _declining(node.decline)
        case nodes.Each(name, players, target, options) | nodes.EachMay(
            name, players, target, options
        ):
            yield from check_filtered(scope, players, name)
            inner = binding(scope, name)
            yield from _choice_target(inner, target)
            yield from check_filtered(inner, options, target.name)
            yield from _prompt(inner, node.prompt)
            if isinstance(node, nodes.EachMay):
                yield from _declining(node.decline)
        case _ if isinstance(node, nodes.Simple):
            for each in deed_of(node).reads:
                yield from check_expression(scope, each)
        case _:
            assert_never(node)


def _given(scope: NameScope, value: nodes.Expr) -> Iterator[Diagnostic]:
    """Check an assigned value: an expression, or the call of a rule with a result."""
    routine = scope.program.routines.get(called_name(value) or "")
    is_rule = routine is not None and routine.kind == "procedure"
    if isinstance(value, nodes.Call) and is_rule:
        yield from check_call(scope, value, "procedure")
    else:
        yield from check_expression(scope, value)


def _prompt(scope: NameScope, prompt: nodes.Text | None) -> Iterator[Diagnostic]:
    """Check the names in the braces of a question."""
    for name in IN_BRACES.findall(prompt.value if prompt is not None else ""):
        known = [*scope.bound, *scope.program.variables, *scope.program.options]
        if prompt is not None and name not in known:
            yield suggestions.unknown_hole(scope.program, name, prompt.span, known)


def _declining(decline: nodes.Text | None) -> Iterator[Diagnostic]:
    """Report braces in the text of an option to decline, which never changes."""
    if decline is not None and IN_BRACES.search(decline.value):
        message = "what passing is called names no values, so braces are not replaced here"
        hint = "leave the braces out; the question before `or` can name a value"
        yield Diagnostic(codes.BAD_HOLE, message, decline.span, hint=hint)


def _choice_target(scope: NameScope, target: nodes.Target) -> Iterator[Diagnostic]:
    yield from _assigned(scope, target.name)
    if target.index is not None:
        yield from check_expression(scope, target.index)


def _assigned(scope: NameScope, target: nodes.Expr) -> Iterator[Diagnostic]:
    """Check what is assigned: a state variable, or a local, which must not hide another name."""
    if isinstance(target, nodes.At):
        yield from _assigned(scope, target.subject)
        yield from check_expression(scope, target.key)
        base = target.subject
        if isinstance(base, nodes.Name) and not is_known(scope, base.text):
            yield unknown("variable", base, [*scope.program.variables])
        return
    if not isinstance(target, nodes.Name) or target.text in scope.program.variables:
        return
    text = target.text
    if text in scope.fixed:
        message = f"`{text}` is a parameter or the name of a loop, so its value cannot change"
        hint = f"use another name: `new_{text} = …`"
        yield Diagnostic(codes.NOT_ASSIGNED, message, target.span, hint=hint)
    elif is_known(scope, text) or text in BUILT_IN:
        message = f"`{text}` means something else and cannot be given a value here"
        hint = f"choose another name, such as `the_{text}`"
        if text in scope.program.zones:
            hint = f"to put pieces there, write `move … to {text}`"
        yield Diagnostic(codes.NOT_ASSIGNED, message, target.span, hint=hint)
