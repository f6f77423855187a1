"""An expression in its scope -> its type; mistakes in it are reported to the scope.

Implements docs/language/8-expressions.md with one function, `type_of`. A function has the type of its body, which is
inferred once; inside of its own body its type is unknown, and `control_flow` reports the recursion.
"""

from typing import Literal, assert_never

from attrs import frozen

from rulespec import codes, limits
from rulespec.checking.builtin_calls import builtin_call, element_of, integer_range
from rulespec.checking.builtins import FUNCTIONS
from rulespec.checking.collection_types import (
    conditional_type,
    count_type,
    fold_type,
    is_whole_enum,
    list_type,
    negative_type,
    range_type,
    set_of,
)
from rulespec.checking.declarations import Routine, table_rows
from rulespec.checking.domains import declared_type, type_of_declared
from rulespec.checking.faces import described_type, named_face
from rulespec.checking.narrowing import narrow
from rulespec.checking.operand_types import (
    add_operands,
    compare_operands,
    multiply_operands,
)
from rulespec.checking.scopes import (
    NO_SIZES,
    Scope,
    bind_names,
    member_type,
    report,
    require,
    silent,
)
from rulespec.checking.selections import (
    face_kinds,
    joined_type,
    type_of_attribute,
    type_of_having,
    type_of_selection,
)
from rulespec.checking.wording import as_written, describe_expression, describe_type, written
from rulespec.core import types
from rulespec.core.types import BOOL, NONE, UNKNOWN, Type, element, present
from rulespec.diagnostics import Related
from rulespec.syntax import nodes

CONDITIONS = type(BOOL) | types.Unknown | types.Never  # the types of conditions
# Expressions that are neither pieces nor faces, whatever is declared.
NO_PIECES = nodes.Number | nodes.Count | nodes.Constant | nodes.Negative
DEEPEST_CHAIN = (
    30  # calls of functions within each other, while the attributes of pieces are inferred
)


def type_of(scope: Scope, expr: nodes.Expr) -> Type:
    """The type of an expression: the values that it may have."""
    if scope.facts and expr in scope.facts:
        return scope.facts[expr]
    match expr:
        case nodes.Name():
            return name_type(scope, expr)
        case nodes.Number(value):
            return types.Number(value, value)
        case nodes.Constant(word):
            return NONE if word == "none" else BOOL
        case nodes.Face():
            return face_type(scope, expr)
        case nodes.Described():
            return described_type(scope, expr)
        case nodes.At(subject, key):
            return type_of_selection(scope, expr, type_of(scope, subject), type_of(scope, key))
        case nodes.List(items):
            return list_type(scope, items, (type_of(scope, item) for item in items))
        case nodes.Get(subject):
            return type_of_attribute(scope, expr, type_of(scope, subject))
        case nodes.Having(subject, _, value):
            return type_of_having(scope, expr, type_of(scope, subject), type_of(scope, value))
        case nodes.Call():
            return _call(scope, expr)
        case nodes.Compare() if scope.in_example and compared_faces(scope, expr) is not None:
            return BOOL
        case nodes.Compare(left, _, right):
            return compare_operands(scope, expr, type_of(scope, left), type_of(scope, right))
        case nodes.Count(operand):
            return count_type(scope, operand, type_of(scope, operand))
        case nodes.Sum(left, _, right):
            return add_operands(scope, expr, type_of(scope, left), type_of(scope, right))
        case nodes.Product(left, _, right):
            return multiply_operands(scope, expr, type_of(scope, left), type_of(scope, right))
        case nodes.Negative(operand):
            found = type_of(scope, operand)
            return negative_type(integer_range(scope, operand, found, "the value after `-`"))
        case nodes.Range(low, high):
            return range_type(scope, expr, type_of(scope, low), type_of(scope, high))
        case nodes.And() | nodes.Or():
            return _joint(scope, expr)
        case nodes.Not(operand):
            return condition(scope, operand, "==")
        case nodes.Conditional():
            return _conditional(scope, expr)
        case nodes.Where(values, test):
            return _where(scope, values, test)
        case nodes.Fold():
            return _fold(scope, expr)
        case nodes.Build(value, name, values):
            inner_scope = bind_names(scope, {name.text: element_type_of(scope, values, name)})
            return _build(scope, values, value, type_of(inner_scope, value))
        case _:
            assert_never(expr)


def condition(scope: Scope, expr: nodes.Expr, asked: str = "!=") -> Type:
    """The type of an expression that must be `yes` or `no`; `asked` is the sign for a test against `none` in the hint."""
    found = type_of(scope, expr)
    if isinstance(present(found), CONDITIONS):
        return BOOL
    _tell_no_condition(scope, expr, found, asked)
    return UNKNOWN


