"""An instruction of flat code -> what it does: a function that changes the state by one step.

Implements docs/language/13-semantics.md, "Steps". A step returns None, and the machine goes on, or the decision that
the game waits for. There is one builder for each kind of instruction; those that move pieces are in
`moving`, those that wait in `asking`.

Short names: `s` state, `f` frame.
"""

from typing import Any, assert_never

from interpreter import flat
from interpreter.asking import make_choice, make_draw, make_each
from interpreter.errors import Crash, RuleFault
from interpreter.expressions import row_test
from interpreter.moving import make_move, make_show, make_shuffle
from interpreter.state import AT, BLOCK, FINISH, OVER, PLAY, SLOTS, Frame, State
from interpreter.step_context import Fires, Step, StepContext, StepSite, fire, held_before, store_in
from rulespec import codes
from rulespec.core import tree
from rulespec.core.operations import OPERATIONS
from rulespec.core.tree import Origin, walk_operations
from rulespec.core.types import Type


def make_step(context: StepContext, block: flat.Block, number: int) -> Step:
    """The step of an instruction in a block."""
    site = StepSite(context, block)
    instruction = block.code[number]
    match instruction:
        case tree.Assign():
            return _assign(site, instruction)
        case flat.Iterate():
            return _iterate(site, instruction)
        case flat.Next():
            return _next(instruction)
        case flat.Times():
            return _times(site, instruction)
        case flat.Again():
            return _again(instruction)
        case tree.Clear():
            return _clear(instruction)
        case flat.Jump():
            return _jump(instruction)
        case flat.Unless():
            return _unless(site, instruction)
        case tree.Move():
            return make_move(site, instruction)
        case tree.Shuffle():
            return make_shuffle(site, instruction)
        case tree.Show():
            return make_show(site, instruction)
        case tree.Announce():
            return _announce(site, instruction)
        case tree.Tell():
            return _tell(site, instruction)
        case tree.Draw():
            return make_draw(site, instruction)
        case tree.Choose():
            return make_choice(site, instruction)
        case tree.Each():
            return make_each(site, instruction)
        case tree.Call():
            return _call(site, instruction)
        case tree.Enter():
            return _enter(site, instruction)
        case tree.Return():
            return _return(site, instruction)
        case tree.End():
            return _end(site, instruction)
        case _:
            assert_never(instruction)


# ---- Values --------------------------------------------------------------------------------------


def _assign(site: StepSite, instruction: tree.Assign) -> Step:
    value = site.expression(instruction.value)
    store = store_in(site, instruction.target, instruction.origin)

    # [step.assign]
    def assign(s: State, f: Frame) -> None:
        v = value(s, f)
        f[AT] += 1
        store(s, f, v)

    return assign


def _announce(site: StepSite, instruction: tree.Announce) -> Step:
    value, players = site.expression(instruction.value), site.expression(instruction.players)
    name, of, origin = instruction.name, instruction.of, instruction.origin

    # [step.announce]
    def announce(s: State, f: Frame) -> None:
        found, to = value(s, f), players(s, f)
        f[AT] += 1
        if s.watch is not None:
            s.watch.announced(name, found, of, to, origin)

    return announce


def _tell(site: StepSite, instruction: tree.Tell) -> Step:
    """If nobody watches, only the holes that could fail are evaluated."""
    players, origin = site.expression(instruction.players), instruction.origin
    parts: list[str | tuple[Any, Type]] = []
    risky = []
    for part in instruction.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = site.expression(part)
        parts.append((value, part.type))
        if any(
            OPERATIONS[each.name].fails or each.name in ("call", "row")
            for each in walk_operations(part)
        ):
            risky.append(value)
    heading = instruction.heading

    # [step.tell]
    def tell(s: State, f: Frame) -> None:
        f[AT] += 1
        if s.watch is None:
            for value in risky:
                value(s, f)
            return
        filled = [part if isinstance(part, str) else (part[0](s, f), part[1]) for part in parts]
        s.watch.told(s, filled, players(s, f), origin, heading=heading)

    return tell


# ---- Loops and jumps -----------------------------------------------------------------------------


def _iterate(site: StepSite, instruction: flat.Iterate) -> Step:
    values = site.expression(instruction.values)
    slot = instruction.slot + SLOTS

    # [step.for]
    def iterate(s: State, f: Frame) -> None:
        f[slot] = values(s, f)
        f[AT] += 1

    return iterate


def _next(instruction: flat.Next) -> Step:
    slot, into, leave = instruction.slot + SLOTS, instruction.into + SLOTS, instruction.exit

    def step(_s: State, f: Frame) -> None:
        rest = f[slot]
        if rest:
            f[into] = rest[0]
            f[slot] = rest[1:]
            f[AT] += 1
        else:
            f[AT] = leave

    return step


def _times(site: StepSite, instruction: flat.Times) -> Step:
    number = site.expression(instruction.number)
    slot = instruction.slot + SLOTS

    # [step.repeat]
    def times(s: State, f: Frame) -> None:
        f[slot] = number(s, f)
        f[AT] += 1

    return times


def _again(instruction: flat.Again) -> Step:
    slot, leave = instruction.slot + SLOTS, instruction.exit

    def again(_s: State, f: Frame) -> None:
        if f[slot] > 0:
            f[slot] -= 1
            f[AT] += 1
        else:
            f[AT] = leave

    return again


