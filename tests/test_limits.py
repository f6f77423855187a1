"""Limits: whatever a stranger's file asks for ends with a diagnostic, and with the same one by every engine."""

import re
import resource
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from games import from_text
from interpreter import families, family_blocks, machine, trials
from interpreter.bots import make_bot
from interpreter.errors import RuleFault
from interpreter.lab.bot_games import RANDOM
from interpreter.lab.seeded_games import lay_table
from interpreter.match import Game
from interpreter.options import Decision
from interpreter.playthroughs import play_by_reference
from interpreter.views import information
from lockstep import assert_in_step, assert_whole_games, make_fast, needless_traps_of, traps_of
from rulespec import limits
from rulespec.codes import BY_NUMBER
from rulespec.source import Source
from sizes import few

DOCS = Path(__file__).parent.parent / "docs"

HEAD = """\
game "Hostile"
players 2
state | type | start
  t   | Int  | 0
  u   | Int  | 0
"""
TAIL = """
ranking of p
  most | t
"""
CARDS = """\
pieces              | copies
  Card(value: 1..{}) | 1
zones | order | seen by
  a   | pool  | everyone
  b   | pile  | nobody
"""


def doubled(kind: str, times: int) -> str:
    lines = ["let a0 = t" if kind == "let" else "rule a0\n  u = 1"]
    for n in range(1, times):
        one = f"let a{n} = a{n - 1} + a{n - 1}"
        lines.append(one if kind == "let" else f"rule a{n}\n  a{n - 1}()\n  a{n - 1}()")
    return "\n".join(lines) + "\n"


def storm(triggers: int) -> str:
    """Triggers of which each sets off the next one twice."""
    text = "state | type | start\n" + "".join(f"  v{n} | 0..1 | 0\n" for n in range(triggers))
    for n in range(triggers):
        again = f"  v{n + 1} = 1\n  v{n + 1} = 0\n" * 2 if n < triggers - 1 else "  t = 1\n"
        text += f"let w{n} = v{n} == 1\nwhen w{n}\n{again}"
    return text + "rule play\n  v0 = 1\n  end\n"


SUMS = "sum(sum(sum(1 for z in 1..900) for y in 1..900) for x in 1..900)"
FOREVER = "  repeat\n    t = 1 - t\n    if t > 1: stop\n"

# What never asks again, and where that is told: the line of the fault.
ENDLESS = {
    "a loop": "rule play\n" + FOREVER + "  end\n",
    "a loop behind a rule": f"rule spin\n{FOREVER}rule play\n  spin()\n  end\n",
    "a loop after a question": (
        CARDS.format(9)
        + "rule play\n  move top(box, 3) to a\n  first chooses c from a\n  move c to b\n"
        + FOREVER
        + "  end\n"
    ),
    "a loop with one option": (
        CARDS.format(9)
        + "rule play\n  move top(box) to a\n  repeat\n    first chooses c from a\n    if t > 1: end\n"
    ),
    "loops in loops": (
        "rule play\n"
        + "".join("  " * (n + 1) + f"for x{n} in 1..50\n" for n in range(6))
        + "  " * 7
        + "t = x0\n  end\n"
    ),
    "many times": "rule play\n  repeat 200000000: t = 1\n  end\n",
    "many times what is drawn": (
        CARDS.format(9)
        + "rule play\n  move box to b\n  repeat 200000 + t: move top(b) to a\n  end\n"
    ),
    "rules that call others twice": doubled("rule", 40) + "rule play\n  a39()\n  end\n",
    "lets that use others twice": doubled("let", 40) + "rule play\n  t = a39\n  end\n",
    "sums of sums": f"rule play\n  t = {SUMS}\n  end\n",
    "sums in a loop": (
        "rule play\n  repeat 5000\n    t = sum(sum(1 for y in 1..60) for x in 1..60)\n  end\n"
    ),
    "large sets": (
        CARDS.format(100) + "rule play\n  repeat 90000: t = #(box + a + b + box)\n  end\n"
    ),
    "triggers": storm(20),
    "setup": "rule setup\n" + FOREVER + "rule play\n  end\n",
    "finish": "rule play\n  end\nrule finish\n" + FOREVER,
}


