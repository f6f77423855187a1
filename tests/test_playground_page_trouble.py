"""The playground in a browser, in trouble: no network, endless and huge rules, rules and links that mean harm."""

import base64
import json
import random
import zlib

import pytest

from playground_hands import (
    CHECKED,
    IS_STILL,
    click_text,
    make_move,
    open_playground,
    pick_file,
    show,
    start_game,
    text_of,
    write_rules,
)
from site_pages import serve

pytestmark = pytest.mark.usefixtures("playground")

TEXT = "[...document.querySelectorAll('.cm-line')].map(e => e.textContent).join('\\n')"
DRAFT = "localStorage.getItem('rulespec-draft:sins.rules')"
SPIN = """game "Spin"
players 2..4

pieces | copies
  Coin | 90

zones  | order | seen by
  pot  | pile  | everyone
  side | pile  | everyone

rule setup
  move box to pot

use turns

rule turn(p: Player)
  p chooses coin from pot "Which coin?"
  move coin to side
  move side to pot
  spin()
  if #pot == 0: end

rule spin
  repeat
    move pot to side
    move side to pot
    if #pot == 0: stop

let heavy = sum(sum(sum(#pot for a in pot) for b in pot) for c in pot)
always true: heavy >= 0

ranking of p
  most | #pot
"""

# Each example keeps to the limit of work; together they take minutes.
SLOW = SPIN + "".join(
    f"""
example "It takes long {number}"
  players Ada, Ben
  given pot = [90 * Coin]
  expect heavy == 65610000
"""
    for number in range(400)
)

# How long the page itself does not answer, at worst, while something else goes on.
# Counts how often the page could do something else while Python looked at the rules.
WATCH = """
globalThis.beats = 0;
globalThis.watch = setInterval(() => {
  if (document.querySelector('.pg-found').getAttribute('aria-busy') === 'true') globalThis.beats += 1;
}, 5)
"""


def link_with(file, text):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps([file, text]).encode()) + packer.flush()
    return "#rules=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


# ---- Without a network -------------------------------------------------------------------------------


@pytest.mark.soak
def test_after_the_first_visit_it_needs_no_network(browser, site):
    page = browser.open_page()
    page.prefer("light")
    with serve(site) as address:
        open_playground(page, address)
        page.wait("document.getElementById('pg').dataset.offline === 'ready'")
        write_rules(page, 'extends "sins.rules"\ngame "Far away"\n')
    # Nobody answers at that address any more.
    page.go(f"{address}playground/")
    page.wait(CHECKED)
    kept = page.run(TEXT)
    start_game(page, 2, ["human", "random"])
    chance = random.Random(1)  # noqa: S311 - no secret
    for _ in range(4):
        make_move(page, chance)
    story = text_of(page, ".pg-story")
    show(page, "simulate")
    page.click("#pg-simulate .pg-main")
    counted = page.wait("document.querySelector('#pg-simulate .pg-report pre')?.innerText")
    page.close()

    assert "Far away" in kept
    assert "You take" in story
    assert "Far away" in counted
    assert page.complaints == []
    assert page.strangers(address) == []


def without(playground, name, folder):
    """The site with one file of the playground missing."""
    for entry in playground.parent.iterdir():
        if entry.name != "playground":
            (folder / entry.name).symlink_to(entry)
    (folder / "playground").mkdir()
    for entry in playground.iterdir():
        if entry.name != name:
            (folder / "playground" / entry.name).symlink_to(entry)
    return folder


def test_if_python_cannot_be_loaded_that_is_said_and_the_rules_can_still_be_read(
    playground, browser, tmp_path
):
    page = browser.open_page()
    with serve(without(playground, "packages.bin", tmp_path)) as address:
        page.go(f"{address}playground/")
        page.wait("document.querySelector('.pg-status')?.dataset.what === 'failed'")
        told = text_of(page, ".pg-status")
        read = page.run(TEXT)
        page.close()

    assert "could not be loaded" in told
    assert "Try again" in told
    assert "The Sins" in read


# Records what workers say, from before the page is there.
EAVESDROP = """
window.heard = [];
window.Worker = class extends Worker {
  constructor(...words) {
    super(...words);
    this.addEventListener("message", ({ data }) => heard.push(data));
  }
};
"""
STARTED = "heard.find((each) => each.what === 'ready')"


@pytest.mark.parametrize("is_there", [True, False], ids=["snapshot", "none"])
def test_python_starts_from_its_snapshot_and_without_it_if_need_be(
    playground, browser, tmp_path, is_there
):
    page = browser.open_page()
    page.send("Page.addScriptToEvaluateOnNewDocument", source=EAVESDROP)
    with serve(
        playground.parent if is_there else without(playground, "snapshot.bin", tmp_path)
    ) as address:
        open_playground(page, address)
        restored = page.run(f"{STARTED}.restored")
        start_game(page, 2, ["human", "human"])
        page.close()

    assert restored is is_there


