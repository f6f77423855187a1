"""Declarations -> diagnostics for everything that exceeds a limit: pieces, zones, variables, domains, seats.

Sizes are computed by multiplying numbers, and nothing is listed: so a file that declares a million cards is refused
before they are created. `scanner` limits the length of a text.
"""

from collections.abc import Iterator
from math import comb

from attrs import evolve

from rulespec import codes
from rulespec.checking.attributes import root_scope
from rulespec.checking.declarations import Declarations, Routine, routine_parts, used_names, walk
from rulespec.checking.domains import declared_type
from rulespec.checking.estimates import estimate
from rulespec.checking.expressions import type_of
from rulespec.checking.scopes import Known, Scope
from rulespec.core import types
from rulespec.core.types import Type
from rulespec.diagnostics import Diagnostic, Related
from rulespec.limits import (
    LARGEST_SET,
    MOST_CELLS,
    MOST_MEMBERS,
    MOST_PIECES,
    MOST_PLACES,
    MOST_PLAYERS,
    MOST_SETS,
)
from rulespec.source import Span
from rulespec.syntax import nodes

ENDLESS = 2**32  # larger than any limit


def check_limits(program: Declarations) -> Iterator[Diagnostic]:
    """Report more players, members, pieces, zones or places of variables than are allowed."""
    yield from _check_players(program)
    large = []
    for name, enum in program.enums.items():
        size = _count_members(program, name)
        if size > MOST_MEMBERS:
            large.append(name)
            message = f"the enum `{name}` has {size:,} members, but may have only {MOST_MEMBERS:,}"
            yield Diagnostic(codes.LARGE_DOMAIN, message, enum.node.span)
    if large:  # their members are never listed
        enums = {name: enum for name, enum in program.enums.items() if name not in large}
        program = evolve(program, enums=enums)
    scope = root_scope(program)
    known = scope.known
    yield from _check_pieces(known)
    zones = [(name, zone.node.indices, zone.node.span) for name, zone in program.zones.items()]
    yield from _check_places(known, "zones", zones)
    variables = [
        (name, stored.node.node.indices, stored.node.node.span)
        for name, stored in program.variables.items()
    ]
    yield from _check_places(known, "places of variables", variables)
    for name, stored in program.variables.items():
        type_ = declared_type(known, stored.node.node.type)
        of = type_.of if isinstance(type_, types.Several) else types.UNKNOWN
        size = 0 if isinstance(of, types.Piece) else _values(known, of)
        if size > LARGEST_SET:
            message = (
                f"`{name}` holds a set of up to {_told(size)} values, but may hold only "
                f"{LARGEST_SET:,}"
            )
            yield Diagnostic(codes.LARGE_DOMAIN, message, stored.node.node.type.span)

    for routine in program.routines.values():
        yield from _check_cells(routine)
        for version in routine_parts(routine):
            yield from _check_families(scope, version.node)


def _count_members(program: Declarations, name: str) -> int:
    """The number of members of an enum, including those of the enums in it."""
    found, waiting = {name}, [name]
    for enum in waiting:
        names = {member.name.text for member in program.enums[enum].node.members} - found
        found |= names
        waiting += names & program.enums.keys()
    return len(found - program.enums.keys())


# ---- Tables --------------------------------------------------------------------------------------


def _check_cells(routine: Routine) -> Iterator[Diagnostic]:
    for version in routine.versions:
        if isinstance(version.node, nodes.Table):
            header = version.node.header
            added = sum(len(rows.node.rows) for rows in routine.rows)
            cells = (len(version.node.rows) + added) * (len(header.inputs) + len(header.outputs))
            if cells > MOST_CELLS:
                message = f"`{routine.name}` has {cells:,} cells, but may have only {MOST_CELLS:,}"
                hint = "calculate the values with `let`"
                yield Diagnostic(codes.LARGE_TABLE, message, version.node.name.span, hint=hint)


# ---- Families of subsets -------------------------------------------------------------------------


def _check_families(scope: Scope, tree: object) -> Iterator[Diagnostic]:
    """Report families of subsets of a fixed set that are too large to be counted."""
    for call in walk(tree):
        if isinstance(call, nodes.Call) and call.function.text == "subsets" and call.arguments:
            values, *sizes = call.arguments
            found = estimate(scope, values)
            is_fixed = found.least == found.most or values == nodes.Name("Player")
            size = found.most if is_fixed else 0
            low, high = _sizes(scope, sizes[0], size) if sizes else (0, size)
            if _subsets(size, low, high) > MOST_SETS:
                message = f"{_told(size)} values have more than {MOST_SETS} such sets"
                hint = "choose sets of a few elements: `subsets(…, 2)`"
                yield Diagnostic(codes.LARGE_FAMILY, message, call.span, hint=hint)


