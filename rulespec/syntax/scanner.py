"""Text -> tokens and comments.

Implements docs/language/1-lexis.md. The kinds of token are the terminals of the grammar. Indentation
is only measured here: `layout` says what it means. Whatever is wrong gets a diagnostic and a token
that lets parsing go on.
"""

import re
from functools import cache
from typing import NamedTuple

from attrs import frozen

from rulespec import codes
from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, Span
from rulespec.syntax import tables

LONGEST_TEXT = 1_000_000  # characters
LARGEST_NUMBER = 2**31 - 1
TAB_WIDTH = 2  # only to go on after the error


class Token(NamedTuple):
    """One word, sign, number, string or clause; `column` is -1 unless it is first on its line."""

    kind: str
    text: str
    start: int
    end: int
    column: int


class Comment(NamedTuple):
    """`-- …` to the end of the line; `alone` if nothing stands before it."""

    text: str
    start: int
    alone: bool


@frozen
class Scan:
    """All that a text consists of."""

    tokens: list[Token]
    comments: list[Comment]
    diagnostics: list[Diagnostic]


@frozen
class Lexis:
    """The vocabulary of the grammar."""

    signs: dict[str, str]
    keywords: dict[str, str]
    reserved: frozenset[str]


@cache
def lexis() -> Lexis:
    """The signs and words of the grammar, by their spelling."""
    terminals = tables.load().terminals
    return Lexis(
        signs={each.pattern: each.name for each in terminals if each.role == "sign"},
        keywords={each.pattern: each.name for each in terminals if each.role == "word"},
        reserved=frozenset(each.pattern for each in terminals if each.reserved),
    )


def scan(source: Source) -> Scan:
    """The tokens, comments and lexical mistakes of a text."""
    text, diagnostics = _clean(source)
    tokens: list[Token] = []
    comments: list[Comment] = []
    words = lexis()
    reserved, keywords, signs = words.reserved, words.keywords, words.signs
    match = _pattern().match
    tabs: list[int] = []

    def report(code: Code, message: str, start: int, end: int, hint: str | None = None) -> None:
        diagnostics.append(Diagnostic(code, message, Span(source, start, end), hint=hint))

    indent = len(text) - len(text.lstrip(" "))
    column = indent
    position = 0
    size = len(text)
    while position < size:
        found = match(text, position)
        assert found is not None  # noqa: S101 - the last alternative takes any character
        kind = found.lastgroup
        start, position = position, found.end()
        if kind == "blank":
            continue
        piece = found.group()
        if kind == "newline":
            column = indent = len(piece) - 1
            if "\t" in piece:
                tabs.append(start + piece.index("\t"))
                column = indent = len(piece.expandtabs(TAB_WIDTH)) - 1
            continue
        if kind == "comment":
            comments.append(Comment(piece.rstrip(), start, column >= 0))
            continue
        match kind:
            case "NAME":
                kind = keywords[piece] if piece in reserved else "NAME"
            case "sign":
                kind = signs[piece]
            case "INT":
                if len(piece) > 10 or int(piece) > LARGEST_NUMBER:
                    message = f"the largest number is {LARGEST_NUMBER}"
                    report(codes.BAD_NUMBER, message, start, position)
                    piece = "0"
            case "quote":
                kind = "STRING"
                position, closed = _string_end(text, start, indent, first=column >= 0)
                piece = text[start:position]
                if not closed:
                    message = "this string is not closed"
                    report(codes.OPEN_STRING, message, start, position, 'add `"` where it ends')
            case "number_word":
                message = f"`{_short(piece)}` is neither a number nor a name"
                report(codes.BAD_NUMBER, message, start, position, "begin a name with a letter")
                kind = "NAME"
            case "clause":
                message = f"`{_short(piece)}` is no clause of a rulebook"
                hint = "a clause looks like `@S-19`, a range like `@S-30..S-32`"
                report(codes.BAD_CLAUSE, message, start, position, hint)
                kind = "CITE"
            case "odd_string":
                message = "a string stands between straight double quotes"
                hint = f'write `"{_short(piece[1:-1])}"`'
                report(codes.STRAY_SIGN, message, start, position, hint)
                kind = "STRING"
            case "tab":
                tabs.append(start)
                continue
            case "foreign":
                instead = FOREIGN[piece]
                report(codes.STRAY_SIGN, f"the language has no `{piece}`", start, position, instead)
                if piece in COMMENT_SIGNS:
                    end = text.find("\n", start)
                    position = size if end < 0 else end
                continue
            case "stray":
                message = f"`{piece}` has no meaning here"
                report(codes.STRAY_SIGN, message, start, position)
                continue
        tokens.append(Token(kind or "", piece, start, position, column))
        column = -1
    if tabs:
        where = "" if len(tabs) == 1 else f", here and on {len(tabs) - 1} more lines"
        message = f"a tab is no indentation{where}"
        hint = "let your editor turn tabs into spaces, two for each level"
        report(codes.TAB, message, tabs[0], tabs[0] + 1, hint)
    return Scan(tokens, comments, diagnostics)


