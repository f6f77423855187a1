"""The start screens: choose a game, then set it up. Enter twice is enough; the table then uses the same screen."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input

from interpreter.errors import RuleFault, WrongRules
from interpreter.game_loading import load
from interpreter.saves import BadSave
from interpreter.session import Session
from interpreter.shown.picture import Scene, set_scene
from rulespec.catalogue import shipped_files
from rulespec.cli.table.app import PAUSE, TableApp, run_app
from rulespec.cli.table.chips import Chip, ChipRow, StyledText, chip, shorten_text
from rulespec.cli.table.controls import OfKey, OfLine
from rulespec.cli.table.game_list import GO_ON, Glance, glance, lay_games, tell_choices
from rulespec.cli.table.menu import (
    LONGEST_NAME,
    PLAY,
    Form,
    GameSetup,
    UnfinishedGame,
    change_line,
    finish_setup,
    form_lines,
    lay_form,
    open_form,
    rename_player,
    seats_of,
)
from rulespec.cli.table.screen_parts import lay_key_row
from rulespec.cli.table.sheet import Sheet
from rulespec.cli.table.sized_screen import SizedScreen
from rulespec.cli.table.text_screens import GamePage, lay_text
from rulespec.english import listed

GAME_KEYS = (
    ("open", "⏎ choose"),
    ("open", "↑↓ move"),
    ("rules", "g rules"),
    ("app.theme", "t light"),
    ("app.leave", "q leave"),
)
FORM_KEYS = (
    ("enter", "⏎ play"),
    ("enter", "↑↓ move"),
    ("change(1)", "←→ change"),
    ("name", "n name"),
    ("rules", "g rules"),
    ("back", "esc other games"),
    ("app.leave", "q leave"),
)


StartChoice = GameSetup | UnfinishedGame
SitDown = Callable[[StartChoice], Session]


class StartChosen(Message):
    """A game was chosen."""

    def __init__(self, choice: StartChoice) -> None:
        super().__init__()
        self.choice = choice


def read_scene(choice: GameSetup) -> Scene:
    """What everybody knows of a game as it is chosen."""
    game = load(choice.file, choice.variants, dict(choice.options))
    return set_scene(game.start([seat.name for seat in choice.seats], seed=0))


class _Board(SizedScreen[None]):
    """A sheet between a heading and the keys."""

    DEFAULT_CSS = """
    _Board { layout: vertical; background: $felt; }
    _Board Sheet { width: 100%; }
    #start-head, #start-foot { height: 1; background: $bar; }
    #start-note { height: 4; background: $pane; }
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
        self.sheet("start-note").show([ChipRow(), *lay_text(text, self.size.width, "muted", 2)])

    def on_sheet_crossed(self, event: Sheet.Crossed) -> None:
        """There is nothing above or below."""
        event.stop()

    def chosen(self) -> GameSetup | None:
        """The game that is pointed at, as it would be played."""
        raise NotImplementedError

    def action_rules(self) -> None:
        """What one should know to play."""
        choice = self.chosen()
        if choice is None:
            self.note("Point at a game to read its rules.")
        else:
            self.note("The rules are being read.")
            self.run_worker(self._show_rules(choice), exclusive=True)

    async def _show_rules(self, choice: GameSetup) -> None:
        try:
            scene = await asyncio.to_thread(read_scene, choice)
        except (WrongRules, RuleFault, ValueError):
            name = Path(choice.file).name
            self.note(f"These rules cannot be played: `rulespec check {name}` says why.")
            return
        if self.app.screen is self:
            self.draw()
            self.app.push_screen(GamePage(scene))


