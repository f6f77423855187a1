"""The lab: the same numbers in whatever pieces they were played, by whomever, and however often interrupted."""

import csv
import gc
import io
import json
import re
import tracemalloc
from html.parser import HTMLParser
from pathlib import Path

import pytest
from attrs import evolve

from interpreter.game_loading import load, load_source
from interpreter.lab import budgets, html_report, rows, texts
from interpreter.lab.chunks import Task, game_seed, pack, play_chunk
from interpreter.lab.comparison import Contender, compare
from interpreter.lab.counts import add
from interpreter.lab.crews import local_crew
from interpreter.lab.measures import measures
from interpreter.lab.plans import Plan, WrongPlan, middle_of, settle_plan
from interpreter.lab.plot_styles import DARK, LIGHT
from interpreter.lab.simulation import simulate
from interpreter.lab.studies import (
    Errand,
    Study,
    WrongCheckpoint,
    conduct,
    mark_of,
    open_study,
    save_study,
)
from interpreter.lab.unused import unused_parts
from lab_games import PICK, TURNS, TWO_TAKE, deadly_crew, game, luck, scatter, twin
from rulespec import cli
from rulespec.source import Source

PLAN = Plan(300, (2,), seed=5, sample=20)


@pytest.fixture(scope="module")
def sins():
    return load("sins.rules")


def study(jobs=1, **more):
    return Study(local_crew(jobs), **more)


def task(kind="games", seed=1, *programs):
    games = programs or (scatter(),)
    return Task(kind, tuple(map(pack, games)), 2, ("random",) * 2, seed)


# ---- The same numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize("more", [{"chunk": 1}, {"chunk": 7}, {"chunk": 1000}, {"jobs": 2}])
def test_neither_chunks_nor_cores_change_a_number(sins, more):
    expected = simulate(sins, PLAN, study())
    found = study(**more)
    try:
        assert simulate(sins, PLAN, found) == expected
    finally:
        found.crew.dismiss()


def test_another_seed_gives_other_numbers(sins):
    assert simulate(sins, PLAN, study()) != simulate(sins, Plan(300, (2,), seed=6), study())


def test_a_game_that_was_played_before_is_simulated_as_well():
    sins = load("sins.rules")
    sins.start(2, 1)

    assert simulate(sins, Plan(3, (2,)), study())["tables"][0]["games"] == 3


def test_chunks_add_up():
    whole = play_chunk(task(), 0, 100).counts
    parts = [play_chunk(task(), *ends).counts for ends in ((60, 100), (0, 1), (1, 60))]

    assert whole == add(add(parts[1], parts[2]), parts[0])


def test_no_two_games_have_the_same_seed():
    seeds = {
        game_seed(seed, players, n) for seed in (1, 2) for players in (2, 3) for n in range(999)
    }

    assert len(seeds) == 4 * 999


def test_sides_of_a_comparison_play_the_same_games_as_alone():
    both = play_chunk(task("games", 3, scatter(), twin()), 0, 50).counts
    alone = play_chunk(task("games", 3, twin()), 0, 50).counts

    def sums(counts, side):
        return [counts["of", side, each.name, "sum"] for each in measures(2)]

    assert sums(both, 1) == sums(alone, 0)
    assert sums(both, 0) != sums(alone, 0)


# ---- What can go wrong ---------------------------------------------------------------------------


def test_workers_that_die_cost_only_time(tmp_path):
    expected = conduct(study(chunk=10), Errand(task(), 200))
    deadly = Study(deadly_crew(tmp_path / "died"), chunk=10)
    try:
        assert conduct(deadly, Errand(task(), 200)) == expected
    finally:
        deadly.crew.dismiss()
    assert len(list(tmp_path.glob("died*"))) >= 2


def interrupted_after(times, path):
    """A study that somebody interrupts after so many times that it told something: two chunks each."""
    told = []

    def tell(_errand, done):
        told.append(done)
        if len(told) == times:
            raise KeyboardInterrupt

    return study(path=path, told=tell, chunk=10)


