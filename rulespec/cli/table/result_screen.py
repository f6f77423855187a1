"""The outcome of a game -> a screen: who won, every score and how it came about, and whether to play again."""

import time
from collections.abc import Iterable
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.widget import Widget

from interpreter.match import Match
from interpreter.results import Outcome
from interpreter.shown import reasons
from interpreter.shown.picture import Scene
from interpreter.shown.result_lines import lay_criteria, tell_standing, tell_winners
from interpreter.shown.subjects import OfScore
from rulespec.cli.table.chips import Chip, ChipRow, StyledText, chip, shorten_text, wrap_code
from rulespec.cli.table.controls import OfKey, Target
from rulespec.cli.table.lookback import Lookback
from rulespec.cli.table.screen_parts import lay_key_row
from rulespec.cli.table.sheet import Sheet
from rulespec.cli.table.sized_screen import SizedScreen
from rulespec.cli.table.text_screens import KeysPage, ReasonPage, lay_text, text_row

ResultChoice = Literal["again", "look"]
_WIDEST_NAME = 24
MOMENT = 1.0  # seconds for which keys do nothing: they were meant for the game
READ_ON = ("turn(1)", "space read on")
FOOT = (
    ("again", "r play again"),
    ("look", "esc the table"),
    ("past", "b look back"),
    READ_ON,
    ("why", "? why"),
    ("app.leave", "q leave"),
)


def lay_result(outcome: Outcome, width: int, last: str = "") -> list[ChipRow]:
    """Who wins and why it is over, with the end of the story; places and scores, the best first; and how they came about."""
    rows = [ChipRow(), *lay_text(tell_winners(outcome), width - 2, "title", 2)]
    rows += lay_text(outcome.ending, width - 2, "text", 2) if outcome.ending else []
    rows += lay_text(f"The last moves: {last}", width - 2, "muted", 2) if last else []
    rows += [ChipRow(), *_lay_places(outcome, width)]
    for block in lay_criteria(outcome):
        rows.append(ChipRow())
        rows += [text_row(each, left=2) for line in block for each in wrap_code(line, width - 4)]
    return rows


def _lay_places(outcome: Outcome, width: int) -> list[ChipRow]:
    counting = [number for number, each in enumerate(outcome.criteria) if each.seats]
    titles = [outcome.criteria[number].title for number in counting]
    wide = min(_WIDEST_NAME, max(len(each.name) for each in outcome.standings))
    ends: list[int] = []
    for title in titles:
        ends.append((ends[-1] if ends else wide + 8) + max(7, len(title) + 2))
    heads = [
        (end - len(title), chip(title, "muted")) for end, title in zip(ends, titles, strict=True)
    ]
    rows = [ChipRow(tuple(_within(heads, width)))]
    for each in outcome.standings:
        place = Chip((StyledText(f"{'★' if each.wins else ' '} {each.place}", "accent"),))
        name = chip(shorten_text(each.name, wide), "strong" if each.wins else "text")
        chips = [(2, place), (7, name)]
        for number, end in zip(counting, ends, strict=True):
            if each.seat in outcome.criteria[number].seats:
                score = chip(
                    each.values[number], "text" if number else "strong", OfScore(each.seat, number)
                )
                chips.append((end - score.width, score))
        rows.append(ChipRow(tuple(_within(chips, width))))
        rows += (
            lay_text(tell_standing(each), width - 2, "muted", 7) if each.note or each.ended else []
        )
    return rows


def _within(chips: list[tuple[int, Chip]], width: int) -> list[tuple[int, Chip]]:
    return [(x, found) for x, found in chips if x + found.width <= width]


class ResultScreen(SizedScreen[ResultChoice]):
    """The result on a screen of its own."""

    DEFAULT_CSS = """
    ResultScreen { layout: vertical; background: $felt; }
    ResultScreen Sheet { width: 100%; }
    #result-head, #result-foot { height: 1; background: $bar; }
    #scores { height: 1fr; background: $felt; }
    """
    HOME = "#scores"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "again", show=False),
        Binding("escape", "look", show=False),
        Binding("question_mark", "why", show=False),
        Binding("enter", "enter", show=False),
        Binding("b", "past", show=False),
        Binding("f1", "keys", show=False),
        # The arrows to the sides go from score to score.
        Binding("up", "scroll(-1)", show=False, priority=True),
        Binding("down", "scroll(1)", show=False, priority=True),
        Binding("pageup", "turn(-1)", show=False),
        Binding("pagedown,space", "turn(1)", show=False),
    ]

    def __init__(self, scene: Scene, match: Match, outcome: Outcome, last: str) -> None:
        super().__init__(id="result")
        self.scene, self.match, self.outcome, self.last = scene, match, outcome, last
        self.result = match.result()
        self._since = time.monotonic()

    @property
    def is_open(self) -> bool:
        """Whether it may be left: a key that was meant for the last question does not close the result."""
        return time.monotonic() > self._since + MOMENT

    def parts(self) -> Iterable[Widget]:
        """A sheet of scores between two lines."""
        yield Sheet("result-head", focusable=False)
        yield Sheet("scores")
        yield Sheet("result-foot", focusable=False)

    def draw(self) -> None:
        """The scores, for the size that the screen has."""
        width = self.size.width
        title = chip(shorten_text(self.scene.title, width - 20), "strong")
        self.query_one("#result-head", Sheet).show(
            [ChipRow(((1, title), (width - 17, chip("the game is over", "accent"))))]
        )
        rows = lay_result(self.outcome, width - 1, self.last)
        self.query_one("#scores", Sheet).show(rows)
        is_long = len(rows) > self.size.height - 2
        keys = tuple(each for each in FOOT if each is not READ_ON or is_long)
        self.query_one("#result-foot", Sheet).show([lay_key_row(keys, width)])

    def action_again(self) -> None:
        """Another game."""
        if self.is_open:
            self.dismiss("again")

    def action_look(self) -> None:
        """The table as it lies."""
        if self.is_open:
            self.dismiss("look")

    def action_past(self) -> None:
        """The game from choice to choice."""
        self.app.push_screen(Lookback(self.match, self.scene))

    def action_scroll(self, step: int) -> None:
        """Scroll by a line."""
        sheet = self.query_one("#scores", Sheet)
        sheet.scroll_to(y=sheet.scroll_offset.y + step, animate=False)

    def action_turn(self, step: int) -> None:
        """Scroll by a screen."""
        self.query_one("#scores", Sheet).scroll_page(step)

    def action_keys(self) -> None:
        """The keys."""
        self.app.push_screen(KeysPage())

    def action_enter(self) -> None:
        """The same, unless it was meant for the game."""
        if self.is_open:
            self.action_why()

    def action_why(self) -> None:
        """Where a score comes from."""
        pointed = self.query_one("#scores", Sheet).pointed
        if pointed is not None:
            self._explain(pointed)

    async def on_sheet_chosen(self, event: Sheet.Chosen) -> None:
        """Something was clicked."""
        event.stop()
        if isinstance(event.subject, OfKey):
            await self.run_action(event.subject.action)
        else:
            self._explain(event.subject)

    def _explain(self, subject: Target) -> None:
        if isinstance(subject, OfScore):
            score = self.result.scores[subject.seat][subject.row]
            name = self.scene.names[subject.seat]
            reason = reasons.why_score(self.scene, name, score, self.outcome)
            self.app.push_screen(ReasonPage(reason))
