"""The playground in a browser: whole games by clicking, taking back, asking why, and what crosses to the page."""

import json
import random

import pytest

from playground_hands import (
    IS_STILL,
    LIT,
    click_text,
    make_move,
    pick_file,
    read_mail,
    set_value,
    show,
    start_game,
    text_of,
)
from rulespec.playground.backend import Backend
from sizes import few

pytestmark = pytest.mark.usefixtures("playground")

GAMES = {"sins": 2, "seven7s": 2, "deadlies": 3, "siegel": 3}  # with so many players
TABLE = "document.querySelector('.pg-table').innerText"
ASKED = "document.querySelector('.pg-prompt')?.innerText"


def play_to_the_end(page, chance, most=600):
    """How many choices that took, and before how many of them cards were lit on the table.

    Each is a click on a lit card if there is one, and else on a button.
    """
    state, moves, lit = page.wait(IS_STILL), 0, 0
    while "pg-result" not in state:
        assert moves < most
        if "pg-items" not in state:
            page.click("[data-key=take]")
            state = page.wait(IS_STILL)
            continue
        lit += page.run(f"!!document.querySelector({json.dumps(LIT)})")
        state = make_move(page, chance)
        moves += 1
    return moves, lit


def frames_of(mail):
    """Of each frame that came to the page the text of the request and the reply."""
    requests = [text for direction, _, text in mail if direction == "out"]
    replies = [text for direction, what, text in mail if direction == "in" and what == "reply"]
    return list(zip(requests, replies, strict=True))


@pytest.mark.parametrize("game", few(GAMES, 1))
def test_a_whole_game_is_played_by_clicking_and_nothing_crosses_that_the_desk_does_not_tell(
    bench, game
):
    """The backend's frames have tests of their own; here the browser shows these frames and nothing else."""
    pick_file(bench, f"{game}.rules")
    read_mail(bench)
    start_game(bench, GAMES[game], ["human", *["random"] * (GAMES[game] - 1)])
    moves, lit = play_to_the_end(bench, random.Random(game))  # noqa: S311 - it keeps no secret
    mail = read_mail(bench)
    result = text_of(bench, ".pg-result h3")
    letters = frames_of(mail)
    frames = [json.loads(reply).get("frame") for _, reply in letters]
    told = [frame for frame in frames if frame is not None]

    assert "win" in result
    assert moves >= 10
    assert lit >= moves / 4
    assert len(told) > moves
    assert told[-1]["over"]
    # While it is played: only the one who looks is told, others' cards are backs, and the seed is unknown.
    for frame in told[:-1]:
        assert frame["viewer"] == 0
        assert frame["result"] is None
    assert '"seed"' not in "".join(request + reply for request, reply in letters[:-1])
    assert all(json.loads(reply)["ok"] for _, reply in letters)
    assert_as_the_desk_tells_it(letters, told[-1]["result"]["seed"])


def assert_as_the_desk_tells_it(letters, seed):
    """The same requests, with the seed that is known now, are answered by Python without a browser."""
    backend = Backend()
    for number, (request, reply) in enumerate(letters):
        asked = json.loads(request)
        if asked["kind"] == "start":
            asked["seed"] = seed
        if asked["kind"] == "check":
            continue
        expected = json.loads(backend.answer(json.dumps(asked)))

        assert json.loads(reply) == expected, f"request {number}: {request[:80]}"


def test_a_choice_is_taken_back_as_long_as_that_is_fair(bench):
    pick_file(bench, "sins.rules")
    start_game(bench, 2, ["human", "random"])
    before = bench.run(TABLE), bench.run(ASKED)
    first = bench.run("document.querySelector('.pg-items .pg-item').innerText")
    bench.click(".pg-items .pg-item")
    bench.wait(f"{ASKED} !== {json.dumps(before[1])} && {IS_STILL}")
    after = bench.run(ASKED)
    click_text(bench, "Undo")
    bench.wait(f"{ASKED} === {json.dumps(before[1])} && {IS_STILL}")
    again = bench.run(TABLE), bench.run(ASKED)

    assert first
    assert after != before[1]
    assert again == before


def test_what_nobody_may_forget_is_not_taken_back(bench):
    """Cards were drawn after the choice: whoever took it back would know them."""
    pick_file(bench, "sins.rules")
    start_game(bench, 2, ["human", "random"])
    chance = random.Random(1)  # noqa: S311
    allowed = []
    for _ in range(12):
        make_move(bench, chance)
        allowed.append(
            not bench.run("[...document.querySelectorAll('#pg-play .pg-bar button')][1].disabled")
        )

    assert False in allowed


