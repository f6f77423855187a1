"""A line that does not parse -> the one diagnostic that names the slip.

SLIPS lists what authors do, most specific first; each function looks at the failure and returns a
diagnostic or None. What can be told by the words around the place is a row of `patterns`. If nothing
knows better, the message says what was expected.
"""

from collections.abc import Callable
from itertools import pairwise

from rulespec import codes
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, Span
from rulespec.syntax.choice_slips import missing_quotes, wrong_choice
from rulespec.syntax.face_words import means_nothing
from rulespec.syntax.parse_failures import (
    ParseFailure,
    after_value,
    at_end,
    block_of,
    failing,
    failing_text,
    first_text,
    lead,
    leading_keywords,
    leading_word,
    report_failure,
    token_after,
    token_before,
    token_kinds,
    token_texts,
    wants_value,
)
from rulespec.syntax.patterns import (
    EXPRESSION_STARTS,
    FORMS,
    LINES,
    OPERATORS,
    WORDS,
    Place,
    SlipPattern,
    find_pattern,
    spelling,
)
from rulespec.syntax.sayings import SAYINGS, cell_meant
from rulespec.syntax.scanner import Token, lexis, quotable
from rulespec.syntax.table_slips import (
    missing_arrow,
    two_words,
    wrong_cells,
    wrong_header,
    wrong_heading,
    wrong_key,
)
from rulespec.syntax.word_suggestions import (
    CHOOSING,
    DECLARING,
    DEEDS,
    FOREIGN_LEADS,
    FOREIGN_WORDS,
    leading_hint,
    statement_hint,
)


def explain_failure(failure: ParseFailure) -> Diagnostic:
    """What went wrong, in the author's words."""
    if failure.told is not None:
        return failure.told
    if failure.too_deep:
        return nested_too_deeply(failure.source, failure.tokens)
    for slip in SLIPS:
        found = slip(failure)
        if found is not None:
            return found
    return _unexpected(failure)


def nested_too_deeply(source: Source, tokens: tuple[Token, ...] | list[Token]) -> Diagnostic:
    """For a tree that has grown too deep."""
    span = Span(source, tokens[0].start, tokens[-1].end)
    hint = "give a part of it a name with `let`, or a `rule` of its own"
    return Diagnostic(codes.TOO_DEEP, "this is nested too deeply to be read", span, hint=hint)


# ---- Lines in the wrong place, and their first word ----------------------------------------------


def _string_line(failure: ParseFailure) -> Diagnostic | None:
    """A line that begins with a text is a sentence about what follows, and nothing else stands on it."""
    first = failure.tokens[0]
    if first.kind != "STRING":
        return None
    if failure.position == 0:
        message = "a line that begins with a text continues the line above"
        return report_failure(
            failure, codes.NOT_CONTINUED, message, "indent it deeper than the line above"
        )
    is_sentence = "\n" in first.text
    if block_of(failure) == "rows" and not is_sentence:
        message = f"`{first.text}` cannot be part of a key"
        return report_failure(
            failure, codes.BAD_KEY, message, "write a name without quotes", at=first
        )
    if block_of(failure) == "cells" and not is_sentence:
        message = "a row begins with a name, without quotes"
        return report_failure(failure, codes.UNEXPECTED, message, "leave the quotes out", at=first)
    # A sentence may have several lines: the mistake is where it has ended.
    message = "a sentence ends its line"
    return report_failure(failure, codes.UNEXPECTED, message, "break the line before this")


def _capitalised(failure: ParseFailure) -> Diagnostic | None:
    """`If` for `if`."""
    first = failure.tokens[0]
    small = first.text.lower()
    if first.kind != "NAME" or small == first.text or small not in lexis().keywords:
        return None
    if lexis().keywords[small] not in failure.expected_first:
        return None
    message = "the words of the language are in lower case"
    return report_failure(failure, codes.UNKNOWN_WORD, message, f"write `{small}`", at=first)


