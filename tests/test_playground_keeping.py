"""A game outlives its worker: another worker goes on with it, and nothing of it reaches the page."""

import json
import random

import pytest

from playground_page import Page, draft, one_and_bots, people, rules_of
from playground_rules import LUCK
from rulespec.playground.backend import Backend
from rulespec.playground.keeping import LOST

TABLES = (
    (rules_of("sins.rules"), one_and_bots(3)),
    (rules_of("siegel.rules", rounds="1"), one_and_bots(3)),
    (rules_of("deadlies.rules"), people(3)),
    (rules_of("seven7s.rules"), one_and_bots(2)),
    (draft(LUCK), one_and_bots(2)),
)


@pytest.mark.parametrize(("rules", "seats"), TABLES, ids=lambda each: str(each)[:30])
def test_the_game_goes_on_in_another_worker(rules, seats):
    page = Page()
    chance = random.Random(4)  # noqa: S311 - a game needs no secrecy
    frame = page.start(rules, seats)
    for _ in range(30):
        if frame["over"]:
            break
        frame = page.click(frame, chance)
        other = Page(Backend())
        other.backend.recall(page.backend.keep())
        reply = other.get("resume")

        assert reply["rules"]["text"] == rules["text"]
        again = reply["frame"]
        # Where several share a screen, nobody holds it after a reload.
        if len([seat for seat in seats if seat["kind"] == "human"]) > 1 and not frame["over"]:
            assert again["hand_to"] is not None
            assert (again["groups"], again["story"]) == ([], [])
            continue
        assert {**again, "fresh": 0} == {**frame, "fresh": 0}


def test_a_game_is_resumed_once_and_left_for_good():
    page = Page()
    page.start(rules_of("sins.rules"), one_and_bots(2))
    kept = page.backend.keep()
    other = Page(Backend())
    other.backend.recall(kept)

    assert other.get("resume")["frame"] is not None
    assert other.get("resume")["frame"] is None
    other.get("leave")
    assert other.backend.keep() is None


@pytest.mark.parametrize("change", ["cut", "rules", "noise"])
def test_what_cannot_be_resumed_is_no_game(change):
    page = Page()
    page.start(draft(LUCK), one_and_bots(2))
    kept = page.backend.keep()
    parts = json.loads(kept)
    if change == "cut":
        parts[-1] = parts[-1][:-20]
    elif change == "rules":
        parts[1] = "game"
    text = "{" if change == "noise" else json.dumps(parts)
    other = Page(Backend())
    other.backend.recall(text)

    reply = other.get("resume")
    assert (reply["frame"], reply["lost"]) == (None, LOST)
    assert other.backend.keep() is None
