"""An expression in its environment -> an operation of the core, typed from its operands upwards.

Implements docs/language/8-expressions.md: the result needs no further resolution or conversion. If a
value may not fit its place, an operation tests it (`needed`, `within`, `among`, `of_kind`). Types come from the
checker, once for each expression.
"""

from typing import assert_never

from attrs import evolve

from rulespec.checking.builtin_calls import builtin_call
from rulespec.checking.builtins import FUNCTIONS
from rulespec.checking.collection_types import (
    conditional_type,
    count_type,
    fold_type,
    list_type,
    negative_type,
    range_type,
    set_of,
)
from rulespec.checking.declarations import Routine
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import (
    ComparedFaces,
    compared_faces,
    face_type,
    function_type,
    name_type,
    narrow_types,
)
from rulespec.checking.scopes import bind_names
from rulespec.checking.selections import (
    same_sort,
    type_of_attribute,
    type_of_having,
    type_of_selection,
)
from rulespec.core import types
from rulespec.core.operations import OPERATIONS
from rulespec.core.tree import NOWHERE, Op
from rulespec.core.types import BOOL, INT, NONE, SEAT, Type, element, join, order_of, present
from rulespec.elaboration.conversions import as_look, as_set, convert, element_type
from rulespec.elaboration.environment import Environment, Unchecked, with_bound
from rulespec.elaboration.operators import (
    add_up,
    described_face,
    equality,
    face_operation,
    literal,
    membership,
    multiply,
    negation,
    placed,
    take_argument,
    top_operation,
)
from rulespec.source import text_of
from rulespec.syntax import nodes


def elaborate(env: Environment, expr: nodes.Expr) -> Op:
    """An expression as an operation, with the type of its values."""
    op = _elaborate(env, expr)
    facts = env.scope.facts
    type_ = facts[expr] if facts and expr in facts else op.type
    if type_ is op.type and op.span is not NOWHERE:
        return op
    return placed(op, type_, expr.span if op.span is NOWHERE else op.span)


def elaborate_to(env: Environment, expr: nodes.Expr, wanted: Type) -> Op:
    """An expression, converted to the type that its place needs."""
    op = elaborate(env, expr)
    if isinstance(element(op.type), types.Face) and isinstance(element(wanted), types.Piece):
        # The checker allows this only in examples.
        named = _named(env, expr)
        return named if isinstance(wanted, types.Several) else top_operation(named)
    return convert(env, op, wanted, expr.span)


def elaborate_condition(env: Environment, expr: nodes.Expr) -> Op:
    return elaborate_to(env, expr, BOOL)


def elaborate_set(env: Environment, expr: nodes.Expr) -> Op:
    """An expression as a set; families stay families."""
    return as_set(elaborate(env, expr))


def _elaborate(env: Environment, expr: nodes.Expr) -> Op:
    scope, span = env.scope, expr.span
    match expr:
        case nodes.Name():
            return _name(env, expr)
        case nodes.Number(number):
            return literal(number, types.Number(number, number))
        case nodes.Constant(word):
            return literal(CONSTANTS[word], NONE if word == "none" else BOOL)
        case nodes.At():
            return _at(env, expr)
        case nodes.Get():
            return _get(env, expr)
        case nodes.Having(subject, attribute, value):
            pieces, values = elaborate(env, subject), elaborate(env, value)
            type_ = type_of_having(scope, expr, pieces.type, values.type)
            operands = (as_set(pieces), as_set(values))
            return Op("having", operands, word=attribute.text, type=type_)
        case nodes.Call():
            return _call(env, expr)
        case nodes.Compare():
            return _compare(env, expr)
        case nodes.Count(operand):
            counted = elaborate(env, operand)
            type_ = count_type(scope, operand, counted.type)
            if isinstance(counted.type, types.Family):
                return Op("count_family", (counted,), type=type_, span=span)
            return Op("count", (as_set(counted),), type=type_)
        case nodes.Sum():
            return add_up(env, expr, elaborate(env, expr.left), elaborate(env, expr.right))
        case nodes.Product():
            return multiply(env, expr, elaborate(env, expr.left), elaborate(env, expr.right))
        case nodes.Negative(operand):
            inner = elaborate(env, operand)
            pair = (literal(0, types.Number(0, 0)), convert(env, inner, INT, operand.span))
            return Op("subtract", pair, type=negative_type(inner.type), span=span)
        case nodes.Range():
            return _range(env, expr)
        case nodes.And(operands) | nodes.Or(operands):
            return _joint(env, operands, "and" if isinstance(expr, nodes.And) else "or")
        case nodes.Not(operand):
            return negation(elaborate_condition(env, operand))
        case nodes.Conditional():
            return _conditional(env, expr)
        case nodes.Where(values, condition):
            return _filter(env, values, condition, ())
        case nodes.Fold():
            return _fold(env, expr)
        case nodes.List():
            return _list(env, expr)
        case nodes.Build():
            return _build(env, expr)
        case nodes.Face(words):
            return face_operation(env, words, face_type(scope, expr))
        case nodes.Described():
            return described_face(env, expr)
        case _:
            assert_never(expr)


