"""What happened -> a story for one listener: headings, a line for each move, and beneath each line its events.

A line tells a move; the events are the details beneath it. A story tells nothing that the listener does not observe:
everything here is made from the output of `hearing`.

>>> from interpreter.game_loading import load
>>> match = load("sins.rules").start(["You", "Ben"], seed=7)
>>> match.apply(0)
>>> match.apply(0)
>>> print(write_story(tell_match(match, 0)[-1:]))
Ben takes two Avaritia into their reserve. Turned up: Ira and Luxuria.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, assert_never

from attrs import define, evolve, field

from interpreter.details import describe_event
from interpreter.display_names import MOST_PIECES, Listener
from interpreter.event_log import Event
from interpreter.headings import Heading, place_headings, tell_heading
from interpreter.hearing import Known, Questions, hear
from interpreter.lines import StoryLine, tell_passage
from interpreter.match import Match
from interpreter.passages import Passage, part

Entry: TypeAlias = Heading | StoryLine
MOST_LEVELS = 1000  # more than any story has


@define
class Memo:
    """What the same listener was told before: the heard events, and the lines of passages."""

    heard: Known = field(factory=dict)
    # It keeps the events too, so that no new object gets the `id` of one of them.
    lines: dict[tuple[Any, ...], tuple[list[Event], list[StoryLine]]] = field(factory=dict)


def tell_story(  # noqa: PLR0913 - a story, from where to where, and what is known of it
    to: Listener,
    events: Sequence[Event],
    questions: Questions,
    since: int = 0,
    until: int | None = None,
    *,
    memo: Memo | None = None,
) -> list[Entry]:
    """What happened from one event up to another; a heading under which nothing is told is left out.

    A caller that tells a growing story repeatedly passes a `memo` for the listener, which caches what was told.
    """
    memo = Memo() if memo is None else memo
    found: list[Entry] = []
    places = place_headings(events)
    actor, before = None, ""
    asked: list[str] = []
    for passage in part(to, hear(to, events, questions, since, until, memo.heard)):
        first = passage.heard[0]
        if first.event.kind == "heading":
            found.append(tell_heading(to, first, places[first.index]))
            actor, before, asked = None, "", []
            continue
        if passage.actor != actor:
            actor, before, asked = passage.actor, "", []
        lines = _tell(to, passage, before, asked, events, memo)
        found += lines
        before = lines[-1].text if lines else before
        asked = [each.prompt for each in passage.heard if each.event.kind == "chose"]
    return _with_something(found)


def _tell(  # noqa: PLR0913, PLR0917 - as `tell_passage`, with what is known
    to: Listener,
    passage: Passage,
    before: str,
    asked: list[str],
    events: Sequence[Event],
    memo: Memo,
) -> list[StoryLine]:
    found = [events[each.index] for each in passage.heard]
    heard = ((each.index, each.prompt, each.decline, each.is_free) for each in passage.heard)
    key = (passage.actor, before, *asked, *map(id, found), *heard)
    if key not in memo.lines:
        memo.lines[key] = found, tell_passage(to, passage, before, asked)
    return memo.lines[key][1]


def _with_something(items: Sequence[Entry]) -> list[Entry]:
    """The entries without empty headings."""
    found: list[Entry] = []
    filled = -1  # headings of this level or above it have something below them
    for item in reversed(items):
        match item:
            case StoryLine():
                filled = MOST_LEVELS
            case Heading(level=level):
                if level > filled:
                    continue
                filled = level - 1
            case _:
                assert_never(item)
        found.append(item)
    return found[::-1]


def tell_event(to: Listener, event: Event) -> str:
    """A single event in full detail; empty if the listener does not hear of it."""
    return "".join(describe_event(to, evolve(each, is_free=True)) for each in hear(to, [event], {}))


def is_told_by(item: Entry, index: int) -> bool:
    """Whether all of it happened before an event."""
    match item:
        case Heading(at=at):
            return at < index
        case StoryLine(until=until):
            return until <= index
        case _:
            assert_never(item)


# ---- Of a game -----------------------------------------------------------------------------------


def questions_of(match: Match) -> Questions:
    """What was asked, by the event with which the answer begins."""
    pairs = zip(match.marks, match.moments, strict=True)
    return {mark: moment.state.pending for mark, moment in pairs}


def tell_match(
    match: Match,
    player: int | None,
    since: int = 0,
    until: int | None = None,
    memo: Memo | None = None,
) -> list[Entry]:
    """The story of a game for a player, or for somebody who sees everything."""
    to = Listener(match.engine.layout, match.names, player, MOST_PIECES)
    return tell_story(to, match.events, questions_of(match), since, until, memo=memo)


def settled_until(match: Match, player: int | None) -> int:
    """The number of events whose story will not change any more.

    Answers without consequences so far may form one move with the next answer of the same player. They are settled
    when somebody else is asked, as far as the listener knows of it.
    """
    end = len(match.events)
    decision = match.decision
    to = Listener(match.engine.layout, match.names, player)
    if decision is None:
        return end
    for index in range(end - 1, -1, -1):
        event = match.events[index]
        if event.kind != "chose":
            if not to.sees(event.told) or event.kind in ("set", "shuffle"):
                continue
            break
        if to.hears(event.told, event.data[0]):
            is_open = decision.player == event.data[0] or player not in (None, decision.player)
            if not is_open:
                break
            end = index
    return end


# ---- As text -------------------------------------------------------------------------------------


def write_story(items: Sequence[Entry], *, unfolded: bool = False) -> str:
    """A story as text; unfolded with the events beneath each line."""
    return "\n".join(_rows(items, unfolded=unfolded))


def _rows(items: Sequence[Entry], *, unfolded: bool) -> Iterator[str]:
    indent = ""
    for item in items:
        match item:
            case Heading(text=text, level=level):
                indent = "  " * (level + 1)
                yield f"{indent[2:]}{text}"
            case StoryLine(text=text, details=details):
                yield f"{indent}{text}"
                if unfolded:
                    yield from (f"{indent}    {each.text}" for each in details)
            case _:
                assert_never(item)
