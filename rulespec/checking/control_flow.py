"""Declarations -> diagnostics for rules that never end, never run, or never return a result.

No rule calls itself, every `repeat` has a way out, nothing follows `stop`, `return` or `end`, and every rule with a
result ends with `return`. A procedure includes everything that overlays add to it.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, assert_never

from attrs import evolve

from rulespec import codes
from rulespec.checking.attributes import root_scope
from rulespec.checking.calls import (
    Body,
    DeadStep,
    Effect,
    Flow,
    FlowStep,
    Names,
    WayOut,
    find_calls,
    function_body,
    statements_of,
    steps_of,
    uses_of,
)
from rulespec.checking.declarations import Declarations, Routine
from rulespec.checking.deeds import deed_of
from rulespec.checking.depths import check_depths
from rulespec.checking.domains import declared_type
from rulespec.checking.estimates import estimate
from rulespec.checking.scopes import Scope, bind_names
from rulespec.checking.wording import written
from rulespec.core.types import UNKNOWN, Type
from rulespec.diagnostics import Diagnostic, Related
from rulespec.source import Span
from rulespec.syntax import nodes

ANY_ZONE = "*"  # stands for all zones among the things that change
OUTSIDE = -1  # the depth of a loop around the whole part
LONGEST_CIRCLE = 6  # calls that a message names


def check_flow(program: Declarations) -> Iterator[Diagnostic]:
    """Report cycles of calls, loops without a way out, unreachable statements, and missing results."""
    flow = find_calls(program)
    for part in flow.parts:
        yield from _check_leaving(part)
        yield from _check_reached(part.body)
    order, circles = _order(flow.calls)
    yield from (_circle(flow, circle) for circle in circles)
    too_deep = [] if circles else [*check_depths(flow, order)]
    yield from too_deep
    if not circles and not too_deep:
        root = root_scope(program)
        live = (_open_part(root, part) for part in flow.live if not _is_idle(root, part))
        flow = evolve(flow, live=tuple(live))
        _learn(flow, order)
        yield from _check_loops(flow)
        yield from _check_ends(flow)


def _open_part(root: Scope, part: Body) -> Body:
    """A body with the statements that never run set aside; nothing is assumed about its locals."""
    if not any(step.tests for step in part.steps):
        return part
    routine = root.known.program.routines.get(part.owner)
    params = routine.versions[-1].node.params if routine is not None else ()
    names: dict[str, Type] = {
        name: UNKNOWN
        for step in part.steps
        for name in deed_of(step.node).targets
        if name not in root.known.program.variables or isinstance(step.node, nodes.For)
    }
    names |= {param.name.text: declared_type(root.known, param.type) for param in params}
    scope = bind_names(root, names)
    answers: dict[int, bool | None] = {}
    shut: list[DeadStep] = []
    steps: list[FlowStep] = []
    for step in part.steps:
        for test, wanted in step.tests:
            if id(test) not in answers:
                answers[id(test)] = estimate(scope, test).holds
            if answers[id(test)] is (not wanted):
                shut.append(DeadStep(step, test, not wanted))
                break
        else:
            steps.append(step)
    return evolve(part, steps=tuple(steps), dead_steps=tuple(shut)) if shut else part


# ---- Cycles of calls -----------------------------------------------------------------------------


def _order(calls: dict[str, dict[str, Span]]) -> tuple[list[str], list[list[str]]]:
    """The routines, each after those that it calls; and the cycles among the others."""
    waiting = {name: len(called) for name, called in calls.items()}
    callers: dict[str, list[str]] = {name: [] for name in calls}
    for name, called in calls.items():
        for other in called:
            callers[other].append(name)
    order = [name for name, number in waiting.items() if number == 0]
    for name in order:
        for caller in callers[name]:
            waiting[caller] -= 1
            if waiting[caller] == 0:
                order.append(caller)
    circles: list[list[str]] = []
    for name, number in waiting.items():
        told = number == 0 or any(name in circle for circle in circles)
        circles += [] if told else [_shortest_circle(calls, name)]
    return order, [circle for circle in circles if circle]


def _shortest_circle(calls: dict[str, dict[str, Span]], start: str) -> list[str]:
    """The routines on the shortest way from one back to itself; none if there is no way."""
    came_from: dict[str, str] = {}
    waiting = [start]
    for name in waiting:
        for other in calls[name]:
            if other == start:
                circle = [name]
                while circle[-1] != start:
                    circle.append(came_from[circle[-1]])
                return circle[::-1]
            if other not in came_from:
                came_from[other] = name
                waiting.append(other)
    return []


def _circle(flow: Flow, circle: list[str]) -> Diagnostic:
    pairs = zip(circle, [*circle[1:], circle[0]], strict=True)
    links = [(name, other, flow.calls[name][other]) for name, other in pairs]
    # The message begins at a call in the game itself, not in a mechanism that it uses.
    routines = flow.program.routines
    borrowed = [routines[name].versions[-1].layer.origin == "mechanism" for name in circle]
    links = [*links[borrowed.index(min(borrowed)) :], *links[: borrowed.index(min(borrowed))]]
    told = [f"`{name}` calls `{other}`" for name, other, _ in links]
    if len(told) > LONGEST_CIRCLE:
        told = [*told[: LONGEST_CIRCLE - 1], "…", told[-1]]
    several = f"{', '.join(told[:-1])}, and {told[-1]} again"
    message = several if told[1:] else f"`{circle[0]}` calls itself"
    related = tuple(Related(f"`{name}` calls `{other}`", span) for name, other, span in links[1:])
    is_rule = routines[circle[0]].kind == "procedure"
    hint = (
        "use `repeat` instead of the call, and `stop` to leave it"
        if is_rule
        else _fold_hint(routines[circle[0]])
    )
    return Diagnostic(codes.RECURSION, message, links[0][2], related, hint)


def _fold_hint(function: Routine) -> str:
    """What to write instead of a function that goes on with itself: a fold over its first parameter."""
    params = function.versions[-1].node.params
    sets = [param.name.text for param in params if isinstance(param.type, nodes.SetType)]
    if sets:
        values = f"`sum(1 for c in {sets[0]})` or `max(#a + #b for a in subsets({sets[0]}), b in subsets({sets[0]} - a))`"
        return f"a value cannot go on with itself: fold over the set, as in {values}"
    last = params[0].name.text if params else "9"
    return (
        f"a value cannot go on with itself: fold over all numbers, as in `sum(i for i in 1..{last})`, or write"
        f" a rule that returns it, with a loop such as `for i in 1..{last}: total += i`"
    )


# ---- What calls do -------------------------------------------------------------------------------


def _learn(flow: Flow, order: list[str]) -> None:
    """Find out what each function reads and what each procedure may do, in the order of calls."""
    parts: dict[str, list[Body]] = {}
    for part in flow.live:
        parts.setdefault(part.owner, []).append(part)
    reset: dict[str, list[str]] = {}
    for name, stored in flow.program.variables.items():
        rule = stored.node.rule
        reset.setdefault(rule.text if rule is not None else "", []).append(name)
    for name in order:
        routine = flow.program.routines[name]
        if routine.kind == "function":
            flow.reads[name] = _reads(flow, *function_body(routine))
        else:
            effects = [_effect(flow, part, part.steps) for part in parts.get(name, [])]
            flow.effects[name] = Effect(
                chooses=any(each.chooses for each in effects),
                changes=_all(_names(flow, reset.get(name, ())), *(e.changes for e in effects)),
                changes_arguments=any(each.changes_arguments for each in effects),
                end=_either([each.end for each in effects if each.end is not None]),
            )


def _reads(flow: Flow, node: Any, bound: frozenset[str] = frozenset()) -> Names:
    """The zones, variables and locals on which an expression depends, also through functions."""
    names = {name.text for name in uses_of(node, bound)}
    return _all(_names(flow, names), *(flow.reads[name] for name in names if name in flow.reads))


def _names(flow: Flow, names: Iterable[str]) -> Names:
    """A set of names as bits."""
    return _all(*(1 << flow.bits.setdefault(name, len(flow.bits)) for name in names))


def _mask(flow: Flow, names: Collection[str]) -> Names:
    """The same for a collection that never changes, computed once."""
    found = flow.masks.get(id(names))
    if found is None:
        # The entry keeps the collection alive, so no other object gets its id.
        found = flow.masks[id(names)] = names, _names(flow, names)
    return found[1]


def _all(*names: Names) -> Names:
    found = 0
    for each in names:
        found |= each
    return found


def _either(ways: list[WayOut]) -> WayOut | None:
    reads = _all(*(each.reads for each in ways))
    return WayOut(reads, any(each.sure for each in ways), ways[0].span) if ways else None


def _called(flow: Flow, node: nodes.Statement) -> nodes.Call | None:
    """The procedure call that a statement is."""
    call: nodes.Expr | None = None
    if isinstance(node, nodes.Perform):
        call = node.call
    elif isinstance(node, nodes.Assign | nodes.Announce | nodes.Return):
        call = node.value
    return call if isinstance(call, nodes.Call) and call.function.text in flow.effects else None


def _effect(flow: Flow, part: Body, steps: Iterable[FlowStep], depth: int = OUTSIDE) -> Effect:
    """What some statements of a body may do; the first `depth` conditions of each are ignored."""
    chooses = False
    changes: Names = 0
    ends: list[WayOut] = []
    for step in steps:
        chooses = chooses or isinstance(step.node, nodes.Choice | nodes.Random)
        changes |= _changes(flow, part, step.node)
        if isinstance(step.node, nodes.End):
            ends.append(_way(flow, part, step, depth))
        call = _called(flow, step.node)
        if call is not None:
            effect = flow.effects[call.function.text]
            chooses = chooses or effect.chooses
            if effect.end is not None:
                way = _way(flow, part, step, depth)
                reads = way.reads | effect.end.reads | _reads(flow, call.arguments)
                ends.append(WayOut(reads, way.sure and effect.end.sure, way.span))
    params = _mask(flow, part.params)
    return Effect(chooses, changes, bool(changes & params), _either(ends))


def _way(flow: Flow, part: Body, step: FlowStep, depth: int) -> WayOut:
    """A statement that leaves. Seen from outside, a local depends on everything that it is computed from."""
    conditions = step.conditions[max(depth, 0) :]
    reads = _reads(flow, conditions)
    if depth == OUTSIDE and reads & _mask(flow, part.given):
        reads |= _reads(flow, tuple(each.node for each in part.steps))
    return WayOut(reads, not conditions, step.node.span)


def _changes(flow: Flow, part: Body, node: nodes.Statement) -> Names:
    """What a statement changes: zones, variables, locals, parameters that stand for zones."""
    deed = deed_of(node)
    changed, moved = _names(flow, deed.targets), _reads(flow, deed.moves)
    call = _called(flow, node)
    if call is not None:
        effect = flow.effects[call.function.text]
        changed |= effect.changes
        moved = _reads(flow, call.arguments) if effect.changes_arguments else 0
    if moved and moved & (_mask(flow, part.given) | _mask(flow, flow.program.variables)):
        moved |= _names(flow, [ANY_ZONE])  # the pieces of a local may lie anywhere
    return changed | moved


# ---- Loops ---------------------------------------------------------------------------------------


def _check_loops(flow: Flow) -> Iterator[Diagnostic]:
    in_play = _reached(flow, ("play", *_triggered(flow)))
    elsewhere = _reached(flow, ("setup", "finish"))
    triggers = [part for part in flow.live if part.owner.startswith("when ")]
    rescues = [way for part in triggers if (way := _rescue(flow, part)) is not None]
    for part in flow.live:
        helped = part.owner in in_play or part.owner not in elsewhere
        inside: dict[int, list[FlowStep]] = {}
        for step in part.steps:
            for loop in step.loops:
                inside.setdefault(id(loop), []).append(step)
        for step in part.steps:
            if isinstance(step.node, nodes.Repeat) and step.node.times is None:
                within = inside.get(id(step.node), [])
                yield from _check_loop(flow, part, step, within, rescues if helped else [])


def _rescue(flow: Flow, trigger: Body) -> WayOut | None:
    """How a trigger may end the game: it runs only if something changes that its condition reads."""
    end = _effect(flow, trigger, trigger.steps).end
    reads = flow.reads.get(trigger.owner.removeprefix("when "), 0)
    return WayOut(reads | end.reads, sure=False, span=end.span) if end is not None else None


def _is_idle(root: Scope, part: Body) -> bool:
    """Whether this is a trigger whose condition never holds."""
    trigger = part.owner.removeprefix("when ")
    return trigger != part.owner and estimate(root, nodes.Name(trigger)).holds is False


def _check_loop(
    flow: Flow, part: Body, loop: FlowStep, inside: list[FlowStep], rescues: list[WayOut]
) -> Iterator[Diagnostic]:
    depth = len(loop.conditions)
    ways = [_way(flow, part, step, depth) for step in inside if _leaves_loop(step, loop)]
    if any(use.text == "super" for step in inside for use in uses_of(step.node, frozenset())):
        return  # the overridden version may do anything, and is checked by itself
    effect = _effect(flow, part, inside, depth)
    ways += [*([effect.end] if effect.end is not None else []), *rescues]
    reads = _all(*(way.reads for way in ways))
    zones = flow.program.zones.keys() | {"box"}
    changes = effect.changes
    if changes & _names(flow, [ANY_ZONE]):
        changes |= _mask(flow, flow.program.zones) | _names(flow, ["box"])
    if ways and (effect.chooses or reads & changes or any(way.sure for way in ways)):
        return
    known = zones | flow.program.variables.keys() | part.given
    wanted = " or ".join(sorted(f"`{name}`" for name in known if reads & _names(flow, [name])))
    message = f"the `repeat` in {part.title} never ends: nobody chooses in it, and "
    message += (
        f"nothing in it changes {wanted}" if wanted else "the condition for leaving it never holds"
    )
    shut = [
        each
        for each in part.dead_steps
        if _leaves_loop(each.step, loop)
        or (isinstance(each.step.node, nodes.End) and _is_inside(each.step, loop))
    ]
    if not ways:
        message = f"the `repeat` in {part.title} never ends"
        message += ": no condition for leaving it ever holds" if shut else ": nothing leaves it"
    places = tuple(Related("this leaves it", way.span) for way in ways)
    for each in shut:
        so = "always" if each.holds else "never"
        places += (Related(f"{written(each.test)} {so} holds", each.step.node.span),)
    start = loop.node.span.start
    span = Span(loop.node.span.source, start, start + len("repeat"))
    hint = "write `stop` to leave it, `end` in a rule that it calls, or how often: `repeat 5`"
    yield Diagnostic(codes.ENDLESS_LOOP, message, span, places, hint)


def _leaves_loop(step: FlowStep, loop: FlowStep) -> bool:
    """Whether a statement itself leaves the loop; `end` is treated as an effect of the body."""
    if isinstance(step.node, nodes.Stop):
        return bool(step.loops) and step.loops[-1] is loop.node
    return isinstance(step.node, nodes.Return) and _is_inside(step, loop)


def _is_inside(step: FlowStep, loop: FlowStep) -> bool:
    return any(each is loop.node for each in step.loops)


# ---- Where the game cannot end -------------------------------------------------------------------


def _triggered(flow: Flow) -> list[str]:
    """What triggers call."""
    steps = [step for part in flow.live if part.owner.startswith("when ") for step in part.steps]
    return [call.function.text for step in steps if (call := _called(flow, step.node)) is not None]


def _reached(flow: Flow, start: Iterable[str]) -> dict[str, str]:
    """All routines that some routines call, each with its first caller."""
    reached = {name: "" for name in start if name in flow.calls}
    waiting = [*reached]
    for name in waiting:
        for other in flow.calls[name]:
            if other not in reached:
                reached[other] = name
                waiting.append(other)
    return reached


def _check_ends(flow: Flow) -> Iterator[Diagnostic]:
    in_play = _reached(flow, ("play", *_triggered(flow)))
    times = {"setup": "before the game begins", "finish": "after the game is over"}
    for engine_calls, when in times.items():
        reached = _reached(flow, (engine_calls,))
        for part in flow.live:
            for step in part.steps if part.owner in reached and part.owner not in in_play else ():
                if isinstance(step.node, nodes.End):
                    yield _stray_end(flow, part, step, reached, when)


def _stray_end(
    flow: Flow, part: Body, step: FlowStep, reached: dict[str, str], when: str
) -> Diagnostic:
    related: list[Related] = []
    name = part.owner
    while caller := reached[name]:
        related.append(Related(f"`{caller}` calls `{name}`", flow.calls[caller][name]))
        name = caller
    only = f"which only `{name}` calls, " if related else ""
    message = f"`end` is in {part.title}, {only}{when}"
    hint = "move it to a rule that `play` calls"
    return Diagnostic(codes.END_OUTSIDE_PLAY, message, step.node.span, tuple(related), hint)


# ---- Within one part -----------------------------------------------------------------------------


def _leaves(block: nodes.Body) -> nodes.Statement | None:
    """The statement of a block after which no other is reached, if there is one."""
    for line in statements_of(block):
        match line:
            case nodes.If(_, body, otherwise):
                if otherwise is not None and _leaves(body) and _leaves(otherwise.body):
                    return line
            case nodes.Repeat(None, body):
                stops = [each for each in steps_of(body, (), (line,)) if each.loops[-1] is line]
                if not any(isinstance(each.node, nodes.Stop) for each in stops):
                    return line
            case nodes.For() | nodes.Repeat():
                pass  # a `for` may have no values, and then its body never runs
            case _ if isinstance(line, nodes.Simple):
                if not deed_of(line).goes_on:
                    return line
            case _:
                assert_never(line)
    return None


def _check_reached(block: nodes.Body) -> Iterator[Diagnostic]:
    lines = [*statements_of(block)]
    last = _leaves(block)
    for number, line in enumerate(lines, 1):
        match line:
            case nodes.If(_, body, otherwise):
                yield from _check_reached(body)
                if otherwise is not None:
                    yield from _check_reached(otherwise.body)
            case nodes.For(_, _, body) | nodes.Repeat(_, body):
                yield from _check_reached(body)
            case _ if isinstance(line, nodes.Simple):
                pass
            case _:
                assert_never(line)
        if line is last and number < len(lines):
            yield _never_reached(last, lines[number])
            return


def _never_reached(last: nodes.Statement, following: nodes.Statement) -> Diagnostic:
    word = type(last).__name__.lower()
    why = {
        "if": "every branch of the `if` before it leaves",
        "repeat": "the `repeat` has no `stop`",
    }
    message = f"this is never reached, because {why.get(word, f'`{word}` comes before it')}"
    related = (Related("nothing after this is reached", last.span),)
    hint = f"move it before `{word}`, or delete it"
    return Diagnostic(codes.NEVER_DONE, message, following.span, related, hint)


def _check_leaving(part: Body) -> Iterator[Diagnostic]:
    """Report a `stop` outside of a loop, and a `return` whose value is missing or not wanted."""
    result = part.rule.result if part.rule is not None else None
    for step in part.steps:
        if isinstance(step.node, nodes.Stop) and not step.loops:
            message = "`stop` leaves a loop, but there is no loop around it"
            hint = "write `return` to leave the rule, or `end` to end the game"
            yield Diagnostic(codes.STOP_OUTSIDE_LOOP, message, step.node.span, hint=hint)
        if isinstance(step.node, nodes.Return) and (step.node.value is None) != (result is None):
            message = f"{part.title} has no result, but this `return` has a value"
            hint = "write `return` alone"
            if result is not None:
                message = f"{part.title} has a result, but this `return` has no value"
                hint = "write the value after `return`"
            elif part.rule is not None:
                hint += ", or `->` and a type at the end of the rule's first line"
            yield Diagnostic(codes.BAD_RETURN, message, step.node.span, hint=hint)
    if part.rule is not None and result is not None and _leaves(part.body) is None:
        message = f"{part.title} has a result, but can end without `return`"
        related = (Related("the result", result.span),)
        hint = "end it with `return` and the value"
        yield Diagnostic(codes.BAD_RETURN, message, part.rule.name.span, related, hint)
