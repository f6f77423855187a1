"""An expression in its environment -> an operation, with the type of its values.

Implements docs/language/8-expressions.md: after this, nothing is left to be resolved or converted. Where a
value may not fit its place the operation tests it (`needed`, `within`, `among`, `of_kind`).
"""

from typing import assert_never

from rulespec.checking.builtins import FUNCTIONS
from rulespec.checking.declarations import Routine
from rulespec.checking.domains import declared_type
from rulespec.checking.expressions import elements, function_type, type_of
from rulespec.checking.selections import same_sort
from rulespec.core.types import (
    INT,
    NONE,
    SEAT,
    Bool,
    Choice,
    Face,
    Family,
    Indexed,
    Maybe,
    Never,
    Number,
    Outputs,
    Piece,
    Place,
    Several,
    Type,
    Unknown,
    element,
    join,
    present,
)
from rulespec.lowering.code import Op
from rulespec.lowering.environment import Env, Unlowered, element_type, order_of, with_bound
from rulespec.source import Span, text_of
from rulespec.syntax import nodes

Lowered = tuple[Op, Type]


def lower(env: Env, expr: nodes.Expr) -> Lowered:
    """An expression as an operation."""
    found = type_of(env.scope, expr)
    return _lower(env, expr, found), found


def lower_to(env: Env, expr: nodes.Expr, wanted: Type) -> Op:
    """An expression as an operation, converted to what its place wants."""
    op, found = lower(env, expr)
    if isinstance(element(found), Face) and isinstance(element(wanted), Piece):
        # Only an example can do that: the checks see to it.
        named = _named(env, expr)
        return named if isinstance(wanted, Several) else Op("top", (named,))
    return convert(env, op, found, wanted, expr.span)


def lower_present(env: Env, expr: nodes.Expr) -> Lowered:
    """An expression as an operation that gives a value, and never `none`."""
    op, found = lower(env, expr)
    there = present(found)
    return convert(env, op, found, there, expr.span), there


def lower_condition(env: Env, expr: nodes.Expr) -> Op:
    return lower_to(env, expr, Bool())


def lower_set(env: Env, expr: nodes.Expr) -> Lowered:
    """An expression as a set, with the type of its elements; families stay families."""
    op, found = lower(env, expr)
    if isinstance(found, Family):
        return op, Several(found.of)
    return as_set(op, found), element_type(found)


def _lower(env: Env, expr: nodes.Expr, found: Type) -> Op:
    span = expr.span
    match expr:
        case nodes.Name():
            return _name(env, expr)
        case nodes.Number(value):
            return Op("literal", (value,))
        case nodes.Constant(word):
            return Op("literal", ({"yes": True, "no": False, "none": None}[word],))
        case nodes.At():
            return _at(env, expr)
        case nodes.Get():
            return _get(env, expr)
        case nodes.Having(subject, attribute, value):
            pieces, _ = lower_set(env, subject)
            values, _ = lower_set(env, value)
            return Op("having", (pieces, attribute.text, values))
        case nodes.Call():
            return _call(env, expr)
        case nodes.Compare():
            return _compare(env, expr)
        case nodes.Count(operand):
            counted, _ = lower(env, operand)
            if isinstance(type_of(env.scope, operand), Family):
                return Op("count_family", (counted,), span=span)
            return Op("count", (lower_set(env, operand)[0],))
        case nodes.Sum():
            return _sum(env, expr)
        case nodes.Product(left, operator, right):
            name = {"*": "times", "/": "divide", "%": "modulo"}[operator]
            return Op(name, (lower_to(env, left, INT), lower_to(env, right, INT)), span=span)
        case nodes.Negative(operand):
            zero = Op("literal", (0,))
            return Op("subtract", (zero, lower_to(env, operand, INT)), span=span)
        case nodes.Range(low, high):
            return _range(env, expr, low, high)
        case nodes.And(operands):
            return Op("and", tuple(lower_condition(env, each) for each in operands))
        case nodes.Or(operands):
            return Op("or", tuple(lower_condition(env, each) for each in operands))
        case nodes.Not(operand):
            return Op("not", (lower_condition(env, operand),))
        case nodes.Conditional(value, condition, otherwise):
            test = lower_condition(env, condition)
            return Op("if", (test, lower_to(env, value, found), lower_to(env, otherwise, found)))
        case nodes.Where(values, condition):
            return lower_filter(env, values, condition, ())
        case nodes.Fold():
            return _fold(env, expr)
        case nodes.List(items):
            return _list(env, items, found)
        case nodes.Build(value, name, values):
            return _build(env, value, name, values)
        case nodes.Face():
            return lower_look(env, expr)
        case _:
            assert_never(expr)