def _tell_no_condition(scope: Scope, expr: nodes.Expr, found: Type, asked: str = "!=") -> None:
    message = f"a condition is `yes` or `no`, but {describe_expression(expr, found)}"
    hint = None
    if isinstance(expr, nodes.Conditional):
        # `S where c if d else e`: the filter reaches to the end.
        hint = "if the condition ends before `if`, put the filter in brackets: `(S where c) if d else e`"
    elif isinstance(found, types.Place | types.Several):
        hint = f"count them: `#{as_written(expr)} > 0`"
    elif isinstance(found, types.Maybe):
        instead = " instead of `not`" if asked == "==" else ""
        hint = f"write `{as_written(expr)} {asked} none`{instead}"
    report(scope, codes.WRONG_TYPE, message, expr.span, hint)


def _joint(scope: Scope, expr: nodes.And | nodes.Or) -> Type:
    """The type of `and` and `or`; each operand is typed knowing the answers of those before it."""
    word = "and" if isinstance(expr, nodes.And) else "or"
    inner, wrong = scope, []
    for number, operand in enumerate(expr.operands):
        if number:
            inner = _given(inner, expr.operands[number - 1], holds=word == "and")
        found = type_of(inner, operand)
        if not isinstance(present(found), CONDITIONS):
            wrong.append((operand, found))
    if not wrong:
        return BOOL
    if len(wrong) == len(expr.operands) and all(element(found) is not None for _, found in wrong):
        # This is one mistake, so it is reported once and not for each operand.
        message = f"`{word}` joins conditions, but {describe_expression(*wrong[0])}"
        report(scope, codes.WRONG_TYPE, message, expr.span, _together(wrong))
    else:
        for operand, found in wrong:
            _tell_no_condition(scope, operand, found)
    return UNKNOWN


def _together(parts: list[tuple[nodes.Expr, Type]]) -> str | None:
    """A hint that writes several values and sets as one set."""
    if any(written(expr) == "this" for expr, _ in parts):
        return None
    several = types.Place | types.Several
    sets = [as_written(expr) for expr, found in parts if isinstance(found, several)]
    single = [as_written(expr) for expr, found in parts if not isinstance(found, several)]
    texts = [*sets, f"[{', '.join(single)}]"] if single else sets
    return f"write `{' + '.join(texts)}` for all of them"


@frozen
class ComparedFaces:
    """A comparison in an example: pieces, and faces, each as often as it is written."""

    pieces: nodes.Expr
    faces: tuple[nodes.Expr, ...]
    mode: Literal[
        "pair", "look", "any"
    ]  # pair all of them, one piece with one face, any piece with one face


def compared_faces(scope: Scope, node: nodes.Compare) -> ComparedFaces | None:
    """The pieces and faces that an example compares; faces are written as in `given`: members, kinds, `2 * ira`."""
    sign = node.relation.sign
    if sign not in ("==", "!=", "in", "not in"):
        return None
    if isinstance(node.left, NO_PIECES) or isinstance(node.right, NO_PIECES):
        return None
    for pieces, faces in ((node.left, node.right), (node.right, node.left)):
        found = type_of(silent(scope), pieces)
        inner = element(found)
        if not isinstance(inner, types.Piece):
            continue
        many = isinstance(found, types.Several | types.Place)
        listed = isinstance(faces, nodes.List)
        named = _named_faces(scope, faces, inner.kinds)
        if not named:
            continue
        if sign in ("==", "!=") and many == listed:
            return ComparedFaces(pieces, named, "pair" if many else "look")
        if sign in ("in", "not in") and many not in (listed, pieces is node.left):
            return ComparedFaces(pieces, named, "any" if many else "look")
    return None


def _named_faces(scope: Scope, expr: nodes.Expr, kinds: frozenset[str]) -> tuple[nodes.Expr, ...]:
    """The faces in a list, or a single face, that pieces of these kinds may have.

    Empty if there is something else among them, or if all of them are pieces, which are then compared as pieces.
    """
    items = expr.items if isinstance(expr, nodes.List) else (expr,)
    named: list[nodes.Expr] = []
    is_face = False
    for item in items:
        face, times = item, 1
        if isinstance(item, nodes.Product) and isinstance(item.left, nodes.Number):
            face, times = item.right, item.left.value
        found = type_of(silent(scope), face)
        if not isinstance(found, types.Choice | types.Face | types.Piece):
            return ()
        if isinstance(found, types.Face) and kinds.isdisjoint(found.kinds):
            return ()
        is_face = is_face or times != 1 or not isinstance(found, types.Piece)
        named += [face] * min(times, limits.MOST_PIECES - len(named))
    return tuple(named) if is_face else ()


