"""Calls, terms and sums -> English, and whether a term is a question."""

from typing import assert_never

import attrs

from rulespec import english
from rulespec.checking.declarations import Declarations, Declared
from rulespec.docgen.noun_phrases import noun_phrase
from rulespec.docgen.phrase_context import (
    IT,
    Bound,
    NounPhrase,
    NoWordsError,
    PhraseContext,
    definite_phrase,
    is_owned,
    owner,
    the,
    type_name,
)
from rulespec.docgen.wording import CARD, called, is_for_people
from rulespec.syntax import nodes

DEEPEST = 4  # terms inside of each other that are told by what they mean


def say_call(context: PhraseContext, name: str, arguments: tuple[nodes.Expr, ...]) -> str:
    """What a function gives."""
    said = [context.say(context, each) for each in arguments if not _is_attribute(context, each)]
    match name, arguments:
        case "top", (zone,):
            return _top(context, zone, 1)
        case "top", (zone, nodes.Number(number)):
            return _top(context, zone, number)
        case "top", (zone, number):
            return f"cards from {said[0]}, as many as {context.say(context, number)}"
        case "position", _:
            return f"the position of {said[0]} in {said[1]}"
        case "next", _:
            return "the next player"
        case (("left" | "right"), (player,)):
            return f"{owner(context, player).own} {name} neighbour"
        case "others", _:
            return "the other players"
        case "order", _:
            return f"all players in turn, beginning with {said[0]}"
        case (("max" | "min"), (nodes.Number(number), _)):
            return f"{said[1]}, but never {'less' if name == 'max' else 'more'} than {number}"
        case (("max" | "min"), (_, nodes.Number(number))):
            return f"{said[0]}, but never {'less' if name == 'max' else 'more'} than {number}"
        case (("max" | "min"), (_, _)):
            return f"the {'greater' if name == 'max' else 'smaller'} of {said[0]} and {said[1]}"
        case (("max" | "min"), _):
            return f"the {'highest' if name == 'max' else 'lowest'} of {said[0]}"
        case "subsets", (_, nodes.Number(number)):
            return f"any {english.in_words(number)} of {said[0]}"
        case "alike", (_, nodes.Name(attribute)):
            return f"any of {said[0]} with the same {called(context.declared, attribute)}"
        case "runs", (_, nodes.Name(attribute)):
            return f"any run of {said[0]} by {called(context.declared, attribute)}"
        case _ if name in context.declared.routines:
            return say_term(context, name, arguments)
        case _:
            raise NoWordsError


def _is_attribute(context: PhraseContext, expr: nodes.Expr) -> bool:
    """Whether this is the name of an attribute, which stands for no value."""
    name = expr.text if isinstance(expr, nodes.Name) else ""
    rows = [row.node for rows in context.declared.kinds.values() for row in rows]
    return any(each.name.text == name for row in rows for each in row.attributes)


def _top(context: PhraseContext, zone: nodes.Expr, number: int) -> str:
    """`the top three cards of the deck`, `a black seal from the stock`, `one of your Stones`."""
    try:
        found = noun_phrase(context, zone)
    except NoWordsError:
        found = NounPhrase(CARD, english.plural(CARD), context.say(context, zone), pile=True)
    one, several = f"{found.before} {found.one}".strip(), f"{found.before} {found.several}".strip()
    if found.pile and found.place:
        many = one if number == 1 else f"{english.in_words(number)} {several}"
        return f"the top {many}{found.after} of {found.place}"
    if is_owned(found) or not found.place:
        return f"{english.in_words(number)} of {definite_phrase(found)}"
    return f"{english.count_of(number, one, several)}{found.after} from {found.place}"


