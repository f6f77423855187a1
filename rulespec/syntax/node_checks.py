"""What the grammar cannot say about the shape of a tree: checks of single nodes as they are made.

Each check takes a node and returns its diagnostics. They run while parsing, so that their findings
stand beside those of the parser. A name without text is a stand-in of `recovery` and passes.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from rulespec import codes
from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic, Related
from rulespec.limits import MOST_MISTAKES
from rulespec.source import Span, text_of
from rulespec.syntax import nodes
from rulespec.syntax.face_words import check_face_words
from rulespec.syntax.spoken import say_statement
from rulespec.syntax.word_suggestions import (
    CHOOSING,
    DECLARING,
    FOREIGN_KEYS,
    FOREIGN_LEADS,
    FOREIGN_WORDS,
    STATEMENTS,
    statement_hint,
)

# ---- Statements ----------------------------------------------------------------------------------


def _check_perform(node: nodes.Perform) -> list[Diagnostic]:
    expr: Any = node.call  # the grammar takes any value here, and this is where it must be a call
    match expr:
        case nodes.Face(words) if any(word == nodes.Name("") for word in words):
            return []
        case nodes.Call(nodes.Name()):
            return []
        case nodes.Name(word) if word in FOREIGN_LEADS or word.lower() in STATEMENTS:
            return [_unknown_lead(word, node.span)]
        case nodes.Name(word) if say_statement(word) is None:
            hint = f"write `{word}()` to call a rule"
            return [_found(codes.IDLE_STATEMENT, f"`{word}` alone does nothing", node, hint)]
        case nodes.Compare(nodes.Name() | nodes.At() as left, nodes.Relation("=="), _):
            hint = f"write `{_source_text(left.span)} = …` to give it a value"
            return [_found(codes.EQUALS, "`==` compares, but nothing uses the result", node, hint)]
        case nodes.Count():
            message = "`#` counts, but nothing uses the number"
            return [_found(codes.IDLE_STATEMENT, message, node, "a comment begins with `--`")]
    lead, second = _leading_words(node.span)
    spoken = say_statement(text_of(node.span))
    if spoken is not None:
        return [_found(codes.UNKNOWN_WORD, spoken[0], node, spoken[1])]
    if isinstance(expr, nodes.Negative) and isinstance(expr.operand, nodes.Name | nodes.Face):
        comment = f"write `-- {text_of(expr.operand.span)}`"
        return [_found(codes.STRAY_SIGN, "`-` does not begin a comment", node, comment)]
    if lead in CHOOSING or second in CHOOSING:
        return [_odd_choice(lead, second, node)]
    if second in FOREIGN_WORDS:
        return []  # told already
    if second:
        return [_wrong_lead(lead, node.span)]
    message = f"`{_source_text(node.span)}` is a value, but does nothing"
    change: str | None = None
    if isinstance(expr, nodes.Sum) and isinstance(expr.left, nodes.Name | nodes.At):
        whole = f"{_source_text(expr.left.span)} {expr.operator}= {_source_text(expr.right.span)}"
        change = f"write `{whole}`" if expr.operator in "+-" else None
    return [_found(codes.IDLE_STATEMENT, message, node, change)]


def _check_assign(node: nodes.Assign) -> list[Diagnostic]:
    target: Any = node.target
    while isinstance(target, nodes.At):
        target = target.subject
    text = _source_text(node.target.span)
    lead, second = _leading_words(node.target.span)
    if second and (lead in DECLARING or lead in FOREIGN_LEADS):
        return [_wrong_lead(lead, node.span)]
    who, verb = _leading_words(node.value.span)
    if verb in CHOOSING:
        message = "a choice is a statement of its own, and names what is chosen"
        choice = f"write `{who} chooses {text} from …`"
        return [_found(codes.INCOMPLETE, message, node.value, choice)]
    if isinstance(target, nodes.Name):
        return []
    hint: str | None = None
    if isinstance(target, nodes.Call):
        hint = f"write `{text.replace('(', '[').replace(')', ']')}` for a variable with an index"
    elif isinstance(target, nodes.Count):
        hint = "add and remove pieces with `move … to …`"
    message = f"`{text}` cannot be given a value"
    return [_found(codes.NOT_A_TARGET, message, node.target, hint)]


def _odd_choice(lead: str, second: str, node: nodes.Perform) -> Diagnostic:
    if lead in CHOOSING:
        message = "this choice does not say who chooses"
        return _found(
            codes.INCOMPLETE, message, node, f"write `p chooses {second or 'card'} from …`"
        )
    message = "a choice is written `chooses`, or `may choose` if the player may decline"
    if second.startswith("pick"):
        message = f"`{second}` is for examples; in rules write `chooses`"
    return _found(codes.INCOMPLETE, message, node, f"write `{lead} chooses …`")


def _leading_words(span: Span) -> tuple[str, str]:
    """The two words with which a text begins, each empty if it is none."""
    text = span.source.text[span.start : span.end]
    found = re.match(r"([^\W\d]\w*)(?: +(?!(?:and|or|not|in|if|where)\b)(\w+))?", text)
    return (found.group(1), found.group(2) or "") if found else ("", "")


def _wrong_lead(word: str, span: Span) -> Diagnostic:
    """A statement that begins with two words, the first of which begins no statement."""
    if word in ("when", "before", "after"):
        message = f"`{word}` belongs outside rules"
        hint = "write `if`, or put it at the left margin"
        return Diagnostic(codes.WRONG_PLACE, message, _first_word(word, span), hint=hint)
    if word not in DECLARING:
        return _unknown_lead(word, span)
    message = f"`{word}` declares something, and cannot be among statements"
    hint = "write it at the left margin, outside the rule"
    if word == "let":
        hint = "leave `let` out, or write it at the left margin"
    return Diagnostic(codes.WRONG_PLACE, message, _first_word(word, span), hint=hint)


def _unknown_lead(word: str, span: Span) -> Diagnostic:
    hint = statement_hint(word)
    message = f"no statement begins with `{word}`"
    return Diagnostic(codes.UNKNOWN_WORD, message, _first_word(word, span), hint=hint)


def _first_word(word: str, span: Span) -> Span:
    return Span(span.source, span.start, span.start + len(word))


# ---- Words in other places -----------------------------------------------------------------------


def _check_fold(node: nodes.Fold) -> list[Diagnostic]:
    """`best` and `least` give a value of their one variable."""
    name, inner = node.function.text, node.value
    if (
        name not in ("best", "least")
        or not isinstance(inner, nodes.Fold)
        or inner.span != node.span
    ):
        return []
    message = f"`{name}` gives the value of one variable, so it cannot have two"
    hint = f"write one `{name}` inside another, or use `max` or `min` for the number alone"
    return [Diagnostic(codes.UNEXPECTED, message, inner.name.span, hint=hint)]


def _check_key_name(node: nodes.KeyName) -> list[Diagnostic]:
    if isinstance(node.first, nodes.Name) and node.first.text in FOREIGN_KEYS:
        message = f"`{node.first.text}` is not a key for all the rest"
        return [_found(codes.BAD_KEY, message, node, "write `*`")]
    return []


COPIES = nodes.Name("copies")


# ---- Tables and blocks ---------------------------------------------------------------------------


def _check_table(node: nodes.Table) -> list[Diagnostic]:
    if _is_stand_in(node.header):
        return []
    inputs, outputs = len(node.header.inputs), len(node.header.outputs)
    told = f"the header has {_count(inputs, 'input')} and {_count(outputs, 'output')}"
    header = Related(told, node.header.span)
    for row in node.rows:
        if isinstance(row, nodes.Row) and _repeats(node.header, row):
            return [_heading_again(row)]
    found: list[Diagnostic] = []
    for row in node.rows:
        if isinstance(row, nodes.Doc) or _is_stand_in(row) or len(found) > MOST_MISTAKES:
            continue
        if len(row.keys) != inputs:
            extra = row.keys[min(inputs, len(row.keys) - 1)]
            message = f"this row has {_count(len(row.keys), 'key')} for {_count(inputs, 'input')}"
            found.append(Diagnostic(codes.WRONG_CELLS, message, extra.span, (header,)))
        if isinstance(row.body, nodes.Cells) and len(row.body.values) != outputs:
            cells = len(row.body.values)
            extra_cell = row.body.values[min(outputs, cells - 1)]
            message = f"this row has {_count(cells, 'cell')} for {_count(outputs, 'output')}"
            found.append(Diagnostic(codes.WRONG_CELLS, message, extra_cell.span, (header,)))
    return found


def _repeats(header: nodes.Header, row: nodes.Row) -> bool:
    """Whether a row says the same as the first line of its table."""
    if not isinstance(row.body, nodes.Cells):
        return False
    keys = tuple(
        key.patterns[0].first
        for key in row.keys
        if len(key.patterns) == 1 and isinstance(key.patterns[0], nodes.KeyName)
    )
    return keys == header.inputs and row.body.values == header.outputs


def _heading_again(row: nodes.Doc | nodes.Row | nodes.Piece | nodes.Variable) -> Diagnostic:
    message = "this line repeats the heading of the table"
    return _found(codes.WRONG_CELLS, message, row, "delete this line")


def _check_pieces(node: nodes.Pieces) -> list[Diagnostic]:
    shown = [row.shown_as for row in node.rows if isinstance(row, nodes.Piece) and row.shown_as]
    found = _check_last(node.rows)
    for row in node.rows:
        if isinstance(row, nodes.Piece) and (row.kind.text, row.copies) == ("pieces", COPIES):
            return [_heading_again(row)]
    if node.shown_as is None and shown:
        found.append(_heading(shown[0], "pieces | copies | shown as"))
    return found


def _check_zones(node: nodes.Zones) -> list[Diagnostic]:
    rows = [row for row in node.rows if isinstance(row, nodes.Zone)]
    held = [row.holds[0] for row in rows if row.holds]
    counted = [row.counters for row in rows if row.counters is not None]
    found = _check_last(node.rows)
    if node.counted_by is None and counted:
        more = " | holds" if held or node.holds else ""
        return [*found, _heading(counted[0], f"zones | order | seen by | counted by{more}")]
    if node.holds is None and held:
        counts = " | counted by" if node.counted_by else ""
        found.append(_heading(held[0], f"zones | order | seen by{counts} | holds"))
    columns = node.counted_by
    # A heading that could not be read, in whose place there is one with all columns, is not held against rows.
    is_read = columns is not None and columns.span.start > node.span.start
    for row in rows if is_read else ():
        if row.counters is None and row.holds:
            message = "this cell stands below `counted by`, but it says what the zone holds"
            hint = f"write `everyone | {row.holds[0].text}`: who counts comes first"
            found.append(_found(codes.WRONG_CELLS, message, row.holds[0], hint))
    return found


def _check_state(node: nodes.State) -> list[Diagnostic]:
    heading = nodes.Variable(nodes.Name("state"), (), nodes.NamedType(nodes.Name("type"), None),
                             nodes.Name("start"), None)  # fmt: skip
    for row in node.rows:
        if row == heading:
            return [_heading_again(row)]
    seen = [row.viewers for row in node.rows if isinstance(row, nodes.Variable) and row.viewers]
    found = _check_last(node.rows)
    if node.seen_by is None and seen:
        of = f"state of {node.rule.text}" if node.rule else "state"
        found.append(_heading(seen[0], f"{of} | type | start | seen by"))
    return found


def _heading(cell: nodes.Text | nodes.Name | nodes.Viewers, heading: str) -> Diagnostic:
    message = "this cell has no column in the heading"
    return _found(codes.WRONG_CELLS, message, cell, f"write the heading as `{heading}`")


def _check_suite(node: nodes.Suite) -> list[Diagnostic]:
    """A question that stands below its choice must be indented, or it is a sentence about what follows."""
    found: list[Diagnostic] = []
    for line, following in pairwise(node.lines):
        is_asked = isinstance(line, nodes.Choice) and line.prompt is None
        text = following.text if isinstance(following, nodes.Doc) and not following.cites else None
        if is_asked and text is not None and text.value.endswith("?"):
            message = "this question belongs to the choice above"
            hint = "indent it deeper than the line above"
            found.append(_found(codes.NOT_CONTINUED, message, text, hint))
    return found or _check_last(node.lines)


def _check_move(node: nodes.Move) -> list[Diagnostic]:
    if node.how == "under" and node.position is not None:
        message = "`at` says where in the pile, so `under` says nothing"
        return [
            _found(
                codes.UNKNOWN_WORD,
                message,
                node.position,
                "write `to` instead of `under`: 1 is the top",
            )
        ]
    return []


def _check_told(node: nodes.Tell | nodes.Heading) -> list[Diagnostic]:
    """Braces hold a value, and come in pairs."""
    text = node.text
    found = [
        Diagnostic(codes.BAD_HOLE, f"`{{{text_of(hole.span)}}}` holds no value", hole.span,
                   hint="write a name or another value between the braces, as in `{card}`")
        for hole in text.holes
        if hole == nodes.Name("")
    ]  # fmt: skip
    if not found and (text.value.count("{"), text.value.count("}")) != (len(text.holes),) * 2:
        message = "the braces of this text do not match"
        found.append(_found(codes.BAD_HOLE, message, text, "write `{` and `}` around each value"))
    return found


def _check_last(items: tuple[Any, ...]) -> list[Diagnostic]:
    """The last item of a block is not a doc line."""
    if items and isinstance(items[-1], nodes.Doc):
        message = "this clause has nothing after it to document"
        hint = "put the line before what it documents"
        return [_found(codes.IDLE_DOC, message, items[-1], hint)]
    return []


CHECKS: dict[type, Callable[[Any], list[Diagnostic]]] = {
    nodes.Perform: _check_perform,
    nodes.Move: _check_move,
    nodes.Assign: _check_assign,
    nodes.Face: check_face_words,
    nodes.Fold: _check_fold,
    nodes.KeyName: _check_key_name,
    nodes.Table: lambda node: _check_table(node) + _check_last(node.rows),
    nodes.Rows: lambda node: _check_last(node.rows),
    nodes.Pieces: _check_pieces,
    nodes.Zones: _check_zones,
    nodes.State: _check_state,
    nodes.Ranking: lambda node: _check_last(node.criteria),
    nodes.Suite: _check_suite,
    nodes.Tell: _check_told,
    nodes.Heading: _check_told,
    nodes.Variant: lambda node: _check_last(node.items),
    nodes.File: lambda node: _check_last(node.items),
}


def _is_stand_in(node: nodes.Row | nodes.Header) -> bool:
    if isinstance(node, nodes.Header):
        return node.inputs == (nodes.Name(""),)
    match node.keys:
        case (nodes.Key((nodes.KeyName(nodes.Name("")),)),):
            return True
    return False


def _found(code: Code, message: str, node: Any, hint: str | None = None) -> Diagnostic:
    return Diagnostic(code, message, node.span, hint=hint)


def _source_text(span: Span) -> str:
    text = text_of(span)
    return text if len(text) <= 40 else text[:39] + "…"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
