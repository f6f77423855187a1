"""The table of operations: everything that an expression of the core can consist of.

Elaboration, engines, the printer and tests all read the properties of operations from this table.
docs/language/13-semantics.md defines what each operation does, and `interpreter.operations` implements it.
"""

from typing import Literal, TypeAlias, get_args

from attrs import frozen

# The sorts of operands and results. A `value` is a number, a Boolean, a seat, a member or a piece; a `zone` may be
# a whole family of zones.
Sort: TypeAlias = Literal[
    "any", "value", "truth", "number", "seat", "piece", "set", "look", "zone", "indexed", "row", "family",
]  # fmt: skip
# The fields that an operation has besides its operands; see `tree.Op`.
Detail: TypeAlias = Literal["place", "word", "words", "numbers", "order", "value", "face"]
Mark: TypeAlias = Literal["binds", "fails", "varies", "keeps", "walks", "lists"]
# What a literal can be: one value, or several.
Value: TypeAlias = bool | int | tuple[bool, ...] | tuple[int, ...] | None


# The words of a face, each with the thing that it names: `("kind", "Vice")`, `("member", 3)`, `("number", 12)`;
# or an attribute, after `=`, with its value: `("=value", 12)`.
Face: TypeAlias = tuple[tuple[str, str | int], ...]
SORTS: tuple[Sort, ...] = get_args(Sort)
MARKS = frozenset(get_args(Mark))


@frozen
class Operand:
    """An operand of an operation; `many` stands for any number of operands from there on."""

    sort: Sort
    may_be_none: bool = False
    many: bool = False
    optional: bool = False


@frozen
class Operation:
    """A row of the table.

    `binds`: its last operand is evaluated for each element of the first operand, which is `bound` at `place`.
    `fails`: it can raise a `RuleFault`. `varies`: it depends on the state of the game, not only on its operands; all
    others are constant if their operands are. `keeps`: its result is its first operand, or a part of it. `walks`: it iterates
    over the sets that it is given, and each element costs work; `lists`: it iterates over the members of families.
    """

    name: str
    operands: tuple[Operand, ...]
    details: tuple[Detail, ...]
    gives: Operand
    binds: bool
    fails: bool
    varies: bool
    keeps: bool
    walks: bool
    lists: bool
    text: str


