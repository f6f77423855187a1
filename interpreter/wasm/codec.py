"""The bytes of a state -> values in the form of the reference, and back."""

from collections.abc import Iterator
from struct import pack_into, unpack_from
from typing import Any

from attrs import define, field

from interpreter.flat import Block
from interpreter.layout import index_values
from interpreter.machine import Machine
from interpreter.wasm.frames import Frame, number_statements
from interpreter.wasm.memory import CHUNK, NONE, capacity, form_of, list_size, size_of_type
from interpreter.wasm.programs import WrittenModule
from rulespec.core.tree import Statement
from rulespec.core.types import Bool, Indexed, Place, Several, Type, present


class TooLarge(Exception):  # noqa: N818 - the reference has room for it
    """A value is too large for a state of this engine."""


@define
class Codec:
    """Reads and writes values of a table in the bytes of a state."""

    machine: Machine
    written: WrittenModule
    # For each block: the position of each instruction by `id`, and the statements by number.
    places: dict[str, dict[int, int]] = field(factory=dict)
    statements: dict[str, list[Statement]] = field(factory=dict)

    @property
    def layout(self) -> Any:
        return self.machine.layout

    @property
    def blocks(self) -> dict[str, Block]:
        return self.machine.layout.code.blocks

    def blank(self, name: str) -> list[Any]:
        """The slots of a block at entry."""
        context = self.machine.context
        return context.blanks[context.blocks[name]]

    def read(self, at: int, content: Any, type_: Type | None, form: str) -> Any:
        """A value of a type, at an offset of a state."""
        match form:
            case "number":
                (number,) = unpack_from("<q", content, at)
                return self.one(number, type_)
            case "small":
                (word,) = unpack_from("<q", content, at)
                return None if word == NONE else self.members(set_bits(word), type_)
            case "list":
                found = read_list(content, at)
                return None if found is None else self.members(found, type_)
            case "sets":
                return read_sets(content, at)
            case "indexed":
                return self.read_indexed(at, content, type_)
        raise AssertionError(form)

    def one(self, number: int, type_: Type | None) -> Any:
        if number == NONE:
            return None
        of = None if type_ is None else present(type_)
        if isinstance(of, Bool):
            return bool(number)
        if isinstance(of, Place) and of.indices:
            count = 1
            for index in of.indices:
                count *= len(index_values(self.layout, index))
            return tuple(range(number, number + count))
        return number

    def members(self, found: Any, type_: Type | None) -> tuple[Any, ...]:
        is_bool = isinstance(type_, Several) and isinstance(type_.of, Bool)
        return tuple(map(bool, found)) if is_bool else tuple(found)

    def read_indexed(self, at: int, content: Any, type_: Type | None) -> Any:
        if not isinstance(type_, Indexed) or not unpack_from("<q", content, at)[0]:
            return None
        found = []
        step = 8 + size_of_type(type_.of, self.layout)
        for n, index in enumerate(index_values(self.layout, type_.indices[0])):
            here = at + 8 + n * step
            if unpack_from("<q", content, here)[0]:
                value = self.read(here + 8, content, type_.of, form_of(type_.of, self.layout))
                found.append((index, value))
        return tuple(sorted(found))

    def write(self, at: int, content: bytearray, type_: Type | None, form: str, value: Any) -> None:
        """Write a value of a type at an offset of a state."""
        match form:
            case "number":
                if isinstance(value, tuple):
                    value = value[0] if value else 0  # zones: the first
                pack_into("<q", content, at, NONE if value is None else int(value))
            case "small":
                pack_into(
                    "<q", content, at, NONE if value is None else sum(1 << int(v) for v in value)
                )
            case "list":
                write_list(content, at, value, capacity(type_, self.layout))
            case "sets":
                write_sets(content, at, value)
            case "indexed":
                self.write_indexed(at, content, type_, value)
            case _:
                raise AssertionError(form)

    def write_indexed(self, at: int, content: bytearray, type_: Type | None, value: Any) -> None:
        pack_into("<q", content, at, int(value is not None))
        if value is None or not isinstance(type_, Indexed):
            return
        step = 8 + size_of_type(type_.of, self.layout)
        indices = index_values(self.layout, type_.indices[0])
        for index, each in value:
            here = at + 8 + indices.index(index) * step
            pack_into("<q", content, here, 1)
            self.write(here + 8, content, type_.of, form_of(type_.of, self.layout), each)

    def place(self, block: Block, statement: Any) -> int:
        """Where a statement is in the flat code of its block."""
        if block.name not in self.places:
            self.places[block.name] = {id(each): n for n, each in enumerate(block.code)}
        return self.places[block.name][id(statement)]

    def statement(self, block: str, number: int) -> Any:
        """A statement of a block by its number."""
        if block not in self.statements:
            self.statements[block] = [*number_statements(self.blocks[block].body)]
        return self.statements[block][number]

    def frame(self, name: str) -> Frame:
        return self.written.frames[name]


def set_bits(number: int) -> Iterator[int]:
    n = 0
    number &= (1 << 64) - 1
    while number:
        if number & 1:
            yield n
        number >>= 1
        n += 1


def read_list(content: Any, at: int) -> tuple[int, ...] | None:
    (count,) = unpack_from("<i", content, at)
    return None if count < 0 else unpack_from(f"<{count}i", content, at + 4)


def write_list(content: bytearray, at: int, value: Any, most: int) -> None:
    if value is None:
        pack_into("<i", content, at, -1)
        return
    if 4 + 4 * len(value) > list_size(most):
        raise TooLarge
    pack_into(f"<{1 + len(value)}i", content, at, len(value), *map(int, value))


def read_sets(content: Any, at: int) -> Any:
    count, stride = unpack_from("<2i", content, at)
    if count < 0:
        return None
    return tuple(read_list(content, at + 8 + n * stride) for n in range(count))


def write_sets(content: bytearray, at: int, value: Any) -> None:
    if value is None:
        pack_into("<2i", content, at, -1, 8)
        return
    stride = 4 + 4 * max([0, *map(len, value)])
    if 8 + stride * len(value) > CHUNK:
        raise TooLarge
    pack_into("<2i", content, at, len(value), stride)
    for n, each in enumerate(value):
        pack_into(f"<{1 + len(each)}i", content, at + 8 + n * stride, len(each), *each)