def say_term(context: PhraseContext, name: str, arguments: tuple[nodes.Expr, ...]) -> str:
    """A term by its name, or by what it means if nobody has put it into words."""
    declared = context.declared
    last = declared.routines[name].versions[-1]
    if not is_for_people(declared, name) or is_test(declared, name):
        raise NoWordsError
    if isinstance(last.node, nodes.Let) and (
        _is_number(last.node) or not _is_named(declared, last)
    ):
        return context.say(inner_context(context, last.node, arguments), last.node.value)
    whose: Bound | None = None
    rest = []
    for param, argument in zip(last.node.params, arguments, strict=False):
        if type_name(param.type) == "Player" and whose is None:
            whose = owner(context, argument)
        else:
            rest.append(context.say(context, argument))
    if len(rest) > 1:
        raise NoWordsError
    words = called(declared, name)
    text = the(words) if whose is None else f"{whose.own} {words}"
    return f"{text} for {rest[0]}" if rest else text


def _is_number(term: nodes.Let) -> bool:
    return isinstance(term.value, nodes.Number)


def _is_named(declared: Declarations, term: Declared[nodes.Let | nodes.Table | nodes.Rule]) -> bool:
    """Whether somebody has put a term into words."""
    return term.node.name.text in declared.called or any(doc.text for doc in term.docs)


def inner_context(
    context: PhraseContext, term: nodes.Let, arguments: tuple[nodes.Expr, ...]
) -> PhraseContext:
    """The context inside of a term, whose parameters stand for what it is given."""
    if context.depth >= DEEPEST or len(arguments) != len(term.params):
        raise NoWordsError
    bound: dict[str, Bound] = {}
    for param, argument in zip(term.params, arguments, strict=True):
        if isinstance(argument, nodes.Name) and argument.text in context.bound:
            bound[param.name.text] = context.bound[argument.text]
        else:
            text = context.say(context, argument)
            bound[param.name.text] = Bound(text, english.possessive(text), type_name(param.type))
    return attrs.evolve(context, bound=bound, depth=context.depth + 1)


# ---- Questions -----------------------------------------------------------------------------------


def is_test(declared: Declarations, name: str) -> bool:
    """Whether a term gives `yes` or `no`."""
    node = declared.routines[name].versions[-1].node
    match node:
        case nodes.Let(_, _, value):
            return _is_test(declared, value)
        case nodes.Table():
            rows = [row.body for row in node.rows if isinstance(row, nodes.Row)]
            cells = [cell for body in rows if isinstance(body, nodes.Cells) for cell in body.values]
            return any(isinstance(cell, nodes.Constant) and cell.word != "none" for cell in cells)
        case nodes.Rule():
            return False
        case _:
            assert_never(node)


def _is_test(declared: Declarations, value: nodes.Expr) -> bool:
    if isinstance(value, nodes.Call) and value.function.text in declared.routines:
        return is_test(declared, value.function.text)
    folded = isinstance(value, nodes.Fold) and value.function.text in ("any", "all")
    return folded or isinstance(value, nodes.Test)


# ---- Sums ----------------------------------------------------------------------------------------


def say_fold(context: PhraseContext, fold: nodes.Fold) -> str:
    """What is added up, or the least and the greatest of something."""
    found = noun_phrase(context, fold.values)
    name = fold.name.text
    match fold.function.text:
        case "sum" if found.several.endswith("players"):
            each = Bound("each player", "each player's", "Player")
            return f"{context.say(context.bind(name, each), fold.value)}, added up"
        case "sum":
            of = context.say(context.bind(name, IT), fold.value)
            return f"{of} for each of {definite_phrase(found)}, added up"
        case "min" | "max" as which:
            some = _any_of(found)
            said = context.say(context.bind(name, some), fold.value)
            return f"the {'lowest' if which == 'min' else 'highest'} of {said}"
        case _:
            raise NoWordsError


def _any_of(found: NounPhrase) -> Bound:
    text = f"any {found.one}"
    return Bound(text, english.possessive(text))


def bind_each(fold: nodes.Fold, found: NounPhrase, *, holds: bool) -> Bound:
    """Of which things something is asked: `every player`, `at least one card`."""
    which = {("any", True): "at least one", ("any", False): "no", ("all", True): "every"}
    word = which.get((fold.function.text, holds))
    if word is None:
        raise NoWordsError
    each = f"{word} {found.before} {found.one}{found.after}".replace("  ", " ")
    of = "Player" if found.several.endswith("players") else ""
    return Bound(each, english.possessive(each), of)
