"""The engine in WebAssembly against the reference: the same games, whatever the rules and whatever is chosen."""

import hashlib
import os
import random
import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import secret_games
import small_programs
import wasm_games
from games import TABLES, Table, at_random, by_stream, from_text, shipped
from interpreter import chance, machine
from interpreter.errors import IllegalMove, RuleFault, WrongRules
from interpreter.game_loading import load_source
from interpreter.lab import seeded_games
from interpreter.lab.bot_games import RANDOM
from interpreter.lab.seeded_games import count_games, lay_table
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.wasm import engine as wasm_engine
from interpreter.wasm.engine import Wasm
from interpreter.wasm.hosts import Trapped
from interpreter.wasm.memory import MOST_TOLD, TERMINAL
from interpreter.wasm.module_games import Playing
from interpreter.wasm.program_analysis import Unsupported
from interpreter.wasm.programs import write_program
from lockstep import (
    Counted,
    assert_in_step,
    assert_whole_games,
    make_fast,
    needless_traps_of,
    traps_of,
)
from rulespec import loading
from rulespec.mutants import mutants, mutate
from rulespec.source import Source
from sizes import few, few_alone, some, tries
from wasm_node import NodeHost

TESTS = Path(__file__).parent
SHIPPED = ("sins.rules", "seven7s.rules", "siegel.rules", "deadlies.rules")
seeds = st.integers(0, 2**64 - 1)
streams = st.lists(st.integers(0, 999), max_size=60)


def play_both(game: Game, players: int, steps: int, whole: int, fast: Wasm | None = None) -> int:
    """Games step by step, and whole ones; how many decisions were compared."""
    fast = fast or make_fast(game, players)
    count = sum(
        assert_in_step(game, players, seed, at_random(seed), fast=fast) for seed in range(steps)
    )
    assert_whole_games(game, players, range(whole), fast=fast)
    return count


# ---- Games that are shipped ----------------------------------------------------------------------


@pytest.mark.parametrize("table", few_alone(TABLES, 6), ids=str)
def test_every_table_plays_as_the_reference_does(table: Table) -> None:
    name, variants, players = table
    game = shipped(name, variants)
    fast = make_fast(game, players)

    assert play_both(game, players, tries(1, soak=4), 0, fast)
    numbers = [*range(tries(2, soak=20)), 2**32 - 1, 2**63 + 5, 2**64 - 1]
    assert assert_whole_games(game, players, numbers, fast=fast) == len(numbers)
    assert assert_whole_games(game, players, numbers[:2], first=1, fast=fast) == 2
    assert not traps_of(fast)


@pytest.mark.soak
@pytest.mark.parametrize("begin", range(0, some(2000), 100))
@pytest.mark.parametrize("table", few_alone(TABLES, 4), ids=str)
def test_thousands_of_games_are_the_same(table: Table, begin: int) -> None:
    name, variants, players = table
    game = shipped(name, variants)
    fast = make_fast(game, players)
    for seed in range(begin, begin + 30):
        assert_in_step(game, players, seed, at_random(seed), fast=fast)
    whole = range(begin, begin + 100)
    assert assert_whole_games(game, players, whole, fast=fast) == 100
    assert not traps_of(fast)


OPTIONS = (
    ("sins.rules", {"stone_optional": True}, 3),
    ("sins.rules", {"stone_placement": "optional"}, 3),
    ("sins.rules", {"sins_picked": "by_taste", "stones_break_ties": True}, 3),
    ("siegel.rules", {"rounds": 1, "saboteur_base": 6, "base_for_all": True}, 4),
    ("siegel.rules", {"rounds": 1, "open_end": True, "white_optional": True}, 3),
    ("seven7s.rules", {"joker_stays": True, "seventh_counts": True}, 3),
    ("seven7s.rules", {"stolen_seventh": "no_one", "robbed_draws": True}, 3),
    ("deadlies.rules", {"corruption_free_effect": True}, 4),
)