# ---- Patterns ------------------------------------------------------------------------------------

# What other languages write, and what to write here.
FOREIGN = {
    "&&": "write `and`",
    "||": "write `or`",
    "===": "write `==`",
    "<>": "write `!=`",
    "=<": "write `<=`",
    ":=": "write `=`",
    "++": "write `+= 1`",
    "**": "multiply with `*`",
    "//": "a comment begins with `--`",
    "/*": "a comment begins with `--`",
    "!": "write `not`",
    "{": "a block is indented, a set stands in `[ ]`",
    "}": "a block is indented, a set stands in `[ ]`",
    "≠": "write `!=`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "→": "write `=>`",
    "⇒": "write `=>`",
    "×": "write `*`",
    "–": "write `-`",
    "−": "write `-`",
    "—": "a comment begins with `--`",
    "…": "write `..`",
    "\\": "a line goes on inside brackets and after a comma",
}
COMMENT_SIGNS = ("//", "/*", "—")


@cache
def _pattern() -> re.Pattern[str]:
    signs = sorted(lexis().signs, key=len, reverse=True)
    foreign = sorted(FOREIGN, key=len, reverse=True)
    classes = {each.name: each.pattern for each in tables.load().terminals if each.role == "class"}
    alternatives = {
        "blank": " +",
        "NAME": classes["NAME"],
        "comment": r"--[^\n]*",
        "newline": r"\n[ \t]*",
        # `!=` is ours and `!` is not: of two signs that fit, the longer one is meant.
        "foreign": "|".join(_unless_longer(sign, signs) for sign in foreign),
        "sign": "|".join(map(re.escape, signs)),
        "STRING": r'"[^"\n]*"',
        "CITE": rf"{classes['CITE']}(?![\w-])",
        "number_word": rf"{classes['INT']}[^\W\d]\w*",
        "INT": classes["INT"],
        "quote": '"',
        "clause": r"@[\w-]*(?:\.\.[\w-]+)?",
        "odd_string": r"“[^“”\"\n]*[”“\"]|„[^“”\"\n]*[”“\"]|«[^»\n]*»|'[^'\n]*'",
        "tab": r"\t+",
        "stray": r"[\s\S]",
    }
    joined = "|".join(f"(?P<{name}>{pattern})" for name, pattern in alternatives.items())
    return re.compile(joined)


def _unless_longer(sign: str, longer_ones: list[str]) -> str:
    endings = (own[len(sign) :] for own in longer_ones if own.startswith(sign) and own != sign)
    return re.escape(sign) + "".join(f"(?!{re.escape(ending)})" for ending in endings)


# Control characters, and those that make a line read differently from what it says.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def _clean(source: Source) -> tuple[str, list[Diagnostic]]:
    """The text without invisible characters, character for character as long."""
    text = source.text
    if len(text) > LONGEST_TEXT:
        message = f"a file has at most {LONGEST_TEXT:,} characters, and this one {len(text):,}"
        return "", [Diagnostic(codes.TOO_LONG, message, Span(source, 0, 0))]
    diagnostics = []
    last_line = -1
    for found in _INVISIBLE.finditer(text):
        line = text.rfind("\n", 0, found.start())
        if line != last_line or not diagnostics:
            message = f"the invisible character U+{ord(found.group()):04X} stands here"
            span = Span(source, found.start(), found.end())
            diagnostics.append(Diagnostic(codes.INVISIBLE, message, span, hint="delete it"))
        last_line = line
    return (_INVISIBLE.sub(" ", text) if diagnostics else text), diagnostics


_CODE_AFTER_STRING = re.compile(r"\w")
_DOC_LINE = re.compile(r"\n *@[A-Z]+-")


def _string_end(text: str, start: int, indent: int, *, first: bool) -> tuple[int, bool]:
    """Where a string that goes on over the end of its line ends, and whether it is closed.

    Its lines are indented deeper than the line it began on; so a forgotten quote costs one line, not
    the rest of the file. A quote right before a word, or after a new clause, opens another string.
    """
    end_of_line = text.find("\n", start)
    broken = (len(text) if end_of_line < 0 else end_of_line), False
    close = text.find('"', start + 1)
    if close < 0 or end_of_line < 0:
        return broken
    inside = text[start:close]
    deepest_outside = indent - 1 if first else indent
    if any(_indentation(line) <= deepest_outside for line in inside.split("\n")[1:]):
        return broken
    if _CODE_AFTER_STRING.match(text, close + 1) or _DOC_LINE.search(inside):
        return broken
    return close + 1, True


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