def test_what_was_interrupted_tells_what_is_there(sins):
    report = simulate(sins, Plan(300, (2, 3), seed=5, sample=0), interrupted_after(4, None))

    assert report["interrupted"]
    assert [table["games"] for table in report["tables"]] == [80]
    assert (
        report["tables"][0]
        == simulate(sins, Plan(80, (2,), seed=5, sample=0), study())["tables"][0]
    )
    assert "interrupted: these are the results so far" in texts.report_text(report)


def test_what_was_interrupted_goes_on_from_its_checkpoint(sins, tmp_path):
    path = tmp_path / "kept.json"
    expected = simulate(sins, PLAN, study())
    for times in (3, 4, 5):
        again = interrupted_after(times, path)
        open_study(again)
        assert simulate(sins, PLAN, again)["interrupted"]
    played = []
    last = study(path=path, told=lambda _errand, done: played.append(done.games))
    open_study(last)

    assert simulate(sins, PLAN, last) == expected
    # What was there was not played again.
    assert played[0] > 80


def test_a_comparison_until_something_is_known_goes_on_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr("interpreter.lab.comparison.FIRST_LOOK", 50)
    sides, plan = [Contender("A", scatter()), Contender("B", twin())], Plan(9_000, (2,), seed=2)
    expected = compare(sides, plan, study(), 0.08)
    path = tmp_path / "kept.json"

    def interrupt(_errand, done):
        if done.games > 200:
            raise KeyboardInterrupt

    stopped = compare(sides, plan, study(path=path, told=interrupt), 0.08)
    assert stopped["interrupted"]
    resumed = study(path=path)
    open_study(resumed)

    assert compare(sides, plan, resumed, 0.08) == expected
    assert expected["tables"][0]["games"] > stopped["tables"][0]["games"] > 200


def test_a_checkpoint_serves_its_own_games_only(tmp_path):
    path = tmp_path / "kept.json"
    conduct(study(path=path), Errand(task(), 50))
    other = study(path=path)
    open_study(other)

    assert conduct(other, Errand(task(seed=2), 30)) == conduct(study(), Errand(task(seed=2), 30))
    assert mark_of(task("games", 1, twin())) != mark_of(task("games", 1, scatter()))
    with pytest.raises(WrongCheckpoint, match="already has 50 games, but only 40 are wanted"):
        conduct(other, Errand(task(), 40))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 1}', '{"format": 0, "tasks": {}}', "{}"]
)
def test_what_is_no_checkpoint_is_refused(tmp_path, text):
    path = tmp_path / "kept.json"
    path.write_text(text)

    with pytest.raises(WrongCheckpoint):
        open_study(study(path=path))


def test_a_checkpoint_is_whole_at_every_moment(tmp_path, monkeypatch):
    path = tmp_path / "kept.json"
    kept = study(path=path)
    conduct(kept, Errand(task(), 20))
    before = path.read_text()

    def fail(*_arguments, **_more):
        raise OSError("no space")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no space"):
        save_study(kept)

    assert path.read_text() == before


def test_memory_does_not_grow_with_games():
    work = task()

    def most_kept(games):
        found = []

        def measure(_errand, _done):
            # The types of the arrays in which seeds are handed over wait for the collector, more or fewer of them.
            gc.collect()
            found.append(tracemalloc.get_traced_memory()[0])

        tracemalloc.start()
        conduct(study(chunk=100, told=measure), Errand(work, games))
        tracemalloc.stop()
        return max(found)

    most_kept(2_000)  # what is made once is made
    assert most_kept(5_000) < 1.3 * most_kept(500)


ENDLESS = """
game "Endless"
players 2
pieces  | copies
  Token | 1
enum Way = up, down
state | type | start
  way | Way  | up
rule play
  repeat
    first chooses way from Way
    if #box == 0: stop
ranking of p
  most | 1
"""


def test_a_game_without_an_end_is_not_waited_for():
    plan = Plan(100, (2,), longest=500)
    for other in (
        simulate,
        lambda game, *more: compare([Contender("A", luck(5)), Contender("B", game)], *more),
    ):
        with pytest.raises(
            WrongPlan, match=r"none of the first 20 games.* was over after 500 choices"
        ) as told:
            other(game(ENDLESS), plan, study())
        assert "`--longest 5000` waits longer" in str(told.value)


