"""A line that does not parse, and what can be seen of it.

`parser` makes a Failure, `slips` finds out which slip it was.
"""

from attrs import frozen

from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, Span
from rulespec.syntax.patterns import MEANT
from rulespec.syntax.scanner import Token, lexis, quotable
from rulespec.syntax.word_suggestions import STATEMENTS, nearest


@frozen
class ParseFailure:
    """Where a line stopped making sense; the last of `tokens` is the end of the line.

    `expected` are the kinds of token that would have fitted there, `expected_first` those that may
    begin a line in this block.
    """

    source: Source
    tokens: tuple[Token, ...]
    position: int
    expected: frozenset[str]
    expected_first: frozenset[str]
    opens_block: bool
    after_mistake: bool
    too_deep: bool
    told: Diagnostic | None  # what is known already of a line that parses and yet is misread


def leading_word(failure: ParseFailure) -> str:
    """The keyword that the line begins with, or is meant to begin with."""
    words = [token.text for token in failure.tokens if token.kind not in ("INT", "STRING")]
    if words[:2] == ["else", "if"]:
        return "else if"
    word = words[1] if words[0] == "override" and len(words) > 1 else words[0]
    if word in lexis().keywords:
        return word
    return MEANT.get(word) or nearest(word, leading_keywords(failure)) or word


def failing(failure: ParseFailure) -> Token:
    return failure.tokens[failure.position]


def token_before(failure: ParseFailure) -> Token | None:
    return failure.tokens[failure.position - 1] if failure.position else None


def token_after(failure: ParseFailure) -> Token:
    return failure.tokens[min(failure.position + 1, len(failure.tokens) - 1)]


def at_end(failure: ParseFailure) -> bool:
    return failing(failure).kind == "_NL"


def wants_value(failure: ParseFailure) -> bool:
    return "HASH" in failure.expected


def after_value(failure: ParseFailure) -> bool:
    return "PLUS" in failure.expected and not wants_value(failure)


def block_of(failure: ParseFailure) -> str:
    """What the lines around this one are; `cells` are the rows of tables with fixed columns."""
    first = failure.expected_first
    for kind, block in (("MOVE", "statements"), ("RULING", "declarations"), ("GIVEN", "steps")):
        if kind in first:
            return block
    if {"TIMES", "RANGE"} <= first:
        return "rows"
    if {"CITE", "NAME"} <= first:
        return "cells"
    return "header" if "HASH" in first else "picks" if "NAME" in first else "sections"


def token_kinds(failure: ParseFailure) -> list[str]:
    return [token.kind for token in failure.tokens]


def token_texts(failure: ParseFailure) -> list[str]:
    return [token.text for token in failure.tokens]


def first_text(failure: ParseFailure) -> str:
    return failure.tokens[0].text


def report_failure(
    failure: ParseFailure,
    code: Code,
    message: str,
    hint: str | None = None,
    *,
    at: Token | None = None,
) -> Diagnostic:
    token = at or failing(failure)
    return Diagnostic(code, message, Span(failure.source, token.start, token.end), hint=hint)


def lead(failure: ParseFailure) -> str:
    """The word that begins this statement, which may stand behind another one; or this line."""
    kinds = token_kinds(failure)
    for place in range(failure.position - 1, 0, -1):
        if (
            kinds[place - 1] in ("COLON", "SEMICOLON", "ARROW")
            and kinds[place].lower() in STATEMENTS
        ):
            return failure.tokens[place].text
    return leading_word(failure)


def leading_keywords(failure: ParseFailure) -> list[str]:
    """The words that may begin a line here."""
    spelling = {name: word for word, name in lexis().keywords.items()}
    return sorted(spelling[kind] for kind in failure.expected_first if kind in spelling)


def failing_text(failure: ParseFailure) -> str:
    return quotable(failing(failure).text)
