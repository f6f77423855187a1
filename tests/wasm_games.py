"""Little games, each for something that is hard to do for an engine that keeps states as bytes."""

HEAD = """\
game "Scene"
players 2..3
enum Suit = clubs, hearts, spades
enum Colour = red, green, blue
enum Wax = white, Colour, black
pieces                                        | copies
  Card(suit: Suit, value: 1..4)               | 2
  Chip(paint: Colour, both = [paint, red])    | 1
  Doom                                        | 2
zones          | order | seen by  | holds
  deck         | pile  | everyone | Card
  hand[Player] | pool  | everyone | Card
  row[Player]  | pile  | everyone | Card
  table        | pool  | everyone | Card
  gone         | pile  | everyone
  chips        | pool  | everyone | Chip
state            | type        | start
  count          | 0..9999     | 0
  score[Player]  | -999..99999 | 0
  last           | Suit?       | none
  liked[Player]  | Wax?        | none
  flag           | Bool        | no
  picked         | set 0..9    | []
  waxes          | set Wax     | []
  kept[Player]   | set Card    | []
  turn_of        | Player?     | none
"""
SETUP = """\
rule setup
  move box[Card] to deck
  move box[Chip] to chips
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]
"""
PLAY = """\
rule play
  repeat 4
    for p in order(first)
      turn_of = p
      turn(p)
"""
RANKING = """\
ranking of p
  most   | score[p]
  fewest | sum(c.value for c in hand[p])
"""


def scene(body: str) -> str:
    """A game: what happens in a turn, and whatever else it declares."""
    frame = "" if "\nranking" in body else RANKING
    frame += "" if "rule setup\n" in body else SETUP
    frame += "" if "rule play\n" in body else PLAY
    return HEAD + frame + body


# ---- Triggers in which somebody is asked ---------------------------------------------------------