@pytest.mark.parametrize(("name", "options", "players"), few(OPTIONS, 5), ids=str)
def test_options_are_known_to_the_module(name, options, players) -> None:
    game = load_source(loading.find_rules(name), loading.read(name), (), options)
    fast = make_fast(game, players)

    assert play_both(game, players, tries(1, soak=10), tries(3, soak=50), fast)
    assert not traps_of(fast)


MUTANTS = tries(2, soak=4)


def play_mutants(name: str, begin: int, every: int, wanted: int, games: int) -> int:
    """Play games of some changed rules; how many of the changes were programs, and were played."""
    path, source = loading.find_rules(name), loading.read(name)
    played = 0
    for mutant in mutants(source)[begin::every]:
        try:
            game = load_source(path, mutate(mutant), (), {})
        except WrongRules:
            continue
        played += play_both(game, game.code.least_players, games, games) > 0
        if played == wanted:
            break
    return played


@pytest.mark.parametrize("name", few(SHIPPED, 1))
def test_changed_games_play_as_the_reference_does(name: str) -> None:
    assert play_mutants(name, 3, 7, wanted=MUTANTS, games=1) == MUTANTS


@pytest.mark.soak
@pytest.mark.parametrize("begin", range(20))
@pytest.mark.parametrize("name", SHIPPED)
def test_all_changed_games_play_as_the_reference_does(name: str, begin: int) -> None:
    assert play_mutants(name, begin, 20, wanted=some(20), games=3)


# ---- Little games, each for one thing ------------------------------------------------------------

STEPS, WHOLE = tries(2, soak=60), tries(5, soak=300)


def play_scene(text: str, players: tuple[int, ...]) -> tuple[int, int]:
    """How many decisions were compared, and how often the module stopped for nothing."""
    game = from_text(text)
    decisions = needless = 0
    for number in players:
        fast = make_fast(game, number)
        decisions += play_both(game, number, STEPS, WHOLE, fast)
        assert_whole_games(game, number, range(2), first=1, fast=fast)
        needless += needless_traps_of(fast)
    return decisions, needless


@pytest.mark.parametrize("name", wasm_games.TRIGGERS)
def test_triggers_in_which_somebody_is_asked(name: str) -> None:
    decisions, needless = play_scene(
        wasm_games.scene(wasm_games.TRIGGERS[name]), tries((3,), soak=(2, 3))
    )
    assert decisions > 10
    assert not needless


@pytest.mark.parametrize("name", wasm_games.FAMILIES)
def test_families(name: str) -> None:
    decisions, needless = play_scene(
        wasm_games.scene(wasm_games.FAMILIES[name]), tries((2,), soak=(2, 3))
    )
    assert decisions > 10
    assert not needless


@pytest.mark.parametrize("name", wasm_games.VALUES)
def test_values(name: str) -> None:
    decisions, needless = play_scene(
        wasm_games.scene(wasm_games.VALUES[name]), tries((3,), soak=(2, 3))
    )
    assert decisions > 10
    assert not needless


@pytest.mark.parametrize("name", wasm_games.FAULTS)
def test_faults_are_those_of_the_reference(name: str) -> None:
    _, needless = play_scene(wasm_games.scene(wasm_games.FAULTS[name]), tries((2,), soak=(2, 3)))
    assert not needless


@pytest.mark.parametrize("name", few([*wasm_games.WIDE], 3))
def test_many_pieces(name: str) -> None:
    decisions, needless = play_scene(wasm_games.WIDE[name], (2,))
    assert decisions > 10
    assert not needless


@pytest.mark.parametrize("name", wasm_games.OLDER)
def test_games_of_older_engines(name: str) -> None:
    _, needless = play_scene(wasm_games.OLDER[name], (2,))
    assert not needless


def test_more_pieces_are_left_to_the_reference() -> None:
    text = wasm_games.MANY.format(values=16, copies=10, crowd=45)
    with pytest.raises(Unsupported, match="more than 512 pieces"):
        write_program(from_text(text).machine(2))


SWITCHED = """\
option boost: 0..3 = 1
option style: Style = plain
option open_ended: Bool = no
enum Style = plain, fancy
variant louder
  override rule cheer(p: Player)
    super(p)
    p chooses n from 0..boost
    score[p] += n
rule cheer(p: Player)
  score[p] += boost
table bonus(s: Suit)
  s | style => points
  clubs | plain => 1
  * | fancy => boost * 2
  * | * => 0
rule turn(p: Player)
  p chooses s from Suit
  if open_ended: p may choose s from Suit
  score[p] += bonus(s if s != none else clubs)
  cheer(p)
"""


