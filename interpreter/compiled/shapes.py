"""An expression at a table -> how large its value can be: the elements of a set, the range of a number."""

from collections.abc import Mapping
from math import comb
from typing import NamedTuple

from attrs import evolve, field, frozen

from interpreter.flat import Block, Code
from interpreter.layout import Layout
from interpreter.operations.pieces import faces_of
from rulespec.core import types
from rulespec.core.operations import OPERATIONS
from rulespec.core.tree import Function, Op
from rulespec.core.types import LEAST, MOST, Type, present
from rulespec.limits import MOST_LISTED

ENDLESS = 1 << 62
SINGLE = frozenset({"value", "truth", "number", "seat", "piece", "zone"})


class Shape(NamedTuple):
    """How many elements a set has at most; of a number, its range."""

    size: int
    low: int = LEAST
    high: int = MOST


@frozen
class Env:
    """What is known of slots, and of bound names."""

    slots: tuple[Shape, ...] = ()
    bound: Mapping[int, Shape] = field(factory=dict)

    def bind(self, number: int, shape: Shape) -> "Env":
        return evolve(self, bound={**self.bound, number: shape})


class Shapes:
    """Shapes at a table."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.pieces = len(layout.pieces)
        members = [len(each) for each in layout.enums.values()]
        # Of what nothing is known: as large as whatever can be kept.
        self.unknown = Shape(max([self.pieces, layout.players, MOST_LISTED, *members]))
        self._blocks: dict[int, tuple[Block, Env]] = {}

    def of_type(self, type_: Type | None) -> Shape:
        """What any value of a type looks like at most."""
        of = None if type_ is None else present(type_)
        match of:
            case types.Several(inner):
                return Shape(self._values(inner))
            case types.Number(low, high):
                return Shape(1, low, high)
            case types.Choice() | types.Seat() | types.Bool() | types.Piece():
                return Shape(1)
            case types.Face():
                return Shape(self.pieces)
            case types.Indexed(_, inner):  # each of its members
                return self.of_type(inner)
            case _:
                return self.unknown

    def _values(self, type_: Type) -> int:
        match present(type_):
            case types.Number(low, high):
                return min(MOST_LISTED, high - low + 1)
            case types.Choice(_, domain):
                return len(domain)
            case types.Seat():
                return self.layout.players
            case types.Bool():
                return 2
            case types.Piece():
                return self.pieces
            case _:
                return self.unknown.size

    def of_block(self, block: Block) -> Env:
        known = self._blocks.get(id(block))
        if known is None:
            env = Env(tuple(self.of_type(type_) for _, type_ in block.slots))
            # With the block itself, so that no other one can get its id.
            known = self._blocks[id(block)] = block, env
        return known[1]

    def size(self, op: Op, env: Env) -> int:
        """How many elements a set has at most."""
        return self.shape(op, env).size

    def shape(self, op: Op, env: Env) -> Shape:
        """What the value of an expression looks like at most."""
        layout, args = self.layout, op.args
        match op.name:
            case "literal":
                value = args[0]
                if isinstance(value, int) and not isinstance(value, bool):
                    return Shape(1, value, value)
                return Shape(len(value) if isinstance(value, tuple) else 1)
            case "slot":
                return env.slots[args[0]] if args[0] < len(env.slots) else self.unknown
            case "bound":
                return env.bound.get(args[0], self.unknown)
            case "variable":
                base = layout.variable_families[args[0]].base
                return self.of_type(layout.variables[base][0].type)
            case "call":
                return self.of_type(layout.code.functions[args[0]].type)
            case "attribute" | "attributes":
                row = next(each for each in layout.code.attributes if each.name == args[1])
                if op.name == "attributes" and not isinstance(present(row.type), types.Several):
                    return Shape(min(self.size(args[0], env), self._values(row.type)))
                return self.of_type(row.type)
            case "option":
                value = layout.options[args[0]]
                if isinstance(value, int) and not isinstance(value, bool):
                    return Shape(1, value, value)
                return Shape(len(value) if isinstance(value, tuple) else 1)
            case "players":
                return Shape(1, layout.players, layout.players)
            case "count":
                return Shape(1, 0, self.size(args[0], env))
            case "add" | "subtract" | "times" | "min_of_two" | "max_of_two":
                return _calculated(op.name, self.shape(args[0], env), self.shape(args[1], env))
            case "within":
                return Shape(1, args[1], args[2])
            case "if":
                return _either(self.shape(args[1], env), self.shape(args[2], env))
            case "needed" | "or_empty" | "member_of":
                return self.shape(args[0], env)
            case "best_of" | "least_of":
                return self.element(args[0], env)
            case "output" | "output_at":
                outputs = outputs_of(layout.code, args[0]).values()
                return _either(*(self.of_type(fn.type) for fn in outputs))
            case _:
                return Shape(self._elements(op, env))

    def _elements(self, op: Op, env: Env) -> int:
        layout, args = self.layout, op.args
        match op.name:
            case "seats" | "order" | "others" | "winners":
                return layout.players
            case "domain" | "members_between":
                return len(layout.enums[args[-1]])
            case "contents" | "gather" | "all_pieces":
                return self.pieces
            case "numbers":
                low, high = self.shape(args[0], env).low, self.shape(args[1], env).high
                return max(0, min(MOST_LISTED, high - low + 1))
            case "zone":
                return layout.zone_families[args[0]].size
            case "union":
                both = self.size(args[0], env) + self.size(args[1], env)
                return min(both, self._different(args[2]))
            case "list":
                every = sum(self.size(each, env) for each in args[0])
                return min(every, self._different(args[1]))
            case "build":
                inner = env.bind(args[1], self.element(args[0], env))
                made = self.size(args[0], env) * self.size(args[2], inner)
                return min(made, self._different(args[3]))
            case "look":
                return len(faces_of(layout, args[0]))
            case "any_look" | "look_members" | "look_pieces":
                return self.pieces
            case "matching":
                size = self.size(args[0], env)
                return min(size, self.size(args[1], env))
            case "top_several":
                most = max(0, self.shape(args[1], env).high)
                return min(self.size(args[0], env), most)
            case "listed" | "filter_family" | "subsets":
                return self.members(op, env)[0]
        row = OPERATIONS[op.name]
        if row.gives.sort in SINGLE or op.name in ("single", "perhaps"):
            return 1
        if row.keeps:
            return self.size(args[0], env)
        return self.unknown.size

    def element(self, op: Op, env: Env) -> Shape:
        """What the elements of a set look like: numbers, sets, or something else."""
        match op.name:
            case "numbers":
                return Shape(1, self.shape(op.args[0], env).low, self.shape(op.args[1], env).high)
            case "listed" | "filter_family" | "subsets" | "alike" | "runs":
                return Shape(self.members(op, env)[1])
            case "filter":
                return self.element(op.args[0], env)
            case "seats" | "order" | "others" | "domain" | "contents" | "gather" | "all_pieces":
                return Shape(1)
            case "matching" | "unlike" | "having" | "attributes" | "top_several":
                return Shape(1)
            case _:
                return Shape(self.pieces)  # sets of sets are families

    def _different(self, order: str) -> int:
        """How many elements there are that a set in such an order can have."""
        if order == "formed":
            return self.pieces
        return len(self.layout.enums[order]) if order in self.layout.enums else MOST_LISTED

    # ---- Families --------------------------------------------------------------------------------

    def members(self, op: Op, env: Env) -> tuple[int, int]:
        """How many members of a family may have to be listed, and how large they are."""
        match op.name:
            case "subsets":
                most, sizes = self.size(op.args[0], env), self.sizes(op, env)
                return min(MOST_LISTED, _subsets(most, sizes)), max(sizes, default=0)
            case "filter_family" | "or_empty" | "listed":
                return self.members(op.args[0], env)
            case "family_of":
                return len(op.args), max((self.size(each, env) for each in op.args), default=0)
            case _:
                return MOST_LISTED, self.pieces

    def sizes(self, op: Op, env: Env) -> range:
        """The sizes of subsets that may be asked for."""
        most = self.size(op.args[0], env)
        if len(op.args) == 1:
            return range(most + 1)
        wanted = op.args[1]
        shape = self.shape(wanted.args[0], env) if wanted.name == "single" else Shape(0)
        if wanted.name == "numbers":
            shape = self.element(wanted, env)
        if wanted.name not in ("single", "numbers"):
            return range(most + 1)
        return range(max(0, shape.low), min(most, shape.high) + 1)

    # ---- Outputs of tables -----------------------------------------------------------------------

    def given(self, row: Op, env: Env, fn: Function) -> tuple[Shape, ...]:
        """What a table is given to look up."""
        if row.name == "row":
            return tuple(self.shape(each, env) for each in row.args[1])
        return (self.unknown,) * fn.params


def outputs_of(code: Code, row: Op) -> dict[str, Function]:
    """The outputs that can be looked up in a row: of one table, or of any if it is not known which."""
    table = f"{row.args[0]}." if row.name == "row" else ""
    return {key: fn for key, fn in code.functions.items() if "." in key and key.startswith(table)}


def _subsets(most: int, sizes: range) -> int:
    total = 0
    for size in sizes:
        total += comb(most, size) if min(size, most - size) < 64 else ENDLESS
        if total > MOST_LISTED:
            break
    return total


def _either(*shapes: Shape) -> Shape:
    sizes, lows, highs = zip(*shapes, strict=True)
    return Shape(max(sizes), min(lows), max(highs))


def _calculated(operation: str, one: Shape, other: Shape) -> Shape:
    match operation:
        case "add":
            low, high = one.low + other.low, one.high + other.high
        case "subtract":
            low, high = one.low - other.high, one.high - other.low
        case "times":
            ends = [a * b for a in (one.low, one.high) for b in (other.low, other.high)]
            low, high = min(ends), max(ends)
        case "min_of_two":
            low, high = min(one.low, other.low), min(one.high, other.high)
        case _:
            low, high = max(one.low, other.low), max(one.high, other.high)
    return Shape(1, max(LEAST, low), min(MOST, high))
