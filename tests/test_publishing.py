"""What publishes the site runs nothing that could become something else overnight."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.y*ml"))
LOCK = ROOT / ".ci/requirements.txt"
ROW = re.compile(r"(?P<name>[a-z0-9-]+)==\S+ \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+")


def test_there_is_a_workflow():
    assert WORKFLOWS


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_named_by_its_commit(path):
    uses = re.findall(r"uses:\s*(\S+)(.*)", path.read_text("utf-8"))

    assert uses
    for name, comment in uses:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", name), name
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), f"{name} has no version behind it"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_who_installs_may_not_publish(path):
    text = path.read_text("utf-8")
    jobs = re.split(r"^  (?=\w+:$)", text.partition("\njobs:\n")[2], flags=re.MULTILINE)

    assert "\npermissions: {}\n" in text
    for job in jobs:
        assert not ("write" in job and "run:" in job), job
    # What is installed comes from the lock.
    assert text.index("make locked") < text.index("make docs")


def test_every_package_of_the_lock_is_named_by_its_hash():
    text = LOCK.read_text("utf-8")
    body = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))

    assert ROW.sub("", body) == ""
    assert len(ROW.findall(body)) > 20


def test_the_lock_has_what_the_project_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needs = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["docs"],
        *project["build-system"]["requires"],
    ]

    assert {re.match(r"[\w-]+", each)[0].lower() for each in needs} <= set(
        ROW.findall(LOCK.read_text("utf-8"))
    )


def test_the_makefile_installs_the_lock_by_hashes():
    text = (ROOT / "Makefile").read_text("utf-8")
    locked = text.partition("\nlocked:\n")[2].partition("\n\n")[0]

    installing = [each for each in locked.split("\n\t") if "pip install" in each]

    assert "--require-hashes" in locked
    assert len(installing) == 2
    assert all("--no-index" in each or "--require-hashes" in each for each in installing)
    assert "npm ci " in text
    assert "npm install" not in text


def test_the_lock_of_npm_has_a_hash_for_each_package():
    text = (ROOT / "docs/playground/package-lock.json").read_text("utf-8")

    assert text.count('"integrity": "sha512-') == len(re.findall(r'"node_modules/', text))