@pytest.mark.parametrize("variants", [(), ("louder",)], ids=str)
@pytest.mark.parametrize("options", [{}, {"boost": 3, "style": "fancy", "open_ended": True}])
def test_options_and_variants_of_a_table(options, variants) -> None:
    source = Source("small.rules", wasm_games.scene(SWITCHED))
    game = load_source(Path("small.rules"), source, variants, options)
    fast = make_fast(game, 2)

    assert play_both(game, 2, STEPS, WHOLE, fast)
    assert not traps_of(fast)


# ---- Games that nobody has written ---------------------------------------------------------------


def test_small_programs_play_as_the_reference_does() -> None:
    lengths = []

    @settings(max_examples=tries(8, soak=100))
    @given(small_programs.programs(), seeds, streams)
    def play(text: str, seed: int, stream: list[int]) -> None:
        game = from_text(text)
        fast = make_fast(game, 2)
        lengths.append(assert_in_step(game, 2, seed, by_stream(stream, seed), fast=fast))
        assert_whole_games(game, 2, [seed, seed ^ 1], fast=fast)
        assert not needless_traps_of(fast)

    play()
    # A program made by chance may ask nobody, or have a fault; but not all of them.
    assert sum(length > 0 for length in lengths) > len(lengths) / 10


@pytest.mark.soak
@settings(max_examples=some(3000), deadline=None, suppress_health_check=[*HealthCheck])
@given(small_programs.programs(), st.lists(seeds, min_size=5, max_size=5), streams)
def test_many_small_programs_play_as_the_reference_does(text, numbers, stream) -> None:
    game = from_text(text)
    for players in game.players:
        fast = make_fast(game, players)
        for seed in numbers:
            assert_in_step(game, players, seed, by_stream(stream, seed), fast=fast)
        assert_whole_games(game, players, numbers, fast=fast)


def play_secret(number: int) -> int:
    """A game with secrets, which may be no game; how many decisions were compared."""
    try:
        game = from_text(secret_games.secret_game(number))
        fast = make_fast(game, game.players[0])
    except WrongRules:
        return 0
    count = assert_in_step(game, game.players[0], number, at_random(number), fast=fast)
    assert_whole_games(game, game.players[0], [number, number + 1], fast=fast)
    return count


def test_games_with_secrets_play_as_the_reference_does() -> None:
    assert sum(map(play_secret, range(tries(8, soak=60))))


def test_games_that_count_in_groups_play_as_the_reference_does() -> None:
    begin = secret_games.GROUPED
    assert sum(map(play_secret, range(begin, begin + tries(8, soak=1000))))


@pytest.mark.soak
@pytest.mark.parametrize("begin", range(0, some(4000), 40))
def test_many_games_with_secrets_play_as_the_reference_does(begin: int) -> None:
    assert sum(map(play_secret, range(begin, begin + 40)))


FILES = sorted([*TESTS.glob("accepted/*.rules"), *TESTS.glob("secrets/harmless/*.rules")])


@pytest.mark.parametrize("path", few(FILES, 10), ids=lambda path: path.stem)
def test_files_of_other_tests_play_as_the_reference_does(path: Path) -> None:
    try:
        game = load_source(path, Source(path.name, path.read_text("utf-8")), ())
    except WrongRules:
        return  # some are no whole games
    fast = make_fast(game, game.players[0])
    play_both(game, game.players[0], tries(2, soak=10), tries(3, soak=20), fast)
    assert not needless_traps_of(fast)


@pytest.mark.soak
@pytest.mark.parametrize("path", sorted(TESTS.glob("test_*.py")), ids=lambda path: path.stem)
def test_games_in_other_tests_play_as_the_reference_does(path: Path) -> None:
    for text in re.findall(r'"""\\?\n(game ".*?)"""', path.read_text("utf-8"), re.DOTALL):
        try:
            game = from_text(text)
            engine = game.machine(game.players[0])
        except (WrongRules, RuleFault):
            continue
        play_both(game, game.players[0], 5, 10, make_fast(engine))


