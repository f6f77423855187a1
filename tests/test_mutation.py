"""Changing one thing in the rules at a time: what the rules' own examples and invariants notice."""

from collections import Counter

import pytest

from interpreter.mutation import try_mutant, try_mutants
from rulespec import loading
from rulespec.mutants import Mutant, mutants, mutate
from rulespec.source import Source, line_of, locate
from rulespec.syntax.parser import parse
from sizes import SOAKING, few
from survivors import SURVIVORS

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


def test_an_invariant_is_left_alone_where_a_variant_replaces_it() -> None:
    text = """\
game "Two"
always few: #box <= 3
variant more "More"
  override always few: #box <= 5
  override let double(n: 0..9) = 3 * n
"""
    found = [mutant.change for mutant in mutants(Source("two.rules", text))]

    assert found == ["`3` becomes `4`", "`*` becomes `+`"]


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


@pytest.mark.parametrize("name", few(GAMES, 2))
def test_mutants_of_a_shipped_game_can_be_parsed(name: str) -> None:
    some_of_them = mutants(loading.read(name))[:: 7 if SOAKING else 21]

    assert len(some_of_them) > 5
    for mutant in some_of_them:
        assert parse(mutate(mutant)).file is not None, mutant.change


def test_a_change_that_an_example_pins_is_noticed(tmp_path) -> None:
    path = tmp_path / "small.rules"
    path.write_text(SMALL)
    source = loading.read(str(path))
    outcomes = {each.mutant.change: each for each in try_mutants(path, source, jobs=1)}

    assert outcomes["`2` becomes `3`"].fate == "survives"  # nothing is said about the setup
    assert outcomes["`*` becomes `+`"].fate == "survives"  # 2 + 2 is 4 as well
    assert outcomes["`heap` becomes `pile`"].by == 'example "All go to the heap"'


def named(mutant: Mutant) -> tuple[str, str]:
    """The line of a mutant, and its change."""
    begin, _ = locate(mutant.span)
    return line_of(mutant.span.source, begin.line).strip(), mutant.change


def accepted(name: str) -> Counter[tuple[str, str]]:
    return Counter((line, change) for line, change, _ in SURVIVORS[name])


@pytest.mark.parametrize("name", GAMES)
def test_what_is_accepted_as_a_survivor_is_a_change_of_the_game(name: str) -> None:
    found = Counter(named(mutant) for mutant in mutants(loading.read(name)))

    assert all(found[each] == times for each, times in accepted(name).items())


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_every_change_of_a_shipped_game_is_noticed_or_accepted(name: str) -> None:
    path = loading.find_rules(name)
    outcomes = [try_mutant(path, mutant) for mutant in mutants(loading.read(name))]
    counts = Counter(outcome.fate for outcome in outcomes)
    print(name, dict(counts))  # noqa: T201 - shown with -s

    survivors = Counter(named(each.mutant) for each in outcomes if each.fate == "survives")
    assert accepted(name) == survivors
    assert counts["killed"] >= NOTICED * (counts["killed"] + counts["survives"]), counts
