"""Statements of the core -> what is known after them, and what they tell whom.

Rules are followed call by call, both ways of every branch, loops until nothing changes any more, and triggers after
every step that may fire them. `findings` puts what is wrong into words.
"""

from collections.abc import Callable, Iterable
from typing import assert_never

from attrs import define, evolve

from rulespec.core import tree
from rulespec.core.tree import Op, Target, walk
from rulespec.core.types import Place as ZoneType
from rulespec.diagnostics import Related
from rulespec.secrets.facts import (
    Call,
    Changes,
    Run,
    Scope,
    TooLarge,
    contents,
    contents_key,
    face_key,
    faces,
    forget,
    identity,
    is_pool,
    knowers,
    knows,
    looks,
    may_overlap,
    seers,
    teach,
    teach_faces,
    trim,
)
from rulespec.secrets.facts import turn as turn_by
from rulespec.secrets.findings import Choice, report_choice, report_exposures
from rulespec.secrets.knowledge import (
    EVERYONE,
    NOBODY,
    NOTHING,
    Audience,
    Exposure,
    Key,
    Part,
    Place,
    Source,
    Sources,
    State,
    Value,
    copy_state,
    forget_audience,
    in_reading_order,
    intersect,
    unite,
)
from rulespec.secrets.reading import (
    MOST_WORK,
    Env,
    evaluate,
    hides,
    holds_pieces,
    in_sight,
    is_open,
    is_optional,
    one_of,
    pattern_reads,
    read,
    substitute,
    together,
)
from rulespec.source import Span, text_of

MOST_TURNS = 50  # until a loop must have settled
PATIENT = 2  # turns for which a loop may put off to disclose what a step has told
DEEPEST = 200  # calls


# ---- Rules ---------------------------------------------------------------------------------------


def run_rule(
    run: Run, state: State, name: str, arguments: tuple[Value, ...], span: Span | None
) -> tuple[State | None, Value | None]:
    """The state after a call of a rule, and what it returns."""
    block = run.core.blocks[name]
    if len(run.calls) > DEEPEST:
        raise TooLarge(block.origin.span)
    run.frames += 1
    frame = run.frames
    for place, value in enumerate(arguments):
        state.slots[frame, place] = _named(value, block.slots[place][0], block.origin.span)
    run.calls.append(Call(name, block.origin.span.source in run.mechanisms, span))
    scope = Scope("call")
    run.scopes.append(scope)
    after = execute(run, state, frame, block.body)
    run.scopes.pop()
    run.calls.pop()
    result: Value | None = None
    for left, value in scope.exits:
        if value is not None:
            result = value if result is None else join_values(run, result, value, scope.reads)
        after = join_states(run, after, left, scope.reads)
    if after is not None:
        for slot in [each for each in after.slots if each[0] == frame]:
            del after.slots[slot]
        prefix = f"slot {frame} "
        for member in [each for each in after.members if each[0].startswith(prefix)]:
            del after.members[member]
    return after, result


def _named(value: Value, name: str, span: Span) -> Value:
    return value


def execute(run: Run, state: State, frame: int, body: tree.Body) -> State | None:
    """The state after a body, or `None` if what follows it is not reached."""
    now: State | None = state
    for statement in body:
        if now is None:
            return None
        now.memo.clear()
        run.work += 1
        if run.work > MOST_WORK:
            raise TooLarge(statement.origin.span)
        now = _do(run, now, frame, statement)
    return now


def _do(run: Run, state: State, frame: int, node: tree.Statement) -> State | None:
    env = Env(run, state, frame)
    match node:
        case tree.Assign(target, value):
            found = evaluate(env, value)
            return _give(run, state, frame, target, found, node.origin.span)
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
            return _move(run, state, frame, node)
        case tree.Shuffle(zone):
            return _shuffle(run, state, frame, zone, node.origin.span)
        case tree.Show():
            return _show(run, state, frame, node)
        case tree.Announce():
            return _announce(run, state, frame, node)
        case tree.Draw():
            return _draw(run, state, frame, node)
        case tree.Choose():
            return _choose(run, state, frame, node)
        case tree.Each():
            return _each(run, state, frame, node)
        case tree.Call():
            return _call(run, state, frame, node)
        case tree.Enter():
            return _enter(run, state, frame, node)
        case _:
            assert_never(node)


def _call(run: Run, state: State, frame: int, node: tree.Call) -> State | None:
    env = Env(run, state, frame)
    arguments = tuple(evaluate(env, each) for each in node.arguments)
    now: State | None = state
    reset = {name for name, row in run.variables.items() if row.rule and row.rule == node.resets}
    if reset:
        before = _condition_before(run, state, reset, set())
        for name in sorted(reset):
            _forget_variable(run, state, name)
            _expose(run, state, "variable", name, node.origin.span, NOTHING)
        now = _fire(run, state, reset, set(), before)
    if now is None:
        return None
    plain = _plain(run, node.block)
    if plain is not None:
        return _call_plain(run, now, frame, node, plain, arguments)
    after, result = run_rule(run, now, node.block, arguments, node.origin.span)
    if after is not None and node.into is not None and result is not None:
        after.slots[frame, node.into] = result
    return after


def _call_plain(  # noqa: PLR0913, PLR0917
    run: Run,
    state: State,
    frame: int,
    node: tree.Call,
    plain: frozenset[str],
    arguments: tuple[Value, ...],
) -> State | None:
    """A rule that only computes: its variables, and what it returns, depend on its arguments."""
    told: Sources = NOTHING
    for value in arguments:
        told |= identity(run, state, value, node.origin.span)
    before = _condition_before(run, state, set(plain), set())
    for name in sorted(plain):
        _expose(run, state, "variable", name, node.origin.span, told)
        _forget_variable(run, state, name)
    if node.into is not None:
        name = run.core.blocks[node.block].slots[0][0] if arguments else node.block
        state.slots[frame, node.into] = Value(run.keys.fresh(name), told, told)
    return _fire(run, state, set(plain), set(), before)


def _plain(run: Run, name: str) -> frozenset[str] | None:
    """The variables that a rule changes, if all that it does is to compute from variables and arguments."""
    if name not in run.plain_rules:
        block = run.core.blocks[name]
        typed = all(type_ is None or not hides(type_) for _, type_ in block.slots)
        run.plain_rules[name] = _plain_body(run, block.body) if typed else None
    return run.plain_rules[name]


def _plain_body(run: Run, body: tree.Body) -> frozenset[str] | None:
    names: set[str] = set()
    inner: frozenset[str] | None
    for node in body:
        match node:
            case tree.Assign(target, value):
                if hides(target.type) or not is_open(value, *target.indices):
                    return None
                names |= set() if target.variable is None else {target.variable}
            case tree.Call(block, arguments):
                inner = _plain(run, block)
                if inner is None or not is_open(*arguments):
                    return None
                names |= inner
                names |= {
                    row.name for row in run.core.variables if row.rule == node.resets and row.rule
                }
            case tree.If(condition, then, otherwise):
                for each in (then, otherwise or ()):
                    inner = _plain_body(run, each)
                    if inner is None or not is_open(condition):
                        return None
                    names |= inner
            case tree.For() | tree.Repeat():
                inner = _plain_body(run, node.body)
                over = node.values if isinstance(node, tree.For) else node.times
                if inner is None or (over is not None and not is_open(over)):
                    return None
                names |= inner
            case tree.Return(value):
                if value is not None and not is_open(value):
                    return None
            case tree.Stop() | tree.Clear():
                pass
            case tree.Enter() | tree.Move() | tree.Shuffle() | tree.Show() | tree.Draw():
                return None
            case tree.Announce() | tree.Choose() | tree.Each() | tree.End():
                return None
            case _:
                assert_never(node)
    return frozenset(names)


