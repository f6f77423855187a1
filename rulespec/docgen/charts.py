"""What numbers are worth -> a drawing of it, in the colours of the page.

Whatever is told by a bar is told by its number as well, and the description says all of them.
"""

import html
import math

from rulespec.docgen.play_data import Curve

WIDTH, HEIGHT = 480, 240
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 20, 50
LONGEST = 40  # pairs; more cannot be told apart on a phone


def can_chart(curve: Curve) -> bool:
    """Whether a drawing would tell anything."""
    return 3 <= len(curve) <= LONGEST and len({value for _, value in curve}) > 1


def draw_curve(name: str, title: str, axis: str, curve: Curve, before: Curve = ()) -> str:
    """Bars for all values; those of before, if there are any, as lines across."""
    values = [value for _, value in (*curve, *before)]
    low, high = min(0, *values), max(0, *values)
    room = HEIGHT - TOP - BOTTOM
    unit = room / ((high - low) or 1)

    def level(value: int) -> float:
        return round(TOP + (high - value) * unit, 1)

    step = (WIDTH - LEFT - RIGHT) / len(curve)
    bar = step * 0.7
    old = dict(before)
    marks: list[str] = []
    for value in _ticks(low, high):
        y = level(value)
        kind = "rs-zero" if value == 0 else "rs-grid"
        marks.append(f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>')
        marks.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{_signed(value)}</text>')
    for n, (number, value) in enumerate(curve):
        x = LEFT + n * step + (step - bar) / 2
        middle = round(x + bar / 2, 1)
        top, bottom = level(max(value, 0)), level(min(value, 0))
        kind = "rs-less" if value < 0 else "rs-more"
        marks.append(
            f'<rect class="{kind}" x="{x:.1f}" y="{top}" width="{bar:.1f}" '
            f'height="{max(bottom - top, 1):.1f}" rx="2"/>'
        )
        above = top - 5 if value >= 0 else bottom + 13
        marks.append(
            f'<text class="rs-value" x="{middle}" y="{above:.1f}" text-anchor="middle">'
            f"{_signed(value)}</text>"
        )
        marks.append(
            f'<text x="{middle}" y="{HEIGHT - BOTTOM + 32}" text-anchor="middle">{number}</text>'
        )
        if number in old and old[number] != value:
            y = level(old[number])
            marks.append(
                f'<line class="rs-before" x1="{x - 2:.1f}" x2="{x + bar + 2:.1f}" y1="{y}" y2="{y}"/>'
            )
    marks.append(
        f'<text class="rs-axis" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 2}" '
        f'text-anchor="middle">{html.escape(axis)}</text>'
    )
    told = ", ".join(f"{number}: {_signed(value)}" for number, value in curve)
    if before:
        told += "; before: " + ", ".join(f"{number}: {_signed(v)}" for number, v in before)
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{html.escape(title)}</title>'
        f'<desc id="{name}-desc">{html.escape(told)}</desc>{"".join(marks)}</svg>'
    )


def _ticks(low: int, high: int) -> list[int]:
    """About four round numbers, with 0 among them.

    >>> _ticks(-6, 10)
    [-5, 0, 5, 10]
    """
    span = max(high - low, 1)
    step = 10 ** math.floor(math.log10(span))
    while span / step < 3 and step > 1:
        step = step // 2 if step % 2 == 0 else step // 5
    while span / step > 6:
        step *= 2 if str(step)[0] in "15" else 5 if str(step)[0] == "2" else 2
    return list(range(-(-low // step) * step, high + 1, step))


def _signed(value: int) -> str:
    return f"−{-value}" if value < 0 else str(value)
