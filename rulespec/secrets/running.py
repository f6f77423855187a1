"""A rule of the core and a state -> the state after it, with leaks reported on the way.

The check follows every call, both ways of every branch, loops until nothing changes any more, and triggers after
every step that may fire them.
"""

from collections.abc import Callable
from typing import assert_never

from attrs import evolve

from rulespec.core import tree
from rulespec.core.tree import Op
from rulespec.limits import MOST_FOLLOWED
from rulespec.secrets.assigning import assign_value, forget_variable
from rulespec.secrets.assumptions import learn_from_condition
from rulespec.secrets.check_run import Run, Scope, TooLargeError, Touched, Turns
from rulespec.secrets.choices import follow_choice, follow_draw, follow_each
from rulespec.secrets.computing import plain_rule
from rulespec.secrets.disclosing import asks_nobody, discloses, tells_apart
from rulespec.secrets.elements import own_guard
from rulespec.secrets.exposing import Step, expose, publish
from rulespec.secrets.facts import forget_newer, identity, teach, trim
from rulespec.secrets.joining import Way, hold_to, join_states, join_values, told_value
from rulespec.secrets.knowledge import (
    NOTHING,
    Call,
    Key,
    Sources,
    State,
    Value,
    copy_state,
)
from rulespec.secrets.loop_bodies import expected_changes, exposed_slots
from rulespec.secrets.loops import (
    Loop,
    begin_with,
    changes_of,
    has_settled,
    lays_more,
    sum_up,
    turn_of,
    widen,
)
from rulespec.secrets.parts import Env, asked_by, pattern_reads
from rulespec.secrets.reading import evaluate, sources_of
from rulespec.secrets.steps import (
    follow_announce,
    follow_move,
    follow_show,
    follow_shuffle,
    follow_tell,
)
from rulespec.secrets.watched import watched_triggers
from rulespec.secrets.ways_apart import follow_way, leave_scope, merge_scopes
from rulespec.source import Span

MOST_TURNS = 50  # within which a loop must settle
PATIENT = 2  # turns in which a loop may delay disclosing what a step revealed


def run_rule(
    run: Run, state: State, name: str, arguments: tuple[Value, ...], span: Span | None
) -> tuple[State | None, Value | None]:
    """The state after a call of a rule, and what it returns."""
    block = run.core.blocks[name]
    run.frames += 1
    frame = run.frames
    for place, value in enumerate(arguments):
        state.slots[frame, place] = value
    run.calls.append(Call(name, block.origin.span.source in run.mechanisms, span))
    scope = Scope("call")
    run.scopes.append(scope)
    after = execute(run, state, frame, block.body)
    run.scopes.pop()
    run.calls.pop()
    result: Value | None = None
    for left, given in scope.exits:
        if given is not None:
            own = told_value(run, left, given)
            result = own if result is None else join_values(run, result, own, scope.reads)
        after = join_states(run, after, left, scope.reads)
    if after is not None:
        for slot in [each for each in after.slots if each[0] == frame]:
            del after.slots[slot]
        prefix = f"slot {frame} "
        for member in [each for each in after.members if each[0].startswith(prefix)]:
            del after.members[member]
    return after, result


def execute(run: Run, state: State, frame: int, body: tree.Body) -> State | None:
    """The state after a body, or `None` if its end is never reached."""
    now: State | None = state
    for statement in body:
        if now is None:
            return None
        now.memo.clear()
        run.work += 1
        if run.work > MOST_FOLLOWED:
            raise TooLargeError(statement.origin.span)
        now = _do(run, now, frame, statement)
    return now