# ---- Conversions ---------------------------------------------------------------------------------


def as_set(op: Op, found: Type) -> Op:
    """A value taken as a set: a zone as its pieces, one value as a set of one, none as the empty set."""
    match found:
        case Several() | Family():
            return op
        case Place(_, ()):
            return Op("contents", (op,))
        case Place():
            return Op("gather", (op,))
        case Maybe():
            return Op("perhaps", (op,))
        case Indexed() | Outputs():
            raise Unlowered(f"{found} as a set")
        case _:
            return Op("single", (op,))


# [code.convert]
def convert(env: Env, op: Op, found: Type, wanted: Type, span: Span) -> Op:
    """A value where another type is wanted, tested if it may not fit."""
    match wanted:
        case Unknown() | Never() | Outputs() | Indexed() | Family() | Face():
            return op
        case Place():
            return op
        case Several(of):
            if isinstance(found, Several) and isinstance(of, Several):
                return op
            op = as_set(op, found)
            inner = element(found)
            return op if inner is None else _tested(env, "every", op, inner, of, span)
    if isinstance(found, Maybe) and not isinstance(wanted, Maybe):
        op = Op("needed", (op,), span=span)
    return _tested(env, "", op, present(found), present(wanted), span)


def _tested(env: Env, every: str, op: Op, found: Type, wanted: Type, span: Span) -> Op:  # noqa: PLR0913, PLR0917 - the value, its types and its place
    joined = join(found, wanted, env.scope.known.enums)
    if joined == wanted:
        return op
    prefix = f"{every}_" if every else ""
    match wanted:
        case Number(low, high):
            return Op(f"{prefix}within", (op, low, high), span=span)
        case Choice(_, _, members):
            numbers = tuple(sorted(env.members[name] for name in members))
            return Op(f"{prefix}among", (op, numbers), span=span)
        case Piece(kinds):
            return Op(f"{prefix}of_kind", (op, tuple(sorted(kinds))), span=span)
        case _:
            return op


# ---- Names and calls -----------------------------------------------------------------------------


def _name(env: Env, name: nodes.Name) -> Op:
    text, known = name.text, env.scope.known
    program = known.program
    if text in env.places:
        return env.places[text]
    if text in known.owners:
        return Op("literal", (env.members[text],))
    if text in program.routines:
        routine = program.routines[text]
        return _routine_call(env, routine, len(routine.versions) - 1, ())
    if text in program.zones or text == "box":
        return Op("zone", (text, ()))
    if text in program.variables:
        return Op("variable", (text, ()))
    if text in program.options:
        return Op("option", (text,))
    if text in known.kinds:
        return lower_look(env, name)
    if text in known.enums:
        return Op("domain", (text,))
    match text:
        case "Bool":
            return Op("literal", ((False, True),))
        case "Player":
            return Op("seats")
        case "Order":
            return Op("literal", ((1, 0),))
        case "Piece":
            return Op("all_pieces")
        case "most" | "fewest":
            return Op("literal", (1 if text == "most" else 0,))
        case "players" | "first" | "ended" | "winners" | "result":
            return Op(text)
    raise Unlowered(f"the name {text}")


def function_key(routine: Routine, version: int, output: str | None = None) -> str:
    """What a function is called in flat code: its name, which version, and which output of a table."""
    older = "" if version == len(routine.versions) - 1 else f"#{version}"
    return f"{routine.name}{older}" + (f".{output}" if output else "")


def _call(env: Env, call: nodes.Call) -> Op:
    name, routines = call.function.text, env.scope.known.program.routines
    if name in routines:
        routine = routines[name]
        return _routine_call(env, routine, len(routine.versions) - 1, call.arguments)
    if name == "super" and env.scope.routine is not None:
        return _routine_call(env, env.scope.routine, env.scope.version - 1, call.arguments)
    if name in FUNCTIONS:
        return _builtin(env, name, call)
    raise Unlowered(f"a call of {name}")


