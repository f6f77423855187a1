"""The start: which game, and how. Enter, and Enter once more, is enough."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.widget import Widget

from rulespec import loading
from rulespec.cli.games import shipped_files
from rulespec.cli.table.chips import Chip, Part, Role, Row, chip, shorten
from rulespec.cli.table.frames import lay_keys
from rulespec.cli.table.menu import (
    PLAY,
    Choice,
    Form,
    change,
    choose,
    lay_form,
    lines_of,
    open_form,
)
from rulespec.cli.table.pages import lay_text
from rulespec.cli.table.sheet import Sheet
from rulespec.cli.table.stage import Stage
from rulespec.cli.table.styles import DARK, LIGHT, preferred, themes
from rulespec.cli.table.subjects import OfKey, OfLine

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
    ("back", "esc other games"),
    ("app.leave", "q leave"),
)


def lay_games(paths: list[Path], width: int) -> list[Row]:
    """The games by title; their files are only glanced at, so that nobody has to wait."""
    rows = [Row(), Row(((2, chip("Which game do you play?", "title")),)), Row()]
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

    def on_sheet_crossed(self, event: Sheet.Crossed) -> None:
        """There is nothing above or below."""
        event.stop()


class Games(_Board):
    """The shipped games."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "open", show=False)]

    def __init__(self, paths: list[Path]) -> None:
        super().__init__()
        self.paths = paths

    def draw(self) -> None:
        """The list."""
        width = self.size.width
        head = chip("rulespec", "strong")
        self.sheet("start-head").show([Row(((1, head),))])
        self.sheet("start").show(lay_games(self.paths, width))
        note = "`rulespec play FILE` plays any other file of rules; `rulespec games` tells more."
        self.sheet("start-note").show([Row(), *lay_text(note, width, "muted", 2)])
        self.sheet("start-foot").show([lay_keys(GAME_KEYS, width)])

    def action_open(self) -> None:
        """Settle how the game is played."""
        pointed = self.sheet("start").pointed
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
        self.sheet("start-note").show([Row(), *lay_text(about, self.size.width, "muted", 2)])

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
            self.app.exit(choose(self.form))
        else:
            self.action_change(1)

    def action_back(self) -> None:
        """Another game after all."""
        self.app.pop_screen()

    async def on_sheet_chosen(self, event: Sheet.Chosen) -> None:
        """A line, or a key, was clicked."""
        if isinstance(event.subject, OfKey):
            await self.run_action(event.subject.action)
        else:
            self.action_enter()


class StartApp(App[Choice]):
    """Everything before a game."""

    TITLE = "rulespec"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False  # a mouse points at cards, not at letters
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+c,ctrl+q", "leave", show=False, priority=True),
        Binding("t", "theme", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        for theme in themes():
            self.register_theme(theme)
        self.theme = preferred()

    def on_mount(self) -> None:
        self.push_screen(Games(shipped_files()))

    def action_theme(self) -> None:
        """Light or dark."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def action_leave(self) -> None:
        """Play nothing."""
        self.exit(None)


def choose_game() -> Choice | None:
    """Ask which game is to be played, and how; None if somebody leaves."""
    return StartApp().run()
