"""What is shipped is found: in a checkout, and in an installed wheel."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rulespec import loading

ROOT = Path(__file__).parent.parent


def test_a_file_in_the_current_folder_wins(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shipped = loading.find_rules("sins.rules")
    (tmp_path / "sins.rules").write_text('game "Mine"\n', "utf-8")

    assert shipped == loading.GAMES / "sins.rules"
    assert loading.read("sins.rules").text == 'game "Mine"\n'


@pytest.mark.parametrize("name", ["sins.rules", "siegel", "my_sins.rules", "tricks"])
def test_a_shipped_file_is_found_from_any_folder(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert loading.read(name).text


@pytest.mark.parametrize("name", ["nothing.rules", "../sins.rules", "games", "a/b.rules", ""])
def test_what_is_not_there_is_not_found(name, tmp_path, monkeypatch):
    (tmp_path / "games").mkdir()
    monkeypatch.chdir(tmp_path)

    with pytest.raises(loading.NotFound):
        loading.read(name)


def test_line_ends_marks_and_letters_are_made_alike():
    windows = loading.decode("a.rules", '\ufeffgame "E\u0301"\r\nplayers 2\r\n'.encode())

    assert windows.text == 'game "É"\nplayers 2\n'


def test_the_wheel_holds_both_packages_the_games_and_the_mechanisms(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())

    assert {"rulespec/games/sins.rules", "rulespec/games/examples/my_sins.rules"} <= held
    assert "rulespec/games/SWITCHES.md" in held
    assert {"rulespec/std/tricks.rules", "rulespec/syntax/tables.json"} <= held
    assert {"rulespec/syntax/grammar.lark", "rulespec/py.typed", "interpreter/__init__.py"} <= held


def test_a_wheel_works_without_the_checkout(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = "import rulespec; print(rulespec.__file__, len(rulespec.read('sins.rules').text) > 0)"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
        text=True,
    )

    assert ran.stdout.split() == [str(tmp_path / "site" / "rulespec" / "__init__.py"), "True"]
