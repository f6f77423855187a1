"""The names in an expression or a type -> unknown ones, and those where another kind of name is wanted.

`name_checks` walks through declarations, statements and examples, and asks here about each expression in them.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import assert_never, get_args

from attrs import evolve

from rulespec import codes
from rulespec.checking import suggestions
from rulespec.checking.builtins import EXAMPLE_VALUES, FOLDS, FUNCTIONS, TYPES, VALUES
from rulespec.checking.declarations import called_name, child_fields, output_names
from rulespec.checking.name_scopes import NameScope, binding, is_among, known_names
from rulespec.checking.suggestions import unknown
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import text_of
from rulespec.syntax import nodes


def check_repeated(names: list[nodes.Name]) -> Iterator[Diagnostic]:
    """Report names that are listed twice."""
    first: dict[str, nodes.Name] = {}
    for name in names:
        earlier = first.setdefault(name.text, name)
        if earlier is not name:
            related = (Related("the first one", earlier.span),)
            message = f"`{name.text}` is listed twice"
            yield Diagnostic(codes.REDECLARED, message, name.span, related)


def check_filtered(scope: NameScope, values: nodes.Expr, name: nodes.Name) -> Iterator[Diagnostic]:
    """Check values whose filter may call the element by its name."""
    if isinstance(values, nodes.Where):
        yield from check_filtered(scope, values.values, name)
        yield from check_expression(binding(scope, name, nodes.Name("it")), values.condition)
    else:
        for found in check_expression(scope, values):
            own = found.code is codes.UNKNOWN_NAME and text_of(found.span) == name.text
            hint = "write `where` before the condition"
            yield evolve(found, hint=hint) if own else found


EXPRESSIONS = frozenset(get_args(nodes.Expr))


def check_expression(
    scope: NameScope, expr: nodes.Expr, *, zone_or_rule: bool = False
) -> Iterable[Diagnostic]:
    if isinstance(expr, nodes.Name):
        return _name(scope, expr, may_be_rule=zone_or_rule)
    return _compound(scope, expr)


def _compound(scope: NameScope, expr: nodes.Expr) -> Iterator[Diagnostic]:
    match expr:
        case nodes.At(subject, key):
            yield from check_expression(scope, subject)
            yield from check_expression(scope, key)
        case nodes.List(items):
            for item in items:
                yield from check_expression(scope, item)
        case nodes.Call():
            yield from check_call(scope, expr, "function")
        case nodes.Fold(function, value, name, values):
            if function.text not in FOLDS:
                yield unknown("function of a whole set", function, [*FOLDS])
            yield from check_filtered(scope, values, name)
            yield from check_expression(binding(scope, name), value)
        case nodes.Build(value, name, values):
            yield from check_filtered(scope, values, name)
            yield from check_expression(binding(scope, name), value)
        case nodes.Where(values, condition):
            yield from check_expression(scope, values)
            yield from check_expression(binding(scope, nodes.Name("it")), condition)
        case nodes.Get(subject, name):
            yield from check_expression(scope, subject)
            yield from _attribute(scope, subject, name)
        case nodes.Having(subject, attribute, value):
            yield from check_expression(scope, subject)
            yield from check_expression(scope, value)
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
            yield from check_expression(scope, left)
            yield suggestions.no_comment(face)
        case nodes.Described(kind, attributes):
            if kind.text not in scope.program.kinds:
                yield unknown("kind of piece", kind, [*scope.program.kinds])
            for each in attributes:
                if each.name.text not in scope.attributes:
                    yield unknown("attribute", each.name, [*scope.attributes])
                yield from check_expression(scope, each.value)
            yield from check_repeated([each.name for each in attributes])
        case nodes.Conditional() | nodes.Test() | nodes.Calculation() | nodes.Range():
            for part in child_fields(type(expr)):
                value = getattr(expr, part)
                for each in value if type(value) is tuple else (value,):
                    if type(each) in EXPRESSIONS:
                        yield from check_expression(scope, each)
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


def check_call(scope: NameScope, call: nodes.Call, wanted: str) -> Iterator[Diagnostic]:
    name, program = call.function, scope.program
    attribute_second = name.text in ("alike", "runs")
    for number, argument in enumerate(call.arguments):
        if attribute_second and number == 1:
            if not isinstance(argument, nodes.Name):
                yield suggestions.not_an_attribute(name.text, argument)
            elif argument.text not in scope.attributes:
                yield unknown("attribute", argument, [*scope.attributes])
        else:
            yield from check_expression(scope, argument, zone_or_rule=True)
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


def check_type(scope: NameScope, type_: nodes.Type) -> Iterator[Diagnostic]:
    match type_:
        case nodes.OptionalType(of) | nodes.SetType(of):
            yield from check_type(scope, of)
        case nodes.NamedType(name, index):
            known = TYPES, scope.program.enums, scope.program.kinds
            for each in (name, index):
                # An attribute stands for its domain, so that a slot of a mechanism can be a type.
                if each is not None and not is_among(each.text, (*known, scope.attributes)):
                    yield unknown("type", each, [*chain(*known)])
        case nodes.RangeType():
            return
        case _:
            assert_never(type_)
