"""The playground in a browser: rules are written, checked, tried, kept and shared.

One page is used by most tests, as Python takes some seconds to start; each of them begins with its own text.
"""

import json
import subprocess
import sys
import time

import pytest

from playground_hands import (
    CHECKED,
    click_text,
    open_playground,
    pick_file,
    press_with_control,
    replace_word,
    set_value,
    show,
    text_of,
    write_rules,
)
from rulespec import loading
from sizes import few

pytestmark = pytest.mark.usefixtures("playground")

GENTLE = """extends "sins.rules"
game "The gentle Sins"  -- four cards of a sin do no harm

rows points
  4 => 2

example "Four Gula cards are worth 2 points, and five still cost 3"
  expect points(4) == 2 and points(5) == -3
"""
SHIFT = 8  # as the browser counts keys that are held
EDITOR = "document.querySelector('.cm-content')"
TEXT = f"[...{EDITOR}.querySelectorAll('.cm-line')].map(e => e.textContent).join('\\n')"


# ---- Loading -----------------------------------------------------------------------------------------


@pytest.mark.soak
def test_progress_is_shown_until_python_is_there(page, address):
    page.send(
        "Page.addScriptToEvaluateOnNewDocument",
        source="""
          globalThis.told = [];
          new MutationObserver(() => told.push(document.querySelector('.pg-status')?.textContent ?? ''))
            .observe(document, {subtree: true, childList: true, characterData: true});
        """,
    )
    open_playground(page, address)
    told = page.run("[...new Set(told)]")
    loading_lines = [line for line in told if line.startswith("Loading Python")]

    assert len(loading_lines) > 3
    assert any(line.startswith("Starting Python") for line in told)
    assert text_of(page, ".pg-status") == ""


# ---- Writing -----------------------------------------------------------------------------------------


def test_a_mistake_is_underlined_and_told_with_a_hint_and_a_page_and_gone_when_it_is_mended(
    bench, address
):
    pick_file(bench, "sins.rules")
    replace_word(bench, "sets", "stes")
    marked = bench.run(
        "[...document.querySelectorAll('.cm-lintRange-error')].map(e => e.textContent)"
    )
    hint = text_of(bench, ".pg-found .pg-hint")
    link = bench.run("document.querySelector('.pg-diagnostic a').href")
    summary = text_of(bench, ".pg-summary")
    replace_word(bench, "stes", "sets")
    mended = text_of(bench, ".pg-summary")
    still_marked = bench.run("document.querySelectorAll('.cm-lintRange-error').length")
    bench.run(f"globalThis.other = fetch({json.dumps(link)}).then(r => r.text())")
    code = link.partition("#")[2]

    assert marked == ["stes"]
    assert "sets" in hint
    assert "1 error" in summary
    assert link.startswith(f"{address}language/diagnostics/#rs")
    assert bench.run(f"other.then(t => t.includes('id=\"{code}\"'))")
    assert mended == "no errors"
    assert still_marked == 0


def test_what_is_underlined_tells_why_when_one_points_at_it(bench):
    pick_file(bench, "sins.rules")
    replace_word(bench, "sets", "stes")
    x, y = bench.run(
        "(b => [b.x + b.width / 2, b.y + b.height / 2])"
        "(document.querySelector('.cm-lintRange-error').getBoundingClientRect())"
    )
    bench.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    told = bench.wait("document.querySelector('.cm-tooltip-lint, .cm-tooltip-hover')?.innerText")
    replace_word(bench, "stes", "sets")

    assert "hint:" in told


def test_a_place_in_the_list_leads_to_the_editor(bench):
    write_rules(bench, GENTLE.replace("points(4)", "poinst(4)"))
    bench.run("document.querySelector('.pg-found .pg-place').click()")

    assert bench.run("document.activeElement.closest('.cm-editor') !== null")
    assert bench.run("getSelection().toString()") == "poinst"


def press(page, key, modifiers=0):
    """A key of function at the cursor."""
    code = 111 + int(key.removeprefix("F"))
    page.run(f"{EDITOR}.focus()")
    for kind in ("rawKeyDown", "keyUp"):
        page.send(
            "Input.dispatchKeyEvent",
            type=kind,
            key=key,
            code=key,
            windowsVirtualKeyCode=code,
            modifiers=modifiers,
        )


OWN = GENTLE + "\nlet most = points(4) + bonus(1)\nlet bonus(n: 1..2) = n\n"


