"""Text -> tokens and comments.

Implements docs/language/1-lexis.md. The kinds of token are the terminals of the grammar. Indentation
is only measured here: `logical_lines` says what it means. Whatever is wrong gets a diagnostic and a token
that lets parsing go on.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from attrs import frozen

from rulespec import codes
from rulespec.diagnostics import Diagnostic
from rulespec.limits import LONGEST_NAME, LONGEST_TEXT, MOST_DIGITS, MOST_MISTAKES
from rulespec.source import Source, Span
from rulespec.syntax import parse_tables

# What is longer, or of another kind, is odd or a mistake.
LONGEST = {"NAME": LONGEST_NAME, "INT": MOST_DIGITS, "STRING": LONGEST_TEXT, "CITE": LONGEST_TEXT}
# What begins a line that continues another.
CONTINUING = frozenset({"AND", "OR", "WHERE", "STRING"})
TAB_WIDTH = 2  # only to go on after the error


class Token(NamedTuple):
    """One word, sign, number, string or clause; `column` is -1 unless it is first on its line."""

    kind: str
    text: str
    start: int
    end: int
    column: int


class Comment(NamedTuple):
    """`-- …` to the end of the line."""

    text: str
    start: int


@frozen
class Scan:
    """All that a text consists of. `faults` are the places of all mistakes, told or not."""

    tokens: list[Token]
    comments: list[Comment]
    diagnostics: list[Diagnostic]
    faults: list[int]


@frozen
class Lexis:
    """The vocabulary of the grammar."""

    signs: dict[str, str]
    fixed: dict[str, str]  # signs and reserved words, which are the same everywhere
    keywords: dict[str, str]
    reserved: frozenset[str]


@cache
def lexis() -> Lexis:
    """The signs and words of the grammar, by their spelling."""
    terminals = parse_tables.load_tables().terminals
    signs = {each.pattern: each.name for each in terminals if each.role == "sign"}
    return Lexis(
        signs=signs,
        fixed=signs | {each.pattern: each.name for each in terminals if each.reserved},
        keywords={each.pattern: each.name for each in terminals if each.role == "word"},
        reserved=frozenset(each.pattern for each in terminals if each.reserved),
    )


def scan(source: Source) -> Scan:
    """The tokens, comments and lexical mistakes of a text."""
    text, diagnostics = _clean(source)
    tokens: list[Token] = []
    comments: list[Comment] = []
    tabs: list[int] = []
    find_pieces = _patterns().pieces.findall
    known: dict[str, tuple[str, str]] = {}  # a text has thousands of pieces, and few different ones
    make = tuple.__new__  # to which `Token(…)` takes a detour
    column = _indentation(text)
    position = 0
    while position < len(text) and len(diagnostics) < MOST_MISTAKES:
        line_end = _line_end(text, position)
        for piece in find_pieces(text, position, line_end):
            start = position
            position += len(piece)
            found = known.get(piece)
            if found is None:
                kind, word = _classify(piece)
                if kind == "comment":
                    comments.append(Comment(word.rstrip(), start))
                    continue
                if kind == "blank":
                    tabs += [start] if "\t" in word else []
                    continue
                if word not in lexis().fixed and len(word) > LONGEST.get(kind, 0):
                    break
                found = known[piece] = kind, word
            kind, word = found
            tokens.append(make(Token, (kind, word, start, start + len(word), column)))
            column = -1
        else:
            newline = _NEWLINE.match(text, line_end)
            if newline is None:
                break
            column = len(newline[0].expandtabs(TAB_WIDTH)) - 1
            tabs += [newline.start() + newline[0].index("\t")] if "\t" in newline[0] else []
            position = newline.end()
            continue
        position = start + len(word)
        instead: tuple[str, str] | None
        if kind == "quote":
            position, closed = _string_end(text, start, _outside(tokens, column))
            instead = "STRING", text[start:position]
            if not closed:
                diagnostics.append(_open_string(Span(source, start, position)))
        else:
            mistake, instead = MISTAKES[kind](word, Span(source, start, position))
            diagnostics.append(mistake)
            if word in COMMENT_SIGNS:
                position = line_end
        if instead is not None:
            tokens.append(Token(*instead, start, position, column))
            column = -1
    if tabs:
        diagnostics.append(_tabs(source, tabs))
    faults = [each.span.start for each in diagnostics]
    return Scan(tokens, comments, _one_a_line(diagnostics), faults)


def _classify(piece: str) -> tuple[str, str]:
    """The kind of a piece of text, and the piece without the blanks behind it."""
    found = _patterns().kinds.match(piece)
    assert found is not None  # noqa: S101 - the last alternative takes any character
    kind = found.lastgroup or ""
    return lexis().fixed.get(found[kind], kind), found[kind]


def _outside(tokens: list[Token], column: int) -> int:
    """How far in a line stands that no longer belongs to a string which begins here."""
    if column >= 0:
        return column - 1
    first = next(token for token in reversed(tokens) if token.column >= 0)
    return first.column - 1 if first.kind in CONTINUING else first.column


def _one_a_line(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Of several mistakes on a line the first; and of what closes a wrong text or brace nothing."""
    told: list[Diagnostic] = []
    lines: dict[int, Diagnostic] = {}
    braced = False
    for each in sorted(diagnostics, key=lambda diagnostic: diagnostic.span.start):
        text = each.span.source.text
        line = text.count("\n", 0, each.span.start)
        before = lines.get(line - 1)
        closes_text = (
            each.code is codes.OPEN_STRING and before is not None and before.code is each.code
        )
        closes_brace = text[each.span.start] == "}" and braced
        braced = braced or text[each.span.start] == "{"
        if line not in lines and not closes_text and not closes_brace:
            told.append(each)
        lines.setdefault(line, each)
    return told