def lower_arguments(
    env: Env, routine: Routine, version: int, given: tuple[nodes.Expr, ...]
) -> tuple[Op, ...]:
    params = routine.versions[version].node.params
    return tuple(
        lower_to(env, argument, declared_type(env.scope.known, param.type))
        for param, argument in zip(params, given, strict=True)
    )


def _routine_call(env: Env, routine: Routine, version: int, given: tuple[nodes.Expr, ...]) -> Op:
    arguments = lower_arguments(env, routine, version, given)
    key = function_key(routine, version)
    if isinstance(function_type(env.scope, routine, version), Outputs):
        # The cells of a row are evaluated when they are asked for: here is only which row of what.
        return Op("row", (key, arguments))
    return Op("call", (key, arguments))


def _builtin(env: Env, name: str, call: nodes.Call) -> Op:
    arguments, span = call.arguments, call.span
    match name, len(arguments):
        case (("min" | "max"), 2):
            pair = (lower_to(env, arguments[0], INT), lower_to(env, arguments[1], INT))
            return Op(f"{name}_of_two", pair)
        case (("min" | "max"), 1):
            values, of = lower_set(env, arguments[0])
            return Op(f"{name}_of_set", (values, order_of(of)))
        case "abs", 1:
            return Op("abs", (lower_to(env, arguments[0], INT),))
        case (("order" | "others" | "next" | "left" | "right"), 1):
            return Op(name, (lower_to(env, arguments[0], SEAT),))
        case "index", 1:
            value, found = lower_present(env, arguments[0])
            return value if not isinstance(found, Choice) else Op("index", (value,))
        case "top", 1:
            return Op("top", (lower_set(env, arguments[0])[0],))
        case "top", 2:
            values, _ = lower_set(env, arguments[0])
            return Op("top_several", (values, lower_to(env, arguments[1], INT)))
        case "subsets", 1:
            return Op("subsets", (lower_set(env, arguments[0])[0],))
        case "subsets", 2:
            sizes, _ = lower_set(env, arguments[1])
            return Op("subsets", (lower_set(env, arguments[0])[0], sizes), span=span)
        case (("alike" | "runs"), 2):
            pieces, _ = lower_set(env, arguments[0])
            attribute = arguments[1]
            if isinstance(attribute, nodes.Name):
                return Op(name, (pieces, attribute.text))
        case "knows", 2:
            seat = lower_to(env, arguments[0], SEAT)
            is_look = isinstance(element(type_of(env.scope, arguments[1])), Face)
            known = _named(env, arguments[1]) if is_look else lower_set(env, arguments[1])[0]
            return Op("knows", (seat, known))
    raise Unlowered(f"{name} of {len(arguments)}")


# ---- Selections and attributes -------------------------------------------------------------------


def _at(env: Env, expr: nodes.At) -> Op:
    subject, found = lower(env, expr.subject)
    key_type = type_of(env.scope, expr.key)
    match found:
        case Outputs(_, outputs):
            names = tuple((env.members[name], name) for name, _ in outputs if name in env.members)
            key, _ = lower_present(env, expr.key)
            return Op("output_at", (subject, key, names), span=expr.span)
        case Indexed(indices, of):
            index = lower_to(env, expr.key, indices[0])
            if subject.name == "variable":
                name, before = subject.args
                return Op("variable", (name, (*before, index)), span=expr.span)
            kept = Op("member_of", (subject, index), span=expr.span)
            return Op("or_empty", (kept,)) if isinstance(of, Several) else kept
        case Place(_, indices) if indices and same_sort(indices[0], key_type):
            index = lower_to(env, expr.key, indices[0])
            if subject.name == "zone":
                name, before = subject.args
                return Op("zone", (name, (*before, index)), span=expr.span)
            return Op("zone_of", (subject, index, indices[0]), span=expr.span)
    pieces = as_set(subject, found)
    return Op("matching", (pieces, lower_look(env, expr.key)))


def _get(env: Env, expr: nodes.Get) -> Op:
    subject, found = lower(env, expr.subject)
    name = expr.name.text
    match found:
        case Outputs():
            return Op("output", (subject, name))
        case Maybe(Never()):
            return Op("literal", (None,))
        case Piece() | Maybe(Piece()):
            return Op("attribute", (subject, name))
    of = element_type(type_of(env.scope, expr))
    return Op("attributes", (as_set(subject, found), name, order_of(of)))


