"""A type as it is written, or a declared or built-in name -> its type.

Implements docs/language/3-types.md. No expression is typed here.
"""

from typing import assert_never

from rulespec.checking.scopes import Known, enum_type
from rulespec.checking.selections import joined_type
from rulespec.core import types
from rulespec.core.types import BOOL, INT, MOST, SEAT, UNKNOWN, Type, optional, present
from rulespec.syntax import nodes


def ranked_type(known: Known) -> Type:
    """What a ranking compares: teams if there are any, otherwise players."""
    teams = known.program.teams
    if teams is None:
        return SEAT
    return declared_type(known, nodes.NamedType(teams.node.enum, None, span=teams.node.enum.span))


def declared_type(known: Known, type_: nodes.Type) -> Type:
    """A type as it is written."""
    match type_:
        case nodes.OptionalType(of):
            return optional(declared_type(known, of))
        case nodes.SetType(of):
            return types.Several(declared_type(known, of))
        case nodes.RangeType(low, high):
            return types.Number(low.value, high.value)
        case nodes.NamedType(name, index):
            if name.text == "Zone":
                indices = () if index is None else (named_type(known, index.text),)
                return types.Place(known.kinds, indices)
            return named_type(known, name.text)
        case _:
            assert_never(type_)


def named_type(known: Known, name: str) -> Type:
    builtin: dict[str, Type] = {
        "Bool": BOOL,
        "Int": INT,
        "Player": SEAT,
        "Order": types.Direction(),
    }
    if name in builtin:
        return builtin[name]
    if name == "Piece":
        return types.Piece(known.kinds)
    if name in known.enums:
        return enum_type(known, name)
    if name in known.kinds:
        return types.Piece(frozenset({name}))
    if name in known.attributes:
        # An attribute stands for its domain, so that a slot of a mechanism can be a type.
        return present(joined_type(known, known.attributes[name].by_kind.values()))
    return UNKNOWN


def builtin_value(known: Known, text: str) -> Type:
    match text:
        case "players":
            node = known.program.players.node if known.program.players else None
            least = node.least.value if node else 1
            most = node.most.value if node and node.most else least if node else MOST
            return types.Number(min(least, most), max(least, most))
        case "first":
            return SEAT
        case "box":
            return types.Place(known.kinds, (), "pool", "box")
        case "most" | "fewest":
            return types.Direction()
        case "ended":
            return BOOL
        case "winners":
            return types.Several(SEAT)
        case _:
            return UNKNOWN


def type_of_declared(known: Known, text: str) -> Type:
    """The type of a declared or built-in name that is neither a routine nor a member."""
    found = known.declared.get(text)
    if found is None:
        found = known.declared[text] = _type_of_declared(known, text)
    return found


def _type_of_declared(known: Known, text: str) -> Type:
    program = known.program
    if text in program.zones:
        zone = program.zones[text].node
        kinds = frozenset(kind.text for kind in zone.holds) or known.kinds
        indices = tuple(declared_type(known, index) for index in zone.indices)
        return types.Place(kinds, indices, zone.order, text)
    if text in program.variables:
        variable = program.variables[text].node.node
        of = declared_type(known, variable.type)
        indices = tuple(declared_type(known, index) for index in variable.indices)
        return types.Indexed(indices, of) if indices else of
    if text in program.options:
        return declared_type(known, program.options[text].node.type)
    if text in known.kinds:
        return types.Face(frozenset({text}))
    if text in known.enums or text in ("Bool", "Int", "Player", "Order", "Piece"):
        return types.Several(named_type(known, text))
    return builtin_value(known, text)
