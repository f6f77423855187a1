"""How values came about: the engine's values, in parts that add up, and nothing that is hidden."""

import random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from exchanges import draw_exchange
from games import TABLES, Table, at_random, decisions, engine_of, from_text, shipped
from interpreter import deriving, machine
from interpreter.accounts import make_account
from interpreter.derivations import (
    CallDerivation,
    Closed,
    Derivation,
    Element,
    Folded,
    Plain,
    walk_tree,
)
from interpreter.deriving import derive
from interpreter.display_names import Listener
from interpreter.errors import RuleFault
from interpreter.exchanges import exchange_pieces
from interpreter.expressions import ExpressionContext, meaning, whole
from interpreter.machine import Machine
from interpreter.operations import BUILDERS
from interpreter.shown.result_lines import lay_account
from interpreter.state import OVER, SETUP, SLOTS, State
from interpreter.value_terms import Teller
from interpreter.verdicts import judge_account
from rulespec.core.tree import Op
from rulespec.core.types import SEAT, Face, Family, Outputs, Place, present
from sizes import few_alone, tries


def expressions(engine: Machine) -> list[tuple[Op, int, tuple[Any, ...]]]:
    """What is asked of a whole game: invariants, the ranking, and triggers, with the slots that they need."""
    code = engine.layout.code
    found = [(row.condition, row.scratch, ()) for row in code.always]
    found += [(row.order, row.scratch, ()) for row in code.ranking]
    found += [
        (row.key, row.scratch, (p,)) for row in code.ranking for p in range(engine.layout.players)
    ]
    return found + [(row.condition, 0, ()) for row in code.triggers]


def engine_value(engine: Machine, s: State, op: Op, scratch: int, slots: tuple[Any, ...]) -> Any:
    found = whole(engine.context.expressions, op, len(slots) + SLOTS, scratch)
    return found(s.clone(), [0, 0, *slots])


def assert_adds_up(engine: Machine, s: State, found: Derivation) -> None:
    """An operation on the values of its parts gives the value that is told of it."""
    assert not isinstance(found, Closed)
    match found:
        case Plain(op, value, parts) if op.name not in (
            "slot",
            "if",
            "and",
            "or",
            "in",
            "member_of",
        ):
            if len(parts) == len(op.operands):
                given = [
                    Op("literal", value=part.value, type=operand.type)
                    for part, operand in zip(parts, op.operands, strict=True)
                ]
                again = evolve(op, operands=tuple(given))
                context = ExpressionContext(
                    engine.layout, BUILDERS, winners=engine.context.expressions.winners
                )
                assert meaning(context, again, SLOTS)(s.clone(), [0, 0]) == value
        case Plain(op, value, parts) if op.name in ("if", "slot"):
            assert value == parts[-1].value if parts else True
        case Plain(op, value, parts) if op.name in ("and", "or"):
            assert bool(value) is bool(parts[-1].value)
        case Folded(op, value, _, over, members):
            assert [each for each, _ in members] == list(over.value)[: len(members)]
            if op.name == "sum_of":
                assert sum(part.value for _, part in members) == value
            if op.name == "filter":
                assert tuple(each for each, part in members if part.value) == value
        case CallDerivation(value=value, cell=cell):
            assert cell.value == value
        case Plain() | Element():
            pass


def assert_derives(engine: Machine, s: State) -> int:
    nodes = 0
    for op, scratch, slots in expressions(engine):
        found = derive(engine, s, op, Listener(engine.layout), slots=slots, scratch=scratch)
        assert not isinstance(found, Closed)
        assert found.value == engine_value(engine, s, op, scratch, slots)
        for each in walk_tree(found):
            assert_adds_up(engine, s, each)
            nodes += 1
    return nodes


@pytest.mark.parametrize("table", few_alone(TABLES, 6), ids=str)
def test_a_derivation_has_the_engines_value_and_adds_up(table: Table) -> None:
    engine = engine_of(table)
    s = machine.start(engine, seed=3, watched=True)
    nodes = 0

    for number, state in enumerate(decisions(engine, s, at_random(3))):
        if number % 40 == 7 or state.pending is None:
            before = state.value()
            nodes += assert_derives(engine, state)
            assert state.value() == before

    assert nodes > 500


@settings(max_examples=tries(10, soak=30))
@given(st.sampled_from(TABLES), st.integers(0, 2**20), st.integers(0, 150))
def test_derivations_of_random_games_have_the_engines_values(
    table: Table, seed: int, most: int
) -> None:
    engine = engine_of(table)
    s = machine.start(engine, seed=seed, watched=True)
    for _ in decisions(engine, s, at_random(seed), most):
        pass

    assert assert_derives(engine, s) > 0


# ---- What is hidden ------------------------------------------------------------------------------


def questions(engine: Machine) -> list[tuple[Op, int, tuple[Any, ...]]]:
    """All that can be asked without knowing more than a player: also functions of nothing or of a player."""
    found = expressions(engine)
    for name, function in engine.layout.code.functions.items():
        values = present(function.type)
        if isinstance(values, Family | Outputs | Place | Face):
            continue
        if function.params == 0:
            found.append((Op("call", word=name, type=function.type), 0, ()))
        elif function.params == 1 and name in OF_A_PLAYER:
            found += [
                (Op("call", (Op("literal", value=p, type=SEAT),), word=name), 0, ())
                for p in range(engine.layout.players)
            ]
    return found