TRIGGERS = {
    "after an assignment": """\
let odd = count % 3 == 1
when odd
  first chooses n from 0..2
  score[first] += n
rule turn(p: Player)
  p chooses k from 1..4
  count += k
  score[p] += k
""",
    "in the middle of a move of several pieces": """\
let full = #table in [2, 4]
when full
  first chooses d from table
  move d to gone
  count += 1
rule turn(p: Player)
  p chooses n from 1..3
  move top(deck, n) to table
  move top(table, 1) to gone
""",
    "in the middle of a move to a pile, from above and from below": """\
let full = #gone % 3 == 1
when full
  next(first) chooses d from gone[Card]
  move d to table
  count += 1
rule turn(p: Player)
  move top(deck, 3) to gone
  p chooses s from Suit
  move table[s] under gone
  move table under gone
""",
    "after a shuffle": """\
let low_top = top(gone) in gone[value = 1..2]
when low_top
  first chooses d from gone[Card]
  move d to table
rule turn(p: Player)
  move top(deck, 2) to gone
  p chooses s from Suit
  last = s
  shuffle gone
  count = #gone
""",
    "after a choice": """\
let hearty = last == hearts
when hearty
  first chooses other from [clubs, spades]
  score[first] += 1
  last = other
rule turn(p: Player)
  p may choose last from Suit
  score[p] += 1
  p chooses turn_of from Player
""",
    "after all have chosen": """\
let waxed = any(liked[q] == white for q in Player)
let blackened = liked[first] == black
when waxed
  first chooses n from 1..3
  score[first] += n
  liked[first] = blue
when blackened
  next(first) chooses n from 1..2
  score[first] -= n
rule turn(p: Player)
  each q in order(p) may choose liked[q] from Wax
  each q in others(p) chooses extra[q] from 0..1
  score[p] += sum(extra[q] for q in others(p))
""",
    "after chance": """\
let lucky = count > 3
when lucky
  first chooses n from 1..2
  score[first] += n
rule turn(p: Player)
  random count from 0..6
  p chooses k from 0..1
  score[p] += k
""",
    "at a call that sets variables back": """\
state of turn  | type     | start
  mine         | 0..9     | 0
  seen         | set Suit | []
let reset = mine == 0
let fresh = #seen == 0
when reset
  first chooses n from 1..2
  score[first] += n
when fresh
  next(first) may choose s from Suit
  if s != none: last = s
rule play
  for p in order(first): turn(p, hand[p], p, [1, 3], hand)
rule turn(p: Player, z: Zone, q: Player, s: set 1..4, all: Zone[Player])
  p chooses k from 1..3
  mine = k
  p chooses t from Suit
  seen = [t]
  p chooses c from z
  if c.value in s: move c to row[q]
  score[p] += #all[next(p)]
""",
    "at a call of an action table": """\
state of deed  | type     | start
  mine         | 0..9     | 0
let reset = mine == 0
when reset
  first chooses n from 1..2
  score[first] += n
table deed(p: Player, s: Suit, cards: set Card)
  s      => does
  clubs  =>
    p chooses n from 1..2
    mine = n
    move cards to table
  hearts => mine = 3
  *      =>
    p may choose c from cards
    move c to row[p]
    mine = 5
rule turn(p: Player)
  p chooses s from Suit
  deed(p, s, hand[p])
  p chooses s from Suit
  score[p] += index(s)
""",
    "before the play begins": """\
let here = #deck > 5
let there = flag
let alone = count == 0
when here
  first chooses flag from Bool
  score[first] += 1
when there
  next(first) chooses n from 1..3
  score[first] += n
when alone
  next(first) chooses k from 1..2
  score[next(first)] += k
rule turn(p: Player)
  p chooses k from 0..2
  count += k
  p chooses flag from Bool
""",
    "two at once": """\
let one = count > 2
let two = count > 3
let three = count > 2 and flag
when one
  first chooses n from 1..2
  score[first] += n
  flag = yes
when two
  next(first) chooses n from 1..3
  score[next(first)] += n
when three
  first chooses s from Suit
  last = s
rule turn(p: Player)
  p chooses k from 1..5
  count = k
  p chooses k from 1..2
  count = 0
  flag = no
""",
    "one that fires another": """\
let one = count % 2 == 1
let two = last == spades
let three = #table > 1
when one
  first chooses s from Suit
  last = s
  first chooses n from 0..1
  count += n
when two
  next(first) chooses c from hand[first] + hand[next(first)] + deck
  move c to table
  last = none
when three
  first chooses c from table
  move c under deck
rule turn(p: Player)
  p chooses k from 1..3
  count += k
""",
    "one that calls the rule that it interrupts": """\
let odd = count % 2 == 1
when odd
  add(first, 1)
rule add(p: Player, n: 0..9)
  p chooses k from 0..2
  count += n + k
  p chooses j from 0..1
  score[p] += j
rule turn(p: Player)
  add(p, 2)
""",
    "one that ends the game": """\
let done = #table > 3
when done
  first chooses stop_now from Bool
  if stop_now: end
  move table to deck
rule turn(p: Player)
  p chooses n from 1..2
  move top(deck, n) to table
rule finish
  score[first] += #table
  first chooses c from hand[first]
  move c to table
""",
    "in a rule that gives back a value, in loops": """\
let odd = count % 2 == 1
when odd
  first chooses n from 0..1
  score[first] += n
rule pick(p: Player, z: Zone) -> set Card
  for c in z
    count += c.value
    p may choose d from z
    if d != none: return [c, d]
  return top(z, 1)
rule turn(p: Player)
  repeat 2
    cards = pick(p, hand[p])
    for c in cards
      count += 1
      move c to row[p]
    move row[p] to hand[p]
  for s in [spades, clubs]
    p chooses k from 0..index(s)
    count += k
""",
    "after values that are set to none, in a move of nothing": """\
let nobody = turn_of == none
let empty = #gone == 0
when nobody
  first chooses turn_of from Player
when empty
  first may choose c from hand[turn_of if turn_of != none else first]
  move c to gone
rule turn(p: Player)
  p chooses k from 0..1
  if k == 1: turn_of = none
  move gone to table
  move top(row[p]) to gone
""",
}

# ---- Families ------------------------------------------------------------------------------------