# `?` may be none, `*` is any number of operands, `[…]` is optional. In the last column `0` and `1` are operands, and
# `…` is all of them.
_TABLE = """
operation                | operands        | with          | gives   | marks             | printed
literal                  |                 | value         | any?    |                   | {value}
slot                     |                 | place         | any?    | varies            | {place}
bound                    |                 | place         | any?    | varies            | e{place}
option                   |                 | word          | any?    |                   | {word}
players                  |                 |               | number  |                   | players
seats                    |                 |               | set     |                   | Player
domain                   |                 | word          | set     |                   | {word}
all_pieces               |                 |               | set     | varies walks      | Piece
first                    |                 |               | seat    | varies            | first
ended                    |                 |               | truth   | varies            | ended
winners                  |                 |               | set     | varies            | winners
result                   |                 |               | any?    | varies            | result
variable                 | value*          | word          | any?    | varies            | {word}[…]
member_of                | indexed? value  |               | any?    |                   | {0}[{1}]
zone                     | value*          | word          | zone    |                   | {word}[…]
zone_of                  | zone value      |               | zone    |                   | {0}[{1}]
contents                 | zone            |               | set     | varies            | contents({0})
gather                   | zone            |               | set     | varies walks      | gather({0})
call                     | any?*           | word          | any?    |                   | {word}(…)
row                      | any?*           | word          | row     |                   | {word}(…)
output                   | row             | word          | any?    |                   | {0}.{word}
output_at                | row value       | numbers words | any?    | fails             | {0}[{1}]
order                    | seat            |               | set     |                   | order({0})
others                   | seat            |               | set     |                   | others({0})
next                     | seat            |               | seat    |                   | next({0})
left                     | seat            |               | seat    |                   | left({0})
right                    | seat            |               | seat    |                   | right({0})
index                    | value           |               | number  |                   | index({0})
single                   | value           |               | set     |                   | [{0}]
perhaps                  | value?          |               | set     |                   | perhaps({0})
or_empty                 | any?            |               | set     | keeps             | or_empty({0})
needed                   | any?            |               | any     | fails keeps       | needed({0})
within                   | number?         | numbers       | number? | fails keeps       | {0} within {numbers}
among                    | value?          | numbers       | value?  | fails keeps       | {0} among {numbers}
of_kind                  | piece?          | words         | piece?  | fails keeps       | {0} of kind {words}
every_within             | set             | numbers       | set     | fails keeps walks | every {0} within {numbers}
every_among              | set             | numbers       | set     | fails keeps walks | every {0} among {numbers}
every_of_kind            | set             | words         | set     | fails keeps walks | every {0} of kind {words}
and                      | truth*          |               | truth   |                   | and(…)
or                       | truth*          |               | truth   |                   | or(…)
not                      | truth           |               | truth   |                   | not {0}
if                       | truth any? any? |               | any?    |                   | {1} if {0} else {2}
add                      | number number   |               | number  | fails             | {0} + {1}
subtract                 | number number   |               | number  | fails             | {0} - {1}
times                    | number number   |               | number  | fails             | {0} * {1}
divide                   | number number   |               | number  | fails             | {0} / {1}
modulo                   | number number   |               | number  | fails             | {0} % {1}
abs                      | number          |               | number  | fails             | abs({0})
min_of_two               | number number   |               | number  |                   | min({0}, {1})
max_of_two               | number number   |               | number  |                   | max({0}, {1})
equal                    | value? value?   |               | truth   |                   | {0} == {1}
is_none                  | any?            |               | truth   |                   | {0} == none
empty                    | set             |               | truth   |                   | #{0} == 0
same_set                 | set set         |               | truth   | walks             | {0} == {1}
less                     | value value     | order         | truth   |                   | {0} < {1}
at_most                  | value value     | order         | truth   |                   | {0} <= {1}
greater                  | value value     | order         | truth   |                   | {0} > {1}
at_least                 | value value     | order         | truth   |                   | {0} >= {1}
in                       | value? set      |               | truth   | walks             | {0} in {1}
list                     | set*            | order         | set     | walks             | set(…)
union                    | set set         | order         | set     | walks             | {0} + {1}
difference               | set set         | order         | set     | keeps walks       | {0} - {1}
intersection             | set set         | order         | set     | keeps walks       | {0} & {1}
count                    | set             |               | number  |                   | #{0}
numbers                  | number number   |               | set     | fails walks       | {0}..{1}
members_between          | value value     | order         | set     |                   | {0}..{1}
filter                   | set truth       | place         | set     | binds keeps       | [e{place} in {0} where {1}]
build                    | set set         | place order   | set     | binds walks       | [{1} for e{place} in {0}]
top                      | set             |               | value?  |                   | top({0})
position                 | value? set      |               | number? | walks             | position({0}, {1})
top_several              | set number      |               | set     | keeps walks       | top({0}, {1})
any_of                   | set truth       | place         | truth   | binds             | any({1} for e{place} in {0})
all_of                   | set truth       | place         | truth   | binds             | all({1} for e{place} in {0})
sum_of                   | set number      | place         | number  | binds fails       | sum({1} for e{place} in {0})
min_of                   | set value?      | place order   | value?  | binds             | min({1} for e{place} in {0})
max_of                   | set value?      | place order   | value?  | binds             | max({1} for e{place} in {0})
best_of                  | set value?      | place order   | any?    | binds             | best({1} for e{place} in {0})
least_of                 | set value?      | place order   | any?    | binds             | least({1} for e{place} in {0})
min_of_set               | set             | order         | value?  | walks             | min({0})
max_of_set               | set             | order         | value?  | walks             | max({0})
attribute                | piece?          | word          | any?    |                   | {0}.{word}
attributes               | set             | word order    | set     | walks             | {0}.{word}
having                   | set set         | word          | set     | keeps walks       | {0}[{word}: {1}]
look                     |                 | face          | look    |                   | {face}
any_look                 | look*           |               | look    | walks             | any(…)
look_members             | set             |               | look    | walks             | looks({0})
look_pieces              | set             |               | look    | walks             | looks({0})
matching                 | set look        |               | set     | keeps walks       | {0}[{1}]
unlike                   | set look        |               | set     | keeps walks       | {0} - {1}
looks                    | piece? look     |               | truth   |                   | {0} looks {1}
any_looks                | set look        |               | truth   | walks             | any of {0} looks {1}
pair_up                  | set look*       |               | truth   |                   | pairs(…)
named                    | look*           | words         | set     | fails varies      | named(…)
knows                    | seat set        |               | truth   | varies walks      | knows({0}, {1})
subsets                  | set [set]       |               | family  | fails             | subsets(…)
alike                    | set             | word          | family  |                   | alike({0}, {word})
runs                     | set             | word          | family  |                   | runs({0}, {word})
count_family             | family          |               | number  | fails             | #{0}
in_family                | set family      |               | truth   |                   | {0} in {1}
listed                   | family          |               | set     | fails keeps lists | listed({0})
filter_family            | family truth    | place         | family  | binds fails lists | [e{place} in {0} where {1}]
family_of                | set*            |               | family  |                   | family(…)
build_family             | set set         | place         | family  | binds walks       | [{1} for e{place} in {0}]
union_of_families        | family family   |               | family  | fails lists       | {0} + {1}
difference_of_families   | family family   |               | family  | fails lists       | {0} - {1}
intersection_of_families | family family   |               | family  | fails lists       | {0} & {1}
"""


