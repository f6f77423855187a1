"""A repository of an author: what `rulespec new --project` lays out works, and so do the hooks and the action."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import rulespec
from rulespec import cli

ROOT = Path(__file__).parent.parent
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40}")
WRONG = 'game "Wrong"\nrule play: move dekc to box\n'


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell, with our own command first on the path."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("author") / "my game"
    assert cli.main(["new", str(folder), "--project"]) == 0
    return folder


def test_a_project_passes_what_its_machine_runs(project: Path):
    workflow = yaml.safe_load((project / ".github/workflows/rules.yml").read_text())
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    commands = [step["run"] for step in steps if "run" in step]

    assert commands.pop(0) == f"pip install rulespec=={rulespec.__version__}"
    assert len(commands) == 5
    for command in commands:
        done = run(command, project)
        assert done.returncode == 0, (command, done.stderr)
    assert "<html" in (project / "site/index.html").read_text("utf-8")
    assert all(PINNED.fullmatch(step["uses"]) for step in steps if "uses" in step)


def test_the_hooks_of_a_project_pass_and_find_mistakes(project: Path):
    own = yaml.safe_load((project / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    ours = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    file = project / "my_game.rules"
    text = file.read_text("utf-8")
    (project / "wrong.rules").write_text(WRONG)

    assert [(each["id"], each["entry"]) for each in own] == [
        (each["id"], each["entry"]) for each in ours
    ]
    for hook in ours:
        assert re.search(hook["files"], file.name)
        assert run(f"{hook['entry']} {shlex.quote(file.name)}", project).returncode == 0
    assert file.read_text("utf-8") == text
    assert run(f"{own[0]['entry']} wrong.rules", project).returncode == 1
    (project / "wrong.rules").unlink()


def test_a_project_is_written_once(project: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["new", str(project), "--project"]) == 2
    assert "already exists" in capsys.readouterr().err
    assert cli.main(["new", str(project / "x"), "--project", "--from", "sins.rules"]) == 2
    assert not (project / "x").exists()


def test_the_action_runs_what_it_says(project: Path):
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    uses, install, check = action["runs"]["steps"]
    (file,) = project.glob("*.rules")
    words = {"FILES": file.name, "GAMES": "2", "PAGE": "made/index.html"}
    sets = " ".join(f"{name}={shlex.quote(value)}" for name, value in words.items())
    done = run(f"export {sets}; set -e; {check['run']}", project)

    assert PINNED.fullmatch(uses["uses"])
    assert "--require-hashes" in install["run"]
    assert done.returncode == 0, done.stderr
    assert (project / "made/index.html").is_file()
    assert set(check["env"]) == set(words)
    (project / "wrong.rules").write_text(WRONG)
    assert run(f"export {sets} FILES=wrong.rules; set -e; {check['run']}", project).returncode == 1