def _enter(run: Run, state: State, frame: int, node: tree.Enter) -> State | None:
    """The rows of an action table: any of them, as its inputs decide."""
    env = Env(run, state, frame)
    which: Sources = NOTHING
    for number, each in enumerate(node.inputs):
        patterns = [patterns[number] for patterns, _ in node.rows]
        which |= pattern_reads(run, state, evaluate(env, each), patterns, each.span)
    which = trim(run, state, which)
    blocks = [run.core.blocks[name] for _, name in node.rows]
    told = frozenset[str]().union(*(_discloses(run, block.name, block.body) for block in blocks))
    ways: list[State | None] = []
    for block in blocks:
        arguments = tuple(evaluate(env, Op("slot", place=n)) for n in range(block.params))

        def enter(
            way: State, block: tree.Block = block, arguments: tuple[Value, ...] = arguments
        ) -> State | None:
            return run_rule(run, way, block.name, arguments, node.origin.span)[0]

        ways.append(_apart(run, copy_state(state), enter, which, told=told))
    _meet(run)
    after: State | None = None
    for way in ways:
        after = join_states(run, after, way, which)
    return after


# ---- Ways through --------------------------------------------------------------------------------


def _branch(run: Run, state: State, frame: int, node: tree.If) -> State | None:
    if node.body == node.otherwise:
        read(Env(run, state, frame), node.condition)
        return execute(run, state, frame, node.body)
    env = Env(run, state, frame)
    condition = evaluate(env, node.condition)
    which = trim(run, state, condition.which)
    key, flipped = condition.key, False
    while key.head == "not" and isinstance(key.parts[1], Key):
        key, flipped = key.parts[1], not flipped
    rule = run.calls[-1].name
    told = _discloses(run, rule, node.body) | _discloses(run, rule, node.otherwise or ())
    ways: list[State | None] = []
    for body, holds in ((node.body, True), (node.otherwise, False)):
        way = copy_state(state)
        _learn(evolve(env, state=way), node.condition, holds=holds)
        for fact, audience in state.implied.get((key, holds != flipped), ()):
            teach(run, way, fact, audience)
        if body is None:
            ways.append(way)
            continue

        def follow(way: State, body: tree.Body = body) -> State | None:
            return execute(run, way, frame, body)

        ways.append(_apart(run, way, follow, which, told=told))
    _meet(run)
    after = join_states(run, ways[0], ways[1], which)
    if after is not None and None not in ways:
        for way, holds in zip(ways, (True, False), strict=True):
            facts = frozenset(
                (fact, audience)
                for fact, audience in (way.known.items() if way else ())
                if after.known.get(fact) != audience
            )
            if facts:
                place = (key, holds != flipped)
                after.implied[place] = after.implied.get(place, frozenset()) | facts
    return after


def _learn(env: Env, condition: Op, *, holds: bool) -> None:
    """What follows from a condition that holds, or does not: players that are one, zones that are empty."""
    state = env.state
    match condition.name:
        case "not":
            _learn(env, condition.operands[0], holds=not holds)
        case "and" if holds:
            for each in condition.operands:
                _learn(env, each, holds=True)
        case "or" if not holds:
            for each in condition.operands:
                _learn(env, each, holds=False)
        case "equal":
            one, other = (evaluate(env, each) for each in condition.operands)
            pair = frozenset((one.key, other.key))
            if len(pair) == 2 and holds:
                state.same |= {pair}
            elif len(pair) == 2 and not any(is_optional(each.type) for each in condition.operands):
                state.apart |= {pair}
            if holds and condition.operands[0].name == "count" and other.key.parts == ("0",):
                _learn_empty(env, condition.operands[0].operands[0])
        case "is_none" if not holds:
            none = env.run.keys.make("literal", "None")
            state.apart |= {frozenset((evaluate(env, condition.operands[0]).key, none))}
        case "empty" if holds:
            _learn_empty(env, condition.operands[0])
        case _:
            pass


def _learn_empty(env: Env, op: Op) -> None:
    for part in evaluate(env, op).parts:
        teach_faces(env.run, env.state, part, EVERYONE)


def _apart(
    run: Run,
    state: State,
    follow: Callable[[State], State | None],
    reads: Sources,
    *,
    told: frozenset[str],
) -> State | None:
    """One of several ways: where it leaves a block counts only after all of them."""
    before = [(scope.reads, scope.later) for scope in run.scopes]
    for scope in run.scopes:
        scope.later = NOTHING
    run.scopes.append(Scope("branch", reads, told))
    after = follow(state)
    run.scopes.pop()
    for scope, (known, later) in zip(run.scopes, before, strict=True):
        scope.later = later | (scope.reads - known)
        scope.reads = known
    return after


def _meet(run: Run) -> None:
    """Several ways come together."""
    for scope in run.scopes:
        scope.reads |= scope.later
        scope.later = NOTHING


def _leave(run: Run, state: State, kind: str, value: Value | None) -> None:
    """Leave a loop, a rule or the game: what decided this decides what follows there."""
    reads: Sources = NOTHING
    for scope in reversed(run.scopes):
        if scope.kind in (kind, "root"):
            scope.reads |= reads
            if value is not None and reads:
                value = evolve(value, which=value.which | reads, size=value.size | reads)
            scope.exits.append((copy_state(state), value))
            return
        reads |= scope.reads


def _discloses(run: Run, rule: str, body: tree.Body) -> frozenset[str]:
    """The zones and locals whose pieces a body, whenever it is reached, shows to everyone; `*` if it asks or ends."""
    found = run.disclosed.get(id(body))
    if found is None:
        told = (_tells(run, rule, each) for each in body)
        found = run.disclosed[id(body)] = frozenset[str]().union(*told)
    return found


def _tells(run: Run, rule: str, node: tree.Statement) -> frozenset[str]:
    match node:
        case tree.Choose() | tree.Each():
            return frozenset() if node.may else frozenset({"*"})
        case tree.End():
            return frozenset({"*"})
        case tree.Show(pieces, players) if players.name == "seats":
            return _mentioned(run, rule, pieces)
        case tree.Announce(_, players):
            return frozenset({"*"}) if players.name == "seats" else frozenset()
        case tree.Move(_, pieces, zone) if (
            zone.name == "zone" and seers(run, Place(zone.word)).everyone
        ):
            return _mentioned(run, rule, pieces)
        case tree.Call(block):
            return _discloses(run, block, run.core.blocks[block].body)
        case tree.Enter(_, rows):
            told = [_discloses(run, name, run.core.blocks[name].body) for _, name in rows]
            return frozenset.intersection(*told) if told else frozenset()
        case tree.If(_, body, otherwise):
            return _discloses(run, rule, body) & _discloses(run, rule, otherwise or ())
        case tree.For() | tree.Repeat() | tree.Stop() | tree.Return() | tree.Clear():
            return frozenset()
        case tree.Shuffle() | tree.Draw() | tree.Assign() | tree.Show() | tree.Move():
            return frozenset()
        case _:
            assert_never(node)


def _mentioned(run: Run, rule: str, pieces: Op) -> frozenset[str]:
    """The zones and locals that an expression names."""
    names = set()
    for op in walk(pieces):
        if op.name == "zone":
            names.add(op.word)
        elif op.name == "slot":
            slots = run.core.blocks[rule].slots
            if op.place < len(slots):
                names.add(slots[op.place][0])
    return frozenset(names)


# ---- Loops ---------------------------------------------------------------------------------------


