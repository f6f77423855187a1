"""Colours for files of rules: all of the text, every kind of token, and keywords only where they are."""

from pathlib import Path

import pytest
from attrs import fields, has
from hypothesis import given
from hypothesis import strategies as st
from pygments import token as colours
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename

from rulespec import codes
from rulespec.highlighting import RulesLexer
from rulespec.source import Source
from rulespec.syntax import nodes, parse_tables
from rulespec.syntax.parser import parse
from rulespec.syntax.scanner import scan

ROOT = Path(__file__).parent.parent
FILES = sorted(
    [
        *ROOT.glob("games/**/*.rules"),
        *ROOT.glob("rulespec/std/*.rules"),
        *ROOT.glob("docs/tutorial/*.rules"),
        *ROOT.glob("tests/accepted/*.rules"),
    ]
)
WORDS = (colours.Keyword, colours.Operator.Word)


def coloured(text):
    return list(RulesLexer().get_tokens_unprocessed(text))


def name_starts(tree):
    """Where the names of a tree stand."""
    if isinstance(tree, nodes.Name):
        return {tree.span.start}
    if isinstance(tree, tuple):
        return set().union(*map(name_starts, tree))
    if has(type(tree)) and type(tree).__module__ == nodes.__name__:
        return name_starts(tuple(getattr(tree, each.name) for each in fields(type(tree))))
    return set()


def is_word(colour):
    return any(colour in each for each in WORDS)


def test_there_are_files():
    assert len(FILES) >= 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_token_of_a_file_has_its_colour(path):
    text = path.read_text("utf-8")
    pieces = coloured(text)

    assert text == "".join(piece for _, _, piece in pieces)
    assert [piece for _, colour, piece in pieces if colour is colours.Error] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_word_is_a_keyword_where_the_tree_has_no_name(path):
    source = Source(path.name, path.read_text("utf-8"))
    names = name_starts(parse(source).file)
    words = {token.start for token in scan(source).tokens if token.text[0].isalpha()}
    found = {start for start, colour, _ in coloured(source.text) if is_word(colour)}

    assert words - names == found


def test_the_files_show_every_kind_of_token():
    tokens = [token for path in FILES for token in scan(Source("", path.read_text("utf-8"))).tokens]
    keywords = {each.text for each in tokens if each.text[0].isalpha()}
    kinds = {each.kind for each in tokens}
    wanted = parse_tables.load_tables().terminals

    assert {each.pattern for each in wanted if each.role == "word"} <= keywords
    assert {each.name for each in wanted if each.role != "word" and each.name[0] != "_"} <= kinds


@pytest.mark.parametrize("code", codes.ALL, ids=lambda code: code.number)
def test_wrong_texts_are_shown_as_they_stand(code):
    for text in (code.wrong, code.right):
        assert text == "".join(piece for _, _, piece in coloured(text))


@given(st.text(max_size=200))
def test_no_text_loses_a_character(text):
    assert text == "".join(piece for _, _, piece in coloured(text))


def test_a_few_lines_out_of_a_file_are_read_as_what_they_are():
    row = "  hand[Player]   | pool  | owner\n"
    pick = "    Ada picks blue 2 of [green 5, blue 2]\n"

    assert [piece for _, colour, piece in coloured(row) if is_word(colour)] == ["pool", "owner"]
    assert [piece for _, colour, piece in coloured(pick) if is_word(colour)] == ["picks", "of"]


def test_what_is_no_part_of_the_language_is_marked():
    pieces = coloured("let n = 1 ¿ 2\n")

    assert [piece for _, colour, piece in pieces if colour is colours.Error] == ["¿"]


def test_installing_the_package_registers_the_lexer():
    assert isinstance(get_lexer_by_name("rules"), RulesLexer)
    assert isinstance(get_lexer_for_filename("games/sins.rules"), RulesLexer)
