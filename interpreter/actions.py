"""An option of another type than the rest, such as `knock` among cards to play.

Members, numbers and pieces are all plain numbers while playing; the type of a decision says what they are. What
stands behind `or` in a question has a type of its own, and says so itself.
"""

from typing import Any

from attrs import frozen

from rulespec.core.types import Type


@frozen
class Action:
    """A value that is no piece, with its type."""

    value: Any
    of: Type


def plain(value: Any, of: Type) -> tuple[Any, Type]:
    """An answer and its type, whichever kind of option it was."""
    return (value.value, value.of) if isinstance(value, Action) else (value, of)
