"""A question -> advice from one decision ahead: this bot plays out a few random games after each option."""

from attrs import define

from interpreter.bots.advice import Advice, Progress
from interpreter.bots.imagination import Budget, Imagination
from interpreter.bots.pondering import ponder, sample
from interpreter.dice import Dice
from interpreter.views import Information

MOST_OPTIONS = 40  # options to consider; a sample if there are more


@define(eq=False)
class Greedy:
    """Chooses the option that won the most of its games."""

    imagination: Imagination
    dice: Dice
    games: int

    def prepare(self) -> None:
        """Make the module in which it thinks."""
        self.imagination.prepare()

    def advise(self, known: Information, progress: Progress | None = None) -> Advice:
        """Think for a while."""
        if known.question is None:
            raise ValueError("nothing is asked")
        self.prepare()
        numbers = sample(self.dice, known.question.count, MOST_OPTIONS)
        budget = Budget(self.games * len(numbers), None, progress)
        mind = self.imagination.recall(known, budget)
        return ponder(mind, self.dice, known.question.count, numbers, budget, deep=False)
