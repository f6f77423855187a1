"""The words of a face -> the attributes that they may mean; and the type of a face that names its attributes.

Implements docs/language/8-expressions.md, "Face" and "Described". A word without a name means something that is
printed on the piece: so a card that is worth 2 is not the 2.
"""

import re
from collections.abc import Iterable, Mapping
from typing import assert_never

from rulespec import codes
from rulespec.checking.declarations import used_names
from rulespec.checking.scopes import Known, Scope, member_type, report
from rulespec.checking.wording import (
    as_written,
    describe_expression,
    describe_type,
    list_domain,
    list_names,
    written,
)
from rulespec.core.types import (
    BOOL,
    SEAT,
    Choice,
    Face,
    Number,
    Several,
    Type,
    Unknown,
    comparable,
    fit,
    present,
    related,
)
from rulespec.syntax import nodes

Word = (
    str | int | tuple[str, str | int]
)  # of a face: a kind, a member, a number; or an attribute with its value

IN_BRACES = re.compile(r"\{(\w+)\}")


def read_attributes(piece: nodes.Piece, types: Mapping[str, Type]) -> frozenset[str]:
    """The attributes of a row that a word without a name may mean.

    If several attributes match a word, ranged ones win, then those with a plain value, and last those that are
    computed, if the piece shows them.
    """
    shown = IN_BRACES.findall(piece.shown_as.value) if piece.shown_as is not None else []
    levels: dict[str, int] = {}
    for attribute in piece.attributes:
        name = attribute.name.text
        if isinstance(attribute, nodes.Ranged):
            levels[name] = 0
        elif not {each.text for each in used_names(attribute.value)} & levels.keys():
            levels[name] = 1
        else:
            levels[name] = 2 if name in shown else 3
    return frozenset(
        name
        for name, level in levels.items()
        if level < 3
        and not any(
            other < level and _share_words(types[name], types[each])
            for each, other in levels.items()
        )
    )


def _share_words(one: Type, other: Type) -> bool:
    match _plain(one), _plain(other):
        case (Number(), Number()):
            return True
        case Choice() as a, Choice() as b:
            return related(a, b)
        case _:
            return False


def _plain(type_: Type) -> Type:
    return present(type_.of if isinstance(type_, Several) else type_)


def unread_attribute(known: Known, kinds: Iterable[str], word: str | int) -> tuple[str, str] | None:
    """A kind, and its attribute that may have this value although a word without a name never means it."""
    for name, attribute in known.attributes.items():
        for kind, type_ in attribute.by_kind.items():
            if kind in kinds and kind not in attribute.read and may_have(type_, word):
                return kind, name
    return None


def may_have(type_: Type, word: str | int) -> bool:
    """Whether an attribute of this type may have this value."""
    match present(type_):
        case Unknown():
            return True
        case Choice(_, _, members):
            return word in members
        case Number(low, high):
            return isinstance(word, int) and low <= word <= high
        case _:
            return False


def named_face(known: Known, face: nodes.Face) -> str | None:
    """A hint for a face with a word that means an attribute only if the attribute is named."""
    for word in face.words:
        value = word.text if isinstance(word, nodes.Name) else word.value
        if value not in known.kinds and (found := unread_attribute(known, known.kinds, value)):
            kind, name = found
            return f"if its `{name}` is meant, write `{kind}({name} = {value})`"
    return None


# ---- Faces that name their attributes ------------------------------------------------------------


def described_type(scope: Scope, face: nodes.Described) -> Type:
    """`Card(suit = red, value = 3)`"""
    kind = face.kind.text
    own = {
        name: attribute.by_kind[kind]
        for name, attribute in scope.known.attributes.items()
        if kind in attribute.by_kind
    }
    for attribute in face.attributes:
        name, value = attribute.name.text, attribute.value
        if name not in own:
            hint = f"it has {list_names(own)}" if own else f"write `{kind}` alone"
            message = f"a {kind} has no `{name}`"
            report(scope, codes.NO_ATTRIBUTE, message, attribute.name.span, hint)
            continue
        found = SEAT if is_seat(scope, value) else type_of_written(scope.known, value)
        if found is None:
            message = f"a face names values as they are, but {written(value)} must be computed"
            hint = f"write a number or a member; for any value, select: `[{name} = {as_written(value)}]`"
            report(scope, codes.WRONG_TYPE, message, value.span, hint)
        elif not comparable(own[name], found):
            message = (
                f"`{name}` is {describe_type(own[name])}, but {describe_expression(value, found)}"
            )
            report(scope, codes.WRONG_INDEX, message, value.span)
        elif fit(found, own[name]) != "fits":
            message = (
                f"no {kind} has {written(value)} as `{name}`, which is {list_domain(own[name])}"
            )
            report(scope, codes.WRONG_INDEX, message, value.span)
    return Face(frozenset({kind}) & scope.known.kinds or scope.known.kinds)


def is_seat(scope: Scope, value: nodes.Expr) -> bool:
    """Whether a player of the example is written out."""
    return isinstance(value, nodes.Name) and value.text in scope.seats


def type_of_written(known: Known, value: nodes.Expr) -> Type | None:
    """The type of a literal value; `None` for any other expression."""
    match written_value(value):
        case bool():
            return BOOL
        case int(number):
            return Number(number, number)
        case str(text) if text in known.owners:
            return member_type(known, text)
        case _:
            return None


def described_words(face: nodes.Described) -> tuple[Word, ...]:
    """The kind, and the attributes with their values."""
    return (
        face.kind.text,
        *((each.name.text, written_value(each.value)) for each in face.attributes),
    )


def written_value(value: nodes.Expr) -> str | int:
    """A literal value: a number, a member by its name, `yes` or `no`."""
    match value:
        case nodes.Number(number):
            return number
        case nodes.Negative(nodes.Number(number)):
            return -number
        case nodes.Constant("yes" | "no" as word):
            return word == "yes"
        case nodes.Name(text):
            return text
        case _ if isinstance(value, nodes.OfAKind):
            return ""  # reported already
        case _:
            assert_never(value)
