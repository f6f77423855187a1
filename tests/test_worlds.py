"""Imagined worlds are possible ones, and as frequent as they are probable."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from games import TABLES, Table, at_random, from_text, shipped
from interpreter.dice import Dice
from interpreter.errors import RuleFault
from interpreter.machine import Machine, apply, decide_chance
from interpreter.match import Game, Match
from interpreter.options import ChanceNode, Decision
from interpreter.views import Information, Observation, by_face
from interpreter.worlds import Mind, Sampler, World, sampler, sampler_of_reference
from interpreter.worlds.fast import Unimagined, find_mind
from interpreter.worlds.observed_replay import ObservedReplay, overheard, start_again
from sizes import few, few_alone, some, tries

# ---- Possible ------------------------------------------------------------------------------------


def assert_explains(machine: Machine, known: Information, world: World) -> None:
    """Played again from the start, decision by decision, the world gives the player what is known."""
    to = ObservedReplay(machine, known)
    state = start_again(to)
    heard: list[Observation] = [each for each, _ in overheard(to, state)]
    for kind, value in world.decided:
        pending = state.pending
        if isinstance(pending, ChanceNode):
            assert kind in ("random", "shuffle")
            decide_chance(machine, state, value)
        else:
            assert isinstance(pending, Decision)
            # What was chosen is one of the options that the rules give at that moment.
            number = next(n for n, v in enumerate(pending.options) if _same(v, value))
            apply(machine, state, number)
        heard += [each for each, _ in overheard(to, state)]
    assert tuple(heard) == known.log
    asked = state.pending
    assert isinstance(asked, Decision)
    assert asked.player == known.player
    question = known.question
    assert question is not None
    layout = machine.layout
    seen = [by_face(layout, each.value, asked.of) for each in asked.listed()]
    assert seen == [face for face, _ in question.options]
    assert len(asked.options) == question.count
    assert state == world.state


def _same(option: Any, value: Any) -> bool:
    both = isinstance(option, tuple) and isinstance(value, tuple)
    return set(option) == set(value) if both else bool(option == value)


def some_questions(game: Game, players: int, seed: int, every: int) -> Iterator[Match]:
    """A random game, looked at now and then."""
    match, policy = game.start(players, seed), at_random(seed)
    number = 0
    while not match.over and match.decision is not None:
        number += 1
        if number % every == 0:
            yield match
        match.apply(policy(match.decision))


def assert_worlds_are_possible(table: Table, seed: int, every: int, worlds: int) -> int:
    name, variants, players = table
    game = shipped(name, variants)
    machine = game.machine(players)
    made = 0
    earlier: dict[int, Sampler] = {}
    # As bots do, all questions are looked at: from one to the next a world is found, late in a long game hardly.
    for number, match in enumerate(some_questions(game, players, seed, 1)):
        assert match.decision is not None
        player = match.decision.player
        known = match.information(player)
        earlier[player] = found = sampler(machine, known, seed, earlier.get(player))
        for _ in range(worlds if number % every == 0 else 0):
            assert_explains(machine, known, found.world())
            made += 1
    return made


@given(st.sampled_from(TABLES), st.integers(0, 2**32), st.integers(0, 120))
@settings(max_examples=tries(8, soak=16))
def test_every_world_is_played_by_the_rules_and_looks_the_same_to_the_player(
    table: Table, seed: int, late: int
) -> None:
    name, variants, players = table
    game = shipped(name, variants)
    # A game may be shorter than that: its questions are counted, and then as many of them are left out.
    questions = sum(1 for _ in some_questions(game, players, seed, 1))
    match = next(some_questions(game, players, seed, late % questions + 1))
    assert match.decision is not None
    machine, known = game.machine(players), match.information(match.decision.player)
    found = sampler(machine, known, seed)
    for _ in range(3):
        assert_explains(machine, known, found.world())


@pytest.mark.parametrize("name", ["crazy_eights.rules", "gin_rummy.rules"])
def test_worlds_of_questions_with_cards_and_actions_are_possible(name: str) -> None:
    game = shipped(name)
    machine = game.machine(2)
    earlier: dict[int, Sampler | Mind] = {}
    for number, match in enumerate(some_questions(game, 2, 0, 1)):
        if number == tries(16, soak=200):
            break
        assert match.decision is not None
        player = match.decision.player
        known = match.information(player)
        found = sampler(machine, known, 0, earlier.get(player), patient=False)
        earlier[player] = found
        assert_explains(machine, known, found.world())


@pytest.mark.parametrize(("name", "players"), [("go_fish.rules", 3), ("president.rules", 4)])
def test_what_no_past_explains_is_given_up(name: str, players: int) -> None:
    """Changes that lead back and forth in the middle of a past would go on for ever."""
    game = shipped(name)
    match = next(some_questions(game, players, 3, 60))
    assert match.decision is not None
    known = match.information(match.decision.player)
    log, middle = known.log, len(known.log) // 2
    impossible = evolve(known, log=(*log[:middle], log[middle], *log[middle:]))
    mind = find_mind(game.machine(players), 5)
    assert mind is not None

    with pytest.raises(Unimagined):
        mind.explain(impossible, lambda: True)


@pytest.mark.soak
@pytest.mark.parametrize("table", few_alone(TABLES, 6), ids=str)
def test_thousands_of_worlds_are_possible(table: Table) -> None:
    wanted, made, seed = some(2_800), 0, 1
    while made < wanted:
        made += assert_worlds_are_possible(table, seed, every=7, worlds=20)
        seed += 1


def test_worlds_follow_from_what_is_known_and_a_seed() -> None:
    game = shipped("siegel.rules")
    machine = game.machine(3)

    def worlds(seed: int) -> list[Any]:
        """Of a game that is played anew each time, by whoever is asked."""
        match = next(some_questions(game, 3, seed=4, every=40))
        assert match.decision is not None
        found = sampler(machine, match.information(match.decision.player), seed)
        return [found.world().decided for _ in range(3)]

    assert worlds(9) == worlds(9)
    assert worlds(9) != worlds(10)


# ---- Probable ------------------------------------------------------------------------------------

HEAD = """\
game "Small"
players {players}..{players}
enum Suit = clubs, hearts
pieces                          | copies
  Card(suit: Suit, value: 1..{high}) | {copies}
