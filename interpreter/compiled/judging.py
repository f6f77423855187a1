"""Whole random games by the reference, with the dice of the fast engines: where these cannot go on, it judges."""

from interpreter import chance
from interpreter.machine import Machine, apply, start
from interpreter.options import Decision
from interpreter.playthroughs import check_length
from interpreter.state import State


def play_by_reference(machine: Machine, seed: int, first: int | None = None) -> tuple[State, int]:
    """The end of the game that a fast engine plays with this seed, and how many decisions were made."""
    state, dice, count = start(machine, seed, first), chance.shares(seed), 0
    while isinstance(state.pending, Decision):
        check_length(count, state.pending)
        apply(machine, state, int(dice() * len(state.pending.options)))
        count += 1
    return state, count
