"""The decisions of a game go in; the same game comes out, replayed by the reference with all that players observe.

States play on the fast engine, which records nothing. So what somebody knows is found out by a replay once it is asked
for, and kept; the texts are equal for two states if the player cannot tell them apart.
"""

from collections.abc import Sequence

from attrs import frozen

from interpreter.machine import Machine
from interpreter.research.course import Course, new_course
from interpreter.views import Information, View


@frozen
class Replay:
    """A game as after so many decisions."""

    course: Course
    decisions: int


def begin_replay(
    machine: Machine, seed: int | None, first: int | None, before: tuple[int, ...]
) -> Replay:
    """A new game, up to the decisions that were made before the seed counted."""
    course = new_course(machine, None if before else seed, first, watched=True)
    for number in before:
        course.step(number)
    if before and seed is not None:
        course.state.rng = seed
    return Replay(course, len(before))


def continue_replay(replay: Replay, history: Sequence[int]) -> Replay:
    """The same game after all decisions of a history; the given one stays as it is."""
    if replay.decisions == len(history):
        return replay
    course = replay.course.clone()
    for number in history[replay.decisions :]:
        course.step(number)
    return Replay(course, len(history))


def information_text(found: Information, chosen: Sequence[int]) -> str:
    """All that a player knows; `chosen` are the elements of a set that the player has chosen so far."""
    asked = None if found.question is None else found.question.origin.span.start
    mine = () if asked is None else chosen
    return repr((found.player, found.first, found.log, asked, mine))


def view_text(found: View) -> str:
    """What a screen shows, without what is only told in words."""
    zones = [(zone.name, [card.text for card in zone.cards]) for zone in found.zones if zone.cards]
    variables = [(each.name, each.text) for each in found.variables]
    asked = None if found.question is None else found.question.prompt
    return repr((found.player, found.phase, found.first, asked, zones, variables))
