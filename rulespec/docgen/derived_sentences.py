"""A rule that nobody has put into words -> a list of what it does, with links to the rules that it calls."""

from typing import assert_never

from rulespec.checking.declarations import walk
from rulespec.checking.layers import Docs
from rulespec.docgen.expressions import say_condition
from rulespec.docgen.page_elements import Inline, Items, Line, ListItem, MarkedText, text
from rulespec.docgen.phrase_context import PhraseContext
from rulespec.docgen.sentences import SentenceWriter, link_to
from rulespec.docgen.statements import EACH, THAT, is_of_players, say_deed, say_each, say_times
from rulespec.docgen.wording import prompt_text
from rulespec.english import sentence
from rulespec.syntax import nodes


def has_sentence(docs: Docs, body: nodes.Block) -> bool:
    """Whether an author has said something about a rule, above it or inside."""
    inner = [each for each in walk(body) if isinstance(each, nodes.Doc)]
    return any(doc.text is not None for doc in (*docs, *inner))


def derive_block(
    writer: SentenceWriter, context: PhraseContext, block: nodes.Block
) -> tuple[ListItem, ...]:
    """What a block does, one thing after the other."""
    lines = block.lines if isinstance(block, nodes.Suite) else (block.statement,)
    return tuple(item for line in lines for item in _derive(writer, context, line))


def _derive(
    writer: SentenceWriter, context: PhraseContext, line: nodes.Line
) -> tuple[ListItem, ...]:
    match line:
        case nodes.Doc():
            return ()
        case nodes.Several(statements):
            return tuple(item for each in statements for item in _derive(writer, context, each))
        case nodes.If(condition, body, otherwise):
            when = say_condition(context, condition)
            head = f"If {when}:" if when else "In some cases:"
            return (
                *_below(head, derive_block(writer, context, body)),
                *_otherwise(writer, context, otherwise),
            )
        case nodes.For(name, values, body):
            if is_of_players(values) and isinstance(body, nodes.OneLine):
                return derive_block(writer, context.bind(name.text, EACH), body)
            inner = context.bind(name.text, THAT) if is_of_players(values) else context
            head = f"For {say_each(context, name.text, values)}:"
            return _below(head, derive_block(writer, inner, body))
        case nodes.Repeat(times, body):
            head = sentence(f"{say_times(context, times, body)}:")
            return _below(head, derive_block(writer, context, body))
        case _ if isinstance(line, nodes.Simple):
            told = _simple(writer, context, line)
            return (ListItem(told),) if told else ()
        case _:
            assert_never(line)


def _otherwise(
    writer: SentenceWriter, context: PhraseContext, otherwise: nodes.Else | None
) -> tuple[ListItem, ...]:
    if otherwise is None:
        return ()
    if isinstance(otherwise.body, nodes.If):
        return _derive(writer, context, otherwise.body)
    return _below("Otherwise:", derive_block(writer, context, otherwise.body))


def _below(head: str, items: tuple[ListItem, ...]) -> tuple[ListItem, ...]:
    return (ListItem(text(head), (Items(items),)),) if items else ()


def _simple(writer: SentenceWriter, context: PhraseContext, statement: nodes.Simple) -> Line:
    """A question, a link to a rule, or what is done."""
    if isinstance(statement, nodes.Choice) and statement.prompt is not None:
        mark: Inline = MarkedText("ask", text(prompt_text(statement.prompt.value)))
        return (mark,)
    if isinstance(statement, nodes.Perform):
        link = link_to(writer.book, statement.call.function.text)
        return (link,) if link is not None else ()
    said = say_deed(context, statement)
    if isinstance(statement, nodes.Assign) and isinstance(statement.value, nodes.Call) and not said:
        link = link_to(writer.book, statement.value.function.text)
        return (link,) if link is not None else ()
    return text(sentence(said)) if said else ()
