"""Mistakes planted in the examples of the shipped games that the pass `examples` finds.

Each is a file, a text in it, what stands there instead, the code that is
drawn, and a part of its message.
"""

MUTANTS: tuple[tuple[str, str, str, str, str], ...] = (
    # Seats
    ("sins.rules", "players Ada, Ben\n  given reserve[Ada] = [3 * gula]\n  given pardons", "players Ada\n  given reserve[Ada] = [3 * gula]\n  given pardons", "RS371", "2 to 5 players, but 1 sits"),
    (
        "siegel.rules",
        "players Ada, Ben, Cleo\n  given stock = [blue, white]",
        "players Ada, Ben\n  given stock = [blue, white]",
        "RS371",
        "3 to 5 players, but 2 sit",
    ),
    ("deadlies.rules", "    players A, B, C, D, E, F\n", "    players A, B, C, D, E, F, G\n", "RS371", "players, but 7 sit"),
    # Targets
    ("sins.rules", "given reserve[Ada] = [gula, ira]", "given reserve = [gula, ira]", "RS305", "a family of zones"),
    ("sins.rules", "given abyss = [3 * ira, gula]\n", "given abyss_score = 7\n", "RS205", "is neither"),
    ("seven7s.rules", "given column[colours] = [blue 3]", "given joker = blue", "RS205", "is neither"),
    ("deadlies.rules", "given malice[Anne] = 2", "given malice[Anne] = envy 2", "RS301", "`envy 2` is a `Vice`"),
    ("deadlies.rules", "given malice[Anne] = 2", "given malice[Anne] = none", "RS307", "cannot be `none`"),
    # Pieces
    ("sins.rules", "given stones = [2 * Stone]", "given stones = [2 * gula]", "RS305", "holds `Stone`, not `gula`"),
    ("sins.rules", "given stones = [2 * Stone]", "given stones = [12 * Stone]", "RS372", "only 10 `Stone`"),
    ("sins.rules", "given centre = [5 * gula]", "given centre = [5, gula]", "RS301", "`5` is a number"),
    ("sins.rules", "given deck = [ira, Judgment, gula]", "given deck = [ira, 4 * Judgment]", "RS372", "only 3 `Judgment`"),
    ("sins.rules", "given deck = [ira, Judgment, gula]", "given deck = [ira, keep]", "RS306", "no piece is `keep`"),
    ("siegel.rules", "given stock = [6 * black]", "given stock = [7 * black]", "RS372", "`black` in the box"),
    ("siegel.rules", "given hand[Franck] = [yellow 9,", "given hand[Franck] = [yellow 16,", "RS306", "no piece `yellow 16`"),
    ("siegel.rules", "given hand[Franck] = [yellow 9,", "given hand[Franck] = [Saboteur,", "RS305", "holds `Card`"),
    ("siegel.rules", "given hand[Sabine] = [yellow 1,", "given hand[Sabine] = [yellow 9,", "RS372", "the only `yellow 9`"),
    ("seven7s.rules", "given column[ages] = [6 * ages]", "given column[ages] = [8 * ages]", "RS372", "only 7 `ages`"),
    ("seven7s.rules", "given hand[Anne] = [red 6]", "given hand[Anne] = [Anne]", "RS301", "`Anne` is a player"),
    ("deadlies.rules", "given hand[Bob] = [lust 2]\n", "given hand[Bob] = [envy 1]\n", "RS372", "the only `envy 1`"),
    # Calls and picks
    ("sins.rules", "Margherita picks keep of [keep, feed]", "Margherita picks none of [keep, feed]", "RS373", "`none`, which is not one"),
    ("deadlies.rules", "Anne picks Bob of [Bob, Cleo, none]", "Anne picks Anne of [Bob, Cleo, none]", "RS373", "not one of the options"),
    ("deadlies.rules", "Bob picks wrath 2\n", "Bob picks wrath 9\n", "RS306", "no piece `wrath 9`"),
    ("seven7s.rules", "chance picks yellow 1", "chance picks yellow 9", "RS306", "no piece `yellow 9`"),
    ("siegel.rules", "when predict(Ben)\n", "when pay(violet 2, [blue])\n", "RS301", "`p` of `pay` is a player"),
    ("siegel.rules", "expect front[Ada] == [green Seal] and #stock == 2\n", "expect result == Ada\n", "RS206", "`play_cards` returns nothing"),
)  # fmt: skip