def test_a_name_leads_to_its_declaration_in_this_file(bench):
    pick_file(bench, "my_sins.rules")
    write_rules(bench, OWN)
    replace_word(bench, "bonus", "bonus")
    press(bench, "F12")
    own = bench.wait("getSelection().toString() || null")
    line = bench.run("getSelection().anchorNode.parentElement.closest('.cm-line').textContent")

    assert own == "bonus"
    assert line.startswith("let bonus")


def test_a_name_leads_to_its_declaration_in_another_file(bench):
    pick_file(bench, "sins.rules")  # as it is shipped: other tests change it, and changes are kept
    write_rules(bench, loading.read("sins.rules").text)
    pick_file(bench, "my_sins.rules")
    write_rules(bench, OWN)
    replace_word(bench, "points", "points")
    press(bench, "F12")
    file = bench.wait(
        "(f => f === 'sins.rules' && f)(document.querySelector('[data-key=file]').value)"
    )
    bench.wait(CHECKED)
    there = bench.wait("document.querySelector('.cm-activeLine')?.textContent || null")

    assert file
    assert there.startswith("table points")


def test_all_places_of_a_name_are_shown_and_lead_there(bench):
    pick_file(bench, "my_sins.rules")
    write_rules(bench, OWN)
    replace_word(bench, "bonus", "bonus")
    press(bench, "F12", SHIFT)
    bench.wait("document.querySelectorAll('.pg-places .pg-place').length === 2")
    told = text_of(bench, ".pg-said-here")
    bench.run("document.querySelectorAll('.pg-places .pg-place')[0].click()")

    assert "bonus stands here 2 times" in told
    assert bench.run("getSelection().toString()") == "bonus"


def test_a_name_is_renamed_at_all_places_and_that_is_undone_at_once(bench):
    pick_file(bench, "my_sins.rules")
    write_rules(bench, OWN)
    replace_word(bench, "bonus", "bonus")
    press(bench, "F2")
    bench.wait("document.querySelector('dialog [data-key=new-name]') !== null")
    bench.write("extra")
    click_text(bench, "Rename", within="dialog")
    renamed = bench.wait(f"{TEXT}.includes('let extra(n') && {TEXT}")
    bench.run(f"{EDITOR}.focus()")
    press_with_control(bench, "z", 90)
    undone = bench.wait(f"{TEXT}.includes('let bonus(n') && {TEXT}")
    replace_word(bench, "points", "points")
    press(bench, "F2")
    bench.wait("document.querySelector('dialog [data-key=new-name]') !== null")
    bench.write("worth")
    click_text(bench, "Rename", within="dialog")
    refused = bench.wait(
        "(t => t.includes('keeps its name') && t)(document.querySelector('.pg-said-here').innerText)"
    )

    assert "let most = points(4) + extra(1)" in renamed
    assert "points(4) + bonus(1)" in undone
    assert "declared in sins.rules" in refused


def test_a_hint_is_applied_by_a_button(bench):
    pick_file(bench, "sins.rules")
    replace_word(bench, "sets", "stes")
    click_text(bench, "Apply")
    bench.wait("document.querySelectorAll('.cm-lintRange-error').length === 0")
    bench.wait(CHECKED)

    assert text_of(bench, ".pg-summary") == "no errors"


def test_names_are_offered_and_taken_with_the_keyboard(bench):
    write_rules(bench, GENTLE + "\nlet most = poi")
    press_with_control(bench, " ", 32)
    offered = bench.wait(
        "[...document.querySelectorAll('.cm-tooltip-autocomplete li')].map(e => e.textContent).join('|')"
    )
    bench.run(
        "new Promise(done => setTimeout(done, 120))"
    )  # CodeMirror waits before it takes a key
    bench.press("Enter")
    bench.wait(f"{TEXT}.endsWith('let most = points')")

    assert "points" in offered


def test_rules_are_formatted_when_asked_and_that_can_be_undone(bench):
    write_rules(bench, GENTLE.replace("4 => 2", "4    =>    2"))
    click_text(bench, "Format")
    bench.wait(f"{TEXT}.includes('\\n  4 => 2\\n')")
    bench.run(f"{EDITOR}.focus()")
    press_with_control(bench, "z", 90)

    assert bench.wait(f"{TEXT}.includes('4    =>    2')")


def run_examples(page):
    click_text(page, "Run the examples")
    page.wait("!document.querySelector('#pg-examples .pg-main').disabled")


