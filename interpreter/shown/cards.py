"""Faces of pieces -> pictures of cards: SVG with a colour, a name, and the number in two corners.

The text of a face holds everything, so any game has cards: a number at either end of the text goes to the
corners, a note in brackets to the foot, and the rest is the name. Pages and printed sheets draw the same cards.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape

from attrs import frozen

from interpreter.shown.palette import Tone

WIDTH, HEIGHT = 100, 140
BACK = Tone("#40566b", "#c9dcee")
_SVG = "http://www.w3.org/2000/svg"  # a file must declare it, a page need not
_INSIDE = 80  # the width that a name may take
_TALLEST = 30  # the height of letters in a short name
_SMALLEST = 9.0
_BREADTH = 0.58  # the width of a letter relative to its height
_NOTE = re.compile(r"(?P<text>.+?) +\((?P<note>[^()]+)\)")
_NUMBER = re.compile(r"(?:(?P<first>\d+) +)?(?P<name>.*?)(?: +(?P<last>\d+))?")


@frozen
class CardFace:
    """The contents of a card: a name, and a number and a note if the text has them."""

    name: str
    number: str | None
    note: str
    tone: Tone


def face_of(text: str, tone: Tone) -> CardFace:
    """The contents of a card, from the text of its face.

    >>> plain = Tone("#dcd8cc", "#101214")
    >>> [(face.name, face.number) for face in (face_of("blue 4", plain), face_of("Last Judgment", plain))]
    [('blue', '4'), ('Last Judgment', None)]
    >>> face_of("red 7 (Ages of Man)", plain).note
    'Ages of Man'
    >>> face_of("7", plain).number, face_of("2 or 3", plain).name
    ('7', '2 or 3')
    """
    noted = _NOTE.fullmatch(text)
    text, note = noted.group("text", "note") if noted else (text, "")
    if text.isdecimal():
        return CardFace("", text, note, tone)
    found = _NUMBER.fullmatch(text)
    first, name, last = found.group("first", "name", "last") if found else (None, text, None)
    if (first is None) == (last is None):
        return CardFace(text, None, note, tone)
    return CardFace(name, first or last, note, tone)


def draw_card(face: CardFace) -> str:
    """A card as SVG."""
    middle = 60 if face.note else 70
    name = _block(face.name, middle, _TALLEST, face.tone)
    return _frame(face.tone, [*_corners(face), *name, *_block(face.note, 98, 13, face.tone)])


def draw_small(face: CardFace, *, is_back: bool, width: float) -> str:
    """A small card for use inside a drawing: its colour, its name and one number."""
    scale = width / WIDTH
    body: list[str] = []
    if not is_back:
        middle = 70 if face.number is None else 76 if face.note else 88
        body += [*_block(face.name, middle, 24, face.tone), *_block(face.note, 114, 17, face.tone)]
        if face.number is not None:
            body.append(_text(escape(face.number), 50, 34, 44, face.tone, bold=True))
    else:
        body.append(
            f'<path d="M50 30 L80 70 L50 110 L20 70 Z" fill="{face.tone.ink}" opacity=".45"/>'
        )
    edge = f'<rect width="100" height="140" rx="9" fill="{face.tone.ground}" stroke="#00000066" stroke-width="2"/>'
    return f'<g transform="scale({scale:.3g})" text-anchor="middle">{edge}{"".join(body)}</g>'


def draw_faces(cards: Mapping[str, str]) -> str:
    """One drawing with cards side by side, given by their contents."""
    width, gap, many = 72, 8, 9
    height = width * HEIGHT / WIDTH
    parts = []
    for number, svg in enumerate(cards.values()):
        row, place = divmod(number, many)
        x, y = place * (width + gap), row * (height + gap)
        size = f'x="{x}" y="{y:.0f}" width="{width}" height="{height:.0f}" aria-hidden="true"'
        parts.append(svg.replace(f'<svg xmlns="{_SVG}"', f"<svg {size}", 1))
    rows = -(-len(cards) // many)
    told = escape(", ".join(cards))
    return (
        f'<svg viewBox="0 0 {many * (width + gap) - gap} {rows * (height + gap):.0f}" role="img">'
        f"<title>{told}</title>{''.join(parts)}</svg>"
    )


def draw_back() -> str:
    """The back of a card, the same for all."""
    lines = [
        f'<path d="M50 {70 - 4 * n} L{50 + 3 * n} 70 L50 {70 + 4 * n} L{50 - 3 * n} 70 Z" fill="none"'
        f' stroke="{BACK.ink}" stroke-width="2" opacity=".45"/>'
        for n in (5, 9, 13)
    ]
    return _frame(BACK, lines)


def _frame(tone: Tone, content: list[str]) -> str:
    edge = (
        f'<rect x="1" y="1" width="98" height="138" rx="9" fill="{tone.ground}"'
        ' stroke="#00000066" stroke-width="1.5"/>'
        f'<rect x="6" y="6" width="88" height="128" rx="6" fill="none" stroke="{tone.ink}" opacity=".3"/>'
    )
    return (
        f'<svg xmlns="{_SVG}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="system-ui, sans-serif" text-anchor="middle">'
        f"{edge}{''.join(content)}</svg>"
    )


def _corners(face: CardFace) -> Iterator[str]:
    if face.number is None:
        return
    number = escape(face.number)
    if not face.name:
        yield _text(number, 50, 70, 52, face.tone, bold=True)
    yield _text(number, 21, 24, 24, face.tone, bold=True)
    if not face.note:  # a note takes the place of the second number
        yield f'<g transform="rotate(180 50 70)">{_text(number, 21, 24, 24, face.tone, bold=True)}</g>'


def _block(text: str, middle: float, tallest: float, tone: Tone) -> Iterator[str]:
    """A text in as few lines as its longest word allows, as large as possible."""
    words = text.split()
    if not words:
        return
    longest = max(len(word) for word in words)
    size = min(tallest, _INSIDE / (_BREADTH * longest))
    while len(lines := _lines(words, size)) * size * 1.2 > 60 and size > _SMALLEST:
        size -= 1
    size = max(_SMALLEST, size)
    top = middle - (len(lines) - 1) * size * 0.6
    for number, line in enumerate(lines):
        yield _text(escape(line), 50, top + number * size * 1.2, size, tone)


def _lines(words: list[str], size: float) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if len(longer) * size * _BREADTH <= _INSIDE:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _text(  # noqa: PLR0913 - a text, where and how
    text: str, x: float, y: float, size: float, tone: Tone, *, bold: bool = False
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:.3g}" fill="{tone.ink}"{weight}'
        f' dominant-baseline="central">{text}</text>'
    )
