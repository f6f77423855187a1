"""A game at a table: who is asked, what bots are given, what is kept, and what can be taken back."""

import errno
import os
import random
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import define, evolve, field

from games import at_random, from_text, shipped
from interpreter import resuming, saves, transcript
from interpreter.bots import LEVELS, Advice
from interpreter.errors import IllegalMove
from interpreter.game_loading import load
from interpreter.match import Match
from interpreter.paces import Stopwatch
from interpreter.resuming import resume
from interpreter.saves import BadSave, Save
from interpreter.session import Seat, Session, begin
from interpreter.views import Information
from rulespec import loading
from sizes import tries

BOTS = (Seat("Ada", "random"), Seat("Ben", "random"))
YOU_AND_ADA = (Seat("You"), Seat("Ada", "random"))
TWO = (Seat("Ada"), Seat("Ben"))


@pytest.fixture
def state(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path))
    return tmp_path / "saves"


def play(table: Session, choices: int = 10_000, seed: int = 0) -> Session:
    """So many choices; humans choose by a seed, each as at that place in the game."""
    for _ in range(choices):
        if table.asked is None:
            break
        if table.is_human(table.asked):
            policy = at_random(seed + len(table.match.choices))
            table.choose(policy(table.match.decision))
        else:
            table.bot_move()
    return table


def told(table: Session, viewer: int | None) -> list[str]:
    return [entry.text for entry in table.story(viewer)]


# ---- Bots ----------------------------------------------------------------------------------------


@define
class Recorder:
    """A bot that keeps what it is given."""

    given: list[tuple[object, ...]] = field(factory=list)

    def prepare(self) -> None:
        pass

    def advise(self, *given: object) -> Advice:
        self.given.append(given)
        return Advice(0)


def test_a_bot_is_given_what_its_seat_knows_and_nothing_else(state):
    recorder, made = Recorder(), []

    def make(*words):
        made.append(words)
        return recorder

    table = Session(shipped("sins.rules").start(["Ada", "Ben"], seed=7), BOTS, make_bot=make)
    while table.asked is not None:
        known = table.match.information(table.asked)
        table.bot_move()

        assert recorder.given[-1] == (known, None)
        assert type(recorder.given[-1][0]) is Information
        word, game, players, seed = made[-1]
        assert (word, game, players) == ("random", table.match.game, 2)
        assert seed != table.match.seed
    assert len(recorder.given) == len(table.match.choices)
    assert not state.exists()


def test_a_hint_knows_no_more_than_the_player(state):
    recorder = Recorder()
    match = shipped("sins.rules").start(["You", "Ada"], seed=7, first=0)
    table = Session(match, YOU_AND_ADA, make_bot=lambda *_: recorder)

    assert table.hint().choice == 0
    assert recorder.given == [(match.information(0), None)]
    assert table.match.choices == []
    assert not state.exists()


def test_bots_choose_alike_in_every_game_of_the_same_seed():
    games = [play(begin(shipped("sins.rules"), BOTS, seed=3, keep=False)) for _ in range(2)]

    assert games[0].match.transcript() == games[1].match.transcript()


@pytest.mark.parametrize("word", ["random", "greedy:2", "search:8"])
def test_a_bot_thinks_the_same_when_it_is_asked_again(word):
    seats = [Seat("You"), Seat("Ada", word)]
    table = begin(shipped("sins.rules"), seats, seed=7, first=1, keep=False)
    advice = table.think()

    assert table.think() == advice
    table.settle(advice)
    again = begin(shipped("sins.rules"), seats, seed=7, first=1, keep=False)
    again.bot_move()
    assert again.match.transcript() == table.match.transcript()
    assert again.think() == table.think()


