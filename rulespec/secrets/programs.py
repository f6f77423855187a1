"""The core of a program -> diagnostics for everything in it that tells somebody a secret."""

from collections.abc import Iterator
from typing import assert_never

from rulespec import codes
from rulespec.core import tree
from rulespec.core.tree import Block, Core, Statement
from rulespec.core.types import Place as ZoneType
from rulespec.core.types import Type
from rulespec.diagnostics import Diagnostic
from rulespec.secrets.check_run import Run, Scope, TooLargeError
from rulespec.secrets.computing import hidden_variables, large_functions, uncounted_zones
from rulespec.secrets.findings import report_exposures
from rulespec.secrets.holding import alike_kinds, kinds_held
from rulespec.secrets.joining import join_states
from rulespec.secrets.knowledge import ANYWHERE, NOBODY, Keys, Part, Source, State, Value
from rulespec.secrets.parts import holds_pieces
from rulespec.secrets.running import run_rule, start_triggers
from rulespec.source import Source as File

PHASES = ("setup", "play", "finish")


def check_secrets(core: Core[Block], mechanisms: frozenset[File]) -> Iterator[Diagnostic]:
    """Find choices that depend on what the chooser cannot know, and public steps that reveal secrets by accident."""
    alike, held = alike_kinds(core), kinds_held(core)
    run = Run(
        core,
        mechanisms,
        Keys(),
        {row.name: row for row in core.zones},
        {row.name: row for row in core.variables},
        frozenset(name for name, kinds in held.items() if len(kinds) == 1 and kinds <= alike),
        alike,
        hidden_variables(core),
        uncounted_zones(core),
        large_functions(core),
        _all_differ(core),
    )
    try:
        _run_game(run)
        _run_the_rest(run)
    except TooLargeError as large:
        message = "this program is too large to be checked for secrets"
        hint = "call fewer rules from one another, or shorten them"
        # Report it at the call in the phase, wherever the check gave up inside of it.
        place = next((call.span for call in run.calls if call.span is not None), large.span)
        yield Diagnostic(codes.UNCHECKED_SECRETS, message, place, hint=hint)
        return
    # Drop a warning about a variable that was set under a condition with an error: it follows from that error.
    errors = [each for each in run.found.values() if each.severity == "error"]
    read = {related.span for each in errors for related in each.related}
    for found in run.found.values():
        if found.severity == "error" or not any(place.span in read for place in found.related):
            yield found


def _all_differ(core: Core[Block]) -> bool:
    """Whether certainly no two pieces have the same face."""
    kinds = [row.kind for row in core.pieces]
    single = all(row.copies.name == "literal" and row.copies.value == 1 for row in core.pieces)
    return single and len(kinds) == len(set(kinds))


def _run_game(run: Run) -> None:
    """Check the phases of the game, one after the other."""
    # Without `setup`, the zones may hold anything at the start.
    state: State | None = State() if "setup" in run.core.blocks else _anywhere(run)
    for phase in PHASES:
        if phase not in run.core.blocks or state is None:
            continue
        run.scopes = [Scope("root", run.scopes[0].reads)]
        run.in_play = phase == "play"
        if run.in_play:
            state = start_triggers(run, state)
        after = None if state is None else run_rule(run, state, phase, (), None)[0]
        for left, _ in run.scopes[0].exits:
            after = join_states(run, after, left, run.scopes[0].reads)
        state = after
        if state is not None:
            report_exposures(run, state)


def _run_the_rest(run: Run) -> None:
    """Check the rules that no other rule calls, starting from any state."""
    called = {name for block in run.core.blocks.values() for name in _called(block.body)}
    called |= {trigger.block for trigger in run.core.triggers}
    for name, block in run.core.blocks.items():
        if name in PHASES or name in called:
            continue
        run.scopes = [Scope("root")]
        run.in_play = True
        state = _anywhere(run)
        arguments = tuple(_unknown(run, *slot) for slot in block.slots[: block.params])
        after = run_rule(run, state, name, arguments, None)[0]
        for left in (after, *(each for each, _ in run.scopes[0].exits)):
            if left is not None:
                report_exposures(run, left)


def _anywhere(run: Run) -> State:
    """A state in which players know of the contents of zones only what they see."""
    state = State()
    for zone in run.zones:
        state.writes[zone] = ((None, run.keys.fresh(zone)),)
    return state


def _unknown(run: Run, name: str, type_: Type | None) -> Value:
    """An argument about which nothing is known."""
    key = run.keys.fresh(name)
    if isinstance(type_, ZoneType):
        return Value(key, place=ANYWHERE)
    if type_ is not None and holds_pieces(type_):
        hidden = Source(None, NOBODY, kind="place")
        part = Part(
            key, frozenset({ANYWHERE}), frozenset({hidden}), where=frozenset({hidden}), seen=NOBODY
        )
        return Value(key, parts=(part,))
    return Value(key)


def _called(body: tuple[Statement, ...]) -> Iterator[str]:
    for node in body:
        match node:
            case tree.Call(block):
                yield block
            case tree.Enter(_, rows):
                yield from (name for _, name in rows)
            case tree.If(_, inner, otherwise):
                yield from _called(inner)
                yield from _called(otherwise or ())
            case tree.For() | tree.Repeat():
                yield from _called(node.body)
            case tree.Assign() | tree.Clear() | tree.Move() | tree.Shuffle() | tree.Show():
                pass
            case tree.Announce() | tree.Tell() | tree.Draw() | tree.Choose() | tree.Each():
                pass
            case tree.Return() | tree.Stop() | tree.End():
                pass
            case _:
                assert_never(node)