def _operand(text: str) -> Operand:
    optional = text.startswith("[")
    word = text.strip("[]")
    sort = next(each for each in SORTS if each == word.rstrip("?*"))
    return Operand(sort, "?" in word, "*" in word, optional)


def _operation(line: str) -> Operation:
    name, operands, details, gives, marks, text = (cell.strip() for cell in line.split("|"))
    has = [detail for detail in get_args(Detail) if detail in details.split()]
    if len(has) != len(details.split()) or not MARKS.issuperset(marks.split()):
        raise ValueError(f"{name} has data or a mark that nobody knows")
    return Operation(
        name=name,
        operands=tuple(_operand(each) for each in operands.split()),
        details=tuple(has),
        gives=_operand(gives),
        binds="binds" in marks,
        fails="fails" in marks,
        varies="varies" in marks,
        keeps="keeps" in marks,
        walks="walks" in marks,
        lists="lists" in marks,
        text=text,
    )


OPERATIONS = {
    row.name: row for row in (_operation(line) for line in _TABLE.strip().splitlines()[1:])
}


def named(mark: Mark) -> frozenset[str]:
    """The names of the operations with a mark."""
    return frozenset(name for name, row in OPERATIONS.items() if getattr(row, mark))


BINDING, FAILING, VARYING = named("binds"), named("fails"), named("varies")
WALKING, LISTING = named("walks"), named("lists")
NEVER_NONE = frozenset(name for name, row in OPERATIONS.items() if not row.gives.may_be_none)


def _about(sort: Sort) -> frozenset[str]:
    """The operations with an operand or a result of a sort."""
    return frozenset(
        name
        for name, row in OPERATIONS.items()
        if sort in {row.gives.sort, *(each.sort for each in row.operands)}
    )


ABOUT_ZONES, ABOUT_ROWS = _about("zone"), _about("row")
