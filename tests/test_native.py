"""Games in C against generated Python: the same seeds give the same games, to the last decision and score."""

import os
import stat
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import small_programs
from games import TABLES, Table, from_text, shipped
from interpreter import chance, machine
from interpreter.bots import make_bot
from interpreter.compiled import Compiled, compile_game, shelf
from interpreter.compiled.support import Beyond
from interpreter.compiled.writing import Unsupported
from interpreter.engines import native_engine
from interpreter.errors import IllegalMove, RuleFault
from interpreter.lab import playing
from interpreter.lab.playing import RANDOM, AtOnce, count_games, lay_table
from interpreter.match import Game, WrongRules, load, load_source
from interpreter.native import building, later, stepping
from interpreter.native.engine import Native, build_native, find_native
from interpreter.native.later import Later
from interpreter.native.programs import write_source
from interpreter.native.stepping import Stepping, build_stepping
from interpreter.options import Decision
from rulespec import loading
from rulespec.mutants import mutants, mutate
from sizes import few, few_alone, some, tries


def has_compiler() -> bool:
    try:
        building.find_compiler()
    except Unsupported:
        return False
    return True


needs_compiler = pytest.mark.skipif(not has_compiler(), reason="no C compiler is found here")
seeds = st.integers(0, 2**64 - 1)
CAREFUL = building.FLAGS
QUICK = ("-std=gnu11", "-O0", "-shared", "-fPIC", "-w")  # many small games are compiled