# ---- Families, whatever lies on the table --------------------------------------------------------

OFFERED = """\
subsets(a)
subsets(a, 0..2)
subsets(a + b, 2)
subsets(a, 3) + subsets(b, 1)
subsets(b, [1, 4])
subsets(a, 1..3) where sum(c.value for c in it) > 4
alike(a, value)
alike(a + b, suit)
alike(b, value) + runs(a, value)
runs(a, value)
runs(b + a, value)
runs(a, value) - alike(a, suit)
subsets(a, 2) & runs(a, value)
[a, b, top(b, 3)]
[a[s] for s in Suit]
""".splitlines()
TABLED = """\
game "Families"
players 2
enum Suit = clubs, hearts, spades
pieces                        | copies
  Card(suit: Suit, value: 1..3) | 2
zones | order | seen by
  a   | pool  | everyone
  b   | pile  | everyone
state | type | start
  n   | 0..99 | 0
rule play
  first chooses n from 0..{last}
{branches}  first chooses n from 0..1
ranking of p
  most | n
"""


def tabled_game() -> Game:
    branches = "".join(
        f"  if n == {n}\n    first may choose f from {each}\n    move f to box\n"
        for n, each in enumerate(OFFERED)
    )
    return from_text(TABLED.format(last=len(OFFERED) - 1, branches=branches))


def test_families_are_numbered_as_in_the_reference() -> None:
    game = tabled_game()
    engine, fast = game.machine(2), make_fast(game, 2)

    @settings(max_examples=tries(40, soak=2000))
    @given(st.lists(st.integers(0, 2), min_size=18, max_size=18), st.integers(0, 999))
    def offer(zones: list[int], seed: int) -> None:
        chance_ = random.Random(seed)  # noqa: S311 - a game needs no secrecy
        state = machine.start(engine, 1)
        lying = [[c for c, zone in enumerate(zones) if zone == n] for n in range(3)]
        for n, (zone, is_pool) in enumerate(zip(lying, engine.layout.is_pool, strict=True)):
            if not is_pool:
                chance_.shuffle(zone)
            state.zones[n] = tuple(zone)
            for c in zone:
                state.where[c] = n
        for number in range(len(OFFERED)):
            one, other, before = state.clone(), fast.from_reference(state), traps_of(fast)
            machine.apply(engine, one, number)
            fast.apply(other, number)
            # Thousands of sets may not fit; then the reference takes the step.
            assert traps_of(fast) == before or len(one.pending.options) > 1000, OFFERED[number]
            assert fast.count(other) == len(one.pending.options)
            assert fast.options(other) == list(one.pending.options), OFFERED[number]
            chosen = chance_.randrange(len(one.pending.options))
            machine.apply(engine, one, chosen)
            fast.apply(other, chosen)
            assert fast.to_reference(other) == one

    offer()


# ---- Step by step --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sins.rules", "siegel.rules"])
def test_what_is_no_option_is_refused_and_changes_nothing(name: str) -> None:
    fast = make_fast(shipped(name), 4)
    state = fast.start(1)
    for _ in range(20):
        before = fast.to_reference(state)
        for number in (-1, fast.count(state), 10**9, 2**40):
            with pytest.raises(IllegalMove):
                fast.apply(state, number)
            assert fast.to_reference(state) == before
        fast.apply(state, 0)


def test_who_chooses_after_the_end_is_refused() -> None:
    fast = make_fast(shipped("sins.rules"), 2)
    state = fast.start(1)
    while fast.count(state):
        fast.apply(state, 0)
    for number in (-1, 0, 1):
        with pytest.raises(IllegalMove):
            fast.apply(state, number)
    fast.playout(state, 1, 10)
    assert not fast.count(state)
    assert fast.to_reference(fast.from_reference(fast.to_reference(state))).pending is None


