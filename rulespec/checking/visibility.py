"""Hidden information: nobody is asked by what they cannot see, and nothing public is computed from it.

Implements docs/language/12-checks.md, "Information". Every procedure that nothing calls is run once on
what is known of values (`knowledge`), with calls inlined; `faces` looks into expressions, `leaks` puts
what is found into words.
"""

from collections.abc import Iterator
from typing import assert_never

from attrs import evolve

from rulespec.checking.calls import statements_of
from rulespec.checking.declarations import Declarations, Declared, Routine
from rulespec.checking.faces import choose_from, evaluate, facts_of
from rulespec.checking.knowledge import (
    EVERYONE,
    PLAIN,
    Place,
    Read,
    State,
    Term,
    Value,
    copy_state,
    forget,
    join_states,
    join_values,
    relocate,
    rename_reads,
    teach,
)
from rulespec.checking.leaks import Call
from rulespec.checking.secrets import (
    Frame,
    Run,
    Scope,
    audience_of,
    env_of,
    give,
    hidden,
    judge_choice,
    publish,
    reasons,
    store,
    sum_up,
    taken,
    traced,
)
from rulespec.checking.world import (
    Env,
    Invocation,
    calls_in,
    element_of,
    is_too_deep,
    look_around,
    read_first,
    spine,
    type_name,
)
from rulespec.diagnostics import Diagnostic
from rulespec.source import Span
from rulespec.syntax import nodes

PHASES = ("setup", "play", "finish")


def check_visibility(program: Declarations) -> Iterator[Diagnostic]:
    """Choices that depend on what the chooser cannot see, and public variables that give secrets away."""
    world = look_around(program)
    found: dict[tuple[str, str, int] | tuple[Span, str], Diagnostic] = {}
    called = {call.function.text for call in calls_in(program)}
    for routine in program.routines.values():
        if routine.kind == "procedure" and (routine.name in PHASES or routine.name not in called):
            _run_root(Run(world, [Scope("root")], [], found), routine)
    for trigger in (each for versions in program.triggers.values() for each in versions):
        _run_trigger(Run(world, [Scope("root")], [], found), trigger)
    # A variable set under a condition that nobody should be asked under follows from that mistake.
    errors = [each for each in found.values() if each.severity == "error"]
    read = {related.span for each in errors for related in each.related}
    for each in found.values():
        if each.severity == "error" or not any(place.span in read for place in each.related):
            yield each


def _run_root(run: Run, routine: Routine) -> None:
    params = routine.versions[-1].node.params
    arguments = tuple(_unknown(param) for param in params)
    state, _ = _call(run, State(), Frame("", ""), Invocation(routine, arguments, None))
    for each in (*run.scopes[0].exits, *([state] if state is not None else [])):
        publish(run, each)


def _unknown(param: nodes.Param) -> Value:
    """An argument of which nothing is known."""
    return Value(term=Term(param.name.text, param.name.text), type=type_name(param.type))


def _run_trigger(run: Run, trigger: Declared[nodes.Trigger]) -> None:
    """The block of a trigger, which may run at any time; one overridden may be called as `super`."""
    state = State()
    frame = Frame("when", "when")
    condition = evaluate(env_of(run, state, frame), trigger.node.condition)
    run.calls.append(Call("when", trigger.layer.origin == "mechanism", None))
    run.scopes.append(Scope("call", condition.reads))
    after = _execute(run, state, frame, trigger.node.body)
    for each in (*run.scopes[0].exits, *run.scopes[1].exits, *([after] if after else [])):
        publish(run, each)


# ---- Procedures ----------------------------------------------------------------------------------


def _call(run: Run, state: State, caller: Frame, invoked: Invocation) -> tuple[State | None, Value]:
    """The state after a call of a procedure, and what it returns."""
    routine, span = invoked.routine, invoked.span
    if routine.kind != "procedure" or is_too_deep(run.world, len(run.calls)):
        return state, PLAIN
    version = invoked.version % len(routine.versions)
    newest = version == len(routine.versions) - 1
    body = routine.versions[version]
    site = f"{span.start if span else ''}.{routine.name}/{caller.path}"
    below = (routine, version - 1) if version > 0 else None
    state = copy_state(state)
    if newest:
        _reset(run, state, routine.name)
    for param, value in zip(body.node.params, invoked.arguments, strict=False):
        kept = evolve(value, is_reference=True) if type_name(param.type) == "Zone" else value
        state.values[site, param.name.text] = kept
    parts: list[tuple[Declared[nodes.Let | nodes.Table | nodes.Rule | nodes.Hook], bool]] = []
    parts.append((body, False))
    if newest:
        hooks = [(hook, True) for hook in reversed(routine.before)]
        parts = [*hooks, *parts, *((hook, True) for hook in routine.after)]
    result = PLAIN
    after: State | None = state
    for part, is_hook in parts:
        if after is None:
            break
        run.calls.append(Call(routine.name, part.layer.origin == "mechanism", span))
        scope = Scope("call")
        run.scopes.append(scope)
        frame = Frame(routine.name, site, None if is_hook else below)
        match part.node:
            case nodes.Table():
                after = _act(run, after, frame, routine, version)
            case nodes.Rule() | nodes.Hook():
                after = _execute(run, after, frame, part.node.body)
            case nodes.Let():
                pass
            case _:
                assert_never(part.node)
        for each in scope.exits:
            after = join_states(after, each, site)
        run.scopes.pop()
        run.calls.pop()
        result = scope.result or result
    if after is not None:
        after.values = {slot: value for slot, value in after.values.items() if slot[0] != site}
    return after, result


