"""Declarations and doc lines -> origins: the rule, its span, and the clauses and sentence that document it.

Engines keep origins so that a player can ask which rule caused a step.
"""

from collections.abc import Iterable
from typing import Any

from rulespec.checking import layers
from rulespec.checking.declarations import Declared
from rulespec.core.tree import Origin
from rulespec.syntax import nodes


def origin_of(declared: Declared[Any], rule: str) -> Origin:
    """The origin of a declaration."""
    return told_by(declared.docs, Origin(rule, declared.node.span))


def told_by(docs: tuple[nodes.Doc, ...], origin: Origin) -> Origin:
    """The origin with the clauses and sentence of these doc lines instead of its own."""
    cites = [cite for doc in docs for cite in doc.cites]
    sentences = [doc.text.value for doc in docs if doc.text is not None]
    return Origin(origin.rule, origin.span, texts_of(cites), " ".join(sentences) or None)


def texts_of(cites: Iterable[nodes.Cite]) -> tuple[str, ...]:
    """Clauses as text: `S-35`, or `S-35..S-37`."""
    return tuple(
        cite.first if cite.last is None else f"{cite.first}..{cite.last}" for cite in cites
    )


def documented_rows(rows: tuple[Any, ...], origin: Origin) -> list[tuple[Any, Origin]]:
    """The rows of a table, each with its own doc lines, or else those of the table."""
    return _placed(layers.documented(rows), origin)


def explained_statements(lines: tuple[Any, ...], origin: Origin) -> list[tuple[Any, Origin]]:
    """The statements of a block, each with the doc lines in force there: a doc line holds up to the next one."""
    return _placed(layers.explained(lines), origin)


def _placed(found: Iterable[tuple[Any, layers.Docs]], origin: Origin) -> list[tuple[Any, Origin]]:
    return [(each, told_by(docs, origin) if docs else origin) for each, docs in found]