def test_bots_think_less_while_a_human_waits_and_not_when_nobody_does():
    def words(people):
        made = []

        def make(word, *_):
            made.append(word)
            return Recorder()

        seats = [Seat(name, "human" if name in people else "normal") for name in ("Ada", "Ben")]
        match = shipped("sins.rules").start(["Ada", "Ben"], seed=7, first=1)
        table = Session(match, tuple(seats), make_bot=make)
        while len(made) < 4:
            if table.is_human(table.asked):
                table.choose(0)
            else:
                table.bot_move()
        return made

    waited, watched = words({"Ada"}), words(set())

    assert waited[0] == waited[2] != waited[1] == waited[3]
    assert {*watched} == {waited[0]}


def test_two_bots_do_not_think_with_the_same_seed():
    seeds = []

    def make(*words):
        seeds.append(words[3])
        return Recorder()

    match = shipped("sins.rules").start(["Ada", "Ben"], seed=7)
    play(Session(match, BOTS, make_bot=make))

    assert len(set(seeds)) == len(seeds)


def test_only_whoever_is_asked_chooses():
    table = begin(shipped("sins.rules"), YOU_AND_ADA, seed=7, first=1, keep=False)
    with pytest.raises(IllegalMove, match="Ada who is asked"):
        table.choose(0)
    play(table, 2)

    assert table.asked == 0
    with pytest.raises(IllegalMove, match="not a bot"):
        table.bot_move()
    with pytest.raises(IllegalMove, match="a human decides here"):
        table.settle(Advice(0))
    play(table)
    with pytest.raises(IllegalMove, match="over"):
        table.hint()


@pytest.mark.usefixtures("state")
def test_the_pace_of_people_is_measured_without_bots_and_breaks():
    table = begin(load("sins.rules"), [Seat("Ada"), Seat("Ben", "random")], seed=1, first=0)
    now = [0.0]
    table.stopwatch = Stopwatch(now=lambda: now[0])
    table.stopwatch.ask()
    taken = 0
    for _ in range(60):
        if table.asked is None:
            break
        if not table.is_human(table.asked):
            now[0] += 50  # a bot that thinks
            table.bot_move()
            continue
        # Once somebody makes a cup of tea.
        now[0] += 1_000 if taken == 3 else 8
        table.choose(0)
        taken += 1
        assert (table.pace is None) == (taken - (taken > 3) < 5)
    assert taken > 8

    assert table.stopwatch.pace == 8
    assert table.pace == (
        f"8 seconds for each of {taken - 1} decisions; `rulespec simulate sins.rules --players 2 --pace 8` "
        "tells how long such games take"
    )


def test_thinking_changes_nothing():
    table = begin(shipped("sins.rules"), BOTS, seed=7, keep=False)
    before = table.match.state.clone()
    advice = table.think()

    assert table.match.state == before
    assert table.think() == advice
    table.settle(advice)
    assert table.match.choices[-1].number == advice.choice


# ---- The screen ----------------------------------------------------------------------------------


def test_one_human_never_hands_the_screen_over():
    table = begin(shipped("sins.rules"), YOU_AND_ADA, seed=7, keep=False)
    while table.asked is not None:
        assert table.passes_to is None
        assert table.viewer == 0
        play(table, 1)
    assert table.viewer is None


def test_the_screen_goes_to_the_human_who_is_asked():
    seats = (Seat("Ada"), Seat("Bot", "random"), Seat("Ben"))
    table = begin(shipped("sins.rules"), seats, seed=7, keep=False)
    holders = []

    assert table.holder is None
    while table.asked is not None:
        if table.is_human(table.asked) and table.asked != table.holder:
            assert table.passes_to == table.asked
            table.take_screen()
            holders.append(table.viewer)
        assert table.passes_to is None
        play(table, 1)
    assert len(holders) > 5
    assert all({*pair} == {0, 2} for pair in pairwise(holders))


def test_a_game_of_bots_is_seen_by_whoever_watches():
    table = begin(shipped("sins.rules"), BOTS, seed=7, keep=False)

    assert table.viewer is None
    assert table.humans == ()


