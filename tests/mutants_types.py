"""Mistakes planted in the shipped games that the passes `types` and `tables` find.

Each is a file, a text in it, what stands there instead, the code that is
drawn, and a part of its message.
"""

MUTANTS: tuple[tuple[str, str, str, str, str], ...] = (
    # Values of the wrong type
    ("sins.rules", "take(p, sin, act)\n", "take(sin, p, act)\n", "RS301", "`p` of `take`"),
    ("sins.rules", "p chooses sin from centre.sin", "sins chooses sin from centre.sin", "RS301", "whoever chooses"),
    ("sins.rules", "repeat 5 - #centre:", "repeat 5 - centre:", "RS301", "`-` needs"),
    ("sins.rules", "if stone_optional\n", "if stones\n", "RS301", "a condition is"),
    ("sins.rules", "all(#reserve[p] > 0 for", "all(reserve[p] > 0 for", "RS301", "`>` compares"),
    ("sins.rules", "  goal | score(p)", "  abyss_score | score(p)", "RS301", "first column"),
    ("sins.rules", "let doomed = #centre[Judgment] == 3", "let doomed = #centre[Judgment]", "RS301", "`when` waits"),
    ("sins.rules", "let doomed = #centre[Judgment] == 3", "let doomed = centre[Judgment] == 3", "RS301", "never compared"),
    ("sins.rules", "move top(hell[I]) to reserve[p]", "move hell to reserve[p].sin", "RS305", "no zone"),
    ("sins.rules", "if active == last: end", "if active == superbia: end", "RS301", "never compared"),
    ("siegel.rules", "pay(leader, payment(", "pay(led, payment(", "RS301", "`p` of `pay`"),
    ("siegel.rules", "leader = play_trick(leader)", "leader = pay(leader, [red])", "RS301", "gives nothing back"),
    ("siegel.rules", "dealer = left(dealer)", "dealer = n", "RS301", "`dealer` is a player"),
    ("siegel.rules", "if wish == none: stop", "if wish == p: stop", "RS301", "never compared"),
    ("siegel.rules", "sum(seal(s.wax).penalty for", "sum(s.wax for", "RS301", "what `sum` adds up"),
    ("seven7s.rules", "move top(deck, 3 - #hand[p]) to hand[p]", "move hand[p] to top(deck, 3 - #hand[p])", "RS305", "no zone"),
    ("seven7s.rules", "c.type == ages or", "c.type == red or", "RS301", "never compared"),
    ("seven7s.rules", "c.value <= highest", "c.value <= joker", "RS301", "never compared"),
    ("seven7s.rules", "another = yes", "another = red", "RS301", "`another`"),
    ("seven7s.rules", "for foe in others(p)\n", "for foe in p.type\n", "RS304", "has no `type`"),
    ("deadlies.rules", "kind = shed(p)", "kind = toss(hand[p])", "RS301", "gives nothing back"),
    ("deadlies.rules", "it.colour != [greed]", "it.colour != greed", "RS301", "never compared"),
    ("deadlies.rules", "settle(p, outcome)\n\n", "settle(p, p)\n\n", "RS301", "`outcome` of `settle`"),
    ("deadlies.rules", "cards - cards[Halo] to", "cards - Halo to", "RS301", "`-` needs"),
    ("deadlies.rules", "use duel(answer = wrath, blow = 2)", "use duel(answer = wrath, blow = wrath)", "RS301", "`n` of `draw`"),
    # Wrong number of values
    ("sins.rules", "take_stone(p)", "take_stone()", "RS302", "`take_stone` takes 1 value"),
    ("siegel.rules", "take_seal(p, wish)", "take_seal(p, wish, wish)", "RS302", "takes 2 values"),
    ("seven7s.rules", "let highest = 7 - #(", "let highest = 7 - #homes + #(", "RS302", "`homes` takes 1 value"),
    ("deadlies.rules", "if #hand[p] > 0: play_cards(p)", "if #hand[p] > 0: play_cards()", "RS302", "takes 1 value"),
    # Ranges
    ("sins.rules", "(sin: Sin, hell = I)   | 6", "(sin: Sin, hell = I)   | -6", "RS303", "how many copies"),
    ("siegel.rules", "option saboteur_base: 4..6 = 4", "option saboteur_base: 4..6 = 7", "RS303", "`saboteur_base`"),
    ("siegel.rules", "option rounds: 1..20", "option rounds: 1..3", "RS303", "`rounds`"),
    ("siegel.rules", "penalty[Player] | 0..999 | 0", "penalty[Player] | 1..999 | 0", "RS303", "`penalty`"),
    ("siegel.rules", "when pay(Ada, [yellow])", "when pay(Ada, [white])", "RS303", "`seals` of `pay`"),
    ("deadlies.rules", "malice[Player]  | 0..6 |", "malice[Player]  | 0..5 |", "RS303", "`malice`"),
    ("my_sins.rules", "stone_optional = yes", "stone_placement = keep", "RS301", "`stone_placement`"),
    # Attributes
    ("sins.rules", "p chooses sin from centre.sin", "p chooses sin from stones.sin", "RS304", "a `Stone` has no `sin`"),
    ("sins.rules", "amounts.stones) to", "amounts.sin) to", "RS304", "no output `sin`"),
    ("siegel.rules", "seal(s.wax).penalty for", "seal(s.colour).penalty for", "RS304", "has a `colour`"),
    ("seven7s.rules", "place(p, card, goal)", "place(p, card, hand[p].type)", "RS301", "`goal` of `place`"),
    # Zones
    ("sins.rules", "move top(stones) to pardons[p]", "move top(stones) to reserve[p]", "RS305", "holds `Penance`, `Vice`, and no `Stone`"),
    ("sins.rules", "  hell[Hell]      | pile", "  hell[Hell]      | pool", "RS305", "no order to shuffle"),
    ("sins.rules", "    shuffle hell[h]\n", "    shuffle hell\n", "RS305", "family of zones"),
    ("siegel.rules", "move paid to stock", "move paid to won[p]", "RS305", "and no `Seal`"),
    ("seven7s.rules", "move card to column[goal]\n", "move card to column\n", "RS305", "family of zones"),
    ("seven7s.rules", "move card to column[goal]\n", "move goal to column[goal]\n", "RS301", "one can move pieces"),
    ("deadlies.rules", "draw(hand[first], 1)", "draw(hand, 1)", "RS301", "`zone` of `draw`"),
    # Indices and selections
    ("siegel.rules", "penalty[p] += points(p)", "penalty[red] += points(p)", "RS306", "indexed by a player"),
    ("siegel.rules", "#front[p][Saboteur] > 0", "#hand[p][Saboteur] > 0", "RS306", "nothing in `hand[p]`"),
    ("seven7s.rules", "wild(c) and #column[it] > 0", "wild(c) and #column[3] > 0", "RS306", "`column` is indexed by a `Type`"),
    ("deadlies.rules", "starved[q] = #hand[q] == 0", "starved = #hand[q] == 0", "RS306", "one of them is needed"),
    # Always none
    ("siegel.rules", "if wish == none: stop", "if wish != none: stop", "RS307", "`c` of `take_seal`"),
    ("seven7s.rules", "  looks = 3\n", "", "RS307", "`looks`"),
    # Tables
    ("sins.rules", "  5       => 7    | 10\n", "", "RS331", "no row for `players` = 5"),
    ("sins.rules", "  6     => -6\n", "", "RS331", "no row for `cards` = 6"),
    ("sins.rules", "  ..7         => fewest", "  ..6         => fewest", "RS331", "`abyss_score` = 7"),
    ("siegel.rules", "  white          => 4   ", "  red            => 4   ", "RS332", "never reached"),
    ("siegel.rules", "  0         | 0              =>", "  0         | 1..2           =>", "RS332", "never reached"),
    ("siegel.rules", "yellow..violet => 3", "violet..yellow => 3", "RS334", "`violet` comes after `yellow`"),
    ("siegel.rules", "  yes         => max(0,", "  red         => max(0,", "RS334", "the key `red` never matches"),
    ("seven7s.rules", "  at_bottom => move card under deck\n", "", "RS331", "`lg_miss` = at_bottom"),
    ("seven7s.rules", '  @V-17 "… or nothing if that is disabled."\n  no                | no                 => 0\n', "", "RS331", "`worth`"),
    ("seven7s.rules", "  no                | no                 => 0\n", "  no                | no                 => red\n", "RS335", "other rows of `worth`"),
    ("deadlies.rules", "  no   | *         | *                | *          => go_on\n", "", "RS331", "`verdict`"),
    ("deadlies.rules", "  halo     => toss(hand[p])", "  purity   => toss(hand[p])", "RS331", "`colour` = halo"),
    ("my_sins.rules", "  7..8 => 7\n", "  17..18 => 7\n", "RS334", "the key `17..18` never matches"),
    ("my_sins.rules", "  8..10 => fewest", "  8..10 => fewest | most", "RS333", "1 output"),
)  # fmt: skip
