"""The bot that thinks ahead: Monte-Carlo tree search over what may be true (ISMCTS).

Again and again it imagines a world that explains what it has seen, walks down one tree of what everybody
may do, adds a node to it and plays the rest out at random. The tree is shared by all worlds; in each of
them only the options are looked at that this world has, and how often an option could be taken counts
(Cowling, Powley and Whitehouse, 2012). Everybody is taken to look after themselves.

What the bot itself chooses now is tried in another way. All options are tried equally often, then the
better half of them, and so on until two are left: more is learnt of those that matter in the end, and
they are compared in the same worlds (Pepels, Cazenave, Winands and Lanctot, 2014).

The tree is in the module in which it thinks: `helpers/pondering.py`.
"""

from attrs import define

from interpreter.bots.advice import Advice, Progress
from interpreter.bots.imagination import Budget, Imagination
from interpreter.bots.pondering import ponder, sample
from interpreter.dice import Dice
from interpreter.views import Information

MOST_OPTIONS = 60  # that are looked at; of more a sample


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
