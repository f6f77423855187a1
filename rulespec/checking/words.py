"""The words that players read -> diagnostics for names under `called`, and for verbs that cannot agree with a player.

A name under `called` must be declared. Two zones, or two variables, must not have the same words, because players know
them by these words. A verb after a player must be in the third person, so that it can be changed to agree.
"""

import re
from collections.abc import Iterator

from rulespec import codes
from rulespec.checking.declarations import Declarations, attribute_names, member_names, output_names
from rulespec.checking.suggestions import unknown
from rulespec.diagnostics import Diagnostic, Related
from rulespec.english import SUBJECT, they, third, words
from rulespec.syntax import nodes


def check_words(program: Declarations) -> Iterator[Diagnostic]:
    """Report unknown and equal names under `called`."""
    known = _known(program)
    for name, declared in program.called.items():
        if name not in known and name not in program.slots:
            yield unknown("", declared.node.names[0], known)
    yield from _called_alike(program)


def _known(program: Declarations) -> list[str]:
    """The names that may stand under `called`."""
    tables = (
        *(program.enums, program.options, program.kinds, program.zones, program.variables),
        program.routines,
    )
    params = [
        param.name.text
        for routine in program.routines.values()
        for version in routine.versions
        for param in version.node.params
    ]
    named = [name for table in tables for name in table]
    return [
        *named,
        *params,
        *attribute_names(program),
        *member_names(program),
        *output_names(program),
    ]


def _called_alike(program: Declarations) -> Iterator[Diagnostic]:
    """Report zones, and variables, with the same words, which players could not tell apart."""
    for what, table in (("zones", program.zones), ("variables", program.variables)):
        first: dict[str, str] = {}
        for name in table:
            text = _words(program, name)
            other = first.setdefault(text.casefold(), name) if text is not None else name
            if other == name or not {name, other} & program.called.keys():
                continue
            here, there = (name, other) if name in program.called else (other, name)
            place = program.called[here].node
            related = tuple(
                Related("the other one", program.called[each].node.span)
                for each in (there,)
                if each in program.called
            )
            message = f"the {what} `{other}` and `{name}` are both called “{text}”"
            hint = f"call one of them something else, or write `{here} untold`"
            yield Diagnostic(codes.CALLED_ALIKE, message, place.span, related, hint)


def _words(program: Declarations, name: str) -> str | None:
    declared = program.called.get(name)
    if declared is None:
        return words(name)
    called = declared.node.words
    return called.one.value if isinstance(called, nodes.Words) else None


def check_verb(text: nodes.Told, place: int) -> Diagnostic | None:
    """A warning about the verb after a player in a hole of a sentence, if it cannot agree."""
    between = re.split(r"\{[^{}]*\}", text.value)
    before = "{}".join(between[: place + 1])
    found = re.match(r" ([a-z]+(?:'t)?)\b", between[place + 1])
    if not SUBJECT.search(before) or found is None or they(found[1]) is not None:
        return None
    hole = text.holes[place].span
    message = f"`{found[1]}` cannot agree with the player before it"
    hint = f"write `{third(found[1])}`: the player reads “you {found[1]}”"
    return Diagnostic(codes.WRONG_VERB, message, hole, hint=hint, severity="warning")
