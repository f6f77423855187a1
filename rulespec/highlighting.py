"""Text of the language -> coloured tokens, for Pygments and the tools built on it.

It has no vocabulary of its own: tokens come from the scanner, and the parser's automaton tells where a word is a
keyword. Pages often show a few lines of a file, or lines that are wrong on purpose. So each line is read by itself,
as whatever kind of line accepts most of it.

Installing rulespec registers the lexer under the name `rules`.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from typing import Any, ClassVar

from pygments import token as colours
from pygments.lexer import Lexer

from rulespec.source import Source
from rulespec.syntax.automaton import ParseStack, TooDeep, accepts, copy_stack, feed, new_stack
from rulespec.syntax.logical_lines import read_lines
from rulespec.syntax.recovery import OPENERS, RUN_OPENER
from rulespec.syntax.scanner import Token, lexis, scan

_BLANKS_OR_NOT = re.compile(r"\s+|\S+")

Colour = Any  # Pygments creates a token type when it is first named

CONSTANTS = frozenset({"YES", "NO", "NONE"})
WORDS_FOR_OPERATORS = frozenset({"AND", "OR", "NOT", "IN"})
BRACKETS_AND_SEPARATORS = frozenset("()[],:;|.")
CLASSES = {
    "CITE": colours.Name.Decorator,
    "INT": colours.Number.Integer,
    "STRING": colours.String.Double,
}


class RulesLexer(Lexer):
    """Colours for files of rules.

    >>> [value for _, value in RulesLexer().get_tokens("players 2")]
    ['players', ' ', '2', '\\n']
    """

    name = "rules"
    url = ""
    aliases: ClassVar[list[str]] = ["rules", "rulespec"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    mimetypes: ClassVar[list[str]] = []

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Colour, str]]:
        """Each piece of the text with its position and colour; the pieces add up to the text."""
        position = 0
        for start, end, colour in sorted(_coloured(text), key=lambda piece: piece[0]):
            yield from _between(text, position, start)
            yield start, colour, text[start:end]
            position = end
        yield from _between(text, position, len(text))


def _between(text: str, start: int, end: int) -> Iterator[tuple[int, Colour, str]]:
    """Text that is not a token: blanks, or characters that the language does not have."""
    for piece in _BLANKS_OR_NOT.finditer(text, start, end):
        colour = colours.Whitespace if piece[0].isspace() else colours.Error
        yield piece.start(), colour, piece[0]


def _coloured(text: str) -> Iterator[tuple[int, int, Colour]]:
    source = Source("", text)
    scanned = scan(source)
    keywords = _keywords(source, scanned.tokens)
    for token, after in zip_longest(scanned.tokens, scanned.tokens[1:]):
        is_name = token.kind == "NAME" and token.start not in keywords
        colour = _name_colour(token, after) if is_name else _colour(token)
        yield token.start, token.end, colour
    for comment in scanned.comments:
        yield comment.start, comment.start + len(comment.text), colours.Comment.Single


def _colour(token: Token) -> Colour:
    if token.kind in CLASSES:
        return CLASSES[token.kind]
    if token.kind in CONSTANTS:
        return colours.Keyword.Constant
    if token.kind in WORDS_FOR_OPERATORS:
        return colours.Operator.Word
    if token.text in lexis().signs:
        return colours.Punctuation if token.text in BRACKETS_AND_SEPARATORS else colours.Operator
    return colours.Keyword


def _name_colour(token: Token, after: Token | None) -> Colour:
    if token.text[0].isupper():
        return colours.Name.Class
    if after is not None and after.text == "(" and after.start == token.end:
        return colours.Name.Function
    return colours.Name


# ---- Which words are keywords ----------------------------------------------------------------------


def _keywords(source: Source, tokens: list[Token]) -> set[int]:
    """The positions of words that are keywords here, but could be names elsewhere."""
    found: set[int] = set()
    for line in read_lines(source, tokens, [])[0]:
        readings = [_read(source, place, line.tokens) for place in _places()]
        # If a whole line fits in two contexts, take the one where more of its words are keywords.
        found |= max(readings, key=lambda reading: (reading[0], len(reading[1])))[1]
    return found


def _read(source: Source, place: ParseStack, line: list[Token]) -> tuple[int, set[int]]:
    """How many tokens of a line a context accepts, and which of them are keywords there."""
    stack = copy_stack(place)
    stack.source = source
    keywords: set[int] = set()
    taken = 0
    try:
        for token in line:
            word = lexis().keywords.get(token.text)
            is_keyword = token.kind == "NAME" and word is not None and accepts(stack, word)
            if not feed(stack, [token]):
                break
            keywords |= {token.start} if is_keyword else set()
            taken += 1
    except TooDeep:
        pass
    return taken, keywords


@cache
def _places() -> tuple[ParseStack, ...]:
    """The contexts of a line: in a file, in each kind of block, below a call, and after an `if`."""
    blocks = [(), *((opener,) for opener in OPENERS.values()), (OPENERS["example"], RUN_OPENER)]
    places = [stack for stack in map(_open, blocks) if stack is not None]
    after_if = _open((OPENERS["rule"],), "if _: nothing")
    return tuple(places if after_if is None else [*places, after_if])


def _open(openers: tuple[str, ...], line: str = "") -> ParseStack | None:
    """The context inside these blocks, below a line; none if one of them cannot open here."""
    stack = new_stack(Source("", ""))
    tokens: list[Token] = []
    for opener in openers:
        tokens += [*scan(Source("", opener)).tokens, _END, _INDENT]
    if line:
        tokens += [*scan(Source("", line)).tokens, _END]
    return stack if feed(stack, tokens) == len(tokens) else None


_END, _INDENT = (Token(kind, "", 0, 0, -1) for kind in ("_NL", "_INDENT"))
