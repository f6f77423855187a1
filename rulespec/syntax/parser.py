"""Source -> tree and diagnostics, several mistakes a run.

Lines are fed to the automaton one by one. Before each line the parse is remembered; a line that does
not fit is reported once and another one taken in its place (`recovery`). What the mistake was is told
by `slips`.
"""

from bisect import bisect_left
from itertools import accumulate, zip_longest

from attrs import define, evolve, field, frozen

from rulespec import codes
from rulespec.diagnostics import Diagnostic, at_most, in_source_order
from rulespec.limits import MOST_MISTAKES
from rulespec.source import Source, Span
from rulespec.syntax import nodes
from rulespec.syntax.automaton import (
    ParseStack,
    TooDeep,
    accepts,
    copy_stack,
    expected,
    feed,
    new_stack,
)
from rulespec.syntax.logical_lines import LogicalLine, read_lines
from rulespec.syntax.parse_failures import ParseFailure, leading_word
from rulespec.syntax.recovery import replace_line
from rulespec.syntax.scanner import CONTINUING, Comment, Token, scan
from rulespec.syntax.slips import explain_failure, nested_too_deeply

MOST_FAILURES = 1000  # lines that do not parse, told or not: the rest is not read
# What begins no line, but may stand between the two halves of one.
JOINING = frozenset(
    {
        *("TIMES", "DIVIDE", "MODULO", "MEET", "EQUAL", "UNEQUAL", "LESS", "AT_MOST", "MORE"),
        *("AT_LEAST", "IN", "VBAR", "ARROW", "TO", "UNDER", "FROM", "RANGE", "DOT"),
    }
)


@frozen
class Parsed:
    """What became of a text: its tree, if there is no mistake in it, its lines and comments.

    `mended` is the tree with stand-ins for lines that do not parse; what stands in it twice stands once in
    the text. It is there for whoever wants to know what an unfinished text declares. `damaged` are the lines
    of which it tells nothing, or nothing sure, the first one first.
    """

    file: nodes.File | None
    diagnostics: tuple[Diagnostic, ...]
    lines: tuple[LogicalLine, ...]
    comments: tuple[Comment, ...]
    mended: nodes.File | None
    damaged: tuple[Span, ...] = ()


@frozen
class Level:
    """An open block: where its lines begin, whether the grammar knows it, and what opened it."""

    column: int
    real: bool
    opener: LogicalLine | None
    before: ParseStack


@define
class Progress:
    """A parse under way.

    `failed` tells that the line before was replaced by another one, `orphans` that lines may follow
    which belong to a block that is missing. Lines indented deeper than `skip_below` are not read.
    """

    source: Source
    stack: ParseStack
    before_line: ParseStack
    levels: list[Level]
    last: LogicalLine | None = None
    failed: bool = False
    orphans: bool = False
    failures: int = 0
    skip_below: int | None = None
    damaged: list[Span] = field(factory=list)


def parse(source: Source) -> Parsed:
    """The tree of a file, or all that is wrong with its syntax.

    >>> parse(Source("well.rules", 'game "The Well"')).file.items[0].title.value
    'The Well'
    """
    scanned = scan(source)
    lines, bracket_faults = read_lines(source, scanned.tokens, scanned.faults)
    progress = _begin(source)
    stack = progress.stack
    stack.diagnostics += scanned.diagnostics + bracket_faults
    for line, following in zip_longest(lines, lines[1:]):
        _take_line(progress, line, following.column if following else 0)
        if len(stack.diagnostics) > 2 * MOST_MISTAKES or progress.failures > MOST_FAILURES:
            break
    else:
        _close_file(progress)
    diagnostics = at_most(in_source_order(stack.diagnostics))
    found = progress.stack.top[1]
    file = None if diagnostics else found
    mended = found if isinstance(found, nodes.File) else None
    damaged = _damaged(progress, lines) if diagnostics else ()
    return Parsed(file, diagnostics, tuple(lines), tuple(scanned.comments), mended, damaged)


def _damaged(progress: Progress, lines: list[LogicalLine]) -> tuple[Span, ...]:
    """The lines that are not in the tree as they stand, and those about which something is told."""
    told = [each.span for each in progress.stack.diagnostics] + progress.damaged
    places = sorted((each.start, max(each.end, each.start + 1)) for each in told)
    # How far what is told reaches that begins no later.
    reached = [0, *accumulate((end for _, end in places), max)]
    spans = (_span(progress.source, line.tokens[0], line.tokens[-1]) for line in lines)
    return tuple(each for each in spans if reached[bisect_left(places, (each.end,))] > each.start)


def _begin(source: Source) -> Progress:
    stack = new_stack(source)
    return Progress(source, stack, stack, [Level(0, real=True, opener=None, before=stack)])


