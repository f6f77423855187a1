"""Zones that not everybody counts: who observes moves, on both engines, on the screen, in the story and in sampled worlds."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from games import at_random, from_text
from interpreter import machine as machines
from interpreter.derivations import Closed, Plain
from interpreter.deriving import derive
from interpreter.display_names import Listener
from interpreter.hindsight import keep_moment, learnt_at_once
from interpreter.machine import build_machine
from interpreter.match import Match
from interpreter.options import Decision
from interpreter.research.action_space import list_actions
from interpreter.research.tensors import encode_state, list_slots
from interpreter.shown.audience import common_view
from interpreter.shown.picture import draw_picture, set_scene
from interpreter.shown.tableau import draw_table
from interpreter.story import questions_of, tell_story
from interpreter.tabletop import tell_table
from interpreter.variations import is_same_screen
from interpreter.verifying.game_trees import grow_tree
from interpreter.verifying.verification import verify
from interpreter.views import ZoneView, information, view
from interpreter.wasm.engine import Wasm
from interpreter.worlds import Mind, sampler, sampler_of_reference
from rulespec.core.tree import Op
from rulespec.core.types import SEAT, Number, Place
from rulespec.source import Source, Span
from sizes import few, tries
from story_games import Told
from test_story_secrets import recording_of, stories
from test_wasm_records import assert_observed
from test_worlds import assert_explains
from unchecked import unchecked

HERE = Path(__file__).parent
FISTS = (HERE / "accepted" / "counted.rules").read_text("utf-8")
HARMLESS = sorted((HERE / "secrets" / "harmless").glob("counted_*.rules"))
HEAD = """\
game "Small"
players 3
pieces             | copies
  Chip             | 9
  Card(value: 1..4) | 1
zones           | order | seen by  | counted by
  purse[Player] | pool  | owner    | owner
  fist[Player]  | pool  | owner    | owner
  back[Player]  | pool  | others   | others
  tray[Player]  | pool  | nobody   | owner
  safe          | pool  | nobody   | nobody
  vault         | pool  | nobody   | nobody
  pot           | pool  | everyone | everyone
state         | type   | start | seen by
  bid[Player] | 0..9   | 0     | owner
  points      | 0..999 | 0
ranking of p
  most | points + bid[p] + #purse + #fist + #back + #tray + #safe + #vault + #pot
