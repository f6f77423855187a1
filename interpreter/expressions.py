"""An operation of flat code -> its meaning: a Python function of the state and the slots of a frame.

Implements docs/language/13-semantics.md, "Expressions". There is one builder for each operation, listed by
name; it takes the arguments of the operation and gives a function that only reads. Sets of pieces keep
the order in which they were formed, other sets are in canonical order.

Short names: `s` state, `f` slots of the frame, with those of bound names behind them.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from attrs import define, field

from interpreter.constant_expressions import COSTLY, is_constant
from interpreter.errors import Crash
from interpreter.faults import not_among
from interpreter.layout import IndexedFamily, Layout
from interpreter.state import SLOTS, State
from interpreter.work import call_weight, spend
from rulespec.core.operations import BINDING
from rulespec.core.tree import Function, Op, Pattern, walk_operations
from rulespec.core.types import LEAST, MOST

Meaning: TypeAlias = Callable[[State, list[Any]], Any]
Slots: TypeAlias = list[Any]
# A function of the program: it takes the state and fresh slots that hold its arguments.
Fn: TypeAlias = Callable[[State, list[Any]], Any]


@define
class ExpressionContext:
    """The context for which meanings are made: a table, and a block with its number of slots.

    `reached`, if given, collects the rows of functions that were used.
    """

    layout: Layout
    builders: "Mapping[str, Builder]"
    functions: dict[str, Fn] = field(factory=dict)
    reached: set[Any] | None = None
    pure: dict[str, bool] = field(factory=dict)  # functions, see `constant_expressions`
    winners: Callable[[State], tuple[int, ...]] | None = None
    result: Callable[[], Any] | None = None  # the result of the last `when` of an example


Builder: TypeAlias = Callable[["ExpressionContext", Op, int], Meaning]
BUILDERS: dict[str, Builder] = {}


def meaning(context: ExpressionContext, op: Op, size: int) -> Meaning:
    """What an operation means in a frame of `size` slots, the two of the frame itself included."""
    found = context.builders[op.name](context, op, size)
    functions = context.layout.code.functions
    # For coverage, every evaluation of each part counts.
    if context.reached is None and op.name in COSTLY and is_constant(op, functions, context.pure):
        return _cached(found)
    return found


def _cached(inner: Meaning) -> Meaning:
    """The meaning of a constant: computed once, and charged the same number of steps each time."""
    kept: list[tuple[Any, int]] = []

    def cached(s: State, f: Slots) -> Any:
        if kept:
            value, cost = kept[0]
            spend(s, cost)
            return value
        before = s.left
        value = inner(s, f)
        kept.append((value, before - s.left))
        return value

    return cached


def whole(context: ExpressionContext, op: Op, size: int, scratch: int) -> Meaning:
    """The meaning of a whole expression: the names that it binds have their own scratch slots."""
    inner = meaning(context, op, size)
    if not scratch or not any(each.name in BINDING for each in walk_operations(op)):
        return inner
    blank = [None] * scratch
    return lambda s, f: inner(s, f + blank)


def builder(name: str) -> Callable[[Builder], Builder]:
    def register(build: Builder) -> Builder:
        BUILDERS[name] = build
        return build

    return register


def of_values(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An operation that needs only the values of its one or two operands, in this order."""

    def register(value: Callable[..., Any]) -> Callable[..., Any]:
        @builder(name)
        def build(context: ExpressionContext, op: Op, size: int) -> Meaning:
            first, *more = meanings_of(context, op.operands, size)
            if not more:
                return lambda s, f: value(s, op, first(s, f))
            (second,) = more
            return lambda s, f: value(s, op, first(s, f), second(s, f))

        return value

    return register


def plain(name: str, value: Callable[..., Any]) -> None:
    """The same, for a function that takes only the values."""
    of_values(name)(lambda _s, _op, *values: value(*values))


def meanings_of(context: ExpressionContext, ops: Iterable[Op], size: int) -> list[Meaning]:
    return [meaning(context, op, size) for op in ops]


def place_meaning(family: IndexedFamily, indices: list[Meaning]) -> Meaning:
    """Like `layout.place_in`, with the values of expressions; elaboration guarantees that they are indices."""
    base = family.base
    if not indices:
        return lambda _s, _f: base
    first = family.domains[0]
    if len(indices) == family.strides[0] == 1 and first == tuple(range(len(first))):
        (only,) = indices
        return lambda s, f: base + only(s, f)
    tables = [
        {value: n * stride for n, value in enumerate(values)}
        for values, stride in zip(family.domains, family.strides, strict=True)
    ]
    return lambda s, f: (
        base + sum(table[index(s, f)] for table, index in zip(tables, indices, strict=False))
    )


