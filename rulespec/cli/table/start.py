"""The start: which game, and how. Enter, and Enter once more, is enough; then the table is on the same screen."""

import asyncio
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input

from interpreter.saves import BadSave
from interpreter.session import Session
from interpreter.shown.picture import list_names
from rulespec import loading
from rulespec.catalogue import shipped_files
from rulespec.cli.table.app import PAUSE, TableApp, run_app
from rulespec.cli.table.chips import Chip, Part, Role, Row, chip, shorten
from rulespec.cli.table.controls import OfKey, OfLine
from rulespec.cli.table.frames import lay_keys
from rulespec.cli.table.menu import (
    LONGEST_NAME,
    PLAY,
    Choice,
    Form,
    Left,
    change,
    choose,
    lay_form,
    lines_of,
    open_form,
    rename,
    seats_of,
)
from rulespec.cli.table.pages import lay_text
from rulespec.cli.table.sheet import Sheet
from rulespec.cli.table.stage import Stage

_HEAD = re.compile(r'^game "(?P<title>[^"]+)"(?: by "(?P<author>[^"]+)")?', re.MULTILINE)
_PLAYERS = re.compile(r"^players (?P<least>\d+)(?:\.\.(?P<most>\d+))?", re.MULTILINE)
GAME_KEYS = (
    ("open", "⏎ choose"),
    ("open", "↑↓ move"),
    ("app.theme", "t light"),
    ("app.leave", "q leave"),
)
FORM_KEYS = (
    ("enter", "⏎ play"),
    ("enter", "↑↓ move"),
    ("change(1)", "←→ change"),
    ("name", "n name"),
    ("back", "esc other games"),
    ("app.leave", "q leave"),
)


GO_ON = "go on"
Wish = Choice | Left
SitDown = Callable[[Wish], Session]


class Wished(Message):
    """Somebody knows what to play."""

    def __init__(self, wish: Wish) -> None:
        super().__init__()
        self.wish = wish


def lay_left(left: Left) -> Row:
    """The game that was left."""
    many = "1 choice" if left.choices == 1 else f"{left.choices} choices"
    told = f"  {Path(left.game).stem}: {list_names(left.players)}, after {many}"
    parts = (Part("Go on with the last game", "strong"), Part(told, "muted"))
    return Row(((2, Chip(parts, OfLine(GO_ON))),))


def lay_games(paths: list[Path], left: Left | None, width: int) -> list[Row]:
    """The games by title; their files are only glanced at, so that nobody has to wait."""
    rows = [Row(), Row(((2, chip("Which game do you play?", "title")),)), Row()]
    if left is not None:
        rows += [lay_left(left), Row()]
    was_shipped = True
    for path in paths:
        text = loading.read_bytes(path).decode("utf-8", "replace")
        head, players = _HEAD.search(text), _PLAYERS.search(text)
        title = head["title"] if head is not None else path.stem
        author = head["author"] or "" if head is not None else ""
        many = ""
        if players is not None:
            many = f"{'–'.join(part for part in players.groups() if part)} players"
        is_shipped = path.parent == loading.GAMES
        if was_shipped and not is_shipped:
            rows += [Row(), Row(((2, chip("the same, changed", "muted")),))]
        was_shipped = is_shipped
        role: Role = "strong" if is_shipped else "text"
        parts = (Part(f"{shorten(title, 36):<36}", role), Part(f"  {author:<16} {many}", "muted"))
        rows.append(Row(((2, Chip(parts, OfLine(path.name))),)))
    return [Row(tuple((x, each) for x, each in row.chips if x < width)) for row in rows]


class _Board(Stage[None]):
    """A sheet between a heading and the keys."""

    DEFAULT_CSS = """
    _Board { layout: vertical; background: $felt; }
    _Board Sheet { width: 100%; }
    #start-head, #start-foot { height: 1; background: $bar; }
    #start-note { height: 4; background: $desk; }
    #start { height: 1fr; background: $felt; }
    """

    HOME = "#start"

    def parts(self) -> Iterable[Widget]:
        """Heading, lines, a note, keys."""
        yield Sheet("start-head", focusable=False)
        yield Sheet("start")
        yield Sheet("start-note", focusable=False)
        yield Sheet("start-foot", focusable=False)

    def sheet(self, name: str) -> Sheet:
        """A part of the screen."""
        return self.query_one(f"#{name}", Sheet)

    def note(self, text: str) -> None:
        """Say something below the lines."""
        self.sheet("start-note").show([Row(), *lay_text(text, self.size.width, "muted", 2)])

    def on_sheet_crossed(self, event: Sheet.Crossed) -> None:
        """There is nothing above or below."""
        event.stop()


