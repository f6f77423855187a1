"""All games of a small table: what is proven is so, what goes wrong is found on a shortest way, Kuhn is worth -1/18."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from interpreter import transcript
from interpreter.errors import RuleFault
from interpreter.game_loading import load, load_source
from interpreter.machine import build_machine
from interpreter.research.course import new_course
from interpreter.verifying import game_trees
from interpreter.verifying.cutting import WrongCut, cut
from interpreter.verifying.equilibrium import solve
from interpreter.verifying.exploring import TooManyStates, decisions_of, explore
from interpreter.verifying.game_trees import grow_tree
from interpreter.verifying.verification import verify
from rulespec import cli
from rulespec.source import Source
from unchecked import unchecked

FRAME = """\
game "Tiny" by "nobody"

players 2

enum Rank = low "low", high "high"
enum Act = wait "wait", halt "stop"

pieces             | copies
  Card(rank: Rank) | 2

zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  won          | pool  | everyone

state  | type | start
  done | Bool | no
  rest | 0..3 | 3

rule setup
  move box to deck
  shuffle deck
  for p in order(first): move top(deck) to hand[p]

rule play
{play}

{more}ranking of p
  most | #won
"""
PLAIN = '  first chooses act from Act "Do you stop?"'


def source(play: str, more: str = "") -> Source:
    return Source("tiny.rules", FRAME.format(play=play, more=more))


def tiny(play: str, more: str = ""):
    return load_source(Path("tiny.rules"), source(play, more))


def wrong(play: str, more: str = ""):
    """What goes wrong, and the game."""
    game = tiny(play, more)
    report = verify(game, 2)
    return game, [(each.found.what, each) for each in report.wrong]


# ---- States ----------------------------------------------------------------------------------------


def test_all_states_are_counted_up_to_copies() -> None:
    """Four cards of two looks: two orders of play, and of each deal what is left in the deck and in the hands."""
    engine = tiny(PLAIN).machine(2)
    explored = explore(engine, 1000)
    seen = set()
    waiting = [new_course(engine, None, first, watched=False) for first in range(2)]
    while waiting:
        course = waiting.pop()
        state = course.state
        faces = engine.layout.faces
        looks = tuple(
            tuple(
                sorted(faces[c] for c in zone)
                if engine.layout.is_pool[n]
                else [faces[c] for c in zone]
            )
            for n, zone in enumerate(state.zones)
        )
        laid = tuple(faces[c] for c in course.laid)
        seen.add((state.first, looks, laid, str(state.pending is None), len(state.stack)))
        for number in decisions_of(course):
            new = course.clone()
            new.step(number)
            waiting.append(new)
    assert explored.states == len(seen)
    assert not explored.found
    assert explored.longest is not None


def test_a_bound_on_states_is_kept() -> None:
    engine = load("leduc.rules").machine(2)
    with pytest.raises(TooManyStates, match="more than 500 states"):
        explore(engine, 500)
    report = verify(load("leduc.rules"), 2, most=500)
    assert report.explored is None
    assert report.too_many is not None


@pytest.mark.parametrize(
    ("play", "more", "what", "choices"),
    [
        (f"{PLAIN}\n  done = act == halt", "always never: not done\n\n", "always", 1),
        ('  first chooses c from hand[first] where it.rank == high "Which?"', "", "fault", 0),
        (f"  repeat\n  {PLAIN}\n    if act == halt and done: end", "", "stuck", 0),
        (f"  repeat\n  {PLAIN}\n    if act == halt: end", "", "circle", 0),
        (f"  repeat 3\n  {PLAIN}\n    rest -= 1\n    done = rest == 0 and act == halt", "always never: not done\n\n", "always", 3),
    ],
    ids=["always", "dead end", "stuck", "circle", "late"],
)  # fmt: skip
def test_what_goes_wrong_is_found_on_a_shortest_way(play, more, what, choices) -> None:
    game, found = wrong(play, more)
    assert [each for each, _ in found] == [what]
    example = found[0][1]
    assert example.record is not None
    read = transcript.read(example.record)
    if what in {"fault", "always"}:
        with pytest.raises(RuleFault) as told:
            game.replay(read, always=True)
        assert told.value.code == example.found.fault.code
    else:
        game.replay(read)
    if what != "circle":
        assert len(read.choices) == choices


def test_what_is_fine_is_proven() -> None:
    game = tiny(f"  repeat 3\n  {PLAIN}\n    rest -= 1", "always enough: rest >= 0\n\n")
    report = verify(game, 2, rounds=0)
    assert not report.wrong
    assert report.explored.longest is not None
    assert report.histories


# ---- Secrets ---------------------------------------------------------------------------------------


def test_a_screen_that_depends_on_what_was_not_observed_is_found() -> None:
    """No check has looked at these rules."""
    code = unchecked(
        Path("tiny.rules"),
        source('  first chooses n from [1, 2, (3 if top(deck).rank == high else 4)] "Which?"'),
    )
    tree = grow_tree(SimpleNamespace(returns=lambda _: [0.0, 0.0]), build_machine(code, 2), 0, 1000)
    assert tree.difference is not None
    assert tree.difference.player == 0
    assert tree.difference.what == "is asked something else"
    one, two = tree.difference.ways
    assert one != two


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("_story", "is told something else"),
        ("explain_state", "gets another explanation of the result"),
    ],
)
def test_what_a_player_is_told_is_compared(monkeypatch, name, what) -> None:
    """Told of cards that the player has not seen, in a story or with a result."""

    def told(*given):
        state = next(each for each in given if hasattr(each, "zones"))
        return repr(state.zones) if name == "_story" or state.pending is None else None

    table = tiny(PLAIN).table(2)
    assert grow_tree(table, table.machine, 0, 1000).difference is None
    monkeypatch.setattr(game_trees, name, told)
    tree = grow_tree(table, table.machine, 0, 1000)
    assert tree.difference is not None
    assert tree.difference.what == what


# ---- Equilibria ------------------------------------------------------------------------------------


def test_kuhn_is_worth_an_eighteenth_to_whoever_comes_second() -> None:
    report = verify(load("kuhn.rules"), 2)
    assert [str(each.equilibrium.fraction) for each in report.solutions] == ["-1/18", "1/18"]
    for each in report.solutions:
        assert each.equilibrium.exploitability < 3e-5
        assert each.sets == 12
        for shares in each.equilibrium.play.values():
            assert sum(shares) == pytest.approx(1)


def test_play_that_is_not_trained_can_be_exploited() -> None:
    table = load("kuhn.rules").table(2)
    tree = grow_tree(table, table.machine, 0, 1000)
    few, many = solve(tree, 3, 0.0), solve(tree, 300, 0.0)
    assert few.exploitability > 5 * many.exploitability > 0
    assert few.fraction is None


@pytest.mark.soak
def test_leduc_is_worth_what_is_known() -> None:
    report = verify(load("leduc.rules"), 2, rounds=400)
    assert report.solutions[0].equilibrium.value == pytest.approx(-0.0856064, abs=5e-3)
    assert report.solutions[0].sets == 936


# ---- Cutting ---------------------------------------------------------------------------------------


def test_a_deck_is_cut_down() -> None:
    game = load("leduc.rules")
    small = cut(game, 2, ["suit=hearts", "rank = jack, king"])
    assert len(small.machine(2).layout.pieces) == 2
    assert len(game.machine(2).layout.pieces) == 6
    assert cut(game, 2, []) is game
    for wish, told in (
        ("colour=red", "the attributes are: rank, suit"),
        ("rank", "attribute = value"),
        ("rank=ace", "they are jack, queen, king"),
    ):
        with pytest.raises(WrongCut, match=told):
            cut(game, 2, [wish])


# ---- The command -----------------------------------------------------------------------------------


def test_the_command_tells_what_is_proven(capsys) -> None:
    assert cli.main(["verify", "kuhn.rules", "--play"]) == 0
    told = capsys.readouterr().out
    assert "104 states, 48 ends: all there are" in told
    assert "-0.05556 (-1/18) to Player 1" in told
    assert cli.main(["verify", "leduc.rules", "--states", "100"]) == 2
    assert "Nothing is proven: there are more than 100 states." in capsys.readouterr().err
    assert cli.main(["verify", "leduc.rules", "--only", "rank=ace"]) == 2
    assert "they are jack, queen, king" in capsys.readouterr().err


def test_the_command_tells_what_goes_wrong(capsys, tmp_path) -> None:
    path = tmp_path / "tiny.rules"
    path.write_text(source(f"{PLAIN}\n  done = act == halt", "always never: not done\n\n").text)
    assert cli.main(["verify", str(path), "--save", str(tmp_path / "game")]) == 1
    told = capsys.readouterr().err
    assert "`never` does not hold" in told
    assert "Player 1: Do you stop? stop" in told
    assert transcript.read((tmp_path / "game").read_text()).choices
    assert cli.main(["verify", str(path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["wrong"][0]["what"] == "always"
    assert data["wrong"][0]["transcript"].startswith("rulespec transcript")
