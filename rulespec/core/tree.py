"""The core: what a program is once names are resolved, types are known and layers are merged.

Described in docs/core.md. Checking ends here, and every engine begins here. Control is still structured: an
engine makes of `If`, `For` and `Repeat` what it likes. Nothing depends on how many play or on the options.

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
    """`Op("count", (…,), type=…)`: an operation, its operands, and what else its row of the table asks for.

    `place` is a slot of the frame, or where a bound element is found; `word` names a zone, variable, function,
    attribute, option or enum; `order` is how a set is kept or values are compared: the name of an enum, `plain`, or
    `formed`; `value` is that of a literal, `face` the words of a look. The rest is data of single operations.
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
    """Operations, and all operations below them."""
    waiting = [*ops]
    while waiting:
        op = waiting.pop()
        yield op
        waiting.extend(op.operands)


# [code.origin]
@frozen
class Origin:
    """Where something comes from, so that one can ask why: the rule, its place and its clauses."""

    rule: str
    span: Span = field(eq=False, repr=False)
    cites: tuple[str, ...] = field(default=(), eq=False)
    sentence: str | None = field(default=None, eq=False)


# ---- Statements ----------------------------------------------------------------------------------
# `slot` is a place in the frame of a call; a `Target` is a slot or a state variable. What a loop or a move has
# still to do is kept in a slot of its own, so that a game can be stored between any two steps.


@frozen
class Target:
    """What is given a value: a slot, a member of the family in a slot, or a variable with its indices.

    Of a choice, `fitting` makes what was chosen, which it calls `bound` 0, into what the target takes.
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
    """`for x in S: …`: `rest` keeps the elements that are left, `into` the present one."""

    rest: int
    into: int
    values: Op
    body: "Body"
    origin: Origin


@frozen
class Repeat:
    """`repeat: …` until something leaves it, or `repeat n: …`, where `left` counts down."""

    left: int | None
    times: Op | None
    body: "Body"
    origin: Origin


@frozen
class Stop:
    """`stop`: leave the loop around."""

    origin: Origin


@frozen
class Clear:
    """Forget slots that are no longer needed, so that equal states are equal."""

    slots: tuple[int, ...]
    origin: Origin


@frozen
class Move:
    """`move X to Z`: what is still to be moved, and where to, is kept in `slot`.

    With `position` it is one piece at most, which comes to lie there: 1 is the top.
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
    """`announce x = e to P`, after `x` was given its value: `players` learn the value, and nothing else."""

    value: Op
    players: Op
    name: str
    of: Type
    origin: Origin


@frozen
class Tell:
    """`tell "{p} wins"`, or a `heading`: the sentence, with the values in its holes, and who is told."""

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
    """Options of another type in the same question, `or y from T`: one of both targets is then `none`."""

    target: Target
    options: Op
    of: Type


@frozen
class Choose:
    """`p chooses x from S`; `may` if it can be declined; `other` if it offers values of two types."""

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
    """`each q in P chooses x[q] from S`: `slot` keeps who is still to choose and what was chosen."""

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
    """Call a procedure; what it gives back is kept in `into`."""

    block: str
    arguments: tuple[Op, ...]
    into: int | None
    resets: str | None  # the rule whose state is set back
    origin: Origin


@frozen
class Enter:
    """Of an action table: go on with the row that matches."""

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


# What every engine does in one go, whatever it makes of control.
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
    """What a key accepts: anything, values (members, numbers, seats, none), a range, or kinds of piece."""

    how: Literal["any", "values", "numbers", "kinds", "alternatives"]
    values: tuple[Any, ...] = ()


# ---- Parts ---------------------------------------------------------------------------------------


# [code.block]
@frozen
class Block:
    """The code of a rule, of a row of an action table, of a part added to a rule, or of a trigger.

    `blank` are the first values of its slots, parameters first; `scratch` is how many more its
    expressions need while they are evaluated.
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
    """A `let`, or one output of a value table: rows of patterns and cells, the first match counts."""

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
    read: tuple[str, ...]  # the attributes that a word of a face means without their names
    origin: Origin


@frozen
class ZoneRow:
    """A zone, or a family of zones; those of `counted_by` know how many pieces lie there."""

    name: str
    indices: tuple[Type, ...]
    order: Literal["pile", "pool"]
    seen_by: Literal["everyone", "owner", "others", "top", "nobody"]
    counted_by: Literal["everyone", "owner", "others", "nobody"]
    holds: frozenset[str]
    origin: Origin


@frozen
class VariableRow:
    """A state variable, or a family of them; it is set back when `rule` is called, and known to those of `seen_by`."""

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
    """`allowed` says of the value that an option has whether this table may have it."""

    name: str
    type: Type
    default: Op
    allowed: Op | None
    chosen: Op | None
    scratch: int
    origin: Origin


@frozen
class AttributeRow:
    """An attribute of pieces; of a kind without it a set-valued one is empty, another is none."""

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
    enum: str  # that declares it
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

    The rows compare players, one after the other. `won` and `drawn` also say how the game went; `team` compares
    nothing, but says with whom a player wins or loses.
    """

    order: Op
    key: Op
    scratch: int
    title: str
    origin: Origin
    role: Role = "score"


# How the code of a rule is written: here as statements, elsewhere as an engine likes it.
Written = TypeVar("Written")


@frozen
class Core(Generic[Written]):
    """A whole program; `Core[Block]` is how checking hands it over."""

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
    # Words, which change no rule and so no fingerprint; by the name in the rules.
    called: dict[str, Called] = field(factory=dict, eq=False)
    blurb: Blurb = field(factory=Blurb, eq=False)
