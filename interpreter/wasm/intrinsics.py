"""Functions of restricted Python that compile to an instruction or a few: typed values in, a typed value out.

An argument of type `any` stays as it is; all others are converted to the type that is named here.
"""

from collections.abc import Callable

from attrs import frozen

from interpreter.wasm import masks
from interpreter.wasm.encoding import F64, I64
from interpreter.wasm.expressions import as_i32, as_i64, const, unary
from interpreter.wasm.function_writer import Writer
from interpreter.wasm.typed import NOTHING, NUMBERS, Names, T


@frozen
class Intrinsic:
    """The types of the arguments, and how to compute the result from them."""

    takes: tuple[str, ...]
    make: Callable[[Writer, Names, list[T]], T]


def _lets(w: Writer, m: T) -> masks.Lanes:
    return tuple([w.let(each) for each in m.lanes])


def _one(type_: str, op: str, takes: str) -> Intrinsic:
    """A single instruction."""
    return Intrinsic(
        (takes,), lambda _w, _, args: T(type_, (unary(op, NUMBERS[type_], args[0].e),))
    )


def _need_number(x: T) -> None:
    if x.type not in NUMBERS:
        raise TypeError(f"{x.type} is no number")


def _i64(_w: Writer, _: Names, args: list[T]) -> T:
    (x,) = args
    _need_number(x)
    return T("i64", (unary("i64.trunc_f64_s", I64, x.e) if x.type == "f64" else as_i64(x.e),))


def _u64(_w: Writer, _: Names, args: list[T]) -> T:
    (x,) = args
    _need_number(x)
    return T("u64", (unary("i64.trunc_f64_u", I64, x.e) if x.type == "f64" else as_i64(x.e),))


def _i32(_w: Writer, _: Names, args: list[T]) -> T:
    (x,) = args
    if len(x.lanes) != 1 or x.type == "mask":
        raise TypeError(f"{x.type} is no integer")
    return T("i32", (as_i32(x.e),))


def _f64(_w: Writer, _: Names, args: list[T]) -> T:
    (x,) = args
    _need_number(x)
    if x.type == "f64":
        return x
    if x.e.op == "const" and x.type == "i64":
        return T("f64", (const(x.e.value, F64),))
    wide = x.e.type == I64
    op = f"f64.convert_i{64 if wide else 32}_{'s' if x.type == 'i64' else 'u'}"
    return T("f64", (unary(op, F64, x.e),))


def _copy(w: Writer, _: Names, args: list[T]) -> T:
    to, source, size = (each.e for each in args)
    w.copy(to, source, as_i32(size))
    return NOTHING


def _fill(w: Writer, _: Names, args: list[T]) -> T:
    to, byte, size = (each.e for each in args)
    w.fill(to, as_i32(byte), as_i32(size))
    return NOTHING


def _fault(w: Writer, _: Names, _args: list[T]) -> T:
    w.trap()
    return NOTHING


INTRINSICS = {
    "bits": Intrinsic(("mask",), lambda _w, _, args: T("i64", (masks.bits(args[0].lanes),))),
    "lowest": Intrinsic(("mask",), lambda w, _, args: T("i64", (masks.lowest(_lets(w, args[0])),))),
    "rest": Intrinsic(
        ("mask",), lambda w, _, args: T("mask", masks.without_lowest(_lets(w, args[0])))
    ),
    "bit": Intrinsic(
        ("i64",), lambda w, unit, args: T("mask", masks.bit(w.let(args[0].e), unit.words))
    ),
    "bool": Intrinsic(("bool",), lambda _w, _, args: args[0]),
    "ctz": _one("i64", "i64.ctz", "u64"),
    "popcount": _one("i64", "i64.popcnt", "u64"),
    "sqrt": _one("f64", "f64.sqrt", "f64"),
    "bits_of": _one("u64", "i64.reinterpret_f64", "f64"),
    "from_bits": _one("f64", "f64.reinterpret_i64", "u64"),
    "i64": Intrinsic(("any",), _i64),
    "u64": Intrinsic(("any",), _u64),
    "i32": Intrinsic(("any",), _i32),
    "f64": Intrinsic(("any",), _f64),
    "copy": Intrinsic(("i32", "i32", "i64"), _copy),
    "fill": Intrinsic(("i32", "i64", "i64"), _fill),
    "fault": Intrinsic((), _fault),
}
