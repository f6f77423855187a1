"""The page about generated code shows what is generated: `make accept` writes it anew."""

import doctest
import os
import re
from pathlib import Path
from typing import Any

import attrs

from games import from_text
from interpreter.compiled.programs import write_program
from interpreter.native.programs import write_source
from rulespec.core.tree import Op, Target

PAGE = Path(__file__).parent.parent / "docs/engine.md"
BLOCK = re.compile(r'^```(\w+) title="([^"]*)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LEFT_OUT = {"origin", "of", "type", "prompt", "decline", "under", "slot"}


def spell(value: Any) -> str:
    """Flat code, shorter than Python would print it."""
    match value:
        case Op("literal" | "slot" as name, (only,)):
            return f"{name} {only}"
        case Op(name, args):
            return f"{name}({', '.join(spell(each) for each in args if each != ())})"
        case Target(slot):
            return f"slot {slot}"
        case tuple():
            return ", ".join(map(spell, value))
    return str(value)


def flat_code(block: Any) -> str:
    lines = []
    for number, each in enumerate(block.code):
        parts = [
            f"{field.name}: {spell(getattr(each, field.name))}"
            for field in attrs.fields(type(each))
            if field.name not in LEFT_OUT and getattr(each, field.name) not in (None, False)
        ]
        lines.append(f"{number}  {type(each).__name__:<7} {'; '.join(parts)}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def between(source: str, first: str, end: str) -> str:
    """The lines from one that begins so up to one that does, less deeply indented."""
    begin = source.index(first)
    lines = source[begin : source.index(end, begin)].rstrip().splitlines()
    depth = min(len(line) - len(line.lstrip()) for line in lines if line)
    return "".join(f"{line[depth:]}\n" for line in lines)


def test_the_page_shows_what_was_written_by_the_generator():
    page = PAGE.read_text("utf-8")
    text = next(text for mark, _, text in BLOCK.findall(page) if mark == "rules")
    machine = from_text(text).machine(2)
    stepped, whole = (write_program(machine, asks=asks).text for asks in (True, False))
    choice = re.search(r"^ *# \d+: p chooses", whole, re.MULTILINE)
    made = {
        "high.rules": text,
        "flat code of turn": flat_code(machine.layout.code.blocks["turn"]),
        "generated, step by step": between(stepped, "def turn(", "\ndef do_setup("),
        "generated, C": between(
            write_source(machine),
            "// turn\n",
            "\nstatic unsigned holding(state *s, unsigned watched) {",
        ),
        "generated, whole games": between(whole, choice[0], "# 27: if not again"),
    }
    shown = BLOCK.sub(lambda block: f'```{block[1]} title="{block[2]}"\n{made[block[2]]}```', page)
    if os.environ.get("ACCEPT"):
        PAGE.write_text(shown, "utf-8")
        return

    assert {title for _, title, _ in BLOCK.findall(page)} == set(made)
    assert page == shown


def test_the_page_names_every_module():
    package = PAGE.parent.parent / "interpreter/compiled"
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    table = PAGE.read_text("utf-8").split("## Where it stands")[1]
    cells = [line.split("|")[2] for line in table.splitlines() if line.count("|") == 3]

    assert modules == set(re.findall(r"`(\w+)`", " ".join(cells[1:])))


def test_the_example_of_the_page_runs():
    text = "\n".join(EXAMPLE.findall(PAGE.read_text("utf-8")))
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, None, 0)
    found = doctest.DocTestRunner().run(examples, out=lambda _: None)

    assert found.attempted
    assert not found.failed
