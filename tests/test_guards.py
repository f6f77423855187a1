"""What keeps the house in order."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from rulespec import codes
from rulespec.cli import COMMANDS, MODULE_NAMES
from rulespec.docgen import diagnostics_page

ROOT = Path(__file__).parent.parent
MODULES = sorted([*ROOT.glob("rulespec/**/*.py"), *ROOT.glob("interpreter/**/*.py")])
SUFFIXES = {".py", ".toml", ".md", ".yml", ".txt", ".json", ".mjs", ".ts"}
TABLES = {"nodes.py", "codes.py"}  # long because the language is, not because they hold two ideas


# The same thing in sister packages has the same name: a pass over the tree and over the core, the reference and the fast
# engine, what is computed and how it is shown. A name that is not here stands for one module.
SISTERS = {
    "asking",
    "chance",
    "components",
    "examples",
    "explanations",
    "expressions",
    "families",
    "games",
    "lookback",
    "mending",
    "moving",
    "numbers",
    "pieces",
    "pondering",
    "printer",
    "programs",
    "sets",
    "statements",
    "steps",
    "studies",
    "subsets",
    "tables",
    "values",
    "watching",
    "wording",
    "words",
}
# The words of the language are classes of the tree, of the core, and of what the fast engine writes; the page has its own
# copy of what it is told.
STAGES = {
    "rulespec/syntax/nodes.py",
    "rulespec/core/tree.py",
    "rulespec/core/types.py",
    "rulespec/core/words.py",
    "interpreter/wasm/statements.py",
}
TWINS = {
    "Choice",
    "Clause",
    "Estimate",
    "Instance",
    "Question",
    "Scope",
    "Sight",
    "Source",
    "State",
}
# Functions that are longer than sixty lines, each with the lines that it may have: tables in the form of a `match`, and
# the loop of the parser. None may be added, and none may grow.
LONG_FUNCTIONS = {}
LONG_MODULES = {
    "rulespec/syntax/nodes.py",
}


def _functions():
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1
                yield f"{path.relative_to(ROOT)} {node.name}", lines


def test_functions_stay_short():
    long = {name: lines for name, lines in _functions() if lines > 60}

    assert {
        name: lines for name, lines in long.items() if lines > LONG_FUNCTIONS.get(name, 60)
    } == {}
    assert set(LONG_FUNCTIONS) <= set(long), "a function has become short: strike it off"


def test_no_more_modules_are_long():
    long = {
        str(path.relative_to(ROOT))
        for path in MODULES
        if len(path.read_text("utf-8").split("\n")) > 500
    }

    assert long - LONG_MODULES == set()
    assert LONG_MODULES - long == set(), "a module has become short: strike it off"


def test_a_name_means_one_module():
    counted = Counter(path.stem for path in MODULES if not path.stem.startswith("__"))
    twice = {name for name, count in counted.items() if count > 1}

    assert twice - SISTERS == set()
    assert SISTERS - twice == set(), "a name stands for one module again: strike it off"


def test_a_name_means_one_class():
    counted = Counter(
        node.name
        for path in MODULES
        if str(path.relative_to(ROOT)) not in STAGES and "protocol" not in path.parts
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    twice = {name for name, count in counted.items() if count > 1}

    assert twice - TWINS == set()
    assert TWINS - twice == set(), "a name stands for one class again: strike it off"


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
        "fault_reports",
        "files",
        "laboratory",
        "lessons",
        "plain",
        "plain_output",
        "play_data_collection",
        "play_session",
        "progress",
        "typed_answers",
    }
    shared |= {"seats"}
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
