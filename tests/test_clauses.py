"""Every clause of the four rulebooks is accounted for in the rules, and none is lost on the way.

The numbers are those of the requirements that were drawn up from the booklets: so many clauses that say
something, then so many questions that the booklets leave open.
"""

from functools import cache

import pytest

from rulespec import cli, loading
from rulespec.booklets import read_passages
from rulespec.checking.citations import Clause, Coverage, coverage
from rulespec.checks import check_file

# Of each game how its clauses are called, how many there are, and how many open questions.
CLAUSES = {
    "sins.rules": ("S", 63, 23),
    "seven7s.rules": ("V", 51, 40),
    "deadlies.rules": ("D", 71, 57),
    "siegel.rules": ("G", 51, 33),
}
# Clauses without a rule: player aids, purposes, advice, and what cannot happen.
OMITTED = {
    "sins.rules": {"S-10", "S-50", "S-61"},
    "seven7s.rules": {"V-50"},
    "deadlies.rules": set(),
    "siegel.rules": {"G-19"},
}
every_game = pytest.mark.parametrize("name", CLAUSES)


@cache
def covered(name: str) -> Coverage:
    program = check_file(name).program
    assert program is not None
    return coverage(program.declared)


def clauses(name: str) -> dict[str, Clause]:
    found = [clause for section in covered(name).sections for clause in section.clauses]
    assert len({clause.name for clause in found}) == len(found)
    return {clause.name: clause for clause in found}


def ways(clause: Clause) -> set[str]:
    return {mention.kind for mention in clause.mentions}


@every_game
def test_the_rulebook_has_the_clauses_that_it_should_have(name: str) -> None:
    letter, numbered, questions = CLAUSES[name]
    expected = {f"{letter}-{n:02}" for n in range(1, numbered + 1)}
    expected |= {f"{letter}-A{n:02}" for n in range(1, questions + 1)}

    assert expected == set(clauses(name))


@every_game
def test_no_clause_is_missing(name: str) -> None:
    assert covered(name).missing == 0


@every_game
def test_only_what_is_no_rule_is_omitted_and_a_reason_is_given(name: str) -> None:
    omitted = {each.name: each.reason for each in clauses(name).values() if each.reason is not None}

    assert OMITTED[name] == set(omitted)
    assert all(omitted.values())


@every_game
def test_every_other_clause_is_cited_by_what_does_it(name: str) -> None:
    for clause in clauses(name).values():
        if "-A" not in clause.name and clause.name not in OMITTED[name]:
            assert ways(clause) & {"doc", "first", "advice"}, clause.name


@every_game
def test_every_open_question_is_decided_by_a_ruling(name: str) -> None:
    for clause in clauses(name).values():
        if "-A" in clause.name and clause.name not in OMITTED[name]:
            assert "ruling" in ways(clause), clause.name


@every_game
def test_the_list_for_owners_of_the_booklet_has_every_clause(name: str) -> None:
    passages = read_passages(loading.find_rules(name))

    assert [*passages] == [*clauses(name)]
    assert all(each.place and each.words.endswith(".") for each in passages.values())
    for number, each in passages.items():
        is_ruling = "-A" in number
        said = each.place.startswith(("not said", "unclear: ", "contradicts itself: "))
        assert said == is_ruling, number


def test_a_clause_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "@S-35", "d-48"]) == 0
    told = capsys.readouterr().out

    assert "@S-35: 7 – The Sins" in told
    assert "In the booklet: Gourmandise, paragraph 2." in told
    assert cli.main(["explain", "S-99"]) == 2