def stack_before_last_word(source: Source) -> ParseStack | None:
    """The parse before the last word of a text, to ask what could stand there; nothing if the line is wrong.

    >>> stack = stack_before_last_word(Source("", "rule turn(p: Player)\\n  move hand t"))
    >>> sorted(expected(stack) & {"TO", "UNDER", "FROM"})
    ['TO', 'UNDER']
    """
    scanned = scan(source)
    lines, _ = read_lines(source, scanned.tokens, scanned.faults)
    if not lines:
        return None
    *before, last = lines
    progress = _begin(source)
    for line, following in zip(before, lines[1:], strict=True):
        _take_line(progress, line, following.column)
        if progress.failures > MOST_FAILURES:
            return None
    _indent(progress, last, 0)
    try:
        taken = feed(progress.stack, last.tokens[:-1])
    except TooDeep:
        return None
    return progress.stack if taken == len(last.tokens) - 1 else None


# ---- One line ------------------------------------------------------------------------------------


def _take_line(progress: Progress, line: LogicalLine, next_column: int) -> None:
    if progress.skip_below is not None and line.column > progress.skip_below:
        _damage(progress, line, line)
        return
    progress.skip_below = None
    told_already = _indent(progress, line, next_column) or line.faulty
    if told_already or not all(level.real for level in progress.levels):
        _damage(progress, line, line)
    progress.before_line = copy_stack(progress.stack)
    told = len(progress.stack.diagnostics)
    failure = _feed_line(progress, line, next_column)
    progress.last = line
    progress.failed = failure is not None
    if failure is None:
        progress.orphans = False
        if told_already:
            _forget(progress, line, told)
        return
    _damage(progress, line, line)
    progress.failures += MOST_FAILURES if failure.too_deep else 1
    del progress.stack.diagnostics[told:]
    found = explain_failure(failure)
    if not told_already and not _follows_from_another(progress, failure):
        progress.stack.diagnostics.append(found)
    # Below a heading with other columns nobody knows which cells were meant.
    other_columns = found.code is codes.WRONG_HEADING and "_NL" not in failure.expected
    opens_block = failure.opens_block and not other_columns
    progress.stack, opened = replace_line(
        progress.before_line, line, word=leading_word(failure), opens_block=opens_block
    )
    if not opened and not accepts(progress.stack, "_INDENT"):
        progress.skip_below = line.column


def _damage(progress: Progress, first: LogicalLine, last: LogicalLine) -> None:
    progress.damaged.append(_span(progress.source, first.tokens[0], last.tokens[-1]))


def _forget(progress: Progress, line: LogicalLine, told: int) -> None:
    """Drop what was found in a line about which something else has been told."""
    new = progress.stack.diagnostics[told:]
    start = line.tokens[0].start
    progress.stack.diagnostics[told:] = [each for each in new if each.span.start < start]


def _follows_from_another(progress: Progress, failure: ParseFailure) -> bool:
    """Whether a mistake would not be there without one that has been told."""
    among_statements = "MOVE" in failure.expected_first
    without_its_if = failure.after_mistake and failure.tokens[0].kind == "ELSE" and among_statements
    return without_its_if or _lost(progress)


def _lost(progress: Progress) -> bool:
    """Whether lines stand in a block that should not be there, or outside one that should."""
    return progress.orphans or not all(level.real for level in progress.levels)


def _feed_line(progress: Progress, line: LogicalLine, next_column: int) -> ParseFailure | None:
    """Take a line, or tell where it stops making sense."""
    stack = progress.stack
    tokens = (*line.tokens, _mark("_NL", line))
    told = len(stack.diagnostics)
    opens_block = next_column > line.column
    position = 0
    too_deep = False
    try:
        position = feed(stack, tokens)
    except TooDeep:
        too_deep = True
    misread = opens_block and len(stack.diagnostics) > told and not accepts(stack, "_INDENT")
    if position == len(tokens) and not misread:
        return None
    position = min(position, len(tokens) - 1)
    return ParseFailure(
        source=progress.source,
        tokens=tokens,
        position=position,
        expected=expected(_stack_before(progress.before_line, tokens[:position])),
        expected_first=expected(progress.before_line),
        opens_block=opens_block,
        after_mistake=progress.failed,
        too_deep=too_deep,
        told=stack.diagnostics[-1] if misread else None,
    )


def _stack_before(before_line: ParseStack, tokens: tuple[Token, ...]) -> ParseStack:
    """The parse before the token that failed, which may have begun to make sense of it."""
    stack = copy_stack(before_line)
    feed(stack, tokens)
    return stack


def _mark(kind: str, line: LogicalLine | None) -> Token:
    end = line.tokens[-1].end if line else 0
    return Token(kind, "", end, end, -1)


# ---- Blocks --------------------------------------------------------------------------------------


def _indent(progress: Progress, line: LogicalLine, next_column: int) -> bool:
    """Open or close blocks so that `line` stands where its column says; tell if it cannot."""
    if line.column > progress.levels[-1].column:
        return _open_block(progress, line)
    _need_no_block(progress, line)
    while line.column < progress.levels[-1].column:
        if line.column > progress.levels[-2].column:
            if not line.faulty and not _lost(progress):
                progress.stack.diagnostics.append(_uneven(progress, line))
            if next_column == line.column:
                progress.levels[-1] = evolve(progress.levels[-1], column=line.column)
            return True
        _close_block(progress)
    return False