def _do(run: Run, state: State, frame: int, node: tree.Statement) -> State | None:
    env = Env(run, state, frame)
    match node:
        case tree.Assign(target, value):
            found = evaluate(env, value)
            return _step(env, lambda: assign_value(env, target, found, node.origin.span))
        case tree.If():
            return _branch(run, state, frame, node)
        case tree.For() | tree.Repeat():
            return _loop(run, state, frame, node)
        case tree.Stop():
            leave_scope(run, state, "loop", None)
            return None
        case tree.Return(value):
            leave_scope(run, state, "call", None if value is None else evaluate(env, value))
            return None
        case tree.End():
            leave_scope(run, state, "root", None)
            return None
        case tree.Clear(slots):
            for slot in slots:
                state.slots.pop((frame, slot), None)
            return state
        case tree.Move():
            return _step(env, lambda: follow_move(env, node))
        case tree.Shuffle(zone):
            return _step(env, lambda: follow_shuffle(env, zone, node.origin.span))
        case tree.Show():
            return _step(env, lambda: follow_show(env, node))
        case tree.Announce():
            return _step(env, lambda: follow_announce(env, node))
        case tree.Tell():
            return _step(env, lambda: follow_tell(env, node))
        case tree.Draw():
            return _step(env, lambda: follow_draw(env, node))
        case tree.Choose():
            return _step(env, lambda: follow_choice(env, node))
        case tree.Each():
            return _step(env, lambda: follow_each(env, node))
        case tree.Call():
            return _call(env, node)
        case tree.Enter():
            return _enter(run, state, frame, node)
        case _:
            assert_never(node)


def _call(env: Env, node: tree.Call) -> State | None:
    run, state = env.run, env.state
    arguments = tuple(evaluate(env, each) for each in node.arguments)
    reset = frozenset(
        name for name, row in run.variables.items() if row.rule and row.rule == node.resets
    )
    now: State | None = state
    if reset:
        now = _step(env, lambda: _change_variables(env, reset, NOTHING, node.origin.span))
    if now is None:
        return None
    changed = plain_rule(run, node.block)
    if changed is not None:
        return _call_plain(evolve(env, state=now), node, changed, arguments)
    after, result = run_rule(run, now, node.block, arguments, node.origin.span)
    if after is not None and node.into is not None and result is not None:
        after.slots[env.frame, node.into] = result
    return after


def _call_plain(
    env: Env, node: tree.Call, changed: frozenset[str], arguments: tuple[Value, ...]
) -> State | None:
    """Call a rule that only computes: its variables and its result depend on its arguments."""
    run, state = env.run, env.state
    told: Sources = NOTHING
    for value in arguments:
        told |= identity(run, state, value, node.origin.span)
    if node.into is not None:
        state.slots[env.frame, node.into] = Value(run.keys.fresh(node.block), told, told)
    return _step(env, lambda: _change_variables(env, changed, told, node.origin.span))


def _change_variables(env: Env, names: frozenset[str], told: Sources, span: Span) -> Touched:
    """Give variables new values that depend on `told`; all who see a variable learn something about `told`."""
    for name in sorted(names):
        if env.run.variables[name].seen_by != "nobody":
            expose(env, Step("variable", name, span), told)
        forget_variable(env.run, env.state, name)
    return Touched(names)


def _enter(run: Run, state: State, frame: int, node: tree.Enter) -> State | None:
    """Follow every row of an action table; its inputs decide which one is taken."""
    env = Env(run, state, frame)
    which: Sources = NOTHING
    keys: list[Key] = []
    for number, each in enumerate(node.inputs):
        patterns = [patterns[number] for patterns, _ in node.rows]
        value = evaluate(env, each)
        keys.append(value.key)
        which |= pattern_reads(run, state, value, patterns, each.span)
    which = trim(run, state, which)
    blocks = [run.core.blocks[name] for _, name in node.rows]
    told = tells_apart(run, [(block.name, block.body) for block in blocks])
    ways: list[Way] = []
    for block in blocks:
        arguments = tuple(evaluate(env, Op("slot", place=n)) for n in range(block.params))

        def enter(
            way: State, block: tree.Block = block, arguments: tuple[Value, ...] = arguments
        ) -> State | None:
            return run_rule(run, way, block.name, arguments, node.origin.span)[0]

        others = asks_nobody(run, (each.body for each in blocks if each is not block))
        scope = Scope("branch", which, told, alone=others, tests=tuple(keys))
        ways.append(follow_way(run, copy_state(state), enter, scope))
    merge_scopes(run)
    hold_to(run, ways, 1)
    after: State | None = None
    for way in ways:
        after = join_states(run, after, way.end, which)
    return after


