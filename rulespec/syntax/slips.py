"""A line that does not parse -> the one diagnostic that names the slip.

SLIPS lists what authors do, most specific first; each function looks at the failure and returns a
diagnostic or None. If none of them knows better, the message says what was expected.
"""

from collections.abc import Callable
from difflib import get_close_matches

from attrs import frozen

from rulespec import codes
from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source, Span
from rulespec.syntax.scanner import Token, lexis
from rulespec.syntax.shape import DECLARING, FOREIGN_WORDS


@frozen
class Failure:
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


def explain(failure: Failure) -> Diagnostic:
    """What went wrong, in the author's words."""
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


def leading_word(failure: Failure) -> str:
    """The keyword that the line begins with, or is meant to begin with."""
    words = [token.text for token in failure.tokens if token.kind not in ("INT", "STRING")]
    word = words[1] if words[0] == "override" and len(words) > 1 else words[0]
    if word in lexis().keywords:
        return word
    near = get_close_matches(word, _leading_keywords(failure), 1)
    return near[0] if near else word


# ---- What the failure looks like -----------------------------------------------------------------

EXPRESSION_STARTS = frozenset({"HASH", "LPAR", "LSQB", "MINUS", "NOT", "YES", "NO", "NONE", "INT"})
RELATIONS = frozenset({"EQUAL", "UNEQUAL", "LESS", "AT_MOST", "MORE", "AT_LEAST", "IN"})
OPERATORS = RELATIONS | {
    *("AND", "OR", "IF", "WHERE", "PLUS", "MINUS", "MEET", "TIMES", "DIVIDE", "MODULO", "RANGE"),
    *("DOT", "LSQB", "LPAR", "NOT"),
}
STATEMENTS = (
    *("move", "shuffle", "random", "show", "reveal", "each", "stop", "end", "nothing", "return"),
    *("if", "for", "repeat", "else"),
)


def _token(failure: Failure) -> Token:
    return failure.tokens[failure.position]


def _before(failure: Failure) -> Token | None:
    return failure.tokens[failure.position - 1] if failure.position else None


def _at_end(failure: Failure) -> bool:
    return _token(failure).kind == "_NL"


def _wants_value(failure: Failure) -> bool:
    return "HASH" in failure.expected


def _after_value(failure: Failure) -> bool:
    return "PLUS" in failure.expected and "HASH" not in failure.expected


def _among_statements(failure: Failure) -> bool:
    return "MOVE" in failure.expected_first


def _among_declarations(failure: Failure) -> bool:
    return "RULING" in failure.expected_first


def _among_rows(failure: Failure) -> bool:
    return {"TIMES", "RANGE"} <= failure.expected_first


def _among_steps(failure: Failure) -> bool:
    return "GIVEN" in failure.expected_first


def _in_header(failure: Failure) -> bool:
    return "HASH" in failure.expected_first and not _among_statements(failure)


def _kinds(failure: Failure) -> list[str]:
    return [token.kind for token in failure.tokens]


def _first(failure: Failure) -> str:
    return failure.tokens[0].text


def _has(failure: Failure, *texts: str) -> bool:
    return any(token.text in texts for token in failure.tokens)


def _told(
    failure: Failure, code: Code, message: str, hint: str | None = None, *, at: Token | None = None
) -> Diagnostic:
    token = at or _token(failure)
    if token.kind == "_NL" and failure.position:
        # The end of a line has no width: mark the blank behind the last word.
        end = token.start
        return Diagnostic(code, message, Span(failure.source, end, end), hint=hint)
    return Diagnostic(code, message, Span(failure.source, token.start, token.end), hint=hint)


def _leading_keywords(failure: Failure) -> list[str]:
    """The words that may begin a line here."""
    spelling = {name: word for word, name in lexis().keywords.items()}
    return sorted(spelling[kind] for kind in failure.expected_first if kind in spelling)


