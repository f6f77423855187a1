"""Programs that must parse, each using a feature plainly; together they use the whole language."""

from pathlib import Path

import pytest

from rulespec.checking.declarations import walk
from rulespec.loading import GAMES, MECHANISMS
from rulespec.source import Source
from rulespec.syntax.automaton import NODES
from rulespec.syntax.formatter import format_source
from rulespec.syntax.parser import parse

ACCEPTED = sorted(Path(__file__).parent.glob("accepted/*.rules"))
SHIPPED = [*GAMES.rglob("*.rules"), *MECHANISMS.glob("*.rules")]


def test_there_are_programs():
    assert len(ACCEPTED) >= 4


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_accepted_programs_parse_and_mean_the_same_when_formatted(path):
    source = Source(path.name, path.read_text("utf-8"))
    parsed = parse(source)
    canonical = format_source(source)

    assert parsed.diagnostics == ()
    assert isinstance(canonical, str)
    assert parse(Source(path.name, canonical)).file == parsed.file


def test_every_kind_of_node_is_in_some_program():
    used: set[str] = set()
    for path in [*ACCEPTED, *SHIPPED]:
        tree = parse(Source(path.name, path.read_text("utf-8"))).file
        used.update(type(node).__name__ for node in walk(tree))

    assert set(NODES) == used
