"""`rulespec watch`: every save is checked, tested, simulated and compared with what was there before."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lab_games import LUCK
from rulespec import cli
from rulespec.cli import watch

GOOD = LUCK.format(wins=5, shared=0)
BETTER = LUCK.format(wins=9, shared=0)
OVERLAY = 'extends "luck.rules"\ngame "Mine"\n'


@pytest.fixture
def watching(tmp_path):
    """A command that watches an overlay, and a way to read what it says up to its next pause."""
    (tmp_path / "luck.rules").write_text(GOOD)
    (tmp_path / "mine.rules").write_text(OVERLAY)
    command = [
        sys.executable,
        "-m",
        "rulespec",
        "watch",
        "mine.rules",
        "--games",
        "200",
        "--jobs",
        "1",
    ]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    ) as process:

        def read():
            lines = []
            for line in process.stdout:
                if line.startswith("waiting for"):
                    return "".join(lines)
                lines.append(line)
            raise AssertionError("".join(lines))

        yield read
        process.kill()


def test_each_save_is_told_and_compared_with_the_last(watching, tmp_path):
    first = watching()
    assert "0 examples and 3 games: no errors" in first
    assert "2 players, wins by seat: " in first
    assert "since the last save" not in first

    # What it stands on is watched as well.
    (tmp_path / "luck.rules").write_text(BETTER)
    second = watching()
    assert (
        "since the last save:\n  2 players: Among random players, seat 1's edge rises from "
        in second
    )

    (tmp_path / "mine.rules").write_text(OVERLAY + "rule wrong\n")
    third = watching()
    assert "error[RS" in third
    assert "wins by seat" not in third

    # A mistake on the way is no reason to forget what was there before.
    (tmp_path / "mine.rules").write_text(OVERLAY + "override let shares = yes\n")
    fourth = watching()
    assert "more victories are shared" in fourth


def test_a_save_stops_what_is_being_played(tmp_path):
    path = tmp_path / "luck.rules"
    path.write_text(GOOD)
    seen = watch.FileWatch(str(path), 50, watch.local_crew(1))
    seen.stamps = watch.stamps_of(watch.paths_of(str(path)))
    os.utime(path, ns=(1, 1))

    with pytest.raises(watch.Saved):
        watch.run_checks(seen)


def test_what_is_not_there_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    assert cli.main(["watch", "nothing.rules", "--once"]) == cli.FINE
    assert "there is no file `nothing.rules`" in capsys.readouterr().err
    assert watch.stamps_of(watch.paths_of("nothing.rules")) == {Path("nothing.rules"): 0}
