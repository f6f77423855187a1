"""The page about the fast engine shows what is written: `make accept` writes it again."""

import doctest
import os
import re
from pathlib import Path

from games import from_text
from interpreter.wasm.programs import show_program
from rulespec.core.printer import print_core
from rulespec.elaboration.programs import elaborate_program

PAGE = Path(__file__).parent.parent / "docs/engine.md"
BLOCK = re.compile(r'^```(\w+) title="([^"]*)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def part(text: str, first: str, after: str) -> str:
    """The lines from one that begins so, as long as they are no part of what comes after."""
    begin = text.index(first)
    found = re.compile(after, re.MULTILINE).search(text, begin + 1)
    return text[begin : found.start() if found else None].rstrip() + "\n"


def test_the_page_shows_what_was_written_by_the_engine():
    page = PAGE.read_text("utf-8")
    text = next(text for mark, _, text in BLOCK.findall(page) if mark == "rules")
    game = from_text(text)
    core = print_core(elaborate_program(game.program.declared))
    module = show_program(game.machine(2))
    made = {
        "high.rules": text,
        "core of turn": part(core, "block turn(", r"^\S"),
        "module, turn": re.sub(
            r"# \S+:(\d+: )", r"# high.rules:\1", part(module, "fn rule turn(", r"^fn ")
        ),
    }
    shown = BLOCK.sub(lambda block: f'```{block[1]} title="{block[2]}"\n{made[block[2]]}```', page)
    if os.environ.get("ACCEPT"):
        PAGE.write_text(shown, "utf-8")
        return

    assert {title for _, title, _ in BLOCK.findall(page)} == set(made)
    assert page == shown


def test_the_page_names_every_module():
    package = PAGE.parent.parent / "interpreter/wasm"
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    table = PAGE.read_text("utf-8").split("## From text to bytes")[1].split("## Hosts")[0]
    cells = [line.split("|")[2] for line in table.splitlines() if line.count("|") == 3]

    assert modules | {"operations"} == set(re.findall(r"`(\w+)`", " ".join(cells[1:])))


def test_the_example_of_the_page_runs():
    text = "\n".join(EXAMPLE.findall(PAGE.read_text("utf-8")))
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, None, 0)
    found = doctest.DocTestRunner().run(examples, out=lambda _: None)

    assert found.attempted
    assert not found.failed
