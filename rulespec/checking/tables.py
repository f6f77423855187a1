"""Tables -> diagnostics for combinations without a row, rows never reached, and keys and cells that do not fit.

Implements docs/language/5-tables.md and 12-checks.md, "Tables". Each column is divided into the few parts that its
keys distinguish. A row is then a box, with one set of parts for each column, and the combinations without a row so
far are a list of disjoint boxes.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TypeAlias

from attrs import evolve, frozen

from rulespec import codes
from rulespec.checking.attributes import root_scope
from rulespec.checking.constants import key_bounds
from rulespec.checking.declarations import Declarations, Routine, is_action_table, table_rows
from rulespec.checking.expressions import routine_scope, type_of
from rulespec.checking.scopes import Known, Scope, report, silent
from rulespec.checking.wording import describe_expression, describe_type, written
from rulespec.core import types
from rulespec.core.types import INT, LEAST, MOST, Type, join, present
from rulespec.diagnostics import Diagnostic, Related
from rulespec.rendering import counted
from rulespec.source import Span
from rulespec.syntax import nodes

MOST_BOXES = 500  # with more, some missing rows are not reported, and rows count as reached
MOST_MISSING = 4  # rows that the hint shows
MOST_SHOWN = 12  # alternatives that it shows in a key

Part: TypeAlias = str | tuple[int, int]  # a name, or the numbers from one to another
Box: TypeAlias = tuple[int, ...]  # for each column the set of its parts, as bits


@frozen
class Column:
    """An input of a table: the parts into which its keys divide its values, and which of them can occur."""

    input: nodes.Expr
    type: Type
    parts: tuple[Part, ...]
    possible: int
    starts: tuple[int, ...]  # of the parts that are numbers


def check_tables(program: Declarations) -> Iterator[Diagnostic]:
    """Report tables whose rows do not fit their inputs and outputs."""
    scope = evolve(root_scope(program), faults=[])
    for routine in program.routines.values():
        for number, version in enumerate(routine.versions):
            if isinstance(version.node, nodes.Table):
                _table(routine_scope(scope, routine, number), routine, version.node)
    yield from scope.faults or ()


def _table(scope: Scope, routine: Routine, table: nodes.Table) -> None:
    rows = table_rows(routine, scope.version)
    sound = [row for row in rows if _has_shape(scope, table, row)]
    _cells(scope, table, sound)
    columns = [
        _column(scope, expr, [row.keys[number] for row in sound])
        for number, expr in enumerate(table.header.inputs)
    ]
    boxes = [_box(scope, columns, row) for row in sound]
    if len(sound) < len(rows) or any(box is None for box in boxes):
        return
    whole = dict(zip((id(row) for row in sound), boxes, strict=True))
    groups = [table.rows, *(each.node.rows for each in routine.rows)]
    last = scope.version == len(routine.versions) - 1
    for group in groups if last else groups[:1]:
        own = [row for row in group if isinstance(row, nodes.Row)]
        _reach(scope, columns, [(row, whole[id(row)]) for row in own])
    _cover(scope, table, columns, [box for box in boxes if box is not None])


# ---- Shape and cells -----------------------------------------------------------------------------


def _has_shape(scope: Scope, table: nodes.Table, row: nodes.Row) -> bool:
    name, header = table.name.text, table.header
    place = (Related("the columns", header.span),)
    if len(row.keys) != len(header.inputs):
        message = f"`{name}` has {counted(len(header.inputs), 'input')}, but this row has {counted(len(row.keys), 'key')}"
        _tell_shape(scope, message, _whole(row.keys), place)
        return False
    acts = is_action_table(table)
    if acts and isinstance(row.body, nodes.Cells):
        calls = len(row.body.values) == 1 and isinstance(row.body.values[0], nodes.Call)
        if not calls:
            message = f"the rows of `{name}` do something, but this one gives a value"
            _tell_shape(scope, message, row.body.span, place)
        return calls
    if acts:
        return True
    if not isinstance(row.body, nodes.Cells):
        message = f"the rows of `{name}` give values, but this one does something"
        _tell_shape(scope, message, row.body.span, place)
        return False
    if len(row.body.values) != len(header.outputs):
        cells = counted(len(row.body.values), "value")
        message = f"`{name}` has {counted(len(header.outputs), 'output')}, but this row has {cells}"
        _tell_shape(scope, message, row.body.span, place)
        return False
    return True


def _tell_shape(scope: Scope, message: str, span: Span, place: tuple[Related, ...]) -> None:
    report(scope, codes.WRONG_ROW, message, span, None, place)


def _whole(keys: tuple[nodes.Key, ...]) -> Span:
    return Span(keys[0].span.source, keys[0].span.start, keys[-1].span.end)


def _cells(scope: Scope, table: nodes.Table, rows: list[nodes.Row]) -> None:
    """Check that the values in a column have a common type."""
    if is_action_table(table):
        return
    quiet = silent(scope)
    # The table's own rows come first: if a layer adds another type, the report is about that layer.
    own = {id(row) for row in table.rows}
    rows = sorted(rows, key=lambda row: id(row) not in own)
    for number, output in enumerate(table.header.outputs):
        joined: Type = types.Never()
        first: nodes.Expr | None = None
        for row in rows:
            if not isinstance(row.body, nodes.Cells):
                continue
            value = row.body.values[number]
            found = type_of(quiet, value)
            both = join(joined, found, scope.known.enums)
            if both is None:
                related = (Related(f"{describe_type(joined)}", first.span),) if first else ()
                message = f"{describe_expression(value, found)}, but other rows of `{output.text}` give {describe_type(joined)}"
                report(scope, codes.MIXED_CELLS, message, value.span, None, related)
                break
            joined, first = both, first or value


# ---- Columns -------------------------------------------------------------------------------------


def _column(scope: Scope, expr: nodes.Expr, keys: list[nodes.Key]) -> Column:
    """An input and the parts into which its keys divide its values."""
    found = type_of(silent(scope), expr)
    names = _parts(scope.known, present(found), keys)
    parts = (*names, "none") if isinstance(found, types.Maybe) else names
    possible = (1 << len(parts)) - 1
    inner = present(found)
    if isinstance(inner, types.Choice):
        possible = sum(
            1 << bit for bit, part in enumerate(parts) if part == "none" or part in inner.members
        )
    elif _is_constant(inner):
        possible = sum(1 << bit for bit, part in enumerate(parts) if _holds(part, inner))
    starts = tuple(part[0] for part in parts if not isinstance(part, str))
    return Column(expr, found, tuple(parts), possible, starts)


def _is_constant(type_: Type) -> bool:
    """Whether a number is constant here; another layer may still change it."""
    return isinstance(type_, types.Number) and type_.low == type_.high


def _holds(part: Part, type_: Type) -> bool:
    if isinstance(part, str) or not isinstance(type_, types.Number):
        return True
    return part[0] <= type_.low <= part[1]


def _parts(known: Known, type_: Type, keys: list[nodes.Key]) -> tuple[Part, ...]:
    match type_:
        case types.Bool():
            return ("yes", "no")
        case types.Direction():
            return ("most", "fewest")
        case types.Choice(_, domain):
            return domain
        case types.Piece(kinds):
            return tuple(kind for kind in known.program.kinds if kind in kinds)
        case types.Number():
            return _intervals(INT if _is_constant(type_) else type_, keys)
        case types.Never():
            return ()
        case _:
            return ("*",)


def _intervals(domain: types.Number, keys: list[nodes.Key]) -> tuple[Part, ...]:
    starts = {domain.low}
    for key in keys:
        for pattern in key.patterns:
            bounds = key_bounds(pattern)
            if bounds is not None:
                starts |= {bounds[0], bounds[1] + 1}
    inside = sorted(start for start in starts if domain.low <= start <= domain.high)
    ends = [*(start - 1 for start in inside[1:]), domain.high]
    return tuple(zip(inside, ends, strict=True))


# ---- Keys ----------------------------------------------------------------------------------------


def _box(scope: Scope, columns: list[Column], row: nodes.Row) -> Box | None:
    """The parts that a row matches, or nothing if a key is wrong."""
    box = []
    for column, key in zip(columns, row.keys, strict=True):
        matched = 0
        for pattern in key.patterns:
            bits = _pattern(scope, column, pattern)
            if bits is None:
                return None
            matched |= bits
        box.append(matched)
    return tuple(box)


def _pattern(scope: Scope, column: Column, pattern: nodes.Pattern) -> int | None:
    every = (1 << len(column.parts)) - 1
    inner = present(column.type)
    if isinstance(pattern, nodes.Anything) or isinstance(inner, types.Unknown):
        return every
    if isinstance(pattern, nodes.KeyName):
        return _named(scope, column, pattern)
    bounds = key_bounds(pattern)
    if bounds is None:
        return every
    low, high = bounds
    if not isinstance(inner, types.Number):
        return _tell_never(
            scope, column, pattern, f"{describe_expression(column.input, column.type)}"
        )
    if low > high:
        hint = f"write `{high}..{low}`"
        return _tell_never(scope, column, pattern, f"{low} is more than {high}", hint)
    # Every key begins and ends at the border of a part, so it matches consecutive whole parts.
    begin, end = bisect_left(column.starts, low), bisect_right(column.starts, high)
    bits = (1 << end) - (1 << begin) if begin < end else 0
    if not bits:
        return _tell_never(scope, column, pattern, f"{describe_expression(column.input, inner)}")
    return bits


def _named(scope: Scope, column: Column, pattern: nodes.KeyName) -> int | None:
    first = pattern.first.text if isinstance(pattern.first, nodes.Name) else pattern.first.word
    last = pattern.last.text if pattern.last is not None else first
    for name in (first, last):
        if name not in column.parts:
            why = f"{describe_expression(column.input, column.type)}"
            return _tell_never(scope, column, pattern, why, _choices(column), name)
    a, b = column.parts.index(first), column.parts.index(last)
    if a > b:
        why = f"`{first}` comes after `{last}`"
        return _tell_never(scope, column, pattern, why, f"write `{last}..{first}`")
    return sum(1 << bit for bit in range(a, b + 1))


def _choices(column: Column) -> str | None:
    names = [f"`{part}`" for part in column.parts if isinstance(part, str) and part != "*"]
    return f"it may be {', '.join(names)}" if 0 < len(names) <= 12 else None


def _tell_never(  # noqa: PLR0913, PLR0917 - the parts of a diagnostic
    scope: Scope,
    column: Column,
    pattern: nodes.Pattern,
    why: str,
    hint: str | None = None,
    name: str | None = None,
) -> int | None:
    """Report a key that matches nothing, and why."""
    span = pattern.span
    text = name or span.source.text[span.start : span.end]
    message = f"the key `{text}` never matches: {why}"
    related = (Related("the input", column.input.span),)
    report(scope, codes.WRONG_KEY, message, span, hint, related)
    return None


# ---- Boxes ---------------------------------------------------------------------------------------


def _overlap(one: Box, other: Box) -> bool:
    return all(a & b for a, b in zip(one, other, strict=True))


def _without(box: Box, taken: Box) -> Iterator[Box]:
    """The rest of a box as disjoint boxes."""
    if not _overlap(box, taken):
        yield box
        return
    for number, (a, b) in enumerate(zip(box, taken, strict=True)):
        rest = a & ~b
        if rest:
            common = tuple(x & y for x, y in zip(box[:number], taken[:number], strict=True))
            yield (*common, rest, *box[number + 1 :])


def _left(boxes: list[Box], taken: Box) -> list[Box] | None:
    left = [rest for box in boxes for rest in _without(box, taken)]
    return left if len(left) <= MOST_BOXES else None


def _reach(scope: Scope, columns: list[Column], rows: list[tuple[nodes.Row, Box | None]]) -> None:
    """Report the rows of one layer that match nothing that the rows above leave over."""
    left: list[Box] | None = [tuple((1 << len(column.parts)) - 1 for column in columns)]
    above: list[tuple[nodes.Row, Box]] = []
    for row, box in rows:
        if left is None or box is None:
            return
        if not any(_overlap(box, free) for free in left):
            taken = next((one for one, other in reversed(above) if _overlap(other, box)), None)
            message = "this row is never reached: the rows above it match everything that it could"
            related = () if taken is None else (Related("this row comes first", taken.span),)
            hint = "move it up, or delete it"
            report(scope, codes.NEVER_REACHED, message, _whole(row.keys), hint, related)
        left = _left(left, box)
        above.append((row, box))


def _cover(scope: Scope, table: nodes.Table, columns: list[Column], boxes: list[Box]) -> None:
    """Report the combinations that no row matches."""
    left: list[Box] = [tuple(column.possible for column in columns)]
    # The order of rows does not matter here: those that match most go first, which keeps the list short.
    for taken in sorted(boxes, key=lambda box: -sum(bits.bit_count() for bits in box)):
        left = [rest for box in left for rest in _without(box, taken)][:MOST_BOXES]
    if not left or not all(all(box) for box in left):
        return
    name = table.name.text
    first = ", ".join(
        f"{written(column.input)} = {_key(column, bits)}"
        for column, bits in zip(columns, left[0], strict=True)
        if _key(column, bits) != "*" or len(columns) == 1
    )
    message = f"the table `{name}` has no row for {first}"
    if len(left) > 1:
        message += f" and {counted(len(left) - 1, 'more combination')}"
    cells = " | ".join("…" for _ in table.header.outputs)
    rows = [
        f"`{' | '.join(_key(c, bits) for c, bits in zip(columns, box, strict=True))} => {cells}`"
        for box in left[:MOST_MISSING]
    ]
    hint = f"add {', '.join(rows)}{', …' if len(left) > MOST_MISSING else ''}"
    report(scope, codes.NO_ROW, message, table.header.span, hint)


def _key(column: Column, bits: int) -> str:
    """A set of parts as one would write it in a row."""
    if bits == column.possible:
        return "*"
    keys: list[Part] = []
    for bit, part in enumerate(column.parts):
        if not bits >> bit & 1:
            continue
        before = keys[-1] if keys else ""
        if not isinstance(part, str) and not isinstance(before, str) and before[1] + 1 == part[0]:
            keys[-1] = (before[0], part[1])
        else:
            keys.append(part)
    shown = [key if isinstance(key, str) else _interval(*key) for key in keys[:MOST_SHOWN]]
    return ", ".join([*shown, "…"] if len(keys) > MOST_SHOWN else shown)


def _interval(low: int, high: int) -> str:
    if low == high:
        return str(low)
    if high == MOST:
        return f"{low}+"
    return f"..{high}" if low == LEAST else f"{low}..{high}"