CONSTANTS: dict[str, bool | None] = {"yes": True, "no": False, "none": None}


def _joint(env: Environment, operands: tuple[nodes.Expr, ...], word: str) -> Op:
    """`and` and `or`: evaluate a condition only if the ones before it do not decide."""
    parts: list[Op] = []
    for number, operand in enumerate(operands):
        if number:
            before = operands[number - 1]
            env = evolve(env, scope=narrow_types(env.scope, before, holds=word == "and"))
        parts.append(elaborate_condition(env, operand))
    return Op(word, tuple(parts), type=BOOL)


def _conditional(env: Environment, expr: nodes.Conditional) -> Op:
    test = elaborate_condition(env, expr.condition)
    holds, fails = (
        evolve(env, scope=narrow_types(env.scope, expr.condition, holds=each))
        for each in (True, False)
    )
    one, other = elaborate(holds, expr.value), elaborate(fails, expr.otherwise)
    found = conditional_type(env.scope, expr, one.type, other.type)
    if isinstance(found, types.Face):
        return Op("if", (test, as_look(env, one), as_look(env, other)), type=found)
    value = convert(holds, one, found, expr.value.span)
    otherwise = convert(fails, other, found, expr.otherwise.span)
    return Op("if", (test, value, otherwise), type=found)


# ---- Names and calls -----------------------------------------------------------------------------


def _name(env: Environment, name: nodes.Name) -> Op:
    text, known = name.text, env.scope.known
    program = known.program
    if text in env.places:
        return placed(env.places[text], env.scope.names[text], name.span)
    if text in program.routines and text not in known.owners:
        routine = program.routines[text]
        return _routine_call(env, routine, len(routine.versions) - 1, ())
    found = name_type(env.scope, name)
    if text in known.owners:
        return literal(env.members[text], found)
    if text in program.zones or text == "box":
        return Op("zone", word=text, type=found)
    if text in program.variables:
        return Op("variable", word=text, type=found)
    if text in program.options:
        return Op("option", word=text, type=found)
    if text in known.kinds:
        return face_operation(env, (name,), found)
    if text in known.enums:
        return Op("domain", word=text, type=found)
    match text:
        case "Bool":
            return literal((False, True), found)
        case "Player":
            return Op("seats", type=found)
        case "Order":
            return literal((1, 0), found)
        case "Piece":
            return Op("all_pieces", type=found)
        case "most" | "fewest":
            return literal(1 if text == "most" else 0, found)
        case "players" | "first" | "ended" | "winners" | "result":
            return Op(text, type=found)
    raise Unchecked(f"the name {text}")


def function_key(routine: Routine, version: int, output: str | None = None) -> str:
    """The key of a function in the core: its name, its version, and the output of a table."""
    older = "" if version == len(routine.versions) - 1 else f"#{version}"
    return f"{routine.name}{older}" + (f".{output}" if output else "")


