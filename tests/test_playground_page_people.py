"""The playground in a browser, for everybody: by keyboard alone, on a phone, by light and by dark."""

import json
import random

import pytest

from playground_hands import (
    IS_STILL,
    click_text,
    make_move,
    open_playground,
    pick_file,
    read_mail,
    seat_players,
    show,
    start_game,
    text_of,
    write_rules,
)
from site_eyes import FOCUSED, OPEN_EVERYTHING, TOO_FAINT, WITHOUT_ALTERNATIVE, WITHOUT_NAME

pytestmark = pytest.mark.usefixtures("playground")

TABS = ("play", "examples", "simulate", "compare")
WRONG = 'extends "sins.rules"\ngame "Ours"\nrows poinst\n  4 => 2\n'


def walk_to(page, selector, most=120):
    """Press Tab until something has the focus; every step must be seen."""
    for _ in range(most):
        page.press("Tab")
        # The editor draws its frame with its next picture.
        step = page.wait(f"(step => (step.outlined || step.body) && step)({FOCUSED.strip()})")
        assert step["seen"], step["what"]
        if page.run(f"document.activeElement.matches({json.dumps(selector)})"):
            return
    raise AssertionError(f"the keyboard does not lead to {selector}")


def test_a_game_is_played_by_keyboard_alone(bench):
    pick_file(bench, "sins.rules")
    seat_players(bench, 2, ["human", "random"])
    show(bench, "examples")
    bench.run("document.querySelector('#pg-tab-examples').focus()")
    bench.press("ArrowLeft")
    tab = bench.run("document.activeElement.id")
    walk_to(bench, "[data-key=start]")
    bench.press("Enter")
    moves = 0
    state = bench.wait(IS_STILL)
    while moves < 6 and "pg-result" not in state:
        # Whoever has just chosen is at the question again, and need not walk there.
        walk_to(bench, "#pg-play .pg-item", 12)
        bench.press("Enter")
        state = bench.wait(IS_STILL)
        moves += 1
    asked = [json.loads(text)["kind"] for way, _, text in read_mail(bench) if way == "out"]

    assert tab == "pg-tab-play"
    assert asked.count("choose") == 6


def test_cards_of_the_table_are_reached_and_chosen_by_keyboard(bench):
    pick_file(bench, "sins.rules")
    start_game(bench, 2, ["human", "random"])
    asked = text_of(bench, ".pg-prompt")
    bench.run("document.querySelector('.pg-prompt').focus()")
    walk_to(bench, ".pg-card.pg-lit", 40)
    bench.press("Enter")
    bench.wait(f"document.querySelector('.pg-prompt')?.innerText !== {json.dumps(asked)}")

    assert text_of(bench, ".pg-prompt") != asked


def test_whoever_is_in_the_editor_gets_out_with_the_tab_key(bench):
    pick_file(bench, "sins.rules")
    bench.run("document.querySelector('.cm-content').focus()")
    bench.press("Tab")

    assert not bench.run("document.activeElement.closest('.cm-content')")
    assert bench.run("localStorage.getItem('rulespec-draft:sins.rules')") is None


def test_a_dialog_is_left_by_escape_and_the_focus_comes_back(bench):
    bench.run(
        "[...document.querySelectorAll('#pg button')].find(e => e.textContent === 'Share').focus()"
    )
    bench.press("Enter")
    bench.wait("!!document.querySelector('dialog[open]')")
    bench.press("Escape")
    bench.wait("!document.querySelector('dialog')")

    assert bench.run("document.activeElement.textContent") == "Share"


@pytest.fixture
def phone(bench):
    bench.resize(width=390, height=800)
    yield bench
    bench.resize()


def test_on_a_phone_everything_fits_and_a_game_is_played(phone):
    pick_file(phone, "siegel.rules")
    too_wide = {}

    def look(what):
        if phone.run("document.documentElement.scrollWidth > innerWidth"):
            too_wide[what] = phone.run("document.documentElement.scrollWidth")

    show(phone, "rules")
    rules_shown = phone.run("document.querySelector('.cm-editor').checkVisibility()")
    look("rules")
    show(phone, "play")
    rules_hidden = not phone.run("document.querySelector('.cm-editor').checkVisibility()")
    look("start")
    start_game(phone, 3, ["human", "random", "random"])
    chance = random.Random(1)  # noqa: S311 - no secret
    for _ in range(12):
        make_move(phone, chance)
        look("table")
    small = phone.run(
        "[...document.querySelectorAll('#pg-play :is(.pg-card, .pg-item)')]"
        ".map(e => e.getBoundingClientRect()).filter(b => b.width && (b.width < 24 || b.height < 24)).length"
    )
    for tab in ("simulate", "compare"):
        show(phone, tab)
        phone.click(f"#pg-{tab} .pg-main")
        phone.wait(f"!!document.querySelector('#pg-{tab} .pg-report pre')")
        phone.wait(f"document.querySelector('#pg-{tab} .pg-meter').hidden")
        look(tab)

    assert rules_shown
    assert rules_hidden
    assert too_wide == {}
    assert small == 0


def faint_text(page):
    found = {}
    page.run(OPEN_EVERYTHING)
    for scheme in ("slate", "default"):
        page.run(f"document.body.setAttribute('data-md-color-scheme', '{scheme}')")
        # What stands beside the bars of a plot is taken for something that stands on them.
        if faint := [each for each in page.run(TOO_FAINT) if not each.startswith("text.")]:
            found[scheme] = faint
    return found


def test_all_text_stands_out_and_all_controls_have_names(bench):
    wrong = {}

    def look(what):
        found = [faint_text(bench), bench.run(WITHOUT_ALTERNATIVE), bench.run(WITHOUT_NAME)]
        if any(found):
            wrong[what] = found

    pick_file(bench, "sins.rules")
    look("start")
    start_game(bench, 3, ["human", "random", "random"])
    bench.click("#pg-play .pg-card:not(.pg-lit)")
    bench.wait("!!document.querySelector('.pg-why')")
    look("table")
    click_text(bench, "New game")
    show(bench, "examples")
    click_text(bench, "Run the examples")
    bench.wait("!!document.querySelector('#pg-examples li')")
    look("examples")
    show(bench, "simulate")
    bench.click("#pg-simulate .pg-main")
    bench.wait("!!document.querySelector('#pg-simulate figure')")
    bench.wait("document.querySelector('#pg-simulate .pg-meter').hidden")
    look("simulate")
    write_rules(bench, WRONG)
    look("mistakes")

    assert wrong == {}, json.dumps(wrong, indent=1)


def test_by_dark_the_system_says_so_and_the_editor_is_dark(page, address):
    page.prefer("dark")
    open_playground(page, address)
    light = page.run(
        "(c => c.match(/[\\d.]+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) / 3)"
        "(getComputedStyle(document.querySelector('.cm-editor')).backgroundColor)"
    )

    assert light < 90


@pytest.mark.parametrize("tab", TABS)
def test_every_pane_belongs_to_its_tab(bench, tab):
    show(bench, tab)
    pane = f"document.querySelector('#pg-{tab}')"

    assert bench.run(f"{pane}.checkVisibility()")
    assert bench.run(f"{pane}.getAttribute('role')") == "tabpanel"
    assert (
        bench.run(f"document.getElementById({pane}.getAttribute('aria-labelledby')).ariaSelected")
        == "true"
    )
    assert (
        bench.run(
            "[...document.querySelectorAll('.pg-right > *')].filter(e => e.checkVisibility()).length"
        )
        == 1
    )
