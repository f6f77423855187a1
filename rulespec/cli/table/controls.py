"""What the pointer can be on besides the game: keys and lines of menus."""

from typing import TypeAlias

from attrs import frozen

from interpreter.shown.subjects import Subject


@frozen
class OfKey:
    """A key that can be clicked, by what it does."""

    action: str


@frozen
class OfLine:
    """A line of a menu."""

    name: str


Control: TypeAlias = OfKey | OfLine
Target: TypeAlias = Subject | Control