def _call(env: Environment, call: nodes.Call) -> Op:
    name, routines = call.function.text, env.scope.known.program.routines
    if name in routines:
        routine = routines[name]
        return _routine_call(env, routine, len(routine.versions) - 1, call.arguments)
    if name == "super" and env.scope.routine is not None:
        return _routine_call(env, env.scope.routine, env.scope.version - 1, call.arguments)
    if name in FUNCTIONS:
        return _builtin(env, name, call)
    raise Unchecked(f"a call of {name}")


def elaborate_arguments(
    env: Environment, routine: Routine, version: int, given: tuple[nodes.Expr, ...]
) -> tuple[Op, ...]:
    params = routine.versions[version].node.params
    return tuple(
        elaborate_to(env, argument, declared_type(env.scope.known, param.type))
        for param, argument in zip(params, given, strict=True)
    )


def _routine_call(
    env: Environment, routine: Routine, version: int, given: tuple[nodes.Expr, ...]
) -> Op:
    arguments = elaborate_arguments(env, routine, version, given)
    type_ = function_type(env.scope, routine, version)
    # Cells are evaluated on demand, so the value is only which row of which table.
    name = "row" if isinstance(type_, types.Outputs) else "call"
    return Op(name, arguments, word=function_key(routine, version), type=type_)


def _builtin(env: Environment, name: str, call: nodes.Call) -> Op:
    function = FUNCTIONS[name][len(call.arguments)]
    attribute = ""
    given = []
    for argument, sort in zip(call.arguments, function.takes, strict=True):
        if sort != "attribute":
            given.append(elaborate(env, argument))
        elif isinstance(argument, nodes.Name):
            attribute = argument.text
    type_ = builtin_call(env.scope, name, call.arguments, tuple(each.type for each in given))
    if function.operation == "index" and not isinstance(present(given[0].type), types.Choice):
        # The position of a seat is its number.
        return evolve(convert(env, given[0], SEAT, call.arguments[0].span), type=type_)
    if name == "knows" and isinstance(element(given[1].type), types.Face):
        given[1] = _named(env, call.arguments[1])
    if attribute:
        return _grouped(env, call, Op(name, (as_set(given[0]),), word=attribute, type=type_))
    operands = tuple(
        take_argument(env, op, argument, sort)
        for op, argument, sort in zip(given, call.arguments, function.takes, strict=True)
    )
    row = OPERATIONS[function.operation]
    order = order_of(element_type(operands[0].type)) if "order" in row.details else ""
    return Op(function.operation, operands, order=order, type=type_, span=call.span)


def _grouped(env: Environment, call: nodes.Call, family: Op) -> Op:
    """`alike` and `runs`; if sizes are given, only the sets of these sizes."""
    family = evolve(family, span=call.span)
    if len(call.arguments) < 3:
        return family
    inner, place = with_bound(env, {"(set)": element_type(family.type)})
    size = elaborate(inner, nodes.Count(nodes.Name("(set)"), span=call.span))
    sizes = as_set(elaborate(inner, call.arguments[2]))
    test = Op("in", (size, sizes), type=types.Bool())
    return Op("filter_family", (family, test), place=place, type=family.type, span=call.span)


# ---- Selections and attributes -------------------------------------------------------------------


def _at(env: Environment, expr: nodes.At) -> Op:
    subject, key = elaborate(env, expr.subject), elaborate(env, expr.key)
    found = subject.type
    type_ = type_of_selection(env.scope, expr, found, key.type)
    match found:
        case types.Outputs(_, outputs):
            names = tuple(name for name, _ in outputs if name in env.members)
            member = convert(env, key, present(key.type), expr.key.span)
            numbers = tuple(env.members[name] for name in names)
            pair = (subject, member)
            return Op("output_at", pair, numbers=numbers, words=names, type=type_, span=expr.span)
        case types.Indexed(indices, of):
            index = convert(env, key, indices[0], expr.key.span)
            if subject.name == "variable":
                operands = (*subject.operands, index)
                return evolve(subject, operands=operands, type=type_, span=expr.span)
            kept = Op("member_of", (subject, index), type=type_, span=expr.span)
            return Op("or_empty", (kept,), type=type_) if isinstance(of, types.Several) else kept
        case types.Place(_, indices) if indices and same_sort(indices[0], key.type):
            index = convert(env, key, indices[0], expr.key.span)
            if subject.name == "zone":
                operands = (*subject.operands, index)
                return evolve(subject, operands=operands, type=type_, span=expr.span)
            return Op("zone_of", (subject, index), type=type_, span=expr.span)
    return Op("matching", (as_set(subject), as_look(env, key)), type=type_)


