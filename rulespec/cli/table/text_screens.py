"""Screens of text: an explanation, the whole story, the keys, a mistake in the rules; and the curtain."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widget import Widget

from interpreter.shown.booklet import Clause
from interpreter.shown.explanations import explain
from interpreter.shown.picture import Scene
from interpreter.shown.reasons import Reason
from interpreter.shown.reference import ReferenceCard, lay_reference, make_reference
from interpreter.shown.result_lines import lay_account, lay_sheet
from interpreter.shown.sights import Sight
from rulespec.cli.table.chips import (
    Chip,
    ChipRow,
    Role,
    StyledText,
    chip,
    shorten_text,
    wrap_code,
    wrap_text,
)
from rulespec.cli.table.controls import Control, Target
from rulespec.cli.table.sheet import Sheet
from rulespec.cli.table.sized_screen import SizedScreen, centred
from rulespec.cli.table.story_rows import lay_story

_WIDEST = 100
KEYS = (
    ("↑ ↓ ← →", "point at something; Tab goes to the table, the story and back"),
    ("Enter", "choose what is pointed at; when cards are ticked, take them"),
    ("1 2 3 …", "choose by number; numbers may have several digits"),
    ("Space", "tick a card, or untick it; while others move, go on at once"),
    ("s", "how long each move rests on the screen: slow, normal, fast, no rest"),
    ("b n", "look back at the moment before, and at the next one; Esc returns"),
    ("p", "stop the bots before their next move, and let them go on"),
    ("?", "why? the rule behind an option, a card, a zone, a counter, a sentence"),
    ("g", "the game: its goal, a turn, points, what ends it"),
    ("h", "ask for a hint: how a bot would choose, and what it thinks of the options"),
    ("u", "undo, as long as you have learnt nothing since"),
    ("l", "what happened since your last choice; in the end, the whole story"),
    ("v", "show everything: all cards of piles, empty zones, idle counters"),
    ("t", "light or dark"),
    ("q", "leave; the game is kept, and `rulespec play --resume` goes on"),
    ("mouse", "click options, cards, zones, players; the right button asks why"),
    ("signs", "▶ whose move it is, • may be chosen, ◂ came here since you chose, ★ is mentioned"),
)


def text_row(text: str, role: Role = "text", left: int = 1) -> ChipRow:
    """A line of text."""
    return ChipRow(((left, chip(text, role)),)) if text else ChipRow()


def lay_text(text: str, width: int, role: Role = "text", left: int = 1) -> list[ChipRow]:
    """A paragraph."""
    return [text_row(line, role, left) for line in wrap_text(text, width - left - 1)]


def lay_reason(reason: Reason, width: int, *, formal: bool = True) -> list[ChipRow]:
    """An explanation as a page, with the rules as they are written or without them."""
    rows = [*lay_text(reason.title, width, "title"), ChipRow()]
    for sentence in reason.sentences:
        rows += lay_text(sentence, width)
    rows += _lay_accounts(reason, width)
    rows += _lay_clauses(reason, width) if formal else []
    for quote in reason.quotes:
        if formal or quote.sentence is not None:
            rows.append(ChipRow())
        if quote.sentence is not None:
            rows += lay_text(quote.sentence, width)
        if not formal:
            continue
        rows.append(text_row(quote.place, "muted"))
        for line in quote.text.split("\n"):
            rows += [
                ChipRow(((1, Chip((StyledText("│ ", "accent"), StyledText(each)))),))
                for each in wrap_code(line, width - 4)
            ]
    return rows


def _lay_accounts(reason: Reason, width: int) -> list[ChipRow]:
    """How a score came about, table by table."""
    tables = [lay_account(each) for each in reason.accounts]
    if reason.sheet is not None:
        tables.append(lay_sheet(reason.sheet))
    rows: list[ChipRow] = []
    for lines in tables:
        rows.append(ChipRow())
        rows += [text_row(each) for line in lines for each in wrap_code(line, width - 2)]
    return rows


def _lay_clauses(reason: Reason, width: int) -> list[ChipRow]:
    """The clauses by section, and what is said of them, each of it once."""
    sections: dict[str, list[Clause]] = {}
    for clause in reason.clauses:
        sections.setdefault(clause.section, []).append(clause)
    said = " ".join(reason.sentences)
    rows: list[ChipRow] = []
    for section, clauses in sections.items():
        names = " ".join(clause.name for clause in clauses)
        rows += [ChipRow(), *lay_text(names, width, "strong")]
        last = rows[-1].chips[0][1]
        if section and last.width + len(section) + 4 < width:
            rows[-1] = ChipRow(((1, Chip((*last.parts, StyledText(f"  {section}", "muted")))),))
        for text in dict.fromkeys(text for clause in clauses for text in clause.texts):
            if text not in said:
                said += text
                rows += lay_text(text, width, "muted", 3)
    return rows


def lay_keys(width: int) -> list[ChipRow]:
    """What keys there are."""
    rows = [text_row("Keys", "title"), ChipRow()]
    for key, meaning in KEYS:
        lines = wrap_text(meaning, width - 13)
        rows.append(ChipRow(((1, chip(key, "accent")), (11, chip(lines[0])))))
        rows += [text_row(line, left=11) for line in lines[1:]]
    return rows


class Page(ModalScreen[None]):
    """Text over the table; any key that does not scroll goes back."""

    DEFAULT_CSS = """
    Page { align: center middle; background: $background 60%; }
    Page > Sheet { background: $pane; border: round $primary; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,question_mark,f1,l", "back", show=False),
        Binding("pageup", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(1)", show=False),
    ]

    def __init__(self, name: str) -> None:
        super().__init__(id=name)

    def compose(self) -> ComposeResult:
        """One sheet."""
        sheet = Sheet("page")
        sheet.border_subtitle = "↑ ↓ PgUp PgDn scroll · Esc closes"
        yield sheet

    def rows(self, width: int) -> Sequence[ChipRow]:
        """What is shown, for some width."""
        raise NotImplementedError

    def on_mount(self) -> None:
        self._lay()

    def on_resize(self) -> None:
        self._lay()

    def _lay(self) -> None:
        sheet = self.query_one(Sheet)
        width = min(_WIDEST, self.size.width - 4)
        rows = self.rows(width - 5)
        sheet.show(rows)
        sheet.styles.width = width
        sheet.styles.height = min(self.size.height - 2, sheet.height_needed + 2)

    def on_sheet_crossed(self, event: Sheet.Crossed) -> None:
        """Without anything to point at, the arrows scroll."""
        event.sheet.scroll_to(y=event.sheet.scroll_offset.y + event.step, animate=False)

    def action_scroll(self, step: int) -> None:
        """Scroll by a screen."""
        self.query_one(Sheet).scroll_page(step)

    def action_back(self) -> None:
        """Close the page."""
        self.dismiss()

    def on_click(self, event: events.Click) -> None:
        """A click beside the page closes it."""
        if event.widget is self:
            self.dismiss()


class ReasonPage(Page):
    """Why something is so, in sentences; a key shows the rules as they are written."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("c", "formal", show=False)]

    def __init__(self, reason: Reason) -> None:
        super().__init__("reason")
        self.reason = reason
        # Where nobody has put it into words, the rules themselves have to do.
        said = (*reason.sentences, *(quote.sentence for quote in reason.quotes if quote.sentence))
        self.is_formal = not said

    def rows(self, width: int) -> Sequence[ChipRow]:
        return lay_reason(self.reason, width, formal=self.is_formal)

    def on_mount(self) -> None:
        super().on_mount()
        if self.reason.quotes:
            self.query_one(Sheet).border_title = "c shows or hides the rules as they are written"

    def action_formal(self) -> None:
        """Show the rules as they are written, or hide them."""
        self.is_formal = not self.is_formal
        self._lay()


class StoryPage(Page):
    """All that happened so far."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark", "why", show=False)]

    def __init__(self, sight: Sight) -> None:
        super().__init__("whole-story")
        self.sight = sight

    def rows(self, width: int) -> Sequence[ChipRow]:
        return lay_story(self.sight.story, self.sight.new, width)

    def on_mount(self) -> None:
        """The newest is read first."""
        super().on_mount()
        sheet = self.query_one(Sheet)
        if sheet.subjects:
            self.call_after_refresh(sheet.point_at, sheet.subjects[-1])

    def action_why(self) -> None:
        """Explain a sentence."""
        pointed = self.query_one(Sheet).pointed
        if pointed is not None:
            self._explain(pointed)

    def on_sheet_chosen(self, event: Sheet.Chosen) -> None:
        """A sentence was clicked."""
        event.stop()
        self._explain(event.subject)

    def _explain(self, subject: Target) -> None:
        reason = None if isinstance(subject, Control) else explain(self.sight, None, subject)
        if reason is not None:
            self.app.push_screen(ReasonPage(reason))


