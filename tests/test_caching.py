"""What was made before is found again, whole and unchanged; what is stale, damaged or foreign never is."""

import logging
import os
import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from games import at_random
from interpreter import caching, shelf
from interpreter.errors import WrongRules
from interpreter.game_loading import load
from interpreter.match import Game
from interpreter.pools import working_pool
from interpreter.wasm.engine import Wasm
from interpreter.wasm.hosts import make_host
from lockstep import assert_in_step
from rulespec import cli, logs
from rulespec.core.fingerprints import fingerprint
from sizes import few, tries

TABLES = (
    ("sins.rules", ["penitenziagite"], {"stone_optional": True}, 3),
    ("seven7s.rules", [], {}, 2),
    ("siegel.rules", [], {"rounds": 1}, 4),
    ("deadlies.rules", [], {}, 3),
    ("indulgence.rules", [], {}, 2),
)
NAME, OTHER = "0" * 64, "1" * 64

SMALL = """\
game "Small"
players 2..3
use turns
use limits
option step: 1..3 = 1
pieces  | copies
  Token | 6
zones  | order | seen by
  heap | pile  | everyone
  pile | pile  | everyone
rule setup
  move box to heap
rule turn(p: Player)
  move top(heap, step) to pile
  if #pile > limit: end
ranking of p
  most | index(p)
variant slow
  override let limit = 4
"""
LIMITS = """\
mechanism limits
let limit = 2
"""
OVERLAY = """\
extends "small.rules"
game "Larger"
"""


class Work:
    """What was done anew while a test looked on."""

    def __init__(self):
        self.read, self.written = 0, 0


@pytest.fixture(autouse=True)
def own_shelf(tmp_path, monkeypatch):
    """A shelf for each test."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def work(monkeypatch):
    """A count of what is made in spite of the shelf."""
    # Else nothing would be kept while somebody edits our sources.
    monkeypatch.setattr(caching, "find_maker", lambda: "a maker")
    found = Work()

    def read(*args, load_source=caching.load_source, **more):
        found.read += 1
        return load_source(*args, **more)

    def write(*args, write_program=caching.write_program, **more):
        found.written += 1
        return write_program(*args, **more)

    monkeypatch.setattr(caching, "load_source", read)
    monkeypatch.setattr(caching, "write_program", write)
    return found


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A folder with a game, a mechanism and an overlay."""
    place = tmp_path / "rules"
    place.mkdir()
    for name, text in (("small", SMALL), ("limits", LIMITS), ("larger", OVERLAY)):
        (place / f"{name}.rules").write_text(text, encoding="utf-8")
    monkeypatch.chdir(place)
    return place


def kept_files() -> list[Path]:
    place = shelf.cache_folder()
    assert place is not None
    return sorted(path for path in place.iterdir() if path.name != shelf.KEY_FILE)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def length(fast: Wasm) -> int:
    """How many pieces lie on the pile at the end: what the rules of the small game differ in."""
    state = fast.to_reference(fast.start(1, 0))
    return len(state.zones[fast.machine.layout.zone_families["pile"].base])


# ---- What is found again -------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "variants", "options", "players"), few(TABLES, 1), ids=str)
def test_what_was_kept_plays_the_same_games(work, name, variants, options, players):
    game = load(name, variants, options)
    made = caching.load_fast(name, players, variants, options)
    ends = [*made.games(range(5))]
    kept = caching.load_fast(name, players, variants, options)

    assert kept.written == made.written
    assert [*kept.games(range(5))] == ends
    for seed in range(2):
        assert_in_step(game, players, seed, at_random(seed), fast=kept)
    assert (work.read, work.written) == (1, 1)


@pytest.mark.parametrize(("name", "variants", "options", "players"), few(TABLES, 1), ids=str)
def test_a_kept_game_is_a_game(work, name, variants, options, players):
    made = load(name, variants, options)
    caching.load_kept(name, variants, options)
    kept = caching.load_kept(name, variants, options)

    assert work.read == 1
    assert kept.name == made.name
    assert (kept.variants, kept.settings) == (made.variants, made.settings)
    assert fingerprint(kept.code) == fingerprint(made.code)
    assert kept.texts == made.texts
    assert kept.program == made.program
    match = kept.start(players, seed=1)
    assert match.transcript() == made.start(players, seed=1).transcript()