def _loop(run: Run, state: State, frame: int, node: tree.For | tree.Repeat) -> State | None:
    """A loop: its body is followed until another turn would begin with what the last one began with."""
    env = Env(run, state, frame)
    values: Value | None = None
    if isinstance(node, tree.For):
        values = evaluate(env, node.values)
        decides = values.which | values.size
    else:
        decides = read(env, node.times) if node.times is not None else NOTHING
    decides = trim(run, state, decides)
    mark = run.keys.count
    phi = run.keys.fresh("loop")
    loop = Loop(run, frame, mark, phi, decides)
    # What another walk through this loop has changed will be changed again: begin with that.
    known = run.changes.get(id(node))
    head = _changed(loop, state, _guess(run, node.body) if known is None else known)
    exposed = _exposed(run, node)
    scope = Scope("loop", told=_discloses(run, run.calls[-1].name, node.body))
    run.scopes.append(scope)
    left: Sources = NOTHING  # what decided that nothing has left the loop before
    for turns in range(MOST_TURNS):
        now = copy_state(head)
        scope.exits.clear()
        own = decides
        element: Value | None = None
        if isinstance(node, tree.For) and values is not None:
            element = _turn_of(evolve(env, state=now), values, node)
            now.slots[frame, node.into] = element
            if values.guard is not None and not values.parts:
                own = substitute(
                    run, Value(phi, values.guard[1]), values.guard[0], element.key
                ).which
        scope.reads = left | own
        after = execute(run, now, frame, node.body)
        entry = head
        if after is not None:
            left |= forget(run, after, scope.reads - own, mark)
            loop.decides = left | forget(run, after, decides, mark)
            head = _widen(loop, state, head, after)
            if turns >= PATIENT and head.pending:  # nobody discloses it: it is told in every turn
                _publish(run, head)
        if _settled(entry, head, frame, None if scope.exits else exposed):
            break
    else:
        raise TooLarge(node.origin.span)
    run.scopes.pop()
    leaving = scope.reads | decides
    run.changes[id(node)] = _changes(state, head, frame)
    if isinstance(node, tree.For) and element is not None and after is not None:
        if values is not None and values.everybody and not decides and not scope.exits:
            _sum_up(run, state, after, head, element.key, mark)
    exits: State | None = None
    for way, _ in scope.exits:
        exits = join_states(run, exits, way, leaving)
    if isinstance(node, tree.Repeat) and node.times is None:
        _publish(run, head)
        return exits
    return join_states(run, copy_state(head), exits, leaving)


def _guess(run: Run, body: tree.Body) -> Changes:
    """What a body is likely to change; what is wrong with it only costs another turn."""
    slots: set[int] = set()
    variables: set[str] = set()
    zones: set[str] = set()

    def names(*ops: Op) -> None:
        zones.update(op.word for op in walk(*ops) if op.name == "zone")

    for node in body:
        match node:
            case tree.Assign(target) | tree.Draw(target) | tree.Choose(_, target):
                slots |= set() if target.slot is None else {target.slot}
                variables |= set() if target.variable is None else {target.variable}
                if isinstance(node, tree.Draw | tree.Choose) and holds_pieces(node.of):
                    names(node.values if isinstance(node, tree.Draw) else node.options)
            case tree.Each():
                variables |= set() if node.target.variable is None else {node.target.variable}
            case tree.Move(_, pieces, zone):
                names(pieces, zone)
            case tree.Shuffle(zone):
                names(zone)
            case tree.Call(block, arguments):
                names(*(each for each in arguments if isinstance(each.type, ZoneType)))
                inner = _guess_block(run, block)
                variables |= inner.variables
                zones |= inner.zones
                variables |= {
                    name
                    for name, row in run.variables.items()
                    if row.rule == node.resets and row.rule
                }
            case tree.Enter(_, rows):
                for _, block in rows:
                    variables |= _guess_block(run, block).variables
                    zones |= _guess_block(run, block).zones
            case tree.If(_, then, otherwise):
                for each in (_guess(run, then), _guess(run, otherwise or ())):
                    slots |= each.slots
                    variables |= each.variables
                    zones |= each.zones
            case tree.For() | tree.Repeat():
                inner = _guess(run, node.body)
                slots |= inner.slots
                variables |= inner.variables
                zones |= inner.zones
            case tree.Show() | tree.Stop() | tree.Return() | tree.End() | tree.Clear():
                pass
            case tree.Announce():
                pass
            case _:
                assert_never(node)
    return Changes(frozenset(slots), frozenset(variables), frozenset(zones))


def _guess_block(run: Run, name: str) -> Changes:
    if name not in run.guesses:
        run.guesses[name] = _guess(run, run.core.blocks[name].body)
    return run.guesses[name]


@define
class Loop:
    """A loop that is followed: `mark` is the newest key before it, `phi` marks what it changes."""

    run: Run
    frame: int
    mark: int
    phi: Key
    decides: Sources


def _changes(entry: State, head: State, frame: int) -> Changes:
    """What a loop has changed."""
    return Changes(
        frozenset(
            place
            for (owner, place), value in head.slots.items()
            if owner == frame and value is not entry.slots.get((owner, place))
        ),
        frozenset(
            name for name, value in head.variables.items() if value is not entry.variables.get(name)
        ),
        frozenset(zone for zone, writes in head.writes.items() if writes != entry.writes.get(zone)),
    )


def _changed(loop: Loop, entry: State, changes: Changes) -> State:
    """The head of a loop that will change these."""
    run = loop.run
    head = copy_state(entry)
    for place in changes.slots:
        slot = (loop.frame, place)
        first = entry.slots.get(slot)
        if first is not None and not first.parts:
            key = _phi(loop, f"slot {slot[0]} {slot[1]}", first)
            head.slots[slot] = Value(
                key, first.which | loop.decides, first.size | loop.decides, place=first.place
            )
    for name in changes.variables:
        first = entry.variables.get(name, Value(run.keys.make("variable", name, shown=name)))
        if not first.parts:
            head.variables[name] = Value(_phi(loop, f"variable {name}", first))
    for zone in changes.zones:
        head.writes[zone] = ((None, run.keys.make("stamp", loop.phi, zone)),)
    if changes.zones:
        _keep_contents(run, head, (entry,), changes.zones, loop.mark)
    head.members = {
        place: value for place, value in entry.members.items() if place[0] not in changes.variables
    }
    return head


def _phi(loop: Loop, name: str, first: Value) -> Key:
    return loop.run.keys.make("phi", loop.phi, name, shown=first.key.shown)


def _turn_of(env: Env, values: Value, node: tree.For) -> Value:
    name = (
        env.run.core.blocks[env.run.calls[-1].name].slots[node.into][0] if env.run.calls else "it"
    )
    element = one_of(env, values, name, node.values.span)
    if values.parts:
        return element
    which = values.which
    if values.guard is not None:
        which = substitute(
            env.run, Value(element.key, values.guard[1]), values.guard[0], element.key
        ).which
    return evolve(element, which=which)


