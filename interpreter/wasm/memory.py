"""A table -> the addresses of everything in the memory of its module: constant data, work space, parts of a state.

From the bottom: the arena for temporary lists, which grows down, so that a game that needs too much runs out of memory
and traps; then data and cells at addresses that are known at compile time; then states.
"""

from collections.abc import Iterable, Sequence
from struct import pack
from typing import Any

from attrs import define, field

from interpreter.layout import Layout, index_values
from rulespec.core.types import (
    Bool,
    Choice,
    Indexed,
    Number,
    Piece,
    Place,
    Seat,
    Several,
    Type,
    element,
    present,
)
from rulespec.limits import LARGEST_SET

NONE = -(1 << 63)  # the value of `none`, in numbers and in small sets
ACTION = 1 << 62  # in lists of options, added to an option of another type than the rest
SMALLEST_LIST = 4
MOST_SMALL = 63  # members of a small set are below; the highest bit is for `none`
MOST_TOLD = 256  # options that are listed with each step
TERMINAL = -4  # in place of a player after the end, as in OpenSpiel
ARENA = 1 << 20  # bytes in which sets are made
CHUNK = 16 * 1024  # bytes that a loop over a listed family may store
MOST_IN_BYTES = 256  # pieces whose numbers fit into bytes


@define
class Memory:
    """Allocates the addresses of a module."""

    top: int = ARENA
    data: list[tuple[int, bytes]] = field(factory=list)
    _found: dict[bytes, int] = field(factory=dict)

    def room(self, size: int, align: int = 16) -> int:
        """An address for so many bytes, which are zero at first."""
        at = _up(self.top, align)
        self.top = at + size
        return at

    def keep(self, content: bytes, align: int = 8) -> int:
        """The address of data; equal data are kept once."""
        if content not in self._found:
            at = self._found[content] = self.room(len(content), align)
            self.data.append((at, content))
        return self._found[content]

    def list_at(self, values: Sequence[Any]) -> int:
        return self.keep(pack(f"<{1 + len(values)}i", len(values), *map(int, values)))

    def lists_at(self, lists: Iterable[Sequence[int]], size: int) -> int:
        """Lists one after the other, each with room for `size` bytes."""
        return self.keep(
            b"".join(pack(f"<{1 + len(x)}i", len(x), *x).ljust(size, b"\0") for x in lists)
        )

    def numbers_at(self, values: Iterable[Any]) -> int:
        numbers = [NONE if x is None else int(x) for x in values]
        return self.keep(pack(f"<{len(numbers)}q", *numbers))

    def masks_at(self, values: Iterable[int], words: int) -> int:
        return self.keep(b"".join(x.to_bytes(8 * words, "little") for x in values), 16)


def _up(n: int, align: int) -> int:
    return -(-n // align) * align


# ---- Forms ---------------------------------------------------------------------------------------


def form_of(type_: Type | None, layout: Layout) -> str:
    """The form in which a value of a type is stored: `number`, `small`, `list`, `indexed`, or `sets` (a set of sets)."""
    match type_:
        case Several(of):
            if isinstance(of, Several):
                return "sets"
            return "small" if is_small_type(of, layout) else "list"
        case Indexed():
            return "indexed"
    return "number"


def is_small_type(of: Type, layout: Layout) -> bool:
    """Whether a set of such values is always in the order of its numbers, which are small."""
    match of:
        case Choice(enum):
            members = layout.enums[enum]
            return layout.ranks.get(enum) is None and all(m < MOST_SMALL for m in members)
        case Number(low, high):
            return low >= 0 and high < MOST_SMALL
        case Bool():
            return True
    return False


def capacity(type_: Type | None, layout: Layout) -> int:
    """How many elements a set of this type can have at most."""
    of = None if type_ is None else element(type_)
    match None if of is None else present(of):
        case Piece() | Place():
            return len(layout.pieces)
        case Seat():
            return layout.players
        case Choice(enum):
            return len(layout.enums[enum])
        case Bool():
            return 2
        case Number(low, high):
            return min(high - low + 1, LARGEST_SET)
        case Several() as inner:
            return capacity(inner, layout)
    return max(len(layout.pieces), layout.players, 64)


def list_size(most: int) -> int:
    """Bytes for a list of so many elements."""
    return _up(4 + 4 * max(SMALLEST_LIST, most), 8)


def size_of_type(type_: Type | None, layout: Layout) -> int:
    """Bytes that a value of a type takes in a state."""
    match form_of(type_, layout):
        case "list":
            return list_size(capacity(type_, layout))
        case "indexed" if isinstance(type_, Indexed):
            size = len(index_values(layout, type_.indices[0]))
            return 8 + size * (8 + size_of_type(type_.of, layout))
        case "sets":
            return CHUNK
    return 8


# ---- A state -------------------------------------------------------------------------------------

# The head of a state: the name of each field, and its type in memory.
HEAD = {
    "rng": "u64",  # the generator of the game
    "luck": "u64",  # the generator of those who choose at random
    "options": "i64",  # how many there are; none when the game is over
    "asked": "i64",  # who is asked
    "question": "i64",  # what is asked
    "phase": "i64",
    "first": "i64",
    "count": "i64",  # decisions so far
    "chosen": "i64",  # the number of an option, or -1
    "most": "i64",  # choices that are made at random before somebody is asked
    "running": "u64",  # triggers whose blocks have begun, or are about to
    "stage": "i64",  # of `play`, before it begins: see `game_runner.py`
    "due": "i64",
    "later": "i64",
    "told": "i32",  # where options are listed, if they are
}


@define
class StateLayout:
    """The offsets in a state: its head, zones, variables, and the frames of rules that wait."""

    words: int  # of a mask
    wide: bool  # pieces of a pile take two bytes each
    pile_size: int
    is_pool: tuple[bool, ...]
    fields: dict[str, tuple[int, str]] = field(factory=dict)
    zones: list[int] = field(factory=list)
    variables: dict[str, tuple[int, int]] = field(
        factory=dict
    )  # a family: where it begins, and the size of one
    frames: int = 0  # where they begin
    size: int = 0

    def room(self, size: int) -> int:
        at = self.size
        self.size = at + _up(size, 8)
        return at

    @property
    def pool_size(self) -> int:
        return 8 * self.words

    def zone_size(self, zone: int) -> int:
        return self.pool_size if self.is_pool[zone] else self.pile_size

    def end(self, frames: int) -> None:
        """Set the size of all frames, which come last."""
        self.size = _up(self.frames + frames, 16)


def lay_out_state(layout: Layout, words: int) -> StateLayout:
    """The offsets of everything in a state, up to its frames."""
    wide = len(layout.pieces) > MOST_IN_BYTES
    pile_size = _up(5 + (2 if wide else 1) * len(layout.pieces), 8)
    state = StateLayout(words, wide, pile_size, tuple(layout.is_pool))
    state.fields = {name: (8 * n, kind) for n, (name, kind) in enumerate(HEAD.items())}
    state.size = 8 * len(HEAD)
    state.zones = [state.room(state.zone_size(n)) for n in range(len(layout.zones))]
    for name, family in layout.variable_families.items():
        row = layout.variables[family.base][0] if family.size else None
        size = 8 if row is None else size_of_type(row.type, layout)
        state.variables[name] = state.room(size * max(1, family.size)), size
    state.frames = state.size
    return state
