"""Families of subsets: what is counted and numbered by arithmetic is what listing would give."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable
from itertools import chain, combinations, permutations
from math import comb

import pytest
from attrs import evolve, frozen
from hypothesis import example, given
from hypothesis import strategies as st

from interpreter import families
from interpreter.families import Alike, Family, Growth, Runs, Subsets
from interpreter.family_blocks import Listed

Member = tuple[int, ...]
Values = dict[int, frozenset[int]]
Twins = dict[int, Hashable] | None


@frozen
class Case:
    """A family, all its members as the definition has them, and which elements look alike."""

    family: Family
    listed: tuple[Member, ...]
    elements: Member
    twins: Twins


# ---- The definitions, without any cleverness -------------------------------------------------------


def powerset(elements: Collection[int]) -> list[Member]:
    sizes = range(len(elements) + 1)
    return list(chain.from_iterable(combinations(elements, size) for size in sizes))


def places(elements: Member, subset: Iterable[int]) -> Member:
    return tuple(elements.index(element) for element in subset)


def alike(elements: Member, values: Values) -> tuple[Member, ...]:
    found = []
    for subset in powerset(elements):
        common = frozenset.intersection(*(values[e] for e in subset)) if len(subset) > 1 else ()
        if common:
            found.append((min(common), len(subset), places(elements, subset), subset))
    return tuple(subset for *_, subset in sorted(found))


def runs(elements: Member, values: Values) -> tuple[Member, ...]:
    found = []
    for subset in powerset(elements):
        ways = [
            (low, len(subset), places(elements, laid))
            for laid in permutations(subset)
            for low in (values[laid[0]] if len(subset) > 1 else ())
            if all(low + step in values[element] for step, element in enumerate(laid))
        ]
        if ways:
            found.append((min(ways), subset))
    return tuple(subset for _, subset in sorted(found))


def columns(elements: Member, values: Values) -> tuple[tuple[int, Member], ...]:
    every = sorted(frozenset().union(*values.values()))
    return tuple((v, tuple(e for e in elements if v in values[e])) for v in every)


def look(case: Case, subset: Iterable[int]) -> Counter[Hashable]:
    keys = {element: (case.twins or {}).get(element) for element in subset}
    return Counter(element if key is None else key for element, key in keys.items())


def first_looks(case: Case) -> list[Member]:
    first: dict[frozenset[tuple[Hashable, int]], Member] = {}
    for member in case.listed:
        first.setdefault(frozenset(look(case, member).items()), member)
    return list(first.values())


def grow(case: Case, chosen: Member) -> Growth:
    have = look(case, chosen)
    goals = [look(case, member) for member in case.listed]
    taking_part = frozenset(chain(*case.listed))
    more: dict[Hashable, int] = {}
    for element in case.elements:
        (key,) = look(case, [element])
        can_grow = any(have + Counter([key]) <= goal for goal in goals)
        if can_grow and element in taking_part and element not in chosen:
            more.setdefault(key, element)
    return Growth(tuple(more.values()), have in goals)


# ---- Small cases of every kind ---------------------------------------------------------------------


def make(kind: str, elements: Member, values: Values, twins: Twins) -> Case:
    """All members of that kind; sizes and filters are for the strategy."""
    groups = columns(elements, values)
    if kind == "alike":
        family: Family = Alike(elements, tuple(group for _, group in groups))
        return Case(family, alike(elements, values), elements, twins)
    if kind == "runs":
        return Case(Runs(elements, groups), runs(elements, values), elements, twins)
    return Case(Subsets(elements, 0, len(elements)), tuple(powerset(elements)), elements, twins)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    elements = tuple(draw(st.permutations(range(draw(st.sampled_from([0, 1, 3, 4, 5, 6]))))))
    most = draw(st.sampled_from([1, 1, 2, 3]))  # more than one value makes a joker
    face = st.frozensets(st.integers(0, 3), max_size=most)
    faces = draw(st.lists(face, min_size=1, max_size=6))
    number_of = {element: draw(st.integers(0, len(faces) - 1)) for element in elements}
    values = {element: faces[number] for element, number in number_of.items()}
    equal_faces: Twins = {element: f"face {number}" for element, number in number_of.items()}
    strange: st.SearchStrategy[Hashable] = st.sampled_from([None, 0, 1, "a"])  # unlike faces
    any_keys = st.fixed_dictionaries({}, optional=dict.fromkeys(elements, strange))
    twins = draw(st.one_of(st.none(), st.just(equal_faces), any_keys))
    kind = draw(st.sampled_from(["alike", "runs", "subsets", "listed"]))
    case = make(kind, elements, values, twins)
    if kind in {"alike", "runs"}:
        return case
    low, high = draw(st.integers(-1, 3)), draw(st.integers(-1, 7))
    members = tuple(member for member in case.listed if low <= len(member) <= high)
    if kind == "subsets":
        return evolve(case, family=Subsets(elements, low, high), listed=members)
    kept = tuple(member for member in members if draw(st.booleans()))
    seen = tuple(dict.fromkeys(chain(*kept)))
    return Case(Listed(kept), kept, seen, twins)


def printed(*faces: str) -> Values:
    """Elements from 0, with the digits of their face as values."""
    return {number: frozenset(map(int, face)) for number, face in enumerate(faces)}


HARD = [
    # Two of one value cannot be in one run.
    make("runs", (2, 0, 1, 3), printed("0", "0", "1", "2"), None),
    # Jokers: several values are shared with several others.
    make("alike", (0, 1, 2, 3, 4, 5), printed("0123", "123", "0123", "03", "13", "23"), None),
    make("alike", (0, 1, 2, 3, 4, 5), printed("012", "012", "01", "02", "12", "12"), {5: 4, 1: 0}),
    make("runs", (3, 1, 4, 0, 2), printed("0123", "01", "0123", "1", "3"), {2: 0}),
    # Look-alikes with different values, or one without any.
    make("alike", (3, 0, 1, 2), printed("0", "0", "1", ""), {0: "a", 3: "a"}),
    make("runs", (3, 0, 1, 2), printed("0", "1", "2", ""), {0: "a", 2: "a", 3: "a"}),
]


def also_hard(test: Callable[[Case], None]) -> Callable[[Case], None]:
    for case in HARD:
        test = example(case)(test)
    return test


@also_hard
@given(cases())
def test_members_are_those_of_the_definition_in_its_order(case: Case) -> None:
    assert first_looks(case) == list(families.members(case.family, case.twins))


@also_hard
@given(cases())
def test_counting_and_numbering_agree_with_listing(case: Case) -> None:
    expected = first_looks(case)

    total = families.count(case.family, case.twins)

    assert len(expected) == total
    assert expected == [families.member(case.family, n, case.twins) for n in range(total)]
    for beyond in (-1, total, total + 1):
        with pytest.raises(IndexError):
            families.member(case.family, beyond, case.twins)


@also_hard
@given(cases())
def test_a_set_has_the_number_of_the_first_member_that_looks_like_it(case: Case) -> None:
    numbers = [look(case, member) for member in first_looks(case)]
    for chosen in [*powerset(case.elements), (77,), *((*m, 77) for m in case.listed)]:
        wanted = look(case, chosen)
        expected = numbers.index(wanted) if wanted in numbers else None

        assert expected == families.member_number(case.family, chosen, case.twins)
        assert expected == families.member_number(case.family, [*chosen, *chosen], case.twins)


@also_hard
@given(cases())
def test_a_selection_grows_towards_members_and_nowhere_else(case: Case) -> None:
    for chosen in [*powerset(case.elements), (77,)]:
        assert grow(case, chosen) == families.growth(case.family, chosen, case.twins)


# ---- The rules' own example ------------------------------------------------------------------------


def test_a_hand_has_the_melds_that_the_rules_say() -> None:
    hand = (0, 1, 2, 3, 4, 5)  # lust 1, 2, 5, 7, greed 3, sloth 3
    by_value = ((1, (0,)), (2, (1,)), (3, (4, 5)), (5, (2,)), (7, (3,)))

    assert families.count(Subsets(hand, 1, 1)) == 6
    assert families.count(Alike(hand, ((0, 1, 2, 3), (4,), (5,)))) == 11
    assert families.count(Alike(hand, tuple(column for _, column in by_value))) == 1
    assert families.count(Runs(hand, by_value)) == 5
    assert list(families.members(Runs(hand, by_value))) == [
        (0, 1),
        (0, 1, 4),
        (0, 1, 5),
        (1, 4),
        (1, 5),
    ]


# ---- Large families --------------------------------------------------------------------------------

FORTY = tuple(range(40))
FOURS: dict[int, Hashable] = {element: element % 10 for element in FORTY}
JOKERS = tuple(range(200, 220))
COLOURS = tuple((*range(20 * n, 20 * n + 12), *JOKERS[n:]) for n in range(7))
WISE = Alike(tuple(dict.fromkeys(chain(*COLOURS))), COLOURS)
DECK = tuple(range(60))
VALUES = tuple((value, DECK[4 * value : 4 * value + 4]) for value in range(15))
PAIRS: dict[int, Hashable] = {element: element // 2 for element in DECK}
BLANKS: dict[int, Hashable] = dict.fromkeys(range(100), "blank")


@pytest.mark.parametrize(
    ("family", "twins", "total"),
    [
        (Subsets(FORTY, 0, 40), None, 2**40),
        (Subsets(FORTY, 20, 20), None, comb(40, 20)),
        (Subsets(FORTY, 0, 40), FOURS, 5**10),
        (Subsets(tuple(range(100)), 0, 100), BLANKS, 101),
        (Alike(FORTY, (FORTY[:30], FORTY[30:])), None, 2**30 + 2**10 - 42),
        (Runs(DECK, VALUES), None, sum((16 - n) * 4**n for n in range(2, 16))),
        (Runs(DECK, VALUES), PAIRS, sum((16 - n) * 2**n for n in range(2, 16))),
    ],
)
def test_large_families_are_counted(family: Family, twins: Twins, total: int) -> None:
    assert total == families.count(family, twins)


@pytest.mark.parametrize(
    ("family", "twins"),
    [
        (Subsets(FORTY, 0, 40), None),
        (Subsets(FORTY, 3, 37), FOURS),
        (Subsets(tuple(range(100)), 0, 100), None),
        (WISE, None),
        (WISE, {element: element // 4 for element in WISE.elements if element < 200}),
        (Runs(DECK, VALUES), None),
        (Runs(DECK, VALUES), PAIRS),
    ],
)
def test_members_of_large_families_have_their_number(family: Family, twins: Twins) -> None:
    total = families.count(family, twins)
    for n in (0, 1, total // 3, total // 2, total - 2, total - 1):
        member = families.member(family, n, twins)

        assert n == families.member_number(family, member, twins)
        assert families.growth(family, member, twins).complete
        for last in member[-1:]:
            assert last in families.growth(family, member[:-1], twins).more


def test_a_set_of_jokers_belongs_to_the_first_colour_only() -> None:
    first = 2**32 - 33  # all of the first group, which has twelve cards and twenty jokers
    later = [2 ** (12 + 20 - n) - 2 ** (20 - n) - 12 for n in range(1, 7)]

    assert families.count(WISE) == first + sum(later)
    assert families.member(WISE, first) == (20, 21)


def test_what_cannot_be_counted_is_not_listed_without_end() -> None:
    wild = Runs(FORTY, tuple((value, FORTY) for value in range(40)))
    strange: dict[int, Hashable] = {0: "a", 39: "a"}

    with pytest.raises(families.TooMany):
        families.count(wild)
    with pytest.raises(families.TooMany):
        families.growth(Alike(FORTY, (FORTY[:20], FORTY[20:])), (), strange)
