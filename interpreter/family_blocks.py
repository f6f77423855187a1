"""A block of a family of subsets goes in; its size, its members by number, and the number of a member come out.

A family is a sequence of blocks in the order of its members (`families`). Blocks are too large to list, so arithmetic
finds their members; only `Listed` holds a list. Sets that look alike count once: `twins` maps an element to a key that
all its look-alikes share; an element without a key is its own key.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from itertools import accumulate, combinations
from math import comb, prod
from typing import assert_never

from attrs import frozen

Twins = Mapping[int, Hashable] | None
Member = tuple[int, ...]
Look = Counter[Hashable]


@frozen
class Listed:
    """A family that must be listed, for example to filter it; in order, each member once."""

    members: tuple[Member, ...]


@frozen
class Picks:
    """The sets of one size from a group, without those that an earlier group has.

    The factors of all parts that contain a set add up to 1, or to 0 if an earlier group has it, so
    that sums over the parts count just the sets that remain.
    """

    group: tuple[int, ...]
    size: int
    parts: tuple[tuple[frozenset[int], int], ...]


@frozen
class Product:
    """The sets with one element of each column; each column contains only the first of several look-alikes."""

    elements: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]


Block = Picks | Product | Listed


# ---- A block ---------------------------------------------------------------------------------------


def block_size(block: Block, twins: Twins) -> int:
    match block:
        case Picks():
            return sum(
                factor * _selections(_rooms(block, part, twins), block.size)
                for part, factor in block.parts
            )
        case Product(_, columns):
            return prod(map(len, columns))
        case Listed():
            return len(block.members)
        case _:
            assert_never(block)


def nth_member(block: Block, n: int, twins: Twins) -> Member:
    match block:
        case Picks(group, size, parts):
            if not twins and len(parts) == 1:
                return _nth_subset(group, size, n)
            return _decide(block, lambda _, end: n < end, twins)[0]
        case Product(elements, columns):
            picked = set()
            for column in reversed(columns):
                n, digit = divmod(n, len(column))
                picked.add(column[digit])
            return tuple(e for e in elements if e in picked)
        case Listed():
            return block.members[n]
        case _:
            assert_never(block)


def number_in_block(block: Block, look: Look, twins: Twins) -> int | None:
    """The number within the block of the member with this look."""
    match block:
        case Picks(group, size):
            first = earliest_with(group, look, twins)
            if not len(first) == size == look.total() or not _belongs(first, block):
                return None
            return _decide(block, lambda element, _: element in first, twins)[1]
        case Product(_, columns):
            place = 0
            for column in columns:
                digits = [d for d, e in enumerate(column) if look_key(e, twins) in look]
                if not digits:
                    return None
                place = place * len(column) + digits[0]
            return place if look.total() == len(columns) else None
        case Listed():
            same = (n for n, m in enumerate(block.members) if look_of_set(m, twins) == look)
            return next(same, None)
        case _:
            assert_never(block)


def walk_block(block: Block, twins: Twins) -> Iterator[Member]:
    if isinstance(block, Picks) and not twins:
        return (m for m in combinations(block.group, block.size) if _belongs(m, block))
    if isinstance(block, Picks):
        return _walk_picks(block, twins)
    return (nth_member(block, n, twins) for n in range(block_size(block, twins)))


# ---- Picks: decide element by element --------------------------------------------------------------


def _decide(block: Picks, takes: Callable[[int, int], bool], twins: Twins) -> tuple[Member, int]:
    """A member, and how many members come before it.

    The sets with an element come before those without it: `takes` is told the element and the
    number at which those without it begin. The first of several look-alike sets has the first of
    the look-alike elements; so once an element is left out, its look-alikes are excluded.
    """
    taken: list[int] = []
    shut: set[Hashable] = set()
    before = 0
    # For each part that contains all taken elements: its later elements that are not excluded.
    ahead = [(part, factor, _rooms(block, part, twins)) for part, factor in block.parts]
    for element in block.group:
        if len(taken) == block.size:
            break
        key = look_key(element, twins)
        if key in shut:
            continue
        with_it = [each for each in ahead if element in each[0]]
        for _, _, rooms in with_it:
            rooms[key] -= 1
        left = block.size - len(taken) - 1
        ways = sum(factor * _selections(rooms, left) for _, factor, rooms in with_it)
        if takes(element, before + ways):
            taken.append(element)
            ahead = with_it
        else:
            before += ways
            shut.add(key)
            for _, _, rooms in ahead:
                rooms.pop(key, None)
    return tuple(taken), before


def _nth_subset(group: Member, size: int, n: int) -> Member:
    """The member with a number, if no two elements look alike.

    >>> _nth_subset((5, 6, 7, 8), 2, 3)
    (6, 7)
    """
    taken: list[int] = []
    for place, element in enumerate(group, 1):
        if len(taken) == size:
            break
        ways = comb(len(group) - place, size - len(taken) - 1)
        if n < ways:
            taken.append(element)
        else:
            n -= ways
    return tuple(taken)


def _rooms(block: Picks, part: Collection[int], twins: Twins) -> dict[Hashable, int]:
    """How many elements in one part of the group have each look."""
    return look_of_set((each for each in block.group if each in part), twins)


def _walk_picks(block: Picks, twins: Twins) -> Iterator[Member]:
    """The members in order, each computed from the previous one."""
    group, size = block.group, block.size
    keys = [look_key(element, twins) for element in group]
    places = _filled([], 0, set(), keys, size)
    while places is not None:
        picked = tuple([group[place] for place in places])
        if _belongs(picked, block):
            yield picked
        places = _following(places, keys, size)


def _following(places: list[int], keys: list[Hashable], size: int) -> list[int] | None:
    """The next set: it leaves out the last element that can be left out."""
    for last in reversed(range(len(places))):
        kept, left_out = places[:last], places[last]
        shut = {keys[place] for place in {*range(left_out + 1)}.difference(kept)}
        found = _filled(kept, left_out + 1, shut, keys, size)
        if found is not None:
            return found
    return None


def _filled(
    kept: list[int], start: int, shut: Collection[Hashable], keys: list[Hashable], size: int
) -> list[int] | None:
    """The first set with these first elements, filled up with the next elements that are not excluded."""
    found = kept[:]
    for place in range(start, len(keys)):
        if len(found) == size:
            break
        if keys[place] not in shut:
            found.append(place)
    return found if len(found) == size else None


def _selections(rooms: Mapping[Hashable, int], size: int) -> int:
    """The number of ways to take `size` elements, of each look at most as many as there are.

    It is a coefficient of the product of 1 + x + … + x^room over all kinds.
    """
    several = [room for room in rooms.values() if room > 1]
    ones = sum(rooms.values()) - sum(several)
    if not several:
        return comb(ones, size)
    ways = [comb(ones, n) for n in range(size + 1)]
    for room in several:
        sums = [0, *accumulate(ways)]
        ways = [sums[n + 1] - sums[max(0, n - room)] for n in range(size + 1)]
    return ways[size]


def _belongs(picked: Collection[int], block: Picks) -> bool:
    return sum(factor for part, factor in block.parts if part.issuperset(picked)) == 1


# ---- Looks -----------------------------------------------------------------------------------------


def look_key(element: int, twins: Twins) -> Hashable:
    key = None if twins is None else twins.get(element)
    return element if key is None else key


def look_of_set(elements: Iterable[int], twins: Twins) -> Look:
    """The look of a set: two sets look alike if this is equal."""
    return Counter(look_key(element, twins) for element in elements)


def earliest_with(elements: Iterable[int], look: Look, twins: Twins) -> Member:
    """For each of these looks, the first elements that have it, as far as there are any."""
    missing = look.copy()
    first = []
    for element in elements:
        key = look_key(element, twins)
        if missing[key]:
            missing[key] -= 1
            first.append(element)
    return tuple(first)
