"""A rule that nobody has put into words -> a list of what it does, with links to the rules that it calls."""

from typing import assert_never

from rulespec.checking.declarations import walk
from rulespec.checking.layers import Docs
from rulespec.docgen.expressions import say_condition
from rulespec.docgen.page_elements import Inline, Items, Line, ListItem, MarkedText, text
from rulespec.docgen.sentences import Speaker, link_to
from rulespec.docgen.statements import EACH, THAT, is_of_players, say_deed, say_each, say_times
from rulespec.docgen.voices import Voice
from rulespec.docgen.wording import asked
from rulespec.english import sentence
from rulespec.syntax import nodes


def has_sentence(docs: Docs, body: nodes.Block) -> bool:
    """Whether an author has said something about a rule, above it or inside."""
    inner = [each for each in walk(body) if isinstance(each, nodes.Doc)]
    return any(doc.text is not None for doc in (*docs, *inner))


def derive_block(speaker: Speaker, voice: Voice, block: nodes.Block) -> tuple[ListItem, ...]:
    """What a block does, one thing after the other."""
    lines = block.lines if isinstance(block, nodes.Suite) else (block.statement,)
    return tuple(item for line in lines for item in _derive(speaker, voice, line))


def _derive(speaker: Speaker, voice: Voice, line: nodes.Line) -> tuple[ListItem, ...]:
    match line:
        case nodes.Doc():
            return ()
        case nodes.Several(statements):
            return tuple(item for each in statements for item in _derive(speaker, voice, each))
        case nodes.If(condition, body, otherwise):
            when = say_condition(voice, condition)
            head = f"If {when}:" if when else "In some cases:"
            return (
                *_below(head, derive_block(speaker, voice, body)),
                *_otherwise(speaker, voice, otherwise),
            )
        case nodes.For(name, values, body):
            if is_of_players(values) and isinstance(body, nodes.OneLine):
                return derive_block(speaker, voice.bind(name.text, EACH), body)
            inner = voice.bind(name.text, THAT) if is_of_players(values) else voice
            head = f"For {say_each(voice, name.text, values)}:"
            return _below(head, derive_block(speaker, inner, body))
        case nodes.Repeat(times, body):
            head = sentence(f"{say_times(voice, times, body)}:")
            return _below(head, derive_block(speaker, voice, body))
        case _ if isinstance(line, nodes.Simple):
            told = _simple(speaker, voice, line)
            return (ListItem(told),) if told else ()
        case _:
            assert_never(line)


def _otherwise(
    speaker: Speaker, voice: Voice, otherwise: nodes.Else | None
) -> tuple[ListItem, ...]:
    if otherwise is None:
        return ()
    if isinstance(otherwise.body, nodes.If):
        return _derive(speaker, voice, otherwise.body)
    return _below("Otherwise:", derive_block(speaker, voice, otherwise.body))


def _below(head: str, items: tuple[ListItem, ...]) -> tuple[ListItem, ...]:
    return (ListItem(text(head), (Items(items),)),) if items else ()


def _simple(speaker: Speaker, voice: Voice, statement: nodes.Simple) -> Line:
    """A question, a link to a rule, or what is done."""
    if isinstance(statement, nodes.Choice) and statement.prompt is not None:
        mark: Inline = MarkedText("ask", text(asked(statement.prompt.value)))
        return (mark,)
    if isinstance(statement, nodes.Perform):
        link = link_to(speaker.book, statement.call.function.text)
        return (link,) if link is not None else ()
    said = say_deed(voice, statement)
    if isinstance(statement, nodes.Assign) and isinstance(statement.value, nodes.Call) and not said:
        link = link_to(speaker.book, statement.value.function.text)
        return (link,) if link is not None else ()
    return text(sentence(said)) if said else ()
