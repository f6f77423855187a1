"""The context of an expression: the types of the names in scope, and where their values are stored.

Elaboration passes an `Environment` down and allocates slots in its `FrameLayout`.
"""

from collections.abc import Mapping
from typing import Any

from attrs import define, evolve, field, frozen

from rulespec.checking.scopes import Scope, bind_names
from rulespec.core.tree import Op, Origin
from rulespec.core.types import Place, Several, Type


class Unchecked(Exception):  # noqa: N818 - it is a bug of ours, and says what was met
    """A construct that the checker should have rejected."""


@define
class FrameLayout:
    """The slots of a block so far, and how deep its expressions bind names."""

    slots: list[tuple[str, Type | None]] = field(factory=list)
    scratch: int = 0


@frozen
class Environment:
    """The scope of an expression, with the places of its bound names."""

    scope: Scope
    places: Mapping[str, Op]
    frame: FrameLayout
    members: Mapping[str, int]  # the number of each member
    origin: Origin
    depth: int = 0


def new_slot(env: Environment, name: str, type_: Type | None) -> int:
    """Allocate a slot in the frame; the slots of loops have names that no author can write."""
    env.frame.slots.append((name, type_))
    return len(env.frame.slots) - 1


def with_slot(env: Environment, name: str, type_: Type, slot: int) -> Environment:
    """The environment in which a name means the value of a slot."""
    places = {**env.places, name: Op("slot", place=slot)}
    return evolve(env, scope=bind_names(env.scope, {name: type_}), places=places)


def with_bound(env: Environment, names: Mapping[str, Type]) -> tuple[Environment, int]:
    """The environment in which names mean an element, and the place of that element in the scratch area."""
    place = env.depth
    env.frame.scratch = max(env.frame.scratch, place + 1)
    op = Op("bound", place=place)
    inner = evolve(
        env,
        scope=bind_names(env.scope, names),
        places={**env.places, **dict.fromkeys(names, op)},
        depth=place + 1,
    )
    return inner, place


def blank(type_: Type | None) -> Any:
    """The value of a local before its first assignment: the empty set, or none."""
    return () if isinstance(type_, Several | Place) else None
