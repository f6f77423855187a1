"""The stored tables are those of the grammar, which Lark accepts without a doubt."""

from collections.abc import Iterator

import pytest
from lark import Lark, Token, Tree

from rulespec.checking.declarations import walk
from rulespec.loading import GAMES
from rulespec.source import Source
from rulespec.syntax import automaton, tables
from rulespec.syntax.layout import lay_out
from rulespec.syntax.parser import parse
from rulespec.syntax.scanner import lexis, scan

GRAMMAR = (tables.HERE / "grammar.lark").read_text("utf-8")


def test_the_grammar_has_no_conflicts_in_strict_mode_and_the_stored_tables_are_its_own():
    made = tables.build(GRAMMAR, strict=True)

    assert (tables.HERE / "tables.json").read_text("utf-8") == tables.pack(made, GRAMMAR)
    assert tables.load() == made


def test_tables_of_another_grammar_are_not_used(tmp_path, monkeypatch):
    changed = GRAMMAR + "\n// changed\n"
    (tmp_path / "grammar.lark").write_text(changed, "utf-8")
    (tmp_path / "tables.json").write_text('{"grammar": "of something else"}', "utf-8")
    monkeypatch.setattr(tables, "HERE", tmp_path)

    assert tables.load.__wrapped__() == tables.build(GRAMMAR)


def test_every_rule_of_the_grammar_has_its_class_and_every_class_its_rule():
    rules = {each.rule for each in tables.load().productions if not each.passing}
    makes = {automaton.node_name(rule) for rule in rules if not rule.startswith("_")}
    lists = {name for name in makes if name not in automaton.NODES}

    assert makes - lists == set(automaton.NODES)
    assert {name[-1] for name in lists} <= {"s", "a"}, "what makes a tuple is a plural"


def test_every_class_is_frozen_and_has_a_span():
    for name, node in automaton.NODES.items():
        assert node.__attrs_attrs__[0].name == "span", name
        assert node.__setattr__ is not object.__setattr__, name


@pytest.mark.parametrize("path", sorted(GAMES.rglob("*.rules")), ids=lambda path: path.name)
def test_larks_own_parser_takes_the_same_steps(path):
    """Lark's driver, fed with our tokens, makes the same nodes in the same order."""
    source = Source(path.name, path.read_text("utf-8"))
    scanned = scan(source)
    lines, _ = lay_out(source, scanned.tokens, scanned.faults)
    lark = Lark(GRAMMAR, parser="lalr", start="file", maybe_placeholders=True)
    driver = lark.parse_interactive()
    columns = [0]
    for line in lines:
        if line.column > columns[-1]:
            columns.append(line.column)
            driver.feed_token(Token("_INDENT", ""))
        while line.column < columns[-1]:
            columns.pop()
            driver.feed_token(Token("_DEDENT", ""))
        for token in line.tokens:
            keyword = lexis().keywords.get(token.text) if token.kind == "NAME" else None
            kind = keyword if keyword in driver.accepts() else token.kind
            driver.feed_token(Token(kind, token.text))
        driver.feed_token(Token("_NL", ""))
    for _ in columns[1:]:
        driver.feed_token(Token("_DEDENT", ""))
    theirs = driver.feed_eof()

    ours = parse(source).file

    assert ours is not None
    assert list(nodes_of_tree(theirs)) == [type(node).__name__ for node in walk(ours)]


def nodes_of_tree(tree: Tree) -> Iterator[str]:
    name = automaton.node_name(tree.data)
    if name in automaton.NODES:
        yield name
    for child in tree.children:
        if isinstance(child, Tree):
            yield from nodes_of_tree(child)