def _clear(instruction: tree.Clear) -> Step:
    slots = [slot + SLOTS for slot in instruction.slots]

    def clear(_s: State, f: Frame) -> None:
        for slot in slots:
            f[slot] = None
        f[AT] += 1

    return clear


def _jump(instruction: flat.Jump) -> Step:
    to = instruction.to

    def jump(_s: State, f: Frame) -> None:
        f[AT] = to

    return jump


def _unless(site: StepSite, instruction: flat.Unless) -> Step:
    condition = site.expression(instruction.condition)
    to = instruction.to

    # [step.if]
    def unless(s: State, f: Frame) -> None:
        f[AT] = f[AT] + 1 if condition(s, f) else to

    return unless


# ---- Calls ---------------------------------------------------------------------------------------


def _call(site: StepSite, instruction: tree.Call) -> Step:
    context = site.context
    block = context.blocks[instruction.block]
    arguments = [site.expression(each) for each in instruction.arguments]
    rest = context.blanks[block][len(arguments) :]
    resets = instruction.resets
    numbers = context.expressions.layout.resets.get(resets or "", ())
    if not numbers:
        # [step.call]
        def call(s: State, f: Frame) -> None:
            given = [part(s, f) for part in arguments]
            f[AT] += 1
            push(context, s, [block, 0, *given, *rest])

        return call

    def call_afresh(s: State, f: Frame) -> None:
        given = [part(s, f) for part in arguments]
        f[AT] += 1
        reset(context, s, resets or "", block, [*given, *rest], instruction.origin)

    return call_afresh


# [step.reset]
def reset(  # noqa: PLR0913, PLR0917 - what is called, and with what
    context: StepContext, s: State, rule: str, block: int, slots: list[Any], origin: Origin
) -> None:
    """Call a rule that has variables of its own, and reset these in the same step."""
    numbers = context.expressions.layout.resets[rule]
    watching: Fires = ()
    if s.phase == PLAY:
        watching = tuple(sorted({t for n in numbers for t in context.variable_triggers[n]}))
    held = held_before(context, s, watching) if watching else ()
    changed = s.variables[:]
    context.resets[rule](s)
    if s.watch is not None:
        for n in numbers:
            type_ = context.expressions.layout.variables[n][0].type
            s.watch.assigned(s, n, changed[n], s.variables[n], type_, origin)
    push(context, s, [block, 0, *slots])
    if watching:
        fire(context, s, watching, held)


def push(context: StepContext, s: State, frame: Frame) -> None:
    """Begin a block; of an action table the row that matches now, before any trigger runs."""
    s.stack.append(frame)
    enter = context.enters.get(frame[BLOCK])
    if enter is not None:
        enter(s, frame)


def _enter(site: StepSite, instruction: tree.Enter) -> Step:
    context = site.context
    inputs = [site.expression(each) for each in instruction.inputs]
    params = site.block.params
    rows = [
        (row_test(context.expressions, patterns), context.blocks[name])
        for patterns, name in instruction.rows
    ]

    reached = context.expressions.reached

    # [step.table]
    def enter(s: State, f: Frame) -> None:
        if reached is not None:
            reached.add((site.block.name, 0))
        found = [part(s, f) for part in inputs]
        for accepts, block in rows:
            if accepts(found):
                given = f[SLOTS : SLOTS + params]
                s.stack[-1] = [block, 0, *given, *context.blanks[block][params:]]
                return
        raise Crash(f"no row of {site.block.name} matches {found}")

    context.enters[context.blocks[site.block.name]] = enter
    return enter


def _return(site: StepSite, instruction: tree.Return) -> Step:
    value = None if instruction.value is None else site.expression(instruction.value)
    # A trigger has no caller: it returns no value to the rule that it interrupted.
    interrupts = any(
        site.block.name == row.block for row in site.context.expressions.layout.code.triggers
    )

    # [step.return]
    def leave(s: State, f: Frame) -> None:
        v = None if value is None else value(s, f)
        s.stack.pop()
        if s.stack and not interrupts:
            caller = s.stack[-1]
            into = site.context.results[caller[BLOCK]].get(caller[AT])
            if into is not None:
                caller[into] = v

    return leave


def _end(site: StepSite, instruction: tree.End) -> Step:
    context = site.context

    # [step.end]
    def end(s: State, _f: Frame) -> None:
        if s.phase != PLAY:
            message = "the game ends only while it is played, and not in `setup` or `finish`"
            raise RuleFault(codes.END_TOO_EARLY, message, instruction.origin.span)
        finish_play(context, s)

    return end


def finish_play(context: StepContext, s: State) -> None:
    """Drop the stack, and start `finish` if there is one."""
    s.stack.clear()
    block = context.blocks.get("finish")
    if block is None:
        s.phase = OVER
        return
    s.phase = FINISH
    start_rule(context, s, "finish")


def start_rule(context: StepContext, s: State, rule: str) -> None:
    """Call one of the rules that the engine itself calls."""
    block = context.blocks[rule]
    slots = list(context.blanks[block])
    if rule in context.expressions.layout.resets:
        reset(context, s, rule, block, slots, context.expressions.layout.code.blocks[rule].origin)
    else:
        push(context, s, [block, 0, *slots])