def told(do) -> tuple | None:
    try:
        do()
    except RuleFault as fault:
        return type(fault).__name__, fault.code.number, fault.message, fault.span
    return None


def by_reference(game: Game) -> tuple | None:
    def play() -> None:
        engine = game.machine(2)
        s = machine.start(engine, 1)
        while isinstance(s.pending, Decision):
            machine.apply(engine, s, 0)

    return told(play)


@cache
def wanted_of(name: str) -> tuple | None:
    return by_reference(from_text(HEAD + ENDLESS[name] + TAIL))


def by_steps(game: Game) -> tuple | None:
    def play() -> None:
        fast = make_fast(game, 2)
        s = fast.start(1)
        while fast.count(s):
            fast.apply(s, 0)

    return told(play)


@pytest.mark.parametrize("name", few(ENDLESS, 6))
def test_every_engine_tells_the_same_of_what_never_asks(name: str) -> None:
    game = from_text(HEAD + ENDLESS[name] + TAIL)
    wanted = wanted_of(name)

    assert wanted is not None
    assert wanted[:2] == ("LimitReached", "RS902")
    assert by_steps(game) == wanted
    assert [*make_fast(game, 2).games([1])] == [None]
    assert told(lambda: [*lay_table(game, 2, (RANDOM,) * 2).play([1])]) == wanted


# Many turns, and yet a question in time: no engine may refuse it.
PATIENT = (
    "rule play\n  move top(box, 3) to a\n  repeat 3\n    first chooses c from a\n"
    "    repeat 90000 / 3: t = 1 - t\n    for x in 1..2000: u = x\n  end\n"
)


def test_what_is_just_allowed_is_played_by_every_engine() -> None:
    game = from_text(HEAD + CARDS.format(9) + PATIENT + TAIL)
    fast = make_fast(game, 2)

    assert assert_in_step(game, 2, 1, lambda asked: len(asked.options) - 1, fast=fast) == 3
    assert needless_traps_of(
        fast
    )  # what it needs is not counted step by step, so the reference has played some of it
    assert [*lay_table(game, 2, (RANDOM,) * 2).play([1])]


# Loops, and how many turns are too many. The module counts less exactly, but never too little.
TURNS = {
    "repeat n: t = 1 - t": 33333,
    "repeat n: nothing": 49999,
    "repeat n\n    for c in a: u = 1": 5000,
    "repeat n\n    for c in a where it.value > 8: u = 1": 20000,
    "repeat n\n    repeat 2: u = 1": 9091,
    "repeat n\n    repeat 0: u = 1": 20000,
    "repeat n: less()": 25000,
    "repeat n: act(5)": 20000,
    "repeat n\n    move a to b\n    move top(b, 3) to a": 12500,
    "repeat n: u = sum(c.value for c in a)": 33333,
    "repeat n: u = #(subsets(a, 2) where top(it).value > 1)": 33333,
    "repeat n: random u from 1..9": 33333,
    "repeat n: first chooses z from [1]": 33333,
    "repeat n / 500: u = #(1..999 where it > t)": 99998,
}
LOOPS = """\
rule setup
  move top(box, 5) to a
  move box to b
rule play
  first chooses n from 0..99998
  {}
  first chooses k from 0..1
rule less
  nothing
table act(x: Int)
  x   => does
  ..3 => nothing
  4+  => u = 3
"""


@pytest.mark.parametrize(("loop", "turns"), few([*TURNS.items()], 4))
def test_loops_are_paid_for(loop: str, turns: int) -> None:
    game = from_text(HEAD + CARDS.format(9) + LOOPS.format(loop) + TAIL)
    fast = make_fast(game, 2)
    state = machine.start(game.machine(2), 1)
    other = fast.from_reference(state)
    wanted = told(lambda: machine.apply(game.machine(2), state, turns))

    assert told(lambda: fast.apply(other, turns)) == wanted
    assert wanted is None or wanted[1] == "RS902"