rule play
"""
FIRST, SECOND, THIRD = range(3)
ASK = 'first chooses points from 0..9 "?"'


def small(statements: str) -> Match:
    """A game that waits for its first question; `;` stands between its lines."""
    lines = "".join(f"  {line}\n" for line in statements.split("; "))
    return from_text(HEAD + lines).start(3, 1, first=FIRST)


def told(match: Match) -> list[int]:
    """How much each player has observed."""
    return [len(match.information(player).log) for player in range(3)]


def number_of(match: Match, name: str, *indices: int) -> int:
    rows = [(zone.row.name, zone.indices) for zone in match.engine.layout.zones]
    return rows.index((name, indices))


def seen(match: Match, player: int, name: str, *indices: int) -> ZoneView:
    return view(match.engine, match.state, player).zones[number_of(match, name, *indices)]


# ---- Observation -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "observed"),
    [
        ("move top(box[Chip], 2) to purse[first]", [2, 2, 2]),
        ("move top(box[Chip], 2) to safe", [2, 2, 2]),
        ("move purse[first] to fist[first]", [2, 0, 0]),
        ("move purse[first] to fist[next(first)]", [2, 2, 0]),
        ("move purse[first] to tray[first]", [2, 0, 0]),
        ("move purse[first] to back[first]", [2, 2, 2]),
        ("move back[next(first)] to back[first]", [1, 1, 1]),
        ("move purse[first] to safe", [2, 0, 0]),
        ("move safe to vault", [0, 0, 0]),
        ("move safe to tray[first]", [1, 0, 0]),
        ("move purse[first] to pot", [2, 2, 2]),
        ("show purse[first] to next(first)", [1, 1, 0]),
        ("reveal purse[first]", [1, 1, 1]),
        ("show safe to first", [1, 0, 0]),
        ("show fist[first] to next(first)", [0, 0, 0]),
    ],
)
def test_who_counts_a_zone_of_a_move_is_told_of_it(move: str, observed: list[int]):
    start = (
        "move top(box[Chip], 2) to purse[first]; move top(box[Chip]) to safe; "
        "move top(box[Chip]) to back[next(first)]"
    )
    before, after = small(start), small(f"{start}; {move}")

    new = [many - few_ for many, few_ in zip(told(after), told(before), strict=True)]
    assert new == observed


def test_a_move_is_told_with_where_it_comes_from_and_goes_to():
    match = small("move top(box[Chip]) to purse[first]; move purse[first] to pot")
    purse, pot = number_of(match, "purse", FIRST), number_of(match, "pot")

    for player in range(3):
        assert match.information(player).log[-1][:4] == ("move", purse, None, pot)


def test_what_was_shown_where_a_player_does_not_count_is_not_kept_on_the_screen():
    """It could leave unnoticed, and its vanishing would tell that."""
    deal = "move top(box[Card], 2) to purse[first]; show purse[first] to next(first)"
    there = small(f"{deal}; {ASK}")
    gone = small(f"{deal}; move purse[first] to fist[first]; {ASK}")

    assert view(there.engine, there.state, SECOND) == view(gone.engine, gone.state, SECOND)
    assert is_same_screen(there.engine, there.state, gone.state, SECOND)
    assert information(there.engine, there.state, SECOND) == information(
        gone.engine, gone.state, SECOND
    )
    assert not is_same_screen(there.engine, there.state, gone.state, FIRST)
    assert not there.state.watch.knows(
        there.state, SECOND, there.state.zones[number_of(there, "purse", FIRST)]
    )


def test_what_moves_into_such_a_zone_before_all_eyes_is_not_known_to_be_there_for_good():
    match = small("move top(box[Card]) to purse[first]")
    cards = match.state.zones[number_of(match, "purse", FIRST)]

    assert match.state.watch.knows(match.state, FIRST, cards)
    assert not match.state.watch.knows(match.state, SECOND, cards)


# ---- Shown -------------------------------------------------------------------------------------------


def test_the_screen_does_not_say_how_many():
    match = small(f"move top(box[Chip], 3) to purse[first]; {ASK}")

    assert (
        seen(match, FIRST, "purse", FIRST).counted,
        len(seen(match, FIRST, "purse", FIRST).cards),
    ) == (True, 3)
    for name, index in (("purse", FIRST), ("fist", FIRST)):
        zone = seen(match, SECOND, name, index)
        assert not zone.counted
        assert not zone.cards
    assert not seen(match, FIRST, "safe").counted
    assert not seen(match, FIRST, "back", FIRST).counted
    assert seen(match, SECOND, "back", FIRST).counted


def test_what_all_see_has_no_such_zones():
    match = small(f"move top(box[Chip], 3) to purse[first]; {ASK}")
    views = [view(match.engine, match.state, player) for player in range(3)]
    zone = common_view(views).zones[number_of(match, "purse", FIRST)]

    assert not zone.counted
    assert not zone.cards


def test_a_picture_draws_a_question_mark():
    match = small(f"move top(box[Chip], 3) to purse[first]; {ASK}")
    scene = set_scene(match)

    def area(player: int):
        picture = draw_picture(scene, view(match.engine, match.state, player), player)
        purse = number_of(match, "purse", FIRST)
        return picture, next(a for g in picture.groups for a in g.areas if a.zone == purse)

    mine, theirs = area(FIRST)[1], area(SECOND)[1]
    assert (mine.counted, mine.count) == (True, 3)
    assert (theirs.counted, theirs.stacks) == (False, ())
    drawn = draw_table(area(SECOND)[0], "The table")
    assert ">?<" in drawn
    assert "who knows how many" in drawn


def test_the_table_in_words_has_a_question_mark():
    match = small(f"move top(box[Chip], 3) to purse[first]; {ASK}")
    rows = dict(
        tell_table(Listener(match.engine.layout, match.names, SECOND), match.engine, match.state)
    )

    assert [*rows.values()].count(
        "?"
    ) == 2 + 2 + 1 + 2 + 2  # two purses, fists and trays, a back, safe and vault
    assert "chips" not in "".join(rows.values())


def test_numbers_for_learning_do_not_say_how_many():
    one = small(f"move top(box[Chip], 3) to purse[first]; {ASK}")
    other = small(
        f"move top(box[Chip], 3) to purse[first]; move top(purse[first]) to fist[first]; {ASK}"
    )
    slots = list_slots(one.engine, list_actions(one.engine))

    def numbers(match: Match, player: int) -> list[float]:
        return encode_state(slots, match.state, player, None)

    assert numbers(one, SECOND) == numbers(other, SECOND)
    assert numbers(one, FIRST) != numbers(other, FIRST)


def test_a_derivation_is_closed_where_it_counts_what_the_listener_does_not():
    match = small(f"move top(box[Chip], 3) to purse[first]; {ASK}")
    span = Span(match.game.code.blocks["play"].origin.span.source, 0, 0)
    seat = Op("literal", value=FIRST, type=SEAT, span=span)

    def found(name: str, player: int) -> object:
        place = Op("zone", (seat,), word=name, type=Place(frozenset()), span=span)
        inside = Op("contents", (place,), type=Place(frozenset()), span=span)
        count = Op("count", (inside,), type=Number(0, 9), span=span)
        to = Listener(match.engine.layout, match.names, player)
        return derive(match.engine, match.state, count, to)

    assert isinstance(found("purse", FIRST), Plain)
    assert isinstance(found("purse", SECOND), Closed)
    assert isinstance(found("fist", SECOND), Closed)  # though it is empty


def test_a_story_tells_nothing_of_what_others_move_in_secret():
    match = small(
        "move top(box[Chip], 3) to purse[first]; move top(purse[first]) to fist[first]; " + ASK
    )

    def story(player: int | None) -> str:
        to = Listener(match.engine.layout, match.names, player)
        return "\n".join(each.text for each in tell_story(to, match.events, questions_of(match)))

    assert "takes a chip" in story(FIRST)
    assert "takes a chip" in story(None)
    assert "takes a chip" not in story(SECOND)


def test_games_that_differ_in_hidden_numbers_are_told_alike(tmp_path: Path):
    file = tmp_path / "fists.rules"
    file.write_text(FISTS, "utf-8")
    game = Told(str(file), 3)
    pairs = 0
    for seed in range(tries(4, soak=60)):
        recording = recording_of(game, seed)
        for player in range(3):
            pair = stories(recording, player, seed)
            if pair is not None:
                pairs += 1
                assert pair[0] == pair[1]
    assert pairs > 6


# ---- The same on the other engine --------------------------------------------------------------------


@pytest.mark.parametrize("path", few(HARMLESS, 4), ids=lambda path: path.stem)
def test_the_fast_engine_observes_the_same(path: Path):
    engine = from_text(path.read_text("utf-8")).machine(3)
    assert_observed(engine, Wasm(engine, recorded=True), 1)


def test_the_fast_engine_observes_the_same_of_chips_in_fists():
    engine = from_text(FISTS).machine(3)
    fast = Wasm(engine, recorded=True)
    for seed in range(tries(3, soak=100)):
        assert assert_observed(engine, fast, seed)


# ---- Worlds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [sampler, sampler_of_reference])
def test_worlds_with_hidden_numbers_are_possible(make):
    made = 0
    for seed in range(tries(2, soak=20)):
        match, policy = from_text(FISTS).start(3, seed), at_random(seed)
        while not match.over and match.decision is not None:
            known = match.information(match.decision.player)
            found = make(match.engine, known, seed)
            if make is sampler:
                assert isinstance(found, Mind)  # the fast engine imagines them
            assert_explains(match.engine, known, found.world())
            made += 1
            match.apply(policy(match.decision))
    assert made > 5


def test_what_others_have_in_their_fists_may_be_any_number():
    match = small(
        "move top(box[Chip], 3) to purse[first]; first chooses bid[first] from 0..3; "
        "move top(purse[first], bid[first]) to fist[first]; next(first) chooses points from 0..9"
    )
    match.apply(2)
    assert isinstance(match.decision, Decision)
    known, fist = match.information(SECOND), number_of(match, "fist", FIRST)
    found = sampler(match.engine, known, 1)
    numbers = Counter(len(found.world().state.zones[fist]) for _ in range(100))

    assert set(numbers) == {0, 1, 2, 3}


# ---- Taking back -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "is_learnt"),
    [
        ("if #fist[next(first)] > 1: points = 99", True),
        ("move fist[next(first)] to pot", True),
        ("move fist[next(first)] to purse[next(first)]", False),
        ("if #fist[next(first)] > 1: move top(safe) to vault", False),
    ],
)
def test_a_choice_after_which_a_hidden_number_shows_is_not_taken_back(then: str, is_learnt: bool):  # noqa: FBT001 - a row
    match = small(
        "move top(box[Chip], 3) to purse[next(first)]; move top(box[Chip]) to safe; "
        "next(first) chooses bid[next(first)] from 0..3; "
        f"move top(purse[next(first)], bid[next(first)]) to fist[next(first)]; {ASK}; {then}; {ASK}"
    )
    match.apply(2)
    state = match.state.clone()
    moment = keep_moment(state, FIRST, 3)
    before = len(state.watch.events)
    machines.apply(match.engine, state, 3)

    found = learnt_at_once(match.engine, moment, state.watch.events[before:])
    assert (found is not None) == is_learnt


# ---- Proven ------------------------------------------------------------------------------------------

TINY = """\
game "Tiny fists"
players 2
pieces | copies
  Chip | 4
