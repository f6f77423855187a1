"""Lines of the grammar -> what may follow what, as data.

Reads the notation of `grammar.lark` and no more of it than the grammar uses: words in quotes, names of
rules and tokens, `[ ]`, `( )`, `|`, `*` and `+`. Lark would tell a grammar only after it has taken it
apart into productions, and a drawing needs it whole.
"""

import re
from functools import cache
from typing import TypeAlias

from attrs import frozen

from rulespec.syntax import parse_tables


@frozen
class Keyword:
    """`"move"`: what the author types."""

    text: str


@frozen
class RuleReference:
    """`expr`: another rule."""

    rule: str


@frozen
class TokenKind:
    """`NAME`: a kind of token that has many spellings, or the end of a line."""

    name: str


@frozen
class Concatenation:
    """One after the other."""

    parts: "tuple[Part, ...]"


@frozen
class Alternatives:
    """One of several."""

    parts: "tuple[Part, ...]"


@frozen
class OptionalPart:
    """`[ … ]`: it, or nothing."""

    part: "Part"


@frozen
class Repetition:
    """`…+`: once or more often, perhaps with something in between."""

    part: "Part"
    between: "Part | None"


Part: TypeAlias = (
    Keyword | RuleReference | TokenKind | Concatenation | Alternatives | OptionalPart | Repetition
)

_RULE = re.compile(r"^(\??)([a-z_]+):(.*(?:\n +\|.*)*)", re.MULTILINE)
_PIECE = re.compile(r'"[^"]*"|\w+|[\[\]()|*+]')


def read_rules(text: str) -> dict[str, Part]:
    """The rules of a piece of grammar, by name.

    >>> read_rules('reveal: "reveal" expr')
    {'reveal': Concatenation(parts=(Keyword(text='reveal'), RuleReference(rule='expr')))}
    """
    return {name: _read(body) for _, name, body in _RULE.findall(text)}


def _read(body: str) -> Part:
    pieces = _PIECE.findall(body)
    part, rest = _choice(pieces)
    if rest:
        raise ValueError(f"this is no rule of the grammar: {body}")
    return part


def _choice(pieces: list[str]) -> tuple[Part, list[str]]:
    first, pieces = _series(pieces)
    parts = [first]
    while pieces and pieces[0] == "|":
        part, pieces = _series(pieces[1:])
        parts.append(part)
    return (parts[0] if len(parts) == 1 else Alternatives(tuple(parts))), pieces


def _series(pieces: list[str]) -> tuple[Part, list[str]]:
    parts: list[Part] = []
    while pieces and pieces[0] not in ("|", "]", ")"):
        part, pieces = _repeated(pieces)
        parts = _join(parts, part)
    return (parts[0] if len(parts) == 1 else Concatenation(tuple(parts))), pieces


def _join(parts: list[Part], part: Part) -> list[Part]:
    """A part behind others; `x (_COMMA x)*` is a loop of x with commas in between."""
    match parts, part:
        case [*before, last], OptionalPart(Repetition(Concatenation((between, again)), None)) if (
            again == last
        ):
            return [*before, Repetition(last, between)]
        case [*before, last], Repetition(Concatenation((between, again)), None) if again == last:
            # At least two, which a drawing of a loop cannot say: the first one stands before it.
            return [*before, last, between, Repetition(again, between)]
    return [*parts, part]


def _repeated(pieces: list[str]) -> tuple[Part, list[str]]:
    part, pieces = _single(pieces)
    if pieces and pieces[0] == "*":
        return OptionalPart(Repetition(part, None)), pieces[1:]
    if pieces and pieces[0] == "+":
        return Repetition(part, None), pieces[1:]
    return part, pieces


def _single(pieces: list[str]) -> tuple[Part, list[str]]:
    piece, *rest = pieces
    if piece in ("[", "("):
        part, rest = _choice(rest)
        return (OptionalPart(part) if piece == "[" else part), rest[1:]
    if piece.startswith('"'):
        return Keyword(piece[1:-1]), rest
    if piece.islower():
        return RuleReference(piece), rest
    return (Keyword(_spellings()[piece]) if piece in _spellings() else TokenKind(piece)), rest


@cache
def _spellings() -> dict[str, str]:
    """What is typed for a token that has one spelling."""
    return {
        each.name: each.pattern
        for each in parse_tables.load_tables().terminals
        if each.role != "class"
    }
