"""Changes of the shipped games that none of their examples and invariants notices, and why nothing is missing.

A change is named by its line of the rules and by what it does there. `test_mutation.py` holds the list to the
rules: an entry whose line is gone is told in every run, a survivor that is not listed in the soak.
"""

EMPTY = "The pile is empty before, so that there is no top and no bottom."
SHUFFLED = "The pile is shuffled before anything else happens."
FIRST_ROW = "Rows are tried from the top; the one above has taken the value already."
NO_EXTREME = "No cards, and so 0 points, are neither the best nor the worst number."

TO_UNDER = "`to` becomes `under`"

SURVIVORS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "sins.rules": (
        ("move box[Vice][sins][h] to hell[h]", TO_UNDER, SHUFFLED),
        ("move box[Judgment][h] to hell[h]", TO_UNDER, SHUFFLED),
        ("move hell[III] to deck", TO_UNDER, EMPTY),
        ("..7         => fewest", "`7` becomes `8`", FIRST_ROW),
        ("let lowest = #sins * min(points(n) for n in 0..13)", "`0` becomes `1`", NO_EXTREME),
        ("let highest = #sins * max(points(n) for n in 0..13)", "`0` becomes `1`", NO_EXTREME),
        ("move box[Penance][sins] to penance", TO_UNDER, SHUFFLED),
    ),
    "seven7s.rules": (("move box to deck", TO_UNDER, SHUFFLED),),
    "siegel.rules": (
        ("move box[Card][value = 1..highest] to deck", TO_UNDER, EMPTY),
        ("move won to deck", TO_UNDER, SHUFFLED),
    ),
    "deadlies.rules": (
        ("move box to deck", TO_UNDER, SHUFFLED),
        ("move cards - [last] to played", TO_UNDER, EMPTY),
        (
            "move cards - [last] to played",
            "`-` becomes `+`",
            "The last card is moved again, right after the others.",
        ),
        (
            "move played to earlier",
            TO_UNDER,
            "They are discarded together, and nobody asks in which order they lie.",
        ),
        (
            "draw(hand[struck], 1)",
            "`1` becomes `2`",
            "Only one card is left to draw.",
        ),
        (
            "for q in others(p) where #front[q] > 0: draw(hand[q], 1)",
            "`others` becomes `order`",
            "The active player has nothing in front of them then: see `old_sloth_is_gone`.",
        ),
    ),
}
