"""A picture of the table -> an SVG drawing with the name of everything that lies there.

Opponents sit along the top, shared things lie in the middle, and the viewer sits below. The drawing takes its ink from
the page, so it is readable in dark mode as well.
"""

from collections.abc import Iterable, Sequence
from html import escape

from attrs import evolve, frozen

from interpreter.shown.cards import BACK, HEIGHT, WIDTH, draw_small, face_of
from interpreter.shown.picture import UNCOUNTED, Area, Group, Picture, Stack
from interpreter.shown.subjects import Marks

BREADTH = 480  # the width of the whole drawing
_CARD = 46  # the width of a card
_TALL = _CARD * HEIGHT / WIDTH
_GAP = 10
_LINE = 18  # the height of a line of text
_LETTER = 6.6  # the approximate width of a letter
_MOST = 9  # different cards drawn in a zone; the rest is only counted


@frozen
class _Part:
    """A part of the drawing with its size; its origin is the upper left corner."""

    width: float
    height: float
    svg: str


def draw_table(picture: Picture, title: str, marks: Marks | None = None) -> str:
    """The table as a drawing, with a frame around what has moved."""
    moved = frozenset() if marks is None else marks.moved
    seats = [group for group in picture.groups if group.seat is not None]
    shared = [group for group in picture.groups if group.seat is None]
    others, home = seats[:-1], seats[-1:]
    parts: list[str] = []
    y = 0.0
    if others:
        breadth = (BREADTH - _GAP * (len(others) - 1)) / len(others)
        boxes = [_player(picture, each, breadth, moved) for each in others]
        tallest = max(each.height for each in boxes)
        for number, each in enumerate(boxes):
            parts.append(_at(number * (breadth + _GAP), y, each.svg))
        y += tallest + _GAP
    areas = [
        area if area.seat is None else evolve(area, title=f"{group.title}: {area.title}")
        for group in shared
        for area in _used(picture, group.areas)
    ]
    counters = [
        f"{each.title}: {each.text}"
        for group in shared
        for each in group.counters
        if not each.is_idle
    ]
    if areas or counters:
        middle = _flow(areas, " · ".join(counters), BREADTH - 40, moved)
        frame = (
            f'<rect x="0.75" y="0.75" width="{BREADTH - 1.5}" height="{middle.height + 18.5:.0f}" rx="14"'
            ' fill="currentColor" fill-opacity=".04" stroke="currentColor" stroke-opacity=".45"/>'
        )
        parts.append(_at(0, y, frame + _at(20, 10, middle.svg)))
        y += middle.height + 20 + _GAP
    for group in home:
        own = _player(picture, group, BREADTH, moved)
        parts.append(_at(0, y, own.svg))
        y += own.height
    told = escape(_tell(picture))
    return (
        f'<svg class="rs-table-drawing" viewBox="0 0 {BREADTH} {y:.0f}" role="img"'
        f' font-family="system-ui, sans-serif" font-size="13"><title>{escape(title)}</title>'
        f"<desc>{told}</desc>{''.join(parts)}</svg>"
    )


def _used(picture: Picture, areas: Iterable[Area]) -> list[Area]:
    """The areas in which something lies, or has lain."""
    return [area for area in areas if area.stacks or not area.counted or area.zone in picture.used]


# ---- Players -------------------------------------------------------------------------------------


def _player(
    picture: Picture, group: Group, width: float, moved: frozenset[tuple[int, int]]
) -> _Part:
    said = [text for variable, text in group.badges if variable is not None]
    said += [f"{each.title} {each.text}" for each in group.counters if not each.is_idle]
    more = "".join(f" · {each}" for each in said)
    head = (
        f'<text x="10" y="17" fill="currentColor"><tspan font-weight="700">{escape(group.title)}</tspan>'
        f"{escape(more)}</text>"
    )
    body = _flow(_used(picture, group.areas), "", width - 20, moved)
    height = 26 + body.height + 6
    frame = (
        f'<rect x="0.75" y="0.75" width="{width - 1.5:.1f}" height="{height - 1.5:.1f}" rx="8" fill="none"'
        ' stroke="currentColor" stroke-opacity=".3" stroke-dasharray="4 3"/>'
    )
    return _Part(width, height, frame + head + _at(10, 26, body.svg))


