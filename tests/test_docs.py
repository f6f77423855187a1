"""The documentation says what the grammar and the parser say.

Every rule of the grammar has one heading, in the grammar's order, and shows its line; every program on
a page parses; what the tutorial shows is what the file and the command say.
"""

import doctest
import re
from itertools import pairwise
from pathlib import Path

import pytest

from rulespec import rendering
from rulespec.diagnostics import MOST_MISTAKES
from rulespec.source import Source
from rulespec.syntax.automaton import DEEPEST
from rulespec.syntax.formatter import format_source
from rulespec.syntax.parser import parse
from rulespec.syntax.scanner import LONGEST_NAME, LONGEST_TEXT, lexis

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
GRAMMAR = ROOT / "rulespec" / "syntax" / "grammar.lark"
TUTORIAL = DOCS / "tutorial" / "first-game.md"
WELL = DOCS / "tutorial" / "well.rules"
PYTHON = DOCS / "python.md"

PAGES = sorted(DOCS.glob("**/*.md"))
CHAPTERS = sorted(DOCS.glob("language/[0-9]-*.md"))

# Headings about what the grammar leaves to the scanner and to the layout of lines.
NOT_IN_THE_GRAMMAR = {
    "lexis.characters",
    "lexis.comments",
    "lexis.grammar",
    "lexis.indentation",
    "lexis.lines",
    "lexis.numbers",
    "lexis.reserved",
    "limits.syntax",
}

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ID = re.compile(r'\{ #(\w+\.\w+) \}$|^<a id="(\w+\.\w+)"></a>$', re.MULTILINE)
GRAMMAR_RULE = re.compile(r"^(\??[a-z_]+):(.*(?:\n +\|.*)*)", re.MULTILINE)
SNIPPET = re.compile(r'^--8<-- "([\w./-]+)(?::(\d+):(\d+))?"$', re.MULTILINE)


def grammar_rules(text: str) -> dict[str, str]:
    """The rules of a piece of grammar, by name; those that only choose have a `?`."""
    return {name: " ".join(body.split()) for name, body in GRAMMAR_RULE.findall(text)}


def ids(page: Path) -> list[str]:
    """The ids of a page that consist of a chapter and a rule, in order."""
    return [one or other for one, other in ID.findall(page.read_text("utf-8"))]