def test_a_game_that_was_loaded_otherwise_finds_its_engine(work):
    caching.load_fast("sins.rules", 2)
    caching.make_kept(load("sins.rules"), 2)

    assert work.written == 1


@pytest.mark.usefixtures("work")
def test_wrong_rules_are_told_every_time(small):
    edit(small / "small.rules", "#pile > limit", "#pile > nowhere")
    for _ in range(2):
        with pytest.raises(WrongRules, match="nowhere"):
            caching.load_fast("small.rules", 2)
    assert shelf.cache_folder() is not None
    assert not shelf.cache_folder().exists()


@pytest.mark.usefixtures("small")
def test_the_command_fills_the_cache_and_says_where(work, capsys):
    command = ["compile", "small.rules", "--players", "3"]

    assert cli.main(command) == cli.FINE
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("Small, 3 players: a WebAssembly module")
    assert Path(second.removeprefix("in the cache: ")) in kept_files()
    assert cli.main(command) == cli.FINE
    assert work.written == 1
    assert cli.main([*command, "--show"]) == cli.FINE
    assert "fn rule play(" in capsys.readouterr().out


@pytest.mark.usefixtures("work")
def test_native_code_of_another_version_is_not_used():
    made = caching.load_fast("sins.rules", 2)
    name = caching.module_name(caching.load_kept("sins.rules"), 2)
    assert name is not None
    caching.keep_value(name, (made.written, b"native code of nobody"))
    kept = caching.load_fast("sins.rules", 2)

    assert [*kept.games(range(3))] == [*made.games(range(3))]


# ---- What is stale -------------------------------------------------------------------------------


def test_an_edit_of_the_rules_counts(work, small):
    assert length(caching.load_fast("small.rules", 2)) == 3
    edit(small / "small.rules", "#pile > limit", "#pile > limit + 1")

    assert length(caching.load_fast("small.rules", 2)) == 4
    assert (work.read, work.written) == (2, 2)
    edit(small / "small.rules", "#pile > limit + 1", "#pile > limit")
    assert length(caching.load_fast("small.rules", 2)) == 3
    assert (work.read, work.written) == (2, 2)


def test_an_edit_of_a_mechanism_counts(work, small):
    assert length(caching.load_fast("small.rules", 2)) == 3
    edit(small / "limits.rules", "= 2", "= 4")

    assert length(caching.load_fast("small.rules", 2)) == 5
    assert (work.read, work.written) == (2, 2)


@pytest.mark.parametrize("name", ["small.rules", "limits.rules"])
def test_an_edit_of_what_is_extended_counts(work, small, name):
    before = length(caching.load_fast("larger.rules", 2))
    edit(small / name, *(("> limit", "> limit + 1") if name == "small.rules" else ("= 2", "= 3")))

    assert length(caching.load_fast("larger.rules", 2)) == before + 1
    assert (work.read, work.written) == (2, 2)


@pytest.mark.usefixtures("work")
def test_a_file_that_comes_before_a_shipped_one_counts(small):
    caching.load_kept("small.rules")
    (small / "turns.rules").write_text("mechanism turns\nlet unrelated = 1\n", encoding="utf-8")
    with pytest.raises(WrongRules):
        caching.load_kept("small.rules")


@pytest.mark.usefixtures("work")
def test_a_file_that_is_gone_counts(small):
    caching.load_kept("larger.rules")
    (small / "limits.rules").unlink()
    with pytest.raises(WrongRules):
        caching.load_kept("larger.rules")


