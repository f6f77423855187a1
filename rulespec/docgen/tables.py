"""Tables of a game -> tables of a page, and curves where a number has a value."""

from rulespec.checking.builtins import BUILT_IN
from rulespec.checking.declarations import is_action_table, used_names
from rulespec.docgen.entries import with_docs
from rulespec.docgen.expressions import context_of, say_condition, say_value
from rulespec.docgen.page_elements import Break, Line, PageTable, PlainText, Strong, text
from rulespec.docgen.phrase_context import YOU, PhraseContext
from rulespec.docgen.sentences import (
    SentenceWriter,
    doc_sentences,
    in_a_cell,
    is_bare,
    tell_block,
    tell_lines,
)
from rulespec.docgen.statements import say_deeds
from rulespec.docgen.wording import called, key_words, titled
from rulespec.english import listed
from rulespec.syntax import nodes


def rows_table(
    writer: SentenceWriter,
    table: nodes.Table,
    rows: tuple[nodes.Doc | nodes.Row, ...] | None = None,
) -> PageTable:
    """A table with its own rows, or with others under its heads."""
    acts = is_action_table(table)
    shown = [(row, docs) for row, docs, _ in with_docs(table.rows if rows is None else rows)]
    book = writer.book
    context = context_of(book.declared, book.labels, table.params)
    told = [_row(writer, context, row, docs, acts=acts) for row, docs in shown]
    # Where nobody has put it into words there is no column for that.
    last = acts or any(cells[-1] for cells in told)
    head = [_head(context, each) for each in table.header.inputs]
    if not acts:
        head += [text(titled(called(book.declared, each.text))) for each in table.header.outputs]
    if last:
        head.append(text("What happens" if acts else "In words"))
    kept = tuple(cells if last else cells[:-1] for cells in told)
    return PageTable(tuple(head), kept)


def _head(context: PhraseContext, expr: nodes.Expr) -> Line:
    """What a column asks: a name, a value, or a condition that is answered by yes and no."""
    if isinstance(expr, nodes.Name):
        of = context.bound[expr.text].of if expr.text in context.bound else ""
        return text(
            titled(called(context.declared, of if of and len(expr.text) == 1 else expr.text))
        )
    said = say_value(context, expr) or say_condition(context, expr)
    told = (said or _names(context, expr)).removeprefix("whether ").removeprefix("the ")
    return text(titled(told))


def _names(context: PhraseContext, expr: nodes.Expr) -> str:
    """What a question is about, where there is no better way to ask it."""
    names = dict.fromkeys(
        called(context.declared, each.text)
        for each in used_names(expr)
        if each.text not in context.bound and each.text not in BUILT_IN
    )
    return listed(list(names))


def _row(
    writer: SentenceWriter,
    context: PhraseContext,
    row: nodes.Row,
    docs: tuple[nodes.Doc, ...],
    *,
    acts: bool,
) -> tuple[Line, ...]:
    labels = context.labels
    keys = [key_words(key, labels) for key in row.keys]
    said = doc_sentences(writer, docs)
    if acts:
        first: Line = keys[0] if len(keys) == 1 else ()
        named = [(Strong(first),)] if first else keys
        return (*named, _action(writer, context, row.body, said))
    values = row.body.values if isinstance(row.body, nodes.Cells) else ()
    return (*keys, *(cell(context, value) for value in values), said)


def cell(context: PhraseContext, value: nodes.Expr) -> Line:
    """A value in a cell; what has no words is left to the sentence beside it, and to the formal text."""
    said = say_value(context, value) or say_condition(context, value)
    return text(said.removeprefix("the ")) if said else text("…")


def _action(
    writer: SentenceWriter, context: PhraseContext, body: nodes.RowBody, said: Line
) -> Line:
    """What a row of an action table does, in the sentences above it and inside."""
    if isinstance(body, nodes.Suite):
        items = tell_block(writer, body)
    elif isinstance(body, nodes.Cells):
        calls = tuple(nodes.Perform(each) for each in body.values if isinstance(each, nodes.Call))
        items = tell_lines(writer, calls)
    else:
        items = tell_lines(writer, (body,))
    more = in_a_cell(items)
    if said and more:
        apart = PlainText(" ") if is_bare(items[0].inside) else Break()
        return (*said, apart, *more)
    # A row that nobody has put into words is told by what it does.
    if said or (more and not is_bare(more)):
        return said or more
    derived = say_deeds(context, body)
    only_calls = isinstance(body, nodes.Cells)
    if only_calls and more:
        return (*more, *_given(context, body))
    return text(derived) if derived else more or text("…")


def _given(context: PhraseContext, body: nodes.RowBody) -> Line:
    """What a rule is given besides the player, if there is one rule."""
    call = body.values[0] if isinstance(body, nodes.Cells) and len(body.values) == 1 else None
    if not isinstance(call, nodes.Call) or call.function.text == "super":
        return ()
    said = [say_value(context, each) for each in call.arguments]
    told = [each for each in said if each is not None and each != YOU.text]
    return text(f": {listed(told)}") if told else ()