def rule_of(identifier: str) -> str:
    return identifier.partition(".")[2]


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page that are marked as being in a language, with what they include."""
    found = FENCE.findall(page.read_text("utf-8"))
    return [SNIPPET.sub(included, text) for mark, text in found if mark == language]


def included(snippet: re.Match[str]) -> str:
    """The lines that stand on the site in place of a snippet."""
    file, first, last = snippet.groups()
    lines = (ROOT / file).read_text("utf-8").splitlines()
    return "\n".join(lines[int(first) - 1 : int(last)] if first else lines)


def report(text: str, name: str = "text") -> str:
    """All that `rulespec check` would report about a text."""
    return "\n".join(map(rendering.render, parse(Source(name, text)).diagnostics))


# ---- The reference and the grammar ---------------------------------------------------------------


def test_every_grammar_rule_has_a_heading() -> None:
    wanted = [name for name in grammar_rules(GRAMMAR.read_text("utf-8")) if name[0] != "?"]
    found = [rule_of(each) for page in CHAPTERS for each in ids(page)]

    assert len(wanted) > 100
    assert {name: found.count(name) for name in wanted} == dict.fromkeys(wanted, 1)


def test_every_heading_is_a_grammar_rule() -> None:
    known = {name.lstrip("?") for name in grammar_rules(GRAMMAR.read_text("utf-8"))}
    found = {each for page in CHAPTERS for each in ids(page)}
    strangers = {each for each in found if rule_of(each) not in known}

    assert strangers == NOT_IN_THE_GRAMMAR


def test_headings_follow_the_order_of_the_grammar() -> None:
    found = [each for page in CHAPTERS for each in ids(page) if not each.startswith("lexis.")]
    names = [rule_of(each) for each in found]
    order = [name for name in grammar_rules(GRAMMAR.read_text("utf-8")) if name in names]

    assert order == [name for name in names if name in order]


def test_headings_show_the_lines_of_the_grammar() -> None:
    shown = [block for page in CHAPTERS for block in blocks(page, "lark")]

    assert grammar_rules(GRAMMAR.read_text("utf-8")) == grammar_rules("\n".join(shown))


def test_the_reserved_words_are_those_of_the_grammar() -> None:
    listed = blocks(DOCS / "language" / "1-lexis.md", "text")[0].split()

    assert sorted(lexis().reserved) == listed


def test_the_limits_are_those_of_the_parser() -> None:
    page = (DOCS / "language" / "1-lexis.md").read_text("utf-8")
    characters, name, levels, mistakes, digits = (
        int(value.replace(",", ""))
        for value in re.findall(r"^\| .* \| ([\d,]+) \|$", page, re.MULTILINE)
    )

    assert (characters, name) == (LONGEST_TEXT, LONGEST_NAME)
    assert (levels, mistakes) == (DEEPEST, MOST_MISTAKES)
    assert report("let n = " + digits * "9") == ""
    assert report("let n = 1" + digits * "0") != ""


# ---- Programs ------------------------------------------------------------------------------------

PROGRAMS = [
    pytest.param(f"{page.relative_to(ROOT)}, program {number}", text, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, text in enumerate(blocks(page, "rules"), 1)
]
FILES = sorted(DOCS.glob("**/*.rules"))


def test_there_are_pages_and_programs() -> None:
    assert len(CHAPTERS) == 9
    assert len(PROGRAMS) > 100
    assert WELL in FILES


@pytest.mark.parametrize(("name", "text"), PROGRAMS)
def test_every_program_on_a_page_parses(name: str, text: str) -> None:
    assert report(text, name) == ""


def test_programs_on_pages_are_in_canonical_form() -> None:
    # The chapter on lexis shows how lines may be broken.
    pages = [page for page in PAGES if page.stem != "1-lexis"]
    programs = [Source(page.stem, text) for page in pages for text in blocks(page, "rules")]

    assert [each.text for each in programs] == [format_source(each) for each in programs]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_of_rules_in_the_docs_parses(file: Path) -> None:
    assert report(file.read_text("utf-8"), file.name) == ""


# ---- Python --------------------------------------------------------------------------------------


def test_what_the_page_about_python_shows_is_what_happens() -> None:
    text = "\n".join(blocks(PYTHON, "python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, PYTHON.name, None, 0)
    told: list[str] = []
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=told.append)

    assert found.attempted > 40
    assert "".join(told) == ""


# ---- The tutorial --------------------------------------------------------------------------------


def test_the_steps_of_the_tutorial_make_up_its_file() -> None:
    lines = WELL.read_text("utf-8").splitlines()
    steps = TUTORIAL.read_text("utf-8").partition("## When something is wrong")[0]
    shown = [(int(first), int(last)) for _, first, last in SNIPPET.findall(steps)]
    between = [lines[last : first - 1] for (_, last), (first, _) in pairwise(shown)]

    assert (1, len(lines)) == (shown[0][0], shown[-1][1])
    assert between == [[""]] * (len(shown) - 1)


def test_the_file_of_the_tutorial_is_in_canonical_form() -> None:
    text = WELL.read_text("utf-8")
    untidy = next(block for block in blocks(TUTORIAL, "text") if block.startswith("table"))

    assert text == format_source(Source("well.rules", text))
    assert format_source(Source("untidy", untidy)) in text


def test_the_tutorial_shows_the_mistakes_as_they_are_reported() -> None:
    page = TUTORIAL.read_text("utf-8")
    text = WELL.read_text("utf-8")
    slips = {
        "  fits = card.colour == top(well).colour\n": "  fits = card.colour = top(well).colour\n",
        "  5, 6   => 2\n": "  5 or 6 => 2\n",
    }
    for right, wrong in slips.items():
        assert right in text
        assert wrong in blocks(TUTORIAL, "text")
        text = text.replace(right, wrong)

    assert f"$ rulespec check well.rules\n{report(text, 'well.rules')}\n1 file" in page
