"""Requests and replies are as `rulespec.playground.protocol` has them, and as the page reads them: every field."""

import json
import random
from importlib import import_module

import messages
import pytest
from messages import replies, requests

from playground_page import Page, draft, one_and_bots, people, rules_of, subjects
from playground_rules import DOUBLE, FISTS, LUCK, MISSPELT, NESTED, TOO_MUCH, UNUSED
from protocol_types import Checker
from rulespec.playground import studies
from rulespec.playground.backend import KINDS, Backend
from rulespec.playground.protocol.basics import Progress, Refusal, Span
from rulespec.playground.protocol.explanations import Points, Subject
from rulespec.playground.protocol.moves import FrameReply
from rulespec.playground.protocol.screen import Seat, Ticks
from rulespec.playground.warming import warm_up

STEEP = """table steep(score: 0..9)
  score => worth
  0..3  => 0
  4..9  => 7
"""
PARTIES = (
    (rules_of("sins.rules"), one_and_bots(3)),
    (rules_of("seven7s.rules"), people(2)),
    (rules_of("siegel.rules", rounds="2"), one_and_bots(3)),
    (rules_of("deadlies.rules"), one_and_bots(3)),
    (rules_of("sins.rules"), one_and_bots(3)[1:]),
    (draft(FISTS), one_and_bots(2)),
    (draft(NESTED), people(2)),
)