FAMILIES = {
    "filtered ones": """\
rule turn(p: Player)
  move top(deck, 2) to hand[p]
  p chooses pair from (subsets(hand[p], 2) where sum(c.value for c in it) > 3) + [top(hand[p], 1)]
  move pair to table
  move top(deck, 3 - #hand[p]) to hand[p]
  random some from (subsets(hand[p], 1..2) where sum(c.value for c in it) < 6) + [hand[next(p)]]
  move some to gone
  score[p] += #(subsets(0..5, 2..3) where 3 in it)
  if any(#f[hearts] == 2 for f in subsets(hand[p], 2)): score[p] += 50
""",
    "listed ones": """\
rule turn(p: Player)
  p chooses f from [hand[p][hearts], hand[p][clubs], top(hand[p], 2)]
  move f to table
  p may choose g from [[1, 3], [2], [3, 1], [5, 6, 7]]
  score[p] += sum(n for n in g)
  random picked from [[1], [2, 4], [0, 9]]
  score[p] += #picked
""",
    "built ones": """\
rule turn(p: Player)
  move top(deck) to row[p]
  p chooses f from [row[q] for q in order(p)] + [hand[p]]
  move f to table
  p chooses f from [top(table, n) for n in 1..3]
  move f under deck
  random g from [[n, n + 1] for n in 0..3]
  picked = g
  score[p] += sum(sum(n for n in h) for h in [[n, n * 2] for n in 0..4])
""",
    "united, less others, and common ones": """\
rule turn(p: Player)
  move top(deck) to hand[p]
  p chooses f from alike(hand[p], suit) + subsets(hand[p], 1) - runs(hand[p], value)
  move f to table
  p may choose f from subsets(table, 2) & alike(table, value)
  move f to gone
  p may choose f from runs(table, value) + alike(table, value)
  move f under deck
  score[p] += #(subsets(0..4, 2) - subsets(1..3, 2))
""",
    "folded, and gone through": """\
rule turn(p: Player)
  move top(deck, 1) to hand[p]
  score[p] += max(sum(c.value for c in f) for f in subsets(hand[p], 1..2))
  f = best(sum(c.value for c in x) for x in subsets(hand[p], 2))
  p may choose c from f
  move c to table
  score[p] += sum(#g for g in alike(hand[p], suit)) + #runs(hand[p], value)
  if all(#g > 1 for g in runs(hand[p] + table, value)): score[p] += 7
  if hand[p] in subsets(hand[p], 2..3): score[p] += 11
  g = least(sum(n for n in x) for x in subsets(0..4, 2..3) where 3 in it)
  picked = g
  p chooses n from picked
  count += n
""",
    "sizes that are not next to each other": """\
rule turn(p: Player)
  move top(deck) to hand[p]
  p chooses f from subsets(hand[p], [1, 3])
  score[p] += #f
  p chooses picked from subsets(0..5, [0, 2, 5])
  score[p] += #picked
  random f from subsets(hand[p], [0, 3])
  move f to table
  move top(table, 2) to hand[p]
""",
    "sizes that change": """\
rule turn(p: Player)
  move top(deck, 3 - #hand[p]) to hand[p]
  p chooses n from 0..2
  p chooses f from subsets(hand[p], n)
  move f to table
  move top(deck, 3 - #hand[p]) to hand[p]
  p chooses f from subsets(hand[p], n..n + 1)
  score[p] += #f
  random f from subsets(table, 0..n)
  move f to hand[p]
""",
    "look-alikes": """\
rule setup
  move box[Card] to deck
  for p in Player: move top(deck, 8) to hand[p]
rule turn(p: Player)
  move top(deck + table, 2) to hand[p]
  p chooses c from hand[p]
  move c to table
  p may choose f from subsets(hand[p], 2)
  move f to table
  p may choose f from alike(table, value)
  move f under gone
  p may choose f from runs(hand[p] + table, value)
  move f to gone
  p may choose c from gone[Card] + hand[next(p)]
  move c to hand[p]
  p chooses f from [gone[Card], top(gone[Card], 2), hand[p], hand[p][value = 2]]
  move top(f, 2) to table
  p may choose f from subsets(gone[Card] + table, 2) where sum(c.value for c in it) < 5
  score[p] += sum(c.value for c in f)
""",
    "of members": """\
rule turn(p: Player)
  p chooses waxes from subsets(Wax, 2)
  score[p] += #(waxes & [red, white])
  p chooses suits from subsets(hand[p].suit)
  score[p] += #suits
  random f from subsets(Wax - waxes, 1..3)
  waxes = f + [black]
  each q in Player chooses mine[q] from subsets(Suit, 1..2)
  score[p] += #(mine[p] & mine[next(p)])
""",
}

# ---- Values --------------------------------------------------------------------------------------

