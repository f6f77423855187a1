"""A step that players notice -> what it reveals, which is reported unless the game tells it openly in time."""

from collections.abc import Iterator

from attrs import frozen

from rulespec.secrets.check_run import Run, Scope, Turns
from rulespec.secrets.facts import trim
from rulespec.secrets.findings import report_exposures
from rulespec.secrets.knowledge import (
    NOBODY,
    NOTHING,
    Audience,
    Exposure,
    Key,
    Source,
    Sources,
    State,
    StepKind,
    pended,
)
from rulespec.secrets.knowledge import shown as shown_as
from rulespec.secrets.parts import Env
from rulespec.source import Span


@frozen
class Step:
    """A step that everybody notices."""

    kind: StepKind
    name: str
    span: Span
    keys: tuple[Key, ...] = ()  # of the values that it reveals


def expose(
    env: Env, step: Step, told: Sources, seen: Audience = NOBODY, *, unnoticed: Audience = NOBODY
) -> None:
    """Record what a step reveals: `told` to all but `seen`, and to all but `unnoticed` why it was reached."""
    run, state = env.run, env.state
    reasons: Sources = NOTHING
    for number, scope in enumerate(run.scopes):
        if not scope.reads:
            continue
        # A question in a turn reveals that the turn was reached, but not that it was not left afterwards.
        reads, since = unexplained(run, state, scope)
        reads = since if "*" in scope.told else reads | since
        reads |= _of_turns(run.scopes[:number], scope, step)
        if not reads:
            continue
        named = frozenset(each for each in reads if _is_named(each, scope.told))
        trusted = _exposed(env, step, named, unnoticed)
        if trusted is not None:
            scope.trusted.append(trusted)
        reasons |= reads - named
    for sources, by in ((told, seen), (reasons, unnoticed)):
        _pend(env, step, sources, by)


def _of_turns(around: list[Scope], scope: Scope, step: Step) -> Sources:
    """What decided that a way was taken in this turn of a loop, if a step reveals which turn it is.

    A question reveals that the way was taken in some turn, and in which one only if each turn asks another player.
    """
    for turns in unknown_turns(around, scope) if step.keys else ():
        if any(is_of_turn(turns, each) for each in step.keys):
            return scope.reads
    return NOTHING


def unknown_turns(around: list[Scope], scope: Scope) -> Iterator[Turns]:
    """The loops where the way was taken in some turn, but the player who was asked does not reveal in which."""
    for loop in around if scope.tests else ():
        turns = loop.turns
        if turns is None or any(is_of_turn(turns, each) for each in loop.asked):
            continue
        if any(is_of_turn(turns, each) for each in scope.tests):
            yield turns


def is_of_turn(turns: Turns, key: Key) -> bool:
    """Whether a value may differ between the turns of a loop because it depends on its element or on a local."""
    left, looked_at = [key], {key}
    while left:
        each = left.pop()
        if each is turns.element:
            return True
        if each.head == "phi" and each.parts[0] is turns.phi:
            if str(each.parts[1]).startswith("slot"):
                return True
            continue
        inner = {part for part in each.parts if isinstance(part, Key) and part.newest > turns.mark}
        left += inner - looked_at
        looked_at |= inner
    return False


def unexplained(run: Run, state: State, scope: Scope) -> tuple[Sources, Sources]:
    """What decided that a scope was reached, and since then that it was not left, unless a choice there tells it.

    A player who was free to decline and chose something has told everybody that this place was reached.
    """
    reads, since = scope.reads, scope.since
    if scope.alone and scope.chosen:
        none = run.keys.make("literal", "None")
        for chosen, by_then in scope.chosen:
            if frozenset((chosen, none)) in state.apart:
                reads -= by_then[0]
                since -= by_then[1]
    return reads, since


def _is_named(source: Source, names: frozenset[str]) -> bool:
    """Whether a source comes from a local or a zone with one of these names."""
    place = source.place
    return source.name in names or (
        place is not None and (place.zone in names or shown_as(place) in names)
    )


def expose_to(env: Env, step: Step, told: Sources, audience: Audience) -> None:
    """Record what a step that only these players notice reveals to them: what it depends on, and that it happened."""
    if audience == NOBODY:
        return
    for others in complement(audience):
        expose(env, step, told, others, unnoticed=others)


def _pend(env: Env, step: Step, sources: Sources, by: Audience) -> None:
    """Record that a step reveals these sources, unless the game tells them openly in time."""
    exposure = _exposed(env, step, sources, by)
    if exposure is not None:
        pend(env.state, exposure)


def pend(state: State, exposure: Exposure) -> None:
    if exposure in state.pending:
        state.pending = pended((*state.pending, exposure))
    else:
        state.pending |= {exposure}


def _exposed(env: Env, step: Step, sources: Sources, by: Audience) -> Exposure | None:
    """What a step reveals, or `None` if it reveals nothing; what a player has chosen is not a secret of the rules."""
    run, state = env.run, env.state
    hidden = frozenset(each for each in trim(run, state, sources) if each.kind != "choice")
    if not hidden:
        return None
    return Exposure(step.kind, step.name, step.span, hidden, by, tuple(run.calls))


def expose_question(env: Env, name: str, span: Span) -> None:
    """Everybody hears a question when it is answered: its words reveal which of several ways was taken."""
    reasons: Sources = NOTHING
    for scope in env.run.scopes:
        reasons |= scope.reads if "?" in scope.told else NOTHING
    _pend(env, Step("question", name, span), reasons, NOBODY)


def publish(run: Run, state: State) -> None:
    """Report what steps have revealed and the game has not told openly by now."""
    report_exposures(run, state)
    state.pending = frozenset()


def complement(audience: Audience) -> tuple[Audience, ...]:
    """Audiences that together bound the complement of one: for each of its players, everyone but that player."""
    if audience.players and not audience.but and not audience.everyone:
        return tuple(Audience(but=frozenset({each})) for each in audience.players)
    if len(audience.but) == 1 and not audience.players:
        return (Audience(players=audience.but),)
    return (NOBODY,)