def tour(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that can be asked for, so that every part of every reply is met."""
    chance = random.Random(1)  # noqa: S311 - a game needs no secrecy
    page.get("hello")
    page.get("games")
    page.get("overlay", file="sins.rules", title="My Sins")
    write(page, chance)
    page.refuse("choose", item=0)
    page.get("reference", rules=rules_of("sins.rules"))
    page.get("reference", rules=rules_of("siegel.rules"))
    page.get("reference", rules=draft(LUCK))
    steep = LUCK.replace("most | score[p]", "most | steep(score[p])") + STEEP
    page.get("reference", rules=draft(steep))
    page.get("resume")
    page.backend.recall("no game")
    page.get("resume")
    page.refuse("cards")
    page.start(draft(LUCK), one_and_bots(2), first=0)
    page.get("hint", bot="search:3")
    page.refuse("start", rules=draft(DOUBLE), seats=people(2))
    play(page, draft(LUCK), one_and_bots(2), chance)
    for rules, seats in PARTIES:
        play(page, rules, seats, chance)
    count(page, monkeypatch)


def write(page: Page, chance: random.Random) -> None:
    """Texts that are right, wrong, and not even begun."""
    texts = (DOUBLE, UNUSED, MISSPELT, "", LUCK + TOO_MUCH)
    for rules in (*map(draft, texts), *map(rules_of, ("sins.rules", "deadlies.rules"))):
        page.get("check", rules=rules)
        page.get("export", rules=rules)
        text = rules["text"]
        for at in chance.sample(range(len(text) + 1), min(len(text), 40)):
            page.get("complete", rules=rules, at=at)
            page.get("name", rules=rules, at=at)
    places = page.get("places", rules=draft(LUCK), at=LUCK.index("deck"))
    page.get("places", rules=draft(LUCK), at=0)
    for name in ("stock", "if"):
        page.get("rename", rules=draft(LUCK), at=places["uses"][0]["start"], name=name)
    for found in page.get("check", rules=draft(MISSPELT))["diagnostics"]:
        for code in (found["code"], "RS999"):
            page.get("mend", rules=draft(MISSPELT), at=found["span"]["start"], code=code)
    for begun in ('extends "si', 'extends "sins.rules" with pe'):
        page.get("complete", rules=draft(begun), at=len(begun))
    page.get("format", rules=draft(LUCK))
    page.get("format", rules=draft(LUCK.replace("+", "  +")))
    page.refuse("format", rules=draft(DOUBLE + MISSPELT))
    page.get("examples", rules=draft(LUCK + TOO_MUCH))
    page.get("examples", rules=rules_of("sins.rules", "penitenziagite"))
    page.refuse("examples", rules=draft(DOUBLE))


def play(page: Page, rules: dict, seats: list, chance: random.Random) -> None:
    """A whole game, with questions in between."""
    frame = page.start(rules, seats, seed="7", first=0)
    for _ in range(3_000):
        every = subjects(frame)
        for subject in chance.sample(every, min(len(every), 2)):
            page.ask("why", subject=subject)
        if frame["question"] is not None:
            page.ask("why", subject={"of": "question"}, chosen=[0])
            page.ask("choose", item=10**6)
            # Few questions are ticked, so a hint is asked for at each of them.
            if frame["question"]["ticking"] or chance.random() < 0.2:
                page.get("hint", bot="random")
        if frame["may_undo"] and chance.random() < 0.1:
            frame = page.frame("undo")
        elif frame["over"]:
            break
        else:
            frame = page.click(frame, chance)

    assert frame["over"]
    for subject in subjects(frame):
        page.ask("why", subject=subject)
    page.get("reference")
    page.get("cards")
    page.backend.recall(page.backend.keep())
    assert {**page.get("resume")["frame"], "fresh": frame["fresh"]} == frame
    page.get("leave")
    assert page.backend.keep() is None


def count(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies: the shortest slices have a game to tell of, and all are played to their end."""
    luck = draft(LUCK)
    more = {"players": [2], "seats": ["random", "random"], "seed": 3, "without": 2}
    monkeypatch.setattr(studies, "SECONDS", 0.0)
    found = [
        page.get("simulate", rules=luck, games=30, sample=9, **more),
        page.get("compare", rules=luck, against="sins.rules", games=9, **more),
        page.get("compare", rules=rules_of("steep_sins.rules"), against="sins.rules", games=90),
    ]
    found += [page.get("more", study=each["study"]) for each in found]
    monkeypatch.setattr(studies, "SECONDS", 60.0)
    found += [page.get("more", study=each["study"]) for each in found[:3]]

    assert [each["finished"] for each in found[:2]] == [False, False]
    assert all(each["done"] for each in found)
    assert all(each["report"]["verdicts"] for each in found)
    assert [each["finished"] for each in found[-3:]] == [True] * 3


# A bug of ours is no part of a tour.
RARE = {("Refusal.fault", "'bug'")}


def test_every_part_of_every_request_and_reply_is_met_and_as_it_should_be(monkeypatch):
    monkeypatch.setattr(studies, "SECONDS", 1.0)
    page = Page()
    tour(page, monkeypatch)
    parts = [*requests().values(), *replies().values(), Refusal, Progress]

    assert set().union(*map(page.checker.never_met, parts)) == RARE


def test_each_option_of_a_question_with_two_kinds_is_explained():
    page = Page()
    frame = page.start(rules_of("siegel.rules"), one_and_bots(3), seed="7", first=2)
    options = [each for each in subjects(frame) if each["of"] == "item"]

    assert len(options) == 7  # five colours, and two words
    for subject in options:
        assert page.get("why", subject=subject)


def test_the_desk_has_a_function_for_each_kind_and_no_other():
    declared = {name for each in messages.modules() for name in vars(each)}

    assert {each.__name__ for each in requests().values()} == {
        name for name in declared if name.endswith("Request")
    }
    for module in sorted(set(KINDS.values())):
        functions = vars(import_module(f"rulespec.playground.{module}"))
        for kind in KINDS:
            assert (f"answer_{kind}" in functions) == (KINDS[kind] == module)


def test_a_desk_that_was_warmed_up_has_nothing_on_it():
    backend = warm_up()

    assert backend == Backend()
    assert backend.keep() is None


def test_a_bug_of_ours_is_told_by_its_place_and_nothing_else(monkeypatch):
    def stumble(*_):
        raise KeyError("the ace of spades")

    monkeypatch.setattr("rulespec.playground.menus.answer_hello", stumble)
    reply = json.loads(Backend().answer('{"kind": "hello"}'))

    assert not Checker().wrong(reply, Refusal)
    assert reply["fault"] == "bug"
    assert "KeyError in test_playground_protocol.py" in reply["error"]
    assert "spades" not in reply["error"]


# ---- The types of the protocol ---------------------------------------------------------------------


def test_what_differs_from_the_protocol_is_noticed():
    checker = Checker()
    seat = {"name": "Ada", "kind": "human"}
    span = {"file": "a.rules", "own": True, "start": 1, "end": 2, "line": 1, "column": 2}

    assert checker.wrong(seat, Seat) == []
    assert checker.wrong({"name": "Ada"}, Seat) == ["Seat.kind is missing"]
    assert checker.wrong({**seat, "age": 9}, Seat) == ["Seat.age is not in the protocol"]
    assert checker.wrong({**seat, "name": 1}, Seat) == ["Seat.name is 1, and no str"]
    assert checker.wrong({**span, "own": 1}, Span) == ["Span.own is 1, and no bool"]
    assert checker.wrong({**span, "line": True}, Span) == ["Span.line is True, and no int"]
    assert checker.wrong({"text": "x", "share": "all"}, Progress)
    assert checker.wrong({"more": 1, "complete": True, "need": ""}, Ticks)
    assert checker.wrong({"of": "sun", "number": 1}, Subject)
    assert checker.wrong({"kind": "hullo"}, requests()["hello"])
    assert "Points.columns is ['a'], and no tuple[str, str]" in checker.wrong(
        {"columns": ["a"]}, Points
    )
    assert checker.never_met(Seat) == set()
    assert ("Frame", "groups") in checker.never_met(FrameReply)


def test_the_messages_are_written_in_typescript_as_python_has_them():
    assert messages.TARGET.read_text("utf-8") == messages.typescript()


def test_typescript_has_comments_lists_unions_and_fields_that_may_be_left_out():
    text = messages.typescript()

    for each in (
        "  | CompareRequest\n",
        "  simulate: StudyReply;\n",
        "/** One sentence about one place, as `rulespec check` prints it. */\nexport interface ",
        "  /** The public code, such as `RS201`. */\n  code: string;\n  severity: ",
        '  severity: "error" | "warning";\n',
        "the defaults if it is left out. */\n  options?: Record<string, string>;\n",
        "  players: [number, number];\n",
        "  decline: Item | null;\n",
        "export type Subject = ZoneSubject | ",
        "  subject: Subject;\n",
    ):
        assert each in text