def test_no_two_visits_have_the_same_cards(playground, browser):
    hands = set()
    with serve(playground.parent) as address:
        for _ in range(3):
            page = browser.open_page()
            open_playground(page, address)
            start_game(page, 2, ["human", "human"])
            if page.run("!!document.querySelector('[data-key=take]')"):
                page.click("[data-key=take]")
            page.wait("!!document.querySelector('.pg-items')")
            hands.add(text_of(page, ".pg-board"))
            page.close()

    assert len(hands) == 3


# ---- Too much ----------------------------------------------------------------------------------------


def test_rules_without_an_end_are_told_and_cost_only_the_game(bench):
    pick_file(bench, "sins.rules")
    write_rules(bench, SPIN)
    correct = text_of(bench, ".pg-summary")
    start_game(bench, 2, ["human", "human"])
    bench.click("[data-key=take]")
    bench.wait("!!document.querySelector('.pg-items')")
    bench.click(".pg-items .pg-item")
    told = bench.wait("document.querySelector('#pg-play .pg-refusal')?.innerText")
    show(bench, "simulate")
    bench.click("#pg-simulate .pg-main")
    counted = bench.wait("document.querySelector('#pg-simulate .pg-refusal')?.innerText")
    draft = bench.run(DRAFT)
    show(bench, "play")

    assert correct.startswith("no errors")
    assert "without asking anybody" in told
    assert "without asking anybody" in counted
    assert draft == SPIN


def test_what_takes_too_long_can_be_stopped_while_the_page_goes_on(bench):
    pick_file(bench, "sins.rules")
    write_rules(bench, SLOW)
    show(bench, "examples")
    click_text(bench, "Run the examples")
    bench.run("document.querySelector('.cm-content').focus()")
    bench.write("-- still here\n")
    click_text(bench, "Stop", ".pg-status")
    told = bench.wait("document.querySelector('#pg-examples .pg-refusal')?.innerText")
    bench.wait(CHECKED)
    draft = bench.run(DRAFT)

    assert "stopped" in told
    assert "still here" in draft
    assert text_of(bench, ".pg-summary").startswith("no errors")


@pytest.mark.parametrize(
    "text",
    ["x" * 400_000, "(" * 100_000, 'rule a\n  b = "' + "\\" * 50_000, "let n = 1\n" * 40_000],
    ids=["a word", "brackets", "a text", "lines"],
)
def test_a_huge_text_neither_freezes_the_page_nor_is_it_lost(bench, text):
    pick_file(bench, "sins.rules")
    bench.run(WATCH)
    write_rules(bench, text)
    beats = bench.run("clearInterval(watch), beats")
    told = text_of(bench, ".pg-found")
    kept = bench.run(f"{DRAFT}.length")
    pick_file(bench, "sins.rules")

    assert "error" in told
    assert kept == len(text)
    assert beats > 0
    assert text_of(bench, ".pg-summary") == "no errors"


def test_more_than_the_storage_takes_is_told_and_what_was_kept_stays(bench):
    pick_file(bench, "sins.rules")
    write_rules(bench, SPIN)
    bench.run(
        "localStorage.setItem('rulespec-draft:full.rules', 'x'.repeat(5_200_000 - SPACE))".replace(
            "SPACE", "Object.values(localStorage).join('').length + 3000"
        )
    )
    write_rules(bench, SPIN + "-- and more\n" * 4000)
    told = text_of(bench, ".pg-said-here")
    kept = bench.run(DRAFT)
    bench.run("localStorage.removeItem('rulespec-draft:full.rules')")

    assert "no room" in told
    assert kept == SPIN


# ---- Harm --------------------------------------------------------------------------------------------

HARM = """<img src=x onerror=hacked=1><script>hacked=1</script>' onclick='hacked=1"""
HARMFUL = f"""game "{HARM}" by "{HARM}"  -- {HARM}
players 2..2

rulebook "{HARM}"
  @X-01..X-01 "{HARM}"

enum Kind = one "{HARM}", two "</style></svg><script>hacked=1</script>"

pieces             | copies | shown as
  Coin(kind: Kind) | 4      | "{HARM}"

zones          | order | seen by
  pot          | pile  | everyone
  hand[Player] | pool  | owner

rule setup
  move box to pot

use turns

@X-01 "{HARM}"
rule turn(p: Player)
  p chooses coin from pot "{HARM}"
  move coin to hand[p]
  if #pot == 0: end

ranking of p
  @X-01 "{HARM}"
  most | #hand[p]

example "{HARM}"
  players Ada, Ben
  expect #pot == 0
"""
IS_UNHARMED = (
    "typeof hacked === 'undefined'"
    " && document.querySelectorAll('#pg img:not([src^=data]), #pg script, #pg [onclick], #pg [onerror]').length === 0"
)


