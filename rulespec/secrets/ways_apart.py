"""One of several ways -> its state, with what it adds to the scopes around it kept apart until all ways are done."""

from collections.abc import Callable

from attrs import evolve

from rulespec.secrets.check_run import Run, Scope
from rulespec.secrets.exposing import unexplained, unknown_turns
from rulespec.secrets.joining import Way
from rulespec.secrets.knowledge import NOTHING, Key, Sources, State, Value, copy_state


def follow_way(
    run: Run, state: State, follow: Callable[[State], State | None], branch: Scope
) -> Way:
    """Follow one of several ways. The places where it leaves a block count only after all ways are done."""
    before = [(scope.reads, scope.later, len(scope.exits)) for scope in run.scopes]
    since = [(scope.since, scope.later_since) for scope in run.scopes]
    for scope in run.scopes:
        scope.later = scope.later_since = NOTHING
    run.scopes.append(branch)
    after = follow(state)
    run.scopes.pop()
    ends = [] if after is None else [after]
    for scope, (known, later, exits) in zip(run.scopes, before, strict=True):
        scope.later = later | (scope.reads - known)
        scope.reads = known
        ends += [left for left, _ in scope.exits[exits:] if scope.kind != "root"]
    for scope, (known, later) in zip(run.scopes, since, strict=True):
        scope.later_since = later | (scope.since - known)
        scope.since = known
    return Way(after, ends, branch.trusted)


def merge_scopes(run: Run) -> None:
    """Merge what several ways have added to the scopes around them."""
    for scope in run.scopes:
        if scope.later or scope.later_since:
            scope.reads |= scope.later
            scope.since |= scope.later_since
            scope.later = scope.later_since = NOTHING


def leave_scope(run: Run, state: State, kind: str, value: Value | None) -> None:
    """Leave a loop, a rule or the game: what decided this also decides whether the rest of it is reached."""
    reads: Sources = NOTHING
    tests: tuple[Key, ...] = ()
    for number, scope in reversed([*enumerate(run.scopes)]):
        if scope.kind in (kind, "root"):
            scope.reads |= reads
            scope.tests = tuple({*scope.tests, *tests}) if reads else scope.tests
            scope.since |= reads
            if value is not None and reads:
                value = evolve(value, which=value.which | reads, size=value.size | reads)
            scope.exits.append((copy_state(state), value))
            return
        tests += scope.tests
        if any(True for _ in unknown_turns(run.scopes[:number], scope)):
            reads |= scope.reads
        else:
            reads = reads.union(*unexplained(run, state, scope))