def test_a_playout_stops_where_it_is_told_to() -> None:
    game = shipped("siegel.rules")
    engine, fast = game.machine(3), make_fast(game, 3)
    one, other = machine.start(engine, 4), fast.start(4)
    for most in (0, 1, 3, 40, 10_000):
        luck = 11
        for _ in range(most):
            if isinstance(one.pending, Decision):
                luck, number = chance.try_luck(luck, len(one.pending.options))
                machine.apply(engine, one, number)
        fast.playout(other, 11, most)
        assert fast.to_reference(other) == one
    assert fast.count(other) == 0
    assert fast.result(other) == machine.rank(engine, one)


@pytest.mark.parametrize("name", SHIPPED)
def test_many_options_are_told_though_there_is_little_room(name: str, monkeypatch) -> None:
    game = shipped(name)
    monkeypatch.setattr(wasm_engine, "TOLD", 64)
    fast = make_fast(game, 4)
    engine = game.machine(4)
    state, policy = machine.start(engine, 3), at_random(3)
    for _ in range(30):
        other = fast.from_reference(state)
        assert fast.options(other) == list(state.pending.options)
        assert fast.to_reference(other) == state
        machine.apply(engine, state, policy(state.pending))


def test_copies_that_nobody_needs_take_no_room() -> None:
    fast = make_fast(shipped("siegel.rules"), 3)
    state = fast.start(1)
    size = fast.host.size
    for number in range(50_000):
        copy = fast.clone(state)
        if number % 1000 == 0:
            fast.playout(copy, number, 20)
    assert fast.host.size == size


