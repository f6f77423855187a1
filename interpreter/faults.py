"""A value and its place -> the value, or the fault that is reported if it does not fit there during play."""

from interpreter.errors import RuleFault
from interpreter.layout import Layout
from rulespec import codes
from rulespec.core.tree import Op
from rulespec.core.types import LEAST, MOST
from rulespec.limits import MOST_LISTED


def leaves_range(value: int, low: int, high: int, op: Op) -> RuleFault:
    message = f"this is {value}, but only {low}..{high} is allowed here"
    return RuleFault(codes.LEAVES_RANGE, message, op.span)


# [fault.number]
def checked(value: int, op: Op) -> int:
    """A number, which stays within `Int`."""
    if not LEAST <= value <= MOST:
        raise leaves_range(value, LEAST, MOST, op)
    return value


def not_among(layout: Layout, member: int, op: Op) -> RuleFault:
    name = layout.code.members[member].name
    return RuleFault(codes.LEAVES_RANGE, f"this is `{name}`, which is not allowed here", op.span)


# [fault.kind]
def wrong_kind(layout: Layout, piece: int, op: Op) -> RuleFault:
    kind = layout.pieces[piece].kind
    return RuleFault(codes.LEAVES_RANGE, f"this is a `{kind}`, which is not allowed here", op.span)


def too_many(op: Op) -> RuleFault:
    message = f"there are more than {MOST_LISTED:,} to list here"
    return RuleFault(codes.TOO_MANY_STEPS, message, op.span)