def lower_look(env: Env, expr: nodes.Expr) -> Op:
    """How pieces look: an operation that gives all pieces which match a kind, a member or a face."""
    known = env.scope.known
    match expr:
        case nodes.Face(words):
            parts: list[tuple[str, str | int]] = []
            for word in words:
                if isinstance(word, nodes.Number):
                    parts.append(("number", word.value))
                elif word.text in known.kinds:
                    parts.append(("kind", word.text))
                else:
                    parts.append(("member", env.members[word.text]))
            return Op("look", (tuple(parts),))
        case nodes.Name(text) if text in known.kinds and text not in env.places:
            return Op("look", ((("kind", text),),))
        case nodes.List(items):
            return Op("any_look", tuple(lower_look(env, item) for item in items))
        case nodes.Conditional(value, condition, otherwise):
            test = lower_condition(env, condition)
            return Op("if", (test, lower_look(env, value), lower_look(env, otherwise)))
    op, found = lower(env, expr)
    inner = element(found)
    match inner:
        case Face():
            return op
        case Piece():
            return Op("look_pieces", (as_set(op, found),))
        case Never() | Unknown():
            return Op("look_members", (Op("literal", ((),)),))
        case _:
            return Op("look_members", (as_set(op, found),))


def _named(env: Env, expr: nodes.Expr) -> Op:
    """The pieces that an example names by their faces."""
    items = expr.items if isinstance(expr, nodes.List) else (expr,)
    looks = tuple(lower_look(env, item) for item in items)
    return Op("named", (looks, tuple(text_of(item.span) for item in items)), span=expr.span)


# ---- Comparisons and sums ------------------------------------------------------------------------


def _compare(env: Env, expr: nodes.Compare) -> Op:
    sign = expr.relation.sign
    if sign in ("==", "!="):
        equal = _equal(env, expr)
        return equal if sign == "==" else Op("not", (equal,))
    if sign in ("in", "not in"):
        inside = _inside(env, expr)
        return inside if sign == "in" else Op("not", (inside,))
    name = {"<": "less", "<=": "at_most", ">": "greater", ">=": "at_least"}[sign]
    left, a = lower_present(env, expr.left)
    right, b = lower_present(env, expr.right)
    both = join(a, b, env.scope.known.enums)
    return Op(name, (left, right, order_of(both if both is not None else a)))


def _equal(env: Env, expr: nodes.Compare) -> Op:
    left, a = lower(env, expr.left)
    right, b = lower(env, expr.right)
    if NONE in (a, b):
        value, type_ = (right, b) if a == NONE else (left, a)
        if isinstance(type_, Several | Place):
            return Op("empty", (as_set(value, type_),))
        return Op("is_none", (value,))
    if isinstance(a, Several | Place) and isinstance(b, Several | Place):
        faces = [isinstance(element(each), Face) for each in (a, b)]
        if any(faces):
            return _pair(env, expr, faces)
        return Op("same_set", (as_set(left, a), as_set(right, b)))
    if isinstance(present(a), Face):
        return Op("looks", (right, lower_look(env, expr.left)))
    if isinstance(present(b), Face):
        return Op("looks", (left, lower_look(env, expr.right)))
    return Op("equal", (left, right))


def _pair(env: Env, expr: nodes.Compare, faces: list[bool]) -> Op:
    """A set of pieces and a list of faces are equal if they can be paired one to one."""
    looks, pieces = (expr.left, expr.right) if faces[0] else (expr.right, expr.left)
    if not isinstance(looks, nodes.List):
        raise Unlowered("faces that are not a list")
    of = lower_set(env, pieces)[0]
    return Op("pair_up", (of, tuple(lower_look(env, item) for item in looks.items)))


def _inside(env: Env, expr: nodes.Compare) -> Op:
    left, a = lower(env, expr.left)
    right, b = lower(env, expr.right)
    if isinstance(b, Family):
        return Op("in_family", (as_set(left, a), right))
    if isinstance(present(a), Face):
        return Op("any_looks", (as_set(right, b), lower_look(env, expr.left)))
    if isinstance(element(b), Face):
        return Op("looks", (left, lower_look(env, expr.right)))
    return Op("in", (left, as_set(right, b)))


