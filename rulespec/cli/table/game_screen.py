"""The main screen: the table, what happened, the question and its answers.

It shows a `Sight`, and tells the app what was answered; the game itself it never touches.
"""

from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve
from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget

from interpreter.headings import Heading
from interpreter.shown.explanations import (
    explain,
    first_lit,
    is_lit,
    item_at,
    subject_of,
    tell_card,
)
from interpreter.shown.offers import Item, Offer, mark_targets
from interpreter.shown.player_aids import list_facts
from interpreter.shown.selection import Selection, chosen_option, empty_selection, tell_need, toggle
from interpreter.shown.sights import Sight
from interpreter.shown.subjects import (
    OfCards,
    OfCounter,
    OfDone,
    OfElement,
    OfOption,
    OfPlayer,
    OfSentence,
    OfZone,
)
from rulespec.cli.table.answer_rows import Opinions, lay_answers
from rulespec.cli.table.board import DrawnBoard, heights, lay_steady_board
from rulespec.cli.table.chips import ChipRow
from rulespec.cli.table.controls import Control, OfKey, Target
from rulespec.cli.table.number_keys import type_digit, typed
from rulespec.cli.table.screen_parts import (
    Division,
    divide,
    facts_height,
    lay_facts,
    lay_foot,
    lay_head,
    lay_question,
    main_width,
)
from rulespec.cli.table.sheet import Sheet
from rulespec.cli.table.sized_screen import SizedScreen
from rulespec.cli.table.story_rows import lay_story
from rulespec.cli.table.text_screens import GamePage, KeysPage, ReasonPage, StoryPage

_MOST_TOLD = 200  # sentences beside the table; the whole story has a page


