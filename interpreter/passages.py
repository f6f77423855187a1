"""What a listener hears -> passages: what was heard from one decision up to the next, equal steps together.

A story tells each passage in a line or two. A passage begins with an answer and ends before the next answer of another
player, or of the same player after something has happened.
"""

from collections.abc import Iterable
from typing import Any

from attrs import define, field

from interpreter.display_names import Listener
from interpreter.hearing import Heard
from interpreter.layout import Layout
from interpreter.value_changes import tell_changes
from interpreter.verbs import family_of
from rulespec.core.types import Seat, present

# What a player notices at the table; the rest is only written down.
EFFECTS = frozenset(("move", "show", "top", "announce", "tell", "random"))
_LOOPED = frozenset(("move", "show", "set", "note", "shuffle"))


@define
class StepGroup:
    """Steps that are told together because they have the same key."""

    key: tuple[Any, ...]
    heard: list[Heard]


@define
class Passage:
    """What was heard since a decision, and who decided; before the first decision, nobody."""

    actor: int | None
    heard: list[Heard] = field(factory=list)


def part(to: Listener, heard: Iterable[Heard]) -> list[Passage]:
    """What was heard, split at decisions and headings."""
    passages = [Passage(None)]
    for each in heard:
        if each.event.kind == "heading":
            passages += [Passage(None, [each]), Passage(None)]
            continue
        if each.event.kind == "chose" and not _goes_on(to, passages[-1], each):
            passages.append(Passage(each.event.data[0]))
        passages[-1].heard.append(each)
    found: list[Passage] = []
    for passage in passages:
        if found and _is_told_later(to, found[-1], passage):
            found[-1].heard += passage.heard
        elif passage.heard:
            found.append(passage)
    return found


def _is_told_later(to: Listener, before: Passage, passage: Passage) -> bool:
    """Whether the same rule tells, after another answer, what a player did before that answer."""
    told = {each.event.origin.rule for each in passage.heard if each.event.kind == "tell"}
    effects = [each.event for each in before.heard if _is_effect(to, each)]
    is_same = before.actor is not None and before.actor == passage.actor
    done = all(event.kind != "tell" and event.origin.rule in told for event in effects)
    return is_same and bool(effects) and done


def _goes_on(to: Listener, passage: Passage, answer: Heard) -> bool:
    """Whether an answer belongs to what was answered before."""
    since = [each for each in passage.heard if _is_effect(to, each)]
    asked = [each for each in passage.heard if each.event.kind == "chose"]
    if not asked:
        return False
    is_same = asked[-1].prompt == answer.prompt
    if passage.actor != answer.event.data[0]:
        # Several players have chosen in secret, and at the same time.
        return is_same and not since and _is_sealed(asked[-1]) and _is_sealed(answer)
    if not since:
        # Declining has no consequences.
        return asked[-1].event.data[1] is not None and asked[-1].event.data[1] is not False
    # The same question again and again, and each time the same move.
    ways = {_key(to.layout, each) for each in since}
    return is_same and len(ways) == 1 and since[0].event.kind == "move"


def _is_effect(to: Listener, each: Heard) -> bool:
    """Whether players notice it at the table; a change of turn is noticed but not told."""
    if each.event.kind == "set":
        return isinstance(present(each.event.data[2]), Seat) or bool(tell_changes(to, [each]))
    return each.event.kind in EFFECTS


def _is_sealed(answer: Heard) -> bool:
    """Whether only the chooser, or everybody else, was told of a choice."""
    event = answer.event
    others = event.told & ~(1 << event.data[0])
    return event.data[1] is not None and (not others or others == event.told)


def group_steps(layout: Layout, heard: Iterable[Heard]) -> list[StepGroup]:
    """Group equal steps, even if others come between them: a loop may deal and show alternately."""
    clauses: list[StepGroup] = []
    for each in heard:
        key = _key(layout, each)
        before = clauses[-1] if clauses else None
        if key[0] == "set" and before is not None:
            if before.key[0] == "random" and before.heard[0].event.data[0] == each.event.data[1]:
                before.key = ("note", *before.key)  # the variable tells it
            elif _is_given(layout, _last_answers(clauses), each):
                key = ("note", *key)  # the answer has told it
        # All answers between them answer the same question.
        steps = [clause for clause in clauses if clause.key[0] != "chose"][-2:]
        near = [clause for clause in steps if clause.key == key]
        if near and (near[-1] is steps[-1] or steps[-1].key[0] in _LOOPED):
            near[-1].heard.append(each)
        else:
            clauses.append(StepGroup(key, [each]))
    # Answers come before what they have led to.
    return sorted(clauses, key=lambda clause: clause.heard[-1].index)


def _key(layout: Layout, each: Heard) -> tuple[Any, ...]:
    kind, data = each.event.kind, each.event.data
    match kind:
        case "move":
            return kind, family_of(layout, data[1]), family_of(layout, data[3]), data[4] == "bottom"
        case "show":
            return kind, len(data[2]) == layout.players
        case "set":
            return kind, layout.variables[data[0]][0].name
        case "shuffle":
            return kind, data[0]
    return kind, each.index


def _last_answers(clauses: list[StepGroup]) -> list[Heard]:
    """The answers that had no consequence but an assignment."""
    found: list[Heard] = []
    for clause in reversed(clauses):
        if clause.key[0] == "chose":
            found += clause.heard
        elif clause.key[0] != "note":
            break
    return found


def _is_given(layout: Layout, answers: list[Heard], each: Heard) -> bool:
    """Whether a variable gets the value that was just chosen; a variable of a player, the choice of that player."""
    variable, value, _ = each.event.data
    row, indices = layout.variables[variable]
    seats = [index for index, of in zip(indices, row.indices, strict=True) if isinstance(of, Seat)]
    return any(
        answer.event.data[1] == value and answer.event.data[0] in (seats or (answer.event.data[0],))
        for answer in answers
    )
