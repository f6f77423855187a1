"""A choice that nobody else observes -> whether it could lead a player to what that player observes next."""

from typing import TypeAlias

from attrs import frozen

from interpreter.errors import RuleFault
from interpreter.event_log import Event
from interpreter.machine import Machine, apply
from interpreter.options import Decision, is_secret
from interpreter.state import OVER, State
from interpreter.views import Question, observed, question_of

MOST_SILENT = 4  # consecutive decisions of others that the player does not notice


@frozen
class Over:
    """Nothing more happens: the game is over."""


Step: TypeAlias = Question | Event | Over  # what a player observes next


def can_come(machine: Machine, waits: list[State], player: int, wanted: Step) -> bool:
    """Whether decisions of others that the player does not notice can make `wanted` the next observation."""
    return any(_leads_to(machine, state, player, wanted, MOST_SILENT) for state in waits)


def _leads_to(machine: Machine, s: State, player: int, wanted: Step, depth: int) -> bool:
    pending = s.pending
    if not isinstance(pending, Decision) or depth == 0:
        return False
    if is_secret(pending, player):  # its consequences must not show
        return False
    last = len(pending.options) - 1
    numbers = {0, last} if pending.simultaneous else {last} if pending.may else set()
    for number in sorted(numbers):
        ahead = s.clone()
        ahead.watch.events = []
        ahead.rng = 0 if ahead.rng is None else ahead.rng
        try:
            apply(machine, ahead, number)
        except RuleFault:
            continue
        if _comes_next(machine, ahead, player, wanted) or (
            not _told(ahead, player) and _leads_to(machine, ahead, player, wanted, depth - 1)
        ):
            return True
    return False


def _told(s: State, player: int) -> list[Event]:
    return [each for each in s.watch.events if each.told >> player & 1]


def _comes_next(machine: Machine, s: State, player: int, wanted: Step) -> bool:
    told = _told(s, player)
    match wanted:
        case Event():
            layout = machine.layout
            return bool(told) and observed(layout, told[0], player) == observed(
                layout, wanted, player
            )
        case Question():
            mine = isinstance(s.pending, Decision) and s.pending.player == player
            return not told and mine and question_of(machine, s.pending) == wanted
        case Over():
            return not told and s.phase == OVER
