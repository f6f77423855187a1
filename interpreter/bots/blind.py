"""A question -> a random option: the bot that does not think, and chooses every option with equal probability."""

from attrs import define

from interpreter import chance
from interpreter.bots.advice import Advice, Progress
from interpreter.views import Information


@define
class Blind:
    """Chooses at random."""

    rng: int

    def prepare(self) -> None:
        """Do nothing: this bot needs no preparation."""

    def advise(self, known: Information, progress: Progress | None = None) -> Advice:  # noqa: ARG002 - as all bots
        if known.question is None:
            raise ValueError("nothing is asked")
        self.rng, number = chance.below(self.rng, known.question.count)
        return Advice(number)
