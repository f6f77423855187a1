"""Declarations -> what asks for more than there is room for: pieces, zones, variables, domains, seats.

Only numbers are multiplied here, nothing is listed: so a file that asks for a million cards is refused
before anybody makes them. How long a text may be is limited by `scanner`.
"""

from collections.abc import Iterator
from math import comb
from typing import assert_never

from rulespec import codes
from rulespec.checking.declarations import Declarations, Routine, walk
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
    """More players, members, pieces, zones or places of variables than there may be."""
    yield from _check_players(program)
    for name, enum in program.enums.items():
        size = _members(program, name)
        if size > MOST_MEMBERS:
            message = f"the enum `{name}` has {size:,} members, but may have only {MOST_MEMBERS:,}"
            yield Diagnostic(codes.LARGE_DOMAIN, message, enum.node.span)
    yield from _check_pieces(program)
    zones = [(name, zone.node.indices, zone.node.span) for name, zone in program.zones.items()]
    yield from _check_places(program, "zones", zones)
    variables = [
        (name, stored.node.node.indices, stored.node.node.span)
        for name, stored in program.variables.items()
    ]
    yield from _check_places(program, "places of variables", variables)
    for name, stored in program.variables.items():
        type_ = stored.node.node.type
        size = _stored_values(program, type_)
        if size > LARGEST_SET:
            message = (
                f"`{name}` holds a set of up to {_told(size)} values, but may hold only "
                f"{LARGEST_SET:,}"
            )
            yield Diagnostic(codes.LARGE_DOMAIN, message, type_.span)

    for routine in program.routines.values():
        yield from _check_cells(routine)
        for version in (*routine.versions, *routine.rows, *routine.before, *routine.after):
            yield from _check_families(program, version.node)


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


def _check_families(program: Declarations, tree: object) -> Iterator[Diagnostic]:
    """Families out of a fixed set, whose sets are too many to be counted."""
    for call in walk(tree):
        if isinstance(call, nodes.Call) and call.function.text == "subsets" and call.arguments:
            values, *sizes = call.arguments
            size = _elements(program, values)
            low, high = _sizes(sizes[0], size) if sizes else (0, size)
            if _subsets(size, low, high) > MOST_SETS:
                message = f"{_told(size)} values have more than {MOST_SETS} such sets"
                hint = "choose sets of a few elements: `subsets(…, 2)`"
                yield Diagnostic(codes.LARGE_FAMILY, message, call.span, hint=hint)


def _elements(program: Declarations, values: nodes.Expr) -> int:
    """How many elements a set has that is the same in every game; of others, none."""
    if (ends := _ends(values)) is not None:
        return max(0, ends[1] - ends[0] + 1)
    if isinstance(values, nodes.Name) and (values.text in program.enums or values.text == "Player"):
        return _named(program, values.text, deep=True)
    return 0


def _sizes(size: nodes.Expr, most: int) -> tuple[int, int]:
    if isinstance(size, nodes.Number):
        return size.value, size.value
    return _ends(size) or (most, most)  # known only in the game, where it is tested


def _ends(values: nodes.Expr) -> tuple[int, int] | None:
    """The ends of a range that is written in numbers."""
    if not isinstance(values, nodes.Range):
        return None
    if not isinstance(values.low, nodes.Number) or not isinstance(values.high, nodes.Number):
        return None
    return values.low.value, values.high.value


def _subsets(size: int, low: int, high: int) -> int:
    """How many subsets of these sizes there are, or enough to be too many."""
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
    """How many seats there may be; 1 if nothing is said about it."""
    if program.players is None:
        return 1
    node = program.players.node
    return (node.most or node.least).value


# ---- Components ----------------------------------------------------------------------------------


def _check_pieces(program: Declarations) -> Iterator[Diagnostic]:
    """All pieces together count; the rows that ask for most of them are shown."""
    rows = [row.node for rows in program.kinds.values() for row in rows]
    sizes = [_pieces(program, row) for row in rows]
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


def _pieces(program: Declarations, row: nodes.Piece) -> int:
    """How many pieces a row of `pieces` makes; copies that must be calculated count as one."""
    copies = row.copies.value if isinstance(row.copies, nodes.Number) else 1
    ranged = [each.type for each in row.attributes if isinstance(each, nodes.Ranged)]
    return _product(copies, *(_values(program, type_) for type_ in ranged))


def _check_places(
    program: Declarations, what: str, families: list[tuple[str, tuple[nodes.Type, ...], Span]]
) -> Iterator[Diagnostic]:
    sizes = [
        _product(*(_values(program, index) for index in indices)) for _, indices, _ in families
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


def _values(program: Declarations, type_: nodes.Type, *, deep: bool = True) -> int:
    """How many values a type has; `deep` while attributes may stand for their domains."""
    match type_:
        case nodes.RangeType(low, high):
            return max(0, high.value - low.value + 1)
        case nodes.OptionalType(of):
            return _values(program, of) + 1
        case nodes.SetType(of):
            size = _values(program, of)
            return 2**size if size < 32 else ENDLESS
        case nodes.NamedType(name):
            return _named(program, name.text, deep=deep)
        case _:
            assert_never(type_)


def _named(program: Declarations, name: str, *, deep: bool) -> int:
    if name in program.enums:
        return _members(program, name)
    if name in ("Bool", "Order"):
        return 2
    if name == "Player":
        return _most_players(program)
    if name == "Int":
        return ENDLESS
    if name == "Piece" or name in program.kinds:
        return MOST_PIECES if deep else 1
    domains = [
        _values(program, attribute.type, deep=False)
        for rows in program.kinds.values()
        for row in rows
        for attribute in row.node.attributes
        if deep and isinstance(attribute, nodes.Ranged) and attribute.name.text == name
    ]
    return max(domains, default=1)


def _members(program: Declarations, name: str) -> int:
    """How many members an enum has, those of the enums that it includes among them."""
    seen: set[str] = set()
    members: set[str] = set()
    waiting = [name]
    while waiting:
        enum = waiting.pop()
        if enum in seen:
            continue
        seen.add(enum)
        for member in program.enums[enum].node.members:
            if member.name.text in program.enums:
                waiting.append(member.name.text)
            else:
                members.add(member.name.text)
    return len(members)


def _stored_values(program: Declarations, type_: nodes.Type) -> int:
    """Of how many values a variable holds a set: 0 if it holds none, or one of pieces."""
    if not isinstance(type_, nodes.SetType):
        return 0
    of = type_.of
    if isinstance(of, nodes.NamedType) and (
        of.name.text == "Piece" or of.name.text in program.kinds
    ):
        return 0
    return _values(program, of)


def _product(*factors: int) -> int:
    """A product, no larger than needed: a text can hold a thousand factors."""
    result = 1
    for factor in factors:
        result = min(result * factor, ENDLESS)
    return result


def _told(size: int) -> str:
    return f"{size:,}" if size < 1_000_000 else "more than a million"
