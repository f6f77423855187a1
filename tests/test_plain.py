"""Playing line by line, as a person or a script does it: through a pipe, to the end, or to a violent one."""

import contextlib
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import frozen

from games import BRINK, from_text, shipped
from interpreter import saves, transcript
from interpreter.bots import Advice, Estimate
from interpreter.session import Seat, Session, begin
from interpreter.shown.hints import tell_bot_advice
from rulespec import catalogue, cli, logs
from rulespec.cli import plain, play_session
from rulespec.cli.typed_answers import TypedQuestion, Unclear, ask_typed, understand
from sizes import few, some, tries

# All games and variants, each with the fewest players, and one human among them; siegel with one round.
TABLES = [
    ("deadlies.rules", [], 3),
    ("deadlies.rules", ["--variant", "sixth_player"], 6),
    ("seven7s.rules", [], 2),
    ("siegel.rules", ["--set", "rounds=1"], 3),
    ("siegel.rules", ["--variant", "open_tricks", "--set", "rounds=1"], 3),
    ("sins.rules", [], 2),
    ("sins.rules", ["--variant", "penitenziagite"], 2),
    ("indulgence.rules", [], 2),
    ("my_sins.rules", [], 2),
    ("open_sins.rules", [], 2),
    ("steep_sins.rules", [], 2),
]
FIRST = "#1\n"  # the first option, whatever it is called
PLAY = (sys.executable, "-m", "rulespec", "play")


SMALL = """
game "Small"
players 2
state   | type   | start
  total | 0..999 | 0
rule play
  repeat 20
    for p in order(first)
      p chooses n from 1..3 "How many?"
      total += n
ranking of p
  most | total
"""


@pytest.fixture
def state(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path))
    return tmp_path / "saves"


@pytest.fixture
def small(state) -> str:
    """A file of rules that is read quickly; games of it are kept where no others are."""
    path = state.with_name("small.rules")
    path.write_text(SMALL, "utf-8")
    return str(path)


def bots(count: int) -> list[str]:
    return [word for n in range(count) for word in ("--seat", f"Bot {n + 1}=random")]


def run(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PLAY, *words],
        input=given,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        encoding="utf-8",
    )


@frozen
class Done:
    """What a command has printed, and its exit code."""

    code: int
    out: str
    err: str


