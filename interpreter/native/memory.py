"""Where everything lies in a state of C, and one of the reference laid out in it, place by place."""

import ctypes
import sys
from collections.abc import Sequence
from struct import pack_into, unpack_from
from typing import Any

from interpreter import chance
from interpreter.compiled.masks import bits, mask
from interpreter.machine import Keys, Machine
from interpreter.native import frames
from interpreter.native.frames import Member
from interpreter.native.programs import Written
from interpreter.native.scribe import form_of
from interpreter.state import AT, BLOCK, SLOTS, Frame
from interpreter.state import State as Reference
from rulespec.core import tree

NONE = -(1 << 63)
NUM = 8  # bytes of a number
HEAD = 7  # numbers of `places`, before those of variables


class Memory:
    """The places of a state, as the library tells them."""

    def __init__(self, machine: Machine, library: ctypes.CDLL, written: Written) -> None:
        self.layout = machine.layout
        count = len(self.layout.variables)
        count += sum(1 + len(frame.members) for frame in written.frames.values())
        places = list((ctypes.c_uint64 * (HEAD + count)).in_dll(library, "places"))
        self.size, self._mask, self._pile, size_of_list = places[:4]
        self._pools, self._piles, self._phase = places[4:HEAD]
        self._sizes = {"number": NUM, "list": size_of_list}
        self.longest = size_of_list // 4 - 1  # list that there is room for
        rest = iter(places[HEAD:])
        self._variables = [(next(rest), form_of(row.type)) for row, _ in self.layout.variables]
        self._frames = {
            name: (next(rest), [(next(rest), member) for member in frame.members])
            for name, frame in written.frames.items()
        }
        self._names = [block.name for block in machine.blocks]
        self._tables = {
            row: (block.name, number)
            for block in machine.blocks
            if isinstance(enter := block.code[0], tree.Enter) and block.name in written.frames
            for number, (_, row) in enumerate(enter.rows, start=1)
        }

    # ---- Reading ---------------------------------------------------------------------------------

    def contents(self, s: Any, zone: int) -> tuple[int, ...]:
        """The pieces in a zone, as the reference has them."""
        if self.layout.is_pool[zone]:
            at = self._pools + zone * self._mask
            return bits(
                int.from_bytes(memoryview(s).cast("B")[at : at + self._mask], sys.byteorder)
            )
        at = self._piles + zone * self._pile
        (count,) = unpack_from("i", s, at)
        return tuple(reversed(unpack_from(f"4x{count}B", s, at)))

    def variables(self, s: Any) -> list[Any]:
        """The values of all variables, as the reference has them."""
        return [_get(s, at, form) for at, form in self._variables]

    # ---- Writing ---------------------------------------------------------------------------------

    def lay_out(self, s: Any, given: Reference) -> None:
        """Everything of a state but its chance, which was cleared before."""
        pack_into("q", s, self._phase, given.phase)
        for z, pieces in enumerate(given.zones):
            if self.layout.is_pool[z]:
                self._put_mask(s, self._pools + z * self._mask, mask(pieces))
            else:
                form = f"i{len(pieces)}B"
                pack_into(form, s, self._piles + z * self._pile, len(pieces), *reversed(pieces))
        for (at, form), value in zip(self._variables, given.variables, strict=True):
            self._put(s, at, form, value)
        names = [self._names[f[BLOCK]] for f in given.stack]
        for number, (name, f) in enumerate(zip(names, given.stack, strict=True)):
            waits = f[AT] + 1 if number == len(names) - 1 else f[AT]
            self._put_frame(s, name, f, waits)
            if name in self._tables:  # its table goes on with it, and was given the same
                table, row = self._tables[name]
                self._put_frame(s, table, f, row)

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


def read_numbers(numbers: list[Any]) -> list[Any]:
    """Numbers as C gives them, with none for what is none."""
    return [None if each == NONE else each for each in numbers] if NONE in numbers else numbers


def read_keys(numbers: Sequence[Any], players: int) -> Keys:
    """The rows of a ranking: whether the most wins, and the keys of all players."""
    step = players + 1
    return tuple(
        (numbers[at] == 1, tuple(numbers[at + 1 : at + step]))
        for at in range(0, len(numbers), step)
    )


def _get(s: Any, at: int, form: str) -> Any:
    """A number or a list."""
    (value,) = unpack_from("i" if form == "list" else "q", s, at)
    if form == "list":
        return None if value < 0 else unpack_from(f"4x{value}i", s, at)
    return None if value == NONE else value