def _widen(loop: Loop, entry: State, head: State, after: State) -> State:
    """What holds at the head of a loop: before the first turn, or after another one."""
    run, mark = loop.run, loop.mark
    new = copy_state(entry)
    none = Value(run.keys.make("literal", "None"))
    for place in entry.slots.keys() | after.slots.keys():
        first = entry.slots.get(place, none)
        name = f"slot {place[0]} {place[1]}"
        new.slots[place] = _widen_value(
            loop, after, first, head.slots.get(place), after.slots.get(place), name, loop.decides
        )
    for name in entry.variables.keys() | after.variables.keys():
        first = Value(run.keys.make("variable", name, shown=name))
        hidden = loop.decides if holds_pieces(run.variables[name].type) else NOTHING
        new.variables[name] = _widen_value(
            loop, after, entry.variables.get(name, first), head.variables.get(name),
            after.variables.get(name, first), f"variable {name}", hidden,
        )  # fmt: skip
    new.members = {
        place: value
        for place, value in entry.members.items()
        if after.members.get(place) == value and head.members.get(place) == value
    }
    new.known = {
        key: both
        for key, audience in entry.known.items()
        if key in after.known
        and (both := intersect(audience, forget_audience(after.known[key], mark))) != NOBODY
    }
    changed = {
        zone
        for zone in entry.writes.keys() | after.writes.keys()
        if not entry.writes.get(zone) == after.writes.get(zone) == head.writes.get(zone)
    }
    for zone in changed:
        new.writes[zone] = ((None, run.keys.make("stamp", loop.phi, zone)),)
    if changed:
        _keep_contents(run, new, (entry, after), changed, mark)
    new.implied = {key: facts for key, facts in entry.implied.items() if key in after.implied}
    new.apart, new.same = entry.apart & after.apart, entry.same & after.same
    new.universal = entry.universal & after.universal
    new.serial = loop.phi
    new.pending = entry.pending | {
        evolve(
            each,
            sources=forget(run, after, each.sources, mark),
            seen=forget_audience(each.seen, mark),
        )
        for each in _untold(run, after)
    }
    for place, found in after.sorted.items():
        old = _forgotten_place(place, mark)
        new.sorted[old] = new.sorted.get(old, NOTHING) | forget(run, after, found, mark)
    return new


def _widen_value(  # noqa: PLR0913, PLR0917
    loop: Loop,
    after: State,
    first: Value,
    head: Value | None,
    last: Value | None,
    name: str,
    decides: Sources,
) -> Value:
    if last is None or (last is first and (head is None or head is first)):
        return first
    phi = _phi(loop, name, first)
    run = loop.run
    if head is not None and head.key is phi:
        if last is head:
            return head
        return _joined(run, phi, head, _forgotten(loop, after, last, phi), decides)
    if last.key is first.key:
        return (
            first
            if last == first
            else _joined(run, first.key, first, _forgotten(loop, after, last, first.key), decides)
        )
    return _joined(run, phi, first, _forgotten(loop, after, last, phi), decides)


def _forgotten(loop: Loop, after: State, value: Value, key: Key) -> Value:
    """A value at the end of a turn, as the next one may speak of it."""
    run, mark = loop.run, loop.mark

    def left(sources: Sources) -> Sources:
        return forget(run, after, sources, mark)

    merged: dict[Key, Part] = {}
    for part in value.parts:
        fresh = part.key.newest > mark
        needs = left(part.needs)
        if fresh:
            needs = left(faces(run, after, part))
        old = Part(
            run.keys.make("old", key) if fresh else part.key,
            frozenset(_forgotten_place(each, mark) for each in part.places),
            left(part.which),
            needs,
            left(part.where),
            EVERYONE if fresh else forget_audience(part.seen, mark),
            part.one,
            part.whole and not fresh,
            frozenset(each for each in part.roots if each.newest <= mark),
            frozenset(each for each in part.excludes if each.newest <= mark),
            part.name,
            part.path,
        )
        merged[old.key] = _joined_part(merged[old.key], old) if old.key in merged else old
    return Value(
        value.key,
        left(value.which),
        left(value.size),
        tuple(merged.values()),
        None if value.place is None else _forgotten_place(value.place, mark),
        frozenset(each for each in value.apart if each.newest <= mark),
        None,
        value.everybody,
        value.generic,
    )


def _forgotten_place(place: Place, mark: int) -> Place:
    """A place that is known by older keys only: of a family, as far as that goes."""
    indices: list[Key] = []
    for each in place.indices:
        if each.newest > mark:
            break
        indices.append(each)
    return Place(place.zone, tuple(indices))


def _joined(run: Run, key: Key, one: Value, other: Value, decides: Sources) -> Value:
    parts: tuple[Part, ...]
    mine, others = ({part.key: part for part in each.parts} for each in (one, other))
    if mine.keys() == others.keys():
        parts = tuple(_joined_part(part, others[part.key]) for part in one.parts)
    else:
        parts = (together(run, key, (*one.parts, *other.parts), decides),)
    return Value(
        key,
        one.which | other.which | decides,
        one.size | other.size | decides,
        parts,
        one.place if one.place == other.place else None if one.place is None else Place(""),
        one.apart & other.apart,
        everybody=one.everybody and other.everybody,
        generic=one.generic if one.generic is other.generic else None,
    )


def _joined_part(one: Part, other: Part) -> Part:
    return evolve(
        one,
        places=one.places | other.places,
        which=one.which | other.which,
        needs=one.needs | other.needs,
        where=one.where | other.where,
        seen=intersect(one.seen, other.seen),
        one=one.one and other.one,
        whole=one.whole and other.whole,
        roots=one.roots & other.roots,
        excludes=one.excludes & other.excludes,
    )


def _settled(before: State, after: State, frame: int, exposed: frozenset[int] | None) -> bool:
    """Whether another turn would begin with what the last one began with, as far as it looks at it.

    Whoever leaves it within a turn takes along all that it began with.
    """
    if before is after:
        return True
    slots = {
        slot
        for slot in before.slots.keys() | after.slots.keys()
        if (exposed is None or slot[0] != frame or slot[1] in exposed)
        and before.slots.get(slot) != after.slots.get(slot)
    }
    return (
        not slots
        and before.writes == after.writes
        and before.known == after.known
        and before.variables == after.variables
        and before.members == after.members
        and before.apart == after.apart
        and before.same == after.same
        and after.pending <= before.pending
        and before.sorted == after.sorted
    )


def _exposed(run: Run, node: tree.For | tree.Repeat) -> frozenset[int]:
    """The slots that a turn of a loop may read before it gives them a value."""
    found = run.exposed.get(id(node))
    if found is None:
        read_first: set[int] = set()
        _read_first(node.body, set(), read_first)
        found = run.exposed[id(node)] = frozenset(read_first)
    return found


def _read_first(body: tree.Body, given: set[int], found: set[int]) -> None:
    """Note the slots that a body may read before it gives them a value; what it gives for sure is added."""

    def reads(*ops: Op | None) -> None:
        for op in walk(*(each for each in ops if each is not None)):
            if op.name == "slot" and op.place not in given:
                found.add(op.place)

    for node in body:
        match node:
            case tree.Assign(target, value):
                reads(value)
                gives(node.target, reads, given)
            case tree.If(condition, then, otherwise):
                reads(condition)
                one, other = set(given), set(given)
                _read_first(then, one, found)
                _read_first(otherwise or (), other, found)
                given |= one & other
            case tree.For(_, into, values, inner):
                reads(values)
                _read_first(inner, given | {into}, found)
            case tree.Repeat(_, times, inner):
                reads(times)
                _read_first(inner, set(given), found)
            case tree.Move(_, pieces, zone):
                reads(pieces, zone)
            case tree.Shuffle(zone):
                reads(zone)
            case tree.Show(pieces, players):
                reads(pieces, players)
            case tree.Announce(value, players):
                reads(value, players)
            case tree.Draw(target, values):
                reads(values)
                gives(node.target, reads, given)
            case tree.Choose():
                reads(
                    node.player,
                    node.options,
                    *(each[0] for each in node.prompt if not isinstance(each, str)),
                )
                gives(node.target, reads, given)
            case tree.Each():
                given.add(node.seat)
                reads(
                    node.players,
                    node.options,
                    *(each[0] for each in node.prompt if not isinstance(each, str)),
                )
                gives(node.target, reads, given)
            case tree.Call(_, arguments, into):
                reads(*arguments)
                if into is not None:
                    given.add(into)
            case tree.Enter(inputs):
                reads(*inputs)
            case tree.Return(value):
                reads(value)
            case tree.Stop() | tree.Clear() | tree.End():
                pass
            case _:
                assert_never(node)


