"""A state at a decision -> whether the game can still end. A game is called endless only if it cannot.

It tries every choice, state by state. If no new states appear and no state is an end, the game cannot end. If chance
is involved, or there are too many states, the answer is unknown: the game may just be long.
"""

from interpreter.errors import RuleFault
from interpreter.machine import Machine, apply
from interpreter.options import Decision
from interpreter.state import State

MOST_STATES = 2_000
MOST_TRIED = 20_000  # choices


def cannot_end(machine: Machine, state: State) -> bool:
    """Whether it is certain that no choice leads to the end of the game."""
    begin = state.clone()
    begin.watch = None
    seen = {_value(begin)}
    ahead, tried = [begin], 0
    while ahead:
        here = ahead.pop()
        if not isinstance(here.pending, Decision):
            return False
        for number in range(len(here.pending.options)):
            tried += 1
            after = here.clone()
            try:
                apply(machine, after, number)
            except RuleFault:
                return False  # another mistake ends it after all
            if not isinstance(after.pending, Decision) or after.rng != here.rng:
                return False
            value = _value(after)
            if value not in seen:
                seen.add(value)
                ahead.append(after)
            if len(seen) > MOST_STATES or tried > MOST_TRIED:
                return False
    return True


def _value(state: State) -> object:
    """The state as a value, without the generator of chance."""
    *value, _rng = state.value()
    return tuple(value)
