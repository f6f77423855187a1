"""A worked example -> whether the rules do what it says, or how they differ.

Implements docs/language/9-examples.md and 13-semantics.md, "Examples". A shuffle leaves a pile as it is, and a `pick`
decides what chance draws.
"""

from collections.abc import Callable, Iterator
from typing import Any, assert_never

from attrs import define, evolve, field, frozen

from interpreter import families, flat
from interpreter.accounts import Account
from interpreter.deriving import derive
from interpreter.display_names import Listener
from interpreter.errors import RuleFault, WrongOption
from interpreter.event_log import Watch
from interpreter.example_runs import ExampleFails, ExampleRun, evaluate_now, label_now
from interpreter.expressions import whole
from interpreter.flat import Block, Code
from interpreter.labels import seat_name
from interpreter.layout import place_in
from interpreter.machine import Machine, blank_state, build_machine, running
from interpreter.moving import set_order
from interpreter.operations.sets import canonical
from interpreter.options import Decision
from interpreter.picks import is_meant, match_option, require_options
from interpreter.state import AT, BLOCK, OVER, PLAY, SLOTS, State
from interpreter.value_terms import Teller
from interpreter.verdicts import account_for_sides, author_of, judge_account
from interpreter.work import bounded, spend
from rulespec import codes
from rulespec.core import tree
from rulespec.core.examples import (
    ExampleRow,
    ExpectPart,
    ExpectStep,
    GivenStep,
    PickStep,
    RunStep,
    Wanted,
)
from rulespec.core.tree import Op
from rulespec.core.types import Several, Type, order_of
from rulespec.limits import MOST_STEPS
from rulespec.source import Span

# An observer of a running example gets the next step and the table.
Look = Callable[[int, Machine, State], None]

SEED = 1
MOST_READINGS = 16  # ways to assign the picks of one call to its questions
BY_ITSELF = "a single option is taken by itself, and nobody is asked"


@frozen
class ExampleFailure:
    """An example that fails: where and why, and how the value that was compared came about."""

    example: ExampleRow
    message: str
    span: Span
    notes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()  # rules that were running, the innermost first
    code: codes.Code = codes.EXAMPLE_FAILS
    why: Account | None = None


# [example.run]
def run_example(
    code: Code,
    example: ExampleRow,
    options: dict[str, Any] | None = None,
    reached: set[Any] | None = None,
    look: Look = lambda _step, _machine, _state: None,
) -> ExampleFailure | None:
    """Run an example; `None` if everything is as it says."""
    players = len(example.seats) or code.least_players
    blocks = dict(code.blocks)
    for number, step in enumerate(example.steps):
        if isinstance(step, RunStep):
            blocks[f"(example {number})"] = _caller(example, number, step)
    code = evolve(code, blocks=blocks)
    try:
        machine = build_machine(code, players, options, reached)
    except WrongOption as wrong:
        return ExampleFailure(example, str(wrong), example.origin.span)
    state = blank_state(machine, 0, SEED, Watch(machine.visibility, example.seats or None))
    state.phase = PLAY
    run = ExampleRun(machine, example, state)
    machine.context.expressions.result = lambda: run.result
    try:
        for number, step in enumerate(example.steps):
            look(number, machine, run.state)
            with bounded(run.state, step.origin.span):
                match step:
                    case GivenStep():
                        _give(run, step)
                    case RunStep():
                        _play(run, number, step)
                    case ExpectStep(parts):
                        for part in parts:
                            _expect(run, part)
                    case _:
                        assert_never(step)
        look(len(example.steps), machine, run.state)
    except ExampleFails as fails:
        return ExampleFailure(example, fails.message, fails.span, fails.notes, why=fails.why)
    except families.TooMany:
        message = "there are too many options to be listed"
        return ExampleFailure(example, message, step.origin.span, (), (), codes.TOO_MANY_STEPS)
    except RuleFault as fault:
        rules = running(machine, run.state)[:-1]  # without the example itself
        return ExampleFailure(example, fault.message, fault.span, (), rules, fault.code)
    return None


