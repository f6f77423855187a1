"""An operation and the type that its place needs -> the same value, converted to that type.

A zone or a single value becomes a set, a member or a face becomes a look. If the value may not fit, the result tests it
while playing. With all conversions explicit, engines need none of their own.
"""

from rulespec.core.tree import Op
from rulespec.core.types import (
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
    optional,
    present,
)
from rulespec.elaboration.environment import Environment, Unchecked
from rulespec.source import Span


def element_type(type_: Type) -> Type:
    """The type of the elements of a value that is used as a set."""
    of = element(type_)
    if of is None:
        raise Unchecked(f"elements of {type_}")
    return of


def as_set(op: Op) -> Op:
    """A zone as its pieces, one value as a set of one, none as the empty set; families stay families."""
    found = op.type
    match found:
        case Several() | Family():
            return op
        case Place(kinds, indices):
            name = "gather" if indices else "contents"
            return Op(name, (op,), type=Several(Piece(kinds)), span=op.span)
        case Maybe(of):
            return Op("perhaps", (op,), type=Several(of), span=op.span)
        case Indexed() | Outputs():
            raise Unchecked(f"{found} as a set")
        case _:
            return Op("single", (op,), type=Several(found), span=op.span)


def as_look(env: Environment, op: Op) -> Op:
    """A look, which pieces may match: a kind, members, a face, or the pieces given."""
    kinds = env.scope.known.kinds
    match element(op.type):
        case Face():
            return op
        case Piece(own):
            return Op("look_pieces", (as_set(op),), type=Face(own), span=op.span)
        case Never() | Unknown():
            nothing = Op("literal", value=(), type=Several(Never()))
            return Op("look_members", (nothing,), type=Face(kinds))
        case _:
            return Op("look_members", (as_set(op),), type=Face(kinds), span=op.span)


# [code.convert]
def convert(env: Environment, op: Op, wanted: Type, span: Span) -> Op:
    """A value, converted to the type that its place needs."""
    found = op.type
    match wanted:
        case Unknown() | Never() | Outputs() | Indexed() | Family() | Face() | Place():
            return op
        case Several(of):
            if isinstance(found, Several) and isinstance(of, Several):
                return op
            several = as_set(op)
            inner = element(found)
            return several if inner is None else _tested(env, several, inner, of, span)
    there = present(found)
    if isinstance(found, Maybe) and not isinstance(wanted, Maybe):
        op = Op("needed", (op,), type=there, span=span)
    return _tested(env, op, there, present(wanted), span)


def _tested(env: Environment, op: Op, found: Type, wanted: Type, span: Span) -> Op:
    """The value, or each element of the set, with a test unless it always fits."""
    if join(found, wanted, env.scope.known.enums) == wanted:
        return op
    every, type_ = "", wanted
    if isinstance(op.type, Several | Family):
        every, type_ = "every_", Several(wanted)
    elif isinstance(op.type, Maybe):
        type_ = optional(wanted)
    match wanted:
        case Number(low, high):
            return Op(f"{every}within", (op,), numbers=(low, high), type=type_, span=span)
        case Choice(_, _, members):
            numbers = tuple(sorted(env.members[name] for name in members))
            return Op(f"{every}among", (op,), numbers=numbers, type=type_, span=span)
        case Piece(kinds):
            words = tuple(sorted(kinds))
            return Op(f"{every}of_kind", (op,), words=words, type=type_, span=span)
        case _:
            return op
