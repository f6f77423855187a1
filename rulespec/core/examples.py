"""Worked examples as data: what is given, called, picked and expected. `elaboration` makes them, engines run them."""

from attrs import field, frozen

from rulespec.core.tree import NOWHERE, Call, Op, Origin, Target
from rulespec.core.types import Type
from rulespec.source import Span


@frozen
class Wanted:
    """What a pick or a `given` asks for: a value, or the look of pieces. `items` are the items of a list."""

    value: Op | None
    look: Op | None
    items: tuple[tuple[int, "Wanted"], ...] | None
    text: str
    type: Type
    members: bool = False  # the value is a set of members, which mean pieces with these members
    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen
class GivenStep:
    zone: Op | None
    target: Target | None
    wanted: Wanted
    origin: Origin


@frozen
class PickStep:
    player: str  # empty for chance
    wanted: Wanted
    options: Wanted | None
    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen
class AskedStep:
    """A step that expects the call to stop at a question."""

    player: str
    options: Wanted | None
    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen
class RunStep:
    call: Call
    picks: tuple[PickStep, ...]
    asked: AskedStep | None
    result: Type | None
    origin: Origin


@frozen
class Side:
    """One side of a comparison, to be shown if it fails."""

    value: Op
    type: Type
    text: str


@frozen
class ExpectPart:
    """One of the expected conditions, which `and` joins."""

    condition: Op
    sides: tuple[Side, ...]
    text: str
    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen
class ExpectStep:
    parts: tuple[ExpectPart, ...]
    origin: Origin


@frozen
class ExampleRow:
    """A worked example; its variants and options are already chosen."""

    title: str
    seats: tuple[str, ...]
    steps: tuple[GivenStep | RunStep | ExpectStep, ...]
    scratch: int
    origin: Origin
