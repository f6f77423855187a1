"""Small games that mean something: whatever is drawn here must check, and later run.

Types guide the drawing: numbers, conditions and statements are made of what is in scope and public.
Each strategy is made once: Hypothesis takes ten times as long to get ready to draw as to draw.
"""

from functools import cache

from hypothesis import strategies as st

HEAD = """\
game "A small one"
players 2..3
option pace: 1..3 where it <= players - 1 = 1
enum Suit = clubs, hearts, spades
pieces                                 | copies
  Card(suit: Suit, value: 1..{values}) | {copies}
  Gem                                  | 5
zones          | order | seen by  | counted by | holds
  deck         | pile  | nobody   | everyone   | Card
  hand[Player] | pool  | owner    | everyone   | Card
  market       | pool  | everyone | everyone   | Card
  gems         | pool  | everyone | everyone   | Gem
  safe[Player] | pool  | everyone | everyone   | Gem
  sack[Player] | pool  | owner    | owner      | Gem
  boot[Player] | pool  | nobody   | owner      | Gem
state           | type     | start
  score[Player] | 0..999   | 0
  count         | 0..99    | 0
  last          | Suit?    | none
  flag          | Bool     | no
  picked        | set 0..6 | []
  kept[Player]  | set Card | []
state of turn   | type     | start
  mine[Player]  | 0..9     | 0
state           | type     | start | seen by
  plan[Player]  | 0..9     | 0     | owner
  brand[Player] | Suit     | clubs | others
  fate          | 0..9     | 0     | nobody
let rich = any(#safe[q] > 1 for q in Player)
"""

SETUP = """\
rule setup
  move box[Card] to deck
  move box[Gem] to gems
  shuffle deck
  for p in order(first): move top(deck, {deal}) to hand[p]
rule play
  for round in 1..{rounds}
    for p in order(first): turn(p)
"""
# The same turns from a mechanism, in which players sit out, are skipped, play again, or the other way round.
ROTATION = """\
use rotation
rule setup
  move box[Card] to deck
  move box[Gem] to gems
  shuffle deck
  for p in order(first): move top(deck, {deal}) to hand[p]
override let sits_out(p: Player) = #safe[p] > 3 and p != first
before turn
  if taken == {rounds} * 3: end
  taken += 1
  if taken % 3 == 1: skips = 1
  if taken % 4 == 2: again = yes
  if taken % 5 == 3: backwards = not backwards
state   | type  | start
  taken | 0..99 | 0
"""
# Who wins: everybody alone, in teams, or against the game.
RANKINGS = (
    "ranking of p\n  most | score[p]",
    "ranking of p\n  won | flag\n  most | score[p]",
    "ranking of p\n  fewest | score[p]\n  won | #safe[p] > 0\n  drawn | score[p] == count",
    """\
enum Side = left_side, right_side
teams Side of p = left_side if p == first else right_side
ranking of side
  drawn | count == 1
  most  | sum(score[p] for p in Player where team(p) == side)""",
)


@cache
def numbers():
    simple = st.sampled_from(
        [
            "0",
            "1",
            "3",
            "count",
            "#deck",
            "#market",
            "#gems",
            "#hand[p]",
            "#safe[p]",
            "score[p]",
            "points(min(9, #market))",
            "bonus(p)",
            "sum(c.value for c in market)",
            "sum(c.value for c in market, d in market where d.suit == c.suit)",
            "doubled(count)",
            "#alike(market, suit, 2..3)",
            "players",
            "pace",
            "#market[Card(value = 1)]",
            "#(market[clubs 1] + market[Card(suit = hearts)])",
            "(12 / #picked if 3 in picked else 1)",
            "(20 / count if count > 0 else 0)",
            "#[runs(market[suit = s], value, 2..3) for s in Suit]",
            "#(market where it.suit == hearts)",
            "#market[clubs]",
            "index(p)",
        ]
    )
    return st.recursive(
        simple,
        lambda inner: st.one_of(
            st.builds("{} + {}".format, inner, inner),
            st.builds("min({}, {})".format, inner, inner),
            st.builds("abs({} - {})".format, inner, inner),
            st.builds("({} if {} else {})".format, inner, conditions_of(inner), inner),
            st.builds("{} / 2".format, inner.map("({})".format)),
            # What is run through need not be asked for.
            st.builds("sum({} for q in Player)".format, inner),
            st.builds("#[{} for q in order(p) where {}]".format, inner, conditions_of(inner)),
            st.builds("#(Suit where {})".format, conditions_of(inner)),
        ),
        max_leaves=3,
    )


