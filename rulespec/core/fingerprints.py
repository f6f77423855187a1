"""A program -> its fingerprint: a digest of its meaning.

Saved games and transcripts keep the fingerprint, so that they are replayed only with the same rules.
"""

import hashlib
from typing import Any

import attrs

from rulespec.core.tree import Core


# [code.fingerprint]
def fingerprint(core: Core[Any]) -> str:
    """A digest of a program: the same for programs that differ only in their spans.

    >>> from rulespec.checks import check_file
    >>> program = check_file("sins.rules").program
    >>> from rulespec.elaboration.programs import elaborate_program
    >>> len(fingerprint(elaborate_program(program.declared)))
    16
    """
    return hashlib.sha256(canonical_text(core).encode()).hexdigest()[:16]


def canonical_text(value: Any) -> str:
    """A program, or a part of it, as text that is the same in every process: sets are sorted, spans left out."""
    parts: list[str] = []
    _spell(value, parts)
    return "".join(parts)


def _spell(value: Any, parts: list[str]) -> None:
    if isinstance(value, tuple | list):
        parts.append("(")
        for each in value:
            _spell(each, parts)
            parts.append(",")
        parts.append(")")
    elif isinstance(value, frozenset):
        _spell(sorted(value), parts)
    elif isinstance(value, dict):
        _spell([*value.items()], parts)
    elif attrs.has(type(value)):
        parts.append(type(value).__name__)
        _spell([getattr(value, each.name) for each in attrs.fields(type(value)) if each.eq], parts)
    else:
        parts.append(repr(value))