def _branch(run: Run, state: State, frame: int, node: tree.If) -> State | None:
    env = Env(run, state, frame, memo={})
    condition = evaluate(env, node.condition)
    which = asked_by(node.condition, trim(run, state, condition.which))
    key, flipped = condition.key, False
    while key.head == "not" and isinstance(key.parts[1], Key):
        key, flipped = key.parts[1], not flipped
    rule = run.calls[-1].name
    told = tells_apart(run, [(rule, node.body), (rule, node.otherwise or ())])
    found: list[Way] = []
    for body, other, holds in (
        (node.body, node.otherwise, True),
        (node.otherwise, node.body, False),
    ):
        way = copy_state(state)
        learn_from_condition(env, way, node.condition, holds=holds)
        for fact, audience in state.implied.get((key, holds != flipped), ()):
            teach(run, way, fact, audience)
        if body is None:
            found.append(Way(way, [way]))
            continue

        def follow(way: State, body: tree.Body = body) -> State | None:
            return execute(run, way, frame, body)

        scope = Scope(
            "branch", which, told, alone=asks_nobody(run, [other or ()]), tests=(condition.key,)
        )
        found.append(follow_way(run, way, follow, scope))
    merge_scopes(run)
    hold_to(run, found, 1)
    ways = [each.end for each in found]
    after = join_states(run, ways[0], ways[1], which)
    if after is not None and None not in ways:
        for met, holds in zip(ways, (True, False), strict=True):
            facts = frozenset(
                (fact, audience)
                for fact, audience in ({} if met is None else met.known).items()
                if (kept := after.known.get(fact)) is not audience and kept != audience
            )
            if facts:
                place = (key, holds != flipped)
                after.implied[place] = after.implied.get(place, frozenset()) | facts
    return after


def _loop(run: Run, state: State, frame: int, node: tree.For | tree.Repeat) -> State | None:
    """Follow the body of a loop until another turn would begin in the same state as the last one."""
    env = Env(run, state, frame)
    values = evaluate(env, node.values) if isinstance(node, tree.For) else None
    decides = trim(run, state, _turns_decided_by(env, node, values))
    mark = run.keys.count
    phi = run.keys.fresh("loop")
    loop = Loop(run, frame, mark, phi, decides, state)
    # What this loop changed when it was followed before will change again: begin with that.
    head = begin_with(loop, state, expected_changes(env, node))
    looked_at = exposed_slots(run, node)
    scope = Scope("loop", told=discloses(run, run.calls[-1].name, node.body))
    run.scopes.append(scope)
    is_inner = any(each.kind == "loop" for each in run.scopes[:-1])
    left: Sources = NOTHING  # what decided that no earlier turn left the loop
    for turns in range(MOST_TURNS):
        now = copy_state(head)
        scope.exits.clear()
        scope.trusted.clear()
        run.has_laid &= is_inner
        element, own = _begin_turn(evolve(env, state=now), node, values, decides)
        scope.reads = left | own
        scope.since = NOTHING
        scope.asked.clear()
        scope.turns = Turns(None if element is None else element.key, phi, mark)
        around = [each.reads for each in run.scopes[:-1]]
        after = execute(run, now, frame, node.body)
        ends = [each for each in (after, *(left for left, _ in scope.exits)) if each is not None]
        hold_to(run, [Way(after, ends, scope.trusted)], 0)
        if after is not None and isinstance(node, tree.For):
            after.slots.pop((frame, node.into), None)
        entry, before = head, left
        if after is not None:
            for each, reads in zip(run.scopes, around, strict=False):
                each.reads = reads | forget_newer(run, after, each.reads - reads, mark)
            left |= forget_newer(run, after, scope.reads - own, mark)
            loop.decides = left | forget_newer(run, after, decides, mark)
            head = widen(loop, state, head, after)
            if turns >= PATIENT and head.pending:  # no turn discloses it, so each turn reveals it
                publish(run, head)
        run.has_laid |= lays_more(entry, head)
        # The steps of a turn also reveal what decided that the turn is reached and that nothing was left for good.
        is_settled = left == before and around == [each.reads for each in run.scopes[:-1]]
        is_settled = is_settled and has_settled(
            entry, head, frame, None if scope.exits else looked_at
        )
        if is_settled and (is_inner or not run.has_laid):
            break
    else:
        raise TooLargeError(node.origin.span)
    run.scopes.pop()
    leaving = scope.reads | decides
    run.changes[id(node)] = changes_of(state, head, frame)
    is_plain = values is not None and not (values.parts or decides or scope.exits)
    if is_plain and values is not None and element is not None and after is not None:
        sum_up(loop, after, head, element.key, values)
    return _after_loop(run, node, head, scope, leaving)


