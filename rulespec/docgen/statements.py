"""Statements -> English: what is done, for rules, cells and steps of a chart that nobody has put into words."""

from typing import assert_never

from rulespec import english
from rulespec.checking.declarations import walk
from rulespec.docgen.expressions import say_condition, say_value
from rulespec.docgen.noun_phrases import noun_phrase
from rulespec.docgen.phrase_context import (
    Bound,
    NoWordsError,
    PhraseContext,
    definite_phrase,
    type_name,
    verb,
    without_article,
)
from rulespec.docgen.wording import called, is_for_people, say
from rulespec.english import is_several
from rulespec.syntax import nodes

EACH = Bound("each player", "each player's", "Player")
THAT = Bound("that player", "that player's", "Player")


def say_deeds(context: PhraseContext, body: nodes.RowBody) -> str | None:
    """What a row of a table does, in one sentence; None if a part of it has no words."""
    match body:
        case nodes.Suite(lines):
            return _joined([_line(context, each) for each in lines])
        case nodes.Several(statements):
            return _joined([say_deed(context, each) for each in statements])
        case nodes.Cells(values):
            return _joined([_call(each) for each in values if isinstance(each, nodes.Call)])
        case _ if isinstance(body, nodes.Action):
            return _joined([say_deed(context, body)])
        case _:
            assert_never(body)


def _joined(deeds: list[str | None]) -> str | None:
    said = [each for each in deeds if each]
    if not said or None in deeds:
        return None
    return english.sentence("; ".join(said))


def _line(context: PhraseContext, line: nodes.Line) -> str | None:
    match line:
        case nodes.Doc():
            return ""
        case nodes.Several(statements):
            return _joined([say_deed(context, each) for each in statements])
        case nodes.If() | nodes.For() | nodes.Repeat():
            return None
        case _ if isinstance(line, nodes.Simple):
            return say_deed(context, line)
        case _:
            assert_never(line)


def say_deed(context: PhraseContext, statement: nodes.Simple) -> str | None:
    """What one statement does, as it is said to a player; empty if there is nothing to say."""
    match statement:
        case nodes.Perform(call):
            return _call(call)
        case nodes.Move(pieces, how, zone, position):
            goal = say_value(context, zone)
            what = _moved(context, pieces)
            under = "to" if how == "to" else "to the bottom of"
            if position is not None:
                number = say_value(context, position)
                under = f"to position {number} of" if number else ""
            return f"move {what} {under} {goal}" if what and goal and under else None
        case nodes.Shuffle(zone):
            return _filled("shuffle {}", context, zone)
        case nodes.Random(target, options):
            return _filled(f"{_a(target.name.text)} is drawn at random from {{}}", context, options)
        case nodes.Show(pieces, players):
            return _filled("show {} to {}", context, pieces, players)
        case nodes.Reveal(pieces):
            return _filled("reveal {}", context, pieces)
        case nodes.Announce(_, value, _):
            asked = say_condition(context, value)
            return f"say whether {asked}" if asked else _filled("say {}", context, value)
        case nodes.Tell(told_):
            return _tell(told_)
        case nodes.Heading() | nodes.Return() | nodes.Stop():
            return ""
        case nodes.Choose() | nodes.MayChoose() | nodes.Each() | nodes.EachMay():
            may = isinstance(statement, nodes.MayChoose | nodes.EachMay)
            choose = f"{'may choose' if may else 'choose'} {_a(statement.target.name.text)}"
            if isinstance(statement, nodes.Choose) and statement.alternative is not None:
                other = statement.alternative
                choice = f"{choose} from {{}}, or {_a(other.target.name.text)} from {{}}"
                return _filled(choice, context, statement.options, other.options)
            return _filled(f"{choose} from {{}}", context, statement.options)
        case nodes.Assign(target, operator, value):
            return _assigned(context, target, operator, value)
        case nodes.End():
            return "the game ends"
        case nodes.Nothing():
            return "nothing"
        case _:
            assert_never(statement)