def here(*words: str, given: str = "") -> Done:
    """As `run`, in this process."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.stdin
    sys.stdin = io.StringIO(given)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main(["play", *words])
    finally:
        sys.stdin = before
    return Done(code, out.getvalue(), err.getvalue())


def kept(rules: str) -> transcript.Transcript:
    """The newest game of these rules."""
    record = saves.read_save(saves.read_text(next(saves.kept()))).record
    assert record.game == rules
    return record


@pytest.mark.parametrize(("rules", "words", "players"), few(TABLES, 3), ids=str)
def test_every_game_is_played_to_its_end_through_a_pipe(state, rules, words, players):
    seats = ["--seat", "You=human", *bots(players - 1)]
    done = run(rules, *words, *seats, "--seed", "4", given=FIRST * 2000)

    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^The game is over: .* wins?\.$", done.stdout, re.MULTILINE)
    assert re.search(r"^1  .* (wins?\b|shares? the victory)", done.stdout, re.MULTILINE)
    (path,) = state.iterdir()
    assert saves.is_finished(path)
    assert f"rulespec replay {path}" in done.stdout


def test_a_game_of_bots_tells_its_story(small):
    done = here(small, *bots(2), "--seed", "5")
    record = kept(small)

    assert (done.code, done.err) == (0, "")
    assert "> " not in done.out
    assert len(record.choices) == 40
    for choice in record.choices:
        assert f"{choice.player} chooses {choice.text}: “How many?”" in done.out


def test_the_end_of_input_keeps_the_game(small):
    words = [small, "--seat", "You=human", *bots(1), "--seed", "5"]
    begun = run(*words, given=FIRST * 3)

    assert (begun.returncode, begun.stderr) == (0, "")
    assert begun.stdout.endswith("The game is kept. To go on type `rulespec play --resume`.\n")
    ended = run("--resume", given=FIRST * 100)
    assert "The game is over" in ended.stdout
    here(*words, given=FIRST * 100)
    one, other = (path.read_bytes() for path in saves.kept())
    assert one == other


def test_without_any_input_it_ends_well(state):
    done = subprocess.run(
        [*PLAY, "sins.rules", "--seed", "1"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"The game is kept." in done.stdout
    assert len(list(state.iterdir())) == 1


def test_quit_keeps_the_game(small):
    done = here(small, "--seat", "You=human", *bots(1), "--seed", "1", given="quit\n")

    assert done.code == 0
    assert "rulespec play --resume" in done.out


def test_a_game_can_be_recorded_and_replayed(small, tmp_path, capsys):
    record = tmp_path / "game.txt"
    here(small, *bots(2), "--seed", "5", "--record", str(record))
    capsys.readouterr()

    assert cli.main(["replay", str(record)]) == 0
    assert "The game is over" in capsys.readouterr().out
    assert kept(small).choices == transcript.read(record.read_text("utf-8")).choices


# ---- Violence ------------------------------------------------------------------------------------


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PLAY, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        # Whoever runs the tests in the background may ignore interruptions; a player does not.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )


def read_until(process: subprocess.Popen[str], wanted: str) -> None:
    text = ""
    while wanted not in text:
        found = process.stdout.read(1)
        if not found:
            break
        text += found


def _has_ended() -> bool:
    return any(map(saves.is_finished, saves.kept()))


def kill_and_resume(small: str, chance: random.Random, kills: int) -> None:
    """Kill a game several times, and compare its end with one that was left in peace."""
    words = [small, "--seat", "You=human", *bots(1), "--seed", "11"]
    for _ in range(kills):
        if _has_ended():
            break  # it was quicker than the kill
        process = start(*(["--resume"] if list(saves.kept()) else words))
        read_until(process, chance.choice(["> ", "> ", "> ", "seed"]))
        answers = chance.randint(0, 9)
        process.stdin.write(FIRST * answers)
        process.stdin.flush()
        for _ in range(chance.randint(0, answers)):
            read_until(process, "> ")
        process.kill()
        process.communicate()
    if not _has_ended():
        ended = run(*(["--resume"] if list(saves.kept()) else words), given=FIRST * 100)
        assert (ended.returncode, ended.stderr) == (0, "")
    killed = kept(small)
    here(*words, given=FIRST * 100)
    assert kept(small).choices == killed.choices


def test_a_game_that_is_killed_goes_on_as_if_nothing_had_happened(small):
    kill_and_resume(small, random.Random(1), 4)  # noqa: S311 - no secret


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 2 + some(60)))
def test_many_games_that_are_killed_go_on(small, seed):
    kill_and_resume(small, random.Random(seed), 12)  # noqa: S311 - no secret


def test_ctrl_c_keeps_the_game(small):
    process = start(small, "--seat", "You=human", *bots(1), "--seed", "5")
    read_until(process, "> ")
    process.stdin.write("1\n")
    process.stdin.flush()
    read_until(process, "> ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)

    assert (process.returncode, err) == (130, "")
    assert out.endswith("The game is kept. To go on type `rulespec play --resume`.\n")
    assert "You" in [choice.player for choice in kept(small).choices]


def test_whoever_stops_reading_gets_no_traceback(small):
    with start(small, *bots(2), "--seed", "5") as process:
        process.stdout.readline()
        process.stdout.close()

        assert process.stderr.read() == ""
    assert process.returncode == 0


# ---- What cannot be done -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda text: text[: len(text) // 2], "is damaged: "),
        (
            lambda text: text.replace("You: 0", "You: 1", 1),
            "is damaged: something in it was changed",
        ),
        (lambda _: "", "is not a saved game: "),
        (lambda text: text.replace("transcript 1", "transcript 2"), "is damaged: line 1"),
    ],
)
def test_a_damaged_save_is_told_and_left_as_it_is(small, damage, sentence):
    here(small, "--seat", "You=human", *bots(1), "--seed", "5", given=FIRST * 9)
    (path,) = saves.kept()
    path.write_text(damage(path.read_text("utf-8")), "utf-8")
    before = path.read_bytes()
    done = here("--resume", str(path), given=FIRST)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"rulespec: `{path}` {sentence}")
    assert "The file is left as it is." in done.err
    assert path.read_bytes() == before
    offered = re.search(r"`rulespec play (--resume \S+ --salvage)`", done.err)
    if offered is not None:
        salvaged = here(*offered[1].split(), given=FIRST * 100)
        assert salvaged.code == 0
        assert "The game is over" in salvaged.out
        assert path.read_bytes() == before


def test_a_damaged_save_is_left_out_where_games_are_offered_and_that_is_logged(small, caplog):
    here(small, "--seat", "You=human", *bots(1), "--seed", "5", given=FIRST * 9)
    (path,) = saves.kept()
    path.write_text(path.read_text("utf-8").replace("You: 0", "You: 1", 1), "utf-8")
    logs.inform.cache_clear()
    caplog.set_level("INFO", logger="rulespec")

    assert list(play_session._unfinished_games()) == []  # noqa: SLF001 - what the start screen offers
    (message,) = caplog.messages
    assert message.startswith(f"{path} is left out: ")
    assert message.endswith(f"`rulespec play --resume {path} --salvage` may rescue it")


def test_a_game_of_other_rules_is_told_and_left_as_it_is(small):
    here(small, "--seat", "You=human", *bots(1), "--seed", "5", given=FIRST)
    (path,) = saves.kept()
    before = path.read_bytes()
    Path(small).write_text(SMALL.replace("1..3", "1..4"), "utf-8")
    done = here("--resume")

    assert (done.code, done.out) == (2, "")
    assert "was played with other rules" in done.err
    assert "has changed since" in done.err
    assert "--salvage" in done.err
    assert path.read_bytes() == before
    Path(small).unlink()
    gone = here("--resume")
    assert (gone.code, gone.out) == (2, "")
    assert "there is no file" in gone.err
    assert path.read_bytes() == before


def test_a_game_that_is_over_is_not_resumed(small):
    here(small, *bots(2), "--seed", "5")
    (path,) = saves.kept()
    done = here("--resume", str(path))

    assert (done.code, done.out) == (2, "")
    assert "is a game that is over" in done.err
    assert f"`rulespec replay {path}`" in done.err
    assert "was left unfinished" in here("--resume").err


def test_a_folder_that_cannot_be_written_to_is_told_and_the_game_goes_on(small, state):
    state.write_text("in the way")
    done = here(small, "--seat", "You=human", *bots(1), "--seed", "1", given=FIRST * 100)

    assert done.code == 0
    assert "rulespec: the game cannot be kept" in done.err
    assert done.err.count("\n") == 1
    assert "The game is over" in done.out


def test_somebody_else_goes_on_for_a_player(small):
    here(small, "--seat", "Ada=human", "--seat", "Ben=human", "--seed", "1", given=FIRST * 3)
    done = here("--resume", "--seat", "ada=random", "--seat", "Ben=random")

    assert done.code == 0
    assert "The game is over" in done.out


@pytest.mark.parametrize("word", ["humn", "random:9", "nobody", "human:3"])
def test_a_word_that_is_no_player_is_refused(small, state, word):
    done = here(small, "--seat", f"Ada={word}")

    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert not state.exists()


def test_rules_that_cannot_go_on_are_told_and_the_game_is_kept_before_that(small):
    Path(small).write_text(SMALL.replace("0..999", "0..30 "), "utf-8")
    done = here(small, "--seed", "5", "--seat", "You=human", *bots(1), given=FIRST * 100)

    assert done.code == 1
    assert "error[RS903]" in done.err
    assert "The rules cannot go on from here" in done.err
    assert "rulespec play --resume" in done.out
    again = here("--resume", given=FIRST)
    assert again.code == 1


# ---- What is shown -------------------------------------------------------------------------------


def play_here(table, monkeypatch, capsys, lines: list[str], *, typed=False, **how) -> str:
    """Play in this process; `typed` as if somebody sat at a keyboard."""
    given = iter(lines)

    def read(prompt: str) -> str:
        sys.stdout.write(prompt)
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)
    monkeypatch.setattr("sys.stdin.isatty", lambda: typed)
    plain.play_plain(table, **how)
    return capsys.readouterr().out


def test_nothing_is_printed_that_the_player_may_not_see(monkeypatch, capsys):
    """In The Sins nobody may look into a reserve; what was seen must be remembered."""
    table = begin(
        shipped("sins.rules"), [Seat("You"), Seat("Ada", "random")], seed=5, keep=False, first=0
    )
    text = play_here(table, monkeypatch, capsys, ["#1", "table", "log"] * 200)
    shown, _, end = text.rpartition("\n\n  deck")

    assert "The game is over" in end
    rows = re.findall(r"^  (?:your|Ada's) reserve +(.+)$", shown, re.MULTILINE)
    # Of the own reserve only the card that was shown in the setup, until the first choice.
    assert len({row for row in rows if not row.endswith((" card", " cards"))}) == 1
    assert rows[4] == "a card"
    assert "hidden" not in re.search(r"your reserve +(.+)", end)[1]


def test_the_log_reaches_back_to_the_round_before(monkeypatch, capsys):
    table = begin(shipped("sins.rules"), [Seat("You"), Seat("Ada", "random")], seed=5, keep=False)
    text = play_here(table, monkeypatch, capsys, ["#1", "#1", "#1", "log"])
    log = text[text.rindex("> log") :] if "> log" in text else text[text.rindex("    1  ") :]

    assert "    1  Round 1" in log


def test_other_humans_see_a_curtain_and_not_each_other(monkeypatch, capsys):
    table = begin(shipped("seven7s.rules"), [Seat("Ada"), Seat("Ben")], seed=5, first=0, keep=False)
    hands = {}
    for seat in (0, 1):
        (zone,) = [
            zone
            for zone in table.match.view(seat).zones
            if zone.name == f"hand[{('Ada', 'Ben')[seat]}]"
        ]
        hands[seat] = [card.text for card in zone.cards]
    text = play_here(table, monkeypatch, capsys, ["", "#1", "#1", "#1", "", ""], typed=True)
    start, _, text = text.partition("Pass to Ada, then press Enter.")
    ada, curtain, rest = text.partition("Ada, press Enter to hide this.")

    assert "hand" not in start
    assert curtain
    assert all(card in ada for card in hands[0])
    assert not any(card in ada for card in hands[1])
    between, _, ben = rest.partition("Pass to Ben, then press Enter.")
    assert between.strip() == ""
    assert between.count("\n") >= plain.CURTAIN
    assert all(card in ben for card in hands[1][1:])
    assert not any(card in ben for card in hands[0][1:])


def test_in_a_pipe_it_is_said_whose_turn_it_is(state):
    seats = ["--seat", "Ada=human", "--seat", "Ben=human"]
    done = run("seven7s.rules", *seats, "--seed", "1", given=FIRST * 20)

    assert "It is the turn of Ben." in done.stdout
    assert "press Enter" not in done.stdout
    assert "\033" not in done.stdout
    assert state.exists()


# ---- What is typed -------------------------------------------------------------------------------


MANY = """
game "Many"
players 2
enum Suit = oak, elm, ash
pieces                         | copies | shown as
  Leaf(suit: Suit, rank: 1..5) | 1      | "{suit} {rank}"
  Acorn                        | 3