VALUES = {
    "cards, or something else": """\
enum Act = knock, double, pass
rule turn(p: Player)
  repeat 3
    p chooses card from hand[p], or act from Act where it != knock or #hand[p] > 1 "Play, or what?"
    if card != none: move card to table
    else if act == double: score[p] += 10
    else if act == knock: last = hearts
  p chooses last from Suit, or number from 0..#hand[p] where number != 1 "A suit, or a number?"
  if last == none: score[p] += number
  p chooses liked[p] from Wax, or sure from Bool "A colour, or sure?"
  if sure == yes: count += 1
  p chooses back from table, or rival from Player where #hand[rival] < 5 or rival == p "Take a card, or whom?"
  if rival != none: move top(deck) to hand[rival]
  move back to hand[p]
let warm = last == hearts and #deck > 0
when warm
  first chooses n from 0..2, or last from [clubs, spades] "How many, or which suit?"
  if n != none: score[first] += n
""",
    "pieces with one value of an attribute": """\
let suit_of(c: Card) = c.suit
rule turn(p: Player)
  score[p] += 100 * #(hand[p] where it.suit == last) + 10 * #(hand[p] where suit_of(it) == last)
  p chooses n from 1..9
  score[p] += #(hand[p] where it.value == n)
  for q in order(p)
    if #(hand[q] where suit_of(it) == last) > 0: score[q] += 1
    score[q] += sum(c.value for c in hand[q] where it.suit == top(hand[q]).suit)
  p chooses c from hand[p]
  last = suit_of(c) if n < 8 else none
  move c to table
  score[p] += #(table where it.suit == c.suit)
""",
    "local families of numbers": """\
rule turn(p: Player)
  each q in order(p) may choose bid[q] from 1..3
  for q in order(p)
    if bid[q] != none: score[q] += bid[q]
  p chooses k from 0..1
  each q in others(p) chooses yesno[q] from Bool
  if any(yesno[q] == yes for q in others(p)): count += 1
  p chooses k from 0..1
  score[p] += max(bid[q] for q in Player) if any(bid[q] != none for q in Player) else k
""",
    "local families of sets": """\
rule turn(p: Player)
  each q in order(p) may choose gift[q] from subsets(hand[q], 1..2)
  p chooses k from 0..1
  for q in order(p): move gift[q] to hand[next(q)]
  each q in others(p) chooses cards[q] from [hand[q], top(hand[q], 1)]
  p chooses k from 0..1
  score[p] += sum(c.value for c in cards[next(p)])
  each q in Player may choose kept[q] from subsets(hand[q], 0..1)
  score[p] += #kept[p]
""",
    "local families of pieces, in loops": """\
rule turn(p: Player)
  for s in Suit
    each q in order(p) may choose gift[q] from hand[q][s]
    p may choose k from 1..2
    for q in order(p)
      if gift[q] != none
        move gift[q] to table
        score[q] += gift[q].value
""",
    "orders of their own": """\
rule turn(p: Player)
  p chooses w from Wax
  liked[p] = w
  score[p] += index(w)
  if w > red: score[p] += 10
  waxes = [w, red, black] - [green]
  for x in waxes
    p chooses n from 0..index(x)
    score[p] += n
  p chooses y from waxes
  liked[p] = max(waxes)
  random z from waxes + [blue]
  if z < y: liked[p] = min([z, w])
  for x in [black, red, white]: count = count * 3 % 100 + index(x)
  p chooses c from Colour where it != green
  p chooses v from white..black
  score[p] += #(waxes where it >= c)
  score[p] += index(best(index(x) for x in waxes))
""",
    "attributes that are sets": """\
rule turn(p: Player)
  p chooses x from chips.both
  p chooses c from chips[both = x]
  score[p] += #c.both + #chips[x]
  p chooses y from Colour where it in c.both
  score[p] += #(chips where y in it.both)
  p may choose g from subsets(chips.both, 1..2)
  score[p] += #g
  p may choose f from alike(chips, both)
  score[p] += #f
""",
    "numbers that are negative or large": """\
rule turn(p: Player)
  p chooses n from -3..3
  score[p] = max(-999, min(99999, score[p] - n * 7))
  score[p] = max(-999, min(99999, score[p] * 3 - 5))
  count = abs(score[p]) % 97
  score[p] = max(-900, min(99000, score[p]))
  score[p] += -7 / 2 + -7 % 3 + n / 2 + n % 2 + (n - 5) % 4 + (n - 5) / 4
  random m from -9..-2
  score[p] += m
  random m from 98000..99990
  if n == 3: score[p] = m
  p chooses big from [-999999999 * 2, 999999999, 65536 * 30000]
  if big / 70000 > score[p]: count += 1
  p chooses t from -1..0
  for k in -2..t
    p chooses u from k..1
    score[p] += u
""",
    "sets of truths, and truths": """\
rule turn(p: Player)
  p chooses x from Bool
  p may choose y from Bool
  if y == none: count += 1
  if y == x: count += 2
  for b in Bool
    p chooses z from Bool
    if z == b: score[p] += 1
  flag = x
  s = [x, z]
  p chooses b from s
  if b: score[p] += 1
  random flag from [no, yes]
""",
    "rules that give back sets": """\
rule best_cards(p: Player, z: Zone) -> set Card
  p chooses n from 1..2
  if n == 2: return z[value = 1..2]
  return top(z, 2)
rule suits_of(p: Player) -> set Suit
  if #hand[p] == 0: return []
  p may choose s from hand[p].suit
  return hand[p].suit - [clubs] if s == none else [s]
rule perhaps_one(p: Player) -> Card?
  p may choose c from hand[p]
  return c
rule turn(p: Player)
  cards = best_cards(p, hand[p])
  move cards to table
  suits = suits_of(p)
  score[p] += #suits
  for s in suits
    p chooses k from 0..1
    score[p] += k
  c = perhaps_one(p)
  p chooses k from 0..1
  if c != none: move c to row[p]
""",
    "zones, and families of zones, as parameters": """\
rule give(p: Player, from_: Zone, to_: Zone, all: Zone[Player])
  p may choose c from from_
  move c to to_
  p chooses q from Player
  move top(all[q]) to to_
  score[p] += #to_ + sum(#all[x] for x in Player)
  p chooses k from 0..1
rule turn(p: Player)
  give(p, hand[p], row[next(p)], hand)
  give(p, deck, table, row)
  give(p, table, gone, hand)
  shuffle_it(p, gone)
rule shuffle_it(p: Player, z: Zone)
  p chooses flag from Bool
  shuffle z
  p chooses k from 0..2
  move top(z, k) under z
  move z[Card][hearts] under deck
""",
    "positions in piles": """\
let beside(p: Player, c: Card) = row[p] where position(it, row[p]) == position(c, row[p]) + 1
rule turn(p: Player)
  move top(deck, 3) to row[p]
  p chooses c from hand[p]
  p chooses n from 1..5
  move c to row[p] at n
  if n > 2: move top(row[p]) to row[p] at n
  insert(top(beside(p, c)), row[next(p)], #row[p])
  insert(top(deck), hand[p], n)
  score[p] += 0 if position(c, row[p]) == none else position(c, row[p])
  score[p] += position(p, order(first)) + position(n, [1, 2, 3, 4, 5]) + position(lowest(row[p]), row[p])
  p may choose d from row[p] where position(it, row[p]) % 2 == 0
  move d to row[p] at max(1, #row[p] - n)
  shuffle row[p]
let lowest(cards: set Card) = top(cards - top(cards, #cards - 1))
rule insert(c: Card?, z: Zone, n: 0..99)
  move c to z at n + 1
""",
    "choices over several zones": """\
rule turn(p: Player)
  move top(deck) to row[p]
  p chooses c from hand[p] + row[p] + table
  move c to table
  p may choose c from hand + table
  move c to gone
  p chooses f from subsets(row[p] + hand[p] - table, 1..2)
  move f to gone
  random c from row[p] + gone[Card]
  move c to hand[p]
  move hand[next(p)] + row[p] to table
  move top(table, 3) to hand[next(p)]
  move top(deck) to hand[p]
""",
    "action tables with rows that wait": """\
table deed(p: Player, c: Card)
  c.suit | c.value => does
  clubs  | 1..2    =>
    p chooses q from others(p)
    move c to hand[q]
    score[q] += 1
  hearts | *       => again(p, c)
  *      | 3+      => move c to table
  *      | *       =>
    p may choose n from 1..3
    if n != none: score[p] += n
    return
rule again(p: Player, c: Card)
  p chooses k from 1..2
  repeat k
    p chooses d from hand[p]
    score[p] += d.value
  move c under deck
rule turn(p: Player)
  move top(deck) to hand[p]
  p chooses c from hand[p]
  deed(p, c)
""",
    "a game that ends in a rule that is called": """\
rule inner(p: Player) -> 0..9
  p chooses n from 0..9
  if n == 9: end
  return n
rule middle(p: Player)
  for q in order(p)
    repeat 2
      n = inner(q)
      score[q] += n
rule turn(p: Player)
  middle(p)
rule finish
  each q in Player chooses bonus[q] from 0..2
  for q in Player: score[q] += bonus[q]
""",
    "tables, functions and values that may be none": """\
table worth(v: 1..4?, s: Suit)
  v    | s             => points | cards
  none | *             => -1     | []
  1..2 | clubs..hearts => v      | [1, 2]
  *    | *             => 2      | 1..3
let value_of(c: Card?) = c.value
let lowest(q: Player) = min(c.value for c in hand[q])
rule turn(p: Player)
  p may choose c from hand[p]
  score[p] += worth(value_of(c), c.suit if c != none else clubs).points
  p chooses n from worth(value_of(c), hearts).cards + [0]
  count += n
  q = least(lowest(x) for x in order(p))
  if q != none: move top(hand[q]) to table
  best_one = best(c.value for c in table[hearts])
  p may choose s from Suit
  last = best_one.suit if best_one != none else s
""",
    "looks, faces and kinds": """\
let nice(c: Card) = c == (hearts 3) or c in deck
rule turn(p: Player)
  move top(deck) to table
  p chooses c from table + hand[p]
  if c == (hearts 2): score[p] += 5
  if nice(c): score[p] += 1
  score[p] += #hand[p][[clubs, spades]] + #table[hearts 1] + #(hand[p] - hand[p][hearts])
  p may choose s from subsets(Suit, 1..2)
  score[p] += #hand[p][s] * 2 + #(hand + table)[value = [1, 4]]
  if c in hand[p]: move c to table
  score[p] += #box[Doom] + #gone[Doom]
  move top(box[Doom]) to gone
""",
    "stories, and what is announced": """\
rule turn(p: Player)
  heading "Turn # of {p}"
  announce high = max(c.value for c in hand[p]) if #hand[p] > 0 else 0
  p chooses n from 0..high "Your highest is {high}?"
  tell "{p} says {n}, and {n - high}"
  announce suits = hand[p].suit to next(p)
  p chooses c from hand[p] + table + deck
  reveal c
  show hand[p] to others(p)
  move c to table
  score[p] += n + #suits
""",
}