@pytest.mark.usefixtures("small")
def test_variants_options_and_players_count(work):
    lengths = [
        length(caching.load_fast("small.rules", 2)),
        length(caching.load_fast("small.rules", 2, ["slow"])),
        length(caching.load_fast("small.rules", 2, [], {"step": 2})),
        length(caching.load_fast("small.rules", 2, [], {"step": 3})),
    ]

    assert lengths == [3, 5, 4, 3]
    assert caching.load_fast("small.rules", 3).players == 3
    assert (work.read, work.written) == (4, 5)


def test_the_folder_from_which_it_is_read_counts(work, small, monkeypatch):
    inside = caching.load_kept("small.rules").program.entry.name
    monkeypatch.chdir(small.parent)

    assert caching.load_kept("rules/small.rules").program.entry.name != inside
    assert work.read == 2


def test_the_maker_counts(work, monkeypatch):
    caching.load_fast("sins.rules", 2)
    monkeypatch.setattr(caching, "find_maker", lambda: "another maker")
    caching.load_fast("sins.rules", 2)

    assert (work.read, work.written) == (2, 2)


def test_a_maker_that_nobody_knows_keeps_nothing(work, monkeypatch):
    monkeypatch.setattr(caching, "find_maker", lambda: None)
    for _ in range(2):
        assert [*caching.load_fast("sins.rules", 2).games([1])]

    assert (work.read, work.written) == (2, 2)
    assert not shelf.cache_folder().exists()


def test_what_was_made_by_other_sources_or_another_python_has_another_maker(tmp_path, monkeypatch):
    source = tmp_path / "engine.py"
    (tmp_path / "__pycache__").mkdir()

    def maker(text: str, changed: float) -> str | None:
        source.write_text(text, encoding="utf-8")
        os.utime(source, (changed, changed))
        caching.find_maker.cache_clear()
        return caching.find_maker()

    monkeypatch.setattr(caching, "PACKAGES", (tmp_path,))
    long_ago = caching.STARTED - 1000
    try:
        first = maker("one = 1", long_ago)
        assert first is not None
        assert maker("one = 1", long_ago - 5) == first
        (tmp_path / "__pycache__" / "engine.pyc").write_bytes(b"anything")
        assert maker("one = 1", long_ago) == first
        assert maker("one = 2", long_ago) not in (first, None)
        # What runs is the text that was there when we began.
        assert maker("one = 1", caching.STARTED + 1) is None
        with monkeypatch.context() as patch:
            patch.setattr(sys, "version", "4.0")
            assert maker("one = 1", long_ago) not in (first, None)
        with monkeypatch.context() as patch:
            patch.setattr(caching, "MAGIC_NUMBER", b"new!")
            assert maker("one = 1", long_ago) not in (first, None)
        source.unlink()
        caching.find_maker.cache_clear()
        assert caching.find_maker() is None
    finally:
        caching.find_maker.cache_clear()


def test_every_source_of_ours_counts():
    names = {Path(path).name for path in caching.list_sources()}

    assert {"tree.py", "engine.py", "grammar.lark", "tables.json", "caching.py"} <= names


# ---- What is damaged or foreign ------------------------------------------------------------------


class Bomb:
    """Goes off when it is unpickled."""

    def __init__(self, marker: Path):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (str(self.marker),)


def test_no_byte_can_be_changed():
    path = shelf.store(NAME, b"payload")
    assert path is not None
    assert shelf.fetch(NAME) == b"payload"
    content = path.read_bytes()
    for at in range(len(content)):
        for bit in (1, 128):
            changed = bytearray(content)
            changed[at] ^= bit
            path.write_bytes(changed)
            assert shelf.fetch(NAME) is None
    for size in range(len(content)):
        path.write_bytes(content[:size])
        assert shelf.fetch(NAME) is None
    path.write_bytes(content + b"!")
    assert shelf.fetch(NAME) is None
    path.write_bytes(content)
    assert shelf.fetch(NAME) == b"payload"


