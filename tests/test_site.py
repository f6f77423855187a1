"""The site, as it is built: every link leads somewhere, nothing comes from elsewhere, and it works.

The second half is done by a browser, on pages from a plain static server.
"""

import re
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

from site_eyes import FOCUSED, OPEN_EVERYTHING, TOO_FAINT, WITHOUT_ALTERNATIVE, WITHOUT_NAME
from site_pages import ROOT, pages_of, read
from sizes import few, tries

HERE = "http://site.test/"
GAMES = ("sins", "seven7s", "deadlies", "siegel")


# ---- What is written -----------------------------------------------------------------------------


def test_there_are_pages(site):
    pages = pages_of(site)

    assert len(pages) > 40
    assert {f"games/{game}/" for game in GAMES} <= set(pages)


def test_every_link_leads_to_a_page_and_every_anchor_to_its_place(site):
    lost = []
    for page in pages_of(site):
        for link in read(site / page / "index.html").values("href"):
            address, place = urldefrag(urljoin(HERE + page, link))
            if not address.startswith(HERE):
                continue
            file = site / unquote(urlsplit(address).path.lstrip("/"))
            file = file / "index.html" if file.is_dir() else file
            if place.startswith("open="):  # which the playground understands
                name = place[5:].partition(":")[0]
                place = "" if any((ROOT / "games").rglob(name)) else place
            if not file.is_file() or (
                place and file.suffix == ".html" and unquote(place) not in read(file).ids
            ):
                lost.append((page, link))

    assert lost == []


def test_nothing_is_loaded_from_another_host(site):
    loading = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}
    loaded = [
        (page, attributes.get(loading[tag]) or "")
        for page in pages_of(site)
        for tag, attributes in read(site / page / "index.html").tags
        if tag in loading
    ]
    styles = [
        (sheet.name, address)
        for sheet in site.glob("**/*.css")
        for address in re.findall(r"(?:url\(|@import )[\"']?([^\"')]+)", sheet.read_text("utf-8"))
    ]

    assert len(loaded) > 100
    strangers = [each for each in loaded + styles if re.match(r"(https?:)?//", each[1])]
    assert strangers == []


def test_every_page_has_a_title_a_language_and_one_first_heading(site):
    titles = {page: read(site / page / "index.html").title for page in pages_of(site)}
    for page in titles:
        tags = read(site / page / "index.html").tags

        assert [attributes.get("lang") for tag, attributes in tags if tag == "html"] == ["en"], page
        assert len([tag for tag, _ in tags if tag == "h1"]) == 1, page
    assert all(titles.values())
    assert len(set(titles.values())) == len(titles)


def test_the_changelog_the_decisions_and_the_diagnostics_are_there(site):
    pages = pages_of(site)

    assert {"changelog/", "contributing/", "language/diagnostics/", "commands/"} <= set(pages)
    assert len([page for page in pages if page.startswith("decisions/")]) >= 8


# ---- In a browser --------------------------------------------------------------------------------


VISIBLE_FORMAL = (
    "[...document.querySelectorAll('.rs-formal')].filter(e => e.checkVisibility()).length"
)


@pytest.mark.parametrize("game", few(GAMES, 2))
def test_a_switch_shows_the_formal_text_and_hides_it_again(page, address, game):
    page.go(f"{address}games/{game}/law/")
    hidden = page.run(VISIBLE_FORMAL)
    page.click(".rs-switch")
    shown = page.wait(VISIBLE_FORMAL)
    pressed = page.run("document.querySelector('.rs-switch').getAttribute('aria-pressed')")
    page.click(".rs-switch")
    page.wait(f"{VISIBLE_FORMAL} === 0")

    assert hidden == 0
    assert shown > 20
    assert pressed == "true"


def test_the_switch_works_with_the_keyboard_and_is_remembered(page, address):
    page.go(f"{address}games/sins/law/")
    page.run("document.querySelector('.rs-switch').focus()")
    page.press("Enter")
    page.wait(VISIBLE_FORMAL)
    page.go(f"{address}games/siegel/law/")

    assert page.wait(VISIBLE_FORMAL) > 20


@pytest.mark.parametrize("game", few(GAMES, 2))
def test_a_clause_leads_to_its_row_and_from_there_back_to_the_rule(page, address, game):
    page.go(f"{address}games/{game}/law/")
    start = page.run("location.pathname")
    page.run("document.documentElement.dataset.formal = 'on'")  # clauses are part of the law
    clause = page.run("document.querySelector('.rs-rule a.rs-clause').textContent.trim()")
    page.click(".rs-rule a.rs-clause")
    page.wait("location.pathname.endsWith('/clauses/') && document.readyState === 'complete'")
    goal = page.run(
        "(e => e && (e.closest('tr, section, li, details, div') || e).textContent)"
        "(document.getElementById(decodeURIComponent(location.hash.slice(1))))"
    )
    back = page.run(
        "(e => [...e.closest('tr, li, div, article').querySelectorAll('a')]"
        " .map(a => a.href).find(a => new URL(a).pathname === "
        f"'{start}' && new URL(a).hash))"
        "(document.getElementById(decodeURIComponent(location.hash.slice(1))))"
    )
    page.go(back)
    found = page.run("!!document.getElementById(decodeURIComponent(location.hash.slice(1)))")

    assert clause.strip("[]") in goal
    assert page.run("location.pathname") == start
    assert found