LONG = """
game "Long"
players 2
pieces  | copies
  Token | 1
enum Way = leave, again, more
state | type | start
  way | Way  | more
rule play
  repeat
    first chooses way from Way
    if way == leave: end
ranking of p
  most | 1 if p == first else 0
"""


def test_games_that_are_cut_off_are_counted_as_that():
    # A third of all games ends with each choice: of these, 4 of 9 go on after two.
    table = simulate(game(LONG), Plan(900, (2,), longest=2, sample=5), study())["tables"][0]

    assert table["cut_off"] == pytest.approx(400, abs=60)
    assert table["cut"]["mean"] == table["cut_off"] / 900
    assert sum(count for _, count in table["decisions"]["histogram"]) == 900 - table["cut_off"]
    # Of games without an end nobody knows who would have won.
    assert table["seats"][0]["mean"] == 1
    assert "had no end after the most choices" in " ".join(table["verdict"])


# The fast engine's upper bound takes each of these sets for as large as the deck; the reference counts five cards.
FEW_OF_MANY = """
game "Few of many"
players 2
pieces               | copies
  Card(value: 1..99) | 1
zones  | order | seen by
  deck | pile  | nobody
  row  | pool  | everyone
state  | type | start
  n    | Int  | 0
let fits(cards: set Card) = sum(#runs(cards, value, t) + #alike(cards, value, t) for t in 2..5) < 9
rule play
  move box to deck
  shuffle deck
  move top(deck, 13) to row
  first chooses cards from subsets(row, 5) where fits(it)
  n = sum(c.value for c in cards)
  end
ranking of p
  most | n if p == first else 0
"""


def test_games_at_which_the_fast_engine_stops_are_counted_and_told():
    found = simulate(game(FEW_OF_MANY), Plan(7, (2,), sample=0), study(chunk=2))
    pair = [Contender("few", game(FEW_OF_MANY)), Contender("scatter", scatter())]
    both = compare(pair, Plan(6, (2,)), study())

    assert found["tables"][0]["slow"] == 7
    assert "In 7 of 7 games the fast engine stopped" in texts.report_text(found)
    assert "with the same results" in html_report.page(found)
    assert [side["slow"] for side in both["tables"][0]["sides"]] == [6, 0]
    assert texts.report_text(both).count("2 players: In 6 of 6 games of few the fast") == 1
    assert html_report.page(both).count("In 6 of 6 games of few the fast engine stopped") == 1


def test_nothing_is_told_of_a_fast_engine_that_does_not_stop():
    found = simulate(scatter(), Plan(7, (2,), sample=0), study())

    assert found["tables"][0]["slow"] == 0
    assert "fast engine" not in texts.report_text(found) + html_report.page(found)


# ---- What is counted -----------------------------------------------------------------------------


def test_seats_are_counted_in_the_order_of_play():
    report = simulate(game(TURNS), Plan(40, (3,)), study())
    table = report["tables"][0]

    # Played counterclockwise, the second in turn has the last seat.
    assert [seat["mean"] for seat in table["seats"]] == [0, 1, 0]
    assert table["decisions"]["histogram"] == [[6, 40]]
    assert table["score"]["histogram"] == [[0, 80], [1, 40]]
    assert table["shared"]["mean"] == 0


def test_a_sample_tells_what_mattered():
    sample = simulate(game(TURNS), Plan(400, (3,)), study())["tables"][0]["sample"]
    shares = {part["name"]: part["share"] for part in sample["parts"]}
    cards = {card["name"]: card for card in sample["cards"]}

    assert sample["games"] == 200
    assert sample["turns"] == 3
    assert sample["options"] == 2
    assert sample["forced"] == 0
    # All lead, until the second has a card.
    assert sample["lead_changes"] == 1
    assert shares["play"] == shares["worth"] == 1
    # Each of three looks it up.
    assert shares["worth: up => 1"] == pytest.approx(7 / 8, abs=0.08)
    assert cards["Coin"]["moved"] == 1
    assert cards["Coin"]["kept"]["won"] == cards["Coin"]["got"]["won"] == 1
    assert cards["Coin"]["kept"]["matters"]
    assert cards["Coin"]["played"] == {"held": 0.0}
    # What never leaves the box is no card of this game.
    assert "Stone" not in cards


