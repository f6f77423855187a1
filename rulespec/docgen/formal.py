"""Declarations -> their canonical text, to stand beside their sentences."""

from typing import Any

import attrs

from rulespec.checking.declarations import child_fields
from rulespec.syntax import nodes
from rulespec.syntax.printer import print_file


def formal_text(*items: nodes.FileItem) -> str:
    """The canonical text of declarations.

    The sentences of doc lines are left out, as they stand beside it; their clauses stay.
    """
    silent = tuple(_silent(item) for item in items)
    return print_file(nodes.File(silent)).rstrip("\n")


def _silent(node: Any) -> Any:
    if isinstance(node, nodes.Doc):
        return attrs.evolve(node, text=None)
    changes: dict[str, Any] = {}
    for part in child_fields(type(node)):
        value = getattr(node, part)
        new = tuple(map(_silent, value)) if isinstance(value, tuple) else _silent(value)
        if new is not value:
            changes[part] = new
    return attrs.evolve(node, **changes) if changes else node
