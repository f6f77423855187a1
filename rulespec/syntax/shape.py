"""What the grammar cannot say about the shape of a tree: checks of single nodes as they are made.

Each check takes a node and returns its diagnostics. They run while parsing, so that their findings
stand beside those of the parser. A name without text is a stand-in of `recovery` and passes.
"""

from collections.abc import Callable
from typing import Any

from rulespec import codes
from rulespec.codes import Code
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Span
from rulespec.syntax import nodes

# Words of other languages, and of the spoken one, that read as if they belonged here.
FOREIGN_WORDS = {
    "case": "write a `table` with a row for each case",
    "const": "write `let`",
    "def": "write `rule`, or `let` for a value",
    "do": "leave `do` out",
    "elif": "write `else if`",
    "elsif": "write `else if`",
    "equals": "write `==`",
    "fn": "write `rule`, or `let` for a value",
    "foreach": "write `for x in …`",
    "func": "write `rule`, or `let` for a value",
    "function": "write `rule`, or `let` for a value",
    "import": "write `use` for a mechanism, `extends` for a game",
    "is": "write `==`",
    "otherwise": "write `else`, or `*` as the key of a row",
    "switch": "write a `table` with a row for each case",
    "then": "leave `then` out",
    "times": "leave `times` out",
    "unless": "write `if not`",
    "until": "write `repeat`, and inside it `if …: stop`",
    "var": "assign the variable with `=`; `state` declares it",
    "while": "write `repeat`, and inside it `if not …: stop`",
}

# The words that begin a declaration, as an author may write them inside a rule.
DECLARING = frozenset(
    "always enum example extends game let mechanism option override pieces players ranking rows "
    "rule rulebook state table use variant zones".split()
)


def _check_perform(node: nodes.Perform) -> list[Diagnostic]:
    expr = node.call
    match expr:
        case nodes.Call():
            return []
        case nodes.Compare(left, nodes.Relation("=="), _):
            hint = f"write `{_source_text(left.span)} = …` to assign it"
            return [_found(codes.EQUALS, "this compares two values and does nothing", node, hint)]
        case nodes.Face(words) if isinstance(words[0], nodes.Name):
            return _check_first_word(words[0]) or [_idle(node)]
        case nodes.Name(text):
            hint = f"write `{text}()` to call it"
            return [_found(codes.IDLE_STATEMENT, f"`{text}` alone does nothing", node, hint)]
        case _:
            return [_idle(node)]


def _check_assign(node: nodes.Assign) -> list[Diagnostic]:
    target: nodes.Expr = node.target
    while isinstance(target, nodes.At):
        target = target.subject
    match target:
        case nodes.Name():
            return []
        case nodes.Face(words) if isinstance(words[0], nodes.Name):
            found = _check_first_word(words[0])
            if found:
                return found
        case _:
            pass
    text = _source_text(node.target.span)
    message = f"`{text}` cannot be given a value"
    return [_found(codes.NOT_A_TARGET, message, node.target)]


def _check_first_word(word: nodes.Name) -> list[Diagnostic]:
    """A line that begins with two words, neither of which is a keyword here."""
    if word.text in DECLARING:
        message = f"`{word.text}` declares something, and cannot stand among statements"
        hint = "write it at the left margin, outside the rule"
        return [_found(codes.WRONG_PLACE, message, word, hint)]
    if word.text in FOREIGN_WORDS:
        message = f"no statement begins with `{word.text}`"
        return [_found(codes.UNKNOWN_WORD, message, word, FOREIGN_WORDS[word.text])]
    return []


def _check_face(node: nodes.Face) -> list[Diagnostic]:
    for word in node.words[1:]:
        if isinstance(word, nodes.Name) and word.text in FOREIGN_WORDS:
            message = f"`{word.text}` means nothing here"
            return [_found(codes.UNKNOWN_WORD, message, word, FOREIGN_WORDS[word.text])]
    return []


