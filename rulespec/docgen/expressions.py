"""Expressions -> English: a value as a noun, a condition as a clause.

The result contains no names of rules, operators or indices. It is None where nobody would say it like that; then the
author's sentence is used, or the formal text.
"""

from typing import assert_never

from rulespec import english
from rulespec.checking.builtins import TYPES
from rulespec.checking.declarations import Declarations, member_names
from rulespec.docgen.terms import bind_each, inner_voice, is_test, say_call, say_fold, say_term
from rulespec.docgen.things import things
from rulespec.docgen.voices import (
    NoWordsError,
    Voice,
    bind_params,
    counted,
    lying,
    named_things,
    owner,
    the,
    verb,
    without_article,
)
from rulespec.docgen.wording import Labels, called, is_for_people, plural_of, say
from rulespec.english import listed
from rulespec.syntax import nodes


def voice_of(declared: Declarations, labels: Labels, params: tuple[nodes.Param, ...] = ()) -> Voice:
    """The voice of a declaration: its first player is spoken to."""
    return Voice(declared, labels, bind_params(declared, params), _noun, _clause)


def say_value(voice: Voice, expr: nodes.Expr) -> str | None:
    """What an expression gives, or None."""
    try:
        return _noun(voice, expr)
    except NoWordsError:
        return None


def say_condition(voice: Voice, expr: nodes.Expr) -> str | None:
    """What an expression asks, or None."""
    try:
        return _clause(voice, expr)
    except NoWordsError:
        return None


def say_counted(voice: Voice, expr: nodes.Expr) -> str | None:
    """What is compared in a ranking: `cards in their hand`, or `points`."""
    found = say_value(voice, expr)
    if found is None:
        return None
    return without_article(found).removeprefix("number of ").removeprefix("their ")


# ---- Nouns ---------------------------------------------------------------------------------------


def _noun(voice: Voice, expr: nodes.Expr) -> str:
    match expr:
        case nodes.Number(value):
            return str(value)
        case nodes.Negative(nodes.Number(value)):
            return f"−{value}"
        case nodes.Negative(operand):
            return f"minus {_noun(voice, operand)}"
        case nodes.Constant(word):
            return "nothing" if word == "none" else word
        case nodes.Name(name):
            return _name(voice, name)
        case nodes.Face(parts):
            return " ".join(_part(voice, part) for part in parts)
        case nodes.Described(kind, attributes):
            return _described(voice, kind, attributes)
        case nodes.Count(operand):
            return f"the number of {_counted(voice, operand)}"
        case nodes.Sum():
            return _sum(voice, expr)
        case nodes.Product(nodes.Number(number), "*", thing) if _is_face(voice, thing):
            return f"{english.in_words(number)} {without_article(_noun(voice, thing)).removeprefix('a ')}"
        case nodes.Product(left, operator, right):
            how = {"*": "times", "/": "divided by"}.get(operator)
            if how is None:
                raise NoWordsError
            return f"{_noun(voice, left)} {how} {_noun(voice, right)}"
        case nodes.Conditional(value, condition, otherwise):
            first, second = _noun(voice, value), _noun(voice, otherwise)
            return f"{first} if {_clause(voice, condition)}, otherwise {second}"
        case nodes.List(items):
            return listed([_noun(voice, each) for each in items])
        case nodes.Range(low, high):
            return f"{_noun(voice, low)} to {_noun(voice, high)}"
        case nodes.At() | nodes.Having() | nodes.Where():
            return _at(voice, expr)
        case nodes.Get():
            return _get(voice, expr)
        case nodes.Call(function, arguments):
            return say_call(voice, function.text, arguments)
        case nodes.Fold():
            return say_fold(voice, expr)
        case nodes.Or() | nodes.And() | nodes.Not() | nodes.Compare():
            return f"whether {_clause(voice, expr)}"
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