@pytest.fixture(autouse=True)
def own_shelf(tmp_path, monkeypatch):
    """A shelf for each test, and a compiler in a hurry."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("RULESPEC_CC", raising=False)
    monkeypatch.setattr(building, "FLAGS", QUICK)


def as_python_plays(fast: Compiled, seed: int, first: int | None) -> tuple | None:
    """The end of a game by generated Python: decisions, winners and keys; nothing if it has a fault."""
    try:
        end = fast.finished(seed, first)
        result = fast.result(end)
    except RuleFault:
        return None
    return fast.count(end), result.winners, result.keys


def _fault_of(do: Callable[[], object]) -> bool:
    try:
        do()
    except (RuleFault, Beyond):  # C says only that it cannot go on
        return True
    return False


def assert_same_steps(game: Game, players: int, seed: int, steps: Stepping) -> bool:
    """Play a game from decision to decision beside the reference; whether C has come to its end."""
    engine = game.machine(players)
    if _fault_of(lambda: machine.start(engine, seed)):
        assert _fault_of(lambda: steps.start(seed))
        return False
    one, other = machine.start(engine, seed), steps.start(seed)
    choose = chance.shares(seed)
    for number in range(400):
        asked = one.pending
        assert [steps.contents(other, z) for z in range(len(one.zones))] == one.zones
        assert steps.variables(other) == one.variables
        if not isinstance(asked, Decision):
            assert steps.count(other) == 0
            assert steps.result(other) == machine.rank(engine, one)
            return True
        assert (steps.player(other), steps.count(other)) == (asked.player, len(asked.options))
        assert steps.asked(other).origin == asked.origin
        if len(asked.options) <= 60:
            assert steps.options(other) == list(asked.options)
        if number % 3 == 1:  # the copy goes on, and what it was made of stays
            before, other = other, steps.clone(other)
        if number % 5 == 2:
            other = steps.from_reference(one)
        chosen = int(choose() * len(asked.options))
        fault = _fault_of(lambda chosen=chosen: machine.apply(engine, one, chosen))
        same = _fault_of(lambda chosen=chosen, other=other: steps.apply(other, chosen))
        assert same or not fault
        if same:
            return False
        if number % 3 == 1:
            assert (steps.player(before), steps.count(before)) == (asked.player, len(asked.options))
    return True


def assert_same_games(game: Game, players: int, numbers, native: Native | None = None) -> int:
    """Play on both engines, at once and step by step; how many games C has played itself."""
    native = native or build_native(game.machine(players))
    fast = compile_game(game, players)
    try:
        steps = build_stepping(game.machine(players))
    except Unsupported:
        steps = None
    played = 0
    for first in (None, 0):
        for seed, found in zip(numbers, native.games(numbers, first), strict=True):
            wanted = as_python_plays(fast, seed, first)
            assert wanted is not None or found is None, (
                f"seed {seed} has a fault that C does not see"
            )
            if steps is not None and first is None and played < 5:
                came_through = assert_same_steps(game, players, seed, steps)
                assert came_through or found is None
            if found is not None:
                assert (found.decisions, found.winners, native.keys(found)) == wanted, (
                    f"seed {seed}"
                )
                played += 1
    return played


# ---- The same games ------------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize("table", few_alone(TABLES, 4), ids=str)
def test_every_table_plays_as_python_does(table: Table) -> None:
    name, variants, players = table
    numbers = [*range(12), 2**32 - 1, 2**32, 2**63 + 5, 2**64 - 1]

    assert assert_same_games(shipped(name, variants), players, numbers) == 2 * len(numbers)


@needs_compiler
def test_the_compiler_may_do_its_best(monkeypatch) -> None:
    monkeypatch.setattr(building, "FLAGS", CAREFUL)

    assert assert_same_games(shipped("sins.rules"), 4, range(600)) == 1200


@pytest.mark.soak
@needs_compiler
@pytest.mark.parametrize("table", few_alone(TABLES, 4), ids=str)
def test_thousands_of_games_are_the_same(table: Table, monkeypatch) -> None:
    monkeypatch.setattr(building, "FLAGS", CAREFUL)
    name, variants, players = table
    numbers = range(some(300 if name == "deadlies.rules" else 2000))

    assert assert_same_games(shipped(name, variants), players, numbers) == 2 * len(numbers)


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


@needs_compiler
@pytest.mark.parametrize(("name", "options", "players"), OPTIONS, ids=str)
def test_options_are_known_in_c(name, options, players) -> None:
    assert assert_same_games(load(name, (), options), players, range(10)) == 20


@needs_compiler
def test_small_programs_play_as_python_does() -> None:
    played = []

    @settings(max_examples=tries(6, soak=12))
    @given(small_programs.programs(), st.lists(seeds, min_size=5, max_size=5))
    def play(text: str, numbers: list[int]) -> None:
        played.append(assert_same_games(from_text(text), 2, numbers))

    play()
    # A program made by chance may have a fault; but not all of them.
    assert sum(games > 0 for games in played) > len(played) / 5


@pytest.mark.soak
@needs_compiler
@settings(max_examples=some(1500), suppress_health_check=[*HealthCheck])
@given(small_programs.programs(), st.lists(seeds, min_size=9, max_size=9))
def test_many_small_programs_play_as_python_does(text: str, numbers: list[int]) -> None:
    game = from_text(text)
    for players in game.players:
        assert_same_games(game, players, numbers)


MUTANTS = tries(2, soak=4)


def play_mutants(name: str, begin: int, every: int, wanted: int, games: int) -> int:
    """Play games of some changed rules; how many of the changes are programs that C plays."""
    path, source = loading.find(name), loading.read(name)
    played = 0
    for mutant in mutants(source)[begin::every]:
        try:
            game = load_source(path, mutate(mutant), (), {})
            native = build_native(game.machine(game.code.least_players))
        except (WrongRules, Unsupported):
            continue
        played += assert_same_games(game, game.code.least_players, range(games), native) > 0
        if played == wanted:
            break
    return played


CHANGED = ["sins.rules", "seven7s.rules", "siegel.rules", "deadlies.rules"]


@needs_compiler
@pytest.mark.parametrize("name", few(CHANGED, 1))
def test_changed_games_play_as_python_does(name: str) -> None:
    assert play_mutants(name, 5, 7, wanted=MUTANTS, games=3) == MUTANTS


@pytest.mark.soak
@needs_compiler
@pytest.mark.parametrize("begin", range(20))
@pytest.mark.parametrize("name", CHANGED)
def test_all_changed_games_play_as_python_does(name: str, begin: int) -> None:
    assert play_mutants(name, begin, 20, wanted=some(20), games=10)


# ---- Corners -------------------------------------------------------------------------------------

HEAD = """\
game "Corner"
players 2..3
use turns
enum Suit = clubs, hearts
pieces                         | copies
  Card(suit: Suit, value: 1..4) | 2
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  table        | pool  | everyone
  gone         | pile  | everyone
state          | type  | start
  count        | 0..9  | 0
rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]
ranking of p
  most | sum(c.value for c in hand[p])
  fewest | count
rule turn(p: Player)
"""
CORNERS = {
    "a trigger that interrupts a move, and chooses": """\
  p chooses c from hand[p]
  move c to table
  move top(deck, 2) to table
  if #deck == 0: end
let full = #table > 3
when full
  active chooses d from table
  move table - [d] to gone
  move d under deck
  count = min(9, count + 1)
  move top(gone) to hand[active]
""",
    "subsets in which cards look alike": """\
  move top(deck) to hand[p]
  p may choose pair from subsets(hand[p], 1..2)
  move pair to gone
  p may choose same from alike(hand[p], value)
  move same under gone
  p may choose run from runs(hand[p], value)
  move run to table
  if #deck < 3: end
""",
    "a fault in some games": """\
  p chooses c from hand[p]
  move c to table
  move top(deck) to hand[p]
  count += c.value - 1
  if #deck == 0: end
""",
    "nothing to choose from in some games": """\
  p chooses c from hand[p][hearts]
  move c to table
  move top(deck) to hand[p]
  if #deck < 6: end
""",
}


@needs_compiler
@pytest.mark.parametrize("body", CORNERS.values(), ids=CORNERS)
def test_corners_are_as_in_python(body: str) -> None:
    for players in (2, 3):
        assert assert_same_games(from_text(HEAD + body), players, range(60))


ENDLESS = """\
game "Endless"
players 2
pieces  | copies
  Token | 1
enum Way = up, down
zones | order | seen by
  one | pool  | everyone
state | type | start
  way | Way  | up
rule play
  repeat
    move box to one
    {between}
    move one to box
    if #box == 2: stop
ranking of p
  most | index(p)
