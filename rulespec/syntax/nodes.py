"""The tree of a `.rules` file: one frozen class for each rule of the grammar, in its order.

The fields of a class are the parts of its rule, in order; the docstring shows a piece of text that
makes one. Every node knows its span, which takes no part in comparisons: two texts with the same
meaning have equal trees.
"""

from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from rulespec.source import Source, Span

NOWHERE = Span(Source("", ""), 0, 0)


def _span() -> Any:  # attrs fields are typed by their annotation, not by what `field` returns
    return field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen
class File:
    """A whole file."""

    items: "tuple[FileItem, ...]"
    span: Span = _span()


# ---- 1 Heading -----------------------------------------------------------------------------------


@frozen
class Doc:
    """`@S-19 "Keep: add all the cards face down to your reserve."`"""

    cites: "tuple[Cite, ...]"
    text: "Text | None"
    span: Span = _span()


@frozen
class Cite:
    """`@S-19`, or a range of clauses `@S-30..S-32`: `first` is `S-30`, `last` is `S-32`."""

    first: str
    last: str | None
    span: Span = _span()


@frozen
class Text:
    """A string, its white space folded."""

    value: str
    span: Span = _span()


@frozen
class Name:
    """A name where it is declared, and where it is used."""

    text: str
    span: Span = _span()


@frozen
class Game:
    """`game "7 – The Sins" by "David Spada"`"""

    title: Text
    author: Text | None
    span: Span = _span()


@frozen
class Extends:
    """`extends "sins.rules" with penitenziagite`"""

    path: Text
    settings: "tuple[Setting, ...]"
    span: Span = _span()


@frozen
class Setting:
    """`stone_optional = yes`, or the name of a variant alone."""

    name: Name
    value: "Expr | None"
    span: Span = _span()


@frozen
class Mechanism:
    """`mechanism turns(turn: Rule)`"""

    name: Name
    slots: "tuple[Slot, ...]"
    span: Span = _span()


@frozen
class Slot:
    """`trump: Value = none`"""

    name: Name
    kind: "Type"
    default: "Expr | None"
    span: Span = _span()


@frozen
class Use:
    """`use turns, dealing`"""

    mechanisms: "tuple[Used, ...]"
    span: Span = _span()


@frozen
class Used:
    """`tricks(suit = colour, trump = red)`"""

    mechanism: Name
    bindings: "tuple[Binding, ...]"
    span: Span = _span()


@frozen
class Binding:
    """`suit = colour`"""

    slot: Name
    value: "Expr"
    span: Span = _span()


@frozen
class Players:
    """`players 2..5 counterclockwise`"""

    least: "Integer"
    most: "Integer | None"
    direction: Literal["clockwise", "counterclockwise"] | None
    span: Span = _span()


@frozen
class First:
    """`first @S-16 "whoever was most recently swayed by a sin"`"""

    cites: tuple[Cite, ...]
    text: Text
    span: Span = _span()


@frozen
class Rulebook:
    """`rulebook "The booklet"` and its sections."""

    title: Text
    sections: "tuple[Section, ...]"
    span: Span = _span()


@frozen
class Section:
    """`@S-01..S-15 "Setup"`"""

    clauses: Cite
    title: Text
    span: Span = _span()


@frozen
class Ruling:
    """`ruling @S-A10 "Without a Stone left the Abyss may still be fed."`"""

    cites: tuple[Cite, ...]
    text: Text
    span: Span = _span()


@frozen
class Omit:
    """`omit @S-56 "Advice only."`"""

    cites: tuple[Cite, ...]
    reason: Text
    span: Span = _span()


@frozen
class Option:
    """`option stone_optional: Bool = no`"""

    name: Name
    type: "Type"
    default: "Expr"
    span: Span = _span()


@frozen
class Enum:
    """`enum Act = keep "keep them", feed "feed the Abyss"`"""

    name: Name
    members: "tuple[Member, ...]"
    span: Span = _span()


@frozen
class Member:
    """`keep "keep them"`"""

    name: Name
    label: Text | None
    span: Span = _span()


