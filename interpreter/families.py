"""Families of subsets go in; how many members they have, and single members by number, come out.

Implements `subsets`, `alike` and `runs` of docs/language/8-expressions.md, "Built-in names", and of
the options among them only the first of those that look alike. A hand of forty cards has more
subsets than anybody can list, so a family is a row of blocks in the order of its members, and a
block counts and numbers its members by arithmetic. What a piece is worth, and which pieces look
alike, is for the caller to say.

`twins` maps an element to the key of those that look like it; one without a key is its own key.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, chain, combinations
from math import comb, prod
from typing import assert_never

from attrs import frozen

from rulespec.limits import MOST_LISTED

Twins = Mapping[int, Hashable] | None
Member = tuple[int, ...]
Look = Counter[Hashable]


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
    """`alike(S, a)`: for each value, in canonical order, the elements that have it, as in S."""

    elements: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]


@frozen
class Runs:
    """`runs(S, a)`: values, ascending, with the elements that have them, as in S."""

    elements: tuple[int, ...]
    columns: tuple[tuple[int, tuple[int, ...]], ...]


@frozen
class Listed:
    """A family that had to be listed, for example to filter it; in order, each member once."""

    members: tuple[Member, ...]


Family = Subsets | Alike | Runs | Listed


@frozen
class Growth:
    """How a selection made element by element can go on; `more` contains only the first of several look-alikes."""

    more: tuple[int, ...]
    complete: bool


@frozen
class _Picks:
    """The sets of one size out of a group, without those that an earlier group has.

    The factors of all parts that contain a set add up to 1, or to 0 if an earlier group has it, so
    that sums over the parts count just the sets that remain.
    """

    group: tuple[int, ...]
    size: int
    parts: tuple[tuple[frozenset[int], int], ...]


@frozen
class _Product:
    """One element out of each column; the columns have look-alikes once."""

    elements: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]


_Block = _Picks | _Product | Listed


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
    return sum(_size(block, twins) for block in _blocks(family, twins))


@lru_cache(maxsize=10_000)
def _known_count(family: Family) -> int:
    """The same hand is looked at again and again: whether it has a meld, and how many."""
    return _count(family, None)


def member(family: Family, n: int, twins: Twins = None) -> Member:
    """The member with this number, from 0."""
    left = n
    for block in _blocks(family, twins) if n >= 0 else ():
        size = _size(block, twins)
        if left < size:
            return _nth(block, left, twins)
        left -= size
    raise IndexError(f"the family has no member {n}")


def member_number(family: Family, chosen: Collection[int], twins: Twins = None) -> int | None:
    """The number of the member that is, or looks like, what was chosen; none if there is none."""
    look = _look(set(chosen), twins)
    before = 0
    for block in _blocks(family, twins):
        place = _place(block, look, twins)
        if place is not None:
            return before + place
        before += _size(block, twins)
    return None


def members(family: Family, twins: Twins = None) -> Iterator[Member]:
    """All members in order."""
    return chain.from_iterable(_walk(block, twins) for block in _blocks(family, twins))


def sample(family: Family, below: Callable[[int], int], twins: Twins = None) -> Member:
    """A random member, of a family that has one; `below(n)` is a random number from 0 to n - 1."""
    return member(family, below(count(family, twins)), twins)


def growth(family: Family, chosen: Collection[int], twins: Twins = None) -> Growth:
    """The elements by which a selection can grow towards a member, and whether it is already a member."""
    look = _look(set(chosen), twins)
    offered: set[int] = set()
    wanted: set[Hashable] = set()
    for frame in _frames(family, look, twins):
        room = _look(frame, twins)
        offered.update(frame)
        wanted.update(room - look if look <= room else ())
    elements = chain(*family.members) if isinstance(family, Listed) else family.elements
    free = (element for element in elements if element in offered and element not in chosen)
    more = _earliest(free, Counter(wanted), twins)
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
                # A run takes one element of a column, so a used column offers nothing else.
                used = [[e for e in column if _key(e, twins) in look][:1] for column in stretch]
                if len(stretch) > 1:
                    yield [*chain(*(u or column for u, column in zip(used, stretch, strict=True)))]
        case _:
            yield from _list(family)


# ---- From a family to its blocks -------------------------------------------------------------------


def _blocks(family: Family, twins: Twins) -> Iterator[_Block]:
    match family:
        case Subsets(elements):
            for size in _sizes(family):
                yield _Picks(elements, size, ((frozenset(elements), 1),))
        case Alike(_, groups) if _is_regular(family, twins):
            tried = 0
            for number, group in enumerate(groups):
                parts = _parts(group, groups[:number])
                tried += len(parts)
                _limit(tried)
                for size in range(2, len(group) + 1):
                    yield _Picks(group, size, parts)
        case Runs(elements) if _is_regular(family, twins):
            for stretch in _stretches(family):
                columns = [_earliest(c, Counter({*_look(c, twins)}), twins) for c in stretch]
                for low in range(len(columns)):
                    for end in range(low + 2, len(columns) + 1):
                        yield _Product(elements, tuple(columns[low:end]))
        case Listed() if not twins:
            yield family
        case _:
            first: dict[frozenset[tuple[Hashable, int]], Member] = {}
            for listed in _list(family):
                first.setdefault(frozenset(_look(listed, twins).items()), listed)
            yield Listed(tuple(first.values()))


def _is_regular(family: Alike | Runs, twins: Twins) -> bool:
    """Whether arithmetic will do.

    Look-alikes have to have the same values, as pieces with equal faces have, and in a run nothing
    may have two values.
    """
    groups = family.groups if isinstance(family, Alike) else [c for _, c in family.columns]
    homes: dict[int, list[int]] = {}
    for number, group in enumerate(groups):
        for element in group:
            homes.setdefault(element, []).append(number)
    if isinstance(family, Runs) and any(len(home) > 1 for home in homes.values()):
        return False
    shared: dict[Hashable, list[int]] = {}
    return all(shared.setdefault(_key(e, twins), home) == home for e, home in homes.items())


def _sizes(family: Subsets) -> range:
    return range(max(family.low, 0), min(family.high, len(family.elements)) + 1)


def _parts(
    group: tuple[int, ...], earlier: Iterable[tuple[int, ...]]
) -> tuple[tuple[frozenset[int], int], ...]:
    """Inclusion and exclusion: the group, less what it shares with each earlier one.

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


