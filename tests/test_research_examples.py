"""The programs in `examples/` run, and do what they promise; what takes minutes is tried in `make soak`."""

import sys
from pathlib import Path

import pytest

import interpreter
from interpreter.labels import zone_name

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def examples(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield
    for name in ("kuhn_cfr", "search", "learner", "memories", "self_play"):
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


@pytest.mark.usefixtures("examples")
def test_a_network_learns_kuhn() -> None:
    pytest.importorskip("numpy")
    program = pytest.importorskip("learner")
    table, network = program.train("kuhn.rules", 4, 256)
    won, games = program.measure(table, network, 1000)
    before, _ = program.measure(table, program.new_network(table), 1000)
    assert before / games < 0.55
    assert won / games > 0.6


@pytest.mark.soak
@pytest.mark.usefixtures("examples")
def test_a_network_learns_the_sins() -> None:
    """Random players win half of the games; of 1,000, three standard deviations are 5 %."""
    program = pytest.importorskip("learner")
    table, network = program.train("sins.rules", 24)
    won, games = program.measure(table, network, 1000)
    assert won / games > 0.6


@pytest.mark.usefixtures("examples")
def test_what_is_kept_in_mind_of_the_sins_is_what_lies_there() -> None:
    """All but the card with which each reserve begins: that was never turned up for all."""
    np = pytest.importorskip("numpy")
    program, memories = pytest.importorskip("learner"), pytest.importorskip("memories")
    kept = []

    class Noted(memories.Sins):
        def __init__(self, table, games):
            super().__init__(table, games)
            kept.append((self, table))

    program.MEMORIES["sins.rules"] = Noted
    table = interpreter.load("sins.rules").table(3, "winning")
    batches, make = [], table.batch
    table.batch = lambda *given: batches.append(make(*given)) or batches[-1]
    try:
        program.play(table, program.new_network(table), 6, 1)
    finally:
        del table.batch
    memory, batch = kept[-1][0], batches[0]
    layout = table.machine.layout
    sums = memory.taken.sum(axis=2)
    for game in range(6):
        state = table.fast.look(batch._playing(game))
        sizes = {zone_name(layout, n): len(each) for n, each in enumerate(state.zones)}
        assert sums[game].tolist() == [
            *(sizes[f"reserve[Player {n + 1}]"] - 1 for n in range(3)),
            sizes["abyss"],
        ]
    assert np.all(memory.waits == -1)


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