# ---- Mistakes: a diagnostic, and the token with which to go on, if any ----------------------------

Mistake = tuple[Diagnostic, tuple[str, str] | None]


def _long_name(piece: str, span: Span) -> Mistake:
    message = f"a name has at most {LONGEST_NAME} characters, but this one has {len(piece):,}"
    return Diagnostic(codes.TOO_LONG, message, span), ("NAME", piece[:LONGEST_NAME])


def _too_large(piece: str, span: Span) -> Mistake:  # noqa: ARG001 - one signature for all
    message = f"a number has at most {MOST_DIGITS} digits"
    return Diagnostic(codes.BAD_NUMBER, message, span), ("INT", "0")


def _number_word(piece: str, span: Span) -> Mistake:
    message = f"`{quotable(piece)}` is neither a number nor a name"
    hint = "begin a name with a letter"
    return Diagnostic(codes.BAD_NUMBER, message, span, hint=hint), ("NAME", piece)


def _clause(piece: str, span: Span) -> Mistake:
    message = f"`{quotable(piece)}` is not a clause of a rulebook"
    hint = "a clause looks like `@S-19`, a range like `@S-30..S-32`"
    return Diagnostic(codes.BAD_CLAUSE, message, span, hint=hint), ("CITE", "@X-1")


def _odd_string(piece: str, span: Span) -> Mistake:
    message = "a text is written between straight double quotes"
    hint = f'write `"{quotable(piece[1:-1])}"`'
    return Diagnostic(codes.STRAY_SIGN, message, span, hint=hint), ("STRING", piece)


def _foreign(piece: str, span: Span) -> Mistake:
    message = f"the language has no `{piece}`"
    return Diagnostic(codes.STRAY_SIGN, message, span, hint=FOREIGN[piece]), None


def _stray(piece: str, span: Span) -> Mistake:
    before, behind = span.source.text[: span.start], span.source.text[span.start :]
    owner, owned = re.search(r"\w+$", before), re.match(r"['’]s (\w+)", behind)
    hint = f"write `{owned[1]}[{owner[0]}]`" if owner and owned else None
    return Diagnostic(codes.STRAY_SIGN, f"`{piece}` has no meaning here", span, hint=hint), None


MISTAKES: dict[str, Callable[[str, Span], Mistake]] = {
    "NAME": _long_name,
    "INT": _too_large,
    "number_word": _number_word,
    "clause": _clause,
    "odd_string": _odd_string,
    "foreign": _foreign,
    "stray": _stray,
}


def _open_string(span: Span) -> Diagnostic:
    message = "this text has no closing quote"
    return Diagnostic(codes.OPEN_STRING, message, span, hint='add `"` where it ends')


def _tabs(source: Source, tabs: list[int]) -> Diagnostic:
    others = len(tabs) - 1
    where = f", here and on {others} more line{'s' if others > 1 else ''}" if others else ""
    message = f"a tab cannot indent a line{where}"
    hint = "let your editor turn tabs into spaces, two for each level"
    return Diagnostic(codes.TAB, message, Span(source, tabs[0], tabs[0] + 1), hint=hint)


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
    "====": "a comment begins with `--`",
    "//": "a comment begins with `--`",
    "/*": "a comment begins with `--`",
    "!": "write `not`",
    "{": "a block is indented, a set is written in `[ ]`",
    "}": "a block is indented, a set is written in `[ ]`",
    "≠": "write `!=`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "→": "write `=>`",
    "⇒": "write `=>`",
    "×": "write `*`",
    "–": "write `-`, or `..` for a range",
    "−": "write `-`",
    "—": "a comment begins with `--`",
    "…": "write `..`",
    "\\": "a line continues inside brackets and after a comma",
}
COMMENT_SIGNS = ("====", "//", "/*", "—")


