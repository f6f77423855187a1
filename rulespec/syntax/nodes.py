"""The tree of a `.rules` file: one frozen class for each rule of the grammar, in its order.

The fields of a class are the parts of its rule, in order; the docstring shows a piece of text that
makes one. Every node knows its span, which takes no part in comparisons: two texts with the same
meaning have equal trees.
"""

from typing import Literal, TypeAlias

from attrs import field, frozen

from rulespec.source import Source, Span

NOWHERE = Span(Source("", ""), 0, 0)


@frozen
class Node:
    """What every node has: its place in the text."""

    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen
class File(Node):
    """A whole file."""

    items: "tuple[FileItem, ...]"


# ---- 1 Heading -----------------------------------------------------------------------------------


@frozen
class Doc(Node):
    """`@S-19 "Keep: add all the cards face down to your reserve."`"""

    cites: "tuple[Cite, ...]"
    text: "Text | None"


@frozen
class Cite(Node):
    """`@S-19`, or a range of clauses `@S-30..S-32`: `first` is `S-30`, `last` is `S-32`."""

    first: str
    last: str | None


@frozen
class Text(Node):
    """A string, its white space folded."""

    value: str


@frozen
class Name(Node):
    """A name where it is declared, and where it is used."""

    text: str


@frozen
class Game(Node):
    """`game "7 – The Sins" by "David Spada"`"""

    title: Text
    author: Text | None


@frozen
class Blurb(Node):
    """What is said about a game, for people: it changes no rule."""


@frozen
class About(Blurb):
    """`about "Seven deadly sins lie on the table, and you cannot resist."`"""

    text: Text


@frozen
class Goal(Blurb):
    """`goal "Have the most points, or the fewest: the Abyss decides."`"""

    text: Text


@frozen
class Turn(Blurb):
    """`turn "Take all cards of one sin into your reserve, or throw them into the Abyss."`"""

    text: Text


@frozen
class Minutes(Blurb):
    """`minutes 20..30`"""

    least: "Integer"
    most: "Integer | None"


@frozen
class Ages(Blurb):
    """`ages 10+`"""

    least: "Integer"


@frozen
class Advice(Blurb):
    """`advice @S-56 "Watch what goes into the Abyss."`"""

    cites: tuple[Cite, ...]
    text: Text


@frozen
class Called(Blurb):
    """`called`, and below it what people call things."""

    namings: "tuple[Naming, ...]"


@frozen
class Naming(Node):
    """`pardons "Stone", "Stones"`, or `led, dealt untold`"""

    names: tuple[Name, ...]
    words: "Words | Untold"


@frozen
class Words(Node):
    """`"Stone", "Stones"`: one of it and several, if that is not regular."""

    one: Text
    several: Text | None


@frozen
class Untold(Node):
    """`untold`: not for the table, so neither drawn nor told."""


@frozen
class Extends(Node):
    """`extends "sins.rules" with penitenziagite`"""

    path: Text
    settings: "tuple[Setting, ...]"


@frozen
class Setting(Node):
    """`stone_optional = yes`, or the name of a variant alone."""

    name: Name
    value: "Expr | None"


@frozen
class Mechanism(Node):
    """`mechanism turns(turn: Rule)`"""

    name: Name
    slots: "tuple[Slot, ...]"


@frozen
class Slot(Node):
    """`trump: Value = none`"""

    name: Name
    kind: "Type"
    default: "Expr | None"


@frozen
class Use(Node):
    """`use turns, dealing`"""

    mechanisms: "tuple[Used, ...]"


@frozen
class Used(Node):
    """`tricks(suit = colour, trump = red)`"""

    mechanism: Name
    bindings: "tuple[Binding, ...]"


@frozen
class Binding(Node):
    """`suit = colour`"""

    slot: Name
    value: "Expr"


@frozen
class Players(Node):
    """`players 2..5 counterclockwise`"""

    least: "Integer"
    most: "Integer | None"
    direction: Literal["clockwise", "counterclockwise"] | None


@frozen
class Teams(Node):
    """`teams Side`, or `teams Side of p = hunter if p == first else prey`"""

    enum: Name
    player: Name | None
    team: "Expr | None"


@frozen
class First(Node):
    """`first @S-16 "whoever was most recently swayed by a sin"`"""

    cites: tuple[Cite, ...]
    text: Text


@frozen
class Rulebook(Node):
    """`rulebook "The booklet"` and its sections."""

    title: Text
    sections: "tuple[Section, ...]"


