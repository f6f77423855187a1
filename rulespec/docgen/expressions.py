"""Expressions -> English: a value as a noun, a condition as a clause.

The result contains no names of rules, operators or indices. It is None where nobody would say it like that; then the
author's sentence is used, or the formal text.
"""

from typing import assert_never

from rulespec import english
from rulespec.checking.builtins import TYPES
from rulespec.checking.declarations import Declarations, member_names
from rulespec.docgen.noun_phrases import noun_phrase
from rulespec.docgen.phrase_context import (
    NoWordsError,
    PhraseContext,
    amount_clause,
    bind_params,
    counted_phrase,
    definite_phrase,
    owner,
    the,
    verb,
    without_article,
)
from rulespec.docgen.terms import bind_each, inner_context, is_test, say_call, say_fold, say_term
from rulespec.docgen.wording import Labels, called, is_for_people, plural_of, say
from rulespec.english import listed
from rulespec.syntax import nodes


def context_of(
    declared: Declarations, labels: Labels, params: tuple[nodes.Param, ...] = ()
) -> PhraseContext:
    """The context of a declaration: its first player is spoken to."""
    return PhraseContext(declared, labels, bind_params(declared, params), _noun, _clause)


def say_value(context: PhraseContext, expr: nodes.Expr) -> str | None:
    """What an expression gives, or None."""
    try:
        return _noun(context, expr)
    except NoWordsError:
        return None


def say_condition(context: PhraseContext, expr: nodes.Expr) -> str | None:
    """What an expression asks, or None."""
    try:
        return _clause(context, expr)
    except NoWordsError:
        return None


def say_counted(context: PhraseContext, expr: nodes.Expr) -> str | None:
    """What is compared in a ranking: `cards in their hand`, or `points`."""
    found = say_value(context, expr)
    if found is None:
        return None
    return without_article(found).removeprefix("number of ").removeprefix("their ")


# ---- Nouns ---------------------------------------------------------------------------------------


def _noun(context: PhraseContext, expr: nodes.Expr) -> str:
    match expr:
        case nodes.Number(value):
            return str(value)
        case nodes.Negative(nodes.Number(value)):
            return f"−{value}"
        case nodes.Negative(operand):
            return f"minus {_noun(context, operand)}"
        case nodes.Constant(word):
            return "nothing" if word == "none" else word
        case nodes.Name(name):
            return _name(context, name)
        case nodes.Face(parts):
            return " ".join(_part(context, part) for part in parts)
        case nodes.Described(kind, attributes):
            return _described(context, kind, attributes)
        case nodes.Count(operand):
            return f"the number of {_counted(context, operand)}"
        case nodes.Sum():
            return _sum(context, expr)
        case nodes.Product(nodes.Number(number), "*", thing) if _is_face(context, thing):
            return f"{english.in_words(number)} {without_article(_noun(context, thing)).removeprefix('a ')}"
        case nodes.Product(left, operator, right):
            how = {"*": "times", "/": "divided by"}.get(operator)
            if how is None:
                raise NoWordsError
            return f"{_noun(context, left)} {how} {_noun(context, right)}"
        case nodes.Conditional(value, condition, otherwise):
            first, second = _noun(context, value), _noun(context, otherwise)
            return f"{first} if {_clause(context, condition)}, otherwise {second}"
        case nodes.List(items):
            return listed([_noun(context, each) for each in items])
        case nodes.Range(low, high):
            return f"{_noun(context, low)} to {_noun(context, high)}"
        case nodes.At() | nodes.Having() | nodes.Where():
            return _at(context, expr)
        case nodes.Get():
            return _get(context, expr)
        case nodes.Call(function, arguments):
            return say_call(context, function.text, arguments)
        case nodes.Fold():
            return say_fold(context, expr)
        case nodes.Or() | nodes.And() | nodes.Not() | nodes.Compare():
            return f"whether {_clause(context, expr)}"
        case nodes.Build():
            raise NoWordsError
        case _:
            assert_never(expr)


_VALUES = {
    "players": "the number of players",
    "first": "the first player",
    "Player": "all players",
    "most": "the most",
    "fewest": "the fewest",
    "winners": "the winners",
    "Bool": "yes or no",
}