def _get(env: Environment, expr: nodes.Get) -> Op:
    subject, name = elaborate(env, expr.subject), expr.name.text
    found = type_of_attribute(env.scope, expr, subject.type)
    match subject.type:
        case types.Outputs():
            return Op("output", (subject,), word=name, type=found)
        case types.Maybe(types.Never()):
            return literal(None, NONE)
        case types.Piece() | types.Maybe(types.Piece()):
            return Op("attribute", (subject,), word=name, type=found)
    order = order_of(element_type(found))
    return Op("attributes", (as_set(subject),), word=name, order=order, type=found)


def _named(env: Environment, expr: nodes.Expr) -> Op:
    """The pieces that an example names by their faces."""
    items = expr.items if isinstance(expr, nodes.List) else (expr,)
    looks = tuple(as_look(env, elaborate(env, item)) for item in items)
    texts = tuple(text_of(item.span) for item in items)
    pieces = types.Several(types.Piece(env.scope.known.kinds))
    return Op("named", looks, words=texts, type=pieces, span=expr.span)


# ---- Comparisons and sums ------------------------------------------------------------------------


def _compare(env: Environment, expr: nodes.Compare) -> Op:
    sign = expr.relation.sign
    named = compared_faces(env.scope, expr) if env.scope.in_example else None
    if named is not None:
        alike = _compare_faces(env, named)
        return negation(alike) if sign in ("!=", "not in") else alike
    left, right = elaborate(env, expr.left), elaborate(env, expr.right)
    if sign in ("==", "!="):
        equal = equality(env, left, right)
        return equal if sign == "==" else negation(equal)
    if sign in ("in", "not in"):
        inside = membership(env, left, right)
        return inside if sign == "in" else negation(inside)
    name = {"<": "less", "<=": "at_most", ">": "greater", ">=": "at_least"}[sign]
    one = convert(env, left, present(left.type), expr.left.span)
    other = convert(env, right, present(right.type), expr.right.span)
    both = join(one.type, other.type, env.scope.known.enums)
    order = order_of(both if both is not None else one.type)
    return Op(name, (one, other), order=order, type=BOOL)


def _compare_faces(env: Environment, named: ComparedFaces) -> Op:
    """Pieces and faces, as an example writes them."""
    pieces = elaborate(env, named.pieces)
    looks = tuple(as_look(env, elaborate(env, each)) for each in named.faces)
    if named.mode == "pair":
        return Op("pair_up", (as_set(pieces), *looks), type=BOOL)
    any_of = Op("any_look", looks, type=types.Face(env.scope.known.kinds))
    if named.mode == "any":
        return Op("any_looks", (as_set(pieces), any_of), type=BOOL)
    return Op("looks", (pieces, any_of), type=BOOL)


def _range(env: Environment, expr: nodes.Range) -> Op:
    low, high = elaborate(env, expr.low), elaborate(env, expr.high)
    type_ = range_type(env.scope, expr, low.type, high.type)
    if isinstance(present(low.type), types.Choice):
        one = convert(env, low, present(low.type), expr.low.span)
        other = convert(env, high, present(high.type), expr.high.span)
        order = order_of(element_type(type_))
        return Op("members_between", (one, other), order=order, type=type_)
    pair = (convert(env, low, INT, expr.low.span), convert(env, high, INT, expr.high.span))
    return Op("numbers", pair, type=type_, span=expr.span)


# ---- Sets ----------------------------------------------------------------------------------------