def test_news_are_told_once_and_what_a_seat_observes():
    table = begin(shipped("sins.rules"), TWO, seed=7, keep=False)
    heard: dict[int, list[str]] = {0: [], 1: []}
    while table.asked is not None:
        for seat in heard:
            heard[seat] += [entry.text for entry in table.news(seat)]
            assert table.news(seat) == []
        play(table, 1)
    for seat, texts in heard.items():
        texts += [entry.text for entry in table.news(seat)]

        assert texts == told(table, seat)
    assert heard[0] != heard[1]


def test_a_screen_looks_back_to_the_last_choice_and_no_further():
    table = begin(shipped("sins.rules"), TWO, seed=7, first=0, keep=False)

    assert table.since_choice(0) == table.since_choice(None) == 0
    play(table, 6)
    mine = [n for n, choice in enumerate(table.match.choices) if choice.player == "Ada"]
    texts = [each.text for each in table.story(0, table.since_choice(0))]

    assert table.since_choice(0) == table.match.marks[mine[-1]]
    assert texts[0].startswith(("Ada takes", "Ada feeds"))
    assert table.since_choice(None) == 0


# ---- Taking back ---------------------------------------------------------------------------------


def test_undo_goes_back_to_the_own_choice_and_the_game_goes_on_alike(state):
    table = begin(shipped("sins.rules"), YOU_AND_ADA, seed=7, first=0)
    before = table.match.information(0)
    table.choose(1)

    assert table.may_undo
    assert table.undo() == 1
    assert table.match.information(0) == before
    assert resume(table.keeper.path).match.information(0) == before
    with pytest.raises(IllegalMove, match="no choice to take back"):
        table.undo()
    assert state.exists()


def test_undo_does_not_go_through_what_a_bot_has_shown():
    rules = from_text(OPEN)
    table = begin(rules, [Seat("You"), Seat("Ada", "random")], seed=1, first=0, keep=False)
    table.choose(2)
    table.bot_move()

    assert table.asked == 0
    assert not table.may_undo
    with pytest.raises(IllegalMove, match=r"something was learnt since: Ada chooses \d"):
        table.undo()


OPEN = """
game "Open"
players 2
pieces | copies
  Card | 1
state    | type | start
  total  | 0..99 | 0
rule play
  repeat 3
    for p in order(first)
      p chooses n from 1..3 "How many?"
      total += n
ranking of p
  most | total
"""


def test_nothing_is_taken_back_once_somebody_has_learnt_something():
    table = begin(shipped("sins.rules"), YOU_AND_ADA, seed=7, first=0, keep=False)
    play(table, 2)
    before = table.match.transcript()

    assert not table.may_undo
    with pytest.raises(
        IllegalMove, match=r"something was learnt since: .* from the deck to the centre"
    ):
        table.undo()
    assert table.match.transcript() == before


@pytest.mark.parametrize("seed", range(5))
def test_whoever_undoes_has_learnt_nothing(seed):
    table = begin(shipped("deadlies.rules"), [Seat("You"), *BOTS], seed=seed, keep=False)
    undone = 0
    for step in range(200):
        play(table, 1, seed)
        if table.asked != 0 or not table.may_undo:
            continue
        choices = len(table.match.choices)
        known = table.match.state.watch.known[0]
        count = table.undo()
        undone += 1

        assert table.asked == 0
        assert len(table.match.choices) == choices - count
        assert table.match.state.watch.known[0] == known
        play(table, count, seed)
        if step > 60:
            break
    assert undone


def test_what_was_read_before_is_not_news_after_undo():
    table = begin(shipped("sins.rules"), YOU_AND_ADA, seed=7, first=0, keep=False)
    table.news(0)
    table.choose(0)
    table.news(0)
    table.undo()

    assert table.news(0) == []
    table.choose(1)
    table.choose(0)
    assert table.news(0)


# ---- Keeping -------------------------------------------------------------------------------------


