"""The documentation says what the grammar and the parser say.

Every rule of the grammar has one heading, in the grammar's order, and shows its line, from which its
diagram is drawn; every program on a page parses; what a tutorial shows is what the command prints, file by
file and line by line. Pages about games are made when the site is built, see test_site.py.
"""

import doctest
import html
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import interpreter
import rulespec
from rulespec import rendering
from rulespec.checking.builtins import BUILT_IN
from rulespec.cli import COMMANDS
from rulespec.docgen import handbook
from rulespec.docgen.notation import (
    Concatenation,
    Keyword,
    OptionalPart,
    Repetition,
    RuleReference,
    TokenKind,
    read_rules,
)
from rulespec.docgen.railroad import KINDS, addresses, draw_rule
from rulespec.limits import DEEPEST, LONGEST_NAME, LONGEST_TEXT, MOST_MISTAKES
from rulespec.loading import MECHANISMS
from rulespec.source import Source
from rulespec.syntax import parse_tables
from rulespec.syntax.formatter import format_source
from rulespec.syntax.parser import parse
from rulespec.syntax.scanner import lexis
from sizes import few

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
GRAMMAR = ROOT / "rulespec" / "syntax" / "grammar.lark"
TUTORIAL = DOCS / "tutorial" / "first-game.md"
WELL = DOCS / "tutorial" / "well.rules"
PYTHON = DOCS / "python.md"
RESEARCH = DOCS / "research.md"

PAGES = sorted(path for path in DOCS.glob("**/*.md") if DOCS / "games" not in path.parents)
WALKS = [TUTORIAL, DOCS / "first-evening.md", DOCS / "tutorial" / "variant.md"]
WALKS += [DOCS / "tutorial" / "words.md", DOCS / "tutorial" / "verdict.md"]
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

