"""Generated engines against the reference: the same games, whatever the rules and whatever is chosen."""

import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import attr
import attrs
import lark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import small_programs
from games import GAMES, TABLES, Table, at_random, by_stream, from_text, shipped
from interpreter import chance, families
from interpreter.compiled import compile_game, masks, shuffling, support
from interpreter.errors import Crash, IllegalMove
from interpreter.families import Alike, Runs, Subsets
from interpreter.match import WrongRules, load_source
from interpreter.state import SLOTS
from lockstep import assert_in_step, assert_whole_game
from rulespec import loading
from rulespec.mutants import mutants, mutate
from sizes import few, few_alone, some, tries

ROOT = Path(__file__).parent.parent

tables = st.sampled_from(TABLES)
seeds = st.integers(0, 2**64 - 1)
streams = st.lists(st.integers(0, 999), max_size=60)


# ---- The same games ------------------------------------------------------------------------------


@pytest.mark.parametrize("table", few_alone(TABLES, 4), ids=str)
def test_every_table_plays_as_the_reference_does(table: Table) -> None:
    name, variants, players = table
    game = shipped(name, variants)
    fast = compile_game(game, players)
    for seed in range(tries(1, soak=2)):
        assert assert_in_step(game, players, seed, at_random(seed), fast=fast)


@pytest.mark.parametrize("table", few_alone(TABLES, 4), ids=str)
def test_every_table_is_observed_as_the_reference_does(table: Table) -> None:
    name, variants, players = table
    game = shipped(name, variants)
    fast = compile_game(game, players, watched=True)
    assert assert_in_step(game, players, 3, at_random(3), fast=fast)


@pytest.mark.parametrize("table", few_alone(TABLES, 4), ids=str)
def test_whole_games_end_as_the_reference_has_them(table: Table) -> None:
    name, variants, players = table
    game = shipped(name, variants)
    fast = compile_game(game, players)
    for seed in range(tries(1, soak=2)):
        assert_whole_game(game, players, seed, fast)


@pytest.mark.soak
@pytest.mark.parametrize("begin", range(0, some(1000), 50))
@pytest.mark.parametrize("table", few_alone(TABLES, 4), ids=str)
def test_thousands_of_games_are_the_same(table: Table, begin: int) -> None:
    name, variants, players = table
    game = shipped(name, variants)
    for watched in (False, True):
        fast = compile_game(game, players, watched=watched)
        for seed in range(begin, begin + (40 if not watched else 10)):
            assert_in_step(game, players, seed, at_random(seed), fast=fast)
    for seed in range(begin, begin + 10):
        assert_whole_game(game, players, seed)


OPTIONS = (
    ("sins.rules", {"stone_optional": True}, 3),
    ("sins.rules", {"stone_placement": "optional"}, 3),
    ("sins.rules", {"sins_picked": "by_taste", "stones_break_ties": True}, 3),
    ("siegel.rules", {"rounds": 1, "saboteur_base": 6, "base_for_all": True}, 4),
    ("siegel.rules", {"rounds": 1, "open_end": True, "white_optional": True}, 3),
    ("seven7s.rules", {"joker_stays": True, "seventh_counts": True}, 3),
    ("seven7s.rules", {"stolen_seventh": "no_one", "robbed_draws": True}, 3),
)


@pytest.mark.parametrize(("name", "options", "players"), OPTIONS, ids=str)
def test_options_are_known_to_the_generated_code(name, options, players) -> None:
    path = loading.find(name)
    game = load_source(path, loading.read(name), (), options)
    fast = compile_game(game, players)
    for seed in range(tries(1, soak=3)):
        assert assert_in_step(game, players, seed, at_random(seed), fast=fast)
        assert_whole_game(game, players, seed, fast)