def _after_loop(
    run: Run, node: tree.For | tree.Repeat, head: State, scope: Scope, leaving: Sources
) -> State | None:
    """The state after a loop: that of its last turn, or those in which it is left."""
    exits: State | None = None
    for way, _ in scope.exits:
        exits = join_states(run, exits, way, leaving)
    if isinstance(node, tree.Repeat) and node.times is None:
        publish(run, head)
        return exits
    return join_states(run, copy_state(head), exits, leaving)


def _turns_decided_by(env: Env, node: tree.For | tree.Repeat, values: Value | None) -> Sources:
    """What decides how many turns a loop has."""
    if values is not None:
        return values.which | values.size
    times = node.times if isinstance(node, tree.Repeat) else None
    return NOTHING if times is None else asked_by(times, sources_of(env, times))


def _begin_turn(
    env: Env, node: tree.For | tree.Repeat, values: Value | None, decides: Sources
) -> tuple[Value | None, Sources]:
    """The element whose turn it is, if there is one, and what decides that it has a turn."""
    if not isinstance(node, tree.For) or values is None:
        return None, decides
    element = turn_of(env, values, node)
    env.state.slots[env.frame, node.into] = element
    if values.parts or not values.guard:
        return element, decides
    return element, asked_by(node.values, own_guard(env.run, values, element.key))


def _step(env: Env, do: Callable[[], Touched]) -> State | None:
    """Take a step, and fire the triggers that it may fire."""
    run, state = env.run, env.state
    if not run.in_play or not run.core.triggers:
        do()
        return state
    before = {
        trigger.block: evaluate(env, trigger.condition).which
        for trigger in run.core.triggers
        if trigger.block not in run.firing
    }
    known = dict(state.known)
    touched = do()
    state.memo.clear()
    if not touched.several or not watched_triggers(run, touched):
        return _fire(env, touched, before)
    # A trigger may fire between two pieces of a move, when not all of them have been seen yet.
    middle = copy_state(state)
    for zone in touched.zones:
        middle.writes[zone] = ((None, run.keys.fresh(zone)),)
    middle.known = known
    fired = _fire(evolve(env, state=middle), touched, before)
    if fired is not None:
        for fact, audience in state.known.items():
            if known.get(fact) != audience:
                teach(run, fired, fact, audience)
    return join_states(run, state, fired, NOTHING)


def _fire(env: Env, touched: Touched, before: dict[str, Sources]) -> State | None:
    """Follow the triggers that a step may have fired; each may fire or not."""
    run = env.run
    now: State | None = env.state
    for trigger in watched_triggers(run, _fire_plain(env, touched, before)):
        if now is None:
            return None
        if plain_rule(run, trigger.block) is not None:
            continue
        now.memo.clear()
        condition = evaluate(evolve(env, state=now), trigger.condition)
        which = trim(run, now, condition.which | before.get(trigger.block, NOTHING))
        now = _run_trigger(run, now, trigger, which)
    return now


def _fire_plain(env: Env, touched: Touched, before: dict[str, Sources]) -> Touched:
    """What a step and all triggers that only compute have changed, in whatever order those fire."""
    run = env.run
    fired: set[str] = set()
    while True:
        waiting = [
            each
            for each in watched_triggers(run, touched)
            if each.block not in fired and plain_rule(run, each.block) is not None
        ]
        if not waiting:
            return touched
        for trigger in waiting:
            fired.add(trigger.block)
            env.state.memo.clear()
            which = evaluate(env, trigger.condition).which | before.get(trigger.block, NOTHING)
            changed = plain_rule(run, trigger.block) or frozenset()
            _change_variables(env, changed, which, run.core.blocks[trigger.block].origin.span)
            touched = evolve(touched, variables=touched.variables | changed)


def start_triggers(run: Run, state: State) -> State | None:
    """When `play` begins, fire every trigger whose condition holds."""
    return _fire(Env(run, state, -1), Touched(begins=True), {})


def _run_trigger(run: Run, state: State, trigger: tree.TriggerRow, which: Sources) -> State | None:
    run.firing.append(trigger.block)
    block = run.core.blocks[trigger.block]

    def fire(way: State) -> State | None:
        return run_rule(run, way, trigger.block, (), block.origin.span)[0]

    told = discloses(run, block.name, block.body)
    fired = follow_way(run, copy_state(state), fire, Scope("branch", which, told))
    merge_scopes(run)
    hold_to(run, [fired], 0)
    run.firing.pop()
    return join_states(run, state, fired.end, which)