def _declaration_inside(failure: ParseFailure) -> Diagnostic | None:
    word, first = first_text(failure), failure.tokens[0]
    if block_of(failure) == "statements" and word in DECLARING and failure.tokens[1].kind == "NAME":
        message = f"`{word}` declares something, and cannot be among statements"
        hint = "write it at the left margin, outside the rule"
        return report_failure(failure, codes.WRONG_PLACE, message, hint, at=first)
    return None


def _misspelt(failure: ParseFailure) -> Diagnostic | None:
    """The first word begins no line of this block."""
    first, block = failure.tokens[0], block_of(failure)
    if first.kind != "NAME" or block in ("rows", "cells", "header", "picks"):
        return None
    if block != "statements":
        if failure.position:
            return None
        known = leading_keywords(failure)
        hint = leading_hint(first.text, known)
    elif not _begins_like_statement(failure):
        return None
    else:
        hint = statement_hint(first.text)
    name = "step of an example" if block == "steps" else block.removesuffix("s")
    message = f"no {name} begins with `{first.text}`"
    return report_failure(failure, codes.UNKNOWN_WORD, message, hint, at=first)


def _begins_like_statement(failure: ParseFailure) -> bool:
    """A keyword seems to be meant by the first word, as another word or a value follows it."""
    second = failure.tokens[1].kind
    if (CHOOSING | {"may"}) & {*token_texts(failure)}:
        return False
    if first_text(failure) in FOREIGN_LEADS and second == "COLON":
        return True
    return second in {"NAME", "STRING"} | EXPRESSION_STARTS - {"LPAR", "LSQB", "MINUS"}


def _misspelt_behind(failure: ParseFailure) -> Diagnostic | None:
    """The same for a statement that follows `:`, `;` or `=>`, as far as its word is known."""
    tokens = failure.tokens[: failure.position]
    if block_of(failure) not in ("statements", "rows"):
        return None
    for first, token in pairwise(tokens):
        if first.kind in ("COLON", "SEMICOLON", "ARROW") and token.text in FOREIGN_LEADS | DEEDS:
            following = failure.tokens[failure.tokens.index(token) + 1]
            if following.kind in ("NAME", "INT"):
                message = f"no statement begins with `{token.text}`"
                hint = statement_hint(token.text)
                return report_failure(failure, codes.UNKNOWN_WORD, message, hint, at=token)
    return None


def _foreign_word(failure: ParseFailure) -> Diagnostic | None:
    """A word of another language, here or among the words right before."""
    tokens = failure.tokens[: failure.position + 1]
    if len(tokens) > 2 and tokens[-2].kind == "NOT":
        tokens = tokens[:-2]
    for token in reversed(tokens[1:]):
        # Words that follow one another are read as one face, whatever they are.
        if token.kind not in ("NAME", "INT") and token is not tokens[-1]:
            return None
        if token.kind == "NAME" and token.text in FOREIGN_WORDS and token.text != "of":
            return means_nothing(token.text, Span(failure.source, token.start, token.end))
    return None


# ---- Statements ----------------------------------------------------------------------------------


def _no_colon(failure: ParseFailure) -> Diagnostic | None:
    """`if ready p chooses …`: the choice has been read as a part of the condition."""
    if first_text(failure) not in ("if", "for", "repeat") or "COLON" in token_kinds(failure):
        return None
    chooses = next((token for token in failure.tokens if token.text in ("chooses", "may")), None)
    if chooses is None or chooses.start > failing(failure).start:
        return None
    message = "`:` is missing before the choice"
    hint = f"write `: p {chooses.text} …`, or begin a new line, indented"
    return report_failure(failure, codes.INCOMPLETE, message, hint, at=chooses)


def _colon(failure: ParseFailure) -> Diagnostic | None:
    """A colon at the end of a line."""
    token, before = failing(failure), token_before(failure)
    colon = before if at_end(failure) else token
    if colon is None or colon.kind != "COLON" or failure.tokens[-2] is not colon:
        return None
    if failure.opens_block and ("_NL" in failure.expected or "MOVE" in failure.expected):
        message = "the block begins on the next line, so this `:` does not belong here"
        return report_failure(
            failure, codes.COLON_AND_BLOCK, message, "leave the `:` out", at=colon
        )
    if "MOVE" in failure.expected:
        message = "nothing follows this `:`"
        return report_failure(
            failure, codes.COLON_AND_BLOCK, message, "write `: nothing`", at=colon
        )
    return None


