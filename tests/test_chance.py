"""The one source of chance: the same numbers on every machine, and chance that is decided from outside."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from games import from_text, play
from interpreter import chance, machine, stored
from interpreter.errors import IllegalMove
from interpreter.machine import Machine
from interpreter.options import ChanceNode, Decision
from interpreter.state import OVER, State

# ---- Numbers -------------------------------------------------------------------------------------


def test_the_generator_gives_the_numbers_that_the_language_promises() -> None:
    rng, found = 0, []
    for _ in range(3):
        rng, bits = chance.draw(rng)
        found.append(f"{bits:016x}")

    assert found == ["e220a8397b1dcdaf", "6e789e6aa1b965f4", "06c45d188009454f"]


def test_a_shuffle_gives_the_order_that_the_language_promises() -> None:
    rng, order = chance.shuffle(7, range(10))

    assert order == (8, 1, 5, 9, 0, 4, 3, 2, 6, 7)
    assert f"{rng:016x}" == f"{(7 + 9 * 0x9E3779B97F4A7C15) & chance.MASK:016x}"


def test_of_one_nothing_is_drawn() -> None:
    assert chance.below(5, 1) == (5, 0)
    assert chance.shuffle(5, [3]) == (5, (3,))


def test_below_rejects_the_biased_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 3 << 61  # it goes into 2⁶⁴ twice; the last quarter of all numbers is left over
    given = iter([2 * n, chance.MASK, 2 * n + 5, n + 5])
    monkeypatch.setattr(chance, "draw", lambda rng: (rng + 1, next(given)))

    assert chance.below(0, n) == (4, 5)


def test_below_takes_all_numbers_when_there_is_no_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "draw", lambda rng: (rng + 1, chance.MASK))

    assert chance.below(0, 8) == (1, 7)


@pytest.mark.parametrize("n", [2, 3, 7, 10])
def test_numbers_are_about_as_frequent_as_each_other(n: int) -> None:
    rng, found = 11, Counter[int]()
    for _ in range(1000 * n):
        rng, value = chance.below(rng, n)
        found[value] += 1

    assert sorted(found) == list(range(n))
    assert all(850 < count < 1150 for count in found.values())


def test_orders_are_about_as_frequent_as_each_other() -> None:
    rng, found = 3, Counter[tuple[int, ...]]()
    for _ in range(6000):
        rng, order = chance.shuffle(rng, range(3))
        found[order] += 1

    assert set(found) == set(permutations(range(3)))
    assert all(850 < count < 1150 for count in found.values())


# ---- Chance from outside -------------------------------------------------------------------------

HEAD = """\
game "Chance"
players 2..3
enum Suit = clubs, hearts
pieces             | copies
  Card(suit: Suit) | 2
zones  | order | seen by
  deck | pile  | everyone
  bag  | pool  | everyone
  won  | pile  | everyone
state   | type     | start
  trace | 0..99999 | 0
rule setup
  {setup}
rule play
  {play}