# ---- Faults --------------------------------------------------------------------------------------

FAULTS = {
    "none where something is needed": """\
rule turn(p: Player)
  p may choose s from Suit
  score[p] += index(s)
""",
    "a number that is too large": """\
rule turn(p: Player)
  p chooses n from 1..5
  picked = [8 + n / 4]
  picked = [n * 2]
""",
    "a sum that is too large": """\
rule turn(p: Player)
  p chooses n from 1..4
  m = sum(999999999 for x in 1..n)
  score[p] += m / 100000000
""",
    "a number beyond all": """\
rule turn(p: Player)
  p chooses n from 1..4
  m = 500000000 * 4
  score[p] += (m + n * 100000000) / 100000000
""",
    "a piece that may not lie there": """\
rule turn(p: Player)
  p chooses n from 1..3
  move top(chips + hand[p], 1) to gone
  move gone to table
""",
    "nothing to choose from": """\
rule turn(p: Player)
  p chooses n from 0..2
  p chooses c from hand[p] where it.value > n + 1
  move c to table
""",
    "nothing to draw": """\
rule turn(p: Player)
  p chooses s from Suit
  random c from hand[p][s]
  move c to table
""",
    "in a rule that was called": """\
rule deeper(p: Player, n: 0..9)
  deepest(p, n * 2)
rule deepest(p: Player, n: 0..9)
  picked = [n, n - 1]
rule turn(p: Player)
  p chooses n from 0..5
  deeper(p, n)
""",
    "in a trigger": """\
let many = count > 3
when many
  first chooses n from 0..2
  liked[first] = none if n > 0 else red
  score[first] += index(liked[first])
rule turn(p: Player)
  p chooses n from 1..4
  count = n
""",
    "in the condition of a trigger": """\
let strange = index(last) == 5 - count
when strange
  first chooses n from 0..2
  score[first] += n
rule turn(p: Player)
  if count == 0: last = clubs
  p chooses n from 1..4
  count = n
  p may choose last from Suit
""",
    "in a question": """\
rule turn(p: Player)
  p chooses n from 1..4
  high = n * 500000000 + n
  p chooses m from 1..3 "Is it {high}?"
  score[p] += m
""",
    "in the finish": """\
rule turn(p: Player)
  p chooses n from 0..4
  score[p] += n
rule finish
  for p in Player
    p chooses k from 0..score[p] % 3
    score[p] = (score[p] + k) * 300000000 / 300000000
""",
    "of a family of a seat that is not in it": """\
rule turn(p: Player)
  each q in others(p) chooses bid[q] from 1..3
  p chooses q from Player
  score[p] += bid[q]
""",
    "an end where there is none": """\
rule stop_it(p: Player)
  p chooses n from 1..3
  if n == 3: end
rule turn(p: Player)
  stop_it(p)
rule finish
  stop_it(first)
""",
    "too many options": """\
rule setup
  move box to gone
rule play
  first chooses n from 5..20
  first chooses f from subsets(gone + gone[Card], n)
  first chooses g from subsets(0..40, n)
  first chooses h from 0..#gone
  score[first] += #f + #g + h
""",
    "a loop without an end": """\
rule turn(p: Player)
  p chooses n from 0..5
  repeat
    if n + count < 5: stop
    count = 1 - count
""",
    "too much work": """\
rule turn(p: Player)
  p chooses n from 0..5
  repeat n * n * n * 20
    count = #(0..999 where it % 7 == 3)
""",
}

