"""The chapter on semantics and the engine are one text in two forms: the same rules under the same names.

A rule is a heading with an id in the chapter, and a comment `# [chapter.rule]` above what implements it.
"""

import importlib.util
import re
from collections import Counter
from pathlib import Path

import pytest
from attrs import frozen

from interpreter.chance import draw, shuffle
from interpreter.flat import Instruction
from interpreter.operations import BUILDERS

ROOT = Path(__file__).parent.parent
CHAPTER = (ROOT / "docs/language/13-semantics.md").read_text("utf-8")
PACKAGES = ("interpreter", "rulespec/elaboration", "rulespec/core")
MODULES = sorted(path for name in PACKAGES for path in ROOT.glob(f"{name}/**/*.py"))

HEADING = re.compile(r"^### .+ \{ #([a-z]+\.[a-z_]+) \}$", re.MULTILINE)
TAG = re.compile(r"^ *# \[([a-z]+\.[a-z_]+)\]\n( *\S.*)$", re.MULTILINE)
ANYTHING_LIKE_A_TAG = re.compile(r"# ?\[\w+\.\w+\]")


@frozen
class Tag:
    """A comment that names a rule, and the line below it."""

    rule: str
    module: str
    below: str


def tags() -> list[Tag]:
    return [
        Tag(rule, str(module.relative_to(ROOT)), below.strip())
        for module in MODULES
        for rule, below in TAG.findall(module.read_text("utf-8"))
    ]


def section(rule: str) -> str:
    """What stands under the heading of a rule."""
    return CHAPTER.partition(f"{{ #{rule} }}\n")[2].partition("\n##")[0]


def first_column(text: str) -> list[str]:
    """The names in the first column of a table."""
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def test_there_are_rules():
    assert len(HEADING.findall(CHAPTER)) > 80


def test_every_rule_of_the_chapter_has_one_place_in_the_engine():
    headings = HEADING.findall(CHAPTER)

    assert sorted(set(headings)) == sorted(headings)
    assert sorted(headings) == sorted(tag.rule for tag in tags())


def test_no_tag_is_misspelt():
    found = Counter(tag.module for tag in tags())
    texts = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in MODULES}
    likely = Counter({name: len(ANYTHING_LIKE_A_TAG.findall(text)) for name, text in texts.items()})

    assert +likely == found


def test_tags_stand_above_code():
    assert [tag for tag in tags() if tag.below.startswith("#")] == []


def test_the_site_shows_the_code_of_every_rule():
    """Below each rule, from the line that its comment stands above."""
    spec = importlib.util.spec_from_file_location("excerpts", ROOT / "docs/excerpts.py")
    excerpts = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(excerpts)
    found, page = excerpts.excerpts(), excerpts.add_code(CHAPTER)
    rules = {tag.rule: tag for tag in tags()}

    assert found.keys() == rules.keys()
    assert page.count('??? quote "In the engine: ') == len(rules)
    for rule, (file, line, code) in found.items():
        shown = (ROOT / file).read_text("utf-8").splitlines()[line - 1].strip()
        assert file == rules[rule].module
        assert code.startswith(shown)
        assert len(code.splitlines()) <= excerpts.MOST
    move = page.partition("{ #step.move }")[2].partition("\n### ")[0]
    assert "    def move(s: State, f: Frame) -> None:" in move
    with pytest.raises(KeyError):
        excerpts.add_code("### Nothing { #step.nothing_at_all }\n\nText.\n")


def test_the_chapter_lists_every_operation():
    listed = first_column(section("code.operation"))

    assert sorted(BUILDERS) == sorted(listed)


def test_the_chapter_lists_every_instruction():
    listed = first_column(section("code.instruction"))

    assert sorted(each.__name__ for each in Instruction.__args__) == sorted(listed)


def test_links_within_the_chapter_lead_somewhere():
    anchors = {*HEADING.findall(CHAPTER), *re.findall(r"^## (\w+)$", CHAPTER.lower(), re.MULTILINE)}

    assert set(re.findall(r"\]\(#([\w.]+)\)", CHAPTER)) <= anchors


def test_every_module_of_the_engine_is_in_its_readme():
    text = (ROOT / "interpreter/README.md").read_text("utf-8")
    modules = {path.name for path in ROOT.glob("interpreter/*.py")} - {"__init__.py"}

    assert {name for name in modules if f"`{name}`" not in text} == set()


def test_chance_gives_the_numbers_of_the_chapter():
    rng, drawn = 0, []
    for _ in range(3):
        rng, bits = draw(rng)
        drawn.append(f"{bits:016x}")

    assert re.findall(r"`([0-9a-f]{16})`", section("chance.next")) == drawn
    assert " ".join(map(str, shuffle(7, range(10))[1])) in section("chance.shuffle")
