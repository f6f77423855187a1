"""A text -> its declarations, each parsed by itself and cached.

A declaration begins at the left margin, with the sentences above it, so a keystroke changes only one of them. Spans in a
block count from its beginning; `begin` is the offset of the block in the text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from attrs import evolve, frozen

from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, Span
from rulespec.syntax.parser import Parsed, parse

# Where a declaration may begin, or the sentences and clauses above one.
_MARGIN = re.compile(r'^(?:(?P<doc>[@"])|(?=[^\W\d]))', re.MULTILINE)


@frozen(eq=False)
class DeclarationBlock:
    """A declaration: where it begins in the text, and what became of it."""

    begin: int
    parsed: Parsed
    source: Source

    @property
    def end(self) -> int:
        """Where the next one begins."""
        return self.begin + len(self.source.text)


@lru_cache(maxsize=16)
def blocks_of(name: str, text: str) -> tuple[DeclarationBlock, ...]:
    """The declarations of a text, which together are the text.

    >>> [block.begin for block in blocks_of("a.rules", 'game "A"\\n@A-1\\nrule play: end\\n')]
    [0, 9]
    """
    return tuple(_blocks(name, text))


def _blocks(name: str, text: str) -> Iterator[DeclarationBlock]:
    begin, after_doc = 0, True
    for found in _MARGIN.finditer(text):
        is_doc = found["doc"] is not None
        if not after_doc and found.start() > begin:
            yield _block(name, text, begin, found.start())
            begin = found.start()
        after_doc = is_doc
    yield _block(name, text, begin, len(text))


def _block(name: str, text: str, begin: int, end: int) -> DeclarationBlock:
    source = Source(name, text[begin:end])
    return DeclarationBlock(begin, _parse(source), source)


@lru_cache(maxsize=4096)
def _parse(source: Source) -> Parsed:
    return parse(source)


def block_at(blocks: tuple[DeclarationBlock, ...], offset: int) -> DeclarationBlock:
    """The block around a place."""
    return next((each for each in blocks if offset < each.end), blocks[-1])


def slips_in(source: Source) -> list[Diagnostic]:
    """What does not parse, declaration by declaration: known at once, also while a long text is written."""
    found = []
    for block in blocks_of(source.name, source.text):
        found += [shift_diagnostic(each, source, block.begin) for each in block.parsed.diagnostics]
    return found


def shift_diagnostic(found: Diagnostic, source: Source, by: int) -> Diagnostic:
    """A finding in a block, or in an older text, where it stands in this one."""
    return evolve(
        found,
        span=shift_span(found.span, source, by),
        related=tuple(
            evolve(each, span=shift_span(each.span, source, by))
            if each.span.source.name == source.name
            else each
            for each in found.related
        ),
    )


def shift_span(span: Span, source: Source, by: int) -> Span:
    """A place in a block as a place in the text."""
    return Span(source, span.start + by, span.end + by)
