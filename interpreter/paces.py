"""When people are asked, and when they answer -> how long they take for a decision.

Only the mean is kept: who was slow, and at which question, is nobody's business.
"""

import time
from collections.abc import Callable

from attrs import define

BREAK = 300.0  # seconds: whoever takes longer has left the table for a while
FEWEST = 5  # decisions from which a mean is meaningful


@define
class Stopwatch:
    """The total time and number of decisions, and when the pending question appeared."""

    seconds: float = 0.0
    decisions: int = 0
    since: float = 0.0
    now: Callable[[], float] = time.monotonic

    def ask(self) -> None:
        """Start timing: somebody sees a question."""
        self.since = self.now()

    def answer(self) -> None:
        """Stop timing: somebody has answered."""
        taken = self.now() - self.since
        if taken <= BREAK:
            self.seconds += taken
            self.decisions += 1

    @property
    def pace(self) -> float | None:
        """Mean seconds for a decision; None after too few decisions."""
        return self.seconds / self.decisions if self.decisions >= FEWEST else None


def tell_pace(stopwatch: Stopwatch, words: str) -> str | None:
    """How long people took, and how to simulate games of people like them; the words say which games.

    >>> tell_pace(Stopwatch(95.0, 10), "sins.rules --players 3")
    '9.5 seconds for each of 10 decisions; `rulespec simulate sins.rules --players 3 --pace 9.5` tells how long such games take'
    """
    pace = stopwatch.pace
    if pace is None:
        return None
    seconds = f"{max(0.1, pace):.1f}".removesuffix(".0")
    return (
        f"{seconds} seconds for each of {stopwatch.decisions:,} decisions; "
        f"`rulespec simulate {words} --pace {seconds}` tells how long such games take"
    )
