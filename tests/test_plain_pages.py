"""Nobody who reads the rules of a game is shown code: what a page shows before anything is unfolded is plain English.

The pages are those of the shipped games, their variants and overlays, and of three games that were written in a hurry,
without a word for their readers.
"""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulespec import loading
from rulespec.catalogue import read_game, shipped_files
from rulespec.cli.docs import make
from rulespec.docgen import html
from rulespec.docgen.pages import GamePages
from sizes import few

STORIES = Path(__file__).parent / "stories"
SHIPPED = [path.name for path in loading.shipped_game_files()]
GAMES = [
    *((path.name, "") for path in shipped_files()),
    *(
        (name, each.name)
        for name in SHIPPED
        for each in read_game(loading.find_rules(name)).variants
    ),
    *((str(STORIES / f"{name}.rules"), "") for name in ("trick", "rummy", "bluff")),
]
HIDDEN = {
    "rs-formal",
    "rs-clauses",
    "rs-law",
    "rs-bar",
    "rs-here",
}  # until the reader asks for the law
SILENT = {"script", "style", "head"}
ALONE = {
    "p",
    "tr",
    "td",
    "th",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "summary",
    "text",
    "title",
    "desc",
    "br",
}
VOID = {"br", "meta", "link", "hr", "img", "input"}


class View(HTMLParser):
    """A page as it is seen: a line for each piece of text that stands for itself."""

    def __init__(self, page: str):
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.lines = [""]
        self.code: list[str] = []
        self.feed(page)
        self.close()
        self.lines = [" ".join(line.split()) for line in self.lines if line.strip()]

    def handle_starttag(self, tag, attrs):
        if tag in ALONE:
            self.lines.append("")
        if tag in VOID:
            return
        kinds = set((dict(attrs).get("class") or "").split())
        above = bool(self.open) and self.open[-1][1]
        folded = tag != "summary" and bool(self.open) and self.open[-1][0] == "play"
        hidden = bool(kinds & HIDDEN) or tag in SILENT or above or folded
        self.open.append(("play" if "rs-play" in kinds else tag, hidden))

    def handle_endtag(self, tag):
        if tag not in VOID:
            self.open.pop()
        if tag in ALONE:
            self.lines.append("")

    def handle_data(self, data):
        if self.open and not self.open[-1][1]:
            self.lines[-1] += data
            if self.open[-1][0] == "code":
                self.code.append(data)


@cache
def made(game: str, variant: str) -> GamePages:
    return make(game, (variant,) if variant else ())


@cache
def written(game: str, variant: str) -> str:
    pages = made(game, variant)
    return html.write_html(pages.title, pages.rulebook)


@cache
def view(game: str, variant: str = "") -> View:
    return View(written(game, variant))


@cache
def lesson(game: str, variant: str) -> View:
    pages = made(game, variant)
    return View(html.write_html(pages.title, pages.learn))


WRONG = {
    "an identifier": r"\b[A-Za-z]+_\w|\b[a-z]+[A-Z]",
    "an operator": r"#|==|!=|<=|>=|\+=|-=|=>|&&|\|\|",
    "an index": r"\w\[|\]",
    "code": r"`",
    "a clause": r"@[A-Z]|\b[A-Z]-A?\d\d\b",
    "a value that is none": r"^none$|\b(is|are|or|:) none$",
    "a piece": r"\b[Pp]ieces?\b",
    "an article twice": r"\b(a|an|the|The|your) (a|an|the|your)\b",
    "a wrong article": r"\b[Aa] [AEIOaeio]\w|\b[Aa]n [bcdfgjklmnpqrstvwxzBCDFGJKLMNPQRSTVWXZ]\w",
    "a wrong plural": r"(?<![-−])\b1 (?!less|plus|minus)[a-z]+s\b",
    "a wrong verb": r"\bthe (fewest|most) wins\b|\b(you|they) (is|has)\b",
    "a term": r": a (term|rule|table|zone)\b",
}
FINE = re.compile(r"\b[Aa] (one|once|eu|uni|use)\w*")


@pytest.mark.parametrize("look", [view, lesson], ids=["law", "learn"])
@pytest.mark.parametrize(("game", "variant"), few(GAMES, 3))
def test_a_page_is_plain_english(game, variant, look):
    found = look(game, variant)
    wrong = [
        (what, line)
        for what, pattern in WRONG.items()
        for line in found.lines
        if re.search(pattern, FINE.sub("", line))
    ]

    assert len(found.lines) > 15
    assert wrong == []
    assert found.code == []


@pytest.mark.parametrize(("game", "variant"), few(GAMES, 3))
def test_no_word_is_broken_by_what_marks_it(game, variant):
    page = written(game, variant)

    assert re.findall(r"[a-z]<(?:span|a|strong)\b[^>]*>[a-z]|[a-z]</(?:a|strong)>[a-z]", page) == []


@pytest.mark.parametrize("game", few(SHIPPED, 2))
def test_a_page_begins_with_what_it_is_about_and_how_one_wins(game):
    lines = view(game).lines
    start = lines.index(read_game(loading.find_rules(game)).title, 1)

    assert lines[start + 2].startswith("How to win.")
    assert lines[start + 3] == "Players"


def test_the_box_is_believed_and_advice_is_given():
    lines = view("siegel.rules").lines

    assert lines[lines.index("Time") + 1] == "30 minutes"
    assert lines[lines.index("Ages") + 1] == "10 and up"
    assert "75 cards, 27 seals and 1 saboteur" in lines
    assert any(line.startswith("Take the saboteur when you have few cards") for line in lines)


def test_cells_conditions_and_ranking_are_in_words():
    lines = view("siegel.rules").lines

    assert any(", less the black seals taken, but never less than 0" in each for each in lines)
    assert "penalty points for its kind of seal for each of your seals, added up" in lines
    assert "Number of seals of that colour in the stock" in lines
    assert "Whoever has the lowest score wins." in view(str(STORIES / "trick.rules")).lines
    assert any("if your hand is empty" in line for line in view(str(STORIES / "bluff.rules")).lines)


def test_bookkeeping_is_left_out_and_the_rest_has_its_words():
    lines = view("sins.rules").lines

    assert "Stones beside the Abyss" in lines
    assert not any(line.startswith("Hell, one for each") for line in lines)


def test_a_glossary_has_a_sentence_for_each_word():
    page = re.sub(
        r'<div class="rs-formal">.*?</div>', "", written("sins.rules", ""), flags=re.DOTALL
    )
    rows = re.findall(r'<tr><td><strong><a[^>]*><span[^>]*id="term-.*?</tr>', page)

    assert len(rows) > 10
    for row in rows:
        _, meaning, used = (re.sub("<[^>]*>", "", cell) for cell in row.split("</td><td>"))
        assert meaning.endswith((".", "…", "?")), row
        assert "oarders" not in used


def test_an_overlay_names_its_own_author_and_that_of_its_base(tmp_path):
    path = tmp_path / "ours.rules"
    path.write_text('extends "sins.rules"\ngame "Ours" by "Ada"\n', "utf-8")
    lines = view(str(path)).lines

    assert lines[lines.index("Author") + 1] == "Ada"
    assert lines[lines.index("Builds on") + 1] == "7 – The Sins, by David Spada"
