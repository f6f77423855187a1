"""Whatever becomes of a kept file: it is refused with a reason, is still the same, or is a game like any other.

A few of each kind are tried with fixed seeds, and very many in the soak, which tells its figures.
"""

import json
import random
import shutil
from collections import Counter

import pytest

from damage import as_json, damage_bytes, damage_data, damage_text
from interpreter import game_loading, recorded, saves, stored
from interpreter.errors import RuleFault, WrongRules
from interpreter.lab import Crew, Study
from interpreter.lab.chunks import Task, pack
from interpreter.lab.crews import Alone
from interpreter.lab.studies import Errand, WrongCheckpoint, conduct, open_study
from interpreter.machine import apply, start
from interpreter.options import Decision
from interpreter.resuming import resume
from interpreter.saves import BadSave
from interpreter.session import Seat, begin
from interpreter.stored import Unfit
from rulespec.cli import main

GAMES = ("sins.rules", "siegel.rules", "seven7s.rules", "deadlies.rules")
CHOICES = 12  # of a game that is kept and damaged
LATER = 40  # choices that are made from a state that was accepted

_loaded = {}


@pytest.fixture(autouse=True)
def table(monkeypatch, tmp_path):
    """Games are kept here, and rules are read once: what is damaged is what names them."""
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(recorded, "load", _load_once)


def _load_once(place, variants, options):
    asked = str(place), tuple(variants), tuple(options.items())
    if asked not in _loaded:
        try:
            _loaded[asked] = game_loading.load(place, variants, options)
        except WrongRules as wrong:
            _loaded[asked] = wrong
    if isinstance(_loaded[asked], Exception):
        raise _loaded[asked]
    return _loaded[asked]


# ---- States --------------------------------------------------------------------------------------


def try_states(times, seed):
    """Damage states of all games, and play on from those that are accepted."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    figures = Counter()
    for name in GAMES:
        game = _load_once(name, (), {})
        engine = game.machine(game.players[0])
        states = list(_moments(engine, chance))
        for _ in range(times):
            state = chance.choice(states)
            figures[_fate(engine, state, chance)] += 1
    return figures


def _moments(engine, chance):
    state = start(engine, 5)
    count = 0
    while isinstance(state.pending, Decision):
        if count % 5 == 0:
            yield state.clone()
        apply(engine, state, chance.randrange(len(state.pending.options)))
        count += 1


def _fate(engine, state, chance):
    kind = chance.randrange(4)
    try:
        if kind == 0:
            data = damage_bytes(chance, stored.to_bytes(engine, state)[13:])
            found = stored.from_bytes(engine, stored.to_bytes(engine, state)[:13] + data)
        elif kind == 1:
            text = damage_bytes(chance, stored.to_json(engine, state).encode())
            found = stored.from_json(engine, text.decode("utf-8", "replace"))
        else:
            data = damage_data(chance, json.loads(stored.to_json(engine, state)))
            found = stored.from_json(engine, as_json(data))
    except Unfit:
        return "refused"
    same = found == state
    try:
        for _ in range(LATER):
            if not isinstance(found.pending, Decision):
                break
            apply(engine, found, chance.randrange(len(found.pending.options)))
    except RuleFault:
        return "accepted, and its rules stop with a reason"
    return "accepted and equal" if same else "accepted and played on"


# ---- Saves and transcripts -----------------------------------------------------------------------


def _kept_games():
    """Of each game a save after a few choices, and what was chosen."""
    for number, name in enumerate(GAMES):
        game = _load_once(name, (), {})
        seats = [Seat(f"P{n}", "random") for n in range(game.players[0])]
        table = begin(game, seats, seed=number)
        for _ in range(CHOICES):
            table.bot_move()
        yield saves.write_save(table.save()), tuple(table.match.choices)


def try_saves(times, seed, folder):
    """Damage saves, and go on with them; whatever is accepted is what was kept."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    figures = Counter()
    path = folder / "kept.txt"
    kept = list(_kept_games())
    for number in range(times):
        if number % 200 == 0:  # what was rescued has files of its own
            shutil.rmtree(saves.saves_folder(), ignore_errors=True)
        text, choices = kept[number % len(kept)]
        damaged = chance.choice((_as_text, _as_bytes))(chance, text)
        path.write_bytes(damaged)
        try:
            found = resume(path)
        except BadSave:
            figures["refused"] += 1
        else:
            if saves.read_save(damaged.decode()).kinds:
                assert tuple(found.match.choices) == choices
                figures["accepted and equal"] += 1
            else:  # without its seal and its seats it is a transcript like any other
                figures["accepted as a transcript"] += 1
        try:
            rescued = len(resume(path, salvage=True).match.choices)
        except BadSave:
            figures["beyond repair"] += 1
        else:
            figures["rescued, choices"] += rescued
    return figures