@frozen
class Section(Node):
    """`@S-01..S-15 "Setup"`"""

    clauses: Cite
    title: Text


@frozen
class Ruling(Node):
    """`ruling @S-A10 "Without a Stone left the Abyss may still be fed."`"""

    cites: tuple[Cite, ...]
    text: Text


@frozen
class Omit(Node):
    """`omit @S-56 "Advice only."`"""

    cites: tuple[Cite, ...]
    reason: Text


@frozen
class Option(Node):
    """`option stone_optional: Bool = no`, `option spies: 1..5 where it < players = 1`"""

    name: Name
    type: "Type"
    condition: "Expr | None"
    default: "Expr"


@frozen
class Enum(Node):
    """`enum Act = keep "keep them", feed "feed the Abyss"`"""

    name: Name
    members: "tuple[Member, ...]"


@frozen
class Member(Node):
    """`keep "keep them"`"""

    name: Name
    label: Text | None


@frozen
class Override(Node):
    """`override` before what it replaces."""

    declaration: "Named | Use"


@frozen
class Remove(Node):
    """`remove rule turn`: what a lower layer declares is no longer there."""

    what: Literal[
        "enum", "option", "pieces", "zones", "state", "table", "let", "rule", "when", "always"
    ]
    name: Name


@frozen
class RemoveRows(Node):
    """`remove rows points`, and below it the keys of these rows."""

    name: Name
    rows: "tuple[RemovedRow, ...]"


@frozen
class RemovedRow(Node):
    """`red, blue | *`: a row of a table by its keys."""

    keys: "tuple[Key, ...]"


@frozen
class RemovePiece(Node):
    """`remove pieces Vice(sin: Sin, hell = I)`: one row of this kind."""

    name: Name
    attributes: "tuple[Ranged | Fixed, ...]"


# ---- 2 Types -------------------------------------------------------------------------------------


@frozen
class OptionalType(Node):
    """`Colour?`"""

    of: "Scalar"


@frozen
class SetType(Node):
    """`set Sin`"""

    of: "Scalar"


@frozen
class NamedType(Node):
    """`Sin`, or a family of zones `Zone[Player]`."""

    name: Name
    index: Name | None


@frozen
class RangeType(Node):
    """`0..13`"""

    low: "Integer"
    high: "Integer"


@frozen
class Integer(Node):
    """A whole number with its sign, where no calculation can stand."""

    value: int


# ---- 3 Components --------------------------------------------------------------------------------


@frozen
class Pieces(Node):
    """`pieces | copies | shown as` and its rows."""

    shown_as: "ShownAs | None"
    rows: "tuple[Doc | Piece, ...]"


@frozen
class ShownAs(Node):
    """The last heading of `pieces`."""


@frozen
class Piece(Node):
    """`Judgment(hell: Hell) | 1 | "Last Judgment"`"""

    kind: Name
    attributes: "tuple[Ranged | Fixed, ...]"
    copies: "Expr"
    shown_as: Text | None


@frozen
class Ranged(Node):
    """`sin: Sin`: one piece for each value."""

    name: Name
    type: "Type"


@frozen
class Fixed(Node):
    """`value = 8`"""

    name: Name
    value: "Expr"


@frozen
class Zones(Node):
    """`zones | order | seen by | counted by | holds` and its rows."""

    counted_by: "CountedBy | None"
    holds: "Holds | None"
    rows: "tuple[Doc | Zone, ...]"


@frozen
class CountedBy(Node):
    """The heading of `zones` for who knows how many pieces lie there."""


@frozen
class Holds(Node):
    """The last heading of `zones`."""


@frozen
class Zone(Node):
    """`hand[Player] | pool | owner | everyone | Vice`"""

    name: Name
    indices: "tuple[Type, ...]"
    order: Literal["pile", "pool"]
    viewers: "Viewers"
    counters: "Viewers | None"
    holds: tuple[Name, ...]


@frozen
class Viewers(Node):
    """`owner`: who sees the faces in a zone, who counts its pieces, or who sees the value of a variable."""

    who: Literal["everyone", "owner", "others", "top", "nobody"]


@frozen
class State(Node):
    """`state of turn | type | start` and its rows."""

    rule: Name | None
    seen_by: "SeenBy | None"
    rows: "tuple[Doc | Variable, ...]"


@frozen
class SeenBy(Node):
    """The last heading of `state`."""