SHED = """
game "Shed"
players 2
pieces  | copies
  Red   | 4
  Blue  | 4
zones          | order | seen by
  hand[Player] | pool  | everyone
enum Way = up, down
state   | type | start
  way   | Way  | up
rule setup
  for p in Player
    random c from box
    move c to hand[p]
rule play
  first chooses way from Way
  move hand[first] to box
ranking of p
  fewest | #hand[p]
"""


def test_in_a_game_of_getting_rid_of_cards_no_card_is_blamed_for_being_left():
    report = simulate(game(SHED), Plan(200, (2,)), study())
    sample = report["tables"][0]["sample"]

    # Whoever has a card at the end has lost, whichever it is.
    assert sample["usual"]["kept"] == 0
    for card in sample["cards"]:
        assert card["kept"]["won"] == 0
        assert not card["kept"]["matters"]
    assert "ends with" not in texts.report_text(report)


def test_shared_victories_count_in_parts():
    table = simulate(luck(0, 10), Plan(30, (2,)), study())["tables"][0]

    assert [seat["mean"] for seat in table["seats"]] == [0.5, 0.5]
    assert table["shared"]["mean"] == 1


def test_bots_sit_where_they_are_told_and_play_the_same_game_again():
    plan = Plan(6, (2,), ("greedy:2", "random"), seed=3, sample=0)
    report = simulate(game(TWO_TAKE), plan, study())
    table = report["tables"][0]

    # Whoever looks ahead takes the better card; the other one does not always.
    assert [seat["bot"] for seat in table["seats"]] == ["greedy:2", "random"]
    assert table["seats"][0]["mean"] > 0.8
    assert table["who"] == "greedy:2 (seat 1) and random (seat 2)"
    assert table["verdict"][0].startswith("Among greedy:2 (seat 1) and random (seat 2), ")
    assert report == simulate(game(TWO_TAKE), plan, study(2))


# All that is asked of players who think, in small; easy and normal are short here.
ASKED = Plan(20, (2,), seed=3, sample=5, thinking=4, thinkers=(2,), skill=4, restricted=3)


@pytest.fixture
def quick_minds(monkeypatch):
    """Levels that think only a little."""
    for module in ("simulation", "comparison"):
        monkeypatch.setattr(
            f"interpreter.lab.{module}.ladder", lambda: (("greedy:4", "random"),), raising=False
        )
    monkeypatch.setattr("interpreter.lab.plans.USUAL", "greedy:4")


@pytest.mark.usefixtures("quick_minds")
def test_two_looks_are_told_apart_and_who_played_stands_in_each():
    report = simulate(game(TWO_TAKE), ASKED, study())
    quick, close = report["tables"]

    assert (quick["who"], close["who"]) == ("random players", "greedy:4 players")
    assert (quick["games"], close["games"]) == (20, 4)
    assert quick["verdict"][0].startswith("Among random players, ")
    assert close["verdict"][0].startswith("Among greedy:4 players, ")
    for told in (texts.report_text(report), html_report.page(report), rows.rows(report)):
        assert "random players" in told
        assert "greedy:4 players" in told


@pytest.mark.usefixtures("quick_minds")
def test_the_same_deal_with_seats_exchanged_tells_skill_from_luck():
    _, close = simulate(game(TWO_TAKE), ASKED, study())["tables"]
    (skill,) = close["skill"]

    # No card is hidden, and nothing is dealt: whoever looks ahead wins from both seats.
    assert skill["deals"] == 4
    assert skill["wins"]["mean"] > 0.7
    assert skill["both"]["mean"] > skill["deal"]["mean"]


def test_chance_is_told_from_skill():
    done = play_chunk(Task("duels", (pack(luck(5)),), 2, ("random", "random"), 1), 0, 40).counts

    # One throw decides, whoever sits there.
    assert done["of", 0, "deal", "sum"] == 40 * 4
    assert done["of", 0, "both", "sum"] == 0
    assert done["of", 0, "stronger", "sum"] == 40 * 2


