"""A game in C from decision to decision: states that are copied whole, as search wants them.

>>> from interpreter.match import load
>>> try:
...     steps = build_stepping(load("sins.rules").machine(4))
... except Unsupported:
...     steps = None  # no compiler here, or something that is not written in C
>>> steps is None or steps.count(steps.start(seed=7)) == 4
True

A state is a piece of memory; C alone changes it. One of the reference is laid out in it, place by place.
"""

import ctypes
import sys
from collections.abc import Callable
from operator import attrgetter
from struct import pack_into, unpack_from
from typing import Any

from interpreter import chance
from interpreter.compiled.masks import bits, mask
from interpreter.compiled.modules import places_by
from interpreter.errors import IllegalMove, RuleFault
from interpreter.machine import Machine, Result
from interpreter.native import frames
from interpreter.native.building import build_library, fetch_library, find_compiler
from interpreter.native.frames import Member
from interpreter.native.programs import Written, write_native
from interpreter.native.scribe import form_of
from interpreter.native.writing import Unsupported
from interpreter.state import AT, BLOCK, SLOTS, Frame
from interpreter.state import State as Reference
from rulespec import codes
from rulespec.lowering import code as flat

NONE = -(1 << 63)
ROOM = 8192  # numbers that options are told in, at once
NUM = 8  # bytes of a number
FAULT = 1
HEAD = 7  # numbers of `places`, before those of variables


