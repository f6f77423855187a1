"""The vocabulary of the grammar -> a tree-sitter grammar, for editors that colour by one: Helix, Zed, and Neovim.

Its trees are flat: lines of tokens, as only colours are wanted; all else is told by the language server. The words
are those of the TextMate grammar, and a word that is a name elsewhere is a keyword at the same places.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from rulespec.docgen.textmate import CELL, CONSTANTS, HEADING, OPENING, OPERATORS
from rulespec.highlighting import BRACKETS_AND_SEPARATORS
from rulespec.syntax.scanner import lexis

Rule = dict[str, Any]

WITH_COLUMNS = frozenset({"zones", "pieces", "state"})
SEPARATORS = frozenset("|,")
# What stands behind a word that is a name, perhaps after blanks.
LATER = ("=>", "=", "+=", "-=")

HIGHLIGHTS = """\
(comment) @comment
(clause) @attribute
(string) @string
(number) @constant.numeric
(constant) @constant.builtin
(keyword) @keyword
(word_operator) @keyword.operator
(class) @type
(function) @function
(name) @variable
(operator) @operator
(punctuation) @punctuation.delimiter
"""
ABOUT = {
    "grammars": [
        {
            "name": "rules",
            "scope": "source.rules",
            "path": ".",
            "file-types": ["rules"],
            "highlights": ["queries/highlights.scm"],
        }
    ],
    "metadata": {"version": "0.1.0", "license": "MIT", "description": "Colours for files of rules"},
}


def tree_sitter_grammar() -> Rule:
    """The grammar as `tree-sitter generate` reads it. Of two words alike, the one that is listed first counts."""
    words = frozenset(lexis().keywords) - CONSTANTS - OPERATORS
    anywhere = words - OPENING - HEADING - CELL
    reserved = lexis().reserved & anywhere
    signs = lexis().signs.keys() - SEPARATORS
    rules = {
        "source_file": _seq(_many(_either(_seq(_is("_line"), _is("_end")), _is("_end"))), _may(_is("_line"))),
        "_line": _either(
            _seq(_may(_keyword("_override")), _keyword("_columns"), _many(_either(_word("_heading"), _is("_token")))),
            _seq(_keyword("_override"), _many(_is("_token"))),
            _seq(_word("_opening"), _many(_is("_token"))),
            _seq(_is("_token"), _many(_is("_token"))),
        ),
        "_token": _either(
            *map(_is, ("comment", "clause", "string", "number", "constant", "word_operator")),
            _keyword("_reserved"),
            _word("_soft"),
            _seq(_named("_separator", "punctuation"), _may(_word("_cell"))),
            _is("class"),
            _seq(_named("name", "function"), _named("_call", "punctuation")),
            _named("_gives", "operator"),
            *map(_is, ("name", "operator", "punctuation", "_other")),
        ),
        **{f"{token}_as_name": _as_name(token) for token in ("_opening", "_heading", "_cell", "_soft")},
        "_end": _like(r"\r?\n"),
        "comment": _like("--[^\\n]*"),
        "clause": _like(r"@[\p{L}\p{N}_.-]*"),
        "string": _like('"[^"]*"'),
        "number": _like(r"\d+"),
        "constant": _one_of(CONSTANTS),
        "word_operator": _one_of(OPERATORS),
        "_override": _one_of({"override"}),
        "_columns": _one_of(WITH_COLUMNS),
        "_opening": _one_of(OPENING & words),
        "_heading": _one_of(HEADING & words),
        "_cell": _one_of(CELL & words),
        "_reserved": _one_of(reserved),
        "_soft": _one_of(anywhere - reserved),
        "class": _like(r"\p{Lu}[\p{L}\p{N}_]*"),
        "name": _like(r"[\p{L}_][\p{L}\p{N}_]*"),
        "_call": _at_once(_like(r"\(")),
        "_behind": _at_once(_like(r"[(\[.]")),
        "_separator": _one_of(SEPARATORS),
        "_gives": _one_of(LATER),
        "operator": _one_of(signs - BRACKETS_AND_SEPARATORS - {*LATER}),
        "punctuation": _one_of(signs & BRACKETS_AND_SEPARATORS),
        "_other": _like(r"\S"),
    }  # fmt: skip
    return {
        "name": "rules",
        "rules": rules,
        "extras": [_like(r"[ \t]+")],
        "conflicts": [],
        "precedences": [],
        "externals": [],
        "inline": [],
        "supertypes": [],
    }


def _word(token: str) -> Rule:
    """A word that is a keyword, unless what follows shows that it is a name."""
    return _either(_keyword(token), _is(f"{token}_as_name"))


def _as_name(token: str) -> Rule:
    behind = _either(_named("_behind", "punctuation"), _named("_gives", "operator"))
    return _first(_seq(_named(token, "name"), behind))


def _keyword(token: str) -> Rule:
    return _named(token, "keyword")


def _named(token: str, name: str) -> Rule:
    return {"type": "ALIAS", "content": _is(token), "named": True, "value": name}


def _is(name: str) -> Rule:
    return {"type": "SYMBOL", "name": name}


def _seq(*members: Rule) -> Rule:
    return {"type": "SEQ", "members": list(members)}


def _either(*members: Rule) -> Rule:
    return {"type": "CHOICE", "members": list(members)}


def _many(content: Rule) -> Rule:
    return {"type": "REPEAT", "content": content}


def _may(content: Rule) -> Rule:
    return _either(content, {"type": "BLANK"})


def _first(content: Rule) -> Rule:
    return {"type": "PREC", "value": 1, "content": content}


def _like(pattern: str) -> Rule:
    return {"type": "PATTERN", "value": pattern}


def _at_once(content: Rule) -> Rule:
    return {"type": "IMMEDIATE_TOKEN", "content": _first(content)}


def _one_of(words: Iterable[str]) -> Rule:
    longest_first = sorted(words, key=lambda each: (-len(each), each))
    return _like("|".join(map(re.escape, longest_first)))


def tree_sitter_text() -> str:
    """The grammar as `editors/tree-sitter` has it."""
    return json.dumps(tree_sitter_grammar(), indent=2, ensure_ascii=False) + "\n"


def about_text() -> str:
    """What `tree-sitter` wants to know of it."""
    return json.dumps(ABOUT, indent=2) + "\n"
