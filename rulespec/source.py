"""Where text comes from: a Source is one file's text, a Span a piece of it.

Every node, operation and diagnostic keeps a span. `loading` reads files, and `rendering` shows places.
"""

from bisect import bisect_right
from functools import lru_cache

from attrs import field, frozen


@frozen
class Source:
    """The text of one file, with newlines as `\\n`, and its name as messages show it."""

    name: str
    text: str = field(repr=False)


@frozen(order=True)
class Span:
    """The characters of `source` from `start` up to, not including, `end`."""

    source: Source = field(order=False)
    start: int
    end: int

    def __init__(self, source: Source, start: int, end: int) -> None:
        # Set the slots directly: a file has thousands of spans, and the `__init__` of a frozen attrs class
        # takes three times as long.
        _put_source(self, source)
        _put_start(self, start)
        _put_end(self, end)


_put_source, _put_start, _put_end = (
    vars(Span)[name].__set__ for name in ("source", "start", "end")
)


@frozen
class Position:
    """A position as people count it: lines and columns from 1."""

    line: int
    column: int


def locate(span: Span) -> tuple[Position, Position]:
    """The places where a span begins and ends.

    >>> locate(Span(Source("a.rules", "one\\ntwo"), 4, 7))
    (Position(line=2, column=1), Position(line=2, column=4))
    """
    starts = _line_starts(span.source.text)
    return _place(starts, span.start), _place(starts, span.end)


def text_of(span: Span) -> str:
    """The text of a span, on one line.

    >>> text_of(Span(Source("a.rules", "one\\n  two"), 0, 9))
    'one two'
    """
    return " ".join(span.source.text[span.start : span.end].split())


def line_of(source: Source, line: int) -> str:
    """The text of one line, counted from 1."""
    starts = _line_starts(source.text)
    end = starts[line] - 1 if line < len(starts) else len(source.text)
    return source.text[starts[line - 1] : end]


def _place(starts: list[int], offset: int) -> Position:
    line = bisect_right(starts, offset)
    return Position(line, offset - starts[line - 1] + 1)


@lru_cache(maxsize=8)
def _line_starts(text: str) -> list[int]:
    starts = [0]
    while newline := text.find("\n", starts[-1]) + 1:
        starts.append(newline)
    return starts
