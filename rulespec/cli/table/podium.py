"""The result: who has won, every score with where it comes from, and whether to play again."""

from collections.abc import Callable, Iterable
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.widget import Widget

from interpreter.machine import Result
from interpreter.naming import Listener
from interpreter.results import Outcome
from interpreter.shown import reasons
from interpreter.shown.picture import Scene, tell_winners
from interpreter.shown.subjects import OfScore
from interpreter.titles import ranking_titles
from rulespec.cli.table.chips import Chip, Part, Row, chip, shorten
from rulespec.cli.table.controls import OfKey, Target
from rulespec.cli.table.frames import lay_keys
from rulespec.cli.table.pages import KeysPage, ReasonPage, lay_text
from rulespec.cli.table.sheet import Sheet
from rulespec.cli.table.stage import Stage
from rulespec.english import sentence

Wish = Literal["again", "look"]
_WIDEST_NAME = 24
FOOT = (
    ("again", "r play again"),
    ("why", "? where a score comes from"),
    ("look", "esc look at the table"),
    ("app.leave", "q leave"),
)


def lay_result(scene: Scene, result: Result, width: int) -> list[Row]:
    """Places and scores, the best first."""
    names = scene.names
    won = [names[seat] for seat in result.winners]
    rows = [Row(), Row(((2, chip(tell_winners(won), "title")),)), Row()]
    wide = min(_WIDEST_NAME, max(map(len, names)))
    titles = ranking_titles(Listener(scene.layout))
    columns = [max(7, len(title) + 2) for title in titles]
    left = wide + 8
    heads = [
        (left + sum(columns[: n + 1]) - len(title), chip(title, "muted"))
        for n, title in enumerate(titles)
    ]
    rows.append(Row(tuple(_within(heads, width))))
    seats = sorted(range(len(names)), key=lambda seat: result.places[seat])
    rows += [*(_line(scene, result, seat, columns, width) for seat in seats), Row()]
    for number, score in enumerate(result.scores[0]):
        order = "the most win" if score.most_wins else "the fewest win"
        said = sentence(f"{titles[number]}: {order}")
        rows += lay_text(f"{said} {score.origin.sentence or ''}", width - 2, "muted", 2)
    return rows


def _line(scene: Scene, result: Result, seat: int, columns: list[int], width: int) -> Row:
    is_winner = seat in result.winners
    wide = min(_WIDEST_NAME, max(map(len, scene.names)))
    name = shorten(scene.names[seat], wide)
    place = Chip((Part(f"{'★' if is_winner else ' '} {result.places[seat]}", "accent"),))
    chips = [(2, place), (7, chip(name, "strong" if is_winner else "text"))]
    left = wide + 8
    for number, score in enumerate(result.scores[seat]):
        text = "–" if score.value is None else str(score.value)
        x = left + sum(columns[: number + 1]) - len(text)
        chips.append((x, chip(text, "strong" if number == 0 else "text", OfScore(seat, number))))
    return Row(tuple(_within(chips, width)))


def _within(chips: list[tuple[int, Chip]], width: int) -> list[tuple[int, Chip]]:
    return [(x, found) for x, found in chips if x + found.width <= width]


class Podium(Stage[Wish]):
    """The result on a screen of its own."""

    DEFAULT_CSS = """
    Podium { layout: vertical; background: $felt; }
    Podium Sheet { width: 100%; }
    #podium-head, #podium-foot { height: 1; background: $bar; }
    #scores { height: 1fr; background: $felt; }
    """
    HOME = "#scores"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "again", show=False),
        Binding("escape,enter,space", "look", show=False),
        Binding("question_mark", "why", show=False),
        Binding("f1", "keys", show=False),
    ]

    def __init__(self, scene: Scene, result: Result, outcome: Callable[[], Outcome]) -> None:
        super().__init__(id="podium")
        self.scene, self.result = scene, result
        self._outcome = outcome  # asked for when somebody wants to know

    def parts(self) -> Iterable[Widget]:
        """A sheet of scores between two lines."""
        yield Sheet("podium-head", focusable=False)
        yield Sheet("scores")
        yield Sheet("podium-foot", focusable=False)

    def draw(self) -> None:
        """The scores, for the size that the screen has."""
        width = self.size.width
        title = chip(shorten(self.scene.title, width - 20), "strong")
        self.query_one("#podium-head", Sheet).show(
            [Row(((1, title), (width - 17, chip("the game is over", "accent"))))]
        )
        self.query_one("#scores", Sheet).show(lay_result(self.scene, self.result, width - 1))
        self.query_one("#podium-foot", Sheet).show([lay_keys(FOOT, width)])

    def action_again(self) -> None:
        """Another game."""
        self.dismiss("again")

    def action_look(self) -> None:
        """The table as it lies."""
        self.dismiss("look")

    def action_keys(self) -> None:
        """The keys."""
        self.app.push_screen(KeysPage())

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
            reason = reasons.why_score(self.scene, name, score, self._outcome())
            self.app.push_screen(ReasonPage(reason))