@pytest.mark.parametrize(
    ("card", "wanted"),
    [("Stone of Forgiveness", "games/sins/"), ("Corruption", "games/deadlies/")],
)
def test_a_search_for_a_card_finds_it(page, address, card, wanted):
    page.go(address)
    page.click(".md-search__input")
    page.write(card)
    page.wait("document.querySelectorAll('.md-search-result__link').length > 0")
    results = page.wait(
        "(r => r.length && r)([...document.querySelectorAll('.md-search-result__link')]"
        f".map(a => a.href).filter(a => a.includes('{wanted}')))"
    )
    page.go(results[0])

    assert card in page.run("document.querySelector('article').textContent")


def test_the_system_decides_between_light_and_dark_until_the_reader_does(page, address):
    page.prefer("dark")
    page.go(address)
    scheme = "document.body.getAttribute('data-md-color-scheme')"
    by_system = page.wait(scheme)
    page.click("label[for^='__palette']:not([hidden])")
    page.wait(f"{scheme} === 'default'")
    page.go(f"{address}play/")

    assert by_system == "slate"
    assert page.wait(scheme) == "default"


# ---- For everybody -------------------------------------------------------------------------------

SAMPLE = (
    "",
    "first-evening/",
    "games/",
    "games/sins/",
    "games/deadlies/",
    "games/my_sins/",
    "games/sins/law/",
    "games/sins/clauses/",
    "tutorial/variant/",
    "language/2-heading/",
    "language/mechanisms/",
    "commands/",
    "interface/",
)


def test_all_text_stands_out_from_what_is_behind_it(page, address):
    faint = {}
    for each in SAMPLE[:: tries(2, soak=1)]:
        page.go(address + each)
        page.run(OPEN_EVERYTHING)
        for scheme in ("default", "slate"):
            page.run(f"document.body.setAttribute('data-md-color-scheme', '{scheme}')")
            if found := page.run(TOO_FAINT):
                faint[each, scheme] = found

    assert faint == {}


AXE = ROOT / ".venv/playground/node_modules/axe-core/axe.min.js"
# The editor scrolls and takes the keyboard: its text can be edited, which axe does not see.
EDITOR = "scrollable-region-focusable: .cm-scroller"
SERIOUS = """axe.run().then(found => found.violations
    .filter(each => ["serious", "critical"].includes(each.impact))
    .flatMap(each => each.nodes.map(node => `${each.id}: ${node.target}`)))"""
TEN = (*SAMPLE[:9], "playground/")


@pytest.mark.skipif(not AXE.exists(), reason="`make playground` has not installed axe-core")
@pytest.mark.parametrize("each", few(TEN, 3))
def test_axe_finds_nothing_serious(page, address, each):
    page.go(address + each)
    page.run(AXE.read_text("utf-8"))

    assert [found for found in page.run(SERIOUS) if found != EDITOR] == []


def test_the_test_of_contrast_notices_faint_text(page, address):
    page.go(address)
    page.run("document.querySelector('article p').style.color = '#aaa'")

    assert len(page.run(TOO_FAINT)) >= 1


def test_all_pages_fit_a_phone_and_their_pictures_and_controls_have_words(page, site, address):
    """Nor does any of them complain, or ask another host: see the fixture."""
    page.resize(width=390, height=800)
    wrong = {}
    for each in pages_of(site)[:: tries(4, soak=1)]:
        page.go(address + each)
        too_wide = page.run("document.documentElement.scrollWidth > window.innerWidth")
        found = ["too wide"] * too_wide + page.run(WITHOUT_ALTERNATIVE) + page.run(WITHOUT_NAME)
        if found:
            wrong[each] = found

    assert wrong == {}


@pytest.mark.parametrize("each", ["", "games/sins/", "language/2-heading/"])
def test_whoever_walks_with_the_keyboard_sees_where_they_are(page, address, each):
    page.go(address + each)
    steps = []
    for _ in range(30):
        page.press("Tab")
        steps.append(page.run(FOCUSED))

    assert [step["what"] for step in steps if not step["outlined"] and not step["body"]] == []
    assert [step["what"] for step in steps if not step["seen"]] == []
    assert len({step["what"] for step in steps}) > 15


def test_on_paper_there_is_the_rulebook_and_nothing_around_it(page, address):
    page.prefer("dark")
    page.go(f"{address}games/sins/law/")
    page.run(OPEN_EVERYTHING)
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.send("Emulation.setEmulatedMedia", media="print", features=dark)
    around = page.run(
        "[...document.querySelectorAll('.md-header, .md-tabs, .md-sidebar, .md-footer, .rs-bar')]"
        ".filter(e => e.checkVisibility()).map(e => e.className)"
    )
    faint = page.run(TOO_FAINT)
    paper = page.send("Page.printToPDF", printBackground=True)

    assert around == []
    assert faint == []
    assert len(paper["data"]) > 20_000