class Games(_Board):
    """Games that were left, and the shipped ones."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "open", show=False),
        Binding("g", "rules", show=False),
    ]

    def __init__(self, paths: Sequence[Path], unfinished: Sequence[UnfinishedGame]) -> None:
        super().__init__()
        self.games, self.unfinished = [glance(path) for path in paths], unfinished

    def draw(self) -> None:
        """The list, and a note on the line that is pointed at."""
        width = self.size.width
        head = chip("rulespec", "strong")
        self.sheet("start-head").show([ChipRow(((1, head),))])
        self.sheet("start").show(lay_games(self.games, self.unfinished, width))
        self._draw_note()
        self.sheet("start-foot").show([lay_key_row(GAME_KEYS, width)])

    def _draw_note(self) -> None:
        found = self._pointed()
        match found:
            case UnfinishedGame():
                names = listed(found.players)
                told = f"{found.standing}, {tell_choices(found)}" if found.standing else ""
                self.note(f"{names}: {told or tell_choices(found)}.")
            case Glance() if found.about:
                self.note(found.about)
            case _:
                self.note("`rulespec play FILE` plays any other file of rules.")

    def _pointed(self) -> UnfinishedGame | Glance | None:
        pointed = self.sheet("start").pointed
        for number, left in enumerate(self.unfinished):
            if pointed == OfLine(f"{GO_ON} {number}"):
                return left
        return next((each for each in self.games if pointed == OfLine(each.path.name)), None)

    def on_sheet_pointed(self) -> None:
        """Another line is pointed at."""
        self._draw_note()

    def chosen(self) -> GameSetup | None:
        """The game that is pointed at, as it is usually played."""
        found = self._pointed()
        return finish_setup(open_form(found.path)) if isinstance(found, Glance) else None

    def action_open(self) -> None:
        """Resume a game, or set up a new one."""
        found = self._pointed()
        match found:
            case UnfinishedGame():
                self.post_message(StartChosen(found))
            case Glance():
                self.app.push_screen(Settings(open_form(found.path)))

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
        Binding("g", "rules", show=False),
    ]

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form

    def draw(self) -> None:
        """The form, and a note on the line that is pointed at."""
        width, game = self.size.width, self.form.game
        by = f" by {game.author}" if game.author else ""
        title = Chip((StyledText(shorten_text(game.title, 40), "strong"), StyledText(by, "muted")))
        self.sheet("start-head").show([ChipRow(((1, title),))])
        self.sheet("start").show(lay_form(self.form, width))
        self._draw_note()
        self.sheet("start-foot").show([lay_key_row(FORM_KEYS, width)])

    def _draw_note(self) -> None:
        pointed = self._pointed()
        about = next((each.about for each in form_lines(self.form) if each.name == pointed), "")
        self.note(about)

    def _pointed(self) -> str:
        pointed = self.sheet("start").pointed
        return pointed.name if isinstance(pointed, OfLine) else PLAY

    def on_sheet_pointed(self) -> None:
        """Another line is pointed at."""
        self._draw_note()

    def chosen(self) -> GameSetup | None:
        """The game as the form describes it."""
        return finish_setup(self.form)

    def action_change(self, step: int) -> None:
        """Change the value of the line."""
        self.form = change_line(self.form, self._pointed(), step)
        self.draw()

    def action_enter(self) -> None:
        """Play, or change the value of a line."""
        if self._pointed() == PLAY:
            self.post_message(StartChosen(finish_setup(self.form)))
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
        before, self.form = self.form, rename_player(self.form, seat, name)
        self.draw()
        if self.form is before:
            self.note(f"Nobody can be called {name} here: names differ, and You is you.")

    def action_back(self) -> None:
        """Back to the list of games."""
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
    NamePage > Input { width: 36; background: $pane; border: round $primary; }
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
    """The table before a game is chosen."""

    def __init__(
        self,
        sit_down: SitDown,
        unfinished: Sequence[UnfinishedGame] = (),
        pause: float = PAUSE,
        *,
        warns: bool = False,
    ) -> None:
        super().__init__(pause=pause, warns=warns)
        self.sit_down, self.unfinished = sit_down, unfinished
        self._is_laying = False  # the table

    def get_default_screen(self) -> Screen[Any]:
        """The list of games."""
        return Games(shipped_files(), self.unfinished)

    def on_start_chosen(self, event: StartChosen) -> None:
        """Set up the table; a key that is pressed twice starts one game only."""
        if not self._is_laying:
            self._is_laying = True
            self.run_worker(self._lay(event.choice), exit_on_error=True)

    async def _lay(self, choice: StartChoice) -> None:
        board = self.screen
        if isinstance(board, _Board):
            board.note("The table is being laid.")
        try:
            self.seat(await asyncio.to_thread(self.sit_down, choice))
        except BadSave as error:
            if isinstance(board, _Board):
                board.note(
                    f"This game cannot go on: it {error}. `rulespec play --resume` says more."
                )
            self._is_laying = False
            return
        await self.push_screen(self.game_screen)
        self.begin()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a name is typed, letters are letters."""
        if action == "leave" and isinstance(self.screen, NamePage):
            return False
        return super().check_action(action, parameters)


def run(sit_down: SitDown, unfinished: Sequence[UnfinishedGame], *, warns: bool) -> int:
    """Ask which game is to be played, and how; and play it. The exit code."""
    return run_app(StartApp(sit_down, unfinished, warns=warns))