@frozen
class Override:
    """`override` before what it replaces."""

    declaration: "Named"
    span: Span = _span()


# ---- 2 Types -------------------------------------------------------------------------------------


@frozen
class OptionalType:
    """`Colour?`"""

    of: "Scalar"
    span: Span = _span()


@frozen
class SetType:
    """`set Sin`"""

    of: "Scalar"
    span: Span = _span()


@frozen
class NamedType:
    """`Sin`, or a family of zones `Zone[Player]`."""

    name: Name
    index: Name | None
    span: Span = _span()


@frozen
class RangeType:
    """`0..13`"""

    low: "Integer"
    high: "Integer"
    span: Span = _span()


@frozen
class Integer:
    """A whole number with its sign, where no calculation can stand."""

    value: int
    span: Span = _span()


# ---- 3 Components --------------------------------------------------------------------------------


@frozen
class Pieces:
    """`pieces | copies | shown as` and its rows."""

    shown_as: "ShownAs | None"
    rows: "tuple[Doc | Piece, ...]"
    span: Span = _span()


@frozen
class ShownAs:
    """The last heading of `pieces`."""

    span: Span = _span()


@frozen
class Piece:
    """`Judgment(hell: Hell) | 1 | "Last Judgment"`"""

    kind: Name
    attributes: "tuple[Ranged | Fixed, ...]"
    copies: "Expr"
    shown_as: Text | None
    span: Span = _span()


@frozen
class Ranged:
    """`sin: Sin`: one piece for each value."""

    name: Name
    type: "Type"
    span: Span = _span()


@frozen
class Fixed:
    """`value = 8`"""

    name: Name
    value: "Expr"
    span: Span = _span()


@frozen
class Zones:
    """`zones | order | seen by | holds` and its rows."""

    holds: "Holds | None"
    rows: "tuple[Doc | Zone, ...]"
    span: Span = _span()


@frozen
class Holds:
    """The last heading of `zones`."""

    span: Span = _span()


@frozen
class Zone:
    """`hand[Player] | pool | owner | Vice`"""

    name: Name
    indices: "tuple[Type, ...]"
    order: Literal["pile", "pool"]
    viewers: "Viewers"
    holds: tuple[Name, ...]
    span: Span = _span()


@frozen
class Viewers:
    """`owner`: who sees the faces in a zone."""

    who: Literal["everyone", "owner", "others", "top", "nobody"]
    span: Span = _span()


@frozen
class State:
    """`state of turn | type | start` and its rows."""

    rule: Name | None
    rows: "tuple[Doc | Variable, ...]"
    span: Span = _span()


@frozen
class Variable:
    """`penalty[Player] | 0..999 | 0`"""

    name: Name
    indices: "tuple[Type, ...]"
    type: "Type"
    start: "Expr"
    span: Span = _span()


# ---- 4 Tables ------------------------------------------------------------------------------------


@frozen
class Table:
    """`table points(cards: 0..13)`, its header and its rows."""

    name: Name
    params: "tuple[Param, ...]"
    header: "Header"
    rows: "tuple[Doc | Row, ...]"
    span: Span = _span()


@frozen
class Header:
    """`led | winning => seals`"""

    inputs: "tuple[Expr, ...]"
    outputs: tuple[Name, ...]
    span: Span = _span()


@frozen
class Rows:
    """`rows points`: rows before those of a table declared elsewhere."""

    table: Name
    rows: "tuple[Doc | Row, ...]"
    span: Span = _span()


@frozen
class Row:
    """`red | * => [red]`"""

    keys: "tuple[Key, ...]"
    body: "RowBody"
    span: Span = _span()


@frozen
class Key:
    """`red, blue`: the alternatives of one column."""

    patterns: "tuple[Pattern, ...]"
    span: Span = _span()


@frozen
class Anything:
    """`*`"""

    span: Span = _span()


@frozen
class KeyName:
    """`keep`, or members from one to another `yellow..violet`."""

    first: "Name | Constant"
    last: Name | None
    span: Span = _span()


@frozen
class KeyNumber:
    """`3`, or `2..6`"""

    first: Integer
    last: Integer | None
    span: Span = _span()