_NEWLINE = re.compile(r"\n[ \t]*")


@frozen
class _Patterns:
    """What takes a line to pieces, each with the blanks behind it, and what tells their kinds."""

    pieces: re.Pattern[str]
    kinds: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    signs = sorted(lexis().signs, key=len, reverse=True)
    foreign = sorted(FOREIGN, key=len, reverse=True)
    plain_signs = [sign for sign in signs if _stands_alone(sign, [*signs, *foreign])]
    classes = {
        each.name: re.sub(r"\((?!\?)", "(?:", each.pattern)
        for each in parse_tables.load_tables().terminals
        if each.role == "class"
    }
    # In the order of how often they come, but first the longer of two that begin alike.
    alternatives = {
        "NAME": rf"[A-Za-z_]\w*|{classes['NAME']}",  # what most names begin with is found faster
        "plain": "|".join(map(re.escape, plain_signs)),
        "number_word": rf"{classes['INT']}[^\W\d]\w*",
        "INT": classes["INT"],
        "STRING": r'"[^"\n]*"',
        "CITE": rf"{classes['CITE']}(?![\w-])",
        "comment": r"--[^\n]*",
        # `!=` is ours and `!` is not: of two signs that fit, the longer one is meant.
        "foreign": "|".join(_unless_longer(sign, signs) for sign in foreign),
        "sign": "|".join(map(re.escape, signs)),
        "quote": '"',
        "clause": r"@[\w-]*(?:\.\.[\w-]+)?",
        "odd_string": r"“[^“”\"\n]*[”“\"]|„[^“”\"\n]*[”“\"]|«[^»\n]*»|'[^'\n]*'",
        "blank": r"\t+| +",
        "stray": r"[\s\S]",
    }
    kinds = "|".join(f"(?P<{name}>{pattern})" for name, pattern in alternatives.items())
    return _Patterns(
        pieces=re.compile(f"(?:{'|'.join(alternatives.values())}) *"), kinds=re.compile(kinds)
    )


def _stands_alone(sign: str, others: list[str]) -> bool:
    return not any(other.startswith(sign) and other != sign for other in others)


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
        message = f"a file has at most {LONGEST_TEXT:,} characters, but this one has {len(text):,}"
        return "", [Diagnostic(codes.TOO_LONG, message, Span(source, 0, 0))]
    found = list(_INVISIBLE.finditer(text))
    if not found:
        return text, []
    by_line = {text.count("\n", 0, each.start()): each for each in reversed(found[:MOST_MISTAKES])}
    spans = [Span(source, each.start(), each.end()) for each in reversed(by_line.values())]
    return _INVISIBLE.sub(" ", text), [_invisible(span) for span in spans]


def _invisible(span: Span) -> Diagnostic:
    number = ord(span.source.text[span.start])
    if 0xDC80 <= number <= 0xDCFF:  # a byte that could not be decoded
        message = f"the byte {number - 0xDC00:#04x} here is not UTF-8"
        return Diagnostic(codes.NOT_UTF8, message, span, hint="save the file as UTF-8")
    message = f"there is an invisible character here, U+{number:04X}"
    return Diagnostic(codes.INVISIBLE, message, span, hint="delete it")


_CODE_AFTER_STRING = re.compile(r"\w")
_DOC_LINE = re.compile(r"\n *(@[A-Z]+-\S+ +)+\Z")


def _string_end(text: str, start: int, outside: int) -> tuple[int, bool]:
    """Where a string that goes on over the end of its line ends, and whether it is closed.

    Its lines are indented deeper than `outside`; so a forgotten quote costs one line, not the rest of
    the file. A quote right before a word, or right behind a clause, opens another string.
    """
    broken = _line_end(text, start), False
    close = text.find('"', start + 1)
    if close < 0:
        return broken
    inside = text[start:close]
    if any(_indentation(line) <= outside for line in inside.split("\n")[1:]):
        return broken
    if _CODE_AFTER_STRING.match(text, close + 1) or _DOC_LINE.search(inside):
        return broken
    return close + 1, True


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def quotable(text: str) -> str:
    """Text to be quoted in a message."""
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"
