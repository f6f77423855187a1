"""Every file that a comment, a docstring or a page names is there.

Named is what begins with a folder of this repository and ends like a file, `docs/language/8-expressions.md`,
and what stands in backticks and ends like a file of ours: `checking/layers.py`, `printer.py`. Such a name may
begin anywhere in the tree, and a star in it stands for anything.
"""

import ast
import io
import re
import tokenize
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOP = (".ci", ".github", "benchmarks", "docs", "games", "interpreter", "rulespec", "tests")
GENERATED = ("docs/games/", "docs/playground/node_modules/")
FILES = [
    path
    for top in TOP
    for file in sorted((ROOT / top).rglob("*"))
    if file.is_file()
    and "__pycache__" not in file.parts
    and not (path := file.relative_to(ROOT).as_posix()).startswith(GENERATED)
]
ENDINGS = {
    "/".join(parts[n:]) for file in FILES for parts in [file.split("/")] for n in range(len(parts))
}
WHOLE = re.compile(rf"(?<![\w/.*-])(?:{'|'.join(map(re.escape, TOP))})/[\w./*-]*\w\.[a-z]+\b")
QUOTED = re.compile(r"`((?:[\w*-]+/)*[\w*-]+\.(?:py|lark|ts|mjs))`")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")

CHAPTER = re.compile(r'docs/language/([\w-]+\.md), "([^"]+)"')

CLASSICS = [path.stem for path in sorted((ROOT / "games" / "classics").glob("*.rules"))]

# Names of files that are not here, each with the reason.
ELSEWHERE = {
    "games/index.md": "a page of the site, made from the rules when it is built",
    ".github/workflows/rules.yml": "laid out in a repository of an author's own",
    "games/sins/law.md": "a page of the site, made from the rules when it is built",
    **{
        f"games/{game}/index.md": "a page of the site, made from the rules when it is built"
        for game in ("sins", "seven7s", "deadlies", "siegel", *CLASSICS)
    },
}


@cache
def _told():
    """Where something is said, and the text."""
    return [*_read_all()]


def _read_all():
    for file in FILES:
        folder = file.split("/")[0]
        if file.endswith(".py") and folder in ("rulespec", "interpreter", "tests"):
            yield file, "\n".join(_comments((ROOT / file).read_text()))
        elif file.endswith(".md") and (folder == "docs" or file.endswith("README.md")):
            yield file, (ROOT / file).read_text()
    yield "README.md", (ROOT / "README.md").read_text()


def _comments(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def _is_there(name):
    if "*" in name:
        return any(fnmatchcase(file, name) or fnmatchcase(file, f"*/{name}") for file in FILES)
    return name in ENDINGS


def test_files_that_are_named_are_there():
    named = {
        (file, name)
        for file, text in _told()
        for name in WHOLE.findall(text) + QUOTED.findall(text)
    }
    missing = {(file, name) for file, name in named if not _is_there(name)}

    assert len(named) > 200
    assert {(file, name) for file, name in missing if name not in ELSEWHERE} == set()
    assert {name for _, name in missing} == ELSEWHERE.keys()


def test_chapters_have_the_headings_by_which_they_are_named():
    named = {each for _, text in _told() for each in CHAPTER.findall(" ".join(text.split()))}
    headings = {
        (chapter, heading)
        for chapter, _ in named
        for heading in re.findall(
            r"^##+ ([^{\n]+?) *(?:\{.*)?$",
            (ROOT / "docs/language" / chapter).read_text(),
            re.MULTILINE,
        )
    }

    assert named - headings == set()


def test_links_of_readmes_lead_somewhere():
    """Those of `docs/` are followed when the site is built."""
    readmes = ["README.md", *(file for file in FILES if file.endswith("README.md"))]
    links = [(file, to) for file in readmes for to in LINK.findall((ROOT / file).read_text())]

    assert [each for each in links if not ((ROOT / each[0]).parent / each[1]).exists()] == []


def test_the_list_of_the_engine_is_complete():
    text = (ROOT / "interpreter/README.md").read_text()
    parts = [each for each in (ROOT / "interpreter").iterdir() if not each.name.startswith("_")]
    modules = {f"{each.name}/" if each.is_dir() else each.name for each in parts}
    listed = {
        name
        for line in text.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([^`]+)`", line.split("|")[1])
    }

    assert listed == modules - {"README.md", "py.typed"}
