"""A rule of the core and a state -> the state after it, with leaks reported on the way.

The check follows every call, both ways of every branch, loops until nothing changes any more, and triggers after
every step that may fire them.
"""

from collections.abc import Callable
from typing import assert_never

from attrs import evolve

from rulespec.core import tree
from rulespec.core.operations import VARYING
from rulespec.core.tree import Op, walk_operations
from rulespec.limits import MOST_FOLLOWED
from rulespec.secrets.choices import choose, draw, each_chooses
from rulespec.secrets.computing import plain_rule
from rulespec.secrets.disclosing import asks_nobody, discloses, tells_apart
from rulespec.secrets.exposing import Step, expose, publish, unexplained, unknown_turns
from rulespec.secrets.facts import (
    Run,
    Scope,
    TooLargeError,
    Touched,
    Turns,
    amounts,
    forget,
    identity,
    knowers,
    teach,
    teach_faces,
    trim,
)
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
from rulespec.secrets.loops import (
    Loop,
    begin_with,
    changes_of,
    expected_changes,
    exposed_slots,
    lays_more,
    settled,
    sum_up,
    turn_of,
    widen,
)
from rulespec.secrets.parts import Env, asked_by, is_optional, own_guard, pattern_reads
from rulespec.secrets.reading import evaluate, read
from rulespec.secrets.steps import announce, forget_variable, give, move, show, shuffle, tell
from rulespec.source import Span

MOST_TURNS = 50  # within which a loop must settle
# Operations that vary, but that no step changes that could fire a trigger, or only a step on a zone they name.
CALM = frozenset({"slot", "bound", "first", "ended", "contents", "gather"})
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
            return _step(env, lambda: give(env, target, found, node.origin.span))
        case tree.If():
            return _branch(run, state, frame, node)
        case tree.For() | tree.Repeat():
            return _loop(run, state, frame, node)
        case tree.Stop():
            _leave(run, state, "loop", None)
            return None
        case tree.Return(value):
            _leave(run, state, "call", None if value is None else evaluate(env, value))
            return None
        case tree.End():
            _leave(run, state, "root", None)
            return None
        case tree.Clear(slots):
            for slot in slots:
                state.slots.pop((frame, slot), None)
            return state
        case tree.Move():
            return _step(env, lambda: move(env, node))
        case tree.Shuffle(zone):
            return _step(env, lambda: shuffle(env, zone, node.origin.span))
        case tree.Show():
            return _step(env, lambda: show(env, node))
        case tree.Announce():
            return _step(env, lambda: announce(env, node))
        case tree.Tell():
            return _step(env, lambda: tell(env, node))
        case tree.Draw():
            return _step(env, lambda: draw(env, node))
        case tree.Choose():
            return _step(env, lambda: choose(env, node))
        case tree.Each():
            return _step(env, lambda: each_chooses(env, node))
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
        ways.append(_apart(run, copy_state(state), enter, scope))
    _meet(run)
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
        _learn(env, way, node.condition, holds=holds)
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
        found.append(_apart(run, way, follow, scope))
    _meet(run)
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


def _learn(env: Env, way: State, condition: Op, *, holds: bool) -> None:
    """Add what follows from whether a condition holds: which values are equal, and which zones are empty."""
    match condition.name:
        case "not":
            _learn(env, way, condition.operands[0], holds=not holds)
        case "and" if holds:
            for each in condition.operands:
                _learn(env, way, each, holds=True)
        case "or" if not holds:
            for each in condition.operands:
                _learn(env, way, each, holds=False)
        case "equal":
            one, other = (evaluate(env, each) for each in condition.operands)
            pair = frozenset((one.key, other.key))
            if len(pair) == 2 and holds:
                way.same |= {pair}
            elif len(pair) == 2 and not any(is_optional(each.type) for each in condition.operands):
                way.apart |= {pair}
            for mine, of in ((one, condition.operands[1]), (other, condition.operands[0])):
                if holds and not is_optional(
                    of.type
                ):  # it is equal to something that exists, so it is not `none`
                    way.apart |= {frozenset((mine.key, env.run.keys.make("literal", "None")))}
            if holds and condition.operands[0].name == "count" and other.key.parts == ("0",):
                _learn_empty(env, way, condition.operands[0].operands[0])
        case "is_none" if not holds:
            none = env.run.keys.make("literal", "None")
            way.apart |= {frozenset((evaluate(env, condition.operands[0]).key, none))}
        case "empty":
            if holds:
                _learn_empty(env, way, condition.operands[0])
            else:
                _learn_some(env, way, condition.operands[0])
        case "greater" | "at_least" if holds and _is_one_or_more(condition):
            _learn_some(env, way, condition.operands[0].operands[0])
        case _:
            pass


def _is_one_or_more(condition: Op) -> bool:
    """Whether a condition says that there is at least one: `#S > 0`, `#S >= 1`."""
    one, other = condition.operands
    least = 0 if condition.name == "greater" else 1
    return one.name == "count" and other.name == "literal" and other.value in range(least, 1000)


