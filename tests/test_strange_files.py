"""Files that a stranger may have made, or that others may look into: what is opened, named, printed and left behind."""

import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import load, recorded, saves, stored
from interpreter.lab import Crew, Study
from interpreter.lab.chunks import Task, pack
from interpreter.lab.crews import Alone, local_crew
from interpreter.lab.studies import Errand, WrongCheckpoint, conduct, open_study
from interpreter.resuming import resume
from interpreter.session import Seat, begin
from interpreter.stored import Unfit
from rulespec import loading
from rulespec.cli import main

DIARY = "we planted a tulip"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to work in, with games kept below it."""
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def record_of(game):
    return f"rulespec transcript 1\ngame {game}\nplayers Ada, Ben\nseed 7\n"


# ---- What a transcript names ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [["replay"], ["play", "--resume"], ["play", "--salvage", "--resume"]]
)
@pytest.mark.parametrize(
    "name", ["{folder}/diary.txt", "../diary.txt", "{folder}/other.rules", "link.rules"]
)
def test_a_transcript_does_not_get_at_other_files(place, capsys, command, name):
    for file in ("diary.txt", "other.rules"):
        place.with_name(file).write_text(f"{DIARY}\n", "utf-8")
    (place / "link.rules").symlink_to(place.with_name("diary.txt"))
    (place / "game.txt").write_text(record_of(name.format(folder=place.parent)), "utf-8")

    assert main([*command, "game.txt"]) == 2
    told = capsys.readouterr()
    assert "tulip" not in told.out + told.err
    assert "FILE" in told.err


def test_a_transcript_names_shipped_rules_and_rules_beside_and_below_it(place):
    text = Path(loading.find_rules("open_sins.rules")).read_text("utf-8")
    for name in ("mine.rules", "deep/mine.rules"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, "utf-8")
    for name in ("sins.rules", "mine.rules", "deep/mine.rules", str(place / "mine.rules")):
        (place / "game.txt").write_text(record_of(name), "utf-8")

        assert main(["replay", "game.txt"]) == 0
        assert main(["play", "--resume", "game.txt", "--plain"]) == 0


def test_rules_elsewhere_are_named_on_the_command_line(place, capsys):
    rules = place.with_name("mine.rules")
    rules.write_text(loading.find_rules("open_sins.rules").read_text("utf-8"), "utf-8")
    game = load(rules)
    begin(game, [Seat("Ada", "random"), Seat("Ben", "random")], 7, record=place / "game.txt")

    assert main(["replay", "game.txt"]) == 2
    assert "`rulespec replay game.txt FILE`" in capsys.readouterr().err
    assert main(["replay", "game.txt", "../mine.rules"]) == 0
    assert main(["play", "--resume", "game.txt", "--plain"]) == 2
    assert "`rulespec play FILE --resume game.txt`" in capsys.readouterr().err
    assert main(["play", "../mine.rules", "--resume", "game.txt", "--plain"]) == 0
    # What is printed to be typed works.
    command = recorded.replay_command(game.name, place / "game.txt").split()
    assert command[:2] == ["rulespec", "replay"]
    assert main(command[1:]) == 0
    # What we keep ourselves knows its rules.
    assert main(["play", "--resume", "--plain"]) == 0
    assert main(["replay", str(next(saves.kept()))]) == 0


# ---- What is opened ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "large", "."])
@pytest.mark.parametrize(
    "command",
    [["replay"], ["play", "--resume"], ["simulate", "sins.rules", "--games", "2", "--checkpoint"]],
    ids=" ".join,
)
def test_devices_pipes_folders_and_huge_files_are_not_read(place, capsys, command, name):
    os.mkfifo(place / "pipe")
    with (place / "large").open("wb") as file:
        file.truncate(300_000_000)

    assert main([*command, name]) == 2
    assert f"rulespec: `{name}` " in capsys.readouterr().err


def test_input_without_end_is_not_read(monkeypatch, capsys):
    with Path("/dev/zero").open("rb") as endless:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(endless))
        assert main(["replay", "-"]) == 2

    assert "has more than 8 MB" in capsys.readouterr().err


@pytest.mark.parametrize("length", [300, 5_000])
@pytest.mark.parametrize(
    "words",
    [
        "check {}", "play {}", "replay {}", "replay game.txt", "replay game.txt {}", "test {}",
        "play --resume game.txt", "play --resume {}", "play sins.rules --plain --record {}/x",
        "simulate {}", "simulate sins.rules --games 2 --checkpoint {}", "compare {} {}", "fmt {}",
        "diff {} sins.rules", "docs {}", "new {}", "new x --from {}", "mutate {}", "compile {}",
        "check extends.rules", "check uses.rules", "explain {}",
    ],
)  # fmt: skip
def test_names_may_be_long(place, capsys, words, length):
    name = "a" * length
    (place / "game.txt").write_text(record_of(f"{name}.rules"), "utf-8")
    (place / "extends.rules").write_text(f'extends "{name}.rules"\n', "utf-8")
    (place / "uses.rules").write_text(f"use {name}\n", "utf-8")

    assert main(words.format(name, name).split()) in (1, 2)
    assert "bug in rulespec" not in capsys.readouterr().err


# ---- Numbers -------------------------------------------------------------------------------------


def test_a_number_of_a_state_is_bounded_before_it_is_read():
    game = load("sins.rules")
    engine = game.machine(2)
    state = game.start(2, 7).state
    text = stored.to_json(engine, state)
    for digits in ("9" * 400_000, "1e9", "NaN", "1.0"):
        with pytest.raises(Unfit, match="number"):
            stored.from_json(engine, re.sub(r'"first":\d', f'"first":{digits}', text))
    data = stored.to_bytes(engine, state)
    with pytest.raises(Unfit, match="number"):
        stored.from_bytes(engine, data[:13] + b"\x04" + b"\xff" * 400_000 + b"\x01")
    with pytest.raises(Unfit, match="nested"):
        stored.from_bytes(engine, data[:13] + b"\x03\x01" * 100_000 + b"\x06")


# ---- Checkpoints ---------------------------------------------------------------------------------


@pytest.fixture
def checkpoint(tmp_path):
    study = Study(Crew(Alone, 1), tmp_path / "run.json")
    task = Task("games", (pack(load("sins.rules")),), 2, ("random",), 1)
    conduct(study, Errand(task, 8))
    return study.path


def test_counts_that_were_altered_are_not_believed(checkpoint):
    data = json.loads(checkpoint.read_text("utf-8"))
    (task,) = data["content"]["tasks"].values()
    task[1][0][-1] += 1
    checkpoint.write_text(json.dumps(data, ensure_ascii=False) + "\n", "utf-8")

    with pytest.raises(WrongCheckpoint, match="was damaged, or changed after it was kept"):
        open_study(Study(Crew(Alone, 1), checkpoint))


def test_checkpoints_of_another_version_are_told(checkpoint):
    checkpoint.write_text('{"format": 1, "tasks": {}}', "utf-8")

    with pytest.raises(
        WrongCheckpoint, match="was kept by another version of rulespec; name another"
    ):
        open_study(Study(Crew(Alone, 1), checkpoint))


# ---- What others may read ------------------------------------------------------------------------


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_only_its_user_may_read_a_kept_game(place):
    before = os.umask(0o022)
    try:
        table = begin(
            load("sins.rules"), [Seat("Ada"), Seat("Ben", "random")], 7, record=place / "game.txt"
        )
    finally:
        os.umask(before)

    assert mode(saves.saves_folder()) == 0o700
    assert mode(table.keeper.path) == 0o600
    assert mode(place / "game.txt") == 0o600


@pytest.mark.parametrize("resumes", [False, True])
@pytest.mark.usefixtures("place")
def test_what_an_older_version_left_open_is_closed(resumes):
    table = begin(load("sins.rules"), [Seat("Ada"), Seat("Ben", "random")], 7)
    other = saves.saves_folder() / "other.txt"
    other.write_text("kept", "utf-8")
    for path, open_mode in (
        (other, 0o644),
        (table.keeper.path, 0o644),
        (saves.saves_folder(), 0o755),
    ):
        path.chmod(open_mode)
    if resumes:
        resume(table.keeper.path)
    else:
        begin(load("sins.rules"), [Seat("Ada"), Seat("Ben", "random")], 8)

    assert [mode(path) for path in (saves.saves_folder(), table.keeper.path, other)] == [
        0o700,
        0o600,
        0o600,
    ]


# ---- What a terminal can show --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("games", "ascii"),
        ("diff sins.rules steep_sins.rules", "cp1252"),
        ("simulate sins.rules --games 4 --sample 2 --jobs 1", "cp1252"),
    ],
)
def test_letters_that_a_terminal_does_not_have_are_replaced(words, encoding):
    done = subprocess.run(
        [sys.executable, "-m", "rulespec", *words.split()],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout


def test_data_is_the_same_on_every_terminal():
    found = [
        json.loads(
            subprocess.run(
                [sys.executable, "-m", "rulespec", "games", "--json"],
                env={**os.environ, "PYTHONIOENCODING": encoding},
                capture_output=True,
                check=True,
            ).stdout.decode(encoding)
        )
        for encoding in ("ascii", "utf-8")
    ]

    assert found[0] == found[1]


# ---- What is left behind -------------------------------------------------------------------------


def at_work():
    """A program whose two workers are at work; they write to the same pipe as itself."""
    program = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("pool_parent.py")], stdout=subprocess.PIPE
    )
    for _ in range(2):
        assert program.stdout.readline() == b"at work\n"
    return program


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_process_that_gave_the_work(how):
    with at_work() as program:
        program.send_signal(how)

        # The pipe has an end when nobody is left who could write to it.
        assert program.communicate(timeout=60) == (b"", None)


def test_nobody_waits_for_workers_after_an_interrupt():
    crew = local_crew(2)
    flying = [crew.submit(signal.pause) for _ in range(2)]
    crew.stop()

    assert all(future.done() for future in flying)


def test_an_interrupt_has_its_exit_code_and_says_so(monkeypatch, capsys):
    def interrupt(_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("rulespec.cli.games.run", interrupt)

    assert main(["games"]) == 130
    assert capsys.readouterr().err == "\nrulespec: interrupted\n"
