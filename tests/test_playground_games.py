"""Whole games on the backend, by clicks: every table ends, with undo, why, hints and bots on the way."""

import random

import pytest

from games import GAMES
from interpreter.game_loading import load
from playground_page import Page, draft, one_and_bots, people, rules_of, subjects
from playground_rules import LUCK, PAIRS
from sizes import few

LONGEST = 4_000  # clicks


def play(page: Page, frame: dict, chance: random.Random) -> dict:
    """Click until the game is over."""
    for _ in range(LONGEST):
        if frame["over"]:
            return frame
        frame = page.click(frame, chance)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("name", "variants", "players"), few(GAMES, 3), ids=str)
def test_a_game_of_every_table_can_be_played_by_clicking(name, variants, players):
    chance = random.Random(len(name))  # noqa: S311 - a game needs no secrecy
    page, rules = Page(), rules_of(name, *variants)
    # Half of the tables are played by as many as can, the others by as few.
    count = players[-1] if len(variants) % 2 else players[0]
    frame = play(page, page.start(rules, one_and_bots(count)), chance)
    result = frame["result"]

    assert (frame["viewer"], frame["question"], frame["waiting"]) == (None, None, None)
    assert sorted(row["seat"] for row in result["rows"]) == list(range(count))
    assert {row["seat"] for row in result["rows"] if row["place"] == 1} == {*result["winners"]}
    assert load(name, variants).start(count, int(result["seed"]))


def test_the_same_clicks_make_the_same_game_as_the_engine():
    page = Page()
    match = load("siegel.rules", options={"rounds": 1}).start(
        ["Person 1", "Person 2", "Person 3"], 11, 0
    )
    frame = page.start(rules_of("siegel.rules", rounds="1"), people(3), seed="11", first=0)
    while match.decision is not None:
        if frame["hand_to"] is not None:
            assert frame["hand_to"] == match.decision.player
            frame = page.frame("take")
        question = frame["question"]
        assert question["count"] == len(match.decision.options)
        if question["ticking"]:
            frame = page.frame("choose", **page.answer(question, random.Random(3)))  # noqa: S311
            match.follow(page.backend.memory.game.session.match.choices[-1])
        else:
            assert [each["text"] for each in question["items"]] == [
                option.text for option in match.decision.listed() if option.value is not None
            ]
            frame = page.frame("choose", item=question["items"][-1]["number"])
            match.apply(question["items"][-1]["number"])

    assert frame["result"]["winners"] == list(match.result().winners)


@pytest.mark.parametrize("name", ["sins.rules", "seven7s.rules", "siegel.rules", "deadlies.rules"])
def test_the_screen_is_handed_over_with_nothing_on_it(name):
    chance = random.Random(5)  # noqa: S311 - as above
    page = Page()
    frame = page.start(rules_of(name), people(3))
    handed = 0
    while not frame["over"] and handed < 30:
        if frame["hand_to"] is not None:
            handed += 1
            empty = (frame["groups"], frame["story"], frame["question"], frame["viewer"])
            assert empty == ([], [], None, None)
            assert not frame["may_undo"]
            assert page.refuse("choose", item=0)["fault"] == "player"
            assert page.refuse("why", subject={"of": "player", "seat": 0})["fault"] == "player"
            assert page.refuse("hint")["fault"] == "player"
            taken = page.frame("take")
            assert taken["viewer"] == frame["hand_to"]
            frame = taken
        frame = page.click(frame, chance)

    assert handed


def test_what_is_taken_back_is_asked_again_alike():
    chance = random.Random(8)  # noqa: S311 - as above
    page = Page()
    frame = asked = page.start(rules_of("sins.rules"), one_and_bots(2), seed="4", first=0)
    undone = refused = 0
    while not frame["over"]:
        asked = frame if frame["question"] is not None else asked
        frame = page.click(frame, chance)
        if not frame["may_undo"]:
            refused += 1
            reply = page.refuse("undo")
            assert reply["fault"] == "player"
            assert "taken back" in reply["error"]
        elif chance.random() < 0.5:
            undone += 1
            frame = page.frame("undo")
            assert frame["question"] == asked["question"]
            assert frame["groups"] == asked["groups"]

    assert undone
    assert refused


