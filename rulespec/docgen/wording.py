"""Names, types and patterns -> the words that people have for them.

What an author has said with `called` comes first; otherwise it is the name in words. `expressions` has the words for
expressions, which are made of these.
"""

import re
from typing import assert_never

from rulespec import english
from rulespec.checking.declarations import Declarations
from rulespec.docgen.page_elements import Line, text
from rulespec.syntax import nodes

Labels = dict[str, str]
CARD = "card"  # what things of several kinds are called


def labels_of(declared: Declarations) -> Labels:
    """How the members of enums are called."""
    found: Labels = {}
    for enum in declared.enums.values():
        for member in enum.node.members:
            name = member.name.text
            if name in declared.enums:
                continue
            if member.label is not None:
                found[name] = member.label.value
            if name in declared.called and is_for_people(declared, name):
                found[name] = called(declared, name)
    return found


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


def called(declared: Declarations, name: str) -> str:
    """What people call something that is declared."""
    found = declared.called.get(name)
    if found is not None and isinstance(found.node.words, nodes.Words):
        return found.node.words.one.value
    labels = {row.node.shown_as for row in declared.kinds.get(name, ())}
    label = labels.pop() if len(labels) == 1 else None
    if label is not None and "{" not in label.value:
        return label.value.removeprefix("the ")  # its face says what it is
    return english.words(name)


def plural_of(declared: Declarations, name: str) -> str:
    """Several of it."""
    found = declared.called.get(name)
    given = found.node.words if found is not None else None
    if isinstance(given, nodes.Words) and given.several is not None:
        return given.several.value
    return english.plural(called(declared, name))


def is_for_people(declared: Declarations, name: str) -> bool:
    """Whether something is for the table; what is not is bookkeeping."""
    found = declared.called.get(name)
    return found is None or isinstance(found.node.words, nodes.Words)


def prompt_text(prompt: str) -> str:
    """A question, with what is put into it between small brackets.

    >>> prompt_text("Where do the {sin} cards go?")
    'Where do the ‹sin› cards go?'
    """
    return re.sub(r"\{(\w+)\}", lambda found: f"‹{say(found[1])}›", prompt)


def type_words(type_: nodes.Type, labels: Labels, declared: Declarations) -> str:
    """What values there are: `Envy, Wrath`, or `1 to 7`; nothing if that says nothing."""
    match type_:
        case nodes.RangeType(low, high):
            # A bound that nobody reaches is there for the checker.
            return f"{low.value} or more" if high.value >= FAR else f"{low.value} to {high.value}"
        case nodes.NamedType(name, None) if name.text in declared.enums:
            return ", ".join(
                labels.get(each, say(each)) for each in enum_members(declared, name.text)
            )
        case nodes.NamedType(name, None):
            return {"Bool": "yes or no", "Player": "a player", "Int": "a number"}.get(
                name.text, called(declared, name.text)
            )
        case nodes.SetType(of):
            return f"any of {type_words(of, labels, declared)}"
        case nodes.OptionalType(of):
            nobody = isinstance(of, nodes.NamedType) and of.name.text == "Player"
            return f"{type_words(of, labels, declared)}, or {'nobody' if nobody else 'nothing'}"
        case nodes.NamedType():
            return ""
        case _:
            assert_never(type_)


FAR = 100


def enum_members(declared: Declarations, enum: str) -> list[str]:
    """The members of an enum, with those of others that it takes in."""
    found: list[str] = []
    for member in declared.enums[enum].node.members:
        name = member.name.text
        found += enum_members(declared, name) if name in declared.enums and name != enum else [name]
    return found


# ---- Patterns ------------------------------------------------------------------------------------


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
            return f"{number.value} or fewer"
        case _:
            assert_never(pattern)
