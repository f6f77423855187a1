"""Worked examples as elaboration hands them over: what is given, called, picked and expected."""

from attrs import field, frozen

from rulespec.core.tree import NOWHERE, Call, Op, Origin, Target
from rulespec.core.types import Type
from rulespec.source import Span


@frozen
class Wanted:
    """What a pick or a `given` asks for: a value, or how pieces look. `items` are those of a list."""

    value: Op | None
    look: Op | None
    items: tuple[tuple[int, "Wanted"], ...] | None
    text: str
    type: Type
    members: bool = False  # the value is a set of members, which stand for pieces that have them
    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen
class GivenStep:
    zone: Op | None
    target: Target | None
    wanted: Wanted
    origin: Origin


@frozen
class PickStep:
    player: str  # of chance: empty
    wanted: Wanted
    options: Wanted | None
    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen
class AskedStep:
    """A question at which a call stops."""

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
    """What is expected: one of several conditions joined by `and`."""

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
    """A worked example; the variants and options that it asks for are settled before."""

    title: str
    seats: tuple[str, ...]
    steps: tuple[GivenStep | RunStep | ExpectStep, ...]
    scratch: int
    origin: Origin
