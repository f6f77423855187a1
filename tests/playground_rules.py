"""Small rules for the backend: right ones, wrong ones, and some that nobody should write."""

from pathlib import Path

# Zones that not everybody counts.
FISTS = (Path(__file__).parent / "accepted" / "counted.rules").read_text("utf-8")

LUCK = """game "Luck"
players 2..3
option high: 2..9 = 6
enum Colour = red, blue
pieces             | copies
  Card(of: Colour) | 6
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  spot         | pile  | everyone
state           | type  | start
  score[Player] | 0..9  | 0
rule setup
  move box to deck
  shuffle deck
  for p in order(first): move top(deck, 3) to hand[p]
rule play
  for p in order(first)
    p chooses c from hand[p]
    move c to spot
    earn(p)
rule earn(p: Player)
  score[p] = score[p] + high
ranking of p
  most | score[p]
variant quick "Quick"
  before play: move top(deck) to spot
example "Something is earned"
  players Ada, Ben
  when earn(Ada)
  expect score[Ada] == 6
"""

# Two cards at a time are ticked.
PAIRS = LUCK.replace("chooses c from hand[p]", "chooses c from subsets(hand[p], 2)")

# Values that not everybody sees, of every kind.
BIDS = """game "Bids"
players 2..3
enum Side = north, south
pieces              | copies
  Card(value: 1..9) | 1
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  row          | pool  | everyone
state            | type      | start | seen by
  bid[Player]    | 0..9      | 0     | owner
  trump[Player]  | Side      | north | others
  sides[Player]  | set Side  | []    | owner
  plot[Player]   | 0..3?     | none  | owner
  goal           | Side      | north | nobody
  spy            | Player    | first | nobody
  score[Player]  | 0..99     | 0
rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]
  random goal from Side
  random spy from Player
  for p in Player: random trump[p] from Side
rule play
  repeat 3
    each q in Player chooses bid[q] from 0..9 "How much?"
    for p in order(first)
      mine = bid[p]
      p chooses bid[p] from mine..9 "Raise {mine}?"
      p may choose plot[p] from 0..3 "Plot?" or "no"
      p chooses sides[p] from subsets(Side) "Which sides?"
      p chooses card from hand[p] "Which card?"
      move card to row
    score[first] += #row
  for p in Player
    announce told = bid[p]
    score[p] += told
let points(p: Player) = score[p] + bid[p] + (3 if spy == p else 0)
ranking of p
  most | points(p)
  most | 1 if goal == trump[p] and plot[p] != none and goal in sides[p] else 0
"""

# Who has earned something already earns too much.
TOO_MUCH = """
example "Too much"
  players Ada, Ben
  given score[Ada] = 5
  when earn(Ada)
  expect score[Ada] == 11
"""

DOUBLE = f"{LUCK}let one = 1\nlet one = 2\n"

# Right, but nobody needs it.
UNUSED = f"{LUCK}let three = 3\n"

MISSPELT = LUCK.replace("rule play", "rul play")

# Right as far as anybody can tell before it is played.
ENDLESS_LOOP = LUCK.replace(
    "    earn(p)\n",
    "    repeat\n      score[p] = 9 - score[p]\n      if score[p] == 5: stop\n",
)

# Nobody sees that somebody is asked again and again.
ENDLESS_GAME = LUCK.replace(
    "  for p in order(first)\n    p chooses c from hand[p]\n    move c to spot\n    earn(p)\n",
    "  repeat\n    first chooses c from hand[first]\n    if #spot > 0: stop\n",
).replace("  when earn(Ada)\n  expect score[Ada] == 6", "  expect score[Ada] == 0")

# As many steps as a rule may take, between any two choices.
LONG_LOOP = LUCK.replace(
    "    earn(p)\n",
    "    repeat 900\n      repeat 900\n        score[p] = 9 - score[p]\n",
)

# A thousand functions, each of which uses the one before.
CHAIN = LUCK.replace("score[p] + high", "min(9, a999)") + "let a0 = 1\n"
CHAIN += "".join(f"let a{n + 1} = a{n} + 0\n" for n in range(999))

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"
SCRIPTED = LUCK.replace('"Luck"', f'"{SCRIPT}"').replace("red,", f'red "{SCRIPT}",')
# What is compared follows from a value with a sentence of its own.
NESTED = """game "Nested"
players 2
pieces                          | copies
  Card(value: 1..4, gold: Bool) | 2
zones           | order | seen by
  deck          | pile  | nobody
  front[Player] | pool  | everyone
rule setup
  move box to deck
  shuffle deck
rule play
  for p in Player
    p chooses extra from Bool "Take five?"
    move top(deck, 5 if extra else 3) to front[p]
  end
"What the cards of a player are worth together."
let bonus(p: Player) = sum(c.value for c in front[p])
let total(p: Player) = bonus(p) - #front[p]
ranking of p
  most | total(p)
"""