@frozen
class Variable(Node):
    """`bid[Player] | 0..9 | 0 | owner`"""

    name: Name
    indices: "tuple[Type, ...]"
    type: "Type"
    start: "Expr"
    viewers: "Viewers | None"


# ---- 4 Tables ------------------------------------------------------------------------------------


@frozen
class Table(Node):
    """`table points(cards: 0..13)`, its header and its rows."""

    name: Name
    params: "tuple[Param, ...]"
    header: "Header"
    rows: "tuple[Doc | Row, ...]"


@frozen
class Header(Node):
    """`led | winning => seals`"""

    inputs: "tuple[Expr, ...]"
    outputs: tuple[Name, ...]


@frozen
class Rows(Node):
    """`rows points`: rows before those of a table declared elsewhere."""

    table: Name
    rows: "tuple[Doc | Row, ...]"


@frozen
class Row(Node):
    """`red | * => [red]`"""

    keys: "tuple[Key, ...]"
    body: "RowBody"


@frozen
class Key(Node):
    """`red, blue`: the alternatives of one column."""

    patterns: "tuple[Pattern, ...]"


@frozen
class Anything(Node):
    """`*`"""


@frozen
class KeyName(Node):
    """`keep`, or members from one to another `yellow..violet`."""

    first: "Name | Constant"
    last: Name | None


@frozen
class KeyNumber(Node):
    """`3`, or `2..6`"""

    first: Integer
    last: Integer | None


@frozen
class AtLeast(Node):
    """`7+`"""

    number: Integer


@frozen
class AtMost(Node):
    """`..7`"""

    number: Integer


@frozen
class Cells(Node):
    """`4 | 8`: what a row gives. A call alone is the action of an action table."""

    values: "tuple[Expr, ...]"


# ---- 5 Rules -------------------------------------------------------------------------------------


@frozen
class Let(Node):
    """`let score(p: Player) = total(reserve[p], forgiven[p])`, and names for parts of it after `with`."""

    name: Name
    params: "tuple[Param, ...]"
    value: "Expr"
    locals: "tuple[Local, ...]" = ()


@frozen
class Local(Node):
    """`best_meld = max(worth(m) for m in melds(cards))` after `with`."""

    name: Name
    value: "Expr"


@frozen
class Rule(Node):
    """`rule play_trick(leader: Player) -> Player` and its block."""

    name: Name
    params: "tuple[Param, ...]"
    result: "Type | None"
    body: "Block"


@frozen
class Param(Node):
    """`p: Player`"""

    name: Name
    type: "Type"


@frozen
class Trigger(Node):
    """`when doomed: end`"""

    condition: Name
    body: "Block"


@frozen
class Hook(Node):
    """`after setup` and its block."""

    side: Literal["before", "after"]
    rule: Name
    body: "Block"


@frozen
class Always(Node):
    """`always five_cards: #market <= 5`"""

    name: Name
    condition: "Expr"


@frozen
class Ranking(Node):
    """`ranking of p` and its criteria."""

    player: Name
    criteria: "tuple[Doc | Criterion, ...]"


@frozen
class Criterion(Node):
    """`most | #reserve[p]`"""

    order: "Expr"
    key: "Expr"


# ---- 6 Statements --------------------------------------------------------------------------------


@frozen
class Suite(Node):
    """A block on lines of its own."""

    lines: "tuple[Line, ...]"


@frozen
class OneLine(Node):
    """A block on the line that opens it: `: end`"""

    statement: "Simple | Several"


@frozen
class Several(Node):
    """`collect(); toss(hand[p])`"""

    statements: "tuple[Simple, ...]"


@frozen
class Perform(Node):
    """`refill(market, 5)`: a call that stands alone."""

    call: "Call"


@frozen
class Move(Node):
    """`move top(deck) to hand[p]`, or `move card to row at 3`"""

    pieces: "Expr"
    how: Literal["to", "under"]
    zone: "Expr"
    position: "Expr | None" = None


@frozen
class Shuffle(Node):
    """`shuffle deck`"""

    zone: "Expr"


@frozen
class Random(Node):
    """`random stolen from hand[foe]`"""

    target: "Target"
    options: "Expr"


@frozen
class Show(Node):
    """`show reserve[p] to p`"""

    pieces: "Expr"
    players: "Expr"


@frozen
class Reveal(Node):
    """`reveal abyss`"""

    pieces: "Expr"


@frozen
class Announce(Node):
    """`announce can_follow = #hand[p][led] > 0`"""

    name: Name
    value: "Expr"
    players: "Expr | None"