# ---- Slips at the beginning of a line ------------------------------------------------------------


def _line_that_continues(failure: Failure) -> Diagnostic | None:
    token = _token(failure)
    if failure.position == 0 and token.kind in ("AND", "OR", "WHERE", "STRING"):
        what = "a string" if token.kind == "STRING" else f"`{token.text}`"
        message = f"a line that begins with {what} continues the line above"
        hint = "indent it deeper than the line above"
        return _told(failure, codes.NOT_CONTINUED, message, hint)
    return None


def _else_alone(failure: Failure) -> Diagnostic | None:
    if failure.position == 0 and _among_statements(failure) and _token(failure).kind == "ELSE":
        message = "no `if` stands right before this `else`"
        hint = "indent it like its `if`, and put nothing between their blocks"
        return _told(failure, codes.ELSE_ALONE, message, hint)
    return None


def _pick_alone(failure: Failure) -> Diagnostic | None:
    if _among_steps(failure) and len(failure.tokens) > 1 and failure.tokens[1].text == "picks":
        message = "a pick stands below the `when` that it answers"
        return _told(failure, codes.WRONG_PLACE, message, "indent it deeper than its `when`")
    return None


def _wrong_place(failure: Failure) -> Diagnostic | None:
    word = _first(failure)
    if failure.position > 1:
        return None
    if _among_declarations(failure):
        second = failure.tokens[1].text
        if word in STATEMENTS or second in ("chooses", "may") or second in ("=", "+=", "-="):
            hint = "put it into a `rule`, indented"
            message = f"`{word} {second} …` is a statement, and stands outside any rule"
            return _told(failure, codes.WRONG_PLACE, message.replace("  ", " "), hint)
        if word in ("given", "expect"):
            message = f"`{word}` is a step of an example"
            return _told(failure, codes.WRONG_PLACE, message, "put it below an `example`, indented")
        if word in ("variant", "extends", "mechanism"):
            message = f"a variant cannot hold `{word}`"
            return _told(failure, codes.WRONG_PLACE, message, f"write `{word}` at the left margin")
        if word == "override" and second in lexis().keywords and failure.position == 1:
            message = f"`{second}` is not overridden"
            return _told(failure, codes.WRONG_PLACE, message, "leave `override` out")
        return None
    if word in DECLARING and failure.position == 0 and not _among_rows(failure):
        message = f"`{word}` declares something, and cannot stand in this block"
        return _told(failure, codes.WRONG_PLACE, message, "write it at the left margin")
    return None


def _comment_sign(failure: Failure) -> Diagnostic | None:
    if failure.position <= 1 and _token(failure).kind == "HASH" and not _wants_value(failure):
        message = "`#` counts, and nothing is to be counted here"
        return _told(failure, codes.STRAY_SIGN, message, "a comment begins with `--`")
    return None


def _misspelt(failure: Failure) -> Diagnostic | None:
    """The first word is no keyword, but should be one."""
    first = failure.tokens[0]
    if first.kind != "NAME":
        return None
    if _among_statements(failure):
        second = failure.tokens[1]
        starts_value = second.kind in ("NAME", "INT", "HASH") or second.kind in EXPRESSION_STARTS
        if second.kind in ("LPAR", "LSQB") or not starts_value or _has(failure, *CHOOSING):
            return None
        known: list[str] = [*STATEMENTS]
    elif failure.position == 0:
        known = _leading_keywords(failure)
        if first.text in known or not known:
            return None
    else:
        return None
    if first.text in FOREIGN_WORDS:
        hint: str | None = FOREIGN_WORDS[first.text]
    else:
        near = get_close_matches(first.text.lower(), known, 1)
        hint = f"did you mean `{near[0]}`?" if near else None
    if hint is None and _among_statements(failure):
        return None
    kind = (
        "statement"
        if _among_statements(failure)
        else "declaration"
        if _among_declarations(failure)
        else "line of this block"
    )
    message = f"no {kind} begins with `{first.text}`"
    return _told(failure, codes.UNKNOWN_WORD, message, hint, at=first)