def test_what_a_player_does_without_is_told_for_cards_answers_and_rules():
    plan = Plan(40, (2,), ("greedy:20",), seed=1, restricted=40)
    found = simulate(game(PICK), plan, study())["tables"][0]["restricted"]
    things = {(each["kind"], each["name"]): each for each in found["things"]}

    # Both take a good card, and share the victory; who must not, loses all of its half.
    good = things["card", "Good"]
    assert good["done"] == 1
    assert good["mean"] == -0.5
    assert good["matters"]
    assert good["lead"]["mean"] == -1
    assert found["who"] == "greedy:20 players"
    # It does not matter what is answered, nor whether a rule without effect is called.
    for thing in (("answer", "Which way? up"), ("answer", "Which way? down"), ("rule", "cheer")):
        assert things[thing]["mean"] == 0
        assert 0 < things[thing]["done"] < 1
    assert found["things"][0] is good


def test_who_does_without_are_those_who_were_named_or_fast_players():
    asked = Plan(5, (2,), seed=1, sample=0, restricted=5, thinkers=(2,))
    report = simulate(game(PICK), asked, study())
    (table,) = report["tables"]

    assert table["restricted"]["who"] == "easy players"
    assert any(each.startswith("Among easy players, ") for each in table["verdict"])
    assert "what easy players win or lose" in texts.report_text(report)
    # Only where somebody was asked to think.
    others = simulate(game(TURNS), evolve(asked, players=(3,)), study())
    assert "restricted" not in others["tables"][0]


def test_who_chooses_at_random_does_without_as_well():
    found = simulate(game(PICK), Plan(200, (2,), ("random",), seed=1, restricted=200), study())
    things = {
        (each["kind"], each["name"]): each for each in found["tables"][0]["restricted"]["things"]
    }

    # A good card is one of eight.
    good, bad = (things["card", name] for name in ("Good", "Bad"))
    assert good["done"] < bad["done"]
    assert good["lead"]["high"] < -0.8
    assert bad["lead"]["low"] > 0
    assert found["tables"][0]["restricted"]["who"] == "random players"


@pytest.mark.usefixtures("quick_minds")
def test_everything_that_is_asked_is_the_same_in_any_pieces():
    contenders = [Contender("A", game(TWO_TAKE)), Contender("B", game(PICK))]
    expected = [simulate(game(PICK), ASKED, study()), compare(contenders, ASKED, study())]

    assert [
        simulate(game(PICK), ASKED, study(chunk=1)),
        compare(contenders, ASKED, study(chunk=3)),
    ] == expected
    side = expected[1]["tables"][1]["differences"][0]
    assert {row["measure"] for row in side["measures"]} >= {"seat 1", "matter", "turns", "stronger"}
    assert side["restricted"]


@pytest.mark.usefixtures("quick_minds")
def test_intervals_that_say_nothing_are_not_told():
    contenders = [Contender("A", scatter()), Contender("B", twin())]
    report = compare(contenders, Plan(3, (2,), seed=1), study())
    told = texts.report_text(report)

    assert told.count("too few games to tell") > 3
    assert "Among random players, 3 pairs of games are too few to tell what changed." in told
    assert "too few games to tell" in html_report.page(report)
    for row in report["tables"][0]["differences"][0]["measures"]:
        if not row["tells"]:
            assert f"{100 * row['low']:+.2f}".replace("-", "−") not in told


@pytest.fixture
def little_time(monkeypatch):
    """So little time that a few games fit into it."""
    monkeypatch.setattr(budgets, "MINUTE", 0.4)
    monkeypatch.setattr(budgets, "LEAST", 0.2)


ALLOWED = Plan(20, (2,), seed=3, sample=0, thinking=None, thinkers=(2,))


@pytest.mark.usefixtures("quick_minds", "little_time")
def test_as_many_games_of_players_who_think_as_time_allows_are_told_and_can_be_repeated():
    allowed = simulate(game(TWO_TAKE), ALLOWED, study())["tables"][1]
    again = evolve(ALLOWED, thinking=allowed["games"])
    repeated = simulate(game(TWO_TAKE), again, study(2))["tables"][1]

    assert allowed["games"] >= 1
    assert f"`--thinking {allowed['games']}` plays the same ones again" in allowed["about"]
    assert {**repeated, "about": allowed["about"]} == allowed
    assert repeated["about"] == "everybody thinks"


