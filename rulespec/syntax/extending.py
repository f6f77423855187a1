"""Options of the game below that an overlay gives a value in other words -> the line with `extends` to write."""

import re

from rulespec import codes
from rulespec.diagnostics import Diagnostic
from rulespec.source import Source
from rulespec.syntax.parse_failures import ParseFailure, block_of, report_failure

EXTENDS = re.compile(r'^extends +("[^"\n]*")( +with +[^\n]*?)? *(--.*)?$', re.MULTILINE)


def extends_with(source: Source, name: str, value: str) -> str | None:
    """The line with `extends` of a file, and one more setting behind it.

    >>> extends_with(Source("my.rules", 'extends "sins.rules"'), "stone_optional", "yes")
    'extends "sins.rules" with stone_optional = yes'
    """
    extends = EXTENDS.search(source.text)
    if extends is None:
        return None
    before = f"{extends[2].rstrip()}," if extends[2] else " with"
    return f"extends {extends[1]}{before} {name} = {value}"


def option_of_base(failure: ParseFailure) -> Diagnostic | None:
    """`stone_optional = yes` at the left margin of an overlay, also after `override`, `option` or `set`."""
    tokens = [*failure.tokens]
    if block_of(failure) != "declarations":
        return None
    while tokens[0].text in ("override", "option", "set", "with") and tokens[1].kind == "NAME":
        tokens = tokens[1:]
    kinds = [token.kind for token in tokens[:2]]
    if kinds[:1] != ["NAME"] or kinds[1:] not in (["IS"], ["COLON"]):
        return None
    name, value = tokens[0].text, failure.source.text[tokens[1].end : tokens[-1].start].strip()
    line = extends_with(failure.source, name, value)
    if line is None or "=" in value:
        return None
    message = "an option of the game that this file extends gets its value after `with`, not here"
    hint = f"write `{line}`"
    if failure.tokens[0].text == "override" and failure.tokens[1] is tokens[0]:
        hint += f"; for a value that is no option, `override let {name} = …`"
    if failure.tokens[0] is tokens[0]:
        hint += f"; for a value of your own, `let {name} = …`"
    return report_failure(failure, codes.WRONG_PLACE, message, hint, at=tokens[0])