# ---- Names, numbers, texts and lists -------------------------------------------------------------


def _parameter(failure: ParseFailure) -> Diagnostic | None:
    token, before = failing(failure), token_before(failure)
    if "COLON" not in failure.expected or before is None or before.kind != "NAME":
        return None
    if "LPAR" not in token_kinds(failure)[: failure.position]:
        return None
    name, what = before.text, "attribute" if block_of(failure) == "cells" else "parameter"
    if token.kind == "NAME":
        kind = token.text
        if name[:1].isupper() and kind[:1].islower():
            name, kind = kind, name
        message = f"a `:` is missing between the {what} `{name}` and its type"
        return report_failure(failure, codes.INCOMPLETE, message, f"write `{name}: {kind}`")
    if token.kind in ("RPAR", "_COMMA", "IN"):
        message = f"the {what} `{name}` has no type"
        return report_failure(
            failure, codes.INCOMPLETE, message, f"write `{name}: Player` or another type"
        )
    return None


def _name_of_two_words(failure: ParseFailure) -> Diagnostic | None:
    token, before = failing(failure), token_before(failure)
    if failure.position != 2 or before is None or before.kind != "NAME":
        return None
    if first_text(failure) not in ("always", "let", "rule", "rows", "table", "variant"):
        return None
    if token.kind == "MINUS" and token_after(failure).kind == "NAME":
        token = token_after(failure)
    return two_words(failure, before, token) if token.kind == "NAME" else None


def _reserved(failure: ParseFailure) -> Diagnostic | None:
    token = failing(failure)
    if token.text not in lexis().reserved or "NAME" not in failure.expected:
        return None
    if "DOT" in failure.expected or wants_value(failure):
        return None
    message = f"`{token.text}` is a reserved word and cannot be a name"
    return report_failure(
        failure, codes.RESERVED, message, f"write `{token.text}_…` or another name"
    )


def _example(failure: ParseFailure) -> str | None:
    form = FORMS.get(lead(failure))
    return f"for example `{form[0]}`" if form and failure.position else None


def _form(failure: ParseFailure) -> Diagnostic | None:
    word = lead(failure)
    for kind in FORMS.get(word, ("", ""))[1].split():
        if kind == "IS" and kind in token_kinds(failure)[: failure.position]:
            continue  # another one would name an attribute of a face
        if kind in failure.expected and not (kind == "IN" and after_value(failure)):
            message = f"this `{word}` has no {spelling()[kind]}"
            return report_failure(failure, codes.INCOMPLETE, message, _example(failure))
    return None


def _gives_value(failure: ParseFailure) -> Diagnostic | None:
    """`==` where `=` belongs."""
    if "IS" in failure.expected and block_of(failure) != "statements":
        compared = next((each for each in failure.tokens if each.kind == "EQUAL"), None)
        if compared is not None and (failing(failure) is compared or at_end(failure)):
            message = "`==` compares, it does not give a value"
            return report_failure(failure, codes.EQUALS, message, "write `=`", at=compared)
    return None


def _thousands(failure: ParseFailure) -> Diagnostic | None:
    before, following = token_before(failure), token_after(failure)
    if block_of(failure) in ("rows", "cells") or leading_word(failure) == "option":
        return None
    if failing(failure).kind == "_COMMA" and before and before.kind == following.kind == "INT":
        hint = f"write `{before.text}{following.text}`" if len(following.text) == 3 else None
        return report_failure(failure, codes.BAD_NUMBER, "a number has no comma in it", hint)
    return None


def _text_without_quotes(failure: ParseFailure) -> Diagnostic | None:
    if "STRING" not in failure.expected or failing(failure).kind not in ("NAME", "INT"):
        return None
    return None if after_value(failure) else missing_quotes(failure)