CHOOSING = ("chooses", "choose", "may")


# ---- Slips in tables -----------------------------------------------------------------------------

HEADINGS = {
    "pieces": "pieces | copies | shown as",
    "zones": "zones | order | seen by | holds",
    "state": "state | type | start",
}


def _heading(failure: Failure) -> Diagnostic | None:
    if _among_declarations(failure) and failure.position:
        word = leading_word(failure)
        if word in HEADINGS:
            message = f"the heading of `{word}` reads otherwise"
            return _told(failure, codes.WRONG_HEADING, message, f"write `{HEADINGS[word]}`")
    return None


def _no_arrow(failure: Failure) -> Diagnostic | None:
    if not (_among_rows(failure) or _in_header(failure)) or "ARROW" in _kinds(failure):
        return None
    part = "row" if _among_rows(failure) else "header"
    token = _token(failure)
    if token.kind in ("IS", "COLON", "RESULT", "AT_LEAST"):
        message = f"`{token.text}` stands where a {part} has `=>`"
        return _told(failure, codes.NO_ARROW, message, "write `=>`")
    if "ARROW" in failure.expected or _at_end(failure):
        what = "what the row answers" if part == "row" else "the names of the answers"
        message = f"this {part} has no `=>`"
        return _told(failure, codes.NO_ARROW, message, f"put `=>` before {what}")
    return None


def _bad_key(failure: Failure) -> Diagnostic | None:
    if not _among_rows(failure) or "ARROW" in _kinds(failure)[: failure.position]:
        return None
    token = _token(failure)
    if token.kind == "ARROW":
        message = "a key is missing before `=>`"
        return _told(failure, codes.BAD_KEY, message, "write `*` if any value will do")
    hint = None
    if token.text in ("else", "otherwise", "default"):
        hint = "write `*` for all the rest"
    elif token.kind in ("MORE", "AT_LEAST"):
        hint = "write `7+` for seven or more"
    elif token.kind in ("LESS", "AT_MOST"):
        hint = "write `..7` for seven or less"
    elif token.kind == "MINUS":
        hint = "write `2..6` for the numbers from two to six"
    elif token.kind == "OR":
        hint = "separate alternatives with commas"
    elif token.kind in ("STRING", "LPAR", "LSQB"):
        hint = "write a name, a number, a range or `*`"
    elif token.kind not in OPERATORS and token.kind not in lexis().keywords.values():
        return None
    return _told(failure, codes.BAD_KEY, f"`{token.text}` cannot stand in a key", hint)


def _cells(failure: Failure) -> Diagnostic | None:
    """Too many or too few cells in the row of a table with fixed columns."""
    has_bar = "VBAR" in _kinds(failure)
    in_rows = "CITE" in failure.expected_first and not (
        _among_statements(failure) or _among_declarations(failure) or _among_rows(failure)
    )
    if not (has_bar or in_rows) or _among_declarations(failure):
        return None
    token = _token(failure)
    if token.kind == "VBAR" and "_NL" in failure.expected and not _among_rows(failure):
        message = "this row has more cells than the table has columns"
        return _told(failure, codes.WRONG_CELLS, message)
    if token.kind == "_NL" and in_rows:
        before = _before(failure)
        if "VBAR" in failure.expected:
            message = "this row has fewer cells than the table has columns"
            return _told(failure, codes.WRONG_CELLS, message, "separate the cells with `|`")
        if before is not None and before.kind == "VBAR":
            message = "the last cell of this row is empty"
            return _told(failure, codes.WRONG_CELLS, message)
    return None


# ---- Slips in statements -------------------------------------------------------------------------

# What a statement looks like, by its first word.
FORMS = {
    "move": "move … to …",
    "show": "show … to …",
    "random": "random x from …",
    "each": "each p in … chooses x[p] from …",
    "for": "for x in …",
}