def gives(target: Target, reads: Callable[..., None], given: set[int]) -> None:
    """A target is given its value; one with an index keeps what other members have."""
    reads(*target.indices)
    if target.slot is not None:
        if target.indices:
            reads(Op("slot", place=target.slot))
        else:
            given.add(target.slot)


def _sum_up(run: Run, before: State, turn: State, after: State, player: Key, mark: int) -> None:  # noqa: PLR0913, PLR0917
    """What each turn of a loop over all players has told is told to, or of, all players."""
    for key, audience in turn.known.items():
        # What else is new in a key belongs to this turn alone: what lay in a zone when it began, say.
        lasting = _newest_but(key, player) <= mark
        if player in audience.players and key.newest <= mark:
            teach(run, after, key, EVERYONE)
        elif key.newest == player.newest and lasting and audience.everyone:
            after.universal |= {(player, key, EVERYONE)}
        elif key.newest == player.newest and lasting:
            for each in audience.players:
                base, steps = each.parts if each.head == "turn" else (each, 0)
                if base is player and isinstance(steps, int):
                    own = run.keys.replace(key, player, turn_by(run, player, -steps))
                    only = Audience(players=frozenset({player}))
                    after.universal |= {(player, own, only)}
        if not audience.everyone or key.head != "face" or not isinstance(key.parts[0], Key):
            continue
        inner = key.parts[0]
        if inner.head != "contents" or len(inner.parts) != 3 or inner.parts[1] is not player:
            continue
        zone = str(inner.parts[0])
        if turn.writes.get(zone) == before.writes.get(zone) == after.writes.get(zone):
            teach(run, after, face_key(run, contents_key(run, after, Place(zone))), EVERYONE)


def _newest_but(key: Key, player: Key) -> int:
    """The number of the newest fresh key in a key, but for one."""
    if key is player or key.newest < player.newest:
        return 0 if key is player else key.newest
    if key.head == "fresh":
        return key.newest
    return max(
        (_newest_but(each, player) for each in key.parts if isinstance(each, Key)), default=0
    )


# ---- Where ways meet -----------------------------------------------------------------------------


def join_values(run: Run, one: Value, other: Value, reads: Sources) -> Value:
    """What holds of a value that is one of two."""
    if one == other:
        return one
    if one.key is other.key:
        return _joined(run, one.key, one, other, NOTHING)
    return _joined(run, run.keys.fresh(one.key.shown or other.key.shown), one, other, reads)


def join_states(run: Run, one: State | None, other: State | None, reads: Sources) -> State | None:
    """What holds where two ways meet; `None` is a way that is never taken."""
    if one is None or other is None:
        return one or other
    none = Value(run.keys.make("literal", "None"))
    state = copy_state(one)
    for place in one.slots.keys() | other.slots.keys():
        a, b = one.slots.get(place, none), other.slots.get(place, none)
        if a is not b:
            state.slots[place] = _moved_apart(join_values(run, a, b, reads), a, b, reads)
    for name in one.variables.keys() | other.variables.keys():
        first = Value(run.keys.make("variable", name, shown=name))
        a, b = one.variables.get(name, first), other.variables.get(name, first)
        if a is not b:
            hidden = reads if holds_pieces(run.variables[name].type) else NOTHING
            joined = join_values(run, a, b, hidden)
            state.variables[name] = evolve(joined, size=NOTHING)
    state.members = {
        place: value for place, value in one.members.items() if other.members.get(place) == value
    }
    changed = {
        zone
        for zone in one.writes.keys() | other.writes.keys()
        if one.writes.get(zone) != other.writes.get(zone)
    }
    for key in one.known.keys() | other.known.keys():
        both = intersect(one.known.get(key, NOBODY), other.known.get(key, NOBODY))
        if both == NOBODY:
            state.known.pop(key, None)
        else:
            state.known[key] = both
    for zone in changed:
        state.writes[zone] = ((None, run.keys.fresh(zone)),)
    if changed:
        _keep_contents(run, state, (one, other), changed)
    state.implied = {
        key: facts for key, facts in one.implied.items() if other.implied.get(key) == facts
    }
    state.apart, state.same = one.apart & other.apart, one.same & other.same
    state.universal = one.universal & other.universal
    state.pending = _untold(run, one) | _untold(run, other)
    if one.serial != other.serial:
        state.serial = run.keys.fresh("")
    for place, found in other.sorted.items():
        state.sorted[place] = state.sorted.get(place, NOTHING) | found
    return state


def _keep_contents(
    run: Run, state: State, ways: tuple[State, ...], zones: Iterable[str], mark: int | None = None
) -> None:
    """Who knows what lies in a zone on all ways knows it where they meet."""
    places = set()
    for way in ways[:1]:
        for key in way.known:
            inner = key.parts[0]
            if (
                key.head == "face"
                and isinstance(inner, Key)
                and inner.head == "contents"
                and inner.parts[0] in zones
            ):
                place = Place(str(inner.parts[0]), inner.parts[1:-1])  # type: ignore[arg-type]
                if contents_key(run, way, place) is inner:
                    places.add(place)
    for place in places:
        both = EVERYONE
        for way in ways:
            both = intersect(
                both, knowers(run, way, faces(run, way, contents(run, way, place, NOTHING)))
            )
            if both == NOBODY:
                break
        if mark is not None:
            both = forget_audience(both, mark)
        if both != NOBODY:
            state.known[face_key(run, contents_key(run, state, place))] = both


def _moved_apart(value: Value, one: Value, other: Value, reads: Sources) -> Value:
    """Where pieces lie depends on the way, if they were moved on one of them."""
    if not reads or not value.parts:
        return value
    before = {part.key: part.places for part in one.parts}
    after = {part.key: part.places for part in other.parts}
    parts = tuple(
        evolve(part, where=part.where | reads)
        if part.key in before and part.key in after and before[part.key] != after[part.key]
        else part
        for part in value.parts
    )
    return evolve(value, parts=parts)


# ---- Triggers ------------------------------------------------------------------------------------


def _watched(run: Run, variables: set[str], zones: set[str]) -> list[tree.TriggerRow]:
    """The triggers that a step may fire."""
    if not run.in_play:
        return []
    if not zones <= run.zones.keys():  # it may be any
        zones = set(run.zones)
    found = []
    for trigger in run.core.triggers:
        if trigger.block in run.firing:
            continue
        names, places = _reads_of(run, trigger.condition)
        if names & variables or places & zones:
            found.append(trigger)
    return found


def _reads_of(run: Run, condition: Op) -> tuple[set[str], set[str]]:
    """The variables and zones that a condition reads, through functions as well."""
    names: set[str] = set()
    zones: set[str] = set()
    waiting, seen = [condition], set[str]()
    while waiting:
        for op in walk(waiting.pop()):
            match op.name:
                case "variable":
                    names.add(op.word)
                case "zone":
                    zones.add(op.word)
                case "call" | "row":
                    for name, function in run.core.functions.items():
                        if name not in seen and (name == op.word or name.startswith(f"{op.word}.")):
                            seen.add(name)
                            waiting += [*function.inputs, *(row.cell for row in function.rows)]
                case "all_pieces" | "winners" | "named":
                    zones |= set(run.zones)
                    names |= set(run.variables)
                case _:
                    pass
    return names, zones


