"""The bot that looks one decision ahead: after each option a few games are played out at random."""

from typing import Any

from attrs import define, field

from interpreter.bots.advice import Advice, Progress
from interpreter.bots.imagination import (
    Budget,
    Imagination,
    OptionTally,
    Scale,
    estimate_option,
    play_out,
)
from interpreter.bots.pondering import ponder
from interpreter.dice import Dice
from interpreter.engine_protocol import Engine
from interpreter.views import Information
from interpreter.worlds import Mind
from interpreter.worlds.fast import Keep

MOST_OPTIONS = 40  # that are looked at; of more a sample


@define(eq=False)
class Greedy:
    """Takes the option after which most games were won, of so many for each."""

    engine: Engine[Any]
    dice: Dice
    games: int
    keep: Keep | None = None
    imagination: Imagination = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.imagination = Imagination(self.engine, self.dice, self.keep)

    def advise(self, known: Information, progress: Progress | None = None) -> Advice:
        """Think for a while."""
        if known.question is None:
            raise ValueError("nothing is asked")
        self.imagination.prepare()
        count = known.question.count
        some = range(count)
        numbers = self.dice.some(some, MOST_OPTIONS) if count > MOST_OPTIONS else list(some)
        budget = Budget(self.games * len(numbers), None, progress)
        self.imagination.recall(known, budget)
        if not self.imagination.finds:
            return Advice(self.dice.below(count), is_blind=count > 1)
        mind = self.imagination.sampler
        if isinstance(mind, Mind):
            tallies, worlds = ponder(mind, numbers, budget, deep=False)
            return _concluded(self.dice, count, tallies, budget.played, worlds)
        tallies = {number: OptionTally() for number in numbers}
        states, scale = self.imagination.states(), Scale()
        while budget.goes_on():
            state = next(states, None)
            if state is None:
                break
            number = numbers[budget.played % len(numbers)]
            budget.played += 1
            ending = play_out(self.engine, state, self.dice, scale, number)
            if ending is not None:
                tallies[number].add(ending, known.player)
        return _concluded(self.dice, count, tallies, budget.played, self.imagination.worlds)


def _concluded(
    dice: Dice, count: int, tallies: dict[int, OptionTally], games: int, worlds: int
) -> Advice:
    """The option after which most was won; any, if none was tried."""
    estimates = sorted(
        (estimate_option(number, each) for number, each in tallies.items() if each.tried),
        key=lambda each: (-each.value, each.number),
    )
    choice = estimates[0].number if estimates else dice.below(count)
    return Advice(choice, tuple(estimates), games, worlds)
