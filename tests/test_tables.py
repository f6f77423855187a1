"""The stored tables are those of the grammar, which Lark accepts without a doubt."""

import re
from functools import cache

import pytest
from attrs import fields
from lark import Lark, Token, Tree

from rulespec.loading import GAMES
from rulespec.source import Source
from rulespec.syntax import automaton, nodes, parse_tables
from rulespec.syntax.logical_lines import read_lines
from rulespec.syntax.parser import parse
from rulespec.syntax.scanner import lexis, scan

GRAMMAR = (parse_tables.HERE / "grammar.lark").read_text("utf-8")


def test_the_grammar_has_no_conflicts_in_strict_mode_and_the_stored_tables_are_its_own():
    made = parse_tables.build(GRAMMAR, strict=True)

    assert (parse_tables.HERE / "tables.json").read_text("utf-8") == parse_tables.tables_text(
        made, GRAMMAR
    )
    assert parse_tables.load_tables() == made


def test_tables_of_another_grammar_are_not_used(tmp_path, monkeypatch):
    changed = GRAMMAR + "\n// changed\n"
    (tmp_path / "grammar.lark").write_text(changed, "utf-8")
    (tmp_path / "tables.json").write_text('{"grammar": "of something else"}', "utf-8")
    monkeypatch.setattr(parse_tables, "HERE", tmp_path)

    assert parse_tables.load_tables.__wrapped__() == parse_tables.build(GRAMMAR)


def test_every_rule_of_the_grammar_has_its_class_and_every_class_its_rule():
    rules = {each.rule for each in parse_tables.load_tables().productions if not each.passing}
    makes = {automaton.node_name(rule) for rule in rules if not rule.startswith("_")}
    lists = {name for name in makes if name not in automaton.NODES}

    assert makes - lists == set(automaton.NODES)
    assert {name[-1] for name in lists} <= {"s", "a"}, "what makes a tuple is a plural"


def test_every_class_is_frozen_and_has_a_span():
    for name, node in automaton.NODES.items():
        assert node.__attrs_attrs__[0].name == "span", name
        assert node.__setattr__ is not object.__setattr__, name


@cache
def larks_parser():
    return Lark(GRAMMAR, parser="lalr", start="file", maybe_placeholders=True)


@pytest.mark.parametrize("path", sorted(GAMES.rglob("*.rules")), ids=lambda path: path.name)
def test_larks_own_parser_makes_the_same_nodes(path):
    """Lark's driver, fed with our tokens, makes the same nodes of the same parts at the same places."""
    source = Source(path.name, path.read_text("utf-8"))
    scanned = scan(source)
    lines, _ = read_lines(source, scanned.tokens, scanned.faults)
    driver = larks_parser().parse_interactive()
    columns = [0]
    for line in lines:
        if line.column > columns[-1]:
            columns.append(line.column)
            driver.feed_token(Token("_INDENT", ""))
        while line.column < columns[-1]:
            columns.pop()
            driver.feed_token(Token("_DEDENT", ""))
        feed(driver, line.tokens)
        driver.feed_token(Token("_NL", ""))
    for _ in columns[1:]:
        driver.feed_token(Token("_DEDENT", ""))
    theirs = node_of_tree(driver.feed_eof())

    ours = parse(source).file

    assert ours is not None
    assert ours == theirs
    # Classes may be equal that are not the same: `repr` tells them apart, and says more when they differ.
    assert repr(ours) == repr(theirs)


def feed(driver, tokens):
    for token in tokens:
        keyword = lexis().keywords.get(token.text) if token.kind == "NAME" else None
        fits = keyword is not None and keyword in driver.accepts()
        driver.feed_token(Token(keyword if fits else token.kind, token.text))


def larks_expression(text):
    """The tree of an expression: what stands in an `always`."""
    driver = larks_parser().parse_interactive()
    feed(driver, scan(Source("hole", f"always hole: {text}")).tokens)
    driver.feed_token(Token("_NL", ""))
    (always,) = driver.feed_eof().children
    return always.children[-1]


def node_of_tree(tree):
    """What a tree of Lark means, said once more and without the tables."""
    if not isinstance(tree, Tree):
        return tree if tree is None else str(tree)
    parts = [node_of_tree(child) for child in tree.children]
    match str(tree.data):
        case "text":
            return nodes.Text(" ".join(parts[0][1:-1].split()))
        case "cite":
            first, _, last = parts[0][1:].partition("..")
            return nodes.Cite(first, last or None)
        case "integer" | "number" as rule:
            # `maybe_placeholders` leaves None where there is no sign.
            return automaton.NODES[automaton.node_name(rule)](int("".join(filter(None, parts))))
        case "relation":
            return nodes.Relation(" ".join(parts))
        case "told":
            holes = re.findall(r"{([^{}]*)}", parts[0])
            text = " ".join(parts[0][1:-1].split())
            return nodes.Told(text, tuple(node_of_tree(larks_expression(hole)) for hole in holes))
        case "more_variables":
            return tuple(parts)
        case "fold":
            function, value, *first = parts[:4]
            for name, values in reversed(parts[4:]):
                value = nodes.Fold(function, value, name, values)
            return nodes.Fold(function, value, *first)
    node = automaton.NODES.get(automaton.node_name(tree.data))
    if node is None:
        return tuple(parts)
    wanted = [each.type for each in fields(node) if each.name != "span"]
    if len(wanted) == 1 and str(wanted[0]).startswith("tuple"):
        return node(tuple(parts))
    # An alternative with fewer parts lacks the first ones; a list that is missing altogether is an empty one.
    parts = [None] * (len(wanted) - len(parts)) + parts
    return node(
        *(
            () if part is None and str(kind).startswith("tuple") else part
            for part, kind in zip(parts, wanted, strict=True)
        )
    )
