"""What generated code calls: sets, values that are remembered, families of subsets, faults.

Short names: `s` state, `m` mask, `c` piece, `z` zone. A state is a list, laid out in `layout`.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from math import comb
from typing import Any, NoReturn

from interpreter import families
from interpreter.errors import Crash, RuleFault
from interpreter.families import Listed, Subsets
from interpreter.faults import checked, leaves, not_among, too_many, wrong_kind
from interpreter.operations.pieces import pair
from interpreter.operations.subsets import group
from rulespec import codes, limits
from rulespec.core.tree import Op, Origin


class Ended(Exception):  # noqa: N818 - it is no error: `end` leaves all rules at once
    """The game has come to its end."""


# ---- Sets ----------------------------------------------------------------------------------------


def add_up(values: Iterable[int], op: Op) -> int:
    """A sum, which stays within `Int` at every step."""
    total = 0
    for v in values:
        total = checked(total + v, op)
    return total


def highest_of(pairs: Iterable[tuple[Any, Any]], rank: dict[int, int] | None) -> tuple[Any, Any]:
    """Of elements with their keys the first with the highest one; nothing if all keys are none."""
    found = best = height = None
    for v, key in pairs:
        if key is None:
            continue
        at = key if rank is None else rank[key]
        if height is None or at > height:
            found, best, height = v, key, at
    return found, best


def lowest_of(pairs: Iterable[tuple[Any, Any]], rank: dict[int, int] | None) -> tuple[Any, Any]:
    """As `highest_of`, with the lowest key."""
    found = best = height = None
    for v, key in pairs:
        if key is None:
            continue
        at = key if rank is None else rank[key]
        if height is None or at < height:
            found, best, height = v, key, at
    return found, best


def most_of(keys: list[Any]) -> Any:
    """The highest of some numbers; those that are none do not count."""
    return max([key for key in keys if key is not None], default=None)


def least_of(keys: list[Any]) -> Any:
    return min([key for key in keys if key is not None], default=None)


class Bounded(dict[int, Any]):
    """A table of a number that may leave its range: then that is the fault."""

    def __init__(self, table: dict[int, Any], low: int, high: int, op: Op) -> None:
        super().__init__(table)
        self.low, self.high, self.op = low, high, op

    def __missing__(self, v: int) -> NoReturn:
        raise leaves(v, self.low, self.high, self.op)


MOST_REMEMBERED = 4_000


class Remembered(dict[Any, Any]):
    """The values of a function by those of the variables that it reads, then by its arguments."""

    def __init__(
        self,
        fn: Callable[..., Any],
        places: Sequence[int],
        params: int,
        given: tuple[Any, ...] = (),
    ) -> None:
        super().__init__()
        self.fn, self.places, self.params, self.given = fn, places, params, given

    def __missing__(self, v: Any) -> Any:
        given = (*self.given, v)
        count = len(self.places)
        found: Any
        if len(given) < count + self.params:
            found = Remembered(self.fn, self.places, self.params, given)
        else:
            s = dict(zip(self.places, given, strict=False))
            found = self.fn(s, *given[count:])
        if len(self) < MOST_REMEMBERED:
            self[v] = found
        return found


def first_of(values: Sequence[Any]) -> Any:
    return values[0] if values else None


def perhaps(v: Any) -> tuple[Any, ...]:
    return () if v is None else (v,)


def perhaps_bit(c: int | None) -> int:
    return 0 if c is None else 1 << c


def minus(left: Iterable[Any], right: Any) -> tuple[Any, ...]:
    return tuple([v for v in left if v not in right])


def both(left: Iterable[Any], right: Any) -> tuple[Any, ...]:
    return tuple([v for v in left if v in right])


def those(pieces: Iterable[int], m: int) -> tuple[int, ...]:
    """The pieces that a mask has, in their order."""
    return tuple([c for c in pieces if m >> c & 1])


def between(v: int | None, low: int, high: int) -> bool:
    return v is not None and low <= v <= high


def pair_up(pieces: Sequence[int], looks: Sequence[int]) -> bool:
    return len(pieces) == len(looks) and pair(
        [[n for n, c in enumerate(pieces) if like >> c & 1] for like in looks]
    )


def output(s: list[Any], functions: dict[str, Any], row: Any, name: str) -> Any:
    """An output of a row that was chosen while playing."""
    key, arguments = row
    return functions[f"{key}.{name}"](s, *arguments[2:])


def numbers(low: int, high: int, op: Op) -> tuple[int, ...]:
    if high - low >= limits.MOST_LISTED:
        raise too_many(op)
    return tuple(range(low, high + 1))


def with_member(kept: Any, index: Any, value: Any) -> tuple[tuple[Any, Any], ...]:
    """A family of locals after one of them was given a value."""
    found = dict(kept or ())
    found[index] = value
    return tuple(sorted(found.items()))


def member_of(kept: Any, index: Any) -> Any:
    return None if kept is None else dict(kept).get(index)


# ---- Families of subsets -------------------------------------------------------------------------


def all_subsets(values: tuple[Any, ...]) -> Subsets:
    return Subsets(values, 0, len(values))


def sized_subsets(values: tuple[Any, ...], low: int, high: int | None = None) -> families.Family:
    high = low if high is None else high
    return Subsets(values, max(low, 0), high) if high >= max(low, 0) else Listed(())


def alike(
    pieces: tuple[int, ...], values: Sequence[tuple[Any, ...]], rank: dict[int, int] | None
) -> families.Alike:
    return families.Alike(pieces, tuple(each for _, each in group(pieces, values, rank)))


def runs(pieces: tuple[int, ...], values: Sequence[tuple[Any, ...]]) -> families.Runs:
    return families.Runs(pieces, tuple(group(pieces, values, None)))


FEW_MEMBERS = 300  # that are listed rather than numbered by arithmetic


def few_members(
    family: families.Family, twins: dict[int, Any] | None
) -> tuple[tuple[int, ...], ...] | None:
    """The members of a small family, of look-alikes the first; nothing if it is large or odd."""
    match family:
        case Subsets(elements, low, high):
            sizes = range(max(low, 0), min(high, len(elements)) + 1)
            if sum([comb(len(elements), size) for size in sizes]) > FEW_MEMBERS:
                return None
            return _first_looks((m for size in sizes for m in combinations(elements, size)), twins)
        case families.Alike(_, groups):
            if sum([1 << len(each) for each in groups]) > FEW_MEMBERS:
                return None
            every = [c for group in groups for c in group]
            members = (
                m
                for group in groups
                for size in range(2, len(group) + 1)
                for m in combinations(group, size)
            )
            # A piece in two groups may bring the same set twice.
            if len(every) != len(set(every)):
                return None
            return _first_looks(members, twins)
        case _:
            return None


def _first_looks(
    members: Iterable[tuple[int, ...]], twins: dict[int, Any] | None
) -> tuple[tuple[int, ...], ...]:
    """Of members that look alike the first."""
    if twins is None or len(set(twins.values())) == len(twins):
        return tuple(members)
    first: dict[Any, tuple[int, ...]] = {}
    numbers: dict[Any, int] = {}
    looks = {c: numbers.setdefault(twin, len(numbers)) for c, twin in twins.items()}
    for m in members:
        first.setdefault(tuple(sorted([looks[c] for c in m])), m)
    return tuple(first.values())


MANY = 30  # elements with fewer subsets than `Int` has numbers


def is_some(family: Any, op: Op) -> bool:
    """Whether a family has a member, without counting them where that is easily seen."""
    if not isinstance(family, Listed) and len(family.elements) > MANY:
        return checked(families.count(family), op) > 0
    match family:
        case Subsets(elements, low, high):
            return max(low, 0) <= min(high, len(elements))
        case families.Alike(_, groups):
            return any(len(each) > 1 for each in groups)
        case Listed(members):
            return bool(members)
        case families.Runs(_, columns):
            values = [v for v, column in columns if column]
            if not any(v + 1 == next_one for v, next_one in pairwise(values)):
                return False
            # A piece of two values may stand for both of its columns, but not at once.
            every = [c for _, column in columns for c in column]
            if len(every) == len(set(every)):
                return True
    return families.count(family) > 0


def count_subsets(count: int, low: int, high: int) -> int:
    """How many subsets there are of these sizes.

    >>> count_subsets(5, 2, 3)
    20
    """
    return sum([comb(count, size) for size in range(max(low, 0), min(high, count) + 1)])


def nth_subset(values: Sequence[Any], low: int, number: int) -> tuple[Any, ...]:
    """A subset by its number: the smaller ones first, else in the order of their elements.

    >>> nth_subset("abcd", 2, 3)
    ('b', 'c')
    >>> from itertools import combinations
    >>> list(combinations("abcd", 2))[3]
    ('b', 'c')
    """
    count = len(values)
    size = max(low, 0)
    while number >= (ways := comb(count, size)):
        number -= ways
        size += 1
    found = []
    at = 0
    while size:
        ways = comb(count - at - 1, size - 1)
        if number < ways:
            found.append(values[at])
            size -= 1
        else:
            number -= ways
        at += 1
    return tuple(found)


MOST_LISTED = 8  # elements whose subsets are listed, once for all
_LISTED: dict[Any, tuple[tuple[Any, ...], ...]] = {}


def choices_among(values: tuple[Any, ...], low: int, high: int | None = None) -> Any:
    """The options of a decision among subsets of few values, or of many."""
    key = values, low, high
    found = _LISTED.get(key)
    if found is not None:
        return found
    options = Choices(values, low, high)
    if len(values) > MOST_LISTED or len(_LISTED) > MOST_REMEMBERED:
        return options
    _LISTED[key] = tuple([nth_subset(values, low, n) for n in range(len(options))])
    return _LISTED[key]


class Choices:
    """The options of a decision among subsets in which nothing looks like anything else."""

    __slots__ = ("low", "size", "values")

    def __init__(self, values: tuple[Any, ...], low: int, high: int | None = None) -> None:
        self.values, self.low = values, low
        if high is None:
            self.size = comb(len(values), low) if low >= 0 else 0
        else:
            self.size = count_subsets(len(values), low, high)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, number: int) -> tuple[Any, ...] | None:
        # Behind the last one is declining.
        return nth_subset(self.values, self.low, number) if number < self.size else None


# ---- Faults --------------------------------------------------------------------------------------


def need(v: Any, op: Op) -> Any:
    return missing(op) if v is None else v


def missing(op: Op) -> NoReturn:
    raise RuleFault(codes.NONE_WHILE_PLAYING, "this is `none`, and a value is needed", op.span)


def within(v: int | None, low: int, high: int, op: Op) -> int | None:
    if v is not None and not low <= v <= high:
        raise leaves(v, low, high, op)
    return v


def every_within(found: Any, low: int, high: int, op: Op) -> Any:
    for v in found:
        within(v, low, high, op)
    return found


def among(v: int | None, allowed: frozenset[int], layout: Any, op: Op) -> int | None:
    if v is not None and v not in allowed:
        raise not_among(layout, v, op)
    return v


def every_among(found: Any, allowed: frozenset[int], layout: Any, op: Op) -> Any:
    for v in found:
        among(v, allowed, layout, op)
    return found


def of_kind(c: int | None, fitting: int, layout: Any, op: Op) -> int | None:
    if c is not None and not fitting >> c & 1:
        raise wrong_kind(layout, c, op)
    return c


def every_of_kind(found: Any, fitting: int, layout: Any, op: Op) -> Any:
    for c in found:
        of_kind(c, fitting, layout, op)
    return found


def positive(v: int, op: Op) -> int:
    if v < 1:
        raise RuleFault(codes.LEAVES_RANGE, f"{v} divides nothing", op.span)
    return v


def no_row(name: str) -> NoReturn:
    raise Crash(f"no row of {name} matches")


def nothing(origin: Origin) -> NoReturn:
    message = f"there is nothing to choose from in `{origin.rule}`"
    raise RuleFault(codes.NOTHING_TO_CHOOSE, message, origin.span)


class Beyond(Exception):  # noqa: N818 - no error: the reference takes over, and judges
    """So much may have been done without asking anybody that the reference would not allow it."""


def give_up() -> NoReturn:
    raise Beyond


def tire(s: list[Any], left: int, count: int, share: int) -> None:
    """Whether nobody has been asked for too long: not if there were decisions meanwhile, and not too many."""
    asked = s[left + 1]
    s[left + 1], s[left] = s[count], s[left] + share
    if s[count] == asked or s[count] > limits.MOST_CHOICES or s[left] < 0:
        raise Beyond


def misplaced(layout: Any, c: int, zone: int, origin: Origin) -> NoReturn:
    message = f"a `{layout.pieces[c].kind}` cannot lie in `{layout.zones[zone].row.name}`"
    raise RuleFault(codes.LEAVES_RANGE, message, origin.span)


def end_too_early(origin: Origin) -> NoReturn:
    message = "the game ends only while it is played, and not in `setup` or `finish`"
    raise RuleFault(codes.END_TOO_EARLY, message, origin.span)
