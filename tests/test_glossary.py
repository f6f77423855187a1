"""Pages that lead newcomers through the code name what is there: words, decisions, the picture of the architecture."""

import importlib.util
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[1]
DECISIONS = ROOT / "docs/decisions"
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| `(\w+)` in `([\w/]+\.py)` \|$", re.MULTILINE)


def test_each_word_is_defined_where_the_glossary_says() -> None:
    page = (ROOT / "docs/glossary.md").read_text("utf-8")
    rows = ROW.findall(page)
    missing = []
    for word, _, name, file in rows:
        defined = rf"^(?:class|def) {name}\b|^{name}(?::| =)"
        path = ROOT / file
        if not path.is_file() or not re.search(defined, path.read_text("utf-8"), re.MULTILINE):
            missing.append((word, name, file))

    assert len(rows) > 40
    assert len(rows) == len(re.findall(r"^\| (?!word|---)", page, re.MULTILINE))
    assert missing == []


def test_no_word_stands_twice() -> None:
    words = [row[0] for row in ROW.findall((ROOT / "docs/glossary.md").read_text("utf-8"))]

    assert len(set(words)) == len(words)


def test_decisions_are_listed_with_their_status() -> None:
    index = (DECISIONS / "index.md").read_text("utf-8")
    listed = re.findall(r"^\| (\d+) \| \[(.+)\]\((.+\.md)\) \| (.+) \|$", index, re.MULTILINE)
    found = []
    for path in sorted(DECISIONS.glob("0*.md")):
        text = path.read_text("utf-8")
        number, title = re.findall(r"^# (\d+) (.+)", text)[0]
        by = re.search(
            r"^\*((?:In part s|S)uperseded) by \[decision (\d+)\]\(([^)]+)\)", text, re.MULTILINE
        )
        status = "in force" if by is None else f"{by[1].lower()} by [{by[2]}]({by[3]})"
        found.append((number, title, path.name, status))

    assert listed == found
    assert len(found) > 20
    assert sum(status != "in force" for *_, status in found) >= 3


def test_the_picture_of_the_architecture_is_that_of_the_contracts() -> None:
    """It is drawn from them, and refuses an order that they do not have."""
    spec = importlib.util.spec_from_file_location("architecture", ROOT / "docs/architecture.py")
    assert spec is not None
    assert spec.loader is not None
    architecture = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(architecture)
    drawn = architecture.draw()
    texts = [each.text for each in ET.fromstring(drawn).iter() if each.text]  # noqa: S314 - it is ours

    assert drawn == architecture.PICTURE.read_text("utf-8")
    assert {package for package, *_ in architecture.PATH} <= {*texts}
    architecture.PATH = architecture.PATH[::-1]
    with pytest.raises(ValueError, match="another order"):
        architecture.draw()