def test_a_damaged_game_is_made_anew(work):
    chance = random.Random(1)  # noqa: S311 - no secret
    caching.load_fast("sins.rules", 2)
    kept = len(kept_files())
    for number in range(kept * tries(3, soak=8)):
        path = kept_files()[number % kept]
        content = bytearray(path.read_bytes())
        content[chance.randrange(len(content))] ^= chance.randint(1, 255)
        path.write_bytes(content)
        done = work.read + work.written

        assert caching.load_fast("sins.rules", 2).count(caching.load_fast("sins.rules", 2).start(7))
        assert work.read + work.written == done + 1
    assert kept == 2


def test_what_was_kept_under_another_name_is_not_taken():
    path = shelf.store(NAME, b"payload")
    assert path is not None
    path.rename(path.with_name(OTHER))

    assert shelf.fetch(OTHER) is None


def test_what_another_key_has_sealed_is_not_taken(tmp_path, monkeypatch):
    mine = shelf.store(NAME, b"mine")
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "elsewhere"))
    foreign = shelf.store(NAME, b"foreign")
    assert mine is not None
    assert foreign is not None
    mine.write_bytes(foreign.read_bytes())
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))

    assert shelf.fetch(NAME) is None


@pytest.mark.usefixtures("work")
def test_nothing_is_unpickled_without_its_seal(tmp_path):
    caching.load_fast("sins.rules", 2)
    marker = tmp_path / "exploded"
    bomb = pickle.dumps(Bomb(marker))
    head = len(shelf.MAGIC) + shelf.SEAL_SIZE
    for path in kept_files():
        content = path.read_bytes()
        for forged in (bomb, shelf.MAGIC + bytes(shelf.SEAL_SIZE) + bomb, content[:head] + bomb):
            path.write_bytes(forged)
            caching.load_fast("sins.rules", 2)

            assert not marker.exists()
    # Had it been unpickled, there would be something to see.
    pickle.loads(bomb)  # noqa: S301 - that is the point
    assert marker.exists()


def test_what_cannot_be_unpickled_is_made_anew(work):
    caching.load_fast("sins.rules", 2)
    for path in kept_files():
        shelf.store(path.name, b"no pickle")

    assert caching.load_fast("sins.rules", 2).players == 2
    assert (work.read, work.written) == (2, 2)


posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")


@posix
def test_only_the_owner_can_read_what_is_kept():
    path = shelf.store(NAME, b"payload")
    assert path is not None
    for each, mode in (
        (path, 0o600),
        (path.with_name(shelf.KEY_FILE), 0o600),
        (path.parent, 0o700),
    ):
        assert each.stat().st_mode & 0o777 == mode


@posix
@pytest.mark.parametrize(
    ("name", "mode"),
    [
        (".", 0o770),
        (".", 0o707),
        ("key", 0o640),
        ("key", 0o604),
        ("key", 0o620),
        (NAME, 0o660),
        (NAME, 0o602),
    ],
    ids=str,
)
def test_what_others_could_have_written_is_not_taken(name, mode):
    path = shelf.store(NAME, b"payload")
    assert path is not None
    (path.parent / name).chmod(mode)

    assert shelf.fetch(NAME) is None
    if name != NAME:
        key = path.with_name(shelf.KEY_FILE).read_bytes()
        assert shelf.store(OTHER, b"payload") is None
        assert path.with_name(shelf.KEY_FILE).read_bytes() == key
        assert not path.with_name(OTHER).exists()


@posix
def test_what_belongs_to_somebody_else_is_not_taken(monkeypatch):
    shelf.store(NAME, b"payload")
    someone = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: someone)

    assert shelf.fetch(NAME) is None
    assert shelf.store(OTHER, b"payload") is None


@posix
@pytest.mark.parametrize("name", [NAME, shelf.KEY_FILE])
def test_links_are_not_followed(tmp_path, name):
    path = shelf.store(NAME, b"payload")
    assert path is not None
    (path.parent / name).rename(tmp_path / "there")
    (path.parent / name).symlink_to(tmp_path / "there")

    assert shelf.fetch(NAME) is None
    if name == shelf.KEY_FILE:
        assert shelf.store(OTHER, b"payload") is None


@posix
def test_a_pipe_in_place_of_a_file_keeps_nobody_waiting():
    path = shelf.store(NAME, b"payload")
    assert path is not None
    path.unlink()
    os.mkfifo(path)

    assert shelf.fetch(NAME) is None


