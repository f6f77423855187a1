"""The base of all screens: in a terminal that is too small it says how large it must be, and waits."""

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from rulespec.cli.table.chips import ChipRow, Role, chip, wrap_text
from rulespec.cli.table.sheet import Sheet

LEAST = Size(60, 18)
Result = TypeVar("Result")


class SizedScreen(Screen[Result]):
    """What all whole screens have in common."""

    DEFAULT_CSS = """
    SizedScreen #cramped { display: none; width: 100%; height: 100%; background: $bar; }
    SizedScreen.-cramped > * { display: none; }
    SizedScreen.-cramped > #cramped { display: block; }
    """

    HOME: ClassVar[str] = ""  # where the pointer is at first

    def parts(self) -> Iterable[Widget]:
        """What is on this screen."""
        raise NotImplementedError

    def draw(self) -> None:
        """Lay everything out for the size that the screen has."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Its own parts, and what is shown instead if there is no room for them."""
        yield from self.parts()
        yield Sheet("cramped", focusable=False)

    @property
    def is_cramped(self) -> bool:
        """Whether there is too little room."""
        width, height = self.app.size
        return width < LEAST.width or height < LEAST.height

    def on_mount(self) -> None:
        self.on_resize()

    def on_resize(self) -> None:
        """Draw anew, if there is room for it."""
        self.set_class(self.is_cramped, "-cramped")
        if self.is_cramped:
            width, height = self.app.size
            self.query_one("#cramped", Sheet).show(lay_complaint(width, height))
        else:
            self.draw()
            # What was hidden for want of room has lost its pointer.
            if self.HOME and self.focused is None:
                self.query_one(self.HOME).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """What nobody can see nobody should change."""
        return not self.is_cramped


def lay_complaint(width: int, height: int) -> list[ChipRow]:
    """How large the terminal must be."""
    text = (
        f"The table needs {LEAST.width} columns and {LEAST.height} lines, but this window has {width} and"
        f" {height}. Enlarge the window, or leave with q: the game is kept."
    )
    lines = wrap_text(text, max(10, width - 2))
    above = [ChipRow()] * max(0, (height - len(lines)) // 2)
    return [*above, *(centred(line, "text", width) for line in lines)]


def centred(text: str, role: Role, width: int) -> ChipRow:
    """A line in the middle of a screen."""
    found = chip(text, role)
    return ChipRow(((max(0, (width - found.width) // 2), found),)) if text else ChipRow()