def _fire(
    run: Run, state: State, variables: set[str], zones: set[str], before: Sources
) -> State | None:
    """The triggers that a step may have fired, each or not."""
    now: State | None = state
    variables = _fire_plain(run, state, variables, zones, before)
    for trigger in _watched(run, variables, zones):
        if now is None:
            return None
        if _plain(run, trigger.block) is not None:
            continue
        now.memo.clear()
        run.frames += 1
        condition = evaluate(Env(run, now, run.frames), trigger.condition)
        which = trim(run, now, condition.which | before)
        now = _run_trigger(run, now, trigger, which)
    return now


def _fire_plain(
    run: Run, state: State, variables: set[str], zones: set[str], before: Sources
) -> set[str]:
    """The variables changed by a step and by all triggers that only compute, in whichever order they fire."""
    changed = set(variables)
    fired: set[str] = set()
    while True:
        waiting = [
            each
            for each in _watched(run, changed, zones)
            if each.block not in fired and _plain(run, each.block) is not None
        ]
        if not waiting:
            return changed
        for trigger in waiting:
            fired.add(trigger.block)
            state.memo.clear()
            condition = evaluate(Env(run, state, -2), trigger.condition)
            block = run.core.blocks[trigger.block]
            for name in sorted(_plain(run, trigger.block) or ()):
                _expose(run, state, "variable", name, block.origin.span, condition.which | before)
                _forget_variable(run, state, name)
                changed.add(name)


def start_triggers(run: Run, state: State) -> State | None:
    """When `play` is called every trigger fires whose condition holds."""
    return _fire(run, state, set(run.variables), set(run.zones), NOTHING)


def _run_trigger(run: Run, state: State, trigger: tree.TriggerRow, which: Sources) -> State | None:
    run.firing.append(trigger.block)
    block = run.core.blocks[trigger.block]

    def fire(way: State) -> State | None:
        return run_rule(run, way, trigger.block, (), block.origin.span)[0]

    told = _discloses(run, block.name, block.body)
    fired = _apart(run, copy_state(state), fire, which, told=told)
    _meet(run)
    run.firing.pop()
    return join_states(run, state, fired, which)


def _condition_before(run: Run, state: State, variables: set[str], zones: set[str]) -> Sources:
    """What decided, before a step, whether the triggers that watch it held."""
    which: Sources = NOTHING
    for trigger in _watched(run, variables, zones):
        which |= evaluate(Env(run, state, -2), trigger.condition).which
    return which


# ---- Giving values -------------------------------------------------------------------------------


def _give(
    run: Run, state: State, frame: int, target: Target, value: Value, span: Span
) -> State | None:
    """A local or a variable is given a value."""
    env = Env(run, state, frame)
    indices = [evaluate(env, each) for each in target.indices]
    which: Sources = NOTHING
    for index, each in zip(indices, target.indices, strict=True):
        which |= identity(run, state, index, each.span)
    keys = tuple(each.key for each in indices)
    value = _traced(value, target.name, span)
    if target.variable is None:
        if target.slot is None:
            raise AssertionError("a target is a slot or a variable")
        if keys:
            _give_member(run, state, f"slot {frame} {target.slot}", keys, value, which)
            older = state.slots.get((frame, target.slot))
            if older is not None:
                state.slots[frame, target.slot] = _joined(
                    run, run.keys.fresh(target.name), evolve(older, generic=None), value, which
                )
            else:
                state.slots[frame, target.slot] = evolve(
                    value, which=value.which | which, size=value.size | which
                )
        else:
            state.slots[frame, target.slot] = value
        return state
    return _publish_variable(run, state, target, keys, value, which, span)


def _give_member(
    run: Run, state: State, name: str, keys: tuple[Key, ...], value: Value, which: Sources
) -> None:
    place = Place(name, keys)
    for other in [each for each in state.members if each[0] == name]:
        if may_overlap(run, state, place, Place(name, other[1])):
            del state.members[other]
    if not which:
        state.members[name, keys] = value


def _publish_variable(
    run: Run,
    state: State,
    target: Target,
    keys: tuple[Key, ...],
    value: Value,
    which: Sources,
    span: Span,
) -> State | None:
    """A variable is given a value for all to see; of pieces only how many."""
    name = target.variable or ""
    state.serial = run.keys.fresh("")
    before = _condition_before(run, state, {name}, set())
    pieces = holds_pieces(target.type)
    told = (value.size if pieces else identity(run, state, value, span)) | which
    _expose(run, state, "variable", name, span, told)
    if pieces:
        kept = evolve(value, size=NOTHING)
        seen = in_sight(Env(run, state, -1), value)
        # Of several pieces one sees which faces they have, not which of them is whose.
        alone = value.parts if len(value.parts) == 1 and seen != NOBODY else ()
        for part in alone:
            teach_faces(run, state, part, seen)
            if run.unique:
                for source in part.which:
                    if source.key is not None:
                        teach(run, state, source.key, seen)
    else:
        kept = Value(value.key, apart=value.apart, everybody=value.everybody)
        teach(run, state, value.key, EVERYONE)
    if keys:
        _give_member(run, state, name, keys, kept, which)
        older = state.variables.get(name) or Value(run.keys.make("variable", name, shown=name))
        hidden = which if pieces else NOTHING
        state.variables[name] = evolve(
            _joined(run, run.keys.fresh(name), older, kept, hidden), size=NOTHING
        )
    else:
        state.variables[name] = kept
    return _fire(run, state, {name}, set(), before)


def _forget_variable(run: Run, state: State, name: str) -> None:
    state.variables[name] = Value(run.keys.fresh(name))
    state.serial = run.keys.fresh("")
    for other in [each for each in state.members if each[0] == name]:
        del state.members[other]


def _traced(value: Value, name: str, span: Span) -> Value:
    """The value of a local, with the place where it got its pieces."""
    if not value.parts:
        return value
    path = (Related(f"`{name}` gets its pieces here", span),)
    return evolve(value, parts=tuple(evolve(part, name=name, path=path) for part in value.parts))


# ---- What steps tell -----------------------------------------------------------------------------


def _reasons(run: Run) -> Sources:
    """What decides whether this place is reached."""
    found: Sources = NOTHING
    for scope in run.scopes:
        found |= scope.reads
    return found


def _expose(
    run: Run, state: State, kind: str, name: str, span: Span, told: Sources, seen: Audience = NOBODY
) -> None:
    """A step that everybody notices tells what it depends on, and what decides that it is done."""
    reasons: Sources = NOTHING
    none = run.keys.make("literal", "None")
    for scope in run.scopes:
        chosen = any(frozenset((key, none)) in state.apart for key in scope.chosen)
        if "*" not in scope.told and not chosen:
            reasons |= {
                each
                for each in scope.reads
                if each.name not in scope.told
                and (each.place is None or each.place.zone not in scope.told)
            }
    for sources, by in ((told, seen), (reasons, NOBODY)):
        hidden = frozenset(
            each for each in trim(run, state, sources) if each.kind not in ("choice", "chance")
        )
        if hidden:
            exposure = Exposure(kind, name, span, hidden, by, tuple(run.calls))  # type: ignore[arg-type]
            state.pending |= {exposure}


def _untold(run: Run, state: State) -> frozenset[Exposure]:
    """The public steps that tell something which was not openly told since."""
    left = set()
    for each in state.pending:
        hidden = frozenset(
            source
            for source in each.sources
            if not unite(each.seen, knowers(run, state, frozenset({source}))).everyone
        )
        if hidden:
            left.add(each if hidden == each.sources else evolve(each, sources=hidden))
    return frozenset(left)


def _publish(run: Run, state: State) -> None:
    """Time for what was told by accident to have been told openly: report what has not."""
    report_exposures(run, state)
    state.pending = frozenset()


