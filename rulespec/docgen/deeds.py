"""Statements -> English: what is done, for cells of tables and steps of a chart that nobody has put into words."""

from typing import assert_never

from rulespec import english
from rulespec.docgen.translation import say_condition, say_value
from rulespec.docgen.voices import Voice, bare
from rulespec.docgen.wording import called, is_told, say
from rulespec.syntax import nodes


def say_deeds(voice: Voice, body: nodes.RowBody) -> str | None:
    """What a row of a table does, in one sentence; None if a part of it has no words."""
    match body:
        case nodes.Suite(lines):
            return _joined([_line(voice, each) for each in lines])
        case nodes.Several(statements):
            return _joined([say_deed(voice, each) for each in statements])
        case nodes.Cells(values):
            return _joined([_call(each) for each in values if isinstance(each, nodes.Call)])
        case _ if isinstance(body, nodes.Action):
            return _joined([say_deed(voice, body)])
        case _:
            assert_never(body)


def _joined(deeds: list[str | None]) -> str | None:
    told = [each for each in deeds if each]
    if not told or any(each is None for each in deeds):
        return None
    return english.sentence("; ".join(told))


def _line(voice: Voice, line: nodes.Line) -> str | None:
    match line:
        case nodes.Doc():
            return ""
        case nodes.Several(statements):
            return _joined([say_deed(voice, each) for each in statements])
        case nodes.If() | nodes.For() | nodes.Repeat():
            return None
        case _ if isinstance(line, nodes.Simple):
            return say_deed(voice, line)
        case _:
            assert_never(line)


def say_deed(voice: Voice, statement: nodes.Simple) -> str | None:
    """What one statement does, as it is said to a player; empty if there is nothing to say."""
    match statement:
        case nodes.Perform(call):
            return _call(call)
        case nodes.Move(pieces, how, zone):
            under = "to" if how == "to" else "to the bottom of"
            return _filled("move {} " + under + " {}", voice, pieces, zone)
        case nodes.Shuffle(zone):
            return _filled("shuffle {}", voice, zone)
        case nodes.Random(target, options):
            return _filled(f"{_a(target.name.text)} is drawn at random from {{}}", voice, options)
        case nodes.Show(pieces, players):
            return _filled("show {} to {}", voice, pieces, players)
        case nodes.Reveal(pieces):
            return _filled("reveal {}", voice, pieces)
        case nodes.Announce(_, value, _):
            asked = say_condition(voice, value)
            return f"say whether {asked}" if asked else _filled("say {}", voice, value)
        case nodes.Tell() | nodes.Heading() | nodes.Return(None) | nodes.Stop():
            return ""
        case nodes.Choose() | nodes.MayChoose() | nodes.Each() | nodes.EachMay():
            may = (
                "may choose" if isinstance(statement, nodes.MayChoose | nodes.EachMay) else "choose"
            )
            return _filled(
                f"{may} {_a(statement.target.name.text)} from {{}}", voice, statement.options
            )
        case nodes.Assign(target, operator, value):
            return _assigned(voice, target, operator, value)
        case nodes.End():
            return "the game ends"
        case nodes.Nothing():
            return "nothing"
        case nodes.Return(value):
            return _filled("the result is {}", voice, value) if value is not None else ""
        case _:
            assert_never(statement)


def _filled(sentence: str, voice: Voice, *parts: nodes.Expr) -> str | None:
    told = [say_value(voice, each) for each in parts]
    return None if None in told else sentence.format(*told)


def _a(name: str) -> str:
    return english.a(say(name))


def _call(call: nodes.Call) -> str:
    return "as before" if call.function.text == "super" else say(call.function.text)


def _assigned(
    voice: Voice, target: nodes.Name | nodes.At, operator: str, value: nodes.Expr
) -> str | None:
    name = target.subject if isinstance(target, nodes.At) else target
    if isinstance(name, nodes.Name) and not is_told(voice.declared, name.text):
        return ""
    what, much = say_value(voice, target), say_value(voice, value)
    if what is None or much is None:
        return None
    if operator == "=":
        return f"{what}: {much}"
    more = "more" if operator == "+=" else "less"
    number = english.in_words(value.value) if isinstance(value, nodes.Number) else much
    own = isinstance(target, nodes.At) and what.startswith("your ")
    if own and isinstance(name, nodes.Name) and isinstance(value, nodes.Number):
        return _gained(called(voice.declared, name.text), value.value, gets=more == "more")
    return f"{bare(what)}: {number} {more}"


def _gained(word: str, number: int, *, gets: bool) -> str:
    """`you get two coins`, `you lose a coin`."""
    several = word if english.is_several(word) else None
    one = english.singular(word.rsplit(maxsplit=1)[-1]) if several else None
    single = " ".join([*word.split()[:-1], one]) if one else word
    verb = "get" if gets else "lose"
    if several is None:
        return f"your {word} goes {'up' if gets else 'down'} by {number}"
    return f"you {verb} {english.count_of(number, single, several)}"
