"""A worked example -> whether the rules do what it says, or how they differ.

Implements docs/language/9-examples.md and 13-semantics.md, "Examples". A pile is shuffled into the order in
which it lies, and chance takes what is picked for it.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import Any, assert_never

from attrs import define, evolve, frozen

from interpreter import families, flat
from interpreter.accounts import Account
from interpreter.actions import Action, untagged
from interpreter.deriving import derive
from interpreter.display_names import Listener
from interpreter.errors import RuleFault
from interpreter.event_log import Watch
from interpreter.expressions import ExpressionContext, whole
from interpreter.flat import Block, Code
from interpreter.labels import label, seat_name
from interpreter.layout import place_in
from interpreter.machine import Machine, blank_state, build_machine, running
from interpreter.moving import set_order
from interpreter.operations.pieces import pair
from interpreter.operations.sets import canonical
from interpreter.options import Decision, twin_of
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
from rulespec.core.types import Piece, Several, Type, Unknown, element, order_of
from rulespec.limits import MOST_STEPS
from rulespec.source import Span

# Who looks at an example under way is told which step comes next, and sees the table.
Look = Callable[[int, Machine, State], None]

SEED = 1


BY_ITSELF = "a single option is taken by itself, and nobody is asked"


class _Fails(Exception):  # noqa: N818 - it never leaves this module
    def __init__(
        self,
        message: str,
        span: Span,
        notes: tuple[str, ...] = (),
        why: Account | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.span, self.notes, self.why = message, span, notes, why


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


@define
class _Run:
    """An example under way."""

    machine: Machine
    example: ExampleRow
    state: State
    result: Any = None


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
    machine = build_machine(code, players, options, reached)
    state = blank_state(machine, 0, SEED, Watch(machine.visibility, example.seats or None))
    state.phase = PLAY
    run = _Run(machine, example, state)
    machine.context.expressions.result = lambda: run.result
    try:
        for number, step in enumerate(example.steps):
            look(number, machine, state)
            with bounded(state, step.origin.span):
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
        look(len(example.steps), machine, state)
    except _Fails as fails:
        return ExampleFailure(example, fails.message, fails.span, fails.notes, why=fails.why)
    except families.TooMany:
        message = "there are too many options to be listed"
        return ExampleFailure(example, message, step.origin.span, (), (), codes.TOO_MANY_STEPS)
    except RuleFault as fault:
        rules = running(machine, state)[:-1]  # without the example itself
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


def _evaluate(run: _Run, op: Op) -> Any:
    context: ExpressionContext = run.machine.context.expressions
    return whole(context, op, SLOTS, run.example.scratch)(run.state, [0, 0])


def _label(run: _Run, value: Any, of: Type) -> str:
    return label(run.machine.layout, value, of, run.state.watch.names)


# ---- Given ---------------------------------------------------------------------------------------


# [example.given]
def _give(run: _Run, step: GivenStep) -> None:
    s, layout = run.state, run.machine.layout
    if step.target is not None:
        family = layout.variable_families[step.target.variable or ""]
        number = place_in(family, [_evaluate(run, index) for index in step.target.indices])
        s.variables[number] = _variable_value(run, step.wanted, step.target.type)
        return
    zone = _evaluate(run, step.zone) if step.zone is not None else 0
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
            raise _Fails(f"the box has no `{wanted.text}` left for this", wanted.span)
        taken.append(found[0])
    s.zones[0] = tuple(piece for piece in s.zones[0] if piece not in taken)
    s.zones[zone] = tuple(sorted(taken)) if layout.is_pool[zone] else tuple(taken)
    for piece in taken:
        s.where[piece] = zone


def _looks(run: _Run, wanted: Wanted) -> Iterator[tuple[Wanted, frozenset[int]]]:
    """The pieces that an example asks for by their faces, one after the other."""
    if wanted.items is not None:
        for number, item in wanted.items:
            for _ in range(number):
                yield from _looks(run, item)
    elif wanted.look is not None:
        yield wanted, _evaluate(run, wanted.look)
    elif wanted.value is not None:
        for each in _evaluate(run, wanted.value) or ():
            look = Op("look_members", (Op("literal", value=(each,)),))
            yield wanted, _evaluate(run, look) if wanted.members else frozenset({each})


def _variable_value(run: _Run, wanted: Wanted, type_: Type) -> Any:
    if isinstance(type_, Several):
        if wanted.items is not None:
            form = canonical(run.machine.layout, order_of(type_.of))
            return form(_variable_value(run, item, type_.of) for _, item in wanted.items)
        value = _evaluate(run, wanted.value) if wanted.value is not None else ()
        return value if isinstance(value, tuple) else () if value is None else (value,)
    if wanted.value is not None:
        return _evaluate(run, wanted.value)
    look = _evaluate(run, wanted.look) if wanted.look is not None else frozenset()
    if not look:
        raise _Fails(f"there is no `{wanted.text}`", wanted.span)
    return min(look)


# ---- When ----------------------------------------------------------------------------------------


# [example.when]
def _play(run: _Run, number: int, step: RunStep) -> None:
    machine, s = run.machine, run.state
    s.phase = PLAY
    block = machine.context.blocks[f"(example {number})"]
    s.stack[:] = [[block, 0, None]]
    picks = list(step.picks)
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
        raise _Fails(f"{MOST_STEPS:,} steps have been taken and it is not over", step.origin.span)
    if picks:
        who = picks[0].player or "chance"
        message = f"{who} is not asked for `{picks[0].wanted.text}`"
        raise _Fails(message, picks[0].span, (BY_ITSELF,))
    if step.asked is not None:
        message = f"the call is over, and {step.asked.player} is not asked"
        raise _Fails(message, step.asked.span, (BY_ITSELF,))


# [example.asked]
def _stop(run: _Run, step: RunStep, asked: Decision) -> None:
    """The example says that a call stops at a question; what is left of the call is dropped."""
    name = seat_name(run.state.watch.names, asked.player)
    if step.asked is None:
        raise _Fails(f"{name} has to choose here, but no pick says what", asked.origin.span)
    if step.asked.player != name:
        message = f"{name} is asked here, not {step.asked.player}"
        raise _Fails(message, step.asked.span, _offered(asked))
    if step.asked.options is not None:
        _same_options(run, step.asked.options, list(asked.options), asked.of)
    run.state.stack.clear()
    run.result = None


def _step(run: _Run, f: list[Any], picks: list[PickStep]) -> Decision | None:
    """Take a step; returns the question that it asks, if no pick is left to answer it."""
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
        case tree.Draw(_, values, of) if picks and not picks[0].player:
            found = whole(context, values, size, machine.blocks[f[BLOCK]].scratch)(s, f)
            members = found if isinstance(found, tuple) else tuple(families.members(found))
            chosen = _match(run, picks[0], list(members), of)
            picks.pop(0)
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
        if not picks:
            return waits
        pick = picks.pop(0)
        chosen = _decide(run, pick, waits)
        answer(s, f, waits.player, waits.options[chosen])
    elif isinstance(instruction, tree.Choose | tree.Each):
        _use_up(run, picks, before)
    return None


# [example.forced]
def _use_up(run: _Run, picks: list[PickStep], before: int) -> None:
    """A forced choice uses up a pick that agrees with it."""
    for event in run.state.watch.events[before:]:
        if event.kind == "chose" and picks and event.told >> event.data[0] & 1:
            player, value, of, _ = event.data
            pick = picks[0]
            if pick.player == seat_name(run.state.watch.names, player) and _matches(
                run, pick.wanted, value, of
            ):
                if pick.options is not None:
                    _same_options(run, pick.options, [value], of)
                picks.pop(0)


def _decide(run: _Run, pick: PickStep, decision: Decision) -> int:
    name = seat_name(run.state.watch.names, decision.player)
    if pick.player != name:
        who = pick.player or "chance"
        raise _Fails(f"{name} has to choose here, not {who}", pick.span, _offered(decision))
    if pick.options is None and pick.wanted.items is None and len(decision.options) > 10_000:
        raise _Fails("there are too many options to look through", pick.span)
    options = list(decision.options)
    if pick.options is not None:
        _same_options(run, pick.options, options, decision.of)
    return _match(run, pick, options, decision.of)


def _offered(decision: Decision) -> tuple[str, ...]:
    texts = [option.text for option in decision.listed(12)]
    more = len(decision.options) - len(texts)
    return (f"the options are {', '.join(texts)}" + (f" and {more} more" if more > 0 else ""),)


# [example.picks]
def _match(run: _Run, pick: PickStep, options: list[Any], of: Type) -> int:
    """The one option that a pick means."""
    found = [n for n, value in enumerate(options) if _matches(run, pick.wanted, value, of)]
    # Chance draws any of some look-alikes; players are offered only one of them.
    if len({_twins(run, options[n], of) for n in found}) == 1:
        return found[0]
    texts = [_label(run, value, of) for value in options[:12]]
    notes = (f"the options are {', '.join(texts)}",)
    if not found:
        raise _Fails(f"`{pick.wanted.text}` is not an option here", pick.span, notes)
    message = f"`{pick.wanted.text}` may be any of {len(found)} options"
    raise _Fails(message, pick.span, notes)


# [example.options]
def _same_options(run: _Run, wanted: Wanted, options: list[Any], of: Type) -> None:
    """Those after `of` are paired with the options one to one."""
    if wanted.items is not None:
        expected: list[Any] = [item for number, item in wanted.items for _ in range(number)]
    else:
        values = _evaluate(run, wanted.value) if wanted.value is not None else ()
        members = values if isinstance(values, tuple) else tuple(families.members(values))
        expected = list(members)
    # Players, members and numbers are all numbers in the state: those of another sort are none of these.
    is_alike = wanted.items is not None or _is_alike(wanted.type, of)
    candidates = [
        [n for n, value in enumerate(options) if _fits(run, each, value, of)] for each in expected
    ]
    if is_alike and len(expected) == len(options) and pair(candidates):
        return
    texts = ", ".join(_label(run, value, of) for value in options[:20])
    raise _Fails(
        f"the options are {texts or 'none at all'}", wanted.span, (f"expected {wanted.text}",)
    )


def _fits(run: _Run, wanted: Any, value: Any, of: Type) -> bool:
    if isinstance(wanted, Wanted):
        return _matches(run, wanted, value, of)
    value, of = untagged(value, of)
    if isinstance(wanted, tuple) and isinstance(value, tuple):
        return frozenset(wanted) == frozenset(value)
    return bool(wanted == value)


def _matches(run: _Run, wanted: Wanted, value: Any, of: Type) -> bool:
    """Whether a value is the wanted one: pieces are compared by their faces, other values directly."""
    value, of = untagged(value, of)
    if value is None:
        return (
            wanted.items is None
            and wanted.value is not None
            and _evaluate(run, wanted.value) is None
        )
    if isinstance(value, tuple):
        inner = of.of if isinstance(of, Several) else of
        if wanted.items is not None:
            items = [item for number, item in wanted.items for _ in range(number)]
            candidates = [
                [n for n, each in enumerate(value) if _matches(run, item, each, inner)]
                for item in items
            ]
            return len(items) == len(value) and pair(candidates)
        if wanted.value is None or not _is_alike(wanted.type, of):
            return False
        found = _evaluate(run, wanted.value)
        found = found if isinstance(found, tuple) else () if found is None else (found,)
        return frozenset(found) == frozenset(value)
    if isinstance(of, Piece):
        if wanted.look is not None:
            return value in _evaluate(run, wanted.look)
        return False
    if wanted.value is None or not _is_alike(wanted.type, of):
        return False
    return bool(_evaluate(run, wanted.value) == value)


def _twins(run: _Run, value: Any, of: Type) -> Hashable:
    """A key that a value shares with those that look like it."""
    layout, s = run.machine.layout, run.state
    if isinstance(value, Action):
        return value
    if isinstance(value, tuple) and isinstance(element(of), Piece):
        return frozenset(Counter(twin_of(layout, s, piece) for piece in value).items())
    return twin_of(layout, s, value) if isinstance(of, Piece) and value is not None else value


def _is_alike(one: Type, other: Type) -> bool:
    """Whether both are players, or numbers, or members of enums: values are plain numbers in the state."""
    sorts = [type(_innermost(each)) for each in (one, other)]
    return sorts[0] is sorts[1] or sorts[0] is Unknown


def _innermost(type_: Type) -> Type:
    """The type of what is in a set, or in the sets of a family."""
    inner = element(type_)
    return type_ if inner is None or inner == type_ else _innermost(inner)


# ---- Expect --------------------------------------------------------------------------------------


# [example.expect]
def _expect(run: _Run, part: ExpectPart) -> None:
    if _evaluate(run, part.condition):
        return
    found = [(side.text, _label(run, _evaluate(run, side.value), side.type)) for side in part.sides]
    notes = tuple(f"`{text}` is {value}" for text, value in found if text != value)
    raise _Fails(f"expected `{part.text}`", part.span, notes, _why(run, part))


def work_out(machine: Machine, s: State, example: ExampleRow, number: int) -> tuple[Account, ...]:
    """How the numbers that a step of an example expects come about, as a person would add them up."""
    step = example.steps[number]
    if not isinstance(step, ExpectStep):
        return ()
    to = Listener(machine.layout, example.seats or None)
    accounts: dict[Account, None] = {}
    for part in step.parts:
        found = derive(machine, s, part.condition, to, scratch=example.scratch)
        accounts |= dict.fromkeys(account_for_sides(Teller(to), found))
    return tuple(each for each in accounts if len(each.entries) > 1 or each.columns)


def _why(run: _Run, part: ExpectPart) -> Account:
    """How the compared value came about, for the author."""
    teller = author_of(run.machine, run.state.watch.names)
    scratch = run.example.scratch
    found = derive(run.machine, run.state, part.condition, teller.to, scratch=scratch)
    return judge_account(teller, "", found)