def conditions_of(number):
    return st.one_of(
        st.builds("{} {} {}".format, number, st.sampled_from(["<", "<=", "==", "!="]), number),
        st.sampled_from(["flag", "not flag", "last == spades", "last == none", "last != none"]),
        st.sampled_from(
            [
                "any(#safe[q] > 1 for q in Player)",
                "all(#deck > 2 for q in Player)",
                "clubs in market.suit",
                "p == first",
            ]
        ),
    )


@cache
def conditions():
    simple = conditions_of(numbers())
    return simple | st.builds("({}) and not ({})".format, simple, simple)


@cache
def statements(depth: int):
    """Statements of a turn of `p`, as lines."""
    simple = st.one_of(
        st.sampled_from(
            [
                ["move top(deck) to hand[p]"],
                ["move top(gems) to safe[p]"],
                ["move top(gems) to sack[p]"],
                ["if #sack[p] > 1: move top(sack[p]) to boot[p]"],
                ["move sack[p] to safe[p]"],
                ["p chooses paid from 0..#boot[p]", "move top(boot[p], paid) to gems"],
                ["move top(deck) to deck at 2"],
                ["move top(market) to deck at #market + 1"],
                [
                    "count = #(deck where position(it, deck) % 2 == 0)",
                    "last_one = top(deck - top(deck, #deck - 1))",
                    "if last_one != none: count = min(99, position(last_one, deck))",
                ],
                ["move safe to gems"],
                ["shuffle deck"],
                ["reveal hand[p]"],
                ["show hand[p] to next(p)"],
                ["flag = not flag"],
                ["random die from 1..6", "count = die"],
                ['p may choose wish from Suit "Which suit?" or "none"', "last = wish"],
                ["p chooses number from 0..3", "count = number"],
                ["p chooses rival from others(p)", "move top(gems) to safe[rival]"],
                [
                    "if #hand[p] > 0",
                    '  p chooses card from hand[p] "Which card?"',
                    "  move card to market",
                    "  score[p] = min(999, score[p] + card.value)",
                ],
                [
                    "if #market > 2",
                    "  p chooses pair from subsets(market, 2)",
                    "  move pair under deck",
                ],
                [
                    'p chooses card from hand[p], or also from Suit "A card, or a suit?"',
                    "if also != none: last = also",
                    "move card to market",
                ],
                [
                    "p chooses number from 0..count where number < 3, or rival from others(p)",
                    "if rival != none: move top(gems) to safe[rival]",
                    "if number != none: score[p] = min(999, score[p] + number)",
                ],
                ["each q in Player chooses secret[q] from Bool", "flag = secret[p] == yes"],
                ["p may choose lot from subsets(market, 1..2)", "move lot under deck"],
                ["p may choose picked from subsets(0..7, 2)", "count = #picked"],
                ["p may choose picked from 0..3", "random picked from subsets(0..6, 1..2)"],
                ["random count from 90..100"],
                [
                    "each q in others(p) may choose gift[q] from subsets(market, 1)",
                    "move gift[p] + gift[next(p)] to hand[p]",
                ],
                [
                    "each q in Player may choose kept[q] from subsets(hand[q], 0..1)",
                    "move kept[p] to market",
                ],
                ["act(p, clubs)"],
                ["if last != none: act(p, last)"],
                ["liked = pick(p)", "last = liked", "if liked == hearts: flag = yes"],
                ["good = market where it.value > 1", "move good under deck"],
                ["few = top(market, 2) + market[clubs]", "move few - market[hearts] to deck"],
                ["random some from subsets(gems, 0..1)", "move some to safe[p]"],
                ["if count != 0: score[p] = 30 / count", "else: score[p] = 3"],
                ["p chooses part from 0..4", "if part > 0: count = 60 / part"],
                ["if count == 0 or 40 / count > 4: flag = not flag"],
                ["count = #deck", "  + #market", "  - min(#deck, 1)"],
                ["flag = yes if count > 5", "  else no if count > 3", "  else flag"],
                ["p chooses plan[p] from 0..3", "announce shown = plan[p]", "count = shown"],
                [
                    "each q in Player chooses plan[q] from 0..2",
                    "announce most_of_all = max(plan[q] for q in Player)",
                    "if most_of_all > 1: flag = yes",
                ],
                ["random brand[p] from Suit", "announce mark = brand[p]", "last = mark"],
                ["random fate from 1..3", "announce fate_of_all = fate > 1", "flag = fate_of_all"],
                ["mine[p] += 1", "if mine[p] > 2: mine[p] = 0"],
                [
                    "if #alike(market, suit) > 0",
                    "  p may choose same from alike(market, suit)",
                    "  move same to deck",
                ],
                [
                    "best_one = best(c.value for c in market)",
                    "if best_one != none: last = best_one.suit",
                ],
            ]
        ),
        st.builds(lambda e: [f"count = min(99, max(0, {e}))"], numbers()),
        st.builds(lambda e: [f"score[p] = min(999, max(0, {e}))"], numbers()),
    )
    if depth == 0:
        return simple
    inner = bodies(depth - 1).map(lambda lines: [f"  {line}" for line in lines])
    return st.one_of(
        simple,
        simple,
        st.builds(lambda c, body: [f"if {c}", *body], conditions(), inner),
        st.builds(
            lambda c, one, other: [f"if {c}", *one, "else", *other], conditions(), inner, inner
        ),
        st.builds(lambda n, body: [f"repeat {n}", *body], st.integers(0, 3), inner),
        st.builds(lambda body: ["for foe in others(p)", *body], inner),
    )


