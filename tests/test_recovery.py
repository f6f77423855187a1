"""A mistake is told once, at its place, and hides no other one."""

from pathlib import Path

import pytest

from rulespec.limits import MOST_MISTAKES
from rulespec.loading import GAMES, MECHANISMS
from rulespec.source import Source, locate
from rulespec.syntax.parser import parse
from sizes import SOAKING

SHIPPED = sorted([*GAMES.rglob("*.rules"), *MECHANISMS.glob("*.rules")])
# Nothing that can be added to a line of any kind without a mistake.
NONSENSE = " => | =>"
COLUMNS = (-1, 1, 2)  # by which a line is indented wrongly; each file takes its turn
WRONGLY = [
    (path, columns)
    for number, path in enumerate(SHIPPED)
    for columns in (COLUMNS if SOAKING else (COLUMNS[number % 3],))
]
EVERY = 1 if SOAKING else 16  # of the lines that are taken away, or indented wrongly


def told_lines(text: str) -> list[int]:
    return [locate(each.span)[0].line for each in parse(Source("x.rules", text)).diagnostics]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_every_damaged_line_is_told_and_no_other(path: Path):
    text = path.read_text("utf-8")
    parsed = parse(Source(path.name, text))
    ends = [line.tokens[-1].end for line in parsed.lines]
    rounds = -(-len(ends) // MOST_MISTAKES)
    for first in range(rounds)[:: 1 if SOAKING else 4]:
        damaged = text
        for end in reversed(ends[first::rounds]):
            damaged = damaged[:end] + NONSENSE + damaged[end:]
        expected = [text.count("\n", 0, end) + 1 for end in ends[first::rounds]]

        assert told_lines(damaged) == expected


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_every_missing_line_is_told_at_most_once(path: Path):
    text = path.read_text("utf-8")
    lines = text.split("\n")
    tried = 0
    for missing in range(1, len(lines) - 1, 15 * EVERY):
        if _joins_another_block(lines[missing - 1], lines[missing], lines[missing + 1]):
            continue
        cut = "\n".join(lines[:missing] + lines[missing + 1 :])
        tried += 1

        assert len(told_lines(cut)) <= 1, lines[missing]

    assert tried


@pytest.mark.parametrize(
    ("path", "columns"), WRONGLY, ids=[f"{path.name} {columns:+}" for path, columns in WRONGLY]
)
def test_a_line_indented_wrongly_breeds_few_mistakes(path: Path, columns: int):
    lines = path.read_text("utf-8").split("\n")
    movable = [
        number
        for number in range(3, len(lines))
        if lines[number].strip() and _indentation(lines[number]) + columns >= 0
    ]
    # In a short file there may be none of those, so all are taken.
    tried = ([number for number in movable if number % 11 == 3] or movable)[::EVERY]
    told = 0
    for number in tried:
        line = lines[number]
        moved = " " * (_indentation(line) + columns) + line.lstrip()
        found = told_lines("\n".join([*lines[:number], moved, *lines[number + 1 :]]))
        told += len(found) > 1

    assert tried
    # Two readings are possible where a block begins or ends there.
    assert told <= max(1, len(tried) // 8)


def _joins_another_block(before: str, missing: str, after: str) -> bool:
    """Whether the block of the missing line would now be read as the end of the block before."""
    own, next_one = _indentation(missing), _indentation(after)
    is_blank = not before.partition("--")[0].strip()
    return next_one > own and (is_blank or _indentation(before) >= next_one)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())