zones            | order | seen by
  deck           | pile  | nobody
  hand[Player]   | pool  | owner
  table          | pool  | everyone
  away[Player]   | pool  | nobody
  front[Player]  | pool  | everyone
state            | type  | start
  count          | 0..99 | 0
  wish[Player]   | Suit? | none
rule setup
  move box[Card] to deck
  shuffle deck
"""

# A void: who does not follow has none.
TRICK = """
rule play
  repeat 2
    for p in Player: move top(deck) to hand[p]
  first chooses led from hand[first] "Lead?"
  move led to table
  for p in others(first)
    p chooses card from hand[p] where it.suit == led.suit or #hand[p][led.suit] == 0 "Follow?"
    move card to table
  first chooses last from 0..1 "Done?"
  count = last
"""

# Hidden choices: what is passed on is not seen, and what is declined is not told.
GIFT = """
rule play
  repeat 2
    for p in Player: move top(deck) to hand[p]
  for p in others(first)
    p may choose gift from hand[p][hearts] "A gift?" or "nothing"
    if gift != none: move gift to away[p]
  for p in others(first)
    p chooses card from hand[p] "Show?"
    move card to front[p]
  first chooses last from 0..1 "Done?"
  count = last
"""

# Chance that nobody sees: a card is drawn out of a hand.
STEAL = """
rule play
  repeat 2
    for p in Player: move top(deck) to hand[p]
  for p in others(first)
    random card from hand[p]
    move card to away[p]
    move hand[p] to front[p]
  first chooses last from 0..1 "Done?"
  count = last