# ---- Zones ---------------------------------------------------------------------------------------


def _flow(
    areas: Sequence[Area], words: str, width: float, moved: frozenset[tuple[int, int]]
) -> _Part:
    """Zones side by side, as many in a row as fit, with words above them."""
    x = tallest = 0.0
    y = _LINE + 4.0 if words else 0.0
    drawn = [f'<text y="13" fill="currentColor">{escape(words)}</text>'] if words else []
    for part in (_area(each, width, moved) for each in areas):
        if x and x + part.width > width:
            x, y, tallest = 0.0, y + tallest + 6, 0.0
        drawn.append(_at(x, y, part.svg))
        x += part.width + 2 * _GAP
        tallest = max(tallest, part.height)
    return _Part(width, y + tallest, "".join(drawn))


def _area(area: Area, width: float, moved: frozenset[tuple[int, int]]) -> _Part:
    """A zone: its cards, and its name below them."""
    fit = max(1, min(_MOST, int((width + 4) // (_CARD + 4))))
    stacks = area.stacks[: 1 if area.is_pile else fit]
    more = area.count - sum(each.count for each in stacks)
    name = f"{area.title}, {area.count} cards" if area.is_pile and area.count > 1 else area.title
    name += f" and {more} more" if more and not area.is_pile else ""
    cards = "".join(
        _at(number * (_CARD + 4), 0, _stack(each, area, moved))
        for number, each in enumerate(stacks)
    )
    if not stacks:
        cards = (
            f'<rect width="{_CARD}" height="{_TALL:.0f}" rx="4" fill="none" stroke="currentColor"'
            ' stroke-opacity=".5" stroke-dasharray="3 3"/>'
        )
        if not area.counted:
            cards += (
                f'<text x="{_CARD / 2:.0f}" y="{_TALL / 2 + 5:.0f}" text-anchor="middle"'
                f' fill="currentColor">{UNCOUNTED}</text>'
            )
    label = f'<text y="{_TALL + 15:.0f}" fill="currentColor">{escape(name)}</text>'
    broad = max(max(1, len(stacks)) * (_CARD + 4) - 4, _LETTER * len(name))
    return _Part(broad, _TALL + _LINE + 2, cards + label)


def _stack(stack: Stack, area: Area, moved: frozenset[tuple[int, int]]) -> str:
    """Cards that look alike, with their number."""
    face = face_of(stack.text or "", stack.tone if stack.text is not None else BACK)
    svg = draw_small(face, is_back=stack.text is None, width=_CARD)
    if any((area.zone, each) in moved for each in stack.faces):
        svg += (
            f'<rect x="-2" y="-2" width="{_CARD + 4}" height="{_TALL + 4:.0f}" rx="6" fill="none"'
            ' stroke="currentColor" stroke-width="2.5"/>'
        )
    if stack.count > 1 and not area.is_pile:
        svg += (
            f'<g><rect x="{_CARD - 28}" y="{_TALL - 17:.0f}" width="28" height="17" rx="4" fill="#101214"/>'
            f'<text x="{_CARD - 14}" y="{_TALL - 4:.0f}" text-anchor="middle" fill="#ffffff">×{stack.count}</text></g>'
        )
    return svg


def _at(x: float, y: float, svg: str) -> str:
    return f'<g transform="translate({x:.0f} {y:.0f})">{svg}</g>'


def _tell(picture: Picture) -> str:
    """A description of the drawing, for screen readers."""
    said = []
    for group in picture.groups:
        for area in _used(picture, group.areas):
            seen = [each.text for each in area.stacks if each.text is not None]
            what = f"{area.count} cards" if area.count != 1 else "one card"
            what = what if area.count else "empty" if area.counted else "who knows how many"
            named = f" ({', '.join(seen)})" if seen else ""
            whose = f"{group.title}, " if group.seat is not None else ""
            said.append(f"{whose}{area.title}: {what}{named}")
    return "; ".join(said)
