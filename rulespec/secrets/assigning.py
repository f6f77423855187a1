"""A value and the variable to which it is assigned -> the state after it, and what others learn by seeing the variable."""

from attrs import evolve, frozen

from rulespec.core.tree import Target
from rulespec.diagnostics import Related
from rulespec.secrets.check_run import UNTOUCHED, Run, Touched
from rulespec.secrets.comparing import may_overlap
from rulespec.secrets.exposing import Step, expose, expose_to
from rulespec.secrets.facts import identity, knowers, size_key_of, teach, teach_faces, trim
from rulespec.secrets.joining import joined
from rulespec.secrets.knowledge import EVERYONE, NOBODY, NOTHING, Key, Place, Sources, State, Value
from rulespec.secrets.parts import Env, holds_pieces, in_sight
from rulespec.secrets.reading import evaluate
from rulespec.secrets.steps import sources_elsewhere
from rulespec.secrets.visibility import who_sees_variable
from rulespec.source import Span


def assign_value(
    env: Env, target: Target, value: Value, span: Span, *, is_decided: bool = False
) -> Touched:
    """Assign a value to a local or a variable; `is_decided` if a player or chance decided a hidden one."""
    run, state, frame = env.run, env.state, env.frame
    indices = [evaluate(env, each) for each in target.indices]
    which: Sources = NOTHING
    for index, each in zip(indices, target.indices, strict=True):
        which |= identity(run, state, index, each.span)
    keys = tuple(each.key for each in indices)
    value = traced(value, target.name, span)
    if target.variable is None:
        if target.slot is None:
            raise AssertionError("a target is a slot or a variable")
        if keys:
            _give_member(env, f"slot {frame} {target.slot}", Given(value, keys, which, span))
            older = state.slots.get((frame, target.slot))
            if older is not None:
                state.slots[frame, target.slot] = joined(
                    run, run.keys.fresh(target.name), evolve(older, generic=None), value, which
                )
            else:
                state.slots[frame, target.slot] = evolve(
                    value, which=value.which | which, size=value.size | which
                )
        else:
            state.slots[frame, target.slot] = value
        return UNTOUCHED
    given = Given(value, keys, which, span, is_decided)
    if target.variable in run.hidden:
        return _hide_variable(env, target.variable, given)
    return _publish_variable(env, target, given)


@frozen
class Given:
    """A value that is assigned to a variable, or to the member of a family that `which` decides."""

    value: Value
    keys: tuple[Key, ...]
    which: Sources
    span: Span
    is_decided: bool = False


def _give_member(env: Env, name: str, given: Given) -> None:
    run, state = env.run, env.state
    place = Place(name, given.keys)
    for other in [each for each in state.members if each[0] == name]:
        if may_overlap(run, state, place, Place(name, other[1])):
            del state.members[other]
    if not given.which:
        state.members[name, given.keys] = given.value


def _publish_variable(env: Env, target: Target, given: Given) -> Touched:
    """Assign a value to a variable that all see; of pieces, they see only how many there are."""
    run, state = env.run, env.state
    name, value, which = target.variable or "", given.value, given.which
    state.serial = run.keys.fresh("")
    pieces = holds_pieces(target.type)
    # Everyone may see which pieces these are, but not what hidden reason selected them.
    what = value.size | value.which | sources_elsewhere(state, value)
    told = (what if pieces else identity(run, state, value, given.span)) | which
    expose(env, Step("variable", name, given.span, (value.key, *given.keys)), told)
    if pieces:
        kept = evolve(value, size=NOTHING)
        seen = in_sight(env, value)
        # With several parts, players see the faces but not which part a face belongs to.
        alone = value.parts if len(value.parts) == 1 and seen != NOBODY else ()
        for part in alone:
            teach_faces(run, state, part, seen)
            if run.unique:
                for source in part.which:
                    if source.key is not None and source.kind in ("choice", "chance"):
                        teach(run, state, source.key, seen)
    else:
        key = value.key
        taught = {key, size_key_of(run, key)}
        if any(each.key in taught for each in trim(run, state, told)):
            # This assignment is the leak, so it must not count as telling the value openly.
            key = run.keys.fresh(name)
        kept = Value(key, apart=value.apart, everybody=value.everybody)
        teach(run, state, key, EVERYONE)
    if given.keys:
        _give_member(env, name, evolve(given, value=kept))
        older = state.variables.get(name) or Value(run.keys.make("variable", name, shown=name))
        hidden = which if pieces else NOTHING
        state.variables[name] = evolve(
            joined(run, run.keys.fresh(name), older, kept, hidden), size=NOTHING
        )
    else:
        state.variables[name] = kept
    return Touched(frozenset({name}))


def _hide_variable(env: Env, name: str, given: Given) -> Touched:
    """Assign a value to a hidden variable: only those who see it notice, and learn the value.

    From now on its value is a secret, whatever it was made of; but players who knew the value before still do.
    """
    run, state, value = env.run, env.state, given.value
    state.serial = run.keys.fresh("")
    step, seen = Step("variable", name, given.span), who_sees_variable(run, name, given.keys)
    told = identity(run, state, value, given.span)
    expose_to(env, step, NOTHING if given.is_decided else told, seen)
    if seen != NOBODY:  # in a family, all notice whether their own member was assigned
        expose(env, step, given.which, unnoticed=EVERYONE)
    teach(run, state, value.key, knowers(run, state, told))
    kept = Value(value.key, apart=value.apart, everybody=value.everybody)
    if given.keys:
        _give_member(env, name, evolve(given, value=kept))
        older = state.variables.get(name) or Value(run.keys.make("variable", name, shown=name))
        state.variables[name] = evolve(
            joined(run, run.keys.fresh(name), older, kept, NOTHING), size=NOTHING
        )
    else:
        state.variables[name] = kept
    return Touched(frozenset({name}))


def forget_variable(run: Run, state: State, name: str) -> None:
    state.variables[name] = Value(run.keys.fresh(name))
    state.serial = run.keys.fresh("")
    for other in [each for each in state.members if each[0] == name]:
        del state.members[other]


def traced(value: Value, name: str, span: Span) -> Value:
    """The value of a local, noting where in the text it got its pieces."""
    if not value.parts:
        return value
    path = (Related(f"`{name}` gets its pieces here", span),)
    return evolve(value, parts=tuple(evolve(part, name=name, path=path) for part in value.parts))