def _learn_some(env: Env, way: State, op: Op) -> None:
    """Add that a set that is not empty is not `none`: nobody has declined to choose it."""
    while op.name in {"single", "perhaps", "or_empty", "needed"}:
        op = op.operands[0]
    none = env.run.keys.make("literal", "None")
    way.apart |= {frozenset((evaluate(env, op).key, none))}


def _learn_empty(env: Env, way: State, op: Op) -> None:
    found = evaluate(env, op)
    aware = knowers(env.run, way, amounts(found.size))
    for part in found.parts:
        teach_faces(env.run, way, part, aware)


def _apart(run: Run, state: State, follow: Callable[[State], State | None], branch: Scope) -> Way:
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


def _meet(run: Run) -> None:
    """Merge what several ways have added to the scopes around them."""
    for scope in run.scopes:
        if scope.later or scope.later_since:
            scope.reads |= scope.later
            scope.since |= scope.later_since
            scope.later = scope.later_since = NOTHING


def _leave(run: Run, state: State, kind: str, value: Value | None) -> None:
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


def _loop(run: Run, state: State, frame: int, node: tree.For | tree.Repeat) -> State | None:
    """Follow the body of a loop until another turn would begin in the same state as the last one."""
    env = Env(run, state, frame)
    values: Value | None = None
    if isinstance(node, tree.For):
        values = evaluate(env, node.values)
        decides = values.which | values.size
    else:
        decides = NOTHING
        if node.times is not None:
            decides = asked_by(node.times, read(env, node.times))
    decides = trim(run, state, decides)
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
        own = decides
        element: Value | None = None
        if isinstance(node, tree.For) and values is not None:
            element = turn_of(evolve(env, state=now), values, node)
            now.slots[frame, node.into] = element
            if not values.parts:
                guard = own_guard(run, values, element.key) if values.guard else decides
                own = asked_by(node.values, guard) if values.guard else guard
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
                each.reads = reads | forget(run, after, each.reads - reads, mark)
            left |= forget(run, after, scope.reads - own, mark)
            loop.decides = left | forget(run, after, decides, mark)
            head = widen(loop, state, head, after)
            if turns >= PATIENT and head.pending:  # no turn discloses it, so each turn reveals it
                publish(run, head)
        run.has_laid |= lays_more(entry, head)
        # The steps of a turn also reveal what decided that the turn is reached and that nothing was left for good.
        is_settled = left == before and around == [each.reads for each in run.scopes[:-1]]
        is_settled = is_settled and settled(entry, head, frame, None if scope.exits else looked_at)
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
    exits: State | None = None
    for way, _ in scope.exits:
        exits = join_states(run, exits, way, leaving)
    if isinstance(node, tree.Repeat) and node.times is None:
        publish(run, head)
        return exits
    return join_states(run, copy_state(head), exits, leaving)


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
    if not touched.several or not _watched(run, touched):
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


def _watched(run: Run, touched: Touched) -> list[tree.TriggerRow]:
    """The triggers that a step may fire."""
    zones = touched.zones
    if not zones <= run.zones.keys():  # it may be any zone
        zones = frozenset(run.zones)
    found = []
    for trigger in run.core.triggers:
        if trigger.block not in run.firing:
            names, places = _reads_of(run, trigger)
            if touched.begins or names & touched.variables or places & zones:
                found.append(trigger)
    return found


def _reads_of(run: Run, trigger: tree.TriggerRow) -> tuple[frozenset[str], frozenset[str]]:
    """The variables and zones that the condition of a trigger reads, also inside functions."""
    if trigger.block not in run.watching:
        names: set[str] = set()
        zones: set[str] = set()
        waiting, seen = [trigger.condition], set[str]()
        while waiting:
            for op in walk_operations(waiting.pop()):
                if op.name == "variable":
                    names.add(op.word)
                elif op.name == "zone":
                    zones.add(op.word)
                elif op.name in {"call", "row"}:
                    for name, function in run.core.functions.items():
                        if name not in seen and (name == op.word or name.startswith(f"{op.word}.")):
                            seen.add(name)
                            waiting += [*function.inputs, *(row.cell for row in function.rows)]
                elif op.name in VARYING - CALM:  # it may read anything
                    zones |= run.zones.keys()
                    names |= run.variables.keys()
        run.watching[trigger.block] = (frozenset(names), frozenset(zones))
    return run.watching[trigger.block]


def _fire(env: Env, touched: Touched, before: dict[str, Sources]) -> State | None:
    """Follow the triggers that a step may have fired; each may fire or not."""
    run = env.run
    now: State | None = env.state
    for trigger in _watched(run, _fire_plain(env, touched, before)):
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
            for each in _watched(run, touched)
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
    fired = _apart(run, copy_state(state), fire, Scope("branch", which, told))
    _meet(run)
    hold_to(run, [fired], 0)
    run.firing.pop()
    return join_states(run, state, fired.end, which)
