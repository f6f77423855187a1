"""Whatever is sent, the backend answers in time, blames nobody wrongly, and has what it had before."""

import itertools
import json
import random
from collections.abc import Iterator

import pytest
from attrs import field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile import hostile_bytes
from interpreter.bots import imagination
from playground_page import Page, draft, one_and_bots, people, rules_of
from playground_rules import (
    CHAIN,
    ENDLESS_GAME,
    ENDLESS_LOOP,
    LONG_LOOP,
    LUCK,
    PAIRS,
    SCRIPT,
    SCRIPTED,
)
from rulespec.editing.positions import units
from rulespec.loading import decode
from rulespec.playground import playing, requests, studies
from rulespec.playground.backend import KINDS
from sizes import tries

PATIENCE = 100  # looks at the clock, instead of seconds
HOSTILE_SEED = 99


@frozen
class Clock:
    """A clock that goes on by a second whenever somebody looks at it: a busy machine makes no difference."""

    looks: Iterator[int] = field(factory=itertools.count)

    def monotonic(self) -> float:
        now = next(self.looks)
        assert now < 10 * PATIENCE, "somebody looks at the clock and does not stop"
        return float(now)


@pytest.fixture
def clock(monkeypatch):
    """Whoever has little time stops after so many looks at the clock."""
    for module in (playing, studies, imagination):
        monkeypatch.setattr(module, "time", Clock())
    monkeypatch.setattr(playing, "PATIENCE", PATIENCE)
    monkeypatch.setattr(studies, "SECONDS", 3)


# ---- Requests --------------------------------------------------------------------------------------

RULES = draft(LUCK)
SEATS = one_and_bots(2)
REQUESTS = [
    {"kind": "hello"},
    {"kind": "overlay", "file": "sins.rules", "title": "Mine"},
    {"kind": "check", "rules": {**RULES, "variants": ["quick"], "options": {"high": "3"}}},
    {"kind": "complete", "rules": RULES, "at": 40},
    {"kind": "name", "rules": RULES, "at": 40},
    {"kind": "places", "rules": RULES, "at": 40},
    {"kind": "rename", "rules": RULES, "at": 40, "name": "other"},
    {"kind": "mend", "rules": RULES, "at": 40, "code": "RS201"},
    {"kind": "format", "rules": RULES},
    {"kind": "export", "rules": RULES},
    {"kind": "examples", "rules": RULES},
    {"kind": "start", "rules": draft(PAIRS), "seats": SEATS, "seed": "5", "first": 0},
    {"kind": "take"},
    {"kind": "tick", "chosen": [0]},
    {"kind": "tick", "chosen": [99], "rules": {}},
    {"kind": "choose", "ticked": [0, 1], "beats": True},
    {"kind": "bot", "beats": True},
    {"kind": "cards"},
    {"kind": "reference"},
    {"kind": "reference", "rules": RULES},
    {"kind": "resume"},
    {"kind": "leave"},
    {"kind": "start", "rules": RULES, "seats": people(2), "seed": "5", "first": 0},
    {"kind": "take"},
    {"kind": "hint", "bot": "search:2"},
    {"kind": "why", "subject": {"of": "item", "number": 0}, "chosen": [0]},
    {"kind": "why", "subject": {"of": "cards", "zone": 1, "faces": [0]}},
    {"kind": "why", "subject": {"of": "sentence", "number": 0}},
    {"kind": "choose", "item": 0},
    {"kind": "undo"},
    {"kind": "simulate", "rules": RULES, "games": 3, "players": [2], "seats": ["random"]},
    {"kind": "compare", "rules": RULES, "against": "sins.rules", "games": 2, "seed": 4},
    {"kind": "more", "study": 1},
]
STRANGE = [
    None,
    True,
    -1,
    0,
    7,
    1e300,
    2**70,
    "",
    "x",
    "\ud800",
    "../../etc/passwd",
    "constructor",
    [],
    [[]],
    [None],
    [-1],
    ["x"],
    {},
    {"of": "zone"},
    {"kind": "human"},
]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "3",
        '"hello"',
        "{",
        "{}",
        '{"kind": 1}',
        '{"kind": "hullo"}',
        '{"kind": "__init__"}',
        '{"kind": "check"}',
        '{"kind": "check", "rules": {"file": "a", "text": 1}}',
        "[" * 100_000,
        '{"kind":' * 100_000,
        f'{{"kind": "start", "seed": {"9" * 5000}}}',
        "x" * (requests.LONGEST + 1),
    ],
    ids=lambda text: text[:30],
)
def test_what_is_no_request_is_refused_in_a_sentence(text):
    reply = Page().send(text)

    assert reply["fault"] == "request"
    assert reply["error"]


