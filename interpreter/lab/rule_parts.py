"""Compiled rules -> the parts that a designer knows (rules and rows of tables), by the places that a machine reaches."""

from interpreter.flat import Code
from rulespec.core.tree import Origin
from rulespec.source import locate, text_of

Place = tuple[str, int]  # a block or function, and an instruction or a row of it
Part = tuple[str, str, int, str]  # rule or row, file, line, name

LONGEST_NAME = 60  # letters of a row's name, which is its text


def parts_of(code: Code) -> dict[Place, tuple[Part, ...]]:
    """For every place that a machine can reach, the rule and the row to which it belongs."""
    found: dict[Place, tuple[Part, ...]] = {}
    for block in code.blocks.values():
        kind = "row" if " row " in block.name else "rule"
        part = _part(kind, block.origin, block.origin.rule)
        found |= {(block.name, n): (part,) for n in range(len(block.code))}
    for function in code.functions.values():
        # A `let` only names what is used elsewhere.
        if not function.inputs:
            found |= {(function.name, n): () for n in range(len(function.rows))}
            continue
        rule = _part("rule", function.origin, function.origin.rule)
        for n, row in enumerate(function.rows):
            text = " ".join(text_of(row.origin.span).split())[:LONGEST_NAME]
            named = _part("row", row.origin, f"{function.origin.rule}: {text}")
            found[function.name, n] = (rule, named)
    return found


def _part(kind: str, origin: Origin, name: str) -> Part:
    return kind, origin.span.source.name, locate(origin.span)[0].line, name
