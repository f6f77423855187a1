"""The programs in `examples/` run, and do what they promise; what takes minutes is tried in `make soak`."""

import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def examples(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield
    for name in ("kuhn_cfr", "search", "policy_gradient", "self_play"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("examples")
def test_counterfactual_regrets_come_close_to_the_value_of_kuhn() -> None:
    program = pytest.importorskip("kuhn_cfr")
    assert program.train(12) == pytest.approx(-1 / 18, abs=0.03)


@pytest.mark.soak
@pytest.mark.usefixtures("examples")
def test_a_search_from_the_public_face_plays() -> None:
    program = pytest.importorskip("search")
    assert 0 <= program.play("crazy_eights.rules", games=1, worlds=1) <= 1


@pytest.mark.soak
@pytest.mark.usefixtures("examples")
def test_a_search_beats_random_players() -> None:
    program = pytest.importorskip("search")
    assert program.play("sins.rules", games=20, worlds=6) >= 0.8


@pytest.mark.soak
@pytest.mark.usefixtures("examples")
def test_a_network_learns_kuhn() -> None:
    pytest.importorskip("numpy")
    program = pytest.importorskip("policy_gradient")
    table, network = program.train("kuhn.rules", 40, 128)
    won, games = program.measure(table, network, 1000)
    assert won / games > 0.58


@pytest.mark.usefixtures("examples")
def test_self_play_is_evaluated_by_the_lab(capsys, monkeypatch) -> None:
    program = pytest.importorskip("self_play")
    monkeypatch.setattr(
        sys, "argv", ["self_play.py", "kuhn.rules", "--rounds", "3", "--games", "100"]
    )
    program.main()
    told = capsys.readouterr().out
    assert "untrained: " in told
    assert "\ntrained: " in told