def _choosing(failure: Failure) -> Diagnostic | None:
    if not _among_statements(failure) or not _has(failure, *CHOOSING):
        return None
    texts = [token.text for token in failure.tokens]
    if "choose" in texts and "may" not in texts:
        at = failure.tokens[texts.index("choose")]
        message = "a choice is written `chooses`, or `may choose` if one may decline"
        return _told(failure, codes.INCOMPLETE, message, "write `chooses`", at=at)
    if "may" in texts and "chooses" in texts:
        at = failure.tokens[texts.index("chooses")]
        return _told(failure, codes.UNEXPECTED, "after `may` stands `choose`", at=at)
    verb = next((n for n, text in enumerate(texts) if text in ("chooses", "choose")), None)
    if verb is None:
        return None
    if texts[verb + 1] == "from":
        message = f"`{texts[verb]}` does not say what the choice is called"
        hint = f"write `{texts[verb]} card from …`"
        return _told(failure, codes.INCOMPLETE, message, hint, at=failure.tokens[verb])
    if verb == 0:
        message = f"nobody stands before `{texts[verb]}`"
        return _told(failure, codes.INCOMPLETE, message, "write `p chooses …`")
    if "FROM" in failure.expected:
        message = f"this choice does not say what to choose from, `{_text(failure)}` stands there"
        if _at_end(failure):
            message = "this choice does not say what to choose from"
        hint = f"write `{texts[verb]} {texts[verb + 1] or 'card'} from …`"
        return _told(failure, codes.INCOMPLETE, message, hint)
    if _token(failure).kind == "OR" and "may" not in texts:
        message = "only a choice with `may choose` can be declined"
        return _told(failure, codes.UNEXPECTED, message, "write `may choose`")
    return None


def _move_from(failure: Failure) -> Diagnostic | None:
    if _first(failure) == "move" and _token(failure).text == "from":
        message = "`move` takes the pieces themselves, wherever they are"
        return _told(failure, codes.UNEXPECTED, message, "write `move top(deck, 3) to hand[p]`")
    return None


def _form(failure: Failure) -> Diagnostic | None:
    word = _first(failure)
    if word not in FORMS or not _among_statements(failure):
        return None
    missing = [kind for kind in ("TO", "FROM", "IN", "CHOOSES") if kind in failure.expected]
    if missing and not (missing == ["IN"] and _after_value(failure)):
        wanted = f"`{missing[0].lower()}`"
        message = f"this `{word}` has no {wanted}"
        return _told(failure, codes.INCOMPLETE, message, f"it reads `{FORMS[word]}`")
    return None


def _not_one_line(failure: Failure) -> Diagnostic | None:
    token = _token(failure)
    before = _before(failure)
    if before is not None and before.kind in ("COLON", "SEMICOLON"):
        if token.kind in ("IF", "FOR", "REPEAT"):
            message = f"`{token.text}` cannot stand on one line with what is before it"
            hint = f"begin a new line with `{token.text}`, indented"
            return _told(failure, codes.NOT_ONE_LINE, message, hint)
        if token.kind == "_NL" and before.kind == "SEMICOLON":
            message = "after `;` another statement follows"
            return _told(failure, codes.INCOMPLETE, message, "leave the `;` out", at=before)
        if token.kind == "_NL" and "MOVE" in failure.expected:
            message = "the block begins on the next line, so this `:` is too much"
            if not failure.opens_block:
                message = "nothing follows this `:`"
            hint = "leave the `:` out" if failure.opens_block else "write `: nothing`"
            return _told(failure, codes.COLON_AND_BLOCK, message, hint, at=before)
    if token.kind == "ELSE" and failure.position and "_NL" in failure.expected:
        message = "`else` begins a new line"
        return _told(failure, codes.NOT_ONE_LINE, message, "break the line before `else`")
    return None


