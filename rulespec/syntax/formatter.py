"""Source -> its canonical text, comments and blank lines where they stood.

The printer knows nothing of comments. But it prints one logical line for each of the source, so that
what stood between two of them can be put between the same two again.
"""

from bisect import bisect_right
from collections.abc import Iterator

from attrs import define

from rulespec.diagnostics import Diagnostic
from rulespec.source import Source
from rulespec.syntax.line_layout import STEP, WIDTH, PrintedLine
from rulespec.syntax.logical_lines import LogicalLine
from rulespec.syntax.parser import Parsed, parse
from rulespec.syntax.printer import print_lines


@define
class Output:
    """One line of the result, which may be wrapped, with the comment that stands behind it."""

    text: str
    behind: str = ""


def format_source(source: Source) -> str | tuple[Diagnostic, ...]:
    """The canonical text of a file, or what is wrong with its syntax.

    >>> format_source(Source("well.rules", 'game   "The Well" -- ours'))
    'game "The Well"  -- ours\\n'
    """
    parsed = parse(source)
    if parsed.file is None:
        return parsed.diagnostics
    printed = list(print_lines(parsed.file))
    outputs = list(_weave(source, parsed, printed))
    while outputs and not outputs[-1].text:
        outputs.pop()
    _align_comments(outputs)
    return "".join(f"{each.text}{each.behind}\n" for each in outputs)


def _weave(source: Source, parsed: Parsed, printed: list[PrintedLine]) -> Iterator[Output]:
    starts = [*(line.tokens[0].start for line in parsed.lines), len(source.text)]
    levels = [*(each.level for each in printed), 0]
    yield from _between(source.text[: starts[0]], [], 0, opens_block=True)
    opened: list[tuple[int, int]] = []  # for each open block: its column in the source, its level
    for number, (line, own) in enumerate(zip(parsed.lines, printed, strict=True)):
        gap = source.text[line.tokens[-1].end : starts[number + 1]]
        behind, _, rest = gap.partition("\n")
        yield Output(
            _line_text(source, parsed, line, own), behind.strip() and f"  {behind.strip()}"
        )
        opened[own.level :] = [(line.column, own.level)]
        next_level = levels[number + 1]
        yield from _between(rest, opened, next_level, opens_block=next_level > own.level)


def _line_text(source: Source, parsed: Parsed, line: LogicalLine, printed: PrintedLine) -> str:
    """A printed line; one with a comment inside stays as its author broke it."""
    indent = " " * (STEP * printed.level)
    start, end = line.tokens[0].start, line.tokens[-1].end
    first_comment = bisect_right(parsed.comments, start, key=lambda comment: comment.start)
    inside = parsed.comments[first_comment : first_comment + 1]
    if not inside or inside[0].start >= end:
        return indent + printed.text
    first, *others = source.text[start:end].split("\n")
    shifted = (_shift(other, STEP * printed.level - line.column) for other in others)
    return "\n".join([indent + first.rstrip(), *shifted])


def _shift(line: str, columns: int) -> str:
    text = line.strip()
    return " " * (len(line) - len(line.lstrip()) + columns) + text if text else ""


def _between(
    gap: str, opened: list[tuple[int, int]], next_level: int, *, opens_block: bool
) -> Iterator[Output]:
    """The comments and blank lines between two lines; of several blank lines one is kept."""
    *lines, last = gap.split("\n")
    is_blank = False
    begins = opens_block
    for line in [*lines, last] if last.strip() else lines:
        if not line.strip():
            is_blank = True
            continue
        if is_blank and not begins:
            yield Output("")
        yield Output(" " * (STEP * _comment_level(line, opened, next_level)) + line.strip())
        is_blank = begins = False
    if is_blank and not begins:
        yield Output("")


def _comment_level(line: str, opened: list[tuple[int, int]], next_level: int) -> int:
    """A comment belongs to the deepest open block that it is indented for, or to the next line."""
    column = len(line) - len(line.lstrip())
    deepest = max((level for start, level in opened if start <= column), default=0)
    return max(deepest, next_level)


def _align_comments(outputs: list[Output]) -> None:
    """Comments behind lines that follow each other stand below each other."""
    run: list[Output] = []
    for each in [*outputs, Output("")]:
        if each.behind and "\n" not in each.text and len(each.text) <= WIDTH:
            run.append(each)
            continue
        widest = max((len(line.text) for line in run), default=0)
        for line in run:
            line.behind = line.behind.rjust(len(line.behind) + widest - len(line.text))
        run = []