def test_after_every_choice_the_game_is_on_disk(state):
    table = begin(shipped("sins.rules"), YOU_AND_ADA, seed=7)
    while table.asked is not None and len(table.match.choices) < 12:
        kept = saves.read_save(saves.read_text(table.keeper.path))

        assert transcript.write(kept.record) == transcript.write(table.match.transcript())
        assert kept.kinds == ("human", "random")
        assert not kept.finished
        play(table, 1)
    play(table)
    assert saves.is_finished(table.keeper.path)
    assert [path.name for path in state.iterdir()] == [table.keeper.path.name]


def test_a_save_is_a_transcript(state):
    table = play(begin(shipped("sins.rules", ("penitenziagite",)), YOU_AND_ADA, seed=7), 9)
    record = transcript.read(table.keeper.path.read_text("utf-8"))
    again = shipped("sins.rules", ("penitenziagite",)).replay(record)

    assert again.state == table.match.state
    assert state.exists()


@pytest.mark.parametrize("choices", [0, 1, 3, 8, 21])
def test_a_game_that_is_resumed_goes_on_as_it_would_have(state, choices):
    whole = play(begin(shipped("sins.rules"), YOU_AND_ADA, seed=7, keep=False))
    left = play(begin(shipped("sins.rules"), YOU_AND_ADA, seed=7), choices)
    path = left.keeper.path
    again = play(resume(path))

    assert again.match.transcript() == whole.match.transcript()
    assert again.keeper.path == path
    assert saves.is_finished(path)
    with pytest.raises(BadSave, match="over"):
        resume(path)
    assert len(list(state.iterdir())) == 1


def test_a_recorded_game_is_kept_as_well_and_can_be_resumed(state, tmp_path):
    record = tmp_path / "game.txt"
    table = play(begin(shipped("sins.rules"), YOU_AND_ADA, seed=7, record=record), 5)

    assert record.read_text("utf-8") == table.keeper.path.read_text("utf-8")
    again = resume(record)
    assert again.match.state == table.match.state
    assert again.keeper.path == record
    assert len(list(state.iterdir())) == 1


def test_a_transcript_from_elsewhere_is_resumed_and_left_as_it_is(state, tmp_path):
    match = shipped("sins.rules").start(["Ada", "Ben"], seed=7)
    match.apply(0)
    path = tmp_path / "game.txt"
    path.write_text(transcript.write(match.transcript()), "utf-8")
    before = path.read_bytes()
    table = resume(path)
    table.reseat(0, "random")
    table.reseat(1, "human")
    play(table, 5)
    table = resume(path)

    assert table.seats[0] == Seat("Ada", "human")
    assert table.seats[1].kind in LEVELS
    assert path.read_bytes() == before
    assert table.keeper.path.parent == state


def test_two_who_resume_the_same_game_do_not_write_over_each_other(state):
    path = play(begin(shipped("sins.rules"), TWO, seed=7), 2).keeper.path
    one, other = resume(path), resume(path)
    play(one, 3, seed=1)
    play(other, 2, seed=2)
    play(one, 1, seed=1)

    assert one.keeper.path != other.keeper.path
    for table in (one, other):
        assert resume(table.keeper.path).match.state == table.match.state
    assert len(list(state.iterdir())) == 2


def test_a_save_that_was_taken_away_is_made_anew(state):
    table = play(begin(shipped("sins.rules"), TWO, seed=7), 2)
    table.keeper.path.unlink()
    play(table, 1)

    assert resume(table.keeper.path).match.state == table.match.state
    assert state.exists()


def test_where_nothing_can_be_kept_the_game_goes_on(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "file"))
    table = begin(shipped("sins.rules"), YOU_AND_ADA, seed=7)

    assert table.trouble is not None
    assert "cannot be kept" in table.trouble
    assert play(table).over