FAULTS["in the setup and the ranking"] = """\
rule setup
  move box[Card] to deck
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]
  first chooses n from 0..2
  score[first] = n * n
rule play
  first chooses n from 0..2
ranking of p
  most | score[p] * 600000000
"""

# ---- Many pieces ---------------------------------------------------------------------------------

MANY = """\
game "Many"
players 2..3
enum Suit = clubs, hearts, spades, stars, moons
pieces                          | copies
  Card(suit: Suit, value: 1..{values}) | {copies}
  Gem                           | 3
zones          | order | seen by  | holds
  deck         | pile  | everyone | Card
  hand[Player] | pool  | everyone
  row[Player]  | pile  | everyone
  table        | pool  | everyone | Card
state           | type     | start
  score[Player] | 0..99999 | 0
  kept[Player]  | set Card | []
rule setup
  move box[Card] to deck
  shuffle deck
  for p in Player: move top(deck, 9) to hand[p]
  for p in Player: move top(deck, #deck / 4) to row[p]
let crowded = #table > {crowd}
when crowded
  first chooses c from table[value = 1..3] + table[clubs]
  move table[c.suit] to row[first]
  if #table > {crowd}: move table[value = 2..99] under row[first]
rule play
  repeat 3
    for p in order(first)
      p chooses c from hand[p][Card]
      move c to table
      move hand[p][Gem] to box
      move top(deck, 20) to table
      p may choose f from subsets(hand[p][value = 1..9], 2)
      move f under deck
      p may choose s from table.suit
      if s != none: move table[s] under row[p]
      p chooses c from top(row[p], 70) + deck + hand[p][Card]
      kept[p] = [c] + hand[p][Card][value = 5]
      move c to hand[p]
      random c from table + hand[p][Card]
      score[p] += c.value + #kept[p] + #(table where it.value > 2)
      move top(box[Gem]) to hand[p]
      for d in hand[p][Card] where it.value < 3
        p chooses n from 0..1
        score[p] += n
      shuffle deck
ranking of p
  most | score[p] + sum(c.value for c in hand[p][Card])
"""
WIDE = {
    "63 pieces": MANY.format(values=12, copies=1, crowd=50),
    "78 pieces": MANY.format(values=15, copies=1, crowd=30),
    "153 pieces": MANY.format(values=15, copies=2, crowd=45),
    "303 pieces": MANY.format(values=20, copies=3, crowd=45),
    "503 pieces": MANY.format(values=20, copies=5, crowd=45),
}