def _tell(sentence: nodes.Told) -> str:
    """A sentence that players are told, if it has no holes to fill."""
    return "" if sentence.holes else sentence.value


def _moved(context: PhraseContext, pieces: nodes.Expr) -> str | None:
    """What is moved: of a zone all that lies there."""
    try:
        found = noun_phrase(context, pieces)
    except NoWordsError:
        return say_value(context, pieces)
    if not found.whole or is_several(without_article(found.place)):
        return definite_phrase(found)
    return f"everything in {found.place}"


def _filled(sentence: str, context: PhraseContext, *parts: nodes.Expr) -> str | None:
    said = [say_value(context, each) for each in parts]
    return None if None in said else sentence.format(*said)


def _a(name: str) -> str:
    return english.a(say(name))


def _call(call: nodes.Call) -> str:
    return "as before" if call.function.text == "super" else say(call.function.text)


# ---- Variables -----------------------------------------------------------------------------------


def _assigned(
    context: PhraseContext, target: nodes.Name | nodes.At, operator: str, value: nodes.Expr
) -> str | None:
    name = target.subject if isinstance(target, nodes.At) else target
    if not isinstance(name, nodes.Name) or not is_for_people(context.declared, name.text):
        return ""
    if name.text not in context.declared.variables:
        return ""  # worked out for later, where it is told
    if isinstance(value, nodes.Constant) and value.word != "none":
        return say_condition(context, target if value.word == "yes" else nodes.Not(target))
    what, much = say_value(context, target), say_value(context, value)
    if what is None or much is None:
        return None
    if operator == "=":
        of = type_name(context.declared.variables[name.text].node.node.type)
        return (
            f"{much} becomes {what}"
            if of == "Player"
            else f"{without_article(what)}: {without_article(much)}"
        )
    gets = operator == "+="
    if isinstance(value, nodes.Number) and what.startswith("your "):
        return _gained(called(context.declared, name.text), value.value, gets=gets)
    if isinstance(value, nodes.Number):
        return (
            f"{without_article(what)}: {english.in_words(value.value)} {'more' if gets else 'less'}"
        )
    return f"{what} {verb(what, 'goes', 'go')} {'up' if gets else 'down'} by {much}"


def _gained(word: str, number: int, *, gets: bool) -> str:
    """`you get two coins`, `you lose a coin`."""
    if not is_several(word):
        return f"your {word} goes {'up' if gets else 'down'} by {number}"
    *before, last = word.split()
    one = " ".join([*before, english.singular(last) or last])
    return f"you {'get' if gets else 'lose'} {english.count_of(number, one, word)}"


# ---- Loops ---------------------------------------------------------------------------------------


def say_each(context: PhraseContext, name: str, values: nodes.Expr) -> str:
    """For what something is done: `each player in turn`."""
    function = values.function.text if isinstance(values, nodes.Call) else ""
    if function in ("order", "others"):
        return "each player in turn" if function == "order" else "each other player"
    if isinstance(values, nodes.Name):
        one = "player" if values.text == "Player" else called(context.declared, values.text)
        return f"each {one}"
    said = say_value(context, values)
    return f"each of {said}" if said else f"each {say(name)}"


def say_times(context: PhraseContext, times: nodes.Expr | None, body: nodes.Block) -> str:
    """How often something is done."""
    if isinstance(times, nodes.Number):
        return "once" if times.value == 1 else f"{times.value} times"
    if times is not None:
        said = say_value(context, times)
        if said is None:
            return "several times"
        counted = without_article(said).removeprefix("number of ")
        return f"as many times as there are {counted}" if is_several(counted) else f"{said} times"
    stops = any(isinstance(each, nodes.Stop) for each in walk(body))
    return "once or more" if stops else "until the game ends"


def is_of_players(values: nodes.Expr) -> bool:
    """Whether something is done for players, one after the other."""
    name = values.function if isinstance(values, nodes.Call) else values
    return isinstance(name, nodes.Name) and name.text in ("Player", "order", "others")
