"""Slips in tables: their headings, headers, cells, arrows and keys."""

from rulespec import codes
from rulespec.diagnostics import Diagnostic
from rulespec.syntax.parse_failures import (
    ParseFailure,
    at_end,
    block_of,
    failing,
    failing_text,
    leading_word,
    report_failure,
    token_after,
    token_before,
    token_kinds,
)
from rulespec.syntax.patterns import (
    HEADINGS,
)
from rulespec.syntax.scanner import Token


def wrong_heading(failure: ParseFailure) -> Diagnostic | None:
    word = leading_word(failure)
    if block_of(failure) != "declarations" or word not in HEADINGS or not failure.position:
        return None
    heading, columns = HEADINGS[word]
    message = f"the columns of `{word}` are {columns}"
    return report_failure(failure, codes.WRONG_HEADING, message, f"write `{heading}`")


def wrong_header(failure: ParseFailure) -> Diagnostic | None:
    """The first line below `table`, after its `=>`."""
    token, before = failing(failure), token_before(failure)
    if block_of(failure) != "header" or "ARROW" not in token_kinds(failure)[: failure.position]:
        return None
    if before is not None and before.kind == "ARROW":
        message = "the first line of a table names the inputs and the outputs"
        return report_failure(
            failure, codes.WRONG_HEADING, message, "for example `cards => points`"
        )
    if token.kind == "NAME" and before is not None and before.kind == "NAME":
        return two_words(failure, before, token)
    message = "after `=>` the first line of a table has only names, with `|` between them"
    return report_failure(failure, codes.WRONG_HEADING, message)


def wrong_cells(failure: ParseFailure) -> Diagnostic | None:
    """Too many or too few cells, in a table with fixed columns."""
    token, before = failing(failure), token_before(failure)
    if block_of(failure) != "cells":
        return None
    if token.kind == "VBAR" and "_NL" in failure.expected:
        message = "this row has more cells than the table has columns"
        return report_failure(failure, codes.WRONG_CELLS, message)
    if "VBAR" not in failure.expected:
        return None
    if token.kind == "_NL":
        message = "this row has fewer cells than the table has columns"
        return report_failure(failure, codes.WRONG_CELLS, message, "separate the cells with `|`")
    if (
        before is not None
        and before.kind == token.kind == "NAME"
        and "VBAR" in token_kinds(failure)
    ):
        return two_words(failure, before, token)
    if token.kind in ("NAME", "INT", "IS", "ARROW", "STRING") or "VBAR" not in token_kinds(failure):
        message = "the cells of a row are separated by `|`"
        return report_failure(failure, codes.WRONG_CELLS, message, "write `|` here")
    return None


def missing_arrow(failure: ParseFailure) -> Diagnostic | None:
    block, token = block_of(failure), failing(failure)
    if block not in ("rows", "header") or "ARROW" in token_kinds(failure):
        return None
    part = "this row" if block == "rows" else "the first line of this table"
    if token.kind in ("IS", "COLON", "RESULT", "AT_LEAST"):
        message = f"{part} has `{token.text}` instead of `=>`"
        return report_failure(failure, codes.NO_ARROW, message, "write `=>`")
    if "ARROW" in failure.expected or at_end(failure):
        message = f"{part} has no `=>`"
        return report_failure(failure, codes.NO_ARROW, message, "put `=>` before the outputs")
    return None


def wrong_key(failure: ParseFailure) -> Diagnostic | None:
    if block_of(failure) != "rows" or "ARROW" in token_kinds(failure)[: failure.position]:
        return None
    token, before, following = failing(failure), token_before(failure), token_after(failure)
    number = int(following.text) if following.kind == "INT" else 7
    hints = {
        "ELSE": "write `*` for all the rest",
        "MORE": f"write `{number + 1}+`",
        "AT_LEAST": f"write `{number}+`",
        "LESS": f"write `..{number - 1}`",
        "AT_MOST": f"write `..{number}`",
        "MINUS": f"write `{before.text if before else 2}..{following.text}` for a range",
        "OR": "separate alternatives with commas",
        "AND": "put a `|` between the keys of two inputs",
        "STRING": "write a name without quotes",
        "EQUAL": "write the value alone",
    }
    if token.kind == "ARROW":
        message, hint = "a key is missing before `=>`", "write `*` if any value will do"
        if before is not None and before.kind == "RANGE":
            message, hint = "this range has no end", "write `7+` for seven or more"
        return report_failure(failure, codes.BAD_KEY, message, hint)
    if token.kind == "NAME" and "_COMMA" in failure.expected:
        return None
    hint = hints.get(token.kind, "write a name, a number, a range such as `2..6`, or `*`")
    return report_failure(
        failure, codes.BAD_KEY, f"`{failing_text(failure)}` cannot be part of a key", hint
    )


def two_words(failure: ParseFailure, first: Token, second: Token) -> Diagnostic:
    message = "a name is one word"
    hint = f"write `{first.text}_{second.text}`"
    return report_failure(failure, codes.UNEXPECTED, message, hint, at=second)
