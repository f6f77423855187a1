"""What keeps the house in order."""

import re
from pathlib import Path

import pytest

from rulespec import codes
from rulespec.cli import COMMANDS, MODULE_NAMES
from rulespec.docgen import diagnostics_page

ROOT = Path(__file__).parent.parent
MODULES = sorted([*ROOT.glob("rulespec/**/*.py"), *ROOT.glob("interpreter/**/*.py")])
SUFFIXES = {".py", ".toml", ".md", ".yml", ".txt", ".json", ".mjs", ".ts"}
TABLES = {"nodes.py", "codes.py"}  # long because the language is, not because they hold two ideas


def test_there_are_modules():
    assert len(MODULES) > 20


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_stay_small_enough_to_be_read(path):
    assert len(path.read_text("utf-8").split("\n")) <= 600 or path.name in TABLES


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_say_what_they_are_for(path):
    text = path.read_text("utf-8")

    assert text.startswith('"""') or not text


def test_generated_pages_are_up_to_date():
    page = ROOT / "docs/language/diagnostics.md"

    assert page.read_text("utf-8") == diagnostics_page()


def test_codes_are_in_order_and_none_is_used_twice():
    numbers = [code.number for code in codes.ALL]

    assert numbers == sorted(set(numbers))
    assert all(re.fullmatch(r"RS[1-9]\d\d", number) for number in numbers)


def test_every_command_has_its_module():
    modules = {path.stem for path in (ROOT / "rulespec/cli").glob("*.py")}

    shared = {
        "__init__",
        "rule_differences",
        "preflight",
        "exhibits",
        "fault_reports",
        "files",
        "laboratory",
        "lessons",
        "plain",
        "progress",
        "typed_answers",
    }
    shared |= {"seats", "sitting", "speech"}
    assert {MODULE_NAMES.get(each, each) for each in COMMANDS} == modules - shared


def test_no_file_names_a_host_or_a_path_of_this_machine():
    kept = [*ROOT.glob(".ci/*"), *ROOT.glob(".github/**/*"), *ROOT.glob("**/*")]
    kept = [path for path in kept if path.suffix in SUFFIXES]
    tracked = [path for path in kept if not {".venv", "site"} & set(path.parts)]
    assert tracked
    for path in tracked:
        if path != Path(__file__):
            assert not re.search(
                r"/(work|root)/|pypi\.org|registry\.npmjs", path.read_text("utf-8")
            ), path