# ---- Games that older engines were tested with ---------------------------------------------------

OLDER_HEAD = """\
game "Corner"
players 2..3
use turns
enum Suit = clubs, hearts
pieces                         | copies
  Card(suit: Suit, value: 1..4) | 2
zones          | order | seen by
  deck         | pile  | nobody
  hand[Player] | pool  | owner
  table        | pool  | everyone
  gone         | pile  | everyone
state          | type  | start
  count        | 0..9  | 0
rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 3) to hand[p]
ranking of p
  most | sum(c.value for c in hand[p])
  fewest | count
rule turn(p: Player)
"""
OLDER = {
    "a trigger that interrupts a move, and chooses": """\
  p chooses c from hand[p]
  move c to table
  move top(deck, 2) to table
  if #deck == 0: end
let full = #table > 3
when full
  active chooses d from table
  move table - [d] to gone
  move d under deck
  count = min(9, count + 1)
  move top(gone) to hand[active]
""",
    "subsets in which cards look alike": """\
  move top(deck) to hand[p]
  p may choose pair from subsets(hand[p], 1..2)
  move pair to gone
  p may choose same from alike(hand[p], value)
  move same under gone
  p may choose run from runs(hand[p], value)
  move run to table
  if #deck < 3: end
""",
    "a fault in some games": """\
  p chooses c from hand[p]
  move c to table
  move top(deck) to hand[p]
  count += c.value - 1
  if #deck == 0: end
""",
    "nothing to choose from in some games": """\
  p chooses c from hand[p][hearts]
  move c to table
  move top(deck) to hand[p]
  if #deck < 6: end
""",
}
OLDER = {name: OLDER_HEAD + body for name, body in OLDER.items()}
OLDER["an interrupted game"] = """\
game "Interrupted"
players 2..3
use turns
pieces            | copies
  Card(value: 1..6) | 2
zones          | order | seen by
  deck         | pile  | nobody
  table        | pool  | everyone
  hand[Player] | pool  | owner
  gone         | pile  | everyone
state       | type | start
  asked     | 0..99 | 0
rule setup
  move box to deck
  shuffle deck
  for p in Player: move top(deck, 2) to hand[p]
rule turn(p: Player)
  p chooses c from hand[p]
  move c to table
  move top(deck, 2) to table
  if #deck == 0: end
let full = #table > 3
when full
  active chooses d from table
  move table - [d] to gone
  move d under deck
  asked += 1
  move top(gone) to hand[active]
ranking of p
  most | sum(c.value for c in hand[p])
"""
OLDER["pieces that are drawn one by one"] = """\
game "Drawn"
players 2..3
pieces            | copies
  Card(value: 1..5) | 3
  Doom              | 3
zones          | order | seen by
  deck         | pile  | nobody
  table        | pool  | everyone
  hand[Player] | pool  | owner
state       | type   | start
  dooms     | 0..99  | 0
  best_card | Player? | none
rule setup
  move box to deck
  shuffle deck
  repeat 2
    for p in Player: move top(deck) to hand[p]
rule play
  repeat
    for p in order(first)
      p chooses c from hand[p] + table
      move c to table
      repeat 4 - #table: move top(deck) to table
      repeat 3
        for q in Player: move top(deck) to hand[q]
      best_card = best(sum(c.value for c in hand[q][Card]) for q in order(p))
    if #deck == 0: end
let doomed = #table[Doom] == 2
when doomed
  dooms += 1
  if dooms > 1: end
ranking of p
  most | sum(c.value for c in hand[p][Card])
"""
OLDER["names that mean something elsewhere"] = """\
game "Nasty"
players 2
state    | type | start
  memset | 0..9 | 0
  unix   | 0..9 | 0
  double | 0..9 | 0
let strlen = memset + unix
rule play
  memset = strlen + double  -- \\
  unix = 3
ranking of p
  most | unix
"""

# ---- Without an end ------------------------------------------------------------------------------

ENDLESS = """\
game "Endless"
players 2
pieces  | copies
  Token | 1
enum Way = up, down
zones | order | seen by
  one | pool  | everyone
state | type | start
  way | Way  | up
rule play
  repeat
    move box to one
    {between}
    move one to box
    if #box == 2: stop
ranking of p
  most | index(p)
"""

# ---- Names that mean something in a module -------------------------------------------------------

NAMED = """\
rule turn(p: Player)
  step(p, 1)
  play_many(p)
  think(p)
  run(p)
  rank(p)
  start_game(p)
  list_options(p)
  rank_now(p)
  choose(p)
rule step(p: Player, n: 0..9)
  p chooses k from 0..2
  score[p] += n + k
"""
NAMED += "".join(
    f"rule {name}(p: Player)\n  p chooses k from 0..{n}\n  score[p] += k\n"
    for n, name in enumerate(
        ("play_many", "think", "run", "rank", "start_game", "list_options", "rank_now", "choose"), 1
    )
)
VALUES["rules that are called like functions of the module"] = NAMED