# ---- Functions of the program --------------------------------------------------------------------


@builder("call")
def _call(context: ExpressionContext, op: Op, size: int) -> Meaning:
    arguments = meanings_of(context, op.operands, size)
    body = function(context, op.word)
    cost = call_weight(context.layout.code.functions[op.word])

    def call(s: State, f: Slots) -> Any:
        spend(s, cost)
        return body(s, [0, 0, *[part(s, f) for part in arguments]])

    return call


@builder("row")
def _row(context: ExpressionContext, op: Op, size: int) -> Meaning:
    key, arguments = op.word, meanings_of(context, op.operands, size)
    return lambda s, f: (key, [0, 0, *(part(s, f) for part in arguments)])


@builder("output")
def _output(context: ExpressionContext, op: Op, size: int) -> Meaning:
    name, subject = op.word, meaning(context, op.operands[0], size)

    def output(s: State, f: Slots) -> Any:
        key, arguments = subject(s, f)
        return _look_up(context, f"{key}.{name}", s, arguments)

    return output


def _look_up(context: ExpressionContext, key: str, s: State, arguments: Slots) -> Any:
    spend(s, call_weight(context.layout.code.functions[key]))
    return function(context, key)(s, arguments)


@builder("output_at")
def _output_at(context: ExpressionContext, op: Op, size: int) -> Meaning:
    subject, chosen = meanings_of(context, op.operands, size)
    outputs = dict(zip(op.numbers, op.words, strict=True))

    def output(s: State, f: Slots) -> Any:
        key, arguments = subject(s, f)
        name = outputs.get(chosen(s, f))
        if name is None:
            raise not_among(context.layout, chosen(s, f), op)
        return _look_up(context, f"{key}.{name}", s, arguments)

    return output


# [expr.call]
def function(context: ExpressionContext, key: str) -> Fn:
    """The meaning of a `let` or of an output of a table, built once."""
    if key not in context.functions:
        context.functions[key] = _function(context, context.layout.code.functions[key])
    return context.functions[key]


def _function(context: ExpressionContext, fn: Function) -> Fn:
    size = fn.params + SLOTS
    blank = [None] * fn.scratch
    if not fn.inputs:
        cell = _reaching(context, fn, 0, size)
        if not blank:
            return cell
        return lambda s, f: cell(s, f + blank)
    inputs = meanings_of(context, fn.inputs, size)
    rows = [
        (row_test(context, row.patterns), _reaching(context, fn, n, size))
        for n, row in enumerate(fn.rows)
    ]

    # [expr.table]
    def look_up(s: State, f: Slots) -> Any:
        f = f + blank
        found = [part(s, f) for part in inputs]
        for accepts, cell in rows:
            if accepts(found):
                return cell(s, f)
        raise Crash(f"no row of {fn.name} matches {found}")

    return look_up


def _reaching(context: ExpressionContext, fn: Function, number: int, size: int) -> Fn:
    cell = meaning(context, fn.rows[number].cell, size)
    if context.reached is None:
        return cell
    reached, origin = context.reached, (fn.name, number)

    def counted(s: State, f: Slots) -> Any:
        reached.add(origin)
        return cell(s, f)

    return counted


def row_test(
    context: ExpressionContext, patterns: tuple[Pattern, ...]
) -> Callable[[list[Any]], bool]:
    """Whether a row of a table accepts its inputs."""
    tests = [
        (n, _accepts(context, pattern))
        for n, pattern in enumerate(patterns)
        if pattern.how != "any"
    ]
    if not tests:
        return lambda _found: True
    if len(tests) == 1:
        n, test = tests[0]
        return lambda found: test(found[n])
    return lambda found: all(test(found[n]) for n, test in tests)


# [expr.pattern]
def _accepts(context: ExpressionContext, pattern: Pattern) -> Callable[[Any], bool]:
    match pattern.how:
        case "values":
            values = frozenset(pattern.values)
            return lambda v: v in values
        case "numbers":
            low, high = pattern.values
            least = LEAST if low is None else low
            most = MOST if high is None else high
            return lambda v: v is not None and least <= v <= most
        case "kinds":
            pieces, kinds = context.layout.pieces, frozenset(pattern.values)
            return lambda v: v is not None and pieces[v].kind in kinds
        case "alternatives":
            tests = [_accepts(context, each) for each in pattern.values]
            return lambda v: any(test(v) for test in tests)
        case "any":
            return lambda _v: True