def test_many_games_are_under_way_at_once() -> None:
    fast = make_fast(shipped("sins.rules"), 2)
    size = fast.host.size
    first = [fast.start(seed) for seed in range(50)]
    kept = [fast.to_reference(each) for each in first]
    others = [fast.clone(first[0]) for _ in range(2 * size // fast.size)]
    assert fast.host.size > size
    for each in others[::500]:
        fast.playout(each, 1, 100)
    assert [fast.to_reference(each) for each in first] == kept


def told_options(fast: Wasm, playing: Playing) -> list[int] | None:
    """What a step tells of the options of a game, from what is listed when somebody asks."""
    form = fast.written.questions[fast.told()[0]]
    if form.is_sized:
        low, high, count, *elements = fast.told()[2:]
        assert count == len(elements)
        options = fast.options(playing)
        sizes = range(max(0, low), min(high, count) + 1)
        sets = [each for size in sizes for each in combinations(elements, size)]
        assert options[: len(sets)] == sets
        assert options[len(sets) :] in ([], [None])
        return fast.told()[2:]
    return [] if form.form == "list" else fast._listed(playing, 0, MOST_TOLD)  # noqa: SLF001 - the numbers themselves


SETS = (("hearts.rules", (), 4), ("cribbage.rules", (), 2), ("skat.rules", (), 3))


@pytest.mark.parametrize("table", [*few_alone(TABLES, 3), *SETS], ids=str)
def test_a_step_tells_what_there_is_to_know(table: Table) -> None:
    """It leads to the same states as a step that tells nothing, and says who is asked, what, and how the game has ended."""
    name, variants, players = table
    fast, dice = Wasm(shipped(name, variants).machine(players)), random.Random(1)  # noqa: S311
    for seed in range(tries(1, soak=20)):
        one, other = fast.start(seed), Playing([], 0)
        fast.begin_told(other, seed)
        for _ in range(400):
            assert fast.host.read(one.at, fast.size) == fast.host.read(other.at, fast.size)
            assert other.options == one.options
            if not one.options:
                break
            told = fast.told()
            assert told[1:] == [fast.player(one), *told_options(fast, one)]
            assert fast.tell(one)
            assert fast.told() == told
            number = dice.randrange(one.options)
            fast.apply(one, number)
            try:
                other.options = fast.step_told(other.at, number)
            except Trapped:
                fast.fall_back(other, number)
                if other.options:
                    fast.tell(other)
        if not one.options and fast.told()[1] == TERMINAL:
            assert fast.told()[3:] == fast.key_rows(one)


def test_seeds_have_64_bits() -> None:
    game = shipped("sins.rules")
    fast = make_fast(game, 2)
    for seed in (-1, 2**64, 2**65 + 7):
        wanted = machine.start(game.machine(2), seed)
        assert fast.to_reference(fast.start(seed)) == wanted
    (one, other) = fast.games([-1, 2**64 - 1])
    assert one == other


def test_steps_that_never_end_are_left_to_the_reference() -> None:
    fast = make_fast(from_text(wasm_games.ENDLESS.format(between="way = down")), 2)

    assert [*fast.games([1, 2])] == [None, None]


def test_questions_that_never_end_are_cut_off() -> None:
    fast = make_fast(from_text(wasm_games.ENDLESS.format(between="first chooses way from Way")), 2)
    found = [*fast.games([1, 2], most=300)]

    assert [each and (each.decisions, each.is_over) for each in found] == [(300, False)] * 2


def test_games_after_one_that_stops_are_played() -> None:
    game = from_text(wasm_games.OLDER["a fault in some games"])
    fast = make_fast(game, 2)
    ends = [*fast.games(range(1200))]

    assert 0 < sum(end is None for end in ends) < 1200
    assert ends[600:] == [*fast.games(range(600, 1200))]


# ---- The same everywhere -------------------------------------------------------------------------


def test_the_same_rules_give_the_same_module() -> None:
    code = (
        "import hashlib, sys; from interpreter.game_loading import load; "
        "from interpreter.wasm.programs import write_program; "
        "print(hashlib.sha256(write_program(load('seven7s.rules').machine(4)).content).hexdigest())"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "5"},
        cwd=TESTS.parent,
    ).stdout
    content = write_program(shipped("seven7s.rules").machine(4)).content

    assert told.strip() == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("name", SHIPPED)
def test_v8_plays_the_same_games(name: str) -> None:
    game = shipped(name)
    engine = game.machine(4)
    written = write_program(engine)
    host = NodeHost(written.content)
    try:
        there, here = Wasm(engine, written, host), Wasm(engine, written)
        numbers = [*range(tries(10, soak=200)), 2**64 - 1]
        assert [*there.games(numbers)] == [*here.games(numbers)]
        one, other = there.start(5), here.start(5)
        for luck in range(30):
            assert there.options(one) == here.options(other)
            assert there.to_reference(one) == here.to_reference(other)
            there.playout(one, luck, 2)
            here.playout(other, luck, 2)
        there.playout(one, 7, 100_000)
        here.playout(other, 7, 100_000)
        assert there.result(one) == here.result(other)
    finally:
        host.stop()


@pytest.mark.parametrize("name", few([*wasm_games.TRIGGERS], 2))
def test_v8_plays_in_step_with_the_reference(name: str) -> None:
    game = from_text(wasm_games.scene(wasm_games.TRIGGERS[name]))
    written = write_program(game.machine(2))
    host = NodeHost(written.content)
    fast = Wasm(game.machine(2), written, Counted(host))  # type: ignore[arg-type]  # it passes all on
    try:
        assert assert_in_step(game, 2, 1, at_random(1), fast=fast)
    finally:
        host.stop()
    assert not traps_of(fast)


# ---- Simulations ---------------------------------------------------------------------------------


def simulated(game: Game, monkeypatch, *, fast: bool):
    with monkeypatch.context() as patch:
        if not fast:
            patch.setattr(seeded_games, "find_fast", lambda *_: None)
        table = lay_table(game, 3, (RANDOM,) * 3)
        return [count_games([table], range(begin, begin + 25)) for begin in (0, 25)]


def test_simulations_are_the_same_with_and_without_a_module(monkeypatch) -> None:
    game = shipped("sins.rules")

    assert simulated(game, monkeypatch, fast=True) == simulated(game, monkeypatch, fast=False)


def test_a_fault_is_told_as_the_reference_tells_it(monkeypatch) -> None:
    game = from_text(wasm_games.OLDER["a fault in some games"])
    told = []
    for fast in (False, True):
        with pytest.raises(RuleFault) as fault:
            simulated(game, monkeypatch, fast=fast)
        told.append((fault.value.code, fault.value.message, fault.value.span, fault.value.rules))

    assert told[0] == told[1]