@frozen
class AtLeast:
    """`7+`"""

    number: Integer
    span: Span = _span()


@frozen
class AtMost:
    """`..7`"""

    number: Integer
    span: Span = _span()


@frozen
class Cells:
    """`4 | 8`: what a row gives. A call alone is the action of an action table."""

    values: "tuple[Expr, ...]"
    span: Span = _span()


# ---- 5 Rules -------------------------------------------------------------------------------------


@frozen
class Let:
    """`let score(p: Player) = total(reserve[p], forgiven[p])`"""

    name: Name
    params: "tuple[Param, ...]"
    value: "Expr"
    span: Span = _span()


@frozen
class Rule:
    """`rule play_trick(leader: Player) -> Player` and its block."""

    name: Name
    params: "tuple[Param, ...]"
    result: "Type | None"
    body: "Block"
    span: Span = _span()


@frozen
class Param:
    """`p: Player`"""

    name: Name
    type: "Type"
    span: Span = _span()


@frozen
class Trigger:
    """`when doomed: end`"""

    condition: Name
    body: "Block"
    span: Span = _span()


@frozen
class Hook:
    """`after setup` and its block."""

    side: Literal["before", "after"]
    rule: Name
    body: "Block"
    span: Span = _span()


@frozen
class Always:
    """`always five_cards: #market <= 5`"""

    name: Name
    condition: "Expr"
    span: Span = _span()


@frozen
class Ranking:
    """`ranking of p` and its criteria."""

    player: Name
    criteria: "tuple[Doc | Criterion, ...]"
    span: Span = _span()


@frozen
class Criterion:
    """`most | #reserve[p]`"""

    order: "Expr"
    key: "Expr"
    span: Span = _span()


# ---- 6 Statements --------------------------------------------------------------------------------


@frozen
class Suite:
    """A block on lines of its own."""

    lines: "tuple[Line, ...]"
    span: Span = _span()


@frozen
class OneLine:
    """A block on the line that opens it: `: end`"""

    statement: "Simple | Several"
    span: Span = _span()


@frozen
class Several:
    """`collect(); toss(hand[p])`"""

    statements: "tuple[Simple, ...]"
    span: Span = _span()


@frozen
class Perform:
    """`refill(market, 5)`: a call that stands alone."""

    call: "Call"
    span: Span = _span()


@frozen
class Move:
    """`move top(deck) to hand[p]`"""

    pieces: "Expr"
    how: Literal["to", "under"]
    zone: "Expr"
    span: Span = _span()


@frozen
class Shuffle:
    """`shuffle deck`"""

    zone: "Expr"
    span: Span = _span()


@frozen
class Random:
    """`random stolen from hand[foe]`"""

    target: "Target"
    options: "Expr"
    span: Span = _span()


@frozen
class Show:
    """`show reserve[p] to p`"""

    pieces: "Expr"
    players: "Expr"
    span: Span = _span()


@frozen
class Reveal:
    """`reveal abyss`"""

    pieces: "Expr"
    span: Span = _span()


@frozen
class Choose:
    """`p chooses card from hand[p] "Which card do you play?"`"""

    player: "Expr"
    target: "Target"
    options: "Expr"
    prompt: Text | None
    span: Span = _span()


@frozen
class MayChoose:
    """`p may choose reply from answers(p) "Strike back?" or "no"`"""

    player: "Expr"
    target: "Target"
    options: "Expr"
    prompt: Text | None
    decline: Text | None
    span: Span = _span()


@frozen
class Each:
    """`each q in Player chooses gift[q] from hand[q]`"""

    name: Name
    players: "Expr"
    target: "Target"
    options: "Expr"
    prompt: Text | None
    span: Span = _span()


@frozen
class EachMay:
    """`each q in Player may choose gift[q] from hand[q] "Which?" or "none"`"""

    name: Name
    players: "Expr"
    target: "Target"
    options: "Expr"
    prompt: Text | None
    decline: Text | None
    span: Span = _span()


@frozen
class Target:
    """`card`, or `gift[q]`: what a choice or chance decides."""

    name: Name
    index: "Expr | None"
    span: Span = _span()