def _as_text(chance, text):
    return damage_text(chance, text).encode("utf-8", "replace")


def _as_bytes(chance, text):
    return damage_bytes(chance, text.encode())


def try_transcripts(times, seed, folder, capsys):
    """Damage transcripts, which have no seal, and replay them by the command."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    figures = Counter()
    path = folder / "game.txt"
    kept = [text for text, _ in _kept_games()]
    for number in range(times):
        path.write_bytes(chance.choice((_as_text, _as_bytes))(chance, kept[number % len(kept)]))
        code = main(["replay", str(path)])
        told = capsys.readouterr()
        assert code in (0, 1, 2), told.err
        assert code == 0 or told.err
        figures[("replayed", "replayed up to a choice that does not fit", "refused")[code]] += 1
    return figures


# ---- Checkpoints ---------------------------------------------------------------------------------


def try_checkpoints(times, seed, folder):
    """Damage checkpoints; whatever is accepted is what was kept."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    path = folder / "run.json"
    study = Study(Crew(Alone, 1), path)
    conduct(
        study, Errand(Task("games", (pack(game_loading.load("sins.rules")),), 2, ("random",), 1), 8)
    )
    content = path.read_bytes()
    figures = Counter()
    for number in range(times):
        if number % 2:
            path.write_bytes(damage_bytes(chance, content))
        else:
            data = damage_data(chance, json.loads(content))
            path.write_text(as_json(data) if number % 4 else json.dumps(data) + "\n", "utf-8")
        again = Study(Crew(Alone, 1), path)
        try:
            open_study(again)
        except WrongCheckpoint:
            figures["refused"] += 1
        else:
            assert again.done == study.done
            figures["accepted and equal"] += 1
    return figures


# ---- Tests ---------------------------------------------------------------------------------------


def test_damaged_states_are_refused_or_played():
    figures = try_states(250, 1)

    assert figures["refused"] > 800


def test_damaged_saves_are_refused_or_what_was_kept(tmp_path):
    figures = try_saves(150, 2, tmp_path)

    assert figures["refused"] > 100
    assert figures["rescued, choices"] > 100


def test_damaged_transcripts_are_refused_or_replayed(tmp_path, capsys):
    figures = try_transcripts(150, 3, tmp_path, capsys)

    assert figures["refused"] > 20


def test_damaged_checkpoints_are_refused(tmp_path):
    figures = try_checkpoints(300, 4, tmp_path)

    assert figures["refused"] > 250


@pytest.mark.soak
def test_very_many_damaged_files(tmp_path, capsys):
    kinds = {
        "states": try_states(60_000, 11),
        "saves": try_saves(8_000, 12, tmp_path),
        "transcripts": try_transcripts(8_000, 13, tmp_path, capsys),
        "checkpoints": try_checkpoints(12_000, 14, tmp_path),
    }
    with capsys.disabled():
        for name, figures in kinds.items():
            told = ", ".join(f"{count:,} {what}" for what, count in figures.most_common())
            print(f"\n{name}: {told}, 0 crashes", end="")  # noqa: T201 - figures of the soak

    assert sum(kinds["states"].values()) == 240_000
    assert kinds["checkpoints"]["refused"] > 10_000
