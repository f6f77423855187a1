"""The engine that plays checked rules; docs/python.md shows how to use it from a program.

>>> import interpreter
>>> match = interpreter.load("sins.rules").start(players=["Ada", "Ben"], seed=7)
>>> match.decision.player, [option.text for option in match.decision.listed()]
(1, ['Avaritia', 'Luxuria', 'Ira', 'Gula'])
>>> match.apply(0)
>>> match.decision.prompt
'Where do the Avaritia cards go?'
"""

from interpreter.errors import Crash, IllegalMove, LimitReached, RuleFault, WrongRules
from interpreter.game_loading import load
from interpreter.match import Game, Match

__all__ = [
    "Crash",
    "Game",
    "IllegalMove",
    "LimitReached",
    "Match",
    "RuleFault",
    "WrongRules",
    "load",
]
