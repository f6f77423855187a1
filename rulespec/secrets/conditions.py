"""A condition on an element of a set -> the values that the element cannot be if the condition holds.

`it != a` and `it not in kept` exclude values, also among other conditions: a remaining element is not `a`.
So do attributes that must differ: `it.value > a.value`, `it.suit != a.suit`.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from rulespec.core.tree import Op
from rulespec.secrets.knowledge import Key, Value, contains_key


def excluded_by(condition: Op, place: int) -> Iterator[tuple[Literal["equal", "in"], Op]]:
    """The values that the element at this place is not equal to, and the sets that it is not in."""
    match condition:
        case Op(name="and"):
            for each in condition.operands:
                yield from excluded_by(each, place)
        case Op(name="not", operands=(Op(name="equal", operands=(one, other)),)):
            for mine, excluded in ((one, other), (other, one)):
                if mine.name == "bound" and mine.place == place:
                    yield "equal", excluded
            yield from _with_another(one, other, place)
        case Op(name="less" | "greater", operands=(one, other)):
            yield from _with_another(one, other, place)
        case Op(name="not", operands=(Op(name="in", operands=(mine, excluded)),)):
            if mine.name == "bound" and mine.place == place:
                yield "in", excluded


def _with_another(one: Op, other: Op, place: int) -> Iterator[tuple[Literal["in"], Op]]:
    """The piece whose value of an attribute differs from that of the element."""
    one, other = (each.operands[0] if each.name == "needed" else each for each in (one, other))
    if one.name == other.name == "attribute" and one.word == other.word:
        (mine,), (excluded,) = one.operands, other.operands
        for each, another in ((mine, excluded), (excluded, mine)):
            if each.name == "bound" and each.place == place:
                yield "in", another


def pieces_apart(values: Iterable[Value], element: Key) -> frozenset[Key]:
    """The parts to which an element does not belong, if it is none of these values."""
    return frozenset(
        part.key
        for value in values
        if not value.which and not any(contains_key(each.key, element) for each in value.parts)
        for part in value.parts
    )
