"""What people write first: told once, with a hint, and what the hint says can be typed."""

import pytest

from rulespec import loading
from rulespec.checks import check
from rulespec.source import Source, locate

GAME = """
game "Well"
players 2..4
use turns
enum Sin = gula, ira
pieces                        | copies
  Card(sin: Sin, value: 1..3) | 2
zones          | order | seen by
  deck         | pile  | nobody
  well         | pile  | everyone
  hand[Player] | pool  | owner
state           | type | start
  score[Player] | 0..9 | 0
rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]
rule turn(p: Player)
  p chooses card from hand[p] "Which card?"
  move card to well
  if #deck == 0: end
let ground = 3 - 2
table points(n: 0..3)
  n  => points
  0  => 0
  1+ => 2
ranking of p
  most | points(ground) + score[p]
example "Three cards"
  players Ada, Ben
  given hand[Ada] = [2 * gula]
  expect #hand[Ada] == 2
"""
CARDS = "  Card(sin: Sin, value: 1..3) | 2\n"
CARDS_BY_HEIGHT = (
    "  Card(sin: Sin, value: 1..3, height = index(sin)) | 2\nalways few: #runs(box, height) < 99"
)
# What is replaced, by what, the code, the hint, and the text with what the hint says; in an overlay, of this file.
SLIPS = {
    "game over": ("end", "game over", "RS131", "write `end`", "end"),
    "somebody moves": (
        *("move card to well", "p moves card to well", "RS131"),
        *("write `move card to well`", "move card to well"),
    ),
    "each player draws": (
        *("for p in Player: move top(deck, 3) to hand[p]", "each player draws 3 cards", "RS131"),
        "write `for p in Player: move top(deck, 3) to hand[p]`",
        "for p in Player: move top(deck, 3) to hand[p]",
    ),
    "a rule without its player": (
        *("rule turn(p: Player)", "rule turn", "RS201"),
        *("write `rule turn(p: Player)`", "rule turn(p: Player)"),
    ),
    "the hands of all": (
        *("from hand[p]", "from hand", "RS401"),
        "write `hand[p]`: `hand` alone is that of all players together",
        "from hand[p]",
    ),
    "a comment with one hyphen": (
        *('game "Well"', '- the well\ngame "Well"', "RS104"),
        *("write `-- the well`", '-- the well\ngame "Well"'),
    ),
    "in a rule": (
        *("  move card to well", "  - put it away\n  move card to well", "RS104"),
        *("write `-- put it away`", "  -- put it away\n  move card to well"),
    ),
    "behind a statement": (
        *("move card to well", "move card to well - put it away", "RS201"),
        *("write `-- put it away`", "move card to well -- put it away"),
    ),
    "a run of members": (
        *("  Card(sin: Sin, value: 1..3) | 2", CARDS + "always few: #runs(box, sin) < 99", "RS301"),
        "write `height = index(sin)` in the row of `pieces`, and `height` here",
        CARDS_BY_HEIGHT,
    ),
    "a run of something computed": (
        *("  Card(sin: Sin, value: 1..3) | 2", CARDS + "always few: #runs(box, index(sin)) < 99"),
        *("RS301", "write `height = index(sin)` in the row of `pieces`, and `height` here"),
        CARDS_BY_HEIGHT,
    ),
    "an attribute behind a dot": (
        *("  Card(sin: Sin, value: 1..3) | 2", CARDS + "always few: #alike(box, box.sin) < 99"),
        *("RS301", "write `sin`", CARDS + "always few: #alike(box, sin) < 99"),
    ),
    "a zone in a question": (
        '  p chooses card from hand[p] "Which card?"',
        '  p chooses card from hand[p] "Which card is like {well}?"',
        *("RS201", "write `shown = top(well)` on a line before, and `{shown}` here"),
        '  shown = top(well)\n  p chooses card from hand[p] "Which card is like {shown}?"',
    ),
    "a long divisor": (
        *(
            "let ground = 3 - 2",
            "let ground = 3 / #(Player where #hand[it] > 100 or score[it] > 5)",
        ),
        *("RS309", "write `max(1, #(Player where #hand[it] > 100 or score[it] > 5))`"),
        "let ground = 3 / max(1, #(Player where #hand[it] > 100 or score[it] > 5))",
    ),
    "the heading of pieces again": (
        *("  Card(", "  pieces | copies\n  Card(", "RS133"),
        *("delete this line", "  Card("),
    ),
    "the heading of zones again": (
        *("  deck         |", "  zones | order | seen by\n  deck         |", "RS133"),
        *("delete this line", "  deck         |"),
    ),
    "the heading of state again": (
        *("  score[", "  state | type | start\n  score[", "RS133"),
        *("delete this line", "  score["),
    ),
    "the heading of a table again": (
        *("  0  => 0", "  n => points\n  0  => 0", "RS133"),
        *("delete this line", "  0  => 0"),
    ),
    "what somebody has": (
        *("given hand[Ada] = [2 * gula]", "Ada has 2 gula", "RS131"),
        *("write `given hand[Ada] = [2 * gula]`", "given hand[Ada] = [2 * gula]"),
    ),
    "what somebody is given": (
        *("given hand[Ada] = [2 * gula]", "given Ada has 2 gula", "RS131"),
        *("write `given hand[Ada] = [2 * gula]`", "given hand[Ada] = [2 * gula]"),
    ),
    "a second `for`": (
        *("let ground = 3 - 2", "let ground = sum(1 for a in deck for b in well)", "RS101"),
        "write a comma: `for a in deck, b in …`",
        "let ground = 0 * sum(1 for a in deck, b in well)",
    ),
    "another word for who sees a zone": (
        *("pile  | everyone", "pile  | everybody", "RS101"),
        *("write `everyone`", "pile  | everyone"),
    ),
    "another word for the order of a zone": (
        *("deck         | pile ", "deck         | stack", "RS101"),
        *("write `pile`", "deck         | pile "),
    ),
    "the hands of all, by `Player`": (
        *("let ground = 3 - 2", "let ground = #hand[Player]", "RS306"),
        "write `hand` for all of them together, or `hand[q]` inside `for q in Player`",
        "let ground = 0 * #hand",
    ),
    "`none` in a list": (
        *("turn(p: Player)\n", "turn(p: Player)\n  if p in [first, none]: end\n", "RS307"),
        "write `p == none or p in [first]`",
        "turn(p: Player)\n  if p == none or p in [first]: end\n",
    ),
    "a calculation in a question": (
        *('"Which card?"', '"Which card of {#hand[p]}?"', "RS201"),
        "write `shown = #hand[p]` on a line before, and `{shown}` here",
        '"Which card?"',
    ),
    "a value in what passing is called": (
        *(
            'chooses card from hand[p] "Which card?"',
            'may choose card from hand[p] "Which?" or "none of {p}"',
        ),
        "RS148",
        "leave the braces out; the question before `or` can name a value",
        'may choose card from hand[p] "Which?" or "none"',
    ),
    "players from to": (
        *("players 2..4", "players 2 to 4", "RS101"),
        *("write `players 2..4`", "players 2..4"),
    ),
    "removing a card": (
        *("move card to well", "remove card", "RS131"),
        *("write `move card to box`", "move card to box; move card to well"),
    ),
    "removing the top": (
        *("move card to well", "remove top(well) from well", "RS131"),
        *("write `move top(well) to box`", "move top(well) to box; move card to well"),
    ),
    "whoever has least": (
        *(
            "turn(p: Player)\n",
            "turn(p: Player)\n  q = whoever has least\n  score[q] += 1\n",
            "RS131",
        ),
        "write `least(#hand[q] for q in Player)` for the player who has least",
        "turn(p: Player)\n  q = least(#hand[q] for q in Player)\n  score[q] += 1\n",
    ),
    "whoever has most, in a ranking": (
        *("  most | points(ground) + score[p]", "  whoever has most", "RS133"),
        *("write `most | #hand[p]`", "  most | #hand[p] + points(ground) + score[p]"),
    ),
    "whom to tell first": (
        *("move card to well", 'tell p "hello"; move card to well', "RS101"),
        *('write `tell "hello" to p`', 'tell "hello" to p; move card to well'),
    ),
    "passing as an option": (
        *('from hand[p] "Which card?"\n', 'from hand[p] or pass "Which card?"\n', "RS201"),
        'write `p may choose card from … "Which card?" or "pass"`, and below it what is done then',
        'from hand[p] "Which card?"\n',
    ),
    "no card as an option": (
        *('from hand[p] "', 'from hand[p] + [none] "', "RS307"),
        *("leave it out, and write `may choose`", 'from hand[p] "'),
    ),
    "how many, behind a dot": (
        *(
            "if #deck == 0",
            "if hand[p].count == 0",
            "RS201",
            "write `#hand[p]`",
            "if #hand[p] == 0",
        ),
    ),
    "the bottom of the deck": (
        *("move card to well", "move card to deck bottom", "RS131"),
        *("write `move … under deck`", "move card under deck; move top(deck, 2) to well"),
    ),
    "an empty hand": (
        *("if #deck == 0", "if hand[p] is empty", "RS131"),
        *("write `#hand[p] == 0`", "if #hand[p] == 0"),
    ),
    "a deck that is not empty": (
        *("if #deck == 0", "if deck is not empty", "RS131"),
        *("write `#deck > 0`", "if #deck > 0"),
    ),
    "for q in players": (
        *("for p in Player", "for p in players", "RS301"),
        *("write `Player` for all players", "for p in Player"),
    ),
    "for p in all players": (
        *("for p in Player", "for p in all players", "RS131"),
        *("write `Player` for all players", "for p in Player"),
    ),
    "a filter behind a count": (
        *("if #deck == 0", "x = #well where it.sin == ira\n  if x == 0", "RS301"),
        *("write `#(well where it.sin == ira)`", "if #(well where it.sin == ira) == 0"),
    ),
    "the hands of others": (
        *("if #deck == 0", "if #hand[others(p)] == 0", "RS306"),
        "write `hand[q]` inside `for q in others(p)`",
        "for q in others(p): move hand[q] to well\n  if #deck == 0",
    ),
    "two variables of a list": (
        *("if #deck == 0", "if #[[c, d] for c in hand[p], d in hand[p]] == 0", "RS101"),
        "write `subsets(cards, 2)` for pairs; a fold takes two: `sum(… for a in …, b in …)`",
        "if #subsets(hand[p], 2) == 0",
    ),
    "a `let` in a question": (
        *('"Which card?"\n', '"On {ground}?"\n', "RS201"),
        "write `shown = ground` on a line before, and `{shown}` here",
        '"Which card?"\n',
    ),
    "a function that calls itself": (
        "let ground = 3 - 2",
        "let ground = min(3, all_up(2))\nlet all_up(n: 0..9) = 0 if n == 0 else n + all_up(n - 1)",
        "RS501",
        (
            "a value cannot go on with itself: fold over all numbers, as in `sum(i for i in 1..n)`, or write a rule"
            " that returns it, with a loop such as `for i in 1..n: total += i`"
        ),
        "let ground = min(3, all_up(2))\nlet all_up(n: 0..9) = sum(i for i in 1..n)",
    ),
    "a function of a set that calls itself": (
        "let ground = 3 - 2",
        (
            "let ground = min(3, many(well))\n"
            "let many(s: set Card) = 0 if #s == 0 else 1 + many(s - top(s, 1))"
        ),
        "RS501",
        (
            "a value cannot go on with itself: fold over the set, as in `sum(1 for c in s)` or"
            " `max(#a + #b for a in subsets(s), b in subsets(s - a))`"
        ),
        (
            "let ground = min(3, many(well) + pairs(well))\n"
            "let many(s: set Card) = sum(1 for c in s)\n"
            "let pairs(s: set Card) = max(#a + #b for a in subsets(s), b in subsets(s - a))"
        ),
    ),
    "a rule that calls itself": (
        *("  if #deck == 0: end", "  if #deck == 0: end\n  turn(next(p))", "RS501"),
        "use `repeat` instead of the call, and `stop` to leave it",
        "  if #deck == 0: end\n  repeat\n    if #deck < 3: stop\n    move top(deck) to well",
    ),
    "somebody gets points": (
        *("move card to well", "move card to well; p gets 2 points", "RS131"),
        *("write `score[p] += 2`", "move card to well; score[p] += 2"),
    ),
    "points are added": (
        *("move card to well", "move card to well; add 2 to score[p]", "RS131"),
        *("write `score[p] += 2`", "move card to well; score[p] += 2"),
    ),
    "somebody wins": (*("end", "p wins", "RS131"), *("write `end`", "end")),
    "somebody looks at a card": (
        *("move card to well", "move card to well; p looks at top(deck)", "RS131"),
        *("write `show top(deck) to p`", "move card to well; show top(deck) to p"),
    ),
    "revealed to somebody": (
        *("move card to well", "reveal card to p", "RS131"),
        *("write `show card to p`", "show card to p; move card to well"),
    ),
    "shuffled into": (
        *("move card to well", "move card to well\n  shuffle well into deck", "RS131"),
        *(
            "write `move well to deck; shuffle deck`",
            "move card to well\n  move well to deck; shuffle deck",
        ),
    ),
    "rolled": (
        *("move card to well", "move card to well; roll die", "RS131"),
        "write `random die from 1..6`",
        "move card to well; random die from 1..6; score[p] += die - die",
    ),
    "chosen in another spelling": (
        *("p chooses card from", "p choses card from", "RS131"),
        *('write `p chooses card from hand[p] "Which card?"`', "p chooses card from"),
    ),
    "the game ends": (*("end", "the game ends", "RS131"), *("write `end`", "end")),
    "end of game": (*("end", "end the game", "RS131"), *("write `end`", "end")),
    "game over in one word": (*("end", "gameover", "RS131"), *("write `end`", "end")),
    "somebody puts": (
        *("move card to well", "p puts card on the well", "RS131"),
        *("write `move card to well`", "move card to well"),
    ),
    "somebody moves, in the plural": (
        *("move card to well", "p move card to well", "RS131"),
        *("write `move card to well`", "move card to well"),
    ),
    "a card goes somewhere": (
        *("move card to well", "card goes to well", "RS131"),
        *("write `move card to well`", "move card to well"),
    ),
    "into": (
        *("move card to well", "move card into well", "RS131"),
        *("write `move card to well`", "move card to well"),
    ),
    "from where": (
        *("move card to well", "move card from hand[p] to well", "RS131"),
        *("write `move card to well`", "move card to well"),
    ),
    "to the bottom": (
        *("move card to well", "move card to the bottom of well", "RS131"),
        *("write `move card under well`", "move card under well"),
    ),
    "putting": (
        *("move card to well", "put card on well", "RS131"),
        *("write `move card to well`, or `put(…)` to call a rule", "move card to well"),
    ),
    "everyone draws": (
        *("for p in Player: move top(deck, 3) to hand[p]", "everyone draws 2 cards", "RS131"),
        "write `for p in Player: move top(deck, 2) to hand[p]`",
        "for p in Player: move top(deck, 2) to hand[p]",
    ),
    "deal to each player": (
        *("for p in Player: move top(deck, 3) to hand[p]", "deal 3 cards to each player", "RS131"),
        "write `for p in Player: move top(deck, 3) to hand[p]`, or `deal(…)` to call a rule",
        "for p in Player: move top(deck, 3) to hand[p]",
    ),
    "for each player": (
        *("for p in Player: move", "for each player: move", "RS131"),
        "write `for p in Player: move top(deck, 3) to hand[p]`",
        "for p in Player: move",
    ),
    "foreach": (
        *("for p in Player: move", "foreach p in Player: move", "RS131"),
        "write `for p in Player: move top(deck, 3) to hand[p]`",
        "for p in Player: move",
    ),
    "another name for its player": (
        *("rule turn(p: Player)", "rule turn(player: Player)", "RS201"),
        "write `rule turn(player: Player, p: Player)`",
        "rule turn(p: Player)",
    ),
    "my hand": (*(" hand[p] ", " my hand ", "RS131"), *("write `hand[p]`", " hand[p] ")),
    "the hand of a player": (
        *(" hand[p] ", " hand of p ", "RS131"),
        "write `hand[p]` for a zone or variable of a player, `p.hand` for an attribute of a card",
        " hand[p] ",
    ),
    "somebody's hand": (*(" hand[p] ", " p's hand ", "RS104"), *("write `hand[p]`", " hand[p] ")),
    "somebody holds": (
        *("given hand[Ada] = [2 * gula]", "Ada holds 2 gula", "RS131"),
        *("write `given hand[Ada] = [2 * gula]`", "given hand[Ada] = [2 * gula]"),
    ),
    "several things that somebody has": (
        *("given hand[Ada] = [2 * gula]", "Ada has 1 gula and 1 ira", "RS131"),
        *("write `given hand[Ada] = [1 * gula, 1 * ira]`", "given hand[Ada] = [1 * gula, 1 * ira]"),
    ),
    "without the word `given`": (
        *("given hand[Ada] = [2 * gula]", "hand[Ada] = [2 * gula]", "RS131"),
        *("write `given hand[Ada] = [2 * gula]`", "given hand[Ada] = [2 * gula]"),
    ),
    "how many without a sign": (
        *("given hand[Ada] = [2 * gula]", "given hand[Ada] = 2 gula", "RS131"),
        *("write `given hand[Ada] = [2 * gula]`", "given hand[Ada] = [2 * gula]"),
    ),
    "players in words": (
        *("players 2..4", "players two to four", "RS101"),
        *("write `players 2..4`", "players 2..4"),
    ),
    "players listed": (
        *("players 2..4", "players 2, 3, 4", "RS101"),
        *("write `players 2..4`", "players 2..4"),
    ),
    "players behind the numbers": (
        *("players 2..4", "2 to 4 players", "RS101"),
        *("write `players 2..4`", "players 2..4"),
    ),
    "removing several": (
        *("move card to well", "remove 2 cards", "RS131"),
        *("write `move top(deck, 2) to box`", "move top(deck, 2) to box; move card to well"),
    ),
    "deleting": (
        *("move card to well", "delete card", "RS131"),
        *("write `move card to box`", "move card to box; move card to well"),
    ),
    "the player with most": (
        *(
            "turn(p: Player)\n",
            "turn(p: Player)\n  q = the player with the most cards\n  score[q] += 1\n",
            "RS131",
        ),
        "write `best(#hand[q] for q in Player)` for the player who has most",
        "turn(p: Player)\n  q = best(#hand[q] for q in Player)\n  score[q] += 1\n",
    ),
    "player with least, of a variable": (
        *(
            "turn(p: Player)\n",
            "turn(p: Player)\n  q = player with least score\n  score[q] += 1\n",
            "RS131",
        ),
        "write `least(score[q] for q in Player)` for the player who has least",
        "turn(p: Player)\n  q = least(score[q] for q in Player)\n  score[q] += 1\n",
    ),
    "a ranking without a line between": (
        *("  most | points(ground) + score[p]", "  most points(ground) + score[p]", "RS133"),
        *("write `most | points(ground) + score[p]`", "  most | points(ground) + score[p]"),
    ),
    "least in a ranking": (*("  most |", "  least |", "RS201"), *("write `fewest`", "  fewest |")),
    "highest in a ranking": (*("  most |", "  highest |", "RS201"), *("write `most`", "  most |")),
    "a variable of all": (
        *("move card to well", "move card to well; score += 1", "RS306"),
        *("write `score[p]`", "move card to well; score[p] += 1"),
    ),
    "a second `for` behind a comma": (
        *("let ground = 3 - 2", "let ground = sum(1 for a in deck, for b in well)", "RS101"),
        *("write `, b in …`", "let ground = 0 * sum(1 for a in deck, b in well)"),
    ),
    "two variables of one set": (
        *("let ground = 3 - 2", "let ground = sum(1 for a, b in deck)", "RS101"),
        *("write `for a in …, b in …`", "let ground = 0 * sum(1 for a in deck, b in deck)"),
    ),
    "a heading in other words": (
        *("  deck         |", "  zone | order | seen by\n  deck         |", "RS133"),
        *("delete this line", "  deck         |"),
    ),
    "a line that begins with a minus": (
        *("points(ground) + score[p]", "points(ground)\n  - score[p]", "RS104"),
        "write `-- score[p]`, or indent it deeper to continue the line above",
        "points(ground)\n    - score[p]",
    ),
    "a line that ends with a plus": (
        *("points(ground) + score[p]", "points(ground) +\n    score[p]", "RS126"),
        "begin the next line with `+`, indented deeper",
        "points(ground)\n    + score[p]",
    ),
    "a line that begins with a star": (
        *("points(ground) + score[p]", "points(ground)\n    * score[p]", "RS122"),
        "write it at the end of the line above; in brackets, a line can continue anywhere",
        "(points(ground)\n    * score[p])",
    ),
    "a line that begins with a plus": (
        *("points(ground) + score[p]", "points(ground)\n  + score[p]", "RS126"),
        *("indent it deeper than the line above", "points(ground)\n    + score[p]"),
    ),
}
OVERLAYS = {
    "without the ending": (
        *('extends "sins"\n', "RS231", 'write `"sins.rules"`, with the ending of the file'),
        'extends "sins.rules"\n',
    ),
    "an option at the margin": (
        *('extends "sins.rules"\nstone_optional = yes\n', "RS132"),
        (
            'write `extends "sins.rules" with stone_optional = yes`; for a value of your own, '
            "`let stone_optional = …`"
        ),
        'extends "sins.rules" with stone_optional = yes\n',
    ),
    "an option that is overridden": (
        *('extends "siegel.rules" with open_end = yes\noverride saboteur_base = 5\n', "RS132"),
        (
            'write `extends "siegel.rules" with open_end = yes, saboteur_base = 5`; for a value that is no '
            "option, `override let saboteur_base = …`"
        ),
        'extends "siegel.rules" with open_end = yes, saboteur_base = 5\n',
    ),
    "with its word": (
        *('extends "siegel.rules"\noverride option saboteur_base = 5\n', "RS132"),
        'write `extends "siegel.rules" with saboteur_base = 5`',
        'extends "siegel.rules" with saboteur_base = 5\n',
    ),
    "with another case": (
        *('extends "Sins"\n', "RS231", 'did you mean `"sins.rules"`?'),
        'extends "sins.rules"\n',
    ),
    "with a colon": (
        *('extends "sins.rules"\nset stone_optional: yes\n', "RS132"),
        'write `extends "sins.rules" with stone_optional = yes`',
        'extends "sins.rules" with stone_optional = yes\n',
    ),
    "an option as a value": (
        *('extends "sins.rules"\nlet stone_optional = yes\n', "RS202"),
        'write `extends "sins.rules" with stone_optional = yes`',
        'extends "sins.rules" with stone_optional = yes\n',
    ),
    "an option as a value that overrides": (
        *('extends "siegel.rules"\noverride let saboteur_base = 5\n', "RS222"),
        'write `extends "siegel.rules" with saboteur_base = 5`',
        'extends "siegel.rules" with saboteur_base = 5\n',
    ),
    "`with` on a line of its own": (
        *('extends "sins.rules"\nwith stone_optional = yes\n', "RS132"),
        'write `extends "sins.rules" with stone_optional = yes`',
        'extends "sins.rules" with stone_optional = yes\n',
    ),
    "without `with`": (
        *('extends "sins.rules", stone_optional = yes\n', "RS143"),
        "write `with` before them, and commas between them",
        'extends "sins.rules" with stone_optional = yes\n',
    ),
    "an option without its sign": (
        *('extends "sins.rules" with stone_optional yes\n', "RS143"),
        *("write `stone_optional = yes`", 'extends "sins.rules" with stone_optional = yes\n'),
    ),
    "an option without a value": (
        *('extends "sins.rules" with stone_optional\n', "RS223"),
        *("write `stone_optional = …`", 'extends "sins.rules" with stone_optional = yes\n'),
    ),
    "a mechanism without `use`": (
        *('extends "siegel.rules"\noverride tricks(trump = blue)\n', "RS143"),
        "write `override rule tricks`, or `override use tricks(…)` for a mechanism",
        'extends "siegel.rules"\noverride use tricks(trump = blue)\n',
    ),
    "a mechanism that is used below": (
        *('extends "siegel.rules"\nuse tricks(trump = blue)\n', "RS202"),
        "write `override use tricks(trump = blue)` to bind slots of it anew",
        'extends "siegel.rules"\noverride use tricks(trump = blue)\n',
    ),
}


def diagnose(text):
    return check(loading.GAMES / "test.rules", Source("test.rules", text)).diagnostics


def test_the_game_itself_is_right():
    assert diagnose(GAME) == ()


@pytest.mark.parametrize(("old", "wrong", "code", "hint", "right"), SLIPS.values(), ids=SLIPS)
def test_a_slip_has_one_hint_and_it_works(old, wrong, code, hint, right):
    assert GAME.count(old) == 1
    text = GAME.replace(old, wrong)

    (found,) = diagnose(text)

    assert (found.code.number, found.hint) == (code, hint)
    first = text[: text.index(wrong)].count("\n") + 1
    assert first <= locate(found.span)[0].line <= first + wrong.count("\n")
    assert diagnose(GAME.replace(old, right)) == ()


@pytest.mark.parametrize(("wrong", "code", "hint", "right"), OVERLAYS.values(), ids=OVERLAYS)
def test_a_slip_in_an_overlay_has_one_hint_and_it_works(wrong, code, hint, right):
    (found,) = diagnose(wrong)

    assert (found.code.number, found.hint) == (code, hint)
    assert diagnose(right) == ()