def _no_comma(failure: ParseFailure) -> Diagnostic | None:
    token = failing(failure)
    if "_COMMA" not in failure.expected:
        return None
    if token.kind in ("NAME", "INT", "HASH", "YES", "NO", "NONE"):
        message = f"a comma is missing before `{token.text}`"
        return report_failure(failure, codes.NO_COMMA, message, f"write `, {token.text}`")
    return None


# ---- Slips that the words around the place tell --------------------------------------------------


def _words_around(patterns: tuple[SlipPattern, ...]) -> "Slip":
    def slip(failure: ParseFailure) -> Diagnostic | None:
        pattern = find_pattern(patterns, _place(failure))
        if pattern is None:
            return None
        word, second = token_texts(failure)[:2]
        before, following = token_before(failure), token_after(failure)
        around = {
            "found": failing_text(failure),
            "after": quotable(before.text) if before else "",
            "next": quotable(following.text) or "…",
            "word": word,
            "second": second,
        }
        hint = pattern.hint.format_map(around) if pattern.hint else None
        at = None
        if "line" in pattern.place and "found" not in pattern.place:
            at = failure.tokens[0]
        elif at_end(failure) and "after" in pattern.place:
            at = before  # the end of a line has nothing to mark
        return report_failure(
            failure, pattern.code, pattern.message.format_map(around), hint, at=at
        )

    return slip


def _place(failure: ParseFailure) -> Place:
    before = token_before(failure)
    return {
        "found": _names(failing(failure)),
        "after": _names(before) if before else {"^"},
        "before": _names(token_after(failure)),
        "wanted": failure.expected,
        "among": {name for token in failure.tokens for name in _names(token)},
        "line": {first_text(failure), lead(failure)},
        "block": {block_of(failure)},
    }


def _names(token: Token) -> set[str]:
    return {token.kind, token.text} if token.kind == "NAME" else {token.kind}


Slip = Callable[[ParseFailure], Diagnostic | None]

SLIPS: tuple[Slip, ...] = (
    _capitalised,
    _string_line,
    *SAYINGS,
    _words_around(LINES),
    _declaration_inside,
    wrong_heading,
    wrong_header,
    wrong_cells,
    missing_arrow,
    wrong_key,
    _foreign_word,
    _no_colon,
    _colon,
    wrong_choice,
    _misspelt,
    _misspelt_behind,
    _parameter,
    _name_of_two_words,
    _thousands,
    _gives_value,
    _words_around(WORDS),
    _reserved,
    _form,
    _text_without_quotes,
    _no_comma,
)


# ---- If nothing is known about it ----------------------------------------------------------------


def _unexpected(failure: ParseFailure) -> Diagnostic:
    wanted = failure.expected
    terms: list[str] = []
    if "HASH" in wanted:
        terms.append("a value")
        wanted = wanted - EXPRESSION_STARTS - {"NAME"}
    elif "PLUS" in wanted:
        wanted = wanted - OPERATORS - {"NAME", "INT"}
    if "EVERYONE" in wanted and not {"pile", "pool"} & {*token_texts(failure)}:
        wanted = wanted - {"TOP"}  # only a pile has one: this is a row of `state`
    terms += sorted(spelling()[kind] for kind in wanted if kind in spelling())
    before = token_before(failure)
    after = f" after `{quotable(before.text)}`" if before is not None else ""
    found = "the line ends" if at_end(failure) else f"found `{failing_text(failure)}`"
    message = f"expected {_either(terms)}{after}, but {found}"
    if not terms or len(terms) > 5:
        message = f"`{failing_text(failure)}` makes no sense{after or ' here'}"
        if at_end(failure):
            message = "the line ends too early"
    inside = after_value(failure) or wants_value(failure) or "FOR" in token_kinds(failure)
    hint = None if inside else _example(failure)
    if {"everyone", "pile"} & {each.strip("`") for each in terms}:
        meant = cell_meant(failing(failure).text, [each.strip("`") for each in terms])
        hint = f"write `{meant}`" if meant is not None else hint
    return report_failure(failure, codes.UNEXPECTED, message, hint)


def _either(terms: list[str]) -> str:
    return " or ".join(([", ".join(terms[:-1])] if terms[1:] else []) + terms[-1:])