def test_a_click_on_what_cannot_be_chosen_tells_why_not(bench):
    pick_file(bench, "sins.rules")
    start_game(bench, 2, ["human", "random"])
    unlit = "#pg-play .pg-card:not(.pg-lit):not(.pg-back)"
    name = bench.run(f"document.querySelector('{unlit}').title")
    bench.click(unlit)
    told = bench.wait("document.querySelector('.pg-why')?.textContent")
    links = bench.run(
        "[...document.querySelectorAll('.pg-why a')].map(e => e.getAttribute('href'))"
    )
    click_text(bench, "Close", ".pg-why")

    assert name
    assert name in told
    assert "S-" in told
    assert all(link.startswith("../games/sins/clauses/#clause-s-") for link in links)
    assert links
    assert bench.run("document.querySelector('.pg-why') === null")


def test_who_asks_why_learns_what_the_question_is_about_and_moves_nothing(bench):
    pick_file(bench, "sins.rules")
    start_game(bench, 2, ["human", "random"])
    before = bench.run(TABLE)
    click_text(bench, "Why?")
    of_question = bench.wait("document.querySelector('.pg-why')?.textContent")
    read_mail(bench)
    bench.click(".pg-items .pg-item")
    bench.click(".pg-middle [data-key^=zone]")
    of_zone = bench.wait(
        f"(t => t && t !== {json.dumps(of_question)} && t)(document.querySelector('.pg-why')?.textContent)"
    )
    click_text(bench, "Why?")
    asked = {json.loads(text)["kind"] for way, _, text in read_mail(bench) if way == "out"}

    assert "S-2" in of_question
    assert "deck" in of_zone
    assert asked == {"why"}
    assert bench.run(TABLE) == before


def test_a_hint_is_about_what_can_be_chosen(bench):
    pick_file(bench, "seven7s.rules")
    start_game(bench, 2, ["human", "random"])
    items = bench.run("[...document.querySelectorAll('.pg-items .pg-item')].map(e => e.innerText)")
    click_text(bench, "Hint")
    told = bench.wait("document.querySelector('.pg-why p')?.innerText")

    assert any(item in told for item in items)


def test_the_story_cites_the_clauses_and_leads_to_them(bench, address, site):
    pick_file(bench, "sins.rules")
    start_game(bench, 2, ["human", "random"])
    chance = random.Random(1)  # noqa: S311 - no secret
    for _ in range(8):
        make_move(bench, chance)
    links = bench.run("[...document.querySelectorAll('.pg-story a')].map(e => e.href)")
    page = (site / "games/sins/clauses/index.html").read_text("utf-8")

    assert len(set(links)) > 1
    for link in set(links):
        assert link.startswith(f"{address}games/sins/clauses/#")
        assert f'id="{link.partition("#")[2]}"' in page


def test_two_people_hand_the_screen_over_and_in_between_there_is_nothing_to_see(bench):
    pick_file(bench, "deadlies.rules")
    read_mail(bench)
    start_game(bench, 3, ["human", "human", "random"])
    chance = random.Random(2)  # noqa: S311
    seen = {}
    for _ in range(14):
        state = bench.wait(IS_STILL)
        if "pg-items" in state:
            make_move(bench, chance)
            continue
        seen["hidden"] = bench.run(
            "[document.querySelectorAll('.pg-card').length, document.querySelector('.pg-story').innerText]"
        )
        bench.click("[data-key=take]")
        bench.wait(IS_STILL)
    frames = [json.loads(reply).get("frame") for _, reply in frames_of(read_mail(bench))]
    handing = [frame for frame in frames if frame and frame["hand_to"] is not None]

    assert seen["hidden"] == [0, ""]
    assert handing
    for frame in handing:
        assert (frame["groups"], frame["question"], frame["story"]) == ([], None, [])
    # At first nobody knows a card of another; later one may, as some have changed hands.
    first = next(frame for frame in frames if frame and frame["viewer"] is not None)
    faces = {
        group["seat"]: [
            s["text"] for z in group["zones"] if z["title"] == "hand" for s in z["stacks"]
        ]
        for group in first["groups"]
        if group["seat"] is not None
    }
    assert None not in faces.pop(first["viewer"])
    assert {face for each in faces.values() for face in each} == {None}


def test_variants_and_options_are_played(bench):
    pick_file(bench, "sins.rules")
    show(bench, "play")
    bench.click("[data-key='variant penitenziagite']")
    set_value(bench, "[data-key=players]", "3")
    bench.click("[data-key=start]")
    bench.wait(IS_STILL)
    [start] = [r for d, _, r in read_mail(bench) if d == "out" and '"kind":"start"' in r]
    click_text(bench, "New game")
    bench.click("[data-key='variant penitenziagite']")

    assert json.loads(start)["rules"]["variants"] == ["penitenziagite"]
    assert len(json.loads(start)["seats"]) == 3