def _caller(example: ExampleRow, number: int, step: RunStep) -> Block:
    """A block that calls the rule of a `when` and keeps its result."""
    call = evolve(step.call, into=0)
    return Block(
        name=f"(example {number})",
        title=example.origin.rule,
        params=0,
        blank=(None,),
        slots=(("result", step.result),),
        body=(call, leave := tree.Return(None, step.origin)),
        code=(call, leave),
        scratch=example.scratch,
        origin=step.origin,
    )


# ---- Given ---------------------------------------------------------------------------------------


# [example.given]
def _give(run: ExampleRun, step: GivenStep) -> None:
    s, layout = run.state, run.machine.layout
    if step.target is not None:
        family = layout.variable_families[step.target.variable or ""]
        number = place_in(family, [evaluate_now(run, index) for index in step.target.indices])
        s.variables[number] = _variable_value(run, step.wanted, step.target.type)
        return
    zone = evaluate_now(run, step.zone) if step.zone is not None else 0
    for piece in s.zones[zone]:
        s.where[piece] = 0
    s.zones[0] = tuple(sorted((*s.zones[0], *s.zones[zone])))
    s.zones[zone] = ()
    taken: list[int] = []
    for wanted, look in _looks(run, step.wanted):
        held = layout.holds[zone]
        found = [
            piece
            for piece in s.zones[0]
            if piece in look and piece not in taken and (held is None or piece in held)
        ]
        if not found:
            raise ExampleFails(f"the box has no `{wanted.text}` left for this", wanted.span)
        taken.append(found[0])
    s.zones[0] = tuple(piece for piece in s.zones[0] if piece not in taken)
    s.zones[zone] = tuple(sorted(taken)) if layout.is_pool[zone] else tuple(taken)
    for piece in taken:
        s.where[piece] = zone


def _looks(run: ExampleRun, wanted: Wanted) -> Iterator[tuple[Wanted, frozenset[int]]]:
    """The pieces that an example asks for by their faces, one after the other."""
    if wanted.items is not None:
        for number, item in wanted.items:
            for _ in range(number):
                yield from _looks(run, item)
    elif wanted.look is not None:
        yield wanted, evaluate_now(run, wanted.look)
    elif wanted.value is not None:
        for each in evaluate_now(run, wanted.value) or ():
            look = Op("look_members", (Op("literal", value=(each,)),))
            yield wanted, evaluate_now(run, look) if wanted.members else frozenset({each})


def _variable_value(run: ExampleRun, wanted: Wanted, type_: Type) -> Any:
    if isinstance(type_, Several):
        if wanted.items is not None:
            form = canonical(run.machine.layout, order_of(type_.of))
            return form(_variable_value(run, item, type_.of) for _, item in wanted.items)
        value = evaluate_now(run, wanted.value) if wanted.value is not None else ()
        return value if isinstance(value, tuple) else () if value is None else (value,)
    if wanted.value is not None:
        return evaluate_now(run, wanted.value)
    look = evaluate_now(run, wanted.look) if wanted.look is not None else frozenset()
    if not look:
        raise ExampleFails(f"there is no `{wanted.text}`", wanted.span)
    return min(look)


# ---- When ----------------------------------------------------------------------------------------


@define
class _Picks:
    """The picks that a call has not used yet."""

    left: list[PickStep]
    plan: tuple[bool, ...] = ()  # whether the first forced choices use up picks; all later ones do
    forced: list[bool] = field(
        factory=list
    )  # for each forced choice that a pick fits: whether it used the pick


