"""Programs whose syntax must be refused: each draws exactly what its comments say, and nothing else."""

import os

import pytest

from programs import accept, assert_draws_what_it_says, chunks, expectations
from rulespec import codes
from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic
from rulespec.loading import decode
from rulespec.syntax.parser import parse

FOLDERS = ("rejected", "slips")
CHUNKS = dict(chunk for folder in FOLDERS for chunk in chunks(folder))
SYNTAX = [code for code in codes.ALL if code.number.startswith("RS1")]


def diagnose(content: bytes) -> tuple[Diagnostic, ...]:
    return parse(decode("test.rules", content)).diagnostics


@pytest.mark.skipif("ACCEPT" not in os.environ, reason="only in `make accept`")
@pytest.mark.parametrize("folder", FOLDERS)
def test_expectations_are_written(folder: str) -> None:
    accept(folder, diagnose)


@pytest.mark.parametrize("folder", FOLDERS)
def test_there_are_rejected_programs(folder: str) -> None:
    assert len([place for place in CHUNKS if place.startswith(folder)]) >= 40


@pytest.mark.parametrize("place", CHUNKS)
def test_a_rejected_program_draws_what_it_says_and_nothing_else(place: str) -> None:
    assert_draws_what_it_says(CHUNKS[place], diagnose)


def test_every_code_of_the_syntax_is_drawn_by_a_rejected_program() -> None:
    drawn = {code for chunk in CHUNKS.values() for _, code, _ in expectations(chunk)}

    assert {code.number for code in SYNTAX} == drawn


@pytest.mark.parametrize("code", SYNTAX, ids=lambda code: code.number)
def test_the_wrong_text_of_a_code_draws_it(code: Code) -> None:
    text = code.wrong * code.repeat
    drawn = {each.code.number for each in diagnose(text.encode(errors="surrogateescape"))}

    if code.repeat == 1:
        assert drawn == {code.number}
    else:
        assert code.number in drawn


@pytest.mark.parametrize("code", SYNTAX, ids=lambda code: code.number)
def test_the_right_text_of_a_code_draws_nothing(code: Code) -> None:
    assert diagnose(code.right.encode()) == ()