FENCE = re.compile(r"^```(\w+)(?: title=\"[^\"]*\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TITLED = re.compile(r"^```(\w+)(?: title=\"([^\"]*)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ID = re.compile(r'\{ #(\w+\.\w+) \}$|^<a id="(\w+\.\w+)"></a>$', re.MULTILINE)
GRAMMAR_RULE = re.compile(r"^(\??[a-z_]+):(.*(?:\n +\|.*)*)", re.MULTILINE)
QUOTED = (
    DOCS / "tutorial",
    ROOT / "games",
    ROOT / "games/examples",
    ROOT,
)  # where the file is that a block quotes


def grammar_rules(text: str) -> dict[str, str]:
    """The rules of a piece of grammar, by name; those that only choose have a `?`."""
    return {name: " ".join(body.split()) for name, body in GRAMMAR_RULE.findall(text)}


def ids(page: Path) -> list[str]:
    """The ids of a page that consist of a chapter and a rule, in order."""
    return [one or other for one, other in ID.findall(page.read_text("utf-8"))]


def rule_of(identifier: str) -> str:
    return identifier.partition(".")[2]


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page that are marked as being in a language."""
    return [text for mark, text in FENCE.findall(page.read_text("utf-8")) if mark == language]


def quoted(title: str) -> Path | None:
    """The file that a block with this title quotes: `well.rules, continued`, `from sins.rules`."""
    name = title.removeprefix("from ").partition(", ")[0]
    return next((folder / name for folder in QUOTED if (folder / name).is_file()), None)


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


def test_the_built_in_names_are_listed() -> None:
    listed = blocks(DOCS / "language" / "1-lexis.md", "text")[1].split()

    assert sorted(BUILT_IN) == listed


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

# Half of the programs on the page of diagnostics are wrong; test_checking.py looks at these.
RIGHT_PAGES = [page for page in PAGES if page.stem != "diagnostics"]
PROGRAMS = [
    pytest.param(f"{page.relative_to(ROOT)}, program {number}", text, id=f"{page.stem}-{number}")
    for page in RIGHT_PAGES
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
    pages = [page for page in RIGHT_PAGES if page.stem != "1-lexis"]
    programs = [Source(page.stem, text) for page in pages for text in blocks(page, "rules")]

    assert [each.text for each in programs] == [format_source(each) for each in programs]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_of_rules_in_the_docs_parses(file: Path) -> None:
    assert report(file.read_text("utf-8"), file.name) == ""


# ---- Python --------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [PYTHON, RESEARCH], ids=lambda page: page.stem)
def test_what_a_page_about_python_shows_is_what_happens(page) -> None:
    text = "\n".join(blocks(page, "python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, None, 0)
    told: list[str] = []
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=told.append)

    assert found.attempted > 40
    assert "".join(told) == ""


# ---- The tutorial --------------------------------------------------------------------------------


def test_the_steps_of_the_tutorial_make_up_its_file() -> None:
    steps = TUTORIAL.read_text("utf-8").partition("## When something is wrong")[0]
    shown = [text for _, title, text in TITLED.findall(steps) if title.startswith("well.rules")]

    assert "\n".join(shown) == WELL.read_text("utf-8")


def test_what_pages_quote_stands_in_the_files() -> None:
    found = 0
    for page in PAGES:
        for language, title, text in TITLED.findall(page.read_text("utf-8")):
            file = quoted(title)
            if file is not None and language in ("rules", "diff"):
                assert f"\n{text}" in f"\n{file.read_text('utf-8')}", (page, title)
                found += 1

    assert found > 20


def test_the_file_of_the_tutorial_is_in_canonical_form() -> None:
    text = WELL.read_text("utf-8")
    untidy = next(block for block in blocks(TUTORIAL, "text") if block.startswith("table"))

    assert text == format_source(Source("well.rules", text))
    assert format_source(Source("untidy", untidy)) in text


def test_the_home_page_quotes_the_verdict() -> None:
    home = (DOCS / "index.md").read_text("utf-8")
    quotes = re.findall(r"^> (.*)$", home, re.MULTILINE)
    verdict = (DOCS / "tutorial" / "verdict.md").read_text("utf-8")

    assert len(quotes) == 2
    assert all(quote in verdict for quote in quotes)


@pytest.mark.soak
def test_the_quotes_are_what_the_command_of_the_home_page_says(tmp_path: Path) -> None:
    home = (DOCS / "index.md").read_text("utf-8")
    (command,) = re.findall(r"^rulespec compare .*(?:\\\n.*)*$", home, re.MULTILINE)
    said = run(command.replace("\\\n", ""), "", tmp_path)

    assert all(quote in said for quote in re.findall(r"^> (.*)$", home, re.MULTILINE))


# ---- What is typed -------------------------------------------------------------------------------


def run(command: str, typed: str, folder: Path) -> str:
    """All that a command prints, to whoever types this."""
    words = shlex.split(command)
    assert words[0] == "rulespec"
    settings = {"COLUMNS": "80", "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**os.environ, **settings, "RULESPEC_STATE": str(folder / "state")},
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return ran.stdout


def walk(page: str, folder: Path) -> str:
    """A page with what really happens to somebody who does what it says."""

    def step(block: re.Match[str]) -> str:
        language, title, text = block.groups()
        name, _, line = (title or "").partition(", line ")
        if language == "rules" and title and not title.startswith("from "):
            # What is shown from a file is typed below what has been typed of it before.
            whole = (DOCS / "tutorial" / name.removesuffix(", continued")).read_text("utf-8")
            before, shown, _ = whole.partition(text)
            (folder / name.removesuffix(", continued")).write_text(before + shown, "utf-8")
        if line:
            lines = (folder / name).read_text("utf-8").splitlines(keepends=True)
            lines[int(line) - 1] = text
            (folder / name).write_text("".join(lines), "utf-8")
        if language != "console":
            return block.group()
        command = text.split("\n")[0].removeprefix("$ ")
        typed = "".join(f"{each}\n" for each in re.findall(r"^> (.*)$", text, re.MULTILINE))
        return f"```console\n$ {command}\n{run(command, typed, folder)}```"

    return TITLED.sub(step, page)


@pytest.mark.parametrize("path", few(WALKS, 3), ids=lambda path: path.stem)
def test_whoever_does_what_the_pages_say_sees_what_they_show(path: Path, tmp_path: Path) -> None:
    page = path.read_text("utf-8")
    walked = walk(page, tmp_path)
    if os.environ.get("ACCEPT"):
        path.write_text(walked, "utf-8")
        return

    assert "$ rulespec" in page
    assert page == walked


def test_a_page_that_shows_what_is_not_printed_is_noticed(tmp_path: Path) -> None:
    page = "```console\n$ rulespec explain RS000\nall is well\n```"

    assert "there is no code `RS000`" in walk(page, tmp_path)


def test_commands_with_an_outcome_are_only_shown_where_they_are_run() -> None:
    with_consoles = {page for page in PAGES if "```console" in page.read_text("utf-8")}

    assert with_consoles == set(WALKS)


# ---- Generated pages -------------------------------------------------------------------------------


def test_generated_pages_are_those_that_would_be_generated_now() -> None:
    wanted = handbook.pages()

    assert len(wanted) >= 4
    assert wanted == {name: (DOCS / name).read_text("utf-8") for name in wanted}


def test_every_command_every_mechanism_and_every_public_name_has_its_heading() -> None:
    headings = {
        name: set(re.findall(r"\{ #([\w.]+) \}$", text, re.MULTILINE))
        for name, text in handbook.pages().items()
    }

    assert headings["commands.md"] == set(COMMANDS)
    assert headings["language/mechanisms.md"] == {path.stem for path in MECHANISMS.glob("*.rules")}
    assert {f"rulespec.{name}" for name in rulespec.__all__ if name != "__version__"} | {
        f"interpreter.{name}" for name in interpreter.__all__
    } <= headings["interface.md"]


# ---- Diagrams --------------------------------------------------------------------------------------


def test_the_notation_of_the_grammar_is_read() -> None:
    name, text = RuleReference("name"), RuleReference("text")

    assert read_rules('cell: name ["=" text] _NL') == {
        "cell": Concatenation(
            (name, OptionalPart(Concatenation((Keyword("="), text))), TokenKind("_NL"))
        )
    }
    assert read_rules("names: name (_COMMA name)*") == {"names": Repetition(name, Keyword(","))}
    assert read_rules("file: name*") == {"file": OptionalPart(Repetition(name, None))}
    assert read_rules('or: name ("or" name)+') == {
        "or": Concatenation((name, Keyword("or"), Repetition(name, Keyword("or"))))
    }


def test_a_diagram_has_all_that_its_rule_names() -> None:
    text = GRAMMAR.read_text("utf-8")
    spellings = {each.name: each.pattern for each in parse_tables.load_tables().terminals} | KINDS
    for name, rule in read_rules(text).items():
        body = grammar_rules(text).get(name) or grammar_rules(text)[f"?{name}"]
        words = re.findall(r'"([^"]+)"|(\w+)', body)
        wanted = {
            quoted or spellings.get(plain, plain.replace("_", " ")) for quoted, plain in words
        }
        drawn = re.findall(r"<text[^>]*>([^<]*)</text>", draw_rule(name, rule, addresses()))

        assert wanted == set(map(html.unescape, drawn)), name


def test_every_rule_in_a_diagram_leads_to_its_section() -> None:
    rules = read_rules(GRAMMAR.read_text("utf-8"))
    goals = set(addresses().values())
    known = {f"../{page.stem}/#{each}" for page in CHAPTERS for each in ids(page)}

    assert rules.keys() == addresses().keys()
    assert goals <= known
