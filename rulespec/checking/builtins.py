"""What every program has without declaring it."""

# Types, and the sets of their values.
TYPES = frozenset({"Bool", "Int", "Player", "Piece", "Zone", "Order"})
# What may be the kind of a slot.
SLOT_KINDS = frozenset({"Zone", "Attr", "Value", "Int", "Enum", "Rule", "Table", "Let"})
# Values.
VALUES = frozenset({"players", "first", "box", "most", "fewest", "ended"})
# Values in examples.
EXAMPLE_VALUES = frozenset({"result", "winners"})
# Functions, with the numbers of arguments that they take.
FUNCTIONS: dict[str, tuple[int, ...]] = {
    "order": (1,),
    "others": (1,),
    "next": (1,),
    "left": (1,),
    "right": (1,),
    "index": (1,),
    "top": (1, 2),
    "abs": (1,),
    "min": (1, 2),
    "max": (1, 2),
    "subsets": (1, 2),
    "alike": (2,),
    "runs": (2,),
    "knows": (2,),
}
# The rules that the engine calls by itself.
ENGINE_CALLS = ("setup", "play", "finish")
# Functions of a comprehension.
FOLDS = frozenset({"sum", "any", "all", "min", "max", "best", "least"})

BUILT_IN = TYPES | VALUES | EXAMPLE_VALUES | FUNCTIONS.keys() | FOLDS | {"it", "super", "chance"}