"""

# Sealed choices, of which only those are told that were made.
SEALED = """
rule play
  repeat 2
    for p in Player: move top(deck) to hand[p]
  each p in others(first) may choose wish[p] from hand[p].suit "Wish?" or "none"
  first chooses last from 0..1 "Done?"
  count = last
"""


def worth(machine: Machine, known: Information) -> Counter[Any]:
    """Of every state in which the player may be, how probable it is: by going through all there is."""
    found: Counter[Any] = Counter()
    to = ObservedReplay(machine, known)

    def go(state: Any, at: int, share: float) -> None:
        for each, _ in overheard(to, state):
            if at >= len(known.log) or each != known.log[at]:
                return
            at += 1
        pending = state.pending
        if pending is None:
            return
        if isinstance(pending, Decision) and pending.player == known.player:
            if at == len(known.log):
                found[look(machine, state)] += share  # type: ignore[assignment]  # a Counter of shares
                return
            steps = [(n, share) for n in range(len(pending.options))]
        elif isinstance(pending, Decision):
            steps = [(n, share / len(pending.options)) for n in range(len(pending.options))]
        else:
            for outcome, weight in pending.outcomes():
                new = state.clone()
                decide_chance(machine, new, outcome)
                go(new, at, share * weight / pending.total)
            return
        for number, part in steps:
            new = state.clone()
            try:
                apply(machine, new, number)
            except RuleFault:
                continue
            go(new, at, part)

    go(start_again(to), 0, 1.0)
    return found


def look(machine: Machine, state: Any) -> Any:
    """What lies where, by faces, and what was chosen."""
    faces = machine.layout.faces
    zones = [
        sorted(faces[c] for c in pieces) if is_pool else [faces[c] for c in pieces]
        for is_pool, pieces in zip(machine.layout.is_pool, state.zones, strict=True)
    ]
    return repr((zones, state.variables))


SMALL = {
    "trick": (TRICK, 3, 3, 1),
    "trick with twins": (TRICK, 3, 2, 2),
    "pass": (GIFT, 2, 3, 1),
    "pass with twins": (GIFT, 2, 2, 2),
    "steal": (STEAL, 3, 3, 1),
    "sealed": (SEALED, 3, 3, 1),
}


# On the reference it takes longer: two games, and all of them in the soak.
BOTH = [(name, sampler) for name in SMALL] + few(
    [(name, sampler_of_reference) for name in SMALL], 2
)


@pytest.mark.parametrize(("name", "make"), BOTH)
def test_worlds_are_drawn_as_often_as_they_are_probable(name: str, make: Any) -> None:
    rules, players, high, copies = SMALL[name]
    game = from_text(HEAD.format(players=players, high=high, copies=copies) + rules)
    machine = game.machine(players)
    dice = Dice(5)
    compared = 0
    for seed in range(tries(1, soak=3)):
        match = game.start(players, seed=seed, first=0)
        while not match.over and match.decision is not None:
            if match.decision.prompt == "Done?":
                break
            match.apply(dice.below(len(match.decision.options)))
        known = match.information(0)
        exact = worth(machine, known)
        total = exact.total()
        drawn = tries(600, soak=1_200)
        walk = make(machine, known, seed)
        assert isinstance(walk, Mind if make is sampler else Sampler)
        seen = Counter(look(machine, walk.world(steps=5).state) for _ in range(drawn))
        assert seen.keys() <= exact.keys()
        distance = sum(abs(seen[key] / drawn - share / total) for key, share in exact.items()) / 2
        # Fair dice give 0.4 √(n / drawn); one world is not quite independent of the one before.
        assert distance < 0.9 * (len(exact) / drawn) ** 0.5 + 0.015
        compared += len(exact) > 1
    assert compared
