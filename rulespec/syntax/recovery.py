"""After a mistake: what to parse in place of a line that does not parse.

A line that failed is replaced by one that fits where it stood, so that the lines below and after it
are still read as what they are. The tree of such a parse is never used; stand-ins have empty names.
"""

from functools import cache

from attrs import evolve

from rulespec.source import Source
from rulespec.syntax.automaton import ParseStack, TooDeep, accepts, copy_stack, feed
from rulespec.syntax.logical_lines import LogicalLine
from rulespec.syntax.scanner import Token, scan

# A line that opens the same block as the line beginning with this word. `_` is an empty name.
OPENERS = {
    "after": "after _",
    "before": "before _",
    "called": "called",
    "else": "else",
    "else if": "else if _",
    "example": 'example ""',
    "for": "for _ in _",
    "if": "if _",
    "pieces": "pieces | copies | shown as",
    "ranking": "ranking of _",
    "repeat": "repeat",
    "rows": "rows _",
    "rule": "rule _",
    "rulebook": 'rulebook ""',
    "state": "state | type | start",
    "table": "table _",
    "variant": "variant _",
    "when": "when _",
    "zones": "zones | order | seen by | counted by | holds",
}
ROW_OPENER = "_ =>"
RUN_OPENER = "when _()"  # in an example

# Lines that fit somewhere: in order a statement, the header and a row of a table, a piece or a
# criterion, a zone, a variable, a step, a pick, a declaration, a section, a name.
FILLERS = (
    "nothing",
    "_ => _",
    "_ => nothing",
    "_ | 1",
    "_ | pool | nobody",
    "_ | _ | 0",
    "expect _",
    "_ picks _",
    'omit @X-1 ""',
    '@X-1 ""',
    "_ untold",
)


def replace_line(
    stack: ParseStack, line: LogicalLine, *, word: str, opens_block: bool
) -> tuple[ParseStack, bool]:
    """Take another line instead of one that failed, and say whether its block can now be read."""
    if opens_block:
        openers = [OPENERS[word]] if word in OPENERS else [ROW_OPENER]
        if word == "when":
            openers.append(RUN_OPENER)
        if line.tokens[0].text == "override":
            openers.insert(0, f"override {openers[0]}")
        for opener in openers:
            trial = _try(stack, opener, line, opens_block=True)
            if trial is not None:
                return trial, True
    fillers = [f"{OPENERS[word]}: nothing"] if word in ("if", "else", "else if") else []
    for filler in (*fillers, *FILLERS):
        trial = _try(stack, filler, line, opens_block=False)
        if trial is not None:
            return trial, False
    return stack, False


def _try(
    stack: ParseStack, text: str, line: LogicalLine, *, opens_block: bool
) -> ParseStack | None:
    trial = evolve(copy_stack(stack), diagnostics=[])
    start, end = line.tokens[0].start, line.tokens[-1].end
    try:
        tokens = [Token(kind, word, start, end, -1) for kind, word in _tokens(text)]
        fits = feed(trial, tokens) == len(tokens)
    except TooDeep:
        return None
    if not fits or accepts(trial, "_INDENT") != opens_block:
        return None
    # What was found is about the lines before, which are complete now.
    stack.diagnostics.extend(trial.diagnostics)
    return evolve(trial, diagnostics=stack.diagnostics)


@cache
def _tokens(text: str) -> tuple[tuple[str, str], ...]:
    tokens = scan(Source("", text)).tokens
    words = [(token.kind, "" if token.text == "_" else token.text) for token in tokens]
    return (*words, ("_NL", ""))