@frozen
class Assign:
    """`looks -= n`"""

    target: "Name | At"
    operator: Literal["=", "+=", "-="]
    value: "Expr"
    span: Span = _span()


@frozen
class Stop:
    """`stop`"""

    span: Span = _span()


@frozen
class End:
    """`end`"""

    span: Span = _span()


@frozen
class Nothing:
    """`nothing`"""

    span: Span = _span()


@frozen
class Return:
    """`return kind`"""

    value: "Expr | None"
    span: Span = _span()


@frozen
class If:
    """`if doomed: end`"""

    condition: "Expr"
    body: "Block"
    otherwise: "Else | None"
    span: Span = _span()


@frozen
class Else:
    """`else` with a block, or `else if`."""

    body: "Block | If"
    span: Span = _span()


@frozen
class For:
    """`for p in order(first): predict(p)`"""

    name: Name
    values: "Expr"
    body: "Block"
    span: Span = _span()


@frozen
class Repeat:
    """`repeat 15`, or without end."""

    times: "Expr | None"
    body: "Block"
    span: Span = _span()


# ---- 7 Expressions -------------------------------------------------------------------------------
# What an expression gives. A pass that looks for some of them names the others by these; a pass that
# gives expressions a meaning names each class.


class Test:
    """Gives `yes` or `no`."""

    __slots__ = ()


class Calculation:
    """Combines or counts."""

    __slots__ = ()


class Collection:
    """Gives a set, by its elements."""

    __slots__ = ()


class Selection:
    """Gives what is part of something."""

    __slots__ = ()


class Invocation:
    """Gives what a function gives."""

    __slots__ = ()


class Written:
    """Gives what is written."""

    __slots__ = ()


@frozen
class Where(Collection):
    """`hand[p] where it.value > 3`"""

    values: "Expr"
    condition: "Expr"
    span: Span = _span()


@frozen
class Conditional:
    """`p if p != none else q`"""

    value: "Expr"
    condition: "Expr"
    otherwise: "Expr"
    span: Span = _span()


@frozen
class Or(Test):
    """`a or b or c`"""

    operands: "tuple[Expr, ...]"
    span: Span = _span()


@frozen
class And(Test):
    """`a and b and c`"""

    operands: "tuple[Expr, ...]"
    span: Span = _span()


@frozen
class Not(Test):
    """`not saboteur(p)`"""

    operand: "Expr"
    span: Span = _span()


@frozen
class Compare(Test):
    """`#market <= 5`"""

    left: "Expr"
    relation: "Relation"
    right: "Expr"
    span: Span = _span()


@frozen
class Relation:
    """`==`, or `not in`"""

    sign: Literal["==", "!=", "<", "<=", ">", ">=", "in", "not in"]
    span: Span = _span()


@frozen
class Range(Collection):
    """`1..rounds`"""

    low: "Expr"
    high: "Expr"
    span: Span = _span()


@frozen
class Sum(Calculation):
    """`fitting + jokers`"""

    left: "Expr"
    operator: Literal["+", "-", "&"]
    right: "Expr"
    span: Span = _span()


@frozen
class Product(Calculation):
    """`2 * #bonus[p]`"""

    left: "Expr"
    operator: Literal["*", "/", "%"]
    right: "Expr"
    span: Span = _span()


@frozen
class Count(Calculation):
    """`#hand[p]`"""

    operand: "Expr"
    span: Span = _span()


@frozen
class Negative(Calculation):
    """`-1`"""

    operand: "Expr"
    span: Span = _span()


@frozen
class Get(Selection):
    """`card.colour`"""

    subject: "Expr"
    name: Name
    span: Span = _span()


@frozen
class At(Selection):
    """`hand[p]`"""

    subject: "Expr"
    key: "Expr"
    span: Span = _span()


@frozen
class Having(Selection):
    """`hand[p][rank = 5]`"""

    subject: "Expr"
    attribute: Name
    value: "Expr"
    span: Span = _span()


@frozen
class Call(Invocation):
    """`top(deck, 5)`"""

    function: Name
    arguments: "tuple[Expr, ...]"
    span: Span = _span()


