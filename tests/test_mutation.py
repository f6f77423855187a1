"""Changing one thing in the rules at a time: what the rules' own examples and invariants notice."""

from collections import Counter

import pytest

from interpreter.mutation import judge, try_mutants
from rulespec import loading
from rulespec.mutants import mutants, mutate
from rulespec.source import Source
from rulespec.syntax.parser import parse

GAMES = ["sins.rules", "seven7s.rules", "siegel.rules", "deadlies.rules"]
NOTICED = 0.9  # of the mutants that check

SMALL = """\
game "Small"
players 2
zones  | order | seen by
  pile | pile  | everyone
  heap | pool  | everyone
pieces  | copies
  Token | 3
let double(n: 0..9) = 2 * n
rule setup
  move top(box, 2) to pile
rule play
  if #pile > 0: move pile to heap
example "Twice"
  expect double(2) == 4
example "All go to the heap"
  given pile = [2 * Token]
  when play()
  expect #heap == 2
"""


def test_mutants_differ_from_the_text_and_from_each_other() -> None:
    source = Source("small.rules", SMALL)
    texts = [mutate(mutant).text for mutant in mutants(source)]

    assert len(texts) >= 10
    assert SMALL not in texts
    assert len(set(texts)) == len(texts)


def test_examples_and_invariants_are_left_alone() -> None:
    source = Source("small.rules", SMALL)
    begin = SMALL.index("example")

    assert all(mutant.span.start < begin for mutant in mutants(source))


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_change_is_made_in_a_shipped_game(name: str) -> None:
    kinds = {mutant.what for mutant in mutants(loading.read(name))}

    assert {
        "a number",
        "a zone",
        "a comparison",
        "a visibility",
        "a statement",
        "two rows",
    } <= kinds


@pytest.mark.parametrize("name", GAMES)
def test_mutants_of_a_shipped_game_can_be_parsed(name: str) -> None:
    for mutant in mutants(loading.read(name))[::7]:
        assert parse(mutate(mutant)).file is not None, mutant.change


def test_a_change_that_an_example_pins_is_noticed(tmp_path) -> None:
    path = tmp_path / "small.rules"
    path.write_text(SMALL)
    source = loading.read(str(path))
    outcomes = {each.mutant.change: each for each in try_mutants(path, source, jobs=1)}

    assert outcomes["`2` becomes `3`"].fate == "survives"  # nothing is said about the setup
    assert outcomes["`*` becomes `+`"].fate == "survives"  # 2 + 2 is 4 as well
    assert outcomes["`heap` becomes `pile`"].by == 'example "All go to the heap"'


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_nine_of_ten_changes_of_a_shipped_game_are_noticed(name: str) -> None:
    path = loading.find(name)
    counts = Counter(judge(path, mutant).fate for mutant in mutants(loading.read(name)))

    assert counts["killed"] >= NOTICED * (counts["killed"] + counts["survives"]), counts
