"""What a seat knows -> the option that a bot chooses there. A bot never gets anything else.

>>> from interpreter import load
>>> from interpreter.bots import make_bot
>>> match = load("sins.rules").start(players=["Ada", "Ben"], seed=7)
>>> bot = make_bot("random", match.game, len(match.names), seed=1)
>>> bot.advise(match.information(match.decision.player)).choice
1
"""

from interpreter.bots.advice import Advice, Bot, Estimate, Progress
from interpreter.bots.dangers import find_dangers
from interpreter.bots.kinds import KINDS, LEVELS, UnknownBot, hurried, is_timed, make_bot, remembers

__all__ = [
    "KINDS",
    "LEVELS",
    "Advice",
    "Bot",
    "Estimate",
    "Progress",
    "UnknownBot",
    "find_dangers",
    "hurried",
    "is_timed",
    "make_bot",
    "remembers",
]