def _move(run: Run, state: State, frame: int, node: tree.Move) -> State | None:
    env = Env(run, state, frame)
    moved = evaluate(env, node.pieces)
    zone = evaluate(env, node.zone)
    goal = zone.place or Place("")
    span = node.origin.span
    places = {place for part in moved.parts for place in part.places}
    zones = {goal.zone, *(place.zone for place in places)}
    before = _condition_before(run, state, set(), zones)
    arriving = _arriving(run, goal, moved, node)
    leaving = in_sight(env, moved)
    told = moved.size | zone.which
    for part in moved.parts:
        if not all(is_pool(run, place) for place in part.places):
            told |= part.which
        if len(part.places) > 1 or Place("") in part.places:
            told |= part.where
    _expose(run, state, "move", goal.zone, span, told, unite(arriving, leaving))
    _expose_order(run, state, moved, span)
    known = dict(state.known)
    after = _relocate(run, state, moved, goal, arriving, leaving, span)
    one = all(part.one for part in moved.parts)
    if not one and _watched(run, set(), zones):
        middle = copy_state(after)
        for each in zones:
            middle.writes[each] = ((None, run.keys.fresh(each)),)
        middle.known = known  # not all pieces have been seen yet
        fired = _fire(run, middle, set(), zones, before)
        for fact, audience in after.known.items() if fired is not None else ():
            if known.get(fact) != audience:
                teach(run, fired, fact, audience)
        joined = join_states(run, after, fired, NOTHING)
        return joined
    return _fire(run, after, set(), zones, before)


def _arriving(run: Run, goal: Place, moved: Value, node: tree.Move) -> Audience:
    """Who sees the pieces where they come to lie."""
    row = run.zones.get(goal.zone)
    if row is not None and row.seen_by == "top":
        single = len(moved.parts) == 1 and moved.parts[0].one
        return EVERYONE if single and not node.under else NOBODY
    return seers(run, goal)


def _expose_order(run: Run, state: State, moved: Value, span: Span) -> None:
    """The first pieces of a pool are moved or shown: their faces decided which those are."""
    for part in moved.parts:
        found = frozenset(
            each
            for each in part.which
            if each.kind == "order" and not knowers(run, state, frozenset({each})).everyone
        )
        if found:
            name = min(found, key=in_reading_order).place
            exposure = Exposure(
                "order", name.zone if name else "", span, found, NOBODY, tuple(run.calls)
            )
            state.pending |= {exposure}


def _relocate(
    run: Run,
    state: State,
    moved: Value,
    goal: Place,
    arriving: Audience,
    leaving: Audience,
    span: Span,
) -> State:
    """Pieces are moved: where they lie now, who has seen them, and what is no longer known."""
    seen = unite(arriving, leaving)
    # Who knows the faces of all that is moved.
    known = unite(seen, knowers(run, state, looks(run, state, moved)))
    counted = unite(seen, knowers(run, state, moved.size))
    lying = knowers(run, state, faces(run, state, contents(run, state, goal, NOTHING)))
    left: dict[Place, Audience] = {}
    for part in moved.parts:
        for place in part.places:
            if place.zone not in run.zones:
                _stamp(run, state, place)
                continue
            old = knowers(run, state, faces(run, state, contents(run, state, place, NOTHING)))
            if part.key is contents_key(run, state, place) and not moved.which:
                left[place] = EVERYONE
            elif is_pool(run, place):
                left[place] = intersect(old, known)
            else:
                left[place] = intersect(old, knowers(run, state, part.which | moved.which))
    _sort(run, state, moved, goal, known, span)
    for place in [*left, goal]:
        _stamp(run, state, place)
    for slots in (state.slots, state.variables, state.members):
        for slot, value in [*slots.items()]:  # type: ignore[attr-defined]
            after = _carried(run, state, value, moved, goal)
            if after is not value:
                slots[slot] = after  # type: ignore[index]
    for part in moved.parts:
        if seen != NOBODY:
            teach_faces(run, state, part, seen)
            teach(run, state, run.keys.make("size", part.key), counted)
    for place, audience in left.items():
        if not may_overlap(run, state, place, goal) and audience != NOBODY:
            teach(run, state, face_key(run, contents_key(run, state, place)), audience)
    together = intersect(lying, known)
    if together != NOBODY:
        teach(run, state, face_key(run, contents_key(run, state, goal)), together)
    return state


def _stamp(run: Run, state: State, place: Place) -> None:
    """What lies in a place is changed; in one that is not known, what lies anywhere."""
    if place.zone not in run.zones:
        for zone in run.zones:
            state.writes[zone] = ((None, run.keys.fresh(zone)),)
        return
    stamp = run.keys.fresh(place.zone)
    writes = state.writes.get(place.zone, ())
    # What a secret decides was changed may be any member of the family.
    state.writes[place.zone] = ((place.indices, stamp), *writes)
    if len(writes) > 7:
        state.writes[place.zone] = ((None, stamp),)


def _sort(run: Run, state: State, moved: Value, goal: Place, known: Audience, span: Span) -> None:  # noqa: PLR0913, PLR0917
    """A pool that is laid on a pile arrives in the order of its faces, which not everyone may know."""
    if is_pool(run, goal) or known.everyone:
        return
    for part in moved.parts:
        places = [place for place in part.places if place.zone in run.zones and is_pool(run, place)]
        if places and not part.one:
            seen = faces(run, state, part, span)
            own = Source(None, EVERYONE, seen, "order", places[0], part.name, part.path, span)
            state.sorted[goal] = state.sorted.get(goal, NOTHING) | {own}


def _carried(run: Run, state: State, value: Value, moved: Value, goal: Place) -> Value:
    """A value after a move: parts that were moved for certain lie elsewhere, others may."""
    if not value.parts:
        return value
    keys = {part.key for part in moved.parts}
    parts = []
    for part in value.parts:
        certain = part.key in keys or bool(part.roots & keys)
        touched = certain or any(
            may_overlap(run, state, one, other)
            for one in part.places
            for each in moved.parts
            for other in each.places
        )
        if certain and not moved.which:
            part = evolve(part, places=frozenset({goal}), whole=False)
        elif touched:
            where = part.where | part.which | moved.which
            for each in moved.parts:
                where |= each.which
            part = evolve(part, places=part.places | {goal}, where=where, whole=False)
        parts.append(part)
    return evolve(value, parts=tuple(parts))


def _shuffle(run: Run, state: State, frame: int, op: Op, span: Span) -> State | None:
    zone = evaluate(Env(run, state, frame), op)
    place = zone.place or Place("")
    before = _condition_before(run, state, set(), {place.zone})
    _expose(run, state, "shuffle", place.zone, span, zone.which)
    audience = knowers(run, state, faces(run, state, contents(run, state, place, NOTHING)))
    _stamp(run, state, place)
    state.sorted.pop(place, None)
    _lose(run, state, place, span)
    if is_pool(run, place) and audience != NOBODY:
        teach(run, state, face_key(run, contents_key(run, state, place)), audience)
    return _fire(run, state, set(), {place.zone}, before)


def _lose(run: Run, state: State, place: Place, span: Span) -> None:
    """After a shuffle nobody knows at which place of a pile some pieces lie."""
    lost = Source(None, NOBODY, kind="place", place=place, span=span)
    for slots in (state.slots, state.variables, state.members):
        for slot, value in [*slots.items()]:  # type: ignore[attr-defined]
            if any(
                may_overlap(run, state, place, each) for part in value.parts for each in part.places
            ):
                parts = tuple(evolve(part, where=part.where | {lost}) for part in value.parts)
                slots[slot] = evolve(value, parts=parts)  # type: ignore[index]