class Games(_Board):
    """The shipped games."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "open", show=False)]

    def __init__(self, paths: list[Path], left: Left | None) -> None:
        super().__init__()
        self.paths, self.left = paths, left

    def draw(self) -> None:
        """The list."""
        width = self.size.width
        head = chip("rulespec", "strong")
        self.sheet("start-head").show([Row(((1, head),))])
        self.sheet("start").show(lay_games(self.paths, self.left, width))
        self.note(
            "`rulespec play FILE` plays any other file of rules; `rulespec games` tells more."
        )
        self.sheet("start-foot").show([lay_keys(GAME_KEYS, width)])

    def action_open(self) -> None:
        """Settle how the game is played."""
        pointed = self.sheet("start").pointed
        if self.left is not None and pointed == OfLine(GO_ON):
            self.post_message(Wished(self.left))
        for path in self.paths:
            if pointed == OfLine(path.name):
                self.app.push_screen(Settings(open_form(path)))

    async def on_sheet_chosen(self, event: Sheet.Chosen) -> None:
        """A game, or a key, was clicked."""
        if isinstance(event.subject, OfKey):
            await self.run_action(event.subject.action)
        else:
            self.action_open()


class Settings(_Board):
    """How a game is played."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "enter", show=False),
        Binding("left", "change(-1)", show=False, priority=True),
        Binding("right,space", "change(1)", show=False, priority=True),
        Binding("escape,backspace", "back", show=False),
        Binding("n", "name", show=False),
    ]

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form

    def draw(self) -> None:
        """The form, and a note on the line that is pointed at."""
        width, game = self.size.width, self.form.game
        by = f" by {game.author}" if game.author else ""
        title = Chip((Part(shorten(game.title, 40), "strong"), Part(by, "muted")))
        self.sheet("start-head").show([Row(((1, title),))])
        self.sheet("start").show(lay_form(self.form, width))
        self._draw_note()
        self.sheet("start-foot").show([lay_keys(FORM_KEYS, width)])

    def _draw_note(self) -> None:
        pointed = self._pointed()
        about = next((each.about for each in lines_of(self.form) if each.name == pointed), "")
        self.note(about)

    def _pointed(self) -> str:
        pointed = self.sheet("start").pointed
        return pointed.name if isinstance(pointed, OfLine) else PLAY

    def on_sheet_pointed(self) -> None:
        """Another line is pointed at."""
        self._draw_note()

    def action_change(self, step: int) -> None:
        """Settle the line otherwise."""
        self.form = change(self.form, self._pointed(), step)
        self.draw()

    def action_enter(self) -> None:
        """Play, or settle a line otherwise."""
        if self._pointed() == PLAY:
            self.post_message(Wished(choose(self.form)))
        else:
            self.action_change(1)

    def action_name(self) -> None:
        """Call a player by another name."""
        word, _, number = self._pointed().partition(" ")
        if word == "seat":
            name = seats_of(self.form)[int(number)].name
            self.app.push_screen(NamePage(name), lambda new: self._rename(int(number), new))
        else:
            self.note("Point at a player to change the name.")

    def _rename(self, seat: int, name: str | None) -> None:
        if name is None:
            return
        before, self.form = self.form, rename(self.form, seat, name)
        self.draw()
        if self.form is before:
            self.note(f"Nobody can be called {name} here: names differ, and You is you.")

    def action_back(self) -> None:
        """Another game after all."""
        self.app.pop_screen()

    async def on_sheet_chosen(self, event: Sheet.Chosen) -> None:
        """A line, or a key, was clicked."""
        if isinstance(event.subject, OfKey):
            await self.run_action(event.subject.action)
        else:
            self.action_enter()


class NamePage(ModalScreen[str | None]):
    """Where a name is typed."""

    DEFAULT_CSS = """
    NamePage { align: center middle; background: $background 60%; }
    NamePage > Input { width: 36; background: $desk; border: round $primary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", show=False)]

    def __init__(self, name: str) -> None:
        super().__init__(id="naming")
        self.old = name

    def compose(self) -> ComposeResult:
        """One line to type in."""
        line = Input(self.old, max_length=LONGEST_NAME)
        line.border_title = "Name"
        line.border_subtitle = "⏎ takes it, Esc does not"
        yield line

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """It is typed."""
        self.dismiss(event.value)

    def action_back(self) -> None:
        """The old name was better."""
        self.dismiss(None)


class StartApp(TableApp):
    """A table at which it is not settled yet what is played."""

    def __init__(self, sit_down: SitDown, left: Left | None = None, pause: float = PAUSE) -> None:
        super().__init__(pause=pause)
        self.sit_down, self.left = sit_down, left
        self._is_laying = False  # the table

    def get_default_screen(self) -> Screen[Any]:
        """The list of games."""
        return Games(shipped_files(), self.left)

    def on_wished(self, event: Wished) -> None:
        """Lay the table; a key that is pressed twice wants one game."""
        if not self._is_laying:
            self._is_laying = True
            self.run_worker(self._lay(event.wish), exit_on_error=True)

    async def _lay(self, wish: Wish) -> None:
        board = self.screen
        if isinstance(board, _Board):
            board.note("The table is being laid.")
        try:
            self.seat(await asyncio.to_thread(self.sit_down, wish))
        except BadSave as error:
            if isinstance(board, _Board):
                board.note(
                    f"This game cannot go on: it {error}. `rulespec play --resume` says more."
                )
            self._is_laying = False
            return
        await self.push_screen(self.desk)
        self.begin()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a name is typed, letters are letters."""
        if action == "leave" and isinstance(self.screen, NamePage):
            return False
        return super().check_action(action, parameters)


def run(sit_down: SitDown, left: Left | None) -> int:
    """Ask which game is to be played, and how; and play it. The exit code."""
    return run_app(StartApp(sit_down, left))