def test_a_game_without_an_end_is_cut_off_by_every_engine() -> None:
    rules = "rule play\n  move top(box, 2) to a\n  repeat\n    first chooses c from a\n    if t > 1: end\n"
    game = from_text(HEAD + CARDS.format(9) + rules + TAIL)
    (end,) = make_fast(game, 2).games([1], None, 300)
    (ending,) = lay_table(game, 2, (RANDOM,) * 2, 300).play([1])
    _, count = play_by_reference(game.machine(2), 1, 0, 300)

    assert (end.decisions, end.is_over) == (300, False)
    assert ending.is_cut
    assert count == 300


# ---- What a fast engine leaves to the reference --------------------------------------------------

MANY = CARDS.format(70) + (
    "rule setup\n  move box to a\n"
    "rule play\n  first chooses few from subsets(a, 2)\n  move few to b\n"
    "  first chooses c from a\n  t = c.value\n  move c to b\n  end\n"
)


def test_many_pieces_are_numbered() -> None:
    game = from_text(HEAD + MANY + TAIL)
    fast = make_fast(game, 2)
    state = machine.start(game.machine(2), 1, watched=True)
    imagined = fast.future(fast.from_reference(state), 5)

    assert fast.count(imagined) == 70 * 69 // 2
    fast.apply(imagined, 17)
    fast.playout(imagined, 3, 10)
    assert fast.count(imagined) == 0
    assert fast.result(imagined).winners
    assert not traps_of(fast)


def test_a_bot_plays_with_many_pieces() -> None:
    game = from_text(HEAD + MANY + TAIL)
    match = game.start(2, 1)
    bot = make_bot("search:30", game, 2, 1)
    while match.decision is not None:
        seat = match.decision.player
        match.apply(bot.advise(information(match.engine, match.state, seat)).choice)

    assert match.result().winners


TRAP = (
    "state | type | start\n  k | 0..2 | 2\n"
    + CARDS.format(3)
    + "rule setup\n  move box to a\nrule play\n  first chooses c from a\n  repeat c.value: k -= 1\n  end\n"
)


@pytest.mark.parametrize("word", ["greedy:3", "search:30"])
def test_a_fault_that_is_only_imagined_ends_no_game(word: str) -> None:
    game = from_text(HEAD + TRAP + TAIL)
    match = game.start(2, 1)
    advice = make_bot(word, game, 2, 1).advise(
        information(match.engine, match.state, match.decision.player)
    )
    match.apply(advice.choice)

    assert advice.choice < 2
    assert match.result().winners


NONES = """\
game "None"
players 3
pieces              | copies
  Card(value: 1..9) | 2
zones         | order | seen by
  row[Player] | pile  | everyone
state | type  | start
  n   | 0..9  | 0
  m   | 1..9? | none
let lowest(q: Player) = top(row[q]).value
table worth(v: 1..9?)
  v    => x
  none => 0
  1..3 => 1
  4..9 => 2
rule setup
  for q in others(first): move top(box, 3) to row[q]
rule play
  for q in Player: n = worth(top(row[q]).value)
  m = top(row[first]).value
  p = least(top(row[q]).value for q in Player)
  move row[p] to box
  p = best(lowest(q) for q in Player)
  move row[p] to box
  p = least(worth(lowest(q)) for q in Player)
  move row[p] to box
  end
ranking of p
  most | n
"""


def test_values_that_may_be_none_are_passed_over_by_every_engine() -> None:
    game = from_text(NONES)
    fast = make_fast(game, 3)
    for seed in range(5):
        assert_in_step(game, 3, seed, lambda _asked: 0, fast=fast)
    assert assert_whole_games(game, 3, range(5), fast=fast) == 5


# ---- Families ------------------------------------------------------------------------------------


