"""A machine's tables -> the context in which steps are built, with what all of them share: triggers and assignment.

Implements docs/language/13-semantics.md, "Triggers".

Short names: `s` state, `f` frame.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import define, field

from interpreter import flat
from interpreter.event_log import Visibility
from interpreter.expressions import ExpressionContext, Meaning, meaning, place_meaning, whole
from interpreter.layout import is_hidden
from interpreter.state import BLOCK, PLAY, SLOTS, Frame, State
from rulespec.core import tree
from rulespec.core.tree import Origin, Target

Step: TypeAlias = Callable[[State, Frame], Any]
Fires: TypeAlias = tuple[int, ...]  # triggers, by number


@define
class StepContext:
    """What all steps of a machine share: the context of expressions, who sees what, and blocks and triggers by number."""

    expressions: ExpressionContext
    visibility: Visibility
    blocks: dict[str, int]
    blanks: list[list[Any]] = field(factory=list)  # the slots of each block at its start
    tests: list[Callable[[State], bool]] = field(factory=list)  # of each trigger, by number
    trigger_blocks: list[int] = field(factory=list)
    zone_triggers: list[Fires] = field(factory=list)  # for each zone, the triggers that read it
    variable_triggers: list[Fires] = field(factory=list)
    resets: dict[str, Callable[[State], None]] = field(factory=dict)
    enters: dict[int, Step] = field(
        factory=dict
    )  # for each action table: continue with the row that matches
    results: list[dict[int, int]] = field(
        factory=list
    )  # for each block: the slot for the result of the call before an instruction


@define
class StepSite:
    """The inputs for building one step: the shared context, and the block that contains the instruction."""

    context: StepContext
    block: flat.Block

    def expression(self, op: tree.Op) -> Meaning:
        return whole(
            self.context.expressions, op, len(self.block.slots) + SLOTS, self.block.scratch
        )


# ---- Triggers ------------------------------------------------------------------------------------


def held_before(context: StepContext, s: State, watching: Fires) -> tuple[bool, ...]:
    return tuple(context.tests[t](s) for t in watching)


# [trigger.fire]
def fire(context: StepContext, s: State, watching: Fires, held: tuple[bool, ...]) -> None:
    """Push the blocks of triggers that hold now and did not before, so that the first declared runs first.

    A trigger does not fire while its own block is on the stack.
    """
    for t, before in zip(reversed(watching), reversed(held), strict=True):
        if not before and context.tests[t](s):
            block = context.trigger_blocks[t]
            if all(frame[BLOCK] != block for frame in s.stack):
                s.stack.append([block, 0, *context.blanks[block]])


# ---- Values --------------------------------------------------------------------------------------


def fit_to(context: StepContext, target: Target) -> Callable[[State, Any], Any] | None:
    """A function that converts a choice to the type of its target; None if no conversion is needed."""
    if target.fitting is None:
        return None
    fitting = meaning(context.expressions, target.fitting, 0)
    return lambda s, v: fitting(s, [v])


def store_in(site: StepSite, target: Target, origin: Origin) -> Callable[[State, Frame, Any], None]:
    """A function that assigns a value to a target: a slot silently, a variable as an event."""
    fit = fit_to(site.context, target)
    is_local = target.slot is not None
    store = _store_slot(site, target) if is_local else _store_variable(site, target, origin)
    if fit is None:
        return store
    return lambda s, f, v: store(s, f, fit(s, v))


def seen_in(site: StepSite, target: Target) -> Callable[[State, Frame], int] | None:
    """A function that gives the players who will see the value of a target; None for a public variable or a local."""
    layout = site.context.expressions.layout
    if target.variable is None or not is_hidden(layout, target.variable):
        return None
    place = place_meaning(
        layout.variable_families[target.variable],
        [site.expression(index) for index in target.indices],
    )
    variables = site.context.visibility.variables
    return lambda s, f: variables[place(s, f)]


def _store_variable(
    site: StepSite, target: Target, origin: Origin
) -> Callable[[State, Frame, Any], None]:
    context = site.context
    family = context.expressions.layout.variable_families[target.variable or ""]
    type_ = target.type
    place = place_meaning(family, [site.expression(index) for index in target.indices])

    def store(s: State, f: Frame, v: Any) -> None:
        number = place(s, f)
        watching = context.variable_triggers[number] if s.phase == PLAY else ()
        held = held_before(context, s, watching) if watching else ()
        before, s.variables[number] = s.variables[number], v
        if s.watch is not None:
            s.watch.assigned(s, number, before, v, type_, origin)
        if watching:
            fire(context, s, watching, held)

    return store


def _store_slot(site: StepSite, target: Target) -> Callable[[State, Frame, Any], None]:
    slot = (target.slot or 0) + SLOTS
    if not target.indices:

        def store(_s: State, f: Frame, v: Any) -> None:
            f[slot] = v

        return store
    (index,) = [site.expression(each) for each in target.indices]

    def store_member(s: State, f: Frame, v: Any) -> None:
        kept = dict(f[slot] or ())
        kept[index(s, f)] = v
        f[slot] = tuple(sorted(kept.items()))

    return store_member
