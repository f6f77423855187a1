"""Whole lines as people say them at a table -> a diagnostic with the line to write.

`slips` tries these first: such a line reads well, but it is not in the language.
"""

import re
from collections.abc import Collection

from rulespec import codes
from rulespec.diagnostics import Diagnostic
from rulespec.syntax.extending import option_of_base
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
from rulespec.syntax.scanner import lexis, quotable
from rulespec.syntax.spoken import say_statement
from rulespec.syntax.word_suggestions import RANKED, WHOEVER, nearest


def _spoken(failure: ParseFailure) -> Diagnostic | None:
    """A statement in the words of the table: `p moves card to well`."""
    if block_of(failure) not in ("statements", "rows"):
        return None
    kinds = token_kinds(failure)[: failure.position + 1]
    starts = [n + 1 for n, kind in enumerate(kinds) if kind in ("COLON", "SEMICOLON", "ARROW")]
    for start in dict.fromkeys((starts[-1] if starts else 0, 0)):
        first = failure.tokens[start]
        spoken = say_statement(failure.source.text[first.start : failure.tokens[-1].start].strip())
        if spoken is not None:
            return report_failure(failure, codes.UNKNOWN_WORD, spoken[0], spoken[1], at=first)
    return None


def _has_pieces(failure: ParseFailure) -> Diagnostic | None:
    """`Ada has 3 gula` for `given`, also behind it; `hand[Ada] = 3 gula`."""
    is_given = token_texts(failure)[0] == "given"
    first = failure.tokens[is_given]
    line = failure.source.text[first.start : failure.tokens[-1].start].strip()
    found = re.fullmatch(r"(\w+)(?: +(?:has|have|holds|gets)\b| *:)(.*)", line)
    given = re.fullmatch(r"(\w+(?:\[\w+\])*) *=(?!=)(.*)", line)
    match = found or given
    if block_of(failure) != "steps" or match is None or first.text in lexis().keywords:
        return None
    what = match[2].strip()
    if given is not None and is_given and not re.match(r"\d+ +\w", what):
        return None
    place = f"hand[{match[1]}]" if found and match[1][:1].isupper() else match[1]
    items = re.split(r" *, *| +and +", what.removeprefix("[").removesuffix("]")) if what else ["…"]
    laid = ", ".join(re.sub(r"^(\d+) +(?=\w)", r"\1 * ", item) for item in items)
    message = "in an example, `given` says what a player has"
    hint = f"write `given {place} = [{laid}]`"
    return report_failure(failure, codes.UNKNOWN_WORD, message, hint, at=first)


def _heading_again(failure: ParseFailure) -> Diagnostic | None:
    """A heading that was copied into its table."""
    texts = token_texts(failure)
    starts = [heading.split()[1:3] for heading, _ in HEADINGS.values()]
    if block_of(failure) != "cells" or texts[1:3] not in starts:
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


def _how_many_play(failure: ParseFailure) -> Diagnostic | None:
    """`players 2, 3, 4`, `players two to four`, `2..4 players`"""
    first, *others, end = failure.tokens
    leads, trails = first.text == "players", first.kind == "INT" and others[-1:]
    if block_of(failure) != "declarations" or not (
        leads or (trails and trails[0].text == "players")
    ):
        return None
    words = re.findall(r"\w+", failure.source.text[first.start : end.start])
    numbers = {
        SPELT.index(word) if word in SPELT else int(word)
        for word in words
        if word in SPELT or word.isdigit()
    }
    is_told = leads and (
        failing(failure).text in ("-", "to") or "CLOCKWISE" in failure.expected - {"RANGE"}
    )
    # `players 2-4` and `players 2 to 4` have a row of their own in `patterns`, which marks the `-` or the `to`.
    is_plain = leads and [each.kind for each in others[:3:2]] == ["INT", "INT"]
    has_pattern = is_plain and failing(failure) is others[1] and others[1].text in ("-", "to")
    if len(numbers) < 2 or has_pattern or (is_told and "RANGE" not in failure.expected):
        return None
    message = "a range of players is written with `..`"
    hint = f"write `players {min(numbers)}..{max(numbers)}`"
    return report_failure(failure, codes.UNEXPECTED, message, hint, at=first)


def _ranked(failure: ParseFailure) -> Diagnostic | None:
    """`most score` in a ranking."""
    first, *others, end = failure.tokens
    order = RANKED.get(first.text)
    if block_of(failure) != "cells" or order is None or not others:
        return None
    if others[0].kind not in ("NAME", "HASH", "INT", "LPAR"):
        return None
    what = failure.source.text[others[0].start : end.start].strip()
    message = "the cells of a row are separated by `|`"
    return report_failure(
        failure, codes.WRONG_CELLS, message, f"write `{order} | {what}`", at=first
    )


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
    hint = f"write `-- {quotable(comment)}`"
    if re.search(r"[\d#()\[\]]", comment):
        hint += ", or indent it deeper to continue the line above"
    return report_failure(failure, codes.STRAY_SIGN, message, hint, at=first)


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


SPELT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
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
    *(_spoken, _has_pieces, option_of_base, _heading_again, _whoever, _how_many_play, _ranked),
    *(_tell_whom, _is_empty, _hyphen, _second_for),
)
