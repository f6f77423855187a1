"""A game in C from decision to decision: states that are copied whole, as search wants them.

>>> from interpreter.match import load
>>> try:
...     steps = build_stepping(load("sins.rules").machine(4))
... except Unsupported:
...     steps = None  # no compiler here, or something that is not written in C
>>> steps is None or steps.count(steps.start(seed=7)) == 4
True

A state is a piece of memory, which is changed by C alone. Where it cannot go on it is `Beyond` C: the rules have a
fault there, or they ask for more than C can do. The reference plays the same game, and knows.
"""

import ctypes
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from interpreter import chance
from interpreter.compiled.modules import places_by
from interpreter.compiled.support import Beyond
from interpreter.compiled.writing import Unsupported
from interpreter.errors import IllegalMove
from interpreter.machine import Machine, Result
from interpreter.native.building import build_library, fetch_library, find_compiler
from interpreter.native.memory import NUM, Memory, read_keys, read_numbers
from interpreter.native.programs import Written, write_native
from interpreter.state import State as Reference
from rulespec.core import tree

MOST_TOLD = 100  # options at once


class Stepping:
    """A table at which C takes one step after the other."""

    def __init__(self, machine: Machine, library: ctypes.CDLL, written: Written) -> None:
        self.machine, self.layout = machine, machine.layout
        self.players = machine.layout.players
        self._questions = written.questions
        self._memory = Memory(machine, library, written)
        self._State = _state_type(self._memory.size)
        self._Ranks = ctypes.c_int64 * (1 + len(machine.ranking) * (self.players + 1))
        state, number = ctypes.POINTER(self._State), ctypes.c_int64
        seed, numbers = ctypes.c_uint64, ctypes.c_void_p
        self._clear = _call(library.clear_state, None, state, seed, ctypes.c_int)
        self._start = _call(library.start_game, ctypes.c_int, state, seed, ctypes.c_int)
        self._ask_again = _call(library.ask_again, ctypes.c_int, state)
        self._go_on = _call(library.go_on, ctypes.c_int, state, number)
        self._play_on = _call(library.play_on, ctypes.c_int, state, seed, number)
        self._tell = _call(library.tell_options, number, state, number, numbers, number)
        self._rank = _call(library.rank_now, ctypes.c_int, state, numbers)
        # How many options there are, none when the game is over; and who is asked.
        self.count: Callable[[Any], int] = attrgetter("options")
        self.player: Callable[[Any], int] = attrgetter("asked")
        # An independent copy; what lies in a zone, and the values of all variables.
        self.clone: Callable[[Any], Any] = self._State.from_buffer_copy
        self.contents, self.variables = self._memory.contents, self._memory.variables

    # ---- Step by step ----------------------------------------------------------------------------

    def start(self, seed: int, first: int | None = None) -> Any:
        """A new game, run up to its first decision."""
        s = self._State()
        how = self._start(s, seed & chance.MASK, -1 if first is None else first)
        if how:
            raise Beyond
        return s

    def apply(self, s: Any, number: int) -> None:
        """Choose an option by its number and run on to the next decision."""
        how = self._go_on(s, number)
        if how < 0:
            raise IllegalMove(
                f"there is no option {number}: they are 0 to {s.options - 1}"
                if s.options
                else "the game is over"
            )
        if how:
            raise Beyond

    def options(self, s: Any) -> list[Any]:
        """The values of all options, as the reference has them."""
        of_sets, longest = self._questions[s.site].form == "list", self._memory.longest
        found: list[Any] = []
        while (left := s.options - len(found)) > 0:
            room = min(left, MOST_TOLD) * (1 + longest if of_sets else 1) + longest + 1
            told = (ctypes.c_int64 * room)()  # of its own: several bots may think at once
            end = self._tell(s, len(found), told, room)
            if end == len(found):
                raise Beyond
            count = end - len(found)
            found += _read_sets(told[:], count) if of_sets else read_numbers(told[:count])
        return found

    def asked(self, s: Any) -> tree.Choose | tree.Each:
        """The instruction that asks."""
        found: tree.Choose | tree.Each = self._questions[s.site].instruction
        return found

    def result(self, s: Any) -> Result:
        """Places, winners and scores, as the game stands."""
        ranks = self._Ranks()
        how = self._rank(s, ranks)
        if how:
            raise Beyond
        keys = read_keys(read_numbers(ranks[1:]), self.players)
        return Result(places_by(keys) or (1,) * self.players, keys, self.layout.code.ranking)

    def future(self, s: Any, seed: int) -> Any:
        """A copy in which chance follows from another seed."""
        new = self.clone(s)
        new.rng = seed & chance.MASK
        return new

    def playout(self, s: Any, seed: int, most: int) -> None:
        """Let everybody choose at random until the game is over, or so many choices later."""
        how = self._play_on(s, seed, most)
        if how:
            raise Beyond

    def from_reference(self, given: Reference) -> Any:
        """A state of the reference, without what was observed, run on to its decision."""
        s = self._State()
        self._clear(s, (given.rng or 0) & chance.MASK, given.first)
        self._memory.lay_out(s, given)
        how = self._ask_again(s) if given.stack else 0
        if how:
            raise Beyond
        return s


def _read_sets(told: list[int], count: int) -> list[tuple[int, ...] | None]:
    """Each after its size, which is -1 if one declines."""
    found: list[tuple[int, ...] | None] = []
    at = 0
    for _ in range(count):
        size = told[at]
        found.append(None if size < 0 else tuple(told[at + 1 : at + 1 + size]))
        at += 1 + max(size, 0)
    return found


def _state_type(size: int) -> Any:
    """The type of a state: what is read often has a name."""
    number = ctypes.c_int64
    head = [("options", number), ("asked", number), ("site", number), ("rng", ctypes.c_uint64)]
    rest = ctypes.c_char * (size - len(head) * NUM)
    return type("State", (ctypes.Structure,), {"_fields_": [*head, ("rest", rest)]})


def _call(function: Any, result: Any, *arguments: Any) -> Any:
    function.restype, function.argtypes = result, arguments
    return function


def build_stepping(machine: Machine) -> Stepping:
    """A game in C for a table, compiled now if it was not before; `Unsupported` says why there is none."""
    written = _written(machine)
    return Stepping(machine, build_library(written.text), written)


def fetch_stepping(machine: Machine) -> Stepping | None:
    """As `build_stepping`, if it was compiled before."""
    written = _written(machine)
    library = fetch_library(written.text)
    return None if library is None else Stepping(machine, library, written)


def _written(machine: Machine) -> Written:
    find_compiler()  # without one, nothing is written for nobody
    written = write_native(machine)
    if not written.steps:
        raise Unsupported("a trigger in which somebody is asked")
    return written