def _check_table(node: nodes.Table) -> list[Diagnostic]:
    inputs, outputs = len(node.header.inputs), len(node.header.outputs)
    found = []
    for row in node.rows:
        if isinstance(row, nodes.Doc) or _is_stand_in(row) or _is_stand_in(node.header):
            continue
        cells = len(row.body.values) if isinstance(row.body, nodes.Cells) else 1
        header = Related(f"the header has {_count(inputs, 'input')} and {_count(outputs, 'output')}",
                         node.header.span)  # fmt: skip
        if len(row.keys) != inputs:
            extra = row.keys[min(inputs, len(row.keys) - 1)]
            message = f"this row has {_count(len(row.keys), 'key')} for {_count(inputs, 'input')}"
            found.append(Diagnostic(codes.WRONG_CELLS, message, extra.span, (header,)))
        if cells != outputs and isinstance(row.body, nodes.Cells):
            cell = row.body.values[min(outputs, cells - 1)]
            message = f"this row has {_count(cells, 'cell')} for {_count(outputs, 'output')}"
            found.append(Diagnostic(codes.WRONG_CELLS, message, cell.span, (header,)))
    return found


def _check_pieces(node: nodes.Pieces) -> list[Diagnostic]:
    found = _check_last(node.rows)
    if node.shown_as is None:
        found += [
            _heading(row.shown_as, "pieces | copies | shown as")
            for row in node.rows
            if isinstance(row, nodes.Piece) and row.shown_as
        ]
    return found


def _check_zones(node: nodes.Zones) -> list[Diagnostic]:
    found = _check_last(node.rows)
    if node.holds is None:
        found += [
            _heading(row.holds[0], "zones | order | seen by | holds")
            for row in node.rows
            if isinstance(row, nodes.Zone) and row.holds
        ]
    return found


def _heading(cell: nodes.Text | nodes.Name, heading: str) -> Diagnostic:
    message = "this cell has no column in the heading"
    return _found(codes.WRONG_CELLS, message, cell, f"let the heading be `{heading}`")


def _check_last(items: tuple[Any, ...]) -> list[Diagnostic]:
    """The last item of a block is not a doc line."""
    if items and isinstance(items[-1], nodes.Doc):
        message = "nothing follows that this clause could document"
        hint = "put the line before what it documents"
        return [_found(codes.IDLE_DOC, message, items[-1], hint)]
    return []


CHECKS: dict[type, Callable[[Any], list[Diagnostic]]] = {
    nodes.Perform: _check_perform,
    nodes.Assign: _check_assign,
    nodes.Face: _check_face,
    nodes.Table: lambda node: _check_table(node) + _check_last(node.rows),
    nodes.Rows: lambda node: _check_last(node.rows),
    nodes.Pieces: _check_pieces,
    nodes.Zones: _check_zones,
    nodes.State: lambda node: _check_last(node.rows),
    nodes.Ranking: lambda node: _check_last(node.criteria),
    nodes.Suite: lambda node: _check_last(node.lines),
    nodes.Variant: lambda node: _check_last(node.items),
    nodes.File: lambda node: _check_last(node.items),
}


def _is_stand_in(node: nodes.Row | nodes.Header) -> bool:
    match node:
        case nodes.Row((nodes.Key((nodes.KeyName(nodes.Name(""), _),)),), _):
            return True
        case nodes.Header((nodes.Name(""),), _):
            return True
        case _:
            return False


def _idle(node: nodes.Perform) -> Diagnostic:
    return _found(codes.IDLE_STATEMENT, "this value stands alone and does nothing", node)


def _found(code: Code, message: str, node: Any, hint: str | None = None) -> Diagnostic:
    return Diagnostic(code, message, node.span, hint=hint)


def _source_text(span: Span) -> str:
    text = " ".join(span.source.text[span.start : span.end].split())
    return text if len(text) <= 40 else text[:39] + "…"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
