"""Names, types, patterns and expressions -> words, as far as people have words for them.

What has none stays a piece of the language.
"""

import re
from typing import assert_never

from rulespec.checking.declarations import Declarations
from rulespec.docgen.blocks import Code, Line, Text, join, text
from rulespec.syntax import nodes
from rulespec.syntax.phrases import expression, type_text
from rulespec.syntax.wrapping import flat

Labels = dict[str, str]


def labels_of(declared: Declarations) -> Labels:
    """How the members of enums are called."""
    return {
        member.name.text: member.label.value
        for enum in declared.enums.values()
        for member in enum.node.members
        if member.label is not None
    }


def say(name: str) -> str:
    """A name as people write it.

    >>> say("take_stone"), titled("take_stone")
    ('take stone', 'Take stone')
    """
    return name.replace("_", " ").strip()


def titled(name: str) -> str:
    """The same at the beginning of a line."""
    said = say(name)
    return said[:1].upper() + said[1:]


def printed(expr: nodes.Expr) -> str:
    """An expression in one line."""
    return flat(expression(expr))


def asked(prompt: str) -> str:
    """A question, with what is put into it between small brackets.

    >>> asked("Where do the {sin} cards go?")
    'Where do the ‹sin› cards go?'
    """
    return re.sub(r"\{(\w+)\}", lambda found: f"‹{say(found[1])}›", prompt)


def type_words(type_: nodes.Type, labels: Labels, declared: Declarations) -> str:
    """What values there are: `Envy, Wrath`, or `1 to 7`."""
    match type_:
        case nodes.RangeType(low, high):
            return f"{low.value} to {high.value}"
        case nodes.NamedType(name, None) if name.text in declared.enums:
            return ", ".join(labels.get(each, say(each)) for each in members(declared, name.text))
        case nodes.NamedType(name, None):
            return {"Bool": "yes or no", "Player": "a player"}.get(name.text, say(name.text))
        case nodes.SetType(of):
            return f"any of {type_words(of, labels, declared)}"
        case nodes.OptionalType(of):
            return f"{type_words(of, labels, declared)}, or none"
        case nodes.NamedType():
            return type_text(type_)
        case _:
            assert_never(type_)


def members(declared: Declarations, enum: str) -> list[str]:
    """The members of an enum, with those of others that it takes in."""
    found: list[str] = []
    for member in declared.enums[enum].node.members:
        name = member.name.text
        found += members(declared, name) if name in declared.enums and name != enum else [name]
    return found


# ---- Expressions ---------------------------------------------------------------------------------


def words(expr: nodes.Expr, labels: Labels) -> Line:
    """A value in words, or else as it is written."""
    match expr:
        case nodes.Number(value):
            return text(str(value))
        case nodes.Negative(nodes.Number(value)):
            return text(f"−{value}")
        case nodes.Constant(word):
            return text(word)
        case nodes.Name(name):
            return text(labels[name]) if name in labels else text(say(name))
        case nodes.Face(parts):
            return text(" ".join(_word(part, labels) for part in parts))
        case nodes.Product(nodes.Number(number), "*", thing):
            return (Text(f"{number} × "), *words(thing, labels))
        case nodes.List(()):
            return text("nothing")
        case nodes.List(items):
            return join([words(each, labels) for each in items])
        case nodes.Range(nodes.Number(low), nodes.Number(high)):
            return text(f"{low} to {high}")
        case (
            nodes.Conditional()
            | nodes.Test()
            | nodes.Calculation()
            | nodes.Collection()
            | nodes.Selection()
            | nodes.Invocation()
        ):
            return (Code(printed(expr)),)
        case _:
            assert_never(expr)


def _word(part: nodes.Name | nodes.Number, labels: Labels) -> str:
    if isinstance(part, nodes.Number):
        return str(part.value)
    return labels.get(part.text, say(part.text))


def key_words(key: nodes.Key, labels: Labels) -> Line:
    """What a row of a table is for."""
    return text(", ".join(_pattern(each, labels) for each in key.patterns))


def _pattern(pattern: nodes.Pattern, labels: Labels) -> str:
    match pattern:
        case nodes.Anything():
            return "any"
        case nodes.KeyName(first, last):
            word = first.text if isinstance(first, nodes.Name) else first.word
            start = labels.get(word, say(word))
            return f"{start} to {labels.get(last.text, say(last.text))}" if last else start
        case nodes.KeyNumber(low, high):
            return f"{low.value} to {high.value}" if high else str(low.value)
        case nodes.AtLeast(number):
            return f"{number.value} or more"
        case nodes.AtMost(number):
            return f"{number.value} or less"
        case _:
            assert_never(pattern)
