"""Adding to the language, done for real: a statement and a built-in function, each kept as a difference.

`docs/contributing.md` shows both, and says which file is for what. Where one no longer applies, do it again by hand in a copy, and keep
`git diff -U2` of it (without `tables.json`, which is generated, and the changelog, whose top lines change too often).
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ADDING = ROOT / "tests/adding"
COPIED = ("rulespec", "interpreter", "games", "docs", "tests")
# Tests that notice what an addition concerns.
CONCERNED = {
    "gather": "reserved or heading or grammar",
    "gcd": "built_in_names or lists or an_expression_has or (test_values and numbers)",
}
UNUSED = shutil.ignore_patterns("__pycache__", "node_modules", "site")
# What becomes of them in the core.
CORE = {"gather": "  shuffle deck\n", "gcd": "gcd(chosen, 6)"}
pytestmark = pytest.mark.check


@pytest.fixture(scope="module", params=["gather", "gcd"])
def addition(request, tmp_path_factory):
    """A copy of the project with something added to the language."""
    copy = tmp_path_factory.mktemp(request.param)
    for folder in COPIED:
        shutil.copytree(ROOT / folder, copy / folder, ignore=UNUSED)
    for file in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / file, copy)
    subprocess.run(
        [shutil.which("git"), "apply", ADDING / f"{request.param}.diff"], cwd=copy, check=True
    )
    stored = run(
        copy, "-c", "from rulespec.syntax import parse_tables; parse_tables.store_tables()"
    )
    assert stored.returncode == 0, stored.stderr
    return request.param, copy


def run(copy, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(copy), "RULESPEC_CACHE": "off"}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )


def rulespec(copy, *arguments):
    found = run(copy, "-m", "rulespec", *arguments)
    return found.returncode, found.stdout + found.stderr


@pytest.mark.soak
@pytest.mark.parametrize("addition", ["gather"], indirect=True)
def test_the_type_checker_misses_nothing(addition):
    name, copy = addition
    cache = ROOT / ".mypy_cache" / name
    found = run(copy, "-m", "mypy", "--cache-dir", str(cache))

    assert (found.returncode, found.stdout.count("error")) == (0, 0), found.stdout


def test_every_pass_handles_it(addition, tmp_path):
    name, copy = addition
    file = ADDING / f"{name}.rules"
    text = file.read_text("utf-8")

    assert rulespec(copy, "check", str(file)) == (0, "1 file, no errors\n")
    assert rulespec(copy, "fmt", "--check", str(file))[0] == 0
    code, told = rulespec(copy, "test", str(file))
    assert (code, "1 example holds" in told) == (0, True), told
    code, told = rulespec(copy, "docs", str(file), "--out", str(tmp_path))
    assert code == 0, told
    code, told = rulespec(copy, "simulate", str(file), "--games", "20", "--json")
    assert code == 0, told
    assert CORE[name] in rulespec(copy, "compile", str(file), "--core")[1]
    wrong = tmp_path / "wrong.rules"
    wrong.write_text(re.sub(r"(pool|chosen)(?= to deck|, 6)", "5 + yes", text, count=1), "utf-8")
    assert "RS301" in rulespec(copy, "check", str(wrong))[1]
    unknown = tmp_path / "unknown.rules"
    unknown.write_text(re.sub(r"(pool|chosen)(?= to deck|, 6)", "nowhere", text, count=1), "utf-8")
    assert "RS201" in rulespec(copy, "check", str(unknown))[1]


def test_what_it_concerns_is_tested(addition):
    """The page says which files need a line; whoever forgets one hears of it from these tests."""
    name, copy = addition
    files = [f"tests/test_{each}.py" for each in ("docs", "semantics", "machine", "wasm")]
    found = run(
        copy, "-m", "pytest", "-q", "-n", "0", "-p", "no:randomly", *files, "-k", CONCERNED[name]
    )

    assert found.returncode == 0, found.stdout[-3000:]


@pytest.mark.parametrize("addition", ["gcd"], indirect=True)
def test_the_fast_engine_knows_a_function(addition, tmp_path):
    _, copy = addition
    code, told = rulespec(
        copy, "compile", str(ADDING / "gcd.rules"), "--out", str(tmp_path / "gcd.wasm")
    )

    assert code == 0, told
    assert (tmp_path / "gcd.wasm").read_bytes().startswith(b"\0asm")


@pytest.mark.parametrize("addition", ["gather"], indirect=True)
def test_what_it_moves_is_no_longer_seen(addition):
    _, copy = addition

    assert "RS401" in rulespec(copy, "check", str(ADDING / "leak.rules"))[1]
    code, told = rulespec(copy, "mutate", str(ADDING / "gather.rules"))
    assert "`gather discard to deck` becomes `nothing`" in told, (code, told)


def test_how_many_files_are_touched():
    touched = {
        name: re.findall(r"^\+\+\+ b/(\S+)", (ADDING / f"{name}.diff").read_text(), re.MULTILINE)
        for name in ("gather", "gcd")
    }
    sources = {
        name: [file for file in files if file.startswith(("rulespec", "interpreter"))]
        for name, files in touched.items()
    }

    assert len(sources["gather"]) <= 10
    page = (ROOT / "docs/contributing.md").read_text("utf-8")
    assert {file for file in touched["gcd"] if f"| `{file}` |" not in page} == set()
    assert len(sources["gcd"]) <= 5
    assert len(touched["gcd"]) <= 10
