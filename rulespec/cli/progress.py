"""How far a run of the lab is: a bar on one line of a terminal, what can be said already, and how long it will take."""

import shutil
import sys
import time

from attrs import define

from interpreter.lab.chunk_runs import Done
from interpreter.lab.counts import Counts
from interpreter.lab.measures import estimate_measure, measures
from interpreter.lab.player_names import describe_players
from interpreter.lab.studies import Errand, Study
from rulespec.rendering import counted

BAR = 24  # characters
SECONDS = 0.2  # between two times that the bar is drawn


@define
class Bar:
    """How far a run is, and what can be said already; drawn anew on the same line of a terminal."""

    drawn: float = 0.0
    began: float = 0.0
    before: int = 0
    errand: Errand | None = None

    def tell(self, study: Study, errand: Errand, done: Done) -> None:
        """Draw the bar, if it is time to."""
        now = time.monotonic()
        if self.errand != errand:
            self.errand, self.began, self.before = errand, now, done.games
        if now - self.drawn >= SECONDS:
            self.drawn = now
            rate = (done.games - self.before) / max(now - self.began, 1e-6)
            # A line that does not fit would be drawn below itself again and again.
            text = bar_text(errand, done, rate, study.part, study.parts)
            text = text[: shutil.get_terminal_size().columns - 1]
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave nothing behind."""
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def bar_text(errand: Errand, done: Done, rate: float, part: int = 1, parts: int = 1) -> str:
    """The bar and the estimates, in one line."""
    task = errand.task
    full = BAR * done.games // errand.games
    text = f"{part} of {max(part, parts)}: " if parts > 1 else ""
    text += (
        f"{counted(task.players, 'player')}, {_what(errand)} {'█' * full}{'░' * (BAR - full)} "
        f"{done.games:,} of {errand.games:,}"
    )
    if rate:
        text += f", {rate:,.0f} a second" if rate >= 2 else ""
        text += f", {duration((errand.games - done.games) / rate)} left"
    if task.kind in ("games", "close"):
        text += f"; {_first_seat(done.counts, task.players, len(task.programs))}"
    return text


def _what(errand: Errand) -> str:
    """Who plays, and what is asked of them."""
    seats = errand.task.seats
    match errand.task.kind:
        case "duels":
            return f"{seats[0]} among {seats[1]}"
        case "restricted":
            return f"{describe_players(seats)}, doing without"
    return describe_players(seats)


def duration(seconds: float) -> str:
    """How long something takes, about.

    >>> duration(4.2), duration(100), duration(8000)
    ('5 s', '2 min', '2.2 h')
    """
    if seconds < 90:
        return f"{5 * round(seconds / 5 + 0.5):.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _first_seat(counts: Counts, players: int, sides: int) -> str:
    """How often seat 1 wins, of each program."""
    told = []
    for side in range(sides):
        found = estimate_measure(counts, side, measures(players)[0], 0.05)
        if found is not None:
            told.append(f"{100 * found.value:.1f} ± {100 * found.half:.1f} %")
    return f"seat 1 wins {', '.join(told)}"
