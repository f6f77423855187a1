"""Whole lines as people say them at a table -> a diagnostic with the line to write.

`slips` tries these first: such a line reads well, but it is not in the language.
"""

import re
from collections.abc import Collection

from rulespec import codes
from rulespec.diagnostics import Diagnostic
from rulespec.syntax.parse_failures import (
    ParseFailure,
    block_of,
    failing,
    report_failure,
    token_after,
    token_kinds,
    token_texts,
)
from rulespec.syntax.patterns import HEADINGS
from rulespec.syntax.scanner import shorten
from rulespec.syntax.spoken import say_statement
from rulespec.syntax.word_suggestions import WHOEVER, nearest


def _spoken(failure: ParseFailure) -> Diagnostic | None:
    """A statement in the words of the table: `p moves card to well`."""
    if block_of(failure) not in ("statements", "rows"):
        return None
    kinds = token_kinds(failure)[: failure.position + 1]
    starts = [n + 1 for n, kind in enumerate(kinds) if kind in ("COLON", "SEMICOLON", "ARROW")]
    first = failure.tokens[starts[-1] if starts else 0]
    spoken = say_statement(failure.source.text[first.start : failure.tokens[-1].start].strip())
    if spoken is None:
        return None
    return report_failure(failure, codes.UNKNOWN_WORD, spoken[0], spoken[1], at=first)


def _has_pieces(failure: ParseFailure) -> Diagnostic | None:
    """`Ada has 3 gula` for `given`, also behind it."""
    tokens = failure.tokens[token_texts(failure)[0] == "given" :]
    if block_of(failure) != "steps" or [token.text for token in tokens[1:2]] != ["has"]:
        return None
    first, _, *what, end = tokens
    text = failure.source.text[what[0].start : end.start].strip() if what else "…"
    number, _, face = text.partition(" ")
    laid = f"{number} * {face}" if number.isdigit() and face else text
    message = "what somebody has is laid out by `given`"
    hint = f"write `given hand[{first.text}] = [{laid}]`"
    return report_failure(failure, codes.UNKNOWN_WORD, message, hint, at=first)


def _option_of_base(failure: ParseFailure) -> Diagnostic | None:
    """`stone_optional = yes` at the left margin of an overlay, also after `override` or `option`."""
    tokens = [*failure.tokens]
    if block_of(failure) != "declarations":
        return None
    while tokens[0].text in ("override", "option") and tokens[1].kind == "NAME":
        tokens = tokens[1:]
    extends = re.search(
        r'^extends +("[^"\n]*")( +with +[^\n]*?)? *(--.*)?$', failure.source.text, re.MULTILINE
    )
    if extends is None or [token.kind for token in tokens[:2]] != ["NAME", "IS"]:
        return None
    name, value = tokens[0].text, failure.source.text[tokens[1].end : tokens[-1].start]
    before = f"{extends[2].rstrip()}," if extends[2] else " with"
    message = "an option of the game that this file extends gets its value after `with`, not here"
    hint = f"write `extends {extends[1]}{before} {name} = {value.strip()}`"
    if failure.tokens[0].text == "override" and failure.tokens[1] is tokens[0]:
        hint += f"; for a value that is no option, `override let {name} = …`"
    if failure.tokens[0] is tokens[0]:
        hint += f"; for a value of your own, `let {name} = …`"
    return report_failure(failure, codes.WRONG_PLACE, message, hint, at=tokens[0])


def _heading_again(failure: ParseFailure) -> Diagnostic | None:
    """A heading that was copied into its table."""
    texts = token_texts(failure)
    starts = [heading.split()[:3] for heading, _ in HEADINGS.values()]
    if block_of(failure) != "cells" or texts[:3] not in starts:
        return None
    message = "this line repeats the heading of the table"
    return report_failure(
        failure, codes.WRONG_CELLS, message, "delete this line", at=failure.tokens[0]
    )


