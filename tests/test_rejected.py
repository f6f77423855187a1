"""Programs that must be refused: each draws exactly what its comments say, and nothing else.

A file holds several programs, with a line `---` between them. `--! RS139 message` stands at the end of
the line that is reported, once for each report. Where a comment there would change the mistake,
`--^ RS139 message` stands on a line of its own below. A program that begins with `--* 60` is repeated
60 times, and need only draw the codes that it names among others. `make accept` writes what is drawn now.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulespec import codes
from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic
from rulespec.loading import decode
from rulespec.source import locate
from rulespec.syntax.parser import parse

HERE = Path(__file__).parent
FOLDERS = ("rejected", "slips")

EXPECTATION = re.compile(r"--([!^]) (RS\d+) (.*?)(?= --!|$)")
REPEATED = re.compile(rb"--\* (\d+)\n")

Report = tuple[int, str, str]


def chunks(folder: str) -> Iterator[tuple[str, bytes]]:
    """All programs of a folder, each with the place where it begins."""
    for file in sorted((HERE / folder).glob("*.rules")):
        line = 1
        for chunk in re.split(rb"^---\n", file.read_bytes(), flags=re.MULTILINE):
            yield f"{folder}/{file.name}:{line}", chunk
            line += chunk.count(b"\n") + 1


CHUNKS = dict(chunk for folder in FOLDERS for chunk in chunks(folder))


def expectations(chunk: bytes) -> list[Report]:
    """What the comments of a program say: line, code and message."""
    expected = []
    line = 0
    for number, text in enumerate(chunk.decode(errors="replace").split("\n"), 1):
        found = EXPECTATION.findall(text)
        if not text.startswith("--^"):
            line = number
        expected += [(line, code, message) for _, code, message in found]
    return sorted(expected)


def diagnose(content: bytes) -> tuple[Diagnostic, ...]:
    return parse(decode("test.rules", content)).diagnostics


def reports(content: bytes) -> list[Report]:
    """What a program draws."""
    return sorted(
        (locate(each.span)[0].line, each.code.number, each.message) for each in diagnose(content)
    )


def accepted(chunk: bytes) -> bytes:
    """A program with the expectations that it fulfils."""
    if REPEATED.match(chunk):
        return chunk
    bare = re.sub(rb"(?m)^--\^ RS.*\n|[ ]+--! RS.*$", b"", chunk)
    lines = bare.split(b"\n")
    for number, code, message in reversed(reports(bare)):
        told = f"{code} {message}".encode()
        behind = [*lines[: number - 1], lines[number - 1] + b"  --! " + told, *lines[number:]]
        below = [*lines[:number], b"--^ " + told, *lines[number:]]
        lines = behind if _same(b"\n".join(behind), b"\n".join(lines)) else below
    return b"\n".join(lines)


def _same(one: bytes, other: bytes) -> bool:
    return reports(one) == reports(other)


@pytest.mark.skipif("ACCEPT" not in os.environ, reason="only in `make accept`")
@pytest.mark.parametrize("folder", FOLDERS)
def test_expectations_are_written(folder: str) -> None:
    for file in (HERE / folder).glob("*.rules"):
        parts = re.split(rb"^---\n", file.read_bytes(), flags=re.MULTILINE)
        file.write_bytes(b"---\n".join(accepted(part) for part in parts))


@pytest.mark.parametrize("folder", FOLDERS)
def test_there_are_rejected_programs(folder: str) -> None:
    assert len([place for place in CHUNKS if place.startswith(folder)]) >= 40


@pytest.mark.parametrize("place", CHUNKS)
def test_a_rejected_program_draws_what_it_says_and_nothing_else(place: str) -> None:
    chunk = CHUNKS[place]
    repeated = REPEATED.match(chunk)
    expected = expectations(chunk)

    assert expected
    if repeated:
        drawn = {code for _, code, _ in reports(chunk[repeated.end() :] * int(repeated.group(1)))}
        assert {code for _, code, _ in expected} <= drawn
    else:
        assert expected == reports(chunk)


def test_every_code_is_drawn_by_a_rejected_program() -> None:
    drawn = {code for chunk in CHUNKS.values() for _, code, _ in expectations(chunk)}

    assert {code.number for code in codes.ALL} == drawn


@pytest.mark.parametrize("code", codes.ALL, ids=lambda code: code.number)
def test_the_wrong_text_of_a_code_draws_it(code: Code) -> None:
    text = code.wrong * code.repeat
    drawn = {each.code.number for each in diagnose(text.encode(errors="surrogateescape"))}

    if code.repeat == 1:
        assert drawn == {code.number}
    else:
        assert code.number in drawn


@pytest.mark.parametrize("code", codes.ALL, ids=lambda code: code.number)
def test_the_right_text_of_a_code_draws_nothing(code: Code) -> None:
    assert diagnose(code.right.encode()) == ()