# ---- Listing, where arithmetic will not do ---------------------------------------------------------


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

    Runs grow by a column at a time. A set can be laid in several ways; only the first is kept, since
    what may follow depends on the set alone.
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


# ---- A block ---------------------------------------------------------------------------------------


def _size(block: _Block, twins: Twins) -> int:
    match block:
        case _Picks():
            return sum(
                factor * _selections(_rooms(block, part, twins), block.size)
                for part, factor in block.parts
            )
        case _Product(_, columns):
            return prod(map(len, columns))
        case Listed():
            return len(block.members)
        case _:
            assert_never(block)


def _nth(block: _Block, n: int, twins: Twins) -> Member:
    match block:
        case _Picks(group, size, parts):
            if not twins and len(parts) == 1:
                return _nth_subset(group, size, n)
            return _decide(block, lambda _, end: n < end, twins)[0]
        case _Product(elements, columns):
            picked = set()
            for column in reversed(columns):
                n, digit = divmod(n, len(column))
                picked.add(column[digit])
            return tuple(e for e in elements if e in picked)
        case Listed():
            return block.members[n]
        case _:
            assert_never(block)


def _place(block: _Block, look: Look, twins: Twins) -> int | None:
    """The number within the block of the member with this look."""
    match block:
        case _Picks(group, size):
            first = _earliest(group, look, twins)
            if not len(first) == size == look.total() or not _belongs(first, block):
                return None
            return _decide(block, lambda element, _: element in first, twins)[1]
        case _Product(_, columns):
            place = 0
            for column in columns:
                digits = [d for d, e in enumerate(column) if _key(e, twins) in look]
                if not digits:
                    return None
                place = place * len(column) + digits[0]
            return place if look.total() == len(columns) else None
        case Listed():
            same = (n for n, m in enumerate(block.members) if _look(m, twins) == look)
            return next(same, None)
        case _:
            assert_never(block)


def _walk(block: _Block, twins: Twins) -> Iterator[Member]:
    if isinstance(block, _Picks) and not twins:
        return (m for m in combinations(block.group, block.size) if _belongs(m, block))
    if isinstance(block, _Picks):
        return _walk_picks(block, twins)
    return (_nth(block, n, twins) for n in range(_size(block, twins)))


# ---- Picks: decide element by element --------------------------------------------------------------


def _decide(block: _Picks, takes: Callable[[int, int], bool], twins: Twins) -> tuple[Member, int]:
    """A member, and how many come before it.

    The sets with an element come before those without it: `takes` is told the element and the
    number at which those without it begin. The first of several look-alike sets has the first of
    the look-alike elements; so once an element is left out, its look is shut.
    """
    taken: list[int] = []
    shut: set[Hashable] = set()
    before = 0
    # For each part that contains all taken elements: the elements still ahead in it that are not shut.
    ahead = [(part, factor, _rooms(block, part, twins)) for part, factor in block.parts]
    for element in block.group:
        if len(taken) == block.size:
            break
        key = _key(element, twins)
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
    """The member with a number where nothing looks like anything else.

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


def _rooms(block: _Picks, part: Collection[int], twins: Twins) -> dict[Hashable, int]:
    """How many elements in one part of the group have each look."""
    return _look((each for each in block.group if each in part), twins)


def _walk_picks(block: _Picks, twins: Twins) -> Iterator[Member]:
    """The members in order, each computed from the previous one."""
    group, size = block.group, block.size
    keys = [_key(element, twins) for element in group]
    places = _filled([], 0, set(), keys, size)
    while places is not None:
        picked = tuple([group[place] for place in places])
        if _belongs(picked, block):
            yield picked
        places = _following(places, keys, size)


def _following(places: list[int], keys: list[Hashable], size: int) -> list[int] | None:
    """The next set: it leaves out the last element without which there is still one."""
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
    """The first set that begins so: of what follows, the first that is not shut."""
    found = kept[:]
    for place in range(start, len(keys)):
        if len(found) == size:
            break
        if keys[place] not in shut:
            found.append(place)
    return found if len(found) == size else None


def _selections(rooms: Mapping[Hashable, int], size: int) -> int:
    """The number of ways to take so many elements, with at most its room of each kind.

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


def _belongs(picked: Collection[int], block: _Picks) -> bool:
    return sum(factor for part, factor in block.parts if part.issuperset(picked)) == 1


# ---- Looks -----------------------------------------------------------------------------------------


def _key(element: int, twins: Twins) -> Hashable:
    key = None if twins is None else twins.get(element)
    return element if key is None else key


def _look(elements: Iterable[int], twins: Twins) -> Look:
    """The look of a set: two sets look alike if this is equal."""
    return Counter(_key(element, twins) for element in elements)


def _earliest(elements: Iterable[int], look: Look, twins: Twins) -> Member:
    """The first elements with these looks, as far as there are any."""
    missing = look.copy()
    first = []
    for element in elements:
        key = _key(element, twins)
        if missing[key]:
            missing[key] -= 1
            first.append(element)
    return tuple(first)