@pytest.mark.usefixtures("drawn_seeds")
def test_every_field_may_be_anything():
    chance = random.Random(HOSTILE_SEED)  # noqa: S311 - no secret depends on it
    page = Page()
    for _ in range(tries(1, soak=3)):
        for request in REQUESTS:
            for part in request:
                page.send(json.dumps({**request, part: chance.choice(STRANGE)}))
                page.send(json.dumps({name: request[name] for name in request if name != part}))
                if isinstance(request[part], dict):
                    for inner in request[part]:
                        odd = {**request[part], inner: chance.choice(STRANGE)}
                        page.send(json.dumps({**request, part: odd}))
            page.send(json.dumps(request))


def test_requests_may_come_in_any_order():
    chance = random.Random(HOSTILE_SEED + 1)  # noqa: S311 - as above
    page = Page()
    answered = set()
    for _ in range(400):
        request = chance.choice(REQUESTS)
        if page.send(json.dumps(request))["ok"]:
            answered.add(request["kind"])

    assert answered >= KINDS.keys() - {"games", "bot", "undo", "more"}


def test_a_study_is_gone_on_with_by_its_number_only():
    page = Page()

    assert page.refuse("more", study=1)["fault"] == "request"
    study = page.get("simulate", rules=RULES, games=3)["study"]
    assert page.get("more", study=study)["finished"]
    assert page.refuse("more", study=study + 1)["fault"] == "request"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"games": 0}, "from 1 to"),
        ({"games": 10**9}, "from 1 to"),
        ({"games": 3, "players": [9]}, "is for 2 or 3 players, not for 9"),
        ({"games": 3, "seats": ["random"] * 5}, "not for 5"),
        ({"games": 3, "seats": ["nobody"]}, "`nobody` is not a bot"),
        ({"games": 3, "seats": ["search:3s"]}, "thinks by the clock"),
        ({"games": 3, "seats": ["search:999999"]}, "thinks too long here"),
    ],
)
def test_a_study_that_cannot_be_played_is_refused(fields, said):
    assert said in Page().refuse("simulate", rules=RULES, **fields)["error"]


# ---- Texts -----------------------------------------------------------------------------------------

LINES = {
    "huge": "x" * 3_000_000,
    "one long line": f"{LUCK}-- {'y' * 290_000}",
    "many lines": "let a = 1\n" * 5_000,
    "deep": f"let n = {'(' * 50_000}",
    "deeper": f"let n = {'not ' * 50_000}1",
    "half of a letter": LUCK.replace("Luck", "L\ud800ck"),
    "marks without end": f"{LUCK}-- a{chr(0x301) * 50_000}\n",
    "nul": f"{LUCK}-- \0",
    "other lines": f"\ufeff{LUCK}".replace("\n", "\r\n"),
    "crowd": LUCK.replace("2..3", "2..1000"),
    "heap": LUCK.replace("| 6", "| 999999999"),
    "in a circle": 'extends "draft.rules"\n',
    "from elsewhere": 'extends "/etc/passwd"\n',
    "from nowhere": 'extends "https://example.org/sins.rules"\n',
}


