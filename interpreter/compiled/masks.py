"""Sets of pieces as masks: bit n is piece n. What generated code does with them beside `&`, `|` and `^`."""

from collections.abc import Callable, Iterable, Sequence
from operator import getitem
from typing import Any

from interpreter.compiled.places import MOST_IN_BYTES


def bits(m: int) -> tuple[int, ...]:
    """The pieces of a mask, in the order of their numbers.

    >>> bits(0b1011)
    (0, 1, 3)
    """
    if m.bit_count() > FEW:
        return tuple(piled(m)) if m.bit_length() <= MOST_IN_BYTES else _many_bits(m)
    found = []
    while m:
        low = m & -m
        found.append(low.bit_length() - 1)
        m ^= low
    return tuple(found)


FEW = 3  # bits that are found one by one
# Of every byte of a mask, by its value, the pieces that it stands for.
_PIECES = [
    [bytes(base + n for n in range(8) if byte >> n & 1) for byte in range(256)]
    for base in range(0, MOST_IN_BYTES, 8)
]


# Piles of no piece, and of each alone.
BYTE = (b"", *(bytes((c,)) for c in range(MOST_IN_BYTES)))


def piled(m: int) -> bytes:
    """The pieces of a mask as a pile, in the order of their numbers.

    >>> list(piled(0b1011))
    [0, 1, 3]
    """
    if not m & (m - 1):
        return BYTE[m.bit_length()]
    data = m.to_bytes((m.bit_length() + 7) >> 3, "little")
    return b"".join(map(getitem, _PIECES, data))


class LaidOut(dict[int, Any]):
    """Piles that were made of masks, so that they need not be made again."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, m: int) -> Any:
        found = self.make(m)
        if len(self) < MOST_PRESENT:
            self[m] = found
        return found


def _many_bits(m: int) -> tuple[int, ...]:
    """As `bits`, for more pieces than a byte has values."""
    return tuple([n for n, bit in enumerate(reversed(f"{m:b}")) if bit == "1"])


MOST_PRESENT = 20_000


class Present(dict[int, tuple[Any, ...]]):
    """By the runs of pieces with the same value of which there is one: these values, in order."""

    def __init__(self, table: tuple[tuple[Any, int], ...]) -> None:
        super().__init__()
        self.table = table

    def __missing__(self, runs: int) -> tuple[Any, ...]:
        found = present(self.table, runs)
        if len(self) < MOST_PRESENT:
            self[runs] = found
        return found


class Having(dict[Any, int]):
    """Of every value of an attribute the pieces that have it; of others there are none."""

    def __missing__(self, v: Any) -> int:
        return 0


class Union(dict[tuple[Any, ...], int]):
    """By some values all pieces that have one of them."""

    def __init__(self, masks: Any) -> None:
        super().__init__()
        self.masks = dict(masks if isinstance(masks, dict) else enumerate(masks))

    def __missing__(self, values: tuple[Any, ...]) -> int:
        found = 0
        for v in values:
            found |= self.masks.get(v, 0)
        if len(self) < MOST_PRESENT:
            self[values] = found
        return found


def present(table: tuple[tuple[Any, int], ...], m: int) -> tuple[Any, ...]:
    """The values that some piece of a mask has."""
    return tuple([v for v, having in table if having & m])


BITS = tuple(1 << c for c in range(MOST_IN_BYTES))


def mask(pieces: Iterable[int]) -> int:
    """Pieces as a mask."""
    m = 0
    for c in pieces:
        m |= BITS[c] if c < MOST_IN_BYTES else 1 << c
    return m


class First(dict[int, int]):
    """Of a pool its first piece: looked up if it is alone there, as pieces most often are that are looked at."""

    def __init__(self, pieces: int) -> None:
        super().__init__({1 << c: c for c in range(pieces)})

    def __missing__(self, m: int) -> int | None:
        return (m & -m).bit_length() - 1 if m else None


def nth(m: int, n: int) -> int | None:
    """The piece with this number among those of a mask; behind the last one, none."""
    while n and m:
        m &= m - 1
        n -= 1
    return (m & -m).bit_length() - 1 if m else None


def first_bits(m: int, count: int) -> int:
    """So many of the first pieces of a mask, as a mask."""
    rest = m.bit_count() - count
    if rest < count:
        while rest > 0:
            m ^= 1 << (m.bit_length() - 1)
            rest -= 1
        return m
    found = 0
    while m and count > 0:
        low = m & -m
        found |= low
        m ^= low
        count -= 1
    return found


def has(m: int, c: int | None) -> bool:
    return c is not None and m >> c & 1 == 1


def first_alike(m: int, copies: int, alike: Sequence[int]) -> int:
    """A pool without the pieces that look like an earlier one of it; `copies` are all that have a like."""
    rest = m & copies
    if not rest & (rest - 1):
        return m
    m ^= rest
    while rest:
        low = rest & -rest
        m |= low
        rest &= ~alike[low.bit_length() - 1]
    return m