# [example.when]
def _play(run: ExampleRun, number: int, step: RunStep) -> None:
    """Call the rule with the first reading of the picks that fits; if none does, report the failure of the first."""
    before = run.state
    reached = run.machine.context.expressions.reached
    known = None if reached is None else frozenset(reached)
    first: tuple[State, ExampleFails | RuleFault | families.TooMany] | None = None
    picks = _Picks(list(step.picks))
    for _ in range(MOST_READINGS):
        run.state = before.clone()
        try:
            _call(run, number, step, picks)
        except (ExampleFails, RuleFault, families.TooMany) as fails:
            first = first or (run.state, fails)
            if reached is not None and known is not None and True in picks.forced:
                reached &= known
        else:
            return
        if True not in picks.forced:
            break
        last = max(n for n, used in enumerate(picks.forced) if used)
        picks = _Picks(list(step.picks), (*picks.forced[:last], False))
    if first is not None:
        run.state = first[0]
        raise first[1]


def _call(run: ExampleRun, number: int, step: RunStep, picks: _Picks) -> None:
    machine, s = run.machine, run.state
    s.phase = PLAY
    block = machine.context.blocks[f"(example {number})"]
    s.stack[:] = [[block, 0, None]]
    for _ in range(MOST_STEPS):
        if s.phase != PLAY:
            # `end`: the example goes on with its next step.
            s.stack.clear()
            s.phase = OVER
            break
        f = s.stack[-1]
        if f[BLOCK] == block and f[AT] == 1:
            run.result = f[SLOTS]
            s.stack.clear()
            break
        asked = _step(run, f, picks)
        if asked is not None:
            _stop(run, step, asked)
            return
    else:
        message = f"{MOST_STEPS:,} steps have been taken and it is not over"
        raise ExampleFails(message, step.origin.span)
    if picks.left:
        pick = picks.left[0]
        message = f"{pick.player or 'chance'} is not asked for `{pick.wanted.text}`"
        raise ExampleFails(message, pick.span, (BY_ITSELF,))
    if step.asked is not None:
        message = f"the call is over, and {step.asked.player} is not asked"
        raise ExampleFails(message, step.asked.span, (BY_ITSELF,))


# [example.asked]
def _stop(run: ExampleRun, step: RunStep, asked: Decision) -> None:
    """Check the question at which the example says that a call stops, and drop the rest of the call."""
    name = seat_name(run.state.watch.names, asked.player)
    if step.asked is None:
        raise ExampleFails(f"{name} has to choose here, but no pick says what", asked.origin.span)
    if step.asked.player != name:
        message = f"{name} is asked here, not {step.asked.player}"
        raise ExampleFails(message, step.asked.span, _offered(asked))
    if step.asked.options is not None:
        require_options(run, step.asked.options, list(asked.options), asked.of)
    run.state.stack.clear()
    run.result = None


def _step(run: ExampleRun, f: list[Any], picks: _Picks) -> Decision | None:
    """Take a step; return its question if no pick is left to answer it."""
    machine, s = run.machine, run.state
    spend(s, machine.costs[f[BLOCK]][f[AT]])
    instruction: flat.Instruction = machine.blocks[f[BLOCK]].code[f[AT]]
    answer = machine.answers[f[BLOCK]][f[AT]]
    size = len(machine.blocks[f[BLOCK]].slots) + SLOTS
    context = machine.context.expressions
    if context.reached is not None:
        context.reached.add((machine.blocks[f[BLOCK]].name, f[AT]))
    match instruction:
        case tree.End():
            # `finish` runs only if it is called.
            s.stack.clear()
            s.phase = OVER
            return None
        case tree.Shuffle(zone, origin):
            z = whole(context, zone, size, machine.blocks[f[BLOCK]].scratch)(s, f)
            f[AT] += 1
            set_order(machine.context, s, z, s.zones[z], origin)
            return None
        # [example.chance]
        case tree.Draw(_, values, of) if picks.left and not picks.left[0].player:
            found = whole(context, values, size, machine.blocks[f[BLOCK]].scratch)(s, f)
            members = found if isinstance(found, tuple) else tuple(families.members(found))
            chosen = match_option(run, picks.left.pop(0), list(members), of)
            answer(s, f, members[chosen])
            return None
        case tree.Draw() | tree.Choose() | tree.Each():
            pass
        case _ if isinstance(instruction, flat.Quiet):
            pass
        case _:
            assert_never(instruction)
    before = len(s.watch.events)
    waits = machine.steps[f[BLOCK]][f[AT]](s, f)
    if isinstance(waits, Decision):
        if not picks.left:
            return waits
        pick = picks.left.pop(0)
        chosen = _decide(run, pick, waits)
        answer(s, f, waits.player, waits.options[chosen])
    elif isinstance(instruction, tree.Choose | tree.Each):
        _use_up(run, picks, before)
    return None