@frozen
class Fold(Invocation):
    """`sum(worth(c) for c in hand[p])`"""

    function: Name
    value: "Expr"
    name: Name
    values: "Expr"
    span: Span = _span()


@frozen
class Constant(Written):
    """`yes`"""

    word: Literal["yes", "no", "none"]
    span: Span = _span()


@frozen
class Number(Written):
    """`12`"""

    value: int
    span: Span = _span()


@frozen
class Face(Written):
    """`violet 12`, or `clubs king`: a card by its values."""

    words: "tuple[Name | Number, ...]"
    span: Span = _span()


@frozen
class List(Collection):
    """`[luxuria, acedia]`"""

    items: "tuple[Expr, ...]"
    span: Span = _span()


@frozen
class Build(Collection):
    """`[points(n) for n in 0..7]`"""

    value: "Expr"
    name: Name
    values: "Expr"
    span: Span = _span()


# ---- 8 Variants and examples ---------------------------------------------------------------------


@frozen
class Variant:
    """`variant penitenziagite "Penitenziagite"` and its declarations."""

    name: Name
    title: Text | None
    items: "tuple[Doc | Declaration, ...]"
    span: Span = _span()


@frozen
class Example:
    """`example @S-35 "The curve"` and its steps."""

    cites: tuple[Cite, ...]
    title: Text
    settings: tuple[Setting, ...]
    steps: "tuple[Step, ...]"
    span: Span = _span()


@frozen
class Seats:
    """`players Margherita, Bruno`"""

    names: tuple[Name, ...]
    span: Span = _span()


@frozen
class Given:
    """`given deck = [ira, Judgment]`"""

    place: "Expr"
    value: "Expr"
    span: Span = _span()


@frozen
class Run:
    """`when turn(Margherita)` and what is picked."""

    call: "Call"
    picks: "tuple[Pick, ...]"
    span: Span = _span()


@frozen
class Pick:
    """`Margherita picks keep of [keep, feed]`"""

    player: Name
    value: "Expr"
    options: "Expr | None"
    span: Span = _span()


@frozen
class Expect:
    """`expect #abyss == 1`"""

    condition: "Expr"
    span: Span = _span()


# ---- Unions --------------------------------------------------------------------------------------
# They are closed: whoever matches one ends in `assert_never`, so that the type checker names every
# pass that does not know a new class. tests/test_exhaustive.py holds all passes to it.

Scalar: TypeAlias = NamedType | RangeType
Type: TypeAlias = Scalar | OptionalType | SetType
Pattern: TypeAlias = Anything | KeyName | KeyNumber | AtLeast | AtMost
Expr: TypeAlias = (
    Where
    | Conditional
    | Or
    | And
    | Not
    | Compare
    | Range
    | Sum
    | Product
    | Count
    | Negative
    | Get
    | At
    | Having
    | Call
    | Fold
    | Name
    | Constant
    | Number
    | Face
    | List
    | Build
)
Choice: TypeAlias = Choose | MayChoose | Each | EachMay
Action: TypeAlias = (
    Move | Shuffle | Random | Show | Reveal | Choice | Assign | Stop | End | Nothing | Return
)
Simple: TypeAlias = Action | Perform
Statement: TypeAlias = Simple | If | For | Repeat
Block: TypeAlias = Suite | OneLine
Line: TypeAlias = Doc | Statement | Several
RowBody: TypeAlias = Cells | Action | Several | Suite
Body: TypeAlias = Block | Line | Cells  # whatever may stand where something is done
Named: TypeAlias = (
    Players
    | Enum
    | Option
    | Pieces
    | Zones
    | State
    | Table
    | Let
    | Rule
    | Trigger
    | Always
    | Ranking
)
Plain: TypeAlias = Named | Game | First | Rulebook | Use | Ruling | Omit | Rows | Hook | Example
Declaration: TypeAlias = Plain | Override
Item: TypeAlias = Plain | Variant | Extends | Mechanism
Step: TypeAlias = Seats | Given | Run | Expect
FileItem: TypeAlias = Doc | Override | Item