def _open_block(progress: Progress, line: LogicalLine) -> bool:
    real = accepts(progress.stack, "_INDENT") and _feed_mark(progress, "_INDENT")
    # Where a text is never closed, its other lines look like lines of a block.
    faulty = line.faulty or (progress.last is not None and progress.last.faulty)
    if not real and not faulty and not progress.failed and not _lost(progress):
        progress.stack.diagnostics.append(_too_far_in(progress, line))
    progress.levels.append(Level(line.column, real, progress.last, progress.before_line))
    return not real


def _close_block(progress: Progress) -> None:
    level = progress.levels.pop()
    if not level.real:
        progress.failed = True
        return
    if not accepts(progress.stack, "_DEDENT"):
        if not _lost(progress) and not progress.failed:
            progress.stack.diagnostics.append(_unfinished_block(progress))
        progress.orphans = True
    elif _feed_mark(progress, "_DEDENT"):
        return
    if level.opener is not None:
        _damage(progress, level.opener, progress.last or level.opener)
        progress.stack = _without_block(level.before, level.opener)


def _without_block(before: ParseStack, opener: LogicalLine) -> ParseStack:
    """The parse with another line in the place of one whose block is missing or cannot be read."""
    stack, _ = replace_line(before, opener, word=opener.tokens[0].text, opens_block=False)
    return stack


def _feed_mark(progress: Progress, kind: str) -> bool:
    try:
        return feed(progress.stack, (_mark(kind, progress.last),)) == 1
    except TooDeep:
        assert progress.last is not None  # noqa: S101 - an empty file is not deep
        progress.failures += MOST_FAILURES
        progress.stack.diagnostics.append(nested_too_deeply(progress.source, progress.last.tokens))
        return False


def _need_no_block(progress: Progress, line: LogicalLine | None) -> None:
    """The line before opened no block, as none follows; or else that is a mistake."""
    if progress.last is None or progress.failed or not accepts(progress.stack, "_INDENT"):
        return
    continues = line is not None and line.tokens[0].kind in CONTINUING
    if expected(progress.stack) == {"_INDENT"} and not continues:
        if not _lost(progress):
            progress.stack.diagnostics.append(_no_block(progress, progress.last))
        _damage(progress, progress.last, progress.last)
        progress.stack = _without_block(progress.before_line, progress.last)
        progress.orphans = True


def _close_file(progress: Progress) -> None:
    _need_no_block(progress, None)
    while len(progress.levels) > 1:
        _close_block(progress)
    _feed_mark(progress, "$END")


def _span(source: Source, first: Token, last: Token) -> Span:
    return Span(source, first.start, last.end)


def _uneven(progress: Progress, line: LogicalLine) -> Diagnostic:
    inner, outer = progress.levels[-1].column, progress.levels[-2].column
    return Diagnostic(
        codes.UNEVEN,
        f"this line is indented by {line.column}, but the blocks around it by {outer} and {inner}",
        _span(progress.source, line.tokens[0], line.tokens[0]),
        hint=f"indent it by {inner} to stay in the block above, by {outer} to end it",
    )


def _too_far_in(progress: Progress, line: LogicalLine) -> Diagnostic:
    outer = progress.levels[-1].column
    why = "the line above, which opens no block" if progress.last else "the left margin"
    kinds = {token.kind for token in line.tokens}
    hint = f"indent it by {outer} like the line above" if outer else "begin it at the left margin"
    if line.tokens[0].kind in JOINING or ("ELSE" in kinds and "COLON" not in kinds):
        hint = "write it at the end of the line above; in brackets, a line can continue anywhere"
    return Diagnostic(
        codes.TOO_FAR_IN,
        f"this line is indented deeper than {why}",
        _span(progress.source, line.tokens[0], line.tokens[0]),
        hint=hint,
    )


def _no_block(progress: Progress, line: LogicalLine) -> Diagnostic:
    word, last = line.tokens[0].text, line.tokens[-1]
    inside = {"rulebook": "its sections", "table": "its header and rows", "rows": "the rows"}
    message = f"`{word}` needs {inside.get(word, 'a block')} below it, indented deeper"
    span = _span(progress.source, line.tokens[0], last)
    if last.kind == "ARROW":
        message, span = "nothing follows this `=>`", _span(progress.source, last, last)
    hint = "indent the lines that belong to it by two spaces more"
    return Diagnostic(codes.NO_BLOCK, message, span, hint=hint)


def _unfinished_block(progress: Progress) -> Diagnostic:
    assert progress.last is not None  # noqa: S101 - a block that closes has had a line
    has_rows = "TIMES" in expected(progress.stack)
    message = "this table has no rows" if has_rows else "something is missing in this block"
    span = _span(progress.source, progress.last.tokens[0], progress.last.tokens[-1])
    return Diagnostic(codes.NO_BLOCK, message, span)
