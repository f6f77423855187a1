"""The body of a loop -> what a turn probably changes, and which slots it may read before it assigns them.

Only the text of the body and earlier walks through it are looked at: a wrong guess costs another turn, and no leak.
"""

from collections.abc import Callable
from typing import assert_never

from rulespec.core import tree
from rulespec.core.tree import Op, Target, walk_operations
from rulespec.core.types import Place as ZoneType
from rulespec.core.types import Type
from rulespec.secrets.check_run import Changes, Run
from rulespec.secrets.parts import Env, holds_pieces


def _united(one: Changes, other: Changes) -> Changes:
    """What two bodies of one rule change together."""
    return Changes(
        one.slots | other.slots, one.variables | other.variables, one.zones | other.zones
    )


def guess_changes(run: Run, body: tree.Body) -> Changes:
    """What a body is likely to change; a wrong guess only costs another turn."""
    found = Changes()
    for node in body:
        found = _united(found, _guess_statement(run, node))
    return found


def _guess_statement(run: Run, node: tree.Statement) -> Changes:
    match node:
        case tree.Choose(target=target, options=values, of=of, other=tree.Other(target=second)):
            changed = _united(_given(target), _given(second))
            return _united(changed, _named(values) if holds_pieces(of) else Changes())
        case tree.Draw(target, values, of) | tree.Choose(_, target, values, of):
            return _united(_given(target), _named(values) if holds_pieces(of) else Changes())
        case tree.Assign(target) | tree.Each(target=target):
            return _given(target)
        case tree.Move(_, pieces, zone):
            return _named(pieces, zone)
        case tree.Shuffle(zone):
            return _named(zone)
        case tree.Call(block, arguments):
            zones = _named(*(each for each in arguments if isinstance(each.type, ZoneType)))
            reset = frozenset(
                name for name, row in run.variables.items() if row.rule and row.rule == node.resets
            )
            return _united(_united(zones, _guess_block(run, block)), Changes(variables=reset))
        case tree.Enter(_, rows):
            found = Changes()
            for _, block in rows:
                found = _united(found, _guess_block(run, block))
            return found
        case tree.If(_, then, otherwise):
            return _united(guess_changes(run, then), guess_changes(run, otherwise or ()))
        case tree.For() | tree.Repeat():
            return guess_changes(run, node.body)
        case tree.Show() | tree.Stop() | tree.Return() | tree.End() | tree.Clear():
            return Changes()
        case tree.Announce() | tree.Tell():
            return Changes()
        case _:
            assert_never(node)


def _given(target: Target) -> Changes:
    """The slot or variable to which a target assigns; a family of locals is one slot and keeps its other members."""
    if target.variable is not None:
        return Changes(variables=frozenset({target.variable}))
    return Changes(slots=frozenset() if target.slot is None else frozenset({target.slot}))


def _named(*ops: Op) -> Changes:
    """The zones that expressions name."""
    return Changes(zones=frozenset(op.word for op in walk_operations(*ops) if op.name == "zone"))


def expected_changes(env: Env, node: tree.For | tree.Repeat) -> Changes:
    """What a loop will probably change, judged by its body and by what it changed when it was followed before."""
    run = env.run
    found = run.guesses.get(id(node)) or guess_changes(run, node.body)
    run.guesses[id(node)] = found
    before = run.changes.get(id(node), Changes())
    zones = set(found.zones)
    given = {
        op.place
        for each in node.body
        if isinstance(each, tree.Move)
        for op in walk_operations(each.zone)
        if op.name == "slot" and isinstance(op.type, ZoneType)
    }
    for place in given:  # a zone that was passed to the rule
        value = env.state.slots.get((env.frame, place))
        zones |= {value.place.zone} & run.zones.keys() if value and value.place else set()
    if not given:
        zones |= before.zones
    return Changes(
        found.slots | before.slots,
        found.variables | before.variables,
        frozenset(zones),
        before.sorted,
    )


def _guess_block(run: Run, name: str) -> Changes:
    """What a call of a rule is likely to change outside of its own frame."""
    if name not in run.guesses:
        found = guess_changes(run, run.core.blocks[name].body)
        run.guesses[name] = Changes(variables=found.variables, zones=found.zones)
    return run.guesses[name]


def exposed_slots(run: Run, node: tree.For | tree.Repeat) -> frozenset[int]:
    """The slots that a turn of a loop may read before it assigns them."""
    found = run.exposed.get(id(node))
    if found is None:
        read_first: set[int] = set()
        _read_first(node.body, set(), read_first)
        found = run.exposed[id(node)] = frozenset(read_first)
    return found


def _read_first(body: tree.Body, given: set[int], found: set[int]) -> None:
    """Add to `found` the slots that a body may read before it assigns them, to `given` those it surely assigns."""

    def reads(*ops: Op | str | None) -> None:
        for op in walk_operations(*(each for each in ops if isinstance(each, Op))):
            if op.name == "slot" and op.place not in given:
                found.add(op.place)

    for node in body:
        match node:
            case tree.Assign(_, value):
                reads(value)
                _gives(node.target, reads, given)
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
            case tree.Move(_, pieces, zone, _, position):
                reads(pieces, zone, position)
            case tree.Shuffle(zone):
                reads(zone)
            case tree.Show(pieces, players):
                reads(pieces, players)
            case tree.Announce(value, players):
                reads(value, players)
            case tree.Tell(parts, players):
                reads(players, *parts)
            case tree.Draw(_, values):
                reads(values)
                _gives(node.target, reads, given)
            case tree.Choose():
                reads(node.player, node.options, *_shown_in(node.prompt))
                if node.other is not None:
                    reads(node.other.options)
                    _gives(node.other.target, reads, given)
                _gives(node.target, reads, given)
            case tree.Each():
                given.add(node.seat)
                reads(node.players, node.options, *_shown_in(node.prompt))
                _gives(node.target, reads, given)
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


def _shown_in(prompt: tuple[str | tuple[Op, Type], ...]) -> list[Op]:
    """The values that a question shows."""
    return [each[0] for each in prompt if not isinstance(each, str)]


def _gives(target: Target, reads: Callable[..., None], given: set[int]) -> None:
    """Record that a target is assigned; one with an index is not, because other members keep their values."""
    reads(*target.indices)
    if target.slot is not None:
        if target.indices:
            reads(Op("slot", place=target.slot))
        else:
            given.add(target.slot)