@frozen
class Tell(Node):
    """`tell "{p} wins the trick with {card}"`, or to some players only."""

    text: "Told"
    players: "Expr | None"


@frozen
class Told(Node):
    """`"{p} wins the trick with {card}"`: a sentence, and the values in its holes."""

    value: str
    holes: "tuple[Expr, ...]"


@frozen
class Heading(Node):
    """`heading "Trick # · {leader} leads"`"""

    text: "Told"


@frozen
class Choose(Node):
    """`p chooses card from hand[p], or act from Act "Which card do you play?"`"""

    player: "Expr"
    target: "Target"
    options: "Expr"
    alternative: "Alternative | None"
    prompt: Text | None


@frozen
class Alternative(Node):
    """`or act from Act`"""

    target: "Target"
    options: "Expr"


@frozen
class MayChoose(Node):
    """`p may choose reply from answers(p) "Strike back?" or "no"`"""

    player: "Expr"
    target: "Target"
    options: "Expr"
    prompt: Text | None
    decline: Text | None


@frozen
class Each(Node):
    """`each q in Player chooses gift[q] from hand[q]`"""

    name: Name
    players: "Expr"
    target: "Target"
    options: "Expr"
    prompt: Text | None


@frozen
class EachMay(Node):
    """`each q in Player may choose gift[q] from hand[q] "Which?" or "none"`"""

    name: Name
    players: "Expr"
    target: "Target"
    options: "Expr"
    prompt: Text | None
    decline: Text | None


@frozen
class Target(Node):
    """`card`, or `gift[q]`: what a choice or chance decides."""

    name: Name
    index: "Expr | None"


@frozen
class Assign(Node):
    """`looks -= n`"""

    target: "Name | At"
    operator: Literal["=", "+=", "-="]
    value: "Expr"


@frozen
class Stop(Node):
    """`stop`"""


@frozen
class End(Node):
    """`end`"""


@frozen
class Nothing(Node):
    """`nothing`"""


@frozen
class Return(Node):
    """`return kind`"""

    value: "Expr | None"


@frozen
class If(Node):
    """`if doomed: end`"""

    condition: "Expr"
    body: "Block"
    otherwise: "Else | None"


@frozen
class Else(Node):
    """`else` with a block, or `else if`."""

    body: "Block | If"


@frozen
class For(Node):
    """`for p in order(first): predict(p)`"""

    name: Name
    values: "Expr"
    body: "Block"


@frozen
class Repeat(Node):
    """`repeat 15`, or without end."""

    times: "Expr | None"
    body: "Block"


# ---- 7 Expressions -------------------------------------------------------------------------------
# What an expression gives. A pass that looks for some of them names the others by these; a pass that
# gives expressions a meaning names each class.


@frozen
class Test(Node):
    """Gives `yes` or `no`."""


@frozen
class Calculation(Node):
    """Combines or counts."""


@frozen
class Collection(Node):
    """Gives a set, by its elements."""


@frozen
class Selection(Node):
    """Gives what is part of something."""


@frozen
class Invocation(Node):
    """Gives what a function gives."""


@frozen
class Written(Node):
    """Gives what is written."""


@frozen
class Where(Collection):
    """`hand[p] where it.value > 3`"""

    values: "Expr"
    condition: "Expr"


@frozen
class Conditional(Node):
    """`p if p != none else q`"""

    value: "Expr"
    condition: "Expr"
    otherwise: "Expr"


@frozen
class Or(Test):
    """`a or b or c`"""

    operands: "tuple[Expr, ...]"


@frozen
class And(Test):
    """`a and b and c`"""

    operands: "tuple[Expr, ...]"


@frozen
class Not(Test):
    """`not saboteur(p)`"""

    operand: "Expr"


@frozen
class Compare(Test):
    """`#market <= 5`"""

    left: "Expr"
    relation: "Relation"
    right: "Expr"


@frozen
class Relation(Node):
    """`==`, or `not in`"""

    sign: Literal["==", "!=", "<", "<=", ">", ">=", "in", "not in"]


@frozen
class Range(Collection):
    """`1..rounds`"""

    low: "Expr"
    high: "Expr"


@frozen
class Sum(Calculation):
    """`fitting + jokers`"""

    left: "Expr"
    operator: Literal["+", "-", "&"]
    right: "Expr"


@frozen
class Product(Calculation):
    """`2 * #bonus[p]`"""

    left: "Expr"
    operator: Literal["*", "/", "%"]
    right: "Expr"


@frozen
class Count(Calculation):
    """`#hand[p]`"""

    operand: "Expr"