def _sum(env: Env, expr: nodes.Sum) -> Op:
    left, a = lower(env, expr.left)
    right, b = lower(env, expr.right)
    if isinstance(present(a), Number) or isinstance(present(b), Number):
        one = convert(env, left, a, present(a), expr.left.span)
        other = convert(env, right, b, present(b), expr.right.span)
        return Op("add" if expr.operator == "+" else "subtract", (one, other), span=expr.span)
    name = {"+": "union", "-": "difference", "&": "intersection"}[expr.operator]
    if isinstance(a, Family) or isinstance(b, Family):
        return Op(f"{name}_of_families", (left, right), span=expr.span)
    if isinstance(element(b), Face) and not isinstance(element(a), Face):
        negate = expr.operator == "-"
        return Op(
            "unlike" if negate else "matching", (as_set(left, a), lower_look(env, expr.right))
        )
    of = element_type(type_of(env.scope, expr))
    return Op(name, (as_set(left, a), as_set(right, b), order_of(of)))


def _range(env: Env, expr: nodes.Range, low: nodes.Expr, high: nodes.Expr) -> Op:
    first = present(type_of(env.scope, low))
    if isinstance(first, Choice):
        found = type_of(env.scope, expr)
        enum = order_of(element_type(found))
        ends = (lower_present(env, low)[0], lower_present(env, high)[0])
        return Op("members_between", (*ends, enum))
    return Op("numbers", (lower_to(env, low, INT), lower_to(env, high, INT)), span=expr.span)


# ---- Sets ----------------------------------------------------------------------------------------


def lower_filter(env: Env, values: nodes.Expr, condition: nodes.Expr, names: tuple[str, ...]) -> Op:
    """`S where c`: the element is `it`, and where it gets a name also that."""
    op, of = lower_elements(env, values, names)
    inner, place = with_bound(env, dict.fromkeys(("it", *names), of))
    test = lower_condition(inner, condition)
    listed = isinstance(of, Several)
    return Op("filter_family" if listed else "filter", (op, place, test), span=values.span)


def lower_elements(env: Env, values: nodes.Expr, names: tuple[str, ...]) -> Lowered:
    """What a name runs through, as a set or family, with the type of its elements."""
    if isinstance(values, nodes.Where):
        name = nodes.Name(names[0]) if names else nodes.Name("it")
        of = elements(env.scope, values, name)
        return lower_filter(env, values.values, values.condition, names), of
    # [expr.list]
    if isinstance(values, nodes.List):
        op, of = lower_set(env, values)
        if op.name == "list":
            # A list that is run through in place keeps the order in which it is written.
            return Op("list", (op.args[0], "formed")), of
        return op, of
    return lower_set(env, values)


def _fold(env: Env, expr: nodes.Fold) -> Op:
    values, of = lower_elements(env, expr.values, (expr.name.text,))
    if isinstance(of, Several):
        values = Op("listed", (values,), span=expr.values.span)
    inner, place = with_bound(env, {expr.name.text: of})
    name = expr.function.text
    if name in ("any", "all"):
        return Op(f"{name}_of", (values, place, lower_condition(inner, expr.value)))
    if name == "sum":
        return Op("sum_of", (values, place, lower_to(inner, expr.value, INT)), span=expr.span)
    key, key_type = lower(inner, expr.value)
    return Op(f"{name}_of", (values, place, key, order_of(key_type)))


def _list(env: Env, items: tuple[nodes.Expr, ...], found: Type) -> Op:
    if isinstance(found, Family):
        sets = tuple(lower_set(env, item)[0] for item in items)
        return Op("family_of", sets)
    of = element_type(found)
    if isinstance(of, Face):
        return lower_look(env, nodes.List(items))
    parts = tuple(as_set(*lower(env, item)) for item in items)
    return Op("list", (parts, order_of(of)))


def _build(env: Env, value: nodes.Expr, name: nodes.Name, values: nodes.Expr) -> Op:
    over, of = lower_elements(env, values, (name.text,))
    if isinstance(of, Several):
        over = Op("listed", (over,), span=values.span)
    inner, place = with_bound(env, {name.text: of})
    op, found = lower(inner, value)
    if isinstance(found, Several | Place):
        return Op("build_family", (over, place, as_set(op, found)), span=values.span)
    if isinstance(found, Family):
        raise Unlowered("a set of families")
    return Op("build", (over, place, as_set(op, found), order_of(element_type(found))))
