"""Small games with known answers for the lab, and workers that die."""

import os
import signal
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

from interpreter.game_loading import load_source
from interpreter.lab.crews import Crew
from rulespec.source import Source

# Seat 1 wins in so many cases of ten, both share the victory in so many, and else seat 2 wins.
LUCK = """
game "Luck"
players 2
pieces  | copies
  Token | 1
state   | type  | start
  throw | 1..10 | 1
rule play
  random throw from 1..10
let wins(p: Player) = throw <= {wins} if p == first else throw > {wins} + {shared}
let shares = throw > {wins} and throw <= {wins} + {shared}
ranking of p
  most | 1 if shares or wins(p) else 0
"""

# Everything scatters: scores, ties and how often somebody is asked. The law of the twin is the same.
SCATTER = """
game "Scatter"
players 2
pieces  | copies
  Token | 1
enum Way = up, down
state         | type  | start
  far[Player] | 1..10 | 1
  long        | 1..5  | 1
  way         | Way   | up
rule play
  for p in order(first): random far[p] from 1..10
  random long from 1..5
  repeat {long}: first chooses way from Way
ranking of p
  most | {far}
"""

# Two decisions of two options in turn; who is second in the order of play wins; a card in each hand.
TURNS = """
game "Turns"
players 3 counterclockwise
pieces     | copies
  Coin     | 3
  Stone    | 1
zones          | order | seen by
  hand[Player] | pool  | everyone
  table        | pool  | everyone
enum Way = up, down
state   | type | start
  taken | 0..9 | 0
table worth(way: Way)
  way   => worth
  up    => 1
  down  => 2
rule setup
  move box[Coin] to table
rule play
  for p in order(first)
    p chooses way from Way "Where?"
    p chooses other from Way "And then?"
    if p == next(first): move top(table) to hand[p]
    if worth(way) > 2: move box[Stone] to table
ranking of p
  most | #hand[p]
"""

# The best cards go first; nothing is hidden, and chance has no part.
TWO_TAKE = """
game "Take"
players 2
pieces             | copies
  Card(worth: 1..9) | 1
zones          | order | seen by
  open         | pool  | everyone
  hand[Player] | pool  | everyone
rule setup
  move box to open
rule play
  repeat 4
    for p in order(first)
      p chooses card from open "Which one?"
      move card to hand[p]
ranking of p
  most | sum(c.worth for c in hand[p])
"""

# Two good cards and six bad ones, and a choice that changes nothing.
PICK = """
game "Pick"
players 2
pieces             | copies
  Good | 2
  Bad  | 6
zones          | order | seen by
  open         | pool  | everyone
  hand[Player] | pool  | everyone
enum Way = up, down
state | type | start
  way | Way  | up
rule setup
  move box to open
rule cheer
  nothing
rule play
  for p in order(first)
    p chooses card from open "Which one?"
    move card to hand[p]
    p chooses way from Way "Which way?"
    if way == up: cheer()
ranking of p
  most | #hand[p][Good]
"""


def game(text, name="small.rules"):
    return load_source(Path(name), Source(name, text))


def luck(wins, shared=0):
    return game(LUCK.format(wins=wins, shared=shared))


def scatter():
    return game(SCATTER.format(far="far[p]", long="long"))


def twin():
    return game(SCATTER.format(far="11 - far[p]", long="6 - long"))


def die_first(marker, call, *arguments):
    """Kill the worker the first few times that this is called."""
    if len(list(marker.parent.glob(f"{marker.name}*"))) < 2:
        marker.with_name(f"{marker.name}{os.getpid()}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return call(*arguments)


class Deadly(ProcessPoolExecutor):
    """Two of its workers die."""

    def __init__(self, marker):
        super().__init__(2)
        self.marker = marker

    def submit(self, fn, /, *args, **kwargs):
        return super().submit(die_first, self.marker, fn, *args, **kwargs)


def deadly_crew(marker) -> Crew:
    def make() -> Executor:
        return Deadly(marker)

    return Crew(make, 2, is_ours=True)