def face_type(scope: Scope, face: nodes.Face) -> Type:
    kinds = face_kinds(scope.known, face)
    if not kinds and scope.known.kinds:
        message = f"there is no piece {written(face)}"
        report(scope, codes.WRONG_INDEX, message, face.span, named_face(scope.known, face))
    return types.Face(kinds or scope.known.kinds)


def name_type(scope: Scope, name: nodes.Name) -> Type:
    text, known, program = name.text, scope.known, scope.known.program
    if text in scope.names:
        return scope.names[text]
    if text in known.owners:
        return member_type(known, text)
    if text in program.routines:
        return _bare_routine(scope, name, program.routines[text])
    return type_of_declared(known, text)


def _bare_routine(scope: Scope, name: nodes.Name, routine: Routine) -> Type:
    if routine.kind == "procedure":
        report(scope, codes.WRONG_KIND, f"`{name.text}` is a rule, and has no value", name.span)
        return UNKNOWN
    params = routine.versions[-1].node.params
    if params:
        _tell_arguments(scope, name, routine.name, len(params), 0)
        return UNKNOWN
    return function_type(scope, routine, len(routine.versions) - 1)


def _tell_arguments(scope: Scope, name: nodes.Name, title: str, wanted: int, given: int) -> None:
    routine = scope.known.program.routines.get(title)
    related: tuple[Related, ...] = ()
    hint = None
    if routine is not None:
        node = routine.versions[-1].node
        related = (Related("declared here", node.name.span),)
        if node.params:
            hint = f"write `{title}({', '.join(param.name.text for param in node.params)})`"
    values = "no value" if wanted == 0 else "1 value" if wanted == 1 else f"{wanted} values"
    message = f"`{title}` takes {values}, but gets {given or 'none'}"
    report(scope, codes.WRONG_ARGUMENTS, message, name.span, hint, related)


def _conditional(scope: Scope, expr: nodes.Conditional) -> Type:
    condition(scope, expr.condition)
    one = type_of(_given(scope, expr.condition, holds=True), expr.value)
    other = type_of(_given(scope, expr.condition, holds=False), expr.otherwise)
    return conditional_type(scope, expr, one, other)


def _where(scope: Scope, values: nodes.Expr, test: nodes.Expr) -> Type:
    found = type_of(scope, values)
    if isinstance(values, nodes.Count) and isinstance(found, types.Number):
        message = "`#` counts first, so this `where` filters a number"
        hint = f"write `#({as_written(values.operand)} where {as_written(test)})`"
        report(scope, codes.WRONG_TYPE, message, values.span, hint)
        return UNKNOWN
    of = element_of(scope, values, found)
    condition(bind_names(scope, {"it": of}), test)
    if isinstance(found, types.Family | types.Unknown) or of == UNKNOWN:
        return found if isinstance(found, types.Family | types.Several) else UNKNOWN
    return types.Several(of)


def element_type_of(scope: Scope, values: nodes.Expr, name: nodes.Name) -> Type:
    """The type of a variable that runs through values; a filter of the values may call the element by this name."""
    if isinstance(values, nodes.Where):
        of = element_type_of(scope, values.values, name)
        condition(bind_names(scope, {"it": of, name.text: of}), values.condition)
        return of
    return element_of(scope, values, type_of(scope, values))


def _fold(scope: Scope, expr: nodes.Fold) -> Type:
    of = element_type_of(scope, expr.values, expr.name)
    inner = bind_names(scope, {expr.name.text: of})
    if expr.function.text in ("any", "all"):
        condition(inner, expr.value)
        return BOOL
    return fold_type(inner, expr, of, type_of(inner, expr.value))


def _build(scope: Scope, values: nodes.Expr, value: nodes.Expr, found: Type) -> Type:
    """The type of a set built by a comprehension; families are joined if the comprehension runs through a whole enum."""
    if not isinstance(found, types.Family):
        return set_of(found)
    if not is_whole_enum(scope, values):
        message = f"{written(value)} is a family of sets, and families can be joined only for a whole enum"
        hint = "write the name of an enum after `in`, or add families with `+`"
        report(scope, codes.WRONG_TYPE, message, value.span, hint)
        return UNKNOWN
    return found


# ---- Narrowing -----------------------------------------------------------------------------------


def _given(scope: Scope, test: nodes.Expr, *, holds: bool) -> Scope:
    """The scope in which a condition holds, or does not: types are narrowed, and facts about sizes are added."""
    return scope.known.learn_sizes(narrow_types(scope, test, holds=holds), test, holds=holds)