def test_everything_on_the_page_has_its_reason():
    chance = random.Random(2)  # noqa: S311 - as above
    page = Page()
    frame = page.start(rules_of("deadlies.rules"), one_and_bots(3), seed="9")
    told = 0
    for _ in range(40):
        for subject in subjects(frame):
            reply = page.get("why", subject=subject)
            told += bool(reply["sentences"] or reply["quotes"] or reply["clauses"])
        if frame["over"]:
            break
        frame = page.click(frame, chance)

    assert told > 200


def test_what_a_bot_has_shown_is_not_heard_for_nothing():
    page = Page()
    frame = page.start(draft(ANSWERS), one_and_bots(2), seed="1", first=0)
    frame = page.frame("choose", item=frame["question"]["items"][0]["number"])
    while frame["question"] is None:
        frame = page.frame("bot")

    assert not frame["may_undo"]
    assert "something was learnt since" in page.refuse("undo")["error"]


ANSWERS = """
game "Answers"
players 2
pieces | copies
  Card | 1
state    | type | start
  total  | 0..99 | 0
rule play
  repeat 3
    for p in order(first)
      p chooses n from 1..3 "How many?"
      total += n
ranking of p
  most | total
"""


def test_why_a_card_does_not_go_with_what_is_ticked():
    page = Page()
    frame = page.start(draft(PAIRS), one_and_bots(2), first=0)
    question = frame["question"]

    assert question["ticking"]
    ticked = question["ticks"]["more"][:2]
    assert page.get("tick", chosen=ticked) == {
        "ok": True,
        "more": [],
        "complete": True,
        "need": "Enter takes these",
    }
    third = next(each for each in question["items"] if each["number"] not in ticked)
    subject = {"of": "item", "number": third["number"]}
    assert page.get("why", subject=subject, chosen=ticked)["sentences"]
    assert page.refuse("tick", chosen=[*ticked, third["number"]])["fault"] == "player"
    assert page.refuse("tick", chosen=[0, 0])["fault"] == "player"
    assert (
        page.refuse("choose", ticked=ticked[:1])["error"] == "what is ticked is not an answer yet"
    )
    assert page.get("choose", ticked=ticked)["frame"]["story"]


@pytest.mark.parametrize("bot", ["random", "greedy:1", "search:2", "search:0.05s"])
def test_bots_of_every_kind_play_and_give_hints(bot):
    chance = random.Random(3)  # noqa: S311 - as above
    page = Page()
    frame = page.start(rules_of("seven7s.rules"), one_and_bots(2, bot))
    for _ in range(6):
        if frame["question"] is not None:
            hint = page.get("hint", bot=bot)
            question = frame["question"]
            decline = [question["decline"]] if question["decline"] else []
            numbers = {each["number"] for each in (*question["items"], *decline)}
            assert {*hint["ticked"], hint["item"]} <= numbers | {None}
            assert {each["item"] for each in hint["opinions"]} <= numbers
            assert hint["text"].startswith("A bot would choose")
        frame = page.click(frame, chance)


def test_bots_alone_play_before_the_eyes_of_somebody_who_watches():
    page = Page()
    bots = one_and_bots(4)[1:]
    frame = page.start(rules_of("seven7s.rules"), bots)
    hidden = 0
    while not frame["over"]:
        stacks = [
            stack
            for group in frame["groups"]
            for zone in group["zones"]
            for stack in zone["stacks"]
        ]
        hidden += any(stack["text"] is None for stack in stacks)
        assert frame["question"] is None
        assert frame["waiting"] is not None
        frame = page.frame("bot")

    assert hidden
    assert page.refuse("bot")["fault"] == "player"


def test_a_new_game_takes_the_place_of_the_old_one_unless_it_cannot_begin():
    page = Page()
    page.start(draft(LUCK), one_and_bots(2), first=0)
    page.refuse("start", rules=draft(LUCK), seats=one_and_bots(7))
    page.refuse("start", rules=draft(LUCK), seats=[])
    page.refuse("start", rules=draft(LUCK), seats=[{"name": "A", "kind": "nobody"}] * 2)
    page.refuse("start", rules=draft(LUCK), seats=people(2), seed="-1")
    page.refuse("start", rules=draft(LUCK), seats=people(2), first=2)
    page.refuse("start", rules=draft(LUCK + "rule"), seats=people(2))
    page.refuse("start", rules=draft(LUCK), seats=[{"name": "", "kind": "human"}] * 2)

    assert page.frame("choose", item=0)["title"] == "Luck"
    assert page.start(draft(LUCK.replace("Luck", "Other")), people(2))["title"] == "Other"
