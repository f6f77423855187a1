"""The decisions of a game -> the same game, replayed on the reference with everything that the players observe.

States advance on the fast engine, which records no observations. So the first question about a player's knowledge
replays the game, and the replay is kept. The texts are equal for two states if the player cannot tell them apart.
"""

from collections.abc import Sequence

from attrs import frozen

from interpreter.machine import Machine
from interpreter.research.course import Course, new_course
from interpreter.views import Information, View


@frozen
class Replay:
    """A game after a number of decisions."""

    course: Course
    decisions: int


def begin_replay(
    machine: Machine, seed: int | None, first: int | None, before: tuple[int, ...]
) -> Replay:
    """A new game, after the decisions that were made before the seed took effect."""
    course = new_course(machine, None if before else seed, first, watched=True)
    for number in before:
        course.step(number)
    if before and seed is not None:
        course.state.rng = seed
    return Replay(course, len(before))


def continue_replay(replay: Replay, history: Sequence[int]) -> Replay:
    """The same game after all decisions of a history; the given replay is not changed."""
    if replay.decisions == len(history):
        return replay
    course = replay.course.clone()
    for number in history[replay.decisions :]:
        course.step(number)
    return Replay(course, len(history))


def information_text(found: Information, chosen: Sequence[int]) -> str:
    """All that a player knows, as text; `chosen` are the elements that the player has chosen for a set so far."""
    asked = None if found.question is None else found.question.origin.span.start
    mine = () if asked is None else chosen
    return repr((found.player, found.first, found.log, asked, mine))


def view_text(found: View) -> str:
    """What a screen shows, as text, without what the game only tells in words."""
    zones = [(zone.name, [card.text for card in zone.cards]) for zone in found.zones if zone.cards]
    variables = [(each.name, each.text) for each in found.variables]
    asked = None if found.question is None else found.question.prompt
    return repr((found.player, found.phase, found.first, asked, zones, variables))
