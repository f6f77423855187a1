"""The rules of the semantics -> the code that implements each, to stand below it on the page.

A comment such as `# [step.move]` stands above what implements a rule; `tests/test_semantics.py` compares these
comments with the headings of the chapter. The hook of the site folds the code below each heading.
"""

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parent.parent
PACKAGES = ("interpreter", "rulespec/core", "rulespec/elaboration")
TAG = re.compile(r"^ *# \[([a-z]+\.[a-z_]+)\]$", re.MULTILINE)
HEADING = re.compile(r"^### .+ \{ #([a-z]+\.[a-z_]+) \}$", re.MULTILINE)
MOST = 60  # lines; a longer piece of code is named, and shown as far as that


@cache
def excerpts() -> dict[str, tuple[str, int, str]]:
    """For each rule: the file, the line where the code begins, and the code."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).glob("**/*.py")):
            text = path.read_text("utf-8")
            tags = [(text.count("\n", 0, each.start()) + 1, each[1]) for each in TAG.finditer(text)]
            spans = _spans(text) if tags else []
            for line, rule in tags:
                first, last = _below(spans, line, text)
                code = dedent("\n".join(text.splitlines()[first - 1 : min(last, first + MOST - 1)]))
                found[rule] = (str(path.relative_to(ROOT)), first, code)
    return found


def _spans(text: str) -> list[tuple[int, int]]:
    """The first and last line of every statement and case, decorators included."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            decorators = getattr(node, "decorator_list", [])
            found.append((min(each.lineno for each in [node, *decorators]), node.end_lineno or 0))
        elif isinstance(node, ast.match_case):
            found.append((node.pattern.lineno, node.body[-1].end_lineno or 0))
    return found


def _below(spans: list[tuple[int, int]], line: int, text: str) -> tuple[int, int]:
    """The statement that begins on the next line of code; the widest, if several do."""
    lines = text.splitlines()
    first = next(
        n for n in range(line + 1, len(lines) + 1) if lines[n - 1].strip()[:1] not in ("", "#")
    )
    ends = [last for begin, last in spans if begin == first]
    return first, max(ends, default=first)


def add_code(page: str) -> str:
    """A page with the code of each of its rules below the rule's text, folded."""
    known = excerpts()
    heads = [*re.finditer(r"^##+ .*$|\Z", page, re.MULTILINE)]
    made, done = [], 0
    for head, after in pairwise(heads):
        rule = HEADING.match(head[0])
        if rule is None:
            continue
        file, line, code = known[rule[1]]
        indented = "\n".join(f"    {each}".rstrip() for each in code.splitlines())
        made += [page[done : after.start()].rstrip(), "\n\n"]
        made += [
            f'??? quote "In the engine: {file}, line {line}"\n\n    ```python\n{indented}\n    ```\n\n'
        ]
        done = after.start()
    return "".join([*made, page[done:]])
