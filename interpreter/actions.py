"""An option that carries its own type, such as `knock` among cards to play.

During play, members, numbers and pieces are all plain numbers; the type of the decision tells them apart. What
stands behind `or` in a question has another type, so each such option says its own.
"""

from typing import Any

from attrs import frozen

from rulespec.core.types import Type


@frozen
class Action:
    """A value that is not a piece, with its type."""

    value: Any
    of: Type


def untagged(value: Any, of: Type) -> tuple[Any, Type]:
    """The value and type of an answer, for either kind of option."""
    return (value.value, value.of) if isinstance(value, Action) else (value, of)
