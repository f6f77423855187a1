"""Modules in Pyodide, as the playground has it: JavaScript runs them, and they play the games that they play here."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wasm_reports
from sizes import SOAKING, tries

ROOT = Path(__file__).parent.parent
HERE = Path(__file__).parent
MADE = ROOT / ".venv/playground"
FEW = [("sins.rules", 2), ("seven7s.rules", 3), ("siegel.rules", 4), ("deadlies.rules", 3)]
MORE = [("sins.rules", 4), ("seven7s.rules", 2), ("siegel.rules", 5), ("deadlies.rules", 5)]
TASK = {
    "tables": FEW + (MORE if SOAKING else []),
    "worlds": FEW[:2] + (FEW[2:] + MORE if SOAKING else []),
    "games": tries(40, soak=2_000),
    "walks": tries(2, soak=20),
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def in_pyodide(wheel):
    """What Pyodide reports."""
    node, pyodide = shutil.which("node"), MADE / "node_modules/pyodide"
    if node is None or not pyodide.exists():
        pytest.skip("there is no Pyodide: `make playground` fetches it if there is npm")
    wheels = [next((MADE / "wheels").glob(f"{name}-*.whl")) for name in ("attrs", "lark")]
    command = [node, HERE / "in_pyodide.mjs", pyodide, wasm_reports.__file__, json.dumps(TASK)]
    ran = subprocess.run([*command, wheel, *wheels], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-3_000:]
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def here():
    """What our own Python reports."""
    return json.loads(wasm_reports.report(json.dumps(TASK)))


def test_pyodide_writes_the_same_modules_and_they_play_the_same_games(in_pyodide, here):
    assert len(here["tables"]) == len(TASK["tables"])
    for one, other in zip(in_pyodide["tables"], here["tables"], strict=True):
        assert len(other) == 6, other
        assert one == other


def test_players_imagine_the_same_worlds_and_think_the_same_of_their_options(in_pyodide, here):
    for one, other in zip(in_pyodide["worlds"], here["worlds"], strict=True):
        assert len(other) == 12
        assert sum(tally[0] for _, _, _, tallies in other for tally in tallies) >= 12 * 40
        assert one == other


def test_memory_and_functions_are_reached_in_the_same_way(in_pyodide, here):
    assert "trapped" in here["host"]
    assert in_pyodide["host"] == here["host"]


def test_what_ran_a_module_is_let_go(in_pyodide):
    assert in_pyodide["left"] <= 0
