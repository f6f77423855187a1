"""A finished game -> a screen that steps through its choices, with all cards open."""

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from interpreter.match import Match
from interpreter.shown.lookback import Moment, look_at
from interpreter.shown.picture import Scene
from interpreter.shown.subjects import Marks
from rulespec.cli.table.board import lay_board
from rulespec.cli.table.chips import Chip, ChipRow, StyledText, chip, shorten_text
from rulespec.cli.table.controls import OfKey
from rulespec.cli.table.screen_parts import lay_key_row
from rulespec.cli.table.sheet import Sheet
from rulespec.cli.table.sized_screen import SizedScreen
from rulespec.cli.table.text_screens import lay_text

FOOT = (
    ("step(-1)", "← back"),
    ("step(1)", "→ on"),
    ("step(-10)", "PgUp ten back"),
    ("step(10)", "PgDn ten on"),
    ("back", "esc the result"),
    ("app.leave", "q leave"),
)
_TOLD = 7  # lines below the table


def lay_moment(moment: Moment, width: int) -> list[ChipRow]:
    """What led here, what was asked then, and the answer."""
    told = " ".join(f"{each.removesuffix('.')}." for each in moment.told)
    rows = lay_text(told, width, "muted")[: _TOLD - 3] if told else []
    if not moment.question:
        return [*rows, *lay_text("Here the game was over.", width, "strong")]
    asked = lay_text(moment.question, width, "strong")[:2]
    answer = Chip((StyledText("→ ", "accent"), StyledText(shorten_text(moment.answer, width - 4))))
    return [*rows, *asked, ChipRow(((1, answer),))]


class Lookback(SizedScreen[None]):
    """The table as it was."""

    DEFAULT_CSS = f"""
    Lookback {{ layout: vertical; background: $felt; }}
    Lookback Sheet {{ width: 100%; }}
    #past-head, #past-foot {{ height: 1; background: $bar; }}
    #past-board {{ height: 1fr; background: $felt; }}
    #past-told {{ height: {_TOLD}; background: $pane; }}
    """
    HOME = "#past-board"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False, priority=True),
        Binding("right,space", "step(1)", show=False, priority=True),
        Binding("pageup", "step(-10)", show=False, priority=True),
        Binding("pagedown", "step(10)", show=False, priority=True),
        Binding("home", "step(-1000000)", show=False, priority=True),
        Binding("end", "step(1000000)", show=False, priority=True),
        Binding("escape,enter,b", "back", show=False, priority=True),
    ]

    def __init__(self, match: Match, scene: Scene) -> None:
        super().__init__(id="lookback")
        self.match, self.scene = match, scene
        self.moment = look_at(match, scene, len(match.choices))

    def parts(self) -> Iterable[Widget]:
        """The table between a heading, what happened, and the keys."""
        yield Sheet("past-head", focusable=False)
        yield Sheet("past-board")
        yield Sheet("past-told", focusable=False)
        yield Sheet("past-foot", focusable=False)

    def draw(self) -> None:
        """The moment, for the size that the screen has."""
        width, height = self.size
        moment = self.moment
        where = f"after {moment.number} of {moment.count} choices"
        title = chip(shorten_text(self.scene.title, width - len(where) - 4), "strong")
        heading = ChipRow(((1, title), (width - len(where) - 1, chip(where, "accent"))))
        board = lay_board(moment.picture, Marks(), width, height - _TOLD - 2, everything=False)
        self.query_one("#past-head", Sheet).show([heading])
        self.query_one("#past-board", Sheet).show(board)
        self.query_one("#past-told", Sheet).show(lay_moment(moment, width))
        self.query_one("#past-foot", Sheet).show([lay_key_row(FOOT, width)])

    def action_step(self, by: int) -> None:
        """Go on, or back, by some choices."""
        number = min(max(self.moment.number + by, 0), self.moment.count)
        if number != self.moment.number:
            self.moment = look_at(self.match, self.scene, number)
            self.draw()

    def action_back(self) -> None:
        """The result again."""
        self.dismiss(None)

    async def on_sheet_chosen(self, event: Sheet.Chosen) -> None:
        """A key was clicked."""
        event.stop()
        if isinstance(event.subject, OfKey):
            await self.run_action(event.subject.action)