def _name(context: PhraseContext, name: str) -> str:
    declared = context.declared
    if name in context.bound:
        return context.bound[name].text
    if name in context.labels:
        return context.labels[name]
    if name in member_names(declared):
        return say(name)
    if name in _VALUES:
        return _VALUES[name]
    if not is_for_people(declared, name) or name in TYPES or name in ("ended", "it", "result"):
        raise NoWordsError
    if name in declared.kinds:
        return english.a(called(declared, name))
    if name in declared.enums:
        return f"the {plural_of(declared, name)}"
    if name in declared.zones or name == "box":
        return definite_phrase(noun_phrase(context, nodes.Name(name)))
    if name in declared.routines:
        return say_term(context, name, ())
    if len(name) == 1 and name.islower():
        raise NoWordsError
    if name[:1].isupper():
        return name  # a player of an example
    return the(called(declared, name))


def _part(context: PhraseContext, part: nodes.Name | nodes.Number) -> str:
    if isinstance(part, nodes.Number):
        return str(part.value)
    is_kind = part.text in context.declared.kinds
    return called(context.declared, part.text) if is_kind else _name(context, part.text)


def _described(
    context: PhraseContext, kind: nodes.Name, attributes: tuple[nodes.Fixed, ...]
) -> str:
    """`a card with the suit red and the value 3`"""
    having = listed(
        [
            f"{called(context.declared, each.name.text)} {_noun(context, each.value)}"
            for each in attributes
        ]
    )
    return f"{_name(context, kind.text)} with {having}"


def _sum(context: PhraseContext, expr: nodes.Sum) -> str:
    first, second = _noun(context, expr.left), _noun(context, expr.right)
    together = _is_collection(context, expr.left) or _is_collection(context, expr.right)
    match expr.operator:
        case "+":
            return f"{first} {'and' if together else 'plus'} {second}"
        case "-":
            return f"{first} without {second}" if together else f"{first}, less {second}"
        case "&":
            return f"what {first} and {second} have in common"


def _is_collection(context: PhraseContext, expr: nodes.Expr) -> bool:
    if isinstance(expr, nodes.Collection):
        return True
    try:
        noun_phrase(context, expr)
    except NoWordsError:
        return False
    return True


def _is_face(context: PhraseContext, expr: nodes.Expr) -> bool:
    known = context.declared.kinds.keys() | member_names(context.declared)
    return isinstance(expr, nodes.Face | nodes.Described) or (
        isinstance(expr, nodes.Name) and expr.text in known
    )


def _counted(context: PhraseContext, expr: nodes.Expr) -> str:
    try:
        return counted_phrase(noun_phrase(context, expr))
    except NoWordsError:
        words = without_article(_noun(context, expr))
        if not english.is_several(words):
            raise
        return words


def _at(context: PhraseContext, expr: nodes.At | nodes.Having | nodes.Where) -> str:
    try:
        return definite_phrase(noun_phrase(context, expr))
    except NoWordsError:
        if not isinstance(expr, nodes.At) or not isinstance(expr.subject, nodes.Name):
            raise
    name = expr.subject.text  # a variable of somebody, or what was chosen by them
    if not is_for_people(context.declared, name):
        raise NoWordsError
    return f"{owner(context, expr.key).own} {called(context.declared, name)}"


def _get(context: PhraseContext, expr: nodes.Get) -> str:
    word = called(context.declared, expr.name.text)
    subject = expr.subject
    if isinstance(subject, nodes.Name) and subject.text in context.declared.routines:
        return f"the {word}"
    try:
        return definite_phrase(noun_phrase(context, expr))
    except NoWordsError:
        of = _noun(context, subject)
        return f"its {word}" if of == "it" else f"the {word} of {of}"


# ---- Clauses -------------------------------------------------------------------------------------

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OPPOSITE |= {"in": "not in", "not in": "in"}
_RELATIONS = {"==": "", "!=": "not ", "<": "less than ", ">=": "at least ", ">": "more than "}
_RELATIONS |= {"<=": "at most ", "in": "one of ", "not in": "none of "}


