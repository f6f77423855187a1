"""An operator of restricted Python and two typed values -> the value of the operation.

`evaluating` first converts the operands to one type (`unified`), except for shifts and addresses.
"""

import ast

from interpreter.wasm import masks
from interpreter.wasm.expressions import as_i32, as_i64, binary, not_
from interpreter.wasm.typed import Names, T

_PLAIN: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
}
_SIGNED: dict[type[ast.operator], str] = {ast.RShift: "shr", ast.FloorDiv: "div", ast.Mod: "rem"}
_FLOATING: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
}
_ORDER: dict[type[ast.cmpop], str] = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
_EQUALITY: dict[type[ast.cmpop], str] = {ast.Eq: "eq", ast.NotEq: "ne"}
LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
SHIFTS = (ast.LShift, ast.RShift)
WIDE = ("i64", "u64")
INTEGERS = (*WIDE, "i32")


def widened(value: T, type_: str = "i64") -> T:
    """A truth value or a 32-bit integer, extended to 64 bits."""
    return T(type_, (as_i64(value.e),))


def unified(a: T, b: T) -> tuple[T, T]:
    """Two values converted to one type; if only one of them is signed, the left one decides."""
    if a.type == b.type or (a.type in WIDE and b.type in WIDE):
        return a, T(a.type, b.lanes)
    if a.type in WIDE and b.type == "bool":
        return a, widened(b, a.type)
    if b.type in WIDE and a.type == "bool":
        return widened(a, b.type), b
    raise TypeError(f"{a.type} meets {b.type}")


def computed(unit: Names, op: ast.operator, a: T, b: T) -> T:
    """The value of an operation."""
    kind = type(op)
    if kind in SHIFTS:
        return _shifted(kind, a, b)
    if unit.is_address(a.type):
        return _moved(kind, a, b)
    if a.type == b.type == "bool" and not isinstance(op, LOGICAL):
        a, b = widened(a), widened(b)
    a, b = unified(a, b)
    if a.type == "mask" and isinstance(op, LOGICAL):
        pairs = zip(a.lanes, b.lanes, strict=True)
        return T("mask", tuple([binary(_PLAIN[kind], x, y) for x, y in pairs]))
    if a.type == "f64" and kind in _FLOATING:
        return T("f64", (binary(_FLOATING[kind], a.e, b.e),))
    if a.type in INTEGERS or (a.type == "bool" and isinstance(op, LOGICAL)):
        return T(a.type, (binary(_integer(kind, a.type), a.e, b.e),))
    raise _no_operation(kind, a.type)


def _integer(kind: type[ast.operator], type_: str) -> str:
    """The name of an operation on integers."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _SIGNED:
        return f"{_SIGNED[kind]}_{'s' if type_ == 'i64' else 'u'}"
    raise _no_operation(kind, type_)


def _no_operation(kind: type[ast.AST], type_: str) -> TypeError:
    return TypeError(f"{type_} has no operation {kind.__name__}")


def _shifted(kind: type[ast.operator], a: T, b: T) -> T:
    """A shift, by an integer of any type."""
    if b.type not in INTEGERS:
        raise TypeError(f"a shift by {b.type}")
    if a.type not in INTEGERS:
        raise _no_operation(kind, a.type)
    by = as_i64(b.e) if a.type in WIDE else as_i32(b.e)
    return T(a.type, (binary(_integer(kind, a.type), a.e, by),))


def _moved(kind: type[ast.operator], a: T, b: T) -> T:
    """An address, moved by an offset."""
    if len(b.lanes) != 1 or b.type == "mask":
        raise TypeError(f"an address meets {b.type}")
    if a.type != "i32" and kind not in (ast.Add, ast.Sub):
        raise _no_operation(kind, a.type)
    return T(a.type, (binary(_integer(kind, a.type), a.e, as_i32(b.e)),))


def compared(op: ast.cmpop, a: T, b: T) -> T:
    """Whether a comparison of two values of one type holds."""
    kind = type(op)
    if kind not in _ORDER and kind not in _EQUALITY:
        raise _no_operation(kind, a.type)
    if a.type == "mask":
        if kind in _ORDER:
            raise _no_operation(kind, a.type)
        other = masks.is_some(tuple([x ^ y for x, y in zip(a.lanes, b.lanes, strict=True)]))
        return T("bool", (other if kind is ast.NotEq else not_(other),))
    if kind in _EQUALITY:
        return T("bool", (binary(_EQUALITY[kind], a.e, b.e),))
    sign = "" if a.type == "f64" else "_s" if a.type == "i64" else "_u"
    return T("bool", (binary(_ORDER[kind] + sign, a.e, b.e),))
