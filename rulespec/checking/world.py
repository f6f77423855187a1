"""Where expressions stand, and the pieces that they can mean: what `faces` reads and `visibility` changes."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, assert_never

from attrs import define, evolve, field, frozen

from rulespec.checking.calls import statements_of
from rulespec.checking.declarations import Declarations, Routine, used_names, walk, walk_once
from rulespec.checking.knowledge import Facts, Lot, Place, Read, State, Term, Value, knowers, rename
from rulespec.source import Span, text_of
from rulespec.syntax import nodes

DEEPEST = 24  # calls inside each other; beyond, the pass is silent
MOST_CALLS = 2_000  # in one program


@frozen
class World:
    """What expressions can mean throughout a program."""

    program: Declarations
    facts: Facts
    members: dict[str, frozenset[str]]  # of each enum
    attributes: dict[str, str | None]  # the type of each attribute
    blank: frozenset[str]  # zones whose pieces all look alike
    telling: frozenset[str]  # variables that hold pieces or say which zone is meant, and are read
    effort: Counter[str] = field(factory=Counter)  # calls inlined so far


def is_too_deep(world: World, depth: int) -> bool:
    """Whether to inline no further: functions that call each other twice each would take for ever."""
    world.effort["calls"] += 1
    return depth > DEEPEST or world.effort["calls"] > MOST_CALLS


@frozen
class Invocation:
    """A function or procedure with its arguments; `version` -1 is the one in force."""

    routine: Routine
    arguments: tuple[Value, ...]
    span: Span | None
    version: int = -1
    output: str | None = None


@define
class Env:
    """Where an expression stands. `path` tells apart the calls and turns of loops that lead here."""

    world: World
    state: State
    frame: str
    path: str
    bound: dict[str, Value] = field(factory=dict)
    below: tuple[Routine, int] | None = None  # what `super` means
    depth: int = 0


def look_around(program: Declarations) -> World:
    """What the pass needs to know of a program before it begins."""
    members: dict[str, frozenset[str]] = {}
    for _ in range(2):  # enums may include later ones
        for name, enum in program.enums.items():
            listed = [member.name.text for member in enum.node.members]
            included = [members.get(each, frozenset({each})) for each in listed]
            members[name] = frozenset().union(*included)
    attributes: dict[str, str | None] = {}
    for rows in program.kinds.values():
        for row in rows:
            for attribute in row.node.attributes:
                kind = type_name(attribute.type) if isinstance(attribute, nodes.Ranged) else None
                attributes[attribute.name.text] = attributes.get(attribute.name.text) or kind
    blank = frozenset(
        name
        for name, zone in program.zones.items()
        if len(zone.node.holds) == 1 and _looks_alike(program, zone.node.holds[0].text)
    )
    least = program.players.node.least.value if program.players is not None else 1
    facts = Facts(program, least)
    return World(program, facts, members, attributes, blank, _telling(program))


def _telling(program: Declarations) -> frozenset[str]:
    indices = [index for zone in program.zones.values() for index in zone.node.indices]
    types = {*program.kinds, "Piece", "Player", *(type_name(index) for index in indices)} - {"Int"}
    unread = {
        name
        for name, variable in program.variables.items()
        if type_name(variable.node.node.type) in types
    }
    telling: set[str] = set()
    for part in parts_in(program):
        if not any(
            type(each) is nodes.Name and each.text in unread for each in walk_once(program, part)
        ):
            continue
        named = [name for name in used_names(part) if name.text in unread]
        given = _given(part)
        telling |= {name.text for name in named if id(name) not in given}
        unread -= telling
    return frozenset(telling)


def _given(node: Any) -> frozenset[int]:
    """The names in a tree that are only given a value."""
    given: set[int] = set()
    for each in walk(node):
        if isinstance(each, nodes.Assign) and each.operator == "=":
            given.add(id(each.target))
        elif isinstance(each, nodes.Target):
            given.add(id(each.name))
    return frozenset(given)


def _looks_alike(program: Declarations, kind: str) -> bool:
    rows = program.kinds.get(kind, [])
    return len(rows) == 1 and not any(
        isinstance(attribute, nodes.Ranged) for attribute in rows[0].node.attributes
    )


def type_name(kind: nodes.Type) -> str:
    """The name of the type of a value, or of the elements of a set; numbers are `Int`."""
    match kind:
        case nodes.OptionalType(of) | nodes.SetType(of):
            return type_name(of)
        case nodes.NamedType(name):
            return name.text
        case nodes.RangeType():
            return "Int"
        case _:
            assert_never(kind)


def site(env: Env, span: Span) -> str:
    return f"{span.start}/{env.path}"


# ---- Pieces of a value ----------------------------------------------------------------------------


def look(env: Env, value: Value, span: Span) -> frozenset[Read]:
    """The faces of all pieces of a value are read, so far as not everyone knows them."""
    reads = []
    for lot in value.lots:
        audience = knowers(env.world.facts, env.state, lot)
        if not audience.everyone and lot.place.zone not in env.world.blank:
            reads.append(Read(lot.within | {lot.key}, lot.place, audience, lot, span))
    return frozenset(reads)


def offered(env: Env, value: Value, span: Span) -> frozenset[Read]:
    """What somebody who is shown a value gets to see."""
    return value.reads | look(env, value, span)


def part(env: Env, value: Value, span: Span) -> Value:
    """Some of the pieces of a value."""
    if not value.lots and value.family is None:
        return value
    part = f"{text_of(span)} {env.path}"
    lots = frozenset(
        Lot(lot.place, f"{lot.key}>{part}", lot.within | {lot.key}, lot.name, lot.path)
        for lot in value.lots
    )
    return evolve(value, lots=lots, family=None)


def element_of(env: Env, base: Value, name: str, span: Span) -> Value:
    """Any one element of a set; its term stands for it in what is known of all."""
    term = Term(f"{name} {site(env, span)}", name)
    env.world.facts.apart.update(frozenset((term.id, other)) for other in base.apart)
    value = rename(part(env, base, span), base.element, term)
    lots = frozenset(lot if lot.name else evolve(lot, name=name) for lot in value.lots)
    return evolve(value, lots=lots, term=term, element=None, family=None)


def choice_of(env: Env, name: str, family: Value, player: Term) -> Value:
    """One of the choices that `each` has made: from now on a value of its own, which may be moved."""
    slot = (env.frame, f"{name}[{player.id}]")
    if slot not in env.state.values:
        own = rename(family, family.element, player)
        lots = frozenset(
            evolve(lot, key=f"{lot.key}[{player.id}]", name=f"{name}[{player.shown}]")
            for lot in own.lots
        )
        env.state.values[slot] = evolve(own, lots=lots, element=None, domain=None)
    return env.state.values[slot]


def as_called(value: Value, name: str) -> Value:
    """The value under the name by which the reader knows it here."""
    term = value.term
    if term is not None and term.shown != name:
        term = Term(term.id, name)
    if term is value.term and all(lot.name for lot in value.lots):
        return value
    lots = frozenset(lot if lot.name else evolve(lot, name=name) for lot in value.lots)
    return evolve(value, term=term, lots=lots)


def zone_value(env: Env, place: Place) -> Value:
    """All pieces of a zone, as they lie now."""
    version = env.state.versions.get(place.zone, "")
    indices = "".join(f"[{term.id}]" for term in place.indices)
    lot = Lot(place, f"all {place.zone}{indices} {version}")
    return Value(lots=frozenset({lot}), type="Piece", family=place)


def current(env: Env, reference: Value) -> Value:
    """What lies in the zone that a parameter stands for."""
    if reference.family is not None:
        return zone_value(env, reference.family)
    lots = frozenset().union(*(zone_value(env, lot.place).lots for lot in reference.lots))
    return Value(lots=lots, reads=reference.reads, type="Piece")


# ---- Selections and built-in functions -------------------------------------------------------------


def spine(expr: nodes.Expr) -> tuple[str | None, list[nodes.Expr]]:
    """`v` and `[i, j]` of `v[i][j]`."""
    keys: list[nodes.Expr] = []
    while isinstance(expr, nodes.At):
        keys.insert(0, expr.key)
        expr = expr.subject
    return (expr.text, keys) if isinstance(expr, nodes.Name) else (None, keys)


def tells_nothing(env: Env, base: Value, key: nodes.Expr) -> bool:
    """Whether a selection is by the only kind that a zone can hold."""
    if not isinstance(key, nodes.Name) or key.text not in env.world.program.kinds:
        return False
    zones = [env.world.program.zones.get(lot.place.zone) for lot in base.lots]
    return all(
        zone is not None and [kind.text for kind in zone.node.holds] == [key.text] for zone in zones
    )


def is_index(env: Env, family: Place, key: nodes.Expr, chosen: Value) -> bool:
    """Whether a key names a member of a family of zones, and does not select pieces."""
    declared = env.world.program.zones.get(family.zone)
    if declared is None or len(family.indices) >= len(declared.node.indices):
        return False
    if chosen.has_faces or isinstance(key, nodes.List):
        return False
    wanted = type_name(declared.node.indices[len(family.indices)])
    members = env.world.members
    if chosen.type is None or chosen.type == wanted:
        return True
    if chosen.term is not None and chosen.term.id.startswith("member:"):
        return chosen.term.id.removeprefix("member:") in members.get(wanted, frozenset())
    return bool(members.get(wanted, frozenset()) & members.get(chosen.type, frozenset()))


def outputs(routine: Routine) -> list[str]:
    """The outputs of a table that has several."""
    node = routine.versions[-1].node
    names = node.header.outputs if isinstance(node, nodes.Table) else ()
    return [name.text for name in names] if len(names) > 1 else []


def neighbour(env: Env, name: str, player: Value) -> Value:
    if player.term is None:
        return Value(reads=player.reads, type="Player")
    term = Term(f"{name}({player.term.id})", f"{name}({player.term.shown})")
    if env.world.facts.least_players > 1:
        env.world.facts.apart.add(frozenset((term.id, player.term.id)))
    return Value(reads=player.reads, type="Player", term=term)


def top(call: nodes.Call, base: Value, reads: frozenset[Read]) -> Value:
    number = call.arguments[1] if len(call.arguments) > 1 else None
    only = number is None or (isinstance(number, nodes.Number) and number.value == 1)
    size = "1" if only else text_of(call.span)
    lots = frozenset(
        Lot(
            evolve(lot.place, is_top=only and base.family is not None),
            f"top {size} of {lot.key}",
            lot.within | {lot.key},
            lot.name,
            lot.path,
        )
        for lot in base.lots
    )
    return evolve(base, lots=lots, reads=reads, family=None, term=None)


# ---- Loops ----------------------------------------------------------------------------------------


def read_first(body: nodes.Body) -> frozenset[str]:
    """The names that a body may read before it has given them a value."""
    read: set[str] = set()
    given: set[str] = set()
    for line in statements_of(body):
        used = {name.text for name in used_names(line)}
        target = None
        if isinstance(line, nodes.Assign) and isinstance(line.target, nodes.Name):
            used = {name.text for name in used_names(line.value)}
            target = line.target.text
            if line.operator != "=":
                used.add(target)
        elif isinstance(line, nodes.Random | nodes.Choose | nodes.MayChoose):
            target = line.target.name.text if line.target.index is None else None
            used -= {target} - {name.text for name in used_names(line.options)}
        read |= used - given
        given |= {target} if target is not None else set()
    return frozenset(read)


# ---- Calls ---------------------------------------------------------------------------------------


def parts_in(program: Declarations) -> Iterator[Any]:
    """The functions, procedures and triggers of a program, with all that is added to them."""
    for routine in program.routines.values():
        for part in (*routine.versions, *routine.rows, *routine.before, *routine.after):
            yield part.node
    for versions in program.triggers.values():
        for version in versions:
            yield version.node


def calls_in(program: Declarations) -> Iterator[nodes.Call]:
    """All calls in the functions, procedures and triggers of a program."""
    for part in parts_in(program):
        yield from (each for each in walk_once(program, part) if type(each) is nodes.Call)