def lay_game(reference: ReferenceCard, width: int) -> list[ChipRow]:
    """What one should know to play, as a page."""
    rows = lay_text(reference.title, width, "title")
    for title, lines in lay_reference(reference):
        rows += [ChipRow(), *([text_row(title, "strong")] if title else [])]
        for line in lines:
            # Only tables have blanks side by side.
            is_table = "  " in line
            rows += [text_row(line)] if is_table else lay_text(line, width)
    return rows


class GamePage(Page):
    """The goal, a turn, points and the end."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("g", "back", show=False)]

    def __init__(self, scene: Scene) -> None:
        super().__init__("game")
        self.reference = make_reference(scene)

    def rows(self, width: int) -> Sequence[ChipRow]:
        return lay_game(self.reference, width)


class KeysPage(Page):
    """The keys."""

    def __init__(self) -> None:
        super().__init__("keys")

    def rows(self, width: int) -> Sequence[ChipRow]:
        return lay_keys(width)


class FaultPage(Page):
    """A mistake in the rules that showed while playing."""

    def __init__(self, diagnostic: str, advice: str) -> None:
        super().__init__("fault")
        self.diagnostic, self.advice = diagnostic, advice

    def rows(self, width: int) -> Sequence[ChipRow]:
        return [
            text_row("The rules cannot go on", "bad"),
            ChipRow(),
            *(text_row(line) for line in self.diagnostic.rstrip().split("\n")),
            ChipRow(),
            *lay_text(self.advice, width),
        ]


class Curtain(SizedScreen[None]):
    """Between two players at one screen: nothing is seen until the next one says so."""

    DEFAULT_CSS = """
    Curtain { background: $felt; }
    #curtain-text { width: 100%; height: 100%; background: $felt; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "raise", show=False)]

    def __init__(self, name: str) -> None:
        super().__init__(id="curtain")
        self.player = name
        self.raised = asyncio.Event()

    def parts(self) -> Iterable[Widget]:
        """One sheet that cannot be pointed into."""
        yield Sheet("curtain-text", focusable=False)

    def draw(self) -> None:
        """A few words in the middle."""
        width, height = self.size
        name = shorten_text(self.player, width - 32)
        lines: tuple[tuple[str, Role], ...] = (
            (f"Pass the screen to {name}.", "title"),
            ("", "text"),
            (f"Press Enter when {name} is looking.", "text"),
            ("", "text"),
            ("q leaves; the game is kept.", "muted"),
        )
        above = [ChipRow()] * max(0, (height - len(lines)) // 2)
        rows = [*above, *(centred(line, role, width) for line, role in lines)]
        self.query_one("#curtain-text", Sheet).show(rows)

    def action_raise(self) -> None:
        """The next player is looking."""
        self.raised.set()
