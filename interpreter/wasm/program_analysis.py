"""A program for a table -> facts about it that the compiler needs before it writes any code.

They say which expressions have one value, which blocks may wait for a player or end the game, in which phases a block runs,
which triggers a statement may fire, and which pieces a set can have.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, assert_never

from attrs import define, field

from interpreter.constant_expressions import is_constant
from interpreter.dependencies import operations
from interpreter.errors import RuleFault
from interpreter.expressions import whole
from interpreter.families import TooMany
from interpreter.flat import Block, Code
from interpreter.layout import Layout
from interpreter.machine import Machine
from interpreter.operations.pieces import faces_of
from interpreter.state import SLOTS, State
from interpreter.work import Exhausted, weight
from rulespec.core import tree
from rulespec.core.operations import FAILING
from rulespec.core.tree import Body, Op, Statement
from rulespec.core.types import Choice, Piece, Several, Type, present
from rulespec.limits import MOST_WORK
from rulespec.source import Span

SETUP, PLAY, FINISH = "setup", "play", "finish"
NOT_KNOWN = object()


class Unsupported(Exception):  # noqa: N818 - it is no fault
    """This engine cannot play the rules, so the reference plays them. `span` marks the place, if there is one."""

    def __init__(self, what: str, span: Span | None = None) -> None:
        super().__init__(what)
        self.span = span


@define
class ProgramFacts:
    """Facts about a program for a table. A set of triggers is a number with a bit for each."""

    machine: Machine
    constants: dict[int, tuple[Op, Any, int]] = field(factory=dict)
    phases: dict[str, frozenset[str]] = field(factory=dict)
    relevant: tuple[int, ...] = ()  # for every trigger, the pieces that can affect its condition
    waiting: frozenset[str] = frozenset()  # blocks that may wait for a player
    leaving: frozenset[str] = frozenset()  # blocks that may wait, or end the game

    @property
    def layout(self) -> Layout:
        return self.machine.layout

    @property
    def code(self) -> Code:
        return self.machine.layout.code

    # ---- Constants -------------------------------------------------------------------------------

    def known(self, op: Op) -> tuple[bool, Any]:
        """Whether an expression has one value at this table, and that value."""
        value = self._constant(op)[1]
        return value is not NOT_KNOWN, value

    def spent(self, op: Op) -> int:
        """The cost in the reference of an expression that has one value."""
        return weight(op) + self._constant(op)[2]

    def _constant(self, op: Op) -> tuple[Op, Any, int]:
        key = id(op)  # comparing whole expressions is slow
        if key not in self.constants:  # it keeps the expressions, so no `id` is used twice
            self.constants[key] = op, *self._evaluate(op)
        return self.constants[key]

    def _evaluate(self, op: Op) -> tuple[Any, int]:
        """The value of an expression, and its cost in the reference."""
        if not is_constant(op, self.code.functions, self.machine.context.expressions.pure):
            return NOT_KNOWN, 0
        s = State()
        try:
            value = whole(self.machine.context.expressions, op, SLOTS, 64)(s, [0, 0])
        except (
            RuleFault,
            TooMany,
            Exhausted,
        ):  # the reference raises it when it evaluates the expression
            return NOT_KNOWN, 0
        return (value, MOST_WORK - s.left) if _is_data(value) else (NOT_KNOWN, 0)

    def may_fail(self, *ops: Op) -> bool:
        """Whether computing these can raise a fault: then they are computed even if nobody needs them."""
        return any(each.name in FAILING for each in operations(self.code, *ops))

    # ---- Statements ------------------------------------------------------------------------------

    def reachable(self, body: Body) -> Iterator[Statement]:
        """All statements in a body, without branches that this table never takes."""
        for each in body:
            yield each
            if isinstance(each, tree.If):
                is_known, value = self.known(each.condition)
                if not is_known or value:
                    yield from self.reachable(each.body)
                if each.otherwise is not None and not (is_known and value):
                    yield from self.reachable(each.otherwise)
            elif isinstance(each, tree.For | tree.Repeat):
                yield from self.reachable(each.body)

    def fires(self, block: Block, statement: Statement) -> int:
        """The triggers that a statement may fire."""
        if PLAY not in self.phases[block.name]:
            return 0
        match statement:
            case tree.Assign(target) | tree.Draw(target):
                return self.variable_triggers(target.variable)
            case tree.Choose() | tree.Each():
                found = self.variable_triggers(statement.target.variable)
                other = statement.other if isinstance(statement, tree.Choose) else None
                also = 0 if other is None else self.variable_triggers(other.target.variable)
                if found and also:
                    raise Unsupported("a question that gives two variables with triggers a value")
                return found | also
            case tree.Move():
                return self.move_triggers(block, statement)[0]
            case tree.Shuffle(zone):
                return self.zone_triggers([zone.word] if zone.name == "zone" else None)
            case tree.Call(resets=rule):
                return 0 if rule is None else self.reset_triggers(rule)
            case (
                tree.If() | tree.For() | tree.Repeat() | tree.Stop() | tree.Clear() | tree.Show()
                | tree.Announce() | tree.Tell() | tree.Enter() | tree.Return() | tree.End()
            ):  # fmt: skip
                return 0
            case _:
                assert_never(statement)

    def variable_triggers(self, name: str | None) -> int:
        if name is None:
            return 0
        family = self.layout.variable_families[name]
        return _bits(self.machine.context.variable_triggers[family.base]) if family.size else 0

    def reset_triggers(self, rule: str) -> int:
        found = 0
        for n in self.layout.resets.get(rule, ()):
            found |= _bits(self.machine.context.variable_triggers[n])
        return found

    def zone_triggers(self, names: list[str] | None) -> int:
        """The triggers that read zones with these names; None means any zone."""
        found = 0
        for name, triggers in self._zones.items():
            if names is None or name in names:
                found |= triggers
        return found

    @cached_property
    def _zones(self) -> dict[str, int]:
        """For each name of a zone, the triggers that read a zone of that name."""
        found: dict[str, int] = {}
        for zone, triggers in zip(
            self.layout.zones, self.machine.context.zone_triggers, strict=True
        ):
            found[zone.row.name] = found.get(zone.row.name, 0) | _bits(triggers)
        return found

    def move_triggers(self, block: Block, move: tree.Move) -> tuple[int, int]:
        """The triggers that a move may fire, and the pieces that matter to them."""
        if PLAY not in self.phases[block.name]:
            return 0, 0
        possible = self.potential(block, move.pieces)
        sources = zones_of(move.pieces)
        targets = [move.zone.word] if move.zone.name == "zone" else None
        names = None if sources is None or targets is None else [*sources, *targets]
        triggers = relevant = 0
        found = self.zone_triggers(names)
        for t, pieces in enumerate(self.relevant):
            if found >> t & 1 and pieces & possible:
                triggers |= 1 << t
                relevant |= pieces & possible
        return triggers, relevant

    # ---- Pieces ----------------------------------------------------------------------------------

    @property
    def whole(self) -> int:
        """All pieces, as a mask."""
        return (1 << len(self.layout.pieces)) - 1

    def of_kinds(self, kinds: frozenset[str] | tuple[str, ...]) -> int:
        return mask(c for c, piece in enumerate(self.layout.pieces) if piece.kind in kinds)

    def held_by(self, name: str) -> int:
        """The pieces that may lie in zones of a family."""
        family = self.layout.zone_families[name]
        held = self.layout.holds[family.base] if family.size else frozenset()
        return self.whole if held is None else mask(held)

    def potential(self, block: Block | None, op: Op) -> int:
        """All pieces that can ever be in a set."""
        match op.name:
            case "contents" | "gather" if op.operands[0].name == "zone":
                return self.held_by(op.operands[0].word)
            case "matching":
                return self.potential(block, op.operands[0]) & self._potential_look(op.operands[1])
            case (
                "top" | "perhaps" | "single" | "needed" | "top_several" | "filter" | "difference"
                | "having" | "unlike" | "intersection"
            ):  # fmt: skip
                return self.potential(block, op.operands[0])
            case "union":
                return self.potential(block, op.operands[0]) | self.potential(block, op.operands[1])
            case "slot" if block is not None:
                of = scalar_type(block.slots[op.place][1])
                if isinstance(of, Piece):
                    return self.of_kinds(of.kinds)
        return self.whole

    def _potential_look(self, op: Op) -> int:
        if op.name == "look":
            return mask(faces_of(self.layout, op.face))
        if op.name == "look_members":
            is_known, value = self.known(op.operands[0])
            of = scalar_type(op.operands[0].type)
            members = value if is_known else range(len(self.code.members))
            if not is_known and isinstance(of, Choice):
                members = self.layout.enums[of.enum]
            return mask(c for m in members for c in faces_of(self.layout, (("member", m),)))
        return self.whole


def find_facts(machine: Machine) -> ProgramFacts:
    """Analyse a program."""
    facts = ProgramFacts(machine)
    code = facts.code
    live = {name: [*facts.reachable(block.body)] for name, block in code.blocks.items()}
    calls = {name: _calls(statements) for name, statements in live.items()}
    facts.phases = _phases(code, calls)
    facts.relevant = tuple(_relevant(facts, row.condition) for row in code.triggers)
    fired = {
        name: [facts.fires(code.blocks[name], each) for each in live[name]] for name in code.blocks
    }
    facts.waiting = _closure(facts, live, calls, fired, (tree.Choose, tree.Each))
    facts.leaving = _closure(facts, live, calls, fired, (tree.Choose, tree.Each, tree.End))
    return facts


def _calls(statements: list[Statement]) -> set[str]:
    found: set[str] = set()
    for each in statements:
        if isinstance(each, tree.Call):
            found.add(each.block)
        elif isinstance(each, tree.Enter):
            found.update(name for _, name in each.rows)
    return found


def _phases(code: Code, calls: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {name: set() for name in code.blocks}
    roots = {SETUP: [SETUP], PLAY: [PLAY, *(row.block for row in code.triggers)], FINISH: [FINISH]}
    for phase, names in roots.items():
        waiting = [name for name in names if name in code.blocks]
        while waiting:
            name = waiting.pop()
            if phase not in found[name]:
                found[name].add(phase)
                waiting += calls[name]
    return {name: frozenset(phases) for name, phases in found.items()}


def _closure(
    facts: ProgramFacts,
    live: dict[str, list[Statement]],
    calls: dict[str, set[str]],
    fired: dict[str, list[int]],
    kinds: tuple[type, ...],
) -> frozenset[str]:
    """Blocks with a statement of these kinds, or that call or fire such a block; all rows of a table count together."""
    code = facts.code
    found = {name for name, each in live.items() if any(isinstance(s, kinds) for s in each)}
    while True:
        triggers = _bits(t for t, row in enumerate(code.triggers) if row.block in found)
        more = {
            name
            for name in code.blocks
            if calls[name] & found or any(each & triggers for each in fired[name])
        }
        for name in more | found:
            if isinstance(code.blocks[name].body[0], tree.Enter):
                more |= calls[name]
        if more <= found:
            return frozenset(found)
        found |= more


# ---- Triggers ------------------------------------------------------------------------------------


def _relevant(facts: ProgramFacts, condition: Op) -> int:
    """The pieces whose place can affect a condition: those that it selects from the zones."""
    found = 0
    seen: set[str] = set()
    waiting = [condition]
    while waiting:
        each = waiting.pop()
        looks = _selected(each)
        if looks is not None:
            fixed = [faces_of(facts.layout, look.face) for look in looks if look.name == "look"]
            found |= mask(frozenset.intersection(*fixed)) if fixed else facts.whole
            waiting += [look for look in looks if look.name != "look"]
            continue
        if each.name in ("contents", "gather", "all_pieces", "winners"):
            return facts.whole
        if each.name in ("call", "row"):
            for name, fn in facts.code.functions.items():
                if name.split(".")[0] == each.word.split(".")[0] and name not in seen:
                    seen.add(name)
                    waiting += [*fn.inputs, *(row.cell for row in fn.rows)]
        waiting += each.operands
    return found


def _selected(op: Op) -> list[Op] | None:
    """The looks by which an expression filters a named zone; None for any other expression."""
    looks = []
    while op.name == "matching":
        looks.append(op.operands[1])
        op = op.operands[0]
    if not looks or op.name not in ("contents", "gather") or op.operands[0].name != "zone":
        return None
    indices = op.operands[0].operands
    return looks if all(each.name in ("literal", "slot", "bound") for each in indices) else None


def zones_of(op: Op) -> list[str] | None:
    """The names of the zones in which the pieces of a set lie; None if unknown."""
    match op.name:
        case "contents" | "gather":
            return [op.operands[0].word] if op.operands[0].name == "zone" else None
        case (
            "perhaps" | "single" | "needed" | "top" | "matching" | "unlike" | "having"
            | "difference" | "top_several" | "filter" | "or_empty"
        ):  # fmt: skip
            return zones_of(op.operands[0])
        case "union" | "intersection" | "list":
            found: list[str] = []
            for each in op.operands:
                names = zones_of(each)
                if names is None:
                    return None
                found += names
            return found
    return None


# ---- Small things --------------------------------------------------------------------------------


def mask(members: Any) -> int:
    """A number with a bit for each member."""
    found = 0
    for each in members:
        found |= 1 << each
    return found


_bits = mask


def scalar_type(type_: Type | None) -> Type | None:
    """The type of a single value; for a set, the type of its elements."""
    of = None if type_ is None else present(type_)
    return present(of.of) if isinstance(of, Several) else of


def _is_data(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_data, value))
    return value is None or isinstance(value, int)
