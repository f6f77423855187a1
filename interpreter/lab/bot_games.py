"""A game played by bots, with what they thought of their options on the way.

A level such as `normal` may also be told to look at the clock, so that nobody waits at a table; the lab has time, and
leaves that out: a seed gives the same game on every machine.
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
LADDER = ("hard", "normal", "easy")  # of players who think, the strongest first
USUAL = "normal"  # who gives the verdict if nobody else is named
FAST = "easy"  # who plays what takes thousands of games, if nobody else is named

SURE = 3  # standard errors: of a game in which nothing matters, hardly anything is said to
LEAST_LEAD = 0.05  # of a victory: options that differ by less are worth the same
FAR = 0.15  # of a victory: by which an option is far better than any other


@frozen
class Judged:
    """A decision with several options, as the bot saw it."""

    matters: bool  # the best option is surely better than one taken at random
    is_clear: bool  # one option is far better than any other


@frozen
class Played:
    """A game by its choices; without a result it was cut off.

    `judged` has the decisions about which a bot thought; `blind` counts those at which one wanted to, and could not.
    """

    choices: tuple[int, ...]
    movers: tuple[int, ...]
    result: Result | None
    judged: tuple[Judged, ...] = field(factory=tuple)
    blind: int = 0


def is_random(seats: Sequence[str]) -> bool:
    """Whether nobody thinks."""
    return all(word == RANDOM for word in seats)


def seat_bots(game: Game, words: Sequence[str], seed: int) -> list[Bot]:
    """A bot for every seat."""
    return [
        make_bot(untimed(word), game, len(words), chance.draw(seed ^ seat + 1)[1])
        for seat, word in enumerate(words)
    ]


def play_bots(game: Game, words: Sequence[str], seed: int, longest: int) -> Played:
    """A game in which every seat has the bot of its word; the first seat begins."""
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
    """What a bot says to the question of a match."""
    decision = match.decision
    if decision is None:
        raise ValueError("nothing is asked")
    return bot.advise(information(match.engine, match.state, decision.player))


def decision_stakes(advice: Advice, options: int) -> Judged | None:
    """How much hangs on a decision; nothing, if there was nothing to decide or nobody thought.

    What a bot thinks of an option is a guess from a few games. So the best one matters only if it leads by more than
    three standard errors of the difference, and clearly so.
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