def _name(voice: Voice, name: str) -> str:
    declared = voice.declared
    if name in voice.bound:
        return voice.bound[name].text
    if name in voice.labels:
        return voice.labels[name]
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
        return named_things(things(voice, nodes.Name(name)))
    if name in declared.routines:
        return say_term(voice, name, ())
    if len(name) == 1 and name.islower():
        raise NoWordsError
    if name[:1].isupper():
        return name  # a player of an example
    return the(called(declared, name))


def _part(voice: Voice, part: nodes.Name | nodes.Number) -> str:
    if isinstance(part, nodes.Number):
        return str(part.value)
    is_kind = part.text in voice.declared.kinds
    return called(voice.declared, part.text) if is_kind else _name(voice, part.text)


def _described(voice: Voice, kind: nodes.Name, attributes: tuple[nodes.Fixed, ...]) -> str:
    """`a card with the suit red and the value 3`"""
    having = listed(
        [
            f"{called(voice.declared, each.name.text)} {_noun(voice, each.value)}"
            for each in attributes
        ]
    )
    return f"{_name(voice, kind.text)} with {having}"


def _sum(voice: Voice, expr: nodes.Sum) -> str:
    first, second = _noun(voice, expr.left), _noun(voice, expr.right)
    together = _is_collection(voice, expr.left) or _is_collection(voice, expr.right)
    match expr.operator:
        case "+":
            return f"{first} {'and' if together else 'plus'} {second}"
        case "-":
            return f"{first} without {second}" if together else f"{first}, less {second}"
        case "&":
            return f"what {first} and {second} have in common"


def _is_collection(voice: Voice, expr: nodes.Expr) -> bool:
    if isinstance(expr, nodes.Collection):
        return True
    try:
        things(voice, expr)
    except NoWordsError:
        return False
    return True


def _is_face(voice: Voice, expr: nodes.Expr) -> bool:
    known = voice.declared.kinds.keys() | member_names(voice.declared)
    return isinstance(expr, nodes.Face | nodes.Described) or (
        isinstance(expr, nodes.Name) and expr.text in known
    )


def _counted(voice: Voice, expr: nodes.Expr) -> str:
    try:
        return counted(things(voice, expr))
    except NoWordsError:
        words = without_article(_noun(voice, expr))
        if not english.is_several(words):
            raise
        return words


def _at(voice: Voice, expr: nodes.At | nodes.Having | nodes.Where) -> str:
    try:
        return named_things(things(voice, expr))
    except NoWordsError:
        if not isinstance(expr, nodes.At) or not isinstance(expr.subject, nodes.Name):
            raise
    name = expr.subject.text  # a variable of somebody, or what was chosen by them
    if not is_for_people(voice.declared, name):
        raise NoWordsError
    return f"{owner(voice, expr.key).own} {called(voice.declared, name)}"


def _get(voice: Voice, expr: nodes.Get) -> str:
    word = called(voice.declared, expr.name.text)
    subject = expr.subject
    if isinstance(subject, nodes.Name) and subject.text in voice.declared.routines:
        return f"the {word}"
    try:
        return named_things(things(voice, expr))
    except NoWordsError:
        of = _noun(voice, subject)
        return f"its {word}" if of == "it" else f"the {word} of {of}"


# ---- Clauses -------------------------------------------------------------------------------------

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OPPOSITE |= {"in": "not in", "not in": "in"}
_RELATIONS = {"==": "", "!=": "not ", "<": "less than ", ">=": "at least ", ">": "more than "}
_RELATIONS |= {"<=": "at most ", "in": "one of ", "not in": "none of "}