def test_small_programs_play_as_the_reference_does() -> None:
    lengths = []

    @settings(max_examples=tries(15, soak=100))
    @given(small_programs.programs(), seeds, streams)
    def play(text: str, seed: int, stream: list[int]) -> None:
        game = from_text(text)
        fast, watched = compile_game(game, 2), compile_game(game, 2, watched=True)
        lengths.append(assert_in_step(game, 2, seed, by_stream(stream, seed), fast=fast))
        assert_in_step(game, 2, seed, by_stream(stream, seed), fast=watched)
        assert_whole_game(game, 2, seed, fast)

    play()
    # A program made by chance may ask nobody, or have a fault; but not all of them.
    assert sum(length > 0 for length in lengths) > len(lengths) / 10


@pytest.mark.soak
@settings(max_examples=some(3000), deadline=None)
@given(small_programs.programs(), seeds, streams)
def test_many_small_programs_play_as_the_reference_does(text, seed, stream) -> None:
    game = from_text(text)
    for players in game.players:
        assert_in_step(game, players, seed, by_stream(stream, seed))
        assert_whole_game(game, players, seed)


MUTANTS = tries(2, soak=4)


def play_mutants(name: str, begin: int, every: int, wanted: int, games: int) -> int:
    """Play games of some changed rules in step; how many of the changes were programs, and were played."""
    path, source = loading.find(name), loading.read(name)
    played = 0
    for mutant in mutants(source)[begin::every]:
        try:
            game = load_source(path, mutate(mutant), (), {})
        except WrongRules:
            continue
        least = game.code.least_players
        lengths = [assert_in_step(game, least, seed, at_random(seed)) for seed in range(games)]
        played += any(lengths)  # there are changes with which nobody is asked anything
        if played == wanted:
            break
    return played


@pytest.mark.parametrize(
    "name", few(["sins.rules", "seven7s.rules", "siegel.rules", "deadlies.rules"], 1)
)
def test_changed_games_play_as_the_reference_does(name: str) -> None:
    assert play_mutants(name, 3, 7, wanted=MUTANTS, games=1) == MUTANTS


@pytest.mark.soak
@pytest.mark.parametrize("begin", range(20))
@pytest.mark.parametrize("name", ["sins.rules", "seven7s.rules", "siegel.rules", "deadlies.rules"])
def test_all_changed_games_play_as_the_reference_does(name: str, begin: int) -> None:
    assert play_mutants(name, begin, 20, wanted=some(20), games=3)


# ---- Triggers that ask, and other corners --------------------------------------------------------

ASKING = """\
game "Interrupted"
players 2..3
use turns
pieces            | copies
  Card(value: 1..6) | 2
zones          | order | seen by
  deck         | pile  | nobody
  table        | pool  | everyone
  hand[Player] | pool  | owner
  gone         | pile  | everyone
state       | type | start
  asked     | 0..99 | 0
rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 2) to hand[p]
rule turn(p: Player)
  p chooses c from hand[p]
  move c to table
  move top(deck, 2) to table
  if #deck == 0: end
let full = #table > 3
when full
  active chooses d from table
  move table - [d] to gone
  move d under deck
  asked += 1
  move top(gone) to hand[active]
ranking of p
  most | sum(c.value for c in hand[p])
"""


def test_triggers_that_ask_interrupt_a_move() -> None:
    game = from_text(ASKING)
    for players in game.players:
        fast, watched = compile_game(game, players), compile_game(game, players, watched=True)
        for seed in range(tries(5, soak=20)):
            assert assert_in_step(game, players, seed, at_random(seed), fast=fast)
            assert assert_in_step(game, players, seed, at_random(seed), fast=watched)
            assert_whole_game(game, players, seed, fast)


DRAWN = """\
game "Drawn"
players 2..3
pieces            | copies
  Card(value: 1..5) | 3
  Doom              | 3
zones          | order | seen by
  deck         | pile  | nobody
  table        | pool  | everyone
  hand[Player] | pool  | owner
state       | type   | start
  dooms     | 0..99  | 0
  best_card | Player? | none
rule setup
  move box to deck
  shuffle deck
  repeat 2
    for p in Player: move top(deck) to hand[p]
rule play
  repeat
    for p in order(first)
      p chooses c from hand[p] + table
      move c to table
      repeat 4 - #table: move top(deck) to table
      repeat 3
        for q in Player: move top(deck) to hand[q]
      best_card = best(sum(c.value for c in hand[q][Card]) for q in order(p))
    if #deck == 0: end
let doomed = #table[Doom] == 2
when doomed
  dooms += 1
  if dooms > 1: end
ranking of p
  most | sum(c.value for c in hand[p][Card])
"""


