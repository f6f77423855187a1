"""The built-in names: types, values and functions that every program has without declaring them.

A row of the table says what a function takes and returns; checking and elaboration both read it.
"""

from attrs import frozen

# Types, and the sets of their values.
TYPES = frozenset({"Bool", "Int", "Player", "Piece", "Zone", "Order"})
# Values.
VALUES = frozenset({"players", "first", "box", "most", "fewest", "ended"})
# Values in examples.
EXAMPLE_VALUES = frozenset({"result", "winners"})
OUTCOMES = frozenset({"won", "drawn"})  # in the first column of a ranking
# Functions: what each argument is taken as, the operation that a call becomes, and what it gives; where that depends
# on the arguments, `builtin_calls` has a rule of its own. An `attribute` is given by its name.
_FUNCTIONS = """
order   | seat          | order       | seats
others  | seat          | others      | seats
next    | seat          | next        | seat
left    | seat          | left        | seat
right   | seat          | right       | seat
index   | value         | index       |
position | any set      | position    |
top     | set           | top         |
top     | set number    | top_several |
abs     | number        | abs         |
min     | set           | min_of_set  |
min     | number number | min_of_two  |
max     | set           | max_of_set  |
max     | number number | max_of_two  |
subsets | set           | subsets     |
subsets | set set       | subsets     |
alike   | set attribute | alike       |
alike   | set attribute set | alike   |
runs    | set attribute | runs        |
runs    | set attribute set | runs    |
knows   | seat set      | knows       |
"""


@frozen
class Builtin:
    """A built-in function with so many arguments."""

    takes: tuple[str, ...]
    operation: str
    gives: str


def _function(line: str) -> tuple[str, Builtin]:
    name, takes, operation, gives = (cell.strip() for cell in line.split("|"))
    return name, Builtin(tuple(takes.split()), operation, gives)


FUNCTIONS: dict[str, dict[int, Builtin]] = {}  # by name and number of arguments
for _name, _row in map(_function, _FUNCTIONS.strip().splitlines()):
    FUNCTIONS.setdefault(_name, {})[len(_row.takes)] = _row

# The rules that the engine calls by itself.
ENGINE_CALLS = ("setup", "play", "finish")
# Functions of a comprehension.
FOLDS = frozenset({"sum", "any", "all", "min", "max", "best", "least"})

BUILT_IN = TYPES | VALUES | EXAMPLE_VALUES | FUNCTIONS.keys() | FOLDS | {"it", "super", "chance"}
