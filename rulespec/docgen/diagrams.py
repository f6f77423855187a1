"""The course of a game -> a drawing that reads from top to bottom, and is wide enough for a phone.

What is repeated has a line at its left that leads back up; what is asked of a player has round ends.
Everything is drawn in the colour of the text, so the page may be light or dark.
"""

import html
import textwrap

from attrs import define, field

from rulespec.docgen.course_of_play import CourseStep

WIDTH = 420
INDENT = 16
LINE = 17  # from one line of a step to the next
SIGN = 6.7  # how wide a letter is, on average
GAP = 9
PAD = 8


@define
class _Drawing:
    y: float = 4
    parts: list[str] = field(factory=list)


def draw_course(steps: tuple[CourseStep, ...], title: str) -> str:
    """The drawing of all steps."""
    drawing = _Drawing()
    for number, step in enumerate(steps):
        if number:
            _arrow(drawing, 0)
        _draw(drawing, step, 0)
    told = html.escape(_told(steps))
    height = round(drawing.y + 4)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="group" aria-labelledby="course-title course-desc">'
        f'<title id="course-title">{html.escape(title)}</title>'
        f'<desc id="course-desc">{told}</desc>{"".join(drawing.parts)}</svg>'
    )


def _told(steps: tuple[CourseStep, ...]) -> str:
    """The same in words, for those who cannot see it."""
    told = []
    for step in steps:
        inner = f" ({_told(step.inside)})" if step.inside else ""
        told.append(f"{step.text}{inner}")
    return "; ".join(told)


def _draw(drawing: _Drawing, step: CourseStep, level: int) -> None:
    match step.kind:
        case "loop":
            _frame(drawing, step, level, f"↻ {step.text}")
        case "if" if step.inside:
            _label(drawing, step.text, level)
            _inside(drawing, step.inside, level + 1)
        case "rule" | "phase" if step.inside:
            _box(drawing, step, level)
            _arrow(drawing, level)
            _inside(drawing, step.inside, level + 1)
        case "fork":
            _fork(drawing, step, level)
        case _:
            _box(drawing, step, level)


def _inside(drawing: _Drawing, steps: tuple[CourseStep, ...], level: int) -> None:
    for number, step in enumerate(steps):
        if number:
            _arrow(drawing, level)
        _draw(drawing, step, level)


def _left(level: int) -> float:
    return 2 + INDENT * min(level, 6)


def _wrap(text: str, level: int, spare: float = 2 * PAD + 8) -> list[str]:
    room = WIDTH - _left(level) - spare
    return textwrap.wrap(text, int(room / SIGN)) or [""]


def _arrow(drawing: _Drawing, level: int) -> None:
    x = _left(level) + 14
    top, bottom = drawing.y, drawing.y + GAP
    drawing.parts.append(
        f'<path class="rs-arrow" d="M{x} {top:.0f}V{bottom - 1:.0f}m-3 -4l3 4l3 -4"/>'
    )
    drawing.y = bottom + 1


def _label(drawing: _Drawing, text: str, level: int) -> None:
    x = _left(level) + 4
    for line in _wrap(text, level):
        drawing.y += LINE
        drawing.parts.append(
            f'<text class="rs-when" x="{x}" y="{drawing.y - 4:.0f}">{html.escape(line)}</text>'
        )
    drawing.y += 3


def _box(drawing: _Drawing, step: CourseStep, level: int) -> None:
    x, y = _left(level), drawing.y
    mark = "? " if step.kind == "ask" else ""
    lines = _wrap(mark + step.text, level)
    height = len(lines) * LINE + PAD
    radius = 13 if step.kind == "ask" else 4
    body = (
        f'<rect class="rs-step rs-{step.kind}" x="{x}" y="{y:.0f}" width="{WIDTH - x - 4}" '
        f'height="{height}" rx="{radius}"/>'
    )
    for number, line in enumerate(lines):
        top = y + PAD / 2 + LINE * (number + 1) - 4
        body += (
            f'<text class="rs-on-{step.kind}" x="{x + PAD + 2}" y="{top:.0f}">'
            f"{html.escape(line)}</text>"
        )
    drawing.parts.append(f'<a href="#{step.link}">{body}</a>' if step.link else body)
    drawing.y += height


def _frame(drawing: _Drawing, step: CourseStep, level: int, label: str) -> None:
    """What is repeated, with a line that leads back up."""
    _label(drawing, label, level)
    start = drawing.y
    _inside(drawing, step.inside, level + 1)
    x, end = _left(level) + 5, drawing.y + 5
    drawing.parts.append(
        f'<path class="rs-loop" d="M{x + 10} {end:.0f}H{x}V{start:.0f}m-3 5l3 -5l3 5"/>'
    )
    drawing.y = end + 2


def _fork(drawing: _Drawing, step: CourseStep, level: int) -> None:
    """One step with a tag for each way to go on."""
    _box(drawing, step, level)
    drawing.y += 5
    x = _left(level) + INDENT
    for way in step.inside:
        width = len(way.text) * SIGN + 2 * PAD
        if x + width > WIDTH - 4 and x > _left(level) + INDENT:
            x = _left(level) + INDENT
            drawing.y += LINE + 9
        width = min(width, WIDTH - 4 - x)
        drawing.parts.append(
            f'<rect class="rs-step rs-way" x="{x:.0f}" y="{drawing.y:.0f}" width="{width:.0f}" '
            f'height="{LINE + 5}" rx="3"/><text x="{x + PAD:.0f}" y="{drawing.y + LINE - 2:.0f}">'
            f"{html.escape(way.text)}</text>"
        )
        x += width + 6
    drawing.y += LINE + 7
