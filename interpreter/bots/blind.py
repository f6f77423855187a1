"""The bot that chooses without thinking: every option as likely as another."""

from attrs import define

from interpreter import chance
from interpreter.bots.advice import Advice, Progress
from interpreter.views import Information


@define
class Blind:
    """Chooses at random."""

    rng: int

    def prepare(self) -> None:
        """There is nothing to make ready."""

    def advise(self, known: Information, progress: Progress | None = None) -> Advice:  # noqa: ARG002 - as all bots
        if known.question is None:
            raise ValueError("nothing is asked")
        self.rng, number = chance.below(self.rng, known.question.count)
        return Advice(number)
