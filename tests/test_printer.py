"""Parsing undoes printing, and formatting keeps what an author wrote."""

from pathlib import Path

import pytest
from hypothesis import given

import strategies
from rulespec.loading import GAMES, MECHANISMS
from rulespec.source import Source
from rulespec.syntax.formatter import format_source
from rulespec.syntax.parser import parse
from rulespec.syntax.printer import print_file, print_lines

SHIPPED = sorted([*GAMES.rglob("*.rules"), *MECHANISMS.glob("*.rules")])


def test_there_are_shipped_files():
    assert len(SHIPPED) >= 13


@given(strategies.files)
def test_parsing_undoes_printing(file):
    text = print_file(file)

    parsed = parse(Source("printed.rules", text))

    assert parsed.diagnostics == (), text
    assert parsed.file == file, text


@given(strategies.files)
def test_formatting_is_idempotent(file):
    text = print_file(file)

    assert format_source(Source("printed.rules", text)) == text


@given(strategies.files)
def test_every_logical_line_is_printed_as_one(file):
    text = print_file(file)

    assert len(parse(Source("printed.rules", text)).lines) == len(list(print_lines(file)))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_files_parse_and_are_canonical(path: Path):
    source = Source(path.name, path.read_text("utf-8"))

    assert format_source(source) == source.text
