"""An example that is running: the state that it has reached, and the values of its expressions there.

Implements docs/language/13-semantics.md, "Examples", for `examples` and `picks`.
"""

from typing import Any

from attrs import define

from interpreter.accounts import Account
from interpreter.expressions import ExpressionContext, whole
from interpreter.labels import label
from interpreter.machine import Machine
from interpreter.state import SLOTS, State
from rulespec.core.examples import ExampleRow
from rulespec.core.tree import Op
from rulespec.core.types import Type
from rulespec.source import Span


class ExampleFails(Exception):  # noqa: N818 - `examples` catches it
    """The example does not do what it says."""

    def __init__(
        self,
        message: str,
        span: Span,
        notes: tuple[str, ...] = (),
        why: Account | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.span, self.notes, self.why = message, span, notes, why


@define
class ExampleRun:
    """An example that is running."""

    machine: Machine
    example: ExampleRow
    state: State
    result: Any = None


def evaluate_now(run: ExampleRun, op: Op) -> Any:
    """The value of an expression at this moment."""
    context: ExpressionContext = run.machine.context.expressions
    return whole(context, op, SLOTS, run.example.scratch)(run.state, [0, 0])


def label_now(run: ExampleRun, value: Any, of: Type) -> str:
    """A value as people read it."""
    return label(run.machine.layout, value, of, run.state.watch.names)
