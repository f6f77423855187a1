"""Sets of pieces as masks: a bit for each piece, in one or several words of 64 bits, the lowest word first.

A mask is a tuple with an expression for each word; these functions take masks and return masks, numbers or code. A
function that reads a word more than once requires it to be in a local (`Writer.let`), since an expression is computed
at every use.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.expressions import E, Local, as_i32, binary, const, get, select, unary
from interpreter.wasm.function_writer import Writer

Lanes: TypeAlias = tuple[E, ...]
ALL = (1 << 64) - 1


def constant_mask(value: int, words: int) -> Lanes:
    """The mask with the bits of a number."""
    return tuple([const(value >> 64 * n & ALL) for n in range(words)])


def is_some(lanes: Lanes) -> E:
    """Whether a mask is not empty."""
    some = [each for each in lanes if each.value != 0]
    if not some:
        return const(0, I32)
    found = some[0]
    for each in some[1:]:
        found = found | each
    return found.ne(0)


def bits(lanes: Lanes) -> E:
    """The number of bits that are set in a mask."""
    found = unary("i64.popcnt", I64, lanes[0])
    for each in lanes[1:]:
        found = found + unary("i64.popcnt", I64, each)
    return found


def lowest(lanes: Lanes) -> E:
    """The number of the lowest bit of a mask that is not empty; the words are in locals."""
    found = unary("i64.ctz", I64, lanes[-1]) + 64 * (len(lanes) - 1)
    for n, each in reversed(list(enumerate(lanes[:-1]))):
        found = select(each.ne(0), unary("i64.ctz", I64, each) + 64 * n, found)
    return found


def without_lowest(lanes: Lanes) -> Lanes:
    """A mask without its lowest bit; the words are in locals."""
    found: list[E] = []
    before: E | None = None
    for each in lanes:
        less = each & (each - 1)
        found.append(less if before is None else select(before.ne(0), each, less))
        before = each if before is None else before | each
    return tuple(found)


def bit(c: E, words: int) -> Lanes:
    """The mask of one piece, whose number is in a local."""
    if c.op == "const":
        return constant_mask(1 << c.value, words)
    one = const(1) << c  # a shift takes the number modulo 64
    if words == 1:
        return (one,)
    return tuple([select((c >> 6).eq(n), one, const(0)) for n in range(words)])


def has(lanes: Lanes, c: E) -> E:
    """Whether a piece is in a mask; its number is in a local, and not negative."""
    word = lanes[-1]
    for n, each in reversed(list(enumerate(lanes[:-1]))):
        word = select(binary("lt_u", c, 64 * (n + 1)), each, word)
    return as_i32((word >> c) & 1)


def each_bit(w: Writer, lanes: Lanes, body: Callable[[E], None]) -> None:
    """Write a loop over the pieces of a mask, in the order of their numbers; `body` gets each one in a local."""
    rest = [w.local(I64, "rest") for _ in lanes]
    for local, each in zip(rest, lanes, strict=True):
        w.set(local, each)
    first = get(rest[0])
    if len(lanes) == 1:
        with w.when(first.ne(0)), w.loop() as again:
            c = w.let(unary("i64.ctz", I64, first), "c")
            w.set(rest[0], first & (first - 1))
            body(c)
            w.br_if(again, first.ne(0))
        return
    base = w.local(I64, "base")
    w.set(base, const(0))
    with w.block("done") as done, w.loop() as again:
        with w.when(first.eq(0)):
            for _ in lanes[1:]:
                with w.when(first.eq(0)):
                    _next_word(w, rest, base)
            w.br_if(done, first.eq(0))
        c = w.let(get(base) + unary("i64.ctz", I64, first), "c")
        w.set(rest[0], first & (first - 1))
        body(c)
        w.br(again)


def _next_word(w: Writer, rest: list[Local], base: Local) -> None:
    """Shift the remaining words down by one."""
    for to, source in pairwise(rest):
        w.set(to, get(source))
    w.set(rest[-1], const(0))
    w.set(base, get(base) + 64)
