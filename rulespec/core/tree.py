"""The core: a program with its names resolved, its types known and its layers merged.

Described in docs/core.md. `elaboration` makes it, and every engine begins with it. Control is still structured: an
engine compiles `If`, `For` and `Repeat` as it likes. Nothing depends on the number of players or on the options.

An expression is an `Op`: an operation of the table in `rulespec.core.operations`, its operands, and the type of
its value. Values are plain: numbers, seats, members and pieces are integers, `yes` and `no` are booleans, `none`
is None, sets are tuples without duplicates.
"""

from collections.abc import Iterator
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from attrs import field, frozen

from rulespec.core.operations import Face, Value
from rulespec.core.types import UNKNOWN, Type
from rulespec.core.words import Blurb, Called
from rulespec.source import Source, Span

NOWHERE = Span(Source("", ""), 0, 0)


# [code.operation]
@frozen
class Op:
    """`Op("count", (…,), type=…)`: an operation, its operands, and the other fields that its row of the table lists.

    `place` is a slot of the frame, or the place of a bound element; `word` names a zone, variable, function,
    attribute, option or enum; `order` is the order of a set or of a comparison: the name of an enum, `plain`, or
    `formed`; `value` is the value of a literal, `face` the words of a look. The other fields belong to single operations.
    """

    name: str
    operands: tuple["Op", ...] = ()
    place: int = field(default=-1, kw_only=True)
    word: str = field(default="", kw_only=True)
    words: tuple[str, ...] = field(default=(), kw_only=True)
    numbers: tuple[int, ...] = field(default=(), kw_only=True)
    order: str = field(default="", kw_only=True)
    value: "Value" = field(default=None, kw_only=True)
    face: "Face" = field(default=(), kw_only=True)
    type: Type = field(default=UNKNOWN, eq=False, repr=False, kw_only=True)
    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


def walk_operations(*ops: Op) -> Iterator[Op]:
    """Operations and all operations inside them."""
    waiting = [*ops]
    while waiting:
        op = waiting.pop()
        yield op
        waiting.extend(op.operands)


# [code.origin]
@frozen
class Origin:
    """Where a step comes from, so that a player can ask why: the rule, its span and its clauses."""

    rule: str
    span: Span = field(eq=False, repr=False)
    cites: tuple[str, ...] = field(default=(), eq=False)
    sentence: str | None = field(default=None, eq=False)


# ---- Statements ----------------------------------------------------------------------------------
# `slot` is a place in the frame of a call; a `Target` is a slot or a state variable. The remaining work of a loop or
# a move is kept in its own slot, so that a game can be saved between any two steps.


@frozen
class Target:
    """The target of an assignment: a slot, a member of the family in a slot, or a variable with its indices.

    For a choice, `fitting` converts the chosen value, which is `bound` at 0, to the type of the target.
    """

    slot: int | None
    variable: str | None
    indices: tuple[Op, ...]
    type: Type
    name: str
    fitting: Op | None = None


@frozen
class Assign:
    """`v = e`"""

    target: Target
    value: Op
    origin: Origin


@frozen
class If:
    """`if c: … else: …`"""

    condition: Op
    body: "Body"
    otherwise: "Body | None"
    origin: Origin


@frozen
class For:
    """`for x in S: …`: `rest` holds the remaining elements, `into` the current one."""

    rest: int
    into: int
    values: Op
    body: "Body"
    origin: Origin


@frozen
class Repeat:
    """`repeat: …` runs until a statement leaves it; in `repeat n: …`, `left` counts down."""

    left: int | None
    times: Op | None
    body: "Body"
    origin: Origin


@frozen
class Stop:
    """`stop`: leave the enclosing loop."""

    origin: Origin


@frozen
class Clear:
    """Forget slots that are no longer needed, so that equal states are equal."""

    slots: tuple[int, ...]
    origin: Origin


@frozen
class Move:
    """`move X to Z`: `slot` holds the pieces that remain to be moved, and the goal.

    With `position` it moves at most one piece, to that position: 1 is the top.
    """

    slot: int
    pieces: Op
    zone: Op
    under: bool
    position: Op | None
    origin: Origin


@frozen
class Shuffle:
    """`shuffle Z`"""

    zone: Op
    origin: Origin


@frozen
class Show:
    """`show X to P`, and `reveal X` to all."""

    pieces: Op
    players: Op
    origin: Origin


@frozen
class Announce:
    """`announce x = e to P`, after the assignment to `x`: `players` learn the value, and nothing else."""

    value: Op
    players: Op
    name: str
    of: Type
    origin: Origin


@frozen
class Tell:
    """`tell "{p} wins"`, or a `heading`: the sentence with the values in its braces, and who is told."""

    parts: tuple[str | Op, ...]
    players: Op
    heading: bool
    origin: Origin


@frozen
class Draw:
    """`random x from S`"""

    target: Target
    values: Op
    of: Type
    origin: Origin


@frozen
class Other:
    """Options of another type in the same question, `or y from T`: one of the two targets becomes `none`."""

    target: Target
    options: Op
    of: Type


@frozen
class Choose:
    """`p chooses x from S`; `may` if the player can decline; `other` if the options have two types."""

    player: Op
    target: Target
    options: Op
    of: Type
    may: bool
    prompt: tuple["str | tuple[Op, Type]", ...]
    decline: str
    other: Other | None
    origin: Origin


@frozen
class Each:
    """`each q in P chooses x[q] from S`: `slot` holds the players who have not chosen yet, and the choices so far."""

    slot: int
    seat: int
    players: Op
    target: Target
    options: Op
    of: Type
    may: bool
    prompt: tuple["str | tuple[Op, Type]", ...]
    decline: str
    origin: Origin


