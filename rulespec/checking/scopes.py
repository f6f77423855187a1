"""The scope of an expression: what is known about the program and the names around it, as data.

`attributes.root_scope` makes a `Known` once for a program; a `Scope` adds the types of the names that are bound around
an expression. Mistakes are reported to the scope, which collects them, or drops them while types are inferred.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from types import MappingProxyType

from attrs import define, evolve, field, frozen

from rulespec import codes
from rulespec.checking.declarations import Declarations, Routine, used_names
from rulespec.checking.doubts import Doubt, Kind
from rulespec.checking.wording import (
    as_written,
    describe_expression,
    describe_type,
    list_domain,
    written,
)
from rulespec.codes import Code
from rulespec.core import types
from rulespec.core.types import Enums, Type, element, fit, join, present, set_type
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Span
from rulespec.syntax import nodes

NOTHING_KNOWN: Mapping[nodes.Expr, Type] = MappingProxyType({})
NO_SIZES: Mapping[nodes.Expr, int] = MappingProxyType({})


@frozen
class Attribute:
    """The type of an attribute for each kind of piece; for a set-valued attribute, the type of its elements.

    `read` are the kinds for which a word of a face may mean this attribute without its name.
    """

    by_kind: Mapping[str, Type]
    set_valued: bool
    read: frozenset[str]


@frozen
class Estimate:
    """What is true of a value in every game: see `estimates`."""

    least: int = 0  # elements; a single value that is not `none` counts as one
    most: int = types.MOST
    holds: bool | None = None  # of a condition, if it always or never does
    many: bool = False  # of a family, if it may have too many sets to list them
    listed: nodes.Expr | None = None  # the expression that has to list all sets of such a family


UNKNOWN_VALUE = Estimate()


def _learn_nothing(scope: "Scope", _test: nodes.Expr, **_: bool) -> "Scope":
    """A named function and no lambda, so that a checked program can be pickled."""
    return scope


@define
class Known:
    """What is known about a program as a whole; results are added as they are computed."""

    program: Declarations
    enums: Enums
    owners: Mapping[str, str]  # by member: the enum that declares it
    kinds: frozenset[str]
    attributes: dict[str, Attribute] = field(factory=dict)
    declared: dict[str, Type] = field(factory=dict)  # by name, filled on demand
    kinds_by_word: dict[str | int, frozenset[str]] = field(
        factory=dict
    )  # by word of a face, filled on demand
    results: dict[tuple[str, int], Type] = field(factory=dict)
    running: set[tuple[str, int]] = field(factory=set)
    estimates: dict[tuple[str, str], Estimate] = field(factory=dict)  # by function and output
    # By the id of a body: the body, and the types of its locals.
    locals: dict[int, tuple[object, Mapping[str, Type]]] = field(factory=dict)
    doubts: list[Doubt] = field(factory=list)  # what must be tested during play
    # What a condition shows of the sizes of sets: `size_facts.learn_from_test`, once all types are inferred.
    learn_sizes: "Callable[..., Scope]" = field(default=_learn_nothing, eq=False)


@frozen
class Scope:
    """The names that are bound around an expression, and what tests around it have shown."""

    known: Known
    names: Mapping[str, Type]
    facts: Mapping[nodes.Expr, Type] = NOTHING_KNOWN
    sizes: Mapping[nodes.Expr, int] = NO_SIZES  # least number of elements: see `size_facts`
    routine: Routine | None = None  # whose body this is, for `super`
    version: int = 0
    in_example: bool = False
    seats: frozenset[str] = (
        frozenset()
    )  # the players of the example, as long as nothing hides their names
    faults: list[Diagnostic] | None = None


def know_enums(program: Declarations) -> Known:
    """What is known about a program before any expression is typed."""
    owners = {
        member.name.text: name
        for name, enum in program.enums.items()
        for member in enum.node.members
        if member.name.text not in program.enums
    }
    return Known(program, _flatten(program), owners, frozenset(program.kinds))


def _flatten(program: Declarations) -> dict[str, tuple[str, ...]]:
    """The members of every enum, including those of the enums in it; a cycle includes nothing."""
    parts = {
        name: [member.name.text for member in enum.node.members]
        for name, enum in program.enums.items()
    }
    order = dependency_order(
        {name: [part for part in of if part in parts] for name, of in parts.items()}
    )
    flat: dict[str, tuple[str, ...]] = {}
    for name in order:
        members: dict[str, None] = {}
        for part in parts[name]:
            members.update(dict.fromkeys(flat.get(part, ()) if part in parts else (part,)))
        flat[name] = tuple(members)
    return {name: flat[name] for name in parts}


def dependency_order(uses: Mapping[str, list[str]]) -> list[str]:
    """Names in an order in which each comes after those that it uses, as far as there are no cycles."""
    done: dict[str, None] = {}
    begun: set[str] = set()
    waiting = list(uses)[::-1]
    while waiting:
        name = waiting[-1]
        if name in begun:
            waiting.pop()
            done.setdefault(name)
        else:
            begun.add(name)
            waiting.extend(used for used in uses[name] if used in uses and used not in begun)
    return [*done]


def enum_type(known: Known, name: str) -> types.Choice:
    """All members of an enum."""
    domain = known.enums[name]
    return types.Choice(name, domain, frozenset(domain))


def member_type(known: Known, member: str) -> types.Choice:
    """One member, as a value of the enum that declares it."""
    enum = known.owners[member]
    return types.Choice(enum, known.enums[enum], frozenset({member}))


def bind_names(scope: Scope, names: Mapping[str, Type]) -> Scope:
    """The scope with more names bound; facts about other things with these names are dropped."""
    facts = scope.facts
    if facts:
        facts = {expr: type_ for expr, type_ in facts.items() if not mentions(expr, names)}
    sizes = unmentioned(scope.sizes, names)
    seats = scope.seats.difference(names) if scope.seats else scope.seats
    return _with(scope, {**scope.names, **names}, facts, sizes, seats, scope.faults)


def seat_players(scope: Scope, names: Iterable[str]) -> Scope:
    """The scope of an example with these players."""
    seats = dict.fromkeys(names, types.SEAT)
    return evolve(bind_names(scope, seats), in_example=True, seats=frozenset(seats))


def _with(  # noqa: PLR0913, PLR0917 - what an inner scope may change
    scope: Scope,
    names: Mapping[str, Type],
    facts: Mapping[nodes.Expr, Type],
    sizes: Mapping[nodes.Expr, int],
    seats: frozenset[str],
    faults: list[Diagnostic] | None,
) -> Scope:
    # Not `evolve`, which takes three times as long; this is called thousands of times.
    return Scope(
        scope.known,
        names,
        facts,
        sizes,
        scope.routine,
        scope.version,
        scope.in_example,
        seats,
        faults,
    )


def unmentioned(sizes: Mapping[nodes.Expr, int], names: Container[str]) -> Mapping[nodes.Expr, int]:
    """The sizes of sets whose expressions do not use these names."""
    if not sizes:
        return sizes
    return {expr: size for expr, size in sizes.items() if not mentions(expr, names)}


def forget_facts(scope: Scope) -> Scope:
    """The scope without facts about variables, as a statement, or a trigger after it, may have changed them."""
    return (
        _with(scope, scope.names, NOTHING_KNOWN, scope.sizes, scope.seats, scope.faults)
        if scope.facts
        else scope
    )


def mentions(expr: nodes.Expr, names: Container[str]) -> bool:
    """Whether an expression uses one of these names."""
    return any(name.text in names for name in used_names(expr))


def silent(scope: Scope) -> Scope:
    """The same scope, in which mistakes are dropped."""
    if scope.faults is None:
        return scope
    return _with(scope, scope.names, scope.facts, scope.sizes, scope.seats, None)


# ---- Reporting -----------------------------------------------------------------------------------


def report(  # noqa: PLR0913, PLR0917 - the parts of a diagnostic
    scope: Scope,
    code: Code,
    message: str,
    span: Span,
    hint: str | None = None,
    related: tuple[Related, ...] = (),
) -> None:
    """Add a mistake to the scope, unless it drops them."""
    if scope.faults is not None:
        scope.faults.append(Diagnostic(code, message, span, related, hint))


def require(  # noqa: PLR0913, PLR0917 - the value, the place and how to speak of it
    scope: Scope,
    expr: nodes.Expr,
    value: Type,
    wanted: Type,
    where: str,
    related: tuple[Related, ...] = (),
) -> bool:
    """Report a value that never fits its place, and doubt one that may not; `where` names the place: "`n` of `deal`"."""
    found = fit(value, wanted)
    if scope.in_example and _is_look(value):
        return True
    if found == "fits":
        _doubt_value(scope, expr, set_type(value), set_type(wanted), where)
    else:
        _tell_misfit(scope, expr, value, wanted, (found, where), related)
    return found == "fits"


def doubt(
    scope: Scope, kind: Kind, sentence: str, expr: nodes.Expr, hint: str | None = None
) -> None:
    """Add a doubt, unless the scope drops them."""
    if scope.faults is not None and not scope.in_example:
        scope.known.doubts.append(Doubt(kind, sentence, expr.span, hint))


def _doubt_value(scope: Scope, expr: nodes.Expr, value: Type, wanted: Type, where: str) -> None:
    """Add a doubt if a value that may fit may also not fit."""
    if scope.faults is None or join(value, wanted, scope.known.enums) == wanted:
        return
    begin = f"{where} is {describe_type(wanted)}, but {written(expr)} may be"
    if isinstance(value, types.Maybe) and not isinstance(wanted, types.Maybe | types.Several):
        doubt(scope, "none", f"{begin} `none`", expr, _presence(scope, expr))
    match _inner(value), _inner(wanted):
        case types.Number(low, high), types.Number(least, most):
            how = ["less"] * (low < least) + ["more"] * (high > most)
            if how:
                doubt(scope, "range", f"{begin} {' or '.join(how)}", expr)
        case types.Choice(_, _, a), types.Choice(_, _, b):
            if not a <= b:
                doubt(scope, "range", f"{begin} something else", expr)
        case (types.Piece(a), types.Piece(b)) if a <= b:
            pass
        case a, b if type(a) is not type(b) or isinstance(a, types.Piece):
            doubt(scope, "sort", f"{begin} something else", expr)


def _presence(scope: Scope, expr: nodes.Expr) -> str | None:
    """A hint with a test for `none`, where the checker would make use of it."""
    in_rule = scope.routine is not None and scope.routine.kind == "procedure"
    if isinstance(expr, nodes.Name) and expr.text in scope.names:
        return f"test it first: `if {expr.text} != none`"
    if in_rule and isinstance(expr, nodes.Call) and expr.function.text == "top":
        values = expr.arguments[0]
        if len(expr.arguments) == 1 and not mentions(values, scope.names):
            return (
                f"test it first: `if #{as_written(values)} > 0`"
                if written(values) != "this"
                else None
            )
    return None


def _inner(type_: Type) -> Type:
    inner = present(type_)
    return inner.of if isinstance(inner, types.Several) else inner


def _is_look(value: Type) -> bool:
    """In an example a piece may be given by its face."""
    return isinstance(element(value), types.Face | types.Never)


def _tell_misfit(  # noqa: PLR0913, PLR0917 - as `require`
    scope: Scope,
    expr: nodes.Expr,
    value: Type,
    wanted: Type,
    how: tuple[types.Fit, str],
    related: tuple[Related, ...],
) -> None:
    found, where = how
    subject = written(expr)
    if found == "none":
        can = "and cannot be" if expr == nodes.Constant("none") else f"but {subject} can only be"
        message = f"{where} is {describe_type(wanted)}, {can} `none` here"
        report(scope, codes.ALWAYS_NONE, message, expr.span, None, related)
    elif found == "range":
        plain = isinstance(expr, nodes.Number | nodes.Name | nodes.Negative)
        why = "" if plain else f": it is {describe_type(value)}"
        message = f"{where} is {list_domain(wanted)}, but {subject} never is{why}"
        report(scope, codes.OUT_OF_RANGE, message, expr.span, None, related)
    else:
        message = f"{where} is {describe_type(wanted)}, but {describe_expression(expr, value)}"
        report(
            scope,
            codes.WRONG_TYPE,
            message,
            expr.span,
            _remedy(scope, expr, value, wanted),
            related,
        )


def likely_index(scope: Scope, indices: tuple[Type, ...]) -> str:
    """A name that is an index, as far as one is at hand: the one that was bound last."""
    fitting = [name for name, type_ in scope.names.items() if type_ == indices[0]]
    return fitting[-1] if fitting else "p" if indices[0] == types.SEAT else "…"


def _remedy(scope: Scope, expr: nodes.Expr, value: Type, wanted: Type) -> str | None:
    """A hint with what to write instead, if that is clear."""
    if written(expr) == "this":
        return None
    if isinstance(element(value), types.Piece) and isinstance(present(wanted), types.Piece):
        return f"write `top({as_written(expr)})` for the first of them"
    if isinstance(present(wanted), types.Number) and isinstance(value, types.Place | types.Several):
        return f"count them: `#{as_written(expr)}`"
    if isinstance(value, types.Indexed):
        return f"write `{as_written(expr)}[{likely_index(scope, value.indices)}]` for one of them"
    if (
        isinstance(expr, nodes.Get)
        and isinstance(value, types.Several)
        and not isinstance(wanted, types.Several)
    ):
        return f"write `top({as_written(expr.subject)}).{expr.name.text}` for the first piece"
    if isinstance(value, types.Maybe | types.Several):
        return None
    if isinstance(wanted, types.Piece) and isinstance(value, types.Face):
        return f"name a zone: `top(box[{as_written(expr)}])`"
    return None