def test_a_damaged_key_is_made_anew():
    path = shelf.store(NAME, b"payload")
    assert path is not None
    path.with_name(shelf.KEY_FILE).write_bytes(b"short")

    assert shelf.fetch(NAME) is None
    assert shelf.store(NAME, b"again") is not None
    assert shelf.fetch(NAME) == b"again"


# ---- Where nothing can be kept -------------------------------------------------------------------


def plays_without(work: Work) -> bool:
    """Whether a game can be played, made anew each time."""
    for _ in range(2):
        assert [*caching.load_fast("sins.rules", 2).games([1])]
    return (work.read, work.written) == (2, 2)


def test_a_cache_can_be_switched_off(work, tmp_path, monkeypatch):
    monkeypatch.setenv("RULESPEC_CACHE", "off")
    monkeypatch.chdir(tmp_path)

    assert plays_without(work)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_done_without(work, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "file"))

    assert plays_without(work)


def test_a_disk_that_cannot_be_written_to_is_done_without(work, monkeypatch):
    def refuse(*_args):
        raise PermissionError("read-only")

    monkeypatch.setattr(shelf, "_put", refuse)

    assert plays_without(work)


def test_a_user_without_a_home_is_done_without(work, monkeypatch):
    def homeless():
        raise RuntimeError("no home")

    monkeypatch.delenv("RULESPEC_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setattr(sys, "platform", "linux")

    assert shelf.cache_folder() is None
    assert plays_without(work)


@pytest.mark.usefixtures("work")
def test_what_cannot_be_pickled_is_not_kept():
    caching.keep_value(NAME, lambda: 0)

    assert shelf.fetch(NAME) is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [("/somewhere", "/somewhere/rulespec/compiled"), ("relative", None), ("", None)],
)
def test_things_are_kept_where_the_system_wants_them(given, expected, tmp_path, monkeypatch):
    monkeypatch.delenv("RULESPEC_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")

    assert shelf.cache_folder() == Path(expected or tmp_path / ".cache/rulespec/compiled")


# ---- Many writers, little room -------------------------------------------------------------------


def test_many_may_write_and_read_at_once():
    payloads = [bytes([n]) * 50_000 for n in range(8)]

    def write_and_read(payload: bytes) -> list[bytes | None]:
        found = []
        for _ in range(10):
            shelf.store(NAME, payload)
            found.append(shelf.fetch(NAME))
        return found

    with ThreadPoolExecutor(8) as pool:
        found = [each for some in pool.map(write_and_read, payloads) for each in some]

    # While there are two keys, what one has sealed the other does not take.
    assert set(found) <= {None, *payloads}
    assert shelf.store(NAME, b"at last") is not None
    assert shelf.fetch(NAME) == b"at last"
    assert [path.name for path in kept_files()] == [NAME]


def test_many_programs_may_share_a_shelf(tmp_path):
    code = (
        "from interpreter import caching; caching.find_maker = lambda: 'a maker';"
        "print([[*caching.load_fast('sins.rules', 2).games([7])] for _ in range(3)])"
    )
    environment = {**os.environ, "RULESPEC_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", code]
    runs = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    told = {run.communicate()[0] for run in runs}

    assert [run.returncode for run in runs] == [0, 0, 0]
    assert len(told) == 1


def test_what_was_not_used_for_longest_is_thrown_away(monkeypatch):
    names = [f"{n:064x}" for n in range(5)]
    monkeypatch.setattr(shelf, "MOST_BYTES", 4500)
    for n, name in enumerate(names[:4]):
        path = shelf.store(name, bytes(1000))
        assert path is not None
        os.utime(path, (1000 + n, 1000 + n))
    notes = path.with_name("notes.txt")
    notes.write_text("not ours")
    draft = path.with_name(f".{NAME}.{'0' * 16}")
    draft.write_bytes(b"half")
    os.utime(draft, (1, 1))
    assert shelf.fetch(names[0]) is not None  # and so it is the newest
    shelf.store(names[4], bytes(1000))

    assert [path.name for path in kept_files()] == [names[0], *names[2:], "notes.txt"]


