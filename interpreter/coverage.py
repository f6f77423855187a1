"""What was reached while playing -> the rules, statements, table rows and clauses that were never reached.

It shows authors which parts no example and no game tests. A place in the text counts once, however many variants
contain it. Only the tested file counts: a part of a mechanism that the game does not use is no gap in its tests.
"""

from typing import Any, Literal, get_args

from attrs import define, field, frozen

from interpreter.flat import Block, Code
from rulespec.core.tree import Origin
from rulespec.source import Source, Span

Kind = Literal["rule", "statement", "row"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Reached = set[tuple[str, int]]  # blocks and functions, with the number of an instruction or a row


@frozen
class CoveredPart:
    """A part of the rules that can be reached, with the clauses that it cites."""

    kind: Kind
    span: Span
    cites: tuple[str, ...]


@define
class CoverageTally:
    """All parts of one file, and those that have been reached."""

    entry: Source
    parts: dict[tuple[Kind, int, int], CoveredPart] = field(factory=dict)
    reached: set[tuple[Kind, int, int]] = field(factory=set)


@frozen
class CoverageReport:
    """For each kind of part: how many were reached, how many there are, and which were missed."""

    counts: dict[Kind, tuple[int, int]]
    clauses: tuple[int, int]
    missed: tuple[CoveredPart, ...]  # without parts that lie inside another missed part
    missed_clauses: tuple[str, ...]


def count_reached(tally: CoverageTally, code: Code, reached: Reached) -> None:
    """Add the parts of a program, and note which of them were reached."""
    for block in code.blocks.values():
        _count_block(tally, block, reached)
    for function in code.functions.values():
        rows = range(len(function.rows))
        used = {n for n in rows if (function.name, n) in reached}
        _add(tally, "rule", function.origin, is_reached=bool(used))
        for n in rows if function.inputs else ():
            _add(tally, "row", function.rows[n].origin, is_reached=n in used)


def _count_block(tally: CoverageTally, block: Block, reached: Reached) -> None:
    used = {n for n in range(len(block.code)) if (block.name, n) in reached}
    is_row = " row " in block.name
    _add(tally, "row" if is_row else "rule", block.origin, is_reached=bool(used))
    for n, instruction in enumerate(block.code):
        # The author did not write the return at the end of a block.
        if instruction.origin.span != block.origin.span:
            _add(tally, "statement", instruction.origin, is_reached=n in used)


def _add(tally: CoverageTally, kind: Kind, origin: Origin, *, is_reached: bool) -> None:
    span = origin.span
    if span.source != tally.entry:
        return
    key = (kind, span.start, span.end)
    tally.parts.setdefault(key, CoveredPart(kind, span, origin.cites))
    if is_reached:
        tally.reached.add(key)


def summarize_coverage(tally: CoverageTally) -> CoverageReport:
    """Sum up the counts; missed parts are in the order of the text."""
    parts = sorted(tally.parts.items(), key=lambda each: (each[1].span.start, -each[1].span.end))
    missed: list[CoveredPart] = []
    for key, part in parts:
        outer = missed[-1].span.end if missed else 0
        if key not in tally.reached and part.span.start >= outer:
            missed.append(part)
    cited: dict[str, bool] = {}
    for key, part in parts:
        for clause in part.cites:
            cited[clause] = cited.get(clause, False) or key in tally.reached
    return CoverageReport(
        counts={kind: _count_kind(tally, kind) for kind in KINDS},
        clauses=(sum(cited.values()), len(cited)),
        missed=tuple(missed),
        missed_clauses=tuple(clause for clause, is_reached in cited.items() if not is_reached),
    )


def _count_kind(tally: CoverageTally, kind: Kind) -> tuple[int, int]:
    found = [key for key in tally.parts if key[0] == kind]
    return sum(key in tally.reached for key in found), len(found)


def coverage_data(found: CoverageReport) -> dict[str, Any]:
    """A report as JSON data."""
    names = {"rule": "rules", "statement": "statements", "row": "rows"}
    data: dict[str, Any] = {
        names[kind]: {"reached": reached, "all": total}
        for kind, (reached, total) in found.counts.items()
    }
    data["clauses"] = {"reached": found.clauses[0], "all": found.clauses[1]}
    data["missed_clauses"] = list(found.missed_clauses)
    return data