@pytest.mark.parametrize("alike", [1, 2])
def test_members_are_walked_through_without_numbering_each(alike: int, monkeypatch) -> None:
    family = families.Subsets(tuple(range(13)), 3, 3)
    twins = {n: n // alike for n in range(13)}
    wanted = [families.member(family, n, twins) for n in range(families.count(family, twins))]
    counted = []
    select = family_blocks._selections  # noqa: SLF001
    monkeypatch.setattr(
        family_blocks, "_selections", lambda *given: (counted.append(1), select(*given))[1]
    )

    assert [*families.members(family, twins)] == wanted
    assert not counted


# ---- Checking ------------------------------------------------------------------------------------

SECONDS, BYTES = 60, 1_500_000_000  # ten times what is needed


def run(command: str, text: str, path: Path) -> tuple[int, str]:
    """Run a command on a file, with little time and memory."""
    path.write_text(text, "utf-8")

    def confine() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))

    done = subprocess.run(
        [sys.executable, "-m", "rulespec", command, str(path)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=confine,
    )
    return done.returncode, done.stdout + done.stderr


def many(line: str, characters: int = 290_000) -> str:
    """As many lines as a file can have; `{n}` is the number of each, `{m}` of the one before."""
    lines: list[str] = []
    while characters > 0:
        lines.append(line.format(n=len(lines) + 1, m=len(lines)))
        characters -= len(lines[-1])
    return "".join(lines)


def readers(count: int) -> str:
    """As many variables, a `let` that reads all of them, and as many that read that one."""
    names = [f"v{n}" for n in range(count)]
    text = "state | type | start\n" + "".join(f"  {name} | Int | 0\n" for name in names)
    while len(names) > 1:
        groups = [names[n : n + 20] for n in range(0, len(names), 20)]
        level = f"g{len(groups)}"
        text += "".join(f"let {level}_{n} = {' + '.join(g)}\n" for n, g in enumerate(groups))
        names = [f"{level}_{n}" for n in range(len(groups))]
    text += "".join(f"let a{n} = {names[0]} + {n}\n" for n in range(count))
    return text + "rule more\n" + "".join(f"  t = a{n}\n" for n in range(count))


LARGE = {
    "lets that use each other": ("let a0 = t\n" + many("let a{n} = a{m}\n"), "RS507"),
    "rules that call each other": ("rule a0\n  t = 1\n" + many("rule a{n}\n  a{m}()\n"), "RS507"),
    "loops": ("rule more\n" + many("  repeat: stop\n"), ""),
    "variants": (many("variant v{n}\n  let w{n} = {n}\n"), "RS297"),
    "variables that all are read": (readers(3000), ""),
    "enums": ("enum E0 = m\n" + many("enum E{n} = E{m}, m{n}\n"), "RS292"),
    "lists of lists": (
        "rule more\n  first chooses x from " + "[x + 1 for x in " * 45 + "[1, 2]" + "]" * 45 + "\n",
        "",
    ),
    "deep sums": ("let a = " + "sum(" * 150 + "t" + " for x in 1..9)" * 150 + "\n", "RS112"),
}


@pytest.mark.parametrize("name", few(LARGE, 4))
def test_no_file_is_too_large_to_be_checked(name: str, tmp_path) -> None:
    text, code = LARGE[name]
    status, said = run(
        "check", HEAD + text + "rule play\n  t = 1\n  end\n" + TAIL, tmp_path / "x.rules"
    )

    assert status == (1 if code else 0)
    assert f"error[{code}]" in said or not code
    assert len(said) < 50_000


HEAVY = {
    "an invariant": (f"always fine: {SUMS} > 0\nrule play\n  end\n", TAIL),
    "a ranking": ("rule play\n  end\n", f"ranking of p\n  most | {SUMS}\n"),
    "an example": (f"let f = {SUMS}\nrule play\n  end\n", TAIL + 'example "e"\n  expect f == 1\n'),
    "copies": (f"pieces | copies\n  Card(value: 1..9) | {SUMS}\nrule play\n  end\n", TAIL),
    "the start of a variable": (
        f"state | type | start\n  v | Int | {SUMS}\nrule play\n  t = v\n  end\n",
        TAIL,
    ),
    "subsets": (
        CARDS.format(70)
        + "rule play\n  move box to a\n  first chooses c from subsets(a)\n  move c to b\n  end\n",
        TAIL,
    ),
}
LONG = (
    HEAD + CARDS.format(2) + "rule play\n  move box to a\n  repeat\n    first chooses c from a\n"
    "    u = sum(sum(1 for y in 1..700) for x in 1..700)\n    t += 1\n    if t > {}: end\n" + TAIL
)


@pytest.mark.parametrize("name", few(HEAVY, 4))
def test_whatever_is_heavy_is_told_when_it_is_tried(name: str, tmp_path) -> None:
    rules, tail = HEAVY[name]
    status, said = run("test", HEAD + rules + tail, tmp_path / "x.rules")

    assert status == 1
    assert "error[RS902]" in said
    assert len(said) < 10_000


def test_long_games_use_up_the_trials_and_are_no_error(tmp_path) -> None:
    """No step does too much, and the game ends: that nobody waits for it is no mistake of its author."""
    status, said = run("test", LONG.format(9000), tmp_path / "x.rules")

    assert status == 0
    assert "4 games (4 cut off, as they were too long) with 2 players" in said
    assert "16 more games were left out, which is no error; `--games 4` plays fewer" in said
    assert "no errors" in said


def test_what_the_trials_leave_out_is_counted(monkeypatch) -> None:
    monkeypatch.setattr(trials, "MOST_TRIED", 4_000_000)
    source = Source("long.rules", LONG.format(1).replace("players 2\n", "players 2..3\n"))

    trial = trials.try_file(Path("long.rules"), source, trials.Wish(games=6, secrets=0))
    fewer = trials.try_file(Path("long.rules"), source, trials.Wish(games=1, secrets=0))

    assert (trial.findings, trial.bugs) == ([], [])
    assert [each.games for each in trial.series] == [3]
    assert trial.left_out == 3 + 6
    assert "stopped after 3 games" in str(trials.left_out_note(trial))
    assert "`--games 1` plays fewer of each kind" in str(trials.left_out_note(trial))
    assert [each.games for each in fewer.series] == [1, 1]
    assert trials.left_out_note(fewer) is None


def test_a_mistake_in_the_game_that_uses_up_the_trials_is_told(monkeypatch) -> None:
    monkeypatch.setattr(trials, "MOST_TRIED", 1_000)
    source = Source(
        "wrong.rules", LONG.format(1).replace("rule play", "always small: t < 1\nrule play")
    )

    trial = trials.try_file(Path("wrong.rules"), source, trials.Wish(secrets=0))

    assert [each.diagnostic.severity for each in trial.findings] == ["error"]


def test_what_is_as_deep_as_it_may_be_is_played(tmp_path) -> None:
    lets = "let a0 = t\n" + "".join(f"let a{n} = a{n - 1}\n" for n in range(1, limits.DEEPEST - 3))
    deep = f"a{limits.DEEPEST - 4}"
    rules = f"{lets}rule play\n  t = {deep}\n  end\n"
    ranking = f"ranking of p\n  most | {'-(' * 45}{deep}{')' * 45}\n"
    status, said = run("test", HEAD + rules + ranking, tmp_path / "x.rules")

    assert (status, said.count("error")) == (0, 1)  # `no errors`


# ---- The page ------------------------------------------------------------------------------------


def test_the_page_of_limits_has_those_of_the_code() -> None:
    page = (DOCS / "language" / "limits.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)`: .*? \| (-?[\d,]+) \|(?: ([\w, ]+) \|)?$", page, re.MULTILINE)
    known = {name: value for name, value in vars(limits).items() if name.isupper()}

    assert {name: int(value.replace(",", "")) for name, value, _ in rows} == known
    assert {code for _, _, codes in rows if codes for code in codes.split(", ")} <= BY_NUMBER.keys()