@cache
def bodies(depth: int):
    return st.lists(statements(depth), min_size=1, max_size=3).map(
        lambda several: [line for lines in several for line in lines]
    )


@cache
def actions():
    """An action table: a body for each suit, the last row for the rest."""
    rows = st.lists(bodies(0), min_size=3, max_size=3)

    def table(several):
        lines = ["table act(p: Player, suit: Suit)", "  suit => does"]
        for key, body in zip(("clubs", "hearts", "*"), several, strict=True):
            lines += [f"  {key} =>", *(f"    {line}" for line in body)]
        return [line for line in lines if "act(p" not in line or line.startswith("table")]

    return rows.filter(lambda several: not any("act(p" in " ".join(body) for body in several)).map(
        table
    )


@cache
def additions():
    """What may be added: a trigger, parts before and after a turn, an invariant."""
    indented = bodies(1).map(lambda lines: [f"  {line}" for line in lines])
    trigger = st.sampled_from(
        [["  flag = yes"], ["  count = 7"], ["  end"], ["  move safe to gems"]]
    )
    parts = st.one_of(
        trigger.map(lambda body: ["when rich", *body]),
        indented.map(lambda body: ["before turn", *body]),
        indented.map(lambda body: ["after turn", *body]),
        st.just(["always few: #market <= 999"]),
    )
    return st.lists(parts, max_size=3, unique_by=lambda lines: lines[0]).map(
        lambda several: [line for lines in several for line in lines]
    )


PICK = """\
rule pick(p: Player) -> Suit
  if #market > 0
    p chooses liked from market.suit
    return liked
  return spades
"""


@st.composite
def programs(draw):
    cut = draw(st.integers(0, 7))
    rows = [f"..{cut} => 1", f"{cut + 1}..8 => 2", "9 => 5"]
    table = ["table points(n: 0..9)", "  n => points", *(f"  {row}" for row in rows)]
    turn = ["rule turn(p: Player)", *(f"  {line}" for line in draw(bodies(2)))]
    return "\n".join(
        [
            HEAD.format(values=draw(st.integers(1, 6)), copies=draw(st.sampled_from((1, 2, 3, 8)))),
            *table,
            "let bonus(p: Player) = points(min(9, #safe[p]))",
            "let doubled(n: 0..99) = part + part with part = n + #market",
            draw(st.sampled_from(RANKINGS)),
            *turn,
            *draw(actions()),
            PICK,
            *draw(additions()),
            draw(st.sampled_from((SETUP, SETUP, ROTATION))).format(
                deal=draw(st.integers(0, 3)), rounds=draw(st.integers(1, 3))
            ),
        ]
    )