# ---- Slips in expressions ------------------------------------------------------------------------


def _reserved(failure: Failure) -> Diagnostic | None:
    token = _token(failure)
    if token.text not in lexis().reserved or "NAME" not in failure.expected:
        return None
    if _after_value(failure) or "DOT" in failure.expected:
        return None
    if _wants_value(failure):
        if token.kind == "IF":
            message = "a conditional value begins with the value"
            return _told(failure, codes.UNEXPECTED, message, "write `x if condition else y`")
        message = f"`{token.text}` is a reserved word and no value"
        return _told(failure, codes.RESERVED, message)
    message = f"`{token.text}` is a reserved word and cannot be a name"
    return _told(failure, codes.RESERVED, message, f"write `{token.text}_…` or another name")


def _equals(failure: Failure) -> Diagnostic | None:
    token = _token(failure)
    if token.kind == "IS" and _after_value(failure):
        message = "`=` gives a value, it does not compare"
        return _told(failure, codes.EQUALS, message, "write `==`")
    if "IS" in failure.expected and not _among_statements(failure):
        compared = next((each for each in failure.tokens if each.kind == "EQUAL"), None)
        if compared is not None and (token is compared or _at_end(failure)):
            message = "`==` compares, it does not give a value"
            return _told(failure, codes.EQUALS, message, "write `=`", at=compared)
    return None


def _chain(failure: Failure) -> Diagnostic | None:
    if _token(failure).kind in RELATIONS and "AND" in failure.expected:
        message = "a comparison has two sides, and this would be a third"
        return _told(failure, codes.CHAIN, message, "join two comparisons with `and`")
    return None


def _whole_numbers(failure: Failure) -> Diagnostic | None:
    before = _before(failure)
    if _token(failure).kind == "INT" and before is not None and before.kind == "DOT":
        message = "numbers are whole"
        hint = "count in smaller units; a range is written `1..5`"
        return _told(failure, codes.BAD_NUMBER, message, hint, at=before)
    return None


def _text_without_quotes(failure: Failure) -> Diagnostic | None:
    if "STRING" not in failure.expected or _token(failure).kind not in ("NAME", "CITE", "INT"):
        return None
    if _after_value(failure):
        return None
    message = f"text stands between quotes, and `{_text(failure)}` does not"
    return _told(failure, codes.OPEN_STRING, message, 'write `"` before and after it')


def _string_as_value(failure: Failure) -> Diagnostic | None:
    if _token(failure).kind == "STRING" and _wants_value(failure):
        message = "a string is for reading and no value"
        hint = "write the name of a member without quotes"
        return _told(failure, codes.UNEXPECTED, message, hint)
    return None


def _no_item(failure: Failure) -> Diagnostic | None:
    before = _before(failure)
    ends = _at_end(failure) or _token(failure).kind in ("RPAR", "RSQB")
    if ends and before is not None and before.kind == "_COMMA":
        message = "nothing follows this comma"
        hint = "leave it out, or indent the line that continues this one"
        return _told(failure, codes.NO_ITEM, message, hint, at=before)
    return None


def _no_comma(failure: Failure) -> Diagnostic | None:
    token = _token(failure)
    if "_COMMA" not in failure.expected:
        return None
    if token.kind in ("VBAR", "SEMICOLON") and _first(failure) == "enum":
        message = "the members of an enum are separated by commas"
        return _told(failure, codes.NO_COMMA, message, "write `,`")
    is_item = token.kind in ("NAME", "INT", "HASH") or token.kind in ("YES", "NO", "NONE")
    if is_item:
        message = f"a comma is missing before `{token.text}`"
        return _told(failure, codes.NO_COMMA, message, f"write `, {token.text}`")
    return None


# ---- Slips in declarations -----------------------------------------------------------------------


