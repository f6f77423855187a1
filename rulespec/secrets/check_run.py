"""One check of a program, as data: what is known of the program as a whole, and where the check has got to.

A `Run` is made once for a program; its scopes are those of the statement that is being followed.
"""

from typing import Any, Literal

from attrs import define, field, frozen

from rulespec.core.tree import Block, Core, VariableRow, ZoneRow
from rulespec.diagnostics import Diagnostic
from rulespec.secrets.knowledge import (
    NOTHING,
    Call,
    Exposure,
    Key,
    Keys,
    Place,
    Sources,
    State,
    Value,
)
from rulespec.source import Source as File
from rulespec.source import Span


@frozen
class Turns:
    """What differs between the turns of a loop: its element, what it changes; `mark` is the newest key before it."""

    element: Key | None
    phi: Key
    mark: int


@define
class Scope:
    """What decides whether the statements in it are reached, and the states in which it is left.

    `told` are the zones and locals whose disclosure tells the ways of a branch apart; `*` stands for all of them.
    `trusted` are steps that were accepted because a name is in `told`: the game must tell it before the scope ends.
    """

    kind: Literal["root", "call", "loop", "branch"]
    reads: Sources = NOTHING
    told: frozenset[str] = frozenset()
    later: Sources = NOTHING  # what decides the other ways of the branch
    # The choices made in it, each with what had decided by then that it is reached.
    chosen: list[tuple[Key, tuple[Sources, Sources]]] = field(factory=list)
    since: Sources = NOTHING  # what decided, in this turn of a loop, that it was not left
    later_since: Sources = NOTHING
    tests: tuple[Key, ...] = ()  # the values that decide whether it is reached
    asked: list[Key] = field(factory=list)  # who was asked in it, for a loop in this turn
    turns: Turns | None = None  # only for a loop
    alone: bool = True  # whether no other way of the branch asks anybody
    trusted: list[Exposure] = field(factory=list)
    exits: list[tuple[State, Value | None]] = field(factory=list)


@frozen
class Touched:
    """What a step has changed, so that triggers may fire; `several` if it moves pieces one after the other.

    When `play` begins, every trigger may fire, even one whose condition reads nothing.
    """

    variables: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    several: bool = False
    begins: bool = False


UNTOUCHED = Touched()


@frozen
class Changes:
    """What a loop changes: slots of its frame, variables and zones, and the piles on which it lays pools."""

    slots: frozenset[int] = frozenset()
    variables: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    sorted: tuple[tuple[Place, Sources], ...] = ()


@define
class Run:
    """One check of a program."""

    core: Core[Block]
    mechanisms: frozenset[File]
    keys: Keys
    zones: dict[str, ZoneRow]
    variables: dict[str, VariableRow]
    plain: frozenset[str]  # zones in which all pieces look alike
    alike: frozenset[str]  # kinds of pieces that all look alike
    hidden: frozenset[str]  # variables that not everyone sees
    uncounted: frozenset[str]  # zones that not everyone counts
    large: frozenset[str]  # functions that the check does not look into
    unique: bool  # whether no two pieces look alike
    scopes: list[Scope] = field(factory=lambda: [Scope("root")])
    calls: list[Call] = field(factory=list)
    firing: list[str] = field(factory=list)
    in_play: bool = False
    frames: int = 0
    work: int = 0
    apart: set[frozenset[Key]] = field(factory=set)
    found: "dict[object, Diagnostic]" = field(factory=dict)
    ranks: dict[object, tuple[Any, ...]] = field(
        factory=dict
    )  # of findings that an earlier one would replace
    changes: dict[int, Changes] = field(factory=dict)  # by loop
    counted: dict[Key, Key] = field(factory=dict)  # set -> the key of the size of its only part
    members: dict[Key, Key] = field(factory=dict)  # value that was taken from a set -> that set
    has_laid: bool = False  # whether a pool was laid on a pile in this turn of the outermost loop
    disclosed: dict[int, frozenset[str]] = field(factory=dict)  # by body
    questions: dict[int, frozenset[str]] = field(
        factory=dict
    )  # those that others may hear, by body
    askers: dict[frozenset[str], set[int]] = field(
        factory=dict
    )  # words -> the statements that ask with them, by `id`
    plain_rules: dict[str, frozenset[str] | None] = field(factory=dict)
    watching: dict[str, tuple[frozenset[str], frozenset[str]]] = field(factory=dict)  # by trigger
    guesses: dict[str | int, Changes] = field(factory=dict)  # by block, or by loop
    exposed: dict[int, frozenset[int]] = field(factory=dict)  # by loop


@define
class TooLargeError(Exception):
    """Checking the program would take too much work."""

    span: Span
