"""Tokens -> logical lines.

Implements docs/language/1-lexis.md, "Lines". A line goes on in the next one inside brackets, after a
comma, and where `and`, `or` or `where` ends it or begins the next one, or a string does; but only if
the next one is indented deeper. So a forgotten bracket costs one line, not the rest of the file. A string
below a line that opens a block is the sentence with which the block begins.
"""

from typing import NamedTuple

from rulespec import codes
from rulespec.diagnostics import Diagnostic, Related
from rulespec.limits import MOST_MISTAKES
from rulespec.source import Source, Span
from rulespec.syntax.scanner import CONTINUING, Token

OPEN_ENDED = frozenset({"_COMMA", "AND", "OR", "WHERE"})  # what ends a line that goes on
SIGNS = ("PLUS", "MINUS")  # they continue a line, unless a block begins there
# Words that begin a line which opens a block, unless a `:` puts the block on the same line.
OPENING = frozenset(
    {
        *("after", "before", "else", "for", "if", "pieces", "ranking", "repeat", "rows", "rule"),
        *("state", "table", "when", "zones"),
    }
)
CLOSER_OF = {"LPAR": "RPAR", "LSQB": "RSQB"}
CLOSERS = frozenset(CLOSER_OF.values())
BRACKETS = CLOSERS | CLOSER_OF.keys()


class LogicalLine(NamedTuple):
    """The tokens of one logical line; `faulty` if something in it has been reported already."""

    column: int
    tokens: list[Token]
    faulty: bool


def read_lines(
    source: Source, tokens: list[Token], faults: list[int]
) -> tuple[list[LogicalLine], list[Diagnostic]]:
    """The logical lines of a file, and what is wrong with their brackets.

    `faults` are the places at which something is wrong for other reasons.
    """
    lines: list[LogicalLine] = []
    found: list[Diagnostic] = []
    start = 0
    while start < len(tokens) and len(found) <= MOST_MISTAKES:
        end, open_brackets, matched = _line_end(tokens, start)
        before = len(found)
        if open_brackets:
            end, _, _ = _line_end(tokens, start, closed_from=open_brackets[0])
            last = max(bracket for bracket in open_brackets if bracket < end)
            found.append(_never_closed(source, tokens[last]))
        elif not matched:
            found.extend(_check_brackets(source, tokens[start:end]))
        line = tokens[start:end]
        faulty = len(found) > before
        if faults and not faulty:
            following = tokens[end].start if end < len(tokens) else len(source.text)
            faulty = any(line[0].start <= each < following for each in faults)
        lines.append(LogicalLine(line[0].column, line, faulty))
        start = end
    return lines, found


def _line_end(
    tokens: list[Token], start: int, closed_from: int | None = None
) -> tuple[int, list[int], bool]:
    """Where the line beginning at `start` ends, the brackets open there, whether the others match.

    Brackets at `closed_from` and after do not make the line go on.
    """
    base = tokens[start].column
    last = len(tokens) if closed_from is None else closed_from
    open_brackets: list[int] = []
    matched = True
    before = ""
    opens_block = _word(tokens, start) in OPENING
    for position in range(start, len(tokens)):
        kind, _, _, _, column = tokens[position]
        if column >= 0 and position > start:
            goes_on = bool(open_brackets) or kind in CONTINUING or before in OPEN_ENDED
            if kind in ("STRING", *SIGNS):
                goes_on = bool(open_brackets) or not (opens_block or before == "ARROW")
            elif tokens[position].text == "with":
                goes_on = not opens_block
            elif kind == "ELSE":
                goes_on = bool(open_brackets) or _chooses_value(tokens, start, position)
            closes = bool(open_brackets) and kind in CLOSERS and column >= base
            if not ((goes_on and column > base) or closes):
                return position, open_brackets, matched
        if kind in BRACKETS and position < last:
            if kind in CLOSER_OF:
                open_brackets.append(position)
            elif not open_brackets or CLOSER_OF[tokens[open_brackets.pop()].kind] != kind:
                matched = False
        elif kind == "COLON" and not open_brackets:
            opens_block = False
        before = kind
    return len(tokens), open_brackets, matched


def _chooses_value(tokens: list[Token], start: int, end: int) -> bool:
    """Whether an `else` is missing in a line: it has an `if` that does not begin a statement."""
    kinds = [each.kind for each in tokens[start:end]]
    return kinds[1:].count("IF") > kinds.count("ELSE") and kinds[:2] != ["ELSE", "IF"]


def _word(tokens: list[Token], start: int) -> str:
    """The word that says what a line declares."""
    following = tokens[start + 1 : start + 2]
    return (
        following[0].text if tokens[start].text == "override" and following else tokens[start].text
    )


def _check_brackets(source: Source, line: list[Token]) -> list[Diagnostic]:
    """One diagnostic at most: what follows a wrong bracket is guesswork."""
    open_brackets: list[Token] = []
    for token in line:
        if token.kind in CLOSER_OF:
            open_brackets.append(token)
        elif token.kind in CLOSERS:
            if not open_brackets:
                return [_closes_nothing(source, token)]
            opener = open_brackets.pop()
            if CLOSER_OF[opener.kind] != token.kind:
                return [_closes_another(source, opener, token)]
    return []


def _never_closed(source: Source, bracket: Token) -> Diagnostic:
    return Diagnostic(
        codes.OPEN_BRACKET,
        f"this `{bracket.text}` is never closed",
        Span(source, bracket.start, bracket.end),
        hint=f"add `{')' if bracket.text == '(' else ']'}` where it ends",
    )


def _closes_nothing(source: Source, bracket: Token) -> Diagnostic:
    return Diagnostic(
        codes.WRONG_BRACKET,
        f"this `{bracket.text}` closes nothing",
        Span(source, bracket.start, bracket.end),
        hint="delete it, or open a bracket before it",
    )


def _closes_another(source: Source, opener: Token, closer: Token) -> Diagnostic:
    right = ")" if opener.text == "(" else "]"
    return Diagnostic(
        codes.WRONG_BRACKET,
        f"this `{closer.text}` cannot close `{opener.text}`",
        Span(source, closer.start, closer.end),
        related=(Related("opened here", Span(source, opener.start, opener.end)),),
        hint=f"write `{right}`",
    )