def _parameter(failure: Failure) -> Diagnostic | None:
    if leading_word(failure) not in ("rule", "table", "let", "mechanism"):
        return None
    if "COLON" in failure.expected and _token(failure).kind in ("RPAR", "_COMMA"):
        name = failure.tokens[failure.position - 1].text
        message = f"the parameter `{name}` has no type"
        return _told(failure, codes.INCOMPLETE, message, f"write `{name}: Player` or another type")
    if "COLON" in failure.expected and _token(failure).kind == "NAME" and "LPAR" in _kinds(failure):
        name = failure.tokens[failure.position - 1].text
        message = f"between the parameter `{name}` and its type stands `:`"
        return _told(failure, codes.INCOMPLETE, message, f"write `{name}: {_text(failure)}`")
    if leading_word(failure) == "let" and _token(failure).kind == "COLON":
        message = "a `let` has no type of its own"
        return _told(failure, codes.UNEXPECTED, message, "leave out `:` and the type")
    return None


def _player_numbers(failure: Failure) -> Diagnostic | None:
    if _first(failure) == "players" and _among_declarations(failure):
        message = "the number of players is one number or a range"
        return _told(failure, codes.UNEXPECTED, message, "write `players 2..5`")
    return None


def _trigger(failure: Failure) -> Diagnostic | None:
    if _first(failure) == "when" and _among_declarations(failure) and failure.position:
        message = "`when` takes the name of a condition, not the condition itself"
        hint = "write `let ready = …`, and then `when ready: …`"
        return _told(failure, codes.UNEXPECTED, message, hint)
    return None


def _member(failure: Failure) -> Diagnostic | None:
    if _first(failure) == "enum" and _token(failure).kind == "INT" and "NAME" in failure.expected:
        message = "a member of an enum is a name"
        hint = "for numbers use a range such as `1..7` as the type"
        return _told(failure, codes.UNEXPECTED, message, hint)
    return None


Slip = Callable[[Failure], Diagnostic | None]

SLIPS: tuple[Slip, ...] = (
    _line_that_continues,
    _else_alone,
    _pick_alone,
    _wrong_place,
    _comment_sign,
    _heading,
    _not_one_line,
    _no_item,
    _whole_numbers,
    _choosing,
    _move_from,
    _misspelt,
    _parameter,
    _player_numbers,
    _member,
    _cells,
    _no_arrow,
    _bad_key,
    _reserved,
    _chain,
    _equals,
    _trigger,
    _form,
    _string_as_value,
    _text_without_quotes,
    _no_comma,
)


# ---- If nothing is known about it ----------------------------------------------------------------

TERMS = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "CITE": "a clause such as `@S-19`",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_COMMA": "`,`",
}


def _unexpected(failure: Failure) -> Diagnostic:
    wanted = failure.expected
    terms: list[str] = []
    if "HASH" in wanted:
        terms.append("a value")
        wanted = wanted - EXPRESSION_STARTS - {"NAME", "HASH"}
    elif "PLUS" in wanted:
        wanted = wanted - OPERATORS - {"NAME", "INT"}
    spelling = {name: text for text, name in [*lexis().keywords.items(), *lexis().signs.items()]}
    terms += sorted(TERMS.get(kind) or f"`{spelling[kind]}`" for kind in wanted if kind in spelling or kind in TERMS)
    found = "the line ends" if _at_end(failure) else f"found `{_text(failure)}`"
    if not terms or len(terms) > 6:
        message = "the line ends too early" if _at_end(failure) else f"`{_text(failure)}` makes no sense here"
        return _told(failure, codes.UNEXPECTED, message)
    listed = terms[0] if len(terms) == 1 else ", ".join(terms[:-1]) + " or " + terms[-1]
    before = _before(failure)
    after = f" after `{_short(before.text)}`" if before is not None else ""
    return _told(failure, codes.UNEXPECTED, f"expected {listed}{after}, but {found}")


def _text(failure: Failure) -> str:
    return _short(_token(failure).text)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 30 else text[:29] + "…"