"""


@needs_compiler
@pytest.mark.parametrize("between", ["way = down", "first chooses way from Way"])
def test_what_never_ends_is_given_back_to_python(between: str) -> None:
    native = build_native(from_text(ENDLESS.format(between=between)).machine(2))

    assert native.finish(1) is None


@needs_compiler
def test_seeds_that_are_no_64_bits_are_left_to_python() -> None:
    native = build_native(shipped("sins.rules").machine(2))

    assert native.finish(-1) is None
    assert native.finish(2**64) is None
    assert native.finish(2**64 - 1) is not None


# ---- Simulations ---------------------------------------------------------------------------------


def simulated(game: Game, monkeypatch, *, compiles: bool):
    with monkeypatch.context() as patch:
        patch.setattr(playing, "BEFORE_LOOKING", 0 if compiles else 1e9)
        patch.setattr(playing, "BEFORE_COMPILING", 0 if compiles else 1e9)
        table = lay_table(game, 3, (RANDOM,) * 3)
        counts = [count_games([table], range(begin, begin + 50)) for begin in (0, 50)]
    assert isinstance(table.play, AtOnce)
    return counts, table.play.native


@needs_compiler
def test_simulations_are_the_same_with_and_without_c(monkeypatch) -> None:
    by_python, none = simulated(shipped("sins.rules"), monkeypatch, compiles=False)
    in_c, native = simulated(shipped("sins.rules"), monkeypatch, compiles=True)

    assert none is None
    assert native is not None
    assert in_c == by_python


@needs_compiler
def test_a_fault_is_told_as_python_tells_it(monkeypatch) -> None:
    game = from_text(HEAD + CORNERS["a fault in some games"])
    told = []
    for compiles in (False, True):
        with pytest.raises(RuleFault) as fault:
            simulated(game, monkeypatch, compiles=compiles)
        told.append((fault.value.code, fault.value.message, fault.value.span))

    assert told[0] == told[1]


def test_without_a_compiler_python_plays(monkeypatch) -> None:
    wanted, _ = simulated(shipped("sins.rules"), monkeypatch, compiles=False)
    monkeypatch.setenv("RULESPEC_CC", "off")
    found, native = simulated(shipped("sins.rules"), monkeypatch, compiles=True)

    assert native is None
    assert found == wanted


# ---- Reasons -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "reason"),
    [("off", "RULESPEC_CC is off"), ("no-such-compiler", "none of no-such-compiler")],
)
def test_it_is_told_why_there_is_no_compiler(setting: str, reason: str, monkeypatch) -> None:
    machine = shipped("sins.rules").machine(2)
    monkeypatch.setenv("RULESPEC_CC", setting)

    with pytest.raises(Unsupported, match=reason):
        build_native(machine)
    assert find_native(machine) is None


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 1", "refuses: 1"),
        ("echo 'bad flag' >&2; exit 1", "refuses: bad flag"),
        ("", "refuses: 0"),
    ],
)
def test_a_compiler_that_fails_is_no_trouble(script, reason, tmp_path, monkeypatch) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(f"#!/bin/sh\n{script}\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("RULESPEC_CC", str(compiler))

    with pytest.raises(Unsupported, match=reason):
        build_native(shipped("sins.rules").machine(2))


MANY = HEAD.replace("| 2\nzones", "| 20\nzones")


def test_what_is_not_written_in_c_is_told() -> None:
    with pytest.raises(Unsupported, match="160 pieces"):
        write_source(from_text(MANY + CORNERS["a fault in some games"]).machine(2))


# ---- What is kept --------------------------------------------------------------------------------


def kept_file(source: str):
    found = building.find_kept(source)
    assert found is not None
    return found


@needs_compiler
def test_a_library_is_compiled_once(monkeypatch) -> None:
    machine = shipped("sins.rules").machine(2)
    assert find_native(machine, compiles=False) is None
    first = build_native(machine).finish(3)
    monkeypatch.setattr(building, "compile_source", None)  # nobody calls it again

    again = find_native(machine, compiles=False)

    assert again is not None
    assert again.finish(3) == first


@needs_compiler
@pytest.mark.parametrize("place", [0, 20, 60, 5000, -1])
def test_a_library_that_was_altered_is_never_loaded(place, monkeypatch) -> None:
    machine = shipped("sins.rules").machine(2)
    build_native(machine)
    path = kept_file(write_source(machine))
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    monkeypatch.setattr(building, "load_library", lambda _: pytest.fail("it was loaded"))

    assert find_native(machine, compiles=False) is None


@needs_compiler
def test_a_library_of_another_game_or_without_our_seal_is_never_loaded(monkeypatch) -> None:
    machine, other = (shipped("sins.rules").machine(players) for players in (2, 3))
    for each in (machine, other):
        build_native(each)
    path, foreign = (kept_file(write_source(each)) for each in (machine, other))
    monkeypatch.setattr(building, "load_library", lambda _: pytest.fail("it was loaded"))

    path.write_bytes(foreign.read_bytes())
    assert find_native(machine, compiles=False) is None
    path.write_bytes(b"\x7fELF")
    assert find_native(machine, compiles=False) is None


@needs_compiler
@pytest.mark.skipif(os.name != "posix", reason="rights as POSIX has them")
def test_a_folder_that_others_may_write_to_is_not_trusted(monkeypatch) -> None:
    machine = shipped("sins.rules").machine(2)
    build_native(machine)
    place = shelf.folder()
    assert place is not None
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    place.chmod(0o777)
    monkeypatch.setattr(building, "load_library", lambda _: pytest.fail("it was loaded"))

    assert find_native(machine, compiles=False) is None


@needs_compiler
def test_nothing_is_kept_if_nobody_wants_that(monkeypatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", "off")
    machine = shipped("sins.rules").machine(2)

    assert build_native(machine).finish(1) is not None
    assert find_native(machine, compiles=False) is None


@needs_compiler
def test_another_compiler_makes_another_library(tmp_path, monkeypatch) -> None:
    machine = shipped("sins.rules").machine(2)
    build_native(machine)
    compiler = tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\nexec {building.find_compiler()} "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("RULESPEC_CC", str(compiler))

    assert find_native(machine, compiles=False) is None
    assert find_native(machine) is not None


# ---- What is written -----------------------------------------------------------------------------


def test_the_lines_of_a_rule_stand_above_what_became_of_them() -> None:
    written = write_source(shipped("sins.rules").machine(4))

    line = "repeat 5 - #centre: move top(deck) to centre"
    lines = loading.read("sins.rules").text.splitlines()
    assert f"    // {lines.index(f'  {line}') + 1}: {line}\n" in written
    assert "// when doomed\nstatic num test_0(state *s) {" in written


NASTY = """\
game "Nasty \\\\"
players 2
state    | type | start
  memset | 0..9 | 0
  unix   | 0..9 | 0
  double | 0..9 | 0