"""


def engine_of(setup: str, rules: str, players: int = 2) -> Machine:
    text = HEAD.format(setup="\n  ".join(setup.split("; ")), play="\n  ".join(rules.split("; ")))
    return from_text(text).machine(players)


def distribution(engine: Machine, s: State, weight: Fraction = Fraction(1)) -> Counter[Any]:
    """All ends of a game without choices, each with its probability."""
    if s.pending is None:
        assert s.phase == OVER
        faces = engine.layout.faces
        layout = engine.layout
        won = s.zones[layout.zone_families["won"].base]
        result = s.variables[0], tuple(faces[c] for c in won)
        return Counter({result: weight})
    assert isinstance(s.pending, ChanceNode)
    outcomes = list(s.pending.outcomes())
    assert len(outcomes) == s.pending.count
    assert sum(chances for _, chances in outcomes) == s.pending.total
    found: Counter[Any] = Counter()
    for outcome, chances in outcomes:
        ahead = s.clone()
        machine.decide_chance(engine, ahead, outcome)
        found += distribution(engine, ahead, weight * Fraction(chances, s.pending.total))
    return found


def test_without_a_seed_the_game_waits_for_chance() -> None:
    engine = engine_of("move box to deck; shuffle deck", "random n from 1..6; trace = n", 3)
    s = machine.start(engine, None)

    assert isinstance(s.pending, ChanceNode)
    assert (s.pending.kind, list(s.pending.outcomes())) == ("first", [(0, 1), (1, 1), (2, 1)])
    machine.decide_chance(engine, s, 2)
    assert s.first == 2
    assert isinstance(s.pending, ChanceNode)
    # Two clubs and two hearts: 4! / (2! 2!) orders that differ.
    assert (s.pending.kind, s.pending.count, s.pending.total) == ("shuffle", 6, 6)
    machine.decide_chance(engine, s, next(iter(s.pending.outcomes()))[0])
    assert isinstance(s.pending, ChanceNode)
    assert (s.pending.kind, s.pending.count) == ("random", 6)


def test_what_chance_cannot_decide_is_refused_and_changes_nothing() -> None:
    engine = engine_of("move box to deck; shuffle deck", "random n from 1..6; trace = n")
    s = machine.start(engine, None)
    for outcomes in ((2, -1, None, "0"), ((0, 1, 2), (0, 0, 1, 2), None, 3), (0, 7, "1", None)):
        before = s.value()
        for outcome in outcomes:
            with pytest.raises(IllegalMove):
                machine.decide_chance(engine, s, outcome)
            assert before == s.value()
        with pytest.raises(IllegalMove):
            machine.apply(engine, s, 0)
        assert isinstance(s.pending, ChanceNode)
        machine.decide_chance(engine, s, next(iter(s.pending.outcomes()))[0])

    assert s.phase == OVER


def test_a_state_that_waits_for_chance_can_be_stored() -> None:
    engine = engine_of("move box to deck; shuffle deck", "random n from 1..6; trace = n", 3)
    s = machine.start(engine, None)
    for _ in range(3):
        again = stored.from_json(engine, stored.to_json(engine, s))
        assert s == again
        assert isinstance(s.pending, ChanceNode)
        assert isinstance(again.pending, ChanceNode)
        assert list(s.pending.outcomes()) == list(again.pending.outcomes())
        machine.decide_chance(engine, s, next(iter(s.pending.outcomes()))[0])


def test_look_alikes_are_one_outcome_with_several_chances() -> None:
    engine = engine_of(
        "move box to bag", "random c from bag; move c to won; random d from bag; move d to won"
    )
    s = machine.start(engine, None, 0)

    assert isinstance(s.pending, ChanceNode)
    assert [chances for _, chances in s.pending.outcomes()] == [2, 2]
    # The top of `won` is the second card.
    assert distribution(engine, s) == {
        (0, (0, 0)): Fraction(1, 6),
        (0, (1, 1)): Fraction(1, 6),
        (0, (0, 1)): Fraction(1, 3),
        (0, (1, 0)): Fraction(1, 3),
    }


def test_chances_multiply_along_a_game() -> None:
    engine = engine_of(
        "move box to bag", "random n from 1..3; repeat n: random d from 1..2; trace = n * 10 + d"
    )
    s = machine.start(engine, None, 0)

    assert distribution(engine, s) == {
        (n * 10 + d, ()): Fraction(1, 6) for n in (1, 2, 3) for d in (1, 2)
    }


def test_a_random_set_is_drawn_from_its_family() -> None:
    engine = engine_of("move box to bag", "random pair from subsets(bag, 2); move pair to won")

    found = distribution(engine, machine.start(engine, None, 0))
    same = sum((weight for (_, (one, other)), weight in found.items() if one == other), Fraction(0))
    assert sum(found.values()) == 1
    assert same == Fraction(1, 3)


def test_seeds_follow_the_distribution_of_chance() -> None:
    engine = engine_of(
        "move box to deck; shuffle deck",
        "random n from 0..3; move top(deck, n) to won; trace = n",
    )
    exact = distribution(engine, machine.start(engine, None, 0))
    games = 4000
    frequency: Counter[Any] = Counter()
    for seed in range(games):
        s = play(engine, machine.start(engine, seed, 0), lambda _: 0)
        won = s.zones[engine.layout.zone_families["won"].base]
        frequency[s.variables[0], tuple(engine.layout.faces[c] for c in won)] += 1

    assert set(exact) == set(frequency)
    for end, weight in exact.items():
        expected = games * float(weight)
        assert abs(frequency[end] - expected) < 5 * expected**0.5


def test_choices_and_chance_take_turns() -> None:
    engine = engine_of(
        "move box to bag", "first chooses n from 1..2; random d from 1..2; trace = n + d"
    )
    s = machine.start(engine, None, 0)

    assert isinstance(s.pending, Decision)
    with pytest.raises(IllegalMove):
        machine.decide_chance(engine, s, 1)
    machine.apply(engine, s, 1)
    assert isinstance(s.pending, ChanceNode)
    machine.decide_chance(engine, s, 2)
    assert s.variables[0] == 4