@frozen
class Call:
    """Call a procedure; its result is stored in `into`."""

    block: str
    arguments: tuple[Op, ...]
    into: int | None
    resets: str | None  # the rule whose variables are reset
    origin: Origin


@frozen
class Enter:
    """In an action table: continue with the row that matches."""

    inputs: tuple[Op, ...]
    rows: tuple[tuple[tuple["Pattern", ...], str], ...]
    origin: Origin


@frozen
class Return:
    """Leave the block."""

    value: Op | None
    origin: Origin


@frozen
class End:
    """`end`"""

    origin: Origin


# Statements without control flow, which every engine executes in one step.
Simple: TypeAlias = (
    Assign
    | Clear
    | Move
    | Shuffle
    | Show
    | Announce
    | Tell
    | Draw
    | Choose
    | Each
    | Call
    | Enter
    | Return
    | End
)
# [code.statement]
Statement: TypeAlias = Simple | If | For | Repeat | Stop
Body: TypeAlias = tuple[Statement, ...]

# ---- Tables --------------------------------------------------------------------------------------


@frozen
class Pattern:
    """The values that a key accepts: all, some values (members, numbers, seats, none), a range, or kinds of pieces."""

    how: Literal["any", "values", "numbers", "kinds", "alternatives"]
    values: tuple[Any, ...] = ()


# ---- Parts ---------------------------------------------------------------------------------------


# [code.block]
@frozen
class Block:
    """The code of a rule, of a row of an action table, of a part added to a rule, or of a trigger.

    `blank` holds the initial values of its slots, parameters first; `scratch` is the number of further places that its
    expressions need during evaluation.
    """

    name: str
    title: str
    params: int
    blank: tuple[Any, ...]
    slots: tuple[tuple[str, Type | None], ...]
    body: Body
    scratch: int
    origin: Origin


# [code.function]
@frozen
class Function:
    """A `let`, or one output of a value table: rows of patterns and cells; the first matching row applies."""

    name: str
    params: int
    scratch: int
    inputs: tuple[Op, ...]
    rows: tuple["FunctionRow", ...]
    type: Type
    origin: Origin


@frozen
class FunctionRow:
    patterns: tuple[Pattern, ...]
    cell: Op
    origin: Origin


@frozen
class PieceRow:
    """`Vice(sin: Sin, hell = I) | 6`: attributes in order, each with its domain or its value."""

    kind: str
    ranged: tuple[tuple[str, Op | None, Op | None], ...]  # name, domain, or value
    copies: Op
    scratch: int
    shown_as: tuple["str | tuple[str, Type]", ...] | None
    read: tuple[str, ...]  # the attributes that a face gives without their names
    origin: Origin


@frozen
class ZoneRow:
    """A zone, or a family of zones; `counted_by` says who knows how many pieces lie there."""

    name: str
    indices: tuple[Type, ...]
    order: Literal["pile", "pool"]
    seen_by: Literal["everyone", "owner", "others", "top", "nobody"]
    counted_by: Literal["everyone", "owner", "others", "nobody"]
    holds: frozenset[str]
    origin: Origin


@frozen
class VariableRow:
    """A state variable, or a family of them; a call of `rule` resets it, and `seen_by` says who knows it."""

    name: str
    indices: tuple[Type, ...]
    type: Type
    start: Op
    scratch: int
    rule: str | None
    seen_by: Literal["everyone", "owner", "others", "nobody"]
    origin: Origin


@frozen
class OptionRow:
    """An option; `allowed` says whether this table may use the value of the option."""

    name: str
    type: Type
    default: Op
    allowed: Op | None
    chosen: Op | None
    scratch: int
    origin: Origin


@frozen
class AttributeRow:
    """An attribute of pieces; for a kind without it, its value is `none`, or the empty set if it is set-valued."""

    name: str
    type: Type
    set_valued: bool


@frozen
class EnumRow:
    """The members of an enum, in its own order."""

    name: str
    members: tuple[int, ...]


@frozen
class Member:
    """A member; its number is its place in `Core.members`."""

    name: str
    label: str
    enum: str  # the enum that declares it
    place: int  # in that enum


@frozen
class TriggerRow:
    condition: Op
    block: str
    name: str


@frozen
class AlwaysRow:
    name: str
    condition: Op
    scratch: int
    origin: Origin


Role: TypeAlias = Literal["score", "won", "drawn", "team"]


@frozen
class RankRow:
    """A row of the ranking; the player is slot 0 of its key.

    Rows compare players in order: a later row breaks ties. `won` and `drawn` also decide the outcome; `team` compares
    nothing, but says with whom a player wins or loses.
    """

    order: Op
    key: Op
    scratch: int
    title: str
    origin: Origin
    role: Role = "score"


# The form of the code of a rule: statements here, another form in an engine.
Written = TypeVar("Written")


@frozen
class Core(Generic[Written]):
    """A whole program; `Core[Block]` is the form that elaboration returns."""

    title: str
    author: str | None
    least_players: int
    most_players: int
    clockwise: bool
    members: tuple[Member, ...]
    enums: tuple[EnumRow, ...]
    options: tuple[OptionRow, ...]
    attributes: tuple[AttributeRow, ...]
    pieces: tuple[PieceRow, ...]
    zones: tuple[ZoneRow, ...]  # `box` first
    variables: tuple[VariableRow, ...]
    functions: dict[str, Function]
    blocks: dict[str, Written]
    triggers: tuple[TriggerRow, ...]
    always: tuple[AlwaysRow, ...]
    ranking: tuple[RankRow, ...]
    # Words for people, by the name in the rules; they change no rule, and so no fingerprint.
    called: dict[str, Called] = field(factory=dict, eq=False)
    blurb: Blurb = field(factory=Blurb, eq=False)
