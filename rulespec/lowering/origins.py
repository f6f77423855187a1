"""Declarations and doc lines -> origins: the rule, its place, and the clauses and sentence that hold there."""

from collections.abc import Iterable
from typing import Any

from attrs import evolve

from rulespec.checking.declarations import Declared
from rulespec.lowering.code import Origin
from rulespec.syntax import nodes


def origin_of(declared: Declared[Any], rule: str) -> Origin:
    """Where a declaration comes from."""
    return Origin(rule, declared.node.span, texts_of(declared.cites))


def texts_of(cites: Iterable[nodes.Cite]) -> tuple[str, ...]:
    """Clauses as they are told: `S-35`, or `S-35..S-37`."""
    return tuple(
        cite.first if cite.last is None else f"{cite.first}..{cite.last}" for cite in cites
    )


def documented(lines: tuple[Any, ...], origin: Origin) -> list[tuple[Any, Origin]]:
    """The lines of a block, each with the doc lines that it follows: those up to the next one."""
    found = []
    own, after_doc = origin, False
    for line in lines:
        if isinstance(line, nodes.Doc):
            before = (own.cites, own.sentence) if after_doc else ((), None)
            sentence = None if line.text is None else line.text.value
            text = " ".join(part for part in (before[1], sentence) if part) or None
            own = evolve(own, cites=(*before[0], *texts_of(line.cites)), sentence=text)
        else:
            found.append((line, own))
        after_doc = isinstance(line, nodes.Doc)
    return found
