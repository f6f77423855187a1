"""A question -> advice by Monte-Carlo tree search over imagined worlds (ISMCTS).

Again and again, the bot imagines a world that explains what it has seen, walks down one tree of everybody's options,
adds a node and plays the rest out at random. All worlds share the tree; in each world only the options that exist there
count, together with how often they were available (Cowling, Powley and Whitehouse, 2012). Every player is assumed to
maximise their own result.

The bot treats its own current options differently: it tries all of them equally often, then the better half, and so on
until two are left. So it learns more about the options that matter in the end, and compares them in the same worlds
(Pepels, Cazenave, Winands and Lanctot, 2014).

The tree lives in the module in which the bot thinks: `helpers/pondering.py`.
"""

from attrs import define

from interpreter.bots.advice import Advice, Progress
from interpreter.bots.imagination import Budget, Imagination
from interpreter.bots.pondering import ponder, sample
from interpreter.dice import Dice
from interpreter.views import Information

MOST_OPTIONS = 60  # options to consider; a sample if there are more


@define(eq=False)
class Search:
    """Thinks until its budget is used up."""

    imagination: Imagination
    dice: Dice
    games: int | None
    seconds: float | None

    def prepare(self) -> None:
        """Make the module in which it thinks."""
        self.imagination.prepare()

    def advise(self, known: Information, progress: Progress | None = None) -> Advice:
        """Think for a while."""
        if known.question is None:
            raise ValueError("nothing is asked")
        self.prepare()
        budget = Budget(self.games, self.seconds, progress)
        mind = self.imagination.recall(known, budget)
        numbers = sample(self.dice, known.question.count, MOST_OPTIONS)
        return ponder(mind, self.dice, known.question.count, numbers, budget, deep=True)
