"""`rulespec new`: what it writes is whole, and what it suggests can be taken as it is."""

import pytest

from interpreter.game_loading import load
from rulespec import cli, loading
from rulespec.checks import check
from rulespec.syntax.formatter import format_source
from sizes import few

BASES = sorted(path.name for path in loading.GAMES.glob("**/*.rules"))


def new(tmp_path, monkeypatch, *words):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", *words]) == cli.FINE


def problems(path):
    return [each.message for each in check(path, loading.read(str(path))).diagnostics]


def test_there_are_games_to_begin_with():
    assert len(BASES) >= 8


def test_a_tiny_game_checks_tests_and_plays(tmp_path, monkeypatch, capsys):
    new(tmp_path, monkeypatch, "my_first")

    path = tmp_path / "my_first.rules"
    assert problems(path) == []
    assert format_source(loading.read(str(path))) == path.read_text("utf-8")
    assert cli.main(["test", "my_first.rules", "--games", "3"]) == cli.FINE
    assert "1 example holds" in capsys.readouterr().out
    assert load(path).code.title == "My first"


@pytest.mark.parametrize("base", few(BASES, 4))
def test_an_overlay_changes_nothing_and_all_that_it_suggests_is_right(base, tmp_path, monkeypatch):
    new(tmp_path, monkeypatch, "mine", "--from", base)
    path = tmp_path / "mine.rules"
    assert problems(path) == []

    lines = path.read_text("utf-8").splitlines()
    taken = [
        line.removeprefix("-- ")
        for line in lines
        if line.startswith(("-- rows", "--   ", "-- over"))
    ]
    first = [line.removeprefix("-- ") for line in lines if line.startswith("-- extends")] or lines[
        :1
    ]
    path.write_text("\n".join([*first, *lines[1:2], *taken]) + "\n", "utf-8")

    assert taken
    assert problems(path) == []


def test_an_overlay_finds_its_file_where_files_may_be(tmp_path, monkeypatch, capsys):
    (tmp_path / "mine").mkdir()
    new(tmp_path, monkeypatch, "mine/base")
    new(tmp_path, monkeypatch, "other", "--from", "mine/base.rules")

    assert (tmp_path / "other.rules").read_text().startswith('extends "mine/base.rules"\n')
    assert problems(tmp_path / "other.rules") == []
    # What lies above would not be found again if the folder were handed around.
    assert cli.main(["new", "mine/below", "--from", "other.rules"]) == cli.WRONG_USAGE
    assert "is not next to or below" in capsys.readouterr().err


def test_what_is_there_stays(tmp_path, monkeypatch, capsys):
    new(tmp_path, monkeypatch, "mine.rules")
    before = (tmp_path / "mine.rules").read_text()

    assert cli.main(["new", "mine", "--from", "sins.rules"]) == cli.WRONG_USAGE
    assert "already exists, and stays as it is" in capsys.readouterr().err
    assert (tmp_path / "mine.rules").read_text() == before
    assert cli.main(["new", "nowhere/mine"]) == cli.WRONG_USAGE
    assert cli.main(["new", "other", "--from", "nothing.rules"]) == cli.WRONG_USAGE
    assert not (tmp_path / "other.rules").exists()


def test_no_name_makes_a_title_that_is_wrong(tmp_path, monkeypatch):
    new(tmp_path, monkeypatch, 'a "quoted" {name}')

    assert problems(tmp_path / 'a "quoted" {name}.rules') == []