def _whoever(failure: ParseFailure) -> Diagnostic | None:
    """`whoever has least` as a row of a ranking."""
    texts = token_texts(failure)
    if (
        block_of(failure) != "cells"
        or texts[0] not in WHOEVER
        or texts[1:2] not in (["has"], ["with"])
    ):
        return None
    order = "most" if "most" in texts else "fewest"
    message = "a row of a ranking says `most` or `fewest`, and of what"
    hint = f"write `{order} | #hand[p]`"
    return report_failure(failure, codes.WRONG_CELLS, message, hint, at=failure.tokens[0])


def _tell_whom(failure: ParseFailure) -> Diagnostic | None:
    """`tell p "hello"`: who is told comes last."""
    kinds, texts = token_kinds(failure), token_texts(failure)
    if block_of(failure) not in ("statements", "rows") or texts[0] != "tell":
        return None
    at = kinds.index("STRING") if "STRING" in kinds else 0
    if at < 2 or failure.position > at:
        return None
    whom = failure.source.text[failure.tokens[1].start : failure.tokens[at - 1].end]
    message = "after `tell` comes the text, and then who is told"
    hint = f"write `tell {texts[at]} to {whom.removeprefix('to ')}`"
    return report_failure(failure, codes.UNEXPECTED, message, hint, at=failure.tokens[1])


def _is_empty(failure: ParseFailure) -> Diagnostic | None:
    """`if hand[p] is empty`"""
    verb = next((token for token in failure.tokens if token.text == "is"), None)
    if verb is None or verb.start > failing(failure).start:
        return None
    line = failure.source.text[failure.tokens[0].start : failure.tokens[-1].start]
    found = re.search(r"\b(\w+(?:\[[^\]]*\])*) +is +(not +)?empty\b", line)
    if found is None:
        return None
    sign = ">" if found[2] else "=="
    hint = f"write `#{found[1]} {sign} 0`"
    return report_failure(failure, codes.UNKNOWN_WORD, "`is` means nothing here", hint, at=verb)


def _hyphen(failure: ParseFailure) -> Diagnostic | None:
    """`- a comment` on a line of its own."""
    first, *words, end = failure.tokens
    if first.kind != "MINUS" or not words or block_of(failure) == "statements":
        return None
    comment = failure.source.text[words[0].start : end.start].strip()
    message = "`-` does not begin a comment"
    return report_failure(
        failure, codes.STRAY_SIGN, message, f"write `-- {shorten(comment)}`", at=first
    )


def _second_for(failure: ParseFailure) -> Diagnostic | None:
    """`for a in deck for b in well`"""
    kinds = token_kinds(failure)
    before = kinds[: failure.position]
    if (
        failing(failure).kind != "FOR"
        or "_COMMA" not in failure.expected
        or "RSQB" in failure.expected
        or "FOR" not in before
        or kinds[failure.position + 2 : failure.position + 3] != ["IN"]
    ):
        return None
    text, name = failure.source.text, token_after(failure)
    begin = failure.tokens[failure.position - 1 - before[::-1].index("FOR")].start
    loop = " ".join(text[begin : failing(failure).start].split())
    hint = f"write a comma: `{loop}, {name.text} in …`"
    return report_failure(failure, codes.UNEXPECTED, "a second variable needs no `for`", hint)


# Who sees something, and how a zone is ordered, in other words.
CELLS = {
    **dict.fromkeys(("all", "everybody", "open", "players", "public", "visible"), "everyone"),
    **dict.fromkeys(("closed", "hidden", "none", "secret"), "nobody"),
    **dict.fromkeys(("own", "player", "private", "self"), "owner"),
    **dict.fromkeys(("list", "ordered", "queue", "row", "stack"), "pile"),
    **dict.fromkeys(("bag", "hand", "set", "unordered"), "pool"),
}


def cell_meant(word: str, fitting: Collection[str]) -> str | None:
    """Which word of a cell was meant.

    >>> cell_meant("everybody", ["everyone", "owner"]), cell_meant("ownr", ["everyone", "owner"])
    ('everyone', 'owner')
    """
    meant = CELLS.get(word.casefold())
    return meant if meant in fitting else nearest(word, fitting)


SAYINGS = (
    *(_spoken, _has_pieces, _option_of_base, _heading_again, _whoever),
    *(_tell_whom, _is_empty, _hyphen, _second_for),
)