def test_a_kept_game_may_be_asked_for_its_program_after_its_file_was_changed(work, small):
    caching.load_kept("small.rules")
    kept: Game = caching.load_kept("small.rules")
    edit(small / "small.rules", "Small", "Smaller")

    assert kept.program.entry.text == SMALL
    assert work.read == 1


# ---- What goes wrong is told, once ---------------------------------------------------------------


@pytest.fixture
def said(caplog):
    """What was logged, each with its level."""
    logs.warn.cache_clear()
    logs.inform.cache_clear()
    caplog.set_level("INFO", logger="rulespec")
    return lambda: [(each.levelname, each.getMessage()) for each in caplog.records]


def test_a_folder_that_cannot_be_made_is_told_once(work, tmp_path, monkeypatch, said):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "file"))

    assert plays_without(work)
    ((level, message),) = said()
    assert level == "WARNING"
    assert message.startswith(f"nothing is kept in {tmp_path / 'file' / 'compiled'}: ")
    assert message.endswith("; set RULESPEC_CACHE to a folder of your own, or to `off`")


@posix
@pytest.mark.parametrize("change", ["folder", "key"])
def test_who_else_could_write_there_is_told(change, said):
    place = shelf.store(NAME, b"content").parent
    (place if change == "folder" else place / shelf.KEY_FILE).chmod(0o777)

    assert shelf.fetch(NAME) is None
    assert shelf.store(NAME, b"content") is None
    (warning,) = [message for level, message in said() if level == "WARNING"]
    assert ("others may write to it" in warning) == (change == "folder")
    assert ("is not a file that only you can read; remove it" in warning) == (change == "key")


@pytest.mark.usefixtures("work")
def test_what_is_made_anew_is_told_to_those_who_ask(said):
    caching.load_fast("sins.rules", 2)
    assert said() == []
    for path in kept_files():
        shelf.store(path.name, b"no pickle")
    caching.load_fast("sins.rules", 2)
    path = kept_files()[0]
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert shelf.fetch(path.name) is None
    caching.keep_value(NAME, lambda: 0)
    shelf.store(NAME, bytes(shelf.LARGEST))

    told = said()
    assert {level for level, _ in told} == {"INFO"}
    assert [
        sum(part in message for _, message in told)
        for part in (
            "cannot be read: UnpicklingError",
            "not as it was kept",
            "a function is not kept",
            "bytes, and",
        )
    ] == [2, 1, 1, 1]


def test_native_code_of_another_version_is_told(said):
    written = load("sins.rules").machine(2)
    content = caching.write_program(written).content

    assert make_host(content, b"another version")
    ((level, message),) = said()
    assert level == "INFO"
    assert message.startswith("native code that was kept is made anew: ")


@pytest.mark.parametrize("words", [[], ["-v"]])
def test_the_command_warns_and_says_the_rest_if_it_is_asked_to(words, tmp_path):
    (tmp_path / "compiled").write_text("")
    tried = ["compile", "sins.rules", "--players", "2", "--out", str(tmp_path / "sins.wasm")]
    command = [sys.executable, "-m", "rulespec", *words, *tried]
    environment = {**os.environ, "RULESPEC_CACHE": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    lines = done.stderr.splitlines()
    assert sum(" kept" in line for line in lines) == 1
    assert any(line.startswith("rulespec: ") for line in lines) == bool(words)


def test_workers_leave_it_to_whom_they_work_for():
    with working_pool(1) as pool:
        assert pool.submit(_heard, "a disk is full").result() == []
    assert _heard("a disk is full") == ["a disk is full"]


def _heard(message: str) -> list[str]:
    heard: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: heard.append(record.getMessage())
    logging.getLogger("rulespec").addHandler(handler)
    logs.warn.cache_clear()
    logs.warn(message)
    logging.getLogger("rulespec").removeHandler(handler)
    return heard
