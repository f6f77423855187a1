"""A move or a show -> who notices it at all, and who learns from it how many pieces there are."""

from collections.abc import Collection, Iterable

from rulespec.core.tree import Op
from rulespec.secrets.check_run import Run
from rulespec.secrets.facts import knowers
from rulespec.secrets.knowledge import (
    EVERYONE,
    NOBODY,
    NOTHING,
    Audience,
    Place,
    Sources,
    Value,
    intersect,
    unite,
)
from rulespec.secrets.parts import Env, holds_pieces
from rulespec.secrets.reading import evaluate
from rulespec.secrets.visibility import who_counts, who_may_notice


def reasons_here(run: Run) -> Sources:
    """What decides whether this place is reached."""
    found: Sources = NOTHING
    for scope in run.scopes:
        found |= scope.reads
    return found


def who_notices(run: Run, places: Iterable[Place]) -> Audience:
    """Who may notice that pieces come to one of these places or leave it."""
    audience = NOBODY
    for place in places:
        audience = unite(audience, who_may_notice(run, place))
    return audience


def placing(env: Env, op: Op) -> Sources:
    """What decides from which of several zones pieces are taken, but not how many or which ones."""
    inside = [each for each in op.operands if holds_pieces(each.type)]
    if op.name in ("contents", "gather", "if") or not inside:
        return evaluate(env, op).which
    return NOTHING.union(*(placing(env, each) for each in inside))


def who_is_aware(env: Env, value: Value) -> Audience:
    """Who knows that a move or a show happens: if there may be no pieces, only some players can tell.

    A player who counts the places knows whether there are any.
    """
    run, places = env.run, {place for part in value.parts for place in part.places}
    counting = EVERYONE
    for place in places:
        counting = intersect(counting, who_counts(run, place))
    if counting.everyone:
        return EVERYONE
    return unite(counting, knowers(run, env.state, reasons_here(run)))


def but_own(sources: Sources, places: Collection[Place | None]) -> Sources:
    """Sources without how many pieces lie where some are moved: that is what a move is made to tell."""
    return frozenset(each for each in sources if each.kind != "count" or each.place not in places)
