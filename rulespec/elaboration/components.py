"""Declarations -> rows of the core: members, options, pieces, zones, variables.

Implements docs/language/2-heading.md and 4-components.md. An engine lays out these rows for one table, once
it knows the players and the options.
"""

import re

from rulespec.checking.attributes import attribute_types
from rulespec.checking.declarations import Declared
from rulespec.checking.domains import declared_type
from rulespec.checking.faces import read_attributes
from rulespec.checking.scopes import Scope, bind_names, silent
from rulespec.checking.selections import joined_type
from rulespec.core import tree, types
from rulespec.core.tree import Op, Origin
from rulespec.core.types import COUNT, UNKNOWN, Type, present
from rulespec.elaboration.environment import Environment, FrameLayout, Unchecked
from rulespec.elaboration.expressions import elaborate_condition, elaborate_to
from rulespec.elaboration.origins import origin_of, told_by
from rulespec.source import Span
from rulespec.syntax import nodes


# [number.members]
def number_members(scope: Scope) -> tuple[tree.Member, ...]:
    """All members of all enums, in the order of declaration."""
    known = scope.known
    found = []
    for name, declared in known.program.enums.items():
        places = {text: n for n, text in enumerate(known.enums[name])}
        for member in declared.node.members:
            text = member.name.text
            if known.owners.get(text) == name:
                label = member.label.value if member.label else text.replace("_", " ")
                found.append(tree.Member(text, label, name, places[text]))
    return tuple(found)


def elaborate_enums(scope: Scope, members: dict[str, int]) -> tuple[tree.EnumRow, ...]:
    return tuple(
        tree.EnumRow(name, tuple(members[each] for each in domain))
        for name, domain in scope.known.enums.items()
    )


def _env(scope: Scope, members: dict[str, int], origin: Origin) -> Environment:
    return Environment(silent(scope), {}, FrameLayout(), members, origin)


def elaborate_options(scope: Scope, members: dict[str, int]) -> tuple[tree.OptionRow, ...]:
    program = scope.known.program
    rows = []
    for name, declared in program.options.items():
        origin = origin_of(declared, f"option {name}")
        env = _env(scope, members, origin)
        type_ = declared_type(scope.known, declared.node.type)
        default = elaborate_to(env, declared.node.default, type_)
        chosen = program.chosen.get(name)
        given = None if chosen is None else elaborate_to(env, chosen.value, type_)
        allowed = _allowed(env, declared.node)
        scratch = env.frame.scratch
        rows.append(tree.OptionRow(name, type_, default, allowed, given, scratch, origin))
    return tuple(rows)


def _allowed(env: Environment, option: nodes.Option) -> tree.Op | None:
    """Whether the option has a value that its condition allows: `any(condition for it in [option])`."""
    if option.condition is None:
        return None
    span = option.condition.span
    values = nodes.List((nodes.Name(option.name.text, span=span),), span=span)
    it = nodes.Name("it", span=span)
    fold = nodes.Fold(nodes.Name("any", span=span), option.condition, it, values, span=span)
    return elaborate_condition(env, fold)


# ---- Pieces --------------------------------------------------------------------------------------


def elaborate_attributes(scope: Scope) -> tuple[tree.AttributeRow, ...]:
    rows = []
    for name, attribute in scope.known.attributes.items():
        type_ = present(joined_type(scope.known, attribute.by_kind.values()))
        rows.append(tree.AttributeRow(name, type_, attribute.set_valued))
    return tuple(rows)


def elaborate_pieces(scope: Scope, members: dict[str, int]) -> tuple[tree.PieceRow, ...]:
    return tuple(
        _piece(scope, kind, row, members)
        for kind, rows in scope.known.program.kinds.items()
        for row in rows
    )


def _piece(
    scope: Scope, kind: str, declared: Declared[nodes.Piece], members: dict[str, int]
) -> tree.PieceRow:
    piece = declared.node
    origin = origin_of(declared, f"pieces, {kind}")
    found = attribute_types(silent(scope), piece)
    read = tuple(sorted(read_attributes(piece, found)))
    places: dict[str, Op] = {}
    env = Environment(bind_names(silent(scope), found), places, FrameLayout(), members, origin)
    ranged: list[tuple[str, Op | None, Op | None]] = []
    for attribute in piece.attributes:
        name = attribute.name.text
        if isinstance(attribute, nodes.Ranged):
            ranged.append((name, _domain(found[name]), None))
        else:
            known = scope.known.attributes[name]
            of = known.by_kind[kind]
            wanted = types.Several(of) if known.set_valued else of
            ranged.append((name, None, elaborate_to(env, attribute.value, wanted)))
        places[name] = Op("slot", place=len(places))
    copies = elaborate_to(env, piece.copies, COUNT)
    shown = None
    if piece.shown_as is not None:
        shown = tuple(
            (part, found.get(part, UNKNOWN)) if number % 2 else part
            for number, part in enumerate(re.split(r"\{(\w+)\}", piece.shown_as.value))
            if part
        )
    return tree.PieceRow(kind, tuple(ranged), copies, env.frame.scratch, shown, read, origin)


def _domain(type_: Type) -> Op:
    match type_:
        case types.Number(low, high):
            return Op("literal", value=tuple(range(low, high + 1)), type=types.Several(type_))
        case types.Choice(enum):
            return Op("domain", word=enum, type=types.Several(type_))
        case types.Bool():
            return Op("literal", value=(False, True), type=types.Several(type_))
        case types.Seat():
            return Op("seats", type=types.Several(type_))
    raise Unchecked(f"pieces over {type_}")


# ---- Zones and variables -------------------------------------------------------------------------


def elaborate_zones(scope: Scope) -> tuple[tree.ZoneRow, ...]:
    known = scope.known
    nowhere = Origin("box", Span(next(iter(known.program.files)).span.source, 0, 0))
    rows = [tree.ZoneRow("box", (), "pool", "everyone", "everyone", known.kinds, nowhere)]
    for name, declared in known.program.zones.items():
        zone = declared.node
        indices = tuple(declared_type(known, index) for index in zone.indices)
        holds = frozenset(kind.text for kind in zone.holds) or known.kinds
        origin = origin_of(declared, name)
        counted_by = "everyone" if zone.counters is None else zone.counters.who
        if counted_by == "top":
            raise Unchecked(f"a zone counted by its top: {name}")
        rows.append(
            tree.ZoneRow(name, indices, zone.order, zone.viewers.who, counted_by, holds, origin)
        )
    return tuple(rows)


def elaborate_variables(scope: Scope, members: dict[str, int]) -> tuple[tree.VariableRow, ...]:
    known = scope.known
    rows = []
    for name, declared in known.program.variables.items():
        variable, rule = declared.node.node, declared.node.rule
        origin = told_by(declared.docs, Origin(name, variable.span))
        env = _env(scope, members, origin)
        type_ = declared_type(known, variable.type)
        start = elaborate_to(env, variable.start, type_)
        indices = tuple(declared_type(known, index) for index in variable.indices)
        of = rule.text if rule is not None else None
        seen_by = "everyone" if variable.viewers is None else variable.viewers.who
        if seen_by == "top":
            raise Unchecked(f"a variable without a top: {name}")
        scratch = env.frame.scratch
        rows.append(tree.VariableRow(name, indices, type_, start, scratch, of, seen_by, origin))
    return tuple(rows)
