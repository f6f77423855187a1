"""Expressions and statements -> their maximal cost in the reference, which a module pays in advance, in fuel."""

from functools import cached_property
from typing import Any

from attrs import define, field

from interpreter.flat import Code
from interpreter.layout import Layout
from interpreter.wasm.memory import capacity
from interpreter.wasm.program_analysis import ProgramFacts
from interpreter.work import call_weight
from rulespec.core import tree
from rulespec.core.operations import BINDING, LISTING, WALKING
from rulespec.core.tree import Body, Op, Statement
from rulespec.core.types import Several, element
from rulespec.limits import MOST_STEPS, MOST_WORK

PREPAID = 2_000  # a loop over a set pays for all its turns in advance if they cost at most this
STEP = MOST_WORK // MOST_STEPS  # the minimal cost of a statement


@define
class Costs:
    """Computes the costs of a program for a table."""

    facts: ProgramFacts
    found: dict[int, tuple[Op, int]] = field(factory=dict)

    @property
    def layout(self) -> Layout:
        return self.facts.layout

    @property
    def code(self) -> Code:
        return self.facts.code

    def cost(self, op: Op) -> int:
        """The maximal cost of an expression in the reference, apart from the turns of its loops."""
        key = id(op)
        if key not in self.found:
            self.found[key] = op, self._cost(op)
        return self.found[key][1]

    def _cost(self, op: Op) -> int:
        if self.facts.known(op)[0]:
            return self.facts.spent(op)
        found = 1 + sum(map(self.cost, op.operands))
        if op.name in WALKING or op.name in LISTING:
            sets = [capacity(each.type, self.layout) for each in (op, *op.operands)]
            found += max(self._largest, *sets)
        if self._is_prepaid(op):
            found += capacity(op.operands[0].type, self.layout) * self.cost(op.operands[-1])
        if op.name == "call":
            found += self._function_cost(op.word)
        elif op.name in ("output", "output_at"):
            found += sum(self._function_cost(n) for n in self._outputs(op))
        return found

    def _is_prepaid(self, op: Op) -> bool:
        """Whether a loop over a set is so cheap that the enclosing statement pays for all its turns."""
        if op.name not in BINDING or isinstance(element(op.operands[0].type), Several | None):
            return False
        turns = capacity(op.operands[0].type, self.layout)
        return turns * self.cost(op.operands[-1]) <= PREPAID

    def element_cost(self, op: Op) -> int:
        """The cost to charge when a turn of a loop over a set begins; 0 if it was paid in advance."""
        return 0 if self._is_prepaid(op) else self.cost(op.operands[-1])

    def _outputs(self, op: Op) -> list[str]:
        table = f"{op.operands[0].word}."
        return (
            [key for key in self.code.functions if key.startswith(table)] if len(table) > 1 else []
        )

    def _function_cost(self, key: str) -> int:
        fn = self.code.functions[key]
        parts = [*fn.inputs, *(row.cell for row in fn.rows)]
        return call_weight(fn) + sum(map(self.cost, parts))

    @cached_property
    def _largest(self) -> int:
        sets = max(
            [
                1,
                *(
                    len(v)
                    for t in self.layout.attributes.values()
                    for v in t
                    if isinstance(v, tuple)
                ),
            ]
        )
        return max(
            len(self.layout.pieces) * (1 + sets), len(self.code.members), self.layout.players
        )

    def body_cost(self, body: Body) -> int:
        """The cost of statements that run once, including nested ones but not the turns of loops."""
        return sum(self.statement_cost(each) for each in body)

    def turn_cost(self, body: Body) -> int:
        """The cost of a turn of a loop: going to the next element and jumping back are steps of their own."""
        return STEP * 2 + self.body_cost(body)

    def statement_cost(self, statement: Statement) -> int:
        found = STEP * self._steps(statement) + sum(map(self.cost, operands_of(statement)))
        if isinstance(statement, tree.If):
            found += self.body_cost(statement.body) + self.body_cost(statement.otherwise or ())
        if isinstance(statement, tree.Move | tree.Shuffle | tree.Show):
            found += 4 * self._largest
        if isinstance(statement, tree.Call):
            enter = self.code.blocks[statement.block].body[0]
            if isinstance(enter, tree.Enter):
                found += self.statement_cost(enter) + len(enter.rows)
        return found

    def _steps(self, statement: Statement) -> int:
        """How many steps a statement takes at most, apart from the turns of a loop and from what it calls."""
        if isinstance(statement, tree.For | tree.Repeat):
            return 3
        if isinstance(statement, tree.Move):  # piece by piece
            return 1 + self._most_moved(statement.pieces)
        return 2 + self.layout.players if isinstance(statement, tree.Each) else 2

    def _most_moved(self, op: Op) -> int:
        if op.name in ("perhaps", "single"):
            return 1
        if op.name == "top_several":
            is_known, value = self.facts.known(op.operands[1])
            if is_known:
                return max(0, int(value))
        return self.facts.potential(None, op).bit_count()

    def rest_cost(self) -> int:
        """What running rules may still cost after a question: such costs were only paid before the question.

        A rule may be running twice, if a trigger that interrupts it calls it.
        """
        bodies = [each.body for each in self.code.blocks.values()]
        found = sum(self.statement_cost(s) for body in bodies for s in self.facts.reachable(body))
        return min(2 * found, MOST_WORK // 2)


def operands_of(statement: Statement) -> list[Op]:
    """The expressions of a statement, without those of statements inside it."""
    found: list[Op] = []
    waiting: list[Any] = [
        getattr(statement, name)
        for name in statement.__match_args__
        if name not in ("body", "otherwise")
    ]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Op):
            found.append(each)
        elif isinstance(each, tree.Target):
            waiting += [each.indices, each.fitting]
        elif isinstance(each, tuple):
            waiting += each
    return found