def narrow_types(scope: Scope, expr: nodes.Expr, *, holds: bool) -> Scope:
    """The scope in which a condition holds, or does not."""
    return narrow(type_of, scope, expr, holds=holds)


# ---- Calls ---------------------------------------------------------------------------------------


def _call(scope: Scope, call: nodes.Call) -> Type:
    name = call.function.text
    if name == "super" and scope.routine is not None and scope.version > 0:
        check_arguments(scope, call, scope.routine, scope.version - 1)
        return function_type(scope, scope.routine, scope.version - 1)
    routine = scope.known.program.routines.get(name)
    if routine is not None:
        last = len(routine.versions) - 1
        check_arguments(scope, call, routine, last)
        return function_type(scope, routine, last) if routine.kind == "function" else UNKNOWN
    if name not in FUNCTIONS:
        return UNKNOWN
    if len(call.arguments) not in FUNCTIONS[name]:
        wanted = " or ".join(str(count) for count in FUNCTIONS[name])
        message = f"`{name}` takes {wanted} value{'' if wanted == '1' else 's'}"
        report(scope, codes.WRONG_ARGUMENTS, message, call.span)
        return UNKNOWN
    return _builtin(scope, name, call.arguments)


def check_arguments(scope: Scope, call: nodes.Call, routine: Routine, version: int) -> None:
    """Report arguments that do not fit the parameters of a call."""
    params = routine.versions[version].node.params
    if len(params) != len(call.arguments):
        _tell_arguments(scope, call.function, routine.name, len(params), len(call.arguments))
        for argument in call.arguments:
            type_of(scope, argument)
        return
    for param, argument in zip(params, call.arguments, strict=True):
        wanted = declared_type(scope.known, param.type)
        where = f"`{param.name.text}` of `{routine.name}`"
        found = type_of(scope, argument)
        place = (Related("the parameter", param.span),)
        if isinstance(wanted, types.Place) and not isinstance(found, types.Place | types.Unknown):
            message = (
                f"{describe_expression(argument, found)}, but {where} is {describe_type(wanted)}"
            )
            report(scope, codes.WRONG_ZONE, message, argument.span, None, place)
        else:
            require(scope, argument, found, wanted, where, place)


def function_type(scope: Scope, routine: Routine, version: int) -> Type:
    """The type of the result of a function, inferred once from its body."""
    known, key = scope.known, (routine.name, version)
    if key in known.results:
        return known.results[key]
    if key in known.running or len(known.running) > DEEPEST_CHAIN or version < 0:
        return UNKNOWN
    known.running.add(key)
    found = _result(routine_scope(silent(scope), routine, version))
    known.running.discard(key)
    known.results[key] = found
    return found


def routine_scope(scope: Scope, routine: Routine, version: int) -> Scope:
    """The scope of the body of a routine: its parameters are bound, and `super` is known."""
    node = routine.versions[version].node
    names = {param.name.text: declared_type(scope.known, param.type) for param in node.params}
    return Scope(scope.known, names, {}, NO_SIZES, routine, version, faults=scope.faults)


def _result(scope: Scope) -> Type:
    routine = scope.routine
    if routine is None:
        return UNKNOWN
    node = routine.versions[scope.version].node
    match node:
        case nodes.Let(_, _, value):
            return type_of(scope, value)
        case nodes.Table(_, _, header):
            columns = [
                (output.text, joined_type(scope.known, column))
                for output, column in zip(header.outputs, cell_types(scope), strict=True)
            ]
            if len(columns) == 1:
                return columns[0][1]
            return types.Outputs(routine.name, tuple(columns))
        case nodes.Rule():
            return UNKNOWN
        case _:
            assert_never(node)


def cell_types(scope: Scope) -> list[list[Type]]:
    """The types of the cells of a table, by column; the scope is that of its body."""
    routine = scope.routine
    node = routine.versions[scope.version].node if routine is not None else None
    if routine is None or not isinstance(node, nodes.Table):
        return []
    columns: list[list[Type]] = [[] for _ in node.header.outputs]
    for row in table_rows(routine, scope.version):
        if isinstance(row.body, nodes.Cells):
            for column, value in zip(columns, row.body.values, strict=False):
                column.append(type_of(scope, value))
    return columns


def _builtin(scope: Scope, name: str, arguments: tuple[nodes.Expr, ...]) -> Type:
    # The second argument of these is the name of an attribute, which has no type of its own.
    typed = (*arguments[:1], *arguments[2:]) if name in ("alike", "runs") else arguments
    given = tuple(type_of(scope, argument) for argument in typed)
    return builtin_call(scope, name, arguments, given)
