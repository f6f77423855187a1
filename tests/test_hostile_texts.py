"""No text makes the parser or the checks raise anything but a diagnostic."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile_bytes
from rulespec.checks import check
from rulespec.limits import DEEPEST, MOST_MISTAKES
from rulespec.loading import decode
from rulespec.rendering import diagnostic_json, render
from rulespec.source import Source
from rulespec.syntax.formatter import format_source
from rulespec.syntax.parser import parse
from sizes import few, some

SOAK = some(100_000)
CHUNK = some(5_000)


def check_text(source: Source) -> None:
    parsed = parse(source)
    assert (parsed.file is None) == bool(parsed.diagnostics)
    assert len(parsed.diagnostics) <= MOST_MISTAKES + 1
    for diagnostic in parsed.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(source.text)
        assert diagnostic.code.number in render(diagnostic)
        assert diagnostic_json(diagnostic)["start"]["line"] >= 1
    if parsed.file is not None:
        for diagnostic in check(Path("hostile.rules"), source).diagnostics:
            assert diagnostic.code.number in render(diagnostic)
        canonical = format_source(source)
        assert isinstance(canonical, str)
        again = parse(Source("again.rules", canonical))
        assert again.file == parsed.file, source.text
        assert format_source(Source("again.rules", canonical)) == canonical, source.text


@given(st.integers(0, SOAK - 1))
def test_no_hostile_text_breaks_the_parser(number):
    check_text(decode("hostile.rules", hostile_bytes(number)))


@given(st.text())
def test_no_text_at_all_breaks_the_parser(text):
    check_text(Source("hostile.rules", text))


@given(st.binary())
def test_no_bytes_break_the_parser(content):
    check_text(decode("hostile.rules", content))


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, SOAK, CHUNK))
def test_very_many_hostile_texts(first):
    for number in range(first, first + CHUNK):
        try:
            check_text(decode("hostile.rules", hostile_bytes(number)))
        except Exception as error:
            raise AssertionError(f"hostile_bytes({number})") from error


LARGE = (
    "(" * 290_000,
    "(\n" * 149_000,
    '"' * 299_999,
    "`\n" * 149_000,
    "let x = " + "not " * 70_000 + "yes",
    "let x = " + "+".join(["1"] * 140_000),
    "let x = " + "9" * 290_000,
    "let x = " + "(a of+" * 48_000,
    "@" * 290_000,
    "a" * 290_000,
    "\n" * 299_999,
    "-- a" + "\u0301" * 140_000 + "\u0327" * 140_000,
    "\n".join(" " * depth + "if x" for depth in range(700)),
    "rule r\n" + "  shuffle deck\n" * 18_000,
    "table t\n" + "1=>1\n" * 55_000,
    "rule t\n" + "move a to b\n" * 24_000,
    "rule t\n if a: end\n" + " else if a: end\n" * 18_000,
    "rule t\n if )\n" + " else\n" * 40_000,
    "table t\n a => b\n " + "k" * 59 + " => 1\n" + " 1 | 2 => 1 | 2\n" * 18_000,
    'omit @X-1 ""--\n' * 18_000,
    'omit @X-1 ""\n--\n' * 18_000,
    "enum E = " + ", ".join(f"m{number}" for number in range(40_000)),
    "let a = f(" + "b, " * 90_000 + "c)",
    "x" * 300_001,
)


@pytest.mark.parametrize("text", few(LARGE, 5), ids=range(len(LARGE)))
def test_sizes_have_limits_that_hold(text):
    source = Source("large.rules", text)
    parsed = parse(decode("large.rules", text.encode()))
    for diagnostic in parsed.diagnostics:
        assert len(render(diagnostic)) < 2_000
    if parsed.file is not None:
        assert isinstance(format_source(source), str)
        found = check(Path("large.rules"), source).diagnostics
        assert len(found) <= MOST_MISTAKES + 1


def test_the_deepest_tree_can_still_be_printed():
    text = "let n = " + "-(" * (DEEPEST - 3) + "1" + ")" * (DEEPEST - 3)
    deeper = "let n = " + "-(" * (DEEPEST + 3) + "1" + ")" * (DEEPEST + 3)

    assert isinstance(format_source(Source("deep.rules", text)), str)
    assert [each.code.number for each in parse(Source("deep.rules", deeper)).diagnostics] == [
        "RS112"
    ]
