"""Numbers -> plots as self-contained SVG.

The page's style sheet defines the colours by name. A plot has a title and a description for screen readers.
"""

from collections.abc import Sequence
from html import escape
from itertools import count
from math import ceil, floor, log10

from attrs import frozen

WIDTH = 640
ROW = 26  # the height of a row
LEFT, FURTHEST_LEFT = 190, 345  # where labels end: usually, and at most
LETTER = 7.4  # the approximate width of a letter in a label
MOST_LETTERS = 46
RIGHT = 96  # the width of the column of numbers
TALL = 220  # the height of a histogram
FOOT = 46  # the height of the axis and its title


@frozen
class PlotMark:
    """A value with its interval; `kind` chooses its style, such as that of a sure change."""

    label: str
    value: float
    low: float
    high: float
    text: str
    kind: str = "one"


@frozen
class Axis:
    """The title of an axis, and the factor for its values: 100 for shares in percent."""

    title: str
    scale: float = 1.0


def nice_ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers between two others.

    >>> nice_ticks(0, 10), nice_ticks(-0.013, 0.021)
    ([0.0, 2.0, 4.0, 6.0, 8.0, 10.0], [-0.01, 0.0, 0.01, 0.02])
    """
    raw = (high - low) / wanted or 1.0
    unit = 10.0 ** floor(log10(raw))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw * 0.999)
    return [
        round(n * step, 12) for n in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    ]


def _number(value: float) -> str:
    return f"{round(value, 1):g}"


def _words(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _frame(title: str, about: str, height: int, body: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(about)}</desc>{''.join(body)}</svg>"
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    attributes = f' class="{kind}"' if kind else ""
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}"{attributes}>'
        f"{escape(text)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    ends = " ".join(
        f'{name}="{_number(value)}"'
        for name, value in (("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2))
    )
    return f'<line {ends} class="{kind}"/>'


def _cut(text: str, longest: int = MOST_LETTERS) -> str:
    """A label that fits: a long one loses its middle, as its ends distinguish it from others.

    >>> _cut("On which sins do you place your Stones? Ira", 24)
    'On which sin…Stones? Ira'
    """
    if len(text) <= longest:
        return text
    begin = longest // 2
    return f"{text[:begin]}…{text[begin + 1 - longest :]}"


def intervals(
    title: str, about: str, marks: Sequence[PlotMark], axis: Axis, reference: tuple[float, str]
) -> str:
    """A row for each value: a dot, its interval, and a line at the reference value."""
    at, word = reference
    scale = axis.scale
    low = min(at, *(mark.low for mark in marks))
    high = max(at, *(mark.high for mark in marks))
    labels = [_cut(mark.label) for mark in marks]
    left = min(FURTHEST_LEFT, max(LEFT, LETTER * max(map(len, labels), default=0)))
    room = (high - low) * 0.06 or 0.01
    low, high = low - room, high + room

    def x(value: float) -> float:
        return left + 12 + (value - low) / (high - low) * (WIDTH - left - RIGHT - 24)

    bottom = 18 + ROW * len(marks)
    body = []
    for tick in nice_ticks(low * scale, high * scale):
        body.append(_line(x(tick / scale), 16, x(tick / scale), bottom, "grid"))
        body.append(_text(x(tick / scale), bottom + 16, _words(tick), "tick", "middle"))
    body.append(_line(x(at), 12, x(at), bottom, "reference"))
    body.append(_text(x(at), 9, word, "note", "middle"))
    for n, mark in enumerate(marks):
        y = 18 + ROW * n + ROW / 2
        body.append(f'<g class="{mark.kind}"><title>{escape(f"{mark.label}: {mark.text}")}</title>')
        body.append(_text(left, y + 4, labels[n], "", "end"))
        body += [_line(x(end), y - 4, x(end), y + 4, "whisker") for end in (mark.low, mark.high)]
        body.append(_line(x(mark.low), y, x(mark.high), y, "whisker"))
        body.append(f'<circle cx="{_number(x(mark.value))}" cy="{_number(y)}" r="4.5"/>')
        body.append(_text(WIDTH, y + 4, mark.text, "value", "end") + "</g>")
    body.append(_text((left + WIDTH - RIGHT) / 2, bottom + 34, axis.title, "note", "middle"))
    return _frame(title, about, bottom + FOOT - 4, body)


def histogram(
    title: str, about: str, series: Sequence[tuple[str, Sequence[tuple[int, int]]]], axis: str
) -> str:
    """How often each value occurred, in percent; several series are drawn as overlaid steps."""
    every = sorted({value for _, found in series for value, _ in found})
    low, high = every[0], every[-1]
    width = max(1, ceil((high - low + 1) / 60))
    end = low + ceil((high - low + 1) / width) * width
    shares = []
    for name, found in series:
        total = sum(number for _, number in found)
        bins: dict[int, float] = {}
        for value, number in found:
            begin = (value - low) // width * width + low
            bins[begin] = bins.get(begin, 0) + 100 * number / total
        shares.append((name, bins))
    top = max(share for _, bins in shares for share in bins.values()) * 1.08
    left, right, bottom = 46, WIDTH - 8, TALL - FOOT
    step = (right - left) / ((end - low) / width)

    def x(value: float) -> float:
        return left + (value - low) / width * step

    def y(share: float) -> float:
        return bottom - share / top * (bottom - 22)

    body = []
    for tick in nice_ticks(0, top, 4):
        body.append(_line(left, y(tick), right, y(tick), "grid"))
        body.append(_text(left - 6, y(tick) + 4, f"{_words(tick)} %", "tick", "end"))
    body += [
        _text(x(tick) + step / 2, bottom + 16, _words(tick), "tick", "middle")
        for tick in nice_ticks(low, end - width, 8)
        if tick == int(tick)
    ]
    for (name, bins), kind in zip(shares, count(), strict=False):
        if len(shares) == 1:
            body += [
                f'<rect class="bar" x="{_number(x(begin) + 0.5)}" y="{_number(y(share))}" '
                f'width="{_number(max(1, step - 1))}" height="{_number(bottom - y(share))}">'
                f"<title>{_span(begin, width)}: {share:.1f} %</title></rect>"
                for begin, share in sorted(bins.items())
            ]
            continue
        path = [f"M{_number(left)} {_number(bottom)}"]
        for begin in range(low, end, width):
            level = _number(y(bins.get(begin, 0)))
            path.append(f"V{level}H{_number(x(begin) + step)}")
        path.append(f"V{_number(bottom)}")
        body.append(f'<path class="step series{kind % 6}" d="{"".join(path)}"/>')
        body.append(
            f'<g class="series{kind % 6}">'
            f"{_line(left + 8 + 150 * kind, 10, left + 26 + 150 * kind, 10, 'key')}"
            f"{_text(left + 32 + 150 * kind, 14, _cut(name, 18))}</g>"
        )
    body.append(_line(left, bottom, right, bottom, "axis"))
    body.append(_text((left + right) / 2, bottom + 36, axis, "note", "middle"))
    return _frame(title, about, TALL, body)


def _span(begin: int, width: int) -> str:
    return str(begin) if width == 1 else f"{begin} to {begin + width - 1}"


def bars(title: str, about: str, rows: Sequence[tuple[str, float, str]], axis: str) -> str:
    """A bar from 0 to 1 for each thing, with its number."""
    left = LEFT + 60
    body = []
    bottom = 6 + 20 * len(rows)
    for tick in range(0, 101, 25):
        x = left + 8 + tick / 100 * (WIDTH - left - 76)
        body.append(_line(x, 2, x, bottom, "grid"))
        body.append(_text(x, bottom + 15, f"{tick} %", "tick", "middle"))
    for n, (label, share, text) in enumerate(rows):
        y = 6 + 20 * n
        body.append(f"<g><title>{escape(f'{label}: {text}')}</title>")
        body.append(_text(left, y + 13, _cut(label, 38), "", "end"))
        body.append(
            f'<rect class="bar" x="{left + 8}" y="{y + 3}" height="13" '
            f'width="{_number(max(0.5, share * (WIDTH - left - 76)))}"/>'
        )
        body.append(_text(WIDTH, y + 13, text, "value", "end") + "</g>")
    body.append(_text((left + WIDTH) / 2, bottom + 33, axis, "note", "middle"))
    return _frame(title, about, bottom + 40, body)