def _filter(
    env: Environment, values: nodes.Expr, condition: nodes.Expr, names: tuple[str, ...]
) -> Op:
    """`S where c`: the element is `it`, and also the name of the loop or choice, if there is one."""
    op = elaborate_elements(env, values, names)
    inner, place = with_bound(env, dict.fromkeys(("it", *names), element_type(op.type)))
    test = elaborate_condition(inner, condition)
    name = "filter_family" if isinstance(op.type, types.Family) else "filter"
    return Op(name, (op, test), place=place, type=op.type, span=values.span)


def elaborate_elements(env: Environment, values: nodes.Expr, names: tuple[str, ...]) -> Op:
    """The values that a name runs through, as a set or family."""
    if isinstance(values, nodes.Where):
        return _filter(env, values.values, values.condition, names)
    op = elaborate_set(env, values)
    # [expr.list]
    if isinstance(values, nodes.List) and op.name == "list":
        # A list that is iterated directly keeps its written order.
        return evolve(op, order="formed")
    return op


def _members(env: Environment, values: nodes.Expr, name: str) -> tuple[Op, Environment, int]:
    """The elements of a comprehension, and the environment in which its name is bound."""
    over = elaborate_elements(env, values, (name,))
    of = element_type(over.type)
    if isinstance(over.type, types.Family):
        over = Op("listed", (over,), type=types.Several(of), span=values.span)
    inner, place = with_bound(env, {name: of})
    return over, inner, place


def _fold(env: Environment, expr: nodes.Fold) -> Op:
    over, inner, place = _members(env, expr.values, expr.name.text)
    value = elaborate(inner, expr.value)
    type_ = fold_type(inner.scope, expr, element_type(over.type), value.type)
    name = expr.function.text
    if name in ("any", "all"):
        test = convert(inner, value, types.Bool(), expr.value.span)
        return Op(f"{name}_of", (over, test), place=place, type=type_)
    if name == "sum":
        number = convert(inner, value, INT, expr.value.span)
        return Op("sum_of", (over, number), place=place, type=type_, span=expr.span)
    order = order_of(value.type)
    return Op(f"{name}_of", (over, value), place=place, order=order, type=type_)


def _list(env: Environment, expr: nodes.List) -> Op:
    items = tuple(elaborate(env, item) for item in expr.items)
    type_ = list_type(env.scope, expr.items, (item.type for item in items))
    if isinstance(type_, types.Family):
        return Op("family_of", tuple(as_set(item) for item in items), type=type_)
    of = element_type(type_)
    if isinstance(of, types.Face):
        return Op("any_look", tuple(as_look(env, item) for item in items), type=type_)
    parts = tuple(as_set(item) for item in items)
    return Op("list", parts, order=order_of(of), type=type_)


def _build(env: Environment, expr: nodes.Build) -> Op:
    over, inner, place = _members(env, expr.values, expr.name.text)
    value = elaborate(inner, expr.value)
    if isinstance(value.type, types.Family):
        return _join_families(env, expr)
    type_ = set_of(value.type)
    item, span = as_set(value), expr.values.span
    if isinstance(value.type, types.Several | types.Place):
        return Op("build_family", (over, item), place=place, type=type_, span=span)
    order = order_of(element_type(value.type))
    return Op("build", (over, item), place=place, order=order, type=type_)


def _join_families(env: Environment, expr: nodes.Build) -> Op:
    """`[runs(hand[p][s], rank) for s in Suit]`: the families of all members, joined."""
    name, whole = expr.name.text, elaborate(env, expr.values).type
    if not isinstance(whole, types.Several) or not isinstance(whole.of, types.Choice):
        raise Unchecked("families of what is no enum")
    found: Op | None = None
    for member in whole.of.domain:
        literal = elaborate(env, nodes.Name(member))
        scope = bind_names(env.scope, {name: whole.of})
        inner = evolve(env, scope=scope, places={**env.places, name: literal})
        family = elaborate(inner, expr.value)
        if found is None:
            found = family
        else:
            both = (found, family)
            found = Op("union_of_families", both, type=family.type, span=expr.span)
    if found is None:
        raise Unchecked("an enum without members")
    return found