def _reset(run: Run, state: State, rule: str) -> None:
    """The variables of `state of` a rule get their start values when it is called."""
    for name, variable in run.world.program.variables.items():
        if variable.node.rule is not None and variable.node.rule.text == rule:
            state.values.pop(("", name), None)


def _act(run: Run, state: State, frame: Frame, routine: Routine, version: int) -> State | None:
    """The rows of an action table: any of them, as its inputs decide."""
    table = routine.versions[version].node
    if not isinstance(table, nodes.Table):
        return state
    env = env_of(run, state, frame)
    reads: frozenset[Read] = frozenset().union(
        *(evaluate(env, each).reads for each in table.header.inputs)
    )
    newest = version == len(routine.versions) - 1
    before = [rows.node.rows for rows in routine.rows if newest]
    after: State | None = None
    for rows in (*before, table.rows):
        for row in rows:
            if isinstance(row, nodes.Row):
                way = _execute_apart(run, copy_state(state), frame, row.body, reads)
                after = join_states(after, way, f"{table.span.start}/{frame.path}")
    _meet(run)
    return after


# ---- Statements ----------------------------------------------------------------------------------


def _execute(run: Run, state: State, frame: Frame, body: nodes.Body) -> State | None:
    """The state after a body, or `None` if what follows it is not reached."""
    now: State | None = state
    for statement in statements_of(body):
        if now is None:
            return None
        now = _do(run, now, frame, statement)
    return now


def _do(run: Run, state: State, frame: Frame, node: nodes.Statement) -> State | None:
    match node:
        case nodes.Perform(call):
            return _perform(run, state, frame, call)[0]
        case nodes.If():
            return _branch(run, state, frame, node)
        case nodes.For() | nodes.Repeat():
            return _loop(run, state, frame, node)
        case nodes.Return() | nodes.Stop() | nodes.End():
            _leave(run, state, frame, node)
            return None
        case nodes.Assign():
            return _assign(run, state, frame, node)
        case nodes.Choose() | nodes.MayChoose() | nodes.Each() | nodes.EachMay():
            judge_choice(run, state, frame, node)
        case nodes.Random(target, options):
            env = env_of(run, state, frame)
            base = choose_from(env, options, target.name.text)
            give(env, target, taken(env, base, target, options))
        case nodes.Move(pieces, _, zone):
            env = env_of(run, state, frame)
            places = (lot.place for lot in evaluate(env, zone).lots)
            goals = frozenset(Place(place.zone, place.indices) for place in places)
            moved = evaluate(env, pieces).lots
            relocate(run.world.facts, state, moved, goals, f"{node.span.start}/{frame.path}")
        case nodes.Shuffle(zone):
            for lot in evaluate(env_of(run, state, frame), zone).lots:
                forget(run.world.facts, state, lot.place)
                state.versions[lot.place.zone] = f"{node.span.start}/{frame.path}"
        case nodes.Show(pieces, players):
            env = env_of(run, state, frame)
            teach(state, evaluate(env, pieces).lots, audience_of(env, players))
        case nodes.Reveal(pieces):
            teach(state, evaluate(env_of(run, state, frame), pieces).lots, EVERYONE)
        case nodes.Nothing():
            pass
        case _:
            assert_never(node)
    return state


def _perform(run: Run, state: State, frame: Frame, call: nodes.Call) -> tuple[State | None, Value]:
    env = env_of(run, state, frame)
    arguments = tuple(evaluate(env, argument) for argument in call.arguments)
    if call.function.text == "super" and frame.below is not None:
        routine, number = frame.below
        return _call(run, state, frame, Invocation(routine, arguments, call.span, number))
    called = run.world.program.routines.get(call.function.text)
    if called is None:
        return state, PLAIN
    return _call(run, state, frame, Invocation(called, arguments, call.span))


# ---- Ways through --------------------------------------------------------------------------------


def _branch(run: Run, state: State, frame: Frame, node: nodes.If) -> State | None:
    env = env_of(run, state, frame)
    reads = evaluate(env, node.condition).reads
    site = f"{node.span.start}/{frame.path}"
    ways: list[State | None] = []
    otherwise = node.otherwise.body if node.otherwise else None
    for body, holds in ((node.body, True), (otherwise, False)):
        way = copy_state(state)
        way.apart |= facts_of(env, node.condition, holds=holds)
        ways.append(way if body is None else _execute_apart(run, way, frame, body, reads))
    _meet(run)
    return join_states(ways[0], ways[1], site)


