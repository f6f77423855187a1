"""The one widget: rows of chips, a pointer that moves among them, and what is pointed at.

It draws line by line and keeps its place when its rows change, so that nothing flickers or jumps.
"""

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from rulespec.cli.table.chips import Chip, ChipRow
from rulespec.cli.table.controls import Target
from rulespec.cli.table.styles import DARK, POINTER, SCHEMES, Scheme, card_ground, style_of

_RIGHT_BUTTON = 3


class Sheet(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of chips on a screen."""

    DEFAULT_CSS = """
    Sheet { scrollbar-size-vertical: 1; scrollbar-gutter: auto; overflow-x: hidden; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "point('up')", show=False),
        Binding("down", "point('down')", show=False),
        Binding("left", "point('left')", show=False),
        Binding("right", "point('right')", show=False),
        Binding("home", "point('home')", show=False),
        Binding("end", "point('end')", show=False),
    ]

    class Chosen(Message):
        """Something was clicked."""

        def __init__(self, sheet: "Sheet", subject: Target) -> None:
            super().__init__()
            self.sheet, self.subject = sheet, subject

    class Questioned(Chosen):
        """Something was clicked with the other button: why is it so?"""

    class Pointed(Message):
        """The pointer has moved."""

        def __init__(self, sheet: "Sheet") -> None:
            super().__init__()
            self.sheet = sheet

    class Hovered(Message):
        """The mouse has moved to something, or to nothing."""

        def __init__(self, subject: Target | None) -> None:
            super().__init__()
            self.subject = subject

    class Crossed(Message):
        """The pointer has left the sheet, upwards or downwards."""

        def __init__(self, sheet: "Sheet", step: int) -> None:
            super().__init__()
            self.sheet, self.step = sheet, step

    def __init__(self, name: str, *, focusable: bool = True) -> None:
        super().__init__(id=name)
        self.can_focus = focusable
        self.rows: Sequence[ChipRow] = ()
        self.pointed: Target | None = None
        self._hovered: Target | None = None

    # ---- What is shown ----

    def show(self, rows: Sequence[ChipRow], pointed: Target | None = None) -> None:
        """Show other rows; the pointer stays where it was if that is still there."""
        self.rows = rows
        subjects = self.subjects
        wanted = self.pointed if pointed is None else pointed
        if wanted not in subjects:
            wanted = subjects[0] if subjects else None
        self.pointed = wanted
        self.virtual_size = Size(self.size.width, len(self.rows))
        self.refresh()

    @property
    def height_needed(self) -> int:
        """The number of lines of all rows."""
        return len(self.rows)

    @property
    def subjects(self) -> list[Target]:
        """All that can be pointed at, in reading order."""
        found = (chip.subject for row in self.rows for _, chip in row.chips)
        return list(dict.fromkeys(subject for subject in found if subject is not None))

    @property
    def scheme(self) -> Scheme:
        """The colours of the theme in force."""
        return SCHEMES.get(self.app.theme, DARK)

    # ---- Drawing ----

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        number = y + self.scroll_offset.y
        width = self.size.width
        colour = self.rich_style.bgcolor
        ground = colour.get_truecolor().hex if colour is not None else self.scheme.paper
        blank = Style(bgcolor=ground)
        if number >= len(self.rows):
            return Strip.blank(width, blank)
        segments: list[Segment] = []
        at = 0
        for x, chip in self.rows[number].chips:
            pointed = self.has_focus and chip.subject is not None and chip.subject == self.pointed
            gap = x - at
            if pointed and chip.level == 0 and gap > 0:
                segments.append(Segment(" " * (gap - 1), blank))
                segments.append(Segment(POINTER, Style(color=self.scheme.accent, bgcolor=ground)))
            else:
                segments.append(Segment(" " * gap, blank))
            segments += self._chip(chip, ground, pointed=pointed)
            at = x + chip.width
        return Strip(segments).adjust_cell_length(width, blank)

    def _chip(self, chip: Chip, ground: str, *, pointed: bool) -> list[Segment]:
        found = []
        for part in chip.parts:
            if chip.level == 0:
                style = style_of(self.scheme, part, chip.mark, ground, pointed=pointed)
                found.append(Segment(part.text, style))
                continue
            card = card_ground(self.scheme, part, chip.mark, ground)
            width = cell_len(part.text)
            if card is None:
                found.append(Segment(" " * width, Style(bgcolor=ground)))
            else:
                half = "▄" if chip.level < 0 else "▀"
                found.append(Segment(half * width, Style(color=card, bgcolor=ground)))
        return found

    def on_resize(self, event: events.Resize) -> None:
        """The rows are laid out anew by whoever made them."""
        self.virtual_size = Size(event.size.width, len(self.rows))

    # ---- Pointing ----

    def point_at(self, subject: Target | None) -> None:
        """Move the pointer, and the lines so that it is seen."""
        self.pointed = subject
        self.post_message(self.Pointed(self))
        lines = [n for n, row in enumerate(self.rows) if _holds(row, subject)]
        if lines:
            top, height = self.scroll_offset.y, self.size.height
            if lines[0] < top:
                self.scroll_to(y=lines[0], animate=False)
            elif lines[-1] >= top + height:
                self.scroll_to(y=lines[-1] - height + 1, animate=False)
        self.refresh()

    def action_point(self, where: str) -> None:
        """Move the pointer one step."""
        subjects = self.subjects
        if not subjects:
            self.post_message(self.Crossed(self, -1 if where == "up" else 1))
            return
        place = subjects.index(self.pointed) if self.pointed in subjects else 0
        match where:
            case "left":
                self.point_at(subjects[max(0, place - 1)])
            case "right":
                self.point_at(subjects[min(len(subjects) - 1, place + 1)])
            case "home":
                self.point_at(subjects[0])
            case "end":
                self.point_at(subjects[-1])
            case _:
                step = -1 if where == "up" else 1
                found = self._neighbour(step)
                if found is None:
                    self.post_message(self.Crossed(self, step))
                else:
                    self.point_at(found)

    def _neighbour(self, step: int) -> Target | None:
        """What stands above or below the pointer, nearest to its column."""
        here = [n for n, row in enumerate(self.rows) if _holds(row, self.pointed)]
        if not here:
            return None
        column = _middle(self.rows[here[0]], self.pointed)
        numbers = range(here[0] - 1, -1, -1) if step < 0 else range(here[-1] + 1, len(self.rows))
        for number in numbers:
            others = [
                (x, chip)
                for x, chip in self.rows[number].chips
                if chip.level == 0 and chip.subject not in (None, self.pointed)
            ]
            if others:
                return min(others, key=lambda pair: abs(pair[0] + pair[1].width / 2 - column))[
                    1
                ].subject
        return None

    def scroll_page(self, step: int) -> None:
        """Scroll by a screen."""
        self.scroll_to(y=self.scroll_offset.y + step * max(1, self.size.height - 1), animate=False)

    def on_click(self, event: events.Click) -> None:
        """Point at what was clicked, and tell."""
        subject = self.subject_at(event.x, event.y)
        if subject is None:
            return
        event.stop()
        if self.can_focus:
            self.focus()
            self.point_at(subject)
        kind = self.Questioned if event.button == _RIGHT_BUTTON else self.Chosen
        self.post_message(kind(self, subject))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell what the mouse is on."""
        self._hover(self.subject_at(event.x, event.y))

    def on_leave(self) -> None:
        """The mouse is on nothing here any more."""
        self._hover(None)

    def _hover(self, subject: Target | None) -> None:
        if subject != self._hovered:
            self._hovered = subject
            self.post_message(self.Hovered(subject))

    def subject_at(self, x: int, y: int) -> Target | None:
        """What stands at a place of the widget."""
        number = y + self.scroll_offset.y
        if not 0 <= number < len(self.rows):
            return None
        for left, chip in self.rows[number].chips:
            if left <= x < left + chip.width:
                return chip.subject
        return None


def _holds(row: ChipRow, subject: Target | None) -> bool:
    return any(chip.subject == subject for _, chip in row.chips)


def _middle(row: ChipRow, subject: Target | None) -> float:
    found = [x + chip.width / 2 for x, chip in row.chips if chip.subject == subject]
    return found[0] if found else 0
