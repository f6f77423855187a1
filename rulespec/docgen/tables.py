"""Tables of a game -> tables of a page, and curves where a number has a value."""

from typing import assert_never

from rulespec.checking.declarations import is_action_table
from rulespec.docgen.blocks import Break, Code, Line, Strong, Table, Text, join, text
from rulespec.docgen.entries import owned
from rulespec.docgen.sentences import Speaker, in_a_cell, is_bare, tell, tell_block, tell_lines
from rulespec.docgen.wording import key_words, printed, say, titled, words
from rulespec.syntax import nodes


def rows_table(
    speaker: Speaker, table: nodes.Table, rows: tuple[nodes.Doc | nodes.Row, ...] | None = None
) -> Table:
    """A table with its own rows, or with others under its heads."""
    acts = is_action_table(table)
    shown = [(row, docs) for row, docs, _ in owned(table.rows if rows is None else rows)]
    told = [_row(speaker, row, docs, acts=acts) for row, docs in shown]
    # Where nobody has put it into words there is no column for that.
    last = acts or any(cells[-1] for cells in told)
    head = [*map(_head, table.header.inputs), *([] if acts else map(_output, table.header.outputs))]
    if last:
        head.append(text("What happens" if acts else "In words"))
    kept = tuple(cells if last else cells[:-1] for cells in told)
    return Table(tuple(head), kept)


def _head(expr: nodes.Expr) -> Line:
    return text(titled(expr.text)) if isinstance(expr, nodes.Name) else (Code(printed(expr)),)


def _output(name: nodes.Name) -> Line:
    return text(titled(name.text))


def _row(
    speaker: Speaker, row: nodes.Row, docs: tuple[nodes.Doc, ...], *, acts: bool
) -> tuple[Line, ...]:
    labels = speaker.book.labels
    keys = [key_words(key, labels) for key in row.keys]
    said = tell(speaker, docs)
    if acts:
        first: Line = keys[0] if len(keys) == 1 else ()
        named = [(Strong(first),)] if first else keys
        return (*named, _action(speaker, row.body, said))
    values = row.body.values if isinstance(row.body, nodes.Cells) else ()
    return (*keys, *(words(value, labels) for value in values), said)


def _action(speaker: Speaker, body: nodes.RowBody, said: Line) -> Line:
    """What a row of an action table does, in the sentences above it and inside."""
    if isinstance(body, nodes.Suite):
        items = tell_block(speaker, body)
    elif isinstance(body, nodes.Cells):
        calls = tuple(nodes.Perform(each) for each in body.values if isinstance(each, nodes.Call))
        items = tell_lines(speaker, calls)
    else:
        items = tell_lines(speaker, (body,))
    more = in_a_cell(items)
    if said and more:
        apart = Text(" ") if is_bare(items[0].inside) else Break()
        return (*said, apart, *more)
    # A row that nobody has put into words is told as it is written.
    return said or more or _as_written(body)


def _as_written(body: nodes.RowBody) -> Line:
    match body:
        case nodes.Nothing():
            return text("nothing")
        case nodes.Cells(values):
            return join([(Code(printed(value)),) for value in values])
        case nodes.Move():
            to = "to" if body.how == "to" else "under"
            return (
                Text("move "),
                Code(printed(body.pieces)),
                Text(f" {to} "),
                Code(printed(body.zone)),
            )
        case nodes.Suite() | nodes.Several():
            return text(say(type(body).__name__.lower()))
        case _ if isinstance(body, nodes.Action):
            return text(say(type(body).__name__.lower()))
        case _:
            assert_never(body)