@pytest.mark.parametrize("text", LINES.values(), ids=LINES)
def test_every_text_is_answered_in_time(text):
    page = Page()
    rules = draft(text)
    for kind in ("check", "format", "examples"):
        page.ask(kind, rules=rules)
    for at in (0, len(text) // 2, len(text), 2 * len(text)):
        page.ask("complete", rules=rules, at=at)
    page.ask("start", rules=rules, seats=SEATS)
    page.ask("simulate", rules=rules, games=3, players=[2])
    kept = page.ask("export", rules=rules)["text"]

    # Nothing is lost of what somebody has written.
    assert len(kept) >= len(text.replace("\r\n", "\n").removeprefix("\ufeff"))


@given(st.integers(0, 100_000), st.integers(0, 2_000))
@settings(max_examples=tries(20, soak=40))
def test_no_hostile_text_makes_a_bug(number, at):
    page, text = Page(), decode("hostile.rules", hostile_bytes(number)).text
    found = page.get("check", rules=draft(text))
    page.get("complete", rules=draft(text), at=at)
    page.ask("format", rules=draft(text))
    for diagnostic in found["diagnostics"]:
        span = diagnostic["span"]
        assert 0 <= span["start"] <= span["end"] <= units(text)


# ---- Rules without an end --------------------------------------------------------------------------


@pytest.mark.parametrize("text", [ENDLESS_LOOP, LONG_LOOP])
def test_a_rule_without_an_end_is_told_by_its_place_and_the_game_is_given_up(text):
    page = Page()
    page.start(draft(text), one_and_bots(3)[1:], seed="2")
    broken = page.ask("bot")

    assert broken["fault"] == "rules"
    assert "100,000 steps" in broken["error"]
    assert broken["diagnostics"][0]["span"]["own"]
    for kind in ("bot", "undo", "take"):
        assert "begin another one" in page.refuse(kind)["error"]
    assert page.start(RULES, SEATS)["title"] == "Luck"


def test_rules_that_use_each_other_without_measure_are_no_bug_of_ours():
    page = Page()
    page.get("check", rules=draft(CHAIN))
    reply = page.ask("start", rules=draft(CHAIN), seats=SEATS)

    assert reply["fault"] == "rules"
    assert "levels deep" in reply["error"]


def test_a_game_without_an_end_in_which_nothing_is_seen_is_given_up(monkeypatch):
    monkeypatch.setattr("interpreter.playthroughs.MOST_CHOICES", 300)
    page = Page()
    frame = page.start(draft(ENDLESS_GAME), one_and_bots(3)[1:], seed="2")
    assert frame["waiting"]
    for _ in range(400):
        reply = page.ask("bot")
        if not reply["ok"]:
            break

    assert "the game is too long" in reply["error"]


@pytest.mark.usefixtures("clock")
def test_where_nothing_is_seen_for_long_the_page_hears_that_bots_still_think():
    page = Page()
    frame = page.start(draft(ENDLESS_GAME), one_and_bots(3, "search:9999999s")[1:], seed="2")
    again = page.frame("bot")

    assert again["waiting"] == frame["waiting"]


@pytest.mark.usefixtures("clock")
def test_a_hint_that_would_take_for_ever_is_given_in_time():
    page = Page()
    page.start(rules_of("sins.rules"), one_and_bots(2), seed="3", first=0)

    assert page.ask("hint", bot="search:9999999")["opinions"]
    assert page.ask("hint", bot="greedy:9999999")["opinions"]
    assert page.ask("hint", bot="search:9999999s")["opinions"]


@pytest.mark.parametrize("text", [ENDLESS_LOOP, LONG_LOOP, ENDLESS_GAME])
@pytest.mark.parametrize("bot", ["random", "greedy", "search"])
def test_studies_of_such_rules_end_with_their_fault(text, bot):
    page = Page()
    for kind, more in (("simulate", {}), ("compare", {"against": "sins.rules"})):
        reply = page.ask(kind, rules=draft(text), games=20, seats=[bot], players=[2], **more)
        while reply["ok"] and not reply["finished"]:
            reply = page.ask("more", study=reply["study"])

        assert reply["fault"] == "rules"
        assert reply["diagnostics"]


@pytest.mark.usefixtures("clock")
def test_a_slice_of_a_study_is_short_and_the_desk_answers_between_two():
    page = Page()
    study = page.get("simulate", rules=rules_of("deadlies.rules"), games=100_000)

    assert not study["finished"]
    assert page.get("check", rules=RULES)["correct"]
    assert page.get("more", study=study["study"])["done"] >= study["done"]


# ---- Names that are programs -----------------------------------------------------------------------


def test_what_looks_like_a_program_is_text_everywhere_and_never_markup():
    page = Page()
    page.get("check", rules=draft(SCRIPTED, f"{SCRIPT}.rules"))
    seats = [{"name": "<b>Ada</b>", "kind": "human"}, {"name": "<i>Ben</i>", "kind": "random"}]
    frame = page.start(draft(SCRIPTED), seats, first=0)
    study = page.get("simulate", rules=draft(SCRIPTED), games=20, players=[2])

    assert frame["title"] == SCRIPT
    assert frame["players"][0]["name"] == "<b>Ada</b>"
    for figure in study["report"]["figures"]:
        assert "<script" not in figure["svg"]
        assert "<img" not in figure["svg"]
    assert any("&lt;script" in figure["svg"] for figure in study["report"]["figures"])
    assert page.get("export", rules=draft(SCRIPTED, f"{SCRIPT}.rules"))["command"].isascii()
    assert "<" not in page.get("export", rules=draft(SCRIPTED, f"{SCRIPT}.rules"))["file"]