def test_pieces_are_drawn_at_once_only_where_that_makes_no_difference() -> None:
    game = from_text(DRAWN)
    for players in game.players:
        fast = compile_game(game, players)
        assert " in enumerate((0, 1" in fast.source.text  # dealt
        assert re.search(r"in pile_\d+\[:n_\d+\]", fast.source.text)  # drawn
        decisions = 0
        for seed in range(tries(10, soak=40)):
            decisions += assert_in_step(game, players, seed, at_random(seed), fast=fast)
            assert_whole_game(game, players, seed, fast)
        assert decisions > 10


@pytest.mark.parametrize("name", ["sins.rules", "siegel.rules"])
def test_what_is_no_option_is_refused_and_changes_nothing(name: str) -> None:
    fast = compile_game(shipped(name), 4)
    state = fast.start(1)
    for _ in range(40):
        before = fast.to_reference(state)
        for number in (-1, fast.count(state), 10**9):
            with pytest.raises(IllegalMove):
                fast.apply(state, number)

            assert fast.to_reference(state) == before
        fast.apply(state, 0)


def test_who_chooses_after_the_end_is_refused() -> None:
    fast = compile_game(shipped("sins.rules"), 2)
    state = fast.start(1)
    while fast.count(state):
        fast.apply(state, 0)
    for number in (-1, 0, 1):
        with pytest.raises(IllegalMove, match="over"):
            fast.apply(state, number)


def test_a_decision_is_told_as_the_reference_tells_it() -> None:
    fast = compile_game(shipped("sins.rules"), 2)
    decision = fast.decision(fast.start(1))

    assert decision is not None
    assert decision.prompt == "Which sin do you take?"


def test_a_playout_stops_where_it_is_told_to() -> None:
    fast = compile_game(shipped("sins.rules"), 2)
    state = fast.start(1)
    fast.playout(state, 1, 3)
    assert fast.count(state)
    fast.playout(state, 1, 10_000)
    assert not fast.count(state)


def test_clones_do_not_grow_with_the_game() -> None:
    fast = compile_game(shipped("siegel.rules"), 3)
    state = fast.start(1)
    sizes = set()
    while fast.count(state):
        sizes.add(len(fast.clone(state)))
        fast.apply(state, 0)
    assert len(sizes) == 1


# ---- What generated code calls -------------------------------------------------------------------


@given(st.integers(0, 2**64 - 1), st.integers(0, 130))
def test_shuffles_are_those_of_the_reference(rng: int, count: int) -> None:
    rng_after, order = shuffling.shuffle(rng, range(count))

    assert (rng_after, tuple(order)) == chance.shuffle(rng, range(count))


@given(st.sets(st.integers(0, 200)))
def test_a_mask_has_the_pieces_in_their_order(pieces: set[int]) -> None:
    m = masks.mask(pieces)

    assert masks.bits(m) == tuple(sorted(pieces))
    assert [masks.nth(m, n) for n in range(len(pieces) + 1)] == [*sorted(pieces), None]


elements = st.lists(st.integers(0, 9), unique=True, max_size=7).map(tuple)


@given(elements, st.integers(-1, 8), st.integers(-1, 8), st.data())
def test_small_families_are_listed_as_arithmetic_numbers_them(values, low, high, data) -> None:
    twins = {c: data.draw(st.integers(0, 3)) for c in values}
    cuts = sorted(data.draw(st.sets(st.integers(0, len(values)), max_size=3)) | {0, len(values)})
    # Look-alikes have the same values, so they are in the same group.
    by_look = tuple(sorted(values, key=lambda c: (twins[c], values.index(c))))
    for family in (
        Subsets(values, low, high),
        Alike(by_look, tuple(by_look[a:b] for a, b in pairwise(cuts))),
    ):
        shared = None if isinstance(family, Alike) else twins
        listed = support.few_members(family, shared)
        assert listed == tuple(families.members(family, shared))
        assert support.is_some(family, None) == bool(families.count(family))
    runs = Runs(values, tuple((c, (c,)) for c in sorted(values)))
    assert support.is_some(runs, None) == bool(families.count(runs))


