"""Events that are headings -> which heading stands below which, and their numbers.

The nesting follows from their order: if a heading of the same statement is open, the new one replaces it and closes
all below it; any other heading stands below the last one.
"""

from collections.abc import Sequence

from attrs import frozen

from interpreter.display_names import Listener
from interpreter.event_log import Event, Filled
from interpreter.hearing import Heard, hear
from interpreter.phrasing import phrase
from rulespec.core.tree import Origin


@frozen
class Heading:
    """A round, a turn, a trick; the outermost have level 0."""

    text: str
    level: int
    origin: Origin
    at: int


@frozen
class HeadingPosition:
    """Where a heading stands: its level, and its number among the headings of its kind below the same parent."""

    level: int
    number: int


def place_headings(events: Sequence[Event]) -> dict[int, HeadingPosition]:
    """The position of each event that is a heading."""
    found: dict[int, HeadingPosition] = {}
    stack: list[int] = []  # statements whose headings are open
    counts: list[dict[int, int]] = [{}]  # how often each was seen below each open one
    for index, event in enumerate(events):
        if event.kind != "heading":
            continue
        name = id(event.origin)
        if name in stack:
            level = stack.index(name)
            del stack[level:]
            del counts[level + 1 :]
        level = len(stack)
        stack.append(name)
        counts[level][name] = counts[level].get(name, 0) + 1
        counts.append({})
        found[index] = HeadingPosition(level, counts[level][name])
    return found


def open_headings(to: Listener, events: Sequence[Event]) -> list[Heading]:
    """The headings that are open at the end, as far as the listener hears of them, the outermost first."""
    last = {}  # by level
    for index, place in place_headings(events).items():
        last[place.level] = index, place
        last = {level: each for level, each in last.items() if level <= place.level}
    return [
        tell_heading(to, each, place)
        for index, place in last.values()
        for each in hear(to, events, {}, index, index + 1)
    ]


def tell_heading(to: Listener, heard: Heard, place: HeadingPosition) -> Heading:
    """A heading in words; `#` is its number."""
    parts: Sequence[str | Filled] = heard.event.data[0]
    number = str(place.number)
    numbered = [part.replace("#", number) if isinstance(part, str) else part for part in parts]
    text = phrase(to, numbered).removesuffix(".")
    return Heading(text, place.level, heard.event.origin, heard.index)
