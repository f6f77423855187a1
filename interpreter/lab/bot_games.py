"""A game, bots and a seed -> the choices and the result, with what the bots thought of their options.

At a table, a level such as `normal` also watches the clock, so that nobody waits long. The lab leaves the clock out, so
that a seed gives the same game on every machine.
"""

from collections.abc import Sequence
from math import sqrt

from attrs import field, frozen

from interpreter import chance
from interpreter.bots import Advice, Bot, make_bot
from interpreter.bots.kinds import untimed
from interpreter.machine import Result
from interpreter.match import Game, Match
from interpreter.views import information

RANDOM = "random"
LADDER = ("hard", "normal", "easy")  # levels of bots that think, the strongest first
USUAL = "normal"  # the bots of the verdict, unless others are named
FAST = "easy"  # the bots for thousands of games, unless others are named

SURE = 3  # standard errors: where nothing matters, hardly any decision is said to matter
LEAST_LEAD = 0.05  # of a victory: options that differ by less count as equal
FAR = 0.15  # of a victory: the margin by which an option is far better than any other


@frozen
class Judged:
    """A decision with several options, as a bot judged it."""

    matters: bool  # whether the best option is surely better than a random one
    is_clear: bool  # whether one option is far better than any other


@frozen
class Played:
    """A game, as its choices; it has no result if it was cut off.

    `judged` holds the decisions that a bot thought about; `blind` counts those where a bot found no world to think in.
    """

    choices: tuple[int, ...]
    movers: tuple[int, ...]
    result: Result | None
    judged: tuple[Judged, ...] = field(factory=tuple)
    blind: int = 0


def is_random(seats: Sequence[str]) -> bool:
    """Whether all seats choose at random."""
    return all(word == RANDOM for word in seats)


def seat_bots(game: Game, words: Sequence[str], seed: int) -> list[Bot]:
    """A bot for every seat."""
    return [
        make_bot(untimed(word), game, len(words), chance.draw(seed ^ seat + 1)[1])
        for seat, word in enumerate(words)
    ]


def play_bots(game: Game, words: Sequence[str], seed: int, longest: int) -> Played:
    """Play a game with the bot that each seat's word names; the first seat begins."""
    match = game.start(len(words), seed, 0)
    bots = seat_bots(game, words, seed)
    movers: list[int] = []
    judged: list[Judged] = []
    blind = 0
    while match.decision is not None and len(movers) < longest:
        seat = match.decision.player
        advice = advise(bots[seat], match)
        blind += advice.is_blind
        found = decision_stakes(advice, len(match.decision.options))
        if found is not None:
            judged.append(found)
        movers.append(seat)
        match.apply(advice.choice)
    result = match.result() if match.over else None
    choices = tuple(choice.number for choice in match.choices)
    return Played(choices, tuple(movers), result, tuple(judged), blind)


def advise(bot: Bot, match: Match) -> Advice:
    """A bot's advice on the current question of a match."""
    decision = match.decision
    if decision is None:
        raise ValueError("nothing is asked")
    return bot.advise(information(match.engine, match.state, decision.player))


def decision_stakes(advice: Advice, options: int) -> Judged | None:
    """How much a decision matters; None if there was only one option, or the bot did not think.

    A bot's estimate of an option is a guess from a few games. So a decision matters only if the best option leads by
    more than three standard errors of the difference, and by a clear margin.
    """
    found = [each for each in advice.estimates if each.tried]
    if options < 2 or len(found) < 2:
        return None
    best, *others = sorted(found, key=lambda each: -each.value)
    usual = sum(each.value for each in others) / len(others)
    noise = sqrt(0.25 / best.tried + 0.25 / sum(each.tried for each in others))
    matters = best.value - usual > max(LEAST_LEAD, SURE * noise)
    next_noise = sqrt(0.25 / best.tried + 0.25 / others[0].tried)
    return Judged(matters, best.value - others[0].value > max(FAR, SURE * next_noise))