def test_a_disk_that_fails_in_the_middle_is_told_and_may_recover(state):
    table = begin(shipped("sins.rules"), TWO, seed=7)
    path = table.keeper.path
    kept = path.read_bytes()
    state.rename(state.with_name("elsewhere"))
    state.write_text("in the way")
    play(table, 1)

    assert "cannot be kept" in str(table.trouble)
    state.unlink()
    state.with_name("elsewhere").rename(state)
    assert path.read_bytes() == kept
    play(table, 1)
    assert table.trouble is None
    assert resume(table.keeper.path).match.state == table.match.state


def test_a_disk_that_is_full_leaves_the_old_file(state, monkeypatch):
    table = begin(shipped("sins.rules"), TWO, seed=7)
    before = table.keeper.path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        play(table, 1)

    assert "no space left" in str(table.trouble)
    assert table.keeper.path.read_bytes() == before
    assert [path.name for path in state.iterdir()] == [table.keeper.path.name]
    play(table, 1)
    assert table.trouble is None


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_what_the_dead_have_left_behind_is_swept_up(state):
    table = begin(from_text(OPEN), BOTS, seed=7)
    (state / ".game.txt.123").write_text("half")
    (state / "claimed.txt").write_text("")
    (state / ".fresh.txt.124").write_text("half")
    for name in (".game.txt.123", "claimed.txt"):
        os.utime(state / name, (0, 0))
    play(table)

    assert {path.name for path in state.iterdir()} == {table.keeper.path.name, ".fresh.txt.124"}


def test_of_finished_games_only_the_last_are_kept(state, monkeypatch):
    monkeypatch.setattr(saves, "MOST_FINISHED", 3)
    left = begin(shipped("sins.rules"), TWO, seed=7)
    for seed in range(5):
        play(begin(from_text(OPEN), BOTS, seed=seed))
    paths = list(saves.kept())

    assert left.keeper.path in paths
    assert sum(saves.is_finished(path) for path in paths) == 3
    assert len(list(state.iterdir())) == 4


def test_rules_are_found_again_from_another_folder(state, tmp_path, monkeypatch):
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    (home / "open.rules").write_text(OPEN, "utf-8")
    monkeypatch.chdir(home)
    path = play(begin(load("open.rules"), TWO, seed=1), 2).keeper.path
    monkeypatch.chdir(away)

    assert len(resume(path).match.choices) == 2
    # A file of the same name that happens to lie here is not meant.
    (away / "sins.rules").write_text(OPEN, "utf-8")
    sins = load(loading.GAMES / "sins.rules")
    kept = play(begin(sins, TWO, seed=1), 2).keeper.path
    assert len(resume(kept).match.choices) == 2
    assert state.exists()


def test_who_plays_a_seat_may_change(state):
    path = play(begin(shipped("sins.rules"), TWO, seed=7), 3).keeper.path
    table = resume(path)
    table.reseat(0, "random")
    table.keep()

    assert table.holder == 1
    assert [seat.kind for seat in resume(path).seats] == ["random", "human"]
    assert state.exists()


# ---- Damage --------------------------------------------------------------------------------------


@pytest.fixture
def kept_game(state) -> tuple[Match, Path]:
    """A small game, as rules are read each time when it is resumed."""
    rules = state.with_name("open.rules")
    rules.write_text(OPEN, "utf-8")
    table = play(begin(load(rules), YOU_AND_ADA, seed=7), 5)
    return table.match, table.keeper.path


def test_a_save_cut_off_anywhere_is_refused_and_its_whole_choices_are_salvaged(state, kept_game):
    match, path = kept_game
    whole = path.read_text("utf-8")
    lines = whole.splitlines(keepends=True)
    cuts = [len("".join(lines[:count])) for count in range(len(lines))]
    salvaged = set()
    for cut in [*cuts, *(cut + 3 for cut in cuts)]:
        path.write_text(whole[:cut], "utf-8")
        with pytest.raises(BadSave):
            resume(path)
        left = resuming.fitting(path)
        if left is not None:
            again = resume(path, salvage=True)

            assert again.match.choices == match.choices[:left]
            assert again.keeper.path != path
            again.keeper.path.unlink()
            salvaged.add(left)
        assert path.read_text("utf-8") == whole[:cut]
    assert salvaged == set(range(6))
    assert [each.name for each in state.iterdir()] == [path.name]