zones          | order | seen by | holds
  hand[Player] | pool  | owner   | Leaf, Acorn
rule setup
  move box to hand[first]
rule play
  first chooses some from subsets(hand[first], 3..4) "Which leaves?"
  move some to box
  first chooses n from 0..3 "How many?"
ranking of p
  most | #hand[p]
"""


@pytest.fixture
def offer() -> TypedQuestion:
    match = from_text(MANY).start(["Ada", "Ben"], seed=1, first=0)
    return ask_typed(match.decision)


def chosen(offer: TypedQuestion, *lines: str) -> str | TypedQuestion:
    """What is meant after these lines: the text of an option, or how far the choice has come."""
    meant: TypedQuestion | int = offer
    for line in lines:
        assert isinstance(meant, TypedQuestion)
        meant = understand(meant, line)
    return meant if isinstance(meant, TypedQuestion) else offer.decision.text(meant)


def listed(offer: TypedQuestion) -> list[str]:
    return [item.text for item in offer.items]


def test_of_many_sets_the_things_are_picked(offer):
    assert len(offer.decision.options) == 2516
    assert listed(offer)[:6] == ["oak 1", "oak 2", "oak 3", "oak 4", "oak 5", "elm 1"]
    assert listed(offer)[-3:] == ["Acorn", "Acorn", "Acorn"]


@pytest.mark.parametrize(
    "lines",
    [
        ["1 2 3 done"],
        ["1,2;3 done"],
        ["1", "1", "1", "done"],
        ["oak 1, oak 2, oak 3", "done"],
        ["oak 1", "OAK 2", "oak 3", "done"],
        ["1 2", "back", "oak 2", "1", "done"],
    ],
)
def test_one_set_can_be_picked_in_many_ways(offer, lines):
    assert chosen(offer, *lines) == "oak 1, oak 2, oak 3"


def test_a_set_that_cannot_grow_is_taken_at_once(offer):
    assert chosen(offer, "1 2 3 4") == "oak 1, oak 2, oak 3, oak 4"
    assert isinstance(chosen(offer, "1 2 3"), TypedQuestion)


def test_things_that_look_alike_can_be_picked_by_their_name(offer):
    assert chosen(offer, "acorn, acorn, oak 1", "done") == "oak 1, Acorn, Acorn"
    assert chosen(offer, "18 17 1 done") == "oak 1, Acorn, Acorn"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("done", "not enough"),
        ("1 2 done", "not enough"),
        ("19", "there is no 19 in the list"),
        ("0", "there is no 0 in the list"),
        ("1 1", "picked twice"),
        ("1 2 3 4 5", "does not go with the others"),
        ("oak", "may mean 1 oak 1, 2 oak 2, 3 oak 3, 4 oak 4, 5 oak 5; type a number"),
        ("pine", "not an option here"),
        ("back", "nothing is picked"),
        (",", "names nothing"),
    ],
)
def test_what_cannot_be_picked_is_said(offer, line, sentence):
    with pytest.raises(Unclear, match=sentence):
        understand(offer, line)


def test_what_can_be_picked_with_the_rest_is_listed(offer):
    after = chosen(offer, "2")

    assert isinstance(after, TypedQuestion)
    assert "oak 2" not in listed(after)
    assert len(listed(after)) == len(listed(offer)) - 1


def test_numbers_are_typed_as_they_are():
    match = from_text(MANY).start(["Ada", "Ben"], seed=1, first=0)
    match.apply(0)
    numbers = ask_typed(match.decision)

    assert [item.key for item in numbers.items] == ["0", "1", "2", "3"]
    assert chosen(numbers, "0") == "0"
    assert chosen(numbers, "3") == "3"
    assert chosen(numbers, "#1") == "0"
    with pytest.raises(Unclear):
        understand(numbers, "4")
    with pytest.raises(Unclear, match="they are 1 to 4"):
        understand(numbers, "#5")


def test_options_are_meant_by_number_or_by_a_clear_beginning():
    match = shipped("sins.rules").start(["Ada", "Ben"], seed=7, first=0)
    sins = ask_typed(match.decision)

    assert listed(sins) == ["Superbia", "Avaritia", "Luxuria", "Acedia"]
    assert chosen(sins, "3") == chosen(sins, "lux") == chosen(sins, "LUXURIA") == "Luxuria"
    assert chosen(sins, "#4") == "Acedia"
    with pytest.raises(Unclear, match="may mean 2 Avaritia, 4 Acedia"):
        understand(sins, "a")
    for line in ("0", "5", "#0", "x", "99999999999999999999", "-1"):
        with pytest.raises(Unclear):
            understand(sins, line)


@pytest.mark.parametrize("seed", range(tries(5, soak=20)))
def test_whatever_is_typed_means_an_option_or_is_unclear(offer, seed):
    chance = random.Random(seed)  # noqa: S311 - no secret
    signs = "0123456789 #,;oakelmdbc\x00é"
    meant: TypedQuestion | int = offer
    understood = 0
    for _ in range(200):
        line = "".join(chance.choices(signs, k=chance.randint(1, 9))).strip()
        if not isinstance(meant, TypedQuestion):
            meant = offer
        with contextlib.suppress(Unclear):
            meant = understand(meant, line) if line else meant
        if not isinstance(meant, TypedQuestion):
            understood += 1
            assert 0 <= meant < len(offer.decision.options)
    assert understood


def test_the_words_of_plain_mode(monkeypatch, capsys, state):
    table = begin(shipped("sins.rules"), [Seat("You"), Seat("Ada", "random")], seed=7, first=0)
    lines = [
        "help",
        "?",
        "why 1",
        "why 999",
        "table",
        "log",
        "save",
        "undo",
        "",
        "#1",
        "undo",
        "quit",
    ]
    asked, asked_text = table.match.decision.origin, table.match.decision.prompt
    text = play_here(table, monkeypatch, capsys, lines)

    assert "take your last choice back" in text
    assert " ".join([f"@{clause}" for clause in asked.cites]) in text
    assert asked.sentence in " ".join(text.split())
    assert "rule turn, sins.rules:" in text
    assert "the log has no line 999" in text
    assert str(table.keeper.path) in text
    assert "There is no choice to take back." in text
    assert "Taken back." in text
    assert text.count(asked_text) == 3
    assert table.match.choices == []
    assert state.exists()


def test_a_hint_is_told_with_its_estimates(monkeypatch, capsys):
    estimates = (Estimate(1, 0.625, 80, 0.7, 9.0), Estimate(0, 0.25, 20, 0.4, 3.0))
    advice = Advice(1, estimates, games=100, worlds=7)
    table = begin(
        shipped("sins.rules"), [Seat("You"), Seat("Ada", "random")], seed=7, first=0, keep=False
    )
    monkeypatch.setattr(Session, "hint", lambda *_: advice)
    text = play_here(table, monkeypatch, capsys, ["hint"])

    told = (
        "choose: Avaritia. You are ahead in 70 of 100 imagined games, and in 40 after “Superbia”."
    )
    assert told in " ".join(text.split())
    assert " 70%  2 Avaritia" in text
    assert " 40%  1 Superbia" in text
    assert "100 imagined games, with 7 guesses" in text


LOSES = (Estimate(1, 0.6, 80, 0.5, 9.0), Estimate(0, 0.5, 20, 0.5, 3.0))
FEWER = (Estimate(1, 0.6, 80, 0.5, 3.0), Estimate(0, 0.5, 80, 0.5, 9.0))
UNSURE = (Estimate(1, 0.6, 9, 0.5, 3.0, 0.05), Estimate(0, 0.5, 9, 0.5, 9.0, 0.05))
LUCKY = (Estimate(1, 0.6, 10, 0.6, 3.0), Estimate(0, 0.5, 10, 0.4, 3.0))
THREE = (
    Estimate(1, 0.6, 80, 0.7, 3.0),
    Estimate(0, 0.5, 80, 0.4, 3.0),
    Estimate(2, 0.1, 80, 0.1, 3.0),
)
ALIKE = (Estimate(1, 0.6, 80, 0.5, 3.1), Estimate(0, 0.5, 20, 0.5, 3.0))


@pytest.mark.parametrize(
    ("estimates", "told"),
    [
        (
            LOSES,
            "“Superbia” is about as good.",
        ),  # the game decides whether the most or the fewest win
        (ALIKE, "You are ahead in 50 of 100 imagined games; “Superbia” is about as good."),
        ((), "A bot would choose: Avaritia."),
        (LUCKY, "“Superbia” is about as good."),
        (THREE, "in 40 after “Superbia”. The worst is “Luxuria”: ahead in 10 of 100."),
    ],
)
def test_a_hint_says_by_what_the_best_option_differs(estimates, told):
    table = begin(
        shipped("sins.rules"), [Seat("You"), Seat("Ada", "random")], seed=7, first=0, keep=False
    )

    assert tell_bot_advice(table, Advice(1, estimates)).endswith(told)


@pytest.mark.parametrize(
    ("file", "estimates", "is_told"),
    [
        ("siegel.rules", FEWER, True),
        ("siegel.rules", UNSURE, False),
        ("siegel.rules", LOSES, False),  # nine penalty points are worse than three
        ("seven7s.rules", LOSES, True),
        ("seven7s.rules", FEWER, False),
    ],
)
def test_a_hint_tells_points_only_if_they_speak_for_the_option(file, estimates, is_told):
    seats = [Seat("You"), Seat("Ada", "random"), Seat("Ben", "random")]
    table = begin(shipped(file), seats, seed=7, first=0, keep=False)
    told = tell_bot_advice(table, Advice(1, estimates))

    assert ("on average" in told, "is about as good" in told) == (is_told, not is_told)


@pytest.mark.parametrize("warns", [True, False])
def test_what_loses_at_once_must_be_meant(warns, monkeypatch, capsys):
    seats = [Seat("You"), Seat("Ada", "random")]
    table = begin(from_text(BRINK), seats, seed=7, first=0, keep=False)
    lines = ["yes", "yes"] if warns else ["yes"]
    text = play_here(table, monkeypatch, capsys, lines, typed=True, warns=warns)

    assert table.over
    assert text.count("Choose it again if you mean it.") == warns


# ---- What is shipped -----------------------------------------------------------------------------


def test_the_list_of_games_says_what_the_rules_say(capsys):
    assert cli.main(["games", "--json"]) == 0
    listed = {game["file"]: game for game in json.loads(capsys.readouterr().out)["games"]}

    assert set(listed) == {path.name for path in catalogue.shipped_files()}
    for name in ("deadlies.rules", "seven7s.rules", "siegel.rules", "sins.rules", "my_sins.rules"):
        found, code = listed[name], shipped(name).code
        assert found["title"] == code.title
        assert found["players"] == [code.least_players, code.most_players]
        assert [option["name"] for option in found["options"]] == [row.name for row in code.options]
        assert found["about"]
    sixth, _covered = listed["deadlies.rules"]["variants"]
    assert (sixth["name"], sixth["players"]) == ("sixth_player", [6, 6])
    assert {option["default"] for option in listed["my_sins.rules"]["options"]} >= {"yes"}