@given(elements, st.integers(0, 7), st.integers(0, 7))
def test_subsets_are_numbered_as_in_the_reference(values, low, high) -> None:
    family = Subsets(values, low, high)
    found = support.Choices(values, low, high)

    assert len(found) == families.count(family)
    assert [found[n] for n in range(len(found))] == list(families.members(family))


# ---- The generated source ------------------------------------------------------------------------


def test_the_generated_source_reads_like_the_rules() -> None:
    source = compile_game(shipped("sins.rules"), 4).source.text

    lines = loading.read("sins.rules").text.splitlines()
    refill = lines.index("  repeat 5 - #centre: move top(deck) to centre") + 1
    assert f"# {refill}: move top(deck) to centre" in source
    assert "s[CENTRE]" in source
    compile(source, "sins", "exec")


def test_the_same_rules_give_the_same_source() -> None:
    for name, variants, players in GAMES[:3]:
        game = shipped(name, variants)
        one, other = (compile_game(game, players[0]).source for _ in range(2))
        assert one.text == other.text


def test_no_rules_get_out_of_the_generated_source() -> None:
    """Titles and names are the author's: whatever they are, they stay text."""
    text = ASKING.replace("Interrupted", "'''' + boom + '''\\n {x} %s")
    source = compile_game(from_text(text), 2).source.text

    assert "boom" in source.split("\n")[0]
    assert_in_step(from_text(text), 2, 1, at_random(1))


# Plays whole games, and some step by step; printed is all that comes out.
PLAYED = """
from interpreter.compiled import compile_game
from interpreter.match import load
for name, players in (("sins", 2), ("seven7s", 3), ("siegel", 3), ("deadlies", 4)):
    fast = compile_game(load(f"{name}.rules"), players)
    print([fast.play(seed).places for seed in range(3)])
    state, chosen = fast.start(seed=7), 0
    while count := fast.count(state):
        chosen += 1
        fast.apply(state, chosen * 7919 % count)
    print(chosen, fast.result(state).places, fast.to_reference(state).zones)
"""


def _version_of_pypy() -> tuple[int, ...]:
    pypy = shutil.which("pypy3")
    if pypy is None:
        return ()
    code = "import sys; print(*sys.version_info[:2])"
    told = subprocess.run([pypy, "-c", code], check=True, capture_output=True, text=True)
    return tuple(map(int, told.stdout.split()))


@pytest.mark.skipif(
    _version_of_pypy() < (3, 11), reason="there is no PyPy here that is Python 3.11 or later"
)
def test_generated_code_plays_the_same_games_on_pypy(tmp_path: Path) -> None:
    # Written in Python, both of them: what is installed for one is good for the other.
    for package in (attr, attrs, lark):
        folder = Path(package.__file__).parent
        (tmp_path / folder.name).symlink_to(folder)
    path = os.pathsep.join([str(ROOT), str(tmp_path)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    told = [
        subprocess.run(
            [python, "-c", PLAYED],
            check=True,
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
        ).stdout
        for python in (sys.executable, "pypy3")
    ]

    assert told[0].count("\n") == 8
    assert told[0] == told[1]


def test_a_bug_of_ours_is_called_one() -> None:
    fast = compile_game(shipped("sins.rules"), 2)
    state = fast.start(1)
    fast.apply(state, 0)
    frame = state[fast.table.places.fields["STACK"]][-1]
    frame[SLOTS:] = ["no seat"] * len(frame[SLOTS:])
    with pytest.raises(Crash):
        fast.apply(state, 0)
