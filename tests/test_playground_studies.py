"""Studies of the playground are those of the lab, whatever slices they are played in."""

from xml.etree import ElementTree as ET

import pytest

from interpreter.game_loading import load
from interpreter.lab.comparison import Contender, compare
from interpreter.lab.crews import local_crew
from interpreter.lab.simulation import Plan, simulate
from interpreter.lab.studies import Study
from playground_page import Page, draft, rules_of
from playground_rules import LUCK
from rulespec.playground import studies

# Seven cards of a sin are worth nothing.
HARSH = rules_of("sins.rules")["text"].replace("7+    => 10", "7+    => 0")


def conduct(page: Page, kind: str, **fields) -> list:
    """All replies of a study."""
    found = [page.get(kind, **fields)]
    while not found[-1]["finished"]:
        found.append(page.get("more", study=found[-1]["study"]))
    return found


@pytest.fixture(params=[0.0, 60.0], ids=["slices", "at once"])
def page(request, monkeypatch):
    monkeypatch.setattr(studies, "SECONDS", request.param)
    return Page()


def test_a_simulation_has_the_numbers_of_the_lab(page):
    rules = rules_of("sins.rules", "penitenziagite", stone_optional="yes")
    found = conduct(page, "simulate", rules=rules, games=60, players=[3, 2], seed=5, sample=8)
    game = load("sins.rules", ["penitenziagite"], {"stone_optional": True})
    expected = simulate(game, Plan(60, (2, 3), seed=5, sample=8), Study(local_crew(1)))

    data = found[-1]["report"]["data"]
    for table in (*expected["tables"], *data["tables"]):
        for part in table["sample"]["parts"]:
            del part["file"]  # where the games lie
    assert data == expected
    assert (found[-1]["done"], found[-1]["total"]) == (120, 120)
    assert [each["done"] for each in found] == sorted(each["done"] for each in found)
    assert "wins, seat 3" in found[-1]["report"]["text"]


def test_a_comparison_has_the_numbers_of_the_lab(page):
    found = conduct(
        page, "compare", rules=draft(HARSH, "harsh.rules"), against="sins.rules", games=40
    )
    sins = load("sins.rules")
    contenders = Contender("sins", sins), Contender("harsh", sins)
    expected = compare(contenders, Plan(40, (2, 3, 4, 5)), Study(local_crew(1)))
    sides = [table["sides"][0] for table in found[-1]["report"]["data"]["tables"]]

    assert sides == [table["sides"][0] for table in expected["tables"]]


def test_a_changed_row_is_noticed_and_the_same_rules_are_not(page):
    more = {"against": "sins.rules", "games": 150, "players": [2]}
    changed = conduct(page, "compare", rules=draft(HARSH), **more)[-1]["report"]
    same = conduct(page, "compare", rules=rules_of("sins.rules"), **more)[-1]["report"]

    assert [each["changed"] for each in changed["verdicts"]] == [True]
    assert "the mean score falls" in changed["verdicts"][0]["text"].lower()
    assert changed["verdicts"][0]["text"] in changed["text"]
    assert [each["changed"] for each in same["verdicts"]] == [False]
    assert "all 150 games were the same on both sides" in same["verdicts"][0]["text"]


def test_what_players_do_without_is_asked_of_one_game_and_of_two(page):
    more = {"games": 4, "players": [2], "seats": ["random"], "without": 3}
    alone = conduct(page, "simulate", rules=rules_of("sins.rules"), sample=0, **more)[-1]
    table = alone["report"]["data"]["tables"][0]
    both = conduct(page, "compare", rules=draft(HARSH), against="sins.rules", **more)[-1]
    (side,) = both["report"]["data"]["tables"][0]["differences"]

    assert table["restricted"]["games"] == side["restricted"]["games"] == 3
    assert table["restricted"]["who"] == "random players"
    assert (alone["done"], alone["total"]) == (both["done"], both["total"]) == (7, 7)
    assert "what random players win or lose" in alone["report"]["text"]
    assert "Among random players, " in alone["report"]["verdicts"][0]["text"]


def test_what_is_told_before_the_end_is_told_with_more_confidence(monkeypatch):
    monkeypatch.setattr(studies, "SECONDS", 0.0)
    found = conduct(Page(), "simulate", rules=draft(LUCK), games=40, players=[2], sample=1)
    told = [each["report"]["data"] for each in found]

    assert len(told) > 2
    assert [each["confidence"] for each in told[:-1]] == [studies.LOOKING] * (len(told) - 1)
    assert told[-1]["confidence"] == 0.95
    assert not any("interrupted" in each["report"]["text"] for each in found)


def test_plots_are_drawings_with_words_for_those_who_do_not_see_them():
    page = Page()
    reports = [
        conduct(page, "simulate", rules=rules_of("sins.rules"), games=20, players=[2]),
        conduct(page, "compare", rules=draft(HARSH), against="sins.rules", games=20, players=[2]),
    ]
    for report in (each[-1]["report"] for each in reports):
        assert len({figure["title"] for figure in report["figures"]}) == len(report["figures"]) > 3
        for figure in report["figures"]:
            drawn = ET.fromstring(figure["svg"])  # noqa: S314 - our own
            assert drawn.find("title").text
            assert drawn.find("desc").text
            assert figure["players"] == 2


def test_two_studies_are_played_side_by_side(monkeypatch):
    monkeypatch.setattr(studies, "SECONDS", 0.0)
    page = Page()
    one = page.get("simulate", rules=draft(LUCK), games=30, players=[2])
    other = page.get("compare", rules=draft(LUCK), against="sins.rules", games=10, players=[2])
    while not (one["finished"] and other["finished"]):
        one, other = (page.get("more", study=each["study"]) for each in (one, other))

    assert one["report"]["data"]["report"] == "simulate"
    assert other["report"]["data"]["report"] == "compare"


def test_the_shipped_side_has_the_variants_and_options_that_it_knows():
    rules = rules_of("sins.rules", "penitenziagite", stone_optional="yes")
    text = rules["text"] + "\noption wild: Bool = no\nlet unused = wild\n"
    own = {**rules, "text": text, "options": {"stone_optional": "yes", "wild": "yes"}}
    found = conduct(Page(), "compare", rules=own, against="sins.rules", games=5, players=[2])
    sides = found[-1]["report"]["data"]["contenders"]

    assert [each["name"] for each in sides] == ["shipped", "edited"]
    assert [each["variants"] for each in sides] == [["penitenziagite"]] * 2
    assert sides[0]["options"] == {"stone_optional": "yes"}
    assert sides[1]["options"] == {"stone_optional": "yes", "wild": "yes"}


def test_a_search_thinks_as_long_in_every_game_of_a_study():
    seats = ["random", "search"]
    found = conduct(Page(), "simulate", rules=draft(LUCK), games=2, players=[2], seats=seats)

    assert [each["bot"] for each in found[-1]["report"]["data"]["tables"][0]["seats"]] == [
        "random",
        "search:20",
    ]
