"""Where nothing runs modules, the reference plays: commands of the lab say so once, and count the same."""

import json
import subprocess
import sys

import pytest

from rulespec import cli

WITHOUT = """
import sys
from interpreter.wasm import wasmtime
from rulespec.cli import main
wasmtime.find_library = lambda: None
sys.exit(main(sys.argv[1:]))
"""
NOTE = (
    "note: 7 – The Sins is played by the slower reference engine: "
    "the package wasmtime is not installed (pip install wasmtime)\n"
)
MORE = ("--games", "10", "--players", "2", "--jobs", "1", "--thinking", "0")
COMMANDS = [
    ("simulate", "sins.rules", "--sample", "2", *MORE),
    ("compare", "sins.rules", "--against", "penitenziagite", *MORE),
]


def run_without(*words):
    """A command on a machine on which wasmtime is not installed."""
    command = [sys.executable, "-X", "utf8", "-c", WITHOUT, *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_the_reference_counts_the_same_and_says_once_that_it_is_slow(words, capsys):
    slow = run_without(*words, "--json")
    code = cli.main([*words, "--json"])
    out, err = capsys.readouterr()

    assert slow.returncode == code == cli.FINE
    assert slow.stderr == NOTE
    assert err == ""
    assert json.loads(slow.stdout) == json.loads(out)


def test_two_games_are_told_apart():
    told = run_without("compare", "sins.rules", "seven7s.rules", *MORE)

    assert told.returncode == cli.FINE
    assert told.stderr.count("slower reference engine") == 2
    assert "note:" not in told.stdout


def test_bots_play_without_it():
    told = run_without("simulate", "sins.rules", "--seat", "greedy:2", *MORE[2:], "--games", "1")

    assert told.returncode == cli.FINE
    assert told.stderr == NOTE
