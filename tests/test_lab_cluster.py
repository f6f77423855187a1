"""The lab on a cluster: a real scheduler, two workers, one of which dies; the numbers are those of a local run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.game_loading import load
from interpreter.lab.crews import local_crew
from interpreter.lab.simulation import Plan, simulate
from interpreter.lab.studies import Study
from rulespec import cli

HERE = Path(__file__).parent


@pytest.mark.soak
def test_a_cluster_gives_the_same_numbers_though_a_worker_dies():
    pytest.importorskip("distributed")
    # In a process of its own: Dask starts threads and processes of its own, and warns of this and that.
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", HERE / "lab_cluster.py"],
        capture_output=True,
        encoding="utf-8",
        cwd=HERE.parent,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    here = simulate(load("sins.rules"), Plan(600, (2, 3), seed=4, sample=10), Study(local_crew(1)))

    assert told["width"] == 4
    assert told["killed"] == 1
    assert told["far"] == json.loads(json.dumps(here))
    there, at_home = told["asked"]
    assert there == at_home
    simulated, compared = there
    assert simulated["tables"][1]["skill"]
    assert simulated["tables"][1]["restricted"]["things"]
    assert compared["tables"][1]["differences"][0]["restricted"]


def test_where_nobody_answers_there_is_no_cluster(monkeypatch, capsys):
    pytest.importorskip("distributed")
    monkeypatch.setattr("interpreter.lab.clusters.SECONDS", 0.2)

    assert cli.main(["simulate", "sins.rules", "--cluster", "tcp://127.0.0.1:1"]) == cli.WRONG_USAGE
    assert "no Dask scheduler answers at `tcp://127.0.0.1:1`" in capsys.readouterr().err


def test_without_dask_it_is_told_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)

    assert cli.main(["simulate", "sins.rules", "--cluster", "somewhere"]) == cli.WRONG_USAGE
    assert "pip install rulespec[cluster]" in capsys.readouterr().err