def _sizes(scope: Scope, wanted: nodes.Expr, most: int) -> tuple[int, int]:
    """The range of the sizes of the sets; what is known only in a game is tested there."""
    found = type_of(scope, wanted)
    of = found.of if isinstance(found, types.Several) else found
    return (
        (of.low, of.high)
        if isinstance(of, types.Number) and not used_names(wanted)
        else (most, most)
    )


def _subsets(size: int, low: int, high: int) -> int:
    """The number of subsets of these sizes, or any number above the limit."""
    total = 0
    for number in range(max(0, low), min(high, size) + 1):
        few = min(number, size - number)
        total += comb(size, few) if few * size < ENDLESS and few < 64 else MOST_SETS + 1
        if total > MOST_SETS:
            break
    return total


# ---- Players -------------------------------------------------------------------------------------


def _check_players(program: Declarations) -> Iterator[Diagnostic]:
    if program.players is None:
        return
    node = program.players.node
    least, most = node.least.value, _most_players(program)
    if least < 1:
        message = "a game needs at least 1 player"
        yield Diagnostic(codes.BAD_PLAYERS, message, node.least.span, hint="write `1` or more")
    elif least > most:
        message = f"the minimum of {least} players is more than the maximum of {most}"
        hint = f"write `players {most}..{least}`"
        yield Diagnostic(codes.BAD_PLAYERS, message, node.span, hint=hint)
    elif most > MOST_PLAYERS:
        message = (
            f"a game has at most {MOST_PLAYERS} players, but here there are up to {_told(most)}"
        )
        place = (node.most or node.least).span
        hint = f"write a number up to `{MOST_PLAYERS}`"
        yield Diagnostic(codes.BAD_PLAYERS, message, place, hint=hint)


def _most_players(program: Declarations) -> int:
    """The greatest number of players; 1 if the program does not say."""
    if program.players is None:
        return 1
    node = program.players.node
    return (node.most or node.least).value


# ---- Components ----------------------------------------------------------------------------------


def _check_pieces(known: Known) -> Iterator[Diagnostic]:
    """The limit holds for all pieces together; the message shows the largest rows."""
    rows = [row.node for rows in known.program.kinds.values() for row in rows]
    sizes = [_pieces(known, row) for row in rows]
    total = sum(sizes)
    if total > MOST_PIECES:
        largest = max(range(len(rows)), key=lambda number: sizes[number])
        related = tuple(
            Related(f"{_told(size)} more", row.span)
            for number, (row, size) in enumerate(zip(rows, sizes, strict=True))
            if number != largest and size > MOST_PIECES // 10
        )
        message = f"the box holds {_told(total)} pieces, but may hold only {MOST_PIECES:,}"
        yield Diagnostic(codes.TOO_MANY_PIECES, message, rows[largest].span, related)


def _pieces(known: Known, row: nodes.Piece) -> int:
    """The number of pieces of a row; a number of copies that must be calculated counts as one."""
    copies = row.copies.value if isinstance(row.copies, nodes.Number) else 1
    ranged = [each.type for each in row.attributes if isinstance(each, nodes.Ranged)]
    return _product(copies, *(_values(known, declared_type(known, type_)) for type_ in ranged))


def _check_places(
    known: Known, what: str, families: list[tuple[str, tuple[nodes.Type, ...], Span]]
) -> Iterator[Diagnostic]:
    sizes = [
        _product(*(_values(known, declared_type(known, index)) for index in indices))
        for _, indices, _ in families
    ]
    total = sum(sizes)
    if total > MOST_PLACES:
        largest = max(range(len(families)), key=lambda number: sizes[number])
        name, _, place = families[largest]
        message = (
            f"with `{name}` there are {_told(total)} {what}, but only {MOST_PLACES:,} are allowed"
        )
        yield Diagnostic(codes.TOO_MANY_PLACES, message, place)


# ---- Domains -------------------------------------------------------------------------------------


def _values(known: Known, type_: Type) -> int:
    """How many values a type has."""
    match type_:
        case types.Number(low, high):
            return max(0, high - low + 1)
        case types.Choice(_, domain):
            return len(domain)
        case types.Bool() | types.Direction():
            return 2
        case types.Seat():
            return _most_players(known.program)
        case types.Piece():
            return MOST_PIECES
        case types.Maybe(of):
            return _values(known, of) + 1
        case types.Several(of):
            size = _values(known, of)
            return 2**size if size < 32 else ENDLESS
        case _:
            return 1


def _product(*factors: int) -> int:
    """A product, cut off at `ENDLESS`, because a text may have a thousand factors."""
    result = 1
    for factor in factors:
        result = min(result * factor, ENDLESS)
    return result


def _told(size: int) -> str:
    return f"{size:,}" if size < 1_000_000 else "more than a million"
