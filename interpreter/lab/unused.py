"""A game with its options -> the rules and rows that no game can reach with them, such as rows for other option values.

A condition on options and the number of players is constant throughout a game. A rule or row that such a condition
excludes is no gap in the sample. Anything that depends on more is assumed to be reachable.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.constant_expressions import is_constant
from interpreter.errors import RuleFault
from interpreter.expressions import row_test, whole
from interpreter.flat import Again, Jump, Next, Unless
from interpreter.lab.rule_parts import Part, parts_of
from interpreter.machine import Machine
from interpreter.match import Game
from interpreter.state import SETUP, SLOTS, State
from rulespec.core import tree
from rulespec.core.tree import Op, Pattern

UNKNOWN = object()


def unused_parts(game: Game, players: int) -> frozenset[Part]:
    """The rules and rows that no game with this number of players can reach."""
    machine, code = game.machine(players), game.code
    called = {
        name for block in code.blocks.values() for each in block.code for name in _targets(each)
    }
    live: set[str] = set()
    ahead = [name for name in code.blocks if name not in called]
    while ahead:
        name = ahead.pop()
        if name not in live:
            live.add(name)
            ahead += _called_in(machine, code.blocks[name].code)
    places = {
        (function.name, n)
        for function in code.functions.values()
        for n in _possible(machine, function.inputs, [row.patterns for row in function.rows])
    }
    parts = parts_of(code)
    used = {part for place in parts for part in parts[place] if place in places or place[0] in live}
    return frozenset({part for found in parts.values() for part in found} - used)


def _targets(instruction: Any) -> Iterator[str]:
    match instruction:
        case tree.Call(block):
            yield block
        case tree.Enter(_, rows):
            yield from (name for _, name in rows)


def _called_in(machine: Machine, code: Sequence[Any]) -> Iterator[str]:
    """The blocks that a block can call."""
    seen: set[int] = set()
    ahead = [0]
    while ahead:
        at = ahead.pop()
        if at in seen or at >= len(code):
            continue
        seen.add(at)
        match code[at]:
            case tree.Call(block):
                yield block
                ahead.append(at + 1)
            case tree.Enter(inputs, rows):
                for n in _possible(machine, inputs, [patterns for patterns, _ in rows]):
                    yield rows[n][1]
                ahead.append(at + 1)
            case Jump(to):
                ahead.append(to)
            case Unless(condition, to):
                holds = _value(machine, condition)
                ahead += [] if holds is True else [to]
                ahead += [] if holds is False else [at + 1]
            case Next(_, _, exit_) | Again(_, exit_):
                ahead += [at + 1, exit_]
            case tree.Return() | tree.End():
                pass
            case _:
                ahead.append(at + 1)


def _possible(
    machine: Machine, inputs: Sequence[Op], rows: Sequence[tuple[Pattern, ...]]
) -> Iterator[int]:
    """The rows of a table that these inputs can reach; the first match counts."""
    values = [_value(machine, each) for each in inputs]
    context = machine.context.expressions
    for n, patterns in enumerate(rows):
        known = tuple(
            pattern if value is not UNKNOWN else Pattern("any")
            for pattern, value in zip(patterns, values, strict=True)
        )
        if not row_test(context, known)(values):
            continue
        yield n
        if all(
            pattern.how == "any" or value is not UNKNOWN
            for pattern, value in zip(patterns, values, strict=True)
        ):
            return


def _value(machine: Machine, op: Op) -> Any:
    """The value of an expression, if it is constant throughout a game."""
    if not is_constant(op, machine.layout.code.functions, {}):
        return UNKNOWN
    blank = State()
    blank.phase, blank.first = SETUP, 0
    try:
        return whole(machine.context.expressions, op, SLOTS, 0)(blank, [0, 0, *[None] * 40])
    except RuleFault:
        return UNKNOWN
