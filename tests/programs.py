"""Programs with expectations: several in a file, with a line `---` between them.

`--! RS139 message` stands at the end of the line that is reported, once for each report. Where a comment
there would change the mistake, `--^ RS139 message` stands on a line of its own below. A program that
begins with `--* 60` is repeated 60 times, and need only draw the codes that it names among others.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rulespec.diagnostics import Diagnostic
from rulespec.source import locate

HERE = Path(__file__).parent
EXPECTATION = re.compile(r"--([!^]) (RS\d+) (.*?)(?= +--!|$)")
REPEATED = re.compile(rb"--\* (\d+)\n")

Report = tuple[int, str, str]
Diagnose = Callable[[bytes], Iterable[Diagnostic]]


def chunks(folder: str) -> Iterator[tuple[str, bytes]]:
    """All programs of a folder, each with the place where it begins."""
    for file in sorted((HERE / folder).glob("*.rules")):
        line = 1
        for chunk in split(file):
            yield f"{folder}/{file.name}:{line}", chunk
            line += chunk.count(b"\n") + 1


def split(file: Path) -> list[bytes]:
    return re.split(rb"^---\n", file.read_bytes(), flags=re.MULTILINE)


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


def reports(diagnostics: Iterable[Diagnostic]) -> list[Report]:
    """What a program draws."""
    return sorted(
        (locate(each.span)[0].line, each.code.number, each.message) for each in diagnostics
    )


def assert_draws_what_it_says(chunk: bytes, diagnose: Diagnose) -> None:
    repeated = REPEATED.match(chunk)
    expected = expectations(chunk)
    assert expected
    if repeated:
        content = chunk[repeated.end() :] * int(repeated.group(1))
        assert {code for _, code, _ in expected} <= {each.code.number for each in diagnose(content)}
    else:
        assert expected == reports(diagnose(chunk))


def accept(folder: str, diagnose: Diagnose) -> None:
    """Write the expectations of a folder anew."""
    for file in (HERE / folder).glob("*.rules"):
        file.write_bytes(b"---\n".join(_accepted(part, diagnose) for part in split(file)))


def _accepted(chunk: bytes, diagnose: Diagnose) -> bytes:
    if REPEATED.match(chunk):
        return chunk
    bare = re.sub(rb"(?m)^--\^ RS.*\n|[ ]+--! RS.*$", b"", chunk)
    lines = bare.split(b"\n")
    for number, code, message in reversed(reports(diagnose(bare))):
        told = f"{code} {message}".encode()
        behind = [*lines[: number - 1], lines[number - 1] + b"  --! " + told, *lines[number:]]
        below = [*lines[:number], b"--^ " + told, *lines[number:]]
        unchanged = reports(diagnose(b"\n".join(behind))) == reports(diagnose(b"\n".join(lines)))
        lines = behind if unchanged else below
    return b"\n".join(lines)