# [example.forced]
def _use_up(run: ExampleRun, picks: _Picks, before: int) -> None:
    """Let a forced choice use a pick that agrees with it, unless a later question needs that pick."""
    for event in run.state.watch.events[before:]:
        if event.kind == "chose" and picks.left and event.told >> event.data[0] & 1:
            player, value, of, _ = event.data
            pick = picks.left[0]
            is_asked = pick.player == seat_name(run.state.watch.names, player)
            if is_asked and is_meant(run, pick.wanted, value, of):
                place = len(picks.forced)
                picks.forced.append(place >= len(picks.plan) or picks.plan[place])
                if picks.forced[-1]:
                    if pick.options is not None:
                        require_options(run, pick.options, [value], of)
                    picks.left.pop(0)


def _decide(run: ExampleRun, pick: PickStep, decision: Decision) -> int:
    name = seat_name(run.state.watch.names, decision.player)
    if pick.player != name:
        who = pick.player or "chance"
        raise ExampleFails(f"{name} has to choose here, not {who}", pick.span, _offered(decision))
    if pick.options is None and pick.wanted.items is None and len(decision.options) > 10_000:
        raise ExampleFails("there are too many options to look through", pick.span)
    options = list(decision.options)
    if pick.options is not None:
        require_options(run, pick.options, options, decision.of)
    return match_option(run, pick, options, decision.of)


def _offered(decision: Decision) -> tuple[str, ...]:
    texts = [option.text for option in decision.listed(12)]
    more = len(decision.options) - len(texts)
    return (f"the options are {', '.join(texts)}" + (f" and {more} more" if more > 0 else ""),)


# ---- Expect --------------------------------------------------------------------------------------


# [example.expect]
def _expect(run: ExampleRun, part: ExpectPart) -> None:
    if evaluate_now(run, part.condition):
        return
    found = [
        (side.text, label_now(run, evaluate_now(run, side.value), side.type)) for side in part.sides
    ]
    notes = tuple(f"`{text}` is {value}" for text, value in found if text != value)
    raise ExampleFails(f"expected `{part.text}`", part.span, notes, _why(run, part))


def work_out(machine: Machine, s: State, example: ExampleRow, number: int) -> tuple[Account, ...]:
    """How the expected numbers of a step come about, as a person would add them up."""
    step = example.steps[number]
    if not isinstance(step, ExpectStep):
        return ()
    to = Listener(machine.layout, example.seats or None)
    accounts: dict[Account, None] = {}
    for part in step.parts:
        found = derive(machine, s, part.condition, to, scratch=example.scratch)
        accounts |= dict.fromkeys(account_for_sides(Teller(to), found))
    return tuple(each for each in accounts if len(each.entries) > 1 or each.columns)


def _why(run: ExampleRun, part: ExpectPart) -> Account:
    """How the compared value came about, for the author."""
    teller = author_of(run.machine, run.state.watch.names)
    scratch = run.example.scratch
    found = derive(run.machine, run.state, part.condition, teller.to, scratch=scratch)
    return judge_account(teller, "", found)