@frozen
class Negative(Calculation):
    """`-1`"""

    operand: "Expr"


@frozen
class Get(Selection):
    """`card.colour`"""

    subject: "Expr"
    name: Name


@frozen
class At(Selection):
    """`hand[p]`"""

    subject: "Expr"
    key: "Expr"


@frozen
class Having(Selection):
    """`hand[p][rank = 5]`"""

    subject: "Expr"
    attribute: Name
    value: "Expr"


@frozen
class Call(Invocation):
    """`top(deck, 5)`"""

    function: Name
    arguments: "tuple[Expr, ...]"


@frozen
class Fold(Invocation):
    """`sum(worth(c) for c in hand[p])`; over several variables, one fold inside the other."""

    function: Name
    value: "Expr"
    name: Name
    values: "Expr"


@frozen
class Constant(Written):
    """`yes`"""

    word: Literal["yes", "no", "none"]


@frozen
class Number(Written):
    """`12`"""

    value: int


@frozen
class Face(Written):
    """`violet 12`, or `clubs king`: a card by its values."""

    words: "tuple[Name | Number, ...]"


@frozen
class Described(Written):
    """`Card(suit = red, value = 3)`: a card by its kind and attributes, as in its row of `pieces`."""

    kind: Name
    attributes: "tuple[Fixed, ...]"


@frozen
class List(Collection):
    """`[luxuria, acedia]`"""

    items: "tuple[Expr, ...]"


@frozen
class Build(Collection):
    """`[points(n) for n in 0..7]`"""

    value: "Expr"
    name: Name
    values: "Expr"


# ---- 8 Variants and examples ---------------------------------------------------------------------


@frozen
class Variant(Node):
    """`variant penitenziagite "Penitenziagite"` and its declarations."""

    name: Name
    title: Text | None
    items: "tuple[Doc | Declaration, ...]"


@frozen
class Example(Node):
    """`example @S-35 "The curve"` and its steps."""

    cites: tuple[Cite, ...]
    title: Text
    settings: tuple[Setting, ...]
    steps: "tuple[Step, ...]"


@frozen
class Seats(Node):
    """`players Margherita, Bruno`"""

    names: tuple[Name, ...]


@frozen
class Given(Node):
    """`given deck = [ira, Judgment]`"""

    place: "Expr"
    value: "Expr"


@frozen
class Run(Node):
    """`when turn(Margherita)` and what is picked."""

    call: "Call"
    picks: "tuple[Pick | Asked, ...]"


@frozen
class Pick(Node):
    """`Margherita picks keep of [keep, feed]`"""

    player: Name
    value: "Expr"
    options: "Expr | None"


@frozen
class Asked(Node):
    """`Margherita is asked of [keep, feed]`: the call stops at this question."""

    player: Name
    options: "Expr | None"


@frozen
class Expect(Node):
    """`expect #abyss == 1`"""

    condition: "Expr"


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
    | Described
    | List
    | Build
)
Choice: TypeAlias = Choose | MayChoose | Each | EachMay
# All expressions, by their kinds: for passes that look for a few shapes and skip the rest.
OfAKind: TypeAlias = (
    Name | Conditional | Test | Calculation | Collection | Selection | Invocation | Written
)
Action: TypeAlias = (
    Move
    | Shuffle
    | Random
    | Show
    | Reveal
    | Announce
    | Tell
    | Heading
    | Choice
    | Assign
    | Stop
    | End
    | Nothing
    | Return
)
Simple: TypeAlias = Action | Perform
Statement: TypeAlias = Simple | If | For | Repeat
Block: TypeAlias = Suite | OneLine
Line: TypeAlias = Doc | Statement | Several
RowBody: TypeAlias = Cells | Action | Several | Suite
Body: TypeAlias = Block | Line | Cells  # whatever may stand where something is done
Named: TypeAlias = (
    Players
    | Teams
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
Plain: TypeAlias = (
    Named
    | Remove
    | RemoveRows
    | RemovePiece
    | Game
    | About
    | Goal
    | Turn
    | Minutes
    | Ages
    | Advice
    | Called
    | First
    | Rulebook
    | Use
    | Ruling
    | Omit
    | Rows
    | Hook
    | Example
)
Declaration: TypeAlias = Plain | Override
Item: TypeAlias = Plain | Variant | Extends | Mechanism
Step: TypeAlias = Seats | Given | Run | Expect
FileItem: TypeAlias = Doc | Override | Item
