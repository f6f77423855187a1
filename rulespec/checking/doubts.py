"""What the checks cannot decide, so that a game must be played to test it, as data.

A doubt is no mistake: the rules may ensure it in a way that no check understands. So it has no code and causes no
warning; `rulespec check --doubts` lists all doubts, and engines test them at run time.
See docs/decisions/0005-what-may-be-empty.md.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from attrs import frozen

from rulespec.source import Source, Span

# A value may be `none`, leave its range, or be of another sort; a piece may enter a zone that does not hold
# it; there may be nothing to choose from.
Kind: TypeAlias = Literal["none", "range", "sort", "zone", "empty"]


@frozen
class Doubt:
    """One sentence about what is tested at a place during play, and a hint that would make the test unnecessary."""

    kind: Kind
    sentence: str
    span: Span
    hint: str | None = None


def in_reading_order(entry: Source, doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Each doubt once: those of the checked file first, then those of the files on which it builds."""
    first: dict[tuple[bool, str, int, str], Doubt] = {}
    for each in doubts:
        source = each.span.source
        place = (source.name != entry.name, source.name, each.span.start)
        first.setdefault((*place, each.sentence), each)
    return tuple(first[place] for place in sorted(first))