@pytest.mark.usefixtures("quick_minds", "little_time")
def test_a_number_of_games_that_time_allowed_is_kept_in_a_checkpoint(tmp_path):
    path = tmp_path / "kept.json"
    stopped = study(path=path, chunk=1)
    expected = simulate(game(TWO_TAKE), ALLOWED, stopped)["tables"][1]
    (mark,) = stopped.settled
    stopped.done[mark] = play_first(stopped, expected["games"] // 2)
    save_study(stopped)
    resumed = study(path=path)
    open_study(resumed)

    assert simulate(game(TWO_TAKE), ALLOWED, resumed)["tables"][1] == expected


@pytest.mark.usefixtures("quick_minds")
@pytest.mark.parametrize("jobs", [1, 2])
def test_where_games_take_longer_than_there_is_time_one_is_told_at_least(monkeypatch, jobs):
    monkeypatch.setattr(budgets, "MINUTE", 0.0)
    monkeypatch.setattr(budgets, "LEAST", 1e-6)
    alone = study(jobs, chunk=1)

    allowed = simulate(game(TWO_TAKE), ALLOWED, alone)["tables"][1]

    assert 1 <= allowed["games"] < budgets.TRIAL
    assert list(alone.settled.values()) == [allowed["games"]]
    again = evolve(ALLOWED, thinking=allowed["games"])
    repeated = simulate(game(TWO_TAKE), again, study())["tables"][1]
    assert {**repeated, "about": allowed["about"]} == allowed


def test_at_the_deadline_nobody_plays_on():
    slow = study(chunk=1)
    some = task("games", 1, scatter())
    done = conduct(slow, Errand(some, 5))
    assert done.games == 5

    assert conduct(slow, Errand(some, 50), 0.0) == done
    assert conduct(slow, Errand(some, 50), float("inf")).games == 50
    assert slow.done[mark_of(some)] == conduct(study(), Errand(some, 50))


# With three players the first one wins, unless `odd` says otherwise; with two or four it does not matter.
ODD = """
game "Odd"
players 2..4
pieces  | copies
  Token | 1
option odd: Bool = no
enum Way = up, down
state | type | start
  way | Way  | up
rule play
  for p in order(first)
    p chooses way from Way
let wins(p: Player) = p == first if players != 3 or odd == no else p == next(first)
ranking of p
  most | 1 if wins(p) else 0
"""


@pytest.mark.usefixtures("quick_minds")
def test_players_think_where_the_change_matters():
    sides = [
        Contender("A", game(ODD)),
        Contender("B", load_source(Path("odd"), Source("odd", ODD), options={"odd": True})),
    ]
    free = settle_plan(Plan(20, (), sample=0, thinking=3), [each.game for each in sides])
    # The number in the middle would be another one.
    assert middle_of((2, 3, 4)) == 3
    more = evolve(free, players=(2, 3, 4), thinkers=(2,))
    report = compare(sides, more, study())
    told = {
        (table["players"], table["is_quick"]): table["differences"][0]["verdict"]
        for table in report["tables"]
    }

    assert set(told) == {(2, True), (3, True), (4, True), (3, False)}
    same = "Among random players, all 20 games were the same on both sides: what differs never mattered."
    assert told[2, True] == told[4, True] == same
    assert "nothing else changed" in told[3, True]
    # Who names a number of players gets that one.
    named = compare(sides, evolve(more, is_free=False), study())
    assert (2, False) in {(table["players"], table["is_quick"]) for table in named["tables"]}


def play_first(kept, games):
    """The first so many games of what was settled, as if the rest had been lost."""
    seats = ("greedy:4",) * 2
    close = Task("close", (pack(game(TWO_TAKE)),), 2, seats, ALLOWED.seed)
    assert list(kept.settled) == [mark_of(close)]
    return conduct(study(), Errand(close, games))


def test_what_nobody_wins_is_no_loss_of_a_seat():
    told = simulate(load("blackjack.rules"), Plan(60, (1, 2), sample=8), study())
    alone, two = (" ".join(table["verdict"]) for table in told["tables"])

    assert "a game is won in" in alone
    assert "Nobody wins" in two
    assert "surely wins less" not in alone + two
    # Eight games do not show that a card is dead, and nobody has a score.
    assert "Never moved" not in alone
    assert "score" not in texts.report_text(told)
    assert "svg" in html_report.page(told)
    assert rows.rows(told)


def test_numbers_of_players_that_are_left_out_are_said():
    plan = settle_plan(Plan(1, ()), [load("sins.rules"), load("deadlies.rules")])

    assert plan.players == (3, 4, 5)
    assert plan.left_out == ("2 players left out: `deadlies.rules` is not for 2",)
    with pytest.raises(WrongPlan, match=r"`deadlies.rules` is for 3 to 5 players, not for 2"):
        settle_plan(Plan(1, (2,)), [load("sins.rules"), load("deadlies.rules")])


def test_parts_for_other_options_are_not_missed():
    unused = {part[3] for part in unused_parts(load("siegel.rules"), 3)}

    assert {"play_on", "highest: 4 => 12"} <= unused
    assert "play" not in unused
    assert unused_parts(load("siegel.rules", options={"open_end": True}), 3) < unused_parts(
        load("siegel.rules"), 3
    )


# ---- What is told --------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Notes what is open, what is closed, and the words of titles."""

    VOID = ("meta",)

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.addresses = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, _attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def both_reports(sins):
    contenders = [Contender("plain & <bold>", sins), Contender("other", load("steep_sins.rules"))]
    yield simulate(sins, Plan(30, (2, 3), sample=10), study())
    yield compare(contenders, Plan(40, (2,)), study())


def test_pages_are_whole_and_need_nothing_else(sins):
    for report in both_reports(sins):
        page = html_report.page(report)
        reader = Reader()
        reader.feed(page)

        assert reader.open == []
        assert reader.tags.count("svg") >= 4
        # Each plot says what it shows.
        assert page.count('role="img"><title>') == reader.tags.count("svg")
        assert page.count("<desc>") == reader.tags.count("svg")
        assert reader.addresses == []
        assert "//" not in page
        assert "prefers-color-scheme: dark" in page
        assert "<bold>" not in page


def test_rows_and_data_can_be_read_again(sins):
    for report in both_reports(sins):
        head, *found = csv.reader(io.StringIO(rows.rows(report)))

        assert {len(row) for row in found} == {len(head)}
        assert json.loads(json.dumps(report)) == report


def test_the_verdict_speaks_of_what_changed(sins):
    plan = Plan(600, (2,))
    steep = Contender("steep", load("steep_sins.rules"))
    report = compare([Contender("sins", sins), steep], plan, study())
    side = report["tables"][0]["differences"][0]
    changed = [row["measure"] for row in side["measures"] if row["changed"]]

    assert changed == ["score", "spread"]
    assert side["verdict"].startswith("Among random players, the mean score rises from ")
    assert side["verdict"].endswith("; nothing else changed that we can tell with 600 games.")


def test_nothing_is_drawn_where_nobody_looks(capsys):
    code = cli.main(
        [
            "simulate",
            "sins.rules",
            "--games",
            "20",
            "--players",
            "2",
            "--jobs",
            "1",
            "--thinking",
            "0",
        ]
    )
    told = capsys.readouterr()

    assert code == cli.FINE
    assert "2 players, 20 games, random players" in told.out
    assert not told.err


def luminance(colour):
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    lin = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(weight * x for weight, x in zip((0.2126, 0.7152, 0.0722), lin, strict=True))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_what_is_written_and_drawn_stands_out(scheme):
    colours = dict(re.findall(r"--(\w+): (#\w{6})", scheme))
    for ground in ("page", "card"):
        for text in ("ink", "soft", "sure", "same"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
        for line in ("one", *(f"s{n}" for n in range(6))):
            assert contrast(colours[line], colours[ground]) >= 3, (line, ground)


def test_pages_can_be_read_aloud_and_scrolled_without_a_mouse(sins):
    for report in both_reports(sins):
        page = html_report.page(report)
        levels = [int(each) for each in re.findall(r"<h(\d)", page)]

        assert '<html lang="en">' in page
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert set(levels) == {1, 2}
        assert page.count('<th scope="row">') >= 5
        # Whatever may be wider than a phone has a name, and can be reached with Tab.
        assert page.count('class="scroll"') == page.count('tabindex="0" role="group" aria-label="')
        assert page.count("<figure>") == page.count("<figcaption>") > 4