@pytest.mark.parametrize("seed", range(tries(15, soak=60)))
def test_a_save_with_other_bytes_in_it_is_refused(kept_game, seed):
    chance = random.Random(seed)  # noqa: S311 - no secret
    match, path = kept_game
    content = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(content))
        content[place] ^= chance.randint(1, 255)
    path.write_bytes(content)

    with pytest.raises(BadSave) as refused:
        resume(path)
    assert str(refused.value)
    left = resuming.fitting(path)
    if left is not None:
        again = resume(path, salvage=True)
        assert len(again.match.choices) == left <= len(match.choices)
    assert path.read_bytes() == content


def test_what_is_no_save_is_refused(state, tmp_path):
    for number, content in enumerate(
        [b"", b"\n", b"\x00\xff" * 50, b"hello", b"game sins.rules\n"]
    ):
        path = tmp_path / f"{number}.txt"
        path.write_bytes(content)
        with pytest.raises(BadSave):
            resume(path)
        assert resuming.fitting(path) is None
    with pytest.raises(BadSave, match="cannot be read"):
        resume(tmp_path / "nothing.txt")
    assert not state.exists()


def test_a_game_of_other_rules_is_refused_and_goes_on_as_far_as_it_fits(state, tmp_path):
    path = tmp_path / "open.rules"
    path.write_text(OPEN, "utf-8")
    table = begin(load(path), TWO, seed=1, first=0)
    for number in (0, 1, 2, 0):
        table.choose(number)
    path.write_text(OPEN.replace("from 1..3", "from 1..2"), "utf-8")

    with pytest.raises(BadSave, match=r"played with other rules: .* has changed since"):
        resume(table.keeper.path)
    assert resuming.fitting(table.keeper.path) == 2
    again = resume(table.keeper.path, salvage=True)
    assert again.match.choices == table.match.choices[:2]
    assert again.keeper.path != table.keeper.path
    assert len(list(state.iterdir())) == 2


def test_rules_that_break_down_on_a_choice_are_salvaged_up_to_it(state, tmp_path):
    path = tmp_path / "open.rules"
    path.write_text(OPEN, "utf-8")
    table = begin(load(path), TWO, seed=1, first=0)
    for number in (0, 0, 2):
        table.choose(number)
    path.write_text(OPEN.replace("0..99 | 0", "0..4  | 0"), "utf-8")

    assert resuming.fitting(table.keeper.path) == 2
    assert len(resume(table.keeper.path, salvage=True).match.choices) == 2
    assert state.exists()


def test_a_save_with_players_who_cannot_sit_there_is_refused(state):
    table = begin(shipped("sins.rules"), TWO, seed=7)
    save = table.save()
    alone = evolve(save.record, players=("Ada",))
    table.keeper.path.write_text(saves.write_save(Save(alone, ("human",))), "utf-8")

    with pytest.raises(BadSave, match="does not fit the rules"):
        resume(table.keeper.path)
    stranger = evolve(save.record, first="Zoe")
    table.keeper.path.write_text(saves.write_save(Save(stranger, save.kinds)), "utf-8")
    with pytest.raises(BadSave, match="`Zoe` is first, but does not play"):
        resume(table.keeper.path)
    assert state.exists()


def test_rules_that_are_gone_or_wrong_are_told(kept_game, state):
    rules = state.with_name("open.rules")
    rules.write_text("game ", "utf-8")
    with pytest.raises(BadSave, match="was played with rules that are wrong now"):
        resume(kept_game[1])
    rules.unlink()
    with pytest.raises(BadSave, match="was played with rules that are gone: there is no file"):
        resume(kept_game[1])
    assert resuming.fitting(kept_game[1]) is None
