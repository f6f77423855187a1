"""A table -> the cases that each row still decides, where an overlay has put other rows before it.

Readers look for the one row that applies; they do not read a table from the top.
"""

from rulespec.core.tree import Function, FunctionRow, Pattern
from rulespec.core.types import LEAST, MOST, Choice, present

Ranges = list[tuple[int, int]]


def rows_in_force(function: Function) -> list[tuple[FunctionRow, tuple[Pattern, ...]]] | None:
    """The rows of a table with one input, each with the cases left for it; None if these cannot be expressed."""
    if not function.inputs or any(len(row.patterns) != 1 for row in function.rows):
        return None
    patterns = [row.patterns[0] for row in function.rows]
    if isinstance(present(function.inputs[0].type), Choice):
        is_known = all(each.how in ("any", "values") for each in patterns)
        return _by_members(function) if is_known else None
    ranges = [_ranges(each) for each in patterns]
    taken: Ranges = []
    found = []
    for row, own in zip(function.rows, ranges, strict=True):
        if own is None:
            return None
        left = own
        for each in taken:
            left = _without(left, each)
        taken += own
        found.append((row, tuple(map(_pattern, left))))
    return found


def is_whole(row: FunctionRow, left: tuple[Pattern, ...]) -> bool:
    """Whether a row still decides every case that it names."""
    (pattern,) = row.patterns
    if pattern.how == "numbers":
        return left == tuple(map(_pattern, _ranges(pattern) or []))
    return pattern.how == "any" or {v for each in left for v in each.values} == {*pattern.values}


def _by_members(function: Function) -> list[tuple[FunctionRow, tuple[Pattern, ...]]]:
    taken: set[object] = set()
    found: list[tuple[FunctionRow, tuple[Pattern, ...]]] = []
    for row in function.rows:
        (pattern,) = row.patterns
        left = tuple(each for each in pattern.values if each not in taken)
        taken |= {*pattern.values}
        kept = (pattern,) if pattern.how == "any" else (Pattern("values", left),) if left else ()
        found.append((row, kept))
    return found


def _ranges(pattern: Pattern) -> Ranges | None:
    """The numbers that a key accepts."""
    match pattern.how:
        case "any":
            return [(LEAST, MOST)]
        case "numbers":
            low, high = pattern.values
            return [(LEAST if low is None else low, MOST if high is None else high)]
        case "values" if all(
            isinstance(each, int) and not isinstance(each, bool) for each in pattern.values
        ):
            return [(each, each) for each in pattern.values]
    return None


def _without(ranges: Ranges, taken: tuple[int, int]) -> Ranges:
    """The ranges without the numbers that are taken.

    >>> _without([(7, 100)], (7, 8)), _without([(0, 5)], (2, 3))
    ([(9, 100)], [(0, 1), (4, 5)])
    """
    start, end = taken
    parts = [
        part
        for low, high in ranges
        for part in ((low, min(high, start - 1)), (max(low, end + 1), high))
    ]
    return [(low, high) for low, high in dict.fromkeys(parts) if low <= high]


def _pattern(numbers: tuple[int, int]) -> Pattern:
    low, high = numbers
    return Pattern("numbers", (None if low == LEAST else low, None if high == MOST else high))
