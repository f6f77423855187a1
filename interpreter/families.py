"""Families of subsets go in; how many members they have, and single members by number, come out.

Implements `subsets`, `alike` and `runs` of docs/language/8-expressions.md, "Built-in names", and of
the options among them only the first of those that look alike. A hand of forty cards has too many
subsets to list, so a family is a sequence of blocks in the order of its members, and a
block counts and numbers its members by arithmetic. The caller says what a piece is worth and which
pieces look alike.

`twins` maps an element to a key that all its look-alikes share; an element without a key is its own key.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import chain

from attrs import frozen

from interpreter.family_blocks import (
    Block,
    Listed,
    Look,
    Member,
    Picks,
    Product,
    Twins,
    block_size,
    earliest_with,
    look_key,
    look_of_set,
    nth_member,
    number_in_block,
    walk_block,
)
from rulespec.limits import MOST_LISTED


class TooMany(ValueError):  # noqa: N818 - it says what there is
    """A family would have to be listed and is too large for that."""


@frozen
class Subsets:
    """`subsets(S, low..high)`; there are none of a size that S does not have."""

    elements: tuple[int, ...]
    low: int
    high: int


@frozen
class Alike:
    """`alike(S, a)`: for each value, in canonical order, the elements that have it, in the order of S."""

    elements: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]


@frozen
class Runs:
    """`runs(S, a)`: values, ascending, with the elements that have them, in the order of S."""

    elements: tuple[int, ...]
    columns: tuple[tuple[int, tuple[int, ...]], ...]


Family = Subsets | Alike | Runs | Listed


@frozen
class Growth:
    """The possible next elements of a selection; of several look-alikes, `more` contains only the first."""

    more: tuple[int, ...]
    complete: bool


# ---- The whole family: a walk along its blocks -----------------------------------------------------


def count(family: Family, twins: Twins = None) -> int:
    """How many members there are.

    >>> count(Subsets(tuple(range(40)), 0, 40)) == 2**40
    True
    """
    if twins or isinstance(family, Listed):
        return _count(family, twins)
    return _known_count(family)


def _count(family: Family, twins: Twins) -> int:
    return sum(block_size(block, twins) for block in _blocks(family, twins))


@lru_cache(maxsize=10_000)
def _known_count(family: Family) -> int:
    """The cached count: rules ask again and again whether the same hand has a meld, and how many."""
    return _count(family, None)


def member(family: Family, n: int, twins: Twins = None) -> Member:
    """The member with this number, from 0."""
    left = n
    for block in _blocks(family, twins) if n >= 0 else ():
        size = block_size(block, twins)
        if left < size:
            return nth_member(block, left, twins)
        left -= size
    raise IndexError(f"the family has no member {n}")


def member_number(family: Family, chosen: Collection[int], twins: Twins = None) -> int | None:
    """The number of the member that equals, or looks like, the chosen set; None if there is none."""
    look = look_of_set(set(chosen), twins)
    before = 0
    for block in _blocks(family, twins):
        place = number_in_block(block, look, twins)
        if place is not None:
            return before + place
        before += block_size(block, twins)
    return None


def members(family: Family, twins: Twins = None) -> Iterator[Member]:
    """All members in order."""
    return chain.from_iterable(walk_block(block, twins) for block in _blocks(family, twins))


def growth(family: Family, chosen: Collection[int], twins: Twins = None) -> Growth:
    """The elements that can extend a selection towards a member, and whether it is already a member."""
    look = look_of_set(set(chosen), twins)
    offered: set[int] = set()
    wanted: set[Hashable] = set()
    for frame in _frames(family, look, twins):
        room = look_of_set(frame, twins)
        offered.update(frame)
        wanted.update(room - look if look <= room else ())
    elements = chain(*family.members) if isinstance(family, Listed) else family.elements
    free = (element for element in elements if element in offered and element not in chosen)
    more = earliest_with(free, Counter(wanted), twins)
    return Growth(more, member_number(family, chosen, twins) is not None)


def _frames(family: Family, look: Look, twins: Twins) -> Iterator[Collection[int]]:
    """Sets that a selection may fill in any order: at each step it is part of some member."""
    match family:
        case Subsets(elements):
            if look.total() < max(_sizes(family), default=0):
                yield elements
        case Alike(_, groups) if _is_regular(family, twins):
            yield from (group for group in groups if len(group) > 1)
        case Runs() if _is_regular(family, twins):
            for stretch in _stretches(family):
                # A run takes one element of each column, so a used column offers no more.
                used = [[e for e in column if look_key(e, twins) in look][:1] for column in stretch]
                if len(stretch) > 1:
                    yield [*chain(*(u or column for u, column in zip(used, stretch, strict=True)))]
        case _:
            yield from _list(family)


# ---- From a family to its blocks -------------------------------------------------------------------


def _blocks(family: Family, twins: Twins) -> Iterator[Block]:
    match family:
        case Subsets(elements):
            for size in _sizes(family):
                yield Picks(elements, size, ((frozenset(elements), 1),))
        case Alike(_, groups) if _is_regular(family, twins):
            tried = 0
            for number, group in enumerate(groups):
                parts = _parts(group, groups[:number])
                tried += len(parts)
                _limit(tried)
                for size in range(2, len(group) + 1):
                    yield Picks(group, size, parts)
        case Runs(elements) if _is_regular(family, twins):
            for stretch in _stretches(family):
                columns = [
                    earliest_with(c, Counter({*look_of_set(c, twins)}), twins) for c in stretch
                ]
                for low in range(len(columns)):
                    for end in range(low + 2, len(columns) + 1):
                        yield Product(elements, tuple(columns[low:end]))
        case Listed() if not twins:
            yield family
        case _:
            first: dict[frozenset[tuple[Hashable, int]], Member] = {}
            for listed in _list(family):
                first.setdefault(frozenset(look_of_set(listed, twins).items()), listed)
            yield Listed(tuple(first.values()))


def _is_regular(family: Alike | Runs, twins: Twins) -> bool:
    """Whether arithmetic can count and number the members.

    Look-alikes must have the same values, as pieces with equal faces do, and no element of a run may
    have two values.
    """
    groups = family.groups if isinstance(family, Alike) else [c for _, c in family.columns]
    homes: dict[int, list[int]] = {}
    for number, group in enumerate(groups):
        for element in group:
            homes.setdefault(element, []).append(number)
    if isinstance(family, Runs) and any(len(home) > 1 for home in homes.values()):
        return False
    shared: dict[Hashable, list[int]] = {}
    return all(shared.setdefault(look_key(e, twins), home) == home for e, home in homes.items())


def _sizes(family: Subsets) -> range:
    return range(max(family.low, 0), min(family.high, len(family.elements)) + 1)


def _parts(
    group: tuple[int, ...], earlier: Iterable[tuple[int, ...]]
) -> tuple[tuple[frozenset[int], int], ...]:
    """Inclusion and exclusion: the group, minus its intersection with each earlier group.

    Jokers share few elements, so most parts are equal, or too small for a set of two.
    """
    factors = {frozenset(group): 1}
    tried = 0
    for shared in dict.fromkeys(frozenset(group) & frozenset(other) for other in earlier):
        changed = Counter(factors)
        for part, factor in factors.items():
            if len(part & shared) > 1:
                changed[part & shared] -= factor
        factors = {part: factor for part, factor in changed.items() if factor}
        tried += len(factors)
        _limit(tried)
    return tuple(factors.items())


def _stretches(family: Runs) -> list[list[tuple[int, ...]]]:
    """The columns, cut where a value is missing."""
    stretches: list[list[tuple[int, ...]]] = []
    last: int | None = None
    for value, column in family.columns:
        if column:
            if last is None or value != last + 1:
                stretches.append([])
            stretches[-1].append(column)
            last = value
    return stretches


# ---- Listing, where arithmetic is not possible -----------------------------------------------------


def _list(family: Family) -> tuple[Member, ...]:
    """All members, whether or not they look alike."""
    if isinstance(family, Listed):
        return family.members
    if isinstance(family, Runs) and not _is_regular(family, None):
        return _list_runs(family)
    _limit(count(family))
    return tuple(members(family))


def _list_runs(family: Runs) -> tuple[Member, ...]:
    """All runs, each under the lowest value from which it can be laid.

    Runs grow by one column at a time. Several ways can lead to the same set; only the first is kept,
    since the possible extensions depend on the set alone.
    """
    place = {element: number for number, element in enumerate(family.elements)}
    found: dict[frozenset[int], None] = {}
    listed = 0
    for stretch in _stretches(family):
        for low in range(len(stretch)):
            ways: dict[frozenset[int], Member] = {frozenset(): ()}
            for size, column in enumerate(stretch[low:], 1):
                longer: dict[frozenset[int], Member] = {}
                for used, way in ways.items():
                    for element in column:
                        if element not in used:
                            new, laid = used | {element}, (*way, place[element])
                            longer[new] = min(longer.get(new, laid), laid)
                ways = longer
                listed += len(ways)
                _limit(listed)
                if size > 1:
                    found.update(dict.fromkeys(sorted(ways, key=ways.__getitem__)))
    return tuple(tuple(sorted(run, key=place.__getitem__)) for run in found)


# [fault.listing]
def _limit(number: int) -> None:
    if number > MOST_LISTED:
        raise TooMany(f"{number} sets would have to be listed, and {MOST_LISTED} are the most")