class GameScreen(SizedScreen[None]):
    """The table on a screen."""

    DEFAULT_CSS = """
    GameScreen { layout: vertical; background: $paper; }
    GameScreen Sheet { width: 100%; height: 100%; }
    GameScreen > Sheet { height: 1; background: $bar; }
    #middle { layout: grid; grid-size: 1 4; height: 1fr; }
    #middle.-wide { grid-size: 2 3; }
    #middle.-wide #story { row-span: 3; }
    #board { background: $felt; }
    #story { background: $paper; }
    #prompt, #answers { background: $pane; }
    GameScreen > #facts { background: $paper; }
    """
    HOME = "#answers"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "enter", show=False),
        Binding("space", "space", show=False),
        Binding("question_mark", "why", show=False),
        Binding("escape", "home", show=False),
        Binding("backspace", "erase", show=False),
        Binding("h", "app.hint", show=False),
        Binding("u", "app.undo", show=False),
        Binding("l", "story", show=False),
        Binding("v", "everything", show=False),
        Binding("b", "app.past(-1)", show=False),
        Binding("n", "app.past(1)", show=False),
        Binding("pageup", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(1)", show=False),
        Binding("r", "app.again", show=False),
        Binding("g", "game", show=False),
        Binding("f1", "keys", show=False),
    ]

    class Answered(Message):
        """An option was chosen."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class Skipped(Message):
        """Somebody wants to go on: to the next move, or to the result."""

    def __init__(self) -> None:
        super().__init__(id="game-screen")
        self.sight: Sight | None = None
        self.selection: Selection | None = None
        self.opinions: Opinions = {}
        self.advice = ""  # what a bot would choose, and why
        self.waiting = ""  # why nothing is asked
        self.share: float | None = None  # of a bot's time that is used up
        self.message = ""
        self.typed = ""
        self.everything = False
        self.hovered: Target | None = None  # by the mouse
        self.unfolded: frozenset[int] = frozenset()  # lines of the story, by their first events
        self.pace = ""  # how long a screen rests, in a word
        self._wanted = (0, 0)  # lines of the table
        self._room: Division | None = None
        self._board = DrawnBoard()

    def parts(self) -> Iterable[Widget]:
        """The sheets, in the order in which Tab goes through them."""
        yield Sheet("head", focusable=False)
        prompt = Sheet("prompt", focusable=False)
        yield Container(Sheet("board"), Sheet("story"), prompt, Sheet("answers"), id="middle")
        yield Sheet("facts", focusable=False)
        yield Sheet("foot", focusable=False)

    def sheet(self, name: str) -> Sheet:
        """A part of the screen."""
        return self.query_one(f"#{name}", Sheet)

    # ---- What is shown ----

    def show(self, sight: Sight) -> None:
        """Show another moment of the game."""
        is_new = self.sight is None or sight.decision is not self.sight.decision
        self.sight = sight
        self.waiting, self.share = "", None
        if is_new:
            self.opinions, self.advice, self.typed, self.selection = {}, "", "", None
            if sight.offer is not None and sight.decision is not None:
                if sight.offer.is_ticking:
                    self.selection = empty_selection(sight.decision.options)
                self.sheet("answers").focus()
        self.draw(fresh=is_new)

    def blank(self) -> None:
        """Show nothing at all: the next player must not see what the last one saw."""
        self.sight, self.selection, self.opinions, self.advice = None, None, {}, ""
        self.typed, self.message, self.waiting, self.share = "", "", "", None
        self.draw(fresh=True)

    def wait(self, why: str, share: float | None) -> None:
        """Say what is going on while nothing is asked."""
        if (self.waiting, self.share) != (why, share):
            self.waiting, self.share = why, share
            self.sheet("prompt").show(self._prompt_rows())

    def say(self, message: str) -> None:
        """A sentence in the last line, until the next key."""
        self.message = message
        self._draw_foot()

    def think(self, opinions: Opinions, advice: str) -> None:
        """Show what a bot thinks of the options."""
        self.opinions, self.advice = opinions, advice
        self.draw()

    # ---- Drawing ----

    def draw(self, *, fresh: bool = False) -> None:
        """Draw everything for the size that the screen has."""
        if not self.is_mounted or self.is_cramped:
            return
        sight = self.sight
        answers = self._answer_rows()
        prompt = self._prompt_rows()
        width, height = self.size
        if sight is not None:
            found = heights(sight.picture, main_width(width), everything=self.everything)
            # What the table once needed it keeps, so that nothing jumps.
            self._wanted = max(self._wanted[0], found[0]), max(self._wanted[1], found[1])
        facts = facts_height(height)
        self.sheet("facts").styles.height = facts
        room = divide(width, height - facts, self._wanted, len(prompt), len(answers))
        if room != self._room:
            self._room = room
            self._divide(room)
        self.sheet("head").show([] if sight is None else lay_head(sight, width))
        self.sheet("prompt").show(prompt)
        self._draw_board(room)
        self._draw_story(room)
        sheet = self.sheet("answers")
        if fresh:
            sheet.pointed = None
            sheet.scroll_to(y=0, animate=False)
        sheet.show(answers, first_lit(sight, self.selection) if fresh and sight else None)
        self._draw_facts()
        self._draw_foot()

    def _divide(self, room: Division) -> None:
        middle = self.query_one("#middle", Container)
        middle.set_class(room.is_wide, "-wide")
        if room.is_wide:
            middle.styles.grid_columns = f"1fr {room.side + 1}"
            middle.styles.grid_rows = f"1fr {room.prompt} {room.answers}"
        else:
            middle.styles.grid_columns = "1fr"
            middle.styles.grid_rows = f"1fr {room.story} {room.prompt} {room.answers}"

    def _draw_board(self, room: Division) -> None:
        sight = self.sight
        if sight is None:
            self.sheet("board").show([])
            return
        marks = sight.marks
        if sight.offer is not None:
            targets = mark_targets(sight.offer, self.selection, sight.picture)
            marks = evolve(targets, moved=marks.moved, grown=marks.grown)
        drawn_for = (sight.scene, room.main, room.board, self.everything)
        if drawn_for != self._board.drawn_for:
            self._board = DrawnBoard(drawn_for)
        rows = lay_steady_board(
            *(self._board, sight.picture, marks, room.main, room.board),
            everything=self.everything,
            may_grow=sight.offer is not None,
        )
        self.sheet("board").show(rows)

    def _draw_story(self, room: Division) -> None:
        sheet, sight = self.sheet("story"), self.sight
        if sight is None:
            sheet.show([])
            return
        told = sight.story
        first = max(0, len(told) - _MOST_TOLD)
        rows = lay_story(
            told[first:],
            sight.new,
            room.side,
            first=first,
            scene=sight.scene,
            unfolded=self.unfolded,
        )
        if sheet.has_focus:
            sheet.show(rows)
            return
        # Nobody is reading it, so it goes with what happens.
        sheet.show(rows, rows[-1].chips[0][1].subject if rows else None)
        self.call_after_refresh(sheet.scroll_end, animate=False)

    def _prompt_rows(self) -> list[ChipRow]:
        width = main_width(self.size.width)
        return lay_question(self.sight, self.selection, self.waiting, self.share, width)

    def _answer_rows(self) -> list[ChipRow]:
        if self.sight is None or self.sight.offer is None:
            return []
        width = main_width(self.size.width)
        return lay_answers(self.sight.offer, self.selection, self.opinions, width)

    def _draw_facts(self) -> None:
        """What is pointed at, or else what should be in sight."""
        if self.sight is None:
            self.sheet("facts").show([])
            return
        width, height = self.size
        sheet = self.focused
        pointed = sheet.pointed if isinstance(sheet, Sheet) else None
        text = tell_card(self.sight, (self.hovered, pointed))
        facts, lines = list_facts(self.sight.scene), facts_height(height)
        rows = lay_facts(facts, text, width, lines, advice=self.advice)
        self.sheet("facts").show(rows)

    def on_sheet_pointed(self, event: Sheet.Pointed) -> None:
        """The pointer is somewhere else."""
        event.stop()
        self.advice = ""
        self._draw_facts()

    def on_sheet_hovered(self, event: Sheet.Hovered) -> None:
        """The mouse is somewhere else."""
        event.stop()
        self.hovered = event.subject
        self._draw_facts()

    def on_descendant_focus(self) -> None:
        """The pointer is on another sheet."""
        self._draw_facts()

    def _draw_foot(self) -> None:
        width = self.size.width
        rows = lay_foot(self.sight, self.selection, self.message, width, self.pace)
        self.sheet("foot").show(rows)

    # ---- Numbers ----

    def on_key(self, event: events.Key) -> None:
        """Numbers are options; whatever is pressed, the last message has been read."""
        if self.message:
            self.say("")
        if event.character is not None and event.character.isdecimal() and not self.is_cramped:
            event.stop()
            self._type(event.character)
        elif event.key not in ("enter", "backspace"):
            self.typed = ""

    def _type(self, digit: str) -> None:
        """Choose as soon as no other number can be meant."""
        offer = self.sight.offer if self.sight is not None else None
        if offer is None:
            return
        self.typed, place, may_go_on = type_digit(offer, self.typed, digit)
        if place is not None:
            self.sheet("answers").focus()
            self.sheet("answers").point_at(subject_of(offer, place))
        if may_go_on:
            self.say(f"{self.typed}… another digit{'' if place is None else ', or Enter'}")
        elif place is None:
            self.typed = ""
            self.say(f"There is no {digit} to choose.")
        else:
            self._take_number(offer)

    def _take_number(self, offer: Offer) -> None:
        place, _ = typed(offer, self.typed)
        self.typed = ""
        subject = None if place is None else subject_of(offer, place)
        if subject is not None:
            self._choose(subject)

    def action_erase(self) -> None:
        """Take back the last digit."""
        self.typed = self.typed[:-1]

    # ---- Keys and clicks ----

    def action_home(self) -> None:
        """Back to the question, from whatever is looked at."""
        if self.sight is not None and self.sight.is_again:
            self.post_message(self.Skipped())
        self.sheet("answers").focus()

    def action_enter(self) -> None:
        """Choose what is pointed at; when what is ticked is an answer, give it."""
        sheet = self.focused
        if isinstance(sheet, Sheet) and isinstance(sheet.pointed, OfSentence):
            self._unfold(sheet.pointed)
        elif self.sight is None or self.sight.offer is None:
            self.post_message(self.Skipped())
        elif self.typed:
            self._take_number(self.sight.offer)
        elif isinstance(sheet, Sheet) and sheet.pointed is not None:
            subject = sheet.pointed
            ready = self.selection is not None and self.selection.is_complete
            on_table = isinstance(subject, OfCards) and is_lit(self.sight, self.selection, subject)
            goes = ready and isinstance(subject, OfElement | OfCards) and not on_table
            if goes or self._is_ticked(subject):
                self._finish()  # or say what is missing
            else:
                self._choose(subject)

    def _is_ticked(self, subject: Target) -> bool:
        chosen = () if self.selection is None else self.selection.chosen
        return isinstance(subject, OfElement) and subject.element in chosen

    def action_space(self) -> None:
        """Tick what is pointed at, or go on."""
        sheet = self.focused
        if self.sight is None or self.sight.offer is None:
            self.post_message(self.Skipped())
        elif isinstance(sheet, Sheet) and isinstance(sheet.pointed, OfElement | OfCards):
            self._choose(sheet.pointed)

    def action_everything(self) -> None:
        """Show all there is, or only what matters."""
        self.everything = not self.everything
        self._wanted = (0, 0)
        self.draw()

    def action_scroll(self, step: int) -> None:
        """Scroll the table, unless the story is being read."""
        self.sheet("story" if self.sheet("story").has_focus else "board").scroll_page(step)

    def action_story(self) -> None:
        """The whole story."""
        if self.sight is not None:
            self.app.push_screen(StoryPage(self.sight))

    def action_game(self) -> None:
        """What one should know to play."""
        if self.sight is not None:
            self.app.push_screen(GamePage(self.sight.scene))

    def action_keys(self) -> None:
        """The keys."""
        self.app.push_screen(KeysPage())

    def action_why(self) -> None:
        """Explain what is pointed at, else what was told last."""
        sheet = self.focused
        if isinstance(sheet, Sheet) and sheet.pointed is not None:
            self._explain(sheet.pointed)
        elif self.sight is not None and self.sight.story:
            self._explain(OfSentence(len(self.sight.story) - 1))
        else:
            self.action_keys()

    async def on_sheet_chosen(self, event: Sheet.Chosen) -> None:
        """Something was clicked."""
        event.stop()
        if isinstance(event.subject, OfKey):
            await self.run_action(event.subject.action)
        elif not isinstance(event.subject, OfCounter):
            self._choose(event.subject)

    def on_sheet_questioned(self, event: Sheet.Questioned) -> None:
        """Something was clicked with the other button."""
        event.stop()
        self._explain(event.subject)

    def on_sheet_crossed(self, event: Sheet.Crossed) -> None:
        """The pointer goes up from the question to the table, and down again."""
        event.stop()
        if event.sheet.id == "answers" and event.step < 0:
            board = self.sheet("board")
            board.focus()
            board.point_at(board.subjects[-1] if board.subjects else None)
        elif event.step > 0:
            self.sheet("answers").focus()

    # ---- Choosing ----

    def _unfold(self, subject: OfSentence) -> None:
        """Show what a line of the story consists of, or hide it again; a heading is explained."""
        told = self.sight.story if self.sight is not None else ()
        if subject.number >= len(told) or isinstance(told[subject.number], Heading):
            self._explain(subject)
            return
        self.unfolded ^= {told[subject.number].at}
        self.sheet("story").focus()
        self.draw()

    def _choose(self, subject: Target) -> None:
        if isinstance(subject, OfSentence):
            self._unfold(subject)
            return
        if self.sight is None or self.sight.offer is None:
            self._explain(subject)
            return
        match subject:
            case OfOption(number):
                self.post_message(self.Answered(number))
            case OfDone():
                self._finish()
            case OfCards() | OfPlayer() | OfElement() | OfZone():
                item = item_at(self.sight, self.selection, subject)
                if item is None and isinstance(subject, OfZone):
                    self._explain(subject)
                elif item is None:
                    self.say("That cannot be chosen now; ? tells why.")
                elif self.selection is None:
                    self.post_message(self.Answered(item.number))
                else:
                    self._tick(self.selection, item)
            case _:
                self._explain(subject)

    def _tick(self, selection: Selection, item: Item) -> None:
        changed = toggle(selection, item.number)
        if changed is None:
            self.say(f"{item.text} does not go with what is ticked; ? tells why.")
            return
        self.selection = changed
        self.draw()

    def _finish(self) -> None:
        if self.selection is None:
            return
        number = chosen_option(self.selection)
        if number is None:
            self.say(f"Not yet: {tell_need(self.selection)}.")
        else:
            self.post_message(self.Answered(number))

    def _explain(self, subject: Target) -> None:
        if self.sight is None or isinstance(subject, Control):
            return
        reason = explain(self.sight, self.selection, subject)
        if reason is not None:
            self.app.push_screen(ReasonPage(reason))
