"""Where an expression stands, and what is known of the program there.

`Known` is made once for a program by `expressions.know`; a `Scope` adds the types of the names that are
bound around an expression. Mistakes are told to the scope, which keeps them or, while types are still
being inferred, forgets them.
"""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import define, evolve, field, frozen

from rulespec import codes
from rulespec.checking.declarations import Declarations, Routine
from rulespec.checking.values import (
    Choice,
    Enums,
    Face,
    Fit,
    Maybe,
    Never,
    Piece,
    Several,
    Type,
    as_set,
    element,
    fit,
    join,
    present,
)
from rulespec.checking.wording import bare, describe, say, written
from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Span
from rulespec.syntax import nodes

NOTHING_KNOWN: Mapping[nodes.Expr, Type] = MappingProxyType({})


@frozen
class Attribute:
    """The values of an attribute by kind of piece; those of a set-valued one are elements."""

    by_kind: Mapping[str, Type]
    set_valued: bool


@define
class Known:
    """What is known of a program as a whole; `results` grows as functions are asked for."""

    program: Declarations
    enums: Enums
    owners: Mapping[str, str]  # of every member the enum that declares it
    kinds: frozenset[str]
    attributes: dict[str, Attribute] = field(factory=dict)
    results: dict[tuple[str, int], Type] = field(factory=dict)
    running: set[tuple[str, int]] = field(factory=set)
    noted: list[Span] = field(factory=list)  # values that may not fit: to be tested while playing


@frozen
class Scope:
    """The names that are bound around an expression, and what tests have shown of others."""

    known: Known
    names: Mapping[str, Type]
    facts: Mapping[nodes.Expr, Type] = NOTHING_KNOWN
    routine: Routine | None = None  # whose body this is, for `super`
    version: int = 0
    in_example: bool = False
    faults: list[Diagnostic] | None = None


def know_enums(program: Declarations) -> Known:
    """What is known of a program before any expression is looked at."""
    owners = {
        member.name.text: name
        for name, enum in program.enums.items()
        for member in enum.node.members
        if member.name.text not in program.enums
    }
    return Known(program, _flatten(program), owners, frozenset(program.kinds))


def _flatten(program: Declarations) -> dict[str, tuple[str, ...]]:
    """The members of every enum with those of the enums that it includes; a circle includes nothing."""
    parts = {
        name: [member.name.text for member in enum.node.members]
        for name, enum in program.enums.items()
    }
    order = in_order({name: [part for part in of if part in parts] for name, of in parts.items()})
    flat: dict[str, tuple[str, ...]] = {}
    for name in order:
        members: dict[str, None] = {}
        for part in parts[name]:
            members.update(dict.fromkeys(flat.get(part, ()) if part in parts else (part,)))
        flat[name] = tuple(members)
    return {name: flat[name] for name in parts}


def in_order(uses: Mapping[str, list[str]]) -> list[str]:
    """Names such that each comes after those that it uses, as far as there is no circle."""
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


def enum_type(known: Known, name: str) -> Choice:
    """All members of an enum."""
    domain = known.enums[name]
    return Choice(name, domain, frozenset(domain))


def member_type(known: Known, member: str) -> Choice:
    """One member, as a value of the enum that declares it."""
    enum = known.owners[member]
    return Choice(enum, known.enums[enum], frozenset({member}))


def bind(scope: Scope, names: Mapping[str, Type]) -> Scope:
    """The scope with more names, which hide what tests have shown of their like."""
    facts = scope.facts
    if facts:
        facts = {expr: type_ for expr, type_ in facts.items() if not _mentions(expr, names)}
    return evolve(scope, names={**scope.names, **names}, facts=facts)


def _mentions(expr: nodes.Expr, names: Mapping[str, Type]) -> bool:
    match expr:
        case nodes.Name(text):
            return text in names
        case nodes.At(subject, key):
            return _mentions(subject, names) or _mentions(key, names)
        case nodes.Get(subject):
            return _mentions(subject, names)
        case _:
            return False


def silent(scope: Scope) -> Scope:
    """The scope, forgetting mistakes."""
    return evolve(scope, faults=None) if scope.faults is not None else scope


# ---- Telling -------------------------------------------------------------------------------------


def tell(  # noqa: PLR0913, PLR0917 - the parts of a diagnostic
    scope: Scope,
    code: Code,
    message: str,
    span: Span,
    hint: str | None = None,
    related: tuple[Related, ...] = (),
) -> None:
    """Keep a mistake, if anybody asks for mistakes."""
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
    """Tell if a value can never stand in a place; `where` says which: "`n` of `deal`"."""
    found = fit(value, wanted)
    if scope.in_example and _is_look(value):
        return True
    if found == "fits":
        _note(scope, expr, as_set(value), as_set(wanted))
    else:
        _tell_misfit(scope, expr, value, wanted, (found, where), related)
    return found == "fits"


def _note(scope: Scope, expr: nodes.Expr, value: Type, wanted: Type) -> None:
    """Remember a value that may fit and may not."""
    told = scope.faults is not None and not scope.in_example
    if told and join(value, wanted, scope.known.enums) != wanted:
        scope.known.noted.append(expr.span)


def _is_look(value: Type) -> bool:
    """In an example a piece may be given by its face."""
    return isinstance(element(value), Face | Never)


def _tell_misfit(  # noqa: PLR0913, PLR0917 - as `require`
    scope: Scope,
    expr: nodes.Expr,
    value: Type,
    wanted: Type,
    how: tuple[Fit, str],
    related: tuple[Related, ...],
) -> None:
    found, where = how
    subject = written(expr)
    if found == "none":
        can = "cannot be" if expr == nodes.Constant("none") else f"{subject} can only be"
        message = f"{where} is {describe(wanted)}, and {can} `none` here"
        tell(scope, codes.ALWAYS_NONE, message, expr.span, None, related)
    elif found == "range":
        plain = isinstance(expr, nodes.Number | nodes.Name | nodes.Negative)
        why = "" if plain else f": it is {describe(value)}"
        message = f"{where} is {_domain(wanted)}, and {subject} never is{why}"
        tell(scope, codes.OUT_OF_RANGE, message, expr.span, None, related)
    else:
        message = f"{where} is {describe(wanted)}, and {say(expr, value)}"
        tell(scope, codes.WRONG_TYPE, message, expr.span, _remedy(expr, value, wanted), related)


def _domain(type_: Type) -> str:
    inner = present(type_)
    if isinstance(inner, Several):
        inner = inner.of
    if isinstance(inner, Choice):
        listed = ", ".join(f"`{member}`" for member in inner.domain[:8])
        return f"one of {listed}{', …' if len(inner.domain) > 8 else ''}"
    return describe(type_)


def _remedy(expr: nodes.Expr, value: Type, wanted: Type) -> str | None:
    """What to write instead, where that is plain."""
    if isinstance(element(value), Piece) and isinstance(present(wanted), Piece):
        return f"write `top({bare(expr)})` for the first of them"
    if isinstance(value, Maybe | Several) or written(expr) == "this":
        return None
    if isinstance(wanted, Piece) and isinstance(value, Face):
        return f"name a zone: `top(box[{bare(expr)}])`"
    return None