def test_examples_are_run_and_the_wrong_one_is_told_first(bench):
    write_rules(
        bench,
        GENTLE.replace("points(4) == 2", "points(4) == 3") + GENTLE[GENTLE.index("\nexample") :],
    )
    show(bench, "examples")
    run_examples(bench)
    first = text_of(bench, "#pg-examples li")
    summary = text_of(bench, "#pg-examples .pg-summary")
    write_rules(bench, GENTLE)
    run_examples(bench)
    summary_of_right = text_of(bench, "#pg-examples .pg-summary")

    assert "fails" in first
    assert "RS9" in first
    assert summary == "1 of 2 examples hold"
    assert summary_of_right == "1 example holds"


@pytest.mark.parametrize("game", few(["sins", "siegel"], 1))
def test_all_examples_of_a_shipped_game_hold(bench, game):
    pick_file(bench, f"{game}.rules")
    show(bench, "examples")
    run_examples(bench)

    assert bench.run("document.querySelectorAll('#pg-examples .pg-failed').length") == 0
    assert bench.run("document.querySelectorAll('#pg-examples .pg-passed').length") > 20


def test_a_new_overlay_begins_with_what_could_be_changed(bench):
    click_text(bench, "New overlay")
    set_value(bench, "dialog [data-key=base]", "deadlies.rules")
    bench.write("Our Deadlies")
    bench.press("Enter")
    bench.wait(f"{TEXT}.includes('game \"Our Deadlies\"')")
    bench.wait(CHECKED)

    assert text_of(bench, ".pg-summary") == "no errors"
    assert bench.run(TEXT).startswith('extends "deadlies.rules"')


# ---- Keeping and sharing -----------------------------------------------------------------------------


def test_a_draft_survives_a_reload_and_is_thrown_away_only_when_asked(page, address):
    open_playground(page, address)
    replace_word(page, "counterclockwise", "clockwise")
    page.go(f"{address}playground/")
    page.wait(CHECKED)
    kept = page.run(TEXT)
    named = page.run("document.querySelector('[data-key=file]').selectedOptions[0].text")
    page.run("window.confirm = () => true")
    click_text(page, "Discard changes")
    page.wait(f"{TEXT}.includes('counterclockwise')")

    assert "players 2..5 clockwise" in kept
    assert "(changed)" in named


def test_a_link_brings_the_rules_and_what_is_changed_later_counts(browser, page, address):
    open_playground(page, address)
    click_text(page, "New overlay")
    page.click("dialog .pg-main")
    page.wait(f"{TEXT}.includes('Our house rules')")
    write_rules(page, GENTLE)
    click_text(page, "Share")
    link = page.wait("document.querySelector('dialog textarea')?.value")
    page.press("Escape")
    friend = browser.open_page()
    friend.prefer("light")
    friend.go(link)
    friend.wait(CHECKED)
    brought = friend.run(TEXT)
    write_rules(friend, GENTLE.replace("gentle", "gentlest"))
    friend.go("about:blank")
    friend.go(f"{address}playground/")
    friend.wait(CHECKED)
    later = friend.run(TEXT)
    friend.close()

    assert len(link) < 600
    assert brought == GENTLE
    assert "gentlest" in later
    assert friend.complaints == []
    assert not any("#rules" in request for request in friend.requests[1:])


def test_the_file_that_is_downloaded_is_played_in_a_terminal(bench, tmp_path):
    bench.browser.send(
        "Browser.setDownloadBehavior",
        behavior="allow",
        downloadPath=str(tmp_path),
        browserContextId=bench.context,
    )
    write_rules(bench, GENTLE)
    click_text(bench, "Download")
    told = bench.wait("document.querySelector('.pg-said-here')?.innerText")
    while not (found := [*tmp_path.glob("*.rules")]):
        time.sleep(0.05)
    [file] = found
    words = told.partition("rulespec ")[2].split()
    played = subprocess.run(
        [
            sys.executable,
            "-m",
            "rulespec",
            *words,
            "--plain",
            "--seat",
            "A=random",
            "--seat",
            "B=random",
            "--seed",
            "1",
        ],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )

    assert file.read_text("utf-8") == GENTLE
    assert words == ["play", file.name]
    assert "The gentle Sins" in played.stdout + played.stderr
    assert played.returncode == 0, played.stdout + played.stderr


def test_the_editor_has_the_text_of_the_shipped_files(bench):
    pick_file(bench, "steep_sins.rules")

    assert bench.run(TEXT) == loading.read("steep_sins.rules").text


def test_help_is_a_page_of_the_site(bench, site):
    link = bench.run("document.querySelector('.pg-help').getAttribute('href')")

    assert (site / "playground" / link.partition("#")[0] / "index.html").resolve().is_file()