let strlen = memset + unix
rule play
  memset = strlen + double  -- \\
  unix = 3
ranking of p
  most | unix
"""


@needs_compiler
def test_names_and_comments_cannot_break_the_source() -> None:
    text = NASTY.replace("\\\\", "")

    assert assert_same_games(from_text(text), 2, range(3)) == 6


# ---- Step by step --------------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize("name", ["sins.rules", "seven7s.rules", "siegel.rules", "deadlies.rules"])
def test_a_bot_comes_to_the_same_conclusions_in_c(name: str, monkeypatch) -> None:
    game = load(name)
    players = game.code.least_players
    match = game.start(players, seed=5)
    for _ in range(9):
        match.apply(0)
    known = match.information(match.decision.player)
    native_engine.cache_clear()
    monkeypatch.setenv("RULESPEC_CC", "off")
    slowly = make_bot("search:60", game, players, 3).advise(known)
    native_engine.cache_clear()
    monkeypatch.delenv("RULESPEC_CC")
    native_engine(game, players).found = build_stepping(game.machine(players))
    quickly = make_bot("search:60", game, players, 3).advise(known)

    assert quickly == slowly
    assert slowly.games == 60


@needs_compiler
def test_who_plays_much_has_it_compiled_and_the_next_one_finds_it() -> None:
    machine = shipped("sins.rules").machine(2)
    waiting = Later(machine)
    assert waiting.look() is None  # nothing is kept yet
    assert waiting.look() is None
    assert waiting.thread is None  # and few games were played
    waiting.played = later.MANY
    waiting.look()
    waiting.thread.join()

    assert waiting.look() is not None
    assert Later(machine).look() is not None


def test_without_a_compiler_nobody_looks_again(monkeypatch) -> None:
    monkeypatch.setenv("RULESPEC_CC", "off")
    waiting = Later(shipped("sins.rules").machine(2), played=later.MANY)

    assert [waiting.look() for _ in range(3)] == [None] * 3
    assert waiting.thread is None


@needs_compiler
def test_what_is_no_option_is_refused_and_nothing_changes() -> None:
    steps = build_stepping(shipped("sins.rules").machine(2))
    state = steps.start(1)
    before = bytes(steps.clone(state))
    for number in (-1, steps.count(state), 2**40):
        with pytest.raises(IllegalMove, match="they are 0 to 2"):
            steps.apply(state, number)
    assert bytes(state) == before

    steps.playout(state, 1, 10_000)
    with pytest.raises(IllegalMove, match="the game is over"):
        steps.apply(state, 0)


@needs_compiler
def test_a_playout_stops_where_it_is_told_to_as_it_does_in_python() -> None:
    game = shipped("siegel.rules")
    steps, fast = build_stepping(game.machine(3)), compile_game(game, 3)
    state, other = steps.start(4), fast.start(4)
    for most in (3, 40, 10_000):
        steps.playout(state, 11, most)
        fast.playout(other, 11, most)
        assert steps.count(state) == fast.count(other)
        assert steps.variables(state) == fast.to_reference(other).variables
    assert steps.result(state) == fast.result(other)


@needs_compiler
def test_many_options_are_told_bit_by_bit(monkeypatch) -> None:
    game = shipped("deadlies.rules")
    monkeypatch.setattr(stepping, "MOST_TOLD", 4)
    steps, fast = build_stepping(game.machine(4)), compile_game(game, 4)
    state, other = steps.start(4), fast.start(4)
    most = 0
    for luck in range(200):
        most = max(most, fast.count(other))
        assert steps.options(state) == fast.options(other)
        steps.playout(state, luck, 1)
        fast.playout(other, luck, 1)
    assert most > 10


@needs_compiler
def test_a_trigger_that_asks_is_played_at_once_but_not_stepped() -> None:
    machine = from_text(HEAD + CORNERS["a trigger that interrupts a move, and chooses"]).machine(2)

    assert build_native(machine).finish(1) is not None
    with pytest.raises(Unsupported, match="a trigger in which somebody is asked"):
        build_stepping(machine)