class Stepping:
    """A table at which C takes one step after the other."""

    def __init__(self, machine: Machine, library: ctypes.CDLL, written: Written) -> None:
        self.machine, self.layout = machine, machine.layout
        self.players = machine.layout.players
        self._questions = written.questions
        count = len(self.layout.variables) + sum(
            1 + len(f.members) for f in written.frames.values()
        )
        places = list((ctypes.c_uint64 * (HEAD + count)).in_dll(library, "places"))
        size, self._mask, self._pile, size_of_list = places[:4]
        self._pools, self._piles, self._phase = places[4:HEAD]
        rest = iter(places[HEAD:])
        self._variables = [(next(rest), form_of(row.type)) for row, _ in self.layout.variables]
        self._frames = {
            name: (next(rest), [(next(rest), member) for member in frame.members])
            for name, frame in written.frames.items()
        }
        self._names = [block.name for block in machine.blocks]
        self._first = machine.blocks[0].code[0]
        self._tables = {
            row: (block.name, number)
            for block in machine.blocks
            if isinstance(enter := block.code[0], flat.Enter) and block.name in written.frames
            for number, (_, row) in enumerate(enter.rows, start=1)
        }
        self._sizes = {"number": NUM, "list": size_of_list}
        self._State = _state_type(size)
        self._ranks = (ctypes.c_int64 * (1 + len(machine.ranking) * (self.players + 1)))()
        self._told = (ctypes.c_int64 * ROOM)()
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
        # An independent copy.
        self.clone: Callable[[Any], Any] = self._State.from_buffer_copy

    # ---- Step by step ----------------------------------------------------------------------------

    def start(self, seed: int, first: int | None = None) -> Any:
        """A new game, run up to its first decision."""
        s = self._State()
        how = self._start(s, seed & chance.MASK, -1 if first is None else first)
        if how:
            self._fail(s, how)
        return s

    def apply(self, s: Any, number: int) -> None:
        """Choose an option by its number and run on to the next decision."""
        how = self._go_on(s, number)
        if how:
            self._fail(s, how)

    def options(self, s: Any) -> list[Any]:
        """The values of all options, as the reference has them."""
        found: list[Any] = []
        while len(found) < s.options:
            end = self._tell(s, len(found), self._told, ROOM)
            if end == len(found):
                self._fail(s, FAULT)
            found += self._read(s, end - len(found))
        return found

    def _read(self, s: Any, count: int) -> list[Any]:
        """So many options that were told."""
        if self._questions[s.site].form != "list":
            return [None if v == NONE else v for v in self._told[:count]]
        told, found, at = self._told[:], [], 0
        for _ in range(count):
            size = told[at]
            found.append(None if size < 0 else tuple(told[at + 1 : at + 1 + size]))
            at += 1 + max(size, 0)
        return found

    def asked(self, s: Any) -> flat.Choose | flat.Each:
        """The instruction that asks."""
        found: flat.Choose | flat.Each = self._questions[s.site].instruction
        return found

    def contents(self, s: Any, zone: int) -> tuple[int, ...]:
        """The pieces in a zone, as the reference has them."""
        if self.layout.is_pool[zone]:
            at = self._pools + zone * self._mask
            return bits(int.from_bytes(bytes(s)[at : at + self._mask], sys.byteorder))
        at = self._piles + zone * self._pile
        (count,) = unpack_from("i", s, at)
        return tuple(reversed(unpack_from(f"4x{count}B", s, at)))

    def variables(self, s: Any) -> list[Any]:
        """The values of all variables, as the reference has them."""
        return [_get(s, at, form) for at, form in self._variables]

    def result(self, s: Any) -> Result:
        """Places, winners and scores, as the game stands."""
        how = self._rank(s, self._ranks)
        if how:
            self._fail(s, how)
        found: list[Any] = self._ranks[1:]
        if NONE in found:
            found = [None if each == NONE else each for each in found]
        step = self.players + 1
        keys = tuple(
            (found[at] == 1, tuple(found[at + 1 : at + step])) for at in range(0, len(found), step)
        )
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
            self._fail(s, how)

    def _fail(self, s: Any, how: int) -> None:
        """C knows that something is wrong, and where; what it is, the reference tells."""
        if how < 0:
            if not s.options:
                raise IllegalMove("the game is over")
            raise IllegalMove(f"there is no such option: they are 0 to {s.options - 1}")
        where = self._questions[s.site].instruction if self._questions else self._first
        raise RuleFault(codes.TOO_MANY_STEPS, "the rules cannot go on from here", where.origin.span)

    # ---- From the reference ----------------------------------------------------------------------

    def from_reference(self, given: Reference) -> Any:
        """A state of the reference, without what was observed, run on to its decision."""
        s = self._State()
        self._clear(s, (given.rng or 0) & chance.MASK, given.first)
        pack_into("q", s, self._phase, given.phase)
        for z, pieces in enumerate(given.zones):
            if self.layout.is_pool[z]:
                self._put_mask(s, self._pools + z * self._mask, mask(pieces))
            else:
                form = f"i{len(pieces)}B"
                pack_into(form, s, self._piles + z * self._pile, len(pieces), *reversed(pieces))
        for (at, form), value in zip(self._variables, given.variables, strict=True):
            self._put(s, at, form, value)
        if not given.stack:
            return s
        names = [self._names[f[BLOCK]] for f in given.stack]
        for number, (name, f) in enumerate(zip(names, given.stack, strict=True)):
            waits = f[AT] + 1 if number == len(names) - 1 else f[AT]
            self._put_frame(s, name, f, waits)
            if name in self._tables:  # its table goes on with it, and was given the same
                table, row = self._tables[name]
                self._put_frame(s, table, f, row)
        how = self._ask_again(s)
        if how:
            self._fail(s, how)
        return s

    def _put_frame(self, s: Any, name: str, f: Frame, waits: int) -> None:
        """What a rule keeps, and where it goes on."""
        at, members = self._frames[name]
        pack_into("q", s, at, waits)
        for place, member in members:
            self._put_member(s, place, member, f[SLOTS + member.slot])

    def _put_member(self, s: Any, at: int, member: Member, value: Any) -> None:
        form = member.form
        match member.keeps:
            case frames.REST if form == "mask":
                self._put_mask(s, at, mask(value or ()))
            case frames.PLACE:
                # Of a list that never changes the last ones are left; of another all that is kept.
                self._put(s, at, form, len(member.value or value or ()) - len(value or ()))
            case frames.MEMBERS:
                given = dict(value or ())
                for n, index in enumerate(member.value):
                    self._put(s, at + n * self._sizes[form], form, given.get(index))
            case frames.ASKED:
                waiting, chosen = value or ((), ())
                self._put(s, at, form, (*(p for p, _ in chosen), *waiting))
            case frames.ANSWERED:
                self._put(s, at, form, len(value[1]) if value else 0)
            case frames.ANSWERS:
                for n, (_, answer) in enumerate(value[1] if value else ()):
                    self._put(s, at + n * self._sizes[form], form, answer)
            case _:
                self._put(s, at, form, value)

    def _put(self, s: Any, at: int, form: str, value: Any) -> None:
        """A number or a list."""
        if form != "list":
            pack_into("q", s, at, NONE if value is None else value)
        elif value is None:
            pack_into("i", s, at, -1)
        else:
            pack_into(f"{1 + len(value)}i", s, at, len(value), *value)

    def _put_mask(self, s: Any, at: int, value: int) -> None:
        low, high = value & chance.MASK, value >> 64
        pack_into("Q" if self._mask == NUM else "QQ", s, at, *((low, high)[: self._mask // NUM]))


def _get(s: Any, at: int, form: str) -> Any:
    """A number or a list."""
    (value,) = unpack_from("i" if form == "list" else "q", s, at)
    if form == "list":
        return None if value < 0 else unpack_from(f"4x{value}i", s, at)
    return None if value == NONE else value


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
