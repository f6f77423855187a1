"""The vocabulary of the grammar -> a TextMate grammar, for editors that colour by regular expressions.

VS Code, Sublime Text, Zed's and JetBrains' importers, and GitHub read it. The words come from the tables. Some of
them are names elsewhere, and are keywords only at a place that a regular expression can see; a test compares the
colours of all shipped files with those of `rulespec.highlighting`, which runs the automaton.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from rulespec.highlighting import BRACKETS_AND_SEPARATORS
from rulespec.syntax.scanner import lexis

SCOPE = "source.rules"
# Where these words are keywords: first on a line, in the heading of a table, or in a cell of one.
OPENING = frozenset(
    {"about", "advice", "ages", "called", "first", "goal", "minutes", "players", "turn"}
)
HEADING = frozenset({"order", "seen", "shown", "type", "holds", "by", "as", "copies", "start"})
CELL = frozenset({"others", "top", "pile", "pool", "everyone", "owner", "nobody"})
CONSTANTS = frozenset({"yes", "no", "none"})
OPERATORS = frozenset({"and", "or", "not", "in"})

_NO_NAME = r"(?![(\[.]|\s*=>)"  # what stands behind a word that is no name


def textmate_grammar() -> dict[str, Any]:
    """The grammar as data."""
    words = frozenset(lexis().keywords) - CONSTANTS - OPERATORS
    anywhere = words - OPENING - HEADING - CELL
    heading = {"match": _words(HEADING & words), "name": "keyword.other.rules"}
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "rules",
        "scopeName": SCOPE,
        "fileTypes": ["rules"],
        "patterns": [
            {"match": "--.*$", "name": "comment.line.double-dash.rules"},
            {"begin": '"', "end": '"', "name": "string.quoted.double.rules"},
            {"match": r"@[\w.-]*", "name": "entity.name.tag.clause.rules"},
            {"match": r"\b\d+\b", "name": "constant.numeric.rules"},
            {
                "match": r"^\s*((?:override\s+)?(?:zones|pieces|state))\b(?!\s*[=(\[.])(.*)$",
                "captures": {
                    "1": {"name": "keyword.other.rules"},
                    "2": {"patterns": [heading, *_shared(anywhere)]},
                },
            },
            {
                "match": rf"^(\s*)({_either(OPENING & words)})\b{_NO_NAME}(?=\s|$)",
                "captures": {"2": {"name": "keyword.other.rules"}},
            },
            {
                "match": rf"(?<=[|,])(\s*)({_either(CELL & words)})\b{_NO_NAME}",
                "captures": {"2": {"name": "keyword.other.rules"}},
            },
            *_shared(anywhere),
        ],
    }


def _shared(anywhere: frozenset[str]) -> list[dict[str, Any]]:
    reserved = lexis().reserved & anywhere
    return [
        {"match": _words(CONSTANTS), "name": "constant.language.rules"},
        {"match": _words(OPERATORS), "name": "keyword.operator.word.rules"},
        {"match": _words(reserved), "name": "keyword.control.rules"},
        {"match": _words(anywhere - reserved) + _NO_NAME, "name": "keyword.other.rules"},
        {"match": r"\b\p{Lu}\w*", "name": "entity.name.type.rules"},
        {"match": r"\b[\p{L}_]\w*(?=\()", "name": "entity.name.function.rules"},
        {"match": r"\b[\p{L}_]\w*", "name": "variable.other.rules"},
        {"match": _signs(lexis().signs.keys() - BRACKETS_AND_SEPARATORS), "name": "keyword.operator.rules"},
        {"match": _signs(BRACKETS_AND_SEPARATORS), "name": "punctuation.rules"},
    ]  # fmt: skip


def _words(words: Iterable[str]) -> str:
    return rf"\b({_either(words)})\b"


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(words))


def _signs(signs: Iterable[str]) -> str:
    return "|".join(re.escape(each) for each in sorted(signs, key=lambda each: (-len(each), each)))


def textmate_text() -> str:
    """The grammar as the extension has it."""
    return json.dumps(textmate_grammar(), indent=2, ensure_ascii=False) + "\n"