def _clause(context: PhraseContext, expr: nodes.Expr, *, holds: bool = True) -> str:
    """What is asked, or its opposite."""
    match expr:
        case nodes.And(operands) | nodes.Or(operands):
            both = isinstance(expr, nodes.And) == holds
            asked = [_clause(context, each, holds=holds) for each in operands]
            return (" and " if both else " or ").join(asked)
        case nodes.Not(operand):
            return _clause(context, operand, holds=not holds)
        case nodes.Compare(left, relation, right):
            sign = relation.sign if holds else _OPPOSITE[relation.sign]
            return _compared(context, left, sign, right)
        case nodes.Name("ended"):
            return "the game is over" if holds else "the game is not over"
        case nodes.Name(name):
            return _holds(context, name, (), holds=holds)
        case nodes.At(nodes.Name(name), key):
            return _holds(context, name, (key,), holds=holds)
        case nodes.Call(function, arguments):
            return _holds(context, function.text, arguments, holds=holds)
        case nodes.Fold(_, value, name, values):
            each = bind_each(expr, noun_phrase(context, values), holds=holds)
            return _clause(context.bind(name.text, each), value)
        case (
            nodes.Conditional()
            | nodes.Calculation()
            | nodes.Collection()
            | nodes.Selection()
            | nodes.Written()
        ):
            raise NoWordsError
        case _:
            assert_never(expr)


def _compared(context: PhraseContext, left: nodes.Expr, sign: str, right: nodes.Expr) -> str:
    none = isinstance(right, nodes.Constant) and right.word == "none"
    if isinstance(left, nodes.Name) and _is_local(context, left.text) and sign in ("==", "!="):
        if none:
            return "nothing is chosen" if sign == "==" else "something is chosen"
        return f"{_noun(context, right)} is {_RELATIONS[sign]}chosen"
    if none:
        word = without_article(_noun(context, left))
        return f"there is no {word}" if sign == "==" else f"there is {english.a(word)}"
    if isinstance(left, nodes.Count) and isinstance(right, nodes.Number):
        try:
            return amount_clause(
                noun_phrase(context, _meant(context, left.operand)), sign, right.value
            )
        except NoWordsError:
            pass
    subject = _noun(context, left)
    is_ = verb(subject, "is", "are")
    if sign in ("in", "not in") and isinstance(right, nodes.Range):
        return f"{subject} {is_} {'' if sign == 'in' else 'not '}from {_noun(context, right)}"
    return f"{subject} {is_} {_RELATIONS[sign]}{_noun(context, right)}"


def _is_local(context: PhraseContext, name: str) -> bool:
    """Whether a name is something that was chosen, or worked out, in the rule itself."""
    declared = context.declared
    tables = (declared.zones, declared.variables, declared.options, declared.routines)
    known = (
        name in _VALUES
        or name == "result"
        or name in context.bound
        or name in member_names(declared)
    )
    return not known and not any(name in table for table in tables) and name.islower()


def _meant(context: PhraseContext, expr: nodes.Expr) -> nodes.Expr:
    """What a term stands for, if it is given nothing but the names that it has inside."""
    name = expr.function if isinstance(expr, nodes.Call) else expr
    arguments = expr.arguments if isinstance(expr, nodes.Call) else ()
    routine = context.declared.routines.get(name.text) if isinstance(name, nodes.Name) else None
    term = routine.versions[-1].node if routine is not None else None
    if isinstance(term, nodes.Let) and [p.name for p in term.params] == [*arguments]:
        return term.value
    return expr


def _holds(
    context: PhraseContext, name: str, arguments: tuple[nodes.Expr, ...], *, holds: bool
) -> str:
    """Something that is `yes` or `no`."""
    declared = context.declared
    not_ = "" if holds else "not "
    if name in declared.options:
        return f"“{called(declared, name)}” is {not_}agreed"
    if name == "knows":
        who, what = (_noun(context, each) for each in arguments)
        return f"{who} {'knows' if holds else 'does not know'} {what}"
    if not is_for_people(declared, name):
        raise NoWordsError
    routine = declared.routines.get(name)
    last = routine.versions[-1].node if routine is not None else None
    if isinstance(last, nodes.Let) and name not in declared.called:
        return _clause(inner_context(context, last, arguments), last.value, holds=holds)
    if routine is not None and not is_test(declared, name):
        raise NoWordsError
    if len(arguments) == 1:
        whose = _noun(context, arguments[0])
        return f"{whose} {verb(whose, 'is', 'are')} {not_}{called(declared, name)}"
    if arguments or routine is not None or name in declared.variables:
        raise NoWordsError
    return f"the answer is {'yes' if holds else 'no'}"