def _show(run: Run, state: State, frame: int, node: tree.Show) -> State | None:
    env = Env(run, state, frame)
    shown = evaluate(env, node.pieces)
    audience = audience_of(env, node.players)
    for part in shown.parts:
        seen = audience
        if len(shown.parts) > 1 and any(is_pool(run, place) for place in part.places):
            # Of a pool one sees which faces are shown, not which of them is whose.
            seen = intersect(audience, knowers(run, state, part.which))
        teach_faces(run, state, part, seen)
        teach(run, state, run.keys.make("size", part.key), audience)
    told = shown.size | read(env, node.players)
    for part in shown.parts:
        if not all(is_pool(run, place) for place in part.places):
            told |= part.which
        if len(part.places) > 1:
            told |= part.where
    seen = (
        NOBODY
        if any(not is_pool(run, place) for part in shown.parts for place in part.places)
        else NOBODY
    )
    _expose(
        run, state, "show", text_of(node.pieces.span), node.origin.span, told, unite(seen, audience)
    )
    _expose_order(run, state, shown, node.origin.span)
    return state


def _announce(run: Run, state: State, frame: int, node: tree.Announce) -> State | None:
    """Some learn a value, and nothing else; who these are, and that it is announced, is no secret."""
    env = Env(run, state, frame)
    found = evaluate(env, node.value)
    teach(run, state, found.key, audience_of(env, node.players))
    _expose(run, state, "announce", node.name, node.origin.span, read(env, node.players))
    return state


def audience_of(env: Env, players: Op) -> Audience:
    """To whom something is shown; a set that is not plain counts as nobody."""
    match players.name:
        case "seats" | "order":
            return EVERYONE
        case "others":
            return Audience(but=frozenset({evaluate(env, players.operands[0]).key}))
        case "single" | "perhaps" | "needed":
            inner = players.operands[0]
            if inner.name in ("needed", "single", "perhaps"):
                return (
                    audience_of(env, inner)
                    if inner.name != "needed"
                    else Audience(players=frozenset({evaluate(env, inner).key}))
                )
            return Audience(players=frozenset({evaluate(env, inner).key}))
        case "list" | "union":
            audience = NOBODY
            for each in players.operands:
                audience = unite(audience, audience_of(env, each))
            return audience
        case _:
            return NOBODY


# ---- Chance and choices --------------------------------------------------------------------------


def _draw(run: Run, state: State, frame: int, node: tree.Draw) -> State | None:
    env = Env(run, state, frame)
    values = evaluate(env, node.values)
    span = node.origin.span
    if not holds_pieces(node.of):
        told = identity(run, state, values, node.values.span)
        _expose(run, state, "random", node.target.name, span, told)
    source = Source(
        None,
        NOBODY,
        kind="chance",
        place=_first_place(values),
        name=node.target.name,
        span=node.values.span,
    )
    one = not _is_set(node)
    value = one_of(env, values, node.target.name, span, source, one=one)
    return _give(run, state, frame, node.target, value, span)


def _deciders(run: Run, env: Env, chooser: Key, options: Value) -> Audience:
    """Who knows what was chosen: all see its face, which may be that of a piece elsewhere as well."""
    who = Audience(players=frozenset({chooser}))
    if not options.parts:
        return EVERYONE
    places = {place for part in options.parts for place in part.places}
    if run.unique or (len(places) == 1 and all(is_pool(run, place) for place in places)):
        return unite(who, in_sight(env, options))
    return who


def _is_set(node: tree.Draw | tree.Choose | tree.Each) -> bool:
    from rulespec.core.types import Family, Several, present

    return isinstance(present(node.of), Several | Family)


def _first_place(value: Value) -> Place | None:
    return next((place for part in value.parts for place in part.places), None)


def _choose(run: Run, state: State, frame: int, node: tree.Choose) -> State | None:
    _publish(run, state)
    env = Env(run, state, frame)
    chooser = evaluate(env, node.player)
    options = evaluate(env, node.options)
    choice = Choice(node, text_of(node.player.span), chooser.key, tuple(run.calls))
    _judge(run, env, choice, options, identity(run, state, chooser, node.player.span))
    who = _deciders(run, env, chooser.key, options)
    source = Source(
        None,
        who,
        kind="choice",
        place=_first_place(options),
        name=node.target.name,
        span=node.options.span,
    )
    value = one_of(env, options, node.target.name, node.origin.span, source, one=not _is_set(node))
    for part in value.parts:
        teach_faces(run, state, part, in_sight(env, options))
    for scope in run.scopes:
        scope.chosen.append(value.key)
    return _give(run, state, frame, node.target, value, node.origin.span)


def _each(run: Run, state: State, frame: int, node: tree.Each) -> State | None:
    _publish(run, state)
    env = Env(run, state, frame)
    players = evaluate(env, node.players)
    name = run.core.blocks[run.calls[-1].name].slots[node.seat][0]
    chooser = one_of(env, players, name, node.origin.span)
    asked = players.which
    if players.guard is not None:
        asked = substitute(
            run, Value(chooser.key, players.guard[1]), players.guard[0], chooser.key
        ).which
    _expose(run, state, "ask", node.target.name, node.origin.span, players.which)
    state.slots[frame, node.seat] = chooser
    options = evaluate(env, node.options)
    choice = Choice(node, name, chooser.key, tuple(run.calls))
    _judge(run, env, choice, options, asked)
    who = _deciders(run, env, chooser.key, options)
    source = Source(
        None,
        who,
        kind="choice",
        place=_first_place(options),
        name=node.target.name,
        span=node.options.span,
    )
    one = not _is_set(node)
    value = one_of(
        env, options, node.target.name, node.origin.span, source, one=one, by=chooser.key
    )
    value = _traced(evolve(value, generic=chooser.key), node.target.name, node.origin.span)
    state.slots.pop((frame, node.seat), None)
    target = node.target
    if target.variable is None:
        if target.slot is None:
            raise AssertionError("a target is a slot or a variable")
        prefix = f"slot {frame} {target.slot}"
        for member in [each for each in state.members if each[0] == prefix]:
            del state.members[member]
        state.slots[frame, target.slot] = value
        return state
    before = _condition_before(run, state, {target.variable}, set())
    _expose(run, state, "variable", target.variable, node.origin.span, NOTHING)
    older = state.variables.get(target.variable)
    _forget_variable(run, state, target.variable)
    if value.parts:
        kept = (
            value
            if older is None or not older.parts
            else _joined(
                run,
                run.keys.fresh(target.name),
                evolve(older, generic=None),
                evolve(value, generic=None),
                NOTHING,
            )
        )
        state.variables[target.variable] = kept
    return _fire(run, state, {target.variable}, set(), before)


def _judge(run: Run, env: Env, choice: Choice, options: Value, asked: Sources) -> None:
    """Report what a chooser would learn by being asked."""
    state, player = env.state, choice.player

    def hidden(sources: Iterable[Source]) -> list[Source]:
        return [each for each in sources if not knows(run, state, each, player)]

    node = choice.node
    decides = hidden(options.which - asked)
    offered: list[Source] = []
    for part in options.parts:
        unseen = hidden(faces(run, state, part, node.options.span))
        if unseen and not part.whole:
            chosen = hidden(each for each in part.needs if each.span is not None)
            (decides if chosen and _selects(part, chosen) else offered).extend(
                chosen if chosen and _selects(part, chosen) else unseen
            )
        else:
            offered.extend(unseen)
    prompts: list[tuple[Op, list[Source]]] = []
    for each in node.prompt:
        if not isinstance(each, str):
            named = each[0]
            found = hidden(looks(run, state, evaluate(env, named), named.span))
            if found:
                prompts.append((named, found))
    reasons = hidden(asked | _reasons(run))
    report_choice(run, state, choice, decides, offered, prompts, reasons)


def _selects(part: Part, sources: list[Source]) -> bool:
    return any(each.kind in ("face", "order", "fact") for each in sources)