zones           | order | seen by  | counted by
  purse[Player] | pool  | owner    | owner
  fist[Player]  | pool  | owner    | owner
  bet[Player]   | pool  | everyone | everyone
state         | type | start | seen by
  bid[Player] | 0..2 | 0     | owner
rule setup
  for p in Player: move top(box, 2) to purse[p]
rule play
  for p in order(first)
    p chooses bid[p] from 0..#purse[p] "How many?"
    move top(purse[p], bid[p]) to fist[p]
  for p in order(first): move fist[p] to bet[p]
ranking of p
  most | #bet[p]
"""


def test_a_player_who_has_observed_the_same_sees_the_same():
    report = verify(from_text(TINY), 2, rounds=0)

    assert not report.wrong
    assert report.histories


def test_a_number_that_shows_is_found():
    """No check has looked at these rules."""
    text = TINY.replace("from 0..#purse[p]", "from 0..#purse[next(p)]").replace(
        "order(first)", "[first, next(first)]", 1
    )
    code = unchecked(Path("tiny.rules"), Source("tiny.rules", text))
    table = SimpleNamespace(returns=lambda _: [0.0, 0.0])
    tree = grow_tree(table, build_machine(code, 2), 0, 1000)

    assert tree.difference is not None
    assert tree.difference.player == 1
