"""What a comparison shows of a number: the interval that is left of it.

Implements docs/language/12-checks.md: a test narrows a number as it narrows what may be `none`.
"""

from typing import Literal, TypeAlias

from rulespec.core.types import Number

Sign: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
OPPOSITE: dict[str, Sign] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED: dict[str, Sign] = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def limit(one: Number, sign: str, other: Number) -> Number:
    """What one number can be if it compares so with another; unchanged if that shows nothing, or cannot be.

    >>> limit(Number(0, 9), ">", Number(0, 3)), limit(Number(0, 9), "!=", Number(0, 0))
    (Number(low=1, high=9), Number(low=1, high=9))
    """
    low, high = one.low, one.high
    match sign:
        case "==":
            low, high = max(low, other.low), min(high, other.high)
        case "<":
            high = min(high, other.high - 1)
        case "<=":
            high = min(high, other.high)
        case ">":
            low = max(low, other.low + 1)
        case ">=":
            low = max(low, other.low)
        case "!=" if other.low == other.high:
            low += other.low == low
            high -= other.high == high
        case _:
            pass
    return Number(low, high) if low <= high else one