OF_A_PLAYER = {"score", "points", "card_count", "worths", "lowest_card", "own_sins", "most_stones"}
OF_A_PLAYER |= {"saboteur", "wishes", "valued", "leads", "playable"}


def told(engine: Machine, s: State, player: int | None) -> list[str]:
    """All that a player can be told of a moment by asking why."""
    to = Listener(engine.layout, None, player)
    texts = []
    for op, scratch, slots in questions(engine):
        try:
            found = derive(engine, s, op, to, slots=slots, scratch=scratch)
        except RuleFault:  # a function that holds for some states only
            texts.append("fails")
            continue
        lines = lay_account(make_account(Teller(to), "it", found))
        texts.append("\n".join([*lines, *lay_account(judge_account(Teller(to), "it", found))]))
    return texts


def find_leak(engine: Machine, s: State, player: int, seed: int) -> tuple[str, str] | None:
    """What a player is told of one moment and not of another one that looks the same."""
    chance = random.Random(seed)  # noqa: S311 - a game needs no secrecy
    places = draw_exchange(engine, s, player, chance)
    other = exchange_pieces(engine, s, places)
    pairs = zip(told(engine, s, player), told(engine, other, player), strict=True)
    return next(((one, two) for one, two in pairs if one != two), None)


@settings(max_examples=tries(15, soak=60))
@given(st.sampled_from(TABLES), st.integers(0, 2**20), st.integers(0, 120))
def test_two_moments_that_look_the_same_are_accounted_for_in_the_same_words(
    table: Table, seed: int, most: int
) -> None:
    engine = engine_of(table)
    s = machine.start(engine, seed=seed, watched=True)
    for _ in decisions(engine, s, at_random(seed), most):
        pass
    if s.phase in (SETUP, OVER):
        return

    for player in range(engine.layout.players):
        assert find_leak(engine, s, player, seed) is None


# ---- Planted leaks -------------------------------------------------------------------------------


def leaks(engine: Machine) -> bool:
    """Whether something hidden is told in some moments of two games."""
    for seed in range(2):
        s = machine.start(engine, seed=seed, watched=True)
        for number, state in enumerate(decisions(engine, s, at_random(seed), 40)):
            if number % 9 == 5 and state.phase not in (SETUP, OVER):
                for player in range(engine.layout.players):
                    if find_leak(engine, state, player, seed + number) is not None:
                        return True
    return False


def everybody(walk: Any, _piece: int) -> int:
    return walk.machine.visibility.everyone


def part_by_part(walk: Any, op: Op, frame: Any) -> Derivation:
    """As `_lazy` would be if it told the open parts that were looked at."""
    parts: list[Derivation] = []
    for each in deriving._needed(op, parts):  # noqa: SLF001 - this is what is damaged
        parts.append(deriving._derive(walk, each, frame))  # noqa: SLF001
        if isinstance(parts[-1], Closed):
            parts[-1] = Plain(each, deriving._value(walk, each, frame))  # noqa: SLF001
    return Plain(op, deriving._value(walk, op, frame), tuple(parts))  # noqa: SLF001


def matching_row(walk: Any, op: Op, key: str, arguments: Any, values: Any) -> Derivation:
    """As `_apply` would be if it told the row whose keys are closed."""
    wide = evolve(walk, sees_all=True)
    return deriving_apply(wide, op, key, arguments, values)


deriving_apply = deriving._apply  # noqa: SLF001

HELD = """
game "Held"
players 2
enum Suit = sun, moon
pieces               | copies
  Card(suit: Suit)   | 6
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
state          | type  | start
  held[Player] | Card? | none
rule setup
  move box to deck
  shuffle deck
  for p in Player
    move top(deck, 3) to hand[p]
rule play
  repeat 4
    for p in Player
      p chooses c from hand[p] "Which?"
      held[p] = c
let suns = #(Player where held[it].suit == sun)
let lucky(p: Player) = 1 if held[p].suit == sun else 0
ranking of p
  most | lucky(p)
  most | suns
"""

DAMAGE = {
    "faces are not asked for": ("_seers", everybody, "seven7s.rules"),
    "the branch taken is told": ("_lazy", part_by_part, "small"),
    "the row that matched is told": ("_apply", matching_row, "siegel.rules"),
    "pieces in variables are open": ("_seers_of_variable", lambda *_: (), "small"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_planted_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attribute, damaged, game = DAMAGE[name]
    engine = from_text(HELD).machine(2) if game == "small" else shipped(game).machine(3)
    assert not leaks(engine)

    monkeypatch.setattr(deriving, attribute, damaged)

    assert leaks(engine)


def test_how_many_lie_somewhere_is_open_and_what_they_are_is_not() -> None:
    engine = shipped("sins.rules").machine(2)
    s = machine.start(engine, seed=1, watched=True)
    code, to = engine.layout.code, Listener(engine.layout, None, 0)
    in_all, of_sin = code.always[5].condition, code.functions["abyss_score"].rows[0].cell

    assert not isinstance(derive(engine, s, in_all, to, scratch=4), Closed)
    assert isinstance(
        derive(engine, s, code.functions["score"].rows[0].cell, to, slots=(1,)), Closed
    )
    # Nothing lies there: all see that.
    assert not isinstance(derive(engine, s, of_sin, to, scratch=4), Closed)
    assert not isinstance(
        derive(engine, s, code.ranking[0].key, Listener(engine.layout), slots=(1,)), Closed
    )