def test_scripts_in_names_and_texts_are_shown_and_never_run(page, address):
    """The page would complain about one that its policy has stopped."""
    open_playground(page, address, link_with(f"{HARM}.rules", HARMFUL))
    page.wait(f"{TEXT}.includes('onerror')")
    page.wait(CHECKED)
    summary = text_of(page, ".pg-found")
    file = page.run("document.querySelector('[data-key=file]').value")
    start_game(page, 2, ["human", "random"])
    table = text_of(page, "#pg-play")
    page.click("[data-key^=zone]")
    page.wait("!!document.querySelector('.pg-why')")
    state = page.wait(IS_STILL)
    chance = random.Random(2)  # noqa: S311 - no secret
    while "pg-result" not in state:
        state = make_move(page, chance)
    page.click(".pg-story .pg-said")
    show(page, "examples")
    click_text(page, "Run the examples")
    page.wait("!!document.querySelector('#pg-examples li')")
    for sort in ("simulate", "compare"):
        show(page, sort)
        page.click(f"#pg-{sort} .pg-main")
        page.wait(f"!!document.querySelector('#pg-{sort} :is(.pg-report pre, .pg-refusal)')")
    click_text(page, "Share")
    page.wait("!!document.querySelector('dialog textarea')")
    page.press("Escape")

    assert "error" not in summary
    assert file == "shared.rules"
    assert "<img src=x onerror=hacked=1>" in table
    assert page.run(IS_UNHARMED)


@pytest.mark.soak
def test_the_test_of_harm_notices_some(bench):
    bench.run("document.getElementById('pg').insertAdjacentHTML('beforeend', '<img id=bad alt=a>')")
    unharmed = bench.run(IS_UNHARMED)
    bench.run("document.getElementById('bad').remove()")

    assert not unharmed


LINKS = {
    "#rules=": "damaged",
    "#rules=%00%ff": "damaged",
    "#rules=AAAA": "damaged",
    "#rules=" + "A" * 150_000: "too long",
    link_with("a.rules", "x" * 400_000): "too long",
    link_with("a.rules", "y" * 30_000_000): "damaged",
    link_with("a.rules", None): "holds no rules",
}


def test_broken_and_enormous_links_are_told_and_leave_the_draft_alone(bench):
    pick_file(bench, "sins.rules")
    write_rules(bench, SPIN)
    told = {}
    for link, expected in LINKS.items():
        bench.run("document.querySelector('.pg-said-here').replaceChildren()")
        bench.run(f"location.hash = {json.dumps(link)}")
        told[link[:20], expected] = bench.wait("document.querySelector('.pg-said-here').innerText")

    assert [key for key, said in told.items() if key[1] not in said] == []
    assert bench.run(DRAFT) == SPIN
    assert bench.run(TEXT).startswith('game "Spin"')
    assert bench.run("location.hash") == ""


def test_a_link_that_names_a_shipped_file_replaces_nothing(bench):
    pick_file(bench, "sins.rules")
    write_rules(bench, SPIN)
    bench.run(f"location.hash = {json.dumps(link_with('sins.rules', SPIN + '-- theirs'))}")
    bench.wait(
        f"{TEXT}.includes('theirs') || document.querySelector('[data-key=file]').value !== 'sins.rules'"
    )
    bench.wait(CHECKED)

    assert bench.run("document.querySelector('[data-key=file]').value") == "sins 2.rules"
    assert bench.run(DRAFT) == SPIN


# ---- What the worker may do ------------------------------------------------------------------------

ASK_ELSEWHERE = """
new Promise((tell) => {
  const heard = [];
  self.addEventListener('securitypolicyviolation', (event) => heard.push(event.effectiveDirective));
  fetch('http://localhost:9/').then(() => tell(['answered']), () => setTimeout(() => tell(heard), 0));
})
"""


def test_python_cannot_ask_another_host(browser, address):
    """The policy of the page holds in the worker that Python runs in, though no server sends one with it."""
    page = browser.open_page()
    open_playground(page, address)
    page.send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
    workers = [
        each
        for each in browser.send("Target.getTargets", filter=[{"type": "worker"}])["targetInfos"]
        if each["title"] == "rulespec" or "blob:" in each["url"]
    ]
    (worker,) = workers
    session = browser.send("Target.attachToTarget", targetId=worker["targetId"], flatten=True)
    answer = browser.send(
        "Runtime.evaluate",
        session["sessionId"],
        expression=ASK_ELSEWHERE,
        returnByValue=True,
        awaitPromise=True,
    )
    page.close()

    assert answer["result"]["value"] == ["connect-src"]
