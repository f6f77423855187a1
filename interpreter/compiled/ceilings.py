"""A program at a table -> how much work its parts can take at most, before any of them is run.

A fast engine does not count what the reference counts: it puts steps together and leaves some out. So it
counts upper bounds: what goes through a set costs as much as for the largest set that there can be, and of two
ways both. Where these reach the limit the reference takes over, and judges. A step counts as so many operations
that both limits are reached together.
"""

from collections.abc import Sequence

from attrs import define, field

from interpreter import flat
from interpreter.compiled.shapes import ENDLESS, Env, Shape, Shapes, outputs_of
from interpreter.flat import Block, Instruction
from interpreter.machine import Machine
from interpreter.work import call_weight, step_weight, weight
from rulespec.core import tree
from rulespec.core.operations import BINDING, LISTING, WALKING
from rulespec.core.tree import Op
from rulespec.limits import MOST_STEPS, MOST_WORK

STEP = MOST_WORK // MOST_STEPS  # operations for which a step counts
SHARE = MOST_WORK // 4  # see `Ceilings.allows`
SMALL = MOST_WORK // 100  # what a loop may cost whose turns are not counted


@define
class Ceilings:
    """Upper bounds for a table, found as they are asked for."""

    machine: Machine
    shapes: Shapes = field(init=False)
    functions: dict[tuple[str, tuple[Shape, ...]], int] = field(factory=dict)
    blocks: dict[str, int] = field(factory=dict)
    tests: int = field(init=False)  # of all triggers, before and after a change

    def __attrs_post_init__(self) -> None:
        self.shapes = Shapes(self.machine.layout)
        none = Env()
        triggers = self.machine.layout.code.triggers
        self.tests = 2 * sum(self.work(row.condition, none) for row in triggers)

    @property
    def allows(self) -> bool:
        """Whether a fast engine may play at all.

        It may run through the rules once, then take as much again in parts that wait, and twice as
        much in loops: that it counts, and looks whether somebody was asked meanwhile only when there
        is nothing left. So what it plays by itself is never more than the reference allows.
        """
        return max(self.whole(), self.ranking()) <= SHARE

    @property
    def parts(self) -> int:
        """How often a rule that waits may go on without asking anybody."""
        return SHARE // max(1, *map(self.block, self._roots()))

    # ---- Expressions -----------------------------------------------------------------------------

    def work(self, part: object, env: Env) -> int:
        """What evaluating an expression, or several, can cost beside its own operations."""
        if isinstance(part, tuple):
            return min(ENDLESS, sum(self.work(each, env) for each in part))
        if not isinstance(part, Op):
            return 0
        shapes, args = self.shapes, part.args
        if part.name in BINDING:
            over, bound, body = args[:3]
            shape = shapes.element(over, env)
            inner = env.bind(bound, shape)
            found = self.work(over, env)
            found += shapes.size(over, env) * (weight(body) + self.work(body, inner))
        else:
            found = sum(self.work(each, env) for each in args)
        match part.name:
            case "call":
                given = tuple(shapes.shape(each, env) for each in args[1])
                found += self._function(args[0], given)
            case "output" | "output_at":
                code = self.machine.layout.code
                for key, fn in outputs_of(code, args[0]).items():
                    given = shapes.given(args[0], env, fn)
                    found = max(found, self._function(key, given) + self.work(args, env))
            case "winners":
                found += self.ranking()
            case "subsets":
                most = shapes.size(args[0], env)
                found += most * sum(1 + n for n in shapes.sizes(part, env))
            case "alike" | "runs":
                values = self.machine.layout.attributes[args[1]]
                each = max((len(v) if isinstance(v, tuple) else 1 for v in values), default=0)
                found += shapes.size(args[0], env) * (1 + each)
            case "pair_up":
                found += shapes.size(args[0], env) * len(args[1]) ** 2
        if part.name in LISTING:
            for each in args:
                if isinstance(each, Op):
                    count, size = shapes.members(each, env)
                    found += count * (1 + size)
        if part.name in WALKING:
            found += shapes.size(part, env) + sum(shapes.size(each, env) for each in part.operands)
        return min(ENDLESS, found)

    def _function(self, key: str, given: tuple[Shape, ...]) -> int:
        known = key, given
        if known not in self.functions:
            fn, env = self.machine.layout.code.functions[key], Env(given)
            inside = self.work(fn.inputs, env) + max(self.work(row.cell, env) for row in fn.rows)
            self.functions[known] = min(ENDLESS, call_weight(fn) + inside)
        return self.functions[known]

    def ranking(self) -> int:
        """What the largest row of the ranking can cost."""
        seats = self.machine.layout.players
        env = Env((Shape(1, 0, seats - 1),))
        costs = [
            self.work(row.order, env) + seats * self.work(row.key, env)
            for row in self.machine.layout.code.ranking
        ]
        return max(costs, default=0)

    # ---- Instructions ----------------------------------------------------------------------------

    def instruction(self, here: Instruction, env: Env) -> int:
        """What an instruction can cost, without what it calls."""
        layout = self.machine.layout
        steps, beside = 1, 0
        match here:
            case tree.Assign(target, value):
                beside = self.work((value, target.indices), env) + self.tests
            case flat.Iterate(_, values) | flat.Times(_, values):
                beside = self.work(values, env)
            case flat.Unless(condition):
                beside = self.work(condition, env)
            case tree.Move(_, pieces, zone):
                steps = 1 + self.shapes.size(pieces, env)
                beside = self.work((pieces, zone), env)
                beside += steps * (self.tests + len(layout.pieces) // 16)
            case tree.Shuffle(zone):
                beside = self.work(zone, env) + 4 * len(layout.pieces) + self.tests
            case tree.Show(pieces, players):
                beside = self.work((pieces, players), env) + self.shapes.size(pieces, env)
            case tree.Announce(value, players):
                beside = self.work((value, players), env)
            case tree.Tell(parts):
                beside = self.work(parts, env)
            case tree.Draw(target, values):
                beside = self.work((values, target.indices), env) + self.tests
            case tree.Choose(player, target, options):
                asked = (player, options, target.indices, _prompt(here))
                beside = self.work(asked, env) + self.tests
            case tree.Each(_, _, players, _, options):
                steps = 1 + layout.players
                beside = steps * self.work((options, _prompt(here)), env)
                beside += self.work(players, env) + self.tests
            case tree.Call(_, arguments):
                starts = [
                    layout.variables[n][0].start for n in layout.resets.get(here.resets or "", ())
                ]
                beside = self.work(arguments, env) + self.work(tuple(starts), Env()) + self.tests
            case tree.Enter(inputs):
                beside = self.work(inputs, env)
            case tree.Return(value):
                beside = self.work(value, env)
        return min(ENDLESS, steps * (STEP + step_weight(here)) + beside)

    def block(self, name: str) -> int:
        """What it costs to run through a block, and all that it calls; turns that are counted, once."""
        if name not in self.blocks:
            block = self.machine.layout.code.blocks[name]
            self.blocks[name] = self.region(block, 0, len(block.code))
        return self.blocks[name]

    def region(self, block: Block, begin: int, end: int) -> int:
        """The same of some instructions of a block."""
        env = self.shapes.of_block(block)
        total, at, code = 0, begin, block.code
        while at < end:
            here = code[at]
            total += self.instruction(here, env)
            if isinstance(here, tree.Call):
                total += self.block(here.block)
            elif isinstance(here, tree.Enter):
                total += max((self.block(row) for _, row in here.rows), default=0)
            leave = _loop(code, at)
            if leave is not None:
                turns = self.turns(block, at)
                total += self.region(block, at + 1, leave) * (1 if turns is None else 1 + turns)
            at = at + 1 if leave is None else leave
            total = min(total, ENDLESS)
        return total

    def turns(self, block: Block, at: int) -> int | None:
        """How many turns a `for` or `repeat` takes at most; nothing if they have to be counted."""
        here, leave, env = block.code[at], _loop(block.code, at), self.shapes.of_block(block)
        if isinstance(here, flat.Iterate):
            turns = self.shapes.size(here.values, env)
        elif isinstance(here, flat.Times):
            turns = max(0, self.shapes.shape(here.number, env).high)
        else:
            return None
        is_small = leave is not None and turns * self.region(block, at + 1, leave) <= SMALL
        return turns if is_small else None

    def whole(self) -> int:
        """What it costs to run through all rules once."""
        return min(ENDLESS, sum(map(self.block, self._roots())))

    def _roots(self) -> list[str]:
        """The rules that the engine calls by itself."""
        code = self.machine.layout.code
        roots = [name for name in ("setup", "play", "finish") if name in code.blocks]
        return [*roots, *(row.block for row in code.triggers)]


def _loop(code: Sequence[Instruction], at: int) -> int | None:
    """Where a `for` or `repeat` ends that begins here."""
    here, follow = code[at], code[at + 1] if at + 1 < len(code) else None
    is_for = isinstance(here, flat.Iterate) and isinstance(follow, flat.Next)
    is_repeat = isinstance(here, flat.Times) and isinstance(follow, flat.Again)
    if not (is_for or is_repeat):
        return None
    return follow.exit  # type: ignore[union-attr]  # it is one of the two


def _prompt(here: tree.Choose | tree.Each) -> tuple[Op, ...]:
    return tuple(each[0] for each in here.prompt if not isinstance(each, str))
