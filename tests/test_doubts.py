"""What can only be tested while playing: programs with `--? kind sentence` on the line that it is about."""

import re

import pytest

from programs import HERE, chunks
from rulespec import loading
from rulespec.checking.program import Program
from rulespec.checks import check
from rulespec.diagnostics import Diagnostic
from rulespec.source import locate

CHUNKS = dict(chunks("doubts"))
EXPECTATION = re.compile(r"--\? (\w+) (.*?)(?= +--\?|$)")


def checked(content: bytes) -> tuple[Program | None, list[Diagnostic]]:
    source = loading.decode("test.rules", content)
    found = check(HERE / "doubts" / "test.rules", source)
    return found.program, [each for each in found.diagnostics if each.severity == "error"]


def test_there_are_programs_with_doubts():
    assert len(CHUNKS) >= 5


@pytest.mark.parametrize("place", CHUNKS)
def test_a_program_leaves_the_doubts_that_it_names_and_no_others(place: str):
    lines = enumerate(CHUNKS[place].decode().split("\n"), 1)
    expected = sorted(
        (line, kind, sentence)
        for line, text in lines
        for kind, sentence in EXPECTATION.findall(text)
    )
    program, errors = checked(CHUNKS[place])
    assert errors == []
    assert program is not None
    found = sorted(
        (locate(each.span)[0].line, each.kind, each.sentence) for each in program.doubtful
    )

    assert expected == found


def test_following_the_hint_settles_a_doubt():
    text = "players 2..4\npieces | copies\n  Card | 9\nzones | order | seen by\n  deck | pile | everyone\n"
    text += "rule play\n  first chooses c from deck\n  move c to box\n"
    (doubt,) = checked(text.encode())[0].doubtful
    assert doubt.hint == "test it first: `if #deck > 0`, or write `first may choose`"
    for old, new in (
        ("first chooses c", "if #deck > 0: first chooses c"),
        ("first chooses", "first may choose"),
    ):
        program, errors = checked(text.replace(old, new).encode())

        assert (errors, program.doubtful) == ([], ())


@pytest.mark.parametrize(
    ("choice", "advice"),
    [
        ("first chooses c from deck where c.rank > 1", "`if any(c.rank > 1 for c in deck)`"),
        ("first chooses c from deck where it.rank > 1", "`if #(deck where it.rank > 1) > 0`"),
        ("first chooses n from 1..#deck", "`if 1 <= #deck`"),
        ("each q in Player chooses c[q] from hand[q]", "`each q in … where #hand[q] > 0`"),
        ("each q in Player chooses c[q] from deck", "`if #deck > 0`"),
        ("random c from deck + hand[first]", "`if #(deck + hand[first]) > 0`"),
    ],
)
def test_a_hint_is_something_to_type(choice: str, advice: str):
    text = "players 2..4\npieces | copies\n  Card(rank: 1..3) | 9\nzones | order | seen by\n"
    text += f"  deck | pile | everyone\n  hand[Player] | pool | everyone\nrule play\n  {choice}\n"
    (doubt,) = checked(text.encode())[0].doubtful

    assert advice in doubt.hint


def test_doubts_of_the_file_come_before_those_of_its_mechanisms():
    program = check(loading.find_rules("siegel.rules"), loading.read("siegel.rules")).program
    names = [each.span.source.name for each in program.doubtful]

    assert names == sorted(names, key=lambda name: "std" in name)
    assert len(set(names)) > 1
