"""The names that generated code finds ready, and therefore never gives to anything else."""

import builtins

from interpreter.compiled import masks, shuffling, support

SUPPORT = (support, masks, shuffling)
OF_THE_TABLE = (
    "pieces_in",
    "gathered",
    "take",
    "scoop",
    "drop",
    "move_all",
    "move_each",
    "move_one",
    "in_order",
    "distinct_pieces",
    "choices",
    "fire",
    "set_back",
)
OF_WHO_WATCHES = ("knows", "assigned", "chose", "published", "drew", "shuffled", "showed")
OF_FAMILIES = ("common", "distinct", "listed", "subsets_of", "without")
# Given by `modules` or by the engine, or written in every module.
_GIVEN = (
    "PARTS",
    "CHOSEN",
    "CHAINS",
    "BLANKS",
    "RESULTS",
    "FUNCTIONS",
    "TABLE",
    "LAYOUT",
    "BIT",
    "FIRST_OF",
    "PILE",
    "PILED",
    "LAID_OUT",
    "NONE",
    "HOLDS",
    "COPIES",
    "ALIKE",
    "Subsets",
    "Listed",
    "Declinable",
    "below",
    "checked",
    "count_family",
    "rank_in",
    "draw_from",
    "resume",
    "leave",
    "leave_with",
    "leave_trigger",
    "winners",
    "SHARE",
    "TURNS",
    "COSTS",
    "go_on",
    "end",
    "recover",
    "no_option",
    "ranking",
    "next_phase",
    "apply",
)
# In the functions themselves.
_LOCAL = (
    "at",
    "bit",
    "chosen",
    "count",
    "f",
    "first",
    "found",
    "g",
    "held",
    "key",
    "kind",
    "most",
    "n",
    "number",
    "o",
    "order",
    "p",
    "rest",
    "row",
    "s",
    "stack",
    "v",
    "waiting",
    "was",
    "zone",
)

TAKEN = frozenset(
    (
        *(*OF_THE_TABLE, *OF_WHO_WATCHES, *OF_FAMILIES, *_GIVEN, *_LOCAL),
        *(name for module in (*SUPPORT, builtins) for name in dir(module)),
    )
)
