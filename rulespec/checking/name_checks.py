"""Every name means something: unknown names, names of the wrong kind, names that nobody uses.

Implements docs/language/1-lexis.md, "Name". What a name is, is decided here once; `type_checks` then asks what
values it has.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import assert_never, get_args

from attrs import evolve

from rulespec import codes
from rulespec.checking import suggestions
from rulespec.checking.builtins import (
    BUILT_IN,
    EXAMPLE_VALUES,
    FOLDS,
    FUNCTIONS,
    OUTCOMES,
    TYPES,
    VALUES,
)
from rulespec.checking.calls import statements_of
from rulespec.checking.declarations import (
    Declarations,
    Declared,
    Routine,
    attribute_names,
    called_name,
    child_fields,
    local_names,
    member_names,
    output_names,
    variant_names,
)
from rulespec.checking.deeds import deed_of
from rulespec.checking.name_scopes import NameScope, binding, is_among, is_known, known_names
from rulespec.checking.removals import tell_removed
from rulespec.checking.suggestions import ORDERS, missing_parameter, unknown
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import text_of
from rulespec.syntax import nodes


def check_names(program: Declarations) -> Iterator[Diagnostic]:
    """Unknown names, with near ones, and names where another kind is wanted.

    The slots of a mechanism that is checked by itself may be anything.
    """
    for found in tell_removed(program, _check_all(program)):
        span = found.span
        if span.source.text[span.start : span.end] not in program.slots:
            yield found


def _check_all(program: Declarations) -> Iterator[Diagnostic]:
    scope = NameScope(program, attribute_names(program), member_names(program))
    yield from suggestions.meant_enums(program)
    for option in program.options.values():
        yield from _type(scope, option.node.type)
        if option.node.condition is not None:
            yield from _expr(binding(scope, nodes.Name("it")), option.node.condition)
        yield from _expr(scope, option.node.default)
    for name, chosen in program.chosen.items():
        yield from _setting(scope, name, chosen.value)
    for rows in program.kinds.values():
        for row in rows:
            yield from _piece(scope, row.node)
    yield from chain.from_iterable(_zone(scope, zone.node) for zone in program.zones.values())
    for variable in program.variables.values():
        for index in variable.node.node.indices:
            yield from _type(scope, index)
        yield from _type(scope, variable.node.node.type)
        yield from _expr(scope, variable.node.node.start)
        yield from _rule_name(scope, variable.node.rule)
    for routine in program.routines.values():
        yield from _routine(scope, routine)
    for name, versions in program.triggers.items():
        yield from _trigger(scope, name, versions)
    for invariant in program.invariants.values():
        yield from _expr(scope, invariant.node.condition)
    if program.ranking is not None:
        inner = binding(scope, program.ranking.node.player)
        for criterion in program.ranking.node.criteria:
            if isinstance(criterion, nodes.Criterion):
                yield from _order(scope, criterion.order)
                yield from _expr(inner, criterion.key)
    for example in program.examples:
        yield from _example(scope, example.node)


def _order(scope: NameScope, order: nodes.Expr) -> list[Diagnostic]:
    """`most`, `fewest`, or what gives one of them; `won` and `drawn` say how the game went."""
    if isinstance(order, nodes.Name) and order.text in OUTCOMES:
        return []
    found = [*_expr(scope, order)]
    if isinstance(order, nodes.Name) and found:
        return [suggestions.unknown_order(order, [*scope.program.routines])]
    return found


IN_BRACES = re.compile(r"\{([^{}]*)\}")


# ---- Declarations --------------------------------------------------------------------------------


def _twice(names: list[nodes.Name]) -> Iterator[Diagnostic]:
    """Names that stand twice in one list."""
    first: dict[str, nodes.Name] = {}
    for name in names:
        earlier = first.setdefault(name.text, name)
        if earlier is not name:
            related = (Related("the first one", earlier.span),)
            message = f"`{name.text}` is listed twice"
            yield Diagnostic(codes.REDECLARED, message, name.span, related)


def _piece(scope: NameScope, piece: nodes.Piece) -> Iterator[Diagnostic]:
    yield from _twice([attribute.name for attribute in piece.attributes])
    inner = scope
    for attribute in piece.attributes:
        if isinstance(attribute, nodes.Ranged):
            yield from _type(scope, attribute.type)
        else:
            yield from _expr(inner, attribute.value)
        inner = binding(inner, attribute.name)
    yield from _expr(inner, piece.copies)
    own = [attribute.name.text for attribute in piece.attributes]
    for name in IN_BRACES.findall(piece.shown_as.value if piece.shown_as is not None else ""):
        if piece.shown_as is not None and name not in own:
            place = nodes.Name(name, span=piece.shown_as.span)
            yield unknown("attribute of this piece", place, own)


def _zone(scope: NameScope, zone: nodes.Zone) -> Iterator[Diagnostic]:
    for index in zone.indices:
        yield from _type(scope, index)
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
        yield from _twice([param.name for param in node.params])
        for param in node.params:
            yield from _type(scope, param.type)
        match node:
            case nodes.Let():
                yield from _expr(inner, node.value)
            case nodes.Rule():
                if node.result is not None:
                    yield from _type(scope, node.result)
                yield from missing_parameter(scope.program, node, [*_body(inner, node.body)])
            case nodes.Table():
                for each in node.header.inputs:
                    yield from _expr(inner, each)
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
    """A cell. In an action table a call alone is a statement."""
    if isinstance(value, nodes.Call) and value.function.text in scope.program.routines:
        for argument in value.arguments:
            yield from _expr(scope, argument, zone_or_rule=True)
    else:
        yield from _expr(scope, value)


def _trigger(
    scope: NameScope, name: str, versions: list[Declared[nodes.Trigger]]
) -> Iterator[Diagnostic]:
    functions = [each.name for each in scope.program.routines.values() if each.kind == "function"]
    if name not in functions:
        yield unknown("`let`", versions[0].node.condition, functions)
    for number, version in enumerate(versions):
        yield from _body(evolve(scope, has_super=number > 0), version.node.body)


def _example(scope: NameScope, example: nodes.Example) -> Iterator[Diagnostic]:
    seats = [name for step in example.steps if isinstance(step, nodes.Seats) for name in step.names]
    yield from _twice(seats)
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
                yield from _expr(inner, place)
                yield from _expr(inner, value)
            case nodes.Expect(condition):
                yield from _expr(inner, condition)
            case nodes.Run(call, picks):
                yield from _call(inner, call, "procedure")
                for pick in picks:
                    if pick.player.text not in players:
                        yield unknown("player of this example", pick.player, [*players])
                    if isinstance(pick, nodes.Pick):
                        yield from _expr(inner, pick.value)
                    if pick.options is not None:
                        yield from _expr(inner, pick.options)
            case nodes.Seats():
                pass
            case _:
                assert_never(step)


def _setting(scope: NameScope, option: str, value: nodes.Expr) -> Iterable[Diagnostic]:
    """The value of an option, which is often a member of an enum."""
    declared = scope.program.options.get(option)
    type_ = declared.node.type if declared is not None else None
    if isinstance(type_, nodes.NamedType) and isinstance(value, nodes.Name):
        enum = scope.program.enums.get(type_.name.text)
        members = [member.name.text for member in enum.node.members] if enum else ["yes", "no"]
        if not is_known(scope, value.text):
            return (suggestions.unknown_member(value, members),)
    return _expr(scope, value)


# ---- Statements ----------------------------------------------------------------------------------


def _body(scope: NameScope, body: nodes.Body) -> Iterator[Diagnostic]:
    """The statements of one part of a procedure, with the locals that they make."""
    inner = evolve(scope, bound=scope.bound | local_names(scope.program, body))
    yield from _block(inner, body)


def _block(scope: NameScope, body: nodes.Body) -> Iterator[Diagnostic]:
    for statement in statements_of(body):
        yield from _statement(scope, statement)


def _statement(scope: NameScope, node: nodes.Statement) -> Iterator[Diagnostic]:
    match node:
        case nodes.Perform(call):
            yield from _call(scope, call, "procedure")
        case nodes.Assign(target, _, value):
            yield from _assigned(scope, target)
            yield from _given(scope, value)
        case nodes.Announce(name, value, players):
            yield from _assigned(scope, name)
            yield from _given(scope, value)
            if players is not None:
                yield from _expr(scope, players)
        case nodes.If(condition, body, otherwise):
            yield from _expr(scope, condition)
            yield from _block(scope, body)
            if otherwise is not None:
                yield from _block(scope, otherwise.body)
        case nodes.For(name, values, body):
            yield from _filtered(scope, values, name)
            yield from _block(binding(scope, name), body)
        case nodes.Repeat(times, body):
            if times is not None:
                yield from _expr(scope, times)
            yield from _block(scope, body)
        case nodes.Random(target, options):
            yield from _choice_target(scope, target)
            yield from _filtered(scope, options, target.name)
        case nodes.Choose(player, target, options) | nodes.MayChoose(player, target, options):
            yield from _expr(scope, player)
            yield from _choice_target(scope, target)
            yield from _filtered(scope, options, target.name)
            if isinstance(node, nodes.Choose) and node.alternative is not None:
                other = node.alternative
                yield from _choice_target(scope, other.target)
                yield from _filtered(scope, other.options, other.target.name)
            yield from _prompt(scope, node.prompt)
            if isinstance(node, nodes.MayChoose):
                yield from _declining(node.decline)
        case nodes.Each(name, players, target, options) | nodes.EachMay(
            name, players, target, options
        ):
            yield from _filtered(scope, players, name)
            inner = binding(scope, name)
            yield from _choice_target(inner, target)
            yield from _filtered(inner, options, target.name)
            yield from _prompt(inner, node.prompt)
            if isinstance(node, nodes.EachMay):
                yield from _declining(node.decline)
        case _ if isinstance(node, nodes.Simple):
            for each in deed_of(node).reads:
                yield from _expr(scope, each)
        case _:
            assert_never(node)


def _given(scope: NameScope, value: nodes.Expr) -> Iterator[Diagnostic]:
    """What a name is given: a value, or what a rule gives back."""
    routine = scope.program.routines.get(called_name(value) or "")
    is_rule = routine is not None and routine.kind == "procedure"
    if isinstance(value, nodes.Call) and is_rule:
        yield from _call(scope, value, "procedure")
    else:
        yield from _expr(scope, value)


def _prompt(scope: NameScope, prompt: nodes.Text | None) -> Iterator[Diagnostic]:
    """The names in braces, of which a prompt shows the value."""
    for name in IN_BRACES.findall(prompt.value if prompt is not None else ""):
        known = [*scope.bound, *scope.program.variables, *scope.program.options]
        if prompt is not None and name not in known:
            routine = scope.program.routines.get(name)
            is_value = routine is not None and routine.kind == "function"
            hint = f"write `shown = {name}` on a line before, and `{{shown}}` here"
            if name.isidentifier():
                place = nodes.Name(name, span=prompt.span)
                yield unknown("variable", place, known, hint if is_value else None)
            else:
                message = f"the braces of a question hold the name of a value, and not `{name}`"
                yield Diagnostic(codes.UNKNOWN_NAME, message, prompt.span, hint=hint)


def _declining(decline: nodes.Text | None) -> Iterator[Diagnostic]:
    """What passing is called is always the same."""
    if decline is not None and IN_BRACES.search(decline.value):
        message = "what passing is called names no values, so braces are not replaced here"
        hint = "leave the braces out; the question before `or` can name a value"
        yield Diagnostic(codes.BAD_HOLE, message, decline.span, hint=hint)


def _filtered(scope: NameScope, values: nodes.Expr, name: nodes.Name) -> Iterator[Diagnostic]:
    """Values, in whose filter the element may go by its own name."""
    if isinstance(values, nodes.Where):
        yield from _filtered(scope, values.values, name)
        yield from _expr(binding(scope, name, nodes.Name("it")), values.condition)
    else:
        for found in _expr(scope, values):
            own = found.code is codes.UNKNOWN_NAME and text_of(found.span) == name.text
            hint = "write `where` before the condition"
            yield evolve(found, hint=hint) if own else found


def _choice_target(scope: NameScope, target: nodes.Target) -> Iterator[Diagnostic]:
    yield from _assigned(scope, target.name)
    if target.index is not None:
        yield from _expr(scope, target.index)


def _assigned(scope: NameScope, target: nodes.Expr) -> Iterator[Diagnostic]:
    """What is given a value: a state variable, or else a local, which hides nothing."""
    if isinstance(target, nodes.At):
        yield from _assigned(scope, target.subject)
        yield from _expr(scope, target.key)
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


# ---- Expressions ---------------------------------------------------------------------------------

EXPRESSIONS = frozenset(get_args(nodes.Expr))


def _expr(
    scope: NameScope, expr: nodes.Expr, *, zone_or_rule: bool = False
) -> Iterable[Diagnostic]:
    if isinstance(expr, nodes.Name):
        return _name(scope, expr, may_be_rule=zone_or_rule)
    return _compound(scope, expr)


def _compound(scope: NameScope, expr: nodes.Expr) -> Iterator[Diagnostic]:
    match expr:
        case nodes.At(subject, key):
            yield from _expr(scope, subject)
            yield from _expr(scope, key)
        case nodes.List(items):
            for item in items:
                yield from _expr(scope, item)
        case nodes.Call():
            yield from _call(scope, expr, "function")
        case nodes.Fold(function, value, name, values):
            if function.text not in FOLDS:
                yield unknown("function of a whole set", function, [*FOLDS])
            yield from _filtered(scope, values, name)
            yield from _expr(binding(scope, name), value)
        case nodes.Build(value, name, values):
            yield from _filtered(scope, values, name)
            yield from _expr(binding(scope, name), value)
        case nodes.Where(values, condition):
            yield from _expr(scope, values)
            yield from _expr(binding(scope, nodes.Name("it")), condition)
        case nodes.Get(subject, name):
            yield from _expr(scope, subject)
            yield from _attribute(scope, subject, name)
        case nodes.Having(subject, attribute, value):
            yield from _expr(scope, subject)
            yield from _expr(scope, value)
            if attribute.text not in scope.attributes:
                yield unknown("attribute", attribute, [*scope.attributes])
        case nodes.Face(words):
            known = scope.members, scope.program.kinds
            for word in words:
                if isinstance(word, nodes.Name) and not is_among(word.text, known):
                    yield unknown("member or kind of piece", word, [*chain(*known)])
        case nodes.Sum(left, "-", nodes.Face(words) as face) if not any(
            isinstance(word, nodes.Number)
            or is_among(word.text, (scope.members, scope.program.kinds))
            for word in words
        ):
            yield from _expr(scope, left)
            yield suggestions.no_comment(face)
        case nodes.Described(kind, attributes):
            if kind.text not in scope.program.kinds:
                yield unknown("kind of piece", kind, [*scope.program.kinds])
            for each in attributes:
                if each.name.text not in scope.attributes:
                    yield unknown("attribute", each.name, [*scope.attributes])
                yield from _expr(scope, each.value)
            yield from _twice([each.name for each in attributes])
        case nodes.Conditional() | nodes.Test() | nodes.Calculation() | nodes.Range():
            for part in child_fields(type(expr)):
                value = getattr(expr, part)
                for each in value if type(value) is tuple else (value,):
                    if type(each) in EXPRESSIONS:
                        yield from _expr(scope, each)
        case nodes.Name() | nodes.Number() | nodes.Constant():
            return
        case _:
            assert_never(expr)


def _attribute(scope: NameScope, subject: nodes.Expr, name: nodes.Name) -> Iterator[Diagnostic]:
    if name.text in scope.attributes or name.text in output_names(scope.program):
        return
    table = _table_of(scope, subject)
    if table is not None:
        own = [output.text for output in table.header.outputs]
        yield unknown(f"output of `{table.name.text}`", name, own)
    else:
        known = [*scope.attributes, *output_names(scope.program)]
        yield suggestions.unknown_attribute(scope.program, subject, name, known)


def _table_of(scope: NameScope, subject: nodes.Expr) -> nodes.Table | None:
    """The table with several outputs of which an expression is a row."""
    name = called_name(subject)
    routine = scope.program.routines.get(name) if name and name not in scope.bound else None
    node = routine.versions[-1].node if routine is not None else None
    return node if isinstance(node, nodes.Table) and len(node.header.outputs) > 1 else None


def _name(
    scope: NameScope, name: nodes.Name, *, may_be_rule: bool = False
) -> tuple[Diagnostic, ...]:
    text, program = name.text, scope.program
    if text in scope.bound or text in scope.members or text in VALUES or text in TYPES:
        return ()
    if text in program.enums or text in program.options or text in program.kinds:
        return ()
    in_example = scope.in_example and text in EXAMPLE_VALUES
    if in_example or text in program.zones or text in program.variables:
        return ()
    routine = program.routines.get(text)
    if routine is not None:
        if routine.kind == "procedure" and not may_be_rule:
            message = f"`{text}` is a rule, and has no value"
            hint = "call it on a line of its own"
            return (Diagnostic(codes.WRONG_KIND, message, name.span, hint=hint),)
        return ()
    if text in FUNCTIONS or text in FOLDS:
        message = f"`{text}` is a function, and takes its values in brackets"
        return (Diagnostic(codes.WRONG_KIND, message, name.span, hint=f"write `{text}(…)`"),)
    known = [*scope.bound, *chain(*known_names(scope))]
    return (suggestions.unknown_value(program, name, known, scope.attributes),)


def _call(scope: NameScope, call: nodes.Call, wanted: str) -> Iterator[Diagnostic]:
    name, program = call.function, scope.program
    attribute_second = name.text in ("alike", "runs")
    for number, argument in enumerate(call.arguments):
        if attribute_second and number == 1 and isinstance(argument, nodes.Name):
            if argument.text not in scope.attributes:
                yield unknown("attribute", argument, [*scope.attributes])
        else:
            yield from _expr(scope, argument, zone_or_rule=True)
    if name.text == "knows" and not scope.in_example:
        message = "`knows` is for examples: a rule cannot ask what somebody has seen"
        yield Diagnostic(codes.WRONG_KIND, message, name.span)
        return
    if name.text == "super":
        if not scope.has_super:
            message = "`super` means the overridden declaration, but nothing is overridden here"
            hint = "write `override` before the declaration"
            yield Diagnostic(codes.LONELY_SUPER, message, name.span, hint=hint)
        return
    routine = program.routines.get(name.text)
    if routine is None:
        if name.text in FUNCTIONS and wanted == "function":
            return
        yield _not_callable(scope, name, wanted)
    elif routine.kind == "function" and wanted == "procedure":
        message = f"`{name.text}` gives a value and does nothing else"
        yield Diagnostic(codes.WRONG_KIND, message, name.span, hint="use its value, or call a rule")
    elif routine.kind == "procedure" and wanted == "function":
        message = f"`{name.text}` is a rule, and cannot be called inside an expression"
        hint = f"write `x = {name.text}(…)` on a line of its own, and use `x`"
        yield Diagnostic(codes.WRONG_KIND, message, name.span, hint=hint)


def _not_callable(scope: NameScope, name: nodes.Name, wanted: str) -> Diagnostic:
    program = scope.program
    if (told := suggestions.not_called(program, name, wanted)) is not None:
        return told
    known = [each.name for each in program.routines.values() if each.kind == wanted]
    if wanted == "function":
        known += [*FUNCTIONS, *FOLDS]
    return suggestions.unknown_routine(wanted, name, known)


def _type(scope: NameScope, type_: nodes.Type) -> Iterator[Diagnostic]:
    match type_:
        case nodes.OptionalType(of) | nodes.SetType(of):
            yield from _type(scope, of)
        case nodes.NamedType(name, index):
            known = TYPES, scope.program.enums, scope.program.kinds
            for each in (name, index):
                # An attribute stands for its domain: so a slot of a mechanism can be a type.
                if each is not None and not is_among(each.text, (*known, scope.attributes)):
                    yield unknown("type", each, [*chain(*known)])
        case nodes.RangeType():
            return
        case _:
            assert_never(type_)
