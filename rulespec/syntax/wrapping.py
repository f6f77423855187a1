"""A long line -> several, broken where a person would break it.

A line is described by its pieces: text, places where it may be broken, and groups of these. Groups
that fit are left whole; of one that does not, either every place is broken or as few as possible.
"""

from itertools import islice
from typing import TypeAlias

from attrs import frozen


@frozen
class Soft:
    """A place where the line may be broken; unbroken it is this text."""

    flat: str = " "


@frozen
class IfBroken:
    """Text that stands only in a group that is broken."""

    text: str


@frozen
class BreakGroup:
    """Pieces that are broken together.

    If `aligned`, the lines after the first begin where the group begins, room permitting. If
    `filled`, a place is broken only where the next pieces do not fit.
    """

    pieces: "tuple[Piece, ...]"
    aligned: bool = False
    filled: bool = False


Piece: TypeAlias = "str | Soft | IfBroken | BreakGroup"
Mode: TypeAlias = "bool | BreakGroup"  # flat, all places broken, or this filled group


def wrap(piece: Piece, *, column: int, margin: int, width: int) -> str:
    """The text of a line that begins at `column`; the lines after the first begin at `margin`."""
    text: list[str] = []
    waiting: list[tuple[int, Mode, Piece]] = [(margin, False, piece)]
    while waiting:
        base, mode, item = waiting.pop()
        match item:
            case str():
                text.append(item)
                column += len(item)
            case IfBroken():
                if mode is not False:
                    text.append(item.text)
                    column += len(item.text)
            case Soft():
                filled_and_fits = isinstance(mode, BreakGroup) and _fits(
                    waiting[-1][2], width - column - len(item.flat), waiting, skip=1
                )
                if mode is False or filled_and_fits:
                    text.append(item.flat)
                    column += len(item.flat)
                else:
                    text.append("\n" + " " * base)
                    column = base
            case BreakGroup():
                broken = not _fits(item, width - column, waiting)
                own: Mode = (item if item.filled else True) if broken else False
                if item.aligned and column + _longest(item) <= width:
                    base = column
                waiting.extend((base, own, each) for each in reversed(item.pieces))
    return "".join(text)


def flat(piece: Piece) -> str:
    """The text of an unbroken line."""
    match piece:
        case str():
            return piece
        case Soft():
            return piece.flat
        case IfBroken():
            return ""
        case BreakGroup():
            return "".join(flat(each) for each in piece.pieces)


def interleave(pieces: list[Piece], separator: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces with the separator between them."""
    joined: list[Piece] = []
    for number, piece in enumerate(pieces):
        if number:
            joined.extend(separator)
        joined.append(piece)
    return tuple(joined)


def _fits(piece: Piece, room: int, after: list[tuple[int, Mode, Piece]], skip: int = 0) -> bool:
    """Whether a piece, and what follows it up to the next break, fits into so many columns.

    What follows is the end of `after`, read backwards, without the first `skip` of it.
    """
    room -= len(flat(piece))
    for _, mode, item in islice(reversed(after), skip, None):
        if room < 0:
            return False
        if isinstance(item, Soft) and mode is not False:
            return True
        if isinstance(item, BreakGroup):
            first = _up_to_break(item)
            room -= len(first)
            if len(first) < len(flat(item)):
                return room >= 0
        elif not isinstance(item, IfBroken):
            room -= len(flat(item))
    return room >= 0


def _up_to_break(group: BreakGroup) -> str:
    """What stands before the first place where the group may be broken."""
    text = ""
    for piece in group.pieces:
        if isinstance(piece, Soft):
            return text
        if isinstance(piece, BreakGroup):
            first = _up_to_break(piece)
            text += first
            if len(first) < len(flat(piece)):
                return text
        else:
            text += flat(piece)
    return text


def _longest(group: BreakGroup) -> int:
    """The width of the widest part between two places where the group may be broken."""
    widest = width = 0
    for piece in group.pieces:
        if isinstance(piece, Soft):
            width = 0
        else:
            width += len(flat(piece))
            widest = max(widest, width)
    return widest