def _execute_apart(
    run: Run, state: State, frame: Frame, body: nodes.Body, reads: frozenset[Read]
) -> State | None:
    """One of several ways: where it leaves a block counts only after all of them."""
    before = [(scope.reads, scope.later) for scope in run.scopes]
    for scope in run.scopes:
        scope.later = frozenset()
    run.scopes.append(Scope("branch", reads))
    after = _execute(run, state, frame, body)
    run.scopes.pop()
    for scope, (known, later) in zip(run.scopes, before, strict=True):
        scope.later = later | (scope.reads - known)
        scope.reads = known
    return after


def _meet(run: Run) -> None:
    """Several ways come together."""
    for scope in run.scopes:
        scope.reads |= scope.later
        scope.later = frozenset()


def _loop(run: Run, state: State, frame: Frame, node: nodes.For | nodes.Repeat) -> State | None:
    """The body of a loop: once, and once more if the first turn has changed what is known."""
    site = f"{node.span.start}/{frame.path}"
    env = env_of(run, state, frame)
    if isinstance(node, nodes.For):
        values = choose_from(env, node.values, node.name.text)
    else:
        values = evaluate(env, node.times) if node.times is not None else PLAIN
    start = state
    exposed = read_first(node.body)
    scope = Scope("loop")
    run.scopes.append(scope)
    for turn in ("", "'"):
        now = copy_state(start)
        scope.reads |= values.reads
        if isinstance(node, nodes.For):
            element = element_of(_turn(env, now, turn), values, node.name.text, node.span)
            if element.term is not None:
                scope.reads = (scope.reads - values.reads) | rename_reads(
                    values.reads, values.element, element.term
                )
            now.values[frame.path or "0", node.name.text] = element
        after = _execute(run, now, frame, node.body)
        if isinstance(node, nodes.For) and after is not None:
            after.values.pop((frame.path or "0", node.name.text), None)
        before, start = start, join_states(start, after, site) or start
        if _settled(before, start, frame, exposed):
            break
    run.scopes.pop()
    if isinstance(node, nodes.For) and after is not None and not scope.exits:
        sum_up(state, after, start, frame, node)
    exits: State | None = None
    for each in scope.exits:
        exits = join_states(exits, each, site)
    if isinstance(node, nodes.Repeat) and node.times is None:
        publish(run, start)
        return exits
    return join_states(start, exits, site)


def _settled(before: State, after: State, frame: Frame, exposed: frozenset[str]) -> bool:
    """Whether another turn of a loop would begin with what the last one began with."""
    mine = frame.path or "0"
    return (
        before.known == after.known
        and before.apart == after.apart
        and all(
            slot[0] == mine and slot[1] not in exposed
            for slot, value in after.values.items()
            if before.values.get(slot) != value
        )
    )


def _turn(env: Env, state: State, turn: str) -> Env:
    return evolve(env, state=state, path=env.path + turn)


def _leave(
    run: Run, state: State, frame: Frame, node: nodes.Return | nodes.Stop | nodes.End
) -> None:
    """Leave a loop, a procedure or the game: what decided this decides what follows there."""
    kind = {nodes.Return: "call", nodes.Stop: "loop", nodes.End: "root"}[type(node)]
    value = PLAIN
    if isinstance(node, nodes.Return) and node.value is not None:
        value = evaluate(env_of(run, state, frame), node.value)
    reads: frozenset[Read] = frozenset()
    for scope in reversed(run.scopes):
        if scope.kind in (kind, "root"):
            scope.reads |= reads
            scope.exits.append(copy_state(state))
            if isinstance(node, nodes.Return) and node.value is not None:
                tainted = evolve(value, reads=value.reads | reads)
                site = f"{frame.path} returns"
                before = scope.result
                scope.result = tainted if before is None else join_values(before, tainted, site)
            break
        reads |= scope.reads


# ---- Values given --------------------------------------------------------------------------------


def _assign(run: Run, state: State, frame: Frame, node: nodes.Assign) -> State | None:
    program = run.world.program
    called = node.value.function.text if isinstance(node.value, nodes.Call) else ""
    routine = program.routines.get(called)
    if called == "super" and frame.below is not None:
        routine = frame.below[0]
    if isinstance(node.value, nodes.Call) and routine is not None and routine.kind == "procedure":
        returned, value = _perform(run, state, frame, node.value)
        if returned is None:
            return None
        after = returned
    else:
        after, value = state, evaluate(env_of(run, state, frame), node.value)
    name, keys = spine(node.target)
    if name is None:
        return after
    if node.operator != "=":
        value = join_values(value, evaluate(env_of(run, after, frame), node.target), "sum")
        value = evolve(value, lots=frozenset(), term=None)
    if name in program.variables:
        secrets = hidden(after, value.reads | reasons(run, around=True))
        if secrets:
            after.pending[name, node.span] = secrets
            run.makers[node.span] = tuple(run.calls)
        store(env_of(run, after, frame), name, keys, value)
        return after
    since: frozenset[Read] = frozenset()
    for scope in reversed(run.scopes):
        if scope.kind == "call":
            break
        since |= scope.reads
    tainted = evolve(value, reads=value.reads | since, family=None)
    after.values[frame.path or "0", name] = traced(tainted, name, node.span)
    return after