def _clause(voice: Voice, expr: nodes.Expr, *, holds: bool = True) -> str:
    """What is asked, or its opposite."""
    match expr:
        case nodes.And(operands) | nodes.Or(operands):
            both = isinstance(expr, nodes.And) == holds
            asked = [_clause(voice, each, holds=holds) for each in operands]
            return (" and " if both else " or ").join(asked)
        case nodes.Not(operand):
            return _clause(voice, operand, holds=not holds)
        case nodes.Compare(left, relation, right):
            sign = relation.sign if holds else _OPPOSITE[relation.sign]
            return _compared(voice, left, sign, right)
        case nodes.Name("ended"):
            return "the game is over" if holds else "the game is not over"
        case nodes.Name(name):
            return _holds(voice, name, (), holds=holds)
        case nodes.At(nodes.Name(name), key):
            return _holds(voice, name, (key,), holds=holds)
        case nodes.Call(function, arguments):
            return _holds(voice, function.text, arguments, holds=holds)
        case nodes.Fold(_, value, name, values):
            each = bind_each(expr, things(voice, values), holds=holds)
            return _clause(voice.bind(name.text, each), value)
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


def _compared(voice: Voice, left: nodes.Expr, sign: str, right: nodes.Expr) -> str:
    none = isinstance(right, nodes.Constant) and right.word == "none"
    if isinstance(left, nodes.Name) and _is_local(voice, left.text) and sign in ("==", "!="):
        if none:
            return "nothing is chosen" if sign == "==" else "something is chosen"
        return f"{_noun(voice, right)} is {_RELATIONS[sign]}chosen"
    if none:
        word = without_article(_noun(voice, left))
        return f"there is no {word}" if sign == "==" else f"there is {english.a(word)}"
    if isinstance(left, nodes.Count) and isinstance(right, nodes.Number):
        try:
            return lying(things(voice, _meant(voice, left.operand)), sign, right.value)
        except NoWordsError:
            pass
    subject = _noun(voice, left)
    is_ = verb(subject, "is", "are")
    if sign in ("in", "not in") and isinstance(right, nodes.Range):
        return f"{subject} {is_} {'' if sign == 'in' else 'not '}from {_noun(voice, right)}"
    return f"{subject} {is_} {_RELATIONS[sign]}{_noun(voice, right)}"


def _is_local(voice: Voice, name: str) -> bool:
    """Whether a name is something that was chosen, or worked out, in the rule itself."""
    declared = voice.declared
    tables = (declared.zones, declared.variables, declared.options, declared.routines)
    known = (
        name in _VALUES or name == "result" or name in voice.bound or name in member_names(declared)
    )
    return not known and not any(name in table for table in tables) and name.islower()


def _meant(voice: Voice, expr: nodes.Expr) -> nodes.Expr:
    """What a term stands for, if it is given nothing but the names that it has inside."""
    name = expr.function if isinstance(expr, nodes.Call) else expr
    arguments = expr.arguments if isinstance(expr, nodes.Call) else ()
    routine = voice.declared.routines.get(name.text) if isinstance(name, nodes.Name) else None
    term = routine.versions[-1].node if routine is not None else None
    if isinstance(term, nodes.Let) and [p.name for p in term.params] == [*arguments]:
        return term.value
    return expr


def _holds(voice: Voice, name: str, arguments: tuple[nodes.Expr, ...], *, holds: bool) -> str:
    """Something that is `yes` or `no`."""
    declared = voice.declared
    not_ = "" if holds else "not "
    if name in declared.options:
        return f"“{called(declared, name)}” is {not_}agreed"
    if name == "knows":
        who, what = (_noun(voice, each) for each in arguments)
        return f"{who} {'knows' if holds else 'does not know'} {what}"
    if not is_for_people(declared, name):
        raise NoWordsError
    routine = declared.routines.get(name)
    last = routine.versions[-1].node if routine is not None else None
    if isinstance(last, nodes.Let) and name not in declared.called:
        return _clause(inner_voice(voice, last, arguments), last.value, holds=holds)
    if routine is not None and not is_test(declared, name):
        raise NoWordsError
    if len(arguments) == 1:
        whose = _noun(voice, arguments[0])
        return f"{whose} {verb(whose, 'is', 'are')} {not_}{called(declared, name)}"
    if arguments or routine is not None or name in declared.variables:
        raise NoWordsError
    return f"the answer is {'yes' if holds else 'no'}"
